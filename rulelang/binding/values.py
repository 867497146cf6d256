"""The value each thing begins with: from cells, from defaults."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import ir, nodes
from rulelang.binding.cells import Misfit, cell_value
from rulelang.binding.constants import as_set, bag_value, constant
from rulelang.binding.context import BROKEN, FAILED, Binding
from rulelang.diagnostics import Label
from rulelang.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.binding.components import KindPlan
    from rulelang.binding.fields import Declared
    from rulelang.binding.types import FieldShape
    from rulelang.data import Cell, Row, Sheet

MAX_VALUES: Final = 2_000_000
MAX_WRONG_CELLS: Final = 10
"""So many are reported of one column."""


def fill_fields(binding: Binding, waiting: Iterable[Declared], plans: list[KindPlan]) -> None:
    """Give the declared fields their values, from cells and defaults."""
    made = 0
    for field in waiting:
        made += len(field.plan.copies) * field.shape.keys
        if made > MAX_VALUES:
            binding.error(22, field.name, f"more than {MAX_VALUES:,} values in all fields")
            break
        values = _values(binding, field)
        if values is not None:
            binding.tables.fields[field.index] = attrs.evolve(
                binding.tables.fields[field.index], values=tuple(values)
            )
    _check_piles(binding, waiting)
    _find_unread(binding, plans)


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
        f"{len(given)} values for {each if each > 1 else count} of `{field.plan.name}`",
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
    wrong = 0
    for number, whole in enumerate(field.plan.rows):
        if wrong >= MAX_WRONG_CELLS:
            return None
        values: list[object] = []
        places = (whole, *field.plan.changes.get(number, ()))
        for key in range(len(sources[whole[0].file.path])):
            holding = [pair for pair in places if sources[pair[0].file.path][key]]
            sheet, row = holding[-1] if holding else whole
            cells = sources[sheet.file.path][key]
            value = _read(binding, field, sheet, row, cells, default, has_default)
            wrong += value is FAILED
            values.append(value)
        by_row.append(values)
    if wrong:
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
