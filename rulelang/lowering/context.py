"""What all parts of lowering share: the tables, the findings, and the functions under
construction."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from attrs import Factory, define

from rulelang import ir, nodes, ruletypes
from rulelang.binding.context import BROKEN, Binding
from rulelang.codes import BY_NAME
from rulelang.diagnostics import Applicability, DiagnosticBag, Edit, Fix
from rulelang.suggest import nearest
from rulelang.vocabulary import FOREIGN_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from rulelang.diagnostics import Label
    from rulelang.ir import Type
    from rulelang.lowering.memo import Memo
    from rulelang.lowering.scope import Scope
    from rulelang.source import SourceFile, Span
    from rulelang.symbols import PropertySymbol, Symbol, Tables

BROKEN_VALUE = ir.Const(None, type=BROKEN)

_places: WeakKeyDictionary[SourceFile, dict[int, dict[tuple[int, int], ir.Span]]] = (
    WeakKeyDictionary()
)
"""For each text, by its number among the files, the places in it that were asked for, by start and end: the same for
every set of variants and number of seats."""

OrderKey = tuple[int, int, int, int]
"""Where a rule stands in the published order: base (0), variants (1), cards (2), lasting blocks (3);
then the number of the variant, or the kind of card and so on; then as written."""

IN_VARIANT = 1
"""The first number of an `OrderKey` of a variant's rule."""


@define(eq=False)
class DefinitionBuilder:
    """A definition, permission or value table while its exceptions are still being collected."""

    index: int
    name: str
    node: nodes.DefineDecl | nodes.MayDecl | nodes.TableDecl | None
    params: list[ir.Param] = Factory(list)
    result: Type = BROKEN
    general: ir.Expr = BROKEN_VALUE
    clauses: list[ir.Clause] = Factory(list)
    needs: list[ir.Need] = Factory(list)
    drops: dict[str, list[ir.Expr]] = Factory(dict)
    state: Literal["new", "open", "done"] = "new"
    scope: Scope | None = None
    owner: PropertySymbol | None = None
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""
    used: bool = False


@define(eq=False)
class DoingBuilder:
    """A doing while the rules that wait for it are still being collected."""

    index: int
    name: str
    kind: ir.DoingKind
    node: nodes.Node | None = None
    params: list[ir.Param] = Factory(list)
    result: Type | None = None
    body: ir.Block = ()
    before: list[tuple[OrderKey, ir.Hook]] = Factory(list)
    instead: list[tuple[OrderKey, ir.Hook]] = Factory(list)
    after: list[tuple[OrderKey, ir.Hook]] = Factory(list)
    settles: bool = True
    checks: bool = False
    tracked: bool = False
    during: bool = False
    running: int | None = None
    param_globals: dict[str, int] = Factory(dict)
    keeps: dict[str, int] = Factory(dict)
    shared: dict[str, int] = Factory(dict)
    lends: list[int] = Factory(list)
    resets: list[int] = Factory(list)
    permission: int | None = None
    phase: DoingBuilder | None = None
    steps: dict[str, int] = Factory(dict)
    event: AtomicEvent | None = None
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""
    used: bool = False


@define(frozen=True)
class AtomicEvent:
    """What a gain, loss, move or roll that rules may wait for is about.

    ``form``; ``names``: field names (of a gain or loss); ``transfer``: it has another side;
    ``dest``: of a move.
    """

    form: Literal["gain", "lose", "move", "roll"]
    names: tuple[str, ...] = ()
    transfer: bool = False
    other_names: tuple[str, ...] = ()
    dest: str = ""
    dest_fields: tuple[int, ...] = ()
    enum: int = -1


@define(eq=False)
class Noted:
    """What is noted of a definition or expression while it is lowered: see `rulelang.lowering.memo`.

    ``calls``: the definitions that it calls, by number, in order; ``enums``: the enumerations of which all words
    count, by number; ``options`` and ``during``: the options that it
    reads, and the doings of which it asks whether they run, by number; ``found``: whether there are findings, those
    that are dropped included.
    """

    calls: dict[int, DefinitionBuilder] = Factory(dict)
    enums: dict[int, ir.Enum] = Factory(dict)
    options: set[int] = Factory(set)
    during: set[int] = Factory(set)
    found: bool = False


