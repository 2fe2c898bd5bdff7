"""QUARTO! A state is the sixteen cells (a piece, or NONE), the piece in hand (NONE if the game is over),
whether the asker is to move, and the plies left."""

from __future__ import annotations

import re
from functools import lru_cache

from container import Damaged
from plain import Ask, Game, values
from tree import Reader, Refused

RULES = 2
NONE = 16
LINES = (
    [tuple(range(4 * row, 4 * row + 4)) for row in range(4)]
    + [tuple(range(column, 16, 4)) for column in range(4)]
    + [(0, 5, 10, 15), (3, 6, 9, 12)]
)
THROUGH = [[line for line in LINES if cell in line] for cell in range(16)]


def common(line: tuple[int, ...], cells: bytes) -> bool:
    """Are there four pieces with a bit in common, all 1 or all 0?"""
    a, b, c, d = (cells[cell] for cell in line)
    return NONE not in (a, b, c, d) and (a & b & c & d != 0 or a | b | c | d != 15)


def completes(cells: bytes, cell: int, piece: int) -> bool:
    after = cells[:cell] + bytes([piece]) + cells[cell + 1 :]
    return any(common(line, after) for line in THROUGH[cell])


@lru_cache(None)  # at most 65536 + 4096 entries, few of which are symmetries
def board_map(order: int, turn: int) -> tuple[int, ...] | None:
    """Where each cell goes, if that is a symmetry of the board."""
    to = []
    for cell in range(16):
        row, column = (order >> 2 * (cell // 4)) & 3, (order >> 2 * (cell % 4)) & 3
        if turn & 1:
            row, column = column, row
        if turn & 2:
            column = 3 - column
        to.append(4 * row + column)
    lines = {frozenset(line) for line in LINES}
    ok = turn < 4 and len(set(to)) == 16 and all(frozenset(to[cell] for cell in line) in lines for line in LINES)
    return tuple(to) if ok else None


@lru_cache(None)
def piece_map(order: int, flip: int) -> bytes | None:
    """What each piece, and NONE, becomes."""
    places = [(order >> 2 * bit) & 3 for bit in range(4)]
    if len(set(places)) < 4 or flip > 15:
        return None
    return bytes(sum((piece >> bit & 1) << places[bit] for bit in range(4)) ^ flip for piece in range(16)) + bytes([NONE])


class Quarto(Game):
    def __init__(self, lines: list[tuple[str, str]], small: bool):
        position, ask, within = values(lines, ("position", "ask", "within"))
        if not re.match(r"[0-9a-f.]{16},[0-9a-f]\Z", position):
            raise Damaged("the position is none of QUARTO!")
        pieces = [sign for sign in position if sign not in ".,"]
        cells = bytes(NONE if sign == "." else int(sign, 16) for sign in position[:16])
        if len(set(pieces)) < len(pieces) or any(common(line, cells) for line in LINES):
            raise Damaged("a piece occurs twice, or a line is complete")
        self.ask = Ask(ask, within, 16)
        # More plies than empty cells mean the same as that number; the board is full before they are used up.
        self.start = cells, int(position[17], 16), True, min(self.ask.plies, cells.count(NONE))

    def asker_moves(self, state):
        return state[2]

    def settled(self, state):
        cells, hand, asker, left = state
        if hand == NONE:  # after a line, or when the last piece has been placed
            if any(common(line, cells) for line in LINES):
                return self.ask.won(1, not asker)
            return self.ask.drawn(2)
        return self.ask.drawn(3) if left == 0 else None

    def read_move(self, reader: Reader):
        return reader.byte(), reader.byte()

    def play(self, state, move):
        cells, hand, asker, left = state
        cell, handed = move
        if cell > 15 or cells[cell] != NONE:
            raise Refused(f"cell {cell} is not empty")
        after = cells[:cell] + bytes([hand]) + cells[cell + 1 :]
        if any(common(line, after) for line in THROUGH[cell]) or NONE not in after:
            if handed != NONE:
                raise Refused("a piece is handed over after the end")
        elif handed > 15 or handed in after:
            raise Refused(f"piece {handed} cannot be handed over")
        return (after, handed, not asker, left - 1), 1

    def how_many(self, state):
        cells, hand, _, _ = state
        empty = [cell for cell in range(16) if cells[cell] == NONE]
        if any(completes(cells, cell, hand) for cell in empty):
            raise Refused("the side to move can complete a line")
        return len(empty) * max(1, len(empty) - 1)

    def turned(self, state, reader):
        order, turn, bits, flip = reader.bytes(4)
        to, become = board_map(order, turn), piece_map(bits, flip)
        if to is None or become is None:
            raise Refused("no symmetry of QUARTO!")
        cells, hand, asker, left = state
        turned = bytearray(16)
        for cell, piece in enumerate(cells):
            turned[to[cell]] = become[piece]
        return bytes(turned), become[hand], asker, left
