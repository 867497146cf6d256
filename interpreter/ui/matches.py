"""The commands `run` and `replay`: one game from start to end, told while it happens."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter import replay as recording
from interpreter.decision import plain
from interpreter.errors import Quit, ReplayError, RuleFault
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.human import HumanProvider
from interpreter.providers.random import RandomProvider
from interpreter.providers.replay import ReplayProvider
from interpreter.ui.board import Board
from interpreter.ui.engine import Game, start
from interpreter.ui.faults import GameStoppedError, fault_text
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.loading import load_for
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.recordings import (
    check_match,
    names_of,
    read_replay,
    seat_names,
    variants_of_file,
)
from interpreter.ui.story import Level, Story
from interpreter.ui.table import Table, option_text, option_values
from rulelang import config
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interpreter.providers.protocol import DecisionProvider
    from rulelang.ir import Program

_JSON_VERSION = 1


@attrs.define
class _Teller:
    """Writes the story as far as it has come, before somebody is asked and at the end."""

    story: Story
    game: Game | None = None
    told: int = 0

    def catch_up(self) -> None:
        """Tell what has happened since the last time, sentences that might go on included."""
        if self.game is None:
            return
        events = self.game.events
        for line in (*self.story.tell(events[self.told :]), *self.story.close()):
            click.echo(line)
        self.told = len(events)


def run_game(
    name: str,
    table: Table,
    seed: int | None,
    log: Level,
    record: str | None,
    *,
    resume: str | None = None,
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
        as_json: Write one JSON document instead.
        colour: Whether escape sequences may be used.

    Returns:
        Always True: a game that ends is a success.

    Raises:
        GameStoppedError: A rule stopped the game; the story up to it has been told.
        Quit: A person has stopped it.
        click.UsageError: What is to be resumed is no replay of this game.
    """
    begun = None if resume is None else read_replay(resume)
    if begun is not None:
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
        given = {
            option.name: plain(begun.options[option.name])
            for option in program.options
            if plain(begun.options[option.name]) != option.default
        }
    options = tuple(given.get(option.name, option.default) for option in program.options)
    earlier = ReplayProvider(() if begun is None else begun.answers)
    paint = Paint(colour)
    names = Names(program, seat_names(program, people))
    viewers = [seat for seat in range(people) if table.seats.get(seat + 1) == "human"]
    teller = _Teller(Story(program, names, "quiet" if as_json else log, paint, viewers))
    recorder = recording.Recorder()
    game = start(program, options, chance, range(people), log=as_json or log != "quiet")
    teller.game = game
    board = Board(names, teller.story.running, Inquiry(name, game.match, table.variants, paint))
    providers = [
        _provider(table.seats.get(seat + 1, "random"), chance, seat, board)
        for seat in range(people)
    ]
    recorder.watch(game)
    if table.noted and not as_json and log != "quiet":
        click.echo(paint(f"From {config.FILE}: {' '.join(table.noted)}\n", "dim"))
    try:
        # Step by step: a fault then leaves the game, and its log, at the last decision.
        while (decision := game.match.next()) is not None:
            provider = earlier if earlier.left else providers[decision.seat]
            if isinstance(provider, HumanProvider):
                teller.catch_up()
            observe = partial(game.match.observation, decision.seat)
            answer = decision.options.normal(provider.decide(observe, decision))
            recorder.note(decision, answer)
            game.match.apply(answer)
    except RuleFault as fault:
        teller.catch_up()
        raise GameStoppedError(fault_text(fault, program, paint)) from fault
    except ReplayError as error:
        raise click.UsageError(f"{resume}: {error}") from None
    except Quit as stopped:
        seats = [
            word
            for seat, kind in sorted(table.seats.items())
            for word in ("--seat", f"{seat}={kind}")
        ] + [word for variant in table.variants for word in ("--with", variant)]
        again = shlex.join(["rulelang", "run", name, *seats, "--resume", record or "FILE"])
        way = "To play on" if record else "A game that is run with --record FILE can be played on"
        raise Quit(f"{stopped}\n{way}: {again}") from None
    finally:
        if record is not None:
            made = recorder.replay(
                program, options, range(people), chance, names.seats, finished=game.match.over
            )
            Path(record).write_text(recording.dumps(made), encoding="utf-8")
    command = _command(name, table, program, given, people, chance)
    if as_json:
        document = _document(program, game, names, options, people, chance, recorder, command)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return True
    teller.catch_up()
    _tell_outcome(program, game, names, paint)
    again = "The same game again" if not viewers else "The same game, for the same answers"
    click.echo(f"\n{again}: {paint(command, 'cyan')}")
    return True


