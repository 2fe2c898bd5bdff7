//! Computes units of all kinds with the jobs and searches of `hasami-answer`.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_andor::{SearchTask, Stopped, Verdict};
use hasami_answer::split::{Alone, Questions, Share};
use hasami_answer::tables::HotTables;
use hasami_answer::{AllowedFiles, Answered, JobError, OpenDatabases, Place};
use hasami_game::Resources;
use hasami_spec::Question;
use hasami_unit::{EnumerateTask, Failure, FailureKind, Lease, Outcome, Part, Task};

use crate::compute::{Compute, Computed, LeasedUnit};
use crate::lease::lease_event;
use crate::options::Options;
use crate::session::Session;
use crate::share::{Link, Shares, Terms};

/// Nodes that a record must have cost to be published, until the coordinator says otherwise.
const LEAST_WORK: u32 = 1;

/// Nodes that a record of a stopped search must have cost to be published: some milliseconds.
const WORTH_KEEPING: u64 = 1_000;
/// At most this many records of a stopped search are published, the dearest first.
const MOST_KEPT: usize = 1 << 17;

/// The real [`Compute`].
pub struct Solver {
    memory_mib: u64,
    /// Tables of whole questions and databases, all threads together.
    whole_mib: u64,
    threads: u64,
    questions: Questions,
    tables: Arc<HotTables>,
    shares: Shares,
    share_values: bool,
    databases: Arc<OpenDatabases>,
    /// What games are built with, kept from unit to unit.
    resources: Resources,
    files: AllowedFiles,
}

impl Solver {
    /// Within the memory of the worker: a half for tables that units of a search share, and a half
    /// for databases and for tables of whole questions, one a thread. All kinds may be under way at a
    /// time. No question gets more, whatever it asks for.
    #[must_use]
    pub fn new(options: &Options, files: AllowedFiles, session: &Arc<Session>) -> Self {
        let half = options.memory_mib / 2;
        let tables = Arc::new(HotTables::new(half, LEAST_WORK));
        let resources = Resources::default();
        Self {
            memory_mib: options.memory_mib,
            whole_mib: half,
            threads: options.threads.max(1).into(),
            questions: Questions::new(resources.clone()),
            resources,
            tables: Arc::clone(&tables),
            shares: Shares::new(Arc::clone(session), tables),
            share_values: options.share_values,
            databases: Arc::new(OpenDatabases::new(half.max(1))),
            files,
        }
    }

    fn run(&self, unit: &LeasedUnit) -> Result<Computed, JobError> {
        let question = &unit.assignment.question;
        self.files.check(question)?;
        match &unit.assignment.task {
            Task::Answer => {
                let answer = hasami_answer::answer(question, &self.place(unit), &unit.control);
                if matches!(answer, Err(JobError::Stopped)) {
                    self.publish_stopped(question, unit);
                }
                answer.map(answered)
            }
            Task::Enumerate(part) => enumerate(question, part, unit),
            Task::Search(task) => self.search(question, task, unit),
            Task::Certify(verdict) => self.certify(question, *verdict, unit),
        }
    }

    /// Publishes what the stopped search of a whole question has found at some cost: if others
    /// search it now, they go on from there. A question with a budget is never searched by others.
    fn publish_stopped(&self, question: &Question, unit: &LeasedUnit) {
        let Ok(split) = self.questions.open(question) else { return };
        let problem = split.problem();
        let mut records = Vec::new();
        for table in self.tables.of(problem) {
            table.each(&mut |key, record| {
                if record.work >= WORTH_KEEPING {
                    records.push((key, record));
                }
            });
        }
        if records.is_empty() || question.search.budget.is_some() {
            return;
        }
        records.sort_by_key(|(_, record)| std::cmp::Reverse(record.work));
        records.truncate(MOST_KEPT);
        let lease = unit.lease();
        lease_event!(debug, lease, records = records.len(), "publishing what it has found");
        let terms = Terms { hears_numbers: false, tells_numbers: true };
        self.shares.join(problem, lease, &unit.control, terms).announce(records);
    }

