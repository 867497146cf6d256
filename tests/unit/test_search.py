"""Search: plays small games as well as they can be played, by what its seat sees and nothing else."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.machine import Match
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.random import RandomProvider
from interpreter.providers.search import SearchProvider
from interpreter.search.advising import advise, explained
from interpreter.search.backs import backs
from interpreter.search.comparing import Arm, compare
from interpreter.search.judging import learnt, measures
from interpreter.search.searching import Search
from interpreter.search.settings import SearchSettings, settings_of
from interpreter.sight.redeal import differences, redealt
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from interpreter.providers.protocol import DecisionProvider
    from interpreter.search.advice import Advice
    from rulelang.ir import Program

NIM = """
game nim "Nim":
    version "1"
    players 2..2
define Take = 1..3
component Board (1):
    sticks: 0..30 = STICKS
phase game:
    while board.sticks > 0:
        each player in Player: do turn(player)
effect turn(player):
    player chooses take from Take where it <= board.sticks "How many sticks?" else end turn
    board.sticks becomes board.sticks - take
    if board.sticks is 0:
        do win({player})
        end game
"""
LINES = """
game lines "Three in a Row":
    version "1"
    players 2..2
component Cell (9):
    mark: Player or none = none
    nth: 1..9 = each 1..9
define cell_at(n: 1..9) = only(Cell where its nth is n)
define has(player, n: 1..9) = cell_at(n).mark is player
define three(player, a: 1..9, b: 1..9, c: 1..9) = has(player, a) and has(player, b) and has(player, c)
define player.row = three(player, 1, 2, 3) or three(player, 4, 5, 6) or three(player, 7, 8, 9)
define player.column = three(player, 1, 4, 7) or three(player, 2, 5, 8) or three(player, 3, 6, 9)
define player.slope = three(player, 1, 5, 9) or three(player, 3, 5, 7)
phase game:
    while any Cell where its mark is none:
        each player in Player: do turn(player)
effect turn(player):
    player chooses cell from Cell where its mark is none "Which cell?" else end turn
    cell.mark becomes player
    if player.row or player.column or player.slope:
        do win({player})
        end game
"""
CARDS = """
game cards "High Card":
    version "1"
    players 2..3
define D6 = 1..6
component Card (9):
    worth: 1..9 = each 1..9
component Board (1):
    deck: pile of Card = Card, hidden
component Player:
    hand: pile of Card, seen by owner
    luck: 1..6 = 1, hidden
    points: 0.. = 0
phase game:
    do shuffle(board.deck)
    each player in Player:
        player.luck becomes roll D6
        each i in 1..3: move top(board.deck) to player.hand
    each n in 1..2:
        each player in Player: do turn(player)
    do win(Player with highest points)
effect turn(player):
    player chooses card from player.hand "Which card?"
    player gains card.worth points
    if player.luck > 4: player gains 1 points
    move card to bottom(board.deck)
"""
SEALED = """
game hands "Odd or Even":
    version "1"
    players 2..2
define Fingers = 1..2
component Player:
    shown: 0..2 = 0
    points: 0.. = 0
define all_shown = sum(Player.shown)
phase game:
    step show:
        secretly each player in Player chooses fingers from Fingers "How many fingers?", chooses any extra from Fingers
                "Which tricks?":
            player.shown becomes fingers
    step count:
        if all_shown is 3: do win({seat_player(1)})
        else: do win({seat_player(2)})
define seat_player(n: 1..2) = only(Player where its seat is n)
"""

DICE = """
game dice "Six Numbers":
    version "1"
    players 2..2
define D6 = 1..6
component Player:
    points: 0.. = 0
phase game:
    each n in 1..4:
        each player in Player: do turn(player)
    do win(Player with highest points)
effect turn(player):
    player chooses digit from D6 "Which number?" automa POLICY
    let luck = roll D6
    player gains luck points
    player gains VALUE points
"""
KINDS = """
game kinds "Kinds of Questions":
    version "1"
    players 2..2
component Coin (8):
    worth: 1..8 = each 1..8
component Player:
    points: 0.. = 0
