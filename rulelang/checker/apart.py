"""Proof that two conditions never hold together.

What must hold is split into cases; in each, equalities are put in place of each other, and what is
left are bounds of numbers, words and things, tested against what their types allow. Definitions are
unfolded where that can help. The proof is sound and not complete: where it fails, the two may hold
together or not. It looks at a bounded number of cases, so it always ends, and it is a function of
the two conditions alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from rulelang.checker.ranges import Range
from rulelang.checker.terms import NONE, Literal, Term, World, compared, subterms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rulelang import ir

__all__ = ["World", "never_together"]

_SUMS: Final = ("+", "-", "*")
_FLAGS: Final = ("and", "or", "not", "==", "<", "<=", "in", "kind", "call")
CASES: Final = 300
"""So many cases are looked at in one proof."""
_DEPTH: Final = 40
_UNFOLDED: Final = 40
_ROUNDS: Final = 6
_TURNS: Final = 3

Alternatives: TypeAlias = "tuple[tuple[Literal, ...], ...]"
Linear: TypeAlias = "tuple[dict[Term, int], int]"


def never_together(
    world: World, literals: Iterable[Literal], types: Mapping[str, ir.Type], cases: int = CASES
) -> bool:
    """Tell whether literals can be proved never to hold together.

    Args:
        world: The ruleset.
        literals: What would all have to hold, in one state.
        types: Of the locals in them, as far as they are known.
        cases: So many are looked at.
    """
    return _Proof(world, types, cases).refutes(list(literals), frozenset())


class _ContradictionError(Exception):
    """The literals at hand cannot hold together."""


class _Proof:
    """One proof, with its budget."""

    def __init__(self, world: World, types: Mapping[str, ir.Type], cases: int) -> None:
        self.world = world
        self.types = types
        self.cases = cases

    def refutes(self, literals: list[Literal], unfolded: frozenset[Term], depth: int = 0) -> bool:
        """Tell whether literals contradict each other, whatever the state."""
        self.cases -= 1
        if self.cases < 0 or depth > _DEPTH:
            return False
        try:
            facts = _Facts(self.world, self.types, unfolded)
            facts.take(literals)
        except _ContradictionError:
            return True
        split = facts.next_split()
        if split is None:
            return False
        rest = [*facts.literals(), *((("==", *pair), True) for pair in facts.placed)]
        return all(self.refutes([*rest, *one], facts.unfolded, depth + 1) for one in split)


class _Facts:
    """Literals that must hold together, brought into a form in which contradictions show."""

    def __init__(
        self, world: World, types: Mapping[str, ir.Type], unfolded: frozenset[Term]
    ) -> None:
        self.world = world
        self.types = types
        self.unfolded = unfolded
        self.flags: dict[Term, bool] = {}
        self.atoms: list[Term] = []  # comparisons `==`, `<`, `<=` that hold
        self.unequal: list[tuple[Term, Term]] = []
        self.ranges: dict[Term, Range] = {}
        self.equal: list[tuple[Term, Term]] = []
        self.placed: list[tuple[Term, Term]] = []  # what has been put in place of what
        self.splits: list[Alternatives] = []

    # ------------------------------------------------------------------ taking in

    def take(self, literals: Iterable[Literal]) -> None:
        """Take literals in, with all that follows from them."""
        waiting = list(literals)
        while waiting:
            term, holds = waiting.pop()
            waiting += self._sorted_in(term, holds)
        for _ in range(_TURNS):
            while self._put_in_place():
                pass
            self._unfold()
            while self._put_in_place():
                pass
            self._bounds()

    def _sorted_in(self, term: Term, holds: bool) -> list[Literal]:
        form = term[0]
        if form == "c":
            if term[1] is not None and bool(term[1]) is not holds:
                raise _ContradictionError
        elif form == "not":
            return [(term[1], not holds)]
        elif form in ("and", "or"):
            if (form == "and") is holds:
                return [(part, holds) for part in term[1:]]
            self.splits.append(tuple(((part, holds),) for part in term[1:]))
        elif form == "==" and (flag := self._as_flag(term, holds)) is not None:
            return [flag]
        elif form == "==":
            self._equality(term[1], term[2], holds)
        elif form in ("<", "<="):
            self._comparison(term if holds else _opposite(term))
        elif form == "in":
            return self._membership(term, holds)
        elif form == "kind":
            self._kind(term[1], term[2], holds)
        elif form == "cases":
            self.splits.append(tuple((*conds, (value, holds)) for conds, value in term[1:]))
        else:
            self._flag(term, holds)
        return []

    def _comparison(self, atom: Term) -> None:
        """Take in a comparison that holds; the opposite of one is seen before anything is unfolded."""
        if _opposite(atom) in self.atoms:
            raise _ContradictionError
        self.atoms.append(atom)

    def _as_flag(self, term: Term, holds: bool) -> Literal | None:
        """Read a comparison with yes or no as the condition itself, if that cannot be none."""
        _, left, right = term
        if left[0] == "c":
            left, right = right, left
        if right[0] != "c" or not isinstance(right[1], bool):
            return None
        if holds or left[0] in _FLAGS:
            return left, right[1] is holds
        return None

    def _equality(self, left: Term, right: Term, holds: bool) -> None:
        if not holds:
            self.unequal.append((left, right))
            for one, other in ((left, right), (right, left)):
                if other[0] == "c":
                    if one == other:
                        raise _ContradictionError
                    self._exclude(one, other[1])
            return
        self.equal.append((left, right))

    def _exclude(self, term: Term, value: object) -> None:
        if term[0] == "c":
            return
        if value is None:
            self._given(term)
        else:
            self._range(term).never.add(value)

    def _flag(self, term: Term, holds: bool) -> None:
        if self.flags.setdefault(term, holds) is not holds:
            raise _ContradictionError

    def _membership(self, term: Term, holds: bool) -> list[Literal]:
        _, item, source = term
        match source:
            case ("c", tuple() as values):
                if item[0] == "c":
                    return [(("c", item[1] in values), holds)]
                if holds:
                    self._given(item)
                    self._among(item, frozenset(values))
                else:
                    self._range(item).never.update(values)
                return []
            case ("RangeSet", low, high):
                inside = ("and", compared("<=", low, item), compared("<=", item, high))
                return [(inside, holds)]
            case ("MakeSet" | "MakeList", items):
                return [(("or", *(compared("==", item, each) for each in items)), holds)]
            case ("KindAll", kind):
                return [(("kind", item, (kind,)), holds)]
            case ("Union", left, right):
                return [(("or", ("in", item, left), ("in", item, right)), holds)]
            case ("Where", inner, cond):
                test = self.world.replaced(cond, ("b", 0), item)
                return [(("and", ("in", item, inner), test), holds)]
            case ("PlacedAt", inner, place):
                there = compared("==", ("place", item), place)
                return [(("and", ("in", item, inner), there), holds)]
            case ("Minus", left, right):
                return [(("and", ("in", item, left), ("not", ("in", item, right))), holds)]
            case _:
                self._flag(term, holds)
                if holds:
                    self._given(item)
                return []

    def _kind(self, item: Term, kinds: Sequence[int], holds: bool) -> None:
        things = frozenset(
            thing
            for kind in kinds
            for thing in range(
                self.world.kinds[kind].base,
                self.world.kinds[kind].base + self.world.kinds[kind].count,
            )
        )
        if item[0] == "c":
            if (item[1] in things) is not holds:
                raise _ContradictionError
        elif holds:
            self._given(item)
            self._among(item, things)
        else:
            self._range(item).never.update(things)

    def _among(self, term: Term, values: frozenset[object]) -> None:
        known = self._range(term)
        known.among = values if known.among is None else known.among & values

    def _given(self, term: Term) -> None:
        """Note that a value is there: then so is the thing whose field it is."""
        if term == NONE:
            raise _ContradictionError
        if term[0] == "c":
            return
        known = self._range(term)
        if known.none is True:
            raise _ContradictionError
        known.none = False
        if term[0] == "f" and self._is_single(term):
            self._given(term[2])

    def _is_single(self, term: Term) -> bool:
        return self.world.fields[term[1][0]].type.shape not in ("set", "list", "bag")

    # ------------------------------------------------------------------ types

    def _range(self, term: Term) -> Range:
        known = self.ranges.get(term)
        if known is None:
            known = self.ranges[term] = self._typed(term)
        return known

    def _typed(self, term: Term) -> Range:
        """Give what the type of a term says about it."""
        match term:
            case ("f", fields, obj, _):
                types = [self.world.fields[each].type for each in fields]
                there = obj[0] == "c" or self._range(obj).none is False
                return self._of_types(types, there=there and self.world.is_set(fields))
            case ("l", name) if name in self.types:
                return self._of_types([self.types[name]])
            case ("o", number):
                return self._of_types([self.world.options[number].type])
            case ("g", number):
                return self._of_types([self.world.globals[number].type], there=False)
            case ("call", number, *_):
                return self._of_types([self.world.definitions[number].result])
            case ("count", source):
                return Range(0, self._at_most(source), none=False)
            case _:
                return Range()

    def _of_types(self, types: Sequence[ir.Type], *, there: bool = True) -> Range:
        """Give the range of values that are of one of several types; `there`: none of them is missing."""
        ranges = [self._of_type(each) for each in types]
        lows = [each.low for each in ranges]
        highs = [each.high for each in ranges]
        return Range(
            None if None in lows else min(each for each in lows if each is not None),
            None if None in highs else max(each for each in highs if each is not None),
            none=False if there and not any(each.optional for each in types) else None,
        )

    def _of_type(self, kind: ir.Type) -> Range:
        match kind.shape:
            case "number":
                return Range(kind.lo, kind.hi)
            case "word" if kind.enum >= 0:
                enum = self.world.enums[kind.enum]
                low = enum.low if enum.numeric else 0
                return Range(low, low + len(enum.words) - 1)
            case "thing" if kind.kinds:
                bounds = [self.world.kinds[each] for each in kind.kinds]
                return Range(
                    min(each.base for each in bounds),
                    max(each.base + each.count - 1 for each in bounds),
                )
            case _:
                return Range()

    def _at_most(self, source: Term) -> int | None:
        match source:
            case ("KindAll", kind):
                return self.world.kinds[kind].count
            case ("Where" | "PlacedAt" | "InBox" | "Best" | "Sorted" | "Minus" | "Take", inner, *_):
                return self._at_most(inner)
            case ("c", tuple() as values):
                return len(values)
            case _:
                return None

    # ------------------------------------------------------------------ equalities

    def _put_in_place(self) -> bool:
        """Use one equality: put one side in place of the other everywhere. Tells whether there was one."""
        for term, known in tuple(self.ranges.items()):
            listed = known.among is not None or known.low == known.high
            left = known.left() if known.none is False and listed else ()
            if len(left) == 1:
                self.equal.append((term, ("c", left[0])))
                del self.ranges[term]
                for value in known.never:
                    self.unequal.append((term, ("c", value)))
                break
        if not self.equal:
            return False
        left_side, right_side = self.equal.pop()
        if left_side == right_side:
            return True
        if left_side[0] == "c":
            left_side, right_side = right_side, left_side
        if left_side[0] == "c":
            raise _ContradictionError
        if left_side[0] in _SUMS or right_side[0] in _SUMS:
            self.atoms += [("<=", left_side, right_side), ("<=", right_side, left_side)]
        else:
            self._substitute(*_oriented(left_side, right_side))
        return True

    def _substitute(self, old: Term, new: Term) -> None:
        self.placed.append((old, new))
        literals = self.literals()
        typed = self.ranges.get(old) or self._typed(old)
        self.flags, self.atoms, self.unequal, self.equal, self.ranges = {}, [], [], [], {}
        self.splits = []
        self._narrow(new, typed)
        done: dict[int, Term] = {}
        waiting = [(self.world.replaced(term, old, new, done), holds) for term, holds in literals]
        again = (self.world.replaced(each, old, new, done) for each in self.unfolded)
        self.unfolded = self.unfolded.union(each for each in again if each[0] in ("call", "cases"))
        while waiting:
            term, holds = waiting.pop()
            waiting += self._sorted_in(term, holds)

    def _narrow(self, term: Term, typed: Range) -> None:
        """Let a term be what another one that it is equal to can be."""
        if term[0] == "c":
            value = term[1]
            if value is None:
                if typed.none is False:
                    raise _ContradictionError
            elif not typed.fits(value) or (typed.among is not None and value not in typed.among):
                raise _ContradictionError
            return
        known = self._range(term)
        if typed.low is not None:
            known.low = typed.low if known.low is None else max(known.low, typed.low)
        if typed.high is not None:
            known.high = typed.high if known.high is None else min(known.high, typed.high)
        if typed.among is not None:
            known.among = typed.among if known.among is None else known.among & typed.among
        known.never |= typed.never
        if typed.none is False:
            self._given(term)

    def literals(self) -> list[Literal]:
        """Give everything back as literals."""
        found: list[Literal] = list(self.flags.items())
        found += [(atom, True) for atom in self.atoms]
        found += [(("==", *pair), False) for pair in self.unequal]
        found += [(("==", *pair), True) for pair in self.equal]
        found += [(("or", *(_all(each) for each in split)), True) for split in self.splits if split]
        for term, known in tuple(self.ranges.items()):
            found += self._known(term, known)
        return found

    def _known(self, term: Term, known: Range) -> Iterator[Literal]:
        """Give what is known of a term as literals."""
        typed = self._typed(term)
        if known.none is False and typed.none is not False:
            yield ("==", term, NONE), False
        if known.among is not None:
            yield ("in", term, ("c", tuple(sorted(known.among, key=repr)))), True
        for value in sorted(known.never, key=repr):
            yield ("==", term, ("c", value)), False
        if known.low is not None and known.low != typed.low:
            yield ("<=", ("c", known.low), term), True
        if known.high is not None and known.high != typed.high:
            yield ("<=", term, ("c", known.high)), True

    # ------------------------------------------------------------------ bounds

    def _bounds(self) -> None:
        """Let comparisons narrow the bounds of what they compare."""
        for left, right in self.unequal:
            if left == right:
                raise _ContradictionError
        linear = [(_linear(atom[1], atom[2]), atom[0] == "<") for atom in self.atoms]
        for _, left, right in self.atoms:
            for side in (left, right):
                for part in _summed(side):
                    self._given(part)
        for _ in range(_ROUNDS):
            changed = False
            for (weights, rest), strict in linear:
                changed = self._narrowed(weights, rest + strict) or changed
            if not changed:
                break
        for known in self.ranges.values():
            if known.is_empty():
                raise _ContradictionError

    def _narrowed(self, weights: dict[Term, int], rest: int) -> bool:
        """Use that a weighted sum and a number are at most 0."""
        least: dict[Term, int | None] = {}
        for term, weight in weights.items():
            known = self._range(term)
            bound = known.low if weight > 0 else known.high
            least[term] = None if bound is None else weight * bound
        unknown = [term for term, bound in least.items() if bound is None]
        total = sum(bound for bound in least.values() if bound is not None) + rest
        if not unknown and total > 0:
            raise _ContradictionError
        changed = False
        for term, weight in weights.items():
            if unknown and unknown != [term]:
                continue
            others = total - (least[term] or 0)
            known = self._range(term)
            if weight > 0:
                bound = -others // weight
                if known.high is None or bound < known.high:
                    known.high, changed = bound, True
            else:
                bound = -(-others // -weight)
                if known.low is None or bound > known.low:
                    known.low, changed = bound, True
        return changed

    # ------------------------------------------------------------------ cases

    def _unfold(self) -> None:
        """Say what the values are that definitions give."""
        waiting = [*self._mentioned()]
        done = set(self.unfolded)
        while waiting and len(done) < _UNFOLDED:
            term = waiting.pop()
            if term in done:
                continue
            done.add(term)
            if term[0] == "call":
                value = self._in_place(self.world.unfolded(term))
                holds = self.flags.get(term)
                if holds is not None:
                    more = self._sorted_in(value, holds)
                    while more:
                        inner, inner_holds = more.pop()
                        more += self._sorted_in(inner, inner_holds)
                else:
                    self.equal.append((self._in_place(term), value))
                waiting += [each for each in subterms(value) if each[0] in ("call", "cases")]
            else:
                self.splits.append(
                    tuple(
                        (*conds, (compared("==", term, value), True)) for conds, value in term[1:]
                    )
                )
        self.unfolded = frozenset(done)

    def _in_place(self, term: Term) -> Term:
        """Write a term that has just come up in the terms that are left."""
        for old, new in self.placed:
            term = self.world.replaced(term, old, new)
        return term

    def _mentioned(self) -> Iterator[Term]:
        terms = [*self.flags, *self.ranges, *(part for atom in self.atoms for part in atom[1:])]
        pairs = (*self.unequal, *self.equal, *self.placed)
        terms += [part for pair in pairs for part in pair]
        for term in terms:
            for each in subterms(term):
                if each[0] in ("call", "cases"):
                    yield each

    def next_split(self) -> Alternatives | None:
        """Give the cases to look at next, the fewest first; None if there is nothing to part."""
        if self.splits:
            chosen = min(self.splits, key=len)
            self.splits.remove(chosen)
            return chosen
        return self._by_data()

    def _by_data(self) -> Alternatives | None:
        """Part by the things that a term can be, where their data are tested."""
        for term in [*self.ranges, *self.flags]:
            for each in subterms(term):
                if each[0] != "f" or not set(each[1]) <= self.world.data or each[2][0] == "c":
                    continue
                known = self._range(each[2])
                left = known.left() if known.none is False else []
                if left:
                    return tuple(((("==", each[2], ("c", value)), True),) for value in left)
        return None


# ---------------------------------------------------------------- helpers


def _all(literals: Iterable[Literal]) -> Term:
    return ("and", *(term if holds else ("not", term) for term, holds in literals))


def _opposite(atom: Term) -> Term:
    """Give the comparison that holds where a `<` or `<=` does not."""
    return ("<=" if atom[0] == "<" else "<", atom[2], atom[1])


def _oriented(one: Term, two: Term) -> tuple[Term, Term]:
    """Give what goes and what takes its place: what contains the other side goes."""
    if two[0] == "c" or one not in set(subterms(two)):
        return one, two
    return two, one


def _linear(left: Term, right: Term) -> Linear:
    """Write left minus right as a weighted sum and a number."""
    weights: dict[Term, int] = {}
    rest = _weigh(left, 1, weights) + _weigh(right, -1, weights)
    return {term: weight for term, weight in weights.items() if weight}, rest


def _weigh(term: Term, weight: int, weights: dict[Term, int]) -> int:
    form = term[0]
    if form == "c" and isinstance(term[1], int):
        return weight * term[1]
    if form in ("+", "-"):
        more = weight if form == "+" else -weight
        return _weigh(term[1], weight, weights) + _weigh(term[2], more, weights)
    if form == "*":
        for factor, other in ((term[1], term[2]), (term[2], term[1])):
            if factor[0] == "c" and isinstance(factor[1], int):
                return _weigh(other, weight * factor[1], weights)
    weights[term] = weights.get(term, 0) + weight
    return 0


def _summed(term: Term) -> Iterator[Term]:
    """Give what a sum is made of."""
    if term[0] in _SUMS:
        yield from _summed(term[1])
        yield from _summed(term[2])
    elif term[0] != "c" or term == NONE:
        yield term
