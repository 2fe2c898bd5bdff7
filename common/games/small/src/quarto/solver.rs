//! The exact value of a position: who wins, and in how many plies, by iterative deepening over sets
//! of cells with a table of results.
//!
//! Independent of the kernels. A ply is a placement with the gift that follows. Only gifts that do
//! not lose at once are searched, which makes it fast; depth is at most 16.

mod memory;

use super::lines::{Completing, completing};
use super::position::{Position, members};
use super::symmetry::{Symmetry, by_pieces, symmetry};
use memory::{Known, Memory};

/// With fewer empty cells than this, the symmetries of the board cost more than they save.
const WORTH_TURNING: u32 = 6;

/// The value of a position for the side that places next, under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// It wins in this many plies, an odd number.
    Win(u8),
    /// The game is a draw.
    Draw,
    /// It loses in this many plies, an even number.
    Loss(u8),
}

/// A placement and the piece handed over then; none if the placement ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The cell for the piece in hand.
    pub cell: u8,
    /// The piece for the opponent.
    pub gift: Option<u8>,
}

/// The node limit is reached and the value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Solves positions and keeps its results between them.
pub struct Solver {
    memory: Memory,
    completing: &'static Completing,
    symmetry: &'static Symmetry,
    nodes: u64,
    limit: u64,
}

impl Solver {
    /// A solver with a table of about `mib` MiB, at least one.
    #[must_use]
    pub fn new(mib: usize) -> Self {
        Self {
            memory: Memory::new(mib),
            completing: completing(),
            symmetry: symmetry(),
            nodes: 0,
            limit: u64::MAX,
        }
    }

    /// Number of nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Allows this many more nodes.
    pub fn allow(&mut self, nodes: u64) {
        self.limit = self.nodes.saturating_add(nodes);
    }

    /// The value of a position with a piece in hand.
    ///
    /// # Errors
    /// If the node limit is reached.
    pub fn value(&mut self, position: &Position) -> Result<Value, Exhausted> {
        let most = position.empty().count_ones() as u8;
        for plies in 1..=most {
            if plies % 2 == 1 && self.wins_within(position, plies)? {
                return Ok(Value::Win(plies));
            }
            if plies % 2 == 0 && self.loses_within(position, plies)? {
                return Ok(Value::Loss(plies));
            }
        }
        Ok(Value::Draw)
    }

    /// Whether the side that places next can win within this many plies.
    ///
    /// # Errors
    /// If the node limit is reached.
    pub fn wins_within(&mut self, position: &Position, plies: u8) -> Result<bool, Exhausted> {
        if position.winning_cells() != 0 {
            return Ok(plies >= 1);
        }
        self.wins(position, plies)
    }

    /// Whether the other side can win within this many plies.
    ///
    /// # Errors
    /// If the node limit is reached.
    pub fn loses_within(&mut self, position: &Position, plies: u8) -> Result<bool, Exhausted> {
        if position.winning_cells() != 0 {
            return Ok(false);
        }
        self.loses(position, plies)
    }

    /// The value that a ply leads to, for the side that plays it.
    ///
    /// # Errors
    /// If the node limit is reached.
    pub fn value_of(&mut self, position: &Position, ply: Ply) -> Result<Value, Exhausted> {
        if position.winning_cells() >> ply.cell & 1 == 1 {
            return Ok(Value::Win(1));
        }
        let Some(gift) = ply.gift else { return Ok(Value::Draw) };
        Ok(match self.value(&position.place(ply.cell).give(gift))? {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies + 1),
        })
    }

    /// Requires that the piece in hand wins nowhere. Only odd numbers matter: a win ends with the
    /// winner's ply.
    fn wins(&mut self, position: &Position, plies: u8) -> Result<bool, Exhausted> {
        let most = position.empty().count_ones() as u8;
        let plies = plies.min(most);
        // No win is shorter here, and an even number is equivalent to the odd one below it.
        if plies < 3 {
            return Ok(false);
        }
        let plies = plies - (plies + 1) % 2;
        let name = self.name(position, most);
        let mut known = self.memory.look(name);
        if let Some(answer) = known.win(plies) {
            return Ok(answer);
        }
        self.spend()?;
        let mut found = false;
        'cells: for cell in members(position.empty()) {
            let placed = position.place(cell);
            for gift in members(self.safe_gifts(&placed)) {
                if self.loses(&placed.give(gift), plies - 1)? {
                    found = true;
                    break 'cells;
                }
            }
        }
        known.note_win(plies, found);
        self.memory.keep(name, known);
        Ok(found)
    }

    /// Requires that the piece in hand wins nowhere. Only even numbers matter.
    fn loses(&mut self, position: &Position, plies: u8) -> Result<bool, Exhausted> {
        let most = position.empty().count_ones() as u8;
        let plies = plies.min(most) & !1;
        if plies < 2 {
            return Ok(false);
        }
        if plies == 2 {
            // Every placement must leave only losing gifts; too cheap for the table.
            self.spend()?;
            let mut cells = members(position.empty());
            return Ok(cells.all(|cell| {
                let placed = position.place(cell);
                placed.left != 0 && self.safe_gifts(&placed) == 0
            }));
        }
        let name = self.name(position, most);
        let mut known = self.memory.look(name);
        if let Some(answer) = known.loss(plies) {
            return Ok(answer);
        }
        self.spend()?;
        let mut found = true;
        'cells: for cell in members(position.empty()) {
            let placed = position.place(cell);
            if placed.left == 0 {
                found = false;
                break;
            }
            for gift in members(self.safe_gifts(&placed)) {
                if !self.wins(&placed.give(gift), plies - 1)? {
                    found = false;
                    break 'cells;
                }
            }
        }
        known.note_loss(plies, found);
        self.memory.keep(name, known);
        Ok(found)
    }

    /// The pieces left that complete no line.
    fn safe_gifts(&self, placed: &Position) -> u16 {
        placed.left & !placed.losing_gifts_by(self.completing)
    }

    fn name(&self, position: &Position, empty: u8) -> super::symmetry::Canonical {
        if u32::from(empty) >= WORTH_TURNING {
            self.symmetry.canonical(position)
        } else {
            by_pieces(position)
        }
    }

    fn spend(&mut self) -> Result<(), Exhausted> {
        self.nodes += 1;
        if self.nodes > self.limit { Err(Exhausted) } else { Ok(()) }
    }
}

/// All plies of a position with a piece in hand: by cell, then by gift.
pub fn plies(position: &Position) -> impl Iterator<Item = Ply> {
    let (winning, left) = (position.winning_cells(), position.left);
    members(position.empty()).flat_map(move |cell| {
        let over = winning >> cell & 1 == 1 || left == 0;
        let last = over.then_some(Ply { cell, gift: None });
        let gifts = if over { 0 } else { left };
        last.into_iter().chain(members(gifts).map(move |gift| Ply { cell, gift: Some(gift) }))
    })
}

impl Known {
    fn win(self, plies: u8) -> Option<bool> {
        if plies >= self.win { Some(true) } else { (plies <= self.no_win).then_some(false) }
    }

    fn loss(self, plies: u8) -> Option<bool> {
        if plies >= self.loss { Some(true) } else { (plies <= self.no_loss).then_some(false) }
    }

    fn note_win(&mut self, plies: u8, found: bool) {
        if found { self.win = self.win.min(plies) } else { self.no_win = self.no_win.max(plies) }
    }

    fn note_loss(&mut self, plies: u8, found: bool) {
        if found {
            self.loss = self.loss.min(plies)
        } else {
            self.no_loss = self.no_loss.max(plies)
        }
    }
}
