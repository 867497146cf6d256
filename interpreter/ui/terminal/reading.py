"""Asks at the screen what was rolled and drawn on a real table, as questions like those of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.errors import TakeBackError
from interpreter.ui.reading import Ahead, meant, number_or_text
from interpreter.ui.tabletop.model import Choice, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.realtable import Question as Draw
    from interpreter.ui.refereeing import Asked, Referee

_LISTED = 1_000
"""So many numbers that a die can show are listed; larger ones are typed."""


@attrs.frozen
class Reading:
    """One thing that is asked about a real table.

    Attributes:
        question: As the screen shows it.
        settled: So much of the log is known to be what happened.
        is_whole: Whether every card that somebody sees has been read off the table.
    """

    question: Question
    settled: int
    is_whole: bool


class Desk(Protocol):
    """What is needed of a desk."""

    referee: Referee | None
    sitter: int

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons, from 0."""
        ...

    def look_up(self, reading: Reading) -> object:
        """Ask a person."""
        ...


@attrs.define(eq=False)
class ScreenReader:
    """Asks at a desk; see `interpreter.ui.refereeing.Reader`.

    Attributes:
        desk: Where.
        reading: What is asked now; None: nothing.
    """

    desk: Desk
    reading: Asked | None = None
    _picked: list[object] = attrs.field(factory=list)
    _ahead: Ahead = attrs.field(factory=Ahead)
    _said: str = ""

    # ------------------------------------------------------------------ the engine's side

    def read(self, asked: Asked) -> object:
        """Ask; see the protocol."""
        draw = asked.question
        word = self._ahead.next(draw)
        if word is not None:
            value = self.value(asked, word)
            if not draw.fault(value):
                return value
            self._ahead.forget()
        self._picked.clear()
        self.reading = asked
        try:
            wanted = len(draw.choices) if draw.form == "order" else draw.count
            if wanted is None:
                return self._one(asked)
            while len(self._picked) < wanted:
                try:
                    self._picked.append(self._one(asked, wanted))
                except TakeBackError:
                    if not self._picked:
                        raise
                    self._picked.pop()
            return tuple(self._picked)
        finally:
            self.reading = None

    def say(self, text: str) -> None:
        """Tell it beside the next question."""
        self._said = text

    def forget(self) -> None:
        """Forget further dice that were typed at once."""
        self._ahead.forget()

    def remark(self) -> str:
        """What is told beside a question; once."""
        said, self._said = self._said, ""
        results = [] if self.desk.referee is None else self.desk.referee.results
        if said or not results or self.desk.referee is None:
            return said
        return f"last from the table: {self.desk.referee.described(results[-1])}"

    def _one(self, asked: Asked, wanted: int = 1) -> object:
        """Ask for one value."""
        draw, text = asked.question, asked.text
        if wanted > 1:
            text = f"{text} Number {len(self._picked) + 1} of {wanted}"
        while True:
            question = Question(
                self._seat(asked),
                draw.path,
                text,
                "",
                (),
                tuple(self._choices(asked)),
                secret=bool(asked.eyes),
            )
            reading = Reading(question, draw.settled, draw.form != "card")
            value = self.desk.look_up(reading)
            if wanted > 1 and value in [each.value for each in question.choices]:
                return value
            wrong = draw.fault(value)
            if not wrong:
                return value
            self._ahead.forget()
            self.say(f"That is not possible: {wrong}")

    def _seat(self, asked: Asked) -> int:
        """Who looks at the table: one who sees what is asked for, if possible who sits there already."""
        persons = self.desk.persons or (0,)
        able = [seat for seat in persons if seat in asked.eyes] or list(persons)
        return self.desk.sitter if self.desk.sitter in able else able[0]

    def _choices(self, asked: Asked) -> list[Choice]:
        draw = asked.question
        pairs: Sequence[tuple[str, object]] = asked.labels or _numbers(draw)
        taken = [(type(each), each) for each in self._picked]
        left = [each for each in pairs if (type(each[1]), each[1]) not in taken]
        things = draw.of.shape == "thing"
        return [
            Choice(
                number,
                label,
                label,
                value,
                things=(value,) if things and isinstance(value, int) else (),
            )
            for number, (label, value) in enumerate(left, 1)
        ]

    # ------------------------------------------------------------------ the screen's side

    def value(self, asked: Asked, text: str) -> object:
        """What was typed means; itself if that is nothing."""
        if not asked.labels:
            return number_or_text(text)
        found = meant(asked.labels, text)
        return text if found is None else found[0]

    def typed(self, text: str) -> object:
        """What a whole line means that fits none of what is listed: a large number, or several dice at once.

        Returns:
            The first result; None if the line means nothing.
        """
        asked, words = self.reading, text.replace(",", " ").split()
        if asked is None or asked.question.form != "roll" or not words:
            return None
        values = [self.value(asked, word) for word in words]
        if any(asked.question.fault(value) for value in values):
            return None
        self._ahead.keep(words[1:])
        return values[0]

    def is_last(self, answers: int) -> bool:
        """Was something read off the table since so many answers had been given, and one more?"""
        if self._picked and self.reading is not None:
            return True
        results = [] if self.desk.referee is None else self.desk.referee.results
        return bool(results) and results[-1].after > answers


def _numbers(draw: Draw) -> list[tuple[str, object]]:
    last = min(draw.high, draw.low + _LISTED - 1)
    return [(str(number), number) for number in range(draw.low, last + 1)]
