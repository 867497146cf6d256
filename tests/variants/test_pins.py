"""A variant knows what its base was like when it was written, and says exactly what has moved since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import api

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game stall "Stall":
    version "1.0"
    players 1..4
option price: 1..9 = 2
component Player:
    coins: 0.. = 0
phase game:
    each player in Player: do earn(player)
    do spend(first(Player))
effect earn(player): player gains price coins
effect spend(player): player loses up to 1 coins
interest: after earn(player): do spend(player)
"""
RICH = """variant rich "Rich" of stall "1.0":
    after earn(player): player gains 1 coins
    drop interest
    change option price = 3
variant other "Other" of stall:
    before spend(player): player gains 1 coins
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with two pinned variants in a file."""
    (tmp_path / "stall.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "house.rules").write_text(RICH, encoding="utf-8")
    ((place, text),) = api.pins(tmp_path)
    assert place == tmp_path / "variants" / "house.pins"
    place.write_text(text, encoding="utf-8")
    return tmp_path


def found(folder: Path, *changes: tuple[str, str]) -> tuple[list[tuple[str, tuple[str, ...]]], int]:
    """Change the base; gives the warnings about pins with their notes, and how many sentences there are besides."""
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "stall.rules").write_text(text, encoding="utf-8")
    (result,) = api.check_path([folder])
    about = [each for each in result.diagnostics if each.code == "E0707"]
    return [(each.headline.split("`")[1], each.notes) for each in about], len(result.notes)


def test_nothing_is_said_of_the_same_base(folder: Path) -> None:
    """Nor of one with other comments."""
    assert found(folder) == ([], 0)
    assert found(folder, ("effect earn", "# more\neffect earn")) == ([], 0)


def test_what_moved_is_listed(folder: Path) -> None:
    """And nothing else: a changed rule about a doing counts for the doing."""
    version = ('"1.0"', '"1.1"')
    assert found(folder, version) == ([], 2)
    assert found(folder, version, ("price: 1..9", "price: 1..8")) == (
        [("rich", ("`option price` has changed",))],
        1,
    )
    assert found(folder, ("interest: after", "after")) == (
        [("rich", ("`rule interest` is gone",))],
        0,
    )
    assert found(folder, ("up to 1 coins", "up to 2 coins")) == (
        [("other", ("`effect spend` has changed",))],
        0,
    )


def test_a_version_without_pins(folder: Path) -> None:
    """All that can be said is that it is another."""
    (folder / "variants" / "house.pins").unlink()
    assert found(folder) == ([], 0)
    ((name, notes),), _ = found(folder, ('"1.0"', '"1.1"'))
    assert (name, notes) == ("rich", ("nothing says what it was like then",))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": 2}', '{"format": 1, "variants": {"rich": 3}}', "[" * 100_000],
)
def test_a_damaged_file_of_pins(folder: Path, text: str) -> None:
    """It is a warning, and everything else is checked."""
    (folder / "variants" / "house.pins").write_text(text, encoding="utf-8")
    (result,) = api.check_path([folder])
    assert [(each.code, each.is_error) for each in result.diagnostics] == [("E0707", False)]
    assert "cannot read `variants/house.pins`" in result.diagnostics[0].headline


def test_what_has_no_variants(folder: Path) -> None:
    """It cannot be pinned."""
    (folder / "variants" / "house.rules").unlink()
    with pytest.raises(api.VariantNotFoundError):
        api.pins(folder)
