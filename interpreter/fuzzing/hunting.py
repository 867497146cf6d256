"""Plays one game on generated code and checks, on the way, what must hold in every game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from interpreter.chance import Stream
from interpreter.errors import EngineError, RuleFault
from interpreter.faultcodes import LEAK, OVERLONG_GAME
from interpreter.fuzzing import invariants
from interpreter.fuzzing.findings import Finding, Plan
from interpreter.fuzzing.luck import LUCK, Fair
from interpreter.fuzzing.players import PLAYERS
from interpreter.fuzzing.script import Scribe
from interpreter.machine import Match

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from rulelang import ir

_SECRECY, _OPTIONS, _SAVING = 12, 25, 60
"""A question is looked at closely when a game asks it first, then one time of so many."""
_TRIED = 12
"""Of the options of a question so many are tried."""


class Hunter:
    """Plays games of one program.

    Args:
        program: The ruleset for its number of seats.

    Attributes:
        asked: How often each question has been asked in all games.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.asked: Counter[str] = Counter()

    def play(self, plan: Plan) -> Finding | None:
        """Play a game; give what is wrong in it, None if nothing is."""
        seed = f"{plan.seed}"
        scribe = Scribe(
            LUCK[plan.luck](seed),
            [PLAYERS[kind](f"{seed}/{seat}") for seat, kind in enumerate(plan.players)],
            Fair(f"{seed}/relief"),
        )
        try:
            return self._play(plan, scribe, seed)
        except RuleFault as fault:
            return of_fault(fault, plan, scribe)
        except EngineError as error:
            return _internal(f"{type(error).__name__}: {error}", plan, scribe)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            return _internal(f"{type(error).__name__}: {error}", plan, scribe)

    def _play(self, plan: Plan, scribe: Scribe, seed: str) -> Finding | None:
        match = Match(
            self.program,
            people=plan.people,
            seed=seed,
            options=plan.options,
            chance=scribe,
            checks=True,
            optimise=False,
        )
        known: set[str] = set()
        made = 0
        while (decision := match.next()) is not None:
            self.asked[decision.path] += 1
            fresh = decision.path not in known
            known.add(decision.path)
            found = self._look(
                match, decision, plan, scribe, Stream(f"{seed}/{made}", "looking"), fresh=fresh
            )
            if found is not None:
                return found
            if made >= plan.longest:
                return _overlong(plan, scribe) if plan.should_end else None
            made += 1
            seat = decision.seat
            match.apply(scribe.decide(lambda: match.observation(seat), decision))  # noqa: B023
        wrong = invariants.structure(match)
        return _internal(wrong, plan, scribe) if wrong else None

    def _look(
        self,
        match: Match,
        decision: Decision,
        plan: Plan,
        scribe: Scribe,
        looking: Stream,
        *,
        fresh: bool,
    ) -> Finding | None:
        """Look closely at a question, if its turn comes."""
        secrecy, saving, options = (looking(each) == 0 for each in (_SECRECY, _SAVING, _OPTIONS))
        if fresh or secrecy:
            wrong = invariants.structure(match) or invariants.views(match, looking)
            if wrong:
                return _internal(wrong, plan, scribe)
            told = invariants.secrecy(match, looking)
            if told:
                path = decision.path
                return Finding(LEAK, told, plan, tuple(scribe.entries), path=path)
        if fresh or saving:
            wrong = invariants.continuation(match, looking)
            if wrong:
                return _internal(wrong, plan, scribe)
        if fresh or options:
            return self._try_options(match, decision, plan, scribe, looking)
        return None

    def _try_options(
        self, match: Match, decision: Decision, plan: Plan, scribe: Scribe, looking: Stream
    ) -> Finding | None:
        """Give each answer that is offered, on copies: none of them may be a fault."""
        answers: list[object] = [group[0] for group in decision.options.groups]
        if decision.form == "set":
            answers = [*decision.options.some(2), decision.options.sample(looking)]
        elif len(answers) > _TRIED:
            answers = list(looking.mix(tuple(answers))[:_TRIED])
        for answer in dict.fromkeys(answers):
            twin = match.clone()
            trial = Scribe(Fair(f"{plan.seed}/{looking(1 << 30)}"), scribe.providers)
            trial.entries = list(scribe.entries)
            twin.draw_from(trial)
            twin.apply(answer)
            trial.note(decision, decision.options.normal(answer))
            try:
                twin.next()
            except RuleFault as fault:
                return of_fault(fault, plan, trial)
        return None


def of_fault(fault: RuleFault, plan: Plan, scribe: Scribe) -> Finding:
    """A rule fault as a finding."""
    return Finding(fault.code, fault.message, plan, tuple(scribe.entries), fault.span, fault.stack)


def _overlong(plan: Plan, scribe: Scribe) -> Finding:
    message = f"the game has not ended after {plan.longest:,} decisions"
    return Finding(OVERLONG_GAME, message, plan, tuple(scribe.entries))


def _internal(message: str, plan: Plan, scribe: Scribe) -> Finding:
    return Finding("", message, plan, tuple(scribe.entries))
