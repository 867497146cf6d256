"""Expressions that depend on data and on a few values with few possibilities: looked up in tables.

What reads the state inside an expression (a field, a local) is taken for a *hole* with a finite
domain; if all the rest reads data only, the expression is evaluated for every combination while code
is generated. The reference interpreter does the evaluating.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling.analysis import rebuild, walk
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.expressions import can_be_none
from interpreter.compiling.optimise import Chosen
from interpreter.errors import RuleFault
from interpreter.reference.expressions import Env, Expressions, means
from rulelang import ir

if TYPE_CHECKING:
    import ast

    from interpreter.compiling.emit.module import Module

LARGEST_TABLE = 2_000
LARGEST_DOMAIN = 128

LOOPS = (
    ir.Where, ir.AnyWhere, ir.Map, ir.Best, ir.Sorted, ir.One, ir.Count, ir.Fold, ir.Overlap,
    ir.Contains, ir.Union, ir.Minus, ir.AsSet, ir.SameItems, ir.IndexOf, ir.Switch, ir.Subsets,
)  # fmt: skip


class NotATable(Exception):  # noqa: N818 - control flow, not an error
    """This expression is none that can be looked up."""


@attrs.frozen
class Holes:
    """An expression with what reads the state taken out.

    Attributes:
        expr: The rest; holes are locals in it.
        names: Names of the holes.
        values: What stands in the holes.
        domains: What can come there.
        narrow: What can come there where the expression is looked at in its place: a test before it may
            have narrowed the type.
    """

    expr: ir.Expr
    names: tuple[str, ...]
    values: tuple[ir.Expr, ...]
    domains: tuple[tuple[object, ...], ...]
    narrow: tuple[frozenset[object], ...]

    def expected(self, combination: tuple[object, ...]) -> bool:
        """Can the expression be looked at with these values in its place?"""
        return all(one in may for one, may in zip(combination, self.narrow, strict=True))


@means(Chosen)
def _chosen(evaluator: Expressions, expr: Chosen, env: Env) -> tuple[object, ...]:
    """What only the optimiser makes has a meaning too."""
    return tuple(
        evaluator.value(value, env) for value, test in expr.pairs if evaluator.holds(test, env)
    )


def domain(m: Module, e: ir.Expr, *, narrow: bool = False) -> tuple[object, ...]:
    """All values that an expression can have; ``narrow``: where it stands."""
    of = e.type
    if not narrow and isinstance(e, ir.FieldGet) and len(e.fields) == 1:
        of = m.program.fields[e.fields[0]].type
    values: list[object]
    match of.shape:
        case "word":
            enum = m.program.enums[of.enum]
            low = enum.low if enum.numeric else 0
            values = list(range(low, low + len(enum.words)))
        case "flag":
            values = [False, True]
        case "thing" if of.kinds:
            values = [
                thing
                for kind in sorted(of.kinds)
                for thing in range(
                    m.program.kinds[kind].base,
                    m.program.kinds[kind].base + m.program.kinds[kind].count,
                )
            ]
        case "number" if of.lo is not None and of.hi is not None:
            values = list(range(of.lo, min(of.hi, of.lo + LARGEST_DOMAIN) + 1))
        case _:
            raise NotATable
    if of.optional or (not narrow and can_be_none(m, e)):
        values.append(None)
    if len(values) > LARGEST_DOMAIN:
        raise NotATable
    return tuple(values)


def holes(m: Module, e: ir.Expr, inner: frozenset[str] = frozenset()) -> Holes:
    """Take out what reads the state; ``inner`` are locals that stay."""
    bound = set(inner)
    for node in walk(e):
        match node:
            case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
                bound.add(node.var)
            case ir.LetIn():
                bound.add(node.name)
            case ir.Clause():
                bound.update(name for name, _ in node.lets)
            case _:
                pass
    found: dict[object, tuple[str, list[ir.Expr]]] = {}
    free = m.scopes.free
    reads = m.dependencies.reads

    def hole(node: ir.Expr) -> ir.Expr:
        key = _untyped(node)
        if key not in found:
            found[key] = (f"$hole{len(found)}", [])
        name, nodes = found[key]
        nodes.append(node)
        return ir.Local(name=name, type=node.type, span=node.span)

    def change(node: object) -> object:
        if isinstance(node, ir.Local):
            return node if node.name in bound else hole(node)
        if not isinstance(node, ir.Expr):
            return rebuild(node, change)
        if reads(node).data_only:
            return rebuild(node, change)
        if free(node) & bound:
            if not m.dependencies.own(node).data_only:
                raise NotATable
            return rebuild(node, change)
        if isinstance(node, (ir.FieldGet, ir.GlobalGet, ir.HolderOf)) and not (
            m.dependencies.own(node).data_only
        ):
            return hole(node)
        if not m.dependencies.own(node).data_only:
            raise NotATable
        return rebuild(node, change)

    made = change(e)
    assert isinstance(made, ir.Expr)
    if isinstance(made, ir.Local):
        raise NotATable  # it reads the state and nothing else
    _refuse_tested(e, [node for _, nodes in found.values() for node in nodes])
    values: list[ir.Expr] = []
    domains: list[tuple[object, ...]] = []
    narrow: list[frozenset[object]] = []
    for _, nodes in found.values():
        # Where a test has narrowed the type, the value can still be looked up before the test.
        widest = max(nodes, key=lambda node: len(domain(m, node)))
        values.append(widest)
        domains.append(domain(m, widest))
        # One that no test inside the expression guards has the widest type: what any may be can come.
        narrow.append(frozenset[object]().union(*(domain(m, each, narrow=True) for each in nodes)))
    names = tuple(name for name, _ in found.values())
    return Holes(made, names, tuple(values), tuple(domains), tuple(narrow))


def _refuse_tested(e: ir.Expr, read: list[ir.Expr]) -> None:
    """What can only be read after a test in ``e`` itself must not be read before it.

    Raises:
        NotATable: something is of a narrower type where it is read from than elsewhere.
    """
    inside = [part for node in read for part in walk(node) if part is not node]
    narrow = [(_untyped(part), part.type) for part in inside if isinstance(part, ir.Expr)]
    if not narrow:
        return
    keys = [key for key, _ in narrow]
    for part in walk(e):
        if not isinstance(part, ir.Expr):
            continue
        key = _untyped(part)
        if key not in keys:
            continue
        for other, of in narrow:
            if other == key and (
                (part.type.optional and not of.optional) or set(part.type.kinds) > set(of.kinds)
            ):
                raise NotATable


def _untyped(node: object) -> object:
    """A node without what is known about types: equal for equal values."""
    if isinstance(node, ir.Expr):
        return attrs.evolve(rebuild(node, _untyped), type=ir.NUMBER)  # type: ignore[misc]
    return rebuild(node, _untyped)


def evaluate(m: Module, e: ir.Expr, env: dict[str, Any]) -> Any:  # noqa: ANN401
    """The value of an expression that reads data only."""
    return m.evaluator.value(e, env)


def lookup(
    m: Module, found: Holes, table: dict[Any, Any], *, missing: tuple[str, str] | None = None
) -> ast.expr:
    """``table[hole][hole] ...``; ``missing``: text and code of the fault where a combination is not there."""
    from interpreter.compiling.emit.expressions import value  # noqa: PLC0415 - they need each other

    nested = _nest(found, table, 0, whole=missing is None)
    made = m.partial_table(nested, missing) if missing is not None else m.table(nested)
    for each in found.values:
        made = q.sub(made, value(m, each))
    return made


def _nest(found: Holes, table: dict[Any, Any], depth: int, *, whole: bool) -> Any:  # noqa: ANN401
    """Nested tuples (where small whole numbers are keys) or dictionaries."""
    if depth == len(found.names):
        return table[()]
    keys = found.domains[depth]
    rows: dict[Any, Any] = {}
    for key in keys:
        inner = {rest[1:]: value for rest, value in table.items() if _same(rest[0], key)}
        if inner:
            rows[key] = _nest(found, inner, depth + 1, whole=whole)
    numbers = [key for key in keys if isinstance(key, int) and not isinstance(key, bool)]
    if whole and len(numbers) == len(keys) and all(0 <= key < 512 for key in numbers):
        return tuple(rows.get(key) for key in range(max(numbers, default=-1) + 1))
    return rows


def _same(a: object, b: object) -> bool:
    return a == b and type(a) is type(b)


def try_table(m: Module, e: ir.Expr) -> ast.expr | None:
    """The expression as a look-up, if it is one worth making."""
    if not m.flags.optimise or m.evaluating:
        return None
    known = m.known_tables.get(id(e))
    if known is None or known[0] is not e:
        known = m.known_tables[id(e)] = (e, _table(m, e))
    made = known[1]
    return None if made is None else lookup(m, made[0], made[1], missing=made[2])


def _table(m: Module, e: ir.Expr) -> tuple[Holes, dict[Any, Any], tuple[str, str] | None] | None:
    if not any(isinstance(node, LOOPS) for node in walk(e)) or isinstance(e, ir.KindAll):
        return None
    try:
        found = holes(m, e)
    except NotATable:
        return None
    size = 1
    for values in found.domains:
        size *= len(values)
    if size > LARGEST_TABLE:
        return None
    table: dict[Any, Any] = {}
    faults: set[tuple[str, str]] = set()
    for combination in product(*found.domains):
        env = dict(zip(found.names, combination, strict=True))
        try:
            table[combination] = evaluate(m, found.expr, env)
        except RuleFault as error:
            if found.expected(combination):
                faults.add((error.message, error.code))
            else:
                table[combination] = None  # a test before it excludes these values
        except (TypeError, IndexError, KeyError, ValueError):
            return None
    if not table or len(faults) > 1 or (faults and not found.names):
        return None
    return found, table, faults.pop() if faults else None
