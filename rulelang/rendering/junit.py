"""Findings as the results of tests in JUnit's form, which services for continuous integration read.

Each file is a suite, each finding a case. An error is a case that fails. A warning keeps nothing from being played, so
its case passes and says it as output.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET  # only written here

from rulelang.codes import CODES
from rulelang.rendering.concise import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.diagnostics import Diagnostic

_NAME: Final = "rulelang"
_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot contain."""


def render_junit(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings, in the order given, as one XML document; without findings one case passes."""
    by_file: dict[str, list[Diagnostic]] = {}
    for found in diagnostics:
        by_file.setdefault(found.span.file.path, []).append(found)
    total = sum(map(len, by_file.values()))
    errors = sum(found.is_error for each in by_file.values() for found in each)
    root = ET.Element("testsuites", name=_NAME, tests=str(max(total, 1)), failures=str(errors))
    for path, findings in by_file.items():
        suite = _suite(root, path, len(findings), sum(found.is_error for found in findings))
        for found in findings:
            _case(suite, path, found)
    if not by_file:
        suite = _suite(root, _NAME, 1, 0)
        ET.SubElement(suite, "testcase", name="no findings", classname=_NAME)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(root: ET.Element, name: str, tests: int, failures: int) -> ET.Element:
    counts = {"tests": str(tests), "failures": str(failures), "errors": "0", "skipped": "0"}
    return ET.SubElement(root, "testsuite", {"name": _written(name), **counts})


def _case(suite: ET.Element, path: str, found: Diagnostic) -> None:
    line, column = found.span.file.position(found.span.start)
    entry = CODES.get(found.code)
    name = f"{found.code} {entry.name if entry is not None else ''}".strip()
    case = ET.SubElement(
        suite,
        "testcase",
        name=f"{name} at {line}:{column}",
        classname=_written(path),
        file=_written(path),
        line=str(line),
    )
    if found.is_error:
        failure = ET.SubElement(case, "failure", type=name, message=_written(found.headline))
        failure.text = _written(f"{found.span}: {said(found)}")
    else:
        ET.SubElement(case, "system-out").text = _written(f"{found.span}: warning: {said(found)}")


def _written(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
