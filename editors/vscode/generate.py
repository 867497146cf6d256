"""Writes the TextMate grammar and the snippets of the extension: words come from the language, none is typed here.

`python editors/vscode/generate.py` after a change of the grammar or of `rulelang.server.templates`; a test compares.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang import words
from rulelang.grammar import load_tables
from rulelang.server.templates import INSIDE, TOP

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).resolve().parent
SCOPE = "rulelang"


def _any(these: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(these))})\b"


def _match(pattern: str, scope: str, **captures: str) -> dict[str, Any]:
    found: dict[str, Any] = {"match": pattern}
    if scope:
        found["name"] = f"{scope}.{SCOPE}"
    if captures:
        found["captures"] = {
            number.removeprefix("_"): {"name": f"{name}.{SCOPE}"}
            for number, name in captures.items()
        }
    return found


def grammar() -> dict[str, Any]:
    """Make the TextMate grammar."""
    patterns = load_tables().patterns
    name, kind = patterns["NAME"], patterns["TYPE"]
    reserved = words.keywords() | words.constants()
    text = _match(patterns["STRING"], "string.quoted.double")
    text["captures"] = {
        "0": {"patterns": [_match(rf"\{{{name}(?:\.{name})*\}}", "variable.other.interpolated")]}
    }
    citation = patterns["CITE"].replace(r"\s*", " *")
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "rulelang",
        "scopeName": f"source.{SCOPE}",
        "fileTypes": ["rules"],
        "patterns": [
            _match("##.*$", "comment.line.documentation"),
            _match("#.*$", "comment.line.number-sign"),
            text,
            _match(citation, "entity.name.label"),
            _match(r"\[[A-Z]{2,}-[^\]\n]*\]?", "entity.name.label"),
            _match(r"^\s+[A-Z]{2,}-[A-Z0-9-]+[^\]\n]*\]", "entity.name.label"),
            _match(
                rf"^( *)({'|'.join(sorted(words.openers()))})\b +(?!{_any(reserved)})({name}|{kind})",
                "",
                _2="keyword.other",
                _3="entity.name.function",
            ),
            _match(rf"\.({name})", "", _1="variable.other.property"),
            _match(_any(words.openers()), "keyword.other"),
            _match(_any(words.keywords()), "keyword.control"),
            _match(_any(words.constants()), "constant.language"),
            _match(_any(words.types()), "support.type"),
            _match(rf"\b(?:{'|'.join(sorted(words.functions()))})(?=\()", "support.function"),
            _match(rf"\b{kind}", "entity.name.type"),
            _match(rf"\b{name}", "variable.other"),
            _match(rf"\b{patterns['NUMBER']}\b", "constant.numeric"),
            _match(r"\.\.|<=|>=|[-<>=+*/|]", "keyword.operator"),
            _match(r"[:,.(){}\[\]]", "punctuation"),
        ],
    }


def snippets() -> dict[str, Any]:
    """Make the snippets."""
    return {
        label: {
            "prefix": label,
            "description": detail,
            "body": re.sub(r"\n    ", "\n\t", text).replace("    ", "\t").rstrip("\n").split("\n"),
        }
        for label, (detail, text) in (TOP | INSIDE).items()
    }


def written(document: dict[str, Any]) -> str:
    """Write a file of the extension."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


FILES = {"syntaxes/rules.tmLanguage.json": grammar, "snippets/rules.json": snippets}


def main() -> None:
    """Write all files that are generated."""
    for path, made in FILES.items():
        (HERE / path).write_text(written(made()), encoding="utf-8")


if __name__ == "__main__":
    main()
