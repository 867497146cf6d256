"""Definitions and expressions that are lowered once for many sets of variants and numbers of seats.

A set of variants changes a few declarations of the base. Almost all definitions, and expressions in doings and rules,
become what they became before, and that is kept here while a ruleset is checked. The rule that makes this sound:

    What a definition, permission or value table becomes follows from its syntax tree, from the parameters that it
    was declared with, from what every word in it means, from what the definitions that it calls give, and from what
    other declarations change in it.

    What an expression becomes follows from its syntax tree, from the type that is expected, from what every word in it
    means, from what the definitions that it calls give, and from its place: what the names that are bound there stand
    for, what is known there, and how many names the function has given out.

What a word means is all that is declared under it, in whatever namespace (`Meanings`): so nothing of what lowering
looks up has to be noted, and a new kind of declaration that expressions can read has to be added in one place, there.
What is lowered with a finding is not kept: findings may name anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import frozen

from rulelang import ir, nodes
from rulelang.checker.graph import expressions
from rulelang.lowering.context import Noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.lowering.context import Context, DefinitionBuilder
    from rulelang.lowering.scope import Scope

    Key = tuple[object, ...]
    Lower = Callable[[nodes.Expr, Scope, ir.Type | None], ir.Expr]

MAX_WAYS: Final = 12
"""So many ways in which one definition was lowered are kept: those that were found last."""

_PLACE: Final = "place"
"""The field that `at` reads, whatever words stand there."""
_DRAWS: Final = "random"
"""What makes an expression draw: it then adds lines to the function that it stands in."""
_PLAIN: Final = frozenset((type(None), ir.Local, ir.GlobalGet, ir.Const))
"""Values without parts, and so without places but their own, which each expression has for itself."""
_GIVEN: Final = ("it", "each", "some")
"""The names that expressions ask a function for."""


@frozen(eq=False)
class Uses:
    """What was used to lower something.

    Attributes:
        calls: The definitions that it calls, in order: tree, number and result. Their parameters are part of what
            their names mean.
        enums: The enumerations of which all words count, by number.
        options: The options that it reads, by number.
        during: The doings that it asks of whether they run, by number.
    """

    calls: tuple[tuple[nodes.Node, int, ir.Type], ...]
    enums: tuple[tuple[int, ir.Enum], ...]
    options: tuple[int, ...]
    during: tuple[int, ...]


@frozen(eq=False)
class Lowered:
    """What a definition became."""

    uses: Uses
    result: ir.Type
    general: ir.Expr
    clauses: tuple[ir.Clause, ...]
    needs: tuple[ir.Need, ...]
    cites: tuple[str, ...]


@frozen(eq=False)
class Value:
    """What an expression became.

    Attributes:
        read: The names that are bound at its place and that it reads.
        given: How many names the function has given out afterwards, for each of those that expressions ask for.
    """

    uses: Uses
    expr: ir.Expr
    read: tuple[str, ...]
    given: dict[str, int]


class Memo:
    """What definitions and expressions of one ruleset became, for the next set of variants."""

    def __init__(self) -> None:
        """Know nothing."""
        self.definitions: dict[Key, list[Lowered]] = {}
        self.values: dict[Key, Value] = {}
        self._held: dict[int, ir.Expr] = {}
        self._parts: dict[int, tuple[ir.Expr, ...]] = {}
        self._numbers: dict[Key, int] = {}
        self._words: dict[nodes.Node, tuple[str, ...]] = {}

    def number(self, meaning: Key) -> int:
        """Give the number of a meaning: the same for the same."""
        return self._numbers.setdefault(meaning, len(self._numbers))

    def hold(self, expr: ir.Expr) -> None:
        """Keep an expression that several sets of variants have, so that what is found out about it is kept too."""
        self._held[id(expr)] = expr

    def parts(self, expr: ir.Expr) -> tuple[ir.Expr, ...] | None:
        """Give an expression that is held with all in it; None if it is not held."""
        found = self._parts.get(id(expr))
        if found is None and id(expr) in self._held:
            found = self._parts[id(expr)] = tuple(expressions(expr))
        return found

    def words(self, node: nodes.Node) -> tuple[str, ...]:
        """Give the words of a declaration or expression, with those that it reads without saying so."""
        found = self._words.get(node)
        if found is None:
            names = {part.text for part in nodes.walk(node) if isinstance(part, nodes.Ident)}
            found = self._words[node] = tuple(sorted(names | {_PLACE}))
        return found


class Meanings(dict[str, int]):
    """What words mean in one set of variants, for one number of seats: the same number for the same."""

    def __init__(self, ctx: Context, memo: Memo) -> None:
        """Take what is declared; all definitions and doings have their numbers and parameters."""
        super().__init__()
        self._ctx = ctx
        self._memo = memo
        self._fields: dict[str, list[tuple[int, int]]] = {}
        for (kind, name), number in ctx.tables.field_numbers.items():
            self._fields.setdefault(name, []).append((kind, number))

    def of(self, node: nodes.Node) -> Key:
        """Give the meanings of all words in a declaration or expression, which say whether any has changed."""
        return tuple(map(self.__getitem__, self._memo.words(node)))

    def __missing__(self, word: str) -> int:
        """Find out what a word means."""
        tables = self._ctx.tables
        meaning = (
            self._symbol(word),
            self._doing(word),
            tuple(tables.words.get(word, ())),
            tuple(tables.ids.get(word, ())),
            tables.type_names.get(word),
            tables.enum_numbers.get(word),
            tables.kind_numbers.get(word),
            tuple(self._field(kind, number) for kind, number in self._fields.get(word, ())),
            tuple(
                (found.owner, self._definition(found.node))
                for found in tables.properties.get(word, ())
            ),
            tables.seats if word in ("left", "right", "seat") else None,
        )
        found = self[word] = self._memo.number(meaning)
        return found

    def _symbol(self, word: str) -> object:
        tables = self._ctx.tables
        symbol = tables.symbols.get(word)
        if symbol is None:
            return None
        match symbol.form:
            case "option":
                more: object = tables.options[symbol.number].type
            case "singleton":
                more = tables.kinds[symbol.number].base
            case _:
                more = self._definition(symbol.node)
        return symbol.form, symbol.number, symbol.node, more

    def _definition(self, node: nodes.Node) -> object:
        number = self._ctx.definition_numbers.get(id(node))
        if number is None:
            return None
        return node, number, tuple(self._ctx.definitions[number].params)

    def _doing(self, word: str) -> object:
        ctx = self._ctx
        number = ctx.doing_numbers.get(word)
        if number is None:
            return None
        doing = ctx.doings[number]
        kept = (*doing.keeps.items(), *doing.param_globals.items())
        return (
            number,
            doing.kind,
            tuple((name, made, ctx.globals[made].type) for name, made in kept),
        )

    def _field(self, kind: int, number: int) -> object:
        tables = self._ctx.tables
        read = tables.fields[number]
        node = tables.field_nodes.get(number)
        keyed = node.type if node is not None else None
        by = tables.type_names.get(keyed.key.text) if isinstance(keyed, nodes.KeyedType) else None
        empty = read.pile and not any(read.values)
        return kind, number, read.type, read.keys, read.key_low, empty, by


class Recall:
    """Definitions and expressions of one set of variants, from a memo where it has them."""

    def __init__(self, ctx: Context, memo: Memo, ready: Callable[[nodes.Node], object]) -> None:
        """Take what is declared, and what sees to it that a definition has its value."""
        self._ctx = ctx
        self._memo = memo
        self._ready = ready
        self._meanings = Meanings(ctx, memo)

    # ------------------------------------------------------------------ definitions

    def fill(
        self, builder: DefinitionBuilder, changed: Key, lower: Callable[[DefinitionBuilder], None]
    ) -> None:
        """Fill a definition with what it was lowered to before, or lower it.

        Args:
            builder: The definition, with its number and parameters.
            changed: What other declarations change in it.
            lower: Lowers it.
        """
        node = builder.node
        if node is None:
            raise ValueError(builder.name)
        key = (node, tuple(builder.params), self._meanings.of(node), changed)
        ways = self._memo.definitions.setdefault(key, [])
        for way in ways:
            if self._holds(way.uses):
                self._note(way.uses)
                builder.result, builder.general, builder.cites = way.result, way.general, way.cites
                builder.clauses, builder.needs = list(way.clauses), list(way.needs)
                return
        uses = self.noted(lambda: lower(builder))
        if uses is not None:
            made = Lowered(
                uses,
                builder.result,
                builder.general,
                tuple(builder.clauses),
                tuple(builder.needs),
                builder.cites,
            )
            for expr in (made.general, *(need.cond for need in made.needs)):
                self._memo.hold(expr)
            ways.insert(0, made)
            del ways[MAX_WAYS:]

    # ------------------------------------------------------------------ expressions

    def value(self, node: nodes.Expr, scope: Scope, want: ir.Type | None, lower: Lower) -> ir.Expr:
        """Give what an expression of a doing or rule was lowered to before at such a place, or lower it.

        Args:
            node: The expression.
            scope: Its place.
            want: The type that is expected.
            lower: Lowers it.
        """
        words, bound, function = self._memo.words(node), scope.vars, scope.function
        names = [word for word in words if word in bound]
        values = (scope.it, scope.this, *[bound[name].value for name in names])
        if _DRAWS in words or not _PLAIN.issuperset([value.__class__ for value in values]):
            return lower(node, scope, want)
        seen = function.seen
        key = (
            node,
            want,
            self._meanings.of(node),
            *names,
            values,
            tuple(scope.facts.items()),
            frozenset(scope.filled) if scope.filled else None,
            frozenset(scope.covers) if scope.covers else None,
            function.raw,
            seen.get("it"),
            seen.get("each"),
            seen.get("some"),
        )
        known = self._memo.values.get(key)
        if known is not None and self._holds(known.uses):
            self._note(known.uses)
            for name in known.read:
                bound[name].used = True
            seen.update(known.given)
            return known.expr
        before = [name for name in names if bound[name].used]
        for name in names:
            bound[name].used = False
        made: list[ir.Expr] = []
        uses = self.noted(lambda: made.append(lower(node, scope, want)))
        read = tuple(name for name in names if bound[name].used)
        for name in before:
            bound[name].used = True
        if uses is not None:
            given: dict[str, int] = {name: seen[name] for name in _GIVEN if name in seen}
            self._memo.values[key] = Value(uses, made[0], read, given)
            self._memo.hold(made[0])
        return made[0]

    # ------------------------------------------------------------------ both

    def noted(self, lower: Callable[[], object]) -> Uses | None:
        """Lower something; gives what it uses, None after a finding."""
        ctx = self._ctx
        before, ctx.noted = ctx.noted, Noted()
        lower()
        noted, ctx.noted = ctx.noted, before
        if noted.found:
            return None
        calls = tuple(
            (called.node, called.index, called.result)
            for called in noted.calls.values()
            if called.node is not None
        )
        enums = tuple(noted.enums.items())
        return Uses(calls, enums, tuple(noted.options), tuple(noted.during))

    def _holds(self, uses: Uses) -> bool:
        """Tell whether all that was called gives what it gave then.

        It is made ready one after the other, and no further than the first that does not: so far lowering would go
        the same way, and ask for the same.
        """
        enums, definitions = self._ctx.tables.enums, self._ctx.definitions
        if any(number >= len(enums) or enums[number] != enum for number, enum in uses.enums):
            return False
        for node, number, result in uses.calls:
            called = definitions[number]
            if called.state == "new":
                self._ready(node)
            if called.state == "open" or called.node is not node or called.result != result:
                return False
        return True

    def _note(self, uses: Uses) -> None:
        """Note what is used, as lowering does."""
        ctx = self._ctx
        for _, number, _ in uses.calls:
            ctx.definitions[number].used = True
        for number in uses.options:
            ctx.use_option(number)
        for number in uses.during:
            ctx.ask_during(number)
