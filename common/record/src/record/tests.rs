use proptest::prelude::*;

use super::*;

fn bytes(record: &Record) -> Vec<u8> {
    let mut out = Vec::new();
    record.encode(&mut out).unwrap();
    out
}

/// Any valid record.
pub(crate) fn any_record() -> impl Strategy<Value = Record> {
    let numbers = prop_oneof![
        Just(Numbers::PROVEN),
        Just(Numbers::DISPROVEN),
        (1..=LIMIT, 1..=LIMIT).prop_map(|(proof, disproof)| Numbers { proof, disproof }),
        (1..4_u32, 1..4_u32).prop_map(|(proof, disproof)| Numbers { proof, disproof }),
    ];
    let work = prop_oneof![0..4_u64, any::<u64>()];
    let reason = prop::collection::vec(any::<u64>(), 0..=MAX_WORDS);
    (numbers, work, any::<u16>(), reason).prop_map(|(numbers, work, best, reason)| Record {
        numbers,
        work,
        best,
        reason: Words::new(&reason).unwrap(),
    })
}

#[test]
fn the_bytes_of_a_record_are_pinned() {
    // These bytes are on disks: changing them means a new format.
    let mut proven = Record::new(Numbers::PROVEN, 300, 2);
    assert_eq!(bytes(&proven), [0x11, 0xac, 0x02, 2]);
    proven.reason = Words::of(0x0102_u64);
    assert_eq!(bytes(&proven), [0x11, 0xac, 2, 2, 2, 1, 0, 0, 0, 0, 0, 0]);
    let disproven = Record::new(Numbers::DISPROVEN, 0, 0);
    assert_eq!(bytes(&disproven), [0x12, 0, 0]);
    let open = Record::new(Numbers::open(5, 128), 1, 3);
    assert_eq!(bytes(&open), [0x10, 5, 0x80, 1, 1, 3]);
}

#[test]
fn numbers_no_state_can_have_are_not_written() {
    for (proof, disproof) in [(0, 0), (0, 5), (5, 0), (LIMIT + 1, 1), (1, u32::MAX)] {
        let mut out = Vec::new();
        let record = Record::new(Numbers { proof, disproof }, 1, 0);
        assert_eq!(record.encode(&mut out), Err(RecordError::Numbers { proof, disproof }));
        assert_eq!(out, []);
    }
}

#[test]
fn numbers_no_state_can_have_are_not_read() {
    assert_eq!(
        Record::decode(&[0x10, 0, 5, 1, 1]),
        Err(RecordError::Numbers { proof: 0, disproof: 5 })
    );
    // The infinite proof number of a disproven state under the tag of an open one.
    let bytes = [0x10, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 1];
    assert!(matches!(Record::decode(&bytes), Err(RecordError::Numbers { disproof: 0, .. })));
    // A proof number that looks small only when truncated to 32 bits.
    let bytes = [0x10, 0x81, 0x80, 0x80, 0x80, 0x10, 1, 1, 1];
    assert_eq!(Record::decode(&bytes), Err(RecordError::Number));
}

#[test]
fn malformed_bytes_are_named() {
    assert_eq!(Record::decode(&[]), Err(RecordError::Empty));
    assert_eq!(Record::decode(&[0x21, 1, 1]), Err(RecordError::Tag(0x21)));
    assert_eq!(Record::decode(&[FAULT, 3]), Err(RecordError::Tag(FAULT)));
    assert_eq!(Record::decode(&[0x11, 1]), Err(RecordError::Number));
    assert_eq!(Record::decode(&[0x11, 0x80, 0, 1]), Err(RecordError::Number));
    assert_eq!(Record::decode(&[0x11, 1, 1, 9]), Err(RecordError::Reason(1)));
    let mut long = vec![0x11, 1, 1];
    long.resize(3 + 8 * (MAX_WORDS + 1), 0);
    assert_eq!(Record::decode(&long), Err(RecordError::Reason(40)));
    let mut wide = vec![0x11];
    wide.extend([0xff; 9]);
    wide.extend([2, 0]);
    assert_eq!(Record::decode(&wide), Err(RecordError::Number));
}

proptest! {
    #[test]
    fn a_record_comes_back_as_it_was(record in any_record()) {
        prop_assert_eq!(Record::decode(&bytes(&record)), Ok(record));
    }

    #[test]
    fn a_record_cut_short_is_never_read(record in any_record(), cut in any::<prop::sample::Index>()) {
        let bytes = bytes(&record);
        let cut = cut.index(bytes.len());
        // Whole words may be missing: the rest is then the record of a shorter reason.
        if let Ok(shorter) = Record::decode(&bytes[..cut]) {
            prop_assert_eq!((bytes.len() - cut) % 8, 0);
            prop_assert!(shorter.reason.as_slice().len() < record.reason.as_slice().len());
        }
    }

    #[test]
    fn hostile_bytes_are_refused_or_are_the_only_spelling(
        hostile in prop::collection::vec(prop_oneof![Just(0x10), Just(0x11), Just(0x80), any::<u8>()], 0..60),
    ) {
        if let Ok(record) = Record::decode(&hostile) {
            prop_assert_eq!(bytes(&record), hostile);
        }
    }
}
