"""By what a game finds its winner, as far as its rules show it: what is looked at to tell who leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.analysis import about_a_player, children
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.compiling.compiled import Compiled
    from interpreter.layout import Slots


@attrs.frozen
class Score:
    """A number of each player.

    Attributes:
        name: As the ruleset calls it.
        field: Its number, if it is a field of players.
        definition: Its number, if it is a definition about a player.
        slots: Where the field is, by seat.
        highest: Whether more is better.
    """

    name: str
    field: int = -1
    definition: int = -1
    slots: tuple[int, ...] = ()
    highest: bool = True

    def of_all(self, code: Compiled, slots: Slots) -> list[float | None]:
        """The scores by seat; None where there is none at this moment."""
        if self.slots:
            return [slots[slot] for slot in self.slots]  # type: ignore[misc]
        function = code.namespace[f"f{self.definition}"]
        players = code.program.kinds[0]
        found: list[float | None] = []
        for seat in range(players.count):
            try:
                found.append(function(slots, players.base + seat))
            except Exception:  # noqa: BLE001 - a definition may not hold for everybody at every moment
                found.append(None)
        return found


def leader(scores: Sequence[float | None], *, highest: bool) -> int | None:
    """The seat that is ahead of all others; None if nobody is."""
    known = [each for each in scores if each is not None]
    if not known:
        return None
    best = max(known) if highest else min(known)
    return scores.index(best) if scores.count(best) == 1 else None


def find_score(code: Compiled, name: str | None) -> Score | None:
    """Find what is called so; without a name, what the doings that make somebody win compare players by.

    Raises:
        LookupError: Nothing that can be looked at is called so; says what can be.
    """
    known = {each.name: each for each in _candidates(code)}
    if name is not None:
        found = known.get(name) or known.get(name.removeprefix("player."))
        if found is None:
            raise LookupError(", ".join(sorted(known)))
        return found
    for key in _winning_keys(code.program):
        for score in known.values():
            if _is(score, key):
                return attrs.evolve(score, highest=key.highest)
    return None


def number_fields(code: Compiled) -> dict[str, tuple[int, ...]]:
    """The numbers that each player has and that change: name to slots by seat."""
    program = code.program
    players = program.kinds[0]
    return {
        field.name: tuple(
            code.layout.slot(field.index, players.base + seat) for seat in range(players.count)
        )
        for field in program.fields
        if field.kind == 0 and field.type.shape == "number" and field.keys == 1 and field.mutable
    }


def _candidates(code: Compiled) -> Iterator[Score]:
    program = code.program
    fields = {field.name: field.index for field in program.fields if field.kind == 0}
    for name, slots in number_fields(code).items():
        yield Score(name, field=fields[name], slots=slots)
    for number, definition in enumerate(program.definitions):
        if f"f{number}" in code.namespace and about_a_player(definition):
            yield Score(definition.name, definition=number)


def _is(score: Score, key: ir.Key) -> bool:
    body = key.body
    if isinstance(body, ir.CallDef):
        return body.definition == score.definition
    return (
        isinstance(body, ir.FieldGet) and isinstance(body.obj, ir.Local)
        and body.fields == (score.field,)
    )  # fmt: skip


def _winning_keys(program: ir.Program) -> Iterator[ir.Key]:
    """By what players are compared in doings that make somebody win, then in those that call them, and so on."""
    level = {
        doing.index
        for doing in program.doings
        if any(isinstance(each, ir.Win) for each in _walk(doing.body))
    }
    seen: set[int] = set()
    while level:
        for number in sorted(level):
            yield from _keys(program.doings[number].body)
        seen |= level
        level = {
            doing.index
            for doing in program.doings
            if doing.index not in seen
            and any(isinstance(each, ir.Call) and each.doing in level for each in _walk(doing.body))
        }


def _keys(nodes: Iterable[object]) -> Iterator[ir.Key]:
    for node in _walk(nodes):
        if isinstance(node, ir.Best):
            elem = node.source.type.elem
            if elem is not None and elem.kinds == (0,):
                yield node.keys[0]


def _walk(nodes: Iterable[object]) -> Iterator[object]:
    """The nodes and all below them, in order of the text."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)[::-1]
