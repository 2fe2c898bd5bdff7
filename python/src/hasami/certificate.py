"""Certificates: files that prove a claim."""

from __future__ import annotations

import os
import secrets
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from blake3 import blake3

from . import program
from .errors import Error, ProgramError
from .v1 import common_pb2 as common
from .v1.runs_pb2 import GetCertificateRequest

if TYPE_CHECKING:
    from .wire import Wire


@dataclass(frozen=True)
class Certificate:
    """A certificate that the coordinator holds: its name, its BLAKE3 digest, its size."""

    name: str
    digest: str
    bytes: int
    _wire: Wire = field(repr=False, compare=False)

    @classmethod
    def of(cls, file: common.Certificate, wire: Wire) -> Certificate:
        """The certificate that an answer names."""
        return cls(file.name, file.digest.hex(), file.bytes, wire)

    def save(self, path: str | os.PathLike[str] = ".") -> Path:
        """Downloads it to a file, or into a directory under its digest. The file appears only when its
        bytes are those that the answer promises."""
        target = Path(path)
        if target.is_dir():
            target /= f"{self.digest}.cert"
        if not self._is_at(target):
            self._wire.patiently(lambda: self._download(target))
        return target

    def _is_at(self, path: Path) -> bool:
        if not path.is_file() or path.stat().st_size != self.bytes:
            return False
        return blake3(path.read_bytes()).hexdigest() == self.digest

    def _download(self, target: Path) -> None:
        request = GetCertificateRequest(name=self.name, digest=bytes.fromhex(self.digest), bytes=self.bytes)
        draft = target.with_name(f".{target.name}-{secrets.token_hex(8)}")
        try:
            with open(draft, "xb") as file:
                hash, size = blake3(), 0
                for piece in self._wire.stream("GetCertificate", request):
                    hash.update(piece.data)
                    size += len(piece.data)
                    if size > self.bytes:
                        break
                    file.write(piece.data)
            if size != self.bytes or hash.hexdigest() != self.digest:
                raise Error(
                    f"certificate {self.name}: the coordinator has sent other bytes than the answer "
                    f"promises; expected {self.bytes} of them with blake3 {self.digest}"
                )
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def picture(file: str | os.PathLike[str], path: str | os.PathLike[str] | None = None) -> str | None:
    """The picture of a proof as SVG, by ``hasami verify``, which checks it too; ``None`` if the game has
    none. ``path`` is the program."""
    with tempfile.TemporaryDirectory(prefix="hasami-") as directory:
        out = Path(directory) / "proof.svg"
        try:
            program.run(["verify", os.path.abspath(file), "-o", str(out)], path)
        except ProgramError as error:
            if error.exit_code == 2 and "nothing to write" in str(error):
                return None
            raise
        return out.read_text(encoding="utf-8")
