"""The shape of a text: its symbols, what can be folded, what a selection grows to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rulelang import nodes
from rulelang.server.places import range_of
from rulelang.source import first_line
from rulelang.variants.touching import card_name, flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.source import SourceFile

_Kind = types.SymbolKind
_LONGEST = 60


def symbols(module: nodes.Module) -> list[types.DocumentSymbol]:
    """Give the declarations of a text with what they hold."""
    return list(_symbols(module.items))


def _symbols(items: Iterable[nodes.Node]) -> Iterator[types.DocumentSymbol]:
    for item in items:
        found = _symbol(item)
        if found is not None:
            yield found


def _made(
    name: str,
    kind: types.SymbolKind,
    node: nodes.Node,
    at: nodes.Node | None,
    inside: Iterable[nodes.Node] = (),
    detail: str | None = None,
) -> types.DocumentSymbol:
    here = at.span if at is not None else first_line(node.span)
    return types.DocumentSymbol(
        name=name[:_LONGEST] or "(unnamed)",
        kind=kind,
        range=range_of(node.span),
        selection_range=range_of(here),
        detail=detail,
        children=list(_symbols(inside)) or None,
    )


def _symbol(item: nodes.Node) -> types.DocumentSymbol | None:
    match item:
        case nodes.GameDecl(name=name, settings=settings):
            return _made(name.text, _Kind.Package, item, name, settings, item.title.value)
        case nodes.Setting(name=name):
            return _made(name.text, _Kind.Property, item, name)
        case nodes.VariantDecl(name=name, items=items):
            return _made(name.text, _Kind.Module, item, name, items, item.title.value)
        case nodes.PresetDecl(title=title):
            return _made(title.value, _Kind.Package, item, title, (), "preset")
        case nodes.OptionDecl(name=name):
            return _made(name.text, _Kind.Constant, item, name, (), flat(item.type))
        case nodes.ComponentDecl(kind=kind, fields=fields):
            return _made(kind.text, _Kind.Class, item, kind, fields)
        case nodes.ChangeComponentDecl(kind=kind, fields=fields):
            return _made(f"change {kind.text}", _Kind.Class, item, kind, fields)
        case nodes.FieldDecl(names=names):
            text = ", ".join(name.text for name in names)
            return _made(text, _Kind.Field, item, names[0], (), flat(item.type))
        case nodes.EnumDecl(name=name):
            return _made(name.text, _Kind.Enum, item, name)
        case nodes.DefineDecl(head=head, exceptions=exceptions):
            form = _Kind.Property if head.owner is not None else _Kind.Function
            return _made(flat(head), form, item, head.name, exceptions)
        case nodes.ExceptionClause(name=name) | nodes.Need(name=name):
            return _made(name.text, _Kind.Boolean, item, name)
        case nodes.MayDecl(name=name, needs=needs):
            return _made(name.text, _Kind.Interface, item, name, needs, "may")
        case nodes.TableDecl(name=name):
            return _made(name.text, _Kind.Array, item, name)
        case nodes.EffectDecl(name=name):
            return _made(name.text, _Kind.Method, item, name)
        case nodes.PhaseDecl(name=name):
            steps = [part for part in nodes.walk(item) if isinstance(part, nodes.StepStmt)]
            return _made(name.text, _Kind.Namespace, item, name, (*item.keeps, *steps), "phase")
        case nodes.KeepsDecl(name=name):
            return _made(name.text, _Kind.Variable, item, name, (), flat(item.type))
        case nodes.StepStmt(name=name):
            return _made(name.text, _Kind.Event, item, name, (), "step")
        case nodes.CardDecl(name=name, items=items):
            return _made(card_name(item), _Kind.Object, item, name, items, "card")
        case nodes.AlwaysDecl(text=text):
            return _made(text.value, _Kind.Boolean, item, text, (), "always")
        case nodes.ScenarioDecl(title=title):
            return _made(title.value, _Kind.Event, item, title, (), "scenario")
        case nodes.NamedRuleDecl(name=name):
            return _made(name.text, _Kind.Event, item, name, (), "rule")
        case nodes.HookDecl():
            timing = "instead of" if item.timing == "instead" else item.timing
            return _made(f"{timing} {flat(item.event)}", _Kind.Event, item, None)
        case nodes.StateRuleDecl(condition=condition):
            return _made(f"when {flat(condition)}", _Kind.Event, item, None)
        case nodes.ClauseDecl(head=head):
            return _made(flat(head), _Kind.Operator, item, head.name, (), "exception")
        case nodes.DropDecl():
            return _made(flat(item), _Kind.Operator, item, None)
        case nodes.ChangeOptionDecl(name=name) | nodes.ChangeWordsDecl(name=name):
            return _made(f"change {name.text}", _Kind.Constant, item, name)
        case nodes.ChangeTableDecl(name=name):
            return _made(f"change {name.text}", _Kind.Array, item, name)
        case nodes.ChangeGameDecl():
            return _made("change game", _Kind.Package, item, None, item.settings)
        case _:
            return None


def folds(module: nodes.Module) -> list[types.FoldingRange]:
    """Give what can be folded: everything that has a block, and comments of several lines."""
    file = module.file
    found: dict[int, types.FoldingRange] = {}
    for node in nodes.walk(module):
        if isinstance(node, nodes.Decl | nodes.Stmt | nodes.Branch | nodes.Trial | nodes.Played):
            start, end = node.span.line, _last_line(file, node)
            if end > start and (start not in found or (found[start].end_line or 0) < end - 1):
                found[start] = types.FoldingRange(start - 1, end - 1)
    comments = [each for each in module.comments if each.own_line]
    first = 0
    for index, comment in enumerate(comments):
        follows = (
            index + 1 < len(comments) and comments[index + 1].span.line == comment.span.line + 1
        )
        if not follows:
            start, end = comments[first].span.line, comment.span.line
            if end > start:
                kind = types.FoldingRangeKind.Comment
                found[-start] = types.FoldingRange(start - 1, end - 1, kind=kind)
            first = index + 1
    return sorted(found.values(), key=lambda each: (each.start_line, each.end_line))


def _last_line(file: SourceFile, node: nodes.Node) -> int:
    text = file.text[node.span.start : node.span.end].rstrip()
    return file.line_of(node.span.start + max(len(text) - 1, 0))


def selection(module: nodes.Module, offset: int) -> types.SelectionRange:
    """Give what a selection at a character grows to: the node there, the one around it, and so on."""
    around: types.SelectionRange = types.SelectionRange(range_of(module.span))
    here: nodes.Node | None = module
    while here is not None:
        here = next(
            (
                child
                for child in nodes.children(here)
                if child.span.start <= offset <= child.span.end
                and not isinstance(child, nodes.Comment)
            ),
            None,
        )
        if here is not None and range_of(here.span) != around.range:
            around = types.SelectionRange(range_of(here.span), around)
    return around
