"""The hand-written yardstick against scenarios of the checklist, with scripted dice."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

SOURCE = Path(__file__).resolve().parents[2] / "benchmarks" / "yardstick_pyrates.py"


def load_yardstick() -> ModuleType:
    """Load the script; the folder of the benchmarks is no package."""
    spec = importlib.util.spec_from_file_location("yardstick_pyrates", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


yard = load_yardstick()
CAPTAINS = {captain.id: captain for captain in yard.CAPTAINS}
CARDS = {card.id: card for card in yard.MERCHANT_CARDS}
AUTOMA, FREE = "automa", "free"


def name_of(thing: Any) -> Any:
    """Return the id of a thing, other values as they are."""
    return getattr(thing, "id", thing)


class Script:
    """Chance and agent at once: dice, picks and answers in the order of asking.

    An answer is (captain, answer); (captain, answer, refused) also says what was not offered.
    """

    def __init__(self) -> None:
        self.dice: list[int] = []
        self.picks: list[Any] = []
        self.answers: list[tuple[Any, ...]] = []

    def load(
        self,
        dice: Iterable[int] = (),
        picks: Iterable[Any] = (),
        answers: Iterable[tuple[Any, ...]] = (),
    ) -> None:
        """Set what comes next."""
        self.dice, self.picks, self.answers = list(dice), list(picks), list(answers)

    def done(self) -> bool:
        """Whether all was used."""
        return not (self.dice or self.picks or self.answers)

    def die(self) -> int:
        """Roll the next die."""
        return self.dice.pop(0)

    def pick(self, candidates: Sequence[Any]) -> Any:
        """Draw the next candidate by its id."""
        wanted = self.picks.pop(0)
        return next(c for c in candidates if name_of(c) == wanted)

    def shuffle(self, cards: list[Any]) -> None:
        """Leave the order as it is."""

    def choose(self, _game: Any, player: Any, question: str, options: Sequence[Any]) -> Any:
        """Give the next answer, if it is offered."""
        who, answer, *refused = self.answers.pop(0)
        assert player.id == who, question
        names = [name_of(option) for option in options]
        assert answer in names, (question, names)
        assert not set(refused) & set(names), (question, names)
        return options[names.index(answer)]


class Table:
    """A game whose players and ships are put there by hand."""

    def __init__(self) -> None:
        self.script = Script()
        self.game = yard.Game(seed=1)
        self.game.chance = self.game.agent = self.script
        self.game.players = []

    def seat(
        self,
        captain: str,
        serves: str,
        ships: dict[str, int] | None = None,
        *,
        goods: int = 0,
        gold: int = 0,
        scores: tuple[int, int, int] = (0, 0, 0),
        bid: str = "pass",
    ) -> Any:
        """Add a player who serves a nation, or nobody, or is an automa."""
        human = serves != AUTOMA
        player = yard.Player(CAPTAINS[captain], human)
        player.allegiance = None if serves in (AUTOMA, FREE) else serves
        player.ships = list(Counter(ships or {}).elements())
        player.goods, player.gold, player.bid = goods, gold, bid
        player.fame, player.infamy, player.popularity = scores
        self.game.players.append(player)
        return player

    def port(self, name: str, **values: int) -> Any:
        """Set values of a port."""
        port = self.game.ports[name]
        for field, value in values.items():
            setattr(port, field, value)
        return port

    def merchant(self, card: str, zone: str, goods: int = 0, gold: int = 0) -> Any:
        """Put a merchant ship in a sea zone."""
        ship = yard.Merchant(CARDS[card], zone, goods, gold)
        self.game.merchants[zone] = ship
        return ship

    def deck(self, *cards: str) -> None:
        """Stack the deck, top first."""
        self.game.deck = [CARDS[card] for card in cards]

    def play(
        self,
        phase: str,
        dice: Iterable[int] = (),
        picks: Iterable[Any] = (),
        answers: Iterable[tuple[Any, ...]] = (),
    ) -> None:
        """Run one phase on a script that must fit exactly."""
        self.script.load(dice, picks, answers)
        getattr(self.game, phase)()
        assert self.script.done(), (self.script.dice, self.script.picks, self.script.answers)


def at(player: Any) -> dict[str, int]:
    """Return where the ships of a player are."""
    return dict(Counter(player.ships))


class SetupScript(Script):
    """Deals chosen captains on top."""

    def shuffle(self, cards: list[Any]) -> None:
        """Put them on top."""
        wanted = ["blackbeard", "henry_morgan", "amaro", "anne", "francois"]
        cards.sort(key=lambda c: wanted.index(c.id) if c.id in wanted else 99)

    def pick(self, candidates: Sequence[Any]) -> Any:
        """Draw allegiances by script, counters in order."""
        return super().pick(candidates) if "french" in candidates else candidates[0]


def test_setup_and_first_booty_phase() -> None:
    """PYR-SC-01, PYR-SC-02."""
    script = SetupScript()
    script.load(
        [3, 5, 6, 2, 3, 1],
        ["dutch", "french"],
        [
            ("blackbeard", "curacao", "martinique", "tortuga"),
            ("blackbeard", "st_eustatius"),
            ("henry_morgan", "cap_francais"),
            ("henry_morgan", "cap_francais"),
        ],
    )
    game = yard.Game(people=2, chance=script, agent=script)
    assert script.done()
    blackbeard, morgan, amaro, anne, francois = game.players
    assert at(blackbeard) == {"curacao": 1, "st_eustatius": 1}
    assert at(morgan) == {"cap_francais": 2}
    assert (at(amaro), amaro.goods) == ({"tortuga": 1}, 2)
    assert (at(anne), anne.scores) == ({"port_royal": 1}, (1, 0, 0))
    assert (at(francois), francois.goods) == ({"port_royal": 1}, 1)
    assert len(game.deck) == 18

    game.deck.sort(key=lambda card: card.id != "bermuda_sloop")
    script.load([6, 4, 6])
    game.booty_phase()
    assert script.done()
    listed = {"la_habana", "campeche", "bahamas", "martinique", "st_eustatius"}
    assert {name for name, port in game.ports.items() if port.goods} == listed
    sloop = game.merchants["east_caribbean"]
    assert (sloop.id, sloop.goods, sloop.gold) == ("bermuda_sloop", 0, 1)


@pytest.mark.parametrize(("attack", "won"), [(2, False), (3, True)])
def test_piracy_on_equal_totals_fails(attack: int, won: bool) -> None:
    """PYR-SC-03, PYR-SC-04."""
    table = Table()
    teach = table.seat("blackbeard", "dutch", {"st_eustatius": 1}, bid="piracy")
    caesar = table.seat("caesar", "spanish", {"santo_domingo": 1}, bid="piracy")
    sloop = table.merchant("bermuda_sloop", "east_caribbean", goods=2)
    table.play("piracy", [attack, 2], ["blackbeard"])
    if won:
        assert (teach.goods, caesar.goods) == (1, 1)
        assert teach.scores == caesar.scores == (1, 0, 0)
        assert at(teach) == at(caesar) == {"east_caribbean": 1}
        assert not table.game.merchants
        assert table.game.removed == [CARDS["bermuda_sloop"]]
    else:
        assert teach.ships == caesar.ships == []
        assert table.game.merchants == {"east_caribbean": sloop}
        assert sloop.goods == 2


def test_raid_led_by_who_has_most_ships() -> None:
    """PYR-SC-05."""
    table = Table()
    teach = table.seat(
        "blackbeard", "british", {"barbados": 1, "belize": 1, "bahamas": 1}, bid="raid"
    )
    caesar = table.seat("caesar", "spanish", {"san_juan": 2}, bid="raid")
    table.port("st_eustatius", rating=2, defense=3, goods=3)
    answers = [
        (  # belize shares no sea zone with the target
            "blackbeard",
            (("barbados", 1),),
            (("belize", 1),),
            (),
        ),
        ("caesar", (("san_juan", 2),), ()),
    ]
    table.play("raid", [3, 2], answers=answers)
    assert (teach.goods, teach.scores) == (1, (0, 1, 0))
    assert (caesar.goods, caesar.scores) == (2, (0, 1, 0))
    assert at(teach) == {"belize": 1, "bahamas": 1, "st_eustatius": 1}
    assert at(caesar) == {"st_eustatius": 2}


def test_whole_action_phase() -> None:
    """PYR-SC-10."""
    table = Table()
    teach = table.seat("blackbeard", "british", {"barbados": 2, "belize": 1}, bid="piracy")
    picard = table.seat("le_picard", AUTOMA, {"tortuga": 1}, bid="piracy")
    anne = table.seat("anne", AUTOMA, {"nassau": 1}, bid="build")
    caesar = table.seat("caesar", AUTOMA, {"tortuga": 2}, bid="pass")
    morgan = table.seat("henry_morgan", "french", {"martinique": 1}, goods=3, bid="trade")
    table.port("martinique", rating=3)
    table.merchant("cadiz_nao", "east_caribbean", goods=3)
    answers = [
        ("blackbeard", (("barbados", 2),)),
        ("henry_morgan", "martinique"),
    ]
    table.play("action_phase", [2, 5, 4, 3], answers=answers)
    assert at(caesar) == {"nassau": 2}
    assert at(anne) == {"nassau": 1, "port_royal": 1}
    assert (teach.goods, picard.goods, morgan.goods, morgan.gold) == (1, 2, 0, 1)
    assert at(teach) == {"east_caribbean": 2, "belize": 1}
    assert table.game.ports["martinique"].goods == 3


def test_european_war() -> None:
    """PYR-SC-11."""
    table = Table()
    teach = table.seat("blackbeard", "dutch", {"barbados": 1, "curacao": 1})
    morgan = table.seat("henry_morgan", "british", {"aruba": 1, "cap_francais": 1})
    anne = table.seat("anne", "spanish", {"barbados": 1})
    table.merchant("bermuda_sloop", "east_caribbean", gold=1)
    table.deck("nantes_flute")
    answers = [
        ("blackbeard", "aruba", "barbados"),
        ("henry_morgan", "belize", "aruba"),
    ]
    table.play("booty_phase", [1, 3, 2, 5], answers=answers)
    goods = {name for name, port in table.game.ports.items() if port.goods}
    assert goods == {"cartagena", "san_juan", "curacao"}
    assert table.game.merchants["east_caribbean"].goods == 2
    assert (at(teach), teach.gold) == ({"curacao": 1, "aruba": 1}, 1)
    assert (at(morgan), morgan.gold) == ({"cap_francais": 1, "belize": 1}, 1)
    assert (at(anne), anne.gold) == ({"barbados": 1}, 0)


def test_goods_run_out() -> None:
    """PYR-SC-21."""
    table = Table()
    table.seat("blackbeard", "dutch", goods=20)
    table.seat("henry_morgan", "french", goods=20)
    table.seat("amaro", AUTOMA, goods=18)
    ports = table.game.ports
    table.port("la_habana", goods=1)
    table.port("martinique", goods=1)
    table.deck("veracruz_urca")
    table.play("booty_phase", [6, 5, 3])
    listed = ["la_habana", "campeche", "bahamas", "martinique", "st_eustatius"]
    assert [ports[name].goods for name in listed] == [2, 1, 0, 2, 0]
    urca = table.game.merchants["west_caribbean"]
    assert (urca.goods, urca.gold) == (0, 1)


def test_goods_that_changed_place_may_need_more_counters_than_there_are() -> None:
    """PYR-RULING-05: then nothing can be added, not even by flipping a counter."""
    table = Table()
    table.seat("blackbeard", "dutch", goods=63)
    odd = table.seat("henry_morgan", "french", goods=1)
    table.game.gain_goods(odd, 1)
    assert odd.goods == 1


def test_event_that_triggers_an_event() -> None:
    """PYR-SC-24."""
    table = Table()
    amaro = table.seat("amaro", AUTOMA, {"tortuga": 2, "nassau": 1}, scores=(0, 2, 0))
    anne = table.seat("anne", "french", {"martinique": 1, "cap_francais": 1}, scores=(0, 2, 0))
    table.seat("blackbeard", "dutch", {"curacao": 1}, scores=(0, 1, 0))
    table.merchant("amsterdam_fluyt", "high_seas", goods=2)
    table.merchant("jamaica_brigantine", "east_caribbean", goods=1, gold=1)
    table.deck("cadiz_nao", "veracruz_urca")
    table.play("booty_phase", [3, 2, 1, 4, 6], answers=[("anne", "cap_francais")])
    ships = table.game.merchants
    assert (ships["high_seas"].id, ships["high_seas"].goods) == ("cadiz_nao", 2)
    assert (ships["east_caribbean"].id, ships["east_caribbean"].booty) == ("veracruz_urca", 2)
    assert at(amaro) == {"tortuga": 1, "nassau": 1}
    assert at(anne) == {"martinique": 1}
    assert not table.game.deck


@pytest.mark.parametrize(
    ("ships", "booty_at", "bid"),
    [
        (2, None, "build"),
        (3, None, "pass"),
        (3, "la_habana", "raid"),
        (3, "port_royal", "pass"),
        (3, "barbados", "raid"),
    ],
)
def test_impossible_then_build_then_alternative(ships: int, booty_at: str | None, bid: str) -> None:
    """PYR-SC-27."""
    table = Table()
    teach = table.seat("blackbeard", AUTOMA, {"nassau": ships})
    if booty_at:
        table.port(booty_at, goods=1)
    table.play("bidding_phase", [3])
    assert teach.bid == bid


def test_what_a_person_may_bid() -> None:
    """PYR-SC-29."""
    table = Table()
    morgan = table.seat("henry_morgan", "british", {"bahamas": 6}, goods=3)
    table.port("bahamas", rating=4)
    table.port("barbados", goods=3)
    table.port("cartagena", goods=2)
    table.merchant("bermuda_sloop", "high_seas")
    table.merchant("nantes_flute", "west_caribbean")
    assert table.game.legal_bids(morgan) == ["pass"]
    table.port("nassau", goods=1)
    assert table.game.legal_bids(morgan) == ["pass", "raid"]
    table.port("nassau", goods=0)
    table.merchant("nantes_flute", "high_seas")
    assert table.game.legal_bids(morgan) == ["pass", "piracy"]
    table.merchant("bermuda_sloop", "high_seas")
    morgan.goods = 4
    assert table.game.legal_bids(morgan) == ["pass", "trade"]
    morgan.goods = 3
    morgan.ships.pop()
    assert table.game.legal_bids(morgan) == ["pass", "build"]


def test_renouncing() -> None:
    """PYR-SC-33."""
    table = Table()
    teach = table.seat("blackbeard", "dutch", {"curacao": 1, "st_eustatius": 1, "barbados": 1})
    table.port("curacao", goods=2)
    table.port("tortuga", gold=1)
    answers = [
        ("blackbeard", "renounce"),
        ("blackbeard", "tortuga", "curacao", "aruba"),
        ("blackbeard", "tortuga"),
        ("blackbeard", "port_royal"),
    ]
    table.play("action_phase", answers=answers)
    assert teach.allegiance is None
    assert at(teach) == {"tortuga": 2, "port_royal": 1}
    assert [port.id for port in table.game.raid_targets(teach)] == ["curacao"]


def test_new_ship_defends_and_automa_draws_the_zone() -> None:
    """PYR-SC-36."""
    table = Table()
    morgan = table.seat("henry_morgan", "french", {"cap_francais": 1}, bid="build")
    anne = table.seat("anne", AUTOMA, {"port_royal": 2}, bid="raid")
    port = table.port("petit_goave", defense=1, goods=2)
    table.play("action_phase", [3, 3], ["west_caribbean"], [("henry_morgan", "petit_goave")])
    assert at(anne) == {"west_caribbean": 1}
    assert (morgan.goods, port.goods, anne.infamy) == (1, 2, 0)
    table.play("end_phase", [2])
    assert at(anne) == {"nassau": 1}


def test_failed_raid_without_survivors_draws_no_zone() -> None:
    """PYR-SC-65, at a port on two sea zones."""
    table = Table()
    francois = table.seat("francois", AUTOMA, {"port_royal": 1}, bid="raid")
    table.port("petit_goave", defense=2, goods=1)
    table.play("raid", [1, 1])
    assert francois.ships == []


def test_members_must_commit_and_the_lead_decides_who_gets_the_good() -> None:
    """PYR-SC-40."""
    table = Table()
    teach = table.seat("blackbeard", "dutch", {"curacao": 4}, bid="piracy")
    caesar = table.seat("caesar", "spanish", {"santo_domingo": 2, "campeche": 1}, bid="piracy")
    amaro = table.seat("amaro", AUTOMA, {"port_royal": 1}, bid="piracy")
    table.merchant("london_packet", "east_caribbean", goods=1)
    answers = [
        ("blackbeard", (("curacao", 1),), ()),
        ("caesar", (("santo_domingo", 1),), (), (("campeche", 1), ("santo_domingo", 2))),
        ("blackbeard", "caesar"),
    ]
    table.play("piracy", [2, 3], answers=answers)
    assert (teach.goods, caesar.goods, amaro.goods) == (0, 1, 0)
    assert at(teach) == {"curacao": 3, "east_caribbean": 1}
    assert at(caesar) == {"santo_domingo": 1, "campeche": 1, "east_caribbean": 1}
    assert at(amaro) == {"east_caribbean": 1}


def test_automa_shares_out() -> None:
    """PYR-SC-42."""
    table = Table()
    anne = table.seat("anne", AUTOMA, {"port_royal": 3}, bid="piracy")
    picard = table.seat("le_picard", AUTOMA, {"tortuga": 1}, bid="piracy")
    teach = table.seat("blackbeard", "dutch", {"curacao": 2}, bid="piracy")
    table.merchant("treasure_galleon", "east_caribbean", goods=2, gold=3)
    table.play("piracy", [3, 3], answers=[("blackbeard", (("curacao", 2),))])
    assert [(p.goods, p.gold) for p in (anne, picard, teach)] == [(0, 2), (1, 1), (1, 0)]


def test_defenders_and_ships_held_back() -> None:
    """PYR-SC-46."""
    table = Table()
    caesar = table.seat("caesar", "spanish", {"curacao": 2, "aruba": 1}, bid="raid")
    morgan = table.seat("henry_morgan", "french", {"curacao": 1})
    teach = table.seat("blackbeard", "dutch", {"curacao": 1})
    table.port("curacao", defense=1, goods=2, gold=1)
    table.play("raid", [4, 1], answers=[("caesar", (("aruba", 1), ("curacao", 1)))])
    assert morgan.ships == teach.ships == []
    assert at(caesar) == {"curacao": 3}
    assert (caesar.goods, caesar.gold, caesar.infamy) == (2, 1, 1)


def test_only_committed_ships_leave_after_a_failed_raid() -> None:
    """PYR-SC-98."""
    table = Table()
    caesar = table.seat("caesar", "spanish", {"curacao": 3}, bid="raid")
    teach = table.seat("blackbeard", "dutch", {"curacao": 1})
    table.port("curacao", defense=4, goods=1)
    table.play("raid", [1, 6], answers=[("caesar", (("curacao", 2),))])
    assert at(caesar) == {"east_caribbean": 1, "curacao": 1}
    assert teach.goods == 1


def test_trade_of_a_full_pirate_in_any_order() -> None:
    """PYR-SC-53."""
    for first, left, other in (("campeche", 2, "nassau"), ("nassau", 3, "campeche")):
        table = Table()
        anne = table.seat("anne", FREE, {"nassau": 1, "campeche": 1}, goods=6, bid="trade")
        table.port("nassau", rating=3)
        table.port("campeche", rating=3)
        table.play("action_phase", answers=[("anne", first)])
        assert (anne.goods, anne.gold) == (left, 1)
        assert table.game.ports[other].goods == 0


@pytest.mark.parametrize(
    ("second", "ratings", "goods", "picks", "left"),
    [
        ("st_eustatius", (4, 2), 7, [], (0, 2)),
        ("st_eustatius", (4, 2), 6, [], (3, 1)),
        ("la_habana", (3, 3), 3, [], (0, 1)),
        ("la_habana", (3, 2), 3, ["la_habana"], (0, 1)),
    ],
)
def test_automa_trades_at_the_cheapest_first(
    second: str, ratings: tuple[int, int], goods: int, picks: list[str], left: tuple[int, int]
) -> None:
    """PYR-SC-54."""
    table = Table()
    amaro = table.seat("amaro", AUTOMA, {"nassau": 1, second: 1}, goods=goods, bid="trade")
    table.port("nassau", rating=ratings[0])
    table.port(second, rating=ratings[1])
    table.play("action_phase", picks=picks)
    assert (amaro.goods, amaro.gold) == left


def test_return_to_port() -> None:
    """PYR-SC-57."""
    table = Table()
    amaro = table.seat("amaro", AUTOMA, {"east_caribbean": 2})
    anne = table.seat("anne", FREE, {"east_caribbean": 2})
    teach = table.seat("blackbeard", "dutch", {"east_caribbean": 2})
    answers = [
        ("anne", "tortuga", "nassau", "aruba"),
        ("anne", "port_royal"),
        ("blackbeard", "aruba", "port_royal", "cap_francais"),
        ("blackbeard", "santo_domingo"),
    ]
    table.play("end_phase", [5], answers=answers)
    assert at(amaro) == {"port_royal": 2}
    assert at(anne) == {"tortuga": 1, "port_royal": 1}
    assert at(teach) == {"aruba": 1, "santo_domingo": 1}


@pytest.mark.parametrize(
    ("turn", "dice", "over"),
    [
        (7, [], False),
        (8, [1], True),
        (8, [2], False),
        (11, [4], True),
        (11, [5], False),
        (12, [], True),
    ],
)
def test_end_roll(turn: int, dice: list[int], over: bool) -> None:
    """PYR-SC-61."""
    table = Table()
    table.seat("blackbeard", "dutch")
    table.game.turn = turn
    table.play("victory_phase", dice)
    assert table.game.over is over


def test_who_wins() -> None:
    """PYR-SC-59, PYR-SC-60, PYR-SC-62, PYR-SC-63."""
    table = Table()
    table.seat("blackbeard", "dutch", {"curacao": 2}, goods=3, scores=(5, 1, 1))
    table.seat("henry_morgan", "french", {"martinique": 4}, goods=2, gold=1, scores=(0, 5, 2))
    table.seat("caesar", "spanish", {"san_juan": 6}, gold=9, scores=(4, 4, 4))
    table.play("victory_phase")
    assert table.game.winners == ["henry_morgan"]

    table = Table()
    table.game.turn = 12
    table.seat("blackbeard", "dutch", {"curacao": 5}, goods=1, scores=(1, 2, 2))
    table.seat("henry_morgan", "french", {"martinique": 2}, gold=1, scores=(1, 3, 1))
    table.seat("caesar", "spanish", {"san_juan": 6}, gold=9, scores=(1, 1, 2))
    table.seat("amaro", AUTOMA, {"nassau": 3}, gold=9, scores=(0, 4, 4))
    table.play("victory_phase")
    assert table.game.winners == ["blackbeard"]

    table = Table()
    table.game.turn = 12
    table.seat("blackbeard", "dutch", {"curacao": 3}, gold=1, scores=(2, 1, 3))
    table.seat("amaro", AUTOMA, {"nassau": 3}, goods=1, scores=(1, 3, 2))
    table.play("victory_phase")
    assert table.game.winners == ["blackbeard", "amaro"]


def test_mutiny_sailors_and_trade_winds() -> None:
    """PYR-SC-80, PYR-SC-81, PYR-SC-82."""
    table = Table()
    table.merchant("nantes_flute", "high_seas", goods=2)
    newcomer = table.merchant("bristol_snow", "west_caribbean", goods=3)
    table.game.event_trade_winds(
        yard.Replacement(CARDS["martinique_barque"], "west_caribbean", newcomer)
    )
    assert {z: m.id for z, m in table.game.merchants.items()} == {
        "high_seas": "bristol_snow",
        "east_caribbean": "nantes_flute",
    }

    table = Table()
    amaro = table.seat("amaro", AUTOMA, {"nassau": 1})
    anne = table.seat("anne", AUTOMA, {"nassau": 1})
    morgan = table.seat("henry_morgan", "french", {"martinique": 1})
    table.seat("blackbeard", "dutch", {"curacao": 2})
    table.script.load([3, 6], answers=[("henry_morgan", "cap_francais")])
    table.game.event_out_of_work_sailors(None)
    assert table.script.done()
    assert at(amaro) == {"nassau": 1, "tortuga": 1}
    assert at(anne) == {"nassau": 1, "port_royal": 1}
    assert at(morgan) == {"martinique": 1, "cap_francais": 1}

    table = Table()
    amaro = table.seat("amaro", AUTOMA, {"tortuga": 3}, gold=1)
    teach = table.seat("blackbeard", "dutch", {"curacao": 3, "aruba": 1}, gold=1)
    francois = table.seat("francois", AUTOMA, {"nassau": 2, "tortuga": 1})
    table.script.load(answers=[("blackbeard", "ship"), ("blackbeard", "aruba")])
    table.game.event_mutiny(None)
    assert table.script.done()
    assert (amaro.gold, at(amaro)) == (0, {"tortuga": 3})
    assert (teach.gold, at(teach)) == (1, {"curacao": 3})
    assert at(francois) == {"nassau": 1, "tortuga": 1}


def test_empty_merchant_deck() -> None:
    """PYR-SC-99."""
    table = Table()
    table.seat("blackbeard", "dutch")
    table.merchant("amsterdam_fluyt", "high_seas")
    table.deck("zeeland_pinnace")
    table.play("booty_phase", [1, 2, 1])
    assert table.game.merchants["high_seas"].goods == 2
    table.play("booty_phase", [2])


def check_invariants(game: Any) -> None:
    """What must hold after every phase of every game."""
    cards = [card.id for card in game.deck] + [card.id for card in game.removed]
    cards += [ship.id for ship in game.merchants.values()]
    assert sorted(cards) == sorted(CARDS)
    ports = game.ports.values()
    assert sorted(port.rating for port in ports) == sorted(yard.RATING_COUNTERS)
    assert sorted(port.defense for port in ports) == sorted(yard.DEFENSE_COUNTERS)
    assert all(port.rating > 2 for port in ports if port.is_pirate)
    assert all(0 <= port.goods < 5 and port.gold >= 0 for port in ports)
    served = [p.allegiance for p in game.players if p.allegiance]
    assert len(served) == len(set(served))
    for p in game.players:
        assert len(p.ships) <= p.max_ships
        assert all(place in game.ports or place in yard.ZONES for place in p.ships)
        assert min(p.goods, p.gold, *p.scores) >= 0
        assert p.human or p.allegiance is None


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_random_games_end_with_invariants_holding(people: int) -> None:
    """200 games in all."""
    for seed in range(50):
        game = yard.Game(seed, people)
        for phase in game.play_phases():
            check_invariants(game)
            if phase == "end_phase":
                assert not any(place in yard.ZONES for p in game.players for place in p.ships)
        assert game.over
        assert game.winners
        assert game.turn <= 12


def test_one_seed_gives_one_game_and_a_copy_goes_its_own_way() -> None:
    """Same seed, same state; a copy shares nothing that changes."""
    first, second = yard.Game(5, 2), yard.Game(5, 2)
    for _, phase in zip(range(8), first.play_phases(), strict=False):
        assert phase
    before = first.state()
    copy = first.clone()
    assert copy.state() == before
    copy.play()
    assert first.state() == before
    assert copy.state() != before
    again = yard.Game(5, 2)
    assert second.play() == again.play()
    assert second.state() == again.state()
