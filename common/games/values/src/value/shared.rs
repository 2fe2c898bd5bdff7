//! Values that searches share: local positions with their values, under a key of the rules and the
//! position up to symmetry.
//!
//! A note is eight bytes of checksum over family, key and form, followed by the canonical form
//! ([`Games::to_bytes`]). A note that is damaged, too long, or not a canonical form is ignored, and
//! the position is valued as if there were none. A forged note with a valid checksum cannot be
//! detected: answers are therefore proven without notes before they are reported.

use hasami_andor::{Key, ProblemId};
use hasami_cgt::{BadBytes, Exhausted, Games, Memory, Value};

/// Increase it whenever rules, keys or bytes change.
const VERSION: u32 = 1;
/// Longer notes are neither written nor read.
pub const LONGEST_NOTE: usize = 4096;
/// Most steps for reading a note: far more than any written one takes.
const READING: u64 = 2_000_000;
const CHECKSUM: usize = 8;
/// Lookups made before any work was done: for the position itself, and for those directly below it.
const FREE: u64 = 2;
/// Positions looked up together, and notes stored together.
const TOGETHER: usize = 512;

/// A store of notes that many searches read and fill. It need not be reliable.
pub trait Notes: Sync {
    /// The notes under these keys, in order; `None` if there is no note, or no answer.
    fn find(&self, family: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>>;

    /// Stores notes, replacing those under the same keys.
    fn keep(&self, family: ProblemId, notes: Vec<(Key, Vec<u8>)>);
}

/// Shares nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoNotes;

impl Notes for NoNotes {
    fn find(&self, _: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>> {
        vec![None; keys.len()]
    }

    fn keep(&self, _: ProblemId, _: Vec<(Key, Vec<u8>)>) {}
}

/// A position that can be shared.
pub trait Local {
    /// Its spelling, equal for positions that are the same up to symmetry, and whether it is the
    /// negative of the spelled one.
    fn spelled(&self) -> (Vec<u8>, bool);

    /// Whether it is large enough to be worth a lookup.
    fn large(&self) -> bool;
}

/// The cost of a lookup, in positions valued, and the least cost of a value worth storing.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// A lookup is made after this many positions were valued since the last one.
    pub question: u64,
    /// Values that took fewer positions are not stored.
    pub least: u64,
}

/// Counts of shared values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of lookups, each for several positions.
    pub questions: u64,
    /// Number of values found in notes.
    pub recalled: u64,
    /// Number of notes that were ignored.
    pub spoiled: u64,
    /// Number of values stored.
    pub kept: u64,
}

/// The notes of one family, as a search uses them.
pub struct Shared<'a> {
    notes: &'a dyn Notes,
    family: ProblemId,
    price: Price,
    /// The work done at the last lookup.
    asked: u64,
    waiting: Vec<(Key, Vec<u8>)>,
    /// Counts so far.
    pub tally: Tally,
}

impl<'a> Shared<'a> {
    /// The notes of a family, identified by everything that its values depend on.
    pub fn new(notes: &'a dyn Notes, family: &str, rules: &str, price: Price) -> Self {
        Self {
            notes,
            family: family_id(family, rules),
            price,
            asked: 0,
            waiting: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Stores the notes that are waiting.
    pub fn flush(&mut self) {
        if !self.waiting.is_empty() {
            self.tally.kept += self.waiting.len() as u64;
            self.notes.keep(self.family, std::mem::take(&mut self.waiting));
        }
    }
}

/// The id of a family's notes in the store.
#[must_use]
pub fn family_id(family: &str, rules: &str) -> ProblemId {
    ProblemId::new(&format!("value/{family}"), VERSION, rules)
}

/// The key of a spelling.
#[must_use]
pub fn key(spelled: &[u8]) -> Key {
    let hash = blake3::hash(spelled);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_bytes()[..16]);
    Key(u128::from_le_bytes(bytes))
}

/// The note of a value, if it is not too long.
#[must_use]
pub fn note(games: &Games, family: ProblemId, key: Key, value: Value) -> Option<Vec<u8>> {
    let form = games.to_bytes(value, LONGEST_NOTE - CHECKSUM)?;
    Some([&checksum(family, key, &form)[..], &form].concat())
}

/// The value of a note, if the note is valid.
fn read(
    games: &mut Games,
    family: ProblemId,
    key: Key,
    note: &[u8],
) -> Result<Option<Value>, Exhausted> {
    let Some((sum, form)) = note.split_at_checked(CHECKSUM) else { return Ok(None) };
    if note.len() > LONGEST_NOTE || sum != checksum(family, key, form) {
        return Ok(None);
    }
    // First outside the arena: an invalid form must not use up its limit.
    if Games::with_limit(READING).from_bytes(form).is_err() {
        return Ok(None);
    }
    match games.from_bytes(form) {
        Ok(value) => Ok(Some(value)),
        Err(BadBytes::Exhausted(limit)) => Err(limit),
        Err(_) => Ok(None),
    }
}

fn checksum(family: ProblemId, key: Key, form: &[u8]) -> [u8; CHECKSUM] {
    let mut hash = blake3::Hasher::new();
    hash.update(&family.0.to_le_bytes());
    hash.update(&key.0.to_le_bytes());
    hash.update(form);
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&hash.finalize().as_bytes()[..CHECKSUM]);
    sum
}

impl<P: Local> Memory<P> for Shared<'_> {
    fn recall(
        &mut self,
        games: &mut Games,
        positions: Vec<P>,
        work: u64,
    ) -> Result<Vec<(P, Value)>, Exhausted> {
        let mut large: Vec<P> = positions.into_iter().filter(P::large).collect();
        let due =
            self.tally.questions < FREE || work.saturating_sub(self.asked) >= self.price.question;
        if large.is_empty() || !due {
            return Ok(Vec::new());
        }
        large.truncate(TOGETHER);
        let spelled: Vec<(Key, bool)> = large
            .iter()
            .map(|position| {
                let (bytes, negative) = position.spelled();
                (key(&bytes), negative)
            })
            .collect();
        let keys: Vec<Key> = spelled.iter().map(|(key, _)| *key).collect();
        self.tally.questions += 1;
        let notes = self.notes.find(self.family, &keys);
        let mut found = Vec::new();
        for ((position, (key, negative)), note) in large.into_iter().zip(spelled).zip(notes) {
            let Some(note) = note else { continue };
            match read(games, self.family, key, &note)? {
                Some(value) if negative => found.push((position, games.neg(value)?)),
                Some(value) => found.push((position, value)),
                None => self.tally.spoiled += 1,
            }
        }
        self.tally.recalled += found.len() as u64;
        self.asked = work;
        Ok(found)
    }

    fn learn(
        &mut self,
        games: &mut Games,
        position: &P,
        value: Value,
        cost: u64,
    ) -> Result<(), Exhausted> {
        if cost < self.price.least || !position.large() {
            return Ok(());
        }
        let (spelled, negative) = position.spelled();
        let key = key(&spelled);
        let value = if negative { games.neg(value)? } else { value };
        let note = note(games, self.family, key, value);
        self.waiting.extend(note.map(|note| (key, note)));
        if self.waiting.len() >= TOGETHER {
            self.flush();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
