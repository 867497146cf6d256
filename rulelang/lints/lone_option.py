"""Choices that never have more than one option."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rulelang import ir, nodes
from rulelang.checker.apart import World, never_together
from rulelang.checker.graph import expressions, parts
from rulelang.diagnostics import Applicability, Edit, Fix
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_CASES: Final = 10
"""So many cases are looked at for advice; a choice whose options part less plainly is let be."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    sizes = _Sizes(subject)
    world = World(subject.graph)
    for doing in subject.graph.doings:
        types = {param.name: param.type for param in doing.params}
        for stmt in subject.graph.statements[doing.index]:
            if not isinstance(stmt, ir.Ask) or doing.kind == "setup":
                continue
            why = _one_label(stmt, world, types) if stmt.alternatives else _one_answer(stmt, sizes)
            if why is not None:
                yield _reported(subject, stmt, *why)


def _reported(subject: Subject, ask: ir.Ask, why: str, advice: str) -> Diagnostic:
    decision = subject.graph.ctx.decisions[ask.decision]
    place = subject.place(ask.span if ask.span != ir.NOWHERE else decision.span)
    return finding(
        LINT.name,
        place,
        "this choice never has more than one option",
        label=why,
        advice=advice,
        fix=_fix(subject, ask) if decision.form == "one" else None,
    )


def _one_answer(ask: ir.Ask, sizes: _Sizes) -> tuple[str, str] | None:
    """Tell why a choice from a set has one answer at most; None if it may have more."""
    if ask.options is None:
        return None
    most = sizes.most(ask.options)
    if ask.at_least is None and ask.at_most is None and sizes.form(ask) == "one":
        if most is not None and most <= 1:
            return "there is never more than one to choose from", "name it with `let`"
        return None
    least, limit = _number(ask.at_least), _number(ask.at_most)
    if limit == 0:
        return "none can be chosen", "leave the choice out"
    if least is not None and most is not None and least >= most:
        return (
            f"there are never more than {most}, and so many must be taken",
            "name them with `let`",
        )
    return None


def _number(expr: ir.Expr | None) -> int | None:
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, int) else None


def _one_label(ask: ir.Ask, world: World, types: dict[str, ir.Type]) -> tuple[str, str] | None:
    """Tell why of several things to do one at most is on offer."""
    if len(ask.alternatives) == 1:
        return "there is one thing to do", "write its lines without the choice"
    conds = [each.cond for each in ask.alternatives]
    for one, other in combinations(conds, 2):
        if one is None or other is None:
            return None
        literals = [(world.term(cond, {}), True) for cond in (one, other)]
        if not never_together(world, literals, types, _CASES):
            return None
    return "no two of these are on offer at once", "write `if ... else ...`"


