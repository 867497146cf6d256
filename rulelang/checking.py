"""Checking no more than has to be: findings that are known are taken from a book, and processes share the rest.

What is found in a set of variants is a function of the texts that hold the base, these variants and their scenarios,
of the first lines of all others, and of data files: so after an edit only the sets that it is in are compiled again.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final

from rulelang import cache, nodes
from rulelang.diagnostics import DiagnosticBag
from rulelang.findings import WRONG, Entry, Recorder, packed, unpacked
from rulelang.texts import Compiling, Group, Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang import ir
    from rulelang.findings import Book

MAX_PROCESSES: Final = 8
WORTH_IT: Final = 2_000_000
"""So many characters, each as often as it is compiled, are worth several processes: a second or two of work."""

_BRACKETS: Final = re.compile(r"\[[^\]]*\]")
"""Citations, and more: a base looks them all up."""


def _processes() -> int:
    """Tell how many processes this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAX_PROCESSES, len(os.sched_getaffinity(0)))
    return min(MAX_PROCESSES, os.cpu_count() or 1)


class Remembering(Compiling):
    """Compiles what the book does not know, in several processes where that pays."""

    def __init__(self, texts: Texts, book: Book | None, jobs: int | None = 1) -> None:
        """Take the texts to check.

        Args:
            texts: The texts.
            book: What was found before; None: nothing is remembered.
            jobs: How many processes may be used; None: as many as this one may use at a time.
        """
        super().__init__(texts)
        self._book = None if texts.snippet or texts.bag.has_errors else book
        self._jobs = 1 if texts.snippet else _processes() if jobs is None else jobs
        self._keys = Keys(texts)

    def base(
        self, seats: int | None, *, scenarios: bool
    ) -> tuple[ir.Program | None, DiagnosticBag, int | None]:
        """Compile the base, or give what is known of it and no program."""
        if self._book is None:
            return super().base(seats, scenarios=scenarios)
        group = Group((), seats)
        key, own = self._keys.of(group, first=True, scenarios=scenarios)
        known = self._known(key)
        if known is not None:
            bag, entry = known
            return None, bag, entry.seats
        recorder = Recorder(self.texts.read)
        program, bag = self.texts.compile(
            seats=seats, scenarios=scenarios, linted=True, read=recorder
        )
        made = _packed(self.texts, bag, recorder, program.seats if program is not None else seats)
        self._keep(key, made, own)
        return program, bag, seats if program is None else program.seats

    def others(self, groups: Sequence[Group], *, scenarios: bool) -> list[DiagnosticBag]:
        """Compile groups, or give what is known of them."""
        found: dict[Group, DiagnosticBag] = {}
        keys: dict[Group, tuple[str, frozenset[str]]] = {}
        for group in groups if self._book is not None else ():
            keys[group] = self._keys.of(group, first=False, scenarios=scenarios)
            known = self._known(keys[group][0])
            if known is not None:
                found[group] = known[0]
        left = [group for group in groups if group not in found]
        for group, made in zip(left, self._compiled(left, scenarios=scenarios), strict=True):
            if isinstance(made, DiagnosticBag):
                found[group] = made
                continue
            found[group] = self._bag(made[0])
            if group in keys:
                self._keep(keys[group][0], made, keys[group][1])
        return [found[group] for group in groups]

    # ------------------------------------------------------------------ compiling

    def _compiled(
        self, groups: Sequence[Group], *, scenarios: bool
    ) -> list[Packed | DiagnosticBag]:
        jobs = min(self._jobs, len(groups))
        size = sum(len(source.text) for source in self.texts.sources)
        if jobs > 1 and size * len(groups) >= WORTH_IT and _may_fork():
            try:
                return self._shared(groups, jobs, scenarios=scenarios)
            except (BrokenProcessPool, OSError):  # no memory, or no more processes
                pass
        return [_compiled(self.texts, group, scenarios=scenarios) for group in groups]

    def _shared(
        self, groups: Sequence[Group], jobs: int, *, scenarios: bool
    ) -> list[Packed | DiagnosticBag]:
        """Compile in processes that have the trees from this one."""
        with ProcessPoolExecutor(
            jobs,
            multiprocessing.get_context("fork"),
            initializer=_begin,
            initargs=(self.texts, tuple(groups), scenarios),
        ) as pool:
            made = list(pool.map(_compiled_there, range(len(groups))))
        return [
            each  # its data files are read here too: whoever records what was read has to know them
            if each is not None and each[0].stands(self.texts.read)
            else _compiled(self.texts, group, scenarios=scenarios)
            for group, each in zip(groups, made, strict=True)
        ]

    # ------------------------------------------------------------------ remembering

    def _known(self, key: str) -> tuple[DiagnosticBag, Entry] | None:
        entry = self._book.entry(key, self.texts.read) if self._book is not None else None
        if entry is None:
            return None
        try:
            return self._bag(entry), entry
        except WRONG:
            return None

    def _bag(self, entry: Entry) -> DiagnosticBag:
        """Give findings as compiling does, those of the parser first."""
        bag = DiagnosticBag()
        bag.extend(self.texts.bag)
        bag.extend(unpacked(entry.found, self.texts.file_at))
        return bag

    def _keep(self, key: str, made: Packed | DiagnosticBag, own: frozenset[str]) -> None:
        """Keep findings, unless one is about a text of which only the first lines are in the key."""
        if self._book is None or isinstance(made, DiagnosticBag):
            return
        entry, mentioned = made
        if mentioned <= own | entry.reads.keys():
            self._book.keep(key, entry)


