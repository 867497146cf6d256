"""Small but nasty Programs written by hand, for the tests of both engines.

``SAMPLES`` maps a name to a Program for two seats (three where it says so). Each ends by itself.
"""

from __future__ import annotations

import attrs

from rulelang import ir
from rulelang.ir import (
    COUNT,
    FLAG,
    NUMBER,
    Arith,
    Ask,
    Call,
    Compare,
    Const,
    Each,
    End,
    Expr,
    FieldGet,
    GlobalGet,
    If,
    KindAll,
    Let,
    Limit,
    Local,
    SetField,
    Stmt,
    Type,
)

PLAYER = Type("thing", kinds=(0,))
MAYBE_PLAYER = Type("thing", kinds=(0,), optional=True)
PLAYERS = Type("set", elem=PLAYER)


def n(value: object) -> Const:
    """A constant."""
    shape = FLAG if isinstance(value, bool) else NUMBER
    return Const(value, type=shape)


def v(name: str, of: Type = NUMBER) -> Local:
    """A local."""
    return Local(name, type=of)


def things(kind: int) -> Type:
    """The type of things of one kind."""
    return Type("thing", kinds=(kind,))


def add(left: Expr, right: Expr) -> Expr:
    """A sum."""
    return Arith("+", left, right, type=NUMBER)


def eq(left: Expr, right: Expr) -> Expr:
    """Are they equal?"""
    return Compare("==", left, right, type=FLAG)


def less(left: Expr, right: Expr) -> Expr:
    """Is left below right?"""
    return Compare("<", left, right, type=FLAG)


def everyone() -> Expr:
    """All players."""
    return KindAll(0, type=PLAYERS)


