"""Random lines that change something: names, fields, places, chance, calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang.fuzzing.expressions import Expressions
from rulelang.fuzzing.scope import Scope, Signature, Var
from rulelang.fuzzing.text import MOST_ASKS, MOST_LINES, Lines, block, fits
from rulelang.fuzzing.world import (
    NUM,
    T,
    list_of,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.fuzzing.world import Field


class Changes(Expressions):
    """Writes lines that change something.

    Attributes:
        cost: Lines that one run of the doing written now takes.
        asks: Decisions likewise.
        times: How often the place written now is reached in one run.
        paths: How many prompts have been written.
        called: Names of the doings that the doing written now calls.
    """

    cost: int = 0
    asks: int = 0
    times: int = 1
    paths: int = 0
    called: set[str]

    def let_line(self, scope: Scope) -> Lines:
        """Bind a name."""
        of = self.any_type()
        if of.shape == "bag":
            text = f"({self.bag(of.of[0], scope, 0)} + {self.word_set(of.of[0])})"
        elif of.optional:
            found = [
                text for text in self.optional_texts(scope) if "." in text or text.startswith("its")
            ]
            kinds = {text: self.kinds_of(text, scope) for text in found}
            if not found:
                return self.change_line(scope)
            text = self.dice.pick(found)
            of = thing(*kinds[text], optional=True)
        else:
            of = thing(self.dice.pick(of.of)) if of.shape == "thing" else of
            text = self.expr(of, scope, 2)
            if of.shape == "set" and scope.draws and self.dice.chance(25):
                text = f"{text} with {self.ordering(of.member, chance=True)}"
        if of.shape == "num":
            of = NUM
        name = self.fresh(of)
        scope.vars.append(Var(name, of, changes=of.shape in ("num", "flag", "word")))
        return [f"let {name} = {text}"]

    def become_line(self, scope: Scope) -> Lines:
        """Change a name, a kept value or a field."""
        names = [var for var in scope.vars if var.changes]
        if names and self.dice.chance(30):
            var = self.dice.pick(names)
            return [f"{var.name} becomes {self.expr(var.type, scope, 2)}"]
        phases = [phase for phase in scope.during if phase.keeps]
        if phases and self.dice.chance(30):
            phase = self.dice.pick(phases)
            name, of = self.dice.pick(phase.keeps)
            until = self.until(scope) if self.dice.chance(15) else ""
            return [f"{self.kept(scope, phase, name)} becomes {self.new_value(of, scope)}{until}"]
        lent = [(kind, name, of) for phase in scope.during for kind, name, of in phase.lent]
        if lent and self.dice.chance(30):
            kind, name, of = self.dice.pick(lent)
            return [f"{self.thing(thing(kind), scope)}.{name} becomes {self.new_value(of, scope)}"]
        owner, field = self.changing(scope, lambda _: True)
        if owner is None or field is None:
            return ["do nothing"]
        key = f"({self.word_of(field.key, scope, 1)})" if field.key else ""
        until = self.until(scope) if self.dice.chance(20) else ""
        return [f"{owner}.{field.name}{key} becomes {self.new_value(field.type, scope)}{until}"]

    def new_value(self, of: T, scope: Scope) -> str:
        """The right side of `becomes`: a value, a draw or the result of a doing."""
        if of.shape == "num" and of.low is not None and scope.draws and self.dice.chance(15):
            faces = [name for name, n in self.world.dice.items() if of.high is None or n <= of.high]
            if faces and of.low <= 1:
                return f"roll {self.dice.pick(faces)}"
        if of.shape == "word" and scope.draws and self.dice.chance(15):
            return f"roll {of.of[0]}" if self.dice.chance(50) else f"pick {of.of[0]}"
        if of.shape == "thing" and scope.draws and self.dice.chance(15):
            return f"pick {self.dice.pick(of.of)}"
        if scope.calls and self.dice.chance(10):
            found = [
                made
                for made in self.callable(scope)
                if made.result is not None and fits(made.result, of)
            ]
            if found:
                return self.call_text(self.dice.pick(found), scope)
        return self.expr(of, scope, 2)

    def changing(
        self, scope: Scope, wanted: Callable[[Field], bool]
    ) -> tuple[str | None, Field | None]:
        """A thing and a field of it that may be changed here."""
        kinds = [
            kind
            for kind in self.world.kinds
            if any(f.order > scope.level and wanted(f) for f in self.mutable(kind))
        ]
        if not kinds:
            return None, None
        kind = self.dice.pick(kinds)
        fields = [f for f in self.mutable(kind) if f.order > scope.level and wanted(f)]
        return self.thing(thing(kind), scope), self.dice.pick(fields)

    def amount(self, scope: Scope) -> str:
        """An amount: never negative."""
        return self.dice.made(
            [
                (8, self.small),
                (2, lambda: f"max(0, {self.num(scope, 1)})"),
                (1, lambda: f"count({self.some_set(scope, 1)})"),
            ]
        )

    def change_line(self, scope: Scope) -> Lines:
        """A gain, a loss or a transfer."""
        plain = lambda f: f.type.shape == "num" and not f.key and not f.type.optional  # noqa: E731
        owner, field = self.changing(scope, plain)
        if owner is None or field is None:
            return ["do nothing"]
        gains = self.dice.chance(55)
        bounded = field.type.high is not None if gains else field.type.low is not None
        free = self.risky and self.dice.chance(15)
        verb = "gains" if gains else "loses"
        other = ""
        if self.dice.chance(30):
            kinds = [
                kind for kind in self.world.holders(field.name) if self.has_plain(kind, field.name)
            ]
            partner = self.thing(thing(self.dice.pick(kinds)), scope)
            other = f" {'from' if gains else 'to'} {partner if self.dice.chance(90) else 'supply'}"
            bounded = True
        up_to = "" if (not bounded and self.dice.chance(70)) or free else "up to "
        until = self.until(scope) if not other and self.dice.chance(15) else ""
        text = f"{owner} {verb} {up_to}{self.amount(scope)} {field.name}{other}{until}"
        if not until and self.dice.chance(20):
            name = self.fresh(NUM)
            scope.vars.append(Var(name, NUM, changes=True))
            return [f"let {name} = {text}"]
        return [text]

    def has_plain(self, kind: str, name: str) -> bool:
        """Tell whether things of a kind can give or take so."""
        return any(
            f.name == name and f.type.shape == "num" and not f.key for f in self.mutable(kind)
        )

    def until(self, scope: Scope) -> str:
        """A duration."""
        return " until " + " or ".join(
            self.limit(scope) for _ in range(self.dice.between(1, 2) if self.dice.chance(40) else 1)
        )

    def limit(self, scope: Scope) -> str:
        """One limit of a duration."""
        found = [made for made in self.signatures if made.form in ("effect", "phase", "action")]
        if not found:
            return "end of game"
        made = self.dice.pick(found)
        args = ""
        if made.params and self.dice.chance(60):
            count = self.dice.between(1, len(made.params))
            args = f"({', '.join(self.arg(of, scope, 0) for _, of in made.params[:count])})"
        return f"end of {made.name}{args}" if self.dice.chance(65) else f"{made.name}{args}"

    def move_line(self, scope: Scope) -> Lines:
        """Move something somewhere."""
        if self.dice.chance(35):
            return self.card_lines(scope)
        kind = self.dice.pick(("Token", "Token", "Unit"))
        dest = self.destination(kind, scope)
        if self.dice.chance(25):
            return [f"move {self.members(set_of(thing(kind)), scope)} to {dest}"]
        if self.dice.chance(30):
            name = self.fresh(thing(kind))
            source = self.members(set_of(thing(kind)), scope, 2)
            return block(
                f"if any {source}:",
                [
                    f"let {name} = {self.dice.pick(('first', 'last', 'pick '))}" + f"({source})",
                    f"move {name} to {dest}",
                ],
            )
        return [f"move {self.thing(thing(kind), scope)} to {dest}"]

    def destination(self, kind: str, scope: Scope) -> str:
        """A place for something of a kind."""
        piles = list(self.piles(kind, scope))
        places = self.world.kinds[kind].places
        return self.dice.made(
            [
                (8 if places else 0, lambda: self.thing(thing(self.dice.pick(places)), scope)),
                (2, lambda: "none"),
                (1, lambda: "box"),
                (
                    3 if piles else 0,
                    lambda: self.dice.pick(
                        (self.dice.pick(piles), f"bottom({self.dice.pick(piles)})")
                    ),
                ),
            ]
        )

    def card_lines(self, scope: Scope) -> Lines:
        """Do something with piles of cards."""
        player = self.thing(thing("Player"), scope)
        name = self.fresh(thing("Card"))
        lot = [f"{player}.lot"] if self.world.acts in ("pile", "left") else []
        charm = self.world.acts == "field"
        dest = self.dice.pick(
            [
                f"{player}.hand",
                "board.heap",
                "bottom(board.deck)",
                "board.deck",
                "box",
                *lot,
                *lot,
                *lot,
            ]
        )
        source = self.dice.pick(["board.deck", "board.deck", f"{player}.hand", "board.heap", *lot])
        if self.dice.chance(15):
            return [f"move {self.dice.pick((source, f'top({source}, 2)'))} to {dest}"]
        if self.dice.chance(10):
            return [f"do shuffle({source})"]
        if self.dice.chance(15):
            return [f"move {self.thing(thing('Card'), scope)} to {dest}"]
        taken = self.dice.pick((f"top({source})", f"bottom({source})", f"pick {source}"))
        then = [f"let {name} = {taken}", f"move {name} to {dest}"]
        if charm and self.dice.chance(50):
            then.append(f"{player}.charm becomes {name}")
        return block(f"if any {source}:", then)

    def draw_line(self, scope: Scope) -> Lines:
        """Roll or pick."""
        if self.dice.chance(60):
            die = self.dice.pick([*self.world.dice, *self.world.dice, *self.world.enums])
            of = T("num", low=1, high=self.world.dice[die]) if die in self.world.dice else word(die)
            count = ""
            if self.dice.chance(25):
                count, of = f"{self.dice.between(1, 3)} of ", list_of(of)
            by = f" by {self.thing(thing('Player'), scope, 0)}" if self.dice.chance(30) else ""
            name = self.fresh(of)
            scope.vars.append(Var(name, of))
            return [f"let {name} = roll {count}{die}{by}"]
        source, elem = self.source(scope, 2)
        if self.dice.chance(40):
            name = self.fresh(set_of(elem))
            scope.vars.append(Var(name, set_of(elem)))
            return [f"let {name} = pick {self.dice.between(0, 3)} of {source}"]
        kinds = elem.of if elem.shape == "thing" else ()
        if kinds and self.dice.chance(50):
            name = self.fresh(elem)
            scope.vars.append(Var(name, elem))
            return [f"let {name} = pick {kinds[0] if len(kinds) == 1 else 'Spot'}"]
        inner = scope.child()
        name = self.fresh(elem)
        inner.vars.append(Var(name, elem))
        return block(
            f"if any {source}:", [f"let {name} = pick {source}", *self.inner(inner, 1, most=2)]
        )

    def given_line(self, scope: Scope) -> Lines:
        """One of the doings of the language itself."""
        if self.dice.chance(40) and scope.draws:
            return [f"do shuffle({self.dice.pick(('board.deck', 'board.heap'))})"]
        if self.dice.chance(15):
            shown = self.members(set_of(thing("Token")), scope)
            return [f"do show({shown}, {self.members(set_of(thing('Player')), scope)})"]
        if self.dice.chance(30) and scope.level == 0:
            return [f"do win({self.members(set_of(thing('Player')), scope)})"]
        return self.change_line(scope)

    def passing_line(self, scope: Scope) -> Lines:
        """Nothing, or a list that grows."""
        if (
            any(f.name == "queue" for f in self.world.kinds["Player"].fields)
            and scope.level < 9
            and self.dice.chance(60)
        ):
            player = self.thing(thing("Player"), scope, 0)
            sign = self.dice.pick("++-")
            words = f"({self.word_of('Hue', scope)}, {self.word_of('Hue', scope)})"
            return [f"{player}.queue becomes ({player}.queue {sign} {words})"]
        return ["do nothing"]

    def callable(self, scope: Scope) -> list[Signature]:
        """Doings that may be called here."""
        return [
            made
            for made in self.signatures
            if made.order > scope.order
            and self.cost + made.cost * self.times <= MOST_LINES
            and self.asks + made.asks * self.times <= MOST_ASKS
            and (scope.asks or not made.asks)
        ]

    def call_text(self, made: Signature, scope: Scope) -> str:
        """A doing with arguments."""
        self.called.add(made.name)
        self.cost += (1 + made.cost) * self.times
        self.asks += made.asks * self.times
        args = [
            self.dice.pick(("0", "1", "1", "2")) if name == made.counter else self.arg(of, scope, 1)
            for name, of in made.params
        ]
        return f"{made.name}({', '.join(args)})" if args else made.name

    def call_line(self, scope: Scope) -> Lines:
        """Call a doing, perhaps oneself."""
        own = scope.inside
        if own is not None and own.counter and self.dice.chance(40) and self.times <= 2:
            args = [
                f"({name} - 1)" if name == own.counter else self.arg(of, scope, 1)
                for name, of in own.params
            ]
            line = f"do {own.name}({', '.join(args)})"
            own_call = block(f"if {own.counter} > 0:", [line])
            if own.form == "action":
                return block(
                    f"if {own.counter} > 0 and (may {own.name}({', '.join(args)})):", [line]
                )
            return own_call
        found = self.callable(scope)
        if not found:
            return self.change_line(scope)
        return self.call_of(self.dice.pick(found), scope)

    def call_of(self, made: Signature, scope: Scope) -> Lines:
        """Call a doing."""
        if made.form == "action":
            self.called.add(made.name)
            names: list[str] = []
            lines: Lines = []
            for _, param in made.params:
                of = thing(self.dice.pick(param.of)) if param.shape == "thing" else param
                name = self.fresh(of)
                lines.append(f"let {name} = {self.arg(of, scope, 1)}")
                scope.vars.append(
                    Var(name, evolve(of, low=None, high=None) if of.shape == "num" else of)
                )
                names.append(name)
            self.cost += made.cost * self.times
            self.asks += made.asks * self.times
            call = f"{made.name}({', '.join(names)})"
            return [*lines, *block(f"if (may {call}):", [f"do {call}"])]
        text = self.call_text(made, scope)
        if made.result is not None and self.dice.chance(80):
            name = self.fresh(made.result)
            of = NUM if made.result.shape == "num" and not made.result.optional else made.result
            scope.vars.append(Var(name, of, changes=of.shape in ("num", "flag", "word")))
            return [f"let {name} = {text}"]
        return [f"do {text}"]

    @staticmethod
    def around(own: Signature) -> list[Signature]:
        """The doings that surely can be open around one."""
        found = []
        while own.parent is not None:
            own = own.parent
            found.append(own)
        return found

    def end_of(self, made: Signature, scope: Scope) -> str:
        """The line that ends a doing."""
        if made.result is None:
            return f"end {made.name}"
        return f"end {made.name} with {self.arg(made.result, scope, 2)}"

    def end_lines(self, scope: Scope) -> Lines:
        """Leave the doing, or one that is open around it, under a condition."""
        own, *outer = scope.ends
        outer = [made for made in outer if made.form in ("effect", "phase", "action")]
        if outer and self.dice.chance(50):
            made = self.dice.pick(outer)
            return block(
                f"if during({made.name}) and {self.flag(scope, 1)}:", [self.end_of(made, scope)]
            )
        if self.dice.chance(4):
            return block(f"if {self.flag(scope)}:", ["end game"])
        if own.form == "rows":
            return ["do nothing"]
        return block(f"if {self.flag(scope)}:", [self.end_of(own, scope)])

    def lasting_lines(self, scope: Scope) -> Lines:
        """A block of rules that is in force for a while."""
        return block(f"{self.until(scope).strip()}:", self.rules_in(scope))

    # ---------------------------------------------------------- supplied by the classes below

    def inner(self, scope: Scope, depth: int, times: int = 1, most: int = 3) -> Lines:
        """Write a block that is run so often for each time that the place is reached."""
        raise NotImplementedError

    def rules_in(self, scope: Scope) -> Lines:
        """Write rules for a lasting block."""
        raise NotImplementedError
