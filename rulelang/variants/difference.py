"""What is different between two sets of variants over one base, as data.

Both sets are merged; what is told apart are the touches of their variants. Options, settings and
words are compared by what is in force, everything else by the rules that came or went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.source import Span
from rulelang.variants.keys import parts_meet
from rulelang.variants.touching import (
    FORMS,
    Target,
    Touch,
    declared,
    dropped,
    flat,
    ids,
    steps,
    touches,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.symbols import Tables

Side: TypeAlias = Literal["came", "went"]


@attrs.frozen(eq=False)
class Change:
    """One difference.

    Attributes:
        touch: The text that makes it.
        side: Whether the new set has it and the old one has not (`came`), or the other way round.
        old: What was there; empty if nothing was.
        new: What is there now; empty if nothing is.
    """

    touch: Touch
    side: Side
    old: str = ""
    new: str = ""


@attrs.frozen(eq=False)
class Group:
    """All differences of one target.

    Attributes:
        target: What is changed.
        place: Where it is declared; None for what has no declaration.
        cites: What its declaration cites.
        is_new: Whether only one of the two sets declares it.
        changes: In the published order, never empty.
    """

    target: Target
    place: Span | None
    cites: tuple[str, ...]
    is_new: bool
    changes: tuple[Change, ...]


@attrs.frozen(eq=False)
class Difference:
    """How a ruleset with one set of variants differs from the same with another set.

    Attributes:
        game: Name of the base.
        old: The variants that it is compared with, in the published order.
        new: The variants that are looked at, in the published order.
        groups: What is changed, things that both have first.
    """

    game: str
    old: tuple[nodes.VariantDecl, ...]
    new: tuple[nodes.VariantDecl, ...]
    groups: tuple[Group, ...]


def compare(old: Tables, new: Tables) -> Difference:
    """Compare two merged rulesets of one base.

    Args:
        old: With the variants that the comparison begins with, often none.
        new: With those that it leads to.
    """
    before, after = touches(old), touches(new)
    had = {each.origin for each in before} | set(old.chosen)
    has = {each.origin for each in after} | set(new.chosen)
    changes: list[Change] = []
    for touch in after:
        if touch.origin not in had and not _is_told_elsewhere(touch):
            changes.extend(_came(touch, old, new))
    for touch in before:
        if touch.origin not in has and not _is_told_elsewhere(touch):
            changes.extend(_went(touch, old, new))
    changes = _settled(changes)
    places = {
        **{each.target: each.node for each in before if each.how == "declares"},
        **{each.target: each.node for each in after if each.how == "declares"},
    }
    base = {
        each.target for each in (*before, *after) if each.how == "declares" and each.origin in had
    } & {each.target for each in after if each.how == "declares" and each.origin in has}
    return Difference(
        new.game.name.text if new.game is not None else "",
        _chosen(old),
        _chosen(new),
        tuple(_grouped(changes, places, base, new.game)),
    )


def _is_told_elsewhere(touch: Touch) -> bool:
    """Is it the name of a rule that waits for an event, and is told where it acts?"""
    return (
        touch.how == "declares"
        and isinstance(touch.node, nodes.NamedRuleDecl)
        and isinstance(touch.node.rule, nodes.HookDecl)
    )


def _chosen(tables: Tables) -> tuple[nodes.VariantDecl, ...]:
    by_name = {each.name.text: each for each in reversed(tables.variants)}
    return tuple(by_name[name] for name in tables.chosen)


def _grouped(
    changes: Iterable[Change],
    places: dict[Target, nodes.Node],
    both: set[Target],
    game: nodes.GameDecl | None,
) -> Iterator[Group]:
    found: dict[Target, list[Change]] = {}
    for change in changes:
        found.setdefault(change.touch.target, []).append(change)

    def rank(target: Target) -> tuple[bool, int]:
        is_new = any(each.touch.how == "declares" for each in found[target])
        return is_new, FORMS.index(target.form)

    for target in sorted(found, key=rank):
        node = game if target.form == "game" else _declaration(target, places)
        yield Group(
            target,
            node.span if node is not None else None,
            ids(node) if node is not None else (),
            target not in both and any(each.touch.how == "declares" for each in found[target]),
            tuple(found[target]),
        )


def _declaration(target: Target, places: dict[Target, nodes.Node]) -> nodes.Node | None:
    if target.form == "step":
        phase, _, step = target.name.partition(".")
        whole = places.get(Target("phase", phase))
        return steps(whole).get(step) if whole is not None else None
    return places.get(target)


# ---------------------------------------------------------------- one change


def _came(touch: Touch, old: Tables, new: Tables) -> Iterator[Change]:
    match touch.node:
        case node if touch.how == "sets":
            was, now = in_force(touch.target, old), in_force(touch.target, new)
            if was != now:
                yield Change(touch, "came", was, now)
        case nodes.ChangeWordsDecl():
            yield Change(touch, "came", in_force(touch.target, old), in_force(touch.target, new))
        case nodes.Row() as row:
            under = [excerpt(each) for each in rows_under(row, touch.target, old)]
            yield Change(touch, "came", "\n".join(under), excerpt(row))
        case nodes.DropDecl() as drop:
            yield Change(touch, "came", taken_out(drop, old) or taken_out(drop, new), "")
        case nodes.HookDecl(body=body) if touch.how == "replaces":
            yield Change(touch, "came", body_of(touch.target, old), block(body))
        case node:
            doc = node.doc if isinstance(node, nodes.Decl) else ""
            lines = [f"## {line}" for line in doc.splitlines()]
            yield Change(touch, "came", "", "\n".join([*lines, excerpt(node)]))


def _went(touch: Touch, old: Tables, new: Tables) -> Iterator[Change]:
    for change in _came(touch, new, old):
        yield attrs.evolve(change, side="went", old=change.new, new=change.old)


def _settled(changes: Iterable[Change]) -> list[Change]:
    """Leave out what a set takes back that another change of the same value tells already."""
    kept: list[Change] = []
    told: set[Target] = set()
    for change in changes:
        if change.touch.how == "sets":
            if change.touch.target in told:
                continue
            told.add(change.touch.target)
        kept.append(change)
    return kept


def in_force(target: Target, tables: Tables) -> str:
    """Give the value of an option or setting, the words of an enumeration or the number of a kind, as merged.

    Returns:
        The text of it; nothing if there is none.
    """
    words: list[str] = []
    value = ""
    for item, _ in tables.items:
        match item:
            case nodes.OptionDecl(name=name, default=default) if target == Target(
                "option", name.text
            ):
                value = flat(default)
            case nodes.ChangeOptionDecl(name=name, value=default) if target == Target(
                "option", name.text
            ):
                value = flat(default)
            case (
                nodes.EnumDecl(name=name, words=more) | nodes.ChangeWordsDecl(name=name, words=more)
            ) if target == Target("enumeration", name.text):
                words += [flat(word) for word in more]
            case (
                nodes.ComponentDecl(kind=kind, amount=amount)
                | nodes.ChangeComponentDecl(kind=kind, amount=amount)
            ) if target == Target("component", kind.text) and amount is not None:
                value = flat(amount)
            case nodes.ChangeGameDecl(settings=settings) if target.form == "game":
                value = _setting(settings, target.name) or value
            case _:
                pass
    if target.form == "game" and not value and tables.game is not None:
        value = _setting(tables.game.settings, target.name)
    return ", ".join(words) or value


def _setting(settings: Iterable[nodes.Setting], name: str) -> str:
    return next(
        (
            ", ".join(flat(value) for value in setting.values)
            for setting in settings
            if setting.name.text == name
        ),
        "",
    )


def rows_under(row: nodes.Row, target: Target, tables: Tables) -> list[nodes.Row]:
    """Give the rows of a table that stood for keys of another row; the row for everything else if none did."""
    others: list[nodes.Row] = []
    rest: list[nodes.Row] = []
    for item, _ in tables.items:
        if isinstance(item, nodes.TableDecl | nodes.ChangeTableDecl) and (
            item.name.text == target.name
        ):
            others += [each for each in item.rows if each is not row and share_keys(each, row)]
            rest += [each for each in item.rows if any(key.is_else for key in each.keys)]
    return others or rest[:1]


def share_keys(one: nodes.Row, two: nodes.Row) -> bool:
    """Tell whether two rows of a table name a key that is the same; numbers by value, others as written."""
    return any(
        not left.is_else
        and not right.is_else
        and all(parts_meet(*pair, flat) for pair in zip(left.parts, right.parts, strict=False))
        for left in one.keys
        for right in two.keys
    )


def taken_out(drop: nodes.DropDecl, tables: Tables) -> str:
    """Give the text of the need, exception, rule or promise that is dropped; empty if it is not there."""
    target, part = dropped(drop, tables)
    for item, _ in tables.items:
        if declared(item) != target:
            continue
        match item:
            case nodes.MayDecl(needs=parts) | nodes.DefineDecl(exceptions=parts):
                for each in parts:
                    if each.name.text == part:
                        return excerpt(each)
            case _:
                return excerpt(item)
    return ""


def body_of(target: Target, tables: Tables) -> str:
    """Give the lines of a doing or step; empty if there is none."""
    for item, _ in tables.items:
        match item:
            case nodes.PhaseDecl() if target.form == "step":
                phase, _, name = target.name.partition(".")
                step = steps(item).get(name)
                if item.name.text == phase and step is not None:
                    return block(step.body)
            case nodes.PhaseDecl(body=body) | nodes.EffectDecl(body=body) if (
                declared(item) == target
            ):
                return block(body)
            case nodes.MayDecl(then=then) if declared(item) == target and then is not None:
                return block(then)
            case _:
                pass
    return ""


# ---------------------------------------------------------------- texts


def excerpt(node: nodes.Node) -> str:
    """Give the text of a node as written, moved to the left edge."""
    return dedented(node.span.text, node.span.column - 1)


def block(body: nodes.Body) -> str:
    """Give the lines after a colon, moved to the left edge."""
    if not body.statements:
        return ""
    first, last = body.statements[0].span, body.statements[-1].span
    whole = first.to(last)
    return dedented(whole.text, first.column - 1)


def dedented(text: str, by: int) -> str:
    """Take up to `by` spaces from the beginning of each line but the first, and spaces from all ends."""
    lines = text.splitlines()
    out = lines[:1]
    for line in lines[1:]:
        spaces = len(line) - len(line.lstrip(" "))
        out.append(line[min(by, spaces) :])
    return "\n".join(line.rstrip() for line in out)
