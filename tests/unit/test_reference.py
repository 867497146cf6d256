"""The meaning of doings, rules about them, settling and decisions, on the reference interpreter."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from interpreter import events
from interpreter.errors import BudgetExhausted, IllegalChoice, RuleFault
from interpreter.providers.random import RandomProvider
from interpreter.providers.scripted import ScriptedProvider
from interpreter.reference import Reference
from rulelang import ir
from rulelang.ir import Arith, Ask, Call, Const, Each, End, If, Let, Local, SetField
from tests.unit.ir_samples import (
    PLAYER,
    SAMPLES,
    Maker,
    add,
    eq,
    everyone,
    less,
    n,
    numbers,
    v,
)

FIRST = Const(0, type=PLAYER)
WHO = ir.Param("who", PLAYER)


def play(name: str, *answers: object, seed: int = 1) -> Reference:
    """Play a sample by script, everything used."""
    return run(SAMPLES[name], *answers, seed=seed)


def run(program: ir.Program, *answers: object, seed: int = 1) -> Reference:
    script = ScriptedProvider(answers)
    game = Reference(program, seed=seed, providers=dict.fromkeys(range(program.seats), script))
    game.play()
    assert script.left == 0
    return game


def field(game: Reference, name: str, thing: int = 0) -> Any:
    index = next(each.index for each in game.program.fields if each.name == name)
    return game.layout.read(game.slots, index, thing)


def logs(name: str, *answers: object) -> list[object]:
    """What the sample's notes said each time they were cleared."""
    game = play(name, *answers)
    log = next(each.index for each in game.program.fields if each.name == "log")
    return [
        event[4]
        for event in game.events
        if event[0] == events.SET and event[2] == log and event[5] == 0
    ]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("seed", range(3))
def test_every_sample_plays_and_repeats(name: str, seed: int) -> None:
    def once() -> Reference:
        provider = RandomProvider(seed)
        program = SAMPLES[name]
        game = Reference(
            program, seed=seed, providers=dict.fromkeys(range(program.seats), provider)
        )
        game.play()
        return game

    first, second = once(), once()
    assert first.over
    assert first.slots == second.slots
    assert first.events == second.events
    assert first.slots[first.layout.acting] == ()
    assert first.slots[first.layout.open] == ()


# ------------------------------------------------------------------------------------------- unwinding


def test_an_end_ends_what_is_open_inside_and_their_after_rules_run() -> None:
    # inner's own after rule, then middle's: its result was given, so both of them; then fight goes on.
    assert logs("unwinding", 1, 0, 2, 2)[0] == 12374 // 1
    # Nobody leaves: 1 after inner, 6 in middle, 2 and 3 after it, 7 in fight, 4 after fight.
    assert logs("unwinding", 0, 0, 0, 0) == [162374] * 4
    # Fight is left from inside middle: the rule that asks for middle's result does not run.
    assert logs("unwinding", 2, 0, 0, 0)[0] == 124


def test_the_end_of_the_game_stops_everything_at_once() -> None:
    game = play("unwinding", 3)
    assert game.winners is None
    assert not [event for event in game.events if event[0] == events.HOOK]


def test_an_end_in_a_before_rule_means_it_never_begins() -> None:
    m = Maker("never")
    doing = m.doing("work", "effect", WHO, result=ir.NUMBER)
    stop = m.hook("before", (WHO,), End(doing, n(7)))
    later = m.hook("after", (WHO,), m.gain(FIRST, n(50)))
    m.body(
        doing, m.gain(FIRST, n(9)), End(doing, n(1)),
        before=(ir.Hook(stop, (FIRST,)),), after=(ir.Hook(later, (FIRST,)),),
    )  # fmt: skip
    m.body(0, Call(doing, (FIRST,), "r"), m.gain(FIRST, v("r")))
    assert field(run(m.program()), "gold") == 7


