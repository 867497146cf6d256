"""The commands `why` and `why-not`: the reasons behind a value or an option, in a recorded or saved position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.decision import plain
from interpreter.errors import EngineError, ReplayError, SaveError
from interpreter.machine import Match
from interpreter.providers.replay import ReplayProvider
from interpreter.records import saves
from interpreter.records.codes import UNREADABLE
from interpreter.standing import UnseenError, position_of
from interpreter.ui.engine import chance_of
from interpreter.ui.loading import errors_shown, load
from interpreter.ui.paint import Paint
from interpreter.ui.reasons import Telling, never
from interpreter.ui.recordings import (
    check_game,
    check_match,
    kind_of,
    names_of,
    read_recorded,
    refused,
    variants_of_file,
)
from interpreter.why import Asked
from rulelang.questions import Questions
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.records.replay import Replay
    from interpreter.why import Answer
    from rulelang.ir import Program


@attrs.frozen
class Position:
    """Where in a game somebody asks.

    Attributes:
        file: A replay, a journal or a saved game.
        answers: How many of the answers of a replay or journal have been given; None: all.
        variants: Where its variants are; empty: they are found by their names.
        seat: Who asks, from 1: what this seat may not see is not told; None: somebody who may see everything.
    """

    file: str
    answers: int | None = None
    variants: tuple[str, ...] = ()
    seat: int | None = None


def show_why(game: str, asked: str, position: Position, *, as_json: bool, colour: bool) -> bool:
    """Write what the value of an expression is in a position, and why.

    Args:
        game: Name or path of the ruleset.
        asked: The expression, such as `may attack(seat_1, seat_2)`; the word `may` can be left out.
        position: When.
        as_json: Whether to write one JSON document.
        colour: Whether escape sequences may be used.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: The file is none of this game, or has no such position; or the expression has no value then.
        click.exceptions.Exit: The ruleset or the expression has errors; they have been written to standard error.
    """
    recorded = _read(position, game)
    match, where = _reached(game, recorded, position)
    variants = position.variants or tuple(recorded.variants)
    with errors_shown(game, variants):
        questions = Questions(game, seats=recorded.seats, variants=variants)
        program, expr = questions.compiled(asked)
    at = Asked(position_of(match, program, _seat(position, program)))
    try:
        answer = at.why(expr, asked)
    except UnseenError as error:
        raise click.UsageError(f"{asked} cannot be said: {error}.") from None
    except EngineError as error:
        raise click.UsageError(f"{asked} has no value there: {error}") from None
    _write([answer], where, program, as_json=as_json, colour=colour)
    return True


def show_why_not(
    game: str, option: str, position: Position, *, as_json: bool, colour: bool
) -> bool:
    """Write why an answer to the pending decision is on offer or not.

    Args:
        game: Name or path of the ruleset.
        option: The answer, such as `cove`, `"Attack"` or `attack(seat_2)`.
        position: When.
        as_json: Whether to write one JSON document.
        colour: Whether escape sequences may be used.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: The file is none of this game, or has no such position; or nothing that could ever be an
            answer there is called so.
        click.exceptions.Exit: The ruleset has errors; they have been written to standard error.
    """
    match, where = _reached(game, _read(position, game), position)
    at = Asked(position_of(match, None, _seat(position, match.program)))
    if at.pending is None:
        raise click.UsageError(f"{where} No decision is pending.")
    try:
        answers = at.why_not(option)
    except UnseenError as error:
        raise click.UsageError(f"{where} That cannot be said: {error}.") from None
    if not answers:
        raise click.UsageError(f"{where} {never(at, option)}")
    _write(answers, where, match.program, as_json=as_json, colour=colour)
    return True


# ------------------------------------------------------------------------------ reaching the position


def _read(position: Position, game: str) -> Replay | saves.Save:
    """Read the file: a saved game, a replay or a journal."""
    if kind_of(position.file) != "saved game":
        replay = read_recorded(position.file)
        check_game(replay, game, position.file)
        if (position.answers or 0) > len(replay.answers):
            raise click.UsageError(
                f"{position.file} has {len(replay.answers)} answers, not {position.answers}."
            )
        return replay
    if position.answers is not None:
        raise click.UsageError(f"{position.file} is a saved game, which is one position.")
    try:
        saved = saves.loads(Path(position.file).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        error = SaveError("this is no saved game, not even text", code=UNREADABLE)
        raise refused(position.file, error) from None
    except SaveError as error:
        raise refused(position.file, error) from None
    check_game(saved, game, position.file)
    return saved


def _reached(game: str, recorded: Replay | saves.Save, position: Position) -> tuple[Match, str]:
    """Give a match that stands there, and where that is in words."""
    variants = position.variants or tuple(recorded.variants)
    with variants_of_file(position.file):
        program = load(game, seats=recorded.seats, variants=variants)
    if isinstance(recorded, saves.Save):
        try:
            match = Match.restore(program, saves.dumps(recorded), checks=True, optimise=False)
        except SaveError as error:
            raise refused(position.file, error) from None
        return match, f"In {position.file}, {_where(match, recorded, program)}"
    check_match(recorded, program, position.file)
    given = len(recorded.answers) if position.answers is None else position.answers
    provider = ReplayProvider(recorded.answers)
    chance = chance_of(recorded, program)
    match = Match(
        program,
        people=tuple(recorded.people),
        seed=recorded.seed,
        options=tuple(plain(recorded.options[option.name]) for option in program.options),
        chance=chance,
        log=chance is not None,
        checks=True,
        optimise=False,
    )
    if chance is not None:
        chance.watch(match)
    try:
        while (decision := match.next()) is not None and provider.position < given:
            match.apply(provider.decide(lambda: match.observation(0), decision))
    except ReplayError as error:
        raise refused(position.file, error) from None
    except EngineError as error:
        raise click.UsageError(f"{position.file}: a rule stops this game: {error}") from None
    made = plural(provider.position, "answer")
    return match, f"After {made}, {_where(match, recorded, program)}"


def _where(match: Match, recorded: Replay | saves.Save, program: Program) -> str:
    decision = match.pending
    if decision is None:
        return "the game is over."
    seats = names_of(recorded, program, len(recorded.people))
    return f"{seats[decision.seat]} decides {decision.path}."


def _seat(position: Position, program: Program) -> int | None:
    if position.seat is not None and position.seat > program.seats:
        raise click.UsageError(f"There is no seat {position.seat}: there are {program.seats}.")
    return None if position.seat is None else position.seat - 1


# ----------------------------------------------------------------------------------------- writing


def _write(
    answers: Sequence[Answer], where: str, program: Program, *, as_json: bool, colour: bool
) -> None:
    paint = Paint(colour)
    telling = Telling(program, paint)
    if as_json:
        document = {
            "version": 1,
            "position": where,
            "answers": [telling.document(each) for each in answers],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo(paint(where, "dim"))
    for answer in answers:
        click.echo()
        for line in telling.lines(answer):
            click.echo(line)
