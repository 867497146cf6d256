"""The commands `count` and `solve`: how large a game is, and what it is worth."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs
import click

from interpreter.solving import markov
from interpreter.solving.counting import perft, size
from interpreter.solving.extensive import extensive
from interpreter.solving.positions import PayoffError, Tree
from interpreter.solving.regret import Regrets
from interpreter.solving.strategies import bounds, nash_conv, uniform, values
from interpreter.ui.loading import load_for
from interpreter.ui.recordings import seat_names
from interpreter.ui.settings import settle
from interpreter.ui.table import option_values

if TYPE_CHECKING:
    from interpreter.solving.extensive import Extensive
    from interpreter.solving.markov import Graph, State
    from interpreter.ui.table import Table

EXTRA = "solve"
_LONGEST = 40


@attrs.frozen
class Asked:
    """What is looked at.

    Attributes:
        game: Name or path of the ruleset.
        table: Who plays, by which options.
        preset: The title of a preset.
        automas: Seats, from 1, that play by the ruleset's policies.
        nodes: So many nodes a tree may have.
        states: So many states may differ.
        payoff: What the end is worth, see :class:`interpreter.solving.positions.Tree`.
    """

    game: str
    table: Table
    preset: str | None = None
    automas: tuple[int, ...] = ()
    nodes: int = 200_000
    states: int = 200_000
    payoff: str | None = None

    def tree(self) -> Tree:
        """The game.

        Raises:
            click.UsageError: It cannot be looked at like that.
        """
        table = settle(self.game, self.table, self.preset)
        program, people = load_for(self.game, table)
        for seat in self.automas:
            if seat > people:
                raise click.UsageError(f"There is no person in seat {seat}: {people} take part.")
        try:
            return Tree(
                program,
                people=people,
                options=option_values(program, table),
                automas=[seat - 1 for seat in self.automas],
                payoff=self.payoff,
            )
        except PayoffError as error:
            raise click.UsageError(str(error)) from error


def show_size(asked: Asked, turns: int | None, *, as_json: bool) -> bool:
    """Write how large a game is.

    Returns:
        True.

    Raises:
        TooManyError: It is larger than what was allowed.
        click.UsageError: It cannot be looked at like that.
    """
    tree = asked.tree()
    if turns is not None:
        after = list(perft(tree, turns, asked.states))
        _write(
            {"turns": after},
            [f"after turn {turn:<8}{count:>16,}" for turn, count in enumerate(after, start=1)],
            as_json=as_json,
        )
        return True
    states = markov.graph(tree, asked.states)
    found = size(states)
    data: dict[str, Any] = {"states": len(states)}
    if found is None:
        lines = [
            f"states that differ {len(states):>16,}",
            "positions repeat: there is no end of histories",
        ]
        _write(data, lines, as_json=as_json)
        return True
    data |= {
        "chance": found.chance,
        "decision": found.decision,
        "end": found.end,
        "longest": found.longest,
    }
    lines = [
        f"chance             {found.chance:>16,}",
        f"decision           {found.decision:>16,}",
        f"end                {found.end:>16,}",
        f"longest            {found.longest:>16,}",
        f"states that differ {len(states):>16,}",
    ]
    whole = found.chance + found.decision + found.end
    if whole <= asked.nodes:
        sets = Counter(each.seat for each in extensive(tree, asked.nodes).information)
        names = seat_names(tree.program, tree.seats)
        data["information_sets"] = {names[seat]: sets[seat] for seat in range(tree.seats)}
        lines.append(f"information sets   {sum(sets.values()):>16,}")
        lines += [f"  of {names[seat]:<14}{sets[seat]:>16,}" for seat in range(tree.seats)]
    else:
        data["information_sets"] = None
        lines.append(f"information sets   not counted: more than {asked.nodes:,} nodes (--nodes)")
    _write(data, lines, as_json=as_json)
    return True


# ---------------------------------------------------------------- what a game is worth


def show_value(asked: Asked, method: str, rounds: int, *, as_json: bool) -> bool:
    """Write what a game is worth to each player.

    Returns:
        True.

    Raises:
        TooManyError: It is larger than what was allowed.
        click.UsageError: It cannot be solved like that.
    """
    tree = asked.tree()
    try:
        data, lines = _solved(asked, tree, method, rounds)
    except (ValueError, ArithmeticError) as error:
        raise click.UsageError(f"{tree.program.title}: {error}") from error
    _write({"method": method, **data}, lines, as_json=as_json)
    return True


Told = tuple[dict[str, Any], list[str]]


def _solved(asked: Asked, tree: Tree, method: str, rounds: int) -> Told:
    if method in ("regret", "program"):
        return _equilibrium(tree, asked, method, rounds)
    states = markov.graph(tree, asked.states)
    deciding = any(state.kind == "decision" for state in states)
    if method == "random" or not deciding:
        return _expected(tree, states, deciding=deciding)
    if method == "best" or (tree.seats <= 2 and tree.is_open):
        return _best(tree, states)
    return _equilibrium(tree, asked, method, rounds)


def _expected(tree: Tree, states: Graph, *, deciding: bool) -> Told:
    names = seat_names(tree.program, tree.seats)
    worth = [markov.expectation(states, markov.payoff_of(seat)) for seat in range(tree.seats)]
    draws = markov.expectation(states, _nothing, _is("chance"))
    data: dict[str, Any] = {
        "payoffs": {name: _number(each) for name, each in zip(names, worth, strict=True)},
        "draws": _number(draws),
    }
    how = "every answer equally often" if deciding else "nobody decides anything"
    lines = [f"expected where {how}:"]
    lines += [f"  {name:<16}{_told(each)}" for name, each in zip(names, worth, strict=True)]
    lines.append(f"  {'draws':<16}{_told(draws)}")
    if deciding:
        decisions = markov.expectation(states, _nothing, _is("decision"))
        data["decisions"] = _number(decisions)
        lines.append(f"  {'decisions':<16}{_told(decisions)}")
    return data, lines


def _best(tree: Tree, states: Graph) -> Told:
    names = seat_names(tree.program, tree.seats)
    worth, choice = markov.best(states)
    payoffs = [worth[0], 0.0 - worth[0]][: tree.seats]
    data: dict[str, Any] = {
        "payoffs": dict(zip(names, payoffs, strict=True)),
        "states": len(states),
    }
    lines = ["under best play:"]
    lines += [f"  {name:<16}{each:.9f}" for name, each in zip(names, payoffs, strict=True)]
    if states[0].kind == "decision":
        key = tree.root().decision.options.key(states[0].labels[choice[0]])
        data["first"] = key
        lines.append(f"  first answer    {key}")
    return data, lines


def _equilibrium(tree: Tree, asked: Asked, method: str, rounds: int) -> Told:
    game = extensive(tree, asked.nodes)
    names = seat_names(tree.program, tree.seats)
    if method != "regret":
        found = _by_program(game, required=method == "program")
        if found is not None:
            data: dict[str, Any] = {"payoffs": {names[0]: found, names[1]: -found}}
            lines = ["in equilibrium (by a linear program):"]
            lines += [f"  {name:<16}{each:+.12f}" for name, each in data["payoffs"].items()]
            return data, lines
    regrets = Regrets(game)
    regrets.step(rounds)
    strategy = regrets.strategy()
    low, high = bounds(game, strategy)
    before, after = nash_conv(game, uniform(game)), nash_conv(game, strategy)
    value = values(game, strategy)[0]
    data = {
        "payoffs": {names[0]: value, names[1]: -value},
        "bounds": [low, high],
        "nash_conv": after,
        "nash_conv_at_random": before,
        "rounds": rounds,
    }
    return data, [
        f"after {rounds} rounds against itself:",
        f"  {names[0]:<16}{value:+.9f}, proved to be from {low:+.9f} to {high:+.9f}",
        f"  what both could still gain by playing better: {after:.9f} (at random {before:.9f})",
    ]


def _by_program(game: Extensive, *, required: bool) -> float | None:
    try:
        from interpreter.solving.programming import equilibrium

        return equilibrium(game)[0]
    except ImportError as error:
        if required:
            raise click.UsageError(f"This needs SciPy: pip install 'rulelang[{EXTRA}]'") from error
        return None


def _nothing(_: State) -> Fraction:
    return Fraction(0)


def _is(kind: str) -> markov.Worth:
    return lambda state: Fraction(state.kind == kind)


def _number(value: Fraction) -> dict[str, object]:
    return {"exact": str(value), "value": float(value)}


def _told(value: Fraction) -> str:
    exact = str(value)
    near = f"{float(value):.9f}"
    if value.denominator == 1:
        return exact
    return f"{near}  = {exact}" if len(exact) <= _LONGEST else near


def _write(data: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"version": 1, **data}, indent=2))
        return
    for line in lines:
        click.echo(line)


__all__ = ["Asked", "show_size", "show_value"]
