//! What a journal needs of the engine beneath it: ordered bytes in families, and batches that are
//! written as a whole or not at all. [`Rocks`](super::rocks::Rocks) keeps them in a directory,
//! [`Postgres`](super::postgres::Postgres) in a database that outlives this machine.

use std::path::Path;

use super::JournalError;

/// The name of a family; see [`FAMILIES`](super::keys::FAMILIES).
pub type Family = &'static str;

/// One change of a batch.
pub enum Op {
    /// Sets a value.
    Put(Family, Vec<u8>, Vec<u8>),
    /// Removes a value, if it is there.
    Delete(Family, Vec<u8>),
    /// Removes all values from the first key up to, and without, the second.
    DeleteRange(Family, Vec<u8>, Vec<u8>),
}

/// Changes in their order; later ones win.
#[derive(Default)]
pub struct Batch(pub Vec<Op>);

impl Batch {
    /// Sets a value.
    pub fn put(&mut self, family: Family, key: impl AsRef<[u8]>, value: impl Into<Vec<u8>>) {
        self.0.push(Op::Put(family, key.as_ref().to_vec(), value.into()));
    }

    /// Removes a value.
    pub fn delete(&mut self, family: Family, key: impl AsRef<[u8]>) {
        self.0.push(Op::Delete(family, key.as_ref().to_vec()));
    }

    /// Removes the values from `from` up to, and without, `to`.
    pub fn delete_range(&mut self, family: Family, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) {
        self.0.push(Op::DeleteRange(family, from.as_ref().to_vec(), to.as_ref().to_vec()));
    }
}

/// An engine. Everything that it has written is durable when `commit` returns.
pub trait Backend: Send + Sync {
    /// Where the data is, for messages. Without secrets.
    fn place(&self) -> String;

    /// The number of this start, where the last one that is recorded was `last`.
    fn epoch(&self, last: u64) -> u64;

    /// The value of a key.
    fn get(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError>;

    /// The values of many keys, in their order.
    fn get_many(
        &self,
        family: Family,
        keys: &[&[u8]],
    ) -> Result<Vec<Option<Vec<u8>>>, JournalError>;

    /// Visits the entries from `from` up to, and without, `to`, in the order of their keys; `None`:
    /// up to the last.
    fn scan(
        &self,
        family: Family,
        from: &[u8],
        to: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<(), JournalError>;

    /// Visits all keys of a family.
    fn keys(&self, family: Family, visit: &mut dyn FnMut(&[u8])) -> Result<(), JournalError>;

    /// The last key that is not after `key`.
    fn last(&self, family: Family, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError>;

    /// Writes all changes or none; they are durable when this returns.
    fn commit(&self, batch: Batch) -> Result<(), JournalError>;

    /// Copies everything, as of one moment, to a directory that does not exist yet. The copy is a
    /// journal of RocksDB.
    fn checkpoint(&self, directory: &Path) -> Result<(), JournalError>;

    /// The scheduler has gone round without anything to write. An error: it must stop.
    fn alive(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Whether nobody else has begun since. Always so where one process has the data to itself.
    fn leads(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Nothing more will be written: another may begin at once.
    fn close(&self) {}

    /// RocksDB, for tests that damage or measure it.
    #[cfg(test)]
    fn rocks(&self) -> &super::rocks::Rocks {
        panic!("not a journal in a directory")
    }
}
