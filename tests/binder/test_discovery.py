"""Finding rulesets and variants by name: in folders, shipped, as plug-ins."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from rulelang import discovery
from rulelang.discovery import Search
from rulelang.files import RulesetNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAME = 'game {} "A Game":\n    players 1..2\nphase game: do nothing\n'
VARIANT = 'variant {} "A variant" of {}:\n    change option x = 1\n'


@pytest.fixture(autouse=True)
def nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No place is looked in but those of the test."""
    monkeypatch.chdir(tmp_path)
    discovery.use(Search())
    yield
    discovery.use(Search())


def write(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return root


def install(root: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str) -> None:
    """Make a folder look like installed packages with an entry point."""
    about = f"{name.replace('-', '_')}_about-1.0.dist-info"
    write(
        root,
        {
            f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}-about\nVersion: 1.0\n",
            f"{about}/entry_points.txt": f"[{discovery.GROUP}]\n{name} = {package}\n",
        },
    )
    monkeypatch.syspath_prepend(root)


def test_a_folder_of_rulesets(tmp_path: Path) -> None:
    """Folders and files in it have their names; what says no `game`, or is hidden, is none."""
    house = write(
        tmp_path / "house",
        {
            "market/a.rules": "# nothing yet\n",
            "market/b.rules": GAME.format("market"),
            "fair.rules": GAME.format("fair"),
            "extra.rules": VARIANT.format("dear", "market"),
            ".old/a.rules": GAME.format("old"),
            "notes/readme.txt": "",
        },
    )
    discovery.use(Search((house,)))
    names = [found.name for found in discovery.rulesets() if found.where == f"in {house}"]
    assert names == ["fair", "market"]
    assert discovery.find_ruleset("market") == house / "market"
    assert discovery.find_ruleset("fair") == house / "fair.rules"
    assert discovery.game_of(house / "market") == "market"


def test_a_folder_that_is_a_ruleset(tmp_path: Path) -> None:
    """It is called like the folder."""
    write(tmp_path, {"market/m.rules": GAME.format("other")})
    discovery.use(Search((tmp_path / "market",)))
    assert discovery.find_ruleset("market").resolve() == tmp_path / "market"
    discovery.use(Search((tmp_path / "market" / ".." / "market",)))
    assert "market" in [found.name for found in discovery.rulesets()]


def test_the_first_folder_wins_and_a_path_wins_over_names(tmp_path: Path) -> None:
    """Two rulesets with one name."""
    for folder in ("one", "two"):
        write(tmp_path / folder, {"market/m.rules": GAME.format("market")})
    discovery.use(Search((tmp_path / "two", tmp_path / "one")))
    assert discovery.find_ruleset("market") == tmp_path / "two" / "market"
    write(tmp_path, {"market/m.rules": GAME.format("market")})
    assert discovery.find_ruleset("market").resolve() == tmp_path / "market"


def test_an_unknown_name_says_what_is_near_and_where_it_was_looked_for(tmp_path: Path) -> None:
    """Nearest names of all places."""
    house = write(tmp_path / "house", {"market/m.rules": GAME.format("market")})
    discovery.use(Search((house,)))
    with pytest.raises(RulesetNotFoundError) as error:
        discovery.find_ruleset("markt")
    said = str(error.value)
    assert "There is no ruleset 'markt'" in said
    assert "Did you mean 'market'?" in said
    assert f"looked in {str(house)!r}, the rulesets that come with the program" in said


def test_variants_lie_beside_rulesets_or_in_folders_of_their_own(tmp_path: Path) -> None:
    """Those in the game's folder are its own business, those of other games nobody's."""
    house = write(
        tmp_path / "house",
        {
            "market/m.rules": GAME.format("market"),
            "market/variants/own.rules": VARIANT.format("own", "market"),
            "loose.rules": VARIANT.format("loose", "market"),
            "variants/deep/a.rules": VARIANT.format("deep", "market"),
            "variants/other.rules": VARIANT.format("other", "fair"),
        },
    )
    more = write(tmp_path / "more", {"b.rules": VARIANT.format("more", "market")})
    discovery.use(Search((house,), (more,)))
    found = discovery.variant_files("market")
    assert {place.name for place in found} == {"loose.rules", "a.rules", "b.rules"}


def test_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is a ruleset, or holds rulesets and variants; it is not imported."""
    site = write(
        tmp_path / "site",
        {
            "c1_single/__init__.py": "raise RuntimeError('imported')\n",
            "c1_single/s.rules": GAME.format("single"),
            "c1_many/__init__.py": "raise RuntimeError('imported')\n",
            "c1_many/bazaar/m.rules": GAME.format("bazaar"),
            "c1_many/variants/v.rules": VARIANT.format("plugged", "single"),
        },
    )
    install(site, monkeypatch, "c1-single", "c1_single")
    install(site, monkeypatch, "c1-many", "c1_many")
    assert discovery.find_ruleset("c1-single") == site / "c1_single"
    assert discovery.find_ruleset("bazaar") == site / "c1_many" / "bazaar"
    (found,) = discovery.variant_files("single")
    assert found.name == "v.rules"
    assert "c1_single" not in sys.modules


@pytest.mark.parametrize(
    ("package", "problem"),
    [
        ("c1_nowhere", "is not installed"),
        ("c1_file", "is no package"),
        ("c1_empty", "holds no .rules file"),
        ("c1_bad.inner", "RuntimeError: broken"),
    ],
)
def test_a_broken_plugin_is_named_and_harms_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, problem: str
) -> None:
    """What is wrong with it stands in the message for a name that is not found."""
    site = write(
        tmp_path / "site",
        {
            "c1_file.py": "",
            "c1_empty/__init__.py": "",
            "c1_bad/__init__.py": "raise RuntimeError('broken')\n",
        },
    )
    install(site, monkeypatch, "c1-broken", package)
    with pytest.raises(RulesetNotFoundError) as error:
        discovery.find_ruleset("no_such_game")
    assert "the plug-in 'c1-broken' cannot be used" in str(error.value)
    assert problem in str(error.value)


def test_the_variable_names_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Parted like those of PATH."""
    monkeypatch.setenv(discovery.VARIABLE, os.pathsep.join([str(tmp_path), str(tmp_path / "b")]))
    assert discovery.named_in_environment() == (tmp_path, tmp_path / "b")


def test_rulesets_come_along_in_collections_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that comes with the program and holds no rules is looked into."""
    (tmp_path / "old" / "market").mkdir(parents=True)
    (tmp_path / "old" / "market" / "market.rules").write_text(
        'game market "M":\n', encoding="utf-8"
    )
    monkeypatch.setattr("rulelang.files.shipped_folder", lambda: tmp_path)
    assert discovery.find_ruleset("market") == tmp_path / "old" / "market"
