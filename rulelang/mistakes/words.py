"""Words of other languages, words at the wrong place, and words that are missing."""

from __future__ import annotations

from typing import Final

from rulelang.diagnostics import Edit, Label
from rulelang.grammar import load_tables
from rulelang.layout import DECLARATIONS
from rulelang.lexer import JUNK, Token, token_types
from rulelang.mistakes.signs import snake_case
from rulelang.mistakes.situation import (
    OPERATORS,
    SPELLING,
    Finding,
    Situation,
    finding,
    retyped,
    shown,
    without_token,
)
from rulelang.suggest import nearest
from rulelang.vocabulary import FIRST_WORDS, ORDERS, VERBS


def first_word(at: Situation) -> Finding | None:
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
    return finding(
        at,
        "E0103",
        f"`{first.text}` is not a word of this language",
        token=first,
        advice=advice,
        edit=edit,
        title=f"write `{' '.join(words)}`",
        repaired=repaired,
    )


def misplaced_do(at: Situation) -> Finding | None:
    """A doing without `do`, or `do` in front of an expression."""
    token = at.token
    if token.type == "DO" and at.fits([], skip=1):
        following = at.tokens[at.place + 1] if at.place + 1 < len(at.tokens) else token
        return finding(
            at,
            "E0202",
            "`do` stands only at the beginning of a line",
            advice="leave it out: a value is called by its name",
            edit=Edit(at.source.span(token.start, following.start), ""),
            repaired=without_token(at),
        )
    calls = len(at.tokens) > 1 and at.tokens[0].type == "NAME" and at.tokens[1].type == "LPAR"
    if not calls or "BECOMES" not in at.accepted or token.type not in ("_NL", "CITE", "ELSE"):
        return None
    first = at.tokens[0]
    candidate = [Token("DO", "do", first.start, first.start), *at.tokens]
    if not at.line_fits(candidate):
        return None
    return finding(
        at,
        "E0202",
        f"`{first.text}` is called without `do`",
        token=first,
        advice=f"write `do {first.text}(...)`",
        edit=Edit(at.source.span(first.start, first.start), "do "),
        title="add `do`",
        repaired=candidate,
    )


def unknown_verb(at: Situation) -> Finding | None:
    """`player receives 1 gold`."""
    token = at.token
    if "BECOMES" not in at.accepted or not {"GAINS", "LOSES"} & at.accepted:
        return None
    if token.type == "_NL":
        return None if at.place == 0 else finding(
            at,
            "E0103",
            "this line says nothing that happens",
            label="a verb is missing",
            advice="go on with `gains`, `loses`, `becomes`, `chooses` or `may`",
        )  # fmt: skip
    if token.type == "IS" and at.fits(["BECOMES"], skip=1):
        return finding(
            at,
            "E0104",
            "`is` compares and changes nothing",
            advice="write `becomes`",
            edit=Edit(at.span(token), "becomes"),
            repaired=at.replaced([retyped(token, "BECOMES", "becomes")], 1),
        )
    if token.type != "NAME":
        return None
    if at.place == 1 and at.tokens[0].text in ORDERS:
        return finding(
            at,
            "E0103",
            f"`{at.tokens[0].text}` is not a word of this language",
            token=at.tokens[0],
            notes=("A line says who does what.",),
            advice=ORDERS[at.tokens[0].text],
        )
    if token.text in ("win", "wins"):
        winner = at.source.text[at.tokens[0].start : at.tokens[at.place - 1].end]
        new = f"do win({{{winner}}})"
        alone = at.place + 1 == len(at.tokens) and at.tokens[0].type == "NAME"
        return finding(
            at,
            "E0103",
            f"`{token.text}` is not a verb of this language",
            advice=f"write `{new}`, and `end game` where play ends",
            edit=Edit(at.source.span(at.tokens[0].start, token.end), new) if alone else None,
            title=f"write `{new}`",
        )
    verb = VERBS.get(token.text) or next(
        (VERBS.get(word, word) for word in nearest(token.text, (*VERBS, *VERBS.values()), limit=1)),
        "",
    )
    kind = load_tables().literals.get(verb, "")
    fits = bool(kind) and at.fits([kind], skip=1)
    others = "a line about somebody goes on with `gains`, `loses`, `becomes`, `chooses` or `may`"
    return finding(
        at,
        "E0103",
        f"`{token.text}` is not a verb of this language",
        label="",
        notes=(others[0].upper() + others[1:] + ".",),
        advice=f"write `{verb}`" if verb else "use one of them",
        edit=Edit(at.span(token), verb) if fits else None,
        repaired=at.replaced([retyped(token, kind, verb)], 1) if fits else None,
    )


