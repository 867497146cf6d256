"""Every lint is registered, has a code and a page, and only looks where a ruleset could be played."""

from __future__ import annotations

import pkgutil

import pytest

from rulelang import api, lints
from rulelang.codes import CODES, explanation
from rulelang.diagnostics import Severity
from rulelang.fuzzing import generate

ABOUT_COMMENTS = frozenset(("L0001", "L0002"))
FOUND_BY_PLAYING = frozenset(("L0205",))


def test_each_module_is_a_lint() -> None:
    """A module in the folder is found; its code is a warning with a page, and no two share one."""
    modules = [module.name for module in pkgutil.iter_modules(lints.__path__)]
    found = lints.lints()
    assert len(found) == len(modules) > 0
    assert len({lint.code for lint in found}) == len(found)
    for lint in found:
        assert CODES[lint.code].severity is Severity.WARNING
        assert explanation(lint.code)
        assert lint.find is not None or lint.survey is not None


def test_each_code_has_a_lint() -> None:
    """A code that begins with L is not only a page."""
    codes = {code for code in CODES if code.startswith("L")}
    codes -= ABOUT_COMMENTS | FOUND_BY_PLAYING
    assert codes <= {lint.code for lint in lints.lints()}


GAME = """\
component Player:
    gold: 0.. = 0
option wage: 1..5 = 2
phase game:
    each player in Player: player gains {what} gold
"""


@pytest.mark.parametrize(("what", "codes"), [("2", ["E0704"]), ("silver", ["E0201"]), ("wage", [])])
def test_lints_wait_for_errors(what: str, codes: list[str]) -> None:
    """Where something cannot be understood no advice is given."""
    assert [each.code for each in api.check_text(GAME.format(what=what))] == codes


@pytest.mark.parametrize("seed", range(12))
def test_lints_never_fail(seed: int) -> None:
    """Whatever can be played can be looked at, and twice with the same result."""
    texts = generate(seed)
    first, second = (api.check_texts(texts) for _ in range(2))
    assert not first.has_errors
    shown = [[(each.code, str(each.span)) for each in one.diagnostics] for one in (first, second)]
    assert shown[0] == shown[1]
