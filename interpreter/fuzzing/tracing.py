"""A game that went wrong, played again on the reference interpreter: in which doings, from which positions, it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.errors import EngineError, RuleFault
from interpreter.faultcodes import LEAK
from interpreter.fuzzing.script import Follower, Scribe
from interpreter.reference import Reference
from interpreter.reference.limits import EnoughError
from interpreter.sight.secrecy import Looking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.fuzzing.findings import Finding
    from interpreter.fuzzing.script import Entry
    from interpreter.layout import Slots
    from rulelang import ir

CALLED = frozenset(("phase", "effect", "step", "action", "row"))
"""What a scenario can `do`."""


@attrs.frozen(eq=False)
class Frame:
    """A doing that was open when it went wrong.

    Attributes:
        doing: Which.
        args: Its arguments.
        slots: The state in which it was called.
        entries: How many draws and answers there had been.
        phases: The phases that were open around it, outermost first.
        calls: How many definitions had been asked.
    """

    doing: ir.Doing
    args: tuple[object, ...]
    slots: Slots
    entries: int
    phases: tuple[int, ...]
    calls: int


@attrs.frozen(eq=False)
class Trace:
    """What the reference interpreter says about a game.

    Attributes:
        fault: What went wrong; None if nothing did.
        frames: The doings that were open, innermost first.
        entries: All draws and answers.
        calls: How many definitions were asked.
    """

    fault: RuleFault | None
    frames: tuple[Frame, ...]
    entries: tuple[Entry, ...]
    calls: int


class Tracer(Reference):
    """A game on the reference interpreter that keeps in which state each open doing was called.

    Attributes:
        looking: Looks at each question for what it tells, which is most of the work; None: this is not what was found.
        open: The doings that are open, outermost first.
        calls: How many definitions have been asked, which is nearly all of the work.
        most: So many may be asked; None: any number.
    """

    def __init__(
        self,
        program: ir.Program,
        options: Sequence[object],
        people: Sequence[int],
        scribe: Scribe,
        *,
        leaks: bool = False,
    ) -> None:
        providers = dict.fromkeys(people, scribe)
        super().__init__(program, options, 0, tuple(people), providers, scribe)
        self.looking = Looking() if leaks else None
        self.open: list[Frame] = []
        self.calls = 0
        self.most: int | None = None
        self._scribe = scribe

    def begin_again(self, scribe: Scribe) -> None:
        """Be a game that has not begun, in the state that `slots` was set to."""
        self.chance = self._scribe = scribe
        self.providers = dict.fromkeys(self.providers, scribe)
        self.looking = Looking() if self.looking is not None else None
        self.over = False
        self.calls = 0
        for each in (self.events, self.stack, self.open):
            each.clear()

    def call(self, index: int, args: tuple[object, ...]) -> object:
        """Count it.

        Raises:
            EnoughError: It is one too many.
        """
        self.calls += 1
        if self.most is not None and self.calls > self.most:
            raise EnoughError
        return super().call(index, args)

    def doing(self, index: int, args: tuple[object, ...]) -> object:
        """Keep the state in which it is called, as long as it is open."""
        phases = tuple(each.doing.index for each in self.stack if each.doing.kind == "phase")
        here = len(self.open)
        self.open.append(
            Frame(
                self.program.doings[index],
                args,
                list(self.slots),
                len(self._scribe.entries),
                phases,
                self.calls,
            )
        )
        try:
            return super().doing(index, args)
        except EngineError:
            here = len(self.open)  # what is open stays: it is looked at
            raise
        finally:
            del self.open[here:]


def trace(program: ir.Program, finding: Finding) -> Trace:
    """Play the game of a finding again."""
    plan = finding.plan
    scribe = _scribe(finding.entries, plan.people)
    leaks = finding.code == LEAK
    game = Tracer(program, plan.options, range(plan.people), scribe, leaks=leaks)
    fault: RuleFault | None = None
    try:
        game.play()
    except RuleFault as error:
        fault = error
    frames = tuple(each for each in reversed(game.open) if each.doing.kind in CALLED)
    return Trace(fault, frames, tuple(scribe.entries), game.calls)


def _scribe(entries: Sequence[Entry], people: int) -> Scribe:
    follower = Follower(entries)
    return Scribe(follower, [follower] * people)
