//! `hasami polyomino pave`: losers by paving, all pavings of a period, and the minimal losers.

mod enumerate;
mod minimal;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use hasami_answer::certify_paving;
use hasami_polyomino::paving::certificate::Claim;
use hasami_polyomino::paving::{
    self, Answer, Kind, Lattice, Periods, Prefix, paving_of_period, smallest_paving,
};
use hasami_polyomino::polyomino::shape::{Shape, parse_set};

use crate::failure::Failure;
use crate::files::{self, Form, default_place, prepare_place};
use crate::output::OutputArgs;
use crate::tree::Verb;
use report::Report;

const HELP: &str = "\
A paving is a set of disjoint pairs of cells. It blocks a shape if every placement, however turned
and wherever, holds a whole pair: White answers in the partner cell, and Black never completes the
shape. A period PxQ+S repeats every Q columns, and every P rows moved S columns to the right.

Examples:
  hasami polyomino pave Square I
  hasami polyomino pave '##./.##/.#.' U --pairs any -o paving.svg
  hasami polyomino pave Square I --period 4x4 --list
  hasami polyomino pave Square --period 6x6 --prefixes 3
  hasami polyomino pave Square --period 6x6 --count --prefix 0.1.2
  hasami polyomino pave --minimal-losers";

/// Show that shapes are losers: find a periodic paving that blocks them
#[derive(Clone, Debug, Parser)]
#[command(name = "pave", after_help = HELP)]
pub struct Pave {
    /// Shapes by name or picture; a paving must block every one of them
    #[arg(value_name = "SHAPE", required_unless_present = "minimal_losers")]
    pub shapes: Vec<String>,
    /// Which two cells may be a pair: adjacent (dominoes), or any two within one placement
    #[arg(long, value_enum, default_value = "adjacent", value_name = "PAIRS")]
    pub pairs: PairsArg,
    /// Try periods of at most so many cells
    #[arg(long, default_value_t = 64, value_name = "CELLS", value_parser = clap::value_parser!(u32).range(1..=paving::MAX_AREA as i64), conflicts_with = "period")]
    pub max_area: u32,
    /// Try periods without shift only
    #[arg(long, conflicts_with = "period")]
    pub tori: bool,
    /// Try this period only: rows, columns and, where there is one, the shift
    #[arg(long, value_name = "PxQ[+S]")]
    pub period: Option<Lattice>,
    /// Where to write the certificate [default: hasami-data/certificates/paving-ID.paving]
    #[arg(long, value_name = "FILE", help_heading = "Results", conflicts_with_all = ["count", "list", "prefixes", "minimal_losers"])]
    pub certificate: Option<PathBuf>,
    /// Draw the paving to this file, which ends in .svg
    #[arg(short, long, value_name = "FILE", help_heading = "Results", conflicts_with_all = ["count", "list", "prefixes", "minimal_losers"])]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
    /// Count all blocking pavings of the period: as sets of pairs, and as patterns up to
    /// translation, turning and mirroring
    #[arg(long, requires = "period", help_heading = "Enumeration")]
    pub count: bool,
    /// List the patterns too
    #[arg(long, requires = "period", help_heading = "Enumeration")]
    pub list: bool,
    /// Which pavings: complete (every cell is in a pair), minimal (no pair can be left out), or all
    #[arg(
        long,
        value_enum,
        default_value = "complete",
        value_name = "KIND",
        help_heading = "Enumeration"
    )]
    pub kind: KindArg,
    /// Only this part of the work, as `--prefixes` names it
    #[arg(long, value_name = "PREFIX", help_heading = "Enumeration")]
    pub prefix: Option<Prefix>,
    /// Cut the work into parts so many decisions deep that share nothing, and name them
    #[arg(long, value_name = "DEPTH", requires = "period", conflicts_with_all = ["count", "list", "prefix"], help_heading = "Enumeration", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub prefixes: Option<u32>,
    /// List the shapes that a paving of dominoes blocks and that hold no smaller such shape
    #[arg(long, conflicts_with_all = ["shapes", "count", "list", "prefixes", "prefix", "period", "tori"], help_heading = "Minimal losers")]
    pub minimal_losers: bool,
    /// Look at shapes of at most so many cells [default: 6]
    #[arg(long, value_name = "CELLS", requires = "minimal_losers", value_parser = clap::value_parser!(u32).range(1..=10), help_heading = "Minimal losers")]
    pub cells: Option<u32>,
}

/// Which two cells may be a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PairsArg {
    /// Two cells with a common edge.
    Adjacent,
    /// Any two cells that lie in one placement.
    Any,
}

impl From<PairsArg> for paving::Pairs {
    fn from(pairs: PairsArg) -> Self {
        match pairs {
            PairsArg::Adjacent => Self::Adjacent,
            PairsArg::Any => Self::Any,
        }
    }
}

/// Which pavings are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Every cell is in a pair.
    Complete,
    /// No pair can be left out.
    Minimal,
    /// All of them.
    All,
}

impl From<KindArg> for Kind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Complete => Self::Complete,
            KindArg::Minimal => Self::Minimal,
            KindArg::All => Self::All,
        }
    }
}

impl Verb for Pave {
    fn run(self) -> Result<(), Failure> {
        pave(&self)
    }
}

fn pave(options: &Pave) -> Result<(), Failure> {
    if options.minimal_losers {
        return minimal::run(options);
    }
    let shapes =
        parse_set(&options.shapes.join(",")).map_err(|error| Failure::Usage(error.to_string()))?;
    match options.period {
        Some(period) if options.prefixes.is_some() => enumerate::split(options, period, &shapes),
        Some(period) if options.count || options.list => enumerate::run(options, period, &shapes),
        _ if options.prefix.is_some() => Err(Failure::Usage(
            "--prefix is for enumerations; expected --count or --list with it".to_string(),
        )),
        _ => find(options, &shapes),
    }
}

/// Looks for a paving; there is a verdict only when its certificate has been verified.
fn find(options: &Pave, shapes: &[Shape]) -> Result<(), Failure> {
    for (name, file) in [("--certificate", &options.certificate), ("-o", &options.out)] {
        if let Some(file) = file {
            prepare_place(name, file)?;
        }
    }
    if let Some(file) = options.out.as_deref().filter(|file| !files::is_stdout(file)) {
        files::form(file, &[Form::Svg])?;
    }
    let started = Instant::now();
    let pairs = options.pairs.into();
    let answer = match options.period {
        Some(period) => paving_of_period(period, shapes, pairs)
            .map_or(Answer::NotUpTo(period.area()), Answer::Found),
        None => {
            let periods = if options.tori { Periods::Tori } else { Periods::All };
            smallest_paving(shapes, pairs, periods, options.max_area as usize)
        }
    };
    let mut report = Report::new(shapes, pairs, started.elapsed().as_secs_f64());
    let Answer::Found(paving) = answer else {
        report.nothing(&answer, options.period);
        report.print(options.answer.output)?;
        return Err(Failure::Unsettled);
    };
    let claim = Claim::new(shapes, pairs, &paving);
    let file = options.certificate.clone().unwrap_or_else(|| default_place(&claim.file_name()));
    prepare_place("--certificate", &file)?;
    let (verified, bytes) = certify_paving(&claim, &file)?;
    if let Some(file) = &options.out {
        files::save(file, paving::svg(&paving).as_bytes())?;
        if files::is_stdout(file) {
            return Ok(());
        }
    }
    report.found(&paving, &file, &verified, bytes, options.out.as_deref());
    report.print(options.answer.output)
}
