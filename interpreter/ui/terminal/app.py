"""The table on the whole screen: map, players, things, story, and the question with its options.

It shows what the desk gives it, and gives the desk what a person says; of the game it knows nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import App
from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from interpreter.errors import IllegalChoice, JournalError, Reason
from interpreter.ui.tabletop.model import MapPanel, SeatsPanel
from interpreter.ui.terminal.choosing import Choosing, MistypedError
from interpreter.ui.terminal.drawing import about, players, styled, things
from interpreter.ui.terminal.screens import AskWindow, Curtain, TextWindow
from interpreter.ui.terminal.widgets import Filter, MapView, Searchable
from rulelang.wording import listed

if TYPE_CHECKING:
    import threading

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from interpreter.ui.tabletop.model import Choice, Question, View
    from interpreter.ui.terminal.desk import Desk, Shown

HELP: Final = """\
Type a number or words of an option, then Enter; the arrow keys and the mouse choose too.
Where several can be taken, Enter marks one and F10 is done; or type all numbers: 1 3, 2x3 for three of option 2.

?  or F2    why is this possible, or not? Of any option or expression of the rules.
F3          what the ruleset's own policy would do, and the line that says so; else what a search advises
F4          next page: map, players, things, story, who holds what, the rule
F5          search the story          F6  search who holds what
F7          take back the last answer  F8  give it again
F9          save                       Ctrl+Q  leave the table

With real dice and cards F7 also takes back what was told last about the table; several dice may be told at once: 3 5.

