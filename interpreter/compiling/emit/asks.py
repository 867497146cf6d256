"""Questions: finding the options, answers that need nobody, policies and prompts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.built import Asking
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.answers import best_ones, legal_ones
from interpreter.compiling.emit.expressions import can_be_none, cond, value
from interpreter.compiling.emit.loops import assigned, rank_parts, returning, stream
from interpreter.compiling.emit.steps import Native, Question, Step, Steps
from interpreter.faultcodes import NO_OPTION
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module
    from interpreter.compiling.emit.steps import MakeAll

G, S = "g", "S"
MEMBERS = "$members"


class _Asker:
    """Makes the parts of one question."""

    def __init__(self, m: Module, ask: ir.Ask) -> None:
        self.m = m
        self.ask = ask
        self.static = m.program.decisions[ask.decision]
        self.form = self.static.form
        self.number = len(m.asks)
        self.alike = m.concerns(self.static.type) and self.form in ("one", "order", "set")
        own = frozenset((ask.name,))
        policy = (ask.policy, ask.yes_when, tuple(each.automa for each in ask.alternatives))
        texts = (ask.prompt, tuple(each.text for each in ask.alternatives))
        self.extra = tuple(
            sorted(
                m.scopes.free((*texts, *policy))
                | (m.scopes.free(ask.whole) - own)
                | self._utility_reads()
            )
        )
        self.reads = (
            m.scopes.free(
                (
                    ask.chooser,
                    ask.options,
                    ask.at_least,
                    ask.at_most,
                    tuple(each.cond for each in ask.alternatives),
                )
            )
            | frozenset(self.extra)
            | self._instance_reads()
        )
        self.offered = m.temp()
        self.player = m.temp()
        self.least = m.temp()
        self.most = m.temp()
        # A set without a condition on the whole needs no search.
        self.easy = (
            m.flags.optimise
            and self.form == "set"
            and ask.whole is None
            and ask.options is not None
            and ask.options.type.shape == "set"
        )
        # Among few answers those for which a condition holds are all found in one go.
        self.at_once = m.flags.optimise and self.form == "set" and ask.whole is not None
        m.asks.append(self._describe())

    def _instance_reads(self) -> frozenset[str]:
        found: set[str] = set()
        for instance in self.ask.instances:
            bound = {instance.params[0]} if instance.params else set()
            for name, source in zip(instance.params[1:], instance.sources, strict=True):
                found |= self.m.scopes.free(source) - bound
                bound.add(name)
        return frozenset(found)

    def _utility_reads(self) -> frozenset[str]:
        found: set[str] = set()
        for instance in self.ask.instances:
            found |= self.m.scopes.free(instance.utility) - set(instance.params)
        if any(instance.utility is not None for instance in self.ask.instances):
            found |= self.m.scopes.free(self.ask.chooser)
        return frozenset(found)

    # -------------------------------------------------------------------------------- functions

    def _describe(self) -> Asking:
        """Make the functions that only some providers need, and say what they are called."""
        m, ask = self.m, self.ask
        prompt_function = ""
        prompt = "".join(part for part in ask.prompt.parts if isinstance(part, str))
        if any(not isinstance(part, str) for part in ask.prompt.parts):
            prompt_function = f"prompt{self.number}"
            self._function(prompt_function, [], [q.give(self._text(ask.prompt))])
        labels = ""
        if self.form == "label":
            labels = f"labels{self.number}"
            texts = [self._text(each.text) for each in ask.alternatives]
            self._function(labels, [], [q.give(q.tuple_(texts))])
        whole = legal = ""
        if ask.whole is not None:
            whole = f"whole{self.number}"
            self._function(whole, [m.local(ask.name)], [q.give(cond(m, ask.whole))])
            legal = self._legal() if self.at_once else ""
        policy = self._policy()
        path = ask.policy.path if ask.policy is not None else ""
        drawn = ask.policy is not None and ask.policy.random
        span = ask.span
        return Asking(
            decision=ask.decision,
            form=self.form,
            span=(span.file, span.line, span.column, span.end_line, span.end_column),
            prompt=prompt,
            prompt_function=prompt_function,
            labels=labels,
            policy=policy,
            slot=m.layout.streams[path] if drawn else -1,
            path=path,
            whole=whole,
            legal=legal,
            actions=tuple(each.doing for each in ask.instances),
        )

    def _legal(self) -> str:
        """Make the function that gives those of several answers for which the condition holds."""
        m, ask = self.m, self.ask
        assert ask.whole is not None
        name = f"legal{self.number}"
        each = ir.Type("set", elem=self.static.type)
        answers = ir.Local(name=MEMBERS, type=ir.Type("list", elem=each))
        found = legal_ones(m, ask, ask.whole, answers)
        self._function(name, [m.local(MEMBERS)], returning(m, found))
        return name

    def _function(self, name: str, params: list[str], body: list[ast.stmt]) -> None:
        m = self.m
        names = [m.local(each) for each in self.extra]
        start: list[ast.stmt] = [q.unpack(names, q.name("env"))] if names else []
        m.function(name, [S, "env", *params], [*start, *body], self.ask.span)

    def _text(self, prompt: ir.Prompt) -> ast.expr:
        """A text with the names of values in it."""
        m = self.m
        made: list[ast.expr] = [
            q.const(part)
            if isinstance(part, str)
            else q.call("title", value(m, part), writes.type_of(m, part.type))
            for part in prompt.parts
        ]
        if not made:
            return q.const("")
        if len(made) == 1:
            return made[0]
        result = made[0]
        for part in made[1:]:
            result = q.arith(result, "+", part)
        return result

    def _policy(self) -> str:
        """The function of the policy: (state, env, draws, options) to an answer or None."""
        m, ask = self.m, self.ask
        name = f"policy{self.number}"
        draw, given = q.name("draw"), q.name(m.local(MEMBERS))
        params = ["draw", m.local(MEMBERS)]
        if self.form == "yes" and ask.yes_when is not None:
            self._function(name, params, [q.give(cond(m, ask.yes_when))])
            return name
        body: list[ast.stmt] = []
        if self.form == "label":
            for number, each in enumerate(ask.alternatives):
                if each.automa is not None:
                    offered = q.compare(q.const(number), "in", given)
                    test = q.and_([offered, cond(m, each.automa)])
                    body.append(q.if_(test, [q.give(q.const(number))]))
        if self.form == "action" and any(each.utility is not None for each in ask.instances):
            self._function(name, params, self._action_policy(given))
            return name
        policy = ask.policy
        if policy is None:
            if not body:
                return ""
            self._function(name, params, [*body, q.give(q.const(None))])
            return name
        of = ir.Type("set", elem=self.static.type)
        members = ir.Local(name=MEMBERS, type=of)
        if self.form == "set":
            body += self._set_policy(policy, members)
        elif policy.keys:
            best = value(m, best_ones(m, ask, policy.keys, members))
            found = m.temp()
            body.append(q.assign(found, q.or_([best, given])))
            result = q.name(found)
            if policy.random:
                body.append(q.give(q.method(draw, "pick", result)))
            else:
                body.append(q.give(q.sub(result, q.const(0))))
        elif policy.random:
            body.append(q.give(q.method(draw, "pick", given)))
        else:
            body.append(q.give(q.sub(given, q.const(0))))
        self._function(name, params, body)
        return name

    def _action_policy(self, given: ast.expr) -> list[ast.stmt]:
        """The first of the legal instances that is wanted most; None if none is."""
        m, ask = self.m, self.ask
        row, best, most, wish, player = (m.temp() for _ in range(5))
        tests: list[ast.stmt] = []
        for number, instance in reversed(list(enumerate(ask.instances))):
            if instance.utility is None:
                continue
            own = [m.local(name) for name in instance.params]
            at = [q.sub(q.name(row), q.const(place)) for place in range(1, len(own))]
            bind = [q.assign(own[0], q.name(player)), *map(q.assign, own[1:], at)]
            wanted = q.assign(wish, value(m, instance.utility))
            here = q.compare(q.sub(q.name(row), q.const(0)), "==", q.const(number))
            tests = [q.if_(here, [*bind, wanted], tests)]
        keep = [q.assign(best, q.name(row)), q.assign(most, q.name(wish))]
        better = q.if_(q.compare(q.name(wish), ">", q.name(most)), keep)
        each = [q.assign(wish, q.const(0)), *tests, better]
        return [
            q.assign(player, value(m, ask.chooser)),
            q.assign(best, q.const(None)),
            q.assign(most, q.const(0)),
            q.for_(row, given, [q.if_(q.not_(q.is_none(q.name(row))), each)]),
            q.give(q.name(best)),
        ]

    def _set_policy(self, policy: ir.Policy, members: ir.Local) -> list[ast.stmt]:
        """``$members`` is the domain here."""
        m = self.m
        draw, given = q.name("draw"), q.name(m.local(MEMBERS))
        if policy.random and not policy.keys and policy.wanted is None:
            return [q.give(q.method(given, "sample", draw))]
        ranked: ast.expr = q.attribute(given, "order")
        if policy.random:
            ranked = q.method(draw, "mix", ranked)
        order = m.temp()
        body: list[ast.stmt] = [q.assign(order, ranked)]
        if policy.keys:
            rows, each = m.temp(), m.temp()
            bind: list[ast.stmt] = [q.assign(m.local(key.var), q.name(each)) for key in policy.keys]
            number = q.call("len", q.name(rows))
            row = q.tuple_([*rank_parts(m, policy.keys), number, q.name(each)])
            body += [
                q.assign(rows, ast.List([], q.LOAD)),
                q.for_(
                    each,
                    q.name(order),
                    [*bind, q.do(q.method(q.name(rows), "append", row))],
                ),
                q.assign(order, q.call("in_order", q.name(rows))),
            ]
        del members
        if policy.wanted is None:
            return [*body, q.give(q.method(given, "greedy", q.name(order)))]
        wanted, each = m.temp(), m.temp()
        keep: ast.stmt = q.do(q.method(q.name(wanted), "append", q.name(each)))
        body += [
            q.assign(wanted, ast.List([], q.LOAD)),
            q.for_(
                each,
                q.name(order),
                [
                    q.assign(m.local(policy.wanted.var), q.name(each)),
                    q.if_(cond(m, policy.wanted.body), [keep]),
                ],
            ),
        ]
        return [*body, q.give(q.method(given, "greedy", q.name(order), q.name(wanted)))]

    # -------------------------------------------------------------------------------- the question

    def env(self) -> ast.expr:
        """What the functions need to know."""
        return q.tuple_([q.name(self.m.local(name)) for name in self.extra])

    def step(self, otherwise: Steps, then: Steps) -> Step:
        """The question."""
        ask = self.ask
        if not otherwise and ask.otherwise is None:
            text = f"there is nothing to choose from ({self.static.path})"
            otherwise = (
                Native(
                    make=lambda: [q.do(q.call("fault", q.const(text), q.const(NO_OPTION)))],
                    span=ask.span,
                    cites=ask.cites,
                ),
            )
        always = self.form == "yes" or (
            self.form == "label" and any(each.cond is None for each in ask.alternatives)
        )
        return Question(
            prepare=self._prepare,
            some=None if always else self._some,
            alone=self._alone,
            ask=self._call,
            name=ask.name,
            decision=ask.decision,
            reads=self.reads,
            otherwise=() if always else otherwise,
            then=then,
            span=ask.span,
            cites=ask.cites,
        )

    def _prepare(self) -> list[ast.stmt]:
        m, ask = self.m, self.ask
        body: list[ast.stmt] = []
        player = value(m, ask.chooser)
        if can_be_none(m, ask.chooser):
            player = q.call("need", player)
        body.append(q.assign(self.player, player))
        o = self.offered
        match self.form:
            case "yes":
                return body
            case "label":
                return [*body, *self._labels()]
            case "action":
                return [*body, *self._actions()]
            case _:
                pass
        assert ask.options is not None
        options = value(m, ask.options)
        if ask.options.type.shape == "list":
            options = q.call("distinct", options)
        if self.easy:
            return [*body, *assigned(m, ask.options, o), *self._sizes()]
        if self.form != "set" and not self.alike and ask.options.type.shape == "set":
            return [*body, *assigned(m, ask.options, o, listed=True)]
        if self.form == "set":
            least = q.const(0) if ask.at_least is None else value(m, ask.at_least)
            most = q.const(None) if ask.at_most is None else value(m, ask.at_most)
            made = q.method(
                q.name(G),
                "legal_sets" if self.at_once else "sets",
                q.name(S),
                q.const(self.number),
                options,
                least,
                most,
                self.env(),
            )
            return [*body, q.assign(o, made)]
        if self.alike:
            of = writes.type_of(m, self.static.type)
            options = q.call("groups", q.name(S), options, of)
        return [*body, q.assign(o, options)]

    def _sizes(self) -> list[ast.stmt]:
        """How many must and can be taken."""
        m, ask = self.m, self.ask
        size = q.call("len", q.name(self.offered))
        least = q.const(0) if ask.at_least is None else value(m, ask.at_least)
        body: list[ast.stmt] = [q.assign(self.most, size)]
        if ask.at_least is not None and not isinstance(ask.at_least, ir.Const):
            least = q.call("most", least, q.const(0))
        body.append(q.assign(self.least, least))
        if ask.at_most is not None:
            given = value(m, ask.at_most)
            if can_be_none(m, ask.at_most):
                given = q.call("at_most", given, q.name(self.most))
            else:
                given = q.call("least", given, q.name(self.most))
            body.append(q.assign(self.most, given))
        return body

    def _labels(self) -> list[ast.stmt]:
        m, o = self.m, self.offered
        tests = [each.cond for each in self.ask.alternatives]
        if all(test is None for test in tests):
            return [q.assign(o, q.const(tuple(range(len(tests)))))]
        body: list[ast.stmt] = [q.assign(o, ast.List([], q.LOAD))]
        for number, test in enumerate(tests):
            keep: ast.stmt = q.do(q.method(q.name(o), "append", q.const(number)))
            body.append(keep if test is None else q.if_(cond(m, test), [keep]))
        return body

    def _actions(self) -> list[ast.stmt]:
        """All legal instances, and None for none of them if there is one."""
        m, o = self.m, self.offered
        body: list[ast.stmt] = [q.assign(o, ast.List([], q.LOAD))]
        for number, instance in enumerate(self.ask.instances):
            own = [m.local(name) for name in instance.params]
            args = [q.name(name) for name in own[1:]]
            allowed = q.call(
                m.definition(instance.permission), q.name(S), q.name(self.player), *args
            )
            row = q.tuple_([q.const(number), *args])
            inner: list[ast.stmt] = [q.if_(allowed, [q.do(q.method(q.name(o), "append", row))])]
            for name, source in reversed(list(zip(own[1:], instance.sources, strict=True))):
                inner = stream(m, source, name, inner)
            if own:
                body.append(q.assign(own[0], q.name(self.player)))
            body += inner
        over = q.compare(q.call("len", q.name(o)), ">", q.const(10_000))
        text = "more than 10,000 actions on offer"
        body.append(q.if_(over, [q.do(q.call("exhausted", q.const(text)))]))
        none = q.do(q.method(q.name(o), "append", q.const(None)))
        return [*body, q.if_(q.name(o), [none])]

    def _some(self) -> ast.expr:
        if self.easy:
            return q.compare(q.name(self.least), "<=", q.name(self.most))
        if self.form == "set":
            return q.method(q.name(G), "any_set", q.name(self.offered))
        return q.name(self.offered)

    def _call(self) -> ast.expr:
        offered: ast.expr = q.name(self.offered)
        if self.form == "yes":
            offered = q.const((True, False))
        if self.easy:
            return q.method(
                q.name(G),
                "choose_set",
                q.name(S),
                q.const(self.number),
                q.name(self.player),
                offered,
                q.name(self.least),
                q.name(self.most),
                self.env(),
            )
        ask = "choose"
        if self.form == "set":
            ask = "choose_slowly"
        elif self.alike:
            ask = "choose_alike"
        return q.method(
            q.name(G),
            ask,
            q.name(S),
            q.const(self.number),
            q.name(self.player),
            offered,
            self.env(),
        )

    def _alone(self, asked: MakeAll) -> list[ast.stmt]:
        """Take a sole answer or the policy's, else ask."""
        m, ask = self.m, self.ask
        name = m.local(ask.name)
        o = q.name(self.offered)
        info = m.asks[self.number]
        automa = q.state(
            q.arith(
                q.const(m.layout.offsets[m.program.automa_field] or 0), "+", q.name(self.player)
            )
        )
        always = False
        if info.policy:
            always = self._always()
            draw = (
                q.method(q.name(G), "draws", q.name(S), q.const(info.slot), q.const(info.path))
                if info.slot >= 0
                else q.const(None)
            )
            members: ast.expr = o
            if self.form == "yes":
                members = q.const(None)
            elif self.alike and self.form != "set":
                members = q.call("members", o)
            given = self._inline_policy(info) or q.call(
                info.policy, q.name(S), self.env(), draw, members
            )
            if self.easy:
                given = self._easy_policy(given)
            elif self.form == "set":
                if self.at_once:
                    assert isinstance(given, ast.Call)
                    given.args[-1] = q.walrus(self.offered, q.method(q.name(G), "domain", o))
                    given = q.method(q.name(G), "policy_set", given, o)
                else:
                    given = q.method(q.name(G), "set_answer", o, given)
            elif self.alike:
                given = q.call("first_alike", o, given)
            by_policy: list[ast.stmt] = [q.assign(name, given)]
            if self.form == "label" and not always:
                by_policy.append(q.if_(q.is_none(q.name(name)), self._no_policy()))
            by_policy.append(q.do(q.method(q.name(G), "count", q.name(S))))
            by_policy += self._log(q.name(name), "policy")
        else:
            by_policy = self._no_policy()
        ask_or_policy: list[ast.stmt] = [q.if_(automa, by_policy, asked())]
        if self.form in ("yes", "action") or self._all_stand():
            return ask_or_policy
        if self.easy:
            least, most = q.name(self.least), q.name(self.most)
            size = q.call("len", o)
            alone = q.or_(
                [
                    q.not_(most),
                    q.compare(most, "==", size),
                    q.method(q.name(G), "one_set", q.name(S), q.const(self.number), o),
                ]
            )
            sole = q.and_([q.compare(least, "==", most), alone])
            found = q.sub(o, ast.Slice(None, most, None))
        elif self.form == "set":
            sole = q.method(q.name(G), "sole_set", o)
            found = q.method(q.name(G), "the_set", o)
        else:
            sole = q.compare(q.call("len", o), "==", q.const(1))
            found = q.sub(o, q.const(0))
            if self.alike:
                found = q.sub(found, q.const(0))
        take: list[ast.stmt] = [q.assign(name, found), *self._log(q.name(name), "sole")]
        if m.flags.forced:
            return [q.if_(automa, [q.if_(sole, take, by_policy)], asked())]
        return [q.if_(sole, take, ask_or_policy)]

    def _all_stand(self) -> bool:
        """Is it a choice between several labels none of which has a condition?"""
        each = self.ask.alternatives
        return self.form == "label" and len(each) > 1 and all(one.cond is None for one in each)

    def _always(self) -> bool:
        """Does the policy surely name a label?"""
        return any(
            each.cond is None and isinstance(each.automa, ir.Const) and each.automa.value is True
            for each in self.ask.alternatives
        )

    def _inline_policy(self, info: Asking) -> ast.expr | None:
        """A policy that is an expression, without a call of its function."""
        m, ask = self.m, self.ask
        if not m.flags.optimise:
            return None
        o = q.name(self.offered)
        if self.form == "yes" and ask.yes_when is not None:
            return cond(m, ask.yes_when)
        if self.form == "label" and ask.policy is None:
            result: ast.expr = q.const(None)
            for number, each in reversed(list(enumerate(ask.alternatives))):
                if each.automa is None:
                    continue
                offered = q.compare(q.const(number), "in", o)
                test = q.and_([offered, cond(m, each.automa)])
                if isinstance(each.automa, ir.Const) and each.automa.value is True:
                    test = offered
                    if each.cond is None:
                        result = q.const(number)
                        continue
                result = q.if_else(test, q.const(number), result)
            return result
        policy = ask.policy
        if self.form not in ("one", "order") or self.alike or policy is None:
            return None
        found = o
        if policy.keys:
            of = ir.Type("set", elem=self.static.type)
            members = ir.Local(name=MEMBERS, type=of)
            best = m.helper(
                "value",
                best_ones(m, ask, policy.keys, members),
                lambda like: returning(m, like),
            )
            assert isinstance(best, ast.Call)
            own = m.local(MEMBERS)
            best.args = [
                o if isinstance(arg, ast.Name) and arg.id == own else arg for arg in best.args
            ]
            found = q.or_([best, o])
        if policy.random:
            return q.call(
                "draw_one", q.name(G), q.name(S), q.const(info.slot), q.const(info.path), found
            )
        return q.sub(found, q.const(0))

    def _easy_policy(self, given: ast.expr) -> ast.expr:
        """The policy's set; without an order simply the first ones."""
        policy = self.ask.policy
        o = q.name(self.offered)
        if policy is None or not (policy.keys or policy.random or policy.wanted):
            return q.sub(o, ast.Slice(None, q.name(self.most), None))
        made = q.method(
            q.name(G),
            "sets",
            q.name(S),
            q.const(self.number),
            o,
            q.name(self.least),
            q.name(self.most),
            self.env(),
        )
        domain = self.m.temp()
        assert isinstance(given, ast.Call)
        given.args[-1] = q.walrus(domain, made)
        return q.method(q.name(G), "policy_set", given, q.name(domain))

    def _no_policy(self) -> list[ast.stmt]:
        text = f"there is no policy for {self.static.path}"
        return [q.do(q.call("fault", q.const(text), q.const(NO_OPTION)))]

    def _log(self, answer: ast.expr, by: str) -> list[ast.stmt]:
        base = self.m.program.kinds[0].base
        seat: ast.expr = q.name(self.player)
        if base:
            seat = q.arith(seat, "-", q.const(base))
        return writes.log(
            self.m, q.const("answer"), q.const(self.static.index), seat, answer, q.const(by)
        )


def question(m: Module, ask: ir.Ask, otherwise: Steps, then: Steps) -> Steps:
    """The steps of a question."""
    if m.program.decisions[ask.decision].form in ("one", "order", "set") and ask.options is None:
        text = "a choice without options"
        return (
            Native(
                make=lambda: [q.do(q.call("fault", q.const(text), q.const(NO_OPTION)))],
                span=ask.span,
            ),
        )
    return (_Asker(m, ask).step(otherwise, then),)


def order_question(m: Module, decision: int, span: ir.Span) -> int:
    """Number of the question which of several replacements comes first; labels come with it."""
    m.asks.append(
        Asking(
            decision=decision,
            form="label",
            span=(span.file, span.line, span.column, span.end_line, span.end_column),
        )
    )
    return len(m.asks) - 1
