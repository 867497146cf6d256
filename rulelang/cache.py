"""Programs kept on disk, so that a ruleset is compiled once.

The key is a hash of the rule texts, of what was asked for, and of this very code; an entry names
the data files it was made from with their hashes. Entries lie in a folder that only its owner can
write, carry their own hash, and are read by an unpickler that knows the classes of `rulelang.ir`
and nothing else. Whatever goes wrong here only means that the ruleset is compiled again.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import io
import json
import os
import pickle
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulelang.data import DataFileError, Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulelang import ir
    from rulelang.source import SourceFile

MAX_ENTRIES: Final = 128
_FOLDER_VARIABLE: Final = "RULELANG_CACHE_DIR"
_SUFFIX: Final = ".program"
_IR: Final = "rulelang.ir"
_DIGEST_LENGTH: Final = 32


class _Unpickler(pickle.Unpickler):
    """Makes values of the IR; no other class or function can be named by what it reads."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - the signature of pickle
        """Give a class of the IR."""
        if module == _IR and not name.startswith("_") and "." not in name:
            found = getattr(importlib.import_module(_IR), name)
            if isinstance(found, type):
                return found
        if (module, name) == ("builtins", "frozenset"):
            return frozenset
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a program")


def key_of(sources: Iterable[SourceFile], asked: object) -> str:
    """Give the name under which a program is kept.

    Args:
        sources: The rule texts.
        asked: Everything else that the program depends on but for data files, with a stable `repr`.
    """
    made = hashlib.sha256(
        f"{sys.version_info[:3]} {code_stamp(Path(__file__).parent)} {asked!r}".encode()
    )
    for source in sources:
        text = source.text.encode("utf-8", "surrogatepass")
        made.update(f"\n{source.path}\n{len(text)}\n".encode())
        made.update(text)
    return made.hexdigest()


def fetch(key: str, read: Reader) -> ir.Program | None:
    """Take a program from the cache.

    Args:
        key: As `key_of` gives it.
        read: Gives data files, to see whether they are still the same.

    Returns:
        The program, or None if there is none or anything is not as it was left.
    """
    try:
        body = read_entry(f"{key}{_SUFFIX}")
        if body is None:
            return None
        head, _, packed = body.partition(b"\n")
        if any(_hash(read(path)) != made for path, made in json.loads(head).items()):
            return None
        program = _unpacked(packed)
    except (
        OSError,
        DataFileError,
        ValueError,
        pickle.PickleError,
        EOFError,
        AttributeError,
        TypeError,
        IndexError,
    ):
        return None
    return program


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Look for no garbage among the many small parts of a program: there is none."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _unpacked(packed: bytes) -> ir.Program:
    """Make a program."""
    with _without_collecting():
        program: ir.Program = _Unpickler(io.BytesIO(packed)).load()
    return program


def keep(key: str, program: ir.Program, data_files: Mapping[str, bytes]) -> None:
    """Leave a program in the cache.

    Args:
        key: As `key_of` gives it.
        program: What was compiled.
        data_files: The files that were read for it, by path.
    """
    head = json.dumps({path: _hash(data) for path, data in data_files.items()}).encode()
    with _without_collecting():
        packed = pickle.dumps(program, protocol=pickle.HIGHEST_PROTOCOL)
    body = head + b"\n" + packed
    write_entry(f"{key}{_SUFFIX}", body)


def read_entry(name: str) -> bytes | None:
    """Read an entry of the cache; None if there is none or it is not as it was written."""
    folder = _folder()
    if folder is None:
        return None
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(folder / name)  # what is used stays
    digest, body = data[:_DIGEST_LENGTH], data[_DIGEST_LENGTH:]
    return body if hashlib.sha256(body).digest() == digest else None


def write_entry(name: str, body: bytes) -> None:
    """Write an entry of the cache, whole or not at all; those of its kind give way that were used longest ago."""
    folder = _folder()
    if folder is None:
        return
    import tempfile  # noqa: PLC0415 - nothing is left when a program comes from here

    try:
        handle, made = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(body).digest() + body)
        Path(made).replace(folder / name)
        _prune(folder, Path(name).suffix)
    except OSError:
        return


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _folder() -> Path | None:
    """Give the folder of the cache; None if there is none that nobody else can write."""
    chosen = os.environ.get(_FOLDER_VARIABLE)
    if chosen:
        folder = Path(chosen)
    else:
        import platformdirs  # noqa: PLC0415 - not needed where the variable is set

        folder = platformdirs.user_cache_path("rulelang", appauthor=False) / "programs"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except (OSError, RuntimeError):
        return None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077):
        return None
    return folder if folder.is_dir() and not folder.is_symlink() else None


def _prune(folder: Path, suffix: str) -> None:
    """Take out the entries that were used longest ago when there are too many."""
    entries = sorted(
        folder.glob(f"*{suffix}"), key=lambda entry: entry.stat().st_mtime, reverse=True
    )
    for entry in entries[MAX_ENTRIES:]:
        entry.unlink(missing_ok=True)


def code_stamp(package: Path) -> str:
    """Give a hash of the sizes and dates of a package's files: other code makes other programs."""
    made = hashlib.sha256()
    for folder, _, names in os.walk(package):
        for name in sorted(names):
            if name.endswith((".py", ".json")):
                status = Path(folder, name).stat()
                made.update(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return made.hexdigest()
