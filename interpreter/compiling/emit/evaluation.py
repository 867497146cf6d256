"""The reference interpreter as a calculator of what depends on data alone, while code is generated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.reference.expressions import Expressions

if TYPE_CHECKING:
    from interpreter.layout import Layout
    from rulelang import ir


class Remembered(Expressions):
    """An evaluator of what depends on data alone, which works out nothing twice."""

    def __init__(self, program: ir.Program, layout: Layout) -> None:
        super().__init__(program, (), layout.initial(0))
        self._calls: dict[tuple[object, ...], Any] = {}

    def call(self, index: int, args: tuple[object, ...]) -> Any:  # noqa: ANN401
        """The value of a definition."""
        key = (index, *args)
        if key not in self._calls:
            self._calls[key] = super().call(index, args)
        return self._calls[key]
