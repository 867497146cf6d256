"""What a variant cites is cited by the game with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game stall "Stall":
    version "1"
    players 2..4
    citations "rules.csv"
option price: 1..9 = 2 [STA-1]
component Player:
    coins: 0..9 = 9
phase game:
    each player in Player: player loses up to price coins
variant dear "Dear" of stall [STA-2]:
    change option price = 4 [STA-1, STA-3]
"""


def test_a_changed_option_cites_what_changes_it(tmp_path: Path) -> None:
    """Beside what it cites itself, each id once."""
    (tmp_path / "stall.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "rules.csv").write_text("id,text\nSTA-1,a\nSTA-2,b\nSTA-3,c\n", encoding="utf-8")
    plain, dear = (
        load_ruleset(tmp_path / "stall.rules", people=2, variants=variants, cache=False).options[0]
        for variants in ([], ["dear"])
    )
    assert (plain.default, plain.cites) == (2, ("STA-1",))
    assert (dear.default, dear.cites) == (4, ("STA-1", "STA-3"))
