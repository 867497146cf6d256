"""Comments that silence warnings by name.

    player loses up to 2 gold            # allow: repeated-literal - the book says two
    # allow: repeated-literal, dead-rule
    player loses up to 2 gold
    # allow-file: uncited-rule

The first counts for its own line, the second for the line below it (each with the lines that continue it), the third
for its file. An error cannot be silenced. A comment that silences nothing is found, and so is a name of nothing.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.codes import BY_NAME, CODES, lookup
from rulelang.diagnostics import (
    Applicability,
    Diagnostic,
    DiagnosticBag,
    Edit,
    Fix,
    Severity,
)
from rulelang.layout import Corrections, chunks, logical_lines
from rulelang.lexer import lex
from rulelang.linting import finding
from rulelang.source import Span
from rulelang.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from rulelang import nodes
    from rulelang.codes import Code
    from rulelang.source import SourceFile

UNUSED: Final = "unused-suppression"
UNKNOWN: Final = "unknown-suppression"
UNEXERCISED: Final = "unexercised-citation"
"""What is only found by playing; so whether it is silenced for nothing is only known then."""

_COMMENT: Final = re.compile(
    r"#\s*(?P<whole>allow-file|allow):(?P<names>.*?)(?P<why>\s+[-\u2013\u2014]\s.*)?", re.DOTALL
)
_NAME: Final = re.compile(r"[^\s,]+(?:[ \t]+[^\s,]+)*")


@attrs.frozen(eq=False)
class Allowance:
    """One name in one comment.

    Attributes:
        name: As written.
        span: Where it stands.
        comment: The comment.
        lines: The first and the last line that it counts for; None for the whole file.
        only: Whether its comment has no other name.
    """

    name: str
    span: Span
    comment: nodes.Comment
    lines: tuple[int, int] | None
    only: bool

    @property
    def code(self) -> Code | None:
        """The warning that it silences; None if there is none of this name."""
        code = BY_NAME.get(self.name)
        return code if code is not None and is_silent(code) else None

    def covers(self, found: Diagnostic) -> bool:
        """Tell whether this silences a finding."""
        code = self.code
        if code is None or found.is_error or found.code != code.code:
            return False
        span = found.span
        return span.file is self.span.file and (
            self.lines is None or self.lines[0] <= span.line <= self.lines[1]
        )


def is_silent(code: Code) -> bool:
    """Tell whether findings of a code can be silenced: those that are, or may be, warnings."""
    return code.severity is Severity.WARNING or code.may_warn


@attrs.define(eq=False)
class Allowances:
    """The comments of all texts that silence warnings.

    Attributes:
        all: By text and place.
        used: Those that have silenced something.
    """

    all: tuple[Allowance, ...] = ()
    used: set[Allowance] = attrs.field(factory=set, init=False)

    @classmethod
    def of(cls, modules: Iterable[nodes.Module]) -> Allowances:
        """Read them."""
        return cls(tuple(each for module in modules for each in _in(module)))

    def kept(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Give the findings that nothing silences, and note what silences others."""
        return [each for each in found if not self._silence(each)]

    def _silence(self, found: Diagnostic) -> bool:
        silencing = [each for each in self.all if each.covers(found)] if self.all else []
        self.used.update(silencing)
        return bool(silencing)

    def unknown(self) -> list[Diagnostic]:
        """Report names of nothing that can be silenced."""
        return [_unknown(each) for each in self.all if each.code is None]

    def unused(self, own: frozenset[str] | None, *, played: bool = False) -> list[Diagnostic]:
        """Report what has silenced nothing, when all that could be found has been shown to `kept`.

        Args:
            own: Paths of the texts in which everything has been looked at; None: in all.
            played: Whether it is about what is found by playing, or about everything else.
        """
        idle = [
            each
            for each in self.all
            if each not in self.used
            and (each.name == UNEXERCISED) == played
            and each.code is not None
            and (own is None or each.span.file.path in own)
        ]
        others = self.kept(_unused(each) for each in idle if each.name != UNUSED)
        left = [each for each in idle if each.name == UNUSED and each not in self.used]
        return [*others, *map(_unused, left)]


def without(found: Iterable[Diagnostic], names: Collection[str]) -> list[Diagnostic]:
    """Give findings without the warnings of these names."""
    return [each for each in found if each.is_error or CODES[each.code].name not in names]


# ---------------------------------------------------------------- reading


