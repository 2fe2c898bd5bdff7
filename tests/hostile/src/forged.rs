//! Outcomes, records and certificates that are false, malformed or absurd.

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_proto::pack::{Packer, pack_problem};
use hasami_proto::v1::{self, outcome};
use hasami_record::Record;

use crate::dice::Dice;
use crate::truth::True;

/// A lease: one that was given, or one near it, or nonsense.
pub(crate) fn lease(dice: &mut Dice, given: &[v1::Lease]) -> v1::Lease {
    let mut lease = match dice.of(given) {
        Some(lease) => *lease,
        None => v1::Lease { run: 1 + dice.below(3), item: dice.small(), unit: 0, attempt: 1 },
    };
    match dice.below(8) {
        0 => lease.run = dice.number(),
        1 => lease.item = dice.small(),
        2 => lease.unit = dice.small(),
        3 => lease.attempt = dice.small(),
        _ => {}
    }
    lease
}

/// Lies on top of what is true.
pub(crate) fn answer(dice: &mut Dice, truth: Option<&True>, others: &[&True]) -> v1::Answer {
    let mut answer = match truth.filter(|_| !dice.one_in(4)) {
        Some(truth) => truth.answer.clone(),
        None => v1::Answer {
            verdict: dice.below(7) as i32,
            claim: dice.text(),
            fields: (0..dice.many()).map(|_| param(dice)).collect(),
            certificates: (0..dice.many()).map(|_| certificate(dice)).collect(),
            measures: Some(measures(dice)),
            check: None,
        },
    };
    match dice.below(8) {
        0 => answer.verdict = if answer.verdict == 1 { 2 } else { 1 },
        1 => answer.verdict = dice.below(7) as i32,
        2 => answer.certificates.clear(),
        3 => {
            if let Some(other) = dice.of(others) {
                answer.certificates.clone_from(&other.answer.certificates);
            }
        }
        4 => answer.claim = dice.text(),
        5 => answer.fields.push(param(dice)),
        6 => answer.certificates.push(certificate(dice)),
        // A true answer now and then: a liar is believed otherwise.
        _ => {}
    }
    if dice.one_in(3) {
        answer.measures = Some(measures(dice));
    }
    answer
}

pub(crate) fn param(dice: &mut Dice) -> v1::Param {
    v1::Param { name: dice.text(), value: dice.text() }
}

fn measures(dice: &mut Dice) -> v1::Measures {
    v1::Measures { nodes: dice.number(), seconds: dice.float(), store_hits: dice.number() }
}

fn certificate(dice: &mut Dice) -> v1::Certificate {
    let digest = if dice.one_in(2) { vec![0; 32] } else { dice.bytes(40) };
    v1::Certificate { name: dice.text(), digest, bytes: dice.number() }
}

/// The bytes of a certificate, damaged.
pub(crate) fn damaged(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    let at = dice.below(bytes.len() as u64) as usize;
    match dice.below(4) {
        0 => bytes.truncate(at),
        1 => bytes.extend(dice.bytes(64)),
        2 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        _ => {}
    }
    bytes
}

fn numbers(dice: &mut Dice) -> v1::Numbers {
    match dice.below(4) {
        0 => v1::Numbers { proof: 0, disproof: u32::MAX },
        1 => v1::Numbers { proof: u32::MAX, disproof: 0 },
        _ => v1::Numbers { proof: dice.small(), disproof: dice.small() },
    }
}

/// Children with few keys, so that graphs contain themselves.
fn child(dice: &mut Dice) -> v1::Child {
    v1::Child {
        state: key(dice),
        key: key(dice),
        turn: dice.below(4) as i32,
        numbers: Some(numbers(dice)),
        work: dice.number(),
    }
}

fn key(dice: &mut Dice) -> Vec<u8> {
    if dice.one_in(8) { dice.bytes(40) } else { vec![dice.below(4) as u8; 16] }
}

fn search(dice: &mut Dice) -> v1::SearchReport {
    v1::SearchReport {
        numbers: (!dice.one_in(8)).then(|| numbers(dice)),
        turn: dice.below(4) as i32,
        nodes: dice.number(),
        seconds: dice.float(),
        stopped: dice.below(6) as i32,
        children: (0..dice.many()).map(|_| child(dice)).collect(),
        store_hits: dice.number(),
    }
}

fn enumerated(dice: &mut Dice) -> v1::EnumerateReport {
    let prefixes = ["all", "", "0", "0.0", "1.1.1", "0.0.0.0.0.0.0.0", "-1"];
    let prefix = |dice: &mut Dice| match dice.of(&prefixes) {
        Some(prefix) if !dice.one_in(4) => (*prefix).to_string(),
        _ => dice.text(),
    };
    v1::EnumerateReport {
        raw: dice.number(),
        patterns: dice.number(),
        seconds: dice.float(),
        rest: (0..dice.many()).map(|_| prefix(dice)).collect(),
        found: (0..dice.many()).map(|_| dice.text()).collect(),
        nodes: dice.number(),
    }
}

/// An outcome of any kind.
pub(crate) fn outcome(
    dice: &mut Dice,
    given: &[v1::Lease],
    truth: Option<&True>,
    others: &[&True],
) -> v1::Outcome {
    let kind = match dice.below(12) {
        0..5 => Some(outcome::Kind::Answer(answer(dice, truth, others))),
        5..7 => Some(outcome::Kind::Search(search(dice))),
        7..9 => Some(outcome::Kind::Enumerate(enumerated(dice))),
        9 => Some(outcome::Kind::Failure(v1::Failure {
            kind: dice.below(8) as i32,
            message: dice.text(),
        })),
        10 => Some(outcome::Kind::HandedBack(v1::HandedBack {})),
        _ => None,
    };
    v1::Outcome { lease: (!dice.one_in(20)).then(|| lease(dice, given)), kind }
}

/// Progress that was not made.
pub(crate) fn progress(dice: &mut Dice, given: &[v1::Lease]) -> v1::Progress {
    let node = |dice: &mut Dice| v1::PathNode {
        state: key(dice),
        key: key(dice),
        turn: dice.below(4) as i32,
        numbers: Some(numbers(dice)),
        open: dice.small(),
    };
    v1::Progress {
        lease: Some(lease(dice, given)),
        nodes: dice.number(),
        numbers: Some(numbers(dice)),
        path: (0..dice.many()).map(|_| node(dice)).collect(),
    }
}

/// Records that contradict each other, or are none.
pub(crate) fn records(dice: &mut Dice) -> v1::Records {
    if dice.one_in(3) {
        return v1::Records { packed: dice.bytes(200), count: dice.small() };
    }
    let mut packer = Packer::new();
    for _ in 0..dice.below(5) {
        let numbers = match dice.below(3) {
            0 => Numbers::PROVEN,
            1 => Numbers::DISPROVEN,
            _ => Numbers::UNKNOWN,
        };
        let mut bytes = Vec::new();
        let record = Record::new(numbers, dice.below(1000), 0);
        if record.encode(&mut bytes).is_ok() {
            let _ = packer.push(Key(dice.below(6).into()), &bytes);
        }
    }
    packer.take()
}

/// A problem that nobody asks about, or no id at all.
pub(crate) fn problem(dice: &mut Dice) -> Vec<u8> {
    match dice.below(3) {
        0 => dice.bytes(20),
        _ => pack_problem(ProblemId(dice.below(3).into())),
    }
}
