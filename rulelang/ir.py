"""The typed intermediate representation: what lowering makes and the engine runs.

A :class:`Program` is immutable and self-contained: the engine needs nothing else of the language.

The two rules everything follows from
    Expressions are pure and never suspend. Statements may: draws, decisions, calls of doings and
    everything that changes the state stand alone as statements (A-normal form).

Values
    ``None`` (the word *none*, or a field not yet set), ``bool`` (a Flag), ``int`` (a number, a
    word, a thing),
    ``str`` (a text, constants only), ``tuple`` (a set in set order without repeats, a list, a pile
    from the top, a bag with one count for each word). Things of all kinds share one numbering: the
    things of kind ``k`` are
    ``kinds[k].base ... base + count - 1``, so ascending numbers are set order, a union needs no
    tag, and "is it a Port?" is a comparison with two constants. Words are numbered from 0 in their
    enumeration; an enumeration of numbers (``1..6``) uses the numbers themselves.

State
    Fields of kinds (one value for each thing, or one for each thing and key), globals (parameters,
    kept values and names that steps share, of phases; ``once`` marks; counters), places, lasting
    rows and the streams of chance. Which slot holds what is the engine's business.

Names
    A :class:`Local` is known by a name that is unique in its function. Parameters are locals.

``None`` where a value is needed (in a sum, as the owner of a field, as a condition) is a fault.
:class:`FieldGet` of
``None`` is ``None``, or the empty tuple where ``type`` is a set, a list or a bag; so is
:class:`Map` over nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

from attrs import field, fields, frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    _Slot = tuple[Callable[[object], object], Callable[[object, object], None]]

# ----------------------------------------------------------------------------- places in the source


@frozen
class Span:
    """Where a node stands: file number in :attr:`Program.files`, 1-based lines, 0-based columns,
    end exclusive."""

    file: int = 0
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


NOWHERE = Span()

# -------------------------------------------------------------------------------------------- types

Shape = Literal["number", "flag", "text", "word", "thing", "none", "set", "list", "bag"]


@frozen
class Type:
    """A value type.

    ``number``: ``lo``/``hi`` are its inclusive bounds, None for no bound. ``word``: one of
    ``Program.enums[enum]`` (``bag`` too). ``thing``: one of ``kinds`` (indexes into
    ``Program.kinds``). ``set``/``list``: of ``elem``; a pile is a list of things. ``optional``: may
    also be none.
    """

    shape: Shape
    lo: int | None = None
    hi: int | None = None
    enum: int = -1
    kinds: tuple[int, ...] = ()
    elem: Type | None = None
    optional: bool = False


NUMBER = Type("number")
COUNT = Type("number", lo=0)
FLAG = Type("flag")
TEXT = Type("text")
NONE = Type("none", optional=True)

# ------------------------------------------------------------------------------------- declarations


@frozen
class Enum:
    """An enumeration. ``numeric``: its words are the whole numbers ``low ... low + len(words) - 1``
    themselves."""

    name: str
    words: tuple[str, ...]
    numeric: bool = False
    low: int = 0
    cites: tuple[str, ...] = ()


@frozen
class Kind:
    """A kind of component. ``ids``/``titles``: one for each thing (ids are unique in the kind)."""

    name: str
    base: int
    count: int
    ids: tuple[str, ...]
    titles: tuple[str, ...]
    singleton: bool = False
    movable: bool = False  # has a `place` field, or a pile can hold it: it has a position
    alike: bool = (
        False  # its things are numbered, not named by a column `id`: equal ones are interchangeable
    )
    place: int | None = None  # index of its field `place`, if it has one
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


Sight = Literal["open", "hidden", "owner"]


@frozen
class Field:
    """A field of a kind.

    ``values``: the initial values, things in order; for a keyed field (``T by E``) ``keys`` values
    for each thing, key
    ``key_low`` first. None for a value that has no default and is not yet set. ``mutable`` is False
    when nothing in the Program (scenarios included) can write it: then it is data and the engine
    may treat it as a table of constants.
    ``acts``: card rules are in force for cards in here; ``you`` is the owner, or the player to the
    left.
    ``lent_by``: index of the phase (a doing) that lends the field; it is reset to ``values`` when
    that phase starts.
    ``temporary``: some ``becomes ... until`` writes it.
    """

    index: int
    kind: int
    name: str
    type: Type
    values: tuple[object, ...]
    keys: int = 1
    key_low: int = 0
    mutable: bool = True
    pile: bool = False
    sight: Sight = "open"
    acts: Literal["", "self", "left"] = ""
    lent_by: int | None = None
    temporary: bool = False
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


@frozen
class Global:
    """A single value of the state: of a phase (parameter, kept value, shared name), a ``once``
    mark, a counter.

    ``phase``: the doing that it belongs to; saved and restored when that phase runs inside itself.
    None: lives as long as the game. ``card``: the card that it
    belongs to, and is seen with. ``shown``: a kept value or parameter that observers see (as ``name``), not an internal
    one.
    """

    index: int
    name: str
    type: Type
    initial: object = None
    phase: int | None = None
    card: int | None = None
    sight: Sight = "open"
    shown: bool = False
    temporary: bool = False
    span: Span = NOWHERE


@frozen
class Option:
    """A setting of the game, constant during a match. ``type`` says what is legal; ``default`` is a
    value."""

    index: int
    name: str
    type: Type
    default: object
    doc: str = ""
    text: str = ""
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------- expressions


@frozen(kw_only=True)
class Expr:
    """A pure expression. ``type`` is what it gives."""

    type: Type = NUMBER
    span: Span = field(default=NOWHERE, eq=False, repr=False)


E = TypeVar("E", bound=Expr)


def placed(expr: E, span: Span) -> E:
    """Give an expression with another place."""
    of = expr.__class__
    slots = _slots_of.get(of)
    if slots is None:
        slots = _slots_of[of] = tuple(
            _slot(of, part.name) for part in fields(of) if part.name != "span"
        )
    made: E = object.__new__(of)  # of all that is lowered: to call the class takes thrice as long
    for take, put in slots:
        put(made, take(expr))
    _put_span(made, span)
    return made


_slots_of: dict[type[Expr], tuple[_Slot, ...]] = {}


def _slot(of: type, name: str) -> _Slot:
    """Give what reads a field of a class, and what fills it in a new object."""
    found = next(each.__dict__[name] for each in of.__mro__ if name in each.__dict__)
    return found.__get__, found.__set__


_, _put_span = _slot(Expr, "span")


@frozen
class Const(Expr):
    """A constant (a canonical tuple for a set)."""

    value: object


@frozen
class Local(Expr):
    """A local of the function."""

    name: str


@frozen
class OptionGet(Expr):
    """The value of an option."""

    option: int


@frozen
class GlobalGet(Expr):
    """The value of a global."""

    index: int


@frozen
class FieldGet(Expr):
    """``obj.field`` or ``obj.field(key)``. See the module text for ``obj`` None. ``field`` indexes
    Program.fields.

    ``fields``: more fields for the other kinds of a union (each thing reads the one of its kind).
    """

    obj: Expr
    fields: tuple[int, ...]
    key: Expr | None = None


@frozen
class InBox(Expr):
    """``S at box``: those of the things in ``source`` that are out of the game. Keeps the order of
    ``source``."""

    source: Expr


@frozen
class PlacedAt(Expr):
    """``S at p``: those of the things in ``source`` whose place is ``place``. Keeps the order of
    ``source``."""

    source: Expr
    place: Expr


@frozen
class Compare(Expr):
    """``== != < <= > >=`` of two single values. ``==``/``!=`` take None; the others do not."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen
