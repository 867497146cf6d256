"""Which doing can run which: what all checks of a whole ruleset need."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import define, field, fields

from rulelang import ir
from rulelang.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from rulelang.lowering.context import Context


@define(eq=False)
class Graph:
    """A lowered ruleset with its calls.

    ``statements``: of each doing, those inside others included.
    ``calls``: for each doing, those that it runs directly: by a call or because they are rules that
    wait for it.
    ``callers``: the other way round. State rules may run wherever a doing settles: they are called
    by doing 0 here.
    ``settling``: the doings of state rules; ``around``: what runs the doings after which these may act.
    ``remembered``: what questions about the ruleset keep for the next one, each under a key of its own.
    """

    ctx: Context
    definitions: tuple[ir.Definition, ...]
    doings: tuple[ir.Doing, ...]
    state_rules: tuple[ir.StateRule, ...]
    statements: list[tuple[ir.Stmt, ...]] = field(init=False)
    calls: list[set[int]] = field(init=False)
    callers: list[set[int]] = field(init=False)
    settling: frozenset[int] = field(init=False)
    around: frozenset[int] = field(init=False)
    remembered: dict[Hashable, dict[Any, Any]] = field(factory=dict, init=False, repr=False)
    _within: dict[int, tuple[ir.Expr, ...]] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Find the calls."""
        self.calls = [set() for _ in self.doings]
        self.callers = [set() for _ in self.doings]
        self.statements = [tuple(statements(doing.body)) for doing in self.doings]
        for doing in self.doings:
            for stmt in self.statements[doing.index]:
                if isinstance(stmt, ir.Call):
                    self._add(doing.index, stmt.doing)
            for hook in (*doing.before, *doing.instead, *doing.after):
                self._add(doing.index, hook.doing)
        for rule in self.state_rules:
            self._add(0, rule.doing)
        self.settling = frozenset(rule.doing for rule in self.state_rules)
        self.around = frozenset().union(
            *(self.callers[each.index] for each in self.doings if each.settles)
        )

    def _add(self, caller: int, called: int) -> None:
        self.calls[caller].add(called)
        self.callers[called].add(caller)

    def place(self, span: ir.Span) -> Span:
        """Give the place in the source of an IR node."""
        file = self.ctx.tables.files[span.file]
        start = (
            file.line_start(max(1, min(span.line, file.line_count))) + span.column
            if span.line
            else 0
        )
        end = (
            file.line_start(max(1, min(span.end_line, file.line_count))) + span.end_column
            if span.line
            else 0
        )
        return Span(file, start, max(start, end))

    def expressions(self, doing: ir.Doing) -> Iterator[ir.Expr]:
        """Give all expressions in the body of a doing and in the tests of the rules that wait for it."""
        for stmt in self.statements[doing.index]:
            yield from self.within(stmt)
        for hook in (*doing.before, *doing.instead, *doing.after):
            yield from self.within(hook)
            if hook.ask is not None:
                yield from self.within(hook.ask)

    def within(self, node: ir.Stmt | ir.Hook | ir.Expr) -> tuple[ir.Expr, ...]:
        """Give all expressions directly in a node of this ruleset, as `expressions` does; remembered.

        Args:
            node: A part of the doings, definitions or state rules: these live as long as the graph, so that the
                identity of one is never that of another.
        """
        found = self._within.get(id(node))
        if found is None:
            found = self._within[id(node)] = tuple(expressions(node, self.parts))
        return found

    def parts(self, expr: ir.Expr) -> tuple[ir.Expr, ...] | None:
        """Give an expression and all in it, if that is known from another set of variants."""
        memo = self.ctx.memo
        return memo.parts(expr) if memo is not None else None

    def above(self, doing: int) -> set[int]:
        """Give all doings that can be open while this one is, itself included.

        A state rule can act while any doing is open inside of which another one settles.
        """
        found = {doing}
        waiting = [doing]
        while waiting:
            here = waiting.pop()
            callers = self.callers[here]
            if here in self.settling:
                callers = callers | self.around
            for caller in callers - found:
                found.add(caller)
                waiting.append(caller)
        return found

    def below(self, doing: int) -> set[int]:
        """Give all doings that this one can run, itself included."""
        found = {doing}
        waiting = [doing]
        while waiting:
            for called in self.calls[waiting.pop()] - found:
                found.add(called)
                waiting.append(called)
        return found


