"""What can go wrong, as exceptions. All of them are :class:`Error`."""

from __future__ import annotations

import re
from dataclasses import dataclass


class Error(Exception):
    """The coordinator, or the program, says no."""


class Unreachable(Error):
    """The coordinator is away or too slow: later it may work."""


class Busy(Unreachable):
    """The call was refused before it did anything; it may be repeated after ``after`` seconds."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Refused(Error):
    """The token, the TLS certificate or the protocol does not fit: the setup must change."""


class NotFound(Error):
    """There is no such run, item or certificate."""


class ProgramError(Error):
    """The program ``hasami`` is missing or has failed."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Mistake:
    """One error in a sweep, with its place."""

    file: str
    line: int
    column: int
    field: str
    message: str

    def __str__(self) -> str:
        field = f"{self.field}: " if self.field else ""
        return f"{self.file}:{self.line}:{self.column}: {field}{self.message}"


class SweepError(Error):
    """A sweep with errors. ``more``: there may be others. ``text``: what the places refer to."""

    def __init__(self, mistakes: list[Mistake], more: bool, text: str) -> None:
        lines = [str(mistake) for mistake in mistakes]
        super().__init__("\n".join(lines + ["there may be more errors"] * more))
        self.mistakes = mistakes
        self.more = more
        self.text = text


_PLACE = re.compile(r"(.+?):(\d+):(\d+): (?:([\w.-]+(?: \d+)?(?:\.[\w.-]+)?): )?(.*)")
# The coordinator cuts the text of a long error and marks the cut.
_CUT = "..."


def mistakes(message: str) -> tuple[list[Mistake], bool]:
    """Reads the errors of a sweep from their text; also whether there may be more."""
    lines = message.split("\n")
    found = []
    for place in filter(None, map(_PLACE.fullmatch, lines)):
        file, line, column, field, words = place.groups()
        found.append(Mistake(file, int(line), int(column), field or "", words))
    return found, lines[-1].startswith("stopped looking after") or lines[-1].endswith(_CUT)
