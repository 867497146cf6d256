"""Variants that change how many components there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import api

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game fleet "Fleet":
    version "1"
    players 2
component Port (2)
component Ship (2 each Player):
    place: Port or none = none
phase game:
    move Ship to first(Port)
    do win(Player with highest ships)
define player.ships = count(Ship where its owner is player)
variant more "More" of fleet:
    change component Ship (3 each Player)
variant also_more "Also more" of fleet:
    change component Ship (3 each Player):
        masts: 1..3 = 2
variant many "Many" of fleet after more after also_more:
    change component Ship (2 + 3 each Player)
variant harbours "Harbours" of fleet:
    change component Port (4)
variant unknown "Unknown" of fleet:
    change component Boat (4)
variant crowd "Crowd" of fleet:
    change component Player (4)
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The path of the game."""
    path = tmp_path / "fleet.rules"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("variants", "ports", "ships"),
    [
        ((), 2, 4),
        (("more",), 2, 6),
        (("more", "also_more"), 2, 6),
        (("many", "more", "also_more"), 2, 10),
        (("harbours", "more"), 4, 6),
    ],
)
def test_how_many(game: str, variants: tuple[str, ...], ports: int, ships: int) -> None:
    """The number of the last one counts, and owners share them out."""
    program = api.load(game, variants=variants).program
    assert program is not None
    counts = {kind.name: kind.count for kind in program.kinds}
    assert (counts["Port"], counts["Ship"]) == (ports, ships)


@pytest.mark.parametrize(("variant", "code"), [("unknown", "E0701"), ("crowd", "E0307")])
def test_what_cannot_be_counted(game: str, variant: str, code: str) -> None:
    """Kinds that are not there, and players, whose number the game says."""
    found = api.load(game, variants=[variant]).diagnostics
    assert [each.code for each in found if each.is_error] == [code]


def test_another_number_is_another_game(game: str) -> None:
    """The hash tells them apart, and is the same for equal changes."""
    digests = {
        names: program.digest
        for names in ((), ("more",), ("many",), ("harbours",))
        if (program := api.load(game, variants=names).program) is not None
    }
    assert len(set(digests.values())) == 4
