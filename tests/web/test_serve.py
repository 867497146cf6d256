"""`serve`: persons at private links, who see their seat only; nothing is lost, and nobody else can answer for them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import attrs
import pytest
from starlette.testclient import TestClient

from interpreter.records.journal import Journal, read
from interpreter.ui.table import Table
from interpreter.ui.web.app import make_app
from interpreter.ui.web.guard import LARGEST_BODY
from interpreter.ui.web.hall import Hall
from tests.cli.secret_game import SECRETS
from tests.web.visitors import Visitor, wait_for, wait_until_asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """The games of a small ruleset with secrets."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    made = Hall(str(rules), Table(people=2, others="human"), tmp_path / "games")
    yield made
    made.close()


@pytest.fixture
def ann(hall: Hall) -> Visitor:
    """The first seat of a game."""
    return Visitor(hall, hall.begin(names={1: "Ann", 2: "Bob"}), 0)


@pytest.fixture
def bob(hall: Hall, ann: Visitor) -> Visitor:
    """The second seat of the same game."""
    return Visitor(hall, ann.room, 1)


def again(hall: Hall) -> Hall:
    """Start the server anew."""
    hall.close()
    return Hall(hall.game, hall.table, hall.folder)


# ------------------------------------------------------------------------------------ playing


def test_two_persons_play_a_game(ann: Visitor, bob: Visitor) -> None:
    """Each answers when asked, the other waits meanwhile; at the end both read who has won."""
    assert "Bob is choosing" not in bob.page()
    assert "Ann is choosing" in bob.page()
    assert ann.answer(3).status_code == 303
    assert "Bob is choosing" in ann.page()
    while not ann.room.match.over:
        assert (ann if ann.is_asked else bob).answer(4).status_code == 303
    for visitor in (ann, bob):
        assert "The game is over." in visitor.page()
        assert "Ann" in visitor.page()
    contents = read(ann.hall.folder / f"{ann.room.name}.journal")
    assert contents.end is not None
    assert len(contents.answers) == ann.room.version == 4