def test_an_end_in_an_after_rule_counts_only_if_it_leads_further_out() -> None:
    m = Maker("further")
    outer = m.doing("outer", "phase")
    middle = m.doing("middle")
    inner = m.doing("inner")
    to_middle = m.hook("after.inner", (), m.gain(FIRST, n(1)), End(middle))
    to_outer = m.hook("after.inner_2", (), m.gain(FIRST, n(10)), End(outer))
    m.body(inner, End(middle), after=(ir.Hook(to_middle), ir.Hook(to_outer)))
    m.body(middle, Call(inner, ()), m.gain(FIRST, n(40)))
    m.body(outer, Call(middle, ()), m.gain(FIRST, n(40)))
    m.body(0, Call(outer, ()), m.gain(FIRST, n(5)))
    assert field(run(m.program()), "gold") == 16


# ------------------------------------------------------------------------------------ rules about doings


def test_rules_change_arguments_and_results_and_replace() -> None:
    first = (
        *(1, False),  # the tax makes 2 a 3; the cloak is declined; what came out is doubled
        *(0, True),  # the cloak: 50 come out, nothing is paid, no after rule
        *(0, True, 0),  # the shield does the original with 1, which is taxed but not shielded
        *(2, False),  # the cloak is used up; the shield is declined
    )
    second = (0, 0, 0, False, 0, False)
    game = play("hooks", *first, *second)
    assert field(game, "gold", 0) == 20 - 3 + 6 + 50 + 1 - 1 + 2 - 7 + 14
    assert field(game, "gold", 1) == 20 + 2 + 3 + 4 + 5


def test_a_replacement_that_does_the_original_is_not_asked_again() -> None:
    m = Maker("again")
    work = m.doing("work", "effect", WHO, ir.Param("n", ir.COUNT))
    busy = m.value("busy")
    more = m.hook("instead", (WHO, ir.Param("n", ir.COUNT)),
                  Call(work, (v("who", PLAYER), add(v("n"), n(1)))))  # fmt: skip
    m.body(
        work, m.gain(v("who", PLAYER), v("n")),
        instead=(ir.Hook(more, (v("who", PLAYER), v("n")), busy=busy),),
    )  # fmt: skip
    m.body(0, Call(work, (FIRST, n(3))), Call(work, (FIRST, n(3))))
    game = run(m.program())
    assert field(game, "gold") == 8
    ends = [event[3] for event in game.events if event[0] == events.END]
    assert ends.count("replaced") == 2


def test_the_player_concerned_picks_which_replacement_comes_first() -> None:
    m = Maker("order")
    work = m.doing("work", "effect", WHO)
    first = m.decision("work.first", "order")
    may = m.decision("work.may", "yes", ir.FLAG)
    hooks = []
    for amount in (1, 10, 100):
        doing = m.hook(f"hook {amount}", (WHO,), m.gain(v("who", PLAYER), n(amount - 1)))
        ask = Ask(may, v("who", PLAYER), "$may") if amount > 1 else None
        hooks.append(ir.Hook(doing, (v("who", PLAYER),), ask=ask, label=f"hook {amount}"))
    m.body(work, instead=tuple(hooks), concerned=v("who", PLAYER), order_decision=first)
    m.body(0, Call(work, (FIRST,)))
    program = m.program()
    assert field(run(program, 1, True), "gold") == 9
    assert field(run(program, 2, False), "gold") == 0, "a declined one hands on to the first"
    assert field(run(program, "hook 10", False), "gold") == 0


def test_a_card_in_force_when_the_event_began_still_has_its_after_rule() -> None:
    game = Reference(SAMPLES["cards"], seed=3)
    game.providers = dict.fromkeys(range(2), RandomProvider(8))
    game.play()
    rules = [event[2] for event in game.events if event[0] == events.HOOK]
    assert "before" in rules
    assert rules.count("after") >= rules.count("before")


# ---------------------------------------------------------------------------------------------- settling


def test_state_rules_are_settled_when_a_named_doing_ends_and_not_between_lines() -> None:
    game = play("settling", *([0] * 6))
    assert field(game, "gold") == 0
    # 9 goods: one exchange; then 5 more: two gold at last, the question, fame, the gift used once.
    game = play("settling", 9, 0, 6, True, 0, 0, 0)
    kinds = [event[1] for event in game.events if event[0] == events.RULE]
    assert kinds == [0, 0, 1, 2, 0]
    assert field(game, "fame") == 1
    assert field(game, "gold") == 1


