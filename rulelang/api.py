"""Texts in, findings and programs out: what the command line, tools and tests call.

Importing this imports neither the parser nor the rest of the language: `load_ruleset` takes a
program that was made before from the cache without either.
"""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import discovery, files, ir
from rulelang.data import DataFileError, Reader
from rulelang.diagnostics import Diagnostic, DiagnosticBag
from rulelang.discovery import find_ruleset
from rulelang.files import RulesetFiles, RulesetNotFoundError
from rulelang.source import SourceFile

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from rulelang import nodes
    from rulelang.symbols import Tables

__all__ = [
    "LoadResult",
    "RulesetError",
    "RulesetNotFoundError",
    "check_path",
    "check_text",
    "find_ruleset",
    "load",
    "load_ruleset",
    "read_tables",
]

HEADER: Final = "(header)"

_MISSING_FILE: Final = "E0801"
# Unknown names and properties, a doing without `do`, parameters without a type, unused declarations, unknown events,
# options that presets set.
_ABOUT_NAMES: Final = frozenset(("E0201", "E0202", "E0203", "E0207", "E0210", "E0213", "E0705"))
_UNUSED: Final = "E0210"
_GAME: Final = re.compile(r"^game\s+(?P<name>\w+)", re.MULTILINE)
_OF_GAME: Final = re.compile(
    r'^(?:variant\s+\w+|preset|scenario)\s*"[^"\n]*"\s+of\s+(?P<base>\w+)', re.MULTILINE
)
_WORD: Final = re.compile(r"[A-Za-z]\w*")
_SEATED: Final = ("people", "automas")
_MAX_SEATS: Final = 100


