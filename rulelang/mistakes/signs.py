"""Signs, numbers and characters that the language does not have, or not there."""

from __future__ import annotations

from typing import Final

from rulelang.diagnostics import Edit, Label
from rulelang.grammar import load_tables
from rulelang.lexer import JUNK, Token
from rulelang.mistakes.situation import (
    VALUES,
    Finding,
    Situation,
    either,
    expectation,
    finding,
    retyped,
    without_token,
)
from rulelang.source import NOT_UTF8
from rulelang.vocabulary import SIGNS


def foreign_sign(at: Situation) -> Finding | None:
    """Signs and characters the language does not have."""
    token = at.token
    if token.type != JUNK:
        return None
    text = token.text
    if text[0].isalnum() or text[0] == "_":
        return _foreign_word(at)
    if text in (NOT_UTF8, "\0") or not text.isprintable():
        if text == NOT_UTF8:
            return finding(
                at,
                "E0108",
                "this is not UTF-8 text",
                advice="save the file as UTF-8",
                repaired=without_token(at),
            )
        return finding(
            at,
            "E0108",
            "a character that cannot be seen",
            advice="remove it",
            repaired=without_token(at),
        )
    if text in _PRINTED_QUOTES:
        return _printed_quotes(at)
    if text == "[":
        return finding(
            at,
            "E0103",
            "this is no citation",
            label="brackets cite the rulebook",
            advice="write `[ABC-12]`, or `(a, b)` for a list and `{a, b}` for a set",
        )
    for word, reason in SIGNS.get(text, ()):
        kind = load_tables().literals.get(word, "NAME")
        if " " in word:
            new = [retyped(token, load_tables().literals[part], part) for part in word.split()]
        else:
            new = [retyped(token, kind, word)]
        if at.helps([part.type for part in new]):
            return finding(
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
        return finding(
            at, "E0103", "`;` does not end a line", advice="remove it; each statement has a line of its own",
            edit=Edit(at.span(token), ""), repaired=without_token(at),
        )  # fmt: skip
    return finding(
        at,
        "E0104" if SIGNS.get(text) or len(text) > 1 else "E0103",
        f"`{text}` cannot stand here",
        label=expectation(at),
        advice=f"write {either([f'`{word}`' for word, _ in SIGNS[text]])}"
        if text in SIGNS
        else None,
        repaired=without_token(at),
    )


_PRINTED_QUOTES: Final = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"


def _printed_quotes(at: Situation) -> Finding:
    """A text in the quotes that word processors write."""
    rest = range(at.place + 1, len(at.tokens))
    closing = next((place for place in rest if at.tokens[place].text in _PRINTED_QUOTES), None)
    said = at.source.text[at.token.end : at.tokens[closing].start] if closing is not None else ""
    if closing is None or '"' in said or "\n" in said:
        return finding(at, "E0105", "a text stands in straight quotes", advice='write `"`')
    new = f'"{said}"'
    end = at.tokens[closing].end
    text = Token("STRING", new, at.token.start, end)
    candidate = [*at.tokens[: at.place], text, *at.tokens[closing + 1 :]]
    return finding(
        at,
        "E0105",
        "a text stands in straight quotes",
        advice=f"write `{new}`",
        edit=Edit(at.source.span(at.token.start, end), new),
        repaired=candidate if at.line_fits(candidate) else None,
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
        return finding(
            at,
            "E0104",
            f"`{sign}` does not change a value",
            advice=f"write `{new}`",
            edit=Edit(whole, new),
        )
    return finding(
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
            new = retyped(token, "NUMBER", digits)
            return finding(
                at, "E0103", "a number has figures only", advice=f"write `{digits}`", edit=Edit(at.span(token), digits),
                repaired=at.replaced([new], 1) if at.fits(["NUMBER"], skip=1) else None,
            )  # fmt: skip
        return finding(
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
        return finding(
            at, "E0108", f"`{text}` is no name", advice="names are made of `a` to `z`, figures and `_`",
            repaired=at.replaced([retyped(token, kind, "unnamed")], 1) if at.fits([kind], skip=1) else None,
        )  # fmt: skip
    return finding(
        at,
        "E0110",
        f"`{text}` is no name",
        label="names are small letters, figures and `_`",
        advice=f"write `{name}`",
        edit=Edit(at.span(token), name),
        repaired=at.replaced([retyped(token, kind, name)], 1) if at.fits([kind], skip=1) else None,
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


def equals(at: Situation) -> Finding | None:
    """`=` where a value is changed or compared."""
    token = at.token
    if token.type != "EQUAL":
        return None
    head = at.tokens[: at.place]
    if len(head) == 1 and head[0].type == "NAME" and at.helps(["BECOMES"]):
        name = head[0].text
        return finding(
            at,
            "E0104",
            "`=` does not change a value",
            advice=f"write `let {name} = ...` for a new name, `{name} becomes ...` to change one",
        )
    field = _field_without_type(at)
    if field is not None:
        return field
    for kind, word, headline in (
        ("BECOMES", "becomes", "`=` does not change a value"),
        ("IS", "is", "`=` does not compare"),
        ("_COLON", ":", "`=` cannot stand here"),
    ):
        if at.helps([kind]):
            return finding(
                at,
                "E0104",
                headline,
                advice=f"write `{word}`",
                edit=Edit(at.span(token), word),
                repaired=at.replaced([retyped(token, kind, word)], 1),
            )
    return None


def _field_without_type(at: Situation) -> Finding | None:
    """`points = 0` under a component."""
    if at.place != 1 or at.tokens[-1].type != "NUMBER" or len(at.tokens) != 3:
        return None
    token, start = at.token, at.tokens[0].end
    number = Token("NUMBER", "0", start, start)
    dots = Token(load_tables().literals[".."], "..", start, start)
    new = [Token("_COLON", ":", start, start), number, dots, token]
    if not at.fits([part.type for part in new], skip=1):
        return None
    return finding(
        at,
        "E0104",
        "a field has a type",
        label="before this",
        notes=("`0..` is a number that begins at 0, `0..10` one up to 10, `Flag` is yes or no.",),
        advice=f"write `{at.tokens[0].text}: 0.. = {at.tokens[-1].text}`",
        edit=Edit(at.source.span(start, token.end), ": 0.. ="),
        repaired=at.replaced(new, 1),
    )


def chained(at: Situation) -> Finding | None:
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
            new = [retyped(token, "AND", "and"), *middle]
            kinds = [*(part.type for part in new), token.type]
            fits = at.machine.try_types(kinds) == len(kinds)
            return finding(
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


def negative(at: Situation) -> Finding | None:
    """A minus where a value should begin."""
    if at.token.type != "MINUS" or not at.accepted >= VALUES:
        return None
    zero = retyped(at.token, "NUMBER", "0")
    fits = at.machine.try_types(["NUMBER", "MINUS"]) == 2
    return finding(
        at,
        "E0107",
        "a number cannot have a minus in front",
        notes=("Amounts are never negative.",),
        advice="say `loses` instead of gaining less than nothing, or write `0 - x`",
        edit=Edit(at.span(at.token), "0 - ") if fits else None,
        repaired=at.replaced([zero], 0) if fits else None,
    )


def bare_difference(at: Situation) -> Finding | None:
    """`from a - b` where one thing must follow `from`, or two that stand in brackets."""
    if at.token.type not in ("MINUS", "PLUS") or "AT" not in at.accepted:
        return None
    types = [token.type for token in at.tokens]
    start = next((n + 1 for n in reversed(range(at.place)) if at.tokens[n].text == "from"), None)
    if start is None or start >= at.place or "MINUS" in types[start : at.place]:
        return None
    opening = at.tokens[start]
    ends = range(
        at.place + 2, next((n for n, kind in enumerate(types) if kind == "AT"), len(types)) + 1
    )
    for end in reversed(ends):
        closing = at.tokens[end - 1]
        if types[start:end].count("LPAR") != types[start:end].count("RPAR"):
            continue
        repaired = [
            *at.tokens[:start],
            Token("LPAR", "(", opening.start, opening.start),
            *at.tokens[start:end],
            Token("RPAR", ")", closing.end, closing.end),
            *at.tokens[end:],
        ]
        if at.line_fits(repaired):
            span = at.source.span(opening.start, closing.end)
            return finding(
                at,
                "E0103",
                f"`{at.token.text}` cannot stand here without brackets",
                advice=f"put brackets around it: `from ({span.text})`",
                edit=Edit(span, f"({span.text})"),
                title="put brackets around it",
                safe=True,
                repaired=repaired,
            )
    return None


def fraction(at: Situation) -> Finding | None:
    """`3.5`."""
    before = [token.type for token in at.tokens[max(at.place - 2, 0) : at.place]]
    if at.token.type != "NUMBER" or before != ["NUMBER", "DOT"]:
        return None
    start = at.tokens[at.place - 2]
    return finding(
        at,
        "E0103",
        "numbers are whole",
        token=start._replace(end=at.token.end, text=start.text + "." + at.token.text),
        advice="count in smaller units; `half(n)` and `/` round down",
        repaired=[*at.tokens[: at.place - 1], *at.tokens[at.place + 1 :]],
    )


def closing_bracket(at: Situation) -> Finding | None:
    """`do act)`."""
    if at.token.type not in ("RPAR", "RBRACE"):
        return None
    opening = {"RPAR": "LPAR", "RBRACE": "LBRACE"}[at.token.type]
    depth = sum((t.type == opening) - (t.type == at.token.type) for t in at.tokens[: at.place])
    if depth > 0:
        return None
    return finding(
        at,
        "E0105",
        f"nothing is open that `{at.token.text}` could close",
        advice="remove it",
        edit=Edit(at.span(at.token), ""),
        repaired=without_token(at) if at.fits([], skip=1) else None,
    )
