//! Between the messages of workers and the words of the core.

use hasami_andor::{Key, Numbers, Role, SearchProgress, SearchReport, SearchTask, Stopped, Turn};
use hasami_proto::pack::pack_keys;
use hasami_proto::v1;
use tonic::Status;

use crate::core::{
    Assignment, Attempt, ItemNo, Lease, Outcome, Part, Progress, RunId, UnitNo, Work,
};
use crate::partition::Others;

/// 0 stands for no limit.
fn limit(number: u32) -> u32 {
    if number == hasami_andor::numbers::INFINITE { 0 } else { number }
}

pub fn lease(message: Option<v1::Lease>) -> Result<Lease, Status> {
    let v1::Lease { run, item, unit, attempt } =
        message.ok_or_else(|| Status::invalid_argument("lease: missing"))?;
    Ok(Lease { run: RunId(run), item: ItemNo(item), unit: UnitNo(unit), attempt: Attempt(attempt) })
}

pub fn lease_message(lease: Lease) -> v1::Lease {
    v1::Lease { run: lease.run.0, item: lease.item.0, unit: lease.unit.0, attempt: lease.attempt.0 }
}

pub fn others_message((lease, others): (Lease, Others)) -> v1::Others {
    let Others { keys, depth } = others;
    v1::Others { lease: Some(lease_message(lease)), keys: pack_keys(&keys), depth }
}

pub fn assignment(given: Assignment, split_ms: u32) -> v1::Assignment {
    use v1::assignment::Task as Message;
    let task = match given.work {
        Work::Answer => Message::Answer(v1::Answering {}),
        Work::Search(task) => Message::Search(searching(task.search)),
        Work::Certify(verdict) => Message::Certify(v1::Certifying {
            verdict: match verdict {
                hasami_andor::Verdict::Proven => v1::Verdict::Proven,
                hasami_andor::Verdict::Disproven => v1::Verdict::Disproven,
            }
            .into(),
        }),
        Work::Enumerate(prefix) => Message::Enumerate(v1::Enumerating { prefix, split_ms }),
    };
    v1::Assignment {
        lease: Some(lease_message(given.lease)),
        question: Some(v1::Question::from(given.question)),
        task: Some(task),
    }
}

fn searching(task: SearchTask) -> v1::Searching {
    let role = match task.role {
        Role::Plain => v1::Role::Plain,
        Role::Leader => v1::Role::Leader,
        Role::Slave => v1::Role::Slave,
    };
    v1::Searching {
        state: task.state,
        proof: limit(task.target.proof),
        disproof: limit(task.target.disproof),
        nodes: task.nodes.unwrap_or(0),
        role: role.into(),
        seed: task.seed,
        share: task.share,
        children: task.children,
    }
}

pub fn outcome(message: Option<v1::outcome::Kind>) -> Result<Outcome, Status> {
    use v1::outcome::Kind;
    match message.ok_or_else(|| Status::invalid_argument("outcome: empty"))? {
        Kind::Answer(answer) => {
            // Checked as a whole; kept as it came.
            hasami_sweep::Answer::try_from(answer.clone())
                .map_err(|error| Status::invalid_argument(format!("outcome.answer: {error}")))?;
            Ok(Outcome::Answer(answer))
        }
        Kind::Search(report) => Ok(Outcome::Search(search_report(report)?)),
        Kind::Enumerate(part) => Ok(Outcome::Part(Part {
            raw: part.raw,
            patterns: part.patterns,
            found: part.found,
            rest: part.rest,
            seconds: part.seconds,
            nodes: part.nodes,
        })),
        Kind::Failure(failure) => {
            Ok(Outcome::Failed { message: failure.message, permanent: failure.permanent })
        }
        Kind::HandedBack(_) => Ok(Outcome::HandedBack),
    }
}

fn search_report(report: v1::SearchReport) -> Result<SearchReport, Status> {
    let stopped = match report.stopped.as_str() {
        "settled" => Stopped::Settled,
        "target" => Stopped::Target,
        "budget" => Stopped::Budget,
        "cancelled" => Stopped::Cancelled,
        other => {
            return Err(Status::invalid_argument(format!(
                "stopped: found {other:?}; expected settled, target, budget or cancelled"
            )));
        }
    };
    let child = |child: v1::Child| {
        Ok(hasami_andor::Child {
            state: child.state,
            key: key(&child.key)?,
            turn: turn(child.or),
            numbers: numbers(child.proof, child.disproof)?,
            work: child.work,
        })
    };
    Ok(SearchReport {
        numbers: numbers(report.proof, report.disproof)?,
        turn: turn(report.or),
        nodes: report.nodes,
        seconds: report.seconds,
        stopped,
        children: report.children.into_iter().map(child).collect::<Result<_, Status>>()?,
        store_hits: report.store_hits,
    })
}

pub fn progress(message: v1::Progress) -> Result<(Lease, Progress), Status> {
    let node = |node: v1::PathNode| {
        Ok(hasami_andor::PathNode {
            state: node.state,
            key: key(&node.key)?,
            turn: turn(node.or),
            numbers: numbers(node.proof, node.disproof)?,
            open: node.open,
        })
    };
    let search = SearchProgress {
        nodes: message.nodes,
        numbers: numbers(message.proof, message.disproof).unwrap_or(Numbers::UNKNOWN),
        path: message.path.into_iter().map(node).collect::<Result<_, Status>>()?,
    };
    Ok((lease(message.lease)?, Progress { nodes: message.nodes, search }))
}

fn turn(or: bool) -> Turn {
    if or { Turn::Or } else { Turn::And }
}

fn key(bytes: &[u8]) -> Result<Key, Status> {
    let bytes: [u8; 16] = bytes.try_into().map_err(|_| {
        Status::invalid_argument(format!("key: found {} bytes; expected 16", bytes.len()))
    })?;
    Ok(Key(u128::from_le_bytes(bytes)))
}

fn numbers(proof: u32, disproof: u32) -> Result<Numbers, Status> {
    let numbers = Numbers { proof, disproof };
    let settled = numbers == Numbers::PROVEN || numbers == Numbers::DISPROVEN;
    match settled || (proof > 0 && disproof > 0) {
        true => Ok(numbers),
        false => Err(Status::invalid_argument(format!(
            "numbers: no state has proof number {proof} and disproof number {disproof}"
        ))),
    }
}
