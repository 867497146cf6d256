"""Who uses a name: every declaration, step, need, exception and rule whose text reads or does it.

Names are compared as written. A name that stands alone means one thing everywhere, so that is exact
for all but properties: `x.name` may be the property of another kind where the text does not say which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.source import Span
from rulelang.variants.touching import Target, card_name, declared, flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Type
    from rulelang.symbols import Tables

Verb: TypeAlias = Literal["reads", "asks", "does", "offers", "changes", "ends", "names"]

_DOINGS = frozenset(("effect", "phase", "table", "action", "step"))


@attrs.frozen(eq=False)
class Use:
    """One text that uses a name.

    Attributes:
        user: What it belongs to, as in `effect pay` or `need trade.peace`.
        verb: What it does with the name.
        place: Where the name stands there for the first time.
        origin: The variant that it comes from; empty for the base.
        is_sure: Whether the name means the target; it may be the property of another kind otherwise.
    """

    user: str
    verb: Verb
    place: Span
    origin: str
    is_sure: bool = True


def uses(target: Target, tables: Tables) -> list[Use]:
    """Give who uses a target, in the published order; each user once for each verb."""
    wanted = target.name.rpartition(".")[2] if target.form == "definition" else target.name
    is_property = target.form in {"definition", "field"} and "." in target.name
    if is_property:
        wanted = target.name.rpartition(".")[2]
    owner = _owner(target, tables) if is_property else None
    found: dict[tuple[str, Verb, str], Use] = {}
    for item, origin in tables.items:
        for user, node, kind in _with_users(item):
            named = _named(node, target, wanted)
            if named is None:
                continue
            ident, verb = named
            if is_property != _is_property(node) and not isinstance(node, nodes.SortKey):
                continue
            is_its = True if owner is None else _is_of(node, owner, kind, tables)
            if is_its is False:
                continue
            if user == str(target) and verb == "reads":
                continue
            is_sure = is_its is True or _owners(wanted, tables) == 1
            use = Use(user, verb, ident.span, origin, is_sure)
            known = found.setdefault((user, verb, origin), use)
            if is_sure and not known.is_sure:
                found[user, verb, origin] = use
    return list(found.values())


def _owner(target: Target, tables: Tables) -> Type | None:
    owner, _, name = target.name.rpartition(".")
    for known in tables.properties.get(name, ()):
        if known.owner_name == owner:
            return known.owner
    return tables.type_by_name(owner)


# ---------------------------------------------------------------- names in texts


def _named(node: nodes.Node, target: Target, wanted: str) -> tuple[nodes.Ident, Verb] | None:
    """Give where a node says a name that could mean a target of this form, and what it does with it."""
    if isinstance(node, nodes.TakeActionStmt):
        return next(((each, "offers") for each in node.actions if each.text == wanted), None)
    match node:
        case nodes.Allowed(name=name):
            found: tuple[nodes.Ident, Verb] = (name, "asks")
        case nodes.DoStmt(name=name):
            found = (name, "does")
        case nodes.EndStmt(name=name) | nodes.Limit(name=name, at_end=True):
            found = (name, "ends" if isinstance(node, nodes.EndStmt) else "names")
        case nodes.Limit(name=name):
            found = (name, "names")
        case nodes.Call(name=name):
            found = (name, "does" if target.form in _DOINGS - {"table"} else "reads")
        case nodes.Name(ident=name) if target.form not in _DOINGS:
            found = (name, "reads")
        case nodes.Prop(name=name) | nodes.PropCall(name=name) | nodes.Its(name=name):
            found = (name, "reads")
        case nodes.SortKey(name=name):
            found = (name, "reads")
        case nodes.GainStmt(field=name) | nodes.LoseStmt(field=name):
            found = (name, "changes")
        case nodes.KindName(ident=name) | nodes.NamedType(name=name):
            found = (name, "names")
        case _:
            return None
    return found if found[0].text == wanted else None


def _is_property(node: nodes.Node) -> bool:
    return isinstance(
        node, nodes.Prop | nodes.PropCall | nodes.Its | nodes.GainStmt | nodes.LoseStmt
    )


def _owners(name: str, tables: Tables) -> int:
    """Count the kinds with a property or field of a name."""
    fields = {kind for kind, field in tables.field_numbers if field == name}
    return len(fields) + len(tables.properties.get(name, ()))


def _is_of(node: nodes.Node, owner: Type, kind: str, tables: Tables) -> bool | None:
    """Tell whether the property in a text is that of an owner; None if the text does not say it.

    Args:
        node: What reads or changes the property.
        owner: Whose property is wanted.
        kind: The kind of the things that are looked at there, which `its` means; empty if the text does not say it.
        tables: The ruleset.
    """
    match node:
        case (
            nodes.Prop(owner=nodes.Name(ident=ident))
            | nodes.PropCall(owner=nodes.Name(ident=ident))
            | nodes.GainStmt(who=nodes.Name(ident=ident))
            | nodes.LoseStmt(who=nodes.Name(ident=ident))
        ):
            of = tables.type_by_name("player" if ident.text == "you" else ident.text)
        case nodes.Prop(owner=nodes.KindName(ident=ident)):
            of = tables.type_names.get(ident.text)
        case nodes.Its() | nodes.SortKey():
            of = tables.type_names.get(kind)
        case _:
            return None
    if of is None or of.shape not in {"thing", "word"}:
        return None
    if of.shape != owner.shape:
        return False
    if of.shape == "word":
        return of.enum == owner.enum
    shared = set(of.kinds) & set(owner.kinds)
    return False if not shared else True if set(of.kinds) <= set(owner.kinds) else None


# ---------------------------------------------------------------- users


def _with_users(item: nodes.Item) -> Iterator[tuple[str, nodes.Node, str]]:
    """Give every node of a declaration with the smallest named part that holds it, and the kind that `its` means."""
    whole = declared(item)
    first = str(whole) if whole is not None else _untitled(item)
    above = whole.name if whole is not None else ""
    waiting: list[tuple[str, nodes.Node, str]] = [(first, item, "")]
    while waiting:
        user, node, kind = waiting.pop()
        yield user, node, kind
        looked_at = _looked_at(node)
        waiting.extend(
            (
                _part(child, above) or user,
                child,
                kind if looked_at is None or child is looked_at else _kind_in(looked_at),
            )
            for child in reversed(list(nodes.children(node)))
        )


def _looked_at(node: nodes.Node) -> nodes.Expr | None:
    """Give the set whose things are looked at one by one in the rest of a node; None if there is none."""
    match node:
        case (
            nodes.Where(source=source)
            | nodes.AnyWhere(source=source)
            | nodes.BestOf(source=source)
            | nodes.SortedBy(source=source)
            | nodes.Choice(source=source)
        ):
            return source
        case _:
            return None


def _kind_in(source: nodes.Expr) -> str:
    """Give the kind of the things in a set, if its text says it; else nothing."""
    match source:
        case nodes.KindName(ident=ident):
            return ident.text
        case nodes.At(things=inner) | nodes.Group(elements=(inner,)):
            return _kind_in(inner)
        case nodes.Where(source=inner) | nodes.BestOf(source=inner) | nodes.SortedBy(source=inner):
            return _kind_in(inner)
        case _:
            return ""


def _part(node: nodes.Node, above: str) -> str:
    match node:
        case nodes.StepStmt(name=name):
            return f"step {above}.{name.text}"
        case nodes.Need(name=name):
            return f"need {above}.{name.text}"
        case nodes.ExceptionClause(name=name):
            return f"exception {above}.{name.text}"
        case nodes.HookDecl() | nodes.ClauseDecl() | nodes.DropDecl() if above:
            return f"{_untitled(node)} ({above})"
        case _:
            return ""


def _untitled(item: nodes.Node) -> str:
    match item:
        case nodes.HookDecl(timing=timing, event=event):
            return f"{'instead of' if timing == 'instead' else timing} {flat(event)}"
        case nodes.ClauseDecl(head=head):
            return f"exception to {flat(head)}"
        case nodes.CardDecl():
            return f"card {card_name(item)}"
        case nodes.ChangeComponentDecl(kind=kind):
            return f"component {kind.text}"
        case nodes.ChangeTableDecl(name=name):
            return f"table {name.text}"
        case _:
            return flat(item)[:40]
