"""Any ruleset as an environment of PettingZoo (AEC: one agent after the other). Needs the extra `pettingzoo`.

Agents are `seat_1`, `seat_2` and so on, one for each seat with a person; the ruleset's policies play the others. An
agent steps once for each token of its answer (see :mod:`interpreter.adapters.actions`). At the end a winner has the
reward 1 and the others -1; all have 0 if nobody has won, or if the game has been cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.adapters.extras import needed
from interpreter.adapters.spaces import action_space, observation_space
from interpreter.adapters.stepping import Stepper
from interpreter.adapters.views import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulelang import ir

LONGEST = 100_000
"""A game of more tokens is cut off."""


def environment(
    program: ir.Program,
    people: int | None = None,
    options: Mapping[str, object] | None = None,
    longest: int = LONGEST,
) -> Any:  # noqa: ANN401 - of a library that may be missing
    """Make an environment.

    Args:
        program: What is played.
        people: How many seats have an agent; None: all.
        options: Values of options of the ruleset, by name.
        longest: A game of more tokens is cut off.

    Returns:
        A `pettingzoo.AECEnv`.

    Raises:
        ExtraMissingError: PettingZoo is not installed.
    """
    base = needed("pettingzoo", "pettingzoo").AECEnv
    numpy = needed("pettingzoo", "numpy")
    view = View(program)
    seats = program.seats if people is None else min(people, program.seats)
    names = [f"seat_{seat + 1}" for seat in range(seats)]

    class RulesetEnv(base):  # type: ignore[misc, valid-type]
        """See the module."""

        metadata = {"name": f"{program.name}_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012 - so the library wants it

        def __init__(self) -> None:
            super().__init__()
            self.possible_agents = list(names)
            self.render_mode = None
            self.view = view
            self._spaces = {name: observation_space(view) for name in names}
            self._actions = {name: action_space(view) for name in names}
            self._seeds = 0

        def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - the library's
            return self._spaces[agent]

        def action_space(self, agent: str) -> Any:  # noqa: ANN401 - the library's
            return self._actions[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            del options
            self._seeds = self._seeds + 1 if seed is None else seed
            self.stepper = Stepper(view, seats, self._seeds, dict(given) if given else None)
            self.agents = list(names)
            self.rewards = dict.fromkeys(names, 0.0)
            self._cumulative_rewards = dict.fromkeys(names, 0.0)
            self.terminations = dict.fromkeys(names, self.stepper.over)
            self.truncations = dict.fromkeys(names, False)
            self.infos: dict[str, dict[str, Any]] = {name: {} for name in names}
            self._steps = 0
            self.agent_selection = names[self.stepper.seat or 0]

        def observe(self, agent: str) -> dict[str, Any]:
            seat = names.index(agent)
            mask = numpy.zeros(len(view.tokens), numpy.int8)
            mask[self.stepper.legal(seat)] = 1
            return {
                "observation": numpy.array(self.stepper.numbers(seat), numpy.int32),
                "action_mask": mask,
            }

        def step(self, action: int | None) -> None:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0.0
            self._clear_rewards()
            self.stepper.step(int(action))  # type: ignore[arg-type]
            self._steps += 1
            if self.stepper.over:
                returns = self.stepper.returns()
                self.rewards = {name: returns[seat] for seat, name in enumerate(names)}
                self.terminations = dict.fromkeys(names, True)
            elif self._steps >= longest:
                self.truncations = dict.fromkeys(names, True)
            else:
                self.agent_selection = names[self.stepper.seat or 0]
            self._accumulate_rewards()

        def render(self) -> None:
            return None

        def close(self) -> None:
            pass

    given = options
    return RulesetEnv()
