"""What names mean at a place, and what is known there about values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import Factory, define, evolve

from rulelang import ir, ruletypes
from rulelang.lowering.context import is_broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DoingBuilder
    from rulelang.source import Span

FactKey = tuple[object, ...]
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@define(eq=False)
class Var:
    """A bound name. ``changes``: `becomes` may change it. ``by_value``: a lasting block captures
    it."""

    name: str
    value: ir.Expr
    span: Span | None = None
    changes: bool = False
    by_value: bool = True
    used: bool = False


@define(eq=False)
class Function:
    """The function under construction that a scope belongs to.

    ``path``: what the paths of its decisions and draws begin with. ``doing``: whose body it is.
    ``shared``: names of a phase that its steps share, with their globals (-1: not yet bound).
    ``raw``: its changes send no events.
    """

    path: str = ""
    doing: DoingBuilder | None = None
    shared: dict[str, int] = Factory(dict)
    raw: bool = False
    seen: dict[str, int] = Factory(dict)

    def fresh(self, name: str) -> str:
        """Give a name that no other local of the function has."""
        number = self.seen.get(name, 0) + 1
        self.seen[name] = number
        return name if number == 1 else f"{name}_{number}"


@define(eq=False)
class Scope:
    """Names and facts at a place. Children copy, so a block's names and facts end with it."""

    function: Function
    vars: dict[str, Var] = Factory(dict)
    facts: dict[FactKey, Type] = Factory(dict)
    filled: set[FactKey] = Factory(set)
    covers: set[tuple[FactKey, FactKey]] = Factory(set)
    it: ir.Expr | None = None
    this: ir.Expr | None = None
    before: list[ir.Stmt] | None = None
    ended: bool = False
    pure: bool = False

    def child(self) -> Scope:
        """Make the scope of a block inside."""
        return Scope(
            self.function,
            dict(self.vars),
            dict(self.facts),
            set(self.filled),
            set(self.covers),
            self.it,
            self.this,
            self.before,
            self.ended,
            self.pure,
        )

    def looking_at(self, it: ir.Expr) -> Scope:
        """Make the scope of a condition on ``it``; nothing can be put before the line from in
        there."""
        inner = self.child()
        inner.it = it
        inner.before = None
        return inner

    def read(self, var: Var) -> ir.Expr:
        """Read a bound name, as what is known about it."""
        var.used = True
        return self.refine(var.value)

    def refine(self, expr: ir.Expr) -> ir.Expr:
        """Give an expression the type that is known of it here."""
        key = key_of(expr)
        known = self.facts.get(key) if key is not None else None
        return evolve(expr, type=known) if known is not None else expr

    def learn(self, condition: ir.Expr, *, holds: bool) -> None:
        """Take over what follows from a condition that holds, or does not."""
        match condition:
            case ir.Not(value=value):
                self.learn(value, holds=not holds)
            case ir.And(parts=parts) if holds:
                for part in parts:
                    self.learn(part, holds=True)
            case ir.Or(parts=parts) if not holds:
                for part in parts:
                    self.learn(part, holds=False)
            case ir.Compare(op=op, left=left, right=right) if op in ("==", "!="):
                self._learn_equal(left, right, same=(op == "==") == holds)
            case ir.IsKind(value=value, kinds=kinds):
                self._learn_kind(value, kinds, holds=holds)
            case ir.Contains(item=item, source=source) if holds:
                elem = source.type.elem
                if elem is not None and elem.shape == "thing":
                    self._learn_kind(item, elem.kinds, holds=True)
                else:
                    self._set(item, ruletypes.required(item.type))
            case ir.AnyWhere(source=source, cond=None) if holds:
                self._fill(source)
            case ir.AnyWhere(source=source, var=var, cond=cond) if holds and cond is not None:
                self._fill(source)
                self._fill(ir.Where(source, var, cond, type=source.type))
            case ir.Compare(op=op, left=left, right=right):
                self._learn_order(_OPPOSITE[op] if not holds else op, left, right)
            case _:
                pass

    def _learn_order(self, op: str, left: ir.Expr, right: ir.Expr) -> None:
        """Take over bounds: ``left op right`` holds."""
        if op in ("<", "<="):
            self._learn_order({"<": ">", "<=": ">="}[op], right, left)
            return
        if op not in (">", ">="):
            return
        if (
            isinstance(left, ir.Count)
            and right.type.lo is not None
            and (right.type.lo > 0 or op == ">")
        ):
            self._fill(left.source)
        one, two = key_of(left), key_of(right)
        if one is not None and two is not None:
            self.covers.add((one, two))
        more = 1 if op == ">" else 0
        if right.type.shape == left.type.shape == "number":
            if right.type.lo is not None:
                low = right.type.lo + more
                self._set(
                    left,
                    evolve(left.type, lo=low if left.type.lo is None else max(low, left.type.lo)),
                )
            if left.type.hi is not None:
                high = left.type.hi - more
                self._set(
                    right,
                    evolve(
                        right.type, hi=high if right.type.hi is None else min(high, right.type.hi)
                    ),
                )

    def is_covered(self, whole: ir.Expr, part: ir.Expr) -> bool:
        """Tell whether ``whole`` is known to be at least ``part``."""
        if whole.type.lo is not None and part.type.hi is not None and whole.type.lo >= part.type.hi:
            return True
        key = key_of(whole)
        return (key is not None and key == key_of(part)) or (key, key_of(part)) in self.covers

    def _fill(self, source: ir.Expr) -> None:
        key = key_of(source)
        if key is not None:
            self.filled.add(key)

    def is_filled(self, source: ir.Expr) -> bool:
        """Tell whether a set is known to have a member."""
        return key_of(source) in self.filled

    def _learn_equal(self, left: ir.Expr, right: ir.Expr, *, same: bool) -> None:
        none_left, none_right = left.type.shape == "none", right.type.shape == "none"
        if none_left or none_right:
            value = right if none_left else left
            if not same:
                self._set(value, ruletypes.required(value.type))
        elif same:
            if left.type.shape == right.type.shape == "number":
                self._learn_order(">=", left, right)
                self._learn_order(">=", right, left)
            for one, other in ((left, right), (right, left)):
                if one.type.optional and not other.type.optional:
                    self._set(one, ruletypes.required(one.type))

    def _learn_kind(self, value: ir.Expr, kinds: Iterable[int], *, holds: bool) -> None:
        if value.type.shape != "thing":
            return
        wanted = set(kinds)
        left = [kind for kind in value.type.kinds if (kind in wanted) == holds]
        if left:
            self._set(value, ruletypes.thing(*left, optional=value.type.optional and not holds))

    def _set(self, expr: ir.Expr, kind: Type) -> None:
        key = key_of(expr)
        if key is not None and not is_broken(expr):
            self.facts[key] = kind

    def forget(self, names: Sequence[str] = ()) -> None:
        """Drop what a change may have made untrue: everything read from the state, and these
        locals."""
        kept = {
            key: kind for key, kind in self.facts.items() if _is_local(key) and key[1] not in names
        }
        self.facts.clear()
        self.facts.update(kept)
        self.filled.clear()
        self.covers.clear()

    def forget_fields(self, fields: Iterable[int]) -> None:
        """Drop what a change of these fields, and of nothing else, may have made untrue."""
        changed = frozenset(fields)
        kept = {key: kind for key, kind in self.facts.items() if _stands(key, changed)}
        self.facts.clear()
        self.facts.update(kept)
        self.filled = {key for key in self.filled if _stands(key, changed)}
        self.covers = {pair for pair in self.covers if all(_stands(key, changed) for key in pair)}

    def learn_value(self, place: ir.FieldGet, value: Type) -> None:
        """Take over that a field of a named thing now has a value of this type."""
        if (
            isinstance(place.obj, ir.Local | ir.Const)
            and place.type.optional
            and not value.optional
        ):
            self._set(place, ruletypes.required(place.type))

    def take_facts(self, other: Scope) -> None:
        """Go on with what another scope knows."""
        self.facts.clear()
        self.facts.update(other.facts)
        self.filled = set(other.filled)
        self.covers = set(other.covers)


