"""Which seats and which variants a scenario is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.codes import BY_NAME
from rulelang.diagnostics import DiagnosticBag, Label
from rulelang.suggest import nearest

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


def wrong_chains(
    scenarios: Iterable[nodes.ScenarioDecl], known: Mapping[str, nodes.ScenarioDecl]
) -> DiagnosticBag:
    """Report scenarios that would be played never, or not as they are written.

    Those of a title that there is already, that go on from none that there is or in a circle, and those in which
    nobody takes part.
    """
    bag = DiagnosticBag()
    first: dict[str, nodes.ScenarioDecl] = {}
    for node in scenarios:
        title = node.title.value
        if title in first:
            bag.error(
                BY_NAME["reserved-or-double-name"].code,
                node.title.span,
                f'there are two scenarios "{title}"',
                secondary=(Label(first[title].title.span, "the other one"),),
                help="give one of them another title",
            )
            continue
        first[title] = node
        found = chain(node, known)
        beginning = found[-1]
        if node.after is not None and node.after.value not in known:
            bag.error(
                BY_NAME["wrong-script"].code,
                node.after.span,
                "there is no scenario of this title",
                help=_meant(node.after.value, known),
            )
        elif beginning.after is not None and beginning.after.value in known:
            bag.error(
                BY_NAME["wrong-script"].code,
                node.title.span,
                f'"{title}" goes on from itself',
                help="let the first of them begin by itself, without `after`",
            )
        elif beginning.after is None and not scene_of(node, known).seats:
            bag.error(
                BY_NAME["wrong-script"].code,
                node.title.span,
                "nobody takes part in this scenario",
                help="name who does: `people ann, bob`",
            )
    return bag


def _meant(title: str, known: Iterable[str]) -> str | None:
    found = nearest(title, known)
    return f'did you mean "{found[0]}"?' if found else None


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
