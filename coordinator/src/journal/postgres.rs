//! The journal in PostgreSQL: it outlives the machine of the coordinator, and another coordinator
//! can take over. Every commit is one atomic call that the database refuses unless the caller's
//! epoch is the one in its table.

mod address;
mod database;
mod lead;
mod schema;
mod tls;
mod write;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_stream::StreamExt as _;

pub use address::{Address, AddressError};
pub use lead::Candidate;

use super::backend::{Backend, Batch, Family};
use super::keys::{FAMILIES, META};
use super::rocks::Rocks;
use super::{Journal, JournalError, files};
use database::{Database, Trouble};
use lead::{Pulse, Renewal};
use write::{Writer, number};

/// Records copied together into a checkpoint.
const COPIED: usize = 10_000;

/// A database that this coordinator may read, and does not lead yet.
pub struct Reached(Arc<Database>);

impl Reached {
    /// Reaches the database of an address. A database that is away is tried again for `patience`,
    /// now and later.
    ///
    /// # Errors
    /// If it refuses or cannot be reached.
    pub fn open(address: &Address, patience: Duration) -> Result<Self, JournalError> {
        Ok(Self(Arc::new(Database::open(address, patience)?)))
    }

    /// A file that the leader has kept; see [`Journal::keep_file`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn file(&self, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
        get(&self.0, META, &files::key(name))
    }

    /// Waits until this coordinator leads, and opens the journal; `None` if `go_on` says to stop.
    ///
    /// # Errors
    /// If another leads and this one does not stand by, or the database fails.
    pub fn lead(
        &self,
        candidate: &Candidate,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Journal>, JournalError> {
        let Some(won) = lead::win(&self.0, candidate, go_on)? else { return Ok(None) };
        let epoch = won.epoch;
        let renewal = Renewal::start(Arc::clone(&self.0), won)
            .map_err(|error| self.0.io(format!("no thread: {error}")))?;
        let backend = Postgres {
            database: Arc::clone(&self.0),
            writer: Writer::new(epoch),
            pulse: Arc::clone(&renewal.pulse),
            renewal: Mutex::new(renewal),
            epoch,
        };
        Journal::begin(Box::new(backend), None, true).map(Some)
    }
}

/// A journal in PostgreSQL that this coordinator leads.
pub struct Postgres {
    database: Arc<Database>,
    writer: Writer,
    pulse: Arc<Pulse>,
    renewal: Mutex<Renewal>,
    epoch: u64,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.close();
    }
}

fn get(database: &Database, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
    let query = format!(
        "SELECT value FROM \"{}\".entries WHERE family = $1 AND key = $2",
        database.address.name()
    );
    database.read(async |client| {
        let row = client.query_opt(&query, &[&number(family), &key]).await?;
        Ok(row.map(|row| row.get(0)))
    })
}

impl Postgres {
    fn name(&self) -> &str {
        self.database.address.name()
    }

    /// Visits rows as they come: a journal may be larger than memory.
    fn rows(
        &self,
        query: &str,
        params: &[&(dyn tokio_postgres::types::ToSql + Sync)],
        visit: &mut dyn FnMut(&tokio_postgres::Row),
    ) -> Result<(), JournalError> {
        self.database.read(async |client| {
            let rows = client.query_raw(query, params.iter().copied()).await?;
            tokio::pin!(rows);
            let mut any = false;
            while let Some(row) = rows.next().await {
                // What was visited cannot be taken back: a scan is not tried again.
                let row = row.map_err(|error| match Trouble::from(error) {
                    Trouble::Passing(message) if any => Trouble::Lasting(message),
                    trouble => trouble,
                })?;
                any = true;
                visit(&row);
            }
            Ok(())
        })
    }
}

impl Backend for Postgres {
    fn place(&self) -> String {
        self.database.place()
    }

    fn epoch(&self, _last: u64) -> u64 {
        self.epoch
    }

