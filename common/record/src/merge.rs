//! Merges two records of one state: a pure function of encoded records that may be applied in any
//! order and any number of times. Relies on each record having exactly one encoding.

use hasami_andor::Verdict;

use crate::record::{FAULT, Record, RecordError};

const PROVEN: u8 = 1;
const DISPROVEN: u8 = 2;
const DAMAGED: u8 = 4;

/// A state that must never occur. Stored in place of the record, it absorbs everything that comes
/// after and remembers which verdicts it has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    seen: u8,
}

impl Fault {
    /// Whether the state was published as proven and as disproven.
    #[must_use]
    pub fn contradiction(self) -> bool {
        self.seen & PROVEN != 0 && self.seen & DISPROVEN != 0
    }

    /// Whether some bytes were unreadable.
    #[must_use]
    pub fn damaged(self) -> bool {
        self.seen & DAMAGED != 0
    }

    /// The encoding of this fault.
    #[must_use]
    pub fn encode(self) -> [u8; 2] {
        [FAULT, self.seen]
    }

    fn of(seen: u8) -> Option<Self> {
        let fault = Self { seen };
        (seen < 8 && (fault.contradiction() || fault.damaged())).then_some(fault)
    }
}

/// What a store holds under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The usual case.
    Record(Record),
    /// A fault; never use it as knowledge.
    Fault(Fault),
}

impl Entry {
    /// Decodes what [`Record::encode`], [`Fault::encode`] or [`merge`] wrote.
    ///
    /// # Errors
    /// If none of them wrote these bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        if bytes.first() != Some(&FAULT) {
            return Record::decode(bytes).map(Self::Record);
        }
        match bytes {
            &[FAULT, seen] => Fault::of(seen).map(Self::Fault).ok_or(RecordError::Fault),
            _ => Err(RecordError::Fault),
        }
    }

    /// The verdicts and faults in this entry.
    fn seen(&self) -> u8 {
        match self {
            Self::Fault(fault) => fault.seen,
            Self::Record(record) => match record.numbers.verdict() {
                Some(Verdict::Proven) => PROVEN,
                Some(Verdict::Disproven) => DISPROVEN,
                None => 0,
            },
        }
    }
}

/// The outcome of [`merge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merged<'a> {
    /// The best of the operands, if none disagree.
    Record(&'a [u8]),
    /// A contradiction, or an operand that is not an entry.
    Fault(Fault),
}

impl Merged<'_> {
    /// The bytes to store.
    #[must_use]
    pub fn to_vec(self) -> Vec<u8> {
        match self {
            Self::Record(bytes) => bytes.to_vec(),
            Self::Fault(fault) => fault.encode().to_vec(),
        }
    }
}

