//! What runs refer to: answers by their keys, and the certificates of answers.

use std::collections::{BTreeSet, HashSet};

use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Certificate};

use super::backend::Batch;
use super::keys::{self, ANSWERS, ITEMS, META, UNITS};
use super::record::Record;
use super::{COLLECT_KEY, Journal, JournalError};
use crate::core::{ItemRecord, RunId, UnitRecord};

/// The answers of some runs.
#[derive(Debug, Default)]
pub struct OwnAnswers {
    /// Those that no other run refers to.
    pub only: Vec<ContentKey>,
    /// How many others do.
    pub shared: u64,
}

impl Journal {
    /// The answers of these runs, and which of them no other run refers to. Reads the items of all
    /// runs.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn answers_of(&self, runs: &BTreeSet<RunId>) -> Result<OwnAnswers, JournalError> {
        let mut own: HashSet<ContentKey> = HashSet::new();
        self.each_answer_key(&mut |run, key| {
            if runs.contains(&run) {
                own.insert(key);
            }
        })?;
        let all = own.len();
        self.each_answer_key(&mut |run, key| {
            if !runs.contains(&run) {
                own.remove(&key);
            }
        })?;
        Ok(OwnAnswers { shared: (all - own.len()) as u64, only: own.into_iter().collect() })
    }

    fn each_answer_key(
        &self,
        visit: &mut dyn FnMut(RunId, ContentKey),
    ) -> Result<(), JournalError> {
        self.scan(ITEMS, |key, value| {
            // What cannot be read refers to nothing that could be found.
            if let (Some((run, ..)), Ok(ItemRecord { answer: Some(answer), .. })) =
                (keys::read(key), ItemRecord::from_bytes(value))
            {
                visit(run, answer);
            }
        })
    }

    /// Visits the certificates of all answers but those in `without`, and of answers that wait to be
    /// verified.
    ///
    /// # Errors
    /// If a disk operation fails, or a record cannot be read: its certificates are unknown.
    pub fn each_certificate(
        &self,
        without: &HashSet<ContentKey>,
        mut visit: impl FnMut(&Certificate),
    ) -> Result<(), JournalError> {
        let mut damaged = None;
        self.scan(ANSWERS, |key, value| {
            let known = key.try_into().map(ContentKey);
            if known.is_ok_and(|key| without.contains(&key)) {
                return;
            }
            match Answer::from_bytes(value) {
                Ok(answer) => answer.certificates.iter().for_each(&mut visit),
                Err(why) => damaged = Some((format!("answers {}", super::hex(key)), why)),
            }
        })?;
        self.scan(UNITS, |key, value| match UnitRecord::from_bytes(value) {
            Ok(UnitRecord { claim: Some(claim), .. }) => {
                claim.answer.certificates.iter().for_each(&mut visit);
            }
            Ok(_) => {}
            Err(why) => damaged = Some((format!("units {}", super::hex(key)), why)),
        })?;
        match damaged {
            None => Ok(()),
            Some((key, why)) => {
                self.damage.note(key.clone(), &why);
                Err(JournalError::Damaged { path: self.place(), key, why })
            }
        }
    }

    /// Whether answers were deleted whose certificates may still be there.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn owes_collection(&self) -> Result<bool, JournalError> {
        Ok(self.number(COLLECT_KEY)? != 0)
    }

    /// The certificates of deleted answers are gone.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub fn collected(&self) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.delete(META, COLLECT_KEY);
        self.backend.commit(batch)
    }

    /// Moves an answer that cannot be read out of the way, with all its bytes.
    pub(super) fn set_aside(&self, key: ContentKey, bytes: &[u8]) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.put(META, format!("damaged answers {key}"), bytes);
        batch.delete(ANSWERS, key.0);
        self.backend.commit(batch)
    }
}
