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
_SHAPES: Final = {"phase": ("[", "]"), "step": ("[", "]"), "doing": ("(", ")")}
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
    """Write the course of a game as a flowchart.

    Phases stand beside each other, with an arrow from what begins one: graphs inside each other make the layout of
    Mermaid fail on some games.
    """
    lines = ["flowchart TB"]
    arrows: list[tuple[str, str, str]] = []
    holders: dict[str, str] = {}
    for box in of.boxes:
        lines += _phase(box, arrows, holders)
    for rule in of.rules:
        lines.append(f"    {rule.key}{{{{{escape(f'{rule.title} / {rule.tip}')}}}}}")
        arrows.append((rule.key, f"{_ARROWS[rule.timing]}|{rule.timing}|", rule.of))
        arrows += [(rule.key, "-->", key) for key in rule.does]
    if of.whenever:
        lines.append('    subgraph whenever["whenever a doing has ended"]')
        for rule in of.whenever:
            lines.append(f"        {rule.key}{{{{{escape(_once(rule.title, rule.tip))}}}}}")
            arrows += [(rule.key, "-->", key) for key in rule.does]
        lines.append("    end")
    for first, sign, second in dict.fromkeys(arrows):
        # An arrow between a graph and what lies in it cannot be laid out.
        if holders.get(first) != second and holders.get(second) != first and first != second:
            lines.append(f"    {first} {sign} {second}")
    return "\n".join(lines) + "\n"


def _phase(box: Box, arrows: list[tuple[str, str, str]], holders: dict[str, str]) -> Iterator[str]:
    """Write a phase with its steps and doings, then the phases that are begun in it."""
    if not box.below:
        yield f"    {_node(box)}"
        return
    later: list[Box] = []
    yield f"    subgraph {box.key}[{escape(f'{box.title} / {box.tip}')}]"
    yield "        direction TB"
    inside: list[str] = []
    for each in box.below:
        yield from _part(each, box.key, later, inside, arrows)
    for each in _within(box):
        holders[each.key] = box.key
    steps = [each.key for each in box.below if each.form == "step"]
    inside += [f"{first} ==> {second}" for first, second in pairwise(steps)]
    yield from (f"        {each}" for each in inside)
    yield "    end"
    for each in later:
        yield from _phase(each, arrows, holders)


def _part(
    box: Box, above: str, later: list[Box], inside: list[str], arrows: list[tuple[str, str, str]]
) -> Iterator[str]:
    """Write a step or doing of a phase and what it does."""
    if box.form == "again":
        if box.of:
            arrows.append((above, "-.-", box.of))
        return
    if box.form == "phase":
        arrows.append((above, "-->", box.key))
        later.append(box)
        return
    yield f"        {_node(box)}"
    for each in box.below:
        if each.form not in {"again", "phase"}:
            inside.append(f"{box.key} --> {each.key}")
        yield from _part(each, box.key, later, inside, arrows)


def _within(phase: Box) -> Iterator[Box]:
    """Give the steps and doings of a phase, those of phases that are begun in it left out."""
    for each in phase.below:
        if each.form not in {"again", "phase"}:
            yield each
            yield from _within(each)


def _once(title: str, tip: str) -> str:
    """Give a title with what is said about it, which may begin with the title."""
    return tip if tip.startswith(title) else f"{title} / {tip}"


def _node(box: Box) -> str:
    left, right = _SHAPES[box.form]
    return f"{box.key}{left}{escape(f'{box.title} / {box.tip}')}{right}"


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
