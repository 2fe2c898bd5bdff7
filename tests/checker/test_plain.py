"""Plain games: certificates made by brute force hold, and no forgery of a false claim does."""

from __future__ import annotations

import random
import unittest

import second_rules as rules
from claims import Part, question
from container import Damaged
from graph import Graph
from makers import All, Leaf, One, Same, Solver, encode, leb, mutants, part
from tree import Reader, Refused

QUARTO = (
    "58..f6d9c174.3b.,2",  # won at once
    ".75321fd6.9a.08b,e",  # won in three plies
    "72.a.3f49e61.5b8,0",  # a draw
    "451a.be.06c7.fd2,9",  # lost
)


def accepts(data: bytes) -> bool:
    try:
        Part(data).check()
        return True
    except (Refused, Damaged):
        return False


def why(data: bytes) -> str:
    try:
        Part(data).check()
    except (Refused, Damaged) as reason:
        return str(reason)
    return "accepted"


def games():
    yield from (rules.Chomp(r, c) for r, c in ((1, 1), (1, 2), (2, 2), (3, 2), (3, 4)))
    for ask in ("win", "not-lose"):
        for within in (None, 1, 2, 3, 9):
            yield from (rules.Quarto(position, ask, within) for position in QUARTO)
            for goal in ("either", "own"):
                yield rules.Mancala([1, 2], [2, 1], "first", ask, within, goal)
                yield rules.Mancala([0, 3], [0, 7], "second", ask, within, goal)
                yield rules.Mancala([1, 1, 2], [3, 1, 2], "first", ask, within, goal, "pass")
            for no_move in ("pass", "loses", "draw"):
                yield rules.Pyonpyon(["S...G", "S...G"], 1, no_move, "first", ask, within)
                yield rules.Pyonpyon(["SS..GG"], 2, no_move, "second", ask, within)
                yield rules.Pyonpyon(["SG..", "S.G."], 1, no_move, "second", ask, within)
    for seed in range(12):
        yield rules.Synthetic(4, 3, (0, 300, 7)[seed % 3], 0.4, 3, 0.2, 0.5, seed)