    fn get(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        match self.writer.latest(family, key) {
            Some(value) => Ok(Some(value)),
            None => get(&self.database, family, key),
        }
    }

    fn get_many(
        &self,
        family: Family,
        keys: &[&[u8]],
    ) -> Result<Vec<Option<Vec<u8>>>, JournalError> {
        let query = format!(
            "SELECT e.value FROM unnest($2::bytea[]) WITH ORDINALITY AS k(key, place) \
             LEFT JOIN \"{}\".entries e ON e.family = $1 AND e.key = k.key ORDER BY k.place",
            self.name()
        );
        self.database.read(async |client| {
            let rows = client.query(&query, &[&number(family), &keys]).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn scan(
        &self,
        family: Family,
        from: &[u8],
        to: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<(), JournalError> {
        let query = format!(
            "SELECT key, value FROM \"{}\".entries WHERE family = $1 AND key >= $2 \
             AND ($3::bytea IS NULL OR key < $3) ORDER BY key",
            self.name()
        );
        self.rows(&query, &[&number(family), &from, &to], &mut |row| visit(row.get(0), row.get(1)))
    }

    fn keys(&self, family: Family, visit: &mut dyn FnMut(&[u8])) -> Result<(), JournalError> {
        let query = format!("SELECT key FROM \"{}\".entries WHERE family = $1", self.name());
        self.rows(&query, &[&number(family)], &mut |row| visit(row.get(0)))
    }

    fn last(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        let query = format!(
            "SELECT key FROM \"{}\".entries WHERE family = $1 AND key <= $2 \
             ORDER BY key DESC LIMIT 1",
            self.name()
        );
        self.database.read(async |client| {
            let row = client.query_opt(&query, &[&number(family), &key]).await?;
            Ok(row.map(|row| row.get(0)))
        })
    }

    fn commit(&self, batch: Batch) -> Result<(), JournalError> {
        self.pulse.round(true);
        let written = self.writer.commit(&self.database, batch);
        self.pulse.round(false);
        written
    }

    /// Reads everything in one snapshot, into a new RocksDB.
    fn checkpoint(&self, directory: &Path) -> Result<(), JournalError> {
        let copy = Rocks::open(directory, None)?;
        let query = format!(
            "SELECT family, key, value FROM \"{}\".entries ORDER BY family, key",
            self.name()
        );
        let mut batch = Batch::default();
        let mut failed = None;
        let mut write = |batch: &mut Batch| {
            if failed.is_none() {
                failed = copy.commit(std::mem::take(batch)).err();
            }
        };
        // One statement sees one moment.
        self.rows(&query, &[], &mut |row| {
            let family = usize::try_from(row.get::<_, i16>(0)).ok();
            let (key, value): (&[u8], &[u8]) = (row.get(1), row.get(2));
            let Some(name) = family.and_then(|at| FAMILIES.get(at)) else { return };
            // Tokens stay where they are: a checkpoint has none.
            if *name == META && key.starts_with(b"file ") {
                return;
            }
            batch.put(name, key, value);
            if batch.0.len() >= COPIED {
                write(&mut batch);
            }
        })?;
        write(&mut batch);
        failed.map_or(Ok(()), Err)
    }

    fn alive(&self) -> Result<(), JournalError> {
        self.pulse.round(false);
        if self.pulse.is_deposed() {
            return Err(JournalError::Deposed { path: self.place(), epoch: self.epoch });
        }
        Ok(())
    }

    fn leads(&self) -> Result<(), JournalError> {
        let query = format!("SELECT epoch FROM \"{}\".leader", self.name());
        let epoch: i64 =
            self.database.read(async |client| Ok(client.query_one(&query, &[]).await?.get(0)))?;
        if epoch as u64 == self.epoch {
            return Ok(());
        }
        Err(JournalError::Deposed { path: self.place(), epoch: self.epoch })
    }

    fn close(&self) {
        self.renewal.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }
}
