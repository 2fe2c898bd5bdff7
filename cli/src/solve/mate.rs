//! What `solve shogi` says of a mate beyond its verdict: the solution, its length without futile
//! interpositions, other solutions, and the files of a record or a diagram.

use std::path::Path;

use clap::{Args, ValueEnum};
use hasami_andor::{Control, Problem as _};
use hasami_answer::mates::flaws::{self, Flaws, Kind, Mate, Other, Within};
use hasami_answer::mates::{self, Together};
use hasami_shogi::question::MOST_VARIATIONS;
use hasami_shogi::solution::{Solution, Wanted, caption, solution};
use hasami_shogi::{Shogi, kif_tree, record, svg};
use hasami_spec::ParamError;
use serde_json::{Value, json};

use super::Solving;
use super::report::Report;
use crate::failure::Failure;
use crate::files::{self, Form};
use crate::game_args::Question;

/// Fewest and most nodes to find the exact length without futile interpositions.
const NODES: (u64, u64) = (1_000_000, 20_000_000);
/// Certificates with more nodes are not loaded to read the solution.
const LARGEST: u64 = 5_000_000;
/// What a solution can be written as.
pub const FORMS: [Form; 2] = [Form::Kif, Form::Svg];

/// Options of `solve shogi` alone.
#[derive(Clone, Debug, Default, Args)]
pub struct MateArgs {
    /// Look for other solutions (余詰) at every check of the line: of any length, or not longer than
    /// the line. Needs within=shortest
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "any",
        help_heading = "Results"
    )]
    pub flaws: Option<Which>,
}

/// Which other mates count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// Of any length
    Any,
    /// Not longer than the line
    Same,
}

impl Solving<'_> {
    /// Whether the options ask for something that a question about shogi does not answer.
    pub(super) fn check_mate_args(&self, question: &Question) -> Result<(), Failure> {
        if self.mate.flaws.is_some() && !is_shortest(question) {
            return Err(Failure::Usage(
                "--flaws: the line of a mate that is not the shortest has no flaws; expected \
                 within=shortest"
                    .to_string(),
            ));
        }
        Ok(())
    }

    /// Adds what is known of a mate.
    pub(super) fn add_mate(
        &self,
        question: &Question,
        report: &mut Report,
        control: &Control,
    ) -> Result<Option<(Shogi, Solution)>, Failure> {
        let Some(file) = report.proven().filter(|_| question.game == "shogi") else {
            return Ok(None);
        };
        if report.certificate_nodes() > LARGEST {
            tracing::warn!(nodes = report.certificate_nodes(), "the solution is not read");
            return Ok(None);
        }
        let (problem, strategy) = mates::open(&file)?;
        let nodes = match is_shortest(question) {
            true => (2 * report.nodes()).clamp(NODES.0, NODES.1),
            false => 0,
        };
        let wanted = Wanted { nodes, variations: self.variations() };
        let Some(found) = solution(&problem, &strategy, control, wanted) else {
            return Err(Failure::Failed(format!("{}: no line in it", file.display())));
        };
        drop(strategy);
        report.solution(&problem, &found);
        if let Some(which) = self.mate.flaws {
            let flaws = self.flaws(&problem, &found, which)?;
            report.flaws(&flaws);
        }
        Ok(Some((problem, found)))
    }

    fn variations(&self) -> usize {
        let kif = self.collection.files.is_empty()
            && self.collection.out.as_deref().is_some_and(|file| is(file, Form::Kif));
        if kif { MOST_VARIATIONS } else { 0 }
    }

    fn flaws(&self, problem: &Shogi, found: &Solution, which: Which) -> Result<Flaws, Failure> {
        let within = match which {
            Which::Any => Within::Any,
            Which::Same => Within::Same,
        };
        let together = Together::new(self.options.table())?;
        flaws::find(problem, found, within, &mut |params| {
            let control = self.control();
            let settled = self.settle_by(&control, &mut |plan, shell| {
                together.settle(params, plan, &control, shell)
            });
            let settled = settled.map_err(Trouble::Failure)?;
            Ok(if control.is_cancelled() { None } else { Some(settled) })
        })
        .map_err(|trouble: Trouble| match trouble {
            Trouble::Failure(failure) => failure,
            Trouble::Param(error) => Failure::Failed(format!("a position of the line: {error}")),
        })
    }

    /// Writes the solution to the file of `-o`.
    pub(super) fn save_mate(
        &self,
        out: &Path,
        question: &Question,
        found: Option<(Shogi, Solution)>,
    ) -> Result<(), Failure> {
        let text = match (files::form(out, &FORMS)?, &found) {
            (Form::Kif, Some((problem, found))) => kif_tree::write(&problem.root(), found),
            (Form::Kif, None) => {
                tracing::warn!("-o {}: not written, there is no mate", out.display());
                return Ok(());
            }
            (_, Some((problem, found))) => {
                svg::diagram(&problem.root(), None, &caption(&problem.root(), &found.line))
            }
            (_, None) => {
                let (_, params) = question.read()?;
                let text = params.text("position").unwrap_or_default();
                let game = record::read_usi(text);
                let game = game.map_err(|fault| Failure::Usage(fault.to_string()))?;
                svg::diagram(&game.last(), None, &[])
            }
        };
        files::save(out, text.as_bytes())
    }
}

/// Whether the fewest plies are asked for.
fn is_shortest(question: &Question) -> bool {
    question.pairs.iter().any(|(key, value)| key == "within" && value == "shortest")
}

fn is(file: &Path, form: Form) -> bool {
    file.extension().is_some_and(|end| end == form.extension())
}

/// Why other solutions could not be looked for.
enum Trouble {
    Failure(Failure),
    Param(ParamError),
}

impl From<ParamError> for Trouble {
    fn from(error: ParamError) -> Self {
        Self::Param(error)
    }
}

/// Other solutions for programs: flaws, what is tolerated, and what is open.
pub fn flaws_json(found: &Flaws) -> (Value, Value, Value) {
    let other = |other: &Other| json!({ "ply": other.ply, "position": other.position, "move": other.mv.to_string() });
    let mate = |mate: &Mate| {
        let mut object = other(&mate.other);
        object["kind"] = json!(mate.kind.word());
        object["moves"] = json!(mate.moves);
        object["certificate"] = json!(mate.certificate.display().to_string());
        object
    };
    let (flaws, tolerated): (Vec<&Mate>, Vec<&Mate>) =
        found.mates.iter().partition(|mate| mate.kind == Kind::Flaw);
    (
        flaws.into_iter().map(mate).collect(),
        tolerated.into_iter().map(mate).collect(),
        found.open.iter().map(other).collect(),
    )
}

/// Other solutions for people.
pub fn flaws_words(found: &Flaws) -> String {
    let verdict = match found.unique() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not settled",
    };
    let mut text =
        format!("  unique       {verdict}: {} other checks do not mate\n", found.refuted.len());
    for Mate { other, kind, moves, certificate } in &found.mates {
        let length = moves.map_or(String::new(), |plies| format!(" in at most {plies} plies"));
        text.push_str(&format!(
            "    {:<10} ply {}: {} mates{length}\n               {}\n               {}\n",
            kind.word(),
            other.ply,
            other.mv,
            other.position,
            certificate.display()
        ));
    }
    for Other { ply, position, mv } in &found.open {
        text.push_str(&format!("    open       ply {ply}: {mv}\n               {position}\n"));
    }
    text
}

/// The diagram of a position for a page.
pub fn picture(position: &str) -> Option<String> {
    let game = record::read_usi(position).ok()?;
    Some(svg::diagram(&game.last(), None, &[]))
}
