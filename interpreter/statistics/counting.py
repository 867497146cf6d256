"""How often each rule did something in a game, and for whom: counted from the event log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import attrs

from interpreter import events as log
from interpreter.reference.works import card_of

if TYPE_CHECKING:
    from interpreter.events import Event
    from rulelang import ir

NOBODY: Final = -1
"""The seat of what was done for nobody in particular."""

_LONGEST: Final = 44
_DOINGS: Final = {
    "phase": "phase",
    "effect": "effect",
    "step": "step",
    "action": "action",
    "row": "table",
}


class Named(NamedTuple):
    """A part of a ruleset that can act, as two versions of it have it in common.

    ``sort``: phase, effect, step, action, table, rule, state rule, card, or row, exception, need, answer (of games
    that are looked at closely). ``name``: its name or its first words, unique in its sort. ``cites``: ids of the
    rulebook.
    """

    sort: str
    name: str
    cites: tuple[str, ...] = ()


Fired = dict[tuple[Named, int], int]
"""How often each part acted for which seat."""


@attrs.frozen
class Counted:
    """What the events of a game say.

    Attributes:
        rounds: Runs of the phase that begins most often directly in the main phase.
        fired: How often which part acted for which seat, or for :data:`NOBODY`.
    """

    rounds: int
    fired: Fired


class Counting:
    """Counts the events of games of one Program."""

    def __init__(self, program: ir.Program) -> None:
        self._base = program.kinds[0].base
        self._seats = program.kinds[0].count
        self._doings = [
            Named(_DOINGS[doing.kind], doing.name, doing.cites) if doing.kind in _DOINGS else None
            for doing in program.doings
        ]
        self._player = [first_player(doing) for doing in program.doings]
        self._phases = {doing.index for doing in program.doings if doing.kind == "phase"}
        self._rules = [_named_rule(program, rule) for rule in program.state_rules]
        self._hooks = {
            (doing.index, when, place): _named_hook(program, doing, when, hook)
            for doing in program.doings
            for when, hooks in (
                ("before", doing.before),
                ("instead", doing.instead),
                ("after", doing.after),
            )
            for place, hook in enumerate(hooks)
        }

    def count(self, events: Sequence[Event]) -> Counted:
        """Count them."""
        begun: dict[tuple[int, int], int] = {}
        fired: Fired = {}
        runs: Counter[int] = Counter()
        running: list[int] = []
        for_whom: list[int] = [NOBODY]
        base, player = self._base, self._player
        for event in events:
            kind = event[0]
            if kind == log.BEGIN:
                number: int = event[1]  # type: ignore[assignment]
                if len(running) == 1 and number in self._phases:
                    runs[number] += 1
                at = player[number]
                thing = event[2][at] if at >= 0 else None  # type: ignore[index]
                seat = for_whom[-1] if thing is None else thing - base
                running.append(number)
                for_whom.append(seat)
                key = (number, seat)
                begun[key] = begun.get(key, 0) + 1
            elif kind == log.END:
                if event[3] != "replaced" and running and running[-1] == event[1]:
                    running.pop()
                    for_whom.pop()
            elif kind == log.HOOK:
                named = self._hooks[event[1:4]]  # type: ignore[index]
                spot = (named, for_whom[-1])
                fired[spot] = fired.get(spot, 0) + 1
            elif kind == log.RULE:
                rule: int = event[1]  # type: ignore[assignment]
                spot = (self._rules[rule], self._seat_in(event[2], for_whom[-1]))
                fired[spot] = fired.get(spot, 0) + 1
        for (number, seat), times in begun.items():
            doing = self._doings[number]
            if doing is not None:
                fired[doing, seat] = fired.get((doing, seat), 0) + times
        return Counted(max(runs.values(), default=1), fired)

    def _seat_in(self, values: object, otherwise: int) -> int:
        """The only player among the values of a state rule, else who was at it anyhow."""
        if isinstance(values, Sequence):
            found = [
                each - self._base
                for each in values
                if isinstance(each, int) and 0 <= each - self._base < self._seats
            ]
            if len(found) == 1:
                return found[0]
        return otherwise


def first_player(doing: ir.Doing) -> int:
    """The place of the first parameter of a doing that is a player; -1 if there is none."""
    for place, param in enumerate(doing.params):
        if param.type.shape == "thing" and param.type.kinds == (0,):
            return place
    return -1


def _named_hook(program: ir.Program, doing: ir.Doing, when: str, hook: ir.Hook) -> Named:
    words = {"instead": "instead of"}.get(when, when)
    card = card_of(hook.lets)
    if card is not None:
        return Named("card", f"{title_of(program, card)}: {words} {doing.name}", hook.cites)
    return Named("rule", hook.label or _words(program, hook.span), hook.cites)


def _named_rule(program: ir.Program, rule: ir.StateRule) -> Named:
    card = card_of(rule.lets)
    text = _words(program, rule.span)
    if card is not None:
        return Named("card", f"{title_of(program, card)}: {text}", rule.cites)
    return Named("state rule", text, rule.cites)


def _words(program: ir.Program, span: ir.Span) -> str:
    """How a rule begins in the text, and where."""
    where = place_of(program, span)
    if not span.line or span.file >= len(program.sources):
        return where
    line = program.sources[span.file].split("\n")[span.line - 1][span.column :]
    words = line.partition("  #")[0].strip().split(": ", 1)[0].removesuffix(":")
    return f"{words if len(words) <= _LONGEST else words[: _LONGEST - 3] + '...'} ({where})"


def place_of(program: ir.Program, span: ir.Span) -> str:
    """The file of a place within its ruleset, and its line."""
    if not span.line or span.file >= len(program.files):
        return "built in"
    return f"{program.files[span.file]}:{span.line}"


def title_of(program: ir.Program, thing: int) -> str:
    """The id of a thing."""
    for kind in program.kinds:
        if kind.base <= thing < kind.base + kind.count:
            return kind.ids[thing - kind.base]
    return str(thing)
