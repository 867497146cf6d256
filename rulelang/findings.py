"""Findings kept on disk, so that what has not changed is not checked again.

For each ruleset there is one book of entries. An entry stands under a hash of all that its findings depend on but
for data files, and names those with their hashes. Books lie where programs do (see `rulelang.cache`) and are as
little trusted: findings are read by an unpickler that knows their few classes and nothing else. Whatever goes wrong
here only means that something is checked again.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import io
import json
import pickle
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import attrs

from rulelang import cache
from rulelang.data import DataFileError
from rulelang.diagnostics import Diagnostic
from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from rulelang.data import Reader

MAX_ENTRIES: Final = 500
"""So many entries are kept of one ruleset: those that were used last."""

_SUFFIX: Final = ".findings"
_KNOWN: Final = {
    ("rulelang.diagnostics", "Applicability"),
    ("rulelang.diagnostics", "Diagnostic"),
    ("rulelang.diagnostics", "Edit"),
    ("rulelang.diagnostics", "Fix"),
    ("rulelang.diagnostics", "Label"),
    ("rulelang.diagnostics", "Severity"),
    ("rulelang.source", "Span"),
}
WRONG: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    EOFError,
    DataFileError,
    pickle.PickleError,
)
"""What reading an entry may raise that is not as it was written."""


class _Pickler(pickle.Pickler):
    """Writes findings; of a text only its path."""

    def __init__(self, out: io.BytesIO, paths: Mapping[SourceFile, str]) -> None:
        super().__init__(out, protocol=pickle.HIGHEST_PROTOCOL)
        self._paths = paths
        self.mentioned: set[str] = set()

    def persistent_id(self, obj: Any) -> str | None:  # noqa: ANN401 - the signature of pickle
        """Give the path of a text; KeyError if it is not one of those that were named."""
        if not isinstance(obj, SourceFile):
            return None
        path = self._paths[obj]
        self.mentioned.add(path)
        return path


class _Unpickler(pickle.Unpickler):
    """Makes findings; no other class or function can be named by what it reads."""

    def __init__(self, packed: bytes, file_at: Callable[[str], SourceFile]) -> None:
        super().__init__(io.BytesIO(packed))
        self._file_at = file_at

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - the signature of pickle
        """Give a class of findings."""
        if (module, name) in _KNOWN:
            return getattr(importlib.import_module(module), name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a finding")

    def persistent_load(self, pid: Any) -> SourceFile:  # noqa: ANN401 - the signature of pickle
        """Give the text of a path."""
        return self._file_at(pid)


def packed(
    found: Iterable[Diagnostic], paths: Mapping[SourceFile, str]
) -> tuple[bytes, frozenset[str]] | None:
    """Write findings as bytes.

    Args:
        found: The findings.
        paths: The texts that they may be about, with the paths by which they are known later.

    Returns:
        The bytes and the paths of the texts that occur; None if one is about another text.
    """
    out = io.BytesIO()
    pickler = _Pickler(out, paths)
    try:
        pickler.dump(tuple(found))
    except KeyError:
        return None
    return out.getvalue(), frozenset(pickler.mentioned)


def unpacked(data: bytes, file_at: Callable[[str], SourceFile]) -> tuple[Diagnostic, ...]:
    """Read findings.

    Args:
        data: As `packed` gives it.
        file_at: Gives the text of a path.

    Raises:
        WRONG: One of these: the bytes are no findings, or places are not in their texts.
    """
    found = _Unpickler(data, file_at).load()
    if not isinstance(found, tuple) or not all(isinstance(each, Diagnostic) for each in found):
        raise TypeError("these are no findings")
    for each in found:
        spans = [each.span, *(label.span for label in each.secondary)]
        spans += [edit.span for edit in each.fix.edits] if each.fix is not None else []
        if not all(_is_inside(span) for span in spans):
            raise ValueError("a place is not in its text")
    return found


def _is_inside(span: Span) -> bool:
    return 0 <= span.start <= span.end <= len(span.file.text)


class Recorder:
    """Reads data files, and notes what they were; a `rulelang.data.Reader`.

    Attributes:
        reads: For each path a hash of what was there, or why it could not be read.
    """

    def __init__(self, read: Reader) -> None:
        """Take what reads."""
        self._read = read
        self.reads: dict[str, str] = {}

    def __call__(self, path: str) -> bytes:
        """Read a file; raises as the other one does."""
        try:
            data = self._read(path)
        except DataFileError as problem:
            self.reads[path] = f"not read: {problem}"
            raise
        self.reads[path] = hashlib.sha256(data).hexdigest()
        return data


@attrs.frozen
class Entry:
    """What was found once.

    Attributes:
        found: The findings, `packed`.
        reads: The data files that they depend on, as a `Recorder` notes them.
        seats: How many seats there were; None where that was not asked.
        notes: See `rulelang.api.LoadResult`.
    """

    found: bytes
    reads: dict[str, str]
    seats: int | None = None
    notes: tuple[str, ...] = ()

    def stands(self, read: Reader) -> bool:
        """Tell whether all data files are as they were."""
        recorder = Recorder(read)
        for path in self.reads:
            try:
                recorder(path)
            except DataFileError:
                continue
        return recorder.reads == self.reads


class Book:
    """The entries of one ruleset."""

    def __init__(self, name: str) -> None:
        """Open a book by the name of its file."""
        self._name = name
        self._kept = _entries(cache.read_entry(name))
        self._used: dict[str, Entry] = {}
        self._changed = False

    def entry(self, key: str, read: Reader) -> Entry | None:
        """Give what stands under a key, if the data files are as they were."""
        entry = self._used.get(key) or self._kept.get(key)
        if entry is None or not entry.stands(read):
            return None
        self._used[key] = entry
        return entry

    def keep(self, key: str, entry: Entry) -> None:
        """Put an entry into the book."""
        self._used[key] = entry
        self._changed = True

    def close(self) -> None:
        """Write the book, if there is anything new in it; what was used last comes first."""
        if self._changed:
            rest = {key: each for key, each in self._kept.items() if key not in self._used}
            kept = islice({**self._used, **rest}.items(), MAX_ENTRIES)
            cache.write_entry(self._name, _written(kept))

    # ------------------------------------------------------------------ all findings

    def whole(
        self, key: str, sources: Iterable[SourceFile], read: Reader
    ) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]] | None:
        """Give all that was found in a ruleset, with the notes; None if that is not known.

        Args:
            key: Of its texts, as `key_of` gives it.
            sources: The texts.
            read: Gives data files.
        """
        entry = self.entry(key, read)
        if entry is None:
            return None
        texts = {source.path: source for source in sources}

        def file_at(path: str) -> SourceFile:
            if path not in texts:
                texts[path] = SourceFile.from_bytes(path, read(path))
            return texts[path]

        try:
            return unpacked(entry.found, file_at), entry.notes
        except WRONG:
            return None

    def keep_whole(
        self,
        key: str,
        found: Iterable[Diagnostic],
        paths: Mapping[SourceFile, str],
        reads: Mapping[str, str],
        notes: tuple[str, ...],
    ) -> None:
        """Put all that was found into the book; see `packed` and `Entry`."""
        made = packed(found, paths)
        if made is not None:
            self.keep(key, Entry(made[0], dict(reads), notes=notes))


def opened(root: Path, more: object = ()) -> Book:
    """Open the book of a ruleset.

    Args:
        root: Its folder.
        more: What else tells what is checked in this folder from other things, with a stable `repr`.
    """
    about = ("findings", str(root.resolve()), more)
    return Book(cache.key_of((), about) + _SUFFIX)


def key_of(sources: Iterable[SourceFile], asked: object) -> str:
    """Give the key of all findings in some texts; `asked` is what else they depend on, with a stable `repr`."""
    return cache.key_of(sources, ("findings", asked))


def _written(entries: Iterable[tuple[str, Entry]]) -> bytes:
    document = {
        key: [base64.b64encode(each.found).decode(), each.reads, each.seats, each.notes]
        for key, each in entries
    }
    return json.dumps(document).encode()


def _entries(data: bytes | None) -> dict[str, Entry]:
    """Read a book; empty if it is none."""
    if data is None:
        return {}
    try:
        return {
            key: Entry(base64.b64decode(found, validate=True), dict(reads), seats, tuple(notes))
            for key, (found, reads, seats, notes) in json.loads(data).items()
        }
    except WRONG:
        return {}
