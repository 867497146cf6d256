"""Which things had an effect: what a ruleset's report of its cards and counters is made of.

A rule of a card had one when it acted or applied. A field that is data had one when a line of a doing has read it while
a name of that doing stood for the thing: a condition that looks through all things of a kind, a rule that tests whether
it should act, a state rule and a promise do not count, nor what a scenario sets up. What the arguments of an action are
chosen from is read as the options are listed; it counts for the action that is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interpreter.layout import statements
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

Lets = tuple[tuple[str, ir.Expr], ...]


class Works:
    """What is noted in one game.

    Attributes:
        found: Things, each with a field or with the place of a rule of its card.
    """

    def __init__(self) -> None:
        self.found: set[tuple[int, ir.Span | int]] = set()
        self._single: dict[int, frozenset[str]] = {}

    def rule(self, lets: Lets, span: ir.Span) -> None:
        """A rule acts or applies; it may be one of a card."""
        card = card_of(lets)
        if card is not None:
            self.found.add((card, span))

    def data(
        self, doing: ir.Doing, names: Mapping[str, Any] | None, thing: int, field: int
    ) -> None:
        """A field that is data is read, in a doing whose names (None: no line of it runs) mean this."""
        if names is None or doing.kind == "setup":
            return
        single = self._single.get(doing.index)
        if single is None:
            single = self._single[doing.index] = _names_of_things(doing)
        for name in single:
            if names.get(name) == thing:
                self.found.add((thing, field))
                return


def card_of(lets: Lets) -> int | None:
    """The card whose rule is in force when these can be bound; None if it is no card's."""
    for _, value in lets:
        if isinstance(value, ir.HolderOf) and isinstance(value.card, ir.Const):
            return cast("int", value.card.value)
    return None


def _names_of_things(doing: ir.Doing) -> frozenset[str]:
    """The names in a doing that stand for one thing."""
    found = {param.name for param in doing.params if param.type.shape == "thing"}
    for line in statements(doing.body):
        of: ir.Type | None = None
        match line:
            case ir.Let():
                of = line.value.type
            case ir.Each() | ir.Pick():
                of = (
                    line.source.type.elem
                    if not isinstance(line, ir.Pick) or line.count is None
                    else None
                )
            case ir.Ask() if (
                line.options is not None and line.at_least is None and line.at_most is None
            ):
                of = line.options.type.elem
            case _:
                pass
        if of is not None and of.shape == "thing":
            found.add(line.name)  # type: ignore[attr-defined]
    return frozenset(found)
