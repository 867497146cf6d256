"""What the tests of lints share."""

from __future__ import annotations

from rulelang import api


def lines(code: str, start: str, rules: str, files: dict[str, str] | None = None) -> list[int]:
    """Give the lines, from 1 in the rules given, at which a lint finds something; nothing worse may be found.

    Args:
        code: Of the lint.
        start: What stands before the rules.
        rules: The rules.
        files: Data files.
    """
    diagnostics = api.check_text(start + rules, "g.rules", files)
    assert not [each for each in diagnostics if each.is_error], diagnostics
    first = start.count("\n")
    return [each.span.line - first for each in diagnostics if each.code == code]
