//! The units a worker holds: queued, on threads, and finished but not acknowledged. Pure: no clock,
//! no threads, no network.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use hasami_andor::{Control, Numbers};
use hasami_sweep::Certificate;
use hasami_unit::{Assignment, Failure, FailureKind, Lease, Outcome, Progress};

use crate::compute::Computed;

/// All units of a worker.
#[derive(Debug, Default)]
pub struct Held {
    /// Units that no thread has taken yet, in order.
    queue: VecDeque<Lease>,
    units: BTreeMap<Lease, Unit>,
    /// Units that were ever held.
    count: u64,
}

/// A unit as it was handed out once. A coordinator restored from an older checkpoint uses the names
/// of leases again, perhaps while the unit that had the name before is still computed or uploaded
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its name at the coordinator.
    pub lease: Lease,
    /// Which of the units of this worker it is.
    pub number: u64,
}

#[derive(Debug)]
struct Unit {
    number: u64,
    control: Arc<Control>,
    stage: Stage,
    wish: Wish,
    /// Whether it reports its path.
    leader: bool,
    /// Whether it ends only with its search.
    endless: bool,
}

#[derive(Debug)]
enum Stage {
    Queued(Arc<Assignment>),
    Computing,
    Finished(Box<Finished>),
}

#[derive(Debug)]
struct Finished {
    outcome: Outcome,
    /// Certificates to upload before the outcome may be handed in.
    files: Vec<PathBuf>,
    /// A task is uploading them.
    sending: bool,
}

/// What should happen to a unit that is being computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Finish,
    HandBack,
    Drop,
}

/// The fate of a unit that a thread has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It has an outcome.
    Finished,
    /// It goes back to the coordinator.
    HandedBack,
    /// Its outcome is no longer needed.
    Dropped,
}

/// Certificates of one unit to upload.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    /// The unit.
    pub ticket: Ticket,
    /// Each certificate as the answer names it, with its file.
    pub files: Vec<(Certificate, PathBuf)>,
}

impl Held {
    /// Appends a unit to the queue, unless it is held: a unit is never computed twice. One that is
    /// being dropped is not held; it gives its place to the new one.
    pub fn add(&mut self, assignment: Assignment) -> bool {
        let lease = assignment.lease;
        if self.holds(lease) {
            return false;
        }
        let control = Arc::new(Control::unlimited());
        let (leader, endless) = (assignment.task.is_leader(), assignment.task.is_endless());
        if leader {
            control.want_path();
        }
        let stage = Stage::Queued(Arc::new(assignment));
        let (number, wish) = (self.next_number(), Wish::Finish);
        self.units.insert(lease, Unit { number, control, stage, wish, leader, endless });
        self.queue.push_back(lease);
        true
    }

    /// Adds a unit that this worker cannot read as already failed.
    pub fn add_unreadable(&mut self, lease: Lease, failure: Failure) {
        let stage = Stage::finished(Outcome::Failure(failure), Vec::new());
        let control = Arc::new(Control::unlimited());
        let (wish, leader, endless) = (Wish::Finish, false, false);
        let number = self.next_number();
        if !self.holds(lease) {
            self.units.insert(lease, Unit { number, control, stage, wish, leader, endless });
        }
    }

    /// Whether a unit of this name is held and not being dropped.
    fn holds(&self, lease: Lease) -> bool {
        self.units.get(&lease).is_some_and(|unit| unit.wish != Wish::Drop)
    }

    fn next_number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The unit of a ticket, if it is still held.
    fn unit_mut(&mut self, ticket: Ticket) -> Option<&mut Unit> {
        self.units.get_mut(&ticket.lease).filter(|unit| unit.number == ticket.number)
    }

    /// Whether the unit of a ticket is still held.
    #[must_use]
    pub fn has(&self, ticket: Ticket) -> bool {
        self.units.get(&ticket.lease).is_some_and(|unit| unit.number == ticket.number)
    }

    /// The next unit for a thread.
    pub fn next(&mut self) -> Option<(Ticket, Arc<Assignment>, Arc<Control>)> {
        let lease = self.queue.pop_front()?;
        let unit = self.units.get_mut(&lease).expect("a unit of the queue");
        match std::mem::replace(&mut unit.stage, Stage::Computing) {
            Stage::Queued(assignment) => {
                let ticket = Ticket { lease, number: unit.number };
                Some((ticket, assignment, Arc::clone(&unit.control)))
            }
            Stage::Computing | Stage::Finished(_) => unreachable!("a queued unit that was begun"),
        }
    }

    /// Records that a thread has left a unit.
    pub fn left(&mut self, ticket: Ticket, computed: Computed) -> Left {
        let Some(unit) = self.unit_mut(ticket) else { return Left::Dropped };
        if unit.wish == Wish::Drop {
            self.units.remove(&ticket.lease);
            return Left::Dropped;
        }
        // A unit that was to be handed back but finished anyway is not wasted.
        match computed {
            Computed::Done { outcome, files } => {
                unit.stage = Stage::finished(outcome, files);
                Left::Finished
            }
            Computed::Stopped => {
                unit.stage = Stage::finished(Outcome::HandedBack, Vec::new());
                Left::HandedBack
            }
        }
    }

    /// Drops a unit that is no longer needed, as soon as no thread is on it; returns its ticket if it
    /// was held.
    pub fn cancel(&mut self, lease: Lease) -> Option<Ticket> {
        let unit = self.units.get_mut(&lease)?;
        let ticket = Ticket { lease, number: unit.number };
        unit.control.cancel();
        match unit.stage {
            Stage::Computing => unit.wish = Wish::Drop,
            Stage::Queued(_) => {
                self.queue.retain(|queued| *queued != lease);
                self.units.remove(&lease);
            }
            Stage::Finished(_) => {
                self.units.remove(&lease);
            }
        }
        Some(ticket)
    }

