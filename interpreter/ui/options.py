"""The command `options`: what can be set before a game, what it does, and what it is set to."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs
import click

from interpreter.ui.loading import load_for
from interpreter.ui.paint import Paint
from interpreter.ui.table import option_values
from rulelang import nodes
from rulelang.variants.catalogue import Catalogue, read_catalogue
from rulelang.variants.selection import select
from rulelang.variants.touching import flat
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.ui.table import Table

_JSON_VERSION: Final = 1
_WIDTH: Final = 100
_MANY_WORDS: Final = 12


@attrs.frozen
class Setting:
    """An option as it is listed.

    Attributes:
        name: What it is called.
        origin: The variant that declares it; empty for the base.
        type: What it can be, as written.
        default: Its value in the ruleset that declares it.
        value: Its value in the game that was asked for.
        by: Who gives it another value than the default: a variant, a preset, `rulelang.toml`; empty if nobody does.
        text: What it does.
        cites: The ids that it cites.
        place: Where it is declared.
    """

    name: str
    origin: str
    type: str
    default: str
    value: str
    by: str
    text: str
    cites: Sequence[str]
    place: str


def show_options(game: str, table: Table, *, as_json: bool, colour: bool) -> bool:
    """List the options of a game.

    Args:
        game: Name or path of the ruleset.
        table: The variants and options that are chosen. Without variants those of all variants are listed too.
        as_json: Write one JSON document instead.
        colour: Whether escape sequences may be used.

    Returns:
        Always True: there is nothing to find.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
        click.UsageError: An option does not exist, or cannot have its value.
    """
    if table.variants or table.options:
        program, _ = load_for(game, table)
        option_values(program, table)
    found = read_catalogue(game, table.variants)
    chosen = _chosen(found, game, table)
    settings = list(_settings(found, table, chosen))
    title = found.tables.game.title.value if found.tables.game is not None else game
    if as_json:
        document = {
            "version": _JSON_VERSION,
            "ruleset": found.tables.game.name.text if found.tables.game is not None else "",
            "title": title,
            "variants": list(chosen),
            "options": [attrs.asdict(each) for each in settings],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return True
    for line in _lines(found, title, settings, Paint(colour)):
        click.echo(line)
    return True


def _chosen(found: Catalogue, game: str, table: Table) -> tuple[str, ...]:
    if not table.variants:
        return ()
    program, _ = load_for(game, table)
    return tuple(each for each in select(found.variants, program.variants).names)


def _settings(found: Catalogue, table: Table, chosen: Sequence[str]) -> Iterator[Setting]:
    changed: dict[str, tuple[str, str]] = {}
    for name in chosen:
        for item in found.variants[name].items:
            if isinstance(item, nodes.ChangeOptionDecl):
                changed[item.name.text] = (flat(item.value), name)
    for name, text in table.options.items():
        changed[name] = (text, table.origins.get(name, "--option"))
    for item, origin in found.tables.items:
        if isinstance(item, nodes.OptionDecl):
            yield _setting(found, item, origin, changed)
    for name in chosen or found.variants:
        for item in found.variants[name].items:
            if isinstance(item, nodes.OptionDecl):
                yield _setting(found, item, name, changed)


def _setting(
    found: Catalogue, item: nodes.OptionDecl, origin: str, changed: dict[str, tuple[str, str]]
) -> Setting:
    default = flat(item.default)
    value, by = changed.get(item.name.text, (default, ""))
    text = " ".join([item.doc, item.label.value if item.label is not None else ""])
    return Setting(
        item.name.text,
        origin,
        _type(found, flat(item.type)),
        default,
        value,
        by if value != default else "",
        " ".join(text.split()),
        tuple(citation.id for citation in item.citations),
        f"{item.span.file.path}:{item.span.line}",
    )


def _type(found: Catalogue, written: str) -> str:
    """Write a type, an enumeration with its words."""
    if written == "Flag":
        return "yes or no"
    number = found.tables.enum_numbers.get(written)
    words = found.tables.enums[number].words if number is not None else ()
    return f"{written}: {', '.join(words)}" if 0 < len(words) <= _MANY_WORDS else written


def _lines(
    found: Catalogue, title: str, settings: Sequence[Setting], paint: Paint
) -> Iterator[str]:
    own = sum(not each.origin for each in settings)
    more = len(settings) - own
    yield f"{plural(own, 'option')} of {title}" + (f", {more} of its variants" if more else "")
    origin = ""
    for each in settings:
        if each.origin != origin:
            origin = each.origin
            yield f'\n{paint(f"variant {origin}", "bold", "cyan")}  "{found.variants[origin].title.value}"'
        was = f", not {each.default}: {each.by}" if each.by else ""
        cites = paint(f"  [{', '.join(each.cites)}]", "dim") if each.cites else ""
        yield f"\n{paint(each.name, 'bold')} = {paint(each.value, 'green')}{was}{cites}"
        for text in (each.type, each.text):
            yield from textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
