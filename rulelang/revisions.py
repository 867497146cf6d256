"""A ruleset as it was at one moment, and what is different in a later one: rule by rule, so that it can be undone."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs

from rulelang import files, nodes
from rulelang.data import DataFileError, Reader, located
from rulelang.gathering import gather
from rulelang.parser import parse
from rulelang.source import SourceFile
from rulelang.texts import Texts
from rulelang.variants.difference import dedented
from rulelang.variants.touching import declared

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from rulelang import ir

_DATA: Final = re.compile(r'"([^"\n]+\.csv)"')
_LONGEST: Final = 60

_Lines: TypeAlias = "tuple[int, int]"
"""From a line (counted from 0) to before another."""


@attrs.frozen(eq=False)
class Revision:
    """The texts of a ruleset at one moment.

    Attributes:
        rules: Its `*.rules` texts by path, sorted.
        data: The data files that they name, by path.
        places: Where all of these lie.
        variants: The names of what is merged.
        own: See `rulelang.gathering.Gathered`.
        read: Gives other files.
    """

    rules: Mapping[str, str]
    data: Mapping[str, str]
    places: tuple[Path, ...]
    variants: tuple[str, ...]
    own: frozenset[str] | None
    read: Reader

    @property
    def texts(self) -> dict[str, str]:
        """All texts by path."""
        return {**self.rules, **self.data}

    def program(self, *, seats: int, undone: Iterable[Change] = ()) -> ir.Program | None:
        """Compile it.

        Args:
            seats: How many seats there are.
            undone: Changes since another revision that are taken back.

        Returns:
            The program; None if there are errors.
        """
        texts = _without(self.texts, undone)
        data = {path: text for path, text in texts.items() if path not in self.rules}

        def read(path: str) -> bytes:
            return data[path].encode() if path in data else self.read(path)

        sources = [SourceFile(path, texts[path]) for path in self.rules if path in texts]
        program, _ = Texts(sources, read, own=self.own).compile(self.variants, seats=seats)
        return program


def taken(
    name_or_path: str | os.PathLike[str], variants: Iterable[str | os.PathLike[str]] = ()
) -> Revision:
    """Read a ruleset as it is now.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """
    gathered = gather(name_or_path, variants)
    read = gathered.read
    rules = {source.path: source.text for source in read.sources}
    data: dict[str, str] = {}
    for path, text in rules.items():
        for name in _DATA.findall(text):
            try:
                place = located(path, name)
                data[place] = read.read(place).decode()
            except (DataFileError, UnicodeDecodeError):
                continue  # who needs it will be told
    places = tuple(read.root / path for path in (*rules, *data))
    return Revision(rules, data, places, gathered.variants, gathered.own, read.read)


# ---------------------------------------------------------------- changes


@attrs.frozen(eq=False)
class Change:
    """One rule, or one row of a data file, that is different.

    Attributes:
        path: Of its file.
        line: Where it stands now, from 1; where it stood, if it is gone.
        name: What it is: "need `pays` of permission cross", "row `north`".
        cites: What it cites.
        variant: The variant that it stands in; empty for the game itself.
        old: What was there; empty if nothing was.
        new: What is there now; empty if nothing is.
        hunks: The lines that are different: those before, those now.
        before: All lines of the file before.
    """

    path: str
    line: int
    name: str
    cites: tuple[str, ...]
    variant: str
    old: str
    new: str
    hunks: tuple[tuple[_Lines, _Lines], ...]
    before: tuple[str, ...]

    @property
    def gone(self) -> tuple[str, ...]:
        """The lines of the rule that are gone."""
        return self._lines("-")

    @property
    def came(self) -> tuple[str, ...]:
        """The lines of the rule that have come."""
        return self._lines("+")

    def _lines(self, sign: str) -> tuple[str, ...]:
        compared = difflib.ndiff(self.old.splitlines(), self.new.splitlines())
        return tuple(line[2:] for line in compared if line.startswith(f"{sign} "))


def changes(old: Revision, new: Revision) -> tuple[Change, ...]:
    """Give what is different between two revisions, by path and line."""
    before, after = old.texts, new.texts
    found: list[Change] = []
    for path in sorted({*before, *after}):
        if before.get(path, "") != after.get(path, ""):
            found += _changes_in(path, before.get(path, ""), after.get(path, ""))
    return tuple(found)


def _changes_in(path: str, old: str, new: str) -> Iterator[Change]:
    was, now = _File(path, old), _File(path, new)
    matcher = difflib.SequenceMatcher(None, was.lines, now.lines, autojunk=False)
    grouped: dict[tuple[object, ...], list[tuple[_Lines, _Lines]]] = {}
    units: dict[tuple[object, ...], tuple[_Unit | None, _Unit | None]] = {}
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal" or not (was.says((i, j)) or now.says((k, m))):
            continue
        pair = _pair(was, (i, j), now, (k, m))
        key: tuple[object, ...] = tuple(unit.key if unit is not None else () for unit in pair)
        if key == ((), ()):
            key = (i, k)
        grouped.setdefault(key, []).append(((i, j), (k, m)))
        units.setdefault(key, pair)
    for key, hunks in grouped.items():
        before, after = units[key]
        unit = after or before
        (i, j), (k, m) = hunks[0]
        yield Change(
            path,
            after.first + 1 if after is not None else k + 1 if m > k else i + 1,
            unit.name if unit is not None else "a line",
            unit.cites if unit is not None else (),
            unit.variant if unit is not None else "",
            before.text if before is not None else was.text((i, j)),
            after.text if after is not None else now.text((k, m)),
            tuple(hunks),
            tuple(was.lines),
        )


def _pair(was: _File, old: _Lines, now: _File, new: _Lines) -> tuple[_Unit | None, _Unit | None]:
    """Give the innermost rule before and now that all of a difference stands in; None where there is none."""
    before = was.around(old) if old[1] > old[0] else ()
    after = now.around(new) if new[1] > new[0] else ()
    if not before and after:
        return _inserted(after, new, was)
    if not after and before:
        left, right = _inserted(before, old, now)
        return right, left
    known = {unit.key: unit for unit in before}
    for unit in after:
        if unit.key in known:
            return known[unit.key], unit
    return (before[0] if before else None), (after[0] if after else None)


def _inserted(
    units: tuple[_Unit, ...], lines: _Lines, other: _File
) -> tuple[_Unit | None, _Unit | None]:
    """Give what is there, and the same in the other text, for lines that are in one text only."""
    inner = units[0]
    if lines[0] <= inner.first < lines[1]:
        return None, inner
    return other.named(inner.key), inner


def _without(texts: Mapping[str, str], undone: Iterable[Change]) -> dict[str, str]:
    """Take changes back."""
    found = dict(texts)
    by_path: dict[str, list[Change]] = {}
    for change in undone:
        by_path.setdefault(change.path, []).append(change)
    for path, these in by_path.items():
        lines = found.get(path, "").split("\n")
        hunks = [(hunk, change.before) for change in these for hunk in change.hunks]
        for ((i, j), (k, m)), before in sorted(hunks, key=lambda each: each[0][1], reverse=True):
            lines[k:m] = before[i:j]
        found[path] = "\n".join(lines)
    return found


# ---------------------------------------------------------------- rules of a text


@attrs.frozen(eq=False)
class _Unit:
    """A rule, or a row of data; `first` and `last` are its lines, from 0."""

    key: tuple[object, ...]
    first: int
    last: int
    name: str
    cites: tuple[str, ...]
    variant: str
    text: str


class _File:
    """One text with its rules."""

    def __init__(self, path: str, text: str) -> None:
        self._is_data = not path.endswith(files.SUFFIX)
        self.lines = text.split("\n")
        self.units = tuple(self._rows() if self._is_data else self._rules(path, text))

    def text(self, lines: _Lines) -> str:
        """Give some lines."""
        return "\n".join(self.lines[lines[0] : lines[1]])

    def says(self, lines: _Lines) -> bool:
        """Is there anything but blank lines and comments?"""
        mark = "\0" if self._is_data else "#"
        some = (line.strip() for line in self.lines[lines[0] : lines[1]])
        return any(line and not line.startswith(mark) for line in some)

    def around(self, lines: _Lines) -> tuple[_Unit, ...]:
        """Give the rules that some lines stand in, innermost first."""
        found = [
            each for each in self.units if each.first <= lines[0] and lines[1] - 1 <= each.last
        ]
        return tuple(sorted(found, key=lambda each: (each.last - each.first, -len(each.key))))

    def named(self, key: tuple[object, ...]) -> _Unit | None:
        """Give the rule with a key."""
        return next((each for each in self.units if each.key == key), None)

    def _rows(self) -> Iterator[_Unit]:
        for number, line in enumerate(self.lines[1:], 1):
            name = line.partition(",")[0].strip()
            if name:
                yield _Unit((name,), number, number, f"row `{name}`", (), "", line)

    def _rules(self, path: str, text: str) -> Iterator[_Unit]:
        for item in parse(SourceFile(path, text)).module.items:
            inner = item.items if isinstance(item, nodes.VariantDecl) else (item,)
            variant = item.name.text if isinstance(item, nodes.VariantDecl) else ""
            for each in inner:
                yield from self._within(each, (variant,), "", variant, ())

    def _within(
        self,
        node: nodes.Node,
        above: tuple[object, ...],
        owner: str,
        variant: str,
        cites: tuple[str, ...],
    ) -> Iterator[_Unit]:
        if isinstance(node, nodes.Cited) and node.citations:
            cites = tuple(dict.fromkeys(each.id for each in node.citations))
        if isinstance(node, nodes.Decl | nodes.StepStmt):
            label = _label(node)
            above = (*above, type(node).__name__, label)
            owner = f"{label} of {owner}" if owner else label
            span = node.span
            last = span.file.line_of(max(span.start, span.end - 1)) - 1
            shown = dedented(span.text, span.column - 1)
            yield _Unit(above, span.line - 1, last, owner, cites, variant, shown)
        for child in nodes.children(node):
            yield from self._within(child, above, owner, variant, cites)


def _label(node: nodes.Node) -> str:
    """Name a declaration, or a part of one."""
    target = declared(node)
    if target is not None:
        return str(target)
    name = getattr(node, "name", None)
    if isinstance(name, nodes.Ident):
        form = {nodes.StepStmt: "step ", nodes.Need: "need "}.get(type(node), "")
        return f"{form}`{name.text}`"
    return f"`{node.span.text.partition(chr(10))[0].strip()[:_LONGEST]}`"
