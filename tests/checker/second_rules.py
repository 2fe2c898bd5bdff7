"""For the tests: the rules of the plain games once more, written in another way, for the brute force of `makers`.

Each class has start, asker(state), moves(state), end(state), draws, `rules` and `lines` for the header,
and `same`, the bytes of the symmetry that changes nothing.
"""

from __future__ import annotations

from makers import leb


class Chomp:
    rules, draws, same = "chomp 1", False, b""

    def __init__(self, rows: int, columns: int):
        self.lines = [f"rows {rows}", f"columns {columns}"]
        self.start = frozenset((r, c) for r in range(rows) for c in range(columns)), True

    def asker(self, state):
        return state[1]

    def end(self, state):
        return (1, -1 if state[1] else 1) if len(state[0]) == 1 else None

    def moves(self, state):
        squares, asker = state
        return [
            (bytes([r, c]), (frozenset(s for s in squares if s[0] < r or s[1] < c), not asker), 1)
            for r, c in sorted(squares - {(0, 0)})
        ]


class Limited:
    """A game with `ask` and `within`. States are (position, asker to move, plies left or None)."""

    def limit(self, ask: str, within: int | None):
        self.draws = ask == "not-lose"
        self.asked = [f"ask {ask}", f"within {within or 'any'}"]
        return within

    def asker(self, state):
        return state[1]

    @staticmethod
    def less(left):
        return None if left is None else left - 1


class Quarto(Limited):
    rules, same = "quarto 2", bytes([0b11100100, 0, 0b11100100, 0])

    def __init__(self, position: str, ask: str = "win", within: int | None = None):
        left = self.limit(ask, within)
        self.lines = [f"position {position}", *self.asked]
        self.start = position, True, left  # the text itself, with "-" in hand when the game is over

    def line(self, text: str) -> bool:
        rows = [text[i : i + 4] for i in (0, 4, 8, 12)]
        lines = rows + ["".join(column) for column in zip(*rows)]
        lines += ["".join(rows[i][i] for i in range(4)), "".join(rows[i][3 - i] for i in range(4))]
        for line in lines:
            if "." not in line:
                pieces = [f"{int(sign, 16):04b}" for sign in line]
                if any(len({piece[bit] for piece in pieces}) == 1 for bit in range(4)):
                    return True
        return False

    def end(self, state):
        text, asker, left = state
        if self.line(text):
            return 1, -1 if asker else 1
        if "." not in text[:16]:
            return 2, 0
        return (3, 0) if left == 0 else None

    def moves(self, state):
        text, asker, left = state
        found = []
        for cell in range(16):
            if text[cell] == ".":
                board = text[:cell] + text[17] + text[cell + 1 : 16]
                rest = [sign for sign in "0123456789abcdef" if sign not in board]
                if self.line(board) or not rest:
                    rest = ["-"]
                for sign in rest:
                    number = 16 if sign == "-" else int(sign, 16)
                    found.append((bytes([cell, number]), (f"{board},{sign}", not asker, self.less(left)), 1))
        return found


class Mancala(Limited):
    rules, same = "mancala 2", b""

    def __init__(self, first, second, side="first", ask="win", within=None, goal="either", replies="real"):
        left = self.limit(ask, within)
        self.goal, self.passing = goal, replies == "pass"
        position = "/".join(",".join(map(str, row)) for row in (first, second)) + ":" + side
        self.lines = [f"pits {len(first)}", f"goal {goal}", f"replies {replies}", f"position {position}"]
        self.lines += [*self.asked, "database none"]
        self.me = side
        self.start = (tuple(first), tuple(second), side), True, left

    def end(self, state):
        (first, second, _), _, left = state
        for name, row in (("first", first), ("second", second)):
            if not any(row):
                return 1, 1 if name == self.me else -1
        return (2, 0) if left == 0 else None

    def moves(self, state):
        (first, second, side), asker, left = state
        other = "second" if side == "first" else "first"
        if self.passing and not asker:
            return [(b"\0", ((first, second, other), True, self.less(left)), 1)]
        p, found = len(first), []
        for pit in range(p):
            cell = pit if side == "first" else p + 1 + pit
            cells = [*first, 0, *second, 0]
            seeds, cells[cell], at = cells[cell], 0, cell
            if not seeds:
                continue
            for _ in range(seeds):
                at = at - 1 if at else 2 * p + 1
                cells[at] += 1
            rows = tuple(cells[:p]), tuple(cells[p + 1 : 2 * p + 1])
            goals = {2 * p + 1: "first", p: "second"}
            again = at in goals and (self.goal == "either" or goals[at] == side)
            if again and any(rows[0]) and any(rows[1]):
                after = (*rows, side), asker, left
            else:
                after = (*rows, other), not asker, self.less(left)
            found.append((leb(1 + cell), after, 0 if after[1] == asker else 1))
        return found


