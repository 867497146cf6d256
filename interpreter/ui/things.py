"""The report of `trace --things`: where each card and counter had an effect.

A *design* is a row of data with an id, of a kind whose things can be moved or have rules, however many copies there
are. Its *effects* are the rules of its `card`, and those of its columns that had an effect for any row of its kind (see
`interpreter.reference.works`). It was exercised if each of its rules was, or, where it has none, one of its columns.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.analysis import walk
from interpreter.examples.coverage import place_of
from interpreter.layout import Layout
from interpreter.reference.works import card_of
from rulelang import ir
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.examples.coverage import Work
    from interpreter.ui.paint import Paint


@attrs.frozen
class Design:
    """A row of data.

    Attributes:
        kind: Name of its kind.
        name: Its id.
        title: For people.
        copies: The ids of its things.
        rules: The places of the rules of its card.
        columns: The fields that are data and have a value.
    """

    kind: str
    name: str
    title: str
    copies: tuple[str, ...]
    rules: tuple[str, ...]
    columns: tuple[str, ...]


def designs_of(program: ir.Program) -> list[Design]:
    """List the rows of all kinds whose things have names from data, and that can be moved or have rules."""
    layout = Layout(program)
    rules: dict[int, dict[str, None]] = defaultdict(dict)
    for node in walk((program.definitions, program.doings, program.state_rules)):
        if isinstance(node, ir.Hook | ir.Clause | ir.StateRule):
            card = card_of(node.lets)
            if card is not None:
                rules[card][place_of(program, node.span)] = None
    found: list[Design] = []
    for number, kind in enumerate(program.kinds):
        things = range(kind.base, kind.base + kind.count)
        if number == 0 or kind.alike or not (kind.movable or any(each in rules for each in things)):
            continue  # of a place, say, there is no more to tell than where it is
        data = [
            each
            for each in program.fields
            if each.kind == number
            and layout.offsets[each.index] is None
            and each.type.shape != "text"
        ]
        rows: dict[str, list[int]] = defaultdict(list)
        for thing in things:
            rows[_row(program, layout, data, thing)].append(thing)
        for name, copies in rows.items():
            first = copies[0]
            filled = tuple(
                each.name
                for each in data
                if layout.read([], each.index, first, each.key_low) not in (None, ())
            )
            found.append(
                Design(
                    kind.name,
                    name,
                    kind.titles[first - kind.base],
                    tuple(kind.ids[thing - kind.base] for thing in copies),
                    tuple(rules[first]),
                    filled,
                )
            )
    return found


def _row(program: ir.Program, layout: Layout, data: list[ir.Field], thing: int) -> str:
    """The id of the row that a thing is a copy of: its own without owner and number."""
    kind = program.kinds[layout.kind_of[thing]]
    name = kind.ids[thing - kind.base]
    owner = next((each for each in data if each.name == "owner"), None)
    copies = next((each for each in data if each.name == "copies"), None)
    value = layout.read([], copies.index, thing) if copies is not None else None
    head, _, tail = name.rpartition("_")
    if head and tail.isdigit() and isinstance(value, int) and value > 1:
        name = head
    if owner is not None:
        held = layout.read([], owner.index, thing)
        if isinstance(held, int):
            word = (
                program.enums[owner.type.enum].words[held - program.enums[owner.type.enum].low]
                if owner.type.shape == "word"
                else program.kinds[layout.kind_of[held]].ids[
                    held - program.kinds[layout.kind_of[held]].base
                ]
            )
            name = name.removesuffix(f"_{word}")
    return name


@attrs.frozen
class ThingsReport:
    """What had an effect where.

    Attributes:
        designs: All rows.
        effects: For each of them its rules and columns, with where they had an effect, if anywhere.
    """

    designs: tuple[Design, ...]
    effects: Mapping[tuple[str, str], Mapping[str, str]]

    @classmethod
    def of(cls, program: ir.Program, works: Mapping[Work, str]) -> ThingsReport:
        """Sort what had an effect by the rows of a program."""
        designs = tuple(designs_of(program))
        effects: dict[tuple[str, str], dict[str, str]] = {}
        for each in designs:
            reached = effects.setdefault((each.kind, each.name), {})
            for what in (*each.rules, *each.columns):
                for copy in each.copies:
                    where = works.get((each.kind, copy, what))
                    if where is not None and reached.get(what, _GAMES).startswith(_GAMES):
                        reached[what] = where
        return cls(designs, effects)

    def exercised(self, design: Design) -> bool:
        """Did it have an effect, and each of its rules?"""
        reached = self.effects[design.kind, design.name]
        return all(rule in reached for rule in design.rules) if design.rules else bool(reached)

    @property
    def complete(self) -> bool:
        """Was every row exercised?"""
        return all(map(self.exercised, self.designs))

    def lines(self, paint: Paint, *, show_all: bool) -> Iterator[str]:
        """Write it."""
        for kind, designs in self._by_kind().items():
            done = sum(map(self.exercised, designs))
            yield f"{paint(kind, 'bold')}: {done} of {plural(len(designs), 'row')} exercised{self._columns(designs)}"
            for each in designs:
                if show_all or not self.exercised(each):
                    yield from self._design(each, paint)
        yield ""

    def page(self, title: str, played: str) -> Iterator[str]:
        """Write it as a page of Markdown, with all rows.

        Args:
            title: Of the game.
            played: What the report comes from.
        """
        yield f"# Exercised cards and counters: {title}"
        yield ""
        yield (
            "Every row of data whose things can be moved or have rules, and where each of its rules acted first or, if"
            f" it has none, where its data were used first. From {played}."
        )
        for kind, designs in self._by_kind().items():
            yield ""
            yield f"## {kind}: {sum(map(self.exercised, designs))} of {len(designs)}"
            yield ""
            yield "| row | name | exercised by |"
            yield "|---|---|---|"
            for each in designs:
                reached = self.effects[each.kind, each.name]
                places = dict.fromkeys(
                    reached[what] for what in each.rules or each.columns if what in reached
                )
                told = [*places, *(() if self.exercised(each) else ("**not exercised**",))]
                cells = (f"`{each.name}`", each.title, ", ".join(told))
                yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"

    def _by_kind(self) -> Mapping[str, list[Design]]:
        kinds: dict[str, list[Design]] = defaultdict(list)
        for each in self.designs:
            kinds[each.kind].append(each)
        return kinds

    def _columns(self, designs: list[Design]) -> str:
        """How many rows each column had an effect for, of those that have a value there."""
        told = []
        for column in dict.fromkeys(name for each in designs for name in each.columns):
            filled = [each for each in designs if column in each.columns]
            reached = sum(column in self.effects[each.kind, each.name] for each in filled)
            if reached:
                told.append(f"{column} {reached} of {len(filled)}")
        return f" ({', '.join(told)})" if told else ""

    def _design(self, design: Design, paint: Paint) -> Iterator[str]:
        reached = self.effects[design.kind, design.name]
        mark = "" if self.exercised(design) else paint("  not exercised", "yellow")
        yield f"  {design.name}  {design.title}{mark}"
        for what in (*design.rules, *(column for column in design.columns if column in reached)):
            yield f"    {what}: {reached.get(what, 'never')}"


_GAMES = "game"  # how they are called; a scenario that shows it too is told instead
