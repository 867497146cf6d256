"""From a Program to a code object and what goes with it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from interpreter.emit.doings import DoingMaker, make_promises, make_settle
from interpreter.emit.loops import returning
from interpreter.emit.module import Asking, Flags, Module, Point
from interpreter.emit.tables import try_table
from interpreter.layout import Layout
from interpreter.optimise import optimised

if TYPE_CHECKING:
    from types import CodeType

    from interpreter.derived import Derived
    from rulelang import ir

FILE_NAME = "<rules>"


@attrs.frozen
class Built:
    """Generated code; plain data and a code object, so it can be kept on disk.

    Attributes:
        code: Defines the functions when it is run.
        tables: Constants by name.
        objects: Packed types by name.
        unmasks: Kinds whose sets are masks, with their first things.
        singles: Tables of single things: first thing, how many, and whether there may be none.
        sums: Slots of totals with the functions that find them.
        memos: Names of dictionaries that remember.
        asks: What the game knows about each question.
        frames: For each function that can be suspended its number of doing and its points.
        names: The names of those functions.
        derived: The derived slots.
        flags: How it was built.
    """

    code: CodeType
    tables: dict[str, object]
    objects: dict[str, object]
    unmasks: dict[int, int]
    singles: dict[str, tuple[int, int, bool]]
    sums: tuple[tuple[int, str], ...]
    memos: tuple[str, ...]
    asks: tuple[Asking, ...]
    frames: tuple[tuple[int, tuple[Point, ...]], ...]
    names: tuple[str, ...]
    derived: Derived
    flags: Flags


def build(program: ir.Program, options: tuple[object, ...], flags: Flags) -> Built:
    """Generate the code of a Program with these values of its options."""
    tree, m = generate(program, options, flags)
    return Built(
        code=compile(tree, FILE_NAME, "exec", dont_inherit=True, optimize=2),
        tables=m.tables,
        objects=m.objects,
        unmasks={kind: program.kinds[kind].base for kind in sorted(m.unmasks)},
        singles=m.singles,
        sums=tuple(
            (total.slot, f"sum{total.slot}") for each in m.sums.values() for total in each
        ),
        memos=tuple(sorted(m.memos)),
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
    for make in m.later:
        make()
    for totals in m.sums.values():
        for total in totals:
            m.function(f"sum{total.slot}", ["S"], returning(m, total.whole), total.whole.span)
    tree = ast.Module(list(m.functions), [])
    return ast.fix_missing_locations(tree), m


def _definition(m: Module, index: int) -> None:
    definition = m.program.definitions[index]
    params = ["S", *(m.local(param.name) for param in definition.params)]
    m.function(f"f{index}", params, returning(m, definition.body), definition.span)


__all__ = ["Built", "Flags", "build", "generate"]
