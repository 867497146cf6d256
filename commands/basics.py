"""What all verbs share: the program itself, exit codes, colour, and the options that several verbs have."""

from __future__ import annotations

import functools
import os
import shlex
import sys
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import IO, Any

    from interpreter.providers.standin import Failure
    from interpreter.ui.story import Level


class ExitCode(IntEnum):
    """What the program tells the shell."""

    FINE = 0
    FINDINGS = 1
    USAGE = 2
    FAULT = 3
    INTERNAL = 70
    INTERRUPTED = 130


def wants_colour(stream: IO[str] | None, choice: str = "auto") -> bool:
    """Decide whether escape sequences may be written to a stream.

    Args:
        stream: Where the text goes; None if the program was started without it.
        choice: The `--color` option: `always`, `never` or `auto`. Then count, in this order: NO_COLOR, FORCE_COLOR
            (each if not empty), whether the stream is a terminal, `TERM=dumb`.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def nearest(name: str, known: Iterable[str]) -> str:
    """Give the end of a message that proposes the nearest of some names; empty if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


_ORDER_OF_USE = (
    *("play", "run", "new", "check", "fmt", "test", "trace", "fuzz", "explain"),
    *("variants", "options", "diff", "tree", "pin"),
    *("serve", "resume", "why", "why-not", "replay", "simulate", "compare", "count", "solve"),
    *("docs", "graph", "server", "fuzz-engine", "conformance"),
    *("ruleset", "variant"),
)


class _Verb(click.Command):
    """A command that knows where rulesets are, and what `rulelang.toml` says, before it begins."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        from rulelang.config import look_around

        given = ctx.find_root().params
        look_around(map(Path, given["rulesets"]), config=not given["no_config"])
        return super().invoke(ctx)


class Verbs(click.Group):
    """A group that proposes the nearest verb for one that does not exist, on every version of click."""

    command_class = _Verb

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a verb, or propose the nearest one."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = nearest(args[0], self.commands)
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Give the verbs in the order of use, not of the alphabet; those without a place there come last."""
        places = {name: place for place, name in enumerate(_ORDER_OF_USE)}
        return sorted(self.commands, key=lambda name: places.get(name, len(places)))


class Whole(click.IntRange):
    """A whole number from `min` on, called that in messages."""

    name = "whole number"


SEED = Whole(0, 2**63 - 1)
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Verbs, context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="rulelang", message="%(prog)s %(version)s")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to use colour. NO_COLOR and FORCE_COLOR count for `auto`.",
)
@click.option(
    "--rulesets",
    type=click.Path(exists=True, file_okay=False),
    multiple=True,
    metavar="FOLDER",
    help="A folder with rulesets that can be named. May be repeated; RULELANG_PATH names more.",
)
@click.option("--no-config", is_flag=True, help="Ignore rulelang.toml.")
@click.pass_context
def command_line(
    context: click.Context, color: str, rulesets: tuple[str, ...], no_config: bool
) -> None:
    """Write, check, vary and play board-game rules as data.

    GAME is the name of a ruleset (that comes with the program, is in a folder of --rulesets, or a plug-in), a folder
    with *.rules files, or one such file.
    """
    del rulesets, no_config  # each verb reads them when it begins
    context.obj = color
    context.color = wants_colour(sys.stdout, color)


def _split_assignment(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    del context
    found: dict[str, str] = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not equals or not name.strip() or not setting.strip():
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.", param=parameter)
        if found.setdefault(name.strip(), setting.strip()) != setting.strip():
            raise click.BadParameter(f"{name.strip()!r} is given two values.", param=parameter)
    return found


_SEAT_KINDS = ("automa", "random", "human")


def _split_seats(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[int, str]:
    seats: dict[int, str] = {}
    for number, kind in _split_assignment(context, parameter, values).items():
        if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:4]) <= 1000:
            raise click.BadParameter(f"{number!r} is not the number of a seat.", param=parameter)
        problem = seat_problem(kind)
        if problem:
            raise click.BadParameter(problem, param=parameter)
        seats[int(number)] = kind
    return seats


def seat_problem(kind: str) -> str:
    """Say what is wrong with who is to answer for a seat; empty if nothing is."""
    return "" if kind in _SEAT_KINDS or _is_program(kind) else _search_problem(kind)