class Maker:
    """Collects the parts of a Program and numbers them; field 0 is ``automa``, doing 0 the game."""

    def __init__(self, name: str, seats: int = 2) -> None:
        self.name = name
        self.seats = seats
        self.kinds: list[ir.Kind] = []
        self.fields: list[ir.Field] = []
        self.enums: list[ir.Enum] = [ir.Enum("D6", tuple("123456"), numeric=True, low=1)]
        self.globals: list[ir.Global] = []
        self.definitions: list[ir.Definition] = []
        self.doings: list[ir.Doing] = []
        self.decisions: list[ir.Decision] = []
        self.blocks: list[ir.LastingBlock] = []
        self.rules: list[ir.StateRule] = []
        self.always: list[ir.Always] = []
        self.scenarios: list[ir.Scenario] = []
        self.card_keeps: list[tuple[int, tuple[int, ...]]] = []
        self.kind("Player", seats)
        self.field(0, "automa", FLAG, False)
        self.gold = self.field(0, "gold", Type("number", lo=0, hi=99), 0)
        self.doing("game", "phase")

    def kind(self, name: str, count: int, **more: object) -> int:
        """Add a kind; gives its index."""
        base = sum(each.count for each in self.kinds)
        ids = tuple(f"{name.lower()}_{number}" for number in range(1, count + 1))
        self.kinds.append(ir.Kind(name, base, count, ids, ids, **more))  # type: ignore[arg-type]
        return len(self.kinds) - 1

    def field(self, kind: int, name: str, of: Type, initial: object, **more: object) -> int:
        """Add a field; ``initial`` is one value for all things, or a list with each one's."""
        keys = more.get("keys", 1)
        assert isinstance(keys, int)
        count = self.kinds[kind].count * keys
        values = tuple(initial) if isinstance(initial, list) else (initial,) * count
        index = len(self.fields)
        self.fields.append(
            ir.Field(index, kind, name, of, values, **more)  # type: ignore[arg-type]
        )
        if name == "place":
            self.kinds[kind] = attrs.evolve(self.kinds[kind], place=index, movable=True)
        return index

    def value(self, name: str, of: Type = NUMBER, initial: object = 0, **more: object) -> int:
        """Add a global."""
        index = len(self.globals)
        self.globals.append(ir.Global(index, name, of, initial, **more))  # type: ignore[arg-type]
        return index

    def doing(
        self, name: str, kind: ir.DoingKind = "effect", *params: ir.Param, **more: object
    ) -> int:
        """Add a doing whose body comes later; gives its index."""
        index = len(self.doings)
        running = self.value(f"running {name}")
        more.setdefault("settles", kind not in ("atomic", "hook", "setup"))
        self.doings.append(
            ir.Doing(index, name, kind, params, running=running, **more)  # type: ignore[arg-type]
        )
        return index

    def body(self, doing: int, *statements: Stmt, **more: object) -> None:
        """Write the body (and hooks) of a doing."""
        self.doings[doing] = attrs.evolve(
            self.doings[doing],
            body=statements,
            **more,  # type: ignore[arg-type]
        )

    def hook(self, name: str, params: tuple[ir.Param, ...], *statements: Stmt) -> int:
        """Add the doing of a hook."""
        index = self.doing(name, "hook", *params)
        self.body(index, *statements)
        return index

    def decision(self, path: str, form: ir.Form = "one", of: Type = NUMBER, **more: object) -> int:
        """Add a decision point."""
        index = len(self.decisions)
        self.decisions.append(ir.Decision(index, path, form, of, **more))  # type: ignore[arg-type]
        return index

    def define(self, name: str, params: tuple[ir.Param, ...], result: Type, body: Expr) -> int:
        """Add a definition."""
        index = len(self.definitions)
        self.definitions.append(ir.Definition(index, name, params, result, body))
        return index

    def gets(self, who: Expr, field: int | None = None, key: Expr | None = None) -> Expr:
        """Read a field."""
        field = self.gold if field is None else field
        return FieldGet(who, (field,), key, type=self.fields[field].type)

    def gain(self, who: Expr, amount: Expr, field: int | None = None, **more: object) -> Stmt:
        """Change a number field by an amount."""
        return ir.Adjust(
            who,
            (self.gold if field is None else field,),
            1,
            amount,
            **more,  # type: ignore[arg-type]
        )

    def ask(self, decision: int, chooser: Expr, name: str, options: Expr, **more: object) -> Ask:
        """Ask for one or a set of options."""
        return Ask(decision, chooser, name, options=options, **more)  # type: ignore[arg-type]

    def program(self) -> ir.Program:
        """What was collected."""
        return ir.Program(
            name=self.name,
            title=self.name,
            version="1",
            digest=f"digest of {self.name}",
            seats=self.seats,
            players=(1, 5),
            files=(f"{self.name}.rules",),
            enums=tuple(self.enums),
            kinds=tuple(self.kinds),
            fields=tuple(self.fields),
            globals=tuple(self.globals),
            options=(),
            definitions=tuple(self.definitions),
            doings=tuple(self.doings),
            decisions=tuple(self.decisions),
            blocks=tuple(self.blocks),
            state_rules=tuple(self.rules),
            always=tuple(self.always),
            scenarios=tuple(self.scenarios),
            automa_field=0,
            card_keeps=tuple(self.card_keeps),
        )


def numbers(low: int, high: int) -> Expr:
    """A range of numbers."""
    return ir.RangeSet(n(low), n(high), type=Type("set", elem=NUMBER))


