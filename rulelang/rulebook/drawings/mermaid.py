"""Drawings as Mermaid text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rulelang.rulebook.model import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.rulebook.drawings.course import Box, Course
    from rulelang.rulebook.drawings.places import Map

_SPECIAL: Final = re.compile(r"[^\w .,:!?()/'+\-\u2013]")
_SHAPES: Final = {"phase": ("[", "]"), "step": ("[", "]"), "doing": ("(", ")"), "again": (">", "]")}
_ARROWS: Final = {
    "before": "-.->",
    "after": "-.->",
    "instead of": "==>",
    "may go instead of": "==>",
}


def escape(text: str) -> str:
    """Give a label in quotes; what Mermaid could take for its own is written as a number."""
    return (
        '"' + _SPECIAL.sub(lambda found: f"#{ord(found[0])};", " ".join(clean(text).split())) + '"'
    )


def course_as_mermaid(of: Course) -> str:
    """Write the course of a game as a flowchart."""
    lines = ["flowchart TB"]
    again: list[tuple[str, str]] = []
    for box in of.boxes:
        lines += _box(box, 1, "", again)
    for rule in of.rules:
        lines.append(f"    {rule.key}{{{{{escape(f'{rule.title} / {rule.tip}')}}}}}")
        lines.append(f"    {rule.key} {_ARROWS[rule.timing]}|{rule.timing}| {rule.of}")
        lines += [f"    {rule.key} --> {key}" for key in rule.does]
    lines += [f"    {key} -.- {of_key}" for key, of_key in again]
    return "\n".join(lines) + "\n"


def _box(box: Box, depth: int, above: str, again: list[tuple[str, str]]) -> Iterator[str]:
    margin = "    " * depth
    left, right = _SHAPES[box.form]
    if box.form == "again":
        key = f"{above}a{len(again) + 1}"
        yield f"{margin}{key}{left}{escape(box.title)}{right}"
        if box.of:
            again.append((key, box.of))
        return
    title = escape(f"{box.title} / {box.tip}")
    if not box.below:
        yield f"{margin}{box.key}{left}{title}{right}"
        return
    yield f"{margin}subgraph {box.key}[{title}]"
    yield f"{margin}    direction TB"
    for each in box.below:
        yield from _box(each, depth + 1, box.key, again)
    steps = [each.key for each in box.below if each.form == "step"]
    for first, second in pairwise(steps):
        yield f"{margin}    {first} --> {second}"
    yield f"{margin}end"


def map_as_mermaid(of: Map) -> str:
    """Write a map as a graph; places have no coordinates there."""
    lines = ["flowchart LR"]
    lines += [f"    {place.key}({escape(place.title)})" for place in of.places]
    labels = {way.label for way in of.ways}
    for way in of.ways:
        sign = "-->" if way.one_way else "---"
        label = f"|{escape(way.label)}|" if len(labels) > 1 else ""
        lines.append(f"    {way.first} {sign}{label} {way.second}")
    return "\n".join(lines) + "\n"
