"""The extension for Visual Studio Code: its generated files are current, its colours right, its package whole."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulelang import words
from rulelang.parser import parse
from rulelang.server import lenses
from rulelang.server.templates import INSIDE, TOP
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors/vscode"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"vscode_{name}", EXTENSION / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_files_are_current() -> None:
    generate = script("generate")
    for path, made in generate.FILES.items():
        assert (EXTENSION / path).read_text(encoding="utf-8") == generate.written(made()), path


# ---------------------------------------------------------------- colours


def coloured(line: str) -> list[tuple[str, str]]:
    """Colour a line as an editor does with a grammar of matches only: the leftmost wins, then the first."""
    grammar = json.loads((EXTENSION / "syntaxes/rules.tmLanguage.json").read_text("utf-8"))
    rules: list[tuple[re.Pattern[str], dict[str, Any]]] = [
        (re.compile(each["match"]), each) for each in grammar["patterns"]
    ]
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(line):
        tried = [(rule.search(line, at), how) for rule, how in rules]
        matching = [(match, how) for match, how in tried if match is not None and match.end() > at]
        if not matching:
            break
        match, how = min(matching, key=lambda pair: pair[0].start())
        if "name" in how:
            found.append((match[0], how["name"].removesuffix(".rulelang")))
        for number, capture in how.get("captures", {}).items():
            if "name" in capture and match[int(number)]:
                found.append((match[int(number)], capture["name"].removesuffix(".rulelang")))
        at = match.end()
    return found


@pytest.mark.parametrize(
    ("line", "text", "scope"),
    [
        ("## What it is for.", "## What it is for.", "comment.line.documentation"),
        ("let x = 1 # why", "# why", "comment.line.number-sign"),
        ("phase round(player):", "phase", "keyword.other"),
        ("phase round(player):", "round", "entity.name.function"),
        ("component Hero (3):", "Hero", "entity.name.function"),
        ("    if player.gold > 3:", "if", "keyword.control"),
        ("    if player.gold > 3:", "gold", "variable.other.property"),
        ("    if player.gold > 3:", "3", "constant.numeric"),
        ("    if player.gold > 3:", ">", "keyword.operator"),
        ("    player gains 1 coins", "gains", "keyword.control"),
        ("    x becomes yes", "yes", "constant.language"),
        ("    n: Number", "Number", "support.type"),
        ("    n: set of Hero", "Hero", "entity.name.type"),
        ("    let n = count(heroes)", "count", "support.function"),
        ("    count becomes 1", "count", "variable.other"),
        ('    player may "Pay {n}?":', '"Pay {n}?"', "string.quoted.double"),
        (
            "effect pay [ABC-01, ABC-DEF-02..04]:",
            "[ABC-01, ABC-DEF-02..04]",
            "entity.other.attribute-name",
        ),
        ("    do pay [ABC-01,", "[ABC-01,", "entity.other.attribute-name"),
        ("    before_noon becomes 1", "before_noon", "variable.other"),
    ],
)
def test_words_have_their_colours(line: str, text: str, scope: str) -> None:
    assert (text, scope) in coloured(line)


def test_every_keyword_has_the_colour_of_one() -> None:
    for word in words.keywords():
        (only,) = coloured(f"  {word}")
        assert only[1] in {"keyword.other", "keyword.control"}, word


# ---------------------------------------------------------------- snippets


def filled(text: str) -> str:
    return re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text)


@pytest.mark.parametrize("label", TOP)
def test_constructs_of_the_left_edge_parse(label: str) -> None:
    found = parse(SourceFile("x.rules", filled(TOP[label][1])))
    assert not found.diagnostics


@pytest.mark.parametrize("label", INSIDE)
def test_constructs_of_blocks_parse(label: str) -> None:
    block = "".join(f"    {line}\n" for line in filled(INSIDE[label][1]).split("\n"))
    rest = "    do nothing\n" if label == "keeps" else ""
    found = parse(SourceFile("x.rules", f"phase round:\n{block}{rest}"))
    assert not found.diagnostics


# ---------------------------------------------------------------- the package


def test_the_package_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = script("package")
    place = tmp_path / "extension"
    shutil.copytree(EXTENSION, place, ignore=shutil.ignore_patterns("node_modules"))
    client = place / "node_modules/vscode-languageclient/node.js"
    client.parent.mkdir(parents=True)
    client.write_text("")
    monkeypatch.setattr(package, "HERE", place)
    made = package.pack(tmp_path)
    with zipfile.ZipFile(made) as archive:
        names = set(archive.namelist())
        assert {"extension.vsixmanifest", "[Content_Types].xml"} <= names
        assert "extension/node_modules/vscode-languageclient/node.js" in names
        described = json.loads(archive.read("extension/package.json"))
        named = [described["main"]]
        named += [each["configuration"] for each in described["contributes"]["languages"]]
        named += [each["path"] for each in described["contributes"]["grammars"]]
        named += [each["path"] for each in described["contributes"]["snippets"]]
        assert {f"extension/{path.removeprefix('./')}" for path in named} <= names
        assert 'Id="rulelang" Version="0.1.0"' in archive.read("extension.vsixmanifest").decode()
    first = made.read_bytes()
    assert package.pack(tmp_path).read_bytes() == first


def test_the_client_knows_the_commands_of_the_server() -> None:
    text = (EXTENSION / "extension.js").read_text(encoding="utf-8")
    assert f'"{lenses.SHOW}"' in text
    assert (
        f'"{lenses.RUN}"' not in text
    )  # the server runs it, and the client registers what the server names


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_client_is_a_program() -> None:
    done = subprocess.run(
        ["node", "--check", str(EXTENSION / "extension.js")],  # noqa: S607 - wherever Node.js is
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
