"""What of a ruleset its scenarios put to the test: its parts, and what became of each.

A part is a place in the text with outcomes that an example can show: a branch that is taken and one that is not, a need
that holds and that fails, a row that is looked up. Programs of one ruleset (for several numbers of seats, with several
variants) share parts by their places. The marks come from `Reference.mark`; what belongs to scenarios themselves is no
part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import attrs

from interpreter.compiling.analysis import children
from interpreter.reference.works import card_of
from rulelang import ir

Sort = Literal[
    "doings",
    "rules",
    "rules of cards",
    "definitions",
    "exceptions",
    "needs",
    "rows",
    "branches",
    "answers",
    "policies",
    "options",
]
SORTS: Final[tuple[Sort, ...]] = (
    "doings",
    "rules",
    "rules of cards",
    "definitions",
    "exceptions",
    "needs",
    "rows",
    "branches",
    "answers",
    "policies",
    "options",
)
Marks = Iterable[tuple[int, object]]

_DOINGS: Final = ("phase", "effect", "step", "action", "row")
_LONGEST: Final = 90
_CITATION: Final = re.compile(r" \[[A-Z][^\]]*(\]|$)")


@attrs.frozen
class Place:
    """Where a part stands: path of the file within the ruleset, line from 1, column from 0."""

    file: str
    line: int
    column: int


@attrs.frozen
class Part:
    """One part of a ruleset.

    Attributes:
        sort: What it is.
        place: Where it stands.
        text: How it is written there, the first line of it.
        cites: Ids of the rulebook: its own, else those of what it stands in.
    """

    sort: Sort
    place: Place
    text: str
    cites: tuple[str, ...] = attrs.field(default=(), eq=False)


@attrs.frozen
class Reached:
    """What the scenarios of a ruleset reach.

    Attributes:
        outcomes: For each part what can become of it.
        shown: For each part what has become of it.
    """

    outcomes: Mapping[Part, frozenset[str]] = attrs.field(factory=dict)
    shown: Mapping[Part, frozenset[str]] = attrs.field(factory=dict)

    @classmethod
    def of(cls, program: ir.Program, marks: Marks = ()) -> Reached:
        """The parts of a program, and what marks that were made while it ran say about them."""
        parts = list(_Parts(program).all())
        seen: dict[int, set[object]] = {}
        for number, became in marks:
            seen.setdefault(number, set()).add(became)
        outcomes: dict[Part, frozenset[str]] = {}
        shown: dict[Part, frozenset[str]] = {}
        for part, node, names in parts:
            outcomes[part] = outcomes.get(part, frozenset()) | frozenset(names.values())
            marked = seen.get(id(node), ())
            found = frozenset(names[outcome] for outcome in marked if outcome in names)
            shown[part] = shown.get(part, frozenset()) | found
        return cls(outcomes, shown)

    def joined(self, other: Reached) -> Reached:
        """Both together."""
        return Reached(_joined(self.outcomes, other.outcomes), _joined(self.shown, other.shown))

    def missing(self, part: Part) -> tuple[str, ...]:
        """What no scenario shows of a part, sorted."""
        return tuple(sorted(self.outcomes[part] - self.shown.get(part, frozenset())))

    def count(self, parts: Iterable[Part] | None = None) -> tuple[int, int]:
        """How many outcomes are shown, and how many there are, of some parts or of all."""
        chosen = list(self.outcomes if parts is None else parts)
        total = sum(len(self.outcomes[each]) for each in chosen)
        return total - sum(len(self.missing(each)) for each in chosen), total

    def by_sort(self) -> dict[Sort, list[Part]]:
        """The parts of each sort that there is, as they stand in the text."""
        found: dict[Sort, list[Part]] = {sort: [] for sort in SORTS}
        for part in self.in_order():
            found[part.sort].append(part)
        return {sort: parts for sort, parts in found.items() if parts}

    def by_citation(self) -> dict[str, list[Part]]:
        """The parts that belong to each id of the rulebook; those without one under the empty text."""
        found: dict[str, list[Part]] = {}
        for part in self.in_order():
            for cite in part.cites or ("",):
                found.setdefault(cite, []).append(part)
        return found

    def in_order(self) -> list[Part]:
        """All parts as they stand in the text."""
        return sorted(
            self.outcomes,
            key=lambda part: (part.place.file, part.place.line, part.place.column, part.sort),
        )


def marked_parts(program: ir.Program) -> Iterator[tuple[Part, int, Mapping[object, str]]]:
    """All parts, each with the identity of the node whose marks tell about it, and what the outcomes are called."""
    for part, node, names in _Parts(program).all():
        yield part, id(node), names


def _joined(
    first: Mapping[Part, frozenset[str]], second: Mapping[Part, frozenset[str]]
) -> dict[Part, frozenset[str]]:
    found = dict(first)
    for part, names in second.items():
        found[part] = found.get(part, frozenset()) | names
    return found


_Found = tuple[Part, object, Mapping[object, str]]
"""A part, the node whose marks tell about it, and what the outcomes in them are called."""


class _Parts:
    """Finds the parts of a program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._lines = [text.split("\n") for text in program.sources]
        self._scenes = [
            (each.span.file, each.span.line, each.span.end_line) for each in program.scenarios
        ]

    def all(self) -> Iterator[_Found]:
        """All parts, some of them several times."""
        program = self._program
        for option in program.options:
            yield from self._option(option)
        for definition in program.definitions:
            if self._is_rule(definition.span):
                yield from self._definition(definition)
                yield from self._below(definition, definition.cites)
        for doing in program.doings:
            if doing.kind != "setup" and (self._is_rule(doing.span) or doing.kind == "atomic"):
                if doing.kind in _DOINGS:
                    yield self._part("doings", doing.span, doing.cites), doing, _REACHED
                yield from self._below(doing, doing.cites)
        for rule in program.state_rules:
            yield from self._node(rule, rule.cites)
            yield from self._below(rule, rule.cites)
        for promise in program.always:
            yield self._part("rules", promise.span, promise.cites), promise, _REACHED
            yield from self._below(promise, promise.cites)

    def _below(self, node: object, cites: tuple[str, ...]) -> Iterator[_Found]:
        """The parts inside a node; what cites nothing belongs to what it stands in."""
        for child in children(node):
            own: tuple[str, ...] = getattr(child, "cites", ()) or cites
            span = getattr(child, "span", ir.NOWHERE)
            if span == ir.NOWHERE or self._is_rule(span):
                yield from self._node(child, own)
                yield from self._below(child, own)

    def _node(self, node: object, cites: tuple[str, ...]) -> Iterator[_Found]:
        match node:
            case ir.Hook() | ir.StateRule() if node.span.line:
                sort: Sort = "rules of cards" if card_of(node.lets) is not None else "rules"
                yield self._part(sort, node.span, cites), node, _REACHED
            case ir.Clause():
                always = node.cond is None and not node.lets and node.block is None
                names = _ALWAYS if always else _APPLIES
                sort = "rules of cards" if card_of(node.lets) is not None else "exceptions"
                yield self._part(sort, node.span, cites), node, names
            case ir.Need():
                yield self._part("needs", node.span, cites), node, _HOLDS
            case ir.Switch():
                for _, value in node.rows:
                    yield self._part("rows", value.span, cites), value, _LOOKED_UP
            case ir.Match():
                for number, (_, block) in enumerate(node.rows):
                    if block:
                        own = block[0].cites or cites
                        yield self._part("rows", block[0].span, own), node, {number: "looked up"}
            case ir.If() if self._begins(node.span, "if"):
                yield self._part("branches", node.span, cites), node, _TAKEN
            case ir.While() if self._begins(node.span, "while"):
                yield self._part("branches", node.span, cites), node, _ROUNDS
            case ir.Each() if self._begins(node.span, "each"):
                yield self._part("branches", node.span, cites), node, _ROUNDS
            case ir.Ask():
                yield from self._ask(node, cites)
            case _:
                pass

    def _definition(self, definition: ir.Definition) -> Iterator[_Found]:
        if not definition.needs:
            yield self._part("definitions", definition.span, definition.cites), definition, _READ

    def _ask(self, ask: ir.Ask, cites: tuple[str, ...]) -> Iterator[_Found]:
        static = self._program.decisions[ask.decision]
        names: dict[object, str] = {}
        if ask.otherwise is not None and static.form != "action":
            names["else"] = "nothing to choose from"
        match static.form:
            case "yes":
                names |= {True: "yes", False: "no"}
            case "label":
                names |= {number: _plain(each.text) for number, each in enumerate(ask.alternatives)}
            case "action":
                for number, instance in enumerate(ask.instances):
                    names[number] = self._program.doings[instance.doing].name
                names[None] = "none"
            case _:
                names["answered"] = "answered"
        part = self._part("answers", ask.span, static.cites or cites)
        part = attrs.evolve(part, text=static.path)
        yield part, ask, names
        if _has_policy(ask):
            yield attrs.evolve(part, sort="policies"), ask, {"automa": "asked"}

    def _option(self, option: ir.Option) -> Iterator[_Found]:
        if not self._is_rule(option.span):
            return
        names: dict[object, str] = {}
        match option.type.shape:
            case "flag":
                names = {True: "yes", False: "no"}
            case "word" if not self._program.enums[option.type.enum].numeric:
                words = self._program.enums[option.type.enum].words
                names = dict(enumerate(words))
            case _:
                names = _Numbers(option.default)
        yield self._part("options", option.span, option.cites), option, names

    def _part(self, sort: Sort, span: ir.Span, cites: tuple[str, ...]) -> Part:
        program = self._program
        file = program.files[span.file] if span.file < len(program.files) else program.name
        return Part(sort, Place(file, span.line, span.column), self._text(span), cites)

    def _text(self, span: ir.Span) -> str:
        if span.file >= len(self._lines) or not 0 < span.line <= len(self._lines[span.file]):
            return ""
        text = self._lines[span.file][span.line - 1]
        end = span.end_column if span.end_line == span.line else len(text)
        text = text[span.column : end].split("  #")[0].strip().removesuffix(":")
        text = _CITATION.sub("", text)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."

    def _begins(self, span: ir.Span, word: str) -> bool:
        """Was this written, and not made of something else?"""
        return self._text(span).split(" ", 1)[0] == word

    def _is_rule(self, span: ir.Span) -> bool:
        """Is this a place in the rules, not in a scenario or in what scenarios share?"""
        if not span.line or span.file >= len(self._program.files):
            return False
        if self._program.files[span.file].startswith("scenarios/"):
            return False
        return not any(
            file == span.file and first <= span.line <= last for file, first, last in self._scenes
        )


