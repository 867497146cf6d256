"""Between the engine and the screen: the engine plays in a thread of its own and waits here for persons.

While a person is asked the engine stands still, so what is asked of the match meanwhile is asked in peace. To take an
answer back the game is played again up to it, by the same code that resumes a game from its journal.
"""

from __future__ import annotations

import queue
import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import attrs

from interpreter.decision import plain
from interpreter.errors import (
    AnewError,
    JournalError,
    Quit,
    ReplayError,
    RuleFault,
    TakeBackError,
)
from interpreter.providers.replay import REAL, Answered
from interpreter.providers.standin import BotError
from interpreter.records import replay as recording
from interpreter.records.journal import Answer, Journal, TakenBack, header_of
from interpreter.sight.observation import Observation
from interpreter.sight.offers import shown
from interpreter.ui.bots import dismiss, sit
from interpreter.ui.driving import play_on
from interpreter.ui.engine import start
from interpreter.ui.faults import fault_text
from interpreter.ui.hints import Advice, advice_for, names_of
from interpreter.ui.inquiry import Inquiry
from interpreter.ui.paint import Paint
from interpreter.ui.recordings import seat_names
from interpreter.ui.refereeing import Referee
from interpreter.ui.story import Story
from interpreter.ui.tabletop.views import Views
from interpreter.ui.terminal.reading import Reading, ScreenReader
from interpreter.ui.terminal.taking_back import Moment, refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.layout import Slots
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.ui.engine import Game
    from interpreter.ui.matches import Sitting
    from interpreter.ui.names import Names
    from interpreter.ui.tabletop.model import Question, Row, View
    from rulelang.presenting import Hints


_NO = re.compile(r" {4,}(\w+\(.*\)): no")
"""A permission that was asked for by name and is not given: it has reasons of its own."""


@attrs.frozen
class Shown:
    """What the person at the screen is to see.

    Attributes:
        seat: Whose turn it is to look, from 0.
        view: The table.
        question: What is asked; None when the game is over.
        story: What has happened, as lines.
        whereabouts: Who holds what.
        chosen: Answers given so far in the game.
        groups: For each option of the question the values that nobody can tell apart.
        is_reading: Whether it is asked what lies on a real table.
        remark: What is told beside the question; may be empty.
    """

    seat: int
    view: View
    question: Question | None
    story: tuple[str, ...]
    whereabouts: tuple[tuple[str, str], ...]
    chosen: int
    groups: tuple[tuple[object, ...], ...] = ()
    is_reading: bool = False
    remark: str = ""


class Screen(Protocol):
    """What the desk needs of an interface; called from the thread of the engine."""

    def show(self, shown: Shown) -> None:
        """Show the table and a question, or the end."""
        ...

    def stop(self, reason: str) -> None:
        """Tell that the game cannot go on."""
        ...


@attrs.frozen
class Given:
    """An answer."""

    answer: object


@attrs.frozen
class WentBack:
    """The wish to go back to an earlier question: so many answers stay."""

    keep: int


@attrs.frozen
class Left:
    """The person has left the table."""


@attrs.frozen
class Misread:
    """The last result from a real table was wrong."""


_Word: TypeAlias = Given | WentBack | Left | Misread


class GoBackError(Exception):
    """Somebody goes back to an earlier question."""

    def __init__(self, keep: int) -> None:
        super().__init__(keep)
        self.keep = keep


@attrs.frozen
class _Person:
    """A provider: asks at the desk."""

    desk: Desk

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        return self.desk.ask(observation(), decision)


@attrs.define(eq=False)
class _Telling:
    """The story of the game as one seat is told it."""

    story: Story
    lines: list[str] = attrs.field(factory=list)
    told: int = 0


