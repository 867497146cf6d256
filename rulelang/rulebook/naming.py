"""What things, kinds and bound names are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang.rulebook.model import Line, Term, line
from rulelang.rulebook.phrasing import word
from rulelang.wording import one, several, spoken

if TYPE_CHECKING:
    from rulelang import nodes
    from rulelang.rulebook.lexicon import Lexicon, Scope

_FIXED: Final = {
    "it": "it",
    "you": "you",
    "this": "this card",
    "box": "the box",
    "supply": "the supply",
    "random": "chance",
    "all": "all",
    "nothing": "nothing",
    "who": "that one",
}


class Namer:
    """Names what the texts of one declaration name.

    Args:
        lexicon: What names mean.
        scope: The names that the declaration binds.
    """

    def __init__(self, lexicon: Lexicon, scope: Scope) -> None:
        self.lexicon = lexicon
        self.scope = scope

    def term(self, name: str, anchor: str = "") -> Line:
        """Give a name of the ruleset, with its entry."""
        return (Term(spoken(name), anchor or self.lexicon.anchor_of(name)),)

    def name(self, ident: nodes.Ident) -> Line:
        """Say what a name that stands alone means."""
        text, lexicon = ident.text, self.lexicon
        if text in {"none", "yes", "no"}:
            return line(text)
        if text in self.scope:
            return self.bound(text)
        if text in _FIXED:
            return line(_FIXED[text])
        if lexicon.singleton(text):
            return line(f"the {spoken(text)}")
        symbol = lexicon.tables.symbols.get(text)
        if symbol is not None:
            article = "the " if symbol.form in {"definition", "option"} else ""
            return line(article, self.term(text))
        return self.thing(text) or self.bound(text)

    def bound(self, name: str) -> Line:
        """Name what a rule itself gives a name."""
        if name in _FIXED:
            return line(_FIXED[name])
        typed = self.lexicon.tables.type_by_name(name) is not None
        if typed and name.startswith("any_"):
            return line(spoken(name))
        return line(f"the {spoken(name)}") if typed and len(name) > 2 else line(Term(spoken(name)))

    def thing(self, name: str) -> Line:
        """Name a row of data or a word; nothing if there is none of that name."""
        tables = self.lexicon.tables
        if tables.ids.get(name):
            kind, things = tables.ids[name][0]
            anchor = self.lexicon.row_anchor(kind, name)
            return line(Term(self.lexicon.shared_title(kind, things), anchor))
        return line(word(name)) if name in tables.words else ()

    def kind(self, name: str, number: str = "several") -> Line:
        """Name a kind, enumeration or union: `several` of it, `one`, or none (`no`)."""
        noun, many = spoken(name), several(spoken(name))
        if self.lexicon.is_numeric(name):
            noun, many = f"number of {name}", f"numbers of {name}"
        return line({"one": one(noun), "no": f"no {noun}", "each": noun}.get(number, many))
