//! Keys of the records: big-endian numbers, so that keys sort as numbers.

use crate::core::{ItemNo, RunId, UnitNo};

pub const META: &str = "meta";
pub const RUNS: &str = "runs";
pub const ITEMS: &str = "items";
pub const UNITS: &str = "units";
pub const ANSWERS: &str = "answers";
pub const WORKERS: &str = "workers";
pub const HISTORY: &str = "history";
/// All column families; RocksDB requires the default one too.
pub const FAMILIES: [&str; 8] = ["default", META, RUNS, ITEMS, UNITS, ANSWERS, WORKERS, HISTORY];

pub fn run(run: u64) -> [u8; 8] {
    run.to_be_bytes()
}

pub fn item(run: RunId, item: ItemNo) -> [u8; 12] {
    let mut key = [0; 12];
    key[..8].copy_from_slice(&run.0.to_be_bytes());
    key[8..].copy_from_slice(&item.0.to_be_bytes());
    key
}

pub fn unit(run: RunId, item_no: ItemNo, unit: UnitNo) -> [u8; 16] {
    let mut key = [0; 16];
    key[..12].copy_from_slice(&item(run, item_no));
    key[12..].copy_from_slice(&unit.0.to_be_bytes());
    key
}

/// The first key of an item's units, and the end of their range.
pub fn units_of(run: RunId, item_no: ItemNo) -> ([u8; 16], [u8; 16]) {
    let from = unit(run, item_no, UnitNo(0));
    let after = u128::from_be_bytes(from).wrapping_add(1 << 32);
    (from, after.to_be_bytes())
}

/// `clock` rises with every batch; `place` is the index in the batch.
pub fn history(run: RunId, item_no: ItemNo, clock: u64, epoch: u64, place: u32) -> [u8; 32] {
    let mut key = [0; 32];
    key[..12].copy_from_slice(&item(run, item_no));
    key[12..20].copy_from_slice(&clock.to_be_bytes());
    key[20..28].copy_from_slice(&epoch.to_be_bytes());
    key[28..].copy_from_slice(&place.to_be_bytes());
    key
}

/// The first key after all that begin with `prefix`; `None` if there is none.
pub fn after(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != 0xff)?;
    let mut after = prefix[..=last].to_vec();
    after[last] += 1;
    Some(after)
}

/// The numbers in a key.
pub fn read(key: &[u8]) -> Option<(RunId, ItemNo, UnitNo)> {
    let run = key.get(..8)?.try_into().ok().map(u64::from_be_bytes)?;
    let number = |from: usize| {
        key.get(from..from + 4)
            .and_then(|bytes| bytes.try_into().ok())
            .map_or(0, u32::from_be_bytes)
    };
    Some((RunId(run), ItemNo(number(8)), UnitNo(number(12))))
}
