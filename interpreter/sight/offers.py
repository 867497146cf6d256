"""What is on offer, as the one who is asked may see it: things that lie face down have no name.

Rules, scripts and replays call every thing by its id. People and programs at the table must not: of a card that lies
face down they see that it is one, and where. Such things are also put in the order of their places, which everybody
sees, so that not even the order tells which is which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.naming import Naming

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision, Option
    from interpreter.sight.observation import Observation


class Veiled(Naming):
    """Names of values as the seat of an observation reads them."""

    def __init__(self, seen: Observation) -> None:
        super().__init__(seen.program)
        self._seen = seen

    def thing_key(self, thing: int) -> str:
        """The id of a thing; of one that lies face down its kind and place."""
        return self._veiled(thing) or super().thing_key(thing)

    def thing_title(self, thing: int) -> str:
        """The name of a thing; of one that lies face down its kind and place."""
        return self._veiled(thing) or super().thing_title(thing)

    def _veiled(self, thing: int) -> str:
        place = self._seen.offered.get(thing)
        if place is None:
            return ""
        kind = next(
            each for each in self._seen.program.kinds if each.base <= thing < each.base + each.count
        )
        where = "" if place < 0 else f", at {super().thing_title(place)}"
        return f"{kind.name}, face down{where}"


def shown(observation: Callable[[], Observation], decision: Decision) -> tuple[Option, ...]:
    """Give the options of a decision with the names that its seat may read.

    Args:
        observation: Makes what the seat sees while it is asked; called only if things may be on offer.
        decision: What it is asked.
    """
    options = tuple(decision.options)
    of = decision.type.elem or decision.type
    if decision.form != "action" and of.shape != "thing":
        return options
    seen = observation()
    if not seen.offered:
        return options
    names = Veiled(seen)
    if decision.form == "action":
        return tuple(_action(each, names, seen) for each in options)
    told = [
        attrs.evolve(
            each,
            text=names.title(each.value, decision.type),
            key=names.key(each.value, decision.type),
        )
        if isinstance(each.value, int) and each.value in seen.offered
        else each
        for each in options
    ]
    veiled = iter(
        sorted(
            (each for each in told if _is_veiled(each, seen)),
            key=lambda each: (seen.offered[_thing(each)], each.text),
        )
    )
    return tuple(next(veiled) if _is_veiled(each, seen) else each for each in told)


def _thing(option: Option) -> int:
    assert isinstance(option.value, int)  # noqa: S101 - only things lie face down
    return option.value


def _is_veiled(option: Option, seen: Observation) -> bool:
    return isinstance(option.value, int) and option.value in seen.offered


def _action(option: Option, names: Veiled, seen: Observation) -> Option:
    """An action by its name, with the arguments as the seat reads them."""
    if not isinstance(option.value, tuple):
        return option
    name = option.key.partition("(")[0]
    doing = next(each for each in seen.program.doings if each.name == name)
    pairs = list(zip(option.value[1:], doing.params[1:], strict=True))
    if not any(param.type.shape == "thing" and arg in seen.offered for arg, param in pairs):
        return option
    told = ", ".join(names.title(arg, param.type) for arg, param in pairs)
    key = ", ".join(names.key(arg, param.type) for arg, param in pairs)
    return attrs.evolve(option, text=f"{name.replace('_', ' ')}: {told}", key=f"{name}({key})")
