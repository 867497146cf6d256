"""Texts in, findings and programs out: what the command line, tools and tests call.

Importing this imports neither the parser nor the rest of the language: `load_ruleset` takes a
program that was made before from the cache without either.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import files, ir
from rulelang.data import DataFileError, is_outside
from rulelang.diagnostics import Diagnostic, DiagnosticBag
from rulelang.discovery import find_ruleset
from rulelang.files import RulesetNotFoundError
from rulelang.gathering import VariantNotFoundError, gather
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rulelang.data import Reader
    from rulelang.files import RulesetFiles
    from rulelang.gathering import Gathered
    from rulelang.presenting import Hints
    from rulelang.texts import Group, Texts

__all__ = [
    "LoadResult",
    "RulesetError",
    "RulesetNotFoundError",
    "VariantNotFoundError",
    "check_path",
    "check_text",
    "contested",
    "find_ruleset",
    "load",
    "load_ruleset",
    "table_hints",
]

SCENARIO: Final = "scenario.rules"
"""What findings call the text that `load_scenario` compiles."""

_MISSING_FILE: Final = "E0801"


class RulesetError(Exception):
    """A ruleset has errors.

    Attributes:
        diagnostics: All findings, by place.
        root: The folder that their paths begin in; None for texts in memory.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic], root: Path | None = None) -> None:
        """Take the findings."""
        self.diagnostics = tuple(diagnostics)
        self.root = root
        errors = [found for found in self.diagnostics if found.is_error]
        first = f": {errors[0].span}: {errors[0].headline}" if errors else ""
        super().__init__(f"the ruleset has {len(errors)} error{'s' * (len(errors) != 1)}{first}")


