"""What a game that is not over is worth to each seat, learnt from games that were played to their end.

Every ruleset compares players somewhere: who has the most of what wins, is given an award, decides a tie. These
numbers, what is defined of a player, and numbers that lie open at players are looked at in the middle of games that the
ruleset's policies play, and weighed by who won in the end (logistic regression). So nothing is known of a game but its
rules.
"""

from __future__ import annotations

from math import exp, sqrt
from operator import mul, sub
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, TypeAlias

import attrs

from interpreter.chance import Stream
from interpreter.compiling.analysis import about_a_player, walk
from interpreter.errors import EngineError
from interpreter.machine import Match
from interpreter.reference.machine import Reference
from interpreter.search.rollouts import play_on
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.compiling.compiled import Compiled
    from interpreter.layout import Slots

GAMES = 60
"""So many games are played to learn from."""

WILD = 0.1
"""At least this share of their answers is at random: positions that policies never get into have to be known too."""

LOOKS = 8
"""So often is looked at each of them."""

STEPS = 60
"""So often are the weights corrected."""

RATE = 1.0
DECAY = 0.01
STEEPEST = 30.0

SIZES = (2, 4, 8)
"""So many measures are tried."""

FOLDS = 2
"""Into so many parts games are divided to find out how many measures foretell those that were not learnt from."""

TOLERANCE = 1.01
"""More measures are taken if they foretell not worse than this."""

LARGEST = 32
"""What was learnt of so many games is kept."""

Row = tuple[float, ...]
_Game: TypeAlias = "tuple[list[Row], list[float]]"
_Look: TypeAlias = "Callable[[Slots, int], float]"


@attrs.frozen
class Measure:
    """A number that players are compared by.

    Attributes:
        var: The name of the player in it.
        body: The number.
    """

    var: str
    body: ir.Expr


def measures(program: ir.Program) -> tuple[Measure, ...]:
    """Find the numbers that players are compared by, those that are defined of them, and those open at them."""
    found: dict[str, Measure] = {}
    for node in walk((program.doings, program.definitions)):
        if not isinstance(node, (ir.Best, ir.Sorted)):
            continue
        of = node.source.type.elem
        if of is None or of.kinds != (0,):
            continue
        for key in node.keys:
            free = {each.name for each in walk(key.body) if isinstance(each, ir.Local)}
            if key.body.type.shape == "number" and free <= {key.var}:
                found.setdefault(_shape(key.body), Measure(key.var, key.body))
    player = ir.Local("$player", type=ir.Type("thing", kinds=(0,)))
    for definition in program.definitions:
        if about_a_player(definition) and definition.result.shape == "number":
            body: ir.Expr = ir.CallDef(definition.index, (player,), type=definition.result)
            found.setdefault(_shape(body), Measure(player.name, body))
    for field in program.fields:
        plain = field.mutable and field.keys == 1 and field.type.shape == "number"
        if field.kind == 0 and plain and field.sight == "open" and field.lent_by is None:
            body = ir.FieldGet(player, (field.index,), type=field.type)
            found.setdefault(_shape(body), Measure(player.name, body))
    return tuple(found.values())


def _shape(body: ir.Expr) -> str:
    """What tells two measures apart: what is read, whatever the player is called."""
    match body:
        case ir.CallDef(definition=number, args=(ir.Local(),)):
            return f"definition {number}"
        case ir.FieldGet(obj=ir.Local(), fields=fields, key=None):
            return f"field {fields}"
        case _:
            return repr(body)


class Eye:
    """Measures the players of a game.

    Args:
        program: What is played.
        measured: What is measured; None: all that can be.

    Attributes:
        measures: What is measured.
    """

    def __init__(self, program: ir.Program, measured: Sequence[Measure] | None = None) -> None:
        self.measures = measures(program) if measured is None else tuple(measured)
        self._players = program.kinds[0]
        self._known: tuple[Compiled, tuple[_Look, ...]] | None = None

    def rows(self, match: Match) -> list[Row]:
        """For each seat a one, what it has of each measure, and how much more than the best of the others.

        Args:
            match: Waits for an answer, or is over; it is not changed.
        """
        looks = self._looks(match)
        slots = match.peek()
        players = range(self._players.base, self._players.base + self._players.count)
        values = [[look(slots, player) for look in looks] for player in players]
        rows: list[Row] = []
        for seat, own in enumerate(values):
            others = [each for number, each in enumerate(values) if number != seat]
            best = [max(column) for column in zip(*others, strict=True)] or [0.0] * len(own)
            rows.append((1.0, *own, *map(sub, own, best)))
        return rows

    def _looks(self, match: Match) -> tuple[_Look, ...]:
        if self._known is None or self._known[0] is not match.code:
            reference = Reference(match.program, match.options)
            looks = tuple(_look(each, match.code, reference) for each in self.measures)
            self._known = match.code, looks
        return self._known[1]


def _look(measure: Measure, code: Compiled, reference: Reference) -> _Look:
    """How a measure is taken: by generated code, if that has a function for it."""
    body = measure.body
    if isinstance(body, ir.CallDef) and f"f{body.definition}" in code.namespace:
        function = code.namespace[f"f{body.definition}"]
        return lambda slots, player: _number(lambda: function(slots, player))
    if isinstance(body, ir.FieldGet) and len(body.fields) == 1 and body.key is None:
        field = body.fields[0]
        return lambda slots, player: _number(lambda: code.layout.read(slots, field, player))

    def look(slots: Slots, player: int) -> float:
        reference.slots = slots
        return _number(lambda: reference.value(body, {measure.var: player}))

    return look


def _number(take: Callable[[], object]) -> float:
    try:
        value = take()
    except Exception:  # noqa: BLE001 - a number may not be there for everybody at every moment
        return 0.0
    return float(value) if isinstance(value, int) else 0.0


