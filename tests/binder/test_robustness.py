"""The binder reports; it never raises."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from rulelang.codes import CODES

if TYPE_CHECKING:
    from tests.binder.conftest import Binder

TEXT = """\
game sample "Sample":
    version "1.0"
    players 2..4
    citations "rules.csv"
define D6 = 1..6
define Colour = red, blue
define Place = Port, Sea
option size: 1..9 = 3 [AB-1]
option tie: shared or broken = shared
component Sea from "seas.csv":
    first: D6 from low
component Port (1 each Colour) from "ports.csv":
    seas: set of Sea from a and b
    cargo: 0.. by D6 from "cargo_#"
    symbols: list of bag of Colour
    place: Sea or none = none
component Chest (3):
    worth: 1..3 = each (1, 2, 3)
component Board (1):
    stack: pile of Chest = Chest, hidden
component Player:
    home: Port
    hand: pile of Chest, seen by owner, acts
    slots: Colour or none by D6 = none
define place.worth = 2
define player.total = count(player.hand)
phase game:
    keeps port.used: Flag = no
    do nothing
"""
FILES = {
    "rules.csv": "id,text\nAB-1,First.\n",
    "seas.csv": "id,low\neast,1\nwest,2\n",
    "ports.csv": (
        "id,a,b,cargo_1,cargo_2,cargo_3,cargo_4,cargo_5,cargo_6,symbols\n"
        "far,east,west,1,2,3,4,5,6,red2+blue/red\nnear,west,,1,2,3,4,5,6,\n"
    ),
}


def test_the_unchanged_text_is_fine(bound: Binder) -> None:
    """What is mutated below has no finding."""
    assert not bound(TEXT, FILES).found


@pytest.mark.parametrize("seed", range(8))
def test_mutations(bound: Binder, seed: int) -> None:
    """Words replaced, taken out and put in, in rules and data."""
    rng = random.Random(seed)  # noqa: S311 - a test, not a secret
    for _ in range(25):
        texts = {"x.rules": TEXT, **FILES}
        for _ in range(rng.randint(1, 3)):
            path = rng.choice(["x.rules", "x.rules", "x.rules", *FILES])
            text = texts[path]
            places = [match.span() for match in re.finditer(r"\w+|[^\w\s]|\n *", text)]
            (start, end), (low, high) = rng.choice(places), rng.choice(places)
            inside = rng.choice(["", text[low:high], text[low:high] + " " + text[start:end]])
            texts[path] = text[:start] + inside + text[end:]
        result = bound(texts.pop("x.rules") + "# game \n", texts)
        assert all(found.code in CODES for found in result.found)
        assert all(found.headline and found.span.start <= found.span.end for found in result.found)
