//! The features of a move: what it does near the defender's king.

use crate::attack::Layers;
use crate::hand::Hand;
use crate::kind::Kind;
use crate::lines::{between, offset};
use crate::moves::{Move, Origin};
use crate::position::Position;
use crate::side::Side;
use crate::square::{BOARD, Square, Squares};
use crate::steps::{attacks, ring};

/// How many tables there are for a move.
pub const TABLES: usize = 11;
/// The features of one move, one of each table.
pub type Found = [u16; TABLES];

/// The sizes of the tables: piece and place, cover, flight squares, hand, place of the king, pieces
/// near it, distance or kinds of checks, kinds in hand; and of the squares around the king, those
/// that are free for it, covered by the attacker, and occupied by the defender.
const SIZES: [usize; TABLES] = [32 * 32, 128, 162, 60, 45, 64, 64, 288, 256, 256, 256];
const ONE_SIDE: usize = {
    let (mut sum, mut at) = (0, 0);
    while at < TABLES {
        sum += SIZES[at];
        at += 1;
    }
    sum
};
/// All features: those of checks, then those of replies.
pub const FEATURES: usize = 2 * ONE_SIDE;

const STARTS: [u16; TABLES] = {
    let mut starts = [0; TABLES];
    let mut at = 1;
    while at < TABLES {
        starts[at] = starts[at - 1] + SIZES[at - 1] as u16;
        at += 1;
    }
    starts
};

/// The 25 squares around each square.
static NEAR: [Squares; 81] = {
    let mut near = [0; 81];
    let mut square = 0;
    while square < 81 {
        let (mut files, mut ranks) = (-2, -2);
        while ranks <= 2 {
            near[square] |= offset(square, files, ranks);
            files += 1;
            if files > 2 {
                (files, ranks) = (-2, ranks + 1);
            }
        }
        square += 1;
    }
    near
};

/// The checks of a position, counted.
pub(crate) struct Survey {
    all: u16,
    /// Checks after which the defender cannot simply take the piece, by drops and by moves.
    drops: u16,
    moves: u16,
    /// Where the defender can take, by pieces other than the king.
    guarded: Squares,
    /// The squares around the king that the attacker covers.
    covered: Squares,
    /// Where the king can take a dropped piece.
    by_king: Squares,
}

impl Survey {
    pub(crate) fn new(layers: &Layers, attacker: Side, king: Square) -> Self {
        let zone = NEAR[king.number()];
        let others = Layers { rings: layers.rings & !king.bit(), ..*layers };
        let guarded = others.danger(attacker.other(), zone, layers.occupied);
        let around = ring(king);
        let covered = covered(layers, attacker, king);
        let by_king = around & !covered;
        Self { all: 0, drops: 0, moves: 0, guarded, covered, by_king }
    }

    pub(crate) fn add(&mut self, check: Move) {
        let to = check.to().bit();
        self.all += 1;
        if check.is_drop() {
            self.drops += u16::from((self.guarded | self.by_king) & to == 0);
        } else {
            self.moves += u16::from(self.guarded & to == 0);
        }
    }
}

/// The squares around the king that the attacker covers, also through the king.
fn covered(layers: &Layers, attacker: Side, king: Square) -> Squares {
    layers.danger(attacker, ring(king), layers.occupied & !king.bit())
}

/// The squares of [`AROUND`] with left and right exchanged.
const MIRRORED: [usize; 8] = [2, 1, 0, 4, 3, 7, 6, 5];

/// The squares around each square from the right to the left of the attacker, far rank first, seen
/// from Black's side, on the right half of the board; 0 beyond the edge.
static AROUND: [[Squares; 8]; 81] = {
    let steps = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut around = [[0; 8]; 81];
    let mut square = 0;
    while square < 81 {
        let mut at = 0;
        while at < 8 {
            around[square][at] = offset(square, steps[at].0, steps[at].1);
            at += 1;
        }
        square += 1;
    }
    around
};

