"""Verbs that play games."""

from __future__ import annotations

import sys
from functools import partial, wraps
from typing import TYPE_CHECKING, NamedTuple

import click

from commands.basics import (
    SEED,
    WITH,
    ExitCode,
    Whole,
    command_line,
    findings,
    log_option,
    match_options,
    seat_options,
    wants_colour,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from interpreter.ui.story import Level
    from interpreter.ui.table import Bots


class _Asked(NamedTuple):
    """What was asked for by the options of verbs that play one game."""

    game: str
    people: int | None
    seats: dict[int, str]
    bots: Bots
    options: dict[str, str]
    variants: tuple[str, ...]
    preset: str | None
    seed: int | None
    log: Level
    record: str | None
    resume: str | None
    journal: str | None
    watch: bool
    dice: str


_PLAIN = click.option(
    "--plain",
    is_flag=True,
    help="Line by line, for pipes and screen readers; always so where there is no terminal.",
)
_OPEN = click.option(
    "--open",
    "open_table",
    is_flag=True,
    help="The persons at this screen hide nothing: no curtain between them, and every answer can be taken back.",
)


def _wants_screen(*, plain: bool) -> bool:
    """Tell whether a person is to sit before the whole screen."""
    from interpreter.ui.terminal.playing import MISSING, has_extra, wants_screen

    if plain or not wants_screen():
        return False
    if not has_extra():
        click.echo(MISSING, err=True)
        return False
    return True


def _one_game(command: Callable[..., Any], others: str = "random") -> Callable[..., Any]:
    """Add the options of verbs that play one game; the command is called with `asked`."""

    @wraps(command)
    def called(*args: Any, **more: Any) -> Any:  # noqa: ANN401 - click's
        asked = _Asked(**{name: more.pop(name) for name in _Asked._fields})
        return command(*args, asked=asked, **more)

    found: Callable[..., Any] = called
    for option in (
        click.option(
            "--watch",
            is_flag=True,
            help="Begin anew when a file of the rules is written, and make the same choices again.",
        ),
        click.option(
            "--dice",
            type=click.Choice(["seed", "table"]),
            default="seed",
            show_default=True,
            help="Where dice and cards come from: the seed, or a real table: then what is rolled and "
            "drawn there is asked for.",
        ),
        click.option(
            "--journal",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Write each answer to a new file before it counts: `resume FILE` plays on, whatever happens.",
        ),
        click.option(
            "--resume",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Play on from a replay of a game that was stopped, with its people, options and seed.",
        ),
        click.option(
            "--record",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Write a replay, of a game that is stopped too.",
        ),
        log_option("turns"),
        click.option(
            "--seed",
            type=SEED,
            metavar="N",
            help="Start of the random generator. Default: a new one.",
        ),
        partial(match_options, others=others),
        click.argument("game"),
    ):
        found = option(found)
    return found


@command_line.command(
    epilog="\b\nrulelang play pirates\nrulelang play my_game --with my_house --watch"
)
@partial(_one_game, others="you in seat 1, automa elsewhere")
@_PLAIN
@_OPEN
@click.pass_obj
def play(color: str, asked: _Asked, *, plain: bool, open_table: bool) -> ExitCode:
    """Play a game at this terminal.

    It is shown as a table on the whole screen; F1 tells the keys there. You have seat 1, unless --seat says otherwise;
    the seats that it does not name are played by the ruleset's own policies. With --watch the rules can be edited
    meanwhile, line by line: whenever a file is written the game begins anew with the same choices, up to the first that
    does not apply any more, and the rule that has changed this is shown.
    """
    given = asked.seats if "human" in asked.seats.values() else {1: "human", **asked.seats}
    lines = plain or asked.watch
    screen = _wants_screen(plain=lines)
    return _played(
        color, asked._replace(seats=given), "automa", screen=screen, open_table=open_table
    )


@command_line.command(
    epilog="\b\nrulelang run pyrates --seed 7\n"
    "rulelang run pyrates --people 2 --seat 1=human --seat 2=automa"
)
@_one_game
@click.option("--json", "as_json", is_flag=True, help="Write one JSON document instead of a story.")
@click.pass_obj
def run(color: str, asked: _Asked, as_json: bool) -> ExitCode:
    """Play a game and tell its story."""
    return _played(color, asked, "random", as_json=as_json)


def _played(
    color: str,
    asked: _Asked,
    others: str,
    *,
    as_json: bool = False,
    screen: bool = False,
    open_table: bool = False,
) -> ExitCode:
    from interpreter.ui.matches import run_game
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    table = Table(
        asked.people,
        asked.seats,
        asked.options,
        asked.variants,
        others=others,
        bots=asked.bots,
        screen=screen,
        open=open_table,
    )
    _check_together(asked, as_json=as_json)
    if asked.resume is None:
        table = settle(asked.game, table, asked.preset)
    colour = wants_colour(sys.stdout, color)
    if asked.watch:
        from interpreter.ui.rehearsal import rehearse

        rehearse(asked.game, table, asked.seed, asked.log, asked.record, colour=colour)
    return findings(
        run_game(
            asked.game,
            table,
            asked.seed,
            asked.log,
            asked.record,
            resume=asked.resume,
            journal=asked.journal,
            dice=asked.dice,
            as_json=as_json,
            colour=colour,
        )
    )


def _check_together(asked: _Asked, *, as_json: bool) -> None:
    """Look whether the options go together.

    Raises:
        click.UsageError: They do not.
    """
    resumed, journalled = asked.resume is not None, asked.journal is not None
    if asked.watch and (resumed or journalled or as_json or asked.dice != "seed"):
        raise click.UsageError(
            "--watch begins a game of its own: without --resume, --journal, --dice and --json."
        )
    if resumed and (
        asked.people is not None or asked.options or asked.preset or asked.seed is not None
    ):
        raise click.UsageError(
            "--resume goes on with the people, variants, options and seed of its file."
            " --with only says where variants are that have no name."
        )
    if resumed and asked.dice != "seed":
        raise click.UsageError("--resume goes on with the dice that its file says.")
    if resumed and journalled:
        raise click.UsageError("--journal begins a new game; --resume goes on with another one.")
    own = ("automa", "random", "human", "search")
    if asked.watch and any(kind.partition(":")[0] not in own for kind in asked.seats.values()):
        raise click.UsageError(
            "--watch plays with people, automas, searches and random players only."
        )


@command_line.command(
    epilog="\b\nrulelang resume evening.journal\n"
    "rulelang resume evening.journal --until 40 --copy again.journal"
)
@click.argument("file", type=click.Path())
@seat_options()
@click.option(
    "--until",
    type=Whole(0),
    metavar="N",
    help="Go on after the first N answers; what follows may be damaged.",
)
@click.option(
    "--changed-rules",
    is_flag=True,
    help="The rules are others by now: go on from the first answer that no longer fits.",
)
@click.option(
    "--copy",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Go on in a new journal, and leave the old one as it is.",
)
@click.option(
    "--game", metavar="GAME", help="Where the ruleset is. Default: its name in the journal."
)
@log_option("turns")
@WITH
@_PLAIN
@_OPEN
@click.option("--json", "as_json", is_flag=True, help="Write one JSON document instead of a story.")
@click.pass_obj
def resume(
    color: str,
    file: str,
    seats: dict[int, str],
    bots: Bots,
    until: int | None,
    changed_rules: bool,
    copy: str | None,
    game: str | None,
    log: Level,
    variants: tuple[str, ...],
    plain: bool,
    open_table: bool,
    as_json: bool,
) -> ExitCode:
    """Play a game on from its journal.

    The game stands where it stopped, also in the middle of a decision of several people. Its story is told from the
    beginning. Who answers is as before; --seat changes it.
    """
    from interpreter.ui.resuming import Wish, resume_file

    screen = not as_json and _wants_screen(plain=plain)
    wish = Wish(
        game, variants, seats, bots, until, changed_rules, copy, screen=screen, open=open_table
    )
    colour = wants_colour(sys.stdout, color)
    return findings(resume_file(file, wish, log, as_json=as_json, colour=colour))


@command_line.command(
    epilog="\b\nrulelang replay evening.json --at 40\n"
    "rulelang replay evening.json --at 40 --save there.json\n"
    "rulelang replay evening.journal --step --seat 1"
)
@click.argument("file", type=click.Path())
@click.option(
    "--game", metavar="GAME", help="Where the ruleset is. Default: its name in the recording."
)
@click.option(
    "--at", type=Whole(0), metavar="N", help="Show the table and the question after N answers."
)
@click.option(
    "--from-end",
    type=Whole(0),
    metavar="N",
    help="The same, N answers before the last that is recorded.",
)
@click.option(
    "--step", is_flag=True, help="Go through the game answer by answer, forwards and backwards."
)
@click.option("--jsonl", is_flag=True, help="Write what happens, one JSON object a line.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write the whole game as one page for browsers: the table, a slider, the story.",
)
@click.option(
    "--seat",
    type=Whole(1),
    metavar="N",
    help="Show only what seat N could see. Default: everything.",
)
@click.option(
    "--log",
    type=click.Choice(["quiet", "turns", "full"]),
    help="How much of the story is told, as for `run`. Default: quiet, or turns with --step and --html.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Show nothing: save the game as it stands there, or after the last answer, for `why --at OUT`.",
)
@WITH
@click.pass_obj
def replay(
    color: str,
    file: str,
    game: str | None,
    at: int | None,
    from_end: int | None,
    step: bool,
    jsonl: bool,
    html: str | None,
    seat: int | None,
    log: Level | None,
    save: str | None,
    variants: tuple[str, ...],
) -> ExitCode:
    """Play a recorded game again: a replay or a journal.

    Compares each answer and the outcome, and reports the first difference. The variants are those of the
    recording; --with says where those are that have no name.
    """
    from interpreter.ui.showing import Wish, show_recorded

    ways = {"--at": at is not None, "--from-end": from_end is not None, "--step": step}
    ways |= {"--jsonl": jsonl, "--html": html is not None}
    if len(asked := [way for way, given in ways.items() if given]) > 1:
        raise click.UsageError(
            f"{asked[0]} and {asked[1]} are two ways to show a game: one of them."
        )
    for way, given in (
        ("--step", step),
        ("--jsonl", jsonl),
        ("--html", html),
        ("--seat", seat),
        ("--log", log),
    ):
        if save is not None and given:
            raise click.UsageError(f"{way} shows a game and --save shows nothing: one of them.")
    if html is not None:
        from commands.extras import needs

        needs("web", "jinja2")
    wish = Wish(at, from_end, step, jsonl, seat, log, save, html)
    colour = wants_colour(sys.stdout, color)
    return findings(show_recorded(file, game, variants, wish, colour=colour))


@command_line.command("fuzz-engine")
@click.option(
    "--programs",
    type=Whole(1),
    default=300,
    show_default=True,
    help="How many random rulesets.",
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Seed of the first; the others follow."
)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
@click.option(
    "--games", type=Whole(1), default=3, show_default=True, help="How many games of each ruleset."
)
def fuzz_engine(programs: int, seed: int, seconds: float | None, games: int) -> ExitCode:
    """Compare the two engines on random rulesets.

    Saves and clones at every decision.
    """
    from interpreter.ui.fuzzing import fuzz

    return findings(fuzz(programs, seed=seed, seconds=seconds, games=games))
