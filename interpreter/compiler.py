"""Getting generated code: from memory, or made now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiled import Compiled
from interpreter.emit.build import build

if TYPE_CHECKING:
    from interpreter.emit.build import Flags
    from rulelang import ir

_known: dict[tuple[int, tuple[object, ...], Flags], tuple[ir.Program, Compiled]] = {}
_LARGEST = 64


def compiled(program: ir.Program, options: tuple[object, ...], flags: Flags) -> Compiled:
    """The code of a Program with these option values, built if it is not at hand."""
    key = (id(program), options, flags)
    known = _known.get(key)
    if known is not None and known[0] is program:
        return known[1]
    if len(_known) >= _LARGEST:
        _known.clear()
    code = Compiled(program, options, build(program, options, flags))
    _known[key] = (program, code)
    return code
