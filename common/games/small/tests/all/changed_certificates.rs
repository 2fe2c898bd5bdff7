//! Changed certificates are refused, whether the hash matches or not, unless they are still a proof.

use crate::graphs::graph;
use hasami_andor::certificate::{CertificateError, Verified, verify};
use hasami_andor::{Problem, Table, Verdict, oracle};
use hasami_forge::{file, parts};
use hasami_small::chomp::Chomp;
use hasami_small::graph::Graph;
use hasami_trials::certified::{asked, certify};
use hasami_trials::made;
use proptest::prelude::*;

fn verify_bytes<P: Problem>(bytes: &[u8], problem: &P) -> Result<Verified, CertificateError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate");
    std::fs::write(&file, bytes).unwrap();
    verify(&file, problem, &asked(problem))
}

/// A problem with its certificate.
struct Sample<P> {
    problem: P,
    verdict: Verdict,
    bytes: Vec<u8>,
    part: Vec<u8>,
}

impl<P: Problem> Sample<P> {
    fn new(problem: P) -> Self {
        let verdict = oracle::solve(&problem, 1_000_000).unwrap().root;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("certificate");
        certify(&problem, &Table::with_entries(1 << 10, false), verdict, &path);
        let part = parts(&path).remove(0);
        Self { problem, verdict, bytes: std::fs::read(path).unwrap(), part }
    }

    /// The verifier's result for another part under a correct hash.
    fn verify_part(&self, part: &[u8]) -> Result<Verified, CertificateError> {
        verify_bytes(&file(&[part.to_vec()]), &self.problem)
    }

    /// Every byte of the tree left out, changed, or given twice: whatever is accepted has the right
    /// verdict. Returns how many were accepted.
    fn check_bytes(&self) -> usize {
        assert!(self.verify_part(&self.part).is_ok());
        let start = self.part.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        let mut accepted = 0;
        let mut check = |part: Vec<u8>| {
            if let Ok(verified) = self.verify_part(&part) {
                assert_eq!(verified.header.verdict, self.verdict);
                accepted += 1;
            }
        };
        for at in start..self.part.len() {
            let mut part = self.part.clone();
            part.remove(at);
            check(part.clone());
            part.insert(at, self.part[at]);
            part.insert(at, self.part[at]);
            check(part);
            for value in 0..8 {
                let mut part = self.part.clone();
                part[at] = value;
                check(part);
            }
        }
        accepted
    }
}

fn samples_of_graphs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Sample<Graph>> {
    seeds.map(|seed| Sample::new(graph(seed, 2..152)))
}

#[test]
fn no_changed_byte_makes_a_wrong_verdict_hold() {
    samples_of_graphs(0..60).for_each(|sample| assert!(sample.check_bytes() > 0));
    Sample::new(made::<Chomp>("rows=3 columns=3")).check_bytes();
}

#[test]
fn the_other_verdict_is_refused() {
    for sample in samples_of_graphs(0..80) {
        let text = String::from_utf8_lossy(&sample.part).into_owned();
        let (right, wrong) = match sample.verdict {
            Verdict::Proven => ("verdict proven", "verdict disproven"),
            Verdict::Disproven => ("verdict disproven", "verdict proven"),
        };
        let at = text.find(right).unwrap();
        let mut part = sample.part.clone();
        part.splice(at..at + right.len(), wrong.bytes());
        let refused = sample.verify_part(&part);
        assert!(matches!(refused, Err(CertificateError::Refused { .. })), "{refused:?}");
    }
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
    let byte = || prop_oneof![any::<u8>(), 0..8u8];
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
    fn a_file_with_any_byte_changed_is_damaged(seed in 0..40u64, edits in edits()) {
        let sample = Sample::new(graph(seed, 2..152));
        let wrong = edited(&sample.bytes, &edits);
        prop_assume!(wrong != sample.bytes);
        let refused = verify_bytes(&wrong, &sample.problem);
        prop_assert!(
            !matches!(refused, Ok(_) | Err(CertificateError::Refused { .. })),
            "{:?}", refused
        );
    }

    /// With a forged hash, the rules still refuse it.
    #[test]
    fn no_change_of_the_contents_makes_a_wrong_verdict_hold(seed in 0..60u64, edits in edits()) {
        let sample = Sample::new(graph(seed, 2..152));
        if let Ok(verified) = sample.verify_part(&edited(&sample.part, &edits)) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }
}
