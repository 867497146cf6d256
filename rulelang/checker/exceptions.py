"""Two unsigned exceptions of one definition that may apply at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.rivals import Judge
from rulelang.diagnostics import Label
from rulelang.variants.conflicts import advice, settling

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph
    from rulelang.checker.rivals import Rival

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def check(graph: Graph) -> None:
    """Report pairs that cannot be proved apart: of one text E0404, of two variants E0702."""
    judge = Judge(graph)
    for definition in graph.definitions:
        if not isinstance(definition.body, ir.Exceptional):
            continue
        bare = [clause for clause in definition.body.clauses if clause.sign == "="]
        for number, two in enumerate(bare):
            for one in bare[:number]:
                if one.label in two.beats or two.label in one.beats or _same_value(one, two):
                    continue
                first, second = judge.rival(one), judge.rival(two)
                if not judge.apart(first, second, definition.params):
                    _report(judge, definition, (one, first), (two, second))


def _report(
    judge: Judge,
    definition: ir.Definition,
    first: tuple[ir.Clause, Rival],
    second: tuple[ir.Clause, Rival],
) -> None:
    graph = judge.graph
    one, two = first[1].origin, second[1].origin
    here, there = graph.place(second[0].span), graph.place(first[0].span)
    permanent = first[1].always_there and second[1].always_there
    if one == two:
        report = graph.ctx.bag.error if permanent else graph.ctx.bag.warning
        report(
            "E0404",
            here,
            f"two exceptions of `{definition.name}` may apply at once",
            label="if this one applies together with the other, the game stops",
            secondary=(Label(there, _other(first[0])),),
            help=_advice(first[0], second[0]),
            citation=_cited(first[0], second[0]),
        )
        return
    report = graph.ctx.bag.error if permanent else graph.ctx.bag.warning
    report(
        "E0702",
        here,
        f"`{one}` and `{two}` may give `{definition.name}` different values",
        label=f"`{two}` says this{_when(second[1])}",
        secondary=(Label(there, f"`{one}` says this{_when(first[1])}"),),
        notes=() if permanent else ("if both are in force at once, the game stops",),
        help=advice(graph.ctx.tables, one, two),
        fix=settling(graph.ctx.tables, two, one),
        citation=_cited(first[0], second[0]),
    )


def _when(rule: Rival) -> str:
    return "" if rule.cond is not None else ", always"


def _other(clause: ir.Clause) -> str:
    return f"the other one, `{clause.label}`" if _is_name(clause.label) else "the other one"


def _advice(one: ir.Clause, two: ir.Clause) -> str:
    """Say how to settle it: an exception with a name of its own can be named after `after`."""
    if one.label != two.label and _is_name(one.label):
        return f"write `after {one.label}` at the end of this one if it wins, or make their conditions differ"
    if one.label != two.label and _is_name(two.label):
        return f"write `after {two.label}` at the end of the other one if that wins, or make their conditions differ"
    return "make their conditions differ"


def _is_name(label: str) -> bool:
    return label != "exception" and _NAME.fullmatch(label) is not None


def _cited(*clauses: ir.Clause) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cite for clause in clauses for cite in clause.cites))


def _same_value(one: ir.Clause, two: ir.Clause) -> bool:
    return (
        isinstance(one.value, ir.Const)
        and isinstance(two.value, ir.Const)
        and one.value.value == two.value.value
    )
