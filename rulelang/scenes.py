"""Which seats and which variants a scenario is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_SEATS: Final = 100


@attrs.frozen
class Scene:
    """What a scenario is compiled for.

    Attributes:
        people: The names of the seats with a person.
        automas: The names of the others.
        variants: The names of the variants that are merged, and no others.
    """

    people: tuple[str, ...] = ()
    automas: tuple[str, ...] = ()
    variants: frozenset[str] = frozenset()

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.people) + len(self.automas)


def by_title(scenarios: Iterable[nodes.ScenarioDecl]) -> dict[str, nodes.ScenarioDecl]:
    """Give scenarios by title; of two with one title the last."""
    return {node.title.value: node for node in scenarios}


def chain(
    node: nodes.ScenarioDecl, known: Mapping[str, nodes.ScenarioDecl]
) -> tuple[nodes.ScenarioDecl, ...]:
    """Give a scenario, the one that it goes on from, the one before that, and so on; a circle is cut."""
    found = [node]
    while (last := found[-1]).after is not None:
        earlier = known.get(last.after.value)
        if earlier is None or any(earlier is each for each in found):
            break
        found.append(earlier)
    return tuple(found)


def scene_of(node: nodes.ScenarioDecl, known: Mapping[str, nodes.ScenarioDecl]) -> Scene:
    """Say what a scenario is for; what it does not say it takes from the one that it goes on from."""
    people: tuple[str, ...] = ()
    automas: tuple[str, ...] = ()
    variants: frozenset[str] = frozenset()
    for each in chain(node, known):
        if not people and not automas:
            people, automas = _names(each, "people"), _names(each, "automas")
        variants = variants or named_variants(each)
    return Scene(people, automas, variants)


def is_about(title: str, cites: Iterable[str], wanted: str) -> bool:
    """Tell whether a text stands in the title or the citations of a scenario, whatever the case."""
    return wanted.casefold() in " ".join([title, *cites]).casefold()


def named_variants(node: nodes.ScenarioDecl) -> frozenset[str]:
    """Give the variants that a scenario itself says it is played with."""
    return frozenset(each.name.text for each in node.qualifiers if each.relation == "with")


def _names(node: nodes.ScenarioDecl, setting: str) -> tuple[str, ...]:
    return tuple(
        value.ident.text
        for each in node.settings
        if each.name.text == setting
        for value in each.values
        if isinstance(value, nodes.Name)
    )
