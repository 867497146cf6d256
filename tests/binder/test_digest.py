"""What changes the digest of a ruleset, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.binder.conftest import Binder

GAME = 'game a "A":\n    players 2..4\n    citations "rules.csv"\n'
OPTION = "option size: 1..9 = 3 [AB-1]\n"
CARD = 'component Card from "cards.csv":\n    worth: Number\n'
EFFECT = "effect deal:\n    each player in Player:\n        do nothing\n"
RULE = "after deal: do nothing\n"
CSV = "id,worth,note\na,1,x\nb,2,y\n"
FILES = {"rules.csv": "id\nAB-1\nAB-2\n", "cards.csv": CSV}


def digest(bound: Binder, text: str, files: dict[str, str] | None = None, **more: object) -> str:
    """Give the digest of a text."""
    result = bound(text, {**FILES, **(files or {})}, **more)
    assert not result.errors, result.errors
    digest = result.tables.digest
    assert len(digest) == 64
    return digest


def base(bound: Binder) -> str:
    """Give the digest that the others are compared with."""
    return digest(bound, GAME + OPTION + CARD + EFFECT + RULE)


@pytest.mark.parametrize(
    "text",
    [
        GAME + "# a comment\n" + OPTION + "\n\n" + CARD + "## a doc\n" + EFFECT + RULE,
        GAME + EFFECT + CARD + OPTION + RULE,
        GAME + OPTION.replace("AB-1", "AB-2") + CARD + EFFECT + RULE,
        GAME
        + OPTION
        + CARD
        + EFFECT.replace("        ", "      ").replace("    each", "  each")
        + RULE,
        GAME + OPTION + CARD + EFFECT.replace(":\n        do", ": do") + RULE,
        GAME.replace('"rules.csv"', '"rules.csv", "more.csv"') + OPTION + CARD + EFFECT + RULE,
    ],
)
def test_the_same(bound: Binder, text: str) -> None:
    """Comments, docs, layout, citations and the order of declarations with names do not count."""
    assert digest(bound, text, {"more.csv": "id\n"}) == base(bound)


def test_files_do_not_count(bound: Binder) -> None:
    """Nor do the split into files, the number of seats and columns that nothing reads."""
    assert digest(bound, GAME + OPTION + CARD, {"y.rules": EFFECT + RULE}) == base(bound)
    assert digest(bound, GAME + OPTION + CARD + EFFECT + RULE, seats=4) == base(bound)
    other = {"cards.csv": CSV.replace("x", "z")}
    assert digest(bound, GAME + OPTION + CARD + EFFECT + RULE, other) == base(bound)
    text = GAME + OPTION + CARD + EFFECT + RULE
    assert digest(bound, text, {"cards.csv": "worth,id\n1,a\n2,b\n"}) == base(bound)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (GAME + OPTION.replace("= 3", "= 4") + CARD + EFFECT + RULE, {}),
        (GAME + OPTION + CARD + EFFECT.replace("do nothing", "end deal") + RULE, {}),
        (GAME + OPTION + CARD + EFFECT + RULE + RULE, {}),
        (GAME.replace("2..4", "2..5") + OPTION + CARD + EFFECT + RULE, {}),
        (GAME + OPTION + CARD + EFFECT + RULE, {"cards.csv": CSV.replace("2", "3")}),
        (GAME + OPTION + CARD + EFFECT + RULE, {"cards.csv": CSV.replace("b,", "c,")}),
    ],
)
def test_another(bound: Binder, text: str, files: dict[str, str]) -> None:
    """Defaults, bodies, rules, settings and cells that are read count."""
    assert digest(bound, text, files) != base(bound)


def test_nesting_counts(bound: Binder) -> None:
    """The same tokens with another indentation are another rule."""
    flat = "effect f:\n    if yes:\n        do nothing\n    do nothing\n"
    deep = "effect f:\n    if yes:\n        do nothing\n        do nothing\n"
    assert digest(bound, GAME + flat) != digest(bound, GAME + deep)
