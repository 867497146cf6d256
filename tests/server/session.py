"""A session with the server over the real protocol, on a copy of a ruleset of more than 1,000 lines."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from pytest_lsp import LanguageClient

ROOT = Path(__file__).resolve().parents[2]
GAME = "pyrates"
PATIENCE = 60


def copy_of_ruleset(folder: Path) -> Path:
    """Copy a ruleset that comes with the program to where it may be edited."""
    place = folder / GAME
    shutil.copytree(ROOT / "rulesets" / GAME, place)
    return place


class Session:
    """One editor: opens texts, edits them, waits for findings."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

    def address(self, path: str) -> str:
        """Give the address of a file."""
        return (self.root / path).as_uri()

    def document(self, path: str) -> types.TextDocumentIdentifier:
        """Name a file, opening it if it is not."""
        self.open(path)
        return types.TextDocumentIdentifier(self.address(path))

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file."""
        if path in self.texts:
            return
        self.texts[path] = (self.root / path).read_text() if text is None else text
        self.versions[path] = 1
        item = types.TextDocumentItem(self.address(path), "rulelang", 1, self.texts[path])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, path: str) -> None:
        """Close a file without saving it."""
        self.texts.pop(path, None)
        document = types.TextDocumentIdentifier(self.address(path))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def write(self, path: str, text: str) -> None:
        """Replace the whole text of an open file."""
        self.open(path)
        self.texts[path] = text
        self.versions[path] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[path], self.address(path)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace a part of an open file."""
        self.open(path)
        assert self.texts[path].count(old) == 1, old
        self.write(path, self.texts[path].replace(old, new))

    def at(
        self, path: str, around: str, word: str | None = None, end: bool = False
    ) -> types.Position:
        """Give the position of a word in a part of a text that is there once."""
        self.open(path)
        text = self.texts[path]
        assert text.count(around) == 1, (around, text.count(around))
        offset = text.index(around) + (around.index(word) if word is not None else 0)
        if end:
            offset += len(word if word is not None else around)
        line = text.count("\n", 0, offset)
        return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))

    def findings(self, path: str) -> list[types.Diagnostic]:
        """Give what was last found in a file."""
        return list(self.client.diagnostics.get(self.address(path), []))

    async def until(self, path: str, holds: object) -> list[types.Diagnostic]:
        """Wait for findings of a file for which a test holds."""
        assert callable(holds)
        async with asyncio.timeout(PATIENCE):
            while not holds(self.findings(path)):
                await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return self.findings(path)


def said(text: str, where: types.Range) -> str:
    """Give the text of a range."""
    lines = text.split("\n")
    if where.start.line == where.end.line:
        return lines[where.start.line][where.start.character : where.end.character]
    parts = [lines[where.start.line][where.start.character :]]
    parts += lines[where.start.line + 1 : where.end.line]
    return "\n".join([*parts, lines[where.end.line][: where.end.character]])
