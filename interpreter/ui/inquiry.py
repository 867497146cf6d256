"""What a person at a prompt asks about the rules: told from what the seat sees, and from nothing else.

A game in which nobody asks needs neither parser nor reference interpreter: they are imported where they are used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from interpreter.ui.paint import Paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.machine import Match
    from interpreter.reference.moves import Moves
    from interpreter.sight.openness import Openness
    from interpreter.why import Asked
    from rulelang.ir import Program
    from rulelang.questions import Questions

_PLAYER = re.compile(r"\bplayer\b")


@attrs.define(eq=False)
class Inquiry:
    """Answers questions about a match that waits.

    Attributes:
        game: Name or path of the ruleset.
        match: The match.
        variants: What is merged.
        paint: How answers look.
    """

    game: str
    match: Match
    variants: tuple[str, ...] = ()
    paint: Paint = attrs.field(factory=lambda: Paint(colour=False))
    _questions: Questions | None = attrs.field(default=None, init=False)
    _openness: Openness | None = attrs.field(default=None, init=False)
    _moves: Moves | None = attrs.field(default=None, init=False)

    def why(self, seat: int, asked: str) -> Iterator[str]:
        """Tell the value of an expression, and why it has it, as far as the seat may know."""
        from interpreter.errors import EngineError
        from interpreter.standing import UnseenError
        from interpreter.ui.checking import render
        from interpreter.ui.reasons import Telling
        from rulelang.api import RulesetError
        from rulelang.questions import Questions

        try:
            if self._questions is None:
                self._questions = Questions(
                    self.game, seats=self.match.program.seats, variants=self.variants
                )
            program, expr = self._questions.compiled(asked)
        except RulesetError as error:
            yield from render(error.diagnostics, "full", colour=False).splitlines()
            said = _PLAYER.sub(f"seat_{seat + 1}", asked)
            if said != asked:
                yield f"Between rules nobody is called `player`: you are seat_{seat + 1}. Write: why {said}"
            return
        if program.digest != self.match.program.digest:
            yield "The rules have changed since this game began."
            return
        try:
            answer = self._asked(seat, program).why(expr, asked)
        except UnseenError as error:
            yield f"That cannot be said: {error}."
        except EngineError as error:
            yield f"That has no value now: {error}."
        else:
            yield from Telling(program, self.paint).lines(answer)

    def about(self, seat: int, what: str) -> Iterator[str]:
        """Tell why an answer is on offer or not; of what can never be one, the value and why it has it."""
        from interpreter.standing import UnseenError

        try:
            is_answer = bool(self._asked(seat, None).why_not(what))
        except UnseenError:
            is_answer = True
        yield from self.why_not(seat, what) if is_answer else self.why(seat, what)

    def why_not(self, seat: int, option: str) -> Iterator[str]:
        """Tell why an answer is on offer or not."""
        from interpreter.standing import UnseenError
        from interpreter.ui.reasons import Telling, never

        at = self._asked(seat, None)
        try:
            answers = at.why_not(option)
            if not answers:
                yield never(at, option)
        except UnseenError as error:
            yield f"That cannot be said: {error}."
            return
        telling = Telling(self.match.program, self.paint)
        for answer in answers:
            yield from telling.lines(answer)

    def _asked(self, seat: int, program: Program | None) -> Asked:
        from interpreter.reference.moves import Moves
        from interpreter.sight.openness import Openness
        from interpreter.standing import position_of
        from interpreter.why import Asked

        if self._openness is None or self._moves is None:
            self._openness = Openness(self.match.program)
            self._moves = Moves(self.match.program)
        position = position_of(self.match, program, seat, self._openness)
        return Asked(position, self._moves)
