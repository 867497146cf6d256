"""Rows of data that variants add, and cells that they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import nodes
from rulelang.binding.enums import PLAYER
from rulelang.diagnostics import Label
from rulelang.suggest import did_you_mean
from rulelang.variants.conflicts import advice, settling

if TYPE_CHECKING:
    from rulelang.binding.components import KindPlan
    from rulelang.binding.context import Binding
    from rulelang.data import Row, Sheet


def change_rows(binding: Binding, plans: list[KindPlan]) -> None:
    """Add the rows of `change component Kind from "more.csv"`, in the published order.

    A row whose id is there already changes the cells whose columns its file has; any other row is new.
    """
    numbers = binding.tables.kind_numbers
    for item, origin in binding.tables.items:
        if not isinstance(item, nodes.ChangeComponentDecl) or not item.files:
            continue
        number = numbers.get(item.kind.text)
        if number is None:
            continue  # reported with its fields
        plan = plans[number]
        if plan.name == PLAYER or plan.node is None or not plan.node.files:
            binding.error(
                51,
                item.kind,
                f"`{plan.name}` comes from no file that could have more rows",
                advice=did_you_mean(plan.name, [each.name for each in plans if each.sheets]),
            )
            continue
        known = _ids(plan)
        for name in item.files:
            sheet = binding.sheet(name)
            if sheet is not None:
                _add(binding, plan, sheet, known, origin)


def _ids(plan: KindPlan) -> dict[str, int]:
    """Give the ids of the rows that are there, each with its number."""
    found: dict[str, int] = {}
    for number in range(len(plan.rows)):
        name = _id(*plan.rows[number])
        if name:
            found.setdefault(name, number)
    return found


def _id(sheet: Sheet, row: Row) -> str:
    column = sheet.column("id")
    return "" if column is None else row.cells[column].text.strip()


def _add(
    binding: Binding, plan: KindPlan, sheet: Sheet, known: dict[str, int], origin: str
) -> None:
    plan.sheets.append(sheet)
    plan.later_sheets.append(sheet)
    binding.origins[sheet.file.path] = origin
    for row in sheet.rows:
        number = known.get(_id(sheet, row))
        if number is None:
            plan.rows.append((sheet, row))
            continue
        _compare(binding, plan, number, (sheet, row))
        plan.changes.setdefault(number, []).append((sheet, row))


def _compare(binding: Binding, plan: KindPlan, number: int, new: tuple[Sheet, Row]) -> None:
    """Report two variants of which neither comes later and that give one cell different values."""
    sheet, row = new
    origin = binding.origins[sheet.file.path]
    later = binding.tables.later
    for other, earlier in (plan.rows[number], *plan.changes.get(number, ())):
        before = binding.origins.get(other.file.path, "")
        if not before or before == origin or (origin, before) in later or (before, origin) in later:
            continue
        for name in sheet.columns:
            column, its = sheet.column(name), other.column(name)
            if column is None or its is None:
                continue
            one, two = row.cells[column], earlier.cells[its]
            if one.text.strip() != two.text.strip():
                binding.error(
                    52,
                    sheet.span(one),
                    f"`{before}` and `{origin}` give `{name}` of `{_id(sheet, row)}` different values",
                    label=f"`{origin}` says `{one.text.strip()}`",
                    secondary=[Label(other.span(two), f"`{before}` says `{two.text.strip()}`")],
                    advice=advice(binding.tables, before, origin),
                    fix=settling(binding.tables, origin, before),
                )
                return
