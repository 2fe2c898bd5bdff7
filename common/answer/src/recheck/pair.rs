//! Answers about pairs: the row of the table, built again from its certificates.

use hasami_andor::Verdict;
use hasami_game::Game;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_polyomino::paving::certificate as paving;
use hasami_polyomino::paving::{Pairs, seed_numbers};
use hasami_polyomino::paving_winner::PavingWinner;
use hasami_polyomino::polyomino::Polyomino;
use hasami_polyomino::polyomino::shape::{Shape, parse_set, plain_set, spell_set};
use hasami_sweep::Basis;

use super::certified::{Asking, Stated, verify};
use super::{Checked, Claimed, Doubt, refused, unable};
use crate::jobs::PairJob;
use crate::jobs::pair::{Class, MAX_AREA, MAX_SQUARE, Row, built};

pub(crate) fn check(pair: &PairJob, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    let [first, second] = &pair.shapes;
    let set = parse_set(&format!("{first},{second}")).map_err(unable)?;
    let mut row = Row::unsettled([first.to_string(), second.to_string()], seed_numbers(&set));
    let fewest = set.iter().map(|shape| shape.size() as u32).min().unwrap_or(1);
    let most = pair.most_stones.max(fewest);
    let mut files = claimed.files.iter();
    if let [file] = claimed.files
        && paving::Claim::is_one(file)?
    {
        row.class = Class::Loser;
        row.period = Some(blocked(&set, Pairs::Adjacent, MAX_AREA, file)?.period.to_string());
        files.next();
    }
    for file in files {
        let stated = Stated::read(file, claimed.limits)?;
        match certificate(&set, most, &stated, claimed)? {
            Proves::Win { weak: false, stones } if claimed.files.len() == 1 => {
                (row.class, row.stones) = (Class::Winner, Some(stones));
            }
            Proves::Win { weak: true, stones }
                if row.weak_stones.is_none() && row.squares == [None, None] =>
            {
                row.weak_stones = Some(stones);
            }
            Proves::Square { at, size } if row.squares[at..].iter().all(Option::is_none) => {
                row.squares[at] = Some(size);
            }
            _ => return Err(refused("certificates that do not belong together")),
        }
    }
    if row.squares.iter().all(Option::is_some) {
        row.class = Class::PavingWinner;
    }
    let mut unproved = Vec::new();
    if row.class != Class::Loser {
        let none_within = claimed.number("none_within")?;
        // A win was looked for with this many stones at most.
        let most = row.stones.map_or(most, |stones| stones - 1);
        if !(fewest - 1..=most).contains(&none_within) {
            return Err(refused(format!(
                "none_within is {none_within}; at most {most} were tried"
            )));
        }
        row.none_within = Some(none_within);
        unproved.push("none_within".to_string());
    }
    claimed.says(row.verdict(), &row.words(), &row.fields())?;
    let settled = matches!(row.class, Class::Loser | Class::Winner);
    let basis = if settled { Basis::Proved } else { Basis::Unproved };
    Ok(Checked { basis, unproved })
}

/// Checks the certificate of a paving that must block these shapes, with a period of at most so many
/// cells.
pub(super) fn blocked(
    shapes: &[Shape],
    pairs: Pairs,
    max_area: usize,
    file: &std::path::Path,
) -> Result<paving::Claim, Doubt> {
    let claim = paving::Claim::read(file)?;
    if claim.shapes != plain_set(shapes) || claim.pairs != pairs {
        return Err(refused("the certificate of a paving for other shapes, or other pairs"));
    }
    // Before it is checked: a large period takes long.
    if claim.period.area() > max_area {
        let area = claim.period.area();
        return Err(refused(format!("a period of {area} cells; {max_area} were tried")));
    }
    paving::check(&claim).map_err(refused)?;
    Ok(claim)
}

/// What a certificate of a game proves of a pair.
enum Proves {
    /// Black wins with so many stones.
    Win { weak: bool, stones: u32 },
    /// A square that pairs cannot pave: adjacent ones (0) or any (1).
    Square { at: usize, size: u8 },
}

fn certificate(
    set: &[Shape],
    most: u32,
    stated: &Stated<'_>,
    claimed: &Claimed<'_>,
) -> Result<Proves, Doubt> {
    let asked = &stated.first().asked;
    let number = |text: &str| text.parse::<u32>().map_err(|_| refused("no number"));
    let value =
        |key: &str| asked.value(key).ok_or_else(|| refused(format!("a certificate without {key}")));
    let shapes = spell_set(set);
    if asked.game == Polyomino::NAME {
        let (kind, stones) = (value("game")?, number(value("stones")?)?);
        let weak = match kind {
            "weak" => true,
            "strong" => false,
            _ => return Err(refused("neither the strong nor the weak game")),
        };
        if !(1..=most).contains(&stones) {
            return Err(refused(format!("{stones} stones; at most {most} were asked about")));
        }
        proven::<Polyomino>(
            &format!("shapes={shapes} game={kind} stones={stones}"),
            stated,
            claimed,
        )?;
        return Ok(Proves::Win { weak, stones });
    }
    if asked.game != PavingWinner::NAME {
        return Err(refused(format!("a certificate of another question: {asked}")));
    }
    let kinds = [Pairs::Adjacent, Pairs::Any];
    let pairs = value("pairs")?;
    let at = kinds.iter().position(|kind| kind.to_string() == pairs);
    let at = at.ok_or_else(|| refused("neither adjacent nor any pairs"))?;
    let size = value("board")?.split_once('x').and_then(|(size, _)| size.parse::<u8>().ok());
    let size = size.filter(|size| (1..=MAX_SQUARE).contains(size));
    let size = size.ok_or_else(|| refused("no square that was tried"))?;
    let spelled = format!("shapes={shapes} board={size}x{size} pairs={}", kinds[at]);
    proven::<PavingWinner>(&spelled, stated, claimed)?;
    Ok(Proves::Square { at, size })
}

/// Checks a certificate that must prove this question.
fn proven<G: Game>(spelled: &str, stated: &Stated<'_>, claimed: &Claimed<'_>) -> Result<(), Doubt> {
    let (game, params) = built::<G>(spelled, claimed.resources)?;
    verify(stated, &[(&Asking::new(game, &params), Verdict::Proven)], claimed.limits).map(drop)
}
