//! `hasami polyomino pairs`: which pairs of losing shapes win together, as a table.

mod draw;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::Parser;
use hasami_andor::Control;
use hasami_answer::jobs::PairJob;
use hasami_answer::jobs::pair::{self, Class, Differs, Row};
use hasami_answer::{JobError, Place};
use hasami_polyomino::polyomino::paper::SOURCE;
use hasami_polyomino::polyomino::shape::{Shape, canonical_set, losers};
use serde_json::json;

use crate::amounts::{count, mebibytes};
use crate::failure::Failure;
use crate::files::{self, Form, prepare_place};
use crate::output::{self, OutputArgs, grouped};
use crate::solve::stop_on_signal;
use crate::tree::Verb;

/// What the table can be written as.
const FORMS: [Form; 3] = [Form::Html, Form::Svg, Form::Csv];

/// Settle every pair of some shapes: winner, loser by paving, or open
#[derive(Clone, Debug, Parser)]
#[command(
    name = "pairs",
    after_help = "\
The sweep losers-66 is the same for the twelve minimal losers, on a cluster, and goes on after a stop.

Examples:
  hasami polyomino pairs --shapes Square,I,U -o pairs.svg
  hasami run losers-66 -o pairs.html"
)]
pub struct Pairs {
    /// Shapes to pair with one another [default: the twelve minimal losers]
    #[arg(long, value_name = "SHAPE,SHAPE,…")]
    pub shapes: Option<String>,
    /// Nodes to spend on a pair that has no paving before it is left open
    #[arg(long, default_value_t = pair::BUDGET, value_name = "NODES", value_parser = count, help_heading = "Limits")]
    pub budget: u64,
    /// Stones to try at most on the infinite board
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60), help_heading = "Limits")]
    pub most_stones: u32,
    /// Pairs to work on at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Limits")]
    pub threads: Option<u16>,
    /// Size of the transposition table of each
    #[arg(long = "table", default_value = "256MiB", value_name = "SIZE", value_parser = mebibytes, help_heading = "Limits")]
    pub table_mib: u64,
    /// Where the certificates go
    #[arg(
        long,
        default_value = "hasami-data/certificates",
        value_name = "DIR",
        help_heading = "Results"
    )]
    pub certificates: PathBuf,
    /// Write the table to a file that ends in .html, .svg or .csv; may be given several times
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Vec<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Pairs {
    fn run(self) -> Result<(), Failure> {
        tabulate(&self)
    }
}

/// Works out every pair and prints the table.
fn tabulate(options: &Pairs) -> Result<(), Failure> {
    let shapes = match &options.shapes {
        None => losers(),
        Some(list) => list
            .split(',')
            .map(Shape::parse)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Failure::Usage(format!("--shapes: {error}")))?,
    };
    if let Some((at, again)) =
        shapes.iter().enumerate().find(|(at, shape)| shapes[..*at].contains(shape))
    {
        let at = at + 1;
        return Err(Failure::Usage(format!(
            "--shapes: number {at} is {again} again; expected shapes that differ"
        )));
    }
    if shapes.len() < 2 {
        return Err(Failure::Usage("--shapes: one shape; expected two or more".to_string()));
    }
    for file in &options.out {
        files::form(file, &FORMS)?;
        prepare_place("-o", file)?;
    }
    let control = Arc::new(Control::unlimited());
    stop_on_signal("pairs that are not settled stay open", &control)?;
    let started = Instant::now();
    let rows = work(options, &shapes, &control)?;
    let seconds = started.elapsed().as_secs_f64();

    for file in &options.out {
        let text = match files::form(file, &FORMS)? {
            Form::Csv => draw::csv(&rows),
            Form::Svg => draw::svg(&shapes, &rows),
            _ => draw::html(&shapes, &rows),
        };
        files::save(file, text.as_bytes())?;
    }
    let counts = |class: Class| rows.iter().filter(|row| row.class == class).count();
    let differ =
        |wanted: fn(&Differs) -> bool| rows.iter().filter_map(Row::differs).filter(&wanted).count();
    let new = differ(|differs| *differs == Differs::New);
    let unconfirmed = differ(|differs| matches!(differs, Differs::NotConfirmed(_)));
    let summary = format!(
        "{} pairs: {} losers by paving, {} winners, {} paving winners, {} unsettled; {new} new, {unconfirmed} of the paper's not confirmed; {} nodes, {seconds:.1} s",
        rows.len(),
        counts(Class::Loser),
        counts(Class::Winner),
        counts(Class::PavingWinner),
        counts(Class::Unsettled),
        grouped(rows.iter().map(|row| row.nodes).sum()),
    );
    let human = format!("{}\n{}\n{summary}\n", draw::matrix(&shapes, &rows), draw::list(&rows));
    let json = json!({
        "table": "pairs", "board": "infinite", "game": "strong", "paper": SOURCE,
        "seconds": seconds, "shapes": draw::names(&shapes),
        "pairs": rows.iter().map(draw::json).collect::<Vec<_>>(),
    });
    output::print(options.answer.output, &human, &json, &summary)?;
    if control.is_cancelled() {
        eprintln!("stopped: what is unsettled was not tried to its end");
        return Err(Failure::Unsettled);
    }
    Ok(())
}

/// All pairs, on all cores; the rows come in the order of the shapes. Pairs that are the same set
/// (a shape that holds the other adds nothing) are one question, and worked out once.
fn work(options: &Pairs, shapes: &[Shape], control: &Arc<Control>) -> Result<Vec<Row>, Failure> {
    let mut pairs = Vec::new();
    for (at, first) in shapes.iter().enumerate() {
        for second in &shapes[at + 1..] {
            let shapes = [first.clone(), second.clone()];
            pairs.push(PairJob { shapes, most_stones: options.most_stones });
        }
    }
    let set = |pair: &PairJob| canonical_set(&pair.shapes);
    let sets: Vec<Vec<Shape>> = pairs.iter().map(set).collect();
    let first_of = |at: usize| sets.iter().position(|one| *one == sets[at]).unwrap_or(at);
    let table_mib = u32::try_from(options.table_mib).unwrap_or(u32::MAX);
    let place = Place::alone(options.certificates.clone(), table_mib);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or(cores, usize::from).min(pairs.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<Row, JobError>>>> =
        Mutex::new(pairs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Relaxed);
                    let Some(pair) = pairs.get(at) else {
                        return;
                    };
                    if first_of(at) != at {
                        continue;
                    }
                    let row = pair::settle(pair, options.budget, &place, control);
                    if let Ok(row) = &row {
                        tracing::info!(
                            pair = row.names.join(" & "),
                            nodes = row.nodes,
                            seconds = row.seconds,
                            "{}",
                            row.words()
                        );
                    }
                    if let Ok(mut done) = done.lock() {
                        done[at] = Some(row);
                    }
                }
            });
        }
    });
    let done = done.into_inner().map_err(|_| Failure::Failed("a thread has died".to_string()))?;
    let mut rows: Vec<Option<Row>> = Vec::new();
    for (at, (pair, row)) in pairs.iter().zip(done).enumerate() {
        let row = match row {
            Some(row) => Some(row?),
            // Nothing more was searched for it.
            None => rows.get(first_of(at)).cloned().flatten().map(|row| Row {
                nodes: 0,
                seconds: 0.0,
                ..row
            }),
        };
        let names = pair.shapes.clone().map(|shape| shape.to_string());
        rows.push(row.map(|row| Row { names, ..row }));
    }
    Ok(rows.into_iter().flatten().collect())
}
