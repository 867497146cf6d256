"""Journals: what is read is what was written, or the damage is told; nothing else is ever read."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import attrs
import pytest

from benchmarks.damage import damaged
from interpreter.errors import JournalError
from interpreter.records.journal import (
    Answer,
    End,
    Journal,
    changed_rules,
    check_program,
    header_of,
    read,
)
from rulelang import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.records.journal import Header

ANSWERS = tuple(
    Answer("turn.way", number % 2, (number, None), f"{number:016x}") for number in range(9)
)


@pytest.fixture(scope="module")
def header() -> Header:
    """Of a game with seats of two kinds."""
    program = load_ruleset("pirates", people=2)
    options = [option.default for option in program.options]
    return header_of(program, options, range(2), ("Ann", "Bob"), 7, {"1": "human"})


@pytest.fixture
def journal(tmp_path: Path, header: Header) -> Path:
    """A journal of a game that has not ended."""
    path = tmp_path / "game.journal"
    with Journal.create(path, header) as made:
        for each in ANSWERS:
            made.answer(each)
    return path


def test_what_was_written_is_read(journal: Path, header: Header) -> None:
    """Answers come back with their values as JSON has them."""
    found = read(journal)
    assert found.header == header
    assert [(each.path, each.seat, each.state) for each in found.answers] == [
        (each.path, each.seat, each.state) for each in ANSWERS
    ]
    assert [each.answer for each in found.answers] == [list(each.answer) for each in ANSWERS]  # type: ignore[call-overload]
    assert found.end is None
    assert found.torn == 0


def test_it_goes_on(journal: Path) -> None:
    """What is written after a stop follows what was there."""
    again, _ = Journal.resume(journal)
    with again:
        again.answer(ANSWERS[0])
        again.end(End("f" * 16, [1]))
    found = read(journal)
    assert len(found.answers) == len(ANSWERS) + 1
    assert found.end == End("f" * 16, [1])


def test_a_torn_line_is_dropped(journal: Path) -> None:
    """Wherever it is torn; the file then goes on as if the line had never been begun."""
    whole = journal.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(last + 1, len(whole)):
        journal.write_bytes(whole[:end])
        again, found = Journal.resume(journal)
        again.close()
        assert len(found.answers) == len(ANSWERS) - 1
        assert found.torn == end - last
        assert journal.read_bytes() == whole[:last]


def test_a_damaged_middle_is_refused_and_can_be_rescued(journal: Path) -> None:
    """The answers before it can be read; the file is left alone."""
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b"turn", b"tarn")
    journal.write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match="line 5 is damaged") as caught:
        Journal.resume(journal)
    assert caught.value.rescued == 3
    assert len(read(journal, until=3).answers) == 3
    assert journal.read_bytes() == b"".join(lines)


def test_only_one_plays(journal: Path) -> None:
    """A journal that is open cannot be opened again; afterwards it can."""
    first, _ = Journal.resume(journal)
    with first, pytest.raises(JournalError, match="another process plays this game"):
        Journal.resume(journal)
    Journal.resume(journal)[0].close()


def test_nothing_is_written_over(journal: Path, header: Header) -> None:
    """A new game needs a new file."""
    before = journal.read_bytes()
    with pytest.raises(JournalError, match="never written over"):
        Journal.create(journal, header)
    assert journal.read_bytes() == before


@pytest.mark.parametrize("seed", range(10))
def test_any_damage_is_told_or_leaves_a_beginning(journal: Path, seed: int) -> None:
    """A hundred changes each: bytes changed, cut out, doubled, lines moved; never an answer that nobody gave."""
    whole = journal.read_bytes()
    rng = random.Random(seed)  # noqa: S311 - damage, no secrets
    expected = [(each.path, each.seat, list(each.answer)) for each in ANSWERS]  # type: ignore[call-overload]
    for _ in range(100):
        journal.write_bytes(damaged(whole, rng))
        try:
            found = read(journal)
        except JournalError:
            continue
        given = [(each.path, each.seat, each.answer) for each in found.answers]
        assert given == expected[: len(given)]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"x\n",
        b"\xff\xfe\n",
        b'{"journal": 1}\n',
        b"0123456789abcdef {}\n",
        b"[" * 100_000 + b"\n",
    ],
)
def test_what_is_no_journal(tmp_path: Path, content: bytes) -> None:
    """Is told so."""
    path = tmp_path / "no.journal"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="no journal"):
        read(path)


def test_changed_rules_are_named(header: Header) -> None:
    """Rules, data and what came or went; nothing for the same program."""
    program = load_ruleset("pirates", people=2)
    check_program(header, program)
    assert changed_rules(header, program) == ()
    name = next(iter(header.rules))
    other = attrs.evolve(header, digest="0", rules={**header.rules, name: "0", "gone": "0"})
    assert changed_rules(other, program) == tuple(sorted([name, "gone"]))
    with pytest.raises(JournalError, match=r"the rules have changed \(.*gone.*\)"):
        check_program(other, program)


def test_a_line_that_could_not_be_written_leaves_nothing(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk for one answer: the next one follows the last that counted, also if nothing could be cut off."""
    again, _ = Journal.resume(journal)

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    with again:
        for stuck in (False, True):
            with monkeypatch.context() as patched:
                patched.setattr("os.fsync", full)
                if stuck:
                    patched.setattr(Journal, "_take_back", full)
                with pytest.raises(JournalError, match="No space left"):
                    again.answer(ANSWERS[3])
            again.answer(ANSWERS[0])
    found = read(journal)
    assert [each.path for each in found.answers] == ["turn.way"] * (len(ANSWERS) + 2)
    assert [each.state for each in found.answers[-2:]] == [ANSWERS[0].state] * 2
