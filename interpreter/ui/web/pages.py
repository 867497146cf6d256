"""What the pages show, made of what the host or a seat sees: content for the templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import attrs

from interpreter.decision import SetOf
from interpreter.ui.web.room import LONGEST_QUESTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.decision import Option
    from interpreter.ui.web.hall import Hall
    from interpreter.ui.web.room import Asked, Room

_SHOWN_LINES = 40
MANY = 12
"""From so many options on there is a filter."""


@attrs.frozen
class Questions:
    """What somebody wants to know beside the table.

    Attributes:
        why: An expression.
        why_not: An option, as rules write it.
        filter: Only options with this text are shown.
        search: Only lines of the story with this text are shown.
        hint: Whether the ruleset's own policy is asked.
        everything: Whether the whole story is shown.
    """

    why: str = ""
    why_not: str = ""
    filter: str = ""
    search: str = ""
    hint: bool = False
    everything: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """Read them from an address."""
        texts = {
            name: query.get(name, "").strip()[:LONGEST_QUESTION]
            for name in ("why", "why_not", "filter", "search")
        }
        return cls(**texts, hint="hint" in query, everything=query.get("story") == "all")


@attrs.frozen
class Notice:
    """What is said about an answer that was not taken.

    Attributes:
        text: Why not; empty if there is nothing to say.
        picked: Numbers of the options that it chose.
    """

    text: str = ""
    picked: frozenset[int] = frozenset()


def seat_page(room: Room, seat: int, asked: Questions, notice: Notice) -> dict[str, Any]:
    """Give what a seat sees."""
    with room.lock:
        view = room.view(seat)
        lines = tuple(room.board(seat).lines(view.seen))
        story = _story(view.story, asked)
        return {
            "title": room.sitting.program.title,
            "name": room.names.seat(seat),
            "version": view.version,
            "stamp": room.stamp,
            "waiting": view.waiting,
            "winners": view.winners,
            "stopped": view.stopped,
            "notice": notice.text,
            "table": lines,
            "story": story,
            "cut": not asked.everything and not asked.search and len(view.story) > _SHOWN_LINES,
            "asked": None if view.asked is None else _question(view.asked, asked, notice),
            "questions": asked,
            "answers": list(_answers(room, seat, asked)),
        }


def _story(lines: Any, asked: Questions) -> list[tuple[int, str]]:  # noqa: ANN401
    """Give the lines that are shown: how deep each is, and its text."""
    if asked.search:
        word = asked.search.casefold()
        lines = [line for line in lines if word in line.casefold()]
    elif not asked.everything:
        lines = lines[-_SHOWN_LINES:]
    return [
        (min((len(line) - len(line.lstrip())) // 2, 6), line.strip())
        for line in "\n".join(lines).replace("\n      ", " ").splitlines()
    ]


def _question(asked: Asked, wanted: Questions, notice: Notice) -> dict[str, Any]:
    decision = asked.decision
    domain = decision.options
    word = wanted.filter.casefold()
    several = isinstance(domain, SetOf)
    # What lies face down has no name that rules could be asked about.
    keys = {option.value: option.key for option in domain}
    return {
        "prompt": decision.prompt or decision.path.rsplit(".", 1)[-1].replace("_", " "),
        "path": decision.path,
        "doc": decision.doc,
        "cites": asked.cites,
        "secret": decision.secret,
        "several": several,
        "least": domain.least if isinstance(domain, SetOf) else 1,
        "most": domain.most if isinstance(domain, SetOf) else 1,
        "has_hint": decision.policy is not None,
        "has_filter": len(asked.options) >= MANY,
        "options": [
            _option(number, option, notice, known=keys[option.value] == option.key)
            for number, option in enumerate(asked.options, 1)
            if word in option.text.casefold()
        ],
        "count": len(asked.options),
    }


def _option(number: int, option: Option, notice: Notice, *, known: bool) -> dict[str, Any]:
    return {
        "number": number,
        "text": option.text,
        "key": option.key if known else "",
        "count": option.count,
        "picked": number in notice.picked,
    }


def _answers(room: Room, seat: int, asked: Questions) -> Iterator[dict[str, Any]]:
    """Answer what was asked beside the table."""
    if asked.hint:
        hint = room.hint(seat)
        text = f"The automa would choose: {hint}." if hint else "The automa knows nothing here."
        yield {"title": "Hint", "lines": [(0, text)]}
    if asked.why:
        yield {"title": "Why", "lines": _indented(room.why(seat, asked.why))}
    if asked.why_not:
        yield {"title": "Why, or why not", "lines": _indented(room.why_not(seat, asked.why_not))}


def _indented(lines: list[str]) -> list[tuple[int, str]]:
    return [((len(line) - len(line.lstrip())) // 2, line.strip()) for line in lines]


# ----------------------------------------------------------------------------------------- host


def host_page(hall: Hall, base: str, people: int | None, trouble: str) -> dict[str, Any]:
    """Give what the host sees: all games with the links of their seats, and what a new one needs."""
    low, high = hall.program.players
    most = min(high, hall.people if low == high else high)
    number = min(max(people or hall.people, low), most)
    kinds = hall.kinds()
    return {
        "title": hall.program.title,
        "trouble": trouble,
        "form": hall.keys.form("host"),
        "games": [_game(hall, base, each.name, each.room, each.trouble) for each in hall.listed()],
        "kinds": [(kind, _KINDS.get(kind, kind)) for kind in kinds],
        "numbers": list(range(low, most + 1)),
        "people": number,
        "seats": [
            {"number": seat, "who": hall.table.seats.get(seat, "human"), "name": f"Player {seat}"}
            for seat in range(1, number + 1)
        ],
    }


_KINDS = {
    "human": "a person, by link",
    "automa": "the ruleset's automa",
    "random": "random choices",
}


def _game(hall: Hall, base: str, name: str, room: Room | None, trouble: str) -> dict[str, Any]:
    if room is None:
        return {"name": name, "trouble": trouble, "status": "", "seats": []}
    with room.lock:
        pending, match = room.match.pending, room.match
        if match.over:
            winners = [room.names.seat(seat) for seat in match.winners or ()]
            status = f"over; {', '.join(winners) or 'nobody'} won"
        elif pending is not None:
            status = f"{room.names.seat(pending.seat)} is asked"
        else:
            status = ""
        people = room.people()
        seats = [
            {
                "name": room.names.seat(seat),
                "who": room.sitting.table.who(seat + 1),
                "link": f"{base}join/{name}/{seat + 1}/{hall.keys.seat(name, seat)}"
                if seat in people
                else "",
            }
            for seat in range(room.sitting.people)
        ]
        return {
            "name": name,
            "trouble": trouble,
            "status": f"{status}, after {room.version} answers",
            "seats": seats,
        }
