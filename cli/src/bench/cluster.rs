//! The cluster: leases a second through the engine and its journal, a sweep of a million items,
//! and real worker processes beside `hasami solve` on one search.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_coordinator::core::{Core, Introduction, Outcome, Settings};
use hasami_coordinator::engine::Engine;
use hasami_coordinator::journal::Journal;
use hasami_proto::v1::{Answer, Verdict};
use hasami_sweep::Sweep;

use super::{Figure, Figures};
use crate::failure::Failure;
use crate::output::{bytes, grouped};

/// Workers that call at the same time.
const CALLERS: usize = 16;
/// Units in one exchange.
const UNITS: u32 = 64;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// Leases given out, answered and acknowledged on disk.
pub fn leases(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let items: usize = if quick { 100_000 } else { 1_000_000 };
    let directory = tempfile::tempdir().map_err(failed)?;
    let before = resident();
    let started = Instant::now();
    let text = format!(
        "name = \"leases\"\nproblem = \"synthetic\"\nkind = \"map\"\n[parameters]\nseed = \"1..={items}\"\n"
    );
    let sweep = Arc::new(Sweep::parse(&text, "bench").map_err(failed)?);
    let journal = Arc::new(Journal::open(&directory.path().join("journal")).map_err(failed)?);
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
        what: "leases a second, journal synced".to_string(),
        values: format!("{} leases, {seconds:.1} s", grouped(items as u64)),
        ratio: speed,
        goal: Some((">= 20000", speed >= 20_000.0)),
    });
    figures.push(Figure {
        what: "seconds to submit".to_string(),
        values: format!("{} items", grouped(items as u64)),
        ratio: submitted.as_secs_f64(),
        goal: None,
    });
    figures.push(Figure {
        what: "GiB of memory for them".to_string(),
        values: bytes(memory),
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
                    let answer = Answer {
                        verdict: Verdict::Proven.into(),
                        claim: "proven".to_string(),
                        ..Answer::default()
                    };
                    let outcome = Outcome::Answer(answer);
                    state.core.report(worker, lease, outcome, state.now, state.wall_ms);
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
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended is fine.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// One search by `hasami solve`, and by one and two worker processes under each partitioner.
pub fn workers(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let program = std::env::current_exe().map_err(failed)?;
    let questions: &[(&str, &str)] = match quick {
        true => &[("polyomino", "shapes = \"UU,ZZ\"\nstones = 8")],
        false => &[
            ("polyomino", "shapes = \"UU,SS\"\nstones = 9"),
            ("polyomino", "shapes = \"Square,SS\"\nstones = 8"),
        ],
    };
    for (problem, parameters) in questions {
        let words: Vec<String> =
            parameters.lines().map(|line| line.replace(" = ", "=").replace('"', "")).collect();
        let started = Instant::now();
        let directory = tempfile::tempdir().map_err(failed)?;
        let solved = Command::new(&program)
            .args(["solve", problem])
            .args(&words)
            .args(["--output", "json", "--table-mib", "1024", "--certificate"])
            .arg(directory.path().join("solve.cert"))
            .env("RUST_LOG", "error")
            .output()
            .map_err(failed)?;
        let alone = started.elapsed().as_secs_f64();
        let told: serde_json::Value = serde_json::from_slice(&solved.stdout).map_err(failed)?;
        let nodes = told["nodes"].as_u64().unwrap_or(0);
        for partitioner in ["aohpas", "aohpas-or", "frontier", "dovetail"] {
            for count in [1, 2] {
                let text = format!(
                    "name = \"bench\"\nproblem = \"{problem}\"\nkind = \"search\"\n[parameters]\n\
                     {parameters}\n[search]\npartitioner = \"{partitioner}\"\ntable-mib = 1024\n"
                );
                let (seconds, spent) = cluster(&program, &text, count)?;
                let plural = if count == 1 { "worker" } else { "workers" };
                figures.push(Figure {
                    what: format!("{problem} {}: {partitioner}, {count} {plural}", words.join(" ")),
                    values: format!(
                        "{seconds:.1} s, alone {alone:.1} s; {:.2} of its nodes",
                        spent as f64 / nodes as f64
                    ),
                    ratio: alone / seconds,
                    goal: match count {
                        1 => Some((">= 0.95", alone / seconds >= 0.95)),
                        _ => Some((">= 1.8", alone / seconds >= 1.8)),
                    },
                });
            }
        }
    }
    Ok(())
}

/// Runs a sweep on a coordinator and so many worker processes; seconds and nodes.
fn cluster(program: &Path, text: &str, count: usize) -> Result<(f64, u64), Failure> {
    let directory = tempfile::tempdir().map_err(failed)?;
    let data = directory.path().join("data");
    let file = directory.path().join("sweep.toml");
    std::fs::write(&file, text).map_err(failed)?;
    let quiet = |words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).env("RUST_LOG", "error").stdout(Stdio::null());
        command
    };
    let mut coordinator = quiet(&["coordinator", "--listen", "127.0.0.1:0", "--data"]);
    let mut processes = Processes(vec![coordinator.arg(&data).spawn().map_err(failed)?]);
    let access: PathBuf = data.join("access.json");
    let patience = Instant::now();
    while !access.exists() {
        if patience.elapsed() > Duration::from_secs(20) {
            return Err(Failure::Failed("the coordinator did not start".to_string()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..count {
        let mut worker = quiet(&["worker", "--threads", "1", "--memory", "3000", "--access"]);
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
    let told: serde_json::Value = serde_json::from_slice(&done.stdout)
        .map_err(|error| failed(format!("{error}: {}", String::from_utf8_lossy(&done.stderr))))?;
    Ok((seconds, told["nodes"].as_u64().unwrap_or(0)))
}
