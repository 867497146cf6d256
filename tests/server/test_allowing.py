"""The editor does not show the warnings that `rulelang.toml` allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.server.checking import whole_check
from rulelang.server.editor import Editor

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game g "G":
    version "1"
    players 2..2

component Player:
    gold: 0.. = 0

phase game:
    each player in Player: player loses 1 gold
    do win(Player)
"""


def test_warnings_that_are_allowed(tmp_path: Path) -> None:
    """The nearest file above the ruleset counts, in both checks; a file with a mistake allows nothing."""
    place = tmp_path.resolve() / "games" / "g" / "g.rules"
    place.parent.mkdir(parents=True)
    place.write_text(GAME, encoding="utf-8")
    editor = Editor()
    ruleset = editor.open(place, GAME)
    settings = tmp_path.resolve() / "rulelang.toml"

    def codes() -> set[object]:
        editor.files_changed()
        editor.check(ruleset)
        whole = whole_check(ruleset.project.snapshot())
        found = [*ruleset.quick.get(place, ()), *whole.get(place, ())]
        return {each.code for each in found}

    assert codes() == {"E0303"}
    settings.write_text('allow = ["unguarded-range"]\n', encoding="utf-8")
    assert codes() == set()
    settings.write_text('allow = ["idle-option"]\n', encoding="utf-8")
    assert codes() == {"E0303"}
    settings.write_text("allow = [\n", encoding="utf-8")
    assert codes() == {"E0303"}
