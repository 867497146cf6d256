"""What declarations touch: the named things of a ruleset, and every rule that changes one of them.

A `Touch` says that one piece of text does something to one `Target`: it declares it, is an
exception to it, waits for it, drops a part of it. `diff`, `tree` and the lists of variants are
different views of the same touches. Nothing here reports: what fits nothing is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import attrs

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.symbols import PropertySymbol, Tables

Form: TypeAlias = Literal[
    "game",
    "option",
    "component",
    "field",
    "enumeration",
    "definition",
    "permission",
    "action",
    "table",
    "phase",
    "step",
    "effect",
    "event",
    "rule",
    "state rule",
    "card",
    "promise",
]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
"""All forms, in the order in which differences are told."""

How: TypeAlias = Literal[
    "declares",
    "sets",
    "adds",
    "row",
    "exception",
    "forbids",
    "allows",
    "drops",
    "before",
    "instead",
    "replaces",
    "after",
]


@attrs.frozen
class Target:
    """A thing with a name that rules can be about.

    Attributes:
        form: What it is. An `event` is a change that has no name of its own: a gain, a loss, a move, a roll.
        name: As rules write it: `player.limit`, `setup.deal`, `price`; for an event, `gains coins`.
    """

    form: Form
    name: str

    def __str__(self) -> str:
        """Write form and name."""
        return self.name if self.form == "event" else f"{self.form} {self.name}"


@attrs.frozen(eq=False)
class Touch:
    """One thing that one piece of text does to a target.

    Attributes:
        target: What is touched.
        how: What is done: a hook waits `before`, `instead` or `after`; one that waits `instead` of
            everything `replaces`.
        node: The text that does it.
        origin: The variant that it stands in; empty for the base.
        name: The rule's own name; empty if it has none.
        card: The card whose rule it is; empty for rules that are always in force.
        within: The declaration whose lasting block it stands in, and `until`, how long that lasts.
        part: The part of the target that it is about: the need or exception that is dropped.
        cites: The ids that it cites.
    """

    target: Target
    how: How
    node: nodes.Node
    origin: str
    name: str = ""
    card: str = ""
    within: str = ""
    until: str = ""
    part: str = ""
    cites: tuple[str, ...] = ()

    @property
    def condition(self) -> nodes.Expr | None:
        """The condition under which it is in force; None if there is none."""
        match self.node:
            case (
                nodes.HookDecl(condition=found)
                | nodes.ClauseDecl(condition=found)
                | nodes.DropDecl(condition=found)
            ):
                return found
            case nodes.StateRuleDecl(condition=found):
                return found
            case _:
                return None


def touches(tables: Tables) -> list[Touch]:
    """Give everything that a merged ruleset does to its own names, in the published order."""
    return [touch for item, origin in tables.items for touch in touches_of(item, origin, tables)]


def variant_touches(variant: nodes.VariantDecl, tables: Tables) -> list[Touch]:
    """Give what one variant does, merged or not; names are looked up in `tables`."""
    return [
        touch for item in variant.items for touch in touches_of(item, variant.name.text, tables)
    ]


def touches_of(item: nodes.Item, origin: str, tables: Tables) -> Iterator[Touch]:
    """Give what one declaration does: declare, change, or hold rules about others."""
    target = declared(item)
    if target is not None:
        yield Touch(target, "declares", item, origin, cites=ids(item))
    match item:
        case nodes.CardDecl():
            for inner in item.items:
                for touch in _rule(inner, origin, tables):
                    cites = touch.cites or ids(item)
                    yield attrs.evolve(touch, card=card_name(item), cites=cites)
        case (
            nodes.HookDecl()
            | nodes.StateRuleDecl()
            | nodes.NamedRuleDecl()
            | nodes.ClauseDecl()
            | nodes.DropDecl()
        ):
            yield from _rule(item, origin, tables)
        case _:
            yield from _change(item, origin)
    yield from _lasting(item, origin, tables)


# ---------------------------------------------------------------- names


def declared(item: nodes.Node) -> Target | None:
    """Give the target that a declaration makes; None if it makes none."""
    match item:
        case nodes.GameDecl(name=name):
            return Target("game", name.text)
        case nodes.OptionDecl(name=name):
            return Target("option", name.text)
        case nodes.ComponentDecl(kind=kind):
            return Target("component", kind.text)
        case nodes.EnumDecl(name=name):
            return Target("enumeration", name.text)
        case nodes.DefineDecl(head=head):
            return Target("definition", _head_name(head))
        case nodes.MayDecl(name=name, then=then):
            return Target("permission" if then is None else "action", name.text)
        case nodes.TableDecl(name=name):
            return Target("table", name.text)
        case nodes.PhaseDecl(name=name):
            return Target("phase", name.text)
        case nodes.EffectDecl(name=name):
            return Target("effect", name.text)
        case nodes.NamedRuleDecl(name=name):
            return Target("rule", name.text)
        case nodes.CardDecl():
            return Target("card", card_name(item))
        case nodes.AlwaysDecl(text=text):
            return Target("promise", f'"{text.value}"')
        case nodes.StateRuleDecl(condition=condition):
            return Target("state rule", f"when {flat(condition)}")
        case _:
            return None


def card_name(card: nodes.CardDecl) -> str:
    """Name a card as its header does."""
    return card.name.text if card.kind is None else f"{card.kind.text}.{card.name.text}"


def steps(item: nodes.Node) -> dict[str, nodes.StepStmt]:
    """Give the steps of a phase by name, those inside other statements included."""
    if not isinstance(item, nodes.PhaseDecl):
        return {}
    return {part.name.text: part for part in nodes.walk(item) if isinstance(part, nodes.StepStmt)}


def flat(node: nodes.Node) -> str:
    """Write a node on one line."""
    return " ".join(node.span.text.split())


def ids(node: nodes.Node) -> tuple[str, ...]:
    """Give the ids that a node cites."""
    if not isinstance(node, nodes.Cited):
        return ()
    return tuple(dict.fromkeys(citation.id for citation in node.citations))


def _head_name(head: nodes.Head) -> str:
    return head.name.text if head.owner is None else f"{head.owner.text}.{head.name.text}"


def property_target(owner: nodes.Ident, name: str, tables: Tables) -> Target | None:
    """Find the property that `owner.name` in the head of an exception is about; None if there is none."""
    known = tables.properties.get(name, ())
    if not known:
        return None
    of = tables.type_by_name("player" if owner.text == "you" else owner.text)

    def likeness(found: PropertySymbol) -> int:
        if of is None or of.shape != found.owner.shape:
            return 2
        if of.shape == "word":
            return 0 if of.enum == found.owner.enum else 2
        inside = set(of.kinds) <= set(found.owner.kinds)
        return 0 if inside else 1 if set(of.kinds) & set(found.owner.kinds) else 2

    best = min(known, key=likeness)
    return Target("definition", f"{best.owner_name}.{name}")


def _named(name: str, tables: Tables) -> Target | None:
    symbol = tables.symbols.get(name)
    return declared(symbol.node) if symbol is not None else None


# ---------------------------------------------------------------- changes


def _change(item: nodes.Item, origin: str) -> Iterator[Touch]:
    match item:
        case nodes.ChangeOptionDecl(name=name):
            yield Touch(Target("option", name.text), "sets", item, origin, cites=ids(item))
        case nodes.ChangeGameDecl(settings=settings):
            for setting in settings:
                target = Target("game", setting.name.text)
                yield Touch(target, "sets", setting, origin, cites=ids(item))
        case nodes.ChangeComponentDecl(kind=kind, amount=amount, files=files, fields=fields):
            if amount is not None:
                yield Touch(Target("component", kind.text), "sets", amount, origin, cites=ids(item))
            for file in files:
                yield Touch(Target("component", kind.text), "adds", file, origin, cites=ids(item))
            for each in fields:
                cites = ids(each) or ids(item)
                yield Touch(Target("component", kind.text), "adds", each, origin, cites=cites)
        case nodes.ChangeWordsDecl(name=name):
            yield Touch(Target("enumeration", name.text), "adds", item, origin, cites=ids(item))
        case nodes.ChangeTableDecl(name=name, rows=rows):
            for row in rows:
                cites = ids(row) or ids(item)
                yield Touch(Target("table", name.text), "row", row, origin, cites=cites)
        case _:
            pass


# ---------------------------------------------------------------- rules


def _lasting(item: nodes.Item, origin: str, tables: Tables) -> Iterator[Touch]:
    """Give the rules in the lasting blocks of a declaration."""
    whole = declared(item)
    for node in nodes.walk(item):
        if isinstance(node, nodes.LastingStmt):
            for rule in node.rules:
                for touch in _rule(rule, origin, tables):
                    yield attrs.evolve(
                        touch,
                        within=str(whole) if whole is not None else f"`{flat(item)[:40]}`",
                        until=flat(node.until),
                        cites=touch.cites or ids(item),
                    )


def _rule(node: nodes.Node, origin: str, tables: Tables, name: str = "") -> Iterator[Touch]:
    match node:
        case nodes.NamedRuleDecl():
            for touch in _rule(node.rule, origin, tables, node.name.text):
                yield attrs.evolve(touch, cites=touch.cites or ids(node))
        case nodes.HookDecl():
            for target in event_targets(node.event, tables):
                yield Touch(target, _timing(node), node, origin, name, cites=ids(node))
        case nodes.ClauseDecl():
            about, how = _clause(node, tables)
            if about is not None:
                yield Touch(about, how, node, origin, name, cites=ids(node))
        case nodes.DropDecl():
            about, part = dropped(node, tables)
            if about is not None:
                yield Touch(about, "drops", node, origin, name, part=part, cites=ids(node))
        case _:
            pass


def _timing(node: nodes.HookDecl) -> How:
    always = node.condition is None and not node.once and node.ask is None
    if node.timing == "instead" and always and isinstance(node.event, nodes.NamedEvent):
        fixed = any(not isinstance(arg, nodes.Name) for arg in node.event.args or ())
        return "instead" if fixed else "replaces"
    return node.timing


def event_targets(event: nodes.Event, tables: Tables) -> tuple[Target, ...]:
    """Give what a rule waits for: a doing or step, or a change without a name."""
    match event:
        case nodes.NamedEvent(path=(only,)):
            found = _named(only.text, tables)
            return () if found is None else (found,)
        case nodes.NamedEvent(path=path):
            return (Target("step", ".".join(part.text for part in path)),)
        case nodes.GainEvent(field=field):
            return (Target("event", f"gains {field.text}"),)
        case nodes.LoseEvent(field=field):
            return (Target("event", f"loses {field.text}"),)
        case nodes.MoveEvent(thing=thing):
            return (Target("event", f"move {thing.text}"),)
        case nodes.RollEvent(enum=enum):
            return (Target("event", f"roll {enum.text}"),)


def _clause(node: nodes.ClauseDecl, tables: Tables) -> tuple[Target | None, How]:
    head = node.head
    if head.owner is not None:
        return property_target(head.owner, head.name.text, tables), "exception"
    target = _named(head.name.text, tables)
    if target is not None and target.form in {"permission", "action"}:
        return target, "forbids" if flat(node.change.value) == "no" else "allows"
    return target, "exception"


def dropped(node: nodes.DropDecl, tables: Tables) -> tuple[Target | None, str]:
    """Give what `drop` takes out: the target, and the name of its need or exception if it is not all of it."""
    if node.text is not None:
        return Target("promise", f'"{node.text.value}"'), ""
    if not node.path:
        return None, ""
    *above, last = node.path
    if not above:
        return Target("rule", last.text), ""
    if len(above) == 1:
        found = _named(above[0].text, tables)
        if found is None and above[0].text in tables.properties:
            first = tables.properties[above[0].text][0]
            found = Target("definition", f"{first.owner_name}.{first.name}")
        return found, last.text
    return property_target(above[-2], above[-1].text, tables), last.text
