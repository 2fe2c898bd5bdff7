//! Writing and reading the lines of a claim.

use std::fmt::Write as _;

use hasami_game::text_certificate::{Damage, Lines, TextCertificate};

use super::Claim;
use crate::paving::lattice::Vector;
use crate::polyomino::shape::{Shape, ShapeError, plain_set};

impl TextCertificate for Claim {
    const START: &'static str = "hasami paving";
    const VERSION: &'static str = "2";
    const MAX_BYTES: usize = 1 << 20;

    fn body(&self) -> String {
        let mut text = format!(
            "{} {}\nshapes {}\npairs {}\nperiod {}\n",
            Self::START,
            Self::VERSION,
            pictures(&self.shapes),
            self.pairs,
            self.period
        );
        for ((row, column), (down, right)) in &self.list {
            let _ = writeln!(text, "pair {row} {column} step {down} {right}");
        }
        text
    }

    fn parse(lines: &Lines<'_>) -> Result<Self, Damage> {
        let shapes = shapes(lines.value(0, "shapes", "##/##,#####")?)
            .map_err(|error| lines.damage(0, format!("pictures of shapes ({error})")))?;
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

fn pictures(shapes: &[Shape]) -> String {
    shapes.iter().map(Shape::picture).collect::<Vec<_>>().join(",")
}

/// Signs other than `#` count as `.` here, and are found when the spelling is compared.
fn shapes(text: &str) -> Result<Vec<Shape>, ShapeError> {
    let shapes = text.split(',').map(Shape::from_picture).collect::<Result<Vec<_>, _>>()?;
    Ok(plain_set(&shapes))
}

fn pair(text: &str) -> Option<(Vector, Vector)> {
    let words: Vec<&str> = text.split(' ').collect();
    let [row, column, "step", down, right] = words[..] else { return None };
    // Small enough that sums of them cannot overflow.
    let number = |word: &str| word.parse().ok().filter(|n: &i32| n.abs() <= 1 << 20);
    Some(((number(row)?, number(column)?), (number(down)?, number(right)?)))
}
