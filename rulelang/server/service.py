"""The service: what pygls calls when an editor asks, over standard input and output.

Everything runs on one thread, so that no answer is about two states of a text. What takes long, the check of every
variant and scenario, is done by another process, and is thrown away if an edit comes first.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from rulelang import __version__
from rulelang.formatting import FormattingError, format_source
from rulelang.server import (
    checking,
    colouring,
    completing,
    hints,
    hovering,
    lenses,
    mending,
    outline,
    renaming,
    signatures,
)
from rulelang.server.editor import Editor, Ruleset
from rulelang.server.places import address_of, offset_at, path_of, position_at, range_of
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulelang.server.index import Index
    from rulelang.server.naming import Occurrence
    from rulelang.source import Span

QUICK_DELAY: Final = 0.1
WHOLE_DELAY: Final = 1.5
"""How many seconds without an edit pass before a ruleset is checked."""


class RulesServer(LanguageServer):
    """The server with its state."""

    def __init__(self) -> None:
        super().__init__(
            "rulelang",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        )
        self.editor = Editor()
        self.checks_whole = True
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._checking: dict[Path, asyncio.Task[None]] = {}

    # ------------------------------------------------------------------ findings

    def show(self, findings: Mapping[Path, list[types.Diagnostic]]) -> None:
        """Send findings to the editor."""
        for place, these in findings.items():
            document = self.workspace.text_documents.get(address_of(place))
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    address_of(place), these, document.version if document else None
                )
            )

    def check_soon(self, ruleset: Ruleset, delay: float = QUICK_DELAY) -> None:
        """Check a ruleset when no edit has come for a moment."""
        root = ruleset.project.place
        if root in self._waiting:
            self._waiting.pop(root).cancel()
        if root in self._checking:
            self._checking.pop(root).cancel()
        loop = asyncio.get_running_loop()
        self._waiting[root] = loop.call_later(delay, self._check, ruleset)

    def _check(self, ruleset: Ruleset) -> None:
        root = ruleset.project.place
        self._waiting.pop(root, None)
        self.show(self.editor.check(ruleset))
        self._refresh()
        if self.checks_whole:
            loop = asyncio.get_running_loop()
            self._checking[root] = loop.create_task(self._check_whole(ruleset))

    def _refresh(self) -> None:
        """Let the editor ask anew for what depends on more than one text."""
        known = self.client_capabilities.workspace
        if known is None:
            return
        if known.inlay_hint is not None and known.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if known.code_lens is not None and known.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if known.semantic_tokens is not None and known.semantic_tokens.refresh_support:
            self.workspace_semantic_tokens_refresh(None)

    async def _check_whole(self, ruleset: Ruleset) -> None:
        await asyncio.sleep(WHOLE_DELAY)
        process = await asyncio.create_subprocess_exec(
            *checking.command(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            asked = checking.request(ruleset.project.place, self.editor.opened)
            data, _ = await process.communicate(asked)
        except asyncio.CancelledError:
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        if process.returncode == 0:
            self.show(self.editor.take_whole(ruleset, checking.answer(data)))

    # ------------------------------------------------------------------ places

    def asked(self, address: str) -> Path:
        """Give the file of an address."""
        place = path_of(address)
        if place is None:
            raise JsonRpcInvalidParams("only files on disk can be rules")
        return place

    def name_at(self, address: str, position: types.Position) -> tuple[Index, Occurrence] | None:
        """Give the name at a position, with the names of its ruleset."""
        known = self.editor.index(self.asked(address))
        if known is None:
            return None
        index, path = known
        source = index.snapshot.sources.get(path) or index.sheets.file(path)
        if source is None:
            return None
        found = index.at(path, offset_at(source, position))
        return (index, found) if found is not None else None

    @staticmethod
    def location(index: Index, span: Span) -> types.Location:
        """Give the place of a span."""
        return types.Location(address_of(index.snapshot.place_of(span.file.path)), range_of(span))

    def source(self, address: str) -> SourceFile:
        """Give an open text."""
        document = self.workspace.get_text_document(address)
        return SourceFile(Path(document.path or "").name, document.source)


server = RulesServer()


@server.feature(types.INITIALIZE)
def initialize(ls: RulesServer, params: types.InitializeParams) -> None:
    """An editor begins. It may ask, with `{"wholeCheck": false}`, that nothing is checked but what it edits."""
    options: Any = params.initialization_options
    given = options if isinstance(options, dict) else getattr(options, "__dict__", {})
    ls.checks_whole = bool(given.get("wholeCheck", True))


# ---------------------------------------------------------------- texts


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: RulesServer, params: types.DidOpenTextDocumentParams) -> None:
    """A text was opened."""
    place = path_of(params.text_document.uri)
    if place is not None:
        ls.check_soon(ls.editor.open(place, params.text_document.text), 0)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: RulesServer, params: types.DidChangeTextDocumentParams) -> None:
    """A text was edited: what the parser finds is said at once, the rest soon."""
    place = path_of(params.text_document.uri)
    if place is None:
        return
    document = ls.workspace.get_text_document(params.text_document.uri)
    ruleset, found = ls.editor.edit(place, document.source)
    if found != ruleset.shown.get(place, []):
        ruleset.shown[place] = found
        ls.show({place: found})
    ls.check_soon(ruleset)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
def did_save(ls: RulesServer, params: types.DidSaveTextDocumentParams) -> None:
    """A text was written to disk."""
    place = path_of(params.text_document.uri)
    if place is not None:
        ruleset = ls.editor.ruleset_of(place)
        ruleset.project.files_changed()
        ls.check_soon(ruleset)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: RulesServer, params: types.DidCloseTextDocumentParams) -> None:
    """A text was closed."""
    place = path_of(params.text_document.uri)
    if place is not None:
        ls.check_soon(ls.editor.close(place))


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_files(ls: RulesServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Files were changed beside the editor."""
    del params
    ls.editor.files_changed()
    for ruleset in ls.editor.rulesets.values():
        ls.check_soon(ruleset)


