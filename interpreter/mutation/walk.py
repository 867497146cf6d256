"""All changes of a program: a walk over what its main phase can reach.

Left out are prompts, what scenarios alone reach, promises (they test rules), and, unless they are asked for, the
policies of seats without a person and what stands behind options that are not at their default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

import attrs

from interpreter.compiling.analysis import children, rebuild
from interpreter.mutation.lines import LEFT_OUT, Order
from interpreter.mutation.model import SCENARIOS, Edit, Found, Mutant, Unit, file_of, text_at
from interpreter.mutation.piles import Piles
from interpreter.mutation.sure import NOTHING as NO_FACTS
from interpreter.mutation.sure import Facts, Sure
from interpreter.mutation.usual import UNKNOWN, Usual
from interpreter.mutation.values import NO, Change, changes, opposite
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTHING = ir.Let(name="$nothing", value=ir.Const(type=ir.NONE, value=None))
"""What stands where a line was left out."""


@attrs.frozen
class Here:
    """Where the walk is.

    Attributes:
        unit: The part of the Program.
        owner: The name of the declaration.
        cites: What the smallest thing around cites.
        usual: Can it be reached with the defaults of all options?
        facts: What is sure here.
    """

    unit: Unit
    owner: str
    cites: tuple[str, ...]
    usual: bool
    facts: Facts = NO_FACTS

    def citing(self, cites: tuple[str, ...]) -> Here:
        """The same place in something that may cite."""
        return attrs.evolve(self, cites=cites) if cites else self

    def knowing(self, facts: Facts) -> Here:
        """The same place with what is sure there."""
        return attrs.evolve(self, facts=facts)

    def behind(self, known: bool | None) -> Here:
        """The same place behind a condition of which this is known."""
        return attrs.evolve(self, usual=False) if known is False else self


class Walk:
    """Finds the changes of one Program.

    Args:
        program: The Program.
        policies: Whether to look at the policies of seats without a person too.

    Attributes:
        found: The changes.
    """

    def __init__(self, program: ir.Program, *, policies: bool = False) -> None:
        self.found: list[Found] = []
        self._program = program
        self._policies = policies
        self._usual = Usual(program)
        self._ordered = Piles(program).ordered
        self._order = Order(program, ordered=self._ordered)
        self._usual_order = Order(program, self._usual, ordered=self._ordered)
        self._sure = Sure(program, self._order)
        self._waiting: list[tuple[Unit, bool]] = []
        self._later: list[Unit] = []
        self._done: set[Unit] = set()
        if program.doings:
            self._reach("doing", 0, usual=True)
        for rule in program.state_rules:
            self._reach("rule", rule.index, usual=True)
        while self._waiting or self._later:
            unit, usual = self._waiting.pop(0) if self._waiting else (self._later.pop(0), False)
            if unit not in self._done:
                self._done.add(unit)
                self._unit(unit, usual=usual)

    # ------------------------------------------------------------------------------------ units

    def _reach(self, what: str, index: int, *, usual: bool) -> None:
        unit = cast("Unit", (what, index))
        if usual:
            self._waiting.append((unit, True))
        else:
            self._later.append(unit)

    def _unit(self, unit: Unit, *, usual: bool) -> None:
        what, index = unit
        program = self._program
        if what == "definition":
            declared = program.definitions[index]
            here = Here(unit, declared.name, declared.cites, usual)
            if declared.result.shape == "flag":
                self._condition(declared.body, here)
            else:
                self._expr(declared.body, here)
        elif what == "doing":
            self._doing(program.doings[index], unit, usual=usual)
        elif what == "rule":
            self._rule(program.state_rules[index], unit, usual=usual)

    def _doing(self, doing: ir.Doing, unit: Unit, *, usual: bool) -> None:
        here = Here(unit, doing.name, doing.cites, usual)
        self._block(doing.body, here)
        for hook in (*doing.before, *doing.instead, *doing.after):
            self._hook(hook, here.citing(hook.cites))
        if doing.concerned is not None:
            self._expr(doing.concerned, here)
        for index in doing.keeps:
            self._kept(self._program.globals[index], doing, here)

    def _kept(self, declared: ir.Global, doing: ir.Doing, here: Here) -> None:
        """A value that a phase keeps: another one to begin with, if the text has one."""
        value = declared.initial
        written = text_at(self._program, declared.span)
        unit: Unit = ("global", declared.index)
        for text, new in _beginnings(value):
            if written.endswith(f"= {text}") or f"= {text} " in written:
                after = "yes" if new is True else "no" if new is False else str(new)
                change = attrs.evolve(declared, initial=new)
                self._add(
                    attrs.evolve(here, unit=unit), declared, change, declared.span,
                    ("number" if not isinstance(new, bool) else "word", text, after), doing.index,
                )  # fmt: skip

    def _rule(self, rule: ir.StateRule, unit: Unit, *, usual: bool) -> None:
        usual = usual and self._usual.known(rule.cond) is not False
        doing = self._program.doings[rule.doing]
        here = Here(unit, doing.name, rule.cites or doing.cites, usual)
        text = text_at(self._program, rule.span)
        if text:
            gone = attrs.evolve(rule, cond=NO)
            self._add(here, rule, gone, rule.span, ("rule", text, ""), rule.doing)
        self._condition(rule.cond, here)
        for _, value in (*rule.vars, *rule.lets):
            self._expr(value, here)
        for value in rule.args:
            self._expr(value, here)
        self._reach("doing", rule.doing, usual=usual)

    def _hook(self, hook: ir.Hook, here: Here) -> None:
        inside = here.behind(self._usual.known(hook.guard))
        self._reach("doing", hook.doing, usual=inside.usual)
        text = text_at(self._program, hook.span)
        if text:
            gone = attrs.evolve(hook, guard=NO)
            self._add(inside, hook, gone, hook.span, ("rule", text, ""), hook.doing)
            if hook.once is not None:
                always = attrs.evolve(hook, once=None)
                self._add(inside, hook, always, hook.span, ("once", "once", ""), hook.doing)
        for _, value in hook.lets:
            self._expr(value, here)
        if hook.guard is not None:
            self._condition(hook.guard, here)
            when = text_at(self._program, hook.guard.span)
            if when and not isinstance(hook.guard, ir.And):
                free = attrs.evolve(hook, guard=None)
                change = ("condition", f"when {when}", "")
                self._add(inside, hook, free, hook.guard.span, change, hook.guard)
        if hook.ask is not None:
            self._ask(hook.ask, inside)
        for value in hook.args:
            self._expr(value, inside)
        if hook.still is not None:
            self._expr(hook.still, here)

    # ------------------------------------------------------------------------------------ lines

    def _block(self, block: ir.Block, here: Here) -> None:
        for number, line in enumerate(block):
            self._line(line, here.citing(line.cites))
            if isinstance(line, ir.Move):
                self._other_end(line, here.citing(line.cites), block[number + 1 :])
            below = block[number + 1] if number + 1 < len(block) else None
            if below is not None and self._order.matters(line, below):
                one, two = (_head(text_at(self._program, each.span)) for each in (line, below))
                if one and two and line.span != below.span:
                    change = ("order of lines", f"{one} / {two}", f"{two} / {one}")
                    there = here.citing(line.cites)
                    idle = self._usual.idle(line) or self._usual.idle(below)
                    if idle or not self._usual_order.matters(line, below):
                        there = there.behind(known=False)
                    self._add(there, line, below, line.span, change, line)
                    self._also(below, line)
            here = here.knowing(self._sure.after(here.facts, line))

    def _line(self, line: ir.Stmt, here: Here) -> None:
        text = text_at(self._program, line.span)
        if text and isinstance(line, LEFT_OUT) and getattr(line, "result", None) is None:
            change = ("line", _head(text), "")
            there = here.behind(known=False) if self._usual.idle(line) else here
            self._add(there, line, NOTHING, line.span, change, line)
        match line:
            case ir.If():
                self._if(line, here)
                return
            case ir.While():
                here = here.knowing(self._sure.inside(here.facts, line))
                self._condition(line.cond, here.knowing(NO_FACTS))
                self._block(line.body, here.behind(self._usual.known(line.cond)))
                return
            case ir.Each():
                self._expr(line.source, here)
                self._block(line.body, here.knowing(self._sure.inside(here.facts, line)))
                return
            case ir.Match():
                self._match(line, here)
                return
            case ir.Ask():
                self._ask(line, here)
                return
            case ir.Call():
                self._reach("doing", line.doing, usual=here.usual)
            case ir.Adjust() | ir.AdjustGlobal() if text:
                self._turned(line, here, text)
            case _:
                pass
        for child in children(line):
            self._child(child, here)

    def _other_end(self, line: ir.Move, here: Here, later: ir.Block) -> None:
        """To the other end of a pile, where that makes a difference."""
        text = text_at(self._program, line.span)
        where = line.dest.where
        if not text or where not in ("top", "bottom") or self._order.mixed(line, later):
            return
        if not self._ordered.intersection(line.dest.fields):
            return
        other: Literal["top", "bottom"] = "bottom" if where == "top" else "top"
        moved = attrs.evolve(line, dest=attrs.evolve(line.dest, where=other))
        self._add(here, line, moved, line.span, ("end of a pile", where, other), line)

    def _turned(self, line: ir.Adjust | ir.AdjustGlobal, here: Here, text: str) -> None:
        words = ("gains", "loses") if line.sign == 1 else ("loses", "gains")
        pair = next(
            (each for each in (words, (words[0][:-1], words[1][:-1])) if each[0] in text.split()),
            None,
        )
        if pair is not None:
            turned = attrs.evolve(line, sign=-line.sign)
            self._add(here, line, turned, line.span, ("gains and loses", pair[0], pair[1]), line)

    def _if(self, line: ir.If, here: Here) -> None:
        known = self._usual.known(line.cond)
        idle = all(map(self._usual.idle, (*line.then, *line.orelse)))
        self._condition(line.cond, here.behind(known=not idle))
        then, orelse = (
            here.knowing(self._sure.when(here.facts, line.cond, true=each))
            for each in (True, False)
        )
        self._block(line.then, then.behind(known))
        self._block(line.orelse, orelse.behind(None if known is None else not known))

    def _match(self, line: ir.Match, here: Here) -> None:
        for key in line.keys:
            self._expr(key, here)
        for number, (fits, block) in enumerate(line.rows):
            self._block(block, here)
            if number + 1 < len(line.rows) and block and line.rows[number + 1][1]:
                other = line.rows[number + 1]
                one, two = (
                    _head(text_at(self._program, each[0].span)) for each in (block, other[1])
                )
                if one and two and block != other[1]:
                    rows = (
                        *line.rows[:number],
                        (fits, other[1]),
                        (other[0], block),
                        *line.rows[number + 2 :],
                    )
                    change = ("table", f"{one}, {two}", f"{two}, {one}")
                    changed = attrs.evolve(line, rows=rows)
                    self._add(here, line, changed, block[0].span, change, line)

    def _ask(self, ask: ir.Ask, here: Here) -> None:
        for part in (ask.chooser, ask.options, ask.at_least, ask.at_most):
            if part is not None:
                self._expr(part, here)
        if ask.whole is not None:
            self._condition(ask.whole, here)
            text = text_at(self._program, ask.whole.span)
            if text and not isinstance(ask.whole, ir.And):
                free = attrs.evolve(ask, whole=None)
                self._add(
                    here, ask, free, ask.whole.span, ("condition", f"when {text}", ""), ask.whole
                )
        for number, each in enumerate(ask.alternatives):
            if each.cond is not None:
                self._condition(each.cond, here)
                text = text_at(self._program, each.cond.span)
                if text and not isinstance(each.cond, ir.And):
                    open_ = attrs.evolve(each, cond=None)
                    alternatives = (
                        *ask.alternatives[:number],
                        open_,
                        *ask.alternatives[number + 1 :],
                    )
                    changed = attrs.evolve(ask, alternatives=alternatives)
                    change = ("condition", f"when {text}", "")
                    self._add(here, ask, changed, each.cond.span, change, each.cond)
            if self._policies and each.automa is not None:
                self._condition(each.automa, here)
        for instance in ask.instances:
            self._reach("doing", instance.doing, usual=here.usual)
            self._reach("definition", instance.permission, usual=here.usual)
            for source in instance.sources:
                self._expr(source, here)
            if self._policies and instance.utility is not None:
                self._expr(instance.utility, here)
        if self._policies:
            if ask.yes_when is not None:
                self._condition(ask.yes_when, here)
            for child in children(ask.policy) if ask.policy is not None else ():
                self._child(child, here)
        if ask.otherwise is not None and not self._sure.has_answer(ask, here.facts):
            self._block(ask.otherwise, here)

    # ------------------------------------------------------------------------------------ expressions

    def _condition(self, expr: ir.Expr, here: Here) -> None:
        """Something that is asked for yes or no."""
        for change in opposite(self._program, expr):
            self._change(expr, change, here)
        self._expr(expr, here)

    def _expr(self, expr: ir.Expr, here: Here) -> None:
        if not self._lone(expr, here):
            for change in changes(self._program, expr):
                self._change(expr, change, here)
        match expr:
            case ir.And() | ir.Or():
                ended: bool = isinstance(expr, ir.Or)
                ending = [part for part in expr.parts if self._usual.known(part) is ended]
                for part in expr.parts:
                    # What one of the others settles, this one cannot change.
                    settled = any(each is not part for each in ending)
                    self._condition(part, here.behind(known=not settled))
            case ir.Not():
                self._expr(expr.value, here)
            case ir.Where() | ir.AnyWhere():
                self._expr(expr.source, here)
                if expr.cond is not None:
                    self._condition(expr.cond, here)
                    self._dropped_where(expr, expr.cond, here)
            case ir.Case():
                for cond, value in expr.arms:
                    self._condition(cond, here)
                    known = self._usual.known(cond)
                    self._expr(value, here.behind(known))
                    here = here.behind(known is not True)
                self._expr(expr.otherwise, here)
            case ir.Exceptional():
                self._expr(expr.general, here)
                for clause in expr.clauses:
                    self._clause(clause, here.citing(clause.cites))
            case ir.CallDef() | ir.MapOp():
                self._reach("definition", expr.definition, usual=here.usual)
                self._below(expr, here)
            case _:
                self._below(expr, here)

    def _lone(self, expr: ir.Expr, here: Here) -> bool:
        """Is it about the ends or the order of one thing at most?"""
        match expr:
            case ir.One(op="first" | "last") | ir.Best() | ir.Sorted():
                return self._sure.one_at_most(expr.source, here.facts)
            case _:
                return False

    def _dropped_where(self, expr: ir.Where | ir.AnyWhere, cond: ir.Expr, here: Here) -> None:
        text = text_at(self._program, cond.span)
        if text and not isinstance(cond, ir.And):
            new = expr.source if isinstance(expr, ir.Where) else attrs.evolve(expr, cond=None)
            self._change(expr, Change(new, "condition", f"where {text}", span=cond.span), here)

    def _clause(self, clause: ir.Clause, here: Here) -> None:
        for _, value in clause.lets:
            self._expr(value, here)
        if clause.cond is not None:
            self._condition(clause.cond, here)
        self._expr(clause.value, here.behind(self._usual.known(clause.cond)))

    def _below(self, node: object, here: Here) -> None:
        for child in children(node):
            if isinstance(node, ir.Expr) and isinstance(child, ir.Const):
                self._constant(node, child, here)
            else:
                self._child(child, here)

    def _constant(self, around: ir.Expr, const: ir.Const, here: Here) -> None:
        """A constant makes a difference only where it makes one to what it stands in."""
        for change in changes(self._program, const):

            def put(node: object, new: ir.Expr = change.new) -> object:
                return new if node is const else node

            what = (change.operator, change.before, change.after)
            probe = cast("ir.Expr", rebuild(around, put))
            there = here.behind(self._may_differ(around, probe))
            self._add(there, const, change.new, const.span, what, around, probe=probe)

    def _may_differ(self, old: ir.Expr, new: ir.Expr) -> bool:
        """Can two expressions have different values with the defaults of all options?"""
        value = self._usual.value(old)
        return value is UNKNOWN or self._usual.value(new) != value

    def _child(self, child: object, here: Here) -> None:
        if isinstance(child, ir.Expr):
            self._expr(child, here)
        elif not isinstance(child, ir.Prompt | ir.Policy):
            self._below(child, here)

    def _change(self, old: ir.Expr, change: Change, here: Here) -> None:
        usual = here
        if isinstance(old, ir.Exceptional):
            for clause in old.clauses:
                if clause.span == change.span:
                    usual = here.citing(clause.cites).behind(self._usual.known(clause.cond))
        elif isinstance(old, ir.And | ir.Or) and change.span != ir.NOWHERE:
            # A part that says nothing with these options can be left out.
            says_nothing = isinstance(old, ir.And)
            parts = [part for part in old.parts if part.span == change.span]
            told = any(self._usual.known(part) is not says_nothing for part in parts)
            usual = here.behind(told)
        usual = usual.behind(self._may_differ(old, change.new))
        what = (change.operator, change.before, change.after)
        span = change.span if change.span != ir.NOWHERE else old.span
        self._add(usual, old, change.new, span, what, old, probe=change.new)

    # ------------------------------------------------------------------------------------ writing down

    def _add(
        self,
        here: Here,
        old: object,
        new: object,
        span: ir.Span,
        what: tuple[str, str, str],
        marker: object,
        *,
        probe: ir.Expr | None = None,
    ) -> None:
        path = "" if span == ir.NOWHERE else file_of(self._program, span)
        if not path or path.startswith(SCENARIOS):
            return
        place = (
            path,
            span.line,
            span.column,
            span.end_line,
            span.end_column,
        )
        mutant = Mutant(place, *what, here.owner, here.cites)
        edit = Edit(here.unit, old, new, marker, probe)
        self.found.append(Found(mutant, edit, here.usual))

    def _also(self, old: object, new: object) -> None:
        """A second node that the last change replaces."""
        last = self.found[-1]
        edit = attrs.evolve(last.edit, old=old, new=new)
        self.found.append(attrs.evolve(last, edit=edit))


def _beginnings(value: object) -> Iterator[tuple[str, object]]:
    """How a value is written, with each other value to begin with."""
    if isinstance(value, bool):
        yield ("yes" if value else "no"), not value
    elif isinstance(value, int):
        for new in dict.fromkeys((value + 1, value - 1, 0)):
            if new != value and new >= 0:
                yield str(value), new


def _head(text: str) -> str:
    """The first line of a construct, for messages."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


_LONGEST = 80
