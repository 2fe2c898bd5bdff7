//! A store against its simplest model: a map, and the rule in one line.

use std::collections::HashMap;

use crate::common::tellings::{self, Model, any_record, apply};
use crate::common::{PROBLEM, contents, look, many, open, proven, scan, unsolved};
use hasami_andor::{Key, ProblemId};
use hasami_store::{Record, RocksStore, Store};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Publish(ProblemId, Vec<(Key, Record)>),
    Compact,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    // Neighbouring ids and the last one: a problem must end where the next begins.
    let problem = prop_oneof![Just(1), Just(2), Just(u128::MAX)].prop_map(ProblemId);
    prop_oneof![
        6 => (problem, prop::collection::vec(any_record(), 0..8))
            .prop_map(|(problem, records)| Step::Publish(problem, records)),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ]
}

fn agree(store: &RocksStore, model: &Model) {
    for problem in [1, 2, 3, u128::MAX].map(ProblemId) {
        tellings::agree(store, problem, model);
        let mut scanned = HashMap::new();
        store
            .scan(problem, 2, |key, record| {
                assert!(scanned.insert((problem, key), record).is_none());
            })
            .unwrap();
        let expected: Model = model
            .iter()
            .filter(|((id, _), record)| *id == problem && record.work >= 2)
            .map(|(&at, &record)| (at, record))
            .collect();
        assert_eq!(scanned, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_store_is_a_map_that_keeps_the_better_record(steps in prop::collection::vec(step(), 1..14)) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path()).unwrap();
        let mut model = Model::new();
        for step in steps {
            match step {
                Step::Publish(problem, records) => {
                    store.publish(problem, &records).unwrap();
                    apply(&mut model, problem, &records);
                }
                Step::Compact => store.compact().unwrap(),
                Step::Reopen => {
                    drop(store);
                    store = open(dir.path()).unwrap();
                }
            }
            agree(&store, &model);
        }
        let stats = store.stats().unwrap();
        prop_assert_eq!(stats.total.records(), model.len() as u64);
        let solved = model.values().filter(|record| record.numbers.settled()).count();
        prop_assert_eq!(stats.total.solved(), solved as u64);
        prop_assert_eq!(stats.total.work, model.values().map(|record| record.work).sum::<u64>());
    }
}

#[test]
fn every_solved_record_of_a_hundred_thousand_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let solved = many(100_000);
    let open_ones: Vec<_> = solved.iter().map(|&(key, _)| (key, unsolved(u64::MAX))).collect();
    // Tables of open records below, between and above the solved ones.
    for part in [&open_ones, &solved, &open_ones] {
        for batch in part.chunks(1000) {
            store.publish(PROBLEM, batch).unwrap();
        }
        store.compact().unwrap();
    }
    assert!(contents(&store).into_iter().eq({
        let mut sorted = solved.clone();
        sorted.sort_by_key(|&(key, _)| key);
        sorted
    }));
    let stats = store.stats().unwrap();
    assert_eq!((stats.total.proven, stats.total.unsolved), (100_000, 0));
    assert_eq!(stats.problems, [(PROBLEM, stats.total)]);
    assert!(stats.bytes > 100_000);
    assert_eq!(scan(&store, 99_990).len(), 10);
}

#[test]
fn a_lookup_answers_in_the_order_of_its_keys() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    store.publish(PROBLEM, &many(3)).unwrap();
    let key = |n| Key::mixed(n);
    let mut out = vec![None; 9];
    let keys = [key(2), key(9), key(0), key(2)];
    store.lookup(PROBLEM, &keys, &mut out).unwrap();
    assert_eq!(out, [Some(proven(2)), None, Some(proven(0)), Some(proven(2))]);
    store.lookup(ProblemId(1), &keys, &mut out).unwrap();
    assert_eq!(out, [None; 4]);
    store.lookup(PROBLEM, &[], &mut out).unwrap();
    assert_eq!(out, []);
}

#[test]
fn a_batch_with_a_record_that_cannot_be_is_not_written_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let mut wrong = proven(1);
    wrong.numbers.disproof = 17;
    let batch = [(Key(1), proven(1)), (Key(2), wrong)];
    let error = store.publish(PROBLEM, &batch).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the record for state {} of problem {PROBLEM} cannot be: \
             no state has proof number 0 and disproof number 17",
            Key(2)
        )
    );
    assert_eq!(look(&store, Key(1)), Ok(None));
}