class SameItems(Expr):
    """Equality of a set with a set or list: order does not matter (two lists are compared by
    Compare ``==``)."""

    left: Expr
    right: Expr


@frozen
class IsKind(Expr):
    """Is ``value`` a thing of one of ``kinds``? None is not."""

    value: Expr
    kinds: tuple[int, ...]


@frozen
class Contains(Expr):
    """``item in source`` (``item`` may be None: never a member)."""

    item: Expr
    source: Expr


@frozen
class And(Expr):
    """All of ``parts``, left to right, stopping early."""

    parts: tuple[Expr, ...]


@frozen
class Or(Expr):
    """Any of ``parts``, left to right, stopping early."""

    parts: tuple[Expr, ...]


@frozen
class Not(Expr):
    """Negation of a Flag."""

    value: Expr


@frozen
class Arith(Expr):
    """Whole numbers; ``/`` rounds down, by 0 is a fault. ``min``/``max`` of two."""

    op: Literal["+", "-", "*", "/", "min", "max"]
    left: Expr
    right: Expr


@frozen
class Case(Expr):
    """The value of the first arm whose condition holds, else ``otherwise``."""

    arms: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr


@frozen
class Switch(Expr):
    """A table of values. ``rows``: for each key the values it stands for (None: any), and the
    value.

    Exactly one row fits any keys (checked at load); none fitting is a fault.
    """

    keys: tuple[Expr, ...]
    rows: tuple[tuple[tuple[frozenset[object] | None, ...], Expr], ...]


