"""A person at a plain terminal: numbered options, a filter for long lists, `?` for the rule.

Reads and writes through the functions it is given, so it works with any pair of streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.decision import Decision, Option, SetOf
from interpreter.errors import IllegalChoice, Quit, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.observation import Observation

LONG = 20

HELP = """\
Type the number of an option, or part of its name if only one fits.
Of a set, type several numbers parted by blanks (2x3: three of the alike ones of option 2), or
nothing for the empty set.
/WORD shows the options with that word, / shows all of them again, ? tells the rule behind the
question, q stops."""


class HumanProvider:
    """Asks a person.

    Args:
        read: Gives the next line for a prompt; raises EOFError when there are no more.
        write: Shows a line.
        names: The names of the seats.
        rule: Gives the text of a rule id, for ``?``; may give an empty text.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        names: tuple[str, ...] = (),
        rule: Callable[[str], str] = lambda _: "",
    ) -> None:
        self._read = read
        self._write = write
        self._names = names
        self._rule = rule

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask until there is a legal answer.

        Raises:
            Quit: the person wants to stop, or there is no more input.
        """
        del observation
        options = tuple(decision.options)
        self._question(decision, options, options)
        while True:
            try:
                line = self._read("> ").strip()
            except EOFError:
                raise Quit("there is no more input") from None
            match line:
                case "q" | "quit":
                    raise Quit("stopped")
                case "?":
                    self._explain(decision)
                case "help" | "h":
                    self._write(HELP)
                case _ if line.startswith("/"):
                    word = line[1:].strip().casefold()
                    fitting = tuple(each for each in options if word in each.text.casefold())
                    self._question(decision, options, fitting, everything=True)
                case _:
                    try:
                        return decision.options.normal(self._parsed(decision, options, line))
                    except IllegalChoice as refused:
                        self._write(f"That is not possible: {refused}. (? help q /filter)")

    def _question(
        self,
        decision: Decision,
        options: tuple[Option, ...],
        shown: tuple[Option, ...],
        *,
        everything: bool = False,
    ) -> None:
        who = self._names[decision.seat] if decision.seat < len(self._names) else ""
        prompt = decision.prompt or decision.path.rsplit(".", 1)[-1].replace("_", " ")
        self._write(f"{who or f'Seat {decision.seat + 1}'}: {prompt}")
        domain = decision.options
        if isinstance(domain, SetOf):
            size = (
                f"{domain.least}"
                if domain.least == domain.most
                else (f"{domain.least} to {domain.most}")
            )
            self._write(f"Choose {size}.")
        numbers = {id(option): number for number, option in enumerate(options, 1)}
        for option in shown if everything else shown[:LONG]:
            several = f" ({option.count} alike)" if option.count > 1 else ""
            self._write(f"{numbers[id(option)]:4}  {option.text}{several}")
        if not everything and len(shown) > LONG:
            self._write(f"      ... and {len(shown) - LONG} more: / shows all, /WORD some")

    def _explain(self, decision: Decision) -> None:
        self._write(f"Decision {decision.path}.")
        if decision.doc:
            self._write(decision.doc)
        for cite in decision.citations:
            self._write(f"[{cite}] {self._rule(cite)}".rstrip())
        self._write(HELP)

    def _parsed(self, decision: Decision, options: tuple[Option, ...], line: str) -> object:
        if not isinstance(decision.options, SetOf):
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
                raise IllegalChoice(Reason.NOT_OFFERED, f"{count} more of {option.text}")
            chosen.extend(wanted)
        return tuple(chosen)

    def _one(self, options: tuple[Option, ...], word: str) -> Option:
        """The option meant by a number, a name or the beginning of one."""
        if (
            word.isdigit()
            and word.isascii()
            and len(word) < LONG
            and (1 <= int(word) <= len(options))
        ):
            return options[int(word) - 1]
        wanted = word.casefold()
        for fits in (
            [each for each in options if wanted in (each.text.casefold(), each.key.casefold())],
            [each for each in options if wanted and each.text.casefold().startswith(wanted)],
            [each for each in options if wanted and wanted in each.text.casefold()],
        ):
            if len(fits) == 1:
                return fits[0]
        raise IllegalChoice(Reason.NOT_OFFERED, word or "nothing was typed")
