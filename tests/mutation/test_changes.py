"""Which changes of a text there are, and what becomes of them."""

from __future__ import annotations

import re

import pytest

from interpreter.mutation.model import Result
from interpreter.mutation.plan import Choice, Plan
from interpreter.mutation.score import Score
from interpreter.mutation.trials import Trials
from interpreter.ui.mutants import told
from rulelang import api, ir

HEAD = """\
game shop "Shop":
    version "1.0"
    players 1..2
    citations "ids.csv"
define Mood = calm, angry, tired
define D6 = 1..6
option open_late: Flag = no
component Board (1):
    deck: pile of Card = Card, hidden
component Card (3)
component Stall (4):
    price: 0..9 = 2
    sold: Flag = no
component Player:
    coins: 0..20 = 5
    goods: 0..9 = 0
    mood: Mood = calm

phase game:
    each player in Player:
        do act(player)
        do stir(player)
effect stir(player):
    player.coins becomes 3
    player.goods becomes 4
    player.mood becomes angry
    last(Stall).sold becomes yes
"""

IDS = "id,section,kind,text\nMKT-1,1,rule,Act\nMKT-2,1,rule,Wait\n"


def program_of(text: str, **data: str) -> ir.Program:
    """Compile a shop with some more rules for one person, and with the texts of tables."""
    tables = {f"{name}.csv": table for name, table in data.items()}
    found = api.check_texts({"shop.rules": HEAD + text, "ids.csv": IDS, **tables}, seats=1)
    assert found.program is not None, found.diagnostics
    return found.program


def changes_of(text: str, choice: Choice | None = None) -> list[str]:
    """Tell the changes of some more rules, those of the head left out."""
    plan = Plan([program_of(text)], choice or Choice())
    lines = HEAD.count("\n")
    return [told(each) for each in plan.mutants if each.place[1] > lines]


def fates_of(text: str, **data: str) -> dict[str, str]:
    """Give what becomes of each change."""
    program = program_of(text, **data)
    plan = Plan([program], Choice())
    trials = Trials(plan)
    reaches = [trials.reach(0, number) for number in range(len(program.scenarios))]
    assert not any(each.problem for each in reaches)
    fates: dict[str, str] = {}
    for number in plan.order:
        visits = sorted(each.visit for each in reaches if number in each.different)
        fates[told(plan.mutants[number])] = trials.attempt(number, visits).fate
    return fates