@frozen
class KindAll(Expr):
    """All things of a kind, in order."""

    kind: int


@frozen
class RangeSet(Expr):
    """``low .. high``, upwards; empty when high < low."""

    low: Expr
    high: Expr


@frozen
class MakeSet(Expr):
    """A set of single values (None members are left out); sorted and without repeats."""

    items: tuple[Expr, ...]


@frozen
class MakeList(Expr):
    """A list of single values in the order given."""

    items: tuple[Expr, ...]


@frozen
class Union(Expr):
    """All members of both sets, as a set."""

    left: Expr
    right: Expr


@frozen
class Concat(Expr):
    """The items of ``left``, then those of ``right``, as a list."""

    left: Expr
    right: Expr


@frozen
class Minus(Expr):
    """``left`` without all that are equal to one in ``right``; keeps the order of ``left``."""

    left: Expr
    right: Expr


@frozen
class AsSet(Expr):
    """A list made a set: sorted, without repeats."""

    source: Expr


@frozen
class Where(Expr):
    """Those of ``source`` for which ``cond`` holds with ``var`` bound; keeps order."""

    source: Expr
    var: str
    cond: Expr


@frozen
class AnyWhere(Expr):
    """Is there one in ``source`` for which ``cond`` holds (None: any member at all)?"""

    source: Expr
    var: str
    cond: Expr | None


@frozen
class Map(Expr):
    """``S.gold``: ``body`` for each ``var`` in ``source``, without None, as a list; sets among them
    joined if ``flat``."""

    source: Expr
    var: str
    body: Expr
    flat: bool = False


@frozen
class Key:
    """One key of an ordering. ``body`` (with ``var`` bound) gives a number, a word or a Flag; None
    is never best."""

    var: str
    body: Expr
    highest: bool


@frozen
class Best(Expr):
    """Those of ``source`` that are tied for best by ``keys``; keeps order. A None key value is
    never best."""

    source: Expr
    keys: tuple[Key, ...]


@frozen
class Sorted(Expr):
    """``source`` as a list, sorted by ``keys``, stable; None comes last."""

    source: Expr
    keys: tuple[Key, ...]


@frozen
class Count(Expr):
    """How many members."""

    source: Expr


@frozen
class Fold(Expr):
    """``sum`` (of nothing 0), ``min``, ``max`` (of nothing a fault) of a set or list of numbers."""

    op: Literal["sum", "min", "max"]
    source: Expr


@frozen
class One(Expr):
    """One of a set or list: ``first`` (= ``top``), ``last`` (= ``bottom``), ``only``: a fault if
    there is none (or, for only, several); ``maybe``: the only one or None, a fault if there are
    several."""

    op: Literal["first", "last", "only", "maybe"]
    source: Expr


@frozen
class Take(Expr):
    """The first ``count`` of a list or set, or as many as there are."""

    source: Expr
    count: Expr


@frozen
class Item(Expr):
    """The member of a tuple at 0-based ``index`` (made by lowering only, never out of range)."""

    source: Expr
    index: Expr


@frozen
class Overlap(Expr):
    """Have the two a member in common?"""

    left: Expr
    right: Expr


@frozen
class IndexOf(Expr):
    """1 for the first place at which ``item`` stands in ``source``; a fault if it does not."""

    item: Expr
    source: Expr


@frozen
class Clockwise(Expr):
    """All players from ``player`` on, to the left, as a list."""

    player: Expr


