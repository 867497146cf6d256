"""Random decisions of all forms."""

from __future__ import annotations

from attrs import evolve

from rulelang.fuzzing.changes import Changes
from rulelang.fuzzing.scope import Scope, Var
from rulelang.fuzzing.text import MOST_ASKS, Lines, block
from rulelang.fuzzing.world import (
    T,
    set_of,
    thing,
    word,
)


class Decisions(Changes):
    """Writes lines that ask somebody."""

    def chooser(self, scope: Scope) -> str:
        """Who is asked."""
        if scope.you and self.dice.chance(60):
            return "you"
        names = [var.name for var in scope.vars if var.type == thing("Player")]
        return (
            self.dice.pick(names)
            if names and self.dice.chance(85)
            else self.thing(thing("Player"), scope)
        )

    def prompt(self, scope: Scope) -> str:
        """A text, perhaps with a value in it."""
        self.paths += 1
        names = [
            var.name
            for var in scope.vars
            if not var.type.optional and var.type.shape in ("num", "word", "thing")
        ]
        hole = f" {{{self.dice.pick(names)}}}" if names and self.dice.chance(40) else ""
        return f'"Number {self.paths}{hole}?"'

    def policy(self, elem: T, *, many: bool = False) -> str:
        """What an automa does."""
        if not self.world.automas and self.dice.chance(50):
            return ""
        if self.dice.chance(25):
            return " automa random"
        if many and self.dice.chance(30):
            return f" automa all{self.wanted(elem, many=many)}"
        return f" automa {self.ordering(elem, chance=True)}{self.wanted(elem, many=many)}"

    def wanted(self, elem: T, *, many: bool) -> str:
        """Which options an automa takes only if it must: those for which this fails."""
        if not many or self.dice.chance(70):
            return ""
        return f" where {self.about(elem, Scope(), 0)}"

    def otherwise(self, scope: Scope) -> str:
        """What is done where there is no option."""
        return " else " + self.simple(scope)

    def simple(self, scope: Scope) -> str:
        """One line that binds nothing."""
        for _ in range(3):
            lines = self.dice.pick((self.change_line, self.become_line))(scope)
            if len(lines) == 1 and not lines[0].startswith("let"):
                return lines[0]
            scope.vars = [var for var in scope.vars if not lines[0].startswith(f"let {var.name} ")]
        return "do nothing"

    def choose_lines(self, scope: Scope) -> Lines:
        """A choice of one."""
        self.asks += self.times
        who = self.chooser(scope)
        source, elem = self.source(scope, 2)
        if self.dice.chance(15) and scope.level == 0 and "." not in who and who != "you":
            source, elem = f"{who}.hand", thing("Card")
        name = self.fresh(elem)
        when = ""
        if self.dice.chance(15):
            inner = scope.child()
            inner.vars.append(Var(name, elem))
            when = f" when {self.flag(inner, 1)}"
        text = f" {self.prompt(scope)}" if self.dice.chance(60) else ""
        line = f"{who} chooses {name} from {source}{when}{text}{self.policy(elem)}"
        if self.dice.chance(45):
            lines = [line + self.otherwise(scope)]
            scope.vars.append(Var(name, evolve(elem, optional=True)))
            return lines
        if not when and self.surely(source, elem):
            scope.vars.append(Var(name, elem))
            return [line]
        if when:
            own = scope.inside
            if own is not None and own.form != "rows" and own.result is None:
                scope.vars.append(Var(name, elem))
                return [f"{line} else end {own.name}"]
            return [line + self.otherwise(scope)]
        inner = scope.child()
        inner.vars.append(Var(name, elem))
        return block(f"if any {source}:", [line, *self.inner(inner, 1, most=2)])

    @staticmethod
    def surely(source: str, elem: T) -> bool:
        """Tell whether a set surely has a member."""
        return source in elem.of

    def choose_set_lines(self, scope: Scope) -> Lines:
        """A choice of several."""
        self.asks += self.times
        who = self.chooser(scope)
        source, elem = self.source(scope, 1)
        if elem.shape == "thing":
            elem = thing(self.dice.pick([name for name in self.world.kinds if name != "Board"]))
            source = self.members(set_of(elem), scope, 1)
        name = self.fresh("s")
        inner = scope.child()
        inner.vars.append(Var(name, set_of(elem)))
        count = self.dice.weighted(
            [
                (3, "any"),
                (3, "0..2"),
                (2, "1+"),
                (2, "1"),
                (2, "2"),
                (1, "0..min(3, count(Token))"),
                (1, "1..2"),
            ]
        )
        when = ""
        if self.dice.chance(35):
            when = " when " + self.whole(name, elem, inner)
        text = f" {self.prompt(scope)}" if self.dice.chance(60) else ""
        sure = (count in ("any", "0..2") and not when) or (
            count in ("1+", "1", "1..2") and not when and self.surely(source, elem)
        )
        line = (
            f"{who} chooses {count} {name} from {source}{when}{text}{self.policy(elem, many=True)}"
        )
        if not sure:
            line += self.otherwise(scope)
            # Without an answer the name is an empty set.
        scope.vars.append(Var(name, set_of(elem)))
        return [line]

    def whole(self, name: str, elem: T, scope: Scope) -> str:
        """A condition on a whole answer."""
        numbers = self.shared_numbers(elem.of) if elem.shape == "thing" else []
        return self.dice.made(
            [
                (3, lambda: f"count({name}) in 1..{self.dice.between(2, 3)}"),
                (
                    3 if numbers else 0,
                    lambda: (
                        f"sum({name}.{self.dice.pick(numbers)}) {self.order_sign()} {self.dice.between(1, 6)}"
                    ),
                ),
                (1, lambda: f"count({name}) is not {self.dice.between(0, 2)}"),
                (1, lambda: self.flag(scope, 1)),
            ]
        )

    def policy_of_question(self, scope: Scope) -> str:
        """What an automa answers to yes or no."""
        if not self.world.automas and self.dice.chance(50):
            return ""
        return f" automa {self.dice.pick(('yes', 'no', self.flag(scope, 1)))}"

    def may_lines(self, scope: Scope, depth: int) -> Lines:
        """A question."""
        self.asks += self.times
        who = self.chooser(scope)
        when = f" when {self.flag(scope, 1)}" if self.dice.chance(30) else ""
        head = f"{who} may {self.prompt(scope)}{when}{self.policy_of_question(scope)}:"
        lines = block(head, self.inner(scope.child(), depth))
        if self.dice.chance(40):
            lines += block("else:", self.inner(scope.child(), depth, most=2))
        return lines

    def label_lines(self, scope: Scope, depth: int) -> Lines:
        """One of several things to do."""
        self.asks += self.times
        who = self.chooser(scope)
        lines = []
        for number in range(self.dice.between(1, 3)):
            when = (
                f" when {self.flag(scope, 1)}"
                if number == 0 and self.dice.chance(70)
                else (f" when {self.flag(scope, 1)}" if self.dice.chance(30) else "")
            )
            policy = f" automa {self.flag(scope, 1)}" if self.dice.chance(40) else ""
            lines += block(
                f'"Way {number}"{when}{policy}:', self.inner(scope.child(), depth, most=2)
            )
        lines += block(
            '"Otherwise"' + (" automa yes" if self.world.automas else "") + ":",
            self.inner(scope.child(), depth, most=2),
        )
        return block(f"{who} chooses {self.prompt(scope)}:", lines)

    def action_lines(self, scope: Scope) -> Lines:
        """Offer actions."""
        found = [
            made
            for made in self.callable(scope)
            if made.form == "action" and self.asks + (made.asks + 1) * self.times <= MOST_ASKS
        ]
        if not found:
            return self.choose_lines(scope)
        names = self.dice.some(found, 2)
        self.called.update(made.name for made in names)
        self.asks += (1 + max(made.asks for made in names)) * self.times
        self.cost += (1 + max(made.cost for made in names)) * self.times
        name = self.fresh(thing("Player"))
        line = f"{name} may do {', '.join(made.name for made in names)}"
        if self.dice.chance(40):
            line += self.otherwise(scope.child())
        chooser = f"let {name} = {self.chooser(scope)}"
        if self.world.automas and self.dice.chance(50):
            return [chooser, *block(f"if not {name}.automa:", [line])]
        return [chooser, line]

    def secret_lines(self, scope: Scope, depth: int) -> Lines:
        """All choose at once."""
        self.asks += self.world.seats * self.times
        inner = scope.child()
        player = self.fresh(thing("Player"))
        inner.vars.append(Var(player, thing("Player")))
        choices = []
        for _ in range(self.dice.between(1, 2)):
            if self.dice.chance(65):
                enum = self.dice.pick(list(self.world.enums))
                name = self.fresh(word(enum))
                choices.append(
                    f"chooses {name} from {enum} {self.prompt(scope)}{self.policy(word(enum))}"
                )
                inner.vars.append(Var(name, word(enum)))
            else:
                kind = self.dice.pick(("Token", "Site", "Unit"))
                name = self.fresh("s")
                choices.append(
                    f"chooses any {name} from {kind} {self.prompt(scope)}{self.policy(thing(kind), many=True)}"
                )
                inner.vars.append(Var(name, set_of(thing(kind))))
        everybody = self.dice.pick(
            (
                "Player",
                f"clockwise({self.thing(thing('Player'), scope, 0)})",
                "(Player where its gold > 1)",
            )
        )
        body = self.inner(inner, depth, times=self.world.seats, most=2)
        return block(f"secretly each {player} in {everybody} {', '.join(choices)}:", body)
