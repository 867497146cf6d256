"""From the rulebook to the rules and back: which id is cited where, and which is ever reached.

An id is *cited* by every place of the rules that names it in brackets. It is *exercised* when such a
place runs: generated code carries the lines of the ruleset, so a line tracer sees which did. What is
only declared (components, fields, options) counts as exercised in every game that is played.

A ruleset may have a file `uncited.csv` (columns `id`, `reason`) with ids that need no rule: advice, a definition of a
word, a component that nothing moves. An id that ends with `*` stands for all that begin so.
"""

from __future__ import annotations

import csv
import fnmatch
import sys
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis import walk
from interpreter.emit.quote import FILE_STRIDE
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from types import FrameType
    from typing import Self

    from _typeshed import TraceFunction

_DECLARED = (ir.Kind, ir.Field, ir.Global, ir.Option, ir.Enum, ir.Scenario, ir.Check)


@attrs.frozen
class Place:
    """One place that cites.

    Attributes:
        what: What stands there, for people.
        file: Number in `Program.files`.
        lines: Lines (from 1) one of which runs when the place is reached; empty for a declaration.
        line: Where it begins.
    """

    what: str
    file: int
    lines: frozenset[int]
    line: int


def citing_places(program: ir.Program) -> dict[str, list[Place]]:
    """List the places that cite each id."""
    found: dict[str, list[Place]] = {}
    for node in walk((program,)):
        cites: tuple[str, ...] = getattr(node, "cites", ())
        if not cites or isinstance(node, ir.Scenario | ir.Check):
            continue
        span: ir.Span = getattr(node, "span", ir.NOWHERE)
        place = Place(_told(node), span.file, frozenset(_lines(node, span)), span.line)
        for cite in cites:
            found.setdefault(cite, []).append(place)
    return found


def _told(node: object) -> str:
    name = getattr(node, "name", "") or getattr(node, "label", "") or getattr(node, "path", "")
    kind = getattr(node, "kind", None)
    return f"{kind if isinstance(kind, str) else type(node).__name__.lower()} {name}".rstrip()


def _lines(node: object, span: ir.Span) -> Iterator[int]:
    """List lines that run if and only if a node is reached."""
    if isinstance(node, _DECLARED):
        return
    yield from range(span.line, span.end_line + 1)
    inside: tuple[object, ...]
    match node:
        case ir.Doing():
            inside = node.body
        case ir.Definition():
            inside = (node.body,)
        case _:
            return
    for each in walk(inside):
        place: ir.Span = getattr(each, "span", ir.NOWHERE)
        if place.file == span.file and place.line:
            yield place.line


@attrs.define
class LineTracer:
    """Collects the lines of the ruleset that run while it is entered.

    Attributes:
        filename: The name under which the generated code was compiled.
        seen: Pairs of file number and line.
    """

    filename: str
    seen: set[tuple[int, int]] = attrs.field(factory=set)

    def __enter__(self) -> Self:
        """Begin to look."""
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop looking."""
        sys.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        if frame.f_code.co_filename != self.filename:
            return None
        self._note(frame.f_code.co_firstlineno)
        return self._line

    def _line(self, frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        self._note(frame.f_lineno)
        return self._line

    def _note(self, number: int | None) -> None:
        if number is not None:
            self.seen.add(divmod(number, FILE_STRIDE))


def reached(places: Iterable[Place], seen: set[tuple[int, int]]) -> bool:
    """Whether one of the places ran, or is only declared."""
    return any(
        not place.lines or any((place.file, line) in seen for line in place.lines)
        for place in places
    )


def excused(folder: Path) -> dict[str, str]:
    """Read the ids that need no rule, with the reason; patterns as they are written."""
    file = folder / "uncited.csv"
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            row["id"]: row.get("reason") or "" for row in csv.DictReader(lines) if row.get("id")
        }


def excuse_for(citation: str, excuses: Mapping[str, str]) -> str | None:
    """Give the reason why an id needs no rule, or None."""
    if citation in excuses:
        return excuses[citation]
    return next(
        (
            reason
            for pattern, reason in excuses.items()
            if pattern.endswith("*") and fnmatch.fnmatchcase(citation, pattern)
        ),
        None,
    )
