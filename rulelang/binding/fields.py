"""Fields: their types, and the value each thing begins with."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import attrs

from rulelang import ir, nodes, ruletypes
from rulelang.binding.cells import Misfit, cell_value
from rulelang.binding.components import KindPlan, owner_values
from rulelang.binding.constants import as_set, bag_value, constant
from rulelang.binding.context import BROKEN, FAILED, Binding
from rulelang.binding.enums import RESERVED
from rulelang.binding.types import FieldShape, field_shape
from rulelang.diagnostics import Label
from rulelang.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.data import Cell, Row, Sheet

BUILT_IN = ("automa", "left", "right", "seat")
"""Fields that every `Player` has, in the order of their numbers."""

_FLAGS = ("hidden", "seen by owner", "acts", "acts by left")


@attrs.frozen(eq=False)
class Declared:
    """A field that has a number and a type, and waits for its values."""

    index: int
    plan: KindPlan
    node: nodes.FieldDecl | nodes.KeepsDecl
    name: nodes.Ident
    shape: FieldShape


def declare_fields(
    binding: Binding, items: Iterable[nodes.Item], plans: list[KindPlan]
) -> list[Declared]:
    """Number all fields and give them their types; those of the language itself get their values too."""
    waiting: list[Declared] = []
    _add_built_in(binding, plans[0])
    for plan in plans:
        if plan.owner is not None and plan.node is not None:
            _add(binding, plan, plan.node.kind, "owner", plan.owner, owner_values(binding, plan))
    for item in items:
        if isinstance(item, nodes.ComponentDecl):
            number = binding.tables.kind_numbers.get(item.kind.text)
            if number is not None and (plans[number].node is item or plans[number].node is None):
                _declare(binding, plans[number], item.fields, waiting)
        elif isinstance(item, nodes.ChangeComponentDecl):
            number = binding.tables.kind_numbers.get(item.kind.text)
            if number is None:
                binding.unknown(item.kind, "kind", binding.tables.kind_numbers, number=51)
            else:
                _declare(binding, plans[number], item.fields, waiting)
    for item in items:
        if isinstance(item, nodes.PhaseDecl):
            for keeps in item.keeps:
                if keeps.owner is not None:
                    _declare_lent(binding, item, keeps, keeps.owner, plans, waiting)
    _mark_movable(binding)
    return waiting


def fill_fields(binding: Binding, waiting: Iterable[Declared], plans: list[KindPlan]) -> None:
    """Give the declared fields their values, from cells and defaults."""
    for field in waiting:
        values = _values(binding, field)
        if values is not None:
            binding.tables.fields[field.index] = attrs.evolve(
                binding.tables.fields[field.index], values=tuple(values)
            )
    _check_piles(binding, waiting)
    _find_unread(binding, plans)


# ---------------------------------------------------------------- declaring


def _add_built_in(binding: Binding, plan: KindPlan) -> None:
    seats = range(len(plan.copies))
    count = max(len(plan.copies), 1)
    player = ruletypes.thing(0)
    for name, kind, values, mutable in (
        ("automa", ir.FLAG, tuple(False for _ in seats), True),
        ("left", player, tuple((seat + 1) % count for seat in seats), False),
        ("right", player, tuple((seat - 1) % count for seat in seats), False),
        ("seat", ir.Type("number", lo=1, hi=count), tuple(seat + 1 for seat in seats), False),
    ):
        index = len(binding.tables.fields)
        binding.tables.fields.append(ir.Field(index, 0, name, kind, values, mutable=mutable))
        binding.tables.field_numbers[0, name] = index


def _add(
    binding: Binding,
    plan: KindPlan,
    at: nodes.Ident,
    name: str,
    kind: ir.Type,
    values: tuple[object, ...],
) -> None:
    index = len(binding.tables.fields)
    span = binding.span(at)
    binding.tables.fields.append(
        ir.Field(index, plan.number, name, kind, values, mutable=False, span=span)
    )
    binding.tables.field_numbers[plan.number, name] = index
    binding.props[plan.number, name] = at.span


def _declare(
    binding: Binding, plan: KindPlan, fields: Iterable[nodes.FieldDecl], waiting: list[Declared]
) -> None:
    for node in fields:
        shape = field_shape(binding, node.type)
        for name in node.names:
            _enter(binding, plan, node, name, shape, waiting)


def _declare_lent(
    binding: Binding,
    phase: nodes.PhaseDecl,
    node: nodes.KeepsDecl,
    owner: nodes.Ident,
    plans: list[KindPlan],
    waiting: list[Declared],
) -> None:
    of = binding.tables.type_by_name(owner.text)
    if of is None or of.shape != "thing":
        binding.error(
            11,
            owner,
            f"`{owner.text}` names no kind",
            notes=("the name before the dot says which kind is lent the value",),
        )
        return
    shape = field_shape(binding, node.type)
    for number in of.kinds:
        index = _enter(binding, plans[number], node, node.name, shape, waiting)
        if index is not None:
            binding.tables.lent.setdefault(phase.name.text, []).append(index)


def _enter(
    binding: Binding,
    plan: KindPlan,
    node: nodes.FieldDecl | nodes.KeepsDecl,
    name: nodes.Ident,
    shape: FieldShape,
    waiting: list[Declared],
) -> int | None:
    tables = binding.tables
    if name.text in RESERVED:
        binding.error(13, name, f"`{name.text}` is reserved and cannot name a field")
        return None
    if plan.number == 0 and name.text in BUILT_IN:
        binding.error(13, name, f"every `Player` has `{name.text}` already")
        return None
    if (plan.number, name.text) in binding.props:
        what = f" for `{plan.name}`"
        if name.text == "owner":
            what = ": what comes in a number for each of a kind has an `owner` already"
        binding.twice(name, binding.props[plan.number, name.text], what)
        return None
    binding.props[plan.number, name.text] = name.span
    sight, acts = _flags(binding, node.flags)
    index = len(tables.fields)
    if name.text == "place" and shape.type != BROKEN:
        _check_place(binding, node, shape)
    tables.fields.append(
        ir.Field(
            index,
            plan.number,
            name.text,
            shape.type,
            (),
            keys=shape.keys,
            key_low=shape.key_low,
            pile=shape.pile,
            sight=sight,
            acts=acts,
            span=binding.span(name),
            cites=binding.cites(node),
            doc=node.doc,
        )
    )
    tables.field_numbers[plan.number, name.text] = index
    tables.field_nodes[index] = node
    waiting.append(Declared(index, plan, node, name, shape))
    return index


def _flags(
    binding: Binding, flags: Iterable[nodes.Flag]
) -> tuple[ir.Sight, Literal["", "self", "left"]]:
    sight: ir.Sight = "open"
    acts: Literal["", "self", "left"] = ""
    for flag in flags:
        text = flag.name.text + (f" by {flag.by.text}" if flag.by else "")
        if text in ("hidden", "seen by owner"):
            if sight != "open":
                binding.error(
                    3,
                    flag,
                    "two things are said about who sees this",
                    advice="leave one of them out",
                )
            sight = "hidden" if text == "hidden" else "owner"
        elif text in ("acts", "acts by left"):
            acts = "self" if text == "acts" else "left"
        else:
            binding.error(
                3,
                flag,
                f"`{text}` says nothing about a field",
                notes=("a field can be `hidden` or `seen by owner`, and `acts` or `acts by left`",),
                advice=did_you_mean(text, _FLAGS),
            )
    return sight, acts


def _check_place(
    binding: Binding, node: nodes.FieldDecl | nodes.KeepsDecl, shape: FieldShape
) -> None:
    if shape.type.shape != "thing" or shape.key is not None:
        binding.error(
            14,
            node.type,
            "`place` lists the kinds of places a thing can be at",
            advice="write `place: Kind or none = none`",
        )


def _mark_movable(binding: Binding) -> None:
    tables = binding.tables
    movable = {
        kind
        for field in tables.fields
        if field.pile and field.type.elem
        for kind in field.type.elem.kinds
    }
    for number, kind in enumerate(tables.kinds):
        place = tables.field_numbers.get((number, "place"))
        if place is not None or number in movable:
            tables.kinds[number] = attrs.evolve(kind, place=place, movable=True)


# ---------------------------------------------------------------- values


def unset_value(binding: Binding, shape: FieldShape) -> object:
    """Give what a value without a default begins with: empty, or None."""
    if shape.type.shape in ("set", "list"):
        return ()
    if shape.type.shape == "bag":
        return bag_value(binding, Counter(), shape.type.enum)
    return None


def _values(binding: Binding, field: Declared) -> list[object] | None:
    """Give the values of a field, things in order, keys of each in order; None after a finding."""
    initial = field.node.initial
    columns = field.node.columns if isinstance(field.node, nodes.FieldDecl) else ()
    default = unset_value(binding, field.shape)
    count = len(field.plan.copies)
    if initial is not None and initial.each:
        values = _one_each(binding, field, initial)
        return (
            None if values is None else [value for value in values for _ in range(field.shape.keys)]
        )
    if initial is not None:
        default = constant(binding, initial.value, field.shape.type)
        if default is FAILED:
            return None
    if isinstance(field.node, nodes.FieldDecl) and (field.plan.sheets or columns):
        return _from_rows(binding, field, columns, default, initial is not None)
    return [default] * (count * field.shape.keys)


def _one_each(binding: Binding, field: Declared, initial: nodes.Initial) -> list[object] | None:
    wanted = field.shape.type
    if wanted == BROKEN:
        return None
    given = constant(binding, initial.value, ir.Type("list", elem=wanted))
    if not isinstance(given, tuple):
        return None
    count, each = len(field.plan.copies), field.plan.each
    if len(given) == count:
        return list(given)
    if each and len(given) == each:
        return [given[copy.number - 1] for copy in field.plan.copies]
    binding.error(
        14,
        initial.value,
        f"{len(given)} values for {each or count} of `{field.plan.name}`",
        notes=("`each` gives one value for each copy",),
    )
    return None


def _from_rows(
    binding: Binding,
    field: Declared,
    columns: tuple[nodes.Ident | nodes.Text, ...],
    default: object,
    has_default: bool,
) -> list[object] | None:
    """Read the values of a field from its column, or columns; a row is read once for all its copies."""
    sources = _sources(binding, field, columns, has_default)
    if sources is None:
        return None
    by_row: list[list[object]] = []
    good = True
    for sheet, row in field.plan.rows:
        values: list[object] = []
        for cells in sources[sheet.file.path]:
            value = _read(binding, field, sheet, row, cells, default, has_default)
            good = good and value is not FAILED
            values.append(value)
        by_row.append(values)
    if not good:
        return None
    return [
        value for copy in field.plan.copies if copy.row is not None for value in by_row[copy.row]
    ]


def _sources(
    binding: Binding,
    field: Declared,
    columns: tuple[nodes.Ident | nodes.Text, ...],
    has_default: bool,
) -> dict[str, list[list[int]]] | None:
    """Find the columns of each file that hold each key's value; an empty list stands for the default."""
    node, shape, plan = field.node, field.shape, field.plan
    if not plan.sheets:
        if plan.node is not None and plan.node.files:
            return None  # the file itself has been reported
        binding.error(
            18,
            columns[0],
            f"`{plan.name}` comes from no file",
            notes=("only what comes from a file has columns",),
        )
        return None
    written = [
        column.value if isinstance(column, nodes.Text) else column.text for column in columns
    ]
    if shape.key is not None and any("#" not in name for name in written):
        binding.error(
            18,
            columns[0],
            "one column for each word is needed",
            advice=f'put `#` for the word: `"{field.name.text}_#"`',
        )
        return None
    if len(written) > 1 and shape.type.shape not in ("set", "list"):
        binding.error(
            14,
            columns[1],
            "several columns make a set",
            label=f"this is a {binding.say(shape.type)}",
        )
        return None
    words = [""] if shape.key is None else list(binding.tables.enums[shape.key].words)
    names = written or ([field.name.text] if shape.key is None else [])
    sources: dict[str, list[list[int]]] = {}
    missing: list[str] = []
    found_any = False
    for sheet in plan.sheets:
        entries = []
        for word in words:
            wanted = [name.replace("#", word) for name in names]
            here = [(name, sheet.column(name)) for name in wanted]
            missing.extend(f"{name}\n{sheet.file.path}" for name, number in here if number is None)
            numbers = [number for _, number in here if number is not None]
            found_any = found_any or bool(numbers)
            entries.append(numbers)
            binding.read_columns[sheet.file.path].update(
                name for name, number in here if number is not None
            )
        sources[sheet.file.path] = entries
    complete = found_any and (not missing or len(plan.sheets) > 1)
    if complete or (not columns and (has_default or shape.pile)):
        return sources
    at = columns[0] if columns else field.name
    name = missing[0].split("\n")[0] if missing else field.name.text
    known = [column for sheet in plan.sheets for column in sheet.columns]
    binding.error(
        18,
        at,
        f"no column `{name}` in `{plan.sheets[0].file.path}`",
        notes=(f"its columns are {', '.join(known)}",),
        advice=did_you_mean(name, known) or "give the field a default, or say `from COLUMN`",
        cited=node,
    )
    return None


