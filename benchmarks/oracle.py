"""Two implementations of a game compared: the ruleset, played by an engine, and the yardstick.

A game is played by the engine with random answers and every die, pick, shuffle and answer is
written down in order, in words that both sides know: ids of cards and places, values of counters.
The yardstick then plays the same game from the record. What it asks for must be what comes next in
the record, with the same candidates or options, and its state must be the same at every mark.

What is peculiar to a game stands in a `Subject`, one module each: `oracle_pyrates`,
`oracle_pirates`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from benchmarks.bare_ruleset import MARK
from interpreter.chance import Stream
from interpreter.layout import Layout, Slots
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation
    from rulelang import ir

State = dict[str, Any]
NOTHING: Mapping[str, object] = {}


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
    """An answer of a player to a question; `options` for a set of things is how many there were."""

    player: Any
    question: str
    result: Any
    options: Counter[Any] | int | None


@attrs.frozen
class Looked:
    """The state at a mark, or at the end."""

    state: State


Record = list[Drawn | Answered | Looked]


# ---------------------------------------------------------------- the side of the ruleset


class Words(ABC):
    """Names for what is in the slots of the engine.

    Attributes:
        labels: What the yardstick has for the texts of things to do.
    """

    labels: ClassVar[Mapping[str, object]]

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.layout = Layout(program)
        self.kinds = {kind.name: kind for kind in program.kinds}
        self.fields = {
            (program.kinds[field.kind].name, field.name): field.index for field in program.fields
        }
        self.enums = {enum.name: enum.words for enum in program.enums}

    @abstractmethod
    def name(self, slots: Slots, thing: int) -> Any:  # noqa: ANN401 - an id or a value
        """What the yardstick has for a thing."""

    @abstractmethod
    def state(self, slots: Slots) -> State:
        """The whole state in the form of the yardstick."""

    @abstractmethod
    def answered(self, slots: Slots, decision: Decision, answer: Any) -> Answered | None:  # noqa: ANN401
        """An answer as the yardstick has it; none if it is a part of one that is still to come."""

    def candidate(self, slots: Slots, path: str, value: Any) -> Any:  # noqa: ANN401
        """What the yardstick has for a candidate of a pick; `path` says which pick."""
        del path
        return self.name(slots, value)

    def said(self, decision: Decision, slots: Slots, value: Any) -> Any:  # noqa: ANN401
        """What the yardstick has for an option."""
        match decision.form, decision.type.shape:
            case "label", _:
                return self.labels[decision.options.text(value)]
            case ("yes", _) | (_, "number"):
                return value
            case _, "word":
                enum = self.program.enums[decision.type.enum]
                return value if enum.numeric else enum.words[value]
            case _:
                return self.name(slots, value)

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

    def seat(self, slots: Slots, decision: Decision) -> Any:  # noqa: ANN401 - as it names players
        """What the yardstick has for the player who decides."""
        return self.name(slots, self.things("Player")[decision.seat])

    def winners(self, slots: Slots) -> list[Any]:
        """What the yardstick has for those who have won."""
        winners = slots[self.layout.winners]
        if not isinstance(winners, tuple):
            return []
        return sorted(self.name(slots, each) for each in winners)


class Recorder:
    """Draws for the engine at random, and writes down draws, answers and states."""

    def __init__(self, words: Words, seed: int) -> None:
        self.words = words
        self.rng = random.Random(seed)
        self.record: Record = []
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
        slots = self.slots()
        names = Counter(self.words.candidate(slots, path, each) for each in source)
        if len(names) > 1:
            name = self.words.candidate(slots, path, result)
            self.record.append(Drawn("pick", path, name, names))
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
        entry = self.words.answered(self.slots(), decision, answer)
        if entry is not None:
            self.record.append(entry)


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


# ---------------------------------------------------------------- the side of the yardstick


def word_of(thing: Any) -> Any:  # noqa: ANN401 - an option or candidate of the yardstick
    """The id of a thing, other values as they are."""
    return getattr(thing, "id", thing)


class Replayer:
    """Draws and answers for the yardstick from a record.

    Args:
        record: What the ruleset has drawn and answered.
        alike: The paths of picks whose candidates are compared without their numbers, because the
            ruleset picks among things and the yardstick among their places.
    """

    def __init__(self, record: Sequence[Drawn | Answered | Looked], alike: Iterable[str]) -> None:
        self.record = record
        self.place = 0
        self._alike = frozenset(alike)

    def _next(self, wanted: type, what: Callable[[], str]) -> Any:  # noqa: ANN401 - an entry of it
        if self.place == len(self.record):
            raise DisagreementError(f"the record is over, the yardstick wants {what()}")
        entry = self.record[self.place]
        if not isinstance(entry, wanted):
            seen = "the state at a mark" if isinstance(entry, Looked) else repr(entry)
            raise DisagreementError(f"the yardstick wants {what()}, the ruleset has {seen}")
        self.place += 1
        return entry

    def _drawn(self, kind: str, candidates: Sequence[Any] | None) -> Any:  # noqa: ANN401
        seen = None if candidates is None else Counter(word_of(each) for each in candidates)
        entry = self._next(Drawn, lambda: f"a {kind} of {seen}")
        if entry.kind != kind:
            raise DisagreementError(f"the yardstick wants a {kind} of {seen}, there is {entry!r}")
        same = entry.candidates == seen
        if entry.path in self._alike:
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

    def choose(self, game: Any, player: Any, question: str, options: Any) -> Any:  # noqa: ANN401
        """Give the next answer."""
        del game
        entry = self._next(Answered, lambda: f"{player.id} to answer {question!r}: {options}")
        seen: Counter[Any] | int = Counter(word_of(each) for each in options)
        if isinstance(entry.options, int):
            seen = len(options)
        if (entry.player, entry.question, entry.options) != (player.id, question, seen):
            raise DisagreementError(f"{player.id} chooses {question!r} from {seen}; {entry!r}")
        for option in options:
            if word_of(option) == entry.result:
                return option
        raise DisagreementError(f"{player.id} cannot choose {question!r} like {entry!r}")

    def compare(self, state: State) -> None:
        """Compare the states at a mark."""
        expected = self._next(Looked, lambda: "the state at a mark").state
        found = list(differences(expected, state))
        if found:
            raise DisagreementError("; ".join(found))


def differences(ruleset: Any, yardstick: Any, path: str = "") -> Iterable[str]:  # noqa: ANN401
    """Say where two states differ."""
    if isinstance(ruleset, dict) and isinstance(yardstick, dict):
        for key in sorted(ruleset.keys() | yardstick.keys()):
            here = f"{path}.{key}" if path else str(key)
            yield from differences(ruleset.get(key), yardstick.get(key), here)
    elif ruleset != yardstick:
        yield f"{path}: {ruleset!r} in the ruleset, {yardstick!r} in the yardstick"


# ---------------------------------------------------------------- both


class Subject(ABC):
    """A game that is there twice.

    Attributes:
        numbers: Values of the options that are numbers, as far as games with them are worth
            comparing.
        alike: See `Replayer`.
    """

    numbers: Mapping[str, Sequence[int]] = {}
    alike: tuple[str, ...] = ()

    @abstractmethod
    def program(self, people: int) -> ir.Program:
        """The ruleset with marks in it, for so many people."""

    @abstractmethod
    def words(self, program: ir.Program) -> Words:
        """Names for what is in it."""

    @abstractmethod
    def people(self, number: int) -> int:
        """How many people take part in the game with this number, when many are compared."""

    @abstractmethod
    def replay(
        self, replayer: Replayer, people: int, options: Mapping[str, object]
    ) -> Iterator[tuple[str, State]]:
        """Let the yardstick play, and give a name for where it is and the state at each mark."""

    def options(self, options: Mapping[str, object]) -> Mapping[str, object]:
        """The options of a game for which these are asked."""
        return options

    def play(self, seed: int, people: int, options: Mapping[str, object] = NOTHING) -> Record:
        """Play a game of the ruleset with the generated engine and return the record.

        Args:
            seed: For draws and answers. All answers are random where it is even; elsewhere two of
                three are those of the ruleset's own policy, if it has one.
            people: How many seats have a person.
            options: Values of options by name, words as words.
        """
        program = self.program(people)
        recorder = Recorder(self.words(program), seed)
        match = Match(
            program,
            people=people,
            options=option_numbers(program, self.options(options)),
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

    def check(
        self,
        record: Sequence[Drawn | Answered | Looked],
        people: int,
        options: Mapping[str, object] = NOTHING,
    ) -> None:
        """Let the yardstick play a recorded game.

        Raises:
            DisagreementError: The two sides differ.
        """
        replayer = Replayer(record, self.alike)
        where = "setup"
        try:
            for where, state in self.replay(replayer, people, self.options(options)):  # noqa: B007 - named below
                replayer.compare(state)
        except DisagreementError as error:
            raise DisagreementError(f"at or after {where}: {error}") from None
        if replayer.place != len(record):
            raise DisagreementError(f"the ruleset goes on with {record[replayer.place]!r}")

    def compare(
        self, seed: int, people: int, options: Mapping[str, object] = NOTHING
    ) -> Counter[str]:
        """Play a game on both sides.

        Returns:
            How many dice, picks, shuffles, states and answers to each question were the same.

        Raises:
            DisagreementError: They differ.
        """
        record = self.play(seed, people, options)
        try:
            self.check(record, people, options)
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

    def all_readings(self) -> list[dict[str, object]]:
        """Every value that is not the default one of every option with words, one at a time."""
        program = self.program(2)
        return [
            {option.name: word}
            for option in program.options
            if option.type.shape == "word"
            for number, word in enumerate(program.enums[option.type.enum].words)
            if number != option.default
        ]

    def mixed_readings(self, seed: int) -> dict[str, object]:
        """About a third of the options with another value than the default one, drawn evenly."""
        rng = random.Random(seed)
        options: dict[str, object] = {
            name: rng.choice(values)
            for name, values in self.numbers.items()
            if rng.random() < 1 / 3
        }
        for reading in self.all_readings():
            if rng.random() < 1 / 3:
                options |= reading
        return options


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
