"""The option `--watch`: a game that goes on with the rules as they are edited, by the choices that were made before."""

from __future__ import annotations

import queue
import secrets
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import attrs
import click

from interpreter.errors import Quit, RuleFault
from interpreter.records import replay as recording
from interpreter.ui.board import Board
from interpreter.ui.bots import provider_for, sit
from interpreter.ui.choices import Choice, Stumble, play_on, reached
from interpreter.ui.engine import start
from interpreter.ui.faults import fault_text
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.loading import load_for
from interpreter.ui.matches import human, tell_outcome
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.recordings import seat_names
from interpreter.ui.story import Level, Story
from interpreter.ui.table import Table, option_values
from interpreter.ui.watcher import POLL, Watcher
from rulelang import revisions
from rulelang.api import RulesetNotFoundError
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.ui.engine import Game
    from rulelang.ir import Program
    from rulelang.revisions import Change, Revision

_MOST_TRIED = 16
"""Of more changes it is not tried which one of them made a choice impossible."""


class _EditedError(Exception):
    """A file has changed while somebody was asked."""


@attrs.define(eq=False)
class _Version:
    """A game by the rules of one moment.

    Attributes:
        revision: The texts.
        program: Compiled.
        people: How many seats have a person.
        options: Values of the options.
        game: The game.
        story: Tells it.
        providers: Who answers, by seat.
        recorder: Notes the answers.
        told: What has been told.
        known: How many events that was.
        stopped: What has stopped the game.
    """

    revision: Revision
    program: Program
    people: int
    options: tuple[object, ...]
    game: Game
    story: Story
    providers: list[DecisionProvider]
    recorder: recording.Recorder
    told: list[str] = attrs.field(factory=list)
    known: int = 0
    stopped: RuleFault | None = None

    def news(self) -> list[str]:
        """Give what has happened since the last time, as lines."""
        events = self.game.events
        lines = [*self.story.tell(events[self.known :]), *self.story.close()]
        self.known = len(events)
        self.told += lines
        return lines


