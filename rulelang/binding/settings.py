"""What the header of a game says: version, players, seats, and the rulebook that rules cite."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

from rulelang import ir, nodes
from rulelang.source import NOT_UTF8
from rulelang.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulelang.binding.context import Binding

SETTINGS = ("version", "players", "seats", "citations")
MAX_SEATS: Final = 100
DEFAULT_SEATS: Final = 2

_HEADING: Final = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
_ID: Final = re.compile(r"[A-Z]{2,}-[A-Z0-9]+(?:-[A-Z0-9]+)*")


def settings_of(items: Iterable[nodes.Item]) -> dict[str, nodes.Setting]:
    """Give the settings in force by name, those of `change game` over those of `game`."""
    found: dict[str, nodes.Setting] = {}
    for item in items:
        if isinstance(item, nodes.GameDecl):
            found = {setting.name.text: setting for setting in item.settings} | found
        elif isinstance(item, nodes.ChangeGameDecl):
            found.update({setting.name.text: setting for setting in item.settings})
    return found


def read_settings(binding: Binding, items: list[nodes.Item], seats: int | None = None) -> None:
    """Check the settings and fill `version` and `players`.

    Args:
        binding: Takes them.
        items: The declarations, variants merged.
        seats: How many seats there are, whatever the game says; the option that says it has that value too.
    """
    for item in items:
        if isinstance(item, nodes.GameDecl | nodes.ChangeGameDecl):
            _check_names(binding, item.settings)
    for name, setting in settings_of(items).items():
        match name, setting.values:
            case "version", (nodes.Text(value=value),):
                binding.tables.version = value
            case "players", (value,):
                _read_players(binding, setting, value, _Figures(items, seats))
            case "seats", (nodes.Number() | nodes.Name(),):
                pass  # `seats_of` reads it
            case "citations", values if all(isinstance(value, nodes.Text) for value in values):
                pass  # `read_citations` reads it
            case _ if name in SETTINGS:
                forms = {
                    "version": '`version "1.0"`',
                    "players": "`players 4` or `players 2..4`",
                    "seats": "`seats 5`, or `seats` with the name of an option",
                    "citations": '`citations "rules.csv"`, several parted by commas',
                }
                binding.error(
                    14, setting, f"`{name}` is not set like this", advice=f"write {forms[name]}"
                )
            case _:
                pass  # unknown, and reported


def _check_names(binding: Binding, settings: tuple[nodes.Setting, ...]) -> None:
    first: dict[str, nodes.Setting] = {}
    for setting in settings:
        name = setting.name
        if name.text not in SETTINGS:
            near = did_you_mean(name.text, SETTINGS)
            advice = near or f"there are {', '.join(f'`{each}`' for each in SETTINGS)}"
            binding.unknown(name, "setting", SETTINGS, number=60, advice=advice)
        elif name.text in first:
            binding.twice(name, first[name.text].name.span)
        first.setdefault(name.text, setting)


class _Figures:
    """The numbers that settings may name: options, by default or from outside."""

    def __init__(self, items: list[nodes.Item], seats: int | None) -> None:
        self._items = items
        self._given = {} if seats is None else {seats_option(items): seats}

    def of(self, value: nodes.Expr) -> int | None:
        """Give the value of a number, an option that is one, or a sum or difference of them."""
        match value:
            case nodes.Number(value=number):
                return number
            case nodes.Name(ident=ident):
                return self._given.get(ident.text, _option_default(self._items, ident.text))
            case nodes.Arithmetic(op="+" | "-" as op):
                left, right = self.of(value.left), self.of(value.right)
                if left is None or right is None:
                    return None
                return left + right if op == "+" else left - right
            case _:
                return None


def _read_players(
    binding: Binding, setting: nodes.Setting, value: nodes.Expr, figures: _Figures
) -> None:
    ends = (value.low, value.high) if isinstance(value, nodes.RangeExpr) else (value, value)
    low, high = (figures.of(end) for end in ends)
    if low is None or high is None:
        binding.error(
            14,
            setting,
            "`players` is not set like this",
            advice="write `players 2..4`; an option that is a number may stand for one of them",
        )
        return
    if not 1 <= low <= high <= MAX_SEATS:
        binding.error(22, value, f"a game has 1 to {MAX_SEATS} players, the smaller number first")
        return
    binding.tables.players = (low, high)


def seats_of(binding: Binding, items: list[nodes.Item], people: int | None) -> int:
    """Give the number of seats: what `seats` says, else as many as people take part."""
    setting = settings_of(items).get("seats")
    if setting is not None and setting.values:
        value = setting.values[0]
        if isinstance(value, nodes.Number):
            return _in_bounds(binding, value, value.value)
        if isinstance(value, nodes.Name):
            default = _option_default(items, value.ident.text)
            if default is not None:
                return _in_bounds(binding, value, default)
            options = [item.name.text for item in items if isinstance(item, nodes.OptionDecl)]
            binding.unknown(value.ident, "option that is a number", options)
    if people is not None:
        return max(1, min(people, MAX_SEATS))
    low, high = binding.tables.players
    return min(max(low, DEFAULT_SEATS), high)


def seats_option(items: list[nodes.Item]) -> str:
    """Give the name of the option that says how many seats there are; empty if none does."""
    setting = settings_of(items).get("seats")
    match setting.values if setting is not None else ():
        case (nodes.Name(ident=ident),):
            return ident.text
        case _:
            return ""


def _in_bounds(binding: Binding, at: nodes.Expr, number: int) -> int:
    if 1 <= number <= MAX_SEATS:
        return number
    binding.error(22, at, f"a game has 1 to {MAX_SEATS} seats")
    return 1


def _option_default(items: list[nodes.Item], name: str) -> int | None:
    found: int | None = None
    for item in items:
        if (
            isinstance(item, nodes.OptionDecl)
            and item.name.text == name
            and isinstance(item.default, nodes.Number)
        ):
            found = item.default.value
        elif (
            isinstance(item, nodes.ChangeOptionDecl)
            and item.name.text == name
            and isinstance(item.value, nodes.Number)
        ):
            found = item.value.value
    return found


def resolve_seats(
    items: list[nodes.Item], people: int | None, options: Mapping[str, object] | None = None
) -> int | None:
    """Give the number of seats of a match before anything is bound.

    Args:
        items: The declarations, variants merged.
        people: How many take part, automas named by the match included; None if it is not known.
        options: Options set from outside, numbers as such.

    Returns:
        The number, or None if neither the game nor the match says it.
    """
    setting = settings_of(items).get("seats")
    if setting is not None and setting.values:
        value = setting.values[0]
        if isinstance(value, nodes.Number):
            return value.value
        if isinstance(value, nodes.Name):
            given = (options or {}).get(value.ident.text, _option_default(items, value.ident.text))
            if isinstance(given, int):
                return given
    return people


# ---------------------------------------------------------------- citations


def read_citations(binding: Binding, items: list[nodes.Item]) -> bool:
    """Read the rulebook's ids from the files that the game names.

    Returns:
        Whether all of them could be read, so that an id that is not there is unknown.
    """
    complete = True
    setting = settings_of(items).get("citations")
    for value in setting.values if setting is not None else ():
        if not isinstance(value, nodes.Text):
            continue
        data = binding.file(value)
        if data is None:
            complete = False
        elif value.value.endswith(".csv"):
            complete = _read_table(binding, value, data) and complete
        elif value.value.endswith(".md"):
            _read_headings(binding, value, data)
        else:
            complete = False
            binding.error(
                18,
                value,
                f"`{value.value}` is no list of rules",
                advice="name a `.csv` or a `.md` file",
            )
    return complete


def _read_table(binding: Binding, name: nodes.Text, data: bytes) -> bool:
    sheet = binding.parsed(name.value, data)
    column = sheet.column("id")
    if column is None:
        if sheet.header:
            binding.error(
                18, name, f"no column `id` in `{name.value}`", notes=("it names the rules",)
            )
        return False
    others = [sheet.column(other) for other in ("section", "kind", "text")]
    for row in sheet.rows:
        cell = row.cells[column]
        entry = cell.text.strip()
        if not entry or entry in binding.tables.citations:
            what = f"two rules with the id `{entry}`" if entry else "an empty id"
            binding.error(20, sheet.span(cell), what, label=f"row {row.number} of `{name.value}`")
            continue
        section, kind, text = (
            "" if other is None else row.cells[other].text.strip() for other in others
        )
        binding.tables.citations[entry] = ir.Citation(entry, section, kind, text)
    return True


def _read_headings(binding: Binding, name: nodes.Text, data: bytes) -> None:
    """Take each heading with an id for a rule, the text under it for what it says."""
    text = data.decode("utf-8", errors="replace")
    if NOT_UTF8 in text:
        binding.error(18, name, f"`{name.value}` is not UTF-8")
    section = ""
    entry: str | None = None
    title = ""
    body: list[str] = []

    def close() -> None:
        if entry is not None and entry not in binding.tables.citations:
            said = " ".join(line.strip() for line in body if line.strip())
            binding.tables.citations[entry] = ir.Citation(
                entry, section, "ruling", f"{title} {said}".strip()
            )

    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        close()
        found = _ID.match(heading[1])
        entry, body = (found[0] if found else None), []
        title = heading[1][found.end() :].strip(" :-`") if found else ""
        if found is None:
            section = heading[1]
    close()


def check_citations(binding: Binding, modules: Iterable[nodes.Module]) -> None:
    """Report ids that the rulebook does not have."""
    known = binding.tables.citations
    for module in modules:
        for node in chain.from_iterable(map(nodes.citations_in, module.items)):
            if node.id not in known:
                binding.unknown(
                    nodes.Ident(node.span, node.id),
                    "rule of the rulebook",
                    _alike(node.id, known),
                    number=16,
                    advice=None
                    if known
                    else 'the game names no list of rules: give it one, `citations "rules.csv"`',
                )


def _alike(entry: str, known: Iterable[str]) -> list[str]:
    """Give the ids of the same book, so that the search for the nearest stays short."""
    book = entry.split("-", 1)[0]
    return [each for each in known if each.startswith(book)] or list(known)
