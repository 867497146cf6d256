"""What single moves on maps cost, remembered where nothing but data says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.analysis import Dependencies, walk
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Mapping


class Moves:
    """The costs of single moves, and of the cheapest ways, that are known so far.

    Games of one Program may share them where the options that its maps read are the same.

    Args:
        program: The Program.
    """

    def __init__(self, program: ir.Program) -> None:
        self._dependencies = Dependencies(program)
        self._fixed: dict[int, bool] = {}
        self.costs: dict[tuple[object, ...], int | None] = {}
        self.ways: dict[tuple[object, ...], tuple[tuple[int, int], ...]] = {}

    def are_fixed(self, definition: int) -> bool:
        """Does a map read nothing that can change?"""
        if definition not in self._fixed:
            self._fixed[definition] = self._dependencies.definition(definition).data_only
        return self._fixed[definition]


def behind_maps(program: ir.Program) -> Mapping[int, frozenset[int]]:
    """For each definition that maps are made of, the maps themselves among them, these maps."""
    found: dict[int, set[int]] = {}
    nodes = walk((program.definitions, program.doings, program.state_rules))
    for start in sorted({node.definition for node in nodes if isinstance(node, ir.MapOp)}):
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if start in found.setdefault(here, set()):
                continue
            found[here].add(start)
            waiting.extend(
                node.definition
                for node in walk((program.definitions[here].body,))
                if isinstance(node, ir.CallDef | ir.MapOp)
            )
    return {index: frozenset(maps) for index, maps in found.items()}


def options_of_maps(program: ir.Program) -> tuple[int, ...]:
    """The options that can make a difference to maps."""
    bodies = tuple(program.definitions[index].body for index in behind_maps(program))
    return tuple(sorted({node.option for node in walk(bodies) if isinstance(node, ir.OptionGet)}))
