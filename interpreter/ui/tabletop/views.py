"""Makes views of the table from observations, and questions from decisions."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.decision import SetOf
from interpreter.layout import BOX, FIRST_PILE, NOWHERE, Layout
from interpreter.sight.observation import FaceDown, Hidden, HiddenPile, ints
from interpreter.ui.tabletop.geography import geography_of
from interpreter.ui.tabletop.model import (
    Choice,
    Fact,
    KindPanel,
    MapPanel,
    Panel,
    Piece,
    Pile,
    Place,
    Question,
    Row,
    Seat,
    SeatsPanel,
    View,
)
from rulelang.presenting import MAP, PLAYERS, Hints
from rulelang.wording import one, plural, several, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from interpreter.decision import Decision, Option
    from interpreter.sight.observation import Observation
    from interpreter.ui.names import Names
    from rulelang.ir import Field, Kind, Type

UNSEEN: Final = "unseen"


class Views:
    """Makes views of one game, for any seat.

    Args:
        names: What things and players are called.
        hints: How the table is best shown.
    """

    def __init__(self, names: Names, hints: Hints | None = None) -> None:
        self.names = names
        self.hints = Hints() if hints is None else hints
        program = names.program
        self.program = program
        self.geography = geography_of(program, self.hints)
        self.piles = Layout(program).piles
        self.kind_of = tuple(
            number for number, kind in enumerate(program.kinds) for _ in range(kind.count)
        )
        self.fields_of: dict[int, list[Field]] = defaultdict(list)
        for field in program.fields:
            self.fields_of[field.kind].append(field)
        self._owners = {
            field.kind: field
            for field in program.fields
            if field.name == "owner" and not field.mutable and field.type.shape == "thing"
        }
        self._texts = {citation.id: citation.text for citation in program.citations}

    def view(
        self, seen: Observation, phases: Sequence[str] = (), running: Iterable[object] = ()
    ) -> View:
        """Describe the table as a seat sees it.

        Args:
            seen: What it sees.
            phases: Headings of what is going on, outermost first.
            running: Numbers of the doings that run.
        """
        now = set(running)
        facts = [
            fact
            for value in self.program.globals
            if value.shown and value.phase in now
            for fact in self._told(
                spoken(value.name.partition(".")[2]), seen.value(value.index), value.type, ""
            )
        ]
        title = self.program.title
        panels = tuple(_Making(self, seen).panels())
        return View(seen.seat, title, tuple(phases), tuple(facts), panels, seen.winners)

    def question(
        self, seen: Observation, decision: Decision, options: Sequence[Option]
    ) -> Question:
        """Describe a decision.

        Args:
            seen: What its seat sees while it is asked.
            decision: What is asked.
            options: As the seat may read them, see `interpreter.sight.offers.shown`.
        """
        domain = decision.options
        chosen = domain if isinstance(domain, SetOf) else None
        cites = dict.fromkeys((*decision.citations, *self._cites_around(decision.path)))
        prompt = decision.prompt or spoken(decision.path.rsplit(".", 1)[-1])
        return Question(
            decision.seat,
            decision.path,
            prompt,
            decision.doc,
            tuple((cite, self._texts.get(cite, "")) for cite in cites),
            tuple(self._choice(seen, decision, each, n) for n, each in enumerate(options, 1)),
            None if chosen is None else chosen.least,
            None if chosen is None else chosen.most,
            decision.secret,
        )

    def about(self, seen: Observation, thing: int) -> Row:
        """Tell all that the seat knows of a thing, what is printed on it included."""
        making = _Making(self, seen)
        row = making.row(thing)
        printed = [
            fact
            for field in self.fields_of[self.kind_of[thing]]
            if not field.mutable and not field.pile
            for fact in self.facts(seen, field, thing)
        ]
        return attrs.evolve(row, facts=(*row.facts, *printed))

    def whereabouts(self, seen: Observation) -> tuple[tuple[str, str], ...]:
        """Say of everything that can be moved and that the seat sees where it is: pairs of texts."""
        return tuple(_Making(self, seen).whereabouts())

    # ------------------------------------------------------------------ words

    def short(self, thing: int) -> str:
        """Name a thing briefly."""
        if thing < len(self.names.seats):
            return self.names.seats[thing]
        kind = self.program.kinds[self.kind_of[thing]]
        key = kind.ids[thing - kind.base]
        return self.hints.short.get(key) or self.names.thing(thing)

    def colour(self, thing: int) -> str:
        """Give the colour of a thing: its own, its owner's, or that of the first word printed on it."""
        number = self.kind_of[thing]
        kind = self.program.kinds[number]
        if number == 0:
            seats = self.hints.seats
            return seats[thing] if thing < len(seats) else ""
        own = self.hints.colours.get(kind.ids[thing - kind.base])
        if own:
            return own
        owner = self.owner(thing)
        if owner is not None:
            return self.colour(owner)
        for field in self.fields_of[number]:
            if field.type.shape == "word" and not field.mutable and field.keys == 1:
                enum = self.program.enums[field.type.enum]
                value = field.values[thing - kind.base]
                if not enum.numeric and isinstance(value, int):
                    colour = self.hints.colours.get(enum.words[value])
                    if colour:
                        return colour
        return ""

    def owner(self, thing: int) -> int | None:
        """Give the seat that a thing always belongs to."""
        field = self._owners.get(self.kind_of[thing])
        if field is None:
            return None
        value = field.values[thing - self.program.kinds[field.kind].base]
        return value if isinstance(value, int) and value < len(self.names.seats) else None

    def called(self, name: str) -> str:
        """Write a name of the ruleset in words, or as a hint says."""
        return self.hints.short.get(name) or spoken(name)

    # ------------------------------------------------------------------ facts

    def facts(self, seen: Observation, field: Field, thing: int) -> Iterator[Fact]:
        """Tell what a field of a thing says; nothing for 0, no, none and what is not known."""
        if field.pile or field.index == self.program.automa_field:
            return
        base = self.program.kinds[field.kind].base
        for key in range(field.key_low, field.key_low + field.keys):
            value = seen.read(field.index, thing, key)
            if field.lent_by is not None:
                at = (thing - base) * field.keys + (key - field.key_low)
                if value == field.values[at]:
                    continue
            name = self.called(field.name)
            yield from self._told(
                name if field.keys == 1 else f"{name} {key}", value, field.type, field.doc
            )

    def _told(self, name: str, value: object, of: Type, doc: str) -> Iterator[Fact]:
        match value:
            case Hidden():
                yield Fact(name, UNSEEN, doc=doc)
            case HiddenPile(size=size):
                yield Fact(name, f"{size} {UNSEEN}", doc=doc)
            case FaceDown(kind=kind):
                yield Fact(
                    name, f"{one(spoken(self.program.kinds[kind].name))}, face down", doc=doc
                )
            case tuple() if any(isinstance(each, FaceDown) for each in value):
                yield Fact(name, f"{plural(len(value), 'thing')}, face down", doc=doc)
            case True:
                yield Fact(name, "", doc=doc)
            case None | False | () | "":
                return
            case int() if of.shape == "number":
                if value:
                    yield Fact(name, str(value), value, doc=doc)
            case tuple() if of.shape == "bag" and not any(value):
                return
            case _:
                about = of.elem or of
                things = tuple(ints(value)) if about.shape == "thing" else ()
                yield Fact(name, self.names.value(value, of), None, things, doc)

    def _cites_around(self, path: str) -> tuple[str, ...]:
        doings = {doing.name: doing for doing in self.program.doings}
        while path and path not in doings:
            path = path.rpartition(".")[0]
        return doings[path].cites if path else ()

    def _choice(self, seen: Observation, decision: Decision, option: Option, number: int) -> Choice:
        of = decision.type.elem or decision.type
        things: tuple[int, ...] = ()
        text = option.text
        if decision.form == "action":
            things = self._arguments(option)
        elif of.shape == "thing":
            things = tuple(ints(option.value))
        things = tuple(thing for thing in things if thing not in seen.offered)
        value = option.value
        if (
            decision.form != "action"
            and of.shape == "thing"
            and isinstance(value, int)
            and value in things
            and value >= self.program.kinds[0].count
            and self.names.noun(value) is not None
        ):
            text = self.names.thing(value)
            _, place = seen.where(value)
            if isinstance(place, int):
                text += f", at {self.names.thing(place)}"
        return Choice(number, text, option.key, value, option.count, things)

    def _arguments(self, option: Option) -> tuple[int, ...]:
        """The things among the arguments of an action."""
        if not isinstance(option.value, tuple):
            return ()
        name = option.key.partition("(")[0]
        doing = next(each for each in self.program.doings if each.name == name)
        pairs = zip(option.value[1:], doing.params[1:], strict=True)
        return tuple(
            thing for arg, param in pairs if param.type.shape == "thing" for thing in ints(arg)
        )


