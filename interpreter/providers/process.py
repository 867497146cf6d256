"""A program in another process holds a seat: lines of JSON over its standard input and output.

The protocol is described in `docs/reference/protocol.md`. A program that does not answer in time, that stops, or that
answers what is not legal again and again has failed; what happens then is said beforehand, and the game never hangs.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Any, Final, Self, cast

import attrs

from interpreter.decision import SetOf
from interpreter.errors import IllegalChoice, Reason
from interpreter.providers.standin import BotError, Failure, StandIn
from interpreter.sight.offers import shown
from interpreter.sight.views import rules_as_data, seen_as_data

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.decision import Decision, Option
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation
    from rulelang import ir

PROTOCOL: Final = 1
LONGEST_LINE: Final = 1_000_000
"""Bytes of a line that a program may write."""
GRACE: Final = 2.0
"""Seconds for a program to stop after the end of the game."""


@attrs.frozen
class Limits:
    """How patient the table is.

    Attributes:
        start: Seconds for the first line.
        answer: Seconds for each answer.
        refusals: So many illegal answers to one question are told and asked again.
    """

    start: float = 10.0
    answer: float = 10.0
    refusals: int = 3


@attrs.frozen
class Seat:
    """Which game a program takes part in, and where.

    Attributes:
        program: The ruleset.
        options: Value of each option.
        seat: Its seat, from 0.
        names: What the seats are called.
    """

    program: ir.Program
    options: Sequence[object]
    seat: int
    names: Sequence[str]

    def hello(self) -> dict[str, Any]:
        """The first line that the program reads."""
        program = self.program
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "ruleset": program.name,
            "title": program.title,
            "digest": program.digest,
            "variants": list(program.variants),
            "options": {option.name: self.options[option.index] for option in program.options},
            "seats": list(self.names),
            "seat": self.seat + 1,
            "rules": rules_as_data(program),
        }


class ProcessProvider:
    """Answers as a program in another process does. Close it when the game is over, or use it as a context.

    Args:
        command: The program and its arguments; no shell reads them.
        seat: What it is told at the start.
        limits: How long it may take.
        failure: What happens if it fails: the game stops, or another provider goes on in its place.
        instead: That other provider; needed unless the game stops.
        tell: Told once, in a sentence, that another provider goes on and why.
    """

    def __init__(
        self,
        command: Sequence[str],
        seat: Seat,
        limits: Limits | None = None,
        failure: Failure = "stop",
        instead: DecisionProvider | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._command = list(command)
        self._seat = seat
        self._limits = limits or Limits()
        self._stand_in = StandIn(failure, instead, tell)
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._sent: queue.Queue[bytes | None] = queue.Queue()
        self._number = 0
        self._observes = True

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask the program.

        Raises:
            BotError: It has failed, and the game is to stop then.
        """
        return self._stand_in.decide(self._ask, observation, decision, self._kill)

    def finish(self, winners: Sequence[int] | None) -> None:
        """Tell the program that the game is over, and wait a little for it to stop."""
        process = self._process
        if process is not None and not self._stand_in.failed:
            told = None if winners is None else [winner + 1 for winner in winners]
            self._write({"type": "end", "winners": told})
            self._sent.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        self._kill()

    def close(self) -> None:
        """Stop the program, whatever it does."""
        self._kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -------------------------------------------------------------------------------- the protocol

    def _ask(self, observation: Callable[[], Observation], decision: Decision) -> object:
        if self._process is None:
            self._start()
        self._number += 1
        options = shown(observation, decision)
        question = self._question(decision, options)
        if self._observes:
            question["observation"] = seen_as_data(observation())
        self._write(question)
        reason = ""
        for _ in range(self._limits.refusals + 1):
            answer = self._read(self._limits.answer, "answer")
            try:
                return self._taken(answer, decision, options)
            except IllegalChoice as refused:
                reason = str(refused)
            self._write({"type": "refused", "id": self._number, "reason": reason})
        raise self._error(f"has given {self._limits.refusals + 1} illegal answers ({reason})")

    def _question(self, decision: Decision, options: Sequence[Option]) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "type": "decide",
            "id": self._number,
            "seat": decision.seat + 1,
            "decision": decision.path,
            "form": decision.form,
            "prompt": decision.prompt,
            "citations": list(decision.citations),
            "secret": decision.secret,
            "deadline": self._limits.answer,
            "options": [
                {"n": number, "text": each.text, "key": each.key, "count": each.count}
                for number, each in enumerate(options, 1)
            ],
        }
        domain = decision.options
        if isinstance(domain, SetOf):
            asked |= {"least": domain.least, "most": domain.most}
        return asked

    def _taken(
        self, message: dict[str, Any], decision: Decision, options: Sequence[Option]
    ) -> object:
        """Read an answer; raises IllegalChoice or BotError."""
        if message.get("type") != "answer":
            raise self._error(f"has written {message.get('type')!r:.40} instead of an answer")
        if message.get("id") != self._number:
            raise self._error(
                f"has answered question {message.get('id')!r:.20}, not {self._number}"
            )
        return picked(message.get("pick"), decision, options)

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the person at the table has named it
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise self._error(
                f"cannot be started: {getattr(error, 'strerror', None) or error}"
            ) from None
        reads, writes = self._process.stdin, self._process.stdout
        assert reads is not None  # noqa: S101 - it is a pipe
        assert writes is not None  # noqa: S101 - the same
        # Threads of their own: a program that neither reads nor writes must not stop the table.
        for target, args in ((_pump, (writes, self._lines)), (_feed, (reads, self._sent))):
            threading.Thread(target=target, args=args, daemon=True).start()
        self._write(self._seat.hello())
        ready = self._read(self._limits.start, "first line")
        if ready.get("type") != "ready" or ready.get("protocol") != PROTOCOL:
            raise self._error(
                f'has not begun with {{"type": "ready", "protocol": {PROTOCOL}}}: it speaks another protocol'
            )
        self._observes = ready.get("observe", True) is not False

    def _write(self, message: dict[str, Any]) -> None:
        self._sent.put(json.dumps(message).encode() + b"\n")

    def _read(self, seconds: float, what: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._error(f"has given no {what} within {seconds:g} seconds") from None
        if not line:
            raise self._error(f"has stopped{self._code()}")
        if len(line) > LONGEST_LINE:
            raise self._error(f"has written a line of more than {LONGEST_LINE:,} bytes")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise self._error(f"has written what is no JSON: {line[:60]!r}") from None
        if not isinstance(message, dict):
            raise self._error(f"has written what is no JSON object: {line[:60]!r}")
        return message

    def _code(self) -> str:
        """Say with which code it has stopped, if it has."""
        try:
            code = None if self._process is None else self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return ""
        return "" if code is None else f" with exit code {code}"

    def _error(self, text: str) -> BotError:
        return BotError(f"the program of seat {self._seat.seat + 1} ({self._command[0]}) {text}")

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        self._sent.put(None)


def picked(pick: object, decision: Decision, options: Sequence[Option]) -> object:
    """Make an answer of the numbers of options.

    Args:
        pick: A number from 1, or a list of them; of options with a count, a number may come so often.
        decision: What is asked.
        options: What was shown.

    Returns:
        The answer as the engine takes it.

    Raises:
        IllegalChoice: it is none, with the reason.
    """
    given = pick if isinstance(pick, list) else [pick]
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in given):
        raise IllegalChoice(
            Reason.WRONG_SHAPE, "`pick` is the number of an option, or a list of them"
        )
    numbers = cast("list[int]", given)
    if any(not 1 <= each <= len(options) for each in numbers):
        raise IllegalChoice(Reason.NOT_OFFERED, f"options have the numbers 1 to {len(options)}")
    domain = decision.options
    if isinstance(domain, SetOf):
        members = {group[0]: group for group in domain.groups}
        taken: list[object] = []
        for number in sorted(set(numbers)):
            group = members[options[number - 1].value]
            wanted = numbers.count(number)
            if wanted > len(group):
                raise IllegalChoice(Reason.REPEATED, f"{wanted} of {len(group)} alike")
            taken += group[:wanted]
        return domain.normal(tuple(taken))
    if len(numbers) != 1:
        raise IllegalChoice(Reason.WRONG_SHAPE, "one option is asked for")
    return domain.normal(options[numbers[0] - 1].value)


def _pump(out: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Read lines until there are no more; an empty one says so."""
    with contextlib.suppress(OSError, ValueError), out:
        while line := out.readline(LONGEST_LINE + 1):
            lines.put(line)
            if len(line) > LONGEST_LINE:
                break
    lines.put(b"")


def _feed(into: IO[bytes], sent: queue.Queue[bytes | None]) -> None:
    """Write what is sent until there is no more."""
    with contextlib.suppress(OSError, ValueError), into:
        while (line := sent.get()) is not None:
            into.write(line)
            into.flush()
