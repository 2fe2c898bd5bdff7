"""Parts and claims: which game a part is about, and what several parts prove together."""

from __future__ import annotations

import re
from functools import lru_cache

from achieve import Mnk, Polyomino, Prevents, Wins
from chomp import Chomp
from container import Damaged, choice, header, number
from graph import Graph
from mancala import Mancala
from paving import Blocks, Loses, NoBetter, Paving
from plain import Game, Plain
from pyonpyon import Pyonpyon
from quarto import Quarto
from shogi import Shogi
from synthetic import Synthetic
from tree import ONE, Logic, Reader, Refused, Walk

import chomp, graph, mancala, pyonpyon, quarto, shogi, synthetic  # noqa: E401

GAMES = {
    "polyomino": (Polyomino.RULES, Polyomino),
    "mnk": (Mnk.RULES, Mnk),
    "paving": (Paving.RULES, Paving),
    "chomp": (chomp.RULES, Chomp),
    "quarto": (quarto.RULES, Quarto),
    "mancala": (mancala.RULES, Mancala),
    "pyonpyon": (pyonpyon.RULES, Pyonpyon),
    "shogi": (shogi.RULES, Shogi),
    "graph": (graph.RULES, Graph),
    "synthetic": (synthetic.RULES, Synthetic),
}


@lru_cache(8)
def question(rules: str, lines: tuple[tuple[str, str], ...], small: bool):
    name, _, version = rules.partition(" ")
    if name not in GAMES or version != str(GAMES[name][0]):
        raise Damaged(f"rules {rules[:40]!a} are not known")
    return GAMES[name][1](list(lines), small)


class Part:
    """A part with `claim verdict`: its header, and after `check` what the tree proves."""

    def __init__(self, data: bytes, small: bool = False):
        lines, self.tree = header(data)
        self.data, self.nodes, self.value = data, 0, None
        if lines[0] != ("claim", "verdict") or len(lines) < 3 or lines[1][0] != "rules":
            raise Damaged("a part begins with the lines claim verdict and rules")
        self.rules = lines[1][1]
        lines = lines[2:]
        self.length = number(lines.pop()[1]) if lines[-1][0] == "length" else None
        if not lines or lines[-1][0] != "verdict":
            raise Damaged("no line verdict where it must be")
        self.verdict = choice(lines.pop()[1], "proven", "disproven")
        self.excepted: bytes | None = None
        if lines and lines[-1][0] == "except":
            text = lines.pop()[1]
            if not re.match(r"([0-9a-f]{2})+\Z", text) or self.verdict == "proven":
                raise Damaged("except is a move in hexadecimal, and only for disproven")
            self.excepted = bytes.fromhex(text)
        self.lines = lines
        self.question = question(self.rules, tuple(lines), small)
        self.resting_on: str | None = None  # a database

    def logic(self) -> Logic:
        asked, proven = self.question, self.verdict == "proven"
        if isinstance(asked, Paving):
            if self.excepted is not None:
                raise Refused("a paving has no line except")
            return Loses(asked) if proven else Blocks(asked)
        if isinstance(asked, Game):
            return Plain(asked, proven, self.excepted)
        return (Wins if proven else Prevents)(asked, self.excepted)

    def check(self) -> None:
        logic = self.logic()
        if isinstance(self.question, Mancala):
            self.question.used_database = False
        walk = Walk(logic, Reader(self.data, self.tree))
        try:
            value = walk.run()
        finally:
            self.nodes = walk.nodes
        if isinstance(value, NoBetter):
            raise Refused("a leaf that needs another move")
        if isinstance(logic, Wins):
            value = value[2]
            if value > self.question.stones:
                raise Refused(f"{value} stones are needed")
        if self.length is not None:
            if not self.question.has_length or value is None:
                raise Refused("such a certificate has no length")
            if value > self.length:
                raise Refused(f"the longest line has {value}")
        if isinstance(self.question, Mancala) and self.question.used_database:
            self.resting_on = self.question.database

    def set(self, key: str, value: str) -> list[tuple[str, str]]:
        """The lines with another value for this key."""
        return [(name, value if name == key else old) for name, old in self.lines]

    def get(self, key: str) -> str | None:
        return dict(self.lines).get(key)

    def first_move(self) -> bytes:
        """The bytes of the move that the tree begins with."""
        reader = Reader(self.data, self.tree)
        if reader.byte() & 3 != ONE:
            raise Refused("the tree does not begin with ONE")
        start = reader.at
        if isinstance(self.question, Game):
            self.question.read_move(reader)
        else:
            reader.byte()
        return self.data[start : reader.at]


