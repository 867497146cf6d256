"""What is wrong with a line, and what was meant.

The parser comes here with a token that cannot stand where it is. Each function below knows one
kind of mistake; the first that recognises it answers. Wherever a correction is proposed, the
machine has tried it first: a proposal that would not parse is never made. Token types are
turned into the author's words before anything is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Severity
from rulelang.grammar import load_tables
from rulelang.layout import DECLARATIONS, LogicalLine
from rulelang.lexer import JUNK, Token, token_types
from rulelang.machine import Machine, Mark, simulate
from rulelang.source import NOT_UTF8, SourceFile, Span
from rulelang.suggest import nearest
from rulelang.vocabulary import FIRST_WORDS, SIGNS, VERBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def diagnose(at: Situation) -> Finding:
    """Say what is wrong."""
    for recognise in _RECOGNISERS:
        found = recognise(at)
        if found is not None:
            return found
    return _unexpected(at)


# ------------------------------------------------------------------ words for people


def _spelling() -> dict[str, str]:
    return {kind: text for text, kind in load_tables().literals.items()}


_SPELLING: Final = _spelling()
_OPERATORS: Final = token_types(
    "PLUS MINUS STAR SLASH DOT AT WHERE IS IN NOT OP AND OR WITH BY __ANON_0"
)
_VALUES: Final = token_types("NAME NUMBER TYPE LPAR LBRACE ITS")
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
    if kinds >= _VALUES:
        words.append("a value")
        kinds -= _VALUES | {"NOT", "ANY", "MAY", "STRING"}
    if len(kinds & _OPERATORS) > MAX_LISTED:
        words.append("an operator such as `is`, `+`, `and`")
        kinds -= _OPERATORS
    named = [_WORDS[kind] for kind in sorted(kinds & _WORDS.keys()) if _WORDS[kind]]
    literal = [
        f"`{_SPELLING[kind]}`" for kind in sorted(kinds - _WORDS.keys()) if kind in _SPELLING
    ]
    return (words + named + literal)[: MAX_LISTED + len(words)]


def _either(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]


def _shown(token: Token) -> str:
    return f"`{token.text}`" if token.text else "the end of the line"


def _finding(
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


def _as(token: Token, kind: str, text: str | None = None) -> Token:
    return token._replace(type=kind, text=token.text if text is None else text)


# ------------------------------------------------------------------ one function for each kind of mistake


def _continued_line(at: Situation) -> Finding | None:
    """A deeper line that was not meant to go on: its colon is missing above, or it is too deep."""
    token = at.token
    if not at.place or not at.continues(token):
        return None
    last = at.tokens[at.place - 1]
    if "_COLON" in at.accepted and at.machine.try_types(["_COLON", "_NL", "_INDENT"]) == 3:
        found = _missing_colon(at, last)
        return attrs.evolve(found, colon_after=last.start)
    if any(part.type == "_COLON" for part in at.tokens[: at.place]):
        return _finding(
            at,
            "E0102",
            "after a colon stands one statement, or a block",
            label="this line is deeper, but its block has ended with the line above",
            advice="begin a new line after the colon",
        )
    deeper = range(at.place + 1, len(at.tokens))
    following = next((place for place in deeper if at.continues(at.tokens[place])), len(at.tokens))
    rest = [part.type for part in at.tokens[at.place : following]]
    alone = simulate(at.mark.states, rest)
    if "_NL" not in at.accepted or (alone < 2 and rest[0] == "NAME"):
        return None
    found = _finding(
        at,
        "E0101",
        "this line is deeper than its block",
        token=token,
        label="so it goes on with the line above",
        secondary=(Label(at.span(at.line.tokens[0]), "that line begins here"),),
        advice="give it the same number of spaces as the line above",
    )
    return attrs.evolve(found, starts_line=token.start)


def _missing_colon(at: Situation, last: Token) -> Finding:
    place = at.source.span(last.end, last.end)
    return _finding(
        at,
        "E0102",
        "a colon is missing at the end of this line",
        token=last,
        label="`:` after this",
        notes=("A line with a block under it ends with a colon.",),
        advice="add `:`",
        edit=Edit(place, ":"),
        safe=True,
    )


def _first_word(at: Situation) -> Finding | None:
    """A line that begins with a word of another language."""
    first = at.tokens[0]
    if at.place > 2 or first.type not in ("NAME", JUNK) or first.text not in FIRST_WORDS:
        return None
    if "is" in {token.text for token in at.tokens[1:2]}:
        return None
    advice, words = FIRST_WORDS[first.text]
    repaired: list[Token] | None = None
    edit = None
    if words:
        new = [
            Token(load_tables().literals.get(word, "NAME"), word, first.start, first.end)
            for word in words
        ]
        candidate = [*new, *at.tokens[1:]]
        if at.line_fits(candidate):
            repaired, edit = candidate, Edit(at.span(first), " ".join(words))
    return _finding(
        at,
        "E0103",
        f"`{first.text}` is not a word of this language",
        token=first,
        advice=advice,
        edit=edit,
        title=f"write `{' '.join(words)}`",
        repaired=repaired,
    )


def _foreign_sign(at: Situation) -> Finding | None:
    """Signs and characters the language does not have."""
    token = at.token
    if token.type != JUNK:
        return None
    text = token.text
    if text[0].isalnum() or text[0] == "_":
        return _foreign_word(at)
    if text in (NOT_UTF8, "\0") or not text.isprintable():
        if text == NOT_UTF8:
            return _finding(
                at,
                "E0108",
                "this is not UTF-8 text",
                advice="save the file as UTF-8",
                repaired=_deleted(at),
            )
        return _finding(
            at,
            "E0108",
            "a character that cannot be seen",
            advice="remove it",
            repaired=_deleted(at),
        )
    if text == "[":
        return _finding(
            at,
            "E0103",
            "this is no citation",
            label="brackets cite the rulebook",
            advice="write `[ABC-12]`, or `(a, b)` for a list and `{a, b}` for a set",
        )
    for word, reason in SIGNS.get(text, ()):
        kind = load_tables().literals.get(word, "NAME")
        if " " in word:
            new = [_as(token, load_tables().literals[part], part) for part in word.split()]
        else:
            new = [_as(token, kind, word)]
        if at.helps([part.type for part in new]):
            return _finding(
                at,
                "E0104",
                f"`{text}` is not an operator here",
                label=reason,
                advice=f"write `{word}`",
                edit=Edit(at.span(token), word),
                repaired=at.replaced(new, 1),
            )
    if text in ("+=", "-=", "++", "--"):
        return _step_by(at, text)
    if text == ";":
        return _finding(
            at, "E0103", "`;` does not end a line", advice="remove it; each statement has a line of its own",
            edit=Edit(at.span(token), ""), repaired=_deleted(at),
        )  # fmt: skip
    return _finding(
        at,
        "E0104" if SIGNS.get(text) or len(text) > 1 else "E0103",
        f"`{text}` cannot stand here",
        label=_expectation(at),
        advice=f"write {_either([f'`{word}`' for word, _ in SIGNS[text]])}"
        if text in SIGNS
        else None,
        repaired=_deleted(at),
    )


def _step_by(at: Situation, sign: str) -> Finding:
    """`x.gold += 1`: the place before it is read back, so that the answer can use the author's words."""
    verb = "gains" if sign[0] == "+" else "loses"
    owner, field = _owner_and_field(at)
    amount = (
        at.source.text[at.token.end : at.tokens[-1].end].strip()
        if len(sign) == 2 and sign[1] == "="
        else "1"
    )
    if owner and field and amount:
        new = f"{owner} {verb} {amount} {field}"
        whole = at.source.span(at.tokens[0].start, at.tokens[-1].end)
        return _finding(
            at,
            "E0104",
            f"`{sign}` does not change a value",
            advice=f"write `{new}`",
            edit=Edit(whole, new),
        )
    return _finding(
        at,
        "E0104",
        f"`{sign}` does not change a value",
        advice=f"write `who {verb} 1 what`, or `name becomes name {sign[0]} 1`",
    )