@frozen
class Subsets(Expr):
    """All subsets of a set (the empty one first, then by size, then in set order), as if of single
    pieces: things that agree in every field (and position) are counted, not listed: of n alike ones
    only the first k are taken."""

    source: Expr


@frozen
class BagItem(Expr):
    """How many of ``word`` a bag holds."""

    bag: Expr
    word: Expr


@frozen
class MakeBag(Expr):
    """A bag of words (repeats count)."""

    items: tuple[Expr, ...]


@frozen
class BagArith(Expr):
    """``+``/``-`` of two bags (``-`` stops at 0), ``*`` of a bag (left) and a number (right)."""

    op: Literal["+", "-", "*"]
    left: Expr
    right: Expr


@frozen
class BagWords(Expr):
    """The set of words a bag holds at least one of."""

    bag: Expr


@frozen
class BagLargest(Expr):
    """The largest count in a bag, 0 if it is empty."""

    bag: Expr


@frozen
class CallDef(Expr):
    """The value of a definition, permission or value table."""

    definition: int
    args: tuple[Expr, ...]


@frozen
class LetIn(Expr):
    """``body`` with ``name`` bound to ``value``."""

    name: str
    value: Expr
    body: Expr


@frozen
class During(Expr):
    """Does a doing of this name run now? (Its :attr:`Doing.running` counter is above 0.)"""

    doing: int


@frozen
class HolderOf(Expr):
    """Who has the card ``card`` in a field or pile marked ``acts``: ``you``; the owner of the pile
    where no player can be named; None if it is in none. (The engine keeps it at hand: it is asked
    for at every event that a card waits for.)"""

    card: Expr


@frozen
class MapOp(Expr):
    """A map: definition ``definition`` of (``prefix`` ..., from, to) gives the cost of one move or
    None.

    ``distance`` (other = a thing; None if unreachable), ``within`` (other = a number; the set of
    things at most that far, the start included), ``neighbours`` (other None; those one move away),
    ``nearest`` (other = a set; those of it at least distance, unreachable ones left out).
    """

    op: Literal["distance", "within", "neighbours", "nearest"]
    definition: int
    kind: int
    prefix: tuple[Expr, ...]
    start: Expr
    other: Expr | None


@frozen
class Clause:
    """An exception to a definition. Applies when every one of ``lets`` is not None and ``cond``
    (None: always) holds.

    ``sign``: ``=`` replaces the value, ``+``/``-`` change it. ``block``: it stands in a lasting
    block: it applies once for each row in force, with the row's values bound to that block's names.
    ``beats``: labels it wins over. ``reason``: what a prohibition says when it is asked why.
    """

    label: str
    sign: Literal["=", "+", "-"]
    value: Expr
    cond: Expr | None = None
    lets: tuple[tuple[str, Expr], ...] = ()
    block: int | None = None
    beats: tuple[str, ...] = ()
    reason: str = ""
    span: Span = field(default=NOWHERE, eq=False)
    cites: tuple[str, ...] = ()


@frozen
class Exceptional(Expr):
    """A value and its exceptions.

    If an unsigned one applies its value counts, else ``general``; then plus and minus all signed
    ones that apply. Two unsigned ones that apply with different values, neither beating the other,
    are a fault.
    """

    general: Expr
    clauses: tuple[Clause, ...]


@frozen
class AnyRow(Expr):
    """Does ``cond`` (with the block's names bound) hold for a row in force of the lasting block
    ``block``?"""

    block: int
    cond: Expr


# -------------------------------------------------------------------------------------- definitions


@frozen
class Param:
    """A parameter of a definition or doing."""

    name: str
    type: Type


@frozen
class Need:
    """One need of a permission; ``cond`` reads the permission's parameters."""

    name: str
    cond: Expr
    text: str = ""
    span: Span = field(default=NOWHERE, eq=False)
    cites: tuple[str, ...] = ()


@frozen
class Definition:
    """A pure function. ``needs`` is there for permissions: ``body`` is then their conjunction
    (drops and clauses in it)."""

    index: int
    name: str
    params: tuple[Param, ...]
    result: Type
    body: Expr
    needs: tuple[Need, ...] = ()
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


