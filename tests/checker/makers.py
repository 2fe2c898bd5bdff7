"""For the tests: writes trees, parts and files, and proves small questions by brute force.

Nothing here is used by the checker, and no rules of the checker are used here.
"""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, field

import zstandard


def leb(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


@dataclass
class Leaf:
    rule: int
    data: bytes = b""


@dataclass
class One:
    move: bytes
    below: object
    key: object = None


@dataclass
class All:
    moves: list = field(default_factory=list)  # of (move, node)
    closing: bytes = b""
    key: object = None


@dataclass
class Same:
    key: object
    symmetry: bytes = b""


@dataclass
class Yield:
    rank: int
    below: object


def references(node, order: list) -> list:
    """The keys of all SAME nodes, in the order of the bytes."""
    if isinstance(node, Same):
        order.append(node.key)
    elif isinstance(node, (One, Yield)):
        references(node.below, order)
    elif isinstance(node, All):
        for _, below in node.moves:
            references(below, order)
    return order


def encode(node) -> bytes:
    """The bytes of a tree. Nodes that some SAME refers to are kept, and forgotten as early as possible."""
    uses = references(node, [])
    last = {key: index for index, key in enumerate(uses)}
    numbers: dict = {}
    out = bytearray()
    seen = 0

    def write(node) -> None:
        nonlocal seen
        if isinstance(node, Leaf):
            out.extend(bytes([0, node.rule]) + node.data)
        elif isinstance(node, Same):
            out.append(3 | (4 if last[node.key] == seen else 0))
            out.extend(leb(len(numbers) - numbers[node.key]) + node.symmetry)
            seen += 1
        elif isinstance(node, Yield):
            out.extend(b"\x08" + leb(node.rank))
            write(node.below)
        else:
            flag = 0
            if node.key in last:
                flag, numbers[node.key] = 4, len(numbers)
            if isinstance(node, One):
                out.append(1 | flag)
                out.extend(node.move)
                write(node.below)
            else:
                out.append(2 | flag)
                out.extend(leb(len(node.moves)))
                for move, below in node.moves:
                    out.extend(move)
                    write(below)
                out.extend(node.closing)

    write(node)
    return bytes(out)


def header(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode() + b"\n"


def part(rules: str, lines: list[str], verdict: str, tree, length: int | None = None, first_without: str = "") -> bytes:
    extra = [f"except {first_without}"] if first_without else []
    end = [f"length {length}"] if length is not None else []
    raw = tree if isinstance(tree, bytes) else encode(tree)
    return header("claim verdict", f"rules {rules}", *lines, *extra, f"verdict {verdict}", *end) + raw


def pack(*parts: bytes) -> bytes:
    body = b"HASAMIC\x02" + b"".join(zstandard.ZstdCompressor().compress(data) for data in parts)
    return body + hashlib.sha256(body).digest()


def mutants(tree: bytes):
    """Every byte changed to every other value, dropped, and each value inserted before it; and cut off.

    In a long tree the values are those that mean something on a small board, and the largest.
    """
    values = range(256) if len(tree) < 64 else [*range(24), 127, 128, 255]
    for at in range(len(tree)):
        for value in values:
            if value != tree[at]:
                yield tree[:at] + bytes([value]) + tree[at + 1 :]
            yield tree[:at] + bytes([value]) + tree[at:]
        yield tree[:at] + tree[at + 1 :]
        yield tree[:at]
    yield from (tree + bytes([value]) for value in values)


class Solver:
    """Proves a plain game by brute force. The game is an object with

    start, asker(state), moves(state) -> [(bytes, state, count)],
    end(state) -> None, or (leaf rule, 1 the asker has won, 0 draw, -1 lost); draws: are they proven?
    same: the bytes of the symmetry that changes nothing
    """

    def __init__(self, game, first_without: bytes | None = None):
        self.game, self.memo, self.without = game, {}, first_without

    def moves(self, state):
        moves = self.game.moves(state)
        if self.without is not None and state == self.game.start:
            moves = [move for move in moves if move[0] != self.without]
        return moves

    def proven(self, state) -> bool:
        if state not in self.memo:
            end = self.game.end(state)
            if end:
                self.memo[state] = end[1] > 0 or end[1] == 0 and self.game.draws
            else:
                results = [self.proven(after) for _, after, _ in self.moves(state)]
                self.memo[state] = any(results) if self.game.asker(state) else all(results)
        return self.memo[state]

    def tree(self, share: bool = True):
        """A tree for the true verdict, and its longest line."""
        verdict, done = self.proven(self.game.start), {}

        def build(state):
            if share and state in done:
                return Same(state, self.game.same), done[state]
            end = self.game.end(state)
            if end:
                return Leaf(end[0]), 0 if end[1] else float("inf")
            if self.game.asker(state) == verdict:
                move, after, count = next(m for m in self.moves(state) if self.proven(m[1]) == verdict)
                below, length = build(after)
                node, length = One(move, below, state), length + count
            else:
                node, length = All(key=state), 0
                for move, after, count in self.moves(state):
                    below, its = build(after)
                    node.moves.append((move, below))
                    length = max(length, its + count)
            done[state] = length
            return node, length

        return verdict, *build(self.game.start)


class Achievement:
    """An achievement game on a small finite board, solved by brute force. Sets of cells are ints."""

    def __init__(self, height: int, width: int, shapes: str, strong: bool):
        self.height, self.width, self.strong = height, width, strong
        self.cells = height * width
        self.placements = set()
        for picture in shapes.split(","):
            drawn = [(r, c) for r, row in enumerate(picture.split("/")) for c, sign in enumerate(row) if sign == "#"]
            reach = range(-height - width, height + width + 1)
            for swap, down, right, dr, dc in itertools.product((0, 1), (1, -1), (1, -1), reach, reach):
                spots = [(down * (c if swap else r) + dr, right * (r if swap else c) + dc) for r, c in drawn]
                if all(0 <= r < height and 0 <= c < width for r, c in spots):
                    self.placements.add(sum(1 << r * width + c for r, c in spots))
        self.memo: dict = {}

    def done(self, stones: int) -> bool:
        return any(p & stones == p for p in self.placements)

    def wins(self, black: int, white: int, black_moves: bool, stones: int) -> bool:
        """Does Black complete a placement with at most so many more stones, in the strong game before White?"""
        key = black, white, black_moves, stones
        if key not in self.memo:
            self.memo[key] = self.search(*key)
        return self.memo[key]

    def search(self, black: int, white: int, black_moves: bool, stones: int) -> bool:
        free = [1 << c for c in range(self.cells) if not (black | white) >> c & 1]
        if stones <= 0 or not free:
            return False
        if black_moves:
            return any(
                self.done(black | cell) or self.wins(black | cell, white, False, stones - 1) for cell in free
            )
        return all(
            not (self.strong and self.done(white | cell)) and self.wins(black, white | cell, True, stones)
            for cell in free
        )
