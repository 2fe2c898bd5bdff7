//! The transposition table through its public interface: lookups return what was stored, and
//! entries that must stay do.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hasami_andor::table::{Entry, MAX_DEPTH, NO_MOVE};
use hasami_andor::{Contradiction, Key, Numbers, Reason, Table};
use proptest::prelude::*;

/// Keys with the same low half share a bucket, and a bucket has four entries.
const BUCKET: u64 = 4;

fn key(low: u64, high: u64) -> Key {
    Key(u128::from(high) << 64 | u128::from(low))
}

fn open(work: u32) -> Entry<()> {
    Entry::new(Numbers { proof: 3, disproof: 5 }, work)
}

fn proven(work: u32) -> Entry<()> {
    Entry::new(Numbers::PROVEN, work)
}

fn work_of(table: &Table<()>, key: Key) -> Option<u32> {
    table.lookup(key).map(|entry| entry.work)
}

/// A deterministic pseudo-random word.
fn hash(word: u64) -> u64 {
    fastrand::Rng::with_seed(word).u64(..)
}

fn stores_and_finds<R: Reason>(reason: R) {
    for links in [false, true] {
        let table = Table::<R>::with_entries(1 << 12, links);
        assert_eq!(table.links(), links);
        for (index, numbers) in [
            Numbers { proof: 1, disproof: 1 },
            Numbers { proof: 0x1234_5678, disproof: 1 },
            Numbers::PROVEN,
            Numbers::DISPROVEN,
        ]
        .into_iter()
        .enumerate()
        {
            for (depth, best, work) in
                [(0, 0, 1), (MAX_DEPTH, NO_MOVE, u32::MAX << 14), (1, 2, 3), (513, 514, 0)]
            {
                let entry = Entry {
                    numbers,
                    work,
                    depth,
                    best,
                    parent: if links { 0xfedc_ba98_7654_3210 } else { 0 },
                    marks: if links { 0x8000_0000_0000_0001 } else { 0 },
                    reason,
                };
                let key = key(hash(index as u64), u64::from(work));
                table.store(key, &entry);
                assert_eq!(table.lookup(key), Some(entry));
                let mut seen = Vec::new();
                table.for_each(|found, entry| seen.push((found, entry)));
                assert!(seen.contains(&(key, entry)));
            }
        }
    }
}

#[test]
fn a_stored_entry_is_read_back_whole() {
    stores_and_finds(());
    stores_and_finds(0x0123_4567_89ab_cdef_u64);
    stores_and_finds(0x0123_4567_89ab_cdef_1122_3344_5566_7788_u128);
}

#[test]
fn fields_too_large_are_cut_and_leave_their_neighbours_alone() {
    let table = Table::<()>::with_entries(64, true);
    let entry = Entry { depth: u16::MAX, best: u16::MAX, ..open(u32::MAX) };
    table.store(Key(7), &entry);
    let found = table.lookup(Key(7)).unwrap();
    assert_eq!((found.depth, found.best), (MAX_DEPTH, NO_MOVE));
    assert!(found.work >= 1 << 27, "{}", found.work);
    assert_eq!(found.numbers, entry.numbers);
}

#[test]
fn links_lead_from_a_low_half_to_the_parent() {
    let table = Table::<()>::with_entries(64, true);
    table.store(key(11, 1), &Entry { parent: 22, ..open(1) });
    table.store(key(33, 1), &Entry { parent: 0, ..open(1) });
    assert_eq!(table.parent(11), Some(22));
    assert_eq!(table.parent(33), None);
    assert_eq!(table.parent(44), None);
    let without = Table::<()>::with_entries(64, false);
    without.store(key(11, 1), &Entry { parent: 22, marks: 3, ..open(1) });
    assert_eq!(without.parent(11), None);
    let found = without.lookup(key(11, 1)).unwrap();
    assert_eq!((found.parent, found.marks), (0, 0));
}

#[test]
fn keys_that_share_a_half_are_kept_apart() {
    let table = Table::<()>::with_entries(1 << 12, false);
    let same_low = (0..BUCKET).map(|high| key(99, high));
    let same_high = (1..200).map(|low| key(low * 1000, 99));
    let zero = [Key(0), key(0, 5), key(5, 0)];
    let keys: Vec<Key> = same_low.chain(same_high).chain(zero).collect();
    for &key in &keys {
        assert_eq!(work_of(&table, key), None, "{key}");
    }
    for (work, &key) in keys.iter().enumerate() {
        table.store(key, &open(work as u32));
    }
    for (work, &key) in keys.iter().enumerate() {
        assert_eq!(work_of(&table, key), Some(work as u32), "{key}");
    }
    assert_eq!(work_of(&table, key(99, BUCKET)), None);
}

