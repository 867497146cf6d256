"""Runs the examples of a ruleset: what is set up, what is played by script, what must hold then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

import attrs

from interpreter.errors import EngineError, RuleFault, StackEntry
from interpreter.events import Event
from interpreter.examples.scripts import Script, Vocabulary
from interpreter.layout import Layout
from interpreter.reference import Reference
from interpreter.reference.moves import options_of_maps
from interpreter.sight.secrecy import Looking
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.chance import ChanceProvider
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.reference.moves import Moves


class Game(Protocol):
    """What a scenario needs of an engine."""

    events: list[Event]
    chance: ChanceProvider | None
    providers: dict[int, DecisionProvider]

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        ...

    @property
    def slots(self) -> list[Any]:
        """The state; may be changed in place."""
        ...

    def perform(self, doing: int) -> None:
        """Run one doing without parameters."""
        ...


Start = Callable[[ir.Program, tuple[object, ...], tuple[int, ...]], Game]


@attrs.frozen
class CheckResult:
    """What became of one condition.

    Attributes:
        text: The condition as written.
        passed: Does it hold?
        sides: For a comparison both sides as written, each with its value.
        problem: Why it could not be tested, or empty.
        span: Where it stands.
        cites: Rule ids that it cites.
    """

    text: str
    passed: bool
    sides: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()


@attrs.frozen
class TrialResult:
    """What became of one run of a scenario.

    Attributes:
        problem: What stopped it, or empty: a script that does not fit, a fault.
        checks: The conditions tested; none after a problem.
        events: The event log up to the end or problem.
        stack: The rules that were running when a fault stopped it.
        span: Where the problem, or else the run, stands.
        code: The diagnostic code of the fault, if it is one.
        start: The state in which it began: empty if it did not.
    """

    problem: str
    checks: tuple[CheckResult, ...]
    events: tuple[Event, ...]
    stack: tuple[StackEntry, ...] = ()
    span: ir.Span = ir.NOWHERE
    code: str = ""
    start: tuple[object, ...] = ()

    @property
    def passed(self) -> bool:
        """Did everything fit and hold?"""
        return not self.problem and all(each.passed for each in self.checks)


@attrs.frozen
class ScenarioResult:
    """What became of a scenario: its title and runs (at least one)."""

    title: str
    trials: tuple[TrialResult, ...]
    span: ir.Span = ir.NOWHERE
    cites: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Did all runs pass?"""
        return all(each.passed for each in self.trials)


