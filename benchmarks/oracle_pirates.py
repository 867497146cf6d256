"""*Pirates!* as a subject of the oracle: what the ruleset and the yardstick call things."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from benchmarks import yardstick_pirates as yard
from benchmarks import yardstick_pirates_readings as readings
from benchmarks.bare_ruleset import marked_pirates
from benchmarks.oracle import Answered, State, Subject, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.oracle import Replayer
    from interpreter.decision import Decision
    from interpreter.layout import Slots
    from rulelang import ir

LABELS = {
    "Move": yard.MOVE,
    "Attack": yard.ATTACK,
    "Repair": yard.REPAIR,
    "Nothing": yard.NOTHING,
    "Unload": readings.UNLOAD,
    "All that fits": "all",
    "Some chests": "some",
}
"""What the yardstick calls the labelled alternatives of the ruleset."""

QUESTIONS = {
    "choose_boat.boat": "boat",
    "choose_layout.cannons": "cannons",
    "choose_layout.cannon_slots": "cannon slots",
    "turn.first_action.options": "first action",
    "turn.second_action.options": "second action",
    "sail.space": "destination",
    "offer_unloading.may": "unload",
    "engage.target_fighter": "target",
    "refit.cannons.cannons": "new cannons",
    "refit.cannons.cannon_slots": "slots for cannons",
    "refit.pirates.pirates": "new pirates",
    "refit.pirates.pirate_slots": "slots for pirates",
    "shift_figure.free_slot": "move to",
    "give_one_up.lost_slot": "discard",
}
"""What the yardstick calls the decisions of the ruleset under the default readings."""

OTHER_QUESTIONS = {
    "offer_unloading_in_passing.may": "unload in passing",
    "unload.chests": "chests to unload",
    "stock.other_mix": "chests of the lair",
    "fire_back.may": "fire back",
    "load.may": "take",
    "load.options": "what to take",
    "take_some.chests": "chests to take",
    "take_most.may": "make change",
    "fill_up.aboard.other_mix": "chests aboard",
    "fill_up.left_behind.rest_mix": "chests left",
    "clear_slot_six.may": "give back",
}
"""What it calls those that other readings bring."""

ROUNDS = 300
LAST_ROUND: dict[str, object] = {"stalemate": "turn_cap", "round_limit": ROUNDS}
"""Random games can be very long."""


class PiratesWords(Words):
    """The words of the yardstick for what is in the slots of the engine."""

    labels = LABELS

    def name(self, slots: Slots, thing: int) -> Any:  # noqa: ANN401 - an id or a number
        """A player is a seat, a mixture of chests their sizes; everything else goes by its id."""
        match self.kind_of(thing).name:
            case "Player":
                return self.things("Player").index(thing) + 1
            case "Mix":
                numbers = [self.get(slots, thing, each) for each in ("large", "medium", "small")]
                return tuple(
                    size for size, n in zip((3, 2, 1), numbers, strict=True) for _ in range(n)
                )
            case _:
                return self.id(thing)

    def answered(self, slots: Slots, decision: Decision, answer: Any) -> Answered:  # noqa: ANN401
        """Sets of slots as tuples, everything else by name."""
        question = (QUESTIONS | OTHER_QUESTIONS).get(decision.path, decision.path)
        options: Counter[Any] | int
        if question in ("cannon slots", "slots for cannons", "slots for pirates"):
            result: Any = tuple(answer)
            options = decision.options.count() or 0
        elif question in ("chests to unload", "chests to take"):
            result = tuple(sorted(self.get(slots, chest, "size") for chest in answer))
            options = decision.options.count() or 0
        else:
            result = self.said(decision, slots, answer)
            options = Counter(self.said(decision, slots, each.value) for each in decision.options)
        return Answered(self.seat(slots, decision), question, result, options)

    def state(self, slots: Slots) -> State:
        """The whole state in the form of the yardstick, but for the number of the round."""
        boats = {self.name(slots, each): self._boat(slots, each) for each in self.things("Player")}
        lairs = {
            space: self._lair(slots, lair)
            for lair in self.things("Lair")
            if (space := self.place(slots, lair)) is not None
        }
        figures: Counter[str | None] = Counter()
        for holder in (*boats.values(), *lairs.values()):
            figures.update(holder["slots"])
            figures[yard.CANNON] += holder.get("unnumbered", 0)
        chests = Counter(
            self.get(slots, chest, "size")
            for chest in self.things("Chest")
            if self.get(slots, chest, "place") is None
        )
        return {
            "winners": self.winners(slots),
            "boats": boats,
            "lairs": lairs,
            "figures": {
                figure: yard.FIGURES - figures[figure] for figure in (yard.CANNON, yard.PIRATE)
            },
            "chests": {size: chests[size] for size in yard.SIZES},
        }

    def _boat(self, slots: Slots, player: int) -> State:
        colours = [
            self.id(boat)
            for boat in self.things("Boat")
            if self.get(slots, boat, "place") == player
        ]
        return {
            "colour": " and ".join(colours),
            "space": self.id(self.get(slots, player, "space")),
            "slots": self._figures(slots, player),
            "chests": self._chests(slots, player, ashore=False),
            "front": self._chests(slots, player, ashore=True),
        }

    def _lair(self, slots: Slots, lair: int) -> State:
        return {
            "id": self.id(lair),
            "face_up": self.get(slots, lair, "face_up"),
            "slots": self._figures(slots, lair),
            "unnumbered": self.get(slots, lair, "loose"),
            "chests": self._chests(slots, lair, ashore=False),
        }

    def _figures(self, slots: Slots, fighter: int) -> list[str | None]:
        field = self.fields[self.kind_of(fighter).name, "slot"]
        return [
            self.word("Figure", self.layout.read(slots, field, fighter, n))  # type: ignore[arg-type]
            for n in range(1, yard.SLOTS + 1)
        ]

    def _chests(self, slots: Slots, holder: int, *, ashore: bool) -> list[int]:
        return sorted(
            self.get(slots, chest, "size")
            for chest in self.things("Chest")
            if self.get(slots, chest, "place") == holder
            and self.get(slots, chest, "safe") == ashore
        )


class Pirates(Subject):
    """*Pirates!* as printed, with a last round."""

    def program(self, people: int) -> ir.Program:
        """The ruleset with a mark before each action."""
        return marked_pirates(people)

    def words(self, program: ir.Program) -> Words:
        """Names for what is in it."""
        return PiratesWords(program)

    def people(self, number: int) -> int:
        """Two to six, each with both kinds of answers."""
        return 2 + number // 2 % 5

    def options(self, options: Mapping[str, object]) -> Mapping[str, object]:
        """Random games get a last round."""
        return {**LAST_ROUND, **options}

    def all_readings(self) -> list[dict[str, object]]:
        """The readings that the yardstick has."""
        return [
            {option: reading} for option, others in readings.READINGS.items() for reading in others
        ]

    def replay(
        self, replayer: Replayer, people: int, options: Mapping[str, object]
    ) -> Iterator[tuple[str, State]]:
        """Let the yardstick play and give its state before each action and at the end."""
        rounds = int(str(options["round_limit"]))
        game = (
            readings.Game(options, people, replayer, replayer, rounds)
            if options.keys() - LAST_ROUND.keys()
            else yard.Game(players=people, chance=replayer, agent=replayer, max_rounds=rounds)
        )
        for where in game.play_actions():
            state = game.state()
            del state["round"]
            yield f"{where} in round {game.round}", state