def _owner_and_field(at: Situation) -> tuple[str, str]:
    tokens = at.tokens[: at.place]
    if len(tokens) >= 3 and tokens[-1].type == "NAME" and tokens[-2].type == "DOT":
        return at.source.text[tokens[0].start : tokens[-3].end], tokens[-1].text
    return "", ""


def _foreign_word(at: Situation) -> Finding:
    """A word that is no name: `goldCoins`, `_x`, `2nd`, `1_000`."""
    token = at.token
    text = token.text
    if text[0].isdigit():
        digits = text.replace("_", "")
        if digits.isdigit() and digits.isascii():
            new = _as(token, "NUMBER", digits)
            return _finding(
                at, "E0103", "a number has figures only", advice=f"write `{digits}`", edit=Edit(at.span(token), digits),
                repaired=at.replaced([new], 1) if at.fits(["NUMBER"], skip=1) else None,
            )  # fmt: skip
        return _finding(
            at,
            "E0103",
            f"`{text}` is neither a number nor a name",
            advice="a name begins with a letter",
        )
    name = snake_case(text)
    kind = "NAME" if "NAME" in at.accepted or not text[0].isupper() else "TYPE"
    if kind == "TYPE":
        name = name.title().replace("_", "")
    if not name:
        return _finding(
            at, "E0108", f"`{text}` is no name", advice="names are made of `a` to `z`, figures and `_`",
            repaired=at.replaced([_as(token, kind, "unnamed")], 1) if at.fits([kind], skip=1) else None,
        )  # fmt: skip
    return _finding(
        at,
        "E0110",
        f"`{text}` is no name",
        label="names are small letters, figures and `_`",
        advice=f"write `{name}`",
        edit=Edit(at.span(token), name),
        repaired=at.replaced([_as(token, kind, name)], 1) if at.fits([kind], skip=1) else None,
    )


