"""What the generator of the site calls: pages from elsewhere, navigation, and a look at what was built."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from docs.site import pages, regions

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_LOG = logging.getLogger("mkdocs.plugins.rulelang")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not kept in `docs`, and put them into the navigation."""
    for place, text in (pages.outside() | pages.explanations()).items():
        files.append(File.generated(config, place, content=text))
    known = [file.src_uri for file in files.documentation_pages()]
    config.nav = pages.filled(config.nav or [], known)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write a page as the site shows it, its parts from the program as the program is now."""
    del config, files
    return pages.shown(regions.rewritten(markdown), page.file.src_uri)


def on_post_build(config: MkDocsConfig) -> None:
    """Warn of every page that would load something from elsewhere."""
    for page in sorted(Path(config.site_dir).rglob("*.html")):
        for address in pages.loaded(page.read_text("utf-8")):
            _LOG.warning("%s loads %s", page.relative_to(config.site_dir), address)