/// What the moves of one position have in common.
pub(crate) struct Scene<'a> {
    position: &'a Position,
    layers: &'a Layers,
    attacker: Side,
    king: Square,
    /// Where the king could go.
    flights: Squares,
    /// The tables that all moves share: pieces near the king, covered and occupied squares.
    near: u16,
    covered: u16,
    shielded: u16,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        position: &'a Position,
        layers: &'a Layers,
        attacker: Side,
        king: Square,
        covered: Squares,
    ) -> Self {
        let zone = NEAR[king.number()];
        let pieces = |side: Side| (layers.sides[side.index()] & zone).count_ones().min(7) as u16;
        let near = pieces(attacker) * 8 + pieces(attacker.other());
        let around = ring(king);
        let shield = around & layers.sides[attacker.other().index()];
        let flights = around & !shield & !covered;
        let mut scene =
            Self { position, layers, attacker, king, flights, near, covered: 0, shielded: 0 };
        scene.covered = scene.pattern(covered);
        scene.shielded = scene.pattern(shield);
        scene
    }

    /// Before a move of the attacker.
    pub(crate) fn of_checks(
        position: &'a Position,
        layers: &'a Layers,
        attacker: Side,
        king: Square,
    ) -> Self {
        Self::new(position, layers, attacker, king, covered(layers, attacker, king))
    }

    /// After a reply; `survey` is of the checks that follow.
    pub(crate) fn of_reply(
        position: &'a Position,
        layers: &'a Layers,
        attacker: Side,
        king: Square,
        survey: &Survey,
    ) -> Self {
        Self::new(position, layers, attacker, king, survey.covered)
    }

    /// Which of the squares around the king are in a set, as the attacker sees them, the king on the
    /// right half of the board.
    fn pattern(&self, set: Squares) -> u16 {
        let mirrored = (self.king.file() > 4) != (self.attacker == Side::White);
        let around = &AROUND[self.king.number()];
        let mut pattern = 0;
        for (at, &square) in around.iter().enumerate() {
            // Turning the board by half exchanges the squares from both ends.
            let at = if self.attacker == Side::White { 7 - at } else { at };
            let at = if mirrored { MIRRORED[at] } else { at };
            pattern |= u16::from(set & square != 0) << at;
        }
        pattern
    }

    /// The features of a check of this position.
    pub(crate) fn check(&self, mv: Move) -> Found {
        let (us, to) = (self.attacker, mv.to());
        let (kind, drop) = match mv.origin() {
            Origin::Hand(kind) => (kind, 1),
            Origin::Board(from) => {
                let kind = self.position.kind_on(from);
                (if mv.promotes() { kind.promoted() } else { kind }, 0)
            }
        };
        let taken = taken(self.position, to);
        let counts = self.layers.cover(to);
        let mine = (counts[us.index()] + drop).min(3) as u16;
        let theirs = counts[us.other().index()].min(3) as u16;
        let adjacent = ring(self.king) & to.bit() != 0;
        let blocked = (self.layers.occupied & !self.king.bit()) | to.bit();
        let reached = attacks(us, kind, to, blocked);
        let free = self.flights & !to.bit() & !reached;
        let after = free.count_ones() as u16;
        let hand = match mv.origin() {
            Origin::Hand(kind) => self.position.hand(us).minus(kind),
            Origin::Board(_) if taken != 0 => {
                self.position.hand(us).plus(self.position.kind_on(to))
            }
            Origin::Board(_) => self.position.hand(us),
        };
        let gap = between(self.king, to).count_ones().min(7) as u16;
        let held = self.position.hand(us.other());
        let kinds = Kind::HELD.iter().filter(|&&kind| held.has(kind)).count() as u16;
        let before = self.flights.count_ones() as u16;
        placed(
            0,
            [
                (kind.number() as u16 + 16 * drop as u16) * 32 + self.place(to),
                ((mine * 4 + theirs) * 4 + taken) * 2 + u16::from(adjacent),
                (before * 9 + after) * 2 + u16::from(adjacent && mine <= 1),
                self::held(hand),
                self.corner(),
                self.near,
                gap * 8 + kinds,
                kinds_held(hand),
                self.pattern(free),
                self.covered,
                self.shielded,
            ],
        )
    }

    /// The features of this position after a reply; `survey` is of its checks.
    pub(crate) fn reply(&self, before: &Position, mv: Move, survey: &Survey) -> Found {
        let (us, to) = (self.attacker.other(), mv.to());
        let (kind, drop) = match mv.origin() {
            Origin::Hand(kind) => (kind, 1),
            Origin::Board(_) => (self.position.kind_on(to), 0),
        };
        let counts = self.layers.cover(to);
        let mine = counts[us.index()].min(3) as u16;
        let theirs = counts[us.other().index()].min(3) as u16;
        let flights = self.flights.count_ones() as u16;
        let is_king = kind == Kind::King;
        let place = match mv.origin() {
            Origin::Board(from) if is_king => self.place(from),
            _ => self.place(to),
        };
        placed(
            ONE_SIDE as u16,
            [
                (kind.number() as u16 + 16 * drop) * 32 + place,
                ((mine * 4 + theirs) * 4 + taken(before, to)) * 2 + u16::from(is_king),
                flights * 18 + survey.all.min(17),
                held(self.position.hand(self.attacker)),
                self.corner(),
                self.near,
                survey.drops.min(7) * 8 + survey.moves.min(7),
                kinds_held(self.position.hand(self.attacker)),
                self.pattern(self.flights),
                self.covered,
                self.shielded,
            ],
        )
    }

    /// Where a square lies from the king, as the attacker sees it, left and right not told apart.
    fn place(&self, to: Square) -> u16 {
        let files = (i16::from(to.file()) - i16::from(self.king.file())).unsigned_abs();
        let ranks = i16::from(self.attacker.rank(to.rank()))
            - i16::from(self.attacker.rank(self.king.rank()));
        if files <= 2 && ranks.abs() <= 2 {
            return files * 5 + (ranks + 2) as u16;
        }
        let far = files.max(ranks.unsigned_abs());
        let direction = match (files, ranks) {
            (0, 1..) => 0,
            (0, _) => 1,
            (_, 0) => 2,
            (files, ranks) if files == ranks.unsigned_abs() => 3 + u16::from(ranks > 0),
            _ => return 30 + u16::from(ranks > 0),
        };
        15 + direction * 3 + (far.min(5) - 3)
    }

    /// The place of the king as the attacker sees it, left and right not told apart.
    fn corner(&self) -> u16 {
        let file = self.king.file().min(8 - self.king.file());
        u16::from(self.attacker.rank(self.king.rank()) * 5 + file)
    }
}