may take(player, coin):
    small: coin.worth < 8 "too large"
    then: player gains coin.worth points
phase game:
    each player in Player:
        if player.seat is 1: do begin_with(player)
        else: player gains 6 points
    do win(Player with highest points)
effect begin_with(player):
    FIRST
"""
QUESTIONS = (
    """player chooses coin from Coin where its worth < 8 "Which?"
    player gains coin.worth points""",
    """player chooses 2 coins from Coin when sum(coins.worth) < 8 "Which?"
    player gains max(coins.worth) + 1 points""",
    """player chooses "How much?":
        "Little": player gains 3 points
        "Much": player gains 9 points
        "Nothing": do nothing""",
    """player may "Take it?":
        player gains 7 points""",
    "player may do take",
)
BEST = (
    ("one", "coin_7"),
    ("set", "coin_1, coin_6"),
    ("label", "Much"),
    ("yes", "yes"),
    ("action", "take(coin_7)"),
)


def load(folder: Path, text: str) -> Program:
    """Compile a game for two."""
    path = folder / "game.rules"
    path.write_text(text, "utf-8")
    return load_ruleset(path, people=2, cache=False)


def begin(program: Program, seed: int = 1, *, log: bool = False) -> Match:
    """Start a game, up to its first question."""
    match = Match(program, seed=seed, optimise=False, log=log)
    assert match.next() is not None
    return match


def best(advice: Advice) -> object:
    """What it advises."""
    return advice.ranked[0].answer


@pytest.mark.parametrize("sticks", [5, 6, 7, 9])
def test_nim_is_played_perfectly(tmp_path: Path, sticks: int) -> None:
    """Leave a multiple of four: with 400 playouts, whatever the seed."""
    match = begin(load(tmp_path, NIM.replace("STICKS", str(sticks))))
    for seed in range(2):
        advice = Search(SearchSettings(playouts=400), seed).advise(match)
        assert best(advice) == sticks % 4
        assert advice.ranked[0].value > 0.7


def test_three_in_a_row_is_won_and_saved(tmp_path: Path) -> None:
    """A row is completed; one of the other seat's is stopped."""
    program = load(tmp_path, LINES)
    for taken, wanted in (((0, 3, 1, 6), 2), ((4, 0, 8, 1), 2)):
        match = begin(program)
        for cell in taken:
            match.apply(program.kinds[1].base + cell)
            match.next()
        advice = Search(SearchSettings(playouts=150)).advise(match)
        assert best(advice) == program.kinds[1].base + wanted


@pytest.mark.parametrize("policy", ["", " automa highest worth"])
def test_what_the_seat_does_not_see_changes_nothing(tmp_path: Path, policy: str) -> None:
    """Other cards in hidden hands and another deck: the same advice, to the last digit."""
    program = load(tmp_path, CARDS.replace('"Which card?"', '"Which card?"' + policy))
    search = Search(SearchSettings(playouts=30), "secret")
    changed = 0
    for seed in range(3):
        match = begin(program, seed)
        match.apply(match.pending.options.first() if match.pending else None)
        match.next()
        advice = search.advise(match)
        assert match.pending is not None
        seat = match.pending.seat
        for number in range(4):
            twin = redealt(match, seat, Random(number).randrange)  # noqa: S311
            assert not differences(match, twin, seat)
            changed += twin.state() != match.state()
            assert search.advise(twin) == advice
    assert changed > 8


@pytest.mark.parametrize("policy", ["", " automa random"])
def test_sealed_answers_are_not_known(tmp_path: Path, policy: str) -> None:
    """Whatever the first seat has sealed, the second gets the same advice, also in the middle of its answer."""
    question = '"How many fingers?"'
    program = load(tmp_path, SEALED.replace(question, question + policy))
    search = Search(SearchSettings(playouts=60), "sealed")
    found: list[list[Advice]] = []
    for sealed in (1, 2):
        match = begin(program)
        match.apply(sealed)
        match.next()
        match.apply(())
        asked = match.next()
        assert asked is not None
        assert (asked.seat, asked.secret) == (1, True)
        found.append([search.advise(match)])
        match.apply(1)
        match.next()
        found[-1].append(search.advise(match))
    assert found[0] == found[1]
    first = found[0][0]
    assert first.playouts == 60
    assert all(0.2 < each.value < 0.8 for each in first.ranked)


