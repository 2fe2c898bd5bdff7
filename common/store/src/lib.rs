//! The shared transposition store: what the cluster knows of states, under problem and key.
//! [`Store`] is what a server needs; [`RocksStore`] keeps it on a disk, and [`RocksReader`] looks
//! at what is there; [`RedisStore`] keeps it on servers that many machines share. [`connect`]
//! picks one. Relies only on the keys and numbers of `hasami-andor`.

mod alarm;
mod checkpoint;
mod connect;
mod error;
mod files;
mod hold;
mod layout;
mod marker;
mod reader;
mod redis;
mod rocks;
mod stats;

use hasami_andor::{Key, ProblemId};

pub use connect::{Engine, connect};
pub use error::StoreError;
pub use hasami_record::{Entry, Fault, MAX_WORDS, Merged, Record, RecordError, Words, merge};
pub use layout::OpenOptions;
pub use marker::FORMAT;
pub use reader::RocksReader;
pub use redis::RedisStore;
pub use rocks::RocksStore;
pub use stats::{Counts, Stats};

/// A store of records that many searches fill and ask, in batches.
///
/// Publishing never takes knowledge away: a settled record beats an open one and more work beats
/// less, whatever the order of arrival (see [`merge`]). A state told proven by one search and
/// disproven by another is an error in a kernel or a game; such a store says so for ever.
pub trait Store: Send + Sync {
    /// Puts into `out` what is known of each key, in the order of `keys`. What `out` held before
    /// is dropped; after an error it is empty.
    ///
    /// # Errors
    /// When a verdict is contradicted, or the store is damaged or cannot be read.
    fn lookup(
        &self,
        problem: ProblemId,
        keys: &[Key],
        out: &mut Vec<Option<Record>>,
    ) -> Result<(), StoreError>;

    /// Adds the records, all or none; of those on their way to servers that are lost meanwhile
    /// ([`StoreError::Unreachable`]) any may be added, and publishing them again does no harm.
    /// They are seen by every later lookup and outlive this process, but a crash of the machine
    /// may take them back until [`Store::sync`] has returned.
    ///
    /// A contradiction may be noticed only by a later call: by then nothing more is accepted.
    ///
    /// # Errors
    /// When a verdict is contradicted, a record cannot exist, or the store cannot be written.
    fn publish(&self, problem: ProblemId, records: &[(Key, Record)]) -> Result<(), StoreError>;

    /// Makes everything published before this call durable: no crash takes it back. On servers
    /// this is as true as they are set up for: see [`RedisStore`].
    ///
    /// # Errors
    /// When the disk does not confirm it; nothing since the last success may then be relied on.
    fn sync(&self) -> Result<(), StoreError>;

    /// Shows every record of `problem` with at least `min_work`, in any order; one that is
    /// published meanwhile may be shown or not.
    ///
    /// # Errors
    /// When something cannot be read. A conflict is an error too, but only after all records that
    /// are sound have been shown.
    fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        visit: &mut dyn FnMut(Key, Record),
    ) -> Result<(), StoreError>;

    /// The notes under these keys, in their order. A note is bytes that a search has left for others;
    /// the store does not know what they say, and whoever reads them must check them.
    ///
    /// # Errors
    /// When the store is damaged or cannot be read.
    fn notes(&self, family: ProblemId, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// Keeps notes; what was there under their keys is replaced. They are as durable as records.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn keep_notes(&self, family: ProblemId, notes: &[(Key, Vec<u8>)]) -> Result<(), StoreError>;
}
