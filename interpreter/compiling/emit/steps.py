"""What functions that run are made of: the statements of the IR, cut down to seven kinds.

Every step knows which locals it reads and writes, so that a frame holds only what is still needed.
Python expressions are made when they are needed, as both bodies of a function need their own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import attrs

from rulelang import ir

Make = Callable[[], ast.expr]
MakeAll = Callable[[], list[ast.stmt]]
Names = frozenset[str]
NONE: Names = frozenset()


@attrs.frozen(kw_only=True)
class Step:
    """One step; ``span`` and ``cites`` are those of the line it comes from."""

    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()


Steps = tuple[Step, ...]


@attrs.frozen(kw_only=True)
class Native(Step):
    """Python statements that cannot be suspended.

    ``leaves``: they return. ``only_writes``: they do nothing but give locals values, so they are
    left out where nobody needs those.
    """

    make: MakeAll
    reads: Names = NONE
    writes: Names = NONE
    leaves: bool = False
    only_writes: bool = False


@attrs.frozen(kw_only=True)
class Run(Step):
    """A call that may be suspended or left.

    Attributes:
        make: The call.
        reads: Locals that it reads.
        result: Local that takes what it gives, if somebody wants it.
        suspends: Can it be suspended?
        escapes: Can the end of a doing further out leave it?
        ends: Local that takes the end on its way; without one the function is left too.
        merge: Number of the doing whose own end does not count (an ``after`` rule), else -1.
        deep: Is the depth of doings counted?
        left: Local that becomes yes when an end passes.
    """

    make: Make
    reads: Names = NONE
    result: str | None = None
    suspends: bool = False
    escapes: bool = False
    ends: str | None = None
    merge: int = -1
    deep: bool = False
    left: str | None = None


@attrs.frozen(kw_only=True)
class Branch(Step):
    """One of two blocks.

    ``sound``: the test is never a fault, so it is left out where both blocks are empty.
    """

    test: Make
    reads: Names = NONE
    then: Steps = ()
    orelse: Steps = ()
    sound: bool = False


@attrs.frozen(kw_only=True)
class Loop(Step):
    """``body`` for each member; ``weight`` is charged for each round at the start.

    ``source`` makes statements that give the name that it is called with what is walked over.
    ``few``: there cannot be so many rounds that the lines must be looked at.
    """

    name: str
    source: Callable[[str], list[ast.stmt]]
    reads: Names = NONE
    body: Steps = ()
    index: str | None = None
    weight: int = 0
    few: bool = False


@attrs.frozen(kw_only=True)
class Repeat(Step):
    """``body`` while the test holds; ``rounds`` counts them."""

    test: Make
    reads: Names = NONE
    body: Steps = ()
    rounds: str = ""
    weight: int = 1


@attrs.frozen(kw_only=True)
class Question(Step):
    """A decision.

    Attributes:
        prepare: Statements that find the options, into the local ``offered``.
        some: Are there any?
        settle: Statements for an answer without anybody being asked, and the test after which
            somebody is: ``(statements, test)``; None: always asked.
        ask: The call that asks.
        name: Local that takes the answer.
        decision: Number of the decision.
        otherwise: What runs when there is no option.
        then: What runs when there was one.
    """

    prepare: MakeAll
    some: Make | None
    alone: Callable[[MakeAll], list[ast.stmt]]
    ask: Make
    name: str
    decision: int
    reads: Names = NONE
    otherwise: Steps = ()
    then: Steps = ()


def live_before(step: Step, after: Names) -> Names:
    """The locals that are needed before a step, if those in ``after`` are needed after it."""
    match step:
        case Native():
            return (after - step.writes) | step.reads
        case Run():
            return (after - {step.result}) | step.reads
        case Branch():
            return step.reads | live(step.then, after) | live(step.orelse, after)
        case Loop():
            around = after | (live(step.body, after) - {step.name, step.index})
            around |= live(step.body, around) - {step.name, step.index}
            return around | step.reads
        case Repeat():
            around = after | step.reads | live(step.body, after | step.reads)
            return around | live(step.body, around)
        case Question():
            chosen = live(step.then, after) - {step.name}
            return step.reads | chosen | (live(step.otherwise, after) - {step.name})
        case _:
            pass
    raise AssertionError(step)


def live(steps: Steps, after: Names) -> Names:
    """The locals that are needed before several steps."""
    for step in reversed(steps):
        after = live_before(step, after)
    return after


def points(step: Step) -> bool:
    """Can this step be suspended?"""
    match step:
        case Run():
            return step.suspends
        case Branch():
            return any(map(points, step.then + step.orelse))
        case Loop() | Repeat():
            return any(map(points, step.body))
        case Question():
            return True
        case _:
            pass
    return False
