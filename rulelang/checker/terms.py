"""Conditions as terms: nested tuples in which equal things look equal.

Two expressions that mean the same in one state become one term: places, types and the names of
bound variables are gone, names given by `let` are replaced by what they stand for, constant data
is read. A term is a tuple whose first entry says its form:

    ("c", value)  ("l", local)  ("b", bound variable)  ("o", option)  ("g", global)
    ("f", fields, object, key)  ("+", a, b)  ...  ("count", set)  ("call", definition, arguments ...)
    ("and", parts ...)  ("or", parts ...)  ("not", a)  ("==", a, b)  ("<", a, b)  ("<=", a, b)
    ("kind", a, kinds)  ("in", a, set)  ("cases", (conditions, value) ...)

and the name of the expression for every other form.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

from rulelang import ir, nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulelang.checker.graph import Graph

Term: TypeAlias = tuple[Any, ...]
Literal: TypeAlias = tuple[Term, bool]
"""A condition, and whether it holds."""
Case: TypeAlias = tuple[tuple[Literal, ...], Term]
"""A value, and what must hold for it."""

YES: Final[Term] = ("c", True)
NO: Final[Term] = ("c", False)
NONE: Final[Term] = ("c", None)

_ATOMS: Final = frozenset("clogb")
_CASES: Final = 16
_BINDERS: Final = (ir.Where, ir.AnyWhere, ir.Map)


class World:
    """What is known of a ruleset, whatever the state: its data, its definitions, its types."""

    def __init__(self, graph: Graph) -> None:
        """Take a lowered ruleset."""
        tables = graph.ctx.tables
        self.definitions = graph.definitions
        self.kinds = tables.kinds
        self.enums = tables.enums
        self.fields = tables.fields
        self.options = tables.options
        self.globals = graph.ctx.globals
        self.data = {
            each.index
            for each in tables.fields
            if each.index not in graph.ctx.written_fields
            and each.lent_by is None
            and not each.pile
            and each.name != "place"
            and _is_data(tables.field_nodes.get(each.index))
        }

    # ------------------------------------------------------------------ making terms

    def term(self, expr: ir.Expr, names: Mapping[str, Term], depth: int = 0) -> Term:
        """Make the term of an expression.

        Args:
            expr: The expression.
            names: What locals stand for; the others stand for themselves.
            depth: How many variables are bound around it.
        """
        match expr:
            case ir.Const(value=value):
                return ("c", value)
            case ir.Local(name=name):
                return names.get(name, ("l", name))
            case ir.OptionGet(option=number):
                return ("o", number)
            case ir.GlobalGet(index=number):
                return ("g", number)
            case ir.FieldGet(obj=obj, fields=fields, key=key):
                found = self.term(obj, names, depth)
                by = self.term(key, names, depth) if key is not None else None
                return self.read(fields, found, by)
            case ir.And(parts=parts) | ir.Or(parts=parts):
                form = "and" if isinstance(expr, ir.And) else "or"
                return (form, *(self.term(part, names, depth) for part in parts))
            case ir.Not(value=value):
                return ("not", self.term(value, names, depth))
            case ir.Compare(op=op, left=left, right=right):
                return compared(op, self.term(left, names, depth), self.term(right, names, depth))
            case ir.SameItems(left=left, right=right):
                return compared("==", self.term(left, names, depth), self.term(right, names, depth))
            case ir.IsKind(value=value, kinds=kinds):
                return ("kind", self.term(value, names, depth), kinds)
            case ir.Contains(item=item, source=source):
                return ("in", self.term(item, names, depth), self.term(source, names, depth))
            case ir.Arith(op=op, left=left, right=right):
                return arith(op, self.term(left, names, depth), self.term(right, names, depth))
            case ir.Count(source=source):
                return ("count", self.term(source, names, depth))
            case ir.AnyWhere(source=source, var=var, cond=cond):
                inner = self.term(source, names, depth)
                if cond is not None:
                    bound = {**names, var: ("b", depth)}
                    inner = ("Where", inner, self.term(cond, bound, depth + 1))
                return ("<=", ("c", 1), ("count", inner))
            case ir.LetIn(name=name, value=value, body=body):
                return self.term(body, {**names, name: self.term(value, names, depth)}, depth)
            case ir.CallDef(definition=number, args=args):
                return ("call", number, *(self.term(arg, names, depth) for arg in args))
            case ir.Case() | ir.Exceptional() | ir.Switch():
                cases = self._cases(expr, names, depth)
                return ("cases", *cases) if cases else self._other(expr, names, depth)
            case _:
                return self._other(expr, names, depth)

    def _other(self, expr: ir.Expr, names: Mapping[str, Term], depth: int) -> Term:
        """Make the term of a form of which nothing is known but that it is a function of its parts."""
        bound = dict(names)
        if isinstance(expr, _BINDERS):
            bound[expr.var] = ("b", depth)
            depth += 1
        if isinstance(expr, ir.AnyRow):
            return ("AnyRow", expr.block, self.term(expr.cond, bound, depth + 1))
        parts = [
            self._part(getattr(expr, part.name), bound, depth)
            for part in attrs.fields(type(expr))
            if part.name not in ("type", "span", "var")
        ]
        return (type(expr).__name__, *parts)

    def _part(self, part: object, names: Mapping[str, Term], depth: int) -> object:
        if isinstance(part, ir.Expr):
            return self.term(part, names, depth)
        if isinstance(part, ir.Key):
            inner = {**names, part.var: ("b", depth)}
            return ("key", self.term(part.body, inner, depth + 1), part.highest)
        if isinstance(part, tuple):
            return tuple(self._part(each, names, depth) for each in part)
        if isinstance(
            part, ir.Clause
        ):  # of exceptions that depend on what lasts: told apart by place
            return ("clause", part.span, part.label)
        return part

    # ------------------------------------------------------------------ values by cases

    def _cases(
        self, expr: ir.Case | ir.Exceptional | ir.Switch, names: Mapping[str, Term], depth: int
    ) -> list[Case]:
        """Give the values of an expression with what must hold for each; empty if there are too many."""
        match expr:
            case ir.Case(arms=arms, otherwise=otherwise):
                before: list[Literal] = []
                cases: list[Case] = []
                for cond, value in arms:
                    test = self.term(cond, names, depth)
                    cases.append(((*before, (test, True)), self.term(value, names, depth)))
                    before.append((test, False))
                cases.append((tuple(before), self.term(otherwise, names, depth)))
            case ir.Switch(keys=keys, rows=rows):
                looked_up = [self.term(key, names, depth) for key in keys]
                cases = [
                    (
                        tuple(
                            (("in", key, ("c", tuple(sorted(wanted, key=repr)))), True)
                            for key, wanted in zip(looked_up, wants, strict=True)
                            if wanted is not None
                        ),
                        self.term(value, names, depth),
                    )
                    for wants, value in rows
                ]
            case _:
                cases = list(self._exceptional(expr, names, depth))
        return cases if len(cases) <= _CASES else []

    def _exceptional(
        self, expr: ir.Exceptional, names: Mapping[str, Term], depth: int
    ) -> Iterator[Case]:
        if len(expr.clauses) > _CASES or any(
            each.block is not None or each.lets for each in expr.clauses
        ):
            return
        conds = {
            id(each): YES if each.cond is None else self.term(each.cond, names, depth)
            for each in expr.clauses
        }
        plain = [each for each in expr.clauses if each.sign == "="]
        signed = [each for each in expr.clauses if each.sign != "="]
        unless = tuple((conds[id(each)], False) for each in plain)
        values: list[Case] = [
            (((conds[id(each)], True),), self.term(each.value, names, depth)) for each in plain
        ]
        values.append((unless, self.term(expr.general, names, depth)))
        for count in range(len(signed) + 1):
            for chosen in combinations(signed, count):
                applying = tuple((conds[id(each)], each in chosen) for each in signed)
                for needed, value in values:
                    changed = value
                    for each in chosen:
                        changed = arith(each.sign, changed, self.term(each.value, names, depth))
                    yield (*needed, *applying), changed

    def unfolded(self, call: Term) -> Term:
        """Give what a definition says for its arguments."""
        definition = self.definitions[call[1]]
        names = dict(zip((param.name for param in definition.params), call[2:], strict=True))
        return self.term(definition.body, names)

    # ------------------------------------------------------------------ data

    def is_set(self, fields: Sequence[int]) -> bool:
        """Tell whether fields have a value from the beginning of the game on."""
        return all(None not in self.fields[each].values for each in fields)

    def read(self, fields: Sequence[int], obj: Term, key: Term | None) -> Term:
        """Make the term of a field, or read it where it is data of a known thing."""
        if obj == NONE:
            return (
                NONE
                if self.fields[fields[0]].type.shape not in ("set", "list", "bag")
                else ("c", ())
            )
        if obj[0] != "c" or (key is not None and key[0] != "c"):
            return ("f", tuple(fields), obj, key)
        for number in fields:
            field = self.fields[number]
            kind = self.kinds[field.kind]
            if number in self.data and kind.base <= obj[1] < kind.base + kind.count:
                index = (obj[1] - kind.base) * field.keys
                if key is not None:
                    index += key[1] - field.key_low
                if index < len(field.values) and (
                    field.values[index] is not None or field.type.optional
                ):
                    return ("c", field.values[index])
        return ("f", tuple(fields), obj, key)

    def replaced(
        self, term: Term, old: Term, new: Term, done: dict[int, Term] | None = None
    ) -> Term:
        """Put one term in place of another, and read what is known then.

        Args:
            term: In which to replace.
            old: What goes.
            new: What takes its place.
            done: What came of the parts of terms, by their identity: terms share many. Shared by calls with the
                same `old` and `new` while the terms live.
        """
        form = term[0]
        if form in _ATOMS:
            return new if term == old else term
        if done is None:
            done = {}
        known = done.get(id(term))
        if known is None:
            known = done[id(term)] = (
                new if term == old else self._replaced_below(term, old, new, done)
            )
        return known

    def _replaced_below(self, term: Term, old: Term, new: Term, done: dict[int, Term]) -> Term:
        if term[0] == "f":
            obj = self.replaced(term[2], old, new, done)
            key = self.replaced(term[3], old, new, done) if term[3] is not None else None
            return term if obj is term[2] and key is term[3] else self.read(term[1], obj, key)
        made = self._each_replaced(term, old, new, done)
        if made is term:
            return term
        if made[0] in ("==", "<", "<="):
            return compared(made[0], made[1], made[2])
        return arith(made[0], made[1], made[2]) if made[0] in ("+", "-", "*") else made

    def _each_replaced(
        self, parts: tuple[Any, ...], old: Term, new: Term, done: dict[int, Term]
    ) -> tuple[Any, ...]:
        """Replace in each part of a term, or of a tuple in one; the same tuple if nothing is replaced."""
        made = []
        changed = False
        for part in parts:
            here = part
            if part.__class__ is tuple and part:
                if isinstance(part[0], str):
                    here = self.replaced(part, old, new, done)
                else:
                    here = self._each_replaced(part, old, new, done)
                changed = changed or here is not part
            made.append(here)
        return tuple(made) if changed else parts


def _is_data(node: nodes.FieldDecl | nodes.KeepsDecl | None) -> bool:
    """Tell whether the values of a field are written down one by one: a default says only how it begins."""
    if not isinstance(node, nodes.FieldDecl):
        return False
    return node.initial is None or node.initial.each


# ---------------------------------------------------------------- folding


def compared(op: str, left: Term, right: Term) -> Term:
    """Make a comparison with one of `==`, `<`, `<=`, negated if need be."""
    if op == "!=":
        return ("not", compared("==", left, right))
    if op in (">", ">="):
        op, left, right = ("<" if op == ">" else "<="), right, left
    if left == right and op in ("==", "<="):
        return YES
    if left[0] == right[0] == "c":
        one, two = left[1], right[1]
        if op == "==":
            return ("c", one == two)
        if isinstance(one, int) and isinstance(two, int):
            return ("c", one < two if op == "<" else one <= two)
    return (op, left, right)


def arith(op: str, left: Term, right: Term) -> Term:
    """Make a calculation, done if both sides are numbers."""
    if left[0] == right[0] == "c" and isinstance(left[1], int) and isinstance(right[1], int):
        one, two = left[1], right[1]
        match op:
            case "+":
                return ("c", one + two)
            case "-":
                return ("c", one - two)
            case "*":
                return ("c", one * two)
            case "/" if two:
                return ("c", one // two)
            case "min" | "max":
                return ("c", min(one, two) if op == "min" else max(one, two))
            case _:
                pass
    return (op, left, right)


def subterms(term: Term) -> list[Term]:
    """Give a term and all terms in it that do not depend on a bound variable, outer ones first."""
    found: list[Term | None] = []
    _gather(term, found)
    return [each for each in found if each is not None]


def _gather(term: Term, found: list[Term | None]) -> bool:
    """Add a term and those in it, with None for one that depends on a bound variable; tell whether it does."""
    form = term[0]
    at = len(found)
    found.append(term)
    if form == "c":
        return False
    opened = bool(form == "b")
    for part in term[1:]:
        if isinstance(part, tuple) and _gather_inside(part, found):
            opened = True
    if opened:
        found[at] = None
    return opened


def _gather_inside(part: tuple[Any, ...], found: list[Term | None]) -> bool:
    if part and isinstance(part[0], str):
        return _gather(part, found)
    opened = False
    for each in part:
        if isinstance(each, tuple) and _gather_inside(each, found):
            opened = True
    return opened


def is_open(term: tuple[Any, ...]) -> bool:
    """Tell whether a bound variable stands in a term."""
    if term[:1] in (("b",), ("c",)):
        return bool(term[0] == "b")
    return any(isinstance(part, tuple) and is_open(part) for part in term)
