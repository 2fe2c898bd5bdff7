"""Go as the page counts it: parts, territory, and a table of bounds.

A board is its rows. A part is cut out and known by its *key*, the least of its images, and a sign: −1 if the key has
the colours exchanged. What can be said of a part whatever else is known is kept in `Shape`, once for each key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from container import Damaged
from notation import parse, spell
from partizan import Part, Rows, least, orientations, rows_of
from tree import Refused
from values import Game, Work, add, at_least, at_most, make, named, negative

SIDE = 80  # rows, or points of a row
SWAP = str.maketrans("XOxo", "OXox")
COLOURS = (("x", "xX"), ("o", "oO"))  # Black, White: a new stone, and all stones

Bounds = tuple[Game | None, Game | None]


class Board:
    """Points as a list, with a wall of `#` around, so that neighbours are at fixed distances.

    A board is *settled* if all stones that are connected to an immortal one are immortal.
    """

    def __init__(self, rows: Rows):
        self.stride = len(rows[0]) + 1
        wall = "#" * self.stride
        self.points = list(wall + "".join(row + "#" for row in rows) + wall)
        self.steps = (1, -1, self.stride, -self.stride)

    def copy(self) -> Board:
        other = Board.__new__(Board)
        other.stride, other.steps, other.points = self.stride, self.steps, self.points[:]
        return other

    def area(self, start: int, signs: str) -> list[int]:
        """The points with these signs that are connected to this one."""
        points, found, seen = self.points, [start], {start}
        for point in found:
            for step in self.steps:
                near = point + step
                if near not in seen and points[near] in signs:
                    seen.add(near)
                    found.append(near)
        Work.walk(1 + len(found) // 8)
        return found

    def areas(self, signs: str) -> list[list[int]]:
        """All areas of these signs."""
        seen: set[int] = set()
        found = []
        for point, sign in enumerate(self.points):
            if sign in signs and point not in seen:
                area = self.area(point, signs)
                seen.update(area)
                found.append(area)
        return found

    def around(self, area: list[int]) -> set[str]:
        """The signs of the points next to an area (and in it)."""
        return {self.points[point + step] for point in area for step in self.steps}

    def stands(self, chain: list[int]) -> bool:
        return any(self.points[point] in "XO" for point in chain) or "." in self.around(chain)

    def all_stand(self) -> bool:
        return all(self.stands(chain) for _, signs in COLOURS for chain in self.areas(signs))

    def play(self, point: int, side: int) -> tuple[int, Board] | None:
        """The prisoners and the board after a stone on this empty point of a settled board, which stays settled."""
        (stone, own), (_, others) = COLOURS[side], COLOURS[1 - side]
        after = self.copy()
        after.points[point] = stone
        prisoners = 0
        for step in self.steps:
            if after.points[point + step] == others[0]:
                chain = after.area(point + step, others)
                if not after.stands(chain):
                    prisoners += len(chain)
                    for dead in chain:
                        after.points[dead] = "."
        near = {after.points[point + step] for step in self.steps}
        if not prisoners and "." not in near and not after.stands(after.area(point, own)):
            return None
        if own[1] in near:  # no stone but the new one connects others to an immortal one
            for joined in after.area(point, stone):
                after.points[joined] = own[1]
        return prisoners, after

    def settle(self) -> Board:
        for _, signs in COLOURS:
            for chain in self.areas(signs):
                if any(self.points[point] == signs[1] for point in chain):
                    for point in chain:
                        self.points[point] = signs[1]
        return self

    def parts(self) -> list[Part]:
        """The key and the sign of each part of a settled board."""
        return [part_of(self.cut_out(area)) for area in self.areas(".xo")]

    def cut_out(self, area: list[int]) -> Rows:
        """An area of open points with all stones next to it, in the smallest rectangle."""
        points, kept = self.points, ["#"] * len(self.points)
        for point in area:
            kept[point] = points[point]
            for step in self.steps:
                kept[point + step] = points[point + step]
        text = "".join(kept)
        rows = [text[at : at + self.stride] for at in range(0, len(text), self.stride)]
        rows = [row for row in rows if row.strip("#")]  # an area is connected: no such row is within it
        left = min(self.stride - len(row.lstrip("#")) for row in rows)
        right = max(len(row.rstrip("#")) for row in rows)
        return tuple(row[left:right] for row in rows)


@lru_cache(1 << 16)
def part_of(rows: Rows) -> Part:
    turned = orientations(rows)
    return least(turned, [image.translate(SWAP) for image in turned])


class Shape:
    """A part by its key: territory, certain territory, and where each move leads."""

    def __init__(self, key: str):
        self.board = Board(tuple(key.split("/")))
        self.certain = self.certain_territory(key)
        self.moves: list[tuple[list[After], Iterator[After]]] = [([], self.play_all(side)) for side in (0, 1)]

    def certain_territory(self, signs: str) -> Game | None:
        """Lemma 4."""
        points, steps = self.board.points, self.board.steps
        for wall, strangers, dead, sign in (("X", "Ox", "o", 1), ("O", "Xo", "x", -1)):
            if any(stranger in signs for stranger in strangers):
                continue
            area = [point for point, found in enumerate(points) if found in ".xo"]
            if all(any(points[point + step] == wall for step in steps) for point in area):
                return named(sign * (signs.count(".") + 2 * signs.count(dead)))
        return None

    def territory(self) -> int:
        found = 0
        for area in self.board.areas("."):
            around = self.board.around(area)
            black, white = not around.isdisjoint("Xx"), not around.isdisjoint("Oo")
            found += len(area) * (black - white)
        return found

    def after(self, side: int) -> Iterator[After]:
        """The boards after all legal moves of a side, made when they are asked for and then kept."""
        made, more = self.moves[side]
        at = 0
        while True:
            if at == len(made):
                one = next(more, None)
                if one is None:
                    return
                made.append(one)
            yield made[at]
            at += 1

    def play_all(self, side: int) -> Iterator[After]:
        for point, sign in enumerate(self.board.points):
            played = self.board.play(point, side) if sign == "." else None
            if played:
                prisoners, board = played
                yield After(-prisoners if side else prisoners, board.parts())


class After:
    """A board: its prisoners, counted for Black, and its parts."""

    __slots__ = ("prisoners", "parts")

    def __init__(self, prisoners: int, parts: list[Part]):
        self.prisoners, self.parts = prisoners, parts


def exchanged(bounds: Bounds) -> Bounds:
    low, high = bounds
    return None if high is None else negative(high), None if low is None else negative(low)


class GoTable:
    """The bounds of parts that are known so far. Index 0 is the lower bound, 1 the upper one."""

    def __init__(self) -> None:
        self.shapes: dict[str, Shape] = {}
        self.kept: dict[str, Bounds] = {}

    def shape(self, key: str) -> Shape:
        if key not in self.shapes:
            self.shapes[key] = Shape(key)
        return self.shapes[key]

    def part_bounds(self, part: Part) -> Bounds:
        key, sign = part
        shape = self.shape(key)
        if shape.certain is not None:
            bounds = shape.certain, shape.certain
        else:
            # A part that is its own image with colours exchanged is taken as it is: one bound does not give the other.
            bounds = self.kept.get(key, (None, None))
        return exchanged(bounds) if sign < 0 else bounds

    def bound(self, prisoners: int, parts: list[Part], which: int) -> Game | None:
        """A bound of a board, if all its parts have one."""
        found = named(prisoners)
        for part in parts:
            one = self.part_bounds(part)[which]
            if one is None:
                return None
            found = add(found, one)
        return found

    def answered(self, after: After, which: int, claimed: Game) -> bool:
        """Has the other side an answer to a board with a bound that is at least (at most) the claim?"""
        good = at_most if which else at_least
        for i, (key, sign) in enumerate(after.parts):
            others = after.parts[:i] + after.parts[i + 1 :]
            rest = self.bound(after.prisoners, others, which)
            if rest is None:
                continue
            # Black answers for a lower bound, White for an upper one; in an image with exchanged colours the other.
            for answer in self.shape(key).after(which if sign > 0 else 1 - which):
                Work.walk()
                parts = [(inner, turn * sign) for inner, turn in answer.parts]
                bound = self.bound(answer.prisoners * sign, parts, which)
                if bound is not None and good(add(rest, bound), claimed):
                    return True
        return False

    def holds(self, key: str, sign: int, which: int, claimed: Game) -> Game:
        """What the rule gives for a bound of this part; it holds if that is the claim."""
        shape = self.shape(key)
        sides: list[list[Game]] = [[], []]
        for side in (0, 1):
            for after in shape.after(side if sign > 0 else 1 - side):
                Work.walk()
                after = After(after.prisoners * sign, [(inner, turn * sign) for inner, turn in after.parts])
                bound = self.bound(after.prisoners, after.parts, which)
                if side == which:
                    if bound is not None:
                        sides[side].append(bound)
                    continue
                if bound is None or bound is not self.bound(after.prisoners, after.parts, 1 - which):
                    if self.answered(after, which, claimed):
                        continue
                    if bound is None:
                        raise Refused("a move without a bound and without an answer")
                sides[side].append(bound)
        return score(shape.territory() * sign, *sides)

    def line(self, key: str, position: str, value: str) -> None:
        if key not in ("part", "least", "most"):
            raise Damaged(f"no line {key[:40]!a} in the table of this game")
        parts, claimed = self.read(position), parse(value)
        if len(parts) != 1:
            raise Damaged("not exactly one part")
        ((part, sign),) = parts
        for which, word in enumerate(("least", "most")):
            if key in ("part", word):
                found = self.holds(part, sign, which, claimed)
                if found is not claimed:
                    raise Refused(f"{word}: the bound is {spell(found, 60)}")
        bounds = list(self.part_bounds((part, sign)))
        for which, word in enumerate(("least", "most")):
            if key in ("part", word):
                bounds[which] = claimed
        low, high = bounds
        self.kept[part] = (low, high) if sign > 0 else exchanged((low, high))

    @staticmethod
    def read(text: str) -> list[Part]:
        rows = rows_of(text, "XOxo.#", SIDE * SIDE)
        if max(len(rows), len(rows[0])) > SIDE:
            raise Damaged(f"more than {SIDE} rows, or points of a row")
        board = Board(rows)
        if not board.all_stand():
            raise Refused("a chain that does not stand")
        return board.settle().parts()

    def finish(self, position: str) -> Game:
        parts = self.read(position)
        low, high = (self.bound(0, parts, which) for which in (0, 1))
        if low is None or low is not high:
            raise Refused("the position is not known")
        return low


def score(territory: int, left: list[Game], right: list[Game]) -> Game:
    """S(T; L, R): play stops if neither player gains by moving."""
    stop = named(territory)
    if any(at_least(l, stop) for l in left) or any(at_least(stop, r) for r in right):
        return make(left, right)
    return stop


