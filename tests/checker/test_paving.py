"""Paving winners: certificates made by brute force, the exchange lemma, and forgeries."""

from __future__ import annotations

import random
import unittest

from claims import Part
from container import Damaged
from makers import All, Leaf, One, Same, encode, leb, mutants, part
from paving import Loses, NoBetter, Paving
from provers import Pavings, listed, some
from tree import Reader, Refused

BOARDS = [(2, 2), (2, 3), (3, 3), (1, 6), (2, 5), (3, 4)]
SHAPES = ["##", "###", "##/#.", "##/##", "####", "#.#", "##./.##", "###/#..", "###,##/##", "####/###."]


def question(height, width, shapes, any_pairs):
    return [f"shapes {shapes}", f"board {height}x{width}", f"pairs {'any' if any_pairs else 'adjacent'}"]


def why(data: bytes) -> str:
    try:
        Part(data).check()
    except (Refused, Damaged) as reason:
        return str(reason)
    return "accepted"


def cases():
    for height, width in BOARDS:
        for shapes in SHAPES:
            for any_pairs in (True, False):
                yield height, width, shapes, any_pairs


def pairing(pairs) -> Leaf:
    return Leaf(2, leb(len(pairs)) + b"".join(bytes(pair) for pair in sorted(pairs)))


class Certificates(unittest.TestCase):
    def test_both_verdicts(self):
        seen = set()
        for case in cases():
            truth, lines = Pavings(*case), question(*case)
            found = truth.blockable()
            seen.add((case[3], found is None))
            with self.subTest(lines):
                if found is None:
                    tree = truth.tree()
                    self.assertEqual(why(part("paving 2", lines, "proven", tree)), "accepted")
                    self.assertNotEqual(why(part("paving 2", lines, "disproven", tree)), "accepted")
                    self.assertIn("longest", why(part("paving 2", lines, "proven", tree, 0)))
                    self.assertEqual(why(part("paving 2", lines, "proven", tree, 20)), "accepted")
                else:
                    tree = pairing(found)
                    self.assertEqual(why(part("paving 2", lines, "disproven", tree, 0)), "accepted")
                    self.assertNotEqual(why(part("paving 2", lines, "proven", tree)), "accepted")
                    needless = [pair for pair in found if not truth.open(found - {pair})]
                    for pair in found - set(needless):
                        less = pairing(found - {pair})
                        self.assertIn("not blocked", why(part("paving 2", lines, "disproven", less)))
        self.assertEqual(len(seen), 4)

    def test_pairs(self):
        lines = question(2, 3, "##/##", False)
        for pairs, holds in (
            ([(0, 3), (1, 4)], True), ([(1, 4)], True), ([(0, 1), (1, 2)], False), ([(0, 4), (1, 2)], False),
            ([(4, 1)], False), ([(1, 1)], False), ([(2, 3), (1, 4)], False), ([(1, 4), (5, 6)], False),
        ):  # fmt: skip
            verdict = why(part("paving 2", lines, "disproven", pairing(pairs)))
            self.assertEqual(verdict == "accepted", holds, pairs)
        for tree in (One(listed([0, 1, 3, 4]), Leaf(1)), All(), Leaf(1, listed([0, 1, 3, 4])), Leaf(3, b"\0")):
            self.assertNotEqual(why(part("paving 2", lines, "disproven", tree)), "accepted")
            self.assertNotEqual(why(part("paving 2", lines, "proven", tree)), "accepted")

    def test_no_mutant_proves_a_false_verdict(self):
        dominoes, others = [(2, 2, "##", True), (2, 2, "##", False)], [(1, 6, "###", False), (2, 3, "##/##", True)]
        for case in [*dominoes, *others, (2, 3, "##/#.", False)]:
            truth, lines = Pavings(*case), question(*case)
            found = truth.blockable()
            raw = encode(truth.tree() if found is None else pairing(found))
            name, other = ("proven", "disproven") if found is None else ("disproven", "proven")
            self.assertEqual(why(part("paving 2", lines, name, raw)), "accepted")
            start = part("paving 2", lines, other, b"")
            for mutant in mutants(raw):
                self.assertNotEqual(why(start + mutant), "accepted", mutant.hex())


