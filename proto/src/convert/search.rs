//! Split searches: tasks, reports and progress. Only here is "no limit" a missing field and a
//! settled state a pair of numbers.

use hasami_andor::numbers::INFINITE;
use hasami_andor::{
    Child, Numbers, PathNode, Role, SearchProgress, SearchReport, SearchTask, Stopped, Turn,
};
use hasami_unit::Progress;

use super::entry::checked_duration;
use super::lease::{key, lease};
use super::{ConvertError, checked_length, checked_state};
use crate::{limits, v1};

impl From<SearchTask> for v1::SearchTask {
    fn from(task: SearchTask) -> Self {
        let limit = |number| (number != INFINITE).then_some(number);
        let role = match task.role {
            Role::Plain => v1::Role::Plain,
            Role::Leader => v1::Role::Leader,
            Role::Slave => v1::Role::Slave,
        };
        Self {
            state: task.state,
            proof: limit(task.target.proof),
            disproof: limit(task.target.disproof),
            nodes: task.nodes,
            role: role.into(),
            seed: task.seed,
            share: task.share,
            children: task.children,
        }
    }
}

impl TryFrom<v1::SearchTask> for SearchTask {
    type Error = ConvertError;

    fn try_from(message: v1::SearchTask) -> Result<Self, ConvertError> {
        let role = match message.role() {
            v1::Role::Plain => Role::Plain,
            v1::Role::Leader => Role::Leader,
            v1::Role::Slave => Role::Slave,
            v1::Role::Unspecified => {
                return Err(ConvertError::new("role", message.role, "a role of this version"));
            }
        };
        let target = Numbers {
            proof: message.proof.unwrap_or(INFINITE),
            disproof: message.disproof.unwrap_or(INFINITE),
        };
        let v1::SearchTask { state, nodes, seed, share, children, .. } = message;
        Ok(Self { state, target, nodes, role, seed, share, children })
    }
}

impl From<SearchReport> for v1::SearchReport {
    fn from(report: SearchReport) -> Self {
        let stopped = match report.stopped {
            _ if report.numbers.settled() => v1::StopReason::Settled,
            Stopped::Settled => v1::StopReason::Settled,
            Stopped::Target => v1::StopReason::Target,
            Stopped::Budget => v1::StopReason::Budget,
            Stopped::Cancelled => v1::StopReason::Cancelled,
        };
        Self {
            numbers: Some(report.numbers.into()),
            turn: v1::Turn::from(report.turn).into(),
            nodes: report.nodes,
            seconds: report.seconds,
            stopped: stopped.into(),
            children: report.children.into_iter().map(Into::into).collect(),
            store_hits: report.store_hits,
        }
    }
}

impl TryFrom<v1::SearchReport> for SearchReport {
    type Error = ConvertError;

    fn try_from(message: v1::SearchReport) -> Result<Self, ConvertError> {
        let stopped = match message.stopped() {
            v1::StopReason::Settled => Stopped::Settled,
            v1::StopReason::Target => Stopped::Target,
            v1::StopReason::Budget => Stopped::Budget,
            v1::StopReason::Cancelled => Stopped::Cancelled,
            v1::StopReason::Unspecified => {
                let expected = "a reason of this version";
                return Err(ConvertError::new("stopped", message.stopped, expected));
            }
        };
        checked_length("search.children", &message.children, limits::CHILDREN)?;
        Ok(Self {
            numbers: numbers(message.numbers)?,
            turn: turn(message.turn)?,
            nodes: message.nodes,
            seconds: checked_duration("search.seconds", message.seconds)?,
            stopped,
            store_hits: message.store_hits,
            children: message
                .children
                .into_iter()
                .map(TryInto::try_into)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl From<Child> for v1::Child {
    fn from(child: Child) -> Self {
        Self {
            state: child.state,
            key: child.key.0.to_le_bytes().to_vec(),
            turn: v1::Turn::from(child.turn).into(),
            numbers: Some(child.numbers.into()),
            work: child.work,
        }
    }
}

impl TryFrom<v1::Child> for Child {
    type Error = ConvertError;

    fn try_from(message: v1::Child) -> Result<Self, ConvertError> {
        Ok(Self {
            key: key(&message.key)?,
            turn: turn(message.turn)?,
            numbers: numbers(message.numbers)?,
            state: checked_state("child.state", message.state)?,
            work: message.work,
        })
    }
}

impl From<PathNode> for v1::PathNode {
    fn from(node: PathNode) -> Self {
        Self {
            state: node.state,
            key: node.key.0.to_le_bytes().to_vec(),
            turn: v1::Turn::from(node.turn).into(),
            numbers: Some(node.numbers.into()),
            open: node.open,
        }
    }
}

impl TryFrom<v1::PathNode> for PathNode {
    type Error = ConvertError;

    fn try_from(message: v1::PathNode) -> Result<Self, ConvertError> {
        Ok(Self {
            key: key(&message.key)?,
            turn: turn(message.turn)?,
            numbers: numbers(message.numbers)?,
            state: checked_state("path.state", message.state)?,
            open: message.open,
        })
    }
}

impl From<Progress> for v1::Progress {
    fn from(progress: Progress) -> Self {
        let Progress { lease, search: SearchProgress { nodes, numbers, path } } = progress;
        Self {
            lease: Some(lease.into()),
            nodes,
            numbers: Some(numbers.into()),
            path: path.into_iter().map(Into::into).collect(),
        }
    }
}

impl TryFrom<v1::Progress> for Progress {
    type Error = ConvertError;

    fn try_from(message: v1::Progress) -> Result<Self, ConvertError> {
        checked_length("progress.path", &message.path, limits::CHILDREN)?;
        let known = message.numbers.map(|known| numbers(Some(known))).transpose()?;
        let path = message.path.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?;
        Ok(Self::new(lease(message.lease)?, message.nodes, known, path))
    }
}

impl From<Numbers> for v1::Numbers {
    fn from(numbers: Numbers) -> Self {
        let Numbers { proof, disproof } = numbers;
        Self { proof, disproof }
    }
}

/// Numbers that a state can have: 0 only with its opposite.
fn numbers(message: Option<v1::Numbers>) -> Result<Numbers, ConvertError> {
    let v1::Numbers { proof, disproof } =
        message.ok_or_else(|| ConvertError::new("numbers", "none", "two numbers"))?;
    let numbers = Numbers { proof, disproof };
    let settled = numbers == Numbers::PROVEN || numbers == Numbers::DISPROVEN;
    if settled || (proof > 0 && disproof > 0) {
        Ok(numbers)
    } else {
        let found = format!("proof number {proof} and disproof number {disproof}");
        Err(ConvertError::new("numbers", found, "numbers that a state can have"))
    }
}

impl From<Turn> for v1::Turn {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Or => Self::Or,
            Turn::And => Self::And,
        }
    }
}

fn turn(message: i32) -> Result<Turn, ConvertError> {
    match v1::Turn::try_from(message) {
        Ok(v1::Turn::Or) => Ok(Turn::Or),
        Ok(v1::Turn::And) => Ok(Turn::And),
        Ok(v1::Turn::Unspecified) | Err(_) => {
            Err(ConvertError::new("turn", message, "whose choice the state is"))
        }
    }
}
