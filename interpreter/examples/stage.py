"""The compiled engine as scenarios need it: one doing at a time, on a state that they set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.built import Flags
from interpreter.compiling.compiler import compiled
from interpreter.errors import EngineError, RuleFault
from interpreter.game import Game
from interpreter.runtime import SUSPENDED, GameEnd
from interpreter.traces import fault_of

if TYPE_CHECKING:
    from interpreter.chance import ChanceProvider
    from interpreter.events import Event
    from interpreter.layout import Layout, Slots
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

_FLAGS = Flags(log=True, checks=True)


class Stage:
    """A game of which single doings are run; see :class:`interpreter.examples.scenarios.Game`.

    Args:
        program: What is played.
        options: A value for each option.
        people: The seats that have a person.
    """

    def __init__(
        self, program: ir.Program, options: tuple[object, ...], people: tuple[int, ...]
    ) -> None:
        self._code = compiled(program, options, _FLAGS)
        self._all = self._code.initial(people)
        self.slots: Slots = self._all[: self._code.layout.size]
        self.options = options
        self.events: list[Event] = []
        self.chance: ChanceProvider | None = None
        self.providers: dict[int, DecisionProvider] = {}

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        return self._code.layout

    def perform(self, doing: int) -> None:
        """Run one doing without parameters to its end.

        Raises:
            RuleFault: a rule asked for something impossible.
            EngineError: a provider did not answer, or answered what is not legal.
        """
        code = self._code
        slots = [*self.slots, *self._all[code.layout.size :]]
        code.rebuild(slots)
        self.slots = slots  # a script looks at the state as it is when it answers
        seats = code.program.kinds[0].count
        game = Game(code, [self.providers.get(seat) for seat in range(seats)], self.chance, 0)
        game.log = self.events
        game.begin(None, None)
        try:
            out = code.namespace[f"d{doing}"](game, slots)
            game.finish()
        except GameEnd:
            out = None
        except EngineError as error:
            if isinstance(error, RuleFault):
                raise fault_of(code, error) from error
            raise
        except (TypeError, IndexError, KeyError, ZeroDivisionError, ValueError) as error:
            if game.outside:
                raise
            raise fault_of(code, error) from error
        finally:
            self.slots = slots[: code.layout.size]
        if out is SUSPENDED:
            message = "a scenario answers every question"
            raise EngineError(message)
