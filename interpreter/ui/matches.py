"""The commands `run` and `replay`: one game from start to end, told while it happens."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.decision import plain
from interpreter.errors import AnewError, JournalError, Quit, ReplayError, RuleFault, TakeBackError
from interpreter.providers.human import HumanProvider
from interpreter.providers.process import ProcessProvider, Seat
from interpreter.providers.replay import REAL, SEEDED
from interpreter.providers.standin import BotError
from interpreter.records import replay as recording
from interpreter.records.journal import Journal, header_of
from interpreter.ui.board import Board
from interpreter.ui.bots import dismiss, player_for, sit
from interpreter.ui.driving import play_on
from interpreter.ui.engine import Game, start
from interpreter.ui.faults import GameStoppedError, fault_text
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.loading import load_for
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.recordings import (
    check_game,
    check_match,
    read_replay,
    refused,
    seat_names,
    variants_of_file,
)
from interpreter.ui.story import Level, Story
from interpreter.ui.table import Table, option_text, option_values
from rulelang import config
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interpreter.machine import Match
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.realtable import TableChance
    from interpreter.ui.reading import LineReader
    from interpreter.ui.refereeing import Referee
    from rulelang.ir import Program

_JSON_VERSION = 1


@attrs.define
class _Teller:
    """Writes the story as far as it has come, before somebody is asked and at the end.

    Attributes:
        story: What is told.
        game: Whose.
        known: What stands in the log before this was told in an earlier course of the same game.
        told: So much of the log has been told.
    """

    story: Story
    game: Game | None = None
    known: int = 0
    told: int = 0

    def catch_up(self, until: int | None = None) -> None:
        """Tell what has happened since the last time, sentences that might go on included.

        Args:
            until: Not what stands in the log from there on.
        """
        if self.game is None:
            return
        events = self.game.events[:until]
        for end in (min(self.known, len(events)), len(events)):
            lines = [*self.story.tell(events[self.told : end]), *self.story.close()]
            for line in lines if self.told >= self.known else ():
                click.echo(line)
            self.told = max(self.told, end)


@attrs.define
class Sitting:
    """A game that is about to be played, or played on.

    Attributes:
        name: Name or path of the ruleset, as it was given.
        table: Who plays, by which options.
        program: The ruleset for so many.
        people: How many seats have a person.
        given: The options that differ from the defaults.
        seed: Of chance.
        begun: What was played before.
        journal: Where each answer is written down before it counts.
        record: File for a replay.
        again: The words of a command that plays on; empty if there is none.
        dice: `seed`, or `table` if draws are read off a real table.
    """

    name: str
    table: Table
    program: Program
    people: int
    given: Mapping[str, object]
    seed: int | str
    begun: recording.Replay | None = None
    journal: Journal | None = None
    record: str | None = None
    again: tuple[str, ...] = ()
    dice: str = SEEDED

    @property
    def options(self) -> tuple[object, ...]:
        """The value of each option."""
        return tuple(self.given.get(option.name, option.default) for option in self.program.options)

    @property
    def players(self) -> dict[str, str]:
        """Who answers for the people, by seat from 1."""
        return {str(seat): self.table.who(seat) for seat in range(1, self.people + 1)}


def run_game(
    name: str,
    table: Table,
    seed: int | None,
    log: Level,
    record: str | None,
    *,
    resume: str | None = None,
    journal: str | None = None,
    dice: str = SEEDED,
    as_json: bool,
    colour: bool,
) -> bool:
    """Play a game and tell it.

    Args:
        name: Name or path of the ruleset.
        table: Who plays, by which options.
        seed: Of chance; None draws one.
        log: How much is told.
        record: File for a replay.
        resume: File with the replay of a game that was stopped; it is played on with its people, options and seed.
        journal: File to which each answer is written before it counts; there must be none yet.
        dice: `seed`, or `table` if draws are read off a real table.
        as_json: Write one JSON document instead.
        colour: Whether escape sequences may be used.

    Returns:
        Always True: a game that ends is a success.

    Raises:
        GameStoppedError: A rule stopped the game; the story up to it has been told.
        Quit: A person has stopped it.
        click.UsageError: What is to be resumed is no replay of this game, or the journal cannot be written.
    """
    if record is not None:
        _check_place(record)
    begun = None if resume is None else read_replay(resume)
    if begun is not None:
        check_game(begun, name, str(resume))
        table = attrs.evolve(
            table,
            people=len(begun.people),
            options={},
            variants=table.variants or tuple(begun.variants),
            recorded_seats=begun.seats,
        )
    with variants_of_file(resume):
        program, people = load_for(name, table)
    chance: int | str = secrets.randbelow(2**31) if seed is None else seed
    given = option_values(program, table)
    if begun is not None:
        check_match(begun, program, str(resume))
        chance = begun.seed
        given = given_options(begun, program)
    sitting = Sitting(name, table, program, people, given, chance, begun, record=record)
    sitting.dice = dice if begun is None else begun.dice
    if journal is None:
        sitting.again = _again(sitting)
        try:
            return play_sitting(sitting, log, as_json=as_json, colour=colour)
        except ReplayError as error:
            raise refused(str(resume), error) from None
    header = header_of(
        program,
        sitting.options,
        range(people),
        seat_names(program, people),
        chance,
        {str(seat): table.who(seat) for seat in range(1, people + 1)},
        dice,
    )
    try:
        with Journal.create(journal, header) as sitting.journal:
            sitting.again = ("rulelang", "resume", journal)
            return play_sitting(sitting, log, as_json=as_json, colour=colour)
    except JournalError as error:
        raise refused(journal, error) from None


def _check_place(record: str) -> None:
    """Look before the game, not after it, whether its replay can be written.

    Raises:
        click.UsageError: It cannot.
    """
    path = Path(record)
    if not path.absolute().parent.is_dir():
        reason = f"there is no folder {path.parent}"
    elif not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        reason = "it is not allowed"
    else:
        return
    raise click.UsageError(f"{record}: the replay could not be written there: {reason}.")


def given_options(begun: recording.Replay, program: Program) -> dict[str, object]:
    """Give the recorded options that differ from the defaults."""
    return {
        option.name: plain(begun.options[option.name])
        for option in program.options
        if plain(begun.options[option.name]) != option.default
    }


def play_sitting(sitting: Sitting, log: Level, *, as_json: bool, colour: bool) -> bool:
    """Play a game to its end and tell it.

    Returns:
        Always True: a game that ends is a success.

    Raises:
        GameStoppedError: A rule stopped the game; the story up to it has been told.
        Quit: A person has stopped it.
        ReplayError: The game does not follow what was played before.
        JournalError: An answer could not be written down; it was not acted on.
    """
    program, people, table = sitting.program, sitting.people, sitting.table
    if table.screen:
        return _play_at_the_screen(sitting, colour=colour)
    paint = Paint(colour)
    names = Names(program, seat_names(program, people))
    viewers = [seat for seat in range(people) if table.who(seat + 1) == "human"]
    course = _Course(sitting, names, "quiet" if as_json else log, paint, as_json=as_json)
    if table.noted and not as_json and log != "quiet":
        click.echo(paint(f"From {config.FILE}: {' '.join(table.noted)}\n", "dim"))
    try:
        course.play()
    except RuleFault as fault:
        course.teller.catch_up()
        raise GameStoppedError(fault_text(fault, program, paint)) from fault
    except Quit as stopped:
        raise Quit(f"{stopped}\n{_way_on(sitting)}") from None
    except BotError as failed:
        course.teller.catch_up()
        raise GameStoppedError(f"{failed}\n{_way_on(sitting)}") from None
    finally:
        dismiss(course.providers.values(), course.game.winners)
        if sitting.record is not None:
            made = course.recorded(finished=course.game.match.over)
            Path(sitting.record).write_text(recording.dumps(made), encoding="utf-8")
    command = _command(sitting)
    if as_json:
        document = _document(sitting, course.game, names, course.recorder, command)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return True
    course.teller.catch_up()
    tell_outcome(course.game.match, names, paint)
    if sitting.dice == SEEDED:
        again = "The same game again" if not viewers else "The same game, for the same answers"
        click.echo(f"\n{again}: {paint(command, 'cyan')}")
    return True


def _play_at_the_screen(sitting: Sitting, *, colour: bool) -> bool:
    """Play a game at the table on the whole screen; see `play_sitting`."""
    from interpreter.ui.terminal.playing import play_at_the_screen

    names = Names(sitting.program, seat_names(sitting.program, sitting.people))
    paint = Paint(colour)
    try:
        game = play_at_the_screen(sitting, names, colour=colour)
    except Quit as stopped:
        raise Quit(f"{stopped}\n{_way_on(sitting)}") from None
    except BotError as failed:
        raise GameStoppedError(f"{failed}\n{_way_on(sitting)}") from None
    tell_outcome(game, names, paint)
    if sitting.dice == SEEDED:
        click.echo(f"\nThe same game, for the same answers: {paint(_command(sitting), 'cyan')}")
    return True


def provider_of(sitting: Sitting, seat: int, names: Names) -> DecisionProvider:
    """Make what answers for a seat that nobody at the terminal plays."""
    kind = sitting.table.who(seat + 1)
    place = Seat(sitting.program, sitting.options, seat, names.seats)
    return player_for(kind, sitting.seed, place, sitting.table.bots)


class _Course:
    """The course of a game, begun anew where a real table asks for it.

    Attributes:
        game: The game.
        teller: Tells it.
        recorder: What has been answered.
        providers: Who answers, by seat.
    """

    def __init__(
        self, sitting: Sitting, names: Names, log: Level, paint: Paint, *, as_json: bool
    ) -> None:
        self._sitting = sitting
        self._names = names
        self._log: Level = log
        self._paint = paint
        self._wants_log = as_json or log != "quiet"
        self._chance: TableChance | None = None
        self._referee: Referee | None = None
        self._reader: LineReader | None = None
        self.providers: dict[int, DecisionProvider] = {}
        if sitting.dice == REAL:
            from interpreter.ui.reading import LineReader
            from interpreter.ui.refereeing import Referee

            drawn = [] if sitting.begun is None else list(sitting.begun.draws)
            self._reader = LineReader(_read_line, as_json)
            self._referee = Referee(sitting.program, names, self._reader, drawn, sitting.journal)
        self._begin(0)

    def _begin(self, known: int) -> None:
        """Put the game at its beginning; so much of its log has been told before."""
        sitting = self._sitting
        people = range(sitting.people)
        viewers = [seat for seat in people if sitting.table.who(seat + 1) == "human"]
        recorder = recording.Recorder(sitting.dice)
        if self._referee is not None:
            self._chance = self._referee.chance(sitting.seed, lambda: len(recorder.answers))
            viewers = viewers or list(people)  # nobody knows more than what lies on the table
        story = Story(sitting.program, self._names, self._log, self._paint, viewers)
        self.teller = _Teller(story, known=known)
        self.recorder = recorder
        self.game = start(
            sitting.program,
            sitting.options,
            sitting.seed,
            people,
            log=self._wants_log or self._chance is not None,
            chance=self._chance,
        )
        self.teller.game = self.game
        recorder.watch(self.game)
        if self._referee is not None and self._reader is not None:
            self._referee.watch(self.game.match)
            self._reader.told = self.teller.catch_up
        match, table = self.game.match, sitting.table
        board = Board(
            self._names, story.running, Inquiry(sitting.name, match, table.variants, self._paint)
        )
        for seat in people:
            if not isinstance(self.providers.get(seat), ProcessProvider):
                self.providers[seat] = self._provider(seat, board)
        sit(list(self.providers.values()), match)

    def _provider(self, seat: int, board: Board) -> DecisionProvider:
        sitting = self._sitting
        kind = sitting.table.who(seat + 1)
        if kind == "human":
            return human(board, _read_line, back=sitting.dice == REAL)
        return provider_of(sitting, seat, board.names)

    def recorded(self, *, finished: bool) -> recording.Replay:
        """Give what has been answered so far."""
        sitting = self._sitting
        return self.recorder.replay(
            sitting.program,
            sitting.options,
            range(sitting.people),
            sitting.seed,
            self._names.seats,
            finished=finished,
            draws=() if self._referee is None else self._referee.results,
        )

    def play(self) -> None:
        """Drive the game to its end."""
        while True:
            try:
                self._play_on()
            except AnewError:
                self._sitting.begun = self.recorded(finished=False)
                self._begin(self.teller.told)
            except TakeBackError:
                assert self._referee is not None  # noqa: S101 - nobody else is asked for results
                answers, told = self._referee.take_back()
                self._sitting.begun = self.recorded(finished=False).first(answers)
                self._begin(min(told, self.teller.told) if told else self.teller.told)
            else:
                return

    def _play_on(self) -> None:
        """Go on to the end."""
        chance = self._chance
        play_on(
            self._sitting,
            self.game,
            self.providers,
            self.recorder,
            stopped=(lambda: None) if chance is None else chance.look,
            catch_up=self.teller.catch_up,
        )


def _way_on(sitting: Sitting) -> str:
    """Say how the game that has stopped is played on."""
    if sitting.journal is not None or sitting.record is not None:
        return f"To play on: {shlex.join(sitting.again)}"
    return (
        "It was not written down, so it cannot be played on. A game that is begun with --journal FILE can,"
        " whatever happens: rulelang resume FILE"
    )


def _again(sitting: Sitting) -> tuple[str, ...]:
    """Give the words of a command that plays on from a replay."""
    table = sitting.table
    more = [word for variant in table.variants for word in ("--with", variant)]
    seats = table.said(sitting.people)
    return ("rulelang", "run", sitting.name, *seats, *more, "--resume", sitting.record or "FILE")


def human(board: Board, read: Callable[[str], str], *, back: bool = False) -> HumanProvider:
    """Make what asks a person at the terminal.

    Args:
        board: What the person can look up.
        read: Gives the next line for a prompt.
        back: Whether results from a real table can be taken back.
    """
    texts = {citation.id: citation.text for citation in board.names.program.citations}
    return HumanProvider(
        read, click.echo, board.names.seats, lambda cite: texts.get(cite, ""), board, back=back
    )


def _read_line(prompt: str) -> str:
    click.echo(prompt, nl=False)
    # A program may be started without standard input.
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line


def tell_outcome(game: Match, names: Names, paint: Paint) -> None:
    """Say who has won, and the numbers that everybody can see; those that are 0 for all say nothing."""
    winners = game.winners
    program = names.program
    slots = game.state()
    if not winners:
        text = "Nobody wins."
    else:
        text = f"{listed([names.seat(seat) for seat in winners])} win{'s' * (len(winners) == 1)}."
    click.echo()
    click.echo(paint(text, "bold", "green"))
    players = program.kinds[0]
    columns = [
        (title, field)
        for title, field in _figures(program)
        if any(game.layout.read(slots, field, players.base + seat) for seat in range(players.count))
    ]
    if not columns:
        return
    width = max(len(name) for name in names.seats)
    titles = [name for name, _ in columns]
    click.echo(" " * width + "".join(f"  {title}" for title in titles))
    for seat, name in enumerate(names.seats):
        cells = [
            f"  {game.layout.read(slots, field, players.base + seat)!s:>{len(title)}}"
            for title, field in columns
        ]
        click.echo(f"{name:<{width}}{''.join(cells)}")


def _figures(program: Program) -> list[tuple[str, int]]:
    """Name the numbers that everybody can see at a player, with their fields."""
    return [
        (field.name.replace("_", " "), field.index)
        for field in program.fields
        if field.kind == 0
        and field.mutable
        and field.keys == 1
        and field.type.shape == "number"
        and field.sight == "open"
        and field.lent_by is None
    ]


def _command(sitting: Sitting) -> str:
    table, program, given = sitting.table, sitting.program, sitting.given
    words = ["rulelang", "run", sitting.name, "--people", str(sitting.people)]
    if table.variants:
        words += ["--with", ",".join(table.variants)]
    words += table.said(sitting.people)
    for option in program.options:
        if option.name in given:
            value = option_text(program, option, given[option.name])
            words += ["--option", f"{option.name}={value}"]
    return shlex.join([*words, "--seed", str(sitting.seed)])


def _document(
    sitting: Sitting, game: Game, names: Names, recorder: recording.Recorder, command: str
) -> dict[str, object]:
    program, options = sitting.program, sitting.options
    players = program.kinds[0]
    return {
        "version": _JSON_VERSION,
        "ruleset": program.name,
        "title": program.title,
        "ruleset_version": program.version,
        "digest": program.digest,
        "variants": list(program.variants),
        "people": sitting.people,
        "seats": list(names.seats),
        "seed": sitting.seed,
        "options": {
            option.name: option_text(program, option, options[option.index])
            for option in program.options
        },
        "answers": [
            {"seat": each.seat + 1, "path": each.path, "answer": each.answer}
            for each in recorder.answers
        ],
        "winners": [seat + 1 for seat in game.winners or ()],
        "final": {
            name: {
                title: game.layout.read(game.slots, field, players.base + seat)
                for title, field in _figures(program)
            }
            for seat, name in enumerate(names.seats)
        },
        "events": game.events,
        "command": command,
    }
