"""Random words, bags, things and sets.

What is compound is in brackets, so that it can stand as an operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.fuzzing.reading import Reading
from rulelang.fuzzing.text import MOST
from rulelang.fuzzing.world import (
    T,
    bag_of,
    required,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from rulelang.fuzzing.scope import Scope


class Sets(Reading):
    """Writes words, bags, things and sets."""

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
        return self.dice.made(
            [
                (4, lambda: constant),
                (1, lambda: f"{enum}.{constant}"),
                (5 if known else 0, lambda: self.dice.pick(known)),
                (4 if meanings else 0, lambda: self.call(self.dice.pick(meanings), scope, depth)),
                (1, lambda: f"{self.dice.pick(('first', 'last'))}({enum})"),
            ]
        )

    def bag(self, enum: str, scope: Scope, depth: int = 1) -> str:
        """A bag."""
        wanted = bag_of(enum)
        simple = self.reading(scope, lambda t: t == wanted) + self.fields(
            scope, lambda t: t == wanted
        )
        simple = simple or [f"{self.thing(thing('Player'), scope, 0)}.stock"]
        if depth <= 0:
            return self.dice.pick(simple)
        return self.dice.made(
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
        )

    def word_set(self, enum: str) -> str:
        """Some words in braces."""
        return (
            "{"
            + ", ".join(
                self.dice.pick(self.world.enums[enum]) for _ in range(self.dice.between(1, 3))
            )
            + "}"
        )

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
        return self.dice.made(
            [
                (2, lambda: "none"),
                (5 if simple else 0, lambda: self.dice.pick(simple)),
                (3, lambda: self.thing(required(of), scope, depth)),
                (
                    1 if self.risky else 0,
                    lambda: f"maybe({self.members(set_of(thing(of.of[0])), scope, 1)})",
                ),
            ]
        )

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
        simple = self.reading(scope, lambda t: t == of) + self.fields(scope, lambda t: t == of)
        if simple and self.dice.chance(60):
            return self.dice.pick(simple)
        if of.member.shape == "thing" and len(of.member.of) == 1:
            if of.member.of == ("Player",) and self.dice.chance(40):
                return f"clockwise({self.thing(of.member, scope, 0)})"
            return self.ordered(self.members(set_of(of.member), scope, depth - 1), of.member)
        return self.members(set_of(of.member), scope, depth)

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

    def members(self, of: T, scope: Scope, depth: int = 1) -> str:
        """A set."""
        elem = of.member
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
        return self.dice.made(
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
        )

    def union_set(self, of: T, scope: Scope, simple: list[str], depth: int) -> str:
        """A set of things of several kinds; its type says all of them."""
        elem = of.member
        return self.dice.made(
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
        )

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
        return self.dice.made(
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
        )

    def at_place(self, kind: str, scope: Scope) -> str:
        """Those of a kind that are somewhere."""
        places = self.world.kinds[kind].places
        where = self.dice.made(
            [
                (2, lambda: "none"),
                (1, lambda: "box"),
                (5, lambda: self.thing(thing(self.dice.pick(places)), scope, 0)),
            ]
        )
        return f"({kind} at {where})"

    # ---------------------------------------------------------- supplied by the classes below

    def about(self, elem: T, scope: Scope, depth: int) -> str:
        """Write a condition on `it`."""
        raise NotImplementedError
