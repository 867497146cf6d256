"""The changes of a ruleset: those of its programs, joined by where they stand in the text.

A rule is in the programs of several numbers of seats and sets of variants. It is one text, so a change of it is one
change, which the scenarios of all these programs can notice.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.analysis import is_node, rebuild
from interpreter.mutation.walk import Walk
from interpreter.reference.moves import behind_maps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.mutation.model import Edit, Mutant
    from rulelang import ir


@attrs.frozen
class Choice:
    """Which changes are made.

    Attributes:
        policies: Those of the policies of seats without a person too?
        readings: Those of rules behind options that are not at their default too?
        files: If there are any: only those in files whose path has one of these texts in it.
        only: If it is not empty: only those of declarations with this text in their name or citations, whatever the
            case.
        variants: If there are any: only those that are there with one of these and not without.
        seed: Says in which order changes are tried, and which are in a sample.
        sample: So many are tried; None: all.
    """

    policies: bool = False
    readings: bool = False
    files: tuple[str, ...] = ()
    only: str = ""
    variants: tuple[str, ...] = ()
    seed: int = 1
    sample: int | None = None

    def takes(self, mutant: Mutant) -> bool:
        """Is a change in the part of the ruleset that is asked for?"""
        if self.files and not any(each in mutant.place[0] for each in self.files):
            return False
        text = " ".join((mutant.owner, *mutant.cites)).casefold()
        return self.only.casefold() in text


class Plan:
    """All changes of a ruleset.

    Args:
        programs: Its programs with their scenarios.
        choice: Which changes are made.

    Attributes:
        programs: The programs.
        mutants: The changes, by place.
        order: The numbers of those that are tried. Any first part of it is a fair sample.
        edits: For each program how each of these is made in it.
    """

    def __init__(self, programs: Sequence[ir.Program], choice: Choice) -> None:
        self.programs = tuple(programs)
        walks = [Walk(program, policies=choice.policies).found for program in self.programs]
        usual: set[Mutant] = set()
        elsewhere: set[Mutant] = set()
        wanted = set(choice.variants)
        for program, found in zip(self.programs, walks, strict=True):
            usual.update(each.mutant for each in found if each.usual or choice.readings)
            if wanted and not wanted & set(program.variants):
                elsewhere.update(each.mutant for each in found)
        self.mutants: tuple[Mutant, ...] = tuple(
            sorted(each for each in usual - elsewhere if choice.takes(each))
        )
        self.order = _shuffled(self.mutants, choice.seed)[: choice.sample]
        numbers = {self.mutants[number]: number for number in self.order}
        self.edits: tuple[dict[int, list[Edit]], ...] = tuple({} for _ in self.programs)
        self._behind = tuple(map(behind_maps, self.programs))
        for edits, found in zip(self.edits, walks, strict=True):
            for each in found:
                number = numbers.get(each.mutant)
                if number is not None:
                    edits.setdefault(number, []).append(each.edit)

    def changed(self, program: int, number: int) -> ir.Program:
        """One of the programs with a change made in it."""
        whole = self.programs[program]
        lists: dict[str, list[object]] = {}
        parts: dict[tuple[str, int], dict[int, object]] = {}
        for edit in self.edits[program][number]:
            parts.setdefault(edit.unit, {})[id(edit.old)] = edit.new
        for (what, index), replaced in parts.items():
            name = _LISTS[what]
            units = lists.setdefault(name, list(getattr(whole, name)))
            units[index] = _replaced(units[index], replaced)
        return attrs.evolve(whole, **{name: tuple(units) for name, units in lists.items()})  # type: ignore[arg-type]

    def maps_with(self, program: int, number: int) -> frozenset[int]:
        """The maps to which a change can make a difference."""
        behind = self._behind[program]
        return frozenset().union(
            *(
                behind.get(edit.unit[1], ())
                for edit in self.edits[program][number]
                if edit.unit[0] == "definition"
            )
        )


def _shuffled(mutants: Sequence[Mutant], seed: int) -> tuple[int, ...]:
    """An order by chance. It hardly changes when lines are added elsewhere in a file."""
    twins: Counter[str] = Counter()
    keys: list[bytes] = []
    for each in mutants:
        text = "\n".join((each.place[0], each.owner, each.operator, each.before, each.after))
        twins[text] += 1
        keys.append(sha256(f"{seed}\n{twins[text]}\n{text}".encode()).digest())
    return tuple(sorted(range(len(mutants)), key=keys.__getitem__))


_LISTS = {
    "definition": "definitions",
    "doing": "doings",
    "rule": "state_rules",
    "global": "globals",
}


def _replaced(unit: object, replaced: dict[int, object]) -> object:
    def change(node: object) -> object:
        new = replaced.get(id(node))
        return new if new is not None else rebuild(node, change)

    return change(unit) if is_node(unit) else replaced.get(id(unit), unit)
