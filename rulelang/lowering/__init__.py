"""Checking and lowering in one walk: what a name means depends on the type expected where it
stands.

Reading order: ``context`` (what is shared), ``scope`` (names and facts at a place), ``builtins``,
``names``,
``expressions``, ``statements``, ``decisions``, ``events`` (rules about doings), ``declarations``,
``scenarios``, ``program``.
"""

from rulelang.lowering.program import lower

__all__ = ["lower"]
