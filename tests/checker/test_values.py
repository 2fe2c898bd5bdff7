"""Values of games: arithmetic against the definitions, notation, expressions, tables, and forged certificates."""

from __future__ import annotations

import itertools
import random
import time
import unittest
from fractions import Fraction

import hooks
import second_values as second
import valuefile
import values
from container import Damaged
from expressions import evaluate
from notation import kind, parse, spell
from partizan import GAMES, Table
from second_values import certificate
from tree import Refused


def result(data: bytes) -> str:
    try:
        return hooks.check_text(data).partition(":")[0]
    except Damaged:
        return "damaged"
    except Refused:
        return "refused"


def written_out(g: values.Game):
    """The checker's game as one of the second kind."""
    return second.game(map(written_out, g.left), map(written_out, g.right))


def canonical(g) -> values.Game:
    return values.make(map(canonical, g[0]), map(canonical, g[1]))


def random_game(draw: random.Random, depth: int):
    if not depth:
        return draw.choice([second.ZERO, second.nim(1), second.number(1), second.number(-1), second.UP])
    return second.game(*([random_game(draw, depth - 1) for _ in range(draw.randint(0, 2))] for _ in range(2)))


class Arithmetic(unittest.TestCase):
    def test_games_up_to_day_two(self):
        days = [second.ZERO]
        for _ in range(2):
            sets = [set(some) for size in range(3) for some in itertools.combinations(days, size)]
            days = list({second.game(left, right) for left in sets for right in sets})
            unequal = []
            for one in days:
                if not any(second.equal(one, other) for other in unequal):
                    unequal.append(one)
            days = unequal
        self.assertEqual(len(days), 22)
        found = [canonical(one) for one in days]
        self.assertEqual(len(set(found)), 22)
        for one, mine in zip(days, found):
            self.assertTrue(second.equal(written_out(mine), one))
            self.assertTrue(second.is_canonical(written_out(mine)))
            self.assertIs(parse(spell(mine)), mine)
            for other, its in zip(days, found):
                self.assertEqual(values.at_least(mine, its), second.at_least(one, other))
                self.assertTrue(second.equal(written_out(values.add(mine, its)), second.add(one, other)))

    def test_random_games(self):
        draw = random.Random(1)
        games = [random_game(draw, 3) for _ in range(150)]
        for one, other in zip(games, games[1:] + games[:1]):
            mine, its = canonical(one), canonical(other)
            self.assertTrue(second.equal(written_out(mine), one))
            self.assertTrue(second.is_canonical(written_out(mine)))
            self.assertEqual(values.at_least(mine, its), second.at_least(one, other))
            self.assertEqual(mine is its, second.equal(one, other))
            self.assertTrue(second.equal(written_out(values.negative(mine)), second.negative(one)))
            self.assertIs(parse(spell(mine)), mine)

    def test_sums_of_random_games(self):
        draw = random.Random(2)
        for _ in range(60):
            one, other = random_game(draw, 2), random_game(draw, 2)
            mine = values.add(canonical(one), canonical(other))
            self.assertTrue(second.equal(written_out(mine), second.add(one, other)))
            self.assertTrue(second.is_canonical(written_out(mine)))

    def test_named_games_are_sums(self):
        for x in (0, 1, Fraction(-1, 2)):
            for ups in range(-3, 4):
                for star in range(5):
                    mine = values.named(x, ups, star)
                    truth = second.add(second.number(x), second.nim(star))
                    for _ in range(abs(ups)):
                        truth = second.add(truth, second.UP if ups > 0 else second.negative(second.UP))
                    self.assertTrue(second.equal(written_out(mine), truth), (x, ups, star))
                    self.assertTrue(second.is_canonical(written_out(mine)), (x, ups, star))
                    self.assertIs(values.make(mine.left, mine.right), mine)

    def test_rays_are_the_order(self):
        draw = random.Random(3)
        games = [canonical(random_game(draw, 2)) for _ in range(60)]
        for g in games:
            for y in (-2, -1, Fraction(-1, 2), 0, Fraction(1, 4), 1, 2):
                truth, wide = second.number(y), written_out(g)
                self.assertEqual((y, 0) >= g.le, second.at_least(truth, wide))
                self.assertEqual((y, 0) >= g.lf, not second.at_least(wide, truth))
                self.assertEqual((y, 0) <= g.ge, second.at_least(wide, truth))
                self.assertEqual((y, 0) <= g.gf, not second.at_least(truth, wide))

    def test_simplest_numbers(self):
        half, quarter = Fraction(1, 2), Fraction(1, 4)
        for low, high, found in (
            ((0, 1), (1, -1), half), ((0, 0), (1, -1), 0), ((half, 1), (1, -1), Fraction(3, 4)), ((3, 1), None, 4),
            ((0, 1), (half, -1), quarter), (None, (-3, -1), -4), ((-5, 1), (-2, -1), -3), ((1, 0), (1, -1), None),
            ((1, 0), (1, 0), 1), ((-half, 1), (-quarter, 0), -quarter), ((5, 0), (9, 0), 5), (None, None, 0),
        ):  # fmt: skip
            self.assertEqual(values.simplest(low, high), found)


