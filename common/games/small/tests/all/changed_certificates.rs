//! Changed certificates are refused, whether the hash matches or not.

use crate::graphs::graph;
use hasami_andor::certificate::{CertificateError, Verified, verify};
use hasami_andor::{Problem, Table, Verdict, oracle};
use hasami_small::chomp::Chomp;
use hasami_small::graph::Graph;
use hasami_small::mnk::Mnk;
use hasami_trials::certified::certify;
use hasami_trials::made;
use proptest::prelude::*;

/// Magic and version precede the stream, the hash follows it.
const START: usize = 8;
const HASH: usize = 32;

/// The contents of the file, unpacked: header and records.
fn unpacked(file: &[u8]) -> Vec<u8> {
    zstd::decode_all(&file[START..file.len() - HASH]).unwrap()
}

/// A file with these contents and a correct hash: only the rules can refuse it.
fn packed(start: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut file = start[..START].to_vec();
    file.extend(zstd::encode_all(contents, 1).unwrap());
    let hash = blake3::hash(&file);
    file.extend(hash.as_bytes());
    file
}

/// The parsed contents: the header, and each record.
struct Parts {
    header: Vec<u8>,
    records: Vec<Vec<u8>>,
}

impl Parts {
    fn of(contents: &[u8]) -> Self {
        let mut at = 0;
        let number = |at: &mut usize| {
            let (mut number, mut shift) = (0usize, 0);
            loop {
                let byte = contents[*at];
                *at += 1;
                number |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return number;
                }
            }
        };
        at += number(&mut at);
        at += 17;
        at += number(&mut at);
        let header = contents[..at].to_vec();
        let mut records = Vec::new();
        while contents[at] != 0 {
            let start = at;
            at += 1;
            if contents[start] == 2 {
                number(&mut at);
            }
            at += number(&mut at);
            records.push(contents[start..at].to_vec());
        }
        Self { header, records }
    }

    fn joined(&self) -> Vec<u8> {
        let mut contents = self.header.clone();
        self.records.iter().for_each(|record| contents.extend(record));
        contents.push(0);
        let mut count = self.records.len();
        while count >= 0x80 {
            contents.push(count as u8 | 0x80);
            count >>= 7;
        }
        contents.push(count as u8);
        contents
    }
}

/// The certificate of a problem, as a file's bytes.
fn certificate<P: Problem>(problem: &P, verdict: Verdict) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate");
    certify(problem, &Table::with_entries(1 << 10, false), verdict, &file);
    std::fs::read(file).unwrap()
}

fn verify_bytes<P: Problem>(bytes: &[u8], problem: &P) -> Result<Verified, CertificateError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate");
    std::fs::write(&file, bytes).unwrap();
    verify(&file, problem)
}

/// A problem with its certificate in pieces.
struct Sample<P> {
    problem: P,
    verdict: Verdict,
    bytes: Vec<u8>,
}

impl<P: Problem> Sample<P> {
    fn new(problem: P) -> Self {
        let verdict = oracle::solve(&problem, 1_000_000).unwrap().root;
        let bytes = certificate(&problem, verdict);
        Self { problem, verdict, bytes }
    }

    /// The verifier's result for other contents under a correct hash.
    fn verify_contents(&self, contents: &[u8]) -> Result<Verified, CertificateError> {
        verify_bytes(&packed(&self.bytes, contents), &self.problem)
    }
}

fn samples_of_graphs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Sample<Graph>> {
    seeds.map(|seed| Sample::new(graph(seed, 2..152)))
}

/// Every piece matters: without any one record, or with any one verdict inverted, the claim is
/// refused.
fn check_pieces<P: Problem>(sample: &Sample<P>) {
    let contents = unpacked(&sample.bytes);
    let parts = Parts::of(&contents);
    assert_eq!(parts.joined(), contents, "the test understands the format");
    assert!(sample.verify_contents(&contents).is_ok());
    for missing in 0..parts.records.len() {
        let mut records = parts.records.clone();
        records.remove(missing);
        let without = Parts { header: parts.header.clone(), records };
        let refused = sample.verify_contents(&without.joined());
        assert!(
            matches!(refused, Err(CertificateError::Refused { .. })),
            "without record {missing}: {refused:?}"
        );
    }
    // The verdict is the byte after the question and the id.
    let mut turned = contents.clone();
    let place = 1 + "a test".len() + 16;
    turned[place] ^= 1;
    let refused = sample.verify_contents(&turned);
    assert!(matches!(refused, Err(CertificateError::Refused { .. })), "{refused:?}");
}

