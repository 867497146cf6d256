"""Events as clauses: who did what. A story is made of these (see `interpreter.ui.story`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from interpreter import events as log
from interpreter.layout import BOX, FIRST_PILE, Layout, statements
from rulelang.ir import NUMBER, Ask, Pick, Roll, Type
from rulelang.wording import listed, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.events import Event
    from interpreter.ui.names import Names
    from rulelang.ir import Decision, Field, Program, Prompt

_PLURALS: Final = {
    "gains": "gain",
    "loses": "lose",
    "wins": "win",
    "rolls": "roll",
    "chooses": "choose",
    "says": "say",
    "decides": "decide",
    "leaves": "leave",
    "comes": "come",
    "goes": "go",
}
_UNTOLD_NAMES: Final = {"die", "dice", "roll", "face", "n"}


@attrs.define
class Clause:
    """One thing that happened.

    Attributes:
        who: Names of those it is told of; nobody for what just happens.
        verb: What they do, as said of one; may be empty.
        objects: What it is done with or to.
        amounts: The same as numbers of something, so that they can be added up.
        tail: How it ends.
        colon: Told as "who: ..." where it begins a sentence.
        movers: Things that move; they are named together, with their number.
        goals: Where they move to.
    """

    who: list[str] = attrs.field(factory=list)
    verb: str = ""
    objects: list[str] = attrs.field(factory=list)
    amounts: dict[str, int] = attrs.field(factory=dict)
    tail: str = ""
    colon: bool = False
    movers: list[int] = attrs.field(factory=list)
    goals: list[str] = attrs.field(factory=list)

    def takes_in(self, other: Clause) -> bool:
        """Take in what follows if it is the same with more objects, or the same told of somebody else."""
        if (self.verb, self.tail, self.colon) != (other.verb, other.tail, other.colon):
            return False
        if bool(self.movers) != bool(other.movers):
            return False
        if self.who == other.who and not self.movers:
            if self.colon:
                # A value that changes again: only the way it went counts.
                self.objects.extend(
                    f"then {each}" for each in other.objects if each != self.objects[-1]
                )
                return True
            self.objects.extend(other.objects)
            for noun, amount in other.amounts.items():
                self.amounts[noun] = self.amounts.get(noun, 0) + amount
            return True
        return False

    def shares(self, other: Clause, names: Names) -> bool:
        """Take in what follows if somebody else does just the same, or alike things move elsewhere."""
        if (self.verb, self.tail, self.colon) != (other.verb, other.tail, other.colon):
            return False
        if self.movers and other.movers:
            alike = names.noun(self.movers[0]) is not None
            if self.goals == other.goals or (
                alike and names.noun(self.movers[0]) == names.noun(other.movers[0])
            ):
                self.movers.extend(other.movers)
                self.goals.extend(goal for goal in other.goals if goal not in self.goals)
                return True
            return False
        same = (self.objects, self.amounts) == (other.objects, other.amounts)
        if self.who and other.who and same and not self.movers and not other.movers:
            self.who.extend(name for name in other.who if name not in self.who)
            return True
        return False

    def subject(self, names: Names) -> str:
        """Say of whom it is told."""
        if self.movers:
            return names.things(self.movers)
        return listed(self.who) + (":" if self.colon else "")

    def predicate(self) -> str:
        """Say what they do."""
        several = len(self.who) > 1 or len(self.movers) > 1
        verb = self.verb
        if several:
            first, _, rest = verb.partition(" ")
            verb = f"{_PLURALS.get(first, first)} {rest}".rstrip()
        if self.colon:
            return f"{verb} {', '.join(self.objects)}{self.tail}"
        objects = listed([*self.objects, *(f"{n} {noun}" for noun, n in self.amounts.items())])
        goals = f"to {listed(self.goals)}" if self.goals else ""
        return " ".join(part for part in (verb, objects, goals) if part) + self.tail


class Clauses:
    """Makes clauses of events.

    Args:
        program: The game.
        names: What its things and players are called.
        full: Leave nothing out, and say the path and the amount so far. Otherwise what only says again what was just
            told, or only puts things back to how they began, is left out.
        start: The state in which the log begins; empty: that of the empty table.
    """

    def __init__(
        self, program: Program, names: Names, *, full: bool, start: Sequence[object] = ()
    ) -> None:
        self._program = program
        self._names = names
        self._full = full
        self._layout = Layout(program)
        self._amounts: dict[tuple[int, int], int] = {}
        self._start = list(start) or self._layout.initial(0)
        self._drawn_types = drawn_types(program)
        self._questions = questions(program)
        self._pick: tuple[object, Clause] | None = None
        self._given: set[object] = set()
        self._answers: dict[tuple[object, str], object] = {}

    def of(self, event: Event) -> list[Clause]:
        """Give the clauses for one event; a draw may wait for the event that says what it was for."""
        held = self._pick
        self._pick = None
        made = self._made(event)
        before = [] if held is None or self._says_again(held[0], event) else [held[1]]
        return before + ([] if made is None else [made])

    def rest(self) -> list[Clause]:
        """Give what was waiting."""
        held = self._pick
        self._pick = None
        return [] if held is None else [held[1]]

    @staticmethod
    def _says_again(drawn: object, event: Event) -> bool:
        match event:
            case (log.MOVE, thing, *_):
                return drawn == thing
            case (log.SET, *_, new):
                return drawn == new
            case (log.BEGIN, _, values) if isinstance(values, tuple):
                return drawn in values
            case _:
                return False

    def _made(self, event: Event) -> Clause | None:
        kind, *rest = event
        match kind:
            case log.GAIN:
                return self._gain(*rest)
            case log.SET:
                return self._set(*rest)
            case log.GLOBAL if self._full:
                return self._global(*rest)
            case log.MOVE:
                return self._move(*rest)
            case log.ROLL:
                return self._roll(*rest)
            case log.PICK:
                path, drawn = rest
                clause = Clause([], f"drawn{self._purpose(path)}:", [self._drawn(path, drawn)])
                if self._full:
                    return clause
                self._pick = (drawn, clause)
                return None
            case log.SHUFFLE if self._full:
                _, thing, _ = rest
                whose = f" of {self._names.thing(thing)}" if isinstance(thing, int) else ""
                return Clause([], "shuffled:", [f"a pile{whose}"])
            case log.ANSWER:
                return self._answer(*rest)
            case log.WIN:
                winners = [self._names.thing(index(player)) for player in several(rest[0])]
                return Clause(winners or ["nobody"], "wins")
            case log.SHOW:
                things, players = (
                    self._names.things([index(each) for each in several(part)]) for part in rest
                )
                return Clause([], "shown:", [things], {}, f" to {players}")
            case log.UNDO if self._full:
                return self._undo(*rest)
        return None

    # ------------------------------------------------------------------------------- changes

    def _gain(self, *rest: object) -> Clause:
        thing, field, amount, other, other_field = rest
        declared = self._program.fields[index(field)]
        n = index(amount)
        now = self._add(declared, index(thing), n)
        tail = ""
        if isinstance(other, int):
            self._add(self._program.fields[index(other_field)], other, -n)
            tail = f" {'from' if n > 0 else 'to'} {self._names.thing(other)}"
        clause = Clause([self._names.thing(index(thing))], "gains" if n > 0 else "loses", tail=tail)
        noun = spoken(declared.name)
        if self._full and now is not None:
            clause.objects.append(f"{abs(n)} {noun} (now {now})")
        else:
            clause.amounts[noun] = abs(n)
        return clause

    def _add(self, declared: Field, thing: int, amount: int) -> int | None:
        """Follow a number, to tell what it is now."""
        if declared.keys > 1:
            return None
        key = (declared.index, thing)
        if key not in self._amounts:
            initial = self._layout.read(self._start, declared.index, thing)
            self._amounts[key] = initial if isinstance(initial, int) else 0
        self._amounts[key] += amount
        return self._amounts[key]

    def _set(self, *rest: object) -> Clause | None:
        thing, field, key, _, new = rest
        declared = self._program.fields[index(field)]
        at = index(thing)
        if isinstance(new, int) and declared.type.shape == "number":
            self._amounts[declared.index, at] = new
        if not self._full and self._needs_no_telling(declared, at, new):
            return None
        self._given.add(new)
        keyed = f" {key}" if declared.keys > 1 else ""
        value = self._names.value(new, declared.type)
        verb = f"{spoken(declared.name)}{keyed} becomes"
        return Clause([self._names.thing(at)], verb, [value], colon=True)

    def _needs_no_telling(self, declared: Field, thing: int, new: object) -> bool:
        """Is this what was just answered, a mark of a phase, or a thing put back to how it began?"""
        if declared.lent_by is not None:
            return True
        if declared.kind == 0:
            return self._answers.pop((thing, declared.name), log) == new
        first = self._program.kinds[declared.kind].base
        return declared.keys == 1 and declared.values[thing - first] == new

    def _global(self, *rest: object) -> Clause | None:
        number, _, new = rest
        declared = self._program.globals[index(number)]
        if not declared.shown:
            return None
        return Clause(
            [], f"{spoken(declared.name)} becomes", [self._names.value(new, declared.type)]
        )

    def _undo(self, *rest: object) -> Clause | None:
        slot, _, new = rest
        found = self._layout.field_at(index(slot))
        if found is None:
            return None
        declared, thing, _ = found
        if isinstance(new, int):
            self._amounts[declared.index, thing] = new
        value = self._names.value(new, declared.type)
        verb = f"{spoken(declared.name)} is again"
        return Clause([self._names.thing(thing)], verb, [value], colon=True)

    def _move(self, *rest: object) -> Clause | None:
        thing, source, target = rest
        start, end = self._place(source), self._place(target)
        if not self._full and thing in self._given and several(target)[0] == BOX:
            # A card that a player has been given leaves its pile; that he has it was told.
            self._given.discard(thing)
            return None
        if start == end and not self._full:
            return None
        if not end:
            verb, goals = f"leaves {start}", []
        elif not start:
            verb, goals = "comes", [end]
        else:
            verb, goals = f"goes from {start}", [end]
        return Clause(verb=verb, movers=[index(thing)], goals=goals)

    def _place(self, where: object) -> str:
        position, place = several(where)
        if position == BOX:
            return "the box"
        if isinstance(position, int) and position >= FIRST_PILE:
            field, thing = self._layout.piles[position - FIRST_PILE]
            pile = spoken(self._program.fields[field].name)
            if self._names.kind_of(thing).singleton:
                return f"the {pile}"
            return f"{self._names.thing(thing)}'s {pile}"
        return self._names.thing(place) if isinstance(place, int) else ""

    # ------------------------------------------------------------------- chance and decisions

    def _roll(self, *rest: object) -> Clause:
        path, drawn, by = rest
        value = self._drawn(path, drawn)
        if isinstance(by, int):
            return Clause([self._names.thing(by)], "rolls", [value], {}, self._path(path))
        return Clause([], f"rolled{self._purpose(path)}:", [value], {}, self._path(path))

    def _purpose(self, path: object) -> str:
        """Say what a draw is for, by the last part of its path that says something."""
        parts = [part for part in str(path).split(".") if part not in _UNTOLD_NAMES]
        return f" for {spoken(parts[-1])}" if parts else ""

    def _path(self, path: object) -> str:
        return f"  ({path})" if self._full else ""

    def _drawn(self, path: object, value: object) -> str:
        of = self._drawn_types.get(str(path), NUMBER)
        if isinstance(value, int) and of.shape in {"set", "list"}:
            of = of.elem or NUMBER
        return self._names.value(value, of)

    def _answer(self, *rest: object) -> Clause | None:
        number, seat, value, by = rest
        decision = self._program.decisions[index(number)]
        name = decision.path.rpartition(".")[2]
        self._answers[seat, name] = value
        untold = by == log.SOLE or (by == log.POLICY and decision.form == "yes" and value is False)
        if untold and not self._full:
            return None
        who = [self._names.seat(index(seat))]
        tail = f"  [{', '.join(decision.cites)}]" if decision.cites and self._full else ""
        match decision.form:
            case "yes":
                question = self._question(decision) or spoken(name)
                return Clause(
                    who, "says", [f"{'yes' if value else 'no'} to {question!r}"], tail=tail
                )
            case "label":
                label = self._prompt(
                    self._questions[decision.index].alternatives[index(value)].text
                )
                return Clause(who, "chooses", [f'"{label}"'], tail=tail)
            case "action":
                return Clause(who, "decides", [self._action(decision, value)], tail=tail)
            case _:
                answer = self._names.value(value, decision.type)
                return Clause(who, "chooses", [answer], tail=f" as {spoken(name)}{tail}")

    def _question(self, decision: Decision) -> str:
        asked = self._questions.get(decision.index)
        return self._prompt(asked.prompt) if asked is not None else ""

    @staticmethod
    def _prompt(prompt: Prompt) -> str:
        return "".join(part if isinstance(part, str) else "..." for part in prompt.parts)

    def _action(self, decision: Decision, value: object) -> str:
        if value is None:
            return "to do nothing more"
        which, *arguments = several(value)
        instance = self._questions[decision.index].instances[index(which)]
        doing = self._program.doings[instance.doing]
        told = [
            self._names.value(argument, parameter.type)
            for parameter, argument in zip(doing.params[1:], arguments, strict=False)
        ]
        return f"to {spoken(doing.name)}" + (f" ({', '.join(told)})" if told else "")


def questions(program: Program) -> dict[int, Ask]:
    """Find the question of each decision."""
    found: dict[int, Ask] = {}
    for doing in program.doings:
        for statement in statements(doing.body):
            if isinstance(statement, Ask):
                found[statement.decision] = statement
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.ask is not None:
                found[hook.ask.decision] = hook.ask
    return found


def drawn_types(program: Program) -> dict[str, Type]:
    """Find out what each path of chance gives: for picks the type of the set that is picked from."""
    found: dict[str, Type] = {}
    for doing in program.doings:
        for statement in statements(doing.body):
            match statement:
                case Pick():
                    found[statement.path] = statement.source.type
                case Roll() if statement.enum >= 0:
                    found[statement.path] = Type("word", enum=statement.enum)
                case _:
                    pass
    return found


def index(value: object) -> int:
    """Take a number out of an event."""
    if not isinstance(value, int):
        message = f"a number was expected in the log, not {value!r}"
        raise TypeError(message)
    return value


def several(value: object) -> tuple[object, ...]:
    """Take several values out of an event."""
    if not isinstance(value, tuple):
        message = f"several values were expected in the log, not {value!r}"
        raise TypeError(message)
    return value
