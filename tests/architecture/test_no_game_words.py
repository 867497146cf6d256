"""Language and engine know no game."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path
    for half in ("rulelang", "interpreter")
    for path in sorted((ROOT / half).rglob("*"))
    if path.is_file() and path.suffix in {".py", ".lark", ".md", ".toml", ".json"}
]
WORDS = [
    *("pyrates", "pirate", "pirates", "booty", "lair", "swagger", "nassau", "treasure"),
    *("privateer", "governor", "piracy", "raid", "raids", "plunder", "corsair", "buccaneer"),
    *("infamy", "tortuga", "blackbeard", "frigate", "galleon", "sloop"),
]
PATTERN = re.compile(rf"(?<![a-z])(?:{'|'.join(WORDS)})(?![a-z])", re.IGNORECASE)


def names_of_games() -> set[str]:
    """Names and ids that the shipped rulesets give to their components."""
    found: set[str] = set()
    for table in (ROOT / "rulesets").glob("*/data/*.csv"):
        with table.open(encoding="utf-8", newline="") as lines:
            found.update(row["id"] for row in csv.DictReader(lines) if "_" in (row.get("id") or ""))
    return found


def name_of(path: Path) -> str:
    """Name a test after the file it looks at."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_word_of_a_rulebook(path: Path) -> None:
    """No file of either half has a game's name or a typical word of a rulebook in it."""
    found = PATTERN.findall(path.read_text("utf-8"))
    assert not found


def test_no_component_of_a_game() -> None:
    """No id of a component of a shipped game stands in either half."""
    ids = names_of_games()
    assert ids
    for path in FILES:
        words = set(re.findall(r"[a-z0-9_]+", path.read_text("utf-8")))
        assert not words & ids, name_of(path)
