//! The cluster: leases a second through the engine and its journal, a sweep of a million items,
//! and real worker processes beside `hasami solve` on one search.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_answer::CATALOG;
use hasami_coordinator::core::{Core, Introduction, Settings};
use hasami_coordinator::engine::Engine;
use hasami_coordinator::journal::Journal;
use hasami_coordinator::journal::postgres::{Address, Candidate, Reached};
use hasami_sweep::{Answer, Measures, Sweep, Verdict};
use hasami_tests::PostgresServer;
use hasami_unit::Outcome;

use crate::figures::{Failure, Figure, Figures};
use crate::words::{grouped, mib};

/// Workers that call at the same time.
const CALLERS: usize = 16;
/// Units in one exchange.
const UNITS: u32 = 64;

pub fn failed(error: impl std::fmt::Display) -> Failure {
    Failure(error.to_string())
}

/// The program that is measured: the one that was built beside this.
pub fn program() -> Result<PathBuf, Failure> {
    let file = format!("hasami{}", std::env::consts::EXE_SUFFIX);
    let program = std::env::current_exe()?.with_file_name(file);
    if program.is_file() {
        Ok(program)
    } else {
        Err(Failure(format!("{} is missing: build the package hasami first", program.display())))
    }
}

/// Leases given out, answered and acknowledged on disk.
pub fn leases(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let items: usize = if quick { 100_000 } else { 1_000_000 };
    let directory = tempfile::tempdir().map_err(failed)?;
    let journal = Journal::open(&directory.path().join("journal")).map_err(failed)?;
    lease_figures(journal, items, "", (">= 20000", 20_000.0), figures)?;
    // The same beside it, on a server that is synced at every commit too.
    let Some(server) = PostgresServer::start_durable() else { return Ok(()) };
    let address = Address::parse(&server.url("bench")).map_err(failed)?;
    let reached = Reached::open(&address, Duration::from_secs(30)).map_err(failed)?;
    let takeover = Duration::from_secs(10);
    let candidate = Candidate { holder: "bench".to_string(), standby: false, takeover };
    let journal = reached.lead(&candidate, &|| true).map_err(failed)?;
    let journal = journal.expect("nobody stops it");
    lease_figures(journal, items / 4, " in PostgreSQL", (">= 5000", 5000.0), figures)
}