#[test]
fn one_missing_record_or_the_other_verdict_is_refused() {
    samples_of_graphs(0..80).for_each(|sample| check_pieces(&sample));
    check_pieces(&Sample::new(made::<Chomp>("rows=3 columns=3")));
    check_pieces(&Sample::new(made::<Mnk>("width=3 height=3 line=3")));
    check_pieces(&Sample::new(made::<Mnk>("width=4 height=2 line=3")));
}

#[test]
fn records_behind_those_that_need_them_are_refused_unless_lines_may_circle() {
    let mut refused = 0;
    for sample in samples_of_graphs(0..80) {
        let mut parts = Parts::of(&unpacked(&sample.bytes));
        parts.records.reverse();
        let circular = sample.problem.repetition().verdict() == Some(sample.verdict);
        let result = sample.verify_contents(&parts.joined());
        assert_eq!(result.is_ok(), circular || parts.records.len() < 2, "{result:?}");
        refused += usize::from(result.is_err());
    }
    assert!(refused > 10, "{refused}");
}

/// A change of bytes.
#[derive(Clone, Debug)]
enum Edit {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Cut(prop::sample::Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<prop::sample::Index>;
    let byte = || prop_oneof![any::<u8>(), 0..4u8];
    let edit = prop_oneof![
        8 => (index(), byte()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        2 => (index(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        2 => index().prop_map(Edit::Remove),
        2 => (index(), index()).prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => index().prop_map(Edit::Cut),
    ];
    prop::collection::vec(edit, 1..4)
}

fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for edit in edits {
        if bytes.is_empty() {
            break;
        }
        let length = bytes.len();
        match edit {
            Edit::Set(at, byte) => bytes[at.index(length)] = *byte,
            Edit::Insert(at, byte) => bytes.insert(at.index(length), *byte),
            Edit::Remove(at) => drop(bytes.remove(at.index(length))),
            Edit::Swap(a, b) => bytes.swap(a.index(length), b.index(length)),
            Edit::Cut(at) => bytes.truncate(at.index(length)),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// The hash covers the whole file.
    #[test]
    fn a_file_with_any_byte_changed_is_refused(seed in 0..40u64, edits in edits()) {
        let sample = Sample::new(graph(seed, 2..152));
        let wrong = edited(&sample.bytes, &edits);
        prop_assume!(wrong != sample.bytes);
        prop_assert!(verify_bytes(&wrong, &sample.problem).is_err());
    }

    /// With a forged hash, the rules still refuse it.
    #[test]
    fn no_change_of_the_contents_makes_a_wrong_verdict_hold(seed in 0..60u64, edits in edits()) {
        let sample = Sample::new(graph(seed, 2..152));
        if let Ok(verified) = sample.verify_contents(&edited(&unpacked(&sample.bytes), &edits)) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }

    #[test]
    fn nor_on_a_board_with_zones(edits in edits(), disproven in any::<bool>()) {
        let line = if disproven { 4 } else { 3 };
        let sample = Sample::new(made::<Mnk>(&format!("width=4 height=2 line={line}")));
        if let Ok(verified) = sample.verify_contents(&edited(&unpacked(&sample.bytes), &edits)) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }

    /// Records shuffled, duplicated, or swapped, with the verdict inverted.
    #[test]
    fn no_choice_of_records_makes_a_wrong_verdict_hold(
        seed in 0..100u64,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        turned in any::<bool>(),
    ) {
        let sample = Sample::new(graph(seed, 2..152));
        let mut parts = Parts::of(&unpacked(&sample.bytes));
        prop_assume!(!parts.records.is_empty());
        let mut records: Vec<Vec<u8>> =
            picks.iter().map(|pick| parts.records[pick.index(parts.records.len())].clone()).collect();
        if turned {
            let place = 1 + "a test".len() + 16;
            parts.header[place] ^= 1;
            // Where one move was named, all count now, and vice versa.
            for record in &mut records {
                match record[0] {
                    1 => drop(record.splice(0..1, [2, 0])),
                    _ => drop(record.splice(0..2, [1])),
                }
            }
        }
        parts.records.extend(records);
        if let Ok(verified) = sample.verify_contents(&parts.joined()) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }
}
