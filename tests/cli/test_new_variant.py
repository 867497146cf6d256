"""The first file of a variant or game: it passes, and so does what it proposes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang.variants.template import name_for, title_for
from rulelang.written import read_tables
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

MARKET = Path(__file__).parents[1] / "variants" / "market"
BARE = """game bare "Bare":
    players 1..1

phase game:
    do win(Player)
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in a folder of its own."""
    return Path(shutil.copytree(MARKET, tmp_path / "market"))


def test_the_file_passes_check_and_test(game: Path, snapshot: SnapshotAssertion) -> None:
    """As it is written, it has no mistake, and its scenario passes."""
    code, out, err = run("new", "variant", "--of", str(game), "A quiet hour")
    assert (code, err) == (0, "")
    file = game / "variants" / "a_quiet_hour.rules"
    assert f"{file} is written" in out
    text = file.read_text("utf-8").replace(str(game), "GAME")
    assert re.sub(r"(?<=\S) {2,}", "  ", text) == snapshot  # columns are as wide as the path was
    code, out, _ = run("check", str(file), "--output-format", "concise")
    assert code == 0
    assert "a_quiet_hour" not in out
    code, out, _ = run("test", str(file))
    assert (code, out.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_what_is_proposed_can_be_taken(game: Path) -> None:
    """With the marks of the remarks taken away, the examples have no mistake either."""
    run("new", "variant", "--of", str(game), "A quiet hour")
    file = game / "variants" / "a_quiet_hour.rules"
    text = file.read_text("utf-8")
    taken = re.sub(
        r"^    # (?=player\.income|plunder\(|after |    )", "    ", text, flags=re.MULTILINE
    )
    assert taken.count("\n    after earn(player, n):") == 1
    file.write_text(taken, "utf-8")
    code, out, _ = run("check", str(file), "--output-format", "concise")
    assert code == 0
    assert "a_quiet_hour" not in out


def test_nothing_is_written_over(game: Path) -> None:
    """A file that is there stays; with --force it does not."""
    arguments = ("new", "variant", "--of", str(game), "A quiet hour")
    assert run(*arguments)[0] == 0
    file = game / "variants" / "a_quiet_hour.rules"
    file.write_text("mine", "utf-8")
    code, _, err = run(*arguments)
    assert (code, file.read_text("utf-8")) == (2, "mine")
    assert "--force" in err


def test_a_name_that_is_taken(game: Path) -> None:
    """The game has such a variant, in another file."""
    code, _, err = run("new", "variant", "--of", str(game), "Wild")
    assert code == 2
    assert "variants/evenings.rules" in err


def test_a_game_with_nothing_to_change(tmp_path: Path) -> None:
    """Without options, definitions and effects there is an empty beginning that passes all the same."""
    base = tmp_path / "bare.rules"
    base.write_text(BARE, "utf-8")
    assert run("new", "variant", "--of", str(base), "House rule")[0] == 0
    file = tmp_path / "house_rule.rules"
    assert run("check", str(file))[0] == 0
    assert run("test", str(file))[0] == 0


def test_the_place(game: Path, tmp_path: Path) -> None:
    """A folder or file that is named; other endings are refused."""
    arguments = ("new", "variant", "--of", str(game), "A quiet hour", "--out")
    assert run(*arguments, str(tmp_path))[0] == 0
    assert (tmp_path / "a_quiet_hour.rules").is_file()
    assert run(*arguments, str(tmp_path / "mine.rules"))[0] == 0
    assert run(*arguments, str(tmp_path / "mine.txt"))[0] == 2
    code, out, _ = run("diff", str(game), "--with", str(tmp_path / "mine.rules"))
    assert code == 0
    assert "20 -> 21" in out


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("A quiet hour", "a_quiet_hour"),
        ("Ann's Élan!", "anns_elan"),
        ("7 seas", "variant_7_seas"),
        ("move", "move_variant"),
        ("earn", "earn_variant"),
        ("\u6d77", "my_variant"),
    ],
)
def test_names(title: str, name: str) -> None:
    """Small letters, digits and `_`; no word of the language and no name of the game."""
    assert name_for(title, read_tables(MARKET)[0]) == name


def test_titles() -> None:
    """Quotes and braces would mean something in a text."""
    assert title_for('A "long"\n {evening}') == "A 'long' (evening)"
