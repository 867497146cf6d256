"""Random numbers and conditions, and expressions of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.fuzzing.sets import Sets
from rulelang.fuzzing.text import MOST
from rulelang.fuzzing.world import (
    T,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from rulelang.fuzzing.scope import Scope


class Expressions(Sets):
    """Writes expressions."""

    def expr(self, of: T, scope: Scope, depth: int = 2) -> str:
        """An expression of a type."""
        match of.shape:
            case "num":
                return (
                    self.clamped(of, scope, depth) if of.low is not None else self.num(scope, depth)
                )
            case "flag":
                return self.flag(scope, depth)
            case "word":
                return self.word_of(of.of[0], scope, depth)
            case "thing" if of.optional:
                return self.maybe_thing(of, scope, depth)
            case "thing":
                return self.thing(of, scope, depth)
            case "bag":
                return self.bag(of.of[0], scope, depth)
            case "list":
                return self.listed(of, scope, depth)
            case _:
                return self.members(of, scope, depth)

    def num(self, scope: Scope, depth: int = 2) -> str:
        """A number."""
        dice = self.dice
        simple = self.reading(scope, lambda t: t.shape == "num" and not t.optional)
        fields = self.fields(scope, lambda t: t.shape == "num")
        if depth <= 0:
            choices = [(2, self.small)]
            choices += [(4, lambda: dice.pick(simple))] if simple else []
            choices += [(4, lambda: dice.pick(fields))] if fields else []
            return dice.made(choices)
        meanings = self.readable(scope, lambda t: t.shape == "num" and not t.optional)
        return dice.made(
            [
                (3, self.small),
                (5 if simple else 0, lambda: dice.pick(simple)),
                (6 if fields else 0, lambda: dice.pick(fields)),
                (5 if meanings else 0, lambda: self.call(dice.pick(meanings), scope, depth)),
                (5, lambda: f"count({self.some_set(scope, depth - 1)})"),
                (2, lambda: self.total(scope, depth)),
                (3, lambda: f"({self.num(scope, depth - 1)} + {self.num(scope, depth - 1)})"),
                (2, lambda: f"({self.num(scope, depth - 1)} - {self.small()})"),
                (1 if simple else 0, lambda: f"({dice.pick(simple)} * {dice.between(1, 3)})"),
                (1, lambda: f"({self.num(scope, depth - 1)} / {self.divisor(scope)})"),
                (1, lambda: f"half({self.num(scope, depth - 1)})"),
                (
                    2,
                    lambda: (
                        f"{dice.pick(('min', 'max'))}({self.num(scope, depth - 1)}, {self.num(scope, depth - 1)})"
                    ),
                ),
                (2, lambda: f"{self.bag('Good', scope, 0)}.largest"),
                (1, lambda: f"{self.slot_of_bag(scope)}"),
                (1, lambda: self.position(scope)),
                (1, lambda: f"{self.thing(thing('Player'), scope, 1)}.seat"),
                (
                    1,
                    lambda: (
                        f"count(subsets(top({self.members(set_of(thing(dice.pick(('Token', 'Unit')))), scope, 1)}, 3)))"
                    ),
                ),
            ]
        )

    def divisor(self, scope: Scope) -> str:
        """Something to divide by, rarely 0."""
        text = self.num(scope, 0) if self.risky and self.dice.chance(20) else ""
        return text if not text.isdigit() and text else str(self.dice.between(1, 3))

    def slot_of_bag(self, scope: Scope) -> str:
        """How many of a word there are in a bag."""
        players = self.thing(thing("Player"), scope, 0)
        return f"{players}.stock({self.word_of('Good', scope)})"

    def position(self, scope: Scope) -> str:
        """A place in an order in which everybody stands."""
        one, two = self.thing(thing("Player"), scope, 0), self.thing(thing("Player"), scope, 0)
        return f"position({one}, clockwise({two}))"

    def total(self, scope: Scope, depth: int) -> str:
        """A sum, or the best of something that is surely there."""
        kind = self.dice.pick(list(self.world.kinds))
        fields = [
            f
            for f in self.world.kinds[kind].fields
            if f.type.shape == "num" and not f.secret and not f.key
        ]
        if not fields:
            return "count(Card)"
        name = self.dice.pick(fields).name
        if self.dice.chance(50):
            return f"{self.dice.pick(('min', 'max'))}({kind}.{name})"
        return f"sum({self.members(set_of(thing(kind)), scope, depth - 1)}.{name})"

    def flag(self, scope: Scope, depth: int = 2) -> str:
        """A condition."""
        dice = self.dice
        simple = self.reading(scope, lambda t: t.shape == "flag") + self.fields(
            scope, lambda t: t.shape == "flag"
        )
        if depth <= 0:
            if simple and dice.chance(60):
                return dice.pick(simple)
            return f"({self.num(scope, 0)} {self.order_sign()} {self.small()})"
        meanings = self.readable(scope, lambda t: t.shape == "flag")
        permissions = self.readable(scope, lambda t: t.shape == "flag", "permission")
        maybe = self.optional_texts(scope)
        return dice.made(
            [
                (4 if simple else 0, lambda: dice.pick(simple)),
                (4 if meanings else 0, lambda: self.call(dice.pick(meanings), scope, depth)),
                (
                    3 if permissions else 0,
                    lambda: f"({self.call(dice.pick(permissions), scope, depth)})",
                ),
                (
                    7,
                    lambda: (
                        f"({self.num(scope, depth - 1)} {self.order_sign()} {self.num(scope, depth - 1)})"
                    ),
                ),
                (1, lambda: f"({self.num(scope, 0)} {self.order_sign()} {self.small()})"),
                (4, lambda: self.same_word(scope, depth)),
                (4, lambda: self.same_thing(scope)),
                (
                    3 if maybe else 0,
                    lambda: f"({self.test(dice.pick(maybe))} is {dice.pick(('none', 'not none'))})",
                ),
                (2 if maybe else 0, lambda: self.guarded(scope, dice.pick(maybe))),
                (4, lambda: f"(any {self.some_set(scope, depth - 1)})"),
                (3, lambda: self.any_where(scope, depth)),
                (3, lambda: self.membership(scope, depth)),
                (2, lambda: self.kind_test(scope)),
                (3, lambda: f"({self.flag(scope, depth - 1)} and {self.flag(scope, depth - 1)})"),
                (3, lambda: f"({self.flag(scope, depth - 1)} or {self.flag(scope, depth - 1)})"),
                (3, lambda: f"(not {self.flag(scope, depth - 1)})"),
                (1, lambda: self.overlapping(scope, depth)),
                (1, lambda: self.same_set(scope, depth)),
                (1, self.running),
                (1, lambda: dice.pick(("yes", "no"))),
                (1 if self.world.map_name else 0, lambda: self.reachable(scope)),
            ]
        )

    def running(self) -> str:
        """A test whether a doing runs."""
        names = [
            found.name for found in self.signatures if found.form in ("effect", "phase", "action")
        ]
        return f"during({self.dice.pick(names)})" if names else "during(game)"

    def same_word(self, scope: Scope, depth: int) -> str:
        """Compare two words."""
        enum = self.dice.pick(list(self.world.enums))
        simple = self.word_texts(enum, scope)
        if not simple:
            return f"({self.dice.pick(self.world.enums[enum])} in {self.members(set_of(word(enum)), scope, depth - 1)})"
        sign = self.dice.pick(("is", "is not", "is", "is not", "<", ">="))
        return f"({self.dice.pick(simple)} {sign} {self.word_of(enum, scope, depth - 1)})"

    def same_thing(self, scope: Scope) -> str:
        """Compare two things that can be the same."""
        owners = [
            (text, of)
            for text, of in self.owners(scope)
            if of.of != ("Board",) and text not in self.tested
        ]
        if not owners:
            return "(count(Token) > 2)"
        text, of = self.dice.pick(owners)
        kind = self.dice.pick(of.of)
        other = self.maybe_thing(thing(kind, optional=True), scope, 1)
        if other == "none" and not of.optional:
            other = self.thing(thing(kind), scope, 1)
        if of.optional or len(of.of) > 1:
            self.test(text)
        return f"({text} {self.dice.pick(('is', 'is not'))} {self.test(other)})"

    def guarded(self, scope: Scope, text: str) -> str:
        """Read a property of something that may be none, tested before."""
        kinds = self.kinds_of(text, scope)
        names = self.shared_numbers(kinds)
        self.test(text)
        if not names:
            return f"({text} is not none)"
        return f"({text} is not none and {text}.{self.dice.pick(names)} {self.order_sign()} {self.small()})"

    def any_where(self, scope: Scope, depth: int) -> str:
        """Is there one for which a condition holds?"""
        source, elem = self.source(scope, depth - 1)
        return f"(any {source} where {self.about(elem, scope, depth - 1)})"

    def about(self, elem: T, scope: Scope, depth: int) -> str:
        """A condition on `it`."""
        inner = scope.child()
        inner.it = elem
        before, self.factor = self.factor, self.factor * 5
        known = self.tested
        self.tested = {text for text in known if not text.startswith("it")}
        self.work += self.factor
        if self.work > MOST:
            text = self.flag_of_it(elem)
        elif self.dice.chance(60) or len(elem.of) > 1:
            text = self.flag_of_it(elem)
            if len(elem.of) == 1 and depth > 0 and self.dice.chance(30):
                text = f"{text} {self.dice.pick(('and', 'or'))} {self.flag(inner, depth - 1)}"
        else:
            text = self.flag(inner, depth)
        self.factor = before
        self.tested = {text for text in self.tested if not text.startswith("it")} | known
        return text

    def flag_of_it(self, elem: T) -> str:
        """A plain condition on `it`."""
        if elem.shape == "num":
            return f"it {self.order_sign()} {self.small()}"
        if elem.shape == "word":
            return f"it is {self.dice.pick(('', 'not '))}{self.dice.pick(self.world.enums[elem.of[0]])}"
        fields = [
            f
            for f in self.world.kinds[elem.of[0]].fields
            if not f.secret
            and not f.pile
            and not f.key
            and all(self.has_field(kind, f.name) for kind in elem.of)
        ]
        if elem.shape != "thing" or not fields:
            return "1 > 0"
        field = self.dice.pick(fields)
        match field.type.shape:
            case "num":
                return f"its {field.name} {self.order_sign()} {self.small()}"
            case "flag":
                return self.dice.pick((f"its {field.name}", f"not its {field.name}"))
            case "word":
                sign = self.dice.pick(("is", "is not"))
                return (
                    f"its {field.name} {sign} {self.dice.pick(self.world.enums[field.type.of[0]])}"
                )
            case "thing" if field.type.optional:
                return f"its {field.name} is {self.dice.pick(('none', 'not none'))}"
            case _:
                return f"any {elem.of[0]}" if len(elem.of) == 1 else "1 > 0"

    def membership(self, scope: Scope, depth: int) -> str:
        """Test whether something is in a set."""
        kind = self.dice.pick(list(self.world.kinds))
        item = self.maybe_thing(thing(kind, optional=True), scope, depth - 1)
        if item == "none" or item in self.tested:
            item = self.thing(thing(kind), scope, depth - 1)
        sign = self.dice.pick(("in", "in", "not in"))
        self.test(item)
        return f"({item} {sign} {self.members(set_of(thing(kind)), scope, depth - 1)})"

    def kind_test(self, scope: Scope) -> str:
        """Test the kind of something that can be of several."""
        found = [
            (var.name, var.type.of)
            for var in scope.vars
            if len(var.type.of) > 1 and var.type.shape == "thing"
        ]
        found += [(text, self.kinds_of(text, scope)) for text in self.places(scope)]
        found = [
            (text, kinds) for text, kinds in found if len(kinds) > 1 and text not in self.tested
        ]
        if not found:
            return f"(count({self.some_set(scope, 0)}) > 1)"
        text, kinds = self.dice.pick(found)
        self.test(text)
        kind = self.dice.pick(kinds)
        names = self.shared_numbers((kind,))
        if names and self.dice.chance(40):
            return f"({text} is {kind} and {text}.{self.dice.pick(names)} {self.order_sign()} {self.small()})"
        return f"({text} is {self.dice.pick(('', 'not '))}{kind})"

    def overlapping(self, scope: Scope, depth: int) -> str:
        """Test whether two sets have a member in common."""
        kind = set_of(thing(self.dice.pick(list(self.world.kinds))))
        return f"overlap({self.members(kind, scope, depth - 1)}, {self.members(kind, scope, depth - 1)})"

    def same_set(self, scope: Scope, depth: int) -> str:
        """Test whether two sets, lists or bags are equal."""
        if self.dice.chance(30):
            return f"({self.bag('Good', scope, 0)} is {self.bag('Good', scope, 1)})"
        kind = set_of(thing(self.dice.pick(list(self.world.kinds))))
        sign = self.dice.pick(("is", "is not"))
        left, right = self.members(kind, scope, depth - 1), self.members(kind, scope, depth - 1)
        return f"({left} {sign} {right if right not in self.world.kinds else f'top({right}, 9)'})"

    def reachable(self, scope: Scope) -> str:
        """Ask the map."""
        a, b = self.thing(thing("Site"), scope, 0), self.thing(thing("Site"), scope, 0)
        name = self.world.map_name
        if self.dice.chance(50):
            return f"(distance({name}, {a}, {b}) is {self.dice.pick(('none', 'not none'))})"
        return f"({b} in within({name}, {a}, {self.small()}))"
