//! `hasami solve GAME --file FILE`: a collection of problems, each solved like one question.

mod page;
mod row;
mod sheet;
mod source;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use hasami_andor::{Control, Stopped};
use hasami_spec::{ParamError, Spec};

use tracing::subscriber::NoSubscriber;

use super::report::Report;
use super::{Solving, mate};
use crate::failure::Failure;
use crate::game_args::Question;
use crate::output::{self, Output, grouped};
use crate::{files, screen, stop};
use row::{HEAD, Row};
use sheet::Sheet;
use source::{Entry, Source};

/// The parameter that a line gives.
const POSITION: &str = "position";

/// Whether a game can be asked about a file of positions.
pub fn has_positions(spec: &Spec) -> bool {
    spec.params.iter().any(|param| param.name == POSITION)
}

/// Options for games that have positions.
#[derive(Clone, Debug, Default, Args)]
pub struct CollectionArgs {
    /// Solve every problem of this file, a position a line; - is standard input. Of shogi also a KIF
    /// or CSA file. May be given several times
    #[arg(
        long = "file",
        value_name = "FILE",
        conflicts_with = "certificate",
        help_heading = "Collections"
    )]
    pub files: Vec<PathBuf>,
    /// Directory of certificates [default: hasami-data/certificates]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub certificates: Option<PathBuf>,
    /// Write the table of --file here: .html (with diagrams), .csv, .json, .jsonl or .txt; of one mate
    /// of shogi the record with variations (.kif) or the diagram (.svg)
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Option<PathBuf>,
}

/// How many problems ended how.
#[derive(Default)]
struct Tally {
    problems: u64,
    proven: u64,
    disproven: u64,
    unknown: u64,
    refused: u64,
    unexpected: u64,
}

impl Tally {
    fn add(&mut self, row: &Row) {
        self.problems += 1;
        match row.verdict() {
            "proven" => self.proven += 1,
            "disproven" => self.disproven += 1,
            "refused" => self.refused += 1,
            _ => self.unknown += 1,
        }
        self.unexpected += u64::from(row.0["as_expected"] == serde_json::json!(false));
    }

    fn words(&self) -> String {
        let mut words = format!(
            "{} problems: {} proven, {} disproven, {} unknown, {} refused",
            grouped(self.problems),
            grouped(self.proven),
            grouped(self.disproven),
            grouped(self.unknown),
            grouped(self.refused)
        );
        if self.unexpected > 0 {
            words.push_str(&format!("; {} not as expected", grouped(self.unexpected)));
        }
        words
    }
}

/// The search that a signal stops: that of the problem at hand.
#[derive(Clone, Default)]
pub struct AtHand(Arc<Mutex<(bool, Option<Arc<Control>>)>>);

impl AtHand {
    /// Makes this the search at hand; a signal that came before stops it at once.
    pub fn begin(&self, control: &Arc<Control>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.0 {
            control.cancel();
        }
        held.1 = Some(Arc::clone(control));
    }

    /// Stops it, and all after it.
    pub fn stop(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.0 = true;
        if let Some(control) = &held.1 {
            control.cancel();
        }
    }

    /// Whether a signal came.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Solving<'_> {
    /// Solves all problems of the files. What is broken is told and left out.
    pub(super) fn solve_files(&self, question: &Question) -> Result<(), Failure> {
        if question.pairs.iter().any(|(key, _)| key == POSITION) {
            return Err(Failure::Usage(format!(
                "--file: {POSITION} is given as well; expected one of the two"
            )));
        }
        // The other parameters are wrong for every line or for none.
        match question.checked() {
            Ok(_) | Err(ParamError::Missing { key: POSITION, .. }) => {}
            Err(_) => drop(question.read()?),
        }
        let mut source = Source::new(&self.collection.files, question.game == "shogi")?;
        let out = self.collection.out.as_deref();
        let mut sheet = out.map(|file| Sheet::new(file, &self.title(question))).transpose()?;
        let at_hand = &self.at_hand;
        let stopper = at_hand.clone();
        stop::on_signal("the problems so far are kept", move || stopper.stop())?;
        let form = self.options.answer.output;
        if form == Output::Human {
            files::print(format!("{HEAD}\n").as_bytes())?;
        }
        let mut tally = Tally::default();
        while !at_hand.is_stopped()
            && let Some(entry) = source.next()?
        {
            let Some(row) = self.row(question, &entry)? else { break };
            if form != Output::Json && row.verdict() == "refused" {
                screen::say(&format!("{}:{}: {}", entry.file, entry.line, row.cell("error")));
            }
            output::print(form, &row.human(), &row.shown(), row.verdict())?;
            if let Some(sheet) = &mut sheet {
                sheet.add(&row)?;
            }
            tally.add(&row);
        }
        if let Some(sheet) = sheet {
            sheet.finish(&tally.words())?;
        }
        if form == Output::Human {
            files::print(format!("{}\n", tally.words()).as_bytes())?;
        }
        match tally {
            _ if at_hand.is_stopped() => Err(Failure::Unsettled),
            Tally { refused: refused @ 1.., problems, .. } => {
                Err(Failure::Usage(format!("{refused} of {problems} problems were refused")))
            }
            Tally { unknown: 1.., .. } => Err(Failure::Unsettled),
            _ => Ok(()),
        }
    }

    /// The answer to one problem; `None` if a signal has stopped its search.
    fn row(&self, question: &Question, entry: &Entry) -> Result<Option<Row>, Failure> {
        let position = match &entry.position {
            Ok(position) => position.clone(),
            Err(why) => return Ok(Some(Row::refused(entry, why))),
        };
        let mut asked = question.clone();
        asked.pairs.push((POSITION.to_string(), position));
        let (rules, params) = match asked.checked() {
            Ok(found) => found,
            Err(error) => return Ok(Some(Row::refused(entry, &reason(&error)))),
        };
        let control = self.control();
        let settle = || -> Result<Option<Report>, Failure> {
            let settled = self.settle(rules, &params, &control)?;
            if settled.outcome.stopped == Stopped::Cancelled {
                return Ok(None);
            }
            let (mut report, _) = self.report(settled, control.is_expired());
            self.add_mate(question, &mut report, &control)?;
            Ok(Some(report))
        };
        // The rows say what the log would say of each stage; `-v` wants both.
        let report = if tracing::enabled!(tracing::Level::DEBUG) {
            settle()
        } else {
            tracing::subscriber::with_default(NoSubscriber::default(), settle)
        }?;
        let Some(report) = report.filter(|_| !self.at_hand.is_stopped()) else { return Ok(None) };
        let mut json = report.into_json();
        let page = self
            .collection
            .out
            .as_deref()
            .is_some_and(|file| file.extension() == Some("html".as_ref()));
        if page && question.game == "shogi" {
            let position = json["parameters"]["position"].as_str().and_then(mate::picture);
            json["diagram"] = position.into();
        }
        Ok(Some(Row::answered(entry, json)))
    }

    fn title(&self, question: &Question) -> String {
        let names: Vec<String> =
            self.collection.files.iter().map(|file| file.display().to_string()).collect();
        format!("{}: {}", question.game, names.join(", "))
    }
}

/// Why a position is refused; the parameter and the text are known from its line.
fn reason(error: &ParamError) -> String {
    match error {
        ParamError::Bad { key, expected, .. } if key == POSITION => {
            format!("expected {expected}")
        }
        other => other.to_string(),
    }
}
