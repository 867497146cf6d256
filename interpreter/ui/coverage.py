"""The report of `test --coverage`: what of a ruleset its scenarios put to the test, and what they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.examples.reached import Reached
from interpreter.ui.loading import load, load_for
from interpreter.ui.table import Table
from rulelang import api

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from interpreter.examples.reached import Part
    from interpreter.ui.paint import Paint
    from rulelang import ir


@attrs.frozen
class CoverageReport:
    """What scenarios reach.

    Attributes:
        title: Of the game.
        reached: The parts, and what was shown of them.
        citations: The ids of the rulebook, in its order.
    """

    title: str
    reached: Reached
    citations: tuple[ir.Citation, ...]

    @classmethod
    def of(
        cls,
        game: str,
        variants: Sequence[str],
        reached: Reached,
        known: Collection[tuple[str, ...]] = (),
    ) -> CoverageReport:
        """Add what no scenario is for: the parts of the base, and those of each variant.

        Args:
            game: Name or path of the ruleset.
            variants: What the base is merged with; none: each variant counts.
            reached: What scenarios have shown.
            known: The sets of variants, each sorted, whose programs `reached` has all parts of.
        """
        program, _ = load_for(game, Table(variants=tuple(variants)))
        reached = Reached.of(program).joined(reached)
        missing = [] if variants else [each for each in api.variant_sets(game) if each not in known]
        for names in missing:
            merged = load(game, people=program.seats, variants=names)
            reached = Reached.of(merged).joined(reached)
        return cls(program.title, reached, program.citations)

    @property
    def percent(self) -> float:
        """How much is covered, rounded down to a tenth."""
        return _percent(*self.reached.count())

    def lines(self, paint: Paint) -> Iterator[str]:
        """Write it for people."""
        shown, total = self.reached.count()
        yield paint(f"Coverage of {self.title}: {self.percent:g} %", "bold") + (
            f" ({shown:,} of {total:,})"
        )
        for sort, parts in self.reached.by_sort().items():
            shown, total = self.reached.count(parts)
            of = f"{shown:,} of {total:,}"
            yield f"  {sort:<15} {of:>14} {_percent(shown, total):>6.1f} %"
        ids = self.by_id()
        if self.citations:
            whole = sum(not missing for _, missing in ids.values())
            yield f"  {'rulebook ids':<15} {f'{whole:,} of {len(ids):,}':>14} covered as a whole"
        yield ""
        yield from self._missing(paint)

    def _missing(self, paint: Paint) -> Iterator[str]:
        """List what is not covered, each part once, below that id of it that the fewest parts have."""
        known = {each.id: each for each in self.citations}
        groups = self.reached.by_citation()
        below: dict[str, list[Part]] = {}
        for part in self.reached.in_order():
            if self.reached.missing(part):
                name = min(part.cites or ("",), key=lambda each: len(groups[each]))
                below.setdefault(name, []).append(part)
        for name in (*known, *(each for each in below if each not in known)):
            if name in below:
                text = known[name].text if name in known else ""
                shown = paint(name or "Without an id of the rulebook", "bold")
                yield f"{shown}  {text}".rstrip()
                yield from (f"  {self.line(part)}" for part in below[name])

    def line(self, part: Part) -> str:
        """Write what is not covered of a part."""
        place = f"{part.place.file}:{part.place.line}"
        missing = ", ".join(self.reached.missing(part))
        return f"{place}: {_NOUNS[part.sort]} {part.text}: {missing}"

    def concise(self) -> Iterator[str]:
        """Write what is not covered, a part a line."""
        for part in self.reached.in_order():
            if self.reached.missing(part):
                cites = f"  [{', '.join(part.cites)}]" if part.cites else ""
                yield self.line(part) + cites

    def by_id(self) -> dict[str, tuple[int, int]]:
        """How many outcomes each id of the rulebook that has some has, and how many of them are missing."""
        found: dict[str, tuple[int, int]] = {}
        for name, parts in self.reached.by_citation().items():
            if name:
                shown, total = self.reached.count(parts)
                found[name] = (total, total - shown)
        return found

    def document(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            **_counts(*self.reached.count()),
            "sorts": {
                sort: _counts(*self.reached.count(parts))
                for sort, parts in self.reached.by_sort().items()
            },
            "ids": {
                name: _counts(total - missing, total)
                for name, (total, missing) in sorted(self.by_id().items())
            },
            "missing": [
                {
                    "sort": part.sort,
                    "file": part.place.file,
                    "line": part.place.line,
                    "text": part.text,
                    "outcomes": list(self.reached.missing(part)),
                    "cites": list(part.cites),
                }
                for part in self.reached.in_order()
                if self.reached.missing(part)
            ],
        }


def _counts(shown: int, total: int) -> dict[str, float]:
    return {"covered": shown, "total": total, "percent": _percent(shown, total)}


def _percent(shown: int, total: int) -> float:
    """Rounded down to a tenth, so that 100 means all."""
    return shown * 1000 // total / 10 if total else 100.0


_NOUNS = {
    "doings": "doing",
    "rules": "rule",
    "rules of cards": "rule of a card",
    "definitions": "definition",
    "exceptions": "exception",
    "needs": "need",
    "rows": "row",
    "branches": "branch",
    "answers": "answer",
    "policies": "policy",
    "options": "option",
}