def loops() -> ir.Program:
    """Decisions in loops in calls in loops; results; a while loop; sole answers."""
    m = Maker("loops")
    who = ir.Param("who", PLAYER)
    earn = m.doing("earn", "effect", who, result=NUMBER)
    take = m.decision("earn.n")
    m.body(
        earn,
        Let("total", n(0)),
        Each(
            "k",
            numbers(1, 3),
            (
                m.ask(take, v("who", PLAYER), "n", ir.RangeSet(n(0), v("k"), type=COUNT)),
                Let("total", add(v("total"), v("n"))),
                If(eq(v("n"), n(3)), (End(earn, v("total")),)),
                m.gain(v("who", PLAYER), v("n")),
            ),
            index="i",
        ),
        End(earn, v("total")),
    )
    m.body(
        0,
        Each(
            "p",
            everyone(),
            (
                Call(earn, (v("p", PLAYER),), "got"),
                Call(earn, (v("p", PLAYER),), "more"),
                m.gain(v("p", PLAYER), add(v("got"), v("more"))),
            ),
        ),
        Let("rest", n(4)),
        ir.While(
            less(n(0), v("rest")),
            (
                m.ask(take, Const(0, type=PLAYER), "n", numbers(1, 2)),
                Let("rest", Arith("-", v("rest"), v("n"))),
            ),
        ),
        m.ask(take, Const(0, type=PLAYER), "only", numbers(7, 7)),
        ir.Win(
            ir.Best(everyone(), (ir.Key("p", m.gets(v("p", PLAYER)), highest=True),), type=PLAYERS)
        ),
        End(0),
    )
    return m.program()


def hooks() -> ir.Program:
    """Before, instead and after rules with decisions; changed arguments and results."""
    m = Maker("hooks")
    who, much = ir.Param("who", PLAYER), ir.Param("n", COUNT)
    pay = m.doing("pay", "effect", who, much, result=NUMBER)
    may = m.decision("shield.instead.pay.may", "yes", FLAG)
    may_too = m.decision("cloak.instead.pay.may", "yes", FLAG)
    size = m.decision("tax.before.pay.extra")
    first = m.decision("pay.first", "order")
    tax = m.hook(
        "tax.before.pay",
        (who, much),
        m.ask(size, v("who", PLAYER), "extra", numbers(0, 2)),
        Let("n", add(v("n"), v("extra"))),
    )
    m.body(
        tax, *m.doings[tax].body, End(tax, ir.MakeList((v("n"),), type=Type("list", elem=NUMBER)))
    )
    shield = m.hook(
        "shield.instead.pay",
        (who, much),
        m.gain(v("who", PLAYER), n(1)),
        Call(pay, (v("who", PLAYER), n(1)), "r"),
        End(pay, v("r")),
    )
    cloak = m.hook("cloak.instead.pay", (who, much), End(pay, n(50)))
    double = m.hook(
        "double.after.pay",
        (who, ir.Param("$result", NUMBER)),
        End(
            0 + len(m.doings),
            ir.MakeList((Arith("*", v("$result"), n(2)),), type=Type("list", elem=NUMBER)),
        ),
    )
    busy = m.value("busy shield")
    once = m.value("once cloak", FLAG, False)
    args = (v("who", PLAYER), v("n"))
    m.body(
        pay,
        ir.Adjust(v("who", PLAYER), (m.gold,), -1, v("n"), up_to=True, result="paid"),
        End(pay, v("paid")),
        before=(ir.Hook(tax, args, writes=("n",), guard=less(v("n"), n(9)), label="tax"),),
        instead=(
            ir.Hook(
                shield,
                args,
                guard=less(n(3), v("n")),
                busy=busy,
                label="shield",
                ask=Ask(may, v("who", PLAYER), "$may"),
            ),
            ir.Hook(
                cloak,
                args,
                guard=less(n(2), v("n")),
                once=once,
                label="cloak",
                ask=Ask(may_too, v("who", PLAYER), "$may"),
            ),
        ),
        after=(
            ir.Hook(
                double,
                (v("who", PLAYER), v("$result")),
                writes=("$result",),
                needs_result=True,
                label="double",
            ),
        ),
        concerned=v("who", PLAYER),
        order_decision=first,
    )
    m.body(
        0,
        Each(
            "p",
            everyone(),
            (
                m.gain(v("p", PLAYER), n(20)),
                Each(
                    "k",
                    numbers(2, 5),
                    (
                        Call(pay, (v("p", PLAYER), v("k")), "got"),
                        m.gain(v("p", PLAYER), v("got")),
                    ),
                ),
            ),
        ),
        ir.Win(everyone()),
    )
    return m.program()