class Keys:
    """Hashes of all that the findings in sets of variants depend on, but for data files."""

    def __init__(self, texts: Texts) -> None:
        """Take the texts."""
        self._texts = texts
        self._stamp = cache.key_of((), "findings")
        self._hashes: dict[str, str] = {}
        self._heads: dict[tuple[str, bool], str] = {}

    def of(self, group: Group, *, first: bool, scenarios: bool) -> tuple[str, frozenset[str]]:
        """Give the key of a group, and the paths of the texts that are whole in it.

        Args:
            group: Of variants and seats.
            first: Whether what does not depend on the group is found with it; see `Texts.compile`.
            scenarios: Whether scenarios are compiled.
        """
        variants, tests = self._texts.parts_of(group.variants)
        mine = {id(each) for each in (*variants, *tests)}
        whole: set[str] = set()
        parts = [f"{self._stamp} {group!r} {first} {scenarios} {self._texts.alone}"]
        for module in self._texts.modules:
            path = module.file.path
            if any(_counts(item, mine, first=first) for item in module.items):
                whole.add(path)
                parts.append(f"{path} {self._hash(path, module.file.text)}")
            else:
                parts.append(f"{path} {self._head(module, first=first)}")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest(), frozenset(whole)

    def _hash(self, path: str, text: str) -> str:
        found = self._hashes.get(path)
        if found is None:
            data = text.encode("utf-8", "surrogatepass")
            found = self._hashes[path] = hashlib.sha256(data).hexdigest()
        return found

    def _head(self, module: nodes.Module, *, first: bool) -> str:
        """Give what counts of a text that holds nothing but other variants, scenarios and presets."""
        path = module.file.path
        found = self._heads.get((path, first))
        if found is None:
            says = [_first_line(item) for item in module.items]
            if first:
                says += _BRACKETS.findall(module.file.text)
                says += [
                    inner.span.text
                    for item in module.items
                    if isinstance(item, nodes.VariantDecl)
                    for inner in item.items
                    if isinstance(inner, nodes.OptionDecl)
                ]
            found = self._heads[path, first] = self._hash(f"{path} {first}", repr(says))
        return found


def _counts(item: nodes.Item, mine: set[int], *, first: bool) -> bool:
    """Tell whether more counts of a declaration than that it is there."""
    if isinstance(item, nodes.VariantDecl | nodes.ScenarioDecl):
        return id(item) in mine
    return first or not isinstance(item, nodes.PresetDecl)


def _first_line(item: nodes.Item) -> str:
    """Give the text of a declaration up to what stands in it."""
    end = item.span.end
    if isinstance(item, nodes.VariantDecl) and item.items:
        end = item.items[0].span.start
    elif isinstance(item, nodes.ScenarioDecl | nodes.PresetDecl):
        end = max(item.base.span.end, *(each.span.end for each in _qualifiers(item)), 0)
    return item.span.file.text[item.span.start : end]


def _qualifiers(item: nodes.ScenarioDecl | nodes.PresetDecl) -> tuple[nodes.Node, ...]:
    return item.qualifiers if isinstance(item, nodes.ScenarioDecl) else ()


# ---------------------------------------------------------------- one group

Packed = tuple[Entry, frozenset[str]]
"""What was found in a group, and the paths of the texts that it is about."""


def _compiled(texts: Texts, group: Group, *, scenarios: bool) -> Packed | DiagnosticBag:
    """Compile a group; the findings are not packed where they are about a text that nobody knows later."""
    recorder = Recorder(texts.read)
    _, bag = texts.compile(
        group.variants,
        seats=group.seats,
        scenarios=scenarios,
        first=False,
        linted=True,
        read=recorder,
    )
    return _packed(texts, bag, recorder, group.seats)


def _packed(
    texts: Texts, bag: DiagnosticBag, recorder: Recorder, seats: int | None
) -> Packed | DiagnosticBag:
    known = set(texts.bag)
    made = packed((each for each in bag if each not in known), texts.paths())
    if made is None:
        return bag
    return Entry(made[0], recorder.reads, seats), made[1]


# ---------------------------------------------------------------- other processes

_given: list[tuple[Texts, tuple[Group, ...], bool]] = []
"""What another process works on; it has this from the one that it comes from."""


def _may_fork() -> bool:
    """Tell whether processes can be made that have the trees: only of one that does nothing else meanwhile."""
    return sys.platform == "linux" and threading.active_count() == 1


def _begin(texts: Texts, groups: tuple[Group, ...], scenarios: bool) -> None:
    import signal  # noqa: PLC0415 - only here

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began this is told, and ends it
    _given.append((texts, groups, scenarios))


def _compiled_there(number: int) -> Packed | None:
    texts, groups, scenarios = _given[-1]
    made = _compiled(texts, groups[number], scenarios=scenarios)
    return None if isinstance(made, DiagnosticBag) else made
