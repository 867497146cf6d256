"""Doings that are ended where they are not open, that never end, and state rules that cannot come
to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.graph import blocks
from rulelang.checker.phases import running_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report `end` of what is never open there, circles of doings without a way out, restless state
    rules."""
    _misplaced_ends(graph)
    _impossible_durations(graph)
    _endless(graph)
    _restless(graph)


def _misplaced_ends(graph: Graph) -> None:
    for doing in graph.doings:
        ends = [stmt for stmt in _untested_ends(doing.body) if stmt.doing != doing.index]
        if not ends or doing.kind == "setup":
            continue
        open_here = graph.above(doing.index)
        for stmt in ends:
            if stmt.doing not in open_here and stmt.doing != 0:
                name = graph.doings[stmt.doing].name
                graph.ctx.error(
                    "misplaced-end",
                    graph.place(stmt.span),
                    f"`{name}` is never open here",
                    label=f"nothing that runs `{doing.name}` runs inside `{name}`",
                )


def _untested_ends(block: ir.Block, running: frozenset[int] = frozenset()) -> Iterator[ir.End]:
    """Give the `end` statements of a block, but for those that only come where a test has found open what they end."""
    for stmt in block:
        if isinstance(stmt, ir.End) and stmt.doing not in running:
            yield stmt
        then = stmt.then if isinstance(stmt, ir.If) else None
        for inner in blocks(stmt):
            known = (
                running | running_in(stmt.cond)
                if isinstance(stmt, ir.If) and inner is then
                else running
            )
            yield from _untested_ends(inner, known)


def _impossible_durations(graph: Graph) -> None:
    reached = graph.below(0)
    for doing in graph.doings:
        for stmt in graph.statements[doing.index]:
            for limit in getattr(stmt, "until", ()):
                if limit.doing not in reached:
                    graph.ctx.error(
                        "impossible-duration",
                        graph.place(stmt.span),
                        f"`{graph.doings[limit.doing].name}` never happens",
                        label="so this would never be over",
                    )


def _endless(graph: Graph) -> None:
    """Find circles of calls that nothing can leave: no choice, draw or condition on the way."""
    sure: dict[int, list[ir.Call]] = {}
    for doing in graph.doings:
        calls: list[ir.Call] = []
        for stmt in doing.body:
            if isinstance(stmt, ir.Call):
                calls.append(stmt)
            elif not isinstance(stmt, ir.Let | ir.SetField | ir.SetGlobal | ir.Adjust | ir.Move):
                break
        sure[doing.index] = calls
    reported: set[int] = set()
    for start, calls in sure.items():
        path = _circle(start, sure)
        if path is None or start in reported:
            continue
        reported.update(path)
        names = " -> ".join(f"`{graph.doings[number].name}`" for number in (*path, path[0]))
        first = next(
            call for call in calls if call.doing == (path[1] if len(path) > 1 else path[0])
        )
        graph.ctx.error(
            "endless-doings",
            graph.place(first.span),
            "these doings call each other without end",
            label=names,
            advice="put a condition, a draw or a choice on the way round",
        )


def _circle(start: int, sure: dict[int, list[ir.Call]]) -> list[int] | None:
    waiting = [[start]]
    seen = {start}
    while waiting:
        path = waiting.pop()
        for call in sure[path[-1]]:
            if call.doing == start:
                return path
            if call.doing not in seen:
                seen.add(call.doing)
                waiting.append([*path, call.doing])
    return None


def _restless(graph: Graph) -> None:
    for rule in graph.state_rules:
        if -1 in rule.read_places:
            continue
        fields: set[int] = set()
        kept: set[int] = set()
        moved: set[int] = set()
        for number in graph.below(rule.doing):
            for stmt in graph.statements[number]:
                _note_writes(stmt, fields, kept, moved)
        fields |= _places(graph, moved)
        if -1 not in kept and not (
            fields & rule.reads or kept & rule.read_globals or moved & rule.read_places
        ):
            graph.ctx.warning(
                "restless-state-rule",
                graph.place(rule.span),
                "this rule cannot make its own condition false",
                label="nothing that it does changes what the condition reads",
                advice="a rule that acts once on an event begins with `before` or `after`",
            )


def _places(graph: Graph, moved: set[int]) -> set[int]:
    """Give the fields that a move of things of some kinds may change: their place, and piles that
    they may leave."""
    found: set[int] = set()
    for field in graph.ctx.tables.fields:
        elem = field.type.elem
        if (field.name == "place" and field.kind in moved) or (
            field.pile and elem is not None and moved & set(elem.kinds)
        ):
            found.add(field.index)
    return found


def _note_writes(stmt: ir.Stmt, fields: set[int], kept: set[int], moved: set[int]) -> None:
    match stmt:
        case ir.SetField():
            fields.update(stmt.fields)
        case ir.Adjust():
            fields.update(stmt.fields, stmt.other_fields)
        case ir.SetGlobal() | ir.AdjustGlobal():
            kept.add(stmt.index)
        case ir.Move():
            elem = stmt.what.type.elem if stmt.many else stmt.what.type
            moved.update(elem.kinds if elem is not None else ())
            fields.update(stmt.dest.fields)
        case ir.Shuffle():
            fields.update(stmt.fields)
        case ir.End(doing=0):
            kept.add(-1)
        case _:
            pass
