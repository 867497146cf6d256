"""*Pirates!* written out by hand: the printed game in plain Python.

It is a second opinion on what the state must be when both it and the ruleset are given the same
dice, picks and answers, and a measure of what a game costs in ordinary code. It was written from
the rulebook checklist and the default rulings, not from the ruleset.

All chance goes through one object (`Chance`), all choices through another (`Agent`). A question
with one option is never asked.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

T = TypeVar("T")

DATA = Path(__file__).resolve().parents[1] / "rulesets" / "pirates" / "data"
CANNON, PIRATE = "cannon", "pirate"
FIGURES = 30  # of each kind
CHESTS = 6  # of each size
SIZES: tuple[int, ...] = (1, 2, 3)
SLOTS = 6
MOST_OF_A_KIND = 5
HOLD = 6  # treasures on a boat
REPAIRS_AT_SEA = 2
HARBOUR = "harbour"

MOVE, ATTACK, REPAIR, NOTHING = "move", "attack", "repair", "nothing"

Repair = tuple[tuple[int, ...], tuple[int, ...]]
"""The slots that get a cannon, and those that get a pirate."""


# ---------------------------------------------------------------- data


@dataclass(frozen=True)
class Front:
    """The front of a lair hexagon: what stands on the slots 1 to 6 and on those without number."""

    id: str
    treasures: int
    slots: tuple[str | None, ...]
    unnumbered: int


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of one data file, each by column name."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_neighbours(kinds: Iterable[str], *, of_lairs: bool) -> dict[str, list[str]]:
    """Return the neighbours of each space, by water or of the lair spaces along the coast."""
    found: dict[str, list[str]] = {}
    for row in read_rows("adjacency.csv"):
        start, end = row["from_space"], row["to_space"]
        if row["kind"] in kinds and (end in LAIR_SPACES) == of_lairs:
            found.setdefault(start, []).append(end)
    return found


LAIR_SPACES = [row["id"] for row in read_rows("spaces.csv") if row["kind"] == "lair"]
ROUTES = read_neighbours(("sea", "passage"), of_lairs=False)
BOATS = [row["id"] for row in read_rows("boats.csv")]
COASTS = read_neighbours(("coast",), of_lairs=True)
FRONTS = [
    Front(
        row["id"],
        int(row["treasures"]),
        tuple(row[f"slot_{n}"] or None for n in range(1, SLOTS + 1)),
        int(row["unnumbered_cannons"]),
    )
    for row in read_rows("lairs.csv")
]
TARGETS = {int(row["players"]): int(row["target"]) for row in read_rows("treasure_targets.csv")}


# ---------------------------------------------------------------- things in play


@dataclass(eq=False, kw_only=True)
class Fighter:
    """What boats and lairs have in common: figures on slots, of which `slots[0]` is slot 1."""

    slots: list[str | None] = field(default_factory=lambda: [None] * SLOTS)
    chests: list[int] = field(default_factory=list)

    @property
    def cannons(self) -> int:
        """How many cannons can fire."""
        return self.slots.count(CANNON)

    @property
    def pirates(self) -> int:
        """How many pirates there are."""
        return self.slots.count(PIRATE)

    @property
    def able(self) -> bool:
        """Whether it can fight."""
        return self.cannons > 0 and self.pirates > 0

    @property
    def treasures(self) -> int:
        """What the chests are worth."""
        return sum(self.chests)


@dataclass(eq=False, kw_only=True)
class Boat(Fighter):
    """The boat of a player; `front` are the chests that were brought home."""

    seat: int
    colour: str = ""
    space: str = HARBOUR
    front: list[int] = field(default_factory=list)

    @property
    def id(self) -> int:
        """The seat."""
        return self.seat

    @property
    def speed(self) -> int:
        """How many spaces a move may cover; without pirates the boat drifts."""
        return max(self.pirates, 1)

    @property
    def usable_slots(self) -> range:
        """The slots on which figures may stand; chests take the last one."""
        return range(1, SLOTS if self.chests else SLOTS + 1)


@dataclass(eq=False, kw_only=True)
class Lair(Fighter):
    """A lair on the board."""

    front: Front
    space: str
    face_up: bool = False
    unnumbered: int = 0

    @property
    def id(self) -> str:
        """The id of the hexagon."""
        return self.front.id

    @property
    def cannons(self) -> int:
        """How many cannons can fire, with those that nothing can hit."""
        return self.slots.count(CANNON) + self.unnumbered


def mixes(pool: Counter[int], total: int) -> list[tuple[int, ...]]:
    """Return all ways to make a sum of treasures out of chests, as sizes in descending order."""
    ways = [
        (threes, twos, total - 3 * threes - 2 * twos)
        for threes in range(min(pool[3], total // 3) + 1)
        for twos in range(min(pool[2], (total - 3 * threes) // 2) + 1)
    ]
    return [
        (3,) * threes + (2,) * twos + (1,) * ones for threes, twos, ones in ways if ones <= pool[1]
    ]


def some_of(items: Sequence[T], most: int) -> Iterator[tuple[T, ...]]:
    """Give all ways to take at most so many of them, nothing first."""
    for count in range(min(most, len(items)) + 1):
        yield from itertools.combinations(items, count)


def few_and_large(chests: tuple[int, ...]) -> tuple[int, int, int]:
    """Sort key: the fewest chests first, then those with the most of the large ones."""
    return (len(chests), -chests.count(3), -chests.count(2))


# ---------------------------------------------------------------- chance and choices


class Chance(Protocol):
    """Where all dice and picks come from."""

    def die(self) -> int:
        """Return 1 to 6."""

    def pick(self, candidates: Sequence[T]) -> T:
        """Return one of several candidates."""


class Agent(Protocol):
    """Who answers for the players."""

    def choose(self, game: Game, boat: Boat, question: str, options: Sequence[T]) -> T:
        """Return one of at least two options."""


class RandomChance:
    """Dice and picks from the standard generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def die(self) -> int:
        """Return 1 to 6."""
        return self.rng.randint(1, 6)

    def pick(self, candidates: Sequence[T]) -> T:
        """Return one of the candidates."""
        return self.rng.choice(candidates)


