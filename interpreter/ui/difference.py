"""The command `diff`: what a set of variants changes, in words, with what was there and what is there now."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

import click

from interpreter.ui.merged import merged, place_of
from interpreter.ui.paint import Paint
from rulelang import nodes
from rulelang.variants.difference import Change, Difference, Group, compare
from rulelang.variants.phrases import words
from rulelang.variants.touching import flat
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_CONTEXT = 2


def show_difference(
    game: str, new: Sequence[str], old: Sequence[str], *, as_json: bool, colour: bool
) -> bool:
    """Write what is different between a game with one set of variants and with another.

    Args:
        game: Name or path of the ruleset, or the path of a file of variants: these are looked at too.
        new: The variants that are looked at.
        old: Those that it is compared with; none for the game alone.
        as_json: Whether to write one JSON document.
        colour: Whether escape sequences may be used.

    Returns:
        True: to differ is no failure.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: No variant is named at all.
        click.exceptions.Exit: A set cannot be merged; the reasons have been written to standard error.
    """
    before, after = merged(game, old, bare=True), merged(game, new)
    if not before.chosen and not after.chosen:
        known = [each.name.text for each in before.variants]
        there = f" {game} has {listed(known)}." if known else f" {game} has no variants."
        raise click.UsageError(f"Name a variant: --with NAME.{there}")
    found = compare(before, after)
    if as_json:
        click.echo(json.dumps(document(found), indent=2, ensure_ascii=False))
        return True
    paint = Paint(colour)
    for line in told(found, paint):
        click.echo(line)
    return True


def told(found: Difference, paint: Paint) -> Iterator[str]:
    """Tell a difference, line by line."""
    yield paint(_title(found), "bold")
    for variant in (*found.new, *(each for each in found.old if each not in found.new)):
        cites = _cited(tuple(dict.fromkeys(each.id for each in variant.citations)))
        yield f'  {variant.name.text} "{variant.title.value}"{cites}  {place_of(variant.span)}'
        yield from (f"      {line}" for line in variant.doc.splitlines())
    if not found.groups:
        yield ""
        yield "Nothing is different."
    for group in found.groups:
        yield ""
        yield _heading(group, paint)
        for change in group.changes:
            yield from _change(change, paint)


def _title(found: Difference) -> str:
    new = listed([each.name.text for each in found.new])
    old = listed([each.name.text for each in found.old])
    left = f"{found.game} with {new}" if new else f"{found.game} alone"
    return f"{left}, compared with {f'{found.game} with {old}' if old else 'the game alone'}"


def _heading(group: Group, paint: Paint) -> str:
    where = "" if group.place is None or group.is_new else f"  {place_of(group.place)}"
    cites = "" if group.is_new else _cited(group.cites)
    return paint(str(group.target), "cyan", "bold") + paint(where + cites, "dim")


def _change(change: Change, paint: Paint) -> Iterator[str]:
    touch = change.touch
    yield f"  {words(change)}"
    for line in _texts(change):
        style = {"+": "green", "-": "red"}.get(line[:1])
        yield f"    {paint(line, style) if style else line}"
    source = f"{touch.origin or 'the game'}, {place_of(touch.node.span)}{_cited(touch.cites)}"
    yield paint(f"      {'from' if change.side == 'came' else 'was from'} {source}", "dim")


def _texts(change: Change) -> Iterable[str]:
    """Give the lines that came and went, marked + and -; common lines around them keep two spaces."""
    if change.touch.how == "sets" or isinstance(change.touch.node, nodes.ChangeWordsDecl):
        return  # the words say it
    old, new = change.old.splitlines(), change.new.splitlines()
    first = True
    for line in difflib.unified_diff(old, new, lineterm="", n=_CONTEXT):
        if line.startswith(("---", "+++")) and first:
            continue
        if line.startswith("@@"):
            if not first:
                yield "  ..."
            first = False
            continue
        yield f"{line[:1]} {line[1:]}"


def _cited(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


# ---------------------------------------------------------------- JSON


def document(found: Difference) -> dict[str, Any]:
    """Give a difference as data: names, groups, and for each change old and new text and its place."""
    return {
        "game": found.game,
        "new": [each.name.text for each in found.new],
        "old": [each.name.text for each in found.old],
        "changes": [_group(group) for group in found.groups],
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "form": group.target.form,
        "name": group.target.name,
        "new": group.is_new,
        "path": group.place.file.path if group.place is not None else None,
        "line": group.place.line if group.place is not None else None,
        "cites": list(group.cites),
        "changes": [
            {
                "side": each.side,
                "how": each.touch.how,
                "words": words(each),
                "old": each.old,
                "new": each.new,
                "when": flat(each.touch.condition) if each.touch.condition is not None else None,
                "part": each.touch.part or None,
                "rule": each.touch.name or None,
                "card": each.touch.card or None,
                "variant": each.touch.origin or None,
                "path": each.touch.node.span.file.path,
                "line": each.touch.node.span.line,
                "cites": list(each.touch.cites),
            }
            for each in group.changes
        ],
    }
