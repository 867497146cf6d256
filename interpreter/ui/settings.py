"""Which variants, options and people a game is played with: what the command line says, a preset, and `rulelang.toml`.

The command line wins. Who names variants or a preset there takes neither from the file. An option is taken from the
command line, then from a preset named there, then from the file, then from a preset that the file names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import click

from rulelang import api, config, discovery
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interpreter.ui.table import Table
    from rulelang.config import GameSettings

_BY_COMMAND = "--preset"


def settle(game: str, table: Table, preset: str | None = None) -> Table:
    """Complete what the command line says about a game.

    Args:
        game: Name or path of the ruleset.
        table: What the command line says.
        preset: The title of a preset that it names.

    Returns:
        The table with all variants, options and people, and in `noted` what came from `rulelang.toml`.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: There is no such preset.
    """
    settings = _settings(game)
    decided = bool(table.variants) or preset is not None
    title = preset if decided else settings.preset
    variants = [*table.variants, *(() if decided else settings.variants or ())]
    where = settings.lines
    options = {name: (value, where[f"options.{name}"]) for name, value in settings.options.items()}
    if title is not None:
        by = _BY_COMMAND if decided else f"{where['preset']}: preset"
        named, chosen = _preset(game, title, table.variants, by)
        variants += named
        of_preset = {name: (value, f'{by} "{title}"') for name, value in chosen.items()}
        options = {**options, **of_preset} if decided else {**of_preset, **options}
    noted = list(_noted(settings, table, taken=not decided))
    people = table.people
    if (
        people is None
        and settings.people is not None
        and settings.people >= max(table.seats, default=0)
    ):
        people = settings.people
    return attrs.evolve(
        table,
        people=people,
        variants=tuple(dict.fromkeys(variants)),
        options={name: value for name, (value, _) in options.items()} | dict(table.options),
        origins={
            **{name: origin for name, (_, origin) in options.items() if name not in table.options},
            **({"people": where["people"]} if people != table.people else {}),
        },
        loose=frozenset(settings.options if decided else ()),
        noted=tuple(noted),
    )


def _settings(game: str) -> GameSettings:
    games = config.current().games
    if not games:
        return config.GameSettings()
    place = api.find_ruleset(game)
    name = discovery.game_of(place)
    if name is None and place.is_file():
        # A file of variants is played with the game that they are of.
        name = next(iter(discovery.variants_of(place.read_text("utf-8", errors="replace"))), None)
    return games.get(name or "", config.GameSettings())


def _noted(settings: GameSettings, table: Table, *, taken: bool) -> Iterable[str]:
    """Give what comes from the file, as it would be typed."""
    if taken and settings.variants:
        yield f"--with {','.join(settings.variants)}"
    if taken and settings.preset is not None:
        yield f'--preset "{settings.preset}"'
    if table.people is None and settings.people is not None:
        yield f"--people {settings.people}"
    for name, value in settings.options.items():
        if name not in table.options:
            yield f"--option {name}={value}"


def _preset(
    game: str, title: str, variants: Iterable[str], by: str
) -> tuple[tuple[str, ...], dict[str, str]]:
    from rulelang.variants.catalogue import preset_choices, read_catalogue

    found = read_catalogue(game, variants)
    folded = {each.casefold(): preset for each, preset in found.presets.items()}
    preset = found.presets.get(title) or folded.get(title.casefold())
    if preset is not None:
        return preset_choices(preset)
    near = nearest(title, found.presets, limit=1)
    if near:
        hint = f" Did you mean {near[0]!r}?"
    else:
        known = ", ".join(repr(each) for each in found.presets)
        hint = f" It has {known}." if known else " It has none."
    name = found.tables.game.title.value if found.tables.game is not None else game
    raise click.UsageError(f"{by}: {name} has no preset {title!r}.{hint}")
