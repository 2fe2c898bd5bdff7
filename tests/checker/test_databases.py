"""Databases: small ones built from the rules of the page in another way, every wrong value, and damage."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache

import database
import hooks
import zstandard
from blake3 import Hasher, blake3
from container import Damaged
from makers import Leaf, part
from numbering import Mancala, Pyonpyon
from test_checker import part_result
from tree import Refused

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check.py")


def write(game: str, rules: str, values: bytes, block: int = 65536) -> bytes:
    text = f"version=1\ngame={game}\nrules={rules}\nvalues={len(values)}\nblock={block}\n".encode()
    head = b"hasami database\n" + len(text).to_bytes(4, "little") + text
    head += blake3(head)[:16]
    blocks, offsets, at = b"", b"", len(head)
    for number, start in enumerate(range(0, len(values), 65536)):
        packed = zstandard.ZstdCompressor().compress(values[start : start + 65536])
        one = len(packed).to_bytes(4, "little") + blake3(number.to_bytes(8, "little") + packed)[:8] + packed
        offsets += at.to_bytes(8, "little")
        blocks, at = blocks + one, at + len(one)
    index = offsets + at.to_bytes(8, "little")
    return head + blocks + index + blake3(head + index)[:16] + b"end of database\n"


# Mancala with cells as certificates.md numbers them: the mover's pits 0 to p − 1, cell 2p + 1 its goal.


def mancala_positions(pits: int, most: int):
    rows = [row for row in itertools.product(range(most + 1), repeat=pits) if sum(row) <= most]
    order = [(sum(row), sum(i * seeds for i, seeds in enumerate(row)), row) for row in rows]
    both = [(one, other) for one in order for other in order if one[0] + other[0] <= most]
    both.sort(key=lambda pair: (pair[0][0] + pair[1][0], pair[0][0], pair[0][1:], pair[1][1:]))
    return [(own[2], other[2]) for own, other in both]


def mancala_values(pits: int, goal: str, most: int) -> bytes:
    size = 2 * pits + 2

    @lru_cache(None)
    def turn(own, other) -> int:
        """A player's whole turn: the least or greatest number of plies to the end, from here."""
        if not any(own):
            return 254
        if not any(other):
            return 0
        found = []
        for pit in range(pits):
            if own[pit]:
                ring = [*own, 0, *other, 0]
                seeds, ring[pit], at = ring[pit], 0, pit
                for _ in range(seeds):
                    at = (at - 1) % size
                    ring[at] += 1
                mine, yours = tuple(ring[:pits]), tuple(ring[pits + 1 : size - 1])
                if not any(mine):
                    return 1
                again = at == size - 1 or goal == "either" and at == pits
                found.append(turn(mine, yours) if again else turn(yours, mine) + 1)
        wins = [plies for plies in found if plies % 2]
        return min(wins) if wins else max(found)

    return bytes(turn(*position) for position in mancala_positions(pits, most))


# Pyonpyon with rows as strings, S to the right for the mover.


def pyonpyon_rows(columns: int, home: int) -> list[str]:
    return sorted({"".join(row) for row in itertools.permutations("S" * home + "G" * home + "." * (columns - 2 * home))})


def pyonpyon_values(height: int, columns: int, home: int, no_move: str) -> bytes:
    def progress(row: str) -> int:
        return sum(c for c in range(columns) if row[c] == "S") + sum(columns - 1 - c for c in range(columns) if row[c] == "G")

    def cells(row: str, sign: str) -> int:
        return sum(2**c for c in range(columns) if row[c] == sign)

    rows = sorted(pyonpyon_rows(columns, home), key=lambda row: (-progress(row), cells(row, "S"), cells(row, "G")))
    top = progress(rows[0])
    order = {row: i for i, row in enumerate(rows)}

    def key(position):
        """The order of the page: sum of classes, classes, then digits, the first run least significant."""
        classes = [top - progress(row) for row in position]
        runs = [tuple(order[row] for row in reversed(list(run))) for _, run in itertools.groupby(position, key=progress)]
        return sum(classes), classes, runs[::-1]

    positions = [tuple(p) for p in itertools.combinations_with_replacement(rows, height)]
    positions.sort(key=key)
    turned = str.maketrans("SG", "GS")

    def flip(position):
        return tuple(sorted((row[::-1].translate(turned) for row in position), key=order.get))

    @lru_cache(None)
    def value(position) -> int:
        if all(row.endswith("S" * home) for row in position):
            return 254
        if all(row.startswith("G" * home) for row in position):
            return 0
        after = []
        for i, row in enumerate(position):
            for c, sign in enumerate(row):
                to = row.find(".", c)
                if sign == "S" and to >= 0:
                    moved = row[:c] + "." + row[c + 1 : to] + "S" + row[to + 1 :]
                    after.append(flip((*position[:i], moved, *position[i + 1 :])))
        if not after:
            if no_move != "pass":
                return {"loses": 0, "draw": 255}[no_move]
            after = [flip(position)]
        found = [value(one) for one in after]
        lost = [plies for plies in found if plies % 2 == 0]
        if lost:
            return min(lost) + 1
        return 255 if 255 in found else max(found) + 1

    return bytes(map(value, positions))