class Steps(unittest.TestCase):
    """Single steps from arbitrary states. The nodes below are true by brute force; the step must be, too."""

    @staticmethod
    def state(logic: Loses, laid, pointed=0):
        cells, unblocked = 0, logic.root()[1]
        for a, b in laid:
            cells |= 1 << a | 1 << b
            unblocked &= ~logic.question.blocks(1 << a | 1 << b)
        return cells, unblocked, pointed

    @staticmethod
    def lay(truth: Pavings, luck: random.Random, most: int) -> frozenset:
        laid: set = set()
        for pair in luck.sample(truth.pairs(list(range(truth.cells))), most):
            if not any(set(pair) & set(other) for other in laid):
                laid.add(pair)
        return frozenset(laid)

    def test_exchange_and_same(self):
        luck = random.Random(5)
        exchanged = refused = same = turned = 0
        for case in cases():
            truth = Pavings(*case)
            if not truth.placements:
                continue
            keys = [tuple(line.split(" ")) for line in question(*case)]
            logic = Loses(Paving(keys, False))
            states = []
            for _ in range(60):
                laid = self.lay(truth, luck, luck.randint(0, min(3, len(truth.pairs(list(range(truth.cells)))))))
                rest = truth.open(laid)
                if not rest:
                    continue
                states.append(laid)
                used = sum(1 << cell for pair in laid for cell in pair)
                placement = luck.choice(rest)
                moves = truth.pairs(some(placement & ~used))
                sure = [i for i, pair in enumerate(moves) if truth.blockable(laid | {pair}) is None]
                for _ in range(4):
                    if not sure:
                        break
                    keep = luck.sample(sure, luck.randint(1, len(sure)))
                    values = [1 if i in keep else NoBetter(luck.choice(keep)) for i in range(len(moves))]
                    try:
                        logic.close_all(self.state(logic, laid, placement), moves, values, Reader(b""), False)
                    except Refused:
                        refused += 1
                        continue
                    exchanged += any(isinstance(value, NoBetter) for value in values)
                    self.assertIsNone(truth.blockable(laid), (case, laid, moves, keep))
            for kept in states:
                if truth.blockable(kept) is not None:
                    continue
                for here in states:
                    g = luck.randrange(8)
                    try:
                        logic.same(self.state(logic, here), self.state(logic, kept), 1, Reader(bytes([g])))
                    except Refused:
                        continue
                    same += 1
                    turned += g > 0
                    self.assertIsNone(truth.blockable(here), (case, kept, here, g))
        self.assertGreater(exchanged, 40)
        self.assertGreater(refused, 300)
        self.assertGreater(min(same, turned), 100)

    def test_no_better_needs_a_node_of_its_own(self):
        keys = [tuple(line.split(" ")) for line in question(1, 6, "###", False)]
        logic = Loses(Paving(keys, False))
        state = self.state(logic, [], 0b111)
        moves = [(0, 1), (1, 2)]
        logic.close_all(state, moves, [1, 1], Reader(b""), False)
        for values in ([NoBetter(0), 1], [NoBetter(1), NoBetter(0)], [NoBetter(2), 1], [1, NoBetter(1)]):
            with self.assertRaises(Refused):
                logic.close_all(state, moves, values, Reader(b""), False)
        for wrong in ([(0, 1)], [(0, 1), (0, 1)], [*moves, (2, 3)], [*moves, (0, 1)], [(0, 1), (2, 3)]):
            with self.assertRaises(Refused):
                logic.close_all(state, wrong, [1] * len(wrong), Reader(b""), False)
        self.assertIn("another move", why(part("paving 2", question(1, 6, "###", False), "proven", Leaf(3, b"\0"))))

    def test_a_placement_that_is_blocked(self):
        """Pointing at it proves nothing, though nothing more can be laid in it."""
        tree = One(listed([0, 1, 2]), All([(bytes(pair), Leaf(1, listed([0, 1, 2]))) for pair in ((0, 1), (1, 2))]))
        self.assertIsNotNone(Pavings(1, 3, "###", False).blockable())
        self.assertIn("blocked", why(part("paving 2", question(1, 3, "###", False), "proven", tree)))

    def test_exchange_by_itself(self):
        def exchange(any_pairs, demands, *cells):
            keys = [tuple(line.split(" ")) for line in question(1, 6, "###", any_pairs)]
            return Loses(Paving(keys, False)).exchange({sum(1 << c for c in d) for d in demands}, 0, *cells)

        # A cell in common must take its own place.
        self.assertFalse(exchange(False, [], 0, 1, 1, 2, 0, 1))
        self.assertTrue(exchange(False, [], 0, 1, 1, 2, 1, 0))
        # The pair {3, 4} becomes {0, 4}, which must be allowed, and in the same demands.
        self.assertTrue(exchange(True, [(0, 3, 4)], 0, 1, 3, 2, 0, 1))
        self.assertFalse(exchange(False, [(0, 3, 4)], 0, 1, 3, 2, 0, 1))
        self.assertFalse(exchange(True, [(3, 4)], 0, 1, 3, 2, 0, 1))
        self.assertTrue(exchange(False, [(2, 3, 4)], 0, 1, 3, 2, 0, 1))
        # What {0, 1} meets, {2, 3} must meet.
        self.assertFalse(exchange(True, [(0, 1, 2)], 0, 1, 2, 3, 0, 1))
        self.assertTrue(exchange(True, [(0, 1, 2, 3)], 0, 1, 2, 3, 0, 1))

    def test_a_tree_with_same_and_kept_nodes(self):
        lines = question(2, 2, "##", False)
        first = One(listed([0, 1]), All([(bytes([0, 1]), Leaf(1, listed([0, 2])))]))
        self.assertEqual(why(part("paving 2", lines, "proven", first, 2)), "accepted")
        self.assertIn("longest", why(part("paving 2", lines, "proven", first, 1)))
        # Three in a row on 3 x 3: the second pair in the first placement is like the first, but only turned.
        case = (3, 3, "###", False)
        root = Pavings(*case).tree()
        (one, node), (two, _) = root.below.moves
        node.key = "kept"
        results = []
        for g in range(9):
            root.below.moves[1] = two, Same("kept", bytes([g]))
            results.append(why(part("paving 2", question(*case), "proven", root)))
        placement = some(sum(1 << cell for cell in {*one, *two}))
        self.assertEqual(placement, [0, 1, 2])
        # Left and right exchanged, and that is all.
        self.assertEqual([result == "accepted" for result in results], [False, True] + [False] * 7)
        self.assertTrue(any("demands more" in result for result in results))
        # An ALL is never kept.
        data = encode(first)
        at = data.index(b"\2\1\0\1")
        self.assertIn("never kept", why(part("paving 2", lines, "proven", data[:at] + b"\6" + data[at + 1 :])))


if __name__ == "__main__":
    unittest.main()
