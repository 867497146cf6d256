"""A scenario without those lines of its position that it passes without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.examples.scenarios import ScenarioRunner

if TYPE_CHECKING:
    from rulelang import ir

Lines = tuple[int, int]
"""First and last line of a statement, from 1."""


def needless_lines(program: ir.Program, scenario: ir.Scenario) -> list[Lines]:
    """Find the lines that set something up which the scenario passes without.

    Larger pieces are left out first, then smaller ones, so that few runs are needed where little matters.

    Args:
        program: With the scenario, which passes.
        scenario: It stands in one file, and no other one goes on from it.
    """
    if scenario.before is None:
        return []
    body = program.doings[scenario.before].body
    left = list(dict.fromkeys(_lines(each) for each in body if each.span.line))
    everything = set(left)
    size = len(left)
    while size:
        start = 0
        while start < len(left):
            fewer = left[:start] + left[start + size :]
            if _passes(program, scenario, everything.difference(fewer)):
                left = fewer
            else:
                start += size
        size //= 2
    return sorted(everything.difference(left))


def without_lines(text: str, gone: list[Lines]) -> str:
    """Give a text without some lines, and without a `before:` that has nothing left below it."""
    dropped = {number for first, last in gone for number in range(first, last + 1)}
    lines = [each for number, each in enumerate(text.split("\n"), 1) if number not in dropped]
    return "\n".join(
        each
        for each, below in zip(lines, [*lines[1:], ""], strict=True)
        if each.strip() != "before:" or _depth(below) > _depth(each)
    )


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lines(line: ir.Stmt) -> Lines:
    return line.span.line, max(line.span.end_line, line.span.line)


def _passes(program: ir.Program, scenario: ir.Scenario, gone: set[Lines]) -> bool:
    """Does the scenario pass without some lines?"""
    doing = program.doings[scenario.before or 0]
    body = tuple(each for each in doing.body if _lines(each) not in gone)
    doings = (
        *program.doings[: doing.index],
        attrs.evolve(doing, body=body),
        *program.doings[doing.index + 1 :],
    )
    return ScenarioRunner(attrs.evolve(program, doings=doings)).run(scenario).passed
