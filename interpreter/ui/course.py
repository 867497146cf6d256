"""A recorded game played again decision by decision, for those who look at it: read, checked, and walked through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.decision import plain
from interpreter.errors import IllegalChoice, ReplayError, RuleFault
from interpreter.records.replay import Follower, check_end
from interpreter.sight.observation import Everything
from interpreter.ui.engine import chance_of, start
from interpreter.ui.loading import load_for
from interpreter.ui.recordings import check_game, check_match, read_recorded, variants_of_file
from interpreter.ui.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.decision import Decision
    from interpreter.events import Event
    from interpreter.machine import Match
    from interpreter.records.replay import Replay
    from interpreter.sight.observation import Observation
    from rulelang.ir import Program


@attrs.frozen
class Recorded:
    """A recorded game with its ruleset.

    Attributes:
        file: Where it was read.
        replay: What was recorded.
        program: The ruleset for its seats.
        game: Name or path of the ruleset.
        variants: What is merged into it.
    """

    file: str
    replay: Replay
    program: Program
    game: str
    variants: tuple[str, ...]

    @property
    def people(self) -> int:
        """How many seats have a person."""
        return len(self.replay.people)


@attrs.frozen
class Moment:
    """A recorded game when so many answers have been given.

    Attributes:
        number: How many.
        match: It waits for the next answer, or is over. It goes on with the course: look at once.
        events: What has happened since the moment before.
        decision: What is asked; None at the end of the game.
    """

    number: int
    match: Match
    events: Sequence[Event]
    decision: Decision | None

    def seen(self, seat: int | None) -> Observation:
        """Give what a seat sees, from 0; None: everything."""
        match = self.match
        return Everything(match.layout, match.state()) if seat is None else match.observation(seat)


def open_recorded(file: str, game: str | None, variants: Sequence[str]) -> Recorded:
    """Read a recorded game and load its ruleset.

    Args:
        file: A replay or a journal.
        game: Name or path of the ruleset; None: as the recording names it.
        variants: Where its variants are; empty: they are found by their names.

    Raises:
        click.UsageError: The file is no recording of a ruleset that is there.
    """
    replay = read_recorded(file)
    if game is not None:
        check_game(replay, game, file)
    table = Table(
        people=len(replay.people),
        variants=tuple(variants) or tuple(replay.variants),
        recorded_seats=replay.seats,
    )
    name = game or replay.ruleset
    with variants_of_file(file):
        program, _ = load_for(name, table)
    check_match(replay, program, file)
    return Recorded(file, replay, program, name, table.variants)


def course(recorded: Recorded) -> Iterator[Moment]:
    """Play a recorded game again, and stop before each answer and at the end.

    Raises:
        ReplayError: The game differs from the recording; at the first difference, which it tells.
    """
    replay, program = recorded.replay, recorded.program
    options = tuple(plain(replay.options[option.name]) for option in program.options)
    chance = chance_of(replay, program)
    game = start(program, options, replay.seed, replay.people, log=True, chance=chance)
    match = game.match
    if chance is not None:
        chance.watch(match)
    follower = Follower(replay)
    follower.game = game
    told = 0
    while True:
        try:
            decision = match.next()
            if chance is not None:
                chance.look()
        except ReplayError:
            if replay.final or follower.left or chance is None or chance.left:
                raise
            return  # it was stopped before a result from the table
        except (IllegalChoice, RuleFault) as error:
            raise ReplayError(
                f"the game stops after answer {follower.position}: {error}", follower.position
            ) from error
        events = match.events
        yield Moment(follower.position, match, events[told:], decision)
        told = len(events)
        if decision is None:
            check_end(replay, game, follower.position)
            return
        if not follower.left and not replay.final:
            return
        match.apply(follower.decide(lambda: match.observation(0), decision))
