"""What `diff` tells: by the tables, and in words."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.ui.difference import document, told
from interpreter.ui.paint import Paint
from rulelang.api import check_path
from rulelang.variants.difference import compare
from rulelang.variants.phrases import words
from rulelang.written import read_tables

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from rulelang.symbols import Tables
    from rulelang.variants.difference import Difference

MARKET = Path(__file__).parent / "market"


@functools.cache
def tables(variants: str) -> Tables:
    """Read the market with some variants, named by words."""
    return read_tables(MARKET, variants.split())[0]


def difference(new: str, old: str = "") -> Difference:
    """Compare the market with some variants and with others, named by words."""
    return compare(tables(old), tables(new))


def lines(found: Difference) -> list[str]:
    """Tell a difference without colour."""
    return list(told(found, Paint(colour=False)))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("long_evening", ""),
        ("wild", ""),
        ("long_evening wild", ""),
        ("short_evening", "long_evening"),
        ("", "wild"),
    ],
)
def test_what_is_told(new: str, old: str, snapshot: SnapshotAssertion) -> None:
    """The whole text of a comparison."""
    assert "\n".join(lines(difference(new, old))) == snapshot


def test_nothing_is_wrong_with_the_market() -> None:
    """Neither with the game nor with its variants."""
    (found,) = check_path([MARKET])
    assert found.diagnostics == ()


def test_order_does_not_matter() -> None:
    """Variants are named in any order."""
    assert lines(difference("wild long_evening")) == lines(difference("long_evening wild"))


def test_nothing_is_different() -> None:
    """A set compared with itself."""
    found = difference("wild", "wild")
    assert found.groups == ()
    assert lines(found)[-1] == "Nothing is different."


def test_there_and_back() -> None:
    """What came one way went the other way, with old and new text exchanged."""
    there, back = difference("wild"), difference("", "wild")
    came = [(str(c.touch.target), c.old, c.new) for g in there.groups for c in g.changes]
    went = [(str(c.touch.target), c.new, c.old) for g in back.groups for c in g.changes]
    assert sorted(came) == sorted(went)
    assert {c.side for g in there.groups for c in g.changes} == {"came"}
    assert {c.side for g in back.groups for c in g.changes} == {"went"}


def test_what_both_have_is_not_told() -> None:
    """Only the variants that differ count."""
    both = difference("long_evening wild", "wild")
    assert {c.touch.origin for g in both.groups for c in g.changes} == {"long_evening"}


def test_options_from_value_to_value() -> None:
    """Two variants that set one option: one line, from the one value to the other."""
    found = difference("short_evening", "long_evening")
    (goal,) = [group for group in found.groups if group.target.name == "goal"]
    assert [words(change) for change in goal.changes] == ["40 -> 10"]


def test_data(snapshot: SnapshotAssertion) -> None:
    """The same as one JSON document."""
    assert json.loads(json.dumps(document(difference("wild")))) == snapshot
