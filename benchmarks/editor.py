"""How long the language server takes for each thing that an editor asks, over the protocol.

Run it with `python -m benchmarks.editor`, on Linux. The ruleset is one of those that come with the program; its base is
written into one file of more than 1,000 lines, whose whole text is sent anew with each edit. Printed are for each
feature the median and the most of the time that an editor waits, and of the processor time of the server, reading and
writing of messages included: the second does not depend on what else the machine does.

The findings of an edit come in two parts: what the parser finds at once, what the checker finds a tenth of a second
after the last key. That tenth is part of what is waited for.
"""

from __future__ import annotations

import argparse
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

from benchmarks.editor_inside import joined

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_STILL = 12
"""So often the server must be found idle, a twentieth of a second apart, on a machine that does other things too."""

_TICK = os.sysconf("SC_CLK_TCK")


class Client(LanguageClient):
    """An editor that waits for findings."""

    def __init__(self) -> None:
        super().__init__("bench", "1")
        self.found: asyncio.Queue[set[str]] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.found.put_nowait({str(each.code) for each in params.diagnostics})

    async def until(self, code: str) -> None:
        """Wait for a finding."""
        while code not in await self.found.get():
            pass


def spent(process: int) -> float:
    """Give the processor time of a process in milliseconds."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / _TICK


class Bench:
    """One ruleset that is open in an editor.

    Args:
        client: The editor.
        whole: The file.
        word: The name that is asked about; it is done somewhere.
        times: How often everything is asked.
    """

    def __init__(self, client: Client, whole: Path, word: str, times: int) -> None:
        self.client = client
        self.process: int = client._server.pid  # type: ignore[union-attr]  # noqa: SLF001 - pygls keeps it to itself
        self.whole = whole
        self.text = whole.read_text(encoding="utf-8")
        self.word = word
        self.times = times
        self.version = 1
        self.document = types.TextDocumentIdentifier(whole.as_uri())
        offset = self.text.index(f"do {word}") + 3
        line = self.text.count("\n", 0, offset)
        self.place = types.Position(line, offset - self.text.rfind("\n", 0, offset))
        self.all = types.Range(types.Position(0, 0), types.Position(self.text.count("\n"), 0))

    def write(self, text: str) -> None:
        """Send a whole text."""
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.document.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def edit(self) -> None:
        """Send the text with another number in it, and let it be checked."""
        self.write(f"{self.text}# {self.version}\n")
        await self.idle()

    async def idle(self) -> None:
        """Wait until the server does nothing, for longer than it waits before it checks."""
        still, was = 0, spent(self.process)
        while still < _STILL:
            await asyncio.sleep(0.05)
            now = spent(self.process)
            still, was = (still + 1, now) if now == was else (0, now)

    async def measure(
        self,
        what: str,
        asked: Callable[[], Awaitable[object]],
        before: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """Print the median and the most of several times; the first counts for nothing."""
        waited: list[float] = []
        busy: list[float] = []
        for _ in range(self.times + 1):
            if before is not None:
                await before()
            was, start = spent(self.process), time.perf_counter()
            await asked()
            waited.append(1000 * (time.perf_counter() - start))
            busy.append(spent(self.process) - was)
        print(
            f"{what:44} waited {statistics.median(waited[1:]):6.0f} ms, most {max(waited[1:]):6.0f} ms"
            f"   busy {statistics.median(busy[1:]):6.0f} ms, most {max(busy[1:]):6.0f} ms",
            flush=True,
        )

    async def run(self) -> None:
        """Measure everything."""
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(self.document.uri, "rulelang", 1, self.text)
            )
        )
        await self.edit()
        print(f"{self.text.count(chr(10))} lines in one file")
        await self.findings()
        await self.shape()
        await self.names()
        await self.writing()
        await self.margins()

    async def findings(self) -> None:
        """Measure what follows from an edit."""
        unparsed = self.text.replace(f"do {self.word}", f"do {self.word}(", 1)
        unknown = self.text.replace(f"do {self.word}", f"do {self.word}_not_there", 1)

        async def sent(text: str, code: str) -> None:
            self.write(text)
            await self.client.until(code)

        await self.measure(
            "whole text sent, findings of the parser", lambda: sent(unparsed, "E0105"), self.edit
        )
        await self.measure(
            "whole text sent, findings of the checker", lambda: sent(unknown, "E0201"), self.edit
        )
        await self.edit()

    async def shape(self) -> None:
        """Measure what is read from the tree."""
        ask, document = self.client, self.document
        await self.measure(
            "symbols",
            lambda: ask.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
        )
        await self.measure(
            "symbols of the workspace",
            lambda: ask.workspace_symbol_async(types.WorkspaceSymbolParams(self.word)),
        )
        await self.measure(
            "folding",
            lambda: ask.text_document_folding_range_async(types.FoldingRangeParams(document)),
        )
        await self.measure(
            "selection",
            lambda: ask.text_document_selection_range_async(
                types.SelectionRangeParams(document, [self.place])
            ),
        )
        await self.measure(
            "formatting",
            lambda: ask.text_document_formatting_async(
                types.DocumentFormattingParams(document, types.FormattingOptions(4, True))
            ),
        )

    async def names(self) -> None:
        """Measure what is asked about a name, each after an edit."""
        ask, document, place = self.client, self.document, self.place
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "hover": lambda: ask.text_document_hover_async(types.HoverParams(document, place)),
            "definition": lambda: ask.text_document_definition_async(
                types.DefinitionParams(document, place)
            ),
            "references": lambda: ask.text_document_references_async(
                types.ReferenceParams(types.ReferenceContext(True), document, place)
            ),
            "highlights": lambda: ask.text_document_document_highlight_async(
                types.DocumentHighlightParams(document, place)
            ),
            "whether a name can be renamed": lambda: ask.text_document_prepare_rename_async(
                types.PrepareRenameParams(document, place)
            ),
            "renaming": lambda: ask.text_document_rename_async(
                types.RenameParams(document, place, "quite_new")
            ),
        }
        for what, how in asked.items():
            await self.measure(f"{what}, after an edit", how, self.edit)

    async def writing(self) -> None:
        """Measure what is asked while somebody writes."""
        ask, document, place = self.client, self.document, self.place
        await self.measure(
            "completion",
            lambda: ask.text_document_completion_async(types.CompletionParams(document, place)),
        )
        await self.measure(
            "signature",
            lambda: ask.text_document_signature_help_async(
                types.SignatureHelpParams(document, place)
            ),
        )
        context = types.CodeActionContext([])
        await self.measure(
            "code actions",
            lambda: ask.text_document_code_action_async(
                types.CodeActionParams(document, self.all, context)
            ),
        )

    async def margins(self) -> None:
        """Measure colours, hints and lenses, each after an edit."""
        ask, document = self.client, self.document
        await self.measure(
            "semantic tokens, after an edit",
            lambda: ask.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(document)
            ),
            self.edit,
        )
        await self.measure(
            "inlay hints, after an edit",
            lambda: ask.text_document_inlay_hint_async(types.InlayHintParams(document, self.all)),
            self.edit,
        )
        await self.measure(
            "lenses, after an edit",
            lambda: ask.text_document_code_lens_async(types.CodeLensParams(document)),
            self.edit,
        )


async def session(whole: Path, word: str, times: int) -> None:
    """Start a server, and ask for everything."""
    client = Client()
    await client.start_io(sys.executable, "-m", "cli", "server")
    await client.initialize_async(
        types.InitializeParams(
            types.ClientCapabilities(), initialization_options={"wholeCheck": False}
        )
    )
    await Bench(client, whole, word, times).run()
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="pyrates")
    parser.add_argument("--word", default="place_goods", help="the name that is asked about")
    parser.add_argument("--times", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole = joined(given.ruleset, Path(folder).resolve())
        asyncio.run(session(whole, given.word, given.times))


if __name__ == "__main__":
    main()
