"""What a value tells of what a seat may not see.

An expression is followed, definitions opened, from what it reads to its value: a hidden field, a field or pile that
its owner sees who need not be the seat, the order and content of a hidden pile, a thing that may lie face down. How
many things lie in a pile is open. What tests on the way show counts: whose a thing is, that it lies face up.

Not followed: what a doing is handed, what cards in hidden hands change, and what has been seen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import define, evolve, field, frozen

from rulelang import ir
from rulelang.checker.graph import expressions, outermost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rulelang.checker.graph import Graph

_FACE_UP: Final = "face_up"
_SEEN_FACE_DOWN: Final = frozenset((_FACE_UP, "place", "owner"))
"""Where a thing lies is seen, and whose it is follows from that or from its kind."""


@frozen
class Secret:
    """Something that is not seen.

    Attributes:
        field: The number of the field or pile that is read.
        down: Whether it is unseen because the thing lies, or may lie, face down.
        span: Where it is read.
    """

    field: int
    down: bool
    span: ir.Span


@frozen
class Known:
    """What is known of a value, or of each member of a set.

    Attributes:
        secrets: What it tells that is not seen.
        seat: Whether it is the seat itself; None: it may be.
        own: Whether it is surely owned by the seat, at it, or in a field of it.
        up: Whether it surely lies face up, or face down; None: it may be either.
    """

    secrets: frozenset[Secret] = frozenset()
    seat: bool | None = None
    own: bool = False
    up: bool | None = None


OPEN: Final = Known()
"""A value of which nothing is known and which is seen."""

Facts: TypeAlias = "dict[str | ir.Expr, Known]"
"""What has been found out about values; locals by name."""


@define(eq=False)
class Sight:
    """What one seat sees.

    Attributes:
        graph: The ruleset.
        seat: Who looks, as an expression of the doing in which it does; None: somebody who owns nothing.
        certain: Whether only things that surely lie face down count as unseen, or all that may.
    """

    graph: Graph
    seat: ir.Expr | None
    certain: bool = False
    _fields: list[ir.Field] = field(init=False)
    _flags: dict[int, ir.Field] = field(init=False)
    _closed: bool = field(init=False)
    _depth: int = field(default=0, init=False)
    _noted: set[type] = field(
        factory=set, init=False
    )  # classes of values with facts: to hash one takes long
    _called: dict[tuple[int, tuple[Known, ...]], Known] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Find the kinds whose things may lie face down, and whether the seat means the same everywhere."""
        self._fields = self.graph.ctx.tables.fields
        self._closed = self.seat is not None and not any(
            isinstance(part, ir.Local) for part in expressions(self.seat)
        )
        self._flags = {
            each.kind: each
            for each in self._fields
            if each.name == _FACE_UP
            and each.type.shape == "flag"
            and (each.index in self.graph.ctx.written_fields or False in each.values)
        }
        # Inside of a definition only a seat that means the same everywhere is recognised.
        seat = self.seat if self._closed else None
        self._called = self.graph.remembered.setdefault((Sight, seat, self.certain), {})

    def may_be_unseen(self, read: ir.Field) -> bool:
        """Tell whether a seat may exist that does not see a field of some thing."""
        return read.sight != "open" or (
            read.kind in self._flags and not read.pile and read.name not in _SEEN_FACE_DOWN
        )

    # ------------------------------------------------------------------ looking

    def look(self, expr: ir.Expr, facts: Mapping[str | ir.Expr, Known]) -> Known:
        """Follow an expression of the doing.

        Args:
            expr: The expression.
            facts: What has been found out before.
        """
        found = self._look(expr, facts)
        if expr.__class__ in self._noted and expr in facts:
            known = facts[expr]
            found = evolve(
                found,
                seat=found.seat if known.seat is None else known.seat,
                own=found.own or known.own,
                up=found.up if known.up is None else known.up,
            )
        if expr == self.seat and (self._closed or not self._depth):
            found = evolve(found, seat=True)
        return found

    def _look(self, expr: ir.Expr, facts: Mapping[str | ir.Expr, Known]) -> Known:
        match expr:
            case ir.Local(name=name):
                return facts.get(name, OPEN)
            case ir.FieldGet():
                return self._read(expr, facts)
            case ir.CallDef(definition=number, args=args):
                return self._call(number, tuple(self.look(arg, facts) for arg in args))
            case ir.Count(source=source) | ir.AnyWhere(source=source, cond=None):
                return Known(self._size(source, facts))
            case ir.And(parts=parts) | ir.Or(parts=parts):
                return self._tests(parts, facts, hold=isinstance(expr, ir.And))
            case ir.Case() | ir.Exceptional() | ir.Switch():
                return self._cases(expr, facts)
            case ir.LetIn(name=name, value=value, body=body):
                return self.look(body, {**facts, name: self.look(value, facts)})
            case ir.MapOp(definition=number, prefix=prefix, start=start, other=other):
                given = (*(self.look(each, facts) for each in prefix), OPEN, OPEN)
                ends = [self.look(each, facts) for each in (start, other) if each is not None]
                return _found_by(OPEN, self._call(number, given), *ends)
            case _:
                return self._members(expr, facts)

    def _members(self, expr: ir.Expr, facts: Mapping[str | ir.Expr, Known]) -> Known:
        """Follow a set, or what is made of one; anything else tells what its parts tell."""
        match expr:
            case ir.One(source=source) | ir.AsSet(source=source) | ir.InBox(source=source):
                return self.look(source, facts)
            case (
                ir.Take(source=source, count=other)
                | ir.Item(source=source, index=other)
                | ir.Minus(left=source, right=other)
            ):
                return _found_by(self.look(source, facts), self.look(other, facts))
            case ir.PlacedAt(source=source, place=place):
                here = self.look(place, facts)
                found = _found_by(self.look(source, facts), here)
                return evolve(found, own=found.own or bool(here.seat))
            case ir.Union(left=left, right=right) | ir.Concat(left=left, right=right):
                return _one_of([self.look(left, facts), self.look(right, facts)])
            case ir.MakeSet(items=items) | ir.MakeList(items=items):
                return _one_of([self.look(item, facts) for item in items])
            case ir.Where(source=source, var=var, cond=cond):
                members = self.look(source, facts)
                inner = {**facts, var: members}
                test = self.look(cond, inner)
                self.learn(cond, inner, holds=True)
                return _found_by(evolve(inner[var], secrets=members.secrets), test)
            case ir.Best(source=source, keys=keys) | ir.Sorted(source=source, keys=keys):
                found = self.look(source, facts)
                by = [self.look(key.body, {**facts, key.var: found}) for key in keys]
                return _found_by(found, *by)
            case ir.AnyWhere(source=source, var=var, cond=ir.Expr() as cond):
                members = self.look(source, facts)
                return _found_by(OPEN, members, self.look(cond, {**facts, var: members}))
            case ir.Map(source=source, var=var, body=body):
                members = self.look(source, facts)
                return _found_by(self.look(body, {**facts, var: members}), members)
            case _:
                return _found_by(OPEN, *(self.look(part, facts) for part in outermost(expr)))

    def _tests(
        self, parts: Sequence[ir.Expr], facts: Mapping[str | ir.Expr, Known], *, hold: bool
    ) -> Known:
        """Follow conditions of which each is tested only if those before hold, or do not."""
        here = dict(facts)
        found = OPEN
        for part in parts:
            found = _found_by(found, self.look(part, here))
            self.learn(part, here, holds=hold)
        return found

    def _cases(
        self,
        expr: ir.Case | ir.Exceptional | ir.Switch,
        facts: Mapping[str | ir.Expr, Known],
    ) -> Known:
        values: list[Known] = []
        tests: list[Known] = []
        here = dict(facts)
        if isinstance(expr, ir.Switch):
            tests += [self.look(key, facts) for key in expr.keys]
            values += [self.look(value, facts) for _, value in expr.rows]
        elif isinstance(expr, ir.Case):
            for cond, value in expr.arms:
                tests.append(self.look(cond, here))
                inner = dict(here)
                self.learn(cond, inner, holds=True)
                self.learn(cond, here, holds=False)
                values.append(self.look(value, inner))
            values.append(self.look(expr.otherwise, here))
        else:
            values.append(self.look(expr.general, facts))
            for clause in expr.clauses:
                inner = dict(facts)
                for name, value in clause.lets:
                    inner[name] = self.look(value, inner)
                if clause.cond is not None:
                    tests.append(self.look(clause.cond, inner))
                    self.learn(clause.cond, inner, holds=True)
                values.append(self.look(clause.value, inner))
        return _found_by(_one_of(values), *tests)

    def _call(self, number: int, args: tuple[Known, ...]) -> Known:
        """Look into a definition; remembered."""
        known = self._called.get((number, args))
        if known is None:
            definition = self.graph.definitions[number]
            names = (param.name for param in definition.params)
            self._depth += 1
            known = self.look(definition.body, dict(zip(names, args, strict=False)))
            self._depth -= 1
            self._called[number, args] = known
        return known

    # ------------------------------------------------------------------ reading

    def _read(self, expr: ir.FieldGet, facts: Mapping[str | ir.Expr, Known]) -> Known:
        of = self.look(expr.obj, facts)
        by = self.look(expr.key, facts) if expr.key is not None else OPEN
        unseen = [
            Secret(number, down, expr.span)
            for number in expr.fields
            for down in self._unseen(self._fields[number], of)
        ]
        return Known(
            of.secrets | by.secrets | frozenset(unseen),
            own=bool(of.seat) and not _may_be_a_player(expr.type),
        )

    def _unseen(self, read: ir.Field, of: Known) -> Iterator[bool]:
        """Give why a field is not seen, if it is not: whether because the thing lies face down."""
        changes = (
            read.pile or read.lent_by is not None or read.index in self.graph.ctx.written_fields
        )
        mine = bool(of.seat) or of.own
        if changes and (read.sight == "hidden" or (read.sight == "owner" and not mine)):
            yield False
        flag = self._flags.get(read.kind)
        if flag is None or read.pile or read.name in _SEEN_FACE_DOWN or of.up:
            return
        if not (of.own and flag.sight == "owner") and (of.up is False or not self.certain):
            yield True

    def _size(self, source: ir.Expr, facts: Mapping[str | ir.Expr, Known]) -> frozenset[Secret]:
        """Tell what the number of members of a set gives away: that of a pile is open."""
        match source:
            case ir.FieldGet(obj=obj, fields=fields, key=None) if all(
                self._fields[number].pile for number in fields
            ):
                return self.look(obj, facts).secrets
            case ir.AsSet(source=inner) | ir.Sorted(source=inner):
                return self._size(inner, facts)
            case ir.Concat(left=left, right=right) | ir.Union(left=left, right=right):
                return self._size(left, facts) | self._size(right, facts)
            case ir.Take(source=inner, count=count):
                return self._size(inner, facts) | self.look(count, facts).secrets
            case ir.Map(source=inner, var=var, body=body, flat=True):
                members = self.look(inner, facts)
                return members.secrets | self._size(body, {**facts, var: members})
            case _:
                return self.look(source, facts).secrets

    # ------------------------------------------------------------------ finding out

    def learn(self, cond: ir.Expr, facts: Facts, *, holds: bool) -> None:
        """Add what follows from a condition that holds, or does not."""
        match cond:
            case ir.Not(value=value):
                self.learn(value, facts, holds=not holds)
            case ir.And(parts=parts) if holds:
                for part in parts:
                    self.learn(part, facts, holds=True)
            case ir.Or(parts=parts) if not holds:
                for part in parts:
                    self.learn(part, facts, holds=False)
            case ir.FieldGet(obj=obj, fields=fields) if self._are_flags(fields):
                self._note(obj, facts, Known(up=holds))
            case ir.Compare(op="==" | "!=" as op, left=left, right=right):
                same = (op == "==") is holds
                self._compared(left, right, facts, same=same)
                self._compared(right, left, facts, same=same)
            case ir.Contains(item=item, source=source) if holds:
                self._note(item, facts, self.look(source, facts))
            case ir.CallDef(definition=number, args=args):
                definition = self.graph.definitions[number]
                names = [param.name for param in definition.params]
                inner: Facts = dict(
                    zip(names, (self.look(arg, facts) for arg in args), strict=True)
                )
                self._depth += 1
                self.learn(definition.body, inner, holds=holds)
                self._depth -= 1
                for name, arg in zip(names, args, strict=True):
                    self._note(arg, facts, inner[name])
            case _:
                pass

    def _compared(self, one: ir.Expr, other: ir.Expr, facts: Facts, *, same: bool) -> None:
        """Take in that one value is another, or is not."""
        if not self.look(other, facts).seat:
            return
        self._note(one, facts, Known(seat=same))
        if (
            same
            and isinstance(one, ir.FieldGet)
            and all(self._fields[number].name in ("owner", "place") for number in one.fields)
        ):
            self._note(one.obj, facts, Known(own=True))

    def _note(self, expr: ir.Expr, facts: Facts, found: Known) -> None:
        """Add what has been found out about a value to what is known of it."""
        if found.seat is None and found.up is None and not found.own:
            return
        if not isinstance(expr, ir.Local):
            self._noted.add(expr.__class__)
        at = expr.name if isinstance(expr, ir.Local) else expr
        known = facts.get(at, OPEN)
        facts[at] = evolve(
            known,
            seat=known.seat if found.seat is None else found.seat,
            own=known.own or found.own,
            up=known.up if found.up is None else found.up,
        )

    def _are_flags(self, fields: tuple[int, ...]) -> bool:
        numbers = [each.index for each in self._flags.values()]
        return all(number in numbers for number in fields)

    # ------------------------------------------------------------------ lines of a doing

    def walk(self, block: ir.Block, facts: Facts, visit: Callable[[ir.Stmt, Facts], None]) -> bool:
        """Go through lines in order, and call something before each with what has been found out until then.

        Returns:
            Whether the lines surely leave the doing.
        """
        return any(self._line(stmt, facts, visit) for stmt in block)

    def _line(self, stmt: ir.Stmt, facts: Facts, visit: Callable[[ir.Stmt, Facts], None]) -> bool:
        visit(stmt, facts)
        match stmt:
            case ir.Let(name=name, value=value):
                facts[name] = self.look(value, facts)
            case ir.Pick(name=name, source=source):
                facts[name] = evolve(self.look(source, facts), secrets=frozenset())  # drawn openly
            case ir.Roll(name=name):
                facts[name] = OPEN
            case ir.Ask(name=name, options=options, otherwise=otherwise):
                self.walk(otherwise or (), dict(facts), visit)
                found = self.look(options, facts) if options is not None else OPEN
                facts[name] = evolve(found, secrets=frozenset())  # what is offered is seen
            case ir.Call(args=args, result=result):
                self._shown(args, facts)
                if result is not None:
                    facts[result] = OPEN
            case ir.Move(what=what, dest=dest) if self._is_open(dest, facts):
                self._shown((what,), facts)
            case ir.Show(things=things):
                self._shown((things,), facts)
            case ir.SetField(obj=obj, fields=fields, value=ir.Const(value=bool() as value)) if (
                self._are_flags(fields)
            ):
                self._note(obj, facts, Known(up=value))
            case ir.If(cond=cond, then=then, orelse=orelse):
                return self._branches(cond, then, orelse, facts, visit)
            case ir.Each(name=name, source=source, body=body):
                self.walk(body, {**facts, name: self.look(source, facts)}, visit)
            case ir.While(cond=cond, body=body):
                inner = dict(facts)
                self.learn(cond, inner, holds=True)
                self.walk(body, inner, visit)
            case ir.Match(rows=rows):
                for _, row in rows:
                    self.walk(row, dict(facts), visit)
            case ir.End():
                return True
            case _:
                pass
        return False

    def _branches(
        self,
        cond: ir.Expr,
        then: ir.Block,
        orelse: ir.Block,
        facts: Facts,
        visit: Callable[[ir.Stmt, Facts], None],
    ) -> bool:
        yes, no = dict(facts), dict(facts)
        self.learn(cond, yes, holds=True)
        self.learn(cond, no, holds=False)
        left = [self.walk(block, side, visit) for block, side in ((then, yes), (orelse, no))]
        going = [side for side, leaves in zip((yes, no), left, strict=True) if not leaves]
        if going:
            facts.clear()
            facts.update(
                {
                    name: _one_of([side[name] for side in going])
                    for name in going[0]
                    if all(name in side for side in going)
                }
            )
        return not going

    def _is_open(self, dest: ir.Dest, facts: Facts) -> bool:
        """Tell whether whoever looks sees what comes there."""
        mine = dest.obj is not None and bool(self.look(dest.obj, facts).seat)
        return all(
            self._fields[number].sight == "open" or (mine and self._fields[number].sight == "owner")
            for number in dest.fields
        )

    def _shown(self, values: Iterable[ir.Expr], facts: Facts) -> None:
        """What the names among the values stand for has been seen."""
        for value in values:
            if isinstance(value, ir.Local) and value.name in facts:
                facts[value.name] = evolve(facts[value.name], secrets=frozenset())


def _may_be_a_player(kind: ir.Type) -> bool:
    return 0 in (kind.elem.kinds if kind.elem is not None else kind.kinds)


def _found_by(value: Known, *others: Known) -> Known:
    """Give a value that was found by means of others, and tells what they tell."""
    if not any(each.secrets for each in others):
        return value
    return evolve(value, secrets=value.secrets.union(*(each.secrets for each in others)))


def _one_of(values: Sequence[Known]) -> Known:
    """Give what is known of one of several values."""
    if not values:
        return OPEN
    seats = {each.seat for each in values}
    ups = {each.up for each in values}
    return Known(
        frozenset().union(*(each.secrets for each in values)),
        seats.pop() if len(seats) == 1 else None,
        all(each.own for each in values),
        ups.pop() if len(ups) == 1 else None,
    )
