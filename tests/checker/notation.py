"""How values are written. A value has one spelling, but for the order of options in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from container import Damaged
from values import Game, Number, Work, add, make, named, negative

DIGITS = 300  # of a number
DEEP = 400  # braces within each other
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:/[1-9][0-9]*)?"
# A value without braces. Numbers of ups and nim-heaps are left out if they are one.
PLAIN = re.compile(
    rf"(?:(?P<switch>±)(?P<of>{NUMBER})"
    rf"|(?:(?P<more>{NUMBER})\+)?(?P<tiny>tiny|miny)\((?P<y>{NUMBER})\)"
    rf"|(?P<x>{NUMBER})?(?:(?P<up>[v^])(?P<ups>[1-9][0-9]*)?)?(?P<star>\*(?P<heap>[1-9][0-9]*)?)?)"
)


def integer(text: str) -> int:
    if len(text) > DIGITS:
        raise Damaged(f"a number of more than {DIGITS} digits")
    return int(text)


def number(text: str) -> Number:
    """A number in lowest terms; the denominator is a power of two."""
    above, slash, below = text.partition("/")
    if text.startswith("-0"):
        raise Damaged("zero is 0, never -0")
    if not slash:
        return integer(above)
    x, scale = integer(above), integer(below)
    if scale < 2 or scale & scale - 1 or x % 2 == 0:
        raise Damaged(f"{text[:40]!a} is no number in lowest terms")
    return Fraction(x, scale)


def count(text: str | None) -> int:
    """A number of ups, or a nim-heap: at least 2, or left out."""
    if text is None:
        return 1
    if integer(text) < 2:
        raise Damaged("a number of ups or a nim-heap that should be left out")
    return int(text)


def switch(a: Game, b: Game) -> Game:
    return make([a], [b])


def tiny(m: Game, y: Game) -> Game:
    """{m | {m | m − y}}"""
    return make([m], [switch(m, add(m, negative(y)))])


def miny(m: Game, y: Game) -> Game:
    """{{m + y | m} | m}"""
    return make([switch(add(m, y), m)], [m])


def kind(game: Game) -> str:
    """The one way to write this game."""
    if game.x is not None:
        return "number" if game.is_number else "named"
    if len(game.left) == len(game.right) == 1:
        (left,), (right,) = game.left, game.right
        if left.is_number and right.is_number:
            return "switch" if left.x == -right.x else "braces"
        # {m | {m | m − y}} or {{m + y | m} | m}: games are unique, so it is enough to make it again.
        for m, inner, other in ((left, right, tiny), (right, left, miny)):
            if m.is_number and inner.x is None and len(inner.left) == len(inner.right) == 1:
                low, high = inner.right[0], inner.left[0]
                if low.is_number and high.is_number and other(m, named(high.x - low.x)) is game:
                    return "tiny"
    return "braces"


def plain(found: re.Match) -> Game:
    """A value without braces."""
    if found["switch"]:
        x = number(found["of"])
        if x <= 0:
            raise Damaged("± of a number that is not positive")
        return switch(named(x), named(-x))
    if found["tiny"]:
        y, m = number(found["y"]), number(found["more"]) if found["more"] else 0
        if y <= 0 or found["more"] and not m:
            raise Damaged(f"a needless or wrong number in {found[0][:40]!a}")
        return (tiny if found["tiny"] == "tiny" else miny)(named(m), named(y))
    x = number(found["x"]) if found["x"] else 0
    ups = count(found["ups"]) * (1 if found["up"] == "^" else -1) if found["up"] else 0
    star = count(found["heap"]) if found["star"] else 0
    if found["x"] and not x and (ups or star):
        raise Damaged("a needless 0")
    return named(x, ups, star)


def parse(text: str) -> Game:
    """The game of a value; refuses every other spelling."""
    game, at = value(text, 0, 0)
    if at < len(text):
        raise Damaged(f"more after the value: {text[at:at + 40]!a}")
    return game


def value(text: str, at: int, depth: int) -> tuple[Game, int]:
    """The value that begins here, and where it ends."""
    Work.spend()
    if text[at : at + 1] != "{":
        found = PLAIN.match(text, at)
        if found.end() == at:
            raise Damaged(f"no value at {text[at:at + 40]!a}")
        return plain(found), found.end()
    if depth == DEEP:
        raise Damaged(f"more than {DEEP} braces within each other")
    left, at = side(text, at + 1, depth + 1, "|")
    right, at = side(text, at, depth + 1, "}")
    return braces(left, right), at


def side(text: str, at: int, depth: int, end: str) -> tuple[list[Game], int]:
    """The options up to this sign, and where it ends."""
    options: list[Game] = []
    if text[at : at + 1] == end:
        return options, at + 1
    while True:
        game, at = value(text, at, depth)
        options.append(game)
        at += 1
        if text[at - 1 : at] == end:
            return options, at
        if text[at - 1 : at] != ",":
            raise Damaged(f"a wrong sign at {text[at - 1:at + 40]!a}")


def braces(left: list[Game], right: list[Game]) -> Game:
    """The game with these options, which must be those of its canonical form."""
    game = make(left, right)
    canonical = len(left) == len(game.left) and len(right) == len(game.right)
    if not canonical or set(left) != set(game.left) or set(right) != set(game.right) or kind(game) != "braces":
        raise Damaged("braces around a game that has another canonical form or spelling")
    return game


def signs(game: Game) -> Iterator[str]:
    """The spelling of a value piece by piece, with the options in any order."""
    way = kind(game)
    if way in ("number", "named"):
        yield str(game.x) if game.x or way == "number" else ""
        if game.ups:
            yield "^v"[game.ups < 0] + (str(abs(game.ups)) if abs(game.ups) > 1 else "")
        if game.star:
            yield "*" + (str(game.star) if game.star > 1 else "")
    elif way == "switch":
        yield f"±{game.left[0].x}"
    elif way == "tiny":
        left, right = game.left[0], game.right[0]
        m, inner, name = (left, right, "tiny") if left.is_number else (right, left, "miny")
        yield (f"{m.x}+" if m.x else "") + f"{name}({inner.left[0].x - inner.right[0].x})"
    else:
        for start, options in (("{", game.left), ("|", game.right)):
            yield start
            for i, option in enumerate(options):
                yield "," if i else ""
                yield from signs(option)
        yield "}"


def spell(game: Game, most: int | None = None) -> str:
    """A spelling of the value, or its first pieces: written out, a game can be much longer than it is as an object."""
    return "".join(islice(signs(game), most))
