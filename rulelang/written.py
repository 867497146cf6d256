"""A ruleset as it is written, merged but not compiled: for what shows its text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rulelang.api import RulesetError
from rulelang.binder import bind
from rulelang.diagnostics import DiagnosticBag
from rulelang.files import ON_REQUEST
from rulelang.gathering import gather, names_in
from rulelang.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rulelang.symbols import Tables

_VARIANTS, _SCENARIOS = ON_REQUEST


def read_tables(
    name_or_path: str | os.PathLike[str],
    variants: Iterable[str | os.PathLike[str]] = (),
    *,
    bare: bool = False,
) -> tuple[Tables, Path]:
    """Read a ruleset with its variants, and merge some of them; others that cannot be read are left out.

    Args:
        name_or_path: As for `rulelang.api.load`; the variants of a file without a game are merged too.
        variants: Names and paths of those to merge, in any order.
        bare: Whether the variants of a file without a game are not merged, but for those among `variants`.

    Returns:
        The declarations, each with the variant that it comes from, and the folder that the paths of the files begin in.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
        RulesetError: A text cannot be read, or the variants cannot be merged.
    """
    wanted = tuple(variants)
    gathered = gather(name_or_path, wanted, everything=True)
    read, chosen = gathered.read, set(gathered.variants)
    if bare and gathered.own is not None:
        own = [source for source in read.sources if source.path in gathered.own]
        chosen -= {name for source in own for name in names_in(source)} - {
            os.fspath(each) for each in wanted
        }
    bag = DiagnosticBag()
    modules = []
    for source in read.sources:
        if source.path.startswith(f"{_SCENARIOS}/"):
            continue
        parsed = parse(source)
        is_aside = source.path.startswith(f"{_VARIANTS}/") and not chosen & {*names_in(source)}
        if parsed.diagnostics and is_aside:
            continue  # mistakes in what nobody has asked for
        bag.extend(parsed.diagnostics)
        modules.append(parsed.module)
    tables = bind(modules, read.read, bag, variants=sorted(chosen))
    if bag.has_errors:
        raise RulesetError(bag.sorted(), read.root)
    return tables, read.root
