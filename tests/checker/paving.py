"""Paving winners. A state is (pairs laid, as a set of their cells; placements not blocked; placement pointed at).

The placements not blocked are a set of indices, as an int. The placement pointed at is 0 with Black to move.
"""

from __future__ import annotations

from boards import Board, cells_of, pictures, rectangle
from container import choice
from plain import values
from tree import ONE, Logic, Reader, Refused


class Paving:
    RULES = 2
    has_length = True

    def __init__(self, lines: list[tuple[str, str]], small: bool):
        shapes, board, pairs = values(lines, ("shapes", "board", "pairs"))
        height, width = rectangle(board, 121)
        self.any = choice(pairs, "adjacent", "any") == "any"
        self.board = Board(height, width).place(pictures(shapes, small))
        self.placements = self.board.whole
        column = sum(1 << row * width for row in range(height))
        self.not_left, self.not_right = self.board.all & ~column, self.board.all & ~(column << width - 1)
        self.blocked: dict[int, int] = {}  # pair: the placements that contain it

    def neighbours(self, cells: int) -> int:
        width = self.board.width
        sides = (cells & self.not_right) << 1 | (cells & self.not_left) >> 1
        return (sides | cells << width | cells >> width) & self.board.all

    def allowed(self, a: int, b: int) -> bool:
        """May these two different cells be a pair?"""
        return a != b and (self.any or bool(self.neighbours(1 << a) >> b & 1))

    def blocks(self, pair: int) -> int:
        if pair not in self.blocked:
            self.blocked[pair] = sum(1 << i for i, mask in enumerate(self.placements) if mask & pair == pair)
        return self.blocked[pair]

    def demand(self, placement: int, laid: int) -> int:
        free = placement & ~laid
        if self.any:
            return free if free & (free - 1) else 0
        return free & self.neighbours(free)

    def demands(self, laid: int, unblocked: int) -> set[int]:
        sets = {self.demand(self.placements[i], laid) for i in cells_of(unblocked)}
        return {one for one in sets if not any(other != one and other & ~one == 0 for other in sets)}

    def pair(self, reader: Reader) -> tuple[int, int]:
        a, b = reader.byte(), reader.byte()
        if not a < b < self.board.cells or not self.allowed(a, b):
            raise Refused(f"{a} and {b} are no pair")
        return a, b


class NoBetter:
    """The value of a leaf with rule 3: another move of the same ALL is at least as good for White."""

    def __init__(self, other: int):
        self.other = other


