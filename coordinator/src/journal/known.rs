//! Which items of a sweep have answers already. A sweep of millions of items cannot ask the engine
//! for each: a table of bits says of most keys that they have no answer.

use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Sweep};

use super::keys::ANSWERS;
use super::record::Record;
use super::{Journal, JournalError};
use crate::core::ItemNo;

/// Keys looked up together.
const LOOKUP: usize = 4096;
/// With more items than this, all keys of answers are read first.
const FEW: usize = 20_000;
/// Bits of the table, as a power of two: 32 MiB. With ten million answers it passes on four keys of
/// a hundred that have none.
const BITS: u32 = 28;

/// An item whose answer is known: its number, the key of the answer, and whether it is settled.
pub type Known = (ItemNo, ContentKey, bool);

/// A set of keys that may contain more than was put into it.
struct Filter {
    bits: Vec<u64>,
    empty: bool,
}

impl Filter {
    fn new() -> Self {
        Self { bits: vec![0; 1 << (BITS - 6)], empty: true }
    }

    fn place(key: &[u8]) -> Option<(usize, u64)> {
        // Keys are hashes: any bits of them will do.
        let at = key.first_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes))? >> (64 - BITS);
        Some(((at >> 6) as usize, 1 << (at & 63)))
    }

    fn add(&mut self, key: &[u8]) {
        if let Some((word, bit)) = Self::place(key) {
            self.bits[word] |= bit;
            self.empty = false;
        }
    }

    fn may_have(&self, key: ContentKey) -> bool {
        Self::place(&key.0).is_some_and(|(word, bit)| self.bits[word] & bit != 0)
    }
}

impl Journal {
    /// The items of a sweep that have answers which can be read.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn known(&self, sweep: &Sweep) -> Result<Vec<Known>, JournalError> {
        if sweep.len() <= FEW {
            return self.known_of(sweep, 0..sweep.len(), None);
        }
        let filter = self.filter()?;
        if filter.empty {
            return Ok(Vec::new());
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let share = sweep.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|part| {
                    let from = (part * share).min(sweep.len());
                    let items = from..(from + share).min(sweep.len());
                    let filter = &filter;
                    scope.spawn(move || self.known_of(sweep, items, Some(filter)))
                })
                .collect();
            let mut all = Vec::new();
            for part in parts {
                all.extend(part.join().expect("a lookup does not panic")?);
            }
            Ok::<_, JournalError>(all)
        })
    }

    fn known_of(
        &self,
        sweep: &Sweep,
        items: std::ops::Range<usize>,
        filter: Option<&Filter>,
    ) -> Result<Vec<Known>, JournalError> {
        let mut known = Vec::new();
        let mut asked: Vec<Known> = Vec::with_capacity(LOOKUP);
        for (item, (settled, open)) in items.clone().zip(sweep.keys(items)) {
            for (key, is_settled) in [(settled, true), (open, false)] {
                if filter.is_none_or(|filter| filter.may_have(key)) {
                    asked.push((ItemNo(item as u32), key, is_settled));
                }
            }
            if asked.len() >= LOOKUP - 1 {
                self.ask(&mut asked, &mut known)?;
            }
        }
        self.ask(&mut asked, &mut known)?;
        Ok(known)
    }

    /// Looks up keys; a settled answer of an item goes before an open one.
    fn ask(&self, asked: &mut Vec<Known>, known: &mut Vec<Known>) -> Result<(), JournalError> {
        let keys: Vec<ContentKey> = asked.iter().map(|(_, key, _)| *key).collect();
        for (one, there) in asked.drain(..).zip(self.answered(&keys)?) {
            if there && known.last().is_none_or(|(last, ..)| *last != one.0) {
                known.push(one);
            }
        }
        Ok(())
    }

    /// Which of the keys have an answer that can be read. One that cannot is set aside, so that
    /// the question can be answered again.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn answered(&self, keys: &[ContentKey]) -> Result<Vec<bool>, JournalError> {
        let raw: Vec<&[u8]> = keys.iter().map(|key| key.0.as_slice()).collect();
        let found = self.backend.get_many(ANSWERS, &raw)?;
        keys.iter()
            .zip(found)
            .map(|(key, found)| -> Result<bool, JournalError> {
                let Some(bytes) = found else { return Ok(false) };
                let Err(why) = Answer::from_bytes(&bytes) else { return Ok(true) };
                self.damage.note(format!("answers {key}"), &why);
                self.set_aside(*key, &bytes)?;
                Ok(false)
            })
            .collect()
    }

    /// All keys of answers, roughly.
    fn filter(&self) -> Result<Filter, JournalError> {
        let mut filter = Filter::new();
        self.backend.keys(ANSWERS, &mut |key| filter.add(key))?;
        Ok(filter)
    }
}
