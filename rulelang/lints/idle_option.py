"""Options that change nothing, and words of an option that mean the same."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from rulelang import nodes
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject
    from rulelang.source import Span

_TELLING: Final = 2  # 0 and 1 stand everywhere
_FEW: Final = 3
_MOST_VALUES: Final = 1_000
_IN_TEXT: Final = re.compile(r"\{(\w+)\}")
_COMPARING: Final = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

Value = int | str


class _Test(NamedTuple):
    """A comparison of an option with constants: `is`, `in`, `<` and so on."""

    op: str
    values: tuple[Value, ...]

    def holds(self, value: Value) -> bool:
        """Tell what it says of a value of the option."""
        if self.op == "in":
            return value in self.values
        (other,) = self.values
        return (
            isinstance(value, int) and isinstance(other, int) and _COMPARING[self.op](value, other)
        )


def _find(subject: Subject) -> Iterator[Diagnostic]:
    ctx = subject.graph.ctx
    read: dict[str, set[_Test | None]] = {}
    for item, _ in subject.tables.items:
        if not isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl):
            for name, tests in _read_in(item).items():
                read.setdefault(name, set()).update(tests)
    game = subject.tables.game
    items = [*([game] if game is not None else []), *(item for item, _ in subject.tables.items)]
    settings = frozenset().union(*map(_settings, items))
    for option in subject.tables.options:
        symbol = ctx.symbol(option.name)
        if symbol is None or option.name in settings or option.name == subject.tables.seats_option:
            continue
        if option.index not in ctx.used_options:
            yield _idle(option, symbol.span, "no rule reads it", _meant(subject, option))
        else:
            yield from _alike(subject, option, symbol.span, read.get(option.name, {None}))


def _idle(option: ir.Option, span: Span, label: str, advice: str | None = None) -> Diagnostic:
    headline = f"the option `{option.name}` changes nothing"
    return finding(LINT.name, span, headline, label=label, advice=advice)


def _alike(
    subject: Subject, option: ir.Option, span: Span, tests: set[_Test | None]
) -> Iterator[Diagnostic]:
    """Report values that no test tells apart; nothing if one reads the option in another way."""
    values = _values(subject, option)
    known = [test for test in tests if test is not None and values and _is_settled(test, values)]
    if len(known) < max(len(tests), 1):
        return
    groups: dict[tuple[bool, ...], list[Value]] = {}
    for value in values:
        groups.setdefault(tuple(test.holds(value) for test in known), []).append(value)
    if len(groups) == 1:
        yield _idle(option, span, "what rules ask about it is the same for all its values")
        return
    places = _word_places(subject, option) if len(groups) < len(values) else {}
    for first, *others in groups.values():
        for other in others if isinstance(first, str) else ():
            yield finding(
                LINT.name,
                places.get(other, span),
                f"`{other}` of the option `{option.name}` changes nothing",
                label=f"no rule tells it from `{first}`",
                advice="take it out, or write the rule that it is for",
            )


def _is_settled(test: _Test, values: list[Value]) -> bool:
    """Tell whether an option is compared with constants of its type, and not with another name."""
    if isinstance(values[0], str):
        return all(value in values for value in test.values)
    return all(isinstance(value, int) for value in test.values)


def _values(subject: Subject, option: ir.Option) -> list[Value]:
    kind = option.type
    if kind.optional:
        return []
    if kind.shape == "word":
        return list(subject.tables.enums[kind.enum].words)
    if kind.shape == "number" and kind.lo is not None and kind.hi is not None:
        return list(range(kind.lo, min(kind.hi, kind.lo + _MOST_VALUES) + 1))
    return []


def _word_places(subject: Subject, option: ir.Option) -> dict[Value, Span]:
    return {
        member.name.text: member.span
        for item, _ in subject.tables.items
        if isinstance(item, nodes.OptionDecl) and item.name.text == option.name
        for member in (item.type.members if isinstance(item.type, nodes.UnionType) else ())
        if isinstance(member, nodes.NamedType)
    }


# ---------------------------------------------------------------- what rules ask about names


@nodes.remembered
def _settings(item: nodes.Node) -> frozenset[str]:
    """Give the names in the settings of a game: how many can play may depend on an option."""
    if not isinstance(item, nodes.GameDecl | nodes.ChangeGameDecl):
        return frozenset()
    return frozenset(part.ident.text for part in nodes.parts(item) if isinstance(part, nodes.Name))


@nodes.remembered
def _read_in(item: nodes.Node) -> dict[str, frozenset[_Test | None]]:
    """Give how each name is read in a declaration: by tests, None for any other way."""
    found: dict[str, set[_Test | None]] = {}
    tested: set[int] = set()
    for part in nodes.parts(item):
        pairs: tuple[tuple[nodes.Expr, nodes.Expr, str], ...]
        match part:
            case nodes.Is(left=left, right=right) | nodes.IsNot(left=left, right=right):
                pairs = ((left, right, "in"), (right, left, "in"))
            case nodes.InTest(left=left, right=right):
                pairs = ((left, right, "in"),)
            case nodes.Compare(op=op, left=left, right=right):
                pairs = ((left, right, op), (right, left, _TURNED[op]))
            case nodes.Text(value=text):
                for name in _IN_TEXT.findall(text):
                    found.setdefault(name, set()).add(None)
                continue
            case nodes.Name(ident=ident) if id(part) not in tested:
                found.setdefault(ident.text, set()).add(None)
                continue
            case _:
                continue
        for asked, against, sign in pairs:
            constants = _constants(against)
            if isinstance(asked, nodes.Name) and constants is not None:
                tested.add(id(asked))
                found.setdefault(asked.ident.text, set()).add(_Test(sign, constants))
    return {name: frozenset(tests) for name, tests in found.items()}


def _constants(expr: nodes.Expr) -> tuple[Value, ...] | None:
    """Give what is compared with, if it may be a word, a number, or a set or range of such; None if not."""
    match expr:
        case nodes.Number(value=value):
            return (value,)
        case nodes.Name(ident=ident):
            return (ident.text,)
        case nodes.Prop(owner=nodes.KindName(), name=name):
            return (name.text,)
        case nodes.Group(elements=(element,)):
            return _constants(element)
        case nodes.SetLiteral(elements=elements) | nodes.Group(elements=elements):
            parts = [_constants(element) for element in elements]
            return None if None in parts else tuple(each for part in parts for each in part or ())
        case nodes.RangeExpr(low=nodes.Number(value=low), high=nodes.Number(value=high)):
            return tuple(range(low, high + 1)) if high - low <= _MOST_VALUES else None
        case _:
            return None


def _meant(subject: Subject, option: ir.Option) -> str | None:
    """Point at the few numbers of rules that are equal to the default of an option that no rule reads."""
    numeric = option.type.shape == "number" and not isinstance(option.default, bool)
    if not (numeric and isinstance(option.default, int) and option.default >= _TELLING):
        return None
    places = [
        f"line {part.span.line}"
        if part.span.file.path == subject.tables.files[option.span.file].path
        else f"{part.span.file.path}:{part.span.line}"
        for item, _ in subject.tables.items
        if not isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl)
        for part in nodes.walk(item)
        if isinstance(part, nodes.Number) and part.value == option.default
    ]
    if not 0 < len(places) <= _FEW:
        return None
    return f"is it meant where {option.default} stands, in {' and '.join(places)}?"


LINT: Final = Lint("idle-option", _find, everywhere=True)