def unwinding() -> ir.Program:
    """An end across doings: after rules on the way, results not given, an end in an after rule."""
    m = Maker("unwinding")
    who = ir.Param("who", PLAYER)
    log = m.field(0, "log", NUMBER, 0)
    deep = m.decision("inner.leave")
    fight = m.doing("fight", "phase", who)
    middle = m.doing("middle", "effect", who, result=NUMBER)
    inner = m.doing("inner", "effect", who)

    def note(digit: int) -> Stmt:
        return SetField(
            v("who", PLAYER),
            (log,),
            None,
            Arith("/", add(Arith("*", m.gets(v("who", PLAYER), log), n(10)), n(digit)), n(1)),
        )

    after_inner = m.hook("after.inner", (who,), note(1))
    after_middle = m.hook("after.middle", (who,), note(2))
    after_result = m.hook("after.middle_2", (who,), note(3))
    after_fight = m.hook("after.fight", (who,), note(4), End(fight), note(9))
    me = (v("who", PLAYER),)
    m.body(
        inner,
        m.ask(deep, v("who", PLAYER), "leave", numbers(0, 3)),
        If(eq(v("leave"), n(1)), (End(middle, n(5)),)),
        If(eq(v("leave"), n(2)), (End(fight),)),
        If(eq(v("leave"), n(3)), (End(0),)),
        after=(ir.Hook(after_inner, me, label="after inner"),),
    )
    m.body(
        middle,
        Call(inner, me),
        note(6),
        End(middle, n(0)),
        after=(ir.Hook(after_middle, me), ir.Hook(after_result, me, needs_result=True)),
    )
    m.body(
        fight,
        Call(middle, me, "r"),
        m.gain(v("who", PLAYER), v("r")),
        note(7),
        after=(ir.Hook(after_fight, me),),
    )
    m.body(
        0,
        Each(
            "round",
            numbers(1, 2),
            (
                Each(
                    "p",
                    everyone(),
                    (
                        Call(fight, (v("p", PLAYER),)),
                        SetField(v("p", PLAYER), (log,), None, n(0)),
                    ),
                ),
            ),
        ),
        ir.Win(everyone()),
    )
    return m.program()


def durations() -> ir.Program:
    """Temporary values over each other, gains that are undone, lasting rows with rules."""
    m = Maker("durations")
    who = ir.Param("who", PLAYER)
    limit = m.field(0, "limit", Type("number", lo=0, hi=20), 3, temporary=True)
    turn = m.doing("turn", "phase", who, tracked=True)
    chore = m.doing("chore", "effect", who, tracked=True)
    what = m.decision("turn.what")
    block = len(m.blocks)
    m.blocks.append(ir.LastingBlock(block, ("friend", "bonus"), (PLAYER, NUMBER)))
    rate = m.define(
        "rate",
        (who,),
        NUMBER,
        ir.Exceptional(
            m.gets(v("who", PLAYER), limit),
            (
                ir.Clause(
                    "friends",
                    "+",
                    v("bonus"),
                    cond=eq(v("who", PLAYER), v("friend", PLAYER)),
                    block=block,
                ),
            ),
        ),
    )
    bonus = m.hook(
        "bonus.after.chore", (who, ir.Param("bonus", NUMBER)), m.gain(v("who", PLAYER), v("bonus"))
    )
    me = v("who", PLAYER)
    end_turn = (Limit(turn, (me,)),)
    m.body(
        chore,
        m.gain(me, n(1)),
        after=(
            ir.Hook(
                bonus,
                (me, v("bonus")),
                guard=eq(me, v("friend", PLAYER)),
                block=block,
                once=-1,
                label="bonus",
            ),
        ),
    )
    m.body(
        turn,
        m.ask(what, me, "what", numbers(1, 5)),
        If(eq(v("what"), n(1)), (SetField(me, (limit,), None, n(9), until=end_turn),)),
        If(
            eq(v("what"), n(2)),
            (ir.Adjust(me, (limit,), 1, n(2), until=(Limit(turn, (me,), start=True),)),),
        ),
        If(
            eq(v("what"), n(3)),
            (
                ir.Lasting(
                    block,
                    (("friend", me), ("bonus", n(2))),
                    (Limit(turn, (me,), start=True), Limit(chore, (n(0),))),
                ),
            ),
        ),
        If(
            eq(v("what"), n(4)),
            (
                SetField(me, (limit,), None, n(12), until=(Limit(chore, (me,)),)),
                SetField(me, (limit,), None, n(15), until=end_turn),
            ),
        ),
        If(eq(v("what"), n(5)), (SetField(me, (limit,), None, n(4)),)),
        Call(chore, (me,)),
        m.gain(me, ir.CallDef(rate, (me,))),
        Call(chore, (me,)),
    )
    m.body(
        0,
        Each("round", numbers(1, 3), (Each("p", everyone(), (Call(turn, (v("p", PLAYER),)),)),)),
        ir.Win(everyone()),
    )
    return m.program()


