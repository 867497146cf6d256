"""What is sure at a place of the rules: lists that are not empty there, and lists of one member at most.

Conditions that were just asked for hold until a line changes what they read, or calls a doing: after one state rules
act, which may change anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import attrs

from interpreter.compiling.analysis import Scopes, is_node, rebuild, renamed, walk
from interpreter.mutation.lines import bound
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.mutation.lines import Order

_DEEPEST: Final = 12


@attrs.frozen(eq=False)
class Facts:
    """What is known before a line.

    Attributes:
        holds: Conditions that hold.
        implied: Conditions that hold where an answer is this one: its local, its value, the condition.
        single: Locals with one member at most.
    """

    holds: tuple[ir.Expr, ...] = ()
    implied: tuple[tuple[str, object, ir.Expr], ...] = ()
    single: frozenset[str] = frozenset()


NOTHING: Final = Facts()


class Sure:
    """Knows what follows from conditions of a Program.

    Args:
        program: The Program.
        order: What its lines read and change.
    """

    def __init__(self, program: ir.Program, order: Order) -> None:
        self._program = program
        self._order = order
        self._scopes = Scopes(program)

    # ------------------------------------------------------------------------------------ lines

    def when(self, facts: Facts, cond: ir.Expr, *, true: bool = True) -> Facts:
        """What is known where a condition is asked for and holds, or does not."""
        holds = [*facts.holds, *self._parts(cond, true=true)]
        if true:
            asked = _answer(cond)
            for name, value, then in facts.implied:
                if asked == (name, value):
                    holds += self._parts(then, true=True)
        return attrs.evolve(facts, holds=tuple(holds))

    def inside(self, facts: Facts, loop: ir.Each | ir.While) -> Facts:
        """What is known in every round of a loop."""
        kept = self._kept(facts, loop)
        return self.when(kept, loop.cond) if isinstance(loop, ir.While) else kept

    def after(self, facts: Facts, line: ir.Stmt) -> Facts:
        """What is known after a line that is known before it."""
        kept = self._kept(facts, line)
        match line:
            case ir.If() if line.then and isinstance(line.then[-1], ir.End) and not line.orelse:
                return self.when(kept, line.cond, true=False)
            case ir.If(
                then=(ir.Ask() as ask,), orelse=(ir.Let(value=ir.Const(value=False)) as no,)
            ):
                if ask.name == no.name:
                    return _implying(kept, [(ask.name, True, line.cond)])
            case ir.Ask():
                conds = enumerate(each.cond for each in line.alternatives)
                kept = _implying(kept, [(line.name, n, cond) for n, cond in conds if cond])
                most = line.at_most
                if isinstance(most, ir.Const) and most.value in (0, 1):
                    return attrs.evolve(kept, single=kept.single | {line.name})
            case _:
                pass
        return kept

    def _kept(self, facts: Facts, line: ir.Stmt) -> Facts:
        """What is known that a line does not change."""
        names = bound(line)
        single = facts.single - names
        calls = any(_calls(node) for node in walk((line,)))
        changed = self._order.of(line).writes

        def stays(cond: ir.Expr) -> bool:
            reads = self._order.value(cond).reads
            return not (names & self._scopes.free(cond) or changed & reads or (calls and reads))

        return Facts(
            tuple(each for each in facts.holds if stays(each)),
            tuple(each for each in facts.implied if each[0] not in names and stays(each[2])),
            single,
        )

    def _parts(self, cond: ir.Expr, *, true: bool) -> Iterator[ir.Expr]:
        """What follows from a condition that holds, or does not."""
        if isinstance(cond, ir.Not):
            yield from self._parts(cond.value, true=not true)
        elif isinstance(cond, ir.And if true else ir.Or):
            for part in cond.parts:
                yield from self._parts(part, true=true)
        elif true:
            yield cond

    # ------------------------------------------------------------------------------------ answers

    def has_answer(self, ask: ir.Ask, facts: Facts) -> bool:
        """Is there surely something to answer, so that what is said for the other case never runs?"""
        form = self._program.decisions[ask.decision].form
        if form == "label":
            return any(each.cond is None for each in ask.alternatives)
        if ask.options is None or ask.whole is not None:
            return False
        if form == "set":
            least = ask.at_least
            if least is not None and not (isinstance(least, ir.Const) and least.value in (0, 1)):
                return False
            if least is None or least.value == 0:
                return True
        elif form != "one":
            return False
        return self.any(ask.options, facts)

    def any(self, expr: ir.Expr, facts: Facts, depth: int = 0) -> bool:
        """Is there surely something in a set or list?"""
        if depth > _DEEPEST:
            return False
        depth += 1
        if any(_says_any(each, expr) for each in facts.holds):
            return True
        match expr:
            case ir.Best():
                ordered = not any(key.body.type.optional for key in expr.keys)
                return ordered and self.any(expr.source, facts, depth)
            case ir.Sorted() | ir.AsSet():
                return self.any(expr.source, facts, depth)
            case ir.Union() | ir.Concat():
                return self.any(expr.left, facts, depth) or self.any(expr.right, facts, depth)
            case ir.MakeSet() | ir.MakeList():
                return any(not each.type.optional for each in expr.items)
            case ir.KindAll():
                return self._program.kinds[expr.kind].count > 0
            case ir.Const():
                return isinstance(expr.value, tuple) and bool(expr.value)
            case ir.RangeSet():
                low, high = expr.low.type.hi, expr.high.type.lo
                return low is not None and high is not None and low <= high
            case ir.FieldGet(key=None):
                fields = [self._program.fields[each] for each in expr.fields]
                return all(not each.mutable and all(each.values) for each in fields)
            case ir.CallDef():
                body = self._opened(expr)
                return body is not None and self.any(body, facts, depth)
            case ir.Exceptional():
                plain = all(each.sign == "=" and not each.lets for each in expr.clauses)
                values = (expr.general, *(each.value for each in expr.clauses))
                return plain and all(self.any(each, facts, depth) for each in values)
            case _:
                return False

    def _opened(self, call: ir.CallDef) -> ir.Expr | None:
        """The body of a definition with what is given for its parameters; None if names would meet."""
        definition = self._program.definitions[call.definition]
        given = {param.name: arg for param, arg in zip(definition.params, call.args, strict=True)}
        free = frozenset().union(*(self._scopes.free(arg) for arg in call.args))
        inner = {name for node in walk((definition.body,)) for name in _binds(node)}
        if inner & (free | set(given)):
            return None

        def put(node: object) -> object:
            if isinstance(node, ir.Local):
                return given.get(node.name, node)
            return rebuild(node, put) if is_node(node) else node

        return cast("ir.Expr", put(definition.body))

    def one_at_most(self, expr: ir.Expr, facts: Facts) -> bool:
        """Is there surely no more than one thing in a set or list, perhaps several times?"""
        of = expr.type.elem
        if (
            of is not None
            and of.shape == "thing"
            and of.kinds
            and sum(self._program.kinds[kind].count for kind in of.kinds) <= 1
        ):
            return True
        match expr:
            case ir.Where() | ir.Best() | ir.Sorted() | ir.AsSet() | ir.InBox() | ir.PlacedAt():
                return self.one_at_most(expr.source, facts)
            case ir.Minus():
                return self.one_at_most(expr.left, facts)
            case ir.MakeSet() | ir.MakeList():
                return len(expr.items) <= 1
            case ir.Take(count=ir.Const(value=int() as count)):
                return count <= 1
            case ir.Local():
                return expr.name in facts.single
            case _:
                return False


def _implying(facts: Facts, more: Iterable[tuple[str, object, ir.Expr]]) -> Facts:
    return attrs.evolve(facts, implied=(*facts.implied, *more))


def _answer(cond: ir.Expr) -> tuple[str, object] | None:
    """Which answer a condition asks for: the local that has it, and its value."""
    match cond:
        case ir.Local():
            return cond.name, True
        case ir.Compare(op="==", left=ir.Local() as local, right=ir.Const() as const):
            return local.name, const.value
        case _:
            return None


def _calls(node: object) -> bool:
    """Do state rules act after this?"""
    return isinstance(node, ir.Call | ir.Hook) or (
        isinstance(node, ir.Ask) and bool(node.instances)
    )


def _says_any(fact: ir.Expr, expr: ir.Expr) -> bool:
    """Does a condition that holds say that there is something in a set or list?"""
    match fact:
        case ir.AnyWhere(cond=None):
            return fact.source == expr
        case ir.AnyWhere(cond=ir.Expr() as cond):
            if isinstance(expr, ir.Where):
                same = expr.source == fact.source
                return same and renamed(cond, fact.var, expr.var) == expr.cond
            return fact.source == expr
        case ir.Compare(op=">", left=ir.Count() as count, right=ir.Const(value=int() as least)):
            return least >= 0 and count.source == expr
        case ir.Compare(op=">=", left=ir.Count() as count, right=ir.Const(value=int() as least)):
            return least >= 1 and count.source == expr
        case _:
            return False


def _binds(node: object) -> Iterator[str]:
    """The names that an expression binds."""
    match node:
        case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
            yield node.var
        case ir.LetIn():
            yield node.name
        case ir.Clause():
            yield from (name for name, _ in node.lets)
        case _:
            pass
