"""How shogi pieces move: checks, and all legal moves of a side. No question of mate problems is asked here.

A square is file * 9 + rank, both from 0: file 1 and rank a come first. A board is a sequence of 81 texts, "" for an
empty square, else the letter of a piece, capital for Black, with + before a promoted one. A hand is the number of
pieces of each kind in the order of KINDS. A move is its two bytes: the square it goes to, plus 128 if the piece
promotes; and the square it comes from, or 81 plus the kind (from 1) that is dropped.
"""

from __future__ import annotations

from functools import lru_cache

KINDS = "PLNSGBR"
BLACK, WHITE = 0, 1
PROMOTES, DROP = 128, 81

# Directions are (files, ranks). Black plays towards rank a, so forward is -1.
AHEAD = [(0, -1)]
DIAGONAL = [(1, -1), (-1, -1), (1, 1), (-1, 1)]
STRAIGHT = [(0, -1), (0, 1), (1, 0), (-1, 0)]
GOLD = [*STRAIGHT, (1, -1), (-1, -1)]
KNIGHT = [(1, -2), (-1, -2)]
# Of each piece: the directions of one step, and those of any number of steps.
WAYS = {
    "P": (AHEAD, []), "L": ([], AHEAD), "N": (KNIGHT, []), "S": ([*DIAGONAL, *AHEAD], []), "G": (GOLD, []),
    "B": ([], DIAGONAL), "R": ([], STRAIGHT), "K": (DIAGONAL + STRAIGHT, []),
    "+P": (GOLD, []), "+L": (GOLD, []), "+N": (GOLD, []), "+S": (GOLD, []),
    "+B": (STRAIGHT, DIAGONAL), "+R": (DIAGONAL, STRAIGHT),
}  # fmt: skip


def of(side: int, piece: str) -> str:
    """This piece in the letters of a side."""
    return piece.lower() if side == WHITE else piece.upper()


def side_of(piece: str) -> int:
    return BLACK if piece.isupper() else WHITE


def line(square: int, files: int, ranks: int, most: int) -> list[int]:
    """The squares in a direction, at most so many, up to the edge of the board."""
    file, rank = divmod(square, 9)
    found = []
    while len(found) < most:
        file, rank = file + files, rank + ranks
        if not (0 <= file < 9 and 0 <= rank < 9):
            break
        found.append(file * 9 + rank)
    return found


def lines_of(piece: str) -> list[list[list[int]]]:
    """For each square the lines along which the piece goes until something stands there."""
    steps, slides = WAYS[piece.upper()]
    turn = 1 if side_of(piece) == BLACK else -1
    ways = [(f, r * turn, 1) for f, r in steps] + [(f, r * turn, 8) for f, r in slides]
    return [[way for f, r, n in ways if (way := line(square, f, r, n))] for square in range(81)]


LINES = {letters: lines_of(letters) for piece in WAYS for letters in (piece, piece.lower())}


def reach(board, square: int) -> list[int]:
    """Where the piece on a square could go or take, if every other piece were an enemy."""
    found = []
    for way in LINES[board[square]][square]:
        for to in way:
            found.append(to)
            if board[to]:
                break
    return found


def lines_to() -> list[list[tuple[list[int], set[tuple[str, int]]]]]:
    """For each square the lines that lead away from it, and which piece at which place of the line looks back.

    It is `LINES` the other way round: a check is found faster from the king than from all pieces.
    """
    found = []
    for square in range(81):
        ways = [line(square, f, r, 8) for f, r in DIAGONAL + STRAIGHT]
        ways += [line(square, f, r * turn, 1) for f, r in KNIGHT for turn in (1, -1)]
        found.append([])
        for way in filter(None, ways):
            back = {
                (piece, at)
                for at, start in enumerate(way)
                for piece in LINES
                for its in LINES[piece][start]
                if its[: at + 1] == [*reversed(way[:at]), square]
            }
            found[square].append((way, back))
    return found


