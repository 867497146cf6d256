"""A match: a game that is played, from outside step by step or to its end with providers.

The state is a list of slots and a tuple of immutable frames. Each step works on a copy of the list,
so a clone shares all that there is at a decision. Every step is a transaction: a fault, a used-up budget or a failing provider leaves the match
at the decision before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter import saves
from interpreter.compiler import compiled
from interpreter.decision import plain
from interpreter.emit.build import Flags
from interpreter.errors import (
    EngineError,
    IllegalChoice,
    Reason,
    RuleFault,
    SaveError,
    StackEntry,
)
from interpreter.game import Game
from interpreter.layout import option_values
from interpreter.observation import Observation
from interpreter.runtime import SUSPENDED, GameEnd
from interpreter.traces import fault_of, suspended_stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interpreter.chance import ChanceProvider
    from interpreter.compiled import Compiled
    from interpreter.decision import Decision
    from interpreter.events import Event
    from interpreter.layout import Layout, Slots
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

LATER = SUSPENDED
"""What a provider answers that will answer later: the match is suspended at its decision."""

_RULES = (TypeError, IndexError, KeyError, ZeroDivisionError, ValueError, RecursionError)


@attrs.frozen
class Outcome:
    """How a match ended.

    Attributes:
        winners: The seats that won, from 0; None if nobody said so.
        ended: Was it ended by a rule, rather than by running out?
    """

    winners: tuple[int, ...] | None
    ended: bool


class Match:
    """One game.

    Args:
        program: What is played.
        people: How many seats have a person (the first ones), or which; the ruleset's policies
            answer for the others. Everybody, if left out.
        seed: For chance.
        options: Values of options, by name or all in order.
        providers: Who answers, by seat; a seat with a person and without a provider suspends the
            match. A provider may answer :data:`LATER`.
        chance: Draws from outside instead of seeded ones.
        log: Keep the event log.
        checks: Test the promises of the ruleset.
        names: What the seats are called.
        optimise: Off only to test that it changes nothing.

    Raises:
        OptionError: an option that does not exist, or a value it cannot have.
    """

    __slots__ = (
        "_answer", "_code", "_ended", "_frames", "_game", "_live", "_over", "_pending", "_slots",
        "names", "people",
    )  # fmt: skip

    def __init__(
        self,
        program: ir.Program,
        *,
        people: int | Iterable[int] | None = None,
        seed: int | str = 0,
        options: Mapping[str, object] | Sequence[object] | None = None,
        providers: Mapping[int, DecisionProvider] | None = None,
        chance: ChanceProvider | None = None,
        log: bool = False,
        checks: bool = False,
        names: Sequence[str] = (),
        optimise: bool = True,
    ) -> None:
        if options is None or hasattr(options, "keys"):
            options = option_values(program, dict(options or {}))  # type: ignore[arg-type]
        flags = Flags(log=log, checks=checks, optimise=optimise)
        code = compiled(program, tuple(options), flags)  # type: ignore[arg-type]
        self._start(code, _seats(program, people), seed, providers or {}, chance, names)

    def _start(
        self,
        code: Compiled,
        people: tuple[int, ...],
        seed: int | str,
        providers: Mapping[int, DecisionProvider],
        chance: ChanceProvider | None,
        names: Sequence[str],
    ) -> None:
        self._code = code
        self.people = people
        self.names = tuple(names)
        seats = code.program.kinds[0].count
        self._game = Game(code, [providers.get(seat) for seat in range(seats)], chance, seed)
        self._slots = code.initial(people)
        self._frames: tuple[Any, ...] | None = None
        self._pending: Decision | None = None
        self._answer: tuple[object] | None = None
        self._live: Slots | None = None
        self._over = False
        self._ended = False

    # ------------------------------------------------------------------------------------ driving

    @property
    def program(self) -> ir.Program:
        """What is played."""
        return self._code.program

    @property
    def options(self) -> tuple[object, ...]:
        """The values of the options."""
        return self._code.options

    @property
    def over(self) -> bool:
        """Has it ended?"""
        return self._over

    @property
    def pending(self) -> Decision | None:
        """The decision that waits for an answer, if :meth:`next` has found one."""
        return self._pending if self._answer is None else None

    def next(self) -> Decision | None:
        """Run to the next decision that nobody answers at once.

        Returns:
            The decision, or None at the end of the game.

        Raises:
            RuleFault: a rule asked for something impossible; the match is at the decision before.
            IllegalChoice: a provider's answer was refused; the same.
        """
        if self._over or (self._pending is not None and self._answer is None):
            return self._pending
        # What stands at a decision is never changed again: decisions and clones look at it.
        game, slots = self._game, self._slots[:]
        self._live = slots
        game.frames = []
        game.pending = None
        game.outside = False
        game.begin(self._answer, self._pending)
        logged = len(game.log) if game.log is not None else 0
        try:
            if self._frames is None:
                out = self._code.main(game, slots)
            else:
                game.todo = list(self._frames)
                out = game.resume(slots)
            game.finish()
        except GameEnd:
            self._end(slots)
            return None
        except BaseException as error:
            if game.log is not None:
                del game.log[logged:]
            if self._answer is not None:
                self._answer = None
            if isinstance(error, RuleFault) or (isinstance(error, _RULES) and not game.outside):
                raise fault_of(self._code, error) from error
            raise
        finally:
            self._live = None
        self._slots = slots
        self._answer = None
        if out is SUSPENDED:
            self._frames = tuple(game.frames)
            self._pending = game.pending
            return game.pending
        self._over = True
        self._pending = None
        self._frames = ()
        return None

    def _end(self, slots: Slots) -> None:
        self._slots = slots
        self._over = self._ended = True
        self._pending = self._answer = None
        self._frames = ()
        slots[self._code.layout.acting] = ()

    def apply(self, answer: object) -> None:
        """Answer the pending decision; :meth:`next` goes on.

        Raises:
            IllegalChoice: it is not legal, or nothing is asked; the match is as it was.
        """
        if self._pending is None or self._answer is not None:
            raise IllegalChoice(Reason.NO_DECISION)
        self._answer = (self._pending.options.normal(answer),)

    def play(self) -> Outcome:
        """Run to the end; every seat with a person needs a provider.

        Raises:
            IllegalChoice: nobody answers for a seat.
        """
        while (decision := self.next()) is not None:
            # A decision that waited before there was a provider: of a restored match, say.
            provider = self._game.providers[decision.seat]
            seat = decision.seat
            answer = (
                LATER
                if provider is None
                else provider.decide(lambda: self.observation(seat), decision)  # noqa: B023
            )
            if answer is LATER:
                raise IllegalChoice(Reason.NO_DECISION, f"nobody answers for seat {seat}")
            self.apply(answer)
        return self.outcome

    def clone(self) -> Match:
        """An independent copy, at any decision; providers and the chance provider are shared."""
        twin = Match.__new__(Match)
        twin._code = self._code
        twin.people = self.people
        twin.names = self.names
        twin._game = self._game.twin()
        twin._slots = self._slots
        twin._frames = self._frames
        twin._pending = self._pending
        twin._answer = self._answer
        twin._live = None
        twin._over = self._over
        twin._ended = self._ended
        return twin

    def provide(self, providers: Mapping[int, DecisionProvider]) -> None:
        """Set who answers from now on."""
        seats = self.program.kinds[0].count
        self._game.provide([providers.get(seat) for seat in range(seats)])

    # ------------------------------------------------------------------------------------ looking

    @property
    def outcome(self) -> Outcome:
        """Winners so far, and how it ended."""
        winners: Any = self._slots[self._code.layout.winners]
        base = self.program.kinds[0].base
        seats = None if winners is None else tuple(each - base for each in winners)
        return Outcome(seats, self._ended)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won so far, from 0; None if nobody said so."""
        return self.outcome.winners

    def state(self) -> Slots:
        """The saved slots, see :class:`interpreter.layout.Layout`; while a step runs, as they are now."""
        slots = self._slots if self._live is None else self._live
        for slot in self._code.layout.streams.values():
            if slots[slot] is None:
                slots[slot] = self._game.sow(slot)
        return slots[: self._code.layout.size]

    @property
    def slots(self) -> Slots:
        """A copy of the saved slots, as recording wants them."""
        return self.state()

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        return self._code.layout

    def observation(self, seat: int) -> Observation:
        """What a seat sees."""
        return Observation(self._code.layout, self.state(), seat)

    @property
    def events(self) -> list[Event]:
        """The event log; empty if none is kept."""
        return list(self._game.log or ())

    @property
    def stack(self) -> tuple[StackEntry, ...]:
        """The doings that are open at the pending decision, outermost first."""
        return suspended_stack(self._code, self._frames or ())

    # ------------------------------------------------------------------------------------ saving

    def save(self) -> str:
        """The match as JSON, at a decision or at the end.

        Raises:
            SaveError: an answer was given and :meth:`next` not called.
        """
        if self._answer is not None or (self._frames is None and not self._over):
            raise SaveError("a match is saved at a decision, or when it is over")
        program = self.program
        decision = self._pending
        frames = [
            [self._doing_name(frame[0]), *frame] for frame in self._frames or ()
        ]
        return saves.dumps(
            saves.Save(
                ruleset=program.name,
                digest=program.digest,
                seats=program.seats,
                options={
                    option.name: value
                    for option, value in zip(program.options, self.options, strict=True)
                },
                people=list(self.people),
                names=list(self.names),
                slots=self.state(),
                frames=frames,
                over=self._over,
                decision=decision.path if decision is not None else "",
                seat=decision.seat if decision is not None else -1,
            )
        )

    def _doing_name(self, function: int) -> str:
        doing = self._code.built.frames[function][0]
        return self.program.doings[doing].name if doing >= 0 else "state rules"

    @classmethod
    def restore(
        cls,
        program: ir.Program,
        text: str,
        *,
        providers: Mapping[int, DecisionProvider] | None = None,
        chance: ChanceProvider | None = None,
        log: bool = False,
        checks: bool = False,
        optimise: bool = True,
    ) -> Match:
        """A match from what :meth:`save` gave.

        Raises:
            SaveError: it is damaged, or of another ruleset.
        """
        save = saves.loads(text)
        saves.matches(save, program)
        options = option_values(program, {k: plain(v) for k, v in save.options.items()})
        code = compiled(
            program, tuple(options), Flags(log=log, checks=checks, optimise=optimise)
        )
        match = cls.__new__(cls)
        match._start(code, tuple(save.people), 0, {}, chance, save.names)
        match._slots = saves.slots_of(save, code.layout)
        code.rebuild(match._slots)
        match._over = save.over
        match._frames = match._read_frames(save)
        if not save.over:
            match._ask_again(save)
        match.provide(providers or {})
        return match

    def _read_frames(self, save: saves.Save) -> tuple[Any, ...]:
        known = self._code.built.frames
        frames = []
        for each in save.frames:
            frame = plain(each)
            fits = isinstance(frame, tuple) and len(frame) >= 3 and all(
                isinstance(part, int) and not isinstance(part, bool) for part in frame[1:3]
            )
            if not fits or not 0 <= frame[1] < len(known):
                raise SaveError("this saved game stands at a place that does not exist")
            points = known[frame[1]][1]
            if not 0 < frame[2] <= len(points) or frame[0] != self._doing_name(frame[1]):
                raise SaveError("this saved game stands at a place that does not exist")
            if len(frame) != 3 + len(points[frame[2] - 1].names):
                raise SaveError(f"the values in {frame[0]!r:.40} do not fit")
            frames.append(frame[1:])
        if bool(frames) == save.over:
            raise SaveError("this saved game stands nowhere, or goes on after its end")
        return tuple(frames)

    def _ask_again(self, save: saves.Save) -> None:
        """Put the question again; what the save says about it must be true."""
        slots = self._slots[:]
        try:
            decision = self.next()
        except (EngineError, *_RULES, AttributeError, AssertionError) as error:
            raise SaveError(f"this saved game cannot go on: {error}") from None
        if decision is None or (decision.path, decision.seat) != (save.decision, save.seat):
            raise SaveError("this saved game does not stand at the decision it names")
        if slots[: self._code.layout.size] != self.state():
            raise SaveError("this saved game does not stand at a decision")


def _seats(program: ir.Program, people: int | Iterable[int] | None) -> tuple[int, ...]:
    """The seats that have a person."""
    seats = program.kinds[0].count
    if people is None:
        return tuple(range(seats))
    if isinstance(people, int):
        return tuple(range(min(people, seats)))
    given = tuple(people)
    if given and all(isinstance(each, bool) for each in given):
        return tuple(seat for seat, flag in enumerate(given) if flag)
    return tuple(sorted(given))


def play(
    program: ir.Program,
    providers: Mapping[int, DecisionProvider],
    *,
    people: int | Iterable[int] | None = None,
    seed: int | str = 0,
    options: Mapping[str, object] | Sequence[object] | None = None,
    chance: ChanceProvider | None = None,
) -> Match:
    """Play a game to its end; every seat with a person needs a provider.

    Raises:
        RuleFault: a rule asked for something impossible.
    """
    match = Match(
        program, people=people, seed=seed, options=options, providers=providers, chance=chance
    )
    match.play()
    return match


__all__ = ["LATER", "Match", "Outcome", "play"]
