"""The whole rulebook of a merged ruleset: chapters, references and index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.entries import Writer, capital, paragraphs, source
from rulelang.rulebook.lexicon import Lexicon
from rulelang.rulebook.model import (
    Block,
    Book,
    Chapter,
    Cite,
    Deck,
    Entry,
    Inline,
    Item,
    Line,
    Listing,
    Paragraph,
    Picture,
    Reference,
    Term,
    blocks,
    clean,
    joined,
    line,
    plain,
    sentence,
)
from rulelang.rulebook.order import ALWAYS, CARDS, START, TERMS, Order, arrange
from rulelang.rulebook.pieces import Pieces
from rulelang.variants.difference import compare
from rulelang.variants.phrases import words
from rulelang.variants.touching import flat, touches
from rulelang.wording import plural, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.symbols import Tables
    from rulelang.variants.difference import Difference

_CHANGES: Final = (
    nodes.ChangeOptionDecl,
    nodes.ChangeGameDecl,
    nodes.ChangeComponentDecl,
    nodes.ChangeWordsDecl,
    nodes.ChangeTableDecl,
)
_RELATIONS: Final = {"with": "needs", "not with": "cannot be combined with", "after": "wins over"}


def make_book(
    tables: Tables, base: Tables, *, course: Picture | None = None, places: Picture | None = None
) -> Book:
    """Make the rulebook of a ruleset.

    Args:
        tables: The ruleset with the chosen variants.
        base: The same ruleset without them, which the changes are told against.
        course: A drawing of the course of the game, for the chapter about it.
        places: A map, for the chapter about the components.
    """
    return _Maker(tables, base, course, places).book()


class _Maker:
    def __init__(
        self, tables: Tables, base: Tables, course: Picture | None, places: Picture | None
    ) -> None:
        self._tables = tables
        self._course = () if course is None else (course,)
        self._places = () if places is None else (places,)
        self._found: Difference = compare(base, tables)
        self._lexicon = Lexicon(tables)
        changes = {group.target: group for group in self._found.groups}
        self._writer = Writer(self._lexicon, touches(tables), changes)
        self._pieces = Pieces(self._writer)
        self._order: Order = arrange(tables)

    def book(self) -> Book:
        game = self._tables.game
        chapters = [chapter for chapter in self._chapters() if chapter.entries or chapter.intro]
        title = clean(game.title.value) if game is not None else ""
        chosen = [clean(each.title.value) for each in self._found.new]
        parts = [f"version {clean(self._tables.version)}"] if self._tables.version else []
        parts += [f"with {', '.join(chosen)}"] if chosen else []
        return Book(
            title,
            ", ".join(parts),
            tuple(self._intro()),
            tuple(chapters),
            tuple(self._references(chapters)),
            tuple(_index(chapters)),
        )

    def _intro(self) -> Iterator[Block]:
        game = self._tables.game
        if game is not None:
            for text in paragraphs(game.doc):
                yield Paragraph(line(text))
        low, high = self._tables.players
        people = (
            plural(low, "person").replace("persons", "people")
            if low == high
            else f"{low} to {high} people"
        )
        seats = self._tables.seats
        more = (
            f"; there are {plural(seats, 'seat')}, those without a person play by the rules for such seats"
            if seats > high
            else ""
        )
        yield Paragraph(line(f"For {people}{more}."))
        if self._found.new:
            yield Paragraph(
                line(
                    "In this edition these variants are part of the rules; what they change is marked:"
                )
            )
            yield Listing(
                tuple(Item(line(self._writer.marks(each.name.text))) for each in self._found.new)
            )

    # ------------------------------------------------------------ chapters

    def _chapters(self) -> Iterator[Chapter]:
        yield self._box()
        for name, depth in self._order.phases.items():
            pictures = self._course if name == START else ()
            yield Chapter(
                f"chapter-{name}", self._phase_title(name), pictures, tuple(self._of(name)), depth
            )
        yield Chapter(
            "chapter-always-in-force",
            "Always in force",
            (Paragraph(line("These rules wait for something, whenever it happens.")),),
            tuple(self._of(ALWAYS)),
        )
        yield Chapter("chapter-cards", "Cards", (), (*self._pieces.decks(), *self._of(CARDS)))
        yield Chapter("chapter-terms", "Terms", (), tuple(self._of(TERMS)))
        promises = [pair for pair in self._tables.items if isinstance(pair[0], nodes.AlwaysDecl)]
        yield Chapter("chapter-promises", "What always holds", (), tuple(self._entries(promises)))
        options = [pair for pair in self._tables.items if isinstance(pair[0], nodes.OptionDecl)]
        intro = (Paragraph(line("What a table can agree on before the game.")),)
        yield Chapter(
            "chapter-options", "Options", intro if options else (), tuple(self._entries(options))
        )
        yield Chapter("chapter-variants", "Variants", (), (*self._variants(), *self._presets()))

    def _phase_title(self, name: str) -> str:
        return "The course of the game" if name == START else capital(name)

    def _box(self) -> Chapter:
        entries: list[Entry] = []
        for item, origin in self._tables.items:
            if isinstance(item, nodes.ComponentDecl):
                entries.append(self._pieces.entry(item, origin))
            elif isinstance(item, nodes.EnumDecl):
                entries += self._writer.entries(item, origin)
        return Chapter("chapter-components", "What is in the box", self._places, tuple(entries))

    def _of(self, chapter: str) -> Iterator[Entry]:
        """Give the rules of a chapter, its phase first."""
        symbol = self._tables.symbols.get(chapter)
        pairs = [
            pair
            for pair in self._order.items
            if self._order.chapters[pair[0]] == chapter and _is_rule(pair[0])
        ]
        if symbol is not None:
            pairs.sort(key=lambda pair: pair[0] is not symbol.node)
        return self._entries(pairs)

    def _entries(self, pairs: Iterable[tuple[nodes.Item, str]]) -> Iterator[Entry]:
        for item, origin in pairs:
            yield from self._writer.entries(item, origin)

    # ------------------------------------------------------------ variants

    def _variants(self) -> Iterator[Entry]:
        known = {each.name.text: each for each in reversed(self._tables.variants)}
        chosen = {each.name.text for each in self._found.new}
        for name in sorted(known, key=lambda each: (each not in chosen, each)):
            variant = known[name]
            body: list[Block] = [
                Paragraph(
                    line("Part of this edition." if name in chosen else "Not part of this edition.")
                )
            ]
            body += self._fits(variant)
            if name in chosen:
                body += self._what_it_changes(name)
            yield Entry(
                self._lexicon.anchors[variant],
                line(clean(variant.title.value)),
                "variant",
                paragraphs(variant.doc),
                tuple(body),
                cites=tuple(dict.fromkeys(each.id for each in variant.citations)),
                sources=(source(variant),),
                terms=(clean(variant.title.value),),
            )

    def _fits(self, variant: nodes.VariantDecl) -> Iterator[Block]:
        titles = {each.name.text: each for each in self._tables.variants}
        for relation, said in _RELATIONS.items():
            names = [each.name.text for each in variant.qualifiers if each.relation == relation]
            if names:
                others = [
                    line(Term(clean(titles[each].title.value), self._lexicon.anchors[titles[each]]))
                    if each in titles
                    else line(spoken(each))
                    for each in names
                ]
                yield Paragraph(sentence(f"{said} ", joined(others)))

    def _what_it_changes(self, name: str) -> Iterator[Block]:
        items: list[Item] = []
        for group in self._found.groups:
            node = self._lexicon.by_target.get(group.target)
            anchor = self._writer.holder(node) if node is not None else ""
            fields: list[Line] = []
            for change in group.changes:
                if change.touch.origin == name:
                    field = change.touch.node
                    if isinstance(field, nodes.FieldDecl):
                        fields += [line(Term(spoken(each.text))) for each in field.names]
                        continue
                    own = self._writer.holder_of(change.touch.node)
                    items.append(
                        Item(
                            line(
                                Term(spoken(str(group.target)), anchor or own),
                                f": {words(change)}.",
                            )
                        )
                    )
            if fields:
                term = Term(spoken(str(group.target)), anchor)
                more = line(term, ": also has ", joined(fields), ".")
                items.append(Item(more))
        if items:
            yield Paragraph(line("It changes:"))
            yield Listing(tuple(items))

    def _presets(self) -> Iterator[Entry]:
        titles = {each.name.text: each for each in self._tables.variants}
        for preset in self._tables.presets:
            items = [
                Item(
                    line(
                        "with ",
                        Term(
                            clean(titles[each.text].title.value),
                            self._lexicon.anchors[titles[each.text]],
                        ),
                    )
                )
                for each in preset.variants
                if each.text in titles
            ]
            items += [
                Item(
                    line(
                        Term(spoken(each.name.text), self._lexicon.anchor_of(each.name.text)),
                        f": {spoken(flat(each.value))}",
                    )
                )
                for each in preset.assigns
            ]
            yield Entry(
                self._lexicon.anchors[preset],
                line(clean(preset.title.value)),
                "preset",
                paragraphs(preset.doc),
                (Listing(tuple(items)),),
                cites=tuple(dict.fromkeys(each.id for each in preset.citations)),
                sources=(source(preset),),
                terms=(clean(preset.title.value),),
            )

    # ------------------------------------------------------------ references

    def _references(self, chapters: Iterable[Chapter]) -> Iterator[Reference]:
        by: dict[str, dict[str, str]] = {}
        for chapter in chapters:
            for entry in chapter.entries:
                for cited, anchor, title in _cited(entry):
                    by.setdefault(cited, {}).setdefault(anchor, title)
        known = self._tables.citations
        for cited in sorted(
            by,
            key=lambda each: (
                each not in known,
                [*known].index(each) if each in known else 0,
                each,
            ),
        ):
            found = known.get(cited)
            yield Reference(
                cited,
                clean(found.section) if found is not None else "",
                clean(found.text) if found is not None else "",
                tuple(by[cited].items()),
            )


def _is_rule(item: nodes.Item) -> bool:
    """Is it told in the chapter of a phase, among the terms or the like, and not in one of its own?"""
    elsewhere = (
        nodes.ComponentDecl
        | nodes.EnumDecl
        | nodes.CardDecl
        | nodes.OptionDecl
        | nodes.AlwaysDecl
        | nodes.GameDecl
    )
    return not isinstance(item, elsewhere | nodes.ErrorDecl) and not isinstance(item, _CHANGES)


def _cited(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Give every citation of an entry with the place that it stands at, and what that is called."""
    title = plain(entry.title)
    for cited in entry.cites:
        yield cited, entry.anchor, title
    for block in blocks(entry.body):
        lines: list[Line | tuple[Inline, ...]] = []
        match block:
            case Paragraph(text=text):
                lines.append(text)
            case Listing(items=items):
                lines += [item.text for item in items]
            case Deck(cards=cards):
                for card in cards:
                    inside = [
                        block.text for block in blocks(card.body) if isinstance(block, Paragraph)
                    ]
                    inside += [
                        item.text
                        for block in blocks(card.body)
                        if isinstance(block, Listing)
                        for item in block.items
                    ]
                    for run in (card.marks, *inside):
                        for part in run:
                            if isinstance(part, Cite):
                                yield part.id, card.anchor, card.title
                continue
            case _:
                continue
        for run in lines:
            for part in run:
                if isinstance(part, Cite):
                    yield part.id, entry.anchor, title


def _index(chapters: Iterable[Chapter]) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Give every term with the places that explain it, in order of the alphabet."""
    found: dict[str, dict[str, str]] = {}
    for chapter in chapters:
        for entry in chapter.entries:
            for term in entry.terms:
                found.setdefault(term, {}).setdefault(entry.anchor, entry.kind)
            for block in blocks(entry.body):
                if isinstance(block, Deck):
                    for card in block.cards:
                        found.setdefault(card.title, {}).setdefault(card.anchor, "card")
    for term in sorted(found, key=lambda each: (each.casefold(), each)):
        yield term, tuple(found[term].items())
