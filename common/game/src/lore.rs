//! What searches of one question learn for other questions: notes that a store keeps.

use hasami_andor::{Key, ProblemId};

/// Knowledge that outlives a question. It is advice: no certificate rests on it.
pub trait Lore: Send + Sync {
    /// Under which name a store keeps it.
    fn family(&self) -> ProblemId;

    /// The keys that there may be notes under.
    fn keys(&self) -> Vec<Key>;

    /// What is worth keeping.
    fn tell(&self) -> Vec<(Key, Vec<u8>)>;

    /// Takes in notes; what is none of its own is passed over. How many were new.
    fn hear(&self, notes: &[Vec<u8>]) -> usize;
}
