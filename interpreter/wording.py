"""What an expression reads, in few words: for messages about conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.naming import Naming


@attrs.frozen
class Wording:
    """Writes expressions of a program.

    Attributes:
        program: The program.
        naming: Its names.
        known: Values of locals: they are written in place of the names.
    """

    program: ir.Program
    naming: Naming
    known: Mapping[str, object] = attrs.field(factory=dict)

    def said(self, expr: ir.Expr) -> str:
        """Write what is read, as far as it has a short name; empty otherwise."""
        match expr:
            case ir.Local(name=name):
                return self.naming.key(self.known[name], expr.type) if name in self.known else name
            case ir.OptionGet(option=number):
                return self.program.options[number].name
            case ir.GlobalGet(index=number):
                return self.program.globals[number].name
            case ir.FieldGet(obj=obj, fields=fields, key=key):
                owner = self.said(obj)
                name = f"{owner}.{self.program.fields[fields[0]].name}"
                by = f"({self.said(key)})" if key is not None else ""
                return f"{name}{by}" if owner and by != "()" else ""
            case ir.CallDef(definition=number, args=args):
                said = [self.said(each) for each in args]
                name = self.program.definitions[number].name
                if not all(said):
                    return ""
                if "." in name:
                    first, *more = said
                    last = name.rpartition(".")[2]
                    given = f"({', '.join(more)})" if more else ""
                    return f"{first}.{last}{given}"
                return f"{name}({', '.join(said)})" if said else name
            case ir.Const(value=value):
                return self.naming.key(value, expr.type)
            case ir.Count(source=source):
                inner = self.said(source)
                return f"count({inner})" if inner else ""
            case ir.KindAll(kind=kind):
                return self.program.kinds[kind].name
            case ir.PlacedAt(source=source, place=place):
                what, there = self.said(source), self.said(place)
                return f"{what} at {there}" if what and there else ""
            case _:
                return ""


def leaves(cond: ir.Expr | None) -> Iterator[ir.Expr]:
    """Give what a condition reads: the values that it compares, and the flags that it tests."""
    match cond:
        case None | ir.Const() | ir.Local():
            return
        case ir.And(parts=parts) | ir.Or(parts=parts):
            for part in parts:
                yield from leaves(part)
        case ir.Not(value=value):
            yield from leaves(value)
        case ir.Compare(left=left, right=right) | ir.Arith(left=left, right=right):
            yield from leaves(left)
            yield from leaves(right)
        case ir.IsKind(value=value) | ir.Contains(item=value):
            yield from leaves(value)
        case ir.AnyWhere(source=source, cond=None):
            yield ir.Count(source, type=ir.COUNT)
        case _:
            yield cond
