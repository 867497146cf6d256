"""The command `simulate`: many games, who wins, how long they last, what the rules do in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs
import click

from interpreter.statistics.batches import measurer
from interpreter.statistics.closely import look_closely
from interpreter.ui.faults import GameStoppedError
from interpreter.ui.simulation.asking import Asked, prepare
from interpreter.ui.simulation.data import VERSION, fired_data, summary_data
from interpreter.ui.simulation.driving import drive
from interpreter.ui.simulation.tables import close_lines, summary_lines
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.statistics.counting import Named
    from interpreter.statistics.plan import Plan
    from interpreter.statistics.summaries import Firing, Summary
    from interpreter.ui.simulation.asking import Prepared, Wish
    from interpreter.ui.simulation.driving import Played
    from interpreter.ui.table import Table


@attrs.frozen
class Shown:
    """How results are shown.

    Attributes:
        as_json: As one JSON document.
        report: The file of a report in HTML; None: none is written.
        rules: How many parts of the rules are listed.
    """

    as_json: bool = False
    report: str | None = None
    rules: int = 20


def simulate(game: str, table: Table, wish: Wish, shown: Shown, closely: int = 0) -> bool:
    """Play games with seeds from that of the wish on, and show what they say.

    Args:
        game: Name or path of the ruleset.
        table: Who plays by which rules and options.
        wish: How many games, and who plays them.
        shown: How it is shown.
        closely: So many games are looked at closely too.

    Returns:
        Always True: whatever the figures are, they are the answer.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: Something asked for is impossible.
        GameStoppedError: Some games were stopped by a fault; the figures have been shown.
    """
    from interpreter.ui.simulation import report

    report.ready(shown.report)
    prepared = prepare(game, [Asked("", table)], [], wish)
    score = score_of(prepared, wish)
    played = drive(prepared, wish)
    summary = played.result.versions[0]
    if shown.as_json:
        found = close_look(prepared, closely)
        data = {**_data(prepared, played, score), "closely": _close_data(found, closely)}
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(f"{heading(prepared, played)}\n")
        for line in summary_lines(summary, prepared.plan.kinds, score, rules=shown.rules):
            click.echo(line)
        for line in stop_lines(wish, played):
            click.echo(line)
        if closely:
            for line in close_lines(close_look(prepared, closely), closely, shown.rules):
                click.echo(line)
    if shown.report is not None:
        report.write_simulation(shown.report, prepared, played, wish, score)
    stopped_by_faults([summary])
    return True


def score_of(prepared: Prepared, wish: Wish) -> str | None:
    """By what the lead is told, if by anything.

    Raises:
        click.UsageError: There is no such score.
    """
    try:
        found = measurer(prepared.plan, 0).score
    except LookupError as error:
        raise click.UsageError(
            f"There is no score {wish.score!r}; what can be looked at is {error.args[0]}."
        ) from None
    return None if found is None else found.name


def heading(prepared: Prepared, played: Played) -> str:
    """Say in a line what was played."""
    plan, program = prepared.plan, prepared.programs[0]
    games = played.result.games
    last = plan.seed + games - 1
    return (
        f"{games:,} {'game' if games == 1 else 'games'} of {program.title}, {prepared.people} people,"
        f" seeds {plan.seed} to {last}; {seated(plan)}"
    )


def seated(plan: Plan) -> str:
    """Say who answers."""
    kinds = plan.kinds
    if len(set(kinds)) == 1:
        return f"everybody {kinds[0]}"
    each = ", ".join(kinds)
    return f"{each}, moving on by one seat each game" if plan.rotate else each


def stop_lines(wish: Wish, played: Played) -> Iterator[str]:
    """Say by which rule it stopped."""
    stop = wish.stop
    if stop is not None:
        yield ""
        width = 100 * stop.widest(played.result)
        said = f"Stopping rule: every share of wins known to ±{100 * stop.width:g} %"
        if played.enough:
            yield f"{said}; reached (±{width:.2f} %). It looks at the width only, after fixed numbers of games."
        else:
            yield f"{said}; not reached (±{width:.2f} %) when all games were played."
    if played.losses:
        yield f"Workers were lost {plural(played.losses, 'time')}; what they were playing was played again."


def stopped_by_faults(summaries: list[Summary]) -> None:
    """End with an error if a fault stopped some games.

    Raises:
        GameStoppedError: It did.
    """
    faults = sum(summary.endings.get("fault", 0) for summary in summaries)
    budgets = sum(summary.endings.get("budget", 0) for summary in summaries)
    if faults or budgets:
        shown = "\n".join(fault for summary in summaries for fault in summary.faults)
        raise GameStoppedError(f"{plural(faults + budgets, 'game')} did not end:\n{shown}")


def close_look(prepared: Prepared, games: int) -> dict[Named, Firing]:
    """Look at the first games closely."""
    plan = prepared.plan
    if games and any(kind.startswith("search") for kind in plan.kinds):
        raise click.UsageError(
            "--closely plays slowly, by the meaning of each rule: without searches."
        )
    return look_closely(plan, plan.versions[0], prepared.programs[0], games) if games else {}


def _close_data(found: dict[Named, Firing], games: int) -> dict[str, Any]:
    return {"games": games, "fired": fired_data(found)}


def plan_data(prepared: Prepared, played: Played) -> dict[str, Any]:
    """Give what was played as plain data."""
    plan, program = prepared.plan, prepared.programs[0]
    return {
        "version": VERSION,
        "ruleset": program.name,
        "digest": program.digest,
        "people": prepared.people,
        "seats": list(plan.kinds),
        "rotate": plan.rotate,
        "seed": plan.seed,
        "games": played.result.games,
        "enough": played.enough,
    }


def _data(prepared: Prepared, played: Played, score: str | None) -> dict[str, Any]:
    summary = played.result.versions[0]
    return {
        **plan_data(prepared, played),
        "variants": list(prepared.programs[0].variants),
        "score": score,
        **summary_data(summary, prepared.plan.kinds),
    }
