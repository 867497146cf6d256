"""What is played: the versions of a game, who sits where, and which seeds. It travels to whoever plays a part of it."""

from __future__ import annotations

import hashlib
import pickle
from typing import TYPE_CHECKING, Final, Literal, Protocol

import attrs

if TYPE_CHECKING:
    from interpreter.providers.process import Seat
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

Measure = Literal["outcomes", "rules"]
"""`outcomes` keeps no event log and costs next to nothing; `rules` counts all that rules do."""

SMALLEST_BATCH: Final = 64
LARGEST_BATCH: Final = 4096
_BATCHES: Final = 256


class MakesPlayers(Protocol):
    """Makes who answers for a seat of one game; it can be pickled."""

    def __call__(self, kind: str, seed: int, seat: Seat) -> DecisionProvider:
        """Make one.

        Args:
            kind: One of :attr:`Plan.kinds`.
            seed: Of the game.
            seat: Where in which game.
        """
        ...


@attrs.frozen
class Version:
    """One of the games that are played with the same seeds.

    Attributes:
        label: What it is called in reports.
        program: The hash of its packed Program.
        options: One value for each option.
        score: A field of players or a definition about one by which the lead is told; None: the one that decides who
            wins, if there is such a one.
    """

    label: str
    program: str
    options: tuple[object, ...]
    score: str | None = None


@attrs.frozen
class Plan:
    """What is played and measured.

    Attributes:
        versions: At least one; each plays every seed.
        pairs: Which versions are compared: places in `versions`, of the changed one and of its base.
        kinds: Who answers, for each seat that has a person: words for `players`.
        rotate: Whether who answers moves on by one seat from game to game.
        seed: Of game 0; the others follow.
        games: How many, at most.
        batch: How many games one worker plays in a row, a power of 2.
        measure: How much is noted.
        longest: After so many answers of people a game is stopped, and counts as unfinished; None: the engine's budget.
        players: Makes who answers.
        rows: Whether the figures of single games come back too.
    """

    versions: tuple[Version, ...]
    pairs: tuple[tuple[int, int], ...]
    kinds: tuple[str, ...]
    seed: int
    games: int
    batch: int
    players: MakesPlayers = attrs.field(eq=False, repr=False)
    rotate: bool = False
    measure: Measure = "rules"
    longest: int | None = None
    rows: bool = False

    def digest(self) -> str:
        """A hash of everything that the figures depend on."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.games // self.batch)

    def numbers(self, batch: int) -> range:
        """The games of a batch."""
        return range(batch * self.batch, min(self.games, (batch + 1) * self.batch))

    def seated(self, number: int) -> tuple[str, ...]:
        """Who answers in a game, by seat."""
        if not self.rotate:
            return self.kinds
        by = number % len(self.kinds)
        return (*self.kinds[-by:], *self.kinds[:-by]) if by else self.kinds

    def roles(self, number: int) -> tuple[int, ...]:
        """For each seat with a person the place in `kinds` of who answers there in a game."""
        people = len(self.kinds)
        by = number % people if self.rotate and people else 0
        return tuple((seat - by) % people for seat in range(people))


def batch_size(games: int) -> int:
    """Give the size of batches for so many games; it does not depend on who plays them."""
    size = SMALLEST_BATCH
    while size < LARGEST_BATCH and size * _BATCHES < games:
        size *= 2
    return size


def packed(program: ir.Program) -> tuple[str, bytes]:
    """Pack a Program for the way to workers; gives its hash, and itself as bytes.

    The hash is that of the ruleset with its variants, for a number of seats. The same Program made twice may differ as
    bytes, by which of its parts are one object.
    """
    made = (program.name, program.version, program.digest, program.seats, program.variants)
    return hashlib.sha256(repr(made).encode()).hexdigest(), pickle.dumps(program, protocol=5)
