"""Scenarios of Pirates! that no single script can say: what holds in every game, and what a person can see.

PIR-SC-69 and PIR-SC-84 (random games), PIR-SC-85 (house rules that are not used), the games that are refused of
PIR-SC-73, the hidden fronts of PIR-SC-24, and who knows what chests are worth with sealed holds (PIR-VAR-7).
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, cast

import pytest

from interpreter import events
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.random import RandomProvider
from interpreter.reference import Reference
from interpreter.sight.observation import HIDDEN, Observation
from interpreter.ui.engine import start
from rulelang.api import load_ruleset, variant_sets
from tests.scenarios.test_statistical import doing, field, step, things

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.events import Event
    from interpreter.layout import Layout, Slots
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.ui.engine import Game
    from rulelang import ir

pytestmark = pytest.mark.slow
FIGURES = 30
LIMIT = 6
OF_A_KIND = 5
ROUNDS = 40
CANNON, PIRATE = 0, 1
HARBOUR = 0
MOVING_CHESTS = {"stock", "load", "hand_over"}


@functools.cache
def the_game(people: int, *variants: str) -> ir.Program:
    """Give the Program for so many people."""
    return load_ruleset("pirates", people=people, variants=variants)


def with_a_last_round(program: ir.Program, rounds: int = ROUNDS) -> tuple[object, ...]:
    """Give the options with an end after so many rounds."""
    given: dict[str, object] = {"stalemate": 1, "round_limit": rounds}
    return tuple(given.get(option.name, option.default) for option in program.options)


class Inspector:
    """A random provider that looks at the table before it answers; `None` as chance of the game it looks at."""

    def __init__(self, seed: int, inspect: Callable[[], None]) -> None:
        self._random = RandomProvider(seed)
        self._inspect = inspect

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Look, then answer."""
        self._inspect()
        return self._random.decide(observation, decision)


class Table:
    """What lies where, in a state of the base game."""

    def __init__(self, program: ir.Program, layout: Layout, slots: Slots) -> None:
        self._program = program
        self._layout = layout
        self._slots = slots
        self.players = things(program, "Player")
        self.lairs = things(program, "Lair")
        self.chests = things(program, "Chest")

    def read(self, kind: str, name: str, thing: int, key: int = 0) -> object:
        """Read a field."""
        return self._layout.read(self._slots, field(self._program, kind, name), thing, key)

    def figures(self, kind: str, thing: int, figure: int) -> int:
        """Count the figures of a kind on the slots of a boat or lair."""
        return sum(self.read(kind, "slot", thing, key) == figure for key in range(1, 7))

    def size(self, chest: int) -> int:
        """Give the worth of a chest."""
        return cast("int", self.read("Chest", "size", chest))

    def hold(self, thing: int, *, safe: bool = False) -> list[int]:
        """Give the sizes of the chests aboard a boat, on a lair, or in front of a player."""
        return [
            self.size(chest)
            for chest in self.chests
            if self.read("Chest", "place", chest) == thing
            and self.read("Chest", "safe", chest) is safe
        ]

    def check(self, fronts: dict[int, int]) -> None:
        """See that what must hold holds; remembers what lies in front of each."""
        cannons = sum(self.figures("Player", each, CANNON) for each in self.players)
        cannons += sum(self.figures("Lair", each, CANNON) for each in self.lairs)
        cannons += sum(cast("int", self.read("Lair", "loose", each)) for each in self.lairs)
        pirates = sum(self.figures("Player", each, PIRATE) for each in self.players)
        pirates += sum(self.figures("Lair", each, PIRATE) for each in self.lairs)
        assert cannons <= FIGURES
        assert pirates <= FIGURES
        assert sorted(self.size(chest) for chest in self.chests) == [1] * 6 + [2] * 6 + [3] * 6
        spaces = things(self._program, "Space")
        for player in self.players:
            assert self.figures("Player", player, CANNON) <= OF_A_KIND
            assert self.figures("Player", player, PIRATE) <= OF_A_KIND
            hold = self.hold(player)
            assert sum(hold) <= LIMIT
            assert not hold or self.read("Player", "slot", player, 6) is None
            kind = self.read("Space", "kind", cast("int", self.read("Player", "space", player)))
            assert kind in {HARBOUR, HARBOUR + 1}  # never on the space of a lair
            front = sum(self.hold(player, safe=True))
            assert front >= fronts.get(player, 0)
            fronts[player] = front
        up = [each for each in self.lairs if self.read("Lair", "face_up", each)]
        for lair in up:
            if self.read("Lair", "place", lair) in spaces:
                assert self.hold(lair)
        taken = [chest for chest in self.chests if self.read("Chest", "place", chest) is not None]
        coins = sum(cast("int", self.read("Lair", "coin", each)) for each in up)
        assert sum(self.size(chest) for chest in taken) == coins


@pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
def test_what_holds_in_every_game(people: int) -> None:
    """PIR-SC-69: whenever somebody is asked for an action, the figures and chests of the box are all there."""
    program = the_game(people)
    for seed in range(6):
        fronts: dict[int, int] = {}
        games: list[Game] = []

        def inspect(games: list[Game] = games, fronts: dict[int, int] = fronts) -> None:
            Table(program, games[0].layout, games[0].slots).check(fronts)

        providers: dict[int, DecisionProvider] = {
            seat: RandomProvider(seed * 10 + seat) for seat in range(1, people)
        }
        providers[0] = Inspector(seed, inspect)
        games.append(
            start(program, with_a_last_round(program), seed, range(people), providers, log=False)
        )
        games[0].play()
        inspect()
        assert games[0].winners


