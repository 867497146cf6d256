"""Which files belong to what was asked for: a ruleset, the game of a file of variants, variants by name or path.

Nothing is parsed here: a program that was made before is found without the parser.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import discovery, files
from rulelang.data import DataFileError, is_outside
from rulelang.files import RulesetFiles, RulesetNotFoundError
from rulelang.source import SourceFile
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_GAME: Final = re.compile(r"^\ufeff?game\s+(?P<name>\w+)", re.MULTILINE)
_VARIANT: Final = re.compile(r"^\ufeff?variant\s+(?P<name>\w+)", re.MULTILINE)
_OF_GAME: Final = re.compile(
    r'^\ufeff?(?:variant\s+\w+|preset|scenario)\s*"[^"\n]*"\s+of\s+(?P<base>\w+)', re.MULTILINE
)
_VARIANTS, _SCENARIOS = files.ON_REQUEST


class VariantNotFoundError(RulesetNotFoundError):
    """There is no such variant; the message is a sentence for the person who named it."""


@attrs.frozen(eq=False)
class Gathered:
    """The texts of what was asked for.

    Attributes:
        read: The texts and their data files.
        variants: The names of the variants to merge, sorted.
        own: Paths of the texts that were named themselves, where these are no whole game; None if they are.
    """

    read: RulesetFiles
    variants: tuple[str, ...] = ()
    own: frozenset[str] | None = None


def gather(
    name_or_path: str | os.PathLike[str],
    variants: Iterable[str | os.PathLike[str]] = (),
    *,
    scenarios: bool = False,
    everything: bool = False,
) -> Gathered:
    """Find and read the texts of a game and of some variants.

    Args:
        name_or_path: The name or path of a ruleset. A file without a game belongs to the game that its variants or
            scenarios name, and its variants are chosen.
        variants: Names of variants of the game, and paths of files whose variants are all meant.
        scenarios: Whether to read the scenarios too.
        everything: Whether to read all variants and scenarios of the game, chosen or not.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """
    wanted = [os.fspath(each) for each in variants]
    include = [*([_SCENARIOS] if scenarios or everything else ())]
    include += [_VARIANTS] if wanted or everything else []
    alone = files.read_ruleset(discovery.find_ruleset(name_or_path), include)
    read = _with_base(alone, include)
    own: frozenset[str] | None = None
    chosen: set[str] = set()
    if read is not alone:
        own = frozenset(_paths(read, alone))
        chosen.update(
            name for source in read.sources if source.path in own for name in names_in(source)
        )
    for each in wanted:
        read, names = _chosen(read, each)
        chosen |= names
    if not everything:
        read = _without_others(read, chosen)
    return Gathered(read, tuple(sorted(chosen)), own)


def names_in(source: SourceFile) -> tuple[str, ...]:
    """Give the names of the variants that a text holds."""
    return tuple(found["name"] for found in _VARIANT.finditer(source.text))


def game_in(sources: Iterable[SourceFile]) -> str:
    """Give the name of the game that some texts are of; empty if none says `game`."""
    found = (_GAME.search(source.text) for source in sources)
    return next((each["name"] for each in found if each is not None), "")


# ---------------------------------------------------------------- variants


def _chosen(read: RulesetFiles, wanted: str) -> tuple[RulesetFiles, set[str]]:
    """Read what one name or path stands for; gives the texts with it, and the names of its variants."""
    if _is_path(wanted):
        place = Path(wanted)
        if not place.is_file():
            raise VariantNotFoundError(f"There is no file of variants {wanted!r}.")
        read = _with_file(read, place)
        here = next(each for each in read.sources if _same(read.root / each.path, place))
        names = set(names_in(here))
        if not names:
            raise VariantNotFoundError(f"There is no variant in {wanted!r}.")
        return read, names
    if any(wanted in names_in(source) for source in read.sources):
        return read, {wanted}
    game = game_in(read.sources)
    known = {name for source in read.sources for name in names_in(source)}
    for place in discovery.variant_files(game):
        source = _source(place)
        if source is None:
            continue
        if wanted in names_in(source):
            return _with_file(read, place), {wanted}
        known.update(names_in(source))
    close = [repr(name) for name in nearest(wanted, sorted(known))]
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    raise VariantNotFoundError(f"There is no variant {wanted!r} of {game or 'this game'}.{hint}")


def _is_path(wanted: str) -> bool:
    return wanted.endswith(files.SUFFIX) or "/" in wanted or os.sep in wanted


def _same(one: Path, two: Path) -> bool:
    return one.resolve() == two.resolve()


def _source(place: Path) -> SourceFile | None:
    try:
        return SourceFile.from_bytes(place.as_posix(), files.read_limited(place))
    except DataFileError:
        return None


def _with_file(read: RulesetFiles, place: Path) -> RulesetFiles:
    """Add one file; what it names as data lies in its own folder if it is not in that of the game."""
    if any(_same(read.root / source.path, place) for source in read.sources):
        return read
    return _joined(read, files.read_ruleset(place))


def _joined(base: RulesetFiles, other: RulesetFiles) -> RulesetFiles:
    """Add the texts of another folder or file to those of a game."""
    own = _paths(base, other)
    known = {source.path for source in base.sources}
    added = [SourceFile(path, text) for path, text in own.items() if path not in known]
    outside = [Path(path).parent for path in own if is_outside(path)]
    beside = {**base.read.beside, **{folder.as_posix(): folder for folder in outside}}
    return attrs.evolve(
        base,
        sources=tuple(
            sorted(
                (*base.sources, *added), key=lambda source: (is_outside(source.path), source.path)
            )
        ),
        problems=base.problems + other.problems,
        read=attrs.evolve(base.read, beside=beside),
    )


def _paths(base: RulesetFiles, other: RulesetFiles) -> dict[str, str]:
    """Give other texts by their path as seen from the folder of a game: a whole one if they lie outside."""
    folder = other.root.resolve()
    if files.is_inside(folder, base.root):
        folder = folder.relative_to(base.root.resolve())
    return {(folder / source.path).as_posix(): source.text for source in other.sources}


def _without_others(read: RulesetFiles, chosen: set[str]) -> RulesetFiles:
    """Leave out texts that hold nothing but variants that were not chosen: their mistakes are no matter."""
    kept = tuple(
        source
        for source in read.sources
        if not source.path.startswith(f"{_VARIANTS}/") or chosen.intersection(names_in(source))
    )
    return attrs.evolve(read, sources=kept)


# ---------------------------------------------------------------- the game that a file belongs to


def _with_base(read: RulesetFiles, include: Sequence[str]) -> RulesetFiles:
    """Add the game that variants and scenarios name, if their files are read alone."""
    texts = read.sources
    if not texts or game_in(texts):
        return read
    wanted = {found["base"] for source in texts for found in _OF_GAME.finditer(source.text)}
    if len(wanted) != 1:
        return read
    name = wanted.pop()
    base = _base(read.root, name, include)
    if base is None:
        known = [found.name for found in discovery.rulesets()]
        close = [repr(each) for each in nearest(name, known)]
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise RulesetNotFoundError(
            f"{str(read.root / texts[0].path)!r} is about the game {name!r}, and no ruleset of that name can be"
            f" found.{hint}"
        )
    return _joined(base, read)


def _base(folder: Path, name: str, include: Sequence[str]) -> RulesetFiles | None:
    """Find a game by name: in the folder of a file, in the folder above, among those that have a name."""
    above = [folder.parent] if folder.name in files.ON_REQUEST else []
    known = sorted(discovery.rulesets(), key=lambda found: found.name != name)
    for place in (*above, folder, *(found.place for found in known)):
        if discovery.game_of(place) == name:
            return files.read_ruleset(place, include)
    return None
