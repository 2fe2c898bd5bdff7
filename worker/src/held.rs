//! What a worker holds: units in the queue, on threads, and finished but not acknowledged. Pure:
//! no clock, no threads, no network.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_proto::v1::{self, Assignment, Certificate, HandedBack, assignment, outcome};

use crate::compute::Computed;
use crate::lease::Lease;

/// All units of a worker.
#[derive(Debug, Default)]
pub struct Held {
    /// Those that no thread has taken yet, in the order given.
    queue: VecDeque<Lease>,
    units: BTreeMap<Lease, Unit>,
}

#[derive(Debug)]
struct Unit {
    assignment: Arc<Assignment>,
    control: Arc<Control>,
    stage: Stage,
    wish: Wish,
}

#[derive(Debug)]
enum Stage {
    Queued,
    Computing,
    Finished(Box<Finished>),
}

#[derive(Debug)]
struct Finished {
    kind: outcome::Kind,
    /// Certificates to send before the outcome may be handed in.
    files: Vec<PathBuf>,
    /// Somebody is sending them.
    sending: bool,
}

/// What is to become of a unit that is being computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Finish,
    HandBack,
    Drop,
}

/// What became of a unit that a thread has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It has an outcome.
    Finished,
    /// It goes back to the coordinator.
    HandedBack,
    /// Nobody wants it any more.
    Dropped,
}

/// Files of one unit to send.
#[derive(Clone, Debug, PartialEq)]
pub struct Parcel {
    /// Whose.
    pub lease: Lease,
    /// What the answer says of each, and where it is.
    pub files: Vec<(Certificate, PathBuf)>,
}

impl Held {
    /// Puts a unit at the end of the queue. Not if it is held: a unit is never computed twice.
    pub fn add(&mut self, lease: Lease, assignment: Assignment) -> bool {
        if self.units.contains_key(&lease) {
            return false;
        }
        let control = Arc::new(Control::unlimited());
        if is_leader(&assignment) {
            control.want_path();
        }
        let assignment = Arc::new(assignment);
        let unit = Unit { assignment, control, stage: Stage::Queued, wish: Wish::Finish };
        self.units.insert(lease, unit);
        self.queue.push_back(lease);
        true
    }

    /// The next unit for a thread.
    pub fn next(&mut self) -> Option<(Lease, Arc<Assignment>, Arc<Control>)> {
        let lease = self.queue.pop_front()?;
        let unit = self.units.get_mut(&lease).expect("a unit of the queue");
        unit.stage = Stage::Computing;
        Some((lease, Arc::clone(&unit.assignment), Arc::clone(&unit.control)))
    }

    /// A thread has left a unit.
    pub fn left(&mut self, lease: Lease, computed: Computed) -> Left {
        let Some(unit) = self.units.get_mut(&lease) else { return Left::Dropped };
        if unit.wish == Wish::Drop {
            self.units.remove(&lease);
            return Left::Dropped;
        }
        // One that was to be handed back and came to its end all the same is not wasted.
        match computed {
            Computed::Done { kind, files } => {
                unit.finish(kind, files);
                Left::Finished
            }
            Computed::Stopped => {
                let nodes = unit.control.nodes();
                unit.finish(outcome::Kind::HandedBack(HandedBack { nodes }), Vec::new());
                Left::HandedBack
            }
        }
    }

    /// Nobody wants this unit any more; whether it was held. Whatever there is of it is dropped as
    /// soon as no thread is on it.
    pub fn cancel(&mut self, lease: Lease) -> bool {
        let Some(unit) = self.units.get_mut(&lease) else { return false };
        unit.control.cancel();
        match unit.stage {
            Stage::Computing => unit.wish = Wish::Drop,
            Stage::Queued => {
                self.queue.retain(|queued| *queued != lease);
                self.units.remove(&lease);
            }
            Stage::Finished(_) => {
                self.units.remove(&lease);
            }
        }
        true
    }

    /// This unit goes back, unless it is finished; whether it was held.
    pub fn recall(&mut self, lease: Lease) -> bool {
        let Some(unit) = self.units.get_mut(&lease) else { return false };
        match unit.stage {
            Stage::Queued => {
                self.queue.retain(|queued| *queued != lease);
                unit.finish(outcome::Kind::HandedBack(HandedBack { nodes: 0 }), Vec::new());
            }
            Stage::Computing if unit.wish == Wish::Finish => {
                unit.wish = Wish::HandBack;
                unit.control.cancel();
            }
            Stage::Computing | Stage::Finished(_) => {}
        }
        true
    }

    /// All leases that the coordinator must know of: without those that nobody wants.
    #[must_use]
    pub fn names(&self) -> Vec<Lease> {
        let wanted = |(_, unit): &(&Lease, &Unit)| unit.wish != Wish::Drop;
        self.units.iter().filter(wanted).map(|(lease, _)| *lease).collect()
    }

