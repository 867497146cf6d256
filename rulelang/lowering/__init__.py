"""Checking and lowering in one walk: what a name means depends on the type expected where it stands.

Reading order: ``context`` (what is shared), ``scope`` (names and facts at a place), ``builtins``,
``names``, ``expressions``, ``changes`` and ``statements``, ``decisions``; then rules about doings:
``atomics``, ``patterns``, ``exceptions``, ``events``; then ``declarations``, ``scenarios``, ``program``.
"""

from rulelang.lowering.program import lower

__all__ = ["lower"]
