"""Pins: what a variant changes of its base, as it was when the variant was written.

A file of pins lies beside the file of variants. It holds, for each variant, the version and the hash of the base
(with the variants that it needs), and a fingerprint of every declaration that the variant is about. When the base
has changed, they tell which of these have moved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang.binding.digest import written
from rulelang.variants.touching import touches, variant_touches

if TYPE_CHECKING:
    from rulelang import nodes
    from rulelang.symbols import Tables

SUFFIX: Final = ".pins"
FORMAT: Final = 1
_LENGTH: Final = 16

Move: TypeAlias = Literal["changed", "gone"]


@attrs.frozen
class Pins:
    """What one variant was written for.

    Attributes:
        version: Of the base; may be empty.
        digest: Hash of the base with the variants that this one needs.
        targets: For each declaration that the variant is about, as `effect earn`, a fingerprint.
    """

    version: str
    digest: str
    targets: Mapping[str, str]


def fingerprints(tables: Tables) -> dict[str, str]:
    """Give a fingerprint of everything with a name: of its declaration and all rules about it."""
    texts: dict[str, list[str]] = {}
    declared: set[str] = set()
    for touch in touches(tables):
        name = str(touch.target)
        texts.setdefault(name, []).append(f"{touch.how} {written(touch.node)}")
        if touch.how == "declares" or touch.target.form in ("event", "game", "step"):
            declared.add(name)
    return {
        name: hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:_LENGTH]
        for name, found in texts.items()
        if name in declared
    }


def pins_of(variant: nodes.VariantDecl, below: Tables) -> Pins:
    """Pin a variant.

    Args:
        variant: The variant.
        below: Its base, with the variants that it needs and without itself.
    """
    known = fingerprints(below)
    names = {str(touch.target) for touch in variant_touches(variant, below)}
    return Pins(
        below.version, below.digest, {name: known[name] for name in sorted(names) if name in known}
    )


def moves(pins: Pins, below: Tables) -> dict[str, Move]:
    """Say which of the pinned declarations have changed, or are gone, by name."""
    known = fingerprints(below)
    return {
        name: "changed" if name in known else "gone"
        for name, made in sorted(pins.targets.items())
        if known.get(name) != made
    }


def dumps(game: str, pins: Mapping[str, Pins]) -> str:
    """Write pins of the variants of one file, by name."""
    content = {
        "format": FORMAT,
        "game": game,
        "variants": {name: attrs.asdict(pins[name]) for name in sorted(pins)},
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def loads(text: str) -> dict[str, Pins]:
    """Read pins.

    Raises:
        ValueError: This is no file of pins; the message completes "cannot read x.pins: ...".
    """
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as problem:
        raise ValueError(f"it is no JSON ({problem})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"it is no file of pins of format {FORMAT}")
    found = content.get("variants")
    if not isinstance(found, dict):
        raise ValueError("it names no variants")  # noqa: TRY004 - a wrong text, not a wrong call
    return {str(name): _pins(name, entry) for name, entry in found.items()}


def _pins(name: object, entry: object) -> Pins:
    match entry:
        case {"version": str(version), "digest": str(digest), "targets": dict(targets)} if all(
            isinstance(made, str) for made in targets.values()
        ):
            return Pins(version, digest, {str(key): str(made) for key, made in targets.items()})
        case _:
            raise ValueError(f"what it says of {name!r:.40} is incomplete")
