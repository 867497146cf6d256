"""What the ruleset's own policy would answer in a seat, and the line of the rules that says so.

The policy is asked in a state in which what the seat does not see was dealt anew, so that not even a policy that looks
too far can give something away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.chance import Stream
from interpreter.compiling.analysis import walk
from interpreter.errors import EngineError
from interpreter.sight.redeal import redealt
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.machine import Match

_FARTHEST = 8
"""Lines below a question in which its policy may stand."""
_WORD = "automa"


@attrs.frozen
class Advice:
    """What would be answered.

    Attributes:
        answer: The answer; None with an empty text if there is no policy.
        text: In words.
        line: The line of the rules that says so; may be empty.
        place: Where it stands: file and line.
    """

    answer: object
    text: str
    line: str = ""
    place: str = ""


def advice_for(match: Match, seed: str = "") -> Advice | None:
    """Ask the ruleset's policy about the decision that waits; None if it has none for it."""
    decision = match.pending
    if decision is None:
        return None
    below = Stream(seed, "hint")
    try:
        twin = redealt(match, decision.seat, below).pending
    except EngineError:
        return None
    if twin is None or twin.policy is None or twin.path != decision.path:
        return None
    answer = twin.policy(below)
    if not decision.options.contains(answer):
        return None
    answer = decision.options.normal(answer)
    line, place = _source(match.program, decision, answer)
    return Advice(answer, decision.options.text(answer), line, place)


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
