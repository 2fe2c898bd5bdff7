//! Packs records, keys and problems into bytes of a message. The contents of a record are opaque
//! here: the store encodes and decodes them at both ends. Input may be hostile.

use hasami_andor::{Key, ProblemId};

use crate::limits;
use crate::v1::Records;

/// Most records or keys in one request: it is answered as a whole.
pub const MAX_RECORDS: usize = limits::RECORDS;

/// Most notes, or keys of notes, in one request.
pub const MAX_NOTES: usize = limits::NOTES;
/// The longest note.
pub const MAX_NOTE: usize = limits::NOTE;

const KEY: usize = 16;
const LENGTH: usize = 2;

/// Why bytes cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// A problem is not 16 bytes long.
    #[error("a problem is 16 bytes, found {0}")]
    Problem(usize),
    /// A key is not 16 bytes long.
    #[error("keys are 16 bytes each, found {0} bytes")]
    Keys(usize),
    /// The bytes end within a record.
    #[error("packed records end within record {record}, at byte {at}")]
    Cut {
        /// Its index.
        record: usize,
        /// Its offset.
        at: usize,
    },
    /// The number of records differs from the announced one.
    #[error("{said} packed records were announced, found {found}")]
    Count {
        /// The announced number.
        said: u32,
        /// The number found.
        found: usize,
    },
    /// A record is too long to be sent.
    #[error("a record of {0} bytes, at most 65535 can be packed")]
    Long(usize),
}

/// Packs records one by one.
#[derive(Clone, Debug, Default)]
pub struct Packer {
    records: Records,
}

impl Packer {
    /// No records yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the bytes of a record.
    ///
    /// # Errors
    /// If it is too long; nothing is added then.
    pub fn push(&mut self, key: Key, record: &[u8]) -> Result<(), PackError> {
        let length = u16::try_from(record.len()).map_err(|_| PackError::Long(record.len()))?;
        let packed = &mut self.records.packed;
        packed.extend_from_slice(&key.0.to_le_bytes());
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(record);
        self.records.count += 1;
        Ok(())
    }

    /// The length in bytes of the first packed record; `None` if it is truncated.
    #[must_use]
    pub fn first_length(packed: &[u8]) -> Option<usize> {
        split(packed).map(|(_, record, _)| KEY + LENGTH + record.len())
    }

    /// The number of bytes packed.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.records.packed.len()
    }

    /// The number of records packed.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.records.count
    }

    /// Takes the packed records and leaves the packer empty.
    #[must_use]
    pub fn take(&mut self) -> Records {
        std::mem::take(&mut self.records)
    }
}

/// The keys and the bytes of the records, in order.
///
/// # Errors
/// If a [`Packer`] has not packed this.
pub fn unpack(records: &Records) -> Result<Vec<(Key, &[u8])>, PackError> {
    // Do not allocate by the announced number, which is not trusted.
    let most = records.packed.len() / (KEY + LENGTH);
    let mut all = Vec::with_capacity(most.min(records.count as usize));
    for record in each(records) {
        all.push(record?);
    }
    Ok(all)
}

/// Iterates over the records without allocating. Yields an error where it occurs, and nothing after
/// it.
pub fn each(records: &Records) -> impl Iterator<Item = Result<(Key, &[u8]), PackError>> {
    let (mut rest, mut found) = (records.packed.as_slice(), 0);
    let mut said = Some(records.count);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            // Once, at the end.
            let said = said.take()?;
            return (found != said as usize).then_some(Err(PackError::Count { said, found }));
        }
        let at = records.packed.len() - rest.len();
        let Some((key, record, tail)) = split(rest) else {
            (rest, said) = (&[], None);
            return Some(Err(PackError::Cut { record: found, at }));
        };
        (rest, found) = (tail, found + 1);
        Some(Ok((key, record)))
    })
}

fn split(bytes: &[u8]) -> Option<(Key, &[u8], &[u8])> {
    let (key, rest) = bytes.split_first_chunk::<KEY>()?;
    let (length, rest) = rest.split_first_chunk::<LENGTH>()?;
    let (record, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
    Some((Key(u128::from_le_bytes(*key)), record, rest))
}

/// The bytes of keys, one after the other.
#[must_use]
pub fn pack_keys(keys: &[Key]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.0.to_le_bytes()).collect()
}

