from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.server.session import ROOT, Session, copy_of_ruleset

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest


async def started(root: Path, **options: bool) -> Session:
    config = ClientServerConfig([sys.executable, "-m", "cli", "server"])
    client = await config.start()
    assert isinstance(client, LanguageClient)
    await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
            initialization_options=options,
        )
    )
    return Session(client, root)


async def ended(session: Session) -> None:
    await session.client.shutdown_session()
    await session.client.stop()  # type: ignore[no-untyped-call]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Session]:
    """Start a session on a large ruleset, whose scenarios are not all checked after each edit."""
    made = await started(copy_of_ruleset(tmp_path_factory.mktemp("editor")), wholeCheck=False)
    yield made
    await ended(made)


@pytest_asyncio.fixture
async def market(tmp_path: Path) -> AsyncIterator[Session]:
    """Start a session on a small ruleset, all of which is checked when nothing is edited for a moment."""
    place = tmp_path / "market"
    shutil.copytree(ROOT / "tests/variants/market", place)
    made = await started(place)
    yield made
    await ended(made)
