"""A base and a set of variants make one program, whatever the order in which they are named."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import api
from rulelang.gathering import gather
from rulelang.rendering import render_full
from rulelang.texts import Texts
from rulelang.variants.selection import needed, select
from tests.variants.stall import GAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syrupy.assertion import SnapshotAssertion

SMALL = str(Path(__file__).parents[1] / "spec" / "rules" / "variants.rules")
GAMES = [SMALL, "pyrates"]


@functools.cache
def texts_of(game: str) -> Texts:
    """Parse a game with all its variants, once."""
    read = gather(game, everything=True).read
    return Texts(read.sources, read.read)


def digest(game: str, variants: Iterable[str] = ()) -> str:
    """Give the hash of a game with variants, for two people."""
    tables, _ = texts_of(game).bind(variants, people=2, first=False)
    return tables.digest


@st.composite
def sets(draw: st.DrawFn, game: str) -> tuple[list[str], list[str]]:
    """Two orders of one set of variants that may stand together."""
    known = texts_of(game).variants
    chosen: set[str] = set()
    for name in draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=6)):
        wider = chosen | needed(known, [name])
        if not select(known, wider).problems:
            chosen = wider
    return draw(st.permutations(sorted(chosen))), draw(st.permutations(sorted(chosen)))


@pytest.mark.parametrize("game", GAMES)
def test_order_does_not_matter(game: str) -> None:
    """Any two orders of a set give one hash and one published order; without the set the base is as before."""
    before = digest(game)

    @given(sets(game))
    @settings(max_examples=10, deadline=None)
    def same(orders: tuple[list[str], list[str]]) -> None:
        one, two = orders
        assert digest(game, one) == digest(game, two) != before
        assert (
            select(texts_of(game).variants, one).names
            == select(texts_of(game).variants, two + one).names
        )

    same()
    assert digest(game) == before


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_counts(game: str) -> None:
    """Each alone, with what it needs, is another game than the base and than all others."""
    texts = texts_of(game)
    found = {names: digest(game, names) for names in texts.variant_sets()}
    assert len(set(found.values()) | {digest(game)}) == len(found) + 1


def test_a_whole_program_is_the_same() -> None:
    """Not only its hash: both orders give equal programs, which name their variants."""
    one = api.load_ruleset(SMALL, variants=["hooks", "market", "strict"], cache=False)
    two = api.load_ruleset(SMALL, variants=["strict", "hooks", "market", "hooks"], cache=False)
    assert one == two
    assert one.variants == ("hooks", "market", "strict")
    assert api.load_ruleset(SMALL, cache=False).variants == ()


def merged(headers: str) -> Texts:
    """Parse variants with these headers that do nothing of interest."""
    lines = "".join(
        f"variant {header}:\n    effect of_{header.split()[0]}: do nothing\n"
        for header in headers.splitlines()
        if header
    )
    return api.texts_in_memory({"stall.rules": GAME + lines})


SETS = {
    "missing": ('a "A" of stall with b\nb "B" of stall', "a"),
    "missing and misspelled": ('aa "A" of stall with bidders\nbidding "B" of stall', "aa"),
    "missing further down": ('a "A" of stall with b\nb "B" of stall with c\nc "C" of stall', "a b"),
    "excluded": ('a "A" of stall\nb "B" of stall not with a', "a b"),
    "circle": (
        'a "A" of stall after c\nb "B" of stall after a\nc "C" of stall after b\nd "D" of stall',
        "a b c d",
    ),
    "itself": ('a "A" of stall after a', "a"),
    "unknown": ('other "O" of stall', "others"),
}


@pytest.mark.parametrize("case", SETS)
def test_sets_that_cannot_be(case: str, snapshot: SnapshotAssertion) -> None:
    """Each is reported at the first line of a variant, with what would help."""
    headers, chosen = SETS[case]
    _, bag = merged(headers).bind(chosen.split())
    found = [each for each in bag.sorted() if each.is_error]
    assert [each.code for each in found] == ["E0703"]
    assert render_full(found) == snapshot


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ('b "B" of stall\na "A" of stall\nc "C" of stall', "a b c"),
        ('a "A" of stall after c\nb "B" of stall\nc "C" of stall', "b c a"),
        ('a "A" of stall after b\nb "B" of stall after c\nc "C" of stall', "c b a"),
        ('a "A" of stall after elsewhere\nb "B" of stall', "a b"),
    ],
)
def test_the_published_order(headers: str, expected: str) -> None:
    """By name, and one that comes after another later; who is not chosen does not count."""
    texts = merged(headers)
    for chosen in (expected.split(), expected.split()[::-1]):
        tables, _ = texts.bind(chosen)
        assert tables.chosen == expected.split()
        origins = [origin for _, origin in tables.items if origin]
        assert origins == expected.split()


# ---------------------------------------------------------------- files


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A game in one folder, a house rule with data in another, and something private beside it."""
    game = tmp_path / "game"
    game.mkdir()
    text = (
        GAME
        + 'component Good from "goods.csv":\n    worth: 0..9\nalways "cheap": sum(Good.worth) < 99\n'
    )
    (game / "stall.rules").write_text(text, encoding="utf-8")
    (game / "goods.csv").write_text("id,worth\nbread,1\n", encoding="utf-8")
    house = tmp_path / "house"
    house.mkdir()
    (house / "goods.csv").write_text("id,worth\nwine,5\n", encoding="utf-8")
    (tmp_path / "private.csv").write_text("id,worth\nkey,9\n", encoding="utf-8")
    return tmp_path


