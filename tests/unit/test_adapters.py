"""Adapters: answers and views as numbers, the suites of the libraries, and that nothing hidden is told."""

from __future__ import annotations

import pickle
import warnings
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from interpreter.adapters import aec, extras, openspiel, spaces
from interpreter.adapters.actions import DONE, Choice
from interpreter.adapters.stepping import Stepper
from interpreter.adapters.views import View
from interpreter.decision import SetOf
from interpreter.machine import Match
from interpreter.sight.redeal import redealt
from interpreter.ui.table import Table, option_values
from rulelang.api import check_texts, load_ruleset
from tests.cli.secret_game import SECRETS

if TYPE_CHECKING:
    from rulelang import ir

RULESETS = Path(__file__).parents[2] / "rulesets"
BACKS = {"pirate_republic": {"Token": ("kind",), "PirateCard": ("deck",)}}

FORMS = """\
component Player:
    sum: 0..9 = 3
component Coin (4):
    place: Player or none = none
component Hat from "hats.csv":
    size: 1..3

phase game:
    each player in Player: do turn(player)
effect turn(player):
    player chooses 1..2 coins from Coin where its place is none "Which coins?" else end turn
    move coins to player
    player chooses any hats from Hat when sum(hats.size) is 5 "Which hats?"
    player chooses "What?":
        "This": player.sum becomes 1
        "That": player.sum becomes 2
    player may "Really?": player.sum becomes count(hats)
"""
HATS = "id,size\nbowler,2\nfez,1\ncrown,3\nboater,2\n"


def small(text: str, **files: str) -> ir.Program:
    found = check_texts(
        {"game.rules": text, **{f"{name}.csv": each for name, each in files.items()}}
    )
    assert found.program is not None, found.diagnostics
    return found.program


@pytest.fixture(scope="module")
def cellar() -> ir.Program:
    return small(SECRETS)


def every(choice_of: Match, view: View) -> set[object]:
    """All answers that tokens lead to."""
    decision = choice_of.pending
    assert decision is not None
    seen = choice_of.observation(decision.seat)
    found: set[object] = set()
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        choice = Choice(view.tokens, decision, seen)
        taken = waiting.pop()
        for token in taken:
            choice.take(token)
        if choice.answer is not None:
            assert choice.answer[0] not in found
            found.add(choice.answer[0])
        else:
            assert choice.legal()
            waiting.extend((*taken, token) for token in choice.legal())
    return found


def test_tokens_spell_every_answer_once() -> None:
    """Of every form: things that are alike, sets with a condition, alternatives, questions."""
    program = small(FORMS, hats=HATS)
    view = View(program)
    match = Match(program, seed=1)
    forms = set()
    while (decision := match.next()) is not None:
        forms.add(decision.form)
        domain = decision.options
        expected = set(domain.some(1000))
        assert every(match, view) == expected
        assert isinstance(domain, SetOf) or len(expected) == len(domain)
        match.apply(domain.sample(Random(1).randrange))  # noqa: S311 - a choice
    assert forms == {"set", "label", "yes"}


@pytest.mark.parametrize(("game", "people"), [("pyrates", 2)])
def test_shipped_games_can_be_played_by_tokens(game: str, people: int) -> None:
    """Views are always as long, and each token that is offered leads to an answer."""
    program = load_ruleset(RULESETS / game, people=people)
    view = View(program)
    assert sum(each.width for each in view.features) == view.size
    rng = Random(5)  # noqa: S311 - choices
    stepper = Stepper(view, people, 5)
    for _ in range(60):
        if stepper.over or stepper.seat is None:
            break
        assert len(stepper.numbers(stepper.seat)) == view.size
        stepper.step(rng.choice(stepper.legal(stepper.seat)))
    else:
        assert stepper.answers > 20


def test_the_encoding_is_of_the_ruleset() -> None:
    """Equal programs have equal encodings; one more thing makes another one."""
    one, same = View(small(FORMS, hats=HATS)), View(small(FORMS, hats=HATS))
    assert (one.digest, one.tokens.names) == (same.digest, same.tokens.names)
    other = View(small(FORMS.replace("Coin (4)", "Coin (5)"), hats=HATS))
    assert other.digest != one.digest
    assert one.tokens.names[DONE] == "done"
    assert "thing fez" in one.tokens.names


def test_a_copy_goes_its_own_way(cellar: ir.Program) -> None:
    """Copied, pickled: each stands at the same question and goes on alone."""
    stepper = Stepper(View(cellar), 2, 3)
    stepper.step(stepper.legal(0)[0])
    for twin in (stepper.clone(), deepcopy(stepper), pickle.loads(pickle.dumps(stepper))):  # noqa: S301 - our own
        assert twin.numbers(0) == stepper.numbers(0)
        seat = twin.seat
        assert seat is not None
        before = stepper.numbers(seat)
        twin.step(twin.legal(seat)[0])
        assert stepper.numbers(seat) == before
    with pytest.raises(ValueError, match="cannot follow"):
        stepper.step(DONE)


