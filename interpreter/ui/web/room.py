"""One game that is played in browsers: every answer goes through its journal, and through here.

A room is used by several threads, one for each request; whatever looks at the game or changes it holds the lock. Who
answers quickly is asked at once. Programs are asked in a thread of their own: nobody waits for a page because of them.
"""

from __future__ import annotations

import threading
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Self

import attrs

from interpreter.errors import IllegalChoice, JournalError, ReplayError, RuleFault
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.process import Seat, picked
from interpreter.providers.random import RandomProvider
from interpreter.providers.replay import SEEDED
from interpreter.providers.standin import BotError
from interpreter.records.codes import OTHER_GAME
from interpreter.records.heading import state_digest
from interpreter.records.journal import Answer, End, Header, Journal, header_of
from interpreter.records.replay import Follower
from interpreter.sight.offers import shown
from interpreter.ui.bots import dismiss, player_for, sit
from interpreter.ui.engine import start
from interpreter.ui.faults import fault_text
from interpreter.ui.hints import advice_for, names_of
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.loading import hints_for
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.resuming import Wish, sitting_of
from interpreter.ui.story import Story
from interpreter.ui.tabletop.views import Views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation
    from interpreter.ui.hints import Advice
    from interpreter.ui.matches import Sitting
    from interpreter.ui.tabletop.model import Question
    from interpreter.ui.tabletop.model import View as Table

HUMAN = "human"
LONGEST_QUESTION = 300


class MovedOnError(Exception):
    """An answer came to a question that is not asked any more, or was never asked of this seat."""


def _check_dice(header: Header) -> None:
    """Look whether a game can be played in browsers.

    Raises:
        JournalError: Its dice and cards are real ones.
    """
    if header.dice != SEEDED:
        raise JournalError(
            "it is of a game with real dice and cards, which is resumed at a terminal",
            code=OTHER_GAME,
        )


@attrs.frozen
class View:
    """What a seat sees of a game.

    Attributes:
        version: How many answers have been given; an answer must come with the version that it is to.
        table: What lies on the table.
        asked: What the seat is asked; None if it is not.
        decision: The same for the engine.
        waiting: Name of the one who is asked, if that is somebody else; empty otherwise.
        winners: Names; None while the game goes on.
        stopped: Why the game cannot go on, for everybody; empty if it can.
        story: What has happened, line by line.
    """

    version: int
    table: Table
    asked: Question | None
    decision: Decision | None
    waiting: str
    winners: tuple[str, ...] | None
    stopped: str
    story: Sequence[str]


