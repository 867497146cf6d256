"""What a seat sees does not depend on what it must not see."""

from __future__ import annotations

import attrs
import pytest

from interpreter.layout import Layout, Slots
from interpreter.sight.observation import HIDDEN, FaceDown, HiddenPile, Observation
from rulelang import ir
from rulelang.ir import FLAG, NUMBER
from tests.unit.ir_samples import PLAYER, Maker, things


def table() -> tuple[Layout, dict[str, int]]:
    """Two players with hands, a deck, a board with chips that may lie face down, a secret."""
    m = Maker("table")
    card = m.kind("Card", 6, movable=True)
    chip = m.kind("Chip", 4)
    board = m.kind("Board", 1, singleton=True)
    m.field(chip, "place", ir.Type("thing", kinds=(board, 0), optional=True), m.kinds[board].base)
    cards = ir.Type("list", elem=things(card))
    chips = ir.Type("set", elem=things(chip))
    base = m.kinds[card].base
    names = {
        "deck": m.field(board, "deck", cards, [(base, base + 1)], pile=True, sight="hidden"),
        "hand": m.field(0, "hand", cards, [(base + 2, base + 3), (base + 4,)], pile=True,
                        sight="owner"),
        "open": m.field(board, "open", cards, [(base + 5,)], pile=True),
        "secret": m.field(0, "secret", NUMBER, 1, sight="hidden"),
        "own": m.field(0, "own", NUMBER, 1, sight="owner"),
        "worth": m.field(card, "worth", NUMBER, list(range(6))),
        "face_up": m.field(chip, "face_up", FLAG, [True, True, False, False]),
        "value": m.field(chip, "value", NUMBER, [1, 2, 3, 4]),
        "marked": m.field(0, "marked", chips, ()),
        "card": card, "chip": chip, "board": board, "base": base, "chips": m.kinds[chip].base,
        "kept": m.value("kept", NUMBER, 7, shown=True),
        "inner": m.value("inner", NUMBER, 8),
        "target": m.value("target", things(chip), m.kinds[chip].base + 2, shown=True),
    }  # fmt: skip
    m.blocks.append(ir.LastingBlock(0, ("who", "chip"), (PLAYER, things(chip))))
    return Layout(m.program()), names


LAYOUT, NAMES = table()
BOARD = LAYOUT.program.kinds[NAMES["board"]].base


def write(slots: Slots, field: str, thing: int, value: object) -> None:
    slots[LAYOUT.slot(NAMES[field], thing)] = value


def put_in(slots: Slots, field: str, owner: int, cards: tuple[int, ...]) -> None:
    write(slots, field, owner, cards)
    number = LAYOUT.pile_numbers[NAMES[field]]
    assert number is not None
    for card in cards:
        LAYOUT.put(slots, card, number + owner, None)


def test_what_is_open_and_ones_own_is_seen() -> None:
    base = NAMES["base"]
    seen = Observation(LAYOUT, LAYOUT.initial(1), 0)
    assert seen.read(NAMES["hand"], 0) == (base + 2, base + 3)
    assert seen.read(NAMES["hand"], 1) == HiddenPile(1)
    assert seen.read(NAMES["deck"], BOARD) == HiddenPile(2)
    assert seen.read(NAMES["open"], BOARD) == (base + 5,)
    assert seen.read(NAMES["secret"], 0) == HIDDEN
    assert (seen.read(NAMES["own"], 0), seen.read(NAMES["own"], 1)) == (1, HIDDEN)
    assert seen.where(base + 5) == (LAYOUT.where(LAYOUT.initial(1), base + 5)[0], None)
    assert seen.where(base) == (HIDDEN, None)
    assert seen.read(NAMES["worth"], base) == HIDDEN
    assert seen.read(NAMES["worth"], base + 2) == 2
    assert (seen.value(NAMES["kept"]), seen.value(NAMES["inner"])) == (7, HIDDEN)


