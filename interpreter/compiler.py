"""Getting generated code: from memory, or made now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiled import Compiled
from interpreter.emit.build import build

if TYPE_CHECKING:
    from interpreter.emit.build import Flags
    from rulelang import ir

_known: dict[tuple[int, tuple[object, ...] | None, Flags], tuple[ir.Program, Compiled]] = {}
_LARGEST = 64


def compiled(program: ir.Program, options: tuple[object, ...] | None, flags: Flags) -> Compiled:
    """The code of a Program with these option values (None: the defaults), built if need be."""
    key = (id(program), options, flags)
    known = _known.get(key)
    if known is not None and known[0] is program:
        return known[1]
    if len(_known) >= _LARGEST:
        _known.clear()
    if options is None:
        code = compiled(program, tuple(option.default for option in program.options), flags)
    else:
        code = Compiled(program, options, build(program, options, flags))
    _known[key] = (program, code)
    return code
