"""Scenarios of Pyrates! that no single script can say: draws over many seeds, and what a person can see.

PYR-SC-15 (the number of automas of the game as it is played), PYR-SC-16 (counters on ports), PYR-SC-30 (nobody sees the
bid of another before all have bid) and PYR-SC-41 (a three-way tie for the lead).
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from interpreter import events
from interpreter.providers.random import RandomProvider
from interpreter.reference import Reference
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation
    from rulelang import ir

RATINGS = {2: 6, 3: 6, 4: 5}
DEFENSES = {1: 4, 2: 5, 3: 5, 4: 3}
SEEDS = 200
TIES = 300


@functools.cache
def the_game() -> ir.Program:
    """Give the Program for the five seats of the game."""
    return load_ruleset("pyrates", people=2, cache=False)


@functools.cache
def the_examples(seats: int) -> ir.Program:
    """Give the Program with the scenarios of so many seats."""
    return load_ruleset("pyrates", seats=seats, scenarios=True, cache=False)


def doing(program: ir.Program, name: str, kind: str = "phase") -> int:
    """Find a doing by its name."""
    return next(each.index for each in program.doings if (each.name, each.kind) == (name, kind))


def things(program: ir.Program, kind: str) -> range:
    """Give the things of a kind."""
    found = next(each for each in program.kinds if each.name == kind)
    return range(found.base, found.base + found.count)


def field(program: ir.Program, kind: str, name: str) -> int:
    """Find a field of a kind."""
    number = next(n for n, each in enumerate(program.kinds) if each.name == kind)
    return next(each.index for each in program.fields if (each.kind, each.name) == (number, name))


def step(program: ir.Program, phase: str, name: str) -> int:
    """Find a step of a phase."""
    return next(
        each.index
        for each in program.doings
        if each.kind == "step" and each.name in (f"{phase}.{name}", name)
    )


def dealt(program: ir.Program, seed: int, kind: str) -> dict[str, int]:
    """Put the counters on the ports; gives the value at each port, by the port's id."""
    game = Reference(program, seed=seed, people=(0, 1))
    game.perform(step(program, "setup", "counters"))
    game.perform(step(program, "setup", "defenses"))
    ports = next(each for each in program.kinds if each.name == "Port")
    place, value = field(program, kind, "place"), field(program, kind, "value")
    found: dict[str, int] = {}
    for counter in things(program, kind):
        port: Any = game.layout.read(game.slots, place, counter)
        number: Any = game.layout.read(game.slots, value, counter)
        assert ports.ids[port - ports.base] not in found, "two counters of a kind on one port"
        found[ports.ids[port - ports.base]] = number
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "values"), [("RatingCounter", RATINGS), ("DefenseCounter", DEFENSES)]
)
def test_counters_on_ports(kind: str, values: dict[int, int]) -> None:
    """PYR-SC-16: one on each port, in the right numbers, no 2 on a pirate port, and anything can come anywhere."""
    program = the_game()
    seen: dict[str, set[int]] = {}
    for seed in range(SEEDS):
        found = dealt(program, seed, kind)
        assert len(found) == sum(values.values())
        assert Counter(found.values()) == values
        for port, value in found.items():
            seen.setdefault(port, set()).add(value)
    havens = {"tortuga", "nassau", "port_royal"}
    for port, came in seen.items():
        expected = set(values) - {2} if kind == "RatingCounter" and port in havens else set(values)
        assert came == expected, port


@pytest.mark.slow
def test_three_way_tie_for_the_lead() -> None:
    """PYR-SC-41: of those with the most ships each leads about as often; nobody else does."""
    program = the_examples(4)
    scenario = next(each for each in program.scenarios if "PYR-SC-41" in each.cites)
    assert scenario.before is not None
    attack = doing(program, "attack")
    leads: Counter[str] = Counter()
    seats = (*scenario.people, *scenario.automas)
    for seed in range(TIES):
        people = tuple(range(len(scenario.people)))
        game = Reference(
            program,
            seed=seed,
            people=people,
            providers={seat: RandomProvider(seed) for seat in people},
        )
        game.perform(scenario.before)
        game.perform(doing(program, "piracy"))
        begun = next(each for each in game.events if each[:2] == (events.BEGIN, attack))
        args: Any = begun[2]
        leads[seats[args[0]]] += 1
    assert set(leads) == {"amaro", "blackbeard", "morgan"}
    assert all(60 <= count <= 140 for count in leads.values()), leads


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_number_of_automas(people: int) -> None:
    """PYR-SC-15: five cards are dealt in all, and no two people serve the same nation."""
    program = load_ruleset("pyrates", people=people, cache=False)
    seats = tuple(range(people))
    game = Reference(
        program, seed=people, people=seats, providers={seat: RandomProvider(1) for seat in seats}
    )
    game.perform(doing(program, "setup"))
    captain, allegiance = (
        field(program, "Player", "captain"),
        field(program, "Player", "allegiance"),
    )
    players = things(program, "Player")
    assert len({game.layout.read(game.slots, captain, player) for player in players}) == 5
    serves = [game.layout.read(game.slots, allegiance, player) for player in players]
    assert None not in serves[:people]
    assert len(set(serves[:people])) == people
    assert serves[people:] == [None] * (5 - people)


class Watcher:
    """Builds whenever it may, and keeps what its seat sees while it is asked for a bid."""

    def __init__(self, bid: int, build: object) -> None:
        self._bid = bid
        self._build = build
        self.seen: list[tuple[object, ...]] = []

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Answer a decision."""
        if decision.path == "bidding.people.bid":
            view = observation()
            self.seen.append(
                tuple(view.read(self._bid, player) for player in things(view.program, "Player"))
            )
            return self._build
        return next(iter(decision.options)).value


def test_bids_are_secret() -> None:
    """PYR-SC-30: while people bid, none sees the bid of another, and no die has been rolled."""
    program = the_examples(3)
    scenario = next(each for each in program.scenarios if "PYR-SC-30" in each.cites)
    assert scenario.before is not None
    bid = field(program, "Player", "bid")
    words = next(each for each in program.enums if each.name == "Bid").words
    build, before = words.index("build"), words.index("pass")
    watchers = {seat: Watcher(bid, build) for seat in range(2)}
    game = Reference(program, seed=1, people=(0, 1), providers=dict(watchers))
    game.perform(scenario.before)
    game.perform(doing(program, "bidding"))
    assert [each.seen for each in watchers.values()] == [[(before,) * 3], [(before,) * 3]]
    told = [each[0] for each in game.events if each[0] in (events.ANSWER, events.ROLL)]
    assert told == [events.ANSWER, events.ANSWER, events.ROLL]
    assert [game.layout.read(game.slots, bid, player) for player in range(2)] == [build, build]
