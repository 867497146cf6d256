"""The diagnostic codes of rule faults: what `explain` says more about.

Whoever raises a fault gives it its code; generated code and the reference interpreter give the same.
"""

from __future__ import annotations

from typing import Final

RANGE_LEFT: Final = "R0101"
MISSING_VALUE: Final = "R0102"
EMPTY_SET: Final = "R0103"
RIVALS_MET: Final = "R0104"
ILLEGAL_DOING: Final = "R0105"
NO_OPTION: Final = "R0106"
BROKEN_PROMISE: Final = "R0107"
DIVISION_BY_ZERO: Final = "R0108"
BUDGET_SPENT: Final = "R0109"
WRONG_PLACE: Final = "R0110"
LEAK: Final = "R0111"
OVERLONG_GAME: Final = "R0112"
