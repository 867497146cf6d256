"""A rule fault as people read it: what happened, in which rule, and which rules led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulelang.ir import Exceptional

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.errors import RuleFault, StackEntry
    from interpreter.ui.paint import Paint
    from rulelang.ir import Program, Span


class GameStoppedError(click.ClickException):
    """A rule fault or a limit has stopped a game; the message is for the person at the terminal."""

    exit_code = 3


def fault_text(fault: RuleFault, program: Program, paint: Paint) -> str:
    """Write a fault with its place and the rules that were running, outermost first."""
    lines = [
        f"{paint(f'fault[{fault.code}]', 'red', 'bold')}: {paint(fault.message, 'bold')}",
        *_place(fault.span, program, paint),
        *_rivals(fault, program, paint),
        *stack_lines(fault.stack, program, paint),
    ]
    return "\n".join(lines)


def stack_lines(stack: tuple[StackEntry, ...], program: Program, paint: Paint) -> Iterator[str]:
    """Write the rules that were running, outermost first, each with the line it was at."""
    if stack:
        yield "while these rules were running:"
    for entry in stack:
        cites = f"  [{', '.join(entry.cites)}]" if entry.cites else ""
        yield f"  {entry.name}, {_where(entry.span, program)}{paint(cites, 'dim')}"
        source = _line(entry.span, program).strip()
        if source:
            yield f"      {source}"


def _rivals(fault: RuleFault, program: Program, paint: Paint) -> Iterator[str]:
    """Show the exceptions between which a definition could not decide, and the line that settles it."""
    found = [
        clause
        for definition in program.definitions
        if definition.span == fault.span and isinstance(definition.body, Exceptional)
        for clause in definition.body.clauses
        if clause.sign == "=" and clause.label in fault.rivals
    ]
    for clause in found:
        cites = f"  [{', '.join(clause.cites)}]" if clause.cites else ""
        yield f"  `{clause.label}` says this{paint(cites, 'dim')}"
        yield from _place(clause.span, program, paint)
    if len(found) > 1:
        yield f"  help: write `after {found[0].label}` at the end of the other one if that wins"


def _where(span: Span, program: Program) -> str:
    if not span.line or span.file >= len(program.files):
        return "somewhere"
    return f"{program.files[span.file]}:{span.line}"


def _line(span: Span, program: Program) -> str:
    if not span.line or span.file >= len(program.sources):
        return ""
    lines = program.sources[span.file].splitlines()
    return lines[span.line - 1] if span.line <= len(lines) else ""


def _place(span: Span, program: Program, paint: Paint) -> Iterator[str]:
    source = _line(span, program)
    if not source:
        return
    gutter = str(span.line)
    yield paint(f"{' ' * len(gutter)}--> {_where(span, program)}:{span.column + 1}", "cyan")
    yield f"{gutter} | {source}"
    end = span.end_column if span.end_line == span.line else len(source)
    marks = "^" * max(1, end - span.column)
    yield f"{' ' * len(gutter)} | {' ' * span.column}{paint(marks, 'red')}"
