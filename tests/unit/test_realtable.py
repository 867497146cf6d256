"""Dice and cards read off a real table: the game is the one that was played there, whatever stood for hidden cards."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.chance import Stream
from interpreter.decision import Decision, SetOf
from interpreter.layout import FIRST_PILE
from interpreter.machine import Match
from interpreter.realtable import AnewError, Question, TableChance
from interpreter.records.heading import seen_digest
from rulelang.api import check_texts, load_ruleset
from tests.cli.secret_game import SECRETS

if TYPE_CHECKING:
    from interpreter.providers.replay import Drawn
    from rulelang import ir

RULESETS = Path(__file__).parents[2] / "rulesets"

POOLS = """\
game pools "Pools":
    version "1.0"
    players 2

define D6 = 1..6
component Board (1):
    near: pile of Card, hidden
    far: pile of Card, hidden
    stock: pile of Card, hidden
    discards: pile of Card
component Card from "cards.csv":
    level: 1..2
    strength: 1..9
component Player:
    hand: pile of Card, seen by owner
    points: 0.. = 0

phase game:
    move Card where its level is 1 to board.near
    move Card where its level is 2 to board.far
    do shuffle(board.near)
    do shuffle(board.far)
    move top(board.near, 3) to board.stock
    move top(board.far, 3) to board.stock
    do shuffle(board.stock)
    each round in 1..6:
        each player in Player: do turn(player)
    do win(Player with highest points)

effect turn(player):
    if not any board.stock:
        move board.discards to board.stock
        do shuffle(board.stock)
    let card = pick board.stock
    move card to player.hand
    let die = roll D6 by player
    player gains die points
    if any player.hand:
        player chooses played from player.hand "Which one?"
        do play(player, played)

effect play(player, played: Card):
    player gains played.strength points
    move played to board.discards
    if played.strength > 5 and any board.stock:
        let lost = top(board.stock)
        move lost to bottom(board.stock)
        if any board.stock: move top(board.stock) to board.discards
