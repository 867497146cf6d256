"""The course of a game as data: phases with their steps inside each other, and the rules that act on them.

A phase, step or doing stands where play first comes to it; where it is done again, a reference to it stands. Doings are
left out that neither lead to a phase nor have a rule about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.rulebook.lexicon import shared
from rulelang.rulebook.model import clean
from rulelang.variants.touching import Target, Touch, declared, ids, touches
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.symbols import Tables

START: Final = "game"
Timing: TypeAlias = Literal["before", "after", "instead of", "may go instead of"]
_TIMINGS: Final[dict[str, Timing]] = {
    "before": "before",
    "after": "after",
    "replaces": "instead of",
    "instead": "may go instead of",
}


@attrs.frozen(eq=False)
class Box:
    """One part of the course.

    Attributes:
        key: What it is told apart by, in the drawing.
        form: `phase`, `step`, `doing`, or `again` for a reference to a box that stands elsewhere.
        title: What it is called.
        tip: What is said about it when somebody points at it: its form and citations.
        below: What happens in it, in order.
        of: The key of the box that a reference means.
        origin: The variant that it comes from; empty for the game itself.
    """

    key: str
    form: str
    title: str
    tip: str
    below: tuple[Box, ...] = ()
    of: str = ""
    origin: str = ""


@attrs.frozen(eq=False)
class Rule:
    """A rule that acts before, after or instead of a box.

    Attributes:
        key: What it is told apart by, in the drawing.
        title: Its name, its card, or what it does.
        timing: When it acts.
        of: The key of the box.
        does: The keys of the boxes that it sets off.
        tip: Its condition and citations.
        origin: The variant that it comes from; empty for the game itself.
    """

    key: str
    title: str
    timing: Timing
    of: str
    does: tuple[str, ...]
    tip: str
    origin: str = ""


@attrs.frozen(eq=False)
class Course:
    """The course of a game: its boxes, and the rules in the order of what they act on."""

    title: str
    boxes: tuple[Box, ...]
    rules: tuple[Rule, ...]


def course(tables: Tables) -> Course:
    """Find out what happens in a game, and which rules act on it."""
    return _Maker(tables).course()


class _Maker:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rules: dict[Target, list[Touch]] = {}
        for touch in touches(tables):
            if touch.how in _TIMINGS and touch.target.form != "event":
                self._rules.setdefault(touch.target, []).append(touch)
        self._keys: dict[Target, str] = {}
        self._leads: dict[nodes.Node, bool] = {}
        self._origins = {id(item): origin for item, origin in tables.items}

    def course(self) -> Course:
        roots = [self._tables.symbols[START].node] if START in self._tables.symbols else []
        boxes = [self._declaration(node) for node in roots]
        for item, _ in self._tables.items:
            if isinstance(item, nodes.PhaseDecl) and declared(item) not in self._keys:
                boxes.append(self._declaration(item))
        for target in self._rules:
            node = self._node(target)
            if target not in self._keys and node is not None:
                boxes.append(self._declaration(node))
        game = self._tables.game
        title = clean(game.title.value) if game is not None else ""
        return Course(title, tuple(boxes), tuple(self._all_rules()))

    def _node(self, target: Target) -> nodes.Node | None:
        symbol = self._tables.symbols.get(target.name)
        return symbol.node if symbol is not None and declared(symbol.node) == target else None

    def _key(self, target: Target) -> str:
        return self._keys.setdefault(target, f"b{len(self._keys) + 1}")

    # ------------------------------------------------------------ boxes

    def _declaration(self, node: nodes.Node) -> Box:
        target = declared(node)
        name = target.name if target is not None else ""
        if target is None or target in self._keys:
            return self._again(target, name)
        key = self._key(target)
        body = node.then if isinstance(node, nodes.MayDecl) else node
        form = "phase" if isinstance(node, nodes.PhaseDecl) else "doing"
        below = tuple(self._inside(body, name)) if body is not None else ()
        return Box(
            key,
            form,
            spoken(name),
            self._tip(target.form, node),
            below,
            origin=self._origins.get(id(node), ""),
        )

    def _again(self, target: Target | None, name: str) -> Box:
        of = self._keys.get(target, "") if target is not None else ""
        return Box("", "again", spoken(name), "stands elsewhere", of=of)

    def _inside(self, node: nodes.Node, phase: str) -> Iterator[Box]:
        """Give the steps and doings in a text in order; each doing once."""
        told: set[str] = set()
        for child in nodes.children(node):
            if isinstance(child, nodes.StepStmt):
                target = Target("step", f"{phase}.{child.name.text}")
                key = self._key(target)
                below = tuple(self._inside(child.body, phase))
                yield Box(key, "step", spoken(child.name.text), self._tip("step", child), below)
                continue
            for name in _done(child):
                symbol = self._tables.symbols.get(name.text)
                if symbol is not None and self._is_shown(symbol.node) and name.text not in told:
                    told.add(name.text)
                    yield self._declaration(symbol.node)
            for box in self._inside(child, phase):
                if box.title not in told:
                    told.add(box.title)
                    yield box

    def _is_shown(self, node: nodes.Node) -> bool:
        """Is it a phase, has it rules about it, or does it lead to such a doing?"""
        known = self._leads.get(node)
        if known is not None:
            return known
        self._leads[node] = False
        target = declared(node)
        if not isinstance(
            node, nodes.PhaseDecl | nodes.EffectDecl | nodes.MayDecl | nodes.TableDecl
        ):
            return False
        found = isinstance(node, nodes.PhaseDecl) or target in self._rules
        if not found:
            for part in nodes.walk(node):
                for name in _done(part):
                    symbol = self._tables.symbols.get(name.text)
                    found = found or (symbol is not None and self._is_shown(symbol.node))
        self._leads[node] = found
        return found

    @staticmethod
    def _tip(form: str, node: nodes.Node) -> str:
        cites = ", ".join(ids(node))
        return f"{form} [{cites}]" if cites else form

    # ------------------------------------------------------------ rules

    def _all_rules(self) -> Iterator[Rule]:
        order = {key: number for number, key in enumerate(self._keys.values())}
        known = [
            (order[self._keys[target]], target) for target in self._rules if target in self._keys
        ]
        number = 0
        for _, target in sorted(known, key=lambda pair: pair[0]):
            for touch in self._rules[target]:
                number += 1
                yield self._rule(touch, self._keys[target], f"r{number}")

    def _rule(self, touch: Touch, of: str, key: str) -> Rule:
        does: dict[str, None] = {}
        first = ""
        for part in nodes.walk(touch.node):
            for name in _done(part):
                symbol = self._tables.symbols.get(name.text)
                target = declared(symbol.node) if symbol is not None else None
                first = first or (name.text if symbol is not None else "")
                if target in self._keys and target is not None:
                    does.setdefault(self._keys[target])
        title = touch.name or self._card_title(touch.card) or first or "a rule"
        when = (
            f"if {' '.join(touch.condition.span.text.split())}"
            if touch.condition is not None
            else "always"
        )
        cites = f" [{', '.join(touch.cites)}]" if touch.cites else ""
        return Rule(
            key,
            spoken(title) if title == title.lower() else title,
            _TIMINGS[touch.how],
            of,
            tuple(does),
            clean(when + cites),
            touch.origin,
        )

    def _card_title(self, card: str) -> str:
        ident = card.rpartition(".")[2]
        for kind, things in self._tables.ids.get(ident, ()):
            of = self._tables.kinds[kind]
            return shared([clean(of.titles[thing - of.base]) for thing in things])
        return ident


def _done(part: nodes.Node) -> Iterable[nodes.Ident]:
    match part:
        case nodes.DoStmt(name=name) | nodes.Call(name=name):
            return (name,)
        case nodes.TakeActionStmt(actions=actions):
            return actions
        case _:
            return ()
