"""Generated code is kept between runs, and a damaged or foreign entry is never used."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from interpreter.compiling.built import Flags
from interpreter.compiling.emit.build import build
from interpreter.ui.codecache import CodeCache
from rulelang import api, cache

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GAME = 'game g "G":\n    version "1"\n    players 1..1\nphase game:\n    do win(Player)\n'
FLAGS = Flags()


def test_kept_code_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept is what is fetched; other flags are other code."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    program = api.check_texts({"g.rules": GAME}, seats=1).program
    assert program is not None
    store = CodeCache()
    assert store.fetch(program, (), FLAGS) is None
    built = build(program, (), FLAGS)
    store.keep(program, (), FLAGS, built)
    found = store.fetch(program, (), FLAGS)
    assert found is not None
    assert found.code == built.code
    assert found.frames == built.frames
    assert store.fetch(program, (), Flags(log=True)) is None


def test_damaged_code_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed byte, or a class that generated code has no use for, gives nothing."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    program = api.check_texts({"g.rules": GAME}, seats=1).program
    assert program is not None
    store = CodeCache()
    store.keep(program, (), FLAGS, build(program, (), FLAGS))
    (entry,) = tmp_path.glob("*.code")
    data = entry.read_bytes()
    entry.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert store.fetch(program, (), FLAGS) is None
    code_length = (0).to_bytes(8, "big")
    cache.write_entry(entry.name, code_length + pickle.dumps(print))
    assert store.fetch(program, (), FLAGS) is None
