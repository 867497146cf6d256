"""Where in the ruleset something happened: from Python tracebacks and from frames."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.compiling.built import FILE_NAME, FILE_STRIDE
from interpreter.errors import BudgetExhausted, RuleFault, StackEntry
from interpreter.faultcodes import BUDGET_SPENT, DIVISION_BY_ZERO, EMPTY_SET, MISSING_VALUE
from rulelang.ir import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from interpreter.compiling.compiled import Compiled

_NAME = re.compile(r"([dbz])(\d+)")
_AFTERWARDS = ("settle", "promises")
_MESSAGES: dict[type[BaseException], tuple[str, str]] = {
    ZeroDivisionError: ("division by 0", DIVISION_BY_ZERO),
    IndexError: ("nothing is there", EMPTY_SET),
    KeyError: ("there is no such value", MISSING_VALUE),
    TypeError: ("none where a value is needed", MISSING_VALUE),
    ValueError: ("nothing is there", EMPTY_SET),
    RecursionError: ("too many doings inside each other", BUDGET_SPENT),
}


def _places(traceback: TracebackType | None) -> Iterator[tuple[str, Span]]:
    """Name and line of each generated function in a traceback, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILE_NAME:
            where = next(islice(code.co_positions(), traceback.tb_lasti // 2, None), None)
            line, end_line, column, end_column = where or (None, None, None, None)
            if line is None:
                span = NOWHERE
            else:
                file, line = divmod(line, FILE_STRIDE)
                span = Span(file, line, column or 0, (end_line or 0) % FILE_STRIDE, end_column or 0)
            yield code.co_name, span
        traceback = traceback.tb_next


RULES = (TypeError, IndexError, KeyError, ZeroDivisionError, ValueError, RecursionError)
"""What generated code raises where a rule asks for something impossible that it does not test."""


def fault_of(code: Compiled, error: BaseException) -> RuleFault:
    """A rule fault with its place and the rule stack."""
    entries: list[StackEntry] = []
    span = NOWHERE
    program = code.program
    last = -1
    for raised_in, where in _places(error.__traceback__):
        span = where
        found = _NAME.fullmatch(raised_in)
        resumed = found is not None and found[1] == "z"
        name = code.built.names[int(found[2])] if found is not None and resumed else raised_in
        if name in _AFTERWARDS:
            del entries[-1:]  # the doing that has just ended is no longer open
            last = -1
            continue
        if found is None:
            if entries:
                entries[-1] = StackEntry(entries[-1].name, where, entries[-1].cites)
            continue
        number = int(found[2])
        index = code.built.frames[number][0] if found[1] == "z" else number
        doing = program.doings[index]
        entry = StackEntry(doing.name, where, _cites(code, index, where) or doing.cites)
        if index == last and entries and _body_of(name):
            entries[-1] = entry
        else:
            entries.append(entry)
        last = index
    if isinstance(error, RuleFault):
        kind = BudgetExhausted if isinstance(error, BudgetExhausted) else RuleFault
        return kind(error.message, span, tuple(entries), error.code, error.rivals)
    message, why = next(
        (known for of, known in _MESSAGES.items() if isinstance(error, of)),
        (str(error), MISSING_VALUE),
    )
    return RuleFault(message, span, tuple(entries), why)


def _body_of(name: str) -> bool:
    """Is this the body of the doing whose function stands above it?"""
    return name[0] == "b"


def _cites(code: Compiled, doing: int, span: Span) -> tuple[str, ...]:
    """What the line at a place cites."""
    from interpreter.layout import statements  # noqa: PLC0415 - faults are rare

    found: tuple[str, ...] = ()
    for line in statements(code.program.doings[doing].body):
        if line.span.line == span.line and line.span.file == span.file:
            found = line.cites or found
    return found


def suspended_stack(code: Compiled, frames: tuple[Any, ...]) -> tuple[StackEntry, ...]:
    """The doings that are open in a suspended game, outermost first."""
    entries: list[StackEntry] = []
    last = -1
    for frame in reversed(frames):
        index, points = code.built.frames[frame[0]]
        point = points[frame[1] - 1]
        if index < 0:
            del entries[-1:]  # state rules are settled after the doing that has just ended
            last = -1
            continue
        doing = code.program.doings[index]
        entry = StackEntry(doing.name, point.span, point.cites or doing.cites)
        if index == last and code.built.names[frame[0]].startswith("b"):
            entries[-1] = entry
        else:
            entries.append(entry)
        last = index
    return tuple(entries)
