"""The public face: which names there are, that each can be had and is described."""

from __future__ import annotations

import inspect

import pytest

import interpreter
import rulelang

NAMES = [(module, name) for module in (rulelang, interpreter) for name in module.__all__]


@pytest.mark.parametrize(
    ("module", "name"), NAMES, ids=lambda value: getattr(value, "__name__", value)
)
def test_public_name(module: object, name: str) -> None:
    """Every public name can be had, and a class or function has a docstring."""
    found = getattr(module, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert (inspect.getdoc(found) or "").strip()
        assert found.__name__ == name


@pytest.mark.parametrize("module", [rulelang, interpreter])
def test_all_names_are_declared(module: object) -> None:
    """The list of names and the table of their places agree, and others are refused."""
    assert sorted(module._PLACES) == sorted(module.__all__)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name  # type: ignore[attr-defined]
