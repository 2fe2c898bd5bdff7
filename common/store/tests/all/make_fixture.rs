//! Creates the store in `tests/fixtures` for the current format, in a directory that must be new:
//! `HASAMI_FIXTURE=tests/fixtures/format-N cargo test -p hasami-store make_fixture -- --ignored`.

use std::path::Path;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_store::{OpenOptions, Record, RocksStore, Store, StoreError, Words};

#[test]
#[ignore = "writes the fixture of a new format"]
fn the_fixture_of_a_new_format() {
    let path = std::env::var_os("HASAMI_FIXTURE").expect("a directory in HASAMI_FIXTURE");
    make(Path::new(&path)).expect("a store");
}

/// Every kind of entry, some in a table and some only in the log.
pub fn make(path: &Path) -> Result<(), StoreError> {
    let problem = ProblemId(0x1234_5678);
    let store = RocksStore::open(path, OpenOptions::default())?;
    let rested = Record {
        reason: Words::new(&[1, u64::MAX, 0, 7]).unwrap_or_default(),
        ..Record::new(Numbers::PROVEN, 5, 1)
    };
    let in_table = [
        (Key(1), Record::new(Numbers::open(2, 2), 9, 0)),
        (Key(2), Record::new(Numbers::DISPROVEN, 300, 0)),
        (Key(u128::MAX), rested),
    ];
    store.publish(problem, &in_table)?;
    store.compact()?;
    let in_log = [
        (Key(1), Record::new(Numbers::PROVEN, 1000, 4)),
        (Key(3), Record::new(Numbers::open(17, 200), u64::MAX, u16::MAX)),
    ];
    store.publish(problem, &in_log)?;
    let contradiction = [
        (Key(1), Record::new(Numbers::PROVEN, 1, 0)),
        (Key(1), Record::new(Numbers::DISPROVEN, 1, 0)),
    ];
    store.publish(ProblemId(9), &contradiction)?;
    store.sync()
}
