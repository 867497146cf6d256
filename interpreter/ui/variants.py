"""The command `variants`: what can be chosen for a game, and what each variant changes in a line or two."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Final

import click

from interpreter.ui.paint import Paint
from rulelang.variants.catalogue import (
    Catalogue,
    preset_choices,
    read_catalogue,
    relations,
)
from rulelang.variants.phrases import full_name, old_and_new, phrases, what_is_added
from rulelang.wording import listed, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang import nodes

_JSON_VERSION: Final = 1
_WIDTH: Final = 100
_RELATIONS: Final = {"with": "needs", "not with": "not with", "after": "wins over"}
_KEYS: Final = {"with": "needs", "not with": "excludes", "after": "after"}


def show_variants(game: str, extra: Sequence[str] = (), *, as_json: bool, colour: bool) -> bool:
    """List the variants and presets of a game.

    Args:
        game: Name or path of the ruleset.
        extra: Names or paths of further variants.
        as_json: Write one JSON document instead.
        colour: Whether escape sequences may be used.

    Returns:
        Whether all texts could be read without an error.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
    """
    found = read_catalogue(game, extra)
    if as_json:
        click.echo(json.dumps(_document(found), indent=2, ensure_ascii=False))
    else:
        for line in _lines(found, Paint(colour)):
            click.echo(line)
    errors = sum(each.is_error for each in found.diagnostics.sorted())
    if errors:
        click.echo(f"error: the texts have {plural(errors, 'error')}: see `check`.", err=True)
    return not errors


def _title(found: Catalogue) -> str:
    game = found.tables.game
    return game.title.value if game is not None else found.root.name


def _lines(found: Catalogue, paint: Paint) -> Iterator[str]:
    if not found.variants:
        yield f"{_title(found)} has no variants."
    else:
        yield f"{plural(len(found.variants), 'variant')} of {_title(found)}"
    for name, variant in found.variants.items():
        cites = [citation.id for citation in variant.citations]
        yield ""
        yield (
            f'{paint(name, "bold")}  "{variant.title.value}"'
            + (paint(f"  [{', '.join(cites)}]", "dim") if cites else "")
        )
        if variant.doc:
            yield from _wrapped(" ".join(variant.doc.split()))
        fits = [
            f"{_RELATIONS[relation]} {listed(names)}"
            for relation, names in relations(variant)
            if names
        ]
        if fits:
            yield f"    {'; '.join(fits)}"
        yield from _wrapped("; ".join(phrases(found, name)) or "changes nothing")
        yield paint(f"    {_place(variant)}", "dim")
    if found.presets:
        yield f"\n{plural(len(found.presets), 'preset')}"
    for title, preset in found.presets.items():
        names, options = preset_choices(preset)
        parts = [f"with {', '.join(names)}"] if names else []
        parts += [f"{option} = {value}" for option, value in options.items()]
        heading = paint(f'"{title}"', "bold")
        cites = [citation.id for citation in preset.citations]
        yield f"\n{heading}" + (paint(f"  [{', '.join(cites)}]", "dim") if cites else "")
        if preset.doc:
            yield from _wrapped(" ".join(preset.doc.split()))
        yield from _wrapped("; ".join(parts) or "the game as it is")


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")


def _place(node: nodes.Node) -> str:
    return f"{node.span.file.path}:{node.span.line}"


def _document(found: Catalogue) -> dict[str, object]:
    game = found.tables.game
    return {
        "version": _JSON_VERSION,
        "ruleset": game.name.text if game is not None else "",
        "title": _title(found),
        "variants": [_variant_data(found, name) for name in found.variants],
        "presets": [
            {
                "title": title,
                "text": preset.doc,
                "cites": [citation.id for citation in preset.citations],
                "with": list(names),
                "options": options,
            }
            for title, preset in found.presets.items()
            for names, options in (preset_choices(preset),)
        ],
    }


def _variant_data(found: Catalogue, name: str) -> dict[str, object]:
    variant = found.variants[name]
    changes: list[dict[str, object]] = []
    for touch in found.touches(name):
        change: dict[str, object] = {
            "how": touch.how,
            "form": touch.target.form,
            "name": full_name(touch),
            "cites": list(touch.cites),
            "place": _place(touch.node),
        }
        if touch.how == "sets":
            change["old"], change["new"] = old_and_new(found, touch)
        if touch.how == "adds":
            change["new"] = list(what_is_added(touch.node))
        changes.append(change)
    return {
        "name": name,
        "title": variant.title.value,
        "text": variant.doc,
        "cites": [citation.id for citation in variant.citations],
        "place": _place(variant),
        **{_KEYS[relation]: list(names) for relation, names in relations(variant)},
        "in_words": list(phrases(found, name)),
        "changes": changes,
    }
