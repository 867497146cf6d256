"""Small games for tests of real dice and cards: files of them in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.sample_game import PIG
from tests.cli.secret_game import SECRETS

if TYPE_CHECKING:
    from pathlib import Path

_CARDS = "id,name\n" + "".join(f"c{n},Card {'ABCDEFGHI'[n]}\n" for n in range(9))


def write_pig(folder: Path) -> str:
    """Write the game of the guide; give its path."""
    path = folder / "pig.rules"
    path.write_text(PIG, "utf-8")
    return str(path)


def write_cellar(folder: Path) -> str:
    """Write the game with secrets, its cards with names; give the path of its folder."""
    below = folder / "cellar"
    below.mkdir()
    text = SECRETS.replace(
        "component Card (9):", 'component Card from "cards.csv":\n    name: Text'
    )
    (below / "cellar.rules").write_text(text, "utf-8")
    (below / "cards.csv").write_text(_CARDS, "utf-8")
    return str(below)
