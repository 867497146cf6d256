"""What a check found is kept, and only what an edit touches is compiled again: the findings are the same ever."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cli
from rulelang import api, cache, findings, rendering
from rulelang.checking import Keys
from rulelang.source import SourceFile
from rulelang.texts import Group, Texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.api import LoadResult

MARKET = Path(__file__).parent / "market"
RULESETS = Path(__file__).parents[2] / "rulesets"
MORE = {
    "variants/taxes.rules": """# Taxes.
variant taxes "Taxes" of market:
    option rate: 1..3 = 1 "How much is taken"
    after earn(player, n) when n > 2: player loses up to rate coins

variant no_taxes "No taxes" of market not with taxes:
    drop tax

preset "Hard" of market:
    with taxes
    rate = 3
""",
    "variants/wild_evening.rules": """variant wild_evening "A wild evening" of market with wild after wild:
    change option goal = 15
    option courage_needed: 1..3 = 2 "How brave one must be"
    plunder(player, other_player): no "be brave" when player.bravery < courage_needed
""",
    "scenarios/base.rules": """scenario "Everybody is paid" of market [MKT-02]:
    people ann, bob
    before: ann.coins becomes 5
    do earn(ann, 2)
    after:
        ann.coins is 7

scenario "And again" of market after "Everybody is paid":
    do earn(ann, 1)
    after:
        ann.coins is 8

scenario "Three of them" of market:
    people ann, bob, cid
    do earn(cid, 2)
    after:
        cid.coins is 5
""",
    "scenarios/taxes.rules": """scenario "A tax" of market with taxes:
    people ann, bob
    do earn(ann, 3)
    after:
        ann.coins is 5
""",
}


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a game with variants and scenarios in a folder of its own, and an empty cache."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "market"
    shutil.copytree(MARKET, folder)
    for path, text in MORE.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Note which sets of variants are compiled."""
    noted: list[tuple[str, ...]] = []
    before = Texts.compile

    def noting(self: Texts, variants: tuple[str, ...] = (), **more: object) -> object:
        noted.append(tuple(variants))
        return before(self, variants, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Texts, "compile", noting)
    return noted


def check(folder: Path, *, known: bool = True) -> LoadResult:
    """Check a ruleset with the cache, or without."""
    (result,) = api.check_path([folder], cache=known)
    return result


def told(result: LoadResult) -> str:
    """Write findings with all that they say and all places, and the notes."""
    return rendering.render_json(result.diagnostics) + "".join(result.notes)


def edit(folder: Path, path: str, old: str, new: str) -> None:
    """Change a text."""
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_nothing_is_wrong_and_nothing_is_compiled_twice(
    market: Path, compiled: list[tuple[str, ...]]
) -> None:
    """The second check of the same texts compiles nothing."""
    assert told(check(market)) == told(check(market, known=False))
    assert check(market).diagnostics == ()
    assert ("taxes",) in compiled
    compiled.clear()
    assert check(market).diagnostics == ()
    assert compiled == []


@pytest.mark.parametrize(
    ("path", "old", "new", "again"),
    [
        ("variants/wild_evening.rules", "goal = 15", "goal = 12", {("wild", "wild_evening")}),
        ("scenarios/taxes.rules", "3)", "4)", {("taxes",)}),
        ("scenarios/base.rules", "becomes 5", "becomes 6", {()}),
        ("variants/taxes.rules", "n > 2", "n > 3", {(), ("no_taxes",), ("taxes",)}),
        ("variants/more_heroes.csv", "id,name", "id, name", {("long_evening",)}),
    ],
    ids=["variant", "scenario", "base scenario", "two variants and a preset", "data"],
)
def test_only_what_an_edit_touches_is_compiled_again(
    market: Path,
    compiled: list[tuple[str, ...]],
    path: str,
    old: str,
    new: str,
    again: set[tuple[str, ...]],
) -> None:
    """Sets without the edited text are known; going back, everything is that was found in the same texts."""
    check(market)
    compiled.clear()
    edit(market, path, old, new)
    check(market)
    assert set(compiled) == again
    compiled.clear()
    edit(market, path, new, old)
    check(market)
    assert set(compiled) == (again if path.endswith(".csv") else set())


