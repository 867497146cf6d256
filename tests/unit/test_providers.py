"""Providers: random, by policy, by script, and a person at a terminal who types anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.decision import Decision, OneOf, Option, SetOf
from interpreter.errors import Quit, ReplayError, ScriptError
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.human import HumanProvider
from interpreter.providers.random import RandomProvider
from interpreter.providers.replay import Answered, ReplayProvider
from interpreter.providers.scripted import ScriptedProvider
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interpreter.sight.observation import Observation

NAMES = {1: "North", 2: "South", 3: "Southern Cross", 4: "East"}


def unseen() -> NoReturn:
    raise AssertionError("nobody needs the observation here")


look: Callable[[], Observation] = unseen


def named(value: object) -> tuple[str, str]:
    if isinstance(value, int):
        return NAMES[value], NAMES[value].lower().replace(" ", "_")
    return f"{value}", f"{value}"


def one(policy: Callable[[object], object] | None = None) -> Decision:
    static = ir.Decision(0, "turn.where", "one", ir.NUMBER, cites=("A-1",), doc="Go somewhere.")
    return Decision(static, 0, OneOf(((1,), (2,), (3,), (4,)), named), "Where to?", policy)


def some() -> Decision:
    static = ir.Decision(0, "turn.some", "set", ir.NUMBER)
    domain = SetOf(((1, 2, 3), (4,)), named, (1, 2, 3, 4), 1, 3)
    return Decision(static, 1, domain, "Which?")


class Terminal:
    """Types lines and keeps what is shown."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        assert prompt
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def ask(self, decision: Decision) -> object:
        person = HumanProvider(
            self.read, self.shown.append, ("Ann", "Bob"), lambda cite: f"text of {cite}"
        )
        return person.decide(look, decision)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def test_a_person_types_a_number_or_a_name() -> None:
    for line, expected in (
        ("2", 2), (" 4 ", 4), ("north", 1), ("South", 2), ("cross", 3), ("southern_cross", 3),
    ):  # fmt: skip
        assert Terminal(line).ask(one()) == expected


def test_what_cannot_be_is_explained_and_asked_again() -> None:
    terminal = Terminal("1 2", "0", "5", "sou", "", "²", "9" * 40, "x" * 500, "\x00", "east")
    assert terminal.ask(one()) == 4
    assert terminal.text.count("not possible") == 9
    assert "only one of these" in terminal.text
    assert "Ann: Where to?" in terminal.text


def test_help_rule_and_filter() -> None:
    terminal = Terminal("?", "help", "/south", "/", "1")
    assert terminal.ask(one()) == 1
    assert "[A-1] text of A-1" in terminal.text
    assert "Go somewhere." in terminal.text
    filtered = terminal.text.split("Where to?")[2]
    assert "South" in filtered
    assert "North" not in filtered


def test_numbers_stand_for_themselves() -> None:
    static = ir.Decision(0, "turn.bid", "one", ir.NUMBER)
    groups = tuple((number,) for number in range(4))
    decision = Decision(static, 0, OneOf(groups, lambda v: (f"{v}", f"{v}")), "")
    terminal = Terminal("4", "1")
    assert terminal.ask(decision) == 1
    assert "no option has the number or name '4'" in terminal.text


def test_a_guide_names_options_and_shows_the_table() -> None:
    class Told:
        def lines(self, _seen: object) -> list[str]:
            return ["Ann has everything"]

        def title(self, _seen: object, _decision: Decision, option: Option) -> str:
            return f"the way {option.text}"

        def hint(self, options: Iterable[Option]) -> list[str]:
            return [f"not {next(iter(options)).text}"]

        def citations(self, _decision: Decision) -> list[str]:
            return ["B-2"]

        def why(self, _decision: Decision, asked: str) -> list[str]:
            return [f"{asked}: 4"]

        def about(self, _decision: Decision, what: str) -> list[str]:
            return [f"{what}: on offer"]

        def why_not(self, _decision: Decision, option: str) -> list[str]:
            return [f"{option}: no"]

    terminal = Terminal("t", "?", "? the way north", "hint", "the way north")
    person = HumanProvider(
        terminal.read, terminal.shown.append, ("Ann",), lambda cite: f"text of {cite}", Told()
    )
    assert person.decide(lambda: cast("Observation", None), one()) == 1
    assert "Ann has everything" in terminal.text
    assert "not the way" in terminal.text
    assert "north: on offer" in terminal.text.splitlines()
    assert "[B-2] text of B-2" in terminal.text


def test_long_lists_are_cut_and_shown_on_request() -> None:
    groups = tuple((number,) for number in range(1, 51))
    static = ir.Decision(0, "turn.n", "one", ir.NUMBER)
    decision = Decision(static, 5, OneOf(groups, lambda v: (f"no {v}", f"{v}")), "")
    terminal = Terminal("/", "50")
    assert terminal.ask(decision) == 50
    assert "... and 30 more" in terminal.text
    assert "no 50" in terminal.text
    assert "Seat 6: n" in terminal.text


def test_sets_are_typed_with_counts() -> None:
    assert Terminal("1x2 2").ask(some()) == (1, 2, 4)
    assert Terminal("1, 1").ask(some()) == (1, 2)
    terminal = Terminal("", "1x4", "1x3 2", "east")
    assert terminal.ask(some()) == (4,)
    assert terminal.text.count("not possible") == 3
    assert "(3 alike)" in terminal.text
    assert "Choose 1 to 3, numbers with blanks" in terminal.text


@pytest.mark.parametrize("lines", [(), ("q",), ("nothing", "quit")])
def test_the_end_of_input_and_q_stop(lines: tuple[str, ...]) -> None:
    with pytest.raises(Quit):
        Terminal(*lines).ask(one())


@given(st.lists(st.text(), max_size=4))
def test_nothing_that_is_typed_breaks_it(lines: list[str]) -> None:
    for decision in (one(), some()):
        try:
            answer = Terminal(*lines).ask(decision)
        except Quit:
            continue
        assert decision.options.contains(answer)


def test_random_answers_are_legal_and_repeat() -> None:
    def answers() -> list[object]:
        provider = RandomProvider(7)
        return [provider.decide(look, decision) for decision in (one(), some()) for _ in range(30)]

    assert answers() == answers()
    assert set(answers()[:30]) == {1, 2, 3, 4}


def test_a_policy_answers_for_a_person_and_chance_where_there_is_none() -> None:
    provider = AutomaProvider(1)
    assert {provider.decide(look, one(lambda _: 3)) for _ in range(9)} == {3}
    assert len({provider.decide(look, one(lambda _: None)) for _ in range(30)}) == 4
    assert len({provider.decide(look, one()) for _ in range(30)}) == 4


def test_a_script_gives_values_and_keys_and_ends() -> None:
    script = ScriptedProvider([2, "southern_cross"])
    assert [script.decide(look, one()) for _ in range(2)] == [2, 3]
    with pytest.raises(ScriptError, match=r"turn\.where"):
        script.decide(look, one())


def test_a_replay_notices_what_does_not_fit() -> None:
    replay = ReplayProvider(
        [Answered("turn.where", 0, 2), Answered("turn.where", 0, 9), Answered("x", 0, 1)]
    )
    assert replay.decide(look, one()) == 2
    with pytest.raises(ReplayError, match="not legal") as caught:
        replay.decide(look, one())
    assert caught.value.index == 1
    replay.position = 2
    with pytest.raises(ReplayError, match="recorded for x"):
        replay.decide(look, one())
    replay.position = 3
    with pytest.raises(ReplayError, match="more than the 3"):
        replay.decide(look, one())
