use super::*;
use crate::Value;
use proptest::prelude::*;

fn header(values: u64) -> Header {
    Header { game: "test".into(), rules: "size=3".into(), values }
}

fn write(path: &std::path::Path, values: &[u8]) {
    let mut writer = Writer::open(path, header(values.len() as u64), |_| {}).unwrap();
    let block = |number: u64, into: &mut Vec<u8>| {
        let from = number as usize * BLOCK;
        into.extend(&values[from..values.len().min(from + BLOCK)]);
    };
    writer.append(values.len() as u64, 2, &block).unwrap();
    writer.finish().unwrap();
}

fn some_values(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * at / 1000 % 200) as u8).collect()
}

#[test]
fn what_was_written_is_read() {
    let dir = tempfile::tempdir().unwrap();
    for count in [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
        let path = dir.path().join(format!("{count}.db"));
        let values = some_values(count);
        write(&path, &values);
        let reader = Reader::open(&path).unwrap();
        assert_eq!(*reader.header(), header(count as u64));
        for at in (0..count).step_by(997).chain([count - 1]) {
            assert_eq!(reader.value(at as u64).unwrap(), Value(values[at]));
        }
        assert!(reader.value(count as u64).is_err());
        let mut all = Vec::new();
        reader.for_each_block(|block| all.extend_from_slice(block)).unwrap();
        assert_eq!(all, values);
    }
}

#[test]
fn a_file_cut_anywhere_is_no_database_and_can_be_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("whole.db");
    let values = some_values(3 * BLOCK + 7);
    write(&path, &values);
    let whole = std::fs::read(&path).unwrap();
    let cut = dir.path().join("cut.db");
    for length in (0..whole.len()).step_by(whole.len() / 97) {
        std::fs::write(&cut, &whole[..length]).unwrap();
        assert!(Reader::open(&cut).is_err(), "{length}");
        // The same bytes as an unfinished database.
        let partial = dir.path().join("again.db.partial");
        std::fs::write(&partial, &whole[..length]).unwrap();
        let mut there: Vec<u8> = Vec::new();
        let again = dir.path().join("again.db");
        let mut writer =
            Writer::open(&again, header(values.len() as u64), |block| there.extend(block)).unwrap();
        assert_eq!(there, values[..there.len()]);
        let block = |number: u64, into: &mut Vec<u8>| {
            let from = number as usize * BLOCK;
            into.extend(&values[from..values.len().min(from + BLOCK)]);
        };
        writer.append(values.len() as u64, 2, &block).unwrap();
        writer.finish().unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), whole);
    }
}

#[test]
fn two_cannot_build_one_database_and_another_one_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("one.db");
    let first = Writer::open(&path, header(9), |_| {}).unwrap();
    let second = Writer::open(&path, header(9), |_| {}).err().unwrap().to_string();
    assert!(second.contains("another process is building it"), "{second}");
    drop(first);
    let other = Writer::open(&path, header(10), |_| {}).err().map(|error| error.to_string());
    assert!(other.unwrap().contains("begun for test size=3"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_changed_byte_is_never_read_as_a_value(at in any::<prop::sample::Index>(), bit in 0..8u8) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.db");
        let values = some_values(2 * BLOCK + 5);
        write(&path, &values);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        std::fs::write(&path, &bytes).unwrap();
        // Either nothing can be read, or the changed block cannot.
        if let Ok(reader) = Reader::open(&path) {
            let all = reader.for_each_block(|_| {});
            prop_assert!(all.is_err());
            for (at, &value) in values.iter().enumerate().step_by(1009) {
                if let Ok(found) = reader.value(at as u64) {
                    prop_assert_eq!(found, Value(value));
                }
            }
        }
    }

    #[test]
    fn random_bytes_are_no_database(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.db");
        std::fs::write(&path, &bytes).unwrap();
        prop_assert!(Reader::open(&path).is_err());
    }
}
