"""Random declarations straight from the grammar: they parse, whatever they mean."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final, TypeAlias

from rulelang.grammar import build_lark, load_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulelang.fuzzing.dice import Dice

_STAND_INS: Final = frozenset(("ERROR_LINE", "ERROR_EXPR"))
_LONG: Final = '"A text that is so long that little else has room in the line in which it stands"'
_WORDS: Final = {
    "NAME": ("a", "old_ship", "treasure_that_nobody_has_found_yet", "game", "ships"),
    "TYPE": ("D6", "Ship", "TreasureCard"),
    "NUMBER": ("0", "6", "120"),
    "STRING": ('""', '"Which ship?"', _LONG),
    "CITE": ("[ABC-1]", "[ABC-1, ABC-2..7, ABC-DEF-12]"),
    "OP": ("<", ">="),
    "GAINS": ("gains",),
    "LOSES": ("loses",),
    "CHOOSES": ("chooses",),
}

Expansion: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of symbols, and whether each is a terminal."""


@functools.cache
def _grammar() -> tuple[Mapping[str, list[Expansion]], Mapping[str, int]]:
    """Give what each symbol can become, and how deep the shallowest tree of it is."""
    rules: dict[str, list[Expansion]] = {}
    for rule in build_lark(strict=False).rules:
        expansion = tuple((symbol.name, symbol.is_term) for symbol in rule.expansion)
        if not any(name in _STAND_INS for name, _ in expansion):
            rules.setdefault(rule.origin.name, []).append(expansion)
    depths: dict[str, int] = {}
    while True:
        found = dict(depths)
        for name, expansions in rules.items():
            known = [_depth(expansion, depths) for expansion in expansions]
            shallow = [depth for depth in known if depth is not None]
            if shallow:
                found[name] = min(shallow) + 1
        if found == depths:
            return rules, depths
        depths = found


def _depth(expansion: Expansion, depths: Mapping[str, int]) -> int | None:
    below = [0 if is_term else depths.get(name) for name, is_term in expansion]
    known = [depth for depth in below if depth is not None]
    return max(known, default=0) if len(known) == len(below) else None


def declaration(dice: Dice, depth: int) -> str:
    """Write one declaration.

    Args:
        dice: For what is drawn.
        depth: Below this depth of the tree the shortest way out is taken.
    """
    rules, depths = _grammar()
    kinds: list[str] = []
    waiting: list[tuple[str, bool, int]] = [("start", False, 0)]
    while waiting:
        name, is_term, here = waiting.pop()
        if is_term:
            kinds.append(name)
            continue
        possible = [each for each in rules.get(name, []) if _depth(each, depths) is not None]
        if here > depth:
            possible = [min(possible, key=lambda each: _depth(each, depths) or 0)]
        waiting += [(*symbol, here + 1) for symbol in reversed(dice.pick(possible))]
    return _text(kinds, dice)


def _text(kinds: list[str], dice: Dice) -> str:
    texts = {kind: text for text, kind in load_tables().literals.items()}
    out, level, fresh = "", 0, True
    for kind in kinds:
        match kind:
            case "_NL":
                out += "\n"
                fresh = True
            case "_INDENT":
                level += 1
            case "_DEDENT":
                level -= 1
            case _:
                out += "    " * level if fresh else " "
                out += dice.pick(_WORDS[kind]) if kind in _WORDS else texts[kind]
                fresh = False
    return out
