"""Chapters follow the course of play, whatever the files are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.rulebook.book import make_book
from rulelang.rulebook.model import plain
from rulelang.written import read_tables

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game walk "Walk":
    version "1"
    players 1..2

component Player:
    steps: 0.. = 0

phase game:
    each player in Player: do turn(player)

phase turn(player):
    let far = throw(player)
    do move(player, far)
"""
FILES = {
    "a_end.rules": "effect rest(player): player gains 1 steps\n",
    "b_moving.rules": "effect go(player, far: Number):\n    player gains far steps\n"
    "    if player.is_tired: do rest(player)\n",
    "c_terms.rules": "define player.is_tired = player.steps > player.strength\n"
    "define player.strength = 3\n",
    "y_throwing.rules": "define D6 = 1..6\neffect throw(player) gives Number:\n"
    "    let die = roll D6 by player\n    end throw with die\n",
    "z_game.rules": GAME.replace("do move", "do go"),
}


def test_files_follow_the_course(tmp_path: Path) -> None:
    """In a chapter the file that play comes to first stands first; in a file the order is the author's."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    tables = read_tables(str(tmp_path))[0]
    book = make_book(tables, tables)
    chapter = next(each for each in book.chapters if each.title == "Turn")
    assert [plain(entry.title) for entry in chapter.entries] == [
        "Turn",
        "Throw",
        "Go",
        "Is tired (player)",
        "Strength (player)",
        "Rest",
    ]
