"""Codes of saves, replays and journals: for each a file that is refused with it, and a twin that is taken."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from interpreter.errors import RecordError
from interpreter.machine import Match
from interpreter.records import codes as recordcodes
from interpreter.records import journal as journals
from interpreter.records import saves
from interpreter.records.heading import check_heading
from interpreter.records.journal import Journal
from rulelang.api import check_texts, load_ruleset
from rulelang.codes import CODES
from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

RECORDS = [code for code in CODES if code.startswith("R02")]


@attrs.frozen
class Files:
    """A game with a journal and a replay of it, in one folder."""

    folder: Path

    @property
    def game(self) -> str:
        return str(self.folder / "pig.rules")

    @property
    def journal(self) -> Path:
        return self.folder / "evening.journal"

    @property
    def replay(self) -> Path:
        return self.folder / "evening.replay"

    def resume(self) -> str:
        """Play on; give what is said of what is wrong."""
        return self._said("resume", str(self.journal), "--game", self.game, "--log", "quiet")

    def again(self) -> str:
        return self._said("replay", str(self.replay), "--game", self.game)

    def _said(self, *words: str) -> str:
        code, out, err = run(*words)
        told = out + err if code else ""
        hashes = re.sub(r"\b[0-9a-f]{16,}\b", "HASH", told.replace(str(self.folder), "FOLDER"))
        return "\n".join(line for line in hashes.splitlines() if not line.startswith("Usage"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    made = Files(tmp_path)
    Path(made.game).write_text(PIG, "utf-8")
    recorded = ("--journal", str(made.journal), "--record", str(made.replay))
    assert run("run", made.game, "--seed", "3", "--log", "quiet", *recorded)[0] == 0
    return made


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def unreadable(files: Files) -> str:
    files.replay.write_text("Yesterday we played until midnight.", "utf-8")
    return files.again()


def other_format(files: Files) -> str:
    changed(files.replay, '"format": 1', '"format": 99')
    return files.again()


def damaged(files: Files) -> str:
    lines = files.journal.read_bytes().splitlines(keepends=True)
    lines[5] = b"0" * 16 + lines[5][16:]
    files.journal.write_bytes(b"".join(lines))
    return files.resume()


def other_game(files: Files) -> str:
    changed(files.replay, '"ruleset": "pig"', '"ruleset": "sow"')
    return files.again()


def other_rules(files: Files) -> str:
    path = Path(files.game)
    path.write_text(re.sub(r"\b20\b|\b100\b|\b50\b|\b30\b", "21", path.read_text("utf-8"), count=1))
    return files.resume()


def impossible(files: Files) -> str:
    saved = files.folder / "noon.save"
    content = json.loads(save_of(files))
    content["slots"][0] = "lots"
    content["checksum"] = saves.checksum(content)
    saved.write_text(json.dumps(content), "utf-8")
    return why(files, saved)


def parted(files: Files) -> str:
    content = json.loads(files.replay.read_text("utf-8"))
    content["states"][3] = "0" * 16
    files.replay.write_text(json.dumps(content), "utf-8")
    return files.again()


def in_use(files: Files) -> str:
    held, _ = Journal.resume(files.journal)
    with held:
        return files.resume()


def no_file(files: Files) -> str:
    files.journal.unlink()
    return files.resume()


WRONG: dict[str, Callable[[Files], str]] = {
    recordcodes.UNREADABLE: unreadable,
    recordcodes.OTHER_FORMAT: other_format,
    recordcodes.DAMAGED: damaged,
    recordcodes.OTHER_GAME: other_game,
    recordcodes.OTHER_RULES: other_rules,
    recordcodes.IMPOSSIBLE: impossible,
    recordcodes.PARTED: parted,
    recordcodes.IN_USE: in_use,
    recordcodes.NO_FILE: no_file,
}


def save_of(files: Files) -> str:
    match = Match(load_ruleset(files.game), seed=3, checks=True, optimise=False)
    match.next()
    return match.save()


def why(files: Files, saved: Path) -> str:
    return files._said("why", files.game, "2 + 2", "--at", str(saved))


def test_each_is_registered() -> None:
    """The codes that can be given are those that have a page, and each is shown here."""
    given = {value for name, value in vars(recordcodes).items() if name.isupper()}
    assert given == set(RECORDS) == set(WRONG)


@pytest.mark.parametrize("code", RECORDS)
def test_refused(code: str, files: Files, snapshot: SnapshotAssertion) -> None:
    """With its code, and what to do."""
    told = WRONG[code](files)
    assert f"[{code}]" in told
    assert told == snapshot


def test_twins_are_taken(files: Files) -> None:
    """The same files as they were written; a journal that is closed again."""
    assert files.resume() == files.again() == ""
    saved = files.folder / "noon.save"
    saved.write_text(save_of(files), "utf-8")
    assert why(files, saved) == ""


def test_any_error_has_a_code() -> None:
    """Also where the engine is used without the commands."""
    program = check_texts({"pig.rules": PIG}).program
    assert program is not None
    options = [option.default for option in program.options]
    header = journals.header_of(program, options, range(2), (), 1, {})
    with pytest.raises(RecordError) as caught:
        check_heading(attrs.evolve(header, seats=9), program, "journal", RecordError)
    assert caught.value.code == recordcodes.OTHER_GAME
