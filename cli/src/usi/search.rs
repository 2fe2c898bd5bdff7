//! The searching thread: the first mate, its certificate, then shorter mates.

use std::sync::Arc;

use hasami_andor::certificate::{Asked, hold};
use hasami_andor::{Job, Kernel, Problem, Search, Verdict};
use hasami_answer::{JobError, caught};
use hasami_game::{Game, Resources};
use hasami_shogi::question::MAX_PLIES;
use hasami_shogi::{MainLine, Position, Shogi, Side, check_line, main_line, sfen};

use super::go::Purpose;
use super::out::Out;
use super::run::{Found, Run};

/// What to search.
pub struct Task {
    /// The position.
    pub position: Position,
    /// Who wants to mate.
    pub attacker: Side,
    /// Plies that it may take.
    pub plies: Option<u32>,
    /// Whether to look for the shortest mate.
    pub shortest: bool,
    /// How to search.
    pub kernel: Kernel,
}

/// Searches until everything that was asked is known, or the control says stop.
pub fn work(task: &Task, run: &Run) {
    match caught(|| settle(task, run)) {
        Ok(()) | Err(JobError::Stopped) => {}
        Err(error) => {
            // Nothing that rests on the table can be trusted any more; what was checked can.
            tracing::error!(position = sfen::write(&task.position), "{error}");
            run.change(|state| {
                state.spoiled = true;
                if !state.answered {
                    Out.error(&error.to_string());
                }
            });
        }
    }
    run.change(|state| state.ended = true);
}

/// A mate with a certificate that was checked.
struct Proven {
    line: MainLine,
    /// No line of the certificate is longer.
    most: u32,
}

fn settle(task: &Task, run: &Run) -> Result<(), JobError> {
    let stage = Stage::new(task, task.plies)?;
    let mut best = match stage.search(task, run) {
        None => return Ok(()),
        Some(Verdict::Disproven) => return stage.refute(task, run),
        Some(Verdict::Proven) => {
            run.announce("mate found, its proof is being checked");
            stage.prove(run)?
        }
    };
    if task.shortest && best.most > 0 { shorten(task, run, &mut best) } else { Ok(()) }
}

/// Asks for shorter mates until there is none, each time two plies less than the best line takes.
fn shorten(task: &Task, run: &Run, best: &mut Proven) -> Result<(), JobError> {
    // A mate takes at least one ply, or two if the defender begins: none within two less.
    let mut refuted = if run.defends { 0 } else { -1 };
    while i64::from(best.most) > refuted + 2 {
        // The line may be shorter than its certificate says.
        let length = i64::from(best.line.length.min(best.most));
        let within = (length - 2).max(refuted + 2);
        let Some(within) = u32::try_from(within).ok().filter(|&plies| plies <= MAX_PLIES.into())
        else {
            return Ok(());
        };
        let stage = Stage::new(task, Some(within))?;
        match stage.search(task, run) {
            None => return Ok(()),
            Some(Verdict::Proven) => *best = stage.prove(run)?,
            Some(Verdict::Disproven) => {
                stage.check(run, Verdict::Disproven)?;
                refuted = i64::from(within);
            }
        }
    }
    run.tell(&match refuted {
        1.. => format!("shortest: mate in {}, none in {refuted}; both checked", plies(best.most)),
        _ => format!("shortest: mate in {}", plies(best.most)),
    });
    Ok(())
}

/// One question: is there a mate, or one within some plies?
struct Stage {
    problem: Arc<Shogi>,
    asked: Asked,
}

impl Stage {
    fn new(task: &Task, within: Option<u32>) -> Result<Self, JobError> {
        let refused = |error: String| JobError::Question(error);
        let by = if task.position.turn() == task.attacker { "mover" } else { "other" };
        let given = [
            ("position", sfen::write(&task.position)),
            ("within", within.map_or("any".to_string(), |plies| plies.to_string())),
            ("attacker", by.to_string()),
        ];
        let params = Shogi::SPEC.read(&given).map_err(|error| refused(error.to_string()))?;
        let problem = Shogi::build(&params, &Resources::default())
            .map_err(|error| refused(error.to_string()))?;
        let asked = problem.asked(&params);
        Ok(Self { problem: Arc::new(problem), asked })
    }

    /// The verdict of a search; `None` if it was stopped.
    fn search(&self, task: &Task, run: &Run) -> Option<Verdict> {
        run.change(|state| state.problem = Some(Arc::clone(&self.problem)));
        let job = Job::settle(self.problem.root());
        let options = Shogi::ADVICE;
        let mut search = Search::new(task.kernel, &*self.problem, &*run.table, options, job);
        let outcome = search.run(&run.control);
        search.park();
        run.change(|state| state.deepest = state.deepest.max(outcome.counts.deepest));
        outcome.numbers.verdict()
    }

    /// Makes the certificate of a verdict and checks it.
    fn check(&self, run: &Run, verdict: Verdict) -> Result<(), JobError> {
        let Self { problem, asked } = self;
        let held = hold(&**problem, &run.table, &run.control, asked, verdict)?;
        held.verify(&**problem, asked, &run.control)?;
        Ok(())
    }

    /// There is a mate: makes its certificate, checks it, and finds the main line.
    fn prove(&self, run: &Run) -> Result<Proven, JobError> {
        let Self { problem, asked } = self;
        let held = hold(&**problem, &run.table, &run.control, asked, Verdict::Proven)?;
        let bytes = held.bytes();
        let strategy = held.strategy(&**problem, asked, &run.control)?;
        let wrong = |why: String| JobError::Contradiction(format!("main line: {why}"));
        let line = main_line(problem, &strategy, &|| run.control.is_cancelled())
            .ok_or_else(|| wrong("the proof does not lead to mate".to_string()))?;
        check_line(problem, &line.moves).map_err(|fault| wrong(fault.to_string()))?;
        let most = strategy.checked().length.ok_or_else(|| wrong("no length".to_string()))?;
        let nodes = strategy.checked().nodes;
        if line.moves.is_empty() {
            run.find(Found::Mated, "the side to move is mated already");
        } else {
            let found = Found::Mate(line.clone());
            run.find(
                found,
                &format!("mate in {}, checked: {nodes} nodes, {bytes} bytes", plies(line.length)),
            );
        }
        Ok(Proven { line, most })
    }

    /// There is no mate: makes the certificate, and checks it.
    fn refute(&self, task: &Task, run: &Run) -> Result<(), JobError> {
        if let Some(limit) = task.plies {
            self.check(run, Verdict::Disproven)?;
            let limit = plies(limit);
            run.tell(&format!("no mate within {limit}, checked; a longer one is possible"));
            return Ok(());
        }
        let Self { problem, asked } = self;
        let escape = if run.defends && run.purpose == Purpose::Move {
            let held = hold(&**problem, &run.table, &run.control, asked, Verdict::Disproven)?;
            let strategy = held.strategy(&**problem, asked, &run.control)?;
            strategy.reply(&**problem, &problem.root())
        } else {
            self.check(run, Verdict::Disproven)?;
            None
        };
        run.find(Found::NoMate(escape), "no mate, checked");
        Ok(())
    }
}

fn plies(number: u32) -> String {
    if number == 1 { "1 ply".to_string() } else { format!("{number} plies") }
}
