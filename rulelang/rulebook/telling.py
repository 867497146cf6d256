"""Statements and rules about doings as numbered points and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.rulebook.model import (
    Block,
    Cite,
    Item,
    Line,
    Listing,
    Paragraph,
    Quote,
    Term,
    clean,
    commas,
    joined,
    line,
    plain,
    sentence,
)
from rulelang.rulebook.phrasing import words_of
from rulelang.rulebook.typewords import type_words
from rulelang.variants.touching import flat
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.rulebook.lexicon import Lexicon
    from rulelang.rulebook.speech import Speaker

_TIMING: Final = {"before": "before", "after": "after", "instead": "instead of"}
_BARE: Final = {"gains": "gain", "loses": "lose", "chooses": "choose", "rolls": "roll"}


def cited(node: nodes.Node) -> Line:
    """Give what a node itself cites, as references behind its words."""
    if not isinstance(node, nodes.Cited):
        return ()
    ids = dict.fromkeys(each.id for each in node.citations)
    return tuple(part for each in ids for part in line(" ", Cite(each)))


class Teller:
    """Tells what statements do.

    Args:
        lexicon: What names mean.
        speaker: Puts the expressions of the same declaration into words.
    """

    def __init__(self, lexicon: Lexicon, speaker: Speaker) -> None:
        self.lexicon = lexicon
        self.speaker = speaker

    def steps(self, body: nodes.Body) -> tuple[Block, ...]:
        """Tell statements as a numbered list; one plain statement as a sentence."""
        items = [item for statement in body.statements for item in self.items(statement)]
        if len(items) == 1 and not items[0].below:
            return (Paragraph(items[0].text),)
        return (Listing(tuple(items), ordered=len(body.statements) > 1),)

    def items(self, statement: nodes.Stmt) -> Iterator[Item]:
        """Tell one statement: one point, or one for each branch."""
        said = self.plainly(statement)
        if said is not None:
            yield Item(line(sentence(said), cited(statement)))
            return
        yield from self._blocks(statement)

    def _led(self, lead: Line, body: nodes.Body, where: nodes.Node) -> Item:
        """Tell statements behind words that say when; one plain one on the same line."""
        only = body.statements[0] if len(body.statements) == 1 else None
        said = self.plainly(only) if only is not None else None
        if said is not None and only is not None:
            return Item(line(sentence(lead, ": ", said), cited(where), cited(only)))
        items = [item for statement in body.statements for item in self.items(statement)]
        below = (Listing(tuple(items), ordered=len(body.statements) > 1),)
        return Item(line(sentence(lead, ":"), cited(where)), below)

    # ------------------------------------------------------------ plain statements

    def plainly(self, statement: nodes.Stmt) -> Line | None:
        """Tell a statement that needs no points below it; None if it does."""
        noun = self.speaker.noun
        match statement:
            case nodes.GainStmt():
                return self._changes(statement, "gains", "from", statement.source)
            case nodes.LoseStmt():
                return self._changes(statement, "loses", "to", statement.target)
            case nodes.BecomeStmt():
                return line(self._becomes(statement), self._until(statement.until))
            case nodes.MoveStmt(thing=thing, place=place):
                return line("move ", noun(thing), self._goal(place))
            case nodes.DoStmt(name=name, args=args):
                return self._does(name, args)
            case nodes.LetStmt():
                return self._lets(statement)
            case nodes.ChooseStmt(who=who, choice=choice, otherwise=otherwise):
                return line(noun(who), self._chooses(who, choice), self._else(otherwise))
            case nodes.TakeActionStmt(who=who, actions=actions, otherwise=otherwise):
                several = joined([self.speaker.term(each.text) for each in actions], "or")
                return line(noun(who), " may do ", several, self._else(otherwise, "if not"))
            case nodes.EndStmt(name=nodes.Ident(text="game")):
                return line("the game ends")
            case nodes.EndStmt(name=name, value=value):
                rest = line(" with the result ", noun(value)) if value is not None else ()
                return line(self.speaker.term(name.text), " ends here", rest)
            case nodes.ErrorStmt():
                return line("\u2026")
            case _:
                return None

    def _changes(
        self,
        statement: nodes.GainStmt | nodes.LoseStmt,
        verb: str,
        way: str,
        other: nodes.Expr | None,
    ) -> Line:
        noun = self.speaker.noun
        who = noun(statement.who)
        most = "up to " if statement.up_to else ""
        what = self._amount(statement.amount, spoken(statement.field.text))
        side = line(f" {way} ", noun(other)) if other is not None else ()
        return line(who, f" {does(who, verb)} {most}", what, side, self._until(statement.until))

    def _amount(self, amount: nodes.Expr, field: str) -> Line:
        said = self.speaker.noun(amount)
        if isinstance(amount, nodes.Number) and amount.value == 1 and not field.endswith("ss"):
            return line(said, f" {field.removesuffix('s')}")
        if plain(said).endswith(f" {field}"):
            return said
        if isinstance(amount, nodes.Number | nodes.Name):
            return line(said, f" {field}")
        return line(f"as many {field} as ", said)

    def _becomes(self, statement: nodes.BecomeStmt) -> Line:
        noun, place, value = self.speaker.noun, statement.place, statement.value
        match value:
            case nodes.Roll() | nodes.Pick():
                return line(self._draws(value), "; ", noun(place), " becomes the result")
            case nodes.Name(ident=nodes.Ident(text="yes" | "no" as word)) if (
                self.lexicon.shape(place, self.speaker.scope) == "flag"
            ):
                holds = self.speaker.claim(place) if word == "yes" else self.speaker.denial(place)
                return line("from now on ", holds)
            case nodes.Arithmetic(op="+" | "-" as op, left=left, right=right) if (
                flat(left) == flat(place)
                and self.lexicon.shape(value, self.speaker.scope) == "value"
            ):
                return line(
                    noun(place), " goes ", "up" if op == "+" else "down", " by ", noun(right)
                )
            case nodes.Call(name=name, args=args) if self._is_doing(name):
                return line(self._does(name, args), "; ", noun(place), " becomes its result")
            case nodes.Name(ident=nodes.Ident(text="yes" | "no" as word)):
                return line(noun(place), f" becomes {word}")
            case nodes.Expr() if self.lexicon.shape(value, self.speaker.scope) == "flag":
                return line("note as ", noun(place), " whether ", self.speaker.claim(value))
            case _:
                return line(noun(place), " becomes ", self.speaker.becoming(place, value))

    def _is_doing(self, name: nodes.Ident) -> bool:
        symbol = self.lexicon.tables.symbols.get(name.text)
        return symbol is not None and symbol.form in {"effect", "phase"}

    def _goal(self, place: nodes.Expr) -> Line:
        match place:
            case nodes.Name(ident=nodes.Ident(text="none")):
                return line(" off the board, to no place")
            case nodes.Call(name=nodes.Ident(text="bottom"), args=(pile,)):
                return line(" under ", self.speaker.noun(pile))
            case _:
                return line(" to ", self.speaker.noun(place))

    def _does(self, name: nodes.Ident, args: Sequence[nodes.Expr]) -> Line:
        noun = self.speaker.noun
        match name.text, args:
            case "nothing", _:
                return line("nothing happens")
            case "win", (winners,):
                return line(noun(winners), f" {does(noun(winners), 'wins')} the game")
            case "shuffle", (pile,):
                return line("shuffle ", noun(pile))
            case "show", (things, players):
                return line("show ", noun(things), " to ", noun(players))
            case _:
                with_whom = line(" for ", self.speaker.arguments(name, args)) if args else ()
                return line("carry out ", self.speaker.term(name.text), with_whom)

    def _draws(self, draw: nodes.Roll | nodes.Pick) -> Line:
        noun = self.speaker.noun
        match draw:
            case nodes.Roll(count=count, enum=enum, by=by):
                dice = line(noun(count) if count is not None else "one", f" {enum.text}")
                if by is None:
                    return line("roll ", dice)
                return line(noun(by), f" {does(noun(by), 'rolls')} ", dice)
            case nodes.Pick(count=count, source=source):
                many = line(noun(count) if count is not None else "one")
                return line("draw ", many, " of ", noun(source), " by chance")

    def _lets(self, statement: nodes.LetStmt) -> Line:
        value, name = statement.value, line(Term(spoken(statement.name.text)))
        match value:
            case nodes.Roll() | nodes.Pick():
                return line(self._draws(value), ": ", name)
            case nodes.GainStmt() | nodes.LoseStmt():
                return line(self.plainly(value) or (), "; what that really was is ", name)
            case nodes.Call(name=doing, args=args) if self._is_doing(doing):
                return line(self._does(doing, args), "; its result is ", name)
            case _ if self.lexicon.shape(value, self.speaker.scope) == "flag":
                return line("note as ", name, " whether ", self.speaker.claim(value))
            case _:
                return line("let ", name, " be ", self.speaker.noun(value))

    def _else(self, otherwise: nodes.Stmt | None, word: str = "if there is none") -> Line:
        if otherwise is None:
            return ()
        said = self.plainly(otherwise)
        return line(f"; {word}, ", said) if said is not None else ()

    def _chooses(self, who: nodes.Expr, choice: nodes.Choice) -> Line:
        speaker = self.speaker
        what = self._chosen(choice)
        so_that: Line = ()
        if choice.condition is not None:
            so_that = line(", so that ", speaker.claim(choice.condition))
        return line(
            f" {does(speaker.noun(who), 'chooses')} ",
            what,
            so_that,
            self._asked(choice.text),
            self._policy(choice.policy, choice.wanted),
        )

    def _chosen(self, choice: nodes.Choice) -> Line:
        """Say what is chosen, with the name that it gets unless its kind says it."""
        noun, name = self.speaker.noun, choice.name.text
        named = line(": ", Term(spoken(name)))
        match choice.count:
            case None:
                what = self.speaker.those(choice.source, "one")
                of_kind = self.lexicon.kind_named(name) and plain(what).startswith(("a ", "an "))
                return what if of_kind else line(what, named)
            case nodes.CountExact(value=value):
                many = noun(value)
            case nodes.CountRange(low=low, high=high):
                many = line(noun(low), " to ", noun(high))
            case nodes.CountAtLeast(value=value):
                many = line(noun(value), " or more")
            case _:
                many = line("any number")
        return line(many, " of ", noun(choice.source), named)

    def _asked(self, text: nodes.Text | None) -> Line:
        return line(" ", Quote(clean(text.value))) if text is not None else ()

    def _policy(
        self, policy: nodes.Ordering | nodes.Expr | None, wanted: nodes.Expr | None = None
    ) -> Line:
        """Say what a seat without a person does."""
        match policy:
            case None:
                return ()
            case nodes.Ordering():
                only = (
                    line(", rather those ", self.speaker.which(wanted))
                    if wanted is not None
                    else ()
                )
                return line(" (a seat without a person: ", self.speaker.ordering(policy), only, ")")
            case nodes.Name(ident=nodes.Ident(text="yes" | "no" as word)):
                return line(f" (a seat without a person: {word})")
            case _:
                return line(" (a seat without a person: if ", self.speaker.claim(policy), ")")

    def _until(self, until: nodes.Until | None) -> Line:
        return line(", ", self.until(until)) if until is not None else ()

    def until(self, of: nodes.Until) -> Line:
        """Say how long something lasts."""
        limits = [self._limit(limit) for limit in of.limits]
        return line("until ", joined(limits, "or until"))

    def _limit(self, limit: nodes.Limit) -> Line:
        args = limit.args or ()
        whom = line(" (", joined([self.speaker.noun(each) for each in args]), ")") if args else ()
        if limit.name.text == "game":
            return line("the end of the game")
        named = line(self.speaker.term(limit.name.text), whom)
        return line("the end of ", named) if limit.at_end else line("the next ", named)

    # ------------------------------------------------------------ statements with points

    def _blocks(self, statement: nodes.Stmt) -> Iterator[Item]:
        speaker = self.speaker
        match statement:
            case nodes.StepStmt(name=name):
                anchor = self.lexicon.anchors.get(statement, "")
                yield Item(line("Step ", Term(spoken(name.text), anchor), "."))
            case nodes.IfStmt(branches=branches, otherwise=otherwise):
                for number, branch in enumerate(branches):
                    claim = speaker.claim(branch.condition)
                    yield self._led(
                        line("otherwise, " if number else "", "if ", claim), branch.body, branch
                    )
                if otherwise is not None:
                    yield self._led(line("otherwise"), otherwise, statement)
            case nodes.EachStmt(name=name, second=second, source=source, body=body):
                yield self._led(self._each(name, second, source), body, statement)
            case nodes.WhileStmt(condition=condition, body=body):
                always = isinstance(condition, nodes.Name) and condition.ident.text == "yes"
                lead = line(
                    "again and again" if always else "as long as ",
                    () if always else speaker.claim(condition),
                )
                yield self._led(lead, body, statement)
            case nodes.SecretlyStmt():
                yield self._secretly(statement)
            case nodes.MayStmt():
                yield from self._may(statement)
            case nodes.OptionsStmt(who=who, text=text, alternatives=alternatives):
                lead = line(
                    speaker.noun(who),
                    f" {does(speaker.noun(who), 'chooses')} one",
                    self._asked(text),
                    ":",
                )
                below = Listing(tuple(self._alternative(each) for each in alternatives))
                yield Item(line(sentence(lead), cited(statement)), (below,))
            case nodes.LastingStmt(until=until, rules=rules):
                below = Listing(tuple(self.rule(each) for each in rules))
                yield Item(
                    line(sentence(self.until(until), " this holds:"), cited(statement)), (below,)
                )
            case _:
                yield Item(words_of("\u2026"))

    def _each(self, name: nodes.Ident, second: nodes.Ident | None, source: nodes.Expr) -> Line:
        speaker = self.speaker
        if second is not None:
            return line(
                "for each ",
                Term(spoken(name.text)),
                " in ",
                speaker.noun(source),
                ", as often as ",
                Term(spoken(second.text)),
            )
        match source:
            case nodes.KindName() | nodes.Where() | nodes.At():
                said = speaker.those(source, "each")
            case nodes.SortedBy(source=nodes.KindName() as inner, ordering=ordering):
                said = line(
                    speaker.those(inner, "each"),
                    ", in order of ",
                    speaker.ordering(ordering, article=False),
                )
            case _:
                return line(
                    "for each of ", speaker.noun(source), " (", Term(spoken(name.text)), ")"
                )
        kind = plain(said).partition(" ")[0].rstrip(",")
        return (
            line("for each ", said)
            if spoken(name.text) == kind
            else line("for each ", said, " (", Term(spoken(name.text)), ")")
        )

    def _secretly(self, statement: nodes.SecretlyStmt) -> Item:
        each = self._each(statement.name, None, statement.source)
        who = nodes.Name(statement.name.span, statement.name)
        asked = [self._chooses(who, choice) for choice in statement.choices]
        lead = sentence(
            "secretly and all at once, ",
            each,
            ": each",
            asked[0],
            *(line(" and", more) for more in asked[1:]),
        )
        items = [item for inner in statement.body.statements for item in self.items(inner)]
        return Item(
            line(lead, cited(statement)),
            (
                Paragraph(line("When all have chosen, for each of them:")),
                Listing(tuple(items), ordered=len(items) > 1),
            ),
        )

    def _may(self, statement: nodes.MayStmt) -> Iterator[Item]:
        speaker = self.speaker
        only: Line = ()
        if statement.condition is not None:
            only = line("if ", speaker.claim(statement.condition), ", ")
        asked = line(self._asked(statement.text), self._policy(statement.policy))
        lead = line(only, speaker.noun(statement.who), " may say yes", asked, "; if so")
        yield self._led(lead, statement.body, statement)
        if statement.otherwise is not None:
            yield self._led(line("otherwise"), statement.otherwise, statement.otherwise)

    def _alternative(self, of: nodes.Alternative) -> Item:
        lead: Line = (Quote(clean(of.label.value)),)
        if of.condition is not None:
            lead = line(lead, ", if ", self.speaker.claim(of.condition))
        return self._led(line(lead, self._policy(of.policy)), of.body, of)

    # ------------------------------------------------------------ rules about doings

    def rule(self, of: nodes.Node) -> Item:
        """Tell a rule about doings, a state rule, an exception elsewhere, or what takes one out."""
        item = self._rule(of)
        if not isinstance(of, nodes.Decl) or not of.doc:
            return item
        return Item(item.text, (Paragraph(words_of(" ".join(of.doc.split()))), *item.below))

    def _rule(self, of: nodes.Node) -> Item:
        match of:
            case nodes.NamedRuleDecl(name=name, rule=inner):
                item = self.rule(inner)
                return Item(
                    line(
                        Term(spoken(name.text), self.lexicon.anchors.get(of, "")),
                        ": ",
                        item.text,
                        cited(of),
                    ),
                    item.below,
                )
            case nodes.HookDecl():
                return self._led(self.when(of), of.body, of)
            case nodes.StateRuleDecl(condition=condition, body=body):
                return self._led(line("whenever ", self.speaker.claim(condition)), body, of)
            case nodes.ClauseDecl():
                return Item(line(sentence(self._clause(of)), cited(of)))
            case nodes.DropDecl():
                return Item(line(sentence(self._drop(of)), cited(of)))
            case nodes.KeepsDecl():
                return Item(line(sentence(self.kept(of)), cited(of)))
            case _:
                return Item(words_of(flat(of)))

    def when(self, of: nodes.HookDecl) -> Line:
        """Say what a rule waits for."""
        speaker = self.speaker
        said = line(f"{_TIMING[of.timing]} ", self.event(of.event))
        if of.condition is not None:
            said = line(said, ", if ", speaker.claim(of.condition))
        if of.once:
            said = line(said, ", once only")
        if of.ask is not None:
            said = line(
                said,
                ", ",
                speaker.noun(of.ask.who),
                " may do this",
                self._asked(of.ask.text),
                self._policy(of.ask.policy),
            )
        return said

    def event(self, event: nodes.Event) -> Line:
        """Name what rules can wait for."""
        speaker = self.speaker
        match event:
            case nodes.NamedEvent(path=path, args=args, result=result):
                said = self._path(path)
                if args:
                    said = line(said, " (", commas([speaker.noun(each) for each in args]), ")")
                return (
                    line(said, " with the result ", Term(spoken(result.text)))
                    if result is not None
                    else said
                )
            case nodes.GainEvent(who=who, amount=amount, field=field, source=source):
                side = line(" from ", speaker.name(source)) if source is not None else ()
                return line(
                    speaker.bound(who.text),
                    " gains ",
                    Term(spoken(amount.text)),
                    f" {spoken(field.text)}",
                    side,
                )
            case nodes.LoseEvent(who=who, amount=amount, field=field, target=target):
                side = line(" to ", speaker.name(target)) if target is not None else ()
                return line(
                    speaker.bound(who.text),
                    " loses ",
                    Term(spoken(amount.text)),
                    f" {spoken(field.text)}",
                    side,
                )
            case nodes.MoveEvent(thing=thing, place=place):
                return line(speaker.bound(thing.text), " goes to ", speaker.noun(place))
            case nodes.RollEvent(enum=enum, by=by, result=result):
                said = line(f"a roll of {enum.text}")
                said = line(said, " by ", speaker.noun(by)) if by is not None else said
                return (
                    line(said, " (", Term(spoken(result.text)), ")") if result is not None else said
                )

    def _path(self, path: Sequence[nodes.Ident]) -> Line:
        first, *rest = path
        if not rest:
            return self.speaker.term(first.text)
        symbol = self.lexicon.tables.symbols.get(first.text)
        anchor = ""
        if symbol is not None:
            anchor = next(
                (
                    self.lexicon.anchors.get(node, "")
                    for node in nodes.walk(symbol.node)
                    if isinstance(node, nodes.StepStmt) and node.name.text == rest[0].text
                ),
                "",
            )
        return line(
            "the step ", Term(spoken(rest[0].text), anchor), " of ", self.speaker.term(first.text)
        )

    def _clause(self, of: nodes.ClauseDecl) -> Line:
        head = self.head(of.head)
        change = self.change(of.change)
        why = line(" ", Quote(clean(of.reason.value))) if of.reason is not None else ()
        when = (
            line("if ", self.speaker.claim(of.condition), ": ") if of.condition is not None else ()
        )
        wins = (
            line("; this wins over ", Term(spoken(of.after.text))) if of.after is not None else ()
        )
        symbol = self.lexicon.tables.symbols.get(of.head.name.text)
        if of.head.owner is None and symbol is not None and symbol.form == "permission":
            verdict = {"no": "is forbidden", "yes": "is allowed"}.get(
                flat(of.change.value), "is allowed or not"
            )
            return line(when, head, f" {verdict}", why, wins)
        return line(when, head, " is ", change, why, wins)

    def head(self, head: nodes.Head) -> Line:
        """Name what an exception or definition is about, with the names that it gives."""
        anchor = self.lexicon.anchor_of(head.name.text)
        params = [self.speaker.bound(each.name.text) for each in head.params or ()]
        if head.owner is None:
            said = line(Term(spoken(head.name.text), anchor))
            return line(said, " (", commas(params), ")") if params else said
        owner = line("you") if head.owner.text == "you" else self.speaker.bound(head.owner.text)
        anchor = self.lexicon.property_anchor(head.name.text, head.owner.text)
        said = line("the ", Term(spoken(head.name.text), anchor), " of ", owner)
        return line(said, " for ", joined(params)) if params else said

    def change(self, of: nodes.Change) -> Line:
        """Say what an exception does to a value."""
        match of.sign:
            case "+":
                return line(self.speaker.noun(of.value), " more")
            case "-":
                return line(self.speaker.noun(of.value), " less")
            case _:
                return line(self.speaker.noun(of.value), " instead")

    def _drop(self, of: nodes.DropDecl) -> Line:
        when = line(" if ", self.speaker.claim(of.condition)) if of.condition is not None else ()
        if of.text is not None:
            return line(Quote(clean(of.text.value)), " need not hold", when)
        *above, last = of.path
        if not above:
            return line("the rule ", self.speaker.term(last.text), " is not in force", when)
        of_what = ".".join(spoken(each.text) for each in above)
        anchor = self.lexicon.anchor_of(above[-1].text) or self.lexicon.property_anchor(
            above[-1].text, ""
        )
        return line(
            "\u201c",
            spoken(last.text),
            "\u201d of ",
            Term(of_what, anchor),
            " does not count",
            when,
        )

    def kept(self, of: nodes.KeepsDecl) -> Line:
        """Say what is remembered as long as something lasts."""
        owner = line("for each ", spoken(of.owner.text), ", ") if of.owner is not None else ()
        said = line(owner, Term(spoken(of.name.text)), ": ", type_words(of.type, self.lexicon))
        if of.initial is not None:
            said = line(said, ", at first ", self.speaker.noun(of.initial.value))
        return line(said, self._until(of.until))

    def rules(self, of: Iterable[nodes.Node]) -> tuple[Block, ...]:
        """Tell several rules as points, one as a paragraph with what belongs to it."""
        items = [self.rule(each) for each in of]
        if len(items) == 1:
            return (Paragraph(items[0].text), *items[0].below)
        return (Listing(tuple(items)),) if items else ()


def does(subject: Line, verb: str) -> str:
    """Give a verb as said of a subject: `gains` of one, `gain` of you and of several."""
    text = plain(subject)
    several = text == "you" or text.startswith("all ")
    return _BARE.get(verb, verb.removesuffix("s")) if several else verb