def statements(block: ir.Block) -> Iterator[ir.Stmt]:
    """Give all statements of a block, those inside others included."""
    for stmt in block:
        yield stmt
        if stmt.__class__ in _WITH_BLOCKS:
            for inner in blocks(stmt):
                yield from statements(inner)


_WITH_BLOCKS = frozenset((ir.If, ir.Each, ir.While, ir.Match, ir.Ask))


def blocks(stmt: ir.Stmt) -> tuple[ir.Block, ...]:
    """Give the blocks directly inside a statement."""
    match stmt:
        case ir.If(then=then, orelse=orelse):
            return then, orelse
        case ir.Each(body=body) | ir.While(body=body):
            return (body,)
        case ir.Match(rows=rows):
            return tuple(block for _, block in rows)
        case ir.Ask(otherwise=otherwise) if otherwise is not None:
            return (otherwise,)
        case _:
            return ()


def expressions(
    node: object, known: Callable[[ir.Expr], tuple[ir.Expr, ...] | None] | None = None
) -> Iterator[ir.Expr]:
    """Give all expressions directly in a node, those inside them included; blocks of statements are left out.

    Args:
        node: The node.
        known: Gives the same of an expression, in the same order, if that is known.
    """
    waiting = _inside(node) if not isinstance(node, ir.Expr) else [node]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.Expr):
            found = known(here) if known is not None else None
            if found is not None:
                yield from found
                continue
            yield here
        waiting += _inside(here)


def outermost(node: object) -> list[ir.Expr]:
    """Give the expressions directly inside a node, and none inside those."""
    found: list[ir.Expr] = []
    waiting = _inside(node)
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.Expr):
            found.append(here)
        else:
            waiting += _inside(here)
    return found


def _inside(node: object) -> list[object]:
    """Give the parts of a node that hold expressions, but for statements."""
    of = node.__class__
    if of is tuple:
        parts: Iterable[object] = node  # type: ignore[assignment]
    else:
        taking = _TAKING.get(of)
        parts = (_taking(of) if taking is None else taking)(node)
    found: list[object] = []
    for part in parts:
        kind = part.__class__
        if kind is tuple:
            if part:
                found += _inside(part)
        elif (known := _HOLDS.get(kind)) is True or (known is None and _holds(kind)):
            found.append(part)
    return found


def _taking(of: type) -> Callable[[object], Iterable[object]]:
    """Give what takes the parts of a node of a class that may hold expressions; remembered."""
    names = [
        part.name
        for part in (fields(of) if issubclass(of, _HOLDERS) and of is not ir.Const else ())
        if part.name not in ("span", "type", "cites") and not _PLAIN.fullmatch(str(part.type))
    ]
    if len(names) > 1:
        known: Callable[[object], Iterable[object]] = attrgetter(*names)
    else:
        known = lambda node: [getattr(node, name) for name in names]  # noqa: E731
    _TAKING[of] = known
    return known


def _holds(of: type) -> bool:
    """Tell whether a class is one of expressions or of what holds some, and no statement; remembered."""
    known = _HOLDS[of] = issubclass(of, _HOLDERS) and not issubclass(of, ir.Stmt)
    return known


_HOLDS: dict[type, bool] = {}
_TAKING: dict[type, Callable[[object], Iterable[object]]] = {}
_PLAIN = re.compile(r"(?:Literal\[[^\]]*\]|int|str|bool|None|tuple|frozenset|\.\.\.|[\[\]|, ])*")
"""Annotations of what is no node and holds none."""

_HOLDERS = (
    ir.Expr,
    ir.Stmt,
    ir.Clause,
    ir.Key,
    ir.Policy,
    ir.Prompt,
    ir.Alternative,
    ir.Instance,
    ir.Dest,
    ir.Limit,
    ir.Hook,
)


def parts(cond: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """Give the conditions that must all hold."""
    if cond is None:
        return ()
    if isinstance(cond, ir.And):
        return tuple(part for inner in cond.parts for part in parts(inner))
    return (cond,)
