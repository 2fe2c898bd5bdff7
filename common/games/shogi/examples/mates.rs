//! How many problems of a file `dfpn` settles within a number of nodes, and how fast.
//! `cargo run --release -p hasami-shogi --example mates -- NODES FILE.sfen…`

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, Table, Verdict};
use hasami_game::Game;
use hasami_shogi::Shogi;
use hasami_spec::Params;

fn main() {
    let mut words = std::env::args().skip(1);
    let budget: u64 = words.next().and_then(|word| word.parse().ok()).expect("a number of nodes");
    for file in words {
        let text = std::fs::read_to_string(&file).expect("a file of SFENs");
        let (mut mates, mut others, mut open, mut nodes) = (0, 0, 0, 0);
        let started = Instant::now();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let given = [("position", line.split('\t').next().unwrap_or(""))];
            let params = Params::new(Shogi::params(), &given).expect("parameters");
            let problem = Shogi::from_params(&params).expect("a question");
            let table = Table::with_entries(1 << 20, false);
            let job = Job::settle(problem.root());
            let mut search = Search::new(Kernel::Dfpn, &problem, &table, Options::default(), job);
            let outcome = search.run(&Control::with_budget(budget));
            nodes += outcome.counts.nodes;
            match outcome.numbers.verdict() {
                Some(Verdict::Proven) => mates += 1,
                Some(Verdict::Disproven) => others += 1,
                None => open += 1,
            }
        }
        let speed = nodes as f64 / started.elapsed().as_secs_f64() / 1e6;
        println!(
            "{file}: {mates} mates, {others} none, {open} open; {nodes} nodes, {speed:.2} M/s"
        );
    }
}
