"""What can go wrong while a game runs, and how it is told.

Every error that leaves the engine derives from :class:`EngineError`, so an interface catches one
class and never shows a Python traceback.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import attrs

from interpreter.faultcodes import BUDGET_SPENT, MISSING_VALUE, RIVALS_MET
from interpreter.records.codes import DAMAGED, IMPOSSIBLE, PARTED
from rulelang.ir import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


@attrs.frozen
class StackEntry:
    """One running doing in a fault's stack.

    Attributes:
        name: The doing's name as the ruleset writes it.
        span: The line that was running in it.
        cites: Rule ids cited by that line or by the doing.
    """

    name: str
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


class EngineError(Exception):
    """Base of all errors of the engine."""


class RuleFault(EngineError):  # noqa: N818 - the language reference calls it a fault
    """A rule asked for something impossible; the game stays at its previous decision.

    Attributes:
        message: What went wrong, one sentence without a full stop.
        span: Where, in the ruleset.
        stack: The doings that were open, outermost first.
        code: The diagnostic code, `R0101` and so on, about which `explain` says more.
        rivals: The labels of the exceptions between which a definition could not decide.
    """

    usual = MISSING_VALUE

    def __init__(
        self,
        message: str,
        span: Span = NOWHERE,
        stack: tuple[StackEntry, ...] = (),
        code: str | None = None,
        rivals: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.stack = stack
        self.code = self.usual if code is None else code
        self.rivals = rivals

    @classmethod
    def between(
        cls, rivals: Sequence[str], span: Span = NOWHERE, stack: tuple[StackEntry, ...] = ()
    ) -> RuleFault:
        """Give the fault of a definition of which several exceptions apply."""
        text = f"exceptions that contradict each other apply at once: {', '.join(rivals)}"
        return cls(text, span, stack, RIVALS_MET, tuple(rivals))


class BudgetExhausted(RuleFault):
    """A budget of the language (rounds, lines, firings, depth, decisions, search) is used up."""

    usual = BUDGET_SPENT


class Reason(enum.StrEnum):
    """Why an answer was refused."""

    NOT_OFFERED = "not offered"
    WRONG_SHAPE = "not an answer of this form"
    TOO_FEW = "too few"
    TOO_MANY = "too many"
    REPEATED = "the same one twice"
    CONDITION = "the condition on the whole answer does not hold"
    NO_DECISION = "no decision is pending"
    OTHER_DECISION = "another decision is pending"


class IllegalChoice(EngineError):  # noqa: N818 - what it is says enough
    """An answer that the pending decision does not allow; the decision is still pending.

    Attributes:
        reason: Why, as one of :class:`Reason`.
        detail: What exactly, for people; may be empty.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
        self.detail = detail


class RecordError(EngineError):
    """A save, replay or journal cannot be used.

    Attributes:
        code: The diagnostic code, `R0201` and so on, about which `explain` says more.
    """

    usual = DAMAGED

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.code = self.usual if code is None else code


class SaveError(RecordError):
    """A saved game cannot be used: damaged, changed, of another ruleset or format."""

    usual = IMPOSSIBLE


class ReplayError(RecordError):
    """A replay cannot be read, or the game does not follow it.

    Attributes:
        index: Number of the first answer (from 0) at which the game differs, None if it is not
            one of the answers.
    """

    usual = PARTED

    def __init__(self, message: str, index: int | None = None, *, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.index = index


class JournalError(RecordError):
    """A journal cannot be used: damaged, of another game, or in use.

    Attributes:
        rescued: How many answers before the damage can be read; None if that does not help.
    """

    def __init__(
        self, message: str, rescued: int | None = None, *, code: str | None = None
    ) -> None:
        super().__init__(message, code=code)
        self.rescued = rescued


class ScriptError(EngineError):
    """A script of answers and draws does not fit what the game asks for."""


class OptionError(EngineError):
    """A setting that does not exist or is given a value it cannot have."""


class AnewError(EngineError):
    """A card of a real table has got its name: the game is to be played again with the results as they are now."""


class TakeBackError(EngineError):
    """The last result that was read off a real table was wrong; the game is as it was before."""


class Quit(EngineError):  # noqa: N818 - a request, not an error
    """A person at the terminal wants to stop; the game stays at this decision."""