def replay_file(
    file: str, game_name: str | None, variants: Sequence[str], *, log: Level, colour: bool
) -> bool:
    """Play a recorded game again and compare.

    Args:
        file: The replay.
        game_name: Name or path of the ruleset; None: as the replay names it.
        variants: Where its variants are; empty: they are found by their names.
        log: How much of the story is told.
        colour: Whether escape sequences may be used.

    Returns:
        Whether everything was as recorded; the first difference has been told otherwise.

    Raises:
        click.UsageError: The file cannot be read as a replay of a ruleset that is there.
    """
    replay = read_replay(file)
    people = len(replay.people)
    table = Table(
        people=people,
        variants=tuple(variants) or tuple(replay.variants),
        recorded_seats=replay.seats,
    )
    with variants_of_file(file):
        program, _ = load_for(game_name or replay.ruleset, table)
    check_match(replay, program, file)
    paint = Paint(colour)
    names = Names(program, names_of(replay, program, people))
    teller = _Teller(Story(program, names, log, paint))
    options = tuple(plain(replay.options[option.name]) for option in program.options)

    def begin(providers: Mapping[int, DecisionProvider]) -> Game:
        teller.game = start(
            program, options, replay.seed, replay.people, providers, log=log != "quiet"
        )
        return teller.game

    try:
        game = recording.verify(replay, program, begin)
    except ReplayError as error:
        teller.catch_up()
        click.echo(f"The replay differs: {error}.")
        return False
    teller.catch_up()
    del game
    ending = "" if replay.final else " (the recording stops before the end of the game)"
    click.echo(f"The replay agrees: {len(replay.answers)} answers{ending}.")
    if teller.game is not None:
        _tell_outcome(program, teller.game, names, paint)
    return True


def provider_for(kind: str, seed: int | str, seat: int) -> DecisionProvider:
    """Make what answers for a seat that nobody at the terminal plays."""
    own = f"{seed}/{seat}"
    return AutomaProvider(own) if kind == "automa" else RandomProvider(own)


def _provider(kind: str, seed: int | str, seat: int, board: Board) -> DecisionProvider:
    return human(board, _read_line) if kind == "human" else provider_for(kind, seed, seat)


def human(board: Board, read: Callable[[str], str]) -> HumanProvider:
    """Make what asks a person at the terminal.

    Args:
        board: What the person can look up.
        read: Gives the next line for a prompt.
    """
    texts = {citation.id: citation.text for citation in board.names.program.citations}
    return HumanProvider(
        read, click.echo, board.names.seats, lambda cite: texts.get(cite, ""), board
    )


def _read_line(prompt: str) -> str:
    click.echo(prompt, nl=False)
    # A program may be started without standard input.
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line


def _tell_outcome(program: Program, game: Game, names: Names, paint: Paint) -> None:
    """Say who has won, and the numbers that everybody can see; those that are 0 for all say nothing."""
    winners = game.winners
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
        if any(
            game.layout.read(game.slots, field, players.base + seat)
            for seat in range(players.count)
        )
    ]
    if not columns:
        return
    width = max(len(name) for name in names.seats)
    titles = [name for name, _ in columns]
    click.echo(" " * width + "".join(f"  {title}" for title in titles))
    for seat, name in enumerate(names.seats):
        cells = [
            f"  {game.layout.read(game.slots, field, players.base + seat)!s:>{len(title)}}"
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


def _command(
    name: str,
    table: Table,
    program: Program,
    given: Mapping[str, object],
    people: int,
    seed: int | str,
) -> str:
    words = ["rulelang", "run", name, "--people", str(people)]
    if table.variants:
        words += ["--with", ",".join(table.variants)]
    for seat, kind in sorted(table.seats.items()):
        words += ["--seat", f"{seat}={kind}"]
    for option in program.options:
        if option.name in given:
            value = option_text(program, option, given[option.name])
            words += ["--option", f"{option.name}={value}"]
    return shlex.join([*words, "--seed", str(seed)])


def _document(
    program: Program,
    game: Game,
    names: Names,
    options: tuple[object, ...],
    people: int,
    seed: int | str,
    recorder: recording.Recorder,
    command: str,
) -> dict[str, object]:
    players = program.kinds[0]
    return {
        "version": _JSON_VERSION,
        "ruleset": program.name,
        "title": program.title,
        "ruleset_version": program.version,
        "digest": program.digest,
        "variants": list(program.variants),
        "people": people,
        "seats": list(names.seats),
        "seed": seed,
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
