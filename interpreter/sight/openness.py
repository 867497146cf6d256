"""Which names of running rules everybody may know: those made of nothing but what everybody sees.

A name that a rule binds before it asks may hold what the one who is asked must not see. Nothing at run time says where
a value came from, so this is found out from the rules, and errs on the side of silence.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from interpreter.compiling.analysis import children
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

_Name: TypeAlias = "tuple[str, int, str]"
"""A local of a doing, the result of one, or a kept value."""


class Openness:
    """Says which names of a program are open.

    Args:
        program: The program.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._faces = frozenset(
            field.kind
            for field in program.fields
            if field.name == "face_up" and field.type.shape == "flag"
        )
        self._concealable = self._faces.union(
            *(
                (each.type.elem or each.type).kinds
                for each in program.fields
                if _is_hidden_pile(each)
            )
        )
        self._closed: set[_Name] = set()
        self._own: dict[_Name, ir.Expr] = {}
        self._definitions: dict[int, bool] = {}
        before = (-1, -1)
        while before != (len(self._closed), len(self._own)):
            before = (len(self._closed), len(self._own))
            self._definitions.clear()
            for doing in program.doings:
                self._doing(doing)
            for rule in program.state_rules:
                for arg, param in zip(rule.args, program.doings[rule.doing].params, strict=False):
                    closed = any(self._reads(e, -1) for _, e in (*rule.vars, *rule.lets))
                    self._bind((_LOCAL, rule.doing, param.name), closed or self._reads(arg, -1))

    def local(self, doing: int, name: str, chooser: ir.Expr) -> bool:
        """May the one who is asked know the value of a name?

        Args:
            doing: The doing that asks.
            name: Of a local.
            chooser: Who is asked, as the question says it: an answer that the same one gave before is known.
        """
        itself = isinstance(chooser, ir.Local) and chooser.name == name
        return itself or self._known((_LOCAL, doing, name), chooser)

    def kept(self, index: int, chooser: ir.Expr | None) -> bool:
        """May the one who is asked know a value that is kept between lines?"""
        itself = isinstance(chooser, ir.GlobalGet) and chooser.index == index
        return itself or self._known((_KEPT, index, ""), chooser)

    def _known(self, name: _Name, chooser: ir.Expr | None) -> bool:
        return name not in self._closed or (chooser is not None and self._own.get(name) == chooser)

    def _bind(self, name: _Name, closed: bool) -> None:
        if closed:
            self._close(name, None)

    # ------------------------------------------------------------------------------------ lines

    def _doing(self, doing: ir.Doing) -> None:
        self._block(doing.body, doing.index, closed=False)
        for index, param in zip(doing.param_globals, doing.params, strict=False):
            self._bind((_KEPT, index, ""), (_LOCAL, doing.index, param.name) in self._closed)
        for hook in chain(doing.before, doing.instead, doing.after):
            for name, value in hook.lets:
                self._bind((_LOCAL, doing.index, name), self._reads(value, doing.index))
            target = self._program.doings[hook.doing]
            for arg, param in zip(hook.args, target.params, strict=False):
                self._bind((_LOCAL, hook.doing, param.name), self._reads(arg, doing.index))
            for name in hook.writes:
                given = (_RESULT, hook.doing, "") in self._closed
                self._bind((_LOCAL, doing.index, name), given)

    def _block(self, block: Iterable[ir.Stmt], doing: int, *, closed: bool) -> None:
        for line in block:
            self._line(line, doing, closed)

    def _line(self, line: ir.Stmt, doing: int, closed: bool) -> None:
        match line:
            case ir.Let(name=name, value=value):
                self._store((_LOCAL, doing, name), value, doing, closed)
            case ir.SetGlobal(index=index, value=value):
                self._store((_KEPT, index, ""), value, doing, closed)
            case ir.AdjustGlobal(index=index, amount=amount, result=result):
                closed = closed or self._reads(amount, doing)
                self._bind((_KEPT, index, ""), closed)
                self._bind((_LOCAL, doing, result or ""), closed)
            case ir.Adjust(result=result):
                fields = (*line.fields, *line.other_fields)
                hidden = any(self._program.fields[each].sight != "open" for each in fields)
                self._bind(
                    (_LOCAL, doing, result or ""),
                    closed or hidden or self._reads(line.amount, doing),
                )
            case ir.Pick(name=name, source=source):
                self._bind((_LOCAL, doing, name), closed or self._reads(source, doing))
            case ir.Shuffle(name=str(name)):
                self._bind((_LOCAL, doing, name), True)
            case ir.Call(doing=called, args=args, result=result):
                # That it is called at all is told to everybody.
                for arg, param in zip(args, self._program.doings[called].params, strict=False):
                    self._bind((_LOCAL, called, param.name), self._reads(arg, doing))
                self._bind((_LOCAL, doing, result or ""), (_RESULT, called, "") in self._closed)
            case ir.End(doing=left, value=value):
                self._bind((_RESULT, left, ""), closed or self._reads(value, doing))
            case ir.If(cond=cond, then=then, orelse=orelse):
                closed = closed or self._reads(cond, doing)
                self._block((*then, *orelse), doing, closed=closed)
            case ir.Match(keys=keys, rows=rows):
                closed = closed or self._reads(keys, doing)
                for _, row in rows:
                    self._block(row, doing, closed=closed)
            case ir.Each(name=name, source=source, body=body):
                closed = closed or self._reads(source, doing)
                self._bind((_LOCAL, doing, name), closed)
                self._block(body, doing, closed=closed)
            case ir.While(cond=cond, body=body):
                self._block(body, doing, closed=closed or self._reads(cond, doing))
            case ir.Ask():
                self._ask(line, doing, closed)
            case _:
                pass

    def _store(self, name: _Name, value: ir.Expr, doing: int, closed: bool) -> None:
        if not closed and not self._reads(value, doing):
            return
        source: _Name | None = None
        if isinstance(value, ir.Local):
            source = (_LOCAL, doing, value.name)
        elif isinstance(value, ir.GlobalGet):
            source = (_KEPT, value.index, "")
        owner = self._own.get(source) if source is not None and not closed else None
        self._close(name, owner)

    def _ask(self, ask: ir.Ask, doing: int, closed: bool) -> None:
        """Take an answer: it is told to everybody, but for one that is given in secret."""
        secret = self._program.decisions[ask.decision].secret
        name = (_LOCAL, doing, ask.name)
        if secret:
            self._close(name, ask.chooser)
        for instance in ask.instances:
            for param in self._program.doings[instance.doing].params[1:]:
                self._bind((_LOCAL, instance.doing, param.name), secret)
        if ask.otherwise is not None:
            self._block(ask.otherwise, doing, closed=closed)

    def _close(self, name: _Name, owner: ir.Expr | None) -> None:
        """Close a name, but for the one whose own answer it is, if every line says the same one."""
        if name not in self._closed:
            self._closed.add(name)
            if owner is not None:
                self._own[name] = owner
        elif owner is None or self._own.get(name, owner) != owner:
            self._own.pop(name, None)

    # ------------------------------------------------------------------------------ expressions

    def _reads(self, node: object, doing: int, chooser: ir.Expr | None = None) -> bool:
        """Does an expression read what not everybody sees (and, if there is one, not the chooser either)?"""
        if isinstance(node, tuple):
            return any(self._reads(each, doing, chooser) for each in node)
        program = self._program
        below = True
        match node:
            case None:
                return False
            case ir.Local(name=name):
                return not self._known((_LOCAL, doing, name), chooser)
            case ir.GlobalGet(index=index):
                return not self._known((_KEPT, index, ""), chooser)
            case ir.Count(source=ir.FieldGet(obj=obj, fields=fields)) if all(
                program.fields[each].pile for each in fields
            ):
                return self._reads(obj, doing, chooser)
            case ir.FieldGet(fields=fields, obj=obj):
                own = chooser is not None and obj == chooser
                below = not any(self._is_closed_field(program.fields[each], own) for each in fields)
            case ir.InBox(source=source) | ir.PlacedAt(source=source):
                of = source.type.elem
                below = of is None or self._concealable.isdisjoint(of.kinds)
            case ir.CallDef(definition=number):
                below = not self._definition(number)
            case ir.HolderOf():
                below = all(each.sight == "open" for each in program.fields if each.acts)
            case _:
                pass
        return not below or any(self._reads(each, doing, chooser) for each in children(node))

    def _is_closed_field(self, field: ir.Field, own: bool) -> bool:
        if field.sight != "open" and not (own and field.sight == "owner"):
            return True
        if not self._faces.isdisjoint((field.type.elem or field.type).kinds):
            return True  # what lies there may lie face down
        return field.mutable and not field.pile and field.kind in self._concealable

    def _definition(self, number: int) -> bool:
        """Does a definition read what not everybody sees?"""
        known = self._definitions.get(number)
        if known is None:
            self._definitions[number] = False  # while it is being found out
            definition = self._program.definitions[number]
            known = self._definitions[number] = self._reads(definition.body, -1)
        return known


_LOCAL, _RESULT, _KEPT = "local", "result", "kept"


def _is_hidden_pile(field: ir.Field) -> bool:
    return field.pile and field.sight != "open"