SMALL = [
    ("mancala", f"pits={pits} goal={goal} up-to={most}", mancala_values(pits, goal, most))
    for pits, goal, most in ((1, "either", 3), (2, "own", 5), (3, "either", 4), (2, "either", 6))
] + [
    ("pyonpyon", f"rows={rows} columns={columns} home={home} no-move={word}", pyonpyon_values(rows, columns, home, word))
    for rows, columns, home, word in ((1, 5, 2, "draw"), (2, 4, 1, "pass"), (3, 4, 1, "loses"), (2, 5, 2, "pass"), (3, 3, 1, "draw"))
]  # fmt: skip


class Databases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "some.db")

    def check(self, data: bytes, sample: int | None = None) -> str:
        with open(self.path, "wb") as file:
            file.write(data)
        try:
            return "ok" if database.check_file(self.path, sample, 1) else ""
        except Damaged:
            return "damaged"
        except Refused:
            return "refused"

    def test_small_ones(self):
        for game, rules, values in SMALL:
            with self.subTest(rules):
                self.assertEqual(self.check(write(game, rules, values)), "ok")
                self.assertEqual(self.check(write(game, rules, values), 100), "ok")

    def test_the_example_of_the_page(self):
        self.assertEqual(SMALL[0][2], bytes([254, 254, 0, 254, 1, 0, 254, 1, 1, 0]))

    def test_every_wrong_value(self):
        """A single value that is changed is inconsistent itself."""
        draw = random.Random(1)
        for game, rules, values in SMALL:
            for index in draw.sample(range(len(values)), min(12, len(values))):
                for other in {0, 254, 255, (values[index] + 2) % 256} - {values[index]}:
                    changed = values[:index] + bytes([other]) + values[index + 1 :]
                    self.assertEqual(self.check(write(game, rules, changed)), "refused", (rules, index, other))

    def test_numbers_and_positions(self):
        draw = random.Random(2)
        for positions in (Mancala("6", "own", "40"), Mancala("4", "own", "9"), Pyonpyon("3", "9", "3", "pass"), Pyonpyon("2", "7", "2", "draw")):
            for index in [0, positions.size - 1, *(draw.randrange(positions.size) for _ in range(200))]:
                self.assertEqual(positions.number(positions.position(index)), index)
        self.assertEqual(Pyonpyon("3", "9", "3", "pass").size, 1680 * 1681 * 1682 // 6)

    def test_where_no_value_follows(self):
        for positions in (Mancala("2", "own", "6"), Pyonpyon("2", "5", "2", "pass")):
            found = 0
            for index in range(positions.size):
                position, after = positions.position(index), []
                if positions.follow(position, lambda number: after.append(number) or 1) is not None and len(set(after)) > 1:
                    self.assertIsNone(positions.follow(position, lambda _: 254))
                    self.assertIsNone(positions.follow(position, lambda number: 254 if number == after[0] else 0))
                    found += 1
            self.assertGreater(found, 20)

    def test_more_than_one_block(self):
        values = mancala_values(3, "own", 16)
        self.assertGreater(len(values), 65536)
        rules = "pits=3 goal=own up-to=16"
        data = write("mancala", rules, values + bytes(10))
        self.assertEqual(self.check(data), "damaged")
        self.assertEqual(self.check(write("mancala", rules, values), 300), "ok")

    def test_damage(self):
        game, rules, values = SMALL[1]
        good = write(game, rules, values)
        middle = good.index(b"\x28\xb5\x2f\xfd")  # the block: its damage may go unseen without its sum
        block = range(middle - 8, len(good) - 32 - 16)
        for at in range(0, len(good), 2):
            self.assertEqual(self.check(good[:at]), "damaged", at)
            bad = good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :]
            self.assertIn(self.check(bad), ("damaged", "refused", "ok") if at in block else ("damaged",), at)
        self.assertEqual(self.check(good + b"x"), "damaged")

    def test_what_a_database_must_be(self):
        game, rules, values = SMALL[1]
        for data in (
            write("chess", rules, values), write(game, "pits=2 goal=both up-to=5", values), write(game, rules, values[:-1]),
            write(game, "pits=2 goal=own up-to=41", values), write(game, "pits=02 goal=own up-to=5", values),
            write(game, rules, values, 4096), write(game, rules + " ", values), write("pyonpyon", rules, values),
            write("pyonpyon", "rows=2 columns=4 home=2 no-move=pass", values), b"", b"hasami database\n" + b"\xff" * 40,
            write(game, rules, values).replace(b"version=1", b"version=2"),
        ):  # fmt: skip
            self.assertEqual(self.check(data), "damaged")

    def test_a_bomb(self):
        game, rules, values = SMALL[1]
        self.assertEqual(self.check(write(game, rules, values).replace(zstandard.ZstdCompressor().compress(values), b"")), "damaged")
        head = write(game, rules, values)
        start = head.index(b"\x28\xb5\x2f\xfd") - 12
        packed = zstandard.ZstdCompressor().compress(bytes(1 << 26))
        text = head[:start]
        index = len(text).to_bytes(8, "little") + (len(text) + 12 + len(packed)).to_bytes(8, "little")
        data = text + len(packed).to_bytes(4, "little") + bytes(8) + packed + index + blake3(text + index)[:16] + b"end of database\n"
        self.assertEqual(self.check(data), "damaged")

    def test_the_command(self):
        game, rules, values = SMALL[1]
        codes = []
        for data in (write(game, rules, values), write(game, rules, values[:40] + b"\x09" + values[41:]), b"x"):
            with open(self.path, "wb") as file:
                file.write(data)
            done = subprocess.run([sys.executable, "-B", CHECK, "--database-file", self.path, "--all"], capture_output=True)
            codes.append(done.returncode)
            self.assertFalse(done.stderr)
        self.assertEqual(codes, [0, 1, 2])