# ---------------------------------------------------------------- the shape of a text


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def document_symbol(
    ls: RulesServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Give the declarations of a text."""
    module = ls.editor.module(ls.asked(params.text_document.uri))
    return outline.symbols(module) if module is not None else []


@server.feature(types.WORKSPACE_SYMBOL)
def workspace_symbol(
    ls: RulesServer, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """Give the declarations of all rulesets that are open, by a part of their names."""
    found = []
    for ruleset in ls.editor.rulesets.values():
        snapshot = ruleset.project.snapshot()
        for path, result in snapshot.results.items():
            address = address_of(snapshot.place_of(path))
            for each in outline.symbols(result.module):
                for symbol in (each, *(each.children or ())):
                    if params.query.lower() in symbol.name.lower():
                        where = types.Location(address, symbol.selection_range)
                        found.append(types.WorkspaceSymbol(where, symbol.name, symbol.kind))
    return found


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def folding_range(ls: RulesServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Give what can be folded."""
    module = ls.editor.module(ls.asked(params.text_document.uri))
    return outline.folds(module) if module is not None else []


@server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
def selection_range(
    ls: RulesServer, params: types.SelectionRangeParams
) -> list[types.SelectionRange]:
    """Give what selections grow to."""
    module = ls.editor.module(ls.asked(params.text_document.uri))
    if module is None:
        return []
    offsets = [offset_at(module.file, position) for position in params.positions]
    return [outline.selection(module, offset) for offset in offsets]


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def formatting(
    ls: RulesServer, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """Write a text in the one style."""
    source = ls.source(params.text_document.uri)
    try:
        text = format_source(source).text
    except FormattingError:
        return None
    if text is None or text == source.text:
        return None
    whole = types.Range(types.Position(0, 0), position_at(source, len(source.text)))
    return [types.TextEdit(whole, text)]


# ---------------------------------------------------------------- names


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(ls: RulesServer, params: types.HoverParams) -> types.Hover | None:
    """Tell what a name stands for."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is not None:
        index, found = known
        text = hovering.hover(index, found)
        where: types.Range | None = range_of(found.span)
    else:
        document = ls.workspace.get_text_document(params.text_document.uri)
        text = hovering.function(document.word_at_position(params.position)) or ""
        where = None
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, where) if text else None


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(ls: RulesServer, params: types.DefinitionParams) -> list[types.Location]:
    """Give where a name is declared."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is None:
        return []
    index, found = known
    return [ls.location(index, each.span) for each in index.definitions(found.keys)]


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
def references(ls: RulesServer, params: types.ReferenceParams) -> list[types.Location]:
    """Give where a name is used: in the base, in variants, in scenarios and in data files."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is None:
        return []
    index, found = known
    return [
        ls.location(index, each.span)
        for each in index.references(found.keys)
        if params.context.include_declaration or each.role != "declares"
    ]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlight(
    ls: RulesServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """Give where a name is used in this text."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is None:
        return []
    index, found = known
    kinds = {
        "changes": types.DocumentHighlightKind.Write,
        "declares": types.DocumentHighlightKind.Text,
        "uses": types.DocumentHighlightKind.Read,
    }
    return [
        types.DocumentHighlight(range_of(each.span), kinds[each.role])
        for each in index.references(found.keys)
        if each.span.file is found.span.file
    ]


@server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(ls: RulesServer, params: types.PrepareRenameParams) -> types.Range | None:
    """Tell whether a name can be written anew."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is None:
        return None
    try:
        renaming.check(*known)
    except renaming.CannotRenameError as reason:
        raise _refused(reason) from reason
    return range_of(known[1].span)


@server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
def rename(ls: RulesServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Write a name anew everywhere."""
    known = ls.name_at(params.text_document.uri, params.position)
    if known is None:
        return None
    try:
        return renaming.rename(*known, params.new_name)
    except renaming.CannotRenameError as reason:
        raise _refused(reason) from reason


def _refused(reason: Exception) -> JsonRpcException:
    return JsonRpcException(str(reason), types.LSPErrorCodes.RequestFailed.value)


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=[".", "[", " "]),
)
def completion(ls: RulesServer, params: types.CompletionParams) -> types.CompletionList:
    """Give what could be written here."""
    place = ls.asked(params.text_document.uri)
    known = ls.editor.last_index(place)
    if known is None:
        return types.CompletionList(False, [])
    index, path = known
    source = SourceFile(path, ls.workspace.get_text_document(params.text_document.uri).source)
    items = completing.complete(index, source, offset_at(source, params.position))
    return types.CompletionList(False, items)


