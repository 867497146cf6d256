"""Declared names, properties, settings and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang.binder import resolve_seats
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from rulelang.nodes import Item
    from tests.binder.conftest import Binder

PORT = "component Port (2):\n    goods: 0.. = 0\n"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("define a = 1\ndefine a = 2\n", 13),
        ("define a = 1\neffect a: do nothing\n", 13),
        ("option a: 1..3 = 1\ntable a(n: 1..2):\n    1: 1\n    2: 2\n", 13),
        ("define board = 1\ncomponent Board (1)\n", 13),
        ("define all = 1\n", 13),
        ("define count = 1\n", 13),
        ("effect shuffle: do nothing\n", 13),
        (PORT + "define port.goods = 1\n", 13),
        (PORT + "define port.box = 1\n", 13),
        (PORT + "define port.worth = 1\ndefine port.worth = 2\n", 13),
        ("define player.seat = 1\n", 13),
        ("define thing.worth = 1\n", 11),
        (PORT + "phase turn:\n    keeps port.goods: Flag = no\n    do nothing\n", 13),
        (PORT + "phase turn:\n    keeps harbour.used: Flag = no\n    do nothing\n", 11),
        ("component A (1):\n    x: Number = 1\n    x: Number = 2\n", 13),
        ("component A (1):\n    this: Number = 1\n", 13),
        ("component A (1 each Player):\n    owner: Number = 1\n", 13),
        ("component Player:\n    automa: Flag = no\n", 13),
        ("component A (1):\n    place: Number = 1\n", 14),
        ("change component Harbour:\n    x: Number = 1\n", 51),
        ("change option harbour = 3\n", 51),
        ("change Harbour = x, y\n", 51),
    ],
)
def test_reported(bound: Binder, text: str, number: int) -> None:
    """Each mistake is reported once, under its code."""
    assert bound(text).numbers == [number]


def test_a_second_declaration_shows_the_first(bound: Binder) -> None:
    """Both places are in the finding."""
    (found,) = bound("define a = 1\neffect a: do nothing\n").found
    assert found.headline == "`a` is declared twice: as a definition and as an effect"
    assert (found.span.line, found.secondary[0].span.line) == (4, 3)


def test_every_form_is_entered(bound: Binder) -> None:
    """One space for what stands alone."""
    text = (
        "component Board (1)\noption o: 1..2 = 1\ndefine d = 1\n"
        "may m(player):\n    x: yes\ntable t(n: 1..2):\n    1: 1\n    2: 2\n"
        "effect e: do nothing\nphase p: \n    do nothing\nr: when d is 2: do e\n"
    )
    symbols = bound(text).tables.symbols
    forms = {name: symbol.form for name, symbol in symbols.items()}
    assert forms == {
        "board": "singleton",
        "o": "option",
        "d": "definition",
        "m": "permission",
        "t": "table",
        "e": "effect",
        "p": "phase",
        "r": "rule",
    }


def test_properties_belong_to_kinds_and_words(bound: Binder) -> None:
    """A property of a union is one of each of its kinds."""
    text = (
        "define Colour = red, blue\ndefine Place = Port, Sea\n"
        "component Port (1)\ncomponent Sea (1)\n"
        "define colour.rank = 1\ndefine place.rank = 2\ndefine sea.depth = 3\n"
    )
    result = bound(text)
    assert not result.found
    owners = [each.owner.kinds for each in result.tables.properties["rank"]]
    assert owners == [(), (1, 2)]
    assert bound(text + "define port.rank = 4\n").numbers == [13]


def test_lent_fields_are_fields(bound: Binder) -> None:
    """A phase lends a field to every kind of a union."""
    text = (
        "define Place = Port, Sea\ncomponent Port (2)\ncomponent Sea (1)\n"
        "phase turn:\n    keeps place.used: 0..3 = 1\n    keeps own: Flag = no\n    do nothing\n"
    )
    tables = bound(text).tables
    assert [tables.fields[index].values for index in tables.lent["turn"]] == [(1, 1), (1,)]
    assert (1, "own") not in tables.field_numbers


def test_changes_of_a_variant_are_merged(bound: Binder) -> None:
    """Fields, words, defaults and settings, with the origin of each declaration."""
    text = (
        'game sample "Sample":\n    players 2..4\noption size: 1..9 = 1\n'
        "define Colour = red, blue\ncomponent Port (1):\n    goods: 0.. = 0\n"
        'variant more "More" of sample:\n'
        "    change component Port:\n        gold: Number = 7\n"
        "    change Colour = green\n    change option size = 4\n    change game:\n        players 3\n"
        "    define extra = 1\n"
    )
    base, more = bound(text), bound(text, variants=["more"])
    assert not more.found
    assert more.values("Port", "gold") == (7,)
    assert more.tables.enums[0].words == ("red", "blue", "green")
    assert more.tables.options[0].default == 4
    assert (base.tables.players, more.tables.players) == ((2, 4), (3, 3))
    assert [origin for _, origin in more.tables.items] == [""] * 3 + ["more"] * 5
    assert more.tables.symbols["extra"].origin == "more"
    assert base.tables.digest != more.tables.digest
    assert bound(text, variants=["none_such"]).numbers == [53]


@pytest.mark.parametrize(
    ("settings", "number"),
    [
        ("playres 2..4", 60),
        ("players 4..2", 22),
        ("players many", 14),
        ("players 1..many - 1", 14),
        ("players 1 * 2", 14),
        ("version 1", 14),
        ("citations rules", 14),
        ('citations "rules.txt"', 18),
        ('citations "nowhere.csv"', 18),
        ("seats nobody", 5),
        ("seats 1000", 22),
        ("players 2\n    players 3", 13),
    ],
)
def test_settings(bound: Binder, settings: str, number: int) -> None:
    """Each mistake is reported once, under its code."""
    assert bound(f'game a "A":\n    {settings}\n', {"rules.txt": ""}).numbers == [number]


def test_one_game(bound: Binder) -> None:
    """A ruleset is one game, and what belongs to it says so."""
    game = 'game a "A":\n    players 2\n'
    assert bound(game + 'game b "B":\n    players 2\n').numbers == [13]
    assert bound(game + 'variant v "V" of b:\n    define x = 1\n').numbers == [5]


@pytest.mark.parametrize(
    ("settings", "people", "seats"),
    [
        ("players 2..4", 3, 3),
        ("players 3..4", None, 3),
        ("players 1..4", None, 2),
        ("players 1", None, 1),
        ("players 1..4\n    seats 5", 2, 5),
        ("players 1..4\n    seats size", 2, 3),
    ],
)
def test_seats(bound: Binder, settings: str, people: int | None, seats: int) -> None:
    """What the game fixes counts, else the number of people."""
    text = f'game a "A":\n    {settings}\noption size: 2..4 = 3\n'
    result = bound(text, people=people)
    assert not result.found
    assert result.tables.seats == result.tables.kinds[0].count == seats


def test_seats_of_a_match() -> None:
    """Options set from outside count before anything is bound."""

    def items(settings: str) -> list[Item]:
        text = f'game a "A":\n    {settings}\noption size: 2..4 = 3\n'
        return list(parse(SourceFile("x", text)).module.items)

    assert resolve_seats(items("seats size"), 2, {"size": 4}) == 4
    assert resolve_seats(items("seats size"), 2) == 3
    assert resolve_seats(items("seats 5"), 2) == 5
    assert resolve_seats(items("players 2"), None) is None


def test_options_stand_for_numbers_of_people(bound: Binder) -> None:
    """Their defaults count, or the number of seats for the option that says it."""
    text = (
        'game a "A":\n    seats size\n    players fewest..size - 1 + 1\n'
        "option size: 2..4 = 3\noption fewest: 1..2 = 2\n"
    )
    assert bound(text).tables.players == (2, 3)
    assert bound(text, seats=4).tables.players == (2, 4)
    assert bound(text.replace("size - 1", "size - 3")).numbers == [22]


def test_citations(bound: Binder) -> None:
    """Ids from tables and from headings; what the rulebook does not have is reported once each."""
    text = (
        'game a "A":\n    citations "rules.csv", "rulings.md"\n'
        "option x: 1..2 = 1 [AB-ONE-1]\noption y: 1..2 = 1 [AB-ONE-2, AB-RULING-1]\n"
        "define z = 1 [AB-ONE-3]\n"
    )
    files = {
        "rules.csv": "id,section,kind,text\nAB-ONE-1,One,definition,First.\nAB-ONE-2,One,,\n",
        "rulings.md": "# Rulings\n\n## Ties\n\n### AB-RULING-1 `tie`\n\nShared\nby all.\n",
    }
    result = bound(text, files)
    assert result.numbers == [16]
    assert result.found[0].span.text == "AB-ONE-3"
    assert "AB-ONE-1" in (result.found[0].help or "")
    citations = result.tables.citations
    assert (citations["AB-ONE-1"].section, citations["AB-ONE-1"].text) == ("One", "First.")
    assert citations["AB-RULING-1"].section == "Ties"
    assert citations["AB-RULING-1"].text == "tie Shared by all."
    assert bound(text, files, cited=False).numbers == []
    doubled = {**files, "rules.csv": files["rules.csv"] + "AB-ONE-1,,,\n"}
    assert sorted(bound(text, doubled).numbers) == [16, 20]


def test_a_rulebook_that_cannot_be_read_is_one_finding(bound: Binder) -> None:
    """Its ids are not called unknown."""
    text = 'game a "A":\n    citations "rules.csv"\ndefine z = 1 [AB-ONE-3]\n'
    assert bound(text).numbers == [18]
    assert bound(text, {"rules.csv": "name\nx\n"}).numbers == [18]
