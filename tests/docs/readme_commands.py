"""Print the set-up commands of a README: the lines of its fenced `console` blocks that make the environment.

Shared by the continuous integration script and the tests of the documents, so that what is promised and what is run
cannot drift apart. Only the standard library is used: it runs before anything is installed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def setup_commands(markdown: str) -> list[str]:
    """List the commands that begin by making an environment, in order."""
    lines = [line for block in _BLOCK.findall(markdown) for line in block.splitlines()]
    return [line[2:] for line in lines if line.startswith("$ python3 -m venv ")]


if __name__ == "__main__":
    sys.stdout.write(
        "".join(f"{line}\n" for line in setup_commands(Path(sys.argv[1]).read_text("utf-8")))
    )
