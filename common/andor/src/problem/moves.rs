//! The moves of a state, as a game lists them for the search.

use crate::numbers::Numbers;

/// A move in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<M> {
    pub mv: M,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// Initial numbers of the state after it.
    pub first: Numbers,
    /// Moves of one group count once; 0 for none.
    pub group: u8,
    /// What the moves that it hides count.
    pub weight: u16,
}

/// Groups of the moves of one state are numbered from 1 to one less than this.
pub(crate) const GROUPS: u8 = 64;

/// The moves of one state. Their order is permanent: certificates name a move by its index here.
#[derive(Debug)]
pub struct Moves<M> {
    pub(crate) list: Vec<Listed<M>>,
}

impl<M: Copy> Moves<M> {
    /// An empty buffer; reuse it.
    #[must_use]
    pub fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a move.
    pub fn push(&mut self, mv: M) {
        self.push_rated(mv, Numbers::UNKNOWN);
    }

    /// Adds a move with unsettled initial numbers for the state after it (df-pn+). For games that
    /// rate all their moves at once more cheaply than [`crate::Problem::evaluate`] rates states.
    pub fn push_rated(&mut self, mv: M, first: Numbers) {
        self.add(Listed { mv, opens: false, first, group: 0, weight: 0 });
    }

    /// Adds a move to a group, 1 to 63, whose members stand or fall together, like drops on one
    /// square: where all moves are needed, the largest number of a group counts for all of it.
    pub fn push_in_group(&mut self, mv: M, first: Numbers, group: u8) {
        self.add(Listed { mv, opens: false, first, group, weight: 0 });
    }

    /// Adds a move that hides others: once it is settled against the side to move,
    /// [`crate::Problem::open`] lists them. `first` as in [`Moves::push_rated`].
    pub fn push_opening(&mut self, mv: M, first: Numbers) {
        self.add(Listed { mv, opens: true, first, group: 0, weight: 0 });
    }

    /// Like [`Moves::push_opening`], for a move that hides so many others: while they are hidden, an
    /// eighth of them, and at least 1, is added where all moves are needed. `group` as in
    /// [`Moves::push_in_group`], 0 for none.
    pub fn push_hiding(&mut self, mv: M, first: Numbers, group: u8, hidden: usize) {
        let weight = (hidden / 8).clamp(1, u16::MAX.into()) as u16;
        self.add(Listed { mv, opens: true, first, group, weight });
    }

    fn add(&mut self, listed: Listed<M>) {
        debug_assert!(!listed.first.settled(), "a rating settles nothing");
        debug_assert!(listed.group < GROUPS, "groups are 1 to 63");
        self.list.push(listed);
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The moves in order.
    pub fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.list.iter().map(|listed| listed.mv)
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<M: Copy> Default for Moves<M> {
    fn default() -> Self {
        Self::new()
    }
}
