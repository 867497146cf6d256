"""Random expressions of a wanted type.

Every method gives text that can stand as an operand: what is compound is in brackets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.fuzzing.world import (
    COUNT,
    FLAG,
    NUM,
    T,
    bag_of,
    list_of,
    required,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.fuzzing.dice import Dice
    from rulelang.fuzzing.scope import Meaning, Scope, Signature
    from rulelang.fuzzing.world import Field, World

MOST = 400
"""How many members conditions may look at in one line, sets inside sets multiplied."""


class Expressions:
    """Writes expressions."""

    dice: Dice
    world: World
    meanings: list[Meaning]
    signatures: list[Signature]
    risky: bool
    numbers: int = 0
    work: int = 0
    factor: int = 1
    tested: set[str]
    """What was tested before in this doing or rule: more is known of it there, so a second test may be senseless."""

    def test(self, text: str) -> str:
        """Note that something is tested."""
        self.tested.add(text)
        return text

    def start(self) -> None:
        """Begin a doing, rule or definition: nothing has been tested in it."""
        self.tested = set()
        self.work, self.factor = 0, 1

    # ------------------------------------------------------------------------------------------------------- names, types

    def fresh(self, of: T | str) -> str:
        """A name that nothing else has; it says the type where it must."""
        self.numbers += 1
        if isinstance(of, str):
            return f"{of}{self.numbers}"
        match of.shape:
            case "thing" if len(of.of) == 1:
                return f"{self.world.kinds[of.of[0]].var}{self.numbers}"
            case "num":
                return f"n{self.numbers}"
            case "flag":
                return f"f{self.numbers}"
            case "word":
                return f"w{self.numbers}"
            case "bag":
                return f"b{self.numbers}"
            case "list":
                return f"l{self.numbers}"
            case "set":
                return f"s{self.numbers}"
            case _:
                return f"x{self.numbers}"

    def type_text(self, of: T) -> str:
        """A type as it is written."""
        match of.shape:
            case "num" if of.low is not None:
                text = f"{of.low}..{of.high if of.high is not None else ''}"
            case "num":
                text = "Number"
            case "flag":
                text = "Flag"
            case "word":
                text = of.of[0]
            case "thing":
                text = " or ".join(of.of)
            case "bag":
                text = f"bag of {of.of[0]}"
            case _:
                assert of.elem is not None
                text = f"{of.shape} of {self.type_text(of.elem)}"
        return f"{text} or none" if of.optional else text

    def any_type(self, *, collections: bool = True) -> T:
        """Draw a type for a parameter, a name or a result."""
        kinds = [name for name in self.world.kinds if name != "Board"]
        enum = self.dice.pick(list(self.world.enums))
        return self.dice.weighted(
            [
                (6, NUM),
                (2, COUNT),
                (3, FLAG),
                (4, word(enum)),
                (8, thing(self.dice.pick(kinds))),
                (2, thing("Site", "Zone")),
                (2, thing(self.dice.pick(kinds), optional=True)),
                (3 if collections else 0, set_of(thing(self.dice.pick(kinds)))),
                (1 if collections else 0, set_of(word(enum))),
                (1 if collections else 0, list_of(thing(self.dice.pick(kinds)))),
                (1 if collections else 0, bag_of("Good")),
            ]
        )

    def reading(self, scope: Scope, wanted: Callable[[T], bool]) -> list[str]:
        """Everything simple at a place whose type is wanted: names, fields of them, kept values, options."""
        found = [var.name for var in scope.vars if wanted(var.type)]
        found += [name for name, of in self.world.options if wanted(of)]
        if scope.it is not None and wanted(scope.it):
            found.append("it")
        return found

    def owners(self, scope: Scope) -> list[tuple[str, T]]:
        """What is at hand whose properties can be read: text and type."""
        found = [(var.name, var.type) for var in scope.vars if var.type.shape == "thing"]
        found.append(("board", thing("Board")))
        if scope.it is not None and scope.it.shape == "thing":
            found += [("it", scope.it)] * 3
        if scope.you:
            found += [("you", thing("Player"))] * 2
        return found

    def fields(
        self, scope: Scope, wanted: Callable[[T], bool], *, optional: bool = False
    ) -> list[str]:
        """Open fields of a wanted type of things at hand, as they are read."""
        found: list[str] = []
        for text, of in self.owners(scope):
            if of.optional and not optional:
                continue
            first = self.world.kinds[of.of[0]]
            for field in first.fields:
                if (
                    not all(self.has_field(kind, field.name) for kind in of.of)
                    or field.secret
                    or field.pile
                ):
                    continue
                if wanted(field.type):
                    read = f"its {field.name}" if text == "it" else f"{text}.{field.name}"
                    if field.key:
                        read += f"({self.word_of(field.key, scope)})"
                    found.append(read)
        for phase in scope.during:
            found += [self.kept(scope, phase, name) for name, of in phase.keeps if wanted(of)]
            for kind, name, of in phase.lent:
                if wanted(of):
                    found += [
                        f"{text}.{name}"
                        for text, owner in self.owners(scope)
                        if owner == thing(kind)
                    ]
        return found

    @staticmethod
    def kept(scope: Scope, phase: Signature, name: str) -> str:
        """How a kept value is written: in the phase's own text without the phase."""
        return name if scope.inside is phase and not scope.you else f"{phase.name}.{name}"

    def has_field(self, kind: str, name: str) -> bool:
        """Tell whether a kind has a field of this name that can be read."""
        return any(
            field.name == name and not field.secret for field in self.world.kinds[kind].fields
        )

    def readable(
        self, scope: Scope, wanted: Callable[[T], bool], form: str | None = None
    ) -> list[Meaning]:
        """Meanings that may be read here and give what is wanted."""
        return [
            found
            for found in self.meanings
            if found.order < scope.meanings
            and wanted(found.result)
            and (found.form == form if form else found.form != "permission")
            and found.cost * self.factor + self.work < MOST
        ]

    def call(self, meaning: Meaning, scope: Scope, depth: int) -> str:
        """Read a meaning."""
        self.work += meaning.cost * self.factor
        args = [self.arg(of, scope, depth - 1) for _, of in meaning.params]
        if meaning.form == "permission":
            return f"may {meaning.name}({', '.join(args)})"
        if meaning.form == "property":
            rest = f"({', '.join(args[1:])})" if args[1:] else ""
            return f"{args[0]}.{meaning.name}{rest}"
        return f"{meaning.name}({', '.join(args)})" if args else meaning.name

    def arg(self, of: T, scope: Scope, depth: int) -> str:
        """An argument; numbers keep to their range."""
        return self.clamped(of, scope, depth) if of.shape == "num" else self.expr(of, scope, depth)

    def clamped(self, of: T, scope: Scope, depth: int) -> str:
        """A number inside a range."""
        text = self.num(scope, depth)
        if self.risky and not text.isdigit() and self.dice.chance(8):
            return text
        if (
            of.low is not None
            and text.isdigit()
            and of.low <= int(text) <= (of.high if of.high is not None else int(text))
        ):
            return text
        if of.high is not None:
            text = f"min({of.high}, {text})"
        return f"max({of.low}, {text})" if of.low is not None else text

    # --------------------------------------------------------------------------------------------------------- by the type

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

    def small(self) -> str:
        """A small number."""
        return str(self.dice.weighted([(2, 0), (6, 1), (5, 2), (4, 3), (1, 4), (1, 5)]))

    def num(self, scope: Scope, depth: int = 2) -> str:
        """A number."""
        dice = self.dice
        simple = self.reading(scope, lambda t: t.shape == "num" and not t.optional)
        fields = self.fields(scope, lambda t: t.shape == "num")
        if depth <= 0:
            choices = [(2, self.small)]
            choices += [(4, lambda: dice.pick(simple))] if simple else []
            choices += [(4, lambda: dice.pick(fields))] if fields else []
            return dice.weighted(choices)()
        meanings = self.readable(scope, lambda t: t.shape == "num" and not t.optional)
        return dice.weighted(
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
        )()

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
        return dice.weighted(
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
        )()

    def order_sign(self) -> str:
        """One of the four comparisons."""
        return self.dice.pick(("<", "<=", ">", ">="))

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

    def optional_texts(self, scope: Scope) -> list[str]:
        """What is at hand that may be none."""
        found = [var.name for var in scope.vars if var.type.optional]
        found += self.fields(scope, lambda t: t.shape == "thing" and t.optional) + self.places(
            scope
        )
        return [text for text in found if text not in self.tested]

    def places(self, scope: Scope) -> list[str]:
        """The places of things at hand."""
        return [
            "its place" if text == "it" else f"{text}.place"
            for text, of in self.owners(scope)
            if not of.optional and all(self.world.kinds[kind].places for kind in of.of)
        ]

    def guarded(self, scope: Scope, text: str) -> str:
        """Read a property of something that may be none, tested before."""
        kinds = self.kinds_of(text, scope)
        names = self.shared_numbers(kinds)
        self.test(text)
        if not names:
            return f"({text} is not none)"
        return f"({text} is not none and {text}.{self.dice.pick(names)} {self.order_sign()} {self.small()})"

    def shared_numbers(self, kinds: tuple[str, ...]) -> list[str]:
        """Names of plain number fields that all of some kinds have."""
        if not kinds:
            return []
        first = self.world.kinds[kinds[0]].fields
        names = [f.name for f in first if f.type.shape == "num" and not f.key and not f.secret]
        return [name for name in names if all(self.has_field(kind, name) for kind in kinds)]

    def kinds_of(self, text: str, scope: Scope) -> tuple[str, ...]:
        """The kinds of a thing that is written as a name or a field of one."""
        for var in scope.vars:
            if var.name == text:
                return var.type.of if var.type.shape == "thing" else ()
        owner, name = text.removeprefix("its "), ""
        if text.startswith("its "):
            assert scope.it is not None
            of, name = scope.it, text[4:]
        else:
            owner, _, name = text.partition(".")
            of = next(
                (found for known, found in self.owners(scope) if known == owner), None
            ) or thing("Board")
        if name == "place":
            return self.world.kinds[of.of[0]].places
        return next(
            (field.type.of for field in self.world.kinds[of.of[0]].fields if field.name == name), ()
        )

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

    # --------------------------------------------------------------------------------------------------------- words, bags

    def word_texts(self, enum: str, scope: Scope) -> list[str]:
        """Words at hand that are no constants."""
        if enum in self.world.dice:
            faces = self.world.dice[enum]
            return self.reading(
                scope,
                lambda t: (
                    t.shape == "num"
                    and not t.optional
                    and t.low == 1
                    and t.high is not None
                    and t.high <= faces
                ),
            )
        wanted = word(enum)
        return self.reading(scope, lambda t: t == wanted) + self.fields(
            scope, lambda t: t == wanted
        )

    def word_of(self, enum: str, scope: Scope, depth: int = 0) -> str:
        """A word."""
        if enum in self.world.dice:
            return str(self.dice.between(1, self.world.dice[enum]))
        known = self.word_texts(enum, scope) if depth >= 0 else []
        meanings = self.readable(scope, lambda t: t == word(enum)) if depth > 0 else []
        constant = self.dice.pick(self.world.enums[enum])
        return self.dice.weighted(
            [
                (4, lambda: constant),
                (1, lambda: f"{enum}.{constant}"),
                (5 if known else 0, lambda: self.dice.pick(known)),
                (4 if meanings else 0, lambda: self.call(self.dice.pick(meanings), scope, depth)),
                (1, lambda: f"{self.dice.pick(('first', 'last'))}({enum})"),
            ]
        )()

    def bag(self, enum: str, scope: Scope, depth: int = 1) -> str:
        """A bag."""
        wanted = bag_of(enum)
        simple = self.reading(scope, lambda t: t == wanted) + self.fields(
            scope, lambda t: t == wanted
        )
        simple = simple or [f"{self.thing(thing('Player'), scope, 0)}.stock"]
        if depth <= 0:
            return self.dice.pick(simple)
        return self.dice.weighted(
            [
                (5, lambda: self.dice.pick(simple)),
                (3, lambda: f"({self.bag(enum, scope, depth - 1)} + {self.word_set(enum)})"),
                (3, lambda: f"({self.bag(enum, scope, depth - 1)} - {self.word_set(enum)})"),
                (1, lambda: f"({self.bag(enum, scope, 0)} + {self.bag(enum, scope, 0)})"),
                (
                    1,
                    lambda: (
                        f"({self.bag(enum, scope, 0)} + {self.dice.between(1, 3)} * {self.word_set(enum)})"
                    ),
                ),
            ]
        )()

    def word_set(self, enum: str) -> str:
        """Some words in braces."""
        return (
            "{"
            + ", ".join(
                self.dice.pick(self.world.enums[enum]) for _ in range(self.dice.between(1, 3))
            )
            + "}"
        )

    # -------------------------------------------------------------------------------------------------------------- things

    def thing(self, of: T, scope: Scope, depth: int = 1) -> str:
        """A thing of one of some kinds, never none."""
        kind = self.dice.pick(of.of)
        wanted = set(of.of)
        simple = self.reading(
            scope, lambda t: t.shape == "thing" and not t.optional and set(t.of) <= wanted
        ) + self.fields(
            scope, lambda t: t.shape == "thing" and not t.optional and set(t.of) <= wanted
        )
        if scope.you and "Player" in wanted:
            simple += ["you"] * 3
        if scope.this and scope.this in wanted:
            simple += ["this"] * 2
        found = self.world.kinds[kind]
        if found.single:
            return found.single
        if simple and (depth <= 0 or self.dice.chance(75)):
            return self.dice.pick(simple)
        meanings = self.readable(
            scope, lambda t: t.shape == "thing" and not t.optional and set(t.of) <= wanted
        )
        if meanings and depth > 0 and self.dice.chance(40):
            return self.call(self.dice.pick(meanings), scope, depth)
        if found.ids and self.dice.chance(60):
            return self.dice.pick(found.ids)
        return self.one_of(kind, scope)

    def one_of(self, kind: str, scope: Scope) -> str:
        """The first or last of all of a kind, in some order."""
        del scope
        numbers = self.shared_numbers((kind,))
        which = self.dice.pick(("first", "last"))
        if numbers and self.dice.chance(60):
            by = self.dice.pick(("by", "with"))
            return f"{which}({kind} {by} {self.dice.pick(('lowest', 'highest'))} {self.dice.pick(numbers)})"
        return f"{which}({kind})"

    def maybe_thing(self, of: T, scope: Scope, depth: int = 1) -> str:
        """A thing of one of some kinds, or none."""
        wanted = set(of.of)
        simple = self.reading(
            scope, lambda t: t.shape == "thing" and set(t.of) <= wanted
        ) + self.fields(scope, lambda t: t.shape == "thing" and set(t.of) <= wanted)
        simple += [text for text in self.places(scope) if set(self.kinds_of(text, scope)) <= wanted]
        return self.dice.weighted(
            [
                (2, lambda: "none"),
                (5 if simple else 0, lambda: self.dice.pick(simple)),
                (3, lambda: self.thing(required(of), scope, depth)),
                (
                    1 if self.risky else 0,
                    lambda: f"maybe({self.members(set_of(thing(of.of[0])), scope, 1)})",
                ),
            ]
        )()

    # ---------------------------------------------------------------------------------------------------------------- sets

    def source(self, scope: Scope, depth: int) -> tuple[str, T]:
        """A set of something, and the type of its members."""
        elem = self.dice.weighted(
            [
                (8, thing(self.dice.pick([name for name in self.world.kinds if name != "Board"]))),
                (1, thing("Site", "Zone")),
                (2, word(self.dice.pick(list(self.world.enums)))),
                (1, T("num", low=0, high=9)),
            ]
        )
        return self.members(set_of(elem), scope, depth), elem

    def some_set(self, scope: Scope, depth: int) -> str:
        """A set of anything."""
        return self.source(scope, depth)[0]

    def listed(self, of: T, scope: Scope, depth: int) -> str:
        """A list."""
        assert of.elem is not None
        simple = self.reading(scope, lambda t: t == of) + self.fields(scope, lambda t: t == of)
        if simple and self.dice.chance(60):
            return self.dice.pick(simple)
        if of.elem.shape == "thing" and len(of.elem.of) == 1:
            if of.elem.of == ("Player",) and self.dice.chance(40):
                return f"clockwise({self.thing(of.elem, scope, 0)})"
            return self.ordered(self.members(set_of(of.elem), scope, depth - 1), of.elem)
        return self.members(set_of(of.elem), scope, depth)

    def ordered(self, source: str, elem: T, sign: str = "by") -> str:
        """A set sorted, or its best."""
        return f"({source} {sign} {self.ordering(elem)})"

    def ordering(self, elem: T, *, chance: bool = False) -> str:
        """Keys to sort by."""
        names: list[str] = []
        if elem.shape in ("num", "word"):
            names = ["it"]
        else:
            fields = self.world.kinds[elem.of[0]].fields
            names = [
                f.name
                for f in fields
                if f.type.shape in ("num", "word", "flag")
                and not f.key
                and not f.secret
                and f.name != "automa"
                and all(self.has_field(kind, f.name) for kind in elem.of)
            ]
            names += [
                found.name
                for found in self.meanings
                if found.form == "property"
                and len(found.params) == 1
                and found.params[0][1] == elem
                and found.result.shape in ("num", "flag", "word")
                and not found.result.optional
                and found.cost < 12
                and found.order < self.reads
            ]
        keys = [
            f"{self.dice.pick(('lowest', 'highest'))} {self.dice.pick(names)}"
            for _ in range(self.dice.between(1, 2))
        ]
        if chance and self.dice.chance(40):
            keys.append("random")
        return " then ".join(keys)

    reads: int = 1000
    """Orderings read only meanings of a lower order than this."""

    def members(self, of: T, scope: Scope, depth: int = 1) -> str:
        """A set."""
        elem = of.elem
        assert elem is not None
        simple = self.reading(scope, lambda t: t.shape in ("set", "list") and t.elem == elem)
        simple += self.fields(scope, lambda t: t.shape in ("set", "list") and t.elem == elem)
        if elem.shape == "num":
            return self.number_set(scope, simple, depth)
        if elem.shape == "word":
            return self.set_of_words(elem, scope, simple, depth)
        kind = self.dice.pick(elem.of)
        self.work += self.factor * 3
        if depth <= 0 or self.work > MOST:
            return self.dice.pick([*simple, *simple, kind if len(elem.of) == 1 else "Spot"])
        meanings = self.readable(scope, lambda t: t.shape in ("set", "list") and t.elem == elem)
        world = self.world.kinds[kind]
        if len(elem.of) > 1:
            return self.union_set(of, scope, simple, depth)
        everything = kind
        piles = self.piles(kind, scope)
        return self.dice.weighted(
            [
                (3, lambda: everything),
                (4 if simple else 0, lambda: self.dice.pick(simple)),
                (4 if meanings else 0, lambda: self.call(self.dice.pick(meanings), scope, depth)),
                (6, lambda: f"({everything} where {self.about(elem, scope, depth - 1)})"),
                (
                    2,
                    lambda: (
                        f"({self.members(of, scope, depth - 1)} where {self.about(elem, scope, depth - 1)})"
                    ),
                ),
                (4 if world.places else 0, lambda: self.at_place(kind, scope)),
                (
                    1,
                    lambda: (
                        f"({self.members(of, scope, depth - 1)} + {self.members(of, scope, depth - 1)})"
                    ),
                ),
                (
                    1,
                    lambda: (
                        f"({self.members(of, scope, depth - 1)} - {self.members(of, scope, depth - 1)})"
                    ),
                ),
                (
                    2,
                    lambda: (
                        "{"
                        + ", ".join(
                            self.thing(elem, scope, 0) for _ in range(self.dice.between(1, 2))
                        )
                        + "}"
                    ),
                ),
                (2, lambda: self.ordered(self.members(of, scope, depth - 1), elem, "with")),
                (1, lambda: self.ordered(self.members(of, scope, depth - 1), elem)),
                (
                    1,
                    lambda: f"top({self.members(of, scope, depth - 1)}, {self.dice.between(1, 3)})",
                ),
                (3 if piles else 0, lambda: self.dice.pick(piles)),
                (
                    1 if self.world.map_name and elem.of == ("Site",) else 0,
                    lambda: self.map_set(scope),
                ),
            ]
        )()

    def union_set(self, of: T, scope: Scope, simple: list[str], depth: int) -> str:
        """A set of things of several kinds; its type says all of them."""
        assert of.elem is not None
        elem = of.elem
        return self.dice.weighted(
            [
                (3, lambda: self.dice.pick(("Spot", "(Site + Zone)"))),
                (4 if simple else 0, lambda: self.dice.pick(simple)),
                (3, lambda: f"(Spot where {self.about(elem, scope, depth - 1)})"),
                (
                    1,
                    lambda: self.ordered(
                        self.members(of, scope, depth - 1), elem, self.dice.pick(("with", "by"))
                    ),
                ),
                (
                    1,
                    lambda: f"top({self.members(of, scope, depth - 1)}, {self.dice.between(1, 3)})",
                ),
            ]
        )()

    def map_set(self, scope: Scope) -> str:
        """Sites by the map."""
        start = self.thing(thing("Site"), scope, 0)
        name = self.world.map_name
        return self.dice.pick(
            (
                f"within({name}, {start}, {self.small()})",
                f"neighbours({name}, {start})",
                f"nearest({name}, {start}, (Site - {{{start}}}))",
            )
        )

    def number_set(self, scope: Scope, simple: list[str], depth: int) -> str:
        """A set of small numbers."""
        if simple and self.dice.chance(40):
            return self.dice.pick(simple)
        if depth > 0 and self.dice.chance(30):
            return f"(({self.dice.below(2)} .. {self.dice.between(2, 5)}) where {self.about(T('num'), scope, 0)})"
        if depth > 0 and self.dice.chance(30):
            return f"({self.small()} .. min(6, {self.num(scope, depth - 1)}))"
        return f"({self.dice.below(3)} .. {self.dice.between(2, 5)})"

    def set_of_words(self, elem: T, scope: Scope, simple: list[str], depth: int) -> str:
        """A set of words."""
        enum = elem.of[0]
        bag = enum == "Good"
        return self.dice.weighted(
            [
                (3, lambda: enum),
                (4 if simple else 0, lambda: self.dice.pick(simple)),
                (
                    3 if depth > 0 else 0,
                    lambda: f"({enum} where {self.about(elem, scope, depth - 1)})",
                ),
                (
                    2,
                    lambda: (
                        "{" + ", ".join(sorted(self.dice.some(self.world.enums[enum], 2))) + "}"
                    ),
                ),
                (3 if bag else 0, lambda: f"{self.bag(enum, scope, 0)}.symbols"),
                (
                    1 if depth > 0 else 0,
                    lambda: (
                        f"({self.members(set_of(elem), scope, 0)} - {{{self.word_of(enum, scope)}}})"
                    ),
                ),
            ]
        )()

    def at_place(self, kind: str, scope: Scope) -> str:
        """Those of a kind that are somewhere."""
        places = self.world.kinds[kind].places
        where = self.dice.weighted(
            [
                (2, lambda: "none"),
                (1, lambda: "box"),
                (5, lambda: self.thing(thing(self.dice.pick(places)), scope, 0)),
            ]
        )()
        return f"({kind} at {where})"

    def piles(self, kind: str, scope: Scope) -> list[str]:
        """Open piles of a kind at hand."""
        found = []
        for text, of in self.owners(scope):
            if of.optional or len(of.of) != 1:
                continue
            for field in self.world.kinds[of.of[0]].fields:
                if field.pile and not field.secret and field.type.elem == thing(kind):
                    found.append(f"its {field.name}" if text == "it" else f"{text}.{field.name}")
        return found

    def mutable(self, kind: str) -> list[Field]:
        """The fields of a kind that a rule may write, places and piles left out."""
        return [
            field
            for field in self.world.kinds[kind].fields
            if not field.pile and not field.fixed and field.name != "owner" and not (kind == "Card")
        ]