def snake_case(text: str) -> str:
    """Give a legal name for a word in capitals or with other letters; empty if nothing is left of it."""
    made = ""
    for letter in text:
        if not letter.isascii() or not (letter.isalnum() or letter == "_"):
            continue
        if letter.isupper() and made and not made.endswith("_") and not made[-1].isupper():
            made += "_"
        made += letter
    return made.lower().strip("_0123456789") and made.lower().lstrip("_0123456789")


def _equals(at: Situation) -> Finding | None:
    """`=` where a value is changed or compared."""
    token = at.token
    if token.type != "EQUAL":
        return None
    head = at.tokens[: at.place]
    if len(head) == 1 and head[0].type == "NAME" and at.helps(["BECOMES"]):
        name = head[0].text
        return _finding(
            at,
            "E0104",
            "`=` does not change a value",
            advice=f"write `let {name} = ...` for a new name, `{name} becomes ...` to change one",
        )
    for kind, word, headline in (
        ("BECOMES", "becomes", "`=` does not change a value"),
        ("IS", "is", "`=` does not compare"),
        ("_COLON", ":", "`=` cannot stand here"),
    ):
        if at.helps([kind]):
            return _finding(
                at,
                "E0104",
                headline,
                advice=f"write `{word}`",
                edit=Edit(at.span(token), word),
                repaired=at.replaced([_as(token, kind, word)], 1),
            )
    return None


def _chained(at: Situation) -> Finding | None:
    """`a < b < c`."""
    token = at.token
    if token.type not in ("OP", "IS", "IN") or "AND" not in at.accepted:
        return None
    depth = 0
    for place in range(at.place - 1, -1, -1):
        part = at.tokens[place]
        if part.type in ("RPAR", "RBRACE"):
            depth += 1
        elif part.type in ("LPAR", "LBRACE"):
            depth -= 1
        elif depth == 0 and part.type in ("OP", "IS", "IN"):
            middle = at.tokens[place + 1 : at.place]
            words = at.source.text[middle[0].start : middle[-1].end]
            place_span = at.source.span(token.start, token.start)
            new = [_as(token, "AND", "and"), *middle]
            kinds = [*(part.type for part in new), token.type]
            fits = at.machine.try_types(kinds) == len(kinds)
            return _finding(
                at,
                "E0106",
                "comparisons in a row",
                label="a second comparison",
                secondary=(Label(at.span(part), "the first one"),),
                advice=f"write `... and {words} {token.text} ...`",
                edit=Edit(place_span, f"and {words} ") if fits else None,
                repaired=at.replaced(new, 0) if fits else None,
            )
        if depth < 0 or part.type in ("AND", "OR", "WHERE", "COMMA", "IF", "WHEN"):
            return None
    return None


