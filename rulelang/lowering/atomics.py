"""Gains, losses, moves and rolls that some rule may wait for: each becomes a doing of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import AtomicEvent
from rulelang.lowering.decisions import Decisions

if TYPE_CHECKING:
    from rulelang.ir import Type

PLAYER = ruletypes.thing(0)


@nodes.remembered
def _waiting(item: nodes.Node) -> tuple[nodes.Node, ...]:
    """Give the parts of a declaration that say what rules wait for, and what changes."""
    kinds = (
        nodes.BecomeStmt,
        nodes.GainEvent,
        nodes.LoseEvent,
        nodes.MoveEvent,
        nodes.RollEvent,
    )
    return tuple(part for part in nodes.parts(item) if isinstance(part, kinds))


class Atomics(Decisions):
    """Makes doings of what happens in one line."""

    atomic_patterns: dict[str, set[str]]
    atomics: dict[AtomicEvent, int]

    def find_patterns(self) -> None:
        """Note which gains, losses, moves and rolls any rule waits for."""
        self.atomic_patterns = {"gain": set(), "lose": set(), "move": set(), "roll": set()}
        self.changed_names = set()
        for item, _ in (
            *self.ctx.tables.items,
            *((node, "") for node in self.ctx.tables.scenarios),
        ):
            for node in _waiting(item):
                match node:
                    case nodes.BecomeStmt(place=nodes.Name(ident=ident)):
                        self.changed_names.add(ident.text)
                    case nodes.GainEvent() | nodes.LoseEvent():
                        # A transfer is one event for the patterns of both sides.
                        form = "gain" if isinstance(node, nodes.GainEvent) else "lose"
                        other = node.source if isinstance(node, nodes.GainEvent) else node.target
                        self.atomic_patterns[form].add(node.field.text)
                        if other is None or other.text != "supply":
                            both = "lose" if form == "gain" else "gain"
                            self.atomic_patterns[both].add(f"{node.field.text} transfer")
                    case nodes.MoveEvent():
                        self.atomic_patterns["move"].add("")
                    case nodes.RollEvent():
                        self.atomic_patterns["roll"].add(node.enum.text)
                    case _:
                        pass

    def adjust_event(
        self, fields: tuple[int, ...], other_fields: tuple[int, ...], *, gains: bool, up_to: bool
    ) -> int | None:
        """Give the doing of a gain or loss that some rule may wait for; None if none does."""
        form: Literal["gain", "lose"] = "gain" if gains else "lose"
        name = self.ctx.tables.fields[fields[0]].name
        waited = name in self.atomic_patterns[form] or (
            other_fields and f"{name} transfer" in self.atomic_patterns[form]
        )
        if not waited:
            return None
        event = AtomicEvent(
            form,
            (name, *map(str, fields), str(up_to)),
            bool(other_fields),
            tuple(map(str, other_fields)),
        )
        found = self.atomics.get(event)
        if found is not None:
            return found
        who = ruletypes.thing(*(self.ctx.tables.fields[number].kind for number in fields))
        other = ruletypes.thing(*(self.ctx.tables.fields[number].kind for number in other_fields))
        params = [ir.Param("who", who), ir.Param("n", ir.NUMBER)]
        if other_fields:
            params.append(ir.Param("other", other))
        made = self.ctx.new_doing(
            f"{form} {name}",
            "atomic",
            params=params,
            result=ir.COUNT,
            settles=False,
            event=event,
            used=True,
        )
        self.atomics[event] = made.index
        adjust = ir.Adjust(
            ir.Local("who", type=who),
            fields,
            1 if gains else -1,
            ir.Local("n", type=ir.NUMBER),
            up_to,
            ir.Local("other", type=other) if other_fields else None,
            other_fields,
            "$moved",
        )
        made.body = (adjust, ir.End(made.index, ir.Local("$moved", type=ir.COUNT)))
        return made.index

    def move_event(self, elem: Type, dest: ir.Dest, span: ir.Span) -> int | None:
        """Give the doing of a move that some rule may wait for; None if none does."""
        if not self.atomic_patterns["move"]:
            return None
        event = AtomicEvent(
            "move", tuple(map(str, elem.kinds)), dest=dest.where, dest_fields=dest.fields
        )
        found = self.atomics.get(event)
        if found is not None:
            return found
        params = [ir.Param("thing", elem)]
        held = dest.obj
        if held is not None:
            kind = held.type
            if dest.where == "thing":  # one doing for all places that it can be moved to
                places = self.ctx.fields_named(elem.kinds, "place")
                kinds = [self.ctx.tables.fields[number].type for number in places]
                kind = ruletypes.or_none(ruletypes.join_all(kinds) or kind)
            params.append(ir.Param("place", kind))
            held = ir.Local("place", type=kind)
        made = self.ctx.new_doing(
            "move", "atomic", params=params, settles=False, event=event, span=span, used=True
        )
        self.atomics[event] = made.index
        made.body = (ir.Move(ir.Local("thing", type=elem), ir.Dest(dest.where, held, dest.fields)),)
        return made.index

    def roll_event(self, enum: int, kind: Type, path: str, span: ir.Span) -> int | None:
        """Give the doing of a roll that some rule may wait for; None if none does."""
        entry = self.ctx.tables.enums[enum]
        if entry.name not in self.atomic_patterns["roll"]:
            return None
        low = entry.low if entry.numeric else 0
        params = [ir.Param("by", evolve(PLAYER, optional=True))]
        event = AtomicEvent("roll", enum=enum)
        made = self.ctx.new_doing(
            f"roll {entry.name}",
            "atomic",
            params=params,
            result=kind,
            settles=False,
            event=event,
            span=span,
            used=True,
        )
        by = ir.Local("by", type=params[0].type)
        roll = ir.Roll("$rolled", low, low + len(entry.words) - 1, path, None, enum, by, span=span)
        made.body = (roll, ir.End(made.index, ir.Local("$rolled", type=kind)))
        return made.index
