"""From a Program to a code object and what goes with it."""

from __future__ import annotations

import ast
import re
from math import prod
from typing import TYPE_CHECKING

from interpreter.compiling.analysis import about_a_player, walk
from interpreter.compiling.built import FILE_NAME, Built
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import sets  # noqa: F401 - it registers translations
from interpreter.compiling.emit.doings import DoingMaker
from interpreter.compiling.emit.loops import returning
from interpreter.compiling.emit.module import SINGLE, Module
from interpreter.compiling.emit.policies import with_memory
from interpreter.compiling.emit.repeats import without_repeats
from interpreter.compiling.emit.rules import make_promises, make_settle
from interpreter.compiling.emit.settling import waiting
from interpreter.compiling.emit.tables import LOOPS, try_table
from interpreter.compiling.optimise import optimised
from interpreter.layout import Layout

if TYPE_CHECKING:
    from interpreter.compiling.built import Flags
    from rulelang import ir


REMEMBERED = 20_000
"""So many answers of one definition may be remembered."""
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
    if flags.measured:
        for index, definition in enumerate(m.program.definitions):
            if about_a_player(definition):
                m.definition(index)
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
        functions = with_memory(functions, m.single)
    tree = ast.Module([*functions], [])
    q.locate_rest(tree)
    return tree, m


def _definition(m: Module, index: int) -> None:
    definition = m.program.definitions[index]
    params = ["S", *(m.local(param.name) for param in definition.params)]
    if all(param.type.shape in SINGLE for param in definition.params):
        m.single.add(f"f{index}")
    if not _worth_remembering(m, definition):
        m.function(f"f{index}", params, returning(m, definition.body), definition.span)
        return
    made = f"f{index}_made"
    m.function(made, params, returning(m, definition.body), definition.span)
    m.function(f"f{index}", params, remembered(m, index, made, params[1:]), definition.span)


def _worth_remembering(m: Module, definition: ir.Definition) -> bool:
    """Does a definition look at data only, and at so much of it that each answer is looked for once?"""
    if not m.flags.optimise or not definition.params:
        return False
    if not any(isinstance(node, LOOPS) for node in walk(definition.body)):
        return False
    if not m.dependencies.reads(definition.body).data_only:
        return False
    things = [
        sum(m.program.kinds[kind].count for kind in param.type.kinds)
        for param in definition.params
        if param.type.shape == "thing"
    ]
    return len(things) == len(definition.params) and prod(things) <= REMEMBERED


def remembered(m: Module, index: int, made: str, params: list[str]) -> list[ast.stmt]:
    """Give what is known for these arguments, or find it out."""
    known = q.name(m.memory(index))
    given = q.tuple_([q.name(param) for param in params])
    found = m.temp()
    look = q.assign(found, q.method(known, "get", given, known))
    find = q.assign(found, q.call(made, q.name("S"), *(q.name(param) for param in params)))
    keep = ast.Assign([q.sub_store(known, given)], q.name(found))
    return [look, q.if_(q.compare(q.name(found), "is", known), [find, keep]), q.give(q.name(found))]


__all__ = ["Built", "Flags", "build", "generate"]