# --------------------------------------------------------------------------------------- statements


@frozen(kw_only=True)
class Stmt:
    """A statement. ``cites`` are exercised when it is reached."""

    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = ()


Block = tuple[Stmt, ...]


@frozen
class Limit:
    """When a duration is over: the end of, or (``start``) just before the start of, a doing called
    with ``values`` as its leading arguments: the innermost open one, or else the next (for
    ``start`` always the next)."""

    doing: int
    values: tuple[Expr, ...]
    start: bool = False


@frozen
class Let(Stmt):
    """Bind or change a local."""

    name: str
    value: Expr


@frozen
class SetGlobal(Stmt):
    """Write a global (range checked by ``Global.type``). ``until``: the old value returns."""

    index: int
    value: Expr
    until: tuple[Limit, ...] = ()


@frozen
class SetField(Stmt):
    """``obj.field becomes value`` (range checked). ``obj`` and ``key`` are evaluated first.
    ``until``: the old value returns unless somebody wrote since, and goes to a later temporary
    value that lies on top."""

    obj: Expr
    fields: tuple[int, ...]
    key: Expr | None
    value: Expr
    until: tuple[Limit, ...] = ()


@frozen
class Adjust(Stmt):
    """``gains``/``loses``: add ``sign * amount`` to the field, and the opposite to that of
    ``other`` if there is one.

    A negative amount is a fault; so is leaving the range, unless ``up_to`` (then as much as both
    sides allow moves).
    ``result``: local that receives what really moved. ``until``: undone then, as far as the range
    allows.
    """

    obj: Expr
    fields: tuple[int, ...]
    sign: Literal[1, -1]
    amount: Expr
    up_to: bool = False
    other: Expr | None = None
    other_fields: tuple[int, ...] = ()
    result: str | None = None
    until: tuple[Limit, ...] = ()


@frozen
class AdjustGlobal(Stmt):
    """The same for a kept value that is a global (``gains`` of a phase value)."""

    index: int
    sign: Literal[1, -1]
    amount: Expr
    up_to: bool = False
    result: str | None = None


@frozen
class Dest:
    """Where to: ``none`` (nowhere), ``box``, ``thing`` (``obj``; None means nowhere),
    ``top``/``bottom`` of the pile
    ``field`` of ``obj``."""

    where: Literal["none", "box", "thing", "top", "bottom"]
    obj: Expr | None = None
    fields: tuple[int, ...] = ()


@frozen
class Move(Stmt):
    """Move a thing, or (``many``) each of a set or list in its order (a pile keeps its order on top
    of another), to a place. ``what`` None is a fault."""

    what: Expr
    dest: Dest
    many: bool = False


@frozen
class Roll(Stmt):
    """Draw one of ``low .. high`` evenly into ``name``; ``count``: so many into a list. ``path``
    names the stream."""

    name: str
    low: int
    high: int
    path: str
    count: Expr | None = None
    enum: int = -1
    by: Expr | None = None


@frozen
class Pick(Stmt):
    """One of ``source`` evenly at random into ``name`` (none there is a fault); ``count``: a set of
    up to so many."""

    name: str
    source: Expr
    path: str
    count: Expr | None = None


@frozen
class Shuffle(Stmt):
    """Shuffle the pile ``fields`` of ``obj``, from the top down; with ``name`` instead: the list
    ``source`` into a local."""

    path: str
    obj: Expr | None = None
    fields: tuple[int, ...] = ()
    name: str | None = None
    source: Expr | None = None


@frozen
class Show(Stmt):
    """Show ``things`` to ``players``: a line in their logs, no state."""

    things: Expr
    players: Expr


@frozen
class Win(Stmt):
    """Say who has won (any set of players); a later one counts."""

    players: Expr


@frozen
class Call(Stmt):
    """Run a doing; ``result``: local that receives what it gives."""

    doing: int
    args: tuple[Expr, ...]
    result: str | None = None


@frozen
class If(Stmt):
    """One of two blocks."""

    cond: Expr
    then: Block
    orelse: Block = ()


@frozen
class Match(Stmt):
    """A table of doings: the block of the one row that fits. Rows as in :class:`Switch`."""

    keys: tuple[Expr, ...]
    rows: tuple[tuple[tuple[frozenset[object] | None, ...], Block], ...]


