"""The command `test --record`: a piece of a recorded game as a scenario.

The innermost doing that holds the answers which are asked for, and that can be played alone, is taken. Whether it can
is found out: its scenario is compiled and played, it must pass, and it must end in the state of the game.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import click

from interpreter.decision import SetOf, plain
from interpreter.errors import EngineError
from interpreter.examples.scenarios import ScenarioRunner
from interpreter.examples.scripts import drawn_types
from interpreter.examples.windows import find_window, open_phases
from interpreter.layout import Layout
from interpreter.providers.replay import SEEDED
from interpreter.ui.loading import errors_shown, load_for
from interpreter.ui.recordings import (
    check_game,
    check_match,
    kind_of,
    read_recorded,
    variants_of_file,
)
from interpreter.ui.setting import Setting
from interpreter.ui.shortening import needless_lines, without_lines
from interpreter.ui.spelling import Spelling
from interpreter.ui.table import Table
from rulelang import ir
from rulelang.formatting import format_source
from rulelang.gathering import game_in, gather
from rulelang.source import SourceFile
from rulelang.texts import Texts
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.decision import Decision
    from interpreter.examples.windows import Said, Window
    from interpreter.layout import Slots
    from interpreter.records.replay import Replay
    from rulelang.gathering import Gathered
    from rulelang.symbols import Tables

NO_SCENARIO: Final = "E0902"
_FILE: Final = "(recorded).rules"
_OPEN: Final = "    open "
_ALONE: Final = "may"  # a keyword, unlike the last part of a longer path


@attrs.frozen
class Piece:
    """Which piece of which game.

    Attributes:
        file: The recorded game, or its journal.
        first: Number of its first answer, from 1.
        last: Number of the last one; None: of the game.
        title: Of the scenario; None: one is made.
        shorten: Whether to leave out what the scenario passes without.
    """

    file: str
    first: int = 1
    last: int | None = None
    title: str | None = None
    shorten: bool = False


def record_scenario(game: str, variants: Sequence[str], piece: Piece, out: str | None) -> bool:
    """Write a scenario of a piece of a recorded game.

    Args:
        game: Name or path of the ruleset.
        variants: Where the variants of the recording are, if they have no names.
        piece: Which piece.
        out: The file; None: standard output.

    Returns:
        Whether there is one; if not, it was said why on standard error (E0902).

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: The replay is none of this game, or has no such answers.
        click.exceptions.Exit: The ruleset has errors; they have been written to standard error.
        OSError: The file cannot be written.
    """
    if kind_of(piece.file) == "saved game":
        click.echo(
            f"error[{NO_SCENARIO}]: {piece.file}: a saved game is a position without the answers that led to it;"
            " a recording (run --record) or a journal (run --journal) has them.",
            err=True,
        )
        return False
    replay = read_recorded(piece.file)
    check_game(replay, game, piece.file)
    chosen = (*variants, *(each for each in replay.variants if each not in variants))
    table = Table(people=len(replay.people) or None, variants=chosen, recorded_seats=replay.seats)
    with variants_of_file(piece.file):
        program, _ = load_for(game, table)
    check_match(replay, program, piece.file)
    if replay.dice != SEEDED:
        raise click.UsageError(
            f"{piece.file} was played with the dice and cards of a real table; scenarios are written"
            " of games whose draws come from the seed."
        )
    count = len(replay.answers)
    last = count if piece.last is None else piece.last
    if not 1 <= piece.first <= last <= count:
        raise click.UsageError(
            f"{piece.file} has {plural(count, 'answer')}: there are none from {piece.first} to {last}."
        )
    piece = attrs.evolve(piece, last=last)
    try:
        with errors_shown(game, chosen):
            text = _written(_Recording(game, chosen, replay, program), piece)
    except _NoScenarioError as error:
        click.echo(f"error[{NO_SCENARIO}]: {piece.file}: {error}", err=True)
        return False
    if out is None:
        click.echo(text, nl=False)
    else:
        Path(out).write_text(text, encoding="utf-8")
        click.echo(f"{out} is written.", err=True)
    return True


class _NoScenarioError(Exception):
    """No scenario can be made; says why."""


@attrs.frozen
class _Recording:
    """A recorded game, and where its ruleset is."""

    game: str
    variants: tuple[str, ...]
    replay: Replay
    program: ir.Program


def _written(recording: _Recording, piece: Piece) -> str:
    replay, program = recording.replay, recording.program
    if sorted(replay.people) != list(range(len(replay.people))):
        raise _NoScenarioError("in a scenario the seats with a person come first, and here not")
    gathered = gather(recording.game, recording.variants)
    tables, _ = _texts(gathered).bind(gathered.variants, seats=program.seats)
    writer = Writer(program, tables, replay)
    title = piece.title or f"Answers {piece.first} to {piece.last} of {Path(piece.file).name}"
    title = title.replace('"', "'")
    name = game_in(gathered.read.sources)
    reasons: list[str] = []
    written: list[str] = []

    def fits(window: Window) -> bool:
        tried = _Trial.of(gathered, window, program, writer.scenario(window, title, name))
        if tried.reason:
            told = "; ".join((tried.reason, *writer.setting(window).left_out(window.before)))
            reasons.append(f"{program.doings[window.doing].name}: {told}")
        else:
            written.append(tried.shortened(gathered) if piece.shorten else tried.text)
        return not tried.reason

    first, last = piece.first, piece.last or piece.first
    try:
        if find_window(replay, program, first, last, fits):
            for each in reasons:
                click.echo(f"note: not alone: {each}", err=True)
            return written[-1]
    except EngineError as error:
        raise _NoScenarioError(str(error)) from None
    which = f"answer {first}" if first == last else f"answers {first} to {last}"
    if not reasons:
        raise _NoScenarioError(
            f"the recording stops before anything is over that {which} belongs to; a scenario plays a doing to its end"
        )
    told = "".join(f"\n  {each}" for each in reasons)
    raise _NoScenarioError(f"nothing that {which} belongs to can be played alone:{told}")


def _texts(gathered: Gathered, *more: SourceFile) -> Texts:
    read = gathered.read
    own = frozenset(each.path for each in more)
    return Texts((*read.sources, *more), read.read, own=own or None)


@attrs.frozen
class _Trial:
    """A scenario that was tried.

    Attributes:
        text: In the one style.
        reason: Why it is no good; empty if it is.
        program: With it; None if it has errors.
    """

    text: str
    reason: str
    program: ir.Program | None = None

    @classmethod
    def of(cls, gathered: Gathered, window: Window, program: ir.Program, text: str) -> _Trial:
        """Compile and play a scenario, and compare the end with that of the recorded game."""
        done = format_source(SourceFile(_FILE, text))
        if done.text is None:
            return cls(text, f"it cannot be read: {done.diagnostics[0].headline}")
        texts = _texts(gathered, SourceFile(_FILE, done.text))
        made, bag = texts.compile(gathered.variants, seats=program.seats, scenarios=True)
        if made is None:
            errors = [each for each in texts.found(bag) if each.is_error]
            return cls(done.text, f"{errors[0].headline} (line {errors[0].span.line})")
        runner = ScenarioRunner(made)
        for trial in runner.run(made.scenarios[-1]).trials:
            if trial.problem:
                return cls(done.text, trial.problem, made)
            for check in trial.checks:
                if not check.passed:
                    return cls(done.text, f"{check.text} does not hold", made)
        end = runner.end(made.scenarios[-1])
        return cls(done.text, _difference(program, window.after, made, end), made)

    def shortened(self, gathered: Gathered) -> str:
        """Give it without what it passes without."""
        assert self.program is not None  # noqa: S101 - it was played
        gone = needless_lines(self.program, self.program.scenarios[-1])
        text = without_lines(self.text, gone)
        bare = "".join(line for line in text.splitlines(True) if not line.startswith(_OPEN))
        if bare != text and _passes(gathered, bare, self.program.seats):
            text = bare
        return format_source(SourceFile(_FILE, text)).text or text


def _passes(gathered: Gathered, text: str, seats: int) -> bool:
    """Does a scenario pass?"""
    texts = _texts(gathered, SourceFile(_FILE, text))
    made, _ = texts.compile(gathered.variants, seats=seats, scenarios=True)
    return made is not None and ScenarioRunner(made).run(made.scenarios[-1]).passed


def _difference(program: ir.Program, wanted: Slots, made: ir.Program, end: Slots) -> str:
    """Say what is different in two states of the same game, lent and kept values aside; empty if nothing is."""
    first, second = Layout(program), Layout(made)
    for field, other in zip(program.fields, made.fields, strict=False):
        if field.lent_by is not None:
            continue
        kind = program.kinds[field.kind]
        for thing in range(kind.base, kind.base + kind.count):
            for key in range(field.key_low, field.key_low + field.keys):
                one = first.read(wanted, field.index, thing, key)
                if one != second.read(end, other.index, thing, key):
                    return f"{field.name} of {kind.ids[thing - kind.base]} becomes something else"
    for kind in program.kinds:
        for thing in range(kind.base, kind.base + kind.count) if kind.movable else ():
            if first.where(wanted, thing) != second.where(end, thing):
                return f"{kind.ids[thing - kind.base]} comes to another place"
    if wanted[first.winners] != end[second.winners]:
        return "somebody else wins"
    return ""


class Writer:
    """Writes scenarios of pieces of one recorded game.

    Args:
        program: What was played.
        tables: Its declarations.
        replay: The game.
    """

    def __init__(self, program: ir.Program, tables: Tables, replay: Replay) -> None:
        self._program = program
        self._people = len(replay.people)
        self._options = {name: plain(value) for name, value in replay.options.items()}
        self._spelling = Spelling(program, tables, replay.names)
        self._types = drawn_types(program)

    def setting(self, window: Window) -> Setting:
        """Give what writes the position before a window."""
        return Setting(self._spelling, self._people, open_phases(window, self._program))

    def scenario(self, window: Window, title: str, game: str) -> str:
        """Write one."""
        doing = self._program.doings[window.doing]
        setting = self.setting(window)
        chosen = "".join(f" with {each}" for each in self._program.variants)
        known = {each.id for each in self._program.citations}
        cites = [each for each in doing.cites if each in known]
        cited = f" [{', '.join(cites)}]" if cites else ""
        lines = [f'scenario "{title}" of {game}{chosen}{cited}:']
        seats = self._spelling.seats
        if self._people:
            lines.append(f"    people {', '.join(seats[: self._people])}")
        if self._people < len(seats):
            lines.append(f"    automas {', '.join(seats[self._people :])}")
        for option in self._program.options:
            value = self._options[option.name]
            if value != option.default:
                lines.append(f"    {option.name} = {self._spelling.value(value, option.type)}")
        lines += [f"    {each}" for each in setting.around(window.before)]
        before = list(setting.lines(window.before))
        lines += ["    before:", *(f"        {each}" for each in before)] if before else []
        script = list(self._script(window.said))
        called = self._called(doing, window.args)
        lines.append(f"    do {called}{':' if script else ''}")
        lines += [f"        {each}" for each in script]
        lines.append("    after:")
        changes = list(setting.changes(window.before, window.after))
        lines += [f"        {each}" for each in changes or setting.still(window.after)]
        return "\n".join(lines) + "\n"

    def _called(self, doing: ir.Doing, args: tuple[object, ...]) -> str:
        written = [
            self._spelling.value(arg, param.type)
            for arg, param in zip(args, doing.params, strict=True)
        ]
        return f"{doing.name}({', '.join(written)})" if written else doing.name

    # ---------------------------------------------------------------------------------- the script

    def _script(self, said: Sequence[Said]) -> Iterator[str]:
        rolls: list[str] = []
        path = ""
        for each in said:
            if rolls and (each.form != "roll" or each.path != path):
                yield f"roll {', '.join(rolls)}"
                rolls = []
            if each.form == "roll":
                path = each.path
                rolls.append(str(each.value))
            elif each.form == "answer":
                yield self._answer(each)
            else:
                yield f"pick {self._drawn(each)}"
        if rolls:
            yield f"roll {', '.join(rolls)}"

    def _drawn(self, said: Said) -> str:
        of = self._drawn_type(said)
        if said.form != "shuffle":
            if isinstance(said.value, tuple):
                return self._spelling.members(said.value, of)
            return self._spelling.value(said.value, of)
        order = said.value if isinstance(said.value, tuple) else ()
        first = 0  # how many must be named: the others keep their order
        while list(order[first:]) != [each for each in said.source if each not in order[:first]]:
            first += 1
        named = ", ".join(self._spelling.value(each, of) for each in order[: max(first, 1)])
        return f"({named})" if first > 1 else named

    def _drawn_type(self, said: Said) -> ir.Type:
        return ir.NUMBER if said.form == "number" else self._types[said.path]

    def _answer(self, said: Said) -> str:
        decision = said.decision
        assert decision is not None  # noqa: S101 - an answer has one
        who = self._spelling.seats[decision.seat]
        return f"{who} chooses {self._path(said.path)}: {self._answered(said.value, decision)}"

    def _answered(self, value: object, decision: Decision) -> str:
        """Write an answer."""
        match decision.form:
            case "yes":
                return "yes" if value else "no"
            case "label" | "order":
                return f'"{decision.options.key(value)}"'
            case "action":
                return self._action(value, decision)
            case "set":
                members = value if isinstance(value, tuple) else ()
                if not members:
                    return "none"
                options = decision.options
                alone = isinstance(options, SetOf) and len(options.groups) == 1
                if alone and len(options.groups[0]) > 1 and decision.type.shape == "thing":
                    return str(len(members))
                if len(members) == 1 and decision.type.shape != "number":
                    return self._spelling.value(members[0], decision.type)
                return self._spelling.members(members, decision.type)
            case _:
                return self._spelling.value(value, decision.type)

    def _action(self, value: object, decision: Decision) -> str:
        if not isinstance(value, tuple):
            return "none"
        name = decision.options.key(value).partition("(")[0]
        doing = next(each for each in self._program.doings if each.name == name)
        args = [
            self._spelling.value(arg, param.type)
            for arg, param in zip(value[1:], doing.params[1:], strict=True)
        ]
        return f"{name}({', '.join(args)})" if args else name

    def _path(self, path: str) -> str:
        """Shorten a path as far as it stays the only one."""
        parts = path.split(".")
        others = [each.path.split(".") for each in self._program.decisions if each.path != path]
        for count in range(1, len(parts)):
            short = parts[-count:]
            if short != [_ALONE] and not any(_within(short, other) for other in others):
                return ".".join(short)
        return path


def _within(short: list[str], parts: list[str]) -> bool:
    return any(parts[start : start + len(short)] == short for start in range(len(parts)))
