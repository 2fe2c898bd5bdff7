"""The access file: where the coordinator is, and the token to call it with."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from .errors import Error

# The longest access file that is read.
_LONGEST = 1 << 20
# Addresses that an access file may name.
_ADDRESSES = 16


@dataclass(frozen=True)
class Access:
    """How to reach a coordinator. Without a token it is open, without ``ca_pem`` not encrypted."""

    url: str
    client_token: str | None = field(default=None, repr=False)
    worker_token: str | None = field(default=None, repr=False)
    ca_pem: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Access:
        """Reads an access file; one that others can read is refused."""
        try:
            with open(path, "rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                if mode & 0o077:
                    raise Error(
                        f"the access file {path} has mode {mode:04o}, so that others can use its "
                        f"tokens; expected mode 0400: chmod 0400 {path}"
                    )
                text = file.read(_LONGEST)
        except OSError as error:
            raise Error(f"the access file {path} cannot be read: {error.strerror}") from None
        try:
            found = json.loads(text)
            known = {name: found.get(name) for name in cls.__dataclass_fields__}
            if all(isinstance(value, str) or value is None for value in known.values()):
                return cls(**known)
        except (ValueError, AttributeError, RecursionError):
            pass
        # Never the text: it may be a token.
        raise Error(
            f'{path} is no access file: expected a JSON object with "url" and, as far as needed, '
            '"client_token", "worker_token" and "ca_pem", all of them strings'
        )

    def token(self) -> str | None:
        """The token of a client; ``None`` for a coordinator that is open."""
        if self.client_token is None and self.worker_token is not None:
            raise Error('the access file has no "client_token"')
        if self.client_token is not None and not (self.client_token.isascii() and self.client_token.isprintable()):
            raise Error('the "client_token" has characters that no header may have')
        return self.client_token

    def addresses(self) -> list[str]:
        """The addresses as ``host:port``, checked: a token never goes unencrypted where TLS is set up."""
        given = [url.strip() for url in (self.url or "").split(",")]
        if len(given) > _ADDRESSES:
            raise Error(f"{len(given)} addresses; expected at most {_ADDRESSES}")
        return [self._address(url) for url in given]

    def _address(self, given: str) -> str:
        scheme, _, rest = given.rpartition("://")
        scheme = scheme or ("https" if self.ca_pem else "http")
        host, _, port = rest.rstrip("/").rpartition(":")
        if scheme not in ("http", "https") or not host or "/" in rest.rstrip("/") or not port.isdecimal():
            raise Error(
                f"{given!r} is no address: expected http://host:port or https://host:port, or "
                "several of them with commas between"
            )
        if scheme == "https" and not self.ca_pem:
            raise Error(f'{given} asks for TLS, but the access file names no authority ("ca_pem")')
        if scheme == "http" and self.ca_pem:
            raise Error(f'{given} is not encrypted, but the access file names an authority ("ca_pem")')
        return f"{host}:{port}"


def find() -> Path:
    """The access file that the program would use: ``HASAMI_ACCESS``, then the usual places."""
    named = os.environ.get("HASAMI_ACCESS")
    if named:
        return Path(named)
    config = os.environ.get("XDG_CONFIG_HOME")
    home = Path(config) if config else Path.home() / ".config"
    places = [Path("hasami-data/access.json"), home / "hasami/access.json"]
    for place in places:
        if place.exists():
            return place
    sought = ", ".join(map(str, places))
    raise Error(
        f"no access file; it was sought in connect(FILE), HASAMI_ACCESS, {sought}; "
        "`hasami coordinator` writes it into its data directory"
    )
