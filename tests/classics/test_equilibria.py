"""Values of games of two with hidden cards, against numbers that others have published."""

from __future__ import annotations

import pytest

from interpreter.solving.programming import equilibrium
from interpreter.solving.regret import Regrets
from interpreter.solving.strategies import bounds, nash_conv, uniform
from tests.classics.games import whole

pytestmark = pytest.mark.slow


def test_kuhn() -> None:
    """H. W. Kuhn, A simplified two-person poker, 1950: -1/18 for the first player."""
    game = whole("kuhn")
    value, strategy = equilibrium(game)
    assert value == pytest.approx(-1 / 18, abs=1e-9)
    assert nash_conv(game, strategy) == pytest.approx(0, abs=1e-9)


def test_kuhn_by_regret() -> None:
    """The same value, between bounds that best answers prove."""
    game = whole("kuhn")
    regrets = Regrets(game)
    regrets.step(200)
    low, high = bounds(game, regrets.strategy())
    assert low <= -1 / 18 <= high
    assert high - low < 0.005


def test_leduc() -> None:
    """OpenSpiel, `sequence_form_lp_test.py`, and arXiv 1711.00832, appendix E.2: -0.085606424078."""
    assert equilibrium(whole("leduc"))[0] == pytest.approx(-0.085606424078, abs=1e-9)


def test_goofspiel() -> None:
    """OpenSpiel, `sequence_form_lp_test.py`: 0."""
    assert equilibrium(whole("goofspiel"))[0] == pytest.approx(0, abs=1e-9)


def test_how_far_from_it_other_play_is() -> None:
    """OpenSpiel, `exploitability_test.py`: Kuhn 11/12 at random, 2 with the first answer always; Leduc 4.747222."""
    kuhn, leduc = whole("kuhn"), whole("leduc")
    first = [[1.0] + [0.0] * (each.answers - 1) for each in kuhn.information]
    assert nash_conv(kuhn, uniform(kuhn)) == pytest.approx(11 / 12)
    assert nash_conv(kuhn, first) == pytest.approx(2)
    assert nash_conv(leduc, uniform(leduc)) == pytest.approx(4.747222222222222)
