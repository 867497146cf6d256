"""A batch of games, played wherever there is somebody to do it.

A worker is told the hashes of Programs; it asks for those that it does not have, once, and keeps them with their
generated code.
"""

from __future__ import annotations

import gc
import pickle
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.statistics.figures import figures
from interpreter.statistics.measuring import Measurer
from interpreter.statistics.summaries import Paired, Result, Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interpreter.statistics.counting import Named
    from interpreter.statistics.plan import Plan
    from rulelang import ir

_MOST_PROGRAMS: Final = 128
_programs: dict[str, ir.Program] = {}
_measurers: dict[tuple[str, int], Measurer] = {}

Row = tuple[object, ...]
"""Figures of one game: version, number, seed, ending, winners, and the figures by name as pairs."""


@attrs.frozen
class Done:
    """What a batch gives.

    Attributes:
        batch: Its number.
        missing: Hashes of Programs that the worker does not have; then there is nothing else.
        result: The sums.
        rows: Single games, if the plan wants them.
    """

    batch: int
    missing: tuple[str, ...] = ()
    result: Result | None = None
    rows: tuple[Row, ...] = ()


def play_batch(
    plan: Plan,
    batch: int,
    programs: Mapping[str, bytes],
    prepare: Callable[[], None] | None = None,
) -> Done:
    """Play a batch of a plan.

    Args:
        plan: The plan.
        batch: Which one.
        programs: Packed Programs by hash, of those that the worker may be lacking.
        prepare: Called first: what the process needs in order to find generated code.
    """
    if prepare is not None:
        prepare()
    for key, body in programs.items():
        if key not in _programs:
            if len(_programs) >= _MOST_PROGRAMS:
                _programs.clear()
                _measurers.clear()
            _programs[key] = _unpacked(body)
    missing = {each.program for each in plan.versions} - _programs.keys()
    if missing:
        return Done(batch, tuple(sorted(missing)))
    return _played(plan, batch)


def prime(key: str, program: ir.Program) -> None:
    """Tell this process a Program that it has anyhow."""
    _programs[key] = program


def measurer(plan: Plan, version: int) -> Measurer:
    """The measurer of a version whose Program is here; it is made once.

    Raises:
        LookupError: Its score does not exist.
    """
    key = plan.digest(), version
    found = _measurers.get(key)
    if found is None:
        if len(_measurers) >= _MOST_PROGRAMS:
            _measurers.clear()
        chosen = plan.versions[version]
        found = _measurers[key] = Measurer(plan, chosen, _programs[chosen.program])
    return found


def _unpacked(body: bytes) -> ir.Program:
    """Make a Program; no garbage is looked for among its many small parts."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        program: ir.Program = pickle.loads(body)  # noqa: S301 - from who started this process, on the same channel
    finally:
        if collecting:
            gc.enable()
    return program


def _played(plan: Plan, batch: int) -> Done:
    summaries: list[Summary] = []
    games: list[list[tuple[dict[str, float], dict[Named, int]]]] = []
    rows: list[Row] = []
    paired = {place for pair in plan.pairs for place in pair}
    for place, version in enumerate(plan.versions):
        measures = measurer(plan, place)
        seats = _programs[version.program].seats
        summary = Summary()
        own: list[tuple[dict[str, float], dict[Named, int]]] = []
        for number in plan.numbers(batch):
            record = measures.play(number)
            found = figures(record, plan.kinds, seats)
            times = summary.add(record, found)
            if place in paired:
                own.append((found, times))
            if plan.rows:
                winners = " ".join(str(seat + 1) for seat in record.winners)
                rows.append(
                    (
                        version.label,
                        number,
                        plan.seed + number,
                        record.ending,
                        winners,
                        *found.items(),
                    )
                )
        summaries.append(summary)
        games.append(own)
    pairs: list[Paired] = []
    for changed, base in plan.pairs:
        compared = Paired()
        for one, other in zip(games[changed], games[base], strict=True):
            compared.add(one, other)
        pairs.append(compared)
    return Done(batch, (), Result(summaries, pairs), tuple(rows))
