"""Random graphs, grown from a seed exactly as the page says. A state is the number of a node."""

from __future__ import annotations

from array import array

from container import Damaged, choice, fraction, number
from plain import Game, Settled, values
from synthetic import MASK, scramble
from tree import Reader, Refused

RULES = 1
SMALL = 250_000  # nodes times branching, in a batch


class Graph(Game):
    has_length = False

    def __init__(self, lines: list[tuple[str, str]], small: bool):
        keys = ("nodes", "shape", "branching", "sharing", "leaves", "bias", "repetition", "turns", "seed")
        nodes, shape, branching, sharing, leaves, bias, repetition, turns, seed = values(lines, keys)
        self.nodes, self.branching = number(nodes, 1, 20_000_000), number(branching, 1, 64)
        self.shape = choice(shape, "tree", "dag", "cyclic")
        self.random_turns = choice(turns, "alternate", "random") == "random"
        self.sharing, self.leaves, self.bias = fraction(sharing), fraction(leaves), fraction(bias)
        proven = choice(repetition, "disproven", "proven") == "proven"
        self.repetition = proven if self.shape == "cyclic" else None
        self.state = number(seed)
        self.start = 0
        if small and self.nodes * self.branching > SMALL:
            raise Damaged(f"a graph of more than {SMALL} moves is not taken in a batch")
        self.grow()

    def word(self) -> int:
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        return scramble(self.state)

    def below(self, n: int) -> int:
        return (self.word() >> 32) * n >> 32

    def happens(self, part: float) -> bool:
        return self.word() >> 32 < int(part * 2**32)

    def grow(self) -> None:
        self.turn = bytearray()  # 1: OR
        self.verdict = bytearray()  # 0: not settled, 1: disproven, 2: proven
        self.first, self.edges = array("Q"), array("I")  # the edges of a node: from first[node], degree[node] many
        self.degree = array("I")
        self.rank, self.origin = array("I"), array("I")
        self.frontier: list[int] = []
        self.own: list[int] = []
        deep = [0.0, 0.5, 0.95][self.below(3)]
        self.add(None)
        while self.frontier:
            if len(self.frontier) == 1 or self.happens(deep):
                node = self.frontier.pop()
            else:
                k = self.below(len(self.frontier))
                node = self.frontier[k]
                last = self.frontier.pop()
                if k < len(self.frontier):
                    self.frontier[k] = last
            self.own = []
            must = not self.frontier and len(self.turn) < self.nodes
            leaf = self.happens(self.leaves)
            if must or not (leaf or (node == 0 and len(self.turn) == self.nodes)):
                if must:
                    self.add(node)
                moves = 1 + self.below(self.branching)
                for _ in range(moves - must):
                    if self.shape != "tree" and self.happens(self.sharing):
                        self.share(node)
                    elif len(self.turn) < self.nodes:
                        self.add(node)
            k = self.below(max(1, len(self.own)))
            if must:
                self.own[0], self.own[k] = self.own[k], self.own[0]
            proven = self.happens(self.bias)
            if not self.own:
                self.verdict[node] = 1 + proven
            self.first[node], self.degree[node] = len(self.edges), len(self.own)
            self.edges.extend(self.own)

    def add(self, parent: int | None) -> None:
        new = len(self.turn)
        if self.random_turns:
            turn = self.word() >> 63
        else:
            turn = 1 if parent is None else 1 - self.turn[parent]
        self.turn.append(turn)
        self.frontier.append(new)
        self.verdict.append(0)
        self.first.append(0)
        self.degree.append(0)
        if self.shape == "dag":
            self.rank.append((0 if parent is None else self.rank[parent]) + 1 + self.below(3))
        if self.shape == "cyclic":
            self.origin.append(parent or 0)
        if parent is not None:
            self.own.append(new)

    def share(self, node: int) -> None:
        for _ in range(6):
            t = self.candidate(node)
            turns = self.random_turns or self.turn[t] != self.turn[node]
            if turns and (self.shape == "cyclic" or self.rank[t] > self.rank[node]):
                self.own.append(t)
                return

    def candidate(self, node: int) -> int:
        j, count = self.below(8), len(self.turn)
        if j == 0 and self.shape == "cyclic":
            return node
        if j == 1 and self.shape == "cyclic":
            return self.origin[node]
        if j in (2, 3):
            return count - 1 - self.below(min(count, 8))
        return self.below(count)

    def asker_moves(self, state):
        return self.turn[state] == 1

    def settled(self, state):
        return Settled(1, self.verdict[state] == 2) if self.verdict[state] else None

    def read_move(self, reader: Reader):
        return reader.number()

    def play(self, state, move):
        if move >= self.degree[state]:
            raise Refused(f"no edge {move}")
        return self.edges[self.first[state] + move], 0

    def how_many(self, state):
        return self.degree[state]
