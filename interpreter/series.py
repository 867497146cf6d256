"""Many games of one ruleset one after the other, played to their ends by the same providers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from interpreter.compiling.built import Flags
from interpreter.compiling.compiler import compiled
from interpreter.errors import IllegalChoice, Reason, RuleFault
from interpreter.game import Game
from interpreter.layout import option_values
from interpreter.runtime import SUSPENDED, GameEnd
from interpreter.traces import RULES, fault_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interpreter.layout import Slots
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir


class Finished(NamedTuple):
    """A game that is over.

    Attributes:
        slots: Its state, see :class:`interpreter.layout.Layout`; behind its size stands what the engine derives.
        winners: The players (as numbered in the Program) who have won; None if nobody said so.
    """

    slots: Slots
    winners: tuple[int, ...] | None


_finished: Callable[[tuple[Slots, object]], Finished] = partial(tuple.__new__, Finished)
"""Twice as quick as the class, which takes its fields by name too."""


def series(
    program: ir.Program,
    providers: Mapping[int, DecisionProvider],
    seeds: Iterable[int | str],
    *,
    options: Mapping[str, object] | Sequence[object] | None = None,
) -> Iterator[Finished]:
    """Play a game for each seed; each is what :func:`interpreter.machine.play` would play with these providers.

    Args:
        program: What is played.
        providers: Who answers, for each seat; all seats have a person. They are asked in one game after the other.
        seeds: Of chance.
        options: Values of options, by name or all in order.

    Raises:
        RuleFault: A rule asked for something impossible.
        IllegalChoice: A seat has no provider, or one answered something illegal or wanted to answer later.
    """
    if options is not None and not isinstance(options, (list, tuple)):
        options = option_values(program, dict(options))  # type: ignore[arg-type]
    code = compiled(program, None if options is None else tuple(options), Flags())
    seats = tuple(range(program.kinds[0].count))
    game = Game(code, [providers.get(seat) for seat in seats], None, 0)
    main, winners = code.main, code.layout.winners
    empty = code.initial(seats)
    for seed in seeds:
        slots = empty[:]
        game.seed = seed
        game.hash = None
        game.begin(None, None)
        try:
            out = main(game, slots)
        except GameEnd:
            out = None
        except (RuleFault, *RULES) as error:
            if game.outside and not isinstance(error, RuleFault):
                raise
            raise fault_of(code, error) from error
        if out is SUSPENDED:
            raise IllegalChoice(Reason.NO_DECISION, "nobody answers for a seat")
        if game.lines < 0:
            game.out_of_lines()
        yield _finished((slots, slots[winners]))
