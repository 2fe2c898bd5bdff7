"""Certificates of shogi mates: real ones hold, forged ones do not.

The trees are those that the program wrote for the position on docs/shogi.md and for problems of the repository
(mates.sfen, and the position after a first move). The forgeries are made from them, node by node.
"""

from __future__ import annotations

import copy
import unittest
from dataclasses import dataclass

from claims import Part, check_file, question
from container import Damaged, parts
from makers import All, Leaf, One, Same, Yield, encode, header, leb, mutants, pack, part
from shogi import BITS
from tree import Reader, Refused

NO_LIMIT = 2047
PLIES = 21  # where the plies of a rank begin


@dataclass
class Fixture:
    position: str
    within: str
    attacker: str
    verdict: str
    tree: str
    length: int | None = None

    def lines(self, within: str | None = None) -> list[str]:
        return [f"position {self.position}", f"within {within or self.within}", f"attacker {self.attacker}"]

    def part(self, tree=None, **changed) -> bytes:
        raw = bytes.fromhex(self.tree) if tree is None else tree
        verdict, length = changed.get("verdict", self.verdict), changed.get("length", self.length)
        return part("shogi 1", self.lines(changed.get("within")), verdict, raw, length)


DIAGRAM = "9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1"
FIXTURES = {
    "mate in five": Fixture(DIAGRAM, "5", "mover", "proven", "01030d02010102010b0302020001000409010004", 5),
    "none in three, with yields": Fixture(
        DIAGRAM, "3", "mover", "disproven",
        "0205030d08808880030101020003030c0880808003010a0200038a0c08808080ff0f010a0200028b0c0880808003010b0200"
        "030b0c08808080030101020003",
    ),
    "mate, with a yield to fewer plies": Fixture(
        DIAGRAM, "any", "mover", "proven", "01030d088080800402010102010b0302020001000409010004", 5
    ),
    "mate in three, with a yield to a smaller hand": Fixture(
        "9/3S2S1k/4b4/8+L/4+P4/4+r4/9/9/9 b SP 1", "3", "mover", "proven", "018b13088090800202020001000409010004", 3
    ),
    "the defender is to move and mated": Fixture(
        "4s4/3+B2k2/7+R+N/3s5/8p/4L1+B2/9/9/9 w - 1", "4", "other", "proven",
        "02031213010a0202021b1200041c1200041b1301242e08808080020201121b00041c1301242e08808080020201121c0004", 4,
    ),
    "the defender is to move and escapes": Fixture(
        "5s2k/9/3p4+B/9/3+lr3r/3N5/9/9/9 w SL 1", "any", "other", "disproven",
        "0102040203015301010202010a5508808088ff0f010a010002015501010200020a55010a0002070b53010b0200020c530114"
        "0a02018b0c050b0200020d53010d2800020e5301140a02018b0e03010f5301140a02018b0f0301105301140a02018b100301"
        "115301140a02018b110701",
    ),
    "no mate, with a repetition through a yield": Fixture(
        "7k1/3PS1R2/9/9/9/9/9/6K2/9 b P 1", "any", "mover", "disproven",
        "060681130101090201025201020100028a13010a0906010b5201020a00020a13010a090701921301120906029b25010a1202"
        "010b5201020a00021352010a120002121301120907010a520101090201890a01090108818080ff0f0703",
    ),
    # This one is not the program's: it has no leaf at all, since the rook may go on checking for ever.
    "no mate, nothing but repetitions": Fixture(
        "9/9/9/9/4k4/9/9/9/R8 b - 1", "any", "mover", "disproven",
        "02022c50011f280202232c01161f02021a23010d160202111a01040d06020811010d0402020408010e0d06020504010d0e06"
        "020405010e0d03020e0501040d0602050e010d0403020d0e0105040602040d010e0503040e0d01040503020d0401050e0301"
        "110801040d07050d110105040301161a01050d06020416010e050705171601040506020517010d040305161701050403021f"
        "23010e1606020d1f01050e0304201f01040e02020520010d0407061f20010e040301282c01171f06021628010e1706020d16"
        "01050e0706171601040e07042928010d1702020e2901040d0307282901170d07024c5001202806021f4c0117200202161f01"
        "0e170702201f010d1702020e2001040d03081f20010e0d07044d4c0116200202174d010d1602020e1701040d070816170105"
        "0d07064c4d0120160701",
    ),
}  # fmt: skip