def test_an_acting_rule_is_not_looked_at_again_for_the_same_things() -> None:
    m = Maker("acting")
    rule = m.doing("rule", "rule", WHO)
    inner = m.doing("inner")
    m.body(inner, m.gain(FIRST, n(1)))
    m.body(rule, Call(inner, ()), SetField(v("who", PLAYER), (m.gold,), None, n(0)))
    m.rules.append(
        ir.StateRule(0, rule, (("p", everyone()),), less(n(0), m.gets(v("p", PLAYER))),
                     (v("p", PLAYER),))
    )  # fmt: skip
    m.body(0, Call(inner, ()))
    game = run(m.program())
    fired = [event[2] for event in game.events if event[0] == events.RULE]
    assert fired == [(0,)]


def test_a_broken_promise_is_a_fault() -> None:
    m = Maker("promise")
    work = m.doing("work", checks=True)
    m.body(work, m.gain(FIRST, n(7)))
    m.always.append(ir.Always("little gold", less(m.gets(FIRST), n(5))))
    m.body(0, Call(work, ()))
    with pytest.raises(RuleFault, match="little gold"):
        run(m.program())


# ------------------------------------------------------------------------------------- phases, durations


def test_a_phase_inside_itself_has_its_own_values() -> None:
    # 2 (goes deeper: 1 (deeper: 0)): each level's rests add its own value twice.
    assert field(play("nested", 2, 1, 0, 0), "gold") == 6


def test_temporary_changes_return() -> None:
    game = play("durations", 1, 5, 2, 5, 3, 4)
    assert game.slots[game.layout.open] == ()
    undone = [event[1:] for event in game.events if event[0] == events.UNDO]
    slot = game.layout.slot(2, 0)
    assert undone[0] == (slot, 9, 3)
    assert (slot, 5, 3) in undone, "until the next turn begins"


# --------------------------------------------------------------------------------------------- decisions


def test_sole_answers_are_taken_and_logged() -> None:
    game = play("loops", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2)
    sole = [event for event in game.events if event[0] == events.ANSWER and event[4] == events.SOLE]
    assert [event[3] for event in sole] == [7]
    assert game.slots[game.layout.decisions] == 14


def test_an_illegal_answer_is_refused() -> None:
    with pytest.raises(IllegalChoice):
        play("loops", 5)


def test_a_set_with_a_condition() -> None:
    game = Reference(SAMPLES["sets"], providers=dict.fromkeys(range(3), RandomProvider(1)))
    game.play()
    chosen = [
        event[3] for event in game.events
        if event[0] == events.ANSWER
        and game.program.decisions[event[1]].path == "coins.coins"  # type: ignore[call-overload]
    ]  # fmt: skip
    assert [sum(each) for each in chosen] == [6 + field(game, "bid", seat) for seat in range(3)]  # type: ignore[call-overload]


def test_automas_follow_the_policy() -> None:
    game = Reference(SAMPLES["maps"], people=())
    game.play()
    answers = [event[3:] for event in game.events if event[0] == events.ANSWER]
    assert {by for _, by in answers} == {events.POLICY, events.SOLE}
    assert answers[0][0] == SAMPLES["maps"].kinds[1].base + 4


def test_without_a_policy_an_automa_is_a_fault() -> None:
    game = Reference(SAMPLES["loops"], people=())
    with pytest.raises(RuleFault, match="no policy"):
        game.play()


# ----------------------------------------------------------------------------------- faults and budgets


def broken(*lines: ir.Stmt) -> ir.Program:
    m = Maker("broken")
    m.body(0, *lines)
    return m.program()


