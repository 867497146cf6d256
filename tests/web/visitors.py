"""Browsers without a window, for tests of the server: each keeps its own cookies and reads forms as people do."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import attrs
from starlette.testclient import TestClient

from interpreter.ui.web.app import make_app
from interpreter.ui.web.hall import Hall
from interpreter.ui.web.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from httpx2 import Response


class _Forms(HTMLParser):
    """Finds the fields of the form with the options."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.hidden: dict[str, str] = {}
        self.buttons: list[str] = []
        self.boxes: list[str] = []
        self.counts: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("id") == "options"
        elif self.inside and tag == "button" and given.get("name") == "pick":
            self.buttons.append(given["value"])
        elif self.inside and tag == "input":
            match given.get("type"):
                case "hidden":
                    self.hidden[given["name"]] = given["value"]
                case "checkbox":
                    self.boxes.append(given["value"])
                case _:
                    self.counts[given["name"]] = int(given["max"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False


@attrs.define
class Visitor:
    """Somebody at a seat, from 0."""

    hall: Hall
    room: Room
    seat: int
    client: TestClient = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.client = TestClient(make_app(self.hall), base_url="http://127.0.0.1:8000")
        token = self.hall.keys.seat(self.room.name, self.seat)
        came = self.client.get(f"/join/{self.room.name}/{self.seat + 1}/{token}")
        assert came.status_code == 200

    @property
    def path(self) -> str:
        return f"/game/{self.room.name}/{self.seat + 1}"

    def page(self, **query: str) -> str:
        """What the seat sees."""
        shown = self.client.get(self.path, params=query)
        assert shown.status_code == 200
        return shown.text

    def form(self) -> _Forms:
        """The form with the options, as the page has it."""
        return form_of(self.page())

    @property
    def is_asked(self) -> bool:
        return bool(self.form().hidden)

    def send(self, fields: Mapping[str, str | list[str]], **headers: str) -> Response:
        """Send a form, without following where it leads."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(self.path, data=dict(fields), headers=named, follow_redirects=False)

    def answer(self, number: int = 0) -> Response:
        """Send the form with one of what can be chosen; of several, as many as are needed."""
        return self.send(filled_in(self.page(), number))


def form_of(page: str) -> _Forms:
    """The form with the options on a page."""
    forms = _Forms()
    forms.feed(page)
    return forms


def filled_in(page: str, number: int) -> dict[str, str | list[str]]:
    """The form of a page with one of what can be chosen; of several, as many as are needed, from there on."""
    form = form_of(page)
    if form.buttons:
        return {**form.hidden, "pick": form.buttons[number % len(form.buttons)]}
    found = re.search(r"Choose (\d+)", page)
    assert found is not None
    left = int(found[1])
    fields: dict[str, str | list[str]] = dict(form.hidden)
    start = number % len(form.boxes) if form.boxes else 0
    boxes = (form.boxes[start:] + form.boxes[:start])[:left]
    fields["pick"] = boxes
    left -= len(boxes)
    for name, most in form.counts.items():
        fields[name] = str(min(left, most))
        left -= min(left, most)
    return fields


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something holds, some seconds at most."""
    for _ in range(500):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError


def wait_until_asked(visitor: Visitor) -> None:
    """Wait until a seat is asked."""
    wait_for(lambda: visitor.is_asked)