def why(data: bytes) -> str:
    try:
        Part(data).check()
    except (Refused, Damaged) as reason:
        return str(reason)
    return "accepted"


def decode(raw: bytes):
    """The nodes of a tree; kept ones have their number as key."""
    reader, given = Reader(raw), 0

    def node():
        nonlocal given
        tag, key = reader.byte(), None
        if tag == 8:
            return Yield(reader.number(), node())
        kind = tag & 3
        if kind == 0:
            return Leaf(reader.byte())
        if kind == 3:
            return Same(given - reader.number())
        if tag & 4:
            key, given = given, given + 1
        if kind == 1:
            return One(reader.bytes(2), node(), key)
        return All([(reader.bytes(2), node()) for _ in range(reader.number())], key=key)

    return node()


def every(node):
    """All nodes below this one, and itself."""
    yield node
    if isinstance(node, All):
        for _, below in node.moves:
            yield from every(below)
    elif isinstance(node, (One, Yield)):
        yield from every(node.below)


def forged(raw: bytes, change) -> list[bytes]:
    """The trees in which one node is changed, in each of the ways that `change` gives for it.

    Without those that cannot be written: with a reference to a node that was left out.
    """
    found = []
    for index in range(len(list(every(decode(raw))))):
        for way in range(1000):
            tree = decode(raw)
            ways = change(list(every(tree))[index])
            if way >= len(ways):
                break
            ways[way]()
            try:
                found.append(encode(tree))
            except KeyError:
                pass
    return found


def setting(node, **values):
    return lambda: [setattr(node, key, value) for key, value in values.items()]


class Real(unittest.TestCase):
    def test_they_hold(self):
        for name, fixture in FIXTURES.items():
            with self.subTest(name):
                raw = bytes.fromhex(fixture.tree)
                self.assertEqual(encode(decode(raw)), raw)
                self.assertEqual(why(fixture.part()), "accepted")
                other = "disproven" if fixture.verdict == "proven" else "proven"
                self.assertNotEqual(why(fixture.part(verdict=other)), "accepted")
                if fixture.length:
                    self.assertIn("longest", why(fixture.part(length=fixture.length - 1)))
                else:
                    self.assertNotEqual(why(fixture.part(length=99)), "accepted")

    def test_they_have_what_their_names_say(self):
        for name, fixture in FIXTURES.items():
            nodes = list(every(decode(bytes.fromhex(fixture.tree))))
            if "yield" in name:
                self.assertTrue(any(isinstance(node, Yield) for node in nodes), name)
            if "repetition" in name:
                kept = [node for node in nodes if isinstance(node, (One, All)) and node.key is not None]
                self.assertTrue(any(Same(node.key) in every(node) for node in kept), name)

    def test_claims(self):
        proven, fails = FIXTURES["mate in five"], FIXTURES["none in three, with yields"]

        def result(*made: bytes, step: int = 2) -> str:
            data = pack(header("claim least within", f"step {step}"), *made)
            try:
                return check_file(parts(data, 1 << 20))[0]
            except (Refused, Damaged) as reason:
                return str(reason)

        self.assertEqual(result(proven.part(), fails.part()), "5 is the least within")
        self.assertIn("same question", result(proven.part(), fails.part(), step=1))
        self.assertIn("nothing shows", result(proven.part()))
        self.assertIn("not one proven", result(fails.part(), proven.part()))
        self.assertIn("it is any", result(FIXTURES["mate, with a yield to fewer plies"].part(), fails.part()))
        self.assertIn("no least", result(FIXTURES["the defender is to move and mated"].part()))
        without = part("shogi 1", fails.lines(), "disproven", bytes.fromhex(fails.tree), None, "030d")
        self.assertIn("no line except", why(without))


