"""`rulelang server` without what it needs; what it does with it is in `tests/server`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING

import cli

if TYPE_CHECKING:
    import pytest


def test_without_pygls_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is optional, and a missing one is a mistake of use."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert cli.run_command_line(["server"]) == cli.ExitCode.USAGE
    assert "pip install 'rulelang[editor]'" in capsys.readouterr().err


def test_the_command_line_does_not_load_it() -> None:
    """Nothing of the server is imported before it is asked for."""
    program = (
        "import sys, cli; cli.run_command_line(['--help']); "
        "print([name for name in sys.modules if name.startswith(('pygls', 'lsprotocol', 'rulelang.server'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
