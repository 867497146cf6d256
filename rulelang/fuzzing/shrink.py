"""Making a failing ruleset smaller: declarations and lines are left out while it still fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Texts = dict[str, str]


def shrink(texts: Texts, fails: Callable[[Texts], bool], tries: int = 2000) -> Texts:
    """Make a ruleset smaller.

    Args:
        texts: Rules and data files by path; only the rules (`*.rules`) get smaller.
        fails: Tells whether a ruleset still fails in the way that is looked for.
        tries: How often that is asked at most.

    Returns:
        The smallest one found that fails.
    """
    left = [tries]

    def still(candidate: Texts) -> bool:
        left[0] -= 1
        return left[0] >= 0 and fails(candidate)

    while left[0] > 0:
        before = texts
        for path in sorted(path for path in texts if path.endswith(".rules")):
            texts = _smaller(texts, path, still)
        if texts == before:
            break
    return texts


def _smaller(texts: Texts, path: str, still: Callable[[Texts], bool]) -> Texts:
    """One round over a file: from large blocks to single lines, from the end."""
    lines = [line for line in texts[path].splitlines() if line.strip()]
    start = len(lines) - 1
    while start >= 0:
        for shorter in _without(lines, start):
            candidate = {**texts, path: "\n".join(shorter) + "\n"}
            if still(candidate):
                lines, texts = shorter, candidate
                break
        start = min(start, len(lines)) - 1
    return texts


def _without(lines: list[str], start: int) -> Iterator[list[str]]:
    """Ways to leave out a line: with its block, only itself, its block put in its place."""
    end = start + 1
    depth = _indent(lines[start])
    while end < len(lines) and _indent(lines[end]) > depth:
        end += 1
    yield lines[:start] + lines[end:]
    if end > start + 1:
        yield lines[:start] + [line[4:] for line in lines[start + 1 : end]] + lines[end:]
        yield [*lines[: start + 1], " " * (depth + 4) + "do nothing", *lines[end:]]
    if ":" in lines[start] and lines[start].rstrip()[-1] != ":" and depth:
        head, _, rest = lines[start].partition(": ")
        if rest and not head.strip().startswith("keeps"):
            yield [*lines[:start], " " * depth + rest, *lines[end:]]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
