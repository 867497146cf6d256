"""What the names of a ruleset mean in a sentence: where their entry stands, and whether they are claims or values.

`shape` is a guess from the text alone and decides wording only: whether "is able" or "the number able" reads better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from rulelang import nodes
from rulelang.rulebook.model import clean
from rulelang.symbols import snake_case
from rulelang.variants.touching import Target, declared, steps
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulelang.ir import Kind
    from rulelang.symbols import Tables

Shape: TypeAlias = Literal["flag", "set", "value"]
Scope: TypeAlias = "Mapping[str, Shape]"

RESERVED: Final = frozenset(
    ("none", "yes", "no", "it", "you", "this", "box", "supply", "random", "all", "nothing")
)
_SETS: Final = frozenset(
    ("top", "bottom", "within", "neighbours", "nearest", "clockwise", "subsets")
)
_ROUNDS: Final = 4  # definitions of definitions of ...: what is deeper reads as a value


class Lexicon:
    """Knows the names of one merged ruleset.

    Args:
        tables: The ruleset.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.anchors: dict[nodes.Node, str] = {}
        self.by_target: dict[Target, nodes.Node] = {}
        self._taken: set[str] = set()
        self._names: dict[str, Shape] = {}
        self._properties: dict[str, set[Shape]] = {}
        self._kept: dict[tuple[str, str], Shape] = {}
        self._rows: dict[tuple[int, str], str] = {}
        self._number_items()
        self._number_rows()
        self._learn_types()
        for _ in range(_ROUNDS):
            self._learn_definitions()

    # ------------------------------------------------------------ places

    def new_anchor(self, wanted: str) -> str:
        """Make an anchor that nothing else has."""
        base = "".join(
            char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in wanted
        )
        anchor, number = base, 1
        while anchor in self._taken:
            number += 1
            anchor = f"{base}-{number}"
        self._taken.add(anchor)
        return anchor

    def _number_items(self) -> None:
        tables = self.tables
        game = [] if tables.game is None else [tables.game]
        for item in [*game, *(item for item, _ in tables.items)]:
            if item in self.anchors:
                continue
            target = declared(item)
            if target is not None:
                self.by_target.setdefault(target, item)
            wanted = "promise" if isinstance(item, nodes.AlwaysDecl) else "rule"
            if target is not None and target.form not in {"promise", "state rule"}:
                wanted = f"{target.form}-{target.name}"
            self.anchors[item] = self.new_anchor(wanted)
            for name, step in steps(item).items():
                self.anchors[step] = self.new_anchor(f"step-{getattr(item, 'name', '')}.{name}")
        for variant in tables.variants:
            self.anchors[variant] = self.new_anchor(f"variant-{variant.name.text}")
        for preset in tables.presets:
            self.anchors[preset] = self.new_anchor("preset")

    def _number_rows(self) -> None:
        for number, kind in enumerate(self.tables.kinds):
            if kind.alike or kind.singleton or number == 0:
                continue
            for ident in self.row_ids(kind):
                self._rows[number, ident] = self.new_anchor(f"row-{kind.name}.{ident}")

    def row_ids(self, kind: Kind) -> dict[str, tuple[int, ...]]:
        """Give the ids of the rows of a kind, each with its things."""
        number = self.tables.kind_numbers[kind.name]
        found: dict[str, tuple[int, ...]] = {}
        for ident, meanings in self.tables.ids.items():
            for of, things in meanings:
                if of == number and things:
                    found[ident] = things
        return dict(sorted(found.items(), key=lambda pair: pair[1]))

    def row_anchor(self, kind: int, ident: str) -> str:
        """Give the anchor of a row of data; empty if it has none."""
        return self._rows.get((kind, ident), "")

    def row_title(self, kind: int, thing: int) -> str:
        """Give what a thing is called."""
        of = self.tables.kinds[kind]
        title = clean(of.titles[thing - of.base])
        return spoken(title) if title == of.ids[thing - of.base] else title

    def shared_title(self, kind: int, things: Sequence[int]) -> str:
        """Give what the copies of one row are called, without what tells them apart."""
        return shared([self.row_title(kind, thing) for thing in things])

    def is_numeric(self, name: str) -> bool:
        """Tell whether a name is that of an enumeration of numbers."""
        number = self.tables.enum_numbers.get(name)
        return number is not None and self.tables.enums[number].numeric

    def anchor_of(self, name: str) -> str:
        """Give the anchor of a name that stands alone; empty if nothing of that name has an entry."""
        symbol = self.tables.symbols.get(name)
        return "" if symbol is None else self.anchors.get(symbol.node, "")

    def property_anchor(self, name: str, owner: str) -> str:
        """Give the anchor of a property; `owner` is the name it is read from, as far as that is one."""
        known = self.tables.properties.get(name, [])
        if not known:
            return ""
        of = self.tables.type_by_name("player" if owner == "you" else owner) if owner else None
        best = next((each for each in known if of is not None and each.owner == of), known[0])
        return self.anchors.get(best.node, "")

    def kind_anchor(self, name: str) -> str:
        """Give the anchor of a kind, enumeration or union."""
        for form in ("component", "enumeration"):
            node = self.by_target.get(Target(form, name))
            if node is not None:
                return self.anchors[node]
        return ""

    def is_phase(self, name: str) -> bool:
        """Tell whether a name is a phase."""
        symbol = self.tables.symbols.get(name)
        return symbol is not None and symbol.form == "phase"

    # ------------------------------------------------------------ shapes

    def _learn_types(self) -> None:
        for item, _ in self.tables.items:
            match item:
                case nodes.OptionDecl(name=name, type=of):
                    self._names[name.text] = type_shape(of)
                case nodes.ComponentDecl(fields=fields) | nodes.ChangeComponentDecl(fields=fields):
                    for field in fields:
                        for ident in field.names:
                            self._properties.setdefault(ident.text, set()).add(
                                type_shape(field.type)
                            )
                case nodes.PhaseDecl(keeps=keeps, params=params, name=name):
                    for param in params:
                        if param.type is not None:
                            self._kept[name.text, param.name.text] = type_shape(param.type)
                    for kept in keeps:
                        self._kept[name.text, kept.name.text] = type_shape(kept.type)
                        if kept.owner is not None:
                            shapes = self._properties.setdefault(kept.name.text, set())
                            shapes.add(type_shape(kept.type))
                case _:
                    pass

    def _learn_definitions(self) -> None:
        for item, _ in self.tables.items:
            if isinstance(item, nodes.DefineDecl):
                shape = self.shape(item.value, self.scope(item))
                if item.head.owner is None:
                    self._names[item.head.name.text] = shape
                else:
                    known = self._properties.setdefault(item.head.name.text, set())
                    known.discard("value")
                    known.add(shape)

    def shape(self, expr: nodes.Expr, scope: Scope) -> Shape:
        """Say what an expression gives: a claim that holds or not, several things, or a value."""
        match expr:
            case (
                nodes.Is() | nodes.IsNot() | nodes.InTest() | nodes.Compare() | nodes.Any() | nodes.AnyWhere()
                | nodes.And() | nodes.Or() | nodes.Not() | nodes.Allowed()
            ):  # fmt: skip
                return "flag"
            case (
                nodes.KindName() | nodes.Where() | nodes.At() | nodes.SetLiteral() | nodes.BestOf()
            ):
                return "set"
            case nodes.SortedBy() | nodes.RangeExpr():
                return "set"
            case nodes.Group(elements=(only,)):
                return self.shape(only, scope)
            case nodes.Group():
                return "set"
            case nodes.Name(ident=ident):
                return self.name_shape(ident.text, scope)
            case nodes.Prop(owner=nodes.Name(ident=ident), name=name) if (
                ident.text not in scope and self.is_phase(ident.text)
            ):
                return self._kept.get((ident.text, name.text), "value")
            case nodes.Prop(name=name) | nodes.PropCall(name=name) | nodes.Its(name=name):
                return self.property_shape(name.text)
            case nodes.Call(name=name):
                if name.text in self.tables.symbols:
                    return self._names.get(name.text, "value")
                return (
                    "set"
                    if name.text in _SETS
                    else "flag"
                    if name.text in {"during", "overlap"}
                    else "value"
                )
            case nodes.Arithmetic(left=left, right=right, op="+" | "-"):
                return (
                    "set"
                    if "set" in {self.shape(left, scope), self.shape(right, scope)}
                    else "value"
                )
            case _:
                return "value"

    def name_shape(self, name: str, scope: Scope) -> Shape:
        """Say what a name that stands alone gives."""
        if name in {"yes", "no"}:
            return "flag"
        return scope[name] if name in scope else self._names.get(name, "value")

    def property_shape(self, name: str) -> Shape:
        """Say what a property gives; of several of one name, if they agree."""
        shapes = self._properties.get(name, set())
        return next(iter(shapes)) if len(shapes) == 1 else "value"

    # ------------------------------------------------------------ what a text binds

    def scope(self, *roots: nodes.Node) -> dict[str, Shape]:
        """Give the names that declarations bind anywhere in them."""
        found: dict[str, Shape] = {}
        for root in roots:
            for node in nodes.walk(root):
                for name, shape in self._bound(node, found):
                    if name not in RESERVED:
                        found.setdefault(name, shape)
        return found

    def _bound(self, node: nodes.Node, scope: Scope) -> Iterable[tuple[str, Shape]]:
        match node:
            case nodes.Param(name=name, type=of):
                yield name.text, "value" if of is None else type_shape(of)
            case nodes.LetStmt(name=name, value=value):
                yield name.text, self._value_shape(value, scope)
            case nodes.Choice(name=name, count=count):
                yield name.text, "value" if count is None else "set"
            case nodes.EachStmt(name=name, second=second):
                yield name.text, "value"
                if second is not None:
                    yield second.text, "value"
            case nodes.SecretlyStmt(name=name):
                yield name.text, "value"
            case nodes.KeepsDecl(name=name, owner=None, type=of):
                yield name.text, type_shape(of)
            case nodes.Head(owner=owner) if owner is not None:
                yield owner.text, "value"
            case nodes.NamedEvent(args=args, result=result):
                for arg in args or ():
                    if isinstance(arg, nodes.Name) and not self.is_thing(arg.ident.text):
                        yield arg.ident.text, "value"
                if result is not None:
                    yield result.text, "value"
            case (
                nodes.GainEvent(who=who, amount=amount, source=other)
                | nodes.LoseEvent(who=who, amount=amount, target=other)
            ):
                for each in (who, amount, other):
                    if each is not None:
                        yield each.text, "value"
            case nodes.MoveEvent(thing=thing, place=place):
                yield thing.text, "value"
                if isinstance(place, nodes.Name) and place.ident.text not in self.tables.symbols:
                    yield place.ident.text, "value"
            case nodes.RollEvent(by=by, result=result):
                if isinstance(by, nodes.Name):
                    yield by.ident.text, "value"
                if result is not None:
                    yield result.text, "value"
            case _:
                pass

    def _value_shape(self, value: nodes.Node, scope: Scope) -> Shape:
        match value:
            case nodes.Roll(count=count) | nodes.Pick(count=count):
                return "value" if count is None else "set"
            case nodes.Expr():
                return self.shape(value, scope)
            case _:
                return "value"

    def is_thing(self, name: str) -> bool:
        """Tell whether a name is a word, or the id of a row of data."""
        return name in self.tables.ids or name in self.tables.words

    def singleton(self, name: str) -> bool:
        """Tell whether a name is that of a component of which there is one."""
        symbol = self.tables.symbols.get(name)
        return symbol is not None and symbol.form == "singleton"

    def kind_named(self, name: str) -> str:
        """Give the kind or enumeration that is called as a name says; empty if none is."""
        return next((each for each in self.tables.type_names if snake_case(each) == name), "")


def shared(titles: Sequence[str]) -> str:
    """Give what titles have in common that end in a number or in brackets."""
    first = titles[0]
    if len(set(titles)) == 1:
        return first
    low, high = min(titles), max(titles)
    same = next(
        (at for at, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low)
    )
    return low[:same].rstrip(" (0123456789") or first


def type_shape(of: nodes.TypeExpr) -> Shape:
    """Say what a field or parameter of a type gives."""
    match of:
        case nodes.NamedType(name=name):
            return "flag" if name.text == "Flag" else "value"
        case nodes.CollectionType():
            return "set"
        case nodes.KeyedType(value=value):
            return type_shape(value)
        case _:
            return "value"
