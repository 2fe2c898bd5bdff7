//! Nodes a second of the polyomino winner search on one core: the figures of docs/performance.md.
//! `cargo run --release -p hasami-games --example polyomino_speed MIB NODES SPELLING ...`, as in
//! `512 18446744073709551615 shapes=UU,ZZ stones=9`.

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Problem, Search, Table};
use hasami_games::polyomino::Polyomino;
use hasami_games::{Game, Params};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [mib, nodes, spelling @ ..] = &words[..] else {
        panic!("expected MIB NODES SPELLING");
    };
    let number = |word: &String| word.parse::<u64>().expect("a number");
    let params = Params::parse(Polyomino::params(), &spelling.join(" ")).expect("a valid spelling");
    let game = Polyomino::from_params(&params).expect("valid parameters");
    let table = Table::with_mib(number(mib) as usize, false).expect("memory for the table");
    let control = Control::with_budget(number(nodes));
    let job = Job::settle(game.root());
    let mut search = Search::new(Kernel::Dfpn, &game, &table, Polyomino::ADVICE, job);
    let start = Instant::now();
    let outcome = search.run(&control);
    let seconds = start.elapsed().as_secs_f64();
    let rate = outcome.counts.nodes as f64 / seconds / 1e6;
    println!("{:?} {:?}: {rate:.3} M nodes/s", outcome.stopped, outcome.counts);
}
