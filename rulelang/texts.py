"""The texts of a ruleset, parsed once: programs for several sets of variants and numbers of seats are made of them."""

from __future__ import annotations

import functools
import gc
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes, presenting
from rulelang.allowing import Allowances
from rulelang.binder import bind, variants_by_name
from rulelang.binding.context import known_sheet
from rulelang.codes import BY_NUMBER
from rulelang.data import DataFileError
from rulelang.diagnostics import Diagnostic, DiagnosticBag
from rulelang.lints import lints, survey
from rulelang.lowering import lower
from rulelang.lowering.memo import Memo
from rulelang.parser import parse
from rulelang.scenes import MAX_SEATS, by_title, chain, is_about, scene_of, wrong_chains
from rulelang.source import SourceFile
from rulelang.suggest import did_you_mean
from rulelang.symbols import snake_case
from rulelang.variants.moved import compare, recorded
from rulelang.variants.pins import Pins, pins_of
from rulelang.variants.selection import OUT_OF_CIRCLE, Problem, circle, needed, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulelang import ir
    from rulelang.binding.context import KnownSheet
    from rulelang.data import Reader
    from rulelang.parser import ParseResult
    from rulelang.source import Span
    from rulelang.symbols import Tables

HEADER: Final = "(header)"

# Unknown names and properties, a doing without `do`, parameters without a type, unused declarations, unknown events,
# options that presets set.
_ABOUT_NAMES: Final = frozenset(("E0201", "E0202", "E0203", "E0207", "E0210", "E0213", "E0705"))
_UNUSED: Final = "E0210"
_EVERYWHERE: Final = frozenset((_UNUSED, *(lint.code for lint in lints() if lint.everywhere)))
_WRONG_SET: Final = BY_NUMBER[53].code
_WORD: Final = re.compile(r"[A-Za-z]\w*")


@attrs.frozen
class Group:
    """What several scenarios are compiled for together: a set of variants, sorted, and a number of seats."""

    variants: tuple[str, ...]
    seats: int | None


