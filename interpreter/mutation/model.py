"""What a change of a rule is, and what became of it."""

from __future__ import annotations

from typing import Literal

import attrs

from rulelang import ir

Unit = tuple[Literal["definition", "doing", "rule", "global"], int]
"""A part of a Program that is made anew as a whole: which list it stands in, and its index."""

Place = tuple[str, int, int, int, int]
"""Path, first line and column, last line and column; lines from 1, columns from 0, the end exclusive."""


SCENARIOS = "scenarios/"
"""Where scenarios stand: what is in there is never part of a game."""


@attrs.frozen(order=True)
class Mutant:
    """One change of the text of a ruleset.

    Attributes:
        place: Where.
        operator: What kind of change, a few words.
        before: What is written there, or what part of it.
        after: What it becomes; empty for what is left out.
        owner: The declaration that it is in.
        cites: Rule ids of the smallest thing around it that cites any.
    """

    place: Place
    operator: str
    before: str
    after: str
    owner: str = attrs.field(order=False, eq=False)
    cites: tuple[str, ...] = attrs.field(order=False, eq=False)


@attrs.frozen(eq=False)
class Edit:
    """How a change is made in one Program.

    Attributes:
        unit: Which part changes.
        old: The node that is replaced.
        new: What replaces it.
        marker: The node that is evaluated or run, or the number of the doing that begins, where it can matter.
        probe: An expression in place of the marker: it can matter only where the two have different values. None: it
            may matter wherever the marker is reached.
    """

    unit: Unit
    old: object
    new: object
    marker: object
    probe: ir.Expr | None = None


@attrs.frozen(eq=False)
class Found:
    """A change that was found in one Program.

    Attributes:
        mutant: What it is.
        edit: How it is made.
        usual: Can it matter with the defaults of all options?
    """

    mutant: Mutant
    edit: Edit
    usual: bool


Fate = Literal["killed", "unnoticed", "alike", "unreached"]
"""A scenario failed; some were different inside, none failed; all values were the same; none came there."""


@attrs.frozen
class Result:
    """What became of a change.

    Attributes:
        number: Of the change in its plan.
        fate: What became of it.
        scenario: The title of the scenario that failed, or empty.
        why: How that scenario failed: a condition, a fault, or a budget that was used up.
        tried: How many scenarios were played.
    """

    number: int
    fate: Fate
    scenario: str = ""
    why: str = ""
    tried: int = 0

    @property
    def killed(self) -> bool:
        """Did a scenario fail?"""
        return self.fate == "killed"


def file_of(program: ir.Program, span: ir.Span) -> str:
    """The path of the file that a place is in."""
    return program.files[span.file]


def text_at(program: ir.Program, span: ir.Span) -> str:
    """What is written at a place, its lines joined by a space; empty where the text is not known."""
    if span == ir.NOWHERE or span.file >= len(program.sources):
        return ""
    lines = program.sources[span.file].split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = lines[0][span.column :]
    return " ".join(line.strip() for line in lines if line.strip())
