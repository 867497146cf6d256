"""The log of a game told as a story: who did what, what the dice said, and why.

Events come in as the engine logs them (see `interpreter.events`); lines go out. What one subject
does without a break is one sentence, and a heading is written only when something happens under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from interpreter import events as log
from interpreter.layout import BOX, FIRST_PILE, Layout, statements
from interpreter.ui.names import Names, listed, spoken
from interpreter.ui.paint import Paint
from rulelang.ir import NUMBER, Ask, Pick, Program, Roll, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.events import Event
    from rulelang.ir import Decision, Doing, Field, Prompt

Level = Literal["quiet", "turns", "full"]

_PLURALS = {"leaves": "leave", "comes to": "come to", "goes": "go"}
_HEADED = {"turns": {"phase"}, "full": {"phase", "effect", "action", "step", "row", "hook", "rule"}}


@attrs.define
class _Clause:
    """One thing that happened: `verb` with `objects` and `amounts` of things, told of `subject`."""

    subject: str
    verb: str
    objects: list[str] = attrs.field(factory=list)
    tail: str = ""
    amounts: dict[str, int] = attrs.field(factory=dict)
    movers: list[int] = attrs.field(factory=list)

    def takes_in(self, other: _Clause) -> bool:
        """Take in what follows if it only adds objects."""
        if (self.subject, self.verb, self.tail) != (other.subject, other.verb, other.tail):
            return False
        self.objects.extend(other.objects)
        self.movers.extend(other.movers)
        for noun, amount in other.amounts.items():
            self.amounts[noun] = self.amounts.get(noun, 0) + amount
        return True

    def text(self) -> str:
        amounts = [f"{amount} {noun}" for noun, amount in self.amounts.items()]
        objects = listed([*self.objects, *amounts])
        return f"{self.verb} {objects}".strip() + self.tail


@attrs.define
class _Open:
    """A doing that runs: its number and heading, whether that has been written, and how deep it stands."""

    doing: object
    heading: str
    depth: int
    written: bool = False


@attrs.define
class Story:
    """Tells one game.

    Attributes:
        program: The game.
        names: What its things and players are called.
        level: `quiet` tells nothing, `turns` phases and what happened in them, `full` every doing
            with the rules it cites.
        paint: How emphasis is written.
    """

    program: Program
    names: Names
    level: Level
    paint: Paint
    _open: list[_Open] = attrs.field(factory=list, init=False)
    _sentence: list[_Clause] = attrs.field(factory=list, init=False)
    _layout: Layout = attrs.field(init=False)
    _amounts: dict[tuple[int, int], int] = attrs.field(factory=dict, init=False)
    _drawn_types: dict[str, Type] = attrs.field(factory=dict, init=False)
    _questions: dict[int, Ask] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Find out what places are called, what a draw gives and what was asked."""
        self._layout = Layout(self.program)
        for doing in self.program.doings:
            for statement in statements(doing.body):
                match statement:
                    case Pick():
                        self._drawn_types[statement.path] = statement.source.type
                    case Roll() if statement.enum >= 0:
                        self._drawn_types[statement.path] = Type("word", enum=statement.enum)
                    case Ask():
                        self._questions[statement.decision] = statement
                    case _:
                        pass
            for hook in (*doing.before, *doing.instead, *doing.after):
                if hook.ask is not None:
                    self._questions[hook.ask.decision] = hook.ask

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """Give the lines for more of the log; what is not complete yet comes with the next part."""
        if self.level == "quiet":
            return
        for event in events:
            match event[0]:
                case log.BEGIN:
                    yield from self._begin(event)
                case log.END:
                    yield from self._end(event)
                case log.HOOK | log.RULE:
                    pass
                case _:
                    yield from self._happen(event)

    def close(self) -> Iterator[str]:
        """Give what is left at the end."""
        yield from self._flush()

    # ------------------------------------------------------------------------------ headings

    def _begin(self, event: Event) -> Iterator[str]:
        _, number, values = event
        doing = self.program.doings[_index(number)]
        depth = self._open[-1].depth if self._open else -1
        if doing.kind in _HEADED[self.level] and number != 0:
            yield from self._flush()
            self._open.append(_Open(number, self._heading(doing, _tuple(values)), depth + 1))
        else:
            self._open.append(_Open(number, "", depth))

    def _end(self, event: Event) -> Iterator[str]:
        _, number, _, how = event
        # What was replaced, or left in one of its before rules, has never begun.
        if how == "replaced" or not self._open or self._open[-1].doing != number:
            return
        # What has no heading of its own does not break a sentence either.
        if self._open[-1].heading:
            yield from self._flush()
        self._open.pop()

    def _heading(self, doing: Doing, values: Sequence[object]) -> str:
        name = spoken(doing.name.rpartition(".")[2] if doing.kind == "step" else doing.name)
        told = [
            self.names.value(value, parameter.type)
            for parameter, value in zip(doing.params, values, strict=False)
        ]
        if doing.kind == "phase":
            numbers = all(parameter.type.shape in {"number", "word"} for parameter in doing.params)
            heading = name[:1].upper() + name[1:]
            heading += f"{' ' if numbers else ': '}{', '.join(told)}" if told else ""
            styles: tuple[str, ...] = ("bold",)
        else:
            heading = f"{name} ({', '.join(told)})" if told else name
            styles = ("cyan",)
        cites = self.paint(f"  [{', '.join(doing.cites)}]", "dim") if doing.cites else ""
        return self.paint(heading, *styles) + (cites if self.level == "full" else "")

    # ----------------------------------------------------------------------------- sentences

    def _happen(self, event: Event) -> Iterator[str]:
        clause = self._clause(event)
        if clause is None:
            return
        last = self._sentence[-1] if self._sentence else clause
        if last.subject != clause.subject:
            yield from self._flush()
        if not self._sentence or not last.takes_in(clause):
            self._sentence.append(clause)

    def _flush(self) -> Iterator[str]:
        if not self._sentence:
            return
        for opened in self._open:
            if opened.heading and not opened.written:
                opened.written = True
                if opened.depth == 0:
                    yield ""
                yield "  " * opened.depth + opened.heading
        depth = self._open[-1].depth + 1 if self._open else 0
        subject = self._sentence[0].subject
        movers = self._sentence[0].movers
        if movers:
            subject = self.names.things(movers)
            if len(movers) > 1:
                self._sentence[0].verb = _PLURALS[self._sentence[0].verb]
        told = ", ".join(clause.text() for clause in self._sentence)
        self._sentence.clear()
        yield "  " * depth + f"{subject} {told}".strip()

    def _clause(self, event: Event) -> _Clause | None:  # one case for each kind of event
        kind, *rest = event
        match kind:
            case log.GAIN:
                return self._gain(*rest)
            case log.SET:
                return self._set(*rest)
            case log.GLOBAL if self.level == "full":
                index, _, new = rest
                declared = self.program.globals[_index(index)]
                if not declared.shown:
                    return None
                value = self.names.value(new, declared.type)
                return _Clause("", f"{spoken(declared.name)} becomes", [value])
            case log.MOVE:
                return self._move(*rest)
            case log.ROLL:
                path, drawn, by = rest
                return _Clause(
                    self._by(by), "rolls", [self._drawn(path, drawn)], self._purpose(path)
                )
            case log.PICK:
                path, drawn = rest
                return _Clause("", "drawn:", [self._drawn(path, drawn)], self._purpose(path))
            case log.SHUFFLE if self.level == "full":
                _, thing, _ = rest
                whose = f" of {self.names.thing(thing)}" if isinstance(thing, int) else ""
                return _Clause("", "shuffled:", [f"a pile{whose}"])
            case log.ANSWER:
                return self._answer(*rest)
            case log.WIN:
                (players,) = rest
                winners = self.names.things([_index(player) for player in _tuple(players)])
                return _Clause(winners, "wins" if len(_tuple(players)) == 1 else "win", [])
            case log.SHOW:
                things, players = rest
                shown = self.names.things([_index(thing) for thing in _tuple(things)])
                seen_by = self.names.things([_index(player) for player in _tuple(players)])
                return _Clause("", "shown:", [shown], f" to {seen_by}")
            case log.UNDO if self.level == "full":
                return self._undo(*rest)
        return None

    def _gain(self, *rest: object) -> _Clause:
        thing, field, amount, other, _ = rest
        declared = self.program.fields[_index(field)]
        n = _index(amount)
        now = self._add(declared, _index(thing), n)
        if isinstance(other, int):
            self._add(self.program.fields[_index(rest[4])], other, -n)
        tail = ""
        if isinstance(other, int):
            tail = f" {'from' if n > 0 else 'to'} {self.names.thing(other)}"
        subject, verb = self.names.thing(_index(thing)), "gains" if n > 0 else "loses"
        noun = spoken(declared.name)
        if self.level == "full" and now is not None:
            return _Clause(subject, verb, [f"{abs(n)} {noun} (now {now})"], tail)
        return _Clause(subject, verb, [], tail, {noun: abs(n)})

    def _add(self, declared: Field, thing: int, amount: int) -> int | None:
        """Follow a number, to tell what it is now."""
        if declared.keys > 1:
            return None
        key = (declared.index, thing)
        if key not in self._amounts:
            initial = declared.values[thing - self.program.kinds[declared.kind].base]
            self._amounts[key] = initial if isinstance(initial, int) else 0
        self._amounts[key] += amount
        return self._amounts[key]

    def _set(self, *rest: object) -> _Clause:
        thing, field, key, _, new = rest
        declared = self.program.fields[_index(field)]
        if isinstance(new, int) and declared.type.shape == "number":
            self._amounts[declared.index, _index(thing)] = new
        keyed = f"({key})" if declared.keys > 1 else ""
        value = self.names.value(new, declared.type)
        subject = self.names.thing(_index(thing))
        return _Clause(f"{subject}:", f"{spoken(declared.name)}{keyed} becomes", [value])

    def _undo(self, *rest: object) -> _Clause | None:
        slot, _, new = rest
        found = self._layout.field_at(_index(slot))
        if found is None:
            return None
        declared, thing, _ = found
        if isinstance(new, int):
            self._amounts[declared.index, thing] = new
        value = self.names.value(new, declared.type)
        return _Clause(f"{self.names.thing(thing)}:", f"{spoken(declared.name)} is again", [value])

    def _move(self, *rest: object) -> _Clause:
        thing, source, target = rest
        start, end = self._place(source), self._place(target)
        if not end:
            verb, tail = "leaves", f" {start}"
        elif not start:
            verb, tail = "comes to", f" {end}"
        else:
            verb, tail = "goes", f" from {start} to {end}"
        # Several that go the same way are one sentence; whoever goes is named when it is told.
        return _Clause(f"{verb}{tail}", verb, [], tail, {}, [_index(thing)])

    def _place(self, where: object) -> str:
        position, place = _tuple(where)
        if position == BOX:
            return "the box"
        if isinstance(position, int) and position >= FIRST_PILE:
            field, thing = self._layout.piles[position - FIRST_PILE]
            pile = spoken(self.program.fields[field].name)
            if self.names.kind_of(thing).singleton:
                return f"the {pile}"
            return f"{self.names.thing(thing)}'s {pile}"
        return self.names.thing(place) if isinstance(place, int) else ""

    def _by(self, by: object) -> str:
        return self.names.thing(by) if isinstance(by, int) else ""

    def _purpose(self, path: object) -> str:
        if self.level != "full":
            return ""
        return self.paint(f"  ({path})", "dim")

    def _drawn(self, path: object, value: object) -> str:
        of = self._drawn_types.get(str(path), NUMBER)
        if isinstance(value, int) and of.shape in {"set", "list"}:
            of = of.elem or NUMBER
        return self.names.value(value, of)

    def _answer(self, *rest: object) -> _Clause | None:
        number, seat, value, by = rest
        if by == log.SOLE and self.level != "full":
            return None
        decision = self.program.decisions[_index(number)]
        subject = self.names.seat(_index(seat))
        cites = (
            f"  [{', '.join(decision.cites)}]" if decision.cites and self.level == "full" else ""
        )
        tail = self.paint(cites, "dim")
        what = spoken(decision.path.rpartition(".")[2])
        match decision.form:
            case "yes":
                question = self._question(decision) or what
                return _Clause(
                    subject, "says", [f"{'yes' if value else 'no'} to {question!r}"], tail
                )
            case "label":
                label = self._prompt(
                    self._questions[decision.index].alternatives[_index(value)].text
                )
                return _Clause(subject, "chooses", [f'"{label}"'], tail)
            case "action":
                return _Clause(subject, "decides", [self._action(decision, value)], tail)
            case _:
                answer = self.names.value(value, decision.type)
                return _Clause(subject, "chooses", [answer], f" as {what}{tail}")

    def _question(self, decision: Decision) -> str:
        asked = self._questions.get(decision.index)
        return self._prompt(asked.prompt) if asked is not None else ""

    @staticmethod
    def _prompt(prompt: Prompt) -> str:
        return "".join(part if isinstance(part, str) else "..." for part in prompt.parts)

    def _action(self, decision: Decision, value: object) -> str:
        if value is None:
            return "to do nothing more"
        which, *arguments = _tuple(value)
        instance = self._questions[decision.index].instances[_index(which)]
        doing = self.program.doings[instance.doing]
        told = [
            self.names.value(argument, parameter.type)
            for parameter, argument in zip(doing.params[1:], arguments, strict=False)
        ]
        return f"to {spoken(doing.name)}" + (f" ({', '.join(told)})" if told else "")


def _index(value: object) -> int:
    """Take a number out of an event."""
    if not isinstance(value, int):
        message = f"a number was expected in the log, not {value!r}"
        raise TypeError(message)
    return value


def _tuple(value: object) -> tuple[object, ...]:
    """Take several values out of an event."""
    if not isinstance(value, tuple):
        message = f"several values were expected in the log, not {value!r}"
        raise TypeError(message)
    return value
