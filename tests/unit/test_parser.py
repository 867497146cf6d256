"""Syntax trees: every form of the grammar gives the node it should, with the right places."""

# ruff: noqa: E501, ISC004 - a case with its tree is a row of a table

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import attrs
import pytest

from rulelang import nodes
from rulelang.parser import parse
from rulelang.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = [
    *sorted((ROOT / "tests" / "fixtures").glob("*.rules")),
    *sorted((ROOT / "rulesets").rglob("*.rules")),
]


def module(text: str) -> nodes.Module:
    """Parse a text that is right."""
    result = parse(SourceFile("test.rules", text))
    assert [(found.span.line, found.headline) for found in result.diagnostics] == []
    return result.module


def item(text: str) -> Any:
    """Give the only declaration of a text."""
    (only,) = module(text).items
    return only


def stmt(text: str) -> Any:
    """Give the only statement of an effect."""
    block = "".join(f"    {line}\n" for line in text.splitlines())
    (only,) = item("effect test:\n" + block).body.statements
    return only


def expr(text: str) -> Any:
    """Give an expression."""
    return item(f"define test = {text}\n").value


def shape(of: Any) -> Any:
    """Write a tree as nested tuples of class names and words, places left out."""
    if isinstance(of, nodes.Ident):
        return of.text
    if isinstance(of, nodes.Name | nodes.KindName):
        return of.ident.text
    if isinstance(of, nodes.Number):
        return of.value
    if isinstance(of, nodes.Text):
        return f'"{of.value}"'
    if isinstance(of, tuple):
        return [shape(part) for part in of]
    if isinstance(of, nodes.Node):
        names = [field.name for field in attrs.fields(cast("Any", type(of)))]
        shown = [name for name in names if name not in ("span", "citations", "doc")]
        return (type(of).__name__, *(shape(getattr(of, name)) for name in shown))
    return of


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_samples(path: Path) -> None:
    """Every ruleset that comes along, and those of the design, parse without a finding."""
    result = parse(SourceFile.from_bytes(path.name, path.read_bytes()))
    assert [str(found.span) for found in result.diagnostics] == []
    assert result.module.items


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a or b and not c", ("Or", "a", ("And", "b", ("Not", "c")))),
        ("1 + 2 * 3", ("Arithmetic", "+", 1, ("Arithmetic", "*", 2, 3))),
        ("10 - 2 - 3", ("Arithmetic", "-", ("Arithmetic", "-", 10, 2), 3)),
        ("8 / 2", ("Arithmetic", "/", 8, 2)),
        ("1..n + 1", ("RangeExpr", 1, ("Arithmetic", "+", "n", 1))),
        ("a < b", ("Compare", "<", "a", "b")),
        ("a >= b + 1", ("Compare", ">=", "a", ("Arithmetic", "+", "b", 1))),
        ("a is Card", ("Is", "a", "Card")),
        ("a is not none", ("IsNot", "a", "none")),
        ("a in 1..3", ("InTest", "a", ("RangeExpr", 1, 3), False)),
        ("a not in b", ("InTest", "a", "b", True)),
        ("any Card", ("Any", "Card")),
        ("any Card where its cost > 1 or yes", ("AnyWhere", "Card", ("Or", ("Compare", ">", ("Its", "cost", None), 1), "yes"))),
        ("Card at a.b where it is c", ("Where", ("At", "Card", ("Prop", "a", "b")), ("Is", "it", "c"))),
        ("S with highest f then lowest g(1)",
         ("BestOf", "S", ("Ordering", [("SortKey", "highest", "f", None), ("SortKey", "lowest", "g", [1])]))),
        ("S by random", ("SortedBy", "S", ("Ordering", [("SortKey", None, "random", None)]))),
        ("f(a, b).c(d).e", ("Prop", ("PropCall", ("Call", "f", ["a", "b"]), "c", ["d"]), "e")),
        ("may act(a)", ("Allowed", "act", ["a"])),
        ("its f(a)", ("Its", "f", ["a"])),
        ("(a)", ("Group", ["a"])),
        ("(a, b)", ("Group", ["a", "b"])),
        ("{}", ("SetLiteral", [])),
        ("{a, B}", ("SetLiteral", ["a", "B"])),
        ("(a\n  + b)", ("Group", [("Arithmetic", "+", "a", "b")])),
        ("a.automa and not its automa", ("And", ("Prop", "a", "automa"), ("Not", ("Its", "automa", None)))),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: Any) -> None:
    """Operators bind as the reference says, and each form has its node."""
    assert shape(expr(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a gains 2 gold", ("GainStmt", "a", False, 2, "gold", None, None)),
        ("a.b loses up to n gold to c until turn(a)",
         ("LoseStmt", ("Prop", "a", "b"), True, "n", "gold", "c", ("Until", [("Limit", False, "turn", ["a"])]))),
        ("you gain 1 gold from supply", ("GainStmt", "you", False, 1, "gold", "supply", None)),
        ("a.f becomes roll 2 of D6 by b", ("BecomeStmt", ("Prop", "a", "f"), ("Roll", 2, "D6", "b"), None)),
        ("x becomes pick 3 of S until end of turn or end of game",
         ("BecomeStmt", "x", ("Pick", 3, "S"), ("Until", [("Limit", True, "turn", None), ("Limit", True, "game", None)]))),
        ("move a to bottom(p)", ("MoveStmt", "a", ("Call", "bottom", ["p"]))),
        ("do act", ("DoStmt", "act", [])),
        ("do act(a, 1)", ("DoStmt", "act", ["a", 1])),
        ("let n = a loses up to 3 gold", ("LetStmt", "n", ("LoseStmt", "a", True, 3, "gold", None, None))),
        ("let n = roll D6", ("LetStmt", "n", ("Roll", None, "D6", None))),
        ("end act with 1 + 2", ("EndStmt", "act", ("Arithmetic", "+", 1, 2))),
        ("end game", ("EndStmt", "game", None)),
        ("a chooses b from S else do c",
         ("ChooseStmt", "a", ("Choice", None, "b", "S", None, None, None, None), ("DoStmt", "c", []))),
        ('a chooses 1+ bs from S when count(bs) > 1 "Why?" automa highest f',
         ("ChooseStmt", "a", ("Choice", ("CountAtLeast", 1), "bs", "S", ("Compare", ">", ("Call", "count", ["bs"]), 1),
          '"Why?"', ("Ordering", [("SortKey", "highest", "f", None)]), None), None)),
        ("a chooses 1+ bs from S automa all where its f > 1",
         ("ChooseStmt", "a", ("Choice", ("CountAtLeast", 1), "bs", "S", None, None,
          ("Ordering", [("SortKey", None, "all", None)]), ("Compare", ">", ("Its", "f", None), 1)), None)),
        ("a chooses any bs from S", ("ChooseStmt", "a", ("Choice", ("CountAny",), "bs", "S", None, None, None, None), None)),
        ("a chooses 0..n bs from S", ("ChooseStmt", "a", ("Choice", ("CountRange", 0, "n"), "bs", "S", None, None, None, None), None)),
        ("a chooses 2 bs from S", ("ChooseStmt", "a", ("Choice", ("CountExact", 2), "bs", "S", None, None, None, None), None)),
        ("a may do b, c else end d", ("TakeActionStmt", "a", ["b", "c"], ("EndStmt", "d", None))),
        ("step one: do a", ("StepStmt", "one", ("Body", [("DoStmt", "a", [])]))),
        ("while yes: do a", ("WhileStmt", "yes", ("Body", [("DoStmt", "a", [])]))),
        ("each w, n in b: do a", ("EachStmt", "w", "n", "b", ("Body", [("DoStmt", "a", [])]))),
        ("if a: do b\nelse if c: do d\nelse: do e",
         ("IfStmt", [("Branch", "a", ("Body", [("DoStmt", "b", [])])), ("Branch", "c", ("Body", [("DoStmt", "d", [])]))],
          ("Body", [("DoStmt", "e", [])]))),
        ('a may "Q" when b automa c: do d\nelse: do e',
         ("MayStmt", "a", '"Q"', "b", "c", ("Body", [("DoStmt", "d", [])]), ("Body", [("DoStmt", "e", [])]))),
        ('a chooses "Q":\n    "x" when b: do c\n    "y" automa d:\n        do e',
         ("OptionsStmt", "a", '"Q"', [("Alternative", '"x"', "b", None, ("Body", [("DoStmt", "c", [])])),
                                     ("Alternative", '"y"', None, "d", ("Body", [("DoStmt", "e", [])]))])),
        ("secretly each p in S chooses b from T, chooses any cs from U: do r",
         ("SecretlyStmt", "p", "S", [("Choice", None, "b", "T", None, None, None, None),
                                    ("Choice", ("CountAny",), "cs", "U", None, None, None, None)], ("Body", [("DoStmt", "r", [])]))),
        ("until end of turn:\n    after a: do b\n    x: +1 when c\n    drop y.z",
         ("LastingStmt", ("Until", [("Limit", True, "turn", None)]), [
             ("HookDecl", "after", ("NamedEvent", ["a"], None, None), None, False, None, ("Body", [("DoStmt", "b", [])])),
             ("ClauseDecl", ("Head", None, "x", None), ("Change", "+", 1), None, "c", None),
             ("DropDecl", ["y", "z"], None, None)])),
    ],
)  # fmt: skip
def test_statements(text: str, expected: Any) -> None:
    """Each statement has its node, absent parts are None."""
    assert shape(stmt(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('game g "G":\n    players 2..4\n    version "1"\n',
         ("GameDecl", "g", '"G"', [("Setting", "players", [("RangeExpr", 2, 4)]), ("Setting", "version", ['"1"'])])),
        ("define Bid = pass, Card, 1..6\n",
         ("EnumDecl", "Bid", [("Word", "pass", None, None), ("Word", "Card", None, None), ("Word", None, 1, 6)])),
        ('option n: 2..9 = 5 "N"\n', ("OptionDecl", "n", ("RangeType", 2, 9), 5, '"N"')),
        ('component C (copies) from "a.csv" and "b.csv":\n    a, b: set of D or none from x and "y_#" = each n, seen by owner\n',
         ("ComponentDecl", "C", ("AmountColumn", "copies"), ['"a.csv"', '"b.csv"'], [
             ("FieldDecl", ["a", "b"], ("CollectionType", "set", ("UnionType", [("NamedType", "D"), ("NamedType", "none")])),
              ["x", '"y_#"'], ("Initial", "n", True), [("Flag", "seen", "owner")])])),
        ("component C (6 each Player)\n", ("ComponentDecl", "C", ("AmountPer", 6, "Player"), [], [])),
        ("component C (17):\n    f: 0.. by D6\n",
         ("ComponentDecl", "C", ("AmountFixed", 17), [],
          [("FieldDecl", ["f"], ("KeyedType", ("RangeType", 0, None), "D6"), [], None, [])])),
        ("define p.f(q) = 1:\n    e: -2 when a after b\n    g: 3 when c\n",
         ("DefineDecl", ("Head", "p", "f", [("Param", "q", None, None)]), 1,
          [("ExceptionClause", "e", ("Change", "-", 2), "a", "b"), ("ExceptionClause", "g", ("Change", "=", 3), "c", None)])),
        ('may act(p, n: Number from S):\n    need: a "why"\n    then: do b\n',
         ("MayDecl", "act", [("Param", "p", None, None), ("Param", "n", ("NamedType", "Number"), "S")],
          [("Need", "need", "a", '"why"')], None, ("Body", [("DoStmt", "b", [])]))),
        ("may act(p):\n    automa 3\n    then: do b\n",
         ("MayDecl", "act", [("Param", "p", None, None)], [], ("Utility", 3), ("Body", [("DoStmt", "b", [])]))),
        ("table t(d, e):\n    1..2, red | 3, blue: 4\n    else: 5\n",
         ("TableDecl", "t", [("Param", "d", None, None), ("Param", "e", None, None)], [
             ("Row", [("RowKey", [("RangeExpr", 1, 2), "red"], False), ("RowKey", [3, "blue"], False)], 4, None),
             ("Row", [("RowKey", [], True)], 5, None)])),
        ("phase p(q) gives Card:\n    keeps a.f: Flag = no until end of p\n    keeps g: 0..\n    do b\n",
         ("PhaseDecl", "p", [("Param", "q", None, None)], ("NamedType", "Card"), [
             ("KeepsDecl", "a", "f", ("NamedType", "Flag"), ("Initial", "no", False), [],
              ("Until", [("Limit", True, "p", None)])),
             ("KeepsDecl", None, "g", ("RangeType", 0, None), None, [], None)], ("Body", [("DoStmt", "b", [])]))),
        ('instead of act(you) when a once, you may "Q" automa b: do c\n',
         ("HookDecl", "instead", ("NamedEvent", ["act"], ["you"], None), "a", True, ("Ask", "you", '"Q"', "b"),
          ("Body", [("DoStmt", "c", [])]))),
        ("after a.b(c) = d: do e\n",
         ("HookDecl", "after", ("NamedEvent", ["a", "b"], ["c"], "d"), None, False, None, ("Body", [("DoStmt", "e", [])]))),
        ("before p gains n gold from q: do e\n",
         ("HookDecl", "before", ("GainEvent", "p", "n", "gold", "q"), None, False, None, ("Body", [("DoStmt", "e", [])]))),
        ("after p loses n gold: do e\n",
         ("HookDecl", "after", ("LoseEvent", "p", "n", "gold", None), None, False, None, ("Body", [("DoStmt", "e", [])]))),
        ("after move c to box: do e\n",
         ("HookDecl", "after", ("MoveEvent", "c", "box"), None, False, None, ("Body", [("DoStmt", "e", [])]))),
        ("after roll D6 by p = n: do e\n",
         ("HookDecl", "after", ("RollEvent", "D6", "p", "n"), None, False, None, ("Body", [("DoStmt", "e", [])]))),
        ("when a: do b\n", ("StateRuleDecl", "a", ("Body", [("DoStmt", "b", [])]))),
        ("r: when a: do b\n", ("NamedRuleDecl", "r", ("StateRuleDecl", "a", ("Body", [("DoStmt", "b", [])])))),
        ('act(p): no "why" when a after b\n',
         ("ClauseDecl", ("Head", None, "act", [("Param", "p", None, None)]), ("Change", "=", "no"), '"why"', "a", "b")),
        ('drop "promise"\n', ("DropDecl", [], '"promise"', None)),
        ("card Kind.name:\n    drop a\n", ("CardDecl", "Kind", "name", [("DropDecl", ["a"], None, None)])),
        ('always "text": a\n', ("AlwaysDecl", '"text"', "a")),
        ("change option a = 3\n", ("ChangeOptionDecl", "a", 3)),
        ("change game:\n    seats n\n", ("ChangeGameDecl", [("Setting", "seats", ["n"])])),
        ("change component C:\n    f: Flag\n", ("ChangeComponentDecl", "C", None, [], [("FieldDecl", ["f"], ("NamedType", "Flag"), [], None, [])])),
        ('change component C from "a.csv" and "b.csv" [AB-1]\n', ("ChangeComponentDecl", "C", None, ['"a.csv"', '"b.csv"'], [])),
        ("change component C (3)\n", ("ChangeComponentDecl", "C", ("AmountFixed", 3), [], [])),
        ("change component C (3 each D)\n", ("ChangeComponentDecl", "C", ("AmountPer", 3, "D"), [], [])),
        ("change Bid = a\n", ("ChangeWordsDecl", "Bid", [("Word", "a", None, None)])),
        ("change table t:\n    1: 2\n", ("ChangeTableDecl", "t", [("Row", [("RowKey", [1], False)], 2, None)])),
        ('variant v "V" of g "1.2":\n    drop d\n', ("VariantDecl", "v", '"V"', "g", '"1.2"', [], [("DropDecl", ["d"], None, None)])),
        ('variant v "V" of g with a not with b after c:\n    drop d\n',
         ("VariantDecl", "v", '"V"', "g", None, [("Qualifier", "with", "a"), ("Qualifier", "not with", "b"), ("Qualifier", "after", "c")],
          [("DropDecl", ["d"], None, None)])),
        ('preset "P" of g:\n    with a, b\n    x = 1\n    v.y = 2\n',
         ("PresetDecl", '"P"', "g", ["a", "b"], [("Assign", None, "x", 1), ("Assign", "v", "y", 2)])),
        ('scenario "S" of g with v after "T":\n    people a, b\n    x = 1\n    before: do c\n    do d(a):\n'
         '        roll 2, 3\n        pick e\n        a chooses f: 1, "L"\n        a refused g\n    after:\n        h\n',
         ("ScenarioDecl", '"S"', "g", [("Qualifier", "with", "v")], '"T"', [("Setting", "people", ["a", "b"])],
          [("Assign", None, "x", 1)], ("Body", [("DoStmt", "c", [])]), [("Trial", [("Played", "d", None, ["a"], [
              ("ScriptRoll", [2, 3]), ("ScriptPick", ["e"]), ("ScriptChoice", "a", False, "f", [1, '"L"']),
              ("ScriptChoice", "a", True, None, ["g"])])], [("Check", "h")])])),
    ],
)  # fmt: skip
def test_declarations(text: str, expected: Any) -> None:
    """Each declaration has its node, absent parts are None or empty."""
    assert shape(item(text)) == expected


