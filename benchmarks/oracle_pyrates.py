"""*Pyrates!* as a subject of the oracle: what the ruleset and the yardstick call things."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from benchmarks import yardstick_pyrates as yard
from benchmarks import yardstick_readings as readings
from benchmarks.bare_ruleset import bare_program
from benchmarks.oracle import Answered, DisagreementError, State, Subject, Words
from interpreter.layout import BOX, Slots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.oracle import Replayer
    from interpreter.decision import Decision
    from rulelang import ir

LABELS = {
    "Move ships": "move ships",
    "Give up your allegiance": "renounce",
    "Gold": yard.GOLD,
    "Goods": yard.GOODS,
    "On popularity": "popularity",
    "On a new ship": "ship",
    "One on each": "both",
    "Keep it": "keep",
    "Pay 1 gold": "gold",
    "Lose a ship": "ship",
    "Discard 1 gold": "1 gold",
    "Discard 2 goods": "2 goods",
    "Lose 1 popularity": "1 popularity",
}
"""What the yardstick calls the labelled alternatives of the ruleset."""

QUESTIONS = {
    "bidding.people.bid": "bid",
    "build.port": "build at",
    "reposition.ships": "ships to move",
    "reposition.port": "move to",
    "move_all.port": "rebase to",
    "bermuda_sloop.after.random_event.port": "flee to",
    "return_ships.port": "return to",
    "lose_any_ship.ship": "lose ship",
    "put_to_sea.sea": "retreat to",
    "commit.ships": "ships to commit",
    "piracy.target.merchant": "target",
    "raid.target.port": "target",
    "divvy.the_rest.player": "receiver",
    "take_item.options": "piece",
    "take_one_kind.options": "kind first",
    "ask_to_join.may": "join",
    "own_trades.ports": "trade at",
    "human_pass.options": "pass",
    "spend.options": "spend",
    "mutiny.options": "mutiny",
    "pay_for_treaty.options": "treaty",
    "offer_pardon.may": "swear allegiance",
    "offer_pardon.nation": "nation",
}
"""What the yardstick calls the decisions of the ruleset."""

NATIONS_DRAWN = ("setup.allegiances.allegiance",)
"""The paths of draws among nations; all other picks are among things."""

NUMBERS = {
    "winning_score": range(3, 8),
    "goods_per_gold": range(3, 7),
    "goods_counters": (4, 6, 8, 12, 20, 32),
    "starting_ships": range(1, 4),
    "person_ships": range(3, 7),
    "automa_ships": range(1, 5),
    "foreign_surcharge": range(3),
}
"""Values of the options that are numbers, as far as games with them are worth comparing."""


class PyratesWords(Words):
    """The words of the yardstick for what is in the slots of the engine."""

    labels = LABELS

    def name(self, slots: Slots, thing: int) -> Any:  # noqa: ANN401 - an id or a value
        """What the yardstick has for a thing: players are captains, ships their places."""
        match self.kind_of(thing).name:
            case "Player":
                return self.id(self.get(slots, thing, "captain"))
            case "Ship":
                return self.place(slots, thing)
            case "RatingCounter" | "DefenseCounter":
                return self.get(slots, thing, "value")
            case _:
                return self.id(thing)

    def state(self, slots: Slots) -> State:
        """The whole state in the form of the yardstick, but for the turn and whether it is over."""
        board = self.things("Board")[0]
        merchants = {
            place: merchant
            for merchant in self.things("Merchant")
            if (place := self.place(slots, merchant)) is not None
        }
        if self.get(slots, board, "events"):
            raise DisagreementError("an event is still to come at the end of a phase")
        return {
            "winners": self.winners(slots),
            "players": {
                self.name(slots, player): {
                    "human": not self.layout.read(slots, self.program.automa_field, player),
                    "allegiance": self.word("Nation", self.get(slots, player, "allegiance")),
                    "bid": self.word("Bid", self.get(slots, player, "bid")),
                    "ships": self._ships(slots, player),
                    **{
                        name: self.get(slots, player, name)
                        for name in ("fame", "infamy", "popularity", "goods", "gold")
                    },
                }
                for player in self.things("Player")
            },
            "ports": {
                self.id(port): {
                    "goods": self.get(slots, port, "goods"),
                    "gold": self.get(slots, port, "gold"),
                    "rating": self._counter(slots, "RatingCounter", port),
                    "defense": self._counter(slots, "DefenseCounter", port),
                }
                for port in self.things("Port")
            },
            "merchants": {
                zone: {
                    "card": self.id(merchants[zone]),
                    **{
                        name: self.get(slots, merchants[zone], name)
                        for name in ("goods", "gold", "escorted")
                    },
                }
                for zone in yard.ZONES
                if zone in merchants
            },
            "deck": [self.id(each) for each in self.get(slots, board, "merchants")],
            "removed": sorted(
                self.id(each)
                for each in self.things("Merchant")
                if self.layout.where(slots, each)[0] == BOX
            ),
        }

    def candidate(self, slots: Slots, path: str, value: Any) -> Any:  # noqa: ANN401
        """A nation or a thing."""
        if path in NATIONS_DRAWN:
            return self.word("Nation", value)
        return self.name(slots, value)

    def answered(self, slots: Slots, decision: Decision, answer: Any) -> Answered:  # noqa: ANN401
        """Sets of ships as places and numbers, everything else by name."""
        question = QUESTIONS.get(decision.path, decision.path)
        options: Counter[Any] | int
        if question in ("ships to move", "ships to commit"):
            places = Counter(self.name(slots, each) for each in answer)
            result: Any = tuple(sorted(places.items()))
            options = decision.options.count() or 0
        elif question == "trade at":
            result = self.id(answer[0]) if answer else None
            options = Counter([None, *(self.id(each.value) for each in decision.options)])  # type: ignore[arg-type]
        else:
            result = self.said(decision, slots, answer)
            options = Counter(self.said(decision, slots, each.value) for each in decision.options)
        return Answered(self.seat(slots, decision), question, result, options)

    def _ships(self, slots: Slots, player: int) -> dict[str, int]:
        places = [
            place
            for ship in self.things("Ship")
            if self.get(slots, ship, "owner") == player
            and (place := self.place(slots, ship)) is not None
        ]
        return dict(sorted(Counter(places).items()))

    def _counter(self, slots: Slots, kind: str, port: int) -> int | None:
        values = [
            self.get(slots, each, "value")
            for each in self.things(kind)
            if self.get(slots, each, "place") == port
        ]
        if len(values) > 1:
            raise DisagreementError(f"{self.id(port)} has {len(values)} counters: {kind}")
        return values[0] if values else None


class Pyrates(Subject):
    """*Pyrates!* without the unique actions of the captains."""

    numbers = NUMBERS
    alike = ("lose_any_ship.automa",)

    def program(self, people: int) -> ir.Program:
        """The bare ruleset with a mark before each phase."""
        del people
        return bare_program(marked=True)

    def words(self, program: ir.Program) -> Words:
        """Names for what is in it."""
        return PyratesWords(program)

    def people(self, number: int) -> int:
        """One to four, each with both kinds of answers."""
        return 1 + number // 2 % 4

    def replay(
        self, replayer: Replayer, people: int, options: Mapping[str, object]
    ) -> Iterator[tuple[str, State]]:
        """Let the yardstick play and give its state after each phase."""
        with readings.numbers(options):
            game = (
                readings.Game(options, people, replayer, replayer)
                if options
                else yard.Game(people=people, chance=replayer, agent=replayer)
            )
            for phase in game.play_phases():
                state = game.state()
                del state["turn"], state["over"]
                yield f"{phase} in turn {game.turn}", state
