//! Positions of several searches on one table. Virtual numbers keep them apart; mail notifies them
//! that a node above them is settled.
//!
//! All of it is advice: keys that hash alike share a slot, and a wrong slot costs only work.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::numbers::{LIMIT, Numbers};
use crate::problem::Key;

/// Maximum number of searches in one crowd: one bit each.
pub const MAX_SEATS: usize = 64;

const SLOTS: usize = 1 << 12;

/// Nodes with less work than this are not worth announcing.
const MIN_WORK: u32 = 128;
/// Above this depth every node is.
const MIN_DEPTH: usize = 6;

/// The searches of one table.
pub(crate) struct Crowd {
    /// The searches below a key that hashes to this slot, as bits.
    present: Box<[AtomicU64]>,
    /// The searches that have mail, as bits.
    mail: AtomicU64,
}

impl Crowd {
    pub fn new() -> Self {
        Self { present: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(), mail: AtomicU64::new(0) }
    }

    /// The seat of search number `index`.
    pub fn seat(self: &Arc<Self>, index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a crowd has {MAX_SEATS} seats");
        Seat { crowd: Arc::clone(self), bit: 1 << index }
    }

    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.present[(key.0 >> 64) as usize % SLOTS]
    }
}

/// One search's place in a crowd.
pub(crate) struct Seat {
    crowd: Arc<Crowd>,
    bit: u64,
}

impl Seat {
    pub fn worth_watching(&self, work: u32, depth: usize) -> bool {
        work >= MIN_WORK || depth < MIN_DEPTH
    }

    pub fn enter(&self, key: Key) {
        self.crowd.slot(key).fetch_or(self.bit, Relaxed);
    }

    pub fn leave(&self, key: Key) {
        self.crowd.slot(key).fetch_and(!self.bit, Relaxed);
    }

    /// How much worse a child looks because other searches are at it.
    pub fn burden(&self, key: Key, numbers: Numbers) -> u32 {
        let others = (self.crowd.slot(key).load(Relaxed) & !self.bit).count_ones();
        if others == 0 {
            return 0;
        }
        let smaller = numbers.proof.min(numbers.disproof);
        (smaller / 2 + 1).saturating_mul(others).min(LIMIT)
    }

    /// Notifies all searches below `key` that it is settled.
    pub fn mail(&self, key: Key) {
        let others = self.crowd.slot(key).load(Relaxed) & !self.bit;
        if others != 0 {
            self.crowd.mail.fetch_or(others, Relaxed);
        }
    }

    /// Whether a node above this search may have been settled since the last call.
    pub fn take_mail(&mut self) -> bool {
        self.crowd.mail.load(Relaxed) & self.bit != 0
            && self.crowd.mail.fetch_and(!self.bit, Relaxed) & self.bit != 0
    }
}
