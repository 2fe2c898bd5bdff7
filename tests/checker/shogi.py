"""Shogi mates. A state is the board, the side to move, both hands, and the plies left."""

from __future__ import annotations

from functools import lru_cache
from math import inf

import sfen
import shogi_moves as moves
from container import choice, number
from plain import Game, Settled, values
from tree import Reader, Refused

RULES = 1
MOST_PLIES = 2000
NO_LIMIT = 2047  # what a rank says instead of `any`
BITS = (5, 3, 3, 3, 3, 2, 2)  # of a rank for each kind in hand, pawns lowest; eleven bits of plies follow


class Shogi(Game):
    repetition = False
    may_except = False
    has_ranks = True

    def __init__(self, lines: list[tuple[str, str]], small: bool):
        position, within, attacker = values(lines, ("position", "within", "attacker"))
        board, side, hands = sfen.read(position)
        self.mover_attacks = choice(attacker, "mover", "other") == "mover"
        self.attacker = side if self.mover_attacks else 1 - side
        sfen.check_root(board, side, hands, self.attacker)
        plies = inf if within == "any" else number(within, 1, MOST_PLIES)
        self.start = board, side, hands, plies
        self.settled = lru_cache(1 << 14)(self.settle)  # asked for several times at each node
        self.legal = lru_cache(1 << 12)(self.all_moves)

    def asker_moves(self, state):
        return state[1] == self.attacker

    def all_moves(self, state) -> frozenset[tuple[int, int]]:
        """The defender's legal moves; the attacker's that give check."""
        position = state[:3]
        found = moves.legal(*position)
        if self.asker_moves(state):
            found = frozenset(move for move in found if moves.gives_check(*position, move))
        return found

    def settle(self, state) -> Settled | None:
        board, side, hands, left = state
        if self.asker_moves(state):
            checks = self.legal(state)
            if not checks:
                return Settled(2, False, inf)
            if left == 0:
                return Settled(3, False, inf)
            if state == self.start:
                return None
            if any(moves.mates(board, side, hands, move) for move in checks):
                return Settled(4, True, 1)
            return Settled(3, False, inf) if left <= 2 else None
        if not moves.can_move(board, side, hands):
            mated = moves.in_check(board, side)
            return Settled(1, True) if mated else Settled(2, False, inf)
        return Settled(3, False, inf) if left <= 1 else None

    def read_move(self, reader: Reader):
        return reader.byte(), reader.byte()

    def play(self, state, move):
        board, side, hands, left = state
        if move not in self.legal(state):
            raise Refused(f"no move {move[0]} {move[1]}")
        board, hands = moves.after(board, side, hands, move)
        return (board, 1 - side, hands, left - 1), 1

    def how_many(self, state):
        return len(self.legal(state))

    # Ranks: what the attacker has in hand, and the plies left. What he has not, of the pieces off the board, the
    # defender has. A rank is at least another one if no number of it is smaller.

    def rank(self, state) -> tuple:
        return *state[2][self.attacker], state[3]

    def read_rank(self, reader: Reader) -> tuple:
        packed, counts = reader.number(), []
        for bits in BITS:
            counts.append(packed & (1 << bits) - 1)
            packed >>= bits
        # More plies than a question may have are fine: a disproof may hold for more than was asked.
        if packed > NO_LIMIT:
            raise Refused("a rank of more than 32 bits")
        return *counts, inf if packed == NO_LIMIT else packed

    def with_rank(self, state, rank: tuple):
        board, side, hands, _ = state
        others = tuple(a + b - mine for a, b, mine in zip(*hands, rank))
        if min(others) < 0:
            raise Refused("a rank with pieces that are not off the board")
        held = (rank[:7], others) if self.attacker == moves.BLACK else (others, rank[:7])
        return board, side, held, rank[7]
