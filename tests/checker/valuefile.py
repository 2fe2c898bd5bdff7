"""Certificates of values: a position, its value, and a table or plain arithmetic."""

from __future__ import annotations

import sys

from container import Damaged, choice
from expressions import evaluate
from go import GoTable
from notation import parse, spell
from partizan import GAMES, Table
from textfile import entry
from tree import Refused
from values import WORK, Work

LONGEST = 20_000  # bytes of a position
RECURSION = 50_000


def check_lines(lines: list[str]) -> str:
    """Checks a whole value certificate, without its first line and its sum."""
    Work.begin(WORK + 2 * sum(map(len, lines)))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION)
    try:
        return check(lines)
    except RecursionError:
        raise Damaged("the values are too deep for this checker") from None
    finally:
        sys.setrecursionlimit(limit)


def check(lines: list[str]) -> str:
    if len(lines) < 4:
        raise Damaged("the lines must be game, position, value and proof, and those of the table")
    game, position, value, proof = (
        entry(line, key) for line, key in zip(lines, ("game", "position", "value", "proof"))
    )
    choice(game, *GAMES, "go", "expression")
    if len(position.encode()) > LONGEST or position != position.strip(" "):
        raise Damaged(f"a position of more than {LONGEST} bytes, or with spaces at its ends")
    if choice(proof, "table", "arithmetic", "none") == "none":
        raise Damaged("proof none: this file states a value without a proof, and cannot be checked")
    if (proof == "arithmetic") != (game == "expression"):
        raise Damaged(f"no proof {proof} for {game}")
    claimed = parse(value)
    if game == "expression":
        if len(lines) > 4:
            raise Damaged("an expression has no table")
        found = evaluate(position)
    else:
        found = by_table(GoTable() if game == "go" else Table(game), position, lines[4:])
    if found is not claimed:
        raise Refused(f"the value is {spell(found, 60)}")
    return f"value: {game} {position[:200]} is {value[:200]}, {len(lines) - 4} lines"


def by_table(table, position: str, lines: list[str]):
    for place, line in enumerate(lines, 6):
        words = line.split(" ")
        try:
            if len(words) != 3:
                raise Damaged("not three words")
            table.line(*words)
        except Damaged as damage:
            raise Damaged(f"line {place}: {damage}") from None
        except Refused as why:
            raise Refused(f"line {place}: {why}") from None
    return table.finish(position)
