"""Where the parser stands, and how an answer is put together.

Token types become the words of the author here, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Severity
from rulelang.grammar import load_tables
from rulelang.layout import LogicalLine
from rulelang.lexer import JUNK, Token, token_types
from rulelang.machine import Machine, Mark, simulate
from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LISTED: Final = 7


@attrs.frozen
class Finding:
    """The answer to a mistake.

    Attributes:
        diagnostic: What to report.
        repaired: The tokens of the line as it was meant; None if that is not clear.
        colon_after: Offset of the token after which a colon is missing at the end of a line.
        starts_line: Offset of the token that begins a line of its own.
    """

    diagnostic: Diagnostic
    repaired: list[Token] | None = None
    colon_after: int | None = None
    starts_line: int | None = None


@attrs.frozen(eq=False)
class Situation:
    """Where the parser stands.

    Attributes:
        source: The text.
        machine: Has taken the tokens before `place`.
        mark: The point before the line.
        line: The line.
        tokens: Its tokens, perhaps repaired already.
        place: Number of the token that cannot stand; `len(tokens)` for the end of the line.
        has_block: Whether deeper lines follow.
    """

    source: SourceFile
    machine: Machine
    mark: Mark
    line: LogicalLine
    tokens: list[Token]
    place: int
    has_block: bool
    accepted: frozenset[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Ask the machine what could stand here."""
        object.__setattr__(self, "accepted", frozenset(self.machine.accepted()))

    @property
    def token(self) -> Token:
        """The token that cannot stand; an empty one at the end of the line."""
        if self.place < len(self.tokens):
            return self.tokens[self.place]
        end = self.tokens[-1].end
        return Token("_NL", "", end, end)

    @property
    def before(self) -> Token | None:
        """The token in front of it."""
        return self.tokens[self.place - 1] if self.place else None

    @property
    def tail(self) -> list[str]:
        """What follows the line."""
        return ["_NL", "_INDENT"] if self.has_block else ["_NL"]

    def span(self, token: Token) -> Span:
        """Give the place of a token; the end of the line has that of its last character."""
        if token.start == token.end:
            return self.source.span(max(token.end - 1, 0), token.end)
        return self.source.span(token.start, token.end)

    def fits(self, types: Iterable[str], skip: int = 0) -> bool:
        """Say whether these types, then the rest of the line after `skip` tokens, would parse."""
        wanted = [*types, *(token.type for token in self.tokens[self.place + skip :]), *self.tail]
        return self.machine.try_types(wanted) == len(wanted)

    def helps(self, types: list[str]) -> bool:
        """Say whether these types in place of the token let the machine read on, up to the next mistake."""
        following = [token.type for token in self.tokens[self.place + 1 :]] or self.tail
        wanted = [*types, *(kind for kind in following[:1] if kind != JUNK)]
        return self.machine.try_types(wanted) == len(wanted)

    def continues(self, token: Token) -> bool:
        """Say whether a deeper line, which goes on with this one, begins with a token."""
        return any(self.line.tokens[place].start == token.start for place in self.line.continued)

    def line_fits(self, tokens: list[Token]) -> bool:
        """Say whether the line would parse with these tokens."""
        wanted = [*(token.type for token in tokens), *self.tail]
        return simulate(self.mark.states, wanted) == len(wanted)

    def replaced(self, new: list[Token], skip: int) -> list[Token]:
        """Give the line with `skip` tokens at the place replaced."""
        return [*self.tokens[: self.place], *new, *self.tokens[self.place + skip :]]


def _spelling() -> dict[str, str]:
    return {kind: text for text, kind in load_tables().literals.items()}


SPELLING: Final = _spelling()

OPERATORS: Final = token_types(
    "PLUS MINUS STAR SLASH DOT AT WHERE IS IN NOT OP AND OR WITH BY __ANON_0"
)

VALUES: Final = token_types("NAME NUMBER TYPE LPAR LBRACE ITS")

_WORDS: Final = {
    "NAME": "a name",
    "TYPE": "a kind",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "_NL": "the end of the line",
    "ERROR_LINE": "",
    "ERROR_EXPR": "",
    "CITE": "",
    "_DEDENT": "",
    "_INDENT": "",
    "$END": "",
}


def expected_words(accepted: Iterable[str]) -> list[str]:
    """Say in the author's words what can stand somewhere, without more than people can take in."""
    kinds = set(accepted)
    words: list[str] = []
    if kinds >= VALUES:
        words.append("a value")
        kinds -= VALUES | {"NOT", "ANY", "MAY", "STRING"}
    if len(kinds & OPERATORS) > MAX_LISTED:
        words.append("an operator such as `is`, `+`, `and`")
        kinds -= OPERATORS
    named = [_WORDS[kind] for kind in sorted(kinds & _WORDS.keys()) if _WORDS[kind]]
    literal = [f"`{SPELLING[kind]}`" for kind in sorted(kinds - _WORDS.keys()) if kind in SPELLING]
    return (words + named + literal)[: MAX_LISTED + len(words)]


def either(words: list[str]) -> str:
    """Join words with commas and "or"."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]


def shown(token: Token) -> str:
    """Give a token as people see it."""
    return f"`{token.text}`" if token.text else "the end of the line"


def finding(
    at: Situation,
    code: str,
    headline: str,
    *,
    token: Token | None = None,
    label: str = "",
    notes: tuple[str, ...] = (),
    advice: str | None = None,
    edit: Edit | None = None,
    title: str = "",
    safe: bool = False,
    repaired: list[Token] | None = None,
    secondary: tuple[Label, ...] = (),
) -> Finding:
    """Make the answer about a token, the one that cannot stand unless another is given."""
    fix = None
    if edit is not None:
        fix = Fix(
            title or advice or "", (edit,), Applicability.SAFE if safe else Applicability.UNSAFE
        )
    place = at.span(token or at.token)
    return Finding(
        Diagnostic(
            code, Severity.ERROR, headline, Label(place, label), secondary, notes, advice, fix
        ),
        repaired,
    )


def retyped(token: Token, kind: str, text: str | None = None) -> Token:
    """Give a token as one of another type, perhaps with another text."""
    return token._replace(type=kind, text=token.text if text is None else text)


def without_token(at: Situation) -> list[Token] | None:
    """Give the line without the token, if it parses so."""
    return at.replaced([], 1) if at.fits([], skip=1) and len(at.tokens) > 1 else None


def expectation(at: Situation) -> str:
    """Say what could stand here, as a label; empty if nothing is worth saying."""
    words = expected_words(at.accepted)
    return f"expected {either(words)}" if words else ""
