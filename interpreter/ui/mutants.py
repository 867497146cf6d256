"""What became of changes of rules, for people and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from interpreter.mutation.score import Score, scored

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.mutation.model import Mutant, Result
    from interpreter.mutation.plan import Plan
    from interpreter.ui.paint import Paint

_LONGEST: Final = 100
_FATES: Final = {
    "alike": "values stay the same in all scenarios",
    "unreached": "no scenario comes here",
}


class Report:
    """What is told of a run.

    Args:
        game: What the ruleset was called.
        plan: The changes.
        results: What became of those that were tried.

    Attributes:
        whole: The score of all.
        files: The score of each file.
    """

    def __init__(self, game: str, plan: Plan, results: Sequence[Result]) -> None:
        self._game = game
        self._plan = plan
        self._results = sorted(results, key=lambda each: each.number)
        self.whole = Score(sum(each.killed for each in results), len(results))
        self.files = scored(results, plan.mutants)
        self._texts = {
            each.id: each.text or each.section
            for program in plan.programs
            for each in program.citations
        }

    @property
    def sampled(self) -> bool:
        """Were there more changes than were tried?"""
        return self.whole.tried < len(self._plan.mutants)

    def lines(self, paint: Paint) -> Iterator[str]:
        """Tell it to people: each change that was not noticed, then a line for each file, then the score."""
        for each in self._results:
            if not each.killed:
                yield from self._survivor(self._plan.mutants[each.number], each, paint)
        width = max(map(len, self.files), default=0)
        for path, score in self.files.items():
            share = f"{score.percent:5.1f} %"
            colour = "green" if score.killed == score.tried else "yellow"
            yield f"{path:<{width}}  {paint(share, colour)}  {score.killed} of {score.tried}"
        yield paint(self._last(), "bold")

    def _survivor(self, mutant: Mutant, result: Result, paint: Paint) -> Iterator[str]:
        path, line, column, *_ = mutant.place
        cites = f"  [{', '.join(mutant.cites)}]" if mutant.cites else ""
        yield f"{path}:{line}:{column + 1}: {told(mutant)}{paint(cites, 'dim')}"
        fate = _FATES.get(result.fate) or f"{_scenarios(result.tried)}, and none fails"
        yield paint(f"  in {mutant.owner}: {fate}", "dim")
        text = next((self._texts[each] for each in mutant.cites if self._texts.get(each)), "")
        if text:
            yield paint(f"  {_short(text)}", "dim")

    def _last(self) -> str:
        whole = self.whole
        text = f"{whole.percent:.1f} % of {whole.tried:,} changes noticed ({whole.killed:,})"
        if self.sampled:
            low, high = whole.interval
            text += (
                f"; of all {len(self._plan.mutants):,} between {low:.1f} and {high:.1f} % (95 %)"
            )
        return text

    def document(self) -> str:
        """Tell it as JSON."""
        low, high = self.whole.interval
        survivors = [
            self._as_data(self._plan.mutants[each.number], each)
            for each in self._results
            if not each.killed
        ]
        data: dict[str, Any] = {
            "game": self._game,
            "score": self.whole.percent,
            "killed": self.whole.killed,
            "tried": self.whole.tried,
            "changes": len(self._plan.mutants),
            "interval": [low, high] if self.sampled else None,
            "files": {
                path: {"score": score.percent, "killed": score.killed, "tried": score.tried}
                for path, score in self.files.items()
            },
            "survivors": survivors,
        }
        return json.dumps(data, indent=2, ensure_ascii=False)

    def _as_data(self, mutant: Mutant, result: Result) -> dict[str, Any]:
        path, line, column, end_line, end_column = mutant.place
        return {
            "file": path,
            "line": line,
            "column": column + 1,
            "end_line": end_line,
            "end_column": end_column + 1,
            "operator": mutant.operator,
            "before": mutant.before,
            "after": mutant.after,
            "declaration": mutant.owner,
            "citations": list(mutant.cites),
            "fate": result.fate,
            "scenarios": result.tried,
        }


def told(mutant: Mutant) -> str:
    """What a change is, in one line."""
    before = _short(mutant.before)
    if not mutant.after:
        return f"{mutant.operator}: `{before}` left out"
    return f"{mutant.operator}: `{before}` becomes `{_short(mutant.after)}`"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _scenarios(number: int) -> str:
    return f"{number} scenario{'s' if number != 1 else ''} with another value or line"
