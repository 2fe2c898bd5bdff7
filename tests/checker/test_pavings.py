"""Losers by paving: the example of the page, every small change of it against a drawn plane, and the leaf."""

from __future__ import annotations

import itertools
import time
import unittest

from boards import orientations, pictures
from container import Damaged
from makers import Leaf, leb, pack, part
from pavings import Paving, read_shapes
from second_values import certificate
from test_checker import file_result, part_result
from test_values import result
from tree import Refused

PAGE = ["shapes ##/##,#####", "pairs adjacent", "period 1x4+1", "pair 0 0 step -1 0", "pair 0 2 step 0 1"]


def text(*lines: str) -> bytes:
    return certificate("hasami paving 2", *lines)


def truth(shapes: str, adjacent: bool, period: tuple[int, int, int], pairs: list[tuple[int, int, int, int]]) -> bool:
    """Draws the pairs on a piece of the plane and looks at every copy of a shape near the middle."""
    height, width, shift = period
    partner: dict = {}
    reach = range(-8, 9)
    for r, c, d, e in pairs:
        if adjacent and abs(d) + abs(e) != 1:
            return False
        for a, b in itertools.product(reach, reach):
            x = (r + a * height, c + a * shift + b * width)
            y = (x[0] + d, x[1] + e)
            for one, other in ((x, y), (y, x)):
                if one == other or partner.setdefault(one, other) != other:
                    return False
    for shape in pictures(shapes):
        for turned in orientations(shape):
            for r, c in itertools.product(range(height), range(width)):
                copy = {(r + i, c + j) for i, j in turned}
                if not any(partner.get(cell) in copy for cell in copy):
                    return False
    return True


