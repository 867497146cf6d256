"""From syntax trees to tables of what is declared.

The binder numbers kinds, enumerations, fields and options, reads data files through a callable
that it is given, and finds what is declared twice, what is unknown and what does not fit. It
never raises for a mistake of an author: it reports it and leaves out what cannot be used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.binding import components, enums, names, settings
from rulelang.binding.context import Binding
from rulelang.binding.digest import digest
from rulelang.binding.values import fill_fields
from rulelang.data import is_outside
from rulelang.source import first_line
from rulelang.suggest import nearest
from rulelang.symbols import Tables
from rulelang.variants import conflicts
from rulelang.variants.selection import OUT_OF_CIRCLE, Problem, circle, select

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang.binding.context import KnownSheet
    from rulelang.data import Reader
    from rulelang.diagnostics import DiagnosticBag
    from rulelang.source import SourceFile

__all__ = ["bind", "resolve_seats", "variants_by_name"]

resolve_seats = settings.resolve_seats
_VARIANTS: Final = "variants/"


def bind(
    modules: Sequence[nodes.Module],
    read: Reader,
    bag: DiagnosticBag,
    *,
    seats: int | None = None,
    people: int | None = None,
    variants: Sequence[str] = (),
    cited: bool = True,
    sheets: dict[str, KnownSheet] | None = None,
) -> Tables:
    """Fill the tables of a ruleset.

    Args:
        modules: Its files, sorted by path; the declarations of all are one text.
        read: Gives the bytes of a data file by its path; raises `DataFileError`.
        bag: Takes the findings.
        seats: How many seats there are, whatever the game says.
        people: How many take part; counts where the game does not set `seats`.
        variants: Names of the variants to merge; their order does not matter.
        cited: Whether citations are looked up in the rulebook.
        sheets: Data files that were parsed before; takes those that are parsed now.

    Returns:
        The tables, as far as they could be filled.
    """
    tables = Tables(files=[module.file for module in modules])
    binding = Binding(tables, bag, read, {} if sheets is None else sheets)
    items = _collect(binding, modules)
    _merge(binding, items, variants)
    settings.read_settings(binding, items, seats)
    tables.seats_option = settings.seats_option(items)
    tables.seats = settings.seats_of(binding, items, people) if seats is None else seats
    enums.declare_types(binding, items)
    plans = components.make_kinds(binding, items)
    waiting = names.declare_names(binding, tables.items, plans)
    names.fill_options(binding, tables.items)
    fill_fields(binding, waiting, plans)
    complete = settings.read_citations(binding, items)
    if cited and complete:
        settings.check_citations(binding, modules)
    tables.digest = digest(binding, plans)
    return tables


def _collect(binding: Binding, modules: Sequence[nodes.Module]) -> list[nodes.Item]:
    """Sort declarations: those of the game, and the variants, presets and scenarios that stand beside it."""
    tables = binding.tables
    items: list[nodes.Item] = []
    variants: dict[str, nodes.Ident] = {}
    unreadable = False
    whole = any(isinstance(item, nodes.GameDecl) for module in modules for item in module.items)
    for module in modules:
        for item in module.items:
            match item:
                case nodes.GameDecl():
                    if tables.game is None:
                        tables.game = item
                        items.append(item)
                    else:
                        binding.twice(item.name, tables.game.name.span, ": a ruleset is one game")
                case nodes.VariantDecl(name=name):
                    if name.text in variants:
                        binding.twice(name, variants[name.text].span)
                    variants.setdefault(name.text, name)
                    tables.variants.append(item)
                case nodes.PresetDecl():
                    tables.presets.append(item)
                case nodes.ScenarioDecl():
                    tables.scenarios.append(item)
                case nodes.ErrorDecl(keyword=keyword):
                    unreadable = unreadable or keyword == "game"
                case _ if whole and in_file_of_variants(module.file.path):
                    _report_loose(binding, item, module)
                case _:
                    items.append(item)
                    tables.items.append((item, ""))
    _check_bases(binding)
    if tables.game is None and modules and not unreadable:
        file: SourceFile = modules[0].file
        binding.error(
            18,
            file.span(0, 0),
            "no file says which game this is",
            advice='begin one with `game name "Title":` and its settings',
        )
    return items


def in_file_of_variants(path: str) -> bool:
    """Tell whether a text may hold nothing but variants, presets and scenarios: a base is never changed in passing."""
    return path.startswith(_VARIANTS) or is_outside(path)


def _report_loose(binding: Binding, item: nodes.Item, module: nodes.Module) -> None:
    variant = next((each for each in module.items if isinstance(each, nodes.VariantDecl)), None)
    binding.bag.error(
        "E0708",
        first_line(item.span),
        "this stands in no variant",
        label="so it would change the game itself",
        help=f"put it under `variant {variant.name.text}`, four spaces in"
        if variant is not None
        else "put it under a `variant`, four spaces in",
    )


def _check_bases(binding: Binding) -> None:
    """Report variants, presets and scenarios of another game."""
    tables = binding.tables
    if tables.game is None:
        return
    beside: list[nodes.VariantDecl | nodes.PresetDecl | nodes.ScenarioDecl] = [
        *tables.variants,
        *tables.presets,
        *tables.scenarios,
    ]
    for decl in beside:
        if decl.base.text != tables.game.name.text:
            what = {nodes.VariantDecl: "variant", nodes.PresetDecl: "preset"}.get(
                type(decl), "scenario"
            )
            game = tables.game.name.text
            binding.error(
                5,
                decl.base,
                f"this {what} is of `{decl.base.text}`, and the game here is `{game}`",
                label="of another game",
                advice=f"write `of {game}` if it is meant for that game",
            )


def _merge(binding: Binding, items: list[nodes.Item], chosen: Sequence[str]) -> None:
    """Add the declarations of the chosen variants, in the published order."""
    tables = binding.tables
    known = variants_by_name(tables.variants)
    selection = select(known, chosen)
    for problem in selection.problems:
        _report(binding, problem, list(known))
    tables.chosen = list(selection.names)
    tables.later = selection.later
    for variant in selection.order:
        items.extend(variant.items)
        tables.items.extend((item, variant.name.text) for item in variant.items)
    if selection.order:
        headers = [item for item in items if isinstance(item, nodes.GameDecl)]
        tables.items[:] = conflicts.settle(binding, tables.items)
        items[:] = [*headers, *(item for item, _ in tables.items)]


def variants_by_name(variants: Iterable[nodes.VariantDecl]) -> dict[str, nodes.VariantDecl]:
    """Give variants by name; of two of one name the first."""
    known: dict[str, nodes.VariantDecl] = {}
    for variant in variants:
        known.setdefault(variant.name.text, variant)
    return known


def _report(binding: Binding, problem: Problem, known: Sequence[str]) -> None:
    """Say why a set of variants cannot be merged."""
    tables = binding.tables
    name, other = problem.variant, problem.other
    match problem.kind:
        case "unknown":
            if tables.game is not None:
                at = nodes.Ident(tables.game.name.span, name)
                binding.unknown(at, "variant", known, number=53)
        case "missing" if problem.at is not None:
            close = nearest(other, [each for each in known if each != name], limit=1)
            there = other in known or not close
            binding.error(
                53,
                problem.at,
                f"`{name}` needs the variant `{other}`",
                label="which is not chosen" if there else "and there is none of that name",
                advice=f"choose it too: `--with {other}`"
                if there
                else f"did you mean `{close[0]}`?",
            )
        case "excluded" if problem.at is not None:
            binding.error(
                53,
                problem.at,
                f"`{name}` and `{other}` exclude each other",
                label="both are chosen",
                advice=f"leave one of them out: `{name}` or `{other}`",
            )
        case "circle" if problem.at is not None:
            binding.error(
                53,
                problem.at,
                circle(problem),
                label="here the circle begins",
                advice=OUT_OF_CIRCLE,
            )