@attrs.frozen(eq=False)
class LoadResult:
    """What became of a ruleset.

    Attributes:
        program: Ready to run; None if there are errors.
        diagnostics: All findings, by place.
        files: The rule texts that were read.
        root: The folder that their paths begin in; None for texts in memory.
        notes: What is good to know and nothing to mend, as sentences.
    """

    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]
    files: tuple[SourceFile, ...]
    root: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether an error is among the findings."""
        return any(found.is_error for found in self.diagnostics)


def load(
    name_or_path: str | os.PathLike[str],
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
    variants: Iterable[str | os.PathLike[str]] = (),
) -> LoadResult:
    """Read, check and compile a ruleset.

    Args:
        name_or_path: The path of its folder or file, or its name.
        seats: How many seats there are, whatever the game says.
        people: How many take part; counts where the game does not set `seats`.
        scenarios: Whether to compile the scenarios that are for just these variants and seats too.
        variants: What to merge: names of variants of the game, and paths of `.rules` files whose variants are all
            meant. Their order does not matter.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """
    return _compile(
        gather(name_or_path, variants, scenarios=scenarios),
        seats=seats,
        people=people,
        scenarios=scenarios,
    )


def load_ruleset(
    name_or_path: str | os.PathLike[str],
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
    variants: Iterable[str | os.PathLike[str]] = (),
    cache: bool = True,
) -> ir.Program:
    """Give the program of a ruleset, from the cache if the same texts were compiled before.

    Args:
        name_or_path: See `load`, as for the other arguments.
        seats: How many seats there are.
        people: How many take part.
        scenarios: Whether to compile its scenarios too.
        variants: What to merge.
        cache: Whether to look in the cache, and to leave the program there.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
        RulesetError: It has errors.
    """
    gathered = gather(name_or_path, variants, scenarios=scenarios)
    asked = (seats, people, scenarios, gathered.variants)

    def compiled() -> LoadResult:
        return _compile(gathered, seats=seats, people=people, scenarios=scenarios)

    return _cached(gathered.read, asked, compiled) if cache else _program_of(compiled())


def table_hints(name_or_path: str | os.PathLike[str], program: ir.Program) -> Hints:
    """Read how a table of a game is best shown; see `rulelang.presenting`.

    Args:
        name_or_path: As in `load`.
        program: The game, with whatever variants are merged.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        RulesetError: The file has mistakes.
    """
    from rulelang import presenting  # noqa: PLC0415 - few commands show a table

    read = gather(name_or_path).read
    try:
        data = read.read(presenting.FILE)
    except DataFileError:
        return presenting.Hints()
    bag = DiagnosticBag()
    hints = presenting.read_hints(SourceFile.from_bytes(presenting.FILE, data), program, bag)
    if bag.has_errors:
        raise RulesetError(bag.sorted(), read.root)
    return hints


def load_scenario(
    name_or_path: str | os.PathLike[str],
    text: str,
    *,
    seats: int,
    variants: Iterable[str | os.PathLike[str]] = (),
) -> ir.Program:
    """Compile a ruleset with the scenarios of a text, and no others.

    Args:
        name_or_path: See `load`.
        text: The scenarios.
        seats: How many seats there are.
        variants: What to merge.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
        RulesetError: It has errors, or the text has; those of the text are in a file `scenario.rules`.
    """
    gathered = gather(name_or_path, variants)
    source = SourceFile(SCENARIO, text)
    read = attrs.evolve(gathered.read, sources=(*gathered.read.sources, source))
    gathered = attrs.evolve(gathered, read=read)
    texts = _parsed(gathered)
    program, bag = texts.compile(gathered.variants, seats=seats, scenarios=True)
    program = _program_of(_loaded(gathered, texts, program, texts.found(bag)))
    return _only_from(program, frozenset((SCENARIO,)))


def scenario_programs(
    name_or_path: str | os.PathLike[str],
    variants: Iterable[str | os.PathLike[str]] = (),
    *,
    only: str | None = None,
    cache: bool = True,
) -> Iterator[ir.Program]:
    """Compile a ruleset for every set of variants and number of seats that one of its scenarios is for.

    Args:
        name_or_path: See `load`. Of a file without a game only its own scenarios are taken.
        variants: If there are any, only scenarios that are for at least one of them are taken.
        only: If given, only sets are compiled that a scenario is for with this text in its title or citations.
        cache: Whether to look in the cache, and to leave the programs there.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
        RulesetError: It has errors, or a scenario is for variants that cannot be merged.
    """
    chosen = tuple(variants)
    gathered = gather(name_or_path, chosen, everything=True)
    texts = _parsed(gathered)
    wrong = texts.wrong_scenes()
    if wrong.has_errors or texts.bag.has_errors:
        raise RulesetError(texts.found(wrong), gathered.read.root)
    for group in texts.groups(only):
        if chosen and not set(gathered.variants) & set(group.variants):
            continue

        def compiled(group: Group = group) -> LoadResult:
            program, bag = texts.compile(group.variants, seats=group.seats, scenarios=True)
            return _loaded(gathered, texts, program, texts.found(bag))

        asked = (group.seats, None, True, group.variants)
        program = _cached(gathered.read, asked, compiled) if cache else _program_of(compiled())
        if gathered.own is not None:
            program = _only_from(program, gathered.own)
        if program.scenarios:
            yield program


def contested(
    name_or_path: str | os.PathLike[str],
    found: Diagnostic,
    variants: Iterable[str | os.PathLike[str]] = (),
) -> ir.Program | None:
    """Make a program in which two rules that contradict each other are left, to see where they meet.

    Args:
        name_or_path: See `load`.
        found: The finding about the two rules. The variants that they stand in are merged, with
            those that they need.
        variants: What else is read: paths of files that hold some of these variants.

    Returns:
        The program; None if something else is wrong too.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """
    texts = _parsed(gather(name_or_path, variants, everything=True))
    spans = [found.span, *(label.span for label in found.secondary)]
    return texts.contested(texts.variants_at((span.file.path, span.start) for span in spans))


def variant_sets(name_or_path: str | os.PathLike[str]) -> tuple[tuple[str, ...], ...]:
    """Give each variant of a game, by name, with all that it needs.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
    """
    return _parsed(gather(name_or_path, everything=True)).variant_sets()


def check_path(
    paths: Iterable[str | os.PathLike[str]],
    variants: Iterable[str | os.PathLike[str]] = (),
    *,
    cache: bool = False,
    jobs: int | None = 1,
) -> tuple[LoadResult, ...]:
    """Check rulesets with each of their variants and all scenarios, each ruleset for itself.

    A file without a game belongs to the game that its variants or scenarios name; otherwise it is
    checked alone.

    Args:
        paths: Of folders and files, or names of rulesets.
        variants: If there are any, the base with all of these together is checked, and nothing else.
        cache: Whether to look in the cache for what was found before, and to leave there what is found. What is
            known is not compiled, so that there may be no program where there is no error either.
        jobs: How many processes may share the work; None: as many as this one may use at a time.

    Raises:
        RulesetNotFoundError: One of them does not exist.
        VariantNotFoundError: There is no such variant.
    """
    chosen = tuple(variants)
    return tuple(
        _checked(
            gather(path, chosen, everything=not chosen), jobs, merged=bool(chosen), cache=cache
        )
        for path in paths
    )


@attrs.frozen(eq=False)
class Mended:
    """What became of a ruleset whose findings were mended.

    Attributes:
        result: What is left.
        changes: Each text that has changed: where it lies, before, after.
        applied: How many fixes were applied.
    """

    result: LoadResult
    changes: tuple[tuple[Path, str, str], ...]
    applied: int


def mend_path(
    path: str | os.PathLike[str],
    variants: Iterable[str | os.PathLike[str]] = (),
    *,
    unsafe: bool = False,
    allowed: Iterable[str] = (),
    cache: bool = False,
    jobs: int | None = 1,
) -> Mended:
    """Check a ruleset and apply fixes until nothing changes any more; nothing is written.

    Only texts in its folder are mended, and of a file of variants or scenarios that was named alone only that.

    Args:
        path: See `check_path`.
        variants: See `check_path`.
        unsafe: Whether to apply fixes too that may change what the ruleset means.
        allowed: Names of warnings that are not mended.
        cache: See `check_path`.
        jobs: See `check_path`.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        VariantNotFoundError: There is no such variant.
    """
    from rulelang import fixing  # noqa: PLC0415 - it needs the parser
    from rulelang.allowing import without  # noqa: PLC0415 - the same

    chosen, names = tuple(variants), tuple(allowed)
    gathered = gather(path, chosen, everything=not chosen)
    before = {source.path: source.text for source in gathered.read.sources}
    only = frozenset(each for each in before if not is_outside(each))
    seen = set[tuple[str, ...]]()
    applied = 0
    while True:
        result = _checked(gathered, jobs, merged=bool(chosen), cache=cache)
        sources = gathered.read.sources
        seen.add(tuple(source.text for source in sources))
        turn = fixing.mend(
            sources,
            without(result.diagnostics, names),
            unsafe=unsafe,
            only=gathered.own if gathered.own is not None else only,
        )
        after = tuple(source.text for source in turn.sources)
        if after in seen or len(seen) > fixing.MAX_ROUNDS:
            break
        applied += turn.applied
        gathered = attrs.evolve(gathered, read=attrs.evolve(gathered.read, sources=turn.sources))
    root = gathered.read.root
    changes = tuple(
        (root / source.path, before[source.path], source.text)
        for source in gathered.read.sources
        if source.text != before[source.path]
    )
    return Mended(result, changes, applied)


def pins(path: str | os.PathLike[str]) -> tuple[tuple[Path, str], ...]:
    """Pin the variants of a file to their base as it is: see `rulelang.variants.pins`.

    Args:
        path: Of a file of variants, or of a ruleset for all its files of variants.

    Returns:
        For each file of variants the file of pins that belongs beside it, with its text.

    Raises:
        RulesetNotFoundError: There is no such file.
        VariantNotFoundError: There is no variant in it.
        RulesetError: It has errors.
    """
    from rulelang.variants.pins import SUFFIX, dumps  # noqa: PLC0415

    gathered = gather(path, everything=True)
    read, texts = gathered.read, _parsed(gathered)
    if texts.bag.has_errors:
        raise RulesetError(texts.found(), read.root)
    if not texts.own_variants:
        raise VariantNotFoundError(f"There is no variant in {os.fspath(path)!r}.")
    game = texts.own_variants[0].base.text
    return tuple(
        ((read.root / place).with_suffix(SUFFIX), dumps(game, pinned))
        for place, pinned in sorted(texts.pins().items())
    )


def check_text(
    text: str, path: str = "x.rules", files: Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """Check a text, with data files in memory.

    A text without a game is a snippet: it gets the smallest header that it can do with, and its
    citations are not looked up.

    Args:
        text: The rules.
        path: What findings call the text.
        files: Data files and further `*.rules` files by path.

    Returns:
        All findings, by place.
    """
    return check_texts({path: text, **(files or {})}).diagnostics


def check_texts(
    texts: Mapping[str, str],
    *,
    seats: int | None = None,
    scenarios: bool = True,
    variants: Iterable[str] | None = None,
) -> LoadResult:
    """Compile a ruleset that is in memory, rules and data files by path; see `check_text`.

    Args:
        texts: By path.
        seats: How many seats there are, whatever the game says.
        scenarios: Whether to compile the scenarios too.
        variants: Names of the variants to merge; only this set is then checked. None: the base, and each variant is
            checked with it.
    """
    parsed = texts_in_memory(texts)
    if variants is None:
        program, found = parsed.check(seats, scenarios=scenarios)
    else:
        program, bag = parsed.compile(variants, seats=seats, scenarios=scenarios, linted=True)
        found = parsed.found(bag)
    return LoadResult(program, found, parsed.sources, notes=parsed.notes)


def texts_in_memory(texts: Mapping[str, str]) -> Texts:
    """Parse a ruleset that is in memory, rules and data files by path."""
    from rulelang.texts import Texts  # noqa: PLC0415

    def read(path: str) -> bytes:
        if path not in texts:
            raise DataFileError("there is no such file")
        return texts[path].encode()

    sources = [
        SourceFile(path, texts[path]) for path in sorted(texts) if path.endswith(files.SUFFIX)
    ]
    return Texts(sources, read, alone=True)


# ---------------------------------------------------------------- inside


def _compile(
    gathered: Gathered,
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
) -> LoadResult:
    texts = _parsed(gathered)
    texts.bag.extend(_unread(gathered.read))
    program, bag = texts.compile(gathered.variants, seats=seats, people=people, scenarios=scenarios)
    return _loaded(gathered, texts, program, texts.found(bag))


def _checked(gathered: Gathered, jobs: int | None, *, merged: bool, cache: bool) -> LoadResult:
    """Check a ruleset with each of its variants, or with those that are merged; or give what was found before."""
    from rulelang import findings  # noqa: PLC0415 - what was found before needs no parser

    read = gathered.read
    recorder = findings.Recorder(read.read)
    book, key = None, ""
    if cache and read.sources and not read.problems:
        asked = (*gathered.variants, *sorted(gathered.own or ()))
        book = findings.opened(read.root, asked)
        key = findings.key_of(read.sources, (merged, asked))
        known = book.whole(key, read.sources, read.read)
        if known is not None:
            return LoadResult(None, known[0], read.sources, read.root, known[1])
    texts = _parsed(gathered, alone=not merged, read=recorder)
    texts.bag.extend(_unread(read))
    if merged:
        program, bag = texts.compile(gathered.variants, linted=True)
        found = texts.found(bag)
    else:
        from rulelang.checking import Remembering  # noqa: PLC0415

        program, found = texts.check(by=Remembering(texts, book, jobs))
    if book is not None:
        book.keep_whole(key, found, texts.paths(), recorder.reads, texts.notes)
        book.close()
    return _loaded(gathered, texts, program, found)


def _parsed(gathered: Gathered, *, alone: bool = False, read: Reader | None = None) -> Texts:
    from rulelang.texts import Texts  # noqa: PLC0415 - a program from the cache needs no parser

    return Texts(
        gathered.read.sources,
        gathered.read.read if read is None else read,
        alone=alone,
        own=gathered.own,
    )


def _loaded(
    gathered: Gathered, texts: Texts, program: ir.Program | None, found: tuple[Diagnostic, ...]
) -> LoadResult:
    return LoadResult(program, found, texts.sources, gathered.read.root, texts.notes)


def _unread(read: RulesetFiles) -> DiagnosticBag:
    """Report files that could not be read, and a ruleset without any."""
    bag = DiagnosticBag()
    for path, reason in read.problems:
        bag.error(_MISSING_FILE, SourceFile(path, "").span(0, 0), f"cannot read `{path}`: {reason}")
    if not read.sources and not read.problems:
        bag.error(
            _MISSING_FILE,
            SourceFile(read.root.name, "").span(0, 0),
            f"there is no {files.SUFFIX} file in `{read.root.name}`",
        )
    return bag


def _cached(read: RulesetFiles, asked: object, compiled: Callable[[], LoadResult]) -> ir.Program:
    from rulelang import cache as store  # noqa: PLC0415 - tools that only check need none

    key = store.key_of(read.sources, asked)
    found = store.fetch(key, read.read) if not read.problems else None
    if found is not None:
        return found
    program = _program_of(compiled())
    store.keep(key, program, read.read.touched)
    return program


def _program_of(result: LoadResult) -> ir.Program:
    if result.program is None:
        raise RulesetError(result.diagnostics, result.root)
    return result.program


def _only_from(program: ir.Program, own: frozenset[str]) -> ir.Program:
    """Leave out the scenarios of other files."""
    kept = tuple(each for each in program.scenarios if program.files[each.span.file] in own)
    return attrs.evolve(program, scenarios=kept)
