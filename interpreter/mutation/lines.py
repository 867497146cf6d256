"""Which lines can be left out, and which neighbours can be swapped so that it may make a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.analysis import Dependencies, Scopes, children, walk
from interpreter.mutation.piles import shuffles
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
        ordered: The fields that are piles in which the order matters.
    """

    def __init__(
        self,
        program: ir.Program,
        usual: Usual | None = None,
        *,
        ordered: frozenset[int] = frozenset(),
    ) -> None:
        self._program = program
        self._ordered = ordered
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
            and not (self.value(one.amount) | self.value(two.amount)).reads
        ):
            return False  # sums do not mind
        if isinstance(one, ir.End) or isinstance(two, ir.End):
            return False  # that leaves the other one out
        if self._apart(one, two) or self._apart(two, one):
            return False
        first, second = self.of(one), self.of(two)
        if (leaves(one) and second.writes) or (leaves(two) and first.writes):
            return True
        return first.meets(second)

    def _apart(self, one: ir.Stmt, two: ir.Stmt) -> bool:
        """Are they shuffles of two piles, a shuffle and a move to elsewhere, or moves of other things to elsewhere?

        A pile from which something is taken is as well mixed whether it was shuffled before or after.
        """
        match one, two:
            case ir.Shuffle(name=None), ir.Shuffle(name=None):
                return not set(one.fields) & set(two.fields)
            case ir.Shuffle(name=None), ir.Move():
                reads = self._of((two.what, two.dest)).reads
                return not set(_fields(one.fields)) & reads and not set(one.fields) & set(
                    two.dest.fields
                )
            case ir.Move(), ir.Move():
                return self._other_things(one, two) or self._other_piles(one, two)
            case _:
                return False

    def _other_things(self, one: ir.Move, two: ir.Move) -> bool:
        """Do two moves of things that are chosen by their data share neither a thing nor a pile?"""
        first, second = (things(self._program, each.what) for each in (one, two))
        if first is None or second is None or first & second:
            return False
        reads = (self._of((one.dest,)) | self._of((two.dest,))).reads
        return not reads and not set(one.dest.fields) & set(two.dest.fields)

    def _other_piles(self, one: ir.Move, two: ir.Move) -> bool:
        """Do two moves go from one pile to another, and neither meets the other but where order says nothing?"""
        first, second = (_source(self._program, each.what) for each in (one, two))
        if first is None or second is None or not (one.dest.fields and two.dest.fields):
            return False
        into, also_into = set(one.dest.fields), set(two.dest.fields)
        reads, also_reads = (self._of((each.what, each.dest)).reads for each in (one, two))
        if any(what == "place" for what, _ in reads | also_reads):
            return False
        return not (
            reads & set(_fields(second | also_into))
            or also_reads & set(_fields(first | into))
            or first & second
            or into & also_into & self._ordered
        )

    def mixed(self, line: ir.Move, later: ir.Block) -> bool:
        """Is the pile that is moved to shuffled before anything looks at it?"""
        pile = set(_fields(line.dest.fields))
        for each in later:
            match each:
                case ir.Shuffle(name=None):
                    if shuffles(each, line.dest):
                        return True
                case ir.Move():
                    if pile & self._of((each.what, each.dest)).reads:
                        return False
                case _:
                    return False
        return False

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

    def value(self, expr: ir.Expr) -> Footprint:
        """What an expression reads."""
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


def _source(program: ir.Program, what: ir.Expr) -> frozenset[int] | None:
    """The pile that all of what is moved lies in; None if that is not what an expression says."""
    match what:
        case ir.Take() | ir.Where() | ir.Best() | ir.Sorted() | ir.One():
            return _source(program, what.source)
        case ir.FieldGet() if all(program.fields[each].pile for each in what.fields):
            return frozenset(what.fields)
        case _:
            return None


def things(program: ir.Program, what: ir.Expr) -> frozenset[object] | None:
    """The things of a kind that are chosen by their data alone; None if that is not what an expression says."""
    match what:
        case ir.KindAll():
            kind = program.kinds[what.kind]
            return frozenset(range(kind.base, kind.base + kind.count))
        case ir.Where(source=ir.KindAll() as source):
            known = [
                (each, _data(program, what.cond, what.var, each)) for each in _all(program, source)
            ]
            if any(holds is None for _, holds in known):
                return None
            return frozenset(each for each, holds in known if holds)
        case ir.Const(value=int()) if what.type.shape == "thing":
            return frozenset((what.value,))
        case _:
            return None


def _all(program: ir.Program, source: ir.KindAll) -> range:
    kind = program.kinds[source.kind]
    return range(kind.base, kind.base + kind.count)


def _data(program: ir.Program, cond: ir.Expr, var: str, thing: int) -> bool | None:
    """Whether a condition about one field of a thing that never changes holds; None for other conditions."""
    match cond:
        case ir.Compare(op="==", left=ir.FieldGet() as field, right=wanted):
            among = _values((wanted,))
        case ir.Contains(item=ir.FieldGet() as field, source=ir.MakeSet() as source):
            among = _values(source.items)
        case _:
            return None
    if among is None or field.key is not None:
        return None
    if not isinstance(field.obj, ir.Local) or field.obj.name != var:
        return None
    for index in field.fields:
        declared = program.fields[index]
        of = program.kinds[declared.kind]
        if of.base <= thing < of.base + of.count:
            return None if declared.mutable else declared.values[thing - of.base] in among
    return None


def _values(exprs: tuple[ir.Expr, ...]) -> tuple[object, ...] | None:
    """What some constants are; None if others are among them."""
    found = tuple(each.value for each in exprs if isinstance(each, ir.Const))
    return found if len(found) == len(exprs) else None


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
