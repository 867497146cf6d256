"""Getting generated code: from memory, from a store, or made now."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Protocol

from interpreter.compiling.compiled import Compiled

if TYPE_CHECKING:
    from interpreter.compiling.built import Built, Flags
    from rulelang import ir

_known: dict[tuple[int, tuple[object, ...] | None, Flags], tuple[ir.Program, Compiled]] = {}
_LARGEST = 64


class Store(Protocol):
    """Keeps generated code longer than a process lives."""

    def fetch(self, program: ir.Program, options: tuple[object, ...], flags: Flags) -> Built | None:
        """Give what was kept, or None."""
        ...

    def keep(
        self, program: ir.Program, options: tuple[object, ...], flags: Flags, built: Built
    ) -> None:
        """Keep generated code."""
        ...


class _Stores:
    """The store in use; the engine itself reads and writes no files."""

    now: Store | None = None


def use_store(store: Store | None) -> None:
    """Take generated code from a store from now on, and leave it there."""
    _Stores.now = store


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
        code = Compiled(program, options, _built(program, options, flags))
    _known[key] = (program, code)
    return code


def _built(program: ir.Program, options: tuple[object, ...], flags: Flags) -> Built:
    store = _Stores.now
    found = store.fetch(program, options, flags) if store is not None else None
    if found is not None:
        return found
    from interpreter.compiling.emit.build import build  # noqa: PLC0415 - the generator is loaded if it is needed

    collecting = gc.isenabled()
    gc.disable()  # thousands of small nodes, none of them garbage yet
    try:
        made = build(program, options, flags)
    finally:
        if collecting:
            gc.enable()
    if store is not None:
        store.keep(program, options, flags, made)
    return made
