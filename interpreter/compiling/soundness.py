"""Which expressions are never a fault, so that they can be left out or evaluated at another time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.analysis import walk
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable


class Soundness:
    """Says of expressions of a Program whether they are sound: they never are a fault.

    Args:
        program: The Program.
        body: Gives the body of a definition by its index.
    """

    def __init__(self, program: ir.Program, body: Callable[[int], ir.Expr]) -> None:
        self._program = program
        self._body = body
        self._definitions: dict[int, bool] = {}

    def __call__(self, e: ir.Expr) -> bool:
        """Is this expression sound?"""
        return all(self._node(node) for node in walk(e))

    def _node(self, node: object) -> bool:
        match node:
            case ir.One():
                source = node.source
                while isinstance(source, (ir.Sorted, ir.Best)):
                    source = source.source
                return (
                    node.op in ("first", "last")
                    and isinstance(source, ir.KindAll)
                    and self._program.kinds[source.kind].count > 0
                )
            case ir.Arith():
                return node.op not in ("*", "/") or isinstance(node.right, ir.Const)
            case ir.Fold():
                return node.op == "sum"
            case ir.FieldGet():
                return node.key is None or self._has_key(node, node.key)
            case ir.CallDef():
                return self._definition(node.definition)
            case ir.Exceptional():
                return sum(clause.sign == "=" for clause in node.clauses) <= 1
            case ir.IndexOf() | ir.Item() | ir.MapOp() | ir.RangeSet() | ir.Subsets():
                return False
            case _:
                return True

    def _has_key(self, node: ir.FieldGet, key: ir.Expr) -> bool:
        """Is there surely a value for this key?"""
        of = key.type
        if of.optional:
            return False
        if of.shape in ("word", "thing"):
            return True
        fields = [self._program.fields[index] for index in node.fields]
        return (
            of.shape == "number"
            and of.lo is not None
            and of.hi is not None
            and all(
                field.key_low <= of.lo and of.hi < field.key_low + field.keys for field in fields
            )
        )

    def _definition(self, index: int) -> bool:
        known = self._definitions.get(index)
        if known is None:
            self._definitions[index] = False  # while it is being found out
            known = self._definitions[index] = self(self._body(index))
        return known
