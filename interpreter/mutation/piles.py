"""In which piles the order of the things can make a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.analysis import children
from interpreter.mutation.model import SCENARIOS, file_of
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

_Use = tuple[str, int]
"""Where the order of a value goes: to a definition's value, to a pile, to something that may look at it, or nowhere."""

_LOST: _Use = ("lost", 0)
_USED: _Use = ("used", 0)

_ANY_ORDER = (
    ir.Count,
    ir.AnyWhere,
    ir.Contains,
    ir.Overlap,
    ir.SameItems,
    ir.AsSet,
    ir.Union,
    ir.Fold,
    ir.And,
    ir.Or,
    ir.Not,
    ir.Arith,
    ir.IsKind,
    ir.Key,
    ir.Alternative,
    ir.Instance,
    ir.Pick,
    ir.Roll,
    ir.Shuffle,
    ir.Show,
    ir.Win,
    ir.Adjust,
    ir.AdjustGlobal,
    ir.Dest,
)
"""What does not look at the order of the sets and lists directly in it."""


class Piles:
    """Finds the piles that some rule looks at in their order.

    Args:
        program: The Program.

    Attributes:
        ordered: Indexes of their fields. In all others nobody can tell the top from the bottom.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._goes: dict[_Use, set[_Use]] = {}
        for definition in program.definitions:
            if self._of_game(definition.span):
                self._walk(definition.body, ("definition", definition.index))
        for doing in program.doings:
            if self._of_game(doing.span):
                hooks = (*doing.before, *doing.instead, *doing.after)
                asked = () if doing.concerned is None else (doing.concerned,)
                self._block(doing.body)
                for part in (*hooks, *asked):
                    self._walk(part, _USED)
        for rule in program.state_rules:
            self._walk(rule, _USED)
        self.ordered = frozenset(index for what, index in self._looked_at() if what == "pile")

    def _of_game(self, span: ir.Span) -> bool:
        return span == ir.NOWHERE or not file_of(self._program, span).startswith(SCENARIOS)

    def _looked_at(self) -> set[_Use]:
        """All uses from which an order comes to something that may look at it."""
        found: set[_Use] = set()
        waiting = [_USED]
        while waiting:
            to = waiting.pop()
            more = [each for each, uses in self._goes.items() if to in uses and each not in found]
            found.update(more)
            waiting += more
        return found

    def _walk(self, node: object, use: _Use) -> None:
        for child, goes in self._below(node, use):
            self._walk(child, goes)

    def _block(self, block: ir.Block) -> None:
        for number, line in enumerate(block):
            later = block[number + 1] if number + 1 < len(block) else None
            if isinstance(line, ir.Move) and shuffles(later, line.dest):
                self._walk(line.what, _LOST)
                self._walk(line.dest, _LOST)
            else:
                self._walk(line, _USED)

    def _note(self, of: _Use, use: _Use) -> None:
        if use != _LOST:
            self._goes.setdefault(of, set()).add(use)

    def _below(self, node: object, use: _Use) -> Iterator[tuple[object, _Use]]:
        """What is below a node, and where its order goes."""
        match node:
            case ir.FieldGet():
                for index in node.fields:
                    if self._program.fields[index].pile:
                        self._note(("pile", index), use)
                yield from ((each, _LOST) for each in children(node))
            case ir.CallDef():
                self._note(("definition", node.definition), use)
                yield from ((each, _USED) for each in node.args)
            case ir.Where() | ir.InBox() | ir.PlacedAt() | ir.Best() | ir.Sorted():
                yield node.source, use
                yield from ((each, _LOST) for each in children(node) if each is not node.source)
            case ir.Minus():
                yield node.left, use
                yield node.right, _LOST
            case ir.Concat():
                yield from ((each, use) for each in children(node))
            case ir.One() if node.op in ("only", "maybe"):
                yield node.source, _LOST
            case ir.Exceptional():
                yield node.general, use
                for clause in node.clauses:
                    yield clause.value, use
                    yield from (
                        (each, _USED) for each in children(clause) if each is not clause.value
                    )
            case ir.Compare():
                sides = (node.left, node.right)
                yield from ((each, _LOST if each.type.elem is None else _USED) for each in sides)
            case ir.If():
                yield node.cond, _LOST
                self._block(node.then)
                self._block(node.orelse)
            case ir.While():
                yield node.cond, _LOST
                self._block(node.body)
            case ir.Each():
                yield node.source, _USED
                self._block(node.body)
            case ir.Ask():
                yield from self._asked(node)
            case ir.Move():
                into: list[_Use] = [("pile", each) for each in node.dest.fields]
                yield from ((node.what, each) for each in into or [_LOST])
                yield node.dest, _LOST
            case _:
                inner = _LOST if isinstance(node, _ANY_ORDER) else _USED
                yield from ((each, inner) for each in children(node))

    @staticmethod
    def _asked(ask: ir.Ask) -> Iterator[tuple[object, _Use]]:
        """The rules of a question. How a policy breaks ties is no rule."""
        parts = (ask.chooser, ask.options, ask.at_least, ask.at_most, ask.whole)
        yield from ((each, _LOST) for each in parts if each is not None)
        yield from ((each.cond, _LOST) for each in ask.alternatives if each.cond is not None)
        yield from ((source, _LOST) for each in ask.instances for source in each.sources)
        yield from ((each, _USED) for each in ask.otherwise or ())


def shuffles(line: object, pile: ir.Dest) -> bool:
    """Does a line shuffle this pile?"""
    return (
        isinstance(line, ir.Shuffle)
        and line.name is None
        and line.fields == pile.fields
        and line.obj == pile.obj
    )
