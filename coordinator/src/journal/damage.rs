//! Records that cannot be read. They are counted, shown and left where they are: everything else
//! goes on.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// So many are described; more are only counted.
const DESCRIBED: usize = 1000;

/// The records of a journal that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Damage(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    found: BTreeMap<String, String>,
    more: u64,
}

impl Damage {
    /// Notes a record by its name; writes it to the log if it is new.
    pub fn note(&self, name: String, why: &str) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.found.contains_key(&name) {
            return;
        }
        if list.found.len() >= DESCRIBED {
            list.more += 1;
            return;
        }
        tracing::error!(record = name, "a record of the journal cannot be read: {why}");
        list.found.insert(name, why.to_string());
    }

    /// How many there are, and the first `most` in words.
    pub fn told(&self, most: usize) -> (u64, Vec<String>) {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let words = list.found.iter().take(most).map(|(name, why)| format!("{name}: {why}"));
        (list.found.len() as u64 + list.more, words.collect())
    }
}