class Pyonpyon(Limited):
    rules = "pyonpyon 3"

    def __init__(self, rows: list[str], home: int, no_move: str, side="first", ask="win", within=None):
        left = self.limit(ask, within)
        self.same = bytes(range(len(rows)))
        self.home, self.no_move, self.columns = home, no_move, len(rows[0])
        self.lines = [f"rows {len(rows)}", f"columns {self.columns}", f"home {home}", f"no-move {no_move}"]
        self.lines += [f"position {'/'.join(rows)}:{side}", *self.asked]
        self.start = ("/".join(rows), side), True, left

    def steps(self, board: str, side: str):
        rows = board.split("/")
        for r, row in enumerate(rows):
            ahead = range(self.columns) if side == "first" else range(self.columns - 1, -1, -1)
            order = list(ahead)
            for i, c in enumerate(order):
                to = [d for d in order[i + 1 :] if row[d] == "."]
                if row[c] == ("S" if side == "first" else "G") and to:
                    new = [row[to[0]] if d == c else row[c] if d == to[0] else row[d] for d in range(self.columns)]
                    yield leb(1 + r * self.columns + c), "/".join([*rows[:r], "".join(new), *rows[r + 1 :]])

    def end(self, state):
        (board, side), asker, left = state
        theirs = "G" if side == "first" else "S"
        goal = range(self.home) if theirs == "G" else range(self.columns - self.home, self.columns)
        if all(row[c] == theirs for row in board.split("/") for c in goal):
            return 1, -1 if asker else 1
        if self.no_move != "pass" and not list(self.steps(board, side)):
            return 2, 0 if self.no_move == "draw" else -1 if asker else 1
        return (3, 0) if left == 0 else None

    def moves(self, state):
        (board, side), asker, left = state
        other = "second" if side == "first" else "first"
        steps = list(self.steps(board, side)) or [(b"\0", board)]
        return [(move, ((after, other), not asker, self.less(left)), 1) for move, after in steps]


class Synthetic:
    rules, draws, same = "synthetic 1", False, b""

    def __init__(self, depth, branching, width, knots, knot, leaves, bias, seed):
        self.depth, self.branching, self.width, self.knot = depth, branching, width, knot
        self.knots, self.leaves, self.bias = knots, leaves, bias
        self.lines = [f"depth {depth}", f"branching {branching}", f"width {width}", f"knots {knots}"]
        self.lines += [f"knot {knot}", f"leaves {leaves}", f"bias {bias}", f"seed {seed}"]
        self.salt = self.mix(seed)
        self.start = 0, False, 0

    def mix(self, x):
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = ((x ^ (x >> shift)) * factor) % 2**64
        return x ^ (x >> 31)

    def chance(self, share, word):
        return word // 2**32 < int(share * 4294967296)

    def own(self, state):
        return self.mix(state[2] ^ self.salt ^ (state[0] << 48))

    def asker(self, state):
        return state[0] % 2 == 0

    def end(self, state):
        word = self.own(state)
        if state[0] < self.depth and not (state[0] and self.chance(self.leaves, word)):
            return None
        return 1, 1 if self.chance(self.bias, word % 2**32 * 2**32) else -1

    def moves(self, state):
        layer, knotted, index = state
        found = []
        for move in range(self.branching):
            w = self.mix((self.own(state) + move + 1) % 2**64)
            if knotted:
                after = layer + 1, True, index // 256 * 256 + w * self.knot // 2**64
            else:
                new = w if self.width == 0 else w * self.width // 2**64
                tied = self.chance(self.knots, self.mix(new ^ self.salt))
                after = layer + 1, tied, new // 256 * 256 if tied else new
            found.append((bytes([move]), after, 1))
        return found
