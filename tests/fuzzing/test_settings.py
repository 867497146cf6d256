"""What scenarios can say besides their seats, where it is wrong or leads to a failure."""

from __future__ import annotations

import pytest

from interpreter.examples.scenarios import ScenarioRunner, Start
from interpreter.examples.stage import Stage
from rulelang.api import check_texts

GAME = """\
game coins "Coins":
    players 1
component Player:
    coins: 0.. = 0
phase game:
    while not any Player where its coins > 99:
        each player in Player:
            player chooses "What?":
                "One": player gains 1 coins
                "None": player.coins becomes 0
scenario "One" of coins:
    people ann
{lines}
    do game
    after:
        yes
"""


@pytest.mark.parametrize("start", [None, Stage])
def test_too_many_decisions(start: Start | None) -> None:
    """The scenario fails with the code for a game that does not end."""
    program = check_texts({"x.rules": GAME.format(lines="    seed 1\n    decisions 20")}).program
    assert program is not None
    (result,) = ScenarioRunner(program, start).run_all()
    (trial,) = result.trials
    assert (trial.code, trial.problem) == ("R0112", "this has not ended after 20 decisions")


@pytest.mark.parametrize(
    ("line", "code", "advice"),
    [
        ("seed ann", "E0214", "write `seed` with a number"),
        ("decisions 1, 2", "E0214", "write `decisions` with a number"),
        ("open gam", "E0201", "did you mean `game`?"),
        ("open 3", "E0214", "write `open` with the names of phases"),
        ("seats 4", "E0214", "`people`, `automas`, `seed`, `decisions` or `open`"),
    ],
)
def test_wrong_settings(line: str, code: str, advice: str) -> None:
    """Each is found, and what to write instead."""
    result = check_texts({"x.rules": GAME.format(lines=f"    {line}")})
    (found,) = [each for each in result.diagnostics if each.is_error]
    assert (found.code, found.help) == (code, advice)
