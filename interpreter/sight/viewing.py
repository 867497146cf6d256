"""Expressions in a position where a match waits: of everything, or of what one seat sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import attrs

from interpreter.errors import EngineError
from interpreter.layout import BOX, FIRST_PILE, NOWHERE
from interpreter.reference.expressions import HANDLERS, Env, Handler
from interpreter.reference.machine import Reference
from interpreter.sight.observation import HIDDEN, HiddenPile
from interpreter.standing import SeenSlots, UnseenError
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.reference.moves import Moves
    from interpreter.standing import Position

Items: TypeAlias = tuple[Any, ...]


class Viewed(Reference):
    """Evaluates what no rule has asked.

    Where the position is that of one seat, what depends on more than the seat sees has no value. How many things
    lie somewhere is seen even where they are not, and of a card that nobody sees it is enough that its rule applies
    to none of those who may have it.

    Args:
        position: Where a match waits.
        moves: Costs on maps that are known from another position of the same game.

    Attributes:
        pending: What is asked, and the names that it reads, as far as they are known.
        offered: What can be answered, as in `interpreter.decision.Decision`; of a set its members.
    """

    def __init__(self, position: Position, moves: Moves | None = None) -> None:
        super().__init__(position.program, position.options)
        if moves is not None:
            self.moves = moves
        self.slots = position.slots
        self.pending = position.question
        self.offered = position.offered

    def _seen(self, expr: ir.Expr, env: Env) -> Any:  # noqa: ANN401 - values of all types
        """The value of an expression for which it matters who looks.

        Raises:
            RuleFault: It has none; among others where it reads a name that is not known.
            UnseenError: It reads what the seat may not see.
        """
        if isinstance(expr, ir.Local) and expr.name not in env:
            self.fault(f"{expr.name} has no value", expr.span)
        slots = self.slots
        if isinstance(slots, SeenSlots):
            match expr:
                case ir.Count(source=source):
                    size = self._size(source, env, slots)
                    if size is not None:
                        return size
                case ir.AnyWhere(source=source, cond=None):
                    size = self._size(source, env, slots)
                    if size is not None:
                        return size > 0
                case ir.PlacedAt() | ir.InBox():
                    things, unseen = self._lying(expr, env, slots)
                    if unseen:
                        raise UnseenError
                    return things
                case ir.Exceptional(clauses=clauses):
                    left = tuple(each for each in clauses if not self.surely_idle(each, env))
                    expr = attrs.evolve(expr, clauses=left)
                case _:
                    pass
        return HANDLERS[type(expr)](self, expr, env)

    handlers: ClassVar[Mapping[type[ir.Expr], Handler]] = {
        **HANDLERS,
        **dict.fromkeys(
            (ir.Local, ir.Count, ir.AnyWhere, ir.PlacedAt, ir.InBox, ir.Exceptional), _seen
        ),
    }

    def _size(self, source: ir.Expr, env: Env, slots: SeenSlots) -> int | None:
        """How many things lie somewhere; None if it is no such place."""
        match source:
            case ir.PlacedAt(source=ir.KindAll()) | ir.InBox(source=ir.KindAll()):
                things, unseen = self._lying(source, env, slots)
                return len(things) + unseen
            case ir.FieldGet(obj=obj, fields=fields, key=None) if all(
                self.program.fields[each].pile for each in fields
            ):
                thing = self.value(obj, env)
                if thing is None:
                    return None
                pile = slots.raw(self.layout.slot(self.field_of(fields, thing), thing))
                return pile.size if isinstance(pile, HiddenPile) else len(cast("Items", pile))
            case _:
                return None

    def _lying(self, expr: ir.PlacedAt | ir.InBox, env: Env, slots: SeenSlots) -> tuple[Items, int]:
        """The things of a set that are seen to lie somewhere, and how many of their kinds lie there face down."""
        source = self.items(expr.source, env)
        place = self.value(expr.place, env) if isinstance(expr, ir.PlacedAt) else None
        wanted = (NOWHERE, place) if isinstance(expr, ir.PlacedAt) else (BOX, None)
        there = [
            thing
            for thing in source
            if self._position(thing, slots) is not HIDDEN
            and self.layout.where(slots, thing) == wanted
        ]
        at = -1 if wanted[1] is None else wanted[1]
        kinds = {self.layout.kind_of[thing] for thing in source}
        return tuple(there), sum(slots.face_down[kind, wanted[0], at] for kind in kinds)

    def _position(self, thing: int, slots: SeenSlots) -> object:
        """Where a thing is, `HIDDEN` if that is not seen."""
        offset = self.layout.positions[self.layout.kind_of[thing]]
        return NOWHERE if offset is None else slots.raw(offset + thing)

    # ------------------------------------------------------------------------------ cards in play

    def holder(self, card: int) -> int | None:
        """See :class:`ir.HolderOf`.

        Raises:
            UnseenError: The seat does not see where the card is.
        """
        slots = self.slots
        if not isinstance(slots, SeenSlots):
            return super().holder(card)
        position = self._position(card, slots)
        if position is HIDDEN:
            raise UnseenError
        if isinstance(position, int) and position >= FIRST_PILE:
            number, owner = self.layout.piles[position - FIRST_PILE]
            acts = self.program.fields[number].acts
            return None if not acts else self.left_of(owner) if acts == "left" else owner
        for field, owner in self._acting_places():
            held = (
                self.layout.read(slots, field.index, owner, field.key_low + key)
                for key in range(field.keys)
            )
            if not field.pile and any(card in _several(each) for each in held):
                return self.left_of(owner) if field.acts == "left" else owner
        return None

    def _acting_places(self) -> Iterator[tuple[ir.Field, int]]:
        for field in self.program.fields:
            if field.acts:
                kind = self.program.kinds[field.kind]
                yield from ((field, owner) for owner in range(kind.base, kind.base + kind.count))

    def surely_idle(self, clause: ir.Clause, env: Env) -> bool:
        """Is this an exception of a card that the seat does not see, which does not apply whoever has the card?"""
        slots = self.slots
        first = next(iter(clause.lets), None)
        if not isinstance(slots, SeenSlots) or first is None or clause.block is not None:
            return False
        name, source = first
        if not isinstance(source, ir.HolderOf):
            return False
        try:
            self.holder(self.need(source.card, env))
        except UnseenError:
            pass
        else:
            return False
        hidden = {
            self.left_of(owner) if field.acts == "left" else owner
            for field, owner in self._acting_places()
            if field.pile
            and isinstance(slots.raw(self.layout.slot(field.index, owner)), HiddenPile)
        }
        return not any(self._may_apply(clause, env | {name: holder}) for holder in hidden)

    def _may_apply(self, clause: ir.Clause, env: Env) -> bool:
        try:
            inner = self.bound(clause.lets[1:], env)
            return inner is not None and self.holds(clause.cond, inner)
        except EngineError:
            return True


def _several(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
