"""A report in HTML about many games, with pictures, for people who do not read tables of intervals every day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.statistics.backends import MissingExtraError, needed
from interpreter.ui.simulation.report import contents

if TYPE_CHECKING:
    from interpreter.ui.simulation.asking import Prepared, Wish
    from interpreter.ui.simulation.comparing import Comparison
    from interpreter.ui.simulation.driving import Played
    from interpreter.ui.simulation.report.contents import Page


def ready(path: str | None) -> None:
    """See before anything is played that a report can be made.

    Raises:
        click.UsageError: A package is missing, or the folder does not exist.
    """
    if path is None:
        return
    try:
        needed("matplotlib", "report")
        needed("jinja2", "report")
    except MissingExtraError as error:
        raise click.UsageError(
            f'A report needs the package {error.package}: pip install "rulelang[report]"'
        ) from None
    if not Path(path).absolute().parent.is_dir():
        raise click.UsageError(f"There is no folder {str(Path(path).parent)!r} for the report.")


def write_simulation(
    path: str, prepared: Prepared, played: Played, wish: Wish, score: str | None
) -> None:
    """Write the report about one version."""
    _write(path, contents.of_simulation(prepared, played, wish, score))


def write_comparison(path: str, comparison: Comparison, wish: Wish) -> None:
    """Write the report about what a change changes."""
    _write(path, contents.of_comparison(comparison, wish))


def _write(path: str, page: Page) -> None:
    from jinja2 import Environment, FileSystemLoader

    here = Path(__file__).parent
    environment = Environment(
        loader=FileSystemLoader(here), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made = environment.get_template("report.html.j2").render(
        page=page, style=(here / "report.css").read_text("utf-8")
    )
    try:
        Path(path).write_text(made, "utf-8")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