class Room:
    """A game in browsers. Close it when the server stops.

    Args:
        name: What it is called in links.
        sitting: What is played, and by whom; with what was played before.
        journal: Where each answer is written down before it counts.
        seats: What the seats are called.
        ended: Whether the journal says how the game ended.
    """

    def __init__(
        self, name: str, sitting: Sitting, journal: Journal, seats: Sequence[str], *, ended: bool
    ) -> None:
        self.name = name
        self.sitting = sitting
        self.lock = threading.RLock()
        self.version = 0
        self.trouble = ""
        """What stops the game, for the host; it may tell what is hidden."""
        self._stopped = ""
        self._journal = journal
        self._ended = ended
        program = sitting.program
        self.names = Names(program, seats)
        self._game = start(program, sitting.options, sitting.seed, range(sitting.people), log=True)
        self.match = self._game.match
        self._told = 0
        self._sights: dict[int, Observation] = {}
        self._lines: dict[int, list[str]] = {seat: [] for seat in self.people()}
        self._stories = {
            seat: Story(program, self.names, "turns", Paint(False), [seat]) for seat in self._lines
        }
        self._views = Views(self.names, hints_for(sitting.name, program))
        self._inquiry = Inquiry(sitting.name, self.match, sitting.table.variants)
        self._providers: dict[int, DecisionProvider] = {
            seat: player_for(
                sitting.table.who(seat + 1),
                sitting.seed,
                Seat(program, sitting.options, seat, self.names.seats),
                sitting.table.bots,
            )
            for seat in range(sitting.people)
            if seat not in self._lines
        }
        sit(self._providers.values(), self.match)
        self._follower = None if sitting.begun is None else Follower(sitting.begun)
        if self._follower is not None:
            self._follower.game = self._game
        with self.lock:
            self._run()

    @classmethod
    def create(cls, name: str, path: Path, sitting: Sitting, seats: Sequence[str]) -> Self:
        """Begin a game.

        Raises:
            JournalError: Its journal cannot be written.
        """
        header = header_of(
            sitting.program,
            sitting.options,
            range(sitting.people),
            seats,
            sitting.seed,
            sitting.players,
        )
        return cls(name, sitting, Journal.create(path, header), seats, ended=False)

    @classmethod
    def resume(cls, name: str, path: Path, game: str, seats: Mapping[int, str]) -> Self:
        """Go on with a game from its journal.

        Args:
            name: What it is called in links.
            path: The journal.
            game: Name or path of the ruleset.
            seats: Who answers for seats that programs held, from 1.

        Raises:
            JournalError: It is damaged, of other rules, or in use.
            ReplayError: The game does not follow it.
            click.UsageError: It is of no ruleset that is there, or a program is missing.
        """
        journal, contents = Journal.resume(path)
        try:
            _check_dice(contents.header)
            programs = {
                int(seat): kind
                for seat, kind in contents.header.players.items()
                if seat.isdigit() and kind in seats.values() and kind not in {"automa", "random"}
            }
            sitting = sitting_of(str(path), contents, Wish(game, seats=programs))
            made = cls(
                name,
                sitting,
                journal,
                tuple(contents.header.names),
                ended=contents.end is not None,
            )
        except BaseException:
            journal.close()
            raise
        return made

    @property
    def stamp(self) -> str:
        """What changes with everything that a page shows."""
        return f"{self.version}{'-stopped' * bool(self._stopped)}{'-over' * self._ended}"

    def people(self) -> list[int]:
        """Give the seats that persons hold, from 0."""
        return [
            seat for seat in range(self.sitting.people) if self.sitting.table.who(seat + 1) == HUMAN
        ]

    def close(self) -> None:
        """Let others go on with it."""
        with self.lock:
            self._stopped = self._stopped or "The server stops."
            for provider in self._providers.values():
                close = getattr(provider, "close", None)
                if close is not None:
                    close()
            self._journal.close()

    # ------------------------------------------------------------------------------------ looking

    def view(self, seat: int) -> View:
        """Give what a seat sees, from 0."""
        with self.lock:
            decision = self._pending()
            mine = decision is not None and decision.seat == seat
            winners = self.match.winners
            story = self._stories[seat]
            return View(
                self.version,
                self._views.view(self._seen(seat), story.headings(), story.running()),
                self._asked(decision) if decision is not None and mine else None,
                decision if mine else None,
                self.names.seat(decision.seat) if decision is not None and not mine else "",
                tuple(self.names.seat(each) for each in winners or ()) if self.match.over else None,
                self._stopped,
                tuple(self._lines[seat]),
            )

    def _seen(self, seat: int) -> Observation:
        """Give what a seat sees, worked out once between two answers."""
        found = self._sights.get(seat)
        if found is None:
            found = self._sights[seat] = self.match.observation(seat)
        return found

    def _pending(self) -> Decision | None:
        return None if self._stopped else self.match.pending

    def _asked(self, decision: Decision) -> Question:
        seen = self._seen(decision.seat)
        return self._views.question(seen, decision, shown(lambda: seen, decision))

    def why(self, seat: int, asked: str) -> list[str]:
        """Tell the value of an expression, and why it has it, as far as the seat may know."""
        with self.lock:
            return list(self._inquiry.why(seat, asked[:LONGEST_QUESTION]))

    def why_not(self, seat: int, option: str) -> list[str]:
        """Tell why an answer to the question of the seat is on offer or not."""
        with self.lock:
            decision = self._pending()
            if decision is None or decision.seat != seat:
                return ["You are not asked anything now."]
            return list(self._inquiry.why_not(seat, option[:LONGEST_QUESTION]))

    def hint(self, seat: int) -> Advice | None:
        """Say what the ruleset's own policy would answer, or what a search advises; None if neither knows.

        The policy is asked in a game in which everything that the seat does not see is dealt anew, so that it cannot
        tell; the search knows only what the seat sees.
        """
        with self.lock:
            decision = self._pending()
            if decision is None or decision.seat != seat:
                return None
            texts = names_of(decision, self._asked(decision).choices)
            return advice_for(self.match, texts, str(self.version), SystemRandom().randrange)

    # ------------------------------------------------------------------------------------ playing

    def answer(self, seat: int, version: int, pick: list[int]) -> None:
        """Take an answer: it is on the disk before it counts.

        Args:
            seat: Who answers, from 0.
            version: To which question, see :class:`View`.
            pick: Numbers of options, from 1.

        Raises:
            MovedOnError: That is not asked, not any more, or not of this seat.
            IllegalChoice: It is no legal answer.
            JournalError: It cannot be written down; it was not acted on.
        """
        with self.lock:
            decision = self._pending()
            if decision is None or decision.seat != seat or version != self.version:
                raise MovedOnError
            options = shown(partial(self._seen, seat), decision)
            only = pick[0] if len(pick) == 1 else pick
            self._take(decision, picked(only, decision, options))
            self._go_on()

    def _take(self, decision: Decision, answer: object) -> None:
        state = state_digest(self._game.layout, self._game.slots)
        self._journal.answer(Answer(decision.path, decision.seat, answer, state))
        self.match.apply(answer)
        self.version += 1

    def _go_on(self) -> None:
        """Go on after an answer that counts; what cannot be written down then stops the game."""
        try:
            self._run()
        except JournalError as error:
            self._stop_unwritten(error)

    def _stop_unwritten(self, error: JournalError) -> None:
        self.trouble = f"{error} (the journal). The game goes on when the server is started again."
        self._stopped = "An answer cannot be written down. The host sees why."

    def _run(self) -> None:
        """Go on until a person or a program is asked, or the game ends or is stopped."""
        while not self._stopped:
            self._sights.clear()
            try:
                decision = self.match.next()
            except RuleFault as fault:
                self.trouble = fault_text(fault, self.sitting.program, Paint(False))
                self._stopped = f"A rule stops this game ({fault.code}). The host sees why."
                return
            self._tell()
            if decision is None:
                self._end()
                return
            provider = self._providers.get(decision.seat)
            if self._follower is not None and self._follower.left:
                self._follow(decision, provider)
            elif provider is None:
                return
            elif isinstance(provider, RandomProvider | AutomaProvider):
                observe = partial(self.match.observation, decision.seat)
                answer = decision.options.normal(provider.decide(observe, decision))
                self._take(decision, answer)
            else:
                work = partial(self._ask_program, provider, decision)
                threading.Thread(target=work, daemon=True).start()
                return

    def _follow(self, decision: Decision, provider: DecisionProvider | None) -> None:
        """Give the answer that was given before; who draws draws again, to go on from there."""
        assert self._follower is not None  # noqa: S101 - see above
        observe = partial(self.match.observation, decision.seat)
        answer = self._follower.decide(observe, decision)
        if isinstance(provider, RandomProvider | AutomaProvider):
            provider.decide(observe, decision)
        self.match.apply(answer)
        self.version += 1

    def _ask_program(self, provider: DecisionProvider, decision: Decision) -> None:
        observe = partial(self.match.observation, decision.seat)
        try:
            answer = decision.options.normal(provider.decide(observe, decision))
        except (BotError, IllegalChoice) as failed:
            with self.lock:
                if not self._stopped:
                    self.trouble = str(failed)
                    name = self.names.seat(decision.seat)
                    self._stopped = f"{name}, a program, has failed. The host sees why."
            return
        with self.lock:
            if self._stopped:
                return
            try:
                self._take(decision, answer)
            except JournalError as error:
                self._stop_unwritten(error)
            self._go_on()

    def _end(self) -> None:
        winners = self.match.winners
        if self._follower is not None and self._follower.left:
            raise ReplayError("the game ends before its recorded answers do")
        if not self._ended:
            final = state_digest(self._game.layout, self._game.slots)
            self._journal.end(End(final, None if winners is None else list(winners)))
            self._ended = True
        dismiss(self._providers.values(), winners)

    def _tell(self) -> None:
        events = self.match.events
        new = events[self._told :]
        self._told = len(events)
        for seat, story in self._stories.items():
            self._lines[seat] += [*story.tell(new), *story.close()]
