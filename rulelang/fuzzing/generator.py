"""Random games: doings, and the game that plays them."""

from __future__ import annotations

from attrs import evolve

from rulelang.fuzzing.dice import Dice
from rulelang.fuzzing.rules import Rules
from rulelang.fuzzing.scope import Meaning, Scope, Signature, Var
from rulelang.fuzzing.text import MOST_ASKS, Lines, block
from rulelang.fuzzing.world import (
    FLAG,
    NUM,
    T,
    make_world,
    required,
    set_of,
    thing,
    word,
)

MAIN = "fuzz.rules"
MOST_FOR_LATER = 100
"""What a doing counts that is not yet written."""


def generate(seed: int) -> dict[str, str]:
    """Write a random game.

    Args:
        seed: The same seed gives the same texts.

    Returns:
        The texts by path: the rules, and the data files that they read.
    """
    return Generator(seed).texts()


class Generator(Rules):
    """Writes one game."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed)
        self.seed = seed
        self.world = make_world(self.dice)
        self.risky = self.dice.chance(35)
        self.meanings = []
        self.signatures = []
        self.atomics = 0
        self.called = set()
        self.hooked: list[Signature] = []
        self.start()

    def texts(self) -> dict[str, str]:
        """Write all texts."""
        world = self.world
        head = ['game fuzz "A random game":', f"    players 1..{world.seats}"]
        if world.automas:
            head.append(f"    seats {world.seats}")
        parts: list[Lines] = [head, world.lines]
        parts += self.make_meanings()
        parts += self.make_doings()
        parts += self.make_rules()
        if world.acts:
            parts += [self.card(name) for name in world.acting]
        lines = [line for part in parts for line in (*part, "")]
        return {MAIN: "\n".join(lines), **world.files}

    def make_doings(self) -> list[Lines]:
        """All doings: those that are called first, the game last."""
        count = self.dice.between(4, 9)
        game = Signature("game", "phase", [], order=0)
        made = [self.signature(order) for order in range(1, count + 1)]
        for number, signature in enumerate(made):
            signature.parent = (
                self.dice.pick(made[:number]) if number and self.dice.chance(60) else game
            )
        self.signatures = made
        parts = []
        for signature in reversed(made):
            self.called = set()
            parts.append(self.doing(signature))
        self.called = set()
        parts.append(self.game(game))
        return list(reversed(parts))

    def signature(self, order: int) -> Signature:
        """Draw what a doing is called with and gives."""
        form = self.dice.weighted([(5, "effect"), (5, "phase"), (4, "action"), (2, "rows")])
        names = {"effect": "eff", "phase": "ph", "action": "act", "rows": "case"}
        params = self.params(self.dice.between(0, 2))
        if form == "action":
            params = [
                (self.fresh(thing("Player")), thing("Player")),
                *self.params(self.dice.between(0, 2), collections=False),
            ]
            params = [params[0], *((name, of) for name, of in params[1:] if not of.optional)]
        elif form == "rows":
            params = [self.looked_up(), *params[:1]]
        elif self.dice.chance(70):
            params = [(self.fresh(thing("Player")), thing("Player")), *params[:2]]
        made = Signature(self.fresh(names[form]), form, params, order=order)
        if form in ("effect", "phase") and self.dice.chance(30):
            of = T("num", low=0, high=2)
            made.counter = self.fresh(of)
            params.append((made.counter, of))
        if form in ("effect", "phase") and self.dice.chance(45):
            result = self.any_type()
            made.result = NUM if result.shape == "num" else result
        if form == "phase":
            self.phase_values(made)
        made.cost = MOST_FOR_LATER
        return made

    def phase_values(self, made: Signature) -> None:
        """Draw what a phase keeps and lends."""
        for _ in range(self.dice.between(0, 2)):
            of = self.dice.pick(
                (
                    NUM,
                    T("num", low=0, high=9),
                    FLAG,
                    word("Hue"),
                    thing("Token", optional=True),
                    set_of(thing("Player")),
                )
            )
            made.keeps.append((self.fresh("kept"), of))
        for _ in range(self.dice.between(0, 1)):
            of = self.dice.pick((NUM, FLAG))
            made.lent.append((self.dice.pick(("Player", "Token", "Site")), self.fresh("lent"), of))

    def initial(self, of: T) -> str:
        """A default."""
        if of.optional:
            return "none"
        match of.shape:
            case "num":
                return str(self.dice.between(0, 2))
            case "flag":
                return self.dice.pick(("yes", "no"))
            case "word":
                return self.dice.pick(self.world.enums[of.of[0]])
            case _:
                return "{}"

    def children(self, made: Signature, scope: Scope) -> Lines:
        """Calls of the doings that a doing surely calls and has not called yet."""
        lines: Lines = []
        for child in self.signatures:
            if child.parent is made and child.name not in self.called:
                call = self.call_of(child, scope.child())
                if self.asks > 2 * MOST_ASKS or self.dice.chance(20):
                    call = block(f"if {self.flag(scope, 1)}:", call)
                lines += call
        return lines

    def doing(self, made: Signature) -> Lines:
        """Write a doing."""
        self.cost, self.asks, self.times = 0, 0, 1
        self.start()
        scope = Scope(
            [Var(name, of, state=made.form == "phase") for name, of in made.params],
            order=made.order,
            inside=made,
            during=[made] if made.form == "phase" else [],
            ends=[made, *self.around(made)],
        )
        params = f"({self.params_text(made.params)})" if made.params else ""
        gives = f" gives {self.type_text(made.result)}" if made.result is not None else ""
        match made.form:
            case "phase":
                body = self.phase_body(made, scope)
                lines = block(f"phase {made.name}{params}{gives}:", body)
            case "effect":
                body = self.body(scope, 2, 5) + self.children(made, scope)
                if made.result is not None:
                    body.append(self.end_of(made, scope))
                lines = block(f"effect {made.name}{params}{gives}:", body)
            case "action":
                lines = self.action(made, scope)
            case _:
                rows: Lines = []
                for key in self.row_keys(made.params[0][1]):
                    inner = scope.child()
                    rows += block(f"{key}:", self.body(inner, 1, 2) + self.children(made, inner))
                lines = block(f"table {made.name}{params}:", rows)
        factor = 3 if made.counter else 1
        made.cost, made.asks = self.cost * factor, self.asks * factor
        return lines

    def action(self, made: Signature, scope: Scope) -> Lines:
        """Write an action: its needs, and what is done."""
        texts: list[str] = []
        self.work, self.factor = 0, 1
        meaning = Meaning(made.name, "permission", made.params, FLAG, len(self.meanings))
        reading = Scope([Var(name, of) for name, of in made.params], meanings=len(self.meanings))
        known = Scope([Var(*made.params[0])], meanings=len(self.meanings))
        for name, of in made.params:
            text = self.params_text([(name, of)])
            needed = of.shape in ("set", "list", "bag") or (of.shape == "num" and (of.high is None))
            if texts and (needed or self.dice.chance(30)):
                whole = T("num", low=0, high=3) if of.shape == "num" else of
                if of.shape in ("num", "word", "thing"):
                    source = self.members(
                        set_of(required(evolve(whole, low=None, high=None))), known, 1
                    )
                    text = f"{text} from {source}"
            known.vars.append(Var(name, of))
            texts.append(text)
        lines = [
            *self.needs(reading, meaning),
            *self.utility(reading),
            *block("then:", self.body(scope, 2, 3) + self.children(made, scope)),
        ]
        self.meanings.append(meaning)
        return block(f"may {made.name}({', '.join(texts)}):", lines)

    def utility(self, scope: Scope) -> Lines:
        """How much an automa wants the action."""
        if not self.world.automas and self.dice.chance(50):
            return []
        return [f"automa {self.num(scope, 1)}"]

    def phase_body(self, made: Signature, scope: Scope) -> Lines:
        """Write what a phase keeps, its steps and other lines."""
        lines = []
        for name, of in made.keeps:
            until = ""
            phases = [
                found
                for found in self.signatures
                if found.order <= made.order and found.form == "phase"
            ]
            if phases and self.dice.chance(15):
                until = f" until end of {self.dice.pick(phases).name}"
            lines.append(f"keeps {name}: {self.type_text(of)} = {self.initial(of)}{until}")
        for kind, name, of in made.lent:
            lines.append(f"keeps {kind.lower()}.{name}: {self.type_text(of)} = {self.initial(of)}")
        for _ in range(self.dice.between(1, 3)):
            if self.dice.chance(60):
                name = self.fresh("step")
                known = len(scope.vars)
                body = self.body(scope, 2, 3)
                made.steps.append(name)
                if len(scope.vars) == known:
                    made.plain_steps.append(name)
                lines += block(f"step {name}:", body)
            else:
                lines += self.body(scope, 2, 2)
            for var in scope.vars:
                var.state = True
        lines += self.children(made, scope)
        if made.result is not None:
            lines.append(self.end_of(made, scope))
        elif lines[-1].startswith("keeps"):
            lines.append("do nothing")
        return lines

    def setup(self) -> Lines:
        """Write how the game begins: cards are dealt, tokens are put somewhere."""
        body = ["do shuffle(board.deck)"] if self.dice.chance(60) else []
        player = self.fresh(thing("Player"))
        if self.world.acts in ("pile", "left") and self.dice.chance(85):
            body += block(
                f"each {player} in Player:",
                [f"move top(board.deck, {self.dice.between(1, 2)}) to {player}.lot"],
            )
        elif self.world.acts == "field" and self.dice.chance(85):
            body += block(f"each {player} in Player:", [f"{player}.charm becomes pick Card"])
        elif self.world.acts == "board":
            body.append(f"move top(board.deck, {self.dice.between(1, 3)}) to board.heap")
        if self.dice.chance(60):
            body.append(
                f"move top(Token, {self.dice.between(1, 4)}) to {self.one_of('Site', Scope())}"
            )
        if self.dice.chance(60):
            unit = self.fresh(thing("Unit"))
            body += block(
                f"each {unit} in Unit:", [f"move {unit} to {self.one_of('Site', Scope())}"]
            )
        return block("step first:", body) if body else []

    def game(self, game: Signature) -> Lines:
        """Write the main phase: some rounds of calls."""
        self.cost, self.asks, self.times = 0, 0, 1
        scope = Scope(order=0, inside=game, during=[])
        lines = self.setup()
        rounds, player = self.fresh(NUM), self.fresh(thing("Player"))
        scope.asks = True
        scope.vars.append(Var(rounds, NUM))
        self.times = 3
        inner = scope.child()
        inner.vars.append(Var(player, thing("Player")))
        body: Lines = []
        turn: Lines = []
        roots = [made for made in self.signatures if made.parent is game]
        for made in [*roots, *self.dice.some(self.signatures, self.dice.between(0, 2))]:
            if made.form == "action":
                cond = ""
                if self.world.automas and self.dice.chance(50):
                    cond = f"if not {player}.automa: "
                turn.append(f"{cond}{player} may do {made.name}")
                continue
            place = turn if self.dice.chance(60) else body
            here = inner if place is turn else scope
            text = self.call_text(made, here)
            if made.result is not None and self.dice.chance(50):
                place.append(f"let {self.fresh(made.result)} = {text}")
            else:
                place.append(f"do {text}")
        turn = turn or self.body(inner, 1, 2)
        order = self.dice.pick(
            (
                "Player",
                f"Player by {self.ordering(thing('Player'), chance=True)}",
                "clockwise(first(Player))",
            )
        )
        body = [*block(f"each {player} in {order}:", turn), *body]
        lines += block(f"each {rounds} in 1..{self.dice.between(1, 3)}:", body)
        lines.append("do win(Player with highest score then highest gold)")
        return block("phase game:", lines)
