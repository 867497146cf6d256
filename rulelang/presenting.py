"""`table.toml`, beside the texts of a ruleset: how a table of the game is best shown.

    panels = ["map", "players", "Town"]     # what is shown first
    hidden = ["Sum"]                            # kinds that need not be shown
    score = ["points", "coins"]                    # the fields of a player that matter most
    seats = ["red", "blue"]                     # colours of the players

    [map]
    places = ["Town"]                           # kinds whose things are places; they have fields `x` and `y`, or ...
    [map.at]
    millbrook = [10, 4]                          # ... this says where they are
    [short]
    millbrook = "Mill"                    # a thing, kind, field or word, where there is little room
    [colours]
    north = "yellow"                          # a thing or word

Rules stay rules: nothing here has an effect on a game. What is left out is found in the ruleset.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.source import BYTE_ORDER_MARK, NOT_UTF8, SourceFile, Span
from rulelang.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from rulelang import ir
    from rulelang.diagnostics import DiagnosticBag

FILE: Final = "table.toml"
COLOURS: Final = (
    "black", "blue", "brown", "cyan", "green", "grey", "magenta", "orange", "pink", "purple", "red", "white", "yellow",
)  # fmt: skip
MAP: Final = "map"
PLAYERS: Final = "players"

_UNREADABLE: Final = "E0805"
_UNKNOWN: Final = "E0806"
_WRONG: Final = "E0807"
_MOST: Final = 1_000_000
"""Largest coordinate, either way."""
_LONGEST: Final = 40
_LINE: Final = re.compile(
    r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"
)
_HEADER: Final = re.compile(r"\ufeff?\s*\[\s*(?P<name>[^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY: Final = re.compile(
    r"""\ufeff?\s*(?P<key>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


@attrs.frozen
class Hints:
    """How a table is best shown.

    Attributes:
        panels: `map`, `players` and names of kinds, first what is shown first; the others follow.
        hidden: Kinds that are not shown.
        score: Fields of the players that matter most.
        seats: Colours of the players, first seat first.
        places: Kinds whose things are places on the map; empty: those that have coordinates.
        x: The field with the first coordinate.
        y: The field with the second.
        links: Kinds of things that connect two places, and fields `Kind.field` of places with those next to them;
            None: all that look like it.
        markers: Fields of a player that say where on the map the player is; None: those called like the place's kind.
        at: Where places are that have no fields for it, by id.
        short: Brief names, by id or name.
        colours: Of things and words, by id or name.
    """

    panels: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    x: str = "x"
    y: str = "y"
    links: tuple[str, ...] | None = None
    markers: tuple[str, ...] | None = None
    at: Mapping[str, tuple[int, int]] = attrs.field(factory=dict)
    short: Mapping[str, str] = attrs.field(factory=dict)
    colours: Mapping[str, str] = attrs.field(factory=dict)


def read_hints(
    source: SourceFile, program: ir.Program, bag: DiagnosticBag, elsewhere: str | None = None
) -> Hints:
    """Read the hints for a ruleset; what is wrong is reported and left out.

    Args:
        source: The text of the file.
        program: The ruleset.
        bag: Takes the findings.
        elsewhere: Texts that have more names, such as variants that are not merged; None: names that the program does
            not have are left out without a word, because it is one of several that the hints are for.
    """
    bad = source.text.find(NOT_UTF8)
    if bad >= 0:
        span = source.span(bad, bad + 1)
        bag.error(_UNREADABLE, span, f"`{source.path}` is not UTF-8", help="save it as UTF-8")
        return Hints()
    try:
        content = tomllib.loads(source.text.removeprefix(BYTE_ORDER_MARK))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        _report_no_toml(source, problem, bag)
        return Hints()
    return _Reader(source, program, bag, elsewhere).hints(content)


def _report_no_toml(source: SourceFile, problem: Exception, bag: DiagnosticBag) -> None:
    found = _LINE.search(str(problem))
    at = len(source.text)
    if found is not None and found["line"]:
        at = min(source.line_start(int(found["line"])) + int(found["column"]) - 1, at)
    bag.error(
        _UNREADABLE,
        source.span(at, min(at + 1, len(source.text))),
        f"`{source.path}` is no TOML",
        label=_LINE.sub("", str(problem)).lower()[:80],
        help='write `name = value`, texts in quotes: `seats = ["red", "blue"]`',
    )


@attrs.frozen
class _Names:
    """What of a program can be named."""

    kinds: dict[str, int]
    things: dict[str, None]
    words: dict[str, None]
    fields: dict[str, None]
    player: dict[str, None]

    @classmethod
    def of(cls, program: ir.Program) -> _Names:
        return cls(
            {kind.name: number for number, kind in enumerate(program.kinds)},
            dict.fromkeys(each for kind in program.kinds for each in kind.ids),
            dict.fromkeys(
                word for enum in program.enums if not enum.numeric for word in enum.words
            ),
            dict.fromkeys(field.name for field in program.fields),
            dict.fromkeys(field.name for field in program.fields if field.kind == 0),
        )


class _Reader:
    """Checks what a file says against a program, and knows where it says it."""

    def __init__(
        self, source: SourceFile, program: ir.Program, bag: DiagnosticBag, elsewhere: str | None
    ) -> None:
        self._source = source
        self._program = program
        self._bag = bag
        self._elsewhere = elsewhere
        self._names = _Names.of(program)
        self._places = dict(_key_places(source))

    def hints(self, content: Mapping[str, object]) -> Hints:
        names = self._names
        found: dict[str, object] = {}
        known = ("panels", "hidden", "score", "seats", MAP, "short", "colours")
        self._check_keys((), content, known)
        kinds = tuple(names.kinds)
        for key, words, what in (
            ("panels", (MAP, PLAYERS, *kinds), "kinds of things, `map` and `players`"),
            ("hidden", kinds, "kinds of things"),
            ("score", tuple(names.player), "fields of `Player`"),
            ("seats", COLOURS, "colours"),
        ):
            if key in content:
                free = key != "seats"
                found[key] = self._words((key,), content[key], words, what, free=free)
        if MAP in content:
            found |= self._map(content[MAP])
        called = {**names.things, **names.words, **names.kinds, **names.fields}
        for key, table in (("short", called), ("colours", {**names.things, **names.words})):
            if key in content:
                found[key] = dict(self._texts(key, content[key], table))
        return Hints(**found)  # type: ignore[arg-type]

    def _map(self, value: object) -> Mapping[str, object]:
        found: dict[str, object] = {}
        if not isinstance(value, dict):
            self._wrong((MAP,), value, "a table, `[map]`")
            return found
        self._check_keys((MAP,), value, ("places", "x", "y", "links", "markers", "at"))
        names = self._names
        owned = [
            f"{self._program.kinds[field.kind].name}.{field.name}" for field in self._program.fields
        ]
        for key, words, what in (
            ("places", tuple(names.kinds), "kinds of things"),
            ("links", (*names.kinds, *owned), "kinds of things, or fields such as `Town.roads`"),
            ("markers", tuple(names.player), "fields of `Player`"),
        ):
            if key in value:
                found[key] = self._words((MAP, key), value[key], words, what)
        for key in ("x", "y"):
            if key in value and self._is_text((MAP, key), value[key], "the name of a field"):
                name = str(value[key])
                if self._is_known((MAP, key), name, names.fields, "field"):
                    found[key] = name
        if "at" in value:
            found["at"] = dict(self._points(value["at"]))
        return found

    def _points(self, value: object) -> Iterator[tuple[str, tuple[int, int]]]:
        at = (MAP, "at")
        if not isinstance(value, dict):
            self._wrong(at, value, "a table, `[map.at]`")
            return
        for name, point in value.items():
            if not self._is_known((*at, name), name, self._names.things, "thing"):
                continue
            numbers = (
                [each for each in point if type(each) is int] if isinstance(point, list) else []
            )
            if not isinstance(point, list) or len(point) != 2 or len(numbers) != 2:
                self._wrong((*at, name), point, "two whole numbers, such as `[10, 4]`")
            elif max(map(abs, numbers)) > _MOST:
                self._wrong((*at, name), point, f"whole numbers up to {_MOST:,}")
            else:
                yield name, (numbers[0], numbers[1])

    def _texts(self, key: str, value: object, known: Collection[str]) -> Iterator[tuple[str, str]]:
        if not isinstance(value, dict):
            self._wrong((key,), value, f"a table, `[{key}]`")
            return
        what = "thing or word" if key == "colours" else "thing, word, kind or field"
        wanted = "a colour, in quotes" if key == "colours" else "a short text, in quotes"
        for name, text in value.items():
            at = (key, name)
            if not self._is_known(at, name, known, what) or not self._is_text(at, text, wanted):
                continue
            if key == "colours" and text not in COLOURS:
                self._unknown(at, str(text), COLOURS, "colour", in_value=True)
            elif len(text) > _LONGEST or not text.isprintable():
                self._wrong(at, text, f"a text of at most {_LONGEST} characters in one line")
            else:
                yield name, text

    def _words(
        self,
        at: tuple[str, ...],
        value: object,
        known: Collection[str],
        what: str,
        *,
        free: bool = True,
    ) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self._wrong(at, value, f"a list of {what}, each in quotes")
            return ()
        found = [str(each) for each in value]
        one = {"colours": "colour", "kinds of things": "kind"}.get(what, "name")
        for each in found:
            if each not in known and not (free and self._stands_elsewhere(each)):
                self._unknown(at, each, known, one, in_value=True)
        return tuple(each for each in found if each in known)

    # ------------------------------------------------------------------ findings

    def _check_keys(
        self, at: tuple[str, ...], table: Mapping[str, object], known: Collection[str]
    ) -> None:
        for key in table:
            if key not in known:
                self._unknown((*at, key), key, known, "key")

    def _is_known(self, at: tuple[str, ...], name: str, known: Collection[str], what: str) -> bool:
        if name in known:
            return True
        if not self._stands_elsewhere(name):
            self._unknown(at, name, known, what)
        return False

    def _stands_elsewhere(self, name: str) -> bool:
        if self._elsewhere is None:
            return True
        return re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", self._elsewhere) is not None

    def _is_text(self, at: tuple[str, ...], value: object, wanted: str) -> bool:
        if isinstance(value, str) and value:
            return True
        self._wrong(at, value, wanted)
        return False

    def _unknown(
        self,
        at: tuple[str, ...],
        name: str,
        known: Collection[str],
        what: str,
        *,
        in_value: bool = False,
    ) -> None:
        listed = ", ".join(f"`{each}`" for each in known)
        advice = did_you_mean(name, known) or (
            f"there are {listed}" if len(known) <= len(COLOURS) else "name one that the ruleset has"
        )
        span = self._value_span(at, name) if in_value else self._span(at)
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
        self._bag.error(_UNKNOWN, span, f"there is no {what} `{shown}`", help=advice)

    def _wrong(self, at: tuple[str, ...], value: object, wanted: str) -> None:
        self._bag.error(
            _WRONG,
            self._span(at),
            f"`{at[-1][:_LONGEST]}` cannot be {_shown(value)}",
            help=f"write {wanted}",
        )

    def _span(self, at: tuple[str, ...]) -> Span:
        """Give the place of a key; of the one around it where it stands in another's value."""
        while at:
            if at in self._places:
                return self._places[at]
            at = at[:-1]
        return self._source.span(0, 0)

    def _value_span(self, at: tuple[str, ...], text: str) -> Span:
        """Give the place of a text in the value of a key."""
        key = self._span(at)
        for quoted in (f'"{text}"', f"'{text}'"):
            found = self._source.text.find(quoted, key.end)
            if found >= 0:
                return self._source.span(found + 1, found + 1 + len(text))
        return key


def _key_places(source: SourceFile) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Say where keys stand: the library that reads TOML does not."""
    table: tuple[str, ...] = ()
    for number in range(1, source.line_count + 1):
        line = source.line_text(number)
        start = source.line_start(number)
        header, found = _HEADER.match(line), _KEY.match(line)
        match = header or found
        if match is None:
            continue
        group = "name" if header is not None else "key"
        parts = tuple(part.strip("\"'") for part in _PART.findall(match[group]))
        if header is not None:
            table = parts
        whole = parts if header is not None else (*table, *parts)
        span = source.span(start + match.start(group), start + match.end(group))
        yield whole, span
        base = whole[: len(whole) - len(parts)]
        for size in range(1, len(parts)):
            yield (*base, *parts[:size]), span
        yield from _inline_places(source, whole, start + match.end(), start + len(line))


def _inline_places(
    source: SourceFile, table: tuple[str, ...], start: int, end: int
) -> Iterator[tuple[tuple[str, ...], Span]]:
    for found in re.finditer(r"""[{,]\s*(?P<key>[\w-]+|"[^"]*")\s*=""", source.text[start:end]):
        name = found["key"].strip('"')
        yield (*table, name), source.span(start + found.start("key"), start + found.end("key"))


def _shown(value: object) -> str:
    match value:
        case bool():
            return "`true`" if value else "`false`"
        case str():
            return f'`"{value[:_LONGEST]}"`'
        case dict():
            return "a table"
        case list():
            return "this list"
        case _:
            return f"`{str(value)[:_LONGEST]}`"