def _in(module: nodes.Module) -> list[Allowance]:
    found: list[Allowance] = []
    for comment in module.comments:
        match = _COMMENT.fullmatch(comment.text)
        if match is None or comment.is_doc:
            continue
        lines = _lines(comment) if match["whole"] == "allow" else None
        at = comment.span.start + match.start("names")
        names = list(_NAME.finditer(match["names"]))
        if not names:
            span = Span(comment.span.file, comment.span.start, at)
            found.append(Allowance("", span, comment, lines, only=True))
        for name in names:
            span = Span(comment.span.file, at + name.start(), at + name.end())
            found.append(Allowance(name[0], span, comment, lines, only=len(names) == 1))
    return found


def _lines(comment: nodes.Comment) -> tuple[int, int]:
    """Give the first and last line of what a comment stands behind, or above."""
    line = comment.span.line
    for first, last in _logical(comment.span.file):
        if last > line or (last == line and not comment.own_line):
            return (first, last)
    return (line, line)


def first_line_of(source: SourceFile, line: int) -> int:
    """Give the first of the lines that belong together in the grammar with a line: above it a comment counts for it."""
    return next((first for first, last in _logical(source) if first <= line <= last), line)


@functools.lru_cache(maxsize=64)
def _logical(source: SourceFile) -> tuple[tuple[int, int], ...]:
    """Give the first and last lines of the lines as the grammar sees them."""
    unheard = DiagnosticBag()  # the parser has reported all this
    lexed = lex(source, unheard)
    corrections = Corrections()
    return tuple(
        (source.line_of(line.tokens[0].start), source.line_of(line.tokens[-1].start))
        for chunk in chunks(lexed.lines)
        for line in logical_lines(source, chunk, corrections, unheard, unheard, set())
    )


# ---------------------------------------------------------------- reporting


def _unused(allowance: Allowance) -> Diagnostic:
    where = "in this file" if allowance.lines is None else "here"
    return finding(
        UNUSED,
        allowance.span,
        f"there is no `{allowance.name}` {where} to allow",
        label="this silences nothing",
        advice="take it out",
        fix=Fix("take it out", _without(allowance), Applicability.SAFE),
    )


def _unknown(allowance: Allowance) -> Diagnostic:
    code = lookup(allowance.name)
    warnings = [entry.name for entry in CODES.values() if is_silent(entry)]
    advice: str | None
    fix = None
    if not allowance.name:
        headline, advice = "nothing is named that is allowed", "write the names of warnings here"
    elif code is not None and is_silent(code):
        headline = f"`{allowance.name}` is a code, and not a name"
        advice, fix = f"write `{code.name}`", _renamed(allowance, code.name, Applicability.SAFE)
    elif code is not None:
        headline = f"`{allowance.name}` is an error, which cannot be allowed"
        advice = "take it out"
        fix = Fix("take it out", _without(allowance), Applicability.SAFE)
    else:
        headline = f"there is no warning `{allowance.name}`"
        near = nearest(allowance.name, warnings, limit=1)
        advice = did_you_mean(allowance.name, warnings)
        fix = _renamed(allowance, near[0], Applicability.UNSAFE) if near else None
    return finding(UNKNOWN, allowance.span, headline, advice=advice, fix=fix)


def _renamed(allowance: Allowance, name: str, applicability: Applicability) -> Fix:
    return Fix(f"write `{name}`", (Edit(allowance.span, name),), applicability)


def _without(allowance: Allowance) -> tuple[Edit, ...]:
    """Take out one of several names with its comma, or the whole comment: with its line if it has one of its own."""
    span = allowance.span
    text = span.file.text
    if not allowance.only:
        after = re.compile(r"\s*,\s*").match(text, span.end)
        if after is not None and after.end() <= allowance.comment.span.end:
            return (Edit(attrs.evolve(span, end=after.end()), ""),)
        before = re.search(r"\s*,\s*\Z", text[allowance.comment.span.start : span.start])
        start = span.start - (len(before[0]) if before is not None else 0)
        return (Edit(attrs.evolve(span, start=start), ""),)
    start, end = allowance.comment.span.start, allowance.comment.span.end
    start -= len(text[:start]) - len(text[:start].rstrip(" \t"))
    if allowance.comment.own_line:
        line_end = text.find("\n", end)
        end = len(text) if line_end < 0 else line_end + 1
    return (Edit(attrs.evolve(span, start=start, end=end), ""),)
