"""Reading rulesets on disk; `rulelang.discovery` finds them.

A ruleset is a folder, all `*.rules` in it and below being one text (those in `variants/` and
`scenarios/` only on request), or a single file. Nothing outside its folder is ever read.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.data import DataFileError
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUFFIX: Final = ".rules"
MAX_FILE_BYTES: Final = 2_000_000
MAX_FILES: Final = 1_000
ON_REQUEST: Final = ("variants", "scenarios")


class RulesetNotFoundError(Exception):
    """There is no such ruleset; the message is a sentence for the person who named it."""


@attrs.frozen(eq=False)
class RulesetFiles:
    """The texts of a ruleset and where its data files are.

    Attributes:
        root: Its folder.
        sources: Its `*.rules` files, sorted by path; paths are relative to the folder.
        problems: Files that were not read, each with the reason.
        read: Gives the bytes of any file in the folder by its relative path.
    """

    root: Path
    sources: tuple[SourceFile, ...]
    problems: tuple[tuple[str, str], ...]
    read: FolderReader


@attrs.frozen(eq=False)
class FolderReader:
    """Reads files of one folder; calling it is a `rulelang.data.Reader`.

    Attributes:
        root: The folder.
        beside: Folders of texts outside of it, by their whole path: what these texts name lies there.
        touched: Every file that was read, with its bytes, in order.
    """

    root: Path
    beside: Mapping[str, Path] = attrs.field(factory=dict)
    touched: dict[str, bytes] = attrs.field(factory=dict)

    def __call__(self, path: str) -> bytes:
        """Read a file.

        Args:
            path: Relative to the folder, parts parted by `/`, or a whole path in one of those beside it.

        Raises:
            DataFileError: It is missing, too large, unreadable or not in the folder.
        """
        if path not in self.touched:
            folder = next((each for each in self.beside if path.startswith(f"{each}/")), None)
            if folder is None:
                place = self._inside(path, self.root)
            else:
                place = self._inside(path[len(folder) + 1 :], self.beside[folder])
            self.touched[path] = read_limited(place)
        return self.touched[path]

    @staticmethod
    def _inside(path: str, root: Path) -> Path:
        parts = path.split("/")
        if (
            not path
            or "\0" in path
            or "\\" in path
            or ":" in parts[0]
            or path.startswith(("/", "~"))
        ):
            raise DataFileError(
                "only paths inside the folder of the ruleset can be named, parted by `/`"
            )
        if ".." in parts:
            raise DataFileError("it is outside of the folder of the ruleset")
        place = root.joinpath(*parts)
        if not is_inside(place, root):
            raise DataFileError("it is outside of the folder of the ruleset")
        if place.is_dir():
            raise DataFileError("it is a folder, not a file")
        if not place.is_file():
            raise DataFileError("there is no such file")
        return place


def is_inside(place: Path, root: Path) -> bool:
    """Tell whether a file is in a folder, links followed."""
    try:
        return place.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a circle of links
        return False


def read_limited(place: Path) -> bytes:
    """Read a file of a size that a person can have written.

    Raises:
        DataFileError: It is too large or cannot be read.
    """
    try:
        with place.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as problem:
        raise DataFileError(problem.strerror or "the system says no") from problem
    if len(data) > MAX_FILE_BYTES:
        raise DataFileError(f"it has more than {MAX_FILE_BYTES:,} bytes")
    return data


def shipped_rulesets() -> tuple[str, ...]:
    """Name the rulesets that come with the program."""
    place = shipped_folder()
    if not place.is_dir():
        return ()
    found = (
        each.name for each in place.iterdir() if each.is_dir() and any(each.glob(f"*{SUFFIX}"))
    )
    return tuple(sorted(found))


def shipped_collections() -> tuple[str, ...]:
    """Name the folders of several rulesets that come with the program: they hold no rules themselves."""
    place = shipped_folder()
    if not place.is_dir():
        return ()
    found = (
        each.name
        for each in place.iterdir()
        if each.is_dir() and not any(each.glob(f"*{SUFFIX}")) and any(each.glob(f"*/*{SUFFIX}"))
    )
    return tuple(sorted(found))


def shipped_folder() -> Path:
    """Give the folder of the rulesets that come with the program; it may be missing."""
    found = importlib.util.find_spec("rulesets")
    places = found.submodule_search_locations if found is not None else None
    return Path(next(iter(places))) if places else Path("rulesets")


def rulesets_under(place: Path) -> tuple[Path, ...]:
    """Find the folders of rulesets below a folder that holds no rules itself; the folder itself if it does.

    Raises:
        RulesetNotFoundError: There are none.
    """
    if any(place.glob(f"*{SUFFIX}")):
        return (place,)
    inside = {
        file.parent
        for file in place.rglob(f"*{SUFFIX}")
        if not any(part.startswith(".") for part in file.relative_to(place).parts)
    }
    games = sorted(folder for folder in inside if not inside & set(folder.parents))
    if not games:
        raise RulesetNotFoundError(f"There is no {SUFFIX} file in {str(place)!r}.")
    return tuple(games)


def read_ruleset(place: Path, include: Iterable[str] = ()) -> RulesetFiles:
    """Read the texts of a ruleset.

    Args:
        place: Its folder, or its only file.
        include: Which of the folders in `ON_REQUEST` to read as well.

    Returns:
        The texts; what could not be read is among `problems`.
    """
    if not place.is_dir():
        return _read(place.parent, [place])
    wanted = set(include)
    found: list[Path] = []
    for folder, below, names in os.walk(place):  # does not follow links to folders
        here = Path(folder)
        if here == place:
            below[:] = [each for each in below if each not in ON_REQUEST or each in wanted]
        below[:] = sorted(each for each in below if not each.startswith("."))
        found.extend(
            here / name for name in names if name.endswith(SUFFIX) and not name.startswith(".")
        )
    return _read(place, sorted(found, key=lambda each: each.relative_to(place).as_posix()))


def _read(root: Path, places: Sequence[Path]) -> RulesetFiles:
    sources: list[SourceFile] = []
    problems: list[tuple[str, str]] = []
    for number, place in enumerate(places):
        path = place.relative_to(root).as_posix()
        if number >= MAX_FILES:
            problems.append((path, f"a ruleset has at most {MAX_FILES:,} files"))
            break
        if not is_inside(place, root):
            problems.append((path, "it is a link to outside of the folder of the ruleset"))
            continue
        try:
            sources.append(SourceFile.from_bytes(path, read_limited(place)))
        except DataFileError as problem:
            problems.append((path, str(problem)))
    return RulesetFiles(root, tuple(sources), tuple(problems), FolderReader(root))
