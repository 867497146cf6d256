"""The spaces of gymnasium in which views and answers lie. Needs the extra `gymnasium`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.adapters.extras import needed
from interpreter.adapters.views import BOUND

if TYPE_CHECKING:
    from interpreter.adapters.views import View


def observation_space(view: View) -> Any:  # noqa: ANN401 - of a library that may be missing
    """A dictionary: `observation`, the view, and `action_mask`, 1 for each token that is legal.

    Raises:
        ExtraMissingError: gymnasium is not installed.
    """
    spaces = needed("gymnasium", "gymnasium.spaces")
    numpy = needed("gymnasium", "numpy")
    numbers = spaces.Box(-BOUND, BOUND, (view.size,), numpy.int32)
    mask = spaces.Box(0, 1, (len(view.tokens),), numpy.int8)
    return spaces.Dict({"observation": numbers, "action_mask": mask})


def action_space(view: View) -> Any:  # noqa: ANN401 - of a library that may be missing
    """One number for each token.

    Raises:
        ExtraMissingError: gymnasium is not installed.
    """
    return needed("gymnasium", "gymnasium.spaces").Discrete(len(view.tokens))