class _Numbers(dict[object, str]):
    """Names of the values of an option that is a number or a thing: what is given, and anything else."""

    def __init__(self, default: object) -> None:
        super().__init__({default: "as given", None: "another value"})

    def __contains__(self, value: object) -> bool:
        return True

    def __missing__(self, value: object) -> str:
        return self[None]


_REACHED: Final[Mapping[object, str]] = {True: "reached"}
_READ: Final[Mapping[object, str]] = {True: "read"}
_ALWAYS: Final[Mapping[object, str]] = {True: "applies"}
_APPLIES: Final[Mapping[object, str]] = {True: "applies", False: "does not apply"}
_HOLDS: Final[Mapping[object, str]] = {True: "holds", False: "fails"}
_LOOKED_UP: Final[Mapping[object, str]] = {True: "looked up"}
_TAKEN: Final[Mapping[object, str]] = {True: "yes", False: "no"}
_ROUNDS: Final[Mapping[object, str]] = {True: "entered"}


def _plain(text: ir.Prompt) -> str:
    """A label, with `...` for the values in it."""
    return "".join(part if isinstance(part, str) else "..." for part in text.parts)


def _has_policy(ask: ir.Ask) -> bool:
    return (
        ask.policy is not None
        or ask.yes_when is not None
        or any(each.automa is not None for each in ask.alternatives)
        or any(each.utility is not None for each in ask.instances)
    )
