"""The measure of strength: seats change, and who cannot lose does not."""

from __future__ import annotations

from benchmarks.strength import Score, compare
from rulelang.api import load_ruleset


def test_nim_is_won_from_both_seats() -> None:
    """Against random play a search wins whenever it begins or the other errs: here always."""
    program = load_ruleset("nim", people=2)
    piles: dict[str, object] = {"second_pile": 2, "third_pile": 0, "fourth_pile": 0}
    score = compare(program, piles, ("search:playouts=40", "random"), people=2, games=4, seed=1)
    assert (score.games, score.faults) == (4, 0)
    assert score.won + score.lost == score.games
    assert score.won >= 3  # one may be lost by where it begins
    assert score.seconds


def test_the_report_has_intervals() -> None:
    """Of games won, and of those that one of the two won."""
    lines = Score(games=10, won=6, lost=2, seconds=[0.5, 1.5] * 10).lines()
    assert lines[0] == "won 6 of 10 games: 60 % (95 % interval: 31 to 83 %)"
    assert lines[1] == "of 8 games that one of the two won: 75 % (95 % interval: 41 to 93 %)"
    assert lines[2] == "games that neither won: 2; stopped: 0"
    assert lines[3] == "1000 ms for an answer, 1500 ms at most, 2 answers a game"