def leaks(
    program: ir.Program, seeds: int, share: float, game: str = "", longest: int = 10_000
) -> int:
    """Deal what each seat does not see anew, and compare all that it gets; give how many positions were looked at."""
    view = View(program)
    looked = 0
    for seed in range(seeds):
        rng = Random(seed)  # noqa: S311 - choices
        stepper = Stepper(view, 2, seed)
        for _ in range(longest):
            if stepper.over or stepper.seat is None:
                break
            if rng.random() < share:
                for seat in range(2):
                    twin = stepper.standing_at(
                        redealt(stepper.match, seat, rng.randrange, BACKS.get(game))
                    )
                    assert twin.numbers(seat) == stepper.numbers(seat)
                    assert twin.legal(seat) == stepper.legal(seat)
                    looked += 1
            stepper.step(rng.choice(stepper.legal(stepper.seat)))
    return looked


def test_nothing_hidden_is_told(cellar: ir.Program) -> None:
    assert leaks(cellar, 10, 1.0) > 50


@pytest.mark.slow
@pytest.mark.parametrize(("game", "longest"), [("pirates", 300), ("pirate_republic", 80)])
def test_nothing_hidden_is_told_in_shipped_games(game: str, longest: int) -> None:
    program = load_ruleset(RULESETS / game, people=2)
    assert leaks(program, 1, 0.06, game, longest) > 3


@pytest.mark.parametrize("game", ["pig", "leduc"])
def test_pettingzoo(game: str) -> None:
    """Its own suites pass."""
    suite = pytest.importorskip("pettingzoo.test")
    program = load_ruleset(RULESETS / "classics" / game, people=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a dictionary with a mask is less usual than a box
        suite.api_test(aec.environment(program, 2), num_cycles=100)
        suite.seed_test(lambda: aec.environment(program, 2), num_cycles=30)


def test_an_agent_gets_what_its_seat_won() -> None:
    pytest.importorskip("pettingzoo")
    program = load_ruleset(RULESETS / "classics" / "leduc", people=2)
    env = aec.environment(program, 2)
    rng = Random(1)  # noqa: S311 - choices
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        total[agent] += reward
        assert env.observation_space(agent).contains(seen)
        legal = [token for token, fits in enumerate(seen["action_mask"]) if fits]
        env.step(None if over or cut else rng.choice(legal))
    assert sorted(total.values()) in ([-1.0, 1.0], [1.0, 1.0], [0.0, 0.0])


def test_openspiel() -> None:
    """Its random simulations, with copies and saved states, pass; its searches play."""
    spiel = pytest.importorskip("pyspiel")
    numpy = pytest.importorskip("numpy")
    program = load_ruleset(RULESETS / "classics" / "leduc", people=2)
    game = spiel.load_game(openspiel.register(program, 2, seeds=50))
    spiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    luck = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    bots = [
        mcts.MCTSBot(game, 2.0, 6, evaluator, random_state=luck),
        ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=luck),
    ]
    state = game.new_initial_state()
    state.apply_action(7)
    while not state.is_terminal():
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sorted(state.returns()) in ([-1.0, 1.0], [1.0, 1.0], [0.0, 0.0])


@pytest.mark.slow
def test_openspiel_plays_a_shipped_game() -> None:
    """A whole bounded game, with copies and saved states at each step; `benchmarks.suites` runs all three games."""
    spiel = pytest.importorskip("pyspiel")
    program = load_ruleset(RULESETS / "pirates", people=2)
    words = {"stalemate": "turn_cap", "round_limit": "2"}
    options = option_values(program, Table(2, options=words))
    game = spiel.load_game(openspiel.register(program, 2, options, name="bounded", seeds=50))
    spiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_pettingzoo_plays_a_shipped_game() -> None:
    """The largest number of forms of answers in few cycles."""
    suite = pytest.importorskip("pettingzoo.test")
    program = load_ruleset(RULESETS / "pyrates", people=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a dictionary with a mask is less usual than a box
        suite.api_test(aec.environment(program, 2), num_cycles=50)
        suite.seed_test(lambda: aec.environment(program, 2), num_cycles=30)


def test_a_copy_of_a_long_game_costs_no_more(cellar: ir.Program) -> None:
    """The answers so far are shared by copies, and each copy goes on with its own."""
    spiel = pytest.importorskip("pyspiel")
    state = spiel.load_game(
        openspiel.register(cellar, 2, name="copied", seeds=2)
    ).new_initial_state()
    state.apply_action(1)
    state.apply_action(state.legal_actions()[0])
    twin = state.clone()
    assert twin.told is state.told
    twin.apply_action(twin.legal_actions()[-1])
    assert len(twin.told.tokens) == len(state.told.tokens) + 1


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name=name)

    view = View(small(FORMS, hats=HATS))
    monkeypatch.setattr("interpreter.adapters.extras.importlib.import_module", missing)
    for extra, call in (
        ("gymnasium", lambda: spaces.action_space(view)),
        ("pettingzoo", lambda: aec.environment(view.program)),
        ("openspiel", lambda: openspiel.register(view.program)),
    ):
        with pytest.raises(extras.ExtraMissingError, match=rf'pip install "rulelang\[{extra}\]"'):
            call()