class Leaves(unittest.TestCase):
    """Mancala leaves that rest on a database."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "some.db")
        self.values = mancala_values(2, "own", 6)
        data = write("mancala", "pits=2 goal=own up-to=6", self.values)
        with open(path, "wb") as file:
            file.write(data)
        self.digest = blake3(data).hex()
        self.addCleanup(setattr, hooks, "leaves", None)
        hooks.leaves = hooks.open_database(path)
        self.addCleanup(hooks.leaves.database.file.close)

    def leaf(self, position: str, verdict: str, length: int | None, tree=Leaf(3), **other: str) -> str:
        lines = {"pits": "2", "goal": "own", "replies": "real", "position": position, "ask": "win", "within": "any"}
        lines |= {"database": self.digest} | other
        return part_result(part("mancala 2", [f"{key} {value}" for key, value in lines.items()], verdict, tree, length)).split(":")[0]

    def test_every_position(self):
        for (own, other), value in zip(mancala_positions(2, 6), self.values):
            if not any(own) or not any(other):
                continue
            rows = [",".join(map(str, row)) for row in (own, other)]
            wins, loses = ("proven", "disproven") if value % 2 else ("disproven", "proven")
            for position in (f"{rows[0]}/{rows[1]}:first", f"{rows[1]}/{rows[0]}:second"):
                self.assertEqual(self.leaf(position, wins, value), "ok", position)
                self.assertEqual(self.leaf(position, wins, None), "ok")
                self.assertEqual(self.leaf(position, loses, None), "refused")
                self.assertEqual(self.leaf(position, wins, value - 1) if value else "refused", "refused")
            if value > 1:
                late, limit = f"{rows[0]}/{rows[1]}:first", {"within": str(value - 1)}
                self.assertEqual(self.leaf(late, "disproven", None, **limit), "ok")
                self.assertEqual(self.leaf(late, "proven", None, **limit, ask="not-lose"), "ok")
                self.assertEqual(self.leaf(late, "proven", None, **limit), "refused")

    def test_where_it_does_not_apply(self):
        good = "1,1/1,1:first"
        self.assertEqual(self.leaf(good, "proven", None), "ok")
        self.assertEqual(self.leaf(good, "proven", None, database="none"), "refused")
        self.assertEqual(self.leaf(good, "proven", None, database="0" * 64), "damaged")
        self.assertEqual(self.leaf(good, "proven", None, goal="either"), "refused")
        self.assertEqual(self.leaf(good, "proven", None, replies="pass"), "refused")
        self.assertEqual(self.leaf("4,1/1,1:first", "proven", None), "refused")
        self.assertEqual(self.leaf(good, "proven", None, tree=Leaf(3, b"\1")), "refused")
        hooks.leaves = None
        self.assertEqual(self.leaf(good, "proven", None), "damaged")


class Blake3(unittest.TestCase):
    def test_known_sums(self):
        self.assertEqual(blake3(b"").hex(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")
        self.assertEqual(blake3(b"abc").hex(), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85")
        for length, digest in (
            (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
            (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
            (3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"),
            (102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"),
        ):  # the published test vectors
            data = bytes(i % 251 for i in range(length))
            self.assertEqual(blake3(data).hex(), digest)
            self.assertEqual(Hasher().update(data[:1000]).update(data[1000:]).digest().hex(), digest)


if __name__ == "__main__":
    unittest.main()
