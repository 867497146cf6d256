"""A game on a real table: what was rolled and drawn is asked for, written down, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.layout import BOX, FIRST_PILE, statements
from interpreter.realtable import Question, TableChance
from interpreter.records.journal import TakenBack
from interpreter.sight.observation import concealed
from rulelang import ir
from rulelang.wording import one, spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.machine import Match
    from interpreter.providers.replay import Drawn
    from interpreter.records.journal import Journal
    from interpreter.ui.names import Names


@attrs.frozen
class Asked:
    """A result that is asked for, in words.

    Attributes:
        question: What is asked.
        text: The same for people.
        labels: What can be chosen, with the values; empty where a number is told as such.
        eyes: The seats, from 0, that alone may see it; empty if all may.
    """

    question: Question
    text: str
    labels: tuple[tuple[str, object], ...]
    eyes: tuple[int, ...] = ()


class Reader(Protocol):
    """An interface through which somebody tells what lies on the table."""

    def read(self, asked: Asked) -> object:
        """Give a result that :meth:`Question.fault` has nothing against.

        Raises:
            TakeBackError: The last result was wrong.
            Quit: Somebody wants to stop.
        """
        ...

    def say(self, text: str) -> None:
        """Tell something about a result."""
        ...

    def forget(self) -> None:
        """Forget what was told ahead of being asked for."""
        ...


@attrs.define
class Referee:
    """Looks at a real table through the eyes of somebody who sits there.

    Attributes:
        program: The ruleset.
        names: What players and things are called.
        reader: Asks that person.
        results: What was read off the table so far.
        journal: Where each result is written before it counts.
    """

    program: ir.Program
    names: Names
    reader: Reader
    results: list[Drawn] = attrs.field(factory=list)
    journal: Journal | None = None
    _chance: TableChance | None = attrs.field(default=None, init=False)
    _given: Callable[[], int] = attrs.field(default=lambda: 0, init=False)

    def chance(self, seed: int | str, given: Callable[[], int]) -> TableChance:
        """Make who draws for a game that begins: what has been read already comes first.

        Args:
            seed: Of policies.
            given: Says how many answers have been given.
        """
        self._given = given
        self._chance = TableChance(self.program, seed, self.results, self, given)
        self.results = self._chance.drawn
        return self._chance

    def watch(self, match: Match) -> None:
        """Say which match the draws are for."""
        if self._chance is not None:
            self._chance.watch(match)

    def look(self) -> None:
        """Ask for the cards that somebody has come to see; call it whenever the game stands still.

        Raises:
            AnewError: The game has to be played anew, with what is known now.
        """
        if self._chance is not None:
            self._chance.look()

    def take_back(self) -> tuple[int, int]:
        """Forget the last result.

        Returns:
            How many answers count still, and how long the log was then.
        """
        self.reader.forget()
        if not self.results or self._chance is None:
            self.reader.say("Nothing has been read off the table yet.")
            return self._given(), 0
        last = self.results.pop()
        marks = self._chance.marks
        if self.journal is not None:
            self.journal.take_back(TakenBack(last.after, len(self.results)))
        self.reader.say(f"Taken back: {self.described(last)}.")
        return last.after, marks[len(self.results)] if len(marks) > len(self.results) else 0

    def keep(self, answers: int) -> int:
        """Forget all results since so many answers had been given; gives how many are left."""
        self.reader.forget()
        self.results = [each for each in self.results if each.after <= answers]
        return len(self.results)

    # ------------------------------------------------------------------------------------ asking

    def ask(self, question: Question) -> object:
        """See :class:`interpreter.realtable.Asking`."""
        labels = tuple(self._labels(question))
        return self.reader.read(Asked(question, self._text(question), labels, self._eyes(question)))

    def noted(self, result: Drawn) -> None:
        """See :class:`interpreter.realtable.Asking`."""
        if self.journal is not None:
            self.journal.result(result)

    def refuse(self, reason: str) -> None:
        """See :class:`interpreter.realtable.Asking`."""
        if self.journal is not None:
            self.journal.take_back(TakenBack(self._given(), len(self.results)))
        self.reader.say(f"That is not possible: {reason}. What lies there?")

    def _eyes(self, question: Question) -> tuple[int, ...]:
        """The seats that alone may see what is asked for; empty if all may, or none does."""
        if question.form == "roll" or question.of.shape != "thing" or self._chance is None:
            return ()
        match = self._chance.match
        things = (
            {question.thing}
            if question.form == "card"
            else {each for each in question.choices if isinstance(each, int)}
        )
        slots, seats = match.state(), range(self.program.seats)
        found = tuple(seat for seat in seats if not concealed(match.layout, slots, seat, things))
        return () if len(found) == len(seats) else found

    # ------------------------------------------------------------------------------------ wording

    def _labels(self, question: Question) -> list[tuple[str, object]]:
        """What can be chosen, with the values; nothing where a number is typed as such."""
        if question.form == "roll":
            enum = self._faces(question.path)
            if enum is None or enum.numeric:
                return []
            return [(spoken(word), enum.low + n) for n, word in enumerate(enum.words)]
        found = [(self.names.value(each, question.of), each) for each in question.choices]
        if len({label for label, _ in found}) < len(found) and question.form == "card":
            first: dict[str, object] = {}
            for label, value in found:
                first.setdefault(label, value)
            found = list(first.items())
        return sorted(found, key=lambda each: each[0]) if question.form == "card" else found

    def _faces(self, path: str) -> ir.Enum | None:
        for doing in self.program.doings:
            for line in statements(doing.body):
                if isinstance(line, ir.Roll) and line.path == path and line.enum >= 0:
                    return self.program.enums[line.enum]
        return None

    def _text(self, question: Question) -> str:
        name = spoken(question.path.rpartition(".")[2])
        by = question.by
        base = self.program.kinds[0].base
        who = f"{self.names.seat(by - base)} rolls" if by is not None else "Roll"
        match question.form:
            case "roll":
                labels = self._labels(question)
                span = "" if labels else f", {question.low} to {question.high}"
                return f"{who} ({name}{span}). What came?"
            case "pick" if question.count is not None:
                return f"Draw {question.count} at random ({name}). Which ones came?"
            case "pick":
                return f"Draw one at random ({name}). Which one came?"
            case "order":
                return f"Put them into a random order ({name}). Which one is first, second ...?"
            case _:
                return f"{self._card(question.thing)}. Which one is it?"

    def _card(self, thing: int) -> str:
        """Say which card has been turned up, by where it is."""
        assert self._chance is not None  # noqa: S101 - it asks
        match = self._chance.match
        kind = self.names.kind_of(thing)
        noun = one(spoken(kind.name))
        position, place = match.layout.where(match.state(), thing)
        if position >= FIRST_PILE:
            number, owner = match.layout.piles[position - FIRST_PILE]
            pile = spoken(self.program.fields[number].name)
            singleton = self.names.kind_of(owner).singleton
            whose = "" if singleton else f" of {self.names.thing(owner)}"
            where = f"is now in the {pile}{whose}"
        elif place is not None:
            where = f"is now at {self.names.thing(place)}"
        else:
            where = "has been put away" if position == BOX else "has been turned up"
        return f"{noun[:1].upper()}{noun[1:]} {where}"

    def described(self, result: Drawn) -> str:
        """Say what came, and where."""
        name = spoken(result.path.rpartition(".")[2])
        if result.draw is not None and isinstance(result.value, int):
            return f"{self.names.thing(result.value)} ({name})"
        enum = self._faces(result.path)
        if enum is not None and isinstance(result.value, int):
            return f"{enum.words[result.value - enum.low]} ({name})"
        return f"{result.value} ({name})" if isinstance(result.value, int) else f"the draw ({name})"
