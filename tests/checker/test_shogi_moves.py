"""The moves of shogi: counts that are known, and each rule on a position of its own."""

from __future__ import annotations

import os
import unittest

import sfen
import shogi_moves as rules
from container import Damaged
from plain import Settled
from shogi import Shogi

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MATES = os.path.join(os.path.dirname(__file__), "../../common/games/shogi/tests/data/mates.sfen")


def square(name: str) -> int:
    """1a is 0, 1b is 1, 2a is 9."""
    return 9 * (int(name[0]) - 1) + "abcdefghi".index(name[1])


def usi(text: str) -> tuple[int, int]:
    """A move as the checker has it: 7g7f, 8h2b+, P*5e."""
    to = square(text[2:4])
    if text[1] == "*":
        return to, rules.DROP + 1 + rules.KINDS.index(text[0])
    return to + 128 * text.endswith("+"), square(text[:2])


def count(board: tuple, side: int, hands: tuple, depth: int) -> int:
    found = rules.legal(board, side, hands)
    if depth == 1:
        return len(found)
    total = 0
    for move in found:
        after, held = rules.after(board, side, hands, move)
        total += count(after, 1 - side, held, depth - 1)
    return total


class Moves(unittest.TestCase):
    def legal(self, position: str, yes: str, no: str) -> None:
        found = rules.legal(*sfen.read(position))
        for move in yes.split():
            self.assertIn(usi(move), found, move)
        for move in no.split():
            self.assertNotIn(usi(move), found, move)

    def test_counts(self):
        self.assertEqual([count(*sfen.read(START), depth) for depth in (1, 2, 3)], [30, 900, 25470])
        self.assertEqual(count(*sfen.read(START.replace(" b ", " w ")), 2), 900)
        most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
        self.assertEqual(count(*sfen.read(most), 1), 593)

    def test_both_sides_are_alike(self):
        """The board turned round, with the colours exchanged, has as many moves."""
        with open(MATES, encoding="utf-8") as file:
            positions = [row.split("\t")[0] for row in file if not row.startswith("#")]
        for position in positions[::4]:
            board, side, hands = sfen.read(position)
            turned = tuple(piece.swapcase() for piece in reversed(board)), 1 - side, (hands[1], hands[0])
            expected = {(m[0] ^ m[0] % 128 | 80 - m[0] % 128, m[1] if m[1] > 81 else 80 - m[1]) for m in
                        rules.legal(board, side, hands)}  # fmt: skip
            self.assertEqual(rules.legal(*turned), expected, position)

    def test_checks_are_found_from_both_ends(self):
        with open(MATES, encoding="utf-8") as file:
            positions = [row.split("\t")[0] for row in file if not row.startswith("#")]
        for position in [START, *positions]:
            board = sfen.read(position)[0]
            for side in (0, 1):
                looks = {to for at in range(81) if board[at] and rules.side_of(board[at]) == side
                         for to in rules.reach(board, at)}  # fmt: skip
                self.assertEqual({to for to in range(81) if rules.attacked(board, to, side)}, looks)

    def test_promotion(self):
        position = "8k/P8/4L4/1S7/3P3N1/9/9/9/K8 b - 1"
        self.legal(position, "9b9a+ 5c5b+ 5c5b 5c5a+ 8d8c 8d8c+ 6e6d 2e3c 2e3c+", "9b9a 5c5a 6e6d+ 9i8i+")
        position = "8k/9/9/9/9/6p2/4l2n1/9/K8 w - 1"
        self.legal(position, "3f3g+ 3f3g 5g5h 5g5h+ 5g5i+ 2g1i+ 2g3i+", "5g5i 2g1i 2g3i 2g3e")
        # A piece that leaves the zone may promote; one that is promoted stays so.
        self.legal("8k/4S4/4+R4/9/9/9/9/9/K8 b - 1", "5b6c+ 5b6c 5c5d 5c4d", "5c5d+ 5b5c")
        self.legal("8k/4L4/2G6/B8/9/9/9/9/K8 b - 1", "5b5a+ 7c7b 9d6a 9d6a+", "5b5a 7c7b+")

    def test_drops(self):
        position = "8k/9/9/9/4P4/9/3+P5/9/K8 b NLP 1"
        self.legal(position, "P*6e P*9b L*5b N*5c L*4i", "P*5b P*9a L*9a N*9a N*9b P*5e G*5d P*6g L*6g")
        self.legal("8k/9/9/9/4p4/9/9/9/K8 w p 1", "P*6h P*1b", "P*5b P*6i")

    def test_the_own_king(self):
        # Pinned by the lance; and in check, nothing but what ends it.
        self.legal("4l3k/9/9/9/9/9/9/4G4/4K4 b P 1", "5h5g 5i4i P*5b", "5h4h 5h6h")
        self.legal("4l3k/9/9/9/9/9/9/3G5/4K4 b P 1", "6h5h P*5e 5i4i", "6h6g P*4e 5i5h")
        self.legal("8k/9/9/9/9/9/9/4g4/4K4 b - 1", "5i5h", "5i4h 5i6i")
        # Kings do not stand beside each other, and without a king nothing is pinned.
        self.legal("9/9/9/9/4k4/9/4K4/9/9 b - 1", "5g5h", "5g5f 5g4f")
        self.legal("4l3k/9/9/9/9/9/9/4G4/9 b - 1", "5h4h", "")

    def test_mate_by_a_dropped_pawn(self):
        mate = "7nk/9/7GG/9/9/9/9/9/9 b P 1"
        self.legal(mate.replace("GG", "G1"), "", "P*1b")
        self.assertTrue(rules.mates(*sfen.read(mate), usi("1c1b")))
        # A pawn that moves may mate, and one that is dropped if something takes it or the king escapes.
        self.legal("7nk/9/7GP/9/9/9/9/9/9 b - 1", "1c1b 1c1b+", "")
        self.legal("7rk/7p1/9/7G1/9/9/9/9/9 b P 1", "P*1b", "")
        self.legal("7gk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b", "")
        self.legal("R6gk/9/7G1/9/9/9/9/9/9 b P 1", "", "P*1b")  # the gold is pinned
        # No move is left, but it is no check.
        self.legal("8k/9/8G/7R1/9/9/9/9/9 b P 1", "P*9c P*3b", "")