def _negative(at: Situation) -> Finding | None:
    """A minus where a value should begin."""
    if at.token.type != "MINUS" or not at.accepted >= _VALUES:
        return None
    zero = _as(at.token, "NUMBER", "0")
    fits = at.machine.try_types(["NUMBER", "MINUS"]) == 2
    return _finding(
        at,
        "E0107",
        "a number cannot have a minus in front",
        notes=("Amounts are never negative.",),
        advice="say `loses` instead of gaining less than nothing, or write `0 - x`",
        edit=Edit(at.span(at.token), "0 - ") if fits else None,
        repaired=at.replaced([zero], 0) if fits else None,
    )


def _misplaced_do(at: Situation) -> Finding | None:
    """A doing without `do`, or `do` in front of an expression."""
    token = at.token
    if token.type == "DO" and at.fits([], skip=1):
        following = at.tokens[at.place + 1] if at.place + 1 < len(at.tokens) else token
        return _finding(
            at,
            "E0202",
            "`do` stands only at the beginning of a line",
            advice="leave it out: a value is called by its name",
            edit=Edit(at.source.span(token.start, following.start), ""),
            repaired=_deleted(at),
        )
    calls = len(at.tokens) > 1 and at.tokens[0].type == "NAME" and at.tokens[1].type == "LPAR"
    if not calls or "BECOMES" not in at.accepted or token.type not in ("_NL", "CITE", "ELSE"):
        return None
    first = at.tokens[0]
    candidate = [Token("DO", "do", first.start, first.start), *at.tokens]
    if not at.line_fits(candidate):
        return None
    return _finding(
        at,
        "E0202",
        f"`{first.text}` is called without `do`",
        token=first,
        advice=f"write `do {first.text}(...)`",
        edit=Edit(at.source.span(first.start, first.start), "do "),
        title="add `do`",
        repaired=candidate,
    )


def _unknown_verb(at: Situation) -> Finding | None:
    """`player receives 1 gold`."""
    token = at.token
    if "BECOMES" not in at.accepted or not {"GAINS", "LOSES"} & at.accepted:
        return None
    if token.type == "_NL":
        return None if at.place == 0 else _finding(
            at,
            "E0103",
            "this line says nothing that happens",
            label="a verb is missing",
            advice="go on with `gains`, `loses`, `becomes`, `chooses` or `may`",
        )  # fmt: skip
    if token.type == "IS" and at.fits(["BECOMES"], skip=1):
        return _finding(
            at,
            "E0104",
            "`is` compares and changes nothing",
            advice="write `becomes`",
            edit=Edit(at.span(token), "becomes"),
            repaired=at.replaced([_as(token, "BECOMES", "becomes")], 1),
        )
    if token.type != "NAME":
        return None
    verb = VERBS.get(token.text) or next(
        (VERBS.get(word, word) for word in nearest(token.text, (*VERBS, *VERBS.values()), limit=1)),
        "",
    )
    kind = load_tables().literals.get(verb, "")
    fits = bool(kind) and at.fits([kind], skip=1)
    others = "a line about somebody goes on with `gains`, `loses`, `becomes`, `chooses` or `may`"
    return _finding(
        at,
        "E0103",
        f"`{token.text}` is not a verb of this language",
        label="",
        notes=(others[0].upper() + others[1:] + ".",),
        advice=f"write `{verb}`" if verb else "use one of them",
        edit=Edit(at.span(token), verb) if fits else None,
        repaired=at.replaced([_as(token, kind, verb)], 1) if fits else None,
    )


