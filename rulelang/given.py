"""What the language has without a declaration, in words: for editors and for the reference.

The names themselves are declared where they are understood; a test compares.
"""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["DOINGS", "FIELDS", "FUNCTIONS", "NAMES", "TYPES", "Given"]


@attrs.frozen
class Given:
    """One built-in name.

    Attributes:
        form: How it is written, with its arguments; `[...]` may be left out.
        says: What it gives or does, in half a sentence.
    """

    form: str
    says: str


FUNCTIONS: Final[dict[str, Given]] = {
    "count": Given("count(S)", "how many are in a set, list, pile or bag"),
    "sum": Given("sum(S)", "the numbers of a set or list added up; 0 of nothing"),
    "min": Given(
        "min(S), min(a, b, ...)", "the least number of a set or list, or of the arguments"
    ),
    "max": Given(
        "max(S), max(a, b, ...)", "the greatest number of a set or list, or of the arguments"
    ),
    "half": Given("half(n)", "half of a number, rounded down"),
    "first": Given("first(S)", "the first of a set or list; the game stops if it is empty (R0103)"),
    "last": Given("last(S)", "the last of a set or list; the game stops if it is empty (R0103)"),
    "only": Given(
        "only(S)", "the one thing in a set or list; the game stops if there is none or more (R0103)"
    ),
    "maybe": Given("maybe(S)", "the one thing in a set or list, or `none` if it is empty"),
    "top": Given(
        "top(pile[, n])", "what lies uppermost; with n the n uppermost, or as many as there are"
    ),
    "bottom": Given("bottom(pile)", "what lies lowest"),
    "overlap": Given("overlap(S, T)", "whether two sets have a member in common"),
    "subsets": Given("subsets(S)", "all subsets, the empty one included; alike pieces are counted"),
    "position": Given(
        "position(x, S)", "at which place something stands in a set or list: 1 for the first"
    ),
    "clockwise": Given("clockwise(player)", "all players, from that one on"),
    "during": Given("during(doing)", "whether a doing of that name runs now"),
    "distance": Given("distance(map, a, b)", "the least cost of a way from a to b, or `none`"),
    "within": Given("within(map, a, n)", "all places that cost at most n from a, a included"),
    "neighbours": Given("neighbours(map, a)", "all places that one move reaches from a"),
    "nearest": Given(
        "nearest(map, a, S)",
        "those of S at the least distance from a; what cannot be reached is left out",
    ),
}

DOINGS: Final[dict[str, Given]] = {
    "nothing": Given("do nothing", "nothing; where a line is needed"),
    "shuffle": Given("do shuffle(pile)", "brings a pile into a random order"),
    "win": Given(
        "do win(players)",
        "says who has won; play goes on until `end game`, and a later `win` counts",
    ),
    "show": Given(
        "do show(things, players)", "writes a line into the logs of those players; changes nothing"
    ),
}

NAMES: Final[dict[str, Given]] = {
    "none": Given("none", "no thing and no value; as a place: nowhere"),
    "yes": Given("yes", "a Flag that is so"),
    "no": Given("no", "a Flag that is not so; in a clause of a permission: forbids"),
    "it": Given("it", "the thing looked at by the innermost `where`, or by a sort key"),
    "you": Given("you", "in a card: the player who has it"),
    "this": Given("this", "in a card: the card itself"),
    "box": Given("box", "the place of what is out of the game"),
    "supply": Given(
        "from supply, to supply", "in an event: a gain or loss that is not a transfer between two"
    ),
    "random": Given("random", "as last sort key, or as a policy: by chance"),
    "all": Given("automa all", "as a policy: everything that may be chosen"),
    "nothing": Given("do nothing", "a line that does nothing"),
}

TYPES: Final[dict[str, Given]] = {
    "Number": Given("Number", "whole numbers"),
    "Flag": Given("Flag", "`yes` and `no`"),
    "Text": Given("Text", "texts, which are shown and never computed with"),
}

FIELDS: Final[dict[str, Given]] = {
    "automa": Given("player.automa", "whether this seat has no person (Flag)"),
    "left": Given("player.left", "the next player, clockwise"),
    "right": Given("player.right", "the player before, clockwise"),
    "seat": Given("player.seat", "the number of the seat, from 1"),
}
