"""Write the parts of pages that are made from the program: `python -m docs.site`."""

from __future__ import annotations

import sys

from docs.site.regions import DOCS, pages, rewritten


def main() -> None:
    """Write every page whose parts are no longer what the program says, and name it."""
    for page in pages():
        before = page.read_text("utf-8")
        after = rewritten(before)
        if after != before:
            page.write_text(after, "utf-8")
            sys.stdout.write(f"{page.relative_to(DOCS)}\n")


if __name__ == "__main__":
    main()