class Notation(unittest.TestCase):
    def test_spellings(self):
        for text, way in (
            ("0", "number"), ("-3/4", "number"), ("^", "named"), ("1/2v3*2", "named"), ("-1*", "named"),
            ("tiny(1)", "tiny"), ("-2+miny(1/2)", "tiny"), ("±3/2", "switch"), ("{1|*}", "braces"),
            ("{2,{3|1}|-1}", "braces"), ("{0|tiny(1)}", "braces"), ("{0,^*|0}", "braces"), ("{^|v}", None),
        ):  # fmt: skip
            if way:
                self.assertEqual(kind(parse(text)), way, text)
            else:
                self.assertRaises(Damaged, parse, text)

    def test_meanings(self):
        n, game = second.number, second.game
        for text, truth in (
            ("^", game([n(0)], [second.nim(1)])),
            ("^*", game([n(0), second.nim(1)], [n(0)])),
            ("v2", second.negative(second.add(second.UP, second.UP))),
            ("tiny(2)", game([n(0)], [game([n(0)], [n(-2)])])),
            ("miny(2)", game([game([n(2)], [n(0)])], [n(0)])),
            ("1+tiny(2)", second.add(n(1), game([n(0)], [game([n(0)], [n(-2)])]))),
            ("1+miny(2)", second.add(n(1), game([game([n(2)], [n(0)])], [n(0)]))),
            ("±1/2", game([n(Fraction(1, 2))], [n(Fraction(-1, 2))])),
            ("{1|*}", game([n(1)], [second.nim(1)])),
        ):  # fmt: skip
            self.assertTrue(second.equal(written_out(parse(text)), truth), text)

    def test_other_spellings_are_refused(self):
        for text in (
            "", "00", "01", "+1", "-0", "2/2", "2/4", "1/3", "1/0", "0*", "0^", "*0", "*1", "^0", "^1", "^^", "1 ", " 1",
            "±0", "±-1", "±*", "{|}", "{0|}", "{1|-1}", "{0|*}", "{0|0}", "{1,1|0}", "{1,0|-1}", "{0|{0|-1}}", "{1|{1|0}}",
            "tiny(0)", "tiny(-1)", "0+tiny(1)", "tiny(*)", "1+*", "{1|0", "1|0", "{1|0}}", "{1||0}", "{,1|0}", "{1,|0}",
            "{1|0|0}", "{tiny(1)|-1}", "1*^", "1v^", "²", "1" * 400, "*" + "9" * 400,
        ):  # fmt: skip
            with self.subTest(text[:40]):
                self.assertRaises(Damaged, parse, text)


