//! Writing and reading the lines of a claim.

use std::fmt::Write as _;

use hasami_game::text_certificate::{Damage, Lines, TextCertificate};

use super::Claim;
use crate::paving::lattice::Vector;
use crate::polyomino::shape::{parse_set, spell_set};

const VERSION: &str = "1";

impl TextCertificate for Claim {
    const START: &'static str = "hasami paving";
    const VERSIONS: &'static [&'static str] = &[VERSION];
    const MAX_BYTES: usize = 1 << 20;

    fn body(&self) -> String {
        let mut text = format!(
            "{} {VERSION}\nshapes {}\npairs {}\nperiod {}\n",
            Self::START,
            spell_set(&self.shapes),
            self.pairs,
            self.period
        );
        for ((row, column), (down, right)) in &self.list {
            let _ = writeln!(text, "pair {row} {column} step {down} {right}");
        }
        text
    }

    fn parse(_: &str, lines: &Lines<'_>) -> Result<Self, Damage> {
        let shapes = parse_set(lines.value(0, "shapes", "Square,I")?)
            .map_err(|error| lines.damage(0, format!("shapes ({error})")))?;
        let pairs = lines
            .value(1, "pairs", "adjacent")?
            .parse()
            .map_err(|_| lines.damage(1, "\"pairs adjacent\" or \"pairs any\""))?;
        let period = lines
            .value(2, "period", "2x4")?
            .parse()
            .map_err(|error| lines.damage(2, format!("a period ({error})")))?;
        let mut list = Vec::new();
        for at in 3..lines.len() {
            let expected = "ROW COLUMN step DOWN RIGHT";
            let found = pair(lines.value(at, "pair", expected)?);
            list.push(found.ok_or_else(|| lines.damage(at, format!("\"pair {expected}\"")))?);
        }
        Ok(Self { shapes, pairs, period, list })
    }
}

fn pair(text: &str) -> Option<(Vector, Vector)> {
    let words: Vec<&str> = text.split(' ').collect();
    let [row, column, "step", down, right] = words[..] else { return None };
    // Small enough that sums of them cannot overflow.
    let number = |word: &str| word.parse().ok().filter(|n: &i32| n.abs() <= 1 << 20);
    Some(((number(row)?, number(column)?), (number(down)?, number(right)?)))
}
