"""Faults have the code whose page explains them."""

from __future__ import annotations

import pytest

from interpreter.errors import RuleFault
from rulelang.codes import CODES


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("gold cannot be -1", "R0101"),
        ("gold of Player seat_1 is 1 and cannot change by -2", "R0101"),
        ("an amount of -3", "R0101"),
        ("none where a value is needed", "R0102"),
        ("first of nothing", "R0103"),
        ("a draw from nothing", "R0103"),
        ("exceptions that contradict each other apply at once: a, b", "R0104"),
        ("`dig` is not legal now", "R0105"),
        ("there is nothing to choose from (turn.card)", "R0106"),
        ("a promise does not hold: cards are never lost", "R0107"),
        ("division by 0", "R0108"),
        ("more than 10,000 rounds of one while", "R0109"),
        ("a number beyond 1,000,000,000", "R0109"),
        ("a Token cannot be there", "R0110"),
    ],
)
def test_code_of_a_fault(message: str, code: str) -> None:
    """Each form of words belongs to one registered code."""
    assert RuleFault(message).code == code
    assert code in CODES
