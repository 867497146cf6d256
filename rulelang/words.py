"""The words of the language by what they are, for tools that colour and complete texts.

All of them come from where the language itself has them: the grammar, the built-in functions, the reserved names.
"""

from __future__ import annotations

import functools

from rulelang.grammar import load_tables
from rulelang.symbols import BUILT_IN_TYPES


@functools.cache
def keywords() -> frozenset[str]:
    """Give the words that the grammar has."""
    return frozenset(word for word in load_tables().literals if word[0].isalpha())


@functools.cache
def openers() -> frozenset[str]:
    """Give the keywords that a declaration at the left edge can begin with."""
    tables = load_tables()
    first = tables.actions[tables.start]
    return frozenset(word for word in keywords() if tables.literals[word] in first)


def constants() -> frozenset[str]:
    """Give the names that mean the same in every ruleset."""
    from rulelang.lowering.names import RESERVED  # noqa: PLC0415 - the lowering is not needed to lex

    return RESERVED


def functions() -> dict[str, tuple[str, ...]]:
    """Give the built-in functions with their parameters; one that ends in `?` may be left out."""
    from rulelang.lowering.builtins import signatures  # noqa: PLC0415 - the same

    return signatures()


def doings() -> tuple[str, ...]:
    """Give the built-in doings."""
    from rulelang.lowering.statements import GIVEN_DOINGS  # noqa: PLC0415 - the same

    return GIVEN_DOINGS


def types() -> tuple[str, ...]:
    """Give the types that need no declaration."""
    return BUILT_IN_TYPES
