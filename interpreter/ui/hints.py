"""What the ruleset's own policy would answer in a seat, and the line that says so; else what a search advises.

The policy is asked in a state in which what the seat does not see was dealt anew, so that not even a policy that looks
too far can give something away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.chance import Stream
from interpreter.compiling.analysis import walk
from interpreter.errors import EngineError
from interpreter.sight.redeal import redealt
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interpreter.decision import Below, Decision
    from interpreter.machine import Match

_FARTHEST = 8
"""Lines below a question in which its policy may stand."""
_WORD = "automa"


class Named(Protocol):
    """An option as somebody may read it."""

    @property
    def value(self) -> object:
        """What an answer holds."""
        ...

    @property
    def text(self) -> str:
        """In words."""
        ...


PLAYOUTS = 60
"""So many are searched where the ruleset has no policy; their number, not the time, is what makes advice repeatable."""


@attrs.frozen
class Advice:
    """What would be answered.

    Attributes:
        answer: The answer.
        text: In words that the seat may read.
        line: The line of the rules that says so; empty where a search does.
        place: Where it stands: file and line.
        cites: Ids of the rules behind the question.
        sure: How sure a search is; empty where the rules say so.
    """

    answer: object
    text: str
    line: str = ""
    place: str = ""
    cites: tuple[str, ...] = ()
    sure: str = ""

    @property
    def what(self) -> str:
        """Who advises what, as a sentence."""
        who = "A search advises" if self.sure else "The ruleset's policy would choose"
        return f"{who}: {self.text or 'nothing'}."

    @property
    def why(self) -> str:
        """The reason, as a line; may be empty."""
        if self.sure:
            return self.sure
        cites = f"  [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.place}  {self.line}{cites}".strip()


def advice_for(
    match: Match,
    texts: Mapping[object, str] | None = None,
    seed: str = "",
    deal: Below | None = None,
) -> Advice | None:
    """Ask the ruleset's policy about the decision that waits, or a search where it has none.

    Args:
        match: It is not changed.
        texts: What the seat calls the options.
        seed: Of the draws of the policy and of the search.
        deal: Draws what the seat does not see for the policy; None: follows from the seed.

    Returns:
        The advice; None if nothing is asked, or nothing can be said.
    """
    decision = match.pending
    if decision is None:
        return None
    named = texts or {}
    if decision.policy is None:
        return _searched(match, decision, named, seed)
    try:
        twin = redealt(match, decision.seat, deal or Stream(seed, "hint worlds")).pending
    except EngineError:
        return None
    if twin is None or twin.policy is None or twin.path != decision.path:
        return None
    # Its chance must not depend on how was dealt, which depends on what is hidden.
    answer = twin.policy(Stream(seed, "hint"))
    if not decision.options.contains(answer):
        return None
    answer = decision.options.normal(answer)
    line, place = _source(match.program, decision, answer)
    cites = tuple(dict.fromkeys(decision.citations))
    return Advice(answer, _text(decision, answer, named), line, place, cites)


def names_of(decision: Decision, options: Iterable[Named]) -> dict[object, str]:
    """What a seat calls each value that an answer can hold.

    Args:
        decision: What is asked.
        options: As the seat may read them.
    """
    groups = {group[0]: group for group in decision.options.groups}
    return {value: each.text for each in options for value in groups.get(each.value, (each.value,))}


def _searched(
    match: Match, decision: Decision, texts: Mapping[object, str], seed: str
) -> Advice | None:
    """Ask a search, which knows what the seat sees and nothing else."""
    from interpreter.search.advising import advise
    from interpreter.search.settings import SearchSettings

    try:
        found = advise(match, decision.seat, SearchSettings(PLAYOUTS), seed=f"hint {seed}")
    except LookupError:
        return None
    if not found.ranked:
        return None
    best = found.ranked[0]
    answer = decision.options.normal(best.answer)
    sure = (
        f"The ruleset has no policy here. This came to {100 * best.value:.0f} % (100 % is to win alone)"
        f" in the {best.visits} of {found.playouts} playouts that tried it"
    )
    return Advice(answer, _text(decision, answer, texts), sure=sure)


def _text(decision: Decision, answer: object, texts: Mapping[object, str]) -> str:
    if answer in texts:
        return texts[answer]
    if isinstance(answer, tuple) and answer and all(each in texts for each in answer):
        return ", ".join(texts[each] for each in answer)
    return decision.options.text(answer)


def _source(program: ir.Program, decision: Decision, answer: object) -> tuple[str, str]:
    """The line with a policy, and where it stands."""
    ask = next(
        (
            each
            for each in walk((program.doings,))
            if isinstance(each, ir.Ask) and each.decision == decision.index
        ),
        None,
    )
    if ask is None:
        return "", ""
    span = ask.span
    if decision.form == "action" and isinstance(answer, tuple):
        name = decision.options.key(answer).partition("(")[0]
        span = next((each.span for each in program.doings if each.name == name), span)
    if decision.form == "label" and isinstance(answer, int):
        wanted = ask.alternatives[answer].automa
        span = span if wanted is None else wanted.span
    if not span.line or span.file >= len(program.sources):
        return "", ""
    lines = program.sources[span.file].splitlines()
    last = max(span.end_line, span.line + _FARTHEST)
    for number in range(span.line, min(last, len(lines)) + 1):
        if _WORD in lines[number - 1].split("#")[0]:
            return lines[number - 1].strip(), f"{program.files[span.file]}:{number}"
    return lines[span.line - 1].strip(), f"{program.files[span.file]}:{span.line}"