TO = lines_to()


def attacked(board, square: int, side: int) -> bool:
    """Could a piece of this side take on the square?"""
    for way, back in TO[square]:
        for at, start in enumerate(way):
            piece = board[start]
            if piece:
                if (piece, at) in back and side_of(piece) == side:
                    return True
                break
    return False


def in_check(board, side: int) -> bool:
    """A side without a king never is."""
    king = of(side, "K")
    return king in board and attacked(board, board.index(king), 1 - side)


def far(side: int, square: int) -> int:
    """How many ranks lie between the square and the far end of a side."""
    return square % 9 if side == BLACK else 8 - square % 9


def stuck(side: int, kind: str, square: int) -> bool:
    """A pawn, lance or knight here could never move."""
    return far(side, square) < {"P": 1, "L": 1, "N": 2}.get(kind, 0)


def after(board: tuple, side: int, hands: tuple, move: tuple[int, int]) -> tuple[tuple, tuple]:
    """Board and hands after a move."""
    cells, held = list(board), [list(hand) for hand in hands]
    to, start = move[0] % PROMOTES, move[1]
    if start > DROP:
        kind = start - DROP - 1
        held[side][kind] -= 1
        cells[to] = of(side, KINDS[kind])
    else:
        if cells[to]:
            held[side][KINDS.index(cells[to][-1].upper())] += 1
        cells[to] = "+" * (move[0] >= PROMOTES) + cells[start]
        cells[start] = ""
    return tuple(cells), (tuple(held[0]), tuple(held[1]))


def steps(board: tuple, side: int):
    """Moves on the board, whether or not they leave the own king in check."""
    for start, piece in enumerate(board):
        if not piece or side_of(piece) != side:
            continue
        for to in reach(board, start):
            if board[to] and side_of(board[to]) == side:
                continue
            in_zone = far(side, start) < 3 or far(side, to) < 3
            if in_zone and len(piece) == 1 and piece.upper() not in "GK":
                yield to + PROMOTES, start
            if len(piece) > 1 or not stuck(side, piece.upper(), to):
                yield to, start


def drops(board: tuple, side: int, hand: tuple, to: int):
    """Drops on an empty square, also those that leave the own king in check or mate with a pawn."""
    for kind, letter in enumerate(KINDS):
        if not hand[kind] or stuck(side, letter, to):
            continue
        if letter == "P" and of(side, "P") in board[to - to % 9 : to - to % 9 + 9]:
            continue
        yield to, DROP + 1 + kind


def generate(board: tuple, side: int, hands: tuple):
    """All legal moves, those on the board first."""
    for move in steps(board, side):
        if not in_check(after(board, side, hands, move)[0], side):
            yield move
    for to in range(81):
        if board[to] or not any(hands[side]):
            continue
        # Whether a piece here guards the own king is the same for all kinds.
        filled = (*board[:to], of(side, "P"), *board[to + 1 :])
        if in_check(filled, side):
            continue
        for move in drops(board, side, hands[side], to):
            if move[1] != DROP + 1 or not mates(board, side, hands, move):
                yield move


@lru_cache(1 << 16)
def can_move(board: tuple, side: int, hands: tuple) -> bool:
    return next(generate(board, side, hands), None) is not None


@lru_cache(1 << 14)
def legal(board: tuple, side: int, hands: tuple) -> frozenset[tuple[int, int]]:
    return frozenset(generate(board, side, hands))


def gives_check(board: tuple, side: int, hands: tuple, move: tuple[int, int]) -> bool:
    return in_check(after(board, side, hands, move)[0], 1 - side)


def mates(board: tuple, side: int, hands: tuple, move: tuple[int, int]) -> bool:
    """Does the move give a check after which the other side has no legal move?"""
    board, hands = after(board, side, hands, move)
    return in_check(board, 1 - side) and not can_move(board, 1 - side, hands)
