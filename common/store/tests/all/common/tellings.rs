//! The simplest model of a store, for any engine: a map, and the rule in one line.

use std::collections::HashMap;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_store::{Record, Store, Words};
use proptest::prelude::*;

pub type Model = HashMap<(ProblemId, Key), Record>;

/// Few keys, so that they collide. A key always has the same verdict, so that nothing contradicts.
pub fn any_record() -> impl Strategy<Value = (Key, Record)> {
    let reason = prop::collection::vec(0..3_u64, 0..=2);
    (0..12_u128, any::<bool>(), 1..4_u32, 0..5_u64, 0..3_u16, reason).prop_map(
        |(key, settled, proof, work, best, reason)| {
            let numbers = match (settled, key % 2) {
                (true, 0) => Numbers::PROVEN,
                (true, _) => Numbers::DISPROVEN,
                (false, _) => Numbers::open(proof, 2),
            };
            let reason = Words::new(&reason).unwrap();
            let record = Record { reason, ..Record::new(numbers, work, best) };
            (Key(key << 100), record)
        },
    )
}

/// What a store must do with these records.
pub fn apply(model: &mut Model, problem: ProblemId, records: &[(Key, Record)]) {
    for &(key, record) in records {
        let best = model.entry((problem, key)).or_insert(record);
        if better(&record, best) {
            *best = record;
        }
    }
}

/// The merge rule, without bytes except for the last tie.
fn better(new: &Record, old: &Record) -> bool {
    let rank = |record: &Record| {
        let mut bytes = Vec::new();
        record.encode(&mut bytes).unwrap();
        (record.numbers.settled(), record.work, bytes)
    };
    rank(new) > rank(old)
}

/// Checks every key that may be published, and two that never are.
pub fn agree(store: &dyn Store, problem: ProblemId, model: &Model) {
    let mut out = Vec::new();
    let keys: Vec<_> = (0..14).rev().map(|key| Key(key << 100)).collect();
    store.lookup(problem, &keys, &mut out).unwrap();
    let expected: Vec<_> = keys.iter().map(|&key| model.get(&(problem, key)).copied()).collect();
    assert_eq!(out, expected);
}
