"""The command line: one program, one verb for each thing to do with a ruleset.

Only click is imported here. Every command loads what it needs when it runs, so `--version`, `--help` and a mistyped
command answer at once. This is also the only place that knows exit codes:

    0 fine · 1 findings, failed scenarios, a replay that differs · 2 could not start (usage, missing file)
    3 a rule fault or a limit stopped a game · 70 internal error · 130 interrupted
"""

from __future__ import annotations

import io
import os
import sys
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from rulelang import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import IO, Any

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


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


class _Verb(click.Command):
    """A command that knows where rulesets are, and what `rulelang.toml` says, before it begins."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        from rulelang.config import look_around

        given = ctx.find_root().params
        look_around(map(Path, given["rulesets"]), config=not given["no_config"])
        return super().invoke(ctx)


class _Verbs(click.Group):
    """A group that proposes the nearest verb for one that does not exist, on every version of click."""

    command_class = _Verb

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = _nearest(args[0], self.commands)
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)  # in the order of use, not of the alphabet


class _Whole(click.IntRange):
    """A whole number from `min` on, called that in messages."""

    name = "whole number"


_SEED = _Whole(0, 2**63 - 1)
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=_Verbs, context_settings=_CONTEXT)
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
        if kind not in _SEAT_KINDS:
            raise click.BadParameter(
                f"{kind!r} is not one of {', '.join(_SEAT_KINDS)}.", param=parameter
            )
        seats[int(number)] = kind
    return seats


def _split_names(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    del context, parameter
    names = (name.strip() for value in values for name in value.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


_WITH = click.option(
    "--with",
    "variants",
    multiple=True,
    metavar="VARIANT",
    callback=_split_names,
    help="Merge a variant: its name, or the path of its file. May be repeated, or several parted by commas.",
)
_PRESET = click.option(
    "--preset", metavar="TITLE", help="Take the variants and options of a preset of the ruleset."
)
_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document instead of text."
)


def _match_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which game is meant and who sits at the table."""
    for option in (
        _PRESET,
        _WITH,
        click.option(
            "--seat",
            "seats",
            multiple=True,
            metavar="N=WHO",
            callback=_split_seats,
            help="Who answers for the person in seat N: automa (the ruleset's own policy), random, human. "
            "Default: random.",
        ),
        click.option("--people", type=_Whole(1), metavar="N", help="How many seats have a person."),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            callback=_split_assignment,
            help="Set an option of the ruleset. May be repeated.",
        ),
    ):
        command = option(command)
    return command


_OUTPUT_FORMAT = click.option(
    "--output-format",
    type=click.Choice(["full", "concise", "json"]),
    default="full",
    show_default=True,
    help="How findings are written.",
)


@command_line.command(
    epilog="\b\nrulelang run pyrates --seed 7\n"
    "rulelang run pyrates --people 2 --seat 1=human --seat 2=automa"
)
@click.argument("game")
@_match_options
@click.option(
    "--seed", type=_SEED, metavar="N", help="Start of the random generator. Default: a new one."
)
@click.option(
    "--log",
    type=click.Choice(["quiet", "turns", "full"]),
    default="turns",
    show_default=True,
    help="How much of the story is told.",
)
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write a replay.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Play on from a replay of a game that was stopped, with its people, options and seed.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON document instead of a story.")
@click.pass_obj
def run(
    color: str,
    game: str,
    people: int | None,
    seats: dict[int, str],
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    seed: int | None,
    log: Level,
    record: str | None,
    resume: str | None,
    as_json: bool,
) -> ExitCode:
    """Play a game and tell its story."""
    from interpreter.ui.matches import run_game
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    table = Table(people, seats, options, variants)
    if resume is None:
        table = settle(game, table, preset)
    elif people is not None or options or preset or seed is not None:
        raise click.UsageError(
            "--resume goes on with the people, variants, options and seed of its file."
            " --with only says where variants are that have no name."
        )
    colour = wants_colour(sys.stdout, color)
    return _findings(
        run_game(game, table, seed, log, record, resume=resume, as_json=as_json, colour=colour)
    )


