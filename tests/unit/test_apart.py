"""The proof that two conditions never hold together: sound, and strong enough to be of use."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest

from rulelang import ir
from rulelang.binder import bind
from rulelang.checker.apart import World, never_together
from rulelang.checker.graph import Graph
from rulelang.checker.rivals import Judge
from rulelang.diagnostics import DiagnosticBag
from rulelang.lowering.program import Lowering
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from rulelang.checker.terms import Literal, Term

TEXT = """
game sample "Sample":
    version "1.0"
    players 2..3
define Colour = red, green, blue
define Size = small, large
option pace: 1..3 = 2
component Player:
    gold: 0..9 = 0
    debts: 0..9 = 0
    colour: Colour = red
    home: Port or none = none
    leads: Flag = no
component Port (3):
    size: 1..9 = each 2..4
component Crate (4):
    place: Player or Port or none = none
define Target = Port, Player
define player.rich = player.gold > 5
define player.worth = player.gold - player.debts:
    bonus: +2 when player.leads
define player.rank = 1:
    poor: 2 when player.gold < 3
    wealthy: 3 when player.gold > 6
table fee(colour):
    red: 1
    green | blue: 2
define judged(player, port, target, n: Number) = no:
    CASE
phase game:
    each player in Player:
        player gains up to 1 gold
        player gains up to 1 debts
        player.colour becomes green
        player.home becomes first(Port)
        player.leads becomes yes
        move first(Crate) to player
        if judged(player, first(Port), player, 3) and fee(red) > 0: end game
"""


def judge(one: str, two: str) -> bool:
    """Compile a game with two exceptions, and give whether they are proved apart."""
    text = TEXT.replace("CASE", f"one: yes when {one}\n    two: no when {two}")
    bag = DiagnosticBag()
    file = SourceFile("sample.rules", text)
    tables = bind([parse(file).module], lambda path: path.encode(), bag)
    lowering = Lowering(tables, bag)
    lowering.run(scenarios=False)
    assert {found.code for found in bag if found.is_error} <= {"E0404"}
    definition = next(each for each in lowering.ctx.definitions if each.name == "judged")
    definitions = tuple(lowering._definition(each) for each in lowering.ctx.definitions)
    rivals = Judge(Graph(lowering.ctx, definitions, (), ()))
    first, second = (rivals.rival(clause) for clause in definition.clauses)
    return rivals.apart(first, second, definition.params)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("player.gold > 3", "player.gold <= 3"),
        ("player.gold > 3", "player.gold + 2 < 6"),
        ("player.gold > player.debts", "player.debts >= player.gold"),
        ("player.gold - player.debts > 2", "player.gold < 3"),
        ("player.gold > n and n > 4", "player.gold < 5"),
        ("2 * player.gold > 7", "player.gold in 0..3"),
        ("player.gold is n", "n is player.debts and player.debts > player.gold"),
        ("player.colour is red", "player.colour in {green, blue}"),
        ("player.colour is not red and player.colour is not green", "player.colour is not blue"),
        ("player.leads", "not player.leads"),
        ("player.leads is yes", "player.leads is no"),
        ("player.home is none", "player.home is port"),
        ("player.home is port and port.size is 2", "player.home is not none and port.size > 2"),
        ("target is Port", "target is Player"),
        ("player.rich", "player.gold < 6"),
        ("not player.rich", "player.gold is 7"),
        ("player.worth > 9", "player.gold < 3 and player.debts > 0"),
        ("player.rank is 2", "player.gold is 5"),
        ("player.rank is 3", "player.rank is 2"),
        ("fee(player.colour) is 1", "player.colour is blue"),
        ("pace is 1", "pace is 3"),
        ("pace > 2", "pace < 3"),
        ("any Crate at player", "count(Crate at player) is 0"),
        ("count(Crate) > 4", "player.gold > 0"),
        ("port.size > 4", "player.gold > 0"),
        ("player.gold > 3 or player.leads", "player.gold < 2 and not player.leads"),
        ("player.gold in 1..3", "player.gold in 4..6"),
        ("player in (Player where its gold > 5)", "player.gold < 3"),
    ],
)
def test_apart(one: str, two: str) -> None:
    """These are proved apart, either way round."""
    assert judge(one, two)
    assert judge(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("player.gold > 3", "player.gold > 5"),
        ("player.gold > player.debts", "player.gold >= player.debts"),
        ("player.gold > 3", "player.debts > 3"),
        ("player.colour is red", "player.colour in {red, blue}"),
        ("player.home is port", "player.home is not none"),
        ("target is Port", "player.leads"),
        ("player.rich", "player.gold < 7"),
        ("player.rank is 2", "player.gold is 2"),
        ("player.worth > 3", "player.gold < 3"),
        ("fee(player.colour) is 2", "player.colour is blue"),
        ("pace > 1", "pace < 3"),
        ("any Crate at player", "count(Crate at player) is 1"),
        ("any Crate at player", "any Crate at port"),
        ("port.size > 3", "player.gold > 0"),
        ("player.gold > 3 or player.leads", "player.gold < 2"),
    ],
)
def test_not_apart(one: str, two: str) -> None:
    """These can hold together."""
    assert not judge(one, two)


# ---------------------------------------------------------------- against all assignments

NAMES = {
    "a": ir.Type("number", lo=0, hi=3),
    "b": ir.Type("number", lo=0, hi=3),
    "c": ir.Type("number", lo=1, hi=3, optional=True),
    "d": ir.FLAG,
}
VALUES: dict[str, tuple[object, ...]] = {
    "a": (0, 1, 2, 3),
    "b": (0, 1, 2, 3),
    "c": (None, 1, 2, 3),
    "d": (False, True),
}


def number(draw: random.Random, depth: int) -> Term:
    """Draw a term that is a number."""
    if depth and draw.random() < 0.3:
        return (draw.choice("+-"), number(draw, depth - 1), number(draw, depth - 1))
    return ("l", draw.choice("abc")) if draw.random() < 0.7 else ("c", draw.randint(0, 4))


def condition(draw: random.Random, depth: int) -> Term:
    """Draw a condition."""
    if depth and draw.random() < 0.5:
        form = draw.choice(("and", "or", "not"))
        count = 1 if form == "not" else 2
        return (form, *(condition(draw, depth - 1) for _ in range(count)))
    kind = draw.random()
    if kind < 0.15:
        return ("l", "d")
    if kind < 0.3:
        return ("in", ("l", draw.choice("abc")), ("c", tuple(sorted(draw.sample(range(4), 2)))))
    if kind < 0.4:
        return ("==", ("l", "c"), ("c", None))
    return (draw.choice(("==", "<", "<=")), number(draw, 1), number(draw, 1))


def value(term: Term, state: dict[str, object]) -> object:
    """Work out a term; raises TypeError where none is no value."""
    match term:
        case ("c", known):
            return known
        case ("l", name):
            return state[name]
        case ("+" | "-", left, right):
            one, two = value(left, state), value(right, state)
            assert one is None or isinstance(one, int)
            assert two is None or isinstance(two, int)
            if one is None or two is None:
                raise TypeError
            return one + two if term[0] == "+" else one - two
        case ("and", *parts):
            return all(value(part, state) for part in parts)
        case ("or", *parts):
            return any(value(part, state) for part in parts)
        case ("not", part):
            return not value(part, state)
        case ("in", part, ("c", values)):
            return value(part, state) in values
        case ("==", left, right):
            return value(left, state) == value(right, state)
        case _:
            one, two = value(term[1], state), value(term[2], state)
            if not isinstance(one, int) or not isinstance(two, int):
                raise TypeError
            return one < two if term[0] == "<" else one <= two


def holds(literals: list[Literal]) -> bool:
    """Tell whether some assignment makes all of them hold."""
    for chosen in product(*VALUES.values()):
        state = dict(zip(VALUES, chosen, strict=True))
        try:
            if all(bool(value(term, state)) is expected for term, expected in literals):
                return True
        except TypeError:
            continue
    return False


def test_a_comparison_and_its_opposite_need_no_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one condition is the other one with `not`, nothing is unfolded: that can be a lot."""
    monkeypatch.setattr(World, "unfolded", lambda *_: pytest.fail("something is unfolded"))
    assert judge("player.worth + player.rank > 4", "not (player.worth + player.rank > 4)")
    assert judge("any Crate at player", "not any Crate at player")


