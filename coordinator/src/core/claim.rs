//! Answers as claims. What a worker hands in is its word: it settles an item only after somebody
//! else has verified it. A claim is durable, so its sender may forget it. Failures are a worker's
//! word too: one worker alone cannot fail an item that others could compute.

use std::collections::BTreeSet;

use hasami_spec::Question;
use hasami_sweep::{Answer, Basis, Check, Sweep, Verdict};
use hasami_unit::Task;

use super::Core;
use super::change::{Change, GiveBack, Notice};
use super::ids::{Lease, RunId, UnitNo, WorkerId};
use super::plan::search_stage;
use super::run::{Active, Plan};
use super::worker::Worker;

/// With more claims waiting, no further units are handed out: verifying must keep up.
const MOST_CLAIMS: usize = 50_000;
/// A sender with this many refuted answers gets no more work: it lies, or its machine is broken.
const MOST_REFUTED: u32 = 3;

/// Who is responsible for an outcome: the owner of a token, or a worker if its token is shared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sender(pub String);

const OWNER: &str = "token ";

impl Sender {
    /// The owner of a token.
    fn owner(token: &str) -> Self {
        Self(format!("{OWNER}{token}"))
    }

    /// Whether it is the owner of a token, not a worker of one that is shared.
    fn is_owner(&self) -> bool {
        self.0.starts_with(OWNER)
    }
}

/// An answer that waits to be verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The answer.
    pub answer: Answer,
    /// Who is responsible for it.
    pub sender: Sender,
    /// The name of the worker that sent it.
    pub name: String,
    /// Its word counts for nothing where others can answer.
    pub stranger: bool,
    /// Which of several questions in turn it answers, if the search was split.
    pub stage: u32,
}

/// A claim with the question it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Claimed {
    /// The question.
    pub question: Question,
    /// The answer.
    pub answer: Answer,
}

/// What the verifier found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The answer may be used. It rests on this, except for the named statements.
    Holds {
        /// What it rests on.
        basis: Basis,
        /// Statements that no certificate proves.
        unproved: Vec<String>,
    },
    /// It cannot be checked here, for this reason: there is no verdict, only the sender's word.
    Unable(String),
    /// The answer does not follow.
    Refuted(String),
    /// A certificate is gone or damaged on the coordinator's disk: no fault of the sender.
    Lost(String),
}

impl Core {
    /// Who is responsible for what a worker sends.
    pub(super) fn sender(&self, worker: WorkerId) -> Sender {
        let token = self.workers.get(&worker).map_or("", |known| known.about.token.as_str());
        if token.is_empty() { Sender(format!("worker {}", worker.0)) } else { Sender::owner(token) }
    }

    /// Whether a worker gets work.
    pub(super) fn may_take(&self, worker: WorkerId) -> bool {
        let refuted = self.refuted.get(&self.sender(worker)).copied().unwrap_or_default();
        refuted < MOST_REFUTED && self.claims < MOST_CLAIMS && self.trouble.is_none()
    }

    /// Whether some worker that could compute units of a run is none of these. After a restart those
    /// that may return count too: whoever is the first to return is not alone.
    pub(super) fn others_remain(&self, run: RunId, failed: &BTreeSet<Sender>) -> bool {
        let labels = self.runs[&run].sweep.labels();
        let fits = |known: &Worker| known.may_return || known.present && known.about.has(labels);
        let mut others = self.workers.iter().filter(|(_, known)| fits(known));
        others.any(|(&id, _)| {
            let sender = self.sender(id);
            let refuted = self.refuted.get(&sender).copied().unwrap_or_default();
            refuted < MOST_REFUTED && !failed.contains(&sender)
        })
    }

    /// Whether the failure of a unit is more than the word of one sender: another has failed with
    /// it as well, or there is no other.
    pub(super) fn is_confirmed(&self, lease: Lease) -> bool {
        let active = self.runs.get(&lease.run).and_then(|run| run.active.get(&lease.item));
        let unit = active.and_then(|active| active.units.get(&lease.unit));
        unit.is_some_and(|unit| {
            unit.failed_by.len() > 1 || !self.others_remain(lease.run, &unit.failed_by)
        })
    }

