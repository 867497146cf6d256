"""Definitions that are lowered once for many sets of variants and numbers of seats.

A set of variants changes a few declarations of the base. All other definitions become what they became before, and
that is kept here while a ruleset is checked. The rule that makes this sound:

    What a definition, permission or value table becomes follows from its syntax tree, from the parameters that it
    was declared with, from what every word in it means, from what the definitions that it calls take and give, and
    from what other declarations change in it.

What a word means is all that is declared under it, in whatever namespace (`Meanings`): so nothing of what lowering
looks up has to be noted, and a new kind of declaration that expressions can read has to be added in one place, there.
What is lowered with a finding is not kept: findings may name anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import frozen

from rulelang import nodes
from rulelang.lowering.context import Noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang import ir
    from rulelang.lowering.context import Context, DefinitionBuilder

MAX_WAYS: Final = 12
"""So many ways in which one definition was lowered are kept: those that were found last."""

_PLACE: Final = "place"
"""The field that `at` reads, whatever words stand there."""

Called = tuple["nodes.Node", int, "ir.Type"]
"""A definition that is called: its tree, number and result; its parameters are what its name means."""


@frozen(eq=False)
class Lowered:
    """What a definition became.

    Attributes:
        enums: All enumerations then, as `Meanings` numbers them.
        calls: The definitions that it calls.
        options: The options that it reads, by number.
        during: The doings that it asks of whether they run, by number.
    """

    enums: tuple[int, ...]
    calls: tuple[Called, ...]
    options: tuple[int, ...]
    during: tuple[int, ...]
    result: ir.Type
    general: ir.Expr
    clauses: tuple[ir.Clause, ...]
    needs: tuple[ir.Need, ...]
    cites: tuple[str, ...]


class Memo:
    """What definitions of one ruleset became, for the next set of variants."""

    def __init__(self) -> None:
        """Know nothing."""
        self._kept: dict[tuple[object, ...], list[Lowered]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._words: dict[nodes.Node, tuple[str, ...]] = {}

    def number(self, meaning: tuple[object, ...]) -> int:
        """Give the number of a meaning: the same for the same."""
        return self._numbers.setdefault(meaning, len(self._numbers))

    def words(self, node: nodes.Node) -> tuple[str, ...]:
        """Give the words of a declaration, with those that it reads without saying so."""
        found = self._words.get(node)
        if found is None:
            found = tuple(sorted({_PLACE, *nodes.names_in(node)}))
            self._words[node] = found
        return found

    def ways(self, key: tuple[object, ...]) -> list[Lowered]:
        """Give the ways in which a definition was lowered, the last one first; what is put into them is kept."""
        return self._kept.setdefault(key, [])


class Meanings:
    """What words mean in one set of variants, for one number of seats."""

    def __init__(self, ctx: Context, memo: Memo) -> None:
        """Take what is declared; all definitions and doings have their numbers and parameters."""
        self._ctx = ctx
        self._memo = memo
        self._known: dict[str, int] = {}
        self._fields: dict[str, list[tuple[int, int]]] = {}
        for (kind, name), number in ctx.tables.field_numbers.items():
            self._fields.setdefault(name, []).append((kind, number))
        self.enums = tuple(
            memo.number((each.name, each.words, each.numeric, each.low))
            for each in ctx.tables.enums
        )

    def of(self, node: nodes.Node) -> tuple[int, ...]:
        """Give the numbers of the meanings of all words in a declaration, which say whether any has changed."""
        return tuple(
            self._known[word] if word in self._known else self._find(word)
            for word in self._memo.words(node)
        )

    def _find(self, word: str) -> int:
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
        found = self._known[word] = self._memo.number(meaning)
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
    """Definitions of one set of variants, from a memo where it has them."""

    def __init__(
        self, ctx: Context, memo: Memo, lower: Callable[[DefinitionBuilder], None]
    ) -> None:
        """Take what is declared, and what lowers a definition."""
        self._ctx = ctx
        self._memo = memo
        self._lower = lower
        self._meanings = Meanings(ctx, memo)

    def fill(
        self,
        builder: DefinitionBuilder,
        about: tuple[object, ...],
        ready: Callable[[nodes.Node], DefinitionBuilder],
    ) -> None:
        """Fill a definition with what it was lowered to before, or lower it.

        Args:
            builder: The definition, with its number and parameters.
            about: What else it follows from: what other declarations change in it.
            ready: Gives a definition that is called, filled; may come back here.
        """
        node = builder.node
        if node is None:
            raise ValueError(builder.name)
        ways = self._memo.ways((node, tuple(builder.params), self._meanings.of(node), about))
        for way in ways:
            if self._holds(way, ready):
                self._take(builder, way)
                return
        made = self.lowered(builder)
        if made is not None:
            ways.insert(0, made)
            del ways[MAX_WAYS:]

    def lowered(self, builder: DefinitionBuilder) -> Lowered | None:
        """Lower a definition; gives what is worth keeping, None after a finding."""
        ctx = self._ctx
        before, ctx.noted = ctx.noted, Noted()
        self._lower(builder)
        noted, ctx.noted = ctx.noted, before
        return None if noted.found else _made(builder, noted, self._meanings.enums)

    def _holds(self, way: Lowered, ready: Callable[[nodes.Node], DefinitionBuilder]) -> bool:
        """Tell whether all that a definition called gives what it gave then.

        They are filled one after the other, and no further than the first that does not: so far lowering would go
        the same way, and ask for the same.
        """
        enums, definitions = self._meanings.enums, self._ctx.definitions
        common = min(len(enums), len(way.enums))
        if enums[:common] != way.enums[:common]:
            return False  # an enumeration that only one of the two has is meant by no word of the other
        for node, number, result in way.calls:
            called = definitions[number]
            if called.state == "new":
                called = ready(node)
            if called.state == "open" or called.node is not node or called.result != result:
                return False
        return True

    def _take(self, builder: DefinitionBuilder, way: Lowered) -> None:
        """Fill a definition, and note what it uses, as lowering does."""
        ctx = self._ctx
        builder.result, builder.general, builder.cites = way.result, way.general, way.cites
        builder.clauses, builder.needs = list(way.clauses), list(way.needs)
        for _, number, _ in way.calls:
            ctx.definitions[number].used = True
        ctx.used_options.update(way.options)
        for number in way.during:
            ctx.doings[number].during = True


def _made(builder: DefinitionBuilder, noted: Noted, enums: tuple[int, ...]) -> Lowered:
    return Lowered(
        enums,
        tuple(
            (called.node, called.index, called.result)
            for called in noted.calls.values()
            if called.node is not None
        ),
        tuple(noted.options),
        tuple(noted.during),
        builder.result,
        builder.general,
        tuple(builder.clauses),
        tuple(builder.needs),
        builder.cites,
    )
