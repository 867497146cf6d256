"""A text as its safe fixes leave it, for tests of lints."""

from __future__ import annotations

from rulelang import api, fixing


def mended_text(text: str) -> str:
    """Apply all safe fixes of a text once."""
    found = api.check_texts({"x.rules": text})
    return fixing.mend(found.files, found.diagnostics).sources[0].text
