"""Conflicts between the declarations of variants: two values for one thing, two meanings of one name.

Everything here is a function of the set of variants. What two variants say alike is kept once; what
one header settles with `after` is no conflict. Conditions are not looked at: two rules that may
apply at once are found when everything is lowered, by `rulelang.checker.conflicts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.diagnostics import Applicability, Edit, Fix, Label
from rulelang.source import Span
from rulelang.variants.keys import parts_meet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.binding.context import Binding
    from rulelang.symbols import Tables

Origin: TypeAlias = "tuple[nodes.Item, str]"
Part: TypeAlias = tuple[int, str]
"""A name that a node declares: the node's identity, and the name."""

_CODE = "E0702"
_ALWAYS = "this holds from the beginning of every game"
_MEANINGLESS = frozenset(("span", "citations", "doc"))


@attrs.frozen(eq=False)
class Claim:
    """What one variant says about one thing that can only be one way.

    Attributes:
        form: A `value` is changed, a `name` declared, or something is to be `gone`.
        key: What it is about; claims of one key exclude each other unless they are alike.
        says: What it is about, for people.
        node: The text.
        item: The declaration that the text stands in.
        origin: The variant.
    """

    form: Literal["value", "name", "gone"]
    key: tuple[str, ...]
    says: str
    node: nodes.Node
    item: nodes.Item
    origin: str


def settle(binding: Binding, items: Sequence[Origin]) -> list[Origin]:
    """Report conflicts between declarations, and give the declarations that count.

    Args:
        binding: Knows the variants, which of them comes later, and takes the findings (E0702).
        items: All declarations with the variant that each stands in (empty: the base), in the
            published order.

    Returns:
        The same without what a variant repeats of another, and without the rules that a variant
        drops in order to write them anew.
    """
    items = _rewritten(items)
    claims: dict[tuple[str, ...], list[Claim]] = {}
    for item, origin in items:
        for claim in _claims(item, origin) if origin else ():
            claims.setdefault(claim.key, []).append(claim)
    repeated: set[Part] = set()
    for same in claims.values():
        for number, second in enumerate(same):
            for first in same[:number]:
                if first.origin != second.origin:
                    _compare(binding, first, second, same, repeated)
    return [
        (kept, origin)
        for item, origin in _without_doubles(items)
        if (kept := _without(item, repeated)) is not None
    ]


def alike(one: object, two: object) -> bool:
    """Tell whether two trees say the same: places, comments and citations do not count."""
    if isinstance(one, nodes.Node):
        return type(one) is type(two) and all(
            alike(getattr(one, part.name), getattr(two, part.name))
            for part in attrs.fields(type(one))
            if part.name not in _MEANINGLESS
        )
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(
            alike(left, right) for left, right in zip(one, two, strict=True)
        )
    return one == two


# ---------------------------------------------------------------- the line that settles it


def header(tables: Tables, name: str, more: str) -> str:
    """Write the first line of a variant with another qualifier, as it would have to be."""
    decl = _declared(tables, name)
    text = " ".join(decl.span.file.text[decl.span.start : _end(decl)].split())
    cited = ", ".join(each.id for each in decl.citations)
    return f"{text} {more}{f' [{cited}]' if cited else ''}:"


def settling(tables: Tables, winner: str, loser: str) -> Fix:
    """Give the change that lets one variant win over another."""
    decl = _declared(tables, winner)
    end = _end(decl)
    return Fix(
        f"let `{winner}` win",
        (Edit(Span(decl.span.file, end, end), f" after {loser}"),),
        Applicability.DISPLAY,
    )


def advice(tables: Tables, first: str, second: str) -> str:
    """Say which lines would settle a conflict, for either winner."""
    return (
        f"say which one wins: `{header(tables, second, f'after {first}')}`\n"
        f"or `{header(tables, first, f'after {second}')}`"
    )


def _declared(tables: Tables, name: str) -> nodes.VariantDecl:
    return next(each for each in tables.variants if each.name.text == name)


def _end(decl: nodes.VariantDecl) -> int:
    return max(decl.base.span.end, *(each.span.end for each in decl.qualifiers), 0)


# ---------------------------------------------------------------- what is claimed


