"""The game as generated code sees it (its first parameter, ``g``): questions, draws, durations.

Nothing here knows a rule. The state is the list that is passed along; what is here is either part
of driving the game (providers, the answer that is waited for) or counts budgets.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from interpreter import derived, durations
from interpreter.budget import DECISIONS, DEPTH, FIRINGS, LINES
from interpreter.chance import Draws, OutsideDraws, below
from interpreter.decision import Decision, SetOf, patterns
from interpreter.errors import RuleFault
from interpreter.faultcodes import RANGE_LEFT, WRONG_PLACE
from interpreter.layout import FIRST_PILE, Slots, admits
from interpreter.legal import Legal
from interpreter.runtime import SUSPENDED, exhausted, fault
from interpreter.sight.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.chance import ChanceProvider
    from interpreter.compiling.compiled import Compiled
    from interpreter.events import Event
    from interpreter.providers.protocol import DecisionProvider

Items = tuple[Any, ...]
Ends = tuple[tuple[int, object], ...]


class Game:
    """What runs generated code.

    Attributes:
        code: The code.
        frames: Where suspended functions stand, innermost first.
        todo: Frames that are still to be entered again, outermost last.
        ending: The ends that are on their way out: (doing, value), while a function returns ENDING.
        lines: Lines that may still run before the next decision.
        firings: Rules that may still fire.
        depth: Doings inside each other, counted where some can run inside themselves.
        answered: Is there an answer for the question that is entered again?
        answer: That answer.
        pending: The decision that waits.
        log: The event log.
    """

    __slots__ = (
        "answer", "answered", "asked", "base", "chance", "code", "decisions", "depth", "ending",
        "firings", "frames", "hash", "lines", "log", "outside", "pending", "plain", "providers",
        "quick", "seed", "todo",
    )  # fmt: skip

    def __init__(
        self,
        code: Compiled,
        providers: list[DecisionProvider | None],
        chance: ChanceProvider | None,
        seed: int | str,
    ) -> None:
        self.code = code
        self.base = code.program.kinds[0].base
        self.decisions = code.layout.decisions
        self.provide(providers)
        self.chance = chance
        self.seed = seed
        self.hash: Any = None
        self.log: list[Event] | None = [] if code.flags.log else None
        self.outside = False
        self.plain = chance is None and self.log is None
        self.frames: list[Items] = []
        self.todo: list[Items] = []
        self.ending: Ends = ()
        self.lines = LINES
        self.firings = FIRINGS
        self.depth = 0
        self.answered = False
        self.answer: object = None
        self.asked: tuple[int, int] = (0, 0)
        self.pending: Decision | None = None

    def provide(self, providers: list[DecisionProvider | None]) -> None:
        """Set who answers."""
        self.providers = providers
        self.quick: list[Callable[[int], int] | None] = [
            getattr(each, "below", None) for each in providers
        ]

    def twin(self, *chance: ChanceProvider | None) -> Game:
        """A game for a copy of the match; with ``chance`` (one) another one draws."""
        draws = chance[0] if chance else self.chance
        twin = Game(self.code, self.providers, draws, self.seed)
        if self.log is not None:
            twin.log = self.log[:]
        return twin

    def begin(self, answer: tuple[object] | None, pending: Decision | None) -> None:
        """A step begins, perhaps with an answer to what was asked."""
        self.lines = LINES
        self.firings = FIRINGS
        self.depth = 0
        self.answered = answer is not None
        if answer is not None and pending is not None:
            self.answer = answer[0]
            self.asked = (pending.index, pending.seat)

    def finish(self) -> None:
        """A step ends."""
        if self.lines < 0:
            self.out_of_lines()

    # ------------------------------------------------------------------------------------ budgets

    def out_of_lines(self) -> None:
        """Stop: the lines are used up."""
        exhausted(f"more than {LINES:,} lines between two decisions")

    def fire(self) -> None:
        """Pay for the firing of a rule."""
        self.firings -= 1
        if self.firings < 0:
            exhausted(f"more than {FIRINGS:,} rules fired between two decisions")

    def deeper(self) -> None:
        """A doing that can run inside itself begins."""
        if self.depth >= DEPTH:
            exhausted(f"more than {DEPTH} doings inside each other")
        if self.lines < 0:
            self.out_of_lines()

    def count(self, slots: Slots) -> None:
        """A decision has been answered."""
        if self.lines < 0:
            self.out_of_lines()
        self.lines = LINES
        self.firings = FIRINGS
        at = self.code.layout.decisions
        number = slots[at] + 1  # type: ignore[operator]
        slots[at] = number
        if number > DECISIONS:
            exhausted(f"more than {DECISIONS:,} decisions")

    # ------------------------------------------------------------------------------------ questions

    def choose(self, slots: Slots, number: int, player: int, offered: Items, env: Items) -> object:
        """Ask who answers for a player; SUSPENDED if nobody does now."""
        below = self.quick[player - self.base]
        if below is None:
            return self.choose_slowly(slots, number, player, offered, env)
        try:
            answer = offered[below(len(offered))]
        except BaseException:
            self.outside = True
            raise
        if self.log is not None or self.lines < 0:
            return self._quickly(slots, number, player, answer)
        self.lines = LINES
        self.firings = FIRINGS
        at = self.decisions
        slots[at] = made = slots[at] + 1  # type: ignore[operator]
        if made > DECISIONS:
            exhausted(f"more than {DECISIONS:,} decisions")
        return answer

    def choose_alike(
        self, slots: Slots, number: int, player: int, offered: tuple[Items, ...], env: Items
    ) -> object:
        """The same for groups of things of which each is as good as the others of its group."""
        below = self.quick[player - self.base]
        if below is None:
            return self.choose_slowly(slots, number, player, offered, env)
        self.outside = True
        drawn = below(sum(map(len, offered)))
        self.outside = False
        for group in offered:
            if drawn < len(group):
                return self._quickly(slots, number, player, group[0])
            drawn -= len(group)
        raise AssertionError(drawn)

    def choose_set(
        self,
        slots: Slots,
        number: int,
        player: int,
        items: Items,
        least: int,
        most: int,
        env: Items,
    ) -> object:
        """The same for a set of ``least`` to ``most`` of the items."""
        code = self.code
        below = self.quick[player - self.base]
        if below is not None:
            groups = code.groups_of(slots, number, items)
            sizes = tuple([len(group) for group in groups])
            found = patterns(sizes, least, most)
            if found is not None:
                self.outside = True
                taken = found[below(len(found)) if len(found) > 1 else 0]
                self.outside = False
                flat = [each for group in groups for each in group]
                answer = tuple(sorted([flat[place] for place in taken]))
                return self._quickly(slots, number, player, answer)
        domain = code.sets(slots, number, items, least, most, env)
        return self.choose_slowly(slots, number, player, domain, env)

    def _quickly(self, slots: Slots, number: int, player: int, answer: object) -> object:
        """Take the answer that was drawn for a provider that answers evenly at random."""
        if self.lines < 0:
            self.out_of_lines()
        self.lines = LINES
        self.firings = FIRINGS
        slots[self.decisions] += 1  # type: ignore[operator]
        if slots[self.decisions] > DECISIONS:  # type: ignore[operator]
            exhausted(f"more than {DECISIONS:,} decisions")
        if self.log is not None:
            index = self.code.built.asks[number].decision
            self.log.append(("answer", index, player - self.base, answer, "provider"))
        return answer

    def one_set(self, slots: Slots, number: int, items: Items) -> bool:
        """Are all the items interchangeable, so that sets of one size are all alike?"""
        return len(self.code.groups_of(slots, number, items)) == 1

    def policy_set(self, answer: object, domain: SetOf) -> object:
        """A set that a policy chose."""
        return self.set_answer(domain, answer)

    def choose_slowly(
        self,
        slots: Slots,
        number: int,
        player: int,
        offered: Any,  # noqa: ANN401 - by form
        env: Items,
    ) -> object:
        """Ask the provider of a seat; SUSPENDED if there is none or it answers later."""
        seat = player - self.base
        below = self.quick[seat]
        if below is None and isinstance(offered, Legal):
            offered = offered.domain()
        if below is not None and isinstance(offered, (Legal, SetOf)):
            self.outside = True
            drawn = offered.sample(below)
            self.outside = False
            return self._quickly(slots, number, player, drawn)
        provider = self.providers[seat]
        code = self.code
        static = code.program.decisions[code.built.asks[number].decision]
        domain = code.domain(slots, number, offered, env)
        decision = Decision(
            static, seat, domain, self._prompt(slots, number, env),
            self._policy(slots, number, domain, env),
        )  # fmt: skip
        if self.lines < 0:
            self.out_of_lines()
        if provider is None:
            self.pending = decision
            return SUSPENDED
        size = code.layout.size
        self.outside = True
        given = provider.decide(
            lambda: Observation(code.layout, slots[:size], seat, domain.groups), decision
        )
        self.outside = False
        if given is SUSPENDED:
            self.pending = decision
            return SUSPENDED
        answer = domain.normal(given)
        self.count(slots)
        if self.log is not None:
            self.log.append(("answer", static.index, seat, answer, "provider"))
        return answer

    def _prompt(self, slots: Slots, number: int, env: Items) -> str | Callable[[], str]:
        code = self.code
        ask = code.built.asks[number]
        if not ask.prompt_function:
            return ask.prompt
        return lambda: str(code.namespace[ask.prompt_function](slots, env))

    def _policy(
        self,
        slots: Slots,
        number: int,
        domain: Any,  # noqa: ANN401 - by form
        env: Items,
    ) -> Callable[[Any], object] | None:
        code = self.code
        ask = code.built.asks[number]
        if not ask.policy:
            return None

        def policy(draw: Any) -> object:  # noqa: ANN401
            draws = draw if isinstance(draw, Draws) else Draws(draw)
            offered: Any = domain
            if ask.form != "set":
                offered = tuple(each for group in domain.groups for each in group)
            return code.namespace[ask.policy](slots, env, draws, offered)

        return policy

    def take(self, slots: Slots) -> object:
        """The answer that was waited for."""
        self.answered = False
        self.count(slots)
        if self.log is not None:
            self.log.append(("answer", *self.asked, self.answer, "provider"))
        return self.answer

    def resume(self, slots: Slots) -> object:
        """Enter the next suspended function again."""
        frame = self.todo.pop()
        return self.code.reentry[frame[0]](self, slots, frame)

    def sets(
        self, slots: Slots, number: int, items: Items, least: int, most: int | None, env: Items
    ) -> SetOf:
        """The sets that may be chosen."""
        return self.code.sets(slots, number, items, least, most, env)

    def legal_sets(
        self, slots: Slots, number: int, items: Items, least: int, most: int | None, env: Items
    ) -> Legal | SetOf:
        """The sets that may be chosen, all found at once if they are few."""
        return self.code.legal_sets(slots, number, items, least, most, env)

    def any_set(self, domain: SetOf | Legal) -> bool:
        """Is there a legal set?"""
        if isinstance(domain, Legal):
            return bool(domain.legal)
        if domain.some(2):
            return True
        if not domain.settled():
            exhausted("no legal answer was found within the budget of the search")
        return False

    def sole_set(self, domain: SetOf | Legal) -> bool:
        """Is there exactly one?"""
        if isinstance(domain, Legal):
            return len(domain.legal) == 1
        return len(domain.some(2)) == 1 and domain.settled()

    def the_set(self, domain: SetOf | Legal) -> object:
        """The only one."""
        return domain.legal[0] if isinstance(domain, Legal) else domain.some(2)[0]

    def domain(self, domain: SetOf | Legal) -> SetOf:
        """The sets that may be chosen, as policies look at them."""
        return domain.domain() if isinstance(domain, Legal) else domain

    def set_answer(self, domain: SetOf, answer: object) -> object:
        """What a policy chose."""
        if answer is None:
            exhausted("no legal answer was found within the budget of the search")
        return domain.normal(answer)

    # ------------------------------------------------------------------------------------ chance

    def draws(self, slots: Slots, slot: int, path: str) -> Draws:
        """A policy's draws."""
        if self.chance is not None:
            return OutsideDraws(self.chance, path)
        if slots[slot] is None:
            slots[slot] = self.sow(slot)
        return Draws(lambda n: below(slots, slot, n))

    def sow(self, slot: int) -> int:
        """The first state of a stream, as :func:`interpreter.chance.seeded` gives it."""
        if self.hash is None:
            self.hash = f"{self.seed}\0".encode()
        made = blake2b(self.hash + self.code.paths[slot], digest_size=8)
        return int.from_bytes(made.digest(), "big")

    # ------------------------------------------------------------------------------------ leaving

    def merge(self, ends: Ends | None, doing: int) -> Ends | None:
        """The ends after one that came out of an ``after`` rule of ``doing``; the furthest counts."""
        fresh = tuple(each for each in self.ending if each[0] != doing)
        if not ends:
            return fresh or None
        known = {target for target, _ in ends}
        return (*ends, *(each for each in fresh if each[0] not in known))

    def caught(self, ends: Ends, doing: int, result: object) -> tuple[Ends | None, object]:
        """What goes on leaving after ``doing``, and its result: given if the end is its own."""
        left = tuple(each for each in ends if each[0] != doing)
        if left:
            return left, None
        if len(ends) == 1:
            return None, ends[0][1]
        return None, result

    # ------------------------------------------------------------------------------------ durations

    def limits(self, slots: Slots, until: Items) -> tuple[durations.Limit, ...]:
        """Limits as of now; each (doing, values, start)."""
        layout = self.code.layout
        return tuple(
            durations.limit(slots, layout, doing, values, start=start)
            for doing, values, start in until
        )

    def add_value(self, slots: Slots, slot: int, old: object, until: Items) -> None:
        """A slot was written for a time."""
        durations.add_value(slots, self.code.layout, slot, old, until)

    def add_gain(self, slots: Slots, slot: int, amount: int, until: Items) -> None:
        """A slot gained an amount for a time."""
        durations.add_gain(slots, self.code.layout, slot, amount, until)

    def add_row(self, slots: Slots, block: int, values: Items, until: Items) -> None:
        """Put the rules of a block in force."""
        durations.add_row(slots, self.code.layout, block, values, until)

    def use_row(self, slots: Slots, block: int, serial: int) -> None:
        """Set the mark of a row."""
        durations.use_row(slots, self.code.layout, block, serial)

    def wrote(self, slots: Slots, slot: int) -> None:
        """A slot was written for good."""
        durations.wrote(slots, self.code.layout, slot)

    def open(self, slots: Slots, doing: int, args: Items) -> int:
        """A doing that durations name opens."""
        serial, changes = durations.opened(slots, self.code.layout, doing, args)
        if changes:
            self._changed(slots, changes)
        return serial

    def close(self, slots: Slots, serial: int) -> None:
        """A doing that durations name is over."""
        changes = durations.closed(slots, self.code.layout, serial)
        if changes:
            self._changed(slots, changes)

    def _changed(self, slots: Slots, changes: list[durations.Change]) -> None:
        if self.log is not None:
            self.log.extend(("undo", slot, old, new) for slot, old, new in changes)
        layout = self.code.layout
        if all(layout.rows <= slot < layout.durations for slot, _, _ in changes):
            # Only rules of lasting blocks went out of force.
            slots[self.code.derived.dirty] = (1 << len(self.code.program.state_rules)) - 1
            return
        self.code.rebuild(slots)

    # ------------------------------------------------------------------------------------ cards, places

    def hold(self, slots: Slots) -> None:
        """Find out again who holds which card."""
        start = self.code.derived.holders
        if start is not None:
            derived.hold(start, self.code.layout, slots)

    def place(self, slots: Slots, kind: int) -> None:
        """Find out again where the things of a kind are."""
        derived.place(self.code.derived, self.code.layout, slots, kind)

    def flag(self, slots: Slots, field: int) -> None:
        """Find out again for which things a Flag is yes."""
        if field in self.code.derived.flags:
            derived.flag(self.code.derived, self.code.layout, slots, field)

    def hold_card(self, slots: Slots, card: int | None) -> None:
        """Find out again who holds one card."""
        start = self.code.derived.holders
        if start is None or card is None:
            return
        holder = None
        for slot, player in self.code.acting_slots[self.code.layout.kind_of[card]]:
            held = slots[slot]
            if held == card or (isinstance(held, tuple) and card in held):
                holder = player
                break
        slots[start + card] = holder

    def in_force(self, slots: Slots) -> set[int]:
        """The cards with kept values that are in force."""
        start = self.code.derived.holders
        program = self.code.program
        if start is None:
            return set()
        return {card for card, _ in program.card_keeps if slots[start + card] is not None}

    def fresh_card(self, slots: Slots, card: int, before: int | None) -> None:
        """Kept values of a card that nobody held before, and somebody holds now, start afresh."""
        start = self.code.derived.holders
        if before is None and start is not None and slots[start + card] is not None:
            for index in self.code.kept_by.get(card, ()):
                slot = self.code.layout.globals + index
                slots[slot] = self.code.program.globals[index].initial

    def fresh(self, slots: Slots, before: set[int]) -> None:
        """Kept values of cards that have just come into force start afresh."""
        program, layout = self.code.program, self.code.layout
        now = self.in_force(slots)
        for card, keeps in program.card_keeps:
            if card in now and card not in before:
                for index in keeps:
                    slots[layout.globals + index] = program.globals[index].initial

    def move(
        self, slots: Slots, thing: int, where: str, goal: int | None, fields: tuple[int, ...]
    ) -> None:
        """Move a thing of any kind."""
        layout, program = self.code.layout, self.code.program
        start = layout.where(slots, thing)
        if start[0] >= FIRST_PILE:
            slot = layout.slot(*layout.piles[start[0] - FIRST_PILE])
            slots[slot] = tuple(each for each in slots[slot] if each != thing)  # type: ignore[attr-defined]
        position, place = 0, None
        if where in ("top", "bottom"):
            if goal is None:
                fault("none where a pile is needed")
            number = next(
                layout.pile_numbers[field]
                for field in fields
                if program.fields[field].kind == layout.kind_of[goal]
            )
            position = (number or 0) + goal
            slot = layout.slot(*layout.piles[position - FIRST_PILE])
            pile: Any = slots[slot]
            slots[slot] = (thing, *pile) if where == "top" else (*pile, thing)
        elif where == "box":
            position = 1
        elif where == "thing":
            place = goal
        kind = program.kinds[layout.kind_of[thing]]
        if place is not None and (
            kind.place is None or not self._may_be(program.fields[kind.place].type, place)
        ):
            fault(f"a {kind.name} cannot be there", code=WRONG_PLACE)
        layout.put(slots, thing, position, place)
        if self.log is not None:
            self.log.append(("move", thing, start, (position, place)))

    def _may_be(self, of: Any, value: object) -> bool:  # noqa: ANN401
        return admits(self.code.program, of, value)

    def fits(self, fields: tuple[int, ...], thing: int, value: object) -> object:
        """A value for one of several fields, tested against the one of the thing's kind."""
        program = self.code.program
        field = self.code.namespace["field_of"](fields, thing)
        if not self._may_be(program.fields[field].type, value):
            raise RuleFault(f"{program.fields[field].name} cannot be {value!r}", code=RANGE_LEFT)
        return value

    def refuse(self, slots: Slots, slot: int, change: int) -> None:
        """Stop: a number would leave its range."""
        fault(
            f"{self.code.layout.describe(slot)} is {slots[slot]} and cannot change by {change}",
            code=RANGE_LEFT,
        )
