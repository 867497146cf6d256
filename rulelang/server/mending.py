"""Code actions: the fixes of findings, one by one or all that are safe, and comments that silence warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rulelang.allowing import first_line_of, is_silent
from rulelang.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang.source import SourceFile

_SAFE = "safe"
_SHOWN = "display"


def actions(
    asked: Sequence[types.Diagnostic], everything: Sequence[types.Diagnostic], wanted: Sequence[str]
) -> list[types.CodeAction]:
    """Give what mends findings.

    Args:
        asked: The findings that the editor asks about; it gives back what came with them.
        everything: All findings of the text.
        wanted: The kinds of actions that are wanted; empty for all.
    """
    found: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, wanted):
        for each in asked:
            fix = _fix_of(each)
            if fix is not None and fix["applicability"] != _SHOWN:
                found.append(
                    types.CodeAction(
                        title=fix["title"],
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[each],
                        edit=_edit([fix]),
                        is_preferred=fix["applicability"] == _SAFE,
                    )
                )
    safe = [fix for fix in map(_fix_of, everything) if fix and fix["applicability"] == _SAFE]
    if safe and _is_wanted(types.CodeActionKind.SourceFixAll, wanted):
        found.append(
            types.CodeAction(
                title="Fix all that is safe to fix",
                kind=types.CodeActionKind.SourceFixAll,
                edit=_edit(safe),
            )
        )
    return found


def silencing(
    asked: Sequence[types.Diagnostic], source: SourceFile, address: str, wanted: Sequence[str]
) -> list[types.CodeAction]:
    """Give the comments that silence warnings, for their line or for the file.

    Args:
        asked: The findings that the editor asks about.
        source: The text.
        address: Where it lies.
        wanted: The kinds of actions that are wanted; empty for all.
    """
    found: list[types.CodeAction] = []
    if not _is_wanted(types.CodeActionKind.QuickFix, wanted):
        return found
    for each in asked:
        code = CODES.get(str(each.code))
        if each.severity != types.DiagnosticSeverity.Warning or code is None or not is_silent(code):
            continue
        line = first_line_of(source, each.range.start.line + 1)
        text = source.line_text(line)
        indent = text[: len(text) - len(text.lstrip())]
        for title, at, comment in (
            (f"Allow {code.name} here", line - 1, f"{indent}# allow: {code.name}\n"),
            (f"Allow {code.name} in this file", 0, f"# allow-file: {code.name}\n"),
        ):
            place = types.Position(at, 0)
            edit = types.TextEdit(types.Range(place, place), comment)
            found.append(
                types.CodeAction(
                    title=title,
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[each],
                    edit=types.WorkspaceEdit(changes={address: [edit]}),
                )
            )
    return found


def _is_wanted(kind: types.CodeActionKind, wanted: Sequence[str]) -> bool:
    return not wanted or any(
        kind.value == each or kind.value.startswith(f"{each}.") for each in wanted
    )


def _fix_of(found: types.Diagnostic) -> dict[str, Any] | None:
    data: Any = found.data
    if data is not None and not isinstance(data, dict):
        data = {name: getattr(data, name) for name in ("title", "applicability", "edits")}
    return data if data and "edits" in data else None


def _edit(fixes: Iterable[dict[str, Any]]) -> types.WorkspaceEdit:
    changes: dict[str, list[types.TextEdit]] = {}
    for fix in fixes:
        for edit in fix["edits"]:
            if not isinstance(edit, dict):
                edit = {name: getattr(edit, name) for name in ("uri", "range", "text")}  # noqa: PLW2901
            line, column, end_line, end_column = edit["range"]
            where = types.Range(types.Position(line, column), types.Position(end_line, end_column))
            changes.setdefault(edit["uri"], []).append(types.TextEdit(where, edit["text"]))
    return types.WorkspaceEdit(changes=changes)
