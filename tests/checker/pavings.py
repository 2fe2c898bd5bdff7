"""Losers by paving: cells in pairs, repeated over the plane, such that every copy of a shape contains a pair."""

from __future__ import annotations

import re

from boards import orientations, pictures
from container import Damaged, choice, number
from tree import Refused

LARGEST = 15  # cells of a shape
CLASSES = 4096
FAR = 1 << 20  # rows or columns of a step
PERIOD = re.compile(r"([0-9]+)x([0-9]+)(?:\+([0-9]+))?\Z")
PAIR = re.compile(r"pair ([0-9]+) ([0-9]+) step (-?[0-9]+) (-?[0-9]+)\Z")

Shape = frozenset[tuple[int, int]]


def signed(text: str, most: int) -> int:
    if text == "-0":
        raise Damaged("zero is 0, never -0")
    return -number(text[1:], 0, most) if text.startswith("-") else number(text, 0, most)


def is_connected(shape: Shape) -> bool:
    reached, edge = set(), [next(iter(shape))]
    while edge:
        r, c = cell = edge.pop()
        if cell in shape and cell not in reached:
            reached.add(cell)
            edge += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return len(reached) == len(shape)


def contains(large: Shape, small: Shape) -> bool:
    """Does the large shape contain the small one in some orientation?"""
    for turned in orientations(small):
        r, c = min(turned)
        for row, column in large:
            if all((row - r + i, column - c + j) in large for i, j in turned):
                return True
    return False


def read_shapes(text: str) -> list[Shape]:
    """The shapes in the one spelling that a paving certificate has."""
    shapes = pictures(text)
    for shape, picture in zip(shapes, text.split(",")):
        rows = picture.split("/")
        if len(shape) > LARGEST or not is_connected(shape):
            raise Damaged(f"a shape has 1 to {LARGEST} cells, connected by edges")
        if not all("#" in line for line in (rows[0], rows[-1], *([row[i] for row in rows] for i in (0, -1)))):
            raise Damaged("a picture with an empty border")
        if sorted(shape) != min(map(sorted, orientations(shape))):
            raise Damaged("a shape that is not drawn in its one spelling")
    keys = [(len(shape), sorted(shape)) for shape in shapes]
    if any(one >= next for one, next in zip(keys, keys[1:])):
        raise Damaged("the shapes are not in increasing order")
    for i, large in enumerate(shapes):
        if any(contains(large, small) for small in shapes[:i]):
            raise Damaged("a shape contains another")
    return shapes


class Paving:
    """The lines from `shapes` to the last `pair`."""

    def __init__(self, lines: list[str]):
        keys = [line.partition(" ")[0] for line in lines]
        if keys[:3] != ["shapes", "pairs", "period"] or any(key != "pair" for key in keys[3:]):
            raise Damaged("the lines must be shapes, pairs, period, then pair")
        shapes, pairs, period = (line.partition(" ")[2] for line in lines[:3])
        self.shapes = read_shapes(shapes)
        self.adjacent = choice(pairs, "adjacent", "any") == "adjacent"
        found = PERIOD.match(period)
        if not found:
            raise Damaged(f"a period {period[:40]!a}")
        self.rows, self.columns = (number(text, 1, CLASSES) for text in found.groups()[:2])
        self.shift = number(found[3], 1, self.columns - 1) if found[3] else 0
        if self.rows * self.columns > CLASSES:
            raise Damaged(f"a period of more than {CLASSES} cells")
        self.steps: dict[tuple[int, int], tuple[int, int]] = {}  # the cell of a pair line: its step
        last = (-1, 0)
        for line in lines[3:]:
            cell, step = self.pair(line)
            if cell <= last or cell >= self.partner_class(cell, step):
                raise Damaged(f"not in increasing order: {line}")
            self.steps[cell] = step
            last = cell

    def pair(self, line: str) -> tuple[tuple[int, int], tuple[int, int]]:
        found = PAIR.match(line)
        if not found:
            raise Damaged(f"a line {line[:80]!a}")
        cell = number(found[1], 0, self.rows - 1), number(found[2], 0, self.columns - 1)
        return cell, (signed(found[3], FAR), signed(found[4], FAR))

    def class_of(self, row: int, column: int) -> tuple[int, int]:
        times, row = divmod(row, self.rows)
        return row, (column - times * self.shift) % self.columns

    def partner_class(self, cell: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
        return self.class_of(cell[0] + step[0], cell[1] + step[1])

    def check(self) -> None:
        seen: set[tuple[int, int]] = set()
        for cell, step in self.steps.items():
            if self.adjacent and abs(step[0]) + abs(step[1]) != 1:
                raise Refused(f"the cell {cell} and its partner are not adjacent")
            for one in (cell, self.partner_class(cell, step)):
                if one in seen:
                    raise Refused(f"the class {one} is in two pairs")
                seen.add(one)
        for shape in self.shapes:
            self.block(shape)

    def block(self, shape: Shape) -> None:
        """Every copy of the shape on the plane contains a pair, or this refuses."""
        for turned in orientations(shape):
            for row in range(self.rows):
                for column in range(self.columns):
                    if not self.has_pair(turned, row, column):
                        raise Refused(f"no pair in the shape {sorted(turned)} at row {row}, column {column}")

    def has_pair(self, shape: Shape, row: int, column: int) -> bool:
        for r, c in shape:
            step = self.steps.get(self.class_of(row + r, column + c))
            if step and (r + step[0], c + step[1]) in shape:
                return True
        return False


def check_lines(lines: list[str]) -> str:
    """Checks a whole paving certificate, without its first line and its sum."""
    Paving(lines).check()
    kind = lines[1].partition(" ")[2]
    return f"paving: Black never completes any of {lines[0].partition(' ')[2]}, {len(lines) - 3} pairs ({kind})"


def check_leaf(text: bytes, shapes: str) -> None:
    """The lines in a leaf of an achievement game: they must hold, and the paving blocks the shapes of the game."""
    try:
        lines = text.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise Damaged("the paving is not plain text") from None
    if lines.pop():
        raise Damaged("the last line of the paving has no end")
    paving = Paving(lines)
    paving.check()
    for shape in pictures(shapes):
        paving.block(shape)
