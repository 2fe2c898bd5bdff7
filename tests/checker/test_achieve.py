"""Achievement games: the calculus of zones and the disproofs against brute force, and forgeries."""

from __future__ import annotations

import random
import unittest
from math import prod
from unittest import mock

from achieve import Mnk, Polyomino, Prevents, Wins
from attack import Attack, False_, Siege
from claims import Part
from container import Damaged
from makers import Achievement, All, Leaf, One, Same, encode, leb, mutants, part
from provers import listed, prevent_tree, win_tree
from tree import Reader, Refused, Walk


def lines(height, width, shapes, strong, stones, window=""):
    found = [f"shapes {shapes}", f"board {f'{height}x{width}' if height else 'infinite'}"]
    cells = prod(int(side) for side in (window or f"{height}x{width}").split("x"))
    most = max(1, (cells + 1) // 2)  # more than half of the cells cannot be asked for
    found += [f"game {'strong' if strong else 'weak'}", f"stones {min(stones, most)}"]
    return found + ([f"window {window}"] if window else [])


def why(data: bytes) -> str:
    try:
        Part(data).check()
    except (Refused, Damaged) as reason:
        return str(reason)
    return "accepted"


def polyomino(question: list[str], verdict: str, tree, length=None) -> str:
    return why(part("polyomino 5", question, verdict, tree, length))


SMALL = [(3, 3), (2, 4), (1, 7), (2, 3), (3, 2)]
SHAPES = ["##", "###", "##/#.", "##/##", "#.#", "####", "##,#.#", "###/#..", "#"]


class Theorems(unittest.TestCase):
    def test_no_false_claim_is_derived_with_zones(self):
        derived = sharp = 0
        for seed, (height, width) in enumerate([(3, 3), (3, 4), (2, 4), (1, 7), (2, 5)]):
            for shapes in SHAPES:
                for strong in (True, False):
                    attack = Attack(height, width, shapes, strong, seed)
                    attack.run(80)
                    derived, sharp = derived + attack.derived, sharp + attack.sharp
        self.assertGreater(derived, 5000)
        self.assertGreater(sharp, 3000)

    def test_no_false_claim_is_derived_on_the_plane(self):
        derived = 0
        for height, width, rounds in ((2, 3, 60), (1, 4, 200), (2, 2, 200)):
            for shapes in ("##", "###", "##/#.", "#.#"):
                attack = Attack(height, width, shapes, True, 4, margin=1)
                attack.run(rounds)
                derived += attack.derived
        self.assertGreater(derived, 200)

    def test_no_false_disproof(self):
        derived = 0
        for seed, (height, width) in enumerate([(3, 3), (2, 4), (1, 7), (2, 3), (1, 10)]):
            for shapes in SHAPES:
                for strong in (True, False):
                    siege = Siege(height, width, shapes, strong, seed)
                    siege.run(60)
                    derived += siege.derived
        self.assertGreater(derived, 5000)

    def test_the_attack_finds_a_hole(self):
        """If (K) did not look at stones that the proof does not see, the attack would find out."""

        def blind(self, black, white, zone, slack):
            """(K) as if there were no stones but those of W."""
            for mask, size in self.board.placements:
                if not mask & black and (mask & zone).bit_count() < 2 and (mask & white).bit_count() > size - 2:
                    raise Refused("White could complete something")

        with mock.patch.object(Wins, "quiet", blind), self.assertRaises(False_):
            for seed in range(20):
                Attack(3, 3, "##", True, seed).run(100)


class Questions(unittest.TestCase):
    """Whole certificates from the empty board."""

    def test_both_verdicts(self):
        seen = set()
        for height, width in [*SMALL, (3, 4)]:
            for shapes in SHAPES:
                for strong in (True, False):
                    game = Achievement(height, width, shapes, strong)
                    for stones in (1, 2, 3, 4):
                        if game.cells > 9 and stones > 3:
                            continue
                        question = lines(height, width, shapes, strong, stones)
                        proven = game.wins(0, 0, True, stones)
                        seen.add((strong, proven))
                        if proven:
                            least = next(n for n in range(1, 5) if game.wins(0, 0, True, n))
                            for elsewhere in (False, True):
                                tree = win_tree(game, stones, elsewhere)
                                self.assertEqual(polyomino(question, "proven", tree), "accepted", question)
                                self.assertNotEqual(polyomino(question, "disproven", tree), "accepted")
                                self.assertIn("longest", polyomino(question, "proven", tree, least - 1))
                            if least == stones > 1:
                                fewer = lines(height, width, shapes, strong, stones - 1)
                                self.assertIn("stones", polyomino(fewer, "proven", tree))
                        elif stones < 4 or game.cells < 8:
                            tree = prevent_tree(game, stones)
                            self.assertEqual(polyomino(question, "disproven", tree), "accepted", question)
                            self.assertNotEqual(polyomino(question, "proven", tree), "accepted")
                            self.assertNotEqual(polyomino(question, "disproven", tree, 99), "accepted")
        self.assertEqual(len(seen), 4)

    def test_no_mutant_proves_a_false_verdict(self):
        """Trees of true claims, changed in every way, under headers that are false."""
        cases = [
            (2, 2, "##", True, 2, "proven"),
            (1, 4, "##", False, 2, "proven"),
            (3, 3, "##/#.", True, 3, "proven"),
            (2, 2, "##/##", False, 4, "disproven"),
            (1, 4, "##", True, 1, "disproven"),
            (1, 5, "###", True, 3, "disproven"),
        ]
        for height, width, shapes, strong, stones, verdict in cases:
            game = Achievement(height, width, shapes, strong)
            true = game.wins(0, 0, True, stones)
            self.assertEqual("proven" if true else "disproven", verdict)
            raw = encode((win_tree if true else prevent_tree)(game, stones))
            false = [(lines(height, width, shapes, strong, stones), "disproven" if true else "proven", None)]
            if true and not game.wins(0, 0, True, stones - 1):
                false.append((lines(height, width, shapes, strong, stones - 1), verdict, None))
                false.append((lines(height, width, shapes, strong, stones), verdict, stones - 1))
            self.assertEqual(polyomino(lines(height, width, shapes, strong, stones), verdict, raw), "accepted")
            for question, name, length in false:
                start = part("polyomino 5", question, name, b"", length)
                for mutant in mutants(raw):
                    self.assertNotEqual(why(start + mutant), "accepted", mutant.hex())

    def test_random_changes_of_large_trees(self):
        luck = random.Random(3)
        for height, width, shapes, strong, stones in [
            (3, 3, "###", False, 4), (3, 3, "##/#.", True, 3), (3, 4, "##/#.", True, 3), (3, 3, "##/##", True, 4),
        ]:  # fmt: skip
            game = Achievement(height, width, shapes, strong)
            true = game.wins(0, 0, True, stones)
            raw = encode((win_tree if true else prevent_tree)(game, stones))
            wrong = part("polyomino 5", lines(height, width, shapes, strong, stones), ("proven", "disproven")[true], b"")
            fewer = part("polyomino 5", lines(height, width, shapes, strong, stones - 1), "proven", b"")
            for _ in range(1500):
                data = bytearray(raw)
                for _ in range(luck.choice((1, 1, 2, 3))):
                    at = luck.randrange(len(data))
                    data[at : at + luck.randint(0, 1)] = bytes([luck.randrange(16)] * luck.randint(0, 1))
                    data = data or bytearray(raw)
                self.assertNotEqual(why(wrong + bytes(data)), "accepted")
                if true and not game.wins(0, 0, True, stones - 1):
                    self.assertNotEqual(why(fewer + bytes(data)), "accepted")

    def test_k_in_a_row(self):
        def question(width, height, line):
            return [f"width {width}", f"height {height}", f"line {line}"]

        row = Achievement(3, 3, "###,#../.#./..#", False)
        self.assertEqual([row.wins(0, 0, True, n) for n in (3, 4)], [False, True])
        tree = win_tree(row, 4)
        self.assertEqual(why(part("mnk 2", question(3, 3, 3), "proven", tree, 4)), "accepted")
        self.assertIn("longest", why(part("mnk 2", question(3, 3, 3), "proven", tree, 3)))
        board = Mnk([("width", "5"), ("height", "3"), ("line", "3")], False).board
        self.assertEqual(set(board.whole), Achievement(3, 5, "###,#../.#./..#", False).placements)
        flat = Achievement(2, 4, "####", False)
        tree = prevent_tree(flat, 8)
        self.assertEqual(why(part("mnk 2", question(4, 2, 4), "disproven", tree)), "accepted")
        self.assertEqual(why(part("mnk 2", question(4, 4, 5), "disproven", Leaf(1))), "accepted")
        self.assertEqual(why(part("mnk 2", question(4, 2, 4), "disproven", Leaf(2))), "accepted")
        self.assertNotEqual(why(part("mnk 2", question(4, 3, 2), "disproven", Leaf(2))), "accepted")
        # The first move in the middle of 1 x 3 is the only one that makes two in a row.
        wins = One(b"\1", All([], listed([0, 2]) + listed([])))
        self.assertEqual(why(part("mnk 2", question(3, 1, 2), "proven", wins)), "accepted")
        game = Achievement(1, 3, "##", False)
        self.assertEqual(
            why(part("mnk 2", question(3, 1, 2), "disproven", prevent_tree(game, 3, 1), first_without="01")), "accepted"
        )
        self.assertNotEqual(why(part("mnk 2", question(3, 1, 2), "disproven", prevent_tree(game, 3, 1))), "accepted")


class Zones(unittest.TestCase):
    """Each condition by itself."""

    @staticmethod
    def wins(height, width, shapes, strong, window=""):
        pairs = [tuple(line.split(" ")) for line in lines(height, width, shapes, strong, 9, window)]
        return Wins(Polyomino(pairs, False), None)

    def refused(self, text, checker, *arguments):
        with self.assertRaises(Refused) as refusal:
            checker.claim(*arguments)
        self.assertIn(text, str(refusal.exception))

    def test_threats(self):
        checker = self.wins(1, 5, "##", False)
        state = 0b00010, 0, False
        self.assertEqual(checker.claim(state, [], 0, 0b00101, 0), (0b00101, 0, 1))
        self.refused("no threat", checker, state, [], 0, 0b10001, 0)
        self.refused("no answer", checker, state, [], 0, 0b00001, 0)
        with self.assertRaises(Refused):
            checker.set_of_cells(state, Reader(listed([1])))
        for cells in ([2, 0], [0, 0], [5], [255]):
            with self.assertRaises(Refused):
                checker.set_of_cells(state, Reader(listed(cells)))

    def test_slack_of_the_nodes_below(self):
        checker = self.wins(1, 7, "####", True)
        answer = 0b0000100, (0b0001000, 1, 2)
        state = 0b0000011, 0, False
        for slack, holds in ((0, True), (1, True), (2, False)):
            if holds:
                with self.assertRaises(Refused) as refusal:
                    checker.claim(state, [answer], slack, 0, 0)
                self.assertNotIn("slack", str(refusal.exception))
            else:
                self.refused("slack", checker, state, [answer], slack, 0, 0)

    def test_a_stone_on_a_cell_stands_for_others_only_with_more_slack(self):
        checker = self.wins(1, 6, "####", True)
        state = 0b000001, 0, False
        below = 0b111110 & ~0b010
        answer = [(0b10, (below, 1, 3)), *((1 << cell, (0, 9, 3)) for cell in range(2, 5))]
        # Cell 5 is in the zone of the first answer only.
        self.assertEqual(checker.claim(state, answer, 0, 0, 0)[1], 0)
        alone = [(0b10, (0b111000, 1, 3)), *((1 << cell, (0b111110, 1, 3)) for cell in range(3, 6))]
        self.assertEqual(checker.claim(state, alone, 0, 0, 0)[1], 0)
        self.refused("no answer to a reply at cell 2", checker, state, alone, 1, 0, 0)
        weak = self.wins(1, 6, "####", False)
        self.assertEqual(weak.claim(state, alone, 1, 0, 0)[2], 3)

    def test_a_reply_outside_the_window(self):
        checker = self.wins(0, 0, "##/##", True, "1x3")
        state = 0b001, 0, False
        every = [(1 << cell, (0b110 & ~(1 << cell), 0, 2)) for cell in (1, 2)]
        self.refused("outside the window", checker, state, every, 0, 0, 0)
        elsewhere = [*every, (0, (0b110, 0, 2))]
        self.assertEqual(checker.claim(state, elsewhere, 0, 0, 0), (0b110, 0, 2))

    def test_neither_threat_nor_move(self):
        tree = One(b"\0", All([(b"\2", One(b"\2", All([], listed([]) + listed([]))))], listed([]) + listed([1, 2])))
        self.assertIn("neither", polyomino(lines(1, 3, "###", False, 3), "proven", tree))

    def test_white_completes_first(self):
        """(K) near and far, on a board and on the plane, and over the edge of the window."""
        board = self.wins(2, 4, "##", True)
        # Black on 0 and 1 of ... nothing yet; White somewhere: dominoes are complete at once.
        self.refused("complete the cells", board, (0b1001, 0, False), [], 0, 0b110 | 0b10000, 0)
        plane = self.wins(0, 0, "###", True, "3x3")
        # Two Black stones, one White one elsewhere: no placement of three is nearly complete.
        self.assertEqual(plane.claim((0b011, 0, False), [(0b100, (0, 0, 1)), (0, (0b100, 0, 1))], 0, 0, 0)[0], 0b100)
        # Three Black stones, two White ones elsewhere: far away they could lack one cell.
        answers = [(1 << 2, (0, 5, 1)), (0, (0b100, 5, 1))]
        self.refused("far away", plane, (0b010011, 0, False), answers, 0, 0, 0)
        # Both in view, but in line with a cell outside the window: 3 and 6 in a column that goes on.
        self.refused("complete", plane, (0b000010011, 1 << 5 | 1 << 8, False), answers, 0, 0, 0)
        self.refused("complete", plane, (0b000010011, 1 << 3 | 1 << 6, False), answers, 0, 0, 0)
        # Two cells of the zone are not enough if there is another placement; apart they are harmless.
        self.assertEqual(plane.claim((0b000010011, 1 << 5 | 1 << 6, False), answers, 0, 0, 0)[1], 0)
        self.refused("far away", plane, (0b000010011, 1 << 5 | 1 << 6, False), answers, 2, 0, 0)
        # On the board the same stones are harmless with a guard on the one cell and a zone on the other.
        board = self.wins(3, 3, "###", True)
        with self.assertRaises(Refused):
            board.claim((0b000010011, 1 << 5 | 1 << 8, False), answers, 0, 0, 0)
        self.assertEqual(board.claim((0b000010011, 1 << 3 | 1 << 6, False), answers, 0, 0, 0)[1], 0)

    def test_the_plane(self):
        """Two stones in a row: any neighbour."""
        question = lines(0, 0, "##", False, 2, "1x3")
        tree = One(b"\1", All([], listed([0, 2]) + listed([])))
        self.assertEqual(polyomino(question, "proven", tree, 2), "accepted")
        self.assertEqual(polyomino(lines(0, 0, "##", True, 2, "1x3"), "proven",
                                   One(b"\1", All([], leb(0) + listed([0, 2]) + listed([])))), "accepted")  # fmt: skip
        self.assertIn("stones", polyomino(lines(0, 0, "##", False, 1, "1x3"), "proven", tree))
        for leaf in (Leaf(1), Leaf(2)):
            self.assertIn("infinite", polyomino(question, "disproven", leaf))
        self.assertIn("infinite", polyomino(question, "disproven", All()))
        board = Polyomino([tuple(line.split(" ")) for line in question], False).board
        # Dominoes that meet the window: two inside, one over each end, and three above and below.
        self.assertEqual(len(board.whole), 2)
        self.assertEqual({mask for mask, _ in board.placements}, {1, 2, 4, 3, 6})
        # On a larger board, the window and its surroundings, it is the same with brute force.
        self.assertTrue(Achievement(3, 5, "##", True).wins(0, 0, True, 2))

    def test_leaves(self):
        question = lines(1, 3, "##", False, 2)
        for tree, answer in (
            (Leaf(1), "leaf rule 1"),
            (One(b"\0", Leaf(1)), "leaf rule 1"),
            (One(b"\0", Leaf(2)), "leaf rule 2"),
            (One(b"\1", All([(b"\0", One(b"\0", Leaf(1)))], listed([]) + listed([]))), "no answer"),
            (One(b"\1", All([(b"\1", One(b"\2", Leaf(1))), (b"\3", One(b"\0", Leaf(1)))], b"\0\0")), "accepted"),
            # Black has completed a placement, but is to move.
            (One(b"\1", All([(b"\0", One(b"\0", All([(b"\0", Leaf(1))], b"\0\0")))], b"\0\0")), "leaf rule 1"),
        ):
            self.assertIn(answer, polyomino(question, "proven", tree))

    def test_symmetries(self):
        """SAME: the zone is turned with the state."""
        square = Polyomino([tuple(line.split(" ")) for line in lines(3, 3, "##", False, 9)], False).board
        # 0 1 2 / 3 4 5 / 6 7 8: flipped, upside down, turned.
        self.assertEqual([square.turn(1, g).bit_length() - 1 for g in range(8)], [0, 2, 6, 8, 0, 6, 2, 8])
        self.assertEqual([square.turn(2, g).bit_length() - 1 for g in range(8)], [1, 1, 7, 7, 3, 3, 5, 5])
        wide = Polyomino([tuple(line.split(" ")) for line in lines(2, 3, "##", False, 9)], False).board
        self.assertEqual(len(wide.maps), 4)
        checker = Wins(Polyomino([tuple(line.split(" ")) for line in lines(3, 3, "##", False, 9)], False), None)
        kept, value = (0b1, 0b10, True), (0b100, 2, 1)
        # Row and column exchanged after a flip of the columns: 0 to 6, 1 to 3, 2 to 0.
        self.assertEqual(checker.same((1 << 6, 1 << 3, True), kept, value, Reader(b"\5")), (1, 2, 1))
        for state, g in (((1 << 6, 1 << 3, False), 5), ((1 << 6, 1 << 3, True), 4), ((1 << 6, 0, True), 5), (kept, 8)):
            with self.assertRaises(Refused):
                checker.same(state, kept, value, Reader(bytes([g])))

    def test_a_tree_with_symmetries(self):
        # 1 x 5, two in a row, weak: Black in the middle; White left or right is the same.
        question = lines(1, 5, "##", False, 2)
        left = One(b"\3", Leaf(1), key="left")
        elsewhere = One(b"\1", Leaf(1))
        tree = All([(b"\2", left), (b"\4", Same("left", b"\1")), (b"\0", elsewhere)], listed([]) + listed([]))
        self.assertEqual(polyomino(question, "proven", One(b"\2", tree)), "accepted")
        for wrong in (b"\0", b"\2", b"\4"):
            tree.moves[1] = b"\4", Same("left", wrong)
            self.assertNotEqual(polyomino(question, "proven", One(b"\2", tree)), "accepted", wrong)


class Disproofs(unittest.TestCase):
    def checker(self, height, width, shapes, strong, stones):
        pairs = [tuple(line.split(" ")) for line in lines(height, width, shapes, strong, stones)]
        return Prevents(Polyomino(pairs, False), None)

    def test_a_move_that_completes_is_not_harmless(self):
        """White would complete a placement, but too late: 2 x 2, dominoes, two stones."""
        game = Achievement(2, 2, "##", True)
        self.assertTrue(game.wins(0, 0, True, 2))
        forged = All([(bytes([c]), One(bytes([1 + 3 - c]), All())) for c in range(4)])
        self.assertIn("no answer", polyomino(lines(2, 2, "##", True, 2), "disproven", forged))

    def test_black_has_completed_nothing(self):
        """The tree goes on after Black's win, until Black has played more stones than there are."""
        for strong in (False, True):

            def white(left: list[int]):
                return One(b"\0", black(left)) if left else Leaf(1)

            def black(left: list[int]):
                return All([(bytes([c]), white([d for d in left if d != c])) for c in left])

            self.assertTrue(Achievement(1, 3, "##", strong).wins(0, 0, True, 2))
            self.assertIn("has completed", polyomino(lines(1, 3, "##", strong, 2), "disproven", black([0, 1, 2])))
            self.assertEqual(polyomino(lines(1, 3, "##", strong, 1), "disproven", black([0, 1, 2])), "accepted")
        # White completes a placement after Black has.
        checker = self.checker(2, 2, "##", True, 3)
        checker.leaf((0b0001, 0b1000, False), 3, Reader(b"\2"))
        with self.assertRaises(Refused):
            checker.leaf((0b0011, 0b1000, False), 3, Reader(b"\2"))

    def test_an_idle_cell_may_stop_white(self):
        """1 x 13, three in a row: White threatens 0, which is of no use to Black but to stop that."""
        game = Achievement(1, 13, "###", True)
        black, white = 1 << 3 | 1 << 6 | 1 << 10, 1 << 1 | 1 << 2
        self.assertTrue(game.wins(black, white, True, 3))
        self.assertFalse(any(game.wins(black | 1 << c, white, False, 2) for c in (4, 5, 7, 8, 9, 11, 12)))
        checker = self.checker(1, 13, "###", True, 6)
        with self.assertRaises(Refused) as refusal:
            checker.close_all((black, white, True), [], [], Reader(b""), False)
        self.assertIn("cell 0", str(refusal.exception))
        # With White's placement out of reach the cell is idle.
        family = checker.family(black, white)
        self.assertFalse(checker.idle(0, (black, white, True), family))
        self.assertFalse(self.checker(1, 13, "###", True, 5).idle(0, (black, white, True), family))
        self.assertTrue(self.checker(1, 13, "###", True, 4).idle(0, (black, white, True), family))

    def test_moves_in_order_and_rules_where_they_belong(self):
        question = lines(1, 3, "##", False, 1)
        moves = [(bytes([c]), One(b"\0", Leaf(1))) for c in range(3)]
        self.assertEqual(polyomino(question, "disproven", All(moves)), "accepted")
        self.assertIn("increasing", polyomino(question, "disproven", All([moves[1], moves[0], moves[2]])))
        self.assertIn("increasing", polyomino(question, "disproven", All([moves[0], moves[0], *moves])))
        two = lines(2, 2, "##/##", False, 4)
        self.assertEqual(polyomino(two, "disproven", Leaf(2)), "accepted")
        self.assertIn("does not apply", polyomino(two, "disproven", All([(b"\0", Leaf(2))])))
        for rule in (0, 3, 5, 255):
            self.assertNotEqual(polyomino(two, "disproven", Leaf(rule, b"\0")), "accepted")
        checker = self.checker(1, 3, "##", False, 3)
        with self.assertRaises(Refused):
            checker.leaf((0b011, 0, False), 1, Reader(b""))
        self.assertIsNone(checker.leaf((0b001, 0b010, True), 1, Reader(b"")))

    def test_a_set_counts_once(self):
        """Two shapes with the same missing cells are one set."""
        checker = self.checker(1, 5, "##,###", True, 9)
        # Black 1, White 3: {0}, {2} are missing of the dominoes, and {0, 2} of the longer shape.
        self.assertEqual(checker.family(0b00010, 0b01000), {0b1, 0b100, 0b101})
        # Black 1 and 2 are a domino. {0} is missing of a domino and of a longer one.
        self.assertEqual(checker.family(0b00110, 0b01000), {0, 0b1})
        # A shape of three cells, of which two are Black, counts no more than the domino that lacks the same cell.
        self.assertEqual(checker.potential(checker.family(0b00010, 0b01000)), checker.unit * 5 // 4)

    def test_walk_of_a_deep_tree(self):
        """A tree as deep as it is long takes no recursion."""
        lines_ = [("depth", "10000"), ("branching", "1"), ("width", "0"), ("knots", "0"), ("knot", "1"), ("leaves", "0")]
        from synthetic import Synthetic
        from plain import Plain

        for bias, verdict in (("1", True), ("0", False)):
            game = Synthetic([*lines_, ("bias", bias), ("seed", "7")], True)
            node = (b"\1\0" + b"\2\1\0") if verdict else (b"\2\1\0" + b"\1\0")
            walk = Walk(Plain(game, verdict, None), Reader(node * 5000 + b"\0\1"))
            self.assertEqual(walk.run(), 10000)
            self.assertEqual(walk.nodes, 10001)


if __name__ == "__main__":
    unittest.main()
