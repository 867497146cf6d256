"""Which doings read what a seat may not see: the others need not be followed line by line."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from attrs import define, field

from rulelang import ir
from rulelang.checker.sight import Sight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulelang.checker.graph import Graph


def _anywhere(_: ir.Span) -> bool:
    return True


@define(eq=False)
class Readers:
    """The definitions and doings in which `Sight` can find a secret.

    Attributes:
        graph: The ruleset.
        counts: Tells of the place of a reading whether it counts.
    """

    graph: Graph
    counts: Callable[[ir.Span], bool] = _anywhere
    _fields: frozenset[int] = field(init=False)
    _definitions: frozenset[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Find the fields that may be unseen, and the definitions that read one of them, by way of others too."""
        graph = self.graph
        sight = Sight(graph, None, certain=True)
        fields = graph.ctx.tables.fields
        self._fields = frozenset(each.index for each in fields if sight.may_be_unseen(each))
        users: dict[int, list[int]] = defaultdict(list)
        waiting: list[int] = []
        for definition in graph.definitions:
            inside = graph.within(definition.body)
            if any(map(self._is_unseen, inside)):
                waiting.append(definition.index)
            for called in _opened(inside):
                users[called].append(definition.index)
        found = set(waiting)
        while waiting:
            new = set(users[waiting.pop()]) - found
            found |= new
            waiting += new
        self._definitions = frozenset(found)

    def has(self, doing: ir.Doing, allowed: Iterable[int] = ()) -> bool:
        """Tell whether a doing reads what may be unseen.

        Args:
            doing: The doing.
            allowed: Definitions that are looked into besides those that it asks for.
        """
        inside = list(self.graph.expressions(doing))
        return (
            any(map(self._is_unseen, inside))
            or not self._definitions.isdisjoint(_opened(inside))
            or not self._definitions.isdisjoint(allowed)
        )

    def _is_unseen(self, expr: ir.Expr) -> bool:
        return (
            isinstance(expr, ir.FieldGet)
            and not self._fields.isdisjoint(expr.fields)
            and self.counts(expr.span)
        )


def _opened(inside: Iterable[ir.Expr]) -> set[int]:
    """Give the definitions that expressions ask for."""
    return {each.definition for each in inside if isinstance(each, ir.CallDef | ir.MapOp)}
