"""At a prompt: `? OPTION`, `? NAME`, `why-not NUMBER`, `/WORD` without a hit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.sample_game import PIG

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_typed_at_a_question(tmp_path: Path) -> None:
    """Options are named by their numbers too, and all the keys are listed once."""
    (tmp_path / "pig.rules").write_text(PIG, "utf-8")
    typed = "? 1\n? 1 + 1\nwhy-not 1\n/zzz\n?\n?\nhint 1\nq\n"
    done = subprocess.run(
        [sys.executable, "cli.py", "play", str(tmp_path / "pig.rules"), "--plain", "--seed", "1"],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )
    told = done.stdout
    assert "no option has" not in told
    assert "can never be an answer" not in told
    assert "1 + 1: 2" in told
    assert "No option has 'zzz' in its name" in told
    assert told.count("/WORD shows") == 1
    assert "It was not written down" in done.stderr + told
