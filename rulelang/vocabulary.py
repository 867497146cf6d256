"""Words and signs people bring along from elsewhere, and what they are called here.

Read by `mistakes` and by what names types and words. An entry of `FIRST_WORDS` is a help text and the words that could
stand in its place, empty if a whole line has to be written differently.
"""

from __future__ import annotations

from typing import Final


def _verbs(table: dict[str, str]) -> dict[str, str]:
    return {word: verb for verb, words in table.items() for word in words.split()}


VERBS: Final[dict[str, str]] = _verbs(
    {
        "gains": "receives receive gets get takes take earns earn adds add collects collect scores score obtains"
        " draws draw increases",
        "loses": "pays pay spends spend discards discard removes remove gives give subtracts forfeits decreases",
        "becomes": "become sets set equals changes turns gets_to",
        "chooses": "picks pick selects select decides decide",
        "may": "can could might",
    }
)

ORDERS: Final[dict[str, str]] = {
    word: advice
    for advice, words in (
        ("write `player gains 1 field`", "add give increase raise score earn collect"),
        ("write `player loses 1 field`", "subtract remove pay spend decrease reduce lower lose"),
        ("write `move thing to place`", "put place draw discard deal take play"),
        ("write `player chooses name from S`", "ask select"),
    )
    for word in words.split()
}

SIGNS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "==": (
        ("is", "this compares"),
        ("=", "this gives a name"),
        ("becomes", "this changes a value"),
    ),
    "===": (
        ("is", "this compares"),
        ("=", "this gives a name"),
        ("becomes", "this changes a value"),
    ),
    "!=": (("is not", "this compares"),),
    "!==": (("is not", "this compares"),),
    "<>": (("is not", "this compares"),),
    ":=": (("=", "this gives a name"), ("becomes", "this changes a value")),
    "&&": (("and", ""),),
    "&": (("and", ""),),
    "||": (("or", ""),),
    "!": (("not", ""),),
    "=<": (("<=", ""),),
    "=>": ((">=", ""), (":", "")),
    "->": (("gives", ""), (":", "")),
    "...": (("..", ""),),
    "\u2013": (("-", ""),),
    "\u2212": (("-", ""),),
    "\u00d7": (("*", ""),),
    "≤": (("<=", ""),),
    "≥": ((">=", ""),),
    "≠": (("is not", ""),),
}

FIRST_WORDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "elif": ("write `else if`", ("else", "if")),
    "elsif": ("write `else if`", ("else", "if")),
    "elseif": ("write `else if`", ("else", "if")),
    "otherwise": ("write `else`", ("else",)),
    "unless": ("write `if not`", ("if", "not")),
    "for": ("write `each x in S:`", ("each",)),
    "foreach": ("write `each x in S:`", ("each",)),
    "loop": ("write `while C:` or `each x in S:`", ()),
    "repeat": ("write `while C:` or `each n in 1..3:`", ()),
    "return": ("write `end NAME with value`", ()),
    "set": ("write `thing.field becomes value`", ()),
    "var": ("write `let name = value`", ("let",)),
    "const": ("write `let name = value` here, `define name = value` at the left edge", ("let",)),
    "def": (
        "write `effect name(...):` for what happens, `define name(...) = ...` for a value",
        ("effect",),
    ),
    "func": (
        "write `effect name(...):` for what happens, `define name(...) = ...` for a value",
        ("effect",),
    ),
    "function": (
        "write `effect name(...):` for what happens, `define name(...) = ...` for a value",
        ("effect",),
    ),
    "action": ("write `may name(...):` with `then:`", ("may",)),
    "rule": ("write `after ...:`, `before ...:`, `instead of ...:` or `when ...:`", ()),
    **dict.fromkeys(
        ("allow", "permit"),
        (
            "to allow an action, write `action(player): yes when ...`, or `may action(player):` for a new one",
            (),
        ),
    ),
    "class": ("write `component Kind:`", ("component",)),
    "struct": ("write `component Kind:`", ("component",)),
    "enum": ("write `define Name = a, b, c`", ("define",)),
    "switch": ("write a `table`", ()),
    "match": ("write a `table`", ()),
    "import": ("the files of one folder are one text; nothing is imported", ()),
    "include": ("the files of one folder are one text; nothing is included", ()),
    "print": ("nothing is printed: the log says what happened", ()),
    "break": ("write `end NAME` with the name of what ends", ()),
    "continue": ("put the rest of the loop under an `if`", ()),
    "pass": ("write `do nothing`", ("do", "nothing")),
    "shuffle": ("write `do shuffle(pile)`", ()),
    "win": ("write `do win(players)`", ()),
    "then": ("what follows stands in a block under the line before", ()),
    "on": ("write `after ...:` or `before ...:`", ("after",)),
    "whenever": ("write `when ...:` for a state, `after ...:` for an event", ("when",)),
}

FOREIGN_TYPES: Final[dict[str, str]] = {
    "int": "Number",
    "integer": "Number",
    "number": "Number",
    "bool": "Flag",
    "boolean": "Flag",
    "flag": "Flag",
    "string": "Text",
    "str": "Text",
    "text": "Text",
}

FOREIGN_WORDS: Final[dict[str, str]] = {
    "true": "yes",
    "false": "no",
    "null": "none",
    "nil": "none",
    "nothing": "none",
    "empty": "{}",
    "bank": "supply",
}
