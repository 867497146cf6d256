"""Nodes from productions: what the parser makes of each piece of the grammar as it recognises it.

`Builder.build` is called with the name of a production and its children, innermost first; an
optional part that is absent is None. Names here are those of `grammar.lark`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import attrs

from rulelang import nodes
from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rulelang.lexer import Token

Children = list[Any]
_RANGE: Final = re.compile(r"(.*?)([0-9]+)\.\.([0-9]+)$")
_WITH_VALUE: Final = frozenset(("NAME", "TYPE", "OP", "NUMBER", "STRING", "CITE"))
MAX_CITED: Final = 1_000


def citations(span: Span, text: str) -> tuple[nodes.Citation, ...]:
    """Give the ids of `[A-1, B-16..18]`, ranges written out, each with its own place."""
    found: list[nodes.Citation] = []
    at = span.start + 1
    for part in text[1:-1].split(","):
        written = part.strip()
        start = at + len(part) - len(part.lstrip())
        place = Span(span.file, start, start + len(written))
        at += len(part) + 1
        if ranged := _RANGE.match(written):
            stem, first, last = ranged[1], ranged[2], ranged[3]
            # The last number may leave out leading figures that it shares: 16..18, but also 016..18.
            low, high = int(first), min(int(last), int(first) + MAX_CITED)
            found.extend(
                nodes.Citation(place, f"{stem}{n:0{len(first)}d}") for n in range(low, high + 1)
            )
        else:
            found.append(nodes.Citation(place, written))
    return tuple(found)


def _only(kind: type | tuple[type, ...], children: Children) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


class Builder:
    """Makes the nodes of one file.

    Args:
        source: The text.
        docs: Text of the `##` comments above a declaration, by the offset of its first token.
    """

    def __init__(self, source: SourceFile, docs: Mapping[int, str]) -> None:
        self._source = source
        self._docs = docs
        self._methods: dict[str, Callable[[Span, Children], Any]] = {
            name[3:]: getattr(self, name) for name in dir(self) if name.startswith("on_")
        }

    def token(self, token: Token) -> Any:
        """Make the value of a token that the grammar keeps."""
        kind = token.type
        if kind not in _WITH_VALUE:
            return token
        span = Span(self._source, token.start, token.end)
        if kind == "NUMBER":
            return nodes.Number(span, int(token.text))
        if kind == "STRING":
            return nodes.Text(span, token.text[1:-1])
        if kind == "CITE":
            return citations(span, token.text)
        return nodes.Ident(span, token.text)

    def build(self, name: str, start: int, end: int, children: Children) -> Any:
        """Make the value of a production."""
        return self._methods[name](Span(self._source, start, end), children)

    def _doc(self, span: Span) -> str:
        return self._docs.get(span.start, "")

    def _decl(self, span: Span, cited: tuple[nodes.Citation, ...] | None) -> dict[str, Any]:
        return {"doc": self._doc(span), "citations": cited or ()}

    # -------------------------------------------------------------- files and declarations

    def on_start(self, _span: Span, c: Children) -> Any:
        return c[0]

    def on_error_line(self, span: Span, _c: Children) -> Any:
        return nodes.ErrorDecl(span, "", None, ())

    def on_game(self, span: Span, c: Children) -> Any:
        name, title, *settings = c
        return nodes.GameDecl(
            span, name, title, _only(nodes.Setting, settings), doc=self._doc(span)
        )

    def on_setting(self, span: Span, c: Children) -> Any:
        return nodes.Setting(span, c[0], tuple(c[1:]))

    def on_assign(self, span: Span, c: Children) -> Any:
        first, second, value = c
        return nodes.Assign(span, first if second else None, second or first, value)

    def on_variant(self, span: Span, c: Children) -> Any:
        name, title, base, written_for, *rest = c
        items: tuple[Any, ...] = _only(nodes.Decl, rest)
        return nodes.VariantDecl(
            span,
            name,
            title,
            base,
            written_for,
            _only(nodes.Qualifier, rest),
            items,
            **self._decl(span, _cited(rest)),
        )

    def on_needs(self, span: Span, c: Children) -> Any:
        return nodes.Qualifier(span, "with", c[0])

    def on_excludes(self, span: Span, c: Children) -> Any:
        return nodes.Qualifier(span, "not with", c[0])

    def on_wins_over(self, span: Span, c: Children) -> Any:
        return nodes.Qualifier(span, "after", c[0])

    def on_preset(self, span: Span, c: Children) -> Any:
        title, base, cited, *rest = c
        return nodes.PresetDecl(
            span,
            title,
            base,
            _only(nodes.Ident, rest),
            _only(nodes.Assign, rest),
            **self._decl(span, cited),
        )

    def on_option(self, span: Span, c: Children) -> Any:
        name, kind, default, label, cited = c
        return nodes.OptionDecl(span, name, kind, default, label, **self._decl(span, cited))

    def on_enumeration(self, span: Span, c: Children) -> Any:
        return nodes.EnumDecl(span, c[0], _only(nodes.Word, c), **self._decl(span, c[-1]))

    def on_word(self, span: Span, c: Children) -> Any:
        first = c[0]
        if isinstance(first, nodes.Ident):
            return nodes.Word(span, first, None, None)
        return nodes.Word(span, None, first.value, c[-1].value)

    def on_component(self, span: Span, c: Children) -> Any:
        return self._component(nodes.ComponentDecl, span, c)

    def _component(
        self, of: type[nodes.ComponentDecl | nodes.ChangeComponentDecl], span: Span, c: Children
    ) -> Any:
        kind, amount, *rest = c
        return of(
            span,
            kind,
            amount,
            _only(nodes.Text, rest),
            _only(nodes.FieldDecl, rest),
            **self._decl(span, _cited(rest)),
        )

    def on_amount(self, span: Span, c: Children) -> Any:
        if len(c) == 1:
            return nodes.AmountFixed(span, c[0].value)
        return nodes.AmountPer(span, c[0], c[1])

    def on_copies(self, span: Span, c: Children) -> Any:
        return nodes.AmountColumn(span, c[0])

    def on_field(self, span: Span, c: Children) -> Any:
        at = next(i for i, child in enumerate(c) if not isinstance(child, nodes.Ident))
        rest = c[at + 1 :]
        return nodes.FieldDecl(
            span,
            tuple(c[:at]),
            c[at],
            _only((nodes.Ident, nodes.Text), rest),
            next(iter(_only(nodes.Initial, rest)), None),
            _only(nodes.Flag, rest),
            **self._decl(span, c[-1]),
        )

    def on_column(self, _span: Span, c: Children) -> Any:
        return c[0]

    def on_initial(self, span: Span, c: Children) -> Any:
        return nodes.Initial(span, c[0], each=False)

    def on_one_per_copy(self, span: Span, c: Children) -> Any:
        return nodes.Initial(span, c[0], each=True)

    def on_flag(self, span: Span, c: Children) -> Any:
        return nodes.Flag(span, c[0], c[1])

    # -------------------------------------------------------------- types and parameters

    def on_type(self, _span: Span, c: Children) -> Any:
        return c[0]

    def on_keyed_type(self, span: Span, c: Children) -> Any:
        return nodes.KeyedType(span, c[0], c[1])

    def on_collection(self, span: Span, c: Children) -> Any:
        return nodes.CollectionType(span, c[0], c[1])

    def on_union(self, span: Span, c: Children) -> Any:
        return c[0] if len(c) == 1 else nodes.UnionType(span, tuple(c))

    def on_type_atom(self, span: Span, c: Children) -> Any:
        return nodes.NamedType(span, c[0])

    def on_range_type(self, span: Span, c: Children) -> Any:
        return nodes.RangeType(span, c[0].value, c[1].value if c[1] else None)

    def on_params(self, _span: Span, c: Children) -> Any:
        return tuple(c)

    def on_param(self, span: Span, c: Children) -> Any:
        return nodes.Param(span, c[0], c[1], c[2])

    # -------------------------------------------------------------- definitions, permissions, tables

    def on_define(self, span: Span, c: Children) -> Any:
        head, value, cited, *rest = c
        return nodes.DefineDecl(
            span, head, value, _only(nodes.ExceptionClause, rest), **self._decl(span, cited)
        )

    def on_exception(self, span: Span, c: Children) -> Any:
        name, change, condition, after, cited = c
        return nodes.ExceptionClause(
            span, name, change, condition, after, **self._decl(span, cited)
        )

    def on_more(self, span: Span, c: Children) -> Any:
        return nodes.Change(span, "+", c[0])

    def on_less(self, span: Span, c: Children) -> Any:
        return nodes.Change(span, "-", c[0])

    def on_instead_value(self, span: Span, c: Children) -> Any:
        return nodes.Change(span, "=", c[0])

    def on_head(self, span: Span, c: Children) -> Any:
        return nodes.Head(span, None, c[0], c[1])

    def on_property_head(self, span: Span, c: Children) -> Any:
        return nodes.Head(span, c[0], c[1], c[2])

    def on_may_decl(self, span: Span, c: Children) -> Any:
        name, params, cited, *rest = c
        return nodes.MayDecl(
            span,
            name,
            params,
            _only(nodes.Need, rest),
            next(iter(_only(nodes.Utility, rest)), None),
            next(iter(_only(nodes.Body, rest)), None),
            **self._decl(span, cited),
        )

    def on_need(self, span: Span, c: Children) -> Any:
        name, condition, text, cited = c
        return nodes.Need(span, name, condition, text, **self._decl(span, cited))

    def on_utility(self, span: Span, c: Children) -> Any:
        return nodes.Utility(span, c[0])

    def on_table(self, span: Span, c: Children) -> Any:
        name, params, cited, *rows = c
        return nodes.TableDecl(
            span, name, params, _only(nodes.Row, rows), **self._decl(span, cited)
        )

    def on_row(self, span: Span, c: Children) -> Any:
        *keys, cited, value = c
        if isinstance(value, nodes.Body):
            return nodes.Row(span, tuple(keys), None, value, **self._decl(span, cited))
        return nodes.Row(span, tuple(keys), value, None, **self._decl(span, cited))

    def on_row_key(self, span: Span, c: Children) -> Any:
        return nodes.RowKey(span, tuple(c), not c)

    # -------------------------------------------------------------- doings

    def on_effect(self, span: Span, c: Children) -> Any:
        name, params, result, cited, body = c
        return nodes.EffectDecl(span, name, params or (), result, body, **self._decl(span, cited))

    def on_phase(self, span: Span, c: Children) -> Any:
        name, params, result, cited, *rest = c
        keeps = _only(nodes.KeepsDecl, rest)
        lines = _only(nodes.Stmt, rest)
        block = Span(span.file, rest[0].span.start, rest[-1].span.end)
        return nodes.PhaseDecl(
            span,
            name,
            params or (),
            result,
            keeps,
            nodes.Body(block, lines),
            **self._decl(span, cited),
        )

    def on_keeps(self, span: Span, c: Children) -> Any:
        owner, name, kind, initial, *rest = c
        until, cited = rest[-2:]
        flags = _only(nodes.Flag, rest)
        return nodes.KeepsDecl(
            span, owner, name, kind, initial, flags, until, **self._decl(span, cited)
        )

    def on_body(self, span: Span, c: Children) -> Any:
        return nodes.Body(span, tuple(c))

    def on_error_st(self, span: Span, c: Children) -> Any:
        bodies = [child.body if isinstance(child, nodes.Branch) else child for child in c[1:]]
        return nodes.ErrorStmt(span, _only(nodes.Body, bodies))

    def on_step(self, span: Span, c: Children) -> Any:
        return nodes.StepStmt(span, c[0], c[2], self._doc(span), citations=c[1] or ())

    def on_if_st(self, span: Span, c: Children) -> Any:
        condition, cited, body, *more, otherwise = c
        first = nodes.Branch(
            Span(span.file, span.start, body.span.end), condition, body, citations=cited or ()
        )
        return nodes.IfStmt(span, (first, *more), otherwise)

    def on_elif(self, span: Span, c: Children) -> Any:
        return nodes.Branch(span, c[0], c[2], citations=c[1] or ())

    def on_each_st(self, span: Span, c: Children) -> Any:
        name, second, source, cited, body = c
        return nodes.EachStmt(span, name, second, source, body, citations=cited or ())

    def on_while_st(self, span: Span, c: Children) -> Any:
        return nodes.WhileStmt(span, c[0], c[2], citations=c[1] or ())

    def on_secret_st(self, span: Span, c: Children) -> Any:
        name, source, *choices, cited, body = c
        return nodes.SecretlyStmt(span, name, source, tuple(choices), body, citations=cited or ())

    def on_may_st(self, span: Span, c: Children) -> Any:
        who, text, condition, policy, cited, body, otherwise = c
        return nodes.MayStmt(
            span, who, text, condition, policy, body, otherwise, citations=cited or ()
        )

    def on_options_st(self, span: Span, c: Children) -> Any:
        who, _, text, cited, *rest = c
        return nodes.OptionsStmt(
            span, who, text, _only(nodes.Alternative, rest), citations=cited or ()
        )

    def on_alternative(self, span: Span, c: Children) -> Any:
        label, condition, policy, cited, body = c
        return nodes.Alternative(span, label, condition, policy, body, citations=cited or ())

    def on_lasting_st(self, span: Span, c: Children) -> Any:
        rules = tuple(x for x in c[1:] if not isinstance(x, nodes.ErrorDecl))
        return nodes.LastingStmt(span, c[0], rules)

    def on_simple(self, span: Span, c: Children) -> Any:
        act, cited = c
        return attrs.evolve(act, span=span, citations=cited) if cited else act

    def on_gain(self, span: Span, c: Children) -> Any:
        who, _, up_to, amount, field, source, until = c
        return nodes.GainStmt(span, who, bool(up_to), amount, field, source, until)

    def on_lose(self, span: Span, c: Children) -> Any:
        who, _, up_to, amount, field, target, until = c
        return nodes.LoseStmt(span, who, bool(up_to), amount, field, target, until)

    def on_up_to(self, _span: Span, _c: Children) -> Any:
        return True

    def on_become(self, span: Span, c: Children) -> Any:
        return nodes.BecomeStmt(span, c[0], c[1], c[2])

    def on_move(self, span: Span, c: Children) -> Any:
        return nodes.MoveStmt(span, c[0], c[1])

    def on_do(self, span: Span, c: Children) -> Any:
        return nodes.DoStmt(span, c[0], c[1] or ())

    def on_let(self, span: Span, c: Children) -> Any:
        return nodes.LetStmt(span, c[0], c[1])

    def on_roll(self, span: Span, c: Children) -> Any:
        return nodes.Roll(span, c[0], c[1], c[2])

    def on_pick(self, span: Span, c: Children) -> Any:
        return nodes.Pick(span, c[0], c[1])

    def on_choose(self, span: Span, c: Children) -> Any:
        return nodes.ChooseStmt(span, c[0], c[1], c[2])

    def on_choice(self, span: Span, c: Children) -> Any:
        _, count, name, source, condition, text, policy, wanted = c
        return nodes.Choice(span, count, name, source, condition, text, policy, wanted)

    def on_count(self, span: Span, c: Children) -> Any:
        return nodes.CountExact(span, c[0]) if len(c) == 1 else nodes.CountRange(span, c[0], c[1])

    def on_at_least(self, span: Span, c: Children) -> Any:
        return nodes.CountAtLeast(span, c[0])

    def on_any_number(self, span: Span, _c: Children) -> Any:
        return nodes.CountAny(span)

    def on_take_action(self, span: Span, c: Children) -> Any:
        who, *actions, otherwise = c
        return nodes.TakeActionStmt(span, who, tuple(actions), otherwise)

    def on_end(self, span: Span, c: Children) -> Any:
        return nodes.EndStmt(span, c[0], c[1])

    def on_until(self, span: Span, c: Children) -> Any:
        return nodes.Until(span, tuple(c))

    def on_limit(self, span: Span, c: Children) -> Any:
        return nodes.Limit(span, True, c[0], c[1])

    def on_next_start(self, span: Span, c: Children) -> Any:
        return nodes.Limit(span, False, c[0], c[1])

    # -------------------------------------------------------------- rules about doings

    def on_hook(self, span: Span, c: Children) -> Any:
        timing, event, condition, once, ask, cited, body = c
        return nodes.HookDecl(
            span, timing, event, condition, bool(once), ask, body, **self._decl(span, cited)
        )

    def on_once(self, _span: Span, _c: Children) -> Any:
        return True

    def on_ask(self, span: Span, c: Children) -> Any:
        return nodes.Ask(span, c[0], c[1], c[2])

    def on_before(self, _span: Span, _c: Children) -> Any:
        return "before"

    def on_after(self, _span: Span, _c: Children) -> Any:
        return "after"

    def on_instead(self, _span: Span, _c: Children) -> Any:
        return "instead"

    def on_named_event(self, span: Span, c: Children) -> Any:
        *path, args, result = c
        return nodes.NamedEvent(span, tuple(path), args, result)

    def on_gain_event(self, span: Span, c: Children) -> Any:
        who, _, amount, field, source = c
        return nodes.GainEvent(span, who, amount, field, source)

    def on_lose_event(self, span: Span, c: Children) -> Any:
        who, _, amount, field, target = c
        return nodes.LoseEvent(span, who, amount, field, target)

    def on_move_event(self, span: Span, c: Children) -> Any:
        return nodes.MoveEvent(span, c[0], c[1])

    def on_roll_event(self, span: Span, c: Children) -> Any:
        return nodes.RollEvent(span, c[0], c[1], c[2])

    def on_state_rule(self, span: Span, c: Children) -> Any:
        return nodes.StateRuleDecl(span, c[0], c[2], **self._decl(span, c[1]))

    def on_named_rule(self, span: Span, c: Children) -> Any:
        return nodes.NamedRuleDecl(
            span, c[0].name, c[1], doc=self._doc(span), citations=c[1].citations
        )

    def on_clause(self, span: Span, c: Children) -> Any:
        head, change, reason, condition, after, cited = c
        return nodes.ClauseDecl(
            span, head, change, reason, condition, after, **self._decl(span, cited)
        )

    def on_drop(self, span: Span, c: Children) -> Any:
        *path, condition, cited = c
        return nodes.DropDecl(
            span,
            _only(nodes.Ident, path),
            next(iter(_only(nodes.Text, path)), None),
            condition,
            **self._decl(span, cited),
        )

    def on_change_option(self, span: Span, c: Children) -> Any:
        return nodes.ChangeOptionDecl(span, c[0], c[1], **self._decl(span, c[2]))

    def on_change_game(self, span: Span, c: Children) -> Any:
        return nodes.ChangeGameDecl(span, _only(nodes.Setting, c), doc=self._doc(span))

    def on_change_component(self, span: Span, c: Children) -> Any:
        return self._component(nodes.ChangeComponentDecl, span, c)

    def on_change_words(self, span: Span, c: Children) -> Any:
        return nodes.ChangeWordsDecl(span, c[0], _only(nodes.Word, c), **self._decl(span, c[-1]))

    def on_change_table(self, span: Span, c: Children) -> Any:
        return nodes.ChangeTableDecl(span, c[0], _only(nodes.Row, c), **self._decl(span, c[1]))

    def on_card(self, span: Span, c: Children) -> Any:
        kind, name, cited, *rest = c
        items = tuple(x for x in rest if not isinstance(x, nodes.ErrorDecl))
        return nodes.CardDecl(span, kind, name, items, **self._decl(span, cited))

    # -------------------------------------------------------------- promises and examples

    def on_always(self, span: Span, c: Children) -> Any:
        return nodes.AlwaysDecl(span, c[0], c[1], **self._decl(span, c[2]))

    def on_scenario(self, span: Span, c: Children) -> Any:
        title, base, *rest = c
        return nodes.ScenarioDecl(
            span,
            title,
            base,
            _only(nodes.Qualifier, rest),
            next(iter(_only(nodes.Text, rest)), None),
            _only(nodes.Setting, rest),
            _only(nodes.Assign, rest),
            next(iter(_only(nodes.Body, rest)), None),
            _only(nodes.Trial, rest),
            **self._decl(span, _cited(rest)),
        )

    def on_sequel(self, _span: Span, c: Children) -> Any:
        return c[0]

    def on_trial(self, span: Span, c: Children) -> Any:
        return nodes.Trial(span, _only(nodes.Played, c), _only(nodes.Check, c))

    def on_check(self, span: Span, c: Children) -> Any:
        return nodes.Check(span, c[0], citations=c[1] or ())

    def on_played(self, span: Span, c: Children) -> Any:
        name, step, args, *script = c
        lines = _only((nodes.ScriptRoll, nodes.ScriptPick, nodes.ScriptChoice), script)
        return nodes.Played(span, name, step, args or (), lines)

    def on_script_roll(self, span: Span, c: Children) -> Any:
        return nodes.ScriptRoll(span, c[0])

    def on_script_pick(self, span: Span, c: Children) -> Any:
        return nodes.ScriptPick(span, c[0])

    def on_script_choice(self, span: Span, c: Children) -> Any:
        who, _, first, second = c
        return _script_choice(span, who, first, second, refused=False)

    def on_script_refused(self, span: Span, c: Children) -> Any:
        who, first, second = c
        return _script_choice(span, who, first, second, refused=True)

    def on_answers(self, _span: Span, c: Children) -> Any:
        return tuple(c)

    # -------------------------------------------------------------- expressions

    def on_range(self, span: Span, c: Children) -> Any:
        return nodes.RangeExpr(span, c[0], c[1])

    def on_best_of(self, span: Span, c: Children) -> Any:
        return nodes.BestOf(span, c[0], c[1])

    def on_sorted(self, span: Span, c: Children) -> Any:
        return nodes.SortedBy(span, c[0], c[1])

    def on_or_(self, span: Span, c: Children) -> Any:
        return nodes.Or(span, c[0], c[1])

    def on_and_(self, span: Span, c: Children) -> Any:
        return nodes.And(span, c[0], c[1])

    def on_not_(self, span: Span, c: Children) -> Any:
        return nodes.Not(span, c[0])

    def on_where(self, span: Span, c: Children) -> Any:
        return nodes.Where(span, c[0], c[1])

    def on_any_where(self, span: Span, c: Children) -> Any:
        return nodes.AnyWhere(span, c[0], c[1])

    def on_cmp(self, span: Span, c: Children) -> Any:
        return nodes.Compare(span, c[1].text, c[0], c[2])

    def on_is_(self, span: Span, c: Children) -> Any:
        return nodes.Is(span, c[0], c[1])

    def on_is_not(self, span: Span, c: Children) -> Any:
        return nodes.IsNot(span, c[0], c[1])

    def on_in_(self, span: Span, c: Children) -> Any:
        return nodes.InTest(span, c[0], c[1], negated=False)

    def on_not_in(self, span: Span, c: Children) -> Any:
        return nodes.InTest(span, c[0], c[1], negated=True)

    def on_any_(self, span: Span, c: Children) -> Any:
        return nodes.Any(span, c[0])

    def on_plus(self, span: Span, c: Children) -> Any:
        return nodes.Arithmetic(span, "+", c[0], c[1])

    def on_minus(self, span: Span, c: Children) -> Any:
        return nodes.Arithmetic(span, "-", c[0], c[1])

    def on_times(self, span: Span, c: Children) -> Any:
        return nodes.Arithmetic(span, "*", c[0], c[1])

    def on_divided(self, span: Span, c: Children) -> Any:
        return nodes.Arithmetic(span, "/", c[0], c[1])

    def on_at(self, span: Span, c: Children) -> Any:
        return nodes.At(span, c[0], c[1])

    def on_ordering(self, span: Span, c: Children) -> Any:
        return nodes.Ordering(span, tuple(c))

    def on_highest(self, span: Span, c: Children) -> Any:
        return nodes.SortKey(span, "highest", *c[0])

    def on_lowest(self, span: Span, c: Children) -> Any:
        return nodes.SortKey(span, "lowest", *c[0])

    def on_named_order(self, span: Span, c: Children) -> Any:
        return nodes.SortKey(span, None, c[0], None)

    def on_key(self, _span: Span, c: Children) -> Any:
        return c[0], c[1]

    def on_prop(self, span: Span, c: Children) -> Any:
        return nodes.Prop(span, c[0], c[1])

    def on_prop_call(self, span: Span, c: Children) -> Any:
        return nodes.PropCall(span, c[0], c[1], c[2])

    def on_name(self, span: Span, c: Children) -> Any:
        return nodes.Name(span, c[0])

    def on_call(self, span: Span, c: Children) -> Any:
        return nodes.Call(span, c[0], c[1])

    def on_kind(self, span: Span, c: Children) -> Any:
        return nodes.KindName(span, c[0])

    def on_number(self, _span: Span, c: Children) -> Any:
        return c[0]

    def on_its(self, span: Span, c: Children) -> Any:
        return nodes.Its(span, c[0], c[1])

    def on_allowed(self, span: Span, c: Children) -> Any:
        return nodes.Allowed(span, c[0], c[1])

    def on_group(self, span: Span, c: Children) -> Any:
        return nodes.Group(span, tuple(c))

    def on_set_literal(self, span: Span, c: Children) -> Any:
        return nodes.SetLiteral(span, c[0] or ())

    def on_error_expr(self, span: Span, _c: Children) -> Any:
        return nodes.ErrorExpr(span)

    def on_args(self, _span: Span, c: Children) -> Any:
        return tuple(c)


def _cited(children: Children) -> tuple[nodes.Citation, ...] | None:
    """Give the citations among children of several kinds."""
    return next((child for child in children if isinstance(child, tuple)), None)


def _script_choice(
    span: Span,
    who: nodes.Expr,
    first: tuple[nodes.Expr, ...],
    second: tuple[nodes.Expr, ...] | None,
    *,
    refused: bool,
) -> nodes.ScriptChoice:
    if second is None:
        return nodes.ScriptChoice(span, who, refused, None, first)
    return nodes.ScriptChoice(span, who, refused, first[0], second)
