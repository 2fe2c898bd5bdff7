"""For the tests: simple provers of achievement games and pavings on small boards, by brute force."""

from __future__ import annotations

import itertools

from makers import Achievement, All, Leaf, One, leb


def some(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def listed(cells: list[int]) -> bytes:
    return leb(len(cells)) + bytes(cells)


def win_tree(game: Achievement, stones: int, elsewhere: bool = False):
    """A proof that Black wins: all replies listed, slack 0, everything guarded. None if Black does not.

    With `elsewhere` it leaves out replies outside the zone of one answer to a stone elsewhere.
    """
    every = (1 << game.cells) - 1

    def black(b: int, w: int, left: int):
        for cell in some(every & ~(b | w)):
            if game.done(b | 1 << cell):
                return One(bytes([cell]), Leaf(1)), 1 << cell
            if game.wins(b | 1 << cell, w, False, left - 1):
                below, zone = white(b | 1 << cell, w, left - 1)
                return One(bytes([cell]), below), zone | 1 << cell
        raise AssertionError("no winning move")

    def white(b: int, w: int, left: int):
        free = every & ~(b | w)
        slack = leb(0) if game.strong else b""
        threats = [cell for cell in some(free) if game.done(b | 1 << cell)]
        if len(threats) > 1:
            return All([], slack + listed(threats) + listed(some(free & ~sum(1 << c for c in threats)))), free
        moves, replies = [], threats or some(free)
        if elsewhere and not threats and not game.strong and game.wins(b, w, True, left):
            below, zone = black(b, w, left)
            moves.append((b"\0", below))
            replies = some(free & zone)
        for cell in replies:
            moves.append((bytes([1 + cell]), black(b, w | 1 << cell, left)[0]))
        return All(moves, slack + listed(threats) + listed(some(free))), free

    return black(0, 0, stones)[0] if game.wins(0, 0, True, stones) else None


def prevent_tree(game: Achievement, stones: int, first_without: int | None = None):
    """A proof that Black does not win: all moves listed, down to the end of Black's stones or of the board."""
    every = (1 << game.cells) - 1

    def black(b: int, w: int, left: int, without=None):
        if left == 0:
            return Leaf(1)
        free = [cell for cell in some(every & ~(b | w)) if cell != without]
        return All([(bytes([cell]), white(b | 1 << cell, w, left - 1)) for cell in free])

    def white(b: int, w: int, left: int):
        for cell in some(every & ~(b | w)):
            if game.strong and game.done(w | 1 << cell):
                return Leaf(3, bytes([cell]))
            if not game.wins(b, w | 1 << cell, True, left):
                return One(bytes([1 + cell]), black(b, w | 1 << cell, left))
        return One(b"\0", black(b, w, left))

    return black(0, 0, stones, first_without)


class Pavings:
    """The truth about pairs of cells that block all placements."""

    def __init__(self, height: int, width: int, shapes: str, any_pairs: bool):
        self.placements = sorted(Achievement(height, width, shapes, False).placements)
        self.width, self.any, self.cells = width, any_pairs, height * width
        self.memo: dict = {}

    def allowed(self, a: int, b: int) -> bool:
        (r, c), (s, d) = divmod(a, self.width), divmod(b, self.width)
        return a != b and (self.any or abs(r - s) + abs(c - d) == 1)

    def pairs(self, cells: list[int]) -> list[tuple[int, int]]:
        return [pair for pair in itertools.combinations(cells, 2) if self.allowed(*pair)]

    def open(self, laid: frozenset) -> list[int]:
        return [p for p in self.placements if not any(p >> a & 1 and p >> b & 1 for a, b in laid)]

    def blockable(self, laid: frozenset = frozenset()):
        """A set of disjoint pairs with these in it that blocks everything, or None."""
        if laid not in self.memo:
            self.memo[laid] = self.search(laid)
        return self.memo[laid]

    def search(self, laid: frozenset):
        rest = self.open(laid)
        if not rest:
            return laid
        used = {cell for pair in laid for cell in pair}
        for pair in self.pairs([cell for cell in some(rest[0]) if cell not in used]):
            found = self.blockable(laid | {pair})
            if found is not None:
                return found
        return None

    def tree(self, laid: frozenset = frozenset()):
        """A proof that nothing blocks everything."""
        used = sum(1 << cell for pair in laid for cell in pair)
        placement = min(self.open(laid), key=lambda p: len(self.pairs(some(p & ~used))))
        pairs = self.pairs(some(placement & ~used))
        if not pairs:
            return Leaf(1, listed(some(placement)))
        moves = [(bytes(pair), self.tree(laid | {pair})) for pair in pairs]
        return One(listed(some(placement)), All(moves))
