"""Replays: recording, verifying, and finding the first difference."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import ReplayError
from interpreter.providers.random import RandomProvider
from interpreter.records import replay
from interpreter.reference import Reference
from tests.unit.ir_samples import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

PROGRAM = SAMPLES["hooks"]


def recorded(program: ir.Program = PROGRAM) -> replay.Replay:
    recorder = replay.Recorder()
    seats = range(program.seats)
    provider = RandomProvider(3)
    game = Reference(program, seed=5, providers={seat: recorder.wrap(provider) for seat in seats})
    recorder.watch(game)
    game.play()
    return recorder.replay(program, game.options, list(seats), 5, finished=True)


def verified(record: replay.Replay, program: ir.Program = PROGRAM) -> replay.Playing:
    def start(providers: Mapping[int, DecisionProvider]) -> Reference:
        return Reference(program, seed=record.seed, providers=providers)

    return replay.verify(record, program, start)


RECORD = recorded()
TEXT = replay.dumps(RECORD)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_comes_back_and_agrees(name: str) -> None:
    record = recorded(SAMPLES[name])
    read = replay.loads(replay.dumps(record))
    assert verified(read, SAMPLES[name]).winners == (
        None if record.winners is None else tuple(record.winners)
    )


def test_a_changed_answer_is_found_where_it_stands() -> None:
    answers = list(RECORD.answers)
    number = next(i for i, each in enumerate(answers) if each.path == "tax.before.pay.extra")
    other = {0: 1, 1: 2, 2: 0}[answers[number].answer]  # type: ignore[index]
    answers[number] = attrs.evolve(answers[number], answer=other)
    with pytest.raises(ReplayError) as caught:
        verified(attrs.evolve(RECORD, answers=answers))
    assert caught.value.index == number + 1, "the next answer is asked for in another state"
    answers[number] = attrs.evolve(answers[number], answer=77)
    with pytest.raises(ReplayError, match="not legal") as caught:
        verified(attrs.evolve(RECORD, answers=answers))
    assert caught.value.index == number


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 6, "ruleset": "other"}, "not of hooks"),
        ({"digest": ""}, "rules have changed"),
        ({"seats": 5}, "5 seats"),
        ({"people": [-1]}, "does not exist"),
        ({"options": {"x": 1}}, "does not exist"),
        ({"final": "0"}, "final state differs"),
        ({"winners": [1]}, "winners differ"),
        ({"final": ""}, "the recording does not"),
        ({"answers": RECORD.answers[:-1], "states": RECORD.states[:-1]}, "asks for more than"),
        (
            {"answers": RECORD.answers * 2, "states": RECORD.states * 2},
            f"ends after {len(RECORD.answers)}",
        ),
        ({"answers": RECORD.answers[::-1]}, "was recorded for|not legal|state differs"),
    ],
)
def test_what_differs_is_told(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReplayError, match=message):
        verified(attrs.evolve(RECORD, **changes))


def test_another_seed_differs_at_the_first_answer_it_changes() -> None:
    program = SAMPLES["cards"]
    record = recorded(program)
    with pytest.raises(ReplayError):
        verified(attrs.evolve(record, seed=6), program)


def test_an_unfinished_recording_agrees_up_to_its_end() -> None:
    part = attrs.evolve(
        RECORD, answers=RECORD.answers[:3], states=RECORD.states[:3], final="", winners=None
    )
    assert verified(part).winners is None


@given(st.integers(0, len(TEXT) - 2))
def test_a_cut_file_is_an_error(length: int) -> None:
    with pytest.raises(ReplayError):
        replay.loads(TEXT[:length])


@given(st.text())
def test_no_text_gives_anything_but_an_error(text: str) -> None:
    with pytest.raises(ReplayError):
        replay.loads(text)


@given(st.sampled_from(sorted(json.loads(TEXT))), st.integers(0, 3))
def test_no_value_of_a_key_gives_anything_but_an_error(key: str, which: int) -> None:
    content = json.loads(TEXT)
    content[key] = [None, [[1]], {"a": 1}, -1][which]
    told = ""
    try:
        verified(replay.loads(json.dumps(content)))
    except ReplayError as error:
        told = str(error)
    assert "\n" not in told
