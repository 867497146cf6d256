"""`check --fix`: what is mended, and that nothing else changes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from rulelang import api, fixing
from rulelang.codes import CODES
from rulelang.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Severity
from rulelang.parser import parse
from rulelang.source import SourceFile
from tests.cli.sample_game import PIG, run
from tests.diagnostics.test_codes import read_page

if TYPE_CHECKING:
    from pathlib import Path

IDLE = "# allow-file: dead-rule\n"
MISSPELT = "# allow: unused-declarations\ndefine spare = 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a comment that silences nothing, and an odd layout that nobody mends."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game").mkdir()
    text = IDLE + PIG + "\n\n\n#   An odd   comment\t\n" + MISSPELT
    (tmp_path / "game" / "pig.rules").write_bytes(text.encode())
    return tmp_path / "game"


def test_only_safe_fixes_are_applied(folder: Path) -> None:
    """The comment goes, everything else stays, byte for byte; the file keeps its rights."""
    file = folder / "pig.rules"
    file.chmod(0o640)
    before = file.read_bytes()
    code, out, err = run("check", "game")
    assert (code, out.count("warning[")) == (0, 3)
    assert "note: --fix mends 1 of them\n" in err
    assert file.read_bytes() == before
    code, out, err = run("check", "--fix", "game")
    assert (code, out.count("warning[")) == (0, 2)
    assert "1 fix applied in 1 file\n" in err
    assert file.read_bytes() == before[len(IDLE) :]
    assert file.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in folder.iterdir()] == ["pig.rules"]


def test_unsafe_fixes_are_applied_on_request(folder: Path) -> None:
    """And then nothing is left to mend: a second run changes nothing and does not write."""
    file = folder / "pig.rules"
    code, out, err = run("check", "--fix", "--unsafe-fixes", "game")
    assert (code, out) == (0, "")
    assert "2 fixes applied in 1 file\n" in err
    assert "# allow: unused-declaration\n" in file.read_text("utf-8")
    old = file.stat()
    assert run("check", "--fix", "--unsafe-fixes", "game")[0] == 0
    now = file.stat()
    assert (now.st_ino, now.st_mtime_ns) == (old.st_ino, old.st_mtime_ns)


def test_a_difference_is_shown_and_can_be_applied(folder: Path) -> None:
    """`--diff` writes nothing and fails while something would change; `patch` understands it."""
    file = folder / "pig.rules"
    before = file.read_bytes()
    code, out, err = run("check", "--diff", "game")
    assert (code, err) == (1, "1 fix would be applied in 1 file\n")
    assert "-# allow-file: dead-rule\n" in out
    assert file.read_bytes() == before
    done = subprocess.run(
        ["patch", "-p0", "--quiet"],  # noqa: S607
        input=out.encode(),
        cwd=folder.parent,
        check=False,
    )
    assert done.returncode == 0
    assert file.read_bytes() == before[len(IDLE) :]
    assert run("check", "--diff", "game") == (0, "", "")


def test_unsafe_fixes_need_something_to_do() -> None:
    """Alone the option would do nothing."""
    code, _, err = run("check", "--unsafe-fixes", "game")
    assert code == 2
    assert "--unsafe-fixes goes with --fix or --diff" in err


def test_mending_goes_on_until_nothing_changes(folder: Path) -> None:
    """What shows only when something else has been mended is mended too; errors count as well."""
    file = folder / "pig.rules"
    text = file.read_text("utf-8").replace("# allow: unused-declarations", "# allow: E0210, E0301")
    file.write_text(text, "utf-8")
    assert run("check", "--fix", "game")[1] == ""
    assert "# allow: unused-declaration\n" in file.read_text("utf-8")


def test_line_ends_stay(folder: Path) -> None:
    """Those of Windows too, and the mark at the beginning."""
    file = folder / "pig.rules"
    before = file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + before)
    assert run("check", "--fix", "game")[0] == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + before[len(IDLE) + 1 :]


def test_what_is_no_text_is_left_alone(folder: Path) -> None:
    """A byte that is no UTF-8 could not be written as it was."""
    file = folder / "pig.rules"
    data = file.read_bytes() + b"# \xff\n"
    file.write_bytes(data)
    assert run("check", "--fix", "game")[0] == 1
    assert file.read_bytes() == data


def test_a_file_that_has_changed_meanwhile_is_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's edit is lost."""
    file = folder / "pig.rules"
    mend_path = api.mend_path

    def meanwhile(*given: object, **named: object) -> api.Mended:
        done = mend_path(*given, **named)  # type: ignore[arg-type]
        file.write_text(PIG, "utf-8")
        return done

    monkeypatch.setattr(api, "mend_path", meanwhile)
    _, _, err = run("check", "--fix", "game")
    assert "error: game/pig.rules has changed meanwhile and is left alone\n" in err
    assert file.read_text("utf-8") == PIG


