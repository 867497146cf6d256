"""Pieces of a recorded game: what a doing was called with, in which state, what was said in it, what came out.

A recorded game is played again on the reference interpreter. Each phase, step, effect, action and table row that holds
the answers which are asked for is a *window*, the innermost first: a scenario can play it alone.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import attrs

from interpreter.chance import Draws, below, picked, picked_one, shuffled
from interpreter.decision import plain
from interpreter.errors import ReplayError
from interpreter.reference import Reference
from interpreter.reference.statements import Leaving, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.decision import Decision
    from interpreter.layout import Slots
    from interpreter.records.replay import Replay
    from interpreter.sight.observation import Observation
    from rulelang import ir

CALLED: Final = ("phase", "step", "effect", "action", "row")
"""Kinds of doings that a scenario can play."""


@attrs.frozen
class Said:
    """One thing that chance or a person said.

    Attributes:
        form: A roll; a draw of one or several; the number of an item in a policy's draw; the order after a shuffle; an
            answer.
        path: Of the draw or decision.
        value: What came.
        source: What was drawn from or shuffled; empty for the others.
        decision: The decision that was answered.
    """

    form: Literal["roll", "pick", "number", "shuffle", "answer"]
    path: str
    value: object
    source: tuple[object, ...] = ()
    decision: Decision | None = None


@attrs.frozen
class Window:
    """A doing that holds the answers asked for.

    Attributes:
        doing: Its number.
        args: What it was called with.
        around: The doings that were running around it, outermost first.
        before: The state when it was called.
        after: The state when it was over, or when the game ended in it.
        said: What was said in it, in order.
    """

    doing: int
    args: tuple[object, ...]
    around: tuple[int, ...]
    before: Slots
    after: Slots
    said: tuple[Said, ...]


def find_window(
    replay: Replay, program: ir.Program, first: int, last: int, fits: Callable[[Window], bool]
) -> bool:
    """Play a recorded game until a doing is over that holds some of its answers and fits.

    Args:
        replay: The game.
        program: Its ruleset with its variants, for its number of seats.
        first: Number of the first answer, from 1.
        last: Number of the last one.
        fits: Is asked about each doing that holds them, the innermost first.

    Returns:
        Whether one fits.

    Raises:
        ReplayError: The game is not played again as it was recorded.
        RuleFault: A rule asks for something impossible.
    """
    options = tuple(plain(replay.options[option.name]) for option in program.options)
    people = tuple(replay.people)
    game = _Watched(program, options, replay.seed, people, first, last, fits)
    game.providers.update(dict.fromkeys(range(program.seats), _Answers(game, replay)))
    with contextlib.suppress(_EnoughError):
        game.play()
    return game.fitting


class _EnoughError(Exception):
    """Nothing more can be found."""


class _Watched(Reference):
    """A game whose doings, draws and answers are noted."""

    def __init__(
        self,
        program: ir.Program,
        options: tuple[object, ...],
        seed: int | str,
        people: Sequence[int],
        first: int,
        last: int,
        fits: Callable[[Window], bool],
    ) -> None:
        super().__init__(program, options, seed, people)
        self.said: list[Said] = []
        self.answered = 0
        self.fitting = False
        self._fits = fits
        self._first = first
        self._last = last
        self._held = 0  # open doings that were called before the first answer
        self.chance = _Chance(self)

    def doing(self, index: int, args: tuple[object, ...]) -> object:
        """Run a doing; if it was called before the first answer and ends after the last, keep it."""
        if self.answered >= self._first or self.program.doings[index].kind not in CALLED:
            return super().doing(index, args)
        before = list(self.slots)
        around = tuple(each.doing.index for each in self.stack if each.ran)
        heard = len(self.said)
        self._held += 1
        try:
            result = super().doing(index, args)
        except Leaving:
            self._held -= 1  # it ends one outside of it, which a scenario would not have
            raise
        except Stop:
            self._keep(index, args, around, before, heard)
            raise
        self._keep(index, args, around, before, heard)
        return result

    def _keep(
        self,
        index: int,
        args: tuple[object, ...],
        around: tuple[int, ...],
        before: Slots,
        heard: int,
    ) -> None:
        self._held -= 1
        if self.answered >= self._last:
            said = tuple(self.said[heard:])
            window = Window(index, args, around, before, list(self.slots), said)
            self.fitting = self._fits(window)
        if self.fitting or (self.answered >= self._first and not self._held):
            raise _EnoughError

    def _draws(self, path: str) -> Draws:
        return _PolicyDraws(self, path)


class _Chance:
    """Draws as the game itself would, and notes them."""

    def __init__(self, game: _Watched) -> None:
        self._game = game

    def _slot(self, path: str) -> int:
        return self._game.layout.streams[path]

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See `interpreter.chance.ChanceProvider`."""
        del by
        face = low + below(self._game.slots, self._slot(path), high - low + 1)
        self._game.said.append(Said("roll", path, face))
        return face

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See `interpreter.chance.ChanceProvider`."""
        slots, slot = self._game.slots, self._slot(path)
        one = count is None
        drawn = picked_one(slots, slot, source) if one else picked(slots, slot, source, count or 0)
        if len(source) > 1 and (count is None or 0 < count < len(source)):
            self._game.said.append(Said("pick", path, drawn, source))
        return drawn

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See `interpreter.chance.ChanceProvider`."""
        mixed = shuffled(self._game.slots, self._slot(path), items)
        if len(items) > 1:
            self._game.said.append(Said("shuffle", path, mixed, items))
        return mixed


class _PolicyDraws(Draws):
    """The draws of a policy, noted as a script writes them."""

    __slots__ = ("_game", "_path")

    def __init__(self, game: _Watched, path: str) -> None:
        # Most policies draw nothing, and have no stream.
        super().__init__(lambda n: below(game.slots, game.layout.streams[path], n))
        self._game = game
        self._path = path

    def __call__(self, n: int) -> int:
        drawn = self.below(n)
        if n > 1:
            self._game.said.append(Said("number", self._path, drawn, tuple(range(n))))
        return drawn

    def pick(self, items: tuple[Any, ...]) -> Any:  # noqa: ANN401 - one of them
        drawn = items[self.below(len(items)) if len(items) > 1 else 0]
        if len(items) > 1:
            self._game.said.append(Said("pick", self._path, drawn, items))
        return drawn

    def mix(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        mixed = Draws(self.below).mix(items)
        if len(items) > 1:
            self._game.said.append(Said("shuffle", self._path, mixed, items))
        return mixed


class _Answers:
    """Gives the recorded answers and notes them; after the last it stops the game."""

    def __init__(self, game: _Watched, replay: Replay) -> None:
        self._game = game
        self._answers = replay.answers

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See `interpreter.providers.protocol.DecisionProvider`."""
        del observation
        number = self._game.answered
        if number == len(self._answers):
            raise _EnoughError
        recorded = self._answers[number]
        answer = plain(recorded.answer)
        if (recorded.path, recorded.seat) != (
            decision.path,
            decision.seat,
        ) or not decision.options.contains(answer):
            raise ReplayError(
                f"the game goes another way at answer {number + 1} ({recorded.path:.60})", number
            )
        self._game.answered += 1
        self._game.said.append(
            Said("answer", decision.path, decision.options.normal(answer), (), decision)
        )
        return answer


def open_phases(window: Window, program: ir.Program) -> tuple[ir.Doing, ...]:
    """The phases that were running around a window, outermost first, each once."""
    found = dict.fromkeys(window.around)
    doings = cast("list[ir.Doing]", [program.doings[index] for index in found])
    return tuple(each for each in doings if each.kind == "phase")
