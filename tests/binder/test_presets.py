"""What presets may name: variants, options of the game, options of these variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import api
from rulelang.variants.catalogue import preset_choices, read_catalogue

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game market "Market":
    players 2..4
option wage: 1..5 = 2
component Player:
    coins: 0.. = 0
phase game:
    each player in Player: player gains wage coins
variant rich "Rich" of market:
    option extra: 1..3 = 1
    option mood: glad or sad = glad
    after game when mood is sad: each player in Player: player gains extra coins
variant richer "Richer" of market with rich:
    change option wage = 4
preset "Evening" of market:
    {}
"""


def findings(*lines: str) -> list[str]:
    """Check a preset with these lines."""
    text = GAME.format("\n    ".join(lines))
    return [
        each.headline + (f"; {each.help}" if each.help else "")
        for each in api.check_text(text, "market.rules")
        if each.code == "E0705"
    ]


def test_options_of_the_game_and_of_its_variants() -> None:
    """By name, or by variant and name; those of a variant that another one needs too."""
    assert not findings("with richer", "wage = 5", "extra = 3", "rich.mood = sad")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("wage = 6",), "this is no value of the option `wage`"),
        (("wags = 3",), "there is no option `wags`; did you mean `wage`?"),
        (("with rick", "wage = 3"), "there is no variant `rick`; did you mean `rich`?"),
        (("extra = 3",), "there is no option `extra`"),
        (("with rich", "extra = 4"), "this is no value of the option `extra`"),
        (("with rich", "mood = sat"), "this is no value of the option `mood`"),
        (("with rich", "mood = 1"), "this is no value of the option `mood`"),
        (("with rich", "extra = sad"), "this is no value of the option `extra`"),
        (("with rich", "rich.wage = 3"), "there is no option `wage` of `rich`"),
        (
            ("with rich", "ritch.extra = 3"),
            "the preset is not played with a variant `ritch`; did you mean `rich`?",
        ),
    ],
)
def test_wrong_presets(lines: tuple[str, ...], message: str) -> None:
    """What is wrong, with the nearest name."""
    assert findings(*lines) == [message]


def test_a_preset_as_it_would_be_typed(tmp_path: Path) -> None:
    """Its variants, and its options as text."""
    place = tmp_path / "market.rules"
    place.write_text(GAME.format("with rich\n    wage = 5\n    rich.mood = sad"), "utf-8")
    preset = read_catalogue(place).presets["Evening"]
    assert preset_choices(preset) == (("rich",), {"wage": "5", "mood": "sad"})
