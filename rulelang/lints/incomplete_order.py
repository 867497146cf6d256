"""Orders of tie-breaks that were begun and do not end: what is still tied falls to the order of declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import ir
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_BEGUN: Final = 2
"""Keys of an order that breaks ties; with one key nobody has said what happens to what is tied."""
_TELLING_APART: Final = frozenset(("id", "seat"))
"""Properties that no two things have alike."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    graph = subject.graph
    for doing in graph.doings:
        shuffled = {
            stmt.name for stmt in graph.statements[doing.index] if isinstance(stmt, ir.Shuffle)
        }
        for stmt in graph.statements[doing.index]:
            if isinstance(stmt, ir.Ask) and stmt.policy is not None and stmt.options is not None:
                policy, elem = stmt.policy, stmt.options.type.elem
                if not policy.random and not policy.all and elem is not None:
                    what = "which option an automa takes"
                    span = subject.program.decisions[stmt.decision].span
                    yield from _checked(subject, policy.keys, elem, span, what)
            if isinstance(stmt, ir.Each):
                yield from _sorted(subject, stmt.source, shuffled, "whose turn it is")
            yield from _in(subject, stmt, shuffled)
    for definition in graph.definitions:
        yield from _in(subject, definition.body, set())


def _in(
    subject: Subject, holder: ir.Stmt | ir.Expr, shuffled: set[str | None]
) -> Iterator[Diagnostic]:
    """Look at the orders of which the first or last is taken."""
    for each in subject.graph.within(holder):
        if isinstance(each, ir.One) and each.op in ("first", "last"):
            yield from _sorted(subject, each.source, shuffled, "which of them it is")


def _sorted(
    subject: Subject, source: ir.Expr, shuffled: set[str | None], what: str
) -> Iterator[Diagnostic]:
    if not isinstance(source, ir.Sorted | ir.Best) or source.type.elem is None:
        return
    if isinstance(source.source, ir.Local) and source.source.name in shuffled:
        return  # `then random`
    yield from _checked(subject, source.keys, source.type.elem, source.span, what)


def _checked(
    subject: Subject, keys: tuple[ir.Key, ...], elem: ir.Type, span: ir.Span, what: str
) -> Iterator[Diagnostic]:
    if len(keys) < _BEGUN or span == ir.NOWHERE or not subject.counts(span):
        return
    if _is_complete(subject.program, keys, elem):
        return
    place = subject.place(span)
    examples = subject.tables.scenarios
    if any(
        each.span.file is place.file and each.span.start <= place.start < each.span.end
        for each in examples
    ):
        return
    last = "random" if elem.shape == "thing" else "lowest it"
    yield finding(
        LINT.name,
        place,
        "this order of tie-breaks does not end",
        label=f"where all of it is tied, the order of declarations decides {what}",
        advice=f"end it with what no two have alike, or with `then {last}`",
    )


def _is_complete(program: ir.Program, keys: tuple[ir.Key, ...], elem: ir.Type) -> bool:
    """Tell whether no two that an order is about can be tied in all keys."""
    if any(isinstance(key.body, ir.Local) and key.body.name == key.var for key in keys):
        return True
    if elem.shape != "thing":
        return elem.shape not in ("number", "word")
    kinds = [program.kinds[number] for number in elem.kinds]
    if all(kind.alike and _tells_all(program, keys, kind) for kind in kinds):
        return True  # those that are tied are interchangeable
    if any(_name(program, key) in _TELLING_APART for key in keys):
        return True
    seen = [
        tuple(_fixed(program, key, kind, thing) for key in keys)
        for kind in kinds
        for thing in range(kind.count)
    ]
    return len(set(seen)) == len(seen)


def _tells_all(program: ir.Program, keys: tuple[ir.Key, ...], kind: ir.Kind) -> bool:
    """Tell whether the keys ask for all that things of a kind can differ in, but for their place."""
    asked = {_name(program, key) for key in keys}
    return all(
        field.name in asked or field.name == "place" or not (field.mutable or _differs(field))
        for field in program.fields
        if program.kinds[field.kind] is kind
    )


def _differs(field: ir.Field) -> bool:
    return any(value != field.values[0] for value in field.values)


def _name(program: ir.Program, key: ir.Key) -> str:
    match key.body:
        case ir.FieldGet(obj=ir.Local(), fields=fields):
            return program.fields[fields[0]].name
        case ir.CallDef(definition=number, args=(ir.Local(),)):
            return program.definitions[number].name.rsplit(".", 1)[-1]
        case _:
            return ""


def _fixed(program: ir.Program, key: ir.Key, kind: ir.Kind, thing: int) -> object:
    """Give the value of a key for one thing of a kind, if the data say it and nothing changes it."""
    match key.body:
        case ir.FieldGet(obj=ir.Local(name=name), fields=fields, key=None) if name == key.var:
            for number in fields:
                field = program.fields[number]
                if program.kinds[field.kind] is kind and not field.mutable and not field.pile:
                    return field.values[thing]
        case _:
            pass
    return None


LINT: Final = Lint("incomplete-order", _find)
