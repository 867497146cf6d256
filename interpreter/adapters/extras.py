"""Libraries that not everybody has."""

from __future__ import annotations

import importlib
from typing import Any

from interpreter.errors import EngineError


class ExtraMissingError(EngineError):
    """A library is needed that is not installed; says how to install it."""


def needed(extra: str, module: str) -> Any:  # noqa: ANN401 - a module
    """Import a module of an extra.

    Raises:
        ExtraMissingError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        raise ExtraMissingError(
            f'{missing} is not installed. Install it with: pip install "rulelang[{extra}]"'
        ) from None
