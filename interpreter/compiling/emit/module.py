"""What the parts of the code generator share while they translate one Program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs

from interpreter import derived
from interpreter.compiling.analysis import Calls, Dependencies, Reads, Scopes, rebuild, walk
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.evaluation import Remembered
from interpreter.compiling.soundness import Soundness
from rulelang import ir

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Sequence

    from interpreter.compiling.built import Asking, Flags, Point
    from interpreter.layout import Layout


SINGLE = ("number", "flag", "word", "thing")
"""Shapes of what is no set, list or bag."""


@attrs.frozen(eq=False)
class Total:
    """A sum over all things of a kind that is kept in a slot.

    Attributes:
        slot: The slot.
        field: The field that it depends on.
        body: What is summed, as a function of the local ``$x``, the field's value.
        whole: The sum itself.
    """

    slot: int
    field: int
    body: ir.Expr
    whole: ir.Fold


@attrs.frozen(eq=False)
class Order:
    """An order of all things of a kind that is remembered in a slot until something changes.

    Attributes:
        slot: The slot; None in it: not known.
        fields: What the order depends on.
        whole: The order itself.
    """

    slot: int
    fields: frozenset[int]
    whole: ir.Sorted


@attrs.define
class Resumable:
    """A function that can be suspended: what its frames mean."""

    name: str
    doing: int
    points: list[Point] = attrs.Factory(list)


class Module:
    """The generated module in the making.

    Attributes:
        program: What is translated; options are already constants in it.
        tables: Names and values of constants that functions read.
        functions: The functions made so far.
        resumables: Functions that can be suspended, by the number in their frames.
        single: Names of functions that get nothing but single values.
    """

    def __init__(self, program: ir.Program, layout: Layout, flags: Flags) -> None:
        self.program = program
        self.layout = layout
        self.flags = flags
        self.scopes = Scopes(program)
        self.dependencies = Dependencies(program)
        self.sound = Soundness(program, lambda index: program.definitions[index].body)
        self.calls = Calls(program)
        self.tables: dict[str, object] = {}
        self.derived = derived.first(layout)
        self.rule_reads = [
            self.dependencies.reads((rule.vars, rule.cond, rule.lets))
            | Reads(blocks=frozenset(() if rule.block is None else (rule.block,)))
            for rule in program.state_rules
        ]
        everything = (program.doings, program.definitions, program.state_rules, program.always)
        if any(isinstance(node, ir.HolderOf) for node in walk(everything)):
            self.derived.holder(layout)
        self.asks: list[Asking] = []
        self._claimed: set[str] = set()
        self.all_ends = [node for node in walk(program.doings) if isinstance(node, ir.End)]
        self._moves_out: dict[int, bool] = {}
        self.waiting: frozenset[int] = frozenset()
        self.evaluator = Remembered(program, layout)
        self.evaluating = False
        self.try_table: Callable[[Module, ir.Expr], ast.expr | None] = _no_table
        self.known_tables: dict[int, Any] = {}
        self.known_masks: dict[tuple[int, str], Any] = {}
        self.unmasks: set[int] = set()
        self.singles: dict[str, tuple[int, int, bool]] = {}
        self.sums: dict[int, list[Total]] = {}
        self._sum_slots: dict[object, Total] = {}
        if flags.optimise:
            self._find_sums(everything)
        self._orders: dict[ir.Sorted, Order] = {}
        for node in walk(everything):
            if isinstance(node, ir.Sorted):
                self.order(node)
        self.orders = tuple(self._orders.values())
        if flags.optimise:
            self._find_places(everything)
        self.masked_flags = self._masked_flags() if flags.optimise else frozenset()
        self.objects: dict[str, object] = {}
        self.ways_of: dict[str, tuple[str, int, int]] = {}
        self.functions: list[ast.FunctionDef] = []
        self.single: set[str] = set()
        self.resumables: list[Resumable] = []
        self._table_names: dict[object, str] = {}
        self._helpers: dict[object, str] = {}
        self._canonical: dict[int, Any] = {}
        self._locals: dict[str, str] = {}
        self._taken: set[str] = set()
        self._temps = 0
        self._used_definitions: dict[int, None] = {}

    # ------------------------------------------------------------------------------------ names

    def local(self, name: str) -> str:
        """The Python name of a local of the ruleset; different ones never meet."""
        known = self._locals.get(name)
        if known is None:
            known = base = "v_" + re.sub(r"[^A-Za-z0-9_]", "_", name)
            number = 1
            while known in self._taken:
                number += 1
                known = f"{base}_{number}"
            self._taken.add(known)
            self._locals[name] = known
        return known

    def temp(self) -> str:
        """A new name for an intermediate value."""
        self._temps += 1
        return f"t{self._temps}"

    # ----------------------------------------------------------------------------------- tables

    def table(self, value: object) -> ast.expr:
        """A constant of any size, shared by all that need an equal one."""
        key = (type(value).__name__, _frozen(value))
        name = self._table_names.get(key)
        if name is None:
            name = self._table_names[key] = f"T{len(self.tables)}"
            self.tables[name] = value
        return q.name(name)

    def partial_table(self, table: dict[Any, Any], missing: tuple[str, str]) -> ast.expr:
        """A table in which what is missing is a fault of this text and code."""
        key = ("partial", missing, _frozen(table))
        name = self._table_names.get(key)
        if name is None:
            name = self._table_names[key] = f"L{len(self.tables)}"
            self.tables[name] = (table, *missing)
        return q.name(name)

    def memory(self, index: int) -> str:
        """A place for what a definition that looks at data only has given so far; empty when the code is loaded."""
        name = f"M{index}"
        self.tables[name] = 0
        return name

    def slots_held(self, count: int) -> str:
        """A list for what conditions read when they last held; at first it holds what no slot can."""
        self.tables["K"] = count
        return "K"

    def weights(self, numbers: tuple[int, ...]) -> ast.expr:
        """A table of the sums of these numbers by mask."""
        key = ("weights", numbers)
        name = self._table_names.get(key)
        if name is None:
            name = self._table_names[key] = f"W{len(self.tables)}"
            self.tables[name] = numbers
        return q.name(name)

    def kept(self, prefix: str, value: object) -> ast.expr:
        """An engine object that functions are given by name; made again when code is loaded."""
        for name, known in self.objects.items():
            if name.startswith(prefix) and known == value:
                return q.name(name)
        name = f"{prefix}_{len(self.objects)}"
        self.objects[name] = value
        return q.name(name)

    def ways(self, name: str, cost: str, bounds: tuple[int, int]) -> ast.expr:
        """What remembers the ways of a map that depends on data only."""
        self.ways_of[f"M_{name}"] = (cost, *bounds)
        return q.name(f"M_{name}")

    # -------------------------------------------------------------------------------- functions

    def helper(self, kind: str, node: ir.Expr, make: Callable[[Any], list[ast.stmt]]) -> ast.expr:
        """A call of a function made of ``node`` alone; its free locals are passed on.

        Nodes that differ only in the names of locals share one function.

        Args:
            kind: Which of the functions made of one node this is.
            node: What it computes.
            make: Makes the body of a node like it.
        """
        known = self._canonical.get(id(node))
        if known is None or known[0] is not node:
            known = self._canonical[id(node)] = (node, *canonical(node, self.scopes.free(node)))
        _, like, given = known
        key = (kind, like)
        name = self._helpers.get(key)
        if name is None:
            name = self._helpers[key] = f"h{len(self._helpers)}"
            params = [self.local(f"$p{number}") for number in range(len(given))]
            self.function(name, ["S", *params], make(like), node.span)
            if all(
                each.type.shape in SINGLE
                for each in walk(node)
                if isinstance(each, ir.Local) and each.name in given
            ):
                self.single.add(name)
        return q.call(name, q.name("S"), *(q.name(self.local(each)) for each in given))

    def function(
        self, name: str, params: Sequence[str], body: list[ast.stmt], span: ir.Span
    ) -> None:
        """Add a function."""
        self.functions.append(q.locate(q.function(name, params, body), span))

    def definition(self, index: int) -> str:
        """The function of a definition, which is made when somebody calls it."""
        self._used_definitions.setdefault(index)
        return f"f{index}"

    def wanted_definitions(self, done: set[int]) -> list[int]:
        """Definitions that are called and not among ``done``."""
        return [index for index in self._used_definitions if index not in done]

    def begin_function(self, name: str) -> bool:
        """Claim a name; False if it was claimed before."""
        if name in self._claimed:
            return False
        self._claimed.add(name)
        return True

    # ------------------------------------------------------------------------------------ facts

    def nodes_of(self, block: ir.Block) -> list[object]:
        """All nodes of some lines."""
        return list(walk(block))

    def rules_reading(
        self, fields: set[int], places: set[int], globals_: set[int], blocks: set[int]
    ) -> int:
        """The state rules (a bit each) that depend on one of these."""
        bits = 0
        for number, reads in enumerate(self.rule_reads):
            if (
                reads.fields & fields
                or reads.places & places
                or reads.globals & globals_
                or reads.blocks & blocks
            ):
                bits |= 1 << number
        return bits

    def single_rule(self, number: int) -> int | None:
        """The kind of a state rule about single things that reads only their own fields.

        Its condition is looked at where such a field is written, so it must be one that is never a fault:
        until the doing ends, and rules are settled, another write may mend what it would stumble over.
        """
        rule = self.program.state_rules[number]
        reads = self.rule_reads[number]
        if len(rule.vars) != 1 or rule.block is not None or rule.lets or rule.once is not None:
            return None
        name, source = rule.vars[0]
        if not isinstance(source, ir.KindAll) or reads.places or reads.globals or reads.blocks:
            return None
        if not self.sound(rule.cond):
            return None
        lent = {index for doing in self.program.doings for index in doing.lends}
        for node in walk(rule.cond):
            match node:
                case ir.FieldGet():
                    if not self.dependencies.own(node).data_only and not (
                        isinstance(node.obj, ir.Local)
                        and node.obj.name == name
                        and not set(node.fields) & lent
                    ):
                        return None
                case ir.CallDef() | ir.MapOp() | ir.Subsets():
                    return None
                case _:
                    pass
        return source.kind

    def piles_of(self, kind: int) -> tuple[int, ...]:
        """Pile fields that can hold things of a kind."""
        return tuple(
            field.index
            for field in self.program.fields
            if field.pile and field.type.elem is not None and kind in field.type.elem.kinds
        )

    # ------------------------------------------------------------------------------------ masks

    def things(self, kind: int, mask: ast.expr) -> ast.expr:
        """The things of a mask, as a tuple."""
        self.unmasks.add(kind)
        return q.sub(q.name(f"U{kind}"), mask)

    def only_one(self, kind: int, mask: ast.expr, *, maybe: bool) -> ast.expr:
        """The one thing of a mask."""
        name = f"{'Y' if maybe else 'O'}{kind}"
        declared = self.program.kinds[kind]
        self.singles[name] = (declared.base, declared.count, maybe)
        return q.sub(q.name(name), mask)

    def place_masks(self, kind: int) -> tuple[int, int, dict[int, int]]:
        """See :meth:`Derived.place`."""
        return self.derived.place(self.layout, kind)

    def in_places(self, kind: int, kinds: tuple[int, ...]) -> ast.expr:
        """The mask of the things of a kind that are at one of some kinds of places."""
        _, placed, at_kind = self.place_masks(kind)
        wanted = [each for each in at_kind if each in kinds]
        if len(wanted) == len(at_kind):
            return q.state(q.const(placed))
        result: ast.expr = q.const(0)
        for number, each in enumerate(wanted):
            slot = q.state(q.const(at_kind[each]))
            result = slot if number == 0 else q.arith(result, "|", slot)
        return result

    def _find_places(self, everything: object) -> None:
        """Where the things of a kind are is kept as masks if sets ask for it."""
        asked: set[int] = set()
        for node in walk(everything):
            match node:
                case ir.PlacedAt():
                    asked |= self.dependencies.kinds_of(node.source.type)
                case ir.FieldGet():
                    asked |= {
                        self.program.fields[index].kind
                        for index in node.fields
                        if index == self.program.kinds[self.program.fields[index].kind].place
                    }
                case _:
                    pass
        for number, kind in enumerate(self.program.kinds):
            if number not in asked or kind.place is None or kind.count > 128:
                continue
            if self.layout.offsets[kind.place] is not None:
                self.place_masks(number)

    def _find_sums(self, everything: object) -> None:
        """Sums over all things of a kind of what one number field gives are kept up to date."""
        lent = {index for doing in self.program.doings for index in doing.lends}
        for node in walk(everything):
            if not isinstance(node, ir.Fold):
                continue
            key = self.sum_key(node)
            if key is None or key in self._sum_slots:
                continue
            field = key[0]
            declared = self.program.fields[field]
            if field in lent or declared.temporary or None in declared.values:
                continue
            total = Total(self.derived.more(), field, key[1], node)
            self._sum_slots[key] = total
            self.sums.setdefault(field, []).append(total)

    def sum_key(self, e: ir.Fold) -> tuple[int, ir.Expr] | None:
        """The field that a sum depends on, and what is summed, as a function of ``$x``."""
        source = e.source
        if e.op != "sum" or not isinstance(source, ir.Map) or source.flat:
            return None
        if not isinstance(source.source, ir.KindAll) or source.type.shape == "set":
            return None
        reads = self.dependencies.reads(source.body)
        if len(reads.fields) != 1 or reads.places or reads.globals or reads.blocks:
            return None
        (field,) = reads.fields
        declared = self.program.fields[field]
        if declared.kind != source.source.kind or declared.keys > 1:
            return None
        if declared.type.shape != "number" or declared.type.optional:
            return None

        def change(node: object) -> object:
            if (
                isinstance(node, ir.FieldGet)
                and node.fields == (field,)
                and isinstance(node.obj, ir.Local)
                and node.obj.name == source.var
            ):
                return ir.Local(name="$x", type=ir.NUMBER)
            return rebuild(node, change)

        body = change(source.body)
        assert isinstance(body, ir.Expr)
        if self.scopes.free(body) != {"$x"}:
            return None
        return field, body

    def order(self, e: ir.Sorted) -> Order | None:
        """The slot that remembers an order of all few things of a kind; None if it is none."""
        if not self.flags.optimise or not isinstance(e.source, ir.KindAll) or self.scopes.free(e):
            return None
        e = canonical(e, frozenset())[0]
        known = self._orders.get(e)
        if known is not None:
            return known
        assert isinstance(e.source, ir.KindAll)
        if self.program.kinds[e.source.kind].count > 8:
            return None
        reads = self.dependencies.reads(e)
        if reads.places or reads.globals or reads.blocks or not reads.fields:
            return None
        lent = {index for doing in self.program.doings for index in doing.lends}
        if reads.fields & lent or any(
            self.program.fields[index].temporary or self.program.fields[index].pile
            for index in reads.fields
        ):
            return None
        made = self._orders[e] = Order(self.derived.more(), reads.fields, e)
        return made

    def forget_orders(self, fields: Iterable[int]) -> list[ast.stmt]:
        """Orders that depend on fields that have been written are found again when asked for."""
        written = set(fields)
        return [
            q.set_slot(q.const(each.slot), q.const(None))
            for each in self.orders
            if each.fields & written
        ]

    def total(self, e: ir.Fold) -> Total | None:
        """The total that is kept for a sum."""
        key = self.sum_key(e) if self._sum_slots else None
        return None if key is None else self._sum_slots.get(key)

    def _masked_flags(self) -> frozenset[int]:
        """Flags of many things that conditions on sets ask for."""
        found: set[int] = set()
        for node in walk(
            (
                self.program.definitions,
                self.program.doings,
                self.program.state_rules,
                self.program.always,
            )
        ):
            if not isinstance(node, (ir.Where, ir.AnyWhere)) or node.cond is None:
                continue
            for each in walk(node.cond):
                if not isinstance(each, ir.FieldGet) or len(each.fields) != 1:
                    continue
                declared = self.program.fields[each.fields[0]]
                count = self.program.kinds[declared.kind].count
                if (
                    declared.type.shape == "flag"
                    and declared.mutable
                    and declared.keys == 1
                    and not declared.temporary
                    and 8 <= count <= 60
                    and None not in declared.values
                    and isinstance(each.obj, ir.Local)
                    and each.obj.name == node.var
                ):
                    found.add(declared.index)
        return frozenset(found)

    def flag_mask(self, e: ir.FieldGet, var: str, kind: int) -> ast.expr | None:
        """The mask of the things for which a Flag is yes, if it is kept."""
        if len(e.fields) != 1 or e.fields[0] not in self.masked_flags:
            return None
        if not isinstance(e.obj, ir.Local) or e.obj.name != var:
            return None
        if self.program.fields[e.fields[0]].kind != kind:
            return None
        return q.state(q.const(self.derived.flag(e.fields[0])))

    def concerns(self, of: ir.Type) -> bool:
        """Can values of this type be interchangeable?"""
        return of.shape == "thing" and any(self.program.kinds[kind].alike for kind in of.kinds)

    def pile_slots(self) -> tuple[int, ...]:
        """The slot of each pile instance by its number."""
        layout = self.layout
        return (0, 0, *(layout.slot(field, owner) for field, owner in layout.piles))

    def moves_out(self, kind: int) -> bool:
        """Can a thing of this kind ever be in the box or in a pile?"""
        if kind not in self._moves_out:
            self._moves_out[kind] = any(
                move.dest.where not in ("thing", "none") and (not kinds or kind in kinds)
                for doing in self.program.doings
                for move in walk(doing.body)
                if isinstance(move, ir.Move)
                for kinds in ((move.what.type.elem or move.what.type).kinds,)
            ) or any(
                field.values
                for field in self.program.fields
                if field.index in self.piles_of(kind) and any(field.values)
            )
        return self._moves_out[kind]

    # --------------------------------------------------------------------------------- resuming

    def reentry(self, number: int) -> str:
        """Name of the second body of a function."""
        return f"z{number}"

    def resumable(self, name: str, doing: int) -> int:
        """Number of a new function that can be suspended."""
        self.resumables.append(Resumable(name, doing))
        return len(self.resumables) - 1


def canonical(node: Any, free: frozenset[str]) -> tuple[Any, tuple[str, ...]]:  # noqa: ANN401
    """A node with canonical names for locals, and the names that its free ones had, in order."""
    given: dict[str, str] = {}
    bound: dict[str, str] = {}

    def name_of(name: str) -> str:
        if name in bound:
            return bound[name]
        if name in free:
            return given.setdefault(name, f"$p{len(given)}")
        return name  # of a lasting block

    def change(each: object) -> object:
        match each:
            case ir.Local():
                return attrs.evolve(each, name=name_of(each.name))
            case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
                bound.setdefault(each.var, f"$b{len(bound)}")
                return attrs.evolve(rebuild(each, change), var=bound[each.var])  # type: ignore[misc]
            case ir.LetIn():
                bound.setdefault(each.name, f"$b{len(bound)}")
                return attrs.evolve(rebuild(each, change), name=bound[each.name])  # type: ignore[misc]
            case ir.Clause() if each.lets:
                for name, _ in each.lets:
                    bound.setdefault(name, f"$b{len(bound)}")
                made: Any = rebuild(each, change)
                lets = tuple((bound[name], value) for name, value in made.lets)
                return attrs.evolve(made, lets=lets)
        return rebuild(each, change)

    return change(node), tuple(given)


def _no_table(m: Module, e: ir.Expr) -> None:
    """Tables are not looked for."""
    del m, e


def _frozen(value: object) -> object:
    """A hashable twin of a table that keeps Flags and numbers apart."""
    if isinstance(value, dict):
        return tuple((_frozen(k), _frozen(v)) for k, v in value.items())
    if isinstance(value, (tuple, list)):
        return tuple(_frozen(item) for item in value)
    return (type(value).__name__, value)
