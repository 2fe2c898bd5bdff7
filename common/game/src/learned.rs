//! What searches of one question learn for other questions. A store holds it as notes.

use hasami_andor::{Key, ProblemId};

/// Knowledge that outlives a question. It is only advice: no certificate rests on it.
pub trait Learned: Send + Sync {
    /// The id under which a store holds it.
    fn family(&self) -> ProblemId;

    /// The keys that notes may exist under.
    fn keys(&self) -> Vec<Key>;

    /// The notes worth storing.
    fn notes(&self) -> Vec<(Key, Vec<u8>)>;

    /// Merges notes and ignores foreign ones; returns how many were new.
    fn merge(&self, notes: &[Vec<u8>]) -> usize;
}
