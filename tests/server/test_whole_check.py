"""What another process finds when nothing is edited for a moment: mistakes in other variants and scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.server.session import Session

pytestmark = pytest.mark.asyncio

GAME = "market.rules"
VARIANTS = "variants/evenings.rules"


async def test_what_an_edit_breaks_in_a_variant_is_found_and_goes(market: Session) -> None:
    market.open(GAME)
    market.replace(GAME, "tax: after earn", "levy: after earn")
    found = await market.until(VARIANTS, bool)
    assert any("`tax`" in each.message for each in found)
    market.replace(GAME, "levy: after earn", "tax: after earn")
    await market.until(VARIANTS, lambda found: not found)
    assert not [each for each in market.findings(GAME) if each.code == "E0701"]
