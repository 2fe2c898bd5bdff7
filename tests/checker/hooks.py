"""Places for what the page leaves to its sub-page: pavings, values of games, databases. Not written yet."""

from __future__ import annotations

from container import Damaged
from tree import Reader, Refused

database: object = None  # set by --database


def check_text(data: bytes) -> str:
    """Checks a certificate that is a text; returns what it proves."""
    raise Damaged("neither a certificate with a tree nor a text that this checker knows")


def check_paving(text: bytes, shapes: str) -> None:
    """Checks the lines of a paving certificate from `shapes` on: it blocks these shapes."""
    raise Refused("this checker does not know pavings yet")


def open_database(path: str) -> object:
    raise Damaged("this checker does not know databases yet")


def database_value(reader: Reader) -> tuple[int, int]:
    """The data of a Mancala leaf that rests on a database: who wins, from the side to move, and in how many plies.

    The page does not say how this is written. This reads a byte, 0 for a loss, 1 for a draw, 2 for a win,
    and after a loss or a win a number of plies.
    """
    outcome = reader.byte()
    if outcome > 2:
        raise Refused("no value of a database")
    return outcome - 1, 0 if outcome == 1 else reader.number()


def check_database(sum: str, rules: tuple, ring: tuple, side: int, value: tuple[int, int]) -> bool:
    """Without the file there is nothing to look up, and the claim rests on the database."""
    return True