@command_line.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@_WITH
@_OUTPUT_FORMAT
@click.pass_obj
def check(
    color: str, paths: tuple[str, ...], variants: tuple[str, ...], output_format: str
) -> ExitCode:
    """Find the mistakes in rulesets, in each of their variants and in their scenarios.

    A PATH is a folder, a file, or the name of a ruleset that comes with the program. With --with only
    the game with just these variants is checked.
    """
    from interpreter.ui.checking import check_paths

    colour = wants_colour(sys.stdout, color)
    return _findings(check_paths(paths, variants, output_format, colour=colour))


@command_line.command()
@click.argument("game")
@click.option(
    "--only", metavar="TEXT", help="Only scenarios with this text in their title or citations."
)
@_WITH
@click.pass_obj
def test(color: str, game: str, only: str | None, variants: tuple[str, ...]) -> ExitCode:
    """Play the scenarios of a ruleset and compare."""
    from interpreter.ui.scenarios import test_scenarios

    return _findings(
        test_scenarios(game, variants, only=only, colour=wants_colour(sys.stdout, color))
    )


@command_line.command()
@click.argument("game")
@click.option(
    "--games",
    type=_Whole(0),
    default=40,
    show_default=True,
    help="Games to play as well, over all numbers of people.",
)
@click.option("--seed", type=_SEED, default=1, show_default=True, help="Seed of the first of them.")
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="List every id with its rules and how often it was exercised.",
)
@_WITH
@click.pass_obj
def trace(
    color: str, game: str, games: int, seed: int, show_all: bool, variants: tuple[str, ...]
) -> ExitCode:
    """Compare a rulebook with its rules.

    Lists ids that no rule cites, citations of unknown ids, and ids that neither scenarios nor random games reach.
    """
    from interpreter.ui.tracing import trace_citations

    colour = wants_colour(sys.stdout, color)
    return _findings(
        trace_citations(game, variants, games=games, seed=seed, show_all=show_all, colour=colour)
    )


@command_line.command()
@click.argument("file", type=click.Path())
@click.option(
    "--game", metavar="GAME", help="Where the ruleset is. Default: its name in the replay."
)
@click.option(
    "--log",
    type=click.Choice(["quiet", "turns", "full"]),
    default="quiet",
    show_default=True,
    help="How much of the story is told.",
)
@_WITH
@click.pass_obj
def replay(
    color: str, file: str, game: str | None, log: Level, variants: tuple[str, ...]
) -> ExitCode:
    """Play a recorded game again.

    Compares each answer and the outcome, and reports the first difference. The variants are those of the
    recording; --with says where those are that have no name.
    """
    from interpreter.ui.matches import replay_file

    colour = wants_colour(sys.stdout, color)
    return _findings(replay_file(file, game, variants, log=log, colour=colour))


