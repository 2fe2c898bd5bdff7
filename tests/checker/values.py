"""Combinatorial games in canonical form: order, negative, sum. Equal games are one object.

Three kinds of games: numbers; *named* games, which are x + n·↑ + *s with a number x; and all others, by their options.
Numbers and named games are never written out, so large ones cost nothing. Everything else is the definitions, with
three theorems to be fast: the simplest number, number avoidance and number translation (Siegel, chapter II).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from container import Damaged

Number = int | Fraction  # a whole number is always an int
Ray = tuple[Number, int]

CACHE = 1 << 20  # entries of a table before it is emptied
WORK = 2_000_000  # steps of arithmetic for one file, and two more for each of its bytes
WALK = 60_000_000  # steps on boards for one file
GAMES = 2_000_000  # games at a time: about 1 GiB


class Work:
    """What a file may cost, so that a hostile one ends."""

    left, walk_left = WORK, WALK

    @classmethod
    def begin(cls, work: int = WORK) -> None:
        """A new file: the games of the last one are forgotten, but for 0."""
        cls.left, cls.walk_left = work, WALK
        for table in (_named, _others, _order, _sums):
            table.clear()
        _named[0, 0, 0] = ZERO

    @classmethod
    def spend(cls, steps: int = 1) -> None:
        cls.left -= steps
        if cls.left < 0 or len(_named) + len(_others) > GAMES:
            raise Damaged("the values are too large for this checker")

    @classmethod
    def walk(cls, steps: int = 1) -> None:
        cls.walk_left -= steps
        if cls.walk_left < 0:
            raise Damaged("the boards are too large for this checker")


class Game:
    """A canonical form. Only the functions below make games.

    The rays say how the game compares with numbers y, read as pairs (y, 0):
    G ≤ y exactly if (y, 0) ≥ le.      G ⧏ y (not G ≥ y) exactly if (y, 0) ≥ lf.
    y ≤ G exactly if (y, 0) ≤ ge.      y ⧏ G (not y ≥ G) exactly if (y, 0) ≤ gf.
    So (a, 1) is the ray above a without a, (a, −1) the ray below a without a.
    """

    __slots__ = ("x", "ups", "star", "options", "le", "lf", "ge", "gf", "opposite")

    x: Number | None  # of a number or a named game
    ups: int
    star: int
    options: tuple[tuple[Game, ...], tuple[Game, ...]] | None
    opposite: Game | None

    @property
    def is_number(self) -> bool:
        return self.x is not None and not self.ups and not self.star

    @property
    def left(self) -> tuple[Game, ...]:
        return (self.options or write_out(self))[0]

    @property
    def right(self) -> tuple[Game, ...]:
        return (self.options or write_out(self))[1]


def whole(x: Number) -> Number:
    return x.numerator if x.denominator == 1 else x


_named: dict[tuple[Number, int, int], Game] = {}
_others: dict[tuple[frozenset[Game], frozenset[Game]], Game] = {}


def named(x: Number, ups: int = 0, star: int = 0) -> Game:
    """x + ups·↑ + *star; ups may be negative."""
    x = whole(x)
    game = _named.get((x, ups, star))
    if game is None:
        Work.spend()
        game = _named[x, ups, star] = Game()
        game.x, game.ups, game.star, game.options, game.opposite = x, ups, star, None, None
        sign = side_of(ups, star)
        positive, negative = sign == 1, sign == -1
        above, below, at = (x, 1), (x, -1), (x, 0)
        if not ups and not star:
            game.le, game.lf, game.ge, game.gf = at, above, at, below
        else:
            game.le, game.lf = at if negative else above, above if positive else at
            game.ge, game.gf = at if positive else below, below if negative else at
    return game


def side_of(ups: int, star: int) -> int | None:
    """How ups·↑ + *star compares with 0: 1 more, -1 less, 0 equal, None confused."""
    if not ups:
        return None if star else 0
    if abs(ups) == 1 and star == 1:
        return None
    return 1 if ups > 0 else -1


ZERO = named(0)


def write_out(game: Game) -> tuple[tuple[Game, ...], tuple[Game, ...]]:
    """The options of a number or a named game, as the page gives them."""
    x, ups, star = game.x, game.ups, game.star
    left: Iterable[Game]
    right: Iterable[Game]
    if game.is_number:
        if x.denominator > 1:
            step = Fraction(1, x.denominator)
            left, right = (named(x - step),), (named(x + step),)
        else:
            left = (named(x - 1),) if x > 0 else ()
            right = (named(x + 1),) if x < 0 else ()
    elif not ups:
        Work.spend(2 * star)
        left = right = tuple(named(x, 0, i) for i in range(star))
    elif abs(ups) == 1 and star == 1:
        left, right = (named(x), named(x, 0, 1)), (named(x),)
        if ups < 0:
            left, right = right, left
    elif ups > 0:
        left, right = (named(x),), (named(x, ups - 1, star ^ 1),)
    else:
        left, right = (named(x, ups + 1, star ^ 1),), (named(x),)
    game.options = tuple(left), tuple(right)
    return game.options


def intern(left: frozenset[Game], right: frozenset[Game]) -> Game:
    """The game with these options, which are those of its canonical form; it is no number."""
    game = _others.get((left, right)) or known_name(left, right)
    if game is None:
        Work.spend(len(left) + len(right))
        game = _others[left, right] = Game()
        game.x, game.ups, game.star, game.opposite = None, 0, 0, None
        game.options = tuple(left), tuple(right)
        game.le, game.ge = max(one.lf for one in left), min(one.gf for one in right)
        game.lf, game.gf = min(one.le for one in right), max(one.ge for one in left)
    return game


def known_name(left: frozenset[Game], right: frozenset[Game]) -> Game | None:
    """The named game with these options, if there is one."""
    if any(one.x is None for one in left | right):
        return None
    x = max(one.x for one in left)
    star = len(left)
    if left == right:
        found = named(x, 0, star)
    elif len(left) == 1 and len(right) == 1:
        one, other = next(iter(left)), next(iter(right))
        # {x | x^(n-1)*(s xor 1)}, or its mirror image.
        found = named(x, other.ups + 1, other.star ^ 1) if one.is_number else named(x, one.ups - 1, one.star ^ 1)
    elif {len(left), len(right)} == {1, 2}:
        found = named(x, 1 if len(left) == 2 else -1, 1)
    else:
        return None
    return found if (set(found.left), set(found.right)) == (left, right) else None


_order: dict[tuple[Game, Game], bool] = {}


def at_least(g: Game, h: Game) -> bool:
    """G ≥ H."""
    if g is h:
        return True
    if g.x is not None and h.x is not None:
        if g.x != h.x:
            return g.x > h.x
        return side_of(g.ups - h.ups, g.star ^ h.star) in (0, 1)
    if h.is_number:
        return (h.x, 0) <= g.ge
    if g.is_number:
        return (g.x, 0) >= h.le
    # If G ≥ H, then every number that is below H in some sense is below G in that sense, and so on.
    if g.ge < h.ge or g.gf < h.gf or g.le < h.le or g.lf < h.lf:
        return False
    # A number between them.
    if h.le <= (h.le[0], 0) <= g.ge or h.le[0] < g.ge[0]:
        return True
    found = _order.get((g, h))
    if found is None:
        Work.spend()
        found = not any(at_least(h, r) for r in g.right) and not any(at_least(l, g) for l in h.left)
        if len(_order) >= CACHE:
            _order.clear()
        _order[g, h] = found
    return found


def simplest(low: Ray | None, high: Ray | None) -> Number | None:
    """The simplest number in both rays, if there is any."""

    def fits(y: Number) -> bool:
        return (low is None or (y, 0) >= low) and (high is None or (y, 0) <= high)

    if low is not None and high is not None and not (low[0] < high[0] or low[0] == high[0] and low[1] == high[1] == 0):
        return None
    if fits(0):
        return 0
    if low is not None and low > (0, 0):
        start, up = low, 1
    else:
        start, up = (-high[0], -high[1]), -1  # look at the mirror image
    scale = 1
    while True:
        Work.spend()
        m = -(-start[0] * scale // 1)  # rounded up
        if (m, 0) < (start[0] * scale, start[1]):
            m += 1
        y = whole(Fraction(up * m, scale))
        if fits(y):
            return y
        scale *= 2


class Raw:
    """{L | R} that is no number, while it is made canonical. Compares itself with canonical games."""

    def __init__(self, left: set[Game], right: set[Game], le: Ray, ge: Ray):
        self.left, self.right, self.le, self.ge = left, right, le, ge
        self.lf, self.gf = min(one.le for one in right), max(one.ge for one in left)
        self.above: dict[Game, bool] = {}
        self.below: dict[Game, bool] = {}

    def is_at_least(self, y: Game) -> bool:
        if y.is_number:
            return (y.x, 0) <= self.ge
        if self.ge < y.ge or self.gf < y.gf or self.le < y.le or self.lf < y.lf:
            return False
        if y not in self.above:
            Work.spend()
            holds = not any(at_least(y, r) for r in self.right) and not any(self.is_at_most(l) for l in y.left)
            self.above[y] = holds
        return self.above[y]

    def is_at_most(self, y: Game) -> bool:
        if y.is_number:
            return (y.x, 0) >= self.le
        if y.ge < self.ge or y.gf < self.gf or y.le < self.le or y.lf < self.lf:
            return False
        if y not in self.below:
            Work.spend()
            holds = not any(at_least(l, y) for l in self.left) and not any(self.is_at_least(r) for r in y.right)
            self.below[y] = holds
        return self.below[y]

    def reduce(self) -> None:
        """Replaces reversible options, and deletes dominated ones, until none is left."""
        waiting, done = undominated(self.left, at_least), set()
        while waiting:
            option = waiting.pop()
            through = next((r for r in option.right if self.is_at_least(r)), None)
            if through is None:
                done.add(option)
            else:
                waiting |= set(through.left) - done
        self.left = undominated(done, at_least)
        waiting, done = undominated(self.right, at_most), set()
        while waiting:
            option = waiting.pop()
            through = next((l for l in option.left if self.is_at_most(l)), None)
            if through is None:
                done.add(option)
            else:
                waiting |= set(through.right) - done
        self.right = undominated(done, at_most)


def at_most(g: Game, h: Game) -> bool:
    return at_least(h, g)


def undominated(options: Iterable[Game], better) -> set[Game]:
    best: list[Game] = []
    for option in options:
        Work.spend(1 + len(best) // 16)
        if not any(better(one, option) for one in best):
            best = [one for one in best if not better(option, one)]
            best.append(option)
    return set(best)


def make(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """The canonical form of {left | right}."""
    left, right = set(left), set(right)
    low = max((one.lf for one in left), default=None)
    high = min((one.gf for one in right), default=None)
    y = simplest(low, high)
    if y is not None:
        return named(y)
    key = frozenset(left), frozenset(right)
    if key in _others:
        return _others[key]
    raw = Raw(left, right, low, high)
    raw.reduce()
    return intern(frozenset(raw.left), frozenset(raw.right))


def negative(g: Game) -> Game:
    if g.x is not None:
        return named(-g.x, -g.ups, g.star)
    if g.opposite is None:
        g.opposite = intern(frozenset(map(negative, g.right)), frozenset(map(negative, g.left)))
        g.opposite.opposite = g
    return g.opposite


_sums: dict[tuple[Game, Game], Game] = {}


def add(g: Game, h: Game) -> Game:
    if g.x is not None and h.x is not None:
        return named(g.x + h.x, g.ups + h.ups, g.star ^ h.star)
    if g is ZERO or h is ZERO:
        return h if g is ZERO else g
    if id(g) > id(h):
        g, h = h, g
    found = _sums.get((g, h))
    if found is None:
        Work.spend()
        if g.is_number or h.is_number:
            x, hot = (g, h) if g.is_number else (h, g)
            found = intern(frozenset(add(x, l) for l in hot.left), frozenset(add(x, r) for r in hot.right))
        else:
            found = make(
                [add(l, h) for l in g.left] + [add(g, l) for l in h.left],
                [add(r, h) for r in g.right] + [add(g, r) for r in h.right],
            )
        if len(_sums) >= CACHE:
            _sums.clear()
        _sums[g, h] = found
    return found


def total(games: Iterable[Game]) -> Game:
    found = ZERO
    for game in games:
        found = add(found, game)
    return found


def times(count: int, g: Game) -> Game:
    """The sum of so many copies, or of their negatives."""
    if g.x is not None:
        return named(g.x * count, g.ups * count, g.star if count & 1 else 0)
    if count < 0:
        count, g = -count, negative(g)
    found = ZERO
    while count:
        if count & 1:
            found = add(found, g)
        count >>= 1
        if count:
            g = add(g, g)
    return found
