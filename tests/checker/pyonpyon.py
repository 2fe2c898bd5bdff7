"""Pyonpyon shogi. A state is the rows as texts, the side to move (S or G) and the plies left."""

from __future__ import annotations

import re

from container import Damaged, choice, number
from plain import Ask, Game, values
from tree import Reader, Refused

RULES = 3


class Pyonpyon(Game):
    def __init__(self, lines: list[tuple[str, str]], small: bool):
        keys = ("rows", "columns", "home", "no-move", "position", "ask", "within")
        rows, columns, home, no_move, position, ask, within = values(lines, keys)
        self.columns = number(columns, 3, 12)
        self.home = number(home, 1, min(4, (self.columns - 1) // 2))
        self.no_move = choice(no_move, "pass", "loses", "draw")
        self.ask = Ask(ask, within)
        board, _, side = position.partition(":")
        texts = tuple(board.split("/"))
        good = len(texts) == number(rows, 1, 4) and all(
            len(row) == self.columns
            and re.match(r"[SG.]*\Z", row)
            and row.count("S") == row.count("G") == self.home
            for row in texts
        )
        if not good:
            raise Damaged("the position does not fit the board")
        self.asker = "S" if choice(side, "first", "second") == "first" else "G"
        self.start = texts, self.asker, self.ask.plies
        if self.is_home(texts, self.asker):
            raise Damaged("the game is over before it begins")

    def is_home(self, rows, side: str) -> bool:
        goal = side * self.home
        return all(row.endswith(goal) if side == "S" else row.startswith(goal) for row in rows)

    def asker_moves(self, state):
        return state[1] == self.asker

    @staticmethod
    def target(row: str, column: int) -> int:
        """Where the piece in this column goes, or -1."""
        return row.find(".", column) if row[column] == "S" else row.rfind(".", 0, column)

    def pieces(self, state) -> int:
        """How many pieces of the side to move can move."""
        rows, side, _ = state
        return sum(
            row[column] == side and self.target(row, column) >= 0 for row in rows for column in range(self.columns)
        )

    def settled(self, state):
        rows, side, left = state
        other = "G" if side == "S" else "S"
        if self.is_home(rows, other):
            return self.ask.won(1, other == self.asker)
        if self.no_move != "pass" and not self.pieces(state):
            return self.ask.drawn(2) if self.no_move == "draw" else self.ask.won(2, other == self.asker)
        return self.ask.drawn(3) if left == 0 else None

    def read_move(self, reader: Reader):
        return reader.number()

    def play(self, state, move):
        rows, side, left = state
        other = "G" if side == "S" else "S"
        if move == 0:
            if self.pieces(state):  # without a move the game is over under the other rules
                raise Refused("a pass with another move")
            return (rows, other, left - 1), 1
        index, column = divmod(move - 1, self.columns)
        if index >= len(rows) or rows[index][column] != side:
            raise Refused(f"no own piece for move {move}")
        row = rows[index]
        to = self.target(row, column)
        if to < 0:
            raise Refused(f"the piece of move {move} cannot move")
        cells = list(row)
        cells[column], cells[to] = ".", side
        return (rows[:index] + ("".join(cells),) + rows[index + 1 :], other, left - 1), 1

    def how_many(self, state):
        return self.pieces(state) or 1  # nothing but the pass

    def turned(self, state, reader):
        rows, side, left = state
        order = reader.bytes(len(rows))
        if sorted(order) != list(range(len(rows))):
            raise Refused("no permutation of the rows")
        return tuple(rows[row] for row in order), side, left
