"""Databases: one byte for every position of a game. Reads the file, and checks values by local consistency."""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import BinaryIO

from blake3 import Hasher, blake3
from container import Damaged, frame, number
from numbering import DRAW, GAMES, MOST, Mancala
from tree import Refused

MAGIC, END = b"hasami database\n", b"end of database\n"
HEADER, BLOCK = 4096, 65536
BLOCKS_KEPT = 2048  # decompressed, 64 KiB each
HEADER_TEXT = re.compile(r"version=(.*)\ngame=(.*)\nrules=(.*)\nvalues=(.*)\nblock=65536\n\Z")


class Database:
    def __init__(self, file: BinaryIO):
        self.file = file
        self.length = self.file.seek(0, 2)
        head = self.read(0, len(MAGIC) + 4)
        if head[: len(MAGIC)] != MAGIC:
            raise Damaged("not a database")
        size = int.from_bytes(head[len(MAGIC) :], "little")
        if size > HEADER:
            raise Damaged("the header is too long")
        head += self.read(len(head), size)
        self.read_header(head[len(MAGIC) + 4 :])
        head += self.read(len(head), 16)
        if blake3(head[:-16])[:16] != head[-16:]:
            raise Damaged("the sum of the header does not fit")
        self.read_index(head)
        self.blocks: OrderedDict[int, bytes] = OrderedDict()

    def read(self, at: int, size: int) -> bytes:
        self.file.seek(at)
        data = self.file.read(size) if 0 <= size <= self.length - at else b""
        if len(data) != size:
            raise Damaged("cut off")
        return data

    def read_header(self, text: bytes) -> None:
        found = HEADER_TEXT.match(text.decode("ascii", "replace"))
        if not found:
            raise Damaged("the header does not have the lines version, game, rules, values, block=65536")
        version, game, self.rules, values = found.groups()
        if version != "1":
            raise Damaged(f"version {version[:40]!a} of databases; this checker knows 1")
        if game not in GAMES:
            raise Damaged(f"a database of {game[:40]!a}")
        rules = GAMES[game].RULES.match(self.rules)
        if not rules:
            raise Damaged(f"rules {self.rules[:80]!a}")
        self.positions = GAMES[game](*rules.groups())
        self.size = number(values, 1)
        self.name = f"{game} {self.rules}"
        if self.size != self.positions.size:
            raise Damaged(f"{self.size} values, and the game has {self.positions.size} positions")

    def read_index(self, head: bytes) -> None:
        count = -(-self.size // BLOCK)
        start = self.length - 16 - 16 - 8 - 8 * count
        if start < len(head):
            raise Damaged("cut off")
        tail = self.read(start, self.length - start)
        if tail[-16:] != END:
            raise Damaged("no end of the database")
        index, its_sum = tail[:-32], tail[-32:-16]
        if blake3(head + index)[:16] != its_sum:
            raise Damaged("the sum of the index does not fit")
        self.offsets = memoryview(index).cast("B")
        if self.offset(count) != start or self.offset(0) != len(head):
            raise Damaged("the index is not where it must be")

    def offset(self, block: int) -> int:
        """Where a block begins; after the last one, where the index begins."""
        return int.from_bytes(self.offsets[8 * block : 8 * block + 8], "little")

    def block(self, which: int) -> bytes:
        if which in self.blocks:
            self.blocks.move_to_end(which)
            return self.blocks[which]
        start, end = self.offset(which), self.offset(which + 1)
        data = self.read(start, end - start)
        if len(data) < 12 or int.from_bytes(data[:4], "little") != len(data) - 12:
            raise Damaged(f"block {which} does not have its length")
        # Sums of blocks find damage only, and are slow here: whoever wants them has the digest of the whole file.
        values, rest = frame(data[12:], BLOCK)
        if rest or len(values) != min(BLOCK, self.size - which * BLOCK):
            raise Damaged(f"block {which} does not have its values")
        self.blocks[which] = values
        if len(self.blocks) > BLOCKS_KEPT:
            self.blocks.popitem(last=False)
        return values

    def value(self, index: int) -> int:
        return self.block(index // BLOCK)[index % BLOCK]

    def digest(self) -> str:
        """The BLAKE3 of the file."""
        hasher = Hasher()
        self.file.seek(0)
        while data := self.file.read(1 << 20):
            hasher.update(data)
        return hasher.digest().hex()

    def check(self, numbers: Iterable[int]) -> None:
        """Does each of these values follow from the values after the moves?"""
        for index in numbers:
            position, value = self.positions.position(index), self.value(index)
            follows = self.positions.follow(position, self.value)
            if value != follows:
                should = "no value follows" if follows is None else f"{follows} follows"
                raise Refused(f"the value of position {index}, {position}, is {value}, and {should}")


def check_file(path: str, sample: int | None, seed: int) -> str:
    """Checks so many values drawn at random, or all of them; returns what was found."""
    with open(path, "rb") as file:
        database = Database(file)
        if sample is None:
            database.check(range(database.size))
            found = f"all {database.size} values are consistent, so they are right"
        else:
            draw = random.Random(seed)
            database.check(draw.randrange(database.size) for _ in range(sample))
            found = f"{sample} draws of {database.size} values with seed {seed} are consistent"
        return f"{database.name}: {found}, BLAKE3 {database.digest()}"


class Leaves:
    """The database that leaves of Mancala rest on."""

    def __init__(self, file: BinaryIO):
        self.database = Database(file)
        if not isinstance(self.database.positions, Mancala):
            raise Damaged("not a database of Mancala")
        self.digest = self.database.digest()

    def value(self, digest: str, rules: tuple[int, str], own: tuple[int, ...], other: tuple[int, ...]):
        """Who wins, from the side to move (1, −1, or 0 for a draw), and in how many plies."""
        positions = self.database.positions
        if digest != self.digest:
            raise Damaged(f"the certificate rests on the database {digest}, and the file is {self.digest}")
        if rules != (positions.pits, positions.goal):
            raise Refused("the database has other rules")
        if sum(own) + sum(other) > positions.seeds:
            raise Refused(f"more than {positions.seeds} seeds: not in the database")
        value = self.database.value(positions.number((own, other)))
        if value == DRAW:
            return 0, 0
        if value > MOST:
            raise Refused("the database has no value for this position")
        return 1 if value % 2 else -1, value
