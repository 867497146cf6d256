"""Every name in a declaration, with what it stands for.

The checker knows the types of expressions (`View.types`); a name after a dot and a word are told by these. Everything
else follows from where a name stands: the language has one meaning for a name that stands alone. Where nothing is known
(the text does not check) a name stands for everything that it could.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes, ruletypes
from rulelang.lowering.names import RESERVED
from rulelang.server.names import Key, constants
from rulelang.server.naming import Env, Naming, Occurrence, Role
from rulelang.variants.touching import property_target
from rulelang.words import doings, functions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.server.views import View

_HOLE: Final = re.compile(r"\{([a-z][a-z0-9_]*)((?:\.[a-z][a-z0-9_]*)*)\}")
_FIXED: Final = frozenset(("you", "this"))
_PLAYER: Final = ruletypes.thing(0)
_SEATS: Final = ("people", "automas")


def occurrences(item: nodes.Node, view: View) -> list[Occurrence]:
    """Give every name in a declaration, in the order of the text, with what it stands for."""
    resolver = _Resolver(view, item)
    resolver.visit(item, Env({}))
    return sorted(resolver.found, key=lambda each: (each.span.start, each.span.end))


class _Resolver(Naming):
    # ------------------------------------------------------------------ the walk

    def all(self, these: Iterable[nodes.Node | None], env: Env) -> None:
        for each in these:
            if each is not None:
                self.visit(each, env)

    def visit(self, node: nodes.Node, env: Env) -> None:
        if isinstance(node, nodes.Cited):
            for citation in node.citations:
                self.note(citation, ("rule", citation.id))
        if isinstance(node, nodes.Decl | nodes.Stmt):
            self.statement(node, env)
        else:
            self.expression(node, env)

    def expression(self, node: nodes.Node, env: Env) -> None:
        match node:
            case nodes.Name(ident=ident):
                self.name(ident, env, self.types.get(node))
            case nodes.KindName(ident=ident):
                self.type_name(ident)
            case nodes.Text():
                self.text(node, env)
            case nodes.Call(name=name, args=args):
                if name.text in env.bound or name.text not in functions():
                    self.name(name, env, None)
                self.all(args, env)
            case nodes.Allowed(name=name, args=args):
                self.doing(name)
                self.all(args, env)
            case nodes.Its(name=name, args=args):
                self.member(name, None)
                self.all(args or (), env)
            case nodes.SortKey(name=name, args=args):
                symbol = self.tables.symbols.get(name.text)
                if symbol is not None and symbol.form in ("definition", "table"):
                    self.doing(name)
                elif node.order is not None and name.text not in RESERVED:
                    self.member(name, None)
                self.all(args or (), env)
            case nodes.Prop(owner=owner, name=name):
                self.property(owner, name, env)
            case nodes.PropCall(owner=owner, name=name, args=args):
                self.property(owner, name, env)
                self.all(args, env)
            case nodes.AnyWhere() | nodes.Where():
                self.all((node.source, node.condition), env)
            case nodes.NamedType(name=name):
                self.type_name(name)
            case nodes.KeyedType(value=value, key=key):
                self.visit(value, env)
                self.type_name(key)
            case nodes.CollectionType(element=element):
                self.visit(element, env)
            case nodes.AmountPer(count=count, each=each):
                self.visit(count, env)
                self.type_name(each)
            case nodes.Roll(count=count, enum=enum, by=by):
                self.all((count,), env)
                self.type_name(enum)
                self.all((by,), env)
            case nodes.Limit(name=name, args=args):
                self.end(name, env)
                self.all(args or (), env)
            case nodes.Choice(source=source, name=name):
                self.all((node.count, source), env)
                self.bind(name, env)
                self.all((node.condition, node.text, node.policy), env)
            case nodes.Body(statements=statements):
                inner = env.child()
                self.all(statements, inner)
            case nodes.Setting() | nodes.Flag() | nodes.Ident() | nodes.Comment():
                pass
            case nodes.Played() | nodes.Trial() | nodes.ScriptChoice() | nodes.Assign():
                self.example(node, env)
            case _:
                self.all(nodes.children(node), env)

    def text(self, node: nodes.Text, env: Env) -> None:
        """Note the names in the braces of a text."""
        start = node.span.start + 1
        for hole in _HOLE.finditer(node.value):
            at = start + hole.start(1)
            first = nodes.Ident(node.span.file.span(at, at + len(hole[1])), hole[1])
            self.name(first, env, None)
            owner: nodes.Node = nodes.Name(first.span, first)
            at += len(hole[1])
            for part in hole[2].split(".")[1:]:
                ident = nodes.Ident(node.span.file.span(at + 1, at + 1 + len(part)), part)
                at += 1 + len(part)
                if part != "name":
                    self.property_of(owner, ident, env)
                owner = nodes.Prop(ident.span, owner, ident)  # type: ignore[arg-type]

    def property(self, owner: nodes.Expr, name: nodes.Ident, env: Env, role: Role = "uses") -> None:
        self.visit(owner, env)
        self.property_of(owner, name, env, role)

    def statement(self, node: nodes.Node, env: Env) -> None:
        match node:
            case nodes.GainStmt(who=who, field=field) | nodes.LoseStmt(who=who, field=field):
                self.visit(who, env)
                self.visit(node.amount, env)
                self.member(field, self.type_of(who, env), "changes")
                other = node.source if isinstance(node, nodes.GainStmt) else node.target
                self.all((other, node.until), env)
            case nodes.BecomeStmt(place=place):
                match place:
                    case nodes.Name(ident=ident):
                        self.name(ident, env, None, "changes")
                    case nodes.Prop(owner=owner, name=name):
                        self.property(owner, name, env, "changes")
                    case nodes.PropCall(owner=owner, name=name, args=args):
                        self.property(owner, name, env, "changes")
                        self.all(args, env)
                    case _:
                        self.visit(place, env)
                self.all((node.value, node.until), env)
            case nodes.DoStmt(name=name, args=args):
                if name.text not in doings() or name.text in self.tables.symbols:
                    self.doing(name)
                self.all(args, env)
            case nodes.TakeActionStmt(who=who, actions=actions):
                self.visit(who, env)
                for action in actions:
                    self.doing(action)
                self.all((node.otherwise,), env)
            case nodes.EndStmt(name=name, value=value):
                self.end(name, env)
                self.all((value,), env)
            case nodes.LetStmt(name=name, value=value):
                if isinstance(value, nodes.Call) and value.name.text in self.tables.symbols:
                    self.doing(value.name)
                    self.all(value.args, env)
                else:
                    self.visit(value, env)
                self.bind(name, env)
            case nodes.ChooseStmt(who=who, choice=choice, otherwise=otherwise):
                self.visit(who, env)
                self.all((otherwise,), env.child())
                self.visit(choice, env)
            case nodes.EachStmt(name=name, second=second, source=source, body=body):
                self.visit(source, env)
                inner = env.child()
                for each in (name, second):
                    if each is not None:
                        self.bind(each, inner)
                self.visit(body, inner)
            case nodes.SecretlyStmt(name=name, source=source, choices=choices, body=body):
                self.visit(source, env)
                inner = env.child()
                self.bind(name, inner)
                self.all(choices, inner)
                self.visit(body, inner)
            case nodes.StepStmt(name=name, body=body):
                self.note(name, ("step", env.phase, name.text), role="declares")
                self.all(body.statements, env)  # a phase shares the names of its steps
            case nodes.Decl():
                self.declaration(node, env)
            case _:
                self.all((each for each in nodes.children(node) if not _is_citation(each)), env)

    # ------------------------------------------------------------------ declarations

    def params(self, params: Iterable[nodes.Param], env: Env) -> None:
        for param in params:
            self.all((param.type, param.source), env)
            self.bind(param.name, env)

    def declaration(self, node: nodes.Decl, env: Env) -> None:
        match node:
            case nodes.GameDecl(name=name, settings=settings):
                self.note(name, ("game", name.text), role="declares")
                self.all((value for each in settings for value in each.values), env)
            case nodes.VariantDecl(name=name, base=base):
                self.note(name, ("variant", name.text), role="declares")
                self.note(base, ("game", base.text))
                for qualifier in node.qualifiers:
                    self.note(qualifier.name, ("variant", qualifier.name.text))
                for item in node.items:
                    self.rule = item
                    self.visit(item, Env({}))
            case nodes.PresetDecl(base=base):
                self.note(base, ("game", base.text))
                for each in node.variants:
                    self.note(each, ("variant", each.text))
                self.all(node.assigns, env)
            case nodes.OptionDecl(name=name, default=default):
                self.note(name, ("name", name.text), role="declares")
                self.option_type(node)
                self.name_of_option(name, default, env)
            case nodes.ChangeOptionDecl(name=name, value=value):
                self.note(name, ("name", name.text), role="changes")
                self.name_of_option(name, value, env)
            case nodes.ComponentDecl(kind=kind) | nodes.ChangeComponentDecl(kind=kind):
                role: Role = "declares" if isinstance(node, nodes.ComponentDecl) else "changes"
                self.note(kind, ("type", kind.text), role=role)
                self.all((node.amount,), env)
                for field in node.fields:
                    self.field(field, kind.text, env)
            case (
                nodes.EnumDecl(name=name, words=words)
                | nodes.ChangeWordsDecl(name=name, words=words)
            ):
                role = "declares" if isinstance(node, nodes.EnumDecl) else "changes"
                self.note(name, ("type", name.text), role=role)
                for word in words:
                    if word.name is not None and word.name.text[:1].islower():
                        self.note(word.name, ("word", name.text, word.name.text), role="declares")
                    elif word.name is not None:
                        self.type_name(word.name)
            case nodes.DefineDecl():
                self.define(node, env.child())
            case nodes.MayDecl(name=name):
                self.note(name, ("name", name.text), role="declares")
                inner = env.child()
                self.params(node.params, inner)
                for need in node.needs:
                    self.note(need.name, ("part", name.text, need.name.text), role="declares")
                    self.all((need.condition, need.text, *need.citations), inner)
                self.rest(node, inner, ("name", "params", "needs"))
            case nodes.TableDecl(name=name, params=params, rows=rows):
                self.note(name, ("name", name.text), role="declares")
                inner = env.child()
                self.params(params, inner)
                self.all(rows, inner)
            case nodes.ChangeTableDecl(name=name, rows=rows):
                self.note(name, ("name", name.text), role="changes")
                inner = env.child()
                symbol = self.tables.symbols.get(name.text)
                if symbol is not None and isinstance(symbol.node, nodes.TableDecl):
                    for param in symbol.node.params:
                        span = param.name.span
                        key = ("local", span.file.path, str(span.start), param.name.text)
                        inner.bound[param.name.text] = key
                self.all(rows, inner)
            case nodes.EffectDecl(name=name, params=params):
                self.note(name, ("name", name.text), role="declares")
                inner = env.child()
                self.params(params, inner)
                self.all((node.result, node.body), inner)
            case nodes.PhaseDecl():
                self.phase(node)
            case nodes.CardDecl(kind=kind, name=name, items=items):
                wanted = self.tables.type_names.get(kind.text) if kind is not None else None
                if kind is not None:
                    self.type_name(kind)
                self.note(
                    name, *(k for k in constants(name.text, self.tables, wanted) if k[0] == "id")
                )
                inner = env.child()
                for keeps in items:
                    if isinstance(keeps, nodes.KeepsDecl):
                        self.bind(keeps.name, inner)
                for rule in items:
                    self.rule = rule
                    self.visit(rule, inner.child())
            case nodes.KeepsDecl():
                self.all((node.type, node.initial, node.until), env)
            case nodes.NamedRuleDecl(name=name, rule=rule):
                self.note(name, ("name", name.text), role="declares")
                self.visit(rule, env)
            case nodes.HookDecl():
                inner = env.child()
                self.event(node.event, inner)
                self.all((node.condition, node.ask, node.body), inner)
            case nodes.ClauseDecl():
                self.clause(node, env.child())
            case nodes.DropDecl(path=path):
                self.dropped(path)
                self.all((node.condition,), env)
            case nodes.ScenarioDecl():
                self.scenario(node, env)
            case _:
                self.all((each for each in nodes.children(node) if not _is_citation(each)), env)

    def rest(self, node: nodes.Node, env: Env, done: tuple[str, ...]) -> None:
        """Visit what stands in the fields of a node that were not visited by name."""
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if field.name not in (*done, "span", "citations", "doc"):
                parts = value if isinstance(value, tuple) else (value,)
                self.all((each for each in parts if isinstance(each, nodes.Node)), env)

    def option_type(self, node: nodes.OptionDecl) -> None:
        kind = node.type
        for each in kind.members if isinstance(kind, nodes.UnionType) else (kind,):
            if isinstance(each, nodes.NamedType) and each.name.text[0].islower():
                key: Key = ("word", node.name.text, each.name.text)
                self.note(each.name, key, role="declares")
            else:
                self.visit(each, Env({}))

    def name_of_option(self, option: nodes.Ident, value: nodes.Expr, env: Env) -> None:
        """Note the value of an option: a word of its own, or any other constant."""
        if isinstance(value, nodes.Name):
            key: Key = ("word", option.text, value.ident.text)
            known = (
                option.text in self.tables.symbols
            )  # it is not if a variant beside a preset has it
            if not known or key in constants(value.ident.text, self.tables):
                self.note(value, key)
                return
        self.visit(value, env)

    def field(self, node: nodes.FieldDecl, kind: str, env: Env) -> None:
        for citation in node.citations:
            self.note(citation, ("rule", citation.id))
        for name in node.names:
            self.note(name, ("field", kind, name.text), role="declares")
        self.all((node.type,), env)
        number = self.tables.kind_numbers.get(kind)
        index = self.tables.field_numbers.get(
            (-1 if number is None else number, node.names[0].text)
        )
        want = self.tables.fields[index].type if index is not None else None
        initial = node.initial
        if initial is not None and isinstance(initial.value, nodes.Name):
            self.name(initial.value.ident, env, want)
        elif initial is not None:
            self.visit(initial, env)

    def define(self, node: nodes.DefineDecl, env: Env) -> None:
        head = node.head
        owner = "" if head.owner is None else head.owner.text
        key: Key = ("property", owner, head.name.text) if owner else ("name", head.name.text)
        if head.owner is not None:
            self.bind(head.owner, env)
        self.note(head.name, key, role="declares")
        self.params(head.params or (), env)
        self.visit(node.value, env)
        whole = ".".join(key[1:])
        for each in node.exceptions:
            self.note(each.name, ("part", whole, each.name.text), role="declares")
            if each.after is not None:
                self.note(each.after, ("part", whole, each.after.text))
            self.all((each.change, each.condition, *each.citations), env)

    def phase(self, node: nodes.PhaseDecl) -> None:
        phase = node.name.text
        self.note(node.name, ("name", phase), role="declares")
        inner = Env({}, phase)
        for param in node.params:
            self.all((param.type, param.source), inner)
            inner.bound[param.name.text] = ("kept", phase, param.name.text)
            self.note(param.name, ("kept", phase, param.name.text), role="declares")
        self.all((node.result,), inner)
        for keeps in node.keeps:
            if keeps.owner is None:
                key: Key = ("kept", phase, keeps.name.text)
                inner.bound[keeps.name.text] = key
                self.note(keeps.name, key, role="declares")
            else:
                self.member(keeps.name, self.tables.type_by_name(keeps.owner.text), "declares")
            self.visit(keeps, inner)
        self.all(node.body.statements, inner)

    def clause(self, node: nodes.ClauseDecl, env: Env) -> None:
        head = node.head
        whole = head.name.text
        if head.owner is not None:
            target = property_target(head.owner, whole, self.tables)
            if head.owner.text not in _FIXED:
                self.bind(head.owner, env)
            if target is not None:
                whole = target.name
                self.note(head.name, ("property", *target.name.split(".", 1)), role="changes")
        else:
            self.note(head.name, ("name", whole), role="changes")
        for param in head.params or ():
            known = constants(param.name.text, self.tables, self.types.get(param.name))
            if param.name.text in RESERVED:
                continue
            if known and param.name not in self.types:
                self.note(param.name, *known)
            else:
                self.bind(param.name, env)
        self.all((node.change, node.reason, node.condition), env)
        if node.after is not None:
            self.note(node.after, ("part", whole, node.after.text))

    def dropped(self, path: tuple[nodes.Ident, ...]) -> None:
        """Note the path of `drop`: a rule, a part of a definition, or one of a property."""
        if not path:
            return
        *above, last = path
        if not above:
            self.note(last, ("name", last.text), role="changes")
            return
        owner = above[-1]
        if len(above) == 1 and owner.text in self.tables.symbols:
            self.note(owner, ("name", owner.text))
            whole = owner.text
        else:
            known = self.tables.properties.get(owner.text, ())
            names = [each.owner_name for each in known]
            whole = (
                f"{above[0].text if above[0].text in names else next(iter(names), '')}.{owner.text}"
            )
            self.note(owner, ("property", *whole.split(".", 1)))
        self.note(last, ("part", whole, last.text), role="changes")

    def event(self, event: nodes.Event, env: Env) -> None:
        match event:
            case nodes.NamedEvent(path=path, args=args, result=result):
                self.doing(path[0])
                if len(path) > 1:
                    self.note(path[1], ("step", path[0].text, path[1].text))
                for arg in args or ():
                    self.pattern(arg, env)
                if result is not None:
                    self.new(result, env)
            case nodes.GainEvent(source=other) | nodes.LoseEvent(target=other):
                owner = self.types.get(event.who) or self.tables.type_by_name(event.who.text)
                self.new(event.who, env)
                self.new(event.amount, env)
                self.member(event.field, _PLAYER if event.who.text == "you" else owner)
                if other is not None:
                    self.new(other, env)
            case nodes.MoveEvent(thing=thing, place=place):
                self.new(thing, env)
                self.pattern(place, env)
            case nodes.RollEvent(enum=enum, by=by, result=result):
                self.type_name(enum)
                if by is not None:
                    self.pattern(by, env)
                if result is not None:
                    self.new(result, env)

    def pattern(self, node: nodes.Expr, env: Env) -> None:
        """Note an argument of a pattern: a new name, or a value that is waited for."""
        if isinstance(node, nodes.Name) and node.ident in self.types:
            self.new(node.ident, env)
        elif isinstance(node, nodes.Name):
            known = node.ident.text in self.tables.symbols or constants(
                node.ident.text, self.tables
            )
            if known:
                self.visit(node, env)
            else:
                self.new(node.ident, env)
        else:
            self.visit(node, env)

    def new(self, ident: nodes.Ident, env: Env) -> None:
        if ident.text not in RESERVED and ident.text not in ("supply", "other"):
            self.bind(ident, env)

    # ------------------------------------------------------------------ scenarios

    def scenario(self, node: nodes.ScenarioDecl, env: Env) -> None:
        inner = env.child()
        self.note(node.base, ("game", node.base.text))
        for qualifier in node.qualifiers:
            self.note(qualifier.name, ("variant", qualifier.name.text))
        if node.after is not None:
            self.note(node.after, ("scenario", node.after.value))
        self.note(node.title, ("scenario", node.title.value), role="declares")
        for setting in node.settings:
            for value in setting.values:
                if setting.name.text in _SEATS and isinstance(value, nodes.Name):
                    start = str(node.span.start)
                    key: Key = ("seat", node.span.file.path, start, value.ident.text)
                    inner.bound[value.ident.text] = key
                    self.note(value, key, role="declares")
        self.all(node.assigns, inner)
        if node.before is not None:
            self.all(node.before.statements, inner)  # what is bound there is known below
        self.all(node.trials, inner)

    def example(self, node: nodes.Node, env: Env) -> None:
        match node:
            case nodes.Assign(owner=owner, name=name, value=value):
                if owner is None:
                    self.note(name, ("name", name.text), role="changes")
                    self.name_of_option(name, value, env)
                    return
                self.name(owner, env, None)
                self.property_of(nodes.Name(owner.span, owner), name, env, "changes")
                self.visit(value, env)
            case nodes.Played(name=name, step=step, args=args, script=script):
                self.doing(name)
                if step is not None:
                    self.note(step, ("step", name.text, step.text))
                self.all(args, env)
                self.all(script, env)
            case nodes.ScriptChoice(who=who, path=path, answers=answers):
                self.visit(who, env)
                self.path(path)
                self.all((each for each in answers if not isinstance(each, nodes.Text)), env)
            case nodes.Trial(played=played, checks=checks):
                self.all(played, env)
                self.all(checks, env)
            case _:
                pass

    def path(self, node: nodes.Expr | None) -> None:
        """Note the path of a decision: doings, then what is chosen."""
        parts: list[nodes.Ident] = []
        while isinstance(node, nodes.Prop):
            parts.insert(0, node.name)
            node = node.owner
        if isinstance(node, nodes.Name):
            parts.insert(0, node.ident)
        for before, ident in zip((None, *parts), parts, strict=False):
            if ident.text in self.tables.symbols:
                self.doing(ident)
            elif before is not None and ident.text in self.steps_of(before.text):
                self.note(ident, ("step", before.text, ident.text))


def _is_citation(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Citation | nodes.Comment)
