//! The work as it really is: units of all kinds, by the jobs and the searches of this crate.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_andor::numbers::INFINITE;
use hasami_andor::{Numbers, Role, SearchReport, SearchTask, Stopped, Turn, Verdict};
use hasami_game::Resources;
use hasami_proto::v1;
use hasami_proto::v1::{
    Certifying, Child, EnumerateReport, Enumerating, Searching, assignment, outcome,
};
use hasami_spec::Question;

use crate::compute::{Compute, Computed, Work};
use crate::lease::Lease;
use crate::options::Options;
use crate::session::Session;
use crate::share::{Link, Shares};
use hasami_answer::split::{Alone, Questions, Share};
use hasami_answer::tables::HotTables;
use hasami_answer::{Answered, JobError, OpenDatabases, Place};

/// Nodes that a record must have cost to be worth telling others, until the coordinator says: it knows
/// how much there is to tell.
const LEAST_WORK: u32 = 1;

/// Computes with jobs.
pub struct ByJobs {
    memory_mib: u64,
    /// Size of the table of a whole question.
    table_mib: u32,
    questions: Questions,
    tables: Arc<HotTables>,
    shares: Shares,
    share_values: bool,
    databases: Arc<OpenDatabases>,
    /// What games are built with, kept from unit to unit.
    resources: Resources,
}

impl ByJobs {
    /// Within the memory of the worker: a half for tables that units of a search share, and a half
    /// for tables of whole questions, one a thread. Both kinds may be under way at a time.
    #[must_use]
    pub fn new(options: &Options, session: &Arc<Session>) -> Self {
        let half = options.memory_mib / 2;
        let each = half / u64::from(options.threads.max(1));
        let tables = Arc::new(HotTables::new(half, LEAST_WORK));
        let resources = Resources::default();
        Self {
            memory_mib: options.memory_mib,
            table_mib: u32::try_from(each).unwrap_or(u32::MAX).max(1),
            questions: Questions::new(resources.clone()),
            resources,
            tables: Arc::clone(&tables),
            shares: Shares::new(Arc::clone(session), tables),
            share_values: options.share_values,
            databases: Arc::new(OpenDatabases::new(options.memory_mib)),
        }
    }

    fn run(&self, work: &Work) -> Result<Computed, JobError> {
        let message = work.assignment.question.clone().unwrap_or_default();
        let question: Question =
            message.try_into().map_err(|error| JobError::Question(format!("{error}")))?;
        match &work.assignment.task {
            Some(assignment::Task::Answer(_)) => {
                Ok(answered(hasami_answer::answer(&question, &self.place(work), &work.control)?))
            }
            Some(assignment::Task::Enumerate(part)) => enumerate(&question, part, work),
            Some(assignment::Task::Search(task)) => self.search(&question, task, work),
            Some(assignment::Task::Certify(task)) => self.certify(&question, task, work),
            // A later version may know it.
            None => Ok(Computed::failed("this worker does not know this kind of unit", false)),
        }
    }

    fn place(&self, work: &Work) -> Place {
        let alone = Place::alone(work.scratch.clone(), self.table_mib);
        let place = Place {
            databases: Arc::clone(&self.databases),
            resources: self.resources.clone(),
            ..alone
        };
        match self.share_values {
            true => Place { notes: Arc::new(self.shares.notes()), ..place },
            false => place,
        }
    }

    fn search(
        &self,
        question: &Question,
        task: &Searching,
        work: &Work,
    ) -> Result<Computed, JobError> {
        let (question, unit) = (self.questions.open(question)?, unit(task));
        let link = Link(&self.shares);
        let share: &dyn Share = if unit.share { &link } else { &Alone };
        let member = match unit.share {
            true => {
                let leads = unit.role == Role::Leader;
                Some(self.shares.join(question.problem(), work.lease, &work.control, leads))
            }
            false => None,
        };
        let ran = question.search(&unit, &self.tables, &work.control, share);
        if let Some(member) = &member {
            // What is known goes out before the outcome, also from a unit that is handed back: whoever
            // takes it up begins where this one has stopped.
            let last = ran.as_ref().ok().and_then(|report| Some((report.key, report.record?)));
            member.leave_word(last);
            if let Some(what) = member.contradiction() {
                return Err(JobError::Contradiction(what));
            }
        }
        let report = ran?.report;
        if report.stopped == Stopped::Cancelled && !report.numbers.settled() {
            return Ok(Computed::Stopped);
        }
        Ok(done(outcome::Kind::Search(searched(report))))
    }