def test_citations() -> None:
    """Ranges are written out, and each id has its own place."""
    cited = item("effect a [RB-1, RB-16..18, XY-08..10]: do b [RB-2]\n")
    ids = [each.id for each in cited.citations]
    assert ids == ["RB-1", "RB-16", "RB-17", "RB-18", "XY-08", "XY-09", "XY-10"]
    assert [cited.citations[place].span.text for place in (0, 1, 3, 4)] == [
        "RB-1",
        "RB-16..18",
        "RB-16..18",
        "XY-08..10",
    ]
    assert [each.id for each in cited.body.statements[0].citations] == ["RB-2"]


def test_doc_comments() -> None:
    """`##` lines directly above a declaration belong to it, others do not."""
    found = module(
        "## lost\n\n## one\n## two\neffect a:\n    ## three\n    step b: do c # no\n# plain\ndefine d = 1\n"
    )
    effect, define = found.items
    assert isinstance(effect, nodes.EffectDecl)
    assert effect.doc == "one\ntwo"
    assert isinstance(effect.body.statements[0], nodes.StepStmt)
    assert effect.body.statements[0].doc == "three"
    assert isinstance(define, nodes.DefineDecl)
    assert define.doc == ""
    assert [(each.is_doc, each.own_line) for each in found.comments] == [
        *[(True, True)] * 4,
        (False, False),
        (False, True),
    ]