def test_what_the_settings_allow_is_neither_shown_nor_mended(folder: Path) -> None:
    """`allow` in rulelang.toml names warnings."""
    before = (folder / "pig.rules").read_bytes()
    (folder.parent / "rulelang.toml").write_text(
        'allow = ["unused-suppression", "unused-declaration"]\n', "utf-8"
    )
    code, out, _ = run("check", "--fix", "game", "--output-format", "concise")
    assert (code, out.count("L0002"), out.count("\n")) == (0, 1, 1)
    assert (folder / "pig.rules").read_bytes() == before
    assert run("--no-config", "check", "game")[1].count("warning[") == 3


def test_only_the_named_file_of_variants_is_mended(folder: Path) -> None:
    """Its game is checked with it, and stays."""
    game = (folder / "pig.rules").read_bytes()
    house = folder.parent / "house.rules"
    house.write_text(
        'variant fast "Fast" of pig:\n    change game:\n        version "2"\n' + IDLE, "utf-8"
    )
    (folder.parent / "rulelang.toml").write_text('rulesets = ["."]\n', "utf-8")
    assert run("check", "--fix", "house.rules")[0] == 0
    assert IDLE not in house.read_text("utf-8")
    assert (folder / "pig.rules").read_bytes() == game


# ---------------------------------------------------------------- what the command rests on


def fixed(text: str, *edits: tuple[int, int, str]) -> str:
    """Apply a safe fix for each of the edits."""
    source = SourceFile("a.rules", text)
    found = [
        Diagnostic(
            "E0210",
            Severity.WARNING,
            "x",
            Label(source.span(start, end)),
            fix=Fix("x", (Edit(source.span(start, end), new),), Applicability.SAFE),
        )
        for start, end, new in edits
    ]
    return fixing.mend((source,), found).sources[0].text


def test_fixes_of_one_place_wait_for_each_other() -> None:
    """Only the first of those that touch is applied in one round."""
    text = "define a = 1\n"
    assert fixed(text, (7, 8, "b"), (11, 12, "2")) == "define b = 2\n"
    assert fixed(text, (7, 8, "b"), (8, 8, "c")) == "define b = 1\n"


def test_a_text_that_could_be_parsed_still_can() -> None:
    """A fix that would break it is left out, the others are applied."""
    text = "define a = 1\ndefine b = 2\n"
    assert not parse(SourceFile("a.rules", text)).has_errors
    assert fixed(text, (9, 10, "= ="), (24, 25, "3")) == "define a = 1\ndefine b = 3\n"


def test_fixes_that_undo_each_other_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that was there before is not made again."""

    def turn(sources: tuple[SourceFile, ...], *given: object, **named: object) -> fixing.Round:
        del given, named
        (source,) = sources
        text = source.text.replace("points", "stars") if "points" in source.text else PIG
        return fixing.Round((SourceFile(source.path, text),), 1)

    (folder / "pig.rules").write_text(PIG, "utf-8")
    monkeypatch.setattr(fixing, "mend", turn)
    done = api.mend_path(folder)
    assert done.applied == 1
    assert [after for _, _, after in done.changes] == [PIG.replace("points", "stars")]


@pytest.mark.parametrize("code", [code for code in CODES if code[0] in "EL"])
def test_the_fixes_of_all_pages(code: str, tmp_path: Path) -> None:
    """Mended examples have no more mistakes in their syntax, and nothing more to mend."""
    page = read_page(code)
    files = {"example.rules": page.example, **page.files}
    before = api.check_texts(files).diagnostics
    if not any(each.fix for each in before):
        return
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    done = api.mend_path(tmp_path, unsafe=True)
    for path, old, new in done.changes:
        source, became = SourceFile(path.name, old), SourceFile(path.name, new)
        assert len(parse(became).diagnostics) <= len(parse(source).diagnostics)
        path.write_text(new, "utf-8")
    assert api.mend_path(tmp_path, unsafe=True).changes == ()


def test_fixes_that_are_only_shown_are_never_applied() -> None:
    """Not on any request."""
    source = SourceFile("a.rules", "define a = 1\n")
    fix = Fix("x", (Edit(source.span(7, 8), "b"),), Applicability.DISPLAY)
    found = Diagnostic("E0210", Severity.WARNING, "x", Label(source.span(0, 1)), fix=fix)
    assert fixing.mend((source,), (found,), unsafe=True).applied == 0


def test_a_line_that_begins_with_a_name_is_given_no_colon_as_a_safe_fix() -> None:
    """`forbid sail` and `ban sail` are told how to forbid; a name that needs a colon is a guess."""
    head = 'variant w "W" of pig:\n    '
    for word in ("forbid", "ban"):
        (found,) = parse(SourceFile("w.rules", f"{head}{word} sail\n")).diagnostics
        assert (found.code, found.fix) == ("E0103", None)
        assert found.help == 'to forbid, write `sail(player, ...): no "reason" when ...`'
    (found,) = parse(SourceFile("w.rules", f"{head}zeal sail\n")).diagnostics
    assert found.fix is None or found.fix.applicability is Applicability.UNSAFE
    assert not parse(
        SourceFile("w.rules", f'{head}sail(player): no "It is late" when player.gold > 3\n')
    ).diagnostics
