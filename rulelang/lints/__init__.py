"""The lints: advice about rules that could be played, one module each.

A module that is put here is found: it has a `LINT`, whose name stands in `codes.py`, and whose page is
`explanations/CODE.md`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Lint, Subject
    from rulelang.texts import Texts


@functools.cache
def lints() -> tuple[Lint, ...]:
    """Give all lints, by code."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found: list[Lint] = [importlib.import_module(f"{__name__}.{name}").LINT for name in names]
    return tuple(sorted(found, key=lambda lint: lint.code))


def find(subject: Subject) -> Iterator[Diagnostic]:
    """Give what the lints find in a ruleset with one set of variants."""
    for lint in lints():
        if lint.find is not None:
            yield from lint.find(subject)


def survey(texts: Texts) -> Iterator[Diagnostic]:
    """Give what the lints find in all texts together."""
    for lint in lints():
        if lint.survey is not None:
            yield from lint.survey(texts)
