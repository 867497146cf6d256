"""Parts of pages that are made from the program are as the program is now, and the site has every page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from cli import command_line
from docs.site import grammar, pages, regions, verbs
from rulelang import given, words
from rulelang.binding.fields import BUILT_IN
from rulelang.codes import CODES

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


@pytest.mark.parametrize("page", regions.pages(), ids=lambda page: page.name)
def test_parts_from_the_program_are_current(page: Path) -> None:
    """If not: `python -m docs.site` writes them anew."""
    text = page.read_text("utf-8")
    assert regions.rewritten(text) == text
    assert len(regions.asked_for(text)) == text.count("<!-- made: ")


def test_every_verb_is_described() -> None:
    """Each verb has its part on the page about the command line, below a heading of its name."""
    page = (REFERENCE / "cli.md").read_text("utf-8")
    described = {" ".join(about) for maker, about in regions.asked_for(page) if maker == "options"}
    names = [name for name, _ in verbs.every_verb()]
    assert described == {"", *names}
    for name in names:
        assert re.search(rf"^##+ {name}\n\n<!-- made: options {name} -->", page, re.MULTILINE), name


def test_every_option_is_described() -> None:
    """No option of a verb is without a text, and none is left out."""
    for name, command in verbs.every_verb():
        told = verbs.options(name.split())
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert option.help, (name, option.opts)
                assert f"`{option.opts[0]}" in told


@pytest.mark.parametrize("name", [name for name, command in verbs.every_verb() if command.epilog])
def test_examples_of_verbs_can_be_typed(name: str) -> None:
    """Each example below the help of a verb is of that verb, and its options and arguments are understood."""
    command = dict(verbs.every_verb())[name]
    lines = (command.epilog or "").replace("\b", "").strip().splitlines()
    for line in lines:
        program, *typed = shlex.split(line.partition(" < ")[0])
        assert program == "rulelang"
        group: click.Command = command_line
        while isinstance(group, click.Group):
            _, found, typed = group.resolve_command(click.Context(group), typed)
            assert found is not None
            group = found
        assert group is command, line
        command.make_context(name, typed, resilient_parsing=False)


def test_every_rule_of_the_grammar_is_shown() -> None:
    """The reference shows each rule and token once, but for those that only mistakes have."""
    page = (REFERENCE / "language.md").read_text("utf-8")
    shown = [
        each for maker, about in regions.asked_for(page) if maker == "grammar" for each in about
    ]
    assert len(shown) == len(set(shown))
    assert {*grammar.rules()} - {"start", "error_line", "error_st"} == {*shown}


def test_grammar_is_shown_as_it_is() -> None:
    """A rule of several lines has all of them, a remark behind a line is left out."""
    assert grammar.rules()["state_rule"] == 'state_rule: "when" expr [CITE] body'
    assert grammar.rules()["event"].count("\n") == 2
    assert "//" not in grammar.rules()["named_rule"]
    with pytest.raises(KeyError):
        grammar.fragment(["nosuch"])


def test_built_in_names_are_told() -> None:
    """What the language has built in and what is told about it are the same names."""
    assert given.FUNCTIONS.keys() == words.functions().keys()
    assert set(given.DOINGS) == set(words.doings())
    assert set(given.NAMES) == words.constants()
    assert set(given.TYPES) == set(words.types())
    assert set(given.FIELDS) == set(BUILT_IN)
    for name, function in given.FUNCTIONS.items():
        assert function.form.startswith(f"{name}(")


def test_every_code_has_its_page() -> None:
    """The site has the page of each code, and the list leads to it."""
    assert pages.explanations().keys() == {f"reference/diagnostics/{code}.md" for code in CODES}
    listed = pages.shown(
        (REFERENCE / "diagnostics.md").read_text("utf-8"), "reference/diagnostics.md"
    )
    for code in CODES:
        assert f"[{code}](diagnostics/{code}.md)" in listed


def test_links_follow_pages() -> None:
    """A link leads to where the site has its page, from wherever the page with the link is put."""
    assert pages.shown("[a](docs/guide/x.md#b)", "index.md") == "[a](guide/x.md#b)"
    assert pages.shown("[a](../../README.md)", "guide/x.md") == "[a](../index.md)"
    assert pages.shown("[a](docs/adr/1.md)", "about/architecture.md") == "[a](../adr/1.md)"
    assert (
        pages.shown("[a](#b) [c](https://d.org/e)", "guide/x.md") == "[a](#b) [c](https://d.org/e)"
    )
    assert pages.shown("![a](../images/b.png)", "guide/x.md") == "![a](../images/b.png)"


def test_wrong_rules_say_so() -> None:
    """Rules that have a mistake on purpose are marked with its code."""
    shown = pages.shown("```rules-wrong E0104\nx = 1\n```\n", "guide/x.md")
    assert shown == '```{.rules .wrong title="wrong: E0104"}\nx = 1\n```\n'


def test_excerpts_say_where_they_are_from() -> None:
    """Lines of a ruleset that comes along are shown as rules, with its name."""
    shown = pages.shown("```rules-from pyrates\nx\n```\n", "guide/x.md")
    assert shown == '```{.rules title="from pyrates"}\nx\n```\n'


def test_bars_in_tables() -> None:
    """In code in a table a bar is written without a backslash, elsewhere all stays as it is."""
    shown = pages.shown("| `--log a\\|b` | c \\| d |\n\n`a\\|b`\n", "guide/x.md")
    assert shown == "| `--log a|b` | c \\| d |\n\n`a\\|b`\n"


def test_what_a_page_loads_from_elsewhere() -> None:
    """Scripts, styles and images with an address elsewhere are found; links and what lies beside the page are not."""
    page = (
        '<link rel="stylesheet" href="https://a.org/x.css"><script src=//b.org/y.js></script>'
        "<img alt='' src='http://c.org/z.png'><a href=\"https://d.org\">d</a>"
        '<script src="../js/own.js"></script><link href="own.css" rel="stylesheet">'
    )
    assert pages.loaded(page) == ["https://a.org/x.css", "//b.org/y.js", "http://c.org/z.png"]


def test_navigation_takes_what_is_left() -> None:
    """A star takes the pages of its folder that are named nowhere else, in order."""
    nav = ["index.md", {"Guide": ["guide/b.md", "guide/*.md"]}, {"About": "about.md"}]
    known = ["guide/c.md", "guide/a.md", "guide/b.md", "guide/deep/d.md", "index.md", "about.md"]
    assert pages.filled(nav, known) == [
        "index.md",
        {"Guide": ["guide/b.md", "guide/a.md", "guide/c.md"]},
        {"About": "about.md"},
    ]