class Context:
    """The state of one lowering."""

    def __init__(self, tables: Tables, bag: DiagnosticBag) -> None:
        """Start with nothing lowered."""
        self.tables = tables
        self.bag = bag
        self._findings = bag
        self.binding = Binding(tables, bag, _no_files)
        self.file_numbers: dict[SourceFile, int] = {
            file: index for index, file in enumerate(tables.files)
        }
        self.places: dict[SourceFile, dict[tuple[int, int], ir.Span]] = {}
        self.globals: list[ir.Global] = []
        self.definitions: list[DefinitionBuilder] = []
        self.doings: list[DoingBuilder] = []
        self.decisions: list[ir.Decision] = []
        self.blocks: list[ir.LastingBlock] = []
        self.state_rules: list[tuple[OrderKey, ir.StateRule]] = []
        self.always: list[ir.Always] = []
        self.doing_numbers: dict[str, int] = {}
        self.definition_numbers: dict[int, int] = {}  # id of a node -> definition
        self.written_fields: set[int] = set()
        self.temporary_fields: set[int] = set()
        self.temporary_globals: set[int] = set()
        self.used_options: set[int] = set()
        self.paths: dict[str, int] = {}
        self.noted: Noted | None = None
        self.memo: Memo | None = None
        self.types: dict[nodes.Node, Type] | None = None  # filled for tools, see `lower`
        self.card_cites: tuple[str, ...] = ()  # of the card whose rules are lowered now
        self.kind_names = [kind.name for kind in tables.kinds]
        self.enum_names = [enum.name for enum in tables.enums]

    # ------------------------------------------------------------------------------------- findings

    def quietly(self) -> AbstractContextManager[None]:
        """Drop what is found inside: something is lowered a second time."""
        return self._reporting_to(DiagnosticBag())

    def aloud(self) -> AbstractContextManager[None]:
        """Report what is found inside, wherever that is: something is lowered for the first and only time."""
        return self._reporting_to(self._findings)

    @contextmanager
    def _reporting_to(self, bag: DiagnosticBag) -> Iterator[None]:
        before, self.bag = self.bag, bag
        try:
            yield
        finally:
            self.bag = before

    def error(
        self,
        name: str,
        at: nodes.Node | Span,
        headline: str,
        *,
        label: str = "",
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
        advice: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Report an error under the code of this name."""
        span = at.span if isinstance(at, nodes.Node) else at
        self._note_finding()
        self.bag.error(
            BY_NAME[name].code,
            span,
            headline,
            label=label,
            secondary=secondary,
            notes=notes,
            help=advice,
            fix=fix,
        )

    def warning(
        self,
        name: str,
        at: nodes.Node | Span,
        headline: str,
        *,
        label: str = "",
        advice: str | None = None,
    ) -> None:
        """Report a warning under the code of this name."""
        span = at.span if isinstance(at, nodes.Node) else at
        self.bag.warning(BY_NAME[name].code, span, headline, label=label, help=advice)

    def _note_finding(self) -> None:
        if self.noted is not None:
            self.noted.found = True

    def unknown(
        self,
        at: nodes.Ident,
        what: str,
        known: Iterable[str],
        *,
        advice: str | None = None,
        meant: str | None = None,
        nearer: str | None = None,
    ) -> None:
        """Report an unknown name, with what was surely meant, or the nearest known one, or other advice.

        Args:
            at: The name.
            what: What it should be the name of.
            known: Names that there are.
            advice: What to do if none is near.
            meant: What was surely meant, as a help.
            nearer: A name that comes before all others.
        """
        close = (
            nearer or FOREIGN_WORDS.get(at.text) or next(iter(nearest(at.text, list(known))), None)
        )
        fix = None
        if close and not meant and close.isidentifier():
            fix = Fix(f"write `{close}`", (Edit(at.span, close),), Applicability.UNSAFE)
        self.error(
            "unknown-name",
            at,
            f"unknown {what} `{at.text}`",
            label="nothing of this name is known here",
            advice=meant or (f"did you mean `{close}`?" if close else advice),
            fix=fix,
        )

    def say(self, kind: Type) -> str:
        """Write a type for a message."""
        return ruletypes.describe(kind, self.kind_names, self.enum_names)

    # --------------------------------------------------------------------------------------- places

    def span(self, node: nodes.Node | Span) -> ir.Span:
        """Give the place of a node for the IR."""
        span = node.span if isinstance(node, nodes.Node) else node
        file, place = span.file, (span.start, span.end)
        known = self.places.get(file)
        if known is None:
            number = self.file_numbers.get(file, 0)
            known = self.places[file] = _places.setdefault(file, {}).setdefault(number, {})
        found = known.get(place)
        if found is None:
            line, column, end_line, end_column = file.positions(span.start, span.end)
            number = self.file_numbers.get(file, 0)
            found = known[place] = ir.Span(number, line, column - 1, end_line, end_column - 1)
        return found

    def cites(self, node: nodes.Cited | None) -> tuple[str, ...]:
        """Give the ids that a node cites; the rules of a card cite what the card does."""
        own = tuple(citation.id for citation in node.citations) if node is not None else ()
        if isinstance(node, nodes.HookDecl | nodes.StateRuleDecl | nodes.ClauseDecl):
            return (*own, *self.card_cites)
        return own

    # --------------------------------------------------------------------------------------- making

    def new_global(self, name: str, kind: Type, **more: object) -> int:
        """Make a global and give its number."""
        self.globals.append(ir.Global(len(self.globals), name, kind, **more))  # type: ignore[arg-type]
        return len(self.globals) - 1

    def running_counter(self, builder: DoingBuilder) -> int:
        """Give the global that counts how often a doing runs now, making it if there is none yet."""
        if builder.running is None:
            builder.running = self.new_global(f"{builder.name}.running", ir.COUNT, initial=0)
        return builder.running

    def new_doing(self, name: str, kind: ir.DoingKind, **more: object) -> DoingBuilder:
        """Start a doing."""
        made = DoingBuilder(len(self.doings), name, kind, **more)  # type: ignore[arg-type]
        self.doings.append(made)
        return made

    def new_definition(
        self, name: str, node: nodes.Node | None, **more: object
    ) -> DefinitionBuilder:
        """Start a definition."""
        made = DefinitionBuilder(len(self.definitions), name, node, **more)  # type: ignore[arg-type]
        self.definitions.append(made)
        if node is not None:
            self.definition_numbers[id(node)] = made.index
        return made

    def new_decision(
        self,
        path: str,
        form: ir.Form,
        kind: Type,
        node: nodes.Node,
        cites: tuple[str, ...],
        *,
        secret: bool = False,
    ) -> int:
        """Make a decision point with a path of its own."""
        number = len(self.decisions)
        self.decisions.append(
            ir.Decision(
                number,
                self.unique_path(path, node),
                form,
                kind,
                secret=secret,
                span=self.span(node),
                cites=cites,
            )
        )
        return number

    def unique_path(self, path: str, node: nodes.Node) -> str:
        """Give a path that no other decision or draw has: a second one of a name gets `_2` and a
        warning."""
        seen = self.paths.get(path, 0) + 1
        self.paths[path] = seen
        if seen == 1:
            return path
        self.warning(
            "repeated-path",
            node,
            f"a second decision or draw of the path `{path}`",
            label=f"it is called `{path}_{seen}` in logs, saves and scripts",
            advice="give it an effect of its own, so that it keeps its name when rules are added",
        )
        return f"{path}_{seen}"

    def symbol(self, name: str) -> Symbol | None:
        """Find a declared name."""
        return self.tables.symbols.get(name)

    def field(self, kind: int, name: str) -> int | None:
        """Find a field of a kind."""
        return self.tables.field_numbers.get((kind, name))

    def fields_named(self, kinds: Sequence[int], name: str) -> tuple[int, ...]:
        """Find the fields of this name of several kinds; empty if one of them has none."""
        found = [self.field(kind, name) for kind in kinds]
        return (
            tuple(number for number in found if number is not None)
            if all(n is not None for n in found)
            else ()
        )

    def note(self, node: nodes.Node, kind: Type) -> None:
        """Note a type, if a tool asked for them."""
        if self.types is not None and kind != BROKEN:
            self.types[node] = kind

    def enum(self, number: int) -> ir.Enum:
        """Give an enumeration of which all words count."""
        found = self.tables.enums[number]
        if self.noted is not None:
            self.noted.enums[number] = found
        return found

    def use_option(self, number: int) -> None:
        """Note that an option is read."""
        self.used_options.add(number)
        if self.noted is not None:
            self.noted.options.add(number)

    def ask_during(self, number: int) -> None:
        """Note that it is asked of a doing whether it runs."""
        self.doings[number].during = True
        if self.noted is not None:
            self.noted.during.add(number)

    def mark_written(self, fields: Iterable[int]) -> None:
        """Note that fields change while a game runs."""
        self.written_fields.update(fields)


def _no_files(path: str) -> bytes:
    raise FileNotFoundError(path)


def all_of(conds: Sequence[ir.Expr]) -> ir.Expr | None:
    """Give a condition that holds when all of these do; None if there are none."""
    if len(conds) < 2:
        return conds[0] if conds else None
    return ir.And(tuple(conds), type=ir.FLAG)


def is_broken(*values: ir.Expr | ir.Type) -> bool:
    """Tell whether one of these has been reported."""
    for value in values:
        kind = value.type if isinstance(value, ir.Expr) else value
        if kind.enum == BROKEN.enum and kind == BROKEN:
            return True
    return False
