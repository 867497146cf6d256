"""A first variant of a game, for somebody who has never written one.

The examples in a variant are about real names of that game. Which of them fit is found out by checking:
`Example`s are candidates, in the order of how good they are as an example.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from rulelang import nodes
from rulelang.binding.enums import RESERVED
from rulelang.grammar import load_tables
from rulelang.variants.touching import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.symbols import Tables

Kind: TypeAlias = Literal["option", "exception", "need", "after"]

KINDS: Final[tuple[Kind, ...]] = ("option", "exception", "need", "after")
_REMARKS: Final[dict[Kind, str]] = {
    "option": "A number or word that the game lets you choose.",
    "exception": "An exception to a number: +1 is added, a bare 1 would replace it.",
    "need": "One reason more why something is not allowed.",
    "after": "Something more happens after something else. The names in its brackets are yours to use.",
}
_PEOPLE: Final = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jim")
_INDENT: Final = "    "


@attrs.frozen
class Example:
    """One line that a variant of a game might hold.

    Attributes:
        kind: What it shows.
        lines: Its lines, at the left edge.
        claim: A condition that holds in a game with it, for a scenario; empty if there is none.
        remark: What is to be said of it besides; may be empty.
    """

    kind: Kind
    lines: tuple[str, ...]
    claim: str = ""
    remark: str = ""


def name_for(title: str, tables: Tables | None = None) -> str:
    """Make a name of a title: small letters, digits and `_`; one that is not taken by the language or by the game.

    Args:
        title: What somebody typed.
        tables: The game of which it is a variant; None for a game of its own. A name that is the name of a variant of
            the game already is given nevertheless.
    """
    what = "game" if tables is None else "variant"
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower().replace("'", ""))
    name = "_".join(words) or f"my_{what}"
    if name[0].isdigit():
        name = f"{what}_{name}"
    taken = {*load_tables().literals, *RESERVED}
    if tables is not None:
        taken |= {*tables.symbols, *tables.words, *tables.ids}
    return f"{name}_{what}" if name in taken else name


def title_for(title: str) -> str:
    """Make a title fit between quotes on one line."""
    plain = " ".join(title.split()).replace('"', "'").replace("{", "(").replace("}", ")")
    return plain or "House rule"


# ---------------------------------------------------------------- examples


def examples(tables: Tables) -> tuple[Example, ...]:
    """Give candidates of every kind, the most telling first; not all of them need to fit the game."""
    base = [item for item, origin in tables.items if not origin]
    return (
        *_options(base),
        *_exceptions(base),
        *_needs(base),
        *_events(base),
    )


def _options(base: Sequence[nodes.Item]) -> Iterator[Example]:
    found = [item for item in base if isinstance(item, nodes.OptionDecl)]
    documented = sorted(found, key=lambda item: not (item.doc or item.label))
    for item in documented:
        match item:
            case nodes.OptionDecl(
                type=nodes.RangeType(low=low, high=high), default=nodes.Number(value=default)
            ):
                other = default + 1 if high is None or default < high else default - 1
                if other >= low:
                    yield _option(item, str(other))
            case _:
                pass
    for item in documented:
        if isinstance(item.type, nodes.UnionType) and isinstance(item.default, nodes.Name):
            words = [flat(member) for member in item.type.members]
            other_words = [word for word in words if word != flat(item.default)]
            if other_words:
                yield _option(item, other_words[0])


def _option(item: nodes.OptionDecl, value: str) -> Example:
    name = item.name.text
    about = item.doc or (item.label.value if item.label is not None else "")
    told = f"{about} " if about else ""
    return Example(
        "option",
        (f"change option {name} = {value}",),
        f"{name} is {value}",
        f"{told}(Possible: {flat(item.type)}; in the game: {flat(item.default)}.)",
    )


def _exceptions(base: Sequence[nodes.Item]) -> Iterator[Example]:
    found = [item for item in base if isinstance(item, nodes.DefineDecl)]

    def rank(item: nodes.DefineDecl) -> tuple[bool, bool, bool]:
        owned = item.head.owner is not None and item.head.owner.text == "player"
        return not owned, item.head.params is not None, not item.exceptions

    for item in sorted(found, key=rank):
        head = flat(item.head)
        owner = item.head.owner
        if owner is not None and owner.text == "player":
            yield Example("exception", (f"{head}: +1 when player.seat is 1",))
        elif item.head.params is None:
            yield Example("exception", (f"{head}: +1",))


def _needs(base: Sequence[nodes.Item]) -> Iterator[Example]:
    for item in base:
        if isinstance(item, nodes.MayDecl):
            names = [param.name.text for param in item.params]
            if "player" in names:
                head = f"{item.name.text}({', '.join(names)})"
                yield Example("need", (f'{head}: no "not today" when player.seat is 1',))


def _events(base: Sequence[nodes.Item]) -> Iterator[Example]:
    fields = [
        name.text
        for item in base
        if isinstance(item, nodes.ComponentDecl) and item.kind.text == "Player"
        for field in item.fields
        if isinstance(field.type, nodes.RangeType)
        for name in field.names
    ]
    doings = [item for item in base if isinstance(item, nodes.EffectDecl)]
    for item in doings:
        names = [param.name.text for param in item.params]
        if "player" in names:
            event = f"after {item.name.text}({', '.join(names)})"
            for field in fields[:2]:
                yield Example("after", (f"{event}:", f"{_INDENT}player gains up to 1 {field}"))
    for item in doings:
        yield Example("after", (f"after {item.name.text}:", f"{_INDENT}do nothing"))


# ---------------------------------------------------------------- the files


def draft(name: str, game: str, found: Iterable[Example]) -> tuple[str, dict[int, Example]]:
    """Write a variant with all of some examples, to be checked.

    Returns:
        The text, and for each of its lines (from 1) the example that stands there.
    """
    lines = [f'variant {name} "{name}" of {game}:']
    where: dict[int, Example] = {}
    for example in found:
        for line in example.lines:
            lines.append(_INDENT + line)
            where[len(lines)] = example
    return "\n".join(lines) + "\n", where


def whole(
    name: str,
    title: str,
    tables: Tables,
    chosen: Sequence[Example],
    commands: Sequence[tuple[str, str]],
    *,
    live: bool = False,
) -> str:
    """Write the file of a variant.

    Args:
        name: Its name.
        title: What it is called.
        tables: The game.
        chosen: At most one example of each kind; the first is in force, the others are remarks.
        commands: What can be done with the file: commands, and what each is good for.
        live: Whether all examples are in force.
    """
    game = tables.game.name.text if tables.game is not None else ""
    width = max((len(command) for command, _ in commands), default=0)
    out = [
        f"# A variant of {game}: change it, and add to it. Lines that begin with # are remarks.",
        *(["#"] if commands else []),
        *(f"#   {command:<{width}}   {purpose}" for command, purpose in commands),
        "",
        f'variant {name} "{title}" of {game}:',
    ]
    for number, example in enumerate(chosen):
        if number:
            out.append("")
        is_live = live or not number
        remarks = [_REMARKS[example.kind], *([example.remark] if example.remark else [])]
        out += [f"{_INDENT}# {remark}" for remark in remarks]
        if not is_live:
            out.append(f"{_INDENT}# Take away the # and the blank behind it, and it counts:")
        out += [f"{_INDENT}{'' if is_live else '# '}{line}" for line in example.lines]
    if not chosen:
        out += [f"{_INDENT}# Nothing yet.", f"{_INDENT}define {name}_is_played = yes"]
    claim = chosen[0].claim if chosen else f"{name}_is_played"
    out += ["", *_scenario(name, title, game, claim, tables)]
    return "\n".join(out) + "\n"


def _scenario(name: str, title: str, game: str, claim: str, tables: Tables) -> list[str]:
    low, high = tables.players
    taken = {*tables.symbols, *tables.words, *tables.ids}
    names = [each for each in _PEOPLE if each not in taken]
    names += [f"player_{number}" for number in range(len(names) + 1, high + 1)]
    people = names[: min(max(low, 2), high)]
    return [
        "# An example of what the variant means: `do` is what is played, `after` is what must hold then.",
        f'scenario "{title}: a first example" of {game} with {name}:',
        f"{_INDENT}people {', '.join(people)}",
        f"{_INDENT}do nothing",
        f"{_INDENT}after:",
        *([f"{_INDENT * 2}{claim}"] if claim else [f"{_INDENT * 2}count(Player) is {len(people)}"]),
    ]
