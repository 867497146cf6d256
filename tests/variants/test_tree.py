"""What `tree` draws: a name with everything that touches it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang.variants.tree import find, names, tree
from rulelang.variants.uses import uses
from rulelang.written import read_tables
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from rulelang.symbols import Tables
    from rulelang.variants.tree import Branch

MARKET = Path(__file__).parent / "market"


@pytest.fixture(scope="module")
def tables() -> Tables:
    """The market with one of its variants."""
    return read_tables(MARKET, ["wild"])[0]


def flattened(branch: Branch, depth: int = 0) -> list[str]:
    """Give a tree as lines."""
    where = f" @{branch.place.file.path}:{branch.place.line}" if branch.place is not None else ""
    source = f" ({branch.origin or branch.card})" if branch.origin or branch.card else ""
    first = f"{'  ' * depth}{branch.what} | {branch.text}{where}{source} {list(branch.cites)}"
    return [first, *(line for each in branch.below for line in flattened(each, depth + 1))]


@pytest.mark.parametrize(
    "name",
    [
        "player.income",
        "plunder",
        "round",
        "round.collect",
        "earn",
        "price",
        "Player",
        "Mood",
        "goal",
        "player.coins",
        "market",
        "tax",
        "calming",
        "knight",
        "player.bravery",
        '"ranks are small"',
    ],
)
def test_trees(name: str, tables: Tables, snapshot: SnapshotAssertion) -> None:
    """The tree of each form."""
    found = [tree(target, tables) for target in find(name, tables)]
    assert [line for branch in found for line in flattened(branch)] == snapshot


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("income", ["definition player.income"]),
        ("plunder.peace", ["action plunder"]),
        ("player.income.rich", ["definition player.income"]),
        ("collect", ["step round.collect"]),
        ("incom", []),
    ],
)
def test_what_a_name_means(name: str, meant: list[str], tables: Tables) -> None:
    """Owners and phases may be left out; needs and exceptions lead to what they belong to."""
    assert [str(target) for target in find(name, tables)] == meant


def test_every_name_has_a_tree(tables: Tables) -> None:
    """Nothing that is offered as the nearest name is unknown."""
    for name in names(tables):
        targets = find(name, tables)
        assert targets
        for target in targets:
            assert tree(target, tables).place is not None


def test_a_property_of_another_kind_is_no_use() -> None:
    """Where the text says whose property it is, that counts; otherwise it is a perhaps."""
    read, _ = read_tables(MARKET.parent / "two_owners.rules")
    (target,) = find("port.worth", read)
    found = {(use.user, use.is_sure) for use in uses(target, read)}
    assert found == {
        ("effect visit", True),
        ("definition best", True),
        ("definition better", False),
    }


def test_the_command_draws(tables: Tables) -> None:
    """Every branch of the tree is one line, with its place."""
    code, out, err = run("tree", str(MARKET), "plunder", "--with", "wild")
    assert (code, err) == (0, "")
    (branch,) = [tree(target, tables) for target in find("plunder", tables)]
    assert len(out.splitlines()) == len(flattened(branch))
    assert "need peace" in out
    assert "variant wild, variants/evenings.rules:" in out


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """A slip of the pen."""
    code, out, err = run("tree", str(MARKET), "plundr")
    assert (code, out) == (2, "")
    assert "Did you mean 'plunder'?" in err


def test_mistakes_elsewhere_do_not_matter(tmp_path: Path) -> None:
    """A file of variants that cannot be read is in nobody's way until one of them is asked for."""
    game = Path(shutil.copytree(MARKET, tmp_path / "market"))
    wrong = 'variant odd "Odd" of market:\n    change what\n'
    (game / "variants" / "odd.rules").write_text(wrong, "utf-8")
    assert run("tree", str(game), "plunder")[0] == 0
    code, out, err = run("tree", str(game), "plunder", "--with", "odd")
    assert (code, out) == (1, "")
    assert "odd.rules:2" in err
