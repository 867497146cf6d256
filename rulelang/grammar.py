"""The parser's tables: made from `grammar.lark` when the grammar changes, read at every start.

Building LALR tables takes seconds, reading them some milliseconds, so `tables.json` is part of
the package. `python -m rulelang.grammar` writes it again; a test compares the digest in it with
the grammar. Lark is needed for the building only, and nothing is unpickled.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import json
import re
from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES_VERSION: Final = 1
INLINE: Final = 1000
"""Added to a position in a plan: the children of that helper are taken in, not the helper."""

END: Final = "$END"


@attrs.frozen
class Production:
    """One way to make a symbol.

    Attributes:
        origin: The symbol made.
        length: Number of symbols it is made of.
        build: Name under which the builder knows it; empty for helpers, whose children are handed up.
        collapse: With exactly one child, that child stands for it.
        plan: Which children are kept: positions, positions + INLINE, or -1 for an absent optional part.
        renames: It hands its only child up as it is.
        keeps_all: Its children are all symbols that it is made of, in order.
    """

    origin: str
    length: int
    build: str
    collapse: bool
    plan: tuple[int, ...]
    renames: bool = attrs.field(init=False)
    keeps_all: bool = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Find out what the parser would otherwise find out again at each use."""
        renames = self.plan == (0,) and self.length == 1 and bool(self.build) and self.collapse
        object.__setattr__(self, "renames", renames)
        object.__setattr__(self, "keeps_all", self.plan == tuple(range(self.length)))


@attrs.frozen(eq=False)
class Tables:
    """What the lexer and the parser need to know of the grammar.

    Attributes:
        digest: SHA-256 of the grammar they were made from.
        literals: Keywords and signs with their token types.
        patterns: The token types that are given by a regular expression.
        productions: The rules, numbered as the actions name them.
        actions: For each state: token type to state to go to, or ~number of the production to reduce.
        gotos: For each state: symbol made to state to go to.
        start: The first state.
        accepting: The state in which the end of the text is right.
    """

    digest: str
    literals: dict[str, str]
    patterns: dict[str, str]
    productions: tuple[Production, ...]
    actions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]
    start: int
    accepting: int


def grammar_text() -> str:
    """Give the grammar as it is in the package."""
    return (
        importlib.resources.files("rulelang").joinpath("grammar.lark").read_text(encoding="utf-8")
    )


def grammar_digest() -> str:
    """Give the SHA-256 of the grammar."""
    return hashlib.sha256(grammar_text().encode()).hexdigest()


@functools.cache
def load_tables() -> Tables:
    """Read the tables of the package, once in a process."""
    raw = json.loads(
        importlib.resources.files("rulelang").joinpath("tables.json").read_text(encoding="utf-8")
    )
    action_rows: list[dict[str, int]] = raw["action_rows"]
    goto_rows: list[dict[str, int]] = raw["goto_rows"]
    return Tables(
        digest=raw["digest"],
        literals=raw["literals"],
        patterns=raw["patterns"],
        productions=tuple(Production(o, n, b, c, tuple(p)) for o, n, b, c, p in raw["productions"]),
        actions=tuple(action_rows[a] for a, _ in raw["states"]),
        gotos=tuple(goto_rows[g] for _, g in raw["states"]),
        start=raw["start"],
        accepting=raw["accepting"],
    )


# ------------------------------------------------------------------ building


class _NoLayout:
    """Stands for the layout while the grammar is built: tokens pass unchanged."""

    always_accept = ()

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


def build_lark(*, strict: bool) -> Any:  # noqa: ANN401 - Lark's own type would make it a dependency of every import
    """Build the grammar with Lark.

    Args:
        strict: Fail on colliding terminals too (needs interegular).

    Raises:
        lark.exceptions.GrammarError: The grammar is wrong, or not LALR(1) where strict.
    """
    from lark import Lark  # noqa: PLC0415 - development only

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=_NoLayout(),
        maybe_placeholders=True,
        strict=strict,
    )


