"""`play --dice table` on the whole screen: what lies on a real table is asked for there, checked, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from interpreter.records.journal import read
from tests.cli.sample_game import run
from tests.cli.table_games import write_cellar, write_pig
from tests.tabletop import pilots

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.ui.terminal.desk import Desk


@pytest.fixture
def pig(tmp_path: Path) -> str:
    return write_pig(tmp_path)


@pytest.fixture
def cellar(tmp_path: Path) -> str:
    return write_cellar(tmp_path)


async def types(person: Any, *keys: str, until: str = "") -> None:
    """Press keys, and wait until the question says something."""
    await person.pilot.press(*keys)
    await person.until(
        lambda: person.is_curtained or (person.table.choosing and until in person.text("#prompt"))
    )


def test_a_roll_is_asked_for_checked_and_corrected(pig: str, tmp_path: Path) -> None:
    """A die shows what it can; F7 takes back the last result, then the answer before it; all is in the journal."""
    file = tmp_path / "evening.journal"
    desk: Desk = pilots.desk_of(pig, dice="table")

    async def does(person: Any) -> None:
        assert "On the table: Player 1 rolls (die, 1 to 6)." in person.text("#prompt")
        assert [each.strip() for each in person.options] == list("123456")
        await types(person, "7", "enter", until="What came?")
        assert "no option fits '7'" in person.text("#status")
        await types(person, "escape", "question_mark")
        assert "Chance decides" in str(person.app.screen.query_one("#window-content").render())
        await types(person, "escape", "f3")
        assert "chance decides" in person.text("#status")
        await types(person, "backspace", "3", "enter", until="Roll again?")
        assert "last from the table: 3 (die)" in person.text("#status")
        assert "rolls 3" in person.text("#story-text")
        await types(person, "f7", until="What came?")
        assert "Taken back: 3 (die)." in person.text("#status")
        assert "rolls 3" not in person.text("#story-text")
        await types(person, "5", "enter", until="Roll again?")
        await person.pilot.press("f9")
        person.app.screen.query_one("#window-input").value = str(file)
        await person.pilot.press("enter")
        await person.until(lambda: "saved" in person.text("#status"))
        await types(person, *"yes", "enter", until="What came?")
        await types(person, "f7", until="Roll again?")
        assert person.table.shown.chosen == 0
        await types(person, *"yes", "enter", until="What came?")
        await types(person, "6", "enter", until="Roll again?")

    pilots.at_table(desk, does)
    desk.close()
    assert [each.value for each in read(file).draws] == [5, 6]
    code, out, _ = run("replay", str(file), "--game", pig)
    assert (code, "The replay agrees" in out) == (0, True)


@pytest.mark.slow
def test_cards_are_asked_of_who_sees_them(cellar: str) -> None:
    """A card in a hand is asked for behind the curtain, as its name, and no other card is on offer again."""
    desk: Desk = pilots.desk_of(cellar, persons=(1, 2), dice="table")

    async def does(person: Any) -> None:
        for seat, letters in (("Player 1", "IHG"), ("Player 2", "ABC")):
            for letter in letters:
                await person.until(lambda: person.is_curtained or person.table.choosing)
                if person.is_curtained:
                    told = str(person.app.screen.query_one("#curtain-name").render())
                    assert told == f"{seat} is asked"
                    await person.asked()
                assert seat in person.text("#prompt")
                assert any(f"Card {letter}" in each for each in person.options)
                before = len(desk.referee.results) if desk.referee else 0
                person.table.query_one("#filter").value = f"card {letter.lower()}"
                await person.pilot.press("enter")
                await person.until(
                    lambda before=before: (
                        desk.referee
                        and len(desk.referee.results) > before
                        and (person.table.choosing or person.is_curtained)
                    )
                )
        await person.asked()
        assert "How much?" in person.text("#prompt")
        assert person.text("#holds-text").count("Card ") >= 2

    pilots.at_table(desk, does)
    assert desk.referee is not None
    assert len(desk.referee.results) == 6


@pytest.mark.slow
def test_a_game_with_real_dice_to_its_end(pig: str) -> None:
    """Dice can be told several at once; the game that is over agrees with its replay."""
    desk: Desk = pilots.desk_of(pig, options={"goal": "20"}, dice="table")

    async def does(person: Any) -> None:
        while not person.is_over:
            reading = person.table.shown.is_reading
            before = (person.table.shown.chosen, len(desk.referee.results) if desk.referee else 0)
            if reading:
                await person.pilot.press("6", "space", "6", "enter")
            else:
                await person.pilot.press("f3", "enter")
            await person.until(
                lambda before=before: (
                    person.is_over
                    or (
                        person.table.choosing
                        and (person.table.shown.chosen, len(desk.referee.results)) != before  # type: ignore[union-attr]
                    )
                )
            )

    pilots.at_table(desk, does)
    assert desk.game is not None
    assert desk.game.match.over