def test_the_same_seed_gives_the_same_advice(tmp_path: Path) -> None:
    """A budget of playouts leaves nothing to the machine; another seed has other playouts."""
    match = begin(load(tmp_path, CARDS))
    before = match.state()
    one, again, other = (
        Search(SearchSettings(playouts=40), seed).advise(match) for seed in ("a", "a", "b")
    )
    assert one == again
    assert one != other
    assert match.state() == before


def test_a_log_changes_no_advice(tmp_path: Path) -> None:
    """A match with a log is searched without one."""
    program = load(tmp_path, CARDS)
    search = Search(SearchSettings(playouts=20))
    assert search.advise(begin(program, log=True)) == search.advise(begin(program))


def test_budgets(tmp_path: Path) -> None:
    """So many playouts, or so many seconds by the clock that was given."""
    match = begin(load(tmp_path, CARDS))
    assert Search(SearchSettings(playouts=17)).advise(match).playouts == 17
    ticks = count()
    timed = Search(SearchSettings(seconds=10), clock=lambda: next(ticks))
    assert timed.advise(match).playouts == 10
    with pytest.raises(ValueError, match="clock"):
        Search(SearchSettings(seconds=1))
    match.apply(match.pending.options.first() if match.pending else None)
    with pytest.raises(LookupError):
        timed.advise(match)


def test_it_plays_a_whole_game(tmp_path: Path) -> None:
    """As a provider inside the match, with nobody else who waits; nim is won from a good place."""
    program = load(tmp_path, NIM.replace("STICKS", "6"))
    for seed in range(3):
        player = SearchProvider(Search(SearchSettings(playouts=120), seed))
        match = Match(program, seed=seed, providers={0: player, 1: RandomProvider(seed)})
        player.sit(match)
        match.play()
        assert match.winners == (0,)
        assert player.advice is not None


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("search", SearchSettings()),
        ("search:playouts=20", SearchSettings(playouts=20)),
        ("search:playouts=20+depth=3", SearchSettings(playouts=20, depth=3)),
        ("search:seconds=0.5, random=1", SearchSettings(seconds=0.5, random=1)),
        (
            "search:depth=9,exploration=2,widening=3",
            SearchSettings(depth=9, exploration=2, widening=3),
        ),
    ],
)
def test_settings_are_read(text: str, made: SearchSettings) -> None:
    """As the command line writes them."""
    assert settings_of(text) == made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("search:", "is no setting"),
        ("search:playouts", "is no setting"),
        ("search:playout=3", "Did you mean 'playouts'"),
        ("search:playouts=2.5", "a whole number from 1"),
        ("search:playouts=0", "from 1"),
        ("search:random=nan", "from 0 to 1"),
        ("search:seconds=x", "a number from 0.001"),
        ("search:playouts=1,playouts=2", "set twice"),
        ("search:playouts=1,seconds=2", "not both"),
    ],
)
def test_what_is_no_setting_is_refused(text: str, said: str) -> None:
    """With what was expected."""
    with pytest.raises(ValueError, match=said):
        settings_of(text)


@pytest.mark.parametrize("number", range(5))
def test_every_kind_of_question_is_searched(tmp_path: Path, number: int) -> None:
    """One of several, a set with a condition, a label, yes or no, an action: the best answer is found."""
    program = load(tmp_path, KINDS.replace("FIRST", QUESTIONS[number]))
    match = begin(program)
    asked = match.pending
    assert asked is not None
    advice = Search(SearchSettings(playouts=80)).advise(match)
    wanted = BEST[number]
    assert asked.form == wanted[0]
    assert advice.ranked[0].key == wanted[1]
    assert advice.ranked[0].value > 0.9