class Plain(unittest.TestCase):
    def test_true_certificates_hold_and_false_ones_do_not(self):
        verdicts = set()
        for game in games():
            verdict, tree, length = Solver(game).tree()
            name, other = ("proven", "disproven") if verdict else ("disproven", "proven")
            verdicts.add((game.rules, name))
            with self.subTest(game.lines):
                self.assertEqual(why(part(game.rules, game.lines, name, tree)), "accepted")
                self.assertFalse(accepts(part(game.rules, game.lines, other, tree)))
                plain = Solver(game).tree(share=False)[1]
                self.assertEqual(why(part(game.rules, game.lines, name, plain)), "accepted")
                if length == float("inf"):
                    self.assertIn("longest", why(part(game.rules, game.lines, name, tree, 10**6)))
                else:
                    self.assertEqual(why(part(game.rules, game.lines, name, tree, length)), "accepted")
                    if length:
                        self.assertIn("longest", why(part(game.rules, game.lines, name, tree, length - 1)))
        self.assertEqual(len(verdicts), 2 * 5)

    def test_the_same_moves_everywhere(self):
        """Many states: the checker and the second rules agree on what is legal, what it counts, and how it ends."""
        more = [rules.Quarto("................,5", "win", n) for n in (None, 3)]
        more += [rules.Mancala([2, 0, 5], [1, 9, 3], "second", "win", None, goal) for goal in ("own", "either")]
        luck, compared = random.Random(8), 0
        for game in [*games(), *more]:
            checked = question(game.rules, tuple(tuple(line.split(" ", 1)) for line in game.lines), True)
            states, seen = [(checked.start, game.start)], set()
            while states and len(seen) < 40:
                mine, other = states.pop(luck.randrange(len(states)))
                if other not in seen:
                    seen.add(other)
                    states.extend(self.compare(game, checked, mine, other))
            compared += len(seen)
        self.assertGreater(compared, 1500)

    def compare(self, game, checked, mine, other):
        """Compares one state, and returns those after its moves."""
        settled, end = checked.settled(mine), game.end(other)
        self.assertEqual(settled is None, end is None)
        if end:
            proven = end[1] > 0 or end[1] == 0 and game.draws
            self.assertEqual((settled.rule, settled.proven), (end[0], proven))
            self.assertEqual(settled.length, 0 if end[1] else float("inf"))
            return []
        self.assertEqual(checked.asker_moves(mine), game.asker(other))
        moves = {move: (after, count) for move, after, count in game.moves(other)}
        one = len(next(iter(moves))) == 1
        found = {}
        for data in [bytes([a]) for a in range(128)] if one else [bytes([a, b]) for a in range(18) for b in range(18)]:
            try:
                found[data] = checked.play(mine, checked.read_move(Reader(data)))
            except Refused:
                pass
        counts = [{move: count for move, (_, count) in each.items()} for each in (found, moves)]
        self.assertEqual(*counts, (game.lines, other))
        try:
            self.assertEqual(checked.how_many(mine), len(moves))
        except Refused:  # QUARTO!, if the side to move can complete a line
            self.assertTrue(any((game.end(after) or [0])[0] == 1 for after, _ in moves.values()))
        return [(found[move][0], moves[move][0]) for move in moves]

    def test_no_mutant_proves_a_false_verdict(self):
        small = [
            rules.Chomp(2, 2),
            rules.Quarto(QUARTO[1], "win", 2),
            rules.Quarto(QUARTO[3], "not-lose"),
            rules.Mancala([1, 2], [2, 1], "first", "win", 3),
            rules.Pyonpyon(["SG..", "S.G."], 1, "loses", "second", "win", 4),
            rules.Pyonpyon(["S..G"], 1, "pass", "first", "not-lose"),
            rules.Synthetic(2, 2, 0, 0.0, 1, 0.0, 0.5, 5),
        ]
        for game in small:
            verdict, tree, _ = Solver(game).tree()
            name, other = ("proven", "disproven") if verdict else ("disproven", "proven")
            raw = encode(tree)
            with self.subTest(game.lines):
                self.assertTrue(accepts(part(game.rules, game.lines, name, raw)))
                start = part(game.rules, game.lines, other, b"")
                for mutant in mutants(raw):
                    self.assertFalse(accepts(start + mutant), mutant.hex())

    def test_the_move_that_is_excepted(self):
        """Disproven without m holds exactly if brute force finds no other move."""
        seen = set()
        more = [rules.Chomp(2, n) for n in (1, 3, 4)] + [rules.Chomp(3, 3)]
        for game in [*more, *games()]:
            if game.end(game.start) or not game.asker(game.start):
                continue
            for move, _, _ in game.moves(game.start)[:5]:
                solver = Solver(game, first_without=move)
                verdict, tree, _ = solver.tree()
                if not verdict:
                    seen.add(game.rules)
                    data = part(game.rules, game.lines, "disproven", tree, first_without=move.hex())
                    self.assertEqual(why(data), "accepted")
                    if Solver(game).proven(game.start):
                        self.assertFalse(accepts(part(game.rules, game.lines, "disproven", tree)))
                        full = All([(move, Leaf(1)), *tree.moves])
                        self.assertFalse(
                            accepts(part(game.rules, game.lines, "disproven", full, first_without=move.hex()))
                        )
        self.assertEqual(len(seen), 5)
        # The move that wins is left out, another one is excepted, or one that does not exist.
        game = rules.Chomp(2, 3)
        solver = Solver(game)
        rest = Solver(game, first_without=next(m for m, after, _ in game.moves(game.start) if solver.proven(after)))
        self.assertFalse(rest.proven(game.start))
        tree = rest.tree(share=False)[1]
        for text in (tree.moves[0][0].hex(), "0505", "0000"):
            self.assertFalse(accepts(part(game.rules, game.lines, "disproven", tree, first_without=text)), text)
        game = rules.Chomp(2, 2)
        for text in ("0203", "00", "000000", "0F0F", "0000", "zz"):
            self.assertFalse(accepts(part(game.rules, game.lines, "disproven", All(), first_without=text)))

    def test_symmetries(self):
        """A state that is turned is the same; any other is not."""
        # Pyonpyon: two rows that are alike. A move in one, or the same in the other.
        game = rules.Pyonpyon(["S.G..", "S.G.."], 1, "loses", "second", "win", 9)
        verdict = Solver(game).proven(game.start)

        def build(state, memo, share):
            (board, side), asker, left = state
            turned = ("/".join(reversed(board.split("/"))), side), asker, left
            if share and turned in memo:
                return Same(turned, b"\1\0")
            if state in memo:
                return Same(state, b"\0\1")
            end = game.end(state)
            if end:
                return Leaf(end[0])
            moves = game.moves(state)
            if asker == verdict:
                move, after, _ = next(m for m in moves if solver.proven(m[1]) == verdict)
                node = One(move, build(after, memo, share), state)
            else:
                node = All([(move, build(after, memo, share)) for move, after, _ in moves], key=state)
            memo.add(state)
            return node

        solver = Solver(game)
        name = "proven" if verdict else "disproven"
        long, short = (encode(build(game.start, set(), share)) for share in (False, True))
        self.assertLess(len(short), len(long))
        self.assertEqual(why(part(game.rules, game.lines, name, long)), "accepted")
        self.assertEqual(why(part(game.rules, game.lines, name, short)), "accepted")
        index = short.index(b"\1\0", short.index(b"\7"))
        for wrong in (b"\0\1", b"\1\1", b"\0\0", b"\2\0", b"\1"):
            data = short[:index] + wrong + short[index + 2 :]
            self.assertFalse(accepts(part(game.rules, game.lines, name, data)), wrong)
        # Twice the same row is no symmetry, even if the result is the state that is wanted.
        lines = tuple(tuple(line.split(" ", 1)) for line in game.lines)
        for wrong in (b"\0\0", b"\1\1", b"\0\2", b"\0"):
            with self.assertRaises(Refused):
                question(game.rules, lines, True).turned((("S...G", "S.G.."), "S", 3), Reader(wrong))

    def test_plies_left_are_part_of_a_state(self):
        """Forges trees that take a state with other plies left for the same."""
        found = 0
        for within in range(1, 12):
            game = rules.Pyonpyon(["S...G", "S...G"], 1, "pass", "first", "win", within)
            solver = Solver(game)
            if solver.proven(game.start):
                continue
            # The longer game is won; its tree is no proof for the shorter one.
            longer = rules.Pyonpyon(["S...G", "S...G"], 1, "pass", "first", "win", None)
            verdict, tree, _ = Solver(longer).tree()
            if verdict:
                found += 1
                self.assertFalse(accepts(part(game.rules, game.lines, "proven", tree)))
        self.assertTrue(found)


