"""Questions about a ruleset: expressions that read the state of a game, compiled for its program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import api, ir, nodes
from rulelang.gathering import game_in, gather
from rulelang.parser import parse
from rulelang.source import SourceFile, Span
from rulelang.texts import Texts

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from rulelang.binding.context import KnownSheet
    from rulelang.diagnostics import Diagnostic, Edit, Label
    from rulelang.parser import ParseResult

QUESTION: Final = "question"
"""What findings call the text that is asked."""

_TITLE: Final = "What is asked?"
_BEFORE: Final = "        let the_answer = "


class Questions:
    """A ruleset that can be asked; it is read and parsed once.

    Args:
        name_or_path: See `rulelang.api.load`.
        seats: How many seats there are.
        variants: What to merge.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """

    def __init__(
        self,
        name_or_path: str | os.PathLike[str],
        *,
        seats: int,
        variants: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        self._gathered = gather(name_or_path, variants)
        self._seats = seats
        self._parsed: dict[str, ParseResult] = {
            source.path: parse(source) for source in self._gathered.read.sources
        }
        self._sheets: dict[str, KnownSheet] = {}
        self._permissions = {
            item.name.text
            for result in self._parsed.values()
            for each in result.module.items
            for item in (each.items if isinstance(each, nodes.VariantDecl) else (each,))
            if isinstance(item, nodes.MayDecl)
        }

    def compiled(self, asked: str) -> tuple[ir.Program, ir.Expr]:
        """Compile the ruleset with an expression that reads its state.

        The players are `seat_1`, `seat_2` ...; of the name of a permission with its arguments the word `may` can
        be left out.

        Returns:
            The program, which has the digest of the ruleset, and the expression for it.

        Raises:
            RulesetError: The ruleset has errors, or the expression has; those of the expression are in a file
                `question`, which is what was asked.
        """
        said = " ".join(asked.split())
        more = "may " if said.partition("(")[0].strip() in self._permissions else ""
        text = self._text(more + said)
        question = SourceFile(QUESTION, text)
        read = self._gathered.read
        texts = Texts(
            (*read.sources, question),
            read.read,
            own=self._gathered.own,
            parsing=self._parse,
            sheets=self._sheets,
        )
        program, bag = texts.compile(self._gathered.variants, seats=self._seats, scenarios=True)
        if program is None:
            shown = SourceFile(QUESTION, said)
            start = text.index(_BEFORE) + len(_BEFORE) + len(more)
            found = [_moved(each, shown, start) for each in texts.found(bag)]
            about = [each for each in found if each.span.file.path == QUESTION and each.is_error]
            raise api.RulesetError(about or found, None if about else read.root)
        return program, _answer_of(program)

    def _parse(self, source: SourceFile) -> ParseResult:
        return self._parsed.get(source.path) or parse(source)

    def _text(self, asked: str) -> str:
        people = ", ".join(f"seat_{seat}" for seat in range(1, self._seats + 1))
        chosen = "".join(f" with {each}" for each in self._gathered.variants)
        game = game_in(self._gathered.read.sources)
        return f"""scenario "{_TITLE}" of {game}{chosen}:
    people {people}
    before:
{_BEFORE}{asked}
    do nothing
    after:
        yes
"""


def _answer_of(program: ir.Program) -> ir.Expr:
    """Give the expression: a name that a scenario declares is a value of the state."""
    scenario = next(each for each in program.scenarios if each.title == _TITLE)
    body = () if scenario.before is None else program.doings[scenario.before].body
    return next(line.value for line in body if isinstance(line, ir.SetGlobal))


# ---------------------------------------------------------------- findings about what was asked


def _moved(found: Diagnostic, shown: SourceFile, start: int) -> Diagnostic:
    """Give a finding with the places in the question as it was asked, without what stands around it."""

    def span(of: Span) -> Span:
        if of.file.path != QUESTION:
            return of
        last = len(shown.text)
        first = min(max(of.start - start, 0), last)
        return shown.span(first, min(max(of.end - start, first), last))

    def label(of: Label) -> Label:
        return attrs.evolve(of, span=span(of.span))

    def edit(of: Edit) -> Edit:
        return attrs.evolve(of, span=span(of.span))

    fix = found.fix
    if fix is not None:
        fix = attrs.evolve(fix, edits=tuple(edit(each) for each in fix.edits))
    return attrs.evolve(
        found,
        primary=label(found.primary),
        secondary=tuple(label(each) for each in found.secondary),
        fix=fix,
    )


# ---------------------------------------------------------------- where a rule comes from


class Origins:
    """Says which variant a place of a program stands in; parses the texts that are asked for, once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[int, tuple[tuple[int, int, str], ...]] = {}

    def variant_at(self, span: ir.Span) -> str:
        """Give the name of the variant; empty for a place of the game itself, or none."""
        if span == ir.NOWHERE or not self._program.variants:
            return ""
        return next(
            (name for first, last, name in self._variants(span.file) if first <= span.line <= last),
            "",
        )

    def _variants(self, file: int) -> tuple[tuple[int, int, str], ...]:
        """Give first line, last line and name of each variant of a text."""
        if file not in self._known:
            source = SourceFile(self._program.files[file], self._program.sources[file])
            self._known[file] = tuple(
                (each.span.line, source.line_of(each.span.end), each.name.text)
                for each in parse(source).module.items
                if isinstance(each, nodes.VariantDecl)
            )
        return self._known[file]
