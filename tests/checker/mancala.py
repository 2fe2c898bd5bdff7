"""Mancala. A state is the ring of seeds (the goals always empty), the side to move (0 or 1) and the plies left."""

from __future__ import annotations

import re

import hooks
from container import Damaged, choice, number
from plain import Ask, Game, Settled, values
from tree import Reader, Refused

RULES = 2


class Mancala(Game):
    def __init__(self, lines: list[tuple[str, str]], small: bool):
        keys = ("pits", "goal", "replies", "position", "ask", "within", "database")
        pits, goal, replies, position, ask, within, database = values(lines, keys)
        self.pits = number(pits, 1, 6)
        self.either = choice(goal, "either", "own") == "either"
        self.passes = choice(replies, "real", "pass") == "pass"
        self.ask = Ask(ask, within)
        if database != "none" and not re.match(r"[0-9a-f]{64}\Z", database):
            raise Damaged("the database is none, or 64 hexadecimal digits")
        self.database = None if database == "none" else database
        self.rules = (self.pits, goal)
        self.size = 2 * self.pits + 2
        self.own = [range(self.pits), range(self.pits + 1, 2 * self.pits + 1)]
        self.goals = [2 * self.pits + 1, self.pits]
        self.used_database = False
        self.start = self.parse(position)
        self.asker = self.start[1]

    def parse(self, position: str):
        both, _, side = position.partition(":")
        rows = [row.split(",") for row in both.split("/")]
        if [len(row) for row in rows] != [self.pits] * 2:
            raise Damaged("the position does not have these pits")
        first, second = ([number(seeds) for seeds in row] for row in rows)
        if not any(first + second):
            raise Damaged("all pits are empty")
        return (*first, 0, *second, 0), int(choice(side, "first", "second") == "second"), self.ask.plies

    def asker_moves(self, state):
        return state[1] == self.asker

    def empty(self, ring, side: int) -> bool:
        return not any(ring[cell] for cell in self.own[side])

    def settled(self, state):
        ring, _, left = state
        for side in (0, 1):
            if self.empty(ring, side):
                return self.ask.won(1, side == self.asker)
        return self.ask.drawn(2) if left == 0 else None

    def leaf(self, state, rule: int, reader: Reader):
        if rule != 3:
            return self.settled(state)
        if self.database is None or self.passes or self.settled(state):
            raise Refused("leaf rule 3 does not apply")
        ring, side, left = state
        own, other = (tuple(ring[cell] for cell in self.own[who]) for who in (side, 1 - side))
        winner, plies = hooks.database_value(self.database, self.rules, own, other)
        self.used_database = True
        if winner == 0 or plies > left:
            return self.ask.drawn(3)
        return Settled(3, (winner > 0) == (side == self.asker), plies)

    def read_move(self, reader: Reader):
        return reader.number()

    def must_pass(self, side: int) -> bool:
        return self.passes and side != self.asker

    def play(self, state, move):
        ring, side, left = state
        if self.must_pass(side) or move == 0:
            if move or not self.must_pass(side):
                raise Refused("a pass, and only that, is the move of the side that passes")
            return (ring, 1 - side, left - 1), 1
        pit = move - 1
        if pit not in self.own[side] or not ring[pit]:
            raise Refused(f"no seeds in a pit {pit} of the side to move")
        rounds, rest = divmod(ring[pit], self.size)
        sown = [seeds + rounds for seeds in ring]
        sown[pit] = rounds
        for step in range(1, rest + 1):
            sown[(pit - step) % self.size] += 1
        for goal in self.goals:
            sown[goal] = 0
        last = (pit - ring[pit]) % self.size
        again = last == self.goals[side] or self.either and last in self.goals
        if again and not self.empty(sown, side):
            return (tuple(sown), side, left), 0
        return (tuple(sown), 1 - side, left - 1), 1

    def how_many(self, state):
        ring, side, _ = state
        return 1 if self.must_pass(side) else sum(ring[pit] > 0 for pit in self.own[side])