def _plan(rule: Any) -> list[int]:  # noqa: ANN401
    """Say which children of a production are kept, as Lark's tree builder would."""
    gaps = [0] * (len(rule.expansion) + 1)
    if rule.options.empty_indices:
        gaps = [
            len(ones)
            for ones in "".join(str(int(empty)) for empty in rule.options.empty_indices).split("0")
        ]
    plan: list[int] = []
    for position, symbol in enumerate(rule.expansion):
        plan.extend([-1] * gaps[position])
        if symbol.is_term and symbol.filter_out and not rule.options.keep_all_tokens:
            continue
        inline = not symbol.is_term and symbol.name.startswith("_")
        plan.append(position + INLINE if inline else position)
    return plan + [-1] * gaps[-1]


def _words(pattern: str) -> list[str]:
    r"""Give the words of a terminal such as `gains?\\b` or `(?:<=|<)`; none if it is a real pattern."""
    if verb := re.fullmatch(r"([a-z]+)s\?\\b", pattern):
        return [verb[1], verb[1] + "s"]
    if signs := re.fullmatch(r"\(\?:([<>=|]+)\)", pattern):
        return signs[1].split("|")
    return []


def _numbered_states(table: Any) -> dict[Any, int]:  # noqa: ANN401
    """Number the states as they are reached, symbols in order, so that one grammar has one table."""
    order = {table.start_states["start"]: 0}
    waiting = list(order)
    for state in waiting:  # grows while it is run over
        for _, (action, target) in sorted(table.states[state].items()):
            if action.name == "Shift" and target not in order:
                order[target] = len(order)
                waiting.append(target)
    return order


def build_tables() -> dict[str, Any]:
    """Make the content of `tables.json` from the grammar."""
    lark = build_lark(strict=False)
    table = lark.parser.parser._parse_table  # noqa: SLF001 - Lark shows its tables nowhere else
    rules = sorted(
        lark.rules, key=lambda rule: (rule.origin.name, [symbol.name for symbol in rule.expansion])
    )
    numbers = {rule: number for number, rule in enumerate(rules)}
    order = _numbered_states(table)
    action_rows: dict[str, int] = {}
    goto_rows: dict[str, int] = {}
    states = []
    symbols = {symbol.name: symbol.is_term for rule in rules for symbol in rule.expansion}
    for state in order:
        row = table.states[state]
        actions: dict[str, int] = {}
        gotos: dict[str, int] = {}
        for name, (action, target) in sorted(row.items()):
            value = order[target] if action.name == "Shift" else ~numbers[target]
            (actions if symbols.get(name, name == END) else gotos)[name] = value
        states.append(
            [
                action_rows.setdefault(json.dumps(actions), len(action_rows)),
                goto_rows.setdefault(json.dumps(gotos), len(goto_rows)),
            ]
        )
    literals, patterns = {}, {}
    for terminal in lark.terminals:
        pattern = terminal.pattern
        words = [pattern.value] if pattern.type == "str" else _words(pattern.value)
        if words:
            literals.update(dict.fromkeys(words, terminal.name))
        else:
            patterns[terminal.name] = pattern.value
    return {
        "version": TABLES_VERSION,
        "digest": grammar_digest(),
        "literals": literals,
        "patterns": patterns,
        "productions": [
            [
                rule.origin.name,
                len(rule.expansion),
                "" if rule.origin.name.startswith("_") else str(rule.alias or rule.origin.name),
                bool(rule.options.expand1 and not rule.alias),
                _plan(rule),
            ]
            for rule in rules
        ],
        "action_rows": [json.loads(row) for row in action_rows],
        "goto_rows": [json.loads(row) for row in goto_rows],
        "states": states,
        "start": order[table.start_states["start"]],
        "accepting": order[table.end_states["start"]],
    }


def main() -> None:
    """Write `tables.json` beside the grammar."""
    with importlib.resources.as_file(importlib.resources.files("rulelang")) as folder:
        text = json.dumps(build_tables(), separators=(",", ":"))
        (folder / "tables.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
