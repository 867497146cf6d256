"""Names with a capital: kinds, enumerations and unions; words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang import ir, nodes, ruletypes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.binding.context import Binding
    from rulelang.source import Span

RESERVED = frozenset(
    ("none", "yes", "no", "it", "you", "this", "box", "supply", "random", "all", "nothing")
)
"""Names that mean something everywhere."""

PLAYER = "Player"


def declare_types(binding: Binding, items: Iterable[nodes.Item]) -> dict[str, Span]:
    """Number kinds and enumerations and give every capital name its type.

    Kinds have no things yet: `components.make_kinds` counts them. Enumerations of options are
    made here too, as their words may stand in cells and defaults.

    Returns:
        Where each capital name is declared.
    """
    tables = binding.tables
    tables.type_names.update({"Number": ir.NUMBER, "Flag": ir.FLAG, "Text": ir.TEXT})
    declared: dict[str, Span] = {}
    enumerations: list[nodes.EnumDecl] = []
    options: list[nodes.OptionDecl] = []
    _add_kind(binding, PLAYER)
    for item in items:
        match item:
            case nodes.ComponentDecl(kind=kind):
                if _is_new(binding, kind, declared) and kind.text != PLAYER:
                    _add_kind(binding, kind.text)
            case nodes.EnumDecl(name=name):
                if _is_new(binding, name, declared):
                    enumerations.append(item)
            case nodes.OptionDecl():
                options.append(item)
            case _:
                pass
    _declare_enumerations(binding, enumerations, declared)
    for item in items:
        if isinstance(item, nodes.ChangeWordsDecl):
            _add_words(binding, item)
    for option in options:
        words = _inline_words(option.type)
        if words is not None:
            _add_enum(binding, option.name.text, words, known=False)
    for number, enum in enumerate(tables.enums):
        if not enum.numeric:
            for index, word in enumerate(enum.words):
                tables.words.setdefault(word, []).append((number, index))
    return declared


def option_enum(binding: Binding, option: nodes.OptionDecl) -> int | None:
    """Give the enumeration of an option that lists its words; None if its type has a name."""
    if _inline_words(option.type) is None:
        return None
    names = [enum.name for enum in binding.tables.enums]
    return names.index(option.name.text)


def _inline_words(node: nodes.TypeExpr) -> list[nodes.Word] | None:
    members = node.members if isinstance(node, nodes.UnionType) else (node,)
    if not all(
        isinstance(each, nodes.NamedType) and each.name.text[0].islower() for each in members
    ):
        return None
    names = [each.name for each in members if isinstance(each, nodes.NamedType)]
    if all(name.text == "none" for name in names):
        return None
    return [nodes.Word(name.span, name, None, None) for name in names]


def _is_new(binding: Binding, name: nodes.Ident, declared: dict[str, Span]) -> bool:
    if name.text in declared:
        binding.twice(name, declared[name.text])
        return False
    if name.text in ("Number", "Flag", "Text"):
        binding.error(
            13, name, f"`{name.text}` is a type of the language", advice="give it another name"
        )
        return False
    declared[name.text] = name.span
    return True


def _add_kind(binding: Binding, name: str) -> None:
    tables = binding.tables
    number = len(tables.kinds)
    tables.kinds.append(ir.Kind(name, 0, 0, (), ()))
    tables.kind_numbers[name] = number
    tables.type_names[name] = ruletypes.thing(number)


def _declare_enumerations(
    binding: Binding, waiting: list[nodes.EnumDecl], declared: dict[str, Span]
) -> None:
    """Tell unions from enumerations; a union may hold another one that is declared below it."""
    tables = binding.tables
    unions = {name: kind for name, kind in tables.type_names.items() if name in tables.kind_numbers}
    left = list(waiting)
    found = True
    while found:
        found = False
        for node in tuple(left):
            names = [word.name.text for word in node.words if word.name is not None]
            if len(names) == len(node.words) and all(name in unions for name in names):
                kinds = [kind for name in names for kind in unions[name].kinds]
                unions[node.name.text] = tables.type_names[node.name.text] = ruletypes.thing(*kinds)
                left.remove(node)
                found = True
    for node in left:
        capital = [
            word.name for word in node.words if word.name is not None and word.name.text in declared
        ]
        if capital:
            _report_mixture(binding, node, capital[0], declared)
        number = _add_enum(binding, node.name.text, node.words, known=True, cited=node)
        enum = tables.enums[number]
        tables.type_names[node.name.text] = (
            ir.Type("number", lo=enum.low, hi=enum.low + len(enum.words) - 1, enum=number)
            if enum.numeric
            else ruletypes.word(number)
        )


def _report_mixture(
    binding: Binding, node: nodes.EnumDecl, kind: nodes.Ident, declared: dict[str, Span]
) -> None:
    for word in node.words:
        if word.name is not None and word.name.text[0].isupper() and word.name.text not in declared:
            binding.unknown(word.name, "kind", declared)
            return
    binding.error(
        13,
        kind,
        f"`{kind.text}` is a kind and cannot be a word beside others",
        notes=("a list of kinds only is a union, any other list an enumeration",),
    )


def _add_enum(
    binding: Binding,
    name: str,
    words: Iterable[nodes.Word],
    *,
    known: bool,
    cited: nodes.Cited | None = None,
) -> int:
    tables = binding.tables
    number = len(tables.enums)
    texts = _words(binding, words, ())
    numbers = [int(text) for text in texts if text.isdigit()]
    numeric = len(numbers) == len(texts) > 0 and numbers == list(
        range(numbers[0], numbers[0] + len(numbers))
    )
    cites = tuple(each.id for each in cited.citations) if cited is not None else ()
    low = numbers[0] if numeric else 0
    tables.enums.append(ir.Enum(name, tuple(texts), numeric, low, cites))
    if known:
        tables.enum_numbers[name] = number
    return number


def _words(binding: Binding, words: Iterable[nodes.Word], have: tuple[str, ...]) -> list[str]:
    """Give the words as texts, ranges written out."""
    texts = list(have)
    for word in words:
        if word.name is not None:
            if word.name.text in RESERVED:
                binding.error(13, word, f"`{word.name.text}` is reserved and cannot be a word")
                continue
            new = [word.name.text]
        elif word.low is None:
            continue
        else:
            high = word.low if word.high is None else word.high
            if high < word.low:
                binding.error(
                    22,
                    word,
                    f"the range {word.low}..{high} is empty",
                    advice=f"write `{high}..{word.low}`",
                )
            elif high - word.low > 10_000:
                binding.error(22, word, "an enumeration of more than 10,000 words")
                high = word.low
            new = [str(number) for number in range(word.low, high + 1)]
        for text in new:
            if text in texts:
                binding.error(13, word, f"`{text}` stands in this enumeration twice")
            else:
                texts.append(text)
    return texts


def _add_words(binding: Binding, node: nodes.ChangeWordsDecl) -> None:
    tables = binding.tables
    number = tables.enum_numbers.get(node.name.text)
    if number is None:
        binding.unknown(node.name, "enumeration", tables.enum_numbers, number=51)
        return
    enum = tables.enums[number]
    texts = _words(binding, node.words, enum.words)
    follows = enum.numeric and texts == [str(enum.low + index) for index in range(len(texts))]
    if enum.numeric and not follows:
        binding.error(
            51,
            node.name,
            f"`{enum.name}` is an enumeration of numbers: only the next ones can be added",
        )
        return
    tables.enums[number] = attrs.evolve(enum, words=tuple(texts))
    if enum.numeric:
        tables.type_names[enum.name] = attrs.evolve(
            tables.type_names[enum.name], hi=enum.low + len(texts) - 1
        )