NONE = Const(None, type=ir.NONE)
EMPTY = Const((), type=ir.Type("set", elem=ir.NUMBER))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (Let("x", Arith("/", n(1), n(0))), "division by 0"),
        (Let("x", Arith("*", n(10**6), n(10**6))), "beyond"),
        (Let("x", add(n(1), NONE)), "none where a value"),
        (If(NONE, ()), "none where a value"),
        (Let("x", ir.One("first", EMPTY)), "first of nothing"),
        (Let("x", ir.One("only", numbers(1, 2))), "only of several"),
        (Let("x", ir.Fold("max", EMPTY)), "max of nothing"),
        (Let("x", ir.IndexOf(n(3), numbers(1, 2))), "not there"),
        (ir.Adjust(FIRST, (1,), 1, n(100)), "cannot change by 100"),
        (ir.Adjust(FIRST, (1,), -1, n(-1)), "an amount of -1"),
        (SetField(FIRST, (1,), None, n(100)), "cannot be 100"),
        (SetField(NONE, (1,), None, n(1)), "none where a value"),
        (ir.Pick("x", EMPTY, "p"), "nothing"),
        (ir.Fault("it went wrong", "R0105"), "it went wrong"),
        (Let("x", ir.Switch((n(3),), (((frozenset({1}),), n(1)),))), "no row"),
    ],
)
def test_faults_say_what_and_where(line: ir.Stmt, message: str) -> None:
    span = ir.Span(0, 4, 2, 4, 9)
    with pytest.raises(RuleFault, match=message) as caught:
        run(broken(attrs.evolve(line, span=span, cites=("A-1",))))
    entry = caught.value.stack[-1]
    assert (entry.name, entry.span, entry.cites) == ("game", span, ("A-1",))


def test_contradicting_exceptions_are_a_fault_and_signed_ones_add_up() -> None:
    def general(*clauses: ir.Clause) -> ir.Program:
        return broken(ir.Adjust(FIRST, (1,), 1, ir.Exceptional(n(10), clauses)))

    two, three = ir.Clause("two", "=", n(2)), ir.Clause("three", "=", n(3))
    with pytest.raises(RuleFault, match="two, three"):
        run(general(two, three))
    assert field(run(general(two, attrs.evolve(three, beats=("two",)))), "gold") == 3
    signed = (ir.Clause("more", "+", n(5)), ir.Clause("less", "-", n(1)))
    assert field(run(general(*signed)), "gold") == 14
    assert field(run(general(two, *signed)), "gold") == 6


def test_budgets_stop_what_does_not_end() -> None:
    with pytest.raises(BudgetExhausted, match="10,000 rounds"):
        run(broken(ir.While(n(True), ())))
    body = tuple(Let("x", n(1)) for _ in range(40))
    with pytest.raises(BudgetExhausted, match="100,000 lines"):
        run(broken(Each("a", numbers(1, 60), (Each("b", numbers(1, 60), body),))))
    m = Maker("deep")
    deeper = m.doing("deeper")
    m.body(deeper, Call(deeper, ()))
    m.body(0, Call(deeper, ()))
    with pytest.raises(BudgetExhausted, match="100 doings"):
        run(m.program())
    m = Maker("firing")
    rule = m.doing("rule", "rule")
    m.rules.append(ir.StateRule(0, rule, (), n(True)))
    m.body(0, Call(m.doing("work"), ()))
    with pytest.raises(BudgetExhausted, match="1,000 rules"):
        run(m.program())


def test_answers_refill_the_budgets() -> None:
    m = Maker("refill")
    ask = m.decision("ask")
    body = tuple(Let("x", n(1)) for _ in range(900))
    m.body(0, Each("a", numbers(1, 30), (
        m.ask(ask, FIRST, "n", numbers(1, 2)),
        Each("b", numbers(1, 100), body),
    )))  # fmt: skip
    assert run(m.program(), *([1] * 30)).over


# ------------------------------------------------------------------------------------------- expressions


def value(expr: ir.Expr, m: Maker | None = None) -> Any:
    return Reference((m or Maker("values")).program()).value(expr, {})


def listed(*values: object) -> Const:
    return Const(values, type=ir.Type("list", elem=ir.NUMBER))


