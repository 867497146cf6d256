"""What the pages show, made of what the host or a seat sees: content for the templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import attrs

from interpreter.ui.web.room import LONGEST_QUESTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interpreter.decision import Decision
    from interpreter.ui.tabletop.model import Question
    from interpreter.ui.web.hall import Hall
    from interpreter.ui.web.panels import Renderer
    from interpreter.ui.web.room import Room

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
        hint: Whether the ruleset's own policy, or a search, is asked.
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


def seat_page(
    room: Room, seat: int, asked: Questions, notice: Notice, renderer: Renderer
) -> dict[str, Any]:
    """Give what a seat sees."""
    with room.lock:
        view = room.view(seat)
        stamp = room.stamp
        answers = list(_answers(room, seat, asked))
    question, decision = view.asked, view.decision
    choices = () if question is None else question.choices
    offered = frozenset(thing for choice in choices for thing in choice.things)
    return {
        "title": room.sitting.program.title,
        "name": room.names.seat(seat),
        "version": view.version,
        "stamp": stamp,
        "waiting": view.waiting,
        "winners": view.winners,
        "stopped": view.stopped,
        "notice": notice.text,
        "panels": renderer.panels(view.table, offered),
        "story": _story(view.story, asked),
        "cut": not asked.everything and not asked.search and len(view.story) > _SHOWN_LINES,
        "asked": None
        if question is None or decision is None
        else _question(question, decision, asked, notice),
        "questions": asked,
        "answers": answers,
    }


def _story(lines: Sequence[str], asked: Questions) -> list[tuple[int, str]]:
    """Give the lines that are shown: how deep each is, and its text."""
    if asked.search:
        word = asked.search.casefold()
        lines = [line for line in lines if word in line.casefold()]
    elif not asked.everything:
        lines = lines[-_SHOWN_LINES:]
    return [told(line) for line in lines if line.strip()]


def told(line: str) -> tuple[int, str]:
    """Take a line of a story apart: how deep it is, and its text without the breaks that a terminal needs."""
    depth = (len(line) - len(line.lstrip())) // 2
    return min(depth, 6), " ".join(part.strip() for part in line.strip().splitlines())


def _question(
    question: Question, decision: Decision, wanted: Questions, notice: Notice
) -> dict[str, Any]:
    word = wanted.filter.casefold()
    # What lies face down has no name that rules could be asked about.
    keys = {option.value: option.key for option in decision.options}
    return {
        "prompt": question.prompt,
        "path": question.path,
        "doc": question.doc,
        "cites": question.citations,
        "secret": question.secret,
        "several": question.least is not None,
        "least": 1 if question.least is None else question.least,
        "most": 1 if question.most is None else question.most,
        "has_policy": decision.policy is not None,
        "has_filter": len(question.choices) >= MANY,
        "options": [
            {
                "number": choice.number,
                "text": choice.text,
                "key": choice.key if keys[choice.value] == choice.key else "",
                "count": choice.count,
                "picked": choice.number in notice.picked,
            }
            for choice in question.choices
            if word in choice.text.casefold()
        ],
        "count": len(question.choices),
    }


def _answers(room: Room, seat: int, asked: Questions) -> Iterator[dict[str, Any]]:
    """Answer what was asked beside the table."""
    if asked.hint:
        hint = room.hint(seat)
        if hint is None:
            lines = [(0, "Neither the ruleset nor a search knows advice here.")]
        else:
            lines = [(0, hint.what), (1, hint.why)]
        yield {"title": "Hint", "lines": [each for each in lines if each[1]]}
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
