"""What is dealt anew, and what stays: whatever a seat sees and whatever is named."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from interpreter.machine import Match
from interpreter.sight.observation import Observation
from interpreter.sight.redeal import differences, redealt
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.decision import Below
    from interpreter.layout import Layout, Slots

TEXT = """
game hands "Hands":
    version "1"
    players 2..3
define Colour = red, blue
component Card (3 each Colour) from "cards.csv":
    worth: 1..9
    text: Text
component Joker (2):
    worth: 0..9 = 0
define Held = Card, Joker
component Chip from "chips.csv":
    size: 1..9
    place: Player or none = none
    face_up: Flag = yes
component Board (1):
    deck: pile of Held, hidden
    aside: pile of Chip, hidden
component Player:
    hand: pile of Held, seen by owner, acts
    mood: 1..6 = 1, hidden
    points: 0.. = 0
phase game:
    move Card + Joker to board.deck
    do shuffle(board.deck)
    move Chip to board.aside
    do shuffle(board.aside)
    each player in Player:
        player.mood becomes roll 1..6
        each i in 1..3: move top(board.deck) to player.hand
        do hide(player)
    each player in Player: do turn(player)
effect hide(player):
    let chip = top(board.aside)
    chip.face_up becomes no
    move chip to player
effect turn(player):
    let old_held = top(board.deck)
    player chooses held from player.hand where {chosen} "Which card?" else end turn
    move held to bottom(board.deck)
    move old_held to player.hand
card star:
    keeps seen: 0.. = 0
    after turn(you): seen becomes seen + 1
card moon:
    after turn(you): you gains 1 points
"""
CARDS = "id,worth,text\nstar,1,a\nmoon,2,b\n"
CHIPS = "id,size\nsmall,1\nmiddle,2\nlarge,3\n"


def draws(seed: int) -> Below:
    """Draw from a seed."""
    return Random(seed).randrange  # noqa: S311


def start(folder: Path, chosen: str, seed: int = 1) -> Match:
    """The first question of a game: a player chooses a card from hand, the top of the deck is named."""
    text = TEXT.replace("{chosen}", chosen).replace("roll 1..6", "3")
    (folder / "hands.rules").write_text(text, encoding="utf-8")
    (folder / "cards.csv").write_text(CARDS, encoding="utf-8")
    (folder / "chips.csv").write_text(CHIPS, encoding="utf-8")
    match = Match(
        load_ruleset(folder / "hands.rules", people=2, cache=False), seed=seed, optimise=False
    )
    assert match.next() is not None
    return match


def test_a_seat_sees_no_difference(tmp_path: Path) -> None:
    """View and question are the same, though everything else may be another."""
    match = start(tmp_path, "it is Card or it is Joker")
    before = match.state()
    below = draws(5)
    others = []
    for seat in (0, 1) * 20:
        twin = redealt(match, seat, below)
        assert not differences(match, twin, seat)
        others.append(twin.state())
    assert match.state() == before
    changed = {
        match.layout.describe(slot)
        for other in others
        for slot, (one, two) in enumerate(zip(before, other, strict=True))
        if one != two
    }
    for what in ("deck of Board board", "hand of Player seat_2", "mood of Player seat_1"):
        assert what in changed
    assert any(each.startswith("position of Chip") for each in changed)
    assert "points of Player seat_1" not in changed


def contents(layout: Layout, slots: Slots) -> list[tuple[int, int, int]]:
    """Every thing in every pile, with the pile's field and owner."""
    return [
        (field, owner, thing)
        for field, owner in layout.piles
        for thing in layout.read_tuple(slots, field, owner)
    ]


def test_nothing_is_lost(tmp_path: Path) -> None:
    """Piles keep their sizes, hold each thing once, and positions agree with them."""
    match = start(tmp_path, "it is Card or it is Joker")
    layout = match.layout
    before = contents(layout, match.state())
    for number in range(30):
        slots = redealt(match, number % 2, draws(number)).state()
        after = contents(layout, slots)
        assert [each[:2] for each in after] == [each[:2] for each in before]
        assert len({thing for *_, thing in after}) == len(after)
        for number_of, (field, owner) in enumerate(layout.piles, 2):
            for thing in layout.read_tuple(slots, field, owner):
                assert layout.where(slots, thing) == (number_of, None)


def test_what_a_frame_names_stays(tmp_path: Path) -> None:
    """The card that a line has taken from the deck is still on top of it."""
    match = start(tmp_path, "it is Card or it is Joker")
    deck = next(each for each in match.program.fields if each.name == "deck")
    board = next(each for each in match.program.kinds if each.name == "Board").base
    top = match.layout.read_tuple(match.state(), deck.index, board)[0]
    for number in range(20):
        twin = redealt(match, 0, draws(number))
        assert match.layout.read_tuple(twin.state(), deck.index, board)[0] == top


def test_backs_and_owners_are_kept(tmp_path: Path) -> None:
    """Of which colour a hidden card is, and its worth if everybody knows that, stays where it is."""
    match = start(tmp_path, "it is Card or it is Joker")
    layout = match.layout
    chip = next(each for each in match.program.kinds if each.name == "Chip").base
    face_up = next(each for each in match.program.fields if each.name == "face_up")
    for backs, free in (({}, True), ({"Chip": ("size",)}, False)):
        down = {
            tuple(layout.read(slots, face_up.index, chip + number) for number in range(3))
            for slots in (redealt(match, 0, draws(seed), backs).state() for seed in range(20))
        }
        assert (len(down) > 1) is free


def test_a_difference_is_told(tmp_path: Path) -> None:
    """A state that a seat does know from this one is told from it: by the table, by the question."""
    match = start(tmp_path, "player.points is 0 or it is Joker")
    assert match.pending is not None
    seat = match.pending.seat
    assert not differences(match, match.moved(match.state()), seat)
    points = next(each for each in match.program.fields if each.name == "points")
    state = match.state()
    state[match.layout.slot(points.index, seat)] = 7
    told = differences(match, match.moved(state), seat)
    assert f"sees points of Player seat_{seat + 1}" in told
    assert any("turn" in each for each in told)


def test_what_a_card_keeps_is_seen_with_it(tmp_path: Path) -> None:
    """What the card in a hand keeps is seen by whoever sees the card."""
    match = start(tmp_path, "it is Card or it is Joker")
    kept = [each for each in match.program.globals if each.card is not None]
    assert kept
    state = match.state()
    for each in kept:
        assert each.card is not None
        position, _ = match.layout.where(state, each.card)
        field, owner = match.layout.piles[position - 2]
        mine = match.program.fields[field].sight == "owner"
        for seat in (0, 1):
            seen = Observation(match.layout, state, seat).value(each.index)
            assert (seen == each.initial) is (mine and owner == seat)