def _claims(item: nodes.Item, origin: str) -> Iterator[Claim]:
    key: tuple[str, ...]
    match item:
        case nodes.ChangeOptionDecl(name=name):
            yield Claim("value", ("option", name.text), f"`{name.text}`", item, item, origin)
        case nodes.ChangeGameDecl(settings=settings):
            for each in settings:
                yield Claim(
                    "value", ("setting", each.name.text), f"`{each.name.text}`", each, item, origin
                )
        case nodes.ChangeTableDecl(name=name, rows=rows):
            for row in rows:
                yield Claim(
                    "value", ("table", name.text), f"a row of `{name.text}`", row, item, origin
                )
        case nodes.ChangeComponentDecl(kind=kind, amount=amount, fields=fields):
            if amount is not None:
                key = ("amount", kind.text)
                yield Claim("value", key, f"the number of `{kind.text}`", amount, item, origin)
            for field in fields:
                for ident in field.names:
                    key = ("field", kind.text, ident.text)
                    yield Claim("name", key, f"`{ident.text}`", field, item, origin)
        case nodes.ChangeWordsDecl(name=name, words=words):
            for word in words:
                if word.name is not None:
                    key = ("word", name.text, word.name.text)
                    yield Claim("name", key, f"`{word.name.text}`", word, item, origin)
        case nodes.DropDecl(path=path, text=text):
            if text is not None:
                yield Claim("gone", ("promise", text.value), f'"{text.value}"', item, item, origin)
            elif len(path) == 1:
                yield Claim("gone", ("name", path[0].text), f"`{path[0].text}`", item, item, origin)
        case _:
            found = _name(item)
            if found is not None:
                yield Claim("name", found[0], found[1], item, item, origin)


def _name(item: nodes.Item) -> tuple[tuple[str, ...], str] | None:
    match item:
        case nodes.DefineDecl(head=head) if head.owner is not None:
            says = f"`{head.owner.text}.{head.name.text}`"
            return ("property", head.owner.text, head.name.text), says
        case nodes.DefineDecl(head=head):
            return ("name", head.name.text), f"`{head.name.text}`"
        case nodes.ComponentDecl(kind=name) | nodes.EnumDecl(name=name):
            return ("type", name.text), f"`{name.text}`"
        case (
            nodes.OptionDecl(name=name)
            | nodes.MayDecl(name=name)
            | nodes.TableDecl(name=name)
            | nodes.EffectDecl(name=name)
            | nodes.PhaseDecl(name=name)
            | nodes.NamedRuleDecl(name=name)
        ):
            return ("name", name.text), f"`{name.text}`"
        case nodes.AlwaysDecl(text=text):
            return ("promise", text.value), f'"{text.value}"'
        case _:
            return None


# ---------------------------------------------------------------- judging


def _compare(
    binding: Binding, first: Claim, second: Claim, same: Sequence[Claim], repeated: set[Part]
) -> None:
    """Judge two claims about one thing; what the second only repeats is noted in `repeated`."""
    tables = binding.tables
    forms = {first.form, second.form}
    if forms == {"gone"}:
        return
    if "gone" in forms:
        _dropped(binding, *((first, second) if first.form == "gone" else (second, first)))
        return
    if first.form == "name":
        repeated.add((id(second.node), second.key[-1]))
        if not alike(_nameless(first.node), _nameless(second.node)):
            _report_name(binding, first, second)
        return
    if _same_value(first, second) or not _meet(first, second):
        return
    if any(_wins(tables, each.origin, two.origin) for two in (first, second) for each in same):
        return
    _report(
        binding,
        (second, f"`{second.origin}` says this"),
        (first, f"`{first.origin}` says this"),
        f"`{first.origin}` and `{second.origin}` give {first.says} different values",
        note=_ALWAYS,
        help=advice(tables, first.origin, second.origin),
        fix=settling(tables, second.origin, first.origin),
    )


def _report(
    binding: Binding,
    at: tuple[Claim, str],
    beside: tuple[Claim, str],
    headline: str,
    *,
    note: str,
    help: str,  # noqa: A002 - as diagnostics call it
    fix: Fix | None = None,
) -> None:
    """Report a conflict of two claims, each with what is to stand beside it."""
    (claim, label), (other, other_label) = at, beside
    binding.bag.error(
        _CODE,
        claim.node.span,
        headline,
        label=label,
        secondary=[Label(other.node.span, other_label)],
        notes=(note,),
        help=help,
        fix=fix,
        citation=_cited(other, claim),
    )


def _nameless(node: nodes.Node) -> nodes.Node:
    """Leave the names of fields out: several may share a line."""
    return attrs.evolve(node, names=()) if isinstance(node, nodes.FieldDecl) else node


def _report_name(binding: Binding, first: Claim, second: Claim) -> None:
    line = header(binding.tables, second.origin, f"not with {first.origin}")
    _report(
        binding,
        (second, f"`{second.origin}` says this"),
        (first, f"`{first.origin}` says this"),
        f"`{first.origin}` and `{second.origin}` both declare {first.says}, differently",
        note="one name has one meaning, whichever variant reads it",
        help=f"give one of them another name, or let them exclude each other: `{line}`",
    )


def _dropped(binding: Binding, gone: Claim, changed: Claim) -> None:
    """Judge something that one variant drops, and another one writes."""
    tables = binding.tables
    if _wins(tables, gone.origin, changed.origin) or _needs(tables, gone.origin, changed.origin):
        return
    line = header(tables, gone.origin, f"after {changed.origin}")
    other = header(tables, changed.origin, f"not with {gone.origin}")
    _report(
        binding,
        (changed, f"`{changed.origin}` says how it is"),
        (gone, f"`{gone.origin}` takes it out"),
        f"`{changed.origin}` changes {gone.says}, which `{gone.origin}` drops",
        note=_ALWAYS,
        help=f"if it is to be out: `{line}`\notherwise let them exclude each other: `{other}`",
        fix=settling(tables, gone.origin, changed.origin),
    )


