"""What one seat sees, as panels of plain data: no terminal, no page, nothing that the seat may not know.

Texts are ready to be read. Numbers of things (as in the program) are given beside them, so that an interface can mark
what an option is about; of what the seat does not see there are none. Colours are words of `rulelang.presenting`.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs


@attrs.frozen
class Fact:
    """Something that is so of a thing, a player or a phase.

    Attributes:
        name: Of the field, in words.
        text: The value, in words; empty for a flag that is set, "unseen" for what the seat does not see.
        number: The value, if it is a number.
        things: The things that the value names, if they are seen.
        doc: What the ruleset says about the field.
    """

    name: str
    text: str
    number: int | None = None
    things: tuple[int, ...] = ()
    doc: str = ""

    def __str__(self) -> str:
        """Write it: `goods 3`, `captain: Anne Bonny`, `renounced`."""
        if not self.text:
            return self.name
        return (
            f"{self.name} {self.text}" if self.number is not None else f"{self.name}: {self.text}"
        )


@attrs.frozen
class Piece:
    """One thing that lies somewhere, or several that nobody can tell apart.

    Attributes:
        name: In words, with the number if there are several: "3 ships of Ann".
        short: The same, as briefly as it can be said.
        count: How many.
        things: Their numbers; empty for what lies face down.
        kind: Name of the kind.
        owner: The seat that they belong to, from 0.
        colour: A word, empty if it has none.
        facts: What is so of each of them.
        pieces: What lies on it.
    """

    name: str
    short: str
    count: int = 1
    things: tuple[int, ...] = ()
    kind: str = ""
    owner: int | None = None
    colour: str = ""
    facts: tuple[Fact, ...] = ()
    pieces: tuple[Piece, ...] = ()

    def __str__(self) -> str:
        """Write it with what is so of it, and what lies on it."""
        told = [*map(str, self.facts)]
        if self.pieces:
            told.append(f"with {', '.join(map(str, self.pieces))}")
        return f"{self.name} ({'; '.join(told)})" if told else self.name


@attrs.frozen
class Pile:
    """Things that somebody or something holds: a hand, a deck.

    Attributes:
        name: Of the field, in words.
        size: How many.
        pieces: What can be seen of it, in its order; empty if it is not seen.
        seen: Whether the seat sees what is in it.
        doc: What the ruleset says about it.
    """

    name: str
    size: int
    pieces: tuple[Piece, ...] = ()
    seen: bool = True
    doc: str = ""


@attrs.frozen
class Row:
    """One thing of a table: what is so of it, what it holds, what lies there.

    Attributes:
        thing: Its number.
        name: In words.
        short: The same, as briefly as it can be said.
        colour: A word, empty if it has none.
        facts: What is so of it, without what is 0, not set or nothing.
        piles: What it holds.
        pieces: What lies there.
    """

    thing: int
    name: str
    short: str
    colour: str = ""
    facts: tuple[Fact, ...] = ()
    piles: tuple[Pile, ...] = ()
    pieces: tuple[Piece, ...] = ()


@attrs.frozen
class Place:
    """A place on the map.

    Attributes:
        row: The place itself.
        x: From the left, in units of the ruleset.
        y: From the top.
        parts: Places inside of it that have no point of their own.
    """

    row: Row
    x: int
    y: int
    parts: tuple[Row, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All that lies there, parts included."""
        return (*self.row.pieces, *(piece for part in self.parts for piece in part.pieces))


@attrs.frozen
class Link:
    """Two places that are next to each other.

    Attributes:
        start: Number of the one thing.
        end: Number of the other.
        kind: What sort of connection it is; empty if there is one sort.
    """

    start: int
    end: int
    kind: str = ""


@attrs.frozen
class MapPanel:
    """A map.

    Attributes:
        title: In words.
        places: With what lies there.
        links: Between them, each once.
    """

    title: str
    places: tuple[Place, ...]
    links: tuple[Link, ...]


@attrs.frozen
class KindPanel:
    """All things of a kind of which there is something to tell.

    Attributes:
        title: In words.
        kind: Name of the kind.
        rows: One for each thing.
        supply: Things of the kind that lie nowhere yet.
        box: Things of the kind that are out of the game.
    """

    title: str
    kind: str
    rows: tuple[Row, ...]
    supply: tuple[Piece, ...] = ()
    box: tuple[Piece, ...] = ()


@attrs.frozen
class Seat:
    """What can be seen of a player.

    Attributes:
        seat: From 0.
        row: The player's fields, piles, and what lies at the player.
        score: The numbers that matter most.
        automa: Whether the ruleset's own policies play.
        you: Whether this is the seat that looks.
        won: Whether the player has won.
    """

    seat: int
    row: Row
    score: tuple[Fact, ...]
    automa: bool
    you: bool
    won: bool


@attrs.frozen
class SeatsPanel:
    """The players.

    Attributes:
        title: In words.
        seats: All of them, first seat first.
    """

    title: str
    seats: tuple[Seat, ...]


Panel: TypeAlias = MapPanel | KindPanel | SeatsPanel


@attrs.frozen
class View:
    """What one seat sees of the table.

    Attributes:
        seat: Whose view it is, from 0.
        title: Of the game.
        phases: What is going on, outermost first: "Turn 3", "Bidding".
        now: Values of the phases that run.
        panels: In the order in which they are best shown.
        winners: The seats that have won, from 0; None if nobody has.
    """

    seat: int
    title: str
    phases: tuple[str, ...]
    now: tuple[Fact, ...]
    panels: tuple[Panel, ...]
    winners: tuple[int, ...] | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players."""
        return next(panel.seats for panel in self.panels if isinstance(panel, SeatsPanel))


@attrs.frozen
class Choice:
    """An option of a question.

    Attributes:
        number: From 1, as it is typed.
        text: In words.
        key: As rules and scripts write it.
        value: What an answer holds.
        count: How many there are that nobody can tell apart; so many of them can be taken.
        things: The things that it is about and that are seen.
    """

    number: int
    text: str
    key: str
    value: object
    count: int = 1
    things: tuple[int, ...] = ()


@attrs.frozen
class Question:
    """What a seat is asked.

    Attributes:
        seat: From 0.
        path: Of the decision in the rules.
        prompt: In words.
        doc: What the ruleset says about it; may be empty.
        citations: The rules of the book behind it: id and text.
        choices: The options.
        least: How many are to be taken at least, None where it is exactly one.
        most: How many at most; None where it is exactly one.
        secret: Whether others answer at the same time, and see it only afterwards.
    """

    seat: int
    path: str
    prompt: str
    doc: str
    citations: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    least: int | None = None
    most: int | None = None
    secret: bool = False
