"""Lines that change something: names, fields, gains and losses, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.binding.context import BROKEN
from rulelang.diagnostics import Label
from rulelang.ir import Type
from rulelang.lowering.context import BROKEN_VALUE, is_broken
from rulelang.lowering.expressions import Expressions
from rulelang.lowering.names import RESERVED
from rulelang.lowering.scope import Scope, Var, key_of
from rulelang.ruletypes import is_collection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.lowering.context import DoingBuilder
    from rulelang.source import Span


class Changes(Expressions):
    """Lowers names that are bound, and lines that change something."""

    changed_names: set[str]

    def bind(
        self, ident: nodes.Ident, kind: Type, scope: Scope, *, changes: bool = False
    ) -> ir.Expr:
        """Bind a name; gives what reads it. A name that means something already is reported."""
        self.check_free(ident, scope)
        says = self.ctx.tables.type_by_name(ident.text)
        if says is not None and not is_broken(kind) and says.shape == "thing":
            held = kind.elem if is_collection(kind) and kind.elem is not None else kind
            if held.shape != "none" and not (
                held.shape == "thing" and set(held.kinds) <= set(says.kinds)
            ):
                self.ctx.error(
                    "name-in-use",
                    ident,
                    f"a name that says {self.ctx.say(says)} must hold one",
                    label=f"this is {self.ctx.say(kind)}",
                    advice="give it another name",
                )
        shared = scope.function.shared
        if ident.text in shared:
            value: ir.Expr = ir.GlobalGet(self._share(ident.text, kind, scope), type=kind)
        else:
            value = ir.Local(scope.function.fresh(ident.text), type=kind)
        scope.vars[ident.text] = Var(ident.text, value, ident.span, changes=changes)
        self.ctx.note(ident, kind)
        return value

    def _share(self, name: str, kind: Type, scope: Scope) -> int:
        shared = scope.function.shared
        if shared[name] < 0:
            doing = scope.function.doing
            phase = doing.phase if doing is not None and doing.phase is not None else doing
            assert phase is not None
            shared[name] = self.ctx.new_global(f"{phase.name}.{name}", kind, phase=phase.index)
        else:
            made = self.ctx.globals[shared[name]]
            joined = ruletypes.join(made.type, kind)
            if joined is not None:
                self.ctx.globals[shared[name]] = evolve(made, type=joined)
        return shared[name]

    def check_free(self, ident: nodes.Ident, scope: Scope, code: str = "name-in-use") -> bool:
        """Report a name that means something here already."""
        var = scope.vars.get(ident.text)
        symbol = self.ctx.symbol(ident.text)
        if ident.text in RESERVED:
            self.ctx.error("reserved-or-double-name", ident, f"`{ident.text}` is a reserved word")
            return False
        if var is None and symbol is None:
            return True
        place = var.span if var is not None else symbol.span if symbol is not None else None
        self.ctx.error(
            code,
            ident,
            f"`{ident.text}` already means something here",
            secondary=(self.label(place, "it is bound here"),) if place is not None else (),
            advice="use another name and a `when`"
            if code == "pattern-name-in-use"
            else "use another name",
        )
        return False

    @staticmethod
    def store(target: ir.Expr, value: ir.Expr, until: tuple[ir.Limit, ...] = ()) -> ir.Stmt:
        """Make the statement that gives a bound name a value."""
        if isinstance(target, ir.GlobalGet):
            return ir.SetGlobal(target.index, value, until)
        assert isinstance(target, ir.Local)
        return ir.Let(target.name, value)

    def _let(self, node: nodes.LetStmt, scope: Scope) -> list[ir.Stmt]:
        value = node.value
        if isinstance(value, nodes.GainStmt | nodes.LoseStmt):
            temp = scope.function.fresh(f"${node.name.text}")
            made = self._adjust(value, scope, temp)
            kind = ir.COUNT
        else:
            temp_expr, made = self.effectful(value, scope, node.name.text)
            if is_broken(temp_expr):
                self.bind(node.name, BROKEN, scope, changes=True)
                return made
            kind = temp_expr.type
            if not made:
                if temp_expr.type.shape == "none":
                    self.ctx.error("unguarded-none", node, "a name cannot be bound to `none` alone")
                target = self.bind(node.name, self._widened(node.name, kind), scope, changes=True)
                self._carry(temp_expr, target, scope)
                return [self.store(target, temp_expr)]
            assert isinstance(temp_expr, ir.Local)
            temp = temp_expr.name
        target = self.bind(node.name, self._widened(node.name, kind), scope, changes=True)
        if isinstance(target, ir.Local) and not any(isinstance(stmt, ir.Each) for stmt in made):
            return [*(_rename(stmt, temp, target.name) for stmt in made)]
        return [*made, self.store(target, ir.Local(temp, type=kind))]

    def _carry(self, value: ir.Expr, target: ir.Expr, scope: Scope) -> None:
        """A name bound to a set that is known to have members is known to have them too."""
        if scope.is_filled(value):
            key = key_of(target)
            if key is not None:
                scope.filled.add(key)

    def _widened(self, ident: nodes.Ident, kind: Type) -> Type:
        """A number whose name is changed later keeps no bounds."""
        if kind.shape == "number" and ident.text in self.changed_names:
            return Type("number", optional=kind.optional)
        return kind

    def effectful(
        self, node: nodes.Expr | nodes.Chance, scope: Scope, name: str, want: Type | None = None
    ) -> tuple[ir.Expr, list[ir.Stmt]]:
        """Lower what may stand right of `let` and `becomes`: a value, a draw, or the result of a
        doing.

        Gives the value and, for the last two, the statements that make it: it is then a new local.
        """
        if isinstance(node, nodes.Roll):
            return self._roll(node, scope, name)
        if isinstance(node, nodes.Pick):
            return self._pick(node, scope, name)
        called = (
            node.name
            if isinstance(node, nodes.Call)
            else node.ident
            if isinstance(node, nodes.Name)
            else None
        )
        if called is not None and called.text not in scope.vars:
            number = self.ctx.doing_numbers.get(called.text)
            symbol = self.ctx.symbol(called.text)
            bare = isinstance(node, nodes.Name) and symbol is not None and self._means_word(symbol)
            if (
                number is not None
                and symbol is not None
                and not (bare and self.ctx.doings[number].result is None)
            ):
                return self._result_of(
                    number, called, node.args if isinstance(node, nodes.Call) else (), scope, name
                )
        return self.expr(node, scope, want), []

    def _result_of(
        self, number: int, ident: nodes.Ident, args: Sequence[nodes.Expr], scope: Scope, name: str
    ) -> tuple[ir.Expr, list[ir.Stmt]]:
        doing = self.ctx.doings[number]
        if doing.result is None:
            self.ctx.error(
                "misplaced-do",
                ident,
                f"`{ident.text}` gives no result",
                advice=f"`do {ident.text}` on a line of its own",
            )
            return BROKEN_VALUE, []
        if scope.pure:
            self.ctx.error(
                "effect-in-expression",
                ident,
                f"`{ident.text}` does something and cannot stand here",
            )
            return BROKEN_VALUE, []
        lowered = self._doing_args(doing, ident, args, scope)
        if lowered is None:
            return BROKEN_VALUE, []
        temp = scope.function.fresh(f"${name}")
        scope.forget()
        return ir.Local(temp, type=doing.result), [ir.Call(number, lowered, temp)]

    def _roll(self, node: nodes.Roll, scope: Scope, name: str) -> tuple[ir.Expr, list[ir.Stmt]]:
        tables = self.ctx.tables
        number = tables.enum_numbers.get(node.enum.text)
        if number is None:
            self.ctx.unknown(node.enum, "enumeration", tables.enum_numbers)
            return BROKEN_VALUE, []
        enum = tables.enums[number]
        low = enum.low if enum.numeric else 0
        high = low + len(enum.words) - 1
        kind = tables.type_names[node.enum.text]
        by = self.value(node.by, scope, ruletypes.thing(0), "`by`") if node.by is not None else None
        count = (
            self.number(node.count, scope, "the number of dice") if node.count is not None else None
        )
        if (by is not None and is_broken(by)) or (count is not None and is_broken(count)):
            return BROKEN_VALUE, []
        temp = scope.function.fresh(f"${name}")
        path = self.draw_path(scope, name, node)
        span = self.ctx.span(node)
        whole = ir.Local(temp, type=ruletypes.list_of(kind) if count is not None else kind)
        event = self.roll_event(number, kind, path, span)
        if event is None:
            return whole, [ir.Roll(temp, low, high, path, count, number, by, span=span)]
        nobody = by if by is not None else ir.Const(None, type=ruletypes.thing(0, optional=True))
        scope.forget()
        if count is None:
            return whole, [ir.Call(event, (nobody,), temp)]
        one = scope.function.fresh("$die")
        loop = ir.Each(
            scope.function.fresh("$n"),
            ir.RangeSet(ir.Const(1), count, type=ruletypes.set_of(ir.NUMBER)),
            (
                ir.Call(event, (nobody,), one),
                ir.Let(
                    temp,
                    ir.Concat(
                        whole,
                        ir.MakeList((ir.Local(one, type=kind),), type=whole.type),
                        type=whole.type,
                    ),
                ),
            ),
        )
        return whole, [ir.Let(temp, ir.Const((), type=whole.type)), loop]

    def _pick(self, node: nodes.Pick, scope: Scope, name: str) -> tuple[ir.Expr, list[ir.Stmt]]:
        source = self.collection(node.source, scope, "`pick`")
        count = (
            self.number(node.count, scope, "the number picked") if node.count is not None else None
        )
        if is_broken(source) or (count is not None and is_broken(count)):
            return BROKEN_VALUE, []
        elem = source.type.elem or ir.NUMBER
        temp = scope.function.fresh(f"${name}")
        kind = ruletypes.set_of(elem) if count is not None else elem
        path = self.draw_path(scope, name, node)
        return ir.Local(temp, type=kind), [
            ir.Pick(temp, source, path, count, span=self.ctx.span(node))
        ]

    def _become(self, node: nodes.BecomeStmt, scope: Scope) -> list[ir.Stmt]:
        until = self.until(node.until, scope)
        place = node.place
        if isinstance(place, nodes.Name):
            return self._become_name(node, place, scope, until)
        if isinstance(place, nodes.Prop) and isinstance(place.owner, nodes.Name):
            phase = (
                self.phase_of(place.owner.ident.text)
                if place.owner.ident.text not in scope.vars
                else None
            )
            if phase is not None:
                return self._become_kept(node, phase, place.name, scope, until)
        if isinstance(place, nodes.Prop | nodes.PropCall):
            return self._become_field(node, place, scope, until)
        if isinstance(place, nodes.KindName):
            self.ctx.error(
                "created-component",
                place,
                "components are not made or changed as a whole",
                advice="use `move ... to ...`",
            )
            return []
        self.ctx.error(
            "wrong-arguments",
            place,
            "this cannot be changed",
            label="only names, fields and kept values can",
        )
        return []

    def _become_name(
        self, node: nodes.BecomeStmt, place: nodes.Name, scope: Scope, until: tuple[ir.Limit, ...]
    ) -> list[ir.Stmt]:
        name = place.ident.text
        var = scope.vars.get(name)
        if var is None:
            if self.ctx.symbol(name) is None:
                self.ctx.unknown(
                    place.ident,
                    "name",
                    scope.vars,
                    advice="bind it first: `let name = ...`",
                    meant=self.owned_as(name),
                )
            else:
                self.ctx.error(
                    "wrong-arguments",
                    place,
                    f"`{name}` cannot be changed",
                    label="it is declared as fixed",
                )
            return []
        if not var.changes:
            self.ctx.error(
                "untimely-change",
                place,
                f"`{name}` cannot be changed here",
                label="a parameter is changed by `before` rules, a result by `after` rules",
                advice="bind a name of your own with `let`",
            )
            return []
        target = var.value
        kind = (
            self.ctx.globals[target.index].type if isinstance(target, ir.GlobalGet) else target.type
        )
        value, made = self._new_value(node, kind, name, scope)
        if is_broken(value):
            return made
        if isinstance(target, ir.Local) and until:
            self.ctx.error(
                "impossible-duration",
                node,
                "a name bound here ends with its doing: `until` has no use",
            )
        scope.forget((target.name,) if isinstance(target, ir.Local) else ())
        var.used = True
        if isinstance(target, ir.GlobalGet) and until:
            self.ctx.temporary_globals.add(target.index)
        return [*made, self.store(target, value, until)]

    def _new_value(
        self, node: nodes.BecomeStmt, kind: Type, name: str, scope: Scope
    ) -> tuple[ir.Expr, list[ir.Stmt]]:
        value, made = self.effectful(node.value, scope, name, kind)
        return self.convert(value, kind, node.value, f"`{name}`"), made

    def _become_kept(
        self,
        node: nodes.BecomeStmt,
        phase: DoingBuilder,
        ident: nodes.Ident,
        scope: Scope,
        until: tuple[ir.Limit, ...],
    ) -> list[ir.Stmt]:
        number = phase.keeps.get(ident.text)
        if number is None:
            if ident.text in phase.param_globals:
                self.ctx.error(
                    "untimely-change",
                    ident,
                    f"`{ident.text}` is a parameter and cannot be changed here",
                )
            else:
                self.ctx.unknown(ident, f"kept value of the phase `{phase.name}`:", phase.keeps)
            return []
        value, made = self._new_value(node, self.ctx.globals[number].type, ident.text, scope)
        scope.forget()
        if until:
            self.ctx.temporary_globals.add(number)
        return made if is_broken(value) else [*made, ir.SetGlobal(number, value, until)]

    def _become_field(
        self,
        node: nodes.BecomeStmt,
        place: nodes.Prop | nodes.PropCall,
        scope: Scope,
        until: tuple[ir.Limit, ...],
    ) -> list[ir.Stmt]:
        owner = self.expr(place.owner, scope)
        found = self._target(owner, place.name, place)
        if found is None:
            return []
        obj, fields = found
        first = self.ctx.tables.fields[fields[0]]
        if first.pile or place.name.text == "place":
            self.ctx.error(
                "wrong-arguments",
                place.name,
                "a place is changed by moving",
                advice="`move ... to ...`",
            )
            return []
        kinds = [self.ctx.tables.fields[number].type for number in fields]
        kind = ruletypes.join_all(kinds) or BROKEN
        key: ir.Expr | None = None
        if isinstance(place, nodes.PropCall):
            if len(place.args) != 1 or not self._is_keyed(first):
                self.ctx.error(
                    "wrong-arguments", place, f"`{place.name.text}` takes no brackets here"
                )
                return []
            key = self.value(place.args[0], scope, self.key_type(fields[0]), "the key")
        elif self._is_keyed(first):
            self.ctx.error(
                "wrong-arguments",
                place,
                f"`{place.name.text}` has one value for each key: name one in brackets",
            )
            return []
        value, made = self._new_value(node, kind, place.name.text, scope)
        if is_broken(value) or (key is not None and is_broken(key)):
            return made
        out: list[ir.Stmt] = []
        if made:  # what stands left of `becomes` is evaluated first
            obj, out = self._held(obj, scope, out)
            if key is not None:
                key, out = self._held(key, scope, out)
        self.ctx.mark_written(fields)
        if until:
            self.ctx.temporary_fields.update(fields)
        scope.forget_fields(fields)
        if key is None and not made:
            scope.learn_value(ir.FieldGet(obj, fields, None, type=kind), value.type)
        return [*out, *made, ir.SetField(obj, fields, key, value, until)]

    @staticmethod
    def _is_keyed(field: ir.Field) -> bool:
        return field.keys != 1 or field.key_low != 0

    @staticmethod
    def _held(value: ir.Expr, scope: Scope, out: list[ir.Stmt]) -> tuple[ir.Expr, list[ir.Stmt]]:
        if isinstance(value, ir.Local | ir.Const):
            return value, out
        name = scope.function.fresh("$left")
        return ir.Local(name, type=value.type), [*out, ir.Let(name, value)]

    def _target(
        self, owner: ir.Expr, ident: nodes.Ident, node: nodes.Node
    ) -> tuple[ir.Expr, tuple[int, ...]] | None:
        """Find the field that a change is about; None, and a finding, if there is none."""
        if is_broken(owner):
            return None
        self.ctx.note(ident, owner.type)
        if owner.type.shape != "thing":
            self.ctx.error(
                "wrong-arguments",
                node,
                "only one thing at a time can be changed",
                label=f"this is {self.ctx.say(owner.type)}",
                advice="`each x in ...:` goes through a set",
            )
            return None
        fields = self.ctx.fields_named(owner.type.kinds, ident.text)
        if not fields:
            if all(self.has_property(kind, ident.text) for kind in owner.type.kinds):
                self.ctx.error(
                    "wrong-arguments",
                    ident,
                    f"`{ident.text}` is defined and cannot be changed",
                    label="only fields can",
                )
            else:
                self._no_property(owner, ident, its=False)
            return None
        owner = self.convert(owner, ruletypes.required(owner.type), node, "what is changed")
        return None if is_broken(owner) else (owner, fields)

    def _gain(self, node: nodes.GainStmt | nodes.LoseStmt, scope: Scope) -> list[ir.Stmt]:
        return self._adjust(node, scope, None)

    def _adjust(
        self, node: nodes.GainStmt | nodes.LoseStmt, scope: Scope, result: str | None
    ) -> list[ir.Stmt]:
        gains = isinstance(node, nodes.GainStmt)
        found = self._target(self.expr(node.who, scope), node.field, node.who)
        amount = self.number(node.amount, scope, "the amount")
        other_node = node.source if isinstance(node, nodes.GainStmt) else node.target
        other: ir.Expr | None = None
        other_fields: tuple[int, ...] = ()
        if other_node is not None and not (
            isinstance(other_node, nodes.Name) and other_node.ident.text == "supply"
        ):
            partner = self._target(self.expr(other_node, scope), node.field, other_node)
            if partner is None:
                return []
            other, other_fields = partner
            if node.until is not None:
                self.ctx.error("impossible-duration", node.until, "a transfer has no `until`")
        if found is None or is_broken(amount):
            return []
        obj, fields = found
        if any(
            self.ctx.tables.fields[number].type.shape != "number"
            for number in (*fields, *other_fields)
        ):
            self.ctx.error(
                "wrong-arguments",
                node.field,
                f"`{node.field.text}` is no number and cannot be gained or lost",
            )
            return []
        self._warn_range(node, obj, fields, amount, scope, gains=gains)
        until = self.until(node.until, scope)
        self.ctx.mark_written((*fields, *other_fields))
        sign: Literal[1, -1] = 1 if gains else -1
        event = self.adjust_event(fields, other_fields, gains=gains, up_to=node.up_to)
        if event is None or scope.function.raw:
            scope.forget_fields((*fields, *other_fields))
            return [
                ir.Adjust(obj, fields, sign, amount, node.up_to, other, other_fields, result, until)
            ]
        return self._adjust_call(
            event, obj, fields, amount, other, other_fields, sign, scope, result, up_to=node.up_to
        )

    def _adjust_call(
        self,
        event: int,
        obj: ir.Expr,
        fields: tuple[int, ...],
        amount: ir.Expr,
        other: ir.Expr | None,
        other_fields: tuple[int, ...],
        sign: Literal[1, -1],
        scope: Scope,
        result: str | None,
        *,
        up_to: bool,
    ) -> list[ir.Stmt]:
        out: list[ir.Stmt] = []
        obj, out = self._held(obj, scope, out)
        if other is not None:
            other, out = self._held(other, scope, out)
        if up_to:
            amount = self._room(amount, obj, fields, sign)
            if other is not None:
                amount = self._room(amount, other, other_fields, -sign)
        amount, out = self._held(amount, scope, out)
        args = (obj, amount) if other is None else (obj, amount, other)
        scope.forget()
        call = ir.Call(event, args, result)
        happens = ir.Compare("!=", amount, ir.Const(0, type=ir.COUNT), type=ir.FLAG)
        if isinstance(amount, ir.Const) and amount.value != 0:
            return [*out, call]
        nothing: ir.Block = (
            (ir.Let(result, ir.Const(0, type=ir.COUNT)),) if result is not None else ()
        )
        return [*out, ir.If(happens, (call,), nothing)]

    def _room(self, amount: ir.Expr, obj: ir.Expr, fields: tuple[int, ...], sign: int) -> ir.Expr:
        """Cut an amount down to what the range of a field leaves."""
        kind = (
            ruletypes.join_all([self.ctx.tables.fields[number].type for number in fields])
            or ir.NUMBER
        )
        bound = kind.hi if sign > 0 else kind.lo
        if bound is None:
            return amount
        value = ir.FieldGet(obj, fields, None, type=kind)
        edge = ir.Const(bound)
        room = ir.Arith("-", edge, value) if sign > 0 else ir.Arith("-", value, edge)
        return ir.Arith("min", amount, room, type=ir.COUNT)

    def _warn_range(
        self,
        node: nodes.GainStmt | nodes.LoseStmt,
        obj: ir.Expr,
        fields: tuple[int, ...],
        amount: ir.Expr,
        scope: Scope,
        *,
        gains: bool,
    ) -> None:
        if node.up_to or scope.function.raw or len(fields) != 1:
            return
        field = self.ctx.tables.fields[fields[0]]
        value = scope.refine(ir.FieldGet(obj, fields, None, type=field.type))
        if gains:
            safe = field.type.hi is None or (
                value.type.hi is not None
                and amount.type.hi is not None
                and value.type.hi + amount.type.hi <= field.type.hi
            )
        else:
            safe = (
                field.type.lo is None
                or (field.type.lo == 0 and scope.is_covered(value, amount))
                or (
                    value.type.lo is not None
                    and amount.type.hi is not None
                    and value.type.lo - amount.type.hi >= field.type.lo
                )
            )
        if not safe:
            verb = "gains" if gains else "loses"
            self.ctx.warning(
                "unguarded-range",
                node,
                f"`{node.field.text}` may leave its range {self.ctx.say(field.type)} here",
                label="nothing above tests it",
                advice=f"write `{verb} up to ...`, or test it first",
            )

    def _move(self, node: nodes.MoveStmt, scope: Scope) -> list[ir.Stmt]:
        what = self.expr(node.thing, scope)
        if is_broken(what):
            return []
        many = is_collection(what.type)
        elem = what.type.elem if many else what.type
        if elem is None or elem.shape == "none":
            return []
        if elem.shape != "thing":
            self.ctx.error(
                "wrong-arguments",
                node.thing,
                "only components move",
                label=f"this is {self.ctx.say(what.type)}",
            )
            return []
        if not many:
            what = self.convert(what, ruletypes.required(what.type), node.thing, "what moves")
        dest = self.dest(node.place, elem, scope)
        if dest is None or is_broken(what):
            return []
        self.ctx.mark_written(self.ctx.fields_named(elem.kinds, "place"))
        self.ctx.mark_written(dest.fields)
        event = None if scope.function.raw else self.move_event(elem, dest, self.ctx.span(node))
        scope.forget()
        if event is None:
            return [ir.Move(what, dest, many)]
        if not many:
            return [ir.Call(event, (what,) if dest.obj is None else (what, dest.obj))]
        out: list[ir.Stmt] = []
        obj = dest.obj
        if obj is not None:
            obj, out = self._held(obj, scope, out)
        one = scope.function.fresh("$thing")
        thing = ir.Local(one, type=elem)
        call = ir.Call(event, (thing,) if obj is None else (thing, obj))
        return [*out, ir.Each(one, what, (call,))]

    def dest(self, node: nodes.Expr, elem: Type, scope: Scope) -> ir.Dest | None:
        """Lower where something moves to."""
        if isinstance(node, nodes.Name) and node.ident.text in ("none", "box"):
            return ir.Dest("none" if node.ident.text == "none" else "box")
        if isinstance(node, nodes.Call) and node.name.text == "bottom" and len(node.args) == 1:
            return self._pile_dest(self.expr(node.args[0], scope), node, elem, "bottom")
        place = self.expr(node, scope)
        if is_broken(place):
            return None
        if is_collection(place.type):
            return self._pile_dest(place, node, elem, "top")
        held = self.places_of(elem, node)
        if held is None:
            return None
        if place.type.shape != "thing" or not ruletypes.surely_fits(
            ruletypes.required(place.type), ruletypes.required(held)
        ):
            self.ctx.error(
                "impossible-place",
                node,
                f"a {self.ctx.say(elem)} cannot be there",
                label=f"its places are {self.ctx.say(held)}, this is {self.ctx.say(place.type)}",
                advice="add the kind to its field `place`",
            )
            return None
        return ir.Dest("thing", place)

    def _pile_dest(self, pile: ir.Expr, node: nodes.Node, elem: Type, where: str) -> ir.Dest | None:
        if is_broken(pile):
            return None
        if not isinstance(pile, ir.FieldGet) or not all(
            self.ctx.tables.fields[number].pile for number in pile.fields
        ):
            self.ctx.error(
                "impossible-place",
                node,
                "this is no pile",
                label=f"it is {self.ctx.say(pile.type)}",
            )
            return None
        held = pile.type.elem
        if held is None or not set(elem.kinds) <= set(held.kinds):
            self.ctx.error(
                "impossible-place",
                node,
                f"a {self.ctx.say(elem)} cannot be in this pile",
                label=f"it holds {self.ctx.say(held) if held is not None else 'nothing'}",
            )
            return None
        obj = self.convert(pile.obj, ruletypes.required(pile.obj.type), node, "the owner of a pile")
        return (
            None
            if is_broken(obj)
            else ir.Dest("top" if where == "top" else "bottom", obj, pile.fields)
        )

    def _doing_args(
        self, doing: DoingBuilder, ident: nodes.Ident, args: Sequence[nodes.Expr], scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        doing.used = True
        if len(args) != len(doing.params):
            self.wrong_count(ident, [param.name for param in doing.params], len(args))
            return None
        lowered = self.args(args, doing.params, scope, doing.name)
        return None if is_broken(*lowered) else tuple(lowered)

    def until(self, node: nodes.Until | None, scope: Scope) -> tuple[ir.Limit, ...]:
        """Lower a duration."""
        raise NotImplementedError

    def adjust_event(
        self, fields: tuple[int, ...], other_fields: tuple[int, ...], *, gains: bool, up_to: bool
    ) -> int | None:
        """Give the doing of a gain or loss that some rule may wait for; None if none does."""
        raise NotImplementedError

    def move_event(self, elem: Type, dest: ir.Dest, span: ir.Span) -> int | None:
        """Give the doing of a move that some rule may wait for; None if none does."""
        raise NotImplementedError

    def roll_event(self, enum: int, kind: Type, path: str, span: ir.Span) -> int | None:
        """Give the doing of a roll that some rule may wait for; None if none does."""
        raise NotImplementedError

    @staticmethod
    def label(span: Span, text: str) -> Label:
        """Make a secondary label."""
        return Label(span, text)


def _rename(stmt: ir.Stmt, old: str, new: str) -> ir.Stmt:
    """Let a draw or call put what it gives into another local."""
    match stmt:
        case ir.Roll() | ir.Pick() if stmt.name == old:
            return evolve(stmt, name=new)
        case ir.Call() | ir.Adjust() if stmt.result == old:
            return evolve(stmt, result=new)
        case ir.If():
            return evolve(
                stmt,
                then=tuple(_rename(inner, old, new) for inner in stmt.then),
                orelse=tuple(_rename(inner, old, new) for inner in stmt.orelse),
            )
        case ir.Let() if stmt.name == old:
            return evolve(stmt, name=new)
        case _:
            return stmt
