"""Options and seats as they are typed."""

from __future__ import annotations

import attrs
import click
import pytest

from interpreter.ui.table import Table, option_text, option_values, people_of
from rulelang import ir
from tests.unit.ir_samples import Maker


def sample() -> ir.Program:
    """A program for 1 to 4 people with an option of each kind."""
    m = Maker("sample")
    port = m.kind("Port", 2)
    mood = len(m.enums)
    m.enums.append(ir.Enum("Mood", ("calm", "angry")))
    options = (
        ir.Option(0, "price", ir.Type("number", lo=2, hi=9), 5),
        ir.Option(1, "mood", ir.Type("word", enum=mood), 0),
        ir.Option(2, "fast", ir.FLAG, False),
        ir.Option(3, "home", ir.Type("thing", kinds=(port,), optional=True), None),
        ir.Option(4, "die", ir.Type("word", enum=0), 1),
    )
    return attrs.evolve(m.program(), title="Sample", options=options, players=(1, 4))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("price", "2", 2),
        ("mood", "angry", 1),
        ("fast", "yes", True),
        ("fast", "no", False),
        ("home", "port_2", 3),
        ("home", "none", None),
        ("die", "6", 6),
    ],
)
def test_values_are_read_and_written_alike(name: str, text: str, value: object) -> None:
    """A value that was read is written as it was typed."""
    program = sample()
    found = option_values(program, Table(options={name: text}))
    assert found == {name: value}
    assert type(found[name]) is type(value)
    option = next(option for option in program.options if option.name == name)
    assert option_text(program, option, value) == text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("prise", "2", "Sample has no option 'prise'. Did you mean 'price'?"),
        ("price", "1", "cannot be '1': it takes a number from 2 to 9."),
        ("price", "²", "cannot be '²'"),
        ("price", "-3", "cannot be '-3'"),
        ("price", "9" * 5000, "it takes a number from 2 to 9"),
        ("mood", "angri", "it takes calm or angry. Did you mean 'angry'?"),
        ("mood", "1", "cannot be '1'"),
        ("fast", "1", "it takes yes or no"),
        ("home", "port_3", "it takes port_1 or port_2 or none"),
        ("die", "7", "cannot be '7'"),
    ],
)
def test_wrong_options_say_what_is_legal(name: str, text: str, message: str) -> None:
    """An unknown name or a value outside the type is a usage error that helps."""
    with pytest.raises(click.UsageError) as error:
        option_values(sample(), Table(options={name: text}))
    assert message in error.value.message


@pytest.mark.parametrize(
    ("table", "people"),
    [
        (Table(), 2),
        (Table(people=4), 4),
        (Table(people=1), 1),
        (Table(seats={3: "human"}), 3),
    ],
)
def test_people(table: Table, people: int) -> None:
    """Two people sit down unless something else is asked for."""
    assert people_of(table, sample()) == people


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Table(people=5), "Sample is for 1 to 4 people, not 5."),
        (Table(seats={5: "human"}), "There is no person in seat 5: 4 take part"),
        (Table(people=1, seats={2: "human"}), "There is no person in seat 2: 1 take part"),
    ],
)
def test_wrong_people(table: Table, message: str) -> None:
    """Too many people, or a seat without one, is a usage error."""
    with pytest.raises(click.UsageError) as error:
        people_of(table, sample())
    assert message in error.value.message
