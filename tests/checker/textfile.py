"""Text certificates: lines with a kind at the start and a SHA-256 at the end."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from container import Damaged

LIMITS = {"hasami paving 2": 1 << 20, "hasami value 3": 1 << 24}
SUM = re.compile(r"sha256 ([0-9a-f]{64})\Z")


def read(data: bytes) -> tuple[str, list[str]]:
    """The kind, `paving` or `value`, and the lines of the claim."""
    first = data[:80].partition(b"\n")[0].decode("utf-8", "replace")
    if first not in LIMITS:
        known = " and ".join(LIMITS)
        raise Damaged(f"a file that begins with {first[:40]!a}; this checker knows HASAMIC, {known}")
    if len(data) > LIMITS[first]:
        raise Damaged(f"more than {LIMITS[first]} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(f"byte {error.start} is not UTF-8") from None
    lines = text.split("\n")
    if lines.pop():
        raise Damaged("the last line has no end")
    for place, line in enumerate(lines, 1):
        if not line or not line.isprintable() and any(unicodedata.category(sign) == "Cc" for sign in line):
            raise Damaged(f"line {place} is empty or has control characters")
    found = SUM.match(lines[-1])
    if not found:
        raise Damaged("the last line is not the line sha256")
    body = data[: -len(lines[-1]) - 1]
    if hashlib.sha256(body).hexdigest() != found[1]:
        raise Damaged("the line sha256 does not fit: damaged or changed")
    return first.split()[1], lines[1:-1]


def entry(line: str, key: str) -> str:
    """The text of a line with this key."""
    name, _, text = line.partition(" ")
    if name != key or not text:
        raise Damaged(f"no line {key}, but {line[:80]!a}")
    return text