def house_rule(table: Path, path: str) -> Path:
    """Write a variant that reads a file."""
    place = table / "house" / "more.rules"
    place.write_text(
        f'variant more "More" of stall:\n    change component Good from "{path}"\n',
        encoding="utf-8",
    )
    return place


def test_a_variant_reads_its_own_folder(table: Path) -> None:
    """A file of the same name beside it, not the game's."""
    place = house_rule(table, "goods.csv")
    for variants in ([place], [str(place)]):
        program = api.load_ruleset(table / "game", variants=variants, cache=False)
        assert program.variants == ("more",)
        assert next(kind for kind in program.kinds if kind.name == "Good").ids == ("bread", "wine")


@pytest.mark.parametrize(
    "path", ["../private.csv", "{table}/private.csv", "~/private.csv", "none.csv"]
)
def test_a_variant_reads_nothing_else(table: Path, path: str) -> None:
    """Neither above its folder nor by a whole path."""
    place = house_rule(table, path.format(table=table))
    result = api.load(table / "game", variants=[place])
    assert [each.code for each in result.diagnostics] == ["E0801"]


def test_the_game_does_not_read_a_variants_folder(table: Path) -> None:
    """Not even if that is read too."""
    place = house_rule(table, "goods.csv")
    game = table / "game" / "stall.rules"
    text = game.read_text(encoding="utf-8").replace('"goods.csv"', f'"{table}/house/goods.csv"')
    game.write_text(text, encoding="utf-8")
    result = api.load(table / "game", variants=[place])
    assert "E0801" in [each.code for each in result.diagnostics]


def test_a_change_of_a_variant_or_its_data_is_seen(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache knows what a program was made of."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(table / "cache"))
    place = house_rule(table, "goods.csv")
    digests = {api.load_ruleset(table / "game").digest}
    digests.add(api.load_ruleset(table / "game", variants=[place]).digest)
    assert api.load_ruleset(table / "game", variants=[place]).digest in digests
    (table / "house" / "goods.csv").write_text("id,worth\nwine,6\n", encoding="utf-8")
    digests.add(api.load_ruleset(table / "game", variants=[place]).digest)
    assert len(digests) == 3


@pytest.mark.parametrize("wanted", ["mor", "nowhere.rules", "game/stall.rules"])
def test_what_is_no_variant(table: Path, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name, a path, a file without any."""
    house_rule(table, "goods.csv")
    monkeypatch.chdir(table)
    with pytest.raises(api.VariantNotFoundError):
        api.load("game", variants=[wanted])


def test_mistakes_of_a_variant_that_is_not_chosen(table: Path) -> None:
    """Do not keep anybody from playing with another, and are found by a check."""
    folder = table / "game" / "variants"
    folder.mkdir()
    (folder / "good.rules").write_text(
        'variant good "Good" of stall:\n    after earn(player): player gains 1 coins\n', "utf-8"
    )
    (folder / "bad.rules").write_text('variant bad "Bad" of stall:\n    nonsense\n', "utf-8")
    assert api.load(table / "game", variants=["good"]).program is not None
    (checked,) = api.check_path([table / "game"])
    assert [each.span.file.path for each in checked.diagnostics] == ["variants/bad.rules"]