@define(eq=False)
class _Sizes:
    """How many members sets can have at most."""

    subject: Subject
    _seated: frozenset[int] = field(init=False)
    _known: dict[int, int | None] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Find the kinds of which there may be more with more people."""
        tables = self.subject.tables
        program = self.subject.program
        fixed = tables.players[1] <= program.seats
        owned = {
            each.kind for each in tables.fields if each.name == "owner" and each.type.kinds == (0,)
        }
        self._seated = frozenset() if fixed else frozenset({0, *owned})

    def form(self, ask: ir.Ask) -> ir.Form:
        """Give the form of a decision."""
        return self.subject.graph.ctx.decisions[ask.decision].form

    def most(self, expr: ir.Expr) -> int | None:
        """Give the greatest number of different members; None if it is not known."""
        known = [
            each for each in (self._by_type(expr.type), self._by_form(expr)) if each is not None
        ]
        return min(known) if known else None

    def _by_type(self, of: ir.Type) -> int | None:
        """Give how many different values there are of the type of the members."""
        elem = of.elem
        if elem is None:
            return None
        match elem.shape:
            case "flag":
                return 2
            case "number" if elem.lo is not None and elem.hi is not None:
                return elem.hi - elem.lo + 1
            case "word" if elem.enum >= 0:
                return len(self.subject.tables.enums[elem.enum].words)
            case "thing" if elem.kinds and self._seated.isdisjoint(elem.kinds):
                return sum(self.subject.tables.kinds[kind].count for kind in elem.kinds)
            case _:
                return None

    def _by_form(self, expr: ir.Expr) -> int | None:
        match expr:
            case ir.Const(value=tuple() as values):
                return len(set(values))
            case ir.MakeSet(items=items) | ir.MakeList(items=items):
                return len(set(items))
            case ir.RangeSet(low=ir.Const(value=int() as low), high=ir.Const(value=int() as high)):
                return max(0, high - low + 1)
            case ir.Where(source=source, var=var, cond=cond):
                return 1 if _pins(cond, var) else self.most(source)
            case (
                ir.Best(source=source)
                | ir.Sorted(source=source)
                | ir.AsSet(source=source)
                | ir.PlacedAt(source=source)
                | ir.InBox(source=source)
                | ir.Minus(left=source)
                | ir.Map(source=source, flat=False)
            ):
                return self.most(source)
            case ir.Take(source=source, count=ir.Const(value=int() as count)):
                inner = self.most(source)
                return count if inner is None else min(count, inner)
            case ir.Union(left=left, right=right) | ir.Concat(left=left, right=right):
                return self._sum(left, right)
            case ir.Case(arms=arms, otherwise=otherwise):
                return self._largest(otherwise, *(value for _, value in arms))
            case ir.Exceptional(general=general, clauses=clauses) if all(
                each.sign == "=" for each in clauses
            ):
                return self._largest(general, *(each.value for each in clauses))
            case ir.LetIn(body=body):
                return self.most(body)
            case ir.CallDef(definition=number):
                return self._called(number)
            case _:
                return None

    def _sum(self, left: ir.Expr, right: ir.Expr) -> int | None:
        one, other = self.most(left), self.most(right)
        return None if one is None or other is None else one + other

    def _largest(self, *values: ir.Expr) -> int | None:
        sizes = [self.most(value) for value in values]
        return None if None in sizes else max(size for size in sizes if size is not None)

    def _called(self, number: int) -> int | None:
        if number not in self._known:
            self._known[number] = None
            self._known[number] = self.most(self.subject.graph.definitions[number].body)
        return self._known[number]


def _pins(cond: ir.Expr, var: str) -> bool:
    """Tell whether a condition on the members of a set says which one it is."""
    for part in parts(cond):
        if isinstance(part, ir.Compare) and part.op == "==":
            sides = ((part.left, part.right), (part.right, part.left))
            for one, other in sides:
                if isinstance(one, ir.Local) and one.name == var and not _names(other, var):
                    return True
    return False


def _names(expr: ir.Expr, name: str) -> bool:
    return any(isinstance(each, ir.Local) and each.name == name for each in expressions(expr))


def _fix(subject: Subject, ask: ir.Ask) -> Fix | None:
    """Name the one thing that is written down; answers in scripts are then no longer asked for: not safe."""
    at = subject.place(subject.graph.ctx.decisions[ask.decision].span)
    for item, _ in subject.tables.items:
        if item.span.file is not at.file or not item.span.start <= at.start < item.span.end:
            continue
        for node in nodes.walk(item):
            if (
                isinstance(node, nodes.ChooseStmt)
                and node.span == at
                and node.otherwise is None
                and isinstance(node.choice.source, nodes.SetLiteral)
                and len(node.choice.source.elements) == 1
            ):
                name, value = node.choice.name.text, node.choice.source.elements[0].span.text
                return Fix(
                    f"write `let {name} = {value}`",
                    (Edit(at, f"let {name} = {value}"),),
                    Applicability.UNSAFE,
                )
    return None


LINT: Final = Lint("lone-option", _find, everywhere=True)