class QuartoSymmetries(unittest.TestCase):
    def test_all_symmetries(self):
        """32 maps of the board and 384 of the pieces, and each keeps complete lines complete."""
        from quarto import LINES, NONE, board_map, common, piece_map

        boards = {board_map(a, b) for a in range(256) for b in range(256)} - {None}
        pieces = {piece_map(a, b) for a in range(256) for b in range(256)} - {None}
        self.assertEqual((len(boards), len(pieces)), (32, 384))
        luck = random.Random(1)
        for _ in range(200):
            to, become = luck.choice(sorted(boards)), luck.choice(sorted(pieces))
            cells = bytes(luck.sample(range(16), 13) + [NONE] * 3)
            turned = bytearray(16)
            for cell, piece in enumerate(cells):
                turned[to[cell]] = become[piece]
            count = [sum(common(line, board) for line in LINES) for board in (cells, bytes(turned))]
            self.assertEqual(*count)

    def test_trees_with_symmetries(self):
        """An ALL whose nodes are alike by a symmetry, checked with and without it, and with wrong ones."""
        # Two plies from the empty board: nobody completes anything. One answer to each first move.
        game = rules.Quarto("................,0", "win", 2)
        tree = [(move, One(self.reply(move), Leaf(3))) for move, _, _ in game.moves(game.start)]
        self.assertEqual(tree[0][0], bytes([0, 1]))
        tree[0][1].key = "kept"
        self.assertEqual(why(part(game.rules, game.lines, "disproven", All(tree))), "accepted")
        # Cell 0 to cell 15 by both flips: order 3, 2, 1, 0. Piece 1 to piece 2: bits 0 and 1 exchanged.
        flips, swap = 3 | 2 << 2 | 1 << 4 | 0 << 6, 1 | 0 << 2 | 2 << 4 | 3 << 6
        for symmetry, holds in (
            ((flips, 0, swap, 0), True),
            ((0b11100100, 0, swap, 0), False),
            ((flips, 0, 0b11100100, 0), False),
            ((flips, 0, swap, 1), False),
            ((flips, 4, swap, 0), False),
            ((flips, 0, swap, 16), False),
            ((0b11100000, 0, swap, 0), False),
        ):
            turned = [
                (move, Same("kept", bytes(symmetry)) if move == bytes([15, 2]) else node) for move, node in tree
            ]
            self.assertEqual(accepts(part(game.rules, game.lines, "disproven", All(turned))), holds, symmetry)

    @staticmethod
    def reply(move: bytes) -> bytes:
        cell = 5 if move[0] != 5 else 6
        piece = next(p for p in range(1, 16) if p != move[1])
        return bytes([cell, piece])


