"""Checks of a whole lowered ruleset, one module for each question.

They run after lowering, on the IR, and only add findings. What is wrong with a single line is found
while it is lowered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker import (
    automas,
    endings,
    exceptions,
    phases,
    replacements,
    secrecy,
    unset,
    unused,
)
from rulelang.checker.graph import Graph

if TYPE_CHECKING:
    from rulelang import ir
    from rulelang.lowering.context import Context

RIVALS = ("E0404", "E0702")
"""The codes of rules that contradict each other: such a ruleset could be played until they meet."""

CHECKS = (
    unused.check,
    unset.check,
    exceptions.check,
    replacements.check,
    endings.check,
    phases.check,
    automas.check,
    secrecy.check,
)


def check(
    ctx: Context,
    definitions: tuple[ir.Definition, ...],
    doings: tuple[ir.Doing, ...],
    state_rules: tuple[ir.StateRule, ...],
) -> Graph:
    """Add the findings about a whole ruleset; give what they were found in."""
    graph = Graph(ctx, definitions, doings, state_rules)
    for question in CHECKS:
        question(graph)
    return graph
