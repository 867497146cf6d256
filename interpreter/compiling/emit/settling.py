"""At the end of which doings state rules can be waiting.

The language settles state rules at the end of every named doing. Most doings neither write what a
state rule reads nor run inside one that does, so their end needs no look.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from interpreter.compiling.analysis import walk
from interpreter.errors import RuleFault
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module


def waiting(m: Module) -> frozenset[int]:
    """The doings at whose end a state rule may be waiting."""
    program = m.program
    everything = frozenset(range(len(program.doings)))
    if not m.flags.optimise or _holds_at_start(m):
        return everything
    leaking: set[int] = set()
    marking = {doing.index for doing in program.doings if _marks(m, doing)}
    changed = True
    while changed:
        changed = False
        for doing in program.doings:
            called = m.calls.own[doing.index]
            if doing.index in marking and not doing.settles and doing.index not in leaking:
                leaking.add(doing.index)
                changed = True
            if doing.index not in marking and called & leaking:
                marking.add(doing.index)
                changed = True
    found = set(marking)
    # What runs while something waits may be the first to end.
    for start in marking | m.calls.settling:
        found |= _inside(m, start)
    found |= m.calls.settling
    found |= {node.doing for node in m.all_ends}
    return frozenset(found)


def _may_end(m: Module) -> bool:
    """Can the end of a duration change what a state rule reads?"""
    program = m.program
    return any(
        reads.blocks
        or any(program.fields[index].temporary for index in reads.fields)
        or any(program.globals[index].temporary for index in reads.globals)
        for reads in m.rule_reads
    )


def _inside(m: Module, start: int) -> set[int]:
    """Everything that can run inside a doing."""
    seen: set[int] = set()
    todo = [start]
    while todo:
        for other in m.calls.own[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def _marks(m: Module, doing: ir.Doing) -> bool:
    """Do its own lines, or what happens around them, write what a state rule reads?"""
    globals_ = {*doing.param_globals, *doing.keeps, *doing.resets}
    if doing.running is not None:
        globals_.add(doing.running)
    for hook in (*doing.before, *doing.instead, *doing.after):
        globals_.update(each for each in (hook.once, hook.busy) if each is not None and each >= 0)
    if (doing.tracked and _may_end(m)) or m.rules_reading(set(doing.lends), set(), globals_, set()):
        return True
    for node in walk(doing.body):
        fields: set[int] = set()
        places: set[int] = set()
        written: set[int] = set()
        blocks: set[int] = set()
        match node:
            case ir.SetField():
                fields = set(node.fields)
            case ir.Adjust():
                fields = {*node.fields, *node.other_fields}
            case ir.SetGlobal() | ir.AdjustGlobal():
                written = {node.index}
            case ir.Shuffle():
                fields = set(node.fields)
            case ir.Move():
                kinds = m.dependencies.kinds_of(node.what.type) or range(len(m.program.kinds))
                places = set(kinds)
                for kind in kinds:
                    fields |= set(m.piles_of(kind))
                    place = m.program.kinds[kind].place
                    fields |= set() if place is None else {place}
            case ir.Lasting():
                blocks = {node.block}
            case _:
                continue
        if any(m.program.fields[index].acts for index in fields) and m.program.card_keeps:
            return True
        if m.rules_reading(fields, places, written, blocks):
            return True
    return False


def _holds_at_start(m: Module) -> bool:
    """Does a state rule hold, or is that unknown, before anything has happened?"""
    if any(m.program.automa_field in reads.fields for reads in m.rule_reads):
        return True  # who has no person is known when a match begins
    for rule in m.program.state_rules:
        if rule.block is not None:
            continue
        try:
            sources = []
            for _, source in rule.vars:
                if m.scopes.free(source):
                    return True
                sources.append(m.evaluator.value(source, {}))
            for values in product(*sources):
                env = dict(zip((name for name, _ in rule.vars), values, strict=True))
                bound = m.evaluator.bound(rule.lets, env)
                if bound is not None and m.evaluator.holds(rule.cond, bound):
                    return True
        except (RuleFault, TypeError, IndexError, KeyError, ValueError):
            return True
    return False
