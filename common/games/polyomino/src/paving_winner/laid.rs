//! The terms of docs/certificates.md for paving winners, straight from that page: pairs laid, demands,
//! symmetries, and when one pair does at least as well as another. Checker and writer share it; the
//! search has its own code.

use hasami_andor::certificate::{Fault, Source};

use super::FREE;
use super::board::{Board, MAX_CELLS, bits};

/// Two cells, the lower one first.
pub type Pair = (u8, u8);

/// The pairs laid so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The other cell of the pair that a cell is in.
    pub mates: [u8; MAX_CELLS],
    /// The cells of all pairs.
    taken: u128,
}

impl Laid {
    /// No pairs.
    pub fn none() -> Self {
        Self { mates: [FREE; MAX_CELLS], taken: 0 }
    }

    /// Adds a pair of free cells.
    pub fn lay(&mut self, (a, b): Pair) {
        debug_assert!(self.is_free(a) && self.is_free(b), "pairs are disjoint");
        self.mates[usize::from(a)] = b;
        self.mates[usize::from(b)] = a;
        self.taken |= cells((a, b));
    }

    /// These pairs and one more.
    pub fn and(&self, pair: Pair) -> Self {
        let mut more = self.clone();
        more.lay(pair);
        more
    }

    /// Whether no pair has this cell.
    pub fn is_free(&self, cell: u8) -> bool {
        self.taken >> cell & 1 == 0
    }

    /// Whether a placement contains a whole pair.
    pub fn blocks(&self, placement: u128) -> bool {
        bits(placement & self.taken).any(|cell| placement >> self.mates[usize::from(cell)] & 1 != 0)
    }

    /// The demand of a placement that contains no pair.
    pub fn demand(&self, board: &Board, placement: u128) -> u128 {
        let free = placement & !self.taken;
        let can_pair = |a: u8| bits(free).any(|b| board.may_pair(a, b));
        bits(free).filter(|&a| can_pair(a)).map(|a| 1u128 << a).sum()
    }

    /// Every placement that contains no pair, with its demand.
    pub fn open<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = (u128, u128)> + 'a {
        let open = board.placements.iter().filter(|&&placement| !self.blocks(placement));
        open.map(|&placement| (placement, self.demand(board, placement)))
    }

    /// The demands that contain no other, in order.
    pub fn least_demands(&self, board: &Board) -> Vec<u128> {
        let mut sets: Vec<u128> = self.open(board).map(|(_, demand)| demand).collect();
        sets.sort_unstable();
        sets.dedup();
        // A subset is a smaller number, so it comes first.
        let mut least: Vec<u128> = Vec::new();
        for set in sets {
            if least.iter().all(|less| less & !set != 0) {
                least.push(set);
            }
        }
        least
    }

    /// Whether laying {c, d} is at least as good for White as laying {a, b}: the lemma of exchange, for
    /// demands that contain no other.
    pub fn no_better(&self, board: &Board, demands: &[u128], worse: Pair, better: Pair) -> bool {
        let ((a, b), (c, d)) = (worse, better);
        if worse == better || demands.iter().any(|&set| holds(set, worse) && !holds(set, better)) {
            return false;
        }
        let others = !(self.taken | cells(worse) | cells(better));
        let replaces = |old: u8, mate: u8, new: u8| {
            // What a pair with the old cell may meet and {c, d} does not.
            let lost = || demands.iter().filter(|&&set| has(set, old) && !has(set, mate));
            let partners = lost().fold(0, |cells, set| cells | set) & others;
            old == new
                || bits(partners).filter(|&e| board.may_pair(old, e)).all(|e| {
                    board.may_pair(new, e) && lost().all(|&set| !has(set, e) || has(set, new))
                })
        };
        [(a, b), (b, a)]
            .into_iter()
            .any(|(a, b)| c != b && d != a && replaces(c, d, a) && replaces(d, c, b))
    }
}

/// The cells of a pair.
pub fn cells((a, b): Pair) -> u128 {
    1 << a | 1 << b
}

fn has(set: u128, cell: u8) -> bool {
    set >> cell & 1 != 0
}

fn holds(set: u128, pair: Pair) -> bool {
    cells(pair) & !set == 0
}

/// The allowed pairs within a set, in order.
pub fn pairs_within(board: &Board, set: u128) -> Vec<Pair> {
    let pairs = bits(set).flat_map(|a| bits(set).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| a < b && board.may_pair(a, b)).collect()
}

/// How many symmetries a board has: 0 up to this number.
pub fn symmetries(board: &Board) -> u8 {
    if board.width == board.height { 8 } else { 4 }
}

/// The cell that a symmetry takes a cell to.
pub fn turned_cell(board: &Board, symmetry: u8, cell: u8) -> u8 {
    let (mut row, mut column) = (cell / board.width, cell % board.width);
    if symmetry & 1 != 0 {
        column = board.width - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = board.height - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * board.width + column
}

/// The set that a symmetry takes a set to.
pub fn turned(board: &Board, symmetry: u8, set: u128) -> u128 {
    bits(set).map(|cell| 1u128 << turned_cell(board, symmetry, cell)).sum()
}

/// The pair that a symmetry takes a pair to.
pub fn turned_pair(board: &Board, symmetry: u8, (a, b): Pair) -> Pair {
    let (a, b) = (turned_cell(board, symmetry, a), turned_cell(board, symmetry, b));
    (a.min(b), a.max(b))
}

/// Writes a placement: how many cells, and the cells.
pub fn put_placement(placement: u128, out: &mut Vec<u8>) {
    out.push(placement.count_ones() as u8);
    out.extend(bits(placement));
}

/// Reads a placement of the board.
///
/// # Errors
/// If the bytes are none.
pub fn take_placement(board: &Board, from: &mut Source<'_>) -> Result<u128, Fault> {
    let count = from.number()?;
    let mut placement = 0u128;
    for _ in 0..count {
        let cell = from.byte()?;
        if cell >= board.cells() || placement >> cell != 0 {
            return Err(format!("cell {cell} in a placement; expected cells in order"));
        }
        placement |= 1 << cell;
    }
    match board.placements.binary_search(&placement) {
        Ok(_) => Ok(placement),
        Err(_) => Err("the cells are no placement".to_string()),
    }
}

/// Reads an allowed pair.
///
/// # Errors
/// If the bytes are none.
pub fn take_pair(board: &Board, from: &mut Source<'_>) -> Result<Pair, Fault> {
    let (a, b) = (from.byte()?, from.byte()?);
    if a < b && b < board.cells() && board.may_pair(a, b) {
        Ok((a, b))
    } else {
        Err(format!("cells {a} and {b} are no pair"))
    }
}
