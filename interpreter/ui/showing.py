"""The command `replay`: a recorded game compared, shown at one moment, gone through, or written out as events."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.decision import plain
from interpreter.errors import ReplayError
from interpreter.providers.human import question_lines
from interpreter.sight.offers import shown
from interpreter.ui.board import Board
from interpreter.ui.course import course, open_recorded
from interpreter.ui.eventdata import EventData
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.matches import tell_outcome
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.recordings import names_of
from interpreter.ui.story import Story
from interpreter.ui.table import option_text
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.ui.course import Moment, Recorded
    from interpreter.ui.story import Level

_JSON_VERSION = 1
_STEP_HELP = """\
Enter or n: the next answer.   b: back.   N: after N answers.   e: the end.
t: the table.   ?: the question.   q: stop."""


@attrs.frozen
class Wish:
    """How a recorded game is to be shown; nothing asked for: it is compared with its recording.

    Attributes:
        at: Show it after so many answers.
        from_end: Show it so many answers before the last.
        step: Go through it.
        jsonl: Write its events as JSON lines.
        seat: Whose view it is, from 1; None: everything.
        log: How much of the story is told; None: as fits.
        html: File for a page that shows the whole game.
        save: The file for the game as it stands there; None: it is not saved.
    """

    at: int | None = None
    from_end: int | None = None
    step: bool = False
    jsonl: bool = False
    seat: int | None = None
    log: Level | None = None
    save: str | None = None
    html: str | None = None


def show_recorded(
    file: str, game: str | None, variants: Sequence[str], wish: Wish, *, colour: bool
) -> bool:
    """Play a recorded game again, and show it as was asked for.

    Args:
        file: A replay or a journal.
        game: Name or path of the ruleset; None: as the recording names it.
        variants: Where its variants are; empty: they are found by their names.
        wish: How to show it.
        colour: Whether escape sequences may be used.

    Returns:
        Whether everything was as recorded, as far as it was shown; the first difference has been told otherwise.

    Raises:
        click.UsageError: The file cannot be read as a recording of a ruleset that is there, or has no such moment; or
            the game cannot be written where it is to be saved.
    """
    recorded = open_recorded(file, game, variants)
    if wish.seat is not None and wish.seat > recorded.program.seats:
        raise click.UsageError(f"There is no seat {wish.seat}: there are {recorded.program.seats}.")
    made = len(recorded.replay.answers)
    at = wish.at if wish.from_end is None else made - wish.from_end
    if at is not None and not 0 <= at <= made:
        raise click.UsageError(f"{file} has {plural(made, 'answer')}.")
    showing = _Showing(recorded, wish, Paint(colour))
    try:
        if wish.jsonl:
            showing.write_events()
        elif wish.html is not None:
            showing.write_film(wish.html)
        elif wish.step:
            return showing.step()
        elif wish.save is not None:
            showing.save(made if at is None else at, wish.save)
        elif at is not None:
            showing.show(at)
        else:
            showing.compare()
    except ReplayError as error:
        click.echo(f"The replay differs: {error} [{error.code}].", err=wish.jsonl)
        return False
    return True


@attrs.frozen
class _Seen:
    """What is shown of a moment: lines of the story before it, of the table, of the question."""

    number: int
    story: tuple[str, ...]
    table: tuple[str, ...]
    question: tuple[str, ...]


@attrs.define
class _Showing:
    recorded: Recorded
    wish: Wish
    paint: Paint

    @property
    def seat(self) -> int | None:
        return None if self.wish.seat is None else self.wish.seat - 1

    def options(self) -> dict[str, str]:
        program, given = self.recorded.program, self.recorded.replay.options
        return {
            each.name: option_text(program, each, plain(given[each.name]))
            for each in program.options
        }

    def names(self) -> Names:
        of = self.recorded
        return Names(of.program, names_of(of.replay, of.program, of.people))

    def story(self, usual: Level) -> Story:
        viewers = [] if self.seat is None else [self.seat]
        level = self.wish.log or usual
        return Story(self.recorded.program, self.names(), level, self.paint, viewers)

    # ---------------------------------------------------------------------------------- compared

    def compare(self) -> None:
        story = self.story("quiet")
        last: Moment | None = None
        try:
            for last in course(self.recorded):
                for line in story.tell(last.events):
                    click.echo(line)
        finally:
            for line in story.close():
                click.echo(line)
        replay = self.recorded.replay
        ending = "" if replay.final else " (the recording stops before the end of the game)"
        click.echo(f"The replay agrees: {plural(len(replay.answers), 'answer')}{ending}.")
        if last is not None:
            tell_outcome(last.match, self.names(), self.paint)

    # ------------------------------------------------------------------------------------- saved

    def save(self, at: int, output: str) -> None:
        match = next(each.match for each in course(self.recorded) if each.number == at)
        try:
            Path(output).write_text(match.save() + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:  # a ValueError is a path that is none
            raise click.UsageError(f"{output!r} cannot be written: {error}") from None
        click.echo(f"The game is saved in {output} as it stands after {plural(at, 'answer')}.")

    # ------------------------------------------------------------------------------------- shown

    def show(self, at: int) -> None:
        for seen in self.moments("quiet", at):
            for line in seen.story:
                click.echo(line)
            if seen.number == at:
                click.echo(self.heading(seen))
                for line in (*seen.table, *seen.question):
                    click.echo(line)
                return

    def heading(self, seen: _Seen) -> str:
        whole = len(self.recorded.replay.answers)
        return self.paint(f"After {seen.number} of {plural(whole, 'answer')}", "bold")

    def moments(self, usual: Level, only: int | None = None) -> Iterator[_Seen]:
        """Give what is to be shown of each moment, or the story of each and the rest of only one."""
        of = self.recorded
        story = self.story(usual)
        for moment in course(of):
            told = tuple(story.tell(moment.events))
            if only not in {None, moment.number}:
                yield _Seen(moment.number, told, (), ())
                continue
            told += tuple(story.close())
            board = Board(
                story.names, story.running, Inquiry(of.game, moment.match, of.variants, self.paint)
            )
            seen = moment.seen(self.seat)
            yield _Seen(
                moment.number, told, tuple(board.lines(seen)), tuple(self.question(moment, board))
            )

    def question(self, moment: Moment, board: Board) -> Iterator[str]:
        """Write what is asked; what somebody else can answer may be secret."""
        names, decision = board.names, moment.decision
        if decision is None:
            winners = moment.match.winners
            won = ", ".join(names.seat(seat) for seat in winners or ()) or "nobody"
            yield f"The game is over; {won} won."
            return
        if self.seat not in {None, decision.seat}:
            yield f"{names.seat(decision.seat)} is asked."
            return
        seen = moment.seen(self.seat)
        options = [
            attrs.evolve(each, text=board.title(seen, decision, each))
            for each in shown(lambda: seen, decision)
        ]
        yield from question_lines(decision, options, options, names.seat(decision.seat))

    # -------------------------------------------------------------------------------- gone through

    def step(self) -> bool:
        """Go through it as somebody at a terminal asks; gives whether it was as recorded so far."""
        reached: list[_Seen] = []
        source = self.moments("turns")
        same = True

        def reach(wanted: int) -> int:
            nonlocal same
            while len(reached) <= wanted and same:
                try:
                    reached.append(next(source))
                except StopIteration:
                    break
                except ReplayError as error:
                    click.echo(f"The replay differs: {error} [{error.code}].")
                    same = False
            return max(0, min(wanted, len(reached) - 1))

        here = reach(0)
        if not reached:
            return same
        self._tell(reached[: here + 1])
        whole = len(self.recorded.replay.answers)
        while True:
            click.echo(f"{here}/{whole}> ", nl=False)
            line = sys.stdin.readline() if sys.stdin is not None else ""
            word = line.strip().casefold()
            if not line or word in {"q", "quit"}:
                click.echo("" if line else "\n", nl=False)
                return same
            now = reached[here]
            if word in {"", "n", "b", "e"} or (word.isascii() and word.isdigit()):
                goals = {"": here + 1, "n": here + 1, "b": here - 1, "e": whole}
                before = here
                here = reach(goals[word] if word in goals else min(int(word[:9]), whole))
                if here == before:
                    click.echo("This is the end." if here else "This is the beginning.")
                elif here > before:
                    self._tell(reached[before + 1 : here + 1])
                else:
                    self._tell([reached[here]])
            elif word in {"t", "?"}:
                for told in now.table if word == "t" else now.question:
                    click.echo(told)
            else:
                click.echo(_STEP_HELP)

    def _tell(self, moments: Sequence[_Seen]) -> None:
        for seen in moments:
            for line in seen.story:
                click.echo(line)
        for line in moments[-1].question[:1]:
            click.echo(self.paint(line, "bold"))

    # ------------------------------------------------------------------------------------ written

    def write_film(self, path: str) -> None:
        """Write the whole game as a page."""
        from interpreter.ui.web.film import film

        page = film(self.recorded, self.seat, self.story("turns"))
        try:
            Path(path).write_text(page, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise click.UsageError(
                f"{path} cannot be written: {getattr(error, 'strerror', error)}."
            ) from None
        made = plural(len(self.recorded.replay.answers), "answer")
        click.echo(f"{path}: {made}, {self.recorded.program.title}")

    def write_events(self) -> None:
        """Write what a game is, what happened, and how it ended; the seed would tell what is hidden."""
        of = self.recorded
        program, replay = of.program, of.replay
        head = {
            "version": _JSON_VERSION,
            "ruleset": program.name,
            "digest": program.digest,
            "variants": list(program.variants),
            "options": self.options(),
            "seats": list(self.names().seats),
            "people": [seat + 1 for seat in replay.people],
            "seat": self.wish.seat,
        }
        _write_line(head)
        data = EventData(program, self.seat)
        last: Moment | None = None
        for last in course(of):
            for each in data.of(last.events):
                _write_line({"answers": last.number, **each})
        winners = None if last is None else last.match.winners
        over = last is not None and last.decision is None
        told = None if winners is None else [seat + 1 for seat in winners]
        _write_line({"over": over, "winners": told})


def _write_line(content: dict[str, object]) -> None:
    click.echo(json.dumps(content, ensure_ascii=False))