def settling() -> ir.Program:
    """State rules: an exchange, one with a decision, one that feeds another, one used once."""
    m = Maker("settling")
    who = ir.Param("who", PLAYER)
    goods = m.field(0, "goods", Type("number", lo=0, hi=50), 0)
    fame = m.field(0, "fame", Type("number", lo=0, hi=50), 0)
    once = m.value("once gift", FLAG, False)
    p = v("p", PLAYER)
    w = v("who", PLAYER)
    exchange = m.doing("exchange", "rule", who)
    m.body(exchange, ir.Adjust(w, (goods,), -1, n(5)), m.gain(w, n(1)))
    honour = m.doing("honour", "rule", who)
    keep = m.decision("honour.keep", "yes", FLAG)
    m.body(
        honour,
        Ask(keep, w, "keep"),
        ir.Adjust(w, (m.gold,), -1, n(2)),
        If(v("keep", FLAG), (m.gain(w, n(1), fame),), (m.gain(w, n(4), goods),)),
    )
    gift = m.doing("gift", "rule", who)
    m.body(gift, m.gain(w, n(3), goods))
    rules = (
        (exchange, less(n(4), m.gets(p, goods)), None, (goods,)),
        (honour, less(n(1), m.gets(p)), None, (m.gold,)),
        (gift, less(n(0), m.gets(p, fame)), once, (fame,)),
    )
    for number, (doing, cond, mark, reads) in enumerate(rules):
        m.rules.append(
            ir.StateRule(
                number, doing, (("p", everyone()),), cond, (p,), once=mark, reads=frozenset(reads)
            )
        )
    find = m.doing("find", "effect", who)
    much = m.decision("find.n")
    m.body(find, m.ask(much, w, "n", numbers(0, 9)), m.gain(w, v("n"), goods))
    m.always.append(ir.Always("no heap of goods", less(m.gets(Const(0, type=PLAYER), goods), n(6))))
    m.body(
        0,
        Each("round", numbers(1, 3), (Each("q", everyone(), (Call(find, (v("q", PLAYER),)),)),)),
        ir.Win(everyone()),
    )
    m.doings[find] = attrs.evolve(m.doings[find], checks=True)
    return m.program()


