"""Names as they are met in a text, and what they stand for there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.names import RESERVED
from rulelang.server.names import Key, constants, every_member, members
from rulelang.source import Span
from rulelang.variants.touching import steps

if TYPE_CHECKING:
    from rulelang.server.views import View

Role: TypeAlias = Literal["declares", "uses", "changes"]
_PLAYER: Final = ruletypes.thing(0)


@attrs.frozen
class Occurrence:
    """One name in a text.

    Attributes:
        span: Where it stands.
        keys: What it stands for; several where a field of several kinds is meant, or where it is not known which.
        role: What is done there.
    """

    span: Span
    keys: tuple[Key, ...]
    role: Role = "uses"


@attrs.define(eq=False)
class Env:
    """The names bound at a place, with their keys; a block's names end with it."""

    bound: dict[str, Key]
    phase: str = ""

    def child(self) -> Env:
        """Make the names of a block inside."""
        return Env(dict(self.bound), self.phase)


class Naming:
    """Notes names; what the walk over declarations is built on."""

    def __init__(self, view: View, item: nodes.Node) -> None:
        self.tables = view.tables
        self.types = view.types
        self.found: list[Occurrence] = []
        self.rule = item  # what a name that nothing binds is known in

    # ------------------------------------------------------------------ noting

    def note(self, at: nodes.Node, *keys: Key, role: Role = "uses") -> None:
        """Note a name; without a key it is part of the language."""
        if keys:
            self.found.append(Occurrence(at.span, keys, role))

    def bind(self, ident: nodes.Ident, env: Env) -> None:
        """Note a name that is bound here."""
        key: Key = ("local", ident.span.file.path, str(ident.span.start), ident.text)
        env.bound[ident.text] = key
        self.note(ident, key, role="declares")

    def name(self, ident: nodes.Ident, env: Env, want: ir.Type | None, role: Role = "uses") -> None:
        """Note a name that stands alone."""
        text = ident.text
        if text in env.bound:
            self.note(ident, env.bound[text], role=role)
            return
        if text in RESERVED:
            return
        found = constants(text, self.tables, want)
        symbol = self.tables.symbols.get(text)
        if symbol is not None and not (
            found and symbol.form not in ("option", "definition", "singleton")
        ):
            self.note(ident, self.symbol_key(text), role=role)
        elif found:
            self.note(ident, *found, role=role)
        else:  # the name of a rule that runs over everything of a kind
            start = str(self.rule.span.start)
            self.note(ident, ("local", ident.span.file.path, start, text), role=role)

    def symbol_key(self, name: str) -> Key:
        """Give what a declared name that stands alone means: the only thing of a kind is that kind."""
        symbol = self.tables.symbols.get(name)
        if symbol is not None and symbol.form == "singleton":
            return ("type", self.tables.kinds[symbol.number].name)
        return ("name", name)

    def doing(self, ident: nodes.Ident) -> None:
        """Note the name of something declared, where nothing else can stand."""
        if ident.text in self.tables.symbols:
            self.note(ident, ("name", ident.text))

    def type_name(self, ident: nodes.Ident) -> None:
        """Note a kind, an enumeration, or a word that stands for a kind."""
        if ident.text in self.tables.words and ident.text not in self.tables.type_names:
            self.note(ident, *constants(ident.text, self.tables))
        elif ident.text[:1].isupper() and ident.text not in ("Number", "Flag", "Text"):
            self.note(ident, ("type", ident.text))

    def member(self, ident: nodes.Ident, owner: ir.Type | None, role: Role = "uses") -> None:
        """Note a name after a dot."""
        owner = self.types.get(ident, owner)
        found = members(owner, ident.text, self.tables) if owner is not None else ()
        self.note(ident, *(found or every_member(ident.text, self.tables)), role=role)

    def steps_of(self, name: str) -> frozenset[str]:
        """Give the steps of a phase; none of anything else."""
        symbol = self.tables.symbols.get(name)
        return frozenset(steps(symbol.node)) if symbol is not None else frozenset()

    def is_phase(self, name: str) -> bool:
        """Tell whether a name is that of a phase."""
        symbol = self.tables.symbols.get(name)
        return symbol is not None and symbol.form == "phase"

    # ------------------------------------------------------------------ types where the checker has none

    def type_of(self, node: nodes.Node, env: Env) -> ir.Type | None:
        """Give the type of an expression: as the checker says, or as far as names tell it."""
        known = self.types.get(node)
        if known is not None:
            return known
        tables = self.tables
        match node:
            case nodes.Name(ident=ident):
                if ident.text == "you":
                    return _PLAYER
                if ident.text in env.bound and env.bound[ident.text][0] == "seat":
                    return _PLAYER
                ids = tables.ids.get(ident.text, ())
                if len(ids) == 1 and ident.text not in env.bound:
                    return ruletypes.thing(ids[0][0])
                symbol = tables.symbols.get(ident.text)
                if symbol is not None and symbol.form == "singleton":
                    return ruletypes.thing(symbol.number)
                return tables.type_by_name(ident.text)
            case nodes.KindName(ident=ident):
                return tables.type_names.get(ident.text)
            case nodes.Prop(owner=owner, name=name) | nodes.PropCall(owner=owner, name=name):
                of = self.type_of(owner, env)
                while of is not None and of.elem is not None:
                    of = of.elem
                for kind in of.kinds if of is not None else ():
                    number = tables.field_numbers.get((kind, name.text))
                    if number is not None:
                        return tables.fields[number].type
                return None
            case nodes.Group(elements=(only,)):
                return self.type_of(only, env)
            case _:
                return None

    def property_of(
        self, owner: nodes.Node, name: nodes.Ident, env: Env, role: Role = "uses"
    ) -> None:
        """Note a name after a dot, by what stands in front."""
        if isinstance(owner, nodes.KindName):
            of = self.tables.type_names.get(owner.ident.text)
            found = constants(name.text, self.tables, of) if of is not None else ()
            if found:
                self.note(name, *found, role=role)
                return
        whose = owner.ident.text if isinstance(owner, nodes.Name) else ""
        if whose and whose not in env.bound and self.is_phase(whose):
            self.note(name, ("kept", whose, name.text), role=role)
            return
        self.member(name, self.type_of(owner, env), role)

    def end(self, name: nodes.Ident, env: Env) -> None:
        """Note what `end` or `until` names: a doing, or a step of the phase around."""
        if name.text in self.tables.symbols:
            self.doing(name)
        elif env.phase:
            self.note(name, ("step", env.phase, name.text))