class Forged(unittest.TestCase):
    def refused(self, name: str, trees: list[bytes], least: int = 1) -> None:
        fixture = FIXTURES[name]
        self.assertGreaterEqual(len(trees), least)
        for tree in trees:
            self.assertNotEqual(tree.hex(), fixture.tree)
            self.assertNotEqual(why(fixture.part(tree)), "accepted", (name, tree.hex()))

    def test_moves(self):
        """No move fits in the place of another: promoted or not, from or to another square, dropped."""

        def change(node):
            def put(index, move):
                def act():
                    if isinstance(node, One):
                        node.move = move
                    else:
                        node.moves[index] = move, node.moves[index][1]

                return act

            moves = [node.move] if isinstance(node, One) else [m for m, _ in getattr(node, "moves", ())]
            others = [(i, bytes([m[0] ^ 128, m[1]])) for i, m in enumerate(moves)]
            others += [(i, bytes([m[0] + 1, m[1]])) for i, m in enumerate(moves)]
            others += [(i, bytes([m[0], start])) for i, m in enumerate(moves) for start in range(96) if start != m[1]]
            return [put(*other) for other in others]

        for name in ("mate in five", "mate, with a yield to fewer plies", "the defender is to move and mated"):
            self.refused(name, forged(bytes.fromhex(FIXTURES[name].tree), change), 290)

    def test_children(self):
        """A move of an ALL left out, or there twice."""

        def change(node):
            moves = getattr(node, "moves", [])
            ways = [setting(node, moves=moves[:i] + moves[i + 1 :]) for i in range(len(moves))]
            return ways + [setting(node, moves=moves + [moves[0]])] if moves else ways

        for name, fixture in FIXTURES.items():
            self.refused(name, forged(bytes.fromhex(fixture.tree), change), 2)

    def test_leaves(self):
        def change(node):
            rules = [rule for rule in range(6) if isinstance(node, Leaf) and rule != node.rule]
            return [setting(node, rule=rule) for rule in rules]

        for name, fixture in FIXTURES.items():
            self.refused(name, forged(bytes.fromhex(fixture.tree), change), 0 if "nothing but" in name else 5)

    def test_a_leaf_too_early(self):
        """A node that the rules have not settled is no leaf."""

        def change(node):
            return [setting(node, below=Leaf(rule)) for rule in (1, 2, 3, 4)] if isinstance(node, One) else []

        for name in ("mate in five", "mate, with a yield to fewer plies"):
            self.refused(name, forged(bytes.fromhex(FIXTURES[name].tree), change), 4)
        for verdict in ("proven", "disproven"):
            for rule in range(6):
                self.assertNotEqual(why(FIXTURES["mate in five"].part(Leaf(rule), verdict=verdict)), "accepted")

    def test_no_mutant_proves_a_false_verdict(self):
        """Bytes changed, dropped and put in: there is no mate in three, and there is one in five."""
        proof, fails = FIXTURES["mate, with a yield to fewer plies"], FIXTURES["none in three, with yields"]
        for tree in mutants(bytes.fromhex(proof.tree)):
            self.assertNotEqual(why(proof.part(tree, within="3", length=None)), "accepted", tree.hex())
        for tree in mutants(bytes.fromhex(fails.tree)[:63]):
            self.assertNotEqual(why(fails.part(tree, within="5")), "accepted", tree.hex())