def _search_problem(kind: str) -> str:
    """Say why this is no search as `--seat` takes it; empty if it is one."""
    from difflib import get_close_matches

    from interpreter.search.settings import is_search, settings_of

    if not is_search(kind):
        from interpreter.providers.plugins import plugin_names

        names = plugin_names()
        if kind in names:
            return ""
        kinds = (*_SEAT_KINDS, "search", *names)
        near = get_close_matches(kind, kinds, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"{kind!r} is not one of {', '.join(kinds)}, or process:COMMAND.{meant}"
    try:
        settings_of(kind)
    except ValueError as error:
        return f"{kind!r}: {error}"
    return ""


def _is_program(kind: str) -> bool:
    """Is it `process:` with words as a shell parts them?"""
    before, colon, command = kind.partition(":")
    try:
        return before == "process" and bool(colon) and bool(shlex.split(command))
    except ValueError:
        return False


def split_names(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Take names apart that are parted by commas; each counts once."""
    del context, parameter
    names = (name.strip() for value in values for name in value.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


WITH = click.option(
    "--with",
    "variants",
    multiple=True,
    metavar="VARIANT",
    callback=split_names,
    help="Merge a variant: its name, or the path of its file. May be repeated, or several parted by commas.",
)
PRESET = click.option(
    "--preset", metavar="TITLE", help="Take the variants and options of a preset of the ruleset."
)
PEOPLE = click.option("--people", type=Whole(1), metavar="N", help="How many seats have a person.")
JSON = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document instead of text."
)


def log_option(default: Level) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the option that says how much of a story is told."""
    return click.option(
        "--log",
        type=click.Choice(["quiet", "turns", "full"]),
        default=default,
        show_default=True,
        help="How much of the story is told: only the outcome; phases and what happened in them; "
        "every doing with the rules that it cites.",
    )


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that sets options of the ruleset."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_split_assignment,
        help="Set an option of the ruleset. May be repeated.",
    )(command)


def seat_options(
    others: str = "random",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the options that say who answers, with who does for the seats that are left out.

    The command is called with `seats` and `bots`.
    """
    options = (
        click.option(
            "--bot-failure",
            type=click.Choice(["stop", "automa", "random"]),
            default="stop",
            show_default=True,
            help="What happens when a program at the table stops, is late or gives illegal answers: the game "
            "stops and can be played on, or somebody else goes on in its place.",
        ),
        click.option(
            "--bot-time",
            type=click.FloatRange(0, 86_400, min_open=True),
            default=10.0,
            show_default=True,
            metavar="SECONDS",
            help="How long a program at the table may take for an answer.",
        ),
        click.option(
            "--seat",
            "seats",
            multiple=True,
            metavar="N=WHO",
            callback=_split_seats,
            help="Who answers for the person in seat N: automa (the ruleset's own policy), random, human, search "
            "(looks ahead; search:playouts=200, search:seconds=1 and so on), or "
            f"process:COMMAND, a program that speaks the protocol of the reference. Default: {others}.",
        ),
    )

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def called(*args: Any, bot_time: float, bot_failure: Failure, **more: Any) -> Any:  # noqa: ANN401 - click's
            from interpreter.ui.table import Bots

            return command(*args, bots=Bots(bot_time, bot_failure), **more)

        found: Callable[..., Any] = called
        for option in options:
            found = option(found)
        return found

    return add


def match_options(command: Callable[..., Any], others: str = "random") -> Callable[..., Any]:
    """Add the options that say which game is meant and who sits at the table."""
    for option in (
        PRESET,
        WITH,
        seat_options(others),
        PEOPLE,
        set_options,
    ):
        command = option(command)
    return command


OUTPUT_FORMAT = click.option(
    "--output-format",
    type=click.Choice(["full", "concise", "json", "json-lines", "sarif", "github", "junit"]),
    default="full",
    show_default=True,
    help="How findings are written.",
)


def findings(fine: bool) -> ExitCode:
    """Give the exit code of a command that has found nothing, or something."""
    return ExitCode.FINE if fine else ExitCode.FINDINGS


def written_as(*formats: str) -> Callable[[Any], Any]:
    """Make the options `--format` and `--out` of a verb that writes a text; the first format is the default."""

    def add(command: Any) -> Any:  # noqa: ANN401 - click decorates whatever it is given
        for option in (
            click.option(
                "--out",
                type=click.Path(dir_okay=False),
                metavar="FILE",
                help="Where to write it. Default: to standard output.",
            ),
            click.option(
                "--format",
                "form",
                type=click.Choice(formats),
                help=f"What to write. Default: by the ending of --out, else {formats[0]}.",
            ),
        ):
            command = option(command)
        return command

    return add
