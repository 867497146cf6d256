"""From a Program to a code object and what goes with it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from interpreter.built import FILE_NAME, Built
from interpreter.emit import quote as q
from interpreter.emit import sets  # noqa: F401 - it registers translations
from interpreter.emit.doings import DoingMaker
from interpreter.emit.loops import returning
from interpreter.emit.module import Module
from interpreter.emit.repeats import without_repeats
from interpreter.emit.rules import make_promises, make_settle
from interpreter.emit.settling import waiting
from interpreter.emit.tables import try_table
from interpreter.layout import Layout
from interpreter.optimise import optimised

if TYPE_CHECKING:
    from interpreter.built import Flags
    from rulelang import ir


CHANGES_NOTHING = re.compile(r"[fh]\d|(whole|legal)\d")
"""What functions that change nothing are called: those of definitions, helpers and conditions."""


def build(program: ir.Program, options: tuple[object, ...], flags: Flags) -> Built:
    """Generate the code of a Program with these values of its options."""
    tree, m = generate(program, options, flags)
    return Built(
        code=compile(tree, FILE_NAME, "exec", dont_inherit=True, optimize=2),
        tables=m.tables,
        objects=m.objects,
        unmasks={kind: program.kinds[kind].base for kind in sorted(m.unmasks)},
        singles=m.singles,
        sums=tuple((total.slot, f"sum{total.slot}") for each in m.sums.values() for total in each),
        ways=m.ways_of,
        asks=tuple(m.asks),
        frames=tuple((each.doing, tuple(each.points)) for each in m.resumables),
        names=tuple(each.name for each in m.resumables),
        derived=m.derived,
        flags=flags,
    )


def generate(
    program: ir.Program, options: tuple[object, ...], flags: Flags
) -> tuple[ast.Module, Module]:
    """The syntax tree of the generated module, and what it was made with."""
    layout = Layout(program)
    m = Module(optimised(program, options, full=flags.optimise), layout, flags)
    m.try_table = try_table
    m.waiting = waiting(m)
    for doing in m.program.doings:
        DoingMaker(m, doing).make()
    make_settle(m)
    if flags.checks:
        make_promises(m)
    done: set[int] = set()
    while wanted := m.wanted_definitions(done):
        for index in wanted:
            done.add(index)
            _definition(m, index)
    for totals in m.sums.values():
        for total in totals:
            m.function(f"sum{total.slot}", ["S"], returning(m, total.whole), total.whole.span)
    functions = list(m.functions)
    if flags.optimise:
        functions = [
            without_repeats(each) if CHANGES_NOTHING.match(each.name) else each
            for each in functions
        ]
    tree = ast.Module([*functions], [])
    q.locate_rest(tree)
    return tree, m


def _definition(m: Module, index: int) -> None:
    definition = m.program.definitions[index]
    params = ["S", *(m.local(param.name) for param in definition.params)]
    m.function(f"f{index}", params, returning(m, definition.body), definition.span)


__all__ = ["Built", "Flags", "build", "generate"]
