"""Findings for other programs: SARIF, commands of GitHub, JUnit, lines of JSON."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from xml.etree import ElementTree as ET

import attrs
import click
import pytest

import cli
from rulelang.codes import CODES
from rulelang.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Severity
from rulelang.rendering import (
    FORMATS,
    render_github,
    render_json,
    render_json_lines,
    render_junit,
    render_sarif,
)
from rulelang.source import SourceFile

RULES = SourceFile("my game/a.rules", "effect a(p):\n    p.gold = 日本\nend, 100%\n")
OTHER = SourceFile("/games/b.rules", "phase b:\n    do a\n")
EQUALS = Diagnostic(
    "E0104",
    Severity.ERROR,
    "`=` does not change a value",
    Label(RULES.span(24, 25), "here"),
    (Label(RULES.span(0, 6), "in this effect"), Label(OTHER.span(0, 5))),
    ("One note: 100%.", "Another\nof two lines."),
    "write `becomes`",
    Fix("write `becomes`", (Edit(RULES.span(24, 25), "becomes"),), Applicability.SAFE),
    ("RB-1",),
)
WIDE = Diagnostic(
    "E0210", Severity.WARNING, "never used\x00", Label(attrs.evolve(OTHER.span(0, 17)))
)
FOUND = (EQUALS, WIDE)

# What the standard (OASIS, SARIF 2.1.0, section 3 and its schema) says of the objects that are used here: the
# properties that each must have, those that it may have besides, and of what kind an object below is.
MUST: Final = {
    "log": {"version", "runs"},
    "run": {"tool"},
    "tool": {"driver"},
    "driver": {"name"},
    "rule": {"id"},
    "message": {"text"},
    "configuration": set[str](),
    "result": {"message"},
    "location": set[str](),
    "physical": {"artifactLocation"},
    "artifact": {"uri"},
    "region": {"startLine"},
    "fix": {"artifactChanges"},
    "change": {"artifactLocation", "replacements"},
    "replacement": {"deletedRegion"},
    "content": set[str](),
    "properties": set[str](),
}
MAY: Final = {
    "log": {"$schema"},
    "run": {"results", "columnKind"},
    "tool": set[str](),
    "driver": {"semanticVersion", "rules", "version", "informationUri"},
    "rule": {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration"},
    "message": {"markdown"},
    "configuration": {"level"},
    "result": {
        "ruleId",
        "ruleIndex",
        "level",
        "locations",
        "relatedLocations",
        "fixes",
        "properties",
    },
    "location": {"id", "physicalLocation", "message"},
    "physical": {"region"},
    "artifact": {"uriBaseId"},
    "region": {"startColumn", "endLine", "endColumn", "charOffset", "charLength"},
    "fix": {"description", "properties"},
    "change": set[str](),
    "replacement": {"insertedContent"},
    "content": {"text"},
    "properties": {"applicability", "citation"},
}
BELOW: Final = {
    "runs": "run",
    "tool": "tool",
    "driver": "driver",
    "rules": "rule",
    "shortDescription": "message",
    "help": "message",
    "description": "message",
    "message": "message",
    "defaultConfiguration": "configuration",
    "results": "result",
    "locations": "location",
    "relatedLocations": "location",
    "physicalLocation": "physical",
    "artifactLocation": "artifact",
    "region": "region",
    "deletedRegion": "region",
    "fixes": "fix",
    "artifactChanges": "change",
    "replacements": "replacement",
    "insertedContent": "content",
    "properties": "properties",
}


def _conforms(found: dict[str, Any], kind: str) -> None:
    """Compare an object with what the standard says of its kind, and all below it."""
    assert MUST[kind] <= found.keys() <= MUST[kind] | MAY[kind], kind
    for name, value in found.items():
        if name == "citation":
            continue  # what stands in a bag of properties is ours
        for each in value if isinstance(value, list) else [value]:
            assert isinstance(each, dict) == (name in BELOW), name
            if isinstance(each, dict):
                _conforms(each, BELOW[name])


@pytest.mark.parametrize("found", [(), FOUND])
def test_sarif_is_of_the_form_that_the_standard_asks_for(found: tuple[Diagnostic, ...]) -> None:
    """All that must be there is, nothing is unknown, and numbers and words are legal."""
    log = json.loads(render_sarif(found))
    _conforms(log, "log")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert len(run["results"]) == len(found)
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (
            min(region[name] for name in ("startLine", "startColumn", "endLine", "endColumn")) > 0
        )


def test_sarif_says_what_was_found_where() -> None:
    """Places, addresses, other places and edits."""
    (run,) = json.loads(render_sarif(FOUND))["runs"]
    first, second = run["results"]
    assert (first["ruleId"], first["level"], second["level"]) == ("E0104", "error", "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "my%20game/a.rules"}
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (2, 12)
    assert place["region"]["endColumn"] == 13
    related = first["relatedLocations"]
    assert related[0]["message"] == {"text": "in this effect"}
    assert related[1]["physicalLocation"]["artifactLocation"] == {"uri": "file:///games/b.rules"}
    (fix,) = first["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "becomes"}
    assert fix["properties"] == {"applicability": "safe"}
    rules = {each["id"]: each for each in run["tool"]["driver"]["rules"]}
    assert rules["E0104"]["help"]["markdown"].startswith("# E0104 ")
    assert rules["E0210"]["defaultConfiguration"] == {"level": "warning"}


def test_lines_of_json() -> None:
    """Each line is one finding, as in the one document, with the version."""
    lines = [json.loads(line) for line in render_json_lines(FOUND).splitlines()]
    document = json.loads(render_json(FOUND))
    assert [each.pop("version") for each in lines] == [document["version"]] * 2
    assert lines == document["diagnostics"]
    assert render_json_lines(()) == ""


def test_commands_of_github() -> None:
    """One line each, with what would end a value written otherwise; no columns over several lines."""
    first, second = render_github(FOUND).splitlines()
    assert first == (
        "::error title=E0104 foreign-operator,file=my game/a.rules,line=2,endLine=2,col=12,endColumn=13::"
        "`=` does not change a value: here%0Anote: One note: 100%25.%0Anote: Another%0Aof two lines."
        "%0Ahelp: write `becomes`"
    )
    assert second.startswith(
        "::warning title=E0210 unused-declaration,file=/games/b.rules,line=1,endLine=2::"
    )
    odd = attrs.evolve(EQUALS, primary=Label(SourceFile("a,b:c.rules", "x").span(0, 1)))
    assert "file=a%2Cb%3Ac.rules," in render_github((odd,))
    assert render_github(()) == ""


def test_junit() -> None:
    """Errors fail, warnings pass and are said, and characters that XML cannot hold do not break it."""
    root = ET.fromstring(render_junit(FOUND))  # noqa: S314 - our own text
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "2", "1")
    bad, good = root
    assert (bad.get("name"), bad.get("tests"), bad.get("failures")) == ("my game/a.rules", "1", "1")
    failure = bad.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "`=` does not change a value"
    assert "write `becomes`" in (failure.text or "")
    assert (good.get("failures"), good.findtext("testcase/system-out")) == (
        "0",
        "/games/b.rules:1:1: warning: never used\ufffd",
    )
    assert [each.get("name") for each in ET.fromstring(render_junit(()))[0]] == ["no findings"]  # noqa: S314


def test_the_command_knows_all_formats() -> None:
    """Those of the option are those that can be written."""
    option = next(
        each for each in cli.command_line.commands["check"].params if each.name == "output_format"
    )
    assert isinstance(option.type, click.Choice)
    assert tuple(option.type.choices) == tuple(FORMATS)
    for form in FORMATS.values():
        assert isinstance(form(FOUND), str)


def test_each_code_can_be_a_rule() -> None:
    """SARIF asks for names without blanks."""
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", entry.name) for entry in CODES.values())
