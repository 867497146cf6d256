"""Facts about a Program that the code generator needs: free locals, what is read, who calls whom.

Everything here is computed from the IR alone and is conservative: a set may be too large, never too
small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import attrs

from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NO_NAMES: frozenset[str] = frozenset()


_PARTS: dict[type, tuple[str, ...]] = {}
_NODES: dict[type, bool] = {}


def _parts(of: type) -> tuple[str, ...]:
    """Names of the attributes of a node class that can hold other nodes."""
    known = _PARTS.get(of)
    if known is None:
        skip = {"type", "span", "cites", "path", "doc", "name", "op", "types", "result"}
        names = (field.name for field in attrs.fields(of))
        known = _PARTS[of] = tuple(name for name in names if name not in skip)
    return known


def _is_node_class(of: type) -> bool:
    known = _NODES.get(of)
    if known is None:
        known = _NODES[of] = attrs.has(of) and not issubclass(of, (ir.Type, ir.Span))
    return known


def is_node(value: object) -> bool:
    """Is this a node of the IR that can hold expressions?"""
    return _is_node_class(type(value))


def about_a_player(definition: ir.Definition) -> bool:
    """Does it give a number about one player?"""
    params = definition.params
    return (
        len(params) == 1
        and params[0].type.shape == "thing"
        and params[0].type.kinds == (0,)
        and definition.body.type.shape == "number"
    )


def children(node: object) -> list[object]:
    """The nodes directly below a node, through tuples."""
    found: list[object] = []
    for part in _parts(type(node)):
        _add_nodes(getattr(node, part), found)
    return found


def _add_nodes(value: object, found: list[object]) -> None:
    if isinstance(value, tuple):
        for item in value:
            _add_nodes(item, found)
    elif _is_node_class(value.__class__):
        found.append(value)


def walk(node: object) -> Iterator[object]:
    """A node (or a tuple of them) and everything below it, parents first."""
    waiting: list[object] = []
    _add_nodes(node, waiting)
    waiting.reverse()
    while waiting:
        here = waiting.pop()
        yield here
        below = children(here)
        below.reverse()
        waiting += below


def rebuild(node: object, change: Callable[[object], object]) -> object:
    """A node with ``change`` applied to each node directly below it."""
    changes: dict[str, object] = {}
    for part in _parts(type(node)):
        old = getattr(node, part)
        new = _mapped(old, change)
        if new is not old:
            changes[part] = new
    return attrs.evolve(node, **changes) if changes else node  # type: ignore[misc]


def renamed(e: ir.Expr, old: str, new: str) -> ir.Expr:
    """An expression with a local of another name; inside it nothing else has the old one."""

    def change(node: object) -> object:
        if isinstance(node, ir.Local) and node.name == old:
            return attrs.evolve(node, name=new)
        return rebuild(node, change)

    return cast("ir.Expr", change(e))


def _mapped(value: object, change: Callable[[object], object]) -> object:
    if not isinstance(value, tuple):
        return change(value) if _is_node_class(value.__class__) else value
    changed = False
    items: list[object] = []
    for item in value:
        new = _mapped(item, change)
        changed = changed or new is not item
        items.append(new)
    return tuple(items) if changed else value


class Scopes:
    """Free locals of expressions; knows the names of the lasting blocks of a Program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[int, tuple[object, frozenset[str]]] = {}

    def free(self, node: object) -> frozenset[str]:
        """Names of the locals that an expression reads and does not bind itself."""
        known = self._known.get(id(node))
        if known is not None and known[0] is node:
            return known[1]
        found = self._free(node)
        self._known[id(node)] = (node, found)
        return found

    def _free(self, node: object) -> frozenset[str]:
        match node:
            case None:
                return NO_NAMES
            case tuple():
                return NO_NAMES.union(*(self.free(item) for item in node))
            case ir.Local():
                return frozenset((node.name,))
            case ir.Where() | ir.AnyWhere():
                return self.free(node.source) | (self.free(node.cond) - {node.var})
            case ir.Map():
                return self.free(node.source) | (self.free(node.body) - {node.var})
            case ir.Key():
                return self.free(node.body) - {node.var}
            case ir.LetIn():
                return self.free(node.value) | (self.free(node.body) - {node.name})
            case ir.AnyRow():
                return self.free(node.cond) - set(self._program.blocks[node.block].names)
            case ir.Clause():
                return self._clause(node)
            case _:
                pass
        if is_node(node):
            return NO_NAMES.union(*(self.free(child) for child in children(node)))
        return NO_NAMES

    def _clause(self, clause: ir.Clause) -> frozenset[str]:
        inside = self.free(clause.value) | self.free(clause.cond)
        for name, value in reversed(clause.lets):
            inside = (inside - {name}) | self.free(value)
        if clause.block is not None:
            inside -= set(self._program.blocks[clause.block].names)
        return inside


