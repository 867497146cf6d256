"""Declarations as entries: what each says, what else is about it, and its lines as written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.rulebook.lexicon import Lexicon
from rulelang.rulebook.model import (
    Block,
    Changed,
    Entry,
    Grid,
    Inline,
    Item,
    Line,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Row,
    Source,
    Term,
    Words,
    clean,
    commas,
    joined,
    line,
    plain,
    sentence,
)
from rulelang.rulebook.phrasing import are, flattened, is_verb, word
from rulelang.rulebook.speech import Speaker
from rulelang.rulebook.telling import Teller, cited
from rulelang.rulebook.typewords import type_words
from rulelang.variants.difference import Group, excerpt, share_keys
from rulelang.variants.phrases import words
from rulelang.variants.touching import Target, Touch, declared, flat, ids, steps
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.source import Span

_FOLLOWS: Final = {
    "before": "First: ",
    "after": "Afterwards: ",
    "instead": "Instead, in some cases: ",
    "replaces": "Instead: ",
    "exception": "Exception: ",
    "forbids": "Forbidden in more cases: ",
    "allows": "Allowed in more cases: ",
    "drops": "In part not in force: ",
}
_GIST: Final = 60
_LONG: Final = 20  # rows of a table that are shown without being asked for


@attrs.define(eq=False)
class Writer:
    """Writes the entries of one ruleset.

    Attributes:
        lexicon: What names mean.
        touches: What every text of the ruleset does to its names.
        changes: What the chosen variants change, by what is changed.
    """

    lexicon: Lexicon
    touches: Sequence[Touch]
    changes: dict[Target, Group]
    _holders: dict[nodes.Node, str] = attrs.field(init=False, factory=dict)
    _about: dict[Target, list[Touch]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        """Find out in which entry every rule stands, and what is about what."""
        for item, _ in self.lexicon.tables.items:
            anchor = self.holder(item)
            for node in nodes.walk(item):
                self._holders.setdefault(node, anchor)
        for touch in self.touches:
            if touch.how in _FOLLOWS:
                self._about.setdefault(touch.target, []).append(touch)

    def holder(self, item: nodes.Node) -> str:
        """Give the anchor of the entry or card in which a declaration is told."""
        if isinstance(item, nodes.ChangeGameDecl):
            return ""  # settings of the game have no entry
        if isinstance(item, nodes.CardDecl):
            kind = self.card_kind(item)
            anchor = self.lexicon.row_anchor(kind, item.name.text)
            return anchor or self.lexicon.anchors.get(item, "")
        if isinstance(
            item,
            nodes.ChangeTableDecl
            | nodes.ChangeComponentDecl
            | nodes.ChangeWordsDecl
            | nodes.ChangeOptionDecl,
        ):
            form, name = {
                nodes.ChangeTableDecl: ("table", getattr(item, "name", None)),
                nodes.ChangeComponentDecl: ("component", getattr(item, "kind", None)),
                nodes.ChangeWordsDecl: ("enumeration", getattr(item, "name", None)),
                nodes.ChangeOptionDecl: ("option", getattr(item, "name", None)),
            }[type(item)]
            changed = self.lexicon.by_target.get(Target(form, str(name)))  # type: ignore[arg-type] # one of four forms
            if changed is not None:
                return self.lexicon.anchors[changed]
        return self.lexicon.anchors.get(item, "")

    def holder_of(self, node: nodes.Node) -> str:
        """Give the anchor of the entry or card in which any text of the ruleset is told; empty if none is."""
        return self._holders.get(node, "")

    def card_kind(self, card: nodes.CardDecl) -> int:
        """Give the number of the kind that a card is of; -1 if there is no such row."""
        tables = self.lexicon.tables
        meanings = tables.ids.get(card.name.text, [])
        if card.kind is not None:
            wanted = tables.kind_numbers.get(card.kind.text, -1)
            meanings = [each for each in meanings if each[0] == wanted]
        return meanings[0][0] if meanings else -1

    def teller(self, *roots: nodes.Node) -> Teller:
        """Give who tells declarations, with the names that these bind."""
        return Teller(self.lexicon, Speaker(self.lexicon, self.lexicon.scope(*roots)))

    def marks(self, origin: str) -> tuple[Inline, ...]:
        """Say which variant a text comes from; nothing for the game itself."""
        variant = next(
            (each for each in self.lexicon.tables.variants if each.name.text == origin), None
        )
        if variant is None:
            return ()
        return (Mark(clean(variant.title.value), self.lexicon.anchors[variant]),)

    # ------------------------------------------------------------ entries

    def entries(self, item: nodes.Item, origin: str) -> Iterator[Entry]:
        """Give the entry of a declaration, and those of the steps of a phase."""
        title, terms = self.title(item)
        target = declared(item)
        kind = self._kind(item)
        body = [*self._body(item)]
        if isinstance(item, nodes.PhaseDecl):
            inner = steps(item)
            if not inner:
                body += self.follows(target)
        elif target is not None:
            body += self.follows(target)
        body += self.changed(target)
        yield Entry(
            self.lexicon.anchors[item],
            title,
            kind,
            paragraphs(item.doc),
            tuple(body),
            self.marks(origin),
            ids(item),
            (source(item),),
            terms,
        )
        if isinstance(item, nodes.PhaseDecl):
            yield from self._steps(item, origin)

    def _steps(self, phase: nodes.PhaseDecl, origin: str) -> Iterator[Entry]:
        teller = self.teller(phase)
        for number, (name, step) in enumerate(steps(phase).items(), 1):
            target = Target("step", f"{phase.name.text}.{name}")
            yield Entry(
                self.lexicon.anchors[step],
                line(f"{capital(phase.name.text)}, step {number}: {spoken(name)}"),
                "step",
                paragraphs(step.doc),
                (*teller.steps(step.body), *self.follows(target), *self.changed(target)),
                self.marks(origin),
                ids(step),
                (source(step),),
                (f"{spoken(name)} ({spoken(phase.name.text)})",),
            )

    def title(self, item: nodes.Item) -> tuple[Line, tuple[str, ...]]:
        """Give the heading of a declaration, and the names under which the index has it."""
        match item:
            case nodes.DefineDecl(head=head):
                name = spoken(head.name.text)
                if head.owner is None:
                    return line(capital(name)), (name,)
                owner = spoken(head.owner.text)
                return line(f"{capital(name)} ({owner})"), (f"{name} ({owner})",)
            case nodes.EnumDecl(name=name) | nodes.ComponentDecl(kind=name):
                return line(capital(spoken(name.text))), (spoken(name.text),)
            case nodes.OptionDecl(name=name) | nodes.TableDecl(name=name):
                return line(capital(spoken(name.text))), (spoken(name.text),)
            case nodes.MayDecl(name=name) | nodes.EffectDecl(name=name):
                return line(capital(spoken(name.text))), (spoken(name.text),)
            case nodes.PhaseDecl(name=name) | nodes.NamedRuleDecl(name=name):
                return line(capital(spoken(name.text))), (spoken(name.text),)
            case nodes.AlwaysDecl(text=text):
                return line(clean(text.value)), ()
            case nodes.HookDecl(event=event, timing=timing):
                teller = self.teller(item)
                lead = "instead of" if timing == "instead" else timing
                return line(capital(lead), f" {plain(teller.event(bare(event)))}"), ()
            case nodes.StateRuleDecl():
                return line("Whenever it is so"), ()
            case nodes.ClauseDecl(head=head):
                return line(f"Exception to {spoken(head.name.text)}"), ()
            case nodes.DropDecl():
                return line("Not in force"), ()
            case nodes.CardDecl(name=name):
                return line(capital(spoken(name.text))), (spoken(name.text),)
            case _:
                return line("Rule"), ()

    def _kind(self, item: nodes.Item) -> str:
        target = declared(item)
        if target is not None:
            return target.form
        return "rule"

    def _body(self, item: nodes.Item) -> Iterator[Block]:
        teller = self.teller(item)
        match item:
            case nodes.DefineDecl():
                yield from self._definition(item, teller)
            case nodes.EnumDecl(words=kinds):
                several = [self._word(each, teller) for each in kinds]
                yield Paragraph(sentence("one of ", joined(several, "or")))
            case nodes.OptionDecl():
                yield from self._option(item, teller)
            case nodes.MayDecl():
                yield from self._permission(item, teller)
            case nodes.TableDecl():
                yield from self._table(item, teller)
            case nodes.EffectDecl(params=params, result=result, body=body):
                yield from self._about_whom(params, result, teller)
                yield from teller.steps(body)
            case nodes.PhaseDecl(params=params, result=result, keeps=keeps, body=body):
                yield from self._about_whom(params, result, teller)
                yield from teller.steps(body)
                if keeps:
                    yield Paragraph(line("Meanwhile this is kept:"))
                    yield Listing(
                        tuple(
                            Item(line(sentence(teller.kept(each)), cited(each))) for each in keeps
                        )
                    )
            case nodes.AlwaysDecl(condition=condition):
                yield Paragraph(sentence(teller.speaker.claim(condition)))
            case nodes.NamedRuleDecl(rule=rule):
                yield from self._alone(rule, teller)
            case nodes.CardDecl(items=items):
                yield from self.card_rules(items, teller)
            case _:
                yield from self._alone(item, teller)

    @staticmethod
    def _word(of: nodes.Word, teller: Teller) -> Line:
        if of.name is None:
            return line(f"{of.low} to {of.high}" if of.low != of.high else f"{of.low}")
        if of.name.text in teller.lexicon.tables.kind_numbers:
            return teller.speaker.kind(of.name.text)
        return line(word(of.name.text))

    @staticmethod
    def _alone(rule: nodes.Node, teller: Teller) -> Iterator[Block]:
        """Tell a rule that has an entry of its own, at whose head its citations stand."""
        item = teller.rule(
            attrs.evolve(rule, citations=(), doc="") if isinstance(rule, nodes.Decl) else rule
        )
        yield Paragraph(item.text)
        yield from item.below

    def card_rules(self, items: Iterable[nodes.Node], teller: Teller) -> Iterator[Block]:
        """Tell the rules of a card."""
        rules: list[nodes.Node] = []
        for item in items:
            if isinstance(item, nodes.MayDecl):
                yield Paragraph(line(Term(capital(spoken(item.name.text))), ":"))
                yield from self._permission(item, teller)
            else:
                rules.append(item)
        yield from teller.rules(rules)

    def _about_whom(
        self, params: Sequence[nodes.Param], result: nodes.TypeExpr | None, teller: Teller
    ) -> Iterator[Block]:
        said: list[Line] = []
        if params:
            said.append(sentence("for ", joined([self._param(each, teller) for each in params])))
        if result is not None:
            said.append(sentence("gives ", type_words(result, self.lexicon)))
        if said:
            yield Paragraph(line(*(part for each in said for part in (each, " "))))

    def _param(self, param: nodes.Param, teller: Teller) -> Line:
        name = Term(spoken(param.name.text))
        said = line(name)
        if param.type is not None:
            said = line(name, " (", type_words(param.type, self.lexicon), ")")
        if param.source is not None:
            said = line(name, " (one of ", teller.speaker.noun(param.source), ")")
        return said

    # ------------------------------------------------------------ definitions, permissions, options

    def _definition(self, item: nodes.DefineDecl, teller: Teller) -> Iterator[Block]:
        speaker = teller.speaker
        is_flag = self.lexicon.shape(item.value, speaker.scope) == "flag"
        parts = flattened(item.value, nodes.And) if is_flag else []
        said = self._claimed(item, teller, parts) if is_flag else self._valued(item, teller)
        unless = "unless one of these applies:"
        if len(parts) > 1:
            yield Paragraph(sentence(said, " if all of this holds:"))
            yield Listing(tuple(Item(sentence(speaker.claim(bare_group(each)))) for each in parts))
            if item.exceptions:
                yield Paragraph(sentence(unless))
        else:
            end = f", {unless}" if item.exceptions else ""
            yield Paragraph(sentence(said, end))
        if item.exceptions:
            yield Listing(
                tuple(self._exception(each, teller, is_flag=is_flag) for each in item.exceptions)
            )

    def _claimed(self, item: nodes.DefineDecl, teller: Teller, parts: Sequence[nodes.Expr]) -> Line:
        """Say when a claim with a name holds; without the conditions if there are several."""
        speaker, head = teller.speaker, item.head
        constant = item.value.ident.text if isinstance(item.value, nodes.Name) else ""
        fixed = constant in {"yes", "no"}
        no = constant == "no"
        params = [self._param(each, teller) for each in head.params or ()]
        name = line(Term(spoken(head.name.text.removeprefix("is_"))))
        if head.owner is None:
            whom = line(" for ", joined(params)) if params else ()
            holds = " does not hold" if no else " holds"
            said = line("\u201c", name, f"\u201d{holds}", whom)
        else:
            whom = line(" (", commas(params), ")") if params else ()
            owner = speaker.bound(head.owner.text)
            if is_verb(head.name.text):
                said = line(owner, " does not: " if no else " ", name, whom)
            else:
                said = line(owner, " is not " if no else " is ", name, whom)
        if len(parts) > 1 or fixed:
            return said
        return line(said, " if ", speaker.claim(item.value))

    def _valued(self, item: nodes.DefineDecl, teller: Teller) -> Line:
        """Say what a name means that stands for a value."""
        speaker, head = teller.speaker, item.head
        params = [self._param(each, teller) for each in head.params or ()]
        whom = line(" for ", joined(params)) if params else ()
        name = line(Term(spoken(head.name.text)))
        if head.owner is None:
            return line(name, whom, ": ", speaker.noun(item.value))
        owner = speaker.bound(head.owner.text)
        return line("the ", name, " of ", owner, whom, f" {are(name)} ", speaker.noun(item.value))

    def _exception(self, of: nodes.ExceptionClause, teller: Teller, *, is_flag: bool) -> Item:
        speaker = teller.speaker
        change = line("then ", teller.change(of.change))
        if is_flag and of.change.sign == "=":
            value = of.change.value
            match value:
                case nodes.Name(ident=nodes.Ident(text="yes")):
                    change = line("then yes")
                case nodes.Name(ident=nodes.Ident(text="no")):
                    change = line("then no")
                case _:
                    change = line("then what counts is whether ", speaker.claim(value))
        wins = (
            line("; this wins over ", Term(spoken(of.after.text))) if of.after is not None else ()
        )
        lead = line(
            Term(spoken(of.name.text)), ": if ", speaker.claim(of.condition), ", ", change, wins
        )
        below = tuple(Paragraph(line(each)) for each in paragraphs(of.doc))
        return Item(line(sentence(lead), cited(of)), below)

    def _permission(self, item: nodes.MayDecl, teller: Teller) -> Iterator[Block]:
        speaker = teller.speaker
        who, *rest = item.params
        params = joined([self._param(each, teller) for each in rest])
        whom = line(" (", params, ")") if rest else ()
        lead = line(speaker.bound(who.name.text), " may do this", whom)
        if item.needs:
            yield Paragraph(sentence(lead, " only if:"))
            yield Listing(tuple(self._need(each, teller) for each in item.needs))
        else:
            yield Paragraph(sentence(lead, " at any time that it is offered"))
        if item.utility is not None:
            worth = speaker.noun(item.utility.value)
            yield Paragraph(line("To a seat without a person it is worth: ", worth, "."))
        if item.then is not None:
            yield Paragraph(line("Then:"))
            yield from teller.steps(item.then)

    def _need(self, need: nodes.Need, teller: Teller) -> Item:
        said = line(Term(spoken(need.name.text)), ": ", teller.speaker.claim(need.condition))
        if need.text is not None:
            said = line(said, "; if not, ", Quote(clean(need.text.value)))
        return Item(
            line(sentence(said), cited(need)),
            tuple(Paragraph(line(each)) for each in paragraphs(need.doc)),
        )

    def _option(self, item: nodes.OptionDecl, teller: Teller) -> Iterator[Block]:
        choices = (
            [item.type] if not isinstance(item.type, nodes.UnionType) else [*item.type.members]
        )
        said = joined([self._choice(each) for each in choices], "or")
        if item.label is not None:
            yield Paragraph(line(Quote(clean(item.label.value))))
        yield Paragraph(sentence("can be: ", said))
        yield Paragraph(
            sentence("is, if nothing else is agreed: ", teller.speaker.noun(item.default))
        )

    def _choice(self, of: nodes.TypeExpr) -> Line:
        if isinstance(of, nodes.NamedType) and not of.name.text[:1].isupper():
            return line(spoken(of.name.text))
        return type_words(of, self.lexicon)

    # ------------------------------------------------------------ tables

    def _table(self, item: nodes.TableDecl, teller: Teller) -> Iterator[Block]:
        rows: list[tuple[nodes.Row, str]] = [(row, "") for row in item.rows]
        new: list[tuple[nodes.Row, str]] = []
        for other, origin in self.lexicon.tables.items:
            if isinstance(other, nodes.ChangeTableDecl) and other.name.text == item.name.text:
                new += [(row, origin) for row in other.rows]
        width = max(len(_key_parts(row)) for row, _ in rows)
        keys, rest = item.params[:width], item.params[width:]
        if rest:
            yield Paragraph(sentence("for ", joined([self._param(each, teller) for each in rest])))
        shown = [
            self._row(row, teller, width, replaced(row, [each for each, _ in new]), ())
            for row, _ in rows
        ]
        for row, origin in new:
            shown.append(self._row(row, self.teller(item, row), width, "new", self.marks(origin)))
        header = [line(capital(spoken(each.name.text))) for each in keys]
        yield Grid((*header, line("Result")), tuple(shown), folded=len(shown) > _LONG)

    def _row(
        self, row: nodes.Row, teller: Teller, width: int, state: str, marks: tuple[Inline, ...]
    ) -> Row:
        cells: list[tuple[Block, ...]] = []
        if any(key.is_else for key in row.keys):
            cells.append((Paragraph(line("anything else")),))
            cells += [()] * (width - 1)
        else:
            for number in range(width):
                parts = [key.parts[number] for key in row.keys if number < len(key.parts)]
                said = dict.fromkeys(plain(teller.speaker.noun(each)) for each in parts)
                words_ = [
                    teller.speaker.noun(each)
                    for each in parts
                    if said.pop(plain(teller.speaker.noun(each)), 0) is None
                ]
                cells.append((Paragraph(joined(words_, "or")),))
        if state == "part":
            marks = (Words(" (where no other row says otherwise)"),)
        if row.value is not None:
            cells.append((Paragraph(line(teller.speaker.noun(row.value), cited(row), *marks)),))
        elif row.body is not None:
            last = [*teller.steps(row.body)]
            if ids(row) or marks:
                last.append(Paragraph(line(cited(row), *marks)))
            cells.append(tuple(last))
        return Row(tuple(cells), state)

    # ------------------------------------------------------------ what else is about it

    def follows(self, target: Target | None) -> Iterator[Block]:
        """Point to the rules elsewhere that act before, after or instead of something, and to exceptions elsewhere."""
        if target is None:
            return
        found: dict[str, list[Line]] = {}
        for touch in self._about.get(target, []):
            found.setdefault(touch.how, []).append(self._pointer(touch))
        if found:
            items = [
                Item(line(lead, joined(list(dict.fromkeys(found[how])), "and", ";")))
                for how, lead in _FOLLOWS.items()
                if how in found
            ]
            yield Paragraph(line("Elsewhere about this:"))
            yield Listing(tuple(items))

    def _pointer(self, touch: Touch) -> Line:
        """Lead to a rule: by its name, its card, or what it waits for."""
        anchor = self.holder_of(touch.node)
        within, _, holder = touch.within.partition(" ")
        card = touch.card or (holder if within == "card" else "")
        if card:
            text = plain(self.teller(touch.node).speaker.thing(card.rpartition(".")[2])) or spoken(
                card
            )
        elif touch.name:
            text = spoken(touch.name)
        elif touch.within:
            text = spoken(holder)
        elif touch.part:
            text = f"\u201c{spoken(touch.part)}\u201d"
        else:
            text = self._gist(touch)
        return line(Term(text, anchor), *((" ", *self.marks(touch.origin)) if touch.origin else ()))

    def _gist(self, touch: Touch) -> str:
        """Say in a few words what an unnamed rule does: its first doing, or when it applies."""
        node = touch.node
        if isinstance(node, nodes.HookDecl):
            for inner in nodes.walk(node.body):
                if isinstance(inner, nodes.DoStmt) and inner.name.text != "nothing":
                    return spoken(inner.name.text)
        if touch.condition is None:
            return "in any case"
        claim = plain(self.teller(node).speaker.claim(touch.condition))
        return (
            f"if {claim}"
            if len(claim) <= _GIST
            else f"if {claim[:_GIST].rpartition(' ')[0]} \u2026"
        )

    def changed(self, target: Target | None) -> Iterator[Block]:
        """Say what the chosen variants change, with the lines before and after."""
        group = self.changes.get(target) if target is not None else None
        if group is None or group.is_new:
            return
        for change in group.changes:
            marks = self.marks(change.touch.origin)
            said = line(*marks, " ", words(change)) if marks else line(words(change))
            yield Changed(said, clean(change.old), clean(change.new))


# ---------------------------------------------------------------- small parts


def capital(text: str) -> str:
    """Begin a name with a capital."""
    said = spoken(text) if "_" in text else text
    return said[:1].upper() + said[1:]


def paragraphs(doc: str) -> tuple[str, ...]:
    """Divide a doc comment into paragraphs at its empty lines."""
    parts = clean(doc).split("\n\n")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def place_of(span: Span) -> str:
    """Say where a text stands."""
    return f"{clean(span.file.path)}:{span.line}"


def source(node: nodes.Node) -> Source:
    """Give the lines of a declaration as written."""
    return Source(place_of(node.span), clean(excerpt(node)))


def bare(event: nodes.Event) -> nodes.Event:
    """Give an event without the names that a rule gives its parts."""
    return (
        attrs.evolve(event, args=None, result=None)
        if isinstance(event, nodes.NamedEvent)
        else event
    )


def bare_group(expr: nodes.Expr) -> nodes.Expr:
    """Take the brackets off an expression that stands alone."""
    while isinstance(expr, nodes.Group) and len(expr.elements) == 1:
        expr = expr.elements[0]
    return expr


def replaced(row: nodes.Row, new: Sequence[nodes.Row]) -> str:
    """Say whether rows of a variant stand for all that a row of a table says (`gone`), or for a part (`part`)."""
    if not any(share_keys(row, each) for each in new):
        return ""
    given = {flat(key) for each in new for key in each.keys}
    return "gone" if all(flat(key) in given for key in row.keys) else "part"


def _key_parts(row: nodes.Row) -> tuple[nodes.Expr, ...]:
    return row.keys[0].parts or (nodes.Number(row.span, 0),)
