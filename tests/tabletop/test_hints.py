"""`table.toml`: what it may say, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import RulesetError, check_path, load_ruleset, table_hints
from rulelang.presenting import Hints

WHOLE = """\
panels = ["map", "players", "Card"]
hidden = ["Stone"]
score = ["coins"]
seats = ["red", "blue"]

[map]
places = ["Town"]
x = "x"
y = "y"
links = ["Ferry"]
markers = ["town"]
at.mill = [1, -2]

[map.at]
port = [3, 4]

[short]
mill = "Mi"
Card = "card"

[colours]
blue = "cyan"
"""

WRONG = {
    'panles = ["map"]\n': ("E0806", 1, "`panles`", "`panels`"),
    'panels = ["Crad"]\n': ("E0806", 1, "`Crad`", "`Card`"),
    'panels = "map"\n': ("E0807", 1, "`panels`", "a list"),
    'seats = ["red", "blu"]\n': ("E0806", 1, "`blu`", "`blue`"),
    "seats = [1]\n": ("E0807", 1, "this list", "colours"),
    'score = ["coin"]\n': ("E0806", 1, "`coin`", "`coins`"),
    "[map]\nwidth = 3\n": ("E0806", 2, "`width`", "`places`"),
    "map = 3\n": ("E0807", 1, "`3`", "[map]"),
    "[map.at]\nmil = [1, 2]\n": ("E0806", 2, "`mil`", "`mill`"),
    "[map.at]\nmill = [1]\n": ("E0807", 2, "this list", "two whole numbers"),
    "[map.at]\nmill = [1, true]\n": ("E0807", 2, "this list", "two whole numbers"),
    "[map.at]\nmill = [1, 99999999999]\n": ("E0807", 2, "this list", "1,000,000"),
    '[map]\nlinks = ["Town.naem"]\n': ("E0806", 2, "`Town.naem`", "ruleset"),
    '[map]\nx = "xx"\n': ("E0806", 2, "`xx`", "ruleset"),
    "short = { mill = 3 }\n": ("E0807", 1, "`3`", "short text"),
    '[short]\nmill = "' + "a" * 41 + '"\n': ("E0807", 2, "`mill`", "40 characters"),
    '[colours]\nmill = "rde"\n': ("E0806", 2, "`rde`", "`red`"),
    "seats = [red]\n": ("E0805", 1, "no TOML", "quotes"),
    "seats = [": ("E0805", 1, "no TOML", "quotes"),
}


def test_everything_that_can_be_said(lagoon: str) -> None:
    """All of it is read."""
    Path(lagoon, "table.toml").write_text(WHOLE.replace("at.mill = [1, -2]\n", ""), "utf-8")
    assert table_hints(lagoon, load_ruleset(lagoon)) == Hints(
        ("map", "players", "Card"),
        ("Stone",),
        ("coins",),
        ("red", "blue"),
        ("Town",),
        "x",
        "y",
        ("Ferry",),
        ("town",),
        {"port": (3, 4)},
        {"mill": "Mi", "Card": "card"},
        {"blue": "cyan"},
    )
    assert not [each for each in check_path([lagoon])[0].diagnostics if each.is_error]


def test_nothing_need_be_said(lagoon: str) -> None:
    """Without a file nothing is hinted."""
    assert table_hints(lagoon, load_ruleset(lagoon)) == Hints()


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong(lagoon: str, text: str) -> None:
    """Each mistake has a code, its line, what is wrong and what to write."""
    Path(lagoon, "table.toml").write_text(text, "utf-8")
    found = [each for each in check_path([lagoon])[0].diagnostics if each.is_error]
    assert len(found) == 1
    code, line, what, advice = WRONG[text]
    assert (found[0].code, found[0].span.file.path, found[0].span.line) == (
        code,
        "table.toml",
        line,
    )
    assert what in found[0].headline
    assert advice in (found[0].help or "")


def test_findings_are_found_again(lagoon: str) -> None:
    """They are reported by the next check too, and not any more when they are mended."""
    file = Path(lagoon, "table.toml")
    file.write_text("[map.at]\nmil = [1, 2]\n", "utf-8")
    codes = [
        {each.code for each in check_path([lagoon])[0].diagnostics if each.is_error}
        for _ in range(2)
    ]
    assert codes == [{"E0806"}, {"E0806"}]
    file.write_text("[map.at]\nmill = [1, 2]\n", "utf-8")
    assert not [each for each in check_path([lagoon])[0].diagnostics if each.is_error]
    file.unlink()
    assert not [each for each in check_path([lagoon])[0].diagnostics if each.is_error]


def test_names_of_variants_are_known(lagoon: str) -> None:
    """A name that only a variant has is no mistake of the base."""
    folder = Path(lagoon, "variants")
    folder.mkdir()
    (folder / "tolls.rules").write_text(
        'variant tolls "Tolls" of lagoon:\n    component Toll (3)\n'
        "    before turn(player): move Toll to box\n",
        "utf-8",
    )
    Path(lagoon, "table.toml").write_text('hidden = ["Toll"]\n', "utf-8")
    assert not [each for each in check_path([lagoon])[0].diagnostics if each.is_error]
    assert table_hints(lagoon, load_ruleset(lagoon)).hidden == ()
    assert table_hints(lagoon, load_ruleset(lagoon, variants=["tolls"])).hidden == ("Toll",)


def test_to_play_with_wrong_hints_is_refused(lagoon: str) -> None:
    """Who shows the table learns of the mistake, with its place."""
    program = load_ruleset(lagoon)
    Path(lagoon, "table.toml").write_text('seat = ["red"]\n', "utf-8")
    with pytest.raises(RulesetError) as caught:
        table_hints(lagoon, program)
    assert [each.code for each in caught.value.diagnostics] == ["E0806"]


def test_bytes_that_are_no_text(lagoon: str) -> None:
    """A file that is not UTF-8 is reported."""
    Path(lagoon, "table.toml").write_bytes(b'seats = ["r\xffd"]\n')
    assert {each.code for each in check_path([lagoon])[0].diagnostics if each.is_error} == {"E0805"}
