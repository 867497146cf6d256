"""Small parts of sentences: articles, possessives, verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.model import Line, Words, clean, line, plain
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_VERBS: Final = frozenset(("can", "may", "will", "must"))
_NOT_VERBS: Final = frozenset(("across", "this", "always", "towards", "perhaps", "plus", "less"))


def word(name: str) -> str:
    """Write a word of an enumeration: `late_autumn` as `late autumn`, abbreviations as they are."""
    return name.replace("_", " ") if name.isupper() else spoken(name)


def is_verb(name: str) -> bool:
    """Tell whether a claim is called by what something does, as in `adjoins` or `has_room`, not by what it is."""
    first = name.partition("_")[0]
    if first == "is":
        return False
    if first in _VERBS or first in {"has", "was", "does"}:
        return True
    return first.endswith("s") and not first.endswith("ss") and first not in _NOT_VERBS


def are(subject: Line) -> str:
    """Choose between "is" and "are" by the noun that a subject ends in."""
    text = plain(subject)
    if text == "you":
        return "are"
    for joint in (" of ", " for ", " with ", " in ", " from "):
        text = text.partition(joint)[0]
    last = text.rpartition(" ")[2]
    return "are" if last.endswith("s") and not last.endswith(("ss", "'s", "us", "is")) else "is"


def possessive(of: Line) -> Line:
    """Give whose something is."""
    return line(of, "'" if plain(of).endswith("s") else "'s")


def flattened(expr: nodes.Expr, of: type[nodes.And | nodes.Or]) -> list[nodes.Expr]:
    """Give the parts of a chain of `and` or of `or`."""
    if not isinstance(expr, of):
        return [expr]
    return [*flattened(expr.left, of), *flattened(expr.right, of)]


def fill(form: str, parts: Sequence[Line]) -> Line:
    """Put lines into a form with `{}` or `{0}`, `{1}`."""
    found: list[str | Line] = []
    number = 0
    while form:
        before, brace, rest = form.partition("{")
        found.append(before)
        if not brace:
            break
        which, _, form = rest.partition("}")
        found.append(parts[int(which) if which else number])
        number += 1
    return line(*found)


def article(noun: Line) -> Line:
    """Put an article in front of a noun, if it is one thing."""
    text = plain(noun)
    if text.endswith("s") and not text.endswith("ss"):
        return noun
    return line("an " if text[:1] in "aeiou" else "a ", noun)


def is_name(expr: nodes.Expr, name: str) -> bool:
    """Tell whether an expression is a certain name and nothing more."""
    return isinstance(expr, nodes.Name) and expr.ident.text == name


def names_kind(expr: nodes.Expr) -> bool:
    """Tell whether the things of a set are named by their kind, which then wants an article."""
    match expr:
        case nodes.KindName():
            return True
        case nodes.Where(source=inner) | nodes.At(things=inner) | nodes.Group(elements=(inner,)):
            return names_kind(inner)
        case _:
            return False


def words_of(text: str) -> Line:
    """Give a text of people's own as plain words."""
    return (Words(clean(text)),)
