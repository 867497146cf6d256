"""Answers as numbers of a fixed set: each answer is spelt with one or more *tokens*, numbered from 0.

A token is a thing, a word, a number, yes or no, the number of an alternative, an action, a place in a list, or `done`.
Which there are follows from the ruleset alone, so a number means the same in every game with the same hash and seats:

* One of several: the token of the option.
* An action: its token, then one for each argument.
* A set: the tokens of its members in rising order (of things that nobody can tell apart the first one's, repeatedly),
  then `done`, unless there is no room for more.
* Things that lie face down have no names: they are places in the list of those on offer, in the order of where they
  lie. So are values that have no token of their own.

Where a token is legal there is a legal answer that begins so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from interpreter.budget import SEARCH
from interpreter.decision import SetOf
from interpreter.layout import statements
from interpreter.naming import Naming
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation

LARGEST: Final = 100
"""Numbers without a bound have tokens up to this."""

PLACES: Final = 256
"""So many places in a list have tokens of their own; a longer list is spelt with two."""

DONE: Final = 0
NO: Final = 1
YES: Final = 2

_Tree = dict[int, Any]


@attrs.frozen
class _Leaf:
    answer: object


class Tokens:
    """The tokens of one Program.

    Attributes:
        program: The Program.
        offered: For each decision that offers actions their doings.
        names: What each token means: `done`, `yes`, `thing red_meeple`, `place 3` and so on.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        naming = Naming(program)
        self.names: list[str] = ["done", "no", "yes"]
        types = list(_types(program, _offered(program)))
        self._first_label = self._add(f"alternative {n}" for n in range(_most_labels(program)))
        self.offered = _offered(program)
        actions = sorted({doing for each in self.offered.values() for doing in each})
        self._actions = self._numbered(
            actions, [f"action {program.doings[each].name}" for each in actions]
        )
        kinds = sorted({kind for of in types if of.shape == "thing" for kind in of.kinds})
        things = [
            thing
            for kind in (program.kinds[number] for number in kinds)
            for thing in range(kind.base, kind.base + kind.count)
        ]
        self._things = self._numbered(things, [f"thing {naming.thing_key(n)}" for n in things])
        self._words: dict[tuple[int, int], int] = {}
        for number in sorted({of.enum for of in types if of.shape == "word"}):
            enum = program.enums[number]
            low = enum.low if enum.numeric else 0
            first = self._add(f"word {enum.name} {word}" for word in enum.words)
            self._words.update(
                {(number, low + place): first + place for place in range(len(enum.words))}
            )
        bounds = [
            (of.lo or 0, LARGEST if of.hi is None else min(of.hi, LARGEST))
            for of in types
            if of.shape == "number"
        ]
        low = min((lo for lo, _ in bounds), default=0)
        high = max((hi for _, hi in bounds), default=-1)
        low = max(low, -LARGEST)
        numbers = list(range(low, high + 1))
        self._numbers = self._numbered(numbers, [f"number {n}" for n in numbers])
        self._first_place = self._add(f"place {n}" for n in range(PLACES))

    def __len__(self) -> int:
        return len(self.names)

    def _add(self, names: Iterable[str]) -> int:
        first = len(self.names)
        self.names.extend(names)
        return first

    def _numbered(self, values: Sequence[int], names: Sequence[str]) -> dict[int, int]:
        first = self._add(names)
        return {value: first + place for place, value in enumerate(values)}

    def label(self, number: int) -> int:
        """The token of an alternative."""
        return self._first_label + number

    def action(self, doing: int) -> int | None:
        """The token of an action; None if it has none."""
        return self._actions.get(doing)

    def value(self, value: object, of: ir.Type) -> int | None:
        """The token of a value of a type; None if it has none."""
        match value:
            case None:
                return DONE
            case bool():
                return YES if value else NO
            case int() if of.shape == "thing":
                return self._things.get(value)
            case int() if of.shape == "word":
                return self._words.get((of.enum, value))
            case int() if of.shape == "number":
                return self._numbers.get(value)
            case _:
                return None

    def place(self, place: int, size: int) -> tuple[int, ...]:
        """The tokens of a place in a list of so many."""
        if size <= PLACES:
            return (self._first_place + place,)
        return self._first_place + place // PLACES % PLACES, self._first_place + place % PLACES


