"""Types as words: what a value can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.model import Line, Term, joined, line
from rulelang.wording import one, several, spoken

if TYPE_CHECKING:
    from rulelang.rulebook.lexicon import Lexicon

_BUILT_IN: Final = {"Number": "a number", "Flag": "yes or no", "Text": "a text", "none": "none"}
_MANY: Final = {"Number": "numbers", "Flag": "answers yes or no", "Text": "texts"}
_COLLECTIONS: Final = {
    "set": "any number of {}",
    "list": "a list of {}",
    "pile": "a pile of {}",
    "bag": "a number of each of the {}",
}


def type_words(of: nodes.TypeExpr, lexicon: Lexicon, *, many: bool = False) -> Line:
    """Say what a value of a type is.

    Args:
        of: The type as written.
        lexicon: Where kinds and enumerations have their entries.
        many: Whether several of them are meant: `ships` and not `a ship`.
    """
    match of:
        case nodes.NamedType(name=name):
            return _named(name.text, lexicon, many=many)
        case nodes.RangeType(low=low, high=high):
            rest = f" from {low} to {high}" if high is not None else f" from {low} up"
            return line("numbers" if many else "a number", rest)
        case nodes.UnionType(members=members):
            return joined([type_words(each, lexicon, many=many) for each in members], "or")
        case nodes.CollectionType(collection=collection, element=element):
            if collection.text == "set" and _is_numeric(element, lexicon):
                return line("any ", type_words(element, lexicon, many=True))
            before, _, after = _COLLECTIONS[collection.text].partition("{}")
            before = before.replace("a ", "", 1) if many and before.startswith("a ") else before
            return line(before, type_words(element, lexicon, many=True), after)
        case nodes.KeyedType(value=value, key=key):
            noun = f"number of {key.text}" if lexicon.is_numeric(key.text) else spoken(key.text)
            key_term = Term(noun, lexicon.kind_anchor(key.text))
            return line("for each ", key_term, ": ", type_words(value, lexicon))


def _is_numeric(of: nodes.TypeExpr, lexicon: Lexicon) -> bool:
    return isinstance(of, nodes.NamedType) and lexicon.is_numeric(of.name.text)


def _named(name: str, lexicon: Lexicon, *, many: bool) -> Line:
    if name in _BUILT_IN:
        return line((_MANY if many else _BUILT_IN).get(name, name))
    noun = spoken(name)
    if lexicon.is_numeric(name):
        said = "numbers of " if many else "a number of "
        return line(said, Term(name, lexicon.kind_anchor(name)))
    return line(Term(several(noun) if many else one(noun), lexicon.kind_anchor(name)))
