"""Games in a real browser: two persons, each in a browser of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.ui.table import Table
from interpreter.ui.web.hall import Hall
from tests.cli.sample_game import run
from tests.cli.secret_game import SECRETS
from tests.web.chromium import chromium, served, visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
OFFERED = "#options button[name=pick]"


def test_a_secret_choice_outlives_reloads_and_a_crash(tmp_path: Path) -> None:
    """Two browsers at one game: pages come up to date, secrets stay, and nothing is lost when the server is killed."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    troubles: list[str] = []
    games = str(tmp_path / "games")
    with chromium() as browser, served(str(rules), "--people", "2", "--games", games) as server:
        _, first, second = server.links
        ann, bob = visit(browser, first, troubles), visit(browser, second, troubles)
        assert "join" not in ann.url
        assert bob.locator(OFFERED).count() == 0
        ann.get_by_role("button", name="7", exact=True).click()
        # Nobody loads Bob's page anew: it notices.
        bob.wait_for_selector(OFFERED, timeout=10_000)
        for page in (ann, bob):
            page.reload()
            assert "chooses 7" not in page.content()
        assert bob.locator(OFFERED).count() == 10
        assert ann.locator(OFFERED).count() == 0
        server.kill()
        server.start(port=server.port)
        assert server.links[1:] == [first, second]
        for page in (ann, bob):
            page.reload()
            assert "chooses 7" not in page.content()
        troubles.clear()  # that the server was away
        bob.get_by_role("button", name="2", exact=True).click()
        assert "Player 1 chooses 7 as bid" in bob.content()
        ann.wait_for_selector("text=Player 1 chooses 7 as bid", timeout=10_000)
        assert "Player 2 chooses 2 as bid" in ann.content()
        while ann.locator(".over").count() + bob.locator(".over").count() < 2:
            asked = next((each for each in (ann, bob) if each.locator(OFFERED).count()), None)
            if asked is not None:
                asked.locator(OFFERED).first.click()
            else:
                ann.wait_for_timeout(100)
        assert "Player 1 wins" in ann.content()
        assert troubles == []
        assert server.stop() == 0


def test_a_person_plays_a_whole_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a ruleset that comes along, against its automa, by clicks on what the page offers."""
    troubles: list[str] = []
    folder = tmp_path / "games"
    monkeypatch.setattr("secrets.randbelow", lambda _: 5)  # a game of which the dice are known
    hall = Hall("pyrates", Table(2, {2: "automa"}, others="human"), folder)
    hall.begin()
    hall.close()
    with chromium() as browser, served("pyrates", "--games", str(folder)) as server:
        page = visit(browser, server.links[1], troubles)
        clicks = 0
        while True:
            page.wait_for_selector("#options, .over")
            if page.locator(".over").count():
                break
            stamp = page.locator("header").get_attribute("data-version")
            answer(page, clicks)
            page.wait_for_selector(f'header:not([data-version="{stamp}"])')
            clicks += 1
        assert clicks > 10
        assert "The game is over." in page.content()
        assert troubles == []


def test_a_recorded_game_is_gone_through(tmp_path: Path) -> None:
    """The page opens from the disk, goes forwards and backwards, and shows the same table at the same moment."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    journal, film = tmp_path / "cellar.journal", tmp_path / "cellar.html"
    words = ("--people", "2", "--seed", "1", "--log", "quiet", "--journal", str(journal))
    assert run("run", str(rules), *words)[0] == 0
    assert run("replay", str(journal), "--game", str(rules), "--html", str(film))[0] == 0
    troubles: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("console", lambda said: troubles.append(said.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(film.as_uri())
        seen = [page.locator("section.table").inner_text()]
        for number in range(1, 5):
            page.click("#next")
            assert page.inner_text("#number") == f"{number}/4"
            seen.append(page.locator("section.table").inner_text())
        assert "The game is over." in page.inner_text("section.question")
        assert len(set(seen)) > 1
        for table in reversed(seen[:-1]):
            page.click("#back")
            assert page.locator("section.table").inner_text() == table
        page.locator("#at").fill("4")
        assert page.locator("section.table").inner_text() == seen[-1]
        assert page.locator(".story .later").count() == 0
        page.click("#first")
        assert page.locator(".story .later").count() > 0
    assert troubles == []


def answer(page: Page, number: int) -> None:
    """Take an option; of several, as many as are needed."""
    buttons = page.locator(OFFERED)
    if buttons.count():
        buttons.nth(number % buttons.count()).click()
        return
    left = int(page.locator("#options").get_attribute("data-least") or 0)
    for box in page.locator("#options [type=checkbox]").all()[:left]:
        box.check()
        left -= 1
    for count in page.locator("#options [type=number]").all():
        taken = min(left, int(count.get_attribute("max") or 0))
        count.fill(str(taken))
        left -= taken
    page.locator("#options button.main").click()
