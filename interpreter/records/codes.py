"""The diagnostic codes of saves, replays and journals that cannot be used: what `explain` says more about."""

from __future__ import annotations

from typing import Final

UNREADABLE: Final = "R0201"
OTHER_FORMAT: Final = "R0202"
DAMAGED: Final = "R0203"
OTHER_GAME: Final = "R0204"
OTHER_RULES: Final = "R0205"
IMPOSSIBLE: Final = "R0206"
PARTED: Final = "R0207"
IN_USE: Final = "R0208"
NO_FILE: Final = "R0209"
