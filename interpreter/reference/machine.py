"""The meaning of doings, rules about them, settling and decisions: the oracle of the engines.

A tree-walking interpreter of the IR, synchronous and slow. Where the generated engine and this one
differ, one of them has a mistake; where the language reference leaves something open, this file is
the answer. It needs deep Python recursion, so making one raises the interpreter's limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from interpreter import durations, events
from interpreter.budget import DECISIONS, DEPTH, OFFERED, weight
from interpreter.chance import ChanceProvider, Draws, OutsideDraws, below
from interpreter.decision import Below, Decision, Domain, OneOf, SetOf
from interpreter.errors import IllegalChoice, Reason
from interpreter.faultcodes import BROKEN_PROMISE, NO_OPTION, RANGE_LEFT
from interpreter.layout import Layout, Slots, admits
from interpreter.naming import Naming
from interpreter.reference.expressions import Env, Row, Running
from interpreter.reference.statements import Leaving, Statements, Stop
from interpreter.sight.observation import Observation
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.secrecy import Looking

RECURSION = 20_000

Watch = Callable[[Decision], None]


class Reference(Statements):
    """One game on the reference interpreter.

    Args:
        program: What to play.
        options: One value for each option; the defaults if left out.
        seed: For chance.
        people: The seats that have a person; the others are answered by the ruleset's policies.
            Everybody, if left out.
        providers: Who answers for each seat that has a person.
        chance: Draws from outside, instead of the seeded ones.
        watch: Called with each decision before a provider is asked, the state as it is then.
        layout: That of the Program, if somebody has it at hand: many short games share it.

    Attributes:
        over: Has the game ended?
        looking: Looks at each question that a person is asked, before it is put; it may raise a fault.
    """

    def __init__(
        self,
        program: ir.Program,
        options: Sequence[object] | None = None,
        seed: int | str = 0,
        people: Sequence[int] | None = None,
        providers: Mapping[int, DecisionProvider] | None = None,
        chance: ChanceProvider | None = None,
        watch: Watch | None = None,
        layout: Layout | None = None,
    ) -> None:
        defaults = tuple(option.default for option in program.options)
        layout = layout or Layout(program)
        slots = layout.initial(seed)
        super().__init__(program, defaults if options is None else tuple(options), slots, layout)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
        self.providers = dict(providers or {})
        self.chance = chance
        self.watch = watch
        self.over = False
        self.looking: Looking | None = None
        self.naming = Naming(program)
        self._ending = False
        # States in which no state rule had to act, and in which all promises held: the same is true of equal ones.
        self._settled: Slots | None = None
        self._kept: Slots | None = None
        players = program.kinds[0]
        for seat in range(players.count):
            slot = self.layout.slot(program.automa_field, players.base + seat)
            self.slots[slot] = people is not None and seat not in people

    # ----------------------------------------------------------------------------------- driving it

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won, None if nobody said so."""
        winners = cast("tuple[int, ...] | None", self.slots[self.layout.winners])
        base = self.program.kinds[0].base
        return None if winners is None else tuple(each - base for each in winners)

    def play(self) -> None:
        """Run the whole game.

        Raises:
            RuleFault: a rule asked for something impossible.
            IllegalChoice: a provider's answer was refused.
        """
        self.perform(0)
        self.over = True

    def perform(self, doing: int, args: tuple[object, ...] = ()) -> None:
        """Run one doing from outside; the end of the game inside it ends it."""
        self.lines = self.firings = 0
        try:
            self.doing(doing, args)
        except Stop:
            self.over = True
            self.stack.clear()
            self.slots[self.layout.acting] = ()

    # --------------------------------------------------------------------------------------- doings

    def doing(self, index: int, args: tuple[object, ...]) -> object:
        """Run a doing with its whole protocol; gives its result."""
        doing = self.program.doings[index]
        if len(self.stack) >= DEPTH:
            self.exhausted(f"more than {DEPTH} doings inside each other")
        self.charge(1 + weight(doing.body))
        for param, arg in zip(doing.params, args, strict=True):
            if not admits(self.program, param.type, arg):
                self.fault(f"{param.name} of {doing.name} cannot be {arg!r}", code=RANGE_LEFT)
        frame = Running(doing, {p.name: a for p, a in zip(doing.params, args, strict=True)})
        self.stack.append(frame)
        if doing.tracked:
            frame.serial, changes = durations.opened(self.slots, self.layout, index, args)
            self._log_changes(changes)
        still: list[object] = [
            self.value(hook.still, frame.env) if hook.still is not None else None
            for hook in doing.after
        ]
        result: object = None
        how = ""
        leaving: Leaving | None = None
        try:
            self._before(frame)
            replaced, result = self._instead(frame)
            if replaced:
                how = "replaced"
            else:
                result, leaving = self._happen(frame, still)
        except Leaving as left:
            # By a before rule (it never begins) or by its replacement, whose result this is.
            how = "left"
            if left.target is frame:
                result = left.value
            else:
                leaving = left
        typed = doing.result if doing.kind != "hook" else None  # what a rule gives back is mixed
        if leaving is None and typed is not None and not admits(self.program, typed, result):
            self.fault(
                f"the result of {doing.name} cannot be {result!r}", doing.span, code=RANGE_LEFT
            )
        self._close(frame)
        if leaving is not None:
            self.log(events.END, index, None, "left")
            raise leaving
        self.log(events.END, index, result, how)
        if doing.settles:
            outer = self.stack[-1] if self.stack else frame
            names, outer.names = outer.names, None  # what is looked at now no line is about
            self.settle()
            if doing.checks:
                self._check()
            outer.names = names
        return result

    def _before(self, frame: Running) -> None:
        for number, hook in enumerate(frame.doing.before):
            for row in self._rows_now(hook.block):
                env = self._applies(hook, frame, row, None)
                if env is not None and self._agreed(hook, env):
                    self._act(hook, frame, row, env, ("before", number))

    def _instead(self, frame: Running) -> tuple[bool, object]:
        """Run what replaces the doing. Gives whether something did, and its result."""
        found: list[tuple[int, ir.Hook, Row | None, Env]] = []
        for number, hook in enumerate(frame.doing.instead):
            if hook.busy is not None and self.slots[self.layout.global_slot(hook.busy)]:
                continue
            for row in self._rows_now(hook.block):
                env = self._applies(hook, frame, row, None)
                if env is not None:
                    found.append((number, hook, row, env))
        if len(found) > 1:
            found = self._ordered(frame, found)
        for number, hook, row, env in found:
            if not self._agreed(hook, env):
                continue
            busy = self.layout.global_slot(hook.busy) if hook.busy is not None else None
            self._count_busy(busy, 1)
            try:
                self._act(hook, frame, row, env, ("instead", number))
            except Leaving:
                self._count_busy(busy, -1)
                raise
            self._count_busy(busy, -1)
            return True, frame.env.get("$result")
        return False, None

    def _count_busy(self, slot: int | None, change: int) -> None:
        """Count a replacement that begins or ends; the end of the game leaves it as it is."""
        if slot is not None:
            self.slots[slot] = cast("int", self.slots[slot]) + change

    def _ordered(
        self, frame: Running, found: list[tuple[int, ir.Hook, Row | None, Env]]
    ) -> list[tuple[int, ir.Hook, Row | None, Env]]:
        """The replacements with the one first that the player concerned picks among those that yield to none."""
        doing = frame.doing
        numbers = {each[0] for each in found}
        free = [each for each in found if not numbers.intersection(each[1].yields)]
        found = [*free, *(each for each in found if numbers.intersection(each[1].yields))]
        if len(free) == 1 or doing.concerned is None or doing.order_decision is None:
            return found
        player = self.value(doing.concerned, frame.env)
        if player is None or self.is_automa(player):
            return found
        labels = [hook.label for _, hook, _, _ in free]
        static = self.program.decisions[doing.order_decision]
        groups = tuple((number,) for number in range(len(free)))
        domain = OneOf(groups, lambda value: _twice(labels[cast("int", value)]))
        answer = cast("int", self._answer(static, player, domain, lambda: "", None))
        return [found[answer], *found[:answer], *found[answer + 1 :]]

    def _happen(self, frame: Running, still: list[object]) -> tuple[object, Leaving | None]:
        """Run the body and the after rules. Gives the result, or what leaves it for outside."""
        doing = frame.doing
        self._begin(frame)
        leaving: Leaving | None = None
        given = True
        try:
            self.run(doing.body, dict(frame.env))
            frame.env["$result"] = None
        except Leaving as left:
            if left.target is frame:
                frame.env["$result"] = left.value
            else:
                leaving, given = left, False
        for number, hook in enumerate(doing.after):
            if hook.needs_result and not given:
                continue
            try:
                for row in self._rows_now(hook.block):
                    env = self._applies(hook, frame, row, still[number])
                    if env is not None and self._agreed(hook, env):
                        self._act(hook, frame, row, env, ("after", number))
            except Leaving as left:
                if left.target is not frame and (
                    leaving is None
                    or self.stack.index(left.target) < self.stack.index(leaving.target)
                ):
                    leaving = left
        return frame.env.get("$result"), leaving

    def _begin(self, frame: Running) -> None:
        """It happens: from here on it runs, its kept values exist."""
        doing = frame.doing
        already = any(each.ran and each.doing is doing for each in self.stack)
        frame.ran = True
        self.cited.update(doing.cites)
        self.mark(doing)
        if doing.running is not None:
            slot = self.layout.global_slot(doing.running)
            self.slots[slot] = cast("int", self.slots[slot]) + 1
        fresh: list[tuple[int, object]] = [
            (self.layout.global_slot(index), frame.env[param.name])
            for index, param in zip(doing.param_globals, doing.params, strict=False)
        ]
        fresh.extend(
            (self.layout.global_slot(index), self.program.globals[index].initial)
            for index in doing.keeps
        )
        for index in doing.lends:
            field = self.program.fields[index]
            start = self.layout.slot(index, self.program.kinds[field.kind].base, field.key_low)
            fresh.extend(enumerate(field.values, start))
        if already:
            frame.saved = [(slot, self.slots[slot]) for slot, _ in fresh]
        for slot, value in fresh:
            self.slots[slot] = value
        self.log(events.BEGIN, doing.index, tuple(frame.env[p.name] for p in doing.params))

    def _close(self, frame: Running) -> None:
        """Durations end, then the doing is no longer open."""
        doing = frame.doing
        if doing.tracked:
            self._log_changes(durations.closed(self.slots, self.layout, frame.serial))
        if frame.ran:
            if doing.running is not None:
                slot = self.layout.global_slot(doing.running)
                self.slots[slot] = cast("int", self.slots[slot]) - 1
            for slot, value in frame.saved:
                self.slots[slot] = value
        for index in doing.resets:
            self.slots[self.layout.global_slot(index)] = self.program.globals[index].initial
        del self.stack[self.stack.index(frame) :]

    def _log_changes(self, changes: list[durations.Change]) -> None:
        for slot, old, new in changes:
            self.log(events.UNDO, slot, old, new)

    # ---------------------------------------------------------------------------------------- hooks

    def _rows_now(self, block: int | None) -> Iterator[Row | None]:
        """The rows that are in force now, each only if it still is when its turn comes."""
        if block is None:
            yield None
            return
        for row in self.rows(block):
            yield from (now for now in self.rows(block) if now[0] == row[0])

    def _names(self, env: Env, block: int | None, row: Row | None) -> Env:
        if block is None or row is None:
            return dict(env)
        return env | dict(zip(self.program.blocks[block].names, row[1], strict=True))

    def _applies(self, hook: ir.Hook, frame: Running, row: Row | None, still: object) -> Env | None:
        """The names for a rule that applies now; None if it does not.

        ``still`` is who had the card when the event began: it stands in for the holder of a card
        that has left play since.
        """
        env = self._names(frame.env, hook.block, row)
        for name, expr in hook.lets:
            env[name] = self.value(expr, env)
            if env[name] is None and expr == hook.still:
                env[name] = still
            if env[name] is None:
                return None
        if self._used(hook.once, row):
            return None
        return env if self.holds(hook.guard, env) else None

    def _used(self, once: int | None, row: Row | None) -> bool:
        if once is None:
            return False
        if row is not None and once < 0:
            return row[2]
        return bool(self.slots[self.layout.global_slot(once)])

    def _use(self, once: int | None, block: int | None, row: Row | None) -> None:
        if once is None:
            return
        if row is not None and block is not None and once < 0:
            durations.use_row(self.slots, self.layout, block, row[0])
        else:
            self.slots[self.layout.global_slot(once)] = True

    def _agreed(self, hook: ir.Hook, env: Env) -> bool:
        """Ask the question of a rule that has one."""
        if hook.ask is None:
            return True
        self.ask(hook.ask, env)
        return env[hook.ask.name] is True

    def _act(
        self, hook: ir.Hook, frame: Running, row: Row | None, env: Env, when: tuple[str, int]
    ) -> None:
        """Run the body of a rule and take over what it gives back."""
        self._use(hook.once, hook.block, row)
        self.fire()
        self.cited.update(hook.cites)
        self.mark(hook)
        self.works.rule(hook.lets, hook.span)
        self.log(events.HOOK, frame.doing.index, *when, row[0] if row is not None else 0)
        args = tuple(self.value(arg, env) for arg in hook.args)
        given = self.doing(hook.doing, args)
        if hook.writes and given is not None:
            types = {param.name: param.type for param in frame.doing.params}
            for name, value in zip(hook.writes, cast("tuple[object, ...]", given), strict=True):
                if name in types and not admits(self.program, types[name], value):
                    self.fault(
                        f"{name} of {frame.doing.name} cannot be {value!r}",
                        hook.span,
                        code=RANGE_LEFT,
                    )
                frame.env[name] = value

    # ------------------------------------------------------------------------------------- settling

    def settle(self) -> None:
        """Let state rules act until none holds."""
        while self._settle_one():
            pass

    def _settle_one(self) -> bool:
        """Let the first state rule that holds act."""
        if self.slots == self._settled:
            return False
        for rule in self.program.state_rules:
            for row in self._rows_now(rule.block):
                for env in self._combinations(rule, 0, self._names({}, rule.block, row)):
                    values = tuple(env[name] for name, _ in rule.vars)
                    key = (rule.index, row[0] if row is not None else 0, values)
                    acting = cast("tuple[object, ...]", self.slots[self.layout.acting])
                    if key in acting or self._used(rule.once, row):
                        continue
                    bound = self.bound(rule.lets, env)
                    if bound is None or not self.holds(rule.cond, bound):
                        continue
                    self._use(rule.once, rule.block, row)
                    self.fire()
                    self.cited.update(rule.cites)
                    self.mark(rule)
                    self.works.rule(rule.lets, rule.span)
                    self.log(events.RULE, rule.index, values, key[1])
                    args = tuple(self.value(arg, bound) for arg in rule.args)
                    self.slots[self.layout.acting] = (*acting, key)
                    try:
                        self.doing(rule.doing, args)
                    finally:
                        self.slots[self.layout.acting] = acting
                    return True
        self._settled = None if self.stacked else list(self.slots)
        return False

    def _combinations(self, rule: ir.StateRule, number: int, env: Env) -> Iterator[Env]:
        if number == len(rule.vars):
            yield env
            return
        name, source = rule.vars[number]
        for each in self.items(source, env):
            yield from self._combinations(rule, number + 1, env | {name: each})

    def _check(self) -> None:
        """See that the promises hold."""
        if self.slots == self._kept:
            return
        for promise in self.program.always:
            self.cited.update(promise.cites)
            self.mark(promise)
            if not self.holds(promise.cond, {}):
                self.fault(
                    f"a promise does not hold: {promise.text}", promise.span, code=BROKEN_PROMISE
                )
        self._kept = None if self.stacked else list(self.slots)

    # ------------------------------------------------------------------------------------ decisions

    def is_automa(self, player: int) -> bool:
        """Is this seat without a person?"""
        return bool(self.layout.read(self.slots, self.program.automa_field, player))

    def ask(self, ask: ir.Ask, env: Env) -> None:
        """Ask and bind the answer."""
        static = self.program.decisions[ask.decision]
        self.cited.update(static.cites)
        player = self.need(ask.chooser, env)
        domain = self._domain(ask, static, player, env)
        if self.looking is not None and not self.is_automa(player):
            self.looking.look(self, ask, player, domain, env)
        if len(domain.some(1)) == 0:
            if isinstance(domain, SetOf) and not domain.settled():
                self.exhausted("no legal answer was found within the budget of the search")
            env[ask.name] = None
            if ask.otherwise is None:
                self.fault(f"there is nothing to choose from ({static.path})", code=NO_OPTION)
            self.mark(ask, "else")
            self.run(ask.otherwise, env)
            return

        def policy(draw: Below) -> object:
            draws = draw if isinstance(draw, Draws) else Draws(draw)
            self.mark(ask, "automa")
            return self._policy(ask, domain, env, draws)

        env[ask.name] = answer = self._answer(
            static,
            player,
            domain,
            lambda: self._text(ask.prompt, env),
            policy if _has_policy(ask) else None,
            ask.policy.path if ask.policy else "",
        )
        if not self.covering:
            return
        if static.form == "action":
            self.mark(ask, answer[0] if isinstance(answer, tuple) else None)
        else:
            self.mark(ask, answer if static.form in ("label", "yes") else "answered")
        if static.form == "action" and isinstance(answer, tuple):
            self._note_chosen(ask.instances[answer[0]], (player, *answer[1:]))

    def _note_chosen(self, instance: ir.Instance, args: tuple[object, ...]) -> None:
        """Read once more what its arguments were chosen from, as lines of the action itself."""
        doing = self.program.doings[instance.doing]
        own = {each.name: arg for each, arg in zip(doing.params, args, strict=True)}
        offered = dict(zip(instance.params, args, strict=True))
        self.stack.append(Running(doing, own, names=own))
        for source in instance.sources:
            self.value(source, offered)
        self.stack.pop()

    def _answer(
        self,
        static: ir.Decision,
        player: int,
        domain: Domain,
        prompt: Callable[[], str],
        policy: Callable[[Below], object] | None,
        path: str = "",
    ) -> object:
        """The answer to a decision, from whoever gives it."""
        seat = player - self.program.kinds[0].base
        if static.form not in ("yes", "action"):
            legal = domain.some(2)
            if len(legal) == 1 and (not isinstance(domain, SetOf) or domain.settled()):
                self.log(events.ANSWER, static.index, seat, legal[0], events.SOLE)
                return legal[0]
        if self.is_automa(player):
            answer = policy(self._draws(path)) if policy is not None else None
            if answer is None and (policy is None or static.form != "action"):
                self.fault(f"there is no policy for {static.path}", code=NO_OPTION)
            answer = domain.normal(answer)
            by = events.POLICY
        else:
            decision = Decision(static, seat, domain, prompt, policy)
            if self.watch is not None:
                self.watch(decision)
            provider = self.providers.get(seat)
            if provider is None:
                raise IllegalChoice(Reason.NO_DECISION, f"nobody answers for seat {seat}")
            slots = list(self.slots)
            answer = domain.normal(
                provider.decide(
                    lambda: Observation(self.layout, slots, seat, decision.options.groups), decision
                )
            )
            by = events.PROVIDER
        self.lines = self.firings = 0
        answered = cast("int", self.slots[self.layout.decisions]) + 1
        self.slots[self.layout.decisions] = answered
        if answered > DECISIONS:
            self.exhausted(f"more than {DECISIONS:,} decisions")
        self.log(events.ANSWER, static.index, seat, answer, by)
        return answer

    def _draws(self, path: str) -> Draws:
        """A policy's draws: from outside if there is somebody, else on the path's stream."""
        if self.chance is not None:
            return OutsideDraws(self.chance, path)
        return Draws(lambda n: below(self.slots, self.layout.streams[path], n))

    def _text(self, prompt: ir.Prompt, env: Env) -> str:
        return "".join(
            part if isinstance(part, str) else self.naming.title(self.value(part, env), part.type)
            for part in prompt.parts
        )

    def _domain(self, ask: ir.Ask, static: ir.Decision, player: int, env: Env) -> Domain:
        """The legal answers, as of now."""
        match static.form:
            case "yes":
                words = {True: ("yes", "yes"), False: ("no", "no")}
                return OneOf(((True,), (False,)), lambda value: words[cast("bool", value)])
            case "label":
                texts = [self._text(each.text, env) for each in ask.alternatives]
                legal = tuple(
                    (number,)
                    for number, each in enumerate(ask.alternatives)
                    if self.holds(each.cond, env)
                )
                return OneOf(legal, lambda value: _twice(texts[cast("int", value)]))
            case "action":
                actions = tuple((each,) for each in self._actions(ask, player, env))
                return OneOf((*actions, (None,)) if actions else (), self._action_names(ask))
            case _:
                return self._options(ask, static, env)

    def domain_of(self, ask: ir.Ask, player: int, env: Env) -> Domain:
        """The legal answers to a question, as of now."""
        return self._domain(ask, self.program.decisions[ask.decision], player, env)

    def prompt_of(self, ask: ir.Ask, env: Env) -> str:
        """The text of a question, as of now."""
        return self._text(ask.prompt, env)

    def _options(self, ask: ir.Ask, static: ir.Decision, env: Env) -> Domain:
        """The options of a choice of one or a set."""
        if ask.options is None:
            self.fault("a choice without options", code=NO_OPTION)
        order = tuple(dict.fromkeys(self.items(ask.options, env)))
        if len(order) > OFFERED:
            self.exhausted(f"more than {OFFERED:,} things on offer")
        groups = self.alike.groups(self.slots, order, static.type)
        if static.form != "set":
            return OneOf(groups, lambda value: self._names_of(value, static.type))
        many = ir.Type("list", elem=static.type)
        whole = ask.whole
        return SetOf(
            groups,
            lambda value: self._names_of(value, many if isinstance(value, tuple) else static.type),
            order,
            self.need(ask.at_least, env) if ask.at_least is not None else 0,
            self.value(ask.at_most, env) if ask.at_most is not None else None,
            (lambda answer: self.holds(whole, env | {ask.name: answer})) if whole else None,
        )

    def _names_of(self, value: object, of: ir.Type) -> tuple[str, str]:
        return self.naming.title(value, of), self.naming.key(value, of)

    def _actions(self, ask: ir.Ask, player: int, env: Env) -> Iterator[tuple[object, ...]]:
        """All legal instances of the actions, in order."""
        offered = 0
        for number, instance in enumerate(ask.instances):
            names = env | {instance.params[0]: player}
            for args in self._instances(instance, 0, names, (player,)):
                offered += 1
                if offered > OFFERED:
                    self.exhausted(f"more than {OFFERED:,} actions on offer")
                yield number, *args[1:]

    def _instances(
        self, instance: ir.Instance, number: int, env: Env, args: tuple[object, ...]
    ) -> Iterator[tuple[object, ...]]:
        if number == len(instance.sources):
            if self.call(instance.permission, args) is True:
                yield args
            return
        name = instance.params[number + 1]
        for each in self.items(instance.sources[number], env):
            yield from self._instances(instance, number + 1, env | {name: each}, (*args, each))

    def _action_names(self, ask: ir.Ask) -> Callable[[object], tuple[str, str]]:
        def names(value: object) -> tuple[str, str]:
            if not isinstance(value, tuple):
                return "none of them", "none"
            doing = self.program.doings[ask.instances[value[0]].doing]
            pairs = list(zip(value[1:], doing.params[1:], strict=True))
            title = ", ".join(self.naming.title(arg, param.type) for arg, param in pairs)
            key = ", ".join(self.naming.key(arg, param.type) for arg, param in pairs)
            spoken = doing.name.replace("_", " ")
            return (f"{spoken}: {title}", f"{doing.name}({key})") if pairs else (spoken, doing.name)

        return names

    def _policy(self, ask: ir.Ask, domain: Domain, env: Env, draws: Draws) -> object:
        """What the ruleset's policy answers; None if it has nothing to say."""
        policy = ask.policy
        form = self.program.decisions[ask.decision].form
        if form == "yes" and ask.yes_when is not None:
            return self.holds(ask.yes_when, env)
        if form == "label":
            for number, each in enumerate(ask.alternatives):
                if (
                    each.automa is not None
                    and domain.contains(number)
                    and self.holds(each.automa, env)
                ):
                    return number
        if form == "action":
            return self._most_wanted(ask, domain, env)
        if policy is None:
            return None
        members: tuple[Any, ...] = tuple(value for group in domain.groups for value in group)
        if isinstance(domain, SetOf):
            wanted = policy.wanted
            if policy.random and not policy.keys and wanted is None:
                return domain.sample(draws)
            ranked = draws.mix(domain.order) if policy.random else domain.order
            if policy.keys:
                ranked = self.ranked(ranked, policy.keys, env)
            good = ranked
            if wanted is not None:
                good = tuple(
                    each for each in ranked if self.holds(wanted.body, env | {wanted.var: each})
                )
            answer = domain.greedy(ranked, good)
            if answer is None:
                self.exhausted("no legal answer was found within the budget of the search")
            return answer
        best = (self.best(members, policy.keys, env) if policy.keys else ()) or members
        return draws.pick(best) if policy.random else best[0]

    def _most_wanted(self, ask: ir.Ask, domain: Domain, env: Env) -> object:
        """The first of the legal instances with the greatest utility above 0, or None."""
        player = self.value(ask.chooser, env)
        best, most = None, 0
        for (row,) in domain.groups:
            if not isinstance(row, tuple):
                continue
            instance = ask.instances[row[0]]
            names = env | dict(zip(instance.params, (player, *row[1:]), strict=True))
            wish = self.value(instance.utility, names) if instance.utility is not None else 0
            if wish > most:
                best, most = row, wish
        return best


def _twice(text: str) -> tuple[str, str]:
    """A text that is its own key."""
    return text, text


def _has_policy(ask: ir.Ask) -> bool:
    return (
        ask.policy is not None
        or ask.yes_when is not None
        or any(each.automa is not None for each in ask.alternatives)
        or any(each.utility is not None for each in ask.instances)
    )
