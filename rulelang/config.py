"""`rulelang.toml`: where rulesets are, and how somebody likes to play them.

    rulesets = ["house"]            # folders with rulesets, as they lead from the file
    variants = ["house-rules"]      # folders with variants
    allow = ["idle-option"]         # warnings that `check` does not show

    [market]                        # for one game, by the name in its text
    with = ["long_game"]
    preset = "An evening"
    people = 3
    [market.options]
    goal = 40

The nearest file counts: in the current folder or above. What is said on the command line wins over it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import discovery
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FILE: Final = "rulelang.toml"
MOST_PEOPLE: Final = 100

_FOLDERS: Final = ("rulesets", "variants")
_ALLOW: Final = "allow"
_OF_A_GAME: Final = ("with", "preset", "people", "options")
_LINE_IN_MESSAGE: Final = re.compile(r"\s*\(at (?:line (?P<line>\d+)[^)]*|end of document)\)")
_HEADER: Final = re.compile(r"\[\s*(?P<name>[^\[\]]+?)\s*\]\s*(?:#.*)?")
_KEY: Final = re.compile(r"""["']?(?P<key>[^\s"'=.]+)["']?\s*=""")


class ConfigError(Exception):
    """The file cannot be used; the message says where, what was expected, and what is near."""


@attrs.frozen
class GameSettings:
    """How one game is to be played.

    Attributes:
        variants: Names or paths of variants; None if nothing is said.
        preset: Title of a preset.
        people: How many take part.
        options: Options as they would be typed.
        lines: Where each is said, as `FILE:LINE`; those of options under `options.NAME`.
    """

    variants: tuple[str, ...] | None = None
    preset: str | None = None
    people: int | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)
    lines: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Config:
    """What a file says.

    Attributes:
        path: The file; None if there is none.
        rulesets: Folders with rulesets.
        variants: Folders with variants.
        games: By the name that a game has in its text.
        allowed: Names of warnings that nobody wants to see.
    """

    path: Path | None = None
    rulesets: tuple[Path, ...] = ()
    variants: tuple[Path, ...] = ()
    games: Mapping[str, GameSettings] = attrs.field(factory=dict)
    allowed: tuple[str, ...] = ()


_current: ContextVar[Config] = ContextVar("config", default=Config())  # noqa: B039 - never changed


def current() -> Config:
    """Give what `look_around` has found."""
    return _current.get()


def look_around(folders: Iterable[Path] = (), *, config: bool = True) -> None:
    """Find the places of rulesets and the settings that count from now on.

    Args:
        folders: Those that were named on the command line; they win over RULELANG_PATH, that over the file.
        config: Whether to look for `rulelang.toml`.

    Raises:
        ConfigError: It has mistakes.
    """
    place = find(Path.cwd()) if config else None
    found = Config() if place is None else read(_from_here(place))
    named = (*folders, *discovery.named_in_environment(), *found.rulesets)
    discovery.use(discovery.Search(tuple(dict.fromkeys(named)), found.variants))
    _current.set(found)


def _from_here(place: Path) -> Path:
    """Write a path as it leads from the current folder, which is how messages are read best."""
    try:
        return Path(os.path.relpath(place))
    except ValueError:  # another drive
        return place


def find(folder: Path) -> Path | None:
    """Find the nearest file, in a folder or above."""
    return next(
        (each / FILE for each in (folder, *folder.parents) if (each / FILE).is_file()), None
    )


def read(path: Path) -> Config:
    """Read a file.

    Raises:
        ConfigError: It is no TOML, has an unknown key, or a value that is none for its key.
    """
    text = ""
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except OSError as problem:
        raise ConfigError(f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: this is not UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        line = _LINE_IN_MESSAGE.search(str(problem))
        last = len(text.splitlines())
        where = f"{path}:{line['line'] or last}" if line is not None else str(path)
        reason = _LINE_IN_MESSAGE.sub("", str(problem))
        raise ConfigError(f"{where}: this is no TOML: {reason}") from None
    return _Reader(path, text).config(data)


def allowed_near(folder: Path) -> tuple[str, ...]:
    """Give the names of warnings that the nearest file allows, for somebody who looks at a ruleset all the time.

    Returns:
        Nothing, too, if there is no file or it has mistakes: whoever uses the command line is told of them.
    """
    place = find(folder)
    if place is None:
        return ()
    try:
        given = tomllib.loads(place.read_text(encoding="utf-8-sig")).get(_ALLOW, [])
    except (OSError, ValueError):
        return ()
    return tuple(each for each in given if isinstance(each, str)) if isinstance(given, list) else ()


@attrs.frozen
class _Reader:
    """Checks what a file says, and knows where."""

    path: Path
    text: str

    def config(self, data: Mapping[str, object]) -> Config:
        games: dict[str, GameSettings] = {}
        for key, value in data.items():
            if key in (*_FOLDERS, _ALLOW):
                continue
            if not isinstance(value, dict):
                raise self._unknown(
                    (), key, (*_FOLDERS, _ALLOW), "or a table with the name of a game, `[game]`"
                )
            games[key] = self._game(key, value)
        self._check_names(games)
        folders = [self._folders(key, data[key]) if key in data else () for key in _FOLDERS]
        allowed = self._allowed(data[_ALLOW]) if _ALLOW in data else ()
        return Config(self.path, folders[0], folders[1], games, allowed)

    def _allowed(self, value: object) -> tuple[str, ...]:
        from rulelang.codes import BY_NAME  # noqa: PLC0415 - few files need them
        from rulelang.diagnostics import Severity  # noqa: PLC0415 - the same

        names = self._texts((), _ALLOW, value, 'a list of warnings, such as `["idle-option"]`')
        known = [
            name
            for name, code in BY_NAME.items()
            if code.severity is Severity.WARNING or code.may_warn
        ]
        for name in names:
            if name not in known:
                near = nearest(name, known, limit=1)
                hint = f"did you mean `{near[0]}`?" if near else "`rulelang explain` knows them"
                raise self._error((), _ALLOW, f"there is no warning `{name}`", hint)
        return names

    def _check_names(self, games: Iterable[str]) -> None:
        """Report a table that is for no game, so that a slip is not silently without effect.

        Games are those that have a name, and those that lie near the file.
        """
        if not games:
            return
        known = {found.name for found in discovery.rulesets()}
        known |= {
            name for found in discovery.rulesets() if (name := discovery.game_of(found.place))
        }
        if not known.issuperset(games):
            known |= set(discovery.games_below(self.path.parent))
        for name in games:
            if name not in known:
                near = nearest(name, sorted(known), limit=1)
                hint = f"did you mean `[{near[0]}]`? " if near and near[0] not in games else ""
                expected = "a table has the name of a game, and its folder may stand in `rulesets`"
                raise self._error((), name, f"there is no game `{name}`", f"{hint}{expected}")

    def _folders(self, key: str, value: object) -> tuple[Path, ...]:
        names = self._texts((), key, value, 'a list of folders, such as `["house"]`')
        folders = [self.path.parent / name for name in names]
        for name, folder in zip(names, folders, strict=True):
            if not folder.is_dir():
                raise self._error((), key, f"there is no folder {name!r}", f"it would be {folder}")
        return tuple(folders)

    def _game(self, game: str, data: Mapping[str, object]) -> GameSettings:
        at = (game,)
        variants = preset = people = None
        options: dict[str, str] = {}
        for key, value in data.items():
            match key:
                case "with":
                    variants = self._texts(at, key, value, 'a list of variants, such as `["name"]`')
                case "preset":
                    if not isinstance(value, str):
                        raise self._wrong(at, key, value, "the title of a preset, in quotes")
                    preset = value
                case "people":
                    if type(value) is not int or not 1 <= value <= MOST_PEOPLE:
                        raise self._wrong(at, key, value, f"a whole number from 1 to {MOST_PEOPLE}")
                    people = value
                case "options":
                    if not isinstance(value, dict):
                        raise self._wrong(at, key, value, f"a table, `[{game}.options]`")
                    options = self._options(game, value)
                case _:
                    raise self._unknown(at, key, _OF_A_GAME, f"for `[{game}]`")
        lines = {key: self._where(at, key) for key in data}
        lines |= {f"options.{key}": self._where((game, "options"), key) for key in options}
        return GameSettings(variants, preset, people, options, lines)

    def _options(self, game: str, data: Mapping[str, object]) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in data.items():
            match value:
                case bool():
                    found[name] = "yes" if value else "no"
                case int() | str():
                    found[name] = str(value)
                case _:
                    raise self._wrong(
                        (game, "options"),
                        name,
                        value,
                        "a whole number, a word in quotes, true or false",
                    )
        return found

    def _texts(self, at: Sequence[str], key: str, value: object, wanted: str) -> tuple[str, ...]:
        if isinstance(value, list):
            texts = tuple(each for each in value if isinstance(each, str) and each)
            if len(texts) == len(value):
                return texts
        raise self._wrong(at, key, value, wanted)

    # ------------------------------------------------------------------ findings

    def _unknown(self, at: Sequence[str], key: str, known: Sequence[str], more: str) -> ConfigError:
        near = nearest(key, known, limit=1)
        there_are = f"there are {', '.join(f'`{each}`' for each in known)} {more}"
        hint = f"did you mean `{near[0]}`? " if near else ""
        return self._error(at, key, f"unknown key `{key}`", f"{hint}{there_are}")

    def _wrong(self, at: Sequence[str], key: str, value: object, wanted: str) -> ConfigError:
        return self._error(at, key, f"`{key}` cannot be {_shown(value)}", f"expected {wanted}")

    def _error(self, at: Sequence[str], key: str, what: str, advice: str) -> ConfigError:
        return ConfigError(f"{self._where(at, key)}: {what}: {advice}")

    def _where(self, at: Sequence[str], key: str) -> str:
        """Say where a key stands: the library that reads TOML does not."""
        table: tuple[str, ...] = ()
        loose = None
        for number, raw in enumerate(self.text.splitlines(), 1):
            line = raw.strip()
            header = _HEADER.fullmatch(line)
            if header is not None:
                table = tuple(part.strip(" \"'") for part in header["name"].split("."))
                if table == (*at, key):
                    return f"{self.path}:{number}"
            found = _KEY.match(line)
            if found is not None and found["key"] == key and table == tuple(at):
                return f"{self.path}:{number}"
            if loose is None and re.search(rf"(?<![\w-]){re.escape(key)}\b[\"']?\s*[=\].]", line):
                loose = number  # `options = { key = 1 }`, `[game]`, `game.key = 1`
        return f"{self.path}:{loose}" if loose is not None else str(self.path)


def _shown(value: object) -> str:
    match value:
        case bool():
            return "`true`" if value else "`false`"
        case str():
            return f'`"{value}"`'
        case dict():
            return "a table"
        case list():
            return "this list"
        case _:
            return f"`{value}`"