    /// Hands a unit back, unless it is finished; returns whether it was held.
    pub fn recall(&mut self, lease: Lease) -> bool {
        let Some(unit) = self.units.get_mut(&lease) else { return false };
        match unit.stage {
            Stage::Queued(_) => {
                self.queue.retain(|queued| *queued != lease);
                unit.stage = Stage::finished(Outcome::HandedBack, Vec::new());
            }
            Stage::Computing if unit.wish == Wish::Finish => {
                unit.wish = Wish::HandBack;
                unit.control.cancel();
            }
            Stage::Computing | Stage::Finished(_) => {}
        }
        true
    }

    /// Hands a unit back if no thread has begun it; returns whether it does.
    pub fn give_up(&mut self, lease: Lease) -> bool {
        let queued = |unit: &Unit| matches!(unit.stage, Stage::Queued(_));
        self.units.get(&lease).is_some_and(queued) && self.recall(lease)
    }

    /// All leases to report to the coordinator: those that are still needed.
    #[must_use]
    pub fn names(&self) -> Vec<Lease> {
        let wanted = |(_, unit): &(&Lease, &Unit)| unit.wish != Wish::Drop;
        self.units.iter().filter(wanted).map(|(lease, _)| *lease).collect()
    }

    /// The progress of each unit.
    #[must_use]
    pub fn progress(&self) -> Vec<Progress> {
        let wanted = |(_, unit): &(&Lease, &Unit)| unit.wish != Wish::Drop;
        self.units.iter().filter(wanted).map(|(lease, unit)| unit.progress(*lease)).collect()
    }

    /// The control of a unit.
    #[must_use]
    pub fn control(&self, lease: Lease) -> Option<&Arc<Control>> {
        self.units.get(&lease).map(|unit| &unit.control)
    }

    /// Units in the queue or on a thread, including those being dropped: they keep a thread busy.
    #[must_use]
    pub fn unfinished(&self) -> u32 {
        let finished = |unit: &&Unit| matches!(unit.stage, Stage::Finished(_));
        (self.units.len() - self.units.values().filter(finished).count()) as u32
    }

    /// Unfinished units without an end of their own.
    #[must_use]
    pub fn endless(&self) -> u32 {
        let endless = |unit: &&Unit| unit.endless && !matches!(unit.stage, Stage::Finished(_));
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

    /// Outcomes to hand in, up to `most`, whose certificates are all uploaded.
    #[must_use]
    pub fn outcomes(&self, most: usize) -> Vec<(Ticket, Outcome)> {
        let ready = |(&lease, unit): (&Lease, &Unit)| match &unit.stage {
            Stage::Finished(finished) if finished.files.is_empty() => {
                Some((Ticket { lease, number: unit.number }, finished.outcome.clone()))
            }
            _ => None,
        };
        self.units.iter().filter_map(ready).take(most).collect()
    }

    /// Certificates that no task uploads yet; the caller does from now on.
    pub fn uploads(&mut self) -> Vec<Upload> {
        let mut uploads = Vec::new();
        for (&lease, unit) in &mut self.units {
            if let Stage::Finished(finished) = &mut unit.stage
                && let Outcome::Answer(answer) = &finished.outcome
                && !finished.files.is_empty()
                && !finished.sending
            {
                let named = answer.certificates.iter().cloned();
                let files = named.zip(finished.files.iter().cloned()).collect();
                finished.sending = true;
                uploads.push(Upload { ticket: Ticket { lease, number: unit.number }, files });
            }
        }
        uploads
    }

    /// The certificates of a unit are uploaded.
    pub fn sent(&mut self, ticket: Ticket) {
        if let Some(Unit { stage: Stage::Finished(finished), .. }) = self.unit_mut(ticket) {
            finished.files.clear();
        }
    }

    /// Replaces an outcome that cannot be handed in by a failure.
    pub fn fail(&mut self, ticket: Ticket, message: String) {
        if let Some(unit) = self.unit_mut(ticket) {
            let failure = Failure::new(FailureKind::Delivery, message);
            unit.stage = Stage::finished(Outcome::Failure(failure), Vec::new());
        }
    }

    /// Removes an acknowledged unit; returns its outcome if it was held.
    pub fn acknowledge(&mut self, ticket: Ticket) -> Option<Outcome> {
        self.unit_mut(ticket)?;
        let unit = self.units.remove(&ticket.lease)?;
        match unit.stage {
            Stage::Finished(finished) => Some(finished.outcome),
            Stage::Queued(_) | Stage::Computing => {
                self.units.insert(ticket.lease, unit);
                None
            }
        }
    }
}

impl Stage {
    fn finished(outcome: Outcome, mut files: Vec<PathBuf>) -> Self {
        if !matches!(outcome, Outcome::Answer(_)) {
            files.clear();
        }
        Self::Finished(Box::new(Finished { outcome, files, sending: false }))
    }
}

impl Unit {
    fn progress(&self, lease: Lease) -> Progress {
        let root = self.control.root();
        // Both are 0 before the first numbers.
        let numbers = (root != Numbers { proof: 0, disproof: 0 }).then_some(root);
        let path = match self.stage {
            Stage::Computing if self.leader => self.control.path(),
            _ => Vec::new(),
        };
        Progress::new(lease, self.control.nodes(), numbers, path)
    }
}

#[cfg(test)]
mod tests;
