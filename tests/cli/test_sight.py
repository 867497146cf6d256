"""What people at the terminal are told: nothing that they do not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.story import Story
from rulelang import ir
from tests.unit.ir_samples import PLAYER, Maker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.events import Event

NOWHERE = (0, None)
DECK, ANNS_HAND, BOBS_HAND = (2, None), (3, None), (4, None)


def sample() -> tuple[ir.Program, dict[str, int]]:
    """Two players with hands and a secret number, a deck, cards that may lie face down, a sealed bid."""
    m = Maker("sample")
    board = m.kind("Board", 1, singleton=True)
    card = m.kind("Card", 4, movable=True)
    one = ir.Type("thing", kinds=(card,))
    first = m.kinds[card].base
    pile = ir.Type("list", elem=one)
    m.field(board, "deck", pile, [tuple(range(first, first + 4))], pile=True, sight="hidden")
    m.field(0, "hand", pile, (), pile=True, sight="owner")
    face_up = m.field(card, "face_up", ir.FLAG, True)
    plan = m.field(0, "plan", ir.NUMBER, 0, sight="owner")
    m.field(0, "leader", ir.Type("thing", kinds=(card,), optional=True), None)
    place = ir.Type("thing", kinds=(0,), optional=True)
    m.field(card, "place", place, None)
    m.decision("bidding.bid", "one", ir.NUMBER, secret=True)
    m.decision("discard.cards", "set", one)
    m.doing("peek", "effect", ir.Param("player", PLAYER), ir.Param("card", one))
    return m.program(), {"card": first, "face_up": face_up, "plan": plan, "gold": m.gold}


def told(viewers: Sequence[int], *parts: list[Event]) -> list[list[str]]:
    """Tell a log in parts, as before questions."""
    program, _ = sample()
    story = Story(program, Names(program, ["Ann", "Bob"]), "turns", Paint(False), viewers)
    return [[*story.tell(part), *story.close()] for part in parts]


def test_sealed_answers_wait_for_the_last_one() -> None:
    """Nobody is told of a secret answer before the round is over."""
    _, at = sample()
    round_of_bids: tuple[list[Event], ...] = (
        [("answer", 0, 0, 7, "provider")],
        [("answer", 0, 1, 3, "policy"), ("gain", 0, at["gold"], 1, None, -1)],
    )
    for viewers in ((), (0,), (0, 1)):
        before, after = told(viewers, *round_of_bids)
        assert before == []
        assert after == ["Ann chooses 7 as bid", "Bob chooses 3 as bid", "Ann gains 1 gold"]


def test_cards_in_hands_are_told_to_their_owner() -> None:
    """Who draws a card is told which; the others are told that it was one; what is laid out is seen by all."""
    _, at = sample()
    card = at["card"]
    events: list[Event] = [
        ("move", card, DECK, ANNS_HAND),
        ("move", card + 1, DECK, BOBS_HAND),
        ("move", card + 1, BOBS_HAND, NOWHERE),
    ]
    assert told([0], events) == [
        [
            "card 1 goes from the deck to Ann's hand",
            "a card goes from the deck to Bob's hand",
            "card 2 leaves Bob's hand",
        ]
    ]
    assert told([1], events)[0][:2] == [
        "a card goes from the deck to Ann's hand",
        "card 2 goes from the deck to Bob's hand",
    ]
    assert "card 1" not in " ".join(told([0, 1], events)[0])
    assert "card 1" in " ".join(told([], events)[0])


def test_secret_values_are_told_to_their_owner() -> None:
    """A field that its owner sees is told to nobody else."""
    _, at = sample()
    events: list[Event] = [("set", 1, at["plan"], 0, 0, 5), ("gain", 0, at["plan"], 2, None, -1)]
    assert told([0], events) == [["Ann gains 2 plan"]]
    assert told([1], events) == [["Bob: plan becomes 5"]]
    assert told([0, 1], events) == [[]]


def test_things_face_down_have_no_name() -> None:
    """A card that lies face down is only a card, until it is turned."""
    _, at = sample()
    card, face_up = at["card"], at["face_up"]
    events: list[Event] = [
        ("move", card, DECK, NOWHERE),
        ("set", card, face_up, 0, True, False),
        ("move", card, NOWHERE, (0, 1)),
        ("answer", 1, 1, (card, card), "provider"),
        ("set", card, face_up, 0, False, True),
        ("move", card, (0, 1), (0, 0)),
    ]
    (lines,) = told([0], events)
    assert "a card comes to Bob" in lines
    assert "Bob chooses 2 cards as cards" in lines
    assert lines[-1] == "card 1 goes from Bob to Ann"


def test_what_an_open_field_names_is_known() -> None:
    """A field that all see tells which card it holds, though that still lies in the deck."""
    program, _ = sample()
    _, at = sample()
    field = next(each for each in program.fields if each.name == "leader")
    events: list[Event] = [("set", 0, field.index, 0, None, at["card"])]
    assert told([1], events) == [["Ann: leader becomes card 1"]]


def test_draws_of_unseen_things_are_not_told() -> None:
    """Neither a draw, nor what is shown to others, nor an unseen argument gives a card away."""
    program, at = sample()
    peek = next(doing.index for doing in program.doings if doing.name == "peek")
    events: list[Event] = [
        ("begin", peek, (1, at["card"])),
        ("show", (at["card"],), (1,)),
        ("end", peek, None, ""),
    ]
    for level in ("turns", "full"):
        story = Story(program, Names(program, ["Ann", "Bob"]), level, Paint(False), [0])
        assert "card 1" not in "\n".join([*story.tell(events), *story.close()])
    assert told([1], events) == [["shown: card 1 to Bob"]]
