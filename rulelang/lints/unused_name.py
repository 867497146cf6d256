"""Names that are given to something and never used: values, kept values, fields, actions.

Definitions, effects, phases and tables that nothing uses are found by the checker, which knows how they are meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.diagnostics import Applicability, Edit, Fix
from rulelang.linting import Lint, finding
from rulelang.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_IN_TEXT: Final = re.compile(r"\{([^{}]*)\}")
_WORD: Final = re.compile(r"[a-z_]\w*")
_KNOWN_FIELDS: Final = frozenset(("place", "name", "text", "owner", "face_up", "x", "y"))
"""Fields that mean something without a rule that names them; x and y are where a map draws a thing."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    items = [item for item, _ in subject.tables.items]
    used = frozenset().union(*map(_used_in, items))
    rolled = frozenset().union(*map(_waited_for, items))
    for item in items:
        yield from _values(item, rolled)
        for part in _declared_in(item):
            match part:
                case nodes.KeepsDecl(name=name) if name.text not in used:
                    yield _unused(name, "no rule reads or changes it")
                case nodes.FieldDecl():
                    yield from _fields(part, used)
                case _:
                    pass
    yield from _actions(subject, items)


@nodes.remembered
def _declared_in(item: nodes.Node) -> tuple[nodes.Node, ...]:
    """Give the parts of a declaration that declare something which may be unused."""
    kinds = (nodes.KeepsDecl, nodes.FieldDecl, nodes.LetStmt, nodes.MayDecl)
    return tuple(part for part in nodes.parts(item) if isinstance(part, kinds))


@nodes.remembered
def _waited_for(item: nodes.Node) -> frozenset[str]:
    """Give the enumerations for whose rolls a declaration waits."""
    rolls = (part for part in nodes.parts(item) if isinstance(part, nodes.RollEvent))
    return frozenset(part.enum.text for part in rolls)


@nodes.remembered
def _used_in(item: nodes.Node) -> frozenset[str]:
    """Give the names that a declaration uses, those that it only declares left out."""
    declared: set[int] = set()
    found: set[str] = set()
    for part in nodes.parts(item):
        match part:
            case nodes.FieldDecl(names=names):
                declared.update(map(id, names))
            case nodes.KeepsDecl(name=name) | nodes.LetStmt(name=name):
                declared.add(id(name))
            case nodes.Ident(text=text) if id(part) not in declared:
                found.add(text)
            case nodes.Text(value=value):
                found.update(_in_text(value))
            case _:
                pass
    return frozenset(found)


def _in_text(text: str) -> Iterator[str]:
    for path in _IN_TEXT.findall(text):
        yield from _WORD.findall(path)


def _unused(name: nodes.Ident, label: str, fix: Fix | None = None) -> Diagnostic:
    headline = f"`{name.text}` is declared and never used"
    advice = fix.title if fix is not None else None
    return finding(LINT.name, name, headline, label=label, advice=advice, fix=fix)


# ---------------------------------------------------------------- values


def _values(item: nodes.Node, rolled: frozenset[str]) -> Iterator[Diagnostic]:
    """Report values that no line below uses; a roll may be there for the rules that wait for it."""
    used = _used_in(item)
    for part in _declared_in(item):
        if isinstance(part, nodes.LetStmt) and part.name.text not in used:
            if isinstance(part.value, nodes.Roll) and part.value.enum.text in rolled:
                continue
            yield _unused(part.name, "no line below uses it", fix=_without_name(part))


def _without_name(line: nodes.LetStmt) -> Fix | None:
    """Do what the line does, and name nothing; an expression alone does nothing."""
    if not isinstance(line.value, nodes.GainStmt | nodes.LoseStmt):
        return None
    name = Span(line.span.file, line.span.start, line.value.span.start)
    return Fix("do it without a name", (Edit(name, ""),), Applicability.SAFE)


# ---------------------------------------------------------------- fields and actions


def _fields(decl: nodes.FieldDecl, used: frozenset[str]) -> Iterator[Diagnostic]:
    if any(flag.name.text == "acts" for flag in decl.flags):
        return
    if isinstance(decl.type, nodes.NamedType) and decl.type.name.text == "Text":
        return  # people read it
    for name in decl.names:
        if name.text not in used and name.text not in _KNOWN_FIELDS:
            yield _unused(name, "no rule names this field")


def _actions(subject: Subject, items: Iterable[nodes.Node]) -> Iterator[Diagnostic]:
    done = frozenset().union(*map(_done_in, (*items, *subject.tables.scenarios)))
    for item in items:
        for part in _declared_in(item):
            if isinstance(part, nodes.MayDecl) and part.then and part.name.text not in done:
                yield _unused(part.name, "nothing offers this action")


@nodes.remembered
def _done_in(item: nodes.Node) -> frozenset[str]:
    """Give the names of what a declaration does or offers."""
    done: set[str] = set()
    for part in nodes.parts(item):
        match part:
            case nodes.TakeActionStmt(actions=actions):
                done.update(each.text for each in actions)
            case nodes.DoStmt(name=name) | nodes.Allowed(name=name) | nodes.Played(name=name):
                done.add(name.text)
            case _:
                pass
    return frozenset(done)


LINT: Final = Lint("unused-declaration", _find, everywhere=True)
