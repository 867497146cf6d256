"""What holds in every game that is played with the defaults of all options.

A condition about an option is known then. So is a field that only lines behind such conditions ever change: it keeps
what it begins with. All fields are taken to be like that at first. Those that a line which can run then changes go,
until there are no more of them. What is left is never changed: the first change of all would have to be made by one of
those lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from interpreter.compiling.analysis import children
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


@final
class Unknown:
    """The type of `UNKNOWN`."""


UNKNOWN: Final = Unknown()
"""The value of what the options do not say."""

_DEEPEST: Final = 20
_EMPTY: Final[tuple[object, ...]] = ((), frozenset())


class Usual:
    """Knows what follows from the defaults of the options of a Program.

    Args:
        program: The Program.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._options = tuple(each.default for each in program.options)
        others = {kind.place for kind in program.kinds} | {program.automa_field}
        self._fields: dict[int, object] = {
            each.index: each.values[0]
            for each in program.fields
            if each.values and not each.pile and each.index not in others and _constant(each)
        }
        kept = {index for doing in program.doings for index in doing.keeps}
        self._globals = {each.index: each.initial for each in program.globals if each.index in kept}
        self._definitions: dict[int, object] = {}
        while self._forget():
            self._definitions.clear()
        self._idle: dict[int, bool] = {}

    def _forget(self) -> bool:
        """Take out the fields and kept values that some line may change; were there any?"""
        before = len(self._fields) + len(self._globals)
        for line in self._lines():
            match line:
                case ir.SetField():
                    changed = line.fields
                case ir.Adjust():
                    changed = (*line.fields, *line.other_fields)
                case ir.SetGlobal() | ir.AdjustGlobal():
                    self._globals.pop(line.index, None)
                    continue
                case _:
                    continue
            for field in changed:
                self._fields.pop(field, None)
        return len(self._fields) + len(self._globals) < before

    def _lines(self) -> Iterator[object]:
        """All that can run, and what it is made of."""
        program = self._program
        waiting: list[object] = [ir.Call(doing=0, args=())] if program.doings else []
        waiting += (
            ir.Call(doing=each.doing, args=())
            for each in program.state_rules
            if self.known(each.cond) is not False
        )
        done: set[int] = set()
        while waiting:
            here = waiting.pop()
            yield here
            waiting += self.below(here)
            called = getattr(here, "doing", None) if isinstance(here, _CALLERS) else None
            if isinstance(called, int) and called not in done:
                done.add(called)
                doing = program.doings[called]
                waiting += (*doing.body, *doing.before, *doing.instead, *doing.after)

    def below(self, node: object) -> list[object]:
        """The nodes directly below one, without those that are never run."""
        if isinstance(node, ir.If):
            known = self.known(node.cond)
            then = () if known is False else node.then
            return [node.cond, *then, *(() if known is True else node.orelse)]
        if isinstance(node, ir.While) and self.known(node.cond) is False:
            return [node.cond]
        return [each for each in children(node) if not self._asleep(each)]

    def _asleep(self, node: object) -> bool:
        return isinstance(node, ir.Hook) and self.known(node.guard) is False

    # ------------------------------------------------------------------------------------ lines

    def idle(self, line: object) -> bool:
        """Does a line change nothing, ask nobody, and leave nothing?"""
        match line:
            case ir.Let():
                return line.name.startswith("$")
            case ir.If():
                known = self.known(line.cond)
                return (known is False or all(map(self.idle, line.then))) and (
                    known is True or all(map(self.idle, line.orelse))
                )
            case ir.Each():
                return all(map(self.idle, line.body))
            case ir.While():
                return self.known(line.cond) is False
            case ir.Call(result=None):
                return self._idle_doing(line.doing)
            case _:
                return False

    def _idle_doing(self, index: int) -> bool:
        if index not in self._idle:
            self._idle[index] = False  # what runs inside itself does something
            doing = self._program.doings[index]
            hooks = (*doing.before, *doing.instead, *doing.after)
            self._idle[index] = all(map(self.idle, doing.body)) and all(
                self._asleep(each) or (each.ask is None and self._idle_doing(each.doing))
                for each in hooks
            )
        return self._idle[index]

    # ------------------------------------------------------------------------------------ values

    def known(self, cond: ir.Expr | None, depth: int = 0) -> bool | None:
        """Whether a condition holds; None if the options do not say."""
        if cond is None:
            return True
        value = self.value(cond, depth)
        return value if isinstance(value, bool) else None

    def value(self, expr: ir.Expr, depth: int = 0) -> object:
        """What an expression is; `UNKNOWN` if the options do not say."""
        if depth > _DEEPEST:
            return UNKNOWN
        depth += 1
        match expr:
            case ir.Const():
                return expr.value
            case ir.OptionGet():
                return self._options[expr.option]
            case ir.GlobalGet():
                return self._globals.get(expr.index, UNKNOWN)
            case ir.FieldGet():
                return _same([self._fields.get(each, UNKNOWN) for each in expr.fields])
            case ir.Compare():
                return _compared(expr.op, *self._sides(expr, depth))
            case ir.Arith():
                return _reckoned(expr.op, *self._sides(expr, depth))
            case ir.CallDef():
                return self._definition(expr.definition, depth)
            case ir.LetIn():
                return self.value(expr.body, depth)
            case ir.Where() | ir.AnyWhere():
                return self._chosen(expr, depth)
            case _:
                return self._joined(expr, depth)

    def _definition(self, index: int, depth: int) -> object:
        """The value of a definition, whatever it is asked about."""
        if index not in self._definitions:
            self._definitions[index] = UNKNOWN  # where it asks for itself
            self._definitions[index] = self.value(self._program.definitions[index].body, depth)
        return self._definitions[index]

    def _sides(self, expr: ir.Compare | ir.Arith, depth: int) -> tuple[object, object]:
        return self.value(expr.left, depth), self.value(expr.right, depth)

    def _joined(self, expr: ir.Expr, depth: int) -> object:
        """The value of what is made of conditions."""
        match expr:
            case ir.Not():
                known = self.known(expr.value, depth)
                return UNKNOWN if known is None else not known
            case ir.And() | ir.Or():
                ends = isinstance(expr, ir.Or)
                parts = [self.known(each, depth) for each in expr.parts]
                if ends in parts:
                    return ends
                return UNKNOWN if None in parts else not ends
            case ir.Case():
                possible: list[object] = []
                for cond, value in expr.arms:
                    known = self.known(cond, depth)
                    if known is not False:
                        possible.append(self.value(value, depth))
                    if known:
                        return _same(possible)
                return _same([*possible, self.value(expr.otherwise, depth)])
            case ir.Exceptional():
                if all(self.known(each.cond, depth) is False for each in expr.clauses):
                    return self.value(expr.general, depth)
                return UNKNOWN
            case _:
                return UNKNOWN

    def _chosen(self, expr: ir.Where | ir.AnyWhere, depth: int) -> object:
        nothing = self.value(expr.source, depth) in _EMPTY or self.known(expr.cond, depth) is False
        if not nothing:
            return UNKNOWN
        return False if isinstance(expr, ir.AnyWhere) else ()


_CALLERS: Final = (ir.Call, ir.Hook, ir.Instance)


def _constant(field: ir.Field) -> bool:
    """Does every thing of the kind begin with the same value?"""
    first = field.values[0]
    if first is None and not field.type.optional:
        return False  # not set yet
    return all(each is first or each == first for each in field.values)


def _same(values: list[object]) -> object:
    """The one value that all of them are."""
    return values[0] if values and all(each == values[0] for each in values) else UNKNOWN


def _plain(*values: object) -> bool:
    return all(value is None or isinstance(value, int) for value in values)


def _compared(op: str, left: object, right: object) -> object:
    if not _plain(left, right):
        return UNKNOWN
    if op in ("==", "!="):
        return (left == right) is (op == "==")
    if not isinstance(left, int) or not isinstance(right, int):
        return UNKNOWN
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[op]


def _reckoned(op: str, left: object, right: object) -> object:
    if not isinstance(left, int) or not isinstance(right, int):
        return UNKNOWN
    if op == "/":
        return left // right if right else UNKNOWN
    return {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "min": min(left, right),
        "max": max(left, right),
    }[op]
