"""`trace` reports citations that nothing exercises (L0205), as the page about it shows, and comments silence it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rulelang.codes import explanation
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

CITED = "player loses 1 gold [MKT-2]"


def written(folder: Path, section: str) -> Path:
    """Write an example of the page as a ruleset."""
    text = explanation("L0205").partition(f"## {section}\n")[2]
    rules, data = re.findall(r"^```\w+[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[:2]
    place = folder / "market"
    place.mkdir()
    (place / "market.rules").write_text(rules, encoding="utf-8")
    (place / "book.csv").write_text(data, encoding="utf-8")
    return place


def trace(place: Path) -> tuple[int, str]:
    """Trace with the scenarios only."""
    code, out, _ = run("trace", str(place), "--games", "0")
    return code, out


def test_the_example_and_its_twin(tmp_path: Path) -> None:
    """The example is found where it cites; with one more scenario it is not."""
    code, out = trace(written(tmp_path, "Example"))
    assert code == 1
    assert "warning[L0205]: nothing that was played exercises MKT-2" in out
    assert re.search(r"market\.rules:14:54$", out, re.MULTILINE)
    assert "MKT-2: Who has more than 9 then pays 1." in out
    (tmp_path / "twin").mkdir()
    code, out = trace(written(tmp_path / "twin", "Instead"))
    assert code == 0
    assert "L0205" not in out


@pytest.mark.parametrize("section", ["Example", "Instead"])
def test_a_comment_allows_it(tmp_path: Path, section: str) -> None:
    """A comment silences it; `check` says nothing of the comment, `trace` says if it silences nothing."""
    place = written(tmp_path, section)
    rules = place / "market.rules"
    text = rules.read_text(encoding="utf-8")
    allowed = f"{CITED}    # allow: unexercised-citation - never so rich"
    rules.write_text(text.replace(CITED, allowed), encoding="utf-8")
    code, out, _ = run("check", str(place))
    assert (code, out) == (0, "")
    code, out = trace(place)
    assert "L0205" not in out
    assert (code, "L0001" in out) == ((0, False) if section == "Example" else (1, True))


def test_the_settings_allow_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`allow` in `rulelang.toml` counts here too."""
    place = written(tmp_path, "Example")
    (tmp_path / "rulelang.toml").write_text('allow = ["unexercised-citation"]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, out = trace(place)
    assert (code, "L0205" in out) == (0, False)
