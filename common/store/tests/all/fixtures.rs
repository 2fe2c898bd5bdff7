//! Stores written by older versions. A new format must still read them, or refuse them by name.

use std::path::PathBuf;

use crate::common::{PROBLEM, contents, copy, open};
use crate::make_fixture;
use hasami_andor::{Key, Numbers, ProblemId};
use hasami_store::{Counts, Record, Store, StoreError, Words};

fn fixture(name: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = dir.path().join(name);
    copy(&from.join(name), &path);
    (dir, path)
}

#[test]
fn format_1_is_read_as_it_was_written() {
    let (_dir, path) = fixture("format-1");
    let store = open(&path).unwrap();
    // Repeated here rather than taken from the example: the fixture is older than the example.
    let expected = [
        (Key(1), Record::new(Numbers::PROVEN, 1000, 4)),
        (Key(2), Record::new(Numbers::DISPROVEN, 300, 0)),
        (Key(3), Record::new(Numbers::open(17, 200), u64::MAX, u16::MAX)),
        (
            Key(u128::MAX),
            Record {
                reason: Words::new(&[1, u64::MAX, 0, 7]).unwrap(),
                ..Record::new(Numbers::PROVEN, 5, 1)
            },
        ),
    ];
    assert!(contents(&store).into_iter().eq(expected));
    let stats = store.stats().unwrap();
    let counts = |proven, disproven, unsolved, conflicts, work| Counts {
        proven,
        disproven,
        unsolved,
        conflicts,
        work,
    };
    assert_eq!(stats.format, 1);
    assert_eq!(
        stats.problems,
        [(ProblemId(9), counts(0, 0, 0, 1, 0)), (PROBLEM, counts(2, 1, 1, 0, u64::MAX)),]
    );
    assert_eq!(
        store.lookup(ProblemId(9), &[Key(1)], &mut Vec::new()),
        Err(StoreError::Contradiction { problem: ProblemId(9), key: Key(1) })
    );
}

#[test]
fn what_makes_fixtures_still_makes_the_same_store() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made");
    make_fixture::make(&made).unwrap();
    let (_dir, stored) = fixture("format-1");
    let (made, stored) = (open(&made).unwrap(), open(&stored).unwrap());
    assert_eq!(contents(&made), contents(&stored));
    assert_eq!(made.stats().unwrap().problems, stored.stats().unwrap().problems);
}
