"""Syntax trees: what the parser gives and every later stage reads.

The nodes follow `grammar.lark` one to one. They are frozen, compared and hashed by identity
(so that an analysis can key a table by node), and all have a `span`. Whatever a finding may
point at is an `Ident` or a node of its own. Optional parts are None, lists are tuples.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import attrs

from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


@attrs.frozen(eq=False)
class Node:
    """Anything with a place in a text."""

    span: Span


@attrs.frozen(eq=False)
class Ident(Node):
    """A name, kind or word as written."""

    text: str

    def __str__(self) -> str:
        """Give the name."""
        return self.text


@attrs.frozen(eq=False)
class Citation(Node):
    """One id of the rulebook; `[A-16..18]` gives three of them, all with the span of the range."""

    id: str


@attrs.frozen(eq=False)
class Comment(Node):
    """A comment as written, from `#` to the end of its line."""

    text: str
    is_doc: bool
    own_line: bool


@attrs.frozen(eq=False)
class Cited(Node):
    """A node that may cite the rulebook."""

    citations: tuple[Citation, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen(eq=False)
class Decl(Cited):
    """A declaration; `doc` is the text of the `##` comments above it."""

    doc: str = attrs.field(default="", kw_only=True)


@attrs.frozen(eq=False)
class Stmt(Cited):
    """A statement, or a part that holds statements."""


@attrs.frozen(eq=False)
class Expr(Node):
    """An expression."""


# ------------------------------------------------------------------ expressions


@attrs.frozen(eq=False)
class Name(Expr):
    """A lower-case name."""

    ident: Ident


@attrs.frozen(eq=False)
class KindName(Expr):
    """A name with a capital: a kind, enumeration or union."""

    ident: Ident


@attrs.frozen(eq=False)
class Number(Expr):
    """A whole number."""

    value: int


@attrs.frozen(eq=False)
class Text(Expr):
    """A text without its quotes; stands only where the grammar asks for one."""

    value: str


@attrs.frozen(eq=False)
class Call(Expr):
    """`name(args)`."""

    name: Ident
    args: tuple[Expr, ...]


@attrs.frozen(eq=False)
class Its(Expr):
    """`its name` or `its name(args)`; `args` is None without brackets."""

    name: Ident
    args: tuple[Expr, ...] | None


@attrs.frozen(eq=False)
class Allowed(Expr):
    """`may name(args)`: the test of a permission."""

    name: Ident
    args: tuple[Expr, ...]


@attrs.frozen(eq=False)
class Group(Expr):
    """`(x)`, which is x, or `(x, y)`, which is a list."""

    elements: tuple[Expr, ...]


@attrs.frozen(eq=False)
class SetLiteral(Expr):
    """`{x, y}` or `{}`: a set, or a bag where one is expected."""

    elements: tuple[Expr, ...]


@attrs.frozen(eq=False)
class Prop(Expr):
    """`owner.name`."""

    owner: Expr
    name: Ident


@attrs.frozen(eq=False)
class PropCall(Expr):
    """`owner.name(args)`."""

    owner: Expr
    name: Ident
    args: tuple[Expr, ...]


@attrs.frozen(eq=False)
class At(Expr):
    """`things at place`."""

    things: Expr
    place: Expr


@attrs.frozen(eq=False)
class Arithmetic(Expr):
    """`left op right` on numbers, sets, lists or bags."""

    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class RangeExpr(Expr):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@attrs.frozen(eq=False)
class Compare(Expr):
    """`left op right`, never chained."""

    op: Literal["<", "<=", ">", ">="]
    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class Is(Expr):
    """`left is right`: equality, or the test of a kind."""

    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class IsNot(Expr):
    """`left is not right`."""

    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class InTest(Expr):
    """`left in right`, or `left not in right`."""

    left: Expr
    right: Expr
    negated: bool


@attrs.frozen(eq=False)
class Any(Expr):
    """`any S`: is there one."""

    source: Expr


@attrs.frozen(eq=False)
class AnyWhere(Expr):
    """`any S where C`: is there one of which C holds."""

    source: Expr
    condition: Expr


@attrs.frozen(eq=False)
class Where(Expr):
    """`S where C`: those of which C holds."""

    source: Expr
    condition: Expr


@attrs.frozen(eq=False)
class And(Expr):
    """`left and right`."""

    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class Or(Expr):
    """`left or right`."""

    left: Expr
    right: Expr


@attrs.frozen(eq=False)
class Not(Expr):
    """`not operand`."""

    operand: Expr


@attrs.frozen(eq=False)
class SortKey(Node):
    """One key of an ordering: `highest key`, `lowest key`, or a bare name (`random`, `all`: order None)."""

    order: Literal["highest", "lowest"] | None
    name: Ident
    args: tuple[Expr, ...] | None


@attrs.frozen(eq=False)
class Ordering(Node):
    """`highest a then lowest b`."""

    keys: tuple[SortKey, ...]


@attrs.frozen(eq=False)
class BestOf(Expr):
    """`S with ordering`: all that are tied for best."""

    source: Expr
    ordering: Ordering


@attrs.frozen(eq=False)
class SortedBy(Expr):
    """`S by ordering`: a list."""

    source: Expr
    ordering: Ordering


@attrs.frozen(eq=False)
class ErrorExpr(Expr):
    """An expression that could not be read and has been reported."""


@attrs.frozen(eq=False)
class Roll(Node):
    """`roll Enum`, `roll count of Enum`, each `by` somebody."""

    count: Expr | None
    enum: Ident
    by: Expr | None


@attrs.frozen(eq=False)
class Pick(Node):
    """`pick S`, `pick count of S`: at random."""

    count: Expr | None
    source: Expr


Chance: TypeAlias = Roll | Pick

# ------------------------------------------------------------------ types and parameters


@attrs.frozen(eq=False)
class NamedType(Node):
    """A kind, an enumeration, a union, `Number`, `Flag`, `Text`, or `none`."""

    name: Ident


@attrs.frozen(eq=False)
class RangeType(Node):
    """`low..high`; `high` is None for `low..`."""

    low: int
    high: int | None


@attrs.frozen(eq=False)
class UnionType(Node):
    """`A or B`, two members or more."""

    members: tuple[NamedType | RangeType, ...]


@attrs.frozen(eq=False)
class CollectionType(Node):
    """`set of T`, `list of T`, `pile of T`, `bag of T`; `collection` is the first word."""

    collection: Ident
    element: TypeExpr


@attrs.frozen(eq=False)
class KeyedType(Node):
    """`T by Enum`: one T for each word."""

    value: TypeExpr
    key: Ident


TypeExpr: TypeAlias = NamedType | RangeType | UnionType | CollectionType | KeyedType


@attrs.frozen(eq=False)
class Param(Node):
    """`name`, `name: type`, each with `from set` in permissions."""

    name: Ident
    type: TypeExpr | None
    source: Expr | None


@attrs.frozen(eq=False)
class Head(Node):
    """`name`, `name(params)`, `owner.name`, `owner.name(params)`; `params` is None without brackets."""

    owner: Ident | None
    name: Ident
    params: tuple[Param, ...] | None


# ------------------------------------------------------------------ durations


@attrs.frozen(eq=False)
class Limit(Node):
    """`end of name(args)` (at_end) or `name(args)` (the next one's beginning); args None without brackets."""

    at_end: bool
    name: Ident
    args: tuple[Expr, ...] | None


@attrs.frozen(eq=False)
class Until(Node):
    """`until limit or limit`."""

    limits: tuple[Limit, ...]


# ------------------------------------------------------------------ statements


@attrs.frozen(eq=False)
class Body(Node):
    """The statements after a colon, on the same line or as a block."""

    statements: tuple[Stmt, ...]


@attrs.frozen(eq=False)
class GainStmt(Stmt):
    """`who gains [up to] amount field [from source] [until]`."""

    who: Expr
    up_to: bool
    amount: Expr
    field: Ident
    source: Expr | None
    until: Until | None


@attrs.frozen(eq=False)
class LoseStmt(Stmt):
    """`who loses [up to] amount field [to target] [until]`."""

    who: Expr
    up_to: bool
    amount: Expr
    field: Ident
    target: Expr | None
    until: Until | None


@attrs.frozen(eq=False)
class BecomeStmt(Stmt):
    """`place becomes value [until]`; the place is a Name, Prop or PropCall if the text is right."""

    place: Expr
    value: Expr | Chance
    until: Until | None


@attrs.frozen(eq=False)
class MoveStmt(Stmt):
    """`move thing to place`."""

    thing: Expr
    place: Expr


@attrs.frozen(eq=False)
class DoStmt(Stmt):
    """`do name(args)`; `args` is empty without brackets."""

    name: Ident
    args: tuple[Expr, ...]


@attrs.frozen(eq=False)
class LetStmt(Stmt):
    """`let name = value`; a call as value may be the result of a doing."""

    name: Ident
    value: Expr | Chance | GainStmt | LoseStmt


@attrs.frozen(eq=False)
class CountExact(Node):
    """`chooses 2 cards`."""

    value: Expr


@attrs.frozen(eq=False)
class CountRange(Node):
    """`chooses 0..3 cards`."""

    low: Expr
    high: Expr


@attrs.frozen(eq=False)
class CountAtLeast(Node):
    """`chooses 1+ cards`."""

    value: Expr


@attrs.frozen(eq=False)
class CountAny(Node):
    """`chooses any cards`."""


Count: TypeAlias = CountExact | CountRange | CountAtLeast | CountAny


@attrs.frozen(eq=False)
class Choice(Node):
    """`chooses [count] name from source [when] [text] [automa ordering [where wanted]]`."""

    count: Count | None
    name: Ident
    source: Expr
    condition: Expr | None
    text: Text | None
    policy: Ordering | None
    wanted: Expr | None


@attrs.frozen(eq=False)
class ChooseStmt(Stmt):
    """`who chooses ... [else act]`."""

    who: Expr
    choice: Choice
    otherwise: Stmt | None


@attrs.frozen(eq=False)
class TakeActionStmt(Stmt):
    """`who may do a, b [else act]`."""

    who: Expr
    actions: tuple[Ident, ...]
    otherwise: Stmt | None


@attrs.frozen(eq=False)
class EndStmt(Stmt):
    """`end name [with value]`."""

    name: Ident
    value: Expr | None


@attrs.frozen(eq=False)
class StepStmt(Stmt):
    """`step name: body`; `doc` as for declarations."""

    name: Ident
    body: Body
    doc: str = ""


@attrs.frozen(eq=False)
class Branch(Cited):
    """`if condition: body` or `else if condition: body`."""

    condition: Expr
    body: Body


@attrs.frozen(eq=False)
class IfStmt(Stmt):
    """`if`, any number of `else if`, perhaps `else`; citations stand at the branches."""

    branches: tuple[Branch, ...]
    otherwise: Body | None


@attrs.frozen(eq=False)
class EachStmt(Stmt):
    """`each name in source: body`, or `each name, second in bag: body`."""

    name: Ident
    second: Ident | None
    source: Expr
    body: Body


@attrs.frozen(eq=False)
class WhileStmt(Stmt):
    """`while condition: body`."""

    condition: Expr
    body: Body


@attrs.frozen(eq=False)
class SecretlyStmt(Stmt):
    """`secretly each name in source chooses ...: body`; the body is the reveal."""

    name: Ident
    source: Expr
    choices: tuple[Choice, ...]
    body: Body


@attrs.frozen(eq=False)
class MayStmt(Stmt):
    """`who may "text" [when] [automa]: body [else: otherwise]`."""

    who: Expr
    text: Text | None
    condition: Expr | None
    policy: Expr | None
    body: Body
    otherwise: Body | None


@attrs.frozen(eq=False)
class Alternative(Stmt):
    """`"label" [when] [automa]: body`."""

    label: Text
    condition: Expr | None
    policy: Expr | None
    body: Body


@attrs.frozen(eq=False)
class OptionsStmt(Stmt):
    """`who chooses "text":` with alternatives."""

    who: Expr
    text: Text | None
    alternatives: tuple[Alternative, ...]


@attrs.frozen(eq=False)
class LastingStmt(Stmt):
    """`until limits:` with a block of rules."""

    until: Until
    rules: tuple[RuleDecl, ...]


@attrs.frozen(eq=False)
class ErrorStmt(Stmt):
    """A line that could not be read and has been reported, with the blocks under it."""

    bodies: tuple[Body, ...]


# ------------------------------------------------------------------ rules about doings


@attrs.frozen(eq=False)
class NamedEvent(Node):
    """`doing`, `phase.step`, `doing(args)`, `doing(args) = result`; `args` is None without brackets."""

    path: tuple[Ident, ...]
    args: tuple[Expr, ...] | None
    result: Ident | None


@attrs.frozen(eq=False)
class GainEvent(Node):
    """`who gains amount field [from source]`."""

    who: Ident
    amount: Ident
    field: Ident
    source: Ident | None


@attrs.frozen(eq=False)
class LoseEvent(Node):
    """`who loses amount field [to target]`."""

    who: Ident
    amount: Ident
    field: Ident
    target: Ident | None


@attrs.frozen(eq=False)
class MoveEvent(Node):
    """`move thing to place`."""

    thing: Ident
    place: Expr


@attrs.frozen(eq=False)
class RollEvent(Node):
    """`roll Enum [by somebody] [= result]`."""

    enum: Ident
    by: Expr | None
    result: Ident | None


Event: TypeAlias = NamedEvent | GainEvent | LoseEvent | MoveEvent | RollEvent
Timing: TypeAlias = Literal["before", "after", "instead"]


@attrs.frozen(eq=False)
class Ask(Node):
    """`, who may ["text"] [automa policy]` of a hook."""

    who: Expr
    text: Text | None
    policy: Expr | None


@attrs.frozen(eq=False)
class HookDecl(Decl):
    """`before|after|instead of event [when] [once] [, who may "text"]: body`."""

    timing: Timing
    event: Event
    condition: Expr | None
    once: bool
    ask: Ask | None
    body: Body


@attrs.frozen(eq=False)
class StateRuleDecl(Decl):
    """`when condition: body`."""

    condition: Expr
    body: Body


@attrs.frozen(eq=False)
class NamedRuleDecl(Decl):
    """`name: rule`: a hook or state rule that `drop` can take out."""

    name: Ident
    rule: HookDecl | StateRuleDecl


@attrs.frozen(eq=False)
class Change(Node):
    """What an exception does: adds, takes away, or gives the value (`=`, written without a sign)."""

    sign: Literal["+", "-", "="]
    value: Expr


@attrs.frozen(eq=False)
class ClauseDecl(Decl):
    """`head: change ["reason"] [when] [after name]`: an exception that stands elsewhere."""

    head: Head
    change: Change
    reason: Text | None
    condition: Expr | None
    after: Ident | None


@attrs.frozen(eq=False)
class DropDecl(Decl):
    """`drop path [when]`, or `drop "text"` of an `always` (path empty, text given)."""

    path: tuple[Ident, ...]
    text: Text | None
    condition: Expr | None


# ------------------------------------------------------------------ declarations


@attrs.frozen(eq=False)
class Setting(Node):
    """`name value, value` of `game`, `change game` or a scenario; values are Expr, RangeExpr or Text."""

    name: Ident
    values: tuple[Expr, ...]


@attrs.frozen(eq=False)
class Assign(Node):
    """`name = value` or `owner.name = value`."""

    owner: Ident | None
    name: Ident
    value: Expr


@attrs.frozen(eq=False)
class GameDecl(Decl):
    """`game name "Title":` with settings."""

    name: Ident
    title: Text
    settings: tuple[Setting, ...]


@attrs.frozen(eq=False)
class Qualifier(Node):
    """`with name`, `not with name` or `after name` in a header."""

    relation: Literal["with", "not with", "after"]
    name: Ident


@attrs.frozen(eq=False)
class VariantDecl(Decl):
    """`variant name "Title" of base ["version"] qualifiers:` with declarations."""

    name: Ident
    title: Text
    base: Ident
    version: Text | None
    qualifiers: tuple[Qualifier, ...]
    items: tuple[Item, ...]


@attrs.frozen(eq=False)
class PresetDecl(Decl):
    """`preset "Title" of base:` with variants and option values."""

    title: Text
    base: Ident
    variants: tuple[Ident, ...]
    assigns: tuple[Assign, ...]


@attrs.frozen(eq=False)
class OptionDecl(Decl):
    """`option name: type = default ["label"]`."""

    name: Ident
    type: TypeExpr
    default: Expr
    label: Text | None


@attrs.frozen(eq=False)
class Word(Node):
    """A word of an enumeration: a name or kind (`name`), or the numbers `low` to `high`."""

    name: Ident | None
    low: int | None
    high: int | None


@attrs.frozen(eq=False)
class EnumDecl(Decl):
    """`define Name = words`: an enumeration, or a union if all words are kinds."""

    name: Ident
    words: tuple[Word, ...]


@attrs.frozen(eq=False)
class AmountFixed(Node):
    """`(17)`."""

    count: int


@attrs.frozen(eq=False)
class AmountColumn(Node):
    """`(copies)`: a column of the file says how many."""

    column: Ident


@attrs.frozen(eq=False)
class AmountPer(Node):
    """`(count each Kind)`."""

    count: Expr
    each: Ident


Amount: TypeAlias = AmountFixed | AmountColumn | AmountPer


@attrs.frozen(eq=False)
class Initial(Node):
    """`= value`, or `= each value` (one for each copy)."""

    value: Expr
    each: bool


@attrs.frozen(eq=False)
class Flag(Node):
    """`, name [by who]` after a field: `hidden`, `seen by owner`, `acts by left`."""

    name: Ident
    by: Ident | None


@attrs.frozen(eq=False)
class FieldDecl(Decl):
    """`names: type [from columns] [= initial] flags`; a column is an Ident or a Text with `#`."""

    names: tuple[Ident, ...]
    type: TypeExpr
    columns: tuple[Ident | Text, ...]
    initial: Initial | None
    flags: tuple[Flag, ...]


@attrs.frozen(eq=False)
class ComponentDecl(Decl):
    """`component Kind [(amount)] [from files]:` with fields."""

    kind: Ident
    amount: Amount | None
    files: tuple[Text, ...]
    fields: tuple[FieldDecl, ...]


@attrs.frozen(eq=False)
class ExceptionClause(Decl):
    """`name: change when condition [after name]` under a definition."""

    name: Ident
    change: Change
    condition: Expr
    after: Ident | None


@attrs.frozen(eq=False)
class DefineDecl(Decl):
    """`define head = value` with exceptions."""

    head: Head
    value: Expr
    exceptions: tuple[ExceptionClause, ...]


@attrs.frozen(eq=False)
class Need(Decl):
    """`name: condition ["reason"]` of a permission."""

    name: Ident
    condition: Expr
    text: Text | None


@attrs.frozen(eq=False)
class Utility(Node):
    """`automa value` of an action: how much an automa wants it."""

    value: Expr


@attrs.frozen(eq=False)
class MayDecl(Decl):
    """`may name(params):` with needs; an action if `then` is there."""

    name: Ident
    params: tuple[Param, ...]
    needs: tuple[Need, ...]
    utility: Utility | None
    then: Body | None


@attrs.frozen(eq=False)
class RowKey(Node):
    """One key for each looked-up parameter (value or RangeExpr); `is_else` has no parts."""

    parts: tuple[Expr, ...]
    is_else: bool


@attrs.frozen(eq=False)
class Row(Decl):
    """`key | key: value` (value) or with statements (body); one of the two is None."""

    keys: tuple[RowKey, ...]
    value: Expr | None
    body: Body | None


@attrs.frozen(eq=False)
class TableDecl(Decl):
    """`table name(params):` with rows."""

    name: Ident
    params: tuple[Param, ...]
    rows: tuple[Row, ...]


@attrs.frozen(eq=False)
class EffectDecl(Decl):
    """`effect name[(params)] [gives type]: body`; `params` is empty without brackets."""

    name: Ident
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Body


@attrs.frozen(eq=False)
class KeepsDecl(Decl):
    """`keeps [owner.]name: type [= initial] flags [until]`; with an owner it is a lent field."""

    owner: Ident | None
    name: Ident
    type: TypeExpr
    initial: Initial | None
    flags: tuple[Flag, ...]
    until: Until | None


@attrs.frozen(eq=False)
class PhaseDecl(Decl):
    """`phase name[(params)] [gives type]:` with kept values and statements."""

    name: Ident
    params: tuple[Param, ...]
    result: TypeExpr | None
    keeps: tuple[KeepsDecl, ...]
    body: Body


@attrs.frozen(eq=False)
class CardDecl(Decl):
    """`card [Kind.]name:` with the rules of one row."""

    kind: Ident | None
    name: Ident
    items: tuple[
        KeepsDecl | HookDecl | StateRuleDecl | NamedRuleDecl | ClauseDecl | MayDecl | DropDecl, ...
    ]


@attrs.frozen(eq=False)
class AlwaysDecl(Decl):
    """`always "text": condition`."""

    text: Text
    condition: Expr


@attrs.frozen(eq=False)
class ChangeOptionDecl(Decl):
    """`change option name = value`."""

    name: Ident
    value: Expr


@attrs.frozen(eq=False)
class ChangeGameDecl(Decl):
    """`change game:` with settings."""

    settings: tuple[Setting, ...]


@attrs.frozen(eq=False)
class ChangeComponentDecl(Decl):
    """`change component Kind [(amount)] [from files]:` with another number, more or changed rows, more fields."""

    kind: Ident
    amount: Amount | None
    files: tuple[Text, ...]
    fields: tuple[FieldDecl, ...]


@attrs.frozen(eq=False)
class ChangeWordsDecl(Decl):
    """`change Enum = words`: more words."""

    name: Ident
    words: tuple[Word, ...]


@attrs.frozen(eq=False)
class ChangeTableDecl(Decl):
    """`change table name:` with rows replaced or added."""

    name: Ident
    rows: tuple[Row, ...]


@attrs.frozen(eq=False)
class ErrorDecl(Decl):
    """A declaration whose header could not be read and has been reported; its name if it was clear."""

    keyword: str
    name: Ident | None
    bodies: tuple[Body, ...]


# ------------------------------------------------------------------ scenarios

Answer: TypeAlias = Expr  # a Text is a label


@attrs.frozen(eq=False)
class ScriptRoll(Node):
    """`roll 2, 2`."""

    values: tuple[Expr, ...]


@attrs.frozen(eq=False)
class ScriptPick(Node):
    """`pick x`."""

    values: tuple[Expr, ...]


@attrs.frozen(eq=False)
class ScriptChoice(Node):
    """`who chooses [path:] answers`, or with `refused`: asked for and not offered."""

    who: Expr
    refused: bool
    path: Expr | None
    answers: tuple[Answer, ...]


Script: TypeAlias = ScriptRoll | ScriptPick | ScriptChoice


@attrs.frozen(eq=False)
class Played(Node):
    """`do name(args):` or `do phase.step:` with a script."""

    name: Ident
    step: Ident | None
    args: tuple[Expr, ...]
    script: tuple[Script, ...]


@attrs.frozen(eq=False)
class Check(Cited):
    """A line under `after:` that must hold."""

    condition: Expr


@attrs.frozen(eq=False)
class Trial(Node):
    """Doings and what must hold after them."""

    played: tuple[Played, ...]
    checks: tuple[Check, ...]


@attrs.frozen(eq=False)
class ScenarioDecl(Decl):
    """`scenario "title" of base [with] [after "other"]:`; `after` is the text of the scenario continued."""

    title: Text
    base: Ident
    qualifiers: tuple[Qualifier, ...]
    after: Text | None
    settings: tuple[Setting, ...]
    assigns: tuple[Assign, ...]
    before: Body | None
    trials: tuple[Trial, ...]


RuleDecl: TypeAlias = HookDecl | StateRuleDecl | NamedRuleDecl | ClauseDecl | DropDecl
ChangeDecl: TypeAlias = (
    ChangeOptionDecl | ChangeGameDecl | ChangeComponentDecl | ChangeWordsDecl | ChangeTableDecl
)
Item: TypeAlias = (
    GameDecl
    | VariantDecl
    | PresetDecl
    | OptionDecl
    | ComponentDecl
    | DefineDecl
    | EnumDecl
    | TableDecl
    | MayDecl
    | EffectDecl
    | PhaseDecl
    | CardDecl
    | AlwaysDecl
    | ScenarioDecl
    | RuleDecl
    | ChangeDecl
    | ErrorDecl
)


@attrs.frozen(eq=False)
class Module(Node):
    """One file: its declarations in order and all its comments."""

    file: SourceFile
    items: tuple[Item, ...]
    comments: tuple[Comment, ...]


# ------------------------------------------------------------------ walking


_field_names: dict[type[Node], tuple[str, ...]] = {}


def children(of: Node) -> Iterator[Node]:
    """Give the nodes directly inside one, fields in order (citations and comments included)."""
    kind = type(of)
    names = _field_names.get(kind)
    if names is None:
        names = tuple(field.name for field in attrs.fields(kind) if field.name != "span")
        _field_names[kind] = names
    for name in names:
        value = getattr(of, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for element in value:
                if isinstance(element, Node):
                    yield element


def walk(of: Node) -> Iterator[Node]:
    """Give a node and everything below it, parents first, without recursion."""
    waiting = [of]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(list(children(here))))


def remembered(question: Callable[[Node], T]) -> Callable[[Node], T]:
    """Remember what is found out about a node, which never changes, as long as there is the node."""
    known: WeakKeyDictionary[Node, T] = WeakKeyDictionary()

    @functools.wraps(question)
    def asked(of: Node) -> T:
        found = known.get(of)
        if found is None:
            found = known[of] = question(of)
        return found

    return asked


@remembered
def names_in(of: Node) -> frozenset[str]:
    """Give the names that stand in a declaration."""
    return frozenset(part.text for part in parts(of) if isinstance(part, Ident))


@remembered
def texts_in(of: Node) -> str:
    """Give the texts that stand in a declaration, one on a line."""
    return "\n".join(part.value for part in parts(of) if isinstance(part, Text))


@remembered
def cited_in(of: Node) -> frozenset[str]:
    """Give the ids that a declaration and its parts cite."""
    return frozenset(part.id for part in parts(of) if isinstance(part, Citation))


_below: WeakKeyDictionary[Node, tuple[Node, ...]] = WeakKeyDictionary()


def parts(of: Node) -> tuple[Node, ...]:
    """Give a node and everything below it, parents first; remembered, for declarations that are looked at often."""
    below = _below.get(of)
    if below is None:
        _, *rest = walk(of)
        below = _below[of] = tuple(rest)
    return (of, *below)


@remembered
def citations_in(of: Node) -> tuple[Citation, ...]:
    """Give the citations of a declaration and its parts, in order."""
    return tuple(part for part in walk(of) if isinstance(part, Citation))
