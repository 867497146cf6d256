"""Scripts of scenarios: draws, dice and answers in the order of asking, given to a running game.

A script is chance provider and decision provider at once. What has one possible outcome may be
written or left out; everything else must fit exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

import attrs

from interpreter import events
from interpreter.alike import Alike
from interpreter.chance import Stream
from interpreter.decision import Decision, Domain, SetOf
from interpreter.errors import IllegalChoice, RuleFault, ScriptError
from interpreter.faultcodes import OVERLONG_GAME
from interpreter.layout import statements
from interpreter.naming import Naming
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.layout import Layout
    from interpreter.sight.observation import Observation

SHOWN = 12

Resolve = Callable[[int], object]


class Scripted(Protocol):
    """The game that a script plays."""

    events: list[events.Event]

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        ...

    @property
    def slots(self) -> list[Any]:
        """The state."""
        ...


@attrs.frozen
class _Entry:
    """One value of a line of a script."""

    line: ir.Script
    answer: ir.Answer


class Vocabulary:
    """What scripts of a Program are read with.

    Args:
        program: The Program.

    Attributes:
        naming: What its values are called.
        types: What the draws of each path give.
        labels: The texts of the alternatives of each decision that has some.
    """

    def __init__(self, program: ir.Program) -> None:
        self.naming = Naming(program)
        self.types = drawn_types(program)
        self.labels = _labels(program)


class Script:
    """Plays one `do` of a scenario.

    Args:
        program: The Program.
        lines: The lines of the script.
        resolve: Gives the value of a definition without parameters in the state of now.
        seats: Names of the seats, for messages.
        seed: What the lines leave out is drawn and answered at random from it; None: nothing may be left out.
        most: So many decisions there may be.
        vocabulary: That of the Program, if somebody has it at hand.
    """

    def __init__(
        self,
        program: ir.Program,
        lines: Iterable[ir.Script],
        resolve: Resolve,
        seats: tuple[str, ...],
        seed: int | None = None,
        most: int | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self._luck = None if seed is None else Stream(seed, "script")
        self._left = most
        self._most = most
        vocabulary = vocabulary or Vocabulary(program)
        self._program = program
        self._entries = [_Entry(line, answer) for line in lines for answer in line.values]
        self._resolve = resolve
        self._seats = seats
        self._naming = vocabulary.naming
        self._types = vocabulary.types
        self._labels = vocabulary.labels
        self._next = 0
        self._seen = 0
        self._game: Scripted | None = None

    def watch(self, game: Scripted) -> None:
        """Say which game it is; its event log tells which answers were taken without asking."""
        self._game = game
        self._seen = len(game.events)

    def finish(self) -> None:
        """Say that the game has come to the end of the script's doing.

        Raises:
            ScriptError: something is left over.
        """
        self._catch_up()
        entry = self._entry()
        if entry is not None:
            raise ScriptError(f"left over: {self._told(entry)}")

    # ------------------------------------------------------------------------------------------ chance

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del by
        self._catch_up()
        entry = self._entry()
        if entry is None or entry.line.form != "roll":
            if low == high:
                return low
            if self._luck is not None:
                return low + self._luck(high - low + 1)
            self._missing(f"a roll of {low} to {high} ({path})", f"roll {low}")
        value = self._value(entry)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ScriptError(f"{value!r} cannot be rolled: {low} to {high} ({path})")
        self._next += 1
        return value

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        self._catch_up()
        entry = self._entry()
        needed = count is None or 0 < count < len(source)
        needed = needed and self._differ(source, self._types.get(path, ir.NUMBER))
        if entry is None or entry.line.form != "pick":
            if not needed:
                return source[0] if count is None else source[:count]
            if self._luck is not None:
                mixed = self._luck.mix(source)
                if count is None:
                    return mixed[0]  # type: ignore[no-any-return]
                return tuple(each for each in source if each in mixed[: max(count, 0)])
            one = self._written(source[0], path)
            line = f"pick {one}" if count in (None, 1) else f"pick {{{one}, ...}}"
            self._missing(f"a draw from {len(source)} ({path})", line)
        value = self._value(entry)
        if count is None:
            drawn = self._one_of(value, source, self._types.get(path, ir.NUMBER))
            if drawn is not None:
                self._next += 1
                return drawn
            if not needed:
                return source[0]
        else:
            wanted = value if isinstance(value, tuple) else (value,)
            chosen: list[object] = []
            for each in wanted:
                free = tuple(item for item in source if item not in chosen)
                found = self._one_of(each, free, self._types.get(path, ir.NUMBER))
                if found is not None:
                    chosen.append(found)
            if len(chosen) == len(wanted) == count:
                self._next += 1
                return tuple(chosen)
            if not needed:
                return source[:count]
        raise ScriptError(f"{self._told(entry)} cannot be drawn here ({path})")

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`; a script may name the first ones only."""
        self._catch_up()
        entry = self._entry()
        if entry is None or entry.line.form != "pick":
            if len(items) <= 1:
                return items
            if self._luck is not None:
                return self._luck.mix(items)
            line = f"pick ({self._written(items[0], path)}, ...)"
            self._missing(f"the order after a shuffle of {len(items)} ({path})", line)
        value = self._value(entry)
        first: list[object] = []
        for each in value if isinstance(value, tuple) else (value,):
            left = tuple(item for item in items if item not in first)
            found = self._one_of(each, left, self._types.get(path, ir.NUMBER))
            if found is None:
                if len(items) <= 1:
                    return items
                raise ScriptError(f"{self._told(entry)} is not among what is shuffled ({path})")
            first.append(found)
        self._next += 1
        return (*first, *(item for item in items if item not in first))

    # --------------------------------------------------------------------------------------- decisions

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See :class:`interpreter.providers.protocol.DecisionProvider`."""
        del observation
        self._catch_up()
        self._count()
        domain = decision.options
        while (entry := self._entry()) is not None and self._is_for(
            entry, "refuse", decision.path, decision.seat
        ):
            answer = self._answer(entry, decision)
            if answer is not None:
                raise ScriptError(f"{self._told(entry)}, but it was offered ({decision.path})")
            self._next += 1
        asked = f"{self._seat(decision.seat)} is asked {decision.path}"
        if entry is None or not self._is_for(entry, "choose", decision.path, decision.seat):
            if self._luck is not None:
                return domain.sample(self._luck)
            line = f"{self._seat(decision.seat)} chooses {decision.path}: {self._example(decision)}"
            self._missing(f"an answer: {asked} ({self._offered(domain)})", line)
        answer = self._answer(entry, decision)
        if answer is None:
            raise ScriptError(f"{self._told(entry)}, but {asked} ({self._offered(domain)})")
        self._next += 1
        return answer[0]

    def _count(self) -> None:
        if self._left is None:
            return
        self._left -= 1
        if self._left < 0:
            message = f"this has not ended after {self._most:,} decisions"
            raise RuleFault(message, code=OVERLONG_GAME)

    def _answer(self, entry: _Entry, decision: Decision) -> tuple[object] | None:
        """The legal answer that an entry means, in a tuple; None if it is not legal."""
        domain = decision.options
        for candidate in self._candidates(entry, decision):
            try:
                return (domain.normal(candidate),)
            except IllegalChoice:
                continue
        return None

    def _candidates(self, entry: _Entry, decision: Decision) -> Iterable[object]:
        """What an entry may mean for a decision, best first."""
        answer = entry.answer
        domain = decision.options
        if answer.none:
            yield () if isinstance(domain, SetOf) else None
            return
        if answer.label is not None:
            yield from (each.value for each in domain if answer.label in (each.text, each.key))
            return
        if answer.action is not None:
            yield from self._actions(answer, domain)
            return
        value = self._value(entry)
        if not isinstance(domain, SetOf):
            yield value
            if isinstance(value, tuple):
                yield from value
            return
        if isinstance(value, tuple):
            yield value
            yield from self._sets_like(value, domain, decision.type)
        elif not self._is_count(entry, decision.type):
            yield (value,)
        elif len(domain) == 1 and isinstance(value, int) and value <= len(domain.groups[0]):
            yield domain.groups[0][:value]

    def _sets_like(self, value: tuple[object, ...], domain: SetOf, of: ir.Type) -> Iterable[object]:
        """The set with things replaced by ones on offer that nobody can tell from them."""
        chosen: list[object] = []
        for each in value:
            free = tuple(member for member in domain.order if member not in chosen)
            found = self._one_of(each, free, of)
            if found is None:
                return
            chosen.append(found)
        yield tuple(chosen)

    def _actions(self, answer: ir.Answer, domain: Domain) -> Iterable[object]:
        name = self._program.doings[cast("int", answer.action)].name
        args = [self._resolve(definition) for definition in answer.definitions]
        wanted = list(product(*(arg if isinstance(arg, tuple) else (arg,) for arg in args)))
        wanted.append(tuple(args))
        for option in domain:
            value = option.value
            if (
                isinstance(value, tuple)
                and option.key.partition("(")[0] == name
                and value[1:] in wanted
            ):
                yield value

    # ------------------------------------------------------------------------------------- sole answers

    def _catch_up(self) -> None:
        """Go over the answers that were taken without asking: a script may name them."""
        game = self._game
        if game is None:
            return
        for event in game.events[self._seen :]:
            if event[0] == events.ANSWER and event[4] == events.SOLE:
                static = self._program.decisions[cast("int", event[1])]
                self._sole(static, cast("int", event[2]), event[3])
        self._seen = len(game.events)

    def _sole(self, static: ir.Decision, seat: int, value: object) -> None:
        while (entry := self._entry()) is not None:
            if self._is_for(entry, "refuse", static.path, seat):
                if self._means(entry, static, value):
                    raise ScriptError(f"{self._told(entry)}, but it was the only possible answer")
            elif self._is_for(entry, "choose", static.path, seat) and self._means(
                entry, static, value
            ):
                self._next += 1
                return
            else:
                return
            self._next += 1

    def _means(self, entry: _Entry, static: ir.Decision, taken: object) -> bool:
        """Does an entry mean the answer that was taken?"""
        answer = entry.answer
        if answer.none:
            return taken in ((), None)
        if answer.label is not None:
            labels = self._labels.get(static.index, ())
            return (
                isinstance(taken, int)
                and taken < len(labels)
                and labels[taken] in (None, answer.label)
            )
        if answer.action is not None:
            return False
        value = self._value(entry)
        if static.form != "set":
            return self._one_of(value, (taken,), static.type) is not None
        members = cast("tuple[object, ...]", taken)
        if isinstance(value, tuple):
            return len(value) == len(members) and all(
                self._one_of(each, members, static.type) is not None for each in value
            )
        if self._is_count(entry, static.type):
            return value == len(members)
        return len(members) == 1 and self._one_of(value, members, static.type) is not None

    # ------------------------------------------------------------------------------------------ helpers

    def _is_count(self, entry: _Entry, of: ir.Type) -> bool:
        """Is this a number of things, not one of them?"""
        definition = cast("int", entry.answer.definition)
        return (
            of.shape == "thing" and self._program.definitions[definition].result.shape == "number"
        )

    def _entry(self) -> _Entry | None:
        return self._entries[self._next] if self._next < len(self._entries) else None

    def _value(self, entry: _Entry) -> object:
        if entry.answer.definition is None:
            return None
        return self._resolve(entry.answer.definition)

    def _one_of(self, value: object, source: tuple[object, ...], of: ir.Type) -> object | None:
        """The item that a value means: itself, one of a set, or one nobody can tell from it."""
        wanted = value if isinstance(value, tuple) else (value,)
        for item in source:
            if any(type(item) is type(each) and item == each for each in wanted):
                return item
        game = self._game
        if game is None or of.shape != "thing":
            return None
        alike = Alike(game.layout)
        both = tuple(dict.fromkeys(each for each in (*source, *wanted) if each is not None))
        for group in alike.groups(game.slots, both, of):
            found = [item for item in source if item in group]
            if found and any(each in group for each in wanted):
                return found[0]
        return None

    def _differ(self, source: tuple[object, ...], of: ir.Type) -> bool:
        """Is there more than one outcome of drawing from these?"""
        if len(source) <= 1 or self._game is None or of.shape != "thing":
            return len(source) > 1
        return len(Alike(self._game.layout).groups(self._game.slots, source, of)) > 1

    def _is_for(self, entry: _Entry, form: str, path: str, seat: int) -> bool:
        line = entry.line
        return line.form == form and line.seat in (None, seat) and _within(line.path, path)

    def _seat(self, seat: int | None) -> str:
        if seat is None:
            return "somebody"
        return self._seats[seat] if seat < len(self._seats) else f"seat {seat + 1}"

    def _offered(self, domain: Domain) -> str:
        keys = [option.key for option, _ in zip(domain, range(SHOWN), strict=False)]
        more = ", ..." if len(domain) > SHOWN else ""
        return f"offered: {', '.join(keys)}{more}"

    def _told(self, entry: _Entry) -> str:
        """An entry as the script says it."""
        answer = entry.answer
        if answer.none:
            what = "none"
        elif answer.label is not None:
            what = f'"{answer.label}"'
        elif answer.action is not None:
            name = self._program.doings[answer.action].name
            args = ", ".join(self._named(each) for each in answer.definitions)
            what = f"{name}({args})" if args else name
        else:
            what = self._named(cast("int", answer.definition))
        line = entry.line
        if line.form in ("roll", "pick"):
            return f"{line.form} {what}"
        verb = "chooses" if line.form == "choose" else "refused"
        path = f" {line.path}" if line.path else ""
        return f"{self._seat(line.seat)} {verb}{path}: {what}"

    def _named(self, definition: int) -> str:
        declared = self._program.definitions[definition]
        return self._naming.key(self._resolve(definition), declared.result)

    def _missing(self, what: str, line: str) -> NoReturn:
        """Say what is missing, and a line that would do there."""
        entry = self._entry()
        then = f"; next in the script: {self._told(entry)}" if entry is not None else ""
        raise ScriptError(f"the script lacks {what}; write for instance `{line}`{then}")

    def _example(self, decision: Decision) -> str:
        """An answer as a script writes it."""
        domain = decision.options
        first = domain.some(1)
        if not first:
            return "none"
        answer = first[0]
        if decision.form in ("label", "order"):
            return f'"{domain.key(answer)}"'
        if isinstance(domain, SetOf) and isinstance(answer, tuple):
            if len(domain.groups) == 1 and len(domain.groups[0]) > 1:
                return str(len(answer))  # of things that nobody can tell apart
            named = ", ".join(self._say(each, decision.type) for each in answer)
            return f"{{{named}}}" if answer else "none"
        if decision.form in ("yes", "action") or not isinstance(answer, int):
            return domain.key(answer)
        return self._say(answer, decision.type)

    def _written(self, value: object, path: str) -> str:
        """Something that is drawn, as a script writes it."""
        return self._say(value, self._types.get(path, ir.NUMBER))

    def _say(self, value: object, of: ir.Type) -> str:
        """A value as a script writes it: a seat by its name in the scenario, what has no name by its kind."""
        if of.shape == "thing" and isinstance(value, int):
            for kind in self._program.kinds:
                if kind.alike and kind.base <= value < kind.base + kind.count:
                    return f"first({kind.name})" if value == kind.base else f"... of {kind.name}"
            if value < len(self._seats):
                return self._seats[value]
        return self._naming.key(value, of)


def _within(wanted: str, path: str) -> bool:
    """Does a shortened path fit a path? The empty one fits all."""
    short, parts = wanted.split("."), path.split(".")
    return not wanted or any(
        parts[start : start + len(short)] == short for start in range(len(parts))
    )


def drawn_types(program: ir.Program) -> dict[str, ir.Type]:
    """What the draws of each path give."""
    found: dict[str, ir.Type] = {}
    for doing in program.doings:
        for line in statements(doing.body):
            source: ir.Type | None = None
            match line:
                case ir.Pick():
                    source = line.source.type
                case ir.Shuffle(source=ir.Expr()):
                    source = line.source.type if line.source is not None else None
                case ir.Shuffle():
                    source = program.fields[line.fields[0]].type
                case ir.Ask(policy=ir.Policy(path=path)) if path:
                    found[path] = program.decisions[line.decision].type
            if isinstance(line, ir.Pick | ir.Shuffle) and source is not None:
                found[line.path] = source.elem or source
    return found


def _labels(program: ir.Program) -> dict[int, tuple[str | None, ...]]:
    """The texts of the alternatives of each decision that has some; None for one that shows values."""
    return {
        line.decision: tuple(_plain(each.text) for each in line.alternatives)
        for doing in program.doings
        for line in statements(doing.body)
        if isinstance(line, ir.Ask) and line.alternatives
    }


def _plain(text: ir.Prompt) -> str | None:
    parts = [part for part in text.parts if isinstance(part, str)]
    return "".join(parts) if len(parts) == len(text.parts) else None