# Lines, and the changes of them. What a change of one kind looks like elsewhere is not repeated.
CHANGES = [
    (
        "effect act(player): player gains 3 coins",
        [
            "gains and loses: `gains` becomes `loses`",
            "line: `player gains 3 coins` left out",
            "number: `3` becomes `0`",
            "number: `3` becomes `2`",
            "number: `3` becomes `4`",
        ],
    ),
    (
        "effect act(player):\n    if player.coins < 7: let die = roll D6",
        [
            "comparison: `<` becomes `<=`",
            "comparison: `<` becomes `>=`",
            "number: `7` becomes `0`",
            "number: `7` becomes `6`",
            "number: `7` becomes `8`",
        ],
    ),
    (
        "effect act(player):\n    if player.mood is not angry: let die = roll D6",
        [
            "comparison: `is not` becomes `is`",
            "word: `angry` becomes `tired`",
        ],
    ),
    (
        "effect act(player):\n    if player.automa and not first(Stall).sold: let die = roll D6",
        [
            "and and or: `and` becomes `or`",
            "condition: `not first(Stall).sold` left out",
            "condition: `not` left out",
            "condition: `player.automa` becomes `not player.automa`",
            "condition: `player.automa` left out",
            "first and last: `first` becomes `last`",
        ],
    ),
    (
        "effect act(player): player gains max(player.goods, player.coins - player.goods) coins",
        [
            "gains and loses: `gains` becomes `loses`",
            "line: `player gains max(player.goods, player.coins - player.goods) coins` left out",
            "min and max: `max` becomes `min`",
            "sum: `-` becomes `+`",
        ],
    ),
    (
        (
            "effect act(player):\n"
            "    move top(board.deck) to bottom(board.deck)\n"
            "    player.goods becomes player.coins"
        ),
        [
            "end of a pile: `bottom` becomes `top`",
            "first and last: `top` becomes `bottom`",
            "line: `move top(board.deck) to bottom(board.deck)` left out",
            "line: `player.goods becomes player.coins` left out",
        ],
    ),
    (
        (
            "effect act(player):\n"
            "    player.goods becomes player.coins\n"
            "    player.coins becomes player.goods"
        ),
        [
            "line: `player.coins becomes player.goods` left out",
            "line: `player.goods becomes player.coins` left out",
            (
                "order of lines: `player.goods becomes player.coins / player.coins becomes player.goods`"
                " becomes `player.coins becomes player.goods / player.goods becomes player.coins`"
            ),
        ],
    ),
    (
        (
            "effect act(player): player.goods becomes fee(player.mood)\n"
            "table fee(mood: Mood):\n    calm: 2\n    angry: 1\n    tired: 1"
        ),
        [
            "line: `player.goods becomes fee(player.mood)` left out",
            "number: `1` becomes `0`",
            "number: `1` becomes `2`",
            "number: `2` becomes `0`",
            "number: `2` becomes `1`",
            "number: `2` becomes `3`",
            "table: `2, 1` becomes `1, 2`",
        ],
    ),
    (
        (
            "effect act(player): player.goods becomes player.due\n"
            "define player.due = player.coins:\n    angry: +player.goods when player.mood is angry"
        ),
        [
            "comparison: `is` becomes `is not`",
            "condition: `when player.mood is angry` left out",
            "exception: `+player.goods` becomes `-player.goods`",
            "exception: `angry: +player.goods when player.mood is angry` left out",
            "line: `player.goods becomes player.due` left out",
            "word: `angry` becomes `tired`",
        ],
    ),
    (
        (
            "effect act(player): player may do buy else end act\n"
            "may buy(player):\n    calm: player.mood is calm\n    goods: any Stall where its sold\n"
            "    then: let die = roll D6"
        ),
        [
            "comparison: `is` becomes `is not`",
            "condition: `any Stall where its sold` becomes `not any Stall where its sold`",
            "condition: `any Stall where its sold` left out",
            "condition: `its sold` becomes `not its sold`",
            "condition: `player.mood is calm` left out",
            "condition: `where its sold` left out",
            "line: `end act` left out",
            "word: `calm` becomes `angry`",
        ],
    ),
    (
        (
            "effect act(player): do nothing\n"
            "after act(player) when player.mood is calm once: player.mood becomes tired"
        ),
        [
            "comparison: `is` becomes `is not`",
            "condition: `when player.mood is calm` left out",
            "line: `player.mood becomes tired` left out",
            "once: `once` left out",
            "rule: `after act(player) when player.mood is calm once: player.mood becomes tired` left out",
            "word: `calm` becomes `angry`",
            "word: `tired` becomes `calm`",
        ],
    ),
    (
        (
            "effect act(player):\n"
            "    each stall in Stall with highest price then lowest sold: stall.sold becomes yes"
        ),
        [
            "line: `stall.sold becomes yes` left out",
            "order: `highest price` becomes `lowest price`",
            "order: `highest price` left out",
            "order: `lowest sold` becomes `highest sold`",
            "order: `lowest sold` left out",
            "word: `yes` becomes `no`",
        ],
    ),
    (
        (
            "effect act(player): do wait(player)\n"
            "phase wait(player):\n    keeps patience: 0..9 = 1\n    step one: patience becomes 0"
        ),
        [
            "line: `do wait(player)` left out",
            "line: `patience becomes 0` left out",
            "line: `step one: patience becomes 0` left out",
            "number: `0` becomes `1`",
            "number: `1` becomes `0`",
            "number: `1` becomes `2`",
        ],
    ),
]


@pytest.mark.parametrize(("text", "told_changes"), CHANGES)
def test_changes(text: str, told_changes: list[str]) -> None:
    """Each kind of construct is changed in these ways and no other."""
    assert sorted(set(changes_of(text + "\n"))) == told_changes


@pytest.mark.parametrize(
    "text",
    [
        # Sums do not mind the order.
        "effect act(player):\n    player gains 1 coins\n    player gains 2 coins",
        # Neither line looks at what the other one changes.
        "effect act(player):\n    player gains 1 coins\n    player.mood becomes angry",
    ],
)
def test_lines_that_commute_are_not_swapped(text: str) -> None:
    """Nobody could notice that."""
    assert not [each for each in changes_of(text + "\n") if each.startswith("order of lines")]


def test_a_name_is_not_used_above_the_line_that_binds_it() -> None:
    """Such lines cannot be swapped."""
    text = "effect act(player):\n    let n = player.coins\n    player.coins becomes n - 1\n"
    assert not [each for each in changes_of(text) if each.startswith("order of lines")]


