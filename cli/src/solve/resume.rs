//! A store behind the table: what earlier searches learned comes in, what this one learns goes out.

use std::path::Path;

use hasami_andor::table::Entry;
use hasami_andor::{Key, ProblemId, Table};
use hasami_games::Game;
use hasami_store::{OpenOptions, Record, RocksStore, Store, Words};

use crate::failure::Failure;

/// States that cost less than this are cheaper to search again than to keep.
const MIN_WORK: u32 = 4;
const BATCH: usize = 4096;

/// A store in use.
pub struct Resume {
    store: RocksStore,
    problem: ProblemId,
}

impl Resume {
    /// Opens (or makes) the store and fills the table from it.
    pub fn open<G: Game>(path: &Path, game: &G, table: &Table<G::Reason>) -> Result<Self, Failure> {
        let store = RocksStore::open(path, OpenOptions::default())?;
        let mut loaded = 0u64;
        let mut misfit = None;
        store.scan(game.id(), 0, |key, record| match record.reason.load::<G::Reason>() {
            None => misfit = Some(key),
            Some(reason) => {
                let work = record.work.min(u64::from(u32::MAX)) as u32;
                let best = record.best;
                table.store(key, &Entry { best, reason, ..Entry::new(record.numbers, work) });
                loaded += 1;
            }
        })?;
        if let Some(key) = misfit {
            return Err(Failure::Usage(format!(
                "{}: state {key} has a reason of another size than this game's",
                path.display()
            )));
        }
        if let Some(lore) = game.lore() {
            let notes = store.notes(lore.family(), &lore.keys())?;
            game.hear(&notes.into_iter().flatten().collect::<Vec<_>>());
        }
        if loaded > 0 {
            tracing::info!(store = %path.display(), states = loaded, "going on from the store");
        }
        Ok(Self { store, problem: game.id() })
    }

    /// Sends what is worth it from the table to the store.
    pub fn publish<R: hasami_andor::Reason>(&self, table: &Table<R>) -> Result<(), Failure> {
        let mut batch: Vec<(Key, Record)> = Vec::with_capacity(BATCH);
        let mut result = Ok(());
        table.for_each(|key, entry| {
            if entry.work < MIN_WORK || result.is_err() {
                return;
            }
            let reason = Words::of(entry.reason);
            let record =
                Record { reason, ..Record::new(entry.numbers, u64::from(entry.work), entry.best) };
            batch.push((key, record));
            if batch.len() == BATCH {
                result = self.store.publish(self.problem, &batch);
                batch.clear();
            }
        });
        result?;
        Ok(self.store.publish(self.problem, &batch)?)
    }

    /// Keeps what the search has learned for other questions.
    pub fn keep_lore<G: Game>(&self, game: &G) -> Result<(), Failure> {
        match game.lore() {
            Some(lore) => Ok(self.store.keep_notes(lore.family(), &lore.tell())?),
            None => Ok(()),
        }
    }

    /// Makes what was published durable.
    pub fn sync(&self) -> Result<(), Failure> {
        Ok(self.store.sync()?)
    }
}
