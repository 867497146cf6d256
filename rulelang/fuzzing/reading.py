"""What can be read at a place in the text, and how it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulelang.fuzzing.text import MOST
from rulelang.fuzzing.world import (
    COUNT,
    FLAG,
    NUM,
    T,
    bag_of,
    list_of,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.fuzzing.dice import Dice
    from rulelang.fuzzing.scope import Meaning, Scope, Signature
    from rulelang.fuzzing.world import Field, World

_CONSTANT: Final = re.compile(r"(?:min|max|half|[^a-z])*")
"""What is computed while it is checked."""


class Reading:
    """Knows names, types and readings.

    Attributes:
        dice: Makes all choices.
        world: What there is.
        meanings: Definitions, permissions and value tables written so far.
        signatures: All doings.
        risky: Whether the game may do what can be a fault.
        numbers: How many names have been made.
        work: How many members the line written now looks at.
        factor: How often the place written now is reached in the line.
        tested: What was tested before in this doing or rule: more is known of it there, so a second
            test may be senseless.
        held: What had been tested before the lasting block written now: its rules hold the same values.
        reads: Orderings read only meanings of a lower order than this.
    """

    dice: Dice
    world: World
    meanings: list[Meaning]
    signatures: list[Signature]
    risky: bool
    numbers: int = 0
    work: int = 0
    factor: int = 1
    tested: set[str]
    held: frozenset[str] = frozenset()
    reads: int = 1000

    def test(self, text: str) -> str:
        """Note that something is tested."""
        self.tested.add(text)
        return text

    def start(self) -> None:
        """Begin a doing, rule or definition: nothing has been tested in it, but for what it holds."""
        self.tested = set(self.held)
        self.work, self.factor = 0, 1

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
                text = f"{of.shape} of {self.type_text(of.member)}"
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
        if self.risky and not _CONSTANT.fullmatch(text) and self.dice.chance(8):
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
        if text.startswith("its ") and scope.it is not None:
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

    def piles(self, kind: str, scope: Scope) -> list[str]:
        """Open piles of a kind at hand."""
        found = []
        for text, of in self.owners(scope):
            if of.optional or len(of.of) != 1:
                continue
            for field in self.world.kinds[of.of[0]].fields:
                if field.pile and not field.secret and field.type.elem == thing(kind):
                    read = f"its {field.name}" if text == "it" else f"{text}.{field.name}"
                    found += [read]
        return found

    def mutable(self, kind: str) -> list[Field]:
        """The fields of a kind that a rule may write, places and piles left out."""
        return [
            field
            for field in self.world.kinds[kind].fields
            if not field.pile and not field.fixed and field.name != "owner" and kind != "Card"
        ]

    def small(self) -> str:
        """A small number."""
        return str(self.dice.weighted([(2, 0), (6, 1), (5, 2), (4, 3), (1, 4), (1, 5)]))

    def order_sign(self) -> str:
        """One of the four comparisons."""
        return self.dice.pick(("<", "<=", ">", ">="))

    # ---------------------------------------------------------- supplied by the classes below

    def expr(self, of: T, scope: Scope, depth: int = 2) -> str:
        """Write an expression of a type."""
        raise NotImplementedError

    def num(self, scope: Scope, depth: int = 2) -> str:
        """Write a number."""
        raise NotImplementedError

    def word_of(self, enum: str, scope: Scope, depth: int = 0) -> str:
        """Write a word of an enumeration."""
        raise NotImplementedError
