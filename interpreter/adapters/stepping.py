"""One game, stepped token by token: what the adapters have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

from interpreter.adapters.actions import Choice
from interpreter.machine import Match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interpreter.adapters.views import View


_views: WeakValueDictionary[str, View] = WeakValueDictionary()


def _name(view: View) -> str:
    return f"{view.program.digest}/{view.digest}"


def _restored(name: str, save: str, taken: Sequence[int], answers: int) -> Stepper:
    view = _views[name]
    made = Stepper.__new__(Stepper)
    made.view, made.answers = view, answers
    made._stand_at(Match.restore(view.program, save))  # noqa: SLF001 - a copy is filled by the class itself
    made._spell(taken)  # noqa: SLF001 - the same
    return made


class Stepper:
    """A game whose decisions are answered by tokens.

    Seats without a person are played by the ruleset's policies.

    Args:
        view: The views of the Program.
        people: How many seats have a person; None: all.
        seed: For chance.
        options: Values of options, as for :class:`interpreter.machine.Match`.

    Raises:
        OptionError: an option that does not exist, or a value it cannot have.
        RuleFault: a rule asks for something impossible before the first decision.
    """

    def __init__(
        self,
        view: View,
        people: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, object] | Sequence[object] | None = None,
    ) -> None:
        self.view = view
        self.answers = 0
        _views[_name(view)] = view
        self._stand_at(Match(view.program, people=people, seed=seed, options=options))

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.match.over

    @property
    def seat(self) -> int | None:
        """Who is asked, from 0; None at the end."""
        return None if self.choice is None else self.choice.decision.seat

    def legal(self, seat: int) -> list[int]:
        """The tokens that a seat can give, rising; none for a seat that is not asked."""
        return self.choice.legal() if self.choice is not None and self.seat == seat else []

    def step(self, token: int) -> None:
        """Give a token of the answer of the seat that is asked.

        Raises:
            ValueError: it is not legal, or the game is over.
            RuleFault: a rule asks for something impossible; the game is at the decision before.
        """
        if self.choice is None:
            raise ValueError("the game is over")
        self.choice.take(token)
        if self.choice.answer is not None:
            self.match.apply(self.choice.answer[0])
            self.answers += 1
            self._stand_at(self.match)

    def numbers(self, seat: int) -> list[int]:
        """What a seat sees, see :mod:`interpreter.adapters.views`."""
        mine = self.choice if self.seat == seat else None
        return self.view.numbers(self.match.observation(seat), self.seat, mine)

    def returns(self) -> list[float]:
        """1 for each seat that has won, -1 for the others; 0 for all while nobody has."""
        winners = self.match.winners or ()
        if not self.over or not winners:
            return [0.0] * self.view.program.seats
        return [1.0 if seat in winners else -1.0 for seat in range(self.view.program.seats)]

    def standing_at(self, match: Match) -> Self:
        """A copy whose game is another match at the same decision, with the same tokens given."""
        twin = self.__class__.__new__(self.__class__)
        twin.view, twin.answers = self.view, self.answers
        twin._stand_at(match)  # noqa: SLF001 - a copy is filled by the class itself
        twin._spell(() if self.choice is None else self.choice.taken)  # noqa: SLF001 - the same
        return twin

    def clone(self) -> Self:
        """An independent copy."""
        return self.standing_at(self.match.clone())

    def _spell(self, tokens: Sequence[int]) -> None:
        choice = self.choice
        if choice is not None:
            for token in tokens:
                choice.take(token)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        twin = self.clone()
        memo[id(self)] = twin
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as a saved game; the view must be in use where it is read."""
        taken = () if self.choice is None else self.choice.taken
        return _restored, (_name(self.view), self.match.save(), taken, self.answers)

    def _stand_at(self, match: Match) -> None:
        self.match = match
        decision = match.next()
        self.choice: Choice | None = (
            None
            if decision is None
            else Choice(self.view.tokens, decision, match.observation(decision.seat))
        )
