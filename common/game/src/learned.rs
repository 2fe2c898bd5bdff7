//! What searches of one question learn for other questions. A store keeps it as notes.

use hasami_andor::{Key, ProblemId};

/// Knowledge that outlives a question. It is advice: no certificate rests on it.
pub trait Learned: Send + Sync {
    /// The name under which a store keeps it.
    fn family(&self) -> ProblemId;

    /// The keys that there may be notes under.
    fn keys(&self) -> Vec<Key>;

    /// What is worth keeping.
    fn notes(&self) -> Vec<(Key, Vec<u8>)>;

    /// Takes in notes and ignores those that are not its own; how many were new.
    fn merge(&self, notes: &[Vec<u8>]) -> usize;
}