@frozen
class Each(Stmt):
    """``body`` for each of ``source``, which is fixed at the start. ``index``: local with the
    0-based number of the round."""

    name: str
    source: Expr
    body: Block
    index: str | None = None


@frozen
class While(Stmt):
    """``body`` as long as ``cond`` holds; more than 10,000 rounds are a fault."""

    cond: Expr
    body: Block


@frozen
class End(Stmt):
    """Leave the innermost open doing ``doing`` with ``value`` (see language reference, section 4).
    Doing 0, the game, stops everything at once."""

    doing: int
    value: Expr | None = None


@frozen
class Lasting(Stmt):
    """Put the rules of lasting block ``block`` in force, with the values of ``captures`` now, until
    a limit is reached."""

    block: int
    captures: tuple[tuple[str, Expr], ...]
    until: tuple[Limit, ...]


@frozen
class Fault(Stmt):
    """Stop with a rule fault of this text and diagnostic code (an action that is not legal)."""

    text: str
    code: str


# ---------------------------------------------------------------------------------------- decisions

Form = Literal["one", "set", "label", "yes", "action", "order"]


@frozen
class Prompt:
    """A text shown to the chooser; parts are strings and expressions (shown as the name of their
    value)."""

    parts: tuple[str | Expr, ...] = ()


@frozen
class Policy:
    """What a seat without a person answers.

    ``order``: the best option by ``keys`` (still tied: by ``random`` a draw on ``path``, else set
    order); of a set of options, taken in that order while size and condition allow, those for which
    the Flag ``wanted`` does not hold only where they must be. ``all``: all.
    ``random``: an even draw on ``path``. For labels, questions: the conditions stand at the
    alternatives (:attr:`Alternative.automa`, :attr:`Ask.yes_when`).
    """

    keys: tuple[Key, ...] = ()
    random: bool = False
    all: bool = False
    path: str = ""
    wanted: Key | None = None


@frozen
class Alternative:
    """One labelled alternative. ``cond`` None: always. ``automa`` None: no policy names it."""

    text: Prompt
    cond: Expr | None = None
    automa: Expr | None = None


@frozen
class Instance:
    """An action that ``may do`` offers: its first parameter is the chooser, its later ones,
    ``params[1:]``, run over
    ``sources`` (one for each later parameter; each may read the earlier ones as locals). Legal is
    what the permission, a definition of all the parameters, allows. ``utility``, a number that may
    read all of them, is how much an automa wants it: the first with the greatest number above 0 is
    taken, else none of them. None: no policy."""

    doing: int
    permission: int
    params: tuple[str, ...]
    sources: tuple[Expr, ...]
    utility: Expr | None = None


@frozen
class Decision:
    """The static part of a decision point. ``path`` as in language reference, section 5.
    ``secret``: one of a round of sealed answers. ``type``: of one option (form one, set)."""

    index: int
    path: str
    form: Form
    type: Type
    secret: bool = False
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


@frozen
class Ask(Stmt):
    """Ask ``chooser`` and bind the answer to ``name``.

    ``one``: one of ``options``. ``set``: a set of ``at_least`` to ``at_most`` (None: no bound) of
    ``options`` for which
    ``whole`` holds (``name`` bound to it); things that agree in all fields are interchangeable.
    ``label``: 0-based number of an alternative whose condition holds. ``yes``: a Flag; asked
    whenever this statement is reached. ``action``: a tuple (0-based number of the action, its later
    arguments ...), or None for "none of them" (``instances``). ``order``: as ``one``.

    When there is no option: ``otherwise`` runs (``name`` is then None and the code after it runs
    unless that ends a doing); None there: a fault. One legal answer is taken without asking (not
    for ``yes`` and ``action``: those are asked).
    """

    decision: int
    chooser: Expr
    name: str
    prompt: Prompt = Prompt()
    options: Expr | None = None
    at_least: Expr | None = None
    at_most: Expr | None = None
    whole: Expr | None = None
    alternatives: tuple[Alternative, ...] = ()
    yes_when: Expr | None = None
    instances: tuple[Instance, ...] = ()
    policy: Policy | None = None
    otherwise: Block | None = None


