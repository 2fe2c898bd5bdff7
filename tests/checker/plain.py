"""Games with a plain tree: the checks that they have in common. The rules are in a module for each game."""

from __future__ import annotations

from math import inf
from typing import Any

from container import Damaged, choice, number
from tree import Logic, Reader, Refused


class Settled:
    """How the rules settle a state: by which leaf rule, is it proven, and what is left of the length."""

    def __init__(self, rule: int, proven: bool, length: float = 0):
        self.rule, self.proven, self.length = rule, proven, length


class Game:
    """The rules of a game, and the root. States can be compared with ==."""

    has_length = True
    repetition: bool | None = None  # is a repetition proven? None: positions do not repeat
    may_except = True  # is there a line `except`?
    start: Any

    def asker_moves(self, state: Any) -> bool:
        raise NotImplementedError

    def settled(self, state: Any) -> Settled | None:
        raise NotImplementedError

    def leaf(self, state: Any, rule: int, reader: Reader) -> Settled | None:
        """Leaf rules with data are read here."""
        return self.settled(state)

    def read_move(self, reader: Reader) -> Any:
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> tuple[Any, int]:
        """The state after a move in a state that is not settled, and what it counts. Refuses illegal moves."""
        raise NotImplementedError

    def how_many(self, state: Any) -> int:
        """The number of legal moves."""
        raise NotImplementedError

    def turned(self, state: Any, reader: Reader) -> Any:
        """Reads a symmetry and applies it."""
        return state

    # Games with ranks also have rank(state), read_rank(reader) and with_rank(state, rank). A rank is a tuple of
    # numbers, and at least another one if none of them is smaller.
    has_ranks = False


class Plain(Logic):
    def __init__(self, game: Game, proven: bool, banned: bytes | None):
        self.game, self.proven = game, proven
        self.cycles = game.repetition is proven
        if banned is not None:
            if not game.may_except:
                raise Refused("a game whose positions repeat has no line except")
            reader = Reader(banned)
            self.banned = game.read_move(reader)
            if reader.at != reader.end or game.settled(game.start):
                raise Refused("the line except is no move")
            game.play(game.start, self.banned)

    def root(self) -> Any:
        return self.game.start

    def leaf(self, state: Any, rule: int, reader: Reader) -> float:
        settled = self.game.leaf(state, rule, reader)
        if settled is None or settled.rule != rule:
            raise Refused(f"leaf rule {rule} does not apply")
        if settled.proven != self.proven:
            raise Refused("the leaf has the other verdict")
        return settled.length

    def one(self, state: Any, reader: Reader) -> tuple[Any, Any]:
        if self.game.settled(state):
            raise Refused("a move in a game that is over")
        if self.game.asker_moves(state) != self.proven:
            raise Refused("ONE where all moves count")
        state, count = self.game.play(state, self.game.read_move(reader))
        return count, state

    def close_one(self, state: Any, move: int, value: float) -> float:
        return move + value

    def open_all(self, state: Any) -> None:
        if self.game.settled(state):
            raise Refused("a move in a game that is over")
        if self.game.asker_moves(state) == self.proven:
            raise Refused("ALL where one move is enough")

    def next(self, state: Any, moves: list, reader: Reader, root: bool) -> tuple[Any, Any]:
        move = self.game.read_move(reader)
        if root and move == self.banned:
            raise Refused("the move that may not be the first")
        state, count = self.game.play(state, move)
        return (move, count), state

    def close_all(self, state: Any, moves: list, values: list, reader: Reader, root: bool) -> float:
        # Distinct, legal and as many as there are: these are all.
        if len({move for move, _ in moves}) < len(moves):
            raise Refused("a move twice")
        if len(moves) != self.game.how_many(state) - (root and self.banned is not None):
            raise Refused("not all moves are there")
        return max((count + value for (_, count), value in zip(moves, values)), default=0)

    def exchanged(self, state: Any, reader: Reader) -> Any:
        if not self.game.has_ranks:
            return super().exchanged(state, reader)
        here, written = self.game.rank(state), self.game.read_rank(reader)
        if here == written:
            raise Refused("a yield to the rank that is there already")
        # The asker has to do with less to prove, and gets more and still fails.
        less, more = (written, here) if self.proven else (here, written)
        if any(a > b for a, b in zip(less, more)):
            raise Refused("a yield to a rank from which nothing follows")
        return self.game.with_rank(state, written)

    def same(self, state: Any, kept: Any, value: float, reader: Reader) -> float:
        if self.game.turned(kept, reader) != state:
            raise Refused("the kept state is another one")
        return value


class Ask:
    """The lines `ask` and `within`."""

    def __init__(self, ask: str, within: str, most: int = 9999):
        self.draw_is_proven = choice(ask, "win", "not-lose") == "not-lose"
        self.plies: float = inf if within == "any" else number(within, 1, most)

    def won(self, rule: int, by_asker: bool) -> Settled:
        return Settled(rule, by_asker)

    def drawn(self, rule: int) -> Settled:
        return Settled(rule, self.draw_is_proven, inf)


def values(lines: list[tuple[str, str]], keys: tuple[str, ...]) -> list[str]:
    """The values of the parameters, which must be these, in this order."""
    if tuple(key for key, _ in lines) != keys:
        raise Damaged(f"the lines of the question must be {', '.join(keys)}")
    return [value for _, value in lines]
