"""Expressions: sums, negatives, multiples and braces, evaluated by the definitions."""

from __future__ import annotations

import re
from fractions import Fraction

from container import Damaged
from notation import integer, miny, switch, tiny
from values import ZERO, Game, add, make, named, negative, times

DEEP = 200  # braces, parentheses and prefixes within each other
DIGITS = "[0-9]+"  # as somebody typed them: needless zeros are no fault
ATOM = re.compile(
    rf"(?P<number>-?{DIGITS}(?:/(?P<scale>{DIGITS}))?)?(?:(?P<up>[v^])(?P<ups>{DIGITS})|(?P<many>\^+|v+))?"
    rf"(?P<star>\*(?P<heap>{DIGITS})?)?"
)
SPACES = re.compile(" *")
BARS = re.compile(r"\|+")
OPEN, CLOSE = "({", ")}"


class Expression:
    def __init__(self, text: str):
        self.text = text
        self.partner = self.brackets()

    def brackets(self) -> dict[int, int]:
        """Where each bracket is closed."""
        partner, waiting = {}, []
        for at, sign in enumerate(self.text):
            if sign in OPEN:
                waiting.append(at)
            elif sign in CLOSE:
                if not waiting or OPEN.index(self.text[waiting[-1]]) != CLOSE.index(sign):
                    raise Damaged("brackets that do not fit")
                partner[waiting.pop()] = at
        if waiting:
            raise Damaged("a bracket that is not closed")
        return partner

    def value(self) -> Game:
        return self.group(0, len(self.text), 0, False)

    def outside(self, start: int, end: int, signs: str):
        """Runs of `|`, or single signs, that are not inside inner brackets: where they begin and end."""
        at = start
        while at < end:
            sign = self.text[at]
            if sign in OPEN:
                at = self.partner[at]
            elif sign in signs:
                stop = BARS.match(self.text, at, end).end() if sign == "|" else at + 1
                yield at, stop
                at = stop - 1
            at += 1

    def group(self, start: int, end: int, depth: int, barred: bool) -> Game:
        """With bars a game by its options, without bars a sum."""
        bars = list(self.outside(start, end, "|"))
        if not bars:
            if barred:
                raise Damaged("braces without a bar")
            return self.sum(start, end, depth)
        longest = max(stop - at for at, stop in bars)
        outermost = [bar for bar in bars if bar[1] - bar[0] == longest]
        if len(outermost) > 1:
            raise Damaged("two outermost bars")
        ((at, stop),) = outermost
        return make(self.side(start, at, depth, len(bars)), self.side(stop, end, depth, len(bars)))

    def side(self, start: int, end: int, depth: int, bars: int) -> list[Game]:
        if bars > 1 and any(True for _ in self.outside(start, end, "|")):
            return [self.group(start, end, depth, False)]
        if not self.text[start:end].strip(" "):
            return []
        return self.list(start, end, depth)

    def list(self, start: int, end: int, depth: int) -> list[Game]:
        commas = [at for at, _ in self.outside(start, end, ",")]
        return [self.sum(a, b, depth) for a, b in zip([start, *(at + 1 for at in commas)], [*commas, end])]

    def skip(self, at: int, end: int) -> int:
        return SPACES.match(self.text, at, end).end()

    def sum(self, start: int, end: int, depth: int) -> Game:
        found, at = self.term(start, end, depth)
        while at < end:
            sign = self.text[at]
            if sign not in "+-":
                raise Damaged(f"a wrong sign at {self.text[at:at + 40]!a}")
            game, at = self.term(at + 1, end, depth)
            found = add(found, game if sign == "+" else negative(game))
        return found

    def term(self, at: int, end: int, depth: int) -> tuple[Game, int]:
        """The term that begins here, and where the next token begins."""
        if depth > DEEP:
            raise Damaged(f"more than {DEEP} brackets and prefixes within each other")
        text, at = self.text, self.skip(at, end)
        sign, after = text[at : min(at + 1, end)], text[at + 1 : min(at + 2, end)]
        if sign and sign in OPEN:
            game, at = self.group(at + 1, self.partner[at], depth + 1, sign == "{"), self.partner[at] + 1
        elif sign == "-" and not ("0" <= after <= "9"):
            game, at = self.term(at + 1, end, depth + 1)
            game = negative(game)
        elif sign == "±":
            game, at = self.plus_minus(at + 1, end, depth + 1)
        elif text.startswith(("tiny", "miny"), at, end):
            make_it, at = tiny if sign == "t" else miny, self.skip(at + 4, end)
            if at >= end or text[at] != "(":
                raise Damaged("no parentheses after tiny or miny")
            game = make_it(ZERO, self.group(at + 1, self.partner[at], depth + 1, False))
            at = self.partner[at] + 1
        else:
            return self.atom(at, end, depth)
        return game, self.skip(at, end)

    def plus_minus(self, at: int, end: int, depth: int) -> tuple[Game, int]:
        inside = self.skip(at, end)
        if inside < end and self.text[inside] == "(":
            close = self.partner[inside]
            if any(True for _ in self.outside(inside + 1, close, ",")) and not any(
                True for _ in self.outside(inside + 1, close, "|")
            ):
                games = self.list(inside + 1, close, depth)
                return make(games, map(negative, games)), close + 1
        game, at = self.term(at, end, depth)
        return switch(game, negative(game)), at

    def atom(self, at: int, end: int, depth: int) -> tuple[Game, int]:
        found = ATOM.match(self.text, at, end)
        if found.end() == at:
            raise Damaged(f"no term at {self.text[at:at + 40]!a}")
        whole = found["number"] == found[0] and not found["scale"]
        x, at = self.number(found), self.skip(found.end(), end)
        if whole and at < end and self.text[at] == ".":
            if "0" <= self.text[at + 1 : at + 2] <= "9":
                raise Damaged("a decimal point")
            game, at = self.term(at + 1, end, depth + 1)
            return times(x, game), at
        ups = len(found["many"]) if found["many"] else integer(found["ups"]) if found["up"] else 0
        if "v" in (found["up"], (found["many"] or " ")[0]):
            ups = -ups
        star = integer(found["heap"] or "1") if found["star"] else 0
        return named(x, ups, star), at

    @staticmethod
    def number(found: re.Match) -> int | Fraction:
        above, slash, below = (found["number"] or "0").partition("/")
        scale = integer(below) if slash else 1
        if not scale or scale & scale - 1:
            raise Damaged("a denominator that is no power of two")
        x = Fraction(integer(above), scale)
        return x.numerator if x.denominator == 1 else x


def evaluate(text: str) -> Game:
    return Expression(text).value()
