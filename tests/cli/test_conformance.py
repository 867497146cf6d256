"""Providers of other packages, and the checks for whoever writes one: each fault is found, a good one passes."""

from __future__ import annotations

import json
import sys
import textwrap
import time
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.providers import plugins
from interpreter.providers.checks import CHECKS, check_provider
from interpreter.providers.random import RandomProvider
from rulelang.api import check_texts
from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rulelang import ir

BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "observe": False}), flush=True)
    elif message["type"] == "decide":
        number = message["id"]
        print(json.dumps({"type": "answer", "id": number, "pick": 1}), flush=True)
    elif message["type"] == "refused":
        AFTER_REFUSAL
    elif message["type"] == "end":
        AT_THE_END
"""
AGAIN = 'print(json.dumps({"type": "answer", "id": number, "pick": 1}), flush=True)'


class Good(RandomProvider):
    """Draws from its seed."""

    def __init__(self, seat: object, seed: str) -> None:
        del seat
        super().__init__(seed)


class Illegal(Good):
    """Answers what nobody has offered."""

    def decide(self, observation: Any, decision: Any) -> object:
        super().decide(observation, decision)
        return "the moon"


class Slow(Good):
    """Thinks."""

    def decide(self, observation: Any, decision: Any) -> object:
        time.sleep(0.02)
        return super().decide(observation, decision)


class Moody(Good):
    """Has a generator for all games."""

    shared = RandomProvider(1)

    def decide(self, observation: Any, decision: Any) -> object:
        return self.shared.decide(observation, decision)


class Scribbler(Good):
    """Changes what it is shown."""

    def decide(self, observation: Any, decision: Any) -> object:
        answer = super().decide(observation, decision)
        decision.options.groups = decision.options.groups[:1]
        return answer


class Broken(Good):
    """Raises something."""

    def decide(self, observation: Any, decision: Any) -> object:
        del observation, decision
        raise ZeroDivisionError("division by zero")


@pytest.fixture(scope="module")
def pig() -> ir.Program:
    program = check_texts({"pig.rules": PIG}).program
    assert program is not None
    return program


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three providers of another package."""
    names = {"good": "Good", "broken": "Broken", "gone": "Nobody", "illegal": "Illegal"}
    found = tuple(EntryPoint(name, f"{__name__}:{of}", plugins.GROUP) for name, of in names.items())
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Good.__module__])
    monkeypatch.setattr(plugins, "_entry_points", lambda: found)


LIMITS: tuple[dict[str, Any], ...] = ({}, {"seconds": 0.01, "clock": time.perf_counter})


@pytest.mark.parametrize(
    ("make", "checks"),
    [
        (Illegal, {"legal", "asked again"}),
        (Broken, {"legal"}),
        (Slow, {"in time"}),
        (Moody, {"same again"}),
        (Scribbler, {"legal", "reads only"}),
    ],
)
def test_each_fault_is_found(make: Callable[..., Any], checks: set[str], pig: ir.Program) -> None:
    found = check_provider(make, pig, people=2, games=1, **LIMITS[make is Slow])
    assert {each.check for each in found} == checks
    assert CHECKS[found[0].check] in str(found[0])


def test_a_good_one_passes(pig: ir.Program) -> None:
    assert check_provider(Good, pig, people=2) == []


@pytest.mark.parametrize(
    ("after", "end", "check"),
    [(AGAIN, "break", None), ("break", "break", "legal"), (AGAIN, "pass", "stops")],
)
def test_programs_are_checked(after: str, end: str, check: str | None, tmp_path: Path) -> None:
    """One that is fine, one that stops when it is refused, one that never goes."""
    bot = tmp_path / "bot.py"
    text = textwrap.dedent(BOT).replace("AFTER_REFUSAL", after).replace("AT_THE_END", end)
    if check == "stops":
        text += "\nimport time\ntime.sleep(60)\n"
        text = text.replace('== "end":\n        pass', '== "end":\n        time.sleep(60)')
        text = "import time\n" + text
    bot.write_text(text, "utf-8")
    code, out, err = run(
        "conformance", f"process:{sys.executable} {bot}", "--game", "nim", "--games", "1", "--json"
    )
    assert err == ""
    document = json.loads(out)
    assert [name for name, fine in document["checks"].items() if not fine] == (
        [check] if check else []
    )
    assert code == (1 if check else 0)


@pytest.mark.usefixtures("installed")
def test_a_provider_of_another_package_holds_a_seat() -> None:
    code, out, err = run("run", "pig", "--seed", "3", "--seat", "2=good", "--log", "quiet")
    assert (code, err) == (0, "")
    assert "--seat 2=good" in out
    assert run("conformance", "good", "--game", "pig", "--games", "1")[0] == 0


@pytest.mark.usefixtures("installed")
def test_one_that_fails_is_treated_as_was_said() -> None:
    """The game stops and can be played on, or somebody else goes on; a missing one is named."""
    code, _, err = run("run", "pig", "--seed", "3", "--seat", "2=broken", "--log", "quiet")
    assert code == 3
    assert "the provider broken of seat 2 has failed: ZeroDivisionError" in err
    code, _, err = run(
        *("run", "pig", "--seed", "3", "--seat", "2=illegal", "--log", "quiet"),
        *("--bot-failure", "automa"),
    )
    assert code == 0
    assert "has given an illegal answer: 'the moon'; automa goes on in its place" in err
    code, _, err = run("run", "pig", "--seat", "2=gone", "--log", "quiet")
    assert code == 3
    assert "the provider 'gone' cannot be loaded: AttributeError" in err
    code, _, err = run("run", "pig", "--seat", "2=nobody")
    assert code == 2
    assert "automa, random, human, search, broken, gone, good, illegal, or process:COMMAND" in err


@pytest.mark.usefixtures("installed")
def test_a_journal_of_one_is_resumed(tmp_path: Path) -> None:
    """Its draws go on as they would have."""
    journal = tmp_path / "evening.journal"
    command = ("run", "pig", "--seed", "3", "--seat", "2=good", "--log", "quiet")
    assert run(*command, "--journal", str(journal))[0] == 0
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert run("resume", str(journal), "--log", "quiet")[0] == 0
    assert journal.read_bytes() == whole