A place on the map that is clicked tells all about itself. Marks there: @1 is the first player, 3s2 are three ships of
the second, ? lies face down."""
_WIDE: Final = 110


class TableScreen(Screen[None]):
    """The table itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "help"),
        Binding("f2", "why", "why"),
        Binding("f3", "hint", "hint"),
        Binding("f4", "page", "page"),
        Binding("f5", "search('story')", "log"),
        Binding("f6", "search('holds')", "who"),
        Binding("f7,ctrl+z", "undo", "undo"),
        Binding("f8,ctrl+y", "redo", "redo"),
        Binding("f9,ctrl+s", "save", "save"),
        Binding("f10,ctrl+d", "done", "done", show=False),
        Binding("ctrl+q", "leave", "quit", key_display="^q", priority=True),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.shown: Shown | None = None
        self.choosing: Choosing | None = None
        self._listed: list[Choice] = []

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield Static("", id="title")
        with Container(id="body"):
            with TabbedContent(id="pages"):
                with TabPane("Map", id="page-map"):
                    yield MapView()
                with TabPane("Players", id="page-players"), VerticalScroll():
                    yield Static("", id="players")
                with TabPane("Things", id="page-things"), VerticalScroll():
                    yield Static("", id="things")
                with TabPane("Story", id="page-story"):
                    yield Searchable("story", "search the story", at_end=True)
                with TabPane("Who has what", id="page-holds"):
                    yield Searchable("holds", "search who holds what", at_end=False)
                with TabPane("Rule", id="page-rule"), VerticalScroll():
                    yield Static("", id="rule")
            with Vertical(id="asking"):
                yield Static("", id="prompt")
                yield Filter(placeholder="type a number or a word", id="filter", compact=True)
                yield OptionList(id="options")
                yield Static("", id="words")
                yield Static("", id="status")
        yield Footer(compact=True)

    # ------------------------------------------------------------------ showing

    def take(self, shown: Shown) -> None:
        """Show a table and what is asked."""
        first = self.shown is None
        self.shown = shown
        view, question = shown.view, shown.question
        self._show_title(view)
        board = next((each for each in view.panels if isinstance(each, MapPanel)), None)
        seats = next(each for each in view.panels if isinstance(each, SeatsPanel))
        pages = self.query_one(TabbedContent)
        if board is not None:
            self.query_one(MapView).show(board)
        if first:
            self._open_first(view, has_map=board is not None)
        asked = None if question is None or shown.is_reading else question.seat
        self.query_one("#players", Static).update(players(seats, asked))
        self.query_one("#things", Static).update(things(view))
        self.query_one("#story", Searchable).show(shown.story)
        self.query_one("#holds", Searchable).show(
            [f"{what}: {where}" for what, where in shown.whereabouts]
        )
        if question is None:
            self._show_end(view)
            pages.active = "page-story"
        else:
            self._show_question(question)

    def _open_first(self, view: View, *, has_map: bool) -> None:
        pages = self.query_one(TabbedContent)
        if not has_map:
            pages.hide_tab("page-map")
        pages.active = (
            "page-map" if has_map and isinstance(view.panels[0], MapPanel) else "page-players"
        )

    def _show_title(self, view: View) -> None:
        now = " > ".join(view.phases)
        facts = ", ".join(map(str, view.now))
        self.query_one("#title", Static).update(
            Content.styled(f" {view.title}", "bold")
            + Content(f"  {now}")
            + Content.styled(f"  {facts}" if facts else "", "dim")
        )

    def _show_question(self, question: Question) -> None:
        shown = self.shown
        if shown is None:
            return
        self.choosing = Choosing(question, shown.groups)
        name = self.desk.names.seats[question.seat]
        colour = self.desk.views.colour(question.seat)
        if shown.is_reading:
            name, colour = "On the table", ""
        cites = (
            f"  [{', '.join(cite for cite, _ in question.citations)}]" if question.citations else ""
        )
        parts = [
            styled(f"{name}: ", colour, strong=True)
            + Content.styled(question.prompt, "bold")
            + Content.styled(cites, "dim")
        ]
        if question.doc:
            parts.append(Content(question.doc))
        self.query_one("#prompt", Static).update(Content("\n").join(parts))
        words = [Content(f"[{cite}] {text}") for cite, text in question.citations]
        self.query_one("#words", Static).update(Content("\n").join(words))
        rule = [*parts, *words]
        what = "draw" if shown.is_reading else "question"
        rule.append(Content.styled(f"In the rules this {what} is called {question.path}.", "dim"))
        self.query_one("#rule", Static).update(Content("\n").join(rule))
        field = self.query_one(Filter)
        field.disabled = False
        field.value = ""
        field.focus()
        self._list("")
        self._tell(shown.remark)

    def _show_end(self, view: View) -> None:
        self.choosing = None
        names = self.desk.names.seats
        won = [names[seat] for seat in view.winners or ()]
        text = f"{listed(won)} win{'s' * (len(won) == 1)}." if won else "Nobody wins."
        self.query_one("#prompt", Static).update(
            Content.styled(f"The game is over. {text}", "bold")
        )
        for part in ("#rule", "#words"):
            self.query_one(part, Static).update("")
        self._empty()
        self._tell("Ctrl+Q leaves the table")

    def _empty(self) -> None:
        self._listed = []
        self.query_one("#options", OptionList).clear_options()
        field = self.query_one(Filter)
        field.value = ""
        field.disabled = True

    def waits(self) -> None:
        """Show that others play."""
        self.choosing = None
        self._empty()
        self._tell("others play ...")

    def _tell(self, text: str) -> None:
        choosing = self.choosing
        told = [each for each in (choosing.asks_for() if choosing else "", text) if each]
        self.query_one("#status", Static).update(Content(". ".join(told)))

    # ------------------------------------------------------------------ the list

    def _list(self, text: str) -> None:
        choosing = self.choosing
        options = self.query_one("#options", OptionList)
        if choosing is None:
            return
        at = options.highlighted or 0
        same = self._listed
        self._listed = choosing.fitting(text)
        options.clear_options()
        options.add_options([Option(self._line(each)) for each in self._listed])
        if self._listed:
            options.highlighted = min(at, len(self._listed) - 1) if same == self._listed else 0

    def _line(self, choice: Choice) -> Content:
        choosing = self.choosing
        number = f"{choice.number:>3}  " if choosing is None or choosing.numbered else "  "
        count = choosing.taken.get(choice.number, 0) if choosing is not None else 0
        several = f" ({choice.count} alike)" if choice.count > 1 else ""
        boxed = ""
        if choosing is not None and choosing.several:
            boxed = f"[{count if choice.count > 1 and count else 'x' if count else ' '}] "
        return Content(f"{number}{boxed}{choice.text}{several}")

    @property
    def highlighted(self) -> Choice | None:
        """The option that stands out."""
        at = self.query_one("#options", OptionList).highlighted
        return self._listed[at] if at is not None and at < len(self._listed) else None

    @on(OptionList.OptionHighlighted)
    def _lit(self) -> None:
        choice = self.highlighted
        self.query_one(MapView).light(() if choice is None else choice.things)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self._listed):
            self._choose(self._listed[event.option_index])

    @on(Filter.Moved)
    def _moved(self, event: Filter.Moved) -> None:
        options = self.query_one("#options", OptionList)
        if self._listed:
            at = (options.highlighted or 0) + event.steps
            options.highlighted = max(0, min(at, len(self._listed) - 1))

    @on(Filter.Changed, "#filter")
    def _typed(self, event: Filter.Changed) -> None:
        event.stop()
        self._list(event.value)

    @on(Filter.Submitted, "#filter")
    def _entered(self, event: Filter.Submitted) -> None:
        event.stop()
        choosing = self.choosing
        if choosing is None:
            return
        words = event.value.replace(",", " ").split()
        if choosing.several and len(words) > 1 and all(word[:1].isdigit() for word in words):
            try:
                answer = choosing.typed(event.value)
            except MistypedError as slip:
                self._tell(f"That is not possible: {slip}")
            else:
                self._give(answer)
            return
        choice = self.highlighted
        if choice is None and (value := self.desk.reader.typed(event.value)) is not None:
            self._give(value)
            return
        if choice is None:
            self._tell(f"no option fits {event.value!r}" if event.value else "there is no option")
            return
        self._choose(choice)

    def _choose(self, choice: Choice) -> None:
        choosing = self.choosing
        if choosing is None:
            return
        if not choosing.several:
            self._give(choice.value)
            return
        choosing.mark(choice)
        self.query_one(Filter).value = ""
        self._list("")
        self._tell("F10 when done")

    def _give(self, answer: object) -> None:
        try:
            self.desk.answer(answer)
        except IllegalChoice as refused:
            why = (
                "these do not go together under the rule that asks"
                if refused.reason is Reason.CONDITION
                else str(refused)
            )
            self._tell(f"That is not possible: {why}")
        else:
            self.waits()

    # ------------------------------------------------------------------ commands

    def action_done(self) -> None:
        """Give the marked options as the answer."""
        choosing = self.choosing
        if choosing is None:
            return
        if choosing.several:
            self._give(choosing.answer())
        else:
            self._tell("one option is chosen with Enter")

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(TextWindow("Help", Content(HELP)))

    def action_why(self) -> None:
        """Ask why something is possible, or not."""
        if self.choosing is None:
            return
        choice = self.highlighted
        self.app.push_screen(
            AskWindow(
                "Why is this possible, or not? An option, or an expression of the rules",
                "" if choice is None else choice.key,
                self.desk.why_not,
            )
        )

    @on(Filter.Why)
    def _why(self) -> None:
        self.action_why()

    def action_hint(self) -> None:
        """Show what the ruleset's own policy would do, or a search advises, and mark it."""
        choosing = self.choosing
        if choosing is None:
            return
        if self.shown is not None and self.shown.is_reading:
            self._tell("chance decides: tell what was rolled or drawn on the table")
            return
        advice = self.desk.advice()
        if advice is None:
            self._tell("neither the ruleset nor a search knows advice here")
            return
        self.query_one(Filter).value = ""
        if choosing.several:
            choosing.mark_answer(advice.answer)
        self._list("")
        for at, choice in enumerate(self._listed):
            if choice.value == advice.answer and not choosing.several:
                self.query_one("#options", OptionList).highlighted = at
        self._tell(f"{advice.what} {advice.why}")

    def action_page(self) -> None:
        """Turn to the next page."""
        pages = self.query_one(TabbedContent)
        names = [pane.id or "" for pane in pages.query(TabPane)]
        shown = [name for name in names if pages.get_tab(name).display]
        at = shown.index(pages.active) if pages.active in shown else -1
        pages.active = shown[(at + 1) % len(shown)]

    def action_search(self, page: str) -> None:
        """Search in one of the lists of lines."""
        self.query_one(TabbedContent).active = f"page-{page}"
        self.query_one(f"#{page} Input").focus()

    def action_undo(self) -> None:
        """Take the last answer back."""
        reason = self.desk.undo()
        if reason:
            self._tell(reason)
        else:
            self.waits()

    def action_redo(self) -> None:
        """Give it again."""
        reason = self.desk.redo()
        if reason:
            self._tell(reason)
        else:
            self.waits()

    def action_save(self) -> None:
        """Save the game."""
        if self.desk.sitting.journal is not None:
            self._tell(f"every answer is saved already, in {self.desk.sitting.again[-1]}")
            return
        name = f"{self.desk.sitting.program.name}.journal"
        self.app.push_screen(
            AskWindow("Save the game and what follows in this file", name), self._save
        )

    def _save(self, path: str | None) -> None:
        if not path:
            return
        try:
            self.desk.save(path)
        except JournalError as error:
            self._tell(f"{path}: {error}")
        else:
            self._tell(f"saved; to play on: rulelang resume {path}")

    def action_about(self, thing: int) -> None:
        """Tell all about a thing."""
        row = self.desk.about(thing)
        if row is not None:
            self.app.push_screen(TextWindow(row.name, about(row)))

    def action_leave(self) -> None:
        """Leave the table."""
        self.app.exit()

    def key_escape(self) -> None:
        """Go back to the options."""
        field = self.query_one(Filter)
        if not field.disabled:
            field.focus()