    /// How far each of them is.
    #[must_use]
    pub fn progress(&self) -> Vec<v1::Progress> {
        let wanted = |(_, unit): &(&Lease, &Unit)| unit.wish != Wish::Drop;
        self.units.iter().filter(wanted).map(|(lease, unit)| unit.progress(*lease)).collect()
    }

    /// The control of a unit.
    #[must_use]
    pub fn control(&self, lease: Lease) -> Option<&Arc<Control>> {
        self.units.get(&lease).map(|unit| &unit.control)
    }

    /// Units in the queue or on a thread, those that are being dropped included: they keep a
    /// thread busy.
    #[must_use]
    pub fn unfinished(&self) -> u32 {
        let finished = |unit: &&Unit| matches!(unit.stage, Stage::Finished(_));
        (self.units.len() - self.units.values().filter(finished).count()) as u32
    }

    /// Units that are not finished and have no end of their own.
    #[must_use]
    pub fn endless(&self) -> u32 {
        let endless = |unit: &&Unit| {
            !matches!(unit.stage, Stage::Finished(_)) && is_endless(&unit.assignment)
        };
        self.units.values().filter(endless).count() as u32
    }

    /// All units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Nodes of the units that are being computed.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        let computing = |unit: &&Unit| matches!(unit.stage, Stage::Computing);
        self.units.values().filter(computing).map(|unit| unit.control.nodes()).sum()
    }

    /// Outcomes to hand in: up to `most`, whose certificates are all sent.
    #[must_use]
    pub fn outcomes(&self, most: usize) -> Vec<v1::Outcome> {
        let ready = |(lease, unit): (&Lease, &Unit)| match &unit.stage {
            Stage::Finished(finished) if finished.files.is_empty() => {
                let (lease, kind) = (Some((*lease).into()), Some(finished.kind.clone()));
                Some(v1::Outcome { lease, kind })
            }
            _ => None,
        };
        self.units.iter().filter_map(ready).take(most).collect()
    }

    /// Certificates that nobody is sending yet; the caller is from now on.
    pub fn parcels(&mut self) -> Vec<Parcel> {
        let mut parcels = Vec::new();
        for (lease, unit) in &mut self.units {
            if let Stage::Finished(finished) = &mut unit.stage
                && let outcome::Kind::Answer(answer) = &finished.kind
                && !finished.files.is_empty()
                && !finished.sending
            {
                let named = answer.certificates.iter().cloned();
                let files = named.zip(finished.files.iter().cloned()).collect();
                finished.sending = true;
                parcels.push(Parcel { lease: *lease, files });
            }
        }
        parcels
    }

    /// The certificates of a unit are with the coordinator.
    pub fn sent(&mut self, lease: Lease) {
        if let Some(Unit { stage: Stage::Finished(finished), .. }) = self.units.get_mut(&lease) {
            finished.files.clear();
        }
    }

    /// An outcome that cannot be handed in is a failure instead.
    pub fn fail(&mut self, lease: Lease, message: String) {
        if let (Some(unit), Computed::Done { kind, files }) =
            (self.units.get_mut(&lease), Computed::failed(message, false))
        {
            unit.finish(kind, files);
        }
    }

    /// A receipt has come: the unit is done with. Whether it was held.
    pub fn acknowledge(&mut self, lease: Lease) -> bool {
        let finished = |unit: &Unit| matches!(unit.stage, Stage::Finished(_));
        self.units.get(&lease).is_some_and(finished) && self.units.remove(&lease).is_some()
    }
}

impl Unit {
    fn finish(&mut self, kind: outcome::Kind, mut files: Vec<PathBuf>) {
        if !matches!(kind, outcome::Kind::Answer(_)) {
            files.clear();
        }
        self.stage = Stage::Finished(Box::new(Finished { kind, files, sending: false }));
    }

    fn progress(&self, lease: Lease) -> v1::Progress {
        let root = self.control.root();
        let running = matches!(self.stage, Stage::Computing);
        v1::Progress {
            lease: Some(lease.into()),
            running,
            nodes: self.control.nodes(),
            proof: root.proof,
            disproof: root.disproof,
            store_hits: 0,
            path: match running && is_leader(&self.assignment) {
                true => self.control.path().into_iter().map(path_node).collect(),
                false => Vec::new(),
            },
        }
    }
}

/// Whether a unit tells its path.
fn is_leader(assignment: &Assignment) -> bool {
    match &assignment.task {
        Some(assignment::Task::Search(search)) => search.role() == v1::Role::Leader,
        _ => false,
    }
}

/// Whether a unit ends with its search only.
fn is_endless(assignment: &Assignment) -> bool {
    matches!(&assignment.task, Some(assignment::Task::Search(search)) if search.nodes == 0)
}

fn path_node(node: hasami_andor::PathNode) -> v1::PathNode {
    v1::PathNode {
        state: node.state,
        key: node.key.0.to_le_bytes().to_vec(),
        or: node.turn == hasami_andor::Turn::Or,
        proof: node.numbers.proof,
        disproof: node.numbers.disproof,
        open: node.open,
    }
}

#[cfg(test)]
mod tests;
