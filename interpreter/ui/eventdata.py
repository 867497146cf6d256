"""The events of a game as data with names, for everybody or for one seat: what it cannot see is not in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import events as log
from interpreter.layout import BOX, FIRST_PILE, Layout
from interpreter.naming import Naming
from interpreter.sight.views import value_as_data
from interpreter.ui.clauses import drawn_types, index, questions, several
from interpreter.ui.sight import Seal, Sight
from rulelang.ir import NUMBER, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.events import Event
    from rulelang.ir import Decision, Program

_PLAYER = Type("thing", kinds=(0,))


class EventData:
    """Gives events as data: things and words by their ids, seats from 1.

    What a seat does not see is left out as in the story that it is told: whole events, the names of things
    (`{"unseen": KIND}`), answers of a round of secret choices that is not over.

    Args:
        program: The game.
        seat: Who reads them, from 0; None: somebody who may see everything.
    """

    def __init__(self, program: Program, seat: int | None) -> None:
        self._program = program
        self._all = seat is None
        self._naming = Naming(program)
        self._layout = Layout(program)
        self._sight = Sight(program, [] if seat is None else [seat])
        self._seal = Seal(program)
        self._drawn_types = drawn_types(program)
        self._questions = questions(program)

    def of(self, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
        """Give what may be told after more of the log."""
        for event in events:
            for each in [event] if self._all else self._seal.opened(event):
                seen = self._sight.seen(each)
                if seen is not None:
                    yield {"event": seen[0], **self._named(seen)}

    def _named(self, event: Event) -> dict[str, Any]:
        program = self._program
        kind, *rest = event
        match kind:
            case log.BEGIN:
                doing = program.doings[index(rest[0])]
                values = zip(doing.params, several(rest[1]), strict=False)
                args = {p.name: self._value(v, p.type) for p, v in values if v != ()}
                return {"doing": doing.name, "args": args}
            case log.END:
                # What came out of a doing may be something that only some may know.
                doing = program.doings[index(rest[0])]
                return {"doing": doing.name, "how": rest[2]}
            case log.HOOK:
                return {"doing": program.doings[index(rest[0])].name, "when": rest[1]}
            case log.RULE:
                rule = program.state_rules[index(rest[0])]
                return {"doing": program.doings[rule.doing].name}
            case log.GAIN:
                return self._gain(*rest)
            case log.SET:
                thing, field, key, old, new = rest
                declared = program.fields[index(field)]
                keyed = {"key": key} if declared.keys > 1 else {}
                return {
                    "thing": self._thing(thing),
                    "field": declared.name,
                    **keyed,
                    "old": self._value(old, declared.type),
                    "new": self._value(new, declared.type),
                }
            case log.GLOBAL:
                kept = program.globals[index(rest[0])]
                old, new = (self._value(each, kept.type) for each in rest[1:])
                return {"name": kept.name, "old": old, "new": new}
            case log.MOVE:
                thing, source, target = rest
                return {
                    "thing": self._thing(thing),
                    "from": self._where(source),
                    "to": self._where(target),
                }
            case log.ROLL:
                path, value, by = rest
                return {"path": path, "value": self._drawn(path, value), "by": self._thing(by)}
            case log.PICK:
                return {"path": rest[0], "value": self._drawn(*rest)}
            case log.SHUFFLE:
                path, thing, field = rest
                of = program.fields[index(field)].name if isinstance(thing, int) else None
                return {"path": path, "thing": self._thing(thing), "field": of}
            case log.ANSWER:
                decision = program.decisions[index(rest[0])]
                return {
                    "decision": decision.path,
                    "seat": index(rest[1]) + 1,
                    "answer": self._answer(decision, rest[2]),
                    "by": rest[3],
                }
            case log.WIN:
                first = program.kinds[0].base
                return {"seats": [index(each) - first + 1 for each in several(rest[0])]}
            case log.SHOW:
                things, players = rest
                return {
                    "things": [self._thing(each) for each in several(things)],
                    "to": [self._thing(each) for each in several(players)],
                }
            case log.UNDO:
                return self._undo(*rest)
            case _:
                return {}

    def _gain(self, *rest: object) -> dict[str, Any]:
        thing, field, amount, other, other_field = rest
        fields = self._program.fields
        told = {
            "thing": self._thing(thing),
            "field": fields[index(field)].name,
            "amount": amount,
        }
        if isinstance(other, int):
            told["other"] = self._thing(other)
            told["other_field"] = fields[index(other_field)].name
        return told

    def _undo(self, *rest: object) -> dict[str, Any]:
        slot, old, new = rest
        found = self._layout.field_at(index(slot))
        if found is None:
            return {"what": self._layout.describe(index(slot))}
        declared, thing, key = found
        return {
            "thing": self._thing(thing),
            "field": declared.name,
            **({"key": key} if declared.keys > 1 else {}),
            "old": self._value(old, declared.type),
            "new": self._value(new, declared.type),
        }

    def _answer(self, decision: Decision, answer: object) -> Any:  # noqa: ANN401 - JSON
        match decision.form:
            case "action" if isinstance(answer, tuple):
                which, *arguments = answer
                asked = self._questions[decision.index]
                doing = self._program.doings[asked.instances[index(which)].doing]
                args = zip(doing.params[1:], arguments, strict=False)
                return {
                    "action": doing.name,
                    "args": {p.name: self._value(v, p.type) for p, v in args},
                }
            case "yes" | "label" | "action":
                return answer
            case _:
                return self._value(answer, decision.type)

    def _drawn(self, path: object, value: object) -> Any:  # noqa: ANN401 - JSON
        of = self._drawn_types.get(str(path), NUMBER)
        if isinstance(value, int) and of.shape in {"set", "list"}:
            of = of.elem or NUMBER
        return self._value(value, of)

    def _value(self, value: object, of: Type) -> Any:  # noqa: ANN401 - JSON
        return value_as_data(value, of, self._program, self._naming)

    def _thing(self, thing: object) -> Any:  # noqa: ANN401 - JSON
        return self._value(thing, _PLAYER)

    def _where(self, where: object) -> Any:  # noqa: ANN401 - JSON
        position, place = several(where)
        if position == BOX:
            return "box"
        if isinstance(position, int) and position >= FIRST_PILE:
            field, owner = self._layout.piles[position - FIRST_PILE]
            return {"pile": self._program.fields[field].name, "of": self._thing(owner)}
        return None if place is None else {"place": self._thing(place)}