class Graphs(unittest.TestCase):
    """Random graphs: the truth is a fixed point, found in another way than by trees."""

    @staticmethod
    def lines(nodes, shape, branching, repetition, turns, seed):
        return [
            f"nodes {nodes}", f"shape {shape}", f"branching {branching}", "sharing 0.6", "leaves 0.3", "bias 0.5",
            f"repetition {repetition}", f"turns {turns}", f"seed {seed}",
        ]  # fmt: skip

    @staticmethod
    def truth(graph: Graph) -> list[bool]:
        """What does not follow in finitely many steps is a repetition."""
        count = len(graph.turn)
        known: list[bool | None] = [None if not graph.verdict[n] else graph.verdict[n] == 2 for n in range(count)]
        while True:
            new = list(known)
            for node in range(count):
                if known[node] is None:
                    below = [known[graph.play(node, edge)[0]] for edge in range(graph.how_many(node))]
                    eager = bool(graph.turn[node])
                    if eager in below:
                        new[node] = eager
                    elif None not in below:
                        new[node] = not eager
            if new == known:
                return [bool(graph.repetition) if verdict is None else verdict for verdict in known]
            known = new

    def build(self, graph: Graph, verdict: bool, cycles: bool, node: int, path: dict, without=None):
        """A tree for this verdict, with references to ancestors if `cycles`; None if there is none."""
        if node in path:
            return Same(path[node]) if cycles else None
        if graph.verdict[node]:
            return Leaf(1) if (graph.verdict[node] == 2) == verdict else None
        key = "root" if not path else object()
        path[node] = key
        edges = [(leb(e), graph.play(node, e)[0]) for e in range(graph.how_many(node)) if e != without]
        nodes = []
        for move, to in edges:
            nodes.append((move, self.build(graph, verdict, cycles, to, path)))
            if (nodes[-1][1] is None) != (bool(graph.turn[node]) == verdict):
                break
        del path[node]
        if bool(graph.turn[node]) == verdict:
            return One(*nodes[-1], key) if nodes and nodes[-1][1] else None
        return All(nodes, key=key) if all(below for _, below in nodes) else None

    def test_graphs_of_all_kinds(self):
        seen, cycles, forged = set(), 0, 0
        for seed in range(400):
            luck = random.Random(seed)
            shape, turns = luck.choice(["tree", "dag", "cyclic", "cyclic"]), luck.choice(["alternate", "random"])
            repetition = luck.choice(["proven", "disproven"])
            lines = self.lines(luck.randint(1, 30), shape, luck.randint(1, 4), repetition, turns, seed)
            graph = Graph([tuple(line.split(" ")) for line in lines], True)
            truth = self.truth(graph)[0]
            for verdict in (True, False):
                name = "proven" if verdict else "disproven"
                allowed = graph.repetition is verdict
                tree = self.build(graph, verdict, allowed, 0, {})
                self.assertEqual(tree is not None, verdict == truth)
                if tree:
                    self.assertEqual(why(part("graph 1", lines, name, tree)), "accepted", lines)
                    self.assertFalse(accepts(part("graph 1", lines, name, tree, 99)))
                    seen.add((shape, name))
                    cycles += "Same" in repr(tree)
                elif not allowed:
                    # A proof that rests on itself.
                    tree = self.build(graph, verdict, True, 0, {})
                    if tree:
                        forged += 1
                        self.assertIn("not closed", why(part("graph 1", lines, name, tree)))
        self.assertEqual(len(seen), 6)
        self.assertGreater(cycles, 10)
        self.assertGreater(forged, 10)

    def test_the_root_without_a_move_is_like_no_other_state(self):
        """Disproven without m, where the play can come back to the root and take m there."""
        forged = 0
        for seed in range(3000):
            lines = self.lines(6, "cyclic", 3, "disproven", "alternate", seed)
            graph = Graph([tuple(line.split(" ")) for line in lines], True)
            if graph.verdict[0] or not self.truth(graph)[0]:
                continue
            for edge in range(graph.how_many(0)):
                tree = self.build(graph, False, True, 0, {}, without=edge)
                if tree is not None and "Same(key='root'" in repr(tree.moves):
                    forged += 1
                    data = part("graph 1", lines, "disproven", tree, first_without=leb(edge).hex())
                    self.assertIn("lacks a move", why(data))
        self.assertGreater(forged, 3)


if __name__ == "__main__":
    unittest.main()