def test_everything_is_compiled_again_after_an_edit_of_the_base(
    market: Path, compiled: list[tuple[str, ...]]
) -> None:
    """All sets have the base."""
    check(market)
    wanted = sorted(compiled)
    compiled.clear()
    edit(market, "market.rules", "coins: 0.. = 3", "coins: 0.. = 4")
    check(market)
    assert sorted(compiled) == wanted


def edits(draw: random.Random, text: str) -> str:
    """Edit a text somewhere: a line goes, comes twice, is a comment; a word or number is another one."""
    lines = text.splitlines(keepends=True)
    at = draw.randrange(len(lines))
    match draw.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(at, "# A remark.\n")
        case 3:
            lines[at] = lines[at].replace("1", "7").replace("2", "1")
        case _:
            words = lines[at].split(" ")
            words[draw.randrange(len(words))] = draw.choice(
                ["coins", "taxes", "player", "[MKT-99]"]
            )
            lines[at] = " ".join(words).rstrip("\n") + "\n"
    return "".join(lines)


def edited(folder: Path, draw: random.Random, count: int) -> Iterator[str]:
    """Edit one of the texts and data files after the other, and take most edits back after a while."""
    for _ in range(count):
        places = sorted((*folder.rglob("*.rules"), *folder.rglob("*.csv")))
        place = draw.choice(places)
        before = place.read_text(encoding="utf-8")
        if not before.strip():
            continue
        place.write_text(edits(draw, before), encoding="utf-8")
        yield str(place.relative_to(folder))
        if draw.random() < 0.8:
            place.write_text(before, encoding="utf-8")


def test_the_same_is_found_after_any_edit(market: Path) -> None:
    """After edits of any text, what is found with what was known before is what is found without."""
    draw = random.Random(5)  # noqa: S311 - a test, not a secret
    wrong = 0
    for path in edited(market, draw, 25):
        result = check(market)
        assert told(result) == told(check(market, known=False)), path
        assert told(result) == told(check(market)), path
        wrong += result.has_errors
    assert 6 < wrong < 24


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_same_is_found_after_an_edit_of_a_shipped_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for a whole game."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "pirates"
    shutil.copytree(RULESETS / "pirates", folder)
    draw = random.Random(8)  # noqa: S311 - a test, not a secret
    for path in edited(folder, draw, 1):
        assert told(check(folder)) == told(check(folder, known=False)), path


def test_a_data_file_that_comes_later_counts(market: Path) -> None:
    """What could not be read before is looked for again."""
    (market / "variants" / "more_heroes.csv").rename(market / "later.csv")
    assert "E0801" in told(check(market))
    (market / "later.csv").rename(market / "variants" / "more_heroes.csv")
    assert check(market).diagnostics == ()


def test_a_place_in_a_text_that_moved_is_where_it_is_now(market: Path) -> None:
    """A warning about one variant stays right when lines come in before another one of its file."""
    path = "variants/taxes.rules"
    edit(market, path, "    drop tax\n", "    drop tax\n    define nothing_reads = 3\n")
    (found,) = check(market).diagnostics
    edit(market, path, "# Taxes.\n", "# Taxes.\n# They are high.\n")
    (moved,) = check(market).diagnostics
    assert moved.span.line == found.span.line + 1
    assert moved.span.text == found.span.text == "nothing_reads"


def test_a_damaged_book_is_left(market: Path, tmp_path: Path) -> None:
    """A changed byte, text that is none of ours, or a class that findings have no use for: all is checked anew."""
    edit(market, "market.rules", "tax: after", "define unread = 1\ntax: after")
    expected = told(check(market, known=False))
    check(market)
    (book,) = (tmp_path / "cache").glob("*.findings")
    written = book.read_bytes()
    body = cache.read_entry(book.name)
    assert body is not None
    key = '"' + body.split(b'"')[1].decode() + '"'
    foreign = findings._written([(key.strip('"'), findings.Entry(pickle.dumps((print,)), {}))])
    far = findings._written([(key.strip('"'), findings.Entry(b"", {}))])
    for bad in (b"", b"[]", b"{}", f"{{{key}: 1}}".encode(), body[:-9], b"\xff\xfe", foreign, far):
        cache.write_entry(book.name, bad)
        assert told(check(market)) == expected
    book.write_bytes(written[:-1] + bytes([written[-1] ^ 1]))
    assert told(check(market)) == expected
    assert told(check(market)) == expected


