"""What is known at a place in the text that is written: names, `it`, and what may be done there."""

from __future__ import annotations

from attrs import Factory, define

from rulelang.fuzzing.world import T


@define(eq=False)
class Var:
    """A bound name.

    Attributes:
        name: The name.
        type: What it holds.
        changes: Whether `becomes` may change it.
        state: Whether a phase holds it, so that a test of it does not last.
    """

    name: str
    type: T
    changes: bool = False
    state: bool = False


@define(eq=False)
class Signature:
    """A doing as its callers see it.

    Attributes:
        name: Its name.
        form: `effect`, `phase`, `action` or `rows`.
        params: Names and types of its parameters.
        result: What it gives, None for nothing.
        order: A doing calls only doings of a higher order, or itself with a smaller number.
        cost: Lines that one call takes, as far as known.
        asks: Decisions that one call takes.
        steps: Names of the steps of a phase.
        plain_steps: Steps that bind no name for their phase.
        keeps: Kept values of a phase.
        lent: Lent fields of a phase: kind, name, type.
        counter: The parameter that makes it smaller when it calls itself.
        parent: A doing that surely calls it.
    """

    name: str
    form: str
    params: list[tuple[str, T]]
    result: T | None = None
    order: int = 0
    cost: int = 1
    asks: int = 0
    steps: list[str] = Factory(list)
    plain_steps: list[str] = Factory(list)
    keeps: list[tuple[str, T]] = Factory(list)
    lent: list[tuple[str, str, T]] = Factory(list)
    counter: str = ""
    parent: Signature | None = None


@define(eq=False)
class Meaning:
    """A definition, permission or value table as its readers see it.

    Attributes:
        name: Its name.
        form: `call`, `property`, `permission` or `table`.
        params: Names and types; of a property the owner first.
        result: What it gives.
        order: It reads only meanings of a lower order.
        cost: How much work one reading is.
        needs: Names of its needs, or of its exceptions.
        unsigned: Whether an exception without a sign is there already.
    """

    name: str
    form: str
    params: list[tuple[str, T]]
    result: T
    order: int
    cost: int = 1
    needs: list[str] = Factory(list)
    unsigned: bool = False


@define(eq=False)
class Scope:
    """A place in the text.

    Attributes:
        vars: Bound names.
        it: Type of `it`, None outside of conditions on a set.
        order: Doings of a higher order may be called.
        level: Fields of a higher order may be changed.
        meanings: Meanings of a lower order may be read.
        inside: The doing whose body it is.
        during: Phases that surely run: their values can be read.
        draws: Whether a line may roll and pick.
        you: Whether there is a player who has the card.
        this: The kind of the card whose rule it is, or empty.
        moves: Whether a line may move things.
        calls: Whether a line may call doings.
        asks: Whether decisions may be asked.
        ends: Doings that can be open here: the own one first.
    """

    vars: list[Var] = Factory(list)
    it: T | None = None
    order: int = 0
    level: int = 0
    meanings: int = 1000
    inside: Signature | None = None
    during: list[Signature] = Factory(list)
    you: bool = False
    this: str = ""
    moves: bool = True
    calls: bool = True
    asks: bool = True
    draws: bool = True
    ends: list[Signature] = Factory(list)

    def child(self) -> Scope:
        """The scope of a block inside."""
        return Scope(
            list(self.vars),
            self.it,
            self.order,
            self.level,
            self.meanings,
            self.inside,
            list(self.during),
            self.you,
            self.this,
            self.moves,
            self.calls,
            self.asks,
            self.draws,
            list(self.ends),
        )

    def frozen(self) -> Scope:
        """The scope of rules in a lasting block: names of outside cannot be changed."""
        inner = self.child()
        inner.vars = [Var(var.name, var.type, changes=False, state=var.state) for var in self.vars]
        return inner
