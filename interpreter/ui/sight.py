"""What the people at a terminal may be told of the log.

With several people at one terminal that is what each of them sees. A thing that they do not see is written as the
negative number `-1 - kind`, which `interpreter.ui.names` calls by its kind alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter import events as log
from interpreter.layout import FIRST_PILE, Layout
from interpreter.ui.clauses import drawn_types, index, several
from rulelang.ir import NUMBER, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.events import Event
    from rulelang.ir import Field, Program


class Seal:
    """Keeps the answers of a round of secret choices back until it is over.

    Args:
        program: The game.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kept: list[Event] = []

    def opened(self, event: Event) -> list[Event]:
        """Give what may be told now: nothing while a round goes on, then all of it with what happens next."""
        if self._stays(event):
            self._kept.append(event)
            return []
        told, self._kept = [*self._kept, event], []
        return told

    def _stays(self, event: Event) -> bool:
        """Is this part of a round of secret choices that is not over yet? It is over when something else happens."""
        if event[0] == log.ANSWER and self._program.decisions[index(event[1])].secret:
            return True
        return bool(self._kept) and event[0] in {log.ANSWER, log.PICK, log.ROLL}


class Sight:
    """Takes out of events what some of the viewers do not see; follows where things are.

    Args:
        program: The game.
        viewers: The seats that look, from 0; if there are none, everything is seen.
    """

    def __init__(self, program: Program, viewers: Sequence[int]) -> None:
        self._program = program
        self._layout = Layout(program)
        self._viewers = [program.kinds[0].base + seat for seat in viewers]
        self._drawn_types = drawn_types(program)
        self._pile: dict[int, int] = {}
        self._down: set[int] = set()
        self._place: dict[int, object] = {}
        self._owners = {
            field.kind: field.values for field in program.fields if field.name == "owner"
        }
        for number, (field_number, thing) in enumerate(self._layout.piles):
            field = program.fields[field_number]
            inside = field.values[thing - program.kinds[field.kind].base]
            for each in several(inside or ()):
                self._pile[index(each)] = FIRST_PILE + number
        for field in program.fields:
            if program.kinds[field.kind].place == field.index:
                self._place.update(enumerate(field.values, program.kinds[field.kind].base))
            if self._turns(field):
                first = program.kinds[field.kind].base
                self._down.update(
                    first + at for at, value in enumerate(field.values) if value is False
                )

    def seen(self, event: Event) -> Event | None:
        """Give an event as it is seen; None if nothing of it is."""
        if not self._viewers:
            return event
        kind, *rest = event
        match kind:
            case log.BEGIN:
                doing = self._program.doings[index(rest[0])]
                values = zip(several(rest[1]), doing.params, strict=False)
                return (kind, rest[0], tuple(self._masked(v, p.type) for v, p in values))
            case log.GAIN | log.SET:
                return self._change(event)
            case log.GLOBAL:
                declared = self._program.globals[index(rest[0])]
                if not declared.shown or declared.sight != "open":
                    return None
                if declared.card is not None and self._hidden(declared.card):
                    return None
                return (kind, *(rest[0], *(self._written(v, declared.type) for v in rest[1:])))
            case log.MOVE:
                return self._move(event)
            case log.PICK:
                of = self._drawn_types.get(str(rest[0]), NUMBER)
                one = of.elem or NUMBER if isinstance(rest[1], int) else of
                return event if self._masked(rest[1], one) == rest[1] else None
            case log.ANSWER:
                decision = self._program.decisions[index(rest[0])]
                own = self._program.kinds[0].base + index(rest[1]) in self._viewers
                if own or decision.form not in {"one", "set", "order"}:
                    return event
                return (kind, rest[0], rest[1], self._masked(rest[2], decision.type), rest[3])
            case log.SHOW:
                return event if set(self._viewers) <= set(several(rest[1])) else None
            case log.UNDO:
                return self._undo(event)
            case _:
                return event

    def _change(self, event: Event) -> Event | None:
        kind, thing, number, *rest = event
        field = self._program.fields[index(number)]
        at = index(thing)
        if self._turns(field) and kind == log.SET:
            (self._down.discard if rest[-1] else self._down.add)(at)
        if not self._sees(field, at) or self._hidden(at):
            return None
        if kind == log.SET:
            key, old, new = rest
            masked = (self._written(value, field.type) for value in (old, new))
            return (kind, thing, number, key, *masked)
        return event

    def _undo(self, event: Event) -> Event | None:
        kind, slot, old, new = event
        found = self._layout.field_at(index(slot))
        if found is None:
            return None
        field, thing, _ = found
        if self._turns(field):
            (self._down.discard if new else self._down.add)(thing)
        if not self._sees(field, thing) or self._hidden(thing):
            return None
        return (kind, slot, self._written(old, field.type), self._written(new, field.type))

    def _move(self, event: Event) -> Event:
        kind, thing, source, target = event
        at = index(thing)
        before = self._hidden(at)
        position = index(several(target)[0])
        if position >= FIRST_PILE:
            self._pile[at] = position
        else:
            self._pile.pop(at, None)
        self._place[at] = several(target)[1]
        if before and self._hidden(at):
            return (kind, self._unseen(at), source, target)
        return event

    def _turns(self, field: Field) -> bool:
        return field.name == "face_up" and field.type.shape == "flag"

    def _hidden(self, thing: int) -> bool:
        if self._is_down(thing):
            return True
        pile = self._pile.get(thing)
        if pile is None:
            return False
        number, holder = self._layout.piles[pile - FIRST_PILE]
        return not self._sees(self._program.fields[number], holder)

    def _is_down(self, thing: int) -> bool:
        """Does it lie face down for some viewer?"""
        if thing not in self._down:
            return False
        kind = self._layout.kind_of[thing]
        if not any(
            f.kind == kind and f.sight == "owner" for f in self._program.fields if self._turns(f)
        ):
            return True
        holders = {self._owner(thing), self._place.get(thing)}
        return any(viewer not in holders for viewer in self._viewers)

    def _sees(self, field: Field, thing: int) -> bool:
        """Does every viewer see this field of a thing?"""
        if field.sight == "open" or self._turns(field):
            return True
        if field.sight == "hidden":
            return False
        return all(viewer in {thing, self._owner(thing)} for viewer in self._viewers)

    def _owner(self, thing: int) -> object:
        """Who owns a thing; itself if nobody is said to."""
        kind = self._layout.kind_of[thing]
        owners = self._owners.get(kind)
        return thing if owners is None else owners[thing - self._program.kinds[kind].base]

    def _written(self, value: object, of: Type) -> object:
        """A value of a field that is seen: what it names is known, though it may lie in a pile unseen."""
        if isinstance(value, tuple) and of.shape != "bag":
            return tuple(self._written(each, of.elem or of) for each in value)
        if of.shape == "thing" and isinstance(value, int) and self._is_down(value):
            return self._unseen(value)
        return value

    def _masked(self, value: object, of: Type) -> object:
        if isinstance(value, tuple) and of.shape != "bag":
            return tuple(self._masked(each, of.elem or of) for each in value)
        if of.shape == "thing" and isinstance(value, int) and self._hidden(value):
            return self._unseen(value)
        return value

    def _unseen(self, thing: int) -> int:
        return -1 - self._layout.kind_of[thing]
