"""Results of a real table, read line by line from a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import click

from interpreter.errors import Quit, TakeBackError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.realtable import Question
    from interpreter.ui.refereeing import Asked

HELP = """\
Roll and draw at the table, and type here what came. A number or the name of what is listed will do, or the beginning
of a name; of several, their numbers with blanks between them; of several dice all at once.
back takes the last result back, with all that followed; q stops."""
_DIGITS = 10
"""A number on a die has fewer."""


@attrs.define
class Ahead:
    """Dice that were typed at once: the first is the roll that was asked for, these are the next of its kind."""

    _words: list[str] = attrs.field(factory=list, init=False)
    _path: str = attrs.field(default="", init=False)

    def next(self, question: Question) -> str | None:
        """Give what was typed for a question; None: nothing was."""
        if question.form != "roll" or question.path != self._path:
            self._words.clear()
        self._path = question.path
        return self._words.pop(0) if self._words else None

    def keep(self, words: Sequence[str]) -> None:
        """Keep what was typed for the next rolls."""
        self._words[:] = words

    def forget(self) -> None:
        """Forget all of it."""
        self._words.clear()


@attrs.define
class LineReader:
    """Asks who sits at the lines of a terminal; see `interpreter.ui.refereeing.Reader`.

    Attributes:
        line: Gives the next line for a prompt; raises EOFError when there are no more.
        quietly: Whether questions go to standard error.
        told: Is called before something is asked, with how far the log may be told.
    """

    line: Callable[[str], str]
    quietly: bool = False
    told: Callable[[int], None] = lambda _: None
    _ahead: Ahead = attrs.field(factory=Ahead, init=False)

    def read(self, asked: Asked) -> object:
        """Ask; see the protocol."""
        question, labels = asked.question, asked.labels
        word = self._ahead.next(question)
        if word is not None:
            value = self._parsed(question, labels, word)
            if value is not None:
                return value
            self._ahead.forget()
        self.told(question.settled)
        self.say(asked.text)
        for number, (label, _) in enumerate(labels, 1):
            self.say(f"{number:>4}  {label}")
        while True:
            try:
                line = self.line("> ").strip()
            except EOFError:
                raise Quit("stopped: there is no more input") from None
            match line:
                case "q" | "quit":
                    raise Quit("stopped")
                case "back":
                    raise TakeBackError("the last result is taken back")
                case "?" | "help" | "h":
                    self.say(HELP)
                    self.say(f"In the rules this draw is called {question.path}.")
                case _:
                    words = line.split() if question.form == "roll" else [line]
                    value = self._parsed(question, labels, words[0] if words else "")
                    if value is not None:
                        self._ahead.keep(words[1:])
                        return value

    def say(self, text: str) -> None:
        """Write a line."""
        click.echo(text, err=self.quietly)

    def forget(self) -> None:
        """Forget further dice of the same line."""
        self._ahead.forget()

    def _parsed(
        self, question: Question, labels: Sequence[tuple[str, object]], line: str
    ) -> object:
        """What was typed, in a way that nothing is wrong with; None if it means nothing."""
        value: object
        if not labels:
            value = number_or_text(line)
        elif question.form == "order" or question.count is not None:
            parts = [meant(labels, each) for each in line.replace(",", " ").split()]
            value = tuple(each[0] if each is not None else line for each in parts)
        else:
            found = meant(labels, line)
            if found is None:
                self.say(f"Nothing, or more than one, is called {line!r:.40}. Type ? for help.")
                return None
            value = found[0]
        wrong = question.fault(value)
        if wrong:
            self.say(f"That is not possible: {wrong}. Type ? for help.")
            return None
        return value


def number_or_text(line: str) -> object:
    """What was typed, as a number if it is one."""
    return int(line) if line.isascii() and line.isdigit() and len(line) < _DIGITS else line


def meant(labels: Sequence[tuple[str, object]], word: str) -> tuple[object] | None:
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
