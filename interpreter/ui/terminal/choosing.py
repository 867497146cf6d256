"""What a person has typed and marked of a question, and which answer it is. No screen here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.ui.tabletop.model import Choice, Question


class MistypedError(Exception):
    """What was typed means no answer; the message says why."""


@attrs.define
class Choosing:
    """The state of an answer that is being given.

    Attributes:
        question: What is asked.
        groups: For each option the values that nobody can tell apart.
        taken: How many of each option are marked, where several can be.
    """

    question: Question
    groups: Sequence[Sequence[object]]
    taken: dict[int, int] = attrs.field(factory=dict)

    @property
    def several(self) -> bool:
        """Is a set asked for?"""
        return self.question.least is not None

    @property
    def numbered(self) -> bool:
        """Do options have numbers? Those that are numbers themselves speak for themselves."""
        return not all(choice.text.isdigit() for choice in self.question.choices)

    def fitting(self, text: str) -> list[Choice]:
        """Give the options that fit what was typed: by number, or by words that they have."""
        choices = self.question.choices
        wanted = text.strip().casefold()
        if not wanted or (self.several and len(wanted.split()) > 1):
            return list(choices)
        if wanted.isdigit():
            number = [each for each in choices if self._called(each).startswith(wanted)]
            exact = [each for each in number if self._called(each) == wanted]
            return exact + [each for each in number if each not in exact]
        words = wanted.split()
        return [each for each in choices if all(word in each.text.casefold() for word in words)]

    def _called(self, choice: Choice) -> str:
        return str(choice.number) if self.numbered else choice.text

    def mark(self, choice: Choice) -> None:
        """Take one more of an option; none of it after all of them."""
        count = self.taken.get(choice.number, 0)
        self.taken[choice.number] = 0 if count == choice.count else count + 1

    def mark_answer(self, answer: object) -> None:
        """Mark what an answer takes."""
        values = answer if isinstance(answer, tuple) else (answer,)
        self.taken = {
            choice.number: sum(value in group for value in values)
            for choice, group in zip(self.question.choices, self.groups, strict=True)
        }

    def answer(self) -> tuple[object, ...]:
        """Give the marked options as an answer."""
        return tuple(
            value
            for choice, group in zip(self.question.choices, self.groups, strict=True)
            for value in list(group)[: self.taken.get(choice.number, 0)]
        )

    def typed(self, text: str) -> object:
        """Read several numbers as a whole answer: `1 3`, `2x3` for three of option 2.

        Raises:
            MistypedError: There is no such option, or not that many.
        """
        taken: dict[int, int] = {}
        for word in text.replace(",", " ").split():
            number, times, count = word.partition("x")
            choice = next((c for c in self.question.choices if self._called(c) == number), None)
            if choice is None or (times and not count.isdigit()):
                raise MistypedError(f"no option has the number {number!r}")
            taken[choice.number] = taken.get(choice.number, 0) + (int(count) if times else 1)
            if taken[choice.number] > choice.count:
                raise MistypedError(f"there are not that many of {choice.text!r}")
        self.taken = taken
        return self.answer()

    def asks_for(self) -> str:
        """Say how many are to be taken; empty if it is one."""
        least, most = self.question.least, self.question.most
        if least is None:
            return ""
        size = str(least) if least == most else f"{least} to {most}"
        return f"choose {size}, {sum(self.taken.values())} marked"
