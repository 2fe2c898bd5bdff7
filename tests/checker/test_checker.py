"""The file, the header, the walk through a tree, claims of several parts, and the command."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import second_rules as rules
import zstandard
from claims import Part, check_file, only_move
from container import Damaged, parts
from makers import Achievement, All, Leaf, One, Solver, encode, header, leb, pack, part
from provers import prevent_tree, win_tree
from tree import Reader, Refused

CHOMP = rules.Chomp(2, 3)
TREE = Solver(CHOMP).tree()[1]
GOOD = part(CHOMP.rules, CHOMP.lines, "proven", TREE)
LIMIT = 1 << 20


def file_result(data: bytes) -> str:
    try:
        return check_file(parts(data, LIMIT))[0]
    except Damaged as damage:
        return f"damaged: {damage}"
    except Refused as why:
        return f"refused: {why}"


def part_result(data: bytes) -> str:
    try:
        Part(data).check()
        return "ok"
    except Damaged as damage:
        return f"damaged: {damage}"
    except Refused as why:
        return f"refused: {why}"


def chomp(tree, verdict="proven", length=None) -> str:
    return part_result(part(CHOMP.rules, CHOMP.lines, verdict, tree, length))


class File(unittest.TestCase):
    def test_damage(self):
        good = pack(GOOD)
        self.assertEqual(file_result(good), "proven")
        for at in range(len(good)):
            for change in (1, 128):
                bad = good[:at] + bytes([good[at] ^ change]) + good[at + 1 :]
                self.assertTrue(file_result(bad).startswith("damaged"), at)
            self.assertTrue(file_result(good[:at]).startswith("damaged"), at)
        self.assertTrue(file_result(good + b"\0").startswith("damaged"))

    def test_frames(self):
        def sealed(body: bytes, start: bytes = b"HASAMIC\x02") -> str:
            body = start + body
            return file_result(body + hashlib.sha256(body).digest())

        frame = zstandard.ZstdCompressor().compress(GOOD)
        self.assertEqual(sealed(frame), "proven")
        for body in (b"", b"\0", frame[:-1], frame + b"\0", GOOD, frame + frame[:5]):
            self.assertTrue(sealed(body).startswith("damaged"), body[:8])
        for start in (b"HASAMIC\x01", b"HASAMIC\x03", b"HASAMIB\x02"):
            self.assertTrue(sealed(frame, start).startswith("damaged"), start)
        self.assertTrue(sealed(frame + frame).startswith("refused: more than one part"))
        bomb = zstandard.ZstdCompressor(level=19).compress(GOOD + bytes(LIMIT * 64))
        self.assertLess(len(bomb), 10000)
        self.assertIn("more than", sealed(bomb))
        skipped = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
        self.assertTrue(sealed(skipped).startswith("damaged"))
        self.assertTrue(sealed(skipped + frame).startswith("damaged"))

    def test_header(self):
        head, tree = GOOD.split(b"\n\n", 1)
        lines = head.split(b"\n")
        self.assertEqual(part_result(b"\n".join(lines) + b"\n\n" + tree), "ok")
        for index in range(len(lines)):
            for changed in (
                lines[:index] + lines[index + 1 :],
                lines[: index + 1] + lines[index:],
                lines[:index] + [b"color red"] + lines[index:],
                lines[:index] + [lines[index] + b" "] + lines[index + 1 :],
                lines[:index] + [lines[index].replace(b" ", b"  ", 1)] + lines[index + 1 :],
                lines[:index] + [lines[index] + b"\r"] + lines[index + 1 :],
                lines[:index] + [lines[index] + b"\xff"] + lines[index + 1 :],
                lines[:index] + [lines[index].split(b" ")[0]] + lines[index + 1 :],
                lines[:index] + lines[index + 1 : index + 2] + [lines[index]] + lines[index + 2 :],
            ):
                if changed != lines:
                    text = b"\n".join(changed) + b"\n\n" + tree
                    self.assertTrue(part_result(text).startswith("damaged"), changed)
        for old, new in (
            (b"rows 2", b"rows 02"), (b"rows 2", b"rows +2"), (b"rows 2", b"rows 0"), (b"rows 2", b"rows 17"),
            (b"rows 2", "rows ٢".encode()), (b"rows 2", b"rows 2.0"), (b"chomp 1", b"chomp 2"), (b"chomp 1", b"chump 1"),
            (b"chomp 1", b"chomp"), (b"chomp 1", b"chomp 1 1"), (b"verdict proven", b"verdict maybe"),
            (b"rows 2", b"rows 99999999999999999999999999"),
        ):  # fmt: skip
            self.assertTrue(part_result(GOOD.replace(old, new)).startswith("damaged"), new)
        self.assertTrue(part_result(head).startswith("damaged"))
        self.assertTrue(part_result(b"").startswith("damaged"))
        # The value of every line decides: another board is another question.
        self.assertTrue(part_result(GOOD.replace(b"rows 2", b"rows 3")).startswith("refused"))

    def test_ranges(self):
        def damaged(name, *lines):
            self.assertTrue(part_result(part(name, list(lines), "proven", Leaf(1))).startswith("damaged"), lines)

        board = ["board 3x3", "game weak", "stones 3"]
        for shapes in ("", ".", "#/##", "a", "#,", "#//#", ",", "#" * 33, "#" * 5000):
            damaged("polyomino 5", f"shapes {shapes}", *board)
        for bad in ("12x11", "0x3", "3", "3x", "3x3x3", "03x3", "x"):
            damaged("polyomino 5", "shapes ##", f"board {bad}", "game weak", "stones 3")
            damaged("polyomino 5", "shapes ##", "board infinite", "game weak", "stones 3", f"window {bad}")
        damaged("polyomino 5", "shapes ##", *board, "window 3x3")
        damaged("polyomino 5", "shapes ##", "board infinite", "game weak", "stones 3")
        damaged("polyomino 5", "shapes ##", "board 3x3", "game fair", "stones 3")
        damaged("paving 2", "shapes ##", "board 11x12", "pairs any")
        damaged("paving 2", "shapes ##", "board 3x3", "pairs some")
        damaged("mnk 2", "width 12", "height 12", "line 3")
        for position in ("0" * 16 + ",1", "................,", "................,g", "012...........", "...............1,1",
                         "0123............,4", "................,A"):  # fmt: skip
            damaged("quarto 2", f"position {position}", "ask win", "within any")
        for within in ("0", "-1", "all"):
            damaged("quarto 2", "position ................,0", "ask win", f"within {within}")
        damaged("quarto 2", "position ................,0", "ask draw", "within any")
        good = ["pits 2", "goal own", "replies real", "position 1,1/1,1:first", "ask win", "within 2", "database none"]
        for index, bad in ((0, "pits 7"), (0, "pits 3"), (1, "goal none"), (2, "replies 1"), (3, "position 1,1/1:first"),
                           (3, "position 0,0/0,0:first"), (3, "position 1,1/1,1:third"), (6, "database abc")):  # fmt: skip
            damaged("mancala 2", *good[:index], bad, *good[index + 1 :])
        good = ["rows 1", "columns 4", "home 1", "no-move pass", "position S..G:first", "ask win", "within any"]
        for index, bad in ((0, "rows 5"), (0, "rows 2"), (1, "columns 13"), (2, "home 2"), (3, "no-move wins"),
                           (4, "position S..S:first"), (4, "position G..S:first"), (4, "position S..G"),
                           (4, "position S.xG:first")):  # fmt: skip
            damaged("pyonpyon 3", *good[:index], bad, *good[index + 1 :])
        good = ["nodes 9", "shape dag", "branching 2", "sharing 0.5", "leaves 0.5", "bias 0.5", "repetition proven",
                "turns random", "seed 1"]  # fmt: skip
        for index, bad in ((0, "nodes 20000001"), (1, "shape ring"), (2, "branching 65"), (3, "sharing 1.5"),
                           (4, "leaves nan"), (5, "bias -0.5"), (5, "bias .5"), (8, "seed 18446744073709551616")):  # fmt: skip
            damaged("graph 1", *good[:index], bad, *good[index + 1 :])
        good = ["depth 9", "branching 2", "width 0", "knots 0.5", "knot 2", "leaves 0.5", "bias 0.5", "seed 1"]
        for index, bad in ((0, "depth 10001"), (1, "branching 256"), (2, "width 4294967297"), (4, "knot 257")):
            damaged("synthetic 1", *good[:index], bad, *good[index + 1 :])


class Tree(unittest.TestCase):
    def test_numbers(self):
        for value in (0, 1, 127, 128, 300, 2**32, 2**63, 2**64 - 1):
            self.assertEqual(Reader(leb(value)).number(), value)
        for bad in (b"", b"\x80", b"\x80\x00", b"\xff\x00", leb(2**64), b"\xff" * 9 + b"\x02", b"\x80" * 10 + b"\x01"):
            with self.assertRaises(Refused):
                Reader(bad).number()

    def test_nodes(self):
        raw = encode(TREE)
        self.assertEqual(chomp(raw), "ok")
        self.assertIn("after the tree", chomp(raw + b"\0"))
        self.assertIn("end in the middle", chomp(raw[:-1]))
        self.assertIn("end in the middle", chomp(b""))
        self.assertIn("tag 9", chomp(bytes([raw[0] | 8]) + raw[1:]))
        # 1 x 2: take the second square, and the other player has lost.
        row = rules.Chomp(1, 2)
        for tree, answer in (
            (b"\1\0\1\0\1", "ok"),
            (b"\1\0\1\4\1", "flag"),
            (b"\1\0\1\0\2", "leaf rule 2"),
            (b"\1\0\0\0\1", "no square"),
            (b"\1\0\2\0\1", "no square"),
            (b"\2\1\0\1\0\1", "ALL where one"),
            (b"\0\1", "leaf rule 1 does not apply"),
            (b"\1\0\1\1\0\1\0\1", "over"),
            (b"\1\0\1\2\0", "over"),
            (b"\3\1", "not kept"),
        ):
            self.assertIn(answer, part_result(part(row.rules, row.lines, "proven", tree)), tree)
        self.assertIn("other verdict", part_result(part(row.rules, row.lines, "disproven", b"\2\1\0\1\0\1")))
        self.assertIn("ONE where all", part_result(part(row.rules, row.lines, "disproven", b"\1\0\1\0\1")))

    def test_all_moves(self):
        tree = Solver(CHOMP).tree(share=False)[1]
        moves = tree.below.moves
        self.assertEqual(chomp(tree), "ok")
        self.assertIn("not all", chomp(One(tree.move, All(moves[:-1]))))
        self.assertIn("not all", chomp(One(tree.move, All([]))))
        self.assertIn("twice", chomp(One(tree.move, All([moves[0], *moves]))))
        self.assertIn("twice", chomp(One(tree.move, All([moves[0], *moves[:-1]]))))

    def test_references(self):
        """Kept, closed, last."""
        def forged(*nodes) -> str:
            return part_result(part("synthetic 1", lines, "proven", b"".join(nodes)))

        # Two layers, everything proven, one state a layer: any node of a layer is the same.
        lines = ["depth 2", "branching 3", "width 1", "knots 0", "knot 1", "leaves 0", "bias 1", "seed 1"]
        leaf = b"\0\1"
        self.assertEqual(forged(b"\1\0\2\3", b"\0", leaf, b"\1", leaf, b"\2", leaf), "ok")
        lines = ["depth 3", "branching 3", "width 1", "knots 0", "knot 1", "leaves 0", "bias 1", "seed 1"]
        one = b"\5\0" + leaf
        self.assertEqual(forged(b"\1\0\2\3", b"\0", one, b"\1", b"\3\1", b"\2", b"\3\1"), "ok")
        self.assertEqual(forged(b"\1\0\2\3", b"\0", one, b"\1", b"\3\1", b"\2", b"\7\1"), "ok")
        self.assertIn("not kept", forged(b"\1\0\2\3", b"\0", one, b"\1", b"\7\1", b"\2", b"\3\1"))
        self.assertIn("not kept", forged(b"\1\0\2\3", b"\0", one, b"\1", b"\3\2", b"\2", b"\3\1"))
        self.assertIn("not kept", forged(b"\1\0\2\3", b"\0", one, b"\1", b"\3\0", b"\2", b"\3\1"))
        self.assertIn("not kept", forged(b"\1\0\2\3", b"\0", b"\1\0" + leaf, b"\1", b"\3\1", b"\2", b"\3\1"))
        self.assertIn("not closed", forged(b"\1\0\6\3", b"\0", one, b"\1", b"\3\2", b"\2", b"\3\1"))
        lines = ["depth 5", "branching 1", "width 1", "knots 0", "knot 1", "leaves 0", "bias 1", "seed 1"]
        self.assertEqual(forged(b"\1\0\2\1\0\1\0\2\1\0\1\0", leaf), "ok")
        lines = ["depth 4", "branching 2", "width 1", "knots 0", "knot 1", "leaves 0", "bias 1", "seed 1"]
        deep = b"\5\0\6\2\0" + leaf + b"\1" + leaf
        self.assertEqual(forged(b"\1\0\2\2\0", deep, b"\1", b"\3\2"), "ok")
        self.assertIn("another one", forged(b"\1\0\2\2\0", deep, b"\1", b"\3\1"))
        # A reference may point into a part of the tree that is closed while its parent is open.
        self.assertEqual(forged(b"\1\0\2\2\0", deep, b"\1", b"\1\0\3\1"), "ok")

    def test_lengths_add_up_at_references(self):
        lines = ["depth 4", "branching 2", "width 1", "knots 0", "knot 1", "leaves 0", "bias 1", "seed 1"]
        tree = b"\1\0\2\2\0" + b"\5\0\2\2\0\0\1\1\0\1" + b"\1\7\1"
        for length in (3, 4, 5):
            result = part_result(part("synthetic 1", lines, "proven", tree, length))
            self.assertEqual(result == "ok", length >= 4)

    def test_hostile_bytes(self):
        """Random bytes, huge numbers: no crash, and no more memory than the bytes take."""
        luck = random.Random(2)
        heads = [
            part(CHOMP.rules, CHOMP.lines, "proven", b""),
            part("polyomino 5", ["shapes ##/##", "board infinite", "game strong", "stones 9", "window 5x5"], "proven", b""),
            part("polyomino 5", ["shapes ##/##", "board 5x5", "game strong", "stones 9"], "disproven", b""),
            part("polyomino 5", ["shapes ##", "board infinite", "game weak", "stones 9", "window 5x5"], "disproven", b""),
            part("paving 2", ["shapes ##", "board 4x4", "pairs any"], "proven", b""),
            part("paving 2", ["shapes ##", "board 4x4", "pairs any"], "disproven", b""),
            part("mancala 2", ["pits 2", "goal own", "replies real", f"position 1,{2**64 - 1}/1,1:first", "ask win",
                               "within any", "database " + "0" * 64], "proven", b""),
            part("quarto 2", ["position ................,0", "ask win", "within any"], "disproven", b""),
            part("pyonpyon 3", ["rows 1", "columns 4", "home 1", "no-move pass", "position S..G:first", "ask win",
                                "within any"], "disproven", b""),
            part("graph 1", ["nodes 9", "shape cyclic", "branching 2", "sharing 0.5", "leaves 0.5", "bias 0.5",
                             "repetition proven", "turns random", "seed 1"], "proven", b""),
        ]  # fmt: skip
        huge = leb(2**64 - 1)
        for head in heads:
            for tree in (b"\2" + huge, b"\6" + huge + b"\0\0" * 1000, b"\3" + huge, b"\0\4" + huge, b"\0\2" + huge,
                         b"\1" + huge, b"\1\0\2\0" + huge + huge, b"\5\0" * 50000, b"\0\3" + huge):  # fmt: skip
                self.assertNotEqual(part_result(head + tree), "ok")
            for _ in range(2000):
                size = luck.randint(0, 30)
                part_result(head + bytes(luck.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 255)) for _ in range(size)))


class Several(unittest.TestCase):
    """Claims of several parts."""

    def test_least(self):
        game = Achievement(3, 3, "##/#.", True)
        least = next(n for n in range(1, 9) if game.wins(0, 0, True, n))
        self.assertEqual(least, 3)

        def lines(stones, size="3x3"):
            return ["shapes ##/#.", f"board {size}", "game strong", f"stones {stones}"]

        three = part("polyomino 5", lines(3), "proven", win_tree(game, 3))
        four = part("polyomino 5", lines(4), "proven", win_tree(game, 3))
        not_three = part("polyomino 5", lines(3), "disproven", prevent_tree(game, 2))
        first = header("claim least stones", "step 1")
        self.assertEqual(file_result(pack(first, three)), "3 is the least stones")
        self.assertIn("not enough", file_result(pack(first, four)))
        self.assertTrue(file_result(pack(first, four, not_three)).startswith("refused"))
        # Where more stones than the shape has are needed.
        row = Achievement(3, 3, "###,#../.#./..#", False)
        lines_ = ["shapes ###,#../.#./..#", "board 3x3", "game weak"]
        yes = part("polyomino 5", [*lines_, "stones 4"], "proven", win_tree(row, 4))
        no = part("polyomino 5", [*lines_, "stones 3"], "disproven", prevent_tree(row, 3))
        self.assertEqual(file_result(pack(first, yes, no)), "4 is the least stones")
        more = part("polyomino 5", [*lines_, "stones 5"], "proven", win_tree(row, 4))
        strong = part("polyomino 5", [lines_[0], lines_[1], "game strong", "stones 3"], "disproven",
                      prevent_tree(Achievement(3, 3, "###,#../.#./..#", True), 3))  # fmt: skip
        for wrong in (
            pack(first, yes),
            pack(first, no, yes),
            pack(first, yes, yes),
            pack(first, more, no),
            pack(first, yes, strong),
            pack(first, yes, no, no),
            pack(first),
            pack(first, no),
            pack(first + b"\0", yes, no),
            pack(header("claim least stones", "step 2"), yes, no),
            pack(header("claim least within", "step 1"), yes, no),
            pack(header("claim least board", "step 1"), yes, no),
            pack(header("claim only-move"), yes, no),
            pack(first, first, yes, no),
        ):
            self.assertTrue(file_result(wrong).startswith(("refused", "damaged")))
        for head in (("claim least stones",), ("claim least stones", "step 0"), ("step 1", "claim least stones"),
                     ("claim least stones", "step 1", "step 1"), ("claim most stones", "step 1")):  # fmt: skip
            self.assertTrue(file_result(pack(header(*head), yes, no)).startswith("damaged"))

    def test_least_plies(self):
        def made(within, ask="win"):
            game = rules.Pyonpyon([".GS..", "..SG."], 1, "loses", "first", ask, within)
            verdict, tree, _ = Solver(game).tree()
            return verdict, part(game.rules, game.lines, "proven" if verdict else "disproven", tree)

        verdicts = [made(n)[0] for n in range(1, 9)]
        least = 1 + verdicts.index(True)
        self.assertGreater(least, 2)
        self.assertEqual(least % 2, 1)
        self.assertTrue(all(verdicts[least - 1 :]))
        two, one = header("claim least within", "step 2"), header("claim least within", "step 1")
        text = f"{least} is the least within"
        self.assertEqual(file_result(pack(two, made(least)[1], made(least - 2)[1])), text)
        self.assertEqual(file_result(pack(one, made(least)[1], made(least - 1)[1])), text)
        self.assertTrue(file_result(pack(one, made(least)[1], made(least - 2)[1])).startswith("refused"))
        self.assertTrue(file_result(pack(two, made(least)[1], made(least - 1)[1])).startswith("refused"))
        self.assertTrue(file_result(pack(two, made(least + 1)[1], made(least - 1)[1])).startswith("refused"))
        self.assertTrue(file_result(pack(one, made(None)[1], made(least - 1)[1])).startswith("refused"))
        # "Not lost within n" does not imply "not lost within n + 1".
        self.assertTrue(file_result(pack(two, made(1, "not-lose")[1])).startswith("refused"))
        mancala = rules.Mancala([1, 2], [2, 1], "first", "win", 9)
        verdict, tree, _ = Solver(mancala).tree()
        if verdict:
            self.assertTrue(file_result(pack(two, part(mancala.rules, mancala.lines, "proven", tree))).startswith("refused"))

    def test_least_with_an_exception_is_a_forgery(self):
        """Seven plies are enough, but only with one move; without it, nine would seem to be the least number."""
        seven, nine = (rules.Pyonpyon(["..SG.", "..S.G"], 1, "loses", "first", "win", n) for n in (7, 9))
        verdict, tree, _ = Solver(seven).tree()
        rest = Solver(seven, first_without=tree.move)
        self.assertEqual((verdict, rest.proven(seven.start)), (True, False))
        yes = part(nine.rules, nine.lines, "proven", Solver(nine).tree()[1])
        no = part(seven.rules, seven.lines, "disproven", rest.tree()[1], first_without=tree.move.hex())
        self.assertEqual(part_result(no), "ok")
        self.assertIn("except", file_result(pack(header("claim least within", "step 2"), yes, no)))

    def test_only_move(self):
        claim = header("claim only-move")
        game = rules.Chomp(2, 3)
        tree = Solver(game).tree()[1]
        yes = part(game.rules, game.lines, "proven", tree)
        move = tree.move.hex()
        without = Solver(game, first_without=tree.move)
        self.assertFalse(without.proven(game.start))
        no = part(game.rules, game.lines, "disproven", without.tree()[1], first_without=move)
        self.assertEqual(file_result(pack(claim, yes, no)), f"{move} is the only first move")
        other = rules.Chomp(3, 2)
        elsewhere = Solver(other).tree()[1].move
        there = Solver(other, first_without=elsewhere)
        for wrong in (
            pack(claim, yes),
            pack(claim, no),
            pack(claim, no, yes),
            pack(claim, yes, part(game.rules, game.lines, "disproven", without.tree()[1])),
            pack(claim, yes, part(other.rules, other.lines, "disproven", there.tree()[1], first_without=elsewhere.hex())),
            pack(no),
            pack(header("claim only-move", "step 1"), yes, no),
            pack(header("claim least within", "step 1"), yes, no),
        ):
            self.assertTrue(file_result(wrong).startswith(("refused", "damaged")))
        # The move must be the same. (True parts cannot differ in it, so these are not checked themselves.)
        for move, holds in ((tree.move.hex(), True), ("0101" if tree.move != b"\1\1" else "0001", False)):
            second = Part(part(game.rules, game.lines, "disproven", All(), first_without=move))
            try:
                only_move([Part(yes), second])
            except Refused:
                self.assertFalse(holds)
            else:
                self.assertTrue(holds)
        # A game with two winning moves: the exception of one of them is not disproven.
        two = [rules.Pyonpyon(["..GS.", "..GS."], 1, "loses", "first", "win", n) for n in (1, 3, 5)]
        seen = 0
        for game in two:
            solver = Solver(game)
            good = [m for m, after, _ in game.moves(game.start) if solver.proven(after)]
            if len(good) > 1:
                seen += 1
                rest = Solver(game, first_without=good[0])
                self.assertTrue(rest.proven(game.start))
        self.assertTrue(seen)

    def test_only_move_with_other_plies(self):
        """The second part may be about any number of plies, but about no other number."""
        claim, seen = header("claim only-move"), 0
        for rows in (["..SG.", "..S.G"], ["S...G", "..S.G"], [".GS..", "..SG."]):
            for no_move in ("pass", "loses"):
                limited = rules.Pyonpyon(rows, 1, no_move, "first", "win", 9)
                verdict, tree, _ = Solver(limited).tree()
                if not verdict:
                    continue
                yes = part(limited.rules, limited.lines, "proven", tree)
                results = {}
                for within in (None, 9, 7):
                    game = rules.Pyonpyon(rows, 1, no_move, "first", "win", within)
                    rest = Solver(game, first_without=tree.move)
                    if not rest.proven(game.start):
                        no = part(game.rules, game.lines, "disproven", rest.tree()[1], first_without=tree.move.hex())
                        results[within] = file_result(pack(claim, yes, no))
                for within, result in results.items():
                    seen += 1
                    self.assertEqual(result.startswith("refused"), within == 7, result)
        self.assertGreater(seen, 3)


class Command(unittest.TestCase):
    def run_check(self, *arguments, **files):
        with tempfile.TemporaryDirectory() as place:
            paths = []
            for name, data in files.items():
                paths.append(os.path.join(place, name))
                with open(paths[-1], "wb") as file:
                    file.write(data)
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check.py")
            done = subprocess.run([sys.executable, script, *arguments, *paths], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout.replace(place + os.sep, ""), done.stderr

    def test_files(self):
        good = pack(part(CHOMP.rules, CHOMP.lines, "proven", TREE, 9))
        false = pack(part(CHOMP.rules, CHOMP.lines, "disproven", TREE))
        code, out, _ = self.run_check(good=good)
        self.assertEqual(code, 0)
        self.assertIn("good: verified: proven, chomp rows 2 columns 3, length 9, ", out)
        code, out, _ = self.run_check(good=good, false=false)
        self.assertEqual(code, 1)
        self.assertIn("false: refused: part 1, node 1: ONE where all moves count", out)
        code, out, _ = self.run_check(good=good, false=false, cut=good[:-1])
        self.assertEqual(code, 2)
        self.assertIn("cut: damaged", out)
        self.assertEqual(self.run_check("--quiet", good=good)[:2], (0, ""))
        code, out, _ = self.run_check("--json", good=good)
        result = json.loads(out)
        self.assertEqual((result["code"], result["game"], result["length"]), (0, "chomp", 9))
        self.assertEqual(self.run_check("/nowhere/at/all")[0], 2)
        self.assertEqual(self.run_check()[0], 2)

    def test_batch(self):
        big = part("graph 1", ["nodes 20000000", "shape cyclic", "branching 64", "sharing 0.5", "leaves 0", "bias 0.5",
                               "repetition proven", "turns random", "seed 1"], "proven", Leaf(1))  # fmt: skip
        items = [GOOD, GOOD.replace(b"proven", b"disproven"), b"", b"\xff" * 50, big, "rules ü\n\n".encode(), GOOD]
        data = b"".join(leb(len(item)) + item for item in items)
        code, out, _ = self.run_check("--parts", data=data)
        lines = out.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines], ["ok"] + ["refused"] * 5 + ["ok"])
        self.assertEqual(code, 1)
        self.assertEqual(self.run_check("--parts", data=data[:-1])[0], 2)
        self.assertEqual(self.run_check("--parts", data=leb(len(GOOD)) + GOOD)[:2], (0, "ok\n"))

    def test_a_database_is_named(self):
        lines = ["pits 1", "goal own", "replies real", "position 3/2:first", "ask win", "within any", "database " + "ab" * 32]
        code, out, _ = self.run_check(leaf=pack(part("mancala 2", lines, "proven", Leaf(3))))
        self.assertEqual(code, 2)
        self.assertIn("ab" * 32, out)
        self.assertEqual(self.run_check(wrong=pack(part("mancala 2", lines, "proven", Leaf(1))))[0], 1)
        for index, other in ((2, "replies pass"), (6, "database none")):
            changed = [other if at == index else line for at, line in enumerate(lines)]
            self.assertEqual(self.run_check(wrong=pack(part("mancala 2", changed, "proven", Leaf(3))))[0], 1)


if __name__ == "__main__":
    unittest.main()