@attrs.frozen(eq=False)
class Judge:
    """Says how likely each seat is to win.

    Attributes:
        eye: What is looked at.
        weights: Of what the eye gives.
    """

    eye: Eye
    weights: Row

    def __call__(self, world: Match) -> list[float]:
        """The chances of all seats, each from 0 to 1."""
        return [_chance(self.weights, row) for row in self.eye.rows(world)]


def learnt(match: Match, random: float, games: int = GAMES) -> Judge:
    """Learn from games with the program, options and people of a match; of its state nothing is read.

    What was learnt is kept.

    Args:
        match: Which game.
        random: The share of answers at random in these games.
        games: How many.
    """
    key = (match.program.digest, match.options, match.people, random, games)
    if key not in _known:
        if len(_known) >= LARGEST:
            _known.clear()
        _known[key] = _learnt(match, random, games)
    return _known[key]


_known: dict[tuple[object, ...], Judge] = {}


def _learnt(match: Match, random: float, games: int) -> Judge:
    eye = Eye(match.program)
    played: list[_Game] = []
    for number in range(games):
        rows: list[Row] = []
        won: list[float] = []
        for seen, winners in looks(match, max(random, WILD), f"judge/{number}"):
            for seat, row in enumerate(eye.rows(seen)):
                rows.append(row)
                won.append(float(seat in winners))
        played.append((rows, won))
    return _simplest(match.program, eye, played)


def _simplest(program: ir.Program, eye: Eye, games: Sequence[_Game]) -> Judge:
    """A judge of few measures: as many as foretell games well that it has not learnt from."""
    count = len(eye.measures)
    rows, won = _joined(games)
    weights = _fitted(rows, won)
    if not rows or not count:
        return Judge(eye, weights)
    spreads = [pstdev(column) for column in zip(*rows, strict=True)]
    moved = [abs(weight) * spread for weight, spread in zip(weights, spreads, strict=True)]
    order = sorted(range(count), key=lambda each: -moved[1 + each] - moved[1 + count + each])
    tried = [order[:size] for size in sorted({min(size, count) for size in SIZES})]
    losses = [_loss(games, kept, count) for kept in tried]
    most = max(n for n, loss in enumerate(losses) if loss <= TOLERANCE * min(losses))
    kept = sorted(tried[most])
    weights = _fitted([_part(row, kept, count) for row in rows], won)
    return Judge(Eye(program, [eye.measures[each] for each in kept]), weights)


def _loss(games: Sequence[_Game], kept: Sequence[int], count: int) -> float:
    """The mean square error of a judge of some measures in games that it has not learnt from."""
    errors: list[float] = []
    for fold in range(FOLDS):
        rows, won = _joined([each for n, each in enumerate(games) if n % FOLDS != fold])
        weights = _fitted([_part(row, kept, count) for row in rows], won)
        if not weights:
            return 1.0
        for unknown, ends in games[fold::FOLDS]:
            for row, end in zip(unknown, ends, strict=True):
                errors.append((_chance(weights, _part(row, kept, count)) - end) ** 2)
    return fmean(errors)


def _part(row: Row, kept: Sequence[int], count: int) -> Row:
    """What a row says of some measures."""
    own = [row[1 + each] for each in kept]
    return (1.0, *own, *[row[1 + count + each] for each in kept])


def _joined(games: Sequence[_Game]) -> tuple[list[Row], list[float]]:
    rows = [row for each, _ in games for row in each]
    return rows, [end for _, each in games for end in each]


def looks(match: Match, random: float, seed: str) -> Iterator[tuple[Match, Sequence[int]]]:
    """Play a game with the program, options and people of a match; give copies from on the way with those who won.

    Args:
        match: Which game.
        random: The share of answers at random.
        seed: Of the game.
    """
    below = Stream(seed, "judge")
    game = Match(match.program, people=match.people, seed=seed, options=match.options)
    states: list[Match] = []
    try:
        while game.next() is not None:
            states.append(game.clone())
            play_on(game, below, random, depth=1 + below(2 * (len(states) + 4)))
    except EngineError:
        return
    while len(states) > LOOKS:
        states.pop(below(len(states)))
    for state in states:
        yield state, game.winners or ()


def _fitted(rows: Sequence[Row], won: Sequence[float]) -> Row:
    """Weights under which what was won is likely: steps along the gradient, on columns of one spread."""
    if not rows:
        return ()
    columns = list(zip(*rows, strict=True))[1:]
    means = [sum(each) / len(rows) for each in columns]
    spreads = [
        sqrt(sum((value - mean) ** 2 for value in each) / len(rows)) or 1.0
        for each, mean in zip(columns, means, strict=True)
    ]
    even = [
        (
            1.0,
            *((x - mean) / spread for x, mean, spread in zip(row[1:], means, spreads, strict=True)),
        )
        for row in rows
    ]
    weights = [0.0] * (len(columns) + 1)
    for _ in range(STEPS):
        slope = [0.0, *(DECAY * each for each in weights[1:])]
        for row, target in zip(even, won, strict=True):
            error = (_chance(weights, row) - target) / len(rows)
            for place, value in enumerate(row):
                slope[place] += error * value
        weights = [each - RATE * step for each, step in zip(weights, slope, strict=True)]
    slopes = [weight / spread for weight, spread in zip(weights[1:], spreads, strict=True)]
    level = weights[0] - sum(map(mul, slopes, means))
    return (level, *slopes)


def _chance(weights: Sequence[float], row: Sequence[float]) -> float:
    total = sum(map(mul, weights, row))
    return 1 / (1 + exp(-max(-STEEPEST, min(STEEPEST, total))))