/// The keys that [`pack_keys`] packed.
///
/// # Errors
/// If the bytes end within a key.
pub fn unpack_keys(bytes: &[u8]) -> Result<Vec<Key>, PackError> {
    match bytes.as_chunks::<KEY>() {
        (keys, []) => Ok(keys.iter().map(|&key| Key(u128::from_le_bytes(key))).collect()),
        _ => Err(PackError::Keys(bytes.len())),
    }
}

/// The bytes of a problem.
#[must_use]
pub fn pack_problem(problem: ProblemId) -> Vec<u8> {
    problem.0.to_le_bytes().to_vec()
}

/// The problem that [`pack_problem`] packed.
///
/// # Errors
/// If it is not 16 bytes long.
pub fn unpack_problem(bytes: &[u8]) -> Result<ProblemId, PackError> {
    let bytes = bytes.try_into().map_err(|_| PackError::Problem(bytes.len()))?;
    Ok(ProblemId(u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pack(records: &[(u128, Vec<u8>)]) -> Records {
        let mut packer = Packer::new();
        for (key, record) in records {
            packer.push(Key(*key), record).unwrap();
        }
        assert_eq!(
            (packer.count() as usize, packer.bytes() > 0),
            (records.len(), !records.is_empty())
        );
        packer.take()
    }

    #[test]
    fn a_record_too_long_is_refused_and_leaves_nothing() {
        let mut packer = Packer::new();
        assert_eq!(packer.push(Key(1), &vec![0; 65536]), Err(PackError::Long(65536)));
        assert_eq!(packer.take(), Records::default());
    }

    #[test]
    fn announced_numbers_cost_no_memory() {
        let liar = Records { packed: Vec::new(), count: u32::MAX };
        assert_eq!(unpack(&liar), Err(PackError::Count { said: u32::MAX, found: 0 }));
    }

    proptest! {
        #[test]
        fn what_was_packed_comes_back(
            records in prop::collection::vec((any::<u128>(), prop::collection::vec(any::<u8>(), 0..80)), 0..50),
        ) {
            let packed = pack(&records);
            let back: Vec<_> =
                unpack(&packed).unwrap().into_iter().map(|(key, record)| (key.0, record.to_vec())).collect();
            prop_assert_eq!(back, records);
        }

        /// Every value has one encoding: accepted bytes are packed again to the same bytes.
        #[test]
        fn hostile_bytes_are_refused_or_are_records(
            packed in prop::collection::vec(prop_oneof![3 => Just(0u8), 1 => any::<u8>()], 0..300),
            count in prop_oneof![0u32..20, any::<u32>()],
        ) {
            let records = Records { packed, count };
            if let Ok(all) = unpack(&records) {
                let all: Vec<_> = all.into_iter().map(|(key, record)| (key.0, record.to_vec())).collect();
                prop_assert_eq!(pack(&all), records);
            }
        }

        #[test]
        fn cut_anywhere_it_is_refused(
            records in prop::collection::vec((any::<u128>(), prop::collection::vec(any::<u8>(), 0..9)), 1..9),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut packed = pack(&records);
            packed.packed.truncate(cut.index(packed.packed.len()));
            prop_assert!(unpack(&packed).is_err());
        }

        #[test]
        fn keys_and_problems_come_back(keys in prop::collection::vec(any::<u128>(), 0..9), extra in 1usize..16) {
            let keys: Vec<_> = keys.into_iter().map(Key).collect();
            let mut bytes = pack_keys(&keys);
            prop_assert_eq!(&unpack_keys(&bytes).unwrap(), &keys);
            bytes.extend(vec![0; extra]);
            prop_assert_eq!(unpack_keys(&bytes), Err(PackError::Keys(bytes.len())));
            prop_assert_eq!(unpack_problem(&vec![1; extra]), Err(PackError::Problem(extra)));
            let problem = ProblemId(keys.len() as u128);
            prop_assert_eq!(unpack_problem(&pack_problem(problem)), Ok(problem));
        }
    }
}
