"""What is declared and never used, and what can never act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import ir, nodes

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph
    from rulelang.source import Span


def check(graph: Graph) -> None:
    """Report unused declarations, and cards that are missing."""
    ctx = graph.ctx
    examples = frozenset[str]().union(*map(nodes.names_in, ctx.tables.scenarios))
    for builder in ctx.definitions:
        name = builder.name.rsplit(".", 1)[-1]
        if (
            builder.node is not None
            and not builder.used
            and name not in examples
            and _is_plain(builder.node)
        ):
            _unused(graph, _name_of(builder.node), builder.name, "nothing reads it")
    for doing in ctx.doings:
        unused = not doing.used and doing.name not in examples
        if doing.kind in ("effect", "phase", "row") and unused and isinstance(doing.node, _NAMED):
            _unused(graph, doing.node.name.span, doing.name, "nothing does it")
    _missing_cards(graph)
    _unreachable(graph)


_NAMED = (nodes.EffectDecl, nodes.PhaseDecl, nodes.TableDecl)


def _is_plain(node: nodes.Node) -> bool:
    return not (isinstance(node, nodes.MayDecl) and node.then is not None)


def _name_of(node: nodes.Node) -> Span:
    if isinstance(node, nodes.DefineDecl):
        return node.head.name.span
    name = getattr(node, "name", None)
    return name.span if isinstance(name, nodes.Ident) else node.span


def _unused(graph: Graph, span: Span, name: str, label: str) -> None:
    graph.ctx.warning(
        "unused-declaration", span, f"`{name}` is declared and never used", label=label
    )


def _missing_cards(graph: Graph) -> None:
    """Report rows without rules where other rows of the same kind have some and are in force."""
    tables = graph.ctx.tables
    written: dict[int, set[str]] = {}
    places: dict[int, nodes.CardDecl] = {}
    for item, _ in tables.items:
        if isinstance(item, nodes.CardDecl):
            for kind, _things in tables.ids.get(item.name.text, ()):
                if item.kind is None or tables.kinds[kind].name == item.kind.text:
                    written.setdefault(kind, set()).add(item.name.text)
                    places.setdefault(kind, item)
    acting = {
        kind
        for field in tables.fields
        if field.acts
        for kind in (
            (field.type.elem or field.type) if field.type.shape in ("list", "set") else field.type
        ).kinds
    }
    for kind in sorted(acting & set(written)):
        missing = [
            name for name, rows in tables.ids.items() if any(number == kind for number, _ in rows)
        ]
        blank = _blank_rows(graph, kind)
        missing = [name for name in missing if name not in written[kind] and name not in blank]
        if missing:
            shown = ", ".join(f"`{name}`" for name in missing[:5])
            graph.ctx.warning(
                "rowless-card",
                places[kind].name,
                f"there are rules for some rows of {tables.kinds[kind].name} only",
                label=f"{len(missing)} without: {shown}{' ...' if len(missing) > 5 else ''}",
                advice="write `card NAME:` for each; `after ...: do nothing` if its text does nothing",
            )


def _blank_rows(graph: Graph, kind: int) -> set[str]:
    """Give the rows whose field `text`, if the kind has one, is empty: they say nothing."""
    tables = graph.ctx.tables
    base = tables.kinds[kind].base
    return {
        name
        for field in tables.fields
        if field.kind == kind and field.name == "text"
        for name, rows in tables.ids.items()
        for number, things in rows
        if number == kind and not any(field.values[thing - base] for thing in things)
    }


def _unreachable(graph: Graph) -> None:
    """Report conditions that are always false."""
    for doing in graph.doings:
        for stmt in graph.statements[doing.index]:
            if isinstance(stmt, ir.If) and is_never(stmt.cond) and stmt.cond.span != ir.NOWHERE:
                graph.ctx.warning(
                    "dead-rule",
                    graph.place(stmt.cond.span),
                    "this never holds",
                    label="so what stands under it is dead",
                )
            elif isinstance(stmt, ir.If) and stmt.orelse and is_always(stmt.cond):
                if stmt.cond.span != ir.NOWHERE:
                    graph.ctx.warning(
                        "dead-rule",
                        graph.place(stmt.cond.span),
                        "this always holds",
                        label="so its `else` is dead",
                    )
            elif isinstance(stmt, ir.Ask):
                for alternative in stmt.alternatives:
                    _never(graph, alternative.cond, "this is never offered")
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.guard is not None and is_never(hook.guard):
                graph.ctx.warning(
                    "dead-rule",
                    graph.place(hook.span),
                    "this rule never acts",
                    label="its condition never holds",
                )
    for rule in graph.state_rules:
        _never(graph, rule.cond, "this state is never reached")
    for definition in graph.definitions:
        for need in definition.needs:
            _never(graph, need.cond, "this need is never met")
        if isinstance(definition.body, ir.Exceptional):
            for clause in definition.body.clauses:
                if clause.cond is not None and is_never(clause.cond):
                    graph.ctx.warning(
                        "dead-rule", graph.place(clause.span), "this exception never applies"
                    )


def _never(graph: Graph, cond: ir.Expr | None, headline: str) -> None:
    if cond is not None and cond.span != ir.NOWHERE and is_never(cond):
        graph.ctx.warning(
            "dead-rule", graph.place(cond.span), headline, label="it is false whatever happens"
        )


def is_always(cond: ir.Expr) -> bool:
    """Tell whether a condition is true whatever happens."""
    match cond:
        case ir.Const(value=True):
            return True
        case ir.Not(value=value):
            return is_never(value)
        case ir.And(parts=parts):
            return all(is_always(part) for part in parts)
        case ir.Or(parts=parts):
            return any(is_always(part) for part in parts)
        case ir.Compare(op=op, left=ir.Const(value=left), right=ir.Const(value=right)):
            return _holds(op, left, right) is True
        case ir.Compare(op=("<" | "<=" | ">" | ">=") as op, left=left, right=right) if (
            left.type.shape == right.type.shape == "number"
        ):
            return _apart(_OPPOSITE[op], left.type, right.type)
        case _:
            return False


_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def is_never(cond: ir.Expr) -> bool:
    """Tell whether a condition is false whatever happens."""
    match cond:
        case ir.Const(value=False):
            return True
        case ir.Not(value=value):
            return is_always(value)
        case ir.And(parts=parts):
            return any(is_never(part) for part in parts)
        case ir.Or(parts=parts):
            return all(is_never(part) for part in parts)
        case ir.Compare(op=op, left=ir.Const(value=left), right=ir.Const(value=right)):
            return _holds(op, left, right) is False
        case ir.Compare(op=op, left=left, right=right) if (
            left.type.shape == right.type.shape == "number"
        ):
            return _apart(op, left.type, right.type)
        case _:
            return False


def _holds(op: str, left: object, right: object) -> bool | None:
    """Compare two constants; None if they have no order."""
    if op in ("==", "!="):
        return (left == right) == (op == "==")
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]


def _apart(op: str, left: ir.Type, right: ir.Type) -> bool:
    if op in (">", ">="):
        return _apart({">": "<", ">=": "<="}[op], right, left)
    if op not in ("<", "<=") or left.lo is None or right.hi is None:
        return False
    return left.lo >= right.hi if op == "<" else left.lo > right.hi
