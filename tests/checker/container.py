"""The file: magic, version, zstd frames, sum; and the header of a part."""

from __future__ import annotations

import hashlib
import re

try:
    import zstandard
except ImportError:  # newer Pythons have zstd themselves
    zstandard = None
    from compression import zstd

MAGIC = b"HASAMIC"
VERSION = 2
HEADER_LIMIT = 1 << 16
NUMBER = re.compile(r"(0|[1-9][0-9]{0,19})\Z")


class Damaged(Exception):
    """The file cannot be read, or is not one that this checker knows."""


def frame(data: bytes, limit: int) -> tuple[bytes, bytes]:
    """The contents of the first zstd frame, at most `limit` bytes, and what follows it."""
    if zstandard:
        decoder = zstandard.ZstdDecompressor().decompressobj()
        errors: type[Exception] = zstandard.ZstdError
    else:
        decoder = zstd.ZstdDecompressor()
        errors = zstd.ZstdError
    parts, size, at = [], 0, 0
    # A few bytes at a time: however tight they are packed, this bounds what one step unpacks.
    while not decoder.eof:
        if at >= len(data):
            raise Damaged("a zstd frame is cut off")
        try:
            out = decoder.decompress(data[at : at + 256])
        except errors as error:
            raise Damaged(f"zstd: {error}") from None
        at += 256
        size += len(out)
        if size > limit:
            raise Damaged(f"a part of more than {limit} bytes; see --limit")
        parts.append(out)
    return b"".join(parts), decoder.unused_data + data[at:]


def parts(data: bytes, limit: int) -> list[bytes]:
    """The decompressed parts of a file."""
    if data[: len(MAGIC)] != MAGIC:
        raise Damaged("not a certificate: no HASAMIC at the start")
    if len(data) < len(MAGIC) + 1 + 32:
        raise Damaged("cut off")
    if data[len(MAGIC)] != VERSION:
        raise Damaged(f"version {data[len(MAGIC)]} of the format; this checker knows {VERSION}")
    body, end = data[:-32], data[-32:]
    if hashlib.sha256(body).digest() != end:
        raise Damaged("the SHA-256 at the end does not fit: damaged or cut off")
    rest, found = body[len(MAGIC) + 1 :], []
    while rest:
        part, rest = frame(rest, limit - sum(map(len, found)))
        found.append(part)
    if not found:
        raise Damaged("no parts")
    return found


def header(part: bytes) -> tuple[list[tuple[str, str]], int]:
    """The lines of the header, and where the tree begins."""
    end = part.find(b"\n\n", 0, HEADER_LIMIT)
    if end < 0:
        raise Damaged("no end of the header")
    try:
        text = part[:end].decode("utf-8")
    except UnicodeDecodeError:
        raise Damaged("the header is not UTF-8") from None
    lines = []
    for line in text.split("\n"):
        key, space, value = line.partition(" ")
        if not key or not space or not value or value != value.strip():
            raise Damaged(f"a header line {line[:80]!a}")
        lines.append((key, value))
    return lines, end + 2


def number(text: str, least: int = 0, most: int = (1 << 64) - 1) -> int:
    """A number of the header: decimal, without needless zeros."""
    if not NUMBER.match(text) or not least <= int(text) <= most:
        raise Damaged(f"{text[:40]!a} is no number from {least} to {most}")
    return int(text)


def choice(text: str, *values: str) -> str:
    if text not in values:
        raise Damaged(f"{text[:40]!a} is none of {', '.join(values)}")
    return text


def fraction(text: str) -> float:
    if len(text) > 400 or not re.match(r"[0-9]+(\.[0-9]+)?(e-?[0-9]{1,3})?\Z", text) or not 0 <= float(text) <= 1:
        raise Damaged(f"{text[:40]!a} is no fraction from 0 to 1")
    if repr(float(text)) not in (text, text + ".0"):
        raise Damaged(f"{text[:40]!a} is not the shortest form of its fraction")
    return float(text)
