//! Layout of the store in RocksDB: column families, keys, the merge operator, and the settings,
//! both fixed and chosen by the owner. Relies on `merge` to combine records.

use std::sync::Arc;

use hasami_andor::{Key, ProblemId};
use rocksdb::{
    BlockBasedOptions, Cache, ColumnFamilyDescriptor, DBCompressionType, DBRecoveryMode,
    InfoLogger, LogLevel, MergeOperands, Options,
};

use crate::alarm::Alarm;
use hasami_record::{Merged, merge};

/// The column family of the store's metadata and of notes. Notes have no family of their own, so
/// that programs older than notes can still open the store.
pub(crate) const META: &str = "meta";
/// The column family of the records.
pub(crate) const POSITIONS: &str = "positions";
/// The key in [`META`] of the format version.
pub(crate) const FORMAT_KEY: &[u8] = b"format";

/// Prefix of the keys of notes in [`META`].
pub(crate) const NOTE: &[u8] = b"note:";

/// Options for opening a store.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Create the store if the directory is missing or empty.
    pub create: bool,
    /// Make every publish durable before it returns, as if followed by a sync.
    pub sync_writes: bool,
    /// Memory for blocks, indexes and filters read from disk.
    pub cache_bytes: usize,
    /// Memory for records not yet written to a sorted file; up to three times this is used.
    pub buffer_bytes: usize,
    /// Maximum number of open files.
    pub open_files: u16,
    /// Maximum number of threads for flush and compaction.
    pub background_jobs: u8,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            create: true,
            sync_writes: false,
            cache_bytes: 256 << 20,
            buffer_bytes: 64 << 20,
            open_files: 512,
            background_jobs: 2,
        }
    }
}

/// The key of a state in [`POSITIONS`]: big-endian, so that a problem is one range.
pub(crate) fn position(problem: ProblemId, key: Key) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&problem.0.to_be_bytes());
    bytes[16..].copy_from_slice(&key.0.to_be_bytes());
    bytes
}

/// The key of a note in [`META`].
pub(crate) fn note(family: ProblemId, key: Key) -> Vec<u8> {
    [NOTE, &position(family, key)].concat()
}

/// The state of a key in [`POSITIONS`].
pub(crate) fn state(position: &[u8]) -> Option<(ProblemId, Key)> {
    let (problem, key) = position.split_first_chunk::<16>()?;
    let key = <[u8; 16]>::try_from(key).ok()?;
    Some((ProblemId(u128::from_be_bytes(*problem)), Key(u128::from_be_bytes(key))))
}

/// The settings of the whole database.
pub(crate) fn database(options: &OpenOptions, create: bool) -> Options {
    let mut database = Options::default();
    database.create_if_missing(create);
    database.create_missing_column_families(create);
    database.set_max_open_files(options.open_files.into());
    database.set_max_background_jobs(options.background_jobs.max(2).into());
    // A record torn by a crash was never synced; anything else unreadable is damage.
    database.set_wal_recovery_mode(DBRecoveryMode::TolerateCorruptedTailRecords);
    database.set_track_and_verify_wals_in_manifest(true);
    database.set_stats_dump_period_sec(0);
    // No LOG files: opening must not change a store that is refused, not even by a file.
    database.set_info_logger(InfoLogger::new_callback_logger(LogLevel::Warn, |_, text| {
        tracing::debug!(target: "hasami_store::rocksdb", "{}", text.trim_end());
    }));
    database
}

/// The column families of a store; their merges report to `alarm`.
pub(crate) fn families(options: &OpenOptions, alarm: &Arc<Alarm>) -> Vec<ColumnFamilyDescriptor> {
    let mut blocks = BlockBasedOptions::default();
    blocks.set_block_cache(&Cache::new_lru_cache(options.cache_bytes));
    blocks.set_cache_index_and_filter_blocks(true);
    blocks.set_pin_l0_filter_and_index_blocks_in_cache(true);
    blocks.set_bloom_filter(10.0, false);
    blocks.set_whole_key_filtering(true);

    let mut positions = Options::default();
    positions.set_block_based_table_factory(&blocks);
    positions.set_compression_type(DBCompressionType::Lz4);
    positions.set_bottommost_compression_type(DBCompressionType::Zstd);
    positions.set_write_buffer_size(options.buffer_bytes);
    positions.set_max_write_buffer_number(3);
    // A merge operand does not end a read: it goes on to older buffers, which rarely have the key.
    positions.set_memtable_prefix_bloom_ratio(0.1);
    positions.set_memtable_whole_key_filtering(true);
    let mut meta = Options::default();
    meta.set_block_based_table_factory(&blocks);
    meta.set_compression_type(DBCompressionType::Lz4);
    meta.set_write_buffer_size(options.buffer_bytes / 8);
    let alarm = Arc::clone(alarm);
    // The name is part of the format: RocksDB refuses a store written under another name.
    positions.set_merge_operator_associative(
        "hasami.merge.1",
        move |position: &[u8], existing: Option<&[u8]>, operands: &MergeOperands| {
            let merged = merge(existing.into_iter().chain(operands))?;
            if let (Merged::Fault(fault), Some((problem, key))) = (merged, state(position)) {
                alarm.raise(problem, key, fault);
            }
            Some(merged.to_vec())
        },
    );
    vec![ColumnFamilyDescriptor::new(META, meta), ColumnFamilyDescriptor::new(POSITIONS, positions)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_names_its_state_and_sorts_by_problem_first() {
        let (low, high) = (ProblemId(1), ProblemId(1 << 120));
        let position_of = |problem| position(problem, Key(u128::MAX - 1));
        assert_eq!(state(&position_of(high)), Some((high, Key(u128::MAX - 1))));
        assert!(position_of(low) < position(high, Key(0)));
        assert_eq!(state(&[0; 31]), None);
        assert_eq!(state(&[0; 33]), None);
    }
}
