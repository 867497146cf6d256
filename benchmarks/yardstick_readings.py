"""The other readings of the rulebook for the hand-written *Pyrates!*: what `rulings.csv` lists.

Written from the rulings, not from the ruleset, to be compared with it; speed does not matter here.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any
from unittest import mock

from benchmarks import yardstick_pyrates as yard
from benchmarks.yardstick_pyrates import BUILD, GOLD, GOODS, PASS, PIRATE, RAID, Merchant, Player

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.yardstick_pyrates import Agent, Chance, Port, Replacement

NUMBERS = {
    "winning_score": "WINNING_SCORE",
    "goods_per_gold": "GOODS_PER_GOLD",
    "goods_counters": "GOODS_COUNTERS",
    "starting_ships": "STARTING_SHIPS",
    "person_ships": "MAX_SHIPS_PERSON",
    "automa_ships": "MAX_SHIPS_AUTOMA",
}
"""The constants of the yardstick that are options of the ruleset."""


@contextlib.contextmanager
def numbers(options: Mapping[str, object]) -> Iterator[None]:
    """Let the yardstick play with other numbers for a while."""
    with contextlib.ExitStack() as stack:
        for name, value in options.items():
            if name in NUMBERS:
                stack.enter_context(mock.patch.object(yard, NUMBERS[name], value))
        yield


class CappedPlayer(Player):
    """A player whose scores end where the track ends."""

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 - of any field
        """Set a field."""
        if name in ("fame", "infamy", "popularity"):
            value = min(value, yard.WINNING_SCORE)
        super().__setattr__(name, value)


class Game(yard.Game):
    """A game with other readings than the default ones."""

    def __init__(
        self, options: Mapping[str, object], people: int, chance: Chance, agent: Agent
    ) -> None:
        self.options = options
        self.renounced: set[str] = set()
        self.idle: set[str] = set()
        self.placing = False
        self.performing = False
        super().__init__(people=people, chance=chance, agent=agent)

    def reads(self, option: str, reading: str) -> bool:
        """Whether an option has this reading."""
        return self.options.get(option) == reading

    # ---- victory

    def victory_phase(self) -> None:
        """Rulings 01 and 02."""
        reachers = [p for p in self.players if max(p.scores) >= yard.WINNING_SCORE]
        if not reachers:
            super().victory_phase()
        elif len(reachers) == 1:
            if self.reads("five_end_winner", "lowest_score_all"):
                reachers = lowest_best(self.players)
            elif self.reads("five_end_winner", "tiebreak_all"):
                reachers = self.players
            self.finish(reachers)
        else:
            if self.reads("multi_five_winner", "lowest_among_reachers"):
                reachers = lowest_best(reachers)
            elif self.reads("multi_five_winner", "tiebreak_among_all"):
                reachers = self.players
            self.finish(reachers)

    def finish(self, tied: list[Player]) -> None:
        """Ruling 30."""
        super().finish(tied)
        if self.reads("final_tie", "random_winner"):
            self.winners = [self.pick([p for p in self.players if p.id in self.winners]).id]

    def setup(self, people: int) -> None:
        """Ruling 29: the end of the track."""
        super().setup(people)
        if self.reads("score_bounds", "floor_zero_cap_five"):
            for p in self.players:
                p.__class__ = CappedPlayer

    def lose_popularity(self, p: Player) -> None:
        """Ruling 29: the start of the track."""
        if self.reads("score_bounds", "unbounded"):
            p.popularity -= 1
        else:
            super().lose_popularity(p)

    # ---- supply and booty phase

    def room_for_goods(self, have: int) -> int:
        """Rulings 03 and 05."""
        if self.reads("goods_supply_measure", "unlimited"):
            return 1000
        if self.reads("shortage_elsewhere", "unlimited") and not self.placing:
            return 1000
        if self.reads("goods_supply_measure", "sixty_four_goods"):
            holders: list[Player | Port | Merchant] = [
                *self.players,
                *self.ports.values(),
                *self.merchants.values(),
            ]
            return max(0, 2 * yard.GOODS_COUNTERS - sum(holder.goods for holder in holders))
        return super().room_for_goods(have)

    def place_goods(self, listed: list[Port]) -> None:
        """Ruling 04."""
        self.placing = True
        if not self.reads("booty_phase_shortage", "none_if_short") or self.enough_for(
            [port for port in listed if not self.has_foreign_ship(port)]
        ):
            super().place_goods(listed)
        self.placing = False

    def enough_for(self, ports: list[Port]) -> bool:
        """Whether each of the ports can get a good."""
        if self.reads("goods_supply_measure", "sixty_four_goods"):
            return len(ports) <= self.room_for_goods(0)
        new_counters = sum(port.goods % 2 == 0 for port in ports)
        return 2 * new_counters <= self.room_for_goods(0)

    def place_merchant(self) -> None:
        """Rulings 06, 07 and 08."""
        if not self.deck:
            return
        card = self.deck.pop(0)
        zone = yard.ZONE_ROLL[self.die()]
        merchant = Merchant(card, zone)
        old = self.merchants.get(zone)
        self.merchants[zone] = merchant
        if old is not None and self.reads("replaced_cargo", "to_new_ship"):
            merchant.goods, merchant.gold = old.goods, old.gold
        goods, gold = card.cargo[self.die()]
        self.gain_goods(merchant, goods)
        merchant.gold += gold
        if merchant.booty == 0 and (
            goods or not self.reads("empty_merchant_coin", "only_when_short")
        ):
            merchant.gold = 1
        if old is None:
            return
        event = yard.Replacement(old.card, zone, merchant)
        if not self.performing or not (
            self.reads("event_chain", "nested_at_once") or self.reads("event_chain", "no_chain")
        ):
            self.events.append(event)
            return
        if self.reads("event_chain", "nested_at_once"):
            getattr(self, f"event_{old.card.event}")(event)
        self.removed.append(old.card)

    def booty_phase(self) -> None:
        """Ruling 08: what is placed by an event."""
        self.place_goods([self.ports[name] for name in yard.PORT_TABLE[self.die()]])
        self.place_merchant()
        self.performing = True
        while self.events:
            replaced = self.events.pop(0)
            getattr(self, f"event_{replaced.card.event}")(replaced)
            self.removed.append(replaced.card)
        self.performing = False

    def has_foreign_ship(self, port: Port) -> bool:
        """Ruling 10."""
        if self.reads("blocked_port_mixed", "allied_ship_protects") and any(
            p.allegiance == port.nation and port.id in p.ships for p in self.players
        ):
            return False
        return super().has_foreign_ship(port)

    def deal_counters(self) -> None:
        """Ruling 40."""
        if not self.reads("pirate_port_counter_method", "redraw"):
            super().deal_counters()
            return
        ratings = list(yard.RATING_COUNTERS)
        for port in self.ports.values():
            port.rating = self.pick(ratings)
            ratings.remove(port.rating)
        for port in self.ports.values():
            if port.is_pirate and port.rating == 2:
                other = self.pick(
                    [p for p in self.ports.values() if not p.is_pirate and p.rating > 2]
                )
                port.rating, other.rating = other.rating, port.rating
        defenses = list(yard.DEFENSE_COUNTERS)
        for port in self.ports.values():
            port.defense = self.pick(defenses)
            defenses.remove(port.defense)

    def event_kings_pardon(self, replaced: Replacement) -> None:
        """Ruling 41: who gave up an allegiance may not take one again."""
        if not self.reads("regain_allegiance", "never"):
            super().event_kings_pardon(replaced)
            return
        people = self.people
        kept = [p for p in people() if p.id not in self.renounced]
        with mock.patch.object(self, "people", return_value=kept):
            super().event_kings_pardon(replaced)

    def move_all(self, p: Player, nation: str) -> None:
        """Note who gave up an allegiance."""
        if nation == PIRATE:
            self.renounced.add(p.id)
        super().move_all(p, nation)

    def lose_any_ship(self, p: Player) -> None:
        """Ruling 49."""
        if p.human or not self.reads("ai_forced_loss", "random_ship"):
            super().lose_any_ship(p)
        else:
            p.ships.remove(self.pick(p.ships))

    # ---- bidding

    def bidding_phase(self) -> None:
        """A new turn for who could not act."""
        self.idle.clear()
        super().bidding_phase()

    def can_carry_out(self, p: Player, bid: str) -> bool:
        """Ruling 11: a good may come from a raid that is repelled before."""
        if super().can_carry_out(p, bid):
            return True
        if bid != yard.TRADE or not self.reads("bid_possible_test", "optimistic"):
            return False
        attacked = any(
            port.id in p.ships
            for other in self.players
            if other is not p
            for port in self.raid_targets(other)
        )
        return attacked and any(
            p.goods + 1 >= self.trade_rate(p, self.ports[name]) for name in self.trade_ports(p)
        )

    def automa_bid(self, p: Player) -> str:
        """Ruling 12."""
        if not p.ships or not self.reads("ai_build_chain", "straight_to_pass"):
            return super().automa_bid(p)
        bid = p.captain.bids[self.die()]
        full = len(p.ships) >= p.max_ships
        if bid != BUILD:
            return bid if self.can_carry_out(p, bid) else PASS if full else BUILD
        if not full:
            return BUILD
        return p.captain.alternative if self.can_carry_out(p, p.captain.alternative) else PASS

    # ---- pass

    def pass_turn(self, p: Player) -> None:
        """Ruling 42."""
        if not p.human or not self.reads("pass_partial_move", "all_ships"):
            super().pass_turn(p)
            return
        options = ["move ships"] if p.is_full_pirate else ["move ships", "renounce"]
        if self.choose(p, "pass", options) == "renounce":
            p.allegiance = None
            self.move_all(p, PIRATE)
            return
        ports = self.haven_ports(p)
        sailing = [place for place in p.ships if place in self.ports and place not in ports]
        free = [place for place in p.ships if place not in sailing]
        for place, n in self.choose(p, "ships to move", yard.ship_groups(free)):
            sailing += [place] * n
        for place in sailing:
            p.ships.remove(place)
            p.ships.append(self.choose(p, "move to", ports))

    # ---- piracy and raid

    def near(self, p: Player, zones: Sequence[str], destination: str) -> list[str]:
        """Ruling 16."""
        ships = self.reaching(p, zones)
        if self.reads("raid_same_port", "other_port_only"):
            return [place for place in ships if place != destination]
        return ships

    def raid_targets(self, p: Player) -> list[Port]:
        """Rulings 15 and 16."""
        return [
            port
            for port in self.ports.values()
            if (port.booty or self.reads("raid_needs_booty", "any_port"))
            and port.nation != p.home
            and self.near(p, port.zones, port.id)
        ]

    def choose_target(self, lead: Player, targets: list[Any]) -> Any:  # noqa: ANN401
        """Ruling 17."""
        if (
            lead.human
            or isinstance(targets[0], Merchant)
            or not self.reads("ai_lowest_defense", "counter_plus_defenders")
        ):
            return super().choose_target(lead, targets)

        def key(port: Port) -> tuple[int, int, int]:
            defenders = sum(
                p.ships.count(port.id)
                for p in self.players
                if p.bid != RAID or p.home == port.nation or not self.near(p, port.zones, port.id)
            )
            return (port.defense + defenders, -port.gold, -port.booty)

        best = min(map(key, targets))
        return self.pick([port for port in targets if key(port) == best])

    def commit(self, p: Player, zones: tuple[str, ...], destination: str) -> int:
        """Ruling 16."""
        near = self.near(p, zones, destination)
        chosen = near
        if p.human:
            group = self.choose(p, "ships to commit", yard.ship_groups(near)[1:])
            chosen = [place for place, n in group for _ in range(n)]
        for place in chosen:
            p.ships.remove(place)
            p.ships.append(destination)
        return len(chosen)

    def gather(
        self, lead: Player, band: list[Player], nation: str, zones: tuple[str, ...], place: str
    ) -> dict[Player, int]:
        """Rulings 14 and 45."""
        others = [p for p in self.bidders(lead.bid) if p is not lead]
        if self.reads("commit_order", "most_ships_first"):
            others.sort(key=lambda p: -len(p.ships))
        fleet = {lead: self.commit(lead, zones, place)}
        for p in others:
            if p not in band or p.home == nation or not self.near(p, zones, place):
                self.idle.add(p.id)
            elif (
                not p.human
                or not self.reads("join_compulsory", "may_decline")
                or self.choose(p, "join", [True, False])
            ):
                fleet[p] = self.commit(p, zones, place)
        return fleet

    def piracy(self) -> None:
        """Ruling 43: nobody has a target."""
        if not any(self.piracy_targets(p) for p in self.bidders(yard.PIRACY)):
            self.idle |= {p.id for p in self.bidders(yard.PIRACY)}
        super().piracy()

    def raid(self) -> None:
        """Ruling 43: nobody has a target."""
        if not any(self.raid_targets(p) for p in self.bidders(RAID)):
            self.idle |= {p.id for p in self.bidders(RAID)}
        super().raid()

    def attack_port(self, lead: Player, band: list[Player], port: Port) -> None:
        """Ruling 20."""
        if not self.reads("defender_reward", "per_ship"):
            super().attack_port(lead, band, port)
            return
        gain = self.gain_goods

        def gain_by_ship(holder: Player | Port | Merchant, n: int) -> None:
            gain(holder, n * holder.ships.count(port.id) if isinstance(holder, Player) else n)

        with mock.patch.object(self, "gain_goods", gain_by_ship):
            super().attack_port(lead, band, port)

    def retreat(self, lead: Player, fleet: dict[Player, int], port: Port) -> None:
        """Rulings 18 and 19."""
        leaving = {}
        for p, n in fleet.items():
            p.ships.remove(port.id)
            leaving[p] = n - 1
            if self.reads("raid_retreat_ships", "all_ships_of_raiders"):
                leaving[p] = p.ships.count(port.id)
        if self.reads("raid_retreat_zone", "each_player_chooses"):
            groups = [(p, [p]) for p in sorted(fleet, key=lambda p: p.captain.number)]
        else:
            groups = [(lead, list(fleet))]
        for chooser, owners in groups:
            if not any(leaving[p] for p in owners):
                continue
            zones = port.zones
            zone = self.choose(chooser, "retreat to", zones) if chooser.human else self.pick(zones)
            for p in owners:
                for _ in range(leaving[p]):
                    p.ships.remove(port.id)
                    p.ships.append(zone)

    # ---- sharing out

    def divvy(self, lead: Player, band: list[Player], hoard: Port | Merchant) -> None:
        """Rulings 21 to 24."""
        others = sorted(
            (p for p in band if p is not lead), key=lambda p: (p.human, p.captain.number)
        )
        solo = self.options.get("divvy_solo", "lead_takes_all")
        if not others and solo == "lead_takes_all":
            self.take_all(lead, hoard)
            return
        self.take_share(lead, hoard)
        if not others:
            if solo == "rest_lost":
                hoard.goods = hoard.gold = 0
        elif len(others) == 1:
            self.take_all(others[0], hoard)
        elif not lead.human and self.reads("ai_divvy_order", "block"):
            share, more = divmod(hoard.booty, len(others))
            for place, p in enumerate(others):
                for _ in range(share + (place < more)):
                    self.take_piece(lead, p, hoard)
        else:
            self.hand_out(lead, others, hoard)

    def take_share(self, lead: Player, hoard: Port | Merchant) -> None:
        """Half of the booty for the lead; ruling 23."""
        share = hoard.booty // 2
        if not self.reads("divvy_mix", "one_kind_first"):
            for _ in range(share):
                self.take_piece(lead, lead, hoard)
            return
        kinds = [kind for kind, n in ((GOLD, hoard.gold), (GOODS, hoard.goods)) if n]
        if not share:
            return
        kind = self.choose(lead, "kind first", kinds) if lead.human else kinds[0]
        gold = min(share, hoard.gold) if kind == GOLD else share - min(share, hoard.goods)
        lead.gold += gold
        hoard.gold -= gold
        lead.goods += share - gold
        hoard.goods -= share - gold

    def hand_out(self, lead: Player, others: list[Player], hoard: Port | Merchant) -> None:
        """The rest, piece by piece; ruling 21."""
        received: Counter[Player] = Counter()
        while hoard.booty:
            fewest = min(received[p] for p in others)
            waiting = [p for p in others if received[p] == fewest]
            if lead.human and self.reads("divvy_equality", "free_split"):
                waiting = others
            taker = self.choose(lead, "receiver", waiting) if lead.human else waiting[0]
            self.take_piece(lead, taker, hoard)
            received[taker] += 1

    # ---- trade

    def trade_rate(self, p: Player, port: Port) -> int:
        """The goods that a trade costs more elsewhere."""
        more = self.options.get("foreign_surcharge", 1)
        assert isinstance(more, int)  # noqa: S101 - says so to the type checker
        return port.rating + (0 if port.nation == p.home else more)

    def trade_person(self, p: Player) -> None:
        """Ruling 43: no trade is possible."""
        if not self.can_trade(p):
            self.idle.add(p.id)
        super().trade_person(p)

    def can_trade(self, p: Player) -> bool:
        """Whether a player can pay at a port."""
        return any(p.goods >= self.trade_rate(p, self.ports[name]) for name in self.trade_ports(p))

    def trade_automa(self, p: Player) -> None:
        """Rulings 25, 26 and 43."""
        if not self.can_trade(p):
            self.idle.add(p.id)
        ports = self.trade_ports(p)

        def rate(name: str) -> int:
            if self.reads("ai_trade_lowest", "printed"):
                return self.ports[name].rating
            return self.trade_rate(p, self.ports[name])

        while any(p.goods >= self.trade_rate(p, self.ports[name]) for name in ports):
            lowest = min(map(rate, ports))
            name = self.pick([name for name in ports if rate(name) == lowest])
            ports.remove(name)
            if p.goods >= self.trade_rate(p, self.ports[name]):
                self.trade_at(p, self.ports[name])
            if self.reads("ai_trade_count", "single_lowest"):
                return

    def trade_at(self, p: Player, port: Port) -> None:
        """Ruling 46."""
        if port.gold and self.reads("trade_gold_source", "port_first"):
            port.gold -= 1
        super().trade_at(p, port)

    # ---- end phase

    def end_phase(self) -> None:
        """Ruling 52."""
        if not self.reads("end_step_order", "spend_then_return"):
            super().end_phase()
            return
        for p in self.by_id():
            if p.gold:
                self.spend(p)
        with mock.patch.object(self, "spend"):
            super().end_phase()

    def return_ships(self, p: Player, zone: str) -> None:
        """Ruling 27."""
        if not (
            p.human and p.is_full_pirate and self.reads("full_pirate_return", "any_pirate_port")
        ):
            super().return_ships(p, zone)
            return
        n = p.ships.count(zone)
        p.ships = [place for place in p.ships if place != zone]
        p.ships += [self.choose(p, "return to", self.haven_ports(p)) for _ in range(n)]

    def spend(self, p: Player) -> None:
        """Rulings 28 and 43."""
        if p.id in self.idle and self.reads("no_action_end_phase", "whole_turn_lost"):
            return
        room = len(p.ships) < p.max_ships
        if not (p.human and room and p.gold >= 2 and self.reads("end_spend_limit", "one_each")):
            super().spend(p)
            return
        use = self.choose(p, "spend", ["popularity", "ship", "both", "keep"])
        if use != "keep":
            p.gold -= 2 if use == "both" else 1
        if use in ("popularity", "both"):
            p.popularity += 1
        if use in ("ship", "both"):
            self.build(p)


def lowest_best(players: list[Player]) -> list[Player]:
    """Those whose lowest score is the highest."""
    best = max(min(p.scores) for p in players)
    return [p for p in players if min(p.scores) == best]
