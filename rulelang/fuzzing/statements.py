"""Random lines of doings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang.fuzzing.expressions import Expressions
from rulelang.fuzzing.scope import Var
from rulelang.fuzzing.world import (
    COUNT,
    FLAG,
    NUM,
    T,
    bag_of,
    list_of,
    required,
    set_of,
    thing,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.fuzzing.scope import Scope, Signature
    from rulelang.fuzzing.world import Field

MOST_LINES = 2500
MOST_ASKS = 24
INDENT = "    "

Lines = list[str]


def block(head: str, body: Lines) -> Lines:
    """A head with its block; a short block may stand on the same line."""
    return [head, *(INDENT + line for line in body)]


class Statements(Expressions):
    """Writes blocks of lines.

    Attributes:
        cost: Lines that one run of the doing written now takes.
        asks: Decisions likewise.
        times: How often the place written now is reached in one run.
    """

    cost: int = 0
    asks: int = 0
    times: int = 1
    paths: int = 0
    called: set[str]

    def rules_in(self, scope: Scope) -> Lines:
        """Rules for a lasting block."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------------- blocks

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

    # ----------------------------------------------------------------------------------------------------- names and values

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
                assert of.elem is not None
                text = f"{text} with {self.ordering(of.elem, chance=True)}"
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
        owner, field = self.changing(scope, lambda f: True)
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
        return self.dice.weighted(
            [
                (8, self.small),
                (2, lambda: f"max(0, {self.num(scope, 1)})"),
                (1, lambda: f"count({self.some_set(scope, 1)})"),
            ]
        )()

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
        made = self.dice.pick(found)
        args = ""
        if made.params and self.dice.chance(60):
            count = self.dice.between(1, len(made.params))
            args = f"({', '.join(self.arg(of, scope, 0) for _, of in made.params[:count])})"
        return f"end of {made.name}{args}" if self.dice.chance(65) else f"{made.name}{args}"

    # --------------------------------------------------------------------------------------------------------------- moves

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
        piles = [text for text in self.piles(kind, scope)]
        places = self.world.kinds[kind].places
        return self.dice.weighted(
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
        )()

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

    # --------------------------------------------------------------------------------------------------------------- draws

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
            return [
                f"do show({self.members(set_of(thing('Token')), scope)}, {self.members(set_of(thing('Player')), scope)})"
            ]
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
            return [
                f"{player}.queue becomes ({player}.queue {sign} ({self.word_of('Hue', scope)}, {self.word_of('Hue', scope)}))"
            ]
        return ["do nothing"]

    # --------------------------------------------------------------------------------------------------------------- calls

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

    # ------------------------------------------------------------------------------------------------- branches and loops

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
            head = f"each {player} in {self.dice.pick((f'clockwise({start})', 'Player by ' + self.ordering(thing('Player'), chance=True)))}:"
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

    def lasting_lines(self, scope: Scope) -> Lines:
        """A block of rules that is in force for a while."""
        return block(f"{self.until(scope).strip()}:", self.rules_in(scope))

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

    # ----------------------------------------------------------------------------------------------------------- decisions

    def chooser(self, scope: Scope) -> str:
        """Who is asked."""
        if scope.you and self.dice.chance(60):
            return "you"
        names = [var.name for var in scope.vars if var.type == thing("Player")]
        return (
            self.dice.pick(names)
            if names and self.dice.chance(85)
            else self.thing(thing("Player"), scope)
        )

    def prompt(self, scope: Scope) -> str:
        """A text, perhaps with a value in it."""
        self.paths += 1
        names = [
            var.name
            for var in scope.vars
            if not var.type.optional and var.type.shape in ("num", "word", "thing")
        ]
        hole = f" {{{self.dice.pick(names)}}}" if names and self.dice.chance(40) else ""
        return f'"Number {self.paths}{hole}?"'

    def policy(self, elem: T, *, many: bool = False) -> str:
        """What an automa does."""
        if not self.world.automas and self.dice.chance(50):
            return ""
        if self.dice.chance(25):
            return " automa random"
        if many and self.dice.chance(30):
            return " automa all"
        return f" automa {self.ordering(elem, chance=True)}"

    def otherwise(self, scope: Scope) -> str:
        """What is done where there is no option."""
        return " else " + self.simple(scope)

    def simple(self, scope: Scope) -> str:
        """One line that binds nothing."""
        for _ in range(3):
            lines = self.dice.pick((self.change_line, self.become_line))(scope)
            if len(lines) == 1 and not lines[0].startswith("let"):
                return lines[0]
            scope.vars = [var for var in scope.vars if not lines[0].startswith(f"let {var.name} ")]
        return "do nothing"

    def choose_lines(self, scope: Scope) -> Lines:
        """A choice of one."""
        self.asks += self.times
        who = self.chooser(scope)
        source, elem = self.source(scope, 2)
        if self.dice.chance(15) and scope.level == 0 and "." not in who and who != "you":
            source, elem = f"{who}.hand", thing("Card")
        name = self.fresh(elem)
        when = ""
        if self.dice.chance(15):
            inner = scope.child()
            inner.vars.append(Var(name, elem))
            when = f" when {self.flag(inner, 1)}"
        text = f" {self.prompt(scope)}" if self.dice.chance(60) else ""
        line = f"{who} chooses {name} from {source}{when}{text}{self.policy(elem)}"
        if self.dice.chance(45):
            lines = [line + self.otherwise(scope)]
            scope.vars.append(Var(name, evolve(elem, optional=True)))
            return lines
        if not when and self.surely(source, elem):
            scope.vars.append(Var(name, elem))
            return [line]
        if when:
            own = scope.inside
            if own is not None and own.form != "rows" and own.result is None:
                scope.vars.append(Var(name, elem))
                return [f"{line} else end {own.name}"]
            return [line + self.otherwise(scope)]
        inner = scope.child()
        inner.vars.append(Var(name, elem))
        return block(f"if any {source}:", [line, *self.inner(inner, 1, most=2)])

    @staticmethod
    def surely(source: str, elem: T) -> bool:
        """Tell whether a set surely has a member."""
        return source in elem.of

    def choose_set_lines(self, scope: Scope) -> Lines:
        """A choice of several."""
        self.asks += self.times
        who = self.chooser(scope)
        source, elem = self.source(scope, 1)
        if elem.shape == "thing":
            elem = thing(self.dice.pick([name for name in self.world.kinds if name != "Board"]))
            source = self.members(set_of(elem), scope, 1)
        name = self.fresh("s")
        inner = scope.child()
        inner.vars.append(Var(name, set_of(elem)))
        count = self.dice.weighted(
            [
                (3, "any"),
                (3, "0..2"),
                (2, "1+"),
                (2, "1"),
                (2, "2"),
                (1, "0..min(3, count(Token))"),
                (1, "1..2"),
            ]
        )
        when = ""
        if self.dice.chance(35):
            when = " when " + self.whole(name, elem, inner)
        text = f" {self.prompt(scope)}" if self.dice.chance(60) else ""
        sure = (count in ("any", "0..2") and not when) or (
            count in ("1+", "1", "1..2") and not when and self.surely(source, elem)
        )
        line = (
            f"{who} chooses {count} {name} from {source}{when}{text}{self.policy(elem, many=True)}"
        )
        if not sure:
            line += self.otherwise(scope)
            # Without an answer the name is an empty set.
        scope.vars.append(Var(name, set_of(elem)))
        return [line]

    def whole(self, name: str, elem: T, scope: Scope) -> str:
        """A condition on a whole answer."""
        numbers = self.shared_numbers(elem.of) if elem.shape == "thing" else []
        return self.dice.weighted(
            [
                (3, lambda: f"count({name}) in 1..{self.dice.between(2, 3)}"),
                (
                    3 if numbers else 0,
                    lambda: (
                        f"sum({name}.{self.dice.pick(numbers)}) {self.order_sign()} {self.dice.between(1, 6)}"
                    ),
                ),
                (1, lambda: f"count({name}) is not {self.dice.between(0, 2)}"),
                (1, lambda: self.flag(scope, 1)),
            ]
        )()

    def policy_of_question(self, scope: Scope) -> str:
        """What an automa answers to yes or no."""
        if not self.world.automas and self.dice.chance(50):
            return ""
        return f" automa {self.dice.pick(('yes', 'no', self.flag(scope, 1)))}"

    def may_lines(self, scope: Scope, depth: int) -> Lines:
        """A question."""
        self.asks += self.times
        who = self.chooser(scope)
        when = f" when {self.flag(scope, 1)}" if self.dice.chance(30) else ""
        head = f"{who} may {self.prompt(scope)}{when}{self.policy_of_question(scope)}:"
        lines = block(head, self.inner(scope.child(), depth))
        if self.dice.chance(40):
            lines += block("else:", self.inner(scope.child(), depth, most=2))
        return lines

    def label_lines(self, scope: Scope, depth: int) -> Lines:
        """One of several things to do."""
        self.asks += self.times
        who = self.chooser(scope)
        lines = []
        for number in range(self.dice.between(1, 3)):
            when = (
                f" when {self.flag(scope, 1)}"
                if number == 0 and self.dice.chance(70)
                else (f" when {self.flag(scope, 1)}" if self.dice.chance(30) else "")
            )
            policy = f" automa {self.flag(scope, 1)}" if self.dice.chance(40) else ""
            lines += block(
                f'"Way {number}"{when}{policy}:', self.inner(scope.child(), depth, most=2)
            )
        lines += block(
            '"Otherwise"' + (" automa yes" if self.world.automas else "") + ":",
            self.inner(scope.child(), depth, most=2),
        )
        return block(f"{who} chooses {self.prompt(scope)}:", lines)

    def action_lines(self, scope: Scope) -> Lines:
        """Offer actions."""
        found = [
            made
            for made in self.callable(scope)
            if made.form == "action" and self.asks + (made.asks + 1) * self.times <= MOST_ASKS
        ]
        if not found:
            return self.choose_lines(scope)
        names = self.dice.some(found, 2)
        self.called.update(made.name for made in names)
        self.asks += (1 + max(made.asks for made in names)) * self.times
        self.cost += (1 + max(made.cost for made in names)) * self.times
        name = self.fresh(thing("Player"))
        line = f"{name} may do {', '.join(made.name for made in names)}"
        if self.dice.chance(40):
            line += self.otherwise(scope.child())
        chooser = f"let {name} = {self.chooser(scope)}"
        if self.world.automas:
            return [chooser, *block(f"if not {name}.automa:", [line])]
        return [chooser, line]

    def secret_lines(self, scope: Scope, depth: int) -> Lines:
        """All choose at once."""
        self.asks += self.world.seats * self.times
        inner = scope.child()
        player = self.fresh(thing("Player"))
        inner.vars.append(Var(player, thing("Player")))
        choices = []
        for _ in range(self.dice.between(1, 2)):
            if self.dice.chance(65):
                enum = self.dice.pick(list(self.world.enums))
                name = self.fresh(word(enum))
                choices.append(
                    f"chooses {name} from {enum} {self.prompt(scope)}{self.policy(word(enum))}"
                )
                inner.vars.append(Var(name, word(enum)))
            else:
                kind = self.dice.pick(("Token", "Site", "Unit"))
                name = self.fresh("s")
                choices.append(
                    f"chooses any {name} from {kind} {self.prompt(scope)}{self.policy(thing(kind), many=True)}"
                )
                inner.vars.append(Var(name, set_of(thing(kind))))
        everybody = self.dice.pick(
            (
                "Player",
                f"clockwise({self.thing(thing('Player'), scope, 0)})",
                "(Player where its gold > 1)",
            )
        )
        body = self.inner(inner, depth, times=self.world.seats, most=2)
        return block(f"secretly each {player} in {everybody} {', '.join(choices)}:", body)


def fits(result: T, of: T) -> bool:
    """Tell whether a result can be given to a place of a type."""
    if result.optional and not of.optional:
        return False
    if result.shape == "thing" and of.shape == "thing":
        return set(result.of) <= set(of.of)
    if result.shape == "num" and of.shape == "num":
        return of.low is None or (of.low == result.low and of.high == result.high)
    return result == of


__all__ = ["COUNT", "FLAG", "INDENT", "Lines", "Statements", "bag_of", "block", "fits"]
