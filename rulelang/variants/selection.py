"""Which variants may be chosen together, and the order in which a set of them is merged.

The order is a function of the set: by name, and one that says `after` another later. So nobody
can tell in which order the variants were named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Kind: TypeAlias = Literal["unknown", "missing", "excluded", "circle"]


@attrs.frozen(eq=False)
class Problem:
    """Why a set of variants cannot be merged.

    Attributes:
        kind: No such variant; one that is needed is missing; one that is excluded is there; each of
            several is to come `after` the others.
        variant: The one that says so (of a circle: the first by name).
        other: The one that it speaks of; of a circle all of them, parted by commas.
        at: The qualifier in its first line; None for an unknown variant.
    """

    kind: Kind
    variant: str
    other: str = ""
    at: nodes.Qualifier | None = None


@attrs.frozen(eq=False)
class Selection:
    """A set of variants.

    Attributes:
        order: Those that exist, in the published order.
        problems: Why the set cannot be merged; empty if it can.
        later: Pairs (a, b) of chosen variants where a is to come after b, at once or by others in between.
    """

    order: tuple[nodes.VariantDecl, ...]
    problems: tuple[Problem, ...]
    later: frozenset[tuple[str, str]]

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the published order."""
        return tuple(each.name.text for each in self.order)


def select(known: Mapping[str, nodes.VariantDecl], chosen: Iterable[str]) -> Selection:
    """Put a set of variants in order, and say what speaks against it.

    Args:
        known: All variants by name.
        chosen: Names, in any order; twice is once.
    """
    names = sorted(set(chosen))
    problems = [Problem("unknown", name) for name in names if name not in known]
    here = {name: known[name] for name in names if name in known}
    for name, decl in here.items():
        problems.extend(_unmet(name, decl, set(names)))
    after = {
        name: {
            each.name.text
            for each in decl.qualifiers
            if each.relation == "after" and each.name.text in here
        }
        for name, decl in here.items()
    }
    order, circle = _sorted(after)
    if circle:
        first = here[circle[0]]
        at = next(
            each
            for each in first.qualifiers
            if each.relation == "after" and each.name.text in circle
        )
        problems.append(Problem("circle", circle[0], ", ".join(circle), at))
    return Selection(
        tuple(here[name] for name in order), tuple(problems), frozenset(_closed(after))
    )


OUT_OF_CIRCLE: Final = "take one of these `after` out: the one that comes later wins"


def circle(problem: Problem) -> str:
    """Say that each of several variants is to come after the others."""
    *most, last = (f"`{name}`" for name in problem.other.split(", "))
    if not most:
        return f"{last} is to come after itself"
    return f"each of {', '.join(most)} and {last} is to come after the others"


def needed(known: Mapping[str, nodes.VariantDecl], chosen: Iterable[str]) -> frozenset[str]:
    """Give the variants of a set with all that they need, and all that those need."""
    found: set[str] = set()
    waiting = list(chosen)
    while waiting:
        name = waiting.pop()
        if name in found or name not in known:
            continue
        found.add(name)
        waiting.extend(each.name.text for each in known[name].qualifiers if each.relation == "with")
    return frozenset(found)


def _unmet(name: str, decl: nodes.VariantDecl, names: set[str]) -> Iterator[Problem]:
    for each in decl.qualifiers:
        if each.relation == "with" and each.name.text not in names:
            yield Problem("missing", name, each.name.text, each)
        elif each.relation == "not with" and each.name.text in names:
            yield Problem("excluded", name, each.name.text, each)


def _sorted(after: Mapping[str, set[str]]) -> tuple[list[str], list[str]]:
    """Take always the first by name of those that can come; gives the order, and who is in a circle.

    Whoever is in a circle, or after one, comes last, by name.
    """
    order: list[str] = []
    left = sorted(after)
    while left:
        free = next((name for name in left if not after[name] - set(order)), None)
        if free is None:
            pairs = set(_closed(after))
            return order + left, [name for name in left if (name, name) in pairs]
        order.append(free)
        left.remove(free)
    return order, []


def _closed(after: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """Give all pairs of one that comes after another, through others too."""
    for name in after:
        seen: set[str] = set()
        waiting = list(after[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                yield name, other
                waiting.extend(after[other])
