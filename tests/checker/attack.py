"""For the tests: an attack on the zone calculus (Theorem 3 of the page).

Builds random trees on small boards, bottom up, from arbitrary positions, as bold as the checker lets them be:
small zones, much slack, replies left out, and now and then threats that are none. Every claim that the checker derives
is compared with brute force over all real positions that the claim allows.
"""

from __future__ import annotations

import itertools
import random
from math import prod

from achieve import Polyomino, Prevents, Wins
from makers import Achievement
from tree import Reader, Refused


def bits(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


class False_(AssertionError):
    """The checker derived a claim that is false."""


class Attack:
    """With a margin the board is infinite, and the truth is found on a board around the window.

    There White has fewer cells than on the plane, so a claim that is true on the plane is true there as well.
    """

    def __init__(self, height: int, width: int, shapes: str, strong: bool, seed: int, margin: int = 0):
        size = f"{height}x{width}"
        lines = [("shapes", shapes), ("board", "infinite" if margin else size), ("game", "strong" if strong else "weak")]
        lines += [("stones", str((prod(map(int, size.split("x"))) + 1) // 2))] + ([("window", size)] if margin else [])
        self.checker = Wins(Polyomino(lines, False), None)
        self.truth = Achievement(height + 2 * margin, width + 2 * margin, shapes, strong)
        self.to = [
            1 << (row + margin) * self.truth.width + column + margin for row in range(height) for column in range(width)
        ]
        self.strong, self.random = strong, random.Random(seed)
        self.name = f"{shapes} on {size} with margin {margin}, {'strong' if strong else 'weak'}"
        self.all = (1 << height * width) - 1
        self.derived = 0
        self.sharp = 0  # claims that some real position which they do not allow would violate
        self.seen: set = set()

    def real(self, mask: int) -> int:
        """The cells of the window on the board of the truth."""
        return sum(self.to[cell] for cell in bits(mask))

    def done(self, mask: int) -> bool:
        return self.truth.done(self.real(mask))

    def wins(self, black: int, white: int, stones: int) -> bool:
        return self.truth.wins(self.real(black), self.real(white), False, stones)

    # The truth.

    def verify(self, black: int, white: int, black_moves: bool, claim) -> None:
        """Brute force over all V."""
        if (black, white, black_moves, claim) in self.seen:
            return
        self.seen.add((black, white, black_moves, claim))
        _, slack, stones = claim
        turns = black.bit_count() - (not black_moves)
        self.derived += 1
        if self.done(black):
            return
        outside = False
        black, white, zone = self.real(black), self.real(white), self.real(claim[0])
        every = (1 << self.truth.cells) - 1
        for chosen in itertools.combinations(bits(every & ~black), turns):
            real = sum(1 << cell for cell in chosen)
            if self.strong and self.truth.done(real):
                continue
            allowed = real & zone & ~white == 0 and (not self.strong or (white & ~real).bit_count() <= slack)
            if allowed and not self.truth.wins(black, real, black_moves, stones):
                raise False_(
                    f"{self.name}: B {bits(black)}, W {bits(white)}, {'Black' if black_moves else 'White'} to move, "
                    f"zone {bits(zone)}, slack {slack}, {stones} stones; but not with White on {bits(real)}"
                )
            outside = outside or not allowed and not self.truth.wins(black, real, black_moves, stones)
        self.sharp += outside

    # Trees, bottom up. Each function returns the claim that the checker derives, or None.

    def black(self, black: int, white: int, depth: int):
        free = bits(self.all & ~(black | white))
        self.random.shuffle(free)
        good = [c for c in free if self.done(black | 1 << c) or self.wins(black | 1 << c, white, depth - 1)]
        for cell in (good[:2] or free[:1]) if self.random.random() < 0.9 else free[:1]:
            below = self.white(black | 1 << cell, white, depth - 1)
            if below is not None:
                claim = self.checker.close_one((black, white, True), 1 << cell, below)
                self.verify(black, white, True, claim)
                return claim
        return None

    def white(self, black: int, white: int, depth: int):
        state, luck = (black, white, False), self.random
        if self.done(black):
            return 0, float("inf"), 0
        if depth <= 0:
            return None
        free = bits(self.all & ~(black | white))
        threats = [c for c in free if self.done(black | 1 << c)]
        if luck.random() < 0.2:
            threats = [c for c in threats if luck.random() < 0.7]
        if luck.random() < 0.02 and free:
            threats = sorted({*threats, luck.choice(free)})
        answers = []
        if luck.random() < 0.5:
            below = self.black(black, white, depth)
            if below is not None:
                answers.append((0, below))
        listed = threats if len(threats) == 1 else [] if threats else free
        for cell in luck.sample(listed, len(listed)):
            covered = any(not zone >> cell & 1 for _, (zone, _, _) in answers)
            if luck.random() < (0.8 if covered else 0.05):
                continue
            below = self.black(black, white | 1 << cell, depth)
            if below is None:
                if luck.random() < 0.7:
                    return None
                continue
            answers.append((1 << cell, below))
        slack = float("inf")
        if self.strong:
            least = min((s for _, (_, s, _) in answers), default=2)
            slack = luck.choice([0, 0, 1, 2, least, max(0, least - 1)])
            if slack == float("inf"):
                slack = 3
        # As few guards as will do.
        guards = 0
        for _ in range(6):
            try:
                claim = self.checker.claim(state, answers, slack, sum(1 << c for c in threats), guards)
            except Refused as why:
                if "complete" not in str(why) or not free:
                    return None
                guards |= 1 << luck.choice(free)
                continue
            self.verify(black, white, False, claim)
            return claim
        return None

    def run(self, rounds: int) -> None:
        cells = list(range(self.all.bit_length()))
        for _ in range(rounds):
            luck = self.random
            turns = luck.choice([0, 1, 1, 2, 2, 3])
            luck.shuffle(cells)
            black_moves = luck.random() < 0.5
            stones = turns + (not black_moves)
            black = sum(1 << c for c in cells[:stones])
            white = sum(1 << c for c in cells[stones : stones + luck.randint(0, turns)])
            if self.done(black):
                continue
            depth = luck.choice([1, 2, 2, 3]) if self.truth.cells < 13 else luck.choice([1, 1, 2])
            (self.black if black_moves else self.white)(black, white, depth)


class Siege:
    """The same for the proofs that Black does not win (Theorem 4): one step at a time, from arbitrary positions.

    The nodes below are true by brute force; whatever the checker concludes from them must be true as well.
    """

    def __init__(self, height: int, width: int, shapes: str, strong: bool, seed: int):
        self.lines = [("shapes", shapes), ("board", f"{height}x{width}"), ("game", "strong" if strong else "weak")]
        self.truth = Achievement(height, width, shapes, strong)
        self.strong, self.random = strong, random.Random(seed)
        self.name = f"{shapes} on {height}x{width}, {'strong' if strong else 'weak'}"
        self.cells = height * width
        self.checkers = [self.checker(stones) for stones in range(1, 12)]
        self.derived = 0

    def checker(self, stones: int) -> Prevents:
        """With any number of stones; more than half of the cells cannot be asked for."""
        question = Polyomino([*self.lines, ("stones", "1")], False)
        question.stones = stones
        return Prevents(question, None)

    def conclude(self, black: int, white: int, black_moves: bool, left: int, how: str, conclude) -> bool:
        try:
            conclude()
        except Refused:
            return False
        self.derived += 1
        if self.truth.wins(black, white, black_moves, left):
            raise False_(f"{self.name}: B {bits(black)}, W {bits(white)}, {left} stones left: {how}")
        return True

    def run(self, rounds: int) -> None:
        luck, truth = self.random, self.truth
        cells = list(range(self.cells))
        for _ in range(rounds):
            luck.shuffle(cells)
            many = luck.randint(0, min(5, self.cells - 1))
            black = sum(1 << c for c in cells[:many])
            white = sum(1 << c for c in cells[many : many + luck.randint(0, many + 1)])
            if truth.placements and luck.random() < 0.5:  # White is about to complete something
                wanted = bits(luck.choice(sorted(truth.placements)) & ~black)
                white = sum(1 << c for c in luck.sample(wanted, max(0, len(wanted) - luck.randint(1, 2))))
            if truth.done(black) or self.strong and truth.done(white):
                continue
            left = luck.randint(1, 5)
            checker = self.checkers[many + left - 1]
            free = [c for c in range(self.cells) if not (black | white) >> c & 1]
            for black_moves in (True, False):
                state = black, white, black_moves
                for rule in (1, 2, 3):
                    data = bytes([luck.choice(free)]) if free and rule == 3 else b""
                    leaf = lambda: checker.leaf(state, rule, Reader(data))  # noqa: B023, E731
                    self.conclude(*state, left, f"leaf {rule}", leaf)
            held = [
                c for c in free if not truth.done(black | 1 << c) and not truth.wins(black | 1 << c, white, False, left - 1)
            ]
            state = black, white, True
            for share in (0, 0.2, 0.5, 0.9):
                moves = [c for c in held if luck.random() < share]
                close = lambda: checker.close_all(state, moves, [None] * len(moves), Reader(b""), False)  # noqa: B023, E731
                self.conclude(*state, left, f"ALL with {moves}", close)
