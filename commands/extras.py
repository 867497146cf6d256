"""Packages that not every installation has."""

from __future__ import annotations

from importlib.util import find_spec

import click


def needs(extra: str, *packages: str) -> None:
    """Look whether what a verb needs is installed.

    Args:
        extra: The extra of this program that brings it.
        packages: What is imported.

    Raises:
        click.UsageError: Some of it is missing; says how to install it.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise click.UsageError(
            f"{' and '.join(missing)} {verb} not installed: pip install 'rulelang[{extra}]'."
        )
