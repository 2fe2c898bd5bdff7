//! The answer of a search for a paving, in the three forms.

use std::fmt::Write as _;
use std::path::Path;

use hasami_polyomino::paving::certificate::Verified;
use hasami_polyomino::paving::{Answer, Lattice, Pairs, Paving, draw, seed_number, seed_numbers};
use hasami_polyomino::polyomino::shape::{Shape, spell_set};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, Output, bytes, grouped};

/// Collects what is to be said.
pub struct Report {
    shapes: Vec<Shape>,
    pairs: Pairs,
    verdict: &'static str,
    human: String,
    json: Value,
}

impl Report {
    /// A report on a search that has ended.
    pub fn new(shapes: &[Shape], pairs: Pairs, seconds: f64) -> Self {
        let json = json!({
            "shapes": names(shapes), "pairs": pairs.to_string(), "verdict": "unknown",
            "seconds": seconds, "certificate": null,
        });
        Self { shapes: shapes.to_vec(), pairs, verdict: "unknown", human: String::new(), json }
    }

    /// Nothing was found: that is no verdict on the game.
    pub fn nothing(&mut self, answer: &Answer, period: Option<Lattice>) {
        let (set, pairs) = (spoken(&self.shapes), self.pairs);
        let what = match (answer, period) {
            (_, Some(period)) => format!("no paving with the period {period}"),
            (Answer::NotUpTo(area), _) => {
                format!("no paving with a period of at most {area} cells")
            }
            (Answer::Nowhere(board), _) => format!(
                "no paving with any period: no pairs block every placement on a {}x{} board",
                board.rows, board.columns
            ),
            (Answer::Found(_), _) => String::new(),
        };
        if let Answer::Nowhere(board) = answer {
            self.json["unpavable_board"] = json!(format!("{}x{}", board.rows, board.columns));
        }
        self.json["found"] = json!(what);
        let _ = writeln!(self.human, "unknown: {set}: {what}");
        let _ = writeln!(self.human, "  pairs        {pairs}");
        let _ = writeln!(
            self.human,
            "  meaning      not settled: White may have other ways than a paving"
        );
    }

    /// The certificate has been written and checked: now there is a verdict.
    pub fn found(
        &mut self,
        paving: &Paving,
        file: &Path,
        verified: &Verified,
        size: u64,
        svg: Option<&Path>,
    ) {
        self.verdict = "loser";
        let number = seed_number(paving);
        let all = seed_numbers(&self.shapes);
        let period = spelled_period(paving.lattice());
        let (set, be) = (spoken(&self.shapes), if self.shapes.len() == 1 { "is" } else { "are" });
        let _ = write!(self.human, "loser: {set} {be} blocked by the paving of period {period}");
        let _ = match number {
            Some(number) => writeln!(self.human, ", number {number} of Yakuwa et al."),
            None => writeln!(self.human, ", none of the six of Yakuwa et al."),
        };
        self.human.push('\n');
        let (rows, columns) = draw::window(paving);
        for row in draw::rows(paving, rows, columns) {
            let _ = writeln!(self.human, "    {row}");
        }
        self.human.push('\n');
        if !paving.is_adjacent() {
            self.steps(paving);
        }
        if !all.is_empty() {
            let numbers: Vec<_> = all.iter().map(ToString::to_string).collect();
            let _ = writeln!(self.human, "  of the six   {}", numbers.join(", "));
        }
        let _ = writeln!(
            self.human,
            "  pairs        {}, {} in a period",
            self.pairs,
            paving.pairs().len()
        );
        let _ = writeln!(
            self.human,
            "  certificate  {}, {} placements, {}, verified",
            file.display(),
            grouped(verified.placements),
            bytes(size)
        );
        if let Some(svg) = svg {
            let _ = writeln!(self.human, "  drawing      {}", svg.display());
            self.json["svg"] = json!(svg.display().to_string());
        }
        self.json["verdict"] = json!("loser");
        self.json["period"] = json!(paving.lattice().to_string());
        self.json["torus"] = json!(paving.lattice().torus().to_string());
        self.json["area"] = json!(paving.lattice().area());
        self.json["number"] = json!(number);
        self.json["numbers"] = json!(all);
        self.json["picture"] = json!(draw::torus(paving));
        self.json["partners"] = json!(paving.pairs());
        self.json["certificate"] = json!(file.display().to_string());
        self.json["certificate_bytes"] = json!(size);
        self.json["placements"] = json!(verified.placements);
    }

    /// Letters alone do not say which two belong together: rows and columns from 1.
    fn steps(&mut self, paving: &Paving) {
        for ((row, column), (down, right)) in paving.pairs() {
            let sign = &draw::rows(paving, row as u32 + 1, column as u32 + 1)[row as usize];
            let sign = sign.chars().next_back().unwrap_or('?');
            let _ = writeln!(
                self.human,
                "    {sign}: {},{} and {},{}",
                row + 1,
                column + 1,
                row + down + 1,
                column + right + 1
            );
        }
        self.human.push('\n');
    }

    /// Prints it.
    pub fn print(&self, form: Output) -> Result<(), Failure> {
        output::print(form, &self.human, &self.json, self.verdict)
    }
}

/// `1x4+1 (a 4x4 torus)`: shifted periods are shown with a torus that can be drawn.
pub fn spelled_period(period: Lattice) -> String {
    if period.is_torus() {
        period.to_string()
    } else {
        format!("{period} (a {} torus)", period.torus())
    }
}

/// The shapes for JSON.
pub fn names(shapes: &[Shape]) -> Vec<String> {
    shapes.iter().map(ToString::to_string).collect()
}

/// `Square & I`.
pub fn spoken(shapes: &[Shape]) -> String {
    spell_set(shapes).replace(',', " & ")
}