def _text_after_condition(at: Situation) -> Finding | None:
    """`build(player): no when x "why"`: the reason stands in front of `when`."""
    token = at.token
    when = next((i for i in range(at.place - 1, -1, -1) if at.tokens[i].type == "WHEN"), None)
    if token.type != "STRING" or when is None:
        return None
    moved = [*at.tokens[:when], token, *at.tokens[when : at.place], *at.tokens[at.place + 1 :]]
    if not at.line_fits(moved):
        return None
    start = at.tokens[when].start
    condition = at.source.text[start : at.tokens[at.place - 1].end]
    return _finding(
        at,
        "E0103",
        "the text stands before `when`",
        secondary=(Label(at.span(at.tokens[when]), "before this"),),
        advice=f"write `{token.text} {condition}`",
        edit=Edit(at.source.span(start, token.end), f"{token.text} {condition}"),
        title="put the text first",
        repaired=moved,
    )


_NAMING: Final = token_types(
    "LET EFFECT PHASE STEP DEFINE EACH TABLE MAY CARD OPTION KEEPS END DO COMMA LPAR"
)


def _keyword_as_name(at: Situation) -> Finding | None:
    """A word of the language where something is given a name."""
    for place in (at.place, at.place - 1):
        if not 0 <= place < len(at.tokens):
            continue
        token = at.tokens[place]
        if not token.text.isidentifier() or token.type in ("NAME", "TYPE", JUNK, "STRING"):
            continue
        declares = place > 0 and at.tokens[place - 1].type in _NAMING
        if token.type in _OPERATORS | {"ANY", "MAY", "ITS"} and not declares:
            continue
        candidate = [*at.tokens[:place], _as(token, "NAME"), *at.tokens[place + 1 :]]
        if not at.line_fits(candidate):
            continue
        new = f"the_{token.text}"
        return _finding(
            at,
            "E0209",
            f"`{token.text}` is a word of the language and names nothing",
            token=token,
            advice=f"choose another name, such as `{new}`",
            edit=Edit(at.span(token), new),
            repaired=candidate,
        )
    return None


def _wrong_case(at: Situation) -> Finding | None:
    """`effect Build`, `component ship`."""
    for place in (at.place, at.place - 1, at.place - 3):
        if not 0 <= place < len(at.tokens):
            continue
        token = at.tokens[place]
        if token.type not in ("NAME", "TYPE"):
            continue
        small = token.type == "TYPE"
        other = "NAME" if small else "TYPE"
        candidate = [*at.tokens[:place], _as(token, other), *at.tokens[place + 1 :]]
        if not at.line_fits(candidate):
            continue
        new = (
            snake_case(token.text)
            if small
            else "".join(part.title() for part in token.text.split("_"))
        )
        candidate[place] = _as(token, other, new)
        return _finding(
            at,
            "E0110",
            f"`{token.text}` begins with {'a capital' if small else 'a small letter'}",
            token=token,
            label="names of kinds and enumerations begin with a capital, all others do not",
            advice=f"write `{new}`",
            edit=Edit(at.span(token), new),
            repaired=candidate,
        )
    return None


def _colon_within(at: Situation) -> Finding | None:
    """`if x is 3 player gains 1 gold`."""
    if "_COLON" not in at.accepted or at.before is None:
        return None
    if at.token.type == "_NL" and not at.has_block:
        found = _missing_colon(at, at.before)
        diagnostic = attrs.evolve(found.diagnostic, headline="a block is missing under this line", fix=None,
                                  help="end the line with `:` and say below what happens")  # fmt: skip
        if at.machine.try_types(["_COLON", "_NL", "_INDENT"]) == 3 and "_NL" not in at.accepted:
            return Finding(diagnostic)
        return None
    bare_name = at.place == 1 and not at.mark.values
    if bare_name or not at.fits(["_COLON"]):
        return None
    found = _missing_colon(at, at.before)
    colon = Token("_COLON", ":", at.before.end, at.before.end)
    headline = (
        "a colon is missing at the end of this line"
        if at.token.type == "_NL"
        else "a colon is missing"
    )
    return attrs.evolve(
        found,
        diagnostic=attrs.evolve(found.diagnostic, headline=headline),
        repaired=at.replaced([colon], 0),
    )


