"""The table on the screen, driven by keys as a person drives it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from interpreter.records.journal import read
from interpreter.sight.redeal import redealt
from tests.tabletop import pilots

if TYPE_CHECKING:
    from interpreter.ui.terminal.desk import Desk

RULESETS = Path(__file__).parents[2] / "rulesets"


async def play(person: Any, answers: int = 100_000) -> int:
    """Answer so many questions by the hint where there is one, else by the first option; gives how many there were."""
    for given in range(answers):
        await person.asked()
        if person.is_over:
            return given
        await person.answers()
    return answers


def test_a_game_to_its_end(lagoon: str) -> None:
    """Map, question and options are there; at the end it says who has won."""
    desk: Desk = pilots.desk_of(lagoon)

    async def does(person: Any) -> None:
        assert "The Lagoon" in person.text("#title")
        assert "How much do you bid?" in person.text("#prompt")
        assert "LAG-4" in person.text("#prompt")
        assert "Old Port" in person.text("#drawing")
        assert [each.strip() for each in person.options] == ["0", "1", "2"]
        assert "Bids are made in secret." in person.text("#rule")
        assert await play(person) > 3
        assert person.is_over
        assert "The game is over." in person.text("#prompt")
        assert "wins" in person.text("#story-text")

    pilots.at_table(desk, does)
    assert desk.game is not None
    assert desk.game.match.over


@pytest.mark.slow
def test_typing_filters_and_chooses(lagoon: str) -> None:
    """Words and numbers narrow the list; Enter takes what stands out; nothing that fits is told."""

    async def does(person: Any) -> None:
        await person.pilot.press("2", "enter")
        await person.until(lambda: person.table.choosing and len(person.options) == 4)
        assert "sail: Old Port" in person.options[0]
        await person.pilot.press(*"salt")
        assert [each.split(None, 1)[1] for each in person.options] == ["sail: Salt Pans"]
        await person.pilot.press("x", "enter")
        assert "no option fits 'saltx'" in person.text("#status")
        await person.pilot.press("escape", "3")
        assert len(person.options) == 1
        await person.pilot.press("enter")
        await person.until(lambda: person.table.choosing and "bid" in person.text("#prompt"))
        assert "Player 1 decides to stay" in person.text("#story-text")

    pilots.at_table(pilots.desk_of(lagoon), does)


@pytest.mark.slow
def test_the_mouse_chooses(lagoon: str) -> None:
    """A click on an option is an answer, one on a place tells about it."""

    async def does(person: Any) -> None:
        drawing = person.table.query_one("#drawing")
        assert await person.pilot.click(drawing, offset=(4, 0))
        await person.pilot.pause()
        assert "colour: red" in str(person.app.screen.query_one("#window-content").render())
        await person.pilot.press("escape")
        options = person.table.query_one("#options")
        assert await person.pilot.click(options, offset=(4, 2))
        await person.until(lambda: person.table.shown.chosen > 0)
        assert person.app.desk.recorder.answers[0].answer == 2

    pilots.at_table(pilots.desk_of(lagoon), does)


@pytest.mark.slow
def test_why_and_why_not(lagoon: str) -> None:
    """A question mark asks about the option that stands out; what is not on offer can be typed."""

    async def told(person: Any, text: str) -> None:
        await person.until(
            lambda: text in str(person.app.screen.query_one("#window-content").render())
        )

    async def does(person: Any) -> None:
        await person.pilot.press("enter")
        await person.until(lambda: person.table.choosing and len(person.options) == 4)
        await person.pilot.press("question_mark")
        await told(person, "away: yes")
        person.app.screen.query_one("#window-input").value = "sail(mill)"
        await person.pilot.press("enter")
        await told(person, 'away: no "you are there already"')
        person.app.screen.query_one("#window-input").value = "seat_1.coins"
        await person.pilot.press("enter")
        await told(person, "seat_1.coins: 0")

    pilots.at_table(pilots.desk_of(lagoon), does)


def test_hint(lagoon: str) -> None:
    """It marks what the policy would do, and shows the line that says so."""

    async def does(person: Any) -> None:
        await person.pilot.press("f3")
        assert person.table.highlighted.text == "2"
        status = person.text("#status")
        assert "The ruleset's policy would choose: 2." in status
        assert "automa highest it" in status
        assert "lagoon.rules:" in status

    pilots.at_table(pilots.desk_of(lagoon), does, (130, 40))


@pytest.mark.slow
def test_undo_and_redo_alone(lagoon: str) -> None:
    """One person takes back whatever there is, and may do it again: the game is then as it was."""

    async def does(person: Any) -> None:
        await person.pilot.press("f7")
        assert "no answer to take back" in person.text("#status")
        await play(person, 3)
        before = person.everything()
        answers = len(person.app.desk.recorder.answers)
        await person.pilot.press("f7")
        await person.until(lambda: person.table.choosing and person.table.shown.chosen < answers)
        assert person.everything() != before
        await person.pilot.press("f8")
        await person.until(lambda: person.table.choosing and person.table.shown.chosen == answers)
        assert person.everything() == before
        await person.pilot.press("f8")
        assert "nothing to do again" in person.text("#status")

    pilots.at_table(pilots.desk_of(lagoon), does)


@pytest.mark.slow
def test_undo_is_refused_where_something_was_learnt(lagoon: str) -> None:
    """With two persons an answer stays once the other has answered, or a card was seen."""

    async def does(person: Any) -> None:
        await play(person, 2)
        await person.asked()
        assert "Player 1" in person.text("#prompt")
        await person.pilot.press("f7")
        assert "somebody else has answered since" in person.text("#status")
        await person.pilot.press("1", "enter")
        await person.until(lambda: person.table.choosing and "card" in person.text("#prompt"))
        answers = person.table.shown.chosen
        await person.pilot.press("f7")
        await person.until(lambda: person.table.choosing and person.table.shown.chosen < answers)
        assert len(person.options) == 4

    pilots.at_table(pilots.desk_of(lagoon, persons=(1, 2)), does)


def test_the_curtain_hides_the_table(lagoon: str) -> None:
    """Between persons nothing of either is on the screen, until the next one says so."""

    async def does(person: Any) -> None:
        assert person.is_curtained
        text = str(person.app.screen.query_one("#curtain-name").render())
        assert text == "Player 1 is asked"
        assert person.table.shown is None
        await person.asked()
        mine = person.text("#players")
        await person.pilot.press("1", "enter")
        await person.until(lambda: person.is_curtained)
        assert "Player 2" in str(person.app.screen.query_one("#curtain-name").render())
        assert not list(person.app.screen.query("#players"))
        await person.asked()
        assert person.text("#players") != mine

    pilots.at_table(pilots.desk_of(lagoon, persons=(1, 2)), does)


@pytest.mark.slow
def test_an_open_table_has_no_curtain(lagoon: str) -> None:
    """Those who hide nothing sit before one table, and may take back what each of them did."""

    async def does(person: Any) -> None:
        assert not person.is_curtained
        await play(person, 2)
        await person.pilot.press("f7")
        await person.until(lambda: person.table.choosing and person.table.shown.chosen == 1)

    pilots.at_table(pilots.desk_of(lagoon, persons=(1, 2), open=True), does)


@pytest.mark.slow
def test_save_and_what_follows(lagoon: str, tmp_path: Path) -> None:
    """A game is saved as a journal, with all answers before and after, without those taken back."""
    file = tmp_path / "evening.journal"
    desk: Desk = pilots.desk_of(lagoon)

    async def does(person: Any) -> None:
        await play(person, 1)
        await person.pilot.press("f9")
        person.app.screen.query_one("#window-input").value = str(file)
        await person.pilot.press("enter")
        await person.pilot.pause()
        assert "saved" in person.text("#status")
        await play(person, 1)
        await person.pilot.press("f7")
        await person.until(lambda: person.table.choosing and "Sail" not in person.text("#title"))
        await person.pilot.press("f9")
        assert "saved already" in person.text("#status")
        await play(person)

    pilots.at_table(desk, does)
    desk.close()
    contents = read(file)
    assert contents.end is not None
    assert [each.answer for each in contents.replay().answers] == [
        list(each.answer) if isinstance(each.answer, tuple) else each.answer
        for each in desk.recorder.answers
    ]


@pytest.mark.slow
def test_search_in_the_story_and_who_holds_what(lagoon: str) -> None:
    """Only lines with the words are left."""

    async def does(person: Any) -> None:
        await person.pilot.press("f5", *"salt pans")
        await person.pilot.pause()
        assert set(person.text("#story-text").splitlines()) == {
            "Salt Pans gains 1 grain",
            "a stone goes from the bag to Salt Pans",
        }
        await person.pilot.press("f6", *"barrel")
        await person.pilot.pause()
        assert person.text("#holds-text").splitlines() == [
            "2 x barrel of Player 1: Player 1",
            "2 x barrel of Player 2: Player 2",
        ]
        await person.pilot.press("escape", "2", "enter")
        await person.until(lambda: person.table.shown.chosen > 0)

    pilots.at_table(pilots.desk_of(lagoon), does)


@pytest.mark.slow
def test_the_table_fits_the_window(lagoon: str) -> None:
    """Wide windows have the question beside the table, narrow ones below; the map is drawn anew."""

    async def does(person: Any) -> None:
        narrow = person.text("#drawing")
        assert person.table.query_one("#asking").region.y > 5
        await person.pilot.resize_terminal(140, 40)
        await person.pilot.pause()
        assert person.table.query_one("#asking").region.y < 3
        assert person.text("#drawing") != narrow
        await person.pilot.resize_terminal(60, 20)
        await person.pilot.pause()
        assert person.options

    pilots.at_table(pilots.desk_of(lagoon), does)


@pytest.mark.slow
def test_leaving_ends_the_engine(lagoon: str) -> None:
    """Whoever leaves leaves nothing that runs."""
    desk: Desk = pilots.desk_of(lagoon)
    threads: list[Any] = []

    async def does(person: Any) -> None:
        threads.append(person.app.engine)
        await person.pilot.press("ctrl+q")

    pilots.at_table(desk, does)
    threads[0].join(5)
    assert not threads[0].is_alive()
    assert desk.error is None


@pytest.mark.slow
def test_nothing_hidden_is_on_the_screen(lagoon: str) -> None:
    """Whatever a person does not see may be dealt anew, and every page of the screen says the same."""
    below = Random(5).randrange  # noqa: S311 - a test
    changed: list[bool] = []

    async def does(person: Any) -> None:
        for _ in range(4):
            await person.asked()
            if person.is_over:
                break
            desk = person.app.desk
            shown, match = person.table.shown, desk.game.match
            before = person.everything()
            twin = redealt(match, shown.seat, below)
            changed.append(twin.state() != match.state())
            seen = twin.observation(shown.seat)
            desk.game.match = twin
            view = desk.views.view(
                seen, shown.view.phases, desk.tellings[shown.seat].story.running()
            )
            held = desk.views.whereabouts(seen)
            person.table.take(_evolved(shown, view, held))
            await person.pilot.press("f3")
            hinted = person.text("#status")
            desk.game.match = match
            person.table.take(shown)
            await person.pilot.press("f3")
            assert person.text("#status") == hinted
            person.table.take(_evolved(shown, view, held))
            await person.pilot.pause()
            assert person.everything() == before
            person.table.take(shown)
            await play(person, 1)

    pilots.at_table(pilots.desk_of(lagoon), does)
    assert sum(changed) > 2


def _evolved(shown: Any, view: Any, held: Any) -> Any:
    return attrs.evolve(shown, view=view, whereabouts=held)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "people", "options", "variants"),
    [
        ("pyrates", 2, {"winning_score": "2"}, ()),
        ("pirates", 2, {"stalemate": "turn_cap", "round_limit": "2"}, ()),
        ("pirate_republic", 1, {"last_round": "1"}, ("solo", "dummy_player")),
    ],
)
def test_a_whole_game(
    game: str, people: int, options: dict[str, str], variants: tuple[str, ...]
) -> None:
    """A person plays a shipped game from the first question to the end."""
    desk: Desk = pilots.desk_of(RULESETS / game, people, options=options, variants=variants)
    counted: list[int] = []

    async def does(person: Any) -> None:
        counted.append(await play(person))
        assert person.is_over
        assert "The game is over." in person.text("#prompt")

    pilots.at_table(desk, does, (110, 36))
    assert counted[0] > 3
