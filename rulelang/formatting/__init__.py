"""One style for texts of rules: `format_source` writes a text anew without changing what it says.

spacing     which two tokens stand close
document    text with places where it may be broken, and its layout in lines
breaking    a line of tokens as a document, from the syntax tree
lines       indentation, blank lines, comments
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.diagnostics import Diagnostic
from rulelang.formatting.lines import Printer
from rulelang.formatting.spacing import comment_text
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["Formatted", "FormattingError", "alike", "format_source"]


_names: Final[dict[type[nodes.Node], tuple[str, ...]]] = {}


class FormattingError(Exception):
    """A text would not have said the same: a mistake of the formatter."""


@attrs.frozen
class Formatted:
    """What became of a text.

    Attributes:
        text: It in the one style; None if it cannot be parsed.
        diagnostics: What is wrong with it.
    """

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_source(source: SourceFile) -> Formatted:
    """Write a text in the one style.

    Raises:
        FormattingError: The new text would not have the same syntax tree and comments. No text is known for which that
            happens; a file is better left alone than spoiled.
    """
    parsed = parse(source)
    if parsed.has_errors:
        return Formatted(None, parsed.diagnostics)
    text = Printer(source, parsed.module).text()
    if text != source.text:
        again = parse(SourceFile(source.path, text))
        if again.has_errors or not alike(parsed.module, again.module):
            raise FormattingError(
                f"{source.path} was not formatted: the text would have said something else"
            )
    return Formatted(text, parsed.diagnostics)


def alike(one: nodes.Module, two: nodes.Module) -> bool:
    """Tell whether two texts say the same, layout aside: declarations, citations and comments."""
    said, again = ([comment_text(each.text) for each in m.comments] for m in (one, two))
    parts, others = ([*itertools.chain(*map(nodes.walk, m.items))] for m in (one, two))
    return (
        said == again
        and len(parts) == len(others)
        and all(map(operator.eq, map(_said, parts), map(_said, others)))
    )


def _said(node: nodes.Node) -> list[object]:
    """Give what a node says beside the nodes in it: its kind, words and numbers, and how many nodes there are."""
    return [type(node), *(_shape(value) for value in _values(node))]


def _values(node: nodes.Node) -> Iterator[object]:
    kind = type(node)
    names = _names.get(kind)
    if names is None:
        names = tuple(field.name for field in attrs.fields(kind) if field.name != "span")
        _names[kind] = names
    return (getattr(node, name) for name in names)


def _shape(value: object) -> object:
    match value:
        case nodes.Node():
            return True
        case tuple():
            return [_shape(each) for each in value]
        case _:
            return value
