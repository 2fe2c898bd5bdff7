//! What a person sees while a search runs: a line that moves on a terminal, log lines elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::Thread;
use std::time::{Duration, Instant};

use hasami_andor::Control;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::Failure;

const TICK: Duration = Duration::from_millis(20);
const LOG_EVERY: Duration = Duration::from_secs(5);
const SAVE_EVERY: Duration = Duration::from_secs(30);

/// Watches a search through its control.
pub struct Watch<'a> {
    question: &'a str,
    control: &'a Control,
    bar: Option<ProgressBar>,
    started: Instant,
    /// The search is over, its certificate is being made.
    certifying: bool,
}

impl<'a> Watch<'a> {
    /// Nothing is shown yet.
    pub fn new(question: &'a str, control: &'a Control, budget: Option<u64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = match budget {
                Some(budget) => ProgressBar::new(budget),
                None => ProgressBar::new_spinner(),
            };
            let style = match budget {
                Some(_) => "{bar:30} {human_pos}/{human_len} nodes  {msg}  {elapsed}",
                None => "{spinner} {human_pos} nodes  {msg}  {elapsed}",
            };
            let style = ProgressStyle::with_template(style).expect("a template that parses");
            bar.set_style(style);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            bar
        });
        Self { question, control, bar, started: Instant::now(), certifying: false }
    }

    /// The same while a certificate is made and checked.
    pub fn of_certificate(question: &'a str, control: &'a Control) -> Self {
        Self { certifying: true, ..Self::new(question, control, None) }
    }

    /// Does the work on a thread of its own, shows how it goes, and now and then saves.
    pub fn during<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        save: impl Fn() -> Result<(), Failure>,
    ) -> Result<T, Failure> {
        let done = AtomicBool::new(false);
        let watcher = std::thread::current();
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _end = SetOnDrop(&done, &watcher);
                work()
            });
            let (mut logged, mut saved) = (Instant::now(), Instant::now());
            let mut nodes_then = self.control.nodes();
            let mut trouble = Ok(());
            while !done.load(Acquire) {
                // The worker wakes this thread at its end: most questions are short.
                std::thread::park_timeout(TICK);
                self.show();
                if self.bar.is_none() && logged.elapsed() >= LOG_EVERY {
                    let nodes = self.control.nodes();
                    self.log(nodes, (nodes - nodes_then) as f64 / logged.elapsed().as_secs_f64());
                    (logged, nodes_then) = (Instant::now(), nodes);
                }
                if saved.elapsed() >= SAVE_EVERY && trouble.is_ok() {
                    trouble = save();
                    if trouble.is_err() {
                        self.control.cancel();
                    }
                    saved = Instant::now();
                }
            }
            if let Some(bar) = &self.bar {
                bar.finish_and_clear();
            }
            let result = match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            trouble.map(|()| result)
        })
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.control.nodes());
            if self.certifying {
                return bar.set_message("certifying");
            }
            let root = self.control.root();
            bar.set_message(format!("proof {}, disproof {}", root.proof, root.disproof));
        }
    }

    fn log(&self, nodes: u64, speed: f64) {
        if self.certifying {
            let seconds = self.started.elapsed().as_secs();
            return tracing::info!(problem = self.question, seconds, "certifying");
        }
        let root = self.control.root();
        tracing::info!(
            problem = self.question,
            nodes,
            nodes_per_second = speed as u64,
            proof = root.proof,
            disproof = root.disproof,
            seconds = self.started.elapsed().as_secs(),
            "searching"
        );
    }
}

/// Tells that the work is over, even if it panics.
struct SetOnDrop<'a>(&'a AtomicBool, &'a Thread);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Release);
        self.1.unpark();
    }
}
