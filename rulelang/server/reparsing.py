"""Declarations that an edit has not touched are not parsed again: they are moved to where they stand now.

Trees never change, with this exception. A declaration belongs to the state of a text that was taken last; when the
next state has the same characters somewhere, its places are set anew, all at once, and it belongs to that one. So
whatever was remembered about it stays true, in the checker too; an old state must not be asked for places any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rulelang import nodes
from rulelang.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.source import SourceFile


def _putting(name: str) -> Callable[[Span, object], None]:
    """Give what writes an attribute of a span: by its slot, in a third of the time."""
    put: Callable[[Span, object], None] = vars(Span)[name].__set__
    return put


_put_file, _put_start, _put_end = map(_putting, ("file", "start", "end"))

_Written: TypeAlias = "tuple[str, str]"
"""The characters of a declaration, and the comment above it."""


@nodes.remembered
def _spans_in(of: nodes.Node) -> tuple[Span, ...]:
    """Give every place in a declaration, each object once."""
    return tuple({id(part.span): part.span for part in nodes.walk(of)}.values())


class KeptItems:
    """The declarations of one text; see `rulelang.parser.Kept`."""

    def __init__(self) -> None:
        self._before: dict[_Written, list[tuple[nodes.Item, int]]] = {}
        self._now: dict[_Written, list[tuple[nodes.Item, int]]] = {}

    def begin(self) -> None:
        """Begin with another state of the text."""
        self._before, self._now = self._now, {}

    def item(self, source: SourceFile, start: int, end: int, doc: str) -> nodes.Item | None:
        """Give a declaration of the state before, moved; each is given once."""
        known = self._before.get((source.text[start:end], doc))
        if not known:
            return None
        item, was = known.pop()
        shift = start - was
        for span in _spans_in(item):
            # A span is frozen for everybody else.
            _put_file(span, source)
            _put_start(span, span.start + shift)
            _put_end(span, span.end + shift)
        self.keep(item, source, start, end, doc)
        return item

    def keep(self, item: nodes.Item, source: SourceFile, start: int, end: int, doc: str) -> None:
        """Take a declaration of this state."""
        self._now.setdefault((source.text[start:end], doc), []).append((item, start))