    fn certify(
        &self,
        question: &Question,
        task: &Certifying,
        work: &Work,
    ) -> Result<Computed, JobError> {
        let verdict = match task.verdict() {
            v1::Verdict::Proven => Verdict::Proven,
            v1::Verdict::Disproven => Verdict::Disproven,
            other => {
                let what = format!("no certificate can be made of the verdict {other:?}");
                return Err(JobError::Question(what));
            }
        };
        let (place, link) = (self.place(work), Link(&self.shares));
        let (tables, control) = (&self.tables, &work.control);
        let question = self.questions.open(question)?;
        question.certify(verdict, &place, tables, control, &link).map(answered)
    }
}

impl Compute for ByJobs {
    fn compute(&self, work: &Work) -> Computed {
        match self.run(work) {
            Ok(computed) => computed,
            Err(JobError::Stopped) => Computed::Stopped,
            Err(JobError::Memory(what)) => {
                let memory = self.memory_mib;
                let advice = format!(
                    "{what}; give this worker less memory for tables (it has {memory} MiB) or the \
                     question a smaller table (table_mib)"
                );
                Computed::failed(advice, false)
            }
            Err(error) => Computed::failed(error.to_string(), error.permanent()),
        }
    }

    fn look(&self, lease: Lease) {
        self.shares.look(lease);
    }

    fn publish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.shares.publish())
    }
}

fn done(kind: outcome::Kind) -> Computed {
    Computed::Done { kind, files: Vec::new() }
}

fn answered(Answered { answer, files }: Answered) -> Computed {
    Computed::Done { kind: outcome::Kind::Answer(answer.into()), files }
}

fn enumerate(question: &Question, part: &Enumerating, work: &Work) -> Result<Computed, JobError> {
    let started = Instant::now();
    let limit = Duration::from_millis(part.split_ms.into());
    let until = || !limit.is_zero() && started.elapsed() >= limit;
    let part = hasami_answer::enumerate(question, &part.prefix, &until, &work.control)?;
    Ok(done(outcome::Kind::Enumerate(EnumerateReport {
        raw: part.raw,
        patterns: part.patterns,
        seconds: started.elapsed().as_secs_f64(),
        rest: part.rest,
        found: part.found,
        nodes: part.nodes,
    })))
}

fn unit(task: &Searching) -> SearchTask {
    let limit = |number| if number == 0 { INFINITE } else { number };
    SearchTask {
        state: task.state.clone(),
        target: Numbers { proof: limit(task.proof), disproof: limit(task.disproof) },
        nodes: (task.nodes > 0).then_some(task.nodes),
        role: match task.role() {
            v1::Role::Plain => Role::Plain,
            v1::Role::Leader => Role::Leader,
            v1::Role::Slave => Role::Slave,
        },
        seed: task.seed,
        children: task.children,
        share: task.share,
    }
}

fn searched(report: SearchReport) -> v1::SearchReport {
    let stopped = match report.stopped {
        _ if report.numbers.settled() => "settled",
        Stopped::Settled => "settled",
        Stopped::Target => "target",
        Stopped::Budget => "budget",
        Stopped::Cancelled => "cancelled",
    };
    v1::SearchReport {
        proof: report.numbers.proof,
        disproof: report.numbers.disproof,
        nodes: report.nodes,
        seconds: report.seconds,
        stopped: stopped.to_string(),
        children: report.children.into_iter().map(child).collect(),
        store_hits: report.store_hits,
        or: report.turn == Turn::Or,
    }
}

fn child(child: hasami_andor::Child) -> Child {
    Child {
        state: child.state,
        key: child.key.0.to_le_bytes().to_vec(),
        or: child.turn == Turn::Or,
        proof: child.numbers.proof,
        disproof: child.numbers.disproof,
        work: child.work,
    }
}
