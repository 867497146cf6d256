"""A person at a plain terminal: numbered options, a filter for long lists, `?` for the rule.

Reads and writes through the functions it is given, so it works with any pair of streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.decision import Decision, Option, SetOf
from interpreter.errors import IllegalChoice, Quit, Reason, TakeBackError
from interpreter.sight.offers import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from interpreter.sight.observation import Observation

LONG = 20

HELP = """\
Type the number of an option, or part of its name if only one fits.
Where several can be chosen, type their numbers with blanks between them (2x3: three of the alike
ones of option 2), or nothing at all for none of them.
/WORD shows the options with that word, / shows all of them again.
? tells the rule behind the question, ? OPTION why an option is on offer or not, ? NAME(ARGUMENTS) the
same as why. t shows the table as you see it, q stops.
hint tells what the ruleset's own policy would do and the line that says so, or else what a search advises.
why NAME(ARGUMENTS) tells a value or permission with every rule that has a say in it; the players are
called seat_1, seat_2 ... why-not OPTION tells why an option is on offer or not."""


_QUESTIONS = {"why": "why NAME(ARGUMENTS)", "why-not": "why-not OPTION"}


class Guide(Protocol):
    """What a person at a terminal may want to know beside the question."""

    def lines(self, seen: Observation) -> Iterable[str]:
        """Describe the table as the seat sees it, for ``t``."""
        ...

    def title(self, seen: Observation, decision: Decision, option: Option) -> str:
        """Name an option."""
        ...

    def hint(self, options: Iterable[Option]) -> Iterable[str]:
        """Tell what could be answered well, and who says so; options as the seat may read them."""
        ...

    def citations(self, decision: Decision) -> Iterable[str]:
        """Give the rule ids of what the question belongs to."""
        ...

    def why(self, decision: Decision, asked: str) -> Iterable[str]:
        """Tell the value of an expression and the rules behind it, as far as the seat may know."""
        ...

    def about(self, decision: Decision, what: str) -> Iterable[str]:
        """Tell what `why_not` does of what may be an answer, and what `why` does of all else."""
        ...

    def why_not(self, decision: Decision, option: str) -> Iterable[str]:
        """Tell why an answer is on offer or not, as far as the seat may know."""
        ...


class HumanProvider:
    """Asks a person.

    Args:
        read: Gives the next line for a prompt; raises EOFError when there are no more.
        write: Shows a line.
        names: The names of the seats.
        rule: Gives the text of a rule id, for ``?``; may give an empty text.
        back: Whether the last result from a real table can be taken back.
        guide: Tells more of the game: what the table looks like, what options are called there.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        names: tuple[str, ...] = (),
        rule: Callable[[str], str] = lambda _: "",
        guide: Guide | None = None,
        *,
        back: bool = False,
    ) -> None:
        self._read = read
        self._write = write
        self._names = names
        self._rule = rule
        self._guide = guide
        self._back = back
        self._helped = False

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask until there is a legal answer.

        Raises:
            TakeBackError: the last result from a real table was wrong.
            Quit: the person wants to stop, or there is no more input.
        """
        options = shown(observation, decision)
        if self._guide is not None:
            seen, guide = observation(), self._guide
            options = tuple(
                attrs.evolve(each, text=guide.title(seen, decision, each)) for each in options
            )
        self._question(decision, options, options)
        while True:
            try:
                line = self._read("> ").strip()
            except EOFError:
                raise Quit("stopped: there is no more input") from None
            match line:
                case "q" | "quit":
                    raise Quit("stopped")
                case "?":
                    self._explain(decision)
                case _ if self._guide is not None and line.startswith("?"):
                    for told in self._guide.about(decision, _meant(options, line[1:].strip())):
                        self._write(told)
                case "back" if self._back:
                    raise TakeBackError("the last result is taken back")
                case "help" | "h":
                    self._write(HELP)
                    if self._back:
                        self._write("back takes the last result of dice or cards back.")
                case "t" if self._guide is not None:
                    for told in self._guide.lines(observation()):
                        self._write(told)
                    self._question(decision, options, options)
                case _ if self._guide is not None and _asks_hint(options, line):
                    for told in self._guide.hint(options):
                        self._write(told)
                case _ if self._guide is not None and line.partition(" ")[0] in _QUESTIONS:
                    for told in self._asked(decision, options, *line.split(None, 1)):
                        self._write(told)
                case _ if line.startswith("/"):
                    word = line[1:].strip().casefold()
                    fitting = tuple(each for each in options if word in each.text.casefold())
                    if fitting:
                        self._question(decision, options, fitting, everything=True)
                    else:
                        self._write(f"No option has {line[1:].strip()!r} in its name; / shows all.")
                case _:
                    try:
                        return decision.options.normal(self._parsed(decision, options, line))
                    except IllegalChoice as refused:
                        self._write(f"That is not possible: {_why(refused)}. Type ? for help.")

    def _asked(
        self, decision: Decision, options: tuple[Option, ...], verb: str, what: str = ""
    ) -> Iterable[str]:
        guide = self._guide
        if guide is None or not what:
            return [f"Say what you ask about: {_QUESTIONS[verb]}."]
        if verb == "why":
            return guide.why(decision, what)
        return guide.why_not(decision, _meant(options, what))

    def _question(
        self,
        decision: Decision,
        options: tuple[Option, ...],
        shown: tuple[Option, ...],
        *,
        everything: bool = False,
    ) -> None:
        who = self._names[decision.seat] if decision.seat < len(self._names) else ""
        few = shown if everything else shown[:LONG]
        for line in question_lines(decision, options, few, who):
            self._write(line)
        if len(few) < len(shown):
            self._write(f"      ... and {len(shown) - LONG} more: / shows all, /WORD some")

    def _explain(self, decision: Decision) -> None:
        if decision.doc:
            self._write(decision.doc)
        around = () if self._guide is None else self._guide.citations(decision)
        for cite in dict.fromkeys((*decision.citations, *around)):
            self._write(f"[{cite}] {self._rule(cite)}".rstrip())
        self._write(f"In the rules this question is called {decision.path}.")
        self._write("Type help for what else can be typed." if self._helped else HELP)
        self._helped = True

    def _parsed(self, decision: Decision, options: tuple[Option, ...], line: str) -> object:
        if not isinstance(decision.options, SetOf):
            words = line.split()
            if len(words) > 1 and all(word.isdigit() for word in words):
                raise _MisreadError("only one of these can be chosen")
            return self._one(options, line).value
        chosen: list[object] = []
        for word in line.replace(",", " ").split():
            number, times, count = word.partition("x")
            if not (times and number.isdigit() and count.isdigit()):
                number, count = word, "1"
            option = self._one(options, number)
            group = next(each for each in decision.options.groups if each[0] == option.value)
            wanted = [value for value in group if value not in chosen][: int(count)]
            if len(wanted) < int(count):
                raise _MisreadError(f"there are not that many of {option.text!r}")
            chosen.extend(wanted)
        return tuple(chosen)

    def _one(self, options: tuple[Option, ...], word: str) -> Option:
        """The option meant by a number, a name or the beginning of one."""
        if (
            word.isdigit()
            and word.isascii()
            and len(word) < LONG
            and (1 <= int(word) <= len(options))
            and not _speak_for_themselves(options)
        ):
            return options[int(word) - 1]
        wanted = word.casefold()
        fits: list[Option] = []
        for fits in (
            [each for each in options if wanted in (each.text.casefold(), each.key.casefold())],
            [each for each in options if wanted and each.text.casefold().startswith(wanted)],
            [each for each in options if wanted and wanted in each.text.casefold()],
        ):
            if len(fits) == 1:
                return fits[0]
        raise _MisreadError(
            f"{len(fits)} options fit {word!r}"
            if fits
            else f"no option has the number or name {word!r}"
            if word
            else "one of the options must be chosen"
        )


def question_lines(
    decision: Decision, options: Sequence[Option], shown: Sequence[Option], who: str
) -> Iterator[str]:
    """Write a question with its options.

    Args:
        decision: What is asked.
        options: All that can be answered.
        shown: Those that are written.
        who: Name of the one who is asked.
    """
    prompt = decision.prompt or decision.path.rsplit(".", 1)[-1].replace("_", " ")
    yield f"{who or f'Seat {decision.seat + 1}'}: {prompt}"
    domain = decision.options
    if isinstance(domain, SetOf):
        size = (
            f"{domain.least}"
            if domain.least == domain.most
            else (f"{domain.least} to {domain.most}")
        )
        yield f"Choose {size}, numbers with blanks between them."
    if _speak_for_themselves(options):
        numbers = {id(option): "" for option in options}
    else:
        numbers = {id(option): str(number) for number, option in enumerate(options, 1)}
    for option in shown:
        several = f" ({option.count} alike)" if option.count > 1 else ""
        yield f"{numbers[id(option)]:>4}  {option.text}{several}"


def _meant(options: Sequence[Option], word: str) -> str:
    """Give how rules write the option that a number or a name means; the word itself if it means none."""
    if word.isascii() and word.isdigit() and not _speak_for_themselves(options):
        number = int(word[:LONG])
        return options[number - 1].key if 1 <= number <= len(options) else word
    named = [each.key for each in options if each.text.casefold() == word.casefold()]
    return named[0] if len(named) == 1 else word


def _asks_hint(options: Sequence[Option], line: str) -> bool:
    """Is a hint asked for, perhaps of one option?"""
    verb, _, rest = line.partition(" ")
    return verb == "hint" and (not rest or rest.isdigit()) and not _is_called(options, line)


def _is_called(options: Sequence[Option], word: str) -> bool:
    """Is one of the options called so?"""
    return any(option.text.casefold() == word for option in options)


def _speak_for_themselves(options: Sequence[Option]) -> bool:
    """Are all options numbers? Then a number that is typed is what is meant, not its place in the list."""
    return all(option.text.isdigit() for option in options)


class _MisreadError(IllegalChoice):
    """What was typed means no answer; the message says why."""

    def __init__(self, why: str) -> None:
        super().__init__(Reason.NOT_OFFERED, why)
        self.why = why


def _why(refused: IllegalChoice) -> str:
    if isinstance(refused, _MisreadError):
        return refused.why
    if refused.reason is Reason.CONDITION:
        return "these do not go together under the rule that asks"
    return str(refused)
