"""Synthetic trees: random questions from a seed. A state is the layer, whether it is knotted, and the index."""

from __future__ import annotations

from container import fraction, number
from plain import Game, Settled, values
from tree import Reader, Refused

RULES = 1
MASK = (1 << 64) - 1


def scramble(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def hit(part: float, word: int) -> bool:
    return word >> 32 < int(part * 2**32)


class Synthetic(Game):
    def __init__(self, lines: list[tuple[str, str]], small: bool):
        keys = ("depth", "branching", "width", "knots", "knot", "leaves", "bias", "seed")
        depth, branching, width, knots, knot, leaves, bias, seed = values(lines, keys)
        self.depth, self.branching = number(depth, 1, 10000), number(branching, 1, 255)
        self.width, self.knot = number(width, 0, 1 << 32), number(knot, 1, 256)
        self.knots, self.leaves, self.bias = fraction(knots), fraction(leaves), fraction(bias)
        self.salt = scramble(number(seed))
        self.start = 0, False, 0

    def word(self, state) -> int:
        layer, _, index = state
        return scramble(index ^ self.salt ^ layer << 48)

    def asker_moves(self, state):
        return state[0] % 2 == 0

    def settled(self, state):
        word = self.word(state)
        if state[0] == self.depth or state[0] > 0 and hit(self.leaves, word):
            return Settled(1, hit(self.bias, word << 32 & MASK))
        return None

    def read_move(self, reader: Reader):
        return reader.byte()

    def play(self, state, move):
        layer, knotted, index = state
        if move >= self.branching:
            raise Refused(f"no move {move}")
        word = scramble(self.word(state) + move + 1 & MASK)
        if knotted:
            index = (index & ~255) + (word * self.knot >> 64)
        else:
            index = word * self.width >> 64 if self.width else word
            knotted = hit(self.knots, scramble(index ^ self.salt))
            if knotted:
                index &= ~255
        return (layer + 1, knotted, index), 1

    def how_many(self, state):
        return self.branching
