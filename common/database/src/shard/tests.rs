use super::*;
use proptest::prelude::*;

fn shard(numbers: Vec<Range<u64>>) -> Shard {
    let database = Header { game: "ones".into(), rules: "a=1".into(), values: 1_000_000 };
    Shard { database, stage: 3, slice: 1, slices: 4, numbers }
}

/// A shard of consecutive numbers.
fn run(numbers: Range<u64>) -> Shard {
    shard(Vec::from([numbers]))
}

fn value(number: u64) -> u8 {
    (number * number % 251) as u8
}

fn read(shard: &Shard, file: &Path) -> Result<Vec<(u64, u8)>, DatabaseError> {
    let mut all = Vec::new();
    shard.read(file, |from, values| all.extend((from..).zip(values.iter().copied())))?;
    Ok(all)
}

#[test]
fn what_was_written_is_read_and_nothing_else_is_left() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("a.shard");
    let shard = shard(vec![10..70_000, 5..8, 900_000..1_000_000]);
    let bytes = shard.write(&file, value).unwrap();
    assert_eq!(bytes, std::fs::metadata(&file).unwrap().len());
    let expected: Vec<(u64, u8)> =
        shard.numbers.iter().cloned().flatten().map(|number| (number, value(number))).collect();
    assert_eq!(read(&shard, &file).unwrap(), expected);
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn another_shard_is_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("a.shard");
    let written = run(0..1000);
    written.write(&file, value).unwrap();
    let rules = Header { rules: "a=2".into(), ..written.database.clone() };
    for other in [
        Shard { database: rules, ..written.clone() },
        Shard { stage: 4, ..written.clone() },
        Shard { slice: 2, ..written.clone() },
        Shard { slices: 5, ..written.clone() },
        run(0..1001),
    ] {
        let error = read(&other, &file).unwrap_err();
        assert!(matches!(error, DatabaseError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("a.shard: found game=ones rules=a=1"), "{error}");
    }
    let error = read(&written, &place.path().join("b.shard")).unwrap_err().to_string();
    assert!(error.contains("b.shard: missing"), "{error}");
}

#[test]
fn blocks_of_two_shards_cannot_be_exchanged() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("1"), place.path().join("2"));
    let first = run(0..1000);
    let second = Shard { slice: 2, ..first.clone() };
    first.write(&one, value).unwrap();
    second.write(&two, |_| 7).unwrap();
    let (mut mixed, other) = (std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
    let head = first.head().len();
    mixed.truncate(head);
    mixed.extend(&other[second.head().len()..]);
    std::fs::write(&one, mixed).unwrap();
    assert!(read(&first, &one).unwrap_err().to_string().contains("block 0 is damaged"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_shard_that_was_changed_or_cut_anywhere_is_refused(
        at in 0.0..1.0f64,
        change in prop::option::of(1..=255u8),
    ) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a.shard");
        let shard = run(3..5000);
        shard.write(&file, value).unwrap();
        let mut bytes = std::fs::read(&file).unwrap();
        let at = (at * bytes.len() as f64) as usize;
        match change {
            Some(change) => bytes[at] ^= change,
            None => bytes.truncate(at),
        }
        std::fs::write(&file, bytes).unwrap();
        let damaged = matches!(read(&shard, &file), Err(DatabaseError::Damaged { .. }));
        prop_assert!(damaged);
    }

    #[test]
    fn bytes_at_random_are_no_shard(bytes in prop::collection::vec(any::<u8>(), 0..200), magic in any::<bool>()) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a.shard");
        let start: &[u8] = if magic { HEAD.magic } else { &[] };
        std::fs::write(&file, [start, &bytes].concat()).unwrap();
        let damaged = matches!(read(&run(3..5000), &file), Err(DatabaseError::Damaged { .. }));
        prop_assert!(damaged);
    }
}
