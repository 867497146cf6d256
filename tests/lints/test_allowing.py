"""Comments that silence warnings: what they cover, and that those without effect are found."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.diagnostics import Applicability, Diagnostic

GAME = """\
component Player:
    gold: 0.. = 0
effect pay(player): player gains 1 gold{behind}
{above}
effect ask(player):
    player gains 2
        gold
"""
UNUSED = ["E0210", "E0210"]


def check(text: str) -> tuple[Diagnostic, ...]:
    return api.check_text(text)


def codes(text: str) -> list[str]:
    return [each.code for each in check(text)]


def mended(text: str, found: Diagnostic) -> str:
    """Apply the edits of a finding's fix."""
    assert found.fix is not None
    for edit in reversed(found.fix.edits):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_a_comment_behind_a_line_counts_for_it_alone() -> None:
    """The other finding of the name stays."""
    assert codes(GAME.format(behind="", above="")) == UNUSED
    (found,) = check(GAME.format(behind="  # allow: unused-declaration", above=""))
    assert (found.code, found.span.line) == ("E0210", 5)


def test_a_comment_above_a_line_counts_for_the_next_line() -> None:
    """Blank lines and other comments may stand between."""
    above = "# allow: unused-declaration\n\n# Another comment.\n## A text about it."
    (found,) = check(GAME.format(behind="", above=above))
    assert (found.code, found.span.line) == ("E0210", 3)


def test_a_comment_for_the_file_may_stand_anywhere() -> None:
    """It silences all findings of the name in its file, and none in another."""
    text = GAME.format(behind="", above="") + "# allow-file: unused-declaration\n"
    assert codes(text) == []
    other = {"other.rules": "effect beg(player): player gains 3 gold\n"}
    assert [str(each.span) for each in api.check_text(text, "x.rules", other)] == [
        "other.rules:1:8"
    ]


def test_a_reason_may_follow() -> None:
    """Behind a dash."""
    assert codes(GAME.format(behind=" # allow: unused-declaration - the table calls it", above=""))
    assert codes(GAME.format(behind=" # allow: unused-declaration - why", above="")) == ["E0210"]


CONTINUED = """\
component Player:
    gold: 0.. = 0
option wage: 1..5 = 2 [MKT-1]
phase game:
    each player in Player:
        player
            gains {wages}
            gold [MKT-1]
        player gains 2 gold [MKT-1]
"""


@pytest.mark.parametrize(
    "text",
    [
        CONTINUED.format(wages="2 # allow: repeated-literal"),
        CONTINUED.format(wages="2").replace(
            "    player\n", "    player # allow: repeated-literal\n"
        ),
        CONTINUED.format(wages="\n            # allow: repeated-literal\n            2"),
        CONTINUED.format(wages="2").replace(
            "        player\n", "# allow: repeated-literal\n        player\n"
        ),
    ],
)
def test_a_line_is_counted_with_those_that_continue_it(text: str) -> None:
    """Wherever the comment stands in it, and however far it is pushed in."""
    text = text.replace("        player gains 2", "        player gains wage")
    assert codes(text.replace("allow:", "permit:")) == ["L0101"]
    assert codes(text) == []


def test_an_error_stays() -> None:
    """And the comment is said to be without effect."""
    text = "component Player:\n    gold: 0.. = 0\n# allow: unknown-name\neffect pay: do beg\n"
    found = {each.code: each.headline for each in check(text)}
    assert found.keys() == {"L0002", "E0201"}
    assert found["L0002"] == "`unknown-name` is an error, which cannot be allowed"


@pytest.mark.parametrize(
    ("comment", "headline", "safe", "becomes"),
    [
        ("L0101", "`L0101` is a code, and not a name", Applicability.SAFE, "repeated-literal"),
        (
            "repeated-litteral",
            "there is no warning `repeated-litteral`",
            Applicability.UNSAFE,
            "repeated-literal",
        ),
        ("", "nothing is named that is allowed", None, None),
        ("everything", "there is no warning `everything`", None, None),
    ],
)
def test_a_name_of_nothing_is_found(
    comment: str, headline: str, safe: Applicability | None, becomes: str | None
) -> None:
    """With what was meant, if that is clear."""
    text = f"component Player\n# allow: {comment}\n"
    (found,) = check(text)
    assert (found.code, found.headline) == ("L0002", headline)
    assert (found.fix.applicability if found.fix else None) is safe
    if becomes is not None:
        assert f"# allow: {becomes}\n" in mended(text, found)


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("    # allow: dead-rule\n", ""),
        ("    # allow: dead-rule, unused-declaration\n", "    # allow: unused-declaration\n"),
        (
            "    # allow: unused-declaration, dead-rule - a reason\n",
            "    # allow: unused-declaration - a reason\n",
        ),
        (
            "    # allow-file: unused-declaration,dead-rule\n",
            "    # allow-file: unused-declaration\n",
        ),
    ],
)
def test_what_silences_nothing_is_taken_out(comment: str, left: str) -> None:
    """The rest of the text stays as it is."""
    before, after = (
        "component Player:\n    gold: 0.. = 0\n",
        "effect pay(player): player gains 1 gold\n",
    )
    found = [each for each in check(before + comment + after) if each.code == "L0001"]
    assert [each.headline.split("`")[1] for each in found] == ["dead-rule"]
    assert found[0].fix is not None
    assert found[0].fix.applicability is Applicability.SAFE
    assert mended(before + comment + after, found[0]) == before + left + after


def test_a_comment_behind_a_line_is_taken_out_with_its_blanks() -> None:
    """The line stays."""
    text = "component Player   # allow: dead-rule\n"
    (found,) = check(text)
    assert mended(text, found) == "component Player\n"


def test_findings_about_comments_can_be_silenced_too() -> None:
    """By name as others, and that is found if it has no effect."""
    text = "component Player\n# allow-file: unused-suppression\n"
    assert codes(text) == ["L0001"]
    assert codes(text + "# allow-file: dead-rule\n") == []
    assert codes("# allow-file: unknown-suppression, fate\ncomponent Player\n") == []


def test_what_only_a_variant_finds_is_used() -> None:
    """A comment in a variant counts for what is found in the game with it."""
    text = """\
component Player:
    gold: 0.. = 0
option wage: 1..5 = 2 [MKT-1]
effect pay(player): player gains wage gold
phase game:
    each player in Player: do pay(player)
variant rich "Rich" of g:
    after pay(player):
        player gains 2 gold [MKT-1]{}
"""
    assert codes(text.format("")) == ["L0101"]
    assert codes(text.format("  # allow: repeated-literal")) == []


def test_doc_comments_and_other_comments_allow_nothing() -> None:
    """Only a comment that begins with the word and a colon counts."""
    assert codes(GAME.format(behind="", above="## allow: unused-declaration")) == UNUSED
    assert codes(GAME.format(behind=" # we allow: unused-declaration", above="")) == UNUSED