class Ranks(unittest.TestCase):
    """Yields: the asker proves with less, and fails with more. Nothing follows from any other rank."""

    HELD = {kind: sum(BITS[:i]) for i, kind in enumerate("PLNSGBR")}  # the place of each count

    def with_rank(self, name: str, change) -> str:
        """Why the tree is refused whose first yield has another rank."""
        fixture = FIXTURES[name]
        tree = decode(bytes.fromhex(fixture.tree))
        node = next(node for node in every(tree) if isinstance(node, Yield))
        node.rank = change(node.rank)
        return why(fixture.part(tree))

    def test_a_proof_may_not_take_more(self):
        name = "mate in three, with a yield to a smaller hand"  # of SP to S, with two plies left
        self.assertIn("there already", self.with_rank(name, lambda rank: rank + 1))
        for kind in "LNSGBR":
            self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank + (1 << self.HELD[kind])), kind)
        self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank + (1 << PLIES)))
        self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank | NO_LIMIT << PLIES))
        # Less than the mate needs: the tree below does not hold.
        self.assertIn("over", self.with_rank(name, lambda rank: rank - (1 << PLIES)))
        name = "mate, with a yield to fewer plies"
        self.assertEqual(self.with_rank(name, lambda rank: rank + (1 << PLIES)), "accepted")
        self.assertNotEqual(self.with_rank(name, lambda rank: rank - (1 << PLIES)), "accepted")
        for kind in "PLNSGBR":
            self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank + (1 << self.HELD[kind])), kind)

    def test_a_proof_needs_what_it_drops(self):
        """The silver of this mate is given away: then no check is left that mates."""
        name = "mate in three, with a yield to a smaller hand"
        self.assertIn("leaf rule 4", self.with_rank(name, lambda rank: rank - (1 << self.HELD["S"])))

    def test_a_disproof_may_not_take_less(self):
        name = "no mate, with a repetition through a yield"  # of no pawn to one, without a limit
        self.assertIn("there already", self.with_rank(name, lambda rank: rank - 1))
        self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank - (1 << PLIES)))
        for kind in "LNSGBR":  # there are no others off the board
            self.assertIn("off the board", self.with_rank(name, lambda rank: rank + (1 << self.HELD[kind])), kind)
        self.assertIn("off the board", self.with_rank(name, lambda rank: rank + 1))
        self.assertIn("more than 32", self.with_rank(name, lambda rank: rank + (1 << PLIES)))
        name = "none in three, with yields"  # two plies are left; the yield says three, and all knights
        self.assertNotEqual(self.with_rank(name, lambda rank: rank + (1 << PLIES)), "accepted")
        self.assertIn("nothing follows", self.with_rank(name, lambda rank: rank - (2 << PLIES)))
        # All four knights are off the board: he may have fewer of them in the exchange, but not more.
        self.assertEqual(self.with_rank(name, lambda rank: rank - (1 << self.HELD["N"])), "accepted")
        self.assertIn("off the board", self.with_rank(name, lambda rank: rank + (1 << self.HELD["N"])))

    def test_hands_change_together(self):
        """What the attacker does not have of the pieces off the board, the defender has."""
        lines = tuple(tuple(line.split(" ", 1)) for line in FIXTURES["mate in five"].lines())
        game = question("shogi 1", lines, True)
        rank = game.read_rank(Reader(leb(3 | 2 << self.HELD["G"] | 9 << PLIES)))
        board, side, hands, left = game.with_rank(game.start, rank)
        self.assertEqual((board, side, left), (game.start[0], game.start[1], 9))
        self.assertEqual(hands, ((3, 0, 0, 0, 2, 0, 0), (15, 4, 4, 4, 1, 2, 1)))

    def test_the_byte(self):
        """A yield below a yield, one in a game without ranks, and one that is cut off."""
        proof = FIXTURES["mate, with a yield to fewer plies"]
        raw = bytes.fromhex(proof.tree)
        first = raw.index(b"\x08")
        self.assertIn("a tag 8", why(proof.part(raw[:first] + b"\x08" + leb(6 << 21) + raw[first:])))
        for tag in (9, 12, 16, 24):
            self.assertIn(f"a tag {tag}", why(proof.part(raw[:first] + bytes([tag]) + raw[first + 1 :])))
        self.assertIn("bytes end", why(proof.part(raw[: first + 3])))
        chomp = part("chomp 1", ["rows 1", "columns 1"], "disproven", b"\x08\x01\x00\x01")
        self.assertIn("without ranks", why(chomp))
        # The whole question may be exchanged for a harder one.
        fives = FIXTURES["mate in five"]
        self.assertEqual(why(proof.part(b"\x08" + leb(5 << 21) + bytes.fromhex(fives.tree))), "accepted")
        self.assertNotEqual(why(fives.part(b"\x08" + leb(7 << 21) + bytes.fromhex(fives.tree))), "accepted")

    def test_a_proof_does_not_rest_on_itself(self):
        """SAME to an ancestor is for disproofs, and only if the state with its rank is the same."""
        fixture = FIXTURES["no mate, with a repetition through a yield"]
        self.assertIn("not closed", self.own_ancestor(fixture, "proven"))
        self.assertIn("another one", self.own_ancestor(fixture, "disproven"))
        tree = decode(bytes.fromhex(fixture.tree))
        node = next(node for node in every(tree) if isinstance(node, Yield))
        for each in every(tree):
            if isinstance(each, One) and each.below is node:
                each.below = copy.copy(node.below)  # the reference without the yield: another hand
        self.assertIn("another one", why(fixture.part(tree)))

    @staticmethod
    def own_ancestor(fixture: Fixture, verdict: str) -> str:
        move = decode(bytes.fromhex(fixture.tree)).moves[0][0]
        node = One(move, Same(0), 0) if verdict == "proven" else All([(move, Same(0))], key=0)
        return why(fixture.part(node, verdict=verdict))


if __name__ == "__main__":
    unittest.main()
