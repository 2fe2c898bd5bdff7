"""Domineering, Clobber, and toads and frogs: moves, parts and their images, and the table that proves a value.

A part is known by its *key*, the least of its images, and a sign: −1 if the key is an image that is the negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from container import Damaged
from notation import parse, spell
from tree import Refused
from values import Game, Work, make, negative, total

Rows = tuple[str, ...]
Part = tuple[str, int]


def rows_of(text: str, signs: str, cells: int) -> Rows:
    """The rows of a board, all of one length and with these signs only."""
    rows = tuple(text.split("/"))
    if not rows[0] or len({len(row) for row in rows}) > 1 or set(text) - set(signs) - {"/"}:
        raise Damaged(f"no board of equal rows with the signs {signs}: {text[:40]!a}")
    if len(rows) * len(rows[0]) > cells:
        raise Damaged(f"a board of more than {cells} cells")
    return rows


def mirrored(rows: Rows) -> list[str]:
    """Four images: as it is, turned by two quarters (which is the text backwards), and both mirrored."""
    one, other = "/".join(rows), "/".join(rows[::-1])
    return [one, one[::-1], other, other[::-1]]


def transposed(rows: Rows) -> Rows:
    return tuple(map("".join, zip(*rows)))


def orientations(rows: Rows) -> list[str]:
    return mirrored(rows) + mirrored(transposed(rows))


def least(equal: list[str], opposite: list[str]) -> Part:
    """The key and the sign of a part with these images."""
    plus, minus = min(equal), min(opposite)
    return (plus, 1) if plus <= minus else (minus, -1)


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def pieces(mask: int, stride: int) -> Iterator[int]:
    """The sets of cells that are connected by edges. Row r has the bits from r · stride on; the last is never set."""
    while mask:
        piece, steps = mask & -mask, 0
        while True:
            steps += 1
            grown = (piece | piece << 1 | piece >> 1 | piece << stride | piece >> stride) & mask
            if grown == piece:
                break
            piece = grown
        Work.walk(1 + (steps * mask.bit_length() >> 12))
        yield piece
        mask ^= piece


def masks(rows: Rows, signs: str) -> tuple[int, list[int]]:
    """The stride, and the set of the cells with each of these signs."""
    text = "#".join(rows)[::-1]  # the first cell is the lowest bit
    sets = []
    for sign in signs:
        digits = "".join("1" if found == sign else "0" for found in text)
        sets.append(int(digits, 2))
    return len(rows[0]) + 1, sets


def cut_out(stride: int, ones: int, twos: int, signs: dict[int, str]) -> Rows:
    """The smallest rectangle around two sets of cells, turned by two quarters. `signs` are for the digits 0, 1, 2."""
    # Binary digits read as hexadecimal ones leave room to add two sets digit by digit.
    digits = f"{int(f'{ones:b}', 16) + 2 * int(f'{twos:b}', 16):x}"
    digits = digits.zfill(-(-len(digits) // stride) * stride)
    rows = [digits[at : at + stride] for at in range(0, len(digits), stride)]
    while not rows[-1].strip("0"):
        rows.pop()
    left = min(stride - len(row.lstrip("0")) for row in rows)
    right = max(len(row.rstrip("0")) for row in rows)
    return tuple(row[left:right].translate(signs) for row in rows)


class Domineering:
    """A board is (stride, free cells)."""

    SIGNS = str.maketrans("01", "#.")

    def read(self, text: str):
        stride, (free,) = masks(rows_of(text, ".#", 64), ".")
        return stride, free

    def moves(self, board, side: int) -> Iterator:
        stride, free = board
        step = 1 if side else stride
        for low in bits(free & free >> step):
            yield stride, free ^ (low | low << step)

    def parts(self, board) -> list[Part]:
        stride, free = board
        return [self.image(stride, piece) for piece in pieces(free, stride) if piece & piece - 1]

    @lru_cache(1 << 16)
    def image(self, stride: int, free: int) -> Part:
        rows = cut_out(stride, free, 0, self.SIGNS)
        return least(mirrored(rows), mirrored(transposed(rows)))


class Clobber:
    """A board is (stride, Left's stones, Right's stones)."""

    SIGNS, SWAP = str.maketrans("012", ".xo"), str.maketrans("xo", "ox")

    def read(self, text: str):
        stride, (left, right) = masks(rows_of(text, "xo.", 4096), "xo")
        return stride, left, right

    def moves(self, board, side: int) -> Iterator:
        stride, *stones = board
        own, other = stones[side], stones[1 - side]
        for step in (1, stride):
            for forward in (True, False):
                for start in bits(own & (other >> step if forward else other << step)):
                    end = start << step if forward else start >> step
                    after = own ^ start | end, other ^ end
                    yield (stride, *(after[::-1] if side else after))

    def parts(self, board) -> list[Part]:
        stride, left, right = board
        found = (self.image(stride, left & piece, right & piece) for piece in pieces(left | right, stride))
        return [part for part in found if part]

    @lru_cache(1 << 16)
    def image(self, stride: int, left: int, right: int) -> Part | None:
        if not left or not right:  # connected stones of both sides have a move
            return None
        turned = orientations(cut_out(stride, left, right, self.SIGNS))
        return least(turned, [image.translate(self.SWAP) for image in turned])


class ToadsAndFrogs:
    """A board is its rows."""

    SWAP = str.maketrans("TF", "FT")
    MOVES = ((("T.", ".T"), ("TF.", ".FT")), ((".F", "F."), (".TF", "FT.")))

    def read(self, text: str) -> Rows:
        return rows_of(text, "TF.", 4096)

    def row_moves(self, row: str, side: int) -> Iterator[str]:
        for before, after in self.MOVES[side]:
            at = row.find(before)
            while at >= 0:
                yield row[:at] + after + row[at + len(before) :]
                at = row.find(before, at + 1)

    def moves(self, board: Rows, side: int) -> Iterator[Rows]:
        for i, row in enumerate(board):
            for after in self.row_moves(row, side):
                yield (*board[:i], after, *board[i + 1 :])

    def parts(self, board: Rows) -> list[Part]:
        Work.walk(1 + (len(board) * len(board[0]) >> 8))
        return [part for part in map(self.image, board) if part]

    @lru_cache(1 << 16)
    def image(self, row: str) -> Part | None:
        if not any(True for side in (0, 1) for _ in self.row_moves(row, side)):
            return None
        return least([row], [row[::-1].translate(self.SWAP)])


GAMES = {"domineering": Domineering, "clobber": Clobber, "toads-and-frogs": ToadsAndFrogs}


class Table:
    """The values of parts that are known so far."""

    def __init__(self, game: str):
        self.rules = GAMES[game]()
        self.known: dict[str, tuple[Game, Game]] = {}  # key: the value and its negative

    def value(self, board) -> Game | None:
        """The sum of the parts, if all are known."""
        found = []
        for key, sign in self.rules.parts(board):
            pair = self.known.get(key)
            if pair is None:
                return None
            found.append(pair[sign < 0])
        return total(found)

    def options(self, board, side: int) -> set[Game]:
        found = set()
        for after in self.rules.moves(board, side):
            value = self.value(after)
            if value is None:
                raise Refused("a position after a move is not known")
            found.add(value)
        return found

    def line(self, key: str, position: str, value: str) -> None:
        if key != "part":
            raise Damaged(f"no line {key[:40]!a} in the table of this game")
        board, claimed = self.rules.read(position), parse(value)
        parts = self.rules.parts(board)
        if len(parts) != 1:
            raise Damaged("not exactly one part")
        found = make(self.options(board, 0), self.options(board, 1))
        if found is not claimed:
            raise Refused(f"the value is {spell(found, 60)}")
        ((part, sign),) = parts
        pair = found, negative(found)
        self.known[part] = pair[::sign]

    def finish(self, position: str) -> Game:
        value = self.value(self.rules.read(position))
        if value is None:
            raise Refused("the position is not known")
        return value
