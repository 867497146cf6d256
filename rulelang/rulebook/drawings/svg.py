"""Drawings as SVG documents, in the colours of a light or dark scheme; what is pointed at says what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import drawsvg  # type: ignore[import-untyped] # it has no types

from rulelang.rulebook.model import clean

if TYPE_CHECKING:
    from rulelang.rulebook.drawings.course import Box, Course, Rule
    from rulelang.rulebook.drawings.places import Map, Place, Way

_ROW: Final = 24
_LINE: Final = 17
_PAD: Final = 10
_GAP: Final = 12
_INDENT: Final = 14
_LETTER: Final = 7  # what a letter of a label takes on average
_BOX_WIDTH: Final = 250
_RULE_WIDTH: Final = 260
_LANE: Final = 120
_WIDTH: Final = 1100
_MARGIN: Final = 70
_FEW: Final = 60
_STYLE: Final = """
svg { --paper: #fdfcf8; --ink: #22211d; --faint: #6b675c; --line: #8b8574; --fill: #f3f0e6; --deep: #e6e0cd;
  --before: #1c5a86; --after: #1e6b34; --instead: #a1261a; --new: #8a4b08; }
@media (prefers-color-scheme: dark) { svg { --paper: #191a1c; --ink: #e4e2dc; --faint: #a19d92; --line: #77756e;
  --fill: #232528; --deep: #303338; --before: #8cc2ec; --after: #8fd6a3; --instead: #f09a8f; --new: #f0b866; } }
text { font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; fill: var(--ink); }
text.small { font-size: 11px; fill: var(--faint); }
text.head { font-weight: 600; }
.paper { fill: var(--paper); }
.phase { fill: var(--fill); stroke: var(--line); }
.step { fill: var(--deep); stroke: var(--line); }
.doing { fill: var(--paper); stroke: var(--line); stroke-dasharray: 4 3; }
.rule { fill: var(--paper); stroke: var(--line); }
.frame { fill: none; stroke: var(--line); stroke-dasharray: 1 3; }
text.added { fill: var(--new); font-weight: 600; }
.new { stroke: var(--new); stroke-width: 2; }
.order { stroke: var(--line); fill: none; }
.before { stroke: var(--before); fill: none; } .after { stroke: var(--after); fill: none; }
.instead { stroke: var(--instead); fill: none; stroke-width: 2; }
.way { stroke: var(--line); stroke-width: 1.5; fill: none; }
.way1 { stroke: var(--before); stroke-dasharray: 6 3; } .way2 { stroke: var(--after); stroke-dasharray: 2 3; }
.way3 { stroke: var(--instead); } .way4 { stroke: var(--new); stroke-dasharray: 8 2 2 2; }
.place { fill: var(--deep); stroke: var(--ink); } .place1 { fill: var(--before); } .place2 { fill: var(--after); }
.place3 { fill: var(--new); }
.halo { stroke: var(--paper); stroke-width: 3; paint-order: stroke; stroke-linejoin: round; }
"""
_LINES: Final = {
    "before": "before",
    "after": "after",
    "instead of": "instead",
    "may go instead of": "instead",
}


def _canvas(width: int, height: int, title: str) -> drawsvg.Drawing:
    drawing = drawsvg.Drawing(width, height, id_prefix="d", role="img")
    drawing.append_css(_STYLE)
    drawing.append_title(clean(title))
    drawing.append(drawsvg.Rectangle(0, 0, "100%", "100%", class_="paper"))
    return drawing


def _titled(element: drawsvg.DrawingBasicElement, tip: str) -> drawsvg.DrawingBasicElement:
    if tip:
        element.append_title(clean(tip))
    return element


def _text(
    said: str, x: float, y: float, style: str = "", anchor: str | None = None
) -> drawsvg.DrawingBasicElement:
    size = 11 if "small" in style else 13
    return drawsvg.Text(clean(said), size, x, y, class_=style or None, text_anchor=anchor)


def _short(text: str, width: int) -> str:
    most = max(4, width // _LETTER)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\u2026"


# ---------------------------------------------------------------- the course


def course_as_svg(of: Course) -> str:
    """Draw phases inside each other in order, and at the right the rules that act on them."""
    return _CourseArtist(of).draw()


class _CourseArtist:
    def __init__(self, of: Course) -> None:
        self._course = of
        self._depth = max((_depth(box) for box in of.boxes), default=0)
        self._right: dict[str, tuple[int, int]] = {}

    def draw(self) -> str:
        course = self._course
        width = _BOX_WIDTH + 2 * _INDENT * self._depth
        heights = [_height(box) for box in course.boxes]
        top = _PAD + _ROW
        body = top + sum(heights) + _GAP * len(heights)
        rules_from = _PAD + width + _LANE
        height = body + _PAD
        drawing = _canvas(
            rules_from + _RULE_WIDTH + _PAD, height, f"{course.title}: the course of the game"
        )
        drawing.append(_text(f"{course.title}: the course of the game", _PAD, _PAD + 12, "head"))
        y = top
        for box, tall in zip(course.boxes, heights, strict=True):
            self._box(drawing, box, _PAD, y, width)
            y += tall + _GAP
        y = self._whenever(drawing, y, width)
        drawing.height = max(drawing.height, y + _PAD)
        self._rules(drawing, rules_from, top)
        return str(drawing.as_svg())

    def _box(self, drawing: drawsvg.Drawing, box: Box, x: int, y: int, width: int) -> None:
        if box.form == "again":
            drawing.append(
                _titled(
                    _text(_short(f"\u2192 {box.title}", width), x + 6, y + 15, "small"), box.tip
                )
            )
            return
        tall = _height(box)
        style = f"{box.form} new" if box.origin else box.form
        tip = f"{box.title}: {box.tip}" + (f", from the variant {box.origin}" if box.origin else "")
        drawing.append(_titled(drawsvg.Rectangle(x, y, width, tall, rx=5, class_=style), tip))
        head = "head" if box.form == "phase" else ""
        drawing.append(_titled(_text(_short(box.title, width - 12), x + 8, y + 17, head), tip))
        self._right[box.key] = (x + width, y + _ROW // 2)
        inner = y + _ROW
        before: Box | None = None
        for each in box.below:
            if before is not None and before.form == each.form == "step":
                middle = x + _INDENT + 16
                drawing.append(
                    drawsvg.Lines(middle, inner - _GAP + 1, middle, inner - 2, class_="order")
                )
                drawing.append(
                    drawsvg.Lines(
                        middle - 3,
                        inner - 5,
                        middle,
                        inner - 1,
                        middle + 3,
                        inner - 5,
                        class_="order",
                    )
                )
            self._box(drawing, each, x + _INDENT, inner, width - 2 * _INDENT)
            inner += _height(each) + _GAP
            before = each

    def _whenever(self, drawing: drawsvg.Drawing, y: int, width: int) -> int:
        """Draw the rules that wait for a state below everything; gives where it ends."""
        rules = self._course.whenever
        if not rules:
            return y
        tall = _ROW + len(rules) * (_ROW + 4) + 4
        drawing.append(drawsvg.Rectangle(_PAD, y, width, tall, rx=5, class_="frame"))
        drawing.append(_text("whenever a doing has ended", _PAD + 8, y + 17, "head"))
        for number, rule in enumerate(rules):
            top = y + _ROW + number * (_ROW + 4)
            style = "rule new" if rule.origin else "rule"
            tip = _about(rule)
            x, wide = _PAD + _INDENT, width - 2 * _INDENT
            drawing.append(_titled(drawsvg.Rectangle(x, top, wide, _ROW, rx=12, class_=style), tip))
            drawing.append(_titled(_text(_short(rule.title, wide - 20), x + 12, top + 16), tip))
        return y + tall + _GAP

    def _rules(self, drawing: drawsvg.Drawing, x: int, top: int) -> None:
        """Draw the rules at the right of what they act on; those of one moment share a frame and an arrow."""
        moments: dict[tuple[str, str], list[Rule]] = {}
        for rule in self._course.rules:
            if rule.of in self._right:
                moments.setdefault((rule.of, rule.timing), []).append(rule)
        y = top
        for (of, timing), rules in sorted(
            moments.items(), key=lambda each: self._right[each[0][0]][1]
        ):
            end = self._right[of]
            y = max(y, end[1] - _ROW // 2)
            _arrow(drawing, x, y + _ROW // 2, end, _LINES[timing], f"{timing} {rules[0].title}")
            if len(rules) == 1:
                _pill(drawing, rules[0], x, y)
                y += _ROW + 4
            else:
                y += _moment(drawing, timing, rules, x, y) + 4
        drawing.height = max(drawing.height, y + _PAD)
        drawing.view_box = (0, 0, drawing.width, drawing.height)


def _arrow(
    drawing: drawsvg.Drawing, x: int, y: int, end: tuple[int, int], style: str, tip: str
) -> None:
    line = drawsvg.Path(class_=style)
    line.M(x, y).C(x - _LANE // 2, y, end[0] + _LANE // 2, end[1], end[0] + 5, end[1])
    drawing.append(_titled(line, tip))
    drawing.append(
        drawsvg.Lines(
            end[0] + 6, end[1] - 4, end[0] + 1, end[1], end[0] + 6, end[1] + 4, class_=style
        )
    )


def _pill(drawing: drawsvg.Drawing, rule: Rule, x: int, y: int) -> None:
    tip = _about(rule)
    style = "rule new" if rule.origin else "rule"
    drawing.append(_titled(drawsvg.Rectangle(x, y, _RULE_WIDTH, _ROW, rx=12, class_=style), tip))
    said = _short(f"{rule.timing}: {rule.title}", _RULE_WIDTH - 20)
    drawing.append(_titled(_text(said, x + 12, y + 16), tip))


def _moment(drawing: drawsvg.Drawing, timing: str, rules: list[Rule], x: int, y: int) -> int:
    """Draw several rules of one moment; gives how tall that is."""
    tall = _ROW + len(rules) * _LINE + 6
    drawing.append(drawsvg.Rectangle(x, y, _RULE_WIDTH, tall, rx=12, class_="rule"))
    drawing.append(_text(f"{timing}:", x + 12, y + 16))
    for number, rule in enumerate(rules):
        said = _short(rule.title, _RULE_WIDTH - 40)
        at = y + _ROW + number * _LINE + 11
        drawing.append(
            _titled(_text(said, x + 24, at, "name added" if rule.origin else "name"), _about(rule))
        )
    return tall


def _about(rule: Rule) -> str:
    """Say what there is to know about a rule."""
    origin = f", from the variant {rule.origin}" if rule.origin else ""
    return f"{rule.title}: {rule.tip}{origin}"


def _depth(box: Box) -> int:
    return 1 + max((_depth(each) for each in box.below), default=0)


def _height(box: Box) -> int:
    if not box.below:
        return _ROW
    return _ROW + sum(_height(each) + _GAP for each in box.below)


# ---------------------------------------------------------------- the map


def map_as_svg(of: Map) -> str:
    """Draw places where they lie, with what joins them; wider if there are many."""
    width = _WIDTH if len(of.places) <= _FEW else 2 * _WIDTH
    xs, ys = [place.x for place in of.places] or [0], [place.y for place in of.places] or [0]
    wide, high = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    scale = min((width - 2 * _MARGIN) / wide, width / high)
    height = round(high * scale) + 2 * _MARGIN
    spots = {
        place.key: (
            round(_MARGIN + (place.x - min(xs)) * scale, 1),
            round(_MARGIN + (place.y - min(ys)) * scale, 1),
        )
        for place in of.places
    }
    labels = list(dict.fromkeys(way.label for way in of.ways))
    kinds = list(dict.fromkeys(place.kind for place in of.places))
    lines = 1 + (len(labels) + len(kinds) - 1) // 5
    drawing = _canvas(width, height + _ROW * lines, f"{of.title}: the map")
    drawing.append(_text(f"{of.title}: the map", _PAD, _PAD + 12, "head"))
    for way in of.ways:
        _way(drawing, way, spots, labels.index(way.label))
    for place in of.places:
        _place(drawing, place, spots[place.key], kinds.index(place.kind))
    _legend(drawing, labels, kinds, height)
    return str(drawing.as_svg())


def _way(
    drawing: drawsvg.Drawing, way: Way, spots: dict[str, tuple[float, float]], style: int
) -> None:
    (x1, y1), (x2, y2) = spots[way.first], spots[way.second]
    drawing.append(
        _titled(
            drawsvg.Line(x1, y1, x2, y2, class_=f"way way{style % 5}"), f"{way.label}: {way.tip}"
        )
    )
    if way.one_way:
        x, y = x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7
        dx, dy = (x2 - x1), (y2 - y1)
        length = max((dx * dx + dy * dy) ** 0.5, 1.0)
        dx, dy = dx / length * 6, dy / length * 6
        points = [
            round(each, 1)
            for each in (x - dx - dy / 2, y - dy + dx / 2, x, y, x - dx + dy / 2, y - dy - dx / 2)
        ]
        drawing.append(drawsvg.Lines(*points, class_="order"))


def _place(drawing: drawsvg.Drawing, place: Place, spot: tuple[float, float], style: int) -> None:
    x, y = spot
    drawing.append(_titled(drawsvg.Circle(x, y, 7, class_=f"place place{style % 4}"), place.tip))
    label = _text(_short(place.title, 130), x, y + 20, "small halo", anchor="middle")
    drawing.append(_titled(label, place.tip))


def _legend(drawing: drawsvg.Drawing, labels: list[str], kinds: list[str], top: int) -> None:
    each = _WIDTH // 5
    for number, said in enumerate((*kinds, *labels)):
        x, y = _PAD + number % 5 * each, top + number // 5 * _ROW
        if number < len(kinds):
            drawing.append(drawsvg.Circle(x + 12, y, 6, class_=f"place place{number % 4}"))
        else:
            drawing.append(
                drawsvg.Line(x, y, x + 24, y, class_=f"way way{(number - len(kinds)) % 5}")
            )
        drawing.append(_text(_short(said, each - 40), x + 32, y + 4, "small"))
