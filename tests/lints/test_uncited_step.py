"""Rules without an id of the rulebook are found where the rules around them have one."""

from __future__ import annotations

from tests.lints.findings import lines

BOOK = {"book.csv": "id,text\nMKT-1,a rule\nMKT-2,another\n"}
HEAD = """\
game market "The Market":
    version "1.0"
    players 2..4
    citations "book.csv"
option wage: 1..5 = 2 [MKT-1]
component Player:
    gold: 0.. = 0
phase game [MKT-1]:
    each player in Player: do work(player)
"""
WORK = "effect work(player) [MKT-1]:\n    player gains 1 gold\n    do rest(player)\n"


def found(rules: str, more: dict[str, str] | None = None) -> list[int]:
    """Give the lines at which the lint finds something."""
    return lines("L0204", HEAD, rules, {**BOOK, **(more or {})})


def test_rules() -> None:
    """Rules about doings and state rules must cite themselves, or read an option that does."""
    work = "effect work(player) [MKT-1]: player gains 1 gold\n"
    assert found(work + "after work(player): player gains 1 gold\n") == [2]
    assert found(work + "extra: after work(player): player gains 1 gold\n") == [2]
    assert found(work + "when player.gold > 9: player.gold becomes 0\n") == [2]
    assert found(work + "after work(player) [MKT-2]: player gains 1 gold\n") == []
    assert found(work + "after work(player): player gains 1 gold [MKT-2]\n") == []
    assert found(work + "after work(player) when wage > 2: player gains 1 gold\n") == []


def test_parts() -> None:
    """What is done by nothing but what cites is a part of that."""
    rest = "effect rest(player): player gains 1 gold\n"
    assert found(WORK + rest) == []
    assert (
        found(
            WORK
            + rest
            + "effect idle(player): do rest(player)\nafter work(player) [MKT-2]: do idle(player)\n"
        )
        == []
    )
    assert found(WORK.replace(" [MKT-1]", "") + rest) == []
    loose = "after work(player): do rest(player)\n"
    assert found(WORK + rest + loose) == [4, 5]


def test_the_main_phase() -> None:
    """That there is a main phase needs no passage; what it does needs one."""
    frame = HEAD.replace("phase game [MKT-1]", "phase game")
    assert lines("L0204", frame, "effect work(player) [MKT-1]: player gains 1 gold\n", BOOK) == []
    rules = "effect work(player): player gains 1 gold\nafter work(player) [MKT-1]: player gains wage gold\n"
    assert lines("L0204", frame, rules, BOOK) == [1]


def test_steps() -> None:
    """A step counts for itself if its phase does not cite."""
    work = (
        "effect work(player) [MKT-1]: do day(player)\nphase day(player){}:\n    step one{}: player gains 1 gold\n"
        "    step two [MKT-2]: player gains 1 gold\n"
    )
    assert found(work.format("", "")) == [3]
    assert found(work.format("", " [MKT-1]")) == []
    assert found(work.format(" [MKT-1]", "")) == []


def test_files_that_cite_nothing() -> None:
    """House rules and helpers are no part of the book; a game without one has nothing to cite."""
    work = "effect work(player) [MKT-1]: player gains 1 gold\n"
    rule = "after work(player): player gains 1 gold\n"
    assert found(work, {"house.rules": rule}) == []
    bare = HEAD.replace('    citations "book.csv"\n', "").replace(" [MKT-1]", "")
    assert lines("L0204", bare, "effect work(player): player gains 1 gold\n" + rule) == []


def test_cards() -> None:
    """The text of a card is its own source, and so is what stands beside it."""
    cards = {
        "heroes.csv": "id,name\nknight,The Knight\n",
        "cards.rules": 'component Hero from "heroes.csv"\nchange component Player:\n'
        "    hero: Hero or none = none, acts [MKT-2]\n"
        "card knight:\n    after work(you): you gain 1 gold\n"
        "after work(player) when player.hero is none: player gains 1 gold\n",
    }
    assert found("effect work(player) [MKT-1]: player gains 1 gold\n", cards) == []
