"""Policies that look at what their seat may not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import evolve

from rulelang import ir
from rulelang.checker.sight import OPEN, Known, Sight
from rulelang.checker.unseen import Readers
from rulelang.diagnostics import Label
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.checker.sight import Facts, Secret
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_UNSEEN: Final = {"hidden": "nobody sees it", "owner": "only whoever has it sees it"}


def _find(subject: Subject) -> Iterator[Diagnostic]:
    tables = subject.tables
    for ask, part, secret in _peeks(subject):
        unseen = tables.fields[secret.field]
        read = f"{tables.kinds[unseen.kind].name}.{unseen.name}"
        path = subject.graph.ctx.decisions[ask.decision].path
        spans = [span for span in (secret.span, part.span, ask.span) if span != ir.NOWHERE]
        yield finding(
            LINT.name,
            subject.place(spans[0]),
            f"a policy reads `{read}`, which its seat may not see",
            label="it lies face down here" if secret.down else _UNSEEN[unseen.sight],
            secondary=(
                Label(subject.place(span), f"for the policy of `{path}`") for span in spans[1:2]
            ),
            advice="let the policy go by what is open, or let its seat see it first",
        )


def _peeks(subject: Subject) -> Iterator[tuple[ir.Ask, ir.Expr, Secret]]:
    """Give each decision whose policy looks at something unseen, the part of the policy that does, and what it is."""
    readers = Readers(subject.graph, subject.counts)
    for doing in subject.graph.doings:
        asks = [
            stmt
            for stmt in subject.graph.statements[doing.index]
            if isinstance(stmt, ir.Ask) and _has_policy(stmt)
        ]
        hooks = (*doing.before, *doing.instead, *doing.after)
        waiting = [hook.ask for hook in hooks if hook.ask is not None and _has_policy(hook.ask)]
        allowed = {each.permission for ask in (*asks, *waiting) for each in ask.instances}
        if not (asks or waiting) or not readers.has(doing, allowed):
            continue
        for seat in dict.fromkeys(ask.chooser for ask in asks):
            yield from _in_lines(subject, doing, seat)
        for hook in hooks:
            if hook.ask is not None and _has_policy(hook.ask):
                sight = Sight(subject.graph, hook.ask.chooser, certain=True)
                facts: Facts = {}
                for name, value in hook.lets:
                    facts[name] = sight.look(value, facts)
                if hook.guard is not None:
                    sight.learn(hook.guard, facts, holds=True)
                yield from _peeked(sight, hook.ask, facts)


def _in_lines(
    subject: Subject, doing: ir.Doing, seat: ir.Expr
) -> list[tuple[ir.Ask, ir.Expr, Secret]]:
    """Look at all that a doing asks of one seat."""
    sight = Sight(subject.graph, seat, certain=True)
    found: list[tuple[ir.Ask, ir.Expr, Secret]] = []

    def visit(stmt: ir.Stmt, facts: Facts) -> None:
        if isinstance(stmt, ir.Ask) and stmt.chooser == seat:
            found.extend(_peeked(sight, stmt, facts))

    sight.walk(doing.body, {}, visit)
    return found


def _has_policy(ask: ir.Ask) -> bool:
    return (
        ask.policy is not None
        or ask.yes_when is not None
        or any(each.automa is not None for each in ask.alternatives)
        or any(each.utility is not None for each in ask.instances)
    )


def _peeked(sight: Sight, ask: ir.Ask, facts: Facts) -> Iterator[tuple[ir.Ask, ir.Expr, Secret]]:
    """Give what the policy of a decision looks at that its seat does not see."""
    for part, known in _parts(sight, ask, facts):
        for secret in sorted(sight.look(part, known).secrets, key=lambda each: each.field):
            yield ask, part, secret


def _parts(sight: Sight, ask: ir.Ask, facts: Facts) -> Iterator[tuple[ir.Expr, Facts]]:
    """Give the expressions of a policy, each with what is found out before it is asked."""
    if ask.policy is not None:
        offered = _seen(sight, ask.options, facts)
        wanted = (ask.policy.wanted,) if ask.policy.wanted is not None else ()
        for key in (*ask.policy.keys, *wanted):
            yield key.body, {**facts, key.var: offered}
    if ask.yes_when is not None:
        yield ask.yes_when, facts
    for alternative in ask.alternatives:
        if alternative.automa is not None:
            here = dict(facts)
            if alternative.cond is not None:
                sight.learn(alternative.cond, here, holds=True)
            yield alternative.automa, here
    for instance in ask.instances:
        if instance.utility is not None:
            yield instance.utility, _legal(sight, instance, facts)


def _seen(sight: Sight, offered: ir.Expr | None, facts: Facts) -> Known:
    """Give what is known of the things on offer: which they are is seen by their being offered."""
    found = sight.look(offered, facts) if offered is not None else OPEN
    return evolve(found, secrets=frozenset())


def _legal(sight: Sight, instance: ir.Instance, facts: Facts) -> Facts:
    """Give what is known of the arguments of an action that is allowed."""
    here: Facts = {**facts, instance.params[0]: Known(seat=True)}
    for name, source in zip(instance.params[1:], instance.sources, strict=True):
        here[name] = _seen(sight, source, here)
    params = sight.graph.definitions[instance.permission].params
    args = tuple(
        ir.Local(name, type=param.type) for name, param in zip(instance.params, params, strict=True)
    )
    sight.learn(ir.CallDef(instance.permission, args, type=ir.FLAG), here, holds=True)
    return here


LINT: Final = Lint("clairvoyant-policy", _find)
