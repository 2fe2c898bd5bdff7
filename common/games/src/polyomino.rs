//! Achievement games for polyominoes (Harary): who first owns all cells of a target shape, turned
//! and mirrored as you like, wins. Can Black, who begins, force that with at most so many stones?
//!
//! *Strong*: whoever completes a target first wins. *Weak*: White only blocks. On a board n×m the
//! answer is exact both ways. On the infinite board play is searched in a window; a proof holds on
//! the whole plane, by zones: see `docs/polyomino.md`. A disproof there says nothing.

mod endgame;
pub mod grid;
pub mod scan;
pub mod shape;

use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Turn, Verdict};

use crate::params::{Param, ParamError, Params};
use crate::registry::Game;
use grid::{Grid, Hashes, MAX_BOARD, bits};
use scan::{Chances, Placements, WHOLE};
use shape::{Shape, parse_set, spell_set};

const VERSION: u32 = 1;

/// Whose turn it is goes into the hashes too.
const TURN_HASH: u64 = 0x9d39_247e_3377_6d41;

/// Can Black complete one of the shapes with so many stones?
#[derive(Clone, Debug)]
pub struct Polyomino {
    shapes: Vec<Shape>,
    grid: Grid,
    placements: Placements,
    /// The grid is a window on the infinite board.
    infinite: bool,
    /// White only blocks.
    weak: bool,
    /// How many stones Black may use.
    stones: u32,
    id: ProblemId,
}

/// The stones on the grid. White moves played elsewhere are those that are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    black: u128,
    white: u128,
    turn: Turn,
    hashes: Hashes,
}

/// A move of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    /// On this cell.
    Cell(u8),
    /// White plays where it does not matter.
    Elsewhere,
}

static PARAMS: &[Param] = &[
    Param::text("shapes", "the targets, names or pictures with commas between: Square,W or ##/##"),
    Param::text("board", "infinite, or rows x columns as in 7x7").or("infinite"),
    Param::choice(
        "game",
        "strong: first to complete wins; weak: White only blocks",
        &["strong", "weak"],
    )
    .or("strong"),
    Param::number("stones", "how many stones Black may use").or("8"),
    Param::text("window", "where the infinite board is searched, rows x columns").or("11x11"),
];

impl Game for Polyomino {
    const NAME: &'static str = "polyomino";
    const ABOUT: &'static str = "Polyomino achievement: can Black complete one of the shapes?";
    const EXAMPLE: &'static str = "polyomino shapes=Square,W stones=5";

    fn params() -> &'static [Param] {
        PARAMS
    }

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let given = params.text("shapes")?;
        let shapes = parse_set(given)
            .map_err(|error| ParamError::bad("shapes", given, error.to_string()))?;
        let infinite = params.text("board")? == "infinite";
        let place = if infinite { "window" } else { "board" };
        let (height, width) = parse_size(place, params.text(place)?)?;
        let grid = Grid::new(height, width);
        Ok(Self {
            placements: Placements::new(&grid, &shapes, infinite),
            shapes,
            grid,
            infinite,
            weak: params.text("game")? == "weak",
            stones: params.number("stones", 1..=128)?,
            id: ProblemId::new(Self::NAME, VERSION, &params.canonical()),
        })
    }
}

/// Rows and columns of a board written as `7x7`.
fn parse_size(name: &'static str, text: &str) -> Result<(u8, u8), ParamError> {
    let expected = || format!("rows x columns as in 7x7, at most {MAX_BOARD} cells");
    let sides = text
        .split_once('x')
        .and_then(|(height, width)| Some((height.parse::<u8>().ok()?, width.parse::<u8>().ok()?)));
    sides
        .filter(|&(h, w)| (1..=MAX_BOARD).contains(&(u32::from(h) * u32::from(w))))
        .ok_or_else(|| ParamError::bad(name, text, expected()))
}

impl Position {
    const START: Self = Self { black: 0, white: 0, turn: Turn::Or, hashes: [0; 8] };

