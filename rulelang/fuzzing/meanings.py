"""Random definitions, permissions, value tables and maps."""

from __future__ import annotations

from rulelang.fuzzing.scope import Meaning, Scope, Var
from rulelang.fuzzing.statements import Statements
from rulelang.fuzzing.text import Lines, block
from rulelang.fuzzing.world import (
    FLAG,
    NUM,
    T,
    set_of,
    thing,
    word,
)


class Meanings(Statements):
    """Writes what names mean."""

    def make_meanings(self) -> list[Lines]:
        """Definitions, permissions, value tables and a map, each reading earlier ones only."""
        parts = []
        for order in range(self.dice.between(3, 7)):
            self.reads = order
            self.start()
            make = self.dice.weighted(
                [
                    (5, self.definition),
                    (4, self.property),
                    (3, self.permission),
                    (2, self.value_table),
                ]
            )
            parts.append(make(order))
        if self.dice.chance(40):
            self.reads = len(parts)
            parts.append(self.site_map(len(parts)))
        self.reads = 1000
        return parts

    def params(self, count: int, *, collections: bool = True) -> list[tuple[str, T]]:
        """Parameters with new names."""
        made = []
        for _ in range(count):
            of = self.any_type(collections=collections)
            made.append((self.fresh(of), of))
        return made

    def params_text(self, params: list[tuple[str, T]]) -> str:
        """Parameters as they are written; a type that the name says is left out."""
        texts = []
        for name, of in params:
            said = of.shape == "thing" and len(of.of) == 1 and not of.optional
            texts.append(name if said else f"{name}: {self.type_text(of)}")
        return ", ".join(texts)

    def reading_scope(self, params: list[tuple[str, T]], order: int) -> Scope:
        """The scope inside a meaning."""
        return Scope([Var(name, of) for name, of in params], meanings=order)

    def result_type(self) -> T:
        """What a definition gives."""
        kind = self.dice.pick(list(self.world.kinds))
        return self.dice.weighted(
            [
                (6, NUM),
                (4, FLAG),
                (2, word(self.dice.pick(list(self.world.enums)))),
                (3, thing(kind)),
                (3, set_of(thing(kind))),
            ]
        )

    def definition(self, order: int, *, owner: T | None = None) -> Lines:
        """A definition with its exceptions."""
        result = self.result_type()
        params = self.params(self.dice.between(0, 2), collections=False)
        if owner is not None:
            params = [(self.fresh(owner), owner), *params[:1]]
        name = self.fresh("def")
        scope = self.reading_scope(params, order)
        value = self.expr(result, scope, 2)
        if result.shape == "word" and value in self.world.enums[result.of[0]]:
            value = f"{result.of[0]}.{value}"
        if owner is None:
            head = f"define {name}({self.params_text(params)})" if params else f"define {name}"
        else:
            rest = f"({self.params_text(params[1:])})" if params[1:] else ""
            head = f"define {owner.of[0].lower()}.{name}{rest}"
            own = owner.of[0].lower()
            scope.vars[0] = Var(own, owner)
            value = self.expr(result, scope, 2)
            if result.shape == "word" and value in self.world.enums[result.of[0]]:
                value = f"{result.of[0]}.{value}"
        meaning = Meaning(name, "property" if owner is not None else "call", params, result, order)
        lines = [f"{head} = {value}"]
        exceptions = self.exceptions(result, scope, meaning) if self.dice.chance(50) else []
        if exceptions:
            lines = block(lines[0] + ":", exceptions)
        meaning.cost = 1 + self.work
        self.meanings.append(meaning)
        return lines

    def exceptions(self, result: T, scope: Scope, meaning: Meaning) -> Lines:
        """Named exceptions: signed ones, and unsigned ones of which the later win."""
        lines: Lines = []
        before = ""
        for _ in range(self.dice.between(1, 3)):
            name = self.fresh("part")
            meaning.needs.append(name)
            if result.shape == "num" and self.dice.chance(60):
                sign = self.dice.pick("++-")
                lines.append(f"{name}: {sign}{self.num(scope, 1)} when {self.flag(scope, 1)}")
            elif not before:
                lines.append(f"{name}: {self.expr(result, scope, 1)} when {self.flag(scope, 1)}")
                before, meaning.unsigned = name, True
            elif not meaning.unsigned or self.dice.chance(50):
                lines.append(
                    f"{name}: {self.expr(result, scope, 1)} when {self.flag(scope, 1)} after {before}"
                )
                break
            else:
                meaning.needs.pop()
        return lines

    def property(self, order: int) -> Lines:
        """A property of a kind."""
        kind = self.dice.pick(list(self.world.kinds))
        return self.definition(order, owner=thing(kind))

    def permission(self, order: int) -> Lines:
        """A permission without `then`."""
        params = [
            (self.fresh(thing("Player")), thing("Player")),
            *self.params(self.dice.between(0, 1), collections=False),
        ]
        name = self.fresh("perm")
        scope = self.reading_scope(params, order)
        meaning = Meaning(name, "permission", params, FLAG, order)
        lines = block(f"may {name}({self.params_text(params)}):", self.needs(scope, meaning))
        meaning.cost = 1 + self.work
        self.meanings.append(meaning)
        return lines

    def needs(self, scope: Scope, meaning: Meaning) -> Lines:
        """Named needs."""
        lines = []
        for _ in range(self.dice.between(1, 2)):
            name = self.fresh("need")
            meaning.needs.append(name)
            text = ' "it is not so"' if self.dice.chance(40) else ""
            lines.append(f"{name}: {self.flag(scope, 1)}{text}")
        return lines

    def row_keys(self, of: T) -> list[str]:
        """Keys that cover a type, each once."""
        if of.shape == "word":
            words = list(self.world.enums[of.of[0]])
            if self.dice.chance(40):
                return [words[0], "else"]
            if len(words) > 2 and self.dice.chance(50):
                return [words[0], "|".join(words[1:])]
            return words
        low, high = of.low or 0, of.high or 1
        middle = self.dice.between(low, high - 1)
        return self.dice.pick(([f"{low}..{middle}", f"{middle + 1}..{high}"], [str(low), "else"]))

    def looked_up(self) -> tuple[str, T]:
        """The first parameter of a table."""
        of = (
            word(self.dice.pick(list(self.world.enums)))
            if self.dice.chance(70)
            else T("num", low=0, high=4)
        )
        return self.fresh(of), of

    def value_table(self, order: int) -> Lines:
        """A table of values."""
        params = [self.looked_up(), *self.params(self.dice.between(0, 1), collections=False)]
        result = self.dice.pick((NUM, NUM, FLAG))
        name = self.fresh("tab")
        scope = self.reading_scope(params, order)
        rows = [f"{key}: {self.expr(result, scope, 1)}" for key in self.row_keys(params[0][1])]
        self.meanings.append(Meaning(name, "table", params, result, order, 1 + self.work))
        return block(f"table {name}({self.params_text(params)}):", rows)

    def site_map(self, order: int) -> Lines:
        """What one move from site to site costs."""
        del order
        name = self.fresh("way")
        scope = Scope(
            [Var("here_site", thing("Site")), Var("next_site", thing("Site"))], meanings=0
        )
        cond = self.dice.pick(
            (
                "here_site.hue is next_site.hue",
                "here_site is not next_site and next_site.rank > 1",
                self.flag(scope, 1),
            )
        )
        self.world.map_name = name
        return block(
            f"define {name}(here_site, next_site) = none:",
            [f"step_on: {self.dice.between(1, 2)} when {cond}"],
        )
