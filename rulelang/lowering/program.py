"""From tables to a finished Program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, fields

from rulelang import ir, lints, nodes
from rulelang.checker import RIVALS, check
from rulelang.linting import Subject
from rulelang.lowering.context import (
    IN_VARIANT,
    Context,
    DefinitionBuilder,
    DoingBuilder,
    OrderKey,
    all_of,
)
from rulelang.lowering.memo import Recall
from rulelang.lowering.scenarios import Scenarios
from rulelang.lowering.scope import Function, Scope
from rulelang.variants.precedence import ranked_clauses, wins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.checker.graph import Graph
    from rulelang.diagnostics import DiagnosticBag
    from rulelang.lowering.memo import Memo
    from rulelang.symbols import Tables


class Lowering(Scenarios):
    """One lowering of one ruleset for one number of seats."""

    def __init__(self, tables: Tables, bag: DiagnosticBag, memo: Memo | None = None) -> None:
        """Start with nothing lowered."""
        self.ctx = Context(tables, bag)
        self.ctx.memo = memo
        self.recall = None
        self.hooks = []
        self.atomics = {}
        self.card_keeps = []
        self.starts_afresh = []
        self.unsourced = []
        self.rule_drops = {}
        self.rule_names = {}
        self.graph: Graph | None = None

    def run(self, *, scenarios: bool) -> ir.Program | None:
        """Lower everything; None if there was an error."""
        ctx = self.ctx
        self.find_patterns()
        self.declare()
        if ctx.memo is not None:
            self.recall = Recall(ctx, ctx.memo, self.ready)
        for builder in list(ctx.definitions):
            if builder.node is not None:
                self.ready(builder.node)
        self.lower_doings()
        self.lower_rules()
        self._resets()
        examples = self.lower_scenarios() if scenarios else ()
        self.attach_hooks()
        self.drop_state_rules()
        self.check_presets()
        if ctx.bag.has_errors:
            return None
        definitions = tuple(self._definition(builder) for builder in ctx.definitions)
        doings = tuple(self._doing(builder) for builder in ctx.doings)
        tables = ctx.tables
        rules = [rule for _, rule in sorted(ctx.state_rules, key=lambda pair: pair[0])]
        reader = _Reader(definitions)
        state_rules = tuple(
            reader.watched(evolve(rule, index=number)) for number, rule in enumerate(rules)
        )
        self.graph = check(ctx, definitions, doings, state_rules)
        return ir.Program(
            name=tables.game.name.text if tables.game is not None else "",
            title=tables.game.title.value if tables.game is not None else "",
            version=tables.version,
            digest=tables.digest,
            seats=tables.seats,
            players=tables.players,
            files=tuple(file.path for file in tables.files),
            enums=tuple(tables.enums),
            kinds=tuple(tables.kinds),
            fields=tuple(self._field(field) for field in tables.fields),
            globals=tuple(
                evolve(made, temporary=made.index in ctx.temporary_globals)
                if made.index in ctx.temporary_globals
                else made
                for made in ctx.globals
            ),
            options=tuple(tables.options),
            definitions=definitions,
            doings=doings,
            decisions=self._explained(),
            blocks=tuple(ctx.blocks),
            state_rules=state_rules,
            always=tuple(ctx.always),
            scenarios=examples,
            citations=tuple(tables.citations.values()),
            automa_field=tables.field_numbers[0, "automa"],
            card_keeps=tuple(self.card_keeps),
            sources=tuple(file.text for file in tables.files),
            variants=tuple(tables.chosen),
            seats_option=next(
                (each.index for each in tables.options if each.name == tables.seats_option), -1
            ),
        )

    def _explained(self) -> tuple[ir.Decision, ...]:
        """Give the decisions, each with the comment on its step or doing."""
        docs = {self.doing_path(builder): builder.doc for builder in self.ctx.doings if builder.doc}
        found = []
        for decision in self.ctx.decisions:
            parts = decision.path.split(".")
            places = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
            doc = next((docs[place] for place in places if place in docs), "")
            found.append(evolve(decision, doc=doc) if doc else decision)
        return tuple(found)

    def _resets(self) -> None:
        for until, made in self.starts_afresh:
            for limit in self.until(until, Scope(Function())):
                self.ctx.doings[limit.doing].resets.append(made)

    def _field(self, field: ir.Field) -> ir.Field:
        written = field.index in self.ctx.written_fields or field.lent_by is not None or field.pile
        written = (
            written
            or field.name == "place"
            or field.index == self.ctx.tables.field_numbers[0, "automa"]
        )
        return evolve(field, mutable=written, temporary=field.index in self.ctx.temporary_fields)

    # ------------------------------------------------------------------------------------ finishing

    def _definition(self, builder: DefinitionBuilder) -> ir.Definition:
        kept = tuple(self._dropping(builder, clause) for clause in builder.clauses)
        clauses = ranked_clauses(self.ctx.tables, kept)
        needs = tuple(evolve(need, cond=self._without(builder, need)) for need in builder.needs)
        general = builder.general
        if isinstance(builder.node, nodes.MayDecl):
            general = all_of([need.cond for need in needs]) or ir.Const(True, type=ir.FLAG)
        body = ir.Exceptional(general, clauses, type=builder.result) if clauses else general
        return ir.Definition(
            builder.index,
            builder.name,
            tuple(builder.params),
            builder.result,
            evolve(body, span=builder.span) if body.span == ir.NOWHERE else body,
            needs,
            span=builder.span,
            cites=builder.cites,
            doc=builder.doc,
        )

    @staticmethod
    def _without(builder: DefinitionBuilder, need: ir.Need) -> ir.Expr:
        drops = builder.drops.get(need.name)
        return ir.Or((*drops, need.cond), type=ir.FLAG, span=need.cond.span) if drops else need.cond

    @staticmethod
    def _dropping(builder: DefinitionBuilder, clause: ir.Clause) -> ir.Clause:
        drops = builder.drops.get(clause.label)
        if not drops:
            return clause
        kept = tuple(ir.Not(drop, type=ir.FLAG) for drop in drops)
        cond = (
            ir.And((*kept, clause.cond), type=ir.FLAG)
            if clause.cond is not None
            else ir.And(kept, type=ir.FLAG)
        )
        return evolve(clause, cond=cond)

    def _keeps_pieces(self, builder: DoingBuilder) -> bool:
        """Does a phase keep things that may be interchangeable? Its values tell them apart while it runs."""
        kinds = self.ctx.tables.kinds
        kept = (*builder.keeps.values(), *builder.shared.values(), *builder.param_globals.values())
        types = [self.ctx.globals[number].type for number in kept if number >= 0]
        return any(
            kinds[kind].alike for of in types for kind in (of.elem.kinds if of.elem else of.kinds)
        )

    def _doing(self, builder: DoingBuilder) -> ir.Doing:
        phase = builder.kind == "phase"
        instead = self._replacements(builder)
        order = None
        several = any(
            two not in hook.yields and one not in instead[two].yields
            for one, hook in enumerate(instead)
            for two in range(one)
        )
        if several:
            order = len(self.ctx.decisions)
            self.ctx.decisions.append(
                ir.Decision(
                    order, f"{self.doing_path(builder)}.order", "order", ir.COUNT, span=builder.span
                )
            )
        return ir.Doing(
            builder.index,
            self.doing_path(builder),
            builder.kind,
            tuple(builder.params),
            builder.result,
            builder.body,
            tuple(hook for _, hook in sorted(builder.before, key=lambda pair: pair[0])),
            instead,
            tuple(hook for _, hook in sorted(builder.after, key=lambda pair: pair[0])),
            concerned=self._concerned(builder),
            order_decision=order,
            settles=builder.settles,
            checks=builder.checks,
            tracked=builder.tracked,
            running=self.ctx.running_counter(builder)
            if builder.during or builder.lends or (phase and self._keeps_pieces(builder))
            else None,
            param_globals=tuple(builder.param_globals.values()) if phase else (),
            keeps=(
                *builder.keeps.values(),
                *(number for number in builder.shared.values() if number >= 0),
            ),
            lends=tuple(builder.lends),
            resets=tuple(builder.resets),
            permission=builder.permission,
            span=builder.span,
            cites=builder.cites,
            doc=builder.doc,
        )

    def _replacements(self, builder: DoingBuilder) -> tuple[ir.Hook, ...]:
        """Order the replacements of a doing: as published, but one that wins over another before it."""
        left = sorted(builder.instead, key=lambda pair: pair[0])
        ordered: list[tuple[OrderKey, ir.Hook]] = []
        while left:
            free = next(
                (
                    pair
                    for pair in left
                    if not any(self._wins(other[0], pair[0]) for other in left if other is not pair)
                ),
                left[0],
            )
            ordered.append(free)
            left.remove(free)
        return tuple(
            evolve(
                hook,
                yields=tuple(
                    number for number, (other, _) in enumerate(ordered) if self._wins(other, order)
                ),
            )
            for order, hook in ordered
        )

    def _wins(self, one: OrderKey, two: OrderKey) -> bool:
        """Tell whether a replacement comes before another: a variant's before the base's, and before that of
        a variant that it comes `after`."""
        if max(one[0], two[0]) > IN_VARIANT:
            return False  # of cards and lasting rules the player concerned picks
        chosen = self.ctx.tables.chosen
        first, second = (chosen[key[1]] if key[0] == IN_VARIANT else "" for key in (one, two))
        return wins(self.ctx.tables, first, second)

    @staticmethod
    def doing_path(builder: DoingBuilder) -> str:
        """Give the name of a doing: of a step with its phase."""
        return f"{builder.phase.name}.{builder.name}" if builder.phase is not None else builder.name

    def _concerned(self, builder: DoingBuilder) -> ir.Expr | None:
        """Give the player concerned by an event: the first among its arguments, else of the phase
        that it is a step of."""
        for param in builder.params:
            if param.type.shape == "thing" and param.type.kinds == (0,):
                return ir.Local(param.name, type=param.type)
        if builder.phase is not None:
            for param in builder.phase.params:
                if param.type.shape == "thing" and param.type.kinds == (0,):
                    return ir.GlobalGet(builder.phase.param_globals[param.name], type=param.type)
        return None


class _Reader:
    """Finds out what state the condition of a state rule depends on."""

    def __init__(self, definitions: tuple[ir.Definition, ...]) -> None:
        self.definitions = definitions
        self.seen: dict[int, tuple[set[int], set[int], set[str]]] = {}

    def watched(self, rule: ir.StateRule) -> ir.StateRule:
        """Give the rule with what it reads; places are noted by kind, -1 stands for all."""
        found_fields: set[int] = set()
        found_globals: set[int] = set()
        places: set[int] = set()
        waiting: list[object] = [
            rule.cond,
            *(value for _, value in rule.lets),
            *(value for _, value in rule.vars),
        ]
        done: set[int] = set()
        while waiting:
            part = waiting.pop()
            match part:
                case ir.FieldGet():
                    found_fields.update(part.fields)
                case ir.GlobalGet():
                    found_globals.add(part.index)
                case ir.PlacedAt() | ir.InBox():
                    elem = part.source.type.elem
                    places.update(elem.kinds if elem is not None else ())
                case ir.HolderOf() | ir.During() | ir.AnyRow() | ir.Subsets():
                    places.add(-1)
                case ir.CallDef() | ir.MapOp() if part.definition not in done:
                    done.add(part.definition)
                    waiting.append(self.definitions[part.definition].body)
                case ir.Clause() if part.block is not None:
                    places.add(-1)
                case _:
                    pass
            waiting.extend(_inside(part))
        return evolve(
            rule,
            reads=frozenset(found_fields),
            read_globals=frozenset(found_globals),
            read_places=frozenset(places),
        )


def _inside(part: object) -> Iterator[object]:
    if isinstance(part, tuple | frozenset):
        yield from part
    elif isinstance(part, ir.Expr | ir.Clause | ir.Key):
        for attribute in fields(type(part)):
            value = getattr(part, attribute.name)
            if isinstance(value, ir.Expr | ir.Clause | ir.Key | tuple):
                yield value


def lower(
    tables: Tables,
    bag: DiagnosticBag,
    *,
    scenarios: bool = False,
    contested: bool = False,
    linted: bool = False,
    settled: frozenset[int] = frozenset(),
    types: dict[nodes.Node, ir.Type] | None = None,
    memo: Memo | None = None,
) -> ir.Program | None:
    """Check a bound ruleset and make a Program of it.

    Args:
        tables: What is declared, filled by the binder.
        bag: Takes the findings.
        scenarios: Lower the scenarios that have as many seats too.
        contested: Give the Program even if rules contradict each other in it: it stops where they meet.
        linted: Let the lints look too, if there is no error.
        settled: Numbers of texts of which it is not wanted what lints find there.
        types: Takes the type of each expression and of each name that is bound; of the name of a property, the type
            of its owner. Not with a memo.
        memo: What definitions of these texts became before; takes what is lowered now.

    Returns:
        The Program, or None if there is an error among the findings.
    """
    lowering = Lowering(tables, bag, memo if types is None else None)
    lowering.ctx.types = types
    lowered = lowering.run(scenarios=scenarios)
    stopping = (each for each in bag if each.is_error and not (contested and each.code in RIVALS))
    if next(stopping, None) is not None:
        return None
    if linted and lowered is not None and lowering.graph is not None and not bag.has_errors:
        bag.extend(lints.find(Subject(lowering.graph, lowered, settled)))
    return lowered
