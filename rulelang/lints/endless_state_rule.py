"""State rules that never come to rest: what they do leaves a condition of theirs true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import define, field

from rulelang.checker.aftermath import Aftermath, LostError, Way
from rulelang.checker.apart import World, never_together
from rulelang.checker.terms import NONE
from rulelang.diagnostics import Label
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir
    from rulelang.checker.terms import Literal, Term
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if not subject.graph.state_rules:
        return
    rules = _Rules(subject)
    endless = rules.endless()
    for number in sorted(endless):
        rule = subject.graph.state_rules[number]
        others = [each for each in sorted(endless[number]) if each != number]
        alone = not others
        yield finding(
            LINT.name,
            subject.place(rule.span),
            "this rule leaves its own condition true" if alone else "these rules start each other",
            label="once it holds, it would act for ever" if alone else "and would act for ever",
            secondary=(
                Label(
                    subject.place(subject.graph.state_rules[each].span),
                    "what it does is undone here",
                )
                for each in others
            ),
            advice="let it change what its condition reads until that is false, or wait for an event: `after ...`",
        )


@define(eq=False)
class _Rules:
    """The state rules of a ruleset that can be followed."""

    subject: Subject
    world: World = field(init=False)
    aftermath: Aftermath = field(init=False)
    ways: dict[int, list[Way]] = field(factory=dict)
    written: dict[int, frozenset[int] | None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.world = World(self.subject.graph)
        self.aftermath = Aftermath(self.subject.graph, self.world)
        for rule in self.subject.graph.state_rules:
            try:
                self.written[rule.index] = self.aftermath.written(rule.doing)
            except LostError:
                self.written[rule.index] = None
                continue
            if rule.once is None and rule.block is None:
                try:
                    self.ways[rule.index] = self._followed(rule)
                except LostError:
                    continue

    def _followed(self, rule: ir.StateRule) -> list[Way]:
        doing = self.subject.graph.doings[rule.doing]
        names = _own(rule)
        args = [self.world.term(arg, self._bound(rule, names)) for arg in rule.args]
        params = (param.name for param in doing.params)
        return self.aftermath.ways(doing, dict(zip(params, args, strict=True)))

    def _bound(self, rule: ir.StateRule, names: dict[str, Term]) -> dict[str, Term]:
        """Give names with those that `let` gives."""
        found = dict(names)
        for name, value in rule.lets:
            found[name] = self.world.term(value, found)
        return found

    def endless(self) -> dict[int, set[int]]:
        """Give the rules after each of which one of them holds, with those that then do."""
        follows = {number: self._following(number) for number in self.ways}
        while True:
            left = {number: after & follows.keys() for number, after in follows.items()}
            left = {number: after for number, after in left.items() if after}
            if left == follows:
                break
            follows = left
        return {
            number: after
            for number, after in follows.items()
            if not self._meddled_with({number, *self._all_after(number, follows)})
        }

    @staticmethod
    def _all_after(number: int, follows: dict[int, set[int]]) -> set[int]:
        found: set[int] = set()
        waiting = [number]
        while waiting:
            for after in follows[waiting.pop()] - found:
                found.add(after)
                waiting.append(after)
        return found

    def _meddled_with(self, rules: set[int]) -> bool:
        """Tell whether another rule may act in between and change what the conditions of these read."""
        read = frozenset[int]().union(*map(self._read, rules))
        return any(
            written is None or written & read
            for number, written in self.written.items()
            if number not in rules
        )

    def _read(self, number: int) -> frozenset[int]:
        rule = self.subject.graph.state_rules[number]
        return frozenset[int]().union(
            *(self.aftermath.reads(term) for term, _ in self._holds(rule, _own(rule)))
        )

    def _holds(self, rule: ir.StateRule, names: dict[str, Term]) -> list[Literal]:
        """Give what must hold for a rule to act."""
        bound = self._bound(rule, names)
        there: list[Literal] = [(("==", bound[name], NONE), False) for name, _ in rule.lets]
        return [*there, (self.world.term(rule.cond, bound), True)]

    def _following(self, number: int) -> set[int]:
        """Give the rules whose condition surely holds when a rule has acted, for the same things."""
        rules = self.subject.graph.state_rules
        return {
            rule.index
            for rule in rules
            if rule.index in self.ways and self._follows(rules[number], rule)
        }

    def _follows(self, rule: ir.StateRule, after: ir.StateRule) -> bool:
        names = _names(rule, after)
        if names is None or (rule.index == after.index and self._changes_nothing(rule)):
            return False
        if rule.index != after.index and not self._keeps_to_itself(rule):
            return False
        given = self._holds(rule, _own(rule))
        types = {
            name: source.type.elem for name, source in rule.vars if source.type.elem is not None
        }
        try:
            for way in self.ways[rule.index]:
                for term, holds in self._holds(after, names):
                    then = self.aftermath.then(term, way)
                    if not never_together(
                        self.world, [*given, *way.tests, (then, not holds)], types
                    ):
                        return False
        except LostError:
            return False
        return True

    def _changes_nothing(self, rule: ir.StateRule) -> bool:
        """Tell whether nothing that a rule does touches its condition: that is E0409."""
        written = self.written[rule.index]
        return written is None or not written & self._read(rule.index)

    def _keeps_to_itself(self, rule: ir.StateRule) -> bool:
        """Tell whether what a rule writes belongs to the things that it is about, so that it disturbs no others."""
        own = {("l", name) for name, _ in rule.vars}
        return not rule.vars or all(
            place[0] == "f" and place[2] in own
            for way in self.ways[rule.index]
            for place in way.values
        )


def _own(rule: ir.StateRule) -> dict[str, Term]:
    return {name: ("l", name) for name, _ in rule.vars}


def _names(rule: ir.StateRule, after: ir.StateRule) -> dict[str, Term] | None:
    """Give what the names of one rule stand for where another one acts for the same things."""
    if [source for _, source in rule.vars] != [source for _, source in after.vars]:
        return None
    return {name: ("l", own) for (name, _), (own, _) in zip(after.vars, rule.vars, strict=True)}


LINT: Final = Lint("endless-state-rule", _find)
