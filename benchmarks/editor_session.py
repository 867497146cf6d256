"""How long the language server takes for each request over the protocol.

Printed are the processor time of its process, reading and writing of messages included, and the time that an editor
waits.

Run it with `python -m benchmarks.editor_session`, on Linux.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from benchmarks.editor import joined

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

TIMES = 7
_TICK = os.sysconf("SC_CLK_TCK")


class Client(LanguageClient):
    """An editor that waits for findings."""

    def __init__(self) -> None:
        super().__init__("bench", "1")
        self.published = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            if params.diagnostics:
                self.published.set()


def spent(process: int) -> float:
    """Give the processor time of a process in milliseconds."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / _TICK


async def session(whole: Path, text: str) -> None:
    """Ask for everything, and print what it took."""
    client = Client()
    await client.start_io(sys.executable, "-m", "cli", "server")
    process = client._server.pid  # type: ignore[union-attr]  # noqa: SLF001 - pygls keeps it to itself
    await client.initialize_async(
        types.InitializeParams(
            types.ClientCapabilities(), initialization_options={"wholeCheck": False}
        )
    )
    address = whole.as_uri()
    wrong = [text.replace("do place_merchant\n", f"do place_{name}\n", 1) for name in ("a", "b")]
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(address, "rulelang", 1, text))
    )
    document = types.TextDocumentIdentifier(address)
    line = text.count("\n", 0, text.index("do place_goods"))
    place = types.Position(line, text.split("\n")[line].index("place_goods") + 1)
    last = types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))
    version = 1

    async def edit() -> None:
        nonlocal version
        version += 1
        client.published.clear()
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, address),
                [types.TextDocumentContentChangeWholeDocument(wrong[version % 2])],
            )
        )
        await client.published.wait()

    async def mend() -> None:
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version + 1, address),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    requests: dict[str, Callable[[], Awaitable[object]]] = {
        "whole text sent, findings of the checker": edit,
        "symbols": lambda: client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document)
        ),
        "folding": lambda: client.text_document_folding_range_async(
            types.FoldingRangeParams(document)
        ),
        "hover": lambda: client.text_document_hover_async(types.HoverParams(document, place)),
        "definition": lambda: client.text_document_definition_async(
            types.DefinitionParams(document, place)
        ),
        "references": lambda: client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), document, place)
        ),
        "completion": lambda: client.text_document_completion_async(
            types.CompletionParams(document, place)
        ),
        "renaming": lambda: client.text_document_rename_async(
            types.RenameParams(document, place, "quite_new")
        ),
        "semantic tokens": lambda: client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document)
        ),
        "inlay hints": lambda: client.text_document_inlay_hint_async(
            types.InlayHintParams(document, last)
        ),
        "lenses": lambda: client.text_document_code_lens_async(types.CodeLensParams(document)),
        "formatting": lambda: client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(4, True))
        ),
    }
    for number, (what, asked) in enumerate(requests.items()):
        if number == 1:
            await mend()
        busy, waited = [], []
        for _ in range(TIMES + 1):
            before, start = spent(process), time.perf_counter()
            await asked()
            waited.append(1000 * (time.perf_counter() - start))
            busy.append(spent(process) - before)
        print(
            f"{what:42} busy {statistics.median(busy[1:]):6.0f} ms   waited {statistics.median(waited[1:]):6.0f} ms"
        )
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        whole = joined("pyrates", Path(folder).resolve())
        asyncio.run(session(whole, whole.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