# ------------------------------------------------------------------------------------------- doings


@frozen
class Hook:
    """A rule about a doing, compiled into it. Expressions read the doing's own parameters (locals).

    When its turn comes: every row of ``block`` (None: once, without); ``lets`` bound in order,
    skipped if one is None; skipped if the global ``once`` is true (-1, in a block: the row's own
    mark) or ``guard`` does not hold; ``ask`` (a decision of form yes, its name ``$may``) declined:
    skipped. Then ``once`` is set and ``doing`` (of kind ``hook``) runs with ``args``. ``writes``:
    the doing's own parameters that take the values which the hook's doing gives back (a tuple in
    this order; ``$result`` for what came out). ``needs_result``: skipped while unwinding without a
    result.
    ``still``: a card rule that acts if the card was in force when the event began (``after`` rules
    of cards).
    ``busy``: global counter above 0 while this replacement runs: it does not replace then.
    ``yields``: of a replacement, numbers of others of the same doing that come before it whenever
    they apply too; nobody is asked about that.
    """

    doing: int
    args: tuple[Expr, ...] = ()
    lets: tuple[tuple[str, Expr], ...] = ()
    guard: Expr | None = None
    once: int | None = None
    ask: Ask | None = None
    block: int | None = None
    writes: tuple[str, ...] = ()
    needs_result: bool = False
    still: Expr | None = None
    busy: int | None = None
    yields: tuple[int, ...] = ()
    label: str = ""
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


DoingKind = Literal["phase", "effect", "step", "row", "action", "atomic", "hook", "rule", "setup"]


@frozen
class Doing:
    """A doing: everything that runs.

    ``atomic``: a gain, loss, move or roll that some rule waits for, made a doing of its own
    (parameters ``who``, ``n``,
    ``other`` / ``thing``, ``place`` / ``by``). ``hook``/``rule``: the body of a rule about doings.
    ``setup``: written by scenarios, sends no events.

    Running one (language reference, section 6): parameters are bound; ``before`` hooks in order;
    the ``instead`` hooks that apply are collected and one runs in its place (several of which none
    ``yields`` to another: ``concerned`` picks which comes first; automas and nobody take the order);
    else it *runs*: ``running`` counter
    up, globals of a phase set (parameters into ``param_globals``, kept ones to their initial
    values; the old values come back at the end if it was already running), lent fields reset, body;
    then the ``after`` hooks (unless replaced); durations that end with it end; and if ``settles``,
    whether replaced or not, state rules are settled. ``tracked``: some duration names it: it has a
    serial number while it is open.
    ``checks``: promises are checked after settling. ``resets``: globals that take their initial
    values again when this doing ends (``keeps sunk: 0.. = 0 until end of round``).
    """

    index: int
    name: str
    kind: DoingKind
    params: tuple[Param, ...] = ()
    result: Type | None = None
    body: Block = ()
    before: tuple[Hook, ...] = ()
    instead: tuple[Hook, ...] = ()
    after: tuple[Hook, ...] = ()
    concerned: Expr | None = None
    order_decision: int | None = None
    settles: bool = True
    checks: bool = False
    tracked: bool = False
    running: int | None = None
    param_globals: tuple[int, ...] = ()
    keeps: tuple[int, ...] = ()
    lends: tuple[int, ...] = ()
    resets: tuple[int, ...] = ()
    permission: int | None = None
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    doc: str = ""


@frozen
class StateRule:
    """``when COND: ...``: with each combination of ``vars`` (name and source; the first varies
    slowest) in set order, the first for which ``cond`` holds acts: ``doing`` (kind ``rule``) runs
    with ``args``. ``reads``/``read_globals``/
    ``read_places``: what the condition depends on: fields, globals, kinds whose places matter;
    ``reads_all`` if unknown."""

    index: int
    doing: int
    vars: tuple[tuple[str, Expr], ...]
    cond: Expr
    args: tuple[Expr, ...] = ()
    lets: tuple[tuple[str, Expr], ...] = ()
    block: int | None = None
    once: int | None = None
    reads: frozenset[int] = frozenset()
    read_globals: frozenset[int] = frozenset()
    read_places: frozenset[int] = frozenset()
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


