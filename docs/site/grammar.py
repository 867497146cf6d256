"""Fragments of the grammar, as `rulelang/grammar.lark` has them."""

from __future__ import annotations

import functools
import importlib.resources
import re
from typing import Final

__all__ = ["fragment", "rules"]

_START: Final = re.compile(r"^\??([A-Za-z]\w*)(?:\.\d+)?:")


@functools.cache
def rules() -> dict[str, str]:
    """Give each rule of the grammar with its lines, and each token, in the order of the file."""
    text = (importlib.resources.files("rulelang") / "grammar.lark").read_text("utf-8")
    found: dict[str, list[str]] = {}
    open_rule: list[str] | None = None
    for line in text.splitlines():
        start = _START.match(line)
        if start:
            open_rule = found.setdefault(start[1], [])
        elif not line.startswith(" "):
            open_rule = None
        if open_rule is not None:
            open_rule.append(line.partition("  //")[0].rstrip())
    return {name: "\n".join(lines) for name, lines in found.items()}


def fragment(names: list[str]) -> str:
    """Show some rules of the grammar, folded away.

    Raises:
        KeyError: There is no rule of such a name.
    """
    text = "\n".join(rules()[name] for name in names)
    return (
        '<details class="grammar" markdown="1"><summary>Grammar</summary>\n\n'
        f"```text\n{text}\n```\n\n</details>"
    )
