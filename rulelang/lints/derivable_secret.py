"""Secrets that can be worked out of what is open."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rulelang import ir
from rulelang.checker.graph import expressions
from rulelang.checker.later import Later
from rulelang.checker.sight import Sight
from rulelang.checker.unseen import Readers
from rulelang.diagnostics import Label
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.checker.sight import Facts, Secret
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_EVER: Final = sys.maxsize
"""What is shown has been seen, before or afterwards."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    readers = Readers(subject.graph)
    later: Later | None = None
    for doing in subject.graph.doings:
        lines = subject.graph.statements[doing.index]
        if doing.kind == "setup" or not any(subject.counts(line.span) for line in lines):
            continue
        if not readers.has(doing):
            continue
        told = list(_told(subject, doing))
        if told and later is None:
            later = Later(subject.graph)
        for stmt, name, secret in told:
            if later is not None and later.asked(doing, stmt):
                yield _reported(subject, stmt, name, secret)


@define(eq=False)
class _Lines:
    """What the lines of a doing write openly, and of which secrets."""

    subject: Subject
    sight: Sight
    found: list[tuple[ir.Stmt, str, Secret]] = field(factory=list)
    ended: list[tuple[int, int]] = field(factory=list)
    moved: list[tuple[int, int]] = field(factory=list)

    def visit(self, stmt: ir.Stmt, facts: Facts) -> None:
        """Look at a line."""
        for name, value in _written(self.subject, stmt):
            for secret in sorted(
                self.sight.look(value, facts).secrets, key=lambda each: each.field
            ):
                if not self._is_everybodys(secret):
                    self.found.append((stmt, name, secret))
        # What is written anew, moved or shown afterwards is no secret any more.
        at = _EVER if isinstance(stmt, ir.Show) else len(self.found)
        opened = [(at, number) for number in _opened(self.sight, stmt, facts)]
        self.ended += opened
        if isinstance(stmt, ir.Move | ir.Show):
            self.moved += opened

    def _is_everybodys(self, secret: Secret) -> bool:
        """Tell whether the only seat is its owner."""
        tables = self.subject.tables
        owner = tables.fields[secret.field].sight == "owner" and not secret.down
        return owner and self.subject.program.seats == tables.players[1] == 1

    def kept(self) -> Iterator[tuple[ir.Stmt, str, Secret]]:
        """Give what is written of secrets that stay secrets."""
        for number, (stmt, name, secret) in enumerate(self.found):
            written = stmt.fields if isinstance(stmt, ir.SetField) else ()
            ended = any(each == secret.field and at > number for at, each in self.ended)
            moved = any(each in written and at > number for at, each in self.moved)
            if not ended and not moved:
                yield stmt, name, secret


def _told(subject: Subject, doing: ir.Doing) -> Iterator[tuple[ir.Stmt, str, Secret]]:
    """Give the lines of a doing that tell a secret, the name of what they write, and the secret."""
    lines = _Lines(subject, Sight(subject.graph, None, certain=True))
    lines.sight.walk(doing.body, {}, lines.visit)
    yield from lines.kept()


def _reported(subject: Subject, stmt: ir.Stmt, name: str, secret: Secret) -> Diagnostic:
    tables = subject.tables
    read = tables.fields[secret.field]
    what = f"{tables.kinds[read.kind].name}.{read.name}"
    return finding(
        LINT.name,
        subject.place(stmt.span),
        f"`{name}` is open, and tells something of `{what}`",
        label=f"`{what}` is read here" if secret.span == stmt.span else "",
        secondary=(
            (Label(subject.place(secret.span), "which is not open"),)
            if ir.NOWHERE != secret.span != stmt.span
            else ()
        ),
        advice=f"keep `{name}` as secret as that, or open that first: move it, show it, set it anew",
    )


def _written(subject: Subject, stmt: ir.Stmt) -> Iterator[tuple[str, ir.Expr]]:
    """Give what a line writes where everybody sees it, by name, with the value."""
    fields = subject.tables.fields
    kinds = subject.tables.kinds
    match stmt:
        case ir.SetField(fields=numbers, value=value) | ir.Adjust(fields=numbers, amount=value):
            for number in numbers:
                if fields[number].sight == "open":
                    yield f"{kinds[fields[number].kind].name}.{fields[number].name}", value
        case ir.SetGlobal(index=index, value=value) | ir.AdjustGlobal(index=index, amount=value):
            made = subject.graph.ctx.globals[index]
            if made.shown and made.sight == "open" and made.card is None:
                yield made.name, value
        case ir.Call(doing=number, args=args):
            called = subject.graph.doings[number]
            for kept, value in zip(called.param_globals, args, strict=False):
                made = subject.graph.ctx.globals[kept]
                if made.shown and made.sight == "open":
                    yield made.name, value
        case _:
            pass


def _opened(sight: Sight, stmt: ir.Stmt, facts: Facts) -> Iterator[int]:
    """Give the hidden fields and piles that a line opens, empties or sets anew."""
    match stmt:
        case ir.SetField(fields=fields):
            yield from fields
        case ir.Move(what=value) | ir.Show(things=value):
            for part in expressions(value):
                if isinstance(part, ir.FieldGet):
                    yield from part.fields
            yield from (secret.field for secret in sight.look(value, facts).secrets)
        case ir.Call(args=args):
            for arg in args:
                if isinstance(arg, ir.Local):
                    yield from (secret.field for secret in sight.look(arg, facts).secrets)
        case _:
            pass


LINT: Final = Lint("derivable-secret", _find)
