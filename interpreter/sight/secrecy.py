"""Questions of the reference interpreter, put again in states that their chooser cannot tell from the real one.

What is offered, and how it is asked, must be the same there: otherwise the question tells what its chooser must not
know. A few such states are tried for each question, always the same ones.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from interpreter.chance import Stream
from interpreter.errors import EngineError, RuleFault
from interpreter.faultcodes import LEAK
from interpreter.sight.observation import ints
from interpreter.sight.redeal import FEW, Redealer

if TYPE_CHECKING:
    from interpreter.decision import Domain
    from interpreter.layout import Slots
    from interpreter.reference.expressions import Env
    from interpreter.reference.machine import Reference
    from rulelang import ir

STATES: Final = 4
"""So many other states are tried."""


class Looking:
    """Looks at the questions of one game."""

    def __init__(self) -> None:
        self._dealer: Redealer | None = None
        self._asked = 0

    def look(self, game: Reference, ask: ir.Ask, player: int, domain: Domain, env: Env) -> None:
        """Put a question again where things lie that its chooser does not see.

        Raises:
            RuleFault: what is offered or asked depends on them.
        """
        form = game.program.decisions[ask.decision].form
        if len(domain.some(2)) < (1 if form in ("yes", "action") else 2):
            return  # nobody is asked
        if self._dealer is None:
            self._dealer = Redealer(game.layout)
        self._asked += 1
        below = Stream(self._asked, "secrecy")
        named = set(ints(domain.groups))
        for frame in game.stack:
            named.update(ints(tuple(frame.env.values())))
            named.update(ints(tuple((frame.names or {}).values())))
        named.update(ints(tuple(env.values())))
        seat = player - game.program.kinds[0].base
        covering, game.covering = game.covering, False  # nothing of this is put to the test
        try:
            told = _seen(game, ask, domain, env)
            states = islice(self._dealer.redeals(game.slots, (seat,), below, named), STATES)
            same = all(_elsewhere(game, ask, player, env, dealt) == told for dealt in states)
        finally:
            game.covering = covering
        if not same:
            path = game.program.decisions[ask.decision].path
            message = f"what {path} asks or offers depends on what its chooser cannot see"
            raise RuleFault(message, ask.span, game.trace(), LEAK)


def _elsewhere(game: Reference, ask: ir.Ask, player: int, env: Env, dealt: Slots) -> object:
    """What a question tells its chooser in another state."""
    kept = game.slots, game.lines, game.firings, set(game.cited)
    game.slots = dealt
    try:
        domain = game.domain_of(ask, player, env)
        return _seen(game, ask, domain, env)
    except EngineError as error:
        return str(error)
    finally:
        game.slots, game.lines, game.firings, game.cited = kept


def _seen(game: Reference, ask: ir.Ask, domain: Domain, env: Env) -> object:
    """All that a question tells its chooser."""
    return game.prompt_of(ask, env), list(domain), domain.some(FEW)
