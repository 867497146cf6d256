"""Which chapter a declaration belongs to: that of the phase which is the only one to need it.

Phases are chapters, in the order in which the game reaches them. What several of them need is a common term; what only
cards need stands with the cards; rules about doings stand behind what they are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.variants.touching import event_targets, steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.symbols import Tables

START: Final = "game"
CARDS: Final = "(cards)"
ALWAYS: Final = "(always)"
TERMS: Final = "(terms)"


@attrs.frozen(eq=False)
class Order:
    """The chapters that phases make.

    Attributes:
        phases: Names of the phases with a chapter, each with its depth, in order of play.
        chapters: For each declaration the name of its phase, or `CARDS`, `ALWAYS` or `TERMS`.
        items: All declarations with their origins, as published, but files in the order in which play comes to what
            stands in them, and rules about a doing directly behind it.
    """

    phases: dict[str, int]
    chapters: dict[nodes.Node, str]
    items: tuple[tuple[nodes.Item, str], ...]


def arrange(tables: Tables) -> Order:
    """Give the phases in order of play, and the chapter of every rule."""
    return _Arranger(tables).arrange()


class _Arranger:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._items = [item for item, _ in tables.items]
        self._needs: dict[nodes.Node, tuple[nodes.Node, ...]] = {}
        self._hooks: dict[nodes.Node, list[nodes.Node]] = {}
        for item in self._items:
            for about in self._waited_for(item):
                self._hooks.setdefault(about, []).append(item)

    def arrange(self) -> Order:
        phases = self._phases()
        chapters: dict[nodes.Node, str] = {}
        reached: dict[nodes.Node, list[str]] = {}
        roots = {name: [self._tables.symbols[name].node] for name in phases}
        roots[ALWAYS] = [
            item for item in self._items if _stands_alone(item) and not self._waited_for(item)
        ]
        roots[CARDS] = [item for item in self._items if isinstance(item, nodes.CardDecl)]
        stops = {self._tables.symbols[name].node for name in phases}
        for name, starts in roots.items():
            for item in self._reach(starts, stops):
                reached.setdefault(item, []).append(name)
        for item in self._items:
            found = reached.get(item, [])
            if isinstance(item, nodes.CardDecl):
                chapters[item] = CARDS
            elif not found:
                chapters[item] = TERMS
            elif (
                len(found) == 1
                or isinstance(item, nodes.EffectDecl | nodes.PhaseDecl)
                or _stands_alone(item)
            ):
                chapters[item] = found[0]
            else:
                chapters[item] = TERMS
        return Order(phases, chapters, tuple(self._behind(chapters)))

    def _behind(self, chapters: dict[nodes.Node, str]) -> Iterator[tuple[nodes.Item, str]]:
        """Give all declarations, rules about one of the same chapter directly behind it."""
        followers: dict[nodes.Node, list[tuple[nodes.Item, str]]] = {}
        leading: list[tuple[nodes.Item, str]] = []
        for item, origin in self._tables.items:
            about = next(
                (each for each in self._waited_for(item) if chapters.get(each) == chapters[item]),
                None,
            )
            if about is None or about is item:
                leading.append((item, origin))
            else:
                followers.setdefault(about, []).append((item, origin))
        places = self._files(chapters)
        leading.sort(
            key=lambda pair: places.get((chapters[pair[0]], pair[0].span.file.path), len(places))
        )
        waiting = leading[::-1]
        while waiting:
            item, origin = waiting.pop()
            yield item, origin
            waiting.extend(followers.pop(item, [])[::-1])

    def _files(self, chapters: dict[nodes.Node, str]) -> dict[tuple[str, str], int]:
        """Number the files of each chapter of a phase, in the order in which play comes to what stands in them."""
        found: dict[tuple[str, str], int] = {}
        for name in dict.fromkeys(chapters.values()):
            symbol = self._tables.symbols.get(name)
            waiting = [symbol.node] if symbol is not None else []
            seen: set[nodes.Node] = set()
            while waiting:
                here = waiting.pop()
                if here in seen or (seen and chapters.get(here) != name):
                    continue
                seen.add(here)
                found.setdefault((name, here.span.file.path), len(found))
                waiting.extend((*self._hooks.get(here, ()), *self._needed(here)[::-1]))
        return found

    # ------------------------------------------------------------ phases

    def _phases(self) -> dict[str, int]:
        """Walk through play from the first phase on; those with steps, and those that phases do themselves, count."""
        found: dict[str, int] = {}
        seen: set[nodes.Node] = set()

        def visit(node: nodes.Node, depth: int, *, directly: bool) -> None:
            if node in seen:
                return
            seen.add(node)
            is_phase = isinstance(node, nodes.PhaseDecl)
            if isinstance(node, nodes.PhaseDecl) and (directly or steps(node)):
                found[node.name.text] = depth
                depth += 1
            for below in self._done_by(node):
                visit(below, depth, directly=directly and is_phase)

        first = self._tables.symbols.get(START)
        if first is not None:
            visit(first.node, 0, directly=True)
        for item in self._items:
            if isinstance(item, nodes.PhaseDecl) and item not in seen:
                visit(item, 1, directly=False)
        return found

    def _done_by(self, node: nodes.Node) -> Iterator[nodes.Node]:
        """Give the doings of a declaration, and those of the rules about it."""
        for part in nodes.walk(node):
            names: Iterable[nodes.Ident] = ()
            match part:
                case nodes.DoStmt(name=name) | nodes.Call(name=name):
                    names = (name,)
                case nodes.TakeActionStmt(actions=actions):
                    names = actions
                case _:
                    pass
            for name in names:
                symbol = self._tables.symbols.get(name.text)
                if symbol is not None and isinstance(
                    symbol.node,
                    nodes.PhaseDecl | nodes.EffectDecl | nodes.MayDecl | nodes.TableDecl,
                ):
                    yield symbol.node
        for hook in self._hooks.get(node, ()):
            yield from self._done_by(hook) if hook is not node else ()

    # ------------------------------------------------------------ what is needed

    def _reach(self, starts: Iterable[nodes.Node], stops: set[nodes.Node]) -> Iterator[nodes.Node]:
        seen: dict[nodes.Node, None] = {}
        waiting = list(starts)
        first = set(waiting)
        while waiting:
            here = waiting.pop()
            if here in seen or (here in stops and here not in first):
                continue
            seen[here] = None
            waiting.extend((*self._needed(here), *self._hooks.get(here, ())))
        yield from seen

    def _needed(self, item: nodes.Node) -> tuple[nodes.Node, ...]:
        known = self._needs.get(item)
        if known is None:
            known = self._needs[item] = tuple(dict.fromkeys(self._mentioned(item)))
        return known

    def _mentioned(self, item: nodes.Node) -> Iterator[nodes.Node]:
        tables = self._tables
        for part in nodes.walk(item):
            match part:
                case nodes.Prop(name=name) | nodes.PropCall(name=name) | nodes.Its(name=name):
                    for each in tables.properties.get(name.text, ()):
                        yield each.node
                case nodes.SortKey(name=name):
                    for each in tables.properties.get(name.text, ()):
                        yield each.node
                    yield from self._symbol(name)
                case (
                    nodes.Name(ident=name)
                    | nodes.Call(name=name)
                    | nodes.Allowed(name=name)
                    | nodes.DoStmt(name=name)
                ):
                    yield from self._symbol(name)
                case nodes.TakeActionStmt(actions=actions):
                    for name in actions:
                        yield from self._symbol(name)
                case _:
                    pass

    def _symbol(self, name: nodes.Ident) -> Iterator[nodes.Node]:
        symbol = self._tables.symbols.get(name.text)
        if symbol is not None:
            yield symbol.node

    def _waited_for(self, item: nodes.Node) -> tuple[nodes.Node, ...]:
        """Give the doing, step's phase or definition that a rule of its own is about."""
        rule = item.rule if isinstance(item, nodes.NamedRuleDecl) else item
        match rule:
            case nodes.HookDecl(event=event):
                names = [
                    target.name.partition(".")[0]
                    for target in event_targets(event, self._tables)
                    if target.form != "event"
                ]
            case nodes.ClauseDecl(head=head):
                if head.owner is not None:
                    return tuple(
                        each.node for each in self._tables.properties.get(head.name.text, ())[:1]
                    )
                names = [head.name.text]
            case nodes.DropDecl(path=path) if path:
                names = [path[0].text]
            case _:
                return ()
        found = (self._tables.symbols.get(name) for name in names)
        return tuple(symbol.node for symbol in found if symbol is not None)


def _stands_alone(item: nodes.Node) -> bool:
    """Is it a rule that nothing names, and that is in force all the time?"""
    return isinstance(
        item,
        nodes.HookDecl
        | nodes.StateRuleDecl
        | nodes.NamedRuleDecl
        | nodes.ClauseDecl
        | nodes.DropDecl,
    )
