"""How a book tells of fields that a variant adds, and of the texts of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.rulebook.book import make_book
from rulelang.rulebook.markdown import render_markdown
from rulelang.written import read_tables

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game inn "The Inn":
    version "1"
    players 1..2

component Guest from "guests.csv":
    text: Text{more}
component Player:
    guest: Guest or none = none, acts
    coins: 0.. = 0

phase game:
    each player in Player: do serve(player)
effect serve(player): player gains 1 coins

card knight:
    after serve(you): you gains 1 coins
"""
VARIANT = """
variant diary "A diary" of inn:
    change component Player:
        pages: 0.. = 0
        ink, sand: 0..9 = 3
    after serve(player): player gains up to 1 pages
"""
LONG = "After every dish that is served to you, you find another coin below the plate."
GUESTS = f"""id,name,text,source
knight,The Knight,"{LONG}","The second page of the book of guests, as it was found in the attic."
"""


def book(folder: Path, more: str, *variants: str) -> str:
    """Write the game and give its book as Markdown."""
    (folder / "inn.rules").write_text(GAME.replace("{more}", more), "utf-8")
    (folder / "diary.rules").write_text(VARIANT, "utf-8")
    (folder / "guests.csv").write_text(GUESTS, "utf-8")
    tables = read_tables(str(folder / "inn.rules"), variants)[0]
    return render_markdown(make_book(tables, read_tables(str(folder / "inn.rules"))[0]))


def test_new_fields_are_one_line(tmp_path: Path) -> None:
    """However many lines of fields a variant adds to a kind, they are named together."""
    said = book(tmp_path, "", str(tmp_path / "diary.rules"))
    (told,) = [row for row in said.splitlines() if "also has" in row]
    assert told.endswith("also has *pages*, *ink* and *sand*\\.")


def test_the_only_text_of_a_card_needs_no_name(tmp_path: Path) -> None:
    """It is what the card says."""
    said = book(tmp_path, "")
    assert f"\n{LONG}" in said or f" {LONG}" in said
    assert f"*Text*: {LONG}" not in said


def test_texts_of_a_card_are_told_apart(tmp_path: Path) -> None:
    """Where there are several, each long one has its name before it."""
    said = book(tmp_path, "\n    source: Text")
    assert f"*Text*: {LONG}" in said
    assert "*Source*: The second page" in said