def _misspelt(at: Situation) -> Finding | None:
    """A keyword with a wrong letter, here or one word back."""
    for place in dict.fromkeys((at.place, at.place - 1, 0)):
        if not 0 <= place < len(at.tokens):
            continue
        token = at.tokens[place]
        if token.type not in ("NAME", "TYPE", JUNK) or len(token.text) < 2:
            continue
        words = [word for word in load_tables().literals if word.isalpha()]
        for word in nearest(token.text, words, cutoff=0.6):
            candidate = [
                *at.tokens[:place],
                _as(token, load_tables().literals[word], word),
                *at.tokens[place + 1 :],
            ]
            if at.line_fits(candidate):
                return _finding(
                    at,
                    "E0103",
                    f"`{token.text}` cannot stand here",
                    token=token,
                    advice=f"did you mean `{word}`?",
                    edit=Edit(at.span(token), word),
                    title=f"write `{word}`",
                    repaired=candidate,
                )
    return None


_INSERTABLE: Final = tuple(
    kind
    for kind in _SPELLING
    if kind not in ("_COLON", "NOT", "MINUS", "PLUS", "STAR", "SLASH", "OP", "DOT", "VBAR")
)


def _left_out(at: Situation) -> Finding | None:
    """Exactly one word or sign whose insertion makes the line right."""
    if at.token.type == JUNK or at.before is None:
        return None
    fitting = [kind for kind in _INSERTABLE if kind in at.accepted and at.fits([kind])]
    if len(fitting) != 1:
        return None
    word = _SPELLING[fitting[0]]
    place = at.before.end
    glue = "" if word in ",)}" else " "
    return _finding(
        at,
        "E0103",
        f"`{word}` is missing before {_shown(at.token)}",
        label=f"`{word}` before this" if at.token.text else f"`{word}` after this",
        advice=f"add `{word}`",
        edit=Edit(at.source.span(place, place), f"{glue}{word}"),
        repaired=at.replaced([Token(fitting[0], word, place, place)], 0),
    )


def _result_without_name(at: Situation) -> Finding | None:
    """`roll D6` or `choose x` alone on a line."""
    token = at.token
    if at.place or "LET" not in at.accepted:
        return None
    if token.type in ("ROLL", "PICK"):
        candidate = [
            Token("LET", "let", token.start, token.start),
            Token("NAME", "result", token.start, token.start),
            Token("EQUAL", "=", token.start, token.start),
            *at.tokens,
        ]
        fits = at.line_fits(candidate)
        return _finding(
            at,
            "E0103",
            f"the result of `{token.text}` needs a name",
            advice=f"write `let result = {token.text} ...`",
            edit=Edit(at.source.span(token.start, token.start), "let result = ") if fits else None,
            repaired=candidate if fits else None,
        )
    if token.type in ("CHOOSES", "GAINS", "LOSES"):
        verb = token.text if token.text.endswith("s") else token.text + "s"
        return _finding(
            at,
            "E0103",
            f"who {verb}?",
            label="nobody stands before this",
            advice=f"write `player {verb} ...`",
        )
    return None


def _fraction(at: Situation) -> Finding | None:
    """`3.5`."""
    before = [token.type for token in at.tokens[max(at.place - 2, 0) : at.place]]
    if at.token.type != "NUMBER" or before != ["NUMBER", "DOT"]:
        return None
    start = at.tokens[at.place - 2]
    return _finding(
        at,
        "E0103",
        "numbers are whole",
        token=start._replace(end=at.token.end, text=start.text + "." + at.token.text),
        advice="count in smaller units; `half(n)` and `/` round down",
        repaired=[*at.tokens[: at.place - 1], *at.tokens[at.place + 1 :]],
    )


def _amount(at: Situation) -> Finding | None:
    """`player gains gold`."""
    before = at.before
    verb = at.tokens[at.place - 2] if at.place >= 2 else None
    if (
        before is None
        or verb is None
        or verb.type not in ("GAINS", "LOSES")
        or before.type != "NAME"
    ):
        return None
    return _finding(
        at,
        "E0103",
        f"how many does it {verb.text.rstrip('s')}?",
        token=before,
        label="a number is missing before this",
        advice=f"write `{verb.text} 1 {before.text}`",
        edit=Edit(at.source.span(before.start, before.start), "1 "),
    )


