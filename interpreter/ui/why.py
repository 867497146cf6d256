"""The commands `why` and `why-not`: the reasons behind a value or an option, in a position of a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from interpreter.decision import plain
from interpreter.errors import EngineError, ReplayError
from interpreter.providers.replay import ReplayProvider
from interpreter.ui.loading import errors_shown, load_for
from interpreter.ui.matches import check_match, names_of, read_replay, variants_of_file
from interpreter.ui.paint import Paint
from interpreter.ui.paths import from_here
from interpreter.ui.table import Table
from interpreter.why import Answer, Asked, Reason
from rulelang import api
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.decision import Decision
    from interpreter.observation import Observation
    from interpreter.replay import Replay
    from rulelang.ir import Expr, Program, Span


@attrs.frozen
class Position:
    """Where in a game somebody asks.

    Attributes:
        file: A replay.
        answers: How many of its answers have been given; None: all.
        variants: Where its variants are; empty: they are found by their names.
    """

    file: str
    answers: int | None = None
    variants: tuple[str, ...] = ()


class _EnoughError(Exception):
    """The position is reached."""


@attrs.define
class _UpTo:
    """Gives the recorded answers up to a number."""

    inner: ReplayProvider
    answers: int

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give the next answer, or stop."""
        if self.inner.position >= self.answers:
            raise _EnoughError
        return self.inner.decide(observation, decision)


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
        click.UsageError: The replay is none of this game, or has no such position; or the expression has no value then.
        click.exceptions.Exit: The ruleset or the expression has errors; they have been written to standard error.
    """
    replay, program, table = _loaded(game, position)
    with errors_shown(game, table.variants):
        program, expr = _question(game, asked, program, table)
    at, where = _played(replay, program, position)
    try:
        answer = at.why(expr, asked)
    except EngineError as error:
        raise click.UsageError(f"{asked} has no value there: {error}") from None
    _write([answer], where, at, as_json=as_json, colour=colour)
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
        click.UsageError: The replay is none of this game, or has no such position; or nothing that could ever be an
            answer there is called so.
        click.exceptions.Exit: The ruleset has errors; they have been written to standard error.
    """
    replay, program, _ = _loaded(game, position)
    at, where = _played(replay, program, position)
    if at.pending is None:
        raise click.UsageError(f"{where} No decision is pending.")
    answers = at.why_not(option)
    if not answers:
        near = nearest(option, at.possible())
        hint = f" Did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
        raise click.UsageError(f"{where} {option!r} can never be an answer.{hint}")
    _write(answers, where, at, as_json=as_json, colour=colour)
    return True


# ------------------------------------------------------------------------------ reaching the position


def _loaded(game: str, position: Position) -> tuple[Replay, Program, Table]:
    """Read the replay, and load the game as it was played there."""
    replay = read_replay(position.file)
    if (position.answers or 0) > len(replay.answers):
        raise click.UsageError(
            f"{position.file} has {len(replay.answers)} answers, not {position.answers}."
        )
    table = Table(
        people=len(replay.people),
        variants=position.variants or tuple(replay.variants),
        recorded_seats=replay.seats,
    )
    with variants_of_file(position.file):
        program, _ = load_for(game, table)
    check_match(replay, program, position.file)
    return replay, program, table


def _played(replay: Replay, program: Program, position: Position) -> tuple[Asked, str]:
    """Play up to a position; gives the game there, and where it stands in words."""
    given = len(replay.answers) if position.answers is None else position.answers
    provider = _UpTo(ReplayProvider(replay.answers), given)
    at = Asked(
        program,
        tuple(plain(replay.options[option.name]) for option in program.options),
        replay.seed,
        replay.people,
        dict.fromkeys(replay.people, provider),
    )
    try:
        at.play()
    except _EnoughError:
        pass
    except ReplayError as error:
        raise click.UsageError(f"{position.file}: {error}") from None
    except EngineError as error:
        raise click.UsageError(f"{position.file}: a rule stops this game: {error}") from None
    seats = names_of(replay, program, len(replay.people))
    return at, _where(at, seats, provider.inner.position)