@attrs.define(eq=False)
class Desk:
    """A game at which persons sit before one screen.

    Attributes:
        sitting: The game.
        names: What things and players are called.
        hints: How the table is shown.
        screen: The interface; set before the game is played.
        open: Whether all persons may see what each of them sees.
    """

    sitting: Sitting
    names: Names
    hints: Hints
    screen: Screen | None = None
    open: bool = False
    game: Game | None = None
    error: Exception | None = None
    recorder: recording.Recorder = attrs.field(factory=recording.Recorder)
    views: Views = attrs.field(init=False)
    inquiry: Inquiry | None = None
    moments: list[Moment] = attrs.field(factory=list)
    undone: list[Answered] = attrs.field(factory=list)
    _words: queue.SimpleQueue[_Word] = attrs.field(factory=queue.SimpleQueue)
    tellings: dict[int, _Telling] = attrs.field(factory=dict)
    _asked: Decision | None = None
    _saved: Journal | None = None
    referee: Referee | None = None
    reader: ScreenReader = attrs.field(init=False)
    known: Slots = attrs.field(factory=list)
    """The last state in which every card that somebody saw had been read off the table."""
    sitter: int = -1

    def __attrs_post_init__(self) -> None:
        """Make what shows the table, and what asks about a real one."""
        self.views = Views(self.names, self.hints)
        self.reader = ScreenReader(self)
        sitting = self.sitting
        if sitting.dice == REAL:
            drawn = [] if sitting.begun is None else list(sitting.begun.draws)
            self.referee = Referee(sitting.program, self.names, self.reader, drawn, sitting.journal)

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons, from 0."""
        table, people = self.sitting.table, self.sitting.people
        return tuple(seat for seat in range(people) if table.who(seat + 1) == "human")

    @property
    def is_private(self) -> bool:
        """Are there several persons who must not see each other's things?"""
        return len(self.persons) > 1 and not self.open

    # ------------------------------------------------------------------ the engine's side

    def play(self) -> None:
        """Play to the end; returns when the game is over, somebody left, or it cannot go on."""
        try:
            while not self._played():
                pass
        except Quit:
            pass
        except (RuleFault, BotError, ReplayError, JournalError) as error:
            self.error = error
            told = (
                fault_text(error, self.sitting.program, Paint(colour=False))
                if isinstance(error, RuleFault)
                else str(error)
            )
            self._screen.stop(told)

    def _played(self) -> bool:
        """Play until the game is over; False if something was taken back, or it has to be begun anew."""
        sitting, referee = self.sitting, self.referee
        program, people = sitting.program, sitting.people
        recorder = self.recorder = recording.Recorder(sitting.dice)
        chance = (
            None if referee is None else referee.chance(sitting.seed, lambda: len(recorder.answers))
        )
        game = self.game = start(
            program, sitting.options, sitting.seed, range(people), log=True, chance=chance
        )
        recorder.watch(game)
        if referee is not None:
            referee.watch(game.match)
            self.known = game.slots
        self.inquiry = Inquiry(sitting.name, game.match, sitting.table.variants)
        self.moments = []
        self.tellings = {
            seat: _Telling(Story(program, self.names, "turns", Paint(colour=False), [seat]))
            for seat in self.persons or (0,)
        }
        providers = {seat: self._provider(seat) for seat in range(people)}
        sit(list(providers.values()), game.match)
        try:
            play_on(sitting, game, providers, recorder, stopped=self._look, followed=self._note)
        except GoBackError as back:
            self._go_back(back.keep)
            return False
        except AnewError:
            sitting.begun = self._recorded(finished=False)
            return False
        except TakeBackError:
            if referee is not None:
                answers, _ = referee.take_back()
                sitting.begun = self._recorded(finished=False).first(answers)
            return False
        finally:
            dismiss(list(providers.values()), game.winners)
        seat = self.moments[-1].seat if self.moments else (self.persons or (0,))[0]
        self._screen.show(self._shown(seat, game.match.observation(seat), None))
        return True

    def _provider(self, seat: int) -> DecisionProvider:
        from interpreter.ui.matches import provider_of

        if seat in self.persons:
            return _Person(self)
        return provider_of(self.sitting, seat, self.names)

    def _look(self) -> None:
        """Ask for the cards that somebody has come to see."""
        if self.referee is not None:
            self.referee.look()
            self.known = self._game.slots

    def _note(self, decision: Decision) -> None:
        """Note a question to a person."""
        game = self._game
        if decision.seat in self.persons:
            answers, events = len(self.recorder.answers), len(game.events)
            self.moments.append(Moment(answers, events, decision.seat, game.slots))

    def _recorded(self, *, finished: bool) -> recording.Replay:
        """The answers so far, as a replay."""
        sitting = self.sitting
        return self.recorder.replay(
            sitting.program,
            sitting.options,
            range(sitting.people),
            sitting.seed,
            self.names.seats,
            finished=finished,
            draws=() if self.referee is None else self.referee.results,
        )

    def _go_back(self, keep: int) -> None:
        sitting, recorder = self.sitting, self.recorder
        results = 0 if self.referee is None else self.referee.keep(keep)
        if sitting.journal is not None:
            sitting.journal.take_back(TakenBack(keep, results))
        mine = [each for each in recorder.answers[keep:] if each.seat in self.persons]
        self.undone = [*mine, *self.undone]
        sitting.begun = self._recorded(finished=False).first(keep)

    def ask(self, seen: Observation, decision: Decision) -> object:
        """Ask a person; called by the engine, which waits.

        Raises:
            Quit: The person leaves.
        """
        self._asked = decision
        self._note(decision)
        options = shown(lambda: seen, decision)
        question = self.views.question(seen, decision, options)
        of = {group[0]: group for group in decision.options.groups}
        groups = tuple(of[choice.value] for choice in question.choices)
        shown_now = self._shown(decision.seat, seen, question)
        self._screen.show(attrs.evolve(shown_now, groups=groups, remark=self.reader.remark()))
        answer = self._heard()
        self._asked = None
        return answer

    def look_up(self, reading: Reading) -> object:
        """Ask a person what lies on the real table; called by the engine, which waits.

        Raises:
            GoBackError: The person goes back to an earlier question.
            TakeBackError: The last result was wrong.
            Quit: The person leaves.
        """
        game, question = self._game, reading.question
        if reading.is_whole:
            self.known = game.slots
        seen = Observation(game.layout, self.known, question.seat)
        now = self._shown(question.seat, seen, question, reading.settled)
        groups = tuple((each.value,) for each in question.choices)
        shown_now = attrs.evolve(now, groups=groups, is_reading=True, remark=self.reader.remark())
        self._screen.show(shown_now)
        return self._heard()

    def _heard(self) -> object:
        """Wait for what the person at the screen says."""
        word = self._words.get()
        if not isinstance(word, Given):
            self._asked = None
        match word:
            case Given(answer):
                return answer
            case WentBack(keep):
                raise GoBackError(keep)
            case Misread():
                raise TakeBackError("the last result is taken back")
            case Left():
                raise Quit("stopped")

    def _shown(
        self, seat: int, seen: Observation, question: Question | None, until: int | None = None
    ) -> Shown:
        self.sitter = seat
        telling = self.tellings[seat]
        events = self._game.events[:until]
        told = [*telling.story.tell(events[telling.told :]), *telling.story.close()]
        telling.lines += told
        telling.told = len(events)
        view = self.views.view(seen, telling.story.headings(), telling.story.running())
        return Shown(
            seat,
            view,
            question,
            tuple(telling.lines),
            self.views.whereabouts(seen),
            len(self.recorder.answers),
        )

    # ------------------------------------------------------------------ the screen's side

    @property
    def _game(self) -> Game:
        if self.game is None:
            raise RuntimeError("nobody plays")
        return self.game

    @property
    def _screen(self) -> Screen:
        if self.screen is None:
            raise RuntimeError("nobody looks")
        return self.screen

    def answer(self, answer: object) -> None:
        """Give the answer to what is asked.

        Raises:
            IllegalChoice: It is none; says why.
        """
        if self.reader.reading is not None:
            self.undone = []
            self._words.put(Given(answer))
            return
        if self._asked is None:
            return
        self.undone = []
        self._words.put(Given(self._asked.options.normal(answer)))

    def undo(self) -> str:
        """Take the last answer back that whoever is asked has given; says why not if that cannot be."""
        is_asked = self._asked is not None and bool(self.moments)
        if not is_asked and self.reader.reading is None:
            return "nothing is asked"
        given = self.moments[:-1] if is_asked else self.moments
        if self.reader.is_last(given[-1].answers if given else -1):
            self._words.put(Misread())
            return ""
        asked = self.moments[-1].seat if is_asked else self.sitter
        theirs = [each for each in given if not self.is_private or each.seat == asked]
        if not theirs:
            return "there is no answer to take back"
        last = theirs[-1]
        if self.is_private:
            game = self._game
            events, layout = game.events, game.layout
            reason = refusal(last, game.slots, events, layout, self.persons)
            if reason:
                return f"it cannot be taken back: {reason}"
        self._words.put(WentBack(last.answers))
        return ""

    def redo(self) -> str:
        """Give the answer again that was taken back; says why not if that cannot be."""
        asked = self._asked
        if asked is None or not self.undone:
            return "there is nothing to do again"
        first, *rest = self.undone
        if (first.path, first.seat) != (asked.path, asked.seat):
            return "the game has gone another way"
        answer = plain(first.answer)
        if not asked.options.contains(answer):
            return "that answer is not possible any more"
        self.undone = rest
        self._words.put(Given(asked.options.normal(answer)))
        return ""

    def leave(self) -> None:
        """Leave the table; the engine stops."""
        self._words.put(Left())

    def close(self) -> None:
        """Write what was asked for besides the journal, and let others go on with a journal that was begun here."""
        sitting = self.sitting
        if sitting.record is not None and self.game is not None:
            made = self._recorded(finished=self.game.match.over)
            Path(sitting.record).write_text(recording.dumps(made), encoding="utf-8")
        if self._saved is not None:
            self._saved.close()

    def save(self, path: str) -> None:
        """Write a journal with all answers so far, and go on in it.

        Raises:
            JournalError: There is such a file, or it cannot be written.
        """
        sitting = self.sitting
        header = header_of(
            sitting.program,
            sitting.options,
            range(sitting.people),
            seat_names(sitting.program, sitting.people),
            sitting.seed,
            sitting.players,
            sitting.dice,
        )
        journal = Journal.create(path, header)
        pairs = zip(self.recorder.answers, self.recorder.states, strict=True)
        answers = [Answer(each.path, each.seat, each.answer, state) for each, state in pairs]
        journal.begin(answers, () if self.referee is None else self.referee.results)
        if self.referee is not None:
            self.referee.journal = journal
        sitting.journal = self._saved = journal
        sitting.again = ("rulelang", "resume", path)

    def about(self, thing: int) -> Row | None:
        """Tell all about a thing that whoever is asked knows; None if nobody is asked."""
        asked = self._asked
        if asked is None:
            return None
        return self.views.about(self._game.match.observation(asked.seat), thing)

    def advice(self) -> Advice | None:
        """Ask the ruleset's policy about the question, or a search; None if neither knows anything."""
        asked = self._asked
        if asked is None:
            return None
        match = self._game.match
        seen = match.observation(asked.seat)
        question = self.views.question(seen, asked, shown(lambda: seen, asked))
        return advice_for(match, names_of(asked, question.choices))

    def why_not(self, option: str) -> list[str]:
        """Tell why an answer is on offer or not, or else what an expression is and why."""
        asked, inquiry = self._asked, self.inquiry
        if self.reader.reading is not None:
            return ["Chance decides: tell what was rolled or drawn on the table."]
        if asked is None or inquiry is None:
            return ["Nothing is asked."]
        told = list(inquiry.why_not(asked.seat, option))
        if len(told) == 1 and "can never be an answer" in told[0]:
            more = list(inquiry.why(asked.seat, option))
            if not any(line.startswith("error") for line in more):
                return more
        for deeper in dict.fromkeys(found[1] for line in told if (found := _NO.fullmatch(line))):
            more = list(inquiry.why(asked.seat, deeper))
            if not any(line.startswith("error") for line in more):
                told += ["", *more]
        return told
