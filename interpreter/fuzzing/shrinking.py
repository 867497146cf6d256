"""A game that went wrong made small: one doing from a position in which little differs from an empty table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from interpreter import recording
from interpreter.errors import EngineError, RuleFault
from interpreter.faultcodes import BROKEN_PROMISE
from interpreter.fuzzing.script import Follower, Scribe
from interpreter.fuzzing.tracing import CALLED, Frame, Trace, Tracer
from interpreter.layout import BOX
from interpreter.recording import MANY, Difference, Line, Writer, wrapped
from interpreter.reference.limits import EnoughError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.fuzzing.findings import Plan
    from interpreter.fuzzing.script import Entry
    from interpreter.layout import Layout, Slots
    from interpreter.recording import Spelling
    from rulelang import ir

ATTEMPTS = 600
"""So many smaller games are played for one finding,"""
CALLS = 600_000
"""in which so many definitions are asked: a measure of work that is the same everywhere."""

Item = TypeVar("Item")


@attrs.frozen(eq=False)
class Case:
    """A doing, the position in which it is called, and what happens from outside.

    Attributes:
        doing: The doing.
        args: Its arguments.
        made: How the position differs from an empty table.
        entries: Draws and answers.
    """

    doing: ir.Doing
    args: tuple[object, ...]
    made: tuple[Difference, ...]
    entries: tuple[Entry, ...]


class Shrinker:
    """Makes the games of one plan smaller.

    Args:
        program: The program.
        plan: Options and people of the game.
        signature: What the fault has in common with itself in a smaller game.
    """

    def __init__(self, program: ir.Program, plan: Plan, signature: tuple[object, ...]) -> None:
        self.program = program
        self.left = ATTEMPTS
        self.work = CALLS
        self._plan = plan
        self._signature = signature
        follower = Follower(())
        self._game = Tracer(
            program, plan.options, range(plan.people), Scribe(follower, [follower] * plan.people)
        )
        self.layout = self._game.layout
        self._promise = next(
            (each.cond for each in program.always if signature == (BROKEN_PROMISE, each.span)), None
        )
        self.empty: Slots = list(self._game.slots)

    def cases(self, trace: Trace) -> Iterator[Case]:
        """The doings that went wrong and do so again when they are called alone, made small, innermost first."""
        for frame in trace.frames:
            if frame.doing.kind not in CALLED or not self._sayable(frame):
                continue
            made = tuple(recording.differences(self.layout, self.empty, frame.slots, frame.phases))
            case = Case(frame.doing, frame.args, made, trace.entries[frame.entries :])
            found = self.smaller(case)
            if found is not None:
                yield found

    def smaller(self, case: Case) -> Case | None:
        """The case made small; None if it does not go wrong."""
        found = self.attempt(case)
        return None if found is None else self._small(found)

    def _sayable(self, frame: Frame) -> bool:
        return frame.doing.index > 0 and all(not isinstance(arg, str) for arg in frame.args)

    # ------------------------------------------------------------------------------------ trying

    def attempt(self, case: Case) -> Case | None:
        """Play a case; give it with what really happened if the same goes wrong, None if not."""
        if self.left <= 0 or self.work <= 0:
            return None
        self.left -= 1
        game = self._game
        game.most = self.work
        follower = Follower(case.entries)
        scribe = Scribe(follower, [follower] * self._plan.people)
        game.slots = recording.applied(self.layout, self.empty, case.made)
        game.begin_again(scribe)
        try:
            if not game.holds(self._promise, {}):
                return None  # it was broken before
            game.perform(case.doing.index, case.args)
        except RuleFault as fault:
            if signature_of(fault) == self._signature:
                return attrs.evolve(case, entries=tuple(scribe.entries))
        except (EngineError, EnoughError):
            pass
        finally:
            self.work -= game.calls
        return None

    def _small(self, case: Case) -> Case:
        def with_made(made: Sequence[Difference]) -> Case | None:
            return self.attempt(attrs.evolve(case, made=tuple(made)))

        case = self._boxed(minimised(case, case.made, with_made))

        def with_entries(entries: Sequence[Entry]) -> Case | None:
            # What happens instead is the simplest; it counts if that makes the script no longer.
            found = self.attempt(attrs.evolve(case, entries=tuple(entries)))
            return found if found is not None and _size(found) <= _size(case) else None

        smaller = minimised(case, case.entries, with_entries)
        if _size(smaller) < _size(case):
            case = minimised(smaller, smaller.made, with_made)
        return case

    def _boxed(self, case: Case) -> Case:
        """Put what only has to be somewhere into the box, all components of a kind but a few."""
        layout = self.layout
        counts = Counter(layout.kind_of[each.thing] for each in case.made if each.thing is not None)
        for kind, count in counts.items():
            if count < MANY:
                continue
            declared = self.program.kinds[kind]
            everything = range(declared.base, declared.base + declared.count)
            boxed = {thing: in_box(layout, thing) for thing in everything}
            moved = {each.thing: each for each in case.made if each.thing in boxed}
            rest = [each for each in case.made if each.thing not in boxed]

            def keeping(
                kept: Sequence[Difference],
                rest: Sequence[Difference] = rest,
                boxed: dict[int, Difference] = boxed,
                case: Case = case,
            ) -> Case | None:
                there = {each.thing for each in kept}
                away = [each for thing, each in boxed.items() if thing not in there]
                return self.attempt(attrs.evolve(case, made=(*rest, *away, *kept)))

            found = keeping(())
            if found is None:
                here = [each for each in moved.values() if each.value != BOX]
                found = keeping(here)
                if found is not None:
                    found = minimised(found, here, keeping)
            case = found or case
        return case

    # ------------------------------------------------------------------------------------ writing

    def text(self, case: Case, title: str, spelling: Spelling) -> str:
        """The case as a scenario."""
        writer = Writer(self.program, self.layout, self._plan.people, spelling)
        before = writer.before(case.made)
        lines = [
            *writer.header(title, self.program.variants),
            *writer.settings(self._plan.options, case.made),
            *(["    before:", *before] if before else []),
            *writer.played(case.doing, case.args, lines_of(case.entries)),
            "    after:",
            "        yes                                         # nothing has gone wrong",
        ]
        return "\n".join(wrapped(lines)) + "\n"


def in_box(layout: Layout, thing: int) -> Difference:
    """A component in the box."""
    offset = layout.positions[layout.kind_of[thing]]
    return Difference((offset or 0) + thing, BOX, None, thing)


def signature_of(fault: RuleFault) -> tuple[object, ...]:
    """What a fault has in common with itself in a smaller game."""
    return (fault.code, fault.span)


def lines_of(entries: Sequence[Entry]) -> list[Line]:
    """Entries as lines of a script; what could not be otherwise is left out."""
    found: list[Line] = []
    for each in entries:
        if each.needed and each.form in ("pick", "shuffle"):
            found.append(Line("pick", each.value, each.path))
        elif each.needed:
            form: Any = each.form
            found.append(Line(form, each.value, each.path, each.seat, each.key))
    return found


def minimised(
    case: Case, items: Sequence[Item], attempt: Callable[[Sequence[Item]], Case | None]
) -> Case:
    """The case of as few of the items as can be found by leaving out halves, quarters and so on."""
    kept = list(items)
    size = len(kept)
    while size >= 1:
        start = 0
        while start < len(kept):
            fewer = [*kept[:start], *kept[start + size :]]
            found = attempt(fewer)
            if found is None:
                start += size
            else:
                kept, case = fewer, found
        size //= 2
    return case


def _size(case: Case) -> int:
    return len(lines_of(case.entries))
