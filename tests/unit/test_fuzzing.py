"""Random rulesets: they are always the same, they check, and both engines play them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter import conformance
from interpreter.ui.fuzzing import fuzz, problem_of
from rulelang import api, ir
from rulelang.fuzzing import generate, shrink
from rulelang.fuzzing.dice import Dice

if TYPE_CHECKING:
    from pathlib import Path

QUICK = range(1000, 1040)
SLOW = range(2000, 2100)


def test_the_same_seed_gives_the_same_text() -> None:
    """Nothing but the seed decides what is written."""
    assert generate(7) == generate(7)
    assert generate(7) != generate(8)


def test_dice_are_the_same_everywhere() -> None:
    """The first numbers of a seed; a change here makes every known seed another ruleset."""
    dice = Dice(1)
    assert [dice.below(1000) for _ in range(5)] == [519, 590, 235, 761, 48]


@pytest.mark.parametrize("seed", QUICK)
def test_engines_play_alike(seed: int) -> None:
    """A few rulesets for every run of the tests."""
    assert problem_of(generate(seed), seed, games=1) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_engines_play_alike_on_many(seed: int) -> None:
    """More of them where there is time."""
    assert problem_of(generate(seed), seed) is None


# ---------------------------------------------------------------- the comparison sees what it should

COUNTING = """\
game counting "Counting":
    players 1
component Player:
    gold: 0.. = 0
phase game:
    each n in 1..3:
        seat_1 chooses "How?":
            "One": seat_1 gains 1 gold
            "Two": seat_1 gains 2 gold
"""


SHUFFLING = """\
    do mix
component Board (1):
    pile_of_stones: pile of Stone = Stone
component Stone (3)
effect mix:
    do shuffle(board.pile_of_stones)
"""


def program_of(text: str) -> ir.Program:
    """Compile a text that is right."""
    program = api.check_texts({"x.rules": text}).program
    assert program is not None
    return program


def test_no_difference() -> None:
    """Both engines play a plain game alike."""
    assert conformance.compare(program_of(COUNTING.replace("seat_1", "first(Player)")), 1) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [("gains 1 gold", "gains 4 gold"), ('"Two"', '"Three"'), ("1..3", "1..2"), ("= 0", "= 1")],
)
def test_a_difference_is_found(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the reference plays another game, the comparison says what differs."""
    text = COUNTING.replace("seat_1", "first(Player)")
    other = program_of(text.replace(old, new))
    played = conformance.by_reference(other, 1, (0,))
    monkeypatch.setattr(conformance, "by_reference", lambda *_: played)
    found = conformance.compare(program_of(text), 1)
    assert found is not None
    assert found.expected != found.found


# ---------------------------------------------------------------- making it smaller


def test_shrinking_leaves_what_is_needed() -> None:
    """Of a random ruleset only the line that is looked for and its heads are left."""
    texts = generate(3)
    small = shrink(texts, lambda found: "do shuffle" in found["fuzz.rules"])
    lines = [line for line in small["fuzz.rules"].splitlines() if line.strip()]
    assert len(lines) == 1


def test_a_difference_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes the smaller ruleset and says how to make it again."""
    monkeypatch.chdir(tmp_path)

    def compare(program: ir.Program, *_: object, **__: object) -> object:
        if any(isinstance(line, ir.Shuffle) for doing in program.doings for line in doing.body):
            return conformance.Difference("here", "the number", 1, 2)
        return None

    monkeypatch.setattr("interpreter.ui.fuzzing.compare", compare)
    text = COUNTING.replace("seat_1", "first(Player)") + SHUFFLING
    monkeypatch.setattr("interpreter.ui.fuzzing.generate", lambda _: {"fuzz.rules": text})
    assert not fuzz(3, seed=1)
    shown = capsys.readouterr().out
    assert "fuzz-engine --programs 1 --seed" in shown
    left = next(tmp_path.glob("fuzz-*/fuzz.rules")).read_text("utf-8")
    assert "do shuffle" in left
    assert "seat" not in left
    assert len(left.splitlines()) < len(text.splitlines()) / 2
