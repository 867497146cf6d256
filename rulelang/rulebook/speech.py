"""Expressions as parts of sentences: what is meant (`noun`), what must hold (`claim`), which ones (`which`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.model import Line, Quote, Term, Words, clean, joined, line, plain
from rulelang.rulebook.naming import Namer
from rulelang.rulebook.phrasing import (
    are,
    article,
    fill,
    flattened,
    is_name,
    is_verb,
    names_kind,
    possessive,
    word,
)
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence


_SIGNS: Final = {"+": "+", "-": "\u2212", "*": "\u00d7", "/": "\u00f7"}
_COMPARED: Final = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_NOT_COMPARED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_OF_ONE: Final = {
    "count": "the number of {}",
    "sum": "the sum of {}",
    "half": "half of {}, rounded down",
    "first": "the first of {}",
    "last": "the last of {}",
    "only": "the only one of {}",
    "maybe": "the one of {}, if there is one",
    "top": "the top of {}",
    "bottom": "the bottom of {}",
    "subsets": "the choices from {}",
    "clockwise": "all players clockwise from {}",
    "min": "the least of {}",
    "max": "the greatest of {}",
}
_OF_TWO: Final = {
    "top": "the top {1} of {0}",
    "bottom": "the bottom {1} of {0}",
    "position": "the position of {0} in {1}",
    "min": "the lesser of {0} and {1}",
    "max": "the greater of {0} and {1}",
    "neighbours": "the neighbours of {1} (by {0})",
}
_OF_THREE: Final = {
    "distance": "the distance from {1} to {2} (by {0})",
    "within": "the places no further than {2} from {1} (by {0})",
    "nearest": "the nearest of {2} to {1} (by {0})",
}


class Speaker(Namer):
    """Puts the expressions of one declaration into words.

    Args:
        lexicon: What names mean.
        scope: The names that the declaration binds.
    """

    # ------------------------------------------------------------ what is meant

    def noun(self, expr: nodes.Expr) -> Line:
        """Say what an expression means."""
        match expr:
            case nodes.Name(ident=ident):
                return self.name(ident)
            case nodes.KindName(ident=ident):
                tables = self.lexicon.tables
                if ident.text not in tables.type_names and ident.text in tables.words:
                    return line(word(ident.text))
                return line("all ", self.kind(ident.text))
            case nodes.Number(value=value):
                return line(str(value))
            case nodes.Text(value=value):
                return line(Quote(clean(value)))
            case nodes.Its(name=name, args=args):
                return line("its ", self.owned(name, "", args))
            case nodes.Prop(owner=owner, name=name):
                return self._of(owner, name, None)
            case nodes.PropCall(owner=owner, name=name, args=args):
                return self._of(owner, name, args)
            case nodes.Call(name=name, args=args):
                return self._call(name, args)
            case nodes.Group(elements=(only,)):
                inner = self.noun(only)
                simple = isinstance(only, nodes.Name | nodes.Number | nodes.Where | nodes.At)
                return inner if simple else line("(", inner, ")")
            case nodes.Group(elements=elements):
                return joined([self.noun(each) for each in elements], "then")
            case nodes.SetLiteral(elements=()):
                return line("nothing")
            case nodes.SetLiteral(elements=elements):
                return joined([self.noun(each) for each in elements])
            case nodes.RangeExpr(low=low, high=high):
                return line(self.noun(low), " to ", self.noun(high))
            case nodes.Arithmetic(op=op, left=left, right=right):
                return line(self.noun(left), f" {self._sign(expr, op)} ", self.noun(right))
            case nodes.Where() | nodes.At():
                return line("the " if names_kind(expr) else "", self.those(expr))
            case nodes.BestOf(source=source, ordering=ordering):
                return line(self.noun(source), " with ", self.ordering(ordering))
            case nodes.SortedBy(source=source, ordering=ordering):
                return line(
                    self.noun(source), ", in order of ", self.ordering(ordering, article=False)
                )
            case nodes.ErrorExpr():
                return line("\u2026")
            case _:
                return line("whether ", self.claim(expr))

    def _sign(self, expr: nodes.Expr, op: str) -> str:
        if self.lexicon.shape(expr, self.scope) == "set":
            return {"+": "and", "-": "without"}.get(op, _SIGNS[op])
        return _SIGNS[op]

    def owned(self, name: nodes.Ident, owner: str, args: Sequence[nodes.Expr] | None) -> Line:
        """Give the name of a property with what it is asked about."""
        anchor = self.lexicon.property_anchor(name.text, owner)
        said = line(Term(spoken(name.text), anchor)) if anchor else line(spoken(name.text))
        return line(said, " for ", self._all(args)) if args else said

    def _all(self, args: Sequence[nodes.Expr]) -> Line:
        return joined([self.noun(each) for each in args])

    def _of(self, owner: nodes.Expr, name: nodes.Ident, args: Sequence[nodes.Expr] | None) -> Line:
        match owner:
            case nodes.KindName(ident=ident) if name.text in self.lexicon.tables.words and (
                ident.text in self.lexicon.tables.enum_numbers
            ):
                return line(word(name.text))
            case nodes.KindName(ident=ident) if self.thing(name.text):
                return self.thing(name.text)
            case nodes.Name(ident=ident) if ident.text not in self.scope and self.lexicon.is_phase(
                ident.text
            ):
                return line(f"the {spoken(name.text)} of ", self.term(ident.text))
            case nodes.Name(ident=ident):
                whose = line(possessive(self.name(ident)))
                if ident.text == "you":
                    whose = line("your")
                elif ident.text == "it":
                    whose = line("its")
                return line(whose, " ", self.owned(name, ident.text, args))
            case _:
                whom = line(" for ", self._all(args)) if args else ()
                return line("the ", self.owned(name, "", None), " of ", self.noun(owner), whom)

    def _call(self, name: nodes.Ident, args: Sequence[nodes.Expr]) -> Line:
        if name.text in self.lexicon.tables.symbols or name.text in self.scope:
            return line(self.term(name.text), " (", self.arguments(name, args), ")")
        form = {1: _OF_ONE, 2: _OF_TWO, 3: _OF_THREE}.get(len(args), {}).get(name.text)
        if form is not None:
            return fill(form, [self._several(name.text, each) for each in args])
        if name.text in {"min", "max"}:
            which = "least" if name.text == "min" else "greatest"
            return line(f"the {which} of ", self._all(args))
        return line(spoken(name.text), " (", self._all(args), ")")

    def _several(self, function: str, arg: nodes.Expr) -> Line:
        """Say an argument of a built-in; what is counted needs no article."""
        if function == "count" and isinstance(arg, nodes.Where | nodes.At | nodes.KindName):
            return self.those(arg)
        return self.noun(arg)

    # ------------------------------------------------------------ sets

    def those(self, expr: nodes.Expr, number: str = "several") -> Line:
        """Say which things a set holds, so that it can follow "the", "a" or "no"; or what it means."""
        match expr:
            case nodes.KindName(ident=ident):
                return self.kind(ident.text, number)
            case nodes.Group(elements=(only,)):
                return self.those(only, number)
            case nodes.At(things=things, place=place):
                return line(self.those(things, number), self._place(place))
            case nodes.Where(source=source, condition=condition):
                return line(self.those(source, number), " ", self.which(condition, number))
            case _:
                lead = {"one": "one of ", "no": "none of ", "each": "of "}.get(number, "")
                return line(lead, self.noun(expr))

    def _place(self, place: nodes.Expr) -> Line:
        match place:
            case nodes.Name(ident=nodes.Ident(text="none")):
                return line(" lying nowhere")
            case nodes.Name(ident=nodes.Ident(text="box")):
                return line(" in the box")
            case _:
                return line(" at ", self.noun(place))

    def which(self, condition: nodes.Expr, number: str = "several") -> Line:
        """Say of which things a condition about `it` holds, as words behind a noun."""
        be = "are" if number == "several" else "is"
        match condition:
            case nodes.And(left=left, right=right):
                return line(self.which(left, number), " and ", self.which(right, number))
            case nodes.Or(left=left, right=right):
                return line(self.which(left, number), " or ", self.which(right, number))
            case nodes.Group(elements=(nodes.And() | nodes.Or() as only,)):
                return line("(", self.which(only, number), ")")
            case nodes.Group(elements=(only,)):
                return self.which(only, number)
            case nodes.Not(operand=nodes.Its() as its) if self._is_flag(its):
                return self._that_is(its, number, negated=True)
            case nodes.Its() if self._is_flag(condition):
                return self._that_is(condition, number, negated=False)
            case nodes.Is(left=nodes.Its(name=name, args=args), right=right) if is_name(
                right, "none"
            ):
                return line("with no ", self.owned(name, "", args))
            case nodes.IsNot(left=nodes.Its(name=name, args=None), right=right) if is_name(
                right, "none"
            ):
                return line("with ", article(self.owned(name, "", None)))
            case nodes.IsNot(left=nodes.Name(ident=nodes.Ident(text="it")), right=right):
                return line("other than ", self.noun(right))
            case (
                nodes.Is(left=nodes.Its(name=name, args=args))
                | nodes.IsNot(left=nodes.Its(name=name, args=args))
                | nodes.InTest(left=nodes.Its(name=name, args=args))
                | nodes.Compare(left=nodes.Its(name=name, args=args))
            ):
                return line("whose ", self.claim_about(self.owned(name, "", args), condition))
            case (
                nodes.Is(left=nodes.Name(ident=nodes.Ident(text="it")))
                | nodes.InTest(left=nodes.Name(ident=nodes.Ident(text="it")))
                | nodes.Compare(left=nodes.Name(ident=nodes.Ident(text="it")))
            ):
                return self.claim_about(line("that"), condition, be)
            case _:
                return line("where ", self.claim(condition))

    def _that_is(self, its: nodes.Its, number: str, *, negated: bool) -> Line:
        """Say of things that a claim with a name holds for them."""
        if is_verb(its.name.text) and number == "several":
            lead = "of which none " if negated else "of which each "
            return line(lead, self._flag(its, subject=()))
        said = self._flag(its, subject=(), negated=negated)
        if number == "several" and not is_verb(its.name.text):
            said = line(Words(f"are {plain(said[:1]).removeprefix('is ')}"), said[1:])
        return line("that ", said)

    # ------------------------------------------------------------ what must hold

    def claim(self, expr: nodes.Expr) -> Line:
        """Say that a condition holds."""
        match expr:
            case nodes.And():
                return joined(
                    [self._part(each, nodes.Or) for each in flattened(expr, nodes.And)], "and"
                )
            case nodes.Or():
                return joined([self.claim(each) for each in flattened(expr, nodes.Or)], "or")
            case nodes.Not(operand=operand):
                return self.denial(operand)
            case nodes.Group(elements=(only,)):
                inner = self.claim(only)
                return line("(", inner, ")") if isinstance(only, nodes.And | nodes.Or) else inner
            case nodes.Is() | nodes.IsNot():
                return self._is(expr)
            case nodes.Compare(left=left) | nodes.InTest(left=left):
                return self.claim_about(self.noun(left), expr)
            case nodes.Any(source=source):
                return self._there_is(source)
            case nodes.AnyWhere(source=source, condition=condition):
                return line(
                    "there is ", self.those(source, "one"), " ", self.which(condition, "one")
                )
            case nodes.Allowed():
                return self._may(expr, "may")
            case nodes.Name(ident=nodes.Ident(text="yes")):
                return line("always")
            case nodes.Name(ident=nodes.Ident(text="no")):
                return line("never")
            case nodes.Call(name=name, args=(nodes.Name(ident=ident),)) if self._built_in(
                name, "during"
            ):
                return line(self.term(ident.text), " is under way")
            case nodes.Call(name=name, args=(one_set, other)) if self._built_in(name, "overlap"):
                return line(
                    self.noun(one_set), " and ", self.noun(other), " have something in common"
                )
            case nodes.Name() | nodes.Prop() | nodes.PropCall() | nodes.Its() | nodes.Call():
                return self._flag(expr)
            case _:
                return line(self.noun(expr), " holds")

    def _built_in(self, name: nodes.Ident, wanted: str) -> bool:
        return name.text == wanted and wanted not in self.lexicon.tables.symbols

    def _part(self, expr: nodes.Expr, loose: type[nodes.Expr]) -> Line:
        inner = self.claim(expr)
        return line("(", inner, ")") if isinstance(expr, loose) else inner

    def denial(self, expr: nodes.Expr) -> Line:
        """Say that a condition does not hold."""
        match expr:
            case nodes.Group(elements=(only,)):
                return self.denial(only)
            case nodes.Not(operand=operand):
                return self.claim(operand)
            case nodes.Any(source=source):
                return self._there_is(source, no=True)
            case nodes.AnyWhere(source=source, condition=condition):
                return line("there is ", self.those(source, "no"), " ", self.which(condition, "no"))
            case nodes.Allowed():
                return self._may(expr, "may not")
            case nodes.Is(span=span, left=left, right=right):
                return self._is(nodes.IsNot(span, left, right))
            case nodes.IsNot(span=span, left=left, right=right):
                return self._is(nodes.Is(span, left, right))
            case nodes.InTest(span=span, left=left, right=right, negated=negated):
                return self.claim(nodes.InTest(span, left, right, not negated))
            case nodes.Compare(span=span, op=op, left=left, right=right):
                return self.claim(nodes.Compare(span, _NOT_COMPARED[op], left, right))  # type: ignore[arg-type] # the table holds the four signs
            case nodes.Name(ident=nodes.Ident(text="yes" | "no")):
                return line("never" if is_name(expr, "yes") else "always")
            case nodes.Call(name=name, args=(nodes.Name(ident=ident),)) if self._built_in(
                name, "during"
            ):
                return line(self.term(ident.text), " is not under way")
            case nodes.Name() | nodes.Prop() | nodes.PropCall() | nodes.Its():
                return self._flag(expr, negated=True)
            case nodes.Call() if not self._built_in(expr.name, "overlap"):
                return self._flag(expr, negated=True)
            case _:
                return line("it is not so that ", self._part(expr, nodes.Or))

    def claim_about(self, subject: Line, expr: nodes.Expr, be: str = "") -> Line:
        """Say of a subject what a comparison says of its left side."""
        be = be or are(subject)
        match expr:
            case nodes.Compare(op=op, right=right):
                return line(subject, f" {be} {_COMPARED[op]} ", self.noun(right))
            case nodes.InTest(right=right, negated=negated):
                no = " not" if negated else ""
                match right:
                    case nodes.RangeExpr(low=low, high=high):
                        rest = line("from ", self.noun(low), " to ", self.noun(high))
                    case nodes.SetLiteral(elements=elements) if elements:
                        rest = joined([self._right(each, expr.left) for each in elements], "or")
                    case _:
                        rest = line("among ", self.noun(right))
                return line(subject, f" {be}{no} ", rest)
            case nodes.Is(left=left, right=right):
                return line(subject, f" {be} ", self._right(right, left))
            case nodes.IsNot(left=left, right=right):
                return line(subject, f" {be} not ", self._right(right, left))
            case _:
                return line(subject, " holds")

    def _right(self, right: nodes.Expr, left: nodes.Expr) -> Line:
        match right:
            case nodes.KindName(ident=ident):
                return self.kind(ident.text, "one")
            case nodes.Name(ident=ident) if self._is_word_of(left, ident.text):
                return line(word(ident.text))
            case _:
                return self.noun(right)

    def becoming(self, place: nodes.Expr, value: nodes.Expr) -> Line:
        """Say the value that a place is given, whose words are those of the place."""
        return self._right(value, place)

    def _is_word_of(self, left: nodes.Expr, name: str) -> bool:
        """Tell whether a name must be a word, because what it is compared with holds such words."""
        tables = self.lexicon.tables
        if name not in tables.words:
            return False
        if isinstance(left, nodes.Name):
            return self._is_word_for(left.ident, None, name)
        if not isinstance(left, nodes.Prop | nodes.PropCall | nodes.Its):
            return False
        return any(
            field.name == left.name.text
            and field.type.shape == "word"
            and name in tables.enums[field.type.enum].words
            for field in tables.fields
        )

    def _is_word_for(self, param: nodes.Ident, of: nodes.TypeExpr | None, name: str) -> bool:
        """Tell whether a name must be a word, because a parameter or bound name is of its enumeration."""
        tables = self.lexicon.tables
        if isinstance(of, nodes.NamedType):
            known = tables.type_names.get(of.name.text)
        else:
            known = tables.type_by_name(param.text) if of is None else None
        return (
            known is not None and known.shape == "word" and name in tables.enums[known.enum].words
        )

    def arguments(self, name: nodes.Ident, args: Sequence[nodes.Expr]) -> Line:
        """Say what a doing or definition is done with or asked about."""
        symbol = self.lexicon.tables.symbols.get(name.text)
        node = symbol.node if symbol is not None else None
        params: Sequence[nodes.Param] = ()
        if isinstance(node, nodes.DefineDecl):
            params = node.head.params or ()
        elif isinstance(node, nodes.EffectDecl | nodes.PhaseDecl | nodes.MayDecl | nodes.TableDecl):
            params = node.params
        said: list[Line] = []
        for number, arg in enumerate(args):
            param = params[number] if number < len(params) else None
            is_word = (
                param is not None
                and isinstance(arg, nodes.Name)
                and arg.ident.text not in self.scope
                and self._is_word_for(param.name, param.type, arg.ident.text)
            )
            said.append(
                line(word(arg.ident.text))
                if is_word and isinstance(arg, nodes.Name)
                else self.noun(arg)
            )
        return joined(said)

    def _is(self, expr: nodes.Is | nodes.IsNot) -> Line:
        negated = isinstance(expr, nodes.IsNot)
        left, right = expr.left, expr.right
        if is_name(right, "none"):
            return self._missing(left, negated)
        if (is_name(right, "yes") or is_name(right, "no")) and self._is_flag(left):
            holds = is_name(right, "yes") is not negated
            return self.claim(left) if holds else self.denial(left)
        return self.claim_about(self.noun(left), expr)

    def _missing(self, left: nodes.Expr, there: bool) -> Line:
        """Say that a value is none, or that there is one."""
        match left:
            case nodes.Prop(owner=nodes.Name(ident=ident), name=name) if not (
                ident.text not in self.scope and self.lexicon.is_phase(ident.text)
            ):
                have = "have" if ident.text == "you" else "has"
                noun = self.owned(name, ident.text, None)
                return line(
                    self.name(ident), f" {have} ", article(noun) if there else line("no ", noun)
                )
            case nodes.Its(name=name, args=None):
                noun = self.owned(name, "", None)
                return line("it has ", article(noun) if there else line("no ", noun))
            case _:
                said = self.noun(left)
                if plain(said).startswith("the ") and all(isinstance(part, Words) for part in said):
                    noun = line(plain(said).removeprefix("the "))
                    return line("there is ", article(noun) if there else line("no ", noun))
                return line(said, " is something" if there else " is none")

    def _there_is(self, source: nodes.Expr, *, no: bool = False) -> Line:
        match source:
            case nodes.Prop(owner=nodes.Name(ident=ident), name=name) if not (
                ident.text not in self.scope and self.lexicon.is_phase(ident.text)
            ):
                have = "have" if ident.text == "you" else "has"
                return line(
                    self.name(ident),
                    f" {have} {'no' if no else 'some'} ",
                    self.owned(name, ident.text, None),
                )
            case nodes.Its(name=name, args=None):
                return line(f"it has {'no' if no else 'some'} ", self.owned(name, "", None))
            case nodes.Group(elements=(only,)):
                return self._there_is(only, no=no)
            case nodes.KindName() | nodes.Where() | nodes.At():
                return line("there is ", self.those(source, "no" if no else "one"))
            case _:
                return line(
                    "there is " + ("nothing" if no else "something") + " in ", self.noun(source)
                )

    def _may(self, expr: nodes.Allowed, may: str) -> Line:
        who, *rest = expr.args or (None,)
        said = line(self.term(expr.name.text))
        with_rest = line(said, " (", self._all(rest), ")") if rest else said
        return line(self.noun(who) if who is not None else "somebody", f" {may} ", with_rest)

    # ------------------------------------------------------------ claims with a name

    def _is_flag(self, expr: nodes.Expr) -> bool:
        return self.lexicon.shape(expr, self.scope) == "flag"

    def _flag(
        self, expr: nodes.Expr, *, subject: Line | None = None, negated: bool = False
    ) -> Line:
        """Say that a claim with a name holds: "the port is open", "it adjoins the sea", "peace holds"."""
        match expr:
            case nodes.Its(name=name, args=args):
                return self._predicate(
                    line("it") if subject is None else subject, name, "", args, negated=negated
                )
            case nodes.Prop(owner=nodes.Name(ident=ident), name=name) if (
                ident.text not in self.scope and self.lexicon.is_phase(ident.text)
            ):
                no = "does not hold" if negated else "holds"
                return line(f"\u201c{spoken(name.text)}\u201d {no} in ", self.term(ident.text))
            case nodes.Prop(owner=owner, name=name):
                hint = owner.ident.text if isinstance(owner, nodes.Name) else ""
                return self._predicate(self.noun(owner), name, hint, None, negated=negated)
            case nodes.PropCall(owner=owner, name=name, args=args):
                hint = owner.ident.text if isinstance(owner, nodes.Name) else ""
                return self._predicate(self.noun(owner), name, hint, args, negated=negated)
            case nodes.Call(name=name, args=args):
                no = " does not hold for " if negated else " holds for "
                return line(self.term(name.text), no, self.arguments(name, args))
            case nodes.Name(ident=ident):
                no = " does not hold" if negated else " holds"
                named = (
                    self.term(ident.text)
                    if ident.text in self.lexicon.tables.symbols and ident.text not in self.scope
                    else line(f"\u201c{spoken(ident.text)}\u201d")
                )
                return line(named, no)
            case _:
                return line(self.noun(expr), " does not hold" if negated else " holds")

    def _predicate(
        self,
        subject: Line,
        name: nodes.Ident,
        owner: str,
        args: Sequence[nodes.Expr] | None,
        *,
        negated: bool,
    ) -> Line:
        anchor = self.lexicon.property_anchor(name.text, owner)
        text = spoken(name.text.removeprefix("is_"))
        said = line(Term(text, anchor)) if anchor else line(text)
        rest = line(" ", self._all(args)) if args else ()
        gap = " " if subject else ""
        if is_verb(name.text):
            no = "does not: " if negated else ""
            return line(subject, f"{gap}{no}", said, rest)
        be = are(subject)
        return line(subject, f"{gap}{be} {'not ' if negated else ''}", said, rest)

    # ------------------------------------------------------------ orderings

    def ordering(self, of: nodes.Ordering, *, article: bool = True) -> Line:
        """Say what is best: "the highest worth, then the lowest size"."""
        return joined([self._key(key, article=article) for key in of.keys], "then")

    def _key(self, key: nodes.SortKey, *, article: bool) -> Line:
        if key.order is None:
            return line(
                {"random": "chance", "all": "all of them"}.get(key.name.text, spoken(key.name.text))
            )
        if key.name.text == "it":
            named = line("value")
        elif key.name.text in self.lexicon.tables.symbols:
            named = self.term(key.name.text)
            named = line(named, " for ", self._all(key.args)) if key.args else named
        else:
            named = self.owned(key.name, "", key.args)
        return line("the " if article else "", f"{key.order} ", named)