@command_line.command()
@click.argument("game")
@_match_options
@click.option("--games", type=_Whole(1), default=1000, show_default=True, help="How many games.")
@click.option(
    "--seed", type=_SEED, default=1, show_default=True, help="Seed of the first; the others follow."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON document instead of tables.")
def playouts(
    game: str,
    people: int | None,
    seats: dict[int, str],
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    games: int,
    seed: int,
    as_json: bool,
) -> ExitCode:
    """Play many games: how long they last, who wins."""
    from interpreter.ui.playing import play_many
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    table = settle(game, Table(people, seats, options, variants), preset)
    return _findings(play_many(game, table, games, seed, as_json=as_json))


@command_line.command("options")
@click.argument("game")
@_WITH
@_PRESET
@click.option(
    "--matrix",
    is_flag=True,
    help="Play combinations of variants and options: all, or so many that every two values meet.",
)
@click.option("--pairs", is_flag=True, help="Play every two variants with each other.")
@click.option(
    "--games", type=_Whole(0), default=20, show_default=True, help="Games of each combination."
)
@click.option("--seed", type=_SEED, default=1, show_default=True, help="Seed of the first game.")
@click.option(
    "--workers", type=_Whole(1), metavar="N", help="Processes. Default: as many as processors."
)
@_JSON
@click.pass_obj
def list_options(
    color: str,
    game: str,
    variants: tuple[str, ...],
    preset: str | None,
    matrix: bool,
    pairs: bool,
    games: int,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> ExitCode:
    """List the options of a ruleset, or try them with each other."""
    if matrix or pairs:
        from interpreter.ui.matrix import show_matrix

        if variants or preset:
            raise click.UsageError("--matrix chooses the variants itself.")
        number = workers or os.cpu_count() or 1
        return _findings(
            show_matrix(
                game, only_pairs=pairs, games=games, seed=seed, workers=number, as_json=as_json
            )
        )
    from interpreter.ui.options import show_options
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    table = settle(game, Table(variants=variants), preset)
    return _findings(
        show_options(game, table, as_json=as_json, colour=wants_colour(sys.stdout, color))
    )


@command_line.command()
@click.argument("game")
@_JSON
@click.pass_obj
def variants(color: str, game: str, as_json: bool) -> ExitCode:
    """List the variants and presets of a ruleset.

    Says of each what it needs and excludes, and what it changes.
    """
    from interpreter.ui.variants import show_variants

    colour = wants_colour(sys.stdout, color)
    return _findings(show_variants(game, as_json=as_json, colour=colour))


@command_line.command(
    epilog="\b\nrulelang diff pyrates --with more_gold\n"
    "rulelang diff pyrates --with more_gold --vs secret_cargo"
)
@click.argument("game")
@_WITH
@click.option(
    "--vs",
    "others",
    multiple=True,
    metavar="VARIANT",
    callback=_split_names,
    help="Compare with these variants instead of the game alone.",
)
@_JSON
@click.pass_obj
def diff(
    color: str, game: str, variants: tuple[str, ...], others: tuple[str, ...], as_json: bool
) -> ExitCode:
    """Tell what variants change, with the text before and after."""
    from interpreter.ui.difference import show_difference

    colour = wants_colour(sys.stdout, color)
    return _findings(show_difference(game, variants, others, as_json=as_json, colour=colour))


@command_line.command(
    epilog="\b\nrulelang tree pyrates raid_port\nrulelang tree pyrates setup.allegiances --with five_people"
)
@click.argument("game")
@click.argument("name")
@_WITH
@_JSON
@click.pass_obj
def tree(color: str, game: str, name: str, variants: tuple[str, ...], as_json: bool) -> ExitCode:
    """Draw a name with everything that can touch it.

    Its exceptions, needs and steps, the rules before, instead of and after it, and who uses it; NAME is written as in
    rules: `player.ship_limit`, `setup.allegiances`.
    """
    from interpreter.ui.tree import show_tree

    colour = wants_colour(sys.stdout, color)
    return _findings(show_tree(game, name, variants, as_json=as_json, colour=colour))


@command_line.command(
    epilog="\b\nrulelang explain E0501\nrulelang explain raid_port --game pyrates"
)
@click.argument("what", metavar="CODE|NAME")
@click.option("--game", "--of", metavar="GAME", help="The ruleset in which NAME is looked up.")
@_WITH
@click.pass_obj
def explain(color: str, what: str, game: str | None, variants: tuple[str, ...]) -> ExitCode:
    """Explain a code of a finding, or a name of a game.

    Of a name it shows the text, what the rulebook says there, and everything that can touch it.
    """
    if game is not None:
        from interpreter.ui.tree import explain_name

        colour = wants_colour(sys.stdout, color)
        return _findings(explain_name(game, what, variants, colour=colour))
    from rulelang import codes

    known = codes.lookup(what)
    if known is None:
        near = _nearest(what.upper(), codes.CODES)
        hint = near or f" For a name of a game, say which: rulelang explain {what} --game GAME"
        raise click.UsageError(f"There is no code {what!r}.{hint}")
    click.echo(codes.explanation(known.code))
    return ExitCode.FINE


@command_line.group(cls=_Verbs)
def new() -> None:
    """Write the beginning of something."""


@new.command(epilog='\b\nrulelang new variant --of pyrates "A long evening"')
@click.argument("title")
@click.option("--of", "game", required=True, metavar="GAME", help="The game that it changes.")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Where to write it. Default: a name made of TITLE.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def variant(title: str, game: str, out: str | None, force: bool) -> ExitCode:
    """Write the file of a variant that is called TITLE.

    It changes one number, has more examples with names of the game as remarks, and a first scenario.
    """
    from interpreter.ui.writing import write_variant

    return _findings(write_variant(game, title, out, force=force))


@command_line.command("fuzz-engine")
@click.option(
    "--programs",
    type=_Whole(1),
    default=300,
    show_default=True,
    help="How many random rulesets.",
)
@click.option(
    "--seed", type=_SEED, default=1, show_default=True, help="Seed of the first; the others follow."
)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
def fuzz_engine(programs: int, seed: int, seconds: float | None) -> ExitCode:
    """Compare the two engines on random rulesets.

    Saves and clones at every decision.
    """
    from interpreter.ui.fuzzing import fuzz

    return _findings(fuzz(programs, seed=seed, seconds=seconds))


def _findings(fine: bool) -> ExitCode:
    return ExitCode.FINE if fine else ExitCode.FINDINGS


_FAMILIES = (
    ("rulelang.files", "RulesetNotFoundError", ExitCode.USAGE),
    ("rulelang.config", "ConfigError", ExitCode.USAGE),
    ("rulelang.api", "RulesetError", ExitCode.FINDINGS),
    ("interpreter.errors", "OptionError", ExitCode.USAGE),
    ("interpreter.errors", "Quit", ExitCode.INTERRUPTED),
    ("interpreter.errors", "EngineError", ExitCode.FAULT),
)


def _known_failure(error: Exception) -> ExitCode | None:
    """Report what went wrong if it is a mistake of the user or a fault of the ruleset."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {where}{error.strerror or error}", err=True)
        return ExitCode.USAGE
    # An error of either half can only have been raised if that half is loaded: nothing is imported.
    for module, name, code in _FAMILIES:
        family = getattr(sys.modules.get(module), name, None)
        if family is not None and isinstance(error, family):
            said = "" if code is ExitCode.INTERRUPTED else "error: "
            click.echo(f"{said}{error}", err=True)
            return code
    return None


def run_command_line(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: What follows the program's name; `sys.argv` if None.

    Returns:
        The exit code. Never raises for anything that a user can type or name.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name in a file may have letters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
    try:
        given = None if arguments is None else list(arguments)
        code = command_line.main(args=given, prog_name="rulelang", standalone_mode=False)
        return int(code or 0)
    except click.ClickException as error:
        error.show()
        return ExitCode.FAULT if error.exit_code == ExitCode.FAULT else ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except Exception as error:  # the last resort: nobody is shown a traceback
        known = _known_failure(error)
        if known is not None:
            return known
        if os.environ.get("RULELANG_TRACEBACK"):
            raise
        text = str(error).partition("\n")[0]
        click.echo(
            f"internal error: {type(error).__name__}: {text}\n"
            "This is a mistake in rulelang itself. Please report it with the command and the files;"
            " RULELANG_TRACEBACK=1 shows where it happened.",
            err=True,
        )
        return ExitCode.INTERNAL


def main() -> NoReturn:
    """Run as the console script."""
    sys.exit(run_command_line())


if __name__ == "__main__":
    main()
