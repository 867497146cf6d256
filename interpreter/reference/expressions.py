"""The meaning of expressions: one small function for each kind, walking the IR tree.

Written to be read; what is done hundreds of thousands of times in a scenario is written to be fast
too. Values are those of :mod:`rulelang.ir`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, ClassVar, NoReturn, TypeVar, cast

import attrs

from interpreter.alike import Alike
from interpreter.budget import LARGEST, OFFERED
from interpreter.decision import SetOf
from interpreter.errors import BudgetExhausted, RuleFault, StackEntry
from interpreter.faultcodes import (
    BUDGET_SPENT,
    DIVISION_BY_ZERO,
    EMPTY_SET,
    MISSING_VALUE,
    RANGE_LEFT,
)
from interpreter.layout import BOX, Layout, Slots
from interpreter.reference.moves import Moves
from interpreter.reference.works import Works
from rulelang import ir

Env = dict[str, Any]
Row = tuple[int, tuple[object, ...], bool]


@attrs.define(eq=False)
class Running:
    """One open doing. ``ran``: its body has begun; ``line``: what it is at; ``names``: as that line knows them."""

    doing: ir.Doing
    env: Env
    serial: int = 0
    ran: bool = False
    line: ir.Stmt | None = None
    names: Env | None = None
    saved: list[tuple[int, object]] = attrs.Factory(list)


Handler = Callable[[Any, Any, Env], Any]
Any_Handler = TypeVar("Any_Handler", bound=Callable[..., Any])
HANDLERS: dict[type[ir.Expr], Handler] = {}


def means(kind: type[ir.Expr]) -> Callable[[Any_Handler], Any_Handler]:
    """Say which kind of expression a method gives the meaning of."""

    def register(method: Any_Handler) -> Any_Handler:
        HANDLERS[kind] = method
        return method

    return register


class Expressions:
    """Evaluates expressions in a state.

    Args:
        program: The Program.
        options: One value for each option.
        slots: The state.
        layout: That of the Program, if somebody has it at hand.

    Attributes:
        slots: The state.
        stack: The open doings, outermost first.
        cited: Rule ids that were reached so far.
        covering: Note what is reached; evaluate the needs of permissions one by one for that.
        works: Which things had an effect, if it is covering.
        marks: Parts of the program by identity, each with what became of it, if it is covering
            (see `interpreter.examples.reached`).
        stacked: Has a value depended on the open doings, besides the state?
        handlers: What gives the value of an expression of each kind; other ones look at values as they are made.
    """

    handlers: ClassVar[Mapping[type[ir.Expr], Handler]] = HANDLERS

    def __init__(
        self,
        program: ir.Program,
        options: tuple[object, ...],
        slots: Slots,
        layout: Layout | None = None,
    ) -> None:
        self.program = program
        self.layout = layout or Layout(program)
        self.options = options
        self.slots = slots
        self.alike = Alike(self.layout)
        self.moves = Moves(program)
        self._acting = tuple(
            (
                field,
                None if self.layout.offsets[field.index] is None else self.layout.slots_of(field),
            )
            for field in program.fields
            if field.acts
        )
        self.stack: list[Running] = []
        self.cited: set[str] = set()
        self.covering = False
        self.works = Works()
        self.marks: set[tuple[int, object]] = set()
        self.stacked = False

    # ---------------------------------------------------------------------------------- helpers

    def fault(
        self, message: str, span: ir.Span = ir.NOWHERE, code: str = MISSING_VALUE
    ) -> NoReturn:
        """Stop with a rule fault at the line that runs."""
        line = self.stack[-1].line if self.stack else None
        raise RuleFault(
            message, span if span != ir.NOWHERE or line is None else line.span, self.trace(), code
        )

    def exhausted(self, message: str) -> NoReturn:
        """Stop because a budget is used up."""
        line = self.stack[-1].line if self.stack else None
        raise BudgetExhausted(message, line.span if line else ir.NOWHERE, self.trace())

    def trace(self) -> tuple[StackEntry, ...]:
        """The open doings for a fault."""
        return tuple(
            StackEntry(
                each.doing.name,
                each.line.span if each.line else each.doing.span,
                (each.line.cites if each.line else ()) or each.doing.cites,
            )
            for each in self.stack
        )

    def mark(self, part: object, outcome: object = True) -> None:
        """Note what became of a part of the program."""
        if self.covering:
            self.marks.add((id(part), outcome))

    def value(self, expr: ir.Expr, env: Env) -> Any:  # noqa: ANN401 - values of all types
        """The value of an expression, which may be None."""
        return self.handlers[type(expr)](self, expr, env)

    def need(self, expr: ir.Expr, env: Env) -> Any:  # noqa: ANN401
        """The value of an expression where there must be one."""
        value = self.handlers[type(expr)](self, expr, env)
        if value is None:
            self.fault("none where a value is needed", expr.span)
        return value

    def items(self, expr: ir.Expr, env: Env) -> tuple[Any, ...]:
        """The value of a set, list or bag."""
        value = self.handlers[type(expr)](self, expr, env)
        if value is None:
            self.fault("none where a value is needed", expr.span)
        return cast("tuple[Any, ...]", value)

    def holds(self, expr: ir.Expr | None, env: Env) -> bool:
        """Does a condition hold (None: always)?"""
        if expr is None:
            return True
        value = self.handlers[type(expr)](self, expr, env)
        if value is None:
            self.fault("none where a value is needed", expr.span)
        return bool(value)

    def bound(self, lets: tuple[tuple[str, ir.Expr], ...], env: Env) -> Env | None:
        """The names with ``lets`` bound in order; None if one of them is None."""
        env = dict(env)
        for name, expr in lets:
            env[name] = self.value(expr, env)
            if env[name] is None:
                return None
        return env

    def rows(self, block: int) -> tuple[Row, ...]:
        """The rows in force of a lasting block."""
        return cast("tuple[Row, ...]", self.slots[self.layout.rows + block])

    def with_rows(self, block: int | None, env: Env) -> Iterator[Env]:
        """The names for each row in force of a block; once, unchanged, without a block."""
        if block is None:
            yield env
            return
        for _, values, _ in self.rows(block):
            yield env | dict(zip(self.program.blocks[block].names, values, strict=True))

    def field_of(self, fields: tuple[int, ...], thing: int) -> int:
        """Which of the fields is the one of this thing's kind."""
        kind = self.layout.kind_of[thing]
        for field in fields:
            declared = self.program.fields[field]
            if declared.kind == kind:
                if declared.cites:
                    self.cited.update(declared.cites)
                return field
        return self.fault(f"a {self.program.kinds[kind].name} has no such property")

    def holder(self, card: int) -> int | None:
        """See :class:`ir.HolderOf`."""
        for field, slots in self._acting:
            for number, held in enumerate(field.values if slots is None else self.slots[slots]):
                if card == held or (isinstance(held, tuple) and card in held):
                    owner = self.program.kinds[field.kind].base + number // field.keys
                    return self.left_of(owner) if field.acts == "left" else owner
        return None

    def all_held(self) -> set[object]:
        """All cards that have a holder, see :meth:`holder`."""
        found: set[object] = set()
        for field, slots in self._acting:
            for held in field.values if slots is None else self.slots[slots]:
                found.update(held if isinstance(held, tuple) else (held,))
        return found

    def left_of(self, player: int) -> int:
        """The next player clockwise."""
        seats = self.program.kinds[0]
        if not seats.base <= player < seats.base + seats.count:
            return player
        return seats.base + (player - seats.base + 1) % seats.count

    def call(self, index: int, args: tuple[object, ...]) -> Any:  # noqa: ANN401
        """The value of a definition."""
        definition = self.program.definitions[index]
        env: Env = {}
        for param, arg in zip(definition.params, args, strict=True):
            if arg is None and not param.type.optional:
                self.fault(f"none given for {param.name} of {definition.name}")
            env[param.name] = arg
        if definition.cites:
            self.cited.update(definition.cites)
        if self.covering:
            self.marks.add((id(definition), True))
            for each in definition.needs:
                self.cited.update(each.cites)
                holds = self.holds(each.cond, env)
                self.marks.add((id(each), holds))
                if not holds:
                    break
        return self.value(definition.body, env)

    # -------------------------------------------------------------------------------- single values

    @means(ir.Const)
    def _const(self, expr: ir.Const, _: Env) -> object:
        return expr.value

    @means(ir.Local)
    def _local(self, expr: ir.Local, env: Env) -> object:
        return env[expr.name]

    @means(ir.OptionGet)
    def _option(self, expr: ir.OptionGet, _: Env) -> object:
        option = self.program.options[expr.option]
        self.cited.update(option.cites)
        self.mark(option, self.options[expr.option])
        return self.options[expr.option]

    @means(ir.GlobalGet)
    def _global(self, expr: ir.GlobalGet, _: Env) -> object:
        return self.slots[self.layout.global_slot(expr.index)]

    @means(ir.FieldGet)
    def _field(self, expr: ir.FieldGet, env: Env) -> object:
        thing = self.handlers[type(expr.obj)](self, expr.obj, env)
        key = self.value(expr.key, env) if expr.key is not None else 0
        if thing is None:
            return () if expr.type.shape in ("set", "list", "bag") else None
        field = self.field_of(expr.fields, thing)
        declared = self.program.fields[field]
        if declared.keys > 1 and (
            key is None or not declared.key_low <= key < declared.key_low + declared.keys
        ):
            self.fault(f"{declared.name} has no value for {key}", expr.span)
        offset = self.layout.offsets[field]
        if offset is None:
            if self.covering and self.stack:
                here = self.stack[-1]
                self.works.data(here.doing, here.names, thing, field)
        elif declared.keys == 1:
            return self.slots[offset + thing]
        return self.layout.read(self.slots, field, thing, key)

    @means(ir.Compare)
    def _compare(self, expr: ir.Compare, env: Env) -> bool:
        left = self.handlers[type(expr.left)](self, expr.left, env)
        if expr.op == "==":
            return bool(left == self.handlers[type(expr.right)](self, expr.right, env))
        if expr.op == "!=":
            return bool(left != self.handlers[type(expr.right)](self, expr.right, env))
        if left is None:
            self.fault("none where a value is needed", expr.left.span)
        right = self.need(expr.right, env)
        match expr.op:
            case "<":
                return bool(left < right)
            case "<=":
                return bool(left <= right)
            case ">":
                return bool(left > right)
            case _:
                return bool(left >= right)

    @means(ir.SameItems)
    def _same_items(self, expr: ir.SameItems, env: Env) -> bool:
        return sorted(self.items(expr.left, env)) == sorted(self.items(expr.right, env))

    @means(ir.IsKind)
    def _is_kind(self, expr: ir.IsKind, env: Env) -> bool:
        thing = self.value(expr.value, env)
        return thing is not None and self.layout.kind_of[thing] in expr.kinds

    @means(ir.Contains)
    def _contains(self, expr: ir.Contains, env: Env) -> bool:
        item = self.value(expr.item, env)
        return item is not None and item in self.items(expr.source, env)

    @means(ir.And)
    def _and(self, expr: ir.And, env: Env) -> bool:
        for part in expr.parts:  # noqa: SIM110 - half of what is evaluated: a generator costs more
            if not self.holds(part, env):
                return False
        return True

    @means(ir.Or)
    def _or(self, expr: ir.Or, env: Env) -> bool:
        for part in expr.parts:  # noqa: SIM110 - as above
            if self.holds(part, env):
                return True
        return False

    @means(ir.Not)
    def _not(self, expr: ir.Not, env: Env) -> bool:
        return not self.holds(expr.value, env)

    @means(ir.Arith)
    def _arith(self, expr: ir.Arith, env: Env) -> int:
        left, right = self.need(expr.left, env), self.need(expr.right, env)
        match expr.op:
            case "+":
                return int(left + right)
            case "-":
                return int(left - right)
            case "*":
                if abs(left * right) > LARGEST:
                    self.fault("a number beyond 1,000,000,000", expr.span, code=BUDGET_SPENT)
                return int(left * right)
            case "/":
                if right == 0:
                    self.fault("division by 0", expr.span, code=DIVISION_BY_ZERO)
                return int(left // right)
            case "min":
                return int(min(left, right))
            case _:
                return int(max(left, right))

    @means(ir.Case)
    def _case(self, expr: ir.Case, env: Env) -> object:
        for cond, value in expr.arms:
            if self.holds(cond, env):
                return self.value(value, env)
        return self.value(expr.otherwise, env)

    @means(ir.Switch)
    def _switch(self, expr: ir.Switch, env: Env) -> object:
        keys = [self.value(key, env) for key in expr.keys]
        for fits, value in expr.rows:
            if all(fit is None or key in fit for key, fit in zip(keys, fits, strict=True)):
                self.mark(value)
                return self.value(value, env)
        return self.fault("no row of the table fits", expr.span)

    @means(ir.LetIn)
    def _let_in(self, expr: ir.LetIn, env: Env) -> object:
        return self.value(expr.body, env | {expr.name: self.value(expr.value, env)})

    @means(ir.CallDef)
    def _call_def(self, expr: ir.CallDef, env: Env) -> object:
        args = tuple([self.handlers[type(arg)](self, arg, env) for arg in expr.args])
        return self.call(expr.definition, args)

    @means(ir.During)
    def _during(self, expr: ir.During, _: Env) -> bool:
        counter = self.program.doings[expr.doing].running
        if counter is not None:
            return cast("int", self.slots[self.layout.global_slot(counter)]) > 0
        self.stacked = True
        return any(each.ran and each.doing.index == expr.doing for each in self.stack)

    @means(ir.HolderOf)
    def _holder_of(self, expr: ir.HolderOf, env: Env) -> int | None:
        return self.holder(self.need(expr.card, env))

    @means(ir.AnyRow)
    def _any_row(self, expr: ir.AnyRow, env: Env) -> bool:
        return any(self.holds(expr.cond, names) for names in self.with_rows(expr.block, env))

    @means(ir.Exceptional)
    def _exceptional(self, expr: ir.Exceptional, env: Env) -> object:
        applying: list[tuple[ir.Clause, Env]] = []
        for clause in expr.clauses:
            for names in self.with_rows(clause.block, env):
                inner = self.bound(clause.lets, names)
                applies = inner is not None and self.holds(clause.cond, inner)
                self.mark(clause, applies)
                if inner is not None and applies:
                    applying.append((clause, inner))
                    self.cited.update(clause.cites)
                    self.works.rule(clause.lets, clause.span)
        beaten = {label for clause, _ in applying if clause.sign == "=" for label in clause.beats}
        bare = [
            (clause, inner)
            for clause, inner in applying
            if clause.sign == "=" and clause.label not in beaten
        ]
        values = [self.value(clause.value, inner) for clause, inner in bare]
        if any(value != values[0] for value in values):
            rivals = [clause.label for clause, _ in bare]
            raise RuleFault.between(rivals, expr.span, self.trace())
        result = values[0] if values else self.value(expr.general, env)
        for clause, inner in applying:
            if clause.sign != "=":
                if result is None:
                    self.fault("none where a value is needed", expr.span)
                change = self.need(clause.value, inner)
                result = result + change if clause.sign == "+" else result - change
        return result

    # ------------------------------------------------------------------------------ sets and lists

    @means(ir.InBox)
    def _in_box(self, expr: ir.InBox, env: Env) -> tuple[int, ...]:
        return tuple(
            thing
            for thing in self.items(expr.source, env)
            if self.layout.where(self.slots, thing)[0] == BOX
        )

    @means(ir.PlacedAt)
    def _placed_at(self, expr: ir.PlacedAt, env: Env) -> tuple[int, ...]:
        source = self.items(expr.source, env)
        place = self.value(expr.place, env)
        where = (0, place)
        return tuple(each for each in source if self.layout.where(self.slots, each) == where)

    @means(ir.KindAll)
    def _kind_all(self, expr: ir.KindAll, _: Env) -> tuple[int, ...]:
        kind = self.program.kinds[expr.kind]
        self.cited.update(kind.cites)
        return tuple(range(kind.base, kind.base + kind.count))

    @means(ir.RangeSet)
    def _range(self, expr: ir.RangeSet, env: Env) -> tuple[int, ...]:
        low, high = self.need(expr.low, env), self.need(expr.high, env)
        if high - low >= OFFERED:
            self.exhausted(f"a range of more than {OFFERED:,} numbers")
        return tuple(range(low, high + 1))

    @means(ir.MakeSet)
    def _make_set(self, expr: ir.MakeSet, env: Env) -> tuple[object, ...]:
        values = {self.value(item, env) for item in expr.items} - {None}
        return tuple(sorted(values))

    @means(ir.MakeList)
    def _make_list(self, expr: ir.MakeList, env: Env) -> tuple[object, ...]:
        return tuple(self.value(item, env) for item in expr.items)

    @means(ir.Union)
    def _union(self, expr: ir.Union, env: Env) -> tuple[object, ...]:
        return tuple(sorted({*self.items(expr.left, env), *self.items(expr.right, env)}))

    @means(ir.Concat)
    def _concat(self, expr: ir.Concat, env: Env) -> tuple[object, ...]:
        return self.items(expr.left, env) + self.items(expr.right, env)

    @means(ir.Minus)
    def _minus(self, expr: ir.Minus, env: Env) -> tuple[object, ...]:
        left, right = self.items(expr.left, env), self.items(expr.right, env)
        return tuple(each for each in left if each not in right)

    @means(ir.AsSet)
    def _as_set(self, expr: ir.AsSet, env: Env) -> tuple[object, ...]:
        return tuple(sorted(set(self.items(expr.source, env))))

    @means(ir.Where)
    def _where(self, expr: ir.Where, env: Env) -> tuple[object, ...]:
        inner = dict(env)
        found: list[object] = []
        for each in self.items(expr.source, env):
            inner[expr.var] = each
            if self.holds(expr.cond, inner):
                found.append(each)
        return tuple(found)

    @means(ir.AnyWhere)
    def _any_where(self, expr: ir.AnyWhere, env: Env) -> bool:
        inner = dict(env)
        for each in self.items(expr.source, env):
            inner[expr.var] = each
            if self.holds(expr.cond, inner):
                return True
        return False

    @means(ir.Map)
    def _map(self, expr: ir.Map, env: Env) -> tuple[object, ...]:
        source = self.value(expr.source, env) or ()
        inner = dict(env)
        values: list[Any] = []
        for each in source:
            inner[expr.var] = each
            value = self.value(expr.body, inner)
            if value is not None:
                values.append(value)
        if expr.flat:
            values = [item for each in values for item in each]
        return tuple(sorted(set(values))) if expr.type.shape == "set" else tuple(values)

    @means(ir.Best)
    def _best(self, expr: ir.Best, env: Env) -> tuple[object, ...]:
        return self.best(self.items(expr.source, env), expr.keys, env)

    def best(self, source: tuple[Any, ...], keys: tuple[ir.Key, ...], env: Env) -> tuple[Any, ...]:
        """Those tied for best; one whose key is None is not among them."""
        for key in keys:
            ranked = [(each, self.value(key.body, env | {key.var: each})) for each in source]
            values = [value for _, value in ranked if value is not None]
            if not values:
                return ()
            best = max(values) if key.highest else min(values)
            source = tuple(each for each, value in ranked if value == best and value is not None)
        return source

    @means(ir.Sorted)
    def _sorted(self, expr: ir.Sorted, env: Env) -> tuple[object, ...]:
        return self.ranked(self.items(expr.source, env), expr.keys, env)

    def ranked(
        self, source: tuple[Any, ...], keys: tuple[ir.Key, ...], env: Env
    ) -> tuple[Any, ...]:
        """Sorted by several keys, stable, those with a None key last."""
        result = list(source)
        for key in reversed(keys):
            pairs = [(self.value(key.body, env | {key.var: each}), each) for each in result]
            known = [pair for pair in pairs if pair[0] is not None]
            known.sort(key=lambda pair: pair[0], reverse=key.highest)
            result = [each for _, each in known] + [each for value, each in pairs if value is None]
        return tuple(result)

    @means(ir.Count)
    def _count(self, expr: ir.Count, env: Env) -> int:
        return len(self.items(expr.source, env))

    @means(ir.Fold)
    def _fold(self, expr: ir.Fold, env: Env) -> int:
        source = self.items(expr.source, env)
        if expr.op == "sum":
            return sum(source)
        if not source:
            self.fault(f"{expr.op} of nothing", expr.span, code=EMPTY_SET)
        return int(min(source) if expr.op == "min" else max(source))

    @means(ir.One)
    def _one(self, expr: ir.One, env: Env) -> object:
        source = self.items(expr.source, env)
        if expr.op == "maybe" and not source:
            return None
        if not source:
            self.fault(f"{expr.op} of nothing", expr.span, code=EMPTY_SET)
        if len(source) > 1 and expr.op in ("only", "maybe"):
            self.fault(f"{expr.op} of several", expr.span, code=EMPTY_SET)
        return source[len(source) - 1 if expr.op == "last" else 0]

    @means(ir.Take)
    def _take(self, expr: ir.Take, env: Env) -> tuple[object, ...]:
        return self.items(expr.source, env)[: max(self.need(expr.count, env), 0)]

    @means(ir.Item)
    def _item(self, expr: ir.Item, env: Env) -> object:
        return self.items(expr.source, env)[self.need(expr.index, env)]

    @means(ir.Overlap)
    def _overlap(self, expr: ir.Overlap, env: Env) -> bool:
        return not set(self.items(expr.left, env)).isdisjoint(self.items(expr.right, env))

    @means(ir.IndexOf)
    def _index_of(self, expr: ir.IndexOf, env: Env) -> int:
        item, source = self.value(expr.item, env), self.items(expr.source, env)
        if item not in source:
            self.fault("position of what is not there", expr.span, code=EMPTY_SET)
        return source.index(item) + 1

    @means(ir.Clockwise)
    def _clockwise(self, expr: ir.Clockwise, env: Env) -> tuple[int, ...]:
        player = self.need(expr.player, env)
        result = [player]
        while (player := self.left_of(player)) != result[0]:
            result.append(player)
        return tuple(result)

    @means(ir.Subsets)
    def _subsets(self, expr: ir.Subsets, env: Env) -> tuple[object, ...]:
        source = self.items(expr.source, env)
        inner = expr.source.type.elem or ir.NUMBER
        groups = self.alike.groups(self.slots, source, inner)
        domain = SetOf(groups, lambda _: ("", ""), source, 0, None)
        if (domain.count() or 0) > OFFERED:
            self.exhausted(f"more than {OFFERED:,} subsets")
        return tuple(domain.every())

    # ----------------------------------------------------------------------------------------- bags

    def bag(self, expr: ir.Expr, env: Env) -> tuple[int, ...]:
        """The counts of a bag, one for each word."""
        enum = expr.type.enum
        return self.items(expr, env) or (0,) * len(self.program.enums[enum].words)

    def low(self, enum: int) -> int:
        """The value of the first word."""
        declared = self.program.enums[enum]
        return declared.low if declared.numeric else 0

    @means(ir.BagItem)
    def _bag_item(self, expr: ir.BagItem, env: Env) -> int:
        word = cast("int", self.need(expr.word, env))
        return self.bag(expr.bag, env)[word - self.low(expr.bag.type.enum)]

    @means(ir.MakeBag)
    def _make_bag(self, expr: ir.MakeBag, env: Env) -> tuple[int, ...]:
        counts = [0] * len(self.program.enums[expr.type.enum].words)
        for item in expr.items:
            word = self.value(item, env)
            if word is not None:
                counts[word - self.low(expr.type.enum)] += 1
        return tuple(counts)

    @means(ir.BagArith)
    def _bag_arith(self, expr: ir.BagArith, env: Env) -> tuple[int, ...]:
        left = self.bag(expr.left, env)
        if expr.op == "*":
            times = self.need(expr.right, env)
            return tuple(each * times for each in left)
        pairs = zip(left, self.bag(expr.right, env), strict=True)
        return tuple(a + b if expr.op == "+" else max(a - b, 0) for a, b in pairs)

    @means(ir.BagWords)
    def _bag_words(self, expr: ir.BagWords, env: Env) -> tuple[int, ...]:
        low = self.low(expr.bag.type.enum)
        return tuple(low + word for word, held in enumerate(self.bag(expr.bag, env)) if held)

    @means(ir.BagLargest)
    def _bag_largest(self, expr: ir.BagLargest, env: Env) -> int:
        return max(self.bag(expr.bag, env), default=0)

    # ----------------------------------------------------------------------------------------- maps

    def cost(self, map_: ir.MapOp, prefix: tuple[object, ...], a: int, b: int) -> int | None:
        """What one move on a map costs; None if there is no such move."""
        key = (map_.definition, *prefix, a, b)
        if key in self.moves.costs:
            return self.moves.costs[key]
        value = cast("int | None", self.call(map_.definition, (*prefix, a, b)))
        if value is not None and value < 0:
            self.fault("a move on a map costs less than 0", map_.span, code=RANGE_LEFT)
        if self.moves.are_fixed(map_.definition):
            self.moves.costs[key] = value
        return value

    def ways(
        self, map_: ir.MapOp, prefix: tuple[object, ...], start: int
    ) -> Iterator[tuple[int, int]]:
        """Everything that can be reached on a map with the cost of the cheapest way there, the nearest first."""
        kind = self.program.kinds[map_.kind]
        costs = {start: 0}
        queue = [(0, start)]
        while queue:
            so_far, here = heapq.heappop(queue)
            if so_far > costs[here]:
                continue
            yield here, so_far
            for there in range(kind.base, kind.base + kind.count):
                step = self.cost(map_, prefix, here, there) if there != here else None
                if step is not None and so_far + step < costs.get(there, LARGEST):
                    costs[there] = so_far + step
                    heapq.heappush(queue, (so_far + step, there))

    def known_ways(
        self, map_: ir.MapOp, prefix: tuple[object, ...], start: int
    ) -> Iterable[tuple[int, int]]:
        """The same; on a map that never changes, all of them are found once."""
        if not self.moves.are_fixed(map_.definition):
            return self.ways(map_, prefix, start)
        key = (map_.definition, prefix, start)
        if key not in self.moves.ways:
            self.moves.ways[key] = tuple(self.ways(map_, prefix, start))
        return self.moves.ways[key]

    @means(ir.MapOp)
    def _map_op(self, expr: ir.MapOp, env: Env) -> object:
        prefix = tuple(self.value(each, env) for each in expr.prefix)
        start = self.need(expr.start, env)
        other = self.value(expr.other, env) if expr.other is not None else None
        if expr.op == "neighbours":
            kind = self.program.kinds[expr.kind]
            return tuple(
                there
                for there in range(kind.base, kind.base + kind.count)
                if there != start and self.cost(expr, prefix, start, there) is not None
            )
        if expr.op == "distance":
            if other is None:
                return None
            ways = self.known_ways(expr, prefix, start)
            return next((cost for there, cost in ways if there == other), None)
        if other is None:
            self.fault("none where a value is needed", expr.span)
        ways = self.known_ways(expr, prefix, start)
        if expr.op == "within":
            near = takewhile(lambda way: way[1] <= other, ways)
            return tuple(sorted(there for there, _ in near))
        nearest: set[int] = set()
        least = LARGEST
        for there, cost in ways:
            if cost > least:
                break
            if there in other:
                least = cost
                nearest.add(there)
        return tuple(each for each in other if each in nearest)
