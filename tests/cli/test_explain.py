"""Explaining codes and names, and comparing variants, as people type it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.sample_game import run

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

MARKET = str(Path(__file__).parents[1] / "variants" / "market")


def test_a_name_of_a_game(snapshot: SnapshotAssertion) -> None:
    """Text, rulebook and tree."""
    code, out, err = run("explain", "plunder", "--game", MARKET, "--with", "wild")
    assert (code, err) == (0, "")
    assert out == snapshot


def test_a_name_without_a_game() -> None:
    """It is no code; the answer says how to ask for a name."""
    code, out, err = run("explain", "plunder")
    assert (code, out) == (2, "")
    assert "rulelang explain plunder --game GAME" in err


def test_a_code() -> None:
    """As before."""
    code, out, _ = run("explain", "E0404")
    assert code == 0
    assert out.startswith("#")


def test_a_difference_as_json() -> None:
    """One document on standard output."""
    code, out, err = run("diff", MARKET, "--with", "short_evening", "--json")
    assert (code, err) == (0, "")
    names = [change["name"] for change in json.loads(out)["changes"]]
    assert names == ["players", "goal"]


def test_a_difference_of_nothing() -> None:
    """Without a variant there is nothing to tell; those that there are are named."""
    code, out, err = run("diff", MARKET)
    assert (code, out) == (2, "")
    assert "long_evening, short_evening and wild" in err


def test_a_file_of_variants(tmp_path: Path) -> None:
    """Its variants are compared with the game alone, or with others."""
    game = Path(shutil.copytree(MARKET, tmp_path / "market"))
    file = game / "variants" / "calm.rules"
    text = 'variant calm "Calm" of market:\n    drop calming\n'
    file.write_text(text, "utf-8")
    code, out, _ = run("diff", str(file))
    title = "market with calm, compared with the game alone"
    assert (code, out.splitlines()[0]) == (0, title)
    code, out, _ = run("diff", str(file), "--vs", "wild")
    title = "market with calm, compared with market with wild"
    assert (code, out.splitlines()[0]) == (0, title)


def test_variants_that_cannot_be_merged() -> None:
    """The finding says where, and nothing is told."""
    code, out, err = run("diff", MARKET, "--with", "long_evening,short_evening")
    assert (code, out) == (1, "")
    assert "E0702" in err


def test_an_unknown_variant() -> None:
    """The nearest one is proposed."""
    code, _, err = run("diff", MARKET, "--with", "wyld")
    assert code == 2
    assert "'wild'" in err


def test_a_tree_as_json() -> None:
    """One tree for each meaning of the name."""
    code, out, _ = run("tree", MARKET, "income", "--json")
    assert code == 0
    (tree,) = json.loads(out)
    assert tree["below"][0]["what"] == "exception rich"
