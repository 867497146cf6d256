"""A match: a game that is played, from outside step by step or to its end with providers.

The state is a list of slots and a tuple of immutable frames. Each step works on a copy of the list,
so a clone shares all that there is at a decision. Every step is a transaction: a fault, a used-up
budget or a failing provider leaves the match at the decision before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from interpreter.compiling.built import ROUNDS, Flags
from interpreter.compiling.compiler import compiled
from interpreter.decision import plain
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
from interpreter.records import saves
from interpreter.records.heading import heading_of
from interpreter.runtime import SUSPENDED, GameEnd
from interpreter.sight.observation import Observation
from interpreter.traces import RULES, fault_of, suspended_stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.chance import ChanceProvider
    from interpreter.compiling.built import Point
    from interpreter.compiling.compiled import Compiled
    from interpreter.decision import Decision
    from interpreter.events import Event
    from interpreter.layout import Layout, Slots
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

LATER = SUSPENDED
"""What a provider answers that will answer later: the match is suspended at its decision."""

_NO_PLACE = "this saved game stands at a place that does not exist"


@attrs.frozen
class Outcome:
    """How a match ended.

    Attributes:
        winners: The seats that won, from 0; None if nobody said so.
        ended: Was it ended by a rule, rather than by running out?
    """

    winners: tuple[int, ...] | None
    ended: bool


class Waiting(NamedTuple):
    """Where a decision is asked, as generated code keeps it.

    ``doing``: its number. ``point``: the place. ``values``: of the names there. ``unmasks``: kinds whose sets are
    masks, with their first things.
    """

    doing: int
    point: Point
    values: tuple[Any, ...]
    unmasks: dict[int, int]


class _Position(NamedTuple):
    """Where a match stands; nothing in it is ever changed, so copies of the match share it.

    ``slots``: the state, derived slots included. ``frames``: None before the first step. ``answer``: of the pending
    decision, in a tuple of one, until the next step takes it.
    """

    slots: Slots
    frames: tuple[Any, ...] | None = None
    pending: Decision | None = None
    answer: tuple[object] | None = None
    over: bool = False
    ended: bool = False


@attrs.frozen(eq=False)
class _Table:
    """What stays the same while a match is played; copies of the match share it too."""

    code: Compiled
    people: tuple[int, ...]
    names: tuple[str, ...]
    providers: tuple[DecisionProvider | None, ...]
    chance: ChanceProvider | None
    seed: int | str

    def game(self) -> Game:
        """The part of the engine that a match uses while a step runs."""
        return Game(self.code, list(self.providers), self.chance, self.seed)


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
        optimise: Off where the time to make the code counts more than that of play; it changes nothing else.
        forced: Ask people also where they have one legal answer.
        measured: Whether definitions can be looked at, see :class:`interpreter.compiling.built.Flags`.

    Raises:
        OptionError: an option that does not exist, or a value it cannot have.
    """

    __slots__ = ("_at", "_game", "_live", "_table")

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
        forced: bool = False,
        measured: bool = False,
    ) -> None:
        if isinstance(options, Mapping):
            options = option_values(program, dict(options))
        flags = Flags(log=log, checks=checks, optimise=optimise, forced=forced, measured=measured)
        code = compiled(program, None if options is None else tuple(options), flags)
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
        seats = code.program.kinds[0].count
        answering = tuple(providers.get(seat) for seat in range(seats))
        self._table = _Table(code, people, tuple(names), answering, chance, seed)
        self._game: Game | None = None
        self._live: Slots | None = None
        self._at = _Position(code.initial(people))

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that have a person, from 0."""
        return self._table.people

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called; empty if nobody said."""
        return self._table.names

    # ------------------------------------------------------------------------------------ driving

    @property
    def program(self) -> ir.Program:
        """What is played."""
        return self._table.code.program

    @property
    def options(self) -> tuple[object, ...]:
        """The values of the options."""
        return self._table.code.options

    @property
    def over(self) -> bool:
        """Has it ended?"""
        return self._at.over

    @property
    def pending(self) -> Decision | None:
        """The decision that waits for an answer, if :meth:`next` has found one."""
        return self._at.pending if self._at.answer is None else None

    def next(self) -> Decision | None:
        """Run to the next decision that nobody answers at once.

        Returns:
            The decision, or None at the end of the game.

        Raises:
            RuleFault: a rule asked for something impossible; the match is at the decision before.
            IllegalChoice: a provider's answer was refused; the same.
        """
        at = self._at
        if at.over or (at.pending is not None and at.answer is None):
            return at.pending
        code = self._table.code
        game = self._game
        if game is None:
            game = self._game = self._table.game()
        # What stands at a decision is never changed again: decisions and clones look at it.
        slots = at.slots[:]
        self._live = slots
        game.frames = []
        game.pending = None
        game.outside = False
        game.begin(at.answer, at.pending)
        logged = len(game.log) if game.log is not None else 0
        try:
            if at.frames is None:
                out = code.main(game, slots)
            else:
                game.todo = list(at.frames)
                out = game.resume(slots)
            game.finish()
        except GameEnd:
            slots[code.layout.acting] = ()
            self._at = _Position(slots, (), over=True, ended=True)
            return None
        except BaseException as error:
            if game.log is not None:
                del game.log[logged:]
            self._at = at._replace(answer=None)
            if isinstance(error, RuleFault) or (isinstance(error, RULES) and not game.outside):
                raise fault_of(code, error) from error
            raise
        finally:
            self._live = None
        if out is SUSPENDED:
            self._at = _Position(slots, tuple(game.frames), game.pending)
            return game.pending
        self._at = _Position(slots, (), over=True)
        return None

    def apply(self, answer: object) -> None:
        """Answer the pending decision; :meth:`next` goes on.

        Raises:
            IllegalChoice: it is not legal, or nothing is asked; the match is as it was.
        """
        at = self._at
        if at.pending is None or at.answer is not None:
            raise IllegalChoice(Reason.NO_DECISION)
        self._at = _Position(at.slots, at.frames, at.pending, (at.pending.options.normal(answer),))

    def play(self) -> Outcome:
        """Run to the end; every seat with a person needs a provider.

        Raises:
            IllegalChoice: nobody answers for a seat.
        """
        while (decision := self.next()) is not None:
            # A decision that waited before there was a provider: of a restored match, say.
            provider = self._table.providers[decision.seat]
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
        twin._table = self._table
        twin._at = self._at
        twin._live = None
        twin._game = None
        if self._game is not None and self._game.log is not None:
            twin._game = self._game.twin()
        return twin

    def moved(self, state: Slots) -> Match:
        """A copy without providers that stands at the same place in another state; the question is put again.

        Raises:
            RuleFault: the question is impossible there.
        """
        twin = self.clone()
        twin.provide({})
        slots = state[:]
        self._table.code.rebuild(slots)
        twin._at = _Position(slots, self._at.frames)
        twin.next()
        return twin

    def derived(self, state: Slots) -> Slots:
        """A state with the slots that the engine derives from it, for :meth:`dealt`."""
        slots = state[:]
        self._table.code.rebuild(slots)
        return slots

    def dealt(
        self,
        state: Slots,
        frames: tuple[Any, ...] | None = None,
        seed: int | str = 0,
        kinds: Iterable[int] | None = None,
    ) -> Match:
        """A copy in another state, without providers, whose chance is seeded anew; the question is put again.

        Args:
            state: Saved slots; streams that are None are sown from the seed when they are first drawn from.
            frames: Where it stands, see :attr:`frames`; None: at the same place.
            seed: Of chance.
            kinds: The state has derived slots, and only things of these kinds have changed since.

        Raises:
            RuleFault: the question is impossible there.
        """
        twin = Match.__new__(Match)
        nobody = (None,) * len(self._table.providers)
        twin._table = attrs.evolve(self._table, providers=nobody, chance=None, seed=seed)
        twin._game = twin._live = None
        slots = state[:]
        if kinds is None:
            self._table.code.rebuild(slots)
        else:
            self._table.code.refresh(slots, kinds)
        twin._at = _Position(slots, self._at.frames if frames is None else frames)
        twin.next()
        return twin

    def bare(self) -> Match:
        """A copy without log, promises and providers, which runs faster; one with them where code differs too much."""
        table = self._table
        flags = Flags(optimise=table.code.flags.optimise)
        twin = self.clone()
        twin.provide({})
        if table.code.flags == flags:
            return twin
        code = compiled(self.program, self.options, flags)
        frames = table.code.translated(self.frames, code)
        if frames is None or self.pending is None:
            return twin
        twin._table = attrs.evolve(twin._table, code=code)
        twin._game = None
        return twin.dealt(self.state(), frames, table.seed)

    @property
    def frames(self) -> tuple[Any, ...]:
        """Where the match stands, innermost first: number of a function, of a point in it, and values of names."""
        return self._at.frames or ()

    def masked(self) -> dict[int, int]:
        """The kinds whose sets are masks in frames, with their first things."""
        return self._table.code.built.unmasks

    def points(self, number: int) -> tuple[int, tuple[Point, ...]]:
        """The doing of a function of generated code, and the places where it can be suspended."""
        return self._table.code.built.frames[number]

    def provide(self, providers: Mapping[int, DecisionProvider]) -> None:
        """Set who answers from now on."""
        answering = tuple(providers.get(seat) for seat in range(self.program.kinds[0].count))
        self._table = attrs.evolve(self._table, providers=answering)
        if self._game is not None:
            self._game.provide(list(answering))

    def draw_from(self, chance: ChanceProvider | None) -> None:
        """Set who draws from now on; None: the seeded streams of the state."""
        self._table = attrs.evolve(self._table, chance=chance)
        self._game = (
            None if self._game is None or self._game.log is None else self._game.twin(chance)
        )

    # ------------------------------------------------------------------------------------ looking

    @property
    def outcome(self) -> Outcome:
        """Winners so far, and how it ended."""
        winners: Any = self._at.slots[self.layout.winners]
        base = self.program.kinds[0].base
        seats = None if winners is None else tuple(each - base for each in winners)
        return Outcome(seats, self._at.ended)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won so far, from 0; None if nobody said so."""
        return self.outcome.winners

    def state(self) -> Slots:
        """The saved slots, see :class:`interpreter.layout.Layout`; while a step runs, as they are now."""
        slots = self._at.slots if self._live is None else self._live
        for slot in self.layout.streams.values():
            if slots[slot] is None:
                game = self._game if self._game is not None else self._table.game()
                slots[slot] = game.sow(slot)
        return slots[: self.layout.size]

    def peek(self) -> Slots:
        """The slots at the decision that waits, or at the end; they belong to the match, and streams may be None."""
        return self._at.slots

    @property
    def live(self) -> Slots:
        """The slots themselves as they are at this moment, also while a step runs: to look at, never to change."""
        return self._at.slots if self._live is None else self._live

    @property
    def code(self) -> Compiled:
        """The generated code that plays it."""
        return self._table.code

    @property
    def slots(self) -> Slots:
        """A copy of the saved slots, as recording wants them."""
        return self.state()

    def standing_slots(self) -> Slots:
        """The saved slots as they are, streams of chance that nothing has drawn from left None."""
        return self._at.slots[: self.layout.size]

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        return self._table.code.layout

    def observation(self, seat: int) -> Observation:
        """What a seat sees."""
        asked = self.pending
        offered = () if asked is None or asked.seat != seat else asked.options.groups
        return Observation(self.layout, self.state(), seat, offered)

    @property
    def events(self) -> list[Event]:
        """The event log; empty if none is kept."""
        return list(self._game.log or ()) if self._game is not None else []

    @property
    def stack(self) -> tuple[StackEntry, ...]:
        """The doings that are open at the pending decision, outermost first."""
        return suspended_stack(self._table.code, self._at.frames or ())

    def waiting(self) -> Waiting | None:
        """Where the pending decision is asked; None if nothing is pending."""
        at = self._at
        if at.pending is None or at.answer is not None or not at.frames:
            return None
        built = self._table.code.built
        number, point, *values = at.frames[0]
        doing, points = built.frames[number]
        return Waiting(doing, points[point - 1], tuple(values), built.unmasks)

    def key(self) -> tuple[object, ...]:
        """Where it stands, as a value: matches of one game with equal keys go on alike if chance and answers are alike.

        How many decisions there were, and rounds of a loop, does not count.
        """
        at = self._at
        frames = self._table.code.built.frames
        standing: list[object] = []
        for number, point, *values in at.frames or ():
            names = frames[number][1][point - 1].names
            standing.append((number, point))
            standing.extend(
                value
                for name, value in zip(names, values, strict=True)
                if not name.startswith(ROUNDS)
            )
        asked = -1 if at.pending is None else at.pending.index
        return (asked, at.over, *standing, *at.slots[: self.layout.decisions])

    def named(self) -> Iterator[int]:
        """Numbers of all things that a name may stand for in a doing that is open at the pending decision."""
        masked = [self.program.kinds[kind] for kind in self._table.code.built.unmasks]
        waiting: list[object] = [frame[2:] for frame in self._at.frames or ()]
        while waiting:
            value = waiting.pop()
            if isinstance(value, (tuple, list)):
                waiting.extend(value)
            elif isinstance(value, int) and not isinstance(value, bool):
                yield value
                for kind in masked:
                    yield from (kind.base + bit for bit in range(kind.count) if value >> bit & 1)

    # ------------------------------------------------------------------------------------ saving

    def save(self) -> str:
        """The match as JSON, at a decision or at the end.

        Raises:
            SaveError: an answer was given and :meth:`next` not called.
        """
        at = self._at
        if at.answer is not None or (at.frames is None and not at.over):
            raise SaveError("a match is saved at a decision, or when it is over")
        program = self.program
        decision = at.pending
        frames = [[self._doing_name(frame[0]), *frame] for frame in at.frames or ()]
        return saves.dumps(
            saves.Save(
                **attrs.asdict(heading_of(program, self.options, self.people, self.names)),
                slots=self.state(),
                frames=frames,
                over=at.over,
                decision=decision.path if decision is not None else "",
                seat=decision.seat if decision is not None else -1,
                built=self._table.code.flags.words(),
                places=self._table.code.places(),
            )
        )

    def _doing_name(self, function: int) -> str:
        doing = self._table.code.built.frames[function][0]
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

        A game goes on with code that was built as that which saved it: a log that was not kept then
        is not kept now.

        Raises:
            SaveError: it is damaged, or of another ruleset.
        """
        save = saves.loads(text)
        saves.matches(save, program)
        options = option_values(program, {k: plain(v) for k, v in save.options.items()})
        flags = Flags(log=log, checks=checks, optimise=optimise)
        if not save.over:
            flags = flags.like(save.built)
        code = compiled(program, tuple(options), flags)
        if save.places and not save.over and save.places != code.places():
            raise SaveError("this game was saved by another version of the engine")
        match = cls.__new__(cls)
        match._start(code, tuple(save.people), 0, {}, chance, save.names)
        slots = saves.slots_of(save, code.layout)
        code.rebuild(slots)
        match._at = _Position(slots, match._read_frames(save), over=save.over)
        if not save.over:
            match._ask_again(save)
        match.provide(providers or {})
        return match

    def _read_frames(self, save: saves.Save) -> tuple[Any, ...]:
        known = self._table.code.built.frames
        frames = []
        for each in save.frames:
            frame: Any = plain(each)
            try:
                name, number, point, *values = frame
            except (TypeError, ValueError):
                raise SaveError(_NO_PLACE) from None
            whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (number, point))
            if not whole or not 0 <= number < len(known):
                raise SaveError(_NO_PLACE)
            points = known[number][1]
            if not 0 < point <= len(points) or name != self._doing_name(number):
                raise SaveError(_NO_PLACE)
            if len(values) != len(points[point - 1].names):
                raise SaveError(f"the values in {name!r:.40} do not fit")
            frames.append((number, point, *values))
        if bool(frames) == save.over:
            raise SaveError("this saved game stands nowhere, or goes on after its end")
        return tuple(frames)

    def _ask_again(self, save: saves.Save) -> None:
        """Put the question again; what the save says about it must be true."""
        slots = self._at.slots
        try:
            decision = self.next()
        except (EngineError, *RULES, AttributeError, AssertionError) as error:
            raise SaveError(f"this saved game cannot go on: {error}") from None
        if decision is None or (decision.path, decision.seat) != (save.decision, save.seat):
            raise SaveError("this saved game does not stand at the decision it names")
        if slots[: self.layout.size] != self.state():
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
