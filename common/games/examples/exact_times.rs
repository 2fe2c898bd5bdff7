//! How long exact values of random positions take, by distance: the figures of docs/pyonpyon.md and
//! docs/mancala.md. `cargo run --release -p hasami-games --example exact_times pyonpyon 2000`.

use std::collections::BTreeMap;
use std::time::Instant;

use hasami_games::mancala::Mancala;
use hasami_games::pyonpyon::Pyonpyon;
use hasami_games::race::{Exact, ExactSolver, Outcome};
use hasami_games::random::SplitMix;
use hasami_games::{Game, Params};

const BUDGET: u64 = 10_000_000;

fn made<G: Game>(position: &str) -> Option<G> {
    let params = Params::new(G::params(), &[("position", position)]).ok()?;
    G::from_params(&params).ok()
}

/// The value and the milliseconds it took, the table of the rules not counted.
fn timed<G: ExactSolver>(position: &str) -> Option<(Option<Exact>, f64)> {
    let game: G = made(position)?;
    let started = Instant::now();
    let value = game.solve_exact(&game.root(), BUDGET);
    Some((value, started.elapsed().as_secs_f64() * 1e3))
}

/// A row of the board with its pieces anywhere.
fn random_row(random: &mut SplitMix) -> String {
    let mut row = *b"SSSGGG...";
    for at in (1..row.len()).rev() {
        row.swap(at, random.below(at as u32 + 1) as usize);
    }
    row.iter().map(|&cell| char::from(cell)).collect()
}

/// Six pits with up to four seeds each.
fn random_pits(random: &mut SplitMix) -> String {
    let pits: Vec<String> = (0..6).map(|_| random.below(5).to_string()).collect();
    pits.join(",")
}

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or_else(|| "pyonpyon".to_string());
    let count: u64 = words.next().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut random = SplitMix::new(1);
    let mut by_plies: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let mut given_up = 0;
    for _ in 0..count {
        let found = match game.as_str() {
            "mancala" => {
                let position = format!("{}/{}", random_pits(&mut random), random_pits(&mut random));
                timed::<Mancala>(&position)
            }
            _ => {
                let rows: Vec<String> = (0..3).map(|_| random_row(&mut random)).collect();
                timed::<Pyonpyon>(&rows.join("/"))
            }
        };
        match found {
            Some((Some(Exact { outcome: Outcome::Win, plies: Some(plies) }), time)) => {
                by_plies.entry(plies).or_default().push(time);
            }
            Some((None, _)) => given_up += 1,
            _ => {}
        }
    }
    println!("{game}: wins among {count} random positions; {given_up} given up");
    for (plies, mut times) in by_plies {
        times.sort_by(f64::total_cmp);
        let (median, last) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{plies:3} plies  {:5} found  median {median:9.3} ms  longest {last:9.1} ms",
            times.len()
        );
    }
}