fn placed(side: u16, found: Found) -> Found {
    std::array::from_fn(|at| side + STARTS[at] + found[at])
}

/// What stands on a square: nothing, a small piece, a general, a large piece.
fn taken(position: &Position, square: Square) -> u16 {
    if position.occupied() & square.bit() == 0 {
        return 0;
    }
    match position.kind_on(square).base() {
        Kind::Pawn | Kind::Lance | Kind::Knight => 1,
        Kind::Silver | Kind::Gold => 2,
        _ => 3,
    }
}

/// What a hand is good for: golds and silvers, large pieces, small pieces.
fn held(hand: Hand) -> u16 {
    let count = |kinds: &[Kind]| kinds.iter().map(|&kind| hand.count(kind)).sum::<u32>() as u16;
    let generals = count(&[Kind::Gold, Kind::Silver]).min(4);
    let large = count(&[Kind::Bishop, Kind::Rook]).min(2);
    let small = count(&[Kind::Pawn, Kind::Lance, Kind::Knight]).min(3);
    (generals * 3 + large) * 4 + small
}

/// Which kinds are in a hand, golds and silvers up to two.
fn kinds_held(hand: Hand) -> u16 {
    let most = |kind: Kind| if matches!(kind, Kind::Gold | Kind::Silver) { 2 } else { 1 };
    Kind::HELD.iter().fold(0, |found, &kind| {
        found * (most(kind) + 1) + hand.count(kind).min(most(kind).into()) as u16
    })
}

/// Unused squares of [`NEAR`] lie off the board.
const _: () = assert!(NEAR[0] & !BOARD == 0);

/// The features of a move; `after` is the position after it.
///
/// # Panics
/// Without a king of the defender.
#[must_use]
pub fn of(before: &Position, mv: Move, after: &Position, attacker: Side) -> Found {
    let seen = if before.turn() == attacker { before } else { after };
    let layers = Layers::new(seen);
    let king = seen.king(attacker.other()).expect("a king to mate");
    if before.turn() == attacker {
        return Scene::of_checks(seen, &layers, attacker, king).check(mv);
    }
    let mut survey = Survey::new(&layers, attacker, king);
    seen.probe_with(&layers, king, &mut |mv| survey.add(mv));
    Scene::of_reply(seen, &layers, attacker, king, &survey).reply(before, mv, &survey)
}