class PartRefused(Refused):
    """A refusal with its place."""


def checked(data: bytes, index: int) -> Part:
    """Reads and checks the part with this number, counted from 1."""
    part = None
    try:
        part = Part(data)
        part.check()
    except Damaged as damage:
        raise Damaged(f"part {index}: {damage}") from None
    except Refused as why:
        node = f", node {part.nodes}" if part and part.nodes else ""
        raise PartRefused(f"part {index}{node}: {why}") from None
    return part


def check_file(parts: list[bytes]) -> tuple[str, list[Part]]:
    """Checks all parts of a file; returns the claim in words, and the parts that prove it."""
    lines, tree = header(parts[0])
    if lines[0] == ("claim", "verdict"):
        if len(parts) > 1:
            raise Refused("more than one part")
        part = checked(parts[0], 1)
        if part.excepted is not None:
            raise Refused("the line except without claim only-move")
        return part.verdict, [part]
    if lines[0][0] != "claim":
        raise Damaged("the header does not begin with the line claim")
    if tree != len(parts[0]):
        raise Refused("the first part has a tree")
    proofs = [checked(data, index) for index, data in enumerate(parts[1:], 2)]
    if not 1 <= len(proofs) <= 2 or [part.verdict for part in proofs] != ["proven", "disproven"][: len(proofs)]:
        raise Refused("the parts are not one proven, then one disproven")
    if len({part.rules for part in proofs}) > 1:
        raise Refused("the parts have different rules")
    kind, _, key = lines[0][1].partition(" ")
    if kind == "least":
        if [name for name, _ in lines] != ["claim", "step"]:
            raise Damaged("claim least has the lines claim and step")
        return least(key, number(lines[1][1], 1, 2), proofs), proofs
    if lines == [("claim", "only-move")]:
        return only_move(proofs), proofs
    raise Damaged(f"a claim {lines[0][1][:40]!a} is not known")


def least(key: str, step: int, proofs: list[Part]) -> str:
    proven, asked = proofs[0], proofs[0].question
    if any(part.excepted is not None for part in proofs):
        raise Refused("the line except without claim only-move")
    if key == "within" and isinstance(asked, (Mancala, Pyonpyon, Quarto)) and not asked.ask.draw_is_proven:
        smallest = 1
    elif key == "within" and isinstance(asked, Shogi) and asked.mover_attacks:
        smallest = 1
    elif key == "stones" and isinstance(asked, Polyomino):
        smallest = min(asked.board.sizes)
    else:
        raise Refused(f"this game has no least {key[:40]!a}")
    if proven.get(key) == "any":
        raise Refused(f"no least value of {key}: it is any")
    n = number(proven.get(key) or "")
    if step == 2 and (key != "within" or n % 2 == 0):
        raise Refused("step 2 is for odd plies")
    if n > smallest:
        if len(proofs) < 2:
            raise Refused(f"nothing shows that {key} {n - step} is not enough")
        if proofs[1].lines != proven.set(key, str(n - step)):
            raise Refused(f"the second part is not the same question with {key} {n - step}")
    elif len(proofs) > 1:
        raise Refused(f"{key} {n} is the smallest value, and there is a second part")
    return f"{n} is the least {key}"


def only_move(proofs: list[Part]) -> str:
    if len(proofs) < 2 or proofs[0].excepted is not None:
        raise Refused("the parts are not one proven, then one disproven with except")
    proven, disproven = proofs
    move = proven.first_move()
    if disproven.excepted != move:
        raise Refused("the second part does not except the first move of the first part")
    if disproven.lines not in (proven.lines, proven.set("within", "any")):
        raise Refused("the parts are about different questions")
    return f"{move.hex()} is the only first move"