    /// Whether it is more than the word of one that no attempt at a unit can help: two say so, or
    /// there is no other. Workers of a shared token count as one here: whoever has it can register
    /// twice.
    pub(super) fn is_denied(&self, lease: Lease) -> bool {
        let Some(unit) = self.unit(lease) else { return false };
        let owned = unit.denied_by.iter().filter(|sender| sender.is_owner()).count();
        let shared = usize::from(owned < unit.denied_by.len());
        owned + shared > 1 || !self.others_remain(lease.run, &unit.denied_by)
    }

    /// Takes in an answer, to be verified.
    pub(super) fn claimed(&mut self, worker: WorkerId, lease: Lease, answer: Answer, wall_ms: u64) {
        let (name, sender) = (self.name_of(worker), self.sender(worker));
        let stranger = self.worker_mut(worker).about.stranger;
        let text = format!("attempt {lease} answered by {name}: {}", answer.claim);
        self.history(lease.run, lease.item, false, text);
        let active = self.run_mut(lease.run).active_mut(lease.item);
        let stage = match &active.plan {
            Plan::Search { stage, .. } if lease.unit != UnitNo::WHOLE => *stage,
            Plan::Search { .. } | Plan::Whole | Plan::Parts => 0,
        };
        // Whatever a worker says of how its answer was checked is not true yet.
        let answer = Answer { check: None, ..answer };
        let unit = active.units.get_mut(&lease.unit).expect("a unit whose outcome was checked");
        unit.holder = None;
        unit.claim = Some(Claim { answer, sender, name, stranger, stage });
        let record = unit.record();
        self.claims += 1;
        if self.settings.verifies {
            self.changes.push(Change::Unit(lease.run, lease.item, lease.unit, record));
            self.notices.push(Notice::Claimed(lease));
        } else {
            let found = Found::Holds { basis: Basis::Unproved, unproved: Vec::new() };
            self.verified(lease, "nobody", found, wall_ms);
        }
    }

    /// A claim that waits to be verified, with its question.
    #[must_use]
    pub fn claim(&self, lease: Lease) -> Option<Claimed> {
        let active = self.runs.get(&lease.run)?.active.get(&lease.item)?;
        let unit = active.units.get(&lease.unit).filter(|unit| unit.attempt == lease.attempt)?;
        let question = active.question_for(&unit.task).clone();
        Some(Claimed { question, answer: unit.claim.as_ref()?.answer.clone() })
    }

    /// Uses what `by` found about a claim. The item may have ended meanwhile.
    pub fn verified(&mut self, lease: Lease, by: &str, found: Found, wall_ms: u64) {
        if self.claim(lease).is_none() {
            return;
        }
        let by = by.to_string();
        let (basis, unproved, note) = match found {
            Found::Holds { basis, unproved } => (basis, unproved, String::new()),
            Found::Unable(why) => (Basis::Unproved, Vec::new(), why),
            Found::Refuted(why) => return self.refute(lease, &why, wall_ms),
            Found::Lost(why) => {
                self.take_claim(lease);
                self.notices.push(Notice::Alarm(format!("the answer to {lease} is lost: {why}")));
                return self.compute_again(lease, GiveBack::AnswerLost);
            }
        };
        if basis == Basis::Unproved && self.others_should_answer(lease, !note.is_empty()) {
            let Claim { name, sender, .. } = self.take_claim(lease);
            self.unit_of(lease).failed_by.insert(sender);
            let why = if note.is_empty() { "it is a stranger's word" } else { note.as_str() };
            let text = format!("the answer of {name} to attempt {lease} is not used: {why}");
            self.history(lease.run, lease.item, true, text);
            return self.compute_again(lease, GiveBack::Unproved);
        }
        self.use_claim(lease, |sender| Check { sender, by, basis, unproved, note }, wall_ms);
    }

