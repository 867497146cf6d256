"""Components: how many there are, what each has, and the rows of their data as tables or cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.entries import Writer, capital, paragraphs, source
from rulelang.rulebook.model import (
    Block,
    Card,
    Deck,
    Entry,
    Grid,
    Item,
    Line,
    Listing,
    Paragraph,
    Row,
    Term,
    clean,
    joined,
    line,
    sentence,
)
from rulelang.rulebook.phrasing import word
from rulelang.rulebook.telling import cited
from rulelang.rulebook.typewords import type_words
from rulelang.symbols import snake_case
from rulelang.variants.touching import Target, ids
from rulelang.wording import one, plural, several, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang.ir import Type

_LONG: Final = 20
_NOTHING: Final = "\u2013"


class Pieces:
    """Writes what is in the box.

    Args:
        writer: Writes rules, of cards too.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.lexicon = writer.lexicon
        self.tables = writer.lexicon.tables
        self._cards: dict[tuple[int, str], list[tuple[nodes.CardDecl, str]]] = {}
        self.loose: list[tuple[nodes.CardDecl, str]] = []
        for item, origin in self.tables.items:
            if isinstance(item, nodes.CardDecl):
                number = writer.card_kind(item)
                if number >= 0 and self.lexicon.row_anchor(number, item.name.text):
                    self._cards.setdefault((number, item.name.text), []).append((item, origin))
                else:
                    self.loose.append((item, origin))

    def has_cards(self, kind: int) -> bool:
        """Tell whether rows of a kind have rules of their own."""
        return any(number == kind for number, _ in self._cards)

    # ------------------------------------------------------------ kinds

    def entry(self, item: nodes.ComponentDecl, origin: str) -> Entry:
        """Give the entry of a kind: number, fields, and its rows if they are no cards."""
        number = self.tables.kind_numbers.get(item.kind.text, -1)
        body: list[Block] = [Paragraph(self._amount(item, number))]
        fields = [(field, "") for field in item.fields]
        for other, by in self.tables.items:
            if isinstance(other, nodes.ChangeComponentDecl) and other.kind.text == item.kind.text:
                fields += [(field, by) for field in other.fields]
        if fields:
            body.append(Paragraph(line("Each has:")))
            body.append(Listing(tuple(self._field(field, by) for field, by in fields)))
        if number >= 0 and not self.has_cards(number):
            body += self._rows(number)
        elif number >= 0:
            body.append(
                Paragraph(
                    line("All of them: see ", Term("the cards", self.deck_anchor(number)), ".")
                )
            )
        for target in (Target("component", item.kind.text), *self._field_targets(item)):
            body += self.writer.changed(target)
        return Entry(
            self.lexicon.anchors[item],
            line(capital(spoken(item.kind.text))),
            "component",
            paragraphs(item.doc),
            tuple(body),
            self.writer.marks(origin),
            ids(item),
            (source(item),),
            (spoken(item.kind.text),),
        )

    @staticmethod
    def _field_targets(item: nodes.ComponentDecl) -> Iterator[Target]:
        for field in item.fields:
            for ident in field.names:
                yield Target("field", f"{snake_case(item.kind.text)}.{ident.text}")

    def _amount(self, item: nodes.ComponentDecl, number: int) -> Line:
        noun = spoken(item.kind.text)
        count = self.tables.kinds[number].count if number >= 0 else 0
        match item.amount:
            case _ if number == 0:
                return line("There is one for each seat.")
            case nodes.AmountFixed(count=1) if not item.files:
                return sentence("there is one ", noun)
            case nodes.AmountPer(count=each, each=owner):
                speaker = self.writer.teller(item).speaker
                of = " of each" if item.files else ""
                many = speaker.noun(each)
                return sentence("there are ", many, f"{of} for each {spoken(owner.text)}")
            case _:
                names = (
                    " with a name each"
                    if number >= 0 and not self.tables.kinds[number].alike
                    else ""
                )
                there = (
                    f"there are {count} {several(noun)}" if count != 1 else f"there is {one(noun)}"
                )
                return sentence(there, names if count > 1 else "")

    def _field(self, field: nodes.FieldDecl, origin: str) -> Item:
        speaker = self.writer.teller(field).speaker
        names = joined([line(Term(spoken(each.text))) for each in field.names])
        said = line(names, ": ", type_words(field.type, self.lexicon))
        if field.initial is not None:
            lead = ", each with its own of " if field.initial.each else ", at first "
            said = line(
                said, lead, self._counted(field.initial.value) or speaker.noun(field.initial.value)
            )
        elif field.columns:
            said = line(said, ", as printed")
        for flag in field.flags:
            said = line(said, "; ", self._flag(flag))
        below = tuple(Paragraph(line(each)) for each in paragraphs(field.doc))
        return Item(line(sentence(said), cited(field), *self.writer.marks(origin)), below)

    @staticmethod
    def _counted(value: nodes.Expr) -> Line:
        """Give a list of numbers that repeat by how often each is in it; nothing if it is another value."""
        if not isinstance(value, nodes.Group) or not all(
            isinstance(each, nodes.Number) for each in value.elements
        ):
            return ()
        found: dict[int, int] = {}
        for each in value.elements:
            if isinstance(each, nodes.Number):
                found[each.value] = found.get(each.value, 0) + 1
        return joined(
            [
                line(f"{number} ({count} times)" if count > 1 else f"{number}")
                for number, count in found.items()
            ]
        )

    @staticmethod
    def _flag(flag: nodes.Flag) -> str:
        match flag.name.text:
            case "hidden":
                return "nobody sees it"
            case "seen":
                return "only the owner sees it"
            case _:
                by = f" for the player to the {flag.by.text}" if flag.by is not None else ""
                return f"cards in it are in force{by}"

    # ------------------------------------------------------------ rows

    def _columns(self, number: int) -> list[tuple[str, int]]:
        """Give the fields of a kind that are printed: those that its data say."""
        found: list[tuple[str, int]] = []
        for (kind, name), field in self.tables.field_numbers.items():
            node = self.tables.field_nodes.get(field)
            if kind == number and isinstance(node, nodes.FieldDecl) and node.initial is None:
                found.append((name, field))
        return found

    def _rows(self, number: int) -> Iterator[Block]:
        kind = self.tables.kinds[number]
        rows = self.lexicon.row_ids(kind)
        columns = self._columns(number)
        if rows and not kind.alike:
            header = [line("Name"), *(line(capital(name)) for name, _ in columns)]
            shown = []
            for ident, (thing, *more) in rows.items():
                title = line(self.lexicon.shared_title(number, (thing, *more)))
                cells = [title, *(self._cell(field, thing) for _, field in columns)]
                anchor = self.lexicon.row_anchor(number, ident)
                shown.append(Row(tuple((Paragraph(each),) for each in cells), anchor=anchor))
        elif columns and kind.count and not kind.singleton and number:
            header = [line(capital(name)) for name, _ in columns]
            distinct = dict.fromkeys(
                tuple(self._cell(field, kind.base + at) for _, field in columns)
                for at in range(kind.count)
            )
            shown = [Row(tuple((Paragraph(each),) for each in cells)) for cells in distinct]
        else:
            return
        caption = line(f"All {several(spoken(kind.name))}")
        yield Grid(tuple(header), tuple(shown), caption, folded=len(shown) > _LONG)

    def _cell(self, field: int, thing: int) -> Line:
        of = self.tables.fields[field]
        first = self.tables.kinds[of.kind].base
        at = (thing - first) * of.keys
        values = of.values[at : at + of.keys]
        if of.keys == 1:
            return line(self.value(values[0] if values else None, of.type))
        keys = self._key_names(field)
        return line(
            "; ".join(
                f"{key}: {self.value(each, of.type)}"
                for key, each in zip(keys, values, strict=False)
                if each is not None
            )
            or _NOTHING
        )

    def _key_names(self, field: int) -> list[str]:
        node = self.tables.field_nodes.get(field)
        of = node.type if isinstance(node, nodes.FieldDecl) else None
        if isinstance(of, nodes.KeyedType) and of.key.text in self.tables.enum_numbers:
            return [
                word(each)
                for each in self.tables.enums[self.tables.enum_numbers[of.key.text]].words
            ]
        return [
            str(number)
            for number in range(
                self.tables.fields[field].key_low, self.tables.fields[field].keys + 1
            )
        ]

    def value(self, value: object, of: Type) -> str:
        """Write a value of the data."""
        match value:
            case None:
                return _NOTHING
            case bool():
                return "yes" if value else "no"
            case str():
                return clean(value)
            case tuple() if of.shape == "bag":
                counted = zip(self.tables.enums[of.enum].words, value, strict=False)
                return (
                    " + ".join(
                        f"{count} {word(name)}" if count != 1 else word(name)
                        for name, count in counted
                        if count
                    )
                    or _NOTHING
                )
            case tuple():
                inner = of.elem or of
                sign = " / " if inner.shape == "bag" else ", "
                return sign.join(self.value(each, inner) for each in value) or _NOTHING
            case int() if of.shape == "thing":
                return self._thing(value)
            case int() if of.shape == "word":
                enum = self.tables.enums[of.enum]
                return str(value) if enum.numeric else word(enum.words[value])
            case int() if of.shape == "flag":
                return "yes" if value else "no"
            case _:
                return str(value)

    def _thing(self, thing: int) -> str:
        for number, kind in enumerate(self.tables.kinds):
            if kind.base <= thing < kind.base + kind.count:
                return self.lexicon.row_title(number, thing)
        return str(thing)

    # ------------------------------------------------------------ cards

    def deck_anchor(self, number: int) -> str:
        """Give the anchor of the cards of a kind."""
        return f"cards-{self.tables.kinds[number].name}"

    def decks(self) -> Iterator[Entry]:
        """Give the cards of every kind whose rows have rules."""
        for number, kind in enumerate(self.tables.kinds):
            if self.has_cards(number):
                cards = [
                    self._card(number, ident, things)
                    for ident, things in self.lexicon.row_ids(kind).items()
                ]
                yield Entry(
                    self.deck_anchor(number),
                    line(capital(several(spoken(kind.name)))),
                    "cards",
                    body=(Deck(tuple(cards)),),
                    sources=tuple(
                        source(card)
                        for (of, _), found in self._cards.items()
                        if of == number
                        for card, _ in found
                    ),
                )
        for card, origin in self.loose:
            yield from self.writer.entries(card, origin)

    def _card(self, number: int, ident: str, things: Sequence[int]) -> Card:
        kind, thing = self.tables.kinds[number], things[0]
        fields: list[tuple[str, Line]] = []
        texts: list[Block] = []
        if len(things) > 1:
            fields.append(("In the game", line(plural(len(things), "copy"))))
        columns = self._columns(number)
        worded = [field for _, field in columns if self.tables.fields[field].type.shape == "text"]
        for name, field in columns:
            said = self._cell(field, thing)
            of = self.tables.fields[field]
            if of.type.shape == "text" and len(str(of.values[thing - kind.base])) > 60:
                # A text that is the only one needs no name: it is what the card says.
                lead = line(Term(capital(name)), ": ") if len(worded) > 1 else ()
                texts.append(Paragraph(line(lead, said)))
            elif said != line(_NOTHING) and said:
                fields.append((capital(name), said))
        marks: list[Line] = []
        for card, origin in self._cards.get((number, ident), ()):
            teller = self.writer.teller(card)
            if card.doc:
                texts += [Paragraph(line(each)) for each in paragraphs(card.doc)]
            texts += self.writer.card_rules(card.items, teller)
            marks += [cited(card), self.writer.marks(origin)]
            texts += self.writer.changed(
                Target(
                    "card",
                    card.name.text if card.kind is None else f"{card.kind.text}.{card.name.text}",
                )
            )
        return Card(
            self.lexicon.row_anchor(number, ident),
            self.lexicon.shared_title(number, things),
            tuple(fields),
            tuple(texts),
            line(*marks),
        )
