"""Findings as text: one module for each format."""

from __future__ import annotations

from rulelang.rendering.concise import render_concise
from rulelang.rendering.full import render_full
from rulelang.rendering.json import render_json

__all__ = ["render_concise", "render_full", "render_json"]
