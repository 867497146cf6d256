"""What the code generator gives: a code object and plain data, so that both can be kept on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from types import CodeType

    from interpreter.derived import Derived
    from rulelang import ir


FILE_NAME = "<rules>"
"""What generated code calls the file that it comes from."""

FILE_STRIDE = 1_000_000
"""Lines of file number ``n`` of a Program are numbered from ``n * FILE_STRIDE`` in generated code."""


ROUNDS = "$rounds"
"""So the names begin of what counts the rounds of loops."""


@attrs.frozen
class Flags:
    """How code is built; part of the key under which it is kept.

    Attributes:
        log: Keep the event log.
        checks: Test promises.
        optimise: Use masks, tables and inlined code; off only to test that it changes nothing.
        forced: Ask people also where one answer is legal.
        measured: Keep a function for each definition that gives a number about a player, so that it can be looked at
            from outside while a game runs.
    """

    log: bool = False
    checks: bool = False
    optimise: bool = True
    forced: bool = False
    measured: bool = False

    def words(self) -> list[str]:
        """What is on, for a save."""
        return [name for name, on in attrs.asdict(self).items() if on] or ["plain"]

    def like(self, words: list[str]) -> Flags:
        """As a save says; the same if it says nothing."""
        if not words:
            return self
        return Flags(**{name: name in words for name in attrs.asdict(self)})


@attrs.frozen
class Point:
    """A place where a function can be suspended.

    Attributes:
        span: The line.
        cites: What it cites.
        names: The locals that the frame holds after function and point, in order.
        decision: Number of the decision that is asked there, -1 for a call.
    """

    span: ir.Span
    cites: tuple[str, ...]
    names: tuple[str, ...]
    decision: int


@attrs.frozen
class Asking:
    """What the game knows about a question of generated code; plain data.

    Attributes:
        decision: Number of the decision.
        form: See :class:`rulelang.ir.Decision`.
        span: The line.
        prompt: The text, or the name of the function that gives it.
        labels: Name of the function that gives the texts of labels; empty: they come with the call.
        policy: Name of the function of the policy; empty if there is none.
        slot: Slot of the policy's stream, -1 if it draws nothing.
        path: Its path.
        whole: Name of the function for the condition on a whole answer; empty if there is none.
        legal: Name of the function that gives those of several answers for which it holds; empty if
            they are looked at one by one.
        actions: Doings that are offered.
    """

    decision: int
    form: str
    span: tuple[int, ...]
    prompt: str = ""
    prompt_function: str = ""
    labels: str = ""
    policy: str = ""
    slot: int = -1
    path: str = ""
    whole: str = ""
    legal: str = ""
    actions: tuple[int, ...] = ()


@attrs.frozen
class Built:
    """Generated code; plain data and a code object, so it can be kept on disk.

    Attributes:
        code: Defines the functions when it is run.
        tables: Constants by name.
        objects: Packed types by name.
        unmasks: Kinds whose sets are masks, with their first things.
        singles: Tables of single things: first thing, how many, and whether there may be none.
        sums: Slots of totals with the functions that find them.
        ways: Names of what remembers the ways of maps: the function of the cost, first and last thing.
        asks: What the game knows about each question.
        frames: For each function that can be suspended its number of doing and its points.
        names: The names of those functions.
        derived: The derived slots.
        flags: How it was built.
    """

    code: CodeType
    tables: dict[str, object]
    objects: dict[str, object]
    unmasks: dict[int, int]
    singles: dict[str, tuple[int, int, bool]]
    sums: tuple[tuple[int, str], ...]
    ways: dict[str, tuple[str, int, int]]
    asks: tuple[Asking, ...]
    frames: tuple[tuple[int, tuple[Point, ...]], ...]
    names: tuple[str, ...]
    derived: Derived
    flags: Flags
