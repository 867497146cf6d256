"""The verbs of the command line, as they describe themselves."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final

import click

from cli import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["every_verb", "options", "table"]

_NAME: Final = "rulelang"


def every_verb() -> Iterator[tuple[str, click.Command]]:
    """List all verbs with what follows the program's name, groups left out."""
    yield from _below(command_line, "")


def _below(group: click.Group, before: str) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.commands[name]
        if command.hidden:
            continue
        if isinstance(command, click.Group):
            yield from _below(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def table(words: list[str]) -> str:
    """List all verbs with what each does, as links to their places on the page."""
    del words
    rows = [
        f"| [{name}](#{name.replace(' ', '-')}) | {command.get_short_help_str(200)} |"
        for name, command in every_verb()
    ]
    return "\n".join(("| verb | does |", "|---|---|", *rows))


def options(words: list[str]) -> str:
    """Describe one verb, or the program itself if none is named: how it is called, and its options.

    Raises:
        KeyError: There is no such verb.
    """
    command: click.Command = dict(every_verb())[" ".join(words)] if words else command_line
    parameters = [each for each in command.params if not getattr(each, "hidden", False)]
    rows = [row for each in parameters if isinstance(each, click.Option) for row in _row(each)]
    context = click.Context(command, info_name=" ".join((_NAME, *words)))
    parts = [
        f"```text\n{' '.join((context.command_path, *command.collect_usage_pieces(context)))}\n```"
    ]
    parts.append(_reflowed(command.help or ""))
    if rows:
        parts.append("\n".join(("| option | meaning |", "|---|---|", *rows)))
    if command.epilog:
        lines = inspect.cleandoc(command.epilog).replace("\b", "").strip().splitlines()
        parts.append("\n".join(("For example:", "", "```text", *lines, "```")))
    return "\n\n".join(parts)


def _row(option: click.Option) -> Iterator[str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if not option.is_flag:
        names = f"{names[:-1]} {_escaped(_value(option))}`"
    said = [_escaped(option.help or "")]
    if option.multiple and "repeated" not in said[0]:
        said.append("May be repeated.")
    if option.show_default and not option.is_flag:
        said.append(f"Default: `{option.default}`.")
    if option.required:
        said.append("Must be given.")
    yield f"| {names} | {' '.join(said)} |"


def _value(option: click.Option) -> str:
    if option.metavar is not None:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(map(str, option.type.choices))
    if isinstance(option.type, click.IntRange | click.FloatRange):
        return "N"
    return option.type.name.upper()


def _escaped(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", r"\|").strip()


def _reflowed(text: str) -> str:
    """Give the paragraphs of a help text one line each; those after a form feed are not shown."""
    text = inspect.cleandoc(text).partition("\f")[0]
    return "\n\n".join(
        re.sub(r"\s+", " ", paragraph).strip() for paragraph in text.split("\n\n")
    ).replace("<", r"\<")