ITEM = Local("i")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (Arith("/", n(-7), n(2)), -4),
        (ir.MakeSet((n(3), NONE, n(1), n(3))), (1, 3)),
        (ir.Minus(listed(3, 1, 3, 2), listed(3)), (1, 2)),
        (ir.Union(listed(3, 1), listed(2, 3)), (1, 2, 3)),
        (ir.Concat(listed(3), listed(1, 3)), (3, 1, 3)),
        (numbers(2, 1), ()),
        (ir.Where(listed(3, 1, 2), "i", less(n(1), ITEM)), (3, 2)),
        (ir.Map(listed(3, 1), "i", ir.Case(((eq(ITEM, n(3)), NONE),), ITEM)), (1,)),
        (ir.Best(listed(3, 1, 3), (ir.Key("i", ITEM, highest=True),)), (3, 3)),
        (ir.Best(listed(3, 1), (ir.Key("i", NONE, highest=True),)), ()),
        (ir.Sorted(listed(3, 1, 2), (ir.Key("i", ITEM, highest=True),)), (3, 2, 1)),
        (
            ir.Sorted(listed(3, 1, 2),
                      (ir.Key("i", ir.Case(((eq(ITEM, n(1)), NONE),), ITEM), highest=False),)),
            (2, 3, 1),
        ),
        (ir.One("maybe", EMPTY), None),
        (ir.One("last", listed(3, 1)), 1),
        (ir.Take(listed(3, 1), n(5)), (3, 1)),
        (ir.Take(listed(3, 1), n(-1)), ()),
        (ir.Fold("sum", EMPTY), 0),
        (ir.Overlap(listed(1, 2), listed(2)), True),
        (ir.SameItems(listed(1, 2), listed(2, 1)), True),
        (ir.Contains(NONE, listed(1)), False),
        (ir.Clockwise(Const(1, type=PLAYER)), (1, 0)),
        (ir.Subsets(listed(1, 2)), ((), (1,), (2,), (1, 2))),
        (ir.Compare("==", NONE, n(0)), False),
    ],
)  # fmt: skip
def test_expressions(expr: ir.Expr, expected: object) -> None:
    assert value(expr) == expected


def test_bags() -> None:
    dice = ir.Type("bag", enum=0)
    bag = Const((2, 0, 1, 0, 0, 0), type=dice)
    made = ir.MakeBag((n(1), n(1), n(6)), type=dice)
    assert value(made) == (2, 0, 0, 0, 0, 1)
    assert value(ir.BagArith("-", bag, made, type=dice)) == (0, 0, 1, 0, 0, 0)
    assert value(ir.BagArith("*", bag, n(3), type=dice)) == (6, 0, 3, 0, 0, 0)
    assert value(ir.BagWords(bag)) == (1, 3)
    assert value(ir.BagItem(bag, n(3))) == 1
    assert value(ir.BagLargest(Const((), type=dice))) == 0


def test_alike_things_are_counted_in_subsets_until_something_names_one() -> None:
    m = Maker("alike")
    piece = m.kind("Piece", 3, alike=True)
    mark = m.field(0, "mark", ir.Type("thing", kinds=(piece,), optional=True), None)
    of = ir.Type("set", elem=ir.Type("thing", kinds=(piece,)))
    subsets = ir.Subsets(ir.KindAll(piece, type=of))
    base = m.kinds[piece].base
    assert value(subsets, m) == tuple(tuple(range(base, base + k)) for k in range(4))
    m.fields[mark] = attrs.evolve(m.fields[mark], values=(base + 1, None))
    assert len(value(subsets, m)) == 6


def test_a_pile_keeps_its_order_and_a_list_is_moved_one_by_one() -> None:
    m = Maker("piles")
    card = m.kind("Card", 4, movable=True)
    base = m.kinds[card].base
    cards = ir.Type("list", elem=ir.Type("thing", kinds=(card,)))
    left = m.field(0, "left_pile", cards, [(base, base + 1), ()], pile=True)
    dest = ir.Dest("top", Const(1, type=PLAYER), (left,))
    m.body(0, ir.Move(m.gets(FIRST, left), dest, many=True),
           ir.Move(Const((base + 2, base + 3), type=cards), dest, many=True),
           ir.Move(Const(base + 1, type=cards.elem or cards), ir.Dest("box")))  # fmt: skip
    game = run(m.program())
    assert field(game, "left_pile", 1) == (base + 3, base + 2, base)
    assert game.layout.where(game.slots, base + 1) == (1, None)
