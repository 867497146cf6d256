"""Generated code, ready to run: its functions, its state's layout, and what its questions mean."""

from __future__ import annotations

import itertools
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from interpreter import derived, drawing, mapping, runtime
from interpreter.alike import Alike
from interpreter.budget import LARGEST, OFFERED
from interpreter.decision import OneOf, SetOf
from interpreter.errors import RuleFault
from interpreter.faultcodes import RANGE_LEFT
from interpreter.grouping import Grouper
from interpreter.layout import Layout, Slots, admits
from interpreter.legal import Legal, few_answers, few_sets
from interpreter.naming import Naming
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interpreter.compiling.built import Built

Items = tuple[Any, ...]


def unpacked(packed: Items) -> ir.Type:
    """A type from plain data."""
    shape, low, high, enum, kinds, elem, optional = packed
    inner = None if elem is None else unpacked(elem)
    return ir.Type(shape, low, high, enum, tuple(kinds), inner, optional)


def _plain(value: Any) -> object:  # noqa: ANN401
    return value


_TABLES: dict[str, Callable[[Any], object]] = {
    "L": lambda value: runtime.Lookup(*value),
    "W": runtime.Weights,
    "M": lambda _: {},
    "K": lambda count: [object()] * count,
}
"""How a table is made of what was kept of it, by the first letter of its name."""


