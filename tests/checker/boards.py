"""Boards, shapes and their placements. A set of cells is an int: bit c is the cell c.

On the infinite board only the cells of a window have numbers. A placement may hang over the edge of the window:
it is the cells inside, and the number of all its cells. The cells outside are never in a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from container import Damaged, number

LONGEST, SMALL, SIDE = 4096, 512, 32  # signs in the line of shapes, in a batch; rows or columns of a picture


def cells_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def rectangle(text: str, most: int) -> tuple[int, int]:
    """Rows and columns of `7x7`."""
    rows, _, columns = text.partition("x")
    height, width = number(rows, 1, most), number(columns, 1, most)
    if height * width > most:
        raise Damaged(f"{text} has more than {most} cells")
    return height, width


def pictures(text: str, small: bool = False) -> list[frozenset[tuple[int, int]]]:
    """The cells of each picture, as they are drawn."""
    if len(text) > (SMALL if small else LONGEST) or not re.match(r"[#./,]+\Z", text):
        raise Damaged("the line of shapes is too long, or has other signs")
    shapes = []
    for picture in text.split(","):
        rows = picture.split("/")
        if len({len(row) for row in rows}) > 1 or "#" not in picture or max(len(rows), len(rows[0])) > SIDE:
            raise Damaged("a picture is empty, too large, or its rows are not equally long")
        shapes.append(frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#"))
    return shapes


def orientations(shape: frozenset[tuple[int, int]]) -> set[frozenset[tuple[int, int]]]:
    """The shape turned and mirrored, each pushed to row 0 and column 0."""
    found = set()
    for turn in range(8):
        cells = [(r if turn & 1 else -r, c if turn & 2 else -c) for r, c in shape]
        if turn & 4:
            cells = [(c, r) for r, c in cells]
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        found.add(frozenset((r - top, c - left) for r, c in cells))
    return found


class Board:
    """A board, or the window of the infinite board, with its placements."""

    def __init__(self, height: int, width: int, infinite: bool = False):
        self.height, self.width, self.infinite = height, width, infinite
        self.cells = height * width
        self.all = (1 << self.cells) - 1
        self.placements: set[tuple[int, int]] = set()  # the cells inside, and the number of all
        self.sizes: set[int] = set()  # how many cells the shapes have
        self.maps = [self.symmetry(g) for g in range(8 if height == width else 4)]

    def place(self, shapes: list[frozenset[tuple[int, int]]]) -> Board:
        for shape in shapes:
            self.sizes.add(len(shape))
            for turned in orientations(shape):
                self.place_everywhere(turned)
        self.index()
        return self

    def place_everywhere(self, shape: frozenset[tuple[int, int]]) -> None:
        height, width = 1 + max(r for r, _ in shape), 1 + max(c for _, c in shape)
        rows = [sum(1 << c for r, c in shape if r == row) for row in range(height)]
        over_r, over_c = (height - 1, width - 1) if self.infinite else (0, 0)
        line = (1 << self.width) - 1
        for left in range(-over_c, self.width - width + over_c + 1):
            shifted = [(row << left if left >= 0 else row >> -left) & line for row in rows]
            for top in range(-over_r, self.height - height + over_r + 1):
                mask = 0
                for row in range(max(0, -top), min(height, self.height - top)):
                    mask |= shifted[row] << (top + row) * self.width
                if mask:
                    self.placements.add((mask, len(shape)))

    def index(self) -> None:
        inside = [mask for mask, size in self.placements if mask.bit_count() == size]
        self.whole = sorted(inside)  # the placements without a cell outside
        self.by_lowest: list[list[int]] = [[] for _ in range(self.cells)]
        self.through: list[list[int]] = [[] for _ in range(self.cells)]
        self.touching: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]
        for mask in inside:
            self.by_lowest[next(cells_of(mask))].append(mask)
            for cell in cells_of(mask):
                self.through[cell].append(mask)
        for mask, size in self.placements:
            for cell in cells_of(mask):
                self.touching[cell].append((mask, size))

    def completed(self, stones: int) -> bool:
        """Is some placement a subset of these stones?"""
        return any(mask & stones == mask for cell in cells_of(stones) for mask in self.by_lowest[cell])

    def lacks_only(self, cell: int, stones: int) -> bool:
        """Has some placement all its cells but this one in the stones?"""
        stones |= 1 << cell
        return any(mask & stones == mask for mask in self.through[cell])

    def symmetry(self, g: int) -> list[int]:
        """Where each cell goes. With bit 2 a square board is needed."""
        to = []
        for cell in range(self.cells):
            row, column = divmod(cell, self.width)
            if g & 1:
                column = self.width - 1 - column
            if g & 2:
                row = self.height - 1 - row
            if g & 4:
                row, column = column, row
            to.append(1 << row * self.width + column)
        return to

    def turn(self, mask: int, g: int) -> int:
        to, turned = self.maps[g], 0
        while mask:
            low = mask & -mask
            turned |= to[low.bit_length() - 1]
            mask ^= low
        return turned
