"""*Pyrates!* written out by hand: the base game in plain Python.

It is the measure for the engine in two ways: what a game, a decision and a copy of the state cost
in ordinary code, and what the state must be after each phase when both are given the same dice,
picks and answers. It was written from the rulebook checklist and the rulings (defaults only), not
from the ruleset. The 18 random events are in, the unique actions of the cards are not.

All chance goes through one object (`Chance`), all choices through another (`Agent`). A question
with one option is never asked and a pick from one candidate is never drawn.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

T = TypeVar("T")

DATA = Path(__file__).resolve().parents[1] / "rulesets" / "pyrates" / "data"
SEATS = 5
GOODS_COUNTERS = 32
GOODS_PER_GOLD = 5
STARTING_SHIPS = 2
MAX_SHIPS_PERSON, MAX_SHIPS_AUTOMA = 6, 3
WINNING_SCORE = 5

PASS, BUILD, PIRACY, RAID, TRADE = "pass", "build", "piracy", "raid", "trade"
BIDS = (PASS, BUILD, PIRACY, RAID, TRADE)
BRITISH, FRENCH, SPANISH, DUTCH, PIRATE = "british", "french", "spanish", "dutch", "pirate"
NATIONS = (BRITISH, FRENCH, SPANISH, DUTCH)
GOLD, GOODS = "gold", "goods"
WAR_ENEMY = {1: FRENCH, 2: FRENCH, 3: SPANISH, 4: SPANISH, 5: DUTCH, 6: DUTCH}
DOWNWIND = {
    "high_seas": "east_caribbean",
    "east_caribbean": "west_caribbean",
    "west_caribbean": "high_seas",
}


# ---------------------------------------------------------------- data


@dataclass(frozen=True)
class MerchantCard:
    """A merchant ship card; `cargo` gives (goods, gold) for each face of the die."""

    id: str
    nation: str
    defense: int
    cargo: dict[int, tuple[int, int]]
    event: str


@dataclass(frozen=True)
class Captain:
    """A pirate character card; `bids` is the table of an automa."""

    id: str
    number: int
    bids: dict[int, str]
    alternative: str


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of one data file, each by column name."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_rolls(rows: Iterable[dict[str, str]], first: str, last: str, to: str) -> dict[int, str]:
    """Return what each face of a die means, from rows that give ranges of faces."""
    return {face: row[to] for row in rows for face in range(int(row[first]), int(row[last]) + 1)}


def read_counters(kind: str) -> list[int]:
    """Return the values of all counters of a kind, one for each counter."""
    return [
        int(row["value"])
        for row in read_rows("counters.csv")
        if row["kind"] == kind
        for _ in range(int(row["count"]))
    ]


PORT_ROWS = read_rows("ports.csv")
ZONE_ROWS = read_rows("sea_zones.csv")
ROLL_ROWS = read_rows("pirate_port_rolls.csv")
ZONES = [row["id"] for row in ZONE_ROWS]
ZONE_ROLL = read_rolls(ZONE_ROWS, "merchant_roll_min", "merchant_roll_max", "id")
PLACEMENT_ROLL = read_rolls(
    (row for row in ROLL_ROWS if row["use"] == "placement"), "roll_min", "roll_max", "port_id"
)
RETURN_ROLL = {
    zone: read_rolls(
        (row for row in ROLL_ROWS if row["from_zone"] == zone), "roll_min", "roll_max", "port_id"
    )
    for zone in ZONES
}
PORT_TABLE: dict[int, list[str]] = {
    column: [
        row["port_id"]
        for row in read_rows("random_port_table.csv")
        if row["d6_column"] == str(column) and row["use"] == "goods"
    ]
    for column in range(1, 7)
}
RATING_COUNTERS = read_counters("trade_rating")
DEFENSE_COUNTERS = read_counters("port_defense")
MERCHANT_CARDS = [
    MerchantCard(
        row["id"],
        row["nation"],
        int(row["defense"]),
        {n: (int(row[f"cargo_{n}_goods"]), int(row[f"cargo_{n}_gold"])) for n in range(1, 7)},
        row["event_id"],
    )
    for row in read_rows("merchants.csv")
]
CAPTAINS = [
    Captain(
        row["id"],
        int(row["number"]),
        {n: row[f"bid_{n}"] for n in range(1, 7)},
        row["bid_alternative"],
    )
    for row in read_rows("pirates.csv")
]
TURN_ROWS = read_rows("turn_track.csv")
LAST_TURN = next(int(row["turn"]) for row in TURN_ROWS if row["always_ends"] == "yes")
END_ROLL = {  # turn -> the faces that end the game
    int(row["turn"]): range(int(row["end_roll_min"]), int(row["end_roll_max"]) + 1)
    for row in TURN_ROWS
    if row["end_roll_min"] and row["always_ends"] == "no"
}


# ---------------------------------------------------------------- things in play


@dataclass(eq=False)
class Port:
    """A port with its two counters and its booty."""

    id: str
    nation: str
    zones: tuple[str, ...]
    rating: int = 0
    defense: int = 0
    goods: int = 0
    gold: int = 0

    @property
    def is_pirate(self) -> bool:
        """Whether it is one of the three pirate ports."""
        return self.nation == PIRATE

    @property
    def booty(self) -> int:
        """Goods and gold together."""
        return self.goods + self.gold


@dataclass(eq=False)
class Merchant:
    """A merchant ship in a sea zone."""

    card: MerchantCard
    zone: str
    goods: int = 0
    gold: int = 0
    escorted: bool = False

    @property
    def id(self) -> str:
        """The id of its card."""
        return self.card.id

    @property
    def nation(self) -> str:
        """The flag it flies."""
        return self.card.nation

    @property
    def defense(self) -> int:
        """The printed defense, 1 more under escort."""
        return self.card.defense + (1 if self.escorted else 0)

    @property
    def booty(self) -> int:
        """Goods and gold together."""
        return self.goods + self.gold


@dataclass
class Replacement:
    """A merchant ship that was replaced and whose event is still to come."""

    card: MerchantCard
    zone: str
    newcomer: Merchant


@dataclass(eq=False)
class Player:
    """A person or an automa; `ships` holds the place of each ship on the map."""

    captain: Captain
    human: bool
    allegiance: str | None = None
    goods: int = 0
    gold: int = 0
    fame: int = 0
    infamy: int = 0
    popularity: int = 0
    bid: str = PASS
    ships: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The id of the captain."""
        return self.captain.id

    @property
    def home(self) -> str:
        """The nation served, or the pirates."""
        return self.allegiance or PIRATE

    @property
    def is_full_pirate(self) -> bool:
        """Whether no nation is served."""
        return self.allegiance is None

    @property
    def max_ships(self) -> int:
        """How many ships there may be on the map."""
        return MAX_SHIPS_PERSON if self.human else MAX_SHIPS_AUTOMA

    @property
    def booty(self) -> int:
        """Goods and gold together."""
        return self.goods + self.gold

    @property
    def scores(self) -> tuple[int, int, int]:
        """Fame, infamy, popularity."""
        return (self.fame, self.infamy, self.popularity)


