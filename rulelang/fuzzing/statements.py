"""Random blocks of lines, branches and loops."""

from __future__ import annotations

from rulelang.fuzzing.decisions import Decisions
from rulelang.fuzzing.scope import Scope, Var
from rulelang.fuzzing.text import MOST_ASKS, Lines, block
from rulelang.fuzzing.world import (
    NUM,
    required,
    thing,
    word,
)


class Statements(Decisions):
    """Writes blocks."""

    def body(self, scope: Scope, depth: int, most: int = 4) -> Lines:
        """Some lines; names bound in them are known to the end of them."""
        lines: Lines = []
        for _ in range(self.dice.between(1, most)):
            lines += self.line(scope, depth)
        return lines or ["do nothing"]

    def line(self, scope: Scope, depth: int) -> Lines:
        """A line, or several that belong together."""
        self.work, self.factor = 0, 1
        self.cost += 2 * self.times
        asking = scope.asks and self.asks + self.times <= MOST_ASKS
        deep = depth > 0
        make = self.dice.weighted(
            [
                (8, self.let_line),
                (8, self.become_line),
                (8, self.change_line),
                (5 if scope.moves else 0, self.move_line),
                (5 if scope.draws else 0, self.draw_line),
                (7 if scope.calls else 0, self.call_line),
                (2, self.given_line),
                (6 if deep else 0, lambda s: self.if_lines(s, depth)),
                (5 if deep else 0, lambda s: self.each_lines(s, depth)),
                (2 if deep else 0, lambda s: self.while_lines(s, depth)),
                (3 if deep and scope.calls else 0, self.lasting_lines),
                (2, self.passing_line),
                (2 if scope.ends else 0, self.end_lines),
                (5 if asking else 0, self.choose_lines),
                (4 if asking else 0, self.choose_set_lines),
                (4 if asking and deep else 0, lambda s: self.may_lines(s, depth)),
                (4 if asking and deep else 0, lambda s: self.label_lines(s, depth)),
                (5 if asking and scope.calls else 0, self.action_lines),
                (2 if asking and deep else 0, lambda s: self.secret_lines(s, depth)),
            ]
        )
        return make(scope)

    def inner(self, scope: Scope, depth: int, times: int = 1, most: int = 3) -> Lines:
        """A block that is run so often for each time that the place is reached."""
        before, self.times = self.times, self.times * times
        lines = self.body(scope, depth - 1, most)
        self.times = before
        return lines

    def if_lines(self, scope: Scope, depth: int) -> Lines:
        """A branch; sometimes one that makes sure of something."""
        maybe = [
            var
            for var in scope.vars
            if var.type.optional and not var.state and var.name not in self.tested
        ]
        if maybe and self.dice.chance(40):
            var = self.dice.pick(maybe)
            self.test(var.name)
            inner = scope.child()
            inner.vars = [
                v if v is not var else Var(v.name, required(v.type), changes=v.changes)
                for v in inner.vars
            ]
            return block(f"if {var.name} is not none:", self.inner(inner, depth))
        unions = [
            var
            for var in scope.vars
            if var.type.shape == "thing" and len(var.type.of) > 1 and not var.type.optional
        ]
        unions = [var for var in unions if not var.state and var.name not in self.tested]
        if unions and self.dice.chance(40):
            var = self.dice.pick(unions)
            self.test(var.name)
            kind = self.dice.pick(var.type.of)
            inner, other = scope.child(), scope.child()
            rest = tuple(each for each in var.type.of if each != kind)
            inner.vars = [v if v is not var else Var(v.name, thing(kind)) for v in inner.vars]
            other.vars = [v if v is not var else Var(v.name, thing(*rest)) for v in other.vars]
            lines = block(f"if {var.name} is {kind}:", self.inner(inner, depth))
            return lines + block("else:", self.inner(other, depth))
        phases = [
            made
            for made in self.signatures
            if made.form == "phase" and made not in scope.during and made.keeps
        ]
        if phases and self.dice.chance(25):
            phase = self.dice.pick(phases)
            inner = scope.child()
            inner.during.append(phase)
            return block(f"if during({phase.name}):", self.inner(inner, depth))
        lines = block(f"if {self.flag(scope)}:", self.inner(scope.child(), depth))
        if self.dice.chance(20):
            lines += block(f"else if {self.flag(scope, 1)}:", self.inner(scope.child(), depth))
        if self.dice.chance(40):
            lines += block("else:", self.inner(scope.child(), depth))
        return lines

    def each_lines(self, scope: Scope, depth: int) -> Lines:
        """A loop over a set, a list, numbers or a bag."""
        inner = scope.child()
        form = self.dice.weighted([(3, "range"), (8, "set"), (2, "bag"), (2, "list")])
        if form == "range":
            name = self.fresh(NUM)
            inner.vars.append(Var(name, NUM))
            head = (
                f"each {name} in 1..{self.dice.pick(('2', '3', f'min(3, {self.num(scope, 1)})'))}:"
            )
        elif form == "bag":
            one, two = self.fresh(word("Good")), self.fresh(NUM)
            source = self.bag("Good", scope)
            inner.vars.append(Var(one, word("Good")))
            head = f"each {one} in {source}:"
            if self.dice.chance(70):
                inner.vars.append(Var(two, NUM))
                head = f"each {one}, {two} in {source}:"
        elif form == "list":
            player = self.fresh(thing("Player"))
            inner.vars.append(Var(player, thing("Player")))
            start = self.thing(thing("Player"), scope, 0)
            sorted_ = f"Player by {self.ordering(thing('Player'), chance=True)}"
            head = f"each {player} in {self.dice.pick((f'clockwise({start})', sorted_))}:"
        else:
            source, elem = self.source(scope, 2)
            if elem.shape == "thing" and self.dice.chance(50):
                source = f"top({source}, {self.dice.between(1, 3)})"
            name = self.fresh(elem)
            inner.vars.append(Var(name, elem))
            if self.dice.chance(20):
                source = (
                    f"{source} {self.dice.pick(('by', 'with'))} {self.ordering(elem, chance=True)}"
                )
            head = f"each {name} in {source}:"
        return block(head, self.inner(inner, depth, times=3, most=2))

    def while_lines(self, scope: Scope, depth: int) -> Lines:
        """A loop with a counter."""
        name = self.fresh(NUM)
        scope.vars.append(Var(name, NUM))
        inner = scope.child()
        more = f" and {self.flag(scope, 1)}" if self.dice.chance(40) else ""
        step = [f"{name} becomes {name} + {self.dice.between(1, 2)}"]
        body = self.inner(inner, depth, times=3, most=2)
        return [
            f"let {name} = 0",
            *block(f"while {name} < {self.dice.between(1, 3)}{more}:", step + body),
        ]
