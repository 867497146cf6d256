"""What questions work out for each option or answer, with what is the same for all in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.hoisting import hoisted
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.compiling.emit.module import Module


def legal_ones(m: Module, ask: ir.Ask, whole: ir.Expr, answers: ir.Local) -> ir.Expr:
    """Those of some answers (a list of sets) for which the condition on a whole answer holds."""
    lets, test = _in_front(m, ask.name, whole, m.sound)
    found = ir.Where(source=answers, var=ask.name, cond=test, type=answers.type, span=ask.span)
    return _bound(lets, hoisted(found, m.scopes, m.dependencies, m.sound, m.temp))


def best_ones(m: Module, ask: ir.Ask, keys: tuple[ir.Key, ...], members: ir.Local) -> ir.Expr:
    """Those of some options, one at least, that come first.

    What the first key begins with is worked out for the first option in any case, so it may be a fault.
    """
    first, *others = keys
    lets, body = _in_front(m, first.var, first.body, lambda _: True)
    ranked = (attrs.evolve(first, body=body), *others)
    best = ir.Best(source=members, keys=ranked, type=members.type, span=ask.span)
    return _bound(lets, best)


def _in_front(
    m: Module, var: str, e: ir.Expr, allowed: Callable[[ir.Expr], bool]
) -> tuple[list[ir.LetIn], ir.Expr]:
    """What an expression begins with that is the same for every value of a local, and the rest."""
    lets: list[ir.LetIn] = []
    while isinstance(e, ir.LetIn) and var not in m.scopes.free(e.value) and allowed(e.value):
        lets.append(e)
        e = e.body
    return lets, e


def _bound(lets: list[ir.LetIn], e: ir.Expr) -> ir.Expr:
    for let in reversed(lets):
        e = attrs.evolve(let, body=e, type=e.type)
    return e
