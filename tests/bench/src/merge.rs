//! Ten million records, each state published several times in a random order, settled or not:
//! after merging and compaction every settled one must still be settled.

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_game::random::SplitMix;
use hasami_store::{OpenOptions, Record, RocksStore, Store};

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

const PROBLEM: ProblemId = ProblemId(11);
const BATCH: usize = 10_000;
/// Times that each state is published.
const TIMES: u64 = 4;

/// Publishes, merges, compacts, counts.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let records: u64 = if quick { 1_000_000 } else { 10_000_000 };
    let states = records / TIMES;
    let directory = tempfile::tempdir()?;
    let store = RocksStore::open(directory.path().join("store"), OpenOptions::default())?;
    let mut random = SplitMix::new(1);
    // A third of the states is settled, in one of the publications; which verdict is in the number.
    let settles = |state: u64| state.is_multiple_of(3).then_some(state / 3 % TIMES);
    let verdict = |state: u64| match state % 2 {
        0 => Numbers::PROVEN,
        _ => Numbers::DISPROVEN,
    };
    let mut batch = Vec::with_capacity(BATCH);
    for time in 0..TIMES {
        for state in 0..states {
            let numbers = if settles(state) == Some(time) {
                verdict(state)
            } else {
                Numbers::open(1 + random.below(99), 1 + random.below(99))
            };
            let work = 1 + u64::from(random.below(1_000_000));
            batch.push((Key::mixed(state.into()), Record::new(numbers, work, 0)));
            if batch.len() == BATCH {
                store.publish(PROBLEM, &batch)?;
                batch.clear();
            }
        }
    }
    store.publish(PROBLEM, &batch)?;
    store.compact()?;
    let mut lost = 0u64;
    let mut found = Vec::new();
    let settled: Vec<u64> = (0..states).filter(|&state| settles(state).is_some()).collect();
    for states in settled.chunks(BATCH) {
        let keys: Vec<_> = states.iter().map(|&state| Key::mixed(state.into())).collect();
        store.lookup(PROBLEM, &keys, &mut found)?;
        for (&state, record) in states.iter().zip(&found) {
            lost += u64::from(record.is_none_or(|record| record.numbers != verdict(state)));
        }
    }
    figures.push(Figure::never(
        "settled records lost",
        format!(
            "{} records, {} states, {} settled",
            grouped(records),
            grouped(states),
            grouped(settled.len() as u64)
        ),
        lost,
    ));
    Ok(())
}