def begun(program: ir.Program, log: list[Event]) -> list[tuple[str, list[str], Event]]:
    """Give each event with what begins in it, if anything, and the doings that are open around it."""
    found: list[tuple[str, list[str], Event]] = []
    opened: list[str] = []
    for event in log:
        if event[0] == events.BEGIN:
            name = program.doings[cast("int", event[1])].name
            found.append((name, list(opened), event))
            opened.append(name)
        else:
            found.append(("", list(opened), event))
            if event[0] == events.END and opened:
                opened.pop()
    return found


@pytest.mark.parametrize("people", [2, 4])
def test_how_games_end(people: int) -> None:
    """PIR-SC-84: by unloading or by the last lair; chests change hands only as loot; layouts are chosen once."""
    program = the_game(people)
    chests = things(program, "Chest")
    endings: set[str] = set()
    for seed in range(12):
        providers: dict[int, DecisionProvider] = {
            seat: AutomaProvider() if seat else RandomProvider(seed) for seat in range(people)
        }
        options = tuple(option.default for option in program.options)
        game = start(program, options, seed, range(people), providers, log=True)
        game.play()
        told = begun(program, game.events)
        turns = [number for number, (name, _, _) in enumerate(told) if name == "turn"]
        for number, (name, around, event) in enumerate(told):
            if name in {"choose_layout", "choose_boat"}:
                assert number < turns[0]
            if event[0] == events.MOVE and event[1] in chests:
                assert MOVING_CHESTS & set(around)
            if name == "conclude":
                assert ("unload" in around) != ("strip" in around)
            if name in {"score_by_target", "score_by_total"}:
                assert ("strip" if name == "score_by_total" else "unload") in around
                endings.add(name)
    assert endings


def test_how_many_may_play() -> None:
    """PIR-SC-73: two to six; PIR-VAR-8: four or six, so that each has a partner."""
    assert the_game(2).players == (2, 6)
    assert the_game(4, "two_flags").players == (4, 4)
    assert the_game(6, "two_flags", "three_teams").players == (6, 6)


def test_nobody_sees_the_front_of_a_lair() -> None:
    """PIR-SC-24: which lair lies on a space nobody is told before it is turned over."""
    program = the_game(2)
    game = Reference(program, seed=1)
    game.perform(step(program, "setup", "lairs"))
    lairs = things(program, "Lair")
    place = field(program, "Lair", "place")
    for seat in (0, 1):
        seen = Observation(game.layout, game.slots, seat)
        assert all(seen.read(place, lair) == HIDDEN for lair in lairs)
    game.perform(doing(program, "turn_over", "effect"), (0, lairs[3]))
    for seat in (0, 1):
        seen = Observation(game.layout, game.slots, seat)
        assert [seen.read(place, lair) != HIDDEN for lair in lairs].count(True) == 1
        assert seen.read(place, lairs[3]) == game.layout.read(game.slots, place, lairs[3])


def test_only_the_owner_knows_sealed_chests() -> None:
    """PIR-VAR-7: others see how many chests a boat has, not which."""
    program = the_game(2, "sealed_holds")
    game = Reference(program, seed=1)
    game.perform(step(program, "setup", "lairs"))
    lair = things(program, "Lair")[9]
    chests = things(program, "Chest")
    place = field(program, "Chest", "place")
    game.perform(doing(program, "turn_over", "effect"), (0, lair))
    on_it = [each for each in chests if game.layout.read(game.slots, place, each) == lair]
    assert all(
        Observation(game.layout, game.slots, seat).read(place, each) == lair
        for seat in (0, 1)
        for each in on_it
    )
    game.perform(doing(program, "load", "effect"), (1, lair))
    owner, other = (Observation(game.layout, game.slots, seat) for seat in (1, 0))
    assert all(owner.read(place, each) == 1 for each in on_it)
    assert all(other.read(place, each) == HIDDEN for each in on_it)
    assert len([each for each in other.face_down if each[2] == 1]) == len(on_it)


def test_house_rules_leave_the_printed_game_alone() -> None:
    """PIR-SC-85: without variants it is the same Program whatever was loaded before, and each variant makes another."""
    plain = load_ruleset("pirates", people=4, cache=False)
    assert plain.variants == ()
    digests = {
        load_ruleset("pirates", people=4, variants=chosen, cache=False).digest
        for chosen in variant_sets("pirates")
    }
    assert len(digests) == len(NAMES) + 1  # and `three_teams`, which needs another one
    assert plain.digest not in digests
    assert load_ruleset("pirates", people=4, cache=False).digest == plain.digest


NAMES = (
    "breaching_sixes",
    "broadsides",
    "quick_fortune",
    "ramming",
    "sealed_holds",
    "small_archipelago",
    "two_flags",
    "weather",
)
PAIRS = [
    pair
    for pair in itertools.combinations(NAMES, 2)
    if set(pair) != {"quick_fortune", "small_archipelago"}
]


@pytest.mark.parametrize("chosen", [*((name,) for name in NAMES), *PAIRS], ids="+".join)
def test_random_games_with_house_rules(chosen: tuple[str, ...]) -> None:
    """Each alone and each pair that goes together plays without a fault, with random seats and automas.

    Two games of either: the table of `docs/reference/variant-pairs-pirates.md` comes from 200 of each pair.
    """
    people = 4 if "two_flags" in chosen else 2
    program = the_game(people, *chosen)
    for seed in range(4):
        providers: dict[int, DecisionProvider] = {
            seat: AutomaProvider() if seed % 2 and seat else RandomProvider(seed * 10 + seat)
            for seat in range(people)
        }
        game = start(
            program,
            with_a_last_round(program),
            seed,
            range(people),
            providers,
            log=False,
            many=True,
        )
        game.play()
        assert game.winners is not None
