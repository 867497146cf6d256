"""Numbers that are written where an option is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from rulelang import ir, nodes
from rulelang.diagnostics import Applicability, Edit, Fix
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject
    from rulelang.source import Span

_TELLING: Final = 2  # 0 and 1 stand everywhere

_Use: TypeAlias = tuple[object, ...]
"""What a number is for: compared with a certain field, or how much of it is gained in one declaration."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for option, span, why in (*_cited_alike(subject), *_used_alike(subject)):
        yield finding(
            LINT.name,
            span,
            f"this number repeats the option `{option.name}`",
            label="it stays as it is when the option is changed",
            notes=(why,),
            advice=f"write `{option.name}`",
            fix=Fix(f"write `{option.name}`", (Edit(span, option.name),), Applicability.UNSAFE),
        )


def _numeric(option: ir.Option) -> bool:
    return option.type.shape == "number" and not isinstance(option.default, bool)


# ---------------------------------------------------------------- rules that cite the same


def _cited_alike(subject: Subject) -> Iterator[tuple[ir.Option, Span, str]]:
    """Give numbers with the value of an option, in rules that cite the same place of the rulebook."""
    numbers = {
        cite: option
        for option in subject.tables.options
        if _numeric(option)
        for cite in option.cites
    }
    for item, _ in subject.tables.items if numbers else ():
        if isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl):
            continue
        if not subject.counts_in(item.span.file):
            continue
        if numbers.keys().isdisjoint(nodes.cited_in(item)):
            continue
        for node in nodes.walk(item):
            if not isinstance(node, nodes.Cited) or not node.citations:
                continue
            options = {
                numbers[each.id].index: (numbers[each.id], each.id)
                for each in node.citations
                if each.id in numbers
            }
            if not options:
                continue
            counted = _first_numbers(node)
            for part in nodes.walk(node):
                if isinstance(part, nodes.Number) and part not in counted:
                    for option, cite in options.values():
                        if part.value == option.default:
                            yield option, part.span, f"Both cite [{cite}]."


def _first_numbers(node: nodes.Node) -> list[nodes.Expr]:
    """Give the lower ends of ranges: where something is counted from is no figure of the rulebook."""
    return [part.low for part in nodes.walk(node) if isinstance(part, nodes.RangeExpr)]


# ---------------------------------------------------------------- numbers that are used alike


def _used_alike(subject: Subject) -> Iterator[tuple[ir.Option, Span, str]]:
    """Give numbers with the value of an option that are for the same as the option elsewhere."""
    options = {each.index: each for each in subject.tables.options if _is_telling(each)}
    values = {each.default for each in options.values()}
    if all(
        values.isdisjoint(_written_in(item))
        for item, _ in subject.tables.items
        if subject.counts_in(item.span.file)
    ):
        return
    read: dict[_Use, set[int]] = {}
    written: list[tuple[_Use, ir.Const, str]] = []
    for use, value, why in _uses(subject):
        if isinstance(value, ir.OptionGet) and value.option in options:
            read.setdefault(use, set()).add(value.option)
        elif (
            isinstance(value, ir.Const)
            and value.span != ir.NOWHERE
            and value.value in values
            and subject.counts(value.span)
        ):
            written.append((use, value, why))
    for use, value, why in written:
        for number in sorted(read.get(use, ())):
            option = options[number]
            span = subject.place(value.span)
            same = value.value == option.default and span.text == str(value.value)
            if same and not _is_its_own(subject, span, option):
                yield option, span, f"{why} with `{option.name}` too."


@nodes.remembered
def _written_in(item: nodes.Node) -> frozenset[int]:
    """Give the numbers that stand in a declaration."""
    return frozenset(part.value for part in nodes.parts(item) if isinstance(part, nodes.Number))


def _is_telling(option: ir.Option) -> bool:
    return _numeric(option) and isinstance(option.default, int) and option.default >= _TELLING


def _uses(subject: Subject) -> Iterator[tuple[_Use, ir.Expr, str]]:
    """Give numbers with what they are for."""
    graph = subject.graph
    for doing in graph.doings:
        for stmt in graph.statements[doing.index]:
            if isinstance(stmt, ir.Adjust):
                yield ("amount", doing.index, stmt.fields), stmt.amount, "It is gained or lost here"
            yield from _compared(graph.within(stmt))
        for hook in (*doing.before, *doing.instead, *doing.after):
            yield from _compared(graph.within(hook))
    for definition in graph.definitions:
        for cond in (*(need.cond for need in reversed(definition.needs)), definition.body):
            yield from _compared(graph.within(cond))
    for rule in graph.state_rules:
        yield from _compared(graph.within(rule.cond))


def _compared(found: Iterable[ir.Expr]) -> Iterator[tuple[_Use, ir.Expr, str]]:
    for each in found:
        if isinstance(each, ir.Compare):
            for one, two in ((each.left, each.right), (each.right, each.left)):
                place = _compared_with(one)
                if place is not None:
                    yield ("compared", *place), two, "The same is compared"


def _compared_with(value: ir.Expr) -> _Use | None:
    match value:
        case ir.FieldGet(fields=fields):
            return "field", fields
        case ir.CallDef(definition=number):
            return "definition", number
        case ir.GlobalGet(index=index):
            return "value", index
        case _:
            return None


def _is_its_own(subject: Subject, span: Span, option: ir.Option) -> bool:
    """Tell whether a number stands in an example, or in a rule of the book that is another one than the option's."""
    around = [
        part
        for item, _ in subject.tables.items
        if _holds(item.span, span)
        for part in nodes.parts(item)
        if _holds(part.span, span)
    ]
    cited = {
        citation.id
        for part in around
        if isinstance(part, nodes.Cited)
        for citation in part.citations
    }
    foreign = bool(cited) and bool(option.cites) and cited.isdisjoint(option.cites)
    return not around or foreign


def _holds(one: Span, two: Span) -> bool:
    return one.file is two.file and one.start <= two.start < one.end


LINT: Final = Lint("repeated-literal", _find)
