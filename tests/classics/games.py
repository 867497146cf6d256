"""The classics as the tests want them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from interpreter.solving.extensive import Extensive, extensive
from interpreter.solving.markov import Graph, graph
from interpreter.solving.positions import Tree
from rulelang import load_ruleset

if TYPE_CHECKING:
    from rulelang.ir import Program


@cache
def program(game: str, people: int = 2) -> Program:
    """A classic for so many people."""
    return load_ruleset(game, people=people)


def tree(game: str, people: int = 2, /, **options: object) -> Tree:
    """A classic with some options set."""
    return Tree(program(game, people), options=options)


@cache
def whole(game: str, people: int = 2) -> Extensive:
    """All of a small classic."""
    return extensive(tree(game, people))


@cache
def states(game: str, people: int = 2) -> Graph:
    """All that differs in a classic."""
    return graph(tree(game, people))
