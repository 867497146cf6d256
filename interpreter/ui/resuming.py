"""The command `resume`: a game of which there is a journal is played on, from where it stopped."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.decision import plain
from interpreter.errors import IllegalChoice, JournalError, ReplayError, RuleFault
from interpreter.providers.plugins import plugin_names
from interpreter.records.codes import UNREADABLE
from interpreter.records.journal import (
    Answer,
    Contents,
    Header,
    Journal,
    check_program,
    header_of,
    read,
)
from interpreter.records.replay import Follower, Replay, fingerprint
from interpreter.search.settings import is_search, settings_of
from interpreter.ui.engine import chance_of, start
from interpreter.ui.loading import load_for
from interpreter.ui.matches import Sitting, given_options, play_sitting
from interpreter.ui.recordings import (
    check_game,
    check_options,
    kind_of,
    read_replay,
    refused,
    variants_of_file,
)
from interpreter.ui.table import Bots, Table
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.ui.story import Level


@attrs.frozen
class Wish:
    """What was asked for besides the file.

    Attributes:
        game: Name or path of the ruleset; None: as the journal names it.
        variants: Where its variants are; empty: they are found by their names.
        seats: Who answers, by seat from 1, where that changes.
        bots: How programs at the table are treated.
        until: Go on after so many answers; None: after the last.
        changed: The rules may have changed: go on from the first answer that no longer fits.
        copy: The file of the new journal; None: the old one is continued.
        screen: Whether a person sits before the whole screen.
        open: Whether all persons there may see what each of them sees.
    """

    game: str | None = None
    variants: tuple[str, ...] = ()
    seats: Mapping[int, str] = attrs.field(factory=dict)
    bots: Bots = attrs.field(factory=Bots)
    until: int | None = None
    changed: bool = False
    copy: str | None = None
    screen: bool = False
    open: bool = False


def resume_file(file: str, wish: Wish, log: Level, *, as_json: bool, colour: bool) -> bool:
    """Play a game on.

    Args:
        file: Its journal.
        wish: What else was asked for.
        log: How much of the story is told.
        as_json: Write one JSON document instead.
        colour: Whether escape sequences may be used.

    Returns:
        Always True: a game that ends is a success, also one that had ended before.

    Raises:
        click.UsageError: The journal cannot be used; it has not been changed.
        GameStoppedError: A rule stopped the game.
        Quit: A person has stopped it.
    """
    if (wish.until is not None or wish.changed) and wish.copy is None:
        raise click.UsageError(
            "Answers are left out only in a new journal, so that nothing is lost: --copy FILE says where."
        )
    _check_kind(file)
    try:
        if wish.copy is not None:
            return _play_copy(file, wish.copy, wish, log, as_json=as_json, colour=colour)
        journal, contents = Journal.resume(file)
        with journal:
            sitting = sitting_of(file, contents, wish)
            _tell_torn(contents)
            sitting.journal = journal
            sitting.again = ("rulelang", "resume", file)
            return play_sitting(sitting, log, as_json=as_json, colour=colour)
    except JournalError as error:
        raise refused(file, error, _rescue(file, error)) from None
    except ReplayError as error:
        raise refused(
            file,
            error,
            " To go on from the answer before:"
            f" rulelang resume {file} --until {error.index or 0} --copy FILE",
        ) from None


def _check_kind(file: str) -> None:
    """Look whether a file is no game of another kind than a journal.

    Raises:
        click.UsageError: It is; says what plays it on.
    """
    match kind_of(file):
        case "saved game":
            error = JournalError("this is a saved game, a position and no journal", code=UNREADABLE)
            raise refused(file, error, " `why` and `why-not` read it.")
        case "replay":
            try:
                recorded = read_replay(file)
            except (click.UsageError, OSError):
                return  # it is nothing at all: reading it as a journal says so
            error = JournalError("this is a recording, no journal", code=UNREADABLE)
            on = shlex.join(("rulelang", "run", recorded.ruleset, "--resume", file))
            raise refused(file, error, f" It is played on by: {on}")
        case _:
            pass


def _play_copy(
    file: str, copy: str, wish: Wish, log: Level, *, as_json: bool, colour: bool
) -> bool:
    contents = read(file, wish.until)
    sitting = sitting_of(file, contents, wish)
    kept = contents.answers
    if wish.changed:
        kept = _still_fitting(sitting, contents.replay())
        begun = contents.replay().first(len(kept))
        sitting.begun = attrs.evolve(begun, states=[each.state for each in kept])
        click.echo(f"{plural(len(kept), 'answer')} of {len(contents.answers)} still fit.")
    header = header_of(
        sitting.program,
        sitting.options,
        contents.header.people,
        contents.header.names,
        sitting.seed,
        sitting.players,
        sitting.dice,
    )
    with Journal.create(copy, header) as sitting.journal:
        sitting.journal.begin(kept, () if sitting.begun is None else sitting.begun.draws)
        if contents.end is not None and not wish.changed:
            sitting.journal.end(contents.end)
        sitting.again = ("rulelang", "resume", copy)
        return play_sitting(sitting, log, as_json=as_json, colour=colour)


def sitting_of(file: str, contents: Contents, wish: Wish) -> Sitting:
    """Give the game that a journal is of, about to be played on.

    Raises:
        JournalError: It is of other rules.
        click.UsageError: There is no such ruleset, or it is not said who goes on in place of a program.
    """
    header = contents.header
    name = wish.game or header.ruleset
    if wish.game is not None:
        check_game(header, wish.game, file)
    recorded = _players(file, header, wish)
    table = Table(
        people=len(header.people),
        seats={**recorded, **wish.seats},
        bots=wish.bots,
        variants=wish.variants or tuple(header.variants),
        recorded_seats=header.seats,
        open=wish.open,
    )
    if wish.screen and "human" in table.seats.values():
        table = attrs.evolve(table, screen=True)
    with variants_of_file(file):
        program, people = load_for(name, table)
    replay = contents.replay()
    if not wish.changed:
        check_program(header, program)
    check_options(replay, program, file)
    given = given_options(replay, program)
    sitting = Sitting(name, table, program, people, given, header.seed, replay)
    sitting.dice = header.dice
    return sitting


def _players(file: str, header: Header, wish: Wish) -> dict[int, str]:
    """Give who answered; a journal cannot say which program is to be run, it may come from anywhere.

    Raises:
        click.UsageError: A program did, and nobody has said now who does.
    """
    found: dict[int, str] = {}
    for seat, kind in header.players.items():
        if not (seat.isascii() and seat.isdigit()) or int(seat[:4]) in wish.seats:
            continue
        known = kind in {"automa", "random", "human"} or _is_search(kind)
        if not known and kind not in plugin_names():
            raise click.UsageError(
                f"{file}: seat {seat} was held by a program, {kind!r:.80}."
                f" Say who goes on: --seat {seat}=process:COMMAND"
            )
        found[int(seat[:4])] = kind
    return found


def _is_search(kind: str) -> bool:
    try:
        return is_search(kind) and settings_of(kind) is not None
    except ValueError:
        return False


def _still_fitting(sitting: Sitting, replay: Replay) -> tuple[Answer, ...]:
    """Give the answers that are still asked for and legal, with the states they are given in now."""
    follower = Follower(replay, states=False)
    chance = chance_of(replay, sitting.program)
    game = start(
        sitting.program,
        sitting.options,
        sitting.seed,
        range(sitting.people),
        log=chance is not None,
        chance=chance,
    )
    if chance is not None:
        chance.watch(game.match)
    kept: list[Answer] = []
    try:
        while follower.left and (decision := game.match.next()) is not None:
            answer = follower.decide(lambda: game.match.observation(0), decision)
            if chance is not None:
                chance.look()
            state = fingerprint(game, replay.dice)
            game.match.apply(answer)
            kept.append(Answer(decision.path, decision.seat, plain(answer), state))
    except (ReplayError, IllegalChoice, RuleFault):
        pass
    return tuple(kept)


def _tell_torn(contents: Contents) -> None:
    if contents.torn:
        click.echo(
            "The last line of the journal was not whole and is dropped: its answer had not been acted on.",
            err=True,
        )


def _rescue(file: str, error: JournalError) -> str:
    if error.rescued is None:
        return ""
    return (
        f" The {plural(error.rescued, 'answer')} before can be rescued:"
        f" rulelang resume {file} --until {error.rescued} --copy FILE"
    )