    fn with(self, mv: Stone, grid: &Grid) -> Self {
        let (side, turn) = match self.turn {
            Turn::Or => (0, Turn::And),
            Turn::And => (1, Turn::Or),
        };
        let mut next = Self { turn, hashes: hashes_after(&self, mv, side, grid), ..self };
        if let Stone::Cell(cell) = mv {
            match side {
                0 => next.black |= 1 << cell,
                _ => next.white |= 1 << cell,
            }
        }
        next
    }

    /// White moves that were played elsewhere.
    fn elsewhere(&self) -> u32 {
        let ahead = u32::from(self.turn == Turn::And);
        self.black.count_ones() - self.white.count_ones() - ahead
    }

    /// White's stones, those elsewhere included.
    fn answers(&self) -> u32 {
        self.black.count_ones() - u32::from(self.turn == Turn::And)
    }

    /// The symmetry that leads to the frame of the key.
    fn symmetry(&self) -> usize {
        (0..8).min_by_key(|&at| self.hashes[at]).unwrap_or(0)
    }
}

#[inline]
fn hashes_after(state: &Position, mv: Stone, side: usize, grid: &Grid) -> Hashes {
    let mut hashes = state.hashes;
    match mv {
        Stone::Cell(cell) => {
            for (hash, stone) in hashes.iter_mut().zip(grid.stone(cell, side)) {
                *hash ^= stone ^ TURN_HASH;
            }
        }
        Stone::Elsewhere => hashes.iter_mut().for_each(|hash| *hash ^= TURN_HASH),
    }
    hashes
}