def _stands(key: object, changed: frozenset[int]) -> bool:
    """Tell whether what a key reads does not depend on any of the changed fields."""
    if not isinstance(key, tuple) or not key:
        return True
    match key[0]:
        case "local" | "const" | "global" | "option" | "kind":
            return True
        case "field":
            return changed.isdisjoint(key[1]) and all(_stands(part, changed) for part in key[2:])
        case "one":
            return all(_stands(part, changed) for part in key[2:])
        case _:
            return False


def _is_local(key: FactKey) -> bool:
    return key[0] == "local"


def key_of(expr: ir.Expr) -> FactKey | None:
    """Give a key under which facts about an expression are kept: the same for the same reading,
    whatever is known."""
    match expr:
        case ir.Local(name=name):
            return ("local", name)
        case ir.Const(value=value):
            return ("const", value)
        case ir.GlobalGet(index=index):
            return ("global", index)
        case ir.OptionGet(option=option):
            return ("option", option)
        case ir.KindAll(kind=kind):
            return ("kind", kind)
        case ir.FieldGet(obj=obj, fields=fields, key=key):
            return _joined("field", fields, obj, key)
        case ir.CallDef(definition=definition, args=args):
            return _joined("def", definition, *args)
        case ir.PlacedAt(source=source, place=place):
            return _joined("at", None, source, place)
        case ir.One(op=op, source=source):
            return _joined("one", op, source)
        case ir.Where(source=source, cond=cond):
            return _joined("where", repr(cond), source)
        case _:
            return None


def _joined(tag: str, extra: object, *parts: ir.Expr | None) -> FactKey | None:
    keys: list[object] = [tag, extra]
    for part in parts:
        key = key_of(part) if part is not None else ()
        if key is None:
            return None
        keys.append(key)
    return tuple(keys)