def test_a_thing_face_down_shows_kind_and_place() -> None:
    chips = NAMES["chips"]
    slots = LAYOUT.initial(1)
    write(slots, "marked", 1, (chips, chips + 3))
    slots[LAYOUT.rows] = ((1, (0, chips + 3), False),)
    seen = Observation(LAYOUT, slots, 0)
    down = FaceDown(NAMES["chip"])
    assert seen.read(NAMES["value"], chips) == 1
    assert seen.read(NAMES["value"], chips + 2) == HIDDEN
    assert seen.face_down == ((NAMES["chip"], 0, BOARD),) * 2
    assert seen.read(NAMES["marked"], 1) == (chips, down)
    assert seen.value(NAMES["target"]) == down
    assert seen.slots[LAYOUT.rows] == ((0, down),)


def swapped_deck(slots: Slots) -> None:
    base = NAMES["base"]
    put_in(slots, "deck", BOARD, (base + 4, base))
    put_in(slots, "hand", 1, (base + 1,))


def other_values(slots: Slots) -> None:
    write(slots, "secret", 0, 50)
    write(slots, "own", 1, 60)
    slots[LAYOUT.global_slot(NAMES["inner"])] = 9


def hidden_worth(slots: Slots) -> None:
    for card in (0, 1, 4):
        write(slots, "worth", NAMES["base"] + card, 99)


def swapped_chips(slots: Slots) -> None:
    """The two chips that lie face down, one here, one there: which is which is not seen."""
    chips = NAMES["chips"]
    write(slots, "value", chips + 2, 4)
    write(slots, "value", chips + 3, 3)
    slots[LAYOUT.global_slot(NAMES["target"])] = chips + 3


def engine(slots: Slots) -> None:
    for slot in (*LAYOUT.streams.values(), LAYOUT.serial):
        slots[slot] = 5
    slots[LAYOUT.open] = ((1, 0, ()),)
    slots[LAYOUT.durations] = ((1, 1, LAYOUT.slot(NAMES["secret"], 0), 3, ()),)


@pytest.mark.parametrize(
    "change", [swapped_deck, other_values, hidden_worth, swapped_chips, engine]
)
def test_hidden_changes_are_not_seen(change: object) -> None:
    slots = LAYOUT.initial(1)
    before = Observation(LAYOUT, slots, 0)
    assert callable(change)
    change(slots)
    after = Observation(LAYOUT, slots, 0)
    assert slots != LAYOUT.initial(1)
    assert after == before
    assert hash(after) == hash(before)


def test_open_changes_are_seen() -> None:
    slots = LAYOUT.initial(1)
    before = Observation(LAYOUT, slots, 0)
    put_in(slots, "open", BOARD, (NAMES["base"], NAMES["base"] + 5))
    assert Observation(LAYOUT, slots, 0) != before


def test_an_observation_does_not_change_with_the_state() -> None:
    slots = LAYOUT.initial(1)
    seen = Observation(LAYOUT, slots, 0)
    write(slots, "own", 0, 33)
    assert seen.read(NAMES["own"], 0) == 1
    assert attrs.has(HiddenPile)


def test_fields_and_kept_values_are_found_by_name() -> None:
    """A provider looks at what it sees by the names of the rules."""
    seen = Observation(LAYOUT, LAYOUT.initial(0), 0)
    assert seen.things("Player") == (0, 1)
    card = seen.things("Card")[3]
    assert seen.look(card, "worth") == 3
    assert seen.look(0, "secret") == HIDDEN
    assert seen.look(BOARD, "deck") == HiddenPile(2)
    assert seen.kept("kept") == 7
    for wrong in (
        lambda: seen.look(0, "worth"),
        lambda: seen.kept("inner"),
        lambda: seen.things("Ship"),
    ):
        with pytest.raises(LookupError):
            wrong()  # type: ignore[no-untyped-call]
