"""Random games: definitions, doings, rules about them, and the game that plays them."""

from __future__ import annotations

from attrs import evolve

from rulelang.fuzzing.dice import Dice
from rulelang.fuzzing.scope import Meaning, Scope, Signature, Var
from rulelang.fuzzing.statements import MOST_ASKS, Lines, Statements, block
from rulelang.fuzzing.world import FLAG, NUM, T, make_world, required, set_of, thing, word

MAIN = "fuzz.rules"


def generate(seed: int) -> dict[str, str]:
    """Write a random game.

    Args:
        seed: The same seed gives the same texts.

    Returns:
        The texts by path: the rules, and the data files that they read.
    """
    return Generator(seed).texts()


class Generator(Statements):
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

    # ------------------------------------------------------------------------------------------------------------ the whole

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

    # ---------------------------------------------------------------------------------------------------------- definitions

    def make_meanings(self) -> list[Lines]:
        """Definitions, permissions, value tables and a map, each reading earlier ones only."""
        parts = []
        for order in range(self.dice.between(3, 7)):
            self.reads = order
            self.start()
            make = self.dice.weighted(
                [
                    (5, self.definition),
                    (4, self.property),
                    (3, self.permission),
                    (2, self.value_table),
                ]
            )
            parts.append(make(order))
        if self.dice.chance(40):
            self.reads = len(parts)
            parts.append(self.site_map(len(parts)))
        self.reads = 1000
        return parts

    def params(self, count: int, *, collections: bool = True) -> list[tuple[str, T]]:
        """Parameters with new names."""
        made = []
        for _ in range(count):
            of = self.any_type(collections=collections)
            made.append((self.fresh(of), of))
        return made

    def params_text(self, params: list[tuple[str, T]]) -> str:
        """Parameters as they are written; a type that the name says is left out."""
        texts = []
        for name, of in params:
            said = of.shape == "thing" and len(of.of) == 1 and not of.optional
            texts.append(name if said else f"{name}: {self.type_text(of)}")
        return ", ".join(texts)

    def reading_scope(self, params: list[tuple[str, T]], order: int) -> Scope:
        """The scope inside a meaning."""
        return Scope([Var(name, of) for name, of in params], meanings=order)

    def result_type(self) -> T:
        """What a definition gives."""
        kind = self.dice.pick(list(self.world.kinds))
        return self.dice.weighted(
            [
                (6, NUM),
                (4, FLAG),
                (2, word(self.dice.pick(list(self.world.enums)))),
                (3, thing(kind)),
                (3, set_of(thing(kind))),
            ]
        )

    def definition(self, order: int, *, owner: T | None = None) -> Lines:
        """A definition with its exceptions."""
        result = self.result_type()
        params = self.params(self.dice.between(0, 2), collections=False)
        if owner is not None:
            params = [(self.fresh(owner), owner), *params[:1]]
        name = self.fresh("def")
        scope = self.reading_scope(params, order)
        value = self.expr(result, scope, 2)
        if result.shape == "word" and value in self.world.enums[result.of[0]]:
            value = f"{result.of[0]}.{value}"
        if owner is None:
            head = f"define {name}({self.params_text(params)})" if params else f"define {name}"
        else:
            rest = f"({self.params_text(params[1:])})" if params[1:] else ""
            head = f"define {owner.of[0].lower()}.{name}{rest}"
            own = owner.of[0].lower()
            scope.vars[0] = Var(own, owner)
            value = self.expr(result, scope, 2)
            if result.shape == "word" and value in self.world.enums[result.of[0]]:
                value = f"{result.of[0]}.{value}"
        meaning = Meaning(name, "property" if owner is not None else "call", params, result, order)
        lines = [f"{head} = {value}"]
        exceptions = self.exceptions(result, scope, meaning) if self.dice.chance(50) else []
        if exceptions:
            lines = block(lines[0] + ":", exceptions)
        meaning.cost = 1 + self.work
        self.meanings.append(meaning)
        return lines

    def exceptions(self, result: T, scope: Scope, meaning: Meaning) -> Lines:
        """Named exceptions: signed ones, and unsigned ones of which the later win."""
        lines: Lines = []
        before = ""
        for _ in range(self.dice.between(1, 3)):
            name = self.fresh("part")
            meaning.needs.append(name)
            if result.shape == "num" and self.dice.chance(60):
                sign = self.dice.pick("++-")
                lines.append(f"{name}: {sign}{self.num(scope, 1)} when {self.flag(scope, 1)}")
            elif not before:
                lines.append(f"{name}: {self.expr(result, scope, 1)} when {self.flag(scope, 1)}")
                before, meaning.unsigned = name, True
            elif not meaning.unsigned or self.dice.chance(50):
                lines.append(
                    f"{name}: {self.expr(result, scope, 1)} when {self.flag(scope, 1)} after {before}"
                )
                break
            else:
                meaning.needs.pop()
        return lines

    def property(self, order: int) -> Lines:
        """A property of a kind."""
        kind = self.dice.pick(list(self.world.kinds))
        return self.definition(order, owner=thing(kind))

    def permission(self, order: int) -> Lines:
        """A permission without `then`."""
        params = [
            (self.fresh(thing("Player")), thing("Player")),
            *self.params(self.dice.between(0, 1), collections=False),
        ]
        name = self.fresh("perm")
        scope = self.reading_scope(params, order)
        meaning = Meaning(name, "permission", params, FLAG, order)
        lines = block(f"may {name}({self.params_text(params)}):", self.needs(scope, meaning))
        meaning.cost = 1 + self.work
        self.meanings.append(meaning)
        return lines

    def needs(self, scope: Scope, meaning: Meaning) -> Lines:
        """Named needs."""
        lines = []
        for _ in range(self.dice.between(1, 2)):
            name = self.fresh("need")
            meaning.needs.append(name)
            text = ' "it is not so"' if self.dice.chance(40) else ""
            lines.append(f"{name}: {self.flag(scope, 1)}{text}")
        return lines

    def row_keys(self, of: T) -> list[str]:
        """Keys that cover a type, each once."""
        if of.shape == "word":
            words = list(self.world.enums[of.of[0]])
            if self.dice.chance(40):
                return [words[0], "else"]
            if len(words) > 2 and self.dice.chance(50):
                return [words[0], "|".join(words[1:])]
            return words
        assert of.low is not None
        assert of.high is not None
        middle = self.dice.between(of.low, of.high - 1)
        return self.dice.pick(
            ([f"{of.low}..{middle}", f"{middle + 1}..{of.high}"], [str(of.low), "else"])
        )

    def looked_up(self) -> tuple[str, T]:
        """The first parameter of a table."""
        of = (
            word(self.dice.pick(list(self.world.enums)))
            if self.dice.chance(70)
            else T("num", low=0, high=4)
        )
        return self.fresh(of), of

    def value_table(self, order: int) -> Lines:
        """A table of values."""
        params = [self.looked_up(), *self.params(self.dice.between(0, 1), collections=False)]
        result = self.dice.pick((NUM, NUM, FLAG))
        name = self.fresh("tab")
        scope = self.reading_scope(params, order)
        rows = [f"{key}: {self.expr(result, scope, 1)}" for key in self.row_keys(params[0][1])]
        self.meanings.append(Meaning(name, "table", params, result, order, 1 + self.work))
        return block(f"table {name}({self.params_text(params)}):", rows)

    def site_map(self, order: int) -> Lines:
        """What one move from site to site costs."""
        del order
        name = self.fresh("way")
        scope = Scope(
            [Var("here_site", thing("Site")), Var("next_site", thing("Site"))], meanings=0
        )
        cond = self.dice.pick(
            (
                "here_site.hue is next_site.hue",
                "here_site is not next_site and next_site.rank > 1",
                self.flag(scope, 1),
            )
        )
        self.world.map_name = name
        return block(
            f"define {name}(here_site, next_site) = none:",
            [f"step_on: {self.dice.between(1, 2)} when {cond}"],
        )

    # --------------------------------------------------------------------------------------------------------------- doings

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
        texts = []
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
            *block("then:", self.body(scope, 2, 3) + self.children(made, scope)),
        ]
        self.meanings.append(meaning)
        return block(f"may {made.name}({', '.join(texts)}):", lines)

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
                cond = f"if not {player}.automa: " if self.world.automas else ""
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

    # ---------------------------------------------------------------------------------------------------------------- rules

    def make_rules(self) -> list[Lines]:
        """Rules about doings, state rules, exceptions elsewhere, and promises."""
        parts = []
        for _ in range(self.dice.between(3, 8)):
            parts.append(self.rule(Scope(calls=True)))
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
                (1, self.drop),
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
        saved = self.cost, self.asks, self.times
        lines: Lines = []
        for _ in range(self.dice.between(1, 2)):
            lines += self.rule(inner, lasting=True)
        self.cost, self.asks, self.times = saved
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
                name = (
                    self.fresh(required(narrow) if narrow.optional else narrow)
                    if not narrow.optional
                    else self.fresh("x")
                )
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
        head = f"{timing} {made.name}{pattern}{f' = {result}' if result else ''}{self.conditions(inner, players=players)}:"
        if made.form == "phase" and timing != "before" and self.dice.chance(30):
            body = self.small_body(inner, 1)
        else:
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
                    given = self.fresh(made.result)
                    body.append(f"let {given} = {call}")
                    body.append(f"end {made.name} with {given}")
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
            holders = [
                (kind, f)
                for kind in self.world.kinds
                if kind != "Board"
                for f in self.mutable(kind)
                if f.type.shape == "num" and not f.key and f.type.low == 0
            ]
            kind, field = self.dice.pick(holders)
            name = self.fresh(thing(kind))
            most = self.dice.between(2, 5)
            cond, end = (
                f"{name}.{field.name} >= {most}",
                f"{name} loses up to {self.dice.between(1, most)} {field.name}",
            )
            inner.level = field.order
        elif form == 1:
            holders = [
                (kind, f)
                for kind in self.world.kinds
                if kind != "Board"
                for f in self.mutable(kind)
                if f.type.shape == "flag"
            ]
            kind, field = self.dice.pick(holders)
            name = self.fresh(thing(kind))
            cond, end = f"{name}.{field.name}", f"{name}.{field.name} becomes no"
            inner.level = field.order
        elif form == 2:
            kind = "Token"
            name = self.fresh(thing(kind))
            site = self.fresh(thing("Site"))
            cond, end = (
                f"{name}.place is {site} and {site}.gold > {self.dice.between(1, 3)}",
                f"{site} loses up to 3 gold",
            )
            inner.vars.append(Var(site, thing("Site")))
            inner.level = 1
        else:
            kind = self.dice.pick(("Token", "Unit"))
            name = self.fresh(thing(kind))
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
        """Lift a need of a permission."""
        found = [m for m in self.meanings if m.needs and m.form == "permission"]
        if not found:
            return self.state_rule(scope)
        meaning = self.dice.pick(found)
        inner = scope.child()
        inner.meanings = meaning.order
        saved, self.reads = self.reads, meaning.order
        inner.vars += [Var(name, of) for name, of in meaning.params]
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


MOST_FOR_LATER = 100
"""What a doing counts that is not yet written."""