class _Making:
    """The making of one view."""

    def __init__(self, views: Views, seen: Observation) -> None:
        self._views = views
        self._seen = seen
        self._program = views.program
        self._lying: dict[int, list[int]] = defaultdict(list)
        self._supply: dict[int, list[int]] = defaultdict(list)
        self._box: dict[int, list[int]] = defaultdict(list)
        self._open: set[int] = set()
        self._named = self._named_by_seats()
        for number, kind in enumerate(self._program.kinds):
            if kind.movable:
                self._find(number, kind)
        self._down: dict[int, list[int]] = defaultdict(list)
        for number, position, place in seen.face_down:
            if place >= 0 and position < FIRST_PILE:
                self._down[place].append(number)

    def _find(self, number: int, kind: Kind) -> None:
        for thing in range(kind.base, kind.base + kind.count):
            position, place = self._seen.where(thing)
            if isinstance(place, int):
                self._lying[place].append(thing)
            elif position == BOX:
                self._box[number].append(thing)
            elif position == NOWHERE and thing not in self._named:
                owner = self._views.owner(thing)
                if owner is None:
                    self._supply[number].append(thing)
                else:
                    self._lying[owner].append(thing)  # beside its owner

    def _named_by_seats(self) -> dict[int, int]:
        """The things that a player has because a field says so, without a pile or a place, with that player."""
        return {
            thing: seat
            for field in self._program.fields
            if field.kind == 0 and not field.pile and field.mutable and field.lent_by is None
            for seat in range(self._program.kinds[0].count)
            for key in range(field.key_low, field.key_low + field.keys)
            if (field.type.elem or field.type).shape == "thing"
            for thing in ints(self._seen.read(field.index, seat, key))
        }

    # ------------------------------------------------------------------ panels

    def panels(self) -> Iterator[Panel]:
        hints, kinds = self._views.hints, self._program.kinds
        made: dict[str, Panel | None] = {}
        order = [*hints.panels, MAP, PLAYERS, *(kind.name for kind in kinds[1:])]
        numbers = {kind.name: number for number, kind in enumerate(kinds)}
        on_map = set(self._views.geography.kinds)
        for name in order:
            if name in made or (name in hints.hidden and name != PLAYERS):
                continue
            if name == MAP:
                made[name] = self._map()
            elif name == PLAYERS or name == kinds[0].name:
                made[PLAYERS] = made[kinds[0].name] = self._seats()
                yield made[PLAYERS]  # type: ignore[misc]
                continue
            elif name in numbers:
                number = numbers[name]
                wanted = name in hints.panels
                made[name] = self._kind(number, wanted=wanted, on_map=number in on_map)
            panel = made.get(name)
            if panel is not None:
                yield panel

    def _map(self) -> MapPanel | None:
        geography = self._views.geography
        if not geography.points:
            return None
        parts: dict[int, list[Row]] = defaultdict(list)
        here = self._markers()
        for part, place in geography.part_of.items():
            parts[place].append(self._with_markers(self.row(part), here))
        places = tuple(
            Place(self._with_markers(self.row(thing), here), x, y, tuple(parts[thing]))
            for thing, (x, y) in geography.points.items()
        )
        return MapPanel("map", places, geography.links)

    def _markers(self) -> dict[int, list[Piece]]:
        """The players who are somewhere, by where they are."""
        found: dict[int, list[Piece]] = defaultdict(list)
        for field in self._views.geography.markers:
            for seat, name in enumerate(self._views.names.seats):
                place = self._seen.read(field, seat)
                if isinstance(place, int):
                    kind, colour = self._program.kinds[0].name, self._views.colour(seat)
                    found[place].append(Piece(name, name, 1, (seat,), kind, seat, colour))
        return found

    @staticmethod
    def _with_markers(row: Row, here: Mapping[int, list[Piece]]) -> Row:
        return attrs.evolve(row, pieces=(*here.get(row.thing, ()), *row.pieces))

    def _seats(self) -> SeatsPanel:
        seen, program = self._seen, self._program
        named = self._views.hints.score
        fields = {f.name: f for f in program.fields if f.kind == 0}
        winners = seen.winners or ()
        seats: list[Seat] = []
        for seat in range(program.kinds[0].count):
            score = [
                Fact(self._views.called(name), str(value), value, doc=fields[name].doc)
                for name in named
                if name in fields and type(value := seen.read(fields[name].index, seat)) is int
            ]
            row = self.row(seat)
            told = {fact.name for fact in score}
            row = attrs.evolve(row, facts=tuple(f for f in row.facts if f.name not in told))
            automa = seen.read(program.automa_field, seat) is True
            won = seat in winners
            seats.append(Seat(seat, row, tuple(score), automa, seat == seen.seat, won))
        return SeatsPanel("players", tuple(seats))

    def _kind(self, number: int, *, wanted: bool, on_map: bool) -> KindPanel | None:
        """A table of a kind; None if there is nothing to tell that is not told elsewhere."""
        kind = self._program.kinds[number]
        things = range(kind.base, kind.base + kind.count)
        rows: list[Row] = []
        if not kind.alike and not kind.movable and (wanted or not on_map):
            rows = [row for thing in things if _tells(row := self.row(thing)) or wanted]
        supply, box = self._pieces(self._supply[number]), self._pieces(self._box[number])
        if not rows and not supply and not box:
            return None
        title = kind.name if kind.singleton else several(kind.name)
        return KindPanel(spoken(title), kind.name, tuple(rows), supply, box)

    # ------------------------------------------------------------------ things

    def row(self, thing: int) -> Row:
        views = self._views
        facts: list[Fact] = []
        piles: list[Pile] = []
        for field in views.fields_of[views.kind_of[thing]]:
            if field.pile:
                pile = self._pile(field, thing)
                if pile.size or field.lent_by is None:
                    piles.append(pile)
            elif field.name != "place" and (field.mutable or field.sight != "open"):
                facts.extend(views.facts(self._seen, field, thing))
        name = views.names.thing(thing)
        return Row(
            thing,
            f"{name[:1].upper()}{name[1:]}",
            views.short(thing),
            views.colour(thing),
            tuple(facts),
            tuple(piles),
            self._pieces(self._lying[thing], self._down[thing]),
        )

    def _pile(self, field: Field, thing: int) -> Pile:
        name = self._views.called(field.name)
        value = self._seen.read(field.index, thing)
        if isinstance(value, HiddenPile):
            return Pile(name, value.size, (), seen=False, doc=field.doc)
        held = value if isinstance(value, tuple) else ()
        pieces: list[Piece] = []
        for unseen, run in itertools.groupby(held, lambda each: isinstance(each, FaceDown)):
            if unseen:
                kinds = Counter(each.kind for each in run)
                pieces += [self._unseen(kind, count) for kind, count in kinds.items()]
            else:
                pieces += [self._piece(each, 1, (each,)) for each in run]
        return Pile(name, len(held), tuple(pieces), doc=field.doc)

    def _pieces(self, things: Iterable[int], down: Iterable[int] = ()) -> tuple[Piece, ...]:
        """Put things together that nobody can tell apart; those that lie face down come last."""
        groups: dict[object, list[int]] = {}
        made: dict[object, Piece] = {}
        for thing in things:
            piece = self._piece(thing, 1, ())
            alike = self._views.names.noun(thing) is not None and not piece.pieces
            key = piece if alike else thing
            made.setdefault(key, piece)
            groups.setdefault(key, []).append(thing)
        found = [self._piece(each[0], len(each), tuple(each)) for each in groups.values()]
        unseen: dict[int, int] = defaultdict(int)
        for number in down:
            unseen[number] += 1
        found += [self._unseen(number, count) for number, count in unseen.items()]
        return tuple(found)

    def _piece(self, thing: int, count: int, things: tuple[int, ...]) -> Piece:
        views = self._views
        kind = self._program.kinds[views.kind_of[thing]]
        noun = views.names.noun(thing)
        owner = views.owner(thing)
        if noun is None:
            name = views.names.thing(thing)
            short = views.short(thing)
        else:
            what, whose = noun
            name = (one(what) if count == 1 else plural(count, what)) + whose
            brief = views.hints.short.get(kind.name) or what
            short = brief if count == 1 else f"{count} {brief}"
        facts = tuple(self._facts_of_piece(thing))
        there = self._on(thing) if count == 1 else ()
        colour = views.colour(thing)
        return Piece(name, short, count, things, kind.name, owner, colour, facts, there)

    def _on(self, thing: int) -> tuple[Piece, ...]:
        """What lies on a piece; in a circle of things that lie on each other, nothing."""
        if thing in self._open:
            return ()
        self._open.add(thing)
        found = self._pieces(self._lying.get(thing, ()), self._down.get(thing, ()))
        self._open.discard(thing)
        return found

    def _facts_of_piece(self, thing: int) -> Iterator[Fact]:
        """What is so of a thing that lies somewhere; of counters what is printed on them too."""
        views = self._views
        number = views.kind_of[thing]
        alike = self._program.kinds[number].alike
        for field in views.fields_of[number]:
            if field.name in {"place", "face_up"} or field.pile:
                continue
            printed = alike and field.name != "owner" and field.type.shape in {"number", "word"}
            if field.mutable or field.sight != "open" or printed:
                yield from views.facts(self._seen, field, thing)

    def _unseen(self, number: int, count: int) -> Piece:
        kind = self._program.kinds[number]
        noun = spoken(kind.name)
        name = f"{one(noun) if count == 1 else plural(count, noun)}, face down"
        brief = self._views.hints.short.get(kind.name) or noun
        return Piece(name, f"{count} {brief}?" if count > 1 else f"{brief}?", count, (), kind.name)

    def whereabouts(self) -> Iterator[tuple[str, str]]:
        program, views = self._program, self._views
        found: dict[tuple[str, str], int] = defaultdict(int)
        for kind in program.kinds:
            for thing in range(kind.base, kind.base + kind.count) if kind.movable else ():
                noun = views.names.noun(thing)
                name = spoken(kind.name) + noun[1] if noun else views.names.thing(thing)
                found[name, self._where(thing)] += 1
        for number, _, place in self._seen.face_down:
            where = views.names.thing(place) if place >= 0 else "not on the table"
            found[f"{spoken(program.kinds[number].name)}, face down", where] += 1
        for (name, where), count in found.items():
            if where:
                yield (name if count == 1 else f"{count} x {name}"), where

    def _where(self, thing: int) -> str:
        """Say where a thing is; empty if that is not seen."""
        names, seen = self._views.names, self._seen
        position, place = seen.where(thing)
        if isinstance(position, Hidden):
            return ""
        if isinstance(place, int):
            return names.thing(place)
        if isinstance(position, int) and position >= FIRST_PILE:
            field, holder = self._views.piles[position - FIRST_PILE]
            return f"{names.thing(holder)}, {self._views.called(self._program.fields[field].name)}"
        if position == BOX:
            return "in the box"
        keeper = self._named.get(thing, self._views.owner(thing))
        return "not on the table" if keeper is None else names.thing(keeper)


def _tells(row: Row) -> bool:
    return bool(row.facts or row.pieces or any(pile.size for pile in row.piles))
