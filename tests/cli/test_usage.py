"""What a user can get wrong before anything is loaded, and what the shell is told."""

from __future__ import annotations

import io
import re

import pytest

import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run one command and give exit code, standard output and standard error."""
    code = cli.run_command_line(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names program and version and nothing else."""
    code, out, err = run(capsys, "--version")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"rulelang \d+\.\d+\.\d+\n", out)


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command stands in the help text with what it does, not cut off."""
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for name, command in cli.command_line.commands.items():
        assert command.help, name
        assert re.search(rf"^  {name} +\w.*[^.]\.$", out, re.MULTILINE), name


@pytest.mark.parametrize("verb", sorted(cli.command_line.commands))
def test_every_verb_has_help(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """`VERB --help` ends well."""
    code, out, _ = run(capsys, verb, "--help")
    assert code == 0
    assert out.startswith(f"Usage: rulelang {verb}")


def test_help_of_run_shows_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """Each stands on a line of its own."""
    assert "\n  rulelang run pyrates --seed 7\n" in run(capsys, "run", "--help")[1]


def test_missing_streams(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell may start the program without standard output (`>&-`)."""
    monkeypatch.setattr("sys.stdout", None)
    code = cli.run_command_line(["explain", "E0101"])
    monkeypatch.undo()
    assert (code, capsys.readouterr().err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chekc",), "Did you mean 'check'?"),
        (("run",), "Missing argument 'GAME'"),
        (("run", "x", "--sead", "1"), "No such option"),
        (("run", "x", "--seed", "minus"), "'minus' is not a valid whole number"),
        (("run", "x", "--seed", "-1"), "-1 is not in the range"),
        (("run", "x", "--people", "0"), "0 is not in the range"),
        (("run", "x", "--seat", "1"), "'1' is not of the form NAME=VALUE"),
        (("run", "x", "--seat", "one=human"), "'one' is not the number of a seat"),
        (("run", "x", "--seat", "1=robot"), "'robot' is not one of automa, random, human"),
        (("run", "x", "--seat", "1=human", "--seat", "1=random"), "'1' is given two values"),
        (("run", "x", "--option", "=3"), "'=3' is not of the form NAME=VALUE"),
        (("run", "x", "--log", "loud"), "'loud' is not one of"),
        (("check",), "Missing argument 'PATH...'"),
        (("check", "x", "--output-format", "xml"), "'xml' is not one of"),
        (("explain", "E9999"), "There is no code 'E9999'"),
        (("explain", "E0101x"), "Did you mean 'E0101'?"),
    ],
)
def test_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    """A wrong command line is explained on standard error, with exit code 2."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_unexpected_errors_are_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody foresaw gives exit code 70 and no traceback."""

    def broken(text: str) -> None:
        message = f"no idea about {text}\nsecond line"
        raise LookupError(message)

    monkeypatch.setattr("rulelang.codes.lookup", broken)
    code, out, err = run(capsys, "explain", "E0101")
    assert (code, out) == (70, "")
    assert err.startswith("internal error: LookupError: no idea about E0101\n")
    assert "second line" not in err
    assert "Traceback" not in err


def test_interruption(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C gives exit code 130 and one word."""

    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulelang.codes.lookup", interrupted)
    code, _, err = run(capsys, "explain", "E0101")
    assert code == 130
    assert err.strip() == "interrupted"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour_policy(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    environment: dict[str, str],
    terminal: bool,
    wanted: bool,
) -> None:
    """The option wins, then NO_COLOR, then FORCE_COLOR, then the terminal."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Terminal() if terminal else io.StringIO()
    assert cli.wants_colour(stream, choice) is wanted
