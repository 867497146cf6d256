"""A recorded game as one HTML file that needs nothing else: the table at every moment, a slider, the story.

What stays the same from one moment to the next is kept once. The file holds the parts of the table that differ, and for
each moment which of them changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING

import attrs
from markupsafe import Markup

from interpreter.decision import SetOf, plain
from interpreter.sight.offers import shown
from interpreter.ui.course import course
from interpreter.ui.loading import hints_for
from interpreter.ui.tabletop.views import Views
from interpreter.ui.web.pages import told
from interpreter.ui.web.panels import Renderer, environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.ui.course import Moment, Recorded
    from interpreter.ui.story import Story
    from interpreter.ui.web.panels import Shown

_QUESTION = "question"


@attrs.define
class _Reel:
    """What the file holds.

    Attributes:
        fragments: Each piece of HTML to its number.
        slots: Each part of the table to its number.
        panels: The panels that were seen, in order; each with its parts when it was first seen.
        moments: For each moment the parts that changed: number of the part to number of the fragment.
        lines: The story: at which moment, how deep, what.
    """

    fragments: dict[str, int] = attrs.field(factory=lambda: {"": 0})
    slots: dict[str, int] = attrs.field(factory=dict)
    panels: dict[str, Shown] = attrs.field(factory=dict)
    moments: list[dict[int, int]] = attrs.field(factory=list)
    lines: list[tuple[int, int, str]] = attrs.field(factory=list)
    _now: dict[int, int] = attrs.field(factory=dict, init=False)

    def add(self, panels: Sequence[Shown], question: str) -> None:
        """Take what is seen at the next moment."""
        self._place(panels)
        parts = [(_QUESTION, question), *(part for panel in panels for part in panel.slots)]
        seen = {
            self.slots.setdefault(name, len(self.slots)): self.fragments.setdefault(
                html, len(self.fragments)
            )
            for name, html in parts
        }
        changed = {slot: part for slot, part in seen.items() if self._now.get(slot, 0) != part}
        changed |= {slot: 0 for slot, part in self._now.items() if part and slot not in seen}
        self._now |= changed
        self.moments.append(changed)

    def _place(self, panels: Sequence[Shown]) -> None:
        """Remember panels; one that is new stands where it stands among the others."""
        if all(panel.key in self.panels for panel in panels):
            return
        order = list(self.panels)
        for number, panel in enumerate(panels):
            if panel.key not in self.panels:
                before = [each.key for each in panels[:number] if each.key in order]
                order.insert(order.index(before[-1]) + 1 if before else 0, panel.key)
                self.panels[panel.key] = panel
        self.panels = {key: self.panels[key] for key in order}


def film(recorded: Recorded, seat: int | None, story: Story) -> str:
    """Write a recorded game as an HTML file.

    Args:
        recorded: The game.
        seat: Whose view it is, from 0; None: everything.
        story: Tells it, to those who may see it.

    Raises:
        ReplayError: The game differs from the recording.
    """
    templates = environment()
    renderer = Renderer(templates)
    views = Views(story.names, hints_for(recorded.game, recorded.program))
    reel = _Reel()
    asking = templates.get_template("asked.html")
    for moment in course(recorded):
        lines = (*story.tell(moment.events), *story.close())
        reel.lines += [(moment.number, *told(line)) for line in lines if line.strip()]
        seen = moment.seen(seat)
        view = views.view(seen, story.headings(), story.running())
        question = asking.render(_question(moment, recorded, seat, views))
        reel.add(renderer.panels(view), question)
    data = {
        "fragments": list(reel.fragments),
        "slots": list(reel.slots),
        "moments": reel.moments,
    }
    folder = files("interpreter.ui.web") / "static"
    style, script = ((folder / name).read_text("utf-8") for name in ("table.css", "film.js"))
    names = story.names
    return templates.get_template("film.html").render(
        title=recorded.program.title,
        whose="everything" if seat is None else f"what {names.seat(seat)} sees",
        style=Markup(style),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - the same
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'",
        data=Markup(_embedded(data)),  # noqa: S704 - no markup can be in it
        panels=list(reel.panels.values()),
        lines=reel.lines,
        last=len(reel.moments) - 1,
    )


def _question(
    moment: Moment, recorded: Recorded, seat: int | None, views: Views
) -> dict[str, object]:
    """Give what is asked, and what is answered to it, as far as it is for these eyes."""
    names, decision = views.names, moment.decision
    if decision is None:
        winners = [names.seat(each) for each in moment.match.winners or ()]
        return {"over": True, "winners": winners, "who": "", "question": None, "taken": frozenset()}
    who = names.seat(decision.seat)
    if seat not in {None, decision.seat}:
        return {"over": False, "winners": [], "who": who, "question": None, "taken": frozenset()}
    seen = moment.seen(seat)
    question = views.question(seen, decision, shown(lambda: seen, decision))
    answers = recorded.replay.answers
    taken: frozenset[object] = frozenset()
    if moment.number < len(answers):
        answer = plain(answers[moment.number].answer)
        chosen = answer if isinstance(decision.options, SetOf) else (answer,)
        values = chosen if isinstance(chosen, tuple) else ()
        taken = frozenset(
            number
            for number, group in enumerate(decision.options.groups, 1)
            if any(_is(value, each) for value in values for each in group)
        )
        firsts = {group[0]: n for n, group in enumerate(decision.options.groups, 1)}
        taken = frozenset(
            choice.number for choice in question.choices if firsts[choice.value] in taken
        )
    return {"over": False, "winners": [], "who": who, "question": question, "taken": taken}


def _is(value: object, other: object) -> bool:
    """Are they the same, a flag never being a number?"""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _embedded(data: object) -> str:
    """Write data so that they can stand in a page: nothing in them ends the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
