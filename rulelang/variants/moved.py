"""Variants that were written for another base: what they are about and what has moved since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang.data import DataFileError, Reader
from rulelang.diagnostics import DiagnosticBag, Label
from rulelang.source import first_line
from rulelang.variants.pins import SUFFIX, Pins, loads, moves
from rulelang.variants.touching import touches

if TYPE_CHECKING:
    from rulelang import nodes
    from rulelang.symbols import Tables

_MOVED: Final = "E0707"


def recorded(decl: nodes.VariantDecl, read: Reader, bag: DiagnosticBag) -> dict[str, Pins]:
    """Read the pins that lie beside the text of a variant; none if there are none.

    Args:
        decl: The variant.
        read: Gives files.
        bag: Takes a warning about a file that is no file of pins.
    """
    path = decl.span.file.path.removesuffix(".rules") + SUFFIX
    try:
        data = read(path)
    except DataFileError:
        return {}
    try:
        return loads(data.decode("utf-8"))
    except ValueError as problem:
        bag.warning(
            _MOVED,
            decl.name.span,
            f"cannot read `{path}`: {problem}",
            help="write it anew with `rulelang pin`",
        )
        return {}


def compare(
    decl: nodes.VariantDecl, pins: Pins | None, below: Tables, bag: DiagnosticBag
) -> str | None:
    """Compare what a variant was written for with its base as it is.

    Args:
        decl: The variant.
        pins: What was noted then; None if only its first line says a version.
        below: The base, with the variants that it needs.
        bag: Takes a warning if something has moved, or if nobody knows.

    Returns:
        A sentence if the version is another and nothing has moved; None otherwise.
    """
    said = decl.version.value if decl.version is not None else None
    version = pins.version if said is None and pins is not None else said or ""
    name, game = decl.name.text, decl.base.text
    other = version != below.version
    if pins is None:
        if other:
            bag.warning(
                _MOVED,
                (decl.version or decl.name).span,
                f"`{name}` was written for {game} {version}, this is {below.version or 'another'}",
                notes=("nothing says what it was like then",),
                help="see whether the variant still means what it should, then write the version of now,"
                " and run `rulelang pin` on this file",
            )
        return None
    if pins.digest == below.digest:
        return None
    found = moves(pins, below)
    if not found:
        if not other:
            return None
        return (
            f"{name} was written for {game} {version}, this is {below.version}:"
            " nothing that it is about has moved."
        )
    places = {
        str(touch.target): touch.node.span
        for touch in reversed(touches(below))
        if touch.how == "declares"
    }
    what = f"{game} {version}" if other else f"another text of {game} {version}".rstrip()
    bag.warning(
        _MOVED,
        decl.name.span,
        f"`{name}` was written for {what}: {len(found)} of {len(pins.targets)} things that it is about"
        f" {'have' if len(found) > 1 else 'has'} moved",
        secondary=[
            Label(first_line(places[target]), "this has changed")
            for target, move in found.items()
            if move == "changed" and target in places
        ],
        notes=tuple(
            f"`{target}` {'is gone' if move == 'gone' else 'has changed'}"
            for target, move in found.items()
        ),
        help="see whether the variant still means what it should, then run `rulelang pin` on its file",
    )
    return None
