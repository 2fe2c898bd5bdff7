"""What the page leaves to its sub-page: pavings, values of games, databases."""

from __future__ import annotations

import database
import pavings
import textfile
import valuefile
from container import Damaged

leaves: database.Leaves | None = None  # set by --database


def check_text(data: bytes) -> str:
    """Checks a certificate that is a text; returns what it proves."""
    kind, lines = textfile.read(data)
    return "verified: " + (pavings if kind == "paving" else valuefile).check_lines(lines)


def check_paving(text: bytes, shapes: str) -> None:
    """Checks the lines of a paving certificate from `shapes` on: it blocks these shapes."""
    pavings.check_leaf(text, shapes)


def open_database(path: str) -> database.Leaves:
    """The database of a file, which stays open."""
    return database.Leaves(open(path, "rb"))


def database_value(digest: str, rules: tuple, own: tuple, other: tuple) -> tuple[int, int]:
    """What the database says of a Mancala leaf: who wins, from the side to move, and in how many plies."""
    if leaves is None:
        raise Damaged(f"a leaf rests on the database {digest}: name its file with --database")
    return leaves.value(digest, rules, own, other)