def _question(game: str, asked: str, program: Program, table: Table) -> tuple[Program, Expr]:
    """Compile what is asked; of a permission the word `may` can be left out."""
    name = asked.partition("(")[0].strip()
    permission = any(each.name == name and each.needs for each in program.definitions)
    text = f"may {asked}" if permission else asked
    return api.load_question(game, text, seats=program.seats, variants=table.variants)


def _where(at: Asked, seats: Sequence[str], given: int) -> str:
    made = "1 answer" if given == 1 else f"{given} answers"
    if at.pending is None:
        return f"After {made} the game is over."
    ask, env = at.pending
    path = at.program.decisions[ask.decision].path
    seat = at.need(ask.chooser, env) - at.program.kinds[0].base
    return f"After {made}, {seats[seat]} decides {path}."


# ----------------------------------------------------------------------------------------- writing


def _write(
    answers: Sequence[Answer], where: str, at: Asked, *, as_json: bool, colour: bool
) -> None:
    if as_json:
        document = {
            "version": 1,
            "position": where,
            "answers": [_document(each, at.program) for each in answers],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    paint = Paint(colour)
    click.echo(paint(where, "dim"))
    for answer in answers:
        click.echo()
        for line in _lines(answer, at.program, paint):
            click.echo(line)


def _lines(answer: Answer, program: Program, paint: Paint) -> Iterator[str]:
    source = _source(answer.span, answer.cites, program)
    yield paint(f"{answer.asked}: {answer.value}", "bold") + paint(source, "dim")
    if answer.doc:
        yield from (f"    {line}" for line in answer.doc.splitlines())
    for fact in answer.facts:
        yield f"    {fact.said}: {fact.value}"
    for reason in answer.reasons:
        said, style = _said(reason)
        yield f"  {paint(said, *style)}{paint(_source(reason.span, reason.cites, program), 'dim')}"
        for fact in reason.facts:
            yield f"      {fact.said}: {fact.value}"


def _said(reason: Reason) -> tuple[str, tuple[str, ...]]:
    text = f' "{reason.text}"' if reason.text else ""
    unknown = "cannot be said"
    match reason.form:
        case "usual":
            return f"usually {reason.change}", ()
        case "exception":
            if reason.holds is None:
                return f"{reason.name}: {unknown}", ()
            if not reason.holds:
                return f"{reason.name}: does not apply", ("dim",)
            beaten = " (another exception wins)" if reason.beaten else ""
            change = f" {reason.change}" if reason.change else ""
            return f"{reason.name}: applies{change}{text}{beaten}", ("cyan",)
        case _:
            name = reason.name or "condition"
            if reason.holds is None:
                return f"{name}: {unknown}", ()
            if reason.holds:
                return f"{name}: yes", ("green",)
            return f"{name}: no{text}", ("red",)


def _source(span: Span, cites: Sequence[str], program: Program) -> str:
    cited = f"  [{', '.join(cites)}]" if cites else ""
    if span.line == 0:
        return cited
    path = program.files[span.file]
    return f"{cited}  {from_here(Path(path)) if Path(path).is_absolute() else path}:{span.line}"


def _document(answer: Answer, program: Program) -> dict[str, Any]:
    def place(span: Span) -> dict[str, Any]:
        if span.line == 0:
            return {"path": None, "line": None}
        return {"path": program.files[span.file], "line": span.line}

    return {
        "asked": answer.asked,
        "value": answer.value,
        **place(answer.span),
        "cites": list(answer.cites),
        "doc": answer.doc,
        "facts": {fact.said: fact.value for fact in answer.facts},
        "reasons": [
            {
                "form": reason.form,
                "name": reason.name,
                "holds": reason.holds,
                "change": reason.change,
                "text": reason.text,
                "beaten": reason.beaten,
                **place(reason.span),
                "cites": list(reason.cites),
                "facts": {fact.said: fact.value for fact in reason.facts},
            }
            for reason in answer.reasons
        ],
    }
