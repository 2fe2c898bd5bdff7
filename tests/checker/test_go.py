"""Go: small boards against a second, slow count; bounds and forged tables."""

from __future__ import annotations

import random
import unittest

import second_values as second
from go import GoTable, score
from notation import parse, spell
from second_values import certificate
from test_values import canonical, result, written_out
from tree import Refused
from values import at_least, named

PAGE = ["hasami value 3", "game go", "position XXXX/O..X/XXXX", "value {1|*}", "proof table",
        "part XXX/O.X/XXX *", "part XXXX/O..X/XXXX {1|*}"]  # fmt: skip


def table_lines(text: str) -> list[str]:
    """A table for a board on which play does not repeat: a line for each part below it, the smallest first."""
    table, found, seen = GoTable(), [], set()

    def prove(parts) -> None:
        for key, _ in parts:
            if key in seen:
                continue
            seen.add(key)
            shape = table.shape(key)
            for side in (0, 1):
                for after in shape.after(side):
                    prove(after.parts)
            if shape.certain is None:
                sides = [[table.bound(after.prisoners, after.parts, 0) for after in shape.after(side)] for side in (0, 1)]
                value = spell(score(shape.territory(), *sides))
                table.line("part", key, value)
                found.append(f"part {key} {value}")

    prove(GoTable.read(text))
    return found


