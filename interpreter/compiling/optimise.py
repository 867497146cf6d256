"""Rewriting a Program before code is generated; what it means stays the same.

Options become constants, what is constant is worked out, small definitions are put where they are
called, branches that cannot be reached go away, and exceptions of lasting rules are looked at only
while such rules are in force. Only pure expressions and dead branches are touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling import folding
from interpreter.compiling.analysis import Dependencies, Scopes, children, rebuild, walk
from interpreter.compiling.hoisting import hoisted
from interpreter.compiling.soundness import Soundness
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SMALL_KIND = 8
"""A kind of up to so many things has few."""

INLINE_SIZE = 60
"""Definitions of up to so many nodes are put where they are called."""

HOISTED = "same"
"""What is taken out of loops has names that begin like this, and none of an author ends so."""


@attrs.frozen
class NoRows(ir.Expr):
    """Is no row of these lasting blocks (none named: is nothing that lasts) in force? Only made here."""

    blocks: tuple[int, ...]


@attrs.frozen
class Slow(ir.Expr):
    """An expression as it is while rows of lasting blocks are in force. Only made here."""

    inner: ir.Expr


@attrs.frozen
class Chosen(ir.Expr):
    """Those of a few constants whose condition holds, in order. Only made here."""

    pairs: tuple[tuple[ir.Expr, ir.Expr], ...]


@attrs.frozen
class Rare(ir.Exceptional):
    """Exceptions while rows of lasting blocks are in force. Only made here."""


def optimised(program: ir.Program, options: tuple[object, ...], *, full: bool) -> ir.Program:
    """The same Program with its options as constants, and simpler if ``full``."""

    def bake(node: object) -> object:
        node = rebuild(node, bake)
        if isinstance(node, ir.OptionGet):
            return ir.Const(value=options[node.option], type=node.type, span=node.span)
        return node

    program = _everywhere(program, bake)
    return _Optimiser(program).run() if full else program


def _everywhere(program: ir.Program, change: Callable[[object], object]) -> ir.Program:
    """Apply a change to every expression and statement."""
    made: dict[str, Any] = {
        name: tuple(rebuild(each, change) for each in getattr(program, name))
        for name in ("definitions", "doings", "state_rules", "always")
    }
    return attrs.evolve(program, **made)


class _Optimiser:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._bodies: dict[int, ir.Expr] = {}
        self._fresh = 0
        self._sound = Soundness(program, self.body)
        self._folded: dict[int, tuple[object, object]] = {}

    def run(self) -> ir.Program:
        """The simpler Program."""
        self.scopes = Scopes(self.program)
        self.dependencies = Dependencies(self.program)
        program = self.program
        definitions = tuple(
            attrs.evolve(each, body=self.body(each.index)) for each in program.definitions
        )
        program = attrs.evolve(program, definitions=definitions)
        return attrs.evolve(
            program,
            definitions=tuple(rebuild(each, self._parted) for each in definitions),  # type: ignore[misc]
            doings=tuple(rebuild(self._doing(each), self._parted) for each in program.doings),  # type: ignore[misc]
            state_rules=tuple(rebuild(each, self.simplify) for each in program.state_rules),  # type: ignore[misc]
            always=tuple(rebuild(each, self.simplify) for each in program.always),  # type: ignore[misc]
        )

    # ------------------------------------------------------------------------------------ lasting blocks

    def _parted(self, node: object) -> object:
        """Each expression of a line in two: as it is usually, and while lasting rules matter."""
        if not isinstance(node, ir.Expr):
            return rebuild(node, self._parted)
        blocks: set[int] = set()
        for each in walk(node):
            match each:
                case NoRows():
                    blocks.update(each.blocks)
                case ir.AnyRow():
                    blocks.add(each.block)
                case ir.Clause() if each.block is not None:
                    blocks.add(each.block)
        if not blocks or isinstance(node, (ir.AnyRow, NoRows)):
            return node
        usual = self._without_rows(node)
        test = NoRows(blocks=(), type=ir.FLAG, span=node.span)
        slow = Slow(inner=node, type=node.type, span=node.span)
        return ir.Case(arms=((test, usual),), otherwise=slow, type=node.type, span=node.span)

    def _without_rows(self, e: ir.Expr) -> ir.Expr:
        """An expression as it is while no row is in force."""

        def change(node: object) -> object:
            if isinstance(node, NoRows):
                return ir.Const(value=True, type=ir.FLAG, span=node.span)
            if isinstance(node, ir.AnyRow):
                return ir.Const(value=False, type=ir.FLAG, span=node.span)
            if isinstance(node, Rare):
                plain = tuple(c for c in node.clauses if c.block is None)
                node = ir.Exceptional(
                    general=node.general, clauses=plain, type=node.type, span=node.span
                )
            return self._fold(rebuild(node, change))

        made = change(e)
        assert isinstance(made, ir.Expr)  # noqa: S101 - for the type checker
        return made

    def body(self, index: int) -> ir.Expr:
        """The simplified body of a definition."""
        known = self._bodies.get(index)
        if known is None:
            definition = self.program.definitions[index]
            self._bodies[index] = definition.body  # a circle ends here
            made = self.simplify(definition.body)
            assert isinstance(made, ir.Expr)  # noqa: S101 - for the type checker
            known = self._bodies[index] = made
        return known

    def _doing(self, doing: ir.Doing) -> ir.Doing:
        made = rebuild(doing, self.simplify)
        assert isinstance(made, ir.Doing)  # noqa: S101 - for the type checker
        return attrs.evolve(made, body=self._block(made.body))

    # ------------------------------------------------------------------------------------ blocks

    def _block(self, block: ir.Block) -> ir.Block:
        """Leave out branches that cannot be reached."""
        result: list[ir.Stmt] = []
        for line in block:
            match line:
                case ir.If():
                    if isinstance(line.cond, ir.Const):
                        result.extend(self._block(line.then if line.cond.value else line.orelse))
                        continue
                    result.append(
                        attrs.evolve(
                            line, then=self._block(line.then), orelse=self._block(line.orelse)
                        )
                    )
                case ir.Match():
                    rows = tuple((keys, self._block(row)) for keys, row in line.rows)
                    result.append(attrs.evolve(line, rows=rows))
                case ir.Each() | ir.While():
                    result.append(attrs.evolve(line, body=self._block(line.body)))
                case ir.Ask() if line.otherwise is not None:
                    result.append(attrs.evolve(line, otherwise=self._block(line.otherwise)))
                case _:
                    result.append(line)
        return tuple(result)

    # ------------------------------------------------------------------------------------ expressions

    def simplify(self, node: object) -> object:
        """A node, simpler."""
        known = self._folded.get(id(node))
        if known is not None and known[0] is node:
            return known[1]
        result = self._fold(rebuild(node, self.simplify))
        self._folded[id(node)] = (node, result)
        return result

    def _fold(self, e: object) -> object:
        match e:
            case ir.CallDef():
                return self._inline(e)
            case ir.And() | ir.Or():
                return folding.junction(e)
            case ir.Not():
                return folding.not_(e)
            case ir.Compare() if isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
                return folding.compare(e)
            case ir.Case():
                return folding.case(e)
            case ir.Switch():
                return folding.switch(e)
            case ir.Exceptional() if not isinstance(e, Rare):
                return self._exceptional(e)
            case ir.IsKind():
                return folding.is_kind(e)
            case ir.Overlap():
                return self._overlap(e)
            case ir.LetIn():
                return self._let(e)
            case ir.Arith() if isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
                return folding.arith(e)
            case ir.Where() if isinstance(e.cond, ir.Const) and e.cond.value is True:
                return e.source
            case ir.Where() | ir.AnyWhere() if isinstance(e.cond, ir.LetIn) and self._movable(e):
                let = e.cond
                inner = self._fold(attrs.evolve(e, cond=let.body))
                return ir.LetIn(
                    name=let.name,
                    value=let.value,
                    body=inner,  # type: ignore[arg-type]
                    type=e.type,
                    span=e.span,
                )
            case ir.Where() | ir.AnyWhere() if _few_words(e.source):
                return self._unrolled(e)
            case ir.AnyWhere() | ir.Where() if isinstance(e.cond, ir.CallDef):
                inside = self._inline(e.cond, 4 * INLINE_SIZE)
                return e if inside is e.cond else self._fold(attrs.evolve(e, cond=inside))
            case ir.AnyWhere() | ir.Where() if e.cond is not None:
                return hoisted(e, self.scopes, self.dependencies, self._sound, self._new_name)
            case ir.AnyWhere() if e.cond is None and isinstance(e.source, ir.Where):
                source = e.source
                return self._fold(
                    attrs.evolve(e, source=source.source, var=source.var, cond=source.cond)
                )
            case ir.Ask() if isinstance(e.whole, ir.CallDef):
                return attrs.evolve(e, whole=self._inline(e.whole, 4 * INLINE_SIZE))
            case ir.Alternative() if isinstance(e.cond, ir.Const) and e.cond.value is True:
                return attrs.evolve(e, cond=None)
            case ir.FieldGet():
                return self._field(e)
            case ir.Sorted():
                return self._sorted(e)
            case _:
                pass
        return e

    def _field(self, e: ir.FieldGet) -> ir.Expr:
        """Of a union only the fields of the kinds that can come."""
        kinds = set(e.obj.type.kinds)
        if len(e.fields) > 1 and e.obj.type.shape == "thing" and kinds:
            fits = tuple(index for index in e.fields if self.program.fields[index].kind in kinds)
            if fits and len(fits) < len(e.fields):
                return attrs.evolve(e, fields=fits)
        return e

    def _sorted(self, e: ir.Sorted) -> ir.Expr:
        """Of few things: sort all, then choose, since the order of all is remembered."""
        source = e.source
        if not isinstance(source, ir.Where) or not isinstance(source.source, ir.KindAll):
            return e
        few = self.program.kinds[source.source.kind].count <= SMALL_KIND
        if not few or not all(_chain(key.body) for key in e.keys):
            return e
        ranked = ir.Sorted(source=source.source, keys=e.keys, type=e.type, span=e.span)
        return ir.Where(
            source=ranked, var=source.var, cond=source.cond, type=e.type, span=source.span
        )

    def _movable(self, e: ir.Where | ir.AnyWhere) -> bool:
        """Is what is bound in the condition the same for every member, and without a fault?"""
        let = e.cond
        assert isinstance(let, ir.LetIn)  # noqa: S101 - for the type checker
        if e.var in self.scopes.free(let.value):
            return False
        return _readable(let.value) or (_is_hoisted(let) and self._sound(let.value))

    def _unrolled(self, e: ir.Where | ir.AnyWhere) -> ir.Expr:
        """Of a few words: a condition for each."""
        words = e.source.value if isinstance(e.source, ir.Const) else ()
        of = e.source.type.elem or ir.NUMBER
        assert isinstance(words, tuple)  # noqa: S101 - for the type checker
        pairs: list[tuple[ir.Expr, ir.Expr]] = []
        for word in words:
            const = ir.Const(value=word, type=of, span=e.span)
            test = ir.Const(value=True, type=ir.FLAG) if e.cond is None else e.cond
            made = self.simplify(self._substitute(self._renamed(test), {e.var: const}))
            assert isinstance(made, ir.Expr)  # noqa: S101 - for the type checker
            if not (isinstance(made, ir.Const) and made.value is False):
                pairs.append((const, made))
        if isinstance(e, ir.AnyWhere):
            parts = tuple(test for _, test in pairs)
            return folding.junction(ir.Or(parts=parts, type=ir.FLAG, span=e.span))
        return Chosen(pairs=tuple(pairs), type=e.type, span=e.span)

    def _overlap(self, e: ir.Overlap) -> ir.Expr:
        for one, other, left in ((e.left, e.right, False), (e.right, e.left, True)):
            if isinstance(other, ir.Case) and len(other.arms) == 1:
                test, arm = other.arms[0]
                sides = [
                    self._overlap(
                        attrs.evolve(e, left=each, right=one)
                        if left
                        else attrs.evolve(e, left=one, right=each)
                    )
                    for each in (arm, other.otherwise)
                ]
                return ir.Case(
                    arms=((test, sides[0]),), otherwise=sides[1], type=e.type, span=e.span
                )
        for one, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(other, ir.MakeSet) and len(other.items) == 1:
                return ir.Contains(item=other.items[0], source=one, type=e.type, span=e.span)
        return e

    def _exceptional(self, e: ir.Exceptional) -> ir.Expr:
        clauses = tuple(
            clause
            for clause in e.clauses
            if not (isinstance(clause.cond, ir.Const) and clause.cond.value is False)
        )
        blocks = tuple(sorted({c.block for c in clauses if c.block is not None}))
        if not blocks:
            return self._plain_exceptional(attrs.evolve(e, clauses=clauses))
        plain = tuple(clause for clause in clauses if clause.block is None)
        usual = self._plain_exceptional(attrs.evolve(e, clauses=plain))
        test = NoRows(blocks=blocks, type=ir.FLAG, span=e.span)
        rare = Rare(general=e.general, clauses=clauses, type=e.type, span=e.span)
        return ir.Case(arms=((test, usual),), otherwise=rare, type=e.type, span=e.span)

    def _plain_exceptional(self, e: ir.Exceptional) -> ir.Expr:
        """Without a block: one exception that replaces the value is a case."""
        if not e.clauses:
            return e.general
        if any(clause.lets or clause.sign != "=" for clause in e.clauses):
            return e
        if len(e.clauses) == 1:
            clause = e.clauses[0]
            if clause.cond is None:
                return clause.value
            return ir.Case(
                arms=((clause.cond, clause.value),), otherwise=e.general, type=e.type, span=e.span
            )
        return e

    def _let(self, e: ir.LetIn) -> ir.Expr:
        if isinstance(e.value, (ir.Const, ir.Local)):
            made = self._substitute(e.body, {e.name: e.value})
            return self.simplify(made)  # type: ignore[return-value]
        uses = sum(isinstance(n, ir.Local) and n.name == e.name for n in walk(e.body))
        if uses == 0 and self._sound(e.value):
            return e.body
        return e

    # ------------------------------------------------------------------------------------ inlining

    def _new_name(self) -> str:
        self._fresh += 1
        return f"{HOISTED}~{self._fresh}"

    def _inline(self, e: ir.CallDef, limit: int = INLINE_SIZE) -> ir.Expr:
        definition = self.program.definitions[e.definition]
        body = self.body(e.definition)
        if (_size(body, limit) > limit and not self._chosen(definition, body, e.args)) or any(
            isinstance(node, ir.CallDef) and node.definition == e.definition for node in walk(body)
        ):
            return e
        given: dict[str, ir.Expr] = {}
        lets: list[tuple[str, ir.Expr]] = []
        for param, arg in zip(definition.params, e.args, strict=True):
            if not param.type.optional and arg.type.optional:
                return e  # the call tests that there is a value
            uses = _uses(body, param.name)
            plain = isinstance(arg, (ir.Const, ir.Local))
            if plain or (uses <= 1 and _once(body, param.name) and self._sound(arg)):
                given[param.name] = arg
            else:
                self._fresh += 1
                name = f"{param.name}~{self._fresh}"
                lets.append((name, arg))
                given[param.name] = ir.Local(name=name, type=param.type, span=arg.span)
        made = self.simplify(self._substitute(self._renamed(body), given))
        assert isinstance(made, ir.Expr)  # noqa: S101 - for the type checker
        for name, arg in reversed(lets):
            made = ir.LetIn(name=name, value=arg, body=made, type=e.type, span=e.span)
        return made

    def _chosen(self, definition: ir.Definition, body: ir.Expr, args: tuple[ir.Expr, ...]) -> bool:
        """Is it a table of which the arguments choose the row?"""
        known = {
            param.name
            for param, arg in zip(definition.params, args, strict=True)
            if isinstance(arg, ir.Const)
        }
        return isinstance(body, ir.Switch) and all(
            isinstance(key, ir.Local) and key.name in known for key in body.keys
        )

    def _renamed(self, body: ir.Expr) -> ir.Expr:
        """The body with new names for what it binds, so that names stay unique."""
        new_names: dict[str, str] = {}
        for node in walk(body):
            own: tuple[str, ...] = ()
            match node:
                case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
                    own = (node.var,)
                case ir.LetIn():
                    own = (node.name,)
                case ir.Clause():
                    own = tuple(name for name, _ in node.lets)
                case _:
                    pass
            for name in own:
                if name not in new_names:
                    self._fresh += 1
                    new_names[name] = f"{name.split('~')[0]}~{self._fresh}"
        if not new_names:
            return body

        def change(node: object) -> object:
            node = rebuild(node, change)
            match node:
                case ir.Local() if node.name in new_names:
                    return attrs.evolve(node, name=new_names[node.name])
                case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
                    return attrs.evolve(node, var=new_names[node.var])
                case ir.LetIn():
                    return attrs.evolve(node, name=new_names[node.name])
                case ir.Clause() if node.lets:
                    lets = tuple((new_names[name], value) for name, value in node.lets)
                    return attrs.evolve(node, lets=lets)
            return node

        return change(body)  # type: ignore[return-value]

    def _substitute(self, body: ir.Expr, given: dict[str, ir.Expr]) -> ir.Expr:
        """The body with locals replaced."""

        def change(node: object) -> object:
            if isinstance(node, ir.Local) and node.name in given:
                new = given[node.name]
                # What the body knows about its parameter's type stays known.
                if isinstance(new, ir.Local) and _tighter(node.type, new.type):
                    return attrs.evolve(new, type=node.type)
                return new
            return rebuild(node, change)

        return change(body)  # type: ignore[return-value]


def _few_words(source: ir.Expr) -> bool:
    """Is it a set of a few constants that are no things?"""
    if not isinstance(source, ir.Const) or not isinstance(source.value, tuple):
        return False
    of = source.type.elem
    return of is not None and of.shape == "word" and len(source.value) <= SMALL_KIND


def _readable(e: ir.Expr) -> bool:
    """Can it be read at any time without a fault?"""
    while isinstance(e, ir.FieldGet) and e.key is None:
        e = e.obj
    return isinstance(e, (ir.Local, ir.GlobalGet, ir.Const))


def _chain(e: ir.Expr) -> bool:
    """Is it a property of a property of a local?"""
    while isinstance(e, ir.FieldGet) and e.key is None:
        e = e.obj
    return isinstance(e, ir.Local)


def _is_hoisted(let: ir.LetIn) -> bool:
    """Was this taken out of a loop?"""
    return let.name.startswith(HOISTED)


def _size(node: object, limit: int) -> int:
    """How many nodes, exceptions that are rare not counted: those are functions of their own."""
    total = 0
    for _ in walk_usual(node):
        total += 1
        if total > limit:
            break
    return total


def walk_usual(node: object) -> Iterator[object]:
    """A node and everything below it but for what is rare."""
    yield node
    if not isinstance(node, (Rare, ir.AnyRow)):
        for child in children(node):
            yield from walk_usual(child)


def _tighter(a: ir.Type, b: ir.Type) -> bool:
    """Does type ``a`` say more than ``b``?"""
    if a.shape != b.shape or a.shape != "thing":
        return False
    return set(a.kinds) < set(b.kinds) or (a.kinds == b.kinds and b.optional and not a.optional)


def _uses(body: ir.Expr, name: str) -> int:
    return sum(isinstance(node, ir.Local) and node.name == name for node in walk(body))


def _once(body: ir.Expr, name: str) -> bool:
    """Is the one use of a local outside of everything that is evaluated several times?"""
    for node in walk(body):
        inside: tuple[object, ...] = ()
        match node:
            case ir.Where() | ir.AnyWhere():
                inside = (node.cond,)
            case ir.Map() | ir.Key():
                inside = (node.body,)
            case ir.AnyRow():
                inside = (node.cond,)
            case ir.Clause() if node.block is not None:
                inside = (node.cond, node.value, node.lets)
        for part in inside:
            if part is not None and any(
                isinstance(each, ir.Local) and each.name == name for each in walk(part)
            ):
                return False
    return True
