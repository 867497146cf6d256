"""What a policy works out for each of many answers is worked out once while it is asked.

Nothing changes while a policy is asked. So its function begins with an empty memory and hands it on: functions of
definitions that it reaches get a second version, which looks there first. This works on generated syntax.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.repeats import unshared

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

MEMORY = "K"
"""What holds the answers, in functions of policies."""

FOUND = "r"
"""What was found there."""

_POLICY = re.compile(r"policy\d+")
_HELPER = re.compile(r"[fh]\d+")
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp)


def with_memory(
    functions: Sequence[ast.FunctionDef], single: Collection[str]
) -> list[ast.FunctionDef]:
    """The same functions, policies with a memory, and what these need.

    Args:
        functions: All functions.
        single: Those that get nothing but single values; their answers can be remembered.
    """
    known = {each.name: each for each in functions}
    calls = {name: _called(each) for name, each in known.items()}
    reached = _reaching(calls, (name for name in known if _POLICY.fullmatch(name)))
    helpers = reached & {name for name in known if _HELPER.fullmatch(name)}
    helpers -= {name for name in helpers if f"{name}_made" in known}  # these remember for good
    long = _leading_to(calls, {name for name in helpers if _loops(known[name])}) & helpers
    kept = long & set(single)
    copied = _leading_to(calls, kept) & helpers
    made: list[ast.FunctionDef] = []
    for each in functions:
        if _POLICY.fullmatch(each.name) and calls[each.name] & copied:
            changed = _copy(each, copied)
            changed.body.insert(0, q.assign(MEMORY, ast.Dict([], [])))
            made.append(changed)
            continue
        made.append(each)
        if each.name in copied:
            made += _remembering(each, copied) if each.name in kept else [_asked(each, copied)]
    return made


def _loops(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, _LOOPS) for node in ast.walk(function))


def _called(function: ast.FunctionDef) -> frozenset[str]:
    """The functions that a function calls."""
    return frozenset(
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )


def _reaching(calls: dict[str, frozenset[str]], start: Iterable[str]) -> set[str]:
    """What is called from somewhere, over however many others."""
    found: set[str] = set()
    left = list(start)
    while left:
        name = left.pop()
        if name not in found and name in calls:
            found.add(name)
            left += calls[name]
    return found


def _leading_to(calls: dict[str, frozenset[str]], goals: set[str]) -> set[str]:
    """What calls something, over however many others, and that itself."""
    callers: dict[str, set[str]] = {}
    for name, each in calls.items():
        for called in each:
            callers.setdefault(called, set()).add(name)
    return _reaching(
        {name: frozenset(callers.get(name, ())) for name in calls},
        goals,
    )


def _name(name: str) -> str:
    return f"{name}_asked"


class _Redirecting(ast.NodeTransformer):
    """Calls the second versions of functions, with the memory behind the state."""

    def __init__(self, copied: set[str]) -> None:
        self._copied = copied

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Redirect a call."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._copied:
            node.func = ast.copy_location(ast.Name(_name(node.func.id), ast.Load()), node.func)
            node.args.insert(1, ast.copy_location(ast.Name(MEMORY, ast.Load()), node.func))
        return node


def _copy(function: ast.FunctionDef, copied: set[str]) -> ast.FunctionDef:
    made = _Redirecting(copied).visit(unshared(function))
    assert isinstance(made, ast.FunctionDef)
    return made


def _asked(function: ast.FunctionDef, copied: set[str], end: str = "") -> ast.FunctionDef:
    """The second version, which gets the memory."""
    made = _copy(function, copied)
    made.name = _name(function.name) + end
    made.args.args.insert(1, ast.arg(MEMORY))
    return made


def _remembering(function: ast.FunctionDef, copied: set[str]) -> list[ast.FunctionDef]:
    """The second version and what looks into the memory before."""
    made = _asked(function, copied, "_made")
    params = [each.arg for each in function.args.args[1:]]
    key = q.tuple_([q.const(function.name), *(q.name(each) for each in params)])
    find = q.call(made.name, q.name("S"), q.name(MEMORY), *(q.name(each) for each in params))
    keep = ast.Assign([q.sub_store(q.name(MEMORY), key), ast.Name(FOUND, ast.Store())], find)
    look = _asked(function, set())
    look.body = [
        q.assign(FOUND, q.method(q.name(MEMORY), "get", key, q.name(MEMORY))),
        q.if_(q.compare(q.name(FOUND), "is", q.name(MEMORY)), [keep]),
        q.give(q.name(FOUND)),
    ]
    return [made, look]
