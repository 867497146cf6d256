"""Names written anew, everywhere where they mean the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from rulelang.data import is_outside
from rulelang.grammar import load_tables
from rulelang.parser import parse
from rulelang.server.places import address_of, range_of
from rulelang.source import SourceFile
from rulelang.symbols import snake_case
from rulelang.texts import Texts
from rulelang.words import constants, functions, keywords
from rulelang.words import types as given_types

if TYPE_CHECKING:
    from rulelang.server.index import Index
    from rulelang.server.naming import Occurrence
    from rulelang.server.project import Snapshot
    from rulelang.source import Span

_FIXED: Final = frozenset(("rule", "game", "scenario", "seat"))
"""What is not renamed: ids of a rulebook that others print, what files and folders are called after, texts."""


class CannotRenameError(Exception):
    """A name cannot be written like this; the message says why."""


def check(index: Index, found: Occurrence) -> None:
    """Tell whether a name can be written anew.

    Raises:
        CannotRenameError: It cannot.
    """
    key = found.keys[0]
    if key[0] in _FIXED:
        raise CannotRenameError(f"`{found.span.text}` is not a name that rules give")
    if key[0] != "local" and not index.definitions(found.keys):
        raise CannotRenameError(f"`{found.span.text}` is part of the language")


def rename(index: Index, found: Occurrence, new: str) -> types.WorkspaceEdit:
    """Write a name anew in rules, variants, scenarios and data files.

    Raises:
        CannotRenameError: The new name is none, or the rules would not mean the same with it.
    """
    check(index, found)
    old = found.span.text
    pattern = load_tables().patterns["TYPE" if old[:1].isupper() else "NAME"]
    if re.fullmatch(pattern, new) is None:
        first = "a capital" if old[:1].isupper() else "a small letter"
        raise CannotRenameError(f"`{new}` is no name here: it begins with {first}")
    if new in keywords() | constants() | functions().keys() | set(given_types()):
        raise CannotRenameError(f"`{new}` is a word of the language")
    _, places = index.linked(found.keys)
    written = {each.span: _as_written(each.span.text, new) for each in places}
    _try_out(index.snapshot, written)
    edits: dict[str, list[types.TextEdit]] = {}
    for span in sorted(written):
        address = address_of(index.snapshot.place_of(span.file.path))
        edits.setdefault(address, []).append(types.TextEdit(range_of(span), written[span]))
    return types.WorkspaceEdit(changes=edits)


def _as_written(old: str, new: str) -> str:
    """Write a name as the old one is written there: the only thing of a kind is called like it, in small letters."""
    if old[:1].isupper() and new[:1].islower():
        return "".join(part[:1].upper() + part[1:] for part in new.split("_"))
    return snake_case(new) if old[:1].islower() and new[:1].isupper() else new


def _try_out(snapshot: Snapshot, written: dict[Span, str]) -> None:
    """Check the ruleset as it would be: a name may be taken, or say the type of what it names."""
    texts = snapshot.texts
    by_file: dict[str, list[Span]] = {}
    for span in written:
        by_file.setdefault(span.file.path, []).append(span)
    changed = {path: _text(found, written) for path, found in by_file.items()}

    def read(path: str) -> bytes:
        return changed[path].encode() if path in changed else snapshot.read(path)

    sources = [
        SourceFile(source.path, changed[source.path]) if source.path in changed else source
        for source in texts.sources
    ]
    trial = Texts(
        sources,
        read,
        alone=True,
        parsing=lambda source: (
            parse(source) if source.path in changed else snapshot.results[source.path]
        ),
    )
    touched = {
        name
        for name, decl in trial.variants.items()
        if decl.span.file.path in changed and not is_outside(decl.span.file.path)
    }
    for names in ((), *(each for each in trial.variant_sets() if touched & set(each))):
        errors = [each for each in trial.compile(names, first=False)[1].sorted() if each.is_error]
        if errors:
            known = {each.code for each in texts.compile(names, first=False)[1]}
            wrong = next((each for each in errors if each.code not in known), None)
            if wrong is not None:
                said = f"{wrong.span}: {wrong.headline}"
                raise CannotRenameError(f"the rules would not check with this name: {said}")


def _text(spans: list[Span], written: dict[Span, str]) -> str:
    text = spans[0].file.text
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + written[span] + text[span.end :]
    return text
