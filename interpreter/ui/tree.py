"""The commands `tree` and `explain NAME`: a name of a game with everything that can touch it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from interpreter.ui.merged import merged, place_of
from interpreter.ui.paint import Paint
from rulelang import nodes
from rulelang.suggest import nearest
from rulelang.variants import tree as trees
from rulelang.variants.difference import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.symbols import Tables
    from rulelang.variants.touching import Target

_LONGEST = 110
_ROUND = ("├─ ", "└─ ", "│  ", "   ")
_PLAIN = ("|- ", "`- ", "|  ", "   ")


def show_tree(
    game: str, name: str, variants: Sequence[str], *, as_json: bool, colour: bool
) -> bool:
    """Write the trees of everything that a name means.

    Args:
        game: Name or path of the ruleset.
        name: What is asked for: `price`, `player.income`, `round.collect`, `Player`.
        variants: What to merge.
        as_json: Whether to write one JSON document.
        colour: Whether escape sequences may be used.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: It has no such name.
        click.exceptions.Exit: It has errors; they have been written to standard error.
    """
    tables = merged(game, variants)
    branches = [trees.tree(target, tables) for target in _meant(name, game, tables)]
    if as_json:
        click.echo(json.dumps([document(each) for each in branches], indent=2, ensure_ascii=False))
        return True
    _write(branches, Paint(colour))
    return True


def explain_name(game: str, name: str, variants: Sequence[str], *, colour: bool) -> bool:
    """Write what a name of a game means: its text, what the rulebook says, and its tree.

    Args:
        game: Name or path of the ruleset.
        name: As for `show_tree`.
        variants: What to merge.
        colour: Whether escape sequences may be used.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: It has no such name.
        click.exceptions.Exit: It has errors; they have been written to standard error.
    """
    tables = merged(game, variants)
    paint = Paint(colour)
    for number, target in enumerate(_meant(name, game, tables)):
        if number:
            click.echo()
        node = trees.node_of(target, tables)
        for line in _explained(target, node, tables, paint):
            click.echo(line)
        _write([trees.tree(target, tables)], paint)
    return True


def _meant(name: str, game: str, tables: Tables) -> list[Target]:
    found = trees.find(name, tables)
    if not found:
        near = nearest(name, trees.names(tables))
        hint = f" Did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
        raise click.UsageError(f"{game} has no {name!r}.{hint}")
    return found


# ---------------------------------------------------------------- explain


def _explained(target: Target, node: nodes.Node, tables: Tables, paint: Paint) -> Iterator[str]:
    yield paint(f"{target}", "bold") + paint(f"  {place_of(node.span)}", "dim")
    doc = node.doc if isinstance(node, nodes.Decl | nodes.StepStmt) else ""
    if doc:
        yield from (f"  {line}" for line in doc.splitlines())
    yield ""
    yield from (f"    {line}".rstrip() for line in excerpt(node).splitlines())
    cites = dict.fromkeys(each.id for each in nodes.walk(node) if isinstance(each, nodes.Citation))
    if cites:
        yield ""
        yield "The rulebook says:"
        for entry in cites:
            known = tables.citations.get(entry)
            said = known.text if known is not None else ""
            yield f"  {paint(entry, 'cyan')}  {said}".rstrip()
    yield ""


# ---------------------------------------------------------------- drawing


def _write(branches: Iterable[trees.Branch], paint: Paint) -> None:
    signs = _ROUND if _can_draw() else _PLAIN
    for number, branch in enumerate(branches):
        if number:
            click.echo()
        click.echo(_line(branch, paint, is_root=True))
        for line in _below(branch, "", signs, paint):
            click.echo(line)


def _can_draw() -> bool:
    try:
        "".join(_ROUND).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _below(
    branch: trees.Branch, margin: str, signs: tuple[str, str, str, str], paint: Paint
) -> Iterator[str]:
    middle, last, wall, gap = signs
    for number, each in enumerate(branch.below, 1):
        is_last = number == len(branch.below)
        yield f"{margin}{last if is_last else middle}{_line(each, paint)}"
        yield from _below(each, margin + (gap if is_last else wall), signs, paint)


def _line(branch: trees.Branch, paint: Paint, *, is_root: bool = False) -> str:
    text = branch.text
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 4].rstrip() + " ..."
    if is_root:
        said = text if text.startswith(branch.what) else f"{branch.what} {text}"
        said = paint(said, "bold")
    else:
        what = paint(branch.what, "cyan")
        said = f"{what}: {text}" if text else what
    source = [f"variant {branch.origin}"] if branch.origin else []
    source += [f"card {branch.card}"] if branch.card else []
    source += [place_of(branch.place)] if branch.place is not None else []
    where = f"  {', '.join(source)}" if source else ""
    cites = f" [{', '.join(branch.cites)}]" if branch.cites else ""
    return said + paint(where + cites, "dim")


def document(branch: trees.Branch) -> dict[str, Any]:
    """Give a tree as data."""
    return {
        "what": branch.what,
        "text": branch.text,
        "path": branch.place.file.path if branch.place is not None else None,
        "line": branch.place.line if branch.place is not None else None,
        "variant": branch.origin or None,
        "card": branch.card or None,
        "cites": list(branch.cites),
        "below": [document(each) for each in branch.below],
    }