class Loses(Logic):
    """No pairs block everything. A value is the longest line, in placements."""

    def __init__(self, question: Paving):
        self.question = question
        self.index = {mask: i for i, mask in enumerate(question.placements)}

    def root(self):
        return 0, (1 << len(self.question.placements)) - 1, 0

    def placement(self, state, reader: Reader) -> int:
        """Reads a placement that contains no pair laid."""
        cells = reader.bytes(reader.number())
        mask = sum(1 << cell for cell in set(cells))
        if list(cells) != sorted(set(cells)) or mask not in self.index or not state[1] >> self.index[mask] & 1:
            raise Refused("no placement, or one that is blocked")
        return mask

    def leaf(self, state, rule, reader):
        laid, _, pointed = state
        if pointed:
            raise Refused("a leaf where White is to move")
        if rule == 1:
            if self.question.demand(self.placement(state, reader), laid):
                raise Refused("the placement can still be blocked")
            return 1
        if rule == 3:
            return NoBetter(reader.number())
        raise Refused(f"leaf rule {rule} does not apply")

    def one(self, state, reader):
        laid, unblocked, pointed = state
        if pointed:
            raise Refused("ONE where White is to move")
        return None, (laid, unblocked, self.placement(state, reader))

    def close_one(self, state, move, value):
        return 1 + value

    def open_all(self, state):
        if not state[2]:
            raise Refused("ALL where Black is to move")

    def next(self, state, moves, reader, root):
        laid, unblocked, _ = state
        a, b = self.question.pair(reader)
        pair = 1 << a | 1 << b  # within the demand, as `close_all` finds out
        return (a, b), (laid | pair, unblocked & ~self.question.blocks(pair), 0)

    def close_all(self, state, moves, values, reader, root):
        laid, unblocked, pointed = state
        cells = list(cells_of(self.question.demand(pointed, laid)))
        wanted = {(a, b) for a in cells for b in cells if a < b and self.question.allowed(a, b)}
        if len(moves) != len(wanted) or set(moves) != wanted:
            raise Refused("not all pairs within the demand, or one twice")
        longest, demands = 0, None
        for (a, b), value in zip(moves, values):
            if not isinstance(value, NoBetter):
                longest = max(longest, value)
                continue
            if value.other >= len(moves) or isinstance(values[value.other], NoBetter):
                raise Refused("no better than a move that has no node of its own")
            if demands is None:
                demands = self.question.demands(laid, unblocked)
            c, d = moves[value.other]
            if not any(self.exchange(demands, laid, a, b, c, d, *to) for to in ((a, b), (b, a))):
                raise Refused(f"{a} and {b} may be better than {c} and {d}")
        return longest

    def exchange(self, demands: set[int], laid: int, a: int, b: int, c: int, d: int, a1: int, b1: int) -> bool:
        """The lemma: {c, d} is at least as good for White as {a, b}, with a′ and b′ as given."""
        if c in (a, b) and c != a1 or d in (a, b) and d != b1:
            return False
        ab, cd = 1 << a | 1 << b, 1 << c | 1 << d
        if any(demand & ab == ab and demand & cd != cd for demand in demands):
            return False
        return self.replaces(demands, laid, ab | cd, c, d, a1) and self.replaces(demands, laid, ab | cd, d, c, b1)

    def replaces(self, demands: set[int], laid: int, four: int, c: int, d: int, a1: int) -> bool:
        """(2): whatever a pair of c and a cell e did, a′ and e do, or {c, d} does. (3) is the same with d."""
        if c == a1:
            return True
        for e in cells_of(self.question.board.all & ~laid & ~four):
            if not self.question.allowed(c, e):
                continue
            ce = 1 << c | 1 << e
            need = [demand for demand in demands if demand & ce == ce and not demand >> d & 1]
            if need and not (self.question.allowed(a1, e) and all(demand >> a1 & 1 for demand in need)):
                return False
        return True

    def may_keep(self, kind):
        return kind == ONE

    def same(self, state, kept, value, reader):
        g = reader.byte()
        board = self.question.board
        if g >= len(board.maps) or state[2]:
            raise Refused("no symmetry, or White to move")
        here = self.question.demands(state[0], state[1])
        for demand in self.question.demands(kept[0], kept[1]):
            turned = board.turn(demand, g)
            if turned not in here and not any(other & ~turned == 0 for other in here):
                raise Refused("the kept state demands more than this one")
        return value


class Blocks(Logic):
    """Some pairs block everything: a single leaf."""

    def __init__(self, question: Paving):
        self.question = question

    def root(self):
        return None

    def leaf(self, state, rule, reader):
        if rule != 2:
            raise Refused(f"leaf rule {rule} does not apply")
        used, unblocked = 0, (1 << len(self.question.placements)) - 1
        for _ in range(reader.number()):
            a, b = self.question.pair(reader)
            pair = 1 << a | 1 << b
            if used & pair:
                raise Refused("two pairs have a cell in common")
            used, unblocked = used | pair, unblocked & ~self.question.blocks(pair)
        if unblocked:
            cells = self.question.placements[next(cells_of(unblocked))]
            raise Refused(f"the placement {list(cells_of(cells))} is not blocked")
        return 0

    def one(self, state, reader):
        raise Refused("a pairing is a single leaf")

    def open_all(self, state):
        raise Refused("a pairing is a single leaf")
