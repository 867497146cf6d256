"""The report about many games."""

from __future__ import annotations

import json

import pytest

from interpreter.ui.statistics import Played, as_data, tables, wilson

GAMES = [
    *[Played((0,), 8, 100)] * 3,
    *[Played((1,), 9, 110)] * 5,
    Played((0, 1), 12, 160),
    Played((), 12, 180),
]


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    """The interval is Wilson's, as tables give it."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_tables_count_every_game() -> None:
    """Every game is in the histogram; a shared win counts for each who shares it."""
    lines = list(tables(GAMES, ["1 random", "2 automa"]))
    rows = [line.split() for line in lines if line[:1].isdigit()]
    histogram = {row[0]: row[1] for row in rows if row[1].isdigit()}
    assert histogram == {"8": "3", "9": "5", "10": "0", "11": "0", "12": "2"}
    assert any(line.startswith("1 random") and " 4 " in line for line in lines)
    assert any(line.startswith("2 automa") and " 6 " in line for line in lines)
    assert any(line.split() == ["nobody", "1"] for line in lines)
    assert any(line.split() == ["shared", "by", "several", "1"] for line in lines)


def test_long_games_share_rows() -> None:
    """However different the lengths are, the histogram stays short and counts all."""
    games = [Played((0,), rounds, rounds) for rounds in range(1, 1000)]
    lines = list(tables(games, ["1"]))
    rows = [line.split() for line in lines if line[:1].isdigit() and "#" in line]
    assert len(rows) <= 25
    assert sum(int(row[1]) for row in rows) == 999


def test_data_is_json() -> None:
    """The same figures as plain data."""
    data = json.loads(json.dumps(as_data(GAMES, ["a", "b"])))
    assert data["games"] == 10
    assert data["rounds"] == {"8": 3, "9": 5, "12": 2}
    assert data["winners"] == {"a": 4, "b": 6}
    assert (data["nobody"], data["shared"]) == (1, 1)
