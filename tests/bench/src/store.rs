//! How fast batches are published and looked up, beside RocksDB alone with the same settings.

use std::error::Error;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_store::{OpenOptions, Record, RocksStore, Store};
use rocksdb::{BlockBasedOptions, Cache, DB, DBCompressionType, Options, WriteBatch};

use crate::figures::{Figure, Figures};

const PROBLEM: ProblemId = ProblemId(7);

/// Measures four kinds of batches, the median of some rounds.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Box<dyn Error>> {
    let (count, rounds) = if quick { (100_000, 2) } else { (1_000_000, 5) };
    let batch = 1000;
    let mut times = Vec::new();
    for number in 0..rounds {
        let dir = tempfile::tempdir()?;
        let store = RocksStore::open(dir.path().join("store"), OpenOptions::default())?;
        let raw = open_raw(&dir.path().join("raw"))?;
        times.push(round(&store, &raw, count, batch, number % 2 == 0)?);
    }
    let kinds = ["publish", "lookup, just published", "lookup, compacted", "lookup, not there"];
    let figure = |(index, what): (usize, &str)| {
        let median = |of: fn(&(Duration, Duration)) -> Duration| {
            let mut times: Vec<_> = times.iter().map(|round| of(&round[index])).collect();
            times.sort();
            count as f64 / times[times.len() / 2].as_secs_f64()
        };
        let (ours, raw) = (median(|times| times.0), median(|times| times.1));
        Figure {
            what: format!("{what}, batches of {batch}"),
            values: format!("{:.0} k/s, raw RocksDB {:.0} k/s", ours / 1e3, raw / 1e3),
            ratio: ours / raw,
            goal: Some((">= 0.8", ours / raw >= 0.8)),
        }
    };
    kinds.into_iter().enumerate().map(figure).for_each(|figure| figures.push(figure));
    Ok(())
}

/// RocksDB as the store sets it up, without the merge.
fn open_raw(path: &Path) -> Result<DB, rocksdb::Error> {
    let settings = OpenOptions::default();
    let mut blocks = BlockBasedOptions::default();
    blocks.set_block_cache(&Cache::new_lru_cache(settings.cache_bytes));
    blocks.set_cache_index_and_filter_blocks(true);
    blocks.set_pin_l0_filter_and_index_blocks_in_cache(true);
    blocks.set_bloom_filter(10.0, false);
    let mut options = Options::default();
    options.create_if_missing(true);
    options.set_max_open_files(settings.open_files.into());
    options.set_block_based_table_factory(&blocks);
    options.set_compression_type(DBCompressionType::Lz4);
    options.set_bottommost_compression_type(DBCompressionType::Zstd);
    options.set_write_buffer_size(settings.buffer_bytes);
    options.set_max_write_buffer_number(3);
    options.set_memtable_prefix_bloom_ratio(0.1);
    options.set_memtable_whole_key_filtering(true);
    DB::open_cf_with_opts(&options.clone(), path, [("default", options)])
}

/// Lets the flushes of what came before end, so that nobody pays for the other.
fn settle() {
    thread::sleep(Duration::from_secs(1));
}

type Round = [(Duration, Duration); 4];

fn round(
    store: &RocksStore,
    raw: &DB,
    count: u64,
    batch: u64,
    ours_first: bool,
) -> Result<Round, Box<dyn Error>> {
    let batches: Vec<_> =
        (0..count.div_ceil(batch)).map(|n| n * batch..((n + 1) * batch).min(count)).collect();
    let record = |n: u64| Record::new(Numbers::open(n as u32 % 50, n as u32 % 70), n, 3);
    let records: Vec<Vec<_>> = batches
        .iter()
        .map(|batch| batch.clone().map(|n| (Key::mixed(n.into()), record(n))))
        .map(Iterator::collect)
        .collect();

    let ours = || -> Result<(), Box<dyn Error>> {
        for batch in &records {
            store.publish(PROBLEM, batch)?;
        }
        Ok(())
    };
    let theirs = || -> Result<(), Box<dyn Error>> {
        for batch in &records {
            let mut puts = WriteBatch::default();
            for (key, record) in batch {
                let mut bytes = Vec::new();
                record.encode(&mut bytes)?;
                puts.put(position(*key), bytes);
            }
            raw.write(puts)?;
        }
        Ok(())
    };
    // Whoever comes second finds memory that is warm.
    let publish = if ours_first {
        (timed(ours)?, timed(theirs)?)
    } else {
        let theirs = timed(theirs)?;
        (timed(ours)?, theirs)
    };
    let fresh = lookups(store, raw, &batches, 0)?;
    store.compact()?;
    raw.flush()?;
    raw.compact_range(None::<&[u8]>, None::<&[u8]>);
    let sorted = lookups(store, raw, &batches, 0)?;
    let missing = lookups(store, raw, &batches, 1 << 64)?;
    Ok([publish, fresh, sorted, missing])
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    settle();
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn lookups(
    store: &RocksStore,
    raw: &DB,
    batches: &[std::ops::Range<u64>],
    offset: u128,
) -> Result<(Duration, Duration), Box<dyn Error>> {
    let family = raw.cf_handle("default").ok_or("no column family")?;
    let keys: Vec<Vec<_>> = batches
        .iter()
        .map(|batch| batch.clone().map(|n| Key::mixed(offset + u128::from(n))))
        .map(Iterator::collect)
        .collect();
    let (mut out, mut found) = (Vec::new(), [0, 0]);
    settle();
    let start = Instant::now();
    for batch in &keys {
        store.lookup(PROBLEM, batch, &mut out)?;
        found[0] += out.iter().flatten().count();
    }
    let ours = start.elapsed();
    settle();
    let start = Instant::now();
    for batch in &keys {
        let positions: Vec<_> = batch.iter().map(|&key| position(key)).collect();
        for value in raw.batched_multi_get_cf(family, &positions, false) {
            found[1] += usize::from(value?.is_some());
        }
    }
    assert_eq!(found[0], found[1]);
    Ok((ours, start.elapsed()))
}

fn position(key: Key) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&PROBLEM.0.to_be_bytes());
    bytes[16..].copy_from_slice(&key.0.to_be_bytes());
    bytes
}
