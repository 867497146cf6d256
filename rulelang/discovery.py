"""Which rulesets and variants there are, and where: by path, in folders that somebody named, shipped, as plug-ins.

A plug-in is an installed package with rules in it, named by an entry point of the group `rulelang.rulesets`. It is
found but never imported. A folder or a package may hold one ruleset, or several in folders and files below it, and
variants of any game: files without a `game`, beside them or in a folder `variants`.
"""

from __future__ import annotations

import importlib.util
import os
import re
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import files
from rulelang.data import DataFileError
from rulelang.files import SUFFIX, RulesetNotFoundError
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUP: Final = "rulelang.rulesets"
VARIABLE: Final = "RULELANG_PATH"
VARIANTS: Final = "variants"
_DEEPEST: Final = 3
_MOST_FOLDERS: Final = 500
SHIPPED: Final = "comes with the program"

_GAME: Final = re.compile(r"^\ufeff?game\s+(?P<name>\w+)", re.MULTILINE)
_VARIANT: Final = re.compile(
    r'^\ufeff?variant\s+(?P<name>\w+)\s*"[^"\n]*"\s+of\s+(?P<base>\w+)', re.MULTILINE
)


@attrs.frozen
class Search:
    """Where to look besides the rulesets that come with the program and plug-ins.

    Attributes:
        folders: Each holds rulesets, and perhaps variants; the first wins.
        variants: Each holds files of variants.
    """

    folders: tuple[Path, ...] = ()
    variants: tuple[Path, ...] = ()


@attrs.frozen
class Found:
    """A ruleset that can be named.

    Attributes:
        name: What it is called.
        place: Its folder or file.
        where: Who has it, as part of a sentence.
    """

    name: str
    place: Path
    where: str


@attrs.frozen
class Plugin:
    """A package with rules.

    Attributes:
        name: Of its entry point.
        package: What the entry point names.
        place: Its folder; None if there is none.
        problem: Why it cannot be used; empty if it can.
    """

    name: str
    package: str
    place: Path | None = None
    problem: str = ""


_search: ContextVar[Search] = ContextVar("search", default=Search())  # noqa: B039 - frozen


def use(search: Search) -> None:
    """Look in these places from now on."""
    _search.set(search)


def search() -> Search:
    """Give the places that are looked in."""
    return _search.get()


def named_in_environment() -> tuple[Path, ...]:
    """Give the folders that the variable RULELANG_PATH names, parted like those of PATH."""
    return tuple(Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part)


# ---------------------------------------------------------------- rulesets


def find_ruleset(name_or_path: str | os.PathLike[str]) -> Path:
    """Find a ruleset by the path of its folder or file, or by its name.

    A name is looked up in the folders of `search`, among the rulesets that come with the program, and among plug-ins.

    Raises:
        RulesetNotFoundError: There is none.
    """
    text = os.fspath(name_or_path)
    try:
        place = Path(text)
        if text and (place.is_file() or place.is_dir()):
            if place.is_file() and place.suffix != SUFFIX:
                raise RulesetNotFoundError(
                    f"{text!r} is no file of rules: its name does not end in {SUFFIX}."
                )
            return place
    except (OSError, ValueError) as problem:
        raise RulesetNotFoundError(f"{text!r} is not the path of a ruleset.") from problem
    for found in _known():
        if found.name == text:
            return found.place
    raise RulesetNotFoundError(_not_found(text))


def _not_found(text: str) -> str:
    close = [repr(name) for name in nearest(text, [found.name for found in rulesets()])]
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    places = [f"{str(folder)!r}" for folder in search().folders]
    places += ["the rulesets that come with the program"]
    places += [f"the plug-in {plugin.name!r}" for plugin in plugins() if not plugin.problem]
    broken = "".join(
        f"\nnote: the plug-in {plugin.name!r} cannot be used: {plugin.problem}"
        for plugin in plugins()
        if plugin.problem
    )
    return (
        f"There is no ruleset {text!r}, and no file or folder of that path.{hint}\n"
        f"note: looked in {', '.join(places)}.{broken}"
    )


def rulesets() -> tuple[Found, ...]:
    """List the rulesets that have a name, those that win first; of two with one name the first counts."""
    named: dict[str, Found] = {}
    for found in _known():
        named.setdefault(found.name, found)
    return tuple(named.values())


def _known() -> Iterator[Found]:
    for folder in search().folders:
        yield from _inside(folder, folder.resolve().name, f"in {folder}")
    for name in files.shipped_rulesets():
        yield Found(name, files.shipped_folder() / name, SHIPPED)
    for name in files.shipped_collections():
        yield from _inside(files.shipped_folder() / name, name, f"{SHIPPED}, in {name}")
    for plugin in plugins():
        if plugin.place is not None:
            yield from _inside(plugin.place, plugin.name, f"from the plug-in {plugin.name}")


