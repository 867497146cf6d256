"""What a search has found out about a decision."""

from __future__ import annotations

import attrs


@attrs.frozen
class Ranked:
    """An answer as the search sees it.

    Attributes:
        answer: In the decision's form.
        text: For people.
        key: As rules and scripts write it.
        visits: In how many worlds it was tried.
        value: What came of it on average, from 0 (lost) to 1 (won alone).
    """

    answer: object
    text: str
    key: str
    visits: int
    value: float


@attrs.frozen
class Advice:
    """What a search has found out about a decision.

    Attributes:
        ranked: The answers that were tried, best first; empty if no world could be played.
        playouts: How many were played.
        automa: What the ruleset's policy answers in most of them, for people; None: it has none.
    """

    ranked: tuple[Ranked, ...]
    playouts: int
    automa: str | None = None
