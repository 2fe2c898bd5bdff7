//! Families in the table: what is found through relatives, and what is not stored.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ladder::{Ladder, Rung, state};
use hasami_andor::table::Entry;
use hasami_andor::{Contradiction, Key, Numbers, Table};
use proptest::prelude::*;

fn open(proof: u32, disproof: u32) -> Entry<Rung> {
    Entry::new(Numbers { proof, disproof }, 7)
}

fn settled(numbers: Numbers, claim: u32) -> Entry<Rung> {
    Entry { reason: Rung(claim), ..Entry::new(numbers, 3) }
}

fn table() -> Table<Rung> {
    Table::with_entries(1 << 10, false)
}

fn numbers(table: &Table<Rung>, key: Key) -> Option<Numbers> {
    table.look(&Ladder, key).entry.map(|entry| entry.numbers)
}

fn count(table: &Table<Rung>) -> usize {
    let mut count = 0;
    table.for_each(|_, _| count += 1);
    count
}

#[test]
fn a_verdict_settles_what_follows_from_its_claim_and_nothing_else() {
    let table = table();
    table.keep(&Ladder, state(1, 5), &settled(Numbers::PROVEN, 4));
    table.keep(&Ladder, state(1, 1), &settled(Numbers::DISPROVEN, 2));
    for rank in 0..9 {
        let expected = match rank {
            0..=2 => Some(Numbers::DISPROVEN),
            3 => None,
            _ => Some(Numbers::PROVEN),
        };
        assert_eq!(numbers(&table, state(1, rank)), expected, "rank {rank}");
        assert_eq!(numbers(&table, state(2, rank)), None, "another family");
        let own = rank == 5 || rank == 1;
        assert_eq!(table.look(&Ladder, state(1, rank)).own, own);
    }
}

#[test]
fn open_relatives_bound_a_new_state_and_do_not_stand_for_it() {
    let table = table();
    table.keep(&Ladder, state(1, 5), &open(20, 30));
    table.keep(&Ladder, state(1, 3), &open(60, 7));
    let look = table.look(&Ladder, state(1, 4));
    assert_eq!((look.entry, look.bounds), (None, Numbers { proof: 20, disproof: 7 }));
    let look = table.look(&Ladder, state(1, 9));
    assert_eq!((look.entry, look.bounds), (None, Numbers { proof: 1, disproof: 30 }));
    assert_eq!(numbers(&table, state(1, 5)), Some(Numbers { proof: 20, disproof: 30 }));
}

#[test]
fn a_verdict_takes_the_place_of_what_follows_from_it() {
    let table = table();
    for rank in 3..9 {
        table.keep(&Ladder, state(1, rank), &open(2, 2));
    }
    table.keep(&Ladder, state(1, 20), &settled(Numbers::PROVEN, 15));
    table.keep(&Ladder, state(1, 6), &settled(Numbers::PROVEN, 5));
    assert_eq!(count(&table), 3, "two of them are below the claim");
    table.keep(&Ladder, state(1, 30), &settled(Numbers::PROVEN, 25));
    table.keep(&Ladder, state(1, 12), &open(9, 9));
    assert_eq!(count(&table), 3, "what follows is not stored");
    assert_eq!(numbers(&table, state(1, 12)), Some(Numbers::PROVEN));
}

#[test]
fn relatives_that_contradict_each_other_are_loud() {
    for (first, second) in [
        ((9, settled(Numbers::PROVEN, 4)), (1, settled(Numbers::DISPROVEN, 4))),
        ((1, settled(Numbers::DISPROVEN, 6)), (9, settled(Numbers::PROVEN, 5))),
    ] {
        let table = table();
        table.keep(&Ladder, state(1, first.0), &first.1);
        let stored = AssertUnwindSafe(|| table.keep(&Ladder, state(1, second.0), &second.1));
        let panic = catch_unwind(stored).expect_err("a contradiction");
        assert!(panic.is::<Contradiction>());
    }
}

#[test]
fn a_large_family_has_room_and_does_not_make_the_table_grow() {
    let table = Table::<Rung>::with_entries(1 << 20, false);
    for rank in 0..64 {
        table.keep(&Ladder, state(1, rank), &open(rank + 1, 1));
    }
    assert_eq!(count(&table), 64);
    let before = table.slots();
    for rank in 64..500 {
        table.keep(&Ladder, state(1, rank), &open(rank + 1, 1));
    }
    assert!(count(&table) == 64 && table.slots() == before, "{}", table.slots());
}

/// Families of all sizes, in a table that has to grow and then to be thinned out many times.
#[test]
fn a_full_table_of_families_is_thinned_out_and_finds_what_is_left() {
    let table = Table::<Rung>::with_entries(1 << 15, false);
    let mut missed = 0;
    for n in 0..600_000u128 {
        let (family, rank) = (n / 5, (n % 5) as u32);
        table.keep(&Ladder, state(family, rank), &open(rank + 1, 1));
        match numbers(&table, state(family, rank)) {
            Some(found) => assert_eq!(found, open(rank + 1, 1).numbers),
            None => missed += 1,
        }
    }
    assert!(missed <= table.collections(), "{missed}: only thinning out removes entries");
    assert!(table.collections() > 5, "{}", table.collections());
    let mut left = Vec::new();
    table.for_each(|key, entry| left.push((key, entry)));
    assert!(left.len() > 1 << 13, "{} are left", left.len());
    for (key, entry) in left {
        assert_eq!(table.lookup(key).map(|found| found.numbers), Some(entry.numbers));
    }
}

proptest! {
    /// Any order of stores: no lookup ever says what no store implies.
    #[test]
    fn what_is_found_was_claimed(
        stores in prop::collection::vec((0..40u128, 0..30u32, 0..8u32), 1..400),
        entries in prop_oneof![Just(64usize), Just(1 << 12)],
    ) {
        // In each family ranks from 15 on are proven, those below are not.
        let table = Table::<Rung>::with_entries(entries, false);
        let mut stored = std::collections::HashSet::new();
        for (family, rank, slack) in stores {
            let entry = match (slack, rank >= 15) {
                (0..4, _) => open(rank + 1, slack + 1),
                (_, true) => settled(Numbers::PROVEN, rank.saturating_sub(slack).max(15)),
                (_, false) => settled(Numbers::DISPROVEN, (rank + slack).min(14)),
            };
            table.keep(&Ladder, state(family, rank), &entry);
            stored.insert((family, rank));
            for rank in 0..30 {
                let look = table.look(&Ladder, state(family, rank));
                match look.entry.and_then(|entry| entry.numbers.verdict()) {
                    Some(hasami_andor::Verdict::Proven) => prop_assert!(rank >= 15),
                    Some(hasami_andor::Verdict::Disproven) => prop_assert!(rank < 15),
                    None => prop_assert!(look.entry.is_none() || stored.contains(&(family, rank))),
                }
            }
        }
    }
}
