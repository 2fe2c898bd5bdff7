"""Words for states and verdicts, and amounts as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from .v1 import common_pb2 as common

_WORDS = {
    enum: {number: name.removeprefix(prefix).lower() for name, number in enum.items()}
    for enum, prefix in [
        (common.RunState, "RUN_STATE_"),
        (common.ItemState, "ITEM_STATE_"),
        (common.Verdict, "VERDICT_"),
        (common.Basis, "BASIS_"),
    ]
}


def word(enum: Any, number: int) -> str:
    """The word of the product: ``settled`` for ``ITEM_STATE_SETTLED``. A newer one is unknown."""
    return _WORDS[enum].get(number, "unknown") if number else "unknown"


def number(enum: Any, text: str) -> Any:
    """The number of a word."""
    words = {known: number for number, known in _WORDS[enum].items() if number}
    if text not in words:
        raise ValueError(f"{text!r}: expected {', '.join(words)}")
    return words[text]


def counted(count: int, thing: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def duration(seconds: float) -> str:
    """In two units at most: ``350 ms``, ``12.3 s``, ``4 min 05 s``, ``3 h 20 min``."""
    if not 0 <= seconds < float("inf"):
        return "?"
    whole = round(seconds)
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 86400} d {whole % 86400 // 3600:02} h"


def time(ms: int) -> datetime | None:
    """A time in UTC; ``None`` where it has not come yet."""
    return datetime.fromtimestamp(ms / 1000, UTC) if ms else None