def nested() -> ir.Program:
    """A phase inside itself with kept values and a lent field; ``during``; budgets of depth."""
    m = Maker("nested")
    who = ir.Param("who", PLAYER)
    trip = m.doing("trip", "phase", who, ir.Param("depth", COUNT))
    far = m.value("trip.far", NUMBER, 0, phase=trip, shown=True)
    param_who = m.value("trip.who", MAYBE_PLAYER, None, phase=trip)
    param_depth = m.value("trip.depth", NUMBER, 0, phase=trip, shown=True)
    tired = m.field(0, "tired", NUMBER, 0, lent_by=trip)
    step = m.doing("trip.rest", "step")
    again = m.decision("trip.again")
    me = GlobalGet(param_who, type=PLAYER)
    depth = GlobalGet(param_depth, type=NUMBER)
    m.body(step, m.gain(me, n(1), tired), m.gain(me, GlobalGet(far, type=NUMBER)))
    m.body(
        trip,
        m.ask(again, me, "far", numbers(0, 2)),
        ir.SetGlobal(far, v("far")),
        Call(step, ()),
        If(
            ir.And((less(n(0), v("far")), less(depth, n(3))), type=FLAG),
            (Call(trip, (me, add(depth, n(1)))),),
        ),
        Call(step, ()),
        If(less(n(3), m.gets(me, tired)), (ir.Fault("too tired", "R0105"),)),
        param_globals=(param_who, param_depth),
        keeps=(far,),
        lends=(tired,),
    )
    m.body(
        0,
        Each(
            "p",
            everyone(),
            (
                Call(trip, (v("p", PLAYER), n(0))),
                If(ir.During(trip, type=FLAG), (ir.Fault("still on a trip", "R0105"),)),
            ),
        ),
        ir.Win(everyone()),
    )
    return m.program()


def sets() -> ir.Program:
    """Secret rounds, sets with a condition, interchangeable pieces, labels, subsets."""
    m = Maker("sets", seats=3)
    port = m.kind("Port", 2)
    ship = m.kind("Ship", 6, alike=True)
    place = m.field(ship, "place", Type("thing", kinds=(port,), optional=True), None)
    m.field(ship, "owner", PLAYER, [0, 0, 1, 1, 2, 2], mutable=False)
    owner = len(m.fields) - 1
    bid = m.field(0, "bid", NUMBER, 0)
    secret = m.decision("auction.bid", secret=True)
    some = m.decision("fleet.ships", "set", things(ship))
    worth = m.decision("coins.coins", "set", NUMBER)
    label = m.decision("fleet.options", "label")
    p = v("p", PLAYER)
    ships = Type("set", elem=things(ship))
    fleet = m.doing("fleet", "effect", ir.Param("p", PLAYER))
    mine = ir.Where(
        KindAll(ship, type=ships), "s", eq(m.gets(v("s", things(ship)), owner), p), type=ships
    )
    m.body(
        fleet,
        m.ask(some, p, "ships", mine, at_least=n(0), at_most=n(2)),
        Ask(
            label,
            p,
            "to",
            alternatives=(
                ir.Alternative(ir.Prompt(("First",))),
                ir.Alternative(
                    ir.Prompt(("Second for ", p)), cond=less(n(0), ir.Count(v("ships", ships)))
                ),
            ),
        ),
        ir.Move(
            v("ships", ships),
            ir.Dest(
                "thing",
                ir.Case(
                    ((eq(v("to"), n(0)), Const(m.kinds[port].base, type=things(port))),),
                    Const(m.kinds[port].base + 1, type=things(port)),
                    type=things(port),
                ),
            ),
            many=True,
        ),
    )
    coins = Type("set", elem=NUMBER)
    bids = Type("list", elem=NUMBER)
    m.body(
        0,
        Let("sealed", Const((), type=bids)),
        Each(
            "p",
            everyone(),
            (
                m.ask(secret, p, "bid", numbers(1, 3)),
                Let(
                    "sealed",
                    ir.Concat(v("sealed", bids), ir.MakeList((v("bid"),), type=bids), type=bids),
                ),
            ),
        ),
        Each(
            "p",
            everyone(),
            (SetField(p, (bid,), None, ir.Item(v("sealed", bids), v("i"))),),
            index="i",
        ),
        Each(
            "p",
            everyone(),
            (
                m.ask(
                    worth,
                    p,
                    "coins",
                    Const((1, 2, 3, 5, 8), type=coins),
                    at_least=n(1),
                    at_most=n(3),
                    whole=eq(ir.Fold("sum", v("coins", coins)), add(n(6), m.gets(p, bid))),
                ),
                m.gain(p, ir.Count(v("coins", coins))),
                m.ask(
                    worth,
                    p,
                    "none",
                    Const((2, 4), type=coins),
                    at_least=n(1),
                    at_most=n(2),
                    whole=eq(ir.Fold("sum", v("none", coins)), n(5)),
                    otherwise=(m.gain(p, n(10)),),
                ),
                Call(fleet, (p,)),
                Call(fleet, (p,)),
                m.gain(
                    p,
                    ir.Count(
                        ir.Subsets(
                            ir.PlacedAt(
                                KindAll(ship, type=ships),
                                Const(m.kinds[port].base, type=things(port)),
                                type=ships,
                            ),
                            type=Type("list", elem=ships),
                        )
                    ),
                ),
            ),
        ),
        ir.Win(everyone()),
    )
    assert place
    return m.program()