def _read(
    binding: Binding,
    field: Declared,
    sheet: Sheet,
    row: Row,
    cells: list[int],
    default: object,
    has_default: bool,
) -> object:
    wanted = field.shape.type
    if wanted == BROKEN:
        return FAILED
    if not cells:
        return default
    parts: list[object] = []
    for index in cells:
        cell = row.cells[index]
        if has_default and not cell.text.strip() and not wanted.optional:
            return default
        value = cell_value(binding, cell.text, wanted)
        if isinstance(value, Misfit):
            _report_cell(binding, field, sheet, row, cell, sheet.header[index].text, value)
            return FAILED
        if len(cells) == 1:
            return value
        if isinstance(value, tuple):
            parts.extend(value)
    return as_set(parts) if wanted.shape == "set" else tuple(parts)


def _report_cell(
    binding: Binding,
    field: Declared,
    sheet: Sheet,
    row: Row,
    cell: Cell,
    column: str,
    misfit: Misfit,
) -> None:
    found = f"`{misfit.found}`" if misfit.found else "an empty cell"
    whole = cell.text.strip()
    inside = f" in `{whole}`" if misfit.found and misfit.found != whole else ""
    binding.error(
        19,
        sheet.span(cell),
        f"{found}{inside} is not a value of `{field.name.text}`",
        label=f"row {row.number}, column `{column}` of `{sheet.file.path}`",
        secondary=[Label(field.node.type.span, f"a {binding.say(field.shape.type)} is wanted")],
        notes=(f"legal is {misfit.legal}",),
        advice=misfit.advice,
    )