LEFT_OUT = """\
effect act(player):
    player may "Buy for 2?" automa player.coins > 3: do nothing
    if open_late: do late(player)
effect late(player): player loses 9 coins
effect helper(player): player gains 8 coins
always "no debts": player.coins < 19

scenario "Helped" of shop:
    people ann
    do helper(ann)
    after:
        ann.coins is 13
"""


def test_what_is_left_out() -> None:
    """Prompts, policies, what is behind options, helpers and promises are no rules that scenarios have to notice."""
    text = LEFT_OUT.replace("player.coins < 19", "not any Player where its coins > 19")
    usual = [
        "condition: `open_late` becomes `not open_late`",
        "line: `do late(player)` left out",
    ]
    assert changes_of(text) == [usual[0]]
    policies = changes_of(text, Choice(policies=True))
    assert sorted(set(policies) - {usual[0]}) == [
        "comparison: `>` becomes `<=`",
        "comparison: `>` becomes `>=`",
        "number: `3` becomes `0`",
        "number: `3` becomes `2`",
        "number: `3` becomes `4`",
    ]
    readings = changes_of(text, Choice(readings=True))
    assert {*usual, "number: `9` becomes `8`"} <= set(readings)
    assert not [each for each in readings if "8 coins" in each or "19" in each]


BEHIND = """\
change component Stall:
    rotten: Flag = no
effect act(player):
    do tidy(player)
    if any Stall where its rotten and its sold: do pay(player)
    do pay(player)
effect tidy(player):
    if open_late: first(Stall).rotten becomes yes
    if not first(Stall).rotten and player.coins > 1: player loses up to player.debt goods
effect pay(player): player loses up to player.debt coins
define player.debt = 1:
    fine: 3 when first(Stall).rotten and player.coins > 2
"""


def test_what_only_other_readings_change_stays_as_it_is() -> None:
    """A field that only a line behind an option changes is known, and so is what follows from it."""
    found = changes_of(BEHIND)
    assert "line: `do tidy(player)` left out" in found
    assert "condition: `first(Stall).rotten` becomes `not first(Stall).rotten`" in found
    nothing = [
        "condition: `its sold` left out",
        "exception: `fine: 3 when first(Stall).rotten and player.coins > 2` left out",
        "condition: `player.coins > 2` left out",
        "number: `3` becomes `4`",
        "line: `first(Stall).rotten becomes yes` left out",
    ]
    assert not set(nothing) & set(found)
    assert set(nothing) <= set(changes_of(BEHIND, Choice(readings=True)))


def test_what_does_nothing_with_the_defaults_of_options() -> None:
    """To leave it out, or to swap it with the line beside it, changes nothing."""
    text = """\
phase act(player):
    step first_half:
        if open_late: player loses 2 coins
    step second_half: player.coins becomes player.coins * 2
    if open_late: player loses 3 coins
    player gains 4 goods
    if player.goods > 3 and player.coins is 1: do rest(player)
effect rest(player):
    if open_late: player loses 1 coins
"""
    kinds = ("line", "order of lines")
    found = [each for each in changes_of(text) if each.startswith(kinds)]
    assert sorted(found) == [
        "line: `player gains 4 goods` left out",
        "line: `player.coins becomes player.coins * 2` left out",
        "line: `step second_half: player.coins becomes player.coins * 2` left out",
    ]
    assert not [each for each in changes_of(text) if "goods > 3" in each]
    assert (
        len([each for each in changes_of(text, Choice(readings=True)) if each.startswith(kinds)])
        > 6
    )


def test_only_some_files_and_declarations() -> None:
    """Both can be chosen."""
    text = "effect act(player): do wait(player) [MKT-1]\neffect wait(player): player gains 1 coins [MKT-2]\n"
    assert changes_of(text, Choice(only="mkt-1")) == ["line: `do wait(player) [MKT-1]` left out"]
    assert len(changes_of(text, Choice(only="WAIT"))) > 1
    assert changes_of(text, Choice(files=("other",))) == []
    assert changes_of(text, Choice(files=("shop",))) == changes_of(text)