    /// Whether an answer that nothing proves is left to another worker: one from a stranger, and one
    /// whose certificate could not be checked. If there is no other worker, it is used as what it is.
    fn others_should_answer(&mut self, lease: Lease, unable: bool) -> bool {
        let unit = self.unit_of(lease);
        let claim = unit.claim.as_ref().expect("a claim that was looked up");
        let doubtful = unable || claim.stranger;
        let mut senders = unit.failed_by.clone();
        senders.insert(claim.sender.clone());
        doubtful && senders.len() == 1 && self.others_remain(lease.run, &senders)
    }

    /// Ends an item with the answer that was claimed.
    fn use_claim(&mut self, lease: Lease, check: impl FnOnce(String) -> Check, wall_ms: u64) {
        let Claim { mut answer, name, .. } = self.take_claim(lease);
        let run = self.run_mut(lease.run);
        run.spend(answer.measures);
        // The cost of earlier units is part of the cost of this answer.
        let active = run.active_mut(lease.item);
        active.cost.add(answer.measures);
        answer.measures = active.cost;
        active.units.remove(&lease.unit);
        let check = check(name);
        let text = format!("attempt {lease} verified by {}: {}", check.by, check.basis.word());
        self.history(lease.run, lease.item, false, text);
        if !check.note.is_empty() {
            // Later runs must not take it for settled.
            answer.verdict = Verdict::Open;
            answer.claim = format!("open: not verified ({}): {}", check.note, answer.claim);
        }
        answer.check = Some(check);
        self.settle_item(lease.run, lease.item, answer);
        self.finish_run_if_over(lease.run, wall_ms);
    }

    /// Drops a claim that does not hold. The unit goes to another worker.
    fn refute(&mut self, lease: Lease, why: &str, wall_ms: u64) {
        let Claim { name, sender, .. } = self.take_claim(lease);
        let count = self.refuted.entry(sender.clone()).or_default();
        *count += 1;
        if *count == MOST_REFUTED {
            self.notices.push(Notice::Alarm(format!(
                "{name} gets no more work: {MOST_REFUTED} of its answers were refuted; it lies, or \
                 its machine is broken"
            )));
        }
        self.notices.push(Notice::Refuted(lease, name.clone(), why.to_string()));
        let limit = self.run_mut(lease.run).sweep.crash_limit();
        let unit = self.unit_of(lease);
        unit.crashes += 1;
        unit.failed_by.insert(sender);
        let enough = unit.crashes >= limit;
        let text = format!("the answer of {name} to attempt {lease} was refuted: {why}");
        if self.search_again(lease, why) {
            self.history(lease.run, lease.item, true, text);
        } else if enough && self.is_confirmed(lease) {
            self.fail_item(lease.run, lease.item, text);
            self.finish_run_if_over(lease.run, wall_ms);
        } else {
            self.history(lease.run, lease.item, true, text);
            self.compute_again(lease, GiveBack::Refuted);
        }
    }

    fn compute_again(&mut self, lease: Lease, why: GiveBack) {
        if !self.unit_of(lease).is_durable() {
            // The record was that of the claim.
            self.drop_search_units(lease.run, lease.item);
        }
        self.give_back(lease, why);
    }

    fn take_claim(&mut self, lease: Lease) -> Claim {
        self.claims -= 1;
        self.unit_of(lease).claim.take().expect("a claim that was looked up")
    }
}

impl Active {
    /// After a restart: a claim of a split search belongs to one of its questions in turn.
    pub(super) fn resume_claim(&mut self, sweep: &Sweep) {
        let Some(unit) = self.units.get(&UnitNo::CERTIFY) else { return };
        let Some(claim) = unit.claim.clone() else { return };
        let verdict = match claim.answer.verdict {
            Verdict::Disproven => hasami_andor::Verdict::Disproven,
            Verdict::Proven | Verdict::Answered | Verdict::Open => hasami_andor::Verdict::Proven,
        };
        if let Some(plan) = search_stage(sweep, &self.question, claim.stage) {
            self.plan = plan;
        }
        if let Plan::Search { settled, .. } = &mut self.plan {
            *settled = Some(verdict);
        }
        let unit = self.units.get_mut(&UnitNo::CERTIFY).expect("the unit that was found");
        unit.task = Task::Certify(verdict);
    }
}
