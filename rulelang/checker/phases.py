"""Values of phases that are read where the phase need not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import define, field

from rulelang import ir
from rulelang.checker.graph import blocks, outermost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.checker.graph import Graph
    from rulelang.source import Span

Needs = dict[int, ir.Span]
"""For each phase needed, a place that needs it."""

_NOTHING: Final[Needs] = {}
_LEAVES: Final = frozenset((ir.Const, ir.Local, ir.OptionGet))


def check(graph: Graph) -> None:
    """Report every way to a phase value, or lent field, on which the phase does not run."""
    needs = _Needs(graph)
    needs.solve()
    reported: set[tuple[int, Span]] = set()
    for start in (0, *(rule.doing for rule in graph.state_rules)):
        for phase, span in needs.of_doing[start].items():
            place = graph.place(span)
            if (phase, place) in reported:
                continue
            reported.add((phase, place))
            name = graph.doings[phase].name
            graph.ctx.error(
                "phase-value-outside",
                place,
                f"this reads a value of `{name}`, which need not run here",
                label=f"there is a way here on which `{name}` does not run",
                advice=f"test it first: `if during({name}):`",
            )


@define(eq=False)
class _Needs:
    """Which phases each definition and doing needs to run."""

    graph: Graph
    phase_of_global: dict[int, int] = field(factory=dict)
    phase_of_field: dict[int, int] = field(factory=dict)
    of_definition: dict[int, Needs] = field(factory=dict)
    of_doing: list[Needs] = field(factory=list)
    of_expr: dict[int, Needs] = field(factory=dict)
    runs: list[frozenset[int]] = field(factory=list)

    def solve(self) -> None:
        """Follow the needs up the calls until nothing is added."""
        for made in self.graph.ctx.globals:
            if made.phase is not None and made.shown:
                self.phase_of_global[made.index] = made.phase
        for declared in self.graph.ctx.tables.fields:
            if declared.lent_by is not None:
                self.phase_of_field[declared.index] = declared.lent_by
        for definition in self.graph.definitions:
            self._definition(definition.index)
        self.of_doing = [{} for _ in self.graph.doings]
        self.runs = _runs(self.graph.doings)
        # What no game reaches is asked for nothing: examples, above all.
        reached = sorted(
            set().union(
                *map(self.graph.below, {0, *(rule.doing for rule in self.graph.state_rules)})
            )
        )
        stale = set(reached)
        while stale:
            for number in reached:
                if number not in stale:
                    continue
                stale.discard(number)
                found = self._doing(self.graph.doings[number])
                if found.keys() - self.of_doing[number].keys():
                    self.of_doing[number] = {**found, **self.of_doing[number]}
                    stale |= self.graph.callers[number].intersection(reached)

    def _definition(self, index: int) -> Needs:
        known = self.of_definition.get(index)
        if known is None:
            self.of_definition[index] = known = {}
            body = self.graph.definitions[index].body
            if not self._is_free(self.graph.within(body)):
                known.update(self._expr(body))
        return known

    def _expr(self, expr: object) -> Needs:
        """Give what an expression needs, found once: it does not change while calls are followed."""
        if expr.__class__ in _LEAVES:
            return _NOTHING
        known = self.of_expr.get(id(expr))
        if known is None:
            parts = self.graph.parts(expr) if isinstance(expr, ir.Expr) else None
            free = parts is not None and self._is_free(parts)
            known = self.of_expr[id(expr)] = _NOTHING if free else self._needed(expr)
        return known

    def _is_free(self, parts: Iterable[ir.Expr]) -> bool:
        """Tell whether nothing in an expression needs a phase, wherever it stands."""
        for part in parts:
            if isinstance(part, ir.GlobalGet):
                if part.index in self.phase_of_global:
                    return False
            elif isinstance(part, ir.FieldGet):
                if not self.phase_of_field.keys().isdisjoint(part.fields):
                    return False
            elif isinstance(part, ir.CallDef) and self._definition(part.definition):
                return False
        return True

    def _needed(self, expr: object) -> Needs:
        """Find out what an expression needs; what stands after `during(P) and` does not need P."""
        match expr:
            case ir.And(parts=parts):
                return self._guarded(parts)
            case ir.Exceptional(general=general, clauses=clauses):
                found = self._expr(general)
                for clause in clauses:
                    if clause.block is None:
                        tests = (clause.cond,) if clause.cond is not None else ()
                        found = {**self._guarded((*_flat(tests), clause.value)), **found}
                return found
            case ir.Case(arms=arms, otherwise=otherwise):
                found = self._expr(otherwise)
                for cond, value in arms:
                    found = {**self._guarded((*_flat((cond,)), value)), **found}
                return found
            case ir.GlobalGet(index=index) if index in self.phase_of_global:
                return {self.phase_of_global[index]: expr.span}
            case ir.CallDef(definition=definition, args=args):
                found = dict.fromkeys(self._definition(definition), expr.span)
                for arg in args:
                    found = {**self._expr(arg), **found}
                return found
            case ir.FieldGet(obj=obj, fields=fields, key=key):
                found = {
                    self.phase_of_field[f]: expr.span for f in fields if f in self.phase_of_field
                }
                if key is not None:
                    found = _with(found, self._expr(key))
                return _with(found, self._expr(obj))
            case _:
                found = _NOTHING
                for inner in outermost(expr):
                    found = _with(found, self._expr(inner))
                return found

    def _guarded(self, parts: tuple[ir.Expr, ...]) -> Needs:
        found = _NOTHING
        sure: set[int] = set()
        for part in parts:
            needs = self._expr(part)
            if needs:
                found = {**{p: s for p, s in needs.items() if p not in sure}, **found}
            sure |= running_in(part)
        return found

    def _doing(self, doing: ir.Doing) -> Needs:
        found = self._block(doing.body)
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.block is None:
                tests = (
                    *(value for _, value in hook.lets),
                    *_flat((hook.guard,) if hook.guard is not None else ()),
                )
                found = {**self._guarded((*tests, *hook.args)), **found}
                sure = running_in(hook.guard) if hook.guard is not None else set()
                found = {
                    **{p: hook.span for p in self.of_doing[hook.doing] if p not in sure},
                    **found,
                }
        runs = self.runs[doing.index]
        return {phase: span for phase, span in found.items() if phase not in runs}

    def _block(self, block: ir.Block) -> Needs:
        found: Needs = {}
        sure: set[int] = set()
        for stmt in block:
            here = self._statement(stmt)
            if here:
                found = {**{p: s for p, s in here.items() if p not in sure}, **found}
            if isinstance(stmt, ir.If) and isinstance(stmt.cond, ir.Not) and _leaves(stmt.then):
                sure |= running_in(stmt.cond.value)
        return found

    def _statement(self, stmt: ir.Stmt) -> Needs:
        if isinstance(stmt, ir.If):
            sure = running_in(stmt.cond)
            then = {p: s for p, s in self._block(stmt.then).items() if p not in sure}
            return {**self._block(stmt.orelse), **then, **self._expr(stmt.cond)}
        if isinstance(stmt, ir.SetGlobal) and stmt.index in self.phase_of_global:
            return {**self._expr(stmt.value), self.phase_of_global[stmt.index]: stmt.span}
        found = _NOTHING
        for expr in outermost(stmt):
            if not isinstance(expr, ir.Stmt):
                found = _with(found, self._expr(expr))
        for inner in blocks(stmt):
            found = _with(found, self._block(inner))
        if isinstance(stmt, ir.Call):
            found = _with(found, dict.fromkeys(self.of_doing[stmt.doing], stmt.span))
        return found


def _with(found: Needs, more: Needs) -> Needs:
    """Join needs; the place in the first counts where both have one. Neither is changed, and most are empty."""
    return {**more, **found} if found and more else found or more


def _runs(doings: tuple[ir.Doing, ...]) -> list[frozenset[int]]:
    """Give for each doing the phases that run while it does: itself, or the one that it is a step of."""
    phases: dict[str, frozenset[int]] = {}
    for doing in doings:
        if doing.kind == "phase":
            phases[doing.name] = phases.get(doing.name, frozenset()) | {doing.index}
    nothing: frozenset[int] = frozenset()
    found = []
    for doing in doings:
        if doing.kind == "phase":
            found.append(frozenset((doing.index,)))
        elif doing.kind == "step":
            found.append(phases.get(doing.name.rsplit(".", 1)[0], nothing))
        else:
            found.append(nothing)
    return found


def running_in(cond: ir.Expr) -> set[int]:
    """Give the doings that run whenever a condition holds."""
    match cond:
        case ir.During(doing=doing):
            return {doing}
        case ir.And(parts=parts):
            return {doing for part in parts for doing in running_in(part)}
        case _:
            return set()


def _flat(conds: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    return tuple(
        part for cond in conds for part in (cond.parts if isinstance(cond, ir.And) else (cond,))
    )


def _leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], ir.End)
