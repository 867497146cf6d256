"""A game on a real table: what was rolled and drawn is asked at the terminal, written down, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import click

from interpreter.errors import Quit, TakeBackError
from interpreter.layout import BOX, FIRST_PILE, statements
from interpreter.realtable import Question, TableChance
from interpreter.records.journal import TakenBack
from rulelang import ir
from rulelang.wording import one, spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.machine import Match
    from interpreter.providers.replay import Drawn
    from interpreter.records.journal import Journal
    from interpreter.ui.names import Names

HELP = """\
Roll and draw at the table, and type here what came. A number or the name of what is listed will do, or the beginning
of a name; of several, their numbers with blanks between them; of several dice all at once.
back takes the last result back, with all that followed; q stops."""


@attrs.define
class Referee:
    """Looks at a real table through the eyes of who sits at the terminal.

    Attributes:
        program: The ruleset.
        names: What players and things are called.
        read: Gives the next line for a prompt; raises EOFError when there are no more.
        results: What was read off the table so far.
        journal: Where each result is written before it counts.
        told: Is called before something is asked, with how far the log may be told.
        quietly: Whether questions go to standard error.
    """

    program: ir.Program
    names: Names
    read: Callable[[str], str]
    results: list[Drawn] = attrs.field(factory=list)
    journal: Journal | None = None
    told: Callable[[int], None] = lambda _: None
    quietly: bool = False
    _more: list[str] = attrs.field(factory=list, init=False)
    _rolling: str = attrs.field(default="", init=False)
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

    def take_back(self) -> tuple[int, int]:
        """Forget the last result.

        Returns:
            How many answers count still, and how long the log was then.
        """
        self._more.clear()
        if not self.results or self._chance is None:
            self._say("Nothing has been read off the table yet.")
            return self._given(), 0
        last = self.results.pop()
        marks = self._chance.marks
        if self.journal is not None:
            self.journal.take_back(TakenBack(last.after, len(self.results)))
        self._say(f"Taken back: {self._told(last)}.")
        return last.after, marks[len(self.results)] if len(marks) > len(self.results) else 0

    # ------------------------------------------------------------------------------------ asking

    def ask(self, question: Question) -> object:
        """See :class:`interpreter.realtable.Asking`."""
        labels = self._labels(question)
        if question.form == "roll" and question.path == self._rolling and self._more:
            value = self._parsed(question, labels, self._more.pop(0))
            if value is not None:
                return value
        self._more.clear()
        self._rolling = question.path
        self.told(question.settled)
        self._say(self._text(question))
        if labels:
            for number, (label, _) in enumerate(labels, 1):
                self._say(f"{number:>4}  {label}")
        while True:
            try:
                line = self.read("> ").strip()
            except EOFError:
                raise Quit("stopped: there is no more input") from None
            match line:
                case "q" | "quit":
                    raise Quit("stopped")
                case "back":
                    raise TakeBackError("the last result is taken back")
                case "?" | "help" | "h":
                    self._say(HELP)
                    self._say(f"In the rules this draw is called {question.path}.")
                case _:
                    words = line.split() if question.form == "roll" else [line]
                    value = self._parsed(question, labels, words[0] if words else "")
                    if value is not None:
                        self._more = words[1:]
                        return value

    def noted(self, result: Drawn) -> None:
        """See :class:`interpreter.realtable.Asking`."""
        if self.journal is not None:
            self.journal.result(result)

    def refuse(self, reason: str) -> None:
        """See :class:`interpreter.realtable.Asking`."""
        if self.journal is not None:
            self.journal.take_back(TakenBack(self._given(), len(self.results)))
        self._say(f"That is not possible: {reason}. What lies there?")

    def _say(self, text: str) -> None:
        click.echo(text, err=self.quietly)

    def _parsed(
        self, question: Question, labels: Sequence[tuple[str, object]], line: str
    ) -> object:
        """What was typed, in a way that nothing is wrong with; None if it means nothing."""
        value: object
        if not labels:
            value = int(line) if line.isascii() and line.isdigit() and len(line) < 10 else line
        elif question.form == "order" or question.count is not None:
            parts = [_meant(labels, each) for each in line.replace(",", " ").split()]
            value = tuple(each[0] if each is not None else line for each in parts)
        else:
            found = _meant(labels, line)
            if found is None:
                self._say(f"Nothing, or more than one, is called {line!r:.40}. Type ? for help.")
                return None
            value = found[0]
        wrong = question.fault(value)
        if wrong:
            self._say(f"That is not possible: {wrong}. Type ? for help.")
            return None
        return value

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

    def _told(self, result: Drawn) -> str:
        name = spoken(result.path.rpartition(".")[2])
        if result.draw is not None and isinstance(result.value, int):
            return f"{self.names.thing(result.value)} ({name})"
        enum = self._faces(result.path)
        if enum is not None and isinstance(result.value, int):
            return f"{enum.words[result.value - enum.low]} ({name})"
        return f"{result.value} ({name})" if isinstance(result.value, int) else f"the draw ({name})"


def _meant(labels: Sequence[tuple[str, object]], word: str) -> tuple[object] | None:
    """The value that a number, a name or the beginning of one means."""
    if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(labels):
        return (labels[int(word) - 1][1],)
    wanted = word.casefold()
    for fits in (
        [value for label, value in labels if label.casefold() == wanted],
        [value for label, value in labels if wanted and label.casefold().startswith(wanted)],
        [value for label, value in labels if wanted and wanted in label.casefold()],
    ):
        if len(fits) == 1:
            return (fits[0],)
    return None