/// Merges encoded entries. A settled record beats an open one, then more work beats less, then the
/// bytes decide, so that the order of the operands never matters. A contradiction, an undecodable
/// operand or an operand that is a fault gives a [`Fault`].
///
/// Returns `None` only without operands.
pub fn merge<'a>(operands: impl IntoIterator<Item = &'a [u8]>) -> Option<Merged<'a>> {
    let mut seen = 0;
    let mut best = None;
    for bytes in operands {
        match Entry::decode(bytes) {
            Ok(entry) => {
                seen |= entry.seen();
                if let Entry::Record(record) = entry {
                    // Tuples compare field by field, so this is the order of preference.
                    let rank = Some((record.numbers.settled(), record.work, bytes));
                    best = best.max(rank);
                }
            }
            Err(_) => seen |= DAMAGED,
        }
    }
    match (Fault::of(seen), best) {
        (Some(fault), _) => Some(Merged::Fault(fault)),
        (None, Some((_, _, bytes))) => Some(Merged::Record(bytes)),
        // Every operand is a record or was counted as a fault.
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use hasami_andor::Numbers;
    use proptest::prelude::*;

    use super::*;
    use crate::record::tests::any_record;

    fn bytes(record: Record) -> Vec<u8> {
        let mut out = Vec::new();
        record.encode(&mut out).unwrap();
        out
    }

    fn both(a: &[u8], b: &[u8]) -> Vec<u8> {
        merge([a, b]).unwrap().to_vec()
    }

    fn one(a: &[u8]) -> Vec<u8> {
        merge([a]).unwrap().to_vec()
    }

    /// Records, faults, and bytes that are neither.
    fn any_operand() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            6 => any_record().prop_map(bytes),
            1 => prop_oneof![Just(3), Just(4), Just(5), Just(6), Just(7)]
                .prop_map(|seen| vec![FAULT, seen]),
            1 => prop::collection::vec(any::<u8>(), 0..4),
        ]
    }

    #[test]
    fn settled_beats_open_whatever_the_work() {
        let open = bytes(Record::new(Numbers::open(1, 9), u64::MAX, 3));
        let proven = bytes(Record::new(Numbers::PROVEN, 1, 0));
        assert_eq!(both(&open, &proven), proven);
    }

    #[test]
    fn more_work_beats_less() {
        // As bytes they are the other way round: 255 is ff 01, 1024 is 80 08.
        let less = bytes(Record::new(Numbers::DISPROVEN, 255, 9));
        let more = bytes(Record::new(Numbers::DISPROVEN, 1024, 0));
        assert!(less > more);
        assert_eq!(both(&less, &more), more);
    }

    #[test]
    fn proven_and_disproven_is_a_contradiction_for_ever() {
        let proven = bytes(Record::new(Numbers::PROVEN, 5, 0));
        let disproven = bytes(Record::new(Numbers::DISPROVEN, 9, 0));
        let fault = both(&proven, &disproven);
        assert!(matches!(
            Entry::decode(&fault),
            Ok(Entry::Fault(fault)) if fault.contradiction() && !fault.damaged()
        ));
        for later in [&proven, &disproven, &fault] {
            assert_eq!(both(&fault, later), fault);
        }
    }

    #[test]
    fn unreadable_bytes_are_damage_for_ever() {
        let proven = bytes(Record::new(Numbers::PROVEN, 5, 0));
        for broken in [&[][..], &[0x99], &[FAULT], &[FAULT, 1], &[FAULT, 9], &[FAULT, 3, 0]] {
            let fault = both(broken, &proven);
            assert!(matches!(
                Entry::decode(&fault),
                Ok(Entry::Fault(fault)) if fault.damaged() && !fault.contradiction()
            ));
            assert_eq!(both(&fault, &proven), fault);
        }
    }

    #[test]
    fn merging_nothing_gives_nothing() {
        assert_eq!(merge([]), None);
    }

    proptest! {
        #[test]
        fn the_order_of_two_does_not_matter(a in any_operand(), b in any_operand()) {
            prop_assert_eq!(both(&a, &b), both(&b, &a));
        }

        #[test]
        fn the_grouping_does_not_matter(
            a in any_operand(), b in any_operand(), c in any_operand(),
        ) {
            let all = merge([&a[..], &b, &c]).unwrap().to_vec();
            prop_assert_eq!(&both(&both(&a, &b), &c), &all);
            prop_assert_eq!(&both(&a, &both(&b, &c)), &all);
        }

        #[test]
        fn telling_twice_changes_nothing(a in any_operand(), b in any_operand()) {
            prop_assert_eq!(both(&a, &a), one(&a));
            let merged = both(&a, &b);
            prop_assert_eq!(&both(&merged, &a), &merged);
            prop_assert_eq!(&one(&merged), &merged);
        }

        #[test]
        fn a_record_alone_is_kept_as_it_is(record in any_record()) {
            let alone = bytes(record);
            prop_assert_eq!(one(&alone), alone);
        }

        #[test]
        fn a_verdict_is_never_lost(records in prop::collection::vec(any_record(), 1..6)) {
            let all: Vec<_> = records.iter().copied().map(bytes).collect();
            let merged = merge(all.iter().map(Vec::as_slice)).unwrap().to_vec();
            let verdicts: std::collections::HashSet<_> =
                records.iter().filter_map(|record| record.numbers.verdict()).collect();
            match Entry::decode(&merged).unwrap() {
                Entry::Record(best) => {
                    prop_assert!(verdicts.len() < 2);
                    prop_assert_eq!(best.numbers.verdict(), verdicts.into_iter().next());
                }
                Entry::Fault(fault) => {
                    prop_assert!(fault.contradiction());
                    prop_assert_eq!(verdicts.len(), 2);
                }
            }
        }
    }
}