class Choice:
    """One decision that is answered token by token.

    Args:
        tokens: Those of the Program.
        decision: What is asked.
        seen: What the seat sees that is asked.

    Attributes:
        decision: What is asked.
        taken: The tokens so far.
        answer: The whole answer in a tuple of one, once it is given.
    """

    def __init__(self, tokens: Tokens, decision: Decision, seen: Observation) -> None:
        self._tokens = tokens
        self.decision = decision
        veiled = sorted(seen.offered, key=lambda thing: (seen.offered[thing], thing))
        self._veiled = {thing: place for place, thing in enumerate(veiled)}
        self.taken: tuple[int, ...] = ()
        self.answer: tuple[object] | None = None
        self._tree: _Tree | None = None
        self._picked: list[int] = []
        domain = decision.options
        if isinstance(domain, SetOf):
            self._groups = sorted(
                (self._member(group[0], place), group) for place, group in enumerate(domain.groups)
            )
            if domain.whole is not None:
                self._tree = _tree(
                    (self._spelt(answer, domain), answer) for answer in domain.some(SEARCH)
                )
        else:
            options = [group[0] for group in domain.groups]
            self._tree = _tree(
                (self._spelling(value, place, len(options)), value)
                for place, value in enumerate(options)
            )

    def legal(self) -> list[int]:
        """The tokens that can follow, rising; none once the answer is given."""
        if self.answer is not None:
            return []
        if self._tree is not None:
            return sorted(self._tree)
        domain = self.decision.options
        assert isinstance(domain, SetOf)  # noqa: S101 - everything else has a tree
        found = [DONE] if len(self._picked) >= domain.least else []
        last = self._picked[-1] if self._picked else 0
        for place in range(last, len(self._groups)):
            left = sum(len(group) for _, group in self._groups[place:])
            left -= self._picked.count(place)
            free = self._picked.count(place) < len(self._groups[place][1])
            if free and len(self._picked) + left >= domain.least:
                found.append(self._groups[place][0])
        return found

    def take(self, token: int) -> None:
        """Go on with a token.

        Raises:
            ValueError: It is not legal.
        """
        if token not in self.legal():
            raise ValueError(f"token {token} cannot follow {self.taken}")
        self.taken = (*self.taken, token)
        if self._tree is not None:
            found = self._tree[token]
            if isinstance(found, _Leaf):
                self.answer = (found.answer,)
            else:
                self._tree = found
            return
        domain = self.decision.options
        assert isinstance(domain, SetOf)  # noqa: S101 - everything else has a tree
        if token != DONE:
            self._picked.append(
                next(place for place, (known, _) in enumerate(self._groups) if known == token)
            )
        if token == DONE or len(self._picked) == domain.most:
            chosen = [
                value
                for place, (_, group) in enumerate(self._groups)
                for value in group[: self._picked.count(place)]
            ]
            self.answer = (domain.normal(tuple(chosen)),)

    # ------------------------------------------------------------------------------------ spelling

    def _member(self, value: object, place: int) -> int:
        """The token of a member of a set."""
        token = None if value in self._veiled else self._tokens.value(value, self.decision.type)
        if token is not None:
            return token
        shown = self._veiled.get(value, place)  # type: ignore[call-overload]
        return self._tokens.place(min(shown, PLACES - 1), PLACES)[0]

    def _spelt(self, answer: object, domain: SetOf) -> tuple[int, ...]:
        members = answer if isinstance(answer, tuple) else ()
        known = {value: token for token, group in self._groups for value in group}
        spelt = tuple(sorted(known[each] for each in members))
        return spelt if len(spelt) == domain.most else (*spelt, DONE)

    def _spelling(self, value: object, place: int, size: int) -> tuple[int, ...]:
        form = self.decision.form
        if form == "label" and isinstance(value, int):
            return (self._tokens.label(value),)
        if form == "action" and isinstance(value, tuple):
            doing = self._tokens.offered[self.decision.index][value[0]]
            first = self._tokens.action(doing)
            params = self._tokens.program.doings[doing].params[1:]
            parts = [
                self._part(each, param.type) for each, param in zip(value[1:], params, strict=True)
            ]
            if first is not None and all(parts):
                return (first, *(token for part in parts for token in part))
        elif form != "order":
            part = self._part(value, self.decision.type)
            if part:
                return part
        return self._tokens.place(place, size)

    def _part(self, value: object, of: ir.Type) -> tuple[int, ...]:
        """The tokens of a value inside an answer; none if it has none."""
        if isinstance(value, tuple):
            inner = [self._part(each, of.elem or of) for each in value]
            return (*(token for part in inner for token in part), DONE) if all(inner) else ()
        if isinstance(value, int) and not isinstance(value, bool) and value in self._veiled:
            return self._tokens.place(self._veiled[value], len(self._veiled))
        token = self._tokens.value(value, of)
        return () if token is None else (token,)


def _tree(spelt: Iterable[tuple[tuple[int, ...], object]]) -> _Tree:
    """The answers by their tokens; the first one where two are spelt alike."""
    root: _Tree = {}
    for tokens, answer in spelt:
        node = root
        for token in tokens[:-1]:
            node = node.setdefault(token, {})
            if isinstance(node, _Leaf):
                break
        else:
            node.setdefault(tokens[-1], _Leaf(answer))
    return root


def _asks(program: ir.Program) -> Iterator[ir.Ask]:
    """The lines that ask something."""
    for doing in program.doings:
        for line in statements(doing.body):
            if isinstance(line, ir.Ask):
                yield line
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.ask is not None:
                yield hook.ask


def _offered(program: ir.Program) -> dict[int, tuple[int, ...]]:
    """The actions that each decision offers, as doings."""
    return {
        line.decision: tuple(each.doing for each in line.instances)
        for line in _asks(program)
        if line.instances
    }


def _types(program: ir.Program, offered: dict[int, tuple[int, ...]]) -> Iterator[ir.Type]:
    """The types of values in answers."""
    for decision in program.decisions:
        if decision.form in ("one", "set"):
            yield from _parts(decision.type)
    for doing in sorted({doing for each in offered.values() for doing in each}):
        for parameter in program.doings[doing].params[1:]:
            yield from _parts(parameter.type)


def _parts(of: ir.Type) -> Iterator[ir.Type]:
    yield of
    if of.elem is not None:
        yield from _parts(of.elem)


def _most_labels(program: ir.Program) -> int:
    return max((len(line.alternatives) for line in _asks(program)), default=0)
