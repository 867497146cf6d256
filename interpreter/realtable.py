"""Dice and cards of a real table: a chance provider that asks what was rolled and drawn, and shuffles nothing itself.

A roll, and a draw from what lies open, is asked for when the rules make it. A shuffle, and a draw from what nobody
sees, asks nothing: nobody could answer. Something takes the place of each card until somebody sees it, and only then it
is asked for. Since every draw between the shuffle and now treats hidden things alike, the game in which the card was
another one from the start is found by changing two names in the results of the draws from a certain one on, and
playing the game again (see :class:`Drawn`). Nothing that anybody has seen differs.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

import attrs

from interpreter import events as log
from interpreter.chance import Stream
from interpreter.decision import plain
from interpreter.errors import AnewError, ReplayError, TakeBackError
from interpreter.examples.scripts import drawn_types
from interpreter.layout import BOX, FIRST_PILE, statements
from interpreter.providers.replay import Drawn
from interpreter.sight.observation import concealed, ints
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from interpreter.chance import Draws
    from interpreter.events import Event
    from interpreter.layout import Layout, Slots
    from interpreter.machine import Match

FACE_UP = "face_up"
"""The flag that says whether a thing lies face up."""


@attrs.frozen
class Question:
    """What somebody at the table is asked.

    Attributes:
        form: `roll` a number; `pick` of the choices, one or `count` different ones; `order` all of them in their new
            order; `card` which of the choices was turned up.
        path: Of the roll, draw or shuffle.
        by: Who rolls, a player, if the rules say.
        low: The lowest number that can be rolled.
        high: The highest one.
        choices: What can have been drawn.
        of: Their type.
        count: How many are drawn; None for one.
        thing: What takes the place of the card that was turned up, -1 if none was.
        settled: How far the log is known to be what happened.
    """

    form: Literal["roll", "pick", "order", "card"]
    path: str
    by: int | None = None
    low: int = 0
    high: int = 0
    choices: tuple[object, ...] = ()
    of: ir.Type = ir.NUMBER
    count: int | None = None
    thing: int = -1
    settled: int = 0

    def fault(self, value: object) -> str:
        """Say why this cannot be the answer; empty if it can."""
        if self.form == "roll":
            whole = isinstance(value, int) and not isinstance(value, bool)
            fits = whole and self.low <= value <= self.high  # type: ignore[operator]
            return "" if fits else f"it must be a number from {self.low} to {self.high}"
        one = self.form == "card" or (self.form == "pick" and self.count is None)
        given = (value,) if one else value
        if not isinstance(given, tuple):
            return "several are asked for"
        known = {(type(each), each) for each in self.choices}
        if any(type(each) not in {int, bool, str, type(None)} for each in given) or any(
            (type(each), each) not in known for each in given
        ):
            return "it is not among what can be drawn"
        wanted = 1 if one else len(self.choices) if self.form == "order" else self.count
        if len(given) != wanted or len(set(given)) != len(given):
            return f"{wanted} different ones are asked for"
        return ""


class Asking(Protocol):
    """Somebody who looks at the table."""

    def ask(self, question: Question) -> object:
        """Give what was rolled or drawn: a value that :meth:`Question.fault` has nothing against.

        Raises:
            TakeBackError: The last result was wrong.
            Quit: Somebody wants to stop.
        """
        ...

    def noted(self, result: Drawn) -> None:
        """Take note of a result before it counts."""
        ...

    def refuse(self, reason: str) -> None:
        """Say why the last answer could not be; it is asked for again."""
        ...


class TableChance:
    """Draws of one game. Say with :meth:`watch` which, before it begins.

    Args:
        program: The Program.
        seed: Of what policies draw: they are played by the program.
        drawn: What has been read off the table so far.
        asking: Is asked for the rest; None: nobody, what is lacking is an error.
        given: Says how many answers have been given.

    Attributes:
        drawn: What has been read off the table; it grows.
        marks: For each of these that was needed so far, how long the log was then.
    """

    def __init__(
        self,
        program: ir.Program,
        seed: int | str,
        drawn: Iterable[Drawn],
        asking: Asking | None = None,
        given: Callable[[], int] = lambda: 0,
    ) -> None:
        self._program = program
        self._seed = seed
        self._asking = asking
        self._given = given
        self._types = drawn_types(program)
        self._paths = _paths(program)
        self._own: dict[str, Draws] = {}
        self._match: Match | None = None
        self.drawn = list(drawn)
        self.marks: list[int] = []
        self._swaps = [swap for each in self.drawn for swap in each.swaps]
        self._pools: list[frozenset[int]] = []
        self._path_of: list[str] = []
        self._taken: dict[int, frozenset[int]] = {}
        self._unknown: dict[int, list[int]] = {}
        self._read = 0

    def watch(self, match: Match) -> None:
        """Say which match it is; it must keep a log."""
        self._match = match

    @property
    def left(self) -> int:
        """How many results were not needed yet."""
        return len(self.drawn) - len(self.marks)

    # ------------------------------------------------------------------------------------ chance

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        self.look()
        if low == high:
            return low
        return self._result(Question("roll", path, by, low, high))  # type: ignore[return-value]

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        if path not in self._paths:
            drawn = self._draws(path).mix(source)
            return drawn[0] if count is None else drawn[: max(count, 0)]
        self.look()
        if len(source) == 1 and count is None:
            return source[0]
        if count is not None and not 0 < count < len(source):
            return source[: max(count, 0)]
        if self._nobody_sees(source):
            mixed = self._unseen(path, source, count or 1)
            return mixed[0] if count is None else mixed[:count]
        of = self._types.get(path, ir.NUMBER)
        return self._result(Question("pick", path, choices=source, of=of, count=count))

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        if path not in self._paths:
            return self._draws(path).mix(items)
        self.look()
        if len(items) < 2:
            return items
        if self._paths[path] is not None or self._nobody_sees(items):
            return self._mixed(path, items)
        of = self._types.get(path, ir.NUMBER)
        return self._result(Question("order", path, choices=items, of=of))  # type: ignore[return-value]

    def _draws(self, path: str) -> Draws:
        """What a policy draws: the program plays it, so nobody at the table does."""
        if path not in self._own:
            self._own[path] = Stream(self._seed, path)
        return self._own[path]

    def _result(self, question: Question) -> object:
        """A roll or an open draw, from the record or asked for."""
        if self.left:
            recorded = self._next()
            value = plain(recorded.value)
            if recorded.path != question.path or recorded.draw is not None or question.fault(value):
                raise ReplayError(
                    f"result {len(self.marks)} from the table is {value!r:.40} of {recorded.path:.60},"
                    f" but {question.path} is drawn"
                )
            return value
        value = self._asked(question)
        self._note(Drawn(question.path, value, self._given()))
        return value

    def _asked(self, question: Question) -> object:
        if self._asking is None:
            raise ReplayError(
                f"the game draws {question.path}, and no result from the table is left"
            )
        if not question.settled:
            question = attrs.evolve(question, settled=len(self._log()))
        return self._asking.ask(question)

    def _next(self) -> Drawn:
        recorded = self.drawn[len(self.marks)]
        self.marks.append(len(self._log()))
        return recorded

    def _add(self, result: Drawn) -> None:
        self.drawn.append(result)
        if self._asking is not None:
            self._asking.noted(result)

    def _note(self, result: Drawn) -> None:
        self._add(result)
        self.marks.append(len(self._log()))

    # ------------------------------------------------------------------------------------ hidden cards

    def _unseen(self, path: str, source: tuple[object, ...], count: int) -> tuple[object, ...]:
        """The things that nobody sees in an order of which the first ones are drawn."""
        things = [each for each in source if isinstance(each, int)]
        shuffles = [set(self._unknown.get(each, ())) - self._taken.keys() for each in things]
        if set.intersection(*shuffles):
            # They were shuffled together: their places say nothing, so the first places will do.
            return tuple(sorted(things, key=self._place))
        mixed = self._mixed(path, source)
        self._taken[len(self._pools) - 1] = frozenset(mixed[:count])  # type: ignore[arg-type]
        return mixed

    def _place(self, thing: int) -> tuple[int, int]:
        """Where something lies, and which one it is there, whatever it is called by now."""
        layout, slots = self.match.layout, self.match.state()
        position, place = layout.where(slots, thing)
        if position < FIRST_PILE:
            return -1 if place is None else place, self._first_name(thing, len(self._pools))
        field, owner = layout.piles[position - FIRST_PILE]
        return -1 - position, layout.read_tuple(slots, field, owner).index(thing)

    def _mixed(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """Another order of which nobody knows anything: that of the things that stand there until they are seen."""
        number = len(self._pools)
        things = frozenset(each for each in items if isinstance(each, int))
        self._pools.append(things)
        self._path_of.append(path)
        for thing in things:
            self._unknown.setdefault(thing, []).append(number)
        return tuple(sorted(items, key=lambda each: self._first_name(each, number)))

    def _first_name(self, thing: Any, number: int) -> int:  # noqa: ANN401 - a thing
        name: int = thing
        for draw, one, other in reversed(self._swaps):
            if draw <= number:
                name = other if name == one else one if name == other else name
        return name

    def _nobody_sees(self, items: tuple[object, ...]) -> bool:
        layout = self.match.layout
        slots = self.match.state()
        seats = range(self._program.seats)
        return all(
            type(each) is int
            and layout.positions[layout.kind_of[each]] is not None
            and all(concealed(layout, slots, seat, (each,)) for seat in seats)
            for each in items
        )

    def look(self) -> None:
        """Ask for the cards that somebody has come to see since the last time; called before each draw and decision.

        Raises:
            AnewError: One has got its name.
        """
        if not self._unknown:
            self._read = len(self._log())
            return
        layout, slots = self.match.layout, self.match.state()
        happened = self._log()[self._read :]
        begun, self._read = self._read, self._read + len(happened)
        told, named = set[int](), set[int]()
        order: dict[int, int] = {}
        for place, event in enumerate(happened):
            mentioned = [each for each in self._mentioned(event) if each in self._unknown]
            for each in mentioned:
                order.setdefault(each, place)
            if event[0] == log.ANSWER:
                named.update(each for each in mentioned if self._face_up(each) is None)
            elif self._shows(event, layout, slots):
                told.update(mentioned)
        hidden = set(self._unknown)
        for seat in range(self._program.seats):
            hidden &= concealed(layout, slots, seat, hidden)
        seen = [each for each in self._unknown if each not in hidden or each in told]

        def rank(thing: int) -> tuple[int, int]:
            """What happened first comes first, whatever it is called by now."""
            last = self._unknown[thing][-1]
            return order.get(thing, len(happened)), self._first_name(thing, last)

        for thing in sorted(seen, key=rank):
            if thing not in named:
                self._name(thing, begun + order.get(thing, len(happened)))
            del self._unknown[thing]

    def _name(self, thing: int, settled: int) -> None:
        """Find out which card a thing is that somebody sees now."""
        ways = self._told_apart(self._ways(thing))
        if len(ways) == 1:
            return  # it can be no other
        number = self._unknown[thing][-1]
        path = self._path_of[number]
        if self.left:
            recorded = self.drawn[len(self.marks)]
            if recorded.draw == number and plain(recorded.value) == thing:
                self._next()
                return
            if self._asking is None or self.left > 1 or recorded.draw != number:
                raise ReplayError(
                    f"result {len(self.marks) + 1} from the table is {recorded.value!r:.40} of"
                    f" {recorded.path:.60}, but a card of {path} is turned up"
                )
            # It has another name, and still this one lies here: a rule has named it, not chance.
            self.drawn.pop()
            self._asking.refuse("No other card can have come here")
            raise AnewError
        of = self._types.get(path, ir.NUMBER)
        question = Question("card", path, choices=tuple(ways), of=of, thing=thing, settled=settled)
        value = self._asked(question)
        result = Drawn(path, value, self._given(), number, ways[cast("int", value)])
        if value == thing:
            self._note(result)
        else:
            self._add(result)
            raise AnewError

    def _ways(self, thing: int) -> dict[int, tuple[tuple[int, int, int], ...]]:
        """Which cards a thing can be, each with the names to change for it.

        What lies there now came through a draw in which another one could have taken its way; that one came through an
        earlier draw, and so on.
        """
        found: dict[int, tuple[tuple[int, int, int], ...]] = {thing: ()}
        waiting = deque([(thing, len(self._pools))])
        while waiting:
            name, before = waiting.popleft()
            for number in reversed(self._unknown[name]):
                if number >= before:
                    continue
                for other in sorted(self._pools[number]):
                    if other in found or number not in self._unknown.get(other, ()):
                        continue
                    taken = self._taken.get(number)
                    # What was left by a draw has kept its place.
                    if taken is None or (name in taken) is not (other in taken):
                        found[other] = (*found[name], (number, name, other))
                        waiting.append((other, number))
        return found

    def _told_apart(self, ways: dict[int, Any]) -> dict[int, Any]:
        """One of each group of things that nobody can tell apart, the first ones."""
        layout = self.match.layout
        found: dict[object, int] = {}
        for thing in ways:
            kind = layout.kind_of[thing]
            data = (
                (kind, *(layout.read([], each, thing) for each in self._data(kind)))
                if self._program.kinds[kind].alike
                else thing
            )
            found.setdefault(data, thing)
        return {thing: ways[thing] for thing in found.values()}

    def _data(self, kind: int) -> Iterator[int]:
        """The fields that are data and have one value."""
        for each in self._program.fields:
            if (
                each.kind == kind
                and each.keys == 1
                and self.match.layout.offsets[each.index] is None
            ):
                yield each.index

    # ------------------------------------------------------------------------------------ the match

    @property
    def match(self) -> Match:
        """The match that it draws for."""
        assert self._match is not None  # noqa: S101 - see `watch`
        return self._match

    def _log(self) -> list[Event]:
        return self.match.events

    def _mentioned(self, event: tuple[Any, ...]) -> Iterator[int]:
        """The things that an event is about."""
        match event[0]:
            case log.MOVE | log.SET | log.GAIN | log.SHOW:
                yield from ints(event[1])
            case log.BEGIN:
                doing = self._program.doings[event[1]]
                for parameter, value in zip(doing.params, event[2], strict=False):
                    if (parameter.type.elem or parameter.type).shape == "thing":
                        yield from ints(value)
            case log.ANSWER:
                of = self._program.decisions[event[1]].type
                if of.shape == "thing":
                    yield from ints(event[3])
            case _:
                pass

    def _shows(self, event: tuple[Any, ...], layout: Layout, slots: Slots) -> bool:
        """Does somebody see what an event is about?"""
        match event[0]:
            case log.SHOW:
                return True
            case log.SET:
                field = self._program.fields[event[2]]
                return field.name == FACE_UP and event[5] is True
            case log.MOVE:
                position: int = event[3][0]
                if position <= BOX:
                    return not self._lies_down(event[1], layout, slots)
                number, _ = layout.piles[position - FIRST_PILE]
                return self._program.fields[number].sight != "hidden"
            case _:
                return False

    def _face_up(self, thing: int) -> ir.Field | None:
        """The flag that says whether a thing lies face up, if its kind has one."""
        kind = self.match.layout.kind_of[thing]
        return next((f for f in self._program.fields if f.kind == kind and f.name == FACE_UP), None)

    def _lies_down(self, thing: int, layout: Layout, slots: Slots) -> bool:
        flag = self._face_up(thing)
        return flag is not None and layout.read(slots, flag.index, thing) is False


def _paths(program: ir.Program) -> dict[str, int | None]:
    """The draws that are made at the table, each with the field of the pile that it shuffles, if it does."""
    found: dict[str, int | None] = {}
    for doing in program.doings:
        for line in statements(doing.body):
            match line:
                case ir.Roll() | ir.Pick():
                    found[line.path] = None
                case ir.Shuffle():
                    found[line.path] = line.fields[0] if line.fields else None
                case _:
                    pass
    return found


__all__ = [
    "AnewError",
    "Asking",
    "Drawn",
    "Question",
    "TableChance",
    "TakeBackError",
]
