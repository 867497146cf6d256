"""What can be chosen before a game: its variants, its presets, and its options with those of its variants."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang import discovery, files, nodes
from rulelang.diagnostics import DiagnosticBag
from rulelang.gathering import gather
from rulelang.symbols import Tables
from rulelang.texts import Texts
from rulelang.variants.selection import needed
from rulelang.variants.touching import Touch, variant_touches

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from rulelang.source import SourceFile

_SCENARIOS = files.ON_REQUEST[1]


@attrs.frozen(eq=False)
class Catalogue:
    """What there is to choose from.

    Attributes:
        root: The folder of the game; paths of texts lead from there.
        tables: What the base declares; no variant is merged.
        variants: All variants of the game, by name.
        presets: Its presets, by title.
        diagnostics: What is wrong with the texts.
        texts: The texts, to make programs of.
    """

    root: Path
    tables: Tables
    variants: Mapping[str, nodes.VariantDecl]
    presets: Mapping[str, nodes.PresetDecl]
    diagnostics: DiagnosticBag
    texts: Texts

    @property
    def option_count(self) -> int:
        """How many options there are, those of all variants included."""
        return sum(len(self.declared_by(name)) for name in ("", *self.variants))

    def declared_by(self, name: str) -> tuple[str, ...]:
        """Give the options that a variant declares, or the base (`""`)."""
        if not name:
            return tuple(option.name for option in self.tables.options)
        return tuple(
            item.name.text
            for item in self.variants[name].items
            if isinstance(item, nodes.OptionDecl)
        )

    def touches(self, name: str) -> list[Touch]:
        """Give what a variant does to its base, and to the variants that it needs."""
        return variant_touches(self.variants[name], self._tables_below(name))

    def _tables_below(self, name: str) -> Tables:
        below = needed(self.variants, [name]) - {name}
        if not below:
            return self.tables
        return self.texts.bind(below, first=False)[0]


def read_catalogue(
    name_or_path: str | os.PathLike[str], variants: Iterable[str | os.PathLike[str]] = ()
) -> Catalogue:
    """Read what can be chosen for a game.

    Args:
        name_or_path: Of the ruleset.
        variants: Names and paths of variants; files that are found nowhere else are added.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
    """
    first = gather(name_or_path, variants, everything=True).read
    game = next((name for source in first.sources if (name := _game_in(source))), "")
    beside = discovery.variant_files(game)
    read = gather(name_or_path, [*variants, *beside], everything=True).read if beside else first
    sources = [each for each in read.sources if not each.path.startswith(f"{_SCENARIOS}/")]
    texts = Texts(sources, read.read)
    tables, bag = texts.bind()
    presets = [
        item
        for module in texts.modules
        for item in module.items
        if isinstance(item, nodes.PresetDecl)
    ]
    return Catalogue(
        read.root,
        tables,
        dict(sorted(texts.variants.items())),
        {each.title.value: each for each in presets},
        bag,
        texts,
    )


def _game_in(source: SourceFile) -> str:
    return discovery.game_named_in(source.text) or ""


def preset_choices(preset: nodes.PresetDecl) -> tuple[tuple[str, ...], dict[str, str]]:
    """Give the variants that a preset names, and its options as they would be typed."""
    return (
        tuple(each.text for each in preset.variants),
        {each.name.text: " ".join(each.value.span.text.split()) for each in preset.assigns},
    )


def relations(variant: nodes.VariantDecl) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the variants that one needs (`with`), excludes (`not with`) and wins over (`after`)."""
    for relation in ("with", "not with", "after"):
        yield (
            relation,
            tuple(each.name.text for each in variant.qualifiers if each.relation == relation),
        )
