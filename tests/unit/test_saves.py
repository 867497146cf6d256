"""Saved games: the round trip, and a clear error for every other file."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import SaveError
from interpreter.layout import Layout
from interpreter.providers.random import RandomProvider
from interpreter.records import saves
from interpreter.records.heading import state_digest
from interpreter.reference import Reference
from tests.unit.ir_samples import SAMPLES

PROGRAM = SAMPLES["cards"]
LAYOUT = Layout(PROGRAM)


def saved(name: str = "cards") -> saves.Save:
    """A save of the state in the middle of a sample, without frames."""
    program = SAMPLES[name]
    states: list[list[object]] = []
    game = Reference(
        program,
        seed=4,
        providers=dict.fromkeys(range(program.seats), RandomProvider(4)),
        watch=lambda _: states.append(list(game.slots)),
    )
    game.play()
    middle = states[len(states) // 2] if states else game.slots
    return saves.Save(
        program.name, program.digest, program.seats, {}, list(range(program.seats)), [], middle, [],
        over=False,
    )  # fmt: skip


def resealed(content: dict[str, Any]) -> str:
    """A save that was changed by somebody who knows about the checksum."""
    return json.dumps(content | {"checksum": saves.checksum(content)})


TEXT = saves.dumps(saved())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_save_comes_back(name: str) -> None:
    save = saved(name)
    read = saves.loads(saves.dumps(save))
    saves.matches(read, SAMPLES[name])
    assert saves.slots_of(read, Layout(SAMPLES[name])) == save.slots
    assert read.checksum


@given(st.integers(0, len(TEXT) - 1))
def test_a_cut_file_is_an_error(length: int) -> None:
    with pytest.raises(SaveError):
        saves.loads(TEXT[:length])


@given(st.integers(0, len(TEXT) - 1), st.characters(codec="utf-8"))
def test_a_changed_file_is_an_error(place: int, letter: str) -> None:
    changed = TEXT[:place] + letter + TEXT[place + 1 :]
    try:
        same = json.loads(changed) == json.loads(TEXT)
    except ValueError:
        same = False
    if not same:
        with pytest.raises(SaveError):
            saves.loads(changed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(JSON, st.sampled_from(sorted(json.loads(TEXT))))
def test_no_value_of_a_key_gives_anything_but_an_error(value: object, key: str) -> None:
    content = json.loads(TEXT)
    content[key] = value
    try:
        read = saves.loads(resealed(content))
        saves.matches(read, PROGRAM)
        saves.slots_of(read, LAYOUT)
    except SaveError as error:
        told = str(error)
    else:
        told = ""
    assert "\n" not in told


@given(JSON, st.integers(0, LAYOUT.size - 1))
def test_no_value_of_a_slot_gives_anything_but_an_error(value: object, slot: int) -> None:
    content = json.loads(TEXT)
    content["slots"][slot] = value
    read = saves.loads(resealed(content))
    try:
        told = f"cannot be more than {len(saves.slots_of(read, LAYOUT))}"
    except SaveError as error:
        told = str(error)
    assert "cannot be" in told


@given(st.text())
def test_no_text_gives_anything_but_an_error(text: str) -> None:
    with pytest.raises(SaveError):
        saves.loads(text)


def test_deep_nesting_is_an_error() -> None:
    with pytest.raises(SaveError, match="nested"):
        saves.loads("[" * 200_000)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 99}, "format 99"),
        ({"checksum": "0"}, "checksum"),
    ],
)
def test_format_and_checksum(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SaveError, match=message):
        saves.loads(json.dumps(json.loads(TEXT) | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ruleset": "other"}, "not of cards"),
        ({"digest": "other"}, "rules have changed"),
        ({"variants": ["a"]}, "of cards with a, not without variants"),
        ({"seats": 3}, "3 seats"),
        ({"people": [2]}, "seat that does not exist"),
        ({"options": {"x": 1}}, "does not exist"),
    ],
)
def test_a_save_of_something_else(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SaveError, match=message):
        saves.matches(attrs.evolve(saved(), **changes), PROGRAM)


def test_a_thing_in_two_places_is_an_error() -> None:
    save = saved()
    deck = LAYOUT.slot(2, PROGRAM.kinds[2].base)
    hand = LAYOUT.slot(4, 0)
    slots = list(save.slots)
    slots[hand] = (*slots[hand], slots[deck][0])
    with pytest.raises(SaveError, match="two piles"):
        saves.slots_of(attrs.evolve(save, slots=slots), LAYOUT)


def test_states_have_digests() -> None:
    slots = LAYOUT.initial(1)
    digest = state_digest(LAYOUT, slots)
    assert digest == state_digest(LAYOUT, [*slots, "derived"])
    slots[1] = 5
    assert digest != state_digest(LAYOUT, slots)