#[test]
fn a_settled_entry_is_never_replaced_by_an_unsettled_one() {
    let table = Table::<()>::with_entries(64, false);
    for high in 0..BUCKET {
        table.store(key(1, high), &proven(1));
    }
    for high in 0..BUCKET {
        table.store(key(1, high), &open(1000));
        assert_eq!(table.lookup(key(1, high)), Some(proven(1)), "its own");
    }
    for high in BUCKET..BUCKET + 8 {
        table.store(key(1, high), &open(1000));
        assert_eq!(table.lookup(key(1, high)), None, "another's");
    }
    for high in 0..BUCKET {
        assert_eq!(table.lookup(key(1, high)), Some(proven(1)));
    }
}

#[test]
fn an_unsettled_entry_makes_room_for_a_settled_one() {
    let table = Table::<()>::with_entries(64, false);
    for high in 0..BUCKET {
        table.store(key(1, high), &open(1000));
    }
    for high in 10..10 + BUCKET {
        table.store(key(1, high), &proven(1));
    }
    for high in 0..BUCKET {
        assert_eq!(table.lookup(key(1, high)), None);
        assert_eq!(table.lookup(key(1, 10 + high)), Some(proven(1)));
    }
}

#[test]
fn of_equals_the_one_with_the_least_work_goes() {
    for entry in [open, proven] {
        for cheapest in 0..BUCKET {
            let table = Table::<()>::with_entries(64, false);
            for high in 0..BUCKET {
                let work = if high == cheapest { 10 } else { 20 + high as u32 };
                table.store(key(1, high), &entry(work));
            }
            table.store(key(1, 50), &entry(5));
            for high in 0..BUCKET {
                let there = table.lookup(key(1, high)).is_some();
                assert_eq!(there, high != cheapest, "{high} of {cheapest}");
            }
            assert_eq!(work_of(&table, key(1, 50)), Some(5), "the newest is there");
        }
    }
}

#[test]
fn a_newer_entry_of_the_same_state_takes_the_place_of_the_older() {
    let table = Table::<()>::with_entries(64, false);
    let newer = Entry { best: 3, ..open(2) };
    table.store(Key(5), &open(1000));
    table.store(Key(5), &newer);
    assert_eq!(table.lookup(Key(5)), Some(newer), "even with less work");
    table.store(Key(5), &proven(1));
    table.store(Key(5), &proven(7));
    assert_eq!(table.lookup(Key(5)), Some(proven(7)));
    let mut seen = 0;
    table.for_each(|_, _| seen += 1);
    assert_eq!(seen, 1);
}

/// Stores works 1 to `count`, shuffled over keys that spread over all buckets. Returns the keys by
/// work, of those that found a place.
fn filled(table: &Table<()>, count: u32, entry: fn(u32) -> Entry<()>) -> Vec<(u32, Key)> {
    let keyed: Vec<(u32, Key)> = (0..count)
        .map(|at| (1 + (at * 7919) % count, key(hash(at.into()), entry(1).numbers.proof.into())))
        .collect();
    keyed.iter().for_each(|&(work, key)| table.store(key, &entry(work)));
    keyed.into_iter().filter(|&(work, key)| work_of(table, key) == Some(work)).collect()
}

#[test]
fn a_collection_keeps_the_dear_and_drops_the_cheap_and_keeps_what_is_settled() {
    let table = Table::<()>::with_entries(4096, false);
    let settled = filled(&table, 300, proven);
    let unsettled = filled(&table, 1000, open);
    assert!(settled.len() > 250 && unsettled.len() > 900);
    table.collect();
    assert_eq!(table.collections(), 1);
    for (work, key) in unsettled {
        let there = work_of(&table, key) == Some(work);
        assert!(there || work < 600, "a dear one of {work} is gone");
        assert!(!there || work > 400, "a cheap one of {work} is there");
    }
    for (work, key) in settled {
        assert_eq!(table.lookup(key), Some(proven(work)));
    }
}

