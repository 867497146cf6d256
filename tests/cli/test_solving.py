"""The verbs `count` and `solve`."""

from __future__ import annotations

import json

import pytest

from tests.cli.sample_game import run


def test_count() -> None:
    """Nodes, states and information sets; after so many turns; in a game without end."""
    code, out, _ = run("count", "kuhn", "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "version": 1,
            "states": 58,
            "chance": 4,
            "decision": 24,
            "end": 30,
            "longest": 5,
            "information_sets": {"Player 1": 6, "Player 2": 6},
        },
    )
    assert run("count", "tic_tac_toe", "--turns", "2")[1].split() == [
        *("after", "turn", "1", "9", "after", "turn", "2", "72"),
    ]
    assert "no end of histories" in run("count", "craps")[1]
    assert "more than 20 nodes (--nodes)" in run("count", "kuhn", "--nodes", "20")[1]


def test_solve() -> None:
    """Each way of solving a game, chosen by what the game is."""
    assert "244/495" in run("solve", "craps")[1]
    assert "1/8" in run("solve", "kuhn", "--method", "random")[1]
    nim = ("solve", "nim", *("--option", "third_pile=0", "--option", "fourth_pile=0"))
    assert json.loads(run(*nim, "--json")[1])["first"] == "pile_2"
    told = json.loads(run("solve", "kuhn", "--method", "regret", "--rounds", "50", "--json")[1])
    assert told["bounds"][0] <= -1 / 18 <= told["bounds"][1]
    assert told["nash_conv"] < told["nash_conv_at_random"]


@pytest.mark.slow
def test_solve_by_a_linear_program() -> None:
    """That is what is taken for two players with hidden cards, where SciPy is there."""
    assert "-0.055555555556" in run("solve", "kuhn")[1]


def test_what_cannot_be_solved() -> None:
    """Each is an error of the user, or a budget, and says what."""
    assert run("solve", "kuhn", "--people", "3")[0] == 2
    assert "no property 'gold'" in run("solve", "kuhn", "--payoff", "gold")[2]
    assert run("count", "pig", "--states", "50")[0] == 3
    assert "more than 50 states" in run("count", "pig", "--states", "50")[2]
    assert "no person in seat 5" in run("solve", "kuhn", "--automa", "5")[2]