class _Keyboard:
    """Reads lines in a thread of its own, so that a change of a file can interrupt who waits for one."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while sys.stdin is not None and (line := sys.stdin.readline()):
            self._lines.put(line)
        self._lines.put("")

    def line(self, prompt: str) -> str:
        """Give the next line.

        Raises:
            EOFError: There are no more.
            _EditedError: A file has changed first.
        """
        click.echo(prompt, nl=False)
        sys.stdout.flush()
        while True:
            try:
                line = self._lines.get(timeout=POLL)
            except queue.Empty:
                if self._watcher.changed():
                    raise _EditedError from None
                continue
            if not line:
                self._lines.put("")
                raise EOFError
            return line

    def wait(self) -> None:
        """Wait for a change.

        Raises:
            Quit: `q` was typed.
        """
        while True:
            try:
                if self.line("").strip() in ("q", "quit"):
                    raise Quit("stopped")
            except _EditedError:
                return
            except EOFError:
                self._watcher.wait()
                return


class Rehearsal:
    """A game that follows the rules as they are edited.

    Args:
        name: Name or path of the ruleset.
        table: Who plays, by which options.
        seed: Of chance.
        log: How much is told.
        record: File for a replay of the game as it is when it is stopped.
        paint: How things look.
    """

    def __init__(
        self,
        name: str,
        table: Table,
        seed: int | str,
        log: Level,
        record: str | None,
        paint: Paint,
    ) -> None:
        self._name = name
        self._table = table
        self._seed = seed
        self._log: Level = log
        self._record = record
        self._paint = paint
        self._watcher = Watcher()
        self._keyboard = _Keyboard(self._watcher)
        self._choices: list[Choice] = []
        self._wanted: tuple[list[Choice], Revision] | None = None

    def run(self) -> NoReturn:
        """Play, and begin anew whenever a file changes.

        Raises:
            Quit: A person has stopped it.
            RulesetNotFoundError: There is no such ruleset.
        """
        self._watcher.watch(revisions.taken(self._name, self._table.variants).places)
        version = self._loaded()
        while version is None:
            self._say("Waiting until the rules can be played; q stops.")
            self._keyboard.wait()
            version = self._loaded()
        self._echo(version.news())
        try:
            while True:
                try:
                    self._play(version)
                    self._say("Waiting for a change of the rules; q stops.")
                    self._keyboard.wait()
                except _EditedError:
                    click.echo()
                version = self._again(version)
        finally:
            if self._record is not None:
                made = version.recorder.replay(
                    version.program,
                    version.options,
                    range(version.people),
                    self._seed,
                    version.story.names.seats,
                    finished=version.game.match.over,
                )
                Path(self._record).write_text(recording.dumps(made), encoding="utf-8")

    def _say(self, text: str) -> None:
        click.echo(self._paint(text, "dim"))

    def _echo(self, lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line)

    # ------------------------------------------------------------------------------ one version

    def _loaded(self) -> _Version | None:
        """Begin a game by the rules as they are now; None, after the reasons, if they cannot be played."""
        try:
            self._watcher.watch(revisions.taken(self._name, self._table.variants).places)
            revision = revisions.taken(self._name, self._table.variants)
            program, people = load_for(self._name, self._table)
            given = option_values(program, self._table)
        except click.exceptions.Exit:
            return None
        except (click.UsageError, RulesetNotFoundError, OSError) as error:
            said = error.format_message() if isinstance(error, click.UsageError) else str(error)
            click.echo(f"error: {said}", err=True)
            return None
        options = tuple(given.get(option.name, option.default) for option in program.options)
        kinds = [self._table.who(seat + 1) for seat in range(people)]
        names = Names(program, seat_names(program, people))
        viewers = [seat for seat, kind in enumerate(kinds) if kind == "human"]
        story = Story(program, names, self._log, self._paint, viewers)
        game = start(program, options, self._seed, range(people), log=self._log != "quiet")
        inquiry = Inquiry(self._name, game.match, self._table.variants, self._paint)
        board = Board(names, story.running, inquiry)
        providers = [
            human(board, self._keyboard.line)
            if kind == "human"
            else provider_for(kind, self._seed, seat)
            for seat, kind in enumerate(kinds)
        ]
        sit(providers, game.match)
        recorder = recording.Recorder()
        recorder.watch(game)
        return _Version(revision, program, people, options, game, story, providers, recorder)

    def _is_human(self, decision: Decision) -> bool:
        return self._table.who(decision.seat + 1) == "human"

    def _play(self, version: _Version) -> None:
        """Play on to the end, or to what stops the game.

        Raises:
            _EditedError: A file has changed while a person was asked.
            Quit: A person has stopped it.
        """
        match = version.game.match
        try:
            if version.stopped is not None:
                raise version.stopped
            while (decision := match.next()) is not None:
                if self._is_human(decision):
                    self._echo(version.news())
                observe = partial(match.observation, decision.seat)
                answer = version.providers[decision.seat].decide(observe, decision)
                self._give(version, decision, decision.options.normal(answer))
                if self._is_human(decision):
                    self._wanted = None  # the game goes its own way from here on
        except RuleFault as fault:
            version.stopped = fault
            self._echo(version.news())
            click.echo(fault_text(fault, version.program, self._paint), err=True)
            return
        self._echo(version.news())
        tell_outcome(version.game.match, version.story.names, self._paint)

    def _give(self, version: _Version, decision: Decision, answer: object) -> None:
        version.recorder.note(decision, answer)
        self._choices.append(Choice.of(decision, answer))
        version.game.match.apply(answer)

    # ------------------------------------------------------------------------------ another one

    def _again(self, before: _Version) -> _Version:
        """Begin anew with the rules as they are now, and make the same choices; the old game if that cannot be."""
        version = self._loaded()
        if version is None:
            self._say("The game goes on with the rules as they were.")
            return before
        wanted, base = self._wanted or (self._choices, before.revision)
        found = revisions.changes(before.revision, version.revision)
        where = ", ".join(dict.fromkeys(each.path for each in found))
        self._say(f"{where} changed." if where else "Nothing changed that counts.")
        self._choices = []
        stumble = play_on(version.game.match, wanted, partial(self._repeat, version))
        if stumble is None:
            try:
                version.game.match.next()
            except RuleFault as fault:
                version.stopped = fault
        version.news()
        count = plural(len(wanted), "choice")
        if stumble is None:
            self._wanted = None
            self._say(f"{count} made again: all of them apply.")
        else:
            self._wanted = (wanted, base)
            version.stopped = stumble.fault
            self._tell(stumble, wanted, version, base)
        same = _common(before.told, version.told)
        if version.told[same:]:
            self._say("From here on the story is another:")
            self._echo(version.told[same:])
        return version

    def _repeat(self, version: _Version, decision: Decision, answer: object) -> None:
        """Make a choice once more."""
        if self._is_human(decision):
            version.news()
        else:  # its own draws go on from where they would be
            observe = partial(version.game.match.observation, decision.seat)
            version.providers[decision.seat].decide(observe, decision)
        self._give(version, decision, answer)

    def _tell(
        self, stumble: Stumble, wanted: Sequence[Choice], version: _Version, base: Revision
    ) -> None:
        """Say which choice does not apply any more, and which rule has changed that."""
        choice = wanted[stumble.number]
        seat = version.story.names.seats[choice.seat]
        applied = plural(stumble.number, "choice")
        click.echo(
            f"{applied} of {len(wanted)} made again. Choice {stumble.number + 1}"
            f" ({seat}, {choice.path}: {choice.said}) does not apply any more: {stumble.reason}."
        )
        found = revisions.changes(base, version.revision)
        guilty = self._guilty(stumble.number, wanted, version, found)
        if len(guilty) > 1:
            click.echo("These together have changed that:")
        for change in guilty:
            self._echo(_told(change, self._paint))

    def _guilty(
        self, number: int, wanted: Sequence[Choice], version: _Version, found: Sequence[Change]
    ) -> Sequence[Change]:
        """Find the changes without which the choice would still apply: by taking back one after the other."""
        if not 1 < len(found) <= _MOST_TRIED:
            return found
        guilty: list[Change] = []
        for change in found:
            program = version.revision.program(seats=version.program.seats, undone=(change,))
            if program is None:
                continue
            try:
                given = option_values(program, self._table)
            except click.UsageError:
                continue
            options = tuple(given.get(option.name, option.default) for option in program.options)
            if reached(program, options, self._seed, version.people, wanted) > number:
                guilty.append(change)
        return guilty or found


def rehearse(
    name: str, table: Table, seed: int | None, log: Level, record: str | None, *, colour: bool
) -> NoReturn:
    """Play a game and follow its rules as they are edited; see `Rehearsal`.

    Args:
        name: Name or path of the ruleset.
        table: Who plays, by which options.
        seed: Of chance; None draws one.
        log: How much is told.
        record: File for a replay.
        colour: Whether escape sequences may be used.

    Raises:
        Quit: A person has stopped it.
        RulesetNotFoundError: There is no such ruleset.
    """
    chance = secrets.randbelow(2**31) if seed is None else seed
    Rehearsal(name, table, chance, log, record, Paint(colour)).run()


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Count the lines that two stories begin with alike."""
    same = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        same += 1
    return same


def _told(change: Change, paint: Paint) -> list[str]:
    """Write a change: where it is, what it cites, what was there and what is there now."""
    cited = f" [{', '.join(change.cites)}]" if change.cites else ""
    variant = f", variant {change.variant}" if change.variant else ""
    lines = [f"{paint(f'{change.path}:{change.line}', 'cyan')}{cited}{variant}: {change.name}"]
    lines += [paint(f"  - {line}", "red") for line in change.gone]
    lines += [paint(f"  + {line}", "green") for line in change.came]
    return lines
