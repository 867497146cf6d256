"""Formatting changes nothing that is said, loses no comment, and is done after one time."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.formatting import alike, format_source
from rulelang.fuzzing import generate
from rulelang.fuzzing.dice import Dice
from rulelang.parser import parse
from rulelang.source import SourceFile
from tests.formatting.mangled import Ways, mangled
from tests.formatting.walks import declaration

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "rulesets").rglob("*.rules"))
EXAMPLES = sorted((ROOT / "tests" / "spec" / "rules").glob("*.rules"))
QUICK = range(1, 6)
SLOW = range(100, 160)


def formatted(text: str, name: str = "x.rules") -> str:
    """Format a text that parses, once and once more, and compare it with what it was."""
    source = SourceFile(name, text)
    done = format_source(source).text
    assert done is not None, name
    again = SourceFile(name, done)
    parsed = parse(again)
    assert not parsed.has_errors, name
    assert alike(parse(source).module, parsed.module), name
    assert format_source(again).text == done, name
    return done


def in_every_layout(text: str, name: str, seed: int) -> None:
    """Whatever the blanks, line ends and depth of indentation, the result is the same; with comments it is stable."""
    plain = mangled(SourceFile(name, text), Dice(0), Ways(blanks=0, line_ends=0))
    wanted = formatted(plain, name)
    tried = 0
    for ways in (Ways(), Ways(blanks=5, line_ends=30)):
        other = mangled(SourceFile(name, text), Dice(seed), ways)
        if not parse(SourceFile(name, other)).has_errors:
            tried += 1
            assert formatted(other, name) == wanted
    noisy = mangled(SourceFile(name, text), Dice(seed), Ways(comments=15, blank_lines=20))
    if not parse(SourceFile(name, noisy)).has_errors:
        tried += 1
        formatted(noisy, name)
    assert tried, f"{name}: no other layout parses"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    """All that the language can say, in every layout."""
    in_every_layout(path.read_text("utf-8"), path.name, seed=len(path.name))


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_rulesets(path: Path) -> None:
    """Rules, variants and scenarios as they are written, and in another layout."""
    text = path.read_text("utf-8")
    formatted(text, path.name)
    in_every_layout(text, path.name, seed=len(text))


@pytest.mark.parametrize("seed", QUICK)
def test_random_rulesets(seed: int) -> None:
    """Those of the comparison of the engines; the program has the same hash."""
    texts = generate(seed)
    done = {
        path: formatted(text) if path.endswith(".rules") else text for path, text in texts.items()
    }
    before, after = (api.check_texts(each).program for each in (texts, done))
    assert before is not None
    assert after is not None
    assert before.digest == after.digest
    for path, text in texts.items():
        if path.endswith(".rules"):
            in_every_layout(text, path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_more_random_rulesets(seed: int) -> None:
    """The same for more of them."""
    test_random_rulesets(seed)


@pytest.mark.parametrize("seed", QUICK)
def test_whole_grammar(seed: int) -> None:
    """Whatever the grammar allows is formatted, sense or not."""
    parsed = 0
    for number in range(20 * seed, 20 * seed + 20):
        text = declaration(Dice(number), 6 + number % 4)
        if parse(SourceFile("x.rules", text)).has_errors:
            continue  # too long, or nested too deeply
        parsed += 1
        formatted(text, f"declaration {number}")
    assert parsed > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_more_of_the_grammar(seed: int) -> None:
    """The same for more of it, in every layout."""
    for number in range(50 * seed, 50 * seed + 50):
        text = declaration(Dice(number), 6 + number % 6)
        if not parse(SourceFile("x.rules", text)).has_errors:
            formatted(text, f"declaration {number}")
