"""The bytes of a tree, and the walk through it. No recursion: a hostile tree may be as deep as it is long."""

from __future__ import annotations

from math import inf
from typing import Any

LEAF, ONE, ALL, SAME = range(4)
YIELD = 8


class Refused(Exception):
    """The certificate does not prove what it claims."""


class Reader:
    """Reads bytes and numbers one after the other, and refuses to read past the end."""

    def __init__(self, data: bytes, at: int = 0):
        self.data, self.at, self.end = data, at, len(data)

    def byte(self) -> int:
        if self.at >= self.end:
            raise Refused("the bytes end in the middle of the tree")
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, count: int) -> bytes:
        if count > self.end - self.at:
            raise Refused("the bytes end in the middle of the tree")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self) -> int:
        """An unsigned LEB128 in its shortest form, at most 64 bits."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
            if shift > 63:
                raise Refused("a number of more than 64 bits")
        if value >> 64:
            raise Refused("a number of more than 64 bits")
        if byte == 0 and shift:
            raise Refused("a number that is not in its shortest form")
        return value


class Logic:
    """What the nodes of one kind of certificate mean. The walk below calls these methods.

    A *value* is what is known about a node once it is closed: the longest line, or a zone.
    """

    banned: Any = None  # the move that may not be the first
    cycles = False  # may SAME refer to an open node?

    def root(self) -> Any:
        raise NotImplementedError

    def leaf(self, state: Any, rule: int, reader: Reader) -> Any:
        """Reads the data of the rule, checks it, and returns the value."""
        raise NotImplementedError

    def one(self, state: Any, reader: Reader) -> tuple[Any, Any]:
        """Reads the move; returns it and the state after it."""
        raise NotImplementedError

    def close_one(self, state: Any, move: Any, value: Any) -> Any:
        raise NotImplementedError

    def open_all(self, state: Any) -> None:
        """Checks that the state may be an ALL."""
        raise NotImplementedError

    def next(self, state: Any, moves: list, reader: Reader, root: bool) -> tuple[Any, Any]:
        """Reads one more move of an ALL; returns it and the state after it. `moves` are those before."""
        raise NotImplementedError

    def close_all(self, state: Any, moves: list, values: list, reader: Reader, root: bool) -> Any:
        """All moves and their nodes have been read: reads the closing data, and checks that this is enough."""
        raise NotImplementedError

    def exchanged(self, state: Any, reader: Reader) -> Any:
        """Reads the rank of a yield; returns the state with this rank. Only some games have ranks."""
        raise Refused("a yield in a game without ranks")

    def may_keep(self, kind: int) -> bool:
        return True

    def same(self, state: Any, kept: Any, value: Any, reader: Reader) -> Any:
        """Reads the symmetry, checks that it takes `kept` to `state`, and returns the value turned."""
        raise NotImplementedError


class Frame:
    """An open ONE or ALL on the path from the root."""

    __slots__ = ("kind", "state", "moves", "values", "left", "number")

    def __init__(self, kind: int, state: Any, left: int, number: int | None):
        self.kind, self.state, self.left, self.number = kind, state, left, number
        self.moves: list = []
        self.values: list = []


OPEN = object()


class Walk:
    """Goes through a tree once. `nodes` is how many nodes have been read, also after a refusal."""

    def __init__(self, logic: Logic, reader: Reader):
        self.logic, self.reader = logic, reader
        self.nodes = 0
        self.given = 0  # how many numbers have been given to kept nodes
        self.lacking: int | None = None  # the number of the root, if it lacks a move
        self.kept: dict[int, tuple[Any, Any]] = {}  # number: state and value

    def run(self) -> Any:
        """Returns the value of the root."""
        logic, reader = self.logic, self.reader
        path: list[Frame] = []
        state = logic.root()
        while True:
            tag = reader.byte()
            self.nodes += 1
            if tag == YIELD:
                # The node that follows takes the place of this one, with its length and all.
                state = logic.exchanged(state, reader)
                tag = reader.byte()
            if tag > 7:  # also a second yield
                raise Refused(f"a tag {tag}")
            kind, flag = tag & 3, tag & 4
            if kind == LEAF:
                if flag:
                    raise Refused("a leaf with a flag")
                value = logic.leaf(state, reader.byte(), reader)
            elif kind == SAME:
                value = self.refer(state, bool(flag))
            else:
                number = None
                if flag:
                    if not logic.may_keep(kind):
                        raise Refused("this kind of node is never kept")
                    number, self.given = self.given, self.given + 1
                    self.kept[number] = state, OPEN
                    if not path and logic.banned is not None:
                        self.lacking = number
                if kind == ALL:
                    logic.open_all(state)
                path.append(Frame(kind, state, 1 if kind == ONE else reader.number(), number))
                value = OPEN
            # Close what is complete, then go down to the next node.
            while path:
                frame = path[-1]
                if value is not OPEN:
                    frame.values.append(value)
                if frame.left:
                    frame.left -= 1
                    if frame.kind == ONE:
                        move, state = logic.one(frame.state, reader)
                    else:
                        move, state = logic.next(frame.state, frame.moves, reader, len(path) == 1)
                    frame.moves.append(move)
                    break
                path.pop()
                if frame.kind == ONE:
                    value = logic.close_one(frame.state, frame.moves[0], frame.values[0])
                else:
                    value = logic.close_all(frame.state, frame.moves, frame.values, reader, not path)
                if frame.number is not None and frame.number in self.kept:
                    self.kept[frame.number] = frame.state, value
            else:
                if reader.at != reader.end:
                    raise Refused("bytes after the tree")
                return value

    def refer(self, state: Any, last: bool) -> Any:
        back = self.reader.number()
        number = self.given - back
        if number not in self.kept:  # which no back of 0 gives
            raise Refused("a reference to a node that is not kept")
        kept, value = self.kept[number]
        if value is OPEN:
            if not self.logic.cycles:
                raise Refused("a reference to a node that is not closed")
            if number == self.lacking:
                raise Refused("a reference to the root, which lacks a move and so is like no other state")
            value = inf  # this line never ends, so it has no length
        if last:
            del self.kept[number]
        return self.logic.same(state, kept, value, self.reader)