class Pavings(unittest.TestCase):
    def test_the_example_of_the_page(self):
        self.assertEqual(result(text(*PAGE)), "verified")
        self.assertTrue(truth("##/##,#####", True, (1, 4, 1), [(0, 0, -1, 0), (0, 2, 0, 1)]))

    def test_every_small_change(self):
        accepted = 0
        steps = [(d, e) for d in (-1, 0, 1, 2) for e in (-1, 0, 1, 2)]
        for shapes, kind, period in itertools.product(("##/##,#####", "##/##", "###", "#####"), ("adjacent", "any"), ("1x4+1", "1x4", "2x2", "1x4+3", "2x4+1")):  # fmt: skip
            size, _, shift = period.partition("+")
            height, width = map(int, size.split("x"))
            for first, second in itertools.product(steps, steps):
                pairs = [(0, 0, *first), (0, 2, *second)] if width > 2 else [(0, 0, *first), (1, 0, *second)]
                lines = [f"shapes {shapes}", f"pairs {kind}", f"period {period}", *("pair %d %d step %d %d" % pair for pair in pairs)]
                found = result(text(*lines))
                holds = truth(shapes, kind == "adjacent", (height, width, int(shift or 0)), pairs) if found != "damaged" else None
                self.assertEqual(found == "verified", bool(holds), lines)
                accepted += found == "verified"
        self.assertGreater(accepted, 20)

    def test_lines_that_are_not_as_described(self):
        for at, line in (
            (0, "shapes Square,I"), (0, "shapes ##/##,#/#/#/#/#"), (0, "shapes #####,##/##"), (0, "shapes ##/##,##/##"),
            (0, "shapes .##/.##,#####"), (0, "shapes ##/#"), (0, "shapes #.#"), (0, "shapes ##,###"), (0, "shapes "),
            (0, "shapes " + "#" * 16), (0, "shapes ##/##/.."), (0, "shapes .#/##"), (1, "pairs all"), (2, "period 1x4+0"),
            (2, "period 1x4+4"), (2, "period 0x4"), (2, "period 1x4096+1x"), (2, "period 64x65"), (2, "period 01x4"),
            (2, "period 1x4+-1"), (3, "pair 0 0 step -1 -0"), (3, "pair 0 0 step -1  0"), (3, "pair 0 4 step 0 1"),
            (3, "pair 1 0 step -1 0"), (3, "pair 0 1 step 1 0"), (3, "pair 0 0 step 0 0"), (3, "pair 0 0 step 0 1048577"),
            (3, "pair 0 0 step +1 0"), (3, "pair 0 2 step 0 1"), (3, "pair 0 0 step 0 4"), (3, "pairs adjacent"),
        ):  # fmt: skip
            with self.subTest(line):
                self.assertEqual(result(text(*PAGE[:at], line, *PAGE[at + 1 :])), "damaged")
        for i in range(len(PAGE)):
            self.assertNotEqual(result(text(*PAGE[:i], *PAGE[i + 1 :])), "verified")
        self.assertEqual(result(text(*PAGE[:3], PAGE[4], PAGE[3])), "damaged")

    def test_partners_far_away_are_no_pair_here(self):
        lines = ["shapes ##", "pairs any", "period 1x2", "pair 0 0 step 0 3"]
        self.assertEqual(result(text(*lines)), "refused")
        self.assertEqual(result(text("shapes ####", "pairs any", "period 1x2", "pair 0 0 step 0 1")), "refused")

    def test_adjacent_pairs(self):
        lines = ["shapes #####/#####/#####", "pairs any", "period 1x4+1", "pair 0 0 step 0 2", "pair 0 1 step 0 2"]
        self.assertEqual(result(text(*lines)), "verified")
        self.assertEqual(result(text(lines[0], "pairs adjacent", *lines[2:])), "refused")

    def test_large_ones_end(self):
        start = time.monotonic()
        many = [f"pair {r} {c} step 0 1" for r in range(64) for c in range(0, 64, 2)]
        self.assertEqual(result(text("shapes #####", "pairs adjacent", "period 64x64", *many)), "refused")
        for line in ("shapes " + ",".join(["##/##"] * 800), "shapes " + "#" * 100_000, "shapes " + "#/" * 3000 + "#"):
            self.assertEqual(result(text(line, *PAGE[1:])), "damaged")
        self.assertLess(time.monotonic() - start, 10)

    def test_spelling_of_shapes(self):
        for good in ("#", "##", "##./.##/..#", "###/#../#..", "##/##,###/#../#..,##./.##/..#,#####"):
            cells = [(len(shape), sorted(shape)) for shape in pictures(good)]
            if cells == sorted(cells):
                self.assertEqual(read_shapes(good), pictures(good))
            else:
                self.assertRaises(Damaged, read_shapes, good)
        self.assertEqual(len(read_shapes("##/##,#####,###/#../#..,##./.##/..#")), 4)
        for bad in ("#../##./.##", ".##/##.", "##/.#"):
            self.assertRaises(Damaged, read_shapes, bad)

    def test_the_leaf(self):
        def leaf(lines, shapes="##/##,#####", board="infinite", rules="polyomino 5", tree=None) -> str:
            data = "".join(line + "\n" for line in lines).encode()
            header = [f"shapes {shapes}", f"board {board}", "game strong", "stones 13"] + ["window 5x5"] * (board == "infinite")
            return part_result(part(rules, header, "disproven", tree or Leaf(4, leb(len(data)) + data)))

        self.assertEqual(leaf(PAGE), "ok")
        self.assertEqual(leaf(PAGE, board="5x5"), "ok")
        self.assertEqual(leaf(PAGE, shapes="#####"), "ok")
        self.assertEqual(leaf(PAGE, shapes="######,###/##."), "ok")  # these contain what is blocked
        self.assertIn("refused", leaf(PAGE, shapes="####"))
        self.assertIn("refused", leaf(PAGE, shapes="##/##,###/#../#.."))
        self.assertIn("refused", leaf(PAGE[:4]))
        self.assertIn("damaged", leaf([*PAGE, ""]))
        self.assertIn("damaged", leaf(["hasami paving 2", *PAGE]))
        self.assertIn("damaged", leaf([]))
        data = "\n".join(PAGE).encode()
        self.assertIn("damaged", leaf(PAGE, tree=Leaf(4, leb(len(data)) + data)))
        self.assertIn("refused", leaf(PAGE, tree=Leaf(4, leb(1 << 40) + data)))

    def test_a_whole_file(self):
        data = "".join(line + "\n" for line in PAGE).encode()
        header = ["shapes ##/##,#####", "board infinite", "game strong", "stones 61", "window 11x11"]
        self.assertEqual(file_result(pack(part("polyomino 5", header, "disproven", Leaf(4, leb(len(data)) + data)))), "disproven")

    def test_check_refuses(self):
        self.assertRaises(Refused, Paving(PAGE[:3]).check)


if __name__ == "__main__":
    unittest.main()
