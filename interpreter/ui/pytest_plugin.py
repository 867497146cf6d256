"""A plugin for pytest: the scenarios of rulesets are tests, and so are games that try to break them.

It does nothing until `--rulelang` is given, or `rulelang = true` stands in the configuration of pytest. Then each
ruleset in the folders that are tested has one test that it has no error, one for each scenario, and with
`--rulelang-games N` one for each number of people that plays so many games.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from interpreter.examples.scenarios import ScenarioRunner
    from rulelang import ir, nodes
    from rulelang.scenes import Scene

SUFFIX = ".rules"
_BESIDE = frozenset(("scenarios", "variants"))
"""Folders of a ruleset whose files are read with it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("rulelang", "rulesets")
    group.addoption(
        "--rulelang", action="store_true", help="Test the rulesets in the folders that are tested."
    )
    group.addoption(
        "--rulelang-games",
        type=int,
        default=None,
        metavar="N",
        help="Play N games with each number of people that try to break a ruleset. Default: none.",
    )
    parser.addini("rulelang", "Test rulesets without being asked to.", "bool", default=False)
    parser.addini("rulelang_games", "As --rulelang-games.", default="0")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a ruleset once: with the file that says which game it is, or a file of scenarios on its own."""
    if file_path.suffix != SUFFIX or not _wanted(parent.config):
        return None
    place = _ruleset_of(file_path)
    if place is None:
        return None
    return Ruleset.from_parent(parent, path=file_path, place=place)


def _wanted(config: pytest.Config) -> bool:
    return bool(config.getoption("--rulelang") or config.getini("rulelang"))


def _games(config: pytest.Config) -> int:
    given = config.getoption("--rulelang-games")
    return int(config.getini("rulelang_games")) if given is None else int(given)


def _ruleset_of(path: Path) -> Path | None:
    """The folder or file of the ruleset that a file is collected for; None if another file stands for it."""
    from rulelang.discovery import game_named_in

    here = sorted(path.parent.glob(f"*{SUFFIX}"))
    games = [each for each in here if game_named_in(each.read_text("utf-8", errors="replace"))]
    if path in games:
        return path.parent if len(games) == 1 else path
    if len(games) == 1:
        return None
    if path.parent.name in _BESIDE and any(
        game_named_in(each.read_text("utf-8", errors="replace"))
        for each in path.parent.parent.glob(f"*{SUFFIX}")
    ):
        return None
    return path


class Ruleset(pytest.File):
    """The tests of one ruleset, or of one file of scenarios."""

    def __init__(self, *, place: Path, **known: Any) -> None:  # noqa: ANN401 - what pytest passes on
        super().__init__(**known)
        self.place = place
        self._runners: dict[Scene, ScenarioRunner] = {}

    def collect(self) -> Iterable[pytest.Item]:
        """Give the tests: no error, each scenario, games."""
        from rulelang.config import look_around
        from rulelang.discovery import game_of

        look_around()
        yield Check.from_parent(self, name="check")
        for node, scene in self._scenarios:
            yield Example.from_parent(self, name=node.title.value, scene=scene)
        games = _games(self.config)
        if games > 0 and game_of(self.place) is not None:
            yield from (
                Games.from_parent(
                    self, name=f"{games} games of {people}", people=people, games=games
                )
                for people in self._numbers()
            )

    def repr_failure(  # type: ignore[override]  # collectors of pytest have no style either
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> Any:  # noqa: ANN401 - as pytest has it
        """Tell without a traceback that a game cannot be found, or that `rulelang.toml` is wrong."""
        from rulelang.config import ConfigError
        from rulelang.files import RulesetNotFoundError

        if isinstance(excinfo.value, ConfigError | RulesetNotFoundError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    @cached_property
    def _scenarios(self) -> list[tuple[nodes.ScenarioDecl, Scene]]:
        from rulelang import nodes
        from rulelang.gathering import gather
        from rulelang.parser import parse
        from rulelang.scenes import by_title, scene_of

        gathered = gather(self.place, everything=True)
        declared = [
            (source.path, item)
            for source in gathered.read.sources
            for item in parse(source).module.items
            if isinstance(item, nodes.ScenarioDecl)
        ]
        known = by_title(item for _, item in declared)
        return [
            (item, scene_of(item, known))
            for path, item in declared
            if gathered.own is None or path in gathered.own
        ]

    def _numbers(self) -> range:
        from rulelang import api

        low, high = api.load_ruleset(self.place).players
        return range(low, high + 1)

    def runner(self, scene: Scene) -> ScenarioRunner:
        """What plays the scenarios of a set of variants and a number of seats; made once."""
        from interpreter.examples.scenarios import ScenarioRunner
        from rulelang import api

        known = next((each for each in self._runners if _alike(each, scene)), None)
        if known is None:
            program = api.load_ruleset(
                self.place, seats=scene.seats, scenarios=True, variants=sorted(scene.variants)
            )
            self._runners[scene] = ScenarioRunner(program)
        return self._runners[known or scene]


def _alike(one: Scene, other: Scene) -> bool:
    return (one.seats, one.variants) == (other.seats, other.variants)


class _Test(pytest.Item):
    """One test; what fails is told as the commands tell it."""

    parent: Ruleset

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,  # noqa: ANN401 - what pytest passes on
    ) -> str:
        """Tell without a traceback what is wrong."""
        from interpreter.ui.paths import shown_from_here
        from rulelang import api
        from rulelang.rendering import render_full

        error = excinfo.value
        if isinstance(error, api.RulesetError):
            errors = [each for each in error.diagnostics if each.is_error]
            return render_full([*shown_from_here(errors, error.root)])
        if isinstance(error, BrokenError):
            return str(error)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Say where the test is from."""
        return self.parent.place, None, self.name


class BrokenError(Exception):
    """A ruleset does not do what it should; the message says what."""


class Check(_Test):
    """The ruleset has no error, in no variant and no scenario."""

    def runtest(self) -> None:
        """Check it."""
        from rulelang import api

        (result,) = api.check_path([self.parent.place])
        if result.has_errors:
            raise api.RulesetError(result.diagnostics, result.root)


class Example(_Test):
    """A scenario holds."""

    def __init__(self, *, scene: Scene, **known: Any) -> None:  # noqa: ANN401 - what pytest passes on
        super().__init__(**known)
        self._scene = scene

    def runtest(self) -> None:
        """Play it."""
        from interpreter.ui.scenarios import failure_lines

        runner = self.parent.runner(self._scene)
        scenario = _titled(runner.program, self.name)
        if scenario is None:
            raise BrokenError("this scenario cannot be played: see the test `check`")
        result = runner.run(scenario)
        if not result.passed:
            raise BrokenError("\n".join(failure_lines(scenario, result, runner.program)))


def _titled(program: ir.Program, title: str) -> ir.Scenario | None:
    return next((each for each in program.scenarios if each.title == title), None)


class Games(_Test):
    """Nothing goes wrong in so many games."""

    def __init__(self, *, people: int, games: int, **known: Any) -> None:  # noqa: ANN401 - what pytest passes on
        super().__init__(**known)
        self._people = people
        self._games = games

    def runtest(self) -> None:
        """Play them."""
        from interpreter.ui.hunting import LONGEST, Search, first_found, told
        from interpreter.ui.paint import Paint
        from interpreter.ui.table import Table

        table = Table(self._people)
        search = Search(str(self.parent.place), table, self._games, None, 0, 1, {}, LONGEST)
        found, _ = first_found(search)
        if found is not None:
            raise BrokenError("\n".join(told(found, Paint(False))))