@attrs.frozen
class Reads:
    """What an expression depends on besides its locals and data.

    Attributes:
        fields: Mutable fields (piles too).
        places: Kinds whose positions matter.
        globals: Globals, ``running`` counters among them.
        blocks: Lasting blocks whose rows matter.
    """

    fields: frozenset[int] = frozenset()
    places: frozenset[int] = frozenset()
    globals: frozenset[int] = frozenset()
    blocks: frozenset[int] = frozenset()

    def __or__(self, other: Reads) -> Reads:
        """All that either reads."""
        return Reads(
            self.fields | other.fields,
            self.places | other.places,
            self.globals | other.globals,
            self.blocks | other.blocks,
        )

    @property
    def data_only(self) -> bool:
        """Does it depend on nothing that can change?"""
        return not (self.fields or self.places or self.globals or self.blocks)


NOTHING = Reads()


class Dependencies:
    """What expressions and definitions of a Program read."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._definitions: dict[int, Reads] = {}
        self._known: dict[int, tuple[object, Reads]] = {}

    def reads(self, node: object) -> Reads:
        """What an expression (or several) reads, through definitions."""
        known = self._known.get(id(node))
        if known is not None and known[0] is node:
            return known[1]
        if isinstance(node, tuple):
            found, below = (
                NOTHING,
                [item for item in node if isinstance(item, tuple) or is_node(item)],
            )
        else:
            found, below = self.own(node), children(node)
        for child in below:
            part = self.reads(child)
            if part is not NOTHING:
                found = part if found is NOTHING else found | part
        self._known[id(node)] = (node, found)
        return found

    def definition(self, index: int) -> Reads:
        """What a definition reads."""
        if index not in self._definitions:
            self._definitions[index] = NOTHING
            self._definitions[index] = self.reads(self._program.definitions[index].body)
        return self._definitions[index]

    def own(self, node: object) -> Reads:
        """What a node itself reads, whatever stands below it."""
        program = self._program
        match node:
            case ir.FieldGet():
                found = NOTHING
                for index in node.fields:
                    declared = program.fields[index]
                    if declared.mutable or declared.pile:
                        place = program.kinds[declared.kind].place == index
                        kinds = frozenset((declared.kind,)) if place else frozenset()
                        found |= Reads(fields=frozenset((index,)), places=kinds)
                return found
            case ir.GlobalGet():
                return Reads(globals=frozenset((node.index,)))
            case ir.InBox() | ir.PlacedAt():
                return Reads(places=self.kinds_of(node.source.type))
            case ir.HolderOf():
                return Reads(
                    fields=frozenset(each.index for each in program.fields if each.acts),
                    places=self.kinds_of(node.card.type),
                )
            case ir.During():
                running = program.doings[node.doing].running
                return Reads(globals=frozenset(() if running is None else (running,)))
            case ir.AnyRow():
                return Reads(blocks=frozenset((node.block,)))
            case ir.Clause() if node.block is not None:
                return Reads(blocks=frozenset((node.block,)))
            case ir.CallDef() | ir.MapOp():
                return self.definition(node.definition)
            case _ if hasattr(node, "blocks") and isinstance(node, ir.Expr):
                return Reads(blocks=frozenset(getattr(node, "blocks", ())))
            case ir.Subsets():
                kinds = self.kinds_of(node.source.type)
                fields = frozenset(each.index for each in program.fields if each.mutable)
                shown = frozenset(each.index for each in program.globals if each.shown)
                blocks = frozenset(range(len(program.blocks)))
                return Reads(fields, kinds, shown, blocks)
            case _:
                pass
        return NOTHING

    def kinds_of(self, of: ir.Type) -> frozenset[int]:
        """Kinds of the things that a value of a type is or holds."""
        if of.elem is not None:
            return self.kinds_of(of.elem)
        return frozenset(of.kinds)


class Calls:
    """Which doings run which others, and what can happen inside each."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        count = len(program.doings)
        self.settling = frozenset(rule.doing for rule in program.state_rules)
        self.direct: list[set[int]] = [set() for _ in range(count)]
        asks: list[bool] = [False] * count
        ends: list[set[int]] = [set() for _ in range(count)]
        for doing in program.doings:
            own = self.direct[doing.index]
            for node in walk((doing.body, doing.before, doing.instead, doing.after)):
                match node:
                    case ir.Call():
                        own.add(node.doing)
                    case ir.Hook():
                        own.add(node.doing)
                    case ir.Ask():
                        asks[doing.index] = True
                    case ir.End() if node.doing != 0:
                        ends[doing.index].add(node.doing)
                    case _:
                        pass
            if len(doing.instead) > 1 and doing.order_decision is not None:
                asks[doing.index] = True
        self.own = [set(each) for each in self.direct]
        for doing in program.doings:
            if doing.settles:
                self.direct[doing.index] |= self.settling
        self.suspends = self._spread(asks)
        self.escapes = self._ends(ends)
        self.settle_suspends = any(self.suspends[rule] for rule in self.settling)
        self.settle_escapes = frozenset().union(*(self.escapes[rule] for rule in self.settling))
        self.cyclic = self._cycles()
        self.deep = self._spread([index in self.cyclic for index in range(count)])

    def _spread(self, start: list[bool]) -> tuple[bool, ...]:
        """For each doing whether it, or one that it runs, is marked."""
        marked = list(start)
        changed = True
        while changed:
            changed = False
            for index, called in enumerate(self.direct):
                if not marked[index] and any(marked[other] for other in called):
                    marked[index] = changed = True
        return tuple(marked)

    def _ends(self, own: list[set[int]]) -> tuple[frozenset[int], ...]:
        """For each doing the doings whose ``end`` can leave it unfinished.

        Itself is among them only through a state rule that acts after it has ended.
        """
        program = self._program
        found: list[frozenset[int]] = [frozenset()] * len(own)
        changed = True
        while changed:
            changed = False
            settling = frozenset().union(*(found[rule] for rule in self.settling))
            for index, targets in enumerate(own):
                new = frozenset(targets).union(*(found[other] for other in self.own[index]))
                new -= {index}
                if program.doings[index].settles:
                    new |= settling
                if new != found[index]:
                    found[index] = new
                    changed = True
        return tuple(found)

    def inside(self, indexes: set[int] | frozenset[int]) -> frozenset[int]:
        """What can escape from the doings named."""
        return frozenset().union(*(self.escapes[index] for index in indexes))

    def _cycles(self) -> frozenset[int]:
        """Doings that can run inside themselves."""
        found = set()
        for index in range(len(self.direct)):
            seen: set[int] = set()
            todo = list(self.direct[index])
            while todo:
                other = todo.pop()
                if other not in seen:
                    seen.add(other)
                    todo.extend(self.direct[other])
            if index in seen:
                found.add(index)
        return frozenset(found)