class Compiled:
    """A Program's generated code for certain options.

    Attributes:
        program: The Program.
        options: Values of its options.
        layout: The slots that are saved.
        derived: The slots behind them.
        built: Where it comes from.
        namespace: The functions by name.
        reentry: The second bodies by number.
        alike: Finds interchangeable things.
        naming: Names values.
    """

    def __init__(self, program: ir.Program, options: Items, built: Built) -> None:
        self.program = program
        self.options = options
        self.layout = Layout(program)
        self.built = built
        self.flags = built.flags
        self.derived = built.derived
        self.alike = Alike(self.layout)
        self.concerned = tuple(self.alike.concerns(each.type) for each in program.decisions)
        self.grouper = Grouper(self.layout, self.alike)
        self.naming = Naming(program)
        namespace: dict[str, Any] = {"__builtins__": {}, "__name__": "rules"}
        namespace.update(runtime.FUNCTIONS)
        namespace.update(drawing.FUNCTIONS)
        namespace.update(mapping.FUNCTIONS)
        namespace.update(_BUILTINS)
        namespace.update(
            {name: _TABLES.get(name[0], _plain)(value) for name, value in built.tables.items()}
        )
        namespace.update({name: unpacked(each) for name, each in built.objects.items()})  # type: ignore[arg-type]
        namespace.update({f"U{kind}": runtime.Unmask(base) for kind, base in built.unmasks.items()})
        namespace.update(
            {
                name: runtime.OnlyOne(base, count, maybe=maybe)
                for name, (base, count, maybe) in built.singles.items()
            }
        )
        ways = {name: mapping.Ways((low, high)) for name, (_, low, high) in built.ways.items()}
        namespace.update(ways)
        namespace.update(self._functions())
        exec(built.code, namespace)  # noqa: S102 - code objects made by our own generator, no text
        for name, (cost, _, _) in built.ways.items():
            ways[name].cost = namespace[cost]
        self.namespace = namespace
        self.main: Callable[..., Any] = namespace["d0"]
        self.reentry = tuple(namespace[f"z{number}"] for number in range(len(built.frames)))
        namespace["REENTRY"] = self.reentry
        self._bounds: dict[int, tuple[ir.Type, tuple[int, int, int] | None]] = {}
        self.kept_by = dict(program.card_keeps)
        self.acting_slots = tuple(
            derived.acting_slots(self.layout, kind) for kind in range(len(program.kinds))
        )
        self._places = ""
        self._templates: dict[tuple[int, ...], Slots] = {}
        self.paths = {slot: path.encode() for path, slot in self.layout.streams.items()}

    def _functions(self) -> dict[str, object]:
        """Functions that know the Program."""
        return {
            "admitted": self._admitted,
            "title": self.naming.title,
            "groups": self.grouper.groups,
            "subsets": self._subsets,
            "read_field": self._read_field,
            "field_of": self._field_of,
            "position": lambda slots, thing: self.layout.where(slots, thing)[0],
            "place_of": self.layout.where,
        }

    # ------------------------------------------------------------------------------------ states

    def initial(self, people: tuple[int, ...]) -> Slots:
        """A state before the first line; streams of chance are seeded when they are first used."""
        template = self._templates.get(people)
        if template is None:
            template = self.layout.initial(0)
            for slot in self.layout.streams.values():
                template[slot] = None
            players = self.program.kinds[0]
            for seat in range(players.count):
                slot = self.layout.slot(self.program.automa_field, players.base + seat)
                template[slot] = seat not in people
            self.rebuild(template)
            self._templates[people] = template
        return template[:]

    def rebuild(self, slots: Slots) -> None:
        """Make the derived slots of a state."""
        derived.rebuild(self.derived, self.layout, slots)
        for slot, function in self.built.sums:
            slots[slot] = self.namespace[function](slots)

    def refresh(self, slots: Slots, kinds: Iterable[int]) -> None:
        """Make derived slots anew that were right before things of these kinds changed places or values."""
        derived.refresh(self.derived, self.layout, slots, frozenset(kinds))
        for slot, function in self.built.sums:
            slots[slot] = self.namespace[function](slots)

    def places(self) -> str:
        """A hash of what frames mean: other code must not read them."""
        if not self._places:
            known = [
                (doing, [(point.names, point.decision) for point in points])
                for doing, points in self.built.frames
            ]
            self._places = blake2b(repr(known).encode(), digest_size=8).hexdigest()
        return self._places

    def translated(self, frames: Items, other: Compiled) -> Items | None:
        """Frames for other code of the same program that keeps fewer names; None if it stops elsewhere."""
        made = []
        for number, point, *values in frames:
            if number >= len(other.built.frames):
                return None
            (doing, points), (its, places) = self.built.frames[number], other.built.frames[number]
            if (doing, [each.decision for each in points]) != (
                its,
                [each.decision for each in places],
            ):
                return None
            known = dict(zip(points[point - 1].names, values, strict=True))
            names = places[point - 1].names
            if not known.keys() >= set(names):
                return None
            made.append((number, point, *[known[name] for name in names]))
        return tuple(made)

    # ------------------------------------------------------------------------------------ for code

    def _admitted(self, value: object, of: ir.Type, name: str) -> object:
        known = self._bounds.get(id(of))
        if known is None:
            known = self._bounds[id(of)] = (of, self._bounds_of(of))
        bounds = known[1]
        if bounds is not None and isinstance(value, tuple):
            low, high, count = bounds
            right = count < 0 or (
                len(value) == count if count else tuple(sorted(set(value))) == value
            )
            if right and (not value or (low <= min(value) and max(value) < high)):
                return value
        if not admits(self.program, of, value):
            raise RuleFault(f"{name} cannot be {value!r}", code=RANGE_LEFT)
        return value

    def _bounds_of(self, of: ir.Type) -> tuple[int, int, int] | None:
        """The range of the members of a bag, or of a set or list of things whose numbers follow each other; and how
        many members there are: as many as words in a bag, 0 for different ones in order, -1 for any. None for all
        else."""
        if of.shape == "bag":
            return -LARGEST, LARGEST + 1, len(self.program.enums[of.enum].words)
        elem = of.elem
        if of.shape not in ("set", "list") or elem is None or elem.shape != "thing":
            return None
        kinds = sorted(
            (self.program.kinds[kind] for kind in elem.kinds), key=lambda kind: kind.base
        )
        if not kinds or any(
            one.base + one.count != two.base for one, two in itertools.pairwise(kinds)
        ):
            return None
        low, high = kinds[0].base, kinds[-1].base + kinds[-1].count
        return low, high, 0 if of.shape == "set" else -1

    def _subsets(self, slots: Slots, items: Items, of: ir.Type) -> Items:
        groups = self.grouper.groups(slots, items, of)
        domain = SetOf(groups, lambda _: ("", ""), items, 0, None)
        if (domain.count() or 0) > OFFERED:
            runtime.exhausted(f"more than {OFFERED:,} subsets")
        return tuple(domain.every())

    def _field_of(self, fields: tuple[int, ...], thing: int) -> int:
        kind = self.layout.kind_of[thing]
        for field in fields:
            if self.program.fields[field].kind == kind:
                return field
        return runtime.fault(f"a {self.program.kinds[kind].name} has no such property")

    def _read_field(self, slots: Slots, fields: tuple[int, ...], thing: int, key: int) -> object:
        field = self._field_of(fields, thing)
        declared = self.program.fields[field]
        if declared.keys > 1 and (not declared.key_low <= key < declared.key_low + declared.keys):
            runtime.fault(f"{declared.name} has no value for {key}")
        return self.layout.read(slots, field, thing, key)

    # ------------------------------------------------------------------------------------ questions

    def domain(
        self,
        slots: Slots,
        number: int,
        offered: Any,  # noqa: ANN401 - by form
        env: Items,
    ) -> OneOf | SetOf:
        """The legal answers of a question, as decisions show them."""
        ask = self.built.asks[number]
        static = self.program.decisions[ask.decision]
        if ask.form == "set":
            return offered  # type: ignore[no-any-return]
        if ask.form == "yes":
            return OneOf(((True,), (False,)), _yes_or_no)
        if ask.form == "label":
            texts = self.namespace[ask.labels](slots, env) if ask.labels else env
            return OneOf(tuple(zip(offered, strict=False)), partial(_label, texts))
        if ask.form == "action":
            actions = tuple(zip(offered, strict=False))
            return OneOf(actions, partial(self._action_name, ask.actions))
        if self.concerned[ask.decision]:
            groups = tuple(offered)
            size = sum(map(len, groups))
        else:
            groups = tuple(zip(offered, strict=False))
            size = len(groups)
        if size > OFFERED:
            runtime.exhausted(f"more than {OFFERED:,} things on offer")
        return OneOf(groups, partial(self._names, static.type))

    def groups_of(self, slots: Slots, number: int, items: Items) -> tuple[Items, ...]:
        """The items on offer in groups of interchangeable ones."""
        of = self.program.decisions[self.built.asks[number].decision].type
        return self.grouper.groups(slots, items, of)

    def sets(
        self, slots: Slots, number: int, items: Items, least: int, most: int | None, env: Items
    ) -> SetOf:
        """The legal answers of a question for a set."""
        ask = self.built.asks[number]
        of = self.program.decisions[ask.decision].type
        if len(items) > OFFERED:
            runtime.exhausted(f"more than {OFFERED:,} things on offer")
        groups = self.grouper.groups(slots, items, of)
        whole = partial(self.namespace[ask.whole], slots, env) if ask.whole else None

        def names(value: object) -> tuple[str, str]:
            return self._names(ir.Type("list", elem=of) if isinstance(value, tuple) else of, value)

        return SetOf(groups, names, items, least, most, whole)

    def legal_sets(
        self, slots: Slots, number: int, items: Items, least: int, most: int | None, env: Items
    ) -> Legal | SetOf:
        """The same; among few answers all that are legal are found at once."""
        ask = self.built.asks[number]
        if self.concerned[ask.decision]:
            of = self.program.decisions[ask.decision].type
            listed = few_answers(self.grouper.groups(slots, items, of), least, most)
        else:
            listed = few_sets(items, least, most)
        if listed is None:
            return self.sets(slots, number, items, least, most, env)
        try:
            legal = self.namespace[ask.legal](slots, env, listed)
        except RuleFault:  # perhaps at an answer that nobody would have looked at
            return self.sets(slots, number, items, least, most, env)
        return Legal(listed, legal, partial(self.sets, slots, number, items, least, most, env))

    def _names(self, of: ir.Type, value: object) -> tuple[str, str]:
        return self.naming.title(value, of), self.naming.key(value, of)

    def _action_name(self, actions: tuple[int, ...], value: object) -> tuple[str, str]:
        if not isinstance(value, tuple):
            return "none of them", "none"
        doing = self.program.doings[actions[value[0]]]
        pairs = list(zip(value[1:], doing.params[1:], strict=True))
        title = ", ".join(self.naming.title(arg, param.type) for arg, param in pairs)
        key = ", ".join(self.naming.key(arg, param.type) for arg, param in pairs)
        spoken = doing.name.replace("_", " ")
        return (f"{spoken}: {title}", f"{doing.name}({key})") if pairs else (spoken, doing.name)


def _yes_or_no(value: object) -> tuple[str, str]:
    """What a Flag is called."""
    return ("yes", "yes") if value is True else ("no", "no")


def _label(texts: tuple[str, ...], value: object) -> tuple[str, str]:
    """What an alternative is called."""
    assert isinstance(value, int)  # noqa: S101 - labels are numbered
    return texts[value], texts[value]


_BUILTINS: dict[str, object] = {
    "iter": iter,
    "len": len,
    "max": max,
    "min": min,
    "range": range,
    "sum": sum,
    "tuple": tuple,
    "SUSPENDED": runtime.SUSPENDED,
    "ENDING": runtime.ENDING,
    "GameEnd": runtime.GameEnd,
}