def test_an_answer_is_on_disk_before_it_counts(
    ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it cannot be written the game stays where it is, and says so."""
    form = ann.form()

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        refused = ann.send({**form.hidden, "pick": "2"})
    assert refused.status_code == 503
    assert "No space left" in refused.text
    assert ann.room.version == 0
    assert ann.answer(3).status_code == 303
    assert len(read(ann.hall.folder / f"{ann.room.name}.journal").answers) == 1


def test_a_full_disk_after_an_answer_stops_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer that is on the disk counts; the game says that it has stopped, and goes on with a new server."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    hall = Hall(str(rules), Table(2, {2: "automa"}, others="human"), tmp_path / "games")
    ann = Visitor(hall, hall.begin(), 0)
    written: list[int] = []

    def full_after_one(file: int) -> None:
        written.append(file)
        if len(written) > 1:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full_after_one)
        assert ann.answer(3).status_code == 303
        wait_for(lambda: bool(ann.room.trouble))
    assert "cannot be written down" in ann.page()
    assert "No space left" in hall.listed()[0].trouble
    later = again(hall)
    room = later.room(ann.room.name)
    assert room is not None
    told = Visitor(later, room, 0).page()
    bids = "Player 1 (and Player 2 choose|chooses) 3 as bid"  # the other bids by chance
    assert re.search(bids, told)
    hall.close()
    later.close()


def test_the_server_is_started_anew_between_two_secret_answers(ann: Visitor, bob: Visitor) -> None:
    """The links hold, what was answered counts, and is not told before the other has answered."""
    ann.answer(7)
    later = again(ann.hall)
    room = later.room(ann.room.name)
    assert room is not None
    ann_again, bob_again = Visitor(later, room, 0), Visitor(later, room, 1)
    assert "Ann chooses 7" not in bob_again.page() + ann_again.page()
    assert bob_again.is_asked
    bob_again.answer(1)
    assert "Ann chooses 7 as bid" in bob_again.page()
    assert bob.path == bob_again.path
    later.close()


def test_a_secret_answer_is_not_taken_twice(ann: Visitor, bob: Visitor) -> None:
    """A form that was sent before, or belongs to a question that is over, changes nothing."""
    form = {**ann.form().hidden, "pick": "4"}
    assert ann.send(form).status_code == 303
    late = ann.send({**form, "pick": "9"})
    assert late.status_code == 409
    assert "the game had moved on" in late.text.casefold()
    assert ann.room.version == 1
    bob.answer(0)
    assert "Ann chooses 3 as bid" in bob.page()


def test_answers_that_are_none_are_refused(ann: Visitor) -> None:
    """With a reason, and the question stays."""
    hidden = ann.form().hidden
    for pick in ("0", "11", "999999999", "-1", "x", ""):
        assert ann.send({**hidden, "pick": pick}).status_code == 422
    assert ann.send({**hidden, "pick": ["1", "2"]}).status_code == 422
    assert ann.send({**hidden}).status_code == 422
    assert ann.send({**hidden, "version": "x", "pick": "1"}).status_code == 409
    assert ann.room.version == 0


def test_several_games_at_once(hall: Hall, ann: Visitor) -> None:
    """Each has its own links and its own course."""
    other = Visitor(hall, hall.begin(), 0)
    other.answer(0)
    assert (ann.room.version, other.room.version) == (0, 1)
    assert {each.name for each in hall.listed()} == {ann.room.name, other.room.name}


def test_programs_and_automas_hold_seats(tmp_path: Path) -> None:
    """They answer without anybody who waits for a page."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, "utf-8")
    seats = {2: f"process:python {bot}"}
    hall = Hall(str(rules), Table(2, seats, others="human"), tmp_path / "games")
    ann = Visitor(hall, hall.begin(), 0)
    for _ in range(2):
        wait_until_asked(ann)
        ann.answer(2)
    wait_for(lambda: ann.room.match.over)
    assert "Player 2 chooses 5 as bid" in ann.page()
    hall.close()


def test_a_program_that_fails_stops_its_game_only(tmp_path: Path) -> None:
    """Persons are told that it has, the host is told how; nothing is lost."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    hall = Hall(str(rules), Table(2, {2: "process:false"}, others="human"), tmp_path / "games")
    ann = Visitor(hall, hall.begin(), 0)
    ann.answer(2)
    wait_for(lambda: bool(ann.room.trouble))
    assert "a program, has failed" in ann.page()
    assert "has stopped with exit code 1" in hall.listed()[0].trouble
    # A journal never says which program is started.
    hall.close()
    later = Hall(str(rules), Table(2, others="human"), tmp_path / "games")
    assert "was held by a program" in later.listed()[0].trouble
    later.close()


# ------------------------------------------------------------------------------------- privacy


def test_links_are_needed(hall: Hall, ann: Visitor) -> None:
    """Without one, with the link of another seat, or with a wrong one, there is nothing to be seen."""
    stranger = TestClient(make_app(hall))
    token = hall.keys.seat(ann.room.name, 0)
    other = "y" if token.endswith("x") else "x"
    for path in (
        ann.path,
        f"{ann.path}/news",
        "/host",
        f"/join/{ann.room.name}/2/{token}",
        f"/join/{ann.room.name}/1/{token[:-1]}{other}",
        "/join/00000000/1/x",
        f"/host/{token}",
        "/game/..%2f..%2fetc/1",
        "/static/../app.py",
        "/static/..%2fapp.py",
    ):
        assert stranger.get(path).status_code == 404, path
    assert ann.client.get(f"/game/{ann.room.name}/2").status_code == 404
    assert stranger.post(ann.path, data={"pick": "1"}).status_code == 404


def test_forms_of_other_pages_are_refused(ann: Visitor, hall: Hall) -> None:
    """Without the token of the form, with that of another seat, or from elsewhere."""
    form = {**ann.form().hidden, "pick": "1"}
    without = {name: value for name, value in form.items() if name != "form"}
    assert ann.send(without).status_code == 403
    wrong = hall.keys.form(f"/game/{ann.room.name}/2")
    assert ann.send({**form, "form": wrong}).status_code == 403
    assert ann.send(form, origin="https://elsewhere.example").status_code == 403
    assert ann.send(form, origin="null").status_code == 403
    assert ann.send(form, sec_fetch_site="cross-site").status_code == 403
    assert ann.room.version == 0
    here = "http://127.0.0.1:8000"
    assert ann.send(form, origin=here, sec_fetch_site="same-origin").status_code == 303


def test_every_answer_keeps_other_pages_out(hall: Hall, ann: Visitor) -> None:
    """No scripts but ours, no frames, no caches, nothing from elsewhere; the cookie is no script's."""
    stranger = TestClient(make_app(hall))
    for answer in (
        ann.client.get(ann.path),
        stranger.get("/nothing"),
        stranger.get("/static/table.js"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
    token = hall.keys.seat(ann.room.name, 0)
    came = stranger.get(f"/join/{ann.room.name}/1/{token}", follow_redirects=False)
    cookie = came.headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert f"path={ann.path}" in cookie
    assert token not in ann.page()
    page = ann.page(why="seat_1.points", hint="1")
    assert "http://" not in page
    assert "https://" not in page
    assert " style=" not in page
    assert " onclick=" not in page


def test_large_and_strange_requests_are_refused(ann: Visitor) -> None:
    """By their length, by what really comes, and by what they are."""
    hidden = ann.form().hidden
    assert ann.send({**hidden, "pick": "1" * LARGEST_BODY}).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield from [b"pick=1&" * 2000] * 10

    kind = {"content-type": "application/x-www-form-urlencoded"}
    for content, headers, status in (
        (pieces(), kind, 413),
        (b"pick=1&" * 6000, kind, 400),
        ("pick=é".encode("latin-1"), kind, 400),
        (b"{}", {"content-type": "application/json"}, 415),
    ):
        refused = ann.client.post(ann.path, content=content, headers=headers)
        assert refused.status_code == status
    assert ann.client.put(ann.path).status_code == 405
    assert ann.room.version == 0


def test_only_names_of_this_machine_lead_here(hall: Hall) -> None:
    """A page elsewhere whose name was made to lead to this machine gets nothing."""
    local = make_app(hall, ["127.0.0.1", "localhost"])
    assert TestClient(local, base_url="http://127.0.0.1:8000").get("/").status_code == 200
    assert TestClient(local, base_url="http://evil.example").get("/").status_code == 400


def test_what_others_hold_changes_nothing(tmp_path: Path) -> None:
    """Hidden state varied: the page of a seat and its news stay the same, byte for byte."""
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    hall = Hall(str(rules), Table(2, others="human"), tmp_path / "games")
    pages: dict[int, set[str]] = {0: set(), 1: set()}
    for secret in range(6):
        room = hall.begin()
        visitors = [Visitor(hall, room, seat) for seat in range(2)]
        visitors[0].answer(secret)
        for seat, seen in pages.items():
            text = visitors[seat].page(why="seat_1.points") + visitors[seat].page(hint="1")
            text = text.replace(visitors[seat].form().hidden.get("form", "-"), "FORM")
            # The cards of the first seat and of the second differ from game to game.
            ranks = list(dict.fromkeys(re.findall(r"rank (4\d)", text)))
            assert len(ranks) == 2  # what lies face down is seen by nobody
            for number, rank in enumerate(ranks):
                text = text.replace(f"rank {rank}", f"OWN {number}")
            seen.add(text.replace(room.name, "GAME"))
    assert len(pages[1]) == 1
    hall.close()


# ---------------------------------------------------------------------------------- looking up


def test_the_rules_can_be_asked(ann: Visitor, bob: Visitor) -> None:
    """Why a value is as it is, why an option is on offer; not what the seat may not know."""
    assert "seat_1.wish: 4" in ann.page(why="seat_1.wish")
    assert "seat_1.wish: hidden" in bob.page(why="seat_1.wish")
    assert "E0" in ann.page(why="seat_1.nothing")
    assert "can never be an answer" in ann.page(why_not="nonsense")
    assert "bid" in ann.page(why_not="3")
    assert "You are not asked anything now" in bob.page(why_not="3")


def test_a_hint_gives_its_reason(ann: Visitor, tmp_path: Path) -> None:
    """The line of the policy and its place; where there is none a search, and how sure it is."""
    page = ann.page(hint="1")
    assert "would choose: " in page
    assert "cellar.rules:" in page
    assert "automa random" in page
    rules = tmp_path / "bare" / "cellar.rules"
    rules.parent.mkdir()
    rules.write_text(SECRETS.replace(" automa random", ""), "utf-8")
    hall = Hall(str(rules), Table(people=2, others="human"), tmp_path / "others")
    page = Visitor(hall, hall.begin(), 0).page(hint="1")
    hall.close()
    assert "What does a search advise?" in page
    assert "A search advises: " in page
    assert "of 60 playouts that tried it" in page


def test_text_from_people_stays_text(ann: Visitor, bob: Visitor) -> None:
    """Names, searches and questions are never markup."""
    evil = "<script>alert(1)</script>"
    room = ann.hall.begin(names={1: "<b>Eve</b>"})
    eve = Visitor(ann.hall, room, 0)
    for page in (
        ann.page(why=evil),
        ann.page(why_not=evil),
        bob.page(search=evil),
        ann.page(filter=evil),
        eve.page(),
    ):
        assert "<script>alert" not in page
        assert "<b>Eve" not in page


def test_the_story_is_searched_and_options_are_filtered(ann: Visitor, bob: Visitor) -> None:
    """On the server: it works in browsers without scripts too."""
    ann.answer(7)
    bob.answer(2)
    assert "Ann chooses 7 as bid" in ann.page(search="CHOOSES 7")
    assert "Bob chooses 2 as bid" not in ann.page(search="CHOOSES 7")
    whole, part = ann.page(), ann.page(filter="1")
    assert 'value="1">0<' in whole
    assert 'value="1">0<' not in part
    assert 'value="2">1<' in part


def test_a_page_knows_when_it_is_old(ann: Visitor, bob: Visitor) -> None:
    """The news change with each answer, and say nothing else."""
    before = bob.client.get(f"{bob.path}/news")
    assert json.loads(before.text) == {"version": "0"}
    ann.answer(1)
    assert json.loads(bob.client.get(f"{bob.path}/news").text) == {"version": "1"}


# ---------------------------------------------------------------------------------------- host


def test_the_host_begins_games_and_hands_links_out(hall: Hall) -> None:
    """Each link opens the seat that it stands beside."""
    host = TestClient(make_app(hall), base_url="http://127.0.0.1:8000")
    assert host.get(f"/host/{hall.keys.host()}").status_code == 200
    form = {"form": hall.keys.form("host"), "people": "2", "name_1": "Ann", "who_2": "automa"}
    assert host.post("/host", data={**form, "form": "x"}).status_code == 403
    page = host.post("/host", data=form)
    assert page.status_code == 200
    (game,) = hall.listed()
    assert game.room is not None
    link = f"http://127.0.0.1:8000/join/{game.name}/1/{hall.keys.seat(game.name, 0)}"
    assert link in page.text
    assert "You are <strong>Ann</strong>" in TestClient(make_app(hall)).get(link).text
    for wrong in (
        {"who_1": "process:rm -rf"},
        {"who_1": "automa"},
        {"name_2": "Ann"},
        {"name_2": "x" * 31},
        {"people": "9"},
    ):
        refused = host.post("/host", data={**form, **wrong})
        assert refused.status_code == 422, wrong
        assert 'role="alert"' in refused.text
    assert len(hall.listed()) == 1


def test_a_damaged_journal_is_told_to_the_host(hall: Hall, ann: Visitor) -> None:
    """With the way to rescue it; other games go on."""
    ann.answer(1)
    other = hall.begin()
    path = hall.folder / f"{ann.room.name}.journal"
    hall.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"0" * 16 + lines[1][16:] + lines[1])
    later = again(hall)
    troubles = {each.name: each.trouble for each in later.listed()}
    assert "line 2 is damaged" in troubles[ann.room.name]
    assert troubles[other.name] == ""
    broken = TestClient(make_app(later))
    broken.cookies.set("rulelang", later.keys.seat(ann.room.name, 0))
    assert broken.get(ann.path).status_code == 503
    later.close()


def test_a_game_with_real_dice_is_not_for_browsers(hall: Hall, ann: Visitor) -> None:
    """Nobody there could read them off."""
    path = hall.folder / f"{ann.room.name}.journal"
    hall.close()
    header = read(path).header
    path.unlink()
    Journal.create(path, attrs.evolve(header, dice="table")).close()
    later = again(hall)
    assert "real dice" in later.listed()[0].trouble
    later.close()


BOT = """\
import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif told["type"] == "decide":
        pick = min(6, len(told["options"]))
        print(json.dumps({"type": "answer", "id": told["id"], "pick": pick}), flush=True)
    elif told["type"] == "end":
        break
"""
