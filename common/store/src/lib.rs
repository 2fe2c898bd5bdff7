//! The shared transposition store: what the cluster knows about states, by problem and key.
//! [`Store`] is the interface that a server needs. [`RocksStore`] stores on disk, and
//! [`RocksReader`] reads such a store; [`RedisStore`] stores on servers that many machines share.
//! [`connect`] picks one. Relies only on the keys and numbers of `hasami-andor`.

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

/// A store of records that many searches read and write in batches.
///
/// Publishing never removes knowledge: a settled record beats an open one and more work beats less,
/// in any order of arrival (see [`merge`]). If one search publishes a state as proven and another
/// as disproven, a kernel or a game is wrong, or one of them lies; every call about that problem
/// then returns this error until the problem is [forgotten](Store::forget).
pub trait Store: Send + Sync {
    /// Puts into `out` what is known about each key, in the order of `keys`. Drops what `out` held
    /// before; after an error it is empty.
    ///
    /// # Errors
    /// If a verdict is contradicted, or the store is damaged or unreadable.
    fn lookup(
        &self,
        problem: ProblemId,
        keys: &[Key],
        out: &mut Vec<Option<Record>>,
    ) -> Result<(), StoreError>;

    /// Adds all the records or none. Only if servers are lost meanwhile
    /// ([`StoreError::Unreachable`]) may some of the records be added; publishing them again is
    /// safe. Every later lookup sees the records, and they outlive this process, but until
    /// [`Store::sync`] has returned a crash of the machine may lose them.
    ///
    /// A later call may be the first to notice a contradiction; from then on nothing is accepted
    /// about that problem.
    ///
    /// # Errors
    /// If a verdict is contradicted, a record is invalid, or the store cannot be written.
    fn publish(&self, problem: ProblemId, records: &[(Key, Record)]) -> Result<(), StoreError>;

    /// Makes everything published before this call durable: no crash loses it. On servers this
    /// depends on their configuration: see [`RedisStore`].
    ///
    /// # Errors
    /// If the disk does not confirm it; then nothing since the last success is guaranteed.
    fn sync(&self) -> Result<(), StoreError>;

    /// Visits every record of `problem` with at least `min_work`, in any order. A record that is
    /// published meanwhile may be visited or not.
    ///
    /// # Errors
    /// If something cannot be read. A conflict is an error too, but only after all sound records
    /// have been visited.
    fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        visit: &mut dyn FnMut(Key, Record),
    ) -> Result<(), StoreError>;

    /// The faults that were met since the store was opened, one for each problem. Work in the
    /// background may meet one that no call has reported yet.
    fn faults(&self) -> Vec<StoreError>;

    /// Removes all records of a problem, and its fault. What they knew must be searched again.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn forget(&self, problem: ProblemId) -> Result<(), StoreError>;

    /// The notes under these keys, in their order. A note is bytes that a search has left for
    /// others. The store does not interpret them; readers must check them.
    ///
    /// # Errors
    /// If the store is damaged or unreadable.
    fn notes(&self, family: ProblemId, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// Stores notes; replaces those under the same keys. They are as durable as records.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn keep_notes(&self, family: ProblemId, notes: &[(Key, Vec<u8>)]) -> Result<(), StoreError>;
}
