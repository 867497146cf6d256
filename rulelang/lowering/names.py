"""What names, properties and calls in expressions stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.builtins import Builtins
from rulelang.lowering.context import BROKEN_VALUE, is_broken
from rulelang.lowering.scope import Function, Scope, Var
from rulelang.ruletypes import is_collection
from rulelang.suggest import nearest
from rulelang.symbols import snake_case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DefinitionBuilder, DoingBuilder
    from rulelang.symbols import PropertySymbol, Symbol

RESERVED = frozenset(
    ["none", "yes", "no", "it", "you", "this", "box", "supply", "random", "all", "nothing"]
)
PLAYER = 0


class Names(Builtins):
    """Resolves names; see the module text of :mod:`rulelang.lowering.expressions`."""

    # ---------------------------------------------------------------------------------- plain names

    def _name(self, node: nodes.Name, scope: Scope, want: Type | None) -> ir.Expr:
        text = node.ident.text
        if text in RESERVED:
            return self._reserved(node, scope)
        var = scope.vars.get(text)
        if var is not None:
            return scope.read(var)
        symbol = self.ctx.symbol(text)
        if symbol is not None and not self._means_word(symbol):
            return self._symbol(symbol, node.ident, scope)
        return self.word_or_id(node.ident, scope, want)

    def _means_word(self, symbol: Symbol) -> bool:
        """What is done, not read, leaves its name to a word or an id: the card and the phase
        `lookout` do not clash."""
        if symbol.form in ("option", "definition", "singleton"):
            return False
        if symbol.form == "table" and symbol.name not in self.ctx.doing_numbers:
            return False
        return symbol.name in self.ctx.tables.words or symbol.name in self.ctx.tables.ids

    def _reserved(self, node: nodes.Name, scope: Scope) -> ir.Expr:
        match node.ident.text:
            case "none":
                return ir.Const(None, type=ir.NONE)
            case "yes" | "no":
                return ir.Const(node.ident.text == "yes", type=ir.FLAG)
            case "it":
                if scope.it is not None:
                    return scope.refine(scope.it)
                self.ctx.error(
                    "misplaced-it",
                    node,
                    "`it` has a meaning only after `where`, `with`, `by` and in permissions asked of `it`",
                    advice="give the thing a name with `let`, or the condition one with `define`",
                )
            case "you":
                var = scope.vars.get("you")
                if var is not None:
                    return scope.read(var)
                self.ctx.error(
                    "ownerless-card",
                    node,
                    "`you` is the player who has a card, and there is none here",
                    advice="use the name of a parameter, or write the rule in a `card`",
                )
            case "this":
                if scope.this is not None:
                    return scope.this
                self.ctx.error(
                    "ownerless-card",
                    node,
                    "`this` is the card whose rule it is, and there is none here",
                )
            case "box":
                self.ctx.error("wrong-arguments", node, "`box` can stand after `at` and `to` only")
            case other:
                self.ctx.error("wrong-arguments", node, f"`{other}` is no value")
        return BROKEN_VALUE

    def _symbol(self, symbol: Symbol, ident: nodes.Ident, scope: Scope) -> ir.Expr:
        match symbol.form:
            case "option":
                self.ctx.use_option(symbol.number)
                return ir.OptionGet(symbol.number, type=self.ctx.tables.options[symbol.number].type)
            case "singleton":
                kind = self.ctx.tables.kinds[symbol.number]
                return ir.Const(kind.base, type=ruletypes.thing(symbol.number))
            case "definition" | "table":
                return self.call_definition(symbol, (), scope, ident)
            case "permission":
                self.ctx.error(
                    "misplaced-do",
                    ident,
                    f"`{ident.text}` is a permission and needs its arguments",
                    advice=f"`may {ident.text}(...)` asks whether it holds",
                )
            case "effect" | "phase":
                self._no_value(ident, symbol)
            case _:
                self.ctx.error("wrong-arguments", ident, f"`{ident.text}` is a rule, not a value")
        return BROKEN_VALUE

    def _no_value(self, ident: nodes.Ident, symbol: Symbol) -> None:
        gives = getattr(symbol.node, "result", None) is not None
        self.ctx.error(
            "effect-in-expression" if gives else "misplaced-do",
            ident,
            f"`{ident.text}` is a doing, not a value",
            advice=f"take its result on a line of its own: `let x = {ident.text}(...)`"
            if gives
            else f"`do {ident.text}` on a line of its own does it",
        )

    def _is_bare_word(self, node: nodes.Expr, scope: Scope) -> bool:
        return (
            isinstance(node, nodes.Name)
            and node.ident.text not in RESERVED
            and node.ident.text not in scope.vars
            and ((symbol := self.ctx.symbol(node.ident.text)) is None or self._means_word(symbol))
        )

    def word_or_id(self, ident: nodes.Ident, scope: Scope, want: Type | None) -> ir.Expr:
        """Give the word of an enumeration or the data row of this name, by the type expected."""
        tables = self.ctx.tables
        words, ids = tables.words.get(ident.text, []), tables.ids.get(ident.text, [])
        target = want
        while target is not None and is_collection(target) and target.elem is not None:
            target = target.elem
        if target is not None and target.shape in ("word", "bag", "thing"):
            fitting = [
                entry for entry in words if target.shape != "thing" and entry[0] == target.enum
            ]
            matching = [
                entry for entry in ids if target.shape == "thing" and entry[0] in target.kinds
            ]
            if fitting or matching:
                words, ids = fitting, matching
        if len(words) + len(ids) == 1:
            return self._word(*words[0]) if words else self._row(*ids[0])
        if words or ids:
            ways = [f"`{tables.enums[enum].name}.{ident.text}`" for enum, _ in words]
            ways += [f"`{tables.kinds[kind].name}.{ident.text}`" for kind, _ in ids]
            self.ctx.error(
                "ambiguous-word",
                ident,
                f"`{ident.text}` could be several things",
                advice=f"write {' or '.join(ways)}",
            )
            return BROKEN_VALUE
        if ident.text in self.built_in_names():
            self.ctx.error(
                "wrong-arguments",
                ident,
                f"`{ident.text}` is part of the language and needs its arguments",
                advice=f"write `{ident.text}(...)`",
            )
            return BROKEN_VALUE
        known = self.known_names(scope, target)
        near = nearest(ident.text, self._fitting(scope, target), limit=1)
        if near:
            self.ctx.unknown(ident, "name", known, nearer=near[0])
        else:
            self.ctx.unknown(ident, "name", known, meant=self.owned_as(ident.text))
        return BROKEN_VALUE

    def _fitting(self, scope: Scope, want: Type | None) -> list[str]:
        """Give the names of values of just the type that is expected: they say more than what others own."""
        if want is None or want.shape not in ("word", "thing"):
            return []
        tables = self.ctx.tables
        if want.shape == "word":
            words = [
                name
                for name, entries in tables.words.items()
                if any(enum == want.enum for enum, _ in entries)
            ]
        else:
            words = [
                name
                for name, entries in tables.ids.items()
                if any(kind in want.kinds for kind, _ in entries)
            ]
        here = [
            name for name, known in scope.vars.items() if ruletypes.fits(known.value.type, want)
        ]
        return [*here, *words]

    def owned_as(self, name: str) -> str | None:
        """Tell whose value has a name that stands alone: a phase keeps it, or things have it."""
        for doing in self.ctx.doings:
            if doing.kind == "phase" and name in doing.keeps:
                return f"`{doing.name}` keeps it: write `{doing.name}.{name}`"
        tables = self.ctx.tables
        for kind, field in tables.field_numbers:
            if field == name:
                owner = snake_case(self.ctx.kind_names[kind])
                return f"it belongs to a {self.ctx.kind_names[kind]}: write `{owner}.{name}`"
        for found in tables.properties.get(name, ()):
            return f"it is a property: write `{found.owner_name}.{name}`"
        says = tables.type_by_name(name)
        if says is not None and says.shape == "thing":
            whose = self.ctx.say(says)
            return f"nothing says which {whose} this is: a parameter, or `each {name} in {whose}`"
        return None

    def known_names(self, scope: Scope, want: Type | None) -> list[str]:
        """Give the names that could have been meant at a place."""
        known = [*scope.vars, *self.ctx.tables.symbols]
        if want is None or want.shape == "word":
            known += self.ctx.tables.words
        if want is None or want.shape == "thing":
            known += self.ctx.tables.ids
        return known

    def _word(self, enum: int, number: int) -> ir.Expr:
        return ir.Const(number, type=ruletypes.word(enum))

    def _row(self, kind: int, things: tuple[int, ...]) -> ir.Expr:
        single = ruletypes.thing(kind)
        if len(things) == 1:
            return ir.Const(things[0], type=single)
        return ir.Const(things, type=ruletypes.set_of(single))

    def _kind_name(self, node: nodes.KindName, scope: Scope, want: Type | None) -> ir.Expr:
        name = node.ident.text
        tables = self.ctx.tables
        kind = tables.type_names.get(name)
        if kind is None and name in tables.words:
            return self.word_or_id(node.ident, scope, want)
        if kind is None or name in ("Number", "Flag", "Text"):
            self.ctx.unknown(node.ident, "kind or enumeration", tables.type_names)
            return BROKEN_VALUE
        if kind.shape == "thing":
            alls: list[ir.Expr] = [
                ir.KindAll(k, type=ruletypes.set_of(ruletypes.thing(k))) for k in kind.kinds
            ]
            whole = alls[0]
            for more in alls[1:]:
                whole = ir.Union(
                    whole, more, type=ruletypes.join(whole.type, more.type) or whole.type
                )
            return whole
        enum = self.ctx.enum(tables.enum_numbers[name])
        first = enum.low if enum.numeric else 0
        return ir.Const(tuple(range(first, first + len(enum.words))), type=ruletypes.set_of(kind))

    # ----------------------------------------------------------------------------------- properties

    def _its(self, node: nodes.Its, scope: Scope, _want: Type | None) -> ir.Expr:
        if scope.it is None:
            self.ctx.error(
                "misplaced-it",
                node,
                "`its` has a meaning only after `where`, `with` and `by`",
                advice="write the thing's name and a dot",
            )
            return BROKEN_VALUE
        return self.property(scope.refine(scope.it), node.name, node.args, scope, its=True)

    def _prop(self, node: nodes.Prop, scope: Scope, want: Type | None) -> ir.Expr:
        if isinstance(node.owner, nodes.KindName):
            return self._of_kind(node.owner, node.name, scope, want)
        if isinstance(node.owner, nodes.Name) and node.owner.ident.text not in scope.vars:
            phase = self.phase_of(node.owner.ident.text)
            if phase is not None:
                return self.phase_value(phase, node.name, scope)
        return self.property(self.expr(node.owner, scope), node.name, None, scope)

    def _prop_call(self, node: nodes.PropCall, scope: Scope, _want: Type | None) -> ir.Expr:
        owner = node.owner
        if isinstance(owner, nodes.Name) and owner.ident.text not in scope.vars:
            phase = self.phase_of(owner.ident.text)
            if phase is not None:
                return self._apply(
                    self.phase_value(phase, node.name, scope), node.args, scope, node
                )
        return self.property(self.expr(owner, scope), node.name, node.args, scope)

    def phase_of(self, name: str) -> DoingBuilder | None:
        """Find a phase by name."""
        number = self.ctx.doing_numbers.get(name)
        found = self.ctx.doings[number] if number is not None else None
        return found if found is not None and found.kind == "phase" else None

    def phase_value(self, phase: DoingBuilder, ident: nodes.Ident, scope: Scope) -> ir.Expr:
        """Read a kept value or parameter of a phase from outside its text."""
        number = phase.keeps.get(ident.text, phase.param_globals.get(ident.text))
        if number is None:
            self.ctx.unknown(
                ident, f"value of the phase `{phase.name}`:", [*phase.keeps, *phase.param_globals]
            )
            return BROKEN_VALUE
        return scope.refine(ir.GlobalGet(number, type=self.ctx.globals[number].type))

    def _of_kind(
        self, owner: nodes.KindName, ident: nodes.Ident, scope: Scope, want: Type | None
    ) -> ir.Expr:
        tables = self.ctx.tables
        name = owner.ident.text
        enum = tables.enum_numbers.get(name)
        if enum is not None:
            for number, word in tables.words.get(ident.text, []):
                if number == enum:
                    return self._word(enum, word)
        kind = tables.kind_numbers.get(name)
        if kind is not None:
            for number, things in tables.ids.get(ident.text, []):
                if number == kind:
                    return self._row(kind, things)
        return self.property(self._kind_name(owner, scope, want), ident, None, scope)

    def property(
        self,
        owner: ir.Expr,
        ident: nodes.Ident,
        args: tuple[nodes.Expr, ...] | None,
        scope: Scope,
        *,
        its: bool = False,
    ) -> ir.Expr:
        """Read a property: a field, a built-in one, or a definition; of a set the list of it for
        each member."""
        if is_broken(owner):
            return BROKEN_VALUE
        kind = owner.type
        self.ctx.note(ident, kind)
        if is_collection(kind):
            return self._of_each(owner, ident, args, scope)
        if kind.shape == "bag" and ident.text in ("symbols", "largest"):
            if ident.text == "largest":
                return ir.BagLargest(owner, type=ir.COUNT)
            return ir.BagWords(owner, type=ruletypes.set_of(ruletypes.word(kind.enum)))
        if kind.shape == "bag" and self._is_word_plural(kind.enum, ident.text):
            return ir.BagWords(owner, type=ruletypes.set_of(ruletypes.word(kind.enum)))
        if kind.shape == "word":
            found = self.property_of(kind, ident.text)
            if found is not None:
                return self._call_property(found, owner, ident, args, scope)
        if kind.shape != "thing":
            advice = "give the condition a name with `define`" if its else None
            self.ctx.error(
                "misplaced-it" if its else "unknown-property",
                ident,
                f"{self.ctx.say(kind)} has no property `{ident.text}`",
                label="only components and words have properties",
                advice=advice,
            )
            return BROKEN_VALUE
        return self._of_things(owner, ident, args, scope, its=its)

    def _is_word_plural(self, enum: int, name: str) -> bool:
        return name == f"{self.ctx.enum(enum).name.lower()}s"

    def _of_each(
        self, owner: ir.Expr, ident: nodes.Ident, args: tuple[nodes.Expr, ...] | None, scope: Scope
    ) -> ir.Expr:
        elem = owner.type.elem
        if elem is None or elem.shape == "none":
            return ir.Const((), type=ir.Type("list", elem=ir.NONE))
        var = scope.function.fresh("each")
        inner = scope.child()
        body = self.property(ir.Local(var, type=elem), ident, args, inner)
        if is_broken(body):
            return BROKEN_VALUE
        flat = is_collection(body.type)
        member = body.type.elem if flat else body.type
        return ir.Map(owner, var, body, flat=flat, type=ruletypes.list_of(member or ir.NUMBER))

    def _of_things(
        self,
        owner: ir.Expr,
        ident: nodes.Ident,
        args: tuple[nodes.Expr, ...] | None,
        scope: Scope,
        *,
        its: bool,
    ) -> ir.Expr:
        kinds = owner.type.kinds
        fields = self.ctx.fields_named(kinds, ident.text)
        if fields:
            return self._read_field(owner, fields, ident, args, scope)
        if kinds == (PLAYER,) and ident.text in ("left", "right", "seat"):
            return self._seat(owner, ident.text)
        found = self.property_of(ruletypes.required(owner.type), ident.text)
        if found is not None:
            return self._call_property(found, owner, ident, args, scope)
        arms: list[tuple[tuple[int, ...], ir.Expr]] = []
        if len(kinds) > 1 and all(self.has_property(kind, ident.text) for kind in kinds):
            for kind in kinds:
                part = evolve(owner, type=ruletypes.thing(kind, optional=owner.type.optional))
                arms.append(((kind,), self._of_things(part, ident, args, scope, its=its)))
        if arms:
            return self._by_kind(owner, arms)
        self._no_property(owner, ident, its=its)
        return BROKEN_VALUE

    def _no_property(self, owner: ir.Expr, ident: nodes.Ident, *, its: bool) -> None:
        kinds = owner.type.kinds
        lacking = [kind for kind in kinds if not self.has_property(kind, ident.text)]
        kind = (lacking or kinds)[0]
        if len(lacking) < len(kinds) and len(kinds) > 1:
            self.ctx.error(
                "unknown-property",
                ident,
                f"a {self.ctx.kind_names[kind]} has no `{ident.text}`",
                label=f"this may be {self.ctx.say(owner.type)}",
                advice="test the kind first: `if ... is Kind:`",
            )
            return
        known = [name for number, name in self.ctx.tables.field_numbers if number == kind]
        known += [
            name
            for name, found in self.ctx.tables.properties.items()
            if any(kind in p.owner.kinds for p in found)
        ]
        close = self.nearest(ident.text, known)
        called = self.ctx.symbol(ident.text)
        advice = f"did you mean `{close}`?" if close else None
        if called is not None and called.form in ("definition", "table"):
            advice = f"`{ident.text}` is declared without a dot: `{ident.text}(...)`"
        elif its:
            advice = (
                advice
                or "`it` is the thing looked at by the innermost `where`; name an outer one with `define`"
            )
        self.ctx.error(
            "unknown-property",
            ident,
            f"a {self.ctx.kind_names[kind]} has no `{ident.text}`",
            advice=advice,
        )

    def _by_kind(self, owner: ir.Expr, arms: Sequence[tuple[tuple[int, ...], ir.Expr]]) -> ir.Expr:
        if any(is_broken(value) for _, value in arms):
            return BROKEN_VALUE
        joined = ruletypes.join_all([value.type for _, value in arms])
        if joined is None:
            return BROKEN_VALUE
        tests = tuple((ir.IsKind(owner, kinds, type=ir.FLAG), value) for kinds, value in arms[:-1])
        return ir.Case(tests, arms[-1][1], type=joined)

    def has_property(self, kind: int, name: str) -> bool:
        """Tell whether things of a kind have a field or defined property of this name."""
        return (
            self.ctx.field(kind, name) is not None
            or self.property_of(ruletypes.thing(kind), name) is not None
        )

    def property_of(self, owner: Type, name: str) -> PropertySymbol | None:
        """Find the definition of a property that covers all of a type; the narrowest if several
        do."""
        fitting = [
            found
            for found in self.ctx.tables.properties.get(name, [])
            if found.owner.shape == owner.shape
            and (
                set(owner.kinds) <= set(found.owner.kinds)
                if owner.shape == "thing"
                else owner.enum == found.owner.enum
            )
        ]
        return min(fitting, key=lambda found: len(found.owner.kinds), default=None)

    def _read_field(
        self,
        owner: ir.Expr,
        fields: tuple[int, ...],
        ident: nodes.Ident,
        args: tuple[nodes.Expr, ...] | None,
        scope: Scope,
    ) -> ir.Expr:
        first = self.ctx.tables.fields[fields[0]]
        joined = ruletypes.join_all([self.ctx.tables.fields[number].type for number in fields])
        if joined is None:
            self.ctx.error(
                "unknown-property", ident, f"`{ident.text}` is of different types for these kinds"
            )
            return BROKEN_VALUE
        kind = ruletypes.or_none(joined) if owner.type.optional else joined
        if first.keys == 1 and first.key_low == 0:
            found = scope.refine(ir.FieldGet(owner, fields, None, type=kind))
            return found if args is None else self._apply(found, args, scope, ident)
        if args is None or len(args) != 1:
            self.ctx.error(
                "wrong-arguments",
                ident,
                f"`{ident.text}` has one value for each key",
                advice=f"write the key in brackets: `{ident.text}(...)`",
            )
            return BROKEN_VALUE
        key = self.value(args[0], scope, self.key_type(fields[0]), "the key")
        if is_broken(key):
            return BROKEN_VALUE
        return scope.refine(ir.FieldGet(owner, fields, key, type=kind))

    def key_type(self, field: int) -> Type:
        """Give the type of the keys of a keyed field."""
        node = self.ctx.tables.field_nodes.get(field)
        if node is not None and isinstance(node.type, nodes.KeyedType):
            found = self.ctx.tables.type_names.get(node.type.key.text)
            if found is not None:
                return found
        return ir.NUMBER

    def _apply(
        self, value: ir.Expr, args: Sequence[nodes.Expr], scope: Scope, node: nodes.Node
    ) -> ir.Expr:
        """Read a bag for a word: the only value that can be called."""
        if is_broken(value):
            return BROKEN_VALUE
        if value.type.shape == "bag" and len(args) == 1:
            word = self.value(args[0], scope, ruletypes.word(value.type.enum), "the word of a bag")
            return BROKEN_VALUE if is_broken(word) else ir.BagItem(value, word, type=ir.COUNT)
        self.ctx.error("wrong-arguments", node, f"{self.ctx.say(value.type)} takes no brackets")
        return BROKEN_VALUE

    def _seat(self, owner: ir.Expr, name: str) -> ir.Expr:
        seats = self.ctx.tables.seats
        step = {"left": 1, "right": seats - 1}.get(name)
        if step is None:
            return ir.Arith(
                "+", owner, ir.Const(1, type=ir.COUNT), type=ir.Type("number", lo=1, hi=seats)
            )
        kind = ruletypes.thing(PLAYER)
        rows = tuple(
            ((frozenset((seat,)),), ir.Const((seat + step) % seats, type=kind))
            for seat in range(seats)
        )
        return ir.Switch((owner,), rows, type=kind)

    # ---------------------------------------------------------------------------------- definitions

    def _call_property(
        self,
        found: PropertySymbol,
        owner: ir.Expr,
        ident: nodes.Ident,
        args: tuple[nodes.Expr, ...] | None,
        scope: Scope,
    ) -> ir.Expr:
        builder = self.ready(found.node)
        if owner.type.optional:
            name = scope.function.fresh("some")
            inner = ir.Local(name, type=ruletypes.required(owner.type))
            called = self._finish_call(builder, [inner], args, scope, ident)
            if is_broken(called):
                return BROKEN_VALUE
            kind = ruletypes.or_none(called.type)
            absent = ir.Compare(
                "==", ir.Local(name, type=owner.type), ir.Const(None, type=ir.NONE), type=ir.FLAG
            )
            nothing = ir.Const(() if is_collection(kind) else None, type=kind)
            return ir.LetIn(
                name, owner, ir.Case(((absent, nothing),), called, type=kind), type=kind
            )
        called = self._finish_call(builder, [owner], args, scope, ident)
        return scope.refine(called)

    def call_definition(
        self, symbol: Symbol, args: Sequence[nodes.Expr], scope: Scope, ident: nodes.Ident
    ) -> ir.Expr:
        """Call a definition or value table by name."""
        if symbol.form == "table" and symbol.name in self.ctx.doing_numbers:
            self.ctx.error(
                "misplaced-do",
                ident,
                f"`{symbol.name}` is a table of doings",
                advice=f"`do {symbol.name}(...)`",
            )
            return BROKEN_VALUE
        builder = self.ready(symbol.node)
        return scope.refine(self._finish_call(builder, [], tuple(args), scope, ident))

    def call_with_first(
        self,
        symbol: Symbol,
        first: ir.Expr,
        args: Sequence[nodes.Expr],
        scope: Scope,
        ident: nodes.Ident,
    ) -> ir.Expr:
        """Call a definition whose first argument is given."""
        builder = self.ready(symbol.node)
        return self._finish_call(builder, [first], tuple(args), scope, ident)

    def _finish_call(
        self,
        builder: DefinitionBuilder,
        given: list[ir.Expr],
        args: tuple[nodes.Expr, ...] | None,
        scope: Scope,
        ident: nodes.Ident,
    ) -> ir.Expr:
        builder.used = True
        params = builder.params
        if len(given) + len(args or ()) != len(params):
            self.wrong_count(ident, [param.name for param in params[len(given) :]], len(args or ()))
            return BROKEN_VALUE
        lowered = [
            self.convert(
                value, param.type, ident, f"the argument `{param.name}` of `{builder.name}`"
            )
            for value, param in zip(given, params, strict=False)
        ]
        lowered += self.args(args or (), params[len(given) :], scope, builder.name)
        if is_broken(*lowered) or is_broken(builder.result):
            return BROKEN_VALUE
        return ir.CallDef(builder.index, tuple(lowered), type=builder.result)

    def args(
        self, args: Sequence[nodes.Expr], params: Sequence[ir.Param], scope: Scope, name: str
    ) -> list[ir.Expr]:
        """Lower arguments against parameters (equally many)."""
        return [
            self.value(arg, scope, param.type, f"the argument `{param.name}` of `{name}`")
            for arg, param in zip(args, params, strict=True)
        ]

    def wrong_count(self, ident: nodes.Ident, names: Sequence[str], given: int) -> None:
        """Report a wrong number of arguments."""
        wanted = ", ".join(names)
        self.ctx.error(
            "wrong-arguments",
            ident,
            f"`{ident.text}` takes {len(names)} argument{'s' if len(names) != 1 else ''}, and {given} "
            f"{'are' if given != 1 else 'is'} given",
            advice=f"write `{ident.text}({wanted})`"
            if names
            else f"write `{ident.text}` without brackets",
        )

    def _call(self, node: nodes.Call, scope: Scope, want: Type | None) -> ir.Expr:
        name = node.name.text
        if name == "it" and scope.it is not None:
            return self._apply(scope.refine(scope.it), node.args, scope, node)
        var = scope.vars.get(name)
        if var is not None:
            return self._apply(scope.read(var), node.args, scope, node)
        built_in = self.built_in(name)
        if built_in is not None:
            return built_in(node, scope, want)
        symbol = self.ctx.symbol(name)
        if symbol is None:
            self._unknown_call(node, scope)
            return BROKEN_VALUE
        if symbol.form in ("definition", "table"):
            return self.call_definition(symbol, node.args, scope, node.name)
        return self._symbol(symbol, node.name, scope)

    def _unknown_call(self, node: nodes.Call, scope: Scope) -> None:
        name = node.name.text
        if name in self.ctx.tables.properties and len(node.args) >= 1:
            self.ctx.error(
                "unknown-name",
                node.name,
                f"`{name}` is a property and is read with a dot",
                advice=f"write `{node.args[0].span.text}.{name}`",
            )
            return
        callable_names = [
            *(
                symbol.name
                for symbol in self.ctx.tables.symbols.values()
                if symbol.form in ("definition", "table")
            ),
            *self.built_in_names(),
        ]
        del scope
        self.ctx.unknown(node.name, "definition", callable_names)

    def _allowed(self, node: nodes.Allowed, scope: Scope, _want: Type | None) -> ir.Expr:
        symbol = self.ctx.symbol(node.name.text)
        if symbol is None or symbol.form != "permission":
            known = [
                found.name
                for found in self.ctx.tables.symbols.values()
                if found.form == "permission"
            ]
            self.ctx.unknown(node.name, "permission", known)
            return BROKEN_VALUE
        builder = self.ready(symbol.node)
        return self._finish_call(builder, [], node.args, scope, node.name)

    # --------------------------------------------------------------- lowering definitions on demand

    def ready(self, node: nodes.Node) -> DefinitionBuilder:
        """Give a definition, permission or value table with its parameters and result known."""
        builder = self.ctx.definitions[self.ctx.definition_numbers[id(node)]]
        if self.ctx.noted is not None:
            self.ctx.noted.calls.setdefault(builder.index, builder)
        if builder.state == "open":
            assert builder.node is not None
            self.ctx.error(
                "circular-definition",
                builder.node.head if isinstance(builder.node, nodes.DefineDecl) else builder.node,
                f"the definition of `{builder.name}` goes in a circle",
                label="it reads itself, perhaps through others",
                advice="definitions have to end: let one of them read fields only",
            )
            return builder
        if builder.state == "new":
            builder.state = "open"
            with self.ctx.aloud():  # lowered once: what is wrong in it is said now or never
                self.fill_definition(builder)
            builder.state = "done"
        return builder

    def fill_definition(self, builder: DefinitionBuilder) -> None:
        """Give a definition its value; done by the class that knows declarations."""
        raise NotImplementedError

    def param_scope(self, params: Sequence[ir.Param], function: Function) -> Scope:
        """Make the scope of a function from its parameters."""
        scope = Scope(function)
        for param in params:
            function.fresh(param.name)
            scope.vars[param.name] = Var(param.name, ir.Local(param.name, type=param.type))
        return scope