class Expressions(unittest.TestCase):
    def test_examples(self):
        for text, value in (
            ("{3|1}+^*", "{3^*|1^*}"), ("3||2|0", "{3|{2|0}}"), ("1,2|0||5", "0"), ("-2^", "-2^"), ("-(2^)", "-2v"),
            ("-^", "v"), ("- 2^", "-2v"), ("3.^", "^3"), ("-3.(^*)", "v3*"), ("±(1,2)", "±2"), ("±1", "±1"), ("1--1", "2"),
            ("±(1|0)", "0"), ("±(2|1)", "{{2|1}|{-1|-2}}"), ("tiny(2)", "tiny(2)"), ("miny(1/2)", "miny(1/2)"), ("|", "0"), ("1|", "2"),
            ("^^^*2", "^3*2"), ("v0*0", "0"), ("2/4+6/8", "5/4"), ("{ 1 | * } - 1", "{0|-1*}"), ("((1))", "1"),
            ("*2+*3", "*"), ("-0", "0"), ("007+04/08", "15/2"), ("00.^", "0"), ("±1+±1", "0"), ("0.{1|*}", "0"), ("{|}", "0"), ("1-1", "0"), ("1- 1", "0"),
        ):  # fmt: skip
            data = certificate("hasami value 3", "game expression", f"position {text}", f"value {value}", "proof arithmetic")
            with self.subTest(text):
                self.assertEqual(result(data), "verified")
                for other in ("1/8", "{9|*}", "^9"):
                    self.assertEqual(result(data_with(data, 3, f"value {other}")), "refused")

    def test_beyond_the_grammar(self):
        for text in (
            "()", "(1,2)", "{1}", "1 2", "1.5", "1|0|2", "1 | | 2", "^^2", "(1", "1)", "(1}", "1+", "+1", "±", "-", "1/3",
            "1/0", "2/00", "cool(1,2)", "↑", "2.", ".", "tiny", "tiny 2", "tiny(1,2)", "±(,)", "1,2", "*/2", "²", "1\t",
        ):  # fmt: skip
            with self.subTest(text):
                self.assertRaises(Damaged, evaluate, text)

    def test_against_the_definitions(self):
        draw = random.Random(5)
        atoms = {"0": second.ZERO, "1": second.number(1), "-1": second.number(-1), "*": second.nim(1), "^": second.UP,
                 "*2": second.nim(2), "1/2": second.number(Fraction(1, 2))}  # fmt: skip

        def expression(depth: int):
            if not depth:
                return draw.choice(list(atoms.items()))
            (a, ga), (b, gb) = expression(depth - 1), expression(depth - 1)
            return draw.choice([
                (f"({a}) + ({b})", second.add(ga, gb)), (f"({a})-({b})", second.add(ga, second.negative(gb))),
                ("{%s|%s}" % (a, b), second.game([ga], [gb])) if "|" not in a + b else (f"-({a})", second.negative(ga)),
                (f"({a})||({b})|({a})", second.game([ga], [second.game([gb], [ga])])),
                (f"2.({a})", second.add(ga, ga)), (f"±({a})", second.game([ga], [second.negative(ga)])),
            ])  # fmt: skip

        for _ in range(120):
            text, truth = expression(2)
            self.assertTrue(second.equal(written_out(evaluate(text)), truth), text)


def data_with(data: bytes, place: int, line: str) -> bytes:
    """The certificate with another line here, and a right sum."""
    lines = data.decode().split("\n")[:-2]
    lines[place] = line
    return certificate(*lines)


def table_lines(game: str, text: str) -> list[str]:
    """A table for a board: a line for each part below it, the smallest first."""
    rules, table, found = GAMES[game](), Table(game), []

    def prove(board) -> None:
        for key, _ in rules.parts(board):
            if key not in table.known:
                part = rules.read(key)
                for side in (0, 1):
                    for after in rules.moves(part, side):
                        prove(after)
                value = spell(values.make(table.options(part, 0), table.options(part, 1)))
                table.line("part", key, value)
                found.append(f"part {key} {value}")

    prove(rules.read(text))
    return found