@pytest.mark.parametrize("path", SAMPLES[:2], ids=lambda path: path.name)
def test_places(path: Path) -> None:
    """A node lies inside its parent, and its text begins and ends with visible characters."""
    text = path.read_text("utf-8")
    for parent in nodes.walk(parse(SourceFile(path.name, text)).module):
        for child in nodes.children(parent):
            assert parent.span.start <= child.span.start <= child.span.end <= parent.span.end
            if not isinstance(child, nodes.Comment):
                assert child.span.text == child.span.text.strip()


def test_words_of_the_language_as_names() -> None:
    """The main phase is called game, players have `automa`, and a card may be called card."""
    text = "phase game:\n    each card in hand where not its automa:\n        card becomes player.automa\n    end game\n"
    phase = item(text)
    assert phase.name.text == "game"
    assert phase.body.statements[0].name.text == "card"


def test_layout() -> None:
    """Deeper lines go on, brackets join lines, line ends and a missing last one make no difference."""
    plain = "effect a:\n    let b = c +\n            d\n    do e(f,\n  g)\n\n    # comment\n    if h: do i\n"
    wanted = shape(item(plain))
    assert shape(item(plain.replace("\n", "\r\n"))) == wanted
    assert shape(item(plain.rstrip("\n"))) == wanted
    assert shape(item("\ufeff" + plain)) == wanted
    assert len(wanted[-1][1]) == 3


def test_identity() -> None:
    """Nodes are compared by identity, so that tables can be keyed by them."""
    first, second = item("define a = 1\n"), item("define a = 1\n")
    assert first != second
    assert len({first, second, first.value}) == 3


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "   \n\t\n", "\ufeff"])
def test_empty(text: str) -> None:
    """A file without a declaration is right."""
    assert module(text).items == ()


def test_a_header_of_two_lines_keeps_its_block() -> None:
    """Declarations inside stand less deep than the second line of the header."""
    text = (
        'variant y "Y" of g with x\n        not with z:\n'
        "    change component Player:\n        silver: 0.. = 0\n"
        "    effect pay(player): player gains 1 silver\n"
        "    after game: do pay(first(Player))\n"
    )
    parsed = parse(SourceFile("y.rules", text))
    assert not list(parsed.diagnostics)
    (variant,) = parsed.module.items
    assert isinstance(variant, nodes.VariantDecl)
    assert len(variant.items) == 3
