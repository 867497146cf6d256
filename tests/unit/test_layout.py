"""The layout: every slot once and named, piles give positions, types admit what they should."""

from __future__ import annotations

import pytest

from interpreter.errors import OptionError
from interpreter.layout import FIRST_PILE, Layout, admits, option_values
from interpreter.naming import Naming
from rulelang import ir
from rulelang.api import check_texts
from rulelang.ir import FLAG, NUMBER, Type
from tests.unit.ir_samples import MAYBE_PLAYER, PLAYER, PLAYERS, SAMPLES

CARDS = SAMPLES["cards"]
FACES = Type("word", enum=0)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_slot_holds_one_thing(name: str) -> None:
    layout = Layout(SAMPLES[name])
    names = [layout.describe(slot) for slot in range(layout.size)]
    assert len(set(names)) == layout.size == len(layout.initial(1))
    assert not [each for each in names if each.startswith("slot ")]


def test_fields_that_nothing_writes_have_no_slot() -> None:
    program = SAMPLES["sets"]
    layout = Layout(program)
    owner = next(each for each in program.fields if each.name == "owner")
    assert layout.offsets[owner.index] is None
    assert layout.read([], owner.index, program.kinds[2].base + 3) == 1
    with pytest.raises(LookupError):
        layout.slot(owner.index, 0)


def test_what_is_in_a_pile_at_the_start_knows_it() -> None:
    layout = Layout(CARDS)
    deck, card = CARDS.kinds[2].base, CARDS.kinds[1].base
    assert layout.piles[0] == (2, deck)
    assert layout.where(layout.initial(1), card) == (FIRST_PILE, None)


@pytest.mark.parametrize(
    ("of", "fitting", "others"),
    [
        (Type("number", lo=0, hi=3), (0, 3), (-1, 4, None, True, "1", 1.0)),
        (NUMBER, (10**9, -(10**9)), (10**9 + 1,)),
        (FLAG, (True, False), (0, 1, None)),
        (FACES, (1, 6), (0, 7)),
        (PLAYER, (0, 1), (2, -1, None)),
        (MAYBE_PLAYER, (None, 1), (2,)),
        (PLAYERS, ((), (0, 1)), ((1, 0), (0, 0), (5,), [0], None)),
        (Type("list", elem=FACES), ((6, 6, 1),), ((0,),)),
        (
            Type("bag", enum=0),
            ((0, 0, 0, 0, 0, 9), (-1, 0, 0, 0, 0, 0)),
            ((), (0,) * 5, (True,) * 6),
        ),
        (ir.TEXT, ("", "x"), (1,)),
        (ir.NONE, (None,), (0,)),
    ],
)
def test_types_admit_their_values_only(
    of: Type, fitting: tuple[object, ...], others: tuple[object, ...]
) -> None:
    assert all(admits(CARDS, of, value) for value in fitting)
    assert not any(admits(CARDS, of, value) for value in others)


def test_options_by_name_are_tested() -> None:
    with pytest.raises(OptionError, match="no option size"):
        option_values(CARDS, {"size": 1})
    assert option_values(CARDS) == ()


def test_values_have_names() -> None:
    naming = Naming(CARDS)
    faces = Type("set", elem=FACES)
    assert naming.key(1, PLAYER) == "player_2"
    assert naming.key((1, 6), faces) == "1, 6"
    assert naming.key((), faces) == naming.key(None, PLAYER) == "none"
    assert naming.key(True, FLAG) == "yes"
    assert naming.title((2, 0, 0, 0, 0, 1), Type("bag", enum=0)) == "2 1 + 1 6"


def test_words_of_options_may_be_texts() -> None:
    """Who plays a game from Python writes the word that the rules have."""
    text = (
        'game small "Small":\n    players 1..2\noption pace: slow or fast = slow\nphase game:\n'
        "    if pace is fast: do win(Player)\n"
    )
    program = check_texts({"small.rules": text}).program
    assert program is not None
    assert option_values(program, {"pace": "fast"}) == (1,)
    assert option_values(program, {"pace": 1}) == (1,)
    with pytest.raises(OptionError, match="it takes slow, fast"):
        option_values(program, {"pace": "quick"})
