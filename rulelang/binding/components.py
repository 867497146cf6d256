"""How many things of each kind there are, how they are numbered and named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import ir, nodes
from rulelang.binding.changed_rows import change_rows
from rulelang.binding.constants import constant
from rulelang.binding.context import MAX_COMPONENTS, Binding
from rulelang.binding.enums import PLAYER
from rulelang.data import Row, Sheet
from rulelang.diagnostics import Label
from rulelang.symbols import snake_case

if TYPE_CHECKING:
    from collections.abc import Iterable

_ID: Final = re.compile(r"[a-z][a-z0-9_]*")


@attrs.frozen(eq=False)
class Copy:
    """One thing: the row it comes from (its number among all rows of the kind), its owner, its number among alike."""

    row: int | None = None
    owner: int | None = None
    number: int = 1


@attrs.define(eq=False)
class KindPlan:
    """What is known about the things of a kind.

    Attributes:
        node: Its declaration; None for `Player` without one.
        amount: How many there are, as variants change it; None if its rows say it.
        rows: Its data rows with their files, in order.
        changes: For a row (its number in `rows`) those of variants with the same id: their cells count.
        sheets: Its data files, those of variants too.
        later_sheets: Those of variants.
        copies: Its things, in order.
        owner: The type of `owner`, if its things have one.
        each: How many things are alike but for their number (of a row, of an owner).
    """

    number: int
    name: str
    node: nodes.ComponentDecl | None
    amount: nodes.Amount | None = None
    rows: list[tuple[Sheet, Row]] = attrs.field(factory=list)
    changes: dict[int, list[tuple[Sheet, Row]]] = attrs.field(factory=dict)
    sheets: list[Sheet] = attrs.field(factory=list)
    copies: list[Copy] = attrs.field(factory=list)
    owner: ir.Type | None = None
    each: int = 1
    singleton: bool = False
    counted: bool | None = False
    later_sheets: list[Sheet] = attrs.field(factory=list)

    def source(self, row: int, column: str) -> tuple[Sheet, Row]:
        """Give the file and row that hold a column of a row, as variants change it."""
        found = [pair for pair in self.changes.get(row, ()) if pair[0].column(column) is not None]
        return found[-1] if found else self.rows[row]


def make_kinds(binding: Binding, items: Iterable[nodes.Item]) -> list[KindPlan]:
    """Count, number and name the things of all kinds; fills `kinds` and `ids`.

    Returns:
        The plan of each kind, by number.
    """
    tables = binding.tables
    plans = [KindPlan(number, kind.name, None) for number, kind in enumerate(tables.kinds)]
    for item in items:
        if isinstance(item, nodes.ComponentDecl):
            number = tables.kind_numbers.get(item.kind.text)
            if number is not None and plans[number].node is None:
                plans[number].node = item
                plans[number].amount = item.amount
    for item in items:
        if isinstance(item, nodes.ChangeComponentDecl) and item.amount is not None:
            number = tables.kind_numbers.get(item.kind.text)
            if number is None:
                continue  # reported with its fields
            if plans[number].name == PLAYER:
                _players_are_not_counted_here(binding, item.kind)
            else:
                plans[number].amount = item.amount
    for plan in plans:
        _read_rows(binding, plan)
    change_rows(binding, plans)
    for plan in plans:
        _count(binding, plan, plans)
    base = 0
    for plan in plans:
        if base + len(plan.copies) > MAX_COMPONENTS:
            if plan.node is not None:
                binding.error(
                    22,
                    plan.node.kind,
                    f"more than {MAX_COMPONENTS:,} components",
                    label="with these there are too many",
                )
            plan.copies = []
        tables.kinds[plan.number] = _kind(binding, plan, base)
        base += len(plan.copies)
    _name_rows(binding, plans)
    return plans


def _read_rows(binding: Binding, plan: KindPlan) -> None:
    if plan.node is None:
        return
    if plan.name == PLAYER:
        if plan.amount is not None or plan.node.files:
            _players_are_not_counted_here(binding, plan.node.kind)
        return
    for name in plan.node.files:
        sheet = binding.sheet(name)
        if sheet is not None:
            plan.sheets.append(sheet)
            plan.rows.extend((sheet, row) for row in sheet.rows)


def _players_are_not_counted_here(binding: Binding, at: nodes.Ident) -> None:
    binding.error(
        28,
        at,
        "the number of players is not declared here",
        notes=(
            "there is a `Player` for each seat; `players` and `seats` of the game say how many",
        ),
    )


def _count(binding: Binding, plan: KindPlan, plans: list[KindPlan]) -> None:
    """Make the things of a kind, those of the kind that owns them before."""
    if plan.counted:
        return
    if plan.counted is None:
        if plan.node is not None:
            binding.error(32, plan.node.kind, f"the number of `{plan.name}` depends on itself")
        return
    plan.counted = None
    if plan.number == 0:
        plan.copies = [Copy(number=seat + 1) for seat in range(binding.tables.seats)]
    elif plan.node is not None:
        _count_declared(binding, plan, plan.node, plans)
    plan.counted = True


def _count_declared(
    binding: Binding, plan: KindPlan, node: nodes.ComponentDecl, plans: list[KindPlan]
) -> None:
    rows: list[int | None] = list(range(len(plan.rows))) if node.files else [None]
    owners: list[int | None] = [None]
    numbers: list[int] | None = None
    match plan.amount:
        case None if not node.files:
            binding.error(
                18,
                node.kind,
                f"`{plan.name}` comes in no number and from no file",
                advice=f'write `component {plan.name} (1):` or `component {plan.name} from "data/...csv":`',
            )
            return
        case nodes.AmountFixed(count=count):
            plan.each = count
            plan.singleton = count == 1 and not node.files
        case nodes.AmountColumn(column=column):
            numbers = _copies(binding, plan, column)
            plan.each = 0
        case nodes.AmountPer(count=count_expr, each=each):
            amount = constant(binding, count_expr, ir.COUNT)
            plan.each = amount if isinstance(amount, int) else 0
            owners = list(_owners(binding, plan, each, plans))
        case _:
            pass
    of_each_owner = len(rows) * plan.each if numbers is None else sum(numbers)
    if max(of_each_owner * len(owners), len(rows)) > MAX_COMPONENTS:
        binding.error(22, node.kind, f"more than {MAX_COMPONENTS:,} components")
        plan.rows = []
        return
    for row in rows:
        times = plan.each if numbers is None or row is None else numbers[row]
        plan.copies.extend(
            Copy(row, owner, number + 1) for owner in owners for number in range(times)
        )


def _copies(binding: Binding, plan: KindPlan, column: nodes.Ident) -> list[int]:
    """Read how many copies of each row there are."""
    if not plan.sheets:
        if plan.node is not None and not plan.node.files:
            binding.error(
                18, column, f"there is no file whose column `{column.text}` could be read"
            )
        return [1] * len(plan.rows)
    numbers = []
    for sheet in plan.sheets:
        if sheet.column(column.text) is None and sheet not in plan.later_sheets:
            binding.unknown(column, f"column of `{sheet.file.path}`", sheet.columns, number=18)
        binding.read_columns[sheet.file.path].add(column.text)
    for number, _ in enumerate(plan.rows):
        sheet, row = plan.source(number, column.text)
        index = sheet.column(column.text)
        if index is None:
            numbers.append(1)
            continue
        text = row.cells[index].text.strip()
        if text.isdigit() and len(text) < 6:
            numbers.append(int(text))
            continue
        numbers.append(1)
        binding.error(
            19,
            sheet.span(row.cells[index]),
            f"`{text}` is not a number of copies",
            label=f"row {row.number}, column `{column.text}` of `{sheet.file.path}`",
            advice="write a whole number, 0 or more",
        )
    return numbers


def _owners(binding: Binding, plan: KindPlan, each: nodes.Ident, plans: list[KindPlan]) -> range:
    tables = binding.tables
    owner = tables.type_names.get(each.text)
    if owner is None:
        binding.unknown(each, "kind", tables.type_names)
        return range(0)
    plan.owner = owner
    if owner.shape == "thing" and len(owner.kinds) == 1:
        other = plans[owner.kinds[0]]
        _count(binding, other, plans)
        return range(
            len(other.copies)
        )  # by their place in the kind, as kinds in between may not be counted yet
    if owner.shape == "word":
        return range(len(tables.enums[owner.enum].words))
    if (
        owner.shape == "number"
        and owner.enum >= 0
        and owner.lo is not None
        and owner.hi is not None
    ):
        return range(owner.lo, owner.hi + 1)
    plan.owner = None
    binding.error(
        14,
        each,
        f"`{each.text}` is no kind and no enumeration: there cannot be some for each of it",
    )
    return range(0)


def owner_values(binding: Binding, plan: KindPlan) -> tuple[int | None, ...]:
    """Give the owner of each thing of a kind, as the IR has it."""
    base = 0
    if plan.owner is not None and plan.owner.shape == "thing":
        base = binding.tables.kinds[plan.owner.kinds[0]].base
    return tuple(None if copy.owner is None else base + copy.owner for copy in plan.copies)


def _kind(binding: Binding, plan: KindPlan, base: int) -> ir.Kind:
    ids, titles = _names(binding, plan)
    node = plan.node
    return ir.Kind(
        plan.name,
        base,
        len(plan.copies),
        tuple(ids),
        tuple(titles),
        singleton=plan.singleton,
        alike=plan.number != 0
        and not plan.singleton
        and all(_row_name(plan, copy.row)[0] is None for copy in plan.copies),
        span=ir.NOWHERE if node is None else binding.span(node.kind),
        cites=() if node is None else binding.cites(node),
        doc="" if node is None else node.doc,
    )


def _names(binding: Binding, plan: KindPlan) -> tuple[list[str], list[str]]:
    """Name the things: by the row, by the owner, by a number; whatever tells them apart."""
    if plan.number == 0:
        seats = range(1, len(plan.copies) + 1)
        return [f"seat_{seat}" for seat in seats], [f"Player {seat}" for seat in seats]
    own = snake_case(plan.name)
    alike: dict[tuple[int | None, int | None], int] = {}
    for copy in plan.copies:
        alike[copy.row, copy.owner] = max(alike.get((copy.row, copy.owner), 0), copy.number)
    ids: list[str] = []
    titles: list[str] = []
    taken: set[str] = set()
    for copy in plan.copies:
        name, title = _row_name(plan, copy.row)
        parts, shown = [name or own], [title or own.replace("_", " ")]
        if name is None and copy.row is not None:
            parts.append(str(copy.row + 1))
            if not title:
                shown.append(str(copy.row + 1))
        if copy.owner is not None:
            owner = _owner_name(binding, plan, copy.owner)
            parts.append(owner)
            shown.append(f"({owner})" if plan.owner and plan.owner.shape == "word" else owner)
        numbered = alike[copy.row, copy.owner] > 1 or (copy.row is None and not plan.singleton)
        if numbered and not (copy.row is None and copy.owner is not None and plan.each == 1):
            parts.append(str(copy.number))
            shown.append(str(copy.number))
        made = "_".join(parts)
        while made in taken:
            made += "_"
        taken.add(made)
        ids.append(made)
        titles.append(" ".join(shown))
    return ids, titles


def _owner_name(binding: Binding, plan: KindPlan, owner: int) -> str:
    if plan.owner is not None and plan.owner.shape == "word":
        return binding.tables.enums[plan.owner.enum].words[owner]
    if plan.owner is not None and plan.owner.shape == "thing":
        kind = binding.tables.kinds[plan.owner.kinds[0]]
        if plan.owner.kinds[0] != 0 and owner < len(kind.ids):
            return kind.ids[owner]
        return str(owner + 1)
    return str(owner)


def _row_name(plan: KindPlan, number: int | None) -> tuple[str | None, str | None]:
    if number is None:
        return None, None
    name, title = (
        None if index is None else row.cells[index].text.strip()
        for sheet, row, index in (
            (*plan.source(number, column), plan.source(number, column)[0].column(column))
            for column in ("id", "name")
        )
    )
    return name or None, title or name or None


def _name_rows(binding: Binding, plans: list[KindPlan]) -> None:
    """Enter the ids of rows, and report empty, repeated and unreadable ones."""
    for plan in plans:
        things: dict[str, list[int]] = {}
        base = binding.tables.kinds[plan.number].base
        rows_of: dict[int, list[int]] = {}
        for index, copy in enumerate(plan.copies):
            if copy.row is not None:
                rows_of.setdefault(copy.row, []).append(base + index)
        first: dict[str, tuple[Sheet, Row]] = {}
        for number, (sheet, row) in enumerate(plan.rows):
            column = sheet.column("id")
            if column is None:
                continue
            cell = row.cells[column]
            name = cell.text.strip()
            where = f"row {row.number} of `{sheet.file.path}`"
            if not name:
                binding.error(
                    20,
                    sheet.span(cell),
                    "an empty id",
                    label=where,
                    advice="name every row, or drop the column",
                )
            elif _ID.fullmatch(name) is None:
                binding.error(
                    19,
                    sheet.span(cell),
                    f"`{name}` cannot be an id",
                    label=where,
                    advice="an id begins with a small letter; small letters, digits and `_` follow",
                )
            elif name in first:
                _report_repeated(binding, sheet, row, first[name], name)
            else:
                first[name] = (sheet, row)
                things[name] = rows_of.get(number, [])
        for name, numbers in things.items():
            binding.tables.ids.setdefault(name, []).append((plan.number, tuple(numbers)))


def _report_repeated(
    binding: Binding, sheet: Sheet, row: Row, before: tuple[Sheet, Row], name: str
) -> None:
    other, earlier = before
    column, earlier_column = sheet.column("id") or 0, other.column("id") or 0
    binding.error(
        20,
        sheet.span(row.cells[column]),
        f"two rows with the id `{name}`",
        label=f"row {row.number} of `{sheet.file.path}`",
        secondary=[
            Label(
                other.span(earlier.cells[earlier_column]),
                f"row {earlier.number} of `{other.file.path}`",
            )
        ],
    )
