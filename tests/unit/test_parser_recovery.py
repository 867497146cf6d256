"""Mistakes: each is reported once, at its place, with a fix that works; the rest is read all the same."""

# ruff: noqa: E501 - a text with its mistakes is a row of a table

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rulelang import nodes
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from rulelang.diagnostics import Diagnostic


def found(text: str) -> tuple[Diagnostic, ...]:
    """Parse and give the findings."""
    return parse(SourceFile("test.rules", text)).diagnostics


def fixed(text: str, finding: Diagnostic) -> str:
    """Apply the fix of a finding."""
    assert finding.fix is not None
    for edit in sorted(finding.fix.edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def lines(*content: str, head: str = "effect test(player):") -> str:
    """Put lines into an effect."""
    return "\n".join([head, *(f"    {line}" for line in content)]) + "\n"


# Text; line, code and a piece of the message for each mistake in it.
MISTAKES: list[tuple[str, str, list[tuple[int, str, str]]]] = [
    ("assignment", lines("player.gold = 3"), [(2, "E0104", "`becomes`")]),
    ("plus-assignment", lines("player.gold += 3"), [(2, "E0104", "player gains 3 gold")]),
    ("minus-assignment", lines("player.gold -= half(3)"), [(2, "E0104", "player loses half(3) gold")]),
    ("increment", lines("player.gold++"), [(2, "E0104", "player gains 1 gold")]),
    ("increment-name", lines("x++"), [(2, "E0104", "name becomes name + 1")]),
    ("equality", lines("if player.gold == 3:", "    do b"), [(2, "E0104", "`is`")]),
    ("inequality", lines("while a != b: do c"), [(2, "E0104", "`is not`")]),
    ("single-equality", lines("if a = 3: do c"), [(2, "E0104", "`is`")]),
    ("let-equality", lines("let x == 3"), [(2, "E0104", "write `=`")]),
    ("walrus", lines("let x := 3"), [(2, "E0104", "write `=`")]),
    ("signs", lines("if a && !b || c: do d"), [(2, "E0104", "`and`"), (2, "E0104", "`not`"), (2, "E0104", "`or`")]),
    ("unnamed-die", lines("die = roll D6"), [(2, "E0104", "let die = ...")]),
    ("die", lines("roll D6"), [(2, "E0103", "let result = roll")]),
    ("is-as-verb", lines("player.gold is 3"), [(2, "E0104", "`becomes`")]),
    ("verb", lines("player receives 1 gold"), [(2, "E0103", "`gains`")]),
    ("verb-loses", lines("player pays 1 gold"), [(2, "E0103", "`loses`")]),
    ("verb-misspelt", lines("player gians 1 gold"), [(2, "E0103", "`gains`")]),
    ("verb-misspelt-foreign", lines("player recieves 1 gold"), [(2, "E0103", "`gains`")]),
    ("no-verb", lines("player"), [(2, "E0103", "a verb is missing")]),
    ("no-amount", lines("player gains gold"), [(2, "E0103", "gains 1 gold")]),
    ("nobody", lines("choose card from hand"), [(2, "E0103", "player chooses")]),
    ("no-do", lines("build(player)"), [(2, "E0202", "do build")]),
    ("do-in-expression", lines("let x = do build(player)"), [(2, "E0202", "leave it out")]),
    ("no-colon", lines("if a is 3", "    do b", "do c"), [(2, "E0102", "colon")]),
    ("no-colon-header", "effect a(p)\n    do b\n", [(1, "E0102", "colon")]),
    ("no-colon-blocks", "phase a(p)\n    keeps b: 0.. = 0\n    while c:\n        if d:\n            do e\n    do f\n", [(1, "E0102", "colon")]),
    ("printed-quotes", lines("player may “Roll again?” automa a: do b"), [(2, "E0105", 'write `"Roll again?"`')]),
    ("printed-quote", lines("player may “Roll again?: do b"), [(2, "E0105", "straight")]),
    ("add", lines("add pot to player.points"), [(2, "E0103", "player gains 1 field")]),
    ("draw", lines("draw a card"), [(2, "E0103", "move thing to place")]),
    ("wins", lines("player wins"), [(2, "E0103", "do win({player})")]),
    ("untyped-field", "component Player:\n    points = 3\n    place: Flag\n", [(2, "E0104", "`points: 0.. = 3`")]),
    ("no-colon-each", lines("each x in S", "    x becomes 3"), [(2, "E0102", "colon")]),
    ("no-colon-one-line", lines("if a is 3 do b"), [(2, "E0102", "colon")]),
    ("no-colon-hook", "after act(p) when a is 3\n    do b\n", [(1, "E0102", "colon")]),
    ("no-colon-field", "component C:\n    place Port\n    gold: Number\n", [(2, "E0102", "colon")]),
    ("no-colon-need", 'may act(p):\n    loot a > 0 "no"\n    other: b\n', [(2, "E0102", "colon")]),
    ("two-in-a-line", lines("if a == 3", "    do b"), [(2, "E0104", "`is`"), (2, "E0102", "colon")]),
    ("if-behind-colon", "effect a(p): if b: do c\n", [(1, "E0102", "line of its own")]),
    ("phase-behind-colon", "phase game: do nothing\n", [(1, "E0102", "line of its own")]),
    ("if-behind-if", lines("if a: if b: do c", "else: do d"), [(2, "E0102", "line of its own")]),
    ("each-kind", lines("each Ship: do c"), [(2, "E0103", "each ship in Ship")]),
    ("then", lines("if a is 3 then do b"), [(2, "E0103", "`:` in place")]),
    ("then-colon", lines("if a is 3 then:", "    do b"), [(2, "E0103", "leave it out")]),
    ("event-amount", "after player gains 1 gold: do a\n", [(1, "E0103", "gains n")]),
    ("event-no-amount", "after player gains gold: do a\n", [(1, "E0103", "gains n")]),
    ("when-event", "when player gains 1 gold: do a\n", [(1, "E0103", "after player gains n")]),
    ("empty-brackets", lines("do rest()"), [(2, "E0103", "leave them out")]),
    ("empty-brackets-header", "effect rest():\n    do b\n", [(1, "E0103", "leave them out")]),
    ("bare-die", lines("let x = roll 6"), [(2, "E0103", "define D6 = 1..6")]),
    ("half-or", lines("if a is 3 or is 5: do b"), [(2, "E0103", "on both sides")]),
    ("half-and", lines("if a > 3 and < 5: do b"), [(2, "E0103", "on both sides")]),
    ("no-block", lines("if a:", "do b"), [(2, "E0102", "block")]),
    ("no-block-at-end", lines("do c", "if a:"), [(3, "E0102", "block")]),
    ("line-and-block", "effect a: do b\n    do c\n", [(2, "E0102", "block")]),
    ("elif", lines("if a: do b", "elif c:", "    do d", "else: do e"), [(3, "E0103", "else if")]),
    ("for", lines("for x in S:", "    do a"), [(2, "E0103", "each x in S")]),
    ("return", lines("return 3"), [(2, "E0103", "end NAME with")]),
    ("else-alone", lines("else:", "    do a"), [(2, "E0103", "`if`")]),
    ("chain", lines("if 1 < a.b < 3:", "    do c"), [(2, "E0106", "and a.b <")]),
    ("minus", lines("player.gold becomes -1"), [(2, "E0107", "loses")]),
    ("difference", "may act(p, ship from Ship - p.away):\n    a: yes\n", [(1, "E0103", "`from (Ship - p.away)`")]),
    ("fraction", lines("let x = 3.5"), [(2, "E0103", "whole")]),
    ("underscore-number", lines("let x = 1_000"), [(2, "E0103", "1000")]),
    ("large-number", lines("let x = 99999999999"), [(2, "E0109", "1000000000")]),
    ("keyword-let", lines("let end = 3"), [(2, "E0209", "the_end")]),
    ("keyword-effect", "effect step(p):\n    do b\n", [(1, "E0209", "the_step")]),
    ("capital-effect", "effect Build(p):\n    do b\n", [(1, "E0110", "`build`")]),
    ("small-kind", "component ship (3)\n", [(1, "E0110", "`Ship`")]),
    ("small-enumeration", "define bid = pass, build\n", [(1, "E0110", "`Bid`")]),
    ("camel-case", lines("let goldCoins = 3"), [(2, "E0110", "gold_coins")]),
    ("late-reason", 'act(p): no when a "why"\n', [(1, "E0103", '"why" when a')]),
    ("late-reason-several", 'act(p): no when a is 3 "why" [RB-1]\n', [(1, "E0103", '"why" when a is 3')]),
    ("changed-definition", "change define x = 3\n", [(1, "E0103", "exception")]),
    ("changed-component", "change Player:\n    gold: 0..9 = 3\n", [(1, "E0103", "`change component Player`")]),
    ("changed-table", "change price:\n    1: 3\n", [(1, "E0103", "`change table price`")]),
    ("if-for-when", "define x = 3:\n    rich: 4 if a > 3\n", [(2, "E0103", "`when`")]),
    ("if-in-definition", "define x(player) = 4 if player.gold > 3\n", [(1, "E0103", "`name: 4 when ...`")]),
    ("minus-if-in-definition", "define x(player) = -1 if player.gold > 3\n", [(1, "E0107", "loses"), (1, "E0103", "`name: -1 when ...`")]),
    ("if-behind", lines("player gains 3 gold if player.gold < 3"), [(2, "E0103", "`if player.gold < 3: player gains 3 gold`")]),
    ("no-in", lines("each x S:", "    do b"), [(2, "E0103", "`in`")]),
    ("no-to", lines("move x port"), [(2, "E0103", "`to`")]),
    ("misspelt-declaration", "efect foo:\n    do x\n", [(1, "E0103", "`effect`")]),
    ("foreign-declaration", "function foo():\n    do x = 3\n", [(1, "E0103", "effect name"), (2, "E0103", "`=` cannot stand here")]),
    ("statement-at-edge", "player gains 3 gold\n", [(1, "E0103", "left edge")]),
    ("tab", "effect a:\n\tdo b\n", [(2, "E0101", "four spaces")]),
    ("between-blocks", lines("if a:", "    do b", "  do c", "do d"), [(4, "E0101", "fits no block")]),
    ("too-deep", lines("do a", "    do b", "do c"), [(3, "E0101", "deeper")]),
    ("indented-file", "  effect a:\n    do b\n", [(1, "E0101", "left edge")]),
    ("open-bracket", lines("do c(", "do d"), [(2, "E0105", "`)`")]),
    ("open-bracket-at-end", lines("do c(a, (b)"), [(2, "E0105", "`)`")]),
    ("open-brace", lines("let a = {b, c", "if d: do e"), [(2, "E0105", "`}`")]),
    ("closing-bracket", lines("do c)"), [(2, "E0105", "nothing is open")]),
    ("open-quote", lines('player may "really?:', "    do c"), [(2, "E0105", "quote")]),
    ("citation", lines("do c [rb-1]"), [(2, "E0103", "citation")]),
    ("semicolon", lines("do c;"), [(2, "E0103", "`;`")]),
    ("invisible", lines("do\u200b c"), [(2, "E0108", "cannot be seen")]),
    ("not-utf-8", lines("do c # \ufffd"), [(2, "E0108", "UTF-8")]),
    ("no-after", 'scenario "x" of y:\n    do z:\n        roll 2\n', [(3, "E0102", "after:")]),
    ("option-without-default", "option x: 1..3\n", [(1, "E0103", "too early")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in MISTAKES], ids=[case[0] for case in MISTAKES]
)
def test_mistake(text: str, expected: list[tuple[int, str, str]]) -> None:
    """The mistake is reported once, on its line, with words that help; nothing else is."""
    findings = found(text)
    assert [(each.span.line, each.code) for each in findings] == [
        (line, code) for line, code, _ in expected
    ]
    for each, (_, _, words) in zip(findings, expected, strict=True):
        said = " ".join([each.headline, each.primary.text, *each.notes, each.help or ""])
        assert words in said


@pytest.mark.parametrize("text", [case[1] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_good_neighbours(text: str) -> None:
    """Declarations before and after a broken one are read, and not reported."""
    before, after = "effect good:\n    do a\n", "define better = 1\n"
    result = parse(SourceFile("test.rules", before + text + after))
    assert len(result.diagnostics) == len(found(text))
    assert isinstance(result.module.items[0], nodes.EffectDecl)
    assert isinstance(result.module.items[-1], nodes.DefineDecl)


@pytest.mark.parametrize("text", [case[1] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_fixes(text: str) -> None:
    """Every fix removes its finding and brings no other."""
    findings = found(text)
    for each in findings:
        if each.fix is not None:
            assert len(found(fixed(text, each))) < len(findings)


@pytest.mark.parametrize("text", [case[1] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_words(text: str) -> None:
    """Headlines are short, begin small and have no full stop; no name of a token is shown."""
    for each in found(text):
        said = " ".join([each.headline, each.primary.text, *each.notes, each.help or ""])
        assert len(each.headline.split()) <= 12
        assert not each.headline.endswith(".")
        assert not each.headline[0].isupper()
        assert not any(
            token in said
            for token in ("ANON", "_NL", "NAME`", "LPAR", "RPAR", "COLON", "DEDENT", "JUNK")
        )


def test_ten_mistakes() -> None:
    """Ten mistakes in one file are ten findings at ten places, in order."""
    text = """\
effect one(player):
    player.gold = 3
    player receives 2 gold
    if player.gold == 4
        do two
    else if player.gold = 5:
        build(player)
    else:
        let x = -1
component ship (3):
    size Number
table three(x):
    1..2: 3
    3 4
effct four:
    do five(
"""
    places = [(each.span.line, each.code) for each in found(text)]
    assert places == [
        (2, "E0104"),
        (3, "E0103"),
        (4, "E0104"),
        (4, "E0102"),
        (6, "E0104"),
        (7, "E0202"),
        (9, "E0107"),
        (10, "E0110"),
        (11, "E0102"),
        (14, "E0102"),
        (15, "E0103"),
        (16, "E0105"),
    ]


def names(text: str) -> list[str]:
    """Give the classes of the declarations, and of the statements of the first one."""
    items = parse(SourceFile("test.rules", text)).module.items
    first: Any = items[0]
    inside = first.body.statements if hasattr(first, "body") else ()
    return [type(each).__name__ for each in (*items, *inside)]


def test_repaired_tree() -> None:
    """Where the intention is clear the tree is the one that was meant."""
    assert names(lines("player.gold = 3", "player receives 1 gold", "build(player)")) == [
        "EffectDecl",
        "BecomeStmt",
        "GainStmt",
        "DoStmt",
    ]


def test_unclear_line() -> None:
    """Where it is not, the line is marked and the block below is read."""
    text = lines("if and:", "    player.gold = 3", "do a")
    assert [each.span.line for each in found(text)] == [2, 3]
    assert names(text) == ["EffectDecl", "IfStmt", "DoStmt"]
    assert names(lines("player because 3", "do a")) == ["EffectDecl", "ErrorStmt", "DoStmt"]


def test_unclear_header() -> None:
    """A declaration whose header is broken is known by its word and name; its body is checked."""
    text = "effect act(1):\n    player.gold = 3\n"
    assert [each.span.line for each in found(text)] == [1, 2]
    (item,) = parse(SourceFile("test.rules", text)).module.items
    assert isinstance(item, nodes.ErrorDecl)
    assert (item.keyword, str(item.name)) == ("effect", "act")


def test_unclear_lines_of_other_blocks() -> None:
    """Fields, needs, rows, exceptions and rules of cards are given up one by one."""
    for text, line in [
        ("component C:\n    a: Flag\n    b c d\n    e: Flag\n", 3),
        ("may act(p):\n    a: b\n    c d e\n    then: do f\n", 3),
        ("table t(d):\n    1: 2\n    3 becomes 5\n    else: 6\n", 3),
        ("define a = 1:\n    b: +1 when c\n    d e f\n    g: +1 when h\n", 3),
        ("card a:\n    after b: do c\n    d e f\n    drop g\n", 3),
        ('game g "G":\n    version "1"\n    = 3\n    players 2\n', 3),
    ]:
        findings = found(text)
        assert [each.span.line for each in findings] == [line]
        (item,) = parse(SourceFile("test.rules", text)).module.items
        assert not isinstance(item, nodes.ErrorDecl)