def test_what_terms_share_is_replaced_once() -> None:
    """A term that has its parts in common with itself is one of few parts, however long it is written out."""
    lowering = Lowering(bind([], lambda path: path.encode(), DiagnosticBag()), DiagnosticBag())
    world = Judge(Graph(lowering.ctx, (), (), ())).world
    term: Term = ("l", "n")
    for _ in range(60):
        term = ("pair", term, term)
    made = world.replaced(term, ("l", "n"), ("c", 3))
    depth = 0
    while made != ("c", 3):
        assert made[1] is made[2]
        made, depth = made[1], depth + 1
    assert depth == 60
    assert world.replaced(term, ("l", "m"), ("c", 3)) is term


def test_against_all_assignments() -> None:
    """What is proved never to hold never does; and most of what never does is proved."""
    bag = DiagnosticBag()
    text = TEXT.replace("CASE", "one: yes when player.leads")
    tables = bind([parse(SourceFile("x.rules", text)).module], lambda path: path.encode(), bag)
    lowering = Lowering(tables, bag)
    world = Judge(Graph(lowering.ctx, (), (), ())).world
    draw = random.Random(11)  # noqa: S311 - a test, not a secret
    never = proved = 0
    for _ in range(600):
        literals = [(condition(draw, 2), True) for _ in range(draw.randint(2, 4))]
        possible = holds(literals)
        refuted = never_together(world, literals, NAMES)
        assert not (possible and refuted), literals
        never += not possible
        proved += refuted
    assert never > 150
    assert proved > 0.9 * never