@server.feature(
    types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(list(signatures.TRIGGERS))
)
def signature_help(
    ls: RulesServer, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    """Give what the call around a position takes."""
    known = ls.editor.last_index(ls.asked(params.text_document.uri))
    if known is None:
        return None
    index, path = known
    source = SourceFile(path, ls.workspace.get_text_document(params.text_document.uri).source)
    return signatures.signatures(index, source, offset_at(source, params.position))


# ---------------------------------------------------------------- colours, hints, lenses, fixes


@server.feature(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    types.SemanticTokensLegend(list(colouring.TYPES), list(colouring.MODIFIERS)),
)
def semantic_tokens(ls: RulesServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """Tell what every word is."""
    place = ls.asked(params.text_document.uri)
    known = ls.editor.index(place)
    module = ls.editor.module(place)
    if known is None or module is None:
        return types.SemanticTokens([])
    return types.SemanticTokens(colouring.tokens(known[0], module.file, module))


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hint(ls: RulesServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Give what is written between the lines."""
    place = ls.asked(params.text_document.uri)
    known = ls.editor.index(place)
    module = ls.editor.module(place)
    if known is None or module is None:
        return []
    start = offset_at(module.file, params.range.start)
    return hints.hints(known[0], module, start, offset_at(module.file, params.range.end))


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(ls: RulesServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Give the lines above declarations."""
    place = ls.asked(params.text_document.uri)
    known = ls.editor.index(place)
    module = ls.editor.module(place)
    return lenses.lenses(known[0], module) if known is not None and module is not None else []


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]),
)
def code_action(ls: RulesServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Give what mends findings."""
    place = ls.asked(params.text_document.uri)
    everything = ls.editor.ruleset_of(place).shown.get(place, [])
    wanted = [getattr(each, "value", each) for each in params.context.only or ()]
    found = mending.actions(params.context.diagnostics, everything, wanted)
    module = ls.editor.module(place)
    if module is not None:
        address = params.text_document.uri
        found += mending.silencing(params.context.diagnostics, module.file, address, wanted)
    return found


@server.command(lenses.RUN)
async def run_scenario(ls: RulesServer, place: str, title: str) -> dict[str, Any]:
    """Play one scenario as it is on disk, and tell what came of it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cli",
        "test",
        place,
        "--only",
        title,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    text = output.decode("utf-8", errors="replace")
    passed = process.returncode == 0
    kind = types.MessageType.Info if passed else types.MessageType.Error
    said = text.strip().splitlines()[-1:] or [title]
    ls.window_show_message(types.ShowMessageParams(kind, f"{title}: {said[0]}"))
    return {"passed": passed, "output": text}


def serve() -> None:
    """Serve one editor over standard input and output, until it says goodbye."""
    gc.set_threshold(50_000, 20, 50)  # trees live long, and nothing in them is a circle
    server.start_io()


if __name__ == "__main__":
    serve()