def test_many_answers_are_widened_step_by_step(tmp_path: Path) -> None:
    """Of thousands of sets not each is tried once: most visits go where it helps."""
    text = KINDS.replace(
        "FIRST", "player chooses any coins from Coin\n    player gains sum(coins.worth) points"
    )
    match = begin(load(tmp_path, text))
    assert match.pending is not None
    assert (match.pending.options.count() or 0) > 200
    advice = Search(SearchSettings(playouts=150)).advise(match)
    assert len(advice.ranked) < 40
    assert advice.ranked[0].visits > 5


def test_what_lies_in_other_stacks_is_known(tmp_path: Path) -> None:
    """Things of two colours that never lie in one pile keep their piles; others change places."""
    text = """
game stacks "Stacks":
    version "1"
    players 2..2
define Colour = red, blue
define Shape = round, square
component Chip from "chips.csv":
    colour: Colour
    shape: Shape
component Board (1):
    reds, blues: pile of Chip, hidden
    open_ones: pile of Chip
component Player:
    points: 0.. = 0
phase game:
    move Chip where its colour is red to board.reds
    move Chip where its colour is blue to board.blues
    do shuffle(board.reds)
    do shuffle(board.blues)
    each player in Player:
        player may "Take one?":
            if any board.reds: move top(board.reds) to board.open_ones
    do win(Player)
"""
    rows = [
        f"{c}_{s}_{n},{c},{s}" for c in ("red", "blue") for s in ("round", "square") for n in (1, 2)
    ]
    (tmp_path / "chips.csv").write_text("\n".join(["id,colour,shape", *rows]), "utf-8")
    match = begin(load(tmp_path, text))
    found = backs(match)
    chips = next(each for each in match.program.kinds if each.name == "Chip")
    kinds = {name[:8]: found[chips.base + n] for n, name in enumerate(chips.ids)}
    assert len(set(found.values())) == 2
    assert kinds["red_roun"] == kinds["red_squa"]
    assert kinds["red_roun"] != kinds["blue_rou"]


def test_who_leads_is_judged_to_win(tmp_path: Path) -> None:
    """From games of its own it learns that points win; where a playout stops that counts."""
    program = load(tmp_path, CARDS)
    match = begin(program)
    judge = learnt(match, random=1.0)
    points = next(each.index for each in program.fields if each.name == "points")
    slots = match.state()
    slots[match.layout.slot(points, 1)] = 6
    behind, ahead = judge(match.dealt(slots))
    assert 0 <= behind < 0.5 < ahead <= 1
    shallow = Search(SearchSettings(playouts=60, depth=1)).advise(match)
    assert shallow.playouts == 60
    assert shallow.ranked[0].value > shallow.ranked[-1].value


def test_advice_for_people(tmp_path: Path) -> None:
    """Best first, with what it is worth; only for the seat that is asked."""
    match = begin(load(tmp_path, NIM.replace("STICKS", "7")))
    advice = advise(match, 0, SearchSettings(playouts=200))
    lines = list(explained(advice))
    assert lines[0].startswith("3: ")
    assert lines[0].endswith("of 200 playouts")
    assert len(lines) == 3
    with pytest.raises(LookupError, match="seat 2 is not asked"):
        advise(match, 1)


def test_rules_without_chance_or_rivals(tmp_path: Path) -> None:
    """A seat alone: what wins is found a few steps ahead."""
    text = """
game alone "Alone":
    version "1"
    players 1..1
define Hop = 1..3
component Board (1):
    way: 0..20 = 0
phase game:
    each player in Player:
        each n in 1..4: do go(player)
        if board.way is 10: do win({player})
effect go(player):
    player chooses hop from Hop "How far?"
    board.way becomes min(board.way + hop * hop, 20)
"""
    path = tmp_path / "alone.rules"
    path.write_text(text, "utf-8")
    program = load_ruleset(path, people=1, cache=False)
    player = SearchProvider(Search(SearchSettings(playouts=200)))
    match = Match(program, providers={0: player}, optimise=False)
    player.sit(match)
    match.play()
    assert match.winners == (0,)  # 1 + 4 + 4 + 1, or 9 and three less is too much


def dice(folder: Path, policy: str, value: str) -> Program:
    """A game of luck, in which numbers are worth something beside what is rolled."""
    return load(folder, DICE.replace("POLICY", policy).replace("VALUE", value))


