"""The LALR machine: states, tokens in, nodes out.

Nothing here recurses, so nesting in a text costs memory and never the stack. A machine can be
copied cheaply (`mark`, `reset`), which is what recovery is made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rulelang.grammar import END, INLINE, load_tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang import nodes
    from rulelang.building import Builder
    from rulelang.grammar import Production
    from rulelang.lexer import Token


class Mark(NamedTuple):
    """A point to go back to."""

    states: list[int]
    values: list[Any]
    starts: list[int]
    end: int


class Machine:
    """Parses the tokens of one declaration.

    Args:
        builder: Makes the nodes.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._tables = load_tables()
        self._states = [self._tables.start]
        self._values: list[Any] = []
        self._starts: list[int] = []
        self._end = 0  # of the last token

    def mark(self) -> Mark:
        """Remember this point."""
        return Mark(self._states[:], self._values[:], self._starts[:], self._end)

    def reset(self, mark: Mark) -> None:
        """Go back to a point; it can be used again."""
        self._states, self._values = mark.states[:], mark.values[:]
        self._starts, self._end = mark.starts[:], mark.end

    def feed(self, token: Token) -> bool:
        """Take one token; False if it cannot stand here (reset then: some symbols may be made already)."""
        tables, states = self._tables, self._states
        actions, gotos, productions = tables.actions, tables.gotos, tables.productions
        kind = token.type
        while True:
            action = actions[states[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                # Layout has no place of its own: a node ends where its last visible token does.
                self._values.append(self._builder.token(token))
                self._starts.append(token.start)
                self._end = token.end
                return True
            production = productions[~action]
            if production.renames:  # most are: an expression is one of each rank
                states[-1] = gotos[states[-2]][production.origin]
            else:
                self._reduce(production)

    def finish(self) -> nodes.Item | None:
        """Give the node of the declaration, or None if the end cannot stand here."""
        tables, states = self._tables, self._states
        while states[-1] != tables.accepting:
            action = tables.actions[states[-1]].get(END)
            if action is None or action >= 0:
                return None
            self._reduce(tables.productions[~action])
        item: nodes.Item = self._values[-1]
        return item

    def _reduce(self, production: Production) -> None:
        states = self._states
        cut = len(self._values) - production.length
        values = self._values[cut:]
        start, end = self._starts[cut], self._end
        children: list[Any]
        if production.keeps_all:
            children = values
        else:
            children = []
            for position in production.plan:
                if position < 0:
                    children.append(None)
                elif position >= INLINE:
                    children.extend(values[position - INLINE])
                else:
                    children.append(values[position])
        value: Any
        if not production.build:
            value = children
        elif production.collapse and len(children) == 1:
            value = children[0]
        else:
            value = self._builder.build(production.build, start, end, children)
        del states[cut + 1 :], self._values[cut:], self._starts[cut + 1 :]
        states.append(self._tables.gotos[states[-1]][production.origin])
        self._values.append(value)

    def accepted(self) -> list[str]:
        """Give the token types that can stand here."""
        return [
            kind
            for kind in self._tables.actions[self._states[-1]]
            if simulate(self._states, (kind,)) == 1
        ]

    def try_types(self, types: Iterable[str]) -> int:
        """Say how many of these token types could follow one another from here."""
        return simulate(self._states, types)


def simulate(states: list[int], types: Iterable[str]) -> int:
    """Run the machine without making anything; give the number of token types taken."""
    tables = load_tables()
    stack = states[:]
    taken = 0
    for kind in types:
        while True:
            action = tables.actions[stack[-1]].get(kind)
            if action is None:
                return taken
            if action >= 0:
                stack.append(action)
                break
            production = tables.productions[~action]
            if production.length:
                del stack[-production.length :]
            stack.append(tables.gotos[stack[-1]][production.origin])
        taken += 1
    return taken
