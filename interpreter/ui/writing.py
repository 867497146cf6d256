"""The commands `new`: files that pass `check`, with a first scenario that passes `test`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.examples.scenarios import ScenarioRunner
from interpreter.ui.merged import merged
from rulelang import api, files
from rulelang.gathering import gather
from rulelang.source import SourceFile
from rulelang.texts import Texts
from rulelang.variants import beginning, template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.gathering import Gathered
    from rulelang.symbols import Tables
    from rulelang.variants.template import Example, Kind

_CANDIDATES = 12  # of each kind; the first that fits is taken


def write_variant(game: str, title: str, out: str | None, *, force: bool) -> bool:
    """Write the file of a new variant, and say what can be done with it.

    Args:
        game: Name or path of the ruleset.
        title: What the variant is called; its name and that of its file are made of it.
        out: The file, or a folder for it. None: the current folder, or for a game named by its path the place where its
            variants are looked for.
        force: Whether a file that is there already is written over.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: The file is there already, or the game has a variant of that name.
        click.exceptions.Exit: The game has errors; they have been written to standard error.
        OSError: The file cannot be written.
    """
    tables = merged(game)
    title = template.title_for(title)
    name = template.name_for(title, tables)
    place = _place(game, name, out)
    if place.exists() and not force:
        raise click.UsageError(f"{place} is there already. --force writes over it.")
    known = next((each for each in tables.variants if each.name.text == name), None)
    if known is not None and not force:
        raise click.UsageError(
            f"{game} has a variant {name!r} already, in {known.span.file.path}. Choose another title."
        )
    text = _text(game, name, title, tables, place)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    _tell(f"{place} is written: the variant {name} of {game}.", _commands(game, place))
    return True


def write_ruleset(title: str, out: str | None, *, force: bool) -> bool:
    """Write a small ruleset in a folder of its own, and say what can be done with it.

    Args:
        title: What the game is called; its name and that of its files are made of it.
        out: The folder. None: one of the game's name in the current folder.
        force: Whether files that are there already are written over.

    Returns:
        True.

    Raises:
        click.UsageError: One of the files is there already, or the folder has other rules in it.
        OSError: A file cannot be written.
    """
    title = template.title_for(title)
    name = template.name_for(title)
    folder = Path(name if out is None else out)
    texts = beginning.first_ruleset(name, title)
    there = next((folder / path for path in texts if (folder / path).exists()), None)
    if there is not None and not force:
        raise click.UsageError(f"{there} is there already. --force writes over it.")
    others = sorted(path for path in folder.glob(f"*{files.SUFFIX}") if path.name not in texts)
    if others:
        raise click.UsageError(
            f"{folder} has rules in it already, {others[0].name}. Choose another folder."
        )
    for path, text in texts.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    here = shlex.quote(str(folder))
    _tell(
        f"{folder} is written: the game {name}, in {', '.join(texts)}.",
        [
            (f"rulelang check {here}", "finds mistakes"),
            (f"rulelang test {here}", "plays its scenarios"),
            (f"rulelang run {here}", "plays a game"),
            (f"rulelang docs {here} --out {name}.md", "makes a rulebook of it"),
            (f'rulelang new variant --of {here} "..."', "writes a first variant of it"),
        ],
    )
    return True


def _tell(first: str, commands: Sequence[tuple[str, str]]) -> None:
    click.echo(first)
    width = max(len(command) for command, _ in commands)
    for command, purpose in commands:
        click.echo(f"  {command:<{width}}   {purpose}")


def _place(game: str, name: str, out: str | None) -> Path:
    if out is not None:
        chosen = Path(out)
        if chosen.is_dir():
            return chosen / f"{name}{files.SUFFIX}"
        if chosen.suffix != files.SUFFIX:
            raise click.UsageError(f"{out}: the name of a file of rules ends in {files.SUFFIX}.")
        return chosen
    if not Path(game).exists():
        return Path(f"{name}{files.SUFFIX}")
    base = api.find_ruleset(game)
    folder = base / "variants" if base.is_dir() else base.parent
    return folder / f"{name}{files.SUFFIX}"


def _commands(game: str, place: Path) -> list[tuple[str, str]]:
    file, of = shlex.quote(str(place)), shlex.quote(game)
    return [
        (f"rulelang check {file}", "finds mistakes"),
        (f"rulelang test {file}", "plays its scenario"),
        (f"rulelang diff {of} --with {file}", "tells what it changes"),
        (f"rulelang run {of} --with {file}", "plays a game with it"),
    ]


# ---------------------------------------------------------------- what fits


def _text(game: str, name: str, title: str, tables: Tables, place: Path) -> str:
    """Write a text of which everything has been tried: its examples fit, its scenario passes."""
    gathered = gather(game)
    known = tables.game.name.text if tables.game is not None else game
    chosen = _fitting(gathered, name, known, template.examples(tables))
    commands = _commands(game, place)
    # What fits alone may not fit together; with fewer examples it becomes less and less.
    for count in range(len(chosen), -1, -1):
        some = chosen[:count]
        live = template.whole(name, title, tables, some, commands, live=True)
        text = template.whole(name, title, tables, some, commands)
        if _is_fine(gathered, name, live, play=False) and _is_fine(gathered, name, text, play=True):
            return text
    raise click.UsageError(f"No first variant of {game} could be written; does it pass `check`?")


def _fitting(
    gathered: Gathered, name: str, game: str, found: Sequence[Example]
) -> tuple[Example, ...]:
    """Choose one example of each kind about which there is nothing to be found."""
    candidates: list[Example] = []
    for kind in template.KINDS:
        candidates += [each for each in found if each.kind == kind][:_CANDIDATES]
    text, where = template.draft(name, game, candidates)
    wrong: set[Example] = set()
    source = SourceFile(_DRAFT, text)
    for each in _texts(gathered, source).compile([name])[1]:
        if each.span.file is source and each.span.line in where:
            wrong.add(where[each.span.line])
    chosen: dict[Kind, Example] = {}
    for example in candidates:
        if example not in wrong:
            chosen.setdefault(example.kind, example)
    return tuple(chosen[kind] for kind in template.KINDS if kind in chosen)


def _is_fine(gathered: Gathered, name: str, text: str, *, play: bool) -> bool:
    """Is there nothing to be found about a text, and does its scenario pass?"""
    texts = _texts(gathered, SourceFile(_DRAFT, text))
    for group in texts.groups():
        program, bag = texts.compile(group.variants, seats=group.seats, scenarios=True)
        if program is None or any(each.span.file.path == _DRAFT for each in texts.found(bag)):
            return False
        if play and not all(each.passed for each in ScenarioRunner(program).run_all()):
            return False
    return name in texts.variants


_DRAFT = f"(draft){files.SUFFIX}"


def _texts(gathered: Gathered, source: SourceFile) -> Texts:
    read = gathered.read
    return Texts((*read.sources, source), read.read, own=frozenset((_DRAFT,)))
