"""The server's addresses: what is asked for at each, who may, and what is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import attrs
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from interpreter.errors import IllegalChoice, JournalError
from interpreter.ui.web.guard import Bodies, Headers, comes_from_here
from interpreter.ui.web.hall import Hall, RefusedError
from interpreter.ui.web.keys import same
from interpreter.ui.web.pages import Notice, Questions, host_page, seat_page
from interpreter.ui.web.panels import Renderer, environment
from interpreter.ui.web.room import MovedOnError, Room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

_PACKAGE = "interpreter.ui.web"
_COOKIE = "rulelang"
_MOST_FIELDS = 5_000
_YEAR = 365 * 24 * 60 * 60
_LONGEST_NUMBER = 9


def make_app(hall: Hall, hosts: Sequence[str] = ("*",)) -> Starlette:
    """Make what a web server runs.

    Args:
        hall: The games.
        hosts: By which names the server may be called; `*`: by any.
    """
    site = Site(hall)
    return Starlette(
        routes=[
            Route("/", site.entrance),
            Route("/host", site.host, methods=["GET"]),
            Route("/host", site.begin, methods=["POST"]),
            Route("/host/{token}", site.enter_host),
            Route("/join/{game}/{seat:int}/{token}", site.enter_seat),
            Route("/game/{game}/{seat:int}", site.seat, methods=["GET"]),
            Route("/game/{game}/{seat:int}", site.answer, methods=["POST"]),
            Route("/game/{game}/{seat:int}/news", site.news),
            Mount("/static", StaticFiles(packages=[(_PACKAGE, "static")])),
        ],
        middleware=[
            Middleware(Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
            Middleware(Bodies),
        ],
        exception_handlers={HTTPException: site.failed, 500: site.broken},
    )


@attrs.frozen
class _Place:
    """A seat that somebody has come to with its token.

    Attributes:
        room: The game.
        seat: From 0.
    """

    room: Room
    seat: int

    @property
    def path(self) -> str:
        """Its address."""
        return f"/game/{self.room.name}/{self.seat + 1}"


class Site:
    """Answers requests.

    Args:
        hall: The games.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._templates = environment()
        self._renderer = Renderer(self._templates)

    def _page(self, template: str, status: int = 200, **content: Any) -> HTMLResponse:  # noqa: ANN401 - of a template
        return HTMLResponse(self._templates.get_template(template).render(content), status)

    # ------------------------------------------------------------------------------ coming in

    async def entrance(self, request: Request) -> Response:
        """Say that a link is needed."""
        del request
        return self._page(
            "message.html",
            title="A table",
            message="Games are played here. Come with the link that you were given.",
        )

    async def enter_host(self, request: Request) -> Response:
        """Take the host's link, and keep its token out of the address from then on."""
        token = request.path_params["token"]
        if not same(self._hall.keys.host(), token):
            raise HTTPException(404)
        return self._entered(request, "/host", token)

    async def enter_seat(self, request: Request) -> Response:
        """Take the link of a seat."""
        game, seat, token = (request.path_params[name] for name in ("game", "seat", "token"))
        if not same(self._hall.keys.seat(game, seat - 1), token):
            raise HTTPException(404)
        return self._entered(request, f"/game/{game}/{seat}", token)

    @staticmethod
    def _entered(request: Request, path: str, token: str) -> Response:
        answer = RedirectResponse(path, 303)
        answer.set_cookie(
            _COOKIE,
            token,
            max_age=_YEAR,
            path=path,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
        return answer

    # ----------------------------------------------------------------------------------- host

    async def host(self, request: Request) -> Response:
        """Show all games to the host."""
        self._check_host(request)
        return await run_in_threadpool(self._host, request)

    async def begin(self, request: Request) -> Response:
        """Begin a game."""
        self._check_host(request)
        form = await _form(request)
        if not comes_from_here(request) or not same(
            self._hall.keys.form("host"), _one(form, "form")
        ):
            raise HTTPException(403)
        return await run_in_threadpool(self._begin, request, form)

    def _check_host(self, request: Request) -> None:
        if not same(self._hall.keys.host(), request.cookies.get(_COOKIE)):
            raise HTTPException(404)

    def _host(self, request: Request, trouble: str = "", status: int = 200) -> Response:
        people = _number(request.query_params.get("people", ""))
        content = host_page(self._hall, str(request.base_url), people, trouble)
        return self._page("host.html", status, **content)

    def _begin(self, request: Request, form: dict[str, list[str]]) -> Response:
        people = _number(_one(form, "people"))
        seats = range(1, (people or 0) + 1)
        who = {seat: kind for seat in seats if (kind := _one(form, f"who_{seat}"))}
        names = {seat: name for seat in seats if (name := _one(form, f"name_{seat}"))}
        try:
            self._hall.begin(people, who, names)
        except RefusedError as error:
            return self._host(request, str(error), 422)
        return RedirectResponse("/host", 303)

    # ----------------------------------------------------------------------------------- seats

    async def seat(self, request: Request) -> Response:
        """Show a seat what it sees."""
        place = await self._place(request)
        asked = Questions.of(request.query_params)
        return await run_in_threadpool(self._seat, place, asked)

    async def news(self, request: Request) -> Response:
        """Say how many answers have been given: whether a page is still as it was."""
        place = await self._place(request)
        return JSONResponse({"version": place.room.stamp})

    async def answer(self, request: Request) -> Response:
        """Take an answer."""
        place = await self._place(request)
        form = await _form(request)
        token = self._hall.keys.form(place.path)
        if not comes_from_here(request) or not same(token, _one(form, "form")):
            raise HTTPException(403)
        return await run_in_threadpool(self._answer, place, form)

    async def _place(self, request: Request) -> _Place:
        game, seat = request.path_params["game"], request.path_params["seat"] - 1
        if not same(self._hall.keys.seat(game, seat), request.cookies.get(_COOKIE)):
            raise HTTPException(404)
        try:
            room = await run_in_threadpool(self._hall.room, game)
        except RefusedError:
            raise HTTPException(503) from None
        if room is None or seat not in room.people():
            raise HTTPException(404)
        return _Place(room, seat)

    def _seat(
        self,
        place: _Place,
        asked: Questions,
        notice: Notice | None = None,
        status: int = 200,
    ) -> Response:
        token = self._hall.keys.form(place.path)
        content = seat_page(place.room, place.seat, asked, notice or Notice(), self._renderer)
        return self._page("seat.html", status, path=place.path, form=token, **content)

    def _answer(self, place: _Place, form: dict[str, list[str]]) -> Response:
        version = _number(_one(form, "version"))
        pick = [number for text in form.get("pick", ()) if (number := _number(text)) is not None]
        for name, values in form.items():
            option = _number(name.removeprefix("count_")) if name.startswith("count_") else None
            times = _number(values[0]) if option is not None else None
            if option is not None and times is not None:
                pick += [option] * min(times, _MOST_FIELDS)
        try:
            place.room.answer(place.seat, -1 if version is None else version, pick)
        except MovedOnError:
            notice = Notice("The game had moved on: this answer was not taken.")
            return self._seat(place, Questions(), notice, 409)
        except IllegalChoice as refused:
            notice = Notice(f"That is not possible: {refused}.", frozenset(pick))
            return self._seat(place, Questions(), notice, 422)
        except JournalError as error:
            notice = Notice(f"The answer was not taken: the journal {error}.")
            return self._seat(place, Questions(), notice, 503)
        return RedirectResponse(place.path, 303)

    # -------------------------------------------------------------------------------- failures

    async def failed(self, request: Request, error: Exception) -> Response:
        """Say why there is no page, without saying what there is."""
        del request
        status = error.status_code if isinstance(error, HTTPException) else 500
        title, message = _FAILURES.get(status, ("Not possible", "This is not possible here."))
        return self._page("message.html", status, title=title, message=message)

    async def broken(self, request: Request, error: Exception) -> Response:
        """Say that the server is at fault; what was written down is safe."""
        del error
        return await self.failed(request, HTTPException(500))


_FAILURES = {
    403: (
        "Not taken",
        "This form does not come from a page of this server. Go back and load it anew.",
    ),
    404: (
        "No such table",
        "There is nothing here for you. Come with the link that you were given.",
    ),
    500: (
        "A mistake in the server",
        "Nothing that was answered is lost. Load the page anew; the host sees more where the server runs.",
    ),
    503: ("This game cannot be opened", "The host sees why."),
}


async def _form(request: Request) -> dict[str, list[str]]:
    """Read a form as browsers send it.

    Raises:
        HTTPException: It is none.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    body = await request.body()
    try:
        return parse_qs(
            body.decode("ascii"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400) from None


def _one(form: dict[str, list[str]], name: str) -> str:
    return form.get(name, [""])[0]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None
