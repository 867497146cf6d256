"""Text to syntax tree, with recovery of our own.

`parse` never raises and reports every mistake once. The text is divided into declarations
(`layout.chunks`), each is parsed line by line. When a token cannot stand where it is:

1. `mistakes.diagnose` says what is wrong and, where the intention is clear, gives the line as it
   was meant, or a correction of the layout (a missing colon, a line that is too deep);
2. the machine goes back to the beginning of that line and reads the corrected line;
3. if nothing is known, a stand-in is read: the same kind of header without its content, so that
   the block below is still checked, or a line that says "reported". A block that could not be
   understood without its header is passed over.

So ten independent mistakes give ten findings at their places, and none of them a second one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import attrs

from rulelang import layout, mistakes, nodes
from rulelang.building import Builder
from rulelang.diagnostics import Diagnostic, DiagnosticBag, Label, Severity
from rulelang.layout import Corrections, LogicalLine
from rulelang.lexer import Line, Token, lex
from rulelang.machine import Machine, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.source import SourceFile

MAX_TEXT: Final = 2_000_000
MAX_ERRORS: Final = 200
MAX_REPAIRS: Final = 3
MAX_DEPTH: Final = 100
WRAPPERS: Final = 6  # nodes that have no token of their own, on the way down through one line


@attrs.frozen
class ParseResult:
    """A syntax tree, as complete as the text allows, and what was found wrong with it."""

    module: nodes.Module
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_errors(self) -> bool:
        """Whether the tree is incomplete."""
        return any(found.is_error for found in self.diagnostics)


class Kept(Protocol):
    """Declarations of an earlier state of a text, for a tool that parses after each edit."""

    def item(self, source: SourceFile, start: int, end: int, doc: str) -> nodes.Item | None:
        """Give the declaration that these characters and the comment above them make, if it is known."""

    def keep(self, item: nodes.Item, source: SourceFile, start: int, end: int, doc: str) -> None:
        """Take a declaration in which nothing was found wrong."""


def parse(source: SourceFile, kept: Kept | None = None) -> ParseResult:
    """Parse one file.

    Args:
        source: Any text at all.
        kept: What is known of its declarations; each that is given is not parsed.

    Returns:
        The declarations that could be read and the findings, by place.
    """
    bag = DiagnosticBag()
    whole = source.span(0, len(source.text))
    if len(source.text) > MAX_TEXT:
        bag.error(
            "E0109",
            source.span(0, 0),
            "this file is too large",
            notes=(f"A file has at most {MAX_TEXT} characters.",),
            help="divide it: the files of one folder are one text",
        )
        return ParseResult(nodes.Module(whole, source, (), ()), bag.sorted())
    lexed = lex(source, bag)
    docs = _docs(lexed.lines, lexed.comments)
    builder = Builder(source, docs)
    items: list[nodes.Item] = []
    for chunk in layout.chunks(lexed.lines):
        if len(bag) > MAX_ERRORS:
            break
        start, end = chunk[0].tokens[0].start, chunk[-1].tokens[-1].end
        place = (source, start, end, docs.get(start, ""))
        item = kept.item(*place) if kept is not None else None
        if item is None:
            found = len(bag)
            item = _ChunkParser(source, chunk, builder, bag, lexed.reported).run()
            if kept is not None and item is not None and len(bag) == found:
                kept.keep(item, *place)
        if item is not None:
            items.append(item)
    module = nodes.Module(whole, source, tuple(items), tuple(lexed.comments))
    return ParseResult(module, _first_of(bag))


def _first_of(bag: DiagnosticBag) -> tuple[Diagnostic, ...]:
    """Give the findings by place, but no more than people would read."""
    found = bag.sorted()
    if len(found) <= MAX_ERRORS:
        return found
    more = Diagnostic(
        "E0109",
        Severity.ERROR,
        "too many mistakes: the rest of this file is not looked at",
        Label(found[MAX_ERRORS].span),
    )
    return (*found[:MAX_ERRORS], more)


def _docs(lines: Sequence[Line], comments: Sequence[nodes.Comment]) -> dict[int, str]:
    """Find the `##` comments that stand directly above lines."""
    texts = {
        comment.span.line: comment.text[2:].strip()
        for comment in comments
        if comment.is_doc and comment.own_line
    }
    docs: dict[int, str] = {}
    for line in lines:
        above = line.number - 1
        found: list[str] = []
        while above in texts:
            found.append(texts[above])
            above -= 1
        if found:
            docs[line.tokens[0].start] = "\n".join(reversed(found))
    return docs


class _Relayout(Exception):  # noqa: N818 - control flow inside this module, never an error
    """The corrections have changed: the chunk is laid out and parsed again."""

    def __init__(self, start: int) -> None:
        """Remember the line that was cut."""
        super().__init__()
        self.start = start


class _ChunkParser:
    """Parses one declaration."""

    def __init__(
        self,
        source: SourceFile,
        chunk: list[Line],
        builder: Builder,
        bag: DiagnosticBag,
        reported: set[int],
    ) -> None:
        self._source = source
        self._chunk = chunk
        self._builder = builder
        self._bag = bag
        self._reported = reported
        self._corrections = Corrections()
        self._replaced: dict[int, list[Token]] = {}
        self._repairs: dict[int, int] = {}
        self._broken_header = False

    def run(self) -> nodes.Item | None:
        """Give the declaration; None if nothing at all is known of it."""
        lines: list[LogicalLine] = []
        # Each round has one correction more than the last, and a line takes at most two.
        for _ in range(2 * len(self._chunk) + 10):
            indents = DiagnosticBag()
            lines = layout.logical_lines(
                self._source, self._chunk, self._corrections, self._bag, indents, self._reported
            )
            if not self._within_limits(lines):
                return self._stand_in(lines)
            try:
                item = self._parse(lines)
                self._bag.extend(indents)
            except _Relayout as moved:
                # The line has another end now: what was repaired in it is found again.
                self._replaced.pop(moved.start, None)
                continue
            return self._finished(item, lines)
        return self._stand_in(lines)

    def _finished(self, item: nodes.Item | None, lines: list[LogicalLine]) -> nodes.Item | None:
        if item is None or self._broken_header:
            return self._stand_in(lines)
        if _is_surely_shallow(lines) or self._is_shallow(item):
            return item
        return self._stand_in(lines)

    def _stand_in(self, lines: list[LogicalLine]) -> nodes.ErrorDecl:
        """Give what is known of a declaration that could not be read."""
        tokens = lines[0].tokens
        span = self._source.span(tokens[0].start, lines[-1].tokens[-1].end)
        name = next((token for token in tokens[1:4] if token.type in ("NAME", "TYPE")), None)
        ident = nodes.Ident(self._source.span(name.start, name.end), name.text) if name else None
        return nodes.ErrorDecl(span, tokens[0].text, ident, ())

    def _within_limits(self, lines: list[LogicalLine]) -> bool:
        for line in lines:
            if len(line.tokens) > layout.MAX_LINE_TOKENS:
                self._too_much(line.tokens[layout.MAX_LINE_TOKENS], "this line is too long")
                return False
        levels: list[int] = []
        for line in lines:
            while levels and line.indent <= levels[-1]:
                levels.pop()
            levels.append(line.indent)
            if len(levels) > layout.MAX_BLOCKS:
                self._too_much(line.tokens[0], "blocks are nested too deeply")
                return False
        return True

    def _too_much(self, token: Token, headline: str) -> None:
        self._bag.error(
            "E0109",
            self._source.span(token.start, token.end),
            headline,
            help="give a part of it a name with `define` or `effect`",
        )

    def _is_shallow(self, item: nodes.Item) -> bool:
        """Keep expressions so shallow that later stages may recurse."""
        waiting: list[tuple[nodes.Node, int]] = [(item, 0)]
        while waiting:
            here, depth = waiting.pop()
            if depth > MAX_DEPTH:
                self._too_much(
                    Token("", "", here.span.start, here.span.end), "this is nested too deeply"
                )
                return False
            waiting.extend((child, depth + 1) for child in nodes.children(here))
        return True

    # -------------------------------------------------------------- one pass over the lines

    def _parse(self, lines: list[LogicalLine]) -> nodes.Item | None:
        machine = Machine(self._builder)
        levels = [0]
        at = 0
        while at < len(lines):
            line = lines[at]
            lead = self._lead(levels, line, lines[at - 1] if at else None)
            if lead and lead[-1].type == "_INDENT" and not machine.try_types(["_INDENT"]):
                self._blame_block(lines[at - 1])
                at = _after_block(lines, at - 1)
                continue
            if not self._feed_lead(machine, lead):
                self._blame_block(lines[at - 1])
                return None
            while line.indent < levels[-1]:
                levels.pop()
            if line.indent > levels[-1]:
                levels.append(line.indent)
            at = self._read_line(machine, machine.mark(), lines, at)
        tail = self._closing(levels, lines[-1].tokens[-1].end)
        if not self._feed_lead(machine, tail):
            self._blame_block(lines[-1])
            return None
        return machine.finish()

    def _lead(
        self, levels: list[int], line: LogicalLine, before: LogicalLine | None
    ) -> list[Token]:
        """Give the layout tokens in front of a line."""
        if before is None:
            return []
        # Layout has no width and stands at the end of the line before it.
        end = before.tokens[-1].end
        closed = sum(level > line.indent for level in levels)
        lead = [Token("_DEDENT", "", end, end)] * closed
        if line.indent > levels[-1]:
            lead.append(Token("_INDENT", "", end, end))
        return lead

    def _closing(self, levels: list[int], end: int) -> list[Token]:
        return [Token("_DEDENT", "", end, end)] * (len(levels) - 1)

    def _feed_lead(self, machine: Machine, lead: list[Token]) -> bool:
        for token in lead:
            mark = machine.mark() if token.type == "_DEDENT" else None
            if machine.feed(token):
                continue
            if mark is None:
                return False
            machine.reset(mark)
            filler = mistakes.filler_before_dedent(machine, token.start)
            if filler is None:
                return False
            self._report_unfinished(token)
            for part in (*filler, token):
                machine.feed(part)
        return True

    def _report_unfinished(self, token: Token) -> None:
        if self._is_reported(self._chunk[0].tokens[0].start, token.start):
            return
        self._bag.error(
            "E0102",
            self._source.span(max(token.start - 1, 0), token.start),
            "this scenario ends without `after:`",
            label="what must hold now?",
            help="add `after:` and under it what must hold",
        )

    def _blame_block(self, line: LogicalLine) -> None:
        """Report that nothing can stand under a line, or that its block is not complete."""
        if self._is_reported(line.start, line.tokens[-1].end):
            return
        token = line.tokens[-1]
        self._bag.error(
            "E0102", self._source.span(token.start, token.end), "no block can stand under this line"
        )

    def _is_reported(self, start: int, end: int) -> bool:
        return any(start <= place <= end for place in self._reported)

    def _read_line(self, machine: Machine, mark: Mark, lines: list[LogicalLine], at: int) -> int:
        """Read one line, replaced or not; give the number of the line to read next."""
        line = lines[at]
        deeper = _after_block(lines, at)
        has_block = deeper > at + 1
        while True:
            tokens = self._replaced.get(line.start, line.tokens)
            end = line.tokens[-1].end
            newline = Token("_NL", "", end, end)
            failed = next(
                (i for i, token in enumerate((*tokens, newline)) if not machine.feed(token)), None
            )
            lacks_block = line.lacks_block and tokens[-1].type == "_COLON"
            if failed is None and not lacks_block:
                return at + 1
            machine.reset(mark)
            if failed is None and self._open_missing_block(machine, line, (*tokens, newline)):
                return at + 1
            if not self._correct(machine, mark, line, tokens, failed, has_block):
                break
            machine.reset(mark)
        machine.reset(mark)
        stand_in = mistakes.stand_in(machine, line, lines[at + 1] if has_block else None)
        if stand_in is None:
            self._broken_header = True
            return len(lines)
        if at == 0:
            self._broken_header = True
        for token in (*stand_in.tokens, Token("_NL", "", line.tokens[-1].end, line.tokens[-1].end)):
            machine.feed(token)
        return at + 1 if stand_in.keeps_block else deeper

    def _open_missing_block(
        self, machine: Machine, line: LogicalLine, tokens: tuple[Token, ...]
    ) -> bool:
        """Read a line that ends with a colon under which nothing stands, with a block that says so."""
        for token in tokens:
            machine.feed(token)
        end = tokens[-1].end
        parts = [Token(kind, "", end, end) for kind in ("_INDENT", "ERROR_LINE", "_NL", "_DEDENT")]
        if machine.try_types(part.type for part in parts) < len(parts):
            return False
        if not self._is_reported(line.start, end):
            self._bag.add(mistakes.missing_block(self._source, line))
            self._reported.add(line.start)
        for part in parts:
            machine.feed(part)
        return True

    def _correct(
        self,
        machine: Machine,
        mark: Mark,
        line: LogicalLine,
        tokens: list[Token],
        failed: int | None,
        has_block: bool,
    ) -> bool:
        """Report the mistake; True if the line, as it was meant, can be read again.

        Raises:
            _Relayout: The mistake is one of layout.
        """
        if self._is_reported(line.start, line.tokens[-1].end):
            return False
        machine.reset(mark)
        place = len(tokens) if failed is None else failed
        for token in tokens[:place]:
            machine.feed(token)
        finding = mistakes.diagnose(
            mistakes.Situation(self._source, machine, mark, line, tokens, place, has_block)
        )
        self._bag.add(finding.diagnostic)
        if finding.colon_after is not None:
            self._corrections.colons.add(finding.colon_after)
            raise _Relayout(line.start)
        if finding.starts_line is not None:
            self._corrections.starts.add(finding.starts_line)
            raise _Relayout(line.start)
        repairs = self._repairs.get(line.start, 0)
        if finding.repaired is None or repairs >= MAX_REPAIRS:
            self._reported.add(line.start)
            self._replaced.pop(line.start, None)
            return False
        self._repairs[line.start] = repairs + 1
        self._replaced[line.start] = finding.repaired
        return True


def _is_surely_shallow(lines: list[LogicalLine]) -> bool:
    """Tell whether no line and its block can be nested too deeply: each token makes a node deeper once at most."""
    longest: dict[int, int] = {}
    for line in lines:
        longest[line.indent] = max(longest.get(line.indent, 0), len(line.tokens))
    return sum(longest.values()) + WRAPPERS * len(longest) < MAX_DEPTH


def _after_block(lines: list[LogicalLine], at: int) -> int:
    """Give the number of the first line after one and its block."""
    following = at + 1
    while following < len(lines) and lines[following].indent > lines[at].indent:
        following += 1
    return following
