"""Hints: who says what and why, in words that the seat may read; nothing hidden has a say."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.machine import Match
from interpreter.sight.redeal import redealt
from interpreter.ui.hints import advice_for, names_of
from rulelang.api import check_texts
from tests.cli.secret_game import SECRETS

if TYPE_CHECKING:
    from rulelang import ir

BARE = SECRETS.replace(" automa random", "")


def small(text: str) -> ir.Program:
    found = check_texts({"game.rules": text})
    assert found.program is not None, found.diagnostics
    return found.program


def at_bid(text: str, seed: int = 1) -> Match:
    match = Match(small(text), seed=seed)
    assert match.next() is not None
    return match


def test_a_policy_gives_its_line() -> None:
    """With file and line; the names of options are those that the seat reads."""
    match = at_bid(SECRETS.replace("automa random", "automa highest it"))
    advice = advice_for(match, {9: "nine"})
    assert advice is not None
    assert advice.what == "The ruleset's policy would choose: nine."
    assert "automa highest it" in advice.why
    assert advice.why.startswith("game.rules:")


def test_a_search_says_how_sure_it_is() -> None:
    """Where the rules have no policy: the same advice each time, and of how many playouts; more points win."""
    match = at_bid(BARE)
    before = match.state()
    advice = advice_for(match)
    assert advice is not None
    assert advice == advice_for(match)
    assert match.state() == before
    assert advice.what == f"A search advises: {advice.text}."
    assert "The ruleset has no policy here." in advice.why
    assert "of 60 playouts" in advice.why
    assert isinstance(advice.answer, int)
    assert advice.answer > 4


@pytest.mark.parametrize("text", [SECRETS, BARE], ids=["policy", "search"])
def test_what_the_seat_does_not_see_changes_no_hint(text: str) -> None:
    """Other cards in the other hand and the deck, another secret number, another sealed bid."""
    below = Random(3).randrange  # noqa: S311 - worlds to compare
    changed, given = 0, []
    for sealed in (0, 9):
        match = at_bid(text)
        match.apply(sealed)
        decision = match.next()
        assert decision is not None
        advice = advice_for(match)
        assert advice is not None
        given.append(advice)
        for _ in range(3):
            twin = redealt(match, decision.seat, below)
            changed += twin.state() != match.state()
            assert advice_for(twin) == advice
    assert changed
    assert given[0] == given[1]


def test_values_have_the_names_of_their_option() -> None:
    """Each of several alike things is called what the one that is listed is called."""
    match = at_bid(SECRETS)
    assert match.pending is not None
    options = list(match.pending.options)
    assert names_of(match.pending, options)[options[0].value] == options[0].text
