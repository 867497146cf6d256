"""The register of diagnostic codes: one table from code to name, severity and summary.

`number` is the row of the table of diagnostics in the language reference; 0 means that the
code refines one of them. The text that `explain` prints is `explanations/CODE.md`. Codes
are never used again for something else.
"""

from __future__ import annotations

import importlib.resources

import attrs

from rulelang.diagnostics import Severity


@attrs.frozen
class Code:
    """One kind of finding.

    Attributes:
        code: `E0101`; E01 syntax, E02 names, E03 types, E04 flow, E05 decisions, E06 secrecy,
            E07 variants, E08 data, E09 scenarios; L00 comments that silence others, and lints: L01
            options, tables and decisions, L02 choices, citations and secrets; R01 faults while playing, R02
            recorded games.
        name: Names the bad pattern, so that it reads well after "allow".
        severity: What it is normally reported as.
        summary: One line.
        number: Row in the reference's table, or 0.
        may_warn: Whether it is reported as a warning too, where nothing is proved.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    number: int = 0
    may_warn: bool = False


_E = Severity.ERROR
_W = Severity.WARNING

_TABLE: tuple[Code, ...] = (
    Code("E0101", "unexpected-indentation", _E, "indentation fits no block, or a tab", 1),
    Code("E0102", "missing-block", _E, "a block was expected, or its colon is missing", 2),
    Code("E0103", "unexpected-word", _E, "not a word that can stand here", 3),
    Code(
        "E0104",
        "foreign-operator",
        _E,
        "`=`, `+=`, `==` and other signs the language does not have",
        4,
    ),
    Code("E0105", "unclosed-bracket-or-quote", _E, "a bracket or a quote is not closed"),
    Code("E0106", "chained-comparison", _E, "comparisons in a row"),
    Code("E0107", "negative-number", _E, "a minus in front of a number"),
    Code("E0108", "unreadable-character", _E, "a character that no rule can contain"),
    Code("E0109", "oversized-text", _E, "a text, line, number or nesting beyond the limits"),
    Code(
        "E0110",
        "wrong-case-name",
        _E,
        "a capital where a name begins small, or the other way round",
    ),
    Code("E0201", "unknown-name", _E, "unknown name", 5),
    Code("E0202", "misplaced-do", _E, "a doing without `do`, or an expression with it", 6),
    Code("E0203", "unknown-property", _E, "a kind has no such property", 7),
    Code("E0204", "name-in-use", _E, "a bound name already means something here", 8),
    Code(
        "E0205", "pattern-name-in-use", _E, "a name in an event pattern already means something", 9
    ),
    Code("E0206", "ambiguous-word", _E, "a name could be several words or ids", 10),
    Code("E0207", "untyped-parameter", _E, "a parameter is not typed by its name", 11),
    Code("E0208", "misplaced-it", _E, "`it` outside of `where`, or of the wrong kind", 12),
    Code(
        "E0209",
        "reserved-or-double-name",
        _E,
        "a reserved word as a name, or one name declared twice",
        13,
    ),
    Code("E0210", "unused-declaration", _W, "declared and never used", 15),
    Code("E0211", "unknown-citation", _E, "the rulebook has no such id", 16),
    Code("E0212", "uncited-rule", _W, "an id of the rulebook that nothing cites", 17),
    Code("E0213", "unknown-event", _E, "event unknown, or its pattern incomplete", 45),
    Code("E0214", "unknown-setting", _E, "unknown setting", 60),
    Code(
        "E0301",
        "wrong-arguments",
        _E,
        "wrong number or type of arguments, or a comparison no value satisfies",
        14,
    ),
    Code("E0302", "value-outside-range", _E, "a constant outside its range", 22),
    Code("E0303", "unguarded-range", _W, "a change that may leave the range", 23),
    Code("E0304", "unguarded-none", _E, "`none` where a value is needed", 24),
    Code(
        "E0305", "possibly-empty-set", _W, "`first`, `only`, `top`, `pick` of what may be empty", 25
    ),
    Code("E0306", "impossible-place", _E, "a move to a place that the kind cannot be in", 27),
    Code("E0307", "created-component", _E, "a component is not created or copied, only moved", 28),
    Code("E0308", "incomplete-table", _E, "a table leaves out, or repeats, a key", 29),
    Code("E0309", "mixed-table", _E, "a table mixes values and doings", 30),
    Code("E0310", "signed-non-number", _E, "a signed exception of something that is no number", 34),
    Code(
        "E0311", "effect-in-expression", _E, "an effect, chance or choice inside an expression", 35
    ),
    Code("E0312", "broken-map", _E, "a map of two kinds, or a cost that may be negative", 55),
    Code(
        "E0401",
        "unset-field",
        _E,
        "a field without default that no line sets, or that is read before",
        26,
    ),
    Code("E0402", "dead-rule", _W, "a row, rule or exception that can never match", 31),
    Code("E0403", "circular-definition", _E, "definitions in a circle", 32),
    Code(
        "E0404",
        "rival-exceptions",
        _E,
        "two unsigned exceptions may apply at once",
        33,
        may_warn=True,
    ),
    Code("E0405", "missing-result", _E, "a way through the doing gives no result", 36),
    Code("E0406", "misplaced-end", _E, "`end` of what is not open, or without its value", 37),
    Code(
        "E0407",
        "phase-value-outside",
        _E,
        "a phase value or lent field where the phase need not run",
        38,
    ),
    Code(
        "E0408",
        "untimely-change",
        _E,
        "an argument changed in an `after`, a result in a `before` rule",
        46,
    ),
    Code(
        "E0409", "restless-state-rule", _W, "a state rule that cannot make its condition false", 47
    ),
    Code("E0410", "ownerless-card", _E, "a card rule uses `you` where nobody has the card", 48),
    Code("E0411", "rowless-card", _E, "a card of a row that does not exist", 49, may_warn=True),
    Code("E0412", "impossible-duration", _E, "a duration of a doing that cannot follow", 50),
    Code("E0413", "endless-while", _E, "a `while` that nothing inside can end", 58),
    Code("E0414", "endless-doings", _E, "doings that call each other without end", 59),
    Code(
        "E0501",
        "optionless-decision",
        _E,
        "a decision without option and `else`",
        39,
        may_warn=True,
    ),
    Code("E0502", "missing-policy", _E, "an automa can reach a decision without a policy", 40),
    Code("E0503", "wrong-policy", _E, "a policy of the wrong form", 41),
    Code("E0504", "repeated-path", _W, "two decisions or draws of one path", 43),
    Code("E0505", "repeated-option", _W, "the same option twice in a choice", 44),
    Code(
        "E0601",
        "hidden-information",
        _E,
        "a chooser's question reads what the chooser cannot see",
        42,
        may_warn=True,
    ),
    Code("E0701", "change-of-nothing", _E, "a variant changes or drops what does not exist", 51),
    Code("E0702", "variant-conflict", _E, "variants conflict", 52, may_warn=True),
    Code(
        "E0703",
        "wrong-variant-set",
        _E,
        "a needed variant missing, an excluded one present, `after` in a circle",
        53,
    ),
    Code(
        "E0704",
        "idle-option",
        _W,
        "an option that changes nothing",
        54,
    ),
    Code(
        "E0705",
        "wrong-preset",
        _E,
        "a preset sets an option that does not exist or a value outside it",
        57,
    ),
    Code("E0706", "shared-moment", _W, "two variants set one value at the same moment"),
    Code("E0707", "moved-base", _W, "the base has changed since a variant was written for it"),
    Code(
        "E0708", "loose-declaration", _E, "a declaration in a file of variants is in none of them"
    ),
    Code(
        "E0801",
        "missing-file",
        _E,
        "a file is missing, outside the folder, or without the column",
        18,
    ),
    Code("E0802", "wrong-cell", _E, "a cell is not a value of its field", 19),
    Code("E0803", "repeated-id", _E, "two rows with one id, or an empty id", 20),
    Code("E0804", "unread-column", _W, "a column that no field reads", 21),
    Code("E0805", "unreadable-hints", _E, "`table.toml` is no TOML"),
    Code("E0806", "unknown-hint", _E, "a key or name in `table.toml` that there is not"),
    Code("E0807", "wrong-hint", _E, "a value in `table.toml` that is none for its key"),
    Code(
        "E0901",
        "wrong-script",
        _E,
        "a scenario's answer was not offered, or its script is left over or short",
        56,
    ),
    Code("E0902", "unplayable-piece", _E, "no scenario can be made of a piece of a recorded game"),
    Code("L0001", "unused-suppression", _W, "a comment that silences no warning"),
    Code("L0002", "unknown-suppression", _W, "a comment that silences what there is not"),
    Code("L0101", "repeated-literal", _W, "a number that repeats an option"),
    Code("L0102", "impossible-row", _W, "a table row that nothing looks up"),
    Code("L0103", "incomplete-order", _W, "an order of tie-breaks that does not end"),
    Code("L0201", "clairvoyant-policy", _W, "a policy reads what its seat may not see"),
    Code("L0202", "lone-option", _W, "a choice that never has more than one option"),
    Code("L0203", "endless-state-rule", _W, "state rules that leave their conditions true"),
    Code("L0204", "uncited-step", _W, "a step or rule that cites nothing of the rulebook"),
    Code("L0205", "unexercised-citation", _W, "a citation that nothing that was played exercises"),
    Code("L0206", "derivable-secret", _W, "a secret that what is open gives away"),
    Code(
        "L0207", "hidden-remainder", _W, "a hidden pile whose content shows by what lies elsewhere"
    ),
    Code("R0101", "range-left", _E, "a change went past the edge of a range"),
    Code("R0102", "missing-value", _E, "`none`, or a field not yet set, was used as a value"),
    Code("R0103", "empty-set", _E, "one was needed of a set that was empty"),
    Code("R0104", "rival-exceptions-met", _E, "two unsigned exceptions applied at once"),
    Code("R0105", "illegal-doing", _E, "an action was done that was not legal"),
    Code("R0106", "no-option", _E, "a decision had no option and no `else`"),
    Code("R0107", "broken-promise", _E, "an `always` did not hold"),
    Code("R0108", "division-by-zero", _E, "a division by 0"),
    Code("R0109", "budget-spent", _E, "a limit on rounds, rules, lines or nesting was reached"),
    Code("R0110", "wrong-place", _E, "a move to a place that cannot hold the thing"),
    Code("R0111", "told-secret", _E, "a question told its chooser what the chooser cannot see"),
    Code("R0112", "overlong-game", _E, "a game did not come to its end"),
    Code("R0201", "unreadable-record", _E, "a file is no saved game, replay or journal"),
    Code("R0202", "other-format", _E, "a saved game, replay or journal has another format"),
    Code("R0203", "damaged-record", _E, "a saved game, replay or journal is not as it was written"),
    Code(
        "R0204",
        "other-game",
        _E,
        "a recorded game is of another ruleset, other variants, seats or options",
    ),
    Code("R0205", "other-rules", _E, "the rules have changed since a game was recorded"),
    Code("R0206", "impossible-position", _E, "a saved game stands where no game can"),
    Code("R0207", "parted-record", _E, "a game does not follow its recording"),
    Code("R0208", "game-in-use", _E, "another process plays a game"),
    Code("R0209", "no-such-journal", _E, "a journal cannot be opened or written"),
)

CODES: dict[str, Code] = {entry.code: entry for entry in _TABLE}
BY_NAME: dict[str, Code] = {entry.name: entry for entry in _TABLE}
BY_NUMBER: dict[int, Code] = {entry.number: entry for entry in _TABLE if entry.number}


def lookup(text: str) -> Code | None:
    """Find a code by `E0101` in either case, or by its name; None if there is none."""
    wanted = text.strip()
    found = CODES.get(wanted.upper())
    if found is not None:
        return found
    return BY_NAME.get(wanted.lower())


def explanation(code: str) -> str:
    """Give the Markdown text about a code; empty if the code has none.

    Args:
        code: As registered, `E0101`.
    """
    place = importlib.resources.files("rulelang").joinpath("explanations", f"{code}.md")
    return place.read_text(encoding="utf-8") if code in CODES and place.is_file() else ""