#[test]
fn settled_entries_are_thinned_out_only_where_they_fill_more_than_half() {
    for (count, crowded) in [(1700, false), (3500, true)] {
        let table = Table::<()>::with_entries(4096, false);
        let settled = filled(&table, count, proven);
        let before = settled.len();
        assert_eq!(before > 2048, crowded, "{before}");
        table.collect();
        let there = |&&(work, key): &&(u32, Key)| work_of(&table, key) == Some(work);
        let after = settled.iter().filter(there).count();
        if !crowded {
            assert_eq!(after, before);
            continue;
        }
        assert!(after * 5 > before * 2 && after * 5 < before * 3, "{after} of {before}");
        let mut works: Vec<u32> = settled.iter().map(|&(work, _)| work).collect();
        works.sort_unstable();
        let (low, high) = (works[before * 4 / 10], works[before * 6 / 10]);
        for entry in &settled {
            assert!(if there(&entry) { entry.0 > low } else { entry.0 < high }, "{entry:?}");
        }
    }
}

#[test]
fn a_table_full_of_settled_entries_makes_room_in_the_end() {
    let table = Table::<()>::with_entries(64, false);
    for at in 0..10_000 {
        table.store(key(hash(at), 1), &proven(at as u32));
    }
    assert_eq!(table.fill(), 1.0);
    let newcomer = |at: u64| key(hash(at), 2);
    assert!((0..1000).any(|at| {
        table.store(newcomer(at), &open(1));
        table.lookup(newcomer(at)).is_some()
    }));
    assert!(table.collections() > 0);
}

#[test]
fn a_table_has_about_the_size_asked_for() {
    for links in [false, true] {
        assert_eq!(Table::<u128>::with_entries(0, links).capacity(), 64);
        assert_eq!(Table::<u128>::with_entries(100_000, links).capacity(), 100_000);
        assert_eq!(Table::<u128>::with_entries(64, links).fill(), 0.0);
    }
    assert!(Table::<()>::entry_bytes(false) < Table::<()>::entry_bytes(true));
    assert!(Table::<()>::entry_bytes(false) < Table::<u64>::entry_bytes(false));
}

#[test]
fn a_contradiction_is_loud_both_ways_and_changes_nothing() {
    for (first, second) in
        [(Numbers::PROVEN, Numbers::DISPROVEN), (Numbers::DISPROVEN, Numbers::PROVEN)]
    {
        let table = Table::<u64>::with_entries(64, true);
        let entry = Entry { reason: 77, ..Entry::new(first, 5) };
        table.store(Key(5), &entry);
        let store = AssertUnwindSafe(|| table.store(Key(5), &Entry::new(second, 1000)));
        let panic = catch_unwind(store).expect_err("a contradiction");
        assert_eq!(panic.downcast_ref(), Some(&Contradiction { key: Key(5) }));
        assert_eq!(table.lookup(Key(5)), Some(entry));
        table.store(Key(5), &Entry { work: 9, ..entry });
        assert_eq!(table.lookup(Key(5)).unwrap().work, 9, "nothing stays locked");
    }
}

#[test]
fn different_verdicts_of_different_keys_are_no_contradiction() {
    let table = Table::<()>::with_entries(64, false);
    for round in 0..100 {
        table.store(key(1, round), &proven(1));
        table.store(key(1, 1000 + round), &Entry::new(Numbers::DISPROVEN, 1));
        table.store(key(1000 + round, 1), &Entry::new(Numbers::DISPROVEN, 1));
    }
}

/// One of the values that threads store for a key. Every field follows from the key and the
/// variant, and the variant is in the entry.
fn value(key: Key, variant: u64, links: bool) -> Entry<u128> {
    let word = |salt: u64| hash(key.0 as u64 ^ hash((key.0 >> 64) as u64 ^ variant << 8 ^ salt));
    let settled = settles(key) && variant % 2 == 1;
    Entry {
        numbers: match word(1) {
            _ if settled && hash(key.0 as u64).is_multiple_of(2) => Numbers::PROVEN,
            _ if settled => Numbers::DISPROVEN,
            word => Numbers::open(word as u32 >> 3, (word >> 35) as u32),
        },
        work: (word(2) as u32 % (1 << 14)) << 4 | variant as u32,
        depth: word(3) as u16 % MAX_DEPTH,
        best: word(4) as u16 % NO_MOVE,
        parent: if links { word(5) } else { 0 },
        marks: if links { word(6) } else { 0 },
        reason: u128::from(word(7)) << 64 | u128::from(word(8)),
    }
}

fn settles(key: Key) -> bool {
    (key.0 >> 64).is_multiple_of(4)
}

/// What a thread of the stress test reads must have been written by one thread, complete.
fn check_whole(keys: &[Key], key: Key, entry: Entry<u128>, links: bool) {
    assert!(keys.contains(&key), "{key} was never stored");
    let written = value(key, u64::from(entry.work % 16), links);
    assert_eq!(entry, written, "torn: {key}");
}

