"""Data files that are not as they are wanted: the cause is told, and nothing that follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

RULES = """game isles "Isles":
    version "1"
    players 2
component Player:
    coins: 0..9 = 0
component Isle from "isles.csv":
    size: 0..9
phase game:
    each player in Player: player gains (size of north) coins
""".replace("(size of north)", "north.size")


@pytest.mark.parametrize(("sign", "called"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_sign_between_columns(tmp_path: Path, sign: str, called: str) -> None:
    """One error; with commas there is none."""
    (tmp_path / "isles.rules").write_text(RULES, "utf-8")
    table = tmp_path / "isles.csv"
    table.write_text("id,size\nnorth,3\nsouth,2\n", "utf-8")
    assert run("check", str(tmp_path))[0] == 0
    table.write_text(f"id{sign}size\nnorth{sign}3\nsouth{sign}2\n", "utf-8")
    code, out, err = run("check", str(tmp_path))
    assert (code, out.count("error[")) == (1, 1)
    assert f"are parted by {called}, commas are wanted" in out
    assert "1 error" in err


def test_a_folder_in_the_place_of_a_table(tmp_path: Path) -> None:
    """It is told that there is one."""
    (tmp_path / "isles.rules").write_text(RULES, "utf-8")
    (tmp_path / "isles.csv").mkdir()
    assert "it is a folder, not a file" in run("check", str(tmp_path))[1]