def ship_groups(locations: Iterable[str]) -> list[tuple[tuple[str, int], ...]]:
    """Return all ways to take some of the ships, none of them first.

    Ships at one place are alike, so each way is a tuple of (place, number) pairs.
    """
    counts = sorted(Counter(locations).items())
    ways = itertools.product(*(range(n + 1) for _, n in counts))
    return [
        tuple((place, n) for (place, _), n in zip(counts, way, strict=True) if n) for way in ways
    ]


# ---------------------------------------------------------------- chance and choices


class Chance(Protocol):
    """Where all dice and picks come from."""

    def die(self) -> int:
        """Return 1 to 6."""

    def pick(self, candidates: Sequence[T]) -> T:
        """Return one of several candidates."""

    def shuffle(self, cards: list[Any]) -> None:
        """Put the cards, top first, in a new order."""


class Agent(Protocol):
    """Who answers for the people."""

    def choose(self, game: Game, player: Player, question: str, options: Sequence[T]) -> T:
        """Return one of at least two options."""


class RandomChance:
    """Dice and picks from the standard generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def die(self) -> int:
        """Return 1 to 6."""
        return self.rng.randint(1, 6)

    def pick(self, candidates: Sequence[T]) -> T:
        """Return one of the candidates."""
        return self.rng.choice(candidates)

    def shuffle(self, cards: list[Any]) -> None:
        """Put the cards in a new order."""
        self.rng.shuffle(cards)


class RandomAgent:
    """Any option, all equally likely."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, game: Game, player: Player, question: str, options: Sequence[T]) -> T:  # noqa: ARG002
        """Return one of the options."""
        return self.rng.choice(options)


# ---------------------------------------------------------------- the game


