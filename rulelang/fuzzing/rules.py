"""Random rules about doings: hooks, state rules, exceptions that stand elsewhere, cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.fuzzing.meanings import Meanings
from rulelang.fuzzing.scope import Scope, Signature, Var
from rulelang.fuzzing.text import Lines, block
from rulelang.fuzzing.world import (
    NUM,
    T,
    thing,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.fuzzing.world import Field


class Rules(Meanings):
    """Writes rules about doings."""

    hooked: list[Signature]

    def make_rules(self) -> list[Lines]:
        """Rules about doings, state rules, exceptions elsewhere, and promises."""
        parts = [self.rule(Scope(calls=True)) for _ in range(self.dice.between(3, 8))]
        named = [lines[0].split(":")[0] for lines in parts if lines[0].startswith("rule")]
        if named and self.dice.chance(30):
            parts.append([f"drop {self.dice.pick(named)}"])
        if self.dice.chance(40):
            parts.append(['always "nothing is owed": sum(Player.gold) >= 0'])
        if self.dice.chance(25):
            scope = Scope(calls=False)
            parts.append([f'always "so it is": {self.flag(scope, 1)} or count(Token) > 2'])
        return parts

    def rule(self, scope: Scope, *, lasting: bool = False) -> Lines:
        """One rule."""
        self.start()
        make = self.dice.weighted(
            [
                (6, self.named_hook),
                (4, self.change_hook),
                (3, self.other_hook),
                (3, self.state_rule),
                (3, self.clause),
                (2, self.drop),
            ]
        )
        lines = make(scope)
        if (
            lines
            and not lasting
            and not scope.you
            and self.dice.chance(15)
            and lines[0].split()[0] in ("before", "after", "instead", "when")
        ):
            lines = [f"{self.fresh('rule')}: {lines[0]}", *lines[1:]]
        return lines

    def rules_in(self, scope: Scope) -> Lines:
        """Rules for a lasting block."""
        inner = scope.frozen()
        inner.inside, inner.during, inner.ends = None, [], []
        saved = self.cost, self.asks, self.times, self.tested
        outside, self.held = self.held, self.held | self.tested
        lines: Lines = []
        for _ in range(self.dice.between(1, 2)):
            lines += self.rule(inner, lasting=True)
        self.cost, self.asks, self.times, self.tested = saved
        self.held = outside
        self.cost += 30 * self.times
        return lines or block("after game:", ["do nothing"])

    def conditions(
        self,
        scope: Scope,
        *,
        once: bool = True,
        players: list[str] | None = None,
        asks: bool = True,
    ) -> str:
        """The condition of a rule, `once`, and a question."""
        text = f" when {self.flag(scope, 1)}" if self.dice.chance(40) else ""
        text += " once" if once and self.dice.chance(15) else ""
        people = ["you"] if scope.you else players or []
        if asks and people and self.dice.chance(40):
            text += f", {self.dice.pick(people)} may {self.prompt(Scope())}{self.policy_of_question(scope)}"
        return text

    def named_hook(self, scope: Scope) -> Lines:
        """A rule about a named doing."""
        made = (
            self.dice.pick(self.hooked)
            if self.hooked and self.dice.chance(40)
            else self.dice.pick(self.signatures)
        )
        self.hooked.append(made)
        timing = self.dice.pick(("before", "after", "after", "instead of"))
        inner = scope.child()
        inner.order = max(scope.order, made.order)
        inner.asks = self.dice.chance(60)
        inner.inside = None
        inner.ends = [made, *self.around(made)]
        if made.form == "phase" and made.steps and self.dice.chance(35):
            steps = made.plain_steps if timing == "instead of" else made.steps
            if steps:
                if timing != "before":
                    inner.during = [*inner.during, made] if timing == "instead of" else inner.during
                inner.during = [*scope.during, made]
                head = f"{timing} {made.name}.{self.dice.pick(steps)}{self.conditions(inner)}:"
                return block(head, self.small_body(inner, 1))
        names: list[tuple[str, T]] = []
        fixed: list[str] = []
        for _, of in made.params:
            fix = self.dice.chance(15)
            if fix and of.shape == "word":
                fixed.append(self.dice.pick(self.world.enums[of.of[0]]))
            elif fix and of.shape == "num" and of.low is not None:
                fixed.append(str(self.dice.between(0, 2)))
            elif fix and of == thing("Player") and scope.you:
                fixed.append("you")
            else:
                narrow = (
                    thing(self.dice.pick(of.of))
                    if of.shape == "thing" and len(of.of) > 1 and self.dice.chance(50)
                    else of
                )
                name = self.fresh("x") if narrow.optional else self.fresh(narrow)
                names.append((name, narrow))
                fixed.append(name)
        brackets = self.dice.chance(80) or timing == "instead of"
        pattern = f"({', '.join(fixed)})" if fixed and brackets else ""
        if not pattern:
            names = []
        result = ""
        changes = timing == "before"
        inner.vars += [Var(name, of, changes=changes) for name, of in names]
        if timing == "after" and made.result is not None and self.dice.chance(60):
            result = self.fresh(made.result) if not made.result.optional else self.fresh("x")
            inner.vars.append(Var(result, made.result, changes=True))
        players = [name for name, of in names if of == thing("Player")]
        given = f" = {result}" if result else ""
        conditions = self.conditions(inner, players=players)
        head = f"{timing} {made.name}{pattern}{given}{conditions}:"
        body = self.small_body(inner, 1)
        if result and self.dice.chance(70):
            body.append(f"{result} becomes {self.arg(made.result or NUM, inner, 1)}")
        if timing == "before":
            changed = [
                (name, of) for name, of in names if of.shape in ("num", "word", "flag", "thing")
            ]
            if changed and self.dice.chance(60):
                name, of = self.dice.pick(changed)
                body.append(f"{name} becomes {self.arg(of, inner, 1)}")
            elif self.dice.chance(15):
                body.append(
                    f"if {self.flag(inner, 1)}: {self.end_of(made, inner)}"
                    if made.form != "rows"
                    else "do nothing"
                )
        if timing == "instead of":
            same = len(names) == len(made.params)
            if same and made.form != "action" and self.dice.chance(50):
                call = (
                    f"{made.name}({', '.join(name for name, _ in names)})" if names else made.name
                )
                if made.result is None:
                    body.append(f"do {call}")
                else:
                    back = self.fresh(made.result)
                    body.append(f"let {back} = {call}")
                    body.append(f"end {made.name} with {back}")
                    return block(head, body)
            if made.result is not None:
                body.append(self.end_of(made, inner))
        return block(head, body)

    def small_body(self, scope: Scope, depth: int) -> Lines:
        """A short body of a rule."""
        self.cost, self.asks, self.times = 0, 0, 6
        return self.body(scope, depth, 2)

    def change_hook(self, scope: Scope) -> Lines:
        """A rule about gains or losses."""
        holders = [
            (kind, f)
            for kind in self.world.kinds
            for f in self.mutable(kind)
            if f.type.shape == "num" and not f.key
        ]
        kind, field = self.dice.pick(holders)
        timing = self.dice.pick(("before", "after", "instead of"))
        verb = self.dice.pick(("gains", "loses"))
        inner = scope.child()
        inner.level, inner.calls, inner.inside, inner.moves = (
            field.order,
            False,
            None,
            self.dice.chance(50),
        )
        # What may keep a state rule from ending its state must not ask: the game would never end.
        endless = timing != "after" and verb == "loses"
        inner.asks = self.dice.chance(45) and not endless
        wide = self.dice.chance(30)
        who, amount = self.fresh(thing(kind)), self.fresh(NUM)
        if scope.you and kind == "Player" and self.dice.chance(50):
            who = "you"
        elif wide:
            who = self.fresh("who")
        else:
            inner.vars.append(Var(who, thing(kind)))
        inner.vars.append(Var(amount, T("num", low=0), changes=timing == "before"))
        other = ""
        if self.dice.chance(30):
            word_ = "from" if verb == "gains" else "to"
            partner = self.dice.pick(("supply", "other", self.fresh("partner")))
            other = f" {word_} {partner}"
        players = [who] if kind == "Player" and not wide else []
        conditions = self.conditions(inner, players=players, asks=not endless)
        head = f"{timing} {who} {verb} {amount} {field.name}{other}{conditions}:"
        body = self.small_body(inner, 1)
        if timing == "before" and self.dice.chance(60):
            body.append(
                f"{amount} becomes {self.dice.pick((f'max(0, {amount} - 1)', f'{amount} + 1', '0', '1'))}"
            )
        if timing == "instead of" and not wide and who != "you" and self.dice.chance(50):
            body.append(f"{who} {verb} up to {self.dice.pick(('1', amount))} {field.name}")
        return block(head, body)

    def other_hook(self, scope: Scope) -> Lines:
        """A rule about a move or a roll."""
        inner = scope.child()
        inner.calls, inner.inside, inner.asks = False, None, self.dice.chance(45)
        timing = self.dice.pick(("before", "after", "after", "instead of"))
        if self.dice.chance(50):
            die = self.dice.pick([*self.world.dice, *self.world.enums])
            of = T("num", low=1, high=self.world.dice[die]) if die in self.world.dice else word(die)
            by = ""
            if self.dice.chance(40):
                player = self.fresh(thing("Player"))
                inner.vars.append(Var(player, thing("Player")))
                by = f" by {player}"
            if timing == "instead of":
                timing = "after"
            result = ""
            if timing == "after" and self.dice.chance(70):
                name = self.fresh(of)
                inner.vars.append(Var(name, of, changes=True))
                result = f" = {name}"
            head = f"{timing} roll {die}{by}{result}{self.conditions(inner)}:"
            inner.draws = False
            body = self.small_body(inner, 1)
            if result:
                body.append(f"{result[3:]} becomes {self.arg(of, inner, 1)}")
            return block(head, body)
        kind = self.dice.pick(("Token", "Unit", "Card"))
        inner.moves = self.dice.chance(10)
        inner.level = 0
        inner.asks = inner.asks and timing == "after"
        name = self.fresh(thing(kind))
        if scope.this and kind == "Card" and self.dice.chance(40):
            name = "this"
        else:
            inner.vars.append(Var(name, thing(kind)))
        places = self.world.kinds[kind].places
        choices = ["none", "box"] if kind != "Card" else ["box", "board.heap"]
        choices += [*places]
        if places:
            new = self.fresh(thing(places[0]))
            choices.append(new)
        place = self.dice.pick(choices)
        if places and place == choices[-1]:
            inner.vars.append(Var(place, thing(places[0])))
        conditions = self.conditions(inner, asks=timing == "after")
        head = f"{timing} move {name} to {place}{conditions}:"
        body = self.small_body(inner, 1)
        if timing == "instead of" and name != "this" and kind != "Card" and self.dice.chance(50):
            body.append(
                f"move {name} to {self.dice.pick(('none', self.thing(thing(self.dice.pick(places)), inner)))}"
            )
        return block(head, body)

    def field_of_things(self, fits: Callable[[Field], bool]) -> tuple[str, Field]:
        """Pick a kind of which there are several things, and a field of it that changes."""
        found = [
            (kind, field)
            for kind in self.world.kinds
            if kind != "Board"
            for field in self.mutable(kind)
            if fits(field)
        ]
        return self.dice.pick(found)

    def borrowed(self, of: T, scope: Scope) -> str:
        """A new name for a rule, or one that a doing has for something of its own."""
        here = {var.name for var in scope.vars}
        found = [
            name
            for made in self.signatures
            for name, each in made.params
            if each == of and name not in here
        ]
        return self.dice.pick(found) if found and self.dice.chance(50) else self.fresh(of)

    def state_rule(self, scope: Scope) -> Lines:
        """A rule about a state, which it ends."""
        inner = scope.child()
        inner.calls, inner.inside, inner.asks, inner.moves = (
            False,
            None,
            self.dice.chance(40),
            False,
        )
        form = self.dice.below(4)
        if form == 0:
            kind, field = self.field_of_things(
                lambda f: f.type.shape == "num" and not f.key and f.type.low == 0
            )
            name = self.borrowed(thing(kind), scope)
            most = self.dice.between(2, 5)
            cond, end = (
                f"{name}.{field.name} >= {most}",
                f"{name} loses up to {self.dice.between(1, most)} {field.name}",
            )
            inner.level = field.order
        elif form == 1:
            kind, field = self.field_of_things(lambda f: f.type.shape == "flag")
            name = self.borrowed(thing(kind), scope)
            cond, end = f"{name}.{field.name}", f"{name}.{field.name} becomes no"
            inner.level = field.order
        elif form == 2:
            kind = "Token"
            name = self.borrowed(thing(kind), scope)
            site = self.fresh(thing("Site"))
            cond, end = (
                f"{name}.place is {site} and {site}.gold > {self.dice.between(1, 3)}",
                f"{site} loses up to 3 gold",
            )
            inner.vars.append(Var(site, thing("Site")))
            inner.level = 1
        else:
            kind = self.dice.pick(("Token", "Unit"))
            name = self.borrowed(thing(kind), scope)
            cond, end = f"{name}.place is Site and {name}.value > 1", f"move {name} to none"
            inner.level = 3
        inner.vars.append(Var(name, thing(kind)))
        self.test(f"{name}.place")
        if self.dice.chance(30):
            cond += f" and {self.flag(inner, 1)}"
        body = self.small_body(inner, 1) if self.dice.chance(60) else []
        return block(f"when {cond}:", [end, *body])

    def clause(self, scope: Scope) -> Lines:
        """An exception to a definition that stands elsewhere."""
        found = [
            m
            for m in self.meanings
            if m.form in ("call", "property", "permission") and m.result.shape in ("num", "flag")
        ]
        if not found:
            return self.state_rule(scope)
        meaning = self.dice.pick(found)
        inner = scope.child()
        inner.meanings = meaning.order
        saved, self.reads = self.reads, meaning.order
        names = []
        for number, (_, of) in enumerate(meaning.params):
            if scope.you and of == thing("Player") and self.dice.chance(50):
                names.append("you")
                continue
            if number == 0 and meaning.form == "property":
                name = self.fresh(of)
            else:
                name = self.fresh("x") if of.optional else self.fresh(of)
            inner.vars.append(Var(name, of))
            names.append(name)
        if meaning.form == "property":
            head = f"{names[0]}.{meaning.name}" + (f"({', '.join(names[1:])})" if names[1:] else "")
        else:
            head = f"{meaning.name}({', '.join(names)})" if names else meaning.name
        when = f" when {self.flag(inner, 1)}"
        if meaning.result.shape == "num":
            line = f"{head}: {self.dice.pick('+-')}{self.dice.between(1, 3)}{when}"
        elif not meaning.unsigned:
            meaning.unsigned = True
            line = f"{head}: {self.dice.pick(('yes', 'no'))}{when}"
        else:
            self.reads = saved
            return self.state_rule(scope)
        self.reads = saved
        return [line]

    def drop(self, scope: Scope) -> Lines:
        """Lift a need of a permission, or an exception of a definition."""
        found = [m for m in self.meanings if m.needs]
        if not found:
            return self.state_rule(scope)
        meaning = self.dice.pick(found)
        inner = scope.child()
        inner.meanings = meaning.order
        saved, self.reads = self.reads, meaning.order
        inner.vars += [Var(name, of) for name, of in meaning.params]
        if meaning.form == "property":
            owner = meaning.params[0][1]
            inner.vars[-len(meaning.params)] = Var(owner.of[0].lower(), owner)
        line = f"drop {meaning.name}.{self.dice.pick(meaning.needs)} when {self.flag(inner, 1)}"
        self.reads = saved
        return [line]

    def card(self, name: str) -> Lines:
        """The rules of a card."""
        scope = Scope(you=self.world.acts != "board", this="Card")
        lines: Lines = []
        if self.dice.chance(50):
            kept = self.fresh("kept")
            lines.append(f"keeps {kept}: 0..9 = 0")
            scope.vars.append(Var(kept, T("num", low=0, high=9), changes=True))
        for _ in range(self.dice.between(1, 3)):
            lines += self.rule(scope)
        return block(f"card {name}:", lines)
