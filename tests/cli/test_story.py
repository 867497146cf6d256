"""The story: sentences from hand-written logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.story import Story
from rulelang import ir
from rulelang.wording import listed, plural, spoken
from tests.unit.ir_samples import PLAYER, Maker

if TYPE_CHECKING:
    from interpreter.events import Event

NOWHERE = (0, None)


def sample() -> tuple[ir.Program, dict[str, int]]:
    """Two players with gold and ships, ports, a phase with a number and an effect."""
    m = Maker("sample")
    port = m.kind("Port", 2)
    ship = m.kind("Ship", 4, alike=True, movable=True)
    m.field(ship, "owner", PLAYER, [0, 0, 1, 1], mutable=False)
    place = ir.Type("thing", kinds=(port,), optional=True)
    m.field(ship, "place", place, None)
    mood = len(m.enums)
    m.enums.append(ir.Enum("Mood", ("calm", "very_angry")))
    mood_field = m.field(0, "mood", ir.Type("word", enum=mood), 0)
    phase = m.doing("turn", "phase", ir.Param("n", ir.NUMBER), cites=("R-1",))
    effect = m.doing("build_ship", "effect", ir.Param("player", PLAYER), cites=("R-2",))
    m.decision("turn.target", "one", ir.Type("thing", kinds=(port,)), cites=("R-3",))
    names = {"phase": phase, "effect": effect, "gold": m.gold, "mood": mood_field}
    return m.program(), names


def told(level: Literal["quiet", "turns", "full"], events: list[Event]) -> list[str]:
    """Tell a log, without colour."""
    program, _ = sample()
    story = Story(program, Names(program, ["Ann", "Bob"]), level, Paint(False))
    return [*story.tell(events), *story.close()]


def log() -> list[Event]:
    """One turn: a choice, dice, gains, a ship that is built and a change of mood."""
    program, at = sample()
    port, ship = program.kinds[1].base, program.kinds[2].base
    return [
        ("begin", 0, ()),
        ("begin", at["phase"], (3,)),
        ("answer", 0, 0, port, "provider"),
        ("roll", "turn.die", 5, 0),
        ("gain", 0, at["gold"], 2, None, -1),
        ("gain", 0, at["gold"], 1, None, -1),
        ("begin", at["effect"], (1,)),
        ("move", ship + 2, NOWHERE, (0, port)),
        ("move", ship + 3, NOWHERE, (0, port)),
        ("gain", 1, at["gold"], -2, 0, at["gold"]),
        ("set", 1, at["mood"], 0, 0, 1),
        ("end", at["effect"], None, ""),
        ("end", at["phase"], None, ""),
        ("begin", at["phase"], (4,)),
        ("answer", 0, 1, port, "sole"),
        ("end", at["phase"], None, ""),
        ("win", (0, 1)),
        ("end", 0, None, ""),
    ]


def test_quiet_tells_nothing() -> None:
    """Level `quiet` has no lines."""
    assert told("quiet", log()) == []


def test_turns_tell_phases_and_what_happened() -> None:
    """Sentences of one subject are joined; phases without anything to tell have no heading."""
    assert told("turns", log()) == [
        "",
        "Turn 3",
        "  Ann chooses port 1 as target, rolls 5, gains 3 gold",
        "  2 ships of Bob come to port 1",
        "  Bob loses 2 gold to Ann, mood becomes very angry",
        "Ann and Bob win",
    ]


def test_full_tells_every_doing_with_its_citations() -> None:
    """Level `full` adds doings, citations, amounts so far and answers without a choice."""
    lines = told("full", log())
    assert "Turn 3  [R-1]" in lines
    assert "  build ship (Bob)  [R-2]" in lines
    assert any("(now 3)" in line for line in lines)
    assert "Turn 4  [R-1]" in lines
    assert any(line.endswith("[R-3]") for line in lines)


def test_a_story_can_come_in_parts() -> None:
    """The parts of a log give the same lines as the whole."""
    program, _ = sample()
    story = Story(program, Names(program, ["Ann", "Bob"]), "full", Paint(False))
    lines = [line for event in log() for line in story.tell([event])]
    assert [*lines, *story.close()] == told("full", log())


def test_what_says_again_what_was_told_is_left_out() -> None:
    """A draw that is seen at once, an answer that is set, and a value put back are told once or not at all."""
    program, at = sample()
    port, ship = program.kinds[1].base, program.kinds[2].base
    place = next(field.index for field in program.fields if field.name == "place")
    events: list[Event] = [
        ("pick", "turn.ship", ship),
        ("move", ship, NOWHERE, (0, port)),
        ("pick", "turn.mood", 1),
        ("set", 0, at["mood"], 0, 0, 1),
        ("set", ship, place, 0, port, None),
        ("pick", "turn.number", 4),
        ("roll", "turn.storm.die", 3, None),
        ("move", ship, (0, port), (0, port)),
    ]
    assert told("turns", events) == [
        "a ship of Ann comes to port 1",
        "Ann: mood becomes very angry",
        "drawn for number: 4",
        "rolled for storm: 3",
    ]
    assert len(told("full", events)) > 6


def test_what_several_do_alike_is_told_once() -> None:
    """Subjects of one predicate are joined, and alike things that go to several places."""
    program, at = sample()
    port, ship = program.kinds[1].base, program.kinds[2].base
    events: list[Event] = [
        ("gain", 0, at["gold"], 1, None, -1),
        ("gain", 1, at["gold"], 1, None, -1),
        ("move", ship, NOWHERE, (0, port)),
        ("move", ship + 1, NOWHERE, (0, port + 1)),
        ("set", 0, at["mood"], 0, 0, 1),
        ("set", 0, at["mood"], 0, 1, 1),
        ("set", 0, at["mood"], 0, 1, 0),
    ]
    assert told("turns", events) == [
        "Ann and Bob gain 1 gold",
        "2 ships of Ann come to port 1 and port 2",
        "Ann: mood becomes very angry, then calm",
    ]


def test_words() -> None:
    """Names become words, lists become sentences, numbers take the plural."""
    assert spoken("end_phase") == "end phase"
    assert spoken("TradeCard") == "trade card"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [plural(1, "ship"), plural(2, "box"), plural(2, "city")] == [
        "1 ship",
        "2 boxes",
        "2 cities",
    ]


def test_interchangeable_things_are_counted() -> None:
    """Things that nobody can tell apart are told by number, kind and owner."""
    program, _ = sample()
    names = Names(program, ["Ann", "Bob"])
    ship = program.kinds[2].base
    assert names.things([ship, ship + 1, ship + 2]) == "2 ships of Ann and a ship of Bob"


def test_colour_changes_nothing_but_colour() -> None:
    """With escape sequences taken out the coloured story is the plain one."""
    program, _ = sample()
    story = Story(program, Names(program, ["Ann", "Bob"]), "turns", Paint(True))
    coloured = "\n".join([*story.tell(log()), *story.close()])
    assert "\x1b[1m" in coloured
    plain = coloured.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert plain.splitlines() == told("turns", log())