def cards() -> ir.Program:
    """Card rules: in force by place, ``still`` after use, kept values, piles, chance, bags."""
    m = Maker("cards")
    card = m.kind("Card", 5)
    table = m.kind("Table", 1, singleton=True)
    base = m.kinds[card].base
    m.kinds[card] = attrs.evolve(m.kinds[card], movable=True)
    cards_of = Type("list", elem=things(card))
    deck = m.field(
        table, "deck", cards_of, [tuple(range(base, base + 5))], pile=True, sight="hidden"
    )
    gone = m.field(table, "gone", cards_of, (), pile=True)
    hand = m.field(0, "hand", cards_of, (), pile=True, acts="self", sight="owner")
    bag = m.field(0, "bag", Type("bag", enum=0), (0,) * 6)
    used = m.value("card.used", NUMBER, 0)
    m.card_keeps.append((base, (used,)))
    board = Const(m.kinds[table].base, type=things(table))
    who = ir.Param("who", PLAYER)
    w = v("who", PLAYER)
    first = Const(base, type=things(card))
    holder = ir.HolderOf(first, type=MAYBE_PLAYER)
    work = m.doing("work", "effect", who)
    spend = m.hook(
        "card.before.work",
        (ir.Param("you", PLAYER),),
        ir.Move(first, ir.Dest("bottom", board, (gone,))),
        ir.AdjustGlobal(used, 1, n(1)),
    )
    reward = m.hook("card.after.work", (ir.Param("you", PLAYER),), m.gain(v("you", PLAYER), n(5)))
    may = m.decision("card.before.work.may", "yes", FLAG)
    m.body(
        work,
        ir.Roll("face", 1, 6, "work.face"),
        SetField(
            w,
            (bag,),
            None,
            ir.BagArith(
                "+",
                m.gets(w, bag),
                ir.MakeBag((v("face"),), type=Type("bag", enum=0)),
                type=Type("bag", enum=0),
            ),
        ),
        m.gain(w, ir.BagLargest(m.gets(w, bag))),
        before=(
            ir.Hook(
                spend,
                (v("you", PLAYER),),
                lets=(("you", holder),),
                guard=eq(v("you", PLAYER), w),
                ask=Ask(may, w, "$may"),
                label="card",
            ),
        ),
        after=(
            ir.Hook(
                reward,
                (v("you", PLAYER),),
                lets=(("you", holder),),
                guard=eq(v("you", PLAYER), w),
                still=holder,
                label="card",
            ),
        ),
    )
    draw = m.doing("draw", "effect", who)
    which = m.decision("draw.card", of=things(card))
    m.body(
        draw,
        Let(
            "seen",
            ir.Take(m.gets(board, deck), n(2), type=cards_of),
        ),
        m.ask(
            which,
            w,
            "card",
            v("seen", cards_of),
            otherwise=(
                ir.Move(m.gets(board, gone), ir.Dest("top", board, (deck,)), many=True),
                ir.Shuffle("draw.shuffle", board, (deck,)),
                End(draw),
            ),
        ),
        ir.Move(v("card", things(card)), ir.Dest("top", w, (hand,))),
    )
    m.body(
        0,
        ir.Shuffle("setup.deck", board, (deck,)),
        Each(
            "round",
            numbers(1, 4),
            (
                Each(
                    "p",
                    everyone(),
                    (
                        Call(draw, (v("p", PLAYER),)),
                        Call(work, (v("p", PLAYER),)),
                        ir.Pick("lucky", everyone(), "game.lucky"),
                        m.gain(v("lucky", PLAYER), n(1)),
                        If(
                            less(n(1), ir.Count(m.gets(v("p", PLAYER), hand))),
                            (
                                ir.Pick(
                                    "lost", m.gets(v("p", PLAYER), hand), "game.lost", count=n(2)
                                ),
                                ir.Move(
                                    v("lost", Type("set", elem=things(card))),
                                    ir.Dest("top", board, (gone,)),
                                    many=True,
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        ir.Win(everyone()),
    )
    return m.program()


def maps() -> ir.Program:
    """A map whose costs depend on the state; distances, reach, nearest; policies of automas."""
    m = Maker("maps")
    sea = m.kind("Sea", 6)
    here = m.field(0, "here", things(sea), m.kinds[sea].base)
    storm = m.field(sea, "storm", FLAG, False)
    base = m.kinds[sea].base
    number = m.field(sea, "number", NUMBER, list(range(6)), mutable=False)
    a, b = v("a", things(sea)), v("b", things(sea))
    gap = Arith("-", m.gets(b, number), m.gets(a, number))
    way = m.define(
        "way",
        (ir.Param("a", things(sea)), ir.Param("b", things(sea))),
        Type("number", lo=0, optional=True),
        ir.Case(
            (
                (
                    ir.Or((eq(gap, n(1)), eq(gap, n(-1))), type=FLAG),
                    ir.Case(((m.gets(b, storm), n(3)),), n(1)),
                ),
                (
                    ir.And((eq(m.gets(a, number), n(0)), eq(m.gets(b, number), n(4))), type=FLAG),
                    n(2),
                ),
            ),
            Const(None, type=ir.NONE),
        ),
    )
    seas = Type("set", elem=things(sea))
    p = v("p", PLAYER)
    sail = m.decision("sail.sea", of=things(sea))
    go = m.doing("sail", "effect", ir.Param("p", PLAYER))
    m.body(
        go,
        m.ask(
            sail,
            p,
            "sea",
            ir.MapOp("within", way, sea, (), m.gets(p, here), n(2), type=seas),
            policy=ir.Policy(
                keys=(ir.Key("s", m.gets(v("s", things(sea)), number), highest=True),)
            ),
        ),
        SetField(p, (here,), None, v("sea", things(sea))),
        SetField(
            v("sea", things(sea)),
            (storm,),
            None,
            ir.Not(m.gets(v("sea", things(sea)), storm), type=FLAG),
        ),
        m.gain(
            p, ir.MapOp("distance", way, sea, (), Const(base, type=things(sea)), m.gets(p, here))
        ),
        m.gain(
            p,
            ir.Count(
                ir.MapOp(
                    "nearest",
                    way,
                    sea,
                    (),
                    m.gets(p, here),
                    Const((base + 2, base + 5), type=seas),
                    type=seas,
                )
            ),
        ),
    )
    m.body(
        0,
        Each("round", numbers(1, 3), (Each("p", everyone(), (Call(go, (p,)),)),)),
        ir.Win(everyone()),
    )
    return m.program()


SAMPLES = {
    each.name: each
    for each in (
        loops(),
        hooks(),
        unwinding(),
        durations(),
        settling(),
        nested(),
        sets(),
        cards(),
        maps(),
    )
}
