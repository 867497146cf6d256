"""The log of a game told as a story: who did what, what the dice said, and why.

Events come in as the engine logs them (see `interpreter.events`); lines go out. What one subject does without a break
is one sentence, what several do alike is told once, and a heading is written only when something happens under it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import attrs

from interpreter import events as log
from interpreter.ui.clauses import Clause, Clauses, index, several
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.sight import Seal, Sight
from rulelang.ir import Program
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.events import Event
    from rulelang.ir import Doing

Level = Literal["quiet", "turns", "full"]

_WIDTH = 100
_HEADED = {"turns": {"phase"}, "full": {"phase", "effect", "action", "step", "row", "hook", "rule"}}


@attrs.define
class _Open:
    """A doing that runs: its number and heading, whether that has been written, and how deep it stands."""

    doing: object
    heading: str
    depth: int
    written: bool = False


@attrs.define
class Story:
    """Tells one game.

    Attributes:
        program: The game.
        names: What its things and players are called.
        level: `quiet` tells nothing, `turns` phases and what happened in them, `full` every doing
            with the rules it cites.
        paint: How emphasis is written.
        viewers: The seats of those who listen, from 0; they are told what all of them see. Empty: all is told.
        start: The state in which the log begins; empty: that of the empty table.
    """

    program: Program
    names: Names
    level: Level
    paint: Paint
    viewers: Sequence[int] = ()
    start: Sequence[object] = ()
    _open: list[_Open] = attrs.field(factory=list, init=False)
    _told: list[Clause] = attrs.field(factory=list, init=False)
    _clauses: Clauses = attrs.field(init=False)
    _sight: Sight = attrs.field(init=False)
    _seal: Seal = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Get ready to read events."""
        self._clauses = Clauses(
            self.program, self.names, full=self.level == "full", start=self.start
        )
        self._sight = Sight(self.program, self.viewers)
        self._seal = Seal(self.program)

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """Give the lines for more of the log; what is not complete yet comes with the next part."""
        if self.level == "quiet":
            return
        for event in events:
            for each in self._seal.opened(event):
                seen = self._sight.seen(each)
                if seen is not None:
                    yield from self._tell(seen)

    def _tell(self, event: Event) -> Iterator[str]:
        self._told.extend(self._clauses.of(event))
        if event[0] == log.BEGIN:
            yield from self._begin(event)
        elif event[0] == log.END:
            yield from self._end(event)

    def running(self) -> set[object]:
        """Give the numbers of the doings that have begun and not ended, as far as it has been told."""
        return {opened.doing for opened in self._open}

    def headings(self) -> tuple[str, ...]:
        """Give the headings of what runs now, outermost first."""
        return tuple(opened.heading for opened in self._open if opened.heading)

    def close(self) -> Iterator[str]:
        """Give what is left, at the end or before somebody is asked."""
        self._told.extend(self._clauses.rest())
        yield from self._flush()

    # ------------------------------------------------------------------------------ headings

    def _begin(self, event: Event) -> Iterator[str]:
        _, number, values = event
        doing = self.program.doings[index(number)]
        depth = self._open[-1].depth if self._open else -1
        if doing.kind in _HEADED[self.level] and number != 0:
            yield from self._flush()
            self._open.append(_Open(number, self._heading(doing, several(values)), depth + 1))
        else:
            self._open.append(_Open(number, "", depth))

    def _end(self, event: Event) -> Iterator[str]:
        _, number, _, how = event
        # What was replaced, or left in one of its before rules, has never begun.
        if how == "replaced" or not self._open or self._open[-1].doing != number:
            return
        # What has no heading of its own does not break a sentence either.
        if self._open[-1].heading:
            yield from self._flush()
        self._open.pop()

    def _heading(self, doing: Doing, values: Sequence[object]) -> str:
        name = spoken(doing.name.rpartition(".")[2] if doing.kind == "step" else doing.name)
        told = [
            self.names.value(value, parameter.type)
            for parameter, value in zip(doing.params, values, strict=False)
            if value != ()
        ]
        if doing.kind == "phase":
            numbers = all(parameter.type.shape in {"number", "word"} for parameter in doing.params)
            heading = name[:1].upper() + name[1:]
            heading += f"{' ' if numbers else ': '}{', '.join(told)}" if told else ""
            styles: tuple[str, ...] = ("bold",)
        else:
            heading = f"{name} ({', '.join(told)})" if told else name
            styles = ("cyan",)
        cites = self.paint(f"  [{', '.join(doing.cites)}]", "dim") if doing.cites else ""
        return self.paint(heading, *styles) + (cites if self.level == "full" else "")

    # ----------------------------------------------------------------------------- sentences

    def _flush(self) -> Iterator[str]:
        if not self._told:
            return
        for opened in self._open:
            if opened.heading and not opened.written:
                opened.written = True
                if opened.depth == 0:
                    yield ""
                yield "  " * opened.depth + opened.heading
        depth = self._open[-1].depth + 1 if self._open else 0
        for sentence in _sentences(self._told, self.names):
            subject = sentence[0].subject(self.names)
            predicates = ", ".join(clause.predicate() for clause in sentence)
            indent = "  " * depth
            text = f"{subject} {predicates}".strip()
            yield textwrap.fill(
                text,
                _WIDTH,
                initial_indent=indent,
                subsequent_indent=f"{indent}    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        self._told.clear()


def _sentences(clauses: Sequence[Clause], names: Names) -> list[list[Clause]]:
    """Put together what belongs together: objects of one verb, subjects of one predicate, clauses of one subject."""
    joined: list[Clause] = []
    for clause in clauses:
        if not joined or not joined[-1].takes_in(clause):
            joined.append(clause)
    shared: list[Clause] = []
    for clause in joined:
        if not shared or not shared[-1].shares(clause, names):
            shared.append(clause)
    sentences: list[list[Clause]] = []
    for clause in shared:
        last = sentences[-1][-1] if sentences else None
        if last is not None and clause.who and last.who == clause.who and not last.movers:
            sentences[-1].append(clause)
        else:
            sentences.append([clause])
    return sentences
