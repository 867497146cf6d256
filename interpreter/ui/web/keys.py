"""Who may come in: unguessable tokens, all made from one key that lies beside the games."""

from __future__ import annotations

import base64
import hmac
import os
import secrets
from typing import TYPE_CHECKING, Self

import attrs

if TYPE_CHECKING:
    from pathlib import Path

_FILE = "server.key"
_BYTES = 32


@attrs.frozen
class Keys:
    """Makes tokens, and knows them again: after a restart too, because they follow from the key.

    Attributes:
        key: 32 random bytes that only the server knows.
    """

    key: bytes = attrs.field(repr=False)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Read the key of a folder of games, or make one that only its owner can read.

        Raises:
            OSError: It can be neither read nor written.
            ValueError: What lies there is no key.
        """
        path = folder / _FILE
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            key = path.read_bytes()
        else:
            key = secrets.token_bytes(_BYTES)
            with os.fdopen(handle, "wb") as file:
                file.write(key)
                file.flush()
                os.fsync(file.fileno())
        if len(key) != _BYTES:
            raise ValueError(f"{path} is no key of a server: remove it, and all links change")
        return cls(key)

    def host(self) -> str:
        """Give the token of the one who begins games and hands links out."""
        return self._token("host")

    def seat(self, game: str, seat: int) -> str:
        """Give the token of a seat, from 0."""
        return self._token(f"seat {game} {seat}")

    def form(self, whose: str) -> str:
        """Give the token that must be in a form, so that no other page can send it."""
        return self._token(f"form {whose}")

    def _token(self, what: str) -> str:
        made = hmac.digest(self.key, what.encode(), "sha256")
        return base64.urlsafe_b64encode(made[:24]).decode("ascii")


def same(token: str, given: str | None) -> bool:
    """Compare two tokens in a time that says nothing about them."""
    return given is not None and hmac.compare_digest(token.encode(), given.encode())
