"""What a variant changes, in words: for `diff`, for the lists of variants, and for the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.variants.difference import Change, in_force
from rulelang.variants.touching import flat
from rulelang.wording import listed, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.variants.catalogue import Catalogue
    from rulelang.variants.touching import Touch

_CAME = {
    "declares": "new",
    "before": "this happens first",
    "after": "this happens afterwards",
    "instead": "this may happen instead",
    "replaces": "this happens instead",
    "exception": "one exception more",
    "forbids": "one reason more why not",
    "allows": "allowed in one case more",
}
_WENT = {
    "declares": "no longer there",
    "before": "this no longer happens first",
    "after": "this no longer happens afterwards",
    "instead": "this no longer happens instead",
    "replaces": "this no longer happens instead",
    "exception": "one exception less",
    "forbids": "one reason less why not",
    "allows": "allowed in one case less",
}
_PHRASES: Final = {
    "replaces": "replaces {}",
    "instead": "may replace {}",
    "exception": "makes exceptions to {}",
    "forbids": "forbids {}",
    "allows": "allows {}",
    "drops": "drops {}",
    "before": "acts before {}",
    "after": "acts after {}",
    "row": "changes rows of {}",
}


def words(change: Change) -> str:
    """Say in a few words what kind of change it is."""
    touch = change.touch
    came = change.side == "came"
    match touch.how:
        case "sets":
            said = f"{change.old or '(not set)'} -> {change.new or '(not set)'}"
        case "adds" if isinstance(touch.node, nodes.FieldDecl):
            said = "one line of fields more" if came else "one line of fields less"
        case "adds" if isinstance(touch.node, nodes.Text):
            said = "rows of data changed or added" if came else "rows of data as they were"
        case "adds":
            said = f"words: {change.old} -> {change.new}"
        case "row":
            both = bool(change.old and change.new)
            said = "another row" if both else f"one row {'more' if change.new else 'less'}"
        case "drops":
            what = f"`{touch.part}`" if touch.part else "it"
            when = f" when {flat(touch.condition)}" if touch.condition is not None else ""
            said = f"{what} {'no longer counts' if came else 'counts again'}{when}"
        case how:
            said = (_CAME if came else _WENT)[how]
    if touch.name:
        said += f", by the rule {touch.name}"
    if touch.card:
        said += f", for who has the card {touch.card}"
    if touch.within:
        said += f", begun by {touch.within}, {touch.until}"
    return said


def phrases(found: Catalogue, name: str) -> Iterator[str]:
    """Say what a variant changes, the most telling first."""
    touches = found.touches(name)
    for touch in touches:
        if touch.how == "sets":
            old, new = old_and_new(found, touch)
            yield f"changes {touch.target.name} {old} -> {new}"
    for how, phrase in _PHRASES.items():
        names = dict.fromkeys(full_name(touch) for touch in touches if touch.how == how)
        if names:
            yield phrase.format(listed(list(names)))
    added: dict[str, list[str]] = {}
    for touch in touches:
        if touch.how == "adds":
            added.setdefault(touch.target.name, []).extend(what_is_added(touch.node))
    for whom, what in added.items():
        yield f"gives {whom} {listed(what)}"
    declared: dict[str, list[str]] = {}
    for touch in touches:
        if touch.how == "declares":
            declared.setdefault(touch.target.form, []).append(touch.target.name)
    for form in sorted(declared, key=lambda each: each != "option"):
        these = declared[form]
        yield f"adds {plural(len(these), form)} ({', '.join(these)})"


def full_name(touch: Touch) -> str:
    """Name what is touched, with the part that is meant."""
    return f"{touch.target.name}.{touch.part}" if touch.part else touch.target.name


def old_and_new(found: Catalogue, touch: Touch) -> tuple[str, str]:
    """Give the value that an option or setting has in the base, and the one that a variant gives it."""
    match touch.node:
        case nodes.ChangeOptionDecl(value=value):
            new = flat(value)
        case nodes.Setting(values=values):
            new = ", ".join(flat(value) for value in values)
        case amount:
            new = flat(amount)
    return in_force(touch.target, found.tables) or "(unset)", new


def what_is_added(node: nodes.Node) -> Iterable[str]:
    """Name what a line gives its target."""
    match node:
        case nodes.FieldDecl(names=names):
            return [each.text for each in names]
        case nodes.ChangeWordsDecl(words=words):
            return [flat(word) for word in words]
        case nodes.Text(value=file):
            return [f"the rows of {file}"]
        case _:
            return ["more"]
