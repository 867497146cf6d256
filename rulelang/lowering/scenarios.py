"""Scenarios: examples as data for the runner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import is_broken
from rulelang.lowering.declarations import Declarations
from rulelang.lowering.presets import check_presets
from rulelang.lowering.scope import Function, Scope, Var
from rulelang.ruletypes import is_collection
from rulelang.scenes import by_title, named_variants, scene_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DoingBuilder

PLAYER = ruletypes.thing(0)
ONCE = "once"  # whether a `once` is used up, as a value of a card or of a rule with a name
SETTINGS = {
    "people": "`people ann, bob`",
    "automas": "`automas cat`",
    "seed": "`seed` with a number",
    "decisions": "`decisions` with a number",
    "open": "`open` with the names of phases",
}
WINNERS = "winners"  # a name for what `do win` said, under `after:` only


class Scenarios(Declarations):
    """Lowers the scenarios that are for the variants of the Program and as many seats."""

    def lower_scenarios(self) -> tuple[ir.Scenario, ...]:
        """Lower every scenario for these variants and this number of seats."""
        known = by_title(self.ctx.tables.scenarios)
        made: list[ir.Scenario] = []
        scopes: dict[str, Scope] = {}
        chosen = set(self.ctx.tables.chosen)
        read = set(self.ctx.used_options)
        for node in self.ctx.tables.scenarios:
            scene = scene_of(node, known)
            if scene.variants == chosen and scene.seats == self.ctx.tables.seats:
                self._check_sequel(node, known)
                made.append(self._scenario(node, scene.people, scene.automas, scopes))
        self.ctx.used_options = read  # what only an example reads changes nothing
        return tuple(made)

    def _check_sequel(self, node: nodes.ScenarioDecl, known: dict[str, nodes.ScenarioDecl]) -> None:
        """Report a scenario that goes on from one with other variants."""
        earlier = known.get(node.after.value) if node.after is not None else None
        own = named_variants(node)
        if earlier is None or not own or scene_of(earlier, known).variants == own:
            return
        self.ctx.error(
            "wrong-script",
            node.qualifiers[0],
            "a scenario is played with the variants of the one that it goes on from",
            label="these are others",
            secondary=(self.label(earlier.title.span, "it goes on from this one"),),
            advice="leave the variants out, or name the same",
        )

    def _scenario(
        self,
        node: nodes.ScenarioDecl,
        people: tuple[str, ...],
        automas: tuple[str, ...],
        scopes: dict[str, Scope],
    ) -> ir.Scenario:
        title = node.title.value
        doing = self.ctx.new_doing(
            title, "setup", node=node, settles=False, used=True, span=self.ctx.span(node)
        )
        function = Function(title, doing, shared=dict.fromkeys(_let_names(node), -1), raw=True)
        scope = Scope(function)
        for seat, name in enumerate((*people, *automas)):
            scope.vars[name] = Var(name, ir.Const(seat, type=PLAYER))
        if node.after is not None and node.after.value in scopes:
            scope.vars.update(scopes[node.after.value].vars)
        numbers: dict[str, int] = {}
        around: list[DoingBuilder] = []
        for setting in node.settings:
            match setting.name.text, setting.values:
                case "people", values:  # read with the seats, like `automas`
                    self._check_people(setting, len(values))
                case "automas", _:
                    pass
                case ("seed" | "decisions") as name, (nodes.Number(value=value),):
                    numbers[name] = value
                case "open", values:
                    around.extend(self._phases(values))
                case _:
                    self._wrong_setting(setting)
        options, opening, kept = self._assigns(node.assigns, scope, around)
        before = self.body(node.before, scope) if node.before is not None else ()
        # What a card keeps starts afresh when the card comes into force, so it is set after that.
        doing.body = (*opening, *before, *kept)
        scopes[title] = scope
        trials = tuple(
            self._trial(trial, scope, number) for number, trial in enumerate(node.trials)
        )
        return ir.Scenario(
            title,
            people,
            automas,
            options,
            doing.index,
            trials,
            sequel=node.after.value if node.after is not None else None,
            span=self.ctx.span(node),
            cites=self.ctx.cites(node),
            seed=numbers.get("seed"),
            decisions=numbers.get("decisions"),
        )

    def _check_people(self, setting: nodes.Setting, number: int) -> None:
        """Report more people than can play."""
        most = self.ctx.tables.players[1]
        if number > most:
            self.ctx.error(
                "wrong-script",
                setting,
                f"{number} people, but no more than {most} can play",
                advice=f"name {most} at most; seats without a person stand under `automas`",
            )

    def _wrong_setting(self, setting: nodes.Setting) -> None:
        """Report a setting that scenarios do not have, or one that is written wrongly."""
        name = setting.name.text
        if name in SETTINGS:
            self.ctx.error(
                "unknown-setting",
                setting,
                f"`{name}` is not set like this",
                advice=f"write {SETTINGS[name]}",
            )
            return
        self.ctx.error(
            "unknown-setting",
            setting,
            f"unknown setting `{name}`",
            advice=", ".join(f"`{each}`" for each in list(SETTINGS)[:-1]) + " or `open`",
        )

    def _phases(self, values: Sequence[nodes.Expr]) -> Iterator[DoingBuilder]:
        """The phases that are open around what is played."""
        for value in values:
            if not isinstance(value, nodes.Name):
                self.ctx.error(
                    "unknown-setting",
                    value,
                    "this is the name of no phase",
                    advice=f"write {SETTINGS['open']}",
                )
                continue
            phase = self.phase_of(value.ident.text)
            if phase is not None:
                yield phase
            else:
                known = [doing.name for doing in self.ctx.doings if doing.kind == "phase"]
                self.ctx.unknown(value.ident, "phase", known)

    def _assigns(
        self, assigns: Sequence[nodes.Assign], scope: Scope, around: Sequence[DoingBuilder]
    ) -> tuple[tuple[tuple[int, object], ...], list[ir.Stmt], list[ir.Stmt]]:
        """Lower options, values of phases that are open around what is played, and what cards keep."""
        options: list[tuple[int, object]] = []
        opening: list[ir.Stmt] = []
        kept: list[ir.Stmt] = []
        opened = {each.index: self.ctx.running_counter(each) for each in around}
        for assign in assigns:
            if assign.owner is None:
                symbol = self.ctx.symbol(assign.name.text)
                if symbol is None or symbol.form != "option":
                    known = [option.name for option in self.ctx.tables.options]
                    self.ctx.unknown(assign.name, "option", known)
                    continue
                option = self.ctx.tables.options[symbol.number]
                value = self.value(assign.value, scope, option.type, f"the option `{option.name}`")
                if isinstance(value, ir.Const) and not is_broken(value):
                    options.append((symbol.number, value.value))
                continue
            phase = self.phase_of(assign.owner.text)
            number = (
                self._of_card_or_rule(assign.owner.text, assign.name.text)
                if phase is None
                else _of_phase(phase, assign.name.text)
            )
            if number is None:
                self._unknown_value(assign, assign.owner, phase)
                continue
            value = self.value(assign.value, scope, self.ctx.globals[number].type, assign.name.text)
            if is_broken(value):
                continue
            line = ir.SetGlobal(number, value, span=self.ctx.span(assign))
            if phase is None:
                kept.append(line)
            else:
                opening.append(line)
                opened.setdefault(phase.index, self.ctx.running_counter(phase))
        # A phase that is open around what is played runs: `during` holds.
        opening.extend(
            ir.SetGlobal(counter, ir.Const(1, type=ir.COUNT)) for counter in opened.values()
        )
        return tuple(options), opening, kept

    def _of_card_or_rule(self, owner: str, name: str) -> int | None:
        """Find what a card keeps, or whether its `once`, or that of a rule with a name, is used up."""
        wanted = f"{owner}.{name}"
        return next(
            (
                each.index
                for each in self.ctx.globals
                if each.name == wanted and (each.card is not None or name == ONCE)
            ),
            None,
        )

    def _unknown_value(
        self, assign: nodes.Assign, owner: nodes.Ident, phase: DoingBuilder | None
    ) -> None:
        """Report a value that neither a phase nor a card has."""
        if phase is not None:
            known = [*phase.keeps, *phase.param_globals, *phase.shared]
            self.ctx.unknown(assign.name, f"value of `{phase.name}`", known)
            return
        cards = [each.name.split(".") for each in self.ctx.globals if each.card is not None]
        names = [name for name, *rest in cards if name == owner.text for name in rest]
        if names:
            self.ctx.unknown(assign.name, f"value that `{owner.text}` keeps", names)
            return
        phases = [each.name for each in self.ctx.doings if each.kind == "phase"]
        known = [*phases, *(name for name, *_ in cards)]
        self.ctx.unknown(owner, "phase, card or rule with a value", known)

    def _trial(self, node: nodes.Trial, scope: Scope, number: int) -> ir.Trial:
        played = tuple(
            self._played(part, scope, f"{number}.{place}") for place, part in enumerate(node.played)
        )
        checks: list[ir.Check] = []
        for check in node.checks:
            for part in _conjuncts(check.condition):
                made = self._check(part, check, scope)
                if made is not None:
                    checks.append(made)
        return ir.Trial(played, tuple(checks), span=self.ctx.span(node))

    def _played(self, node: nodes.Played, scope: Scope, number: str) -> ir.Played:
        name = node.name.text if node.step is None else f"{node.name.text}.{node.step.text}"
        doing = self.ctx.new_doing(
            f"do {name}", "setup", settles=False, used=True, span=self.ctx.span(node)
        )
        function = Function(f"scenario.{number}", doing)
        inner = Scope(function, dict(scope.vars))
        if node.step is not None:
            step = self._step_doing(node, node.step)
            doing.body = (ir.Call(step, ()),) if step is not None else ()
        else:
            doing.body = tuple(self.statement(nodes.DoStmt(node.span, node.name, node.args), inner))
        script = [self._script(line, scope) for line in node.script]
        return ir.Played(
            doing.index,
            tuple(line for line in script if line is not None),
            span=self.ctx.span(node),
        )

    def _step_doing(self, node: nodes.Played, step: nodes.Ident) -> int | None:
        """Find the step that `do phase.step` plays; None after a finding."""
        phase = self.phase_of(node.name.text)
        if phase is None:
            self.ctx.unknown(
                node.name, "phase", [doing.name for doing in self.ctx.doings if doing.steps]
            )
            return None
        if step.text not in phase.steps:
            self.ctx.unknown(step, f"step of `{phase.name}`", phase.steps)
            return None
        if node.args:
            self.wrong_count(step, [], len(node.args))
            return None
        return phase.steps[step.text]

    # -------------------------------------------------------------------------------------- presets

    def check_presets(self) -> None:
        """Report presets that name no variant, or set no option or one to a value outside it."""
        check_presets(self.ctx, self._check_preset_value)

    def _check_preset_value(self, assign: nodes.Assign, number: int) -> None:
        option = self.ctx.tables.options[number]
        with self.ctx.quietly():
            value = self.value(assign.value, Scope(Function()), option.type, "an option")
            wrong = is_broken(value) or not isinstance(value, ir.Const) or self.ctx.bag.has_errors
        if wrong:
            self.ctx.error(
                "wrong-preset",
                assign.value,
                f"this is no value of the option `{option.name}`",
                label=f"it must be {self.ctx.say(option.type)}",
            )

    # --------------------------------------------------------------------------------------- script

    def _script(self, node: nodes.Script, scope: Scope) -> ir.Script | None:
        span = self.ctx.span(node)
        match node:
            case nodes.ScriptRoll(values=values):
                return ir.Script("roll", self._answers(values, scope, None), span=span)
            case nodes.ScriptPick(values=values):
                return ir.Script("pick", self._answers(values, scope, None), span=span)
            case nodes.ScriptChoice():
                seat = self.value(node.who, scope, PLAYER, "who answers")
                if not isinstance(seat, ir.Const) or not isinstance(seat.value, int):
                    return None
                path = node.path.span.text if node.path is not None else ""
                decision = self._decision(path)
                # Who asks may be what could not be understood.
                if path and decision is None and self.ctx.bag.has_errors_beside("E0901"):
                    return None
                if path and decision is None and not self._asks_order(path):
                    known = [found.path for found in self.ctx.decisions]
                    close = self.nearest(path, [*known, *(name.split(".")[-1] for name in known)])
                    assert node.path is not None
                    self.ctx.error(
                        "wrong-script",
                        node.path,
                        f"no decision has the path `{path}`",
                        advice=f"did you mean `{close}`?" if close else None,
                    )
                    return None
                answers = self._answers(node.answers, scope, decision)
                return ir.Script(
                    "refuse" if node.refused else "choose", answers, seat.value, path, span=span
                )

    def _asks_order(self, path: str) -> bool:
        """Is this the question which of several replacements comes first? It is made after scenarios."""
        *owner, last = path.split(".")
        names = {
            *self.ctx.doing_numbers,
            *(step for each in self.ctx.doings for step in each.steps),
        }
        return last == "order" and (not owner or owner[-1] in names)

    def _decision(self, path: str) -> ir.Decision | None:
        """Find the decision that a path, perhaps shortened, names."""
        if not path:
            return None
        wanted = path.split(".")
        for decision in self.ctx.decisions:
            parts = decision.path.split(".")
            if parts == wanted or _within(wanted, parts):
                return decision
        return None

    def _answers(
        self, values: Sequence[nodes.Expr], scope: Scope, decision: ir.Decision | None
    ) -> tuple[ir.Answer, ...]:
        return tuple(
            answer
            for value in values
            if (answer := self._answer(value, scope, decision)) is not None
        )

    def _answer(
        self, node: nodes.Expr, scope: Scope, decision: ir.Decision | None
    ) -> ir.Answer | None:
        if isinstance(node, nodes.Text):
            return ir.Answer(label=node.value)
        if isinstance(node, nodes.Name) and node.ident.text == "none":
            return ir.Answer(none=True)
        name = (
            node.name
            if isinstance(node, nodes.Call)
            else node.ident
            if isinstance(node, nodes.Name)
            else None
        )
        number = (
            self.ctx.doing_numbers.get(name.text)
            if name is not None and name.text not in scope.vars
            else None
        )
        if number is not None and self.ctx.doings[number].permission is not None:
            doing = self.ctx.doings[number]
            args = node.args if isinstance(node, nodes.Call) else ()
            if len(args) != len(doing.params) - 1:
                assert name is not None
                self.wrong_count(name, [param.name for param in doing.params[1:]], len(args))
                return None
            made = [
                self._thunk(arg, scope, param.type)
                for arg, param in zip(args, doing.params[1:], strict=True)
            ]
            return ir.Answer(
                action=number, definitions=tuple(item for item in made if item is not None)
            )
        want = (
            decision.type
            if decision is not None and decision.form in ("one", "set", "order")
            else None
        )
        if decision is not None and decision.form == "yes":
            want = ir.FLAG
        made_one = self._thunk(node, scope, want)
        return None if made_one is None else ir.Answer(definition=made_one)

    def _thunk(self, node: nodes.Expr, scope: Scope, want: Type | None) -> int | None:
        """Make a definition without parameters of an expression; None after a finding."""
        inner = Scope(Function(), dict(scope.vars), pure=True)
        value = self.expr(node, inner, want)
        if is_broken(value):
            return None
        return self._define(value, node.span.text, self.ctx.span(node))

    def _define(self, value: ir.Expr, name: str, span: ir.Span) -> int:
        made = self.ctx.new_definition(
            name, None, span=span, state="done", general=value, result=value.type, used=True
        )
        return made.index

    def _check(self, node: nodes.Expr, check: nodes.Check, scope: Scope) -> ir.Check | None:
        won = self._winners(node, check, scope)
        if won is not None:
            return won
        # What is compared may be missing: then the example fails, and no rule is at fault.
        inner = Scope(Function(raw=True), dict(scope.vars), pure=True)
        cond = self.condition(node, inner)
        if is_broken(cond):
            return None
        sides: list[tuple[str, int]] = []
        pair = _sides(node)
        values = _operands(cond)
        if pair is not None and values is not None:
            for part, value in zip(pair, values, strict=True):
                if not isinstance(value, ir.Const) and not is_collection_const(value):
                    sides.append(
                        (part.span.text, self._define(value, part.span.text, self.ctx.span(part)))
                    )
        return ir.Check(
            self._define(cond, node.span.text, self.ctx.span(node)),
            node.span.text,
            tuple(sides),
            span=self.ctx.span(node),
            cites=self.ctx.cites(check),
        )

    def _winners(self, node: nodes.Expr, check: nodes.Check, scope: Scope) -> ir.Check | None:
        """Lower `winners is {...}`, which only a scenario can say; None for any other condition."""
        match node:
            case nodes.Is(left=nodes.Name(ident=ident), right=right) if ident.text == WINNERS:
                if ident.text in scope.vars or self.ctx.symbol(WINNERS) is not None:
                    return None
                inner = Scope(Function(), dict(scope.vars), pure=True)
                value = self.value(right, inner, ruletypes.set_of(PLAYER), "the winners")
                if is_broken(value):
                    value = ir.MakeSet((), type=ruletypes.set_of(PLAYER))
                definition = self._define(value, right.span.text, self.ctx.span(right))
                return ir.Check(
                    definition,
                    node.span.text,
                    winners=True,
                    span=self.ctx.span(node),
                    cites=self.ctx.cites(check),
                )
            case _:
                return None


def _of_phase(phase: DoingBuilder, name: str) -> int | None:
    """Find a kept value of a phase, a parameter, or a name that its steps share."""
    found = phase.keeps.get(name, phase.param_globals.get(name, phase.shared.get(name, -1)))
    return found if found >= 0 else None


def is_collection_const(value: ir.Expr) -> bool:
    """Tell whether a set is written out."""
    return is_collection(value.type) and isinstance(value, ir.MakeSet) and not value.items


def _let_names(node: nodes.ScenarioDecl) -> list[str]:
    if node.before is None:
        return []
    return [part.name.text for part in nodes.walk(node.before) if isinstance(part, nodes.LetStmt)]


def _within(wanted: list[str], parts: list[str]) -> bool:
    return any(
        parts[start : start + len(wanted)] == wanted
        for start in range(len(parts) - len(wanted) + 1)
    )


def _conjuncts(node: nodes.Expr) -> list[nodes.Expr]:
    return (
        [*_conjuncts(node.left), *_conjuncts(node.right)] if isinstance(node, nodes.And) else [node]
    )


def _sides(node: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr] | None:
    match node:
        case nodes.Is() | nodes.IsNot() | nodes.Compare() | nodes.InTest():
            return node.left, node.right
        case _:
            return None


def _operands(cond: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    match cond:
        case ir.Not(value=value):
            return _operands(value)
        case ir.Compare() | ir.SameItems():
            return cond.left, cond.right
        case ir.Contains():
            return cond.item, cond.source
        case _:
            return None
