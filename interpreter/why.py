"""Why something is as it is: the value of an expression with every rule that had a say in it.

The reference interpreter is placed where a match waits: it can evaluate what no rule has asked.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Final, Literal

import attrs

from interpreter.errors import EngineError
from interpreter.sight.viewing import Viewed
from interpreter.standing import UnseenError
from interpreter.wording import Wording, leaves
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.reference.expressions import Env

_MOST_FACTS = 8
_MOST_FOUND = 20

UNSEEN: Final = "hidden"
"""Stands for a value that the seat may not see."""


@attrs.frozen
class Fact:
    """What was read: its name, and its value as rules write it."""

    said: str
    value: str


@attrs.frozen
class Reason:
    """One rule that has a say, or would have.

    Attributes:
        form: A need of a permission; the usual value of a definition; an exception to it; a condition of a choice.
        name: Its label; empty if it has none.
        holds: Whether a need or a condition is met, or an exception applies; None if that cannot be said, such as of a
            need that only means something where an earlier one is met, or of one that reads what is hidden.
        change: What it makes of the value: `4`, `+1`, `-2`; empty for needs and conditions.
        text: What the rules say where it fails.
        facts: What its condition reads.
        beaten: It applies, but another exception wins over it.
        span: Where it stands.
        cites: Rule ids.
    """

    form: Literal["need", "usual", "exception", "condition"]
    name: str
    holds: bool | None
    change: str = ""
    text: str = ""
    facts: tuple[Fact, ...] = ()
    beaten: bool = False
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()


@attrs.frozen
class Answer:
    """A value and the reasons for it.

    Attributes:
        asked: What was asked.
        value: Its value, as rules write it; `UNSEEN` if it depends on what the seat may not see.
        reasons: In the order of the rules.
        facts: What is read where no single rule is behind the value.
        span: Where the definition or permission stands.
        cites: Its rule ids.
        doc: What the ruleset says about it.
    """

    asked: str
    value: str
    reasons: tuple[Reason, ...] = ()
    facts: tuple[Fact, ...] = ()
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


class Asked(Viewed):
    """A position that can be asked about."""

    # ---------------------------------------------------------------------------------------- values

    def why(self, expr: ir.Expr, asked: str) -> Answer:
        """Say what the value of an expression is, and why.

        Args:
            expr: Without free names.
            asked: What to call it.

        Raises:
            RuleFault: It has no value.
            UnseenError: It is asked about something that the seat may not see.
        """
        value = self._said(expr, {})
        if not isinstance(expr, ir.CallDef):
            return Answer(asked, value, facts=self._facts(expr, {}))
        definition = self.program.definitions[expr.definition]
        given = [self.value(arg, {}) for arg in expr.args]
        inner = dict(zip((param.name for param in definition.params), given, strict=True))
        reasons = tuple(self._reasons(definition, inner))
        facts = () if reasons else self._facts(definition.body, inner)
        return Answer(
            asked, value, reasons, facts, definition.span, definition.cites, definition.doc
        )

    def _said(self, expr: ir.Expr, env: Env) -> str:
        """Write a value, if the seat may see what it depends on."""
        try:
            return self.naming.key(self.value(expr, env), expr.type)
        except UnseenError:
            return UNSEEN

    def _reasons(self, definition: ir.Definition, env: Env) -> Iterator[Reason]:
        for need in definition.needs:
            yield Reason(
                "need",
                need.name,
                self._met(need.cond, env),
                text=need.text,
                facts=self._facts(need.cond, env),
                span=need.span,
                cites=need.cites,
            )
        if isinstance(definition.body, ir.Exceptional):
            yield from self._exceptions(definition.body, env, permits=bool(definition.needs))

    def _exceptions(self, body: ir.Exceptional, env: Env, *, permits: bool) -> Iterator[Reason]:
        if not permits:
            usual = self._said(body.general, env)
            yield Reason(
                "usual", "", holds=True, change=usual, facts=self._facts(body.general, env)
            )
        found = [(clause, *self._clause(clause, env)) for clause in body.clauses]
        beaten = {
            label
            for clause, applies, _ in found
            if applies and clause.sign == "="
            for label in clause.beats
        }
        for clause, applies, names in found:
            change = ""
            if applies and not permits:
                sign = "" if clause.sign == "=" else clause.sign
                change = sign + self._said(clause.value, names)
            yield Reason(
                "exception",
                clause.label,
                applies,
                change,
                clause.reason,
                self._facts(clause.cond, names),
                bool(applies) and clause.label in beaten,
                clause.span,
                clause.cites,
            )

    def _clause(self, clause: ir.Clause, env: Env) -> tuple[bool | None, Env]:
        """Say whether an exception applies (in force several times: the first that does), and give what it reads."""
        names = env
        if self.surely_idle(clause, env):
            return False, env
        try:
            for row in self.with_rows(clause.block, env):
                names = row
                inner = self.bound(clause.lets, row)
                if inner is not None:
                    names = inner
                    if self.holds(clause.cond, inner):
                        return True, inner
        except EngineError:
            return None, names
        return False, names

    def _met(self, cond: ir.Expr | None, env: Env) -> bool | None:
        try:
            return self.holds(cond, env)
        except EngineError:
            return None

    def _facts(self, expr: ir.Expr | None, env: Env) -> tuple[Fact, ...]:
        """Give what an expression reads, as far as it can be read now and has a short name."""
        wording = Wording(self.program, self.naming, env)
        found: dict[str, str] = {}
        for part in leaves(expr):
            said = wording.said(part)
            if said and said not in found and len(found) < _MOST_FACTS:
                found[said] = self._read(part, env)
        return tuple(Fact(*each) for each in found.items() if each[1])

    def _read(self, expr: ir.Expr, env: Env) -> str:
        """Give a value as text; empty if it cannot be had, such as of a thing that is not there."""
        try:
            return self._said(expr, env)
        except EngineError:
            return ""

    # --------------------------------------------------------------------------------------- options

    def why_not(self, wanted: str) -> tuple[Answer, ...]:
        """Say why an answer to the pending decision is possible or not.

        Args:
            wanted: The answer as rules write it or as people read it: a thing, a word, a label, `action(arguments)`,
                or the name of an action alone.

        Returns:
            What was meant, each with whether it is on offer (`yes`, `no`) and why; empty if nothing is called so.
        """
        if self.pending is None:
            return ()
        ask, env = self.pending
        match self.program.decisions[ask.decision].form:
            case "label":
                return tuple(self._labels(ask, env, wanted))
            case "action":
                return tuple(self._actions_called(ask, env, wanted))
            case "yes":
                said = (("yes", True), ("no", False))
                return tuple(
                    self._answer_of(word, (), value) for word, value in said if _same(word, wanted)
                )
            case _:
                return tuple(self._things(ask, env, wanted))

    def possible(self) -> Iterator[str]:
        """Give what `why_not` knows about the pending decision, as rules write it."""
        if self.pending is None:
            return
        ask, env = self.pending
        decision = self.program.decisions[ask.decision]
        yield from (self._text(each.text, env) for each in ask.alternatives)
        yield from (self.program.doings[each.doing].name for each in ask.instances)
        if ask.options is not None:
            yield from (
                self.naming.key(each, decision.type) for each in self._values(decision.type)
            )

    def _labels(self, ask: ir.Ask, env: Env, wanted: str) -> Iterator[Answer]:
        for number, each in enumerate(ask.alternatives):
            text = self._text(each.text, env)
            if _same(text, wanted):
                yield self._answer_of(text, self._conditions(each.cond, env), number)

    def _actions_called(self, ask: ir.Ask, env: Env, wanted: str) -> Iterator[Answer]:
        player = self.need(ask.chooser, env)
        name, _, rest = wanted.partition("(")
        for number, instance in enumerate(ask.instances):
            doing = self.program.doings[instance.doing]
            if not _same(doing.name, name):
                continue
            rows = self._calls(doing, rest.rstrip(") "), bool(rest))
            for args in rows:
                keys = [
                    self.naming.key(arg, of.type)
                    for arg, of in zip(args, doing.params[1:], strict=True)
                ]
                said = f"{doing.name}({', '.join(keys)})" if keys else doing.name
                definition = self.program.definitions[instance.permission]
                given = dict(
                    zip((of.name for of in definition.params), (player, *args), strict=True)
                )
                names = env | dict(zip(instance.params, (player, *args), strict=True))
                reasons = [*self._sources(instance, args, names), *self._reasons(definition, given)]
                yield Answer(
                    said,
                    _YES[(number, *args) in self.offered],
                    tuple(reasons),
                    (),
                    definition.span,
                    definition.cites,
                    definition.doc,
                )

    def _calls(self, doing: ir.Doing, rest: str, given: bool) -> Iterator[tuple[object, ...]]:
        """Give the arguments that were meant: those of all calls, if none are said."""
        said = [each.strip() for each in rest.split(",")] if given else []
        if given and len(said) != len(doing.params) - 1:
            return
        choices = [
            [
                value
                for value in self._values(param.type)
                if not given
                or _same(self.naming.key(value, param.type), said[place])
                or _same(self.naming.title(value, param.type), said[place])
            ]
            for place, param in enumerate(doing.params[1:])
        ]
        yield from islice(product(*choices), _MOST_FOUND)

    def _sources(
        self, instance: ir.Instance, args: tuple[object, ...], env: Env
    ) -> Iterator[Reason]:
        for source, arg, name in zip(instance.sources, args, instance.params[1:], strict=True):
            if not isinstance(source, ir.KindAll | ir.RangeSet):
                yield from self._membership(source, arg, env, name)

    def _things(self, ask: ir.Ask, env: Env, wanted: str) -> Iterator[Answer]:
        of = self.program.decisions[ask.decision].type
        if ask.options is None:
            return
        for value in self._values(of, self.offered):
            if _same(self.naming.key(value, of), wanted) or _same(
                self.naming.title(value, of), wanted
            ):
                reasons = tuple(self._membership(ask.options, value, env, "it"))
                yield self._answer_of(self.naming.key(value, of), reasons, value)

    def _answer_of(self, said: str, reasons: Iterable[Reason], value: object) -> Answer:
        return Answer(said, _YES[value in self.offered], tuple(reasons))

    def _values(self, of: ir.Type, more: Iterable[object] = ()) -> tuple[object, ...]:
        """All values that a type may have, as far as they are few and known."""
        if of.shape == "thing":
            found: Iterable[object] = (
                thing
                for kind in of.kinds
                for thing in range(
                    self.program.kinds[kind].base,
                    self.program.kinds[kind].base + self.program.kinds[kind].count,
                )
            )
        elif of.shape == "word":
            enum = self.program.enums[of.enum]
            first = enum.low if enum.numeric else 0
            found = range(first, first + len(enum.words))
        elif of.shape == "flag":
            found = (False, True)
        elif (
            of.shape == "number"
            and of.lo is not None
            and of.hi is not None
            and of.hi - of.lo < _MOST_NUMBERS
        ):
            found = range(of.lo, of.hi + 1)
        else:
            found = ()
        return tuple(dict.fromkeys((*found, *more)))

    def _membership(self, source: ir.Expr, value: object, env: Env, name: str) -> Iterator[Reason]:
        """Say step by step why a value belongs to a set or not."""
        match source:
            case ir.Where(source=inner, var=var, cond=cond):
                yield from self._membership(inner, value, env, name)
                if self._is_in(value, inner, env) is not False:
                    yield from self._conditions(cond, env | {var: value})
            case ir.Minus(left=left, right=right):
                yield from self._membership(left, value, env, name)
                said = Wording(self.program, self.naming, env).said(right)
                if self._is_in(value, right, env):
                    yield Reason(
                        "condition",
                        f"{name} is one of those left out{f': {said}' if said else ''}",
                        holds=False,
                    )
            case ir.Sorted(source=inner) | ir.AsSet(source=inner):
                yield from self._membership(inner, value, env, name)
            case ir.Best(source=inner):
                yield from self._membership(inner, value, env, name)
                if self._is_in(value, inner, env):
                    best = self._is_in(value, source, env)
                    yield Reason("condition", f"{name} is among the best", best)
            case ir.CallDef(definition=number, args=args):
                definition = self.program.definitions[number]
                said = Wording(self.program, self.naming, env).said(source) or definition.name
                inside = self._is_in(value, source, env)
                yield Reason(
                    "condition",
                    f"{name} in {said}",
                    inside,
                    span=definition.span,
                    cites=definition.cites,
                )
                if not isinstance(definition.body, ir.Exceptional) and inside is not None:
                    given = [self.value(arg, env) for arg in args]
                    params = (param.name for param in definition.params)
                    names = dict(zip(params, given, strict=True))
                    yield from self._membership(definition.body, value, names, name)
            case _:
                said = Wording(self.program, self.naming, env).said(source)
                if said and not isinstance(source, ir.KindAll):
                    inside = self._is_in(value, source, env)
                    yield Reason("condition", f"{name} in {said}", inside)

    def _is_in(self, value: object, source: ir.Expr, env: Env) -> bool | None:
        """Is a value in a set? None if the seat may not see that."""
        try:
            return value in self.items(source, env)
        except UnseenError:
            return None

    def _conditions(self, cond: ir.Expr | None, env: Env) -> Iterator[Reason]:
        """Give each part of a condition that is joined with `and`."""
        match cond:
            case None:
                return
            case ir.And(parts=parts):
                for part in parts:
                    yield from self._conditions(part, env)
            case _:
                said = Wording(self.program, self.naming, env).said(cond)
                yield Reason("condition", said, self._met(cond, env), facts=self._facts(cond, env))


_YES = {True: "yes", False: "no"}
_MOST_NUMBERS = 1000


def _same(text: str, other: str) -> bool:
    return text.strip().casefold().replace("_", " ") == other.strip().casefold().replace("_", " ")
