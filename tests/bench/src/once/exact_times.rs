//! How long exact values of random positions take, by distance: the figures of docs/pyonpyon.md and
//! docs/mancala.md. With a database and a number of plies, only positions of that distance are tried.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use hasami_game::Game;
use hasami_game::race::{Exact, ExactSolver, Outcome};
use hasami_game::random::SplitMix;
use hasami_race::mancala::Mancala;
use hasami_race::pyonpyon::Pyonpyon;
use hasami_race::query::AnyDatabase;
use hasami_spec::Params;

use crate::figures::Failure;

/// Which positions.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// `mancala` or `pyonpyon`
    #[arg(default_value = "pyonpyon", value_parser = ["mancala", "pyonpyon"])]
    game: String,
    /// How many
    #[arg(default_value_t = 1000)]
    count: u64,
    /// Nodes for each
    #[arg(default_value_t = 100_000)]
    budget: u64,
    /// A database that knows the distances
    #[arg(requires = "plies")]
    database: Option<PathBuf>,
    /// The distance wanted
    plies: Option<u32>,
}

fn made<G: Game>(position: &str) -> Option<G> {
    let params = Params::new(G::params(), &[("position", position)]).ok()?;
    G::from_params(&params).ok()
}

/// The value and the milliseconds it took, the table of the rules not counted.
fn timed<G: ExactSolver>(position: &str, budget: u64) -> Option<(Option<Exact>, f64)> {
    let game: G = made(position)?;
    let started = Instant::now();
    let value = game.solve_exact(&game.root(), budget);
    Some((value, started.elapsed().as_secs_f64() * 1e3))
}

/// A row of the board, the farthest on of three with pieces anywhere: towards the end of a game.
fn random_row(random: &mut SplitMix) -> String {
    let mut rows = [*b"SSSGGG..."; 3];
    for row in &mut rows {
        for at in (1..row.len()).rev() {
            row.swap(at, random.below(at as u32 + 1) as usize);
        }
    }
    let progress = |row: &[u8; 9]| -> i32 {
        let of = |(at, &cell): (i32, &u8)| at * (i32::from(cell == b'S') - i32::from(cell == b'G'));
        (0..).zip(row).map(of).sum()
    };
    let row = rows.into_iter().max_by_key(progress).unwrap_or(*b"SSS...GGG");
    row.iter().map(|&cell| char::from(cell)).collect()
}

/// Six pits with up to four seeds each, half of them empty.
fn random_pits(random: &mut SplitMix) -> String {
    let pits: Vec<String> = (0..6).map(|_| random.below(8).saturating_sub(3).to_string()).collect();
    pits.join(",")
}

/// Prints the times by distance.
pub fn run(args: &Args) -> Result<(), Failure> {
    let Args { game, count, budget, database, plies: wanted } = args;
    let (count, budget) = (*count, *budget);
    let database = database.as_deref().map(AnyDatabase::open).transpose()?;
    let mut random = SplitMix::new(1);
    let mut by_plies: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let (mut given_up, mut tried) = (0, 0);
    while tried < count {
        let position = match game.as_str() {
            "mancala" => format!("{}/{}", random_pits(&mut random), random_pits(&mut random)),
            _ => {
                let rows: Vec<String> = (0..3).map(|_| random_row(&mut random)).collect();
                rows.join("/")
            }
        };
        if let Some(database) = &database {
            let told = database.ask(&position).ok().and_then(|told| told.value.plies);
            if told.is_none() || told != *wanted {
                continue;
            }
        }
        tried += 1;
        let found = match game.as_str() {
            "mancala" => timed::<Mancala>(&position, budget),
            _ => timed::<Pyonpyon>(&position, budget),
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
    Ok(())
}
