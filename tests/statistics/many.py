"""Plans over the game of the guide, for tests."""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import TYPE_CHECKING

from interpreter.statistics.plan import MakesPlayers, Plan, Version, packed
from interpreter.ui.bots import player_for
from interpreter.ui.table import Bots
from rulelang import api
from tests.cli.sample_game import PIG

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.ir import Program

DEADLY = 3

players: MakesPlayers = partial(player_for, bots=Bots())


def pig(folder: Path, text: str = PIG, people: int = 2) -> Program:
    """The game, or a text that is like it."""
    path = folder / "pig.rules"
    path.write_text(text, "utf-8")
    return api.load_ruleset(path, people=people)


def plan_of(
    program: Program, *goals: int, games: int = 200, batch: int = 16, rotate: bool = False
) -> tuple[Plan, dict[str, bytes]]:
    """A version for each goal; each is compared with the first one."""
    key, body = packed(program)
    versions = tuple(Version(f"goal {goal}", key, (goal,)) for goal in goals)
    pairs = tuple((place, 0) for place in range(1, len(versions)))
    kinds = ("automa", "random")
    plan = Plan(versions, pairs, kinds, 1, games, batch, players, rotate=rotate, rows=True)
    return plan, {key: body}


def count_and_die_once(folder: Path) -> None:
    """Note in a folder that a batch begins; the third one takes its process along, without a word."""
    with (folder / "begun").open("a", encoding="utf-8") as file:
        file.write("x")
    if (folder / "begun").stat().st_size >= DEADLY and _first(folder / "dead"):
        os.kill(os.getpid(), signal.SIGKILL)


def _first(path: Path) -> bool:
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
