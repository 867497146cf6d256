"""The course of a game as data: phases with their steps inside each other, and the rules that act on them.

A phase, step or doing stands where play first comes to it; where it is done again, a reference to it stands. Doings are
left out that neither lead to a phase nor have a rule about them, but not those that a phase without steps does itself:
they are its course. Rules that wait for a state stand apart, since they may act whenever a doing has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.rulebook.lexicon import shared
from rulelang.rulebook.model import clean
from rulelang.variants.touching import Target, Touch, declared, flat, ids, steps, touches
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.symbols import Tables

START: Final = "game"
Timing: TypeAlias = Literal["before", "after", "instead of", "may go instead of", "whenever"]
_TIMINGS: Final[dict[str, Timing]] = {
    "before": "before",
    "after": "after",
    "replaces": "instead of",
    "instead": "may go instead of",
}
_DOINGS: Final = nodes.PhaseDecl | nodes.EffectDecl | nodes.MayDecl | nodes.TableDecl


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
    """A rule that acts before, after or instead of a box, or whenever something is so.

    Attributes:
        key: What it is told apart by, in the drawing.
        title: Its name, its card, or what it does.
        timing: When it acts.
        of: The key of the box; empty for one that waits for a state.
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
    """The course of a game.

    Attributes:
        title: What the game is called.
        boxes: What happens, in order.
        rules: What acts on it, in the order of the boxes.
        whenever: The rules that wait for a state, in the order in which they are settled.
    """

    title: str
    boxes: tuple[Box, ...]
    rules: tuple[Rule, ...]
    whenever: tuple[Rule, ...] = ()


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
        rules = tuple(self._all_rules())
        return Course(title, tuple(boxes), rules, tuple(self._state_rules(len(rules))))

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
        whole = form == "phase" and not steps(node)
        below = tuple(self._inside(body, name, whole=whole)) if body is not None else ()
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

    def _inside(self, node: nodes.Node, phase: str, *, whole: bool = False) -> Iterator[Box]:
        """Give the steps and doings in a text in order; each doing once, and with `whole` all that are named here."""
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
                if symbol is None or name.text in told:
                    continue
                if self._is_shown(symbol.node) or (whole and isinstance(symbol.node, _DOINGS)):
                    told.add(name.text)
                    yield self._declaration(symbol.node)
            for box in self._inside(child, phase, whole=whole):
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
        if not isinstance(node, _DOINGS):
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
        does, first = self._sets_off(touch.node)
        title = touch.name or self._card_title(touch.card) or first
        when = f"if {flat(touch.condition)}" if touch.condition is not None else "always"
        cites = f" [{', '.join(touch.cites)}]" if touch.cites else ""
        return Rule(
            key,
            (spoken(title) if title == title.lower() else title) or _gist(touch.node),
            _TIMINGS[touch.how],
            of,
            does,
            clean(when + cites),
            touch.origin,
        )

    def _state_rules(self, before: int) -> Iterator[Rule]:
        """Give the rules that wait for a state, those of cards behind the others."""
        always: list[tuple[nodes.Node, str, str]] = []
        on_cards: list[tuple[nodes.Node, str, str]] = []
        for item, origin in self._tables.items:
            if isinstance(item, nodes.CardDecl):
                card = self._card_title(item.name.text)
                on_cards += [(each, origin, card) for each in item.items]
            else:
                always.append((item, origin, ""))
        number = before
        for held, origin, card in (*always, *on_cards):
            rule = held.rule if isinstance(held, nodes.NamedRuleDecl) else held
            if not isinstance(rule, nodes.StateRuleDecl):
                continue
            number += 1
            name = spoken(held.name.text) if isinstance(held, nodes.NamedRuleDecl) else ""
            does, _ = self._sets_off(rule)
            cites = ", ".join(ids(held) or ids(rule))
            when = f"when {flat(rule.condition)}"
            yield Rule(
                f"r{number}",
                clean(name or card or when),
                "whenever",
                "",
                does,
                clean(when + (f" [{cites}]" if cites else "")),
                origin,
            )

    def _sets_off(self, node: nodes.Node) -> tuple[tuple[str, ...], str]:
        """Give the keys of the boxes that a rule does, and the name of the first doing in it."""
        does: dict[str, None] = {}
        first = ""
        for part in nodes.walk(node):
            for name in _done(part):
                symbol = self._tables.symbols.get(name.text)
                target = declared(symbol.node) if symbol is not None else None
                first = first or (name.text if symbol is not None else "")
                if target in self._keys and target is not None:
                    does.setdefault(self._keys[target])
        return tuple(does), first

    def _card_title(self, card: str) -> str:
        ident = card.rpartition(".")[2]
        for kind, things in self._tables.ids.get(ident, ()):
            of = self._tables.kinds[kind]
            return shared([clean(of.titles[thing - of.base]) for thing in things])
        return ident


def _gist(rule: nodes.Node) -> str:
    """Give what a rule does as it is written, on one line."""
    body = flat(rule.body).lstrip(": ") if isinstance(rule, nodes.HookDecl) else ""
    return clean(body) or "a rule"


def _done(part: nodes.Node) -> Iterable[nodes.Ident]:
    match part:
        case nodes.DoStmt(name=name) | nodes.Call(name=name):
            return (name,)
        case nodes.TakeActionStmt(actions=actions):
            return actions
        case _:
            return ()
