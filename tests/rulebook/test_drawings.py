"""Drawings: what is in them, and that they are always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from rulelang import nodes
from rulelang.rulebook.drawings.course import course
from rulelang.rulebook.drawings.mermaid import course_as_mermaid, map_as_mermaid
from rulelang.rulebook.drawings.places import game_map
from rulelang.rulebook.drawings.spreading import spread
from rulelang.rulebook.drawings.svg import course_as_svg, map_as_svg
from rulelang.variants.touching import touches
from rulelang.written import read_tables
from tests.rulebook.books import FAIR, tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from rulelang.rulebook.drawings.course import Box

GAMES = ["pyrates", "pirates", pytest.param("pirate_republic", marks=pytest.mark.slow)]
games = pytest.mark.parametrize("game", GAMES)


def boxes(of: tuple[Box, ...]) -> Iterator[Box]:
    """Give boxes with all inside them."""
    for box in of:
        yield box
        yield from boxes(box.below)


def test_the_course_of_a_small_ruleset(snapshot: SnapshotAssertion) -> None:
    """Phases with their steps, and the rules that act on them."""
    found = course(tables_of(FAIR, "dear"))
    assert course_as_mermaid(found) == snapshot
    assert course_as_svg(found) == snapshot
    timings = {rule.title: rule.timing for rule in found.rules}
    assert timings["bonus"] == "before"
    assert timings["A Nudge"] == "may go instead of"


def test_the_map_of_a_small_ruleset(snapshot: SnapshotAssertion) -> None:
    """Places where the data say, a way there and back as one, and one that has no return as an arrow."""
    found = game_map(tables_of(FAIR))
    assert found.drawn
    assert [(place.title, place.x, place.y) for place in found.places] == [
        ("The Gate", 0, 0),
        ("The Well", 10, 4),
        ("The Inn", 20, 0),
    ]
    assert [way.one_way for way in found.ways] == [False, True]
    assert map_as_mermaid(found) == snapshot
    assert map_as_svg(found) == snapshot


@games
def test_all_phases_steps_and_rules_are_drawn(game: str) -> None:
    """Every phase and step has one box, every rule about a doing or step a place beside one."""
    tables = tables_of(game)
    found = course(tables)
    drawn = [box for box in boxes(found.boxes) if box.form != "again"]
    assert len({box.key for box in drawn}) == len(drawn)
    phases = {symbol.name for symbol in tables.symbols.values() if symbol.form == "phase"}
    assert len([box for box in drawn if box.form == "phase"]) == len(phases)
    acting = [
        touch
        for touch in touches(tables)
        if touch.how in {"before", "after", "instead", "replaces"} and touch.target.form != "event"
    ]
    assert len(found.rules) == len(acting)
    keys = {box.key for box in drawn}
    assert all(rule.of in keys and set(rule.does) <= keys for rule in found.rules)


@games
def test_rules_that_wait_for_a_state_stand_apart(game: str) -> None:
    """Each state rule, of cards too, is there once, with its condition; it sets off only boxes that are drawn."""
    tables = tables_of(game)
    found = course(tables)
    lasting = {
        id(rule.rule if isinstance(rule, nodes.NamedRuleDecl) else rule)
        for item, _ in tables.items
        for block in nodes.walk(item)
        if isinstance(block, nodes.LastingStmt)
        for rule in block.rules
    }
    waiting = [
        node
        for item, _ in tables.items
        for node in nodes.walk(item)
        if isinstance(node, nodes.StateRuleDecl) and id(node) not in lasting
    ]
    assert len(found.whenever) == len(waiting) > 0
    keys = {box.key for box in boxes(found.boxes)}
    for rule in found.whenever:
        assert rule.tip.startswith("when ")
        assert set(rule.does) <= keys
    taken = [rule.key for rule in (*found.rules, *found.whenever)]
    assert len(taken) == len(set(taken))
    svg = course_as_svg(found)
    assert "whenever a doing has ended" in svg
    assert all(f"    {rule.key}{{{{" in course_as_mermaid(found) for rule in found.whenever)


@games
def test_rules_of_one_moment_share_an_arrow(game: str) -> None:
    """However many cards wait for a doing, one arrow leads to it for each timing."""
    found = course(tables_of(game))
    moments = {(rule.of, rule.timing) for rule in found.rules}
    root = ET.fromstring(course_as_svg(found))  # noqa: S314 - our own document
    arrows = [
        each
        for each in root.iter("{http://www.w3.org/2000/svg}path")
        if each.get("class") in {"before", "after", "instead"}
    ]
    lines = [each for each in arrows if "C" in (each.get("d") or "")]
    assert len(lines) == len(moments)


def test_a_phase_without_steps_shows_its_doings(tmp_path: Path) -> None:
    """They are its course; what they do themselves is left out, as elsewhere."""
    place = tmp_path / "walk.rules"
    place.write_text(
        'game walk "Walk":\n    version "1"\n    players 1..2\n\n'
        "component Player:\n    steps: 0.. = 0\n"
        "phase game:\n    each player in Player: do turn(player)\n    do close\n"
        "phase turn(player):\n    if player.steps < 3:\n        do go(player)\n    do rest(player)\n"
        "effect go(player): do step_on(player)\neffect step_on(player): player gains 1 steps\n"
        "effect rest(player): player gains 1 steps\neffect close: do win(Player)\n",
        "utf-8",
    )
    (game,) = course(read_tables(str(place))[0]).boxes
    assert [box.title for box in game.below] == ["turn", "close"]
    assert [box.title for box in game.below[0].below] == ["go", "rest"]
    assert not game.below[0].below[0].below


@games
def test_svg_is_well_formed(game: str) -> None:
    """An XML parser takes both drawings; what can be pointed at has a title."""
    tables = tables_of(game)
    for svg in (course_as_svg(course(tables)), map_as_svg(game_map(tables))):
        root = ET.fromstring(svg)  # noqa: S314 - our own document
        titles = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
        assert len(titles) > 10
        assert any("[" in (each or "") for each in titles)


def test_maps_of_the_games() -> None:
    """Coordinates where the data have them, a layout of our own otherwise; no place twice at one spot."""
    assert game_map(tables_of("pirates")).drawn
    found = game_map(tables_of("pyrates"))
    assert not found.drawn
    assert len({(place.x, place.y) for place in found.places}) == len(found.places) > 10
    assert found.ways


def test_a_ruleset_without_places() -> None:
    """Its map is empty."""
    assert not spread([], [])
    assert game_map(tables_of(FAIR)).places


def test_places_that_are_joined_lie_together() -> None:
    """Two clusters that nothing joins lie apart; the result is whole numbers, the same each time."""
    pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    spots = spread(range(6), pairs)
    assert spots == spread(range(6), pairs)

    def far(one: int, other: int) -> int:
        (x1, y1), (x2, y2) = spots[one], spots[other]
        return (x1 - x2) ** 2 + (y1 - y2) ** 2

    assert max(far(*pair) for pair in pairs) < min(
        far(one, other) for one in range(3) for other in range(3, 6)
    )