def _inside(folder: Path, name: str, where: str) -> Iterator[Found]:
    """Give the rulesets of a folder: itself, or the folders and files directly in it that say `game`."""
    games = [place for place in _children(folder) if game_of(place) is not None]
    if len(games) == 1 and games[0].is_file():
        yield Found(name, folder, where)
        if any(_is_part(place) for place in _rules_in(folder) if place not in games):
            return  # one ruleset in several files
    for place in games:
        yield Found(place.name.removesuffix(SUFFIX), place, where)


def _is_part(place: Path) -> bool:
    """Tell whether a file without a game can be a part of one: one with variants is not."""
    return not variants_of(_text(place))


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(
            place
            for place in folder.iterdir()
            if not place.name.startswith((".", "_")) and (place.suffix == SUFFIX or place.is_dir())
        )
    except OSError:
        return []


def game_of(place: Path) -> str | None:
    """Give the name that the game of a folder or file has; None if nothing there says `game`."""
    places = [place] if place.suffix == SUFFIX and place.is_file() else _rules_in(place)
    return next((name for file in places if (name := game_named_in(_text(file)))), None)


def games_below(folder: Path) -> tuple[str, ...]:
    """Give the names of games that lie in a folder or a few levels below it."""
    found: dict[str, None] = {}
    waiting = [(folder, 0)]
    for here, depth in waiting:  # grows while it runs
        for place in _children(here):
            name = game_of(place) if place.is_file() else None
            if name is not None:
                found[name] = None
            elif place.is_dir() and not place.is_symlink() and depth < _DEEPEST:
                waiting.append((place, depth + 1))
        if len(waiting) > _MOST_FOLDERS:
            break
    return tuple(found)


def game_named_in(text: str) -> str | None:
    """Give the name of the game that a text of rules is; None if it says no `game`."""
    found = _GAME.search(text)
    return None if found is None else found["name"]


def _rules_in(folder: Path) -> list[Path]:
    return sorted(place for place in folder.glob(f"*{SUFFIX}") if not place.name.startswith("."))


def _text(place: Path) -> str:
    try:
        data = files.read_limited(place)
    except DataFileError:
        return ""
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


# ---------------------------------------------------------------- variants


def variant_files(game: str) -> tuple[Path, ...]:
    """List the files beside a game that hold variants of it.

    They lie in the folders of `search` and in plug-ins: beside rulesets or in a folder `variants`.

    Args:
        game: The name that the game has in its text.
    """
    found: dict[Path, None] = {}
    for folder in search().variants:
        found.update(dict.fromkeys(_below(folder)))
    plugged = [plugin.place for plugin in plugins() if plugin.place is not None]
    for folder in (*search().folders, *plugged):
        found.update(dict.fromkeys([*_rules_in(folder), *_below(folder / VARIANTS)]))
    return tuple(place for place in found if game in variants_of(_text(place)))


def _below(folder: Path) -> list[Path]:
    return sorted(
        place
        for place in folder.rglob(f"*{SUFFIX}")
        if not any(part.startswith(".") for part in place.relative_to(folder).parts)
    )


def variants_of(text: str) -> dict[str, list[str]]:
    """List the variants that a text of rules holds, by the game that they are of; nothing if it has a game itself."""
    found: dict[str, list[str]] = {}
    if _GAME.search(text) is None:
        for variant in _VARIANT.finditer(text):
            found.setdefault(variant["base"], []).append(variant["name"])
    return found


# ---------------------------------------------------------------- plug-ins


def plugins() -> tuple[Plugin, ...]:
    """List the plug-ins, by name; one that cannot be used says why."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and rarely needed

    return tuple(
        _plugin(name, value)
        for name, value in sorted({(each.name, each.value) for each in entry_points(group=GROUP)})
    )


def _plugin(name: str, package: str) -> Plugin:
    try:
        spec = importlib.util.find_spec(package.partition(":")[0].strip())
    except Exception as problem:  # noqa: BLE001 - a stranger's package may raise anything
        return Plugin(name, package, problem=f"{type(problem).__name__}: {problem}")
    places = spec.submodule_search_locations if spec is not None else None
    if spec is None or not places:
        what = "is not installed" if spec is None else "is no package"
        return Plugin(name, package, problem=f"{package!r} {what}")
    place = Path(next(iter(places)))
    if not any(place.rglob(f"*{SUFFIX}")):
        return Plugin(name, package, problem=f"{package!r} holds no {SUFFIX} file")
    return Plugin(name, package, place)
