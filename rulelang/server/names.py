"""What a name stands for, and where that is declared.

A `Key` is the identity of a thing with a name: its form and what makes it the only one. Two names with a key in common
mean the same thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Type
    from rulelang.symbols import Tables

Key: TypeAlias = tuple[str, ...]
"""Form and parts, one of:

    name NAME            what definitions, options, tables, doings, permissions and named rules share
    type NAME            a kind, an enumeration, a union
    field KIND NAME      a field
    property OWNER NAME  a property that is defined
    kept PHASE NAME      a value that a phase keeps, or a parameter of it
    step PHASE NAME      a step
    part OWNER NAME      a need of a permission, an exception under a definition
    word ENUM NAME       a word of an enumeration, or of an option
    id KIND NAME         a row of a data file
    rule ID              a rule of the rulebook
    variant NAME · game NAME · scenario TITLE
    local PATH START NAME  a name that is bound, by the place of its declaration or of the text that it is known in
"""


def members(owner: Type, name: str, tables: Tables) -> tuple[Key, ...]:
    """Give what a name after a dot stands for, by the type in front of the dot."""
    while owner.shape in ("set", "list") and owner.elem is not None:
        owner = owner.elem
    if owner.shape == "thing":
        fields = tuple(
            ("field", tables.kinds[kind].name, name)
            for kind in owner.kinds
            if (kind, name) in tables.field_numbers
        )
        if fields:
            return fields
    found = [
        each
        for each in tables.properties.get(name, ())
        if each.owner.shape == owner.shape
        and (
            each.owner.enum == owner.enum
            if owner.shape != "thing"
            else set(each.owner.kinds) & set(owner.kinds)
        )
    ]
    covering = [each for each in found if set(owner.kinds) <= set(each.owner.kinds)]
    best = min(covering, key=lambda each: len(each.owner.kinds), default=None)
    return tuple(
        ("property", each.owner_name, name) for each in ([best] if best is not None else found)
    )


def every_member(name: str, tables: Tables) -> tuple[Key, ...]:
    """Give all that a name after a dot could stand for."""
    fields = [
        ("field", tables.kinds[kind].name, name)
        for kind, field in tables.field_numbers
        if field == name
    ]
    properties = [("property", each.owner_name, name) for each in tables.properties.get(name, ())]
    return (*fields, *properties)


def constants(name: str, tables: Tables, want: Type | None = None) -> tuple[Key, ...]:
    """Give the words and rows of a name; only those of a type if one is known."""
    words = tables.words.get(name, ())
    ids = tables.ids.get(name, ())
    while want is not None and want.shape in ("set", "list") and want.elem is not None:
        want = want.elem
    if want is not None and want.shape in ("word", "bag"):
        words, ids = [each for each in words if each[0] == want.enum], ()
    elif want is not None and want.shape == "thing":
        words, ids = (), [each for each in ids if each[0] in want.kinds]
    return (
        *(("word", tables.enums[enum].name, name) for enum, _ in words),
        *(("id", tables.kinds[kind].name, name) for kind, _ in ids),
    )


def declarations(
    item: nodes.Node, origin: str = ""
) -> Iterator[tuple[Key, nodes.Ident, nodes.Node]]:
    """Give every name with a key of its own that a declaration declares, with the node that says what it is."""
    match item:
        case nodes.GameDecl(name=name):
            yield ("game", name.text), name, item
        case nodes.VariantDecl(name=name, items=items):
            yield ("variant", name.text), name, item
            for inner in items:
                yield from declarations(inner, name.text)
        case nodes.OptionDecl(name=name):
            yield ("name", name.text), name, item
            for word in _inline_words(item.type):
                yield ("word", name.text, word.text), word, item
        case nodes.ComponentDecl(kind=kind) | nodes.ChangeComponentDecl(kind=kind):
            if isinstance(item, nodes.ComponentDecl):
                yield ("type", kind.text), kind, item
            for field in item.fields:
                for each in field.names:
                    yield ("field", kind.text, each.text), each, field
        case nodes.EnumDecl(name=name, words=words):
            yield ("type", name.text), name, item
            yield from _words(name, words, item)
        case nodes.ChangeWordsDecl(name=name, words=words):
            yield from _words(name, words, item)
        case nodes.DefineDecl(head=head):
            key: Key = ("name", head.name.text)
            if head.owner is not None:
                key = ("property", head.owner.text, head.name.text)
            yield key, head.name, item
            for clause in item.exceptions:
                yield ("part", ".".join(key[1:]), clause.name.text), clause.name, clause
        case nodes.MayDecl(name=name, needs=needs):
            yield ("name", name.text), name, item
            for need in needs:
                yield ("part", name.text, need.name.text), need.name, need
        case nodes.TableDecl(name=name) | nodes.EffectDecl(name=name):
            yield ("name", name.text), name, item
        case nodes.NamedRuleDecl(name=name):
            yield ("name", name.text), name, item
        case nodes.PhaseDecl(name=name):
            yield ("name", name.text), name, item
            yield from _inside_phase(item)
        case nodes.CardDecl(items=rules):
            for rule in rules:
                if isinstance(rule, nodes.MayDecl | nodes.NamedRuleDecl):
                    yield from declarations(rule, origin)
        case nodes.ScenarioDecl(title=title):
            yield ("scenario", title.value), nodes.Ident(title.span, title.value), item
        case _:
            pass


def _inside_phase(item: nodes.PhaseDecl) -> Iterator[tuple[Key, nodes.Ident, nodes.Node]]:
    phase = item.name.text
    for param in item.params:
        yield ("kept", phase, param.name.text), param.name, param
    for keeps in item.keeps:
        if keeps.owner is None:
            yield ("kept", phase, keeps.name.text), keeps.name, keeps
        else:
            yield ("lent", keeps.owner.text, keeps.name.text), keeps.name, keeps
    for part in nodes.walk(item.body):
        if isinstance(part, nodes.StepStmt):
            yield ("step", phase, part.name.text), part.name, part


def _words(
    name: nodes.Ident, words: tuple[nodes.Word, ...], item: nodes.Node
) -> Iterator[tuple[Key, nodes.Ident, nodes.Node]]:
    for word in words:
        if word.name is not None and word.name.text[0].islower():
            yield ("word", name.text, word.name.text), word.name, item


def _inline_words(node: nodes.TypeExpr) -> Iterator[nodes.Ident]:
    """Give the words that the type of an option lists."""
    for each in node.members if isinstance(node, nodes.UnionType) else (node,):
        if isinstance(each, nodes.NamedType) and each.name.text[0].islower():
            yield each.name