class Game:
    """One game, set up when it is made.

    The first `people` of the five seats are persons, the others automas.
    """

    def __init__(
        self,
        seed: int | None = None,
        people: int = 1,
        chance: Chance | None = None,
        agent: Agent | None = None,
    ) -> None:
        rng = random.Random(seed)
        self.chance = chance or RandomChance(rng)
        self.agent = agent or RandomAgent(rng)
        self.decisions = 0
        self.turn = 1
        self.over = False
        self.winners: list[str] = []
        self.players: list[Player] = []
        self.ports: dict[str, Port] = {}
        self.deck: list[MerchantCard] = []  # the top card first
        self.merchants: dict[str, Merchant] = {}  # by sea zone
        self.removed: list[MerchantCard] = []
        self.events: list[Replacement] = []
        self.setup(people)

    # ---- asking and drawing

    def choose(self, player: Player, question: str, options: Sequence[T]) -> T:
        """Ask a person, unless there is only one option."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        return self.agent.choose(self, player, question, options)

    def pick(self, candidates: Sequence[T]) -> T:
        """Draw one of the candidates, unless there is only one."""
        if len(candidates) == 1:
            return candidates[0]
        return self.chance.pick(candidates)

    def die(self) -> int:
        """Roll a die."""
        return self.chance.die()

    # ---- looking around

    def by_id(self) -> list[Player]:
        """All players by ascending number of the captain."""
        return sorted(self.players, key=lambda p: p.captain.number)

    def people(self) -> list[Player]:
        """The persons, by ascending number."""
        return [p for p in self.by_id() if p.human]

    def automas(self) -> list[Player]:
        """The automas, by ascending number."""
        return [p for p in self.by_id() if not p.human]

    def bidders(self, bid: str) -> list[Player]:
        """Who bid this action, by ascending number."""
        return [p for p in self.by_id() if p.bid == bid]

    def ports_of(self, nation: str) -> list[str]:
        """The ports of a nation, or of the pirates."""
        return [port.id for port in self.ports.values() if port.nation == nation]

    def free_nations(self) -> list[str]:
        """The nations whose allegiance counter nobody holds."""
        taken = [p.allegiance for p in self.players]
        return [nation for nation in NATIONS if nation not in taken]

    def haven_ports(self, player: Player) -> list[str]:
        """The ports where a person may put ships that are already on the map."""
        return [port.id for port in self.ports.values() if port.is_pirate == player.is_full_pirate]

    def reaching(self, player: Player, zones: Iterable[str]) -> list[str]:
        """The ships, by place, at ports that border one of the zones."""
        return [
            place
            for place in player.ships
            if place in self.ports and any(z in zones for z in self.ports[place].zones)
        ]

    def has_foreign_ship(self, port: Port) -> bool:
        """Whether a ship lies there whose owner does not serve the port's nation."""
        return any(port.id in p.ships and p.allegiance != port.nation for p in self.players)

    # ---- goods and gold

    def room_for_goods(self, have: int) -> int:
        """How many goods the supply can add to a place that has some.

        A counter shows 1 or 2 goods. Goods that change place are never lost, so more counters may
        be needed than there are; then nothing can be added.
        """
        holders: list[Player | Port | Merchant] = [
            *self.players,
            *self.ports.values(),
            *self.merchants.values(),
        ]
        used = sum((holder.goods + 1) // 2 for holder in holders)
        return max(0, 2 * (GOODS_COUNTERS - used) + have % 2)

    def gain_goods(self, holder: Player | Port | Merchant, n: int) -> None:
        """Add goods from the supply, as far as it goes."""
        holder.goods += min(n, self.room_for_goods(holder.goods))

    def exchange(self, port: Port) -> None:
        """Turn each five goods at a port into one gold."""
        while port.goods >= GOODS_PER_GOLD:
            port.goods -= GOODS_PER_GOLD
            port.gold += 1

    # ---- setup

    def setup(self, people: int) -> None:
        """Deal cards and counters and place the first ships."""
        captains = list(CAPTAINS)
        self.chance.shuffle(captains)
        self.players = [Player(captains[seat], human=seat < people) for seat in range(SEATS)]
        for row in PORT_ROWS:
            zones = (row["zone_1"], row["zone_2"]) if row["zone_2"] else (row["zone_1"],)
            self.ports[row["id"]] = Port(row["id"], row["nation"], zones)
        self.deal_counters()
        self.deck = list(MERCHANT_CARDS)
        self.chance.shuffle(self.deck)
        for p in self.people():
            p.allegiance = self.pick(self.free_nations())
        for p in self.people():
            for _ in range(STARTING_SHIPS):
                self.build(p)
        for p in self.automas():
            self.build(p)
        for p in self.automas():
            self.roll_bonus(p)

    def deal_counters(self) -> None:
        """Put a trade rating and a defense on each port; no pirate port gets a 2."""
        ratings = list(RATING_COUNTERS)
        for port in self.ports.values():
            if port.is_pirate:
                port.rating = self.pick([r for r in ratings if r > 2])
                ratings.remove(port.rating)
        for port in self.ports.values():
            if not port.is_pirate:
                port.rating = self.pick(ratings)
                ratings.remove(port.rating)
        defenses = list(DEFENSE_COUNTERS)
        for port in self.ports.values():
            port.defense = self.pick(defenses)
            defenses.remove(port.defense)

    def roll_bonus(self, p: Player) -> None:
        """Give an automa its starting bonus."""
        roll = self.die()
        if roll == 1:
            self.gain_goods(p, 1)
        elif roll == 2:
            self.gain_goods(p, 2)
        elif roll == 3:
            p.fame += 1
        elif roll == 4:
            p.infamy += 1
        elif roll == 5:
            if len(p.ships) < p.max_ships:
                p.ships.append(p.ships[0])
        else:
            p.popularity += 1

    # ---- the turn

    def play(self) -> list[str]:
        """Play to the end and return the ids of the winners."""
        for _ in self.play_phases():
            pass
        return self.winners

    def play_phases(self) -> Iterator[str]:
        """Play to the end, stopping after setup and after each phase with its name."""
        yield "setup"
        while True:
            self.booty_phase()
            yield "booty_phase"
            self.bidding_phase()
            yield "bidding"
            self.action_phase()
            yield "actions"
            self.end_phase()
            yield "end_phase"
            self.victory_phase()
            yield "victory"
            if self.over:
                return
            self.turn += 1

    # ---- 1. booty phase

    def booty_phase(self) -> None:
        """Place goods and a merchant ship, then perform the events of replaced ships."""
        self.place_goods([self.ports[name] for name in PORT_TABLE[self.die()]])
        self.place_merchant()
        while self.events:
            replaced = self.events.pop(0)
            getattr(self, f"event_{replaced.card.event}")(replaced)
            self.removed.append(replaced.card)

    def place_goods(self, listed: list[Port]) -> None:
        """Put a good at each of the ports in which no foreign ship lies."""
        for port in listed:
            if not self.has_foreign_ship(port):
                self.gain_goods(port, 1)
        for port in listed:
            self.exchange(port)

    def place_merchant(self) -> None:
        """Draw a merchant ship, place it and roll its cargo."""
        if not self.deck:
            return
        card = self.deck.pop(0)
        zone = ZONE_ROLL[self.die()]
        merchant = Merchant(card, zone)
        old = self.merchants.get(zone)
        self.merchants[zone] = merchant
        if old is not None:
            self.events.append(Replacement(old.card, zone, merchant))
        goods, gold = card.cargo[self.die()]
        self.gain_goods(merchant, goods)
        merchant.gold = gold
        if merchant.booty == 0:
            merchant.gold = 1

    def remove_merchant(self, merchant: Merchant) -> None:
        """Take a merchant ship and what it carries off the map."""
        del self.merchants[merchant.zone]
        self.removed.append(merchant.card)

    # ---- random events

    def event_european_war(self, _: Replacement) -> None:
        """Ships in the enemy's ports flee; who serves a warring nation gains gold."""
        enemy = WAR_ENEMY[self.die()]
        foe = {BRITISH: enemy, enemy: BRITISH}
        for p in self.by_id():
            if p.allegiance in foe:
                enemy_ports = self.ports_of(foe[p.allegiance])
                for place in [s for s in p.ships if s in enemy_ports]:
                    p.ships.remove(place)
                    p.ships.append(self.choose(p, "flee to", self.ports_of(p.allegiance)))
        for p in self.by_id():
            if p.allegiance in foe:
                p.gold += 1

    def event_kings_pardon(self, _: Replacement) -> None:
        """Persons without allegiance may take one."""
        for p in self.people():
            nations = self.free_nations()
            if not p.is_full_pirate or not nations:
                continue
            if self.choose(p, "swear allegiance", [True, False]):
                nation = self.choose(p, "nation", nations)
                p.allegiance = nation
                self.move_all(p, nation)
                p.popularity += 1

    def event_pirate_hunters(self, _: Replacement) -> None:
        """The most infamous lose a ship."""
        most = max(p.infamy for p in self.players)
        if most == 0:
            return
        for p in self.by_id():
            if p.infamy == most and p.ships:
                self.lose_any_ship(p)

    def event_yellow_fever(self, _: Replacement) -> None:
        """The goods at the ports of a column are gone."""
        for name in PORT_TABLE[self.die()]:
            self.ports[name].goods = 0

    def event_escorted_convoy(self, replaced: Replacement) -> None:
        """The newcomer sails under escort."""
        replaced.newcomer.escorted = True

    def event_treasure_fleet(self, _: Replacement) -> None:
        """The richest merchant ship makes port."""
        if not self.merchants:
            return
        fleet = list(self.merchants.values())
        best = max((m.booty, m.defense) for m in fleet)
        merchant = self.pick([m for m in fleet if (m.booty, m.defense) == best])
        ports = self.ports_of(merchant.nation)
        near = [name for name in ports if merchant.zone in self.ports[name].zones]
        port = self.ports[self.pick(near or ports)]
        self.remove_merchant(merchant)
        port.goods += merchant.goods
        port.gold += merchant.gold
        self.exchange(port)

    def event_treaty_signed(self, _: Replacement) -> None:
        """Persons with an allegiance pay."""
        for p in self.people():
            if p.is_full_pirate:
                continue
            options = []
            if p.gold >= 1:
                options.append("1 gold")
            if p.goods >= 2:
                options.append("2 goods")
            options.append("1 popularity")
            payment = self.choose(p, "treaty", options)
            if payment == "1 gold":
                p.gold -= 1
            elif payment == "2 goods":
                p.goods -= 2
            else:
                self.lose_popularity(p)

    def event_bumper_harvest(self, _: Replacement) -> None:
        """The ports of a column get two goods each, whatever ships are there."""
        listed = [self.ports[name] for name in PORT_TABLE[self.die()]]
        for port in listed:
            self.gain_goods(port, 2)
        for port in listed:
            self.exchange(port)

    def event_guarda_costas(self, replaced: Replacement) -> None:
        """Foreign ships at Spanish ports near the replaced ship may be lost."""
        for port in self.ports.values():
            if port.nation == SPANISH and replaced.zone in port.zones:
                for p in self.by_id():
                    if p.allegiance != SPANISH:
                        self.storm(p, port, 2)

    def event_market_glut(self, _: Replacement) -> None:
        """Three goods or more at a port become one gold."""
        for port in self.ports.values():
            if port.goods >= 3:
                port.goods = 0
                port.gold += 1

    def event_smugglers_market(self, _: Replacement) -> None:
        """A pirate port gets gold and everybody with a ship there a good."""
        port = self.ports[PLACEMENT_ROLL[self.die()]]
        port.gold += 1
        for p in self.by_id():
            if port.id in p.ships:
                self.gain_goods(p, 1)

    def event_mutiny(self, _: Replacement) -> None:
        """Who has three ships or more pays a gold or loses a ship."""
        for p in self.by_id():
            if len(p.ships) < 3:
                continue
            options = ["gold", "ship"] if p.gold else ["ship"]
            payment = self.choose(p, "mutiny", options) if p.human else options[0]
            if payment == "gold":
                p.gold -= 1
            else:
                self.lose_any_ship(p)

    def event_new_governor(self, _: Replacement) -> None:
        """Two ports swap their trade ratings, two others their defenses."""
        first, second, _third, fourth, fifth = (self.ports[name] for name in PORT_TABLE[self.die()])
        first.rating, second.rating = second.rating, first.rating
        fourth.defense, fifth.defense = fifth.defense, fourth.defense

    def event_trade_winds(self, _: Replacement) -> None:
        """All merchant ships sail on to the next sea zone."""
        fleet = list(self.merchants.values())
        self.merchants.clear()
        for merchant in fleet:
            merchant.zone = DOWNWIND[merchant.zone]
            self.merchants[merchant.zone] = merchant

    def event_fresh_sail(self, _: Replacement) -> None:
        """One more merchant ship is placed."""
        self.place_merchant()

    def event_out_of_work_sailors(self, _: Replacement) -> None:
        """Who has the fewest ships builds one."""
        fewest = min(len(p.ships) for p in self.players)
        for p in [p for p in self.by_id() if len(p.ships) == fewest]:
            self.build(p)

    def event_tavern_ballads(self, _: Replacement) -> None:
        """Fame makes popular, infamy unpopular."""
        for p in self.by_id():
            if p.fame > p.infamy:
                p.popularity += 1
            elif p.infamy > p.fame:
                self.lose_popularity(p)

    def event_hurricane(self, _: Replacement) -> None:
        """A storm over one sea zone and the ports that border it."""
        zone = ZONE_ROLL[self.die()]
        if zone in self.merchants:
            self.remove_merchant(self.merchants[zone])
        for port in self.ports.values():
            if zone in port.zones:
                for p in self.by_id():
                    self.storm(p, port, 1)

    def lose_popularity(self, p: Player) -> None:
        """Take a point of popularity away, if there is one."""
        p.popularity = max(0, p.popularity - 1)

    def storm(self, p: Player, port: Port, worst: int) -> None:
        """Roll for each ship of a player at a port: up to `worst` it is lost."""
        for _ in range(p.ships.count(port.id)):
            if self.die() <= worst:
                p.ships.remove(port.id)

    def lose_any_ship(self, p: Player) -> None:
        """A person chooses which ship is lost, an automa loses one where it has most."""
        if p.human:
            place = self.choose(p, "lose ship", sorted(set(p.ships)))
        else:
            counts = Counter(p.ships)
            most = max(counts.values())
            place = self.pick([s for s, n in counts.items() if n == most])
        p.ships.remove(place)

    # ---- 2. bidding phase

    def bidding_phase(self) -> None:
        """The persons bid in secret, then the automas by their cards."""
        bids = [(p, self.choose(p, "bid", self.legal_bids(p))) for p in self.people()]
        for p, bid in bids:
            p.bid = bid
        for p in self.automas():
            p.bid = self.automa_bid(p)

    def legal_bids(self, p: Player) -> list[str]:
        """What a person may bid."""
        if not p.ships:
            return [BUILD]
        return [bid for bid in BIDS if self.can_carry_out(p, bid)]

    def automa_bid(self, p: Player) -> str:
        """What the card of an automa makes it bid."""
        if not p.ships:
            return BUILD
        bid = p.captain.bids[self.die()]
        if not self.can_carry_out(p, bid):
            bid = BUILD
        if bid == BUILD and len(p.ships) >= p.max_ships:
            bid = p.captain.alternative
            if not self.can_carry_out(p, bid):
                bid = PASS
        return bid

    def can_carry_out(self, p: Player, bid: str) -> bool:
        """Whether an action is possible on the board as it is."""
        if bid == PASS:
            return True
        if bid == BUILD:
            return len(p.ships) < p.max_ships
        if bid == PIRACY:
            return bool(self.piracy_targets(p))
        if bid == RAID:
            return bool(self.raid_targets(p))
        return any(
            p.goods >= self.trade_rate(p, self.ports[place])
            for place in p.ships
            if place in self.ports
        )

    # ---- 3. action phase

    def action_phase(self) -> None:
        """Carry out the bids."""
        for p in self.bidders(PASS):
            self.pass_turn(p)
        for p in self.bidders(BUILD):
            self.build(p)
        self.piracy()
        self.raid()
        for p in self.bidders(TRADE):
            if p.human:
                self.trade_person(p)
            else:
                self.trade_automa(p)

    # ---- pass and build

    def pass_turn(self, p: Player) -> None:
        """A person moves ships or gives up the allegiance, an automa gathers its ships."""
        if not p.human:
            p.ships = [PLACEMENT_ROLL[self.die()]] * len(p.ships)
            return
        options = ["move ships"] if p.is_full_pirate else ["move ships", "renounce"]
        if self.choose(p, "pass", options) == "renounce":
            p.allegiance = None
            self.move_all(p, PIRATE)
            return
        ports = self.haven_ports(p)
        for place, n in self.choose(p, "ships to move", ship_groups(p.ships)):
            for _ in range(n):
                p.ships.remove(place)
                p.ships.append(self.choose(p, "move to", ports))

    def move_all(self, p: Player, nation: str) -> None:
        """Move all ships of a person to ports of one nation."""
        ports = self.ports_of(nation)
        p.ships = [self.choose(p, "rebase to", ports) for _ in p.ships]

    def build(self, p: Player) -> None:
        """Place a new ship, if there may be another."""
        if len(p.ships) >= p.max_ships:
            return
        if p.human:
            p.ships.append(self.choose(p, "build at", self.ports_of(p.home)))
        else:
            p.ships.append(PLACEMENT_ROLL[self.die()])

    # ---- piracy and raid

    def piracy_targets(self, p: Player) -> list[Merchant]:
        """The merchant ships that a player could lead an attack on."""
        return [
            self.merchants[zone]
            for zone in ZONES
            if zone in self.merchants
            and self.merchants[zone].nation != p.home
            and self.reaching(p, (zone,))
        ]

    def raid_targets(self, p: Player) -> list[Port]:
        """The ports that a player could lead a raid on."""
        return [
            port
            for port in self.ports.values()
            if port.booty and port.nation != p.home and self.reaching(p, port.zones)
        ]

    def lead_of(self, band: list[Player]) -> Player:
        """The one with the most ships, at random among equals."""
        most = max(len(p.ships) for p in band)
        return self.pick([p for p in band if len(p.ships) == most])

    def choose_target(self, lead: Player, targets: list[Any]) -> Any:  # noqa: ANN401
        """A person chooses; an automa takes the weakest, then the richest."""
        if lead.human:
            return self.choose(lead, "target", targets)
        best = min((t.defense, -t.gold, -t.booty) for t in targets)
        return self.pick([t for t in targets if (t.defense, -t.gold, -t.booty) == best])

    def commit(self, p: Player, zones: tuple[str, ...], destination: str) -> int:
        """Move ships near the target to it; return how many."""
        near = self.reaching(p, zones)
        if p.human:
            group = self.choose(p, "ships to commit", ship_groups(near)[1:])
            chosen = [place for place, n in group for _ in range(n)]
        else:
            chosen = near
        for place in chosen:
            p.ships.remove(place)
            p.ships.append(destination)
        return len(chosen)

    def gather(
        self, lead: Player, band: list[Player], nation: str, zones: tuple[str, ...], place: str
    ) -> dict[Player, int]:
        """Let the lead and then all who can join commit ships; return how many of each."""
        fleet = {lead: self.commit(lead, zones, place)}
        for p in band:
            if p is not lead and p.home != nation and self.reaching(p, zones):
                fleet[p] = self.commit(p, zones, place)
        return fleet

    def piracy(self) -> None:
        """All who bid piracy attack one merchant ship."""
        band = self.bidders(PIRACY)
        while band:
            lead = self.lead_of(band)
            targets = self.piracy_targets(lead)
            if targets:
                self.attack_merchant(lead, band, self.choose_target(lead, targets))
                return
            band.remove(lead)

    def attack_merchant(self, lead: Player, band: list[Player], merchant: Merchant) -> None:
        """Fight a merchant ship."""
        zone = merchant.zone
        fleet = self.gather(lead, band, merchant.nation, (zone,), zone)
        attack = self.die() + sum(fleet.values())
        defense = self.die() + merchant.defense
        if attack <= defense:
            for p in fleet:
                p.ships.remove(zone)
            return
        self.remove_merchant(merchant)
        for p in fleet:
            p.fame += 1
        self.divvy(lead, list(fleet), merchant)

    def raid(self) -> None:
        """All who bid raid attack one port."""
        band = self.bidders(RAID)
        while band:
            lead = self.lead_of(band)
            targets = self.raid_targets(lead)
            if targets:
                self.attack_port(lead, band, self.choose_target(lead, targets))
                return
            band.remove(lead)

    def attack_port(self, lead: Player, band: list[Player], port: Port) -> None:
        """Fight a port and the ships that defend it."""
        fleet = self.gather(lead, band, port.nation, port.zones, port.id)
        defenders = [p for p in self.by_id() if p not in fleet and port.id in p.ships]
        attack = self.die() + sum(fleet.values())
        defense = self.die() + port.defense + sum(p.ships.count(port.id) for p in defenders)
        if attack <= defense:
            self.retreat(lead, fleet, port)
            for p in defenders:
                self.gain_goods(p, 1)
            return
        for p in defenders:
            p.ships = [place for place in p.ships if place != port.id]
        for p in fleet:
            p.infamy += 1
        self.divvy(lead, list(fleet), port)

    def retreat(self, lead: Player, fleet: dict[Player, int], port: Port) -> None:
        """Each raider loses a ship; the other committed ships leave for one sea zone."""
        for p in fleet:
            p.ships.remove(port.id)
        if all(n == 1 for n in fleet.values()):
            return
        zone = self.choose(lead, "retreat to", port.zones) if lead.human else self.pick(port.zones)
        for p, n in fleet.items():
            for _ in range(n - 1):
                p.ships.remove(port.id)
                p.ships.append(zone)

    # ---- sharing out

    def divvy(self, lead: Player, band: list[Player], hoard: Port | Merchant) -> None:
        """Half of the booty for the lead, the rest as equally as possible for the others."""
        others = [p for p in band if p is not lead]
        if not others:
            self.take_all(lead, hoard)
            return
        for _ in range(hoard.booty // 2):
            self.take_piece(lead, lead, hoard)
        if len(others) == 1:
            self.take_all(others[0], hoard)
            return
        others.sort(key=lambda p: (p.human, p.captain.number))
        received = dict.fromkeys(others, 0)
        while hoard.booty:
            fewest = min(received.values())
            waiting = [p for p in others if received[p] == fewest]
            taker = self.choose(lead, "receiver", waiting) if lead.human else waiting[0]
            self.take_piece(lead, taker, hoard)
            received[taker] += 1

    def take_piece(self, chooser: Player, taker: Player, hoard: Port | Merchant) -> None:
        """Move one gold or one good to a player; an automa hands out gold first."""
        kinds = [kind for kind, n in ((GOLD, hoard.gold), (GOODS, hoard.goods)) if n]
        kind = self.choose(chooser, "piece", kinds) if chooser.human else kinds[0]
        if kind == GOLD:
            hoard.gold -= 1
            taker.gold += 1
        else:
            hoard.goods -= 1
            taker.goods += 1

    def take_all(self, taker: Player, hoard: Port | Merchant) -> None:
        """Move all that is left to a player."""
        taker.gold += hoard.gold
        taker.goods += hoard.goods
        hoard.gold = hoard.goods = 0

    # ---- trade

    def trade_rate(self, p: Player, port: Port) -> int:
        """The goods that one gold costs a player at a port."""
        return port.rating + (0 if port.nation == p.home else 1)

    def trade_ports(self, p: Player) -> list[str]:
        """The ports where a player has ships, in the order of the map."""
        return [name for name in self.ports if name in p.ships]

    def trade_person(self, p: Player) -> None:
        """A person trades once at any of the ports, in any order."""
        ports = self.trade_ports(p)
        while True:
            options: list[str | None] = [
                name for name in ports if p.goods >= self.trade_rate(p, self.ports[name])
            ]
            if not options:
                return
            name = self.choose(p, "trade at", [*options, None])
            if name is None:
                return
            ports.remove(name)
            self.trade_at(p, self.ports[name])

    def trade_automa(self, p: Player) -> None:
        """An automa trades at the cheapest port first, for as long as it can pay."""
        ports = self.trade_ports(p)
        while ports:
            lowest = min(self.trade_rate(p, self.ports[name]) for name in ports)
            if p.goods < lowest:
                return
            name = self.pick(
                [name for name in ports if self.trade_rate(p, self.ports[name]) == lowest]
            )
            ports.remove(name)
            self.trade_at(p, self.ports[name])

    def trade_at(self, p: Player, port: Port) -> None:
        """Put goods on a port for one gold."""
        rate = self.trade_rate(p, port)
        p.goods -= rate
        port.goods += rate
        p.gold += 1
        self.exchange(port)

    # ---- 4. end phase

    def end_phase(self) -> None:
        """Ships return to port, then gold is spent."""
        for p in self.by_id():
            for zone in ZONES:
                if zone in p.ships:
                    self.return_ships(p, zone)
        for p in self.by_id():
            if p.gold:
                self.spend(p)

    def return_ships(self, p: Player, zone: str) -> None:
        """Bring the ships of a player home from a sea zone."""
        n = p.ships.count(zone)
        p.ships = [place for place in p.ships if place != zone]
        if p.human:
            ports = [name for name in self.haven_ports(p) if zone in self.ports[name].zones]
            p.ships += [self.choose(p, "return to", ports) for _ in range(n)]
        else:
            p.ships += [RETURN_ROLL[zone][self.die()]] * n

    def spend(self, p: Player) -> None:
        """Spend one gold, or keep it."""
        if p.human:
            options = ["popularity", "keep"]
            if len(p.ships) < p.max_ships:
                options.insert(1, "ship")
            use = self.choose(p, "spend", options)
        else:
            use = "popularity"
        if use == "popularity":
            p.gold -= 1
            p.popularity += 1
        elif use == "ship":
            p.gold -= 1
            self.build(p)

    # ---- 5. victory phase

    def victory_phase(self) -> None:
        """End the game if somebody reached five, by the die, or after the last turn."""
        reachers = [p for p in self.players if max(p.scores) >= WINNING_SCORE]
        if reachers:
            self.finish(reachers)
        elif self.turn == LAST_TURN or (
            self.turn in END_ROLL and self.die() in END_ROLL[self.turn]
        ):
            best = max(min(p.scores) for p in self.players)
            self.finish([p for p in self.players if min(p.scores) == best])

    def finish(self, tied: list[Player]) -> None:
        """Break the tie by total score, booty and ships; who is still level shares the victory."""

        def strength(p: Player) -> tuple[int, int, int]:
            return (sum(p.scores), p.booty, len(p.ships))

        best = max(strength(p) for p in tied)
        self.winners = [p.id for p in tied if strength(p) == best]
        self.over = True

    # ---- the state as data, and copies of it

    def state(self) -> dict[str, Any]:
        """Return the whole state by ids, without anything that is shared with the game."""
        return {
            "turn": self.turn,
            "over": self.over,
            "winners": sorted(self.winners),
            "players": {
                p.id: {
                    "human": p.human,
                    "allegiance": p.allegiance,
                    "fame": p.fame,
                    "infamy": p.infamy,
                    "popularity": p.popularity,
                    "goods": p.goods,
                    "gold": p.gold,
                    "bid": p.bid,
                    "ships": dict(sorted(Counter(p.ships).items())),
                }
                for p in self.players
            },
            "ports": {
                port.id: {
                    "goods": port.goods,
                    "gold": port.gold,
                    "rating": port.rating,
                    "defense": port.defense,
                }
                for port in self.ports.values()
            },
            "merchants": {
                zone: {
                    "card": self.merchants[zone].id,
                    "goods": self.merchants[zone].goods,
                    "gold": self.merchants[zone].gold,
                    "escorted": self.merchants[zone].escorted,
                }
                for zone in ZONES
                if zone in self.merchants
            },
            "deck": [card.id for card in self.deck],
            "removed": sorted(card.id for card in self.removed),
        }

    def clone(self) -> Game:
        """Return a copy, made between two phases; cards, chance and agent are shared."""
        copy = Game.__new__(Game)
        copy.chance = self.chance
        copy.agent = self.agent
        copy.decisions = self.decisions
        copy.turn = self.turn
        copy.over = self.over
        copy.winners = self.winners[:]
        copy.players = [
            Player(
                p.captain,
                p.human,
                p.allegiance,
                p.goods,
                p.gold,
                p.fame,
                p.infamy,
                p.popularity,
                p.bid,
                p.ships[:],
            )
            for p in self.players
        ]
        copy.ports = {
            name: Port(name, p.nation, p.zones, p.rating, p.defense, p.goods, p.gold)
            for name, p in self.ports.items()
        }
        copy.deck = self.deck[:]
        copy.merchants = {
            zone: Merchant(m.card, zone, m.goods, m.gold, m.escorted)
            for zone, m in self.merchants.items()
        }
        copy.removed = self.removed[:]
        copy.events = []
        return copy


def run(n: int, seed0: int = 0, people: int = 1) -> tuple[int, int]:
    """Play n games and return how many decisions and how many turns they took."""
    decisions = turns = 0
    for i in range(n):
        game = Game(seed0 + i, people)
        game.play()
        decisions += game.decisions
        turns += game.turn
    return decisions, turns