@frozen
class LastingBlock:
    """Rules in an ``until`` block: ``names`` are what a row captures."""

    index: int
    names: tuple[str, ...]
    types: tuple[Type, ...]
    text: str = ""
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


@frozen
class Always:
    """A promise: must hold whenever a step or phase has ended and state rules are settled."""

    text: str
    cond: Expr
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


# ---------------------------------------------------------------------------------------- scenarios


@frozen
class Script:
    """One line of a scenario's script. ``values``: definitions (no parameters) that give what is
    expected.

    ``roll``: dice; ``pick``: what is drawn (a thing, word, set, or list for a shuffle);
    ``choose``/``refuse``: answers of ``seat`` on the decision whose path ends with ``path`` (empty:
    the next). An answer is a value, a ``label`` text, or an action.
    """

    form: Literal["roll", "pick", "choose", "refuse"]
    values: tuple[Answer, ...]
    seat: int | None = None
    path: str = ""
    span: Span = NOWHERE


@frozen
class Answer:
    """``definition`` gives the value; ``label`` is a text; ``action`` with ``definitions`` for its
    later arguments."""

    definition: int | None = None
    label: str | None = None
    action: int | None = None
    definitions: tuple[int, ...] = ()
    none: bool = False


@frozen
class Played:
    """``do NAME(args)``: ``doing`` is a setup doing without parameters that calls it."""

    doing: int
    script: tuple[Script, ...]
    span: Span = NOWHERE


@frozen
class Check:
    """A condition that must hold after a trial; ``sides``: definitions of the two sides of a
    comparison, to show.

    With ``winners`` the definition gives the set of players that must have won (empty: nobody was
    said to have).
    """

    definition: int
    text: str
    sides: tuple[tuple[str, int], ...] = ()
    winners: bool = False
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


@frozen
class Trial:
    """Several doings, then what must hold."""

    played: tuple[Played, ...]
    checks: tuple[Check, ...]
    span: Span = NOWHERE


@frozen
class Scenario:
    """An example. ``sequel``: title of the scenario whose end is the start. ``seed``: what its
    scripts leave out is drawn and answered at random from it; None: nothing may be left out.
    ``decisions``: so many a doing may have, if not None."""

    title: str
    people: tuple[str, ...]
    automas: tuple[str, ...]
    options: tuple[tuple[int, object], ...]
    before: int | None
    trials: tuple[Trial, ...]
    sequel: str | None = None
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    seed: int | None = None
    decisions: int | None = None


# ------------------------------------------------------------------------------------------ program


@frozen
class Citation:
    """A rule of the rulebook: id, section, kind (definition, component, advice, ...), text in the
    project's words."""

    id: str
    section: str = ""
    kind: str = ""
    text: str = ""


@frozen
class Program:
    """A whole game for a number of seats, ready to run. ``digest``: hex digest of the ruleset
    (layout, comments, options set from outside and the number of seats do not count). Doing 0 is
    the main phase ``game``. Kind 0 is Player; its things are the seats, its field ``automa`` says
    which have no person. ``card_keeps``: for a card, the globals that start afresh when its rules
    come into force. ``sources``: the texts of ``files``. ``variants``: the names of those that are
    merged into it, in the published order. ``seats_option``: the option that says how many seats
    there are, -1 if none does; a program is only for the number that ``seats`` says.
    """

    name: str
    title: str
    version: str
    digest: str
    seats: int
    players: tuple[int, int]
    files: tuple[str, ...]
    enums: tuple[Enum, ...]
    kinds: tuple[Kind, ...]
    fields: tuple[Field, ...]
    globals: tuple[Global, ...]
    options: tuple[Option, ...]
    definitions: tuple[Definition, ...]
    doings: tuple[Doing, ...]
    decisions: tuple[Decision, ...]
    blocks: tuple[LastingBlock, ...]
    state_rules: tuple[StateRule, ...]
    always: tuple[Always, ...]
    scenarios: tuple[Scenario, ...] = ()
    citations: tuple[Citation, ...] = ()
    automa_field: int = 0
    card_keeps: tuple[tuple[int, tuple[int, ...]], ...] = ()
    sources: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    seats_option: int = -1
