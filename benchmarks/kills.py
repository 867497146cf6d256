"""Kill games at random moments, resume them, and compare with games that nobody disturbed.

Run it with `python -m benchmarks.kills --games 1000`. Each game is played in a process of its own that gets SIGKILL
after a random time, is resumed from its journal, is killed again, and so on until it comes to its end. Its journal must
then be that of the undisturbed game, byte for byte.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from interpreter.ui.matches import run_game
from interpreter.ui.resuming import Wish, resume_file
from interpreter.ui.table import Table
from rulelang.files import shipped_rulesets

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS = {"pirates": {"stalemate": "turn_cap"}}
"""Games that would be long are bounded."""


@attrs.define
class Record:
    """What was seen.

    Attributes:
        games: How many games were compared.
        kills: How often a process was killed before it came to its end.
        torn: How many of these left a torn line behind.
        different: Names of the games that ended otherwise.
    """

    games: int = 0
    kills: int = 0
    torn: int = 0
    different: list[str] = attrs.field(factory=list)


def in_child(act: Callable[[], object]) -> int:
    """Fork, and act in the child, where nothing is written to the terminal; give its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        act()
        code = 0
    except BaseException:  # noqa: BLE001 - the child must not go on as the parent
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Wait for a child; give its exit status, negative for the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def play(name: str, seed: int, journal: Path) -> None:
    """Play a game from its start; half of the people follow the policies of the ruleset."""
    table = Table(people=2, seats={1: "automa"}, options=OPTIONS.get(name, {}))
    run_game(name, table, seed, "quiet", None, journal=str(journal), as_json=False, colour=False)


def resume(journal: Path) -> None:
    """Play on."""
    resume_file(str(journal), Wish(), "quiet", as_json=False, colour=False)


def disturbed(
    name: str, seed: int, folder: Path, rng: random.Random, seconds: float, record: Record
) -> bytes:
    """Play a game whose process is killed again and again; give its journal.

    Each process may live a little longer than the one before: to play on takes longer than to play where reading the
    rules takes most of the time, and a game whose every process is killed while it reads would never end.
    """
    journal = folder / f"{name}-{seed}.killed"
    longest = seconds
    while True:
        begun = journal.exists() and b"\n" in journal.read_bytes()
        if not begun:
            journal.unlink(missing_ok=True)
        child = in_child(
            (lambda: resume(journal)) if begun else (lambda: play(name, seed, journal))
        )
        time.sleep(rng.uniform(0, longest))
        longest += seconds / 4
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = ended(child)
        if status == 0:
            return journal.read_bytes()
        if status != -signal.SIGKILL:
            return b""
        record.kills += 1
        if journal.exists():
            data = journal.read_bytes()
            record.torn += bool(data) and not data.endswith(b"\n")


def main() -> int:
    """Play, kill, compare and print; 1 if a game has ended otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--game", choices=shipped_rulesets(), action="append")
    given = parser.parse_args()
    record = Record()
    rng = random.Random(given.seed)
    names = given.game or ["pyrates"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for number in range(given.games):
            name, seed = names[number % len(names)], given.seed + number
            whole = folder / f"{name}-{seed}.whole"
            play_first = time.perf_counter()
            if ended(in_child(lambda name=name, seed=seed, whole=whole: play(name, seed, whole))):  # type: ignore[misc]
                print(f"{name}, seed {seed}: the undisturbed game does not end")
                return 1
            seconds = time.perf_counter() - play_first
            killed = disturbed(name, seed, folder, rng, 1.2 * seconds, record)
            record.games += 1
            if killed != whole.read_bytes():
                record.different.append(f"{name}, seed {seed}")
            for journal in folder.iterdir():
                journal.unlink()
    for each in record.different:
        print(f"different: {each}")
    print(
        f"{record.games} games, {record.kills} kills, {record.torn} torn lines,"
        f" {len(record.different)} games different"
    )
    return 1 if record.different else 0


if __name__ == "__main__":
    sys.exit(main())
