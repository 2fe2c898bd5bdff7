//! A table grows while it is used: what was stored is found, once, whatever searches run meanwhile.

use std::collections::HashSet;

use hasami_andor::table::Entry;
use hasami_andor::{Key, Numbers, Table};

/// Room for two million entries, a hundred times what a table uses at first.
const MIB: usize = 64;

fn entry(n: u32) -> Entry<u64> {
    let numbers = match n % 3 {
        0 => Numbers::PROVEN,
        1 => Numbers::DISPROVEN,
        _ => Numbers::open(n, n + 7),
    };
    Entry { reason: u64::from(n) << 7, ..Entry::new(numbers, 1 + n % 1000) }
}

fn key(n: u32) -> Key {
    Key::mixed(u128::from(n))
}

/// How many of the first `count` entries are there; each must be as stored.
fn found(table: &Table<u64>, count: u32) -> u32 {
    let is_there = |n: &u32| match table.lookup(key(*n)) {
        Some(there) => {
            assert_eq!(there, entry(*n), "{n}");
            true
        }
        None => false,
    };
    (0..count).filter(is_there).count() as u32
}

#[test]
fn what_was_stored_before_the_table_grew_is_found_afterwards() {
    for links in [false, true] {
        let table = Table::with_mib(MIB, links).unwrap();
        let mut stored = 0;
        for count in [1_000, 10_000, 100_000, 400_000] {
            (stored..count).for_each(|n| table.store(key(n), &entry(n)));
            stored = count;
            let there = found(&table, count);
            // Nothing gives way before all of the memory is in use.
            let least = if count <= 10_000 { 1.0 } else { 0.98 };
            assert!(f64::from(there) >= least * f64::from(count), "{there} of {count}");
        }
        assert_eq!(table.collections(), 0, "it grows before anything is thinned out");
    }
}

#[test]
fn an_entry_is_moved_and_not_copied() {
    let table = Table::with_mib(MIB, false).unwrap();
    (0..200_000).for_each(|n| table.store(key(n), &entry(n)));
    let (mut seen, mut visited) = (HashSet::new(), 0);
    table.for_each(|key, _| {
        visited += 1;
        seen.insert(key);
    });
    assert_eq!(visited, seen.len());
    let there = found(&table, 200_000);
    assert_eq!(there as usize, visited, "each lies where it is looked for");
    let share = f64::from(there) / table.capacity() as f64;
    assert!((table.fill() - share).abs() < 0.02, "{} of {share}", table.fill());
}

/// All of the reserved memory may be used before a search begins, for measurements.
#[test]
fn a_touched_table_keeps_what_it_has() {
    let table = Table::with_mib(MIB, false).unwrap();
    (0..1_000).for_each(|n| table.store(key(n), &entry(n)));
    assert_eq!(found(&table, 1_000), 1_000);
    table.touch();
    assert_eq!(found(&table, 1_000), 1_000);
}

#[test]
fn threads_that_search_while_it_grows_find_whole_entries() {
    const THREADS: u32 = 4;
    const EACH: u32 = 100_000;
    let table = Table::with_mib(MIB, false).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let table = &table;
            scope.spawn(move || {
                for n in (0..EACH).map(|n| n * THREADS + thread) {
                    table.store(key(n), &entry(n));
                    for earlier in [n / 2, n / 3, n.saturating_sub(THREADS)] {
                        if let Some(there) = table.lookup(key(earlier)) {
                            assert_eq!(there, entry(earlier));
                        }
                    }
                }
            });
        }
    });
    let there = found(&table, THREADS * EACH);
    assert!(f64::from(there) >= 0.97 * f64::from(THREADS * EACH), "{there}");
}

/// Memory that is touched costs time: it must not be much more than the entries need.
#[test]
fn a_table_is_well_filled_when_it_grows_and_has_forgotten_nothing() {
    let table: Table<()> = Table::with_mib(1024, false).expect("memory that is only reserved");
    let entry = |work| Entry::new(Numbers { proof: 3, disproof: 4 }, work);
    for n in 1..=1_000_000u32 {
        // Large work is rounded.
        table.store(Key::mixed(u128::from(n)), &entry(n & 0xffff));
        if n.is_power_of_two() && n > 1 << 14 {
            assert!(table.slots() <= 8 * n as usize, "{} for {n} entries", table.slots());
        }
    }
    for n in 1..=1_000_000u32 {
        let found = table.lookup(Key::mixed(u128::from(n)));
        assert_eq!(found.map(|entry| entry.work), Some(n & 0xffff));
    }
}
