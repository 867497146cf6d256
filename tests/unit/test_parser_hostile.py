"""No text at all makes the parser raise, hang or recurse."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulelang import nodes
from rulelang.parser import MAX_ERRORS, MAX_TEXT, ParseResult, parse
from rulelang.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = (ROOT / "tests" / "fixtures" / "scenarios.rules").read_text("utf-8")
LINES = SAMPLE.splitlines(keepends=True)
PIECES = [
    *(
        "let",
        "if",
        "else",
        "effect a:",
        "each",
        "in",
        "gains",
        "becomes",
        "=",
        "==",
        "(",
        ")",
        "{",
        "}",
        ":",
        '"',
        "card",
    ),
    *(
        "\n",
        "\n    ",
        "\n        ",
        "\n\t",
        "when",
        "foo",
        "Bar",
        "3",
        "..",
        "+",
        "-",
        "#",
        "##x",
        "game",
        "automa",
        "until",
    ),
    *(
        "may",
        "do",
        "end",
        'scenario "x" of y:',
        "any",
        "not",
        "[RB-1]",
        "[",
        "\0",
        "\ufffd",
        "\ufeff",
        "é",
        "\r\n",
        "after",
    ),
]


def check(text: str | bytes) -> ParseResult:
    """Parse, and test what must hold of any result."""
    source = (
        SourceFile.from_bytes("x.rules", text)
        if isinstance(text, bytes)
        else SourceFile("x.rules", text)
    )
    result = parse(source)
    for found in result.diagnostics:
        for span in (found.span, *(label.span for label in found.secondary)):
            assert 0 <= span.start <= span.end <= len(source.text)
        assert found.headline
    assert all(isinstance(item, nodes.Node) for item in result.module.items)
    assert list(result.diagnostics) == sorted(
        result.diagnostics, key=lambda found: found.span.sort_key
    )
    return result


@given(st.text(max_size=200))
@settings(max_examples=80, deadline=None)
def test_any_text(text: str) -> None:
    """Text of any characters is parsed or reported."""
    check(text)


@given(st.binary(max_size=200))
@settings(max_examples=40, deadline=None)
def test_any_bytes(data: bytes) -> None:
    """So are bytes."""
    check(data)


@given(st.lists(st.sampled_from(PIECES), max_size=60))
@settings(max_examples=120, deadline=None)
def test_any_words(pieces: list[str]) -> None:
    """So are the words of the language in any order."""
    check(" ".join(pieces))


@given(
    st.integers(0, len(LINES) - 1),
    st.integers(1, 25),
    st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 6), st.sampled_from(["", *PIECES])),
        min_size=1,
        max_size=6,
    ),
)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_mutation(first: int, count: int, changes: list[tuple[int, int, str]]) -> None:
    """So is a good text with pieces taken out and put in."""
    text = "".join(LINES[first : first + count])
    for place, length, new in changes:
        at = place % (len(text) + 1)
        text = text[:at] + new + text[at + length :]
    check(text)


DEEP = 100_000
EXTREMES = {
    "brackets": b"define a = " + b"(" * DEEP,
    "closed-brackets": b"define a = " + b"(" * 700 + b"1" + b")" * 700,
    "closing-brackets": b")" * DEEP,
    "negations": b"define a = " + b"not " * DEEP + b"b",
    "sum": b"define a = 1" + b"+1" * 400,
    "properties": b"define a = x" + b".x" * 500,
    "digits": b"define a = " + b"9" * DEEP,
    "blocks": b"effect a:\n" + b"".join(b" " * depth + b"if x:\n" for depth in range(1, 200)),
    "quotes": b'"' * (DEEP + 1),
    "wrong-lines": b"x y\n" * 3_000,
    "all-bytes": bytes(range(256)) * 100,
    "large": b"#" * (MAX_TEXT + 1),
    "latin": "effect é(a): do b".encode("latin-1"),
    "nothing": b"\0",
}


@pytest.mark.parametrize("data", EXTREMES.values(), ids=EXTREMES.keys())
def test_extremes(data: bytes) -> None:
    """What is beyond the limits is reported, and soon."""
    result = check(data)
    assert result.has_errors
    assert len(result.diagnostics) <= MAX_ERRORS + 1


def test_later_stages_may_recurse() -> None:
    """What is within the limits is shallow: a walk that recurses into it is safe."""

    def depth(of: nodes.Node) -> int:
        return 1 + max((depth(child) for child in nodes.children(of)), default=0)

    text = "define a = " + "(" * 40 + "1" + " + 1)" * 40 + "\n"
    result = check(text)
    assert not result.has_errors
    assert 40 < depth(result.module) < sys.getrecursionlimit() // 5
