//! Solves every problem of a file of SFENs, each within a time, to see what a change of the search
//! does: `cargo run --release -p hasami-shogi --example collection -- FILE SECONDS [key=value …]`.
//! Keys: `sum` (sum, weak, hybrid), `epsilon` (in 1/256), `mib`, `only` (part of a name), `within`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, SumRule, Table};
use hasami_game::Game;
use hasami_shogi::Shogi;
use hasami_spec::Params;

/// Seconds of processor time that this process has used.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let seconds: f64 = args.next().map_or(20.0, |text| text.parse().expect("seconds"));
    let rest: Vec<String> = args.collect();
    let value = |key: &str| {
        let found = rest.iter().find_map(|arg| arg.strip_prefix(key)?.strip_prefix('='));
        found.map(str::to_string)
    };
    let sum = match value("sum").as_deref() {
        Some("weak") => SumRule::Weak,
        Some("hybrid") => SumRule::Hybrid,
        _ => SumRule::Sum,
    };
    let epsilon =
        value("epsilon").map_or(Options::DEFAULT.epsilon, |e| e.parse().expect("epsilon"));
    let options = Options { sum, epsilon, ..Options::default() };
    let mib = value("mib").map_or(1024, |mib| mib.parse().expect("MiB"));
    let within = value("within").unwrap_or_else(|| "any".into());
    let (mut solved, mut all, mut logs, mut log_nodes) = (0, 0, 0.0, 0.0);
    let (mut nodes, mut spent) = (0, 0.0);
    for line in std::fs::read_to_string(&file).expect("the file").lines() {
        let mut columns = line.split('\t');
        let Some(sfen) = columns.next().filter(|text| !text.is_empty() && !text.starts_with('#'))
        else {
            continue;
        };
        let name = columns.next_back().unwrap_or_default();
        if value("only").is_some_and(|only| !name.contains(&only)) {
            continue;
        }
        all += 1;
        let table = Table::with_mib(mib, sum == SumRule::Hybrid).expect("memory");
        let control = Control::with_budget(u64::MAX);
        let (start, done) = (cpu(), AtomicBool::new(false));
        let mut first = None;
        let (mut outcome, length) = std::thread::scope(|scope| {
            let timer = scope.spawn(|| {
                // Time of the processor: other programs may run beside this one.
                while !done.load(Relaxed) && cpu() - start < seconds {
                    std::thread::park_timeout(Duration::from_millis(20));
                }
                control.cancel();
            });
            let mut nodes = 0;
            let mut run = |within: &str| {
                let spelled = format!("position={} within={within}", sfen.replace(' ', "_"));
                let params = Params::parse(Shogi::params(), &spelled).expect("a question");
                let problem = Shogi::from_params(&params).expect("a problem");
                let job = Job::settle(problem.root());
                let mut outcome =
                    Search::new(Kernel::Dfpn, &problem, &table, options, job).run(&control);
                nodes += outcome.counts.nodes;
                outcome.counts.nodes = nodes;
                let look = table.look(&problem, problem.key(&problem.root())).settled();
                let proven = look.filter(|entry| entry.numbers.proof == 0);
                let length = proven.map(|entry| entry.reason.0.left);
                (outcome, length)
            };
            let (mut outcome, mut length) = run(if within == "shortest" { "any" } else { &within });
            first = Some((cpu() - start, length));
            if within == "shortest" {
                while let Some(known) = length.filter(|&known| known > 2) {
                    let next = run(&(known - 2).to_string());
                    outcome = next.0;
                    if outcome.numbers.proof != 0 {
                        break;
                    }
                    length = next.1;
                }
            }
            done.store(true, Relaxed);
            timer.thread().unpark();
            (outcome, length)
        });
        let time = cpu() - start;
        if within == "shortest" && outcome.numbers.disproof == 0 && length.is_some() {
            outcome.numbers = hasami_andor::Numbers::PROVEN;
        }
        let counts = outcome.counts;
        let verdict = outcome.numbers.verdict().map_or("open", |verdict| verdict.word());
        println!(
            "{name:10} {verdict:9} {:10} nodes {time:8.3} s {:6.0} k/s deepest {:4} fill {:.3} gc {} length {length:?} first {first:?} {:?}",
            counts.nodes,
            counts.nodes as f64 / time / 1000.0,
            counts.deepest,
            table.fill(),
            table.collections(),
            outcome.numbers,
        );
        nodes += counts.nodes;
        spent += time;
        if verdict != "open" {
            solved += 1;
            logs += time.max(0.0005).ln();
            log_nodes += (counts.nodes as f64).ln();
        }
    }
    let mean = |logs: f64| (logs / f64::from(solved.max(1))).exp();
    println!(
        "{solved} of {all} solved, geometric means {:.3} s and {:.0} nodes; {:.0} k nodes/s",
        mean(logs),
        mean(log_nodes),
        nodes as f64 / spent / 1000.0
    );
}
