"""One name with everything that can touch it, as a tree.

A definition with its exceptions, a permission with its needs, a doing with the rules before, instead
of and after it; rules of variants, cards and lasting blocks among them; and who uses the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.source import Span
from rulelang.symbols import Tables, snake_case
from rulelang.variants.difference import in_force, share_keys
from rulelang.variants.touching import (
    Target,
    Touch,
    declared,
    flat,
    ids,
    steps,
    touches,
    variant_touches,
)
from rulelang.variants.uses import uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CITES: Final = re.compile(r"\s*\[[A-Z]{2,}-[^\]]*\]")


_BY: Final = {
    "reads": "read by",
    "asks": "asked by",
    "does": "done by",
    "offers": "offered by",
    "changes": "changed by",
    "ends": "ended by",
    "names": "named by",
}
_WHAT: Final = {
    "sets": "set",
    "adds": "more",
    "drops": "taken out",
    "instead": "instead of",
    "replaces": "instead of",
    "forbids": "forbidden",
    "allows": "allowed",
}


@attrs.frozen(eq=False)
class Branch:
    """One line of a tree.

    Attributes:
        what: What it is: `exception rich`, `before`, `used by`.
        text: Its text on one line; empty for a heading.
        place: Where it stands; None for a heading.
        origin: The variant that it comes from; empty for the base.
        card: The card whose rule it is; empty if it is none's.
        cites: The ids that it cites.
        below: What belongs to it.
    """

    what: str
    text: str = ""
    place: Span | None = None
    origin: str = ""
    card: str = ""
    cites: tuple[str, ...] = ()
    below: tuple[Branch, ...] = ()


def find(name: str, tables: Tables) -> list[Target]:
    """Give what a name can mean; a property without its owner means those of all owners.

    Returns:
        Nothing if the name is unknown.
    """
    known = _known(tables)
    exact = [target for target in known if target.name == name]
    if exact:
        return exact
    above, dot, last = name.rpartition(".")
    if dot:  # a need or an exception: the thing that it belongs to
        for target, node in known.items():
            if target.name == above and last in _parts(node):
                return [target]
    return [target for target in known if target.name.rpartition(".")[2] == name]


def names(tables: Tables) -> list[str]:
    """Give every name that `find` knows, with and without owners and phases."""
    known = [target.name for target in _known(tables)]
    return [*known, *(name.rpartition(".")[2] for name in known if "." in name)]


def tree(target: Target, tables: Tables) -> Branch:
    """Give the tree of a target that `find` has found."""
    node = node_of(target, tables)
    found = touches(tables)
    return _Maker(tables, found).whole(target, node)


def node_of(target: Target, tables: Tables) -> nodes.Node:
    """Give the declaration, step or field that a target of `find` is."""
    return _known(tables)[target]


def _known(tables: Tables) -> dict[Target, nodes.Node]:
    """Give everything that has a tree, in the published order."""
    found: dict[Target, nodes.Node] = {}
    game = () if tables.game is None else (tables.game,)
    for item in (*game, *(item for item, _ in tables.items)):
        target = declared(item)
        if target is not None:
            found.setdefault(target, item)
        for name, step in steps(item).items():
            if target is not None:
                found.setdefault(Target("step", f"{target.name}.{name}"), step)
        match item:
            case (
                nodes.ComponentDecl(kind=kind, fields=fields)
                | nodes.ChangeComponentDecl(kind=kind, fields=fields)
            ):
                for field in fields:
                    for ident in field.names:
                        whole = f"{snake_case(kind.text)}.{ident.text}"
                        found.setdefault(Target("field", whole), field)
            case _:
                pass
    return found


def _parts(node: nodes.Node) -> dict[str, nodes.Need | nodes.ExceptionClause]:
    """Give the needs of a permission and the exceptions of a definition by name."""
    match node:
        case nodes.MayDecl(needs=parts) | nodes.DefineDecl(exceptions=parts):
            return {part.name.text: part for part in parts}
        case _:
            return {}


# ---------------------------------------------------------------- the tree


@attrs.frozen(eq=False)
class _Maker:
    """Makes the tree of one target.

    Attributes:
        tables: The merged ruleset.
        found: All its touches.
    """

    tables: Tables
    found: Sequence[Touch]

    def whole(self, target: Target, node: nodes.Node) -> Branch:
        """Make the tree with its uses, and with what variants that are not chosen would do."""
        below = [*self._own(target, node), *self._used(target), *self._possible(target)]
        return Branch(
            target.form,
            _headline(target, node, self.tables),
            node.span,
            self._origin(target),
            cites=ids(node),
            below=tuple(below),
        )

    def _origin(self, target: Target) -> str:
        phase = Target("phase", target.name.partition(".")[0])
        wanted = phase if target.form == "step" else target
        return next(
            (
                each.origin
                for each in self.found
                if each.how == "declares" and each.target == wanted
            ),
            "",
        )

    def _own(self, target: Target, node: nodes.Node) -> Iterator[Branch]:
        """Give the parts of a declaration, and the rules about it where they act."""
        about = [each for each in self.found if each.target == target and each.how != "declares"]
        match node:
            case nodes.DefineDecl() | nodes.MayDecl():
                yield from self._with_parts(node, about)
            case nodes.TableDecl(rows=rows):
                changed = [each for each in about if each.how == "row"]
                yield from self._rows(rows, changed)
                yield from _branches(each for each in about if each.how == "exception")
            case nodes.ComponentDecl(fields=fields):
                for field in fields:
                    text = _without_cites(flat(field))
                    yield Branch("field", text, field.span, cites=ids(field))
                yield from _branches(about)
                return
            case nodes.CardDecl():
                yield from _branches(each for each in self.found if each.card == target.name)
                return
            case nodes.FieldDecl():
                name = target.name.rpartition(".")[2]
                moves = {f"gains {name}", f"loses {name}"}
                yield from _branches(
                    each
                    for each in self.found
                    if each.target.form == "event" and each.target.name in moves
                )
                return
            case nodes.GameDecl(settings=settings):
                for setting in settings:
                    yield Branch("setting", flat(setting), setting.span)
                yield from _branches(
                    each for each in self.found if each.target.form == "game" and each.how == "sets"
                )
                return
            case nodes.PhaseDecl() | nodes.EffectDecl() | nodes.StepStmt():
                pass
            case _:
                yield from _branches(about)
                return
        yield from _branches(each for each in about if each.how == "before")
        yield from _branches(each for each in about if each.how in {"instead", "replaces"})
        yield from self._done(target, node)
        yield from _branches(each for each in about if each.how == "after")

    def _done(self, target: Target, node: nodes.Node) -> Iterator[Branch]:
        """Give what a doing itself does: its steps, each with the rules about it."""
        match node:
            case nodes.PhaseDecl():
                for name, step in steps(node).items():
                    inner = Target("step", f"{target.name}.{name}")
                    below = tuple(self._own(inner, step))
                    yield Branch("step", name, step.span, cites=ids(step), below=below)
            case nodes.MayDecl(then=then) if then is not None:
                yield Branch("then", _first_line(then), then.span)
            case nodes.EffectDecl(body=body) | nodes.StepStmt(body=body):
                yield Branch("does", _first_line(body), body.span)
            case _:
                pass

    def _with_parts(
        self, node: nodes.DefineDecl | nodes.MayDecl, about: Sequence[Touch]
    ) -> Iterator[Branch]:
        what = "need" if isinstance(node, nodes.MayDecl) else "exception"
        for name, part in _parts(node).items():
            drops = [each for each in about if each.how == "drops" and each.part == name]
            text = flat(part).removeprefix(f"{name}:").strip()
            yield Branch(
                f"{what} {name}",
                _without_cites(text),
                part.span,
                cites=ids(part),
                below=tuple(_branches(drops)),
            )
        others = [each for each in about if each.how in {"exception", "forbids", "allows"}]
        yield from _branches(others)

    def _rows(self, rows: Sequence[nodes.Row], changed: Sequence[Touch]) -> Iterator[Branch]:
        for row in rows:
            here = [
                each
                for each in changed
                if isinstance(each.node, nodes.Row) and share_keys(each.node, row)
            ]
            text = _without_cites(flat(row))
            yield Branch("row", text, row.span, cites=ids(row), below=tuple(_branches(here)))
        shown = [row for row in rows if not any(key.is_else for key in row.keys)]
        yield from _branches(
            each
            for each in changed
            if isinstance(each.node, nodes.Row)
            and not any(share_keys(each.node, row) for row in shown)
        )

    def _used(self, target: Target) -> Iterator[Branch]:
        if target.form in {"component", "enumeration", "card", "game", "promise"}:
            return  # nearly everything names a kind, nothing names a card
        users = [
            Branch(
                _BY[use.verb] if use.is_sure else f"perhaps {_BY[use.verb]}",
                use.user,
                use.place,
                use.origin,
            )
            for use in uses(target, self.tables)
        ]
        if users:
            yield Branch("uses", below=tuple(users))

    def _possible(self, target: Target) -> Iterator[Branch]:
        """Give what the variants that are not chosen would do to it."""
        below: list[Branch] = []
        for variant in self.tables.variants:
            if variant.name.text in self.tables.chosen:
                continue
            about = [
                each
                for each in variant_touches(variant, self.tables)
                if each.target == target
                or (
                    each.target.form == "step"
                    and target.form == "phase"
                    and each.target.name.startswith(f"{target.name}.")
                )
            ]
            below.extend(_branches(each for each in about if each.how != "declares"))
        if below:
            yield Branch("variants that are not chosen", below=tuple(below))


def _branches(found: Iterable[Touch]) -> Iterator[Branch]:
    for touch in found:
        what = _WHAT.get(touch.how, touch.how)
        if touch.name:
            what = f"{what} (rule {touch.name})"
        if touch.within:
            what = f"{what}, lasting from {touch.within} {touch.until}"
        text = header(touch.node).removeprefix("instead of ").removeprefix(f"{touch.how} ")
        yield Branch(what, text, touch.node.span, touch.origin, touch.card, touch.cites)


# ---------------------------------------------------------------- texts


def header(node: nodes.Node) -> str:
    """Give a declaration on one line, up to the block or line that it holds; citations left out."""
    body = node.body if isinstance(node, nodes.HookDecl | nodes.StateRuleDecl) else None
    if body is None or not body.statements:
        return _without_cites(flat(node))
    single = body.statements[0].span.line == node.span.line
    if single:
        return _without_cites(flat(node))
    whole = node.span
    text = whole.file.text[whole.start : body.statements[0].span.start]
    lines = [line.partition("#")[0] for line in text.splitlines()]
    return _without_cites(" ".join(" ".join(lines).split()).rstrip(":"))


def _first_line(body: nodes.Body) -> str:
    if not body.statements:
        return ""
    first = body.statements[0].span
    text = first.text.splitlines()[0].partition("#")[0].strip()
    more = len(body.statements) > 1 or "\n" in first.text
    return f"{text} ..." if more else text


def _headline(target: Target, node: nodes.Node, tables: Tables) -> str:
    """Give the first line of a declaration; of an option with the value in force."""
    match node:
        case nodes.OptionDecl():
            value = in_force(target, tables)
            text = _without_cites(flat(node))
            return text if value == flat(node.default) else f"{text}, now {value}"
        case nodes.DefineDecl(head=head, value=value_node):
            whole = head.span.to(value_node.span)
            return " ".join(whole.text.split())
        case nodes.FieldDecl(names=idents):
            rest = node.span.file.text[idents[-1].span.end : node.span.end]
            return _without_cites(target.name + " ".join(rest.split()))
        case nodes.AlwaysDecl() | nodes.EnumDecl():
            return _without_cites(flat(node))
        case nodes.NamedRuleDecl(rule=rule):
            return f"{target.name}: {header(rule)}"
        case nodes.StateRuleDecl():
            return header(node)
        case nodes.StepStmt():
            return target.name
        case _:
            first = node.span.text.splitlines()[0].partition("#")[0].strip().rstrip(":")
            return _without_cites(first)


def _without_cites(text: str) -> str:
    return _CITES.sub("", text)
