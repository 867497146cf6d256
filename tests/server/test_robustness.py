"""Whatever a text looks like while it is written, every question has an answer."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from rulelang.server import colouring, completing, hints, hovering, lenses, outline
from rulelang.server.editor import Editor

MARKET = Path(__file__).resolve().parents[1] / "variants/market"


def ask_everything(editor: Editor, place: Path, chance: random.Random) -> None:
    """Ask all questions that an editor asks after an edit."""
    module = editor.module(place)
    known = editor.index(place)
    assert module is not None
    assert known is not None
    index, path = known
    source = module.file
    outline.symbols(module)
    outline.folds(module)
    colouring.tokens(index, source, module)
    hints.hints(index, module, 0, len(source.text))
    lenses.lenses(index, module)
    for _ in range(10):
        offset = chance.randrange(len(source.text) + 1)
        completing.complete(index, source, offset)
        outline.selection(module, offset)
        found = index.at(path, offset)
        if found is not None:
            hovering.hover(index, found)
            index.definitions(found.keys)
            assert found in index.references(found.keys)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("path", ["market.rules", "variants/evenings.rules"])
def test_a_text_that_is_being_written_breaks_nothing(tmp_path: Path, path: str, seed: int) -> None:
    root = tmp_path.resolve() / "market"
    shutil.copytree(MARKET, root)
    place = root / path
    text = place.read_text(encoding="utf-8")
    chance = random.Random(seed)  # noqa: S311 - the same edits each time
    editor = Editor()
    ruleset = editor.open(place, text)
    editor.check(ruleset)
    for _ in range(8):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((0, 1, 5, 40, 400)))
        text = (
            text[:start]
            + chance.choice(("", " ", "\n", ".", "[", '"', "(", "éxx", "if ", "\t"))
            + text[end:]
        )
        editor.edit(place, text)
        editor.check(ruleset)
        ask_everything(editor, place, chance)
