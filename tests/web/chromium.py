"""A server as a process, and a browser without a window, for tests that do what people do."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LINK = re.compile(r"http://\S+/(?:join|host)/\S+")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser that this machine has; without one the test is skipped."""
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine")

    with sync_playwright() as driver:
        try:
            started = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except PlaywrightError as error:
            pytest.skip(f"{found} cannot be started: {str(error).splitlines()[0]}")
        yield started
        started.close()


@attrs.define
class Server:
    """`rulelang serve` as a process.

    Attributes:
        links: For the host, then for each seat.
    """

    words: tuple[str, ...]
    links: list[str] = attrs.field(factory=list)
    process: subprocess.Popen[str] | None = None

    @property
    def port(self) -> str:
        return self.links[0].split("/")[2].rpartition(":")[2]

    def start(self, port: str = "0") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", *self.words, "--port", port],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        self.links = []
        for line in self.process.stdout:
            self.links += _LINK.findall(line)
            if line.startswith("Ctrl+C"):
                break

    def kill(self) -> None:
        """Stop it at once, as a crash would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def stop(self) -> int:
        """Ask it to stop; gives its exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(20)


@contextmanager
def served(*words: str) -> Iterator[Server]:
    """Let a server run while the test does."""
    server = Server(words)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def visit(browser: Browser, link: str, troubles: list[str]) -> Page:
    """Open a link in a browser of somebody's own; what the browser complains of is kept, and what it asks elsewhere."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    here = "/".join(link.split("/")[:3])
    page.on("console", lambda said: troubles.append(said.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(here) else troubles.append(asked.url),
    )
    page.goto(link)
    return page
