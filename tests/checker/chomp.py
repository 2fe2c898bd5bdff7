"""Chomp. A state is the number of squares left in each row, from the top, and whether the asker is to move."""

from __future__ import annotations

from container import number
from plain import Game, Settled, values
from tree import Reader, Refused

RULES = 1


class Chomp(Game):
    def __init__(self, lines: list[tuple[str, str]], small: bool):
        rows, columns = values(lines, ("rows", "columns"))
        self.start = (number(columns, 1, 16),) * number(rows, 1, 16), True

    def asker_moves(self, state):
        return state[1]

    def settled(self, state):
        rows, asker = state
        return Settled(1, not asker) if sum(rows) == 1 else None

    def read_move(self, reader: Reader):
        return reader.byte(), reader.byte()

    def play(self, state, move):
        rows, asker = state
        row, column = move
        if move == (0, 0) or row >= len(rows) or column >= rows[row]:
            raise Refused(f"no square at row {row}, column {column} to take")
        return (rows[:row] + tuple(min(left, column) for left in rows[row:]), not asker), 1

    def how_many(self, state):
        return sum(state[0]) - 1
