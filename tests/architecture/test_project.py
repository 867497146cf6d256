"""The project keeps its own promises about configuration and documents."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import rulelang

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = (ROOT / "pyproject.toml").read_text("utf-8")
DECISIONS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))


def test_every_ignored_lint_has_its_reason() -> None:
    """Beside each code that is switched off stands why."""
    lists = re.findall(
        r'^(?:ignore|"[^"\n]+") = \[\n(.*?)^\]', CONFIGURATION, re.DOTALL | re.MULTILINE
    )
    lines = [line for block in lists for line in block.splitlines()]
    assert len(lines) > 10
    for line in lines:
        assert re.fullmatch(r'    "[A-Z]+[0-9]*", +# \S.*', line), line


def test_tools_are_strict() -> None:
    """Lint takes all rules, mypy is strict, pytest fails on warnings and leaves long tests out."""
    tool = tomllib.loads(CONFIGURATION)["tool"]
    assert tool["ruff"]["lint"]["select"] == ["ALL"]
    assert tool["mypy"]["strict"] is True
    assert tool["pyright"]["typeCheckingMode"] in {"standard", "strict"}
    assert tool["pytest"]["strict"] is True
    assert tool["pytest"]["filterwarnings"][0] == "error"
    assert "not slow" in tool["pytest"]["addopts"]


def test_waivers_name_a_code_and_a_reason() -> None:
    """No lint or type error is waived without its code; a type error not without a reason either."""
    for half in ("rulelang", "interpreter"):
        for path in sorted((ROOT / half).rglob("*.py")):
            for line in path.read_text("utf-8").splitlines():
                assert not re.search(r"# noqa(?!: [A-Z]+[0-9]+)", line), f"{path.name}: {line}"
                assert not re.search(r"# type: ignore(?!\[)", line), f"{path.name}: {line}"


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_decision_has_its_sections(path: Path) -> None:
    """Each decision is in Nygard's form, numbered like its file, and in the index."""
    text = path.read_text("utf-8")
    assert text.startswith(f"# {int(path.name[:4])}. ")
    assert re.search(r"^Status: (accepted|superseded by \d+)$", text, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[:3] == ["Context", "Decision", "Consequences"]
    assert f"({path.name})" in (path.parent / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "page",
    [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a document names a file that exists."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_version_is_a_release_number() -> None:
    """The package says its version where the build reads it."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", rulelang.__version__)
