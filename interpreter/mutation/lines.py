"""Which lines can be left out, and which neighbours can be swapped so that it may make a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.analysis import Dependencies, Scopes, children, walk
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interpreter.mutation.usual import Usual

Token = tuple[str, object]
NOTHING: frozenset[Token] = frozenset()

LEFT_OUT = (
    ir.Call,
    ir.SetField,
    ir.SetGlobal,
    ir.Adjust,
    ir.AdjustGlobal,
    ir.Move,
    ir.End,
    ir.Lasting,
    ir.Win,
    ir.Shuffle,
)
"""Lines that bind no name which others could need."""


@attrs.frozen
class Footprint:
    """What lines read and change: fields, places of kinds, globals, lasting blocks, and the order of what is asked."""

    reads: frozenset[Token] = NOTHING
    writes: frozenset[Token] = NOTHING

    def __or__(self, other: Footprint) -> Footprint:
        """Both together."""
        return Footprint(self.reads | other.reads, self.writes | other.writes)

    def meets(self, other: Footprint) -> bool:
        """Does one change what the other reads or changes?"""
        return bool(self.writes & (other.reads | other.writes) or other.writes & self.reads)


class Order:
    """Knows which neighbours of a Program do not commute.

    What state rules do between two lines is not looked at: what is swapped has to meet by itself.

    Args:
        program: The Program.
        usual: If given, what does not run with the defaults of all options is left out.
    """

    def __init__(self, program: ir.Program, usual: Usual | None = None) -> None:
        self._program = program
        self._below = children if usual is None else usual.below
        self._scopes = Scopes(program)
        self._dependencies = Dependencies(program)
        self._doings: dict[int, Footprint] = {}

    def matters(self, one: ir.Stmt, two: ir.Stmt) -> bool:
        """Can two neighbours be swapped, and may it make a difference?"""
        if bound(one) & (self._scopes.free(two) | bound(two)) or bound(two) & self._scopes.free(
            one
        ):
            return False
        if (
            isinstance(one, ir.Adjust)
            and isinstance(two, ir.Adjust)
            and not (one.up_to or two.up_to or one.result or two.result)
            and not (self._value(one.amount) | self._value(two.amount)).reads
        ):
            return False  # sums do not mind
        if isinstance(one, ir.End) or isinstance(two, ir.End):
            return False  # that leaves the other one out
        first, second = self.of(one), self.of(two)
        if (leaves(one) and second.writes) or (leaves(two) and first.writes):
            return True
        return first.meets(second)

    def of(self, line: ir.Stmt) -> Footprint:
        """What a line reads and changes, with all that it calls."""
        return self._of((line,))

    def doing(self, index: int) -> Footprint:
        """What a doing and the rules about it read and change."""
        if index not in self._doings:
            self._doings[index] = Footprint()  # of one that runs inside itself nothing is added
            doing = self._program.doings[index]
            own = {("global", each) for each in (*doing.param_globals, *doing.keeps)}
            found = self._of(tuple(self._below(doing)))
            self._doings[index] = Footprint(found.reads - own, found.writes - own)
        return self._doings[index]

    def _of(self, nodes: tuple[object, ...]) -> Footprint:
        found = Footprint()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            found |= self._own(node)
            waiting += self._below(node)
        return found

    def _own(self, node: object) -> Footprint:
        match node:
            case ir.Call() | ir.Hook():
                return self.doing(node.doing)
            case ir.Ask():
                inside = Footprint(writes=frozenset({("asked", 0)}))
                for each in node.instances:
                    inside |= self.doing(each.doing)
                return inside
            case ir.Roll() | ir.Pick():
                return Footprint(writes=frozenset({("asked", 0)}))
            case ir.Shuffle():
                return Footprint(writes=frozenset({("asked", 0), *_fields(node.fields)}))
            case ir.SetField():
                return Footprint(writes=self._written(node.fields))
            case ir.Adjust():
                return Footprint(writes=self._written((*node.fields, *node.other_fields)))
            case ir.SetGlobal() | ir.AdjustGlobal():
                return Footprint(writes=frozenset({("global", node.index)}))
            case ir.Move():
                of = node.what.type.elem or node.what.type
                kinds = {("place", kind) for kind in of.kinds}
                piles = {
                    ("field", each.index)
                    for each in self._program.fields
                    if each.pile and set((each.type.elem or each.type).kinds) & set(of.kinds)
                }
                return Footprint(writes=frozenset(kinds | piles))
            case ir.Win():
                return Footprint(writes=frozenset({("winners", 0)}))
            case ir.Lasting():
                return Footprint(writes=frozenset({("block", node.block)}))
            case ir.Expr():
                return self._tokens(node)
            case _:
                return Footprint()

    def _value(self, expr: ir.Expr) -> Footprint:
        return self._of((expr,))

    def _tokens(self, expr: ir.Expr) -> Footprint:
        reads = self._dependencies.own(expr)
        if reads.data_only:
            return Footprint()
        return Footprint(
            frozenset(
                (
                    *(("field", each) for each in reads.fields),
                    *(("place", each) for each in reads.places),
                    *(("global", each) for each in reads.globals),
                    *(("block", each) for each in reads.blocks),
                )
            )
        )

    def _written(self, fields: Iterable[int]) -> frozenset[Token]:
        found = set(_fields(fields))
        for each in fields:
            declared = self._program.fields[each]
            if self._program.kinds[declared.kind].place == each:
                found.add(("place", declared.kind))
        return frozenset(found)


def leaves(line: ir.Stmt) -> bool:
    """Is there an `end` in a line?"""
    return any(isinstance(node, ir.End) for node in walk((line,)))


def _fields(fields: Iterable[int]) -> Iterable[Token]:
    return [("field", each) for each in fields]


def bound(line: ir.Stmt) -> frozenset[str]:
    """The names that a line binds or changes."""
    found: set[str] = set()
    for node in walk((line,)):
        match node:
            case ir.Let() | ir.Roll() | ir.Pick() | ir.Ask() | ir.Each():
                found.add(node.name)
            case ir.Shuffle() if node.name is not None:
                found.add(node.name)
            case ir.Adjust() | ir.AdjustGlobal() | ir.Call() if node.result is not None:
                found.add(node.result)
            case _:
                pass
    return frozenset(found)