def quoted_value(at: Situation) -> Finding | None:
    """`option price = "5"`: numbers and words stand without quotes."""
    token = at.token
    inner = token.text.strip('"')
    if token.type != "STRING" or not (inner.isdecimal() or inner.isidentifier()):
        return None
    kind = "NUMBER" if inner.isdecimal() else load_tables().literals.get(inner, "NAME")
    if kind not in ("NUMBER", "NAME") or not at.fits([kind], skip=1):
        return None
    return finding(
        at,
        "E0103",
        f"`{token.text}` cannot stand here",
        label="a text in quotes is what somebody reads",
        advice=f"leave the quotes out: `{inner}`",
        edit=Edit(at.span(token), inner),
        repaired=at.replaced([retyped(token, kind, inner)], 1),
    )


def text_after_condition(at: Situation) -> Finding | None:
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
    return finding(
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


def keyword_as_name(at: Situation) -> Finding | None:
    """A word of the language where something is given a name."""
    for place in (at.place, at.place - 1):
        if not 0 <= place < len(at.tokens):
            continue
        token = at.tokens[place]
        if not token.text.isidentifier() or token.type in ("NAME", "TYPE", JUNK, "STRING"):
            continue
        declares = place > 0 and at.tokens[place - 1].type in _NAMING
        if token.type in OPERATORS | {"ANY", "MAY", "ITS"} and not declares:
            continue
        candidate = [*at.tokens[:place], retyped(token, "NAME"), *at.tokens[place + 1 :]]
        if not at.line_fits(candidate):
            continue
        new = f"the_{token.text}"
        return finding(
            at,
            "E0209",
            f"`{token.text}` is a word of the language and names nothing",
            token=token,
            advice=f"choose another name, such as `{new}`",
            edit=Edit(at.span(token), new),
            repaired=candidate,
        )
    return None


def wrong_case(at: Situation) -> Finding | None:
    """`effect Build`, `component ship`."""
    for place in (at.place, at.place - 1, at.place - 3):
        if not 0 <= place < len(at.tokens):
            continue
        token = at.tokens[place]
        if token.type not in ("NAME", "TYPE"):
            continue
        small = token.type == "TYPE"
        other = "NAME" if small else "TYPE"
        candidate = [*at.tokens[:place], retyped(token, other), *at.tokens[place + 1 :]]
        if not at.line_fits(candidate):
            continue
        new = (
            snake_case(token.text)
            if small
            else "".join(part.title() for part in token.text.split("_"))
        )
        candidate[place] = retyped(token, other, new)
        return finding(
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


def misspelt(at: Situation) -> Finding | None:
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
                retyped(token, load_tables().literals[word], word),
                *at.tokens[place + 1 :],
            ]
            if at.line_fits(candidate):
                return finding(
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
    for kind in SPELLING
    if kind not in ("_COLON", "NOT", "MINUS", "PLUS", "STAR", "SLASH", "OP", "DOT", "VBAR")
)


def left_out(at: Situation) -> Finding | None:
    """Exactly one word or sign whose insertion makes the line right."""
    if at.token.type == JUNK or at.before is None:
        return None
    fitting = [kind for kind in _INSERTABLE if kind in at.accepted and at.fits([kind])]
    if len(fitting) != 1:
        return None
    word = SPELLING[fitting[0]]
    place = at.before.end
    glue = "" if word in ",)}" else " "
    return finding(
        at,
        "E0103",
        f"`{word}` is missing before {shown(at.token)}",
        label=f"`{word}` before this" if at.token.text else f"`{word}` after this",
        advice=f"add `{word}`",
        edit=Edit(at.source.span(place, place), f"{glue}{word}"),
        repaired=at.replaced([Token(fitting[0], word, place, place)], 0),
    )


def result_without_name(at: Situation) -> Finding | None:
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
        return finding(
            at,
            "E0103",
            f"the result of `{token.text}` needs a name",
            advice=f"write `let result = {token.text} ...`",
            edit=Edit(at.source.span(token.start, token.start), "let result = ") if fits else None,
            repaired=candidate if fits else None,
        )
    if token.type in ("CHOOSES", "GAINS", "LOSES"):
        verb = token.text if token.text.endswith("s") else token.text + "s"
        return finding(
            at,
            "E0103",
            f"who {verb}?",
            label="nobody stands before this",
            advice=f"write `player {verb} ...`",
        )
    return None


def nameless_each(at: Situation) -> Finding | None:
    """`each Player: ...`."""
    token = at.token
    if token.type != "TYPE" or at.before is None or at.before.type != "EACH":
        return None
    name = snake_case(token.text)
    candidate = at.replaced([retyped(token, "NAME", name), retyped(token, "IN", "in"), token], 1)
    fits = at.line_fits(candidate)
    return finding(
        at,
        "E0103",
        "each of them needs a name",
        advice=f"write `each {name} in {token.text}`",
        edit=Edit(at.span(token), f"{name} in {token.text}") if fits else None,
        repaired=candidate if fits else None,
    )


def empty_brackets(at: Situation) -> Finding | None:
    """`do rest()`, `effect rest():`."""
    if at.token.type != "RPAR" or at.before is None or at.before.type != "LPAR":
        return None
    candidate = [*at.tokens[: at.place - 1], *at.tokens[at.place + 1 :]]
    fits = at.line_fits(candidate)
    return finding(
        at,
        "E0103",
        "nothing stands in these brackets",
        token=at.before._replace(end=at.token.end, text="()"),
        advice="leave them out" if fits else None,
        edit=Edit(at.source.span(at.before.start, at.token.end), "") if fits else None,
        repaired=candidate if fits else None,
    )


def bare_die(at: Situation) -> Finding | None:
    """`let die = roll 6`."""
    before, verb = at.before, at.tokens[at.place - 2] if at.place >= 2 else None
    if before is None or verb is None or verb.type != "ROLL" or before.type != "NUMBER":
        return None
    if at.token.type not in ("_NL", "BY", "CITE"):
        return None
    return finding(
        at,
        "E0103",
        "dice have a name",
        token=before,
        advice=f"declare one, `define D{before.text} = 1..{before.text}`, and write `roll D{before.text}`",
    )


def needless_then(at: Situation) -> Finding | None:
    """`if a is 3 then do b`, `when a is 3 then:`."""
    token = at.token
    if token.type != "THEN" or "_COLON" not in at.accepted:
        return None
    following = at.tokens[at.place + 1].type if at.place + 1 < len(at.tokens) else "_NL"
    new = [] if following == "_COLON" else [Token("_COLON", ":", token.start, token.end)]
    fits = at.fits([part.type for part in new], skip=1)
    return finding(
        at,
        "E0103",
        "`then` is not written here",
        advice="leave it out" if following == "_COLON" else "write `:` in place of it",
        edit=Edit(at.span(token), "".join(part.text for part in new)) if fits else None,
        repaired=at.replaced(new, 1) if fits else None,
    )


def half_comparison(at: Situation) -> Finding | None:
    """`if a is 3 or is 5:`, `if a > 3 and < 5:`."""
    if at.token.type not in ("IS", "OP", "IN") or at.before is None:
        return None
    if at.before.type not in ("AND", "OR"):
        return None
    said, joint = at.token.text, at.before.text
    return finding(
        at,
        "E0103",
        f"nothing stands between `{joint}` and `{said}`",
        label="what is compared is said again",
        advice=f"write it on both sides: `... {joint} x {said} ...`",
    )


_EVENTS: Final = token_types("BEFORE AFTER INSTEAD")


def event_amount(at: Situation) -> Finding | None:
    """`after player gains 1 gold:`, `after player gains gold:`, `when player gains 1 gold:`."""
    types = [token.type for token in at.tokens[: at.place + 1]]
    verb = next((place for place, kind in enumerate(types) if kind in ("GAINS", "LOSES")), None)
    if verb is None or not 0 < at.place - verb + 1 <= 3:
        return None
    said = at.tokens[verb].text
    first = next((kind for kind in types if kind in _EVENTS or kind in ("WHEN", "NAME")), "")
    if "WHEN" in types[:verb] and verb == at.place and not _EVENTS & set(types[:verb]):
        return finding(
            at,
            "E0103",
            "`when` waits for a state, not for something that happens",
            advice=f"write `after player {said} n field:`",
        )
    if first not in _EVENTS or verb == at.place:
        return None
    return finding(
        at,
        "E0103",
        "the amount of an event has a name",
        token=at.tokens[verb + 1] if verb + 1 < len(at.tokens) else None,
        advice=f"write `{said} n ...`, and test it: `when n is 1`",
    )


def amount(at: Situation) -> Finding | None:
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
    return finding(
        at,
        "E0103",
        f"how many does it {verb.text.rstrip('s')}?",
        token=before,
        label="a number is missing before this",
        advice=f"write `{verb.text} 1 {before.text}`",
        edit=Edit(at.source.span(before.start, before.start), "1 "),
    )


def orphaned_else(at: Situation) -> Finding | None:
    """`else:` under nothing."""
    if at.place or at.token.type != "ELSE":
        return None
    return finding(
        at,
        "E0103",
        "no `if` or question above that this `else` belongs to",
        advice="give it the same indentation as its `if`",
    )


def at_left_edge(at: Situation) -> Finding | None:
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
    return finding(
        at,
        "E0103",
        "no declaration begins like this",
        token=first,
        label="a line at the left edge declares something",
        advice="put what happens under an `effect`, a `phase` or a rule such as `after ...:`",
    )


def changed_definition(at: Situation) -> Finding | None:
    """`change define x = 3`."""
    if at.token.type != "DEFINE" or at.before is None or at.before.type != "CHANGE":
        return None
    return finding(
        at,
        "E0103",
        "a definition is not changed, it gets an exception",
        advice="write `name: +1 when ...` or `name: value when ...`",
    )
