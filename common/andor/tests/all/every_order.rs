//! The table's protocol in every order of the threads, and with every value that the memory model
//! lets a read return. Only under loom: `make loom`.

use crate::ladder::{Ladder, Rung, state};
use hasami_andor::table::Entry;
use hasami_andor::{Key, Numbers, Table};
use loom::sync::Arc;
use loom::thread;

type Words = u64;

/// Two states that share the only bucket.
const STATE: Key = Key(1 << 64 | 1);
const OTHER: Key = Key(2 << 64 | 1);

/// An entry all of whose fields identify its number and its state.
fn entry(key: Key, number: u32) -> Entry<Words> {
    let numbers = Numbers::open(number, number + 10);
    let reason = (key.0 >> 64) as u64 * 100 + u64::from(number);
    Entry { depth: number as u16, best: number as u16, reason, ..Entry::new(numbers, number) }
}

fn settled(key: Key, numbers: Numbers) -> Entry<Words> {
    Entry { numbers, ..entry(key, 9) }
}

/// Checks that the entry found is what one writer left, complete.
#[track_caller]
fn check(key: Key, found: Option<Entry<Words>>, allowed: &[u32]) {
    if let Some(found) = found {
        assert!(allowed.iter().any(|&number| found == entry(key, number)), "{found:?}");
    }
}

/// Runs `model` in every order, or in every one with at most this many preemptions.
fn every_order(interruptions: Option<usize>, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = interruptions;
    builder.check(model);
}

#[test]
fn a_reader_sees_what_one_writer_left_or_nothing() {
    every_order(None, || {
        let table = Arc::new(Table::<Words>::with_entries(0, false));
        table.store(STATE, &entry(STATE, 1));
        let writer = {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(STATE, &entry(STATE, 2)))
        };
        check(STATE, table.lookup(STATE), &[1, 2]);
        writer.join().unwrap();
        assert_eq!(table.lookup(STATE), Some(entry(STATE, 2)));
    });
}

#[test]
fn two_writers_leave_one_of_their_entries() {
    every_order(None, || {
        let table = Arc::new(Table::<Words>::with_entries(0, false));
        table.store(STATE, &entry(STATE, 1));
        let writer = {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(STATE, &entry(STATE, 2)))
        };
        table.store(STATE, &entry(STATE, 3));
        writer.join().unwrap();
        let found = table.lookup(STATE);
        assert!(found.is_some(), "one of them was first");
        check(STATE, found, &[2, 3]);
    });
}

#[test]
fn two_writers_and_a_reader_never_mix_two_states() {
    every_order(Some(3), || {
        let table = Arc::new(Table::<Words>::with_entries(0, false));
        let writers = [(STATE, 1), (OTHER, 2)].map(|(key, number)| {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(key, &entry(key, number)))
        });
        check(STATE, table.lookup(STATE), &[1]);
        check(OTHER, table.lookup(OTHER), &[2]);
        for writer in writers {
            writer.join().unwrap();
        }
        check(STATE, table.lookup(STATE), &[1]);
        check(OTHER, table.lookup(OTHER), &[2]);
    });
}

#[test]
fn a_verdict_once_seen_is_not_overwritten_by_numbers() {
    every_order(None, || {
        let table = Arc::new(Table::<Words>::with_entries(0, false));
        table.store(STATE, &entry(STATE, 1));
        let writer = {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(STATE, &entry(STATE, 2)))
        };
        table.store(STATE, &settled(STATE, Numbers::PROVEN));
        let seen = table.lookup(STATE).is_some_and(|entry| entry.numbers.settled());
        writer.join().unwrap();
        let found = table.lookup(STATE).expect("somebody was first");
        assert!(found.numbers.settled() || !seen, "a verdict is gone");
    });
}

#[test]
fn a_collection_beside_a_reader_takes_entries_whole() {
    every_order(None, || {
        let table = Arc::new(Table::<Words>::with_entries(0, false));
        table.store(STATE, &entry(STATE, 1));
        table.store(OTHER, &entry(OTHER, 2));
        let collector = {
            let table = Arc::clone(&table);
            thread::spawn(move || table.collect())
        };
        check(STATE, table.lookup(STATE), &[1]);
        check(OTHER, table.lookup(OTHER), &[2]);
        collector.join().unwrap();
    });
}

#[test]
fn a_relative_that_is_displaced_is_seen_whole_or_not_at_all() {
    every_order(Some(2), || {
        let table = Arc::new(Table::<Rung>::with_entries(0, false));
        let (worse, better) = (state(1, 5), state(1, 7));
        let open = Entry { best: 7, ..Entry::new(Numbers::open(2, 3), 7) };
        let proven = Entry { reason: Rung(4), ..Entry::new(Numbers::PROVEN, 9) };
        table.keep(&Ladder, better, &open);
        let writer = {
            let table = Arc::clone(&table);
            thread::spawn(move || table.keep(&Ladder, worse, &proven))
        };
        let again = Entry { best: 8, ..open };
        table.keep(&Ladder, better, &again);
        for key in [worse, better] {
            if let Some(found) = table.look(&Ladder, key).entry {
                let own = key == better && (found == open || found == again);
                assert!(found == proven || own, "{found:?}");
            }
        }
        writer.join().unwrap();
        // The writer may have dropped its entry, but then only because of the other one.
        let found = table.look(&Ladder, better).entry;
        assert!(found.is_none_or(|found| found == proven || found == open || found == again));
    });
}
