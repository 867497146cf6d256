"""Which classics OpenSpiel has too, and how its actions are told from ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchmarks.spiel.comparing import Same

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.spiel.comparing import Steps, Translate
    from interpreter.solving.positions import Position
    from rulelang.ir import Program


_SEALED: Final = "turn_based_simultaneous_game(game=goofspiel({}))"


def _base(program: Program, kind: str) -> int:
    return next(each.base for each in program.kinds if each.name == kind)


def _last(steps: Steps) -> Any:  # noqa: ANN401 - whatever was answered
    """What was answered or drawn last; of a step of chance the only draw."""
    path, label = steps[-1]
    return label[0] if path == "chance" else label


def _cards(program: Program) -> Translate:
    """Draws are cards, by number; answers are labels in the same order."""
    base = _base(program, "Card")
    return lambda steps, _: _last(steps) - (base if steps[-1][0] == "chance" else 0)


def _things(kind: str) -> Callable[[Program], Translate]:
    """All answers are things of one kind."""

    def of(program: Program) -> Translate:
        base = _base(program, kind)
        return lambda steps, _: _last(steps) - base

    return of


def _dice(_: Program) -> Translate:
    """Dice count from 1 with us; answers are labels in the same order."""
    return lambda steps, _: _last(steps) - (1 if steps[-1][0] == "chance" else 0)


def _dice_and_numbers(_: Program) -> Translate:
    """Dice and answers count from 1 with us."""
    return lambda steps, _: _last(steps) - 1


def _liar(program: Program) -> Translate:
    """Dice count from 1 with us; claims are things in the same order."""
    base = _base(program, "Claim")
    return lambda steps, _: _last(steps) - (1 if steps[-1][0] == "chance" else base)


def _nim(program: Program) -> Translate:
    """The pile, then the number."""
    base = _base(program, "Pile")

    def translate(steps: Steps, _: Position) -> int | None:
        if len(steps) == 1:
            return None
        return int((_last(steps) - 1) * 4 + _last(steps[:1]) - base)

    return translate


def _breakthrough(columns: int) -> Callable[[Program], Translate]:
    """From where, in which of six directions, and whether something is captured."""

    def of(program: Program) -> Translate:
        base = _base(program, "Cell")
        piece = next(field.index for field in program.fields if field.name == "piece")

        def translate(steps: Steps, here: Position) -> int | None:
            if len(steps) == 1:
                return None
            (row, column), (to_row, to_column) = (divmod(label - base, 8) for _, label in steps)
            direction = to_column - column + (1 if to_row > row else 4)
            match = here.match
            captured = match.layout.read(match.standing_slots(), piece, steps[1][1]) is not None
            return int(((row * columns + column) * 6 + direction) * 2 + captured)

        return translate

    return of


def _goofspiel(program: Program) -> Translate:
    """Cards count from 0, and everybody has their own."""
    base = _base(program, "Card")
    return lambda steps, _: (_last(steps) - base) % 13


def _sheriff(options: dict[str, int]) -> Callable[[Program], Translate]:
    """Answers first, then goods, then bribes."""

    def of(_: Program) -> Translate:
        def translate(steps: Steps, _: Position) -> int | None:
            path, answer = steps[-1]
            if path.startswith("answer"):
                return 1 - int(answer)
            return int(answer) + (2 if path.startswith("pack") else 3 + options["most_items"])

        return translate

    return of


def _battleship(columns: int, rows: int) -> Callable[[Program], Translate]:
    """Places to shoot at, then ships that lie across, then ships that stand upright, by their first place."""

    def of(program: Program) -> Translate:
        cells, berths = _base(program, "Cell"), _base(program, "Berth")
        parts = next(field.values for field in program.fields if field.name == "cells")

        def place(cell: int) -> int:
            row, column = divmod(cell - cells, 3)
            return row * columns + column

        def translate(steps: Steps, _: Position) -> int | None:
            path, answer = steps[-1]
            if path.startswith("fire"):
                return place(answer)
            lies: Any = parts[answer - berths]
            upright = len(lies) > 1 and lies[1] - lies[0] > 1
            return place(lies[0]) + columns * rows * (1 + upright)

        return translate

    return of


def _sheriff_of(bribe: int, items: int, rounds: int) -> Same:
    options = {"most_bribe": bribe, "most_items": items, "rounds": rounds}
    name = f"sheriff(max_bribe={bribe},max_items={items},num_rounds={rounds})"
    return Same("sheriff", name, _sheriff(options), options=options)


def _battleship_of(columns: int, rows: int, shots: int, *ships: int) -> Same:
    sizes, worth = ";".join(map(str, ships)), ";".join("1" for _ in ships)
    name = (
        f"battleship(board_width={columns},board_height={rows},num_shots={shots},ship_sizes=[{sizes}],"
        f"ship_values=[{worth}],allow_repeated_shots=false)"
    )
    first, second = (*ships, 0)[:2]
    options = {
        "columns": columns,
        "rows": rows,
        "shots": shots,
        "first_ship": first,
        "second_ship": second,
    }
    return Same("battleship", name, _battleship(columns, rows), options=options)


GAMES: Final = (
    Same("kuhn", "kuhn_poker", _cards, nodes=58),
    Same("kuhn", "kuhn_poker(players=3)", _cards, people=3, nodes=617),
    Same("leduc", "leduc_poker", _cards, nodes=9457),
    Same("tic_tac_toe", "tic_tac_toe", _things("Cell")),
    Same("pig", "pig(winscore=20)", _dice, options={"goal": 20}, knows=False),
    Same("pig", "pig(players=3,winscore=30)", _dice, people=3, options={"goal": 30}, knows=False),
    _sheriff_of(3, 3, 1),
    _sheriff_of(5, 5, 3),
    _battleship_of(2, 2, 2, 1),
    _battleship_of(2, 2, 3, 1, 2),
    _battleship_of(3, 2, 3, 1),
    Same("tiny_hanabi", "tiny_hanabi", _dice_and_numbers, nodes=55),
    Same("liars_dice", "liars_dice", _liar),
    Same(
        "goofspiel",
        _SEALED.format("num_cards=4,points_order=descending,imp_info=true"),
        _goofspiel,
        nodes=1077,
    ),
    Same(
        "goofspiel",
        _SEALED.format("num_cards=13,points_order=descending,imp_info=true"),
        _goofspiel,
        options={"cards": 13},
    ),
    Same("connect_four", "connect_four", _things("Lane")),
    Same("breakthrough", "breakthrough", _breakthrough(8), knows=False),
    Same(
        "breakthrough",
        "breakthrough(rows=6,columns=5)",
        _breakthrough(5),
        options={"rows": 6, "columns": 5},
        knows=False,
    ),
    Same(
        "breakthrough",
        "breakthrough(rows=5,columns=5)",
        _breakthrough(5),
        options={"rows": 5, "columns": 5},
        knows=False,
    ),
    Same("nim", "nim(is_misere=false)", _nim),
    Same("nim", "nim(is_misere=true)", _nim, options={"misere": True}),
)
"""All of them."""
