"""What single moves on maps cost, remembered where nothing but data says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis import Dependencies

if TYPE_CHECKING:
    from rulelang import ir


class Moves:
    """The costs of single moves, and of the cheapest ways, that are known so far.

    Games of one Program with the same options may share them.

    Args:
        program: The Program.
    """

    def __init__(self, program: ir.Program) -> None:
        self._dependencies = Dependencies(program)
        self._fixed: dict[int, bool] = {}
        self.costs: dict[tuple[object, ...], int | None] = {}
        self.ways: dict[tuple[object, ...], dict[int, int]] = {}

    def are_fixed(self, definition: int) -> bool:
        """Does a map read nothing that can change?"""
        if definition not in self._fixed:
            self._fixed[definition] = self._dependencies.definition(definition).data_only
        return self._fixed[definition]
