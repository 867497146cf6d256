"""Which classics OpenSpiel has too, and how its actions are told from ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchmarks.spiel.comparing import Same

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.spiel.comparing import Steps
    from rulelang.ir import Program


def _base(program: Program, kind: str) -> int:
    return next(each.base for each in program.kinds if each.name == kind)


def _last(steps: Steps) -> Any:  # noqa: ANN401 - whatever was answered
    """What was answered or drawn last; of a step of chance the only draw."""
    path, label = steps[-1]
    return label[0] if path == "chance" else label


def _cards(program: Program) -> Callable[[Steps], int | None]:
    """Draws are cards, by number; answers are labels in the same order."""
    base = _base(program, "Card")
    return lambda steps: _last(steps) - (base if steps[-1][0] == "chance" else 0)


def _things(kind: str) -> Callable[[Program], Callable[[Steps], int | None]]:
    """All answers are things of one kind."""

    def of(program: Program) -> Callable[[Steps], int | None]:
        base = _base(program, kind)
        return lambda steps: _last(steps) - base

    return of


def _dice(_: Program) -> Callable[[Steps], int | None]:
    """Dice count from 1 with us; answers are labels in the same order."""
    return lambda steps: _last(steps) - (1 if steps[-1][0] == "chance" else 0)


def _nim(program: Program) -> Callable[[Steps], int | None]:
    """The pile, then the number."""
    base = _base(program, "Pile")

    def translate(steps: Steps) -> int | None:
        if len(steps) == 1:
            return None
        return int((_last(steps) - 1) * 4 + _last(steps[:1]) - base)

    return translate


GAMES: Final = (
    Same("kuhn", "kuhn_poker", _cards, nodes=58),
    Same("kuhn", "kuhn_poker(players=3)", _cards, people=3, nodes=617),
    Same("leduc", "leduc_poker", _cards, nodes=9457),
    Same("tic_tac_toe", "tic_tac_toe", _things("Cell")),
    Same("pig", "pig(winscore=20)", _dice, options={"goal": 20}, knows=False),
    Same("pig", "pig(players=3,winscore=30)", _dice, people=3, options={"goal": 30}, knows=False),
    Same("nim", "nim(is_misere=false)", _nim),
    Same("nim", "nim(is_misere=true)", _nim, options={"misere": True}),
)
"""All of them."""
