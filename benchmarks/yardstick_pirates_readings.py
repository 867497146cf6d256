"""Other readings of the rulebook for the hand-written *Pirates!*: what `rulings.csv` lists.

Written from the rulings, not from the ruleset, to be compared with it; speed does not matter here.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks import yardstick_pirates as yard
from benchmarks.yardstick_pirates import (
    ATTACK,
    CANNON,
    COASTS,
    HARBOUR,
    HOLD,
    NOTHING,
    PIRATE,
    REPAIR,
    ROUTES,
    SLOTS,
    Boat,
    Lair,
    few_and_large,
    mixes,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.yardstick_pirates import Agent, Chance, Fighter, Repair

UNLOAD = "unload"
FAR = 99

READINGS: dict[str, tuple[str, ...]] = {
    "move_zero": ("counts_as_move",),
    "current_direction": ("random_neighbour",),
    "looted_lair_space": ("open_sea",),
    "unload_timing": ("on_entry",),
    "unload_amount": ("any_subset",),
    "unload_cost": ("second_action",),
    "lair_figures_short": ("unlimited",),
    "lair_chest_mix": ("attacker_chooses",),
    "lair_chests_short": ("as_much_as_possible",),
    "double_hit": ("next_occupied_slot", "reroll"),
    "dice_shortage": ("cap_at_five",),
    "return_fire_duty": ("optional_for_boats",),
    "roll_at_unable": ("skip_roll",),
    "pointless_attack": ("needs_chests_or_able_target",),
    "both_unable": ("simultaneous_boats",),
    "seize_duty": ("may_take_less", "all_or_nothing"),
    "change_mode": ("whole_chests_only", "change_optional"),
    "change_pool": ("loser_reserve",),
    "change_pieces": ("winner_chooses",),
    "discard_choice": ("slot_six_only",),
    "displace_duty": ("may_discard",),
    "empty_haul": ("slot_cleared",),
    "loot_decider": ("active_player",),
    "repair_count": ("exactly",),
    "repair_reserve_flow": ("new_taken_first",),
    "repair_reserve_limit": ("unlimited",),
    "lairs_end_count": ("pieces_only",),
    "final_tie": ("more_in_front", "more_figures", "later_seat"),
    "target_compare": ("exactly",),
    "end_immediate": ("finish_turn", "finish_round"),
    "both_endings": ("lairs_first",),
}
"""The readings that are here."""


def parts_of(chests: Sequence[int]) -> list[tuple[int, ...]]:
    """All different ways to take some of the chests, as sizes in ascending order."""
    found = {
        part
        for count in range(len(chests) + 1)
        for part in itertools.combinations(sorted(chests), count)
    }
    return sorted(found)


def take(chests: list[int], wanted: Sequence[int]) -> None:
    """Take chests of these sizes away."""
    for size in wanted:
        chests.remove(size)


class Game(yard.Game):
    """A game with other readings than the default ones."""

    def __init__(
        self,
        options: Mapping[str, object],
        players: int,
        chance: Chance,
        agent: Agent,
        max_rounds: int,
    ) -> None:
        super().__init__(players=players, chance=chance, agent=agent, max_rounds=max_rounds)
        self.options = options
        self.active = self.boats[0]
        self.arrived = False
        self.stopping = False

    def reads(self, option: str, reading: str) -> bool:
        """Whether an option has this reading."""
        return self.options.get(option) == reading

    def decider(self, boat: Boat) -> Boat:
        """Ruling 36: who decides about the slots of a winner."""
        return self.active if self.reads("loot_decider", "active_player") else boat

    # ---- turns

    def play_actions(self) -> Iterator[str]:
        """Ruling 45: play a turn or a round to its end when an ending is met."""
        self.setup()
        try:
            while self.max_rounds is None or self.round < self.max_rounds:
                self.round += 1
                for boat in self.boats:
                    self.active, self.arrived = boat, False
                    yield "first action"
                    self.first_action(boat)
                    yield "second action"
                    self.second_action(boat)
                    if self.stopping and self.reads("end_immediate", "finish_turn"):
                        self.conclude()
                if self.stopping:
                    self.conclude()
            self.finish_by_total()
        except yard.GameOverError:
            pass
        yield "end"

    def second_action(self, boat: Boat) -> None:
        """Ruling 09: unloading as an action."""
        if not self.reads("unload_cost", "second_action"):
            super().second_action(boat)
            return
        actions = [ATTACK] if self.targets(boat) else []
        if self.arrived and boat.chests and boat.space == HARBOUR:
            actions.append(UNLOAD)
        action = self.choose(boat, "second action", [*actions, REPAIR, NOTHING])
        if action == ATTACK:
            self.attack(boat)
        elif action == UNLOAD:
            self.unload(boat)
        elif action == REPAIR:
            self.repair(boat)

    # ---- move

    def neighbours(self, space: str) -> list[str]:
        """Ruling 38: the spaces of lairs that are gone may be open water."""
        near = ROUTES.get(space, [])
        if not self.reads("looted_lair_space", "open_sea"):
            return near
        gone = [s for s in COASTS.get(space, ()) if s not in self.lairs]
        shore = [sea for sea, coast in COASTS.items() if space in coast]
        return [*near, *gone, *shore]

    def distances(self, start: str) -> dict[str, int]:
        """How far every space is by water."""
        found = {start: 0}
        queue = [start]
        for here in queue:
            for there in self.neighbours(here):
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def destinations(self, boat: Boat) -> list[str]:
        """Ruling 04: staying may be a move."""
        found = [s for s, n in self.distances(boat.space).items() if n <= boat.speed]
        if boat.speed == 1 and not self.reads("move_zero", "counts_as_move"):
            found.remove(boat.space)
        return found

    def move(self, boat: Boat) -> None:
        """Rulings 05, 07 and 09."""
        start, spaces = boat.space, self.destinations(boat)
        if not boat.pirates and self.reads("current_direction", "random_neighbour"):
            boat.space = self.chance.pick(spaces) if len(spaces) > 1 else spaces[0]
        else:
            boat.space = self.choose(boat, "destination", spaces)
        if boat.space == HARBOUR:
            self.arrived = True
            if boat.chests and not self.reads("unload_cost", "second_action"):
                self.offer_unloading(boat, "unload")
        elif boat.chests and self.reads("unload_timing", "on_entry"):
            there = 2 if start == HARBOUR else self.distances(start).get(HARBOUR, FAR)
            back = self.distances(HARBOUR).get(boat.space, FAR)
            if there + back <= boat.speed:
                self.offer_unloading(boat, "unload in passing")

    def offer_unloading(self, boat: Boat, question: str) -> None:
        """Let a player unload."""
        if self.choose(boat, question, [True, False]):
            self.unload(boat)

    def unload(self, boat: Boat) -> None:
        """Ruling 08: all chests, or some."""
        chests: Sequence[int] = tuple(boat.chests)
        if self.reads("unload_amount", "any_subset"):
            chests = self.choose(boat, "chests to unload", parts_of(boat.chests))
        take(boat.chests, chests)
        boat.front += chests
        if self.at_target(boat):
            self.meet_ending()

    # ---- attack

    def targets(self, boat: Boat) -> list[Boat | Lair]:
        """Ruling 18: boats that can neither fight nor be robbed may be none."""
        found = super().targets(boat)
        if self.reads("pointless_attack", "needs_chests_or_able_target"):
            found = [x for x in found if isinstance(x, Lair) or x.able or x.chests]
        return found

    def attack(self, boat: Boat) -> None:
        """Rulings 15, 16 and 19."""
        target = self.choose(boat, "target", self.targets(boat))
        if isinstance(target, Lair) and not target.face_up:
            self.turn_over(target)
        able, is_boat = target.able, isinstance(target, Boat)
        if is_boat and able and self.reads("both_unable", "simultaneous_boats"):
            shots, answers = self.roll(boat), self.roll(target)
            self.hit(target, shots)
            self.hit(boat, answers)
        else:
            if able or not self.reads("roll_at_unable", "skip_roll"):
                self.hit(target, self.roll(boat))
            if target.able and self.fires_back(target):
                self.hit(boat, self.roll(target))
        if boat.able and not target.able:
            self.loot(boat, target)
        elif target.able and not boat.able:
            self.loot(target, boat)

    def fires_back(self, target: Boat | Lair) -> bool:
        """Ruling 15: whether return fire is wanted."""
        if isinstance(target, Lair) or not self.reads("return_fire_duty", "optional_for_boats"):
            return True
        return self.choose(target, "fire back", [True, False])

    def roll(self, shooter: Fighter) -> list[int]:
        """Ruling 14: a die for each cannon."""
        cannons = shooter.cannons
        if self.reads("dice_shortage", "cap_at_five"):
            cannons = min(cannons, 5)
        return [self.chance.die() for _ in range(cannons)]

    def hit(self, target: Fighter, dice: list[int]) -> None:
        """Ruling 13: a slot that is hit again."""
        struck: set[int] = set()
        for die in dice:
            slot = die
            if die in struck and self.reads("double_hit", "next_occupied_slot"):
                upwards = [(die + step - 1) % SLOTS + 1 for step in range(1, SLOTS + 1)]
                slot = next((n for n in upwards if target.slots[n - 1] is not None), die)
            elif die in struck and self.reads("double_hit", "reroll") and len(struck) < SLOTS:
                while slot in struck:
                    slot = self.chance.die()
            self.remove(target, slot)
            struck |= {die, slot} if self.reads("double_hit", "reroll") else {die}

    def turn_over(self, lair: Lair) -> None:
        """Rulings 10, 11 and 12."""
        lair.face_up = True
        endless = self.reads("lair_figures_short", "unlimited")
        for slot, figure in enumerate(lair.front.slots, start=1):
            if figure is not None and (endless or self.figures[figure] > 0):
                self.place(lair, slot, figure)
        left = max(self.figures[CANNON], 0)
        lair.unnumbered = lair.front.unnumbered if endless else min(lair.front.unnumbered, left)
        self.figures[CANNON] -= lair.unnumbered
        total = lair.front.treasures
        if not mixes(self.chests, total) and not self.reads(
            "lair_chests_short", "as_much_as_possible"
        ):
            self.get_change(total)
        while not mixes(self.chests, total):
            total -= 1
        ways = mixes(self.chests, total)
        if self.reads("lair_chest_mix", "attacker_chooses"):
            chests = self.choose(self.active, "chests of the lair", ways)
        else:
            chests = min(ways, key=few_and_large)
        lair.chests = list(chests)
        self.chests.subtract(chests)

    # ---- loot

    def loot(self, winner: Boat | Lair, loser: Boat | Lair) -> None:
        """Rulings 20 and 27."""
        if isinstance(winner, Lair):
            super().loot(winner, loser)
            return
        if loser.chests:
            self.seize(winner, loser)
        elif not winner.chests and self.reads("empty_haul", "slot_cleared"):
            self.clear_slot_six(winner)
        if isinstance(loser, Lair) and not loser.chests:
            self.remove_lair(loser)

    def seize(self, winner: Boat, loser: Boat | Lair) -> None:
        """Ruling 20: all that fits, some of it, or nothing."""
        how = "all"
        if self.reads("seize_duty", "all_or_nothing"):
            how = "all" if self.choose(self.decider(winner), "take", [True, False]) else "nothing"
        elif self.reads("seize_duty", "may_take_less"):
            how = self.choose(self.decider(winner), "what to take", ["all", "some", "nothing"])
        if how == "some":
            room = HOLD - winner.treasures
            ways = [part for part in parts_of(loser.chests) if sum(part) <= room]
            self.carry(winner, loser, self.choose(self.decider(winner), "chests to take", ways))
        elif how == "all":
            self.take_most(winner, loser)

    def carry(self, winner: Boat, loser: Boat | Lair, chests: Sequence[int]) -> None:
        """Take these chests of the loser, without change."""
        if chests and not winner.chests:
            self.clear_slot_six(winner)
        take(loser.chests, chests)
        winner.chests += chests

    def take_most(self, winner: Boat, loser: Boat | Lair) -> None:
        """Rulings 21, 22 and 24."""
        room = HOLD - winner.treasures
        if loser.treasures <= room:
            self.carry(winner, loser, tuple(loser.chests))
            return
        if room == 0:
            return
        change = not self.reads("change_mode", "whole_chests_only")
        if self.reads("change_mode", "change_optional"):
            change = self.choose(self.decider(winner), "make change", [True, False])
        if not change:
            best = max(
                (part for part in parts_of(loser.chests) if sum(part) <= room),
                key=lambda part: (sum(part), *(-n for n in few_and_large(part))),
            )
            self.carry(winner, loser, best)
            return
        had_chests = bool(winner.chests)
        if self.reads("change_pool", "loser_reserve"):
            self.share_beside_cargo(winner, loser)
        elif self.reads("change_pieces", "winner_chooses"):
            self.share_as_wanted(winner, loser)
        else:
            self.share_chests(winner, loser)
        if not had_chests:
            self.clear_slot_six(winner)

    def shares(
        self, pool: Counter[int], most: int, total: int
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """All ways to share a total out of a pool, with as much as possible for the winner."""
        for treasures in range(min(most, total), -1, -1):
            found = [
                (aboard, left)
                for aboard in mixes(pool, treasures)
                for left in mixes(pool - Counter(aboard), total - treasures)
            ]
            if found:
                return found
        return []

    def share_beside_cargo(self, winner: Boat, loser: Boat | Lair) -> None:
        """Ruling 22: the cargo aboard stays as it is."""
        table = Counter(loser.chests)
        pool = self.chests + table
        own = tuple(winner.chests)
        ways = self.shares(pool, HOLD - winner.treasures, loser.treasures)

        def effort(share: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[object, ...]:
            aboard, left = share
            drawn = (Counter(aboard + left) - table).total()
            return (drawn, few_and_large(own + aboard), few_and_large(left))

        aboard, left = min(ways, key=effort)
        winner.chests += aboard
        loser.chests = list(left)
        self.chests = pool - Counter(aboard + left)

    def share_as_wanted(self, winner: Boat, loser: Boat | Lair) -> None:
        """Ruling 24: the winner chooses among the exchanges that fill the hold."""
        pool = self.chests + Counter(winner.chests + loser.chests)
        ways = self.shares(pool, HOLD, winner.treasures + loser.treasures)
        decider = self.decider(winner)
        aboard = self.choose(decider, "chests aboard", list(dict.fromkeys(way[0] for way in ways)))
        left = self.choose(decider, "chests left", [way[1] for way in ways if way[0] == aboard])
        winner.chests, loser.chests = list(aboard), list(left)
        self.chests = pool - Counter(aboard + left)

    def clear_slot_six(self, boat: Boat) -> None:
        """Rulings 25, 26 and 36."""
        if boat.slots[SLOTS - 1] is None:
            return
        free = [slot for slot in range(1, SLOTS) if boat.slots[slot - 1] is None]
        decider = self.decider(boat)
        if not free:
            slot = SLOTS
            if not self.reads("discard_choice", "slot_six_only"):
                slot = self.choose(decider, "discard", range(1, SLOTS + 1))
            self.remove(boat, slot)
            free = [slot]
        elif self.reads("displace_duty", "may_discard") and self.choose(
            decider, "give back", [True, False]
        ):
            self.remove(boat, SLOTS)
            return
        slot = self.choose(decider, "move to", free)
        if slot != SLOTS:
            boat.slots[slot - 1], boat.slots[SLOTS - 1] = boat.slots[SLOTS - 1], None

    def look_at_lairs(self) -> None:
        """Ruling 39: whether lairs that lie face down keep the game going."""
        if self.lairs_are_bare():
            self.meet_ending()

    # ---- repair

    def repairs(self, boat: Boat) -> list[Repair]:
        """Ruling 31: as many slots at sea as possible, up to two."""
        ways = super().repairs(boat)
        if boat.space != HARBOUR and self.reads("repair_count", "exactly"):
            most = max(len(cannons) + len(pirates) for cannons, pirates in ways)
            ways = [way for way in ways if len(way[0]) + len(way[1]) == most]
        return ways

    def is_balanced(
        self, boat: Boat, cannon_slots: Sequence[int], pirate_slots: Sequence[int]
    ) -> bool:
        """Rulings 33 and 34."""
        removed = [boat.slots[n - 1] for n in (*cannon_slots, *pirate_slots)]
        for figure, slots in ((CANNON, cannon_slots), (PIRATE, pirate_slots)):
            more = len(slots) - removed.count(figure)
            if boat.slots.count(figure) + more > yard.MOST_OF_A_KIND:
                return False
            needed = len(slots) if self.reads("repair_reserve_flow", "new_taken_first") else more
            if not self.reads("repair_reserve_limit", "unlimited") and needed > max(
                self.figures[figure], 0
            ):
                return False
        return True

    # ---- the end

    def at_target(self, boat: Boat) -> bool:
        """Ruling 44: at least the target, or exactly."""
        target, front = yard.TARGETS[len(self.boats)], sum(boat.front)
        return front == target if self.reads("target_compare", "exactly") else front >= target

    def lairs_are_bare(self) -> bool:
        """Ruling 39."""
        if self.reads("lairs_end_count", "pieces_only"):
            return not any(lair.face_up for lair in self.lairs.values())
        return not self.lairs

    def meet_ending(self) -> None:
        """Ruling 45: stop now, or when the turn or the round is over."""
        if self.options.get("end_immediate", "at_once") == "at_once":
            self.conclude()
        self.stopping = True

    def conclude(self) -> None:
        """Ruling 47: by the target, or by the total."""
        reached = [boat for boat in self.boats if self.at_target(boat)]
        if self.reads("both_endings", "lairs_first") and self.lairs_are_bare():
            reached = []
        if reached:
            best = max(sum(boat.front) for boat in reached)
            self.finish([boat for boat in reached if sum(boat.front) == best])
        self.finish_by_total()

    def finish_by_total(self) -> None:
        """Ruling 40: ties."""
        totals = [sum(boat.front) + boat.treasures for boat in self.boats]
        tied = [b for b, total in zip(self.boats, totals, strict=True) if total == max(totals)]
        if self.reads("final_tie", "more_in_front"):
            best = max(sum(boat.front) for boat in tied)
            tied = [boat for boat in tied if sum(boat.front) == best]
        elif self.reads("final_tie", "more_figures"):
            best = max(boat.cannons + boat.pirates for boat in tied)
            tied = [boat for boat in tied if boat.cannons + boat.pirates == best]
        elif self.reads("final_tie", "later_seat"):
            tied = tied[-1:]
        self.finish(tied)