class Texts(unittest.TestCase):
    def test_one_spelling(self):
        with open(MATES, encoding="utf-8") as file:
            for row in file:
                if not row.startswith("#"):
                    position = row.split("\t")[0]
                    self.assertEqual(sfen.spell(*sfen.read(position)), position)
        good = "8k/9/9/9/9/9/9/9/9 b R2Pr 1"
        sfen.read(good)
        for bad in (
            good.replace("8k", "71k"), good.replace("8k", "7k"), good.replace("8k", "9k"), good.replace("8k", "8+k"),
            good.replace("8k", "8x"), good.replace("8k", "8k/9"), good.replace("R2P", "2PR"), good.replace("2P", "PP"),
            good.replace("2P", "02P"), good.replace("R", "1R"), good.replace(" 1", " 2"), good.replace(" 1", ""),
            good.replace("R2Pr", "rR2P"), good.replace("R2Pr", ""), good.replace("R2Pr", "--"), "sfen " + good,
            good.replace("R2Pr", "K"), good.replace(" b", " x"), good.replace("8k", "8k+"), good + " ",
        ):  # fmt: skip
            with self.assertRaises(Damaged, msg=bad):
                sfen.read(bad)

    def test_what_a_question_may_begin_with(self):
        def ask(position: str, attacker: str = "mover") -> Shogi:
            return Shogi([("position", position), ("within", "any"), ("attacker", attacker)], True)

        ask("8k/9/9/9/9/9/9/9/9 b - 1")
        ask("8k/9/9/9/9/9/9/9/9 w - 1", "other")
        ask("8k/8L/9/9/9/9/9/9/9 w - 1", "other")
        for bad in ("9", "kk7", "8P", "8L", "8N", "8K"):
            with self.assertRaises(Damaged, msg=bad):
                ask(f"{bad}/9/9/9/9/9/9/9/9 b - 1")
        for rows, hands in (
            ("7k1/8N/9/9/9/9/9/9/9", "-"), ("8k/P8/P8/9/9/9/9/9/9", "-"), ("8k/p8/p8/9/9/9/9/9/9", "-"),
            ("8k/R8/+R8/9/9/9/9/9/9", "r"), ("8k/9/9/9/9/9/9/9/9", "10P9p"), ("8k/8L/9/9/9/9/9/9/9", "-"),
        ):  # fmt: skip
            with self.assertRaises(Damaged, msg=rows):
                ask(f"{rows} b {hands} 1")
        with self.assertRaises(Damaged):
            ask("8k/9/9/9/9/9/9/9/9 b - 1", "other")


class Mates(unittest.TestCase):
    """The problems of the repository: mate in one and in three plies, by the leaf rules alone."""

    @staticmethod
    def proven(game: Shogi, state) -> bool:
        end: Settled | None = game.settled(state)
        if end:
            return end.proven
        below = (Mates.proven(game, game.play(state, move)[0]) for move in game.legal(state))
        return any(below) if game.asker_moves(state) else all(below)

    def test_problems(self):
        asked = 0
        with open(MATES, encoding="utf-8") as file:
            rows = [row.split() for row in file if not row.startswith("#")]
        for board, side, hands, one, length in rows:
            for within in (1, 2, 3):
                if within > 1 and len(hands) > 9:
                    continue  # too many drops for a search as plain as this one
                lines = [("position", f"{board} {side} {hands} {one}"), ("within", str(within)), ("attacker", "mover")]
                game = Shogi(lines, True)
                expected = length != "-" and int(length) <= within
                self.assertEqual(self.proven(game, game.start), expected, (lines, length))
                asked += 1
        self.assertGreater(asked, 200)


if __name__ == "__main__":
    unittest.main()