class TableApp(App[None]):
    """The application.

    Args:
        desk: Where the engine waits for persons.

    Attributes:
        engine: The thread in which the game is played; it is started when the screen is there.
    """

    CSS = """
    #title { height: 1; background: $primary-background; }
    #body { layout: vertical; height: 1fr; }
    #pages { height: 1fr; }
    #pages ContentSwitcher { height: 1fr; }
    TabPane { padding: 0 1; height: 1fr; }
    MapView { height: 1fr; }
    #drawing { width: auto; height: auto; text-wrap: nowrap; }
    Searchable { height: 1fr; }
    Searchable VerticalScroll { height: 1fr; }
    #asking { height: 10; border-top: solid $primary; padding: 0 1; }
    #prompt { height: auto; max-height: 3; }
    #options { height: 1fr; border: none; padding: 0; }
    #status { height: 1; color: $text-muted; }
    .wide #body { layout: horizontal; }
    .wide #pages { width: 3fr; }
    .wide #asking { width: 2fr; height: 1fr; border-top: none; border-left: solid $primary; }
    .wide #prompt { max-height: 8; }
    #words { display: none; color: $text-muted; }
    .wide #words { display: block; height: auto; max-height: 12; }
    .wide #status { height: auto; max-height: 4; }
    .window { width: 90%; height: 80%; border: round $primary; background: $surface; padding: 0 1; }
    .window-text { height: 1fr; }
    .window-title, .window-foot { height: 1; }
    .window-foot { color: $text-muted; }
    ModalScreen { align: center middle; }
    Curtain { align: center middle; }
    #curtain { width: auto; height: auto; align: center middle; }
    #curtain Static { width: auto; }
    """
    TITLE = "rulelang"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "narrow"), (_WIDE, "wide")]  # noqa: RUF012 - as the base has it

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        desk.screen = self
        self.engine: threading.Thread | None = None
        self.table = TableScreen(desk)
        self._sitting: int | None = None
        self._secret = False

    def on_mount(self) -> None:
        """Lay the table; the game begins."""
        self.push_screen(self.table, wait_for_dismiss=False)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self.engine is not None:
            self.engine.start()

    # ------------------------------------------------------------------ called by the engine

    def show(self, shown: Shown) -> None:
        """Show a table and what is asked; see `interpreter.ui.terminal.desk.Screen`."""
        self._from_engine(self._take, shown)

    def stop(self, reason: str) -> None:
        """Tell that the game cannot go on."""
        self._from_engine(self._stopped, reason)

    def _from_engine(self, call: object, *arguments: object) -> None:
        if self._running and callable(call):
            self.call_from_thread(call, *arguments)

    def _stopped(self, reason: str) -> None:
        self.table.waits()
        self.push_screen(TextWindow("The game cannot go on", Content(reason)), self._leave)

    def _leave(self, _: object) -> None:
        self.exit()

    def _take(self, shown: Shown) -> None:
        question = shown.question
        secret = question is not None and question.secret
        private = (
            secret
            or self._secret
            or any(f.sight == "owner" for f in self.desk.sitting.program.fields)
        )
        self._secret = secret
        others = self.desk.is_private and shown.seat != self._sitting and private
        self._sitting = shown.seat
        if question is None or not others:
            self.table.take(shown)
            return
        name = self.desk.names.seats[shown.seat]
        self.push_screen(Curtain(name), lambda _: self.table.take(shown))
