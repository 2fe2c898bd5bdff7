"""Positions of shogi as texts (SFEN), and which of them a question may begin with."""

from __future__ import annotations

import re

from container import Damaged
from shogi_moves import BLACK, KINDS, WAYS, WHITE, in_check, of, side_of, stuck

ORDER = "RBGSNLP"  # of hands
SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}


def row_text(row: list[str]) -> str:
    """A rank, from file 9 to file 1."""
    text = "".join(piece or "." for piece in row)
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), text)


def hand_text(hands: tuple) -> str:
    text = ""
    for side, hand in enumerate(hands):
        for letter in ORDER:
            count = hand[KINDS.index(letter)]
            if count:
                text += f"{count if count > 1 else ''}{of(side, letter)}"
    return text or "-"


def spell(board: tuple, side: int, hands: tuple) -> str:
    rows = [row_text([board[file * 9 + rank] for file in range(8, -1, -1)]) for rank in range(9)]
    return f"{'/'.join(rows)} {'bw'[side]} {hand_text(hands)} 1"


def read(text: str) -> tuple[tuple, int, tuple]:
    """Board, side to move and hands. A position has one spelling; any other is refused."""
    form = re.match(r"([1-9+a-zA-Z/]{17,200}) ([bw]) (-|[0-9a-zA-Z]{1,60}) 1\Z", text)
    if not form:
        raise Damaged("the position is no SFEN of four words")
    board, hands = [""] * 81, ([0] * 7, [0] * 7)
    rows = form[1].split("/")
    if len(rows) != 9:
        raise Damaged("a board has nine ranks")
    for rank, row in enumerate(rows):
        cells: list[str] = []
        for sign in re.findall(r"[1-9]|\+?[a-zA-Z]|.", row):
            cells.extend([""] * int(sign) if sign.isdigit() else [sign])
        if len(cells) != 9 or any(cell and cell.upper() not in WAYS for cell in cells):
            raise Damaged(f"rank {rank + 1} of the board")
        for file, cell in enumerate(reversed(cells)):
            board[file * 9 + rank] = cell
    for count, letter in re.findall(r"([0-9]*)([a-zA-Z])", form[3]):
        if letter.upper() not in KINDS or len(count) > 2:
            raise Damaged("the hands")
        hands[side_of(letter)][KINDS.index(letter.upper())] = int(count or 1)
    found = tuple(board), "bw".index(form[2]), (tuple(hands[0]), tuple(hands[1]))
    if spell(*found) != text:
        raise Damaged("the position is not in its usual spelling")
    return found


def check_root(board: tuple, side: int, hands: tuple, attacker: int) -> None:
    """Refuses positions that no question may begin with."""
    kings = [board.count(of(each, "K")) for each in (BLACK, WHITE)]
    if max(kings) > 1 or kings[1 - attacker] != 1:
        raise Damaged("the kings")
    for kind, letter in enumerate(KINDS):
        on_board = sum(piece[-1:].upper() == letter for piece in board)
        if on_board + hands[0][kind] + hands[1][kind] > SET[letter]:
            raise Damaged(f"too many pieces {letter}")
    for square, piece in enumerate(board):
        if len(piece) == 1 and stuck(side_of(piece), piece.upper(), square):
            raise Damaged("a piece that could never move")
    for pawn in "Pp":
        if any(board[file * 9 : file * 9 + 9].count(pawn) > 1 for file in range(9)):
            raise Damaged("two pawns of a side on a file")
    if in_check(board, 1 - side):
        raise Damaged("the side that is not to move is in check")
