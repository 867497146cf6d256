"""Generated code kept on disk between two runs, in the same private folder as programs.

An entry is a marshalled code object and what belongs to it. It is read by an unpickler that knows
only the few classes such data is made of, and only if it is as it was written. Whatever goes wrong
here only means that the code is generated again.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import marshal
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

import interpreter
from interpreter.compiling.built import Built
from rulelang import cache

if TYPE_CHECKING:
    from interpreter.compiling.built import Flags
    from rulelang import ir

_SUFFIX: Final = ".code"
_LENGTH: Final = 8
_KNOWN: Final = {
    ("interpreter.compiling.built", "Asking"),
    ("interpreter.compiling.built", "Flags"),
    ("interpreter.compiling.built", "Point"),
    ("interpreter.derived", "Derived"),
    ("rulelang.ir", "Span"),
    ("rulelang.ir", "Type"),
    ("builtins", "frozenset"),
    ("builtins", "set"),
}


class _Unpickler(pickle.Unpickler):
    """Makes the data of generated code; no other class or function can be named by what it reads."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - the signature of pickle
        """Give one of the known classes."""
        if (module, name) in _KNOWN:
            return getattr(importlib.import_module(module), name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of generated code")


class CodeCache:
    """A store of generated code for `interpreter.compiling.compiler.use_store`."""

    def fetch(self, program: ir.Program, options: tuple[object, ...], flags: Flags) -> Built | None:
        """Give what was kept for a program, option values and flags; None if there is nothing."""
        body = cache.read_entry(_name(program, options, flags))
        if body is None:
            return None
        size = int.from_bytes(body[:_LENGTH], "big")
        try:
            code = marshal.loads(body[_LENGTH : _LENGTH + size])  # noqa: S302 - verified, and our own
            rest = _Unpickler(io.BytesIO(body[_LENGTH + size :])).load()
            return Built(code, **rest)
        except (ValueError, EOFError, TypeError, AttributeError, IndexError, pickle.PickleError):
            return None

    def keep(
        self, program: ir.Program, options: tuple[object, ...], flags: Flags, built: Built
    ) -> None:
        """Keep generated code, unless something in it is not plain data."""
        code = marshal.dumps(built.code)
        rest = {
            field.name: getattr(built, field.name)
            for field in attrs.fields(Built)
            if field.name != "code"
        }
        body = len(code).to_bytes(_LENGTH, "big") + code + pickle.dumps(rest)
        cache.write_entry(_name(program, options, flags), body)


def _name(program: ir.Program, options: tuple[object, ...], flags: Flags) -> str:
    made = hashlib.sha256(
        f"{sys.version_info[:3]} {cache.code_stamp(Path(interpreter.__file__).parent)}"
        f" {program.digest} {program.seats} {len(program.doings)} {options!r} {flags!r}".encode()
    )
    for text in program.sources:
        made.update(text.encode("utf-8", "surrogatepass"))
    return f"{made.hexdigest()}{_SUFFIX}"
