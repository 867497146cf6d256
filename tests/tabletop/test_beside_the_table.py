"""What stands around the table on the screen: when there is one, what can be taken back, what was marked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from commands import games
from interpreter import events
from interpreter.machine import Match
from interpreter.ui.tabletop.model import Choice, Question
from interpreter.ui.terminal import playing
from interpreter.ui.terminal.choosing import Choosing, MistypedError
from interpreter.ui.terminal.taking_back import Moment, refusal
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from interpreter.layout import Slots


class _Stream:
    def __init__(self, *, terminal: bool) -> None:
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("stdin", "stdout", "term", "wanted"),
    [
        (True, True, "xterm", True),
        (True, True, "dumb", False),
        (False, True, "xterm", False),
        (True, False, "xterm", False),
    ],
)
def test_a_screen_needs_a_terminal(
    monkeypatch: pytest.MonkeyPatch, *, stdin: bool, stdout: bool, term: str, wanted: bool
) -> None:
    """Pipes and simple terminals get lines."""
    monkeypatch.setattr(sys, "stdin", _Stream(terminal=stdin))
    monkeypatch.setattr(sys, "stdout", _Stream(terminal=stdout))
    monkeypatch.setenv("TERM", term)
    assert playing.wants_screen() is wanted


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without what draws the screen it is said what to install, and lines are taken."""
    monkeypatch.setattr(playing, "wants_screen", lambda: True)
    monkeypatch.setattr(playing, "has_extra", lambda: False)
    assert not games._wants_screen(plain=False)
    assert 'pip install "rulelang[table]"' in capsys.readouterr().err
    assert not games._wants_screen(plain=True)
    assert not capsys.readouterr().err


def _match(path: str) -> Match:
    match = Match(load_ruleset(path, people=2), people=2, seed=1, log=True, optimise=False)
    match.next()
    return match


def _why_not(match: Match, more: list[events.Event], now: Slots | None = None) -> str:
    then = Moment(0, 0, 0, match.state())
    return refusal(then, match.state() if now is None else now, more, match.layout, (0, 1))


def test_what_was_learnt_is_not_taken_back(lagoon: str) -> None:
    """Dice, something shown, and another's answer stand in the way; one's own and what is forced do not."""
    match = _match(lagoon)
    assert _why_not(match, []) == ""
    assert _why_not(match, [(events.ANSWER, 0, 0, 1, events.PROVIDER)]) == ""
    assert _why_not(match, [(events.ANSWER, 0, 1, 1, events.SOLE)]) == ""
    assert "somebody else" in _why_not(match, [(events.ANSWER, 0, 1, 1, events.POLICY)])
    assert "dice" in _why_not(match, [(events.ROLL, "a", 1, None)])
    assert "shown" in _why_not(match, [(events.SHOW, (1,), (0,))])


def test_what_lay_face_down_and_is_seen_is_not_taken_back(lagoon: str) -> None:
    """A thing that was turned face up stays so."""
    match = _match(lagoon)
    program, layout = match.program, match.layout
    flag = next(field for field in program.fields if field.name == "face_up")
    base = program.kinds[flag.kind].base
    now = match.state()
    for stone in range(base, base + program.kinds[flag.kind].count):
        now[layout.slot(flag.index, stone)] = True
    assert "hidden" in _why_not(match, [], now)


def _choosing(*, several: bool = True) -> Choosing:
    choices = (
        Choice(1, "a barrel", "barrel", 3, 3),
        Choice(2, "silk", "silk", 9),
        Choice(3, "gold", "gold", 10),
    )
    bounds = (1, 4) if several else (None, None)
    question = Question(0, "take.things", "Which?", "", (), choices, *bounds)
    return Choosing(question, ((3, 4, 5), (9,), (10,)))


def test_marks_become_an_answer() -> None:
    """Of alike things as many are taken as were marked; one more mark than there are takes none."""
    choosing = _choosing()
    barrel, silk, _ = choosing.question.choices
    choosing.mark(barrel)
    choosing.mark(barrel)
    choosing.mark(silk)
    assert choosing.answer() == (3, 4, 9)
    assert choosing.asks_for() == "choose 1 to 4, 3 marked"
    choosing.mark(barrel)
    choosing.mark(barrel)
    assert choosing.answer() == (9,)
    choosing.mark_answer((3, 10))
    assert choosing.taken == {1: 1, 2: 0, 3: 1}


def test_numbers_are_an_answer() -> None:
    """Several numbers at once, some of them several times."""
    choosing = _choosing()
    assert choosing.typed("2 3") == (9, 10)
    assert choosing.typed("1x2, 3") == (3, 4, 10)
    with pytest.raises(MistypedError, match="'7'"):
        choosing.typed("1 7")
    with pytest.raises(MistypedError, match="not that many"):
        choosing.typed("2x2")


def test_a_list_is_filtered() -> None:
    """By number, the exact one first, or by words in any order."""
    choosing = _choosing(several=False)
    assert [each.number for each in choosing.fitting("3")] == [3]
    assert [each.number for each in choosing.fitting("l")] == [1, 2, 3]
    assert [each.number for each in choosing.fitting("barrel a")] == [1]
    assert choosing.fitting("tin") == []
