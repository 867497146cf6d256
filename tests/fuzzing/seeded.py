"""Faults to plant in copies of the rulesets that come with the program, one in each copy."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import attrs

from rulelang.discovery import find_ruleset

if TYPE_CHECKING:
    from pathlib import Path


Change = tuple[str, str, str]
"""File of the ruleset, what stands there, and what is written instead."""


@attrs.frozen
class Seeded:
    """One fault.

    Attributes:
        name: What it is, in words.
        game: The ruleset.
        codes: What it may be found as.
        changes: Where it is planted.
        words: What the command is told: people, variants, options.
    """

    name: str
    game: str
    codes: frozenset[str]
    changes: tuple[Change, ...]
    words: tuple[str, ...] = ("--people", "2")

    def plant(self, folder: Path) -> Path:
        """Copy the ruleset, and plant the fault in the copy."""
        place = folder / self.game
        shutil.copytree(find_ruleset(self.game), place, ignore=shutil.ignore_patterns("scenarios"))
        for name, old, new in self.changes:
            text = (place / name).read_text("utf-8")
            assert text.count(old) == 1, (self.name, old, text.count(old))
            (place / name).write_text(text.replace(old, new), "utf-8")
        return place


def seeded(name: str, game: str, codes: str, *changes: Change, words: str = "--people 2") -> Seeded:
    """Describe a fault; codes and words are parted by blanks."""
    return Seeded(name, game, frozenset(codes.split()), changes, tuple(words.split()))


PYRATES = (
    seeded(
        "a promise that is broken: two players serve one nation",
        "pyrates",
        "R0107",
        ("definitions.rules", "it is not pirate and not taken(it)", "it is not pirate"),
    ),
    seeded(
        "a state rule that does not stop",
        "pyrates",
        "R0109",
        ("definitions.rules", "    port loses goods_per_gold goods\n", ""),
    ),
    seeded(
        "a division by zero",
        "pyrates",
        "R0108",
        ("actions.rules", "(player) = port.trade_rating [", "(player) = 6 / player.goods ["),
    ),
    seeded(
        "a gap in a table of dice",
        "pyrates",
        "R0103",
        ("data/sea_zones.csv", "East Caribbean Sea,3,4", "East Caribbean Sea,3,3"),
    ),
    seeded(
        "a component in two places: two merchant ships in one sea",
        "pyrates",
        "R0103 R0107",
        (
            "booty.rules",
            "    if old_merchant is not none: do replace(old_merchant, merchant, sea)\n",
            "    if old_merchant is not none: old_merchant.replaced_in becomes sea\n",
        ),
        (
            "booty.rules",
            "    move merchant to bottom(board.events)\n",
            "    merchant.escorted becomes no\n",
        ),
    ),
    seeded(
        "a stock below zero",
        "pyrates",
        "R0101",
        ("actions.rules", "    if player.goods < rate: end trade_at\n", ""),
        ("actions.rules", "player.goods >= port.rate_for(player)", "player.goods > 0"),
    ),
    seeded(
        "a decision with nothing to choose from",
        "pyrates",
        "R0106",
        ("attacks.rules", " else end put_to_sea\n", "\n"),
        ("attacks.rules", "sea from port.seas", "sea from port.seas where its merchant is none"),
    ),
    seeded(
        "a field that is read before it is set",
        "pyrates",
        "R0102",
        ("attacks.rules", "    keeps attack_die: D6 = 1\n", "    keeps attack_die: D6\n"),
        (
            "attacks.rules",
            "        attack_die becomes roll D6 by lead_player [PYR-DICE-02]\n",
            "        if defense_rolled: attack_die becomes roll D6 by lead_player [PYR-DICE-02]\n",
        ),
    ),
    seeded(
        "a deck that is drawn from when it is empty",
        "pyrates",
        "R0103",
        ("booty.rules", "    if not any board.merchants: end place_merchant\n", ""),
        (
            "booty.rules",
            "step merchant [PYR-BOOTY-08, PYR-BOOTY-09]: do place_merchant",
            "step merchant [PYR-BOOTY-08, PYR-BOOTY-09]:\n        each sea in Sea: do place_merchant",
        ),
    ),
    seeded(
        "a game that does not end",
        "pyrates",
        "R0112",
        (
            "pyrates.rules",
            "    each n in 1..12: do turn(n) [PYR-VIC-07]\n",
            "    while yes: do turn(1) [PYR-VIC-07]\n",
        ),
        (
            "ending.rules",
            "        if any reachers: do five_reached\n",
            "        if any reachers and n > 1: do five_reached\n",
        ),
        words="--people 2 --longest 300",
    ),
    seeded(
        "a rule for people that is applied to all",
        "pyrates",
        "R0103 R0107",
        (
            "setup.rules",
            "each player in people: player.allegiance",
            "each player in Player: player.allegiance",
        ),
    ),
    seeded(
        "a loop of rules that call each other up",
        "pyrates",
        "R0109",
        (
            "ending.rules",
            "effect game_over [",
            (
                "after who gains n gold from supply: who gains 1 goods\n"
                "after who gains n goods from supply: who gains 1 gold\n\neffect game_over ["
            ),
        ),
    ),
)

PIRATES = (
    seeded(
        "more treasure than a boat can carry",
        "pirates",
        "R0107",
        (
            "looting.rules",
            "    if loser_fighter.treasures <= player.room: do take_all",
            "    if loser_fighter.treasures <= player.room + 3: do take_all",
        ),
    ),
    seeded(
        "a slot that is not cleared for treasure",
        "pirates",
        "R0107",
        (
            "looting.rules",
            "    do make_room(player)\n    move loser_fighter.hold to player\n",
            "    move loser_fighter.hold to player\n",
        ),
    ),
    seeded(
        "a boat that sails over land",
        "pirates",
        "R0107",
        (
            "definitions.rules",
            "define space.wet = space.kind is not lair and space",
            "define space.wet = space",
        ),
    ),
    seeded(
        "a number of people for which there is no goal",
        "pirates",
        "R0103",
        ("data/treasure_targets.csv", "2,16,rulebook\n", ""),
    ),
    seeded(
        "a decision that is stuck when all slots are full",
        "pirates",
        "R0106",
        (
            "looting.rules",
            "    if not any player.free_slots: do give_one_up(player)\n    else if displace",
            "    if displace",
        ),
        (
            "looting.rules",
            "        automa lowest it\n        else end shift_figure\n",
            "        automa lowest it\n",
        ),
    ),
    seeded(
        "a choice that depends on what chests are worth",
        "pirates",
        "R0111",
        (
            "pirates.rules",
            '"Repair" when may repair(player)',
            '"Repair" when may repair(player) and player.left.treasures < 3',
        ),
        words="--people 3 --with sealed_holds --players rare --longest 400",
    ),
    seeded(
        "a prompt that names a hidden thing",
        "pirates",
        "R0111",
        (
            "pirates.rules",
            'chooses "Second action?"',
            'chooses "Second action, before {player.left.treasures} treasures?"',
        ),
        words="--people 3 --with sealed_holds --players rare --longest 400",
    ),
    seeded(
        "a limit of rounds that is never reached",
        "pirates",
        "R0112",
        (
            "pirates.rules",
            "stalemate is turn_cap and rounds >= round_limit",
            "stalemate is turn_cap and rounds < 1",
        ),
        words="--people 2 --option stalemate=turn_cap --option round_limit=5 --longest 150",
    ),
)

PIRATE_REPUBLIC = (
    seeded(
        "cards that are dealt out and put nowhere",
        "pirate_republic",
        "R0107",
        (
            "rewards.rules",
            "    else: move prize to player.deck\n",
            "    else: move prize to none\n",
        ),
    ),
    seeded(
        "a card that is drawn from a deck without cards",
        "pirate_republic",
        "R0103",
        (
            "rounds.rules",
            "    if not any player.deck:\n        do fail_to_draw(player)\n        end draw_card with no\n",
            "",
        ),
    ),
    seeded(
        "a penalty that nobody can pay",
        "pirate_republic",
        "R0106",
        (
            "combat.rules",
            (
                '                player chooses card from penalty_cards(player) "Which card?" automa lowest brawn\n'
                "                    else end critical_penalty\n"
            ),
            '                player chooses card from player.crew "Which card?" automa lowest brawn\n',
        ),
    ),
)

ALL = (*PYRATES, *PIRATES, *PIRATE_REPUBLIC)