def _closing_bracket(at: Situation) -> Finding | None:
    if at.token.type not in ("RPAR", "RBRACE"):
        return None
    opening = {"RPAR": "LPAR", "RBRACE": "LBRACE"}[at.token.type]
    depth = sum((t.type == opening) - (t.type == at.token.type) for t in at.tokens[: at.place])
    if depth > 0:
        return None
    return _finding(
        at,
        "E0105",
        f"nothing is open that `{at.token.text}` could close",
        advice="remove it",
        edit=Edit(at.span(at.token), ""),
        repaired=_deleted(at) if at.fits([], skip=1) else None,
    )


def _orphaned_else(at: Situation) -> Finding | None:
    if at.place or at.token.type != "ELSE":
        return None
    return _finding(
        at,
        "E0103",
        "no `if` or question above that this `else` belongs to",
        advice="give it the same indentation as its `if`",
    )


def _at_left_edge(at: Situation) -> Finding | None:
    """A statement, or an unknown word, where declarations stand."""
    first = at.tokens[0]
    if at.mark.values or first.start != at.line.start or first.type in DECLARATIONS:
        return None
    second = at.tokens[1].type if len(at.tokens) > 1 else ""
    if (
        first.type in ("NAME", JUNK)
        and at.place
        and second not in ("GAINS", "LOSES", "BECOMES", "CHOOSES")
    ):
        return None
    return _finding(
        at,
        "E0103",
        "no declaration begins like this",
        token=first,
        label="a line at the left edge declares something",
        advice="put what happens under an `effect`, a `phase` or a rule such as `after ...:`",
    )


def _changed_definition(at: Situation) -> Finding | None:
    if at.token.type != "DEFINE" or at.before is None or at.before.type != "CHANGE":
        return None
    return _finding(
        at,
        "E0103",
        "a definition is not changed, it gets an exception",
        advice="write `name: +1 when ...` or `name: value when ...`",
    )


def _deleted(at: Situation) -> list[Token] | None:
    """Give the line without the token, if it parses so."""
    return at.replaced([], 1) if at.fits([], skip=1) and len(at.tokens) > 1 else None


def _expectation(at: Situation) -> str:
    words = expected_words(at.accepted)
    return f"expected {_either(words)}" if words else ""


def _unexpected(at: Situation) -> Finding:
    """Nothing better is known."""
    token = at.token
    if token.type == "_NL":
        return _finding(at, "E0103", "this line ends too early", label=_expectation(at))
    return _finding(at, "E0103", f"{_shown(token)} cannot stand here", label=_expectation(at))


_RECOGNISERS: Final[tuple[Callable[[Situation], Finding | None], ...]] = (
    _first_word,
    _continued_line,
    _foreign_sign,
    _changed_definition,
    _result_without_name,
    _fraction,
    _equals,
    _chained,
    _negative,
    _misplaced_do,
    _text_after_condition,
    _orphaned_else,
    _closing_bracket,
    _colon_within,
    _amount,
    _keyword_as_name,
    _wrong_case,
    _misspelt,
    _unknown_verb,
    _at_left_edge,
    _left_out,
)


# ------------------------------------------------------------------ stand-ins


def missing_block(source: SourceFile, line: LogicalLine) -> Diagnostic:
    """Report a line that ends with a colon and has nothing under it."""
    colon = line.tokens[-1]
    return Diagnostic(
        "E0102",
        Severity.ERROR,
        "nothing stands under this line",
        Label(source.span(colon.start, max(colon.end, colon.start + 1)), "a block was expected"),
        help="indent the lines that belong to it, or write `do nothing`",
    )


@attrs.frozen
class StandIn:
    """Tokens read in place of a broken line; without `keeps_block` the deeper lines are passed over."""

    tokens: list[Token]
    keeps_block: bool


