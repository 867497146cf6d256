"""A position in which two rules apply of which only one can count, found by playing.

A few games are played at random, on a program in which the conflict is left in. That they are few
and seeded makes the answer the same every time; where none is found, the two rules may still meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.errors import EngineError
from interpreter.providers.random import RandomProvider
from interpreter.reference.limits import EnoughError, stop_after
from interpreter.reference.machine import Reference
from interpreter.wording import Wording, leaves
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.reference.expressions import Env, Running

GAMES = 5
DECISIONS = 80
"""So many games are played, and so many decisions are made in each."""
_SHOWN = 6


@attrs.frozen
class Contest:
    """Two rules about one thing.

    Attributes:
        first: Where one of them stands.
        second: Where the other one stands.
    """

    first: ir.Span
    second: ir.Span


@attrs.frozen
class Position:
    """Where two rules met.

    Attributes:
        seed: Of the game: of chance, and of those who answered at random.
        decision: How many decisions had been made.
        running: The doings that were open, outermost first.
        arguments: What the thing was asked about, by parameter.
        values: What the conditions of both rules read, by name.
    """

    seed: int
    decision: int
    running: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Describe it in a sentence."""
        made = "1 decision" if self.decision == 1 else f"{self.decision} decisions"
        where = f" in `{self.running[-1]}`" if self.running else ""
        known = [f"`{name}` is {value}" for name, value in (*self.arguments, *self.values)]
        facts = f": {', '.join(known)}" if known else ""
        return f"both applied{where} in a random game (seed {self.seed}, after {made}){facts}"


def find(
    program: ir.Program, contest: Contest, games: int = GAMES, decisions: int = DECISIONS
) -> Position | None:
    """Play until two rules meet.

    Args:
        program: The game, with the conflict left in.
        contest: The two rules.
        games: How many games are played at most.
        decisions: How many decisions are made in each at most.

    Returns:
        The first position in which both applied; None if there was none.
    """
    subject = _Subject.of(program, contest)
    if subject is None:
        return None
    for seed in range(games):
        game = _Watching(program, subject, seed, decisions)
        try:
            game.play()
        except _MetError as met:
            return met.position
        except (EngineError, EnoughError):
            continue
    return None


class _MetError(Exception):
    """Two rules have met."""

    def __init__(self, position: Position) -> None:
        self.position = position


@attrs.frozen(eq=False)
class _Subject:
    """What is looked at: a definition with two exceptions, or the doings that two rules replace."""

    definition: int | None
    clauses: tuple[ir.Clause, ...]
    doings: dict[int, tuple[ir.Hook, ...]]

    @staticmethod
    def of(program: ir.Program, contest: Contest) -> _Subject | None:
        """Find the two rules."""
        places = (contest.first, contest.second)
        for definition in program.definitions:
            body = definition.body
            if isinstance(body, ir.Exceptional):
                found = tuple(each for each in body.clauses if each.span in places)
                if {each.span for each in found} == set(places):
                    return _Subject(definition.index, found, {})
        doings: dict[int, tuple[ir.Hook, ...]] = {}
        for doing in program.doings:
            hooks = tuple(each for each in doing.instead if each.span in places)
            if {each.span for each in hooks} == set(places):
                doings[doing.index] = hooks
        return _Subject(None, (), doings) if doings else None


class _Watching(Reference):
    """A game that stops where two rules meet."""

    def __init__(self, program: ir.Program, subject: _Subject, seed: int, decisions: int) -> None:
        people = range(min(program.seats, max(1, program.players[1])))
        super().__init__(
            program,
            seed=seed,
            people=tuple(people),
            providers={seat: RandomProvider(f"{seed} {seat}") for seat in people},
            watch=stop_after(decisions),
        )
        self._subject = subject
        self._seed = seed
        self._wording = Wording(program, self.naming)
        self._looking = False

    def call(self, index: int, args: tuple[object, ...]) -> object:
        """Look whether both exceptions apply before a definition is asked."""
        if index == self._subject.definition and not self._looking:
            definition = self.program.definitions[index]
            env: Env = dict(zip((param.name for param in definition.params), args, strict=True))
            self._looking = True
            try:
                self._look(definition, env)
            finally:
                self._looking = False
        return super().call(index, args)

    def _look(self, definition: ir.Definition, env: Env) -> None:
        values: list[object] = []
        read: list[tuple[ir.Expr | None, Env]] = []
        for clause in self._subject.clauses:
            for names in self.with_rows(clause.block, env):
                inner = self.bound(clause.lets, names)
                if inner is not None and self.holds(clause.cond, inner):
                    values.append(self.value(clause.value, inner))
                    read.append((clause.cond, inner))
                    break
        if len(values) == len(self._subject.clauses) and values[0] != values[1]:
            self._met(definition.params, env, read)

    def _instead(self, frame: Running) -> tuple[bool, object]:
        hooks = self._subject.doings.get(frame.doing.index, ())
        read: list[tuple[ir.Expr | None, Env]] = []
        for hook in hooks:
            busy = hook.busy is not None and self.slots[self.layout.global_slot(hook.busy)]
            env = None if busy else self._applies(hook, frame, None, None)
            if env is not None:
                read.append((hook.guard, env))
        if hooks and len(read) == len(hooks):
            self._met(frame.doing.params, frame.env, read)
        return super()._instead(frame)

    # ---------------------------------------------------------------------------------- describing

    def _met(
        self, params: tuple[ir.Param, ...], env: Env, read: list[tuple[ir.Expr | None, Env]]
    ) -> None:
        values: dict[str, str] = {}
        for cond, names in read:
            for part in leaves(cond):
                said = self._wording.said(part)
                if said and said not in values:
                    values[said] = self.naming.key(self.value(part, names), part.type)
        made = self.slots[self.layout.decisions]
        raise _MetError(
            Position(
                self._seed,
                made if isinstance(made, int) else 0,
                tuple(each.doing.name for each in self.stack),
                tuple((each.name, self.naming.key(env[each.name], each.type)) for each in params),
                tuple(values.items())[:_SHOWN],
            )
        )
