"""Achievement games: polyominoes and k in a row. Proofs that Black wins, with zones, and that Black does not."""

from __future__ import annotations

from math import inf

import hooks
from boards import Board, cells_of, pictures, rectangle
from container import Damaged, choice, number
from plain import values
from tree import Logic, Reader, Refused


class Polyomino:
    RULES = 5
    has_length = True

    def __init__(self, lines: list[tuple[str, str]], small: bool):
        infinite = ("board", "infinite") in lines
        keys = ("shapes", "board", "game", "stones") + (("window",) if infinite else ())
        self.shapes, board, game, stones, *window = values(lines, keys)
        height, width = rectangle(window[0] if infinite else board, 128)
        self.strong = choice(game, "strong", "weak") == "strong"
        self.stones: float = number(stones, 1, (height * width + 1) // 2)
        self.board = Board(height, width, infinite).place(pictures(self.shapes, small))


class Mnk:
    RULES = 2
    has_length = True

    def __init__(self, lines: list[tuple[str, str]], small: bool):
        width, height, line = (number(value, 1, 64) for value in values(lines, ("width", "height", "line")))
        if width * height > 64:
            raise Damaged("more than 64 cells")
        self.strong = False
        self.stones = inf
        self.board = Board(height, width)
        # The line in a row, and the rising diagonal; turned, these are all four directions.
        row, diagonal = ({(i * step, i) for i in range(line)} for step in (0, 1))
        if line <= max(width, height):
            self.board.place([frozenset(row), frozenset(diagonal)])
        else:
            self.board.index()


class Stones(Logic):
    """What wins and disproofs have in common. A state is (B, W, Black to move)."""

    def __init__(self, question, banned: bytes | None):
        self.question, self.board, self.strong = question, question.board, question.strong

    def root(self):
        return 0, 0, True

    def cell(self, index: int, state) -> int:
        """The set of this one cell, which must be free."""
        if index >= self.board.cells or (state[0] | state[1]) >> index & 1:
            raise Refused(f"cell {index} is not free")
        return 1 << index

    def turned(self, value, g: int):
        return value

    def same(self, state, kept, value, reader):
        g = reader.byte()
        if g >= len(self.board.maps):
            raise Refused(f"no symmetry {g}")
        if (self.board.turn(kept[0], g), self.board.turn(kept[1], g), kept[2]) != state:
            raise Refused("the kept state is another one")
        return self.turned(value, g)


class Wins(Stones):
    """Black wins. A value is (Z, s, n)."""

    def leaf(self, state, rule, reader):
        black, _, black_moves = state
        if rule != 1 or black_moves or not self.board.completed(black):
            raise Refused(f"leaf rule {rule} does not apply")
        return 0, inf, 0

    def one(self, state, reader):
        black, white, black_moves = state
        if not black_moves:
            raise Refused("ONE where White is to move")
        cell = self.cell(reader.byte(), state)
        return cell, (black | cell, white, False)

    def close_one(self, state, move, value):
        zone, slack, stones = value
        return zone | move, slack, stones + 1

    def open_all(self, state):
        if state[2]:
            raise Refused("ALL where Black is to move")

    def next(self, state, moves, reader, root):
        black, white, _ = state
        move = reader.byte()
        cell = self.cell(move - 1, state) if move else 0  # 0: elsewhere
        if cell in moves:
            raise Refused("a move twice")
        return cell, (black, white | cell, True)

    def set_of_cells(self, state, reader: Reader) -> int:
        found = 0
        for _ in range(reader.number()):
            cell = self.cell(reader.byte(), state)
            if cell <= found:  # not beyond the highest so far
                raise Refused("the cells are not in increasing order")
            found |= cell
        return found

    def close_all(self, state, moves, values, reader, root):
        slack = reader.number() if self.strong else inf
        threats = self.set_of_cells(state, reader)
        guards = self.set_of_cells(state, reader)
        return self.claim(state, list(zip(moves, values)), slack, threats, guards)

    def claim(self, state, answers, slack, threats: int, guards: int):
        """The claim of an ALL, from its moves and the claims below, and the closing data."""
        black, white, _ = state
        board = self.board
        for cell in cells_of(threats):  # (T)
            if not board.lacks_only(cell, black):
                raise Refused(f"no threat at cell {cell}")
        zone, stones = threats | guards, 1 if threats else 0
        if not answers and not threats:
            raise Refused("neither a threat nor a move")
        # The replies that are not answered: cells of the board or window, and those outside the window.
        open_cells, outside = board.all & ~(black | white), board.infinite
        for cell in cells_of(threats):
            open_cells, outside = open_cells & (1 << cell), False
        for cell, (below, its_slack, its_stones) in answers:
            if its_slack < slack:  # (S)
                raise Refused("more slack than at a node below")
            zone |= below & ~(white | cell)
            stones = max(stones, its_stones)
            if not cell or not self.strong or its_slack > slack:
                open_cells, outside = open_cells & below, False
            open_cells &= ~cell
        if open_cells or outside:  # (C)
            where = f"at cell {next(cells_of(open_cells))}" if open_cells else "outside the window"
            raise Refused(f"no answer to a reply {where}")
        if self.strong:
            self.quiet(black, white, zone, slack)
        return zone, slack, stones

    def quiet(self, black: int, white: int, zone: int, slack: float) -> None:
        """(K): White cannot complete anything with the next stone."""
        board = self.board
        turns = black.bit_count() - 1
        unseen = turns - white.bit_count() + slack
        # Placements without a cell in W: each shape once, and on a finite board all of them if that is not enough.
        far = any(turns > size - 2 and unseen > size - 2 for size in board.sizes)
        if far and board.infinite:
            raise Refused("White could complete a placement far away")
        if far:
            suspects = board.placements
        else:
            suspects = {found for cell in cells_of(white) for found in board.touching[cell]}
        for mask, size in suspects:
            if mask & black or turns <= size - 2 or (mask & zone).bit_count() >= 2:
                continue
            if (mask & white).bit_count() + unseen > size - 2:
                raise Refused(f"White could complete the cells {list(cells_of(mask))}")

    def turned(self, value, g):
        zone, slack, stones = value
        return self.board.turn(zone, g), slack, stones


class Prevents(Stones):
    """Black does not win. Values are nothing."""

    def __init__(self, question, banned: bytes | None):
        super().__init__(question, banned)
        self.unit = 1 << max(self.board.sizes, default=1)  # the weight 1
        if banned is not None:
            if len(banned) != 1 or banned[0] >= self.board.cells:
                raise Refused("the line except is no move")
            self.banned = banned[0]

    def left(self, black: int) -> float:
        """How many stones Black has left."""
        return self.question.stones - black.bit_count()

    def enter(self, state) -> None:
        """Every node: Black has completed nothing."""
        if self.board.infinite:
            raise Refused("on the infinite board only a paving shows that Black does not win")
        if self.left(state[0]) >= 0 and self.board.completed(state[0]):
            raise Refused("Black has completed a placement")

    def family(self, black: int, white: int) -> set[int]:
        """What is missing of the placements that Black can still complete."""
        left = self.left(black)
        missing = {mask & ~black for mask in self.board.whole if not mask & white}
        return {cells for cells in missing if cells.bit_count() <= left}

    def potential(self, family) -> int:
        return sum(self.unit >> cells.bit_count() for cells in family)

    def leaf(self, state, rule, reader):
        black, white, black_moves = state
        if rule == 4:
            if state != self.root() or not isinstance(self.question, Polyomino):
                raise Refused("a paving where the game has begun")
            hooks.check_paving(reader.bytes(reader.number()), self.question.shapes)
            return None
        self.enter(state)
        if rule == 1:
            holds = self.potential(self.family(black, white)) * (2 if black_moves else 1) < self.unit
        elif rule == 2:
            holds, seen = black_moves, 0
            for cells in self.family(black, white):
                holds = holds and cells.bit_count() >= 2 and not cells & seen
                seen |= cells
        elif rule == 3:
            cell = reader.byte()
            self.cell(cell, state)
            holds = self.strong and not black_moves and self.board.lacks_only(cell, white)
        else:
            holds = False
        if not holds:
            raise Refused(f"leaf rule {rule} does not apply")

    def one(self, state, reader):
        self.enter(state)
        black, white, black_moves = state
        if black_moves:
            raise Refused("ONE where Black is to move")
        move = reader.byte()
        stone = self.cell(move - 1, state) if move else 0  # 0: a pass
        return None, (black, white | stone, True)

    def close_one(self, state, move, value):
        return None

    def open_all(self, state):
        self.enter(state)
        if not state[2]:
            raise Refused("ALL where White is to move")

    def next(self, state, moves, reader, root):
        cell = reader.byte()
        stone = self.cell(cell, state)
        if moves and moves[-1] >= cell:
            raise Refused("the moves are not in increasing order")
        if root and cell == self.banned:
            raise Refused("the move that may not be the first")
        return cell, (state[0] | stone, state[1], False)

    def close_all(self, state, moves, values, reader, root):
        black, white, _ = state
        others = self.board.all & ~(black | white)
        for cell in moves:
            others &= ~(1 << cell)
        if root and self.banned is not None:
            others &= ~(1 << self.banned)
        if not others:
            return None
        family = self.family(black, white)
        at_most = self.bounds(family, self.left(black) - 1)
        threats = 0  # cells on which White completes a placement
        if self.strong:
            free = self.board.all & ~(black | white)
            threats = sum(1 << cell for cell in cells_of(free) if self.board.lacks_only(cell, white))
        suspects = [
            cell
            for cell in cells_of(others)
            if at_most[cell] >= self.unit and not self.harmless(cell, state, family, threats)
        ]
        settled_elsewhere = bool(moves) or len(suspects) < others.bit_count()
        for cell in suspects:
            if not settled_elsewhere or not self.idle(cell, state, family):
                raise Refused(f"no answer to cell {cell}")
        return None

    def bounds(self, family: set[int], left: float) -> list[int]:
        """For each cell a bound on the potential after Black's move there, with `left` stones left.

        It is too large only where two sets become one; so if it is small, (i) holds. This is for speed alone.
        """
        rest, more = 0, [0] * self.board.cells
        for cells in family:
            size = cells.bit_count()
            weight = self.unit >> size
            if size <= left:
                rest += weight
            for cell in cells_of(cells):
                more[cell] += weight if size <= left else 2 * weight
        return [rest + extra for extra in more]

    def harmless(self, cell: int, state, family: set[int], threats: int) -> bool:
        """(i) a small potential after the move, or (ii) White completes a placement elsewhere."""
        bit = 1 << cell
        if bit in family:
            return False  # the move completes a placement; the page forgets this in (ii), which would be unsound
        if threats & ~bit:
            return True
        left = self.left(state[0]) - 1
        after = {cells & ~bit for cells in family if cells & bit or cells.bit_count() <= left}
        return self.potential(after) < self.unit

    def idle(self, cell: int, state, family: set[int]) -> bool:
        """(iii) the cell is of no use to Black, nor to White in time."""
        black, white, _ = state
        if any(cells >> cell & 1 for cells in family):
            return False
        moves = self.left(black) - 1
        return not self.strong or all(
            mask & black or (mask & ~white).bit_count() > moves for mask in self.board.through[cell]
        )