# ---------------------------------------------------------------- piles and columns


def _check_piles(binding: Binding, waiting: Iterable[Declared]) -> None:
    """Find things that would begin in two places."""
    where: dict[object, Declared] = {}
    for field in waiting:
        if not field.shape.pile or field.node.initial is None:
            continue
        for value in binding.tables.fields[field.index].values:
            if not isinstance(value, tuple):
                continue
            for thing in value:
                if thing in where:
                    binding.error(
                        28,
                        field.node.initial.value,
                        "a component would begin in two piles",
                        secondary=[Label(where[thing].name.span, "it begins in this one too")],
                        notes=("every component is in one place",),
                    )
                    return
                where[thing] = field


def _find_unread(binding: Binding, plans: Iterable[KindPlan]) -> None:
    """Warn of columns that no field reads, each once."""
    seen: set[str] = set()
    for plan in plans:
        for sheet in plan.sheets:
            path = sheet.file.path
            if path in seen:
                continue
            seen.add(path)
            for cell in sheet.header:
                if cell.text and cell.text not in binding.read_columns[path]:
                    binding.tables.unread_columns.append((path, cell.text))
                    binding.warning(
                        21,
                        sheet.span(cell),
                        f"no field reads the column `{cell.text}`",
                        notes=("what stands there has no effect on the game",),
                        advice=f"drop the column, or declare a field that reads it: `{cell.text}: Text`",
                    )
