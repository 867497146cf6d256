"""Pages of shipped rulesets: what a seat must not see never changes one byte of its page."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.errors import EngineError
from interpreter.sight.redeal import redealt
from interpreter.ui.table import Table
from interpreter.ui.web.hall import Hall
from interpreter.ui.web.pages import Notice, Questions, seat_page
from interpreter.ui.web.panels import Renderer, environment

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.ui.web.room import Room

BACKS = {"pirate_republic": {"Token": ("kind",), "PirateCard": ("deck",)}}
"""What everybody knows of things that lie face down."""


@pytest.fixture(autouse=True)
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games whenever the tests run."""
    seeds = count(1)
    monkeypatch.setattr("secrets.randbelow", lambda _: next(seeds))


TEMPLATES = environment()
RENDERER = Renderer(TEMPLATES)


def page(room: Room, seat: int) -> str:
    """The whole page of a seat."""
    content = seat_page(room, seat, Questions(everything=True), Notice(), RENDERER)
    return TEMPLATES.get_template("seat.html").render(path="", form="", **content)


def leaks(game: str, people: int, positions: int, tmp_path: Path) -> int:
    """Deal anew for each seat in so many positions of a game; give how many dealt otherwise.

    The pages are compared on the way.
    """
    hall = Hall(game, Table(people, others="human"), tmp_path / "games")
    below = Random(7).randrange  # noqa: S311
    changed = 0
    room = hall.begin()
    while positions:
        decision = room.match.pending
        if decision is None:
            room = hall.begin()
            continue
        if below(8) == 0:
            positions -= 1
            for seat in range(people):
                true, seen = room.match, page(room, seat)
                try:
                    twin = redealt(true, seat, below, BACKS.get(game))
                except EngineError:
                    continue  # somebody else's question is impossible there
                if twin.pending is None or twin.pending.seat != decision.seat:
                    continue
                changed += twin.state() != true.state()
                room.match = twin
                room._sights.clear()
                assert page(room, seat) == seen
                room.match = true
                room._sights.clear()
        options = decision.options
        answer = options.sample(below)
        room._take(decision, answer)
        room._run()
    hall.close()
    return changed


def test_pages_tell_nothing_hidden(tmp_path: Path) -> None:
    """In a few positions of one game."""
    assert leaks("pyrates", 3, 5, tmp_path) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("game", "people"), [("pirates", 3), ("pirate_republic", 3)])
def test_pages_of_others_tell_nothing_hidden(game: str, people: int, tmp_path: Path) -> None:
    """In more."""
    assert leaks(game, people, 12, tmp_path) > 0