/// The same for every symmetric position: the least hash, and the sum of all.
#[inline]
fn key_of(hashes: &Hashes) -> Key {
    let (mut least, mut sum) = (u64::MAX, 0u64);
    for &hash in hashes {
        least = least.min(hash);
        sum = sum.wrapping_add(hash.rotate_left(23));
    }
    Key(u128::from(least) << 64 | u128::from(sum.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

impl Polyomino {
    fn left(&self, state: &Position) -> u32 {
        self.stones.saturating_sub(state.black.count_ones())
    }

    fn empty(&self, state: &Position) -> u128 {
        self.grid.all & !(state.black | state.white)
    }

    /// White, to move against Black's stones `black`, may be able to complete something at once.
    fn white_may_win(&self, black: u128, white: u128, elsewhere: u32) -> bool {
        let stones = white.count_ones() + elsewhere;
        let smallest = self.placements.smallest;
        !self.weak
            && stones + 1 >= smallest
            && (self.infinite && elsewhere + 1 >= smallest
                || self.placements.one_is_enough(white, black, elsewhere))
    }

    /// Adds to a zone what keeps the stones that White has played elsewhere from completing
    /// something at once, White to move against `black`.
    fn guarded(&self, black: u128, white: u128, elsewhere: u32, zone: u128) -> u128 {
        let stones = white.count_ones() + elsewhere;
        match self.weak || elsewhere == 0 || stones + 1 < self.placements.smallest {
            true => zone,
            false => self.placements.guarded(white, black, elsewhere, zone),
        }
    }

    /// Cells that White would complete something with.
    fn white_threats(&self, state: &Position) -> u128 {
        if self.weak || state.white.count_ones() + 1 < self.placements.smallest {
            return 0;
        }
        self.placements.chances(state.white, state.black, 1).threats
    }

    /// A fork that White cannot get ahead of, and the cells it relies on.
    fn sound_fork(&self, state: &Position, forks: u128) -> Option<u128> {
        bits(forks).find_map(|cell| {
            let black = state.black | 1 << cell;
            if self.white_may_win(black, state.white, state.elsewhere()) {
                return None;
            }
            let threats = self.placements.chances(black, state.white, 1).threats;
            let zone = 1 << cell | two_of(threats);
            Some(self.guarded(black, state.white, state.elsewhere(), zone))
        })
    }

    /// White cannot complete anything before Black has used up the stones left: the strong game
    /// is the weak one from here on.
    fn is_safe(&self, state: &Position) -> bool {
        let moves = self.left(state) - u32::from(state.turn == Turn::Or);
        let reach = state.elsewhere() + moves;
        self.weak
            || !self.placements.within_reach(state.white, state.black, reach, self.infinite)
    }

    /// The cells that Black's win with three stones needs in the weak game, if there is one.
    fn last_three(&self, state: &Position) -> Option<u128> {
        let mut endgame = self.placements.endgame(state.black, state.white, true);
        endgame.wins_with_three(self.empty(state))
    }

    fn chances(&self, state: &Position) -> Chances {
        self.placements.chances(state.black, state.white, self.left(state))
    }

    fn expand_or(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        let left = self.left(state);
        let chances = self.chances(state);
        if left >= 1 && chances.threats != 0 {
            return Expansion::Settled(Verdict::Proven);
        }
        if left < 2 || chances.potential < WHOLE / 2 {
            return Expansion::Settled(Verdict::Disproven);
        }
        let white = self.white_threats(state);
        if white.count_ones() >= 2 {
            return Expansion::Settled(Verdict::Disproven);
        }
        let may = if white == 0 { self.empty(state) } else { white };
        if self.sound_fork(state, chances.forks & may).is_some() {
            return Expansion::Settled(Verdict::Proven);
        }
        if left == 2 {
            return Expansion::Settled(Verdict::Disproven);
        }
        if left == 3 && chances.forks == 0 {
            let zone = self.last_three(state);
            if zone.is_none() {
                return Expansion::Settled(Verdict::Disproven);
            }
            if self.is_safe(state) {
                return Expansion::Settled(Verdict::Proven);
            }
        }
        if state.black == 0 && self.infinite {
            moves.push(Stone::Cell(self.centre()));
            return Expansion::Open;
        }
        let weights = self.placements.weights(state.black, state.white, left, 2);
        let tight = self.placements.chances(state.black, state.white, left - 1).potential;
        let good = |cell: &u8| weights[usize::from(*cell)] > 0 && tight + weights[usize::from(*cell)] >= WHOLE;
        let peaked = self.placements.peaked(state.black, state.white, left);
        let mut order: Vec<u32> = bits(may).filter(good).map(|c| peaked[usize::from(c)]).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        for cell in bits(may).filter(good) {
            let rank = order.partition_point(|&w| w > peaked[usize::from(cell)]);
            let mut n = rate((tight + weights[usize::from(cell)]) / 2);
            n.proof += (rank as f64 * tune()[4]) as u32;
            moves.push_rated(Stone::Cell(cell), n);
        }
        if moves.is_empty() { Expansion::Settled(Verdict::Disproven) } else { Expansion::Open }
    }

    fn expand_and(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        let left = self.left(state);
        let chances = self.chances(state);
        if chances.won {
            return Expansion::Settled(Verdict::Proven);
        }
        let threats = chances.threats.count_ones();
        let hopeless = left == 0 || left == 1 && threats < 2 || chances.potential < WHOLE;
        if hopeless || self.white_may_win(state.black, state.white, state.elsewhere()) {
            return Expansion::Settled(Verdict::Disproven);
        }
        match threats {
            0 => {
                if left == 2 {
                    let endgame = self.placements.endgame(state.black, state.white, false);
                    if endgame.survives_any_reply(0).is_none() {
                        return Expansion::Settled(Verdict::Disproven);
                    }
                    if self.is_safe(state) {
                        return Expansion::Settled(Verdict::Proven);
                    }
                }
                let weights = self.placements.weights(state.black, state.white, left, 1);
                let heaviest = bits(self.empty(state)).max_by_key(|&cell| weights[usize::from(cell)]);
                let Some(cell) = heaviest else {
                    return Expansion::Settled(Verdict::Disproven);
                };
                let after = chances.potential - weights[usize::from(cell)];
                if after < WHOLE / 2 {
                    return Expansion::Settled(Verdict::Disproven);
                }
                moves.push_rated(Stone::Cell(cell), rate(after));
                moves.push_opening(Stone::Elsewhere, rate(chances.potential));
            }
            1 => {
                let cell = chances.threats.trailing_zeros() as u8;
                moves.push_rated(Stone::Cell(cell), rate(chances.potential / 2));
            }
            _ => return Expansion::Settled(Verdict::Proven),
        }
        Expansion::Open
    }

    fn centre(&self) -> u8 {
        self.grid.cell((self.grid.height / 2, self.grid.width / 2))
    }

    /// A zone as it lies on the grid of `state`, from the frame of its key.
    fn on_grid(&self, state: &Position, zone: u128) -> u128 {
        self.grid.turned_back(zone, state.symmetry())
    }

    /// The zone of a position that is won by the rules.
    fn zone_of_end(&self, state: &Position) -> u128 {
        let chances = self.chances(state);
        match state.turn {
            _ if chances.won => 0,
            Turn::Or if chances.threats != 0 => lowest(chances.threats),
            Turn::Or => {
                let white = self.white_threats(state);
                let may = if white == 0 { self.empty(state) } else { white };
                let fork = self.sound_fork(state, chances.forks & may);
                fork.or_else(|| self.last_three(state)).unwrap_or(0)
            }
            Turn::And if chances.threats == 0 => {
                let endgame = self.placements.endgame(state.black, state.white, false);
                endgame.survives_any_reply(0).unwrap_or(0)
            }
            Turn::And => self.guarded(
                state.black,
                state.white,
                state.elsewhere(),
                two_of(chances.threats),
            ),
        }
    }
}

fn lowest(cells: u128) -> u128 {
    cells & cells.wrapping_neg()
}

fn two_of(cells: u128) -> u128 {
    lowest(cells) | lowest(cells & !lowest(cells))
}

/// First numbers of a position in which Black's potential with Black to move would be this.
fn rate(potential: u32) -> Numbers {
    let t = tune();
    let x = (f64::from(potential) / f64::from(WHOLE / 2)).max(1.0);
    let pn = 1.0 + t[0] / x.powf(t[1]);
    let dn = 1.0 + t[2] * x.powf(t[3]);
    Numbers::open(pn as u32, dn as u32)
}

fn tune() -> &'static [f64; 6] {
    static T: std::sync::OnceLock<[f64; 6]> = std::sync::OnceLock::new();
    T.get_or_init(|| {
        let mut t = [8.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        if let Ok(v) = std::env::var("TUNE") {
            for (a, b) in t.iter_mut().zip(v.split(',')) {
                *a = b.parse().unwrap();
            }
        }
        t
    })
}

static STAT: [[[std::sync::atomic::AtomicU64; 4]; 2]; 16] = [const { [const { [const { std::sync::atomic::AtomicU64::new(0) }; 4] }; 2] }; 16];
impl Drop for Polyomino { fn drop(&mut self) { for l in 0..16 { for t in 0..2 { let v: Vec<u64> = STAT[l][t].iter().map(|x| x.load(std::sync::atomic::Ordering::Relaxed)).collect(); if v.iter().sum::<u64>() > 0 { eprintln!("STAT left {l} {} open {} proven {} disproven {} moves/open {:.1}", ["or","and"][t], v[0], v[1], v[2], v[3] as f64 / v[0].max(1) as f64); } } } } }
impl Problem for Polyomino {
    type State = Position;
    type Move = Stone;
    type Reason = u128;

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        Position::START
    }

    fn turn(&self, state: &Position) -> Turn {
        state.turn
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        let e = match state.turn {
            Turn::Or => self.expand_or(state, moves),
            Turn::And => self.expand_and(state, moves),
        };
        let l = self.left(state) as usize;
        let t = usize::from(state.turn == Turn::And);
        let k = match e { Expansion::Open => 0, Expansion::Settled(Verdict::Proven) => 1, _ => 2 };
        STAT[l][t][k].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        STAT[l][t][3].fetch_add(moves.len() as u64, std::sync::atomic::Ordering::Relaxed);
        e
    }

    fn play(&self, state: &Position, mv: Stone) -> Position {
        state.with(mv, &self.grid)
    }

    fn key(&self, state: &Position) -> Key {
        key_of(&state.hashes)
    }

    fn key_after(&self, state: &Position, mv: Stone) -> Key {
        key_of(&hashes_after(state, mv, usize::from(state.turn == Turn::And), &self.grid))
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        out.push(u8::from(state.turn == Turn::And));
        out.extend_from_slice(&state.black.to_le_bytes());
        out.extend_from_slice(&state.white.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        let bad = |expected: &str| {
            BadState(format!("polyomino: found bytes {bytes:02x?}; expected {expected}"))
        };
        if bytes.len() != 33 {
            return Err(bad("33 of them"));
        }
        let word = |at: usize| {
            let mut word = [0; 16];
            word.copy_from_slice(&bytes[at..at + 16]);
            u128::from_le_bytes(word)
        };
        let (black, white) = (word(1), word(17));
        if (black | white) & !self.grid.all != 0 {
            return Err(bad("stones on the board"));
        }
        if black & white != 0 {
            return Err(bad("one stone on a cell"));
        }
        let ahead = match bytes[0] {
            turn @ 0..=1 => u32::from(turn),
            _ => return Err(bad("0 or 1 for the turn")),
        };
        if black.count_ones() < white.count_ones() + ahead {
            return Err(bad("no more stones of White's than of Black's"));
        }
        let turn = if ahead == 1 { Turn::And } else { Turn::Or };
        let mut hashes = [if ahead == 1 { TURN_HASH } else { 0 }; 8];
        for (side, stones) in [black, white].into_iter().enumerate() {
            // Each move changed the turn as well.
            for cell in bits(stones) {
                for (hash, stone) in hashes.iter_mut().zip(self.grid.stone(cell, side)) {
                    *hash ^= stone;
                }
            }
        }
        Ok(Position { black, white, turn, hashes })
    }

    fn open(&self, state: &Position, mv: Stone, reason: Option<u128>, moves: &mut Moves<Stone>) {
        if mv != Stone::Elsewhere {
            return;
        }
        let Some(zone) = reason else {
            bits(self.empty(state)).for_each(|cell| moves.push(Stone::Cell(cell)));
            return;
        };
        let zone = self.on_grid(&self.play(state, mv), zone) & self.empty(state);
        let left = self.left(state);
        let potential = self.chances(state).potential;
        let weights = self.placements.weights(state.black, state.white, left, 1);
        let heaviest = bits(self.empty(state)).max_by_key(|&cell| weights[usize::from(cell)]);
        let mut order: Vec<u32> = bits(zone).map(|c| weights[usize::from(c)]).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        for cell in bits(zone).filter(|&cell| Some(cell) != heaviest) {
            let after = potential.saturating_sub(weights[usize::from(cell)]);
            let rank = order.partition_point(|&w| w > weights[usize::from(cell)]);
            let mut n = rate(after);
            n.disproof += (rank as f64 * tune()[5]) as u32;
            moves.push_rated(Stone::Cell(cell), n);
        }
    }

    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Stone, u128)]) -> u128 {
        if verdict == Verdict::Disproven {
            return 0;
        }
        let mut zone = match basis {
            [] => self.zone_of_end(state),
            _ => 0,
        };
        for &(mv, child) in basis {
            zone |= self.on_grid(&self.play(state, mv), child);
            if let Stone::Cell(cell) = mv {
                zone |= 1 << cell;
            }
        }
        if state.turn == Turn::And && !basis.is_empty() {
            zone = self.guarded(state.black, state.white, state.elsewhere(), zone);
        }
        self.grid.turned(zone, state.symmetry())
    }

    /// Black's stones count.
    fn length(&self, state: &Position, _: Stone) -> Option<u32> {
        Some(u32::from(state.turn == Turn::Or))
    }

    fn rest(&self, state: &Position) -> u32 {
        let chances = self.chances(state);
        match state.turn {
            _ if chances.won => 0,
            Turn::Or if chances.threats == 0 && chances.forks != 0 => 2,
            Turn::Or if chances.threats == 0 => 3,
            Turn::And if chances.threats == 0 => 2,
            _ => 1,
        }
    }

    fn show(&self, state: &Position) -> String {
        self.grid.show(|cell| match 1 << cell {
            bit if state.black & bit != 0 => 'X',
            bit if state.white & bit != 0 => 'O',
            _ => '.',
        })
    }

    fn show_move(&self, _: &Position, mv: Stone) -> String {
        match mv {
            Stone::Cell(cell) => self.grid.cell_name(cell),
            Stone::Elsewhere => "elsewhere".to_string(),
        }
    }
}
