"""What names stand for, in whole rulesets and one by one, without the protocol."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang.server.completing import complete
from rulelang.server.editor import Editor
from rulelang.server.index import Index, index_of
from rulelang.server.odds import odds_in
from rulelang.server.project import Project, place_of_ruleset
from rulelang.server.renaming import CannotRenameError, rename
from rulelang.server.views import view
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from rulelang.server.naming import Occurrence

ROOT = Path(__file__).resolve().parents[2]
RULESETS = ROOT / "rulesets"
MARKET = ROOT / "tests/variants/market"
GIVEN = {"automa", "left", "right", "seat", "owner"}

GAME = """\
game small "Small":
    players 2

define D6 = 1..6
define Mood = calm, angry

component Board (1):
    heroes: pile of Hero = Hero
component Hero (3):
    strength: 0.. = 0
component Player:
    mood: Mood = calm
    gold: 0.. = 0

define hero.strong = hero.strength > 2
define limit(player) = 3:
    angry_ones: 5 when player.mood is angry

effect pay(player, n: Number):
    player loses up to n gold

phase game:
    keeps turns: 0.. = 0
    step one:
        turns becomes turns + 1
        each player in Player:
            let due = limit(player)
            do pay(player, due)
    step two: do two_dice
    do win(Player)

effect two_dice:
    let dice = roll 2 of D6
    let die = roll D6
    if sum(dice) is 7 or die is 1: do nothing
    if any dice where it >= 5: do nothing
    if die in 3..6 and not die is 3: do nothing
    if die > game.turns: do nothing
"""


@pytest.fixture
def small(tmp_path: Path) -> Index:
    place = tmp_path / "small.rules"
    place.write_text(GAME, encoding="utf-8")
    index = index_of(Project(place, {}).snapshot())
    assert not index.base.bag.has_errors, index.base.bag.sorted()
    return index


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) for name in ("pirates", "pyrates")]
)
def test_every_name_of_a_ruleset_is_declared_somewhere(name: str) -> None:
    index = index_of(Project(RULESETS / name, {}).snapshot())
    unknown = set()
    for module in index.snapshot.texts.modules:
        for item in module.items:
            for each in index.quickly(item):
                if not index.definitions(each.keys) and each.keys[0][-1] not in GIVEN:
                    unknown.add((str(each.span), each.keys[0]))
    assert not unknown


def test_a_data_file_belongs_to_the_ruleset_above() -> None:
    assert place_of_ruleset(RULESETS / "pirates/data/boats.csv") == RULESETS / "pirates"
    assert place_of_ruleset(RULESETS / "pirates/variants/ramming.rules") == RULESETS / "pirates"
    assert place_of_ruleset(RULESETS / "pirates/repair.rules") == RULESETS / "pirates"
    game = ROOT / "tests/fixtures/pirates.rules"
    assert place_of_ruleset(game) == game  # one of several games in a folder


def at(index: Index, around: str, word: str) -> Occurrence:
    (path,) = index.snapshot.sources
    text = index.snapshot.sources[path].text
    assert text.count(around) == 1
    found = index.at(path, text.index(around) + around.index(word))
    assert found is not None
    return found


def places(index: Index, found: Occurrence) -> list[tuple[int, str]]:
    return [(each.span.line, each.role) for each in index.references(found.keys)]


def line_of(text: str) -> int:
    assert GAME.count(text) == 1, text
    return GAME.count("\n", 0, GAME.index(text)) + 1


def test_a_kept_value_is_one_name_inside_and_outside_of_its_phase(small: Index) -> None:
    assert places(small, at(small, "game.turns", "turns")) == [
        (line_of("keeps turns"), "declares"),
        (line_of("turns becomes"), "changes"),
        (line_of("turns becomes"), "uses"),
        (line_of("die > game.turns"), "uses"),
    ]


def test_a_local_name_is_known_in_its_declaration_only(small: Index) -> None:
    line = line_of("let due")
    assert places(small, at(small, "let due", "due")) == [(line, "declares"), (line + 1, "uses")]
    found = at(small, "define limit(player)", "player")
    assert [line for line, _ in places(small, found)] == [
        line_of("define limit"),
        line_of("5 when player.mood"),
    ]


def test_a_property_and_its_field_are_two_names(small: Index) -> None:
    assert at(small, "hero.strength > 2", "strength").keys == (("field", "Hero", "strength"),)
    assert at(small, "define hero.strong =", "strong").keys == (("property", "hero", "strong"),)


def test_a_word_is_that_of_its_enumeration(small: Index) -> None:
    assert at(small, "mood is angry", "angry").keys == (("word", "Mood", "angry"),)
    assert len(places(small, at(small, "mood is angry", "angry"))) == 2


@pytest.mark.parametrize(
    ("around", "old", "new", "lines"),
    [
        ("keeps turns", "turns", "rounds", 4),
        ("effect pay", "pay", "pay_out", 2),
        ("component Hero (3)", "Hero", "Champion", 3),
        ("define Mood", "Mood", "Temper", 2),
    ],
)
def test_a_name_is_written_anew_everywhere(
    small: Index, around: str, old: str, new: str, lines: int
) -> None:
    if old == "Hero":  # `hero.strength` says the kind by the name of its owner
        with pytest.raises(CannotRenameError, match="would not check"):
            rename(small, at(small, around, old), new)
        return
    found = rename(small, at(small, around, old), new)
    assert found.changes is not None
    (edits,) = found.changes.values()
    assert len(edits) == lines


def test_the_only_thing_of_a_kind_is_renamed_with_it(tmp_path: Path) -> None:
    place = tmp_path / "small.rules"
    text = GAME.replace(
        "do win(Player)", "each hero in board.heroes: hero.strength becomes 1\n    do win(Player)"
    )
    place.write_text(text, encoding="utf-8")
    index = index_of(Project(place, {}).snapshot())
    found = rename(index, at(index, "component Board", "Board"), "MainTable")
    assert found.changes is not None
    (edits,) = found.changes.values()
    assert sorted(edit.new_text for edit in edits) == ["MainTable", "main_table"]


def test_odds_are_counted_where_only_dice_decide(small: Index) -> None:
    tables = view(small.snapshot).tables
    (effect,) = (
        item for item in small.snapshot.texts.modules[0].items if "two_dice:" in item.span.text[:20]
    )
    assert [(condition.span.text, odds) for condition, odds in odds_in(effect, tables)] == [
        ("sum(dice) is 7 or die is 1", Fraction(11, 36)),
        ("any dice where it >= 5", Fraction(5, 9)),
        ("die in 3..6 and not die is 3", Fraction(1, 2)),
    ]


def test_completion_in_a_text_or_comment_offers_nothing(small: Index) -> None:
    for text in ('    player may "Pay ', "    do pay # "):
        assert complete(small, SourceFile("small.rules", text), len(text)) == []


def test_a_file_of_variants_elsewhere_is_read_with_its_game(tmp_path: Path) -> None:
    place = tmp_path / "mine.rules"
    text = 'variant mine "Mine" of market:\n    change option goal = 30\n    player.income: +1\n'
    place.write_text(text, encoding="utf-8")
    game = tmp_path / "market.rules"
    game.write_text((MARKET / "market.rules").read_text(encoding="utf-8"), encoding="utf-8")
    editor = Editor()
    editor.open(place, text)
    known = editor.index(place)
    assert known is not None
    index, path = known
    found = index.at(path, text.index("goal"))
    assert found is not None
    assert [each.span.file.path for each in index.definitions(found.keys)] == ["market.rules"]
