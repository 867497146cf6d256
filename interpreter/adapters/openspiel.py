"""Any ruleset as a game of OpenSpiel, registered with pyspiel. Needs the extra `openspiel`.

The first move is chance's: it draws one of `seeds` seeds, from which all dice and shuffles of the game follow. Players
are the seats with a person; they move once for each token of their answers (see :mod:`interpreter.adapters.actions`).
A winner's return is 1 and that of the others -1; all have 0 if nobody has won.

A clone of a state knows the dice to come. Algorithms that ask for `resample_from_infostate` (information-set search)
get a state that its player cannot tell from the true one, with other dice and other hidden things; those that search
in clones only (plain MCTS) play with open cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.adapters.extras import needed
from interpreter.adapters.stepping import Stepper
from interpreter.adapters.views import View
from interpreter.sight.redeal import redealt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rulelang import ir

LONGEST = 100_000
"""OpenSpiel wants to know how many moves a game may have."""

_PREFIX = "rulelang_"


class Told:
    """The tokens given so far, with their seats; never changed, so copies of a state share it."""

    __slots__ = ("tokens",)

    def __init__(self, tokens: tuple[tuple[int, int], ...] = ()) -> None:
        self.tokens = tokens

    def and_then(self, seat: int, token: int) -> Told:
        """These, and one more."""
        return Told((*self.tokens, (seat, token)))

    def __deepcopy__(self, memo: dict[int, object]) -> Told:
        memo[id(self)] = self
        return self


def register(
    program: ir.Program,
    people: int | None = None,
    options: Mapping[str, object] | None = None,
    *,
    name: str | None = None,
    seeds: int = 1000,
    backs: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Make a game known to pyspiel.

    Args:
        program: What is played.
        people: How many seats are players; None: all.
        options: Values of options of the ruleset, by name.
        name: What it is called there; None: `rulelang_` and the name of the ruleset.
        seeds: So many different games chance can deal.
        backs: What is known of hidden things of a kind, see :func:`interpreter.sight.redeal.redealt`.

    Returns:
        The name, for `pyspiel.load_game`.

    Raises:
        ExtraMissingError: OpenSpiel is not installed.
    """
    spiel = needed("openspiel", "pyspiel")
    numpy = needed("openspiel", "numpy")
    view = View(program)
    players = program.seats if people is None else min(people, program.seats)
    called = name or _PREFIX + program.name
    kind = spiel.GameType(
        short_name=called,
        long_name=program.title or program.name,
        dynamics=spiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=spiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=spiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=spiel.GameType.Utility.GENERAL_SUM,
        reward_model=spiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = spiel.GameInfo(
        num_distinct_actions=len(view.tokens),
        max_chance_outcomes=seeds,
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=None,
        max_game_length=LONGEST,
    )

    def begin(seed: int) -> Stepper:
        return Stepper(view, players, seed, options)

    class RulesetGame(spiel.Game):  # type: ignore[misc, name-defined]
        """See the module."""

        def __init__(self, params: Any = None) -> None:  # noqa: ANN401 - the library's
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:  # noqa: ANN401 - the library's
            return RulesetState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:  # noqa: ANN401 - the library's
            if params:
                raise ValueError("observers have no parameters")
            recall = iig_obs_type is not None and iig_obs_type.perfect_recall
            return Observer(perfect_recall=recall)

    class RulesetState(spiel.State):  # type: ignore[misc, name-defined]
        """See the module."""

        def __init__(self, game: Any) -> None:  # noqa: ANN401 - the library's
            super().__init__(game)
            self.stepper: Stepper | None = None
            self.told = Told()

        def current_player(self) -> Any:  # noqa: ANN401 - a number or a name
            if self.stepper is None:
                return spiel.PlayerId.CHANCE
            if self.stepper.over:
                return spiel.PlayerId.TERMINAL
            return self.stepper.seat

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(seed, 1.0 / seeds) for seed in range(seeds)]

        def _legal_actions(self, player: int) -> list[int]:
            return [] if self.stepper is None else self.stepper.legal(player)

        def _apply_action(self, action: int) -> None:
            if self.stepper is None:
                self.stepper = begin(action)
            else:
                self.told = self.told.and_then(self.stepper.seat or 0, action)
                self.stepper.step(action)

        def _action_to_string(self, player: int, action: int) -> str:
            if player == spiel.PlayerId.CHANCE:
                return f"seed {action}"
            return view.tokens.names[action]

        def is_terminal(self) -> bool:
            return self.stepper is not None and self.stepper.over

        def returns(self) -> list[float]:
            return [0.0] * players if self.stepper is None else self.stepper.returns()[:players]

        def numbers(self, player: int) -> list[int]:
            """See :mod:`interpreter.adapters.views`."""
            return [0] * view.size if self.stepper is None else self.stepper.numbers(player)

        def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:  # noqa: ANN401 - the library's
            """A state that a player cannot tell from this one; `sampler` draws from 0 to 1."""
            twin = self.clone()
            if self.stepper is not None and not self.stepper.over:
                match = redealt(
                    self.stepper.match, player, lambda n: min(int(sampler() * n), n - 1), backs
                )
                twin.stepper = self.stepper.standing_at(match)
            return twin

        def __str__(self) -> str:
            if self.stepper is None:
                return "before the first move"
            return " ".join(
                f"{seat + 1}:{view.tokens.names[token]}" for seat, token in self.told.tokens
            )

    class Observer:
        """What a player sees, as numbers and as a text."""

        def __init__(self, *, perfect_recall: bool) -> None:
            self.tensor = numpy.zeros(view.size, numpy.float32)
            self.dict = {"observation": self.tensor}
            self._recall = perfect_recall

        def set_from(self, state: Any, player: int) -> None:  # noqa: ANN401 - the library's
            self.tensor[:] = state.numbers(player)

        def string_from(self, state: Any, player: int) -> str:  # noqa: ANN401 - the library's
            seen = ",".join(map(str, state.numbers(player)))
            own = [view.tokens.names[token] for seat, token in state.told.tokens if seat == player]
            return f"{seen}; {' '.join(own)}" if self._recall else seen

    spiel.register_game(kind, RulesetGame)
    return called