class RulesetError(Exception):
    """A ruleset has errors.

    Attributes:
        diagnostics: All findings, by place.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Take the findings."""
        self.diagnostics = tuple(diagnostics)
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
    """

    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]
    files: tuple[SourceFile, ...]
    root: Path | None = None

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
    variants: Sequence[str] = (),
) -> LoadResult:
    """Read, check and compile a ruleset.

    Args:
        name_or_path: The path of its folder or file, or the name of one that comes with the program.
        seats: How many seats there are, whatever the game says.
        people: How many take part; counts where the game does not set `seats`.
        scenarios: Whether to compile its scenarios too.
        variants: Names of the variants to merge.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
    """
    include = [*(["scenarios"] if scenarios else []), *(["variants"] if variants else [])]
    read = _with_base(files.read_ruleset(find_ruleset(name_or_path), include))
    return _compile(read, seats=seats, people=people, scenarios=scenarios, variants=variants)


def load_ruleset(
    name_or_path: str | os.PathLike[str],
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
    variants: Sequence[str] = (),
    cache: bool = True,
) -> ir.Program:
    """Give the program of a ruleset, from the cache if the same texts were compiled before.

    Args:
        name_or_path: See `load`, as for the other arguments.
        seats: How many seats there are.
        people: How many take part.
        scenarios: Whether to compile its scenarios too.
        variants: Names of the variants to merge.
        cache: Whether to look in the cache, and to leave the program there.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        RulesetError: It has errors.
    """
    from rulelang import cache as store  # noqa: PLC0415 - tools that only check need none

    include = [*(["scenarios"] if scenarios else []), *(["variants"] if variants else [])]
    read = _with_base(files.read_ruleset(find_ruleset(name_or_path), include))
    key = (
        store.key_of(read.sources, (seats, people, scenarios, tuple(sorted(variants))))
        if cache
        else ""
    )
    found = store.fetch(key, read.read) if cache and not read.problems else None
    if found is not None:
        return found
    result = _compile(read, seats=seats, people=people, scenarios=scenarios, variants=variants)
    if result.program is None:
        raise RulesetError(result.diagnostics)
    if cache:
        store.keep(key, result.program, read.read.touched)
    return result.program


def read_tables(
    name_or_path: str | os.PathLike[str], *, variants: Sequence[str] = ()
) -> tuple[Tables, Path]:
    """Read and merge a ruleset without compiling it: for what shows its text.

    All its variants are read; `variants` names those that are merged.

    Returns:
        The declarations, each with the variant that it comes from, and the folder that the paths of the files begin in.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        RulesetError: A text cannot be read, or the variants cannot be merged.
    """
    from rulelang.binder import bind  # noqa: PLC0415 - as below
    from rulelang.parser import parse  # noqa: PLC0415

    read = _with_base(files.read_ruleset(find_ruleset(name_or_path), ["variants"]), ["variants"])
    bag = DiagnosticBag()
    modules = []
    for source in read.sources:
        parsed = parse(source)
        bag.extend(parsed.diagnostics)
        modules.append(parsed.module)
    tables = bind(modules, read.read, bag, variants=variants)
    if bag.has_errors:
        raise RulesetError(bag.sorted())
    return tables, read.root


def check_path(paths: Iterable[str | os.PathLike[str]]) -> tuple[LoadResult, ...]:
    """Check rulesets with their variants and scenarios, each for itself.

    A file without a game belongs to the game that its variants or scenarios name, if that is in
    the folder above or comes with the program; otherwise it is checked alone.

    Args:
        paths: Of folders and files, or names of rulesets that come with the program.

    Raises:
        RulesetNotFoundError: One of them does not exist.
    """
    results = []
    for path in paths:
        read = _with_base(files.read_ruleset(find_ruleset(path), files.ON_REQUEST), ["variants"])
        results.append(_compile(read, scenarios=True, alone=True))
    return tuple(results)


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
    texts: Mapping[str, str], *, seats: int | None = None, scenarios: bool = True
) -> LoadResult:
    """Compile a ruleset that is in memory, rules and data files by path; see `check_text`."""

    def read(path: str) -> bytes:
        if path not in texts:
            raise DataFileError("there is no such file")
        return texts[path].encode()

    sources = [
        SourceFile(path, texts[path]) for path in sorted(texts) if path.endswith(files.SUFFIX)
    ]
    return _compile_sources(
        sources, read, DiagnosticBag(), seats=seats, scenarios=scenarios, alone=True
    )


# ---------------------------------------------------------------- the pipeline


def _compile(
    read: RulesetFiles,
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
    variants: Sequence[str] = (),
    alone: bool = False,
) -> LoadResult:
    bag = DiagnosticBag()
    for path, reason in read.problems:
        bag.error(_MISSING_FILE, SourceFile(path, "").span(0, 0), f"cannot read `{path}`: {reason}")
    if not read.sources and not read.problems:
        bag.error(
            _MISSING_FILE,
            SourceFile(read.root.name, "").span(0, 0),
            f"there is no {files.SUFFIX} file in `{read.root.name}`",
        )
    collecting = gc.isenabled()
    gc.disable()  # trees of small nodes, none of them garbage yet
    try:
        result = _compile_sources(
            read.sources,
            read.read,
            bag,
            seats=seats,
            people=people,
            scenarios=scenarios,
            variants=variants,
            alone=alone,
        )
    finally:
        if collecting:
            gc.enable()
    return attrs.evolve(result, root=read.root)


def _compile_sources(
    sources: Sequence[SourceFile],
    read: Reader,
    bag: DiagnosticBag,
    *,
    seats: int | None = None,
    people: int | None = None,
    scenarios: bool = False,
    variants: Sequence[str] = (),
    alone: bool = False,
) -> LoadResult:
    from rulelang.binder import bind  # noqa: PLC0415 - a program from the cache needs none of these
    from rulelang.lowering import lower  # noqa: PLC0415
    from rulelang.parser import parse  # noqa: PLC0415

    modules = []
    for source in sources:
        parsed = parse(source)
        bag.extend(parsed.diagnostics)
        modules.append(parsed.module)
    lost = _lost_names(modules) if bag.has_errors else frozenset()
    snippet = alone and not _has_game(modules)
    if snippet:
        modules.insert(0, parse(_header(modules)).module)
    tables = bind(
        modules, read, bag, seats=seats, people=people, variants=variants, cited=not snippet
    )
    if not alone and not variants:
        tables.presets.clear()  # they name variants, which have not been read
    program = lower(tables, bag, scenarios=scenarios)
    if alone and scenarios and seats is None:
        others = _other_tables(modules, tables.seats)
        bag = _with_findings(
            bag, [_check_for(modules, read, count, cited=not snippet) for count in others]
        )
    found = tuple(each for each in bag.sorted() if not _follows(each, lost))
    has_errors = any(each.is_error for each in found)
    return LoadResult(None if has_errors else program, found, tuple(sources))


def _other_tables(modules: Iterable[nodes.Module], seats: int) -> list[int]:
    """Give the numbers of seats that scenarios are for, but for the one that was compiled."""
    from rulelang import nodes  # noqa: PLC0415

    counts = {
        sum(len(setting.values) for setting in item.settings if setting.name.text in _SEATED)
        for module in modules
        for item in module.items
        if isinstance(item, nodes.ScenarioDecl)
    }
    return sorted(count for count in counts if count not in (0, seats) and count <= _MAX_SEATS)


def _check_for(
    modules: Sequence[nodes.Module], read: Reader, seats: int, *, cited: bool
) -> DiagnosticBag:
    """Check a ruleset for a number of seats: a scenario is only compiled for its own."""
    from rulelang.binder import bind  # noqa: PLC0415
    from rulelang.lowering import lower  # noqa: PLC0415

    bag = DiagnosticBag()
    lower(bind(modules, read, bag, seats=seats, cited=cited), bag, scenarios=True)
    return bag


def _with_findings(first: DiagnosticBag, others: Sequence[DiagnosticBag]) -> DiagnosticBag:
    """Join the findings of several numbers of seats; what one of them uses is used."""
    bags = (first, *others)
    whole = [bag for bag in bags if not bag.has_errors] or [first]
    unused = set.intersection(
        *({found.span for found in bag if found.code == _UNUSED} for bag in whole)
    )
    joined = DiagnosticBag()
    for bag in bags:
        joined.extend(found for found in bag if found.code != _UNUSED or found.span in unused)
    return joined


def _has_game(modules: Iterable[nodes.Module]) -> bool:
    from rulelang import nodes  # noqa: PLC0415

    return any(
        isinstance(item, nodes.GameDecl)
        or (isinstance(item, nodes.ErrorDecl) and item.keyword == "game")
        for module in modules
        for item in module.items
    )


def _header(modules: Sequence[nodes.Module]) -> SourceFile:
    """Write what a snippet lacks: a game of the name that its variants and scenarios give, and a main phase."""
    from rulelang import nodes  # noqa: PLC0415

    items = [item for module in modules for item in module.items]
    bases = [
        item.base.text
        for item in items
        if isinstance(item, nodes.VariantDecl | nodes.PresetDecl | nodes.ScenarioDecl)
    ]
    text = f'game {bases[0] if bases else "snippet"} "Snippet":\n    players 1..4\n'
    if not any(isinstance(item, nodes.PhaseDecl) and item.name.text == "game" for item in items):
        text += "phase game:\n    do nothing\n"
    return SourceFile(HEADER, text)


# ---------------------------------------------------------------- the game that a file belongs to


def _with_base(read: RulesetFiles, include: Sequence[str] = ()) -> RulesetFiles:
    """Add the game that variants and scenarios name, if their files are read alone."""
    texts = [source.text for source in read.sources]
    if not texts or any(_GAME.search(text) for text in texts):
        return read
    wanted = {found["base"] for text in texts for found in _OF_GAME.finditer(text)}
    if len(wanted) != 1:
        return read
    base = _base(read.root, wanted.pop(), include)
    if base is None:
        return read
    inside = files.is_inside(read.root, base.root)
    here = read.root.resolve().relative_to(base.root.resolve()) if inside else read.root.resolve()
    own = {(here / source.path).as_posix(): source.text for source in read.sources}
    known = {source.path for source in base.sources}
    added = tuple(SourceFile(path, text) for path, text in own.items() if path not in known)
    return attrs.evolve(base, sources=base.sources + added, problems=base.problems + read.problems)


def _base(folder: Path, name: str, include: Sequence[str]) -> RulesetFiles | None:
    """Find a game by name: in the folder of a file, in the folder above, among those that have a name."""
    above = [folder.parent] if folder.name in files.ON_REQUEST else []
    known = [found.place for found in discovery.rulesets() if found.name == name]
    for place in (*above, folder, *known):
        if discovery.game_of(place) == name:
            return files.read_ruleset(place, include)
    return None


# ---------------------------------------------------------------- findings that only follow from others


def _lost_names(modules: Iterable[nodes.Module]) -> frozenset[str]:
    """Give the names in text that could not be read: what is said about them elsewhere may be wrong."""
    from rulelang import nodes  # noqa: PLC0415

    lost: set[str] = set()
    for module in modules:
        for node in nodes.walk(module):
            if isinstance(node, nodes.ErrorDecl):
                lost.update(_WORD.findall(node.span.text))
            elif isinstance(node, nodes.ErrorStmt):
                lost.update(_WORD.findall(node.span.file.line_text(node.span.line)))
    return frozenset(lost)


def _follows(found: Diagnostic, lost: frozenset[str]) -> bool:
    """Tell whether a finding is about a name whose declaration, binding or use could not be read."""
    if not lost or found.code not in _ABOUT_NAMES:
        return False
    from rulelang.symbols import snake_case  # noqa: PLC0415

    words = _WORD.findall(found.span.text)
    kinds = tuple(snake_case(name) for name in lost if name[0].isupper())
    return any(word in lost or word.endswith(kinds) for word in words)
