"""A game that went wrong made small: one doing from a position in which little differs from an empty table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import attrs

from interpreter.errors import EngineError, RuleFault
from interpreter.examples import recording
from interpreter.examples.recording import MANY, Difference, Line, Writer, wrapped
from interpreter.faultcodes import BROKEN_PROMISE, BUDGET_SPENT, LEAK
from interpreter.fuzzing.script import Follower, Scribe
from interpreter.fuzzing.tracing import CALLED, Frame, Trace, Tracer
from interpreter.layout import BOX
from interpreter.reference.limits import EnoughError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interpreter.examples.recording import Spelling
    from interpreter.fuzzing.findings import Plan
    from interpreter.fuzzing.script import Entry
    from interpreter.layout import Layout, Slots
    from rulelang import ir

ATTEMPTS = 600
"""So many smaller games are played for one finding,"""
CALLS = 600_000
"""in which so many definitions are asked: a measure of work that is the same everywhere."""
_MORE, _LEAST, _FIRST = 2, 1_000, 50_000
"""A smaller game is given up when it asks so many times as many definitions, and so many more; the first one more."""
_SOONER = 20
"""Of the lines that a game may have between two answers a smaller game of an endless loop has a part, of firings,
which are dear, a fifth of that."""

Item = TypeVar("Item")
Atom: TypeAlias = "tuple[Difference, ...]"
"""Differences that are left out together."""


@attrs.frozen(eq=False)
class Case:
    """A doing, the position in which it is called, and what happens from outside.

    Attributes:
        doing: The doing.
        args: Its arguments.
        made: How the position differs from an empty table.
        entries: Draws and answers.
        cost: How many definitions were asked until it went wrong.
    """

    doing: ir.Doing
    args: tuple[object, ...]
    made: tuple[Difference, ...]
    entries: tuple[Entry, ...]
    cost: int


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
        self._kept = 0
        self._plan = plan
        self._signature = signature
        follower = Follower(())
        self._game = Tracer(
            program,
            plan.options,
            range(plan.people),
            Scribe(follower, [follower] * plan.people),
            leaks=signature[0] == LEAK,
        )
        if signature[0] == BUDGET_SPENT:
            # What does not stop does not stop sooner: most of the time would be spent on going round.
            self._game.most_lines //= _SOONER
            self._game.most_firings //= 5 * _SOONER
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
            entries = trace.entries[frame.entries :]
            case = Case(frame.doing, frame.args, made, entries, trace.calls - frame.calls + _FIRST)
            self._kept = self.work // 2  # for the doings further out
            found = self.smaller(case)
            if found is not None:
                yield found

    def smaller(self, case: Case) -> Case | None:
        """The case made small; None if it does not go wrong."""
        found = self.attempt(case)
        if found is not None:
            found = self.attempt(
                found
            )  # how much it takes when what is kept between games has been worked out
        return None if found is None else self._small(found)

    def _sayable(self, frame: Frame) -> bool:
        return frame.doing.index > 0 and all(not isinstance(arg, str) for arg in frame.args)

    # ------------------------------------------------------------------------------------ trying

    def attempt(self, case: Case) -> Case | None:
        """Play a case; give it with what really happened if the same goes wrong, None if not."""
        if self.left <= 0 or self.work <= self._kept:
            return None
        self.left -= 1
        game = self._game
        # What takes much longer goes another way, perhaps for ever: dice that are left out are rolled again and again.
        game.most = min(self.work - self._kept, _MORE * case.cost + _LEAST)
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
                return attrs.evolve(case, entries=tuple(scribe.entries), cost=game.calls)
        except (EngineError, EnoughError):
            pass
        finally:
            self.work -= game.calls
        return None

    def _small(self, case: Case) -> Case:
        """Leave out whole fields and kinds of components first, then one difference after the other."""
        atoms = self._atoms(case.made)

        def with_atoms(atoms: Sequence[Atom]) -> Case | None:
            return self.attempt(attrs.evolve(case, made=flat(atoms)))

        case, atoms = minimised(case, atoms, with_atoms)
        case, atoms = self._boxed(case, atoms)
        case, atoms = minimised(case, atoms, with_atoms)

        def with_entries(entries: Sequence[Entry]) -> Case | None:
            # What happens instead is the simplest; it counts if that makes the script no longer.
            found = self.attempt(attrs.evolve(case, entries=tuple(entries)))
            return found if found is not None and _size(found) <= _size(case) else None

        smaller, _ = minimised(case, case.entries, with_entries)
        if _size(smaller) < _size(case):
            case = smaller
            case, _ = minimised(case, atoms, with_atoms)
        return case

    def _atoms(self, made: Sequence[Difference]) -> list[Atom]:
        """Differences together that belong together: those of one field, those of one kind of components."""
        found: dict[object, list[Difference]] = {}
        for each in made:
            found.setdefault(self._sort(each), []).append(each)
        return [tuple(atom) for atom in found.values()]

    def _sort(self, made: Difference) -> object:
        if made.thing is not None:
            return "kind", self.layout.kind_of[made.thing]
        declared = self.layout.field_at(made.slot)
        return ("field", declared[0].index) if declared is not None else ("value", made.slot)

    def _boxed(self, case: Case, atoms: Sequence[Atom]) -> tuple[Case, list[Atom]]:
        """Put what only has to be somewhere into the box, all components of a kind but a few.

        Returns:
            The case, and its differences one by one, but for those of a kind that are in the box together.
        """
        done: list[Atom] = []
        for number, atom in enumerate(atoms):
            rest = flat(atoms[number + 1 :])
            kind = None if atom[0].thing is None else self.layout.kind_of[atom[0].thing]
            if kind is None or len(atom) < MANY:
                done += [(each,) for each in atom]
                continue
            declared = self.program.kinds[kind]
            everything = range(declared.base, declared.base + declared.count)
            boxed = {thing: in_box(self.layout, thing) for thing in everything}

            def keeping(
                kept: Sequence[Difference],
                before: tuple[Difference, ...] = flat(done),
                rest: tuple[Difference, ...] = rest,
                boxed: dict[int, Difference] = boxed,
                case: Case = case,
            ) -> Case | None:
                made = (*before, *_away(boxed, kept), *kept, *rest)
                return self.attempt(attrs.evolve(case, made=made))

            kept: list[Difference] = []
            found = keeping(kept)
            if found is None:
                kept = [each for each in atom if each.value != BOX]
                found = keeping(kept)
                if found is not None:
                    found, kept = minimised(found, kept, keeping)
            if found is None:
                done += [(each,) for each in atom]
                continue
            case = found
            done += [_away(boxed, kept), *((each,) for each in kept)]
        return case, done

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


def flat(atoms: Iterable[Atom]) -> tuple[Difference, ...]:
    """Differences that belong together, one after the other."""
    return tuple(each for atom in atoms for each in atom)


def _away(boxed: Mapping[int, Difference], kept: Sequence[Difference]) -> Atom:
    """What puts all components of a kind into the box, but for some."""
    there = {each.thing for each in kept}
    return tuple(each for thing, each in boxed.items() if thing not in there)


def minimised(
    case: Case, items: Sequence[Item], attempt: Callable[[Sequence[Item]], Case | None]
) -> tuple[Case, list[Item]]:
    """Leave out halves, quarters and so on of items.

    Returns:
        The case of as few of them as can be found, and these.
    """
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
    return case, kept


def _size(case: Case) -> int:
    return len(lines_of(case.entries))
