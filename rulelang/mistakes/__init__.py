"""What is wrong with a line, and what was meant.

The parser comes here with a token that cannot stand where it is. Each function below knows one
kind of mistake; the first that recognises it answers. Wherever a correction is proposed, the
machine has tried it first: a proposal that would not parse is never made. Token types are
turned into the author's words before anything is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang.mistakes import lines, orders, signs, words
from rulelang.mistakes.situation import Finding, Situation, expectation, finding, shown
from rulelang.mistakes.stand_ins import StandIn, filler_before_dedent, missing_block, stand_in

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Finding",
    "Situation",
    "StandIn",
    "diagnose",
    "filler_before_dedent",
    "missing_block",
    "stand_in",
]


def diagnose(at: Situation) -> Finding:
    """Say what is wrong."""
    for recognise in _RECOGNISERS:
        found = recognise(at)
        if found is not None:
            return found
    return _unexpected(at)


def _unexpected(at: Situation) -> Finding:
    """Nothing better is known."""
    token = at.token
    if token.type == "_NL":
        return finding(at, "E0103", "this line ends too early", label=expectation(at))
    return finding(at, "E0103", f"{shown(token)} cannot stand here", label=expectation(at))


_RECOGNISERS: Final[tuple[Callable[[Situation], Finding | None], ...]] = (
    words.first_word,
    lines.continued_line,
    lines.block_behind_colon,
    signs.foreign_sign,
    words.changed_definition,
    words.result_without_name,
    signs.fraction,
    signs.equals,
    signs.chained,
    signs.negative,
    signs.bare_difference,
    words.misplaced_do,
    words.text_after_condition,
    words.quoted_value,
    words.orphaned_else,
    orders.trailing_if,
    orders.bare_change,
    signs.closing_bracket,
    orders.forbidding_verb,
    lines.colon_within,
    words.empty_brackets,
    words.half_comparison,
    words.bare_die,
    words.nameless_each,
    words.needless_then,
    words.event_amount,
    words.amount,
    words.keyword_as_name,
    words.wrong_case,
    words.misspelt,
    words.unknown_verb,
    words.at_left_edge,
    words.left_out,
)