def _cited(*claims: Claim) -> tuple[str, ...]:
    """Give what claims cite, or the declarations that they stand in."""
    found: dict[str, None] = {}
    for claim in claims:
        for node in (claim.node, claim.item):
            ids = [each.id for each in node.citations] if isinstance(node, nodes.Cited) else []
            if ids:
                found.update(dict.fromkeys(ids))
                break
    return tuple(found)


def _wins(tables: Tables, one: str, two: str) -> bool:
    return (one, two) in tables.later


def _needs(tables: Tables, one: str, two: str) -> bool:
    decl = _declared(tables, one)
    return any(each.relation == "with" and each.name.text == two for each in decl.qualifiers)


def _same_value(one: Claim, two: Claim) -> bool:
    match one.node, two.node:
        case nodes.Row() as left, nodes.Row() as right:
            return alike(left.value, right.value) and alike(left.body, right.body)
        case left_node, right_node:
            return alike(left_node, right_node)


# ---------------------------------------------------------------- rows


def _meet(one: Claim, two: Claim) -> bool:
    """Tell whether two claims are about a common case: two rows may have no key in common."""
    if not isinstance(one.node, nodes.Row) or not isinstance(two.node, nodes.Row):
        return True
    return any(_keys_meet(left, right) for left in one.node.keys for right in two.node.keys)


def _keys_meet(one: nodes.RowKey, two: nodes.RowKey) -> bool:
    if one.is_else or two.is_else:
        return one.is_else and two.is_else
    return all(parts_meet(*pair, _word) for pair in zip(one.parts, two.parts, strict=False))


def _word(part: nodes.Expr) -> str:
    """Give the word of a key; `Colour.red` is `red`."""
    return "".join(part.span.text.split()).rsplit(".", 1)[-1]


# ---------------------------------------------------------------- what is left


def _rewritten(items: Sequence[Origin]) -> list[Origin]:
    """Let a rule or promise that a variant drops and declares anew take the place of the old one."""
    declared = {
        (key[0], origin)
        for item, origin in items
        if origin and (key := _droppable(item)) is not None and not key[1]
    }
    replaced = {
        (key[0], origin)
        for item, origin in items
        if origin and (key := _droppable(item)) is not None and key[1]
    } & declared
    kept: list[Origin] = []
    for item, origin in items:
        key = _droppable(item)
        if key is not None and replaced:
            name, is_drop = key
            if is_drop and (name, origin) in replaced:
                continue
            if not is_drop and not origin and any(name == each for each, _ in replaced):
                continue
        kept.append((item, origin))
    return kept


def _droppable(item: nodes.Item) -> tuple[tuple[str, str], bool] | None:
    """Give what `drop` can take out and a variant write anew, and whether this drops it."""
    match item:
        case nodes.NamedRuleDecl(name=name):
            return ("name", name.text), False
        case nodes.AlwaysDecl(text=text):
            return ("promise", text.value), False
        case nodes.DropDecl(path=(name,), text=None, condition=None):
            return ("name", name.text), True
        case nodes.DropDecl(text=nodes.Text(value=value), condition=None):
            return ("promise", value), True
        case _:
            return None


def _without_doubles(items: Iterable[Origin]) -> Iterator[Origin]:
    """Leave out replacements and exceptions that a variant has from another, word for word."""
    seen: list[Origin] = []
    for item, origin in items:
        if origin and _is_replacing(item):
            if any(other != origin and alike(item, each) for each, other in seen):
                continue
            seen.append((item, origin))
        yield item, origin


def _is_replacing(item: nodes.Item) -> bool:
    match item:
        case nodes.HookDecl(timing="instead") | nodes.CardDecl():
            return True
        case nodes.ClauseDecl(change=nodes.Change(sign="=")):
            return True
        case _:
            return False


def _without(item: nodes.Item, repeated: set[Part]) -> nodes.Item | None:
    """Take out of a declaration what another variant has declared; None if nothing is left."""
    found = _name(item)
    if found is not None and (id(item), found[0][-1]) in repeated:
        return None
    match item:
        case nodes.ChangeComponentDecl(fields=fields):
            left = tuple(
                attrs.evolve(each, names=names)
                for each in fields
                if (
                    names := tuple(
                        name for name in each.names if (id(each), name.text) not in repeated
                    )
                )
            )
            stays = left or item.files or item.amount is not None
            return attrs.evolve(item, fields=left) if stays else None
        case nodes.ChangeWordsDecl(words=words):
            kept = tuple(
                each
                for each in words
                if each.name is None or (id(each), each.name.text) not in repeated
            )
            return attrs.evolve(item, words=kept) if kept else None
        case _:
            return item
