"""For the tests of values: games, boards and scores a second time, slowly and by the definitions.

A game is (left options, right options), frozensets of games. Nothing here uses the checker's arithmetic or rules.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import lru_cache

ZERO = (frozenset(), frozenset())


def game(left=(), right=()):
    return frozenset(left), frozenset(right)


@lru_cache(None)
def at_least(g, h) -> bool:
    return not any(at_least(h, r) for r in g[1]) and not any(at_least(l, g) for l in h[0])


def equal(g, h) -> bool:
    return at_least(g, h) and at_least(h, g)


@lru_cache(None)
def add(g, h):
    left = [add(l, h) for l in g[0]] + [add(g, l) for l in h[0]]
    return game(left, [add(r, h) for r in g[1]] + [add(g, r) for r in h[1]])


@lru_cache(None)
def negative(g):
    return game(map(negative, g[1]), map(negative, g[0]))


@lru_cache(None)
def number(x) -> tuple:
    x = Fraction(x)
    if x.denominator > 1:
        step = Fraction(1, x.denominator)
        return game([number(x - step)], [number(x + step)])
    if x > 0:
        return game([number(x - 1)])
    return game((), [number(x + 1)]) if x else ZERO


@lru_cache(None)
def nim(heap: int) -> tuple:
    smaller = [nim(i) for i in range(heap)]
    return game(smaller, smaller)


UP = game([ZERO], [nim(1)])


def is_canonical(g) -> bool:
    """No option is dominated or reversible, here and below."""
    left, right = g
    for side, better in ((left, at_least), (right, lambda a, b: at_least(b, a))):
        if any(a != b and better(a, b) for a in side for b in side):
            return False
    if any(at_least(g, lr) for l in left for lr in l[1]) or any(at_least(rl, g) for r in right for rl in r[0]):
        return False
    return all(map(is_canonical, left | right))


# Boards are dictionaries of cells.


def cells(text: str) -> dict:
    return {(r, c): sign for r, row in enumerate(text.split("/")) for c, sign in enumerate(row)}


def text_of(board: dict) -> str:
    rows = {}
    for (r, _), sign in sorted(board.items()):
        rows[r] = rows.get(r, "") + sign
    return "/".join(rows[r] for r in sorted(rows))


def next_to(cell):
    r, c = cell
    return (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)


def domineering(board: dict, side: int):
    for r, c in board:
        pair = [(r, c), (r, c + 1) if side else (r + 1, c)]
        if all(board.get(cell) == "." for cell in pair):
            yield board | dict.fromkeys(pair, "#")


def clobber(board: dict, side: int):
    own, other = "xo"[side], "ox"[side]
    for cell in board:
        for near in next_to(cell):
            if board[cell] == own and board.get(near) == other:
                yield board | {cell: ".", near: own}


def toads_and_frogs(board: dict, side: int):
    own, other, step = ("T", "F", 1) if side == 0 else ("F", "T", -1)
    for r, c in board:
        if board[r, c] == own:
            near, far = (r, c + step), (r, c + 2 * step)
            if board.get(near) == ".":
                yield board | {(r, c): ".", near: own}
            if board.get(near) == other and board.get(far) == ".":
                yield board | {(r, c): ".", far: own}


MOVES = {"domineering": domineering, "clobber": clobber, "toads-and-frogs": toads_and_frogs}


@lru_cache(None)
def position(name: str, text: str):
    """The game of a board, without a thought about parts."""
    sides = [[position(name, text_of(after)) for after in MOVES[name](cells(text), side)] for side in (0, 1)]
    return game(*sides)


def connected(board: dict, start, signs: str) -> set:
    found, edge = set(), [start]
    while edge:
        cell = edge.pop()
        if cell not in found and board.get(cell, "#") in signs:
            found.add(cell)
            edge += next_to(cell)
    return found


def stands(board: dict, chain: set) -> bool:
    return any(board[cell] in "XO" or board.get(near) == "." for cell in chain for near in next_to(cell))


def go_moves(board: dict, side: int):
    """The prisoners (counted for Black) and the board after each legal move."""
    own, stone, other = ("xX", "x", "oO") if side == 0 else ("oO", "o", "xX")
    for cell in board:
        if board[cell] == ".":
            after = board | {cell: stone}
            dead = set()
            for near in next_to(cell):
                chain = connected(after, near, other)
                if chain and not stands(after, chain):
                    dead |= chain
            after |= dict.fromkeys(dead, ".")
            if dead or stands(after, connected(after, cell, own)):
                yield -len(dead) if side else len(dead), after


def go_parts(board: dict) -> list[dict]:
    board = dict(board)
    for cell in board:
        for small, large in ("xX", "oO"):
            if board[cell] == small and any(board[one] == large for one in connected(board, cell, small + large)):
                board[cell] = large
    parts, seen = [], set()
    for cell in board:
        if board[cell] in ".xo" and cell not in seen:
            part = connected(board, cell, ".xo")
            seen |= part
            near = {one for inner in part for one in next_to(inner)} | part
            parts.append({one: board[one] if one in near else "#" for one in board})
    return parts


def territory(board: dict) -> int:
    found, seen = 0, set()
    for cell in board:
        if board[cell] == "." and cell not in seen:
            area = connected(board, cell, ".")
            seen |= area
            around = {board.get(near) for inner in area for near in next_to(inner)}
            found += len(area) * (bool(around & {"X", "x"}) - bool(around & {"O", "o"}))
    return found


class Repeats(Exception):
    pass


class Score:
    """Values of Go boards where play does not repeat, or cut off after some plies with any value there."""

    def __init__(self, plies: int | None = None, cut=None, simplify=lambda g: g):
        self.plies, self.cut, self.simplify = plies, cut, simplify
        self.memo: dict = {}

    def board(self, board: dict, prisoners: int = 0, left: int | None = None, above=()):
        found = number(prisoners)
        for part in go_parts(board):
            found = self.simplify(add(found, self.part(text_of(part), self.plies if left is None else left, above)))
        return found

    def part(self, text: str, left: int | None, above=()):
        if left == 0:
            return self.cut(text)
        if (text, left) not in self.memo:
            if text in above and left is None:
                raise Repeats
            sides = [
                [
                    self.board(after, prisoners, None if left is None else left - 1, (*above, text))
                    for prisoners, after in go_moves(cells(text), side)
                ]
                for side in (0, 1)
            ]
            stop = number(territory(cells(text)))
            gains = any(at_least(l, stop) for l in sides[0]) or any(at_least(stop, r) for r in sides[1])
            self.memo[text, left] = self.simplify(game(*sides)) if gains else stop
        return self.memo[text, left]


def certificate(*lines: str) -> bytes:
    """A text certificate with a right sum."""
    body = "".join(line + "\n" for line in lines).encode()
    return body + f"sha256 {hashlib.sha256(body).hexdigest()}\n".encode()
