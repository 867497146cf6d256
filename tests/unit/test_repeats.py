"""What a function works out twice is worked out once, and nothing is taken from where it may not have been."""

from __future__ import annotations

import ast

import pytest

from interpreter.compiling.emit.repeats import without_repeats


class Counting(list[int]):
    """A state that counts how often slices of it are looked at."""

    looks = 0

    def __getitem__(self, key: object) -> object:  # type: ignore[override]
        """Look."""
        if isinstance(key, slice):
            self.looks += 1
        return list.__getitem__(self, key)  # type: ignore[call-overload]


def run(text: str, argument: int, *, shared: bool) -> tuple[object, int]:
    """The result of a function ``f0(S, x)`` and how many slices of the state it looked at."""
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    if shared:
        tree.body[0] = without_repeats(function)
    space: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(tree), "text", "exec"), space)  # noqa: S102 - text of this test
    state = Counting([3, 1, 1, 2, 3, 1])
    made = space["f0"]
    assert callable(made)
    return made(state, argument), state.looks


CASES = {
    "both sides": ("return S[x:x + 3].count(1) + S[x:x + 3].count(3)", 1),
    "intermediate names": ("return S[(t1 := x + 1):t1 + 3].count(1) - S[(t2 := x + 1):t2 + 3].count(1)", 1),
    "later lines": ("a = S[x:x + 2].count(1)\n if a: return 7\n return S[x:x + 2].count(1)", 1),
    "a test before": ("return 5 if S[x:x + 2].count(1) > 1 else S[x:x + 2].count(1)", 1),
    "other branch": ("return S[x:x + 2].count(1) if x else S[x:x + 2].count(1)", 1),
    "perhaps not passed": ("a = x and S[x:x + 2].count(1)\n return a or S[x:x + 2].count(1)", 1),
    "name changes": ("a = S[x:x + 2].count(1)\n x = x + 1\n return a + S[x:x + 2].count(1)", 2),
    "name changes in a loop": (
        "a = 0\n for x in (1, 2):\n  a += S[x:x + 2].count(1) + S[x:x + 2].count(1)\n return a", 2,
    ),
    "before a loop": ("a = S[x:x + 2].count(1)\n for y in (1, 2):\n  a += S[x:x + 2].count(1)\n return a", 1),
    "a list that grows": ("t1 = [1]\n a = len(t1[0:x + 9])\n t1.append(2)\n return a + len(t1[0:x + 9])", 0),
}  # fmt: skip


@pytest.mark.parametrize("argument", [0, 1, 2])
@pytest.mark.parametrize("name", list(CASES))
def test_same_result(name: str, argument: int) -> None:
    """The result is the same, and no more is looked at than before."""
    text = "def f0(S, x):\n " + CASES[name][0]
    plain, looks = run(text, argument, shared=False)
    shared, fewer = run(text, argument, shared=True)
    assert shared == plain
    assert fewer <= looks


@pytest.mark.parametrize("name", list(CASES))
def test_worked_out_once(name: str) -> None:
    """Slices are looked at as often as need be."""
    body, looks = CASES[name]
    assert run("def f0(S, x):\n " + body, 0, shared=True)[1] == looks


def test_writing_functions_stay() -> None:
    """A function that writes the state is left as it is."""
    text = "def f0(S, x):\n a = S[x:x + 2].count(1)\n S[1] = 5\n return a + S[x:x + 2].count(1)"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert without_repeats(function) is function
