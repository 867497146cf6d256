"""What holds after lines have run, in terms of what held before.

Lines are gone through one way at a time; what they write is kept as terms of the state before them. What cannot be
followed (loops, chance, choices, doings that others listen to) leaves the fields that it may write unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import define, evolve, field

from rulelang import ir
from rulelang.checker.graph import expressions, statements
from rulelang.checker.terms import arith

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulelang.checker.graph import Graph
    from rulelang.checker.terms import Literal, Term, World

_WAYS: Final = 8
"""So many ways through lines are followed."""
_DEEP: Final = 4
"""So many doings inside each other are followed."""

_AT_LARGE: Final = ("PlacedAt", "InBox", "HolderOf", "AnyRow", "MapOp", "During")
"""Forms of terms that read more than they name."""


class LostError(Exception):
    """The lines cannot be followed."""


@define
class Way:
    """One way through lines.

    Attributes:
        names: What the locals stand for, in terms of the state before.
        values: What has been written: for each place, a term, its value.
        unknown: Fields that may have any value now; globals as negative numbers, -1 for the first.
        tests: What must have held for this way, and for no line to have failed.
    """

    names: dict[str, Term]
    values: dict[Term, Term] = field(factory=dict)
    unknown: frozenset[int] = frozenset()
    tests: tuple[Literal, ...] = ()


@define(eq=False)
class Aftermath:
    """Follows lines of a ruleset.

    Attributes:
        graph: The ruleset.
        world: What is known of it.
    """

    graph: Graph
    world: World
    _reads: dict[int, frozenset[int]] = field(factory=dict, init=False)
    _made: int = field(default=0, init=False)

    def ways(self, doing: ir.Doing, names: Mapping[str, Term]) -> list[Way]:
        """Give the ways through a doing.

        Args:
            doing: The doing.
            names: What its parameters stand for.

        Raises:
            LostError: There are too many, or one of them leaves the doing early.
        """
        return self._through(doing.body, [Way(dict(names))], 0)

    def then(self, term: Term, way: Way) -> Term:
        """Give a term as it is after a way, in terms of the state before.

        Raises:
            LostError: It reads what is unknown then, or what may be one of the places written.
        """
        if self.reads(term) & way.unknown:
            raise LostError
        written = {number for place in way.values for number in _numbers(place)}
        if not self.reads(term) & written:
            return term
        for part in _parts(term):
            if part[0] == "call" and self._read_by(part[1]) & written:
                raise LostError
            if part[0] in _AT_LARGE:
                raise LostError
            if part not in way.values and any(_may_be(part, place) for place in way.values):
                raise LostError
        for number, place in enumerate(way.values):
            term = self.world.replaced(term, place, ("l", f"#{number}"))
        for number, value in enumerate(way.values.values()):
            term = self.world.replaced(term, ("l", f"#{number}"), value)
        return term

    def reads(self, term: Term) -> frozenset[int]:
        """Give the fields that a term reads, in definitions too; globals as negative numbers."""
        found: set[int] = set()
        for part in _parts(term):
            if part[0] == "f":
                found.update(part[1])
            elif part[0] == "g":
                found.add(_global(part[1]))
            elif part[0] == "call":
                found |= self._read_by(part[1])
            elif part[0] in _AT_LARGE:
                found |= self._read_at_large(part)
        return frozenset(found)

    def written(self, doing: int) -> frozenset[int]:
        """Give the fields that a doing may write, with all that it runs; globals as negative numbers.

        Raises:
            LostError: It may end something, so what comes after it is not known.
        """
        found: set[int] = set()
        for number in self.graph.below(doing):
            for stmt in self.graph.statements[number]:
                found |= self._writes(stmt)
        return frozenset(found)

    # ------------------------------------------------------------------ reading

    def _read_by(self, definition: int) -> frozenset[int]:
        known = self._reads.get(definition)
        if known is None:
            self._reads[definition] = frozenset()
            found: set[int] = set()
            for expr in expressions(self.graph.definitions[definition].body):
                match expr:
                    case ir.FieldGet(fields=fields):
                        found.update(fields)
                    case ir.GlobalGet(index=index):
                        found.add(_global(index))
                    case ir.CallDef(definition=number) | ir.MapOp(definition=number):
                        found |= self._read_by(number)
                    case ir.PlacedAt() | ir.InBox() | ir.HolderOf() | ir.AnyRow() | ir.During():
                        found |= self._moving()
                    case _:
                        pass
            known = self._reads[definition] = frozenset(found)
        return known

    def _read_at_large(self, part: Term) -> frozenset[int]:
        if part[0] == "MapOp":
            return self._read_by(part[2])
        return self._moving()

    def _moving(self) -> frozenset[int]:
        """Give what changes when something moves: fields that are places, and piles."""
        fields = self.graph.ctx.tables.fields
        return frozenset(each.index for each in fields if each.pile or each.name == "place")

    def _value(self, expr: ir.Expr, way: Way) -> Term:
        return self.then(self.world.term(expr, way.names), way)

    # ------------------------------------------------------------------ going through

    def _through(self, block: ir.Block, ways: list[Way], depth: int) -> list[Way]:
        for stmt in block:
            ways = [end for way in ways for end in self._line(stmt, way, depth)]
            if len(ways) > _WAYS:
                raise LostError
        return ways

    def _line(self, stmt: ir.Stmt, way: Way, depth: int) -> list[Way]:
        match stmt:
            case ir.Let(name=name, value=value):
                return [evolve(way, names={**way.names, name: self._value(value, way)})]
            case ir.SetGlobal(index=index, value=value, until=()):
                return [self._set(way, ("g", index), self._value(value, way))]
            case ir.AdjustGlobal(index=index, result=None):
                of = self.graph.ctx.globals[index].type
                return self._adjusted(way, ("g", index), stmt, of, stmt.sign)
            case ir.SetField(obj=obj, fields=fields, key=key, value=value, until=()):
                place = self._place(fields, obj, key, way)
                return [self._set(way, place, self._value(value, way))]
            case ir.Adjust(result=None, until=()):
                return self._transferred(stmt, way)
            case ir.If(cond=cond, then=then, orelse=orelse):
                test = self._value(cond, way)
                yes = evolve(way, tests=(*way.tests, (test, True)))
                no = evolve(way, tests=(*way.tests, (test, False)))
                return [
                    *self._through(then, [yes], depth),
                    *self._through(orelse, [no], depth),
                ]
            case ir.Call(doing=number, args=args, result=None) if depth < _DEEP:
                called = self.graph.doings[number]
                if self._is_plain(called):
                    names = {
                        param.name: self._value(arg, way)
                        for param, arg in zip(called.params, args, strict=True)
                    }
                    inner = [evolve(way, names=names)]
                    ends = self._through(called.body, inner, depth + 1)
                    return [evolve(end, names=way.names) for end in ends]
            case ir.Show() | ir.Win():
                return [way]
            case _:
                pass
        return [self._unknown_after(stmt, way)]

    @staticmethod
    def _is_plain(doing: ir.Doing) -> bool:
        """Tell whether nothing else happens when a doing runs than its lines."""
        return not (
            doing.before or doing.instead or doing.after or doing.param_globals or doing.keeps
        ) and doing.kind in ("effect", "rule", "action", "row", "atomic")

    def _place(self, fields: tuple[int, ...], obj: ir.Expr, key: ir.Expr | None, way: Way) -> Term:
        by = self._value(key, way) if key is not None else None
        return self.world.read(fields, self._value(obj, way), by)

    def _set(self, way: Way, place: Term, value: Term) -> Way:
        """Write a place.

        Raises:
            LostError: It may be one that was written before under another name.
        """
        if place[0] not in ("f", "g"):
            raise LostError
        if any(other != place and _may_be(other, place) for other in way.values):
            raise LostError
        return evolve(way, values={**way.values, place: value})

    def _transferred(self, stmt: ir.Adjust, way: Way) -> list[Way]:
        fields = self.graph.ctx.tables.fields
        place = self._place(stmt.fields, stmt.obj, None, way)
        if stmt.other is not None and stmt.up_to:
            return [self._unknown_after(stmt, way)]  # how much moves depends on both sides
        changed = self._adjusted(way, place, stmt, fields[stmt.fields[0]].type, stmt.sign)
        if stmt.other is None:
            return changed
        other = self._place(stmt.other_fields, stmt.other, None, way)
        of = fields[stmt.other_fields[0]].type
        return [end for one in changed for end in self._adjusted(one, other, stmt, of, -stmt.sign)]

    def _adjusted(
        self, way: Way, place: Term, stmt: ir.Adjust | ir.AdjustGlobal, of: ir.Type, sign: int
    ) -> list[Way]:
        """Give what comes of a gain or loss: within the range, and with `up to` at its edge."""
        amount = self._value(stmt.amount, way)
        value = arith("+" if sign > 0 else "-", self.then(place, way), amount)
        edge = of.hi if sign > 0 else of.lo
        if edge is None:
            return [self._set(way, place, value)]
        within = ("<=", value, ("c", edge)) if sign > 0 else ("<=", ("c", edge), value)
        inside = evolve(way, tests=(*way.tests, (within, True)))
        ends = [self._set(inside, place, value)]
        if stmt.up_to:
            beyond = evolve(way, tests=(*way.tests, (within, False)))
            ends.append(self._set(beyond, place, ("c", edge)))
        return ends

    # ------------------------------------------------------------------ what is not followed

    def _unknown_after(self, stmt: ir.Stmt, way: Way) -> Way:
        """Give a way after a line of which only is known what it may write; names that it binds are new."""
        lost: set[int] = set()
        names = dict(way.names)
        for inner in statements((stmt,)):
            lost |= self._writes(inner)
            if isinstance(inner, ir.Call):
                lost |= self.written(inner.doing)
            for bound in _binds(inner):
                self._made += 1
                names[bound] = ("l", f"{bound}#{self._made}")
        values = {place: value for place, value in way.values.items() if not _numbers(place) & lost}
        return evolve(way, names=names, values=values, unknown=way.unknown | lost)

    def _writes(self, stmt: ir.Stmt) -> set[int]:
        """Give what one line may write itself.

        Raises:
            LostError: It ends something, or makes rules that last.
        """
        match stmt:
            case ir.End() | ir.Lasting():
                raise LostError
            case ir.SetField(fields=fields) | ir.Shuffle(fields=fields):
                return set(fields)
            case ir.Adjust(fields=fields, other_fields=others):
                return {*fields, *others}
            case ir.SetGlobal(index=index) | ir.AdjustGlobal(index=index):
                return {_global(index)}
            case ir.Move():
                return set(self._moving())
            case _:
                return set()


def _binds(stmt: ir.Stmt) -> Iterable[str]:
    names = [getattr(stmt, name, None) for name in ("name", "result", "index")]
    return [name for name in names if isinstance(name, str)]


def _global(index: int) -> int:
    return -1 - index


def _may_be(one: Term, other: Term) -> bool:
    """Tell whether two terms may stand for one place."""
    if one[0] != other[0] or one[0] not in ("f", "g"):
        return False
    if one[0] == "g":
        return bool(one[1] == other[1])
    apart = any(
        part is not None and whole is not None and part[0] == whole[0] == "c" and part != whole
        for part, whole in zip(one[2:], other[2:], strict=True)
    )
    return not apart and not set(one[1]).isdisjoint(other[1])


def _numbers(place: Term) -> set[int]:
    return set(place[1]) if place[0] == "f" else {_global(place[1])}


def _parts(term: Term) -> Iterator[Term]:
    """Give a term and all terms in it, those about bound variables too."""
    waiting: list[object] = [term]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            if here and isinstance(here[0], str):
                yield here
                if here[0] == "c":
                    continue
            waiting += here