class ScenarioRunner:
    """Runs the scenarios of a Program; states that sequels start from are kept.

    Args:
        program: The Program, for the scenarios' number of seats.
        start: Makes a game; the reference interpreter if left out.
        known: What another runner of a Program with the same declarations has found out: this one shares it.
        covering: Let the reference interpreter note what is reached.
        maps: Share what is known about maps too.
        looks: Look at each question whether it tells what its chooser must not know.

    Attributes:
        layout: Which slot of the state holds what.
        vocabulary: What its scripts are read with.
        moves: For values of the options that maps read, what is known about them.
        cited: Rule ids that were reached, if the games note it (`Reference.covering`).
        works: Which things had an effect, for each title of a scenario.
        marks: What was reached in scenarios, see `interpreter.examples.reached`.
    """

    def __init__(
        self,
        program: ir.Program,
        start: Start | None = None,
        known: ScenarioRunner | None = None,
        *,
        covering: bool = False,
        maps: bool = True,
        looks: bool = True,
    ) -> None:
        self.program = program
        self.layout: Layout = known.layout if known is not None else Layout(program)
        self.vocabulary: Vocabulary = known.vocabulary if known is not None else Vocabulary(program)
        self.moves: dict[tuple[object, ...], Moves] = {}
        if known is not None and maps:
            self.moves = known.moves
        self._map_options: tuple[int, ...] = (
            known._map_options if known is not None else options_of_maps(program)  # noqa: SLF001
        )
        self._start = start or self._reference
        self._covering = covering
        self._looks = looks
        self._naming = self.vocabulary.naming
        self._by_title: Mapping[str, ir.Scenario] = {each.title: each for each in program.scenarios}
        self._ends: dict[str, list[object]] = {}
        self.cited: set[str] = set()
        self.works: dict[str, set[tuple[int, ir.Span | int]]] = {}
        self.marks: set[tuple[int, object]] = set()

    def _reference(
        self, program: ir.Program, options: tuple[object, ...], people: tuple[int, ...]
    ) -> Reference:
        game = Reference(program, options, people=people, layout=self.layout)
        game.covering = self._covering
        return game

    def run_all(self) -> tuple[ScenarioResult, ...]:
        """Run every scenario of the Program, in order."""
        return tuple(self.run(each) for each in self.program.scenarios)

    def run(self, scenario: ir.Scenario) -> ScenarioResult:
        """Run a scenario; what goes wrong in it is in the result."""
        try:
            before = self._before(scenario, ())
        except EngineError as error:
            trials: tuple[TrialResult, ...] = (_failed(error, (), scenario.span),)
        else:
            trials = tuple(self._trial(scenario, trial, before) for trial in scenario.trials) or (
                TrialResult("", (), (), (), scenario.span),
            )
        return ScenarioResult(scenario.title, trials, scenario.span, scenario.cites)

    def end(self, scenario: ir.Scenario) -> list[object]:
        """The state in which a scenario ends: that after its last run.

        Raises:
            EngineError: It does not get there.
        """
        return list(self._end(scenario, ()))

    def _new(self, scenario: ir.Scenario) -> Game:
        """A game with the scenario's seats and options, on an empty table."""
        program = self.program
        if len(scenario.people) + len(scenario.automas) != program.seats:
            raise RuleFault(
                f"the scenario has {len(scenario.people) + len(scenario.automas)} seats,"
                f" the game {program.seats}",
                scenario.span,
            )
        options = [option.default for option in program.options]
        for step in reversed(self._chain(scenario)):
            for index, value in step.options:
                options[index] = value
        game = self._start(program, tuple(options), tuple(range(len(scenario.people))))
        if isinstance(game, Reference):
            self._share(game)
            game.looking = Looking() if self._looks else None
        return game

    def _share(self, game: Reference) -> None:
        """Let a game know what others have found out about maps that are the same."""
        key = tuple(game.options[each] for each in self._map_options)
        game.moves = self.moves.setdefault(key, game.moves)

    def _chain(self, scenario: ir.Scenario) -> list[ir.Scenario]:
        """The scenario and those that it follows, itself first."""
        chain = [scenario]
        while (title := chain[-1].sequel) is not None:
            earlier = self._by_title.get(title)
            if earlier is None:
                raise RuleFault(f'there is no scenario "{title}" for these seats', scenario.span)
            if earlier in chain:
                raise RuleFault(f'"{title}" follows itself', scenario.span)
            chain.append(earlier)
        return chain

    def _before(self, scenario: ir.Scenario, seen: tuple[str, ...]) -> list[object]:
        """The state from which the runs of a scenario start."""
        chain = self._chain(scenario)
        game = self._new(scenario)
        if len(chain) > 1:
            automas = _automas(game)
            game.slots[:] = self._end(chain[1], seen)
            _set_automas(game, automas)
        if scenario.before is not None:
            game.perform(scenario.before)
            self._note(game, scenario, prepared=True)
        return list(game.slots)

    def _end(self, scenario: ir.Scenario, seen: tuple[str, ...]) -> list[object]:
        """The state in which a scenario ended: that after its last run."""
        if scenario.title not in self._ends:
            before = self._before(scenario, (*seen, scenario.title))
            game = self._new(scenario)
            game.slots[:] = before
            if scenario.trials:
                try:
                    self._play(game, scenario, scenario.trials[-1])
                except EngineError as error:
                    raise RuleFault(
                        f'"{scenario.title}", which comes before, does not get to its end: {error}',
                        scenario.span,
                    ) from error
            self._ends[scenario.title] = list(game.slots)
        return self._ends[scenario.title]

    def _play(self, game: Game, scenario: ir.Scenario, trial: ir.Trial) -> None:
        seats = (*scenario.people, *scenario.automas)
        for played in trial.played:
            script = Script(
                self.program,
                played.script,
                self._resolver(game),
                seats,
                scenario.seed,
                scenario.decisions,
                self.vocabulary,
            )
            script.watch(game)
            game.chance = script
            game.providers = dict.fromkeys(range(self.program.seats), script)
            try:
                game.perform(played.doing)
                script.finish()
            finally:
                self._note(game, scenario)

    def _trial(self, scenario: ir.Scenario, trial: ir.Trial, before: list[object]) -> TrialResult:
        game = self._new(scenario)
        game.slots[:] = before
        try:
            self._play(game, scenario, trial)
        except EngineError as error:
            return _failed(error, tuple(game.events), trial.span, tuple(before))
        checks = tuple(self._check(game, each) for each in trial.checks)
        self._note(game, scenario)
        return TrialResult("", checks, tuple(game.events), (), trial.span, start=tuple(before))

    def _check(self, game: Game, check: ir.Check) -> CheckResult:
        resolve = self._resolver(game)
        if check.winners:
            return self._check_winners(game, check, resolve(check.definition))
        try:
            passed = resolve(check.definition) is True
            problem = ""
        except EngineError as error:
            passed = False
            problem = str(error)
        sides = []
        for text, definition in check.sides:
            try:
                of = self.program.definitions[definition].result
                value = self._naming.key(resolve(definition), of)
            except EngineError as error:
                value = str(error)
            sides.append((text, value))
        return CheckResult(check.text, passed, tuple(sides), problem, check.span, check.cites)

    def _check_winners(self, game: Game, check: ir.Check, wanted: object) -> CheckResult:
        won = game.slots[game.layout.winners] or ()
        players = ir.Type("set", elem=ir.Type("thing", kinds=(0,)))
        return CheckResult(
            check.text,
            set(cast("tuple[int, ...]", wanted)) == set(won),
            (("winners", self._naming.key(won, players)),),
            "",
            check.span,
            check.cites,
        )

    def _resolver(self, game: Game) -> Callable[[int], object]:
        """Evaluates definitions without parameters in the state of a game, by the reference."""
        # The reference works on a state of its own; a scenario looks at it a few times only.
        if isinstance(game, Reference):
            return lambda definition: game.call(definition, ())
        options = cast("Any", game).options
        reference = Reference(self.program, tuple(options), layout=self.layout)
        self._share(reference)

        def resolve(definition: int) -> object:
            size = reference.layout.size
            reference.slots[:] = game.slots[:size]
            return reference.call(definition, ())

        return resolve

    def _note(self, game: Game, scenario: ir.Scenario, *, prepared: bool = False) -> None:
        """Keep which rule ids were reached and which things had an effect, if the engine notes it.

        What only prepares the table puts nothing to the test: its marks do not count.
        """
        if isinstance(game, Reference):
            self.cited |= game.cited
            self.works.setdefault(scenario.title, set()).update(game.works.found)
            if not prepared:
                self.marks |= game.marks


def _automas(game: Game) -> list[object]:
    layout = game.layout
    players = layout.program.kinds[0]
    field = layout.program.automa_field
    return [
        layout.read(game.slots, field, player)
        for player in range(players.base, players.base + players.count)
    ]


def _set_automas(game: Game, flags: list[object]) -> None:
    layout = game.layout
    players = layout.program.kinds[0]
    for player, flag in enumerate(flags, players.base):
        game.slots[layout.slot(layout.program.automa_field, player)] = flag


def _failed(
    error: EngineError, log: tuple[Event, ...], span: ir.Span, start: tuple[object, ...] = ()
) -> TrialResult:
    stack = error.stack if isinstance(error, RuleFault) else ()
    where = error.span if isinstance(error, RuleFault) and error.span != ir.NOWHERE else span
    code = error.code if isinstance(error, RuleFault) else ""
    return TrialResult(str(error), (), log, stack, where, code, start)
