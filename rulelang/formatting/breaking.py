"""A line of tokens as a document: where it may be broken, from the syntax tree.

The outermost places are in front of the parts of a statement or declaration (`when`, `automa`, `else`, a text, a
citation) and behind its commas; below come operators, each level of the tree for itself, and the commas in brackets.
No line is broken behind its colon, where a block would begin.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Final, NamedTuple

from rulelang import nodes
from rulelang.formatting.document import Fill, Note, Segment, width
from rulelang.formatting.spacing import CLOSING, OPENING, Marks, cited, is_spaced, text_of
from rulelang.lexer import token_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rulelang.lexer import Token

SHORT: Final = 24
"""What is no wider than this is not left alone in a line by a break behind it."""
WIDE: Final = 32
"""Conditions that are wider than this, on average, get a line each if they need more than two."""
MOST_CITED: Final = 100
"""A citation that is wider than this is broken behind any of its ids."""

_PARTS: Final = token_types("WHEN AUTOMA ELSE UNTIL WITH FROM AND OR TO AFTER GIVES VBAR WHERE")
_TITLED: Final = token_types("GAME VARIANT PRESET SCENARIO ALWAYS DROP")
_ENDS: Final = token_types("NAME TYPE NUMBER RPAR RBRACE CITE")
# At the beginning of a line these would be taken for keywords.
_NEVER_FIRST: Final = frozenset(("game", "card"))
_AUTOMA_IS_NAMED_BEHIND: Final = token_types("DOT ITS DROP AFTER")

_CHAINS: Final[Mapping[type[nodes.Node], frozenset[str]]] = {
    nodes.Or: token_types("OR"),
    nodes.UnionType: token_types("OR"),
    nodes.And: token_types("AND"),
    nodes.Compare: token_types("OP"),
    nodes.Is: token_types("IS"),
    nodes.IsNot: token_types("IS"),
    nodes.InTest: token_types("NOT IN"),
    nodes.Where: token_types("WHERE"),
    nodes.AnyWhere: token_types("WHERE"),
    nodes.BestOf: token_types("WITH"),
    nodes.SortedBy: token_types("BY"),
    nodes.Ordering: token_types("THEN"),
}
_SUM: Final = token_types("PLUS MINUS")
_PRODUCT: Final = token_types("STAR SLASH")
_SHARED: Final = token_types("AND OR THEN AUTOMA FROM WHEN STRING") | _SUM | _PRODUCT
_ASK: Final = token_types("AUTOMA")
_CHOICE: Final = token_types("FROM WHEN STRING AUTOMA WHERE")


class Chain(NamedTuple):
    """A piece of the tree that can be broken in front of some tokens of its own."""

    start: int
    end: int
    breaks: frozenset[str]


class Breaker:
    """Makes documents of the lines of one file.

    Args:
        tree: All nodes.
        marks: Of these nodes.
    """

    def __init__(self, tree: Sequence[nodes.Node], marks: Marks) -> None:
        chains = (chain for node in tree for chain in _chains(node))
        self._chains = sorted(chains, key=lambda chain: (chain.start, -chain.end))
        self._starts = [chain.start for chain in self._chains]
        self._marks = marks

    def document(self, tokens: Sequence[Token], notes: Mapping[int, Sequence[Note]]) -> Fill:
        """Make the document of one line.

        Args:
            tokens: The line.
            notes: Comments in its middle, by the offset of the token that they follow.
        """
        return _Line(tokens, notes, self._marks, self.chains_at).row(0, len(tokens), None)

    def chains_at(self, start: int) -> Sequence[Chain]:
        """Give the pieces that begin at an offset, the longest first."""
        first = bisect.bisect_left(self._starts, start)
        return self._chains[first : bisect.bisect_right(self._starts, start, first)]


def _chains(node: nodes.Node) -> Iterator[Chain]:
    start, end = node.span.start, node.span.end
    match node:
        case nodes.Arithmetic():
            yield Chain(start, end, _SUM if node.op in "+-" else _PRODUCT)
        case nodes.Ask(who=who):
            yield Chain(who.span.start, end, _ASK)  # without its comma
        case nodes.SecretlyStmt(choices=[_, _, *_] as choices):
            for choice in choices:
                yield Chain(choice.span.start, choice.span.end, _CHOICE)
        case _ if type(node) in _CHAINS:
            yield Chain(start, end, _CHAINS[type(node)])
        case _:
            pass


_IN_BRACKETS: Final = Chain(-1, -1, frozenset())


def _is_of(chain: Chain, owner: Chain | None) -> bool:
    """Tell whether a piece is its owner, or holds it, or is the beginning of a longer row of the same operators."""
    return (
        owner is not None
        and owner.start == chain.start
        and (owner.end <= chain.end or owner.breaks is chain.breaks)
    )


class _Line:
    """Walks over the tokens of a line."""

    def __init__(
        self,
        tokens: Sequence[Token],
        notes: Mapping[int, Sequence[Note]],
        marks: Marks,
        chains_at: Callable[[int], Sequence[Chain]],
    ) -> None:
        self._tokens = tokens
        self._notes = notes
        self._marks = marks
        self._chains_at = chains_at

    def row(self, start: int, end: int, owner: Chain | None) -> Fill:
        """Make the fill of some tokens; what they are of is None for the line itself."""
        segments: list[Segment] = [[]]
        at = start
        while at < end:
            if at > start:
                breaks = self._may_break(at, segments[-1], owner)
                if self._must_begin(at) or (breaks and self._tokens[at].type == "ELSE"):
                    segments[-1].append(Note("", own_line=False))
                if breaks:
                    segments.append([])
                elif is_spaced(self._tokens[at - 1], self._tokens[at], self._marks):
                    segments[-1].append(" ")
            at = self._part(at, end, owner, segments)
        is_logic = owner is not None and owner.breaks in (_CHAINS[nodes.And], _CHAINS[nodes.Or])
        made = Fill(segments, brackets=owner is _IN_BRACKETS)
        made.apart = is_logic and made.width > WIDE * len(segments)
        return made

    def _part(self, at: int, end: int, owner: Chain | None, segments: list[Segment]) -> int:
        """Add one token, or the piece that begins with it; give where it ends."""
        inner = self._inner(at, end, owner)
        if inner is not None:
            segments[-1].append(self.row(at, inner[1], inner[0]))
            return inner[1]
        token = self._tokens[at]
        if token.type == "CITE":
            self._cite(token, segments)
        else:
            segments[-1].append(text_of(token))
        segments[-1].extend(self._notes.get(token.start, ()))
        if token.type not in OPENING:
            return at + 1
        close = self._closing(at)
        if close > at + 1:
            segments[-1].append(self.row(at + 1, close, _IN_BRACKETS))
        return close

    def _cite(self, token: Token, segments: list[Segment]) -> None:
        """Add a citation: it goes with the condition that it stands behind, and is broken only if it is a long list."""
        if len(text_of(token)) > MOST_CITED:
            first, *others = cited(token)
            segments[-1].append(first)
            segments.extend([id_] for id_ in others)
            return
        part = segments.pop()[:-1]  # without the blank behind it
        cite: Segment = [text_of(token)]
        if part[0] == "when" or (part[0] == "=" and self._tokens[0].type == "OPTION"):
            segments.append([Fill([part, cite])])
        else:
            segments += [part, cite]

    def _inner(self, at: int, end: int, owner: Chain | None) -> tuple[Chain, int] | None:
        """Find the longest piece that begins at a token and is none of its owner's own row."""
        limit = self._tokens[end - 1].end
        for chain in self._chains_at(self._tokens[at].start):
            if chain.end <= limit and not _is_of(chain, owner):
                stop = at + 1
                while stop < end and self._tokens[stop].start < chain.end:
                    stop += 1
                return chain, stop
        return None

    def _closing(self, at: int) -> int:
        depth = 0
        for place in range(at, len(self._tokens)):
            kind = self._tokens[place].type
            depth += (kind in OPENING) - (kind in CLOSING)
            if not depth:
                return place
        return len(self._tokens)

    # -------------------------------------------------------------- where lines may end

    def _must_begin(self, at: int) -> bool:
        """Tell whether a token is what it is only at the beginning of a line."""
        token, before = self._tokens[at], self._tokens[at - 1]
        return (
            token.type == "NAME"
            and token.text == "automa"
            and before.type not in _AUTOMA_IS_NAMED_BEHIND
        )

    def _may_break(self, at: int, segment: Segment, owner: Chain | None) -> bool:
        token, before = self._tokens[at], self._tokens[at - 1]
        if token.type == "NAME" and token.text in _NEVER_FIRST:
            return False
        if owner is None:
            return before.type != "_COLON" and self._parts_line(at)
        if owner is _IN_BRACKETS:
            return before.type == "COMMA"
        if token.type not in owner.breaks or before.type == "NOT":
            return False
        if token.type not in _SHARED:
            return width(segment) > SHORT
        return True

    def _parts_line(self, at: int) -> bool:
        """Tell whether a part of the statement or declaration begins here."""
        token, before = self._tokens[at], self._tokens[at - 1]
        first = self._tokens[0].type
        match token.type:
            case "STRING":
                return before.type in _ENDS and first not in _TITLED
            case "EQUAL":
                return first == "OPTION" or (first == "DEFINE" and self._tokens[1].type == "NAME")
            case "NOT":
                return at + 1 < len(self._tokens) and self._tokens[at + 1].type == "WITH"
            case "WITH" | "TO" if before.type in ("NOT", "UP"):
                return False
            case "CHOOSES":
                return first == "SECRETLY"
            case kind:
                return before.type == "COMMA" or kind in _PARTS
