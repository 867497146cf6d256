"""Some games looked at closely: how often each row, exception, need and answer came up, and for whom.

Conditions and tables are expressions, and generated code leaves no trace of them. The reference interpreter plays the
same games from the same seeds, slowly, and marks whatever it comes by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interpreter.errors import EngineError
from interpreter.examples.reached import marked_parts
from interpreter.providers.process import ProcessProvider, Seat
from interpreter.reference import Reference
from interpreter.reference.limits import EnoughError, stop_after
from interpreter.statistics.counting import NOBODY, Named, first_player
from interpreter.statistics.summaries import Firing

if TYPE_CHECKING:
    from interpreter.statistics.plan import Plan, Version
    from rulelang import ir

_LEFT_OUT: Final = ("doings", "rules", "definitions", "options")
_LONGEST: Final = 100_000


class _Marks(set[tuple[int, object]]):
    """Counts what is put into it, for whom it is done."""

    def __init__(self, game: Reference) -> None:
        super().__init__()
        self._game = game
        self.counts: dict[tuple[int, object, int], int] = {}

    def add(self, mark: tuple[int, object], /) -> None:
        """Count it."""
        key = (*mark, self._whom())
        self.counts[key] = self.counts.get(key, 0) + 1

    def _whom(self) -> int:
        """The player of the innermost doing that has one."""
        for running in reversed(self._game.stack):
            at = first_player(running.doing)
            if at >= 0:
                thing = running.env.get(running.doing.params[at].name)
                if isinstance(thing, int):
                    return thing - self._game.program.kinds[0].base
        return NOBODY


def look_closely(
    plan: Plan, version: Version, program: ir.Program, games: int
) -> dict[Named, Firing]:
    """Play the first games of a plan again.

    Args:
        plan: The plan.
        version: Which version of it.
        program: Its Program.
        games: How many games.

    Returns:
        How often each part came up, with what became of it, for which seat.
    """
    named = _names(program)
    found: dict[Named, Firing] = {}
    for number in range(games):
        times: dict[Named, int] = {}
        for (node, became, seat), count in _played(plan, version, program, number).items():
            for part in named.get((node, became), ()):
                firing = found.setdefault(part, Firing())
                firing.seats[seat] = firing.seats.get(seat, 0) + count
                times[part] = times.get(part, 0) + count
        for part, count in times.items():
            found[part].games += 1
            found[part].squares += count * count
    return found


def _names(program: ir.Program) -> dict[tuple[int, object], list[Named]]:
    found: dict[tuple[int, object], list[Named]] = {}
    for part, node, names in marked_parts(program):
        if part.sort in _LEFT_OUT:
            continue
        where = f"{part.place.file}:{part.place.line}"
        for became, word in names.items():
            text = f"{word}: {part.text} ({where})"
            entry = found.setdefault((node, became), [])
            one = Named(part.sort, text, part.cites)
            if one not in entry:
                entry.append(one)
    return found


def _played(
    plan: Plan, version: Version, program: ir.Program, number: int
) -> dict[tuple[int, object, int], int]:
    seed = plan.seed + number
    people = range(len(plan.kinds))
    names = tuple(f"Player {seat + 1}" for seat in range(program.seats))
    providers: dict[int, Any] = {
        seat: plan.players(kind, seed, Seat(program, version.options, seat, names))
        for seat, kind in enumerate(plan.seated(number))
    }
    game = Reference(
        program,
        version.options,
        seed,
        people,
        providers,
        watch=stop_after(plan.longest or _LONGEST),
    )
    game.covering = True
    marks = _Marks(game)
    game.marks = marks
    try:
        game.play()
    except (EnoughError, EngineError):
        pass  # what came up until then counts
    finally:
        for each in providers.values():
            if isinstance(each, ProcessProvider):
                each.finish(game.winners)
    return marks.counts