def random_board(draw: random.Random, open_points: int) -> str:
    """A few open points within a wall of immortal stones."""
    height, width = draw.choice([(1, open_points), (2, (open_points + 1) // 2)])
    wall = draw.choice(["X", "O", "XO", "XO", "XXO#"])
    grid = [[draw.choice(wall) for _ in range(width + 2)] for _ in range(height + 2)]
    for r in range(1, height + 1):
        for c in range(1, width + 1):
            grid[r][c] = draw.choice("....xo")
    return "/".join(map("".join, grid))


def boards(draw: random.Random, count: int):
    """Random boards where all chains stand and play does not repeat, and their values."""
    while count:
        text = random_board(draw, draw.choice((2, 3, 4)))
        board = second.cells(text)
        chains = [second.connected(board, cell, signs) for cell in board for signs in ("xX", "oO") if board[cell] in signs]
        if not all(second.stands(board, chain) for chain in chains):
            continue
        try:
            truth = second.Score().board(board)
        except second.Repeats:
            continue
        count -= 1
        yield text, truth


class Go(unittest.TestCase):
    def test_the_example_of_the_page(self):
        self.assertEqual(result(certificate(*PAGE)), "verified")
        for i in range(5, 7):
            self.assertEqual(result(certificate(*PAGE[:i], *PAGE[i + 1 :])), "refused")
        for i, line, expected in (
            (3, "value 1", "refused"), (5, "part XXX/O.X/XXX 0", "refused"), (6, "part XXXX/O..X/XXXX 1", "refused"),
            (5, "part OOO/X.O/OOO *", "verified"), (5, "part #X#/O.X/#X# *", "verified"), (5, "least XXX/O.X/XXX *", "refused"),
            (5, "least #X#/X.O/#O# *", "refused"), (6, "least XXXX/O..X/XXXX {1|*}", "refused"), (2, "position XXXXX/O...X/XXXXX", "refused"),
            (2, "position OOOO/X..O/OOOO", "refused"), (2, "position XxX", "refused"), (5, "part x *", "refused"),
            (5, "part XXX/O.X/XX *", "damaged"), (5, "part XXX *", "damaged"), (5, "part O.XO.X *", "damaged"),
            (5, "part XXX/O.X/XXY *", "damaged"), (2, "position " + "/".join(["." * 81] * 2), "damaged"),
        ):  # fmt: skip
            with self.subTest(line):
                self.assertEqual(result(certificate(*PAGE[:i], line, *PAGE[i + 1 :])), expected)

    def test_boards_that_need_no_table(self):
        for text, value in (
            ("XXX/X.X/XXX", "1"), ("XXXX/X.oX/XXXX", "3"), ("OOOO/O.xO/OOOO", "-3"), ("XO", "0"), ("X..O", None), ("#", "0"),
            ("XXXXX/X...X/XXXXX", "3"), ("XXX#OO/X.X#.O/XXX#OO", "0"),
        ):  # fmt: skip
            data = certificate("hasami value 3", "game go", f"position {text}", f"value {value or 0}", "proof table")
            self.assertEqual(result(data), "verified" if value else "refused", text)

    def test_small_boards_against_a_slow_count(self):
        for text, truth in boards(random.Random(1), 120):
            value = spell(canonical(truth))
            lines = table_lines(text)
            data = certificate("hasami value 3", "game go", f"position {text}", f"value {value}", "proof table", *lines)
            self.assertEqual(result(data), "verified", text)
            for other in ("0", "1", "*", "-1", "{2|*}"):
                if other != value:
                    data = certificate("hasami value 3", "game go", f"position {text}", f"value {other}", "proof table", *lines)
                    self.assertEqual(result(data), "refused", text)

    def test_certain_territory(self):
        """Lemma 4 against the slow count, and nothing else is taken to be certain."""
        found = 0
        for text, truth in boards(random.Random(2), 150):
            for part in second.go_parts(second.cells(text)):
                table = GoTable()
                ((key, sign),) = GoTable.read(second.text_of(part))
                certain = table.shape(key).certain
                if certain is not None:
                    found += 1
                    worth = canonical(second.Score().part(second.text_of(part), None))
                    self.assertIs(named(certain.x * sign), worth, text)
        self.assertGreater(found, 10)

    def test_territory(self):
        for text, _ in boards(random.Random(6), 100):
            for part in second.go_parts(second.cells(text)):
                ((key, sign),) = GoTable.read(second.text_of(part))
                self.assertEqual(GoTable().shape(key).territory() * sign, second.territory(part), text)

    def test_bounds_that_are_accepted_are_true(self):
        draw = random.Random(3)
        guesses = [parse(text) for text in ("0", "1", "-1", "*", "2", "1/2", "^", "v", "{1|*}", "{*|-1}", "±1", "{1|0}", "1*")]
        accepted = {"least": 0, "most": 0, "part": 0}
        for text, truth in boards(draw, 120):
            lines = table_lines(text)
            table = GoTable()
            for line in lines:
                _, part, _ = line.split()
                worth = canonical(second.Score().part(part, None))
                for _ in range(4):
                    kind, guess = draw.choice(list(accepted)), draw.choice([worth, *guesses])
                    try:
                        table.line(kind, part, spell(guess))
                    except Refused:
                        continue
                    accepted[kind] += 1
                    self.assertTrue(kind == "most" or at_least(worth, guess), (kind, part, spell(guess)))
                    self.assertTrue(kind == "least" or at_least(guess, worth), (kind, part, spell(guess)))
                if draw.random() < 0.1:
                    table.kept.clear()
        self.assertGreater(min(accepted.values()), 20)

    def test_play_that_repeats(self):
        """Whatever is accepted on boards with kos holds for every way to cut play off late enough."""
        draw = random.Random(4)
        guesses = ["0", "1", "-1", "*", "2", "-2", "1/2", "-1/2", "{1|0}", "{0|-1}", "±1", "^", "v", "3", "-3", "{2|0}", "1*", "{1|*}"]
        cuts = [lambda _, g=g: g for g in (second.number(9), second.number(-9), second.game([second.number(9)], [second.number(-9)]))]
        counts = [second.Score(plies, cut, lambda g: written_out(canonical(g))) for cut in cuts for plies in (8, 9)]
        accepted, count, self.loose = 0, 0, 0
        while count < 12:
            text = random_board(draw, draw.choice((2, 3, 4)))
            board = second.cells(text)
            try:
                parts = GoTable.read(text)
                second.Score().board(board)
            except Refused:
                continue
            except second.Repeats:
                count += 1
                accepted += self.guess(draw, parts, guesses, counts)
        self.assertGreater(accepted, 60)
        self.assertGreater(self.loose, 5)

    def guess(self, draw: random.Random, parts, guesses, counts) -> int:
        """Tries bounds for all parts below these; returns how many were accepted."""
        table, below, accepted = GoTable(), [key for key, _ in parts], 0
        for key in below:
            for side in (0, 1):
                below += {key for after in table.shape(key).after(side) for key, _ in after.parts} - set(below)
        for _ in range(3):
            for key in below:
                for guess in guesses:
                    kind = draw.choice(["least", "most", "part"])
                    try:
                        table.line(kind, key, guess)
                    except Refused:
                        continue
                    accepted += 1
                    bound = written_out(parse(guess))
                    self.loose += not second.equal(counts[0].part(key, counts[0].plies), bound)
                    for score in counts:
                        worth = score.part(key, score.plies)
                        self.assertTrue(kind == "most" or second.at_least(worth, bound), (key, kind, guess))
                        self.assertTrue(kind == "least" or second.at_least(bound, worth), (key, kind, guess))
        return accepted


if __name__ == "__main__":
    unittest.main()
