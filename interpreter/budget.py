"""Budgets of a game and what each line costs; every engine charges exactly this.

Costs: entering a doing 1 + :func:`weight` of its body, a loop its rounds times the weight of its
body (an ``Each`` at its start for all rounds, a ``While`` at the start of each round, at least 1).
A rule firing is a hook's or state rule's body that begins. Lines and firings are counted between
two answers of a provider or a policy; sole answers and draws do not refill them.
Numbers are tested where two are multiplied and where a field or global is written.
"""

from __future__ import annotations

from functools import cache

from rulelang.ir import Ask, Block, If, Match

LINES = 100_000
FIRINGS = 1_000
DEPTH = 100
ROUNDS = 10_000
DECISIONS = 100_000
OFFERED = 10_000
SEARCH = 10_000
LARGEST = 10**9


@cache
def weight(block: Block) -> int:
    """How many statements a block has, those inside loops not counted."""
    total = 0
    for statement in block:
        total += 1
        if isinstance(statement, If):
            total += weight(statement.then) + weight(statement.orelse)
        elif isinstance(statement, Match):
            total += sum(weight(row) for _, row in statement.rows)
        elif isinstance(statement, Ask) and statement.otherwise is not None:
            total += weight(statement.otherwise)
    return total
