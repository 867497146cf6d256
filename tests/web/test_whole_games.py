"""A whole game of each ruleset that comes along, through the pages of the server."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.records.journal import read
from interpreter.ui.table import Table
from interpreter.ui.web.hall import Hall
from tests.web.visitors import Visitor, filled_in, form_of

if TYPE_CHECKING:
    from pathlib import Path

GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("pyrates", {}),
    ("pirates", {"stalemate": "turn_cap"}),
    ("pirate_republic", {}),
)


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_person_plays_a_whole_game(
    game: str, options: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what the pages offer and nothing else; whoever does not answer by pages is an automa."""
    monkeypatch.setattr("secrets.randbelow", lambda _: 5)  # a game of which the dice are known
    table = Table(2, {2: "automa"}, options, others="human")
    hall = Hall(game, table, tmp_path / "games")
    ann = Visitor(hall, hall.begin(), 0)
    chance = Random(5)  # noqa: S311 - which option is taken
    page = ann.page()
    answers = 0
    while form_of(page).hidden:
        taken = ann.client.post(ann.path, data=filled_in(page, chance.randrange(60)))
        for _ in range(60):
            # What a rule asks of a whole set cannot be seen from its parts.
            if taken.status_code != 422:
                break
            taken = ann.client.post(ann.path, data=filled_in(page, chance.randrange(60)))
        assert taken.status_code == 200
        page = taken.text
        answers += 1
    assert "The game is over." in page
    contents = read(hall.folder / f"{ann.room.name}.journal")
    assert contents.end is not None
    assert len(contents.answers) >= answers > 10
    hall.close()