def test_a_sample_stays_when_other_lines_come() -> None:
    """Most of a sample is the same when a line is added, and another seed gives another one."""
    text = "effect act(player):\n    player gains 3 coins\n    player loses 4 coins\n"
    plans = [
        Plan([program_of(each)], Choice(sample=4)) for each in (text, f"# Something new.\n{text}")
    ]
    one, two = ([told(plan.mutants[each]) for each in plan.order] for plan in plans)
    assert one == two
    assert len(one) == 4
    other = Plan([program_of(text)], Choice(sample=4, seed=2))
    assert [told(other.mutants[each]) for each in other.order] != one


FATES = """\
effect act(player):
    if player.coins > 3:
        player gains 2 coins
        player gains 1 goods
    if player.goods > 7: player.mood becomes angry
effect loop(player):
    while player.goods < 3:
        player gains 1 goods
after act(player): do loop(player)

scenario "A turn" of shop:
    people ann
    do act(ann)
    after:
        ann.coins is 7
"""


def test_fates() -> None:
    """A change is noticed by a condition, a fault or a budget; or it is not."""
    fates = fates_of(FATES)
    assert fates["line: `player gains 2 coins` left out"] == "killed"
    assert fates["number: `2` becomes `3`"] == "killed"
    assert fates["comparison: `>` becomes `<=`"] == "killed"
    assert fates["line: `player gains 1 goods` left out"] == "killed"  # the loop does not end
    assert fates["gains and loses: `gains` becomes `loses`"] == "killed"  # below 0
    assert fates["rule: `after act(player): do loop(player)` left out"] == "unnoticed"
    assert fates["word: `angry` becomes `tired`"] == "unnoticed"


def test_what_makes_no_difference_is_not_played() -> None:
    """A value that stays the same in a scenario cannot be noticed by it; nor can a line that it never reaches."""
    program = program_of(FATES)
    plan = Plan([program], Choice())
    reach = Trials(plan).reach(0, 0)
    numbers = {told(each): number for number, each in enumerate(plan.mutants)}
    same = numbers["number: `7` becomes `8`"]
    assert same in reach.reached
    assert same not in reach.different
    assert numbers["word: `angry` becomes `tired`"] not in reach.reached
    assert numbers["line: `player gains 2 coins` left out"] in reach.different


MAP = """\
component Spot (4):
    number: 1..4 = each 1..4
define walking(spot, other_spot) = none:
    onward: 1 when spot.number + 1 is other_spot.number
effect act(player):
    if distance(walking, first(Spot), last(Spot)) is 3: player gains 1 coins

scenario "There" of shop:
    people ann
    do act(ann)
    after:
        ann.coins is 6
scenario "There again" of shop:
    people ann
    do act(ann)
    after:
        ann.goods is 0
"""


def test_maps_are_not_remembered_from_before_a_change() -> None:
    """What moves cost is found out anew when the rule about it is another one."""
    fates = fates_of(MAP)
    assert fates["number: `1` becomes `2`"] == "killed"
    assert fates["sum: `+` becomes `-`"] == "killed"
    assert (
        fates["exception: `onward: 1 when spot.number + 1 is other_spot.number` left out"]
        == "killed"
    )


COPIES = """\
component Bottle (copies) from "bottles.csv":
    copies: 1..9
change component Player:
    bottles: pile of Bottle, acts
define player.thirst = 1
card elixir:
    you.thirst: +2 when not first(Stall).sold
effect act(player): player gains player.thirst coins

scenario "One of two bottles" of shop:
    people ann
    before:
        move first(elixir) to ann.bottles
    do act(ann)
    after:
        ann.coins is 8
"""


def test_a_text_of_several_copies_changes_for_all_of_them() -> None:
    """What one copy of a card says is what all of them say, and it is written once."""
    fates = fates_of(COPIES, bottles="id,copies\nelixir,3\n")
    assert fates["exception: `you.thirst: +2 when not first(Stall).sold` left out"] == "killed"
    assert fates["exception: `+2` becomes `-2`"] == "killed"


def test_interval() -> None:
    """Wilson's interval: of 8 in 10 it is 49.0 to 94.3; of nothing everything is possible."""
    assert Score(8, 10).interval == (49.0, 94.3)
    assert Score(0, 0).interval == (0.0, 100.0)
    assert Score(10, 10).interval == (72.2, 100.0)
    assert Score(2, 3).percent == 66.6
    assert Score(0, 0).percent == 100.0


def test_results_are_data() -> None:
    """A result says whether its change was noticed."""
    assert Result(1, "killed").killed
    assert not Result(1, "alike").killed
    assert not re.search("killed", Result(1, "unreached").fate)
