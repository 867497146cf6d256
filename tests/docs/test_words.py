"""A ruleset is no longer than the rulebook that it stands for."""

from __future__ import annotations

import pytest

from benchmarks import words


@pytest.mark.parametrize("game", words.BOOKS)
def test_fewer_words_than_the_rulebook(game: str) -> None:
    """At most nine words of rules for ten of the book, and fewer words than it with all that the book has not."""
    found = words.count(game)
    assert 0 < found.fair <= 0.9 * found.book
    assert found.fair < found.strict < found.book
