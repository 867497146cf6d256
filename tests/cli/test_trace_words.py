"""What `trace --all` calls the places that cite an id, for people who write rules."""

from __future__ import annotations

from pathlib import Path

from tests.cli.sample_game import run

UR = Path(__file__).parents[2] / "docs" / "guide" / "examples" / "royal-game-of-ur" / "ur"


def test_places_have_names_of_the_language() -> None:
    """A line is a line and a state rule a state rule; nothing is called as the program calls it inside."""
    code, out, _ = run("trace", str(UR), "--games", "0", "--all")
    assert code == 0
    places = [line.strip() for line in out.splitlines() if line.startswith("    ")]
    assert "line, arriving.rules:10" in places
    assert "state rule, ending.rules:1" in places
    assert "effect leave, moving.rules:24" in places
    assert not [each for each in places if "setglobal" in each or "staterule" in each]