def test_the_command_keeps_findings_unless_it_is_told_not_to(
    market: Path, tmp_path: Path, compiled: list[tuple[str, ...]]
) -> None:
    """`check` looks into the cache and leaves findings there; with `--no-cache` it does neither."""
    assert cli.run_command_line(["check", "--no-cache", str(market)]) == 0
    assert [*tmp_path.glob("cache/*")] == []
    assert cli.run_command_line(["check", str(market)]) == 0
    assert len([*tmp_path.glob("cache/*.findings")]) == 1
    compiled.clear()
    assert cli.run_command_line(["check", str(market)]) == 0
    assert compiled == []
    assert cli.run_command_line(["check", "--no-cache", str(market)]) == 0
    assert len(compiled) > 5


def test_places_outside_of_their_text_are_no_findings(market: Path) -> None:
    """An entry about a longer text is not believed."""
    edit(market, "market.rules", "tax: after", "define unread = 1\ntax: after")
    (found,) = check(market).diagnostics
    made = findings.packed((found,), {found.span.file: "x"})
    assert made is not None
    assert findings.unpacked(made[0], lambda _: found.span.file) == (found,)
    with pytest.raises(ValueError, match="place"):
        findings.unpacked(made[0], lambda path: SourceFile(path, "short"))


def test_findings_about_other_texts_are_not_kept(market: Path) -> None:
    """What is found at the first line of a variant that is not chosen depends on a text that the key has not."""
    edit(market, "variants/wild_evening.rules", "of market with", "of bazaar with")
    first = check(market)
    assert first.has_errors
    edit(market, "variants/wild_evening.rules", "variant", "# A remark.\nvariant")
    assert told(check(market)) == told(check(market, known=False)) != told(first)


def test_keys_of_sets_are_their_own(market: Path) -> None:
    """No two groups have one key; seats, scenarios and what comes first count."""
    (result,) = api.check_path([market])
    texts = Texts(result.files, lambda path: (market / path).read_bytes(), alone=True)
    keys = Keys(texts)
    groups = [*texts.groups(), *(Group(names, None) for names in texts.variant_sets())]
    made = [
        keys.of(group, first=first, scenarios=scenarios)[0]
        for group in groups
        for first in (False, True)
        for scenarios in (False, True)
    ]
    assert len(set(made)) == len(made) >= 4 * 8


def test_several_processes_find_the_same(market: Path) -> None:
    """Findings come in the same order, with the same places, from however many processes."""
    edit(market, "variants/taxes.rules", "rate coins", "rates coins")
    edit(market, "variants/wild_evening.rules", "goal = 15", "goal = 95")
    edit(market, "variants/more_heroes.csv", "id,name", "id,nom")
    program = (
        "import sys; from rulelang import api, checking, rendering; checking.WORTH_IT = 0; "
        "shared = checking.Remembering._shared; calls = []; "
        "checking.Remembering._shared = lambda *a, **b: calls.append(a) or shared(*a, **b); "
        "(one,), (two,) = (api.check_path([sys.argv[1]], jobs=jobs) for jobs in (1, 3)); "
        "told = [rendering.render_json(each.diagnostics) for each in (one, two)]; "
        "assert told[0] == told[1]; print(len(one.diagnostics), len(calls)); "
        "api.check_path([sys.argv[1]], cache=True, jobs=3)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(market)],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
        encoding="utf-8",
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["2", "1" if sys.platform == "linux" else "0"]
    edit(market, "variants/more_heroes.csv", "id,nom", "id,name")
    assert told(check(market)) == told(check(market, known=False))


def test_only_sets_with_a_scenario_that_is_asked_for_are_compiled(
    market: Path, compiled: list[tuple[str, ...]]
) -> None:
    """`only` looks at titles and citations before anything is compiled."""
    (program,) = api.scenario_programs(market, only="a TAX", cache=False)
    assert [each.title for each in program.scenarios] == ["A tax"]
    assert compiled == [("taxes",)]
    compiled.clear()
    cited = [*api.scenario_programs(market, only="mkt-02", cache=False)]
    assert [each.variants for each in cited] == [()]
    assert compiled == [()]
    assert [*api.scenario_programs(market, only="nothing of the sort", cache=False)] == []
