"""What one seat sees of a table, as data: all that it may know, and no more."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.machine import Match
from interpreter.providers.automa import AutomaProvider
from interpreter.sight.offers import shown
from interpreter.sight.redeal import redealt
from interpreter.ui.names import Names
from interpreter.ui.tabletop.model import KindPanel, MapPanel, SeatsPanel
from interpreter.ui.tabletop.views import Views
from rulelang.api import load_ruleset, table_hints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.decision import Decision
    from interpreter.ui.tabletop.model import Question, View

RULESETS = Path(__file__).parents[2] / "rulesets"


class Table:
    """A game that is played by its own policies, and views of it."""

    def __init__(self, path: str | Path, people: int = 2, seed: int = 1) -> None:
        program = load_ruleset(path, people=people)
        self.match = Match(program, people=people, seed=seed, optimise=False)
        self.views = Views(Names(program), table_hints(path, program))
        self._player = AutomaProvider(seed)

    def asked(self) -> Decision:
        """The decision that waits."""
        decision = self.match.next()
        assert decision is not None
        return decision

    def go(self, answers: int) -> Iterator[Decision]:
        """Answer some decisions; gives each before it is answered."""
        for _ in range(answers):
            decision = self.match.next()
            if decision is None:
                return
            yield decision
            seat = decision.seat
            answer = self._player.decide(lambda: self.match.observation(seat), decision)  # noqa: B023
            self.match.apply(answer)

    def view(self, seat: int) -> View:
        """What a seat sees now."""
        return self.views.view(self.match.observation(seat))

    def question(self, match: Match | None = None) -> Question:
        """What is asked now."""
        at = self.match if match is None else match
        decision = at.next()
        assert decision is not None
        seen = at.observation(decision.seat)
        return self.views.question(seen, decision, shown(lambda: seen, decision))


def test_the_map_comes_from_coordinates(lagoon: str) -> None:
    """Places stand where the data say, links once each, and what lies there lies there."""
    table = Table(lagoon)
    table.asked()
    board = table.view(0).panels[0]
    assert isinstance(board, MapPanel)
    assert [(each.row.name, each.x, each.y) for each in board.places] == [
        ("The Mill", 10, 10),
        ("Old Port", 60, 10),
        ("Salt Pans", 30, 50),
    ]
    names = {each.row.thing: each.row.name for each in board.places}
    assert [(names[link.start], names[link.end]) for link in board.links] == [
        ("The Mill", "Old Port"),
        ("Old Port", "Salt Pans"),
    ]
    mill = board.places[0]
    assert [str(piece) for piece in mill.pieces] == ["Player 1", "Player 2", "a stone, face down"]
    assert [str(fact) for fact in mill.row.facts] == ["grain 1"]
    assert all(not piece.things for piece in mill.pieces if piece.kind == "Stone")


def test_a_hand_is_seen_by_its_owner_only(lagoon: str) -> None:
    """Of another's hand the size is seen, of a deck too; one's own things are named."""
    table = Table(lagoon)
    table.asked()
    mine, other = (table.view(0).seats[seat].row.piles[0] for seat in (0, 1))
    assert (mine.name, mine.size, mine.seen) == ("hand", 2, True)
    assert len(mine.pieces) == 2
    assert (other.size, other.seen, other.pieces) == (2, False, ())
    board = next(panel for panel in table.view(0).panels if isinstance(panel, KindPanel))
    assert [(pile.name, pile.size, pile.seen) for pile in board.rows[0].piles] == [
        ("deck", 3, False),
        ("bag", 1, False),
    ]


def test_what_nobody_can_tell_apart_is_one_piece(lagoon: str) -> None:
    """Two barrels beside their owner are one piece of two."""
    table = Table(lagoon)
    table.asked()
    (barrels,) = table.view(0).seats[1].row.pieces
    assert (barrels.name, barrels.count, barrels.owner) == ("2 barrels of Player 2", 2, 1)


def test_a_question_has_the_words_of_its_rule(lagoon: str) -> None:
    """Prompt, doc comment, citations with their texts, and numbered options."""
    table = Table(lagoon)
    question = table.question()
    assert question.prompt == "How much do you bid?"
    assert question.secret
    assert ("LAG-4", "Bids are made in secret.") in question.citations
    assert [(each.number, each.text) for each in question.choices] == [(1, "0"), (2, "1"), (3, "2")]
    assert (question.least, question.most) == (None, None)
    for _ in table.go(2):
        pass
    sail = table.question().choices[0]
    assert sail.text == "sail: Old Port"
    assert sail.things == (3,)


def test_hints_order_and_name(lagoon: str) -> None:
    """Panels come in the order of the hints, scores first, short names and colours as said."""
    Path(lagoon, "table.toml").write_text(
        'panels = ["players", "Board"]\nhidden = ["map"]\nscore = ["coins"]\nseats = ["red", "blue"]\n'
        '[short]\nmill = "Mi"\n[colours]\nblue = "cyan"\n',
        "utf-8",
    )
    table = Table(lagoon)
    table.asked()
    view = table.view(0)
    assert [panel.title for panel in view.panels][:2] == ["players", "board"]
    assert [str(fact) for fact in view.seats[0].score] == ["coins 0"]
    assert "coins" not in {fact.name for fact in view.seats[0].row.facts}
    assert (view.seats[1].row.colour, table.views.short(2)) == ("blue", "Mi")
    assert table.views.colour(3) == "cyan"


def test_about_a_thing_tells_what_is_printed_on_it(lagoon: str) -> None:
    """Details have the data too."""
    table = Table(lagoon)
    table.asked()
    row = table.views.about(table.match.observation(0), 2)
    assert {"grain 1", "colour: red", "x 10"} <= set(map(str, row.facts))


def test_who_holds_what(lagoon: str) -> None:
    """Everything that can be moved and that the seat sees has a place; what it does not see has none."""
    table = Table(lagoon)
    table.asked()
    told = table.views.whereabouts(table.match.observation(0))
    hands = [where for _, where in told if where.endswith("hand")]
    assert hands == ["Player 1, hand"] * 2
    assert ("2 x barrel of Player 2", "Player 2") in told
    assert ("stone, face down", "Old Port") in told


def test_winners_are_seen(lagoon: str) -> None:
    """At the end those who have won are marked."""
    table = Table(lagoon)
    for _ in table.go(1000):
        pass
    view = table.view(0)
    assert view.winners is not None
    assert [seat.seat for seat in view.seats if seat.won] == list(view.winners)


@pytest.mark.parametrize("game", ["pirates", "pyrates", "pirate_republic"])
def test_shipped_games_have_a_map_and_seats(game: str) -> None:
    """Their hints fit, every place has a point, and each seat is there."""
    table = Table(RULESETS / game)
    for _ in table.go(10):
        pass
    view = table.view(table.asked().seat)
    board, players = view.panels[:2]
    assert isinstance(board, MapPanel)
    assert isinstance(players, SeatsPanel)
    assert len(players.seats) == table.match.program.seats
    assert len(board.places) > 10
    linked = {end for link in board.links for end in (link.start, link.end)}
    assert len(linked) == len(board.places)


def leaks(table: Table, people: int, answers: int, every: int) -> tuple[list[str], int]:
    """Deal anew what a seat does not see; gives what differs in what is shown, and how often anything was dealt."""
    found: list[str] = []
    changed = 0
    below = Random(4).randrange  # noqa: S311 - a test
    for number, _ in enumerate(table.go(answers)):
        for seat in range(people) if number % every == 0 else ():
            twin = redealt(table.match, seat, below)
            changed += twin.state() != table.match.state()
            seen, other = table.match.observation(seat), twin.observation(seat)
            if table.views.view(seen) != table.views.view(other):
                found.append(f"view of seat {seat} after {number} answers")
            if sorted(table.views.whereabouts(seen)) != sorted(table.views.whereabouts(other)):
                found.append(f"whereabouts for seat {seat} after {number} answers")
            asked = table.match.pending
            if asked is not None and asked.seat == seat and twin.pending is not None:
                mine, theirs = table.question(), table.question(twin)
                if [each.text for each in mine.choices] != [each.text for each in theirs.choices]:
                    found.append(f"{mine.path} of seat {seat} after {number} answers")
    return found, changed


def test_nothing_hidden_is_shown(lagoon: str) -> None:
    """Whatever a seat does not see may be dealt anew, and it is shown the same."""
    found, changed = leaks(Table(lagoon), 2, 40, 1)
    assert found == []
    assert changed > 10


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pirates", "pyrates", "pirate_republic"])
def test_nothing_hidden_is_shown_of_shipped_games(game: str) -> None:
    """The same, of the three games."""
    found, changed = leaks(Table(RULESETS / game), 2, 60, 20)
    assert found == []
    assert changed > 3
