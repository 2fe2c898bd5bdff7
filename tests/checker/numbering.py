"""The positions of a database: their numbers, and the value that follows from the values after the moves.

A position is seen from the side to move. `follow` returns nothing where the page says that no value follows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, groupby
from math import comb

from container import Damaged, choice, number

OVER, DRAW, MOST = 254, 255, 253
Look = Callable[[int], int]


class Mancala:
    """A position is (own row, other row), each from pit 0, the nearest to the own goal."""

    RULES = re.compile(r"pits=([0-9]+) goal=([a-z]+) up-to=([0-9]+)\Z")

    def __init__(self, pits: str, goal: str, seeds: str):
        self.pits, self.seeds = number(pits, 1, 6), number(seeds, 1, 40)
        self.goal = choice(goal, "either", "own")
        self.size = comb(self.seeds + 2 * self.pits, 2 * self.pits)
        self.index = lru_cache(1 << 17)(self.index)

    def rows(self, seeds: int) -> int:
        return comb(seeds + self.pits - 1, self.pits - 1)

    @lru_cache(1 << 16)
    def ways(self, pit: int, seeds: int, weight: int) -> int:
        """How many rows from this pit on have so many seeds and this sum of i · seeds."""
        if pit == self.pits:
            return int(seeds == weight == 0)
        if weight < pit * seeds or weight > (self.pits - 1) * seeds:
            return 0
        return sum(self.ways(pit + 1, seeds - here, weight - pit * here) for here in range(seeds + 1))

    def index(self, row: tuple[int, ...]) -> int:
        seeds, weight = sum(row), sum(i * here for i, here in enumerate(row))
        found = sum(self.ways(0, seeds, less) for less in range(weight))
        for pit, here in enumerate(row):
            found += sum(self.ways(pit + 1, seeds - less, weight - pit * less) for less in range(here))
            seeds, weight = seeds - here, weight - pit * here
        return found

    def row(self, seeds: int, index: int) -> tuple[int, ...]:
        weight = 0
        while index >= self.ways(0, seeds, weight):
            index -= self.ways(0, seeds, weight)
            weight += 1
        found = []
        for pit in range(self.pits):
            here = 0
            while index >= (some := self.ways(pit + 1, seeds - here, weight - pit * here)):
                index -= some
                here += 1
            found.append(here)
            seeds, weight = seeds - here, weight - pit * here
        return tuple(found)

    def number(self, position) -> int:
        own, other = position
        x, y = sum(own), sum(other)
        before = comb(x + y - 1 + 2 * self.pits, 2 * self.pits) if x + y else 0
        before += sum(self.rows(less) * self.rows(x + y - less) for less in range(x))
        return before + self.index(own) * self.rows(y) + self.index(other)

    def position(self, index: int):
        seeds = 0
        while index >= comb(seeds + 2 * self.pits, 2 * self.pits):
            seeds += 1
        if seeds:
            index -= comb(seeds - 1 + 2 * self.pits, 2 * self.pits)
        x = 0
        while index >= self.rows(x) * self.rows(seeds - x):
            index -= self.rows(x) * self.rows(seeds - x)
            x += 1
        own, other = divmod(index, self.rows(seeds - x))
        return self.row(x, own), self.row(seeds - x, other)

    def sow(self, position, pit: int):
        """The rows of mover and opponent after it, and whether the mover moves again."""
        own, other = position
        ring = [*own[::-1], 0, *other[::-1], 0]
        at = self.pits - 1 - pit
        seeds, ring[at] = ring[at], 0
        for _ in range(seeds):
            at = (at + 1) % len(ring)
            ring[at] += 1
        again = at == self.pits or at == len(ring) - 1 and self.goal == "either"
        return tuple(ring[self.pits - 1 :: -1]), tuple(ring[2 * self.pits : self.pits : -1]), again

    def follow(self, position, look: Look) -> int | None:
        own, other = position
        if not any(own):
            return OVER
        if not any(other):
            return 0
        after = [self.sow(position, pit) for pit, seeds in enumerate(own) if seeds]
        if any(not any(mine) for mine, _, _ in after):
            return 1
        found = [
            look(self.number((mine, yours))) if again else look(self.number((yours, mine))) + 1
            for mine, yours, again in after
        ]
        if max(found) > MOST:
            return None
        return min((value for value in found if value % 2), default=max(found))


Row = tuple[int, int]  # the cells of the mover and of the other, as sets


class Pyonpyon:
    """A position is the sorted numbers of its rows."""

    RULES = re.compile(r"rows=([0-9]+) columns=([0-9]+) home=([0-9]+) no-move=([a-z]+)\Z")

    def __init__(self, rows: str, columns: str, home: str, no_move: str):
        self.rows, self.columns = number(rows, 1, 3), number(columns, 3, 12)
        self.home = number(home, 1, 4)
        if 2 * self.home >= self.columns:
            raise Damaged("the homes are half of the columns or more")
        self.no_move = choice(no_move, "pass", "loses", "draw")
        self.number_rows()
        self.number_classes()

    def number_rows(self) -> None:
        columns, home = self.columns, self.home
        found = []
        for own in combinations(range(columns), home):
            for other in combinations([c for c in range(columns) if c not in own], home):
                progress = sum(own) + sum(columns - 1 - c for c in other)
                found.append((-progress, sum(1 << c for c in own), sum(1 << c for c in other)))
        found.sort()
        self.boards: list[Row] = [(own, other) for _, own, other in found]
        index = {row: i for i, row in enumerate(self.boards)}
        greatest = -found[0][0]
        self.classes = [greatest + progress for progress, _, _ in found]  # of each row
        self.sizes = [0] * (max(self.classes) + 1)
        self.places = []
        for which in self.classes:
            self.places.append(self.sizes[which])
            self.sizes[which] += 1
        self.first = [sum(self.sizes[:which]) for which in range(len(self.sizes))]  # the first row of a class
        self.moved = [[index[after] for after in self.row_moves(row)] for row in self.boards]
        self.flipped = [index[self.mirror(other), self.mirror(own)] for own, other in self.boards]
        ends = (1 << home) - 1
        self.arrived = [own == ends << columns - home for own, _ in self.boards]
        self.other_arrived = [other == ends for _, other in self.boards]

    def mirror(self, cells: int) -> int:
        return sum(1 << self.columns - 1 - c for c in range(self.columns) if cells >> c & 1)

    def row_moves(self, row: Row) -> list[Row]:
        own, other = row
        found = []
        for start in range(self.columns):
            if own >> start & 1:
                free = [c for c in range(start + 1, self.columns) if not (own | other) >> c & 1]
                if free:
                    found.append((own ^ 1 << start | 1 << free[0], other))
        return found

    def number_classes(self) -> None:
        """Where the positions with the same classes of rows begin."""
        ordered = sorted(combinations_with_replacement(range(len(self.sizes)), self.rows), key=lambda c: (sum(c), c))
        self.class_list, self.starts, self.size = [], [], 0
        for classes in ordered:
            self.class_list.append(classes)
            self.starts.append(self.size)
            count = 1
            for possible, _ in self.runs(classes):
                count *= possible
            self.size += count
        self.start_of = dict(zip(self.class_list, self.starts))

    def runs(self, classes: tuple[int, ...]) -> list[tuple[int, int]]:
        """For each run of equal classes how many digits there are, and its length."""
        found = []
        for which, run in groupby(classes):
            length = len(list(run))
            found.append((multisets(self.sizes[which], length), length))
        return found

    def number(self, position: tuple[int, ...]) -> int:
        rows = sorted(position)
        classes = tuple(self.classes[row] for row in rows)
        found, scale, at = self.start_of[classes], 1, 0
        for possible, length in self.runs(classes):
            digit = sum(multisets(self.places[rows[at + i]], i + 1) for i in range(length))
            found += scale * digit
            scale, at = scale * possible, at + length
        return found

    def position(self, index: int) -> tuple[int, ...]:
        which = bisect_right(self.starts, index) - 1
        classes, rest = self.class_list[which], index - self.starts[which]
        rows, at = [], 0
        for possible, length in self.runs(classes):
            rest, digit = divmod(rest, possible)
            run = []
            for k in range(length, 0, -1):
                place = largest(lambda p: multisets(p, k) <= digit, self.sizes[classes[at]] - 1)
                digit -= multisets(place, k)
                run.append(self.first[classes[at]] + place)
            rows += run[::-1]
            at += length
        return tuple(rows)

    def follow(self, position: tuple[int, ...], look: Look) -> int | None:
        if all(self.arrived[row] for row in position):
            return OVER
        if all(self.other_arrived[row] for row in position):
            return 0
        after = [
            (*position[:i], moved, *position[i + 1 :]) for i, row in enumerate(position) for moved in self.moved[row]
        ]
        if not after:
            if self.no_move != "pass":
                return 0 if self.no_move == "loses" else DRAW
            after = [position]
        found = [look(self.number(tuple(self.flipped[row] for row in rows))) for rows in after]
        if OVER in found:
            return None
        lost = [value for value in found if value % 2 == 0]
        if lost:
            value = min(lost) + 1
        elif DRAW in found:
            return DRAW
        else:
            value = max(found) + 1
        return value if value <= MOST else None


def multisets(kinds: int, count: int) -> int:
    """M: how many ways there are to take so many out of so many kinds, with repetition."""
    return comb(kinds + count - 1, count) if kinds else 0


def largest(holds: Callable[[int], bool], most: int) -> int:
    """The largest number up to this for which it holds; it holds for 0, and for no number after one that fails."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


GAMES = {"mancala": Mancala, "pyonpyon": Pyonpyon}
