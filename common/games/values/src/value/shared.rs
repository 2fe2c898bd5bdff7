//! Values that searches share: local positions and what they are worth, under a key of the rules and
//! the position up to symmetry.
//!
//! A note is eight bytes of checksum over family, key and form, and the canonical form
//! ([`Games::to_bytes`]). What is damaged, too long, or no canonical form is passed over, and the
//! position is valued as if nothing had been there. What can not be told from a sound note is one that
//! somebody made up with its checksum: answers are therefore proven without notes before they are told.

use hasami_andor::{Key, ProblemId};
use hasami_cgt::{BadBytes, Exhausted, Games, Memory, Value};

/// Raise it whenever rules, keys or bytes change.
const VERSION: u32 = 1;
/// Longer notes are neither written nor read.
pub const LONGEST_NOTE: usize = 4096;
/// What a note may take to be read: far more than any that was written.
const READING: u64 = 2_000_000;
const CHECKSUM: usize = 8;
/// Questions that are asked before there was any work: for the position itself, and what is next below it.
const FREE: u64 = 2;
/// Positions asked for together, and notes that wait to be kept together.
const TOGETHER: usize = 512;

/// Where notes are kept: a store that many searches ask and fill. It need not be reliable.
pub trait Notes: Sync {
    /// The notes under these keys, in their order; none where there is nothing, or no answer.
    fn find(&self, family: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>>;

    /// Keeps notes; what was there under their keys is replaced.
    fn keep(&self, family: ProblemId, notes: Vec<(Key, Vec<u8>)>);
}

/// Nobody to share with.
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
    /// Its spelling, the same for all positions that are the same up to symmetry, and whether it is the
    /// negative of the one that is spelled.
    fn spelled(&self) -> (Vec<u8>, bool);

    /// Whether it is large enough to be worth asking for.
    fn large(&self) -> bool;
}

/// What it costs to ask, in positions valued meanwhile; and what a value must have cost to be told.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// A question is asked when so many positions were valued since the last one.
    pub question: u64,
    /// What took fewer positions is not kept.
    pub least: u64,
}

/// How much was shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Questions asked, each for several positions.
    pub questions: u64,
    /// Values that others had found.
    pub recalled: u64,
    /// Notes that were passed over.
    pub spoiled: u64,
    /// Values told to others.
    pub kept: u64,
}

/// The notes of one family, as a search uses them.
pub struct Shared<'a> {
    notes: &'a dyn Notes,
    family: ProblemId,
    price: Price,
    /// The work done when the last question was asked.
    asked: u64,
    waiting: Vec<(Key, Vec<u8>)>,
    /// What was shared so far.
    pub tally: Tally,
}

impl<'a> Shared<'a> {
    /// The notes of a family, named with all that its values depend on.
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

    /// Hands over what is waiting to be kept.
    pub fn flush(&mut self) {
        if !self.waiting.is_empty() {
            self.tally.kept += self.waiting.len() as u64;
            self.notes.keep(self.family, std::mem::take(&mut self.waiting));
        }
    }
}

/// The id under which the notes of a family are kept.
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

/// The note that a value leaves, if it is not too long.
#[must_use]
pub fn note(games: &Games, family: ProblemId, key: Key, value: Value) -> Option<Vec<u8>> {
    let form = games.to_bytes(value, LONGEST_NOTE - CHECKSUM)?;
    Some([&checksum(family, key, &form)[..], &form].concat())
}

/// The value of a note, if it is sound.
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
    // First beside the arena: what is no value must not use up its limit.
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
