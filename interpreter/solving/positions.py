"""Games as trees: positions where chance, a player or nobody moves, and what follows from each."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

import attrs

from interpreter.machine import LATER, Match
from interpreter.reference.machine import Reference
from interpreter.sight.observation import Observation
from interpreter.solving.chances import CHANCE, Tape, TooManyError, visible
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from interpreter.decision import Decision

Kind = Literal["chance", "decision", "end"]
ANSWERS: Final = 10_000
"""One decision may have so many answers."""
PAYOFF: Final = "payoff"
"""The property of players that says what a game is worth to them, unless another one is named."""
SURE: Final = Fraction(1)


class PayoffError(ValueError):
    """What a game is worth to its players cannot be told; the message is a sentence."""


@attrs.frozen
class Branch:
    """One way on from a position.

    Attributes:
        odds: How likely it is; 1 where somebody decides.
        label: What was drawn (a tuple of all draws of the step) or answered.
        position: Where it leads.
    """

    odds: Fraction
    label: object
    position: Position


@attrs.frozen(eq=False)
class Position:
    """Where a game stands: in front of a draw, at a decision, or at its end.

    Attributes:
        game: The game.
        match: The match that stands there; never moved.
        kind: Who moves.
        seat: Who decides, from 0; -1 where nobody does.
    """

    game: Tree
    match: Match
    kind: Kind
    seat: int

    @property
    def decision(self) -> Decision:
        """What is asked; there must be something."""
        asked = self.match.pending
        assert asked is not None  # noqa: S101 - said above
        return asked

    def key(self) -> tuple[object, ...]:
        """The position as a value: positions with equal keys have equal futures."""
        return self.match.key()

    def answers(self) -> tuple[object, ...]:
        """All legal answers.

        Raises:
            TooManyError: They are too many.
        """
        found = self.decision.options.some(ANSWERS + 1)
        if len(found) > ANSWERS:
            raise TooManyError(
                f"{self.decision.path} has more than {ANSWERS:,} answers; that is the most that are looked at"
            )
        return found

    def after(self, answer: object) -> Position:
        """Where an answer leads."""
        twin = self.match.clone()
        twin.apply(answer)
        return self.game.stand(twin)

    def branches(self) -> list[Branch]:
        """All ways on: none from the end.

        Raises:
            TooManyError: They are too many.
            RuleFault: A rule asked for something impossible.
        """
        if self.kind == "end":
            return []
        if self.kind == "decision":
            return [Branch(SURE, answer, self.after(answer)) for answer in self.answers()]
        tape = self.game.tape
        found: list[Branch] = []
        while True:
            tape.begin()
            after = self.after(answer=True)
            found.append(Branch(tape.odds, tuple(tape.drawn), after))
            if not tape.turn():
                return found

    def expanded(self) -> tuple[Position, list[Branch]]:
        """The position with its ways on; where chance has no choice, those of the position that it leads to.

        Raises:
            TooManyError: They are too many.
            RuleFault: A rule asked for something impossible.
        """
        here = self
        found = here.branches()
        while here.kind == "chance" and len(found) == 1:
            here = found[0].position
            found = here.branches()
        return here, found

    def payoffs(self) -> tuple[Fraction, ...]:
        """What the position is worth to each seat if the game ends here.

        Raises:
            PayoffError: A payoff is no number.
        """
        return self.game.payoffs(self.match)

    def sees(self, seat: int) -> tuple[object, ...]:
        """What a seat sees there, as a value."""
        layout = self.match.layout
        # Streams of chance are never seen, and how often somebody was asked is none of the rules' business.
        slots = self.match.standing_slots()
        seen = Observation(layout, slots, seat)
        return (seen.slots[: layout.decisions], seen.face_down)


class _Policy:
    """Answers by the ruleset's policies, which must not draw, and leaves chance to whoever asks."""

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See :class:`interpreter.providers.protocol.DecisionProvider`."""
        del observation
        if decision.path == CHANCE:
            return LATER
        if decision.policy is None:
            raise TooManyError(f"the ruleset has no policy for {decision.path}")
        answer = decision.policy(_no_draw)
        return answer if decision.options.contains(answer) else decision.options.first()


def _no_draw(sides: int) -> int:
    if sides == 1:
        return 0
    raise TooManyError("a policy that draws at random cannot be followed through all of its draws")


class Tree:
    """A game seen as the tree of its positions; a decision with one legal answer is one too.

    Args:
        program: The game.
        people: The seats with a person, as :class:`interpreter.machine.Match` takes them.
        options: Values of options.
        automas: Seats (from 0) of people for whom the ruleset's policies answer.
        payoff: The field or property of players that says what the end is worth to each. Where the ruleset has
            no property `payoff`, who wins has 1 and shares it with other winners, and who loses against winners
            loses what the winners have, in equal parts; of a game for one, winning is 1.
    """

    def __init__(
        self,
        program: ir.Program,
        *,
        people: int | Iterable[int] | None = None,
        options: Mapping[str, object] | None = None,
        automas: Collection[int] = (),
        payoff: str | None = None,
    ) -> None:
        self.program = program
        self.tape = Tape()
        self.seats = program.kinds[0].count
        providers = {seat: _Policy() for seat in automas}
        self._start = Match(
            visible(program),
            people=people,
            options=options,
            providers=providers,
            chance=self.tape,
            forced=True,
        )
        self._worth = _worth(program, payoff)
        self._reader = Reference(program, self._start.options)
        self._known: dict[tuple[object, ...], tuple[Fraction, ...]] = {}

    @property
    def is_open(self) -> bool:
        """Does everybody see everything? Nothing is hidden, and nobody answers in secret."""
        return (
            all(each.sight == "open" and each.name != "face_up" for each in self.program.fields)
            and all(each.sight == "open" for each in self.program.globals)
            and not any(each.secret for each in self.program.decisions)
        )

    def root(self) -> Position:
        """The position in which the game begins."""
        return self.stand(self._start.clone())

    def stand(self, match: Match) -> Position:
        """Run a match to its next position.

        Raises:
            RuleFault: A rule asked for something impossible.
        """
        decision = match.next()
        if decision is None:
            return Position(self, match, "end", -1)
        if decision.path == CHANCE:
            return Position(self, match, "chance", -1)
        return Position(self, match, "decision", decision.seat)

    def payoffs(self, match: Match) -> tuple[Fraction, ...]:
        """What a match is worth to each seat if it ends where it stands."""
        slots = match.standing_slots()
        if not self._worth:
            return _shares(match.winners or (), self.seats)
        known = self._known.get(key := tuple(slots[: match.layout.globals]))
        if known is None:
            self._reader.slots = slots
            known = self._known[key] = tuple(self._payoff(seat) for seat in range(self.seats))
        return known

    def _payoff(self, seat: int) -> Fraction:
        found = self._reader.value(self._worth[seat], {})
        if not isinstance(found, int):
            raise PayoffError(f"The payoff of player {seat + 1} is no number at the end of a game.")
        return Fraction(int(found))


def _shares(winners: tuple[int, ...], seats: int) -> tuple[Fraction, ...]:
    if seats == 1:
        return (Fraction(len(winners)),)
    if not winners or len(winners) == seats:
        return (Fraction(0),) * seats
    gain = Fraction(1, len(winners))
    loss = Fraction(-1, seats - len(winners))
    return tuple(gain if seat in winners else loss for seat in range(seats))


def _worth(program: ir.Program, payoff: str | None) -> tuple[ir.Expr, ...]:
    """For each seat the expression of what the end is worth to it; none if it is who has won."""
    name = PAYOFF if payoff is None else payoff
    player = program.kinds[0]
    seats = [
        ir.Const(value=player.base + seat, type=ir.Type("thing", kinds=(0,)))
        for seat in range(player.count)
    ]
    for field in program.fields:
        if (field.kind, field.name, field.keys, field.pile) == (0, name, 1, False):
            return tuple(ir.FieldGet(obj=seat, fields=(field.index,)) for seat in seats)
    for each in program.definitions:
        if each.name == f"player.{name}" and len(each.params) == 1:
            return tuple(ir.CallDef(definition=each.index, args=(seat,)) for seat in seats)
    if payoff is not None:
        raise PayoffError(f"Players have no field and no property {payoff!r}.")
    return ()


__all__ = ["Branch", "Kind", "PayoffError", "Position", "Tree"]
