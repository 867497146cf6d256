"""Whether anybody can be asked anything after a line: if not, what it tells changes nothing any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulelang import ir
from rulelang.checker.graph import blocks

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph


@define(eq=False)
class Later:
    """The decisions that may follow lines; where that is not sure, one may.

    Attributes:
        graph: The ruleset.
    """

    graph: Graph
    _asks: list[bool] = field(init=False)
    _after: set[int] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        """Find the doings after which something may be asked."""
        doings = self.graph.doings
        own = [
            any(isinstance(stmt, ir.Ask) for stmt in self.graph.statements[doing.index])
            or any(hook.ask is not None for hook in _hooks(doing))
            for doing in doings
        ]
        self._asks = own[:]
        waiting = [number for number, asks in enumerate(own) if asks]
        while waiting:
            for caller in self.graph.callers[waiting.pop()]:
                if not self._asks[caller]:
                    self._asks[caller] = True
                    waiting.append(caller)
        settling = any(self._asks[number] for number in self.graph.settling)
        if settling:
            self._after.update(range(len(doings)))
            return
        changed = True
        while changed:
            before = len(self._after)
            for doing in doings:
                self._calls(doing)
            changed = len(self._after) > before

    def asked(self, doing: ir.Doing, line: ir.Stmt) -> bool:
        """Tell whether anything may be asked after a line of a doing."""
        found: list[bool] = []
        self._block(doing, doing.body, follows=doing.index in self._after, at=line, found=found)
        return any(found)

    def _calls(self, doing: ir.Doing) -> None:
        """Note of all that a doing runs whether something may be asked after it."""
        follows = doing.index in self._after
        hooks = _hooks(doing)
        if follows or any(hook.ask is not None or self._asks[hook.doing] for hook in hooks):
            self._after.update(hook.doing for hook in hooks)
        behind = follows or any(self._asks[hook.doing] for hook in doing.after)
        for stmt in self.graph.statements[doing.index]:
            if isinstance(stmt, ir.Call) and stmt.doing not in self._after:
                found: list[bool] = []
                self._block(doing, doing.body, follows=behind, at=stmt, found=found)
                if any(found):
                    self._after.add(stmt.doing)

    def _block(
        self,
        doing: ir.Doing,
        block: ir.Block,
        *,
        follows: bool,
        at: ir.Stmt,
        found: list[bool],
    ) -> bool:
        """Go through lines from the last to the first.

        Args:
            doing: Whose lines they are.
            block: The lines.
            follows: Whether something may be asked behind them.
            at: The line that is looked for.
            found: Takes whether something may be asked after that line.

        Returns:
            Whether something may be asked in the lines or behind them.
        """
        for stmt in reversed(block):
            if stmt is at:
                found.append(follows)
            if isinstance(stmt, ir.End):
                follows = stmt.doing != 0 and (
                    stmt.doing in self._after or doing.index in self._after
                )
                continue
            again = follows
            if isinstance(stmt, ir.Each | ir.While):
                again = follows or self._asked_in(stmt)
            inner = [
                self._block(doing, each, follows=again, at=at, found=found) for each in blocks(stmt)
            ]
            follows = follows or any(inner) or self._asked_in(stmt)
        return follows

    def _asked_in(self, stmt: ir.Stmt) -> bool:
        if isinstance(stmt, ir.Ask) or (isinstance(stmt, ir.Call) and self._asks[stmt.doing]):
            return True
        return any(self._asked_in(each) for block in blocks(stmt) for each in block)


def _hooks(doing: ir.Doing) -> tuple[ir.Hook, ...]:
    return (*doing.before, *doing.instead, *doing.after)