BOARDS = {
    "domineering": ["./.", "..", ".../...", "..#/...", "..../....", ".#../..../#...", ".../.../...", "...#..", "#", "."],
    "clobber": ["xo", "xox/oxo", "xoxoxo", "xo./.xo", "x.o", "xxo/.xo", "xoo/oxx", "xo.ox", "xx/.."],
    "toads-and-frogs": ["T.F", "TT.FF", "T..F", "TTFF", "T.F./TT.F", "TF.TF", "T.FF..", "TT..F", ".T.F.T"],
}


class Tables(unittest.TestCase):
    def test_boards_against_the_definitions(self):
        for game, boards in BOARDS.items():
            for text in boards:
                lines = table_lines(game, text)
                for line in lines:
                    _, part, value = line.split()
                    self.assertTrue(second.equal(written_out(parse(value)), second.position(game, part)), line)
                truth = spell(canonical(second.position(game, text)))
                data = certificate("hasami value 3", f"game {game}", f"position {text}", f"value {truth}", "proof table", *lines)
                with self.subTest(game=game, board=text):
                    self.assertEqual(result(data), "verified")

    def test_random_boards(self):
        draw = random.Random(7)
        signs = {"domineering": "..#", "clobber": "xo.", "toads-and-frogs": "TF.."}
        for game, letters in signs.items():
            for _ in range(25):
                rows, columns = draw.choice([(1, 5), (2, 3), (3, 2), (2, 4)])
                text = "/".join("".join(draw.choice(letters) for _ in range(columns)) for _ in range(rows))
                lines = table_lines(game, text)
                truth = spell(canonical(second.position(game, text)))
                data = certificate("hasami value 3", f"game {game}", f"position {text}", f"value {truth}", "proof table", *lines)
                self.assertEqual(result(data), "verified", text)

    def test_forged_lines(self):
        """Whatever is changed with a right sum: what is accepted is true."""
        wrong = ["0", "1", "-1", "*", "^", "±1", "1/2", "{1|*}", "{2|-1}", "-1/2", "tiny(1)"]
        for game, text in (("domineering", "..#/..."), ("clobber", "xox/oxo"), ("toads-and-frogs", "TT.FF")):
            lines = table_lines(game, text)
            truth = spell(canonical(second.position(game, text)))
            good = ["hasami value 3", f"game {game}", f"position {text}", f"value {truth}", "proof table", *lines]
            forged = [good[:i] + good[i + 1 :] for i in range(len(good))]
            forged += [good[:i] + [line, line] + good[i + 1 :] for i, line in enumerate(good)]
            forged += [good[:5] + lines[::-1]]
            for i, line in enumerate(good[3:], 3):
                head, _, value = line.rpartition(" ")
                forged += [good[:i] + [f"{head} {other}"] + good[i + 1 :] for other in wrong + [value + "*", "-" + value]]
            for i, line in enumerate(good):
                for at in range(len(line)):
                    for sign in ("", ".", "x", "T", "1"):
                        forged.append(good[:i] + [line[:at] + sign + line[at + 1 :]] + good[i + 1 :])
            accepted = 0
            for lines in forged:
                if result(certificate(*lines)) == "verified":
                    accepted += 1
                    game, text, value = (line.split(" ", 1)[1] for line in lines[1:4])
                    self.assertTrue(second.equal(written_out(parse(value)), second.position(game, text)), lines)
                    for line in lines[5:]:
                        _, part, value = line.split()
                        self.assertTrue(second.equal(written_out(parse(value)), second.position(game, part)), lines)
            self.assertGreater(len(forged), 200)
            self.assertLess(accepted, len(forged) / 4)

    def test_what_a_table_must_be(self):
        good = ["hasami value 3", "game domineering", "position ../..", "value ±1", "proof table", "part ./. 1", "part ../.. ±1"]
        self.assertEqual(result(certificate(*good)), "verified")
        for at, line, expected in (
            (0, "hasami value 2", "damaged"), (1, "game chess", "damaged"), (1, "game go", "refused"),
            (2, "position ../.", "damaged"), (2, "position ", "damaged"), (2, "position .../...", "refused"),
            (3, "value {1|-1}", "damaged"), (3, "value 0", "refused"), (4, "proof none", "damaged"),
            (4, "proof arithmetic", "damaged"), (5, "part ./. 2", "refused"), (5, "part .. 1", "refused"),
            (5, "part .. -1", "verified"), (5, "part .#/.. 0", "refused"), (5, "part ..#.. 1", "damaged"),
            (5, "part . 0", "damaged"), (5, "least ./. 1", "damaged"), (5, "part ./.  1", "damaged"),
            (5, "part ./.#/#. 1", "damaged"), (5, "part ./././. 2", "refused"), (6, "part ../.. *", "refused"),
            (6, "part " + "." * 65 + " 0", "damaged"),
        ):  # fmt: skip
            with self.subTest(line):
                self.assertEqual(result(certificate(*good[:at], line, *good[at + 1 :])), expected)


