"""Words in an order that the language does not have."""

from __future__ import annotations

from rulelang.diagnostics import Edit
from rulelang.lexer import JUNK, Token
from rulelang.mistakes.situation import Finding, Situation, finding, retyped

_FORBIDDING = frozenset(("ban", "disallow", "forbid", "prohibit"))


def trailing_if(at: Situation) -> Finding | None:
    """`name: 3 if a`, `define x = 3 if a`, `player gains 3 gold if a`."""
    token = at.token
    if token.type != "IF" or at.place == 0:
        return None
    headline = "`if` stands only at the beginning of a line"
    if "WHEN" in at.accepted and at.fits(["WHEN"], skip=1):
        return finding(
            at,
            "E0103",
            headline,
            advice="write `when`",
            edit=Edit(at.span(token), "when"),
            title="write `when`",
            safe=True,
            repaired=at.replaced([retyped(token, "WHEN", "when")], 1),
        )
    if at.tokens[0].type == "DEFINE":
        value = _between(at, "EQUAL")
        return finding(
            at,
            "E0103",
            headline,
            notes=(
                "A definition says what usually holds; its exceptions stand on lines of their own below.",
            ),
            advice=f"put the usual value and `:` here, and below it `name: {value} when ...`",
            repaired=at.tokens[: at.place],
        )
    condition = [each for each in at.tokens[at.place + 1 :] if each.type not in (JUNK, "CITE")]
    if not condition:
        return None
    colon = Token("_COLON", ":", token.end, token.end)
    turned = [token, *condition, colon, *at.tokens[: at.place]]
    if len(condition) + at.place + 1 != len(at.tokens) or not at.line_fits(turned):
        return None
    text = at.source.text
    doing = text[at.tokens[0].start : at.tokens[at.place - 1].end]
    new = f"if {text[condition[0].start : condition[-1].end]}: {doing}"
    return finding(
        at,
        "E0103",
        headline,
        advice=f"write `{new}`",
        edit=Edit(at.source.span(at.tokens[0].start, condition[-1].end), new),
        title="put the condition first",
        repaired=turned,
    )


def _between(at: Situation, kind: str) -> str:
    """Give the text from behind the first token of a type up to the place."""
    first = next(i for i, each in enumerate(at.tokens) if each.type == kind)
    return at.source.text[at.tokens[first].end : at.token.start].strip()


def bare_change(at: Situation) -> Finding | None:
    """`change Player:`, `change price:`."""
    if at.tokens[0].type != "CHANGE" or at.place not in (1, 2) or len(at.tokens) < 2:
        return None
    named = at.tokens[1]
    word = {"TYPE": "component", "NAME": "table"}.get(named.type)
    if word is None:
        return None
    added = Token(word.upper(), word, named.start, named.start)
    candidate = [at.tokens[0], added, *at.tokens[1:]]
    if not at.line_fits(candidate):
        return None
    return finding(
        at,
        "E0103",
        "what is changed here?",
        token=named,
        advice=f"write `change {word} {named.text}`",
        edit=Edit(at.source.span(named.start, named.start), f"{word} "),
        title=f"add `{word}`",
        repaired=candidate,
    )


def forbidding_verb(at: Situation) -> Finding | None:
    """`forbid sail`, `forbid: sail`: what may not be done is said with `no`."""
    first = at.tokens[0]
    if first.type != "NAME" or first.text.lower() not in _FORBIDDING or at.place != 1:
        return None
    what = next((token for token in at.tokens[1:] if token.type == "NAME"), None)
    name = what.text if what else "action"
    return finding(
        at,
        "E0103",
        f"`{first.text}` is no word of the language",
        token=first,
        label="no line begins so",
        advice=f'to forbid, write `{name}(player, ...): no "reason" when ...`',
    )
