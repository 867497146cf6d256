"""The language: texts in, checked programs out.

Nothing is imported here, so that a program that needs one stage loads one stage.
"""

from __future__ import annotations

__version__ = "0.1.0"
