"""Rules of which only one can count at a time: where they come from, and whether they can meet.

What the checks of exceptions and of replacements share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from rulelang import ir
from rulelang.checker.apart import World, never_together
from rulelang.checker.terms import NONE
from rulelang.variants.precedence import origin_of, wins

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang.checker.graph import Graph
    from rulelang.checker.terms import Literal, Term
    from rulelang.symbols import Tables


@frozen(eq=False)
class Rival:
    """A rule that may be the one that counts.

    Attributes:
        cond: When it applies; None: always.
        lets: Names that it gives to values that must be there.
        block: The lasting block that it stands in.
        span: Where.
        cites: What it cites.
        origin: The variant that it stands in; empty for the base.
    """

    cond: ir.Expr | None
    lets: tuple[tuple[str, ir.Expr], ...]
    block: int | None
    span: ir.Span
    cites: tuple[str, ...]
    origin: str

    @property
    def always_there(self) -> bool:
        """Whether it is in force all the time: it stands in no card and in no lasting block."""
        return not self.lets and self.block is None


@frozen(eq=False)
class Judge:
    """Knows a ruleset well enough to tell whether two rules can meet."""

    graph: Graph
    world: World = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Gather what is known."""
        object.__setattr__(self, "world", World(self.graph))

    @property
    def tables(self) -> Tables:
        """What the ruleset declares."""
        return self.graph.ctx.tables

    def rival(self, rule: ir.Clause | ir.Hook) -> Rival:
        """Take an exception or a replacement."""
        cond = rule.cond if isinstance(rule, ir.Clause) else rule.guard
        return Rival(cond, rule.lets, rule.block, rule.span, rule.cites, self.origin(rule.span))

    def origin(self, span: ir.Span) -> str:
        """Give the chosen variant that a place is in; empty for the base."""
        return origin_of(self.tables, span)

    def wins(self, one: str, two: str) -> bool:
        """Tell whether what one variant says counts where another one (or the base) disagrees."""
        return wins(self.tables, one, two)

    def apart(self, one: Rival, two: Rival, params: Sequence[ir.Param]) -> bool:
        """Tell whether two rules about one thing can be proved never to apply together."""
        literals = [*self._literals(one, ""), *self._literals(two, "'")]
        types = {param.name: param.type for param in params}
        return never_together(self.world, literals, types)

    def _literals(self, rule: Rival, mark: str) -> Iterator[Literal]:
        """Give what must hold for a rule to apply; the names that a lasting block holds are its own."""
        names: dict[str, Term] = {}
        if rule.block is not None:
            block = self.graph.ctx.blocks[rule.block]
            names = {name: ("l", f"{name}{mark}") for name in block.names}
        for name, value in rule.lets:
            names[name] = self.world.term(value, names)
            yield ("==", names[name], NONE), False
        if rule.cond is not None:
            yield self.world.term(rule.cond, names), True