_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "EFFECT": ("EFFECT NAME _COLON",),
    "PHASE": ("PHASE NAME _COLON",),
    "CARD": ("CARD NAME _COLON",),
    "MAY": ("MAY NAME LPAR NAME RPAR _COLON",),
    "TABLE": ("TABLE NAME LPAR NAME RPAR _COLON",),
    "COMPONENT": ("COMPONENT TYPE _COLON",),
    "GAME": ("GAME NAME STRING _COLON",),
    "VARIANT": ("VARIANT NAME STRING OF NAME _COLON",),
    "PRESET": ("PRESET STRING OF NAME _COLON",),
    "SCENARIO": ("SCENARIO STRING OF NAME _COLON",),
    "DEFINE": ("DEFINE NAME EQUAL ERROR_EXPR _COLON",),
    "CHANGE": ("CHANGE COMPONENT TYPE _COLON", "CHANGE TABLE NAME _COLON", "CHANGE GAME _COLON"),
    "IF": ("IF ERROR_EXPR _COLON",),
    "ELSE": ("ELSE IF ERROR_EXPR _COLON", "ELSE _COLON"),
    "WHILE": ("WHILE ERROR_EXPR _COLON",),
    "EACH": ("EACH NAME IN ERROR_EXPR _COLON",),
    "STEP": ("STEP NAME _COLON",),
    "UNTIL": ("UNTIL NAME _COLON",),
    "THEN": ("THEN _COLON",),
    "BEFORE": ("WHEN ERROR_EXPR _COLON", "BEFORE _COLON"),
    "AFTER": ("WHEN ERROR_EXPR _COLON", "AFTER _COLON"),
    "INSTEAD": ("WHEN ERROR_EXPR _COLON",),
    "WHEN": ("WHEN ERROR_EXPR _COLON",),
    "DO": ("DO NAME _COLON",),
    "STRING": ("STRING _COLON",),
    "NAME": ("NAME _COLON WHEN ERROR_EXPR _COLON",),
}


def stand_in(machine: Machine, line: LogicalLine, below: LogicalLine | None) -> StandIn | None:
    """Give what to read in place of a broken line, or None if nothing can stand there.

    Args:
        machine: Stands before the line.
        line: The broken line.
        below: The first line of its block, if it has one.
    """
    start, end = line.start, line.tokens[-1].end
    if below is not None:
        for header in _headers(line, below):
            kinds = header.split()
            if machine.try_types([*kinds, "_NL", "_INDENT"]) == len(kinds) + 2:
                return StandIn([_dummy(kind, line, start, end) for kind in kinds], keeps_block=True)
    if machine.try_types(["ERROR_LINE", "_NL"]) == 2:
        return StandIn([Token("ERROR_LINE", "", start, end)], keeps_block=False)
    return None


def _headers(line: LogicalLine, below: LogicalLine) -> Iterator[str]:
    kinds = [token.type for token in line.tokens]
    for header in _HEADERS.get(kinds[0], ()):
        fixed = [
            kind
            for kind in header.split()[:2]
            if kind not in ("NAME", "TYPE", "STRING", "_COLON", "ERROR_EXPR")
        ]
        if header.startswith(("WHEN", "NAME")) or kinds[: len(fixed)] == fixed:
            yield header
    if below.tokens[0].type == "STRING":
        yield "ERROR_EXPR CHOOSES _COLON"
    yield "ERROR_LINE _COLON"
    yield "ERROR_EXPR _COLON"


def _dummy(kind: str, line: LogicalLine, start: int, end: int) -> Token:
    """Make a token of a stand-in; names come from the line, where it has one."""
    own = next(
        (
            token
            for token in line.tokens[1:]
            if token.type == kind and kind in ("NAME", "TYPE", "STRING")
        ),
        None,
    )
    if own is not None:
        return own
    text = {"NAME": "unnamed", "TYPE": "Unnamed", "STRING": '""'}.get(kind, _SPELLING.get(kind, ""))
    return Token(kind, text, start, end)


_FILLERS: Final = (
    "AFTER _COLON _NL _INDENT ERROR_LINE _NL _DEDENT",
    "DO NAME _NL AFTER _COLON _NL _INDENT ERROR_LINE _NL _DEDENT",
)


def filler_before_dedent(machine: Machine, place: int) -> list[Token] | None:
    """Give what a block lacks at its end (a scenario its `after:`), or None if that is not it."""
    for filler in _FILLERS:
        kinds = filler.split()
        if machine.try_types([*kinds, "_DEDENT"]) == len(kinds) + 1:
            return [
                Token(kind, "unnamed" if kind == "NAME" else "", place, place) for kind in kinds
            ]
    return None