    fn place(&self, unit: &LeasedUnit) -> Place {
        let each = self.whole_mib.saturating_sub(self.databases.used_mib()) / self.threads;
        let table_mib = u32::try_from(each).unwrap_or(u32::MAX).max(1);
        if let Some(wish) = unit.assignment.question.search.table_mib.filter(|w| *w > table_mib) {
            let lease = unit.lease();
            lease_event!(
                info,
                lease,
                wish,
                table_mib,
                "the table is smaller than the sweep asks for"
            );
        }
        let alone = Place::alone(unit.scratch.clone(), table_mib);
        let place = Place {
            databases: Arc::clone(&self.databases),
            resources: self.resources.clone(),
            tables: Some(Arc::clone(&self.tables)),
            ..alone
        };
        if self.share_values {
            Place { notes: Arc::new(self.shares.notes()), ..place }
        } else {
            place
        }
    }

    fn search(
        &self,
        question: &Question,
        task: &SearchTask,
        unit: &LeasedUnit,
    ) -> Result<Computed, JobError> {
        let question = self.questions.open(question)?;
        let link = Link { shares: &self.shares, lease: unit.lease() };
        let share: &dyn Share = if task.share { &link } else { &Alone };
        let member = task.share.then(|| {
            self.shares.join(question.problem(), unit.lease(), &unit.control, Terms::of(task))
        });
        let ran = question.search(task, &self.tables, &unit.control, share);
        if let Some(member) = &member {
            // Records are published before the outcome, also for a unit that is handed back: the
            // next worker continues where this one stopped.
            let last = ran.as_ref().ok().and_then(|report| Some((report.key, report.record?)));
            member.announce(last);
            if let Some(what) = member.contradiction() {
                return Err(JobError::Contradiction(what));
            }
        }
        let report = ran?.report;
        if report.stopped == Stopped::Cancelled && !report.numbers.settled() {
            return Ok(Computed::Stopped);
        }
        Ok(Computed::done(Outcome::Search(report)))
    }

    fn certify(
        &self,
        question: &Question,
        verdict: Verdict,
        unit: &LeasedUnit,
    ) -> Result<Computed, JobError> {
        let link = Link { shares: &self.shares, lease: unit.lease() };
        let place = self.place(unit);
        let (tables, control) = (&self.tables, &unit.control);
        let question = self.questions.open(question)?;
        question.certify(verdict, &place, tables, control, &link).map(answered)
    }
}

impl Compute for Solver {
    fn compute(&self, unit: &LeasedUnit) -> Computed {
        match self.run(unit) {
            Ok(computed) => computed,
            Err(JobError::Memory(what)) => {
                let memory = self.memory_mib;
                let advice = format!(
                    "{what}; give this worker less memory for tables (it has {memory} MiB) or the \
                     question a smaller table (table_mib)"
                );
                Computed::done(Outcome::Failure(Failure::new(FailureKind::Machine, advice)))
            }
            Err(error) => error.into(),
        }
    }

    fn look(&self, lease: Lease) {
        self.shares.look(lease);
    }

    fn publish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.shares.publish())
    }
}

fn answered(Answered { answer, files }: Answered) -> Computed {
    Computed::Done { outcome: Outcome::Answer(answer), files }
}

fn enumerate(
    question: &Question,
    task: &EnumerateTask,
    unit: &LeasedUnit,
) -> Result<Computed, JobError> {
    let started = Instant::now();
    let limit = Duration::from_millis(task.split_ms.into());
    let until = || !limit.is_zero() && started.elapsed() >= limit;
    let part = hasami_answer::enumerate(question, &task.prefix, &until, &unit.control)?;
    Ok(Computed::done(Outcome::Part(Part {
        raw: part.raw,
        patterns: part.patterns,
        found: part.found,
        rest: part.rest,
        seconds: started.elapsed().as_secs_f64(),
        nodes: part.nodes,
    })))
}