class RandomAgent:
    """Any option, all equally likely."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, game: Game, boat: Boat, question: str, options: Sequence[T]) -> T:  # noqa: ARG002
        """Return one of the options."""
        return self.rng.choice(options)


class GameOverError(Exception):
    """The game stops in the middle of a turn."""


# ---------------------------------------------------------------- the game


class Game:
    """One game, set up when it is played.

    After `max_rounds` rounds, if it says so, the game is scored as if all lairs were empty.
    """

    def __init__(
        self,
        seed: int | None = None,
        players: int = 2,
        chance: Chance | None = None,
        agent: Agent | None = None,
        max_rounds: int | None = None,
    ) -> None:
        rng = random.Random(seed)
        self.chance = chance or RandomChance(rng)
        self.agent = agent or RandomAgent(rng)
        self.max_rounds = max_rounds
        self.decisions = 0
        self.round = 0
        self.winners: list[int] = []
        self.boats = [Boat(seat=seat) for seat in range(1, players + 1)]
        self.lairs: dict[str, Lair] = {}  # by space
        self.figures = Counter({CANNON: FIGURES, PIRATE: FIGURES})  # the reserve
        self.chests: Counter[int] = Counter(dict.fromkeys(SIZES, CHESTS))  # the reserve

    def choose(self, boat: Boat, question: str, options: Sequence[T]) -> T:
        """Ask a player, unless there is only one option."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        return self.agent.choose(self, boat, question, options)

    # ---- setup

    def setup(self) -> None:
        """Lay out the lairs and let the players choose and fill their boats."""
        fronts = list(FRONTS)
        for space in LAIR_SPACES:
            front = self.chance.pick(fronts) if len(fronts) > 1 else fronts[0]
            fronts.remove(front)
            self.lairs[space] = Lair(front=front, space=space)
        colours = list(BOATS)
        for boat in self.boats:
            boat.colour = self.choose(boat, "boat", colours)
            colours.remove(boat.colour)
        for boat in self.boats:
            self.lay_out(boat)

    def lay_out(self, boat: Boat) -> None:
        """Let a player put a figure on each slot of a boat."""
        fewest = SLOTS - MOST_OF_A_KIND
        cannons = self.choose(boat, "cannons", range(fewest, MOST_OF_A_KIND + 1))
        layouts = list(itertools.combinations(range(1, SLOTS + 1), cannons))
        cannon_slots = self.choose(boat, "cannon slots", layouts)
        for slot in range(1, SLOTS + 1):
            self.place(boat, slot, CANNON if slot in cannon_slots else PIRATE)

    def place(self, fighter: Fighter, slot: int, figure: str) -> None:
        """Put a figure from the reserve on a slot."""
        self.figures[figure] -= 1
        fighter.slots[slot - 1] = figure

    def remove(self, fighter: Fighter, slot: int) -> None:
        """Put the figure on a slot, if there is one, back into the reserve."""
        figure = fighter.slots[slot - 1]
        if figure is not None:
            self.figures[figure] += 1
            fighter.slots[slot - 1] = None

    # ---- turns

    def play(self) -> list[int]:
        """Play to the end and return the seats of the winners."""
        for _ in self.play_actions():
            pass
        return self.winners

    def play_actions(self) -> Iterator[str]:
        """Play to the end, stopping before each action and at the end with a name for it."""
        self.setup()
        try:
            while self.max_rounds is None or self.round < self.max_rounds:
                self.round += 1
                for boat in self.boats:
                    yield "first action"
                    self.first_action(boat)
                    yield "second action"
                    self.second_action(boat)
            self.finish_by_total()
        except GameOverError:
            pass
        yield "end"

    def first_action(self, boat: Boat) -> None:
        """Move, attack, or nothing."""
        actions = [MOVE, ATTACK, NOTHING] if self.targets(boat) else [MOVE, NOTHING]
        action = self.choose(boat, "first action", actions)
        if action == MOVE:
            self.move(boat)
        elif action == ATTACK:
            self.attack(boat)

    def second_action(self, boat: Boat) -> None:
        """Attack, repair, or nothing."""
        actions = [ATTACK, REPAIR, NOTHING] if self.targets(boat) else [REPAIR, NOTHING]
        action = self.choose(boat, "second action", actions)
        if action == ATTACK:
            self.attack(boat)
        elif action == REPAIR:
            self.repair(boat)

    # ---- move

    def destinations(self, boat: Boat) -> list[str]:
        """The spaces where a move may end, the present one if the boat can come back to it."""
        reached = {boat.space}
        edge = {boat.space}
        for _ in range(boat.speed):
            edge = {there for here in edge for there in ROUTES[here]} - reached
            reached |= edge
        if boat.speed == 1:
            reached.remove(boat.space)
        return sorted(reached)

    def move(self, boat: Boat) -> None:
        """Sail to a space; who comes to the harbour may unload."""
        boat.space = self.choose(boat, "destination", self.destinations(boat))
        if boat.space == HARBOUR and boat.chests and self.choose(boat, "unload", [True, False]):
            boat.front += boat.chests
            boat.chests = []
            if sum(boat.front) >= TARGETS[len(self.boats)]:
                self.finish([boat])

    # ---- attack

    def targets(self, boat: Boat) -> list[Boat | Lair]:
        """The other boats on the space of a boat and the lairs beside it."""
        if boat.space == HARBOUR or not boat.able:
            return []
        boats = [b for b in self.boats if b is not boat and b.space == boat.space]
        lairs = [self.lairs[space] for space in COASTS.get(boat.space, ()) if space in self.lairs]
        return [*boats, *lairs]

    def attack(self, boat: Boat) -> None:
        """Shoot, take return fire, and let whoever alone is still able have the chests."""
        target = self.choose(boat, "target", self.targets(boat))
        if isinstance(target, Lair) and not target.face_up:
            self.turn_over(target)
        self.shoot(boat, target)
        if target.able:
            self.shoot(target, boat)
        if boat.able and not target.able:
            self.loot(boat, target)
        elif target.able and not boat.able:
            self.loot(target, boat)

    def turn_over(self, lair: Lair) -> None:
        """Set a lair up as its front shows, as far as the reserve goes."""
        lair.face_up = True
        for slot, figure in enumerate(lair.front.slots, start=1):
            if figure is not None and self.figures[figure]:
                self.place(lair, slot, figure)
        lair.unnumbered = min(lair.front.unnumbered, self.figures[CANNON])
        self.figures[CANNON] -= lair.unnumbered
        ways = mixes(self.chests, lair.front.treasures)
        if not ways:
            self.get_change(lair.front.treasures)
            ways = mixes(self.chests, lair.front.treasures)
        if ways:
            chests = min(ways, key=few_and_large)
            lair.chests = list(chests)
            self.chests.subtract(chests)

    def get_change(self, total: int) -> None:
        """Exchange chests of somebody with the reserve, so that it can pay a sum."""
        for holding in self.holdings():
            pool = self.chests + Counter(holding)
            for new in sorted(mixes(pool, sum(holding)), key=few_and_large):
                if mixes(pool - Counter(new), total):
                    holding[:] = new
                    self.chests = Counter(pool - Counter(new))
                    return

    def holdings(self) -> list[list[int]]:
        """All chests that are not in the reserve, by who has them."""
        return [
            *(boat.front for boat in self.boats),
            *(boat.chests for boat in self.boats),
            *(lair.chests for lair in self.lairs.values()),
        ]

    def shoot(self, shooter: Fighter, target: Fighter) -> None:
        """Roll a die for each cannon and remove what stands on the slots that are hit."""
        for slot in [self.chance.die() for _ in range(shooter.cannons)]:
            self.remove(target, slot)

    # ---- loot

    def loot(self, winner: Boat | Lair, loser: Boat | Lair) -> None:
        """Give the chests of the loser to the winner, as far as they fit."""
        if isinstance(winner, Lair):
            winner.chests += loser.chests
            loser.chests = []
            return
        if not loser.chests:
            return
        had_chests = bool(winner.chests)
        self.share_chests(winner, loser)
        if not had_chests:
            self.clear_slot_six(winner)
        if isinstance(loser, Lair) and not loser.chests:
            self.remove_lair(loser)

    def share_chests(self, winner: Boat, loser: Boat | Lair) -> None:
        """Fill the hold of the winner, making change with the loser and the reserve."""
        own, table = Counter(winner.chests), Counter(winner.chests + loser.chests)
        pool = self.chests + table
        total = winner.treasures + loser.treasures

        def effort(share: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[Any, ...]:
            aboard, left = share
            given = (own - Counter(aboard)).total()
            drawn = (Counter(aboard + left) - table).total()
            return (given + drawn, few_and_large(aboard), few_and_large(left))

        for treasures in range(min(HOLD, total), -1, -1):
            shares = [
                (aboard, left)
                for aboard in mixes(pool, treasures)
                for left in mixes(pool - Counter(aboard), total - treasures)
            ]
            if shares:
                aboard, left = min(shares, key=effort)
                winner.chests, loser.chests = list(aboard), list(left)
                self.chests = pool - Counter(aboard + left)
                return

    def clear_slot_six(self, boat: Boat) -> None:
        """Make room for chests: the figure on slot 6 moves, or takes the place of another one."""
        if boat.slots[SLOTS - 1] is None:
            return
        free = [slot for slot in range(1, SLOTS) if boat.slots[slot - 1] is None]
        if free:
            slot = self.choose(boat, "move to", free)
        else:
            slot = self.choose(boat, "discard", range(1, SLOTS + 1))
            self.remove(boat, slot)
        if slot != SLOTS:
            boat.slots[slot - 1], boat.slots[SLOTS - 1] = boat.slots[SLOTS - 1], None

    def remove_lair(self, lair: Lair) -> None:
        """Put an empty lair back into the box."""
        for slot in range(1, SLOTS + 1):
            self.remove(lair, slot)
        self.figures[CANNON] += lair.unnumbered
        del self.lairs[lair.space]
        self.look_at_lairs()

    def look_at_lairs(self) -> None:
        """End the game when no lair is left."""
        if not self.lairs:
            self.finish_by_total()

    # ---- repair

    def repair(self, boat: Boat) -> None:
        """Let a player complete or change slots: first those for cannons, then those for pirates."""
        ways = self.repairs(boat)
        number = self.choose(boat, "new cannons", sorted({len(way[0]) for way in ways}))
        cannon_slots = self.choose(
            boat, "slots for cannons", sorted({way[0] for way in ways if len(way[0]) == number})
        )
        ways = [way for way in ways if way[0] == cannon_slots]
        number = self.choose(boat, "new pirates", sorted({len(way[1]) for way in ways}))
        pirate_slots = self.choose(
            boat, "slots for pirates", [way[1] for way in ways if len(way[1]) == number]
        )
        for slot in (*cannon_slots, *pirate_slots):
            self.remove(boat, slot)
        for slot in cannon_slots:
            self.place(boat, slot, CANNON)
        for slot in pirate_slots:
            self.place(boat, slot, PIRATE)

    def repairs(self, boat: Boat) -> list[Repair]:
        """All legal ways to complete or change slots, to do nothing being one of them."""
        most = SLOTS if boat.space == HARBOUR else REPAIRS_AT_SEA
        for_cannons = [n for n in boat.usable_slots if boat.slots[n - 1] != CANNON]
        for_pirates = [n for n in boat.usable_slots if boat.slots[n - 1] != PIRATE]
        return [
            (cannon_slots, pirate_slots)
            for cannon_slots in some_of(for_cannons, most)
            for pirate_slots in some_of(
                [n for n in for_pirates if n not in cannon_slots], most - len(cannon_slots)
            )
            if self.is_balanced(boat, cannon_slots, pirate_slots)
        ]

    def is_balanced(
        self, boat: Boat, cannon_slots: Sequence[int], pirate_slots: Sequence[int]
    ) -> bool:
        """Whether a repair keeps to the limits of the boat and to what the reserve has."""
        removed = [boat.slots[n - 1] for n in (*cannon_slots, *pirate_slots)]
        for figure, slots in ((CANNON, cannon_slots), (PIRATE, pirate_slots)):
            more = len(slots) - removed.count(figure)
            if more > self.figures[figure] or boat.slots.count(figure) + more > MOST_OF_A_KIND:
                return False
        return True

    # ---- the end

    def finish_by_total(self) -> None:
        """End the game: who has the most treasures in front and aboard wins, ties are shared."""
        totals = [sum(boat.front) + boat.treasures for boat in self.boats]
        best = max(totals)
        self.finish([b for b, total in zip(self.boats, totals, strict=True) if total == best])

    def finish(self, winners: list[Boat]) -> None:
        """End the game at this very moment."""
        self.winners = [boat.seat for boat in winners]
        raise GameOverError

    # ---- the state as data, and copies of it

    def state(self) -> dict[str, Any]:
        """Return the whole state by ids, without anything that is shared with the game."""
        return {
            "round": self.round,
            "winners": sorted(self.winners),
            "boats": {
                boat.seat: {
                    "colour": boat.colour,
                    "space": boat.space,
                    "slots": boat.slots[:],
                    "chests": sorted(boat.chests),
                    "front": sorted(boat.front),
                }
                for boat in self.boats
            },
            "lairs": {
                lair.space: {
                    "id": lair.id,
                    "face_up": lair.face_up,
                    "slots": lair.slots[:],
                    "unnumbered": lair.unnumbered,
                    "chests": sorted(lair.chests),
                }
                for lair in self.lairs.values()
            },
            "figures": {figure: self.figures[figure] for figure in (CANNON, PIRATE)},
            "chests": {size: self.chests[size] for size in SIZES},
        }

    def clone(self) -> Game:
        """Return a copy, made between two actions; fronts, chance and agent are shared."""
        copy = Game.__new__(Game)
        copy.chance = self.chance
        copy.agent = self.agent
        copy.max_rounds = self.max_rounds
        copy.decisions = self.decisions
        copy.round = self.round
        copy.winners = self.winners[:]
        copy.boats = [
            Boat(
                slots=b.slots[:],
                chests=b.chests[:],
                seat=b.seat,
                colour=b.colour,
                space=b.space,
                front=b.front[:],
            )
            for b in self.boats
        ]
        copy.lairs = {
            space: Lair(
                slots=x.slots[:],
                chests=x.chests[:],
                front=x.front,
                space=space,
                face_up=x.face_up,
                unnumbered=x.unnumbered,
            )
            for space, x in self.lairs.items()
        }
        copy.figures = self.figures.copy()
        copy.chests = self.chests.copy()
        return copy


def run(n: int, seed0: int = 0, players: int = 2, max_rounds: int = 300) -> tuple[int, int]:
    """Play n games and return how many decisions and how many rounds they took."""
    decisions = rounds = 0
    for i in range(n):
        game = Game(seed0 + i, players, max_rounds=max_rounds)
        game.play()
        decisions += game.decisions
        rounds += game.round
    return decisions, rounds