"""
CARDS = "id,level,strength\n" + "".join(f"c{n},{1 + n % 2},{1 + n % 9}\n" for n in range(14))


class Real(TableChance):
    """The table: dice that fall and decks that are shuffled, every result noted."""

    def __init__(self, program: ir.Program, seed: int) -> None:
        super().__init__(program, seed, ())
        self.luck = Stream(seed, "real")
        self.results: list[Any] = []
        self.piled: dict[int, list[int]] = {}

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        del path, by
        self.results.append(low + self.luck(high - low + 1))
        return self.results[-1]  # type: ignore[no-any-return]

    def pick(self, path: str, source: tuple[object, ...], count: int | None) -> Any:
        drawn: Any = None
        self.piled[len(self.results)] = piled(self, source)
        if path not in self._paths:
            drawn = super().pick(path, source, count)
        elif count is None:
            drawn = self.luck.pick(source)
        else:
            mixed = self.luck.mix(source)[: max(count, 0)]
            drawn = tuple(each for each in source if each in mixed)
        self.results.append(drawn)
        return drawn

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        mixed = super().shuffle(path, items) if path not in self._paths else self.luck.mix(items)
        self.results.append(mixed)
        return mixed


def piled(table: TableChance, source: tuple[object, ...]) -> list[int]:
    """What of it lies in piles, from the top."""
    layout, slots = table.match.layout, table.match.state()
    things = [each for each in source if type(each) is int and each < len(layout.kind_of)]
    things = [each for each in things if layout.positions[layout.kind_of[each]] is not None]
    inside = [each for each in things if layout.where(slots, each)[0] >= FIRST_PILE]
    return sorted(inside, key=table._place)


class Mirror(TableChance):
    """Asks nobody but looks at the table: what happened there at the same draw, and which card lies where."""

    def __init__(self, program: ir.Program, seed: int, drawn: list[Drawn], real: Real) -> None:
        super().__init__(program, seed, drawn, self)
        self.real = real.results
        self.piled = real.piled
        self.calls = 0
        self.stands_for: dict[Any, Any] = {}  # what lies there really -> what takes its place

    def ask(self, question: Question) -> object:
        if question.form != "card":
            value: Any = self.real[self.calls]
        else:
            value = next(real for real, each in self.stands_for.items() if each == question.thing)
            if value not in question.choices:
                value = next(each for each in question.choices if self.looks(each, value))
        assert not question.fault(value)
        return value

    def looks(self, one: Any, other: int) -> bool:
        return len(self._told_apart({one: (), other: ()})) == 1

    def noted(self, result: Drawn) -> None:
        pass

    def refuse(self, reason: str) -> None:
        raise AssertionError(reason)

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        value = super().roll(path, low, high, by)
        assert value == self.real[self.calls]
        self.calls += 1
        return value

    def pick(self, path: str, source: tuple[object, ...], count: int | None) -> Any:
        piles = piled(self, source)
        drawn = super().pick(path, source, count)
        real = self.real[self.calls]
        there = list(self.piled[self.calls])
        self.calls += 1
        for one, other in zip(
            *(((each,) if count is None else each) for each in (real, drawn)), strict=True
        ):
            before = self.now(one)
            taken = next((key for key in self.stands_for if self.stands_for[key] == other), other)
            self.stands_for[taken], self.stands_for[one] = before, other
            if one in there:  # the others move up in their pile
                there.remove(one)
                piles.remove(other)
                self.stands_for.update(zip(there, piles, strict=True))
        return drawn

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        mixed = super().shuffle(path, items)
        self.stands_for.update(zip(self.real[self.calls], mixed, strict=True))
        self.calls += 1
        return mixed

    def now(self, real: Any) -> Any:
        return self.stands_for.get(real, real)


def answer_like(decision: Decision, real: Any, mirror: Mirror, of: ir.Type) -> Any:
    """The same answer, hidden things by what takes their place."""
    del of
    if decision.type.shape != "thing" or decision.form not in ("one", "set"):
        return real
    if isinstance(decision.options, SetOf):
        return decision.options.normal(tuple(mirror.now(each) for each in real))
    return mirror.now(real) if real is not None else None


def compare(program: ir.Program, seed: int, people: int, longest: int = 10_000) -> tuple[int, int]:
    """Play a game at a real table and with somebody who reads it off; give the numbers of answers and of results."""
    chance = Real(program, seed)
    real = Match(program, people=people, seed=seed, chance=chance, log=True, optimise=False)
    chance.watch(real)
    rng = Random(seed)  # noqa: S311 - answers, no secrets
    answers: list[Any] = []
    digests: list[str] = []
    while (decision := real.next()) is not None and len(answers) < longest:
        digests.append(seen_digest(real.layout, real.state()))
        answers.append(decision.options.normal(decision.options.sample(rng.randrange)))
        real.apply(answers[-1])
    digests.append(seen_digest(real.layout, real.state()))
    drawn: list[Drawn] = []
    for _ in range(5000):
        mirror = Mirror(program, seed, drawn, chance)
        match = Match(program, people=people, seed=seed, chance=mirror, log=True, optimise=False)
        mirror.watch(match)
        try:
            for number, answer in enumerate(answers):
                decision = match.next()
                mirror.look()
                assert decision is not None
                assert seen_digest(match.layout, match.state()) == digests[number]
                match.apply(answer_like(decision, answer, mirror, decision.type))
            match.next()
            mirror.look()
        except AnewError:
            drawn = mirror.drawn
            continue
        assert match.over == real.over
        assert seen_digest(match.layout, match.state()) == digests[-1]
        assert not mirror.left
        replayed(program, seed, people, mirror.drawn, match)
        return len(answers), len(mirror.drawn)
    raise AssertionError


def replayed(
    program: ir.Program, seed: int, people: int, drawn: list[Drawn], played: Match
) -> None:
    """What was read is enough to play it again, without anybody who looks at the table."""
    chance = TableChance(program, seed, drawn)
    match = Match(program, people=people, seed=seed, chance=chance, log=True, optimise=False)
    chance.watch(match)
    answers = iter(
        [each for each in played.events if each[0] == "answer" and each[4] == "provider"]
    )
    while (match.next()) is not None:
        chance.look()
        given = next(answers, None)
        if given is None:
            break
        match.apply(given[3])
    assert match.over == played.over
    if match.over:
        chance.look()
        assert match.state() == played.state()


@pytest.fixture(scope="module")
def pools() -> ir.Program:
    found = check_texts({"pools.rules": POOLS, "cards.csv": CARDS})
    assert found.program is not None, found
    return found.program


@pytest.mark.parametrize("seed", range(20))
def test_cards_through_several_shuffles(pools: ir.Program, seed: int) -> None:
    """Two piles into one, shuffled again, drawn, discarded and shuffled in."""
    _, results = compare(pools, seed, 2)
    assert results > 12


@pytest.mark.parametrize("seed", range(3))
def test_hands_and_cards_face_down(seed: int) -> None:
    named = 'component Card from "cards.csv":\n    level: 1..2\n    strength: 1..9'
    text = SECRETS.replace("component Card (9):\n    rank: 41..49 = each 41..49", named)
    program = check_texts({"cellar.rules": text, "cards.csv": CARDS}).program
    assert program is not None
    compare(program, seed, 2)


@pytest.mark.parametrize(("game", "people"), [("pyrates", 2), ("pirates", 2)])
def test_shipped_games(game: str, people: int) -> None:
    compare(load_ruleset(RULESETS / game, people=people), 5, people, 60)