#[test]
fn threads_never_read_what_nobody_stored() {
    const KEYS: u64 = 300;
    const OPERATIONS: u64 = 3_000_000;
    for links in [false, true] {
        let table = Table::<u128>::with_entries(64, links);
        // Few low halves, so that threads contend for buckets and halves mix.
        let keys: Vec<Key> = (0..KEYS).map(|at| key(hash(at % 40), at)).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    let mut random = hash(thread);
                    let mut found = 0u32;
                    for at in 0..OPERATIONS / 4 {
                        random = hash(random);
                        let key = keys[(random >> 32) as usize % keys.len()];
                        if random & 1 == 0 {
                            table.store(key, &value(key, random >> 1 & 7, links));
                        } else if let Some(entry) = table.lookup(key) {
                            check_whole(keys, key, entry, links);
                            found += 1;
                        }
                        if at % 512 == 17 {
                            table.for_each(|key, entry| check_whole(keys, key, entry, links));
                        }
                        if random >> 8 & 0x3ff == 0 {
                            table.collect();
                        }
                    }
                    assert!(found > 100, "{found}");
                });
            }
        });
        let mut seen = 0;
        table.for_each(|key, entry| {
            check_whole(&keys, key, entry, links);
            seen += 1;
        });
        assert!(seen > 10, "nothing stays locked: {seen}");
    }
}

#[test]
fn a_verdict_that_a_thread_stored_is_not_undone_by_others() {
    // One bucket, never full: whatever the others write, no verdict is lost.
    let table = Table::<u128>::with_entries(64, true);
    let keys: Vec<Key> = (0..BUCKET).map(|high| key(1, high * 4)).collect();
    assert!(keys.iter().all(|&key| settles(key)));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (table, keys) = (&table, &keys);
            scope.spawn(move || {
                let mut random = hash(thread);
                let mut settled = vec![false; keys.len()];
                for _ in 0..200_000 {
                    random = hash(random);
                    let at = (random >> 32) as usize % keys.len();
                    // Verdicts are rare, so that many unsettled stores try to undo one.
                    let variant = if random & 0xfff == 0 { 1 } else { 2 * (random >> 13 & 3) };
                    table.store(keys[at], &value(keys[at], variant, true));
                    if let Some(entry) = table.lookup(keys[at]) {
                        assert!(entry.numbers.settled() || !settled[at], "a verdict is gone");
                        settled[at] |= entry.numbers.settled();
                    }
                }
            });
        }
    });
}

#[derive(Clone, Debug)]
enum Operation {
    Store { key: u64, variant: u64 },
    Collect,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        60 => (0..60u64, 0..8u64).prop_map(|(key, variant)| Operation::Store { key, variant }),
        1 => Just(Operation::Collect),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn alone_a_state_is_found_as_last_stored_or_not_at_all(
        operations in prop::collection::vec(operation(), 0..300),
        links in any::<bool>(),
    ) {
        let table = Table::<u128>::with_entries(64, links);
        let mut model: HashMap<Key, Entry<u128>> = HashMap::new();
        let named = |at: u64| key(hash(at % 8), at);
        for operation in operations {
            let present: Vec<Key> =
                model.keys().copied().filter(|&key| table.lookup(key).is_some()).collect();
            let collections = table.collections();
            let mut stored = None;
            match operation {
                Operation::Collect => table.collect(),
                Operation::Store { key, variant } => {
                    let key = named(key);
                    let entry = value(key, variant, links);
                    table.store(key, &entry);
                    let sticks = present.contains(&key) && model[&key].numbers.settled();
                    if !sticks || entry.numbers.settled() {
                        model.insert(key, entry);
                    }
                    stored = Some(entry.numbers.settled());
                }
            }
            let mut seen = HashMap::new();
            table.for_each(|key, entry| assert!(seen.insert(key, entry).is_none(), "twice: {key}"));
            for at in 0..60 {
                let found = table.lookup(named(at));
                prop_assert_eq!(found, seen.get(&named(at)).copied());
                if let Some(entry) = found {
                    prop_assert_eq!(Some(&entry), model.get(&named(at)));
                }
            }
            // Only a collection or another verdict removes a verdict, and a store removes at most
            // one entry.
            if table.collections() == collections {
                let gone: Vec<Key> =
                    present.into_iter().filter(|&key| table.lookup(key).is_none()).collect();
                prop_assert!(gone.len() <= 1);
                let verdicts = gone.iter().filter(|key| model[key].numbers.settled()).count();
                prop_assert!(verdicts == 0 || stored == Some(true));
            }
        }
    }
}
