"""Steps and rules that do not say where in the rulebook they stand."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject
    from rulelang.source import SourceFile, Span

_RULES: Final = (nodes.HookDecl, nodes.StateRuleDecl, nodes.NamedRuleDecl)
_NAMED: Final = (nodes.PhaseDecl, nodes.EffectDecl, nodes.MayDecl)

_MAIN: Final = "game"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if not subject.tables.citations:
        return
    items = [item for item, _ in subject.tables.items]
    texts = _Texts(subject, items)
    for item in items:
        if not texts.follows_the_book(item):
            continue
        if isinstance(item, _RULES) and not texts.cites(item):
            at = item.rule if isinstance(item, nodes.NamedRuleDecl) else item
            yield _reported("this rule", at.span.file.span(at.span.start, at.span.start + 1), at)
        elif isinstance(item, _NAMED) and texts.is_loose(item) and not _is_frame(item):
            yield _reported(f"`{item.name.text}`", item.name.span, item)
        elif isinstance(item, nodes.PhaseDecl) and not item.citations and texts.cites(item):
            for part in nodes.parts(item):
                if isinstance(part, nodes.StepStmt) and not texts.cites(part):
                    yield _reported(f"the step `{part.name.text}`", part.name.span, part)


def _is_frame(item: nodes.Item) -> bool:
    """Tell whether this is the main phase: that there is one needs no passage."""
    return isinstance(item, nodes.PhaseDecl) and item.name.text == _MAIN


def _reported(what: str, at: Span, node: nodes.Node) -> Diagnostic:
    led = isinstance(node, _NAMED)
    return finding(
        LINT.name,
        at,
        f"{what} cites nothing of the rulebook",
        label="and neither does something that does it" if led else "",
        advice="write the id of the rule that says so in brackets, before the colon: `[ABC-1]`",
    )


class _Texts:
    """Which declarations say where in the rulebook they stand."""

    def __init__(self, subject: Subject, items: Sequence[nodes.Item]) -> None:
        """Find out who does what."""
        self._files = {item.span.file for item in items if nodes.cited_in(item)}
        self._cards = {item.span.file for item in items if isinstance(item, nodes.CardDecl)}
        self._free = [
            variant.span
            for variant in subject.tables.variants
            if variant.citations or not any(map(nodes.cited_in, variant.items))
        ]
        self._options = {option.name for option in subject.tables.options if option.cites}
        self._cited: dict[int, bool] = {}
        self._places: dict[SourceFile, list[nodes.Item]] = defaultdict(list)
        for item in items:
            self._places[item.span.file].append(item)
        self._loose = self._followed(subject)

    def follows_the_book(self, item: nodes.Item) -> bool:
        """Tell whether a text cites at all, and is not about cards, whose text is their own source.

        A variant that cites as a whole has said where it comes from; one that cites nothing is a house rule.
        """
        at = item.span
        if any(each.file is at.file and each.start <= at.start < each.end for each in self._free):
            return False
        return at.file in self._files and at.file not in self._cards

    def cites(self, node: nodes.Node) -> bool:
        """Tell whether a declaration or a part of it cites, or reads an option that does."""
        known = self._cited.get(id(node))
        if known is None:
            known = bool(nodes.cited_in(node)) or any(
                isinstance(part, nodes.Name) and part.ident.text in self._options
                for part in nodes.parts(node)
            )
            self._cited[id(node)] = known
        return known

    def is_loose(self, item: nodes.Item) -> bool:
        """Tell whether neither a doing cites, nor all that does it."""
        return id(item) in self._loose

    def _followed(self, subject: Subject) -> set[int]:
        """Give the named doings that are a part of nothing that cites."""
        graph = subject.graph
        of = [self._around(subject.place(doing.span)) for doing in graph.doings]
        callers: dict[int, set[int]] = defaultdict(set)
        fine: set[int] = set()
        for doing, item in zip(graph.doings, of, strict=True):
            if item is None:
                continue
            if self.cites(item) or not self.follows_the_book(item):
                fine.add(id(item))
            for number in graph.callers[doing.index]:
                caller = graph.doings[number]
                if caller.kind != "setup" and of[number] is not item:
                    other = of[number]
                    callers[id(item)].add(id(other) if other is not None else -1 - number)
                    if other is None and caller.cites:
                        fine.add(-1 - number)
        loose = {id(item) for item in of if isinstance(item, _NAMED)} - fine
        # A part of what cites is one itself; what does nothing but each other is not.
        changed = True
        while changed:
            led = {each for each in loose if callers[each] and callers[each] <= fine}
            changed = bool(led)
            loose -= led
            fine |= led
        return loose

    def _around(self, place: Span) -> nodes.Item | None:
        """Give the declaration that a place is in."""
        return next(
            (
                item
                for item in self._places[place.file]
                if item.span.start <= place.start < item.span.end
            ),
            None,
        )


LINT: Final = Lint("uncited-step", _find)
