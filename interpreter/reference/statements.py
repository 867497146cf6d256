"""The meaning of statements: what each line does to the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interpreter import durations, events
from interpreter.budget import FIRINGS, LARGEST, LINES, ROUNDS, weight
from interpreter.chance import ChanceProvider, below, picked, picked_one, shuffled
from interpreter.faultcodes import EMPTY_SET, RANGE_LEFT, WRONG_PLACE
from interpreter.layout import BOX, NOWHERE, Layout, Slots, admits
from interpreter.reference.expressions import Env, Expressions, Running
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable


class Leaving(Exception):  # noqa: N818 - control flow, not an error
    """An ``end`` on its way out to the doing that it leaves."""

    def __init__(self, target: Running, value: object) -> None:
        super().__init__()
        self.target = target
        self.value = value


class Stop(Exception):  # noqa: N818 - control flow, not an error
    """``end game``: everything stops at once."""


class Statements(Expressions):
    """Runs lines. What asks somebody or calls a doing is left to the class above.

    Attributes:
        most_lines: So many lines may be run between two answers.
        most_firings: So many rules may fire between two answers.
    """

    def __init__(
        self,
        program: ir.Program,
        options: tuple[object, ...],
        slots: Slots,
        layout: Layout | None = None,
    ) -> None:
        super().__init__(program, options, slots, layout)
        self.chance: ChanceProvider | None = None
        self.events: list[events.Event] = []
        self.lines = 0
        self.firings = 0
        self.most_lines = LINES
        self.most_firings = FIRINGS
        self._runs: dict[type[ir.Stmt], Callable[[Any, Env], None]] = {
            ir.Let: self._let,
            ir.SetGlobal: self._set_global,
            ir.SetField: self._set_field,
            ir.Adjust: self._adjust,
            ir.AdjustGlobal: self._adjust_global,
            ir.Move: self._move,
            ir.Roll: self._roll,
            ir.Pick: self._pick,
            ir.Shuffle: self._shuffle,
            ir.Show: self._show,
            ir.Win: self._win,
            ir.Call: self._call,
            ir.If: self._if,
            ir.Match: self._match,
            ir.Each: self._each,
            ir.While: self._while,
            ir.End: self._end,
            ir.Lasting: self._lasting,
            ir.Fault: self._fault,
            ir.Ask: self.ask,
        }

    # ---------------------------------------------------------------- to be given by the class above

    def doing(self, index: int, args: tuple[object, ...]) -> object:
        """Run a doing and give its result."""
        raise NotImplementedError

    def ask(self, ask: ir.Ask, env: Env) -> None:
        """Ask, and bind the answer."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------- helpers

    def log(self, *event: object) -> None:
        """Add to the event log."""
        self.events.append(event)

    def charge(self, lines: int) -> None:
        """Pay for lines."""
        self.lines += lines
        if self.lines > self.most_lines:
            self.exhausted(f"more than {self.most_lines:,} lines between two decisions")

    def fire(self) -> None:
        """Pay for the firing of a rule."""
        self.firings += 1
        if self.firings > self.most_firings:
            self.exhausted(f"more than {self.most_firings:,} rules fired between two decisions")

    def run(self, block: ir.Block, env: Env) -> None:
        """Run the lines of a block in order."""
        here = self.stack[-1]
        for statement in block:
            here.line, here.names = statement, env
            self.cited.update(statement.cites)
            self._runs[type(statement)](statement, env)
        here.names = None

    def write(self, slot: int, of: ir.Type, value: object, name: str) -> None:
        """Write a field or global for good or for a time, testing its range."""
        if not admits(self.program, of, value):
            self.fault(f"{name} cannot be {value!r}", code=RANGE_LEFT)
        self.slots[slot] = value

    def limits(self, until: tuple[ir.Limit, ...], env: Env) -> tuple[durations.Limit, ...]:
        """Durations as of now."""
        return tuple(
            durations.limit(
                self.slots,
                self.layout,
                each.doing,
                tuple(self.value(value, env) for value in each.values),
                start=each.start,
            )
            for each in until
        )

    # -------------------------------------------------------------------------- writing and moving

    def _let(self, line: ir.Let, env: Env) -> None:
        env[line.name] = self.value(line.value, env)

    def _set_global(self, line: ir.SetGlobal, env: Env) -> None:
        value = self.value(line.value, env)
        declared = self.program.globals[line.index]
        slot = self.layout.global_slot(line.index)
        self._becomes(slot, declared.type, value, declared.name, line.until, env)

    def _set_field(self, line: ir.SetField, env: Env) -> None:
        thing = self.need(line.obj, env)
        key = self.need(line.key, env) if line.key is not None else 0
        value = self.value(line.value, env)
        declared = self.program.fields[self.field_of(line.fields, thing)]
        if not declared.key_low <= key < declared.key_low + declared.keys and declared.keys > 1:
            self.fault(f"{declared.name} has no value for {key}")
        slot = self.layout.slot(declared.index, thing, key)
        old = self.slots[slot]
        before = self._in_force()
        self._becomes(slot, declared.type, value, declared.name, line.until, env)
        self._fresh(before)
        self.log(events.SET, thing, declared.index, key, old, value)

    def _becomes(
        self,
        slot: int,
        of: ir.Type,
        value: object,
        name: str,
        until: tuple[ir.Limit, ...],
        env: Env,
    ) -> None:
        old = self.slots[slot]
        limits = self.limits(until, env)
        self.write(slot, of, value, name)
        if limits:
            durations.add_value(self.slots, self.layout, slot, old, limits)
        else:
            durations.wrote(self.slots, self.layout, slot)

    def _adjust(self, line: ir.Adjust, env: Env) -> None:
        thing = self.need(line.obj, env)
        other = self.need(line.other, env) if line.other is not None else None
        amount = self.need(line.amount, env)
        field = self.program.fields[self.field_of(line.fields, thing)]
        slot = self.layout.slot(field.index, thing)
        if amount < 0:
            self.fault(f"an amount of {amount}", code=RANGE_LEFT)
        other_slot = -1
        other_field = -1
        if other is not None:
            other_field = self.field_of(line.other_fields, other)
            other_slot = self.layout.slot(other_field, other)
        if line.up_to:
            amount = min(amount, self._room(slot, line.sign))
            if other is not None:
                amount = min(amount, self._room(other_slot, -line.sign))
        limits = self.limits(line.until, env)
        if amount:
            self._shift(slot, line.sign * amount)
            if other is not None:
                self._shift(other_slot, -line.sign * amount)
            self.log(events.GAIN, thing, field.index, line.sign * amount, other, other_field)
        if limits:
            durations.add_gain(self.slots, self.layout, slot, line.sign * amount, limits)
        if line.result is not None:
            env[line.result] = amount

    def _adjust_global(self, line: ir.AdjustGlobal, env: Env) -> None:
        amount = self.need(line.amount, env)
        slot = self.layout.global_slot(line.index)
        if amount < 0:
            self.fault(f"an amount of {amount}", code=RANGE_LEFT)
        if line.up_to:
            amount = min(amount, self._room(slot, line.sign))
        if amount:
            self._shift(slot, line.sign * amount)
        if line.result is not None:
            env[line.result] = amount

    def _room(self, slot: int, sign: int) -> int:
        """How far a number can go up or down."""
        of = self.layout.type_at(slot)
        value = self.slots[slot]
        if value is None:
            self.fault(f"{self.layout.describe(slot)} is not set")
        low = -LARGEST if of is None or of.lo is None else of.lo
        high = LARGEST if of is None or of.hi is None else of.hi
        return high - cast("int", value) if sign > 0 else cast("int", value) - low

    def _shift(self, slot: int, change: int) -> None:
        if self._room(slot, change) < abs(change):
            self.fault(
                f"{self.layout.describe(slot)} is {self.slots[slot]} and cannot change by {change}",
                code=RANGE_LEFT,
            )
        durations.wrote(self.slots, self.layout, slot)
        self.slots[slot] = cast("int", self.slots[slot]) + change

    def _move(self, line: ir.Move, env: Env) -> None:
        what = self.need(line.what, env)
        dest = line.dest
        goal = self.value(dest.obj, env) if dest.obj is not None else None
        moved = tuple(what) if line.many else (what,)
        whole_pile = isinstance(line.what, ir.FieldGet) and any(
            self.program.fields[field].pile for field in line.what.fields
        )
        if dest.where == "top" and whole_pile:
            moved = moved[::-1]  # so that the pile's own top ends on top
        for thing in moved:
            self._move_one(thing, dest, goal)

    def _move_one(self, thing: int, dest: ir.Dest, goal: int | None) -> None:
        layout = self.layout
        before = self._in_force()
        start = layout.where(self.slots, thing)
        if start[0] > BOX:
            self._write_pile(
                start[0], tuple(each for each in self._pile(start[0]) if each != thing)
            )
        position, place = NOWHERE, None
        if dest.where in ("top", "bottom"):
            if goal is None:
                self.fault("none where a pile is needed")
            number = layout.pile_numbers[self.field_of(dest.fields, goal)]
            position = cast("int", number) + goal
            pile = self._pile(position)
            self._write_pile(position, (thing, *pile) if dest.where == "top" else (*pile, thing))
        elif dest.where == "box":
            position = BOX
        elif dest.where == "thing":
            place = goal
        kind = self.program.kinds[layout.kind_of[thing]]
        if place is not None and (
            kind.place is None
            or not admits(self.program, self.program.fields[kind.place].type, place)
        ):
            self.fault(f"a {kind.name} cannot be there", code=WRONG_PLACE)
        layout.put(self.slots, thing, position, place)
        self._fresh(before)
        self.log(events.MOVE, thing, start, (position, place))

    def _pile(self, number: int) -> tuple[int, ...]:
        return self.layout.read_tuple(self.slots, *self.layout.piles[number - 2])

    def _write_pile(self, number: int, things: tuple[int, ...]) -> None:
        self.slots[self.layout.slot(*self.layout.piles[number - 2])] = things

    def _in_force(self) -> set[int]:
        """The cards with kept values that are in force."""
        held = self.all_held() if self.program.card_keeps else ()
        return {card for card, _ in self.program.card_keeps if card in held}

    def _fresh(self, before: set[int]) -> None:
        """Kept values of cards that have just come into force start afresh."""
        now = self._in_force()
        for card, keeps in self.program.card_keeps:
            if card in now and card not in before:
                for index in keeps:
                    slot = self.layout.global_slot(index)
                    self.slots[slot] = self.program.globals[index].initial

    # ---------------------------------------------------------------------------------------- chance

    def draw_one(self, path: str, source: tuple[object, ...]) -> object:
        """One of a set or list at random."""
        if self.chance is not None:
            return self.chance.pick(path, source, None)
        return picked_one(self.slots, self.layout.streams[path], source)

    def _roll(self, line: ir.Roll, env: Env) -> None:
        by = self.value(line.by, env) if line.by is not None else None
        count = self.need(line.count, env) if line.count is not None else 1
        rolled = []
        for _ in range(count):
            if self.chance is not None:
                face = self.chance.roll(line.path, line.low, line.high, by)
            else:
                slot = self.layout.streams[line.path]
                face = line.low + below(self.slots, slot, line.high - line.low + 1)
            self.log(events.ROLL, line.path, face, by)
            rolled.append(face)
        env[line.name] = rolled[0] if line.count is None else tuple(rolled)

    def _pick(self, line: ir.Pick, env: Env) -> None:
        source = self.items(line.source, env)
        if line.count is None:
            if not source:
                self.fault("a draw from nothing", code=EMPTY_SET)
            drawn = self.draw_one(line.path, source)
        else:
            source = tuple(dict.fromkeys(source))
            count = max(min(self.need(line.count, env), len(source)), 0)
            if self.chance is not None:
                given = cast("tuple[int, ...]", self.chance.pick(line.path, source, count))
            else:
                stream = self.layout.streams[line.path]
                given = cast("tuple[int, ...]", picked(self.slots, stream, source, count))
            drawn = tuple(sorted(given))
        env[line.name] = drawn
        self.log(events.PICK, line.path, drawn)

    def _shuffle(self, line: ir.Shuffle, env: Env) -> None:
        if line.name is not None and line.source is not None:
            env[line.name] = self._mixed(line.path, self.items(line.source, env))
            self.log(events.SHUFFLE, line.path, None, -1)
        elif line.obj is not None:
            thing = self.need(line.obj, env)
            field = self.field_of(line.fields, thing)
            slot = self.layout.slot(field, thing)
            self.slots[slot] = self._mixed(line.path, cast("tuple[object, ...]", self.slots[slot]))
            self.log(events.SHUFFLE, line.path, thing, field)

    def _mixed(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        if self.chance is not None:
            return self.chance.shuffle(path, items)
        return shuffled(self.slots, self.layout.streams[path], items)

    # --------------------------------------------------------------------------------------- the rest

    def _show(self, line: ir.Show, env: Env) -> None:
        things = self.value(line.things, env)
        players = self.value(line.players, env)
        self.log(events.SHOW, things, players)

    def _win(self, line: ir.Win, env: Env) -> None:
        players = self.value(line.players, env)
        if isinstance(players, int):
            players = (players,)
        self.slots[self.layout.winners] = players or ()
        self.log(events.WIN, self.slots[self.layout.winners])

    def _call(self, line: ir.Call, env: Env) -> None:
        result = self.doing(line.doing, tuple(self.value(arg, env) for arg in line.args))
        if line.result is not None:
            env[line.result] = result

    def _if(self, line: ir.If, env: Env) -> None:
        taken = self.holds(line.cond, env)
        self.mark(line, taken)
        self.run(line.then if taken else line.orelse, env)

    def _match(self, line: ir.Match, env: Env) -> None:
        keys = [self.value(key, env) for key in line.keys]
        for number, (fits, block) in enumerate(line.rows):
            if all(fit is None or key in fit for key, fit in zip(keys, fits, strict=True)):
                self.mark(line, number)
                self.run(block, env)
                return
        self.fault("no row of the table fits")

    def _each(self, line: ir.Each, env: Env) -> None:
        source = self.items(line.source, env)
        self.charge(len(source) * weight(line.body))
        if source:
            self.mark(line)
        for number, each in enumerate(source):
            env[line.name] = each
            if line.index is not None:
                env[line.index] = number
            self.run(line.body, env)

    def _while(self, line: ir.While, env: Env) -> None:
        here = self.stack[-1]
        rounds = 0
        while self.holds(line.cond, env):
            rounds += 1
            self.mark(line)
            if rounds > ROUNDS:
                self.exhausted(f"more than {ROUNDS:,} rounds of one while")
            self.charge(max(weight(line.body), 1))
            self.run(line.body, env)
            here.line = line

    def _end(self, line: ir.End, env: Env) -> None:
        value = self.value(line.value, env) if line.value is not None else None
        if line.doing == 0:
            raise Stop
        for each in reversed(self.stack):
            if each.doing.index == line.doing:
                raise Leaving(each, value)
        self.fault(f"{self.program.doings[line.doing].name} is not open")

    def _lasting(self, line: ir.Lasting, env: Env) -> None:
        block = self.program.blocks[line.block]
        captured = {name: self.value(value, env) for name, value in line.captures}
        values = tuple(captured[name] for name in block.names)
        limits = self.limits(line.until, env)
        durations.add_row(self.slots, self.layout, line.block, values, limits)
        self.cited.update(block.cites)

    def _fault(self, line: ir.Fault, _: Env) -> None:
        self.fault(line.text, code=line.code)
