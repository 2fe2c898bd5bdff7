//! The table of the solver. An entry holds the whole position, so no two positions can be confused;
//! a new entry replaces the one in its slot.

use super::super::symmetry::Canonical;

/// Bounds for a position: between which numbers of plies its value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// It is won within this many plies; [`NEVER`] if no win is known.
    pub win: u8,
    /// It is not won within this many plies.
    pub no_win: u8,
    /// It is lost within this many plies; [`NEVER`] if no loss is known.
    pub loss: u8,
    /// It is not lost within this many plies.
    pub no_loss: u8,
}

/// More plies than a game has.
const NEVER: u8 = u8::MAX;

impl Known {
    const NOTHING: Self = Self { win: NEVER, no_win: 0, loss: NEVER, no_loss: 0 };
}

#[derive(Clone, Copy)]
struct Entry {
    planes: u64,
    cells: u16,
    known: Known,
}

/// A table of fixed size.
pub(super) struct Memory {
    entries: Vec<Entry>,
    /// The hash is shifted right by this.
    shift: u32,
}

impl Memory {
    pub fn new(mib: usize) -> Self {
        let entries = (mib.max(1) << 20) / size_of::<Entry>();
        let bits = entries.ilog2();
        // No position has four equal full planes on an empty board.
        let empty = Entry { planes: u64::MAX, cells: 0, known: Known::NOTHING };
        Self { entries: vec![empty; 1 << bits], shift: 64 - bits }
    }

    fn place(&self, name: Canonical) -> usize {
        let mixed = (name.planes ^ u64::from(name.cells) << 23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> self.shift) as usize
    }

    pub fn look(&self, name: Canonical) -> Known {
        let entry = &self.entries[self.place(name)];
        if entry.planes == name.planes && entry.cells == name.cells {
            entry.known
        } else {
            Known::NOTHING
        }
    }

    pub fn keep(&mut self, name: Canonical, known: Known) {
        let place = self.place(name);
        self.entries[place] = Entry { planes: name.planes, cells: name.cells, known };
    }
}