fn lease_figures(
    journal: Journal,
    items: usize,
    place: &str,
    goal: (&'static str, f64),
    figures: &mut Figures,
) -> Result<(), Failure> {
    let before = resident();
    let started = Instant::now();
    let text = format!(
        "name = \"leases\"\nproblem = \"synthetic\"\nkind = \"map\"\n[parameters]\nseed = \"1..={items}\"\n"
    );
    let sweep = Arc::new(Sweep::parse(CATALOG, &text, "bench").map_err(failed)?);
    let journal = Arc::new(journal);
    let core = Core::new(Settings::default());
    let (engine, thread) =
        Engine::start(core, Arc::clone(&journal), Box::new(|_, _| {}), Box::new(|_| {}));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let submit = engine.call(move |state| state.core.submit(sweep, &[], false, 0));
        submit.await.map_err(failed)
    })?;
    let submitted = started.elapsed();
    let started = Instant::now();
    runtime.block_on(async {
        let callers = (0..CALLERS).map(|_| tokio::spawn(work(engine.clone())));
        for caller in callers.collect::<Vec<_>>() {
            caller.await.map_err(failed)?.map_err(failed)?;
        }
        Ok::<(), Failure>(())
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let memory = resident().saturating_sub(before);
    engine.stop();
    thread.join().map_err(failed)?;
    let speed = items as f64 / seconds;
    figures.push(Figure {
        what: format!("leases a second, journal synced{place}"),
        values: format!("{} leases, {seconds:.1} s", grouped(items as u64)),
        ratio: speed,
        goal: Some((goal.0, speed >= goal.1)),
    });
    figures.push(Figure {
        what: format!("seconds to submit{place}"),
        values: format!("{} items", grouped(items as u64)),
        ratio: submitted.as_secs_f64(),
        goal: None,
    });
    figures.push(Figure {
        what: format!("GiB of memory for them{place}"),
        values: mib(memory),
        ratio: memory as f64 / f64::from(1 << 30),
        goal: Some(("<= 1", memory <= 1 << 30)),
    });
    Ok(())
}

/// A worker that takes and answers until nothing is left.
async fn work(engine: Engine) -> Result<(), hasami_coordinator::engine::Stopped> {
    let about = Introduction { threads: 1, ..Introduction::default() };
    let worker = engine
        .call(move |state| state.core.register(None, about, &[], 1, state.now).worker)
        .await?;
    let mut held = Vec::new();
    loop {
        let done = std::mem::take(&mut held);
        held = engine
            .call(move |state| {
                for lease in done {
                    let outcome = Outcome::Answer(Answer {
                        verdict: Verdict::Proven,
                        claim: "proven".to_string(),
                        fields: Vec::new(),
                        certificates: Vec::new(),
                        measures: Measures::default(),
                        check: None,
                    });
                    let used = state.core.report(worker, lease, outcome, state.now, state.wall_ms);
                    debug_assert_eq!(used, Ok(()));
                }
                let given = state.core.take(worker, UNITS, state.now);
                given.into_iter().map(|given| given.lease).collect()
            })
            .await?;
        if held.is_empty() {
            return Ok(());
        }
    }
}

/// Memory of this process, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.trim().split(' ').next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Processes that end when this is dropped.
pub struct Processes(Vec<Child>);

impl Processes {
    /// One more.
    pub fn add(&mut self, child: Child) {
        self.0.push(child);
    }

    /// Asks all to end, the latest first, and waits until they have.
    pub fn end_all(&mut self) {
        for child in self.0.drain(..).rev() {
            end(child);
        }
    }
}

/// Ends a process as a user would, so that it writes what it has to say.
fn end(mut child: Child) {
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    if !asked.is_ok_and(|status| status.success()) {
        let _ = child.kill();
    }
    let _ = child.wait();
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended is fine.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

const FRONTIER: &[&str] = &["frontier"];
const ALL: &[&str] = &["frontier", "aohpas", "aohpas-or", "dovetail"];

/// One search by `hasami solve`, and by one and two worker processes. Goals are for searches of minutes.
pub fn workers(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let program = program()?;
    let questions: &[(&str, &str, &[&str])] = if quick {
        &[("UU,ZZ", "8", ALL)]
    } else {
        &[("UU,SS", "9", ALL), ("I,SS", "9", FRONTIER), ("Square,SS", "8", FRONTIER)]
    };
    for &(shapes, stones, partitioners) in questions {
        let long = partitioners.len() == 1;
        let (first, nodes) = solve(&program, shapes, stones)?;
        let mut runs = Vec::new();
        for &partitioner in partitioners {
            for count in [1, 2] {
                let text = format!(
                    "name = \"bench\"\nproblem = \"polyomino\"\nkind = \"search\"\n[parameters]\n\
                     shapes = \"{shapes}\"\nstones = {stones}\n[search]\n\
                     partitioner = \"{partitioner}\"\ntable = \"1GiB\"\n"
                );
                runs.push((partitioner, count, cluster(&program, &text, count)?));
            }
        }
        // Before and after: machines are noisy.
        let alone = (first + solve(&program, shapes, stones)?.0) / 2.0;
        for (partitioner, count, Spent { seconds, nodes: spent, searched }) in runs {
            let ratio = alone / seconds;
            let plural = if count == 1 { "worker" } else { "workers" };
            figures.push(Figure {
                what: format!("{shapes}, {stones} stones: {partitioner}, {count} {plural}"),
                values: format!(
                    "{seconds:.1} s, alone {alone:.1} s; {:.2} of its nodes, {:.0} % of the time searched",
                    spent as f64 / nodes as f64,
                    100.0 * searched / seconds / count as f64
                ),
                ratio,
                goal: match count {
                    _ if !long => None,
                    1 => Some((">= 0.95", ratio >= 0.95)),
                    _ => Some((">= 1.8", ratio >= 1.8)),
                },
            });
        }
    }
    Ok(())
}

/// A polyomino game by `hasami solve`: seconds and nodes.
fn solve(program: &Path, shapes: &str, stones: &str) -> Result<(f64, u64), Failure> {
    let directory = tempfile::tempdir().map_err(failed)?;
    let started = Instant::now();
    let solved = Command::new(program)
        .args(["solve", "polyomino", &format!("shapes={shapes}"), &format!("stones={stones}")])
        .args(["--output", "json", "--table", "1GiB", "--certificate"])
        .arg(directory.path().join("solve.cert"))
        .env("RUST_LOG", "error")
        .output()
        .map_err(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let told: serde_json::Value = serde_json::from_slice(&solved.stdout).map_err(failed)?;
    Ok((seconds, told["nodes"].as_u64().unwrap_or(0)))
}

/// `hasami` with these words, without a word of its own.
fn quiet(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).env("RUST_LOG", "error").stdout(Stdio::null());
    command
}

/// A coordinator with its data in this directory, and its access file.
pub fn coordinator(program: &Path, directory: &Path) -> Result<(Processes, PathBuf), Failure> {
    let data = directory.join("data");
    let mut coordinator = quiet(program, &["coordinator", "--listen", "127.0.0.1:0", "--data"]);
    let processes = Processes(vec![coordinator.arg(&data).spawn().map_err(failed)?]);
    let access = data.join("access.json");
    let patience = Instant::now();
    while !access.exists() {
        if patience.elapsed() > Duration::from_secs(20) {
            return Err(Failure("the coordinator did not start".to_string()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((processes, access))
}

/// What a run took.
struct Spent {
    seconds: f64,
    nodes: u64,
    /// Processor seconds of the searches alone.
    searched: f64,
}

/// Processor seconds of the threads of a process that compute.
fn computing(process: u32) -> f64 {
    let threads =
        std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let ticks = threads.map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name stands in brackets and may have blanks; user and system time are the 12th and
        // 13th word after it.
        match stat.rsplit_once(')') {
            Some((before, after)) if before.contains("(compute-") => {
                let words = after.split_ascii_whitespace().skip(11).take(2);
                words.filter_map(|word| word.parse::<u64>().ok()).sum()
            }
            _ => 0,
        }
    });
    ticks.sum::<u64>() as f64 / TICKS
}

/// Of the clock in `/proc`, a second.
const TICKS: f64 = 100.0;

/// Runs a sweep on a coordinator and so many worker processes.
fn cluster(program: &Path, text: &str, count: usize) -> Result<Spent, Failure> {
    let directory = tempfile::tempdir().map_err(failed)?;
    let file = directory.path().join("sweep.toml");
    std::fs::write(&file, text).map_err(failed)?;
    let (mut processes, access) = coordinator(program, directory.path())?;
    for _ in 0..count {
        let mut worker =
            quiet(program, &["worker", "--threads", "1", "--memory", "3000MiB", "--access"]);
        processes.0.push(worker.arg(&access).spawn().map_err(failed)?);
    }
    std::thread::sleep(Duration::from_millis(500));
    let started = Instant::now();
    let done = Command::new(program)
        .args(["submit", "--wait", "--output", "json", "--access"])
        .args([&access, &file])
        .env("RUST_LOG", "error")
        .output()
        .map_err(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let searched = processes.0.iter().map(|process| computing(process.id())).sum();
    let told: serde_json::Value = serde_json::from_slice(&done.stdout)
        .map_err(|error| failed(format!("{error}: {}", String::from_utf8_lossy(&done.stderr))))?;
    Ok(Spent { seconds, nodes: told["nodes"].as_u64().unwrap_or(0), searched })
}