def test_a_good_policy_is_followed(tmp_path: Path) -> None:
    """Where the ruleset's policy knows best, luck in a few playouts hardly ever speaks for another answer."""
    match = begin(dice(tmp_path, "highest it", "half(digit)"))
    assert match.pending is not None
    found = [Search(SearchSettings(playouts=60), seed).advise(match) for seed in range(30)]
    assert all(each.automa == "6" for each in found)
    worse = [each for each in found if best(each) not in (5, 6)]
    assert len(worse) <= 2
    assert sum(best(each) == 6 for each in found) >= 24


def test_a_bad_policy_is_left(tmp_path: Path) -> None:
    """Where another answer is surely better it is given."""
    match = begin(dice(tmp_path, "lowest it", "digit * 2"))
    for seed in range(4):
        advice = Search(SearchSettings(playouts=150), seed).advise(match)
        assert advice.automa == "1"
        assert best(advice) in (4, 5, 6)
        assert advice.playouts <= 156  # a world that was begun is played with all answers


def test_it_plays_no_worse_than_the_policy(tmp_path: Path) -> None:
    """With few playouts: as good as the best policy, and much better than a bad one."""
    for policy, least in (("highest it", 0.35), ("lowest it", 0.85)):
        program = dice(tmp_path, policy, "digit")
        won = lost = 0
        for number in range(40):
            seat = number % 2
            player = SearchProvider(Search(SearchSettings(playouts=40), number))
            providers: dict[int, DecisionProvider] = {
                seat: player,
                1 - seat: AutomaProvider(number),
            }
            match = Match(program, seed=number // 2, providers=providers, optimise=False)
            player.sit(match)
            match.play()
            winners = match.winners or ()
            won += winners == (seat,)
            lost += winners == (1 - seat,)
        assert won >= least * (won + lost)


def test_halving_spends_most_on_what_may_be_better() -> None:
    """Of many answers the best is tried most often beside the usual one; what is surely worse is left out early."""
    usual = Arm("usual")
    others = [Arm(each) for each in range(8)]
    luck = Random(1)  # noqa: S311
    worlds = 0

    def play(arms: Sequence[Arm]) -> bool:
        nonlocal worlds
        worlds += len(arms)
        shared = luck.random()
        assert arms[0] is usual
        usual.values.append(shared)
        for arm in arms[1:]:
            value = shared + (0.1 if arm.answer == 5 else -0.1) + 0.2 * (luck.random() - 0.5)
            arm.values.append(value)
            arm.gains.append(value - shared)
        return True

    compare(usual, others, play, lambda: worlds / 400)
    assert worlds <= 408
    assert len(others[5].gains) == len(usual.values) > 3 * len(others[0].gains)
    assert others[5].gain > 4 * others[5].error


def test_nothing_is_spent_where_nothing_can_be_found() -> None:
    """Once all others are surely worse the rest of the budget is left."""
    usual, other = Arm("usual"), Arm("other")
    number = count()

    def play(arms: Sequence[Arm]) -> bool:
        value = 0.4 + 0.01 * (next(number) % 3)
        arms[0].values.append(0.9)
        arms[1].values.append(value)
        arms[1].gains.append(value - 0.9)
        return True

    compare(usual, [other], play, lambda: len(usual.values) / 1000)
    assert len(usual.values) < 400


def test_numbers_that_mean_nothing_are_not_looked_at(tmp_path: Path) -> None:
    """Of what lies open at players little is measured: what foretells who wins."""
    fields = "".join(f"    noise_{each}: 0..9 = 0\n" for each in range(12))
    rolls = "".join(f"        player.noise_{n} becomes roll D6\n" for n in range(12))
    text = CARDS.replace("    points: 0.. = 0\n", "    points: 0.. = 0\n" + fields)
    text = text.replace(
        "        player.luck becomes roll D6\n", "        player.luck becomes roll D6\n" + rolls
    )
    program = load(tmp_path, text)
    judge = learnt(begin(program), random=1.0)
    assert len(measures(program)) >= 13
    assert 0 < len(judge.eye.measures) <= 5
