"""Code actions: the fixes of findings, one by one or all that are safe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
