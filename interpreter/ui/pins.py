"""The command `pin`: note what variants change of their base, as it is now."""

from __future__ import annotations

import json
from pathlib import Path

import click

from interpreter.ui.loading import errors_shown
from interpreter.ui.paths import from_here
from rulelang import api
from rulelang.wording import plural


def write_pins(paths: tuple[str, ...]) -> bool:
    """Write a file of pins beside each file of variants.

    Args:
        paths: Files of variants; the name or folder of a ruleset stands for all its files of variants.

    Returns:
        Always True: what can be read can be pinned.

    Raises:
        RulesetNotFoundError: One of them does not exist, or holds no variant.
        click.exceptions.Exit: One has errors, which have been written.
    """
    for path in paths:
        with errors_shown(path):
            found = api.pins(path)
        for place, text in found:
            Path(place).write_text(text, encoding="utf-8")
            pinned = json.loads(text)["variants"].values()
            targets = sum(len(each["targets"]) for each in pinned)
            click.echo(
                f"{from_here(place)}: {plural(len(pinned), 'variant')}, {plural(targets, 'declaration')}"
            )
    return True
