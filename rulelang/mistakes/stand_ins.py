"""What is read in place of a line that could not be understood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang.diagnostics import Diagnostic, Label, Severity
from rulelang.lexer import Token
from rulelang.mistakes.situation import SPELLING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.layout import LogicalLine
    from rulelang.machine import Machine
    from rulelang.source import SourceFile


def missing_block(source: SourceFile, line: LogicalLine) -> Diagnostic:
    """Report a line that ends with a colon and has nothing under it."""
    colon = line.tokens[-1]
    return Diagnostic(
        "E0102",
        Severity.ERROR,
        "nothing stands under this line",
        Label(source.span(colon.start, max(colon.end, colon.start + 1)), "a block was expected"),
        help="indent the lines that belong to it, or write `do nothing`",
    )


@attrs.frozen
class StandIn:
    """Tokens read in place of a broken line; without `keeps_block` the deeper lines are passed over."""

    tokens: list[Token]
    keeps_block: bool


_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "EFFECT": ("EFFECT NAME _COLON",),
    "PHASE": ("PHASE NAME _COLON",),
    "CARD": ("CARD NAME _COLON",),
    "MAY": ("MAY NAME LPAR NAME RPAR _COLON",),
    "TABLE": ("TABLE NAME LPAR NAME RPAR _COLON",),
    "COMPONENT": ("COMPONENT TYPE _COLON",),
    "GAME": ("GAME NAME STRING _COLON",),
    "VARIANT": ("VARIANT NAME STRING OF NAME _COLON",),
    "PRESET": ("PRESET STRING OF NAME _COLON",),
    "SCENARIO": ("SCENARIO STRING OF NAME _COLON",),
    "DEFINE": ("DEFINE NAME EQUAL ERROR_EXPR _COLON",),
    "CHANGE": ("CHANGE COMPONENT TYPE _COLON", "CHANGE TABLE NAME _COLON", "CHANGE GAME _COLON"),
    "IF": ("IF ERROR_EXPR _COLON",),
    "ELSE": ("ELSE IF ERROR_EXPR _COLON", "ELSE _COLON"),
    "WHILE": ("WHILE ERROR_EXPR _COLON",),
    "EACH": ("EACH NAME IN ERROR_EXPR _COLON",),
    "STEP": ("STEP NAME _COLON",),
    "UNTIL": ("UNTIL NAME _COLON",),
    "THEN": ("THEN _COLON",),
    "BEFORE": ("WHEN ERROR_EXPR _COLON", "BEFORE _COLON"),
    "AFTER": ("WHEN ERROR_EXPR _COLON", "AFTER _COLON"),
    "INSTEAD": ("WHEN ERROR_EXPR _COLON",),
    "WHEN": ("WHEN ERROR_EXPR _COLON",),
    "DO": ("DO NAME _COLON",),
    "STRING": ("STRING _COLON",),
    "NAME": ("NAME _COLON WHEN ERROR_EXPR _COLON",),
}


def stand_in(machine: Machine, line: LogicalLine, below: LogicalLine | None) -> StandIn | None:
    """Give what to read in place of a broken line, or None if nothing can stand there.

    Args:
        machine: Stands before the line.
        line: The broken line.
        below: The first line of its block, if it has one.
    """
    start, end = line.start, line.tokens[-1].end
    if below is not None:
        for header in _headers(line, below):
            kinds = header.split()
            if machine.try_types([*kinds, "_NL", "_INDENT"]) == len(kinds) + 2:
                return StandIn([_dummy(kind, line, start, end) for kind in kinds], keeps_block=True)
    if machine.try_types(["ERROR_LINE", "_NL"]) == 2:
        return StandIn([Token("ERROR_LINE", "", start, end)], keeps_block=False)
    return None


def _headers(line: LogicalLine, below: LogicalLine) -> Iterator[str]:
    kinds = [token.type for token in line.tokens]
    for header in _HEADERS.get(kinds[0], ()):
        fixed = [
            kind
            for kind in header.split()[:2]
            if kind not in ("NAME", "TYPE", "STRING", "_COLON", "ERROR_EXPR")
        ]
        if header.startswith(("WHEN", "NAME")) or kinds[: len(fixed)] == fixed:
            yield header
    if below.tokens[0].type == "STRING":
        yield "ERROR_EXPR CHOOSES _COLON"
    yield "ERROR_LINE _COLON"
    yield "ERROR_EXPR _COLON"


def _dummy(kind: str, line: LogicalLine, start: int, end: int) -> Token:
    """Make a token of a stand-in; names come from the line, where it has one."""
    own = next(
        (
            token
            for token in line.tokens[1:]
            if token.type == kind and kind in ("NAME", "TYPE", "STRING")
        ),
        None,
    )
    if own is not None:
        return own
    text = {"NAME": "unnamed", "TYPE": "Unnamed", "STRING": '""'}.get(kind, SPELLING.get(kind, ""))
    return Token(kind, text, start, end)


_FILLERS: Final = (
    "AFTER _COLON _NL _INDENT ERROR_LINE _NL _DEDENT",
    "DO NAME _NL AFTER _COLON _NL _INDENT ERROR_LINE _NL _DEDENT",
)


def filler_before_dedent(machine: Machine, place: int) -> list[Token] | None:
    """Give what a block lacks at its end (a scenario its `after:`), or None if that is not it."""
    for filler in _FILLERS:
        kinds = filler.split()
        if machine.try_types([*kinds, "_DEDENT"]) == len(kinds) + 1:
            return [
                Token(kind, "unnamed" if kind == "NAME" else "", place, place) for kind in kinds
            ]
    return None