class Texts:
    """Parsed texts.

    Args:
        sources: The rules, sorted by path.
        read: Gives their data files.
        alone: Whether all findings are wanted, as there is nothing beside these texts: a text without a game is
            then a snippet and gets the smallest header that it can do with, and its citations are not looked up.
        own: Paths of the texts whose variants and scenarios count; None: of all.
        parsing: Parses a text; a tool that keeps trees gives one that it has.
        sheets: Data files that were parsed before, of such a tool too; takes those that are parsed now.
    """

    def __init__(
        self,
        sources: Sequence[SourceFile],
        read: Reader,
        *,
        alone: bool = False,
        own: frozenset[str] | None = None,
        parsing: Callable[[SourceFile], ParseResult] = parse,
        sheets: dict[str, KnownSheet] | None = None,
    ) -> None:
        self.sources = tuple(sources)
        self.read = read
        self.alone = alone
        self.bag = DiagnosticBag()  # what the parser found
        self._sheets: dict[str, KnownSheet] = {} if sheets is None else sheets
        self.notes: tuple[str, ...] = ()  # what `check` has to say besides findings
        self.memo: Memo | None = None  # for those that compile these texts more than once
        with _without_collecting():
            parsed = [parsing(source) for source in sources]
        for each in parsed:
            self.bag.extend(each.diagnostics)
        self.modules = [each.module for each in parsed]
        self.snippet = alone and not _has_game(self.modules)
        self._lost = _lost_names(each.module for each in parsed if each.has_errors)
        items = [
            item
            for module in self.modules
            for item in module.items
            if own is None or module.file.path in own
        ]
        self.scenarios = [item for item in items if isinstance(item, nodes.ScenarioDecl)]
        self._own = own
        self._allowances = Allowances.of(self.modules)
        self.own_variants = [item for item in items if isinstance(item, nodes.VariantDecl)]
        everything = [item for module in self.modules for item in module.items]
        self._every_scenario = [item for item in everything if isinstance(item, nodes.ScenarioDecl)]
        self.titles = by_title(self._every_scenario)
        self.variants = variants_by_name(
            item for item in everything if isinstance(item, nodes.VariantDecl)
        )
        if self.snippet:
            self.modules.insert(0, parse(_header(self.modules)).module)

    def compile(
        self,
        variants: Iterable[str] = (),
        *,
        seats: int | None = None,
        people: int | None = None,
        scenarios: bool = False,
        first: bool = True,
        linted: bool = False,
        read: Reader | None = None,
    ) -> tuple[ir.Program | None, DiagnosticBag]:
        """Make a program.

        Args:
            variants: Names of the variants to merge.
            seats: How many seats there are, whatever the game says.
            people: How many take part; counts where the game does not set `seats`.
            scenarios: Whether to compile the scenarios that are for just these variants and seats.
            first: Whether findings are wanted that do not depend on any of this; without them, lints leave out
                what they find in the base with variants.
            linted: Whether the lints look too.
            read: Gives data files, if not as always.

        Returns:
            The program, None after an error, and the findings, those of the parser included.
        """
        tables, bag = self.bind(variants, seats=seats, people=people, first=first, read=read)
        with _without_collecting():
            settled = frozenset[int]() if first or not tables.chosen else self._settled
            program = lower(
                tables, bag, scenarios=scenarios, linted=linted, settled=settled, memo=self.memo
            )
        if first and linted and not tables.chosen and program is not None:
            self._check_hints(program, bag, self.read if read is None else read)
        return (None if bag.has_errors else program), bag

    @functools.cached_property
    def _settled(self) -> frozenset[int]:
        """The numbers of the texts that belong to the base alone: advice about it is given without variants."""
        return frozenset(
            number
            for number, module in enumerate(self.modules)
            if not any(
                isinstance(item, nodes.VariantDecl | nodes.ScenarioDecl) for item in module.items
            )
        )

    def _check_hints(self, program: ir.Program, bag: DiagnosticBag, read: Reader) -> None:
        """Look at the hints for a table of the base, if there are any."""
        try:
            read(presenting.FILE)
        except DataFileError:
            return
        source = self.file_at(presenting.FILE)
        elsewhere = "\n".join(each.span.text for each in self.variants.values())
        presenting.read_hints(source, program, bag, elsewhere)

    def contested(
        self,
        variants: Iterable[str] = (),
        *,
        seats: int | None = None,
        people: int | None = None,
    ) -> ir.Program | None:
        """Make a program in which rules that contradict each other are left; None if more is wrong."""
        tables, bag = self.bind(variants, seats=seats, people=people, first=False)
        with _without_collecting():
            return lower(tables, bag, contested=True)

    def bind(
        self,
        variants: Iterable[str] = (),
        *,
        seats: int | None = None,
        people: int | None = None,
        first: bool = True,
        read: Reader | None = None,
    ) -> tuple[Tables, DiagnosticBag]:
        """Merge variants; see `compile`. Gives what is declared, and the findings."""
        bag = DiagnosticBag()
        bag.extend(self.bag)  # after a mistake there less is said about what depends on it
        with _without_collecting():
            tables = bind(
                self.modules,
                self.read if read is None else read,
                bag,
                seats=seats,
                people=people,
                variants=tuple(variants),
                cited=first and not self.snippet,
                sheets=self._sheets,
            )
        tables.scenarios = self._scenes_of(frozenset(tables.chosen))
        if not (self.alone and first):
            tables.presets.clear()  # they name variants, which may not have been read
        return tables, bag

    def _scenes_of(self, variants: frozenset[str]) -> list[nodes.ScenarioDecl]:
        """Give the scenarios for just these variants, with those that they go on from, in order."""
        return [node for node in self._every_scenario if variants in self._played_with[id(node)]]

    @functools.cached_property
    def _played_with(self) -> dict[int, set[frozenset[str]]]:
        """The sets of variants that each scenario, by its identity, is read for."""
        found: dict[int, set[frozenset[str]]] = {id(node): set() for node in self._every_scenario}
        for node in self._every_scenario:
            variants = scene_of(node, self.titles).variants
            for each in chain(node, self.titles):
                found[id(each)].add(variants)
        return found

    def parts_of(
        self, variants: Iterable[str]
    ) -> tuple[list[nodes.VariantDecl], list[nodes.ScenarioDecl]]:
        """Give the variants and the scenarios that a set of variants is made of."""
        chosen = select(self.variants, variants).names
        return [self.variants[each] for each in chosen], self._scenes_of(frozenset(chosen))

    def paths(self) -> dict[SourceFile, str]:
        """Give the path of each text, and of each data file that was read."""
        sheets = {known.sheet.file: path for path, known in self._sheets.items()}
        return sheets | {source: source.path for source in self.sources}

    def file_at(self, path: str) -> SourceFile:
        """Give the text of a path, or of a data file that findings may be about.

        Raises:
            DataFileError: There is no such file.
        """
        source = next((each for each in self.sources if each.path == path), None)
        if source is not None:
            return source
        data = self.read(path)
        known = self._sheets.get(path)
        if known is None or known.data != data:
            known = self._sheets[path] = known_sheet(path, data)
        return known.sheet.file

    def found(self, *bags: DiagnosticBag) -> tuple[Diagnostic, ...]:
        """Give the findings of the parser and of others by place, without those that only follow from others
        and those that a comment silences."""
        joined = DiagnosticBag()
        for bag in (self.bag, *bags):
            joined.extend(bag)
        telling = (each for each in joined.sorted() if not _follows(each, self._lost))
        return tuple(self._allowances.kept(telling))

    def kept_of_played(self, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Give the findings of playing that no comment silences, and those about comments that silence none of them."""
        about = DiagnosticBag()
        about.extend(self._allowances.kept(found))
        about.extend(self._allowances.unused(self._own, played=True))
        return about.sorted()

    def _all_found(self, joined: DiagnosticBag, *, everything: bool) -> tuple[Diagnostic, ...]:
        """Give the findings, with those about comments that silence what there is not.

        Args:
            joined: What was found.
            everything: Whether all was looked at.
        """
        joined.extend(self._allowances.kept(self._allowances.unknown()))
        found = self.found(joined)
        if not everything or any(each.is_error for each in found):
            return found
        about = DiagnosticBag()
        about.extend((*found, *self._allowances.unused(self._own)))
        return about.sorted()

    # ------------------------------------------------------------------ scenarios and variants

    def groups(self, only: str | None = None) -> tuple[Group, ...]:
        """Give what the scenarios are compiled for, base first; those that cannot be merged are left out.

        Args:
            only: Take scenarios with this text in their title or citations.
        """
        found: dict[Group, None] = {}
        for node in self.scenarios:
            cited = [each.id for each in node.citations]
            if only is not None and not is_about(node.title.value, cited, only):
                continue
            scene = scene_of(node, self.titles)
            if 0 < scene.seats <= MAX_SEATS and not select(self.variants, scene.variants).problems:
                found[Group(tuple(sorted(scene.variants)), scene.seats)] = None
        return tuple(
            sorted(found, key=lambda each: (len(each.variants), each.variants, each.seats or 0))
        )

    def wrong_headers(self) -> DiagnosticBag:
        """Report variants that need one that does not exist, and those that come after each other."""
        bag = DiagnosticBag()
        for problem in select(self.variants, self.variants).problems:
            if problem.kind == "circle" and problem.at is not None:
                bag.error(
                    _WRONG_SET,
                    problem.at.span,
                    circle(problem),
                    label="here the circle begins",
                    help=OUT_OF_CIRCLE,
                )
        for decl in self.own_variants:
            for each in decl.qualifiers:
                if each.relation == "with" and each.name.text not in self.variants:
                    others = [name for name in self.variants if name != decl.name.text]
                    bag.error(
                        _WRONG_SET,
                        each.span,
                        f"`{decl.name.text}` needs the variant `{each.name.text}`",
                        label="and there is none of that name",
                        help=did_you_mean(each.name.text, others),
                    )
        return bag

    # ------------------------------------------------------------------ pins

    def pins(self) -> dict[str, dict[str, Pins]]:
        """Pin every variant, by the path of its text and its name."""
        found: dict[str, dict[str, Pins]] = {}
        for decl in self.own_variants:
            here = found.setdefault(decl.span.file.path, {})
            here[decl.name.text] = pins_of(decl, self._below(decl))
        return found

    def _below(self, decl: nodes.VariantDecl) -> Tables:
        below = needed(self.variants, [decl.name.text]) - {decl.name.text}
        return self.bind(sorted(below), first=False)[0]

    def moved(self) -> tuple[DiagnosticBag, tuple[str, ...]]:
        """Compare what variants were written for with the base as it is.

        Returns:
            Warnings about those of which something has moved, and a sentence about each other one that was written
            for another version.
        """
        bag = DiagnosticBag()
        fine: list[str | None] = []
        known: dict[str, dict[str, Pins]] = {}
        for decl in self.own_variants:
            path = decl.span.file.path
            if path not in known:
                known[path] = recorded(decl, self.read, bag)
            pins = known[path].get(decl.name.text)
            if pins is not None or decl.version is not None:
                fine.append(compare(decl, pins, self._below(decl), bag))
        return bag, tuple(each for each in fine if each is not None)

    def wrong_scenes(self) -> DiagnosticBag:
        """Report scenarios that are never played, and those with variants that do not exist or cannot be merged."""
        bag = wrong_chains(self.scenarios, self.titles)
        for node in self.scenarios:
            scene = scene_of(node, self.titles)
            unknown = False
            for each in node.qualifiers:
                if each.relation != "after" and each.name.text not in self.variants:
                    unknown = True
                    bag.error(
                        _WRONG_SET,
                        each.name.span,
                        f"there is no variant `{each.name.text}`",
                        help=did_you_mean(each.name.text, self.variants),
                    )
                elif each.relation == "not with" and each.name.text in scene.variants:
                    bag.error(
                        _WRONG_SET,
                        each.span,
                        f"this scenario is played with `{each.name.text}`",
                        label="and says that it is not",
                    )
            at = next((each.span for each in node.qualifiers if each.relation == "with"), None)
            if at is not None and not unknown:
                _report_set(bag, at, select(self.variants, scene.variants).problems)
        return bag

    def check(
        self, seats: int | None = None, *, scenarios: bool = True, by: Compiling | None = None
    ) -> tuple[ir.Program | None, tuple[Diagnostic, ...]]:
        """Find all mistakes: in the base, in each variant with what it needs, and in all scenarios.

        Args:
            seats: How many seats there are; None: as the game and each scenario say.
            scenarios: Whether to check scenarios.
            by: Compiles, or knows what would be found; None: everything is compiled.

        Returns:
            The program of the base, None after an error or if it was not compiled, and the findings by place.
        """
        with _without_collecting():
            return self._check(seats, scenarios, Compiling(self) if by is None else by)

    def _check(
        self, seats: int | None, scenarios: bool, by: Compiling
    ) -> tuple[ir.Program | None, tuple[Diagnostic, ...]]:
        self.memo = Memo() if self.memo is None and self.own_variants else self.memo
        program, base, known = by.base(seats, scenarios=scenarios)
        checked = [(Group((), seats), base)]
        if not base.has_errors:
            groups = self._more_groups(known, seats, scenarios)
            checked += zip(groups, by.others(groups, scenarios=scenarios), strict=True)
        joined = self.wrong_headers()
        moved, self.notes = self.moved()
        joined.extend(moved)
        joined.extend(self._joined(checked))
        if not base.has_errors:
            joined.extend(survey(self))
        if scenarios:
            joined.extend(self.wrong_scenes())
        found = self._all_found(joined, everything=scenarios)
        return (None if any(each.is_error for each in found) else program), found

    def _more_groups(self, known: int | None, seats: int | None, scenarios: bool) -> list[Group]:
        """Give what is checked besides the base, which has a known number of seats: the scenarios' sets and seats,
        and variants that none is for."""
        wanted = [
            group
            for group in (self.groups() if scenarios and seats is None else ())
            if group != Group((), known)
        ]
        done = {group.variants for group in wanted}
        wanted.extend(Group(names, seats) for names in self.variant_sets() if names not in done)
        return wanted

    def variants_at(self, places: Iterable[tuple[str, int]]) -> frozenset[str]:
        """Give the variants that places (path and character) stand in, with all that they need."""
        found = [
            name
            for path, start in places
            for name, decl in self.variants.items()
            if decl.span.file.path == path and decl.span.start <= start < decl.span.end
        ]
        return needed(self.variants, found)

    def variant_sets(self) -> tuple[tuple[str, ...], ...]:
        """Give each variant with all that it needs, sorted; a set that two of them give is there once."""
        names = sorted(decl.name.text for decl in self.own_variants)
        sets = (tuple(sorted(needed(self.variants, [name]))) for name in names)
        return tuple(dict.fromkeys(sets))

    def _joined(self, checked: Sequence[tuple[Group, DiagnosticBag]]) -> DiagnosticBag:
        """Join the findings of several groups: each once, and what one of them uses is used."""
        whole = [(group, bag) for group, bag in checked if not bag.has_errors] or checked[:1]
        unused = {
            (found.code, found.span)
            for group, bag in whole
            for found in bag
            if found.code in _EVERYWHERE and self._is_found_everywhere(found, whole)
        }
        joined = DiagnosticBag()
        for group, bag in checked:
            for found in bag:
                if found.code in _EVERYWHERE and (
                    (found.code, found.span) not in unused or self._is_of_others(found)
                ):
                    continue
                if group.variants and not found.is_error and self._is_of_base(found.span):
                    continue  # there is nothing to mend in a base that was written before
                joined.add(self._explained(found, group))
        return joined

    def _is_found_everywhere(
        self, found: Diagnostic, whole: Sequence[tuple[Group, DiagnosticBag]]
    ) -> bool:
        """Tell whether something is found in each group that has its place: what one of them uses is used."""
        owner = self._owner(found.span)
        return all(
            any(other.code == found.code and other.span == found.span for other in bag)
            for group, bag in whole
            if owner is None or owner in group.variants
        )

    def _is_of_others(self, found: Diagnostic) -> bool:
        """Tell whether a place is in a file that is only looked at: not all that may use it is."""
        return self._own is not None and found.span.file.path not in self._own

    def _owner(self, span: Span) -> str | None:
        """Give the variant that a place is in; None if it is in none."""
        for name, decl in self.variants.items():
            if decl.span.file is span.file and decl.span.start <= span.start < decl.span.end:
                return name
        return None

    def _is_of_base(self, span: Span) -> bool:
        """Tell whether a place is in no variant and no scenario."""
        return self._owner(span) is None and not any(
            decl.span.file is span.file and decl.span.start <= span.start < decl.span.end
            for decl in self.titles.values()
        )

    def _explained(self, found: Diagnostic, group: Group) -> Diagnostic:
        """Say of a finding outside of the variants of a group that it is about the game with them."""
        if not group.variants or not self._is_of_base(found.span):
            return found
        names = " and ".join(f"`{name}`" for name in group.variants)
        what = "variant" if len(group.variants) == 1 else "variants"
        return attrs.evolve(
            found, notes=(*found.notes, f"found in the game with the {what} {names}")
        )


class Compiling:
    """How a check compiles: one set of variants after the other."""

    def __init__(self, texts: Texts) -> None:
        """Take the texts."""
        self.texts = texts

    def base(
        self, seats: int | None, *, scenarios: bool
    ) -> tuple[ir.Program | None, DiagnosticBag, int | None]:
        """Compile the base; see `Texts.check`. Gives the program, the findings, and how many seats there are."""
        program, bag = self.texts.compile(seats=seats, scenarios=scenarios, linted=True)
        return program, bag, seats if program is None else program.seats

    def others(self, groups: Sequence[Group], *, scenarios: bool) -> list[DiagnosticBag]:
        """Compile with variants and for other seats; gives the findings in each group."""
        return [
            self.texts.compile(
                group.variants, seats=group.seats, scenarios=scenarios, first=False, linted=True
            )[1]
            for group in groups
        ]


def _report_set(bag: DiagnosticBag, at: Span, problems: Iterable[Problem]) -> None:
    """Report why the variants of a scenario cannot be merged."""
    for problem in problems:
        match problem.kind:
            case "missing":
                bag.error(
                    _WRONG_SET,
                    at,
                    f"`{problem.variant}` needs the variant `{problem.other}`",
                    label="this scenario does without",
                    help=f"write `with {problem.other}` too",
                )
            case "excluded":
                bag.error(
                    _WRONG_SET,
                    at,
                    f"`{problem.variant}` and `{problem.other}` exclude each other",
                    label="this scenario is played with both",
                )
            case _:
                pass  # a circle is reported where it is written


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Make no garbage collections: trees of small nodes are made, none of them garbage yet."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _has_game(modules: Iterable[nodes.Module]) -> bool:
    return any(
        isinstance(item, nodes.GameDecl)
        or (isinstance(item, nodes.ErrorDecl) and item.keyword == "game")
        for module in modules
        for item in module.items
    )


def _header(modules: Sequence[nodes.Module]) -> SourceFile:
    """Write what a snippet lacks: a game of the name that its variants and scenarios give, and a main phase."""
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


def _lost_names(modules: Iterable[nodes.Module]) -> frozenset[str]:
    """Give the names in text that could not be read: what is said about them elsewhere may be wrong."""
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
    words = _WORD.findall(found.span.text)
    kinds = tuple(snake_case(name) for name in lost if name[0].isupper())
    return any(word in lost or word.endswith(kinds) for word in words)
