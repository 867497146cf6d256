"""Two implementations of *Pyrates!* compared: the ruleset, played by an engine, and the yardstick.

A game is played by the engine with random answers and every die, pick, shuffle and answer is
written down in order, in words that both sides know: ids of cards and places, values of counters.
The yardstick then plays the same game from the record. What it asks for must be what comes next in
the record, with the same candidates or options, and its state must be the same after each phase.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from benchmarks import yardstick_pyrates as yard
from benchmarks import yardstick_readings as readings
from benchmarks.bare_ruleset import MARK, PHASES, bare_program
from interpreter.chance import Stream
from interpreter.layout import BOX, Layout, Slots
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interpreter.decision import Decision
    from interpreter.observation import Observation
    from rulelang import ir

State = dict[str, Any]

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


class DisagreementError(Exception):
    """The two sides differ; the message says where and how."""


@attrs.frozen
class Drawn:
    """A draw: `die` without candidates, `pick` of one candidate, `shuffle` to a new order."""

    kind: str
    path: str
    result: Any
    candidates: Counter[Any] | None = None


@attrs.frozen
class Answered:
    """An answer of a player to a question; `options` for a set of ships is how many there were."""

    player: str
    question: str
    result: Any
    options: Counter[Any] | int | None


@attrs.frozen
class Looked:
    """The state where a phase begins, or at the end."""

    state: State


# ---------------------------------------------------------------- the side of the ruleset


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


class Words:
    """Names for what is in the slots of the engine."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.layout = Layout(program)
        self.kinds = {kind.name: kind for kind in program.kinds}
        self.fields = {
            (program.kinds[field.kind].name, field.name): field.index for field in program.fields
        }
        self.enums = {enum.name: enum.words for enum in program.enums}

    def things(self, kind: str) -> range:
        """All things of a kind."""
        found = self.kinds[kind]
        return range(found.base, found.base + found.count)

    def kind_of(self, thing: int) -> ir.Kind:
        """The kind of a thing."""
        return self.program.kinds[self.layout.kind_of[thing]]

    def id(self, thing: int) -> str:
        """The id of a thing."""
        kind = self.kind_of(thing)
        return kind.ids[thing - kind.base]

    def get(self, slots: Slots, thing: int, name: str) -> Any:  # noqa: ANN401 - of any type
        """The value of a field."""
        return self.layout.read(slots, self.fields[self.kind_of(thing).name, name], thing)

    def word(self, enum: str, value: int | None) -> str | None:
        """A word of an enumeration."""
        return None if value is None else self.enums[enum][value]

    def place(self, slots: Slots, thing: int) -> str | None:
        """The id of the place of a thing."""
        place = self.get(slots, thing, "place")
        return None if place is None else self.id(place)

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
        winners = slots[self.layout.winners]
        return {
            "winners": sorted(self.name(slots, each) for each in winners)
            if isinstance(winners, tuple)
            else [],
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


class Recorder:
    """Draws for the engine at random, and writes down draws, answers and states."""

    def __init__(self, words: Words, seed: int) -> None:
        self.words = words
        self.rng = random.Random(seed)
        self.record: list[Drawn | Answered | Looked] = []
        self.slots: Callable[[], Slots] = list

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """Roll a die, or write down the state at a mark."""
        del by
        if path.endswith(MARK):
            self.look()
            return low
        result = self.rng.randint(low, high)
        self.record.append(Drawn("die", path, result))
        return result

    def pick(self, path: str, source: tuple[Any, ...], count: int | None) -> Any:  # noqa: ANN401
        """Pick one; nothing is drawn where all candidates look the same."""
        if count is not None:
            raise DisagreementError(f"{path} picks several")
        result = self.rng.choice(source)
        if path in NATIONS_DRAWN:
            nations = self.words.enums["Nation"]
            names = [nations[each] for each in source]
            name = nations[result]
        else:
            names = [self.words.name(self.slots(), each) for each in source]
            name = self.words.name(self.slots(), result)
        if len(set(names)) > 1:
            self.record.append(Drawn("pick", path, name, Counter(names)))
        return result

    def shuffle(self, path: str, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Shuffle cards."""
        result = self.rng.sample(items, len(items))
        names = [self.words.id(each) for each in result]
        self.record.append(Drawn("shuffle", path, names, Counter(names)))
        return tuple(result)

    def look(self) -> None:
        """Write down the state."""
        self.record.append(Looked(self.words.state(self.slots())))

    def answer(self, decision: Decision, answer: Any) -> None:  # noqa: ANN401 - by form
        """Write down an answer in the words of the yardstick."""
        slots = self.slots()
        question = QUESTIONS.get(decision.path, decision.path)
        options: Counter[Any] | int | None
        if question in ("ships to move", "ships to commit"):
            result: Any = self._sorted(self.words.name(slots, each) for each in answer)
            options = decision.options.count()
        elif question == "trade at":
            result = self.words.id(answer[0]) if answer else None
            options = Counter([None, *(self.words.id(each.value) for each in decision.options)])  # type: ignore[arg-type]
        else:
            result = self._word(decision, slots, answer)
            options = Counter(self._word(decision, slots, each.value) for each in decision.options)
        player = self.words.name(slots, self.words.things("Player")[decision.seat])
        self.record.append(Answered(player, question, result, options))

    def _word(self, decision: Decision, slots: Slots, value: Any) -> Any:  # noqa: ANN401
        match decision.form, decision.type.shape:
            case "label", _:
                return LABELS[decision.options.text(value)]
            case "yes", _:
                return value
            case _, "word":
                return self.words.program.enums[decision.type.enum].words[value]
            case _:
                return self.words.name(slots, value)

    @staticmethod
    def _sorted(places: Iterable[Any]) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(Counter(places).items()))


class RecordedProvider:
    """Answers at random, or by the ruleset's policy, and writes the answers down."""

    def __init__(self, recorder: Recorder, seed: int | str, *, by_policy: bool) -> None:
        self._recorder = recorder
        self._random = RandomProvider(seed)
        self._draw = Stream(seed, "policy or not")
        self._by_policy = by_policy

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Answer a decision."""
        answer = None
        if self._by_policy and decision.policy is not None and self._draw(3):
            answer = decision.policy(self._draw)
        if answer is None:
            answer = self._random.decide(observation, decision)
        self._recorder.answer(decision, answer)
        return answer


def play_ruleset(
    seed: int, people: int, options: Mapping[str, object] | None = None
) -> list[Drawn | Answered | Looked]:
    """Play a game of the ruleset with the generated engine and return the record.

    Args:
        seed: For draws and answers. All answers are random where it is even; elsewhere two of
            three are those of the ruleset's own policy, which trades and builds more.
        people: How many seats have a person.
        options: Values of options by name, words as words.
    """
    program = bare_program(marked=True)
    recorder = Recorder(Words(program), seed)
    match = Match(
        program,
        people=people,
        options=option_numbers(program, options or {}),
        chance=recorder,
        providers={
            seat: RecordedProvider(recorder, f"{seed} of {seat}", by_policy=seed % 2 == 1)
            for seat in range(people)
        },
    )
    recorder.slots = match.state
    match.play()
    recorder.look()
    return recorder.record


def option_numbers(program: ir.Program, options: Mapping[str, object]) -> dict[str, object]:
    """Values of options as the engine has them."""
    words = {
        option.name: program.enums[option.type.enum].words
        for option in program.options
        if option.type.shape == "word"
    }
    return {
        name: words[name].index(value) if isinstance(value, str) else value
        for name, value in options.items()
    }


def mixed_readings(seed: int) -> dict[str, object]:
    """About a third of the options with another value than the default one, drawn evenly."""
    program = bare_program(marked=True)
    rng = random.Random(seed)
    options: dict[str, object] = {
        name: rng.choice(values) for name, values in NUMBERS.items() if rng.random() < 1 / 3
    }
    for reading in all_readings(program):
        if rng.random() < 1 / 3:
            options |= reading
    return options


def all_readings(program: ir.Program) -> list[dict[str, object]]:
    """Every value that is not the default one of every option with words, one at a time."""
    return [
        {option.name: word}
        for option in program.options
        if option.type.shape == "word"
        for number, word in enumerate(program.enums[option.type.enum].words)
        if number != option.default
    ]


# ---------------------------------------------------------------- the side of the yardstick


def word_of(thing: Any) -> Any:  # noqa: ANN401 - an option or candidate of the yardstick
    """The id of a thing, other values as they are."""
    return getattr(thing, "id", thing)


class Replayer:
    """Draws and answers for the yardstick from a record."""

    def __init__(self, record: Sequence[Drawn | Answered | Looked]) -> None:
        self.record = record
        self.place = 0

    def _next(self, wanted: type, what: str) -> Any:  # noqa: ANN401 - an entry of the wanted class
        if self.place == len(self.record):
            raise DisagreementError(f"the record is over, the yardstick wants {what}")
        entry = self.record[self.place]
        if not isinstance(entry, wanted):
            seen = "the state at a phase" if isinstance(entry, Looked) else repr(entry)
            raise DisagreementError(f"the yardstick wants {what}, the ruleset has {seen}")
        self.place += 1
        return entry

    def _drawn(self, kind: str, candidates: Sequence[Any] | None) -> Any:  # noqa: ANN401
        seen = None if candidates is None else Counter(word_of(each) for each in candidates)
        entry = self._next(Drawn, f"a {kind} of {seen}")
        if entry.kind != kind:
            raise DisagreementError(f"the yardstick wants a {kind} of {seen}, there is {entry!r}")
        same = entry.candidates == seen
        if entry.path == "lose_any_ship.automa":  # ships there, their places here
            same = entry.candidates.keys() == (seen or {}).keys()
        if not same:
            raise DisagreementError(f"candidates differ: {seen} in the yardstick, {entry!r}")
        return entry.result

    def die(self) -> int:
        """Give the next die."""
        return self._drawn("die", None)  # type: ignore[no-any-return]

    def pick(self, candidates: Sequence[Any]) -> Any:  # noqa: ANN401 - one of them
        """Give the next pick; nothing was drawn where all candidates look the same."""
        by_word = {word_of(each): each for each in candidates}
        return by_word[self._drawn("pick", candidates)] if len(by_word) > 1 else candidates[0]

    def shuffle(self, cards: list[Any]) -> None:
        """Give the next order."""
        by_word = {word_of(each): each for each in cards}
        cards[:] = [by_word[each] for each in self._drawn("shuffle", cards)]

    def choose(self, game: yard.Game, player: yard.Player, question: str, options: Any) -> Any:  # noqa: ANN401
        """Give the next answer."""
        del game
        entry = self._next(Answered, f"{player.id} to answer {question!r}: {options}")
        seen: Counter[Any] | int = Counter(word_of(each) for each in options)
        if isinstance(entry.options, int):
            seen = len(options)
        if (entry.player, entry.question, entry.options) != (player.id, question, seen):
            raise DisagreementError(f"{player.id} chooses {question!r} from {seen}; {entry!r}")
        return next(each for each in options if word_of(each) == entry.result)

    def compare(self, game: yard.Game) -> None:
        """Compare the states at the end of a phase."""
        expected = self._next(Looked, f"the state in turn {game.turn}").state
        state = game.state()
        del state["turn"], state["over"]
        found = list(differences(expected, state))
        if found:
            raise DisagreementError("; ".join(found))


def differences(ruleset: Any, yardstick: Any, path: str = "") -> Iterable[str]:  # noqa: ANN401
    """Say where two states differ."""
    if isinstance(ruleset, dict) and isinstance(yardstick, dict):
        for key in sorted(ruleset.keys() | yardstick.keys()):
            here = f"{path}.{key}" if path else key
            yield from differences(ruleset.get(key), yardstick.get(key), here)
    elif ruleset != yardstick:
        yield f"{path}: {ruleset!r} in the ruleset, {yardstick!r} in the yardstick"


def replay_record(
    record: Sequence[Drawn | Answered | Looked],
    people: int,
    options: Mapping[str, object] | None = None,
) -> None:
    """Let the yardstick play a recorded game.

    Raises:
        DisagreementError: The two sides differ.
    """
    replayer = Replayer(record)
    phase, turn = "setup", 1
    try:
        with readings.numbers(options or {}):
            game = (
                readings.Game(options, people, replayer, replayer)
                if options
                else yard.Game(people=people, chance=replayer, agent=replayer)
            )
            for phase in game.play_phases():  # noqa: B007 - named where they differ
                replayer.compare(game)
                turn = game.turn
    except DisagreementError as error:
        raise DisagreementError(f"turn {turn}, during or after {phase}: {error}") from None
    if replayer.place != len(record):
        raise DisagreementError(f"the ruleset goes on with {record[replayer.place]!r}")


def compare_game(
    seed: int, people: int, options: Mapping[str, object] | None = None
) -> Counter[str]:
    """Play a game on both sides.

    Returns:
        How many dice, picks, shuffles, states and answers to each question were the same.

    Raises:
        DisagreementError: They differ.
    """
    record = play_ruleset(seed, people, options)
    try:
        replay_record(record, people, options)
    except DisagreementError as error:
        raise DisagreementError(f"seed {seed}, {people} people, {options}: {error}") from None
    seen: Counter[str] = Counter()
    for entry in record:
        match entry:
            case Drawn(kind=what) | Answered(question=what):
                seen[what] += 1
            case Looked():
                seen["state"] += 1
    return seen


def main() -> int:
    """Compare as many games as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--shown", type=int, default=10, help="disagreements to print")
    parser.add_argument(
        "--readings", action="store_true", help="so many games of each reading of each option"
    )
    parser.add_argument("--mixed", action="store_true", help="a mixture of readings in each game")
    given = parser.parse_args()
    variants: list[dict[str, object] | None] = [{}]
    if given.mixed:
        variants = [None]
    elif given.readings:
        variants = [*all_readings(bare_program(marked=True))]
    seen: Counter[str] = Counter()
    disagreements = 0
    start = time.perf_counter()
    for options, number in itertools.product(variants, range(given.games)):
        seed = given.seed + number
        chosen = mixed_readings(seed) if options is None else options
        try:
            seen += compare_game(seed, 1 + number // 2 % 4, chosen)
        except DisagreementError as error:
            disagreements += 1
            if disagreements <= given.shown:
                print(error)
    games = given.games * len(variants)
    seconds = time.perf_counter() - start
    for what, count in seen.most_common():
        print(f"{count:8} {what}")
    print(
        f"{games - disagreements} of {games} games agree after each of"
        f" {len(PHASES)} phases a turn, {seconds:.0f} s"
    )
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