class Text(unittest.TestCase):
    GOOD = certificate("hasami value 3", "game expression", "position 1+1", "value 2", "proof arithmetic")

    def test_damage(self):
        self.assertEqual(result(self.GOOD), "verified")
        for at in range(len(self.GOOD)):
            for change in (1, 32, 128):
                bad = self.GOOD[:at] + bytes([self.GOOD[at] ^ change]) + self.GOOD[at + 1 :]
                self.assertEqual(result(bad), "damaged", at)
            self.assertEqual(result(self.GOOD[:at]), "damaged", at)
        for bad in (self.GOOD + b"\n", self.GOOD + b"x\n", b"\xef\xbb\xbf" + self.GOOD, b""):
            self.assertEqual(result(bad), "damaged")

    def test_signs(self):
        for position in ("1\t", "1\r", "1\x7f", "1\x85", "\ufeff1", "1\u2028"):
            data = certificate("hasami value 3", "game expression", f"position {position}", "value 1", "proof arithmetic")
            self.assertEqual(result(data), "damaged")
        lines = self.GOOD.decode().split("\n")[:-2]
        self.assertEqual(result(certificate(*lines[:3], "", *lines[3:])), "damaged")
        self.assertEqual(result(certificate(*lines, "value 2")), "damaged")
        self.assertEqual(result(certificate(*lines[:2], lines[3], lines[2], lines[4])), "damaged")

    def test_hostile_values_end(self):
        self.addCleanup(setattr, valuefile, "WORK", valuefile.WORK)
        valuefile.WORK = 100_000
        many = "{" + ",".join("{%d|-%d}" % (i, i * i) for i in range(1, 400)) + "|-1000000}"
        start = time.monotonic()
        for position in (
            "*99999999999+{1|^}", "99999999999.{1|*}", "^9999999+{1|*}", "-" * 9000 + "^", "(" * 9000 + ")" * 9000,
            "|".join("|" * i for i in range(150)), "1/" + str(2**900) + "+{1|0}", "±" * 9000 + "1",
            "+".join("{%d|%d*}" % (3**i, -(3**i)) for i in range(1, 40)), "+".join("±%d" % 2**i for i in range(14)),
        ):  # fmt: skip
            data = certificate("hasami value 3", "game expression", f"position {position}", "value {5|*}", "proof arithmetic")
            self.assertIn(result(data), ("damaged", "refused"))
        for value in ("{" * 5000 + "1|-1" + "}" * 5000, many, "{" * 9000, "{*9999999|-1}", "{1|^9999999}"):
            data = certificate("hasami value 3", "game expression", "position 1", f"value {value}", "proof arithmetic")
            self.assertIn(result(data), ("damaged", "refused"))
        self.assertLess(time.monotonic() - start, 20)


if __name__ == "__main__":
    unittest.main()
