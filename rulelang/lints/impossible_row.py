"""Rows of tables that no call looks up: impossible for the dice that are thrown, or said before in the same row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rulelang import ir, nodes
from rulelang.diagnostics import Label
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject


class _Interval(NamedTuple):
    """The numbers that are looked up with one call, or that a key stands for."""

    low: int
    high: int

    def __str__(self) -> str:
        """Write it as a key is written."""
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    tables = {
        item.name.text: item
        for item, _ in subject.tables.items
        if isinstance(item, nodes.TableDecl)
    }
    if not tables:
        return
    asked = _asked(subject, tables)
    for item, _ in subject.tables.items:
        if isinstance(item, nodes.TableDecl | nodes.ChangeTableDecl):
            for row in item.rows:
                yield from _repeated(row)
                for at, intervals in enumerate(asked.get(item.name.text, ())):
                    if intervals:
                        yield from _impossible(tables[item.name.text], row, at, intervals)


def _impossible(
    table: nodes.TableDecl, row: nodes.Row, at: int, asked: set[_Interval]
) -> Iterator[Diagnostic]:
    for key in row.keys:
        part = key.parts[at] if at < len(key.parts) else None
        span = _interval(part)
        if span is None or any(span.low <= each.high and each.low <= span.high for each in asked):
            continue
        shown = " and ".join(map(str, sorted(asked)))
        yield finding(
            LINT.name,
            key,
            f"nothing looks up this row of `{table.name.text}`",
            label=f"only {shown} can be asked for",
            secondary=(Label(table.params[at].span, "by this parameter"),),
            advice=f"take it out, and write `{table.params[at].name.text}: {_hull(asked)}`",
        )


def _repeated(row: nodes.Row) -> Iterator[Diagnostic]:
    """Report keys of a row that are in others of it."""
    earlier: list[tuple[_Interval | None, ...]] = []
    for key in row.keys:
        here = tuple(map(_interval, key.parts))
        if here and None not in here and any(_inside(here, other) for other in earlier):
            yield finding(LINT.name, key, "this row has this key already", label="take it out")
        earlier.append(here)


def _inside(one: tuple[_Interval | None, ...], two: tuple[_Interval | None, ...]) -> bool:
    return len(one) == len(two) and all(
        a is not None and b is not None and b.low <= a.low and a.high <= b.high
        for a, b in zip(one, two, strict=True)
    )


def _interval(part: nodes.Node | None) -> _Interval | None:
    match part:
        case nodes.Number(value=value):
            return _Interval(value, value)
        case nodes.RangeExpr(low=nodes.Number(value=low), high=nodes.Number(value=high)):
            return _Interval(low, high)
        case _:
            return None


def _hull(asked: Iterable[_Interval]) -> _Interval:
    return _Interval(min(each.low for each in asked), max(each.high for each in asked))


# ---------------------------------------------------------------- what calls ask for


def _asked(
    subject: Subject, tables: dict[str, nodes.TableDecl]
) -> dict[str, list[set[_Interval] | None]]:
    """Give for each table, by parameter, the numbers that calls ask for; None where that can be any.

    A table that is asked for written numbers alone is left out: that it has more rows is no slip.
    """
    graph = subject.graph
    values = {each.index: each.name for each in graph.definitions if each.name in tables}
    doings = {each.index: each.name for each in graph.doings if each.name in tables}
    found: dict[str, list[set[_Interval] | None]] = {}
    computed: set[str] = set()

    def note(name: str, args: tuple[ir.Expr, ...]) -> None:
        known = found.setdefault(name, [set() for _ in args])
        for at, arg in enumerate(args):
            low, high = arg.type.lo, arg.type.hi
            numbers = known[at]
            if numbers is None or arg.type.shape != "number" or low is None or high is None:
                known[at] = None
            else:
                numbers.add(_Interval(low, high))
                if low != high:
                    computed.add(name)

    for holder in _holders(subject):
        if isinstance(holder, ir.Call) and holder.doing in doings:
            note(doings[holder.doing], holder.args)
        for each in subject.graph.within(holder):
            match each:
                case ir.CallDef(definition=number, args=args) if number in values:
                    note(values[number], args)
                case _:
                    pass
    for doing in graph.doings:
        if doing.name in tables and any(hook.writes for hook in doing.before):
            found.pop(doing.name, None)  # a rule may ask for something else
    return {name: intervals for name, intervals in found.items() if name in computed}


def _holders(subject: Subject) -> Iterator[ir.Stmt | ir.Hook | ir.Expr]:
    """Give everything that holds expressions."""
    graph, program = subject.graph, subject.program
    for doing in graph.doings:
        yield from graph.statements[doing.index]
        for hook in (*doing.before, *doing.instead, *doing.after):
            yield hook
            if hook.ask is not None:
                yield hook.ask
    for definition in graph.definitions:
        yield definition.body
        for need in definition.needs:
            yield need.cond
    for rule in graph.state_rules:
        yield rule.cond
        yield from (value for _, value in (*rule.lets, *rule.vars))
    for promise in program.always:
        yield promise.cond


LINT: Final = Lint("impossible-row", _find, everywhere=True)
