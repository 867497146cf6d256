"""What a person at the terminal can look up: the table as the seat sees it, and the rules behind a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.layout import FIRST_PILE
from interpreter.sight.observation import FaceDown, Hidden, HiddenPile
from interpreter.ui.hints import advice_for, names_of
from rulelang.wording import plural, spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from interpreter.decision import Decision, Option
    from interpreter.sight.observation import Observation
    from interpreter.ui.hints import Named
    from interpreter.ui.inquiry import Inquiry
    from interpreter.ui.names import Names
    from rulelang.ir import Field, Type


@attrs.frozen
class Board:
    """Describes what a seat sees; an `interpreter.providers.human.Guide`.

    Attributes:
        names: What things and players are called.
        running: Gives the numbers of the doings that run now.
        inquiry: Answers questions about the rules.
    """

    names: Names
    running: Callable[[], Container[object]]
    inquiry: Inquiry

    def lines(self, seen: Observation) -> Iterator[str]:
        """Give a line for each player, each thing of which there is something to tell, and each kept value."""
        lying = self._lying(seen)
        for number, kind in enumerate(seen.program.kinds):
            fields = [field for field in seen.program.fields if field.kind == number]
            for thing in range(kind.base, kind.base + kind.count):
                facts = [
                    fact
                    for field in fields
                    if field.name != "place"
                    for fact in self._facts(seen, field, thing)
                ]
                facts += self._groups(lying.get(thing, ()))
                if facts or number == 0:
                    name = self.names.thing(thing)
                    yield f"  {name[:1].upper()}{name[1:]}: {', '.join(facts) or 'nothing'}"
        running = self.running()
        for value in seen.program.globals:
            if value.shown and value.phase in running:
                told = self._value(seen.value(value.index), value.type)
                if told:
                    phase, _, name = value.name.partition(".")
                    yield f"  {spoken(phase).capitalize()}: {spoken(name)} {told}"

    def title(self, seen: Observation, decision: Decision, option: Option) -> str:
        """Name an option; one of interchangeable things by whose it is and where it lies."""
        of = decision.type
        thing = option.value
        shape = of.elem.shape if of.elem is not None else of.shape
        if shape != "thing" or not isinstance(thing, int) or isinstance(thing, bool):
            return option.text
        if thing in seen.offered or thing < seen.program.kinds[0].count:
            return option.text
        if self.names.noun(thing) is None:
            return option.text
        _, place = seen.where(thing)
        where = f", at {self.names.thing(place)}" if isinstance(place, int) else ""
        return self.names.thing(thing) + where

    def citations(self, decision: Decision) -> tuple[str, ...]:
        """Give the rule ids of the doing that asks."""
        path = decision.path
        doings = {doing.name: doing for doing in self.names.program.doings}
        while path and path not in doings:
            path = path.rpartition(".")[0]
        return doings[path].cites if path else ()

    def why(self, decision: Decision, asked: str) -> Iterator[str]:
        """Tell the value of an expression, and why it has it, as far as the seat may know."""
        return self.inquiry.why(decision.seat, asked)

    def about(self, decision: Decision, what: str) -> Iterator[str]:
        """Tell why an answer is on offer or not; of what can never be one, the value and why it has it."""
        return self.inquiry.about(decision.seat, what)

    def why_not(self, decision: Decision, option: str) -> Iterator[str]:
        """Tell why an answer is on offer or not."""
        return self.inquiry.why_not(decision.seat, option)

    def hint(self, options: Iterable[Named]) -> Iterator[str]:
        """Tell what the ruleset's policy would answer and why, or what a search advises."""
        decision = self.inquiry.match.pending
        advice = (
            None
            if decision is None
            else advice_for(self.inquiry.match, names_of(decision, options))
        )
        if advice is None:
            yield "Neither the ruleset nor a search knows advice here."
        else:
            yield advice.what
            if advice.why:
                yield f"  {advice.why}"

    def _facts(self, seen: Observation, field: Field, thing: int) -> Iterator[str]:
        if field.lent_by is not None or not (field.mutable or field.pile):
            return
        name = spoken(field.name)
        number = field.type.shape == "number"
        for key in range(field.key_low, field.key_low + field.keys):
            value = seen.read(field.index, thing, key)
            keyed = name
            if field.keys > 1:
                keyed += f" {key}"
            if isinstance(value, HiddenPile):
                yield f"{name}: {plural(value.size, spoken(self._kind(field)))}, unseen"
            elif value is True:
                yield keyed
            elif told := self._value(value, field.type):
                yield f"{told} {keyed}" if number else f"{keyed}: {told}"
            elif number and value == 0 and field.kind == 0:
                yield f"0 {keyed}"

    def _kind(self, pile: Field) -> str:
        of = pile.type.elem or pile.type
        return self.names.program.kinds[of.kinds[0]].name

    def _value(self, value: object, of: Type) -> str:
        """A value; empty for what is not seen or says nothing, such as 0, no and none."""
        if isinstance(value, FaceDown):
            return "face down"
        if isinstance(value, tuple) and any(isinstance(each, FaceDown) for each in value):
            return plural(len(value), "thing")
        if not value and not (of.shape == "word" and value == 0 and value is not None):
            return ""
        if isinstance(value, (Hidden, HiddenPile)):
            return ""
        return self.names.value(value, of)

    def _lying(self, seen: Observation) -> dict[int, list[int]]:
        """List what lies at each thing, for things of kinds that have a place."""
        found: dict[int, list[int]] = {}
        for kind in seen.program.kinds:
            if kind.place is None:
                continue
            for thing in range(kind.base, kind.base + kind.count):
                position, place = seen.where(thing)
                if isinstance(place, int) and isinstance(position, int) and position < FIRST_PILE:
                    found.setdefault(place, []).append(thing)
        return found

    def _groups(self, things: Iterable[int]) -> list[str]:
        there = list(things)
        return [f"here {self.names.things(there)}"] if there else []
