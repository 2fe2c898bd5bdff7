"""BLAKE3, of which the standard library has nothing. Many chunks at once: a word of each is a lane of one large int."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK, BLOCK = 1024, 64
MIXED = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))  # fmt: skip


def ones(lanes: int) -> int:
    """A 1 in each lane. A lane has 64 bits, and the word is the lower half."""
    return int.from_bytes(b"\1\0\0\0\0\0\0\0" * lanes, "little")


def pack(words: Iterable[int]) -> int:
    lanes = array("Q", words)
    if sys.byteorder == "big":
        lanes.byteswap()
    return int.from_bytes(lanes.tobytes(), "little")


def unpack(packed: int, lanes: int) -> array:
    found = array("Q", packed.to_bytes(8 * lanes, "little"))
    if sys.byteorder == "big":
        found.byteswap()
    return found


def compress(value: list[int], block: list[int], counter: int, length: int, flags: int, one: int) -> list[int]:
    mask = one * 0xFFFFFFFF
    v = [*value, *(word * one for word in IV[:4]), counter & mask, counter >> 32 & mask, length * one, flags * one]
    for turn in range(7):
        for i, (a, b, c, d) in enumerate(MIXED):
            for extra, first, second in ((block[2 * i], 16, 12), (block[2 * i + 1], 8, 7)):
                v[a] = (v[a] + v[b] + extra) & mask
                x = v[d] ^ v[a]
                v[d] = (x >> first | x << 32 - first) & mask
                v[c] = (v[c] + v[d]) & mask
                x = v[b] ^ v[c]
                v[b] = (x >> second | x << 32 - second) & mask
        block = [block[i] for i in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


def words_of(data: bytes) -> array:
    words = array("I", data)
    assert words.itemsize == 4
    if sys.byteorder == "big":
        words.byteswap()
    return words


def whole_chunks(data: bytes, first: int) -> list[array]:
    """The values of chunks of 1024 bytes: eight arrays of words, one element for each chunk."""
    lanes = len(data) // CHUNK
    one, words = ones(lanes), words_of(data)
    counter = pack(range(first, first + lanes))
    value = [word * one for word in IV]
    for block in range(16):
        flags = (CHUNK_START if block == 0 else 0) | (CHUNK_END if block == 15 else 0)
        packed = [pack(words[block * 16 + i :: 256]) for i in range(16)]
        value = compress(value, packed, counter, BLOCK, flags, one)
    return [unpack(word, lanes) for word in value]


def last_chunk(data: bytes, index: int, root: int) -> list[int]:
    value = list(IV)
    starts = range(0, len(data) or 1, BLOCK)
    for start in starts:
        block = data[start : start + BLOCK]
        flags = CHUNK_START if start == 0 else 0
        if start == starts[-1]:
            flags |= CHUNK_END | root
        words = list(words_of(block.ljust(BLOCK, b"\0")))
        value = compress(value, words, index, len(block), flags, 1)
    return value


class Hasher:
    """Takes bytes piece by piece."""

    GROUP = 2048 * CHUNK

    def __init__(self) -> None:
        self.rest = b""
        self.count = 0
        self.values = [array("Q") for _ in range(8)]

    def update(self, data: bytes) -> Hasher:
        self.rest += data
        while len(self.rest) > self.GROUP:
            self.take(self.GROUP)
        return self

    def take(self, size: int) -> None:
        for found, more in zip(self.values, whole_chunks(self.rest[:size], self.count)):
            found.extend(more)
        self.rest, self.count = self.rest[size:], self.count + size // CHUNK

    def digest(self) -> bytes:
        """Ends the work."""
        ready = max(0, len(self.rest) - 1) // CHUNK * CHUNK
        if ready:
            self.take(ready)
        last = last_chunk(self.rest, self.count, 0 if self.count else ROOT)
        for found, word in zip(self.values, last):
            found.append(word)
        while len(self.values[0]) > 1:
            self.values = parents(self.values)
        return b"".join(word[0].to_bytes(4, "little") for word in self.values)


def parents(values: list[array]) -> list[array]:
    """Two values become one; an odd last one stays."""
    count = len(values[0])
    lanes = count // 2
    one = ones(lanes)
    block = [pack(word[start : 2 * lanes : 2]) for start in (0, 1) for word in values]
    flags = PARENT | (ROOT if count == 2 else 0)
    found = [unpack(word, lanes) for word in compress([word * one for word in IV], block, 0, BLOCK, flags, one)]
    if count % 2:
        for word, old in zip(found, values):
            word.append(old[-1])
    return found


def blake3(data: bytes) -> bytes:
    return Hasher().update(data).digest()
