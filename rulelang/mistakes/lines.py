"""Colons that are missing, and lines that are too deep."""

from __future__ import annotations

import attrs

from rulelang.diagnostics import Applicability, Edit, Label
from rulelang.lexer import Token
from rulelang.machine import simulate
from rulelang.mistakes.situation import (
    Finding,
    Situation,
    finding,
)


def continued_line(at: Situation) -> Finding | None:
    """A deeper line that was not meant to go on: its colon is missing above, or it is too deep."""
    token = at.token
    if not at.place or not at.continues(token):
        return None
    last = at.tokens[at.place - 1]
    if "_COLON" in at.accepted and at.machine.try_types(["_COLON", "_NL", "_INDENT"]) == 3:
        found = missing_colon(at, last)
        return attrs.evolve(found, colon_after=last.start)
    if any(part.type == "_COLON" for part in at.tokens[: at.place]):
        return finding(
            at,
            "E0102",
            "after a colon stands one statement, or a block",
            label="this line is deeper, but its block has ended with the line above",
            advice="begin a new line after the colon",
        )
    deeper = range(at.place + 1, len(at.tokens))
    following = next((place for place in deeper if at.continues(at.tokens[place])), len(at.tokens))
    rest = [part.type for part in at.tokens[at.place : following]]
    alone = simulate(at.mark.states, rest)
    if "_NL" not in at.accepted or (alone < 2 and rest[0] == "NAME"):
        return None
    found = finding(
        at,
        "E0101",
        "this line is deeper than its block",
        token=token,
        label="so it goes on with the line above",
        secondary=(Label(at.span(at.line.tokens[0]), "that line begins here"),),
        advice="give it the same number of spaces as the line above",
    )
    return attrs.evolve(found, starts_line=token.start)


def missing_colon(at: Situation, last: Token) -> Finding:
    """Report a colon that is missing behind a token."""
    place = at.source.span(last.end, last.end)
    return finding(
        at,
        "E0102",
        "a colon is missing at the end of this line",
        token=last,
        label="`:` after this",
        notes=("A line with a block under it ends with a colon.",),
        advice="add `:`",
        edit=Edit(place, ":"),
        safe=True,
    )


def colon_within(at: Situation) -> Finding | None:
    """`if x is 3 player gains 1 gold`."""
    if "_COLON" not in at.accepted or at.before is None:
        return None
    if at.token.type == "_NL" and not at.has_block:
        found = missing_colon(at, at.before)
        diagnostic = attrs.evolve(found.diagnostic, headline="a block is missing under this line", fix=None,
                                  help="end the line with `:` and say below what happens")  # fmt: skip
        if at.machine.try_types(["_COLON", "_NL", "_INDENT"]) == 3 and "_NL" not in at.accepted:
            return Finding(diagnostic)
        return None
    bare_name = at.place == 1 and not at.mark.values
    if bare_name or not at.fits(["_COLON"]):
        return None
    found = missing_colon(at, at.before)
    colon = Token("_COLON", ":", at.before.end, at.before.end)
    headline = (
        "a colon is missing at the end of this line"
        if at.token.type == "_NL"
        else "a colon is missing"
    )
    fix = found.diagnostic.fix
    if fix and at.place == 1 and at.before.type == "NAME":
        # A line that begins with any name may be something else than an entry without its colon.
        fix = attrs.evolve(fix, applicability=Applicability.UNSAFE)
    return attrs.evolve(
        found,
        diagnostic=attrs.evolve(found.diagnostic, headline=headline, fix=fix),
        repaired=at.replaced([colon], 0),
    )


def block_behind_colon(at: Situation) -> Finding | None:
    """`phase game: do nothing`, `effect rest(player): if player.gold > 3:`: these need lines of their own."""
    types = [token.type for token in at.tokens]
    for place, kind in enumerate(types[: at.place]):
        if kind != "_COLON" or place + 1 == len(types):
            continue
        below = [*types[: place + 1], "_NL", "_INDENT", *types[place + 1 :], *at.tail]
        if simulate(at.mark.states, below) == len(below):
            end = at.tokens[-1].end
            idle = [
                *at.tokens[: place + 1],
                Token("DO", "do", end, end),
                Token("NAME", "nothing", end, end),
            ]
            return finding(
                at,
                "E0102",
                "this needs a line of its own",
                token=at.tokens[place + 1],
                label="it cannot stand behind this colon",
                notes=(
                    "Behind the colon of an effect, a branch or a loop stands one plain statement.",
                ),
                advice="begin a new line after the colon, four spaces deeper",
                repaired=idle if at.line_fits(idle) else None,
            )
    return None
