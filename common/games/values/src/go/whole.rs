//! Whole boards: regions, their values, and the best move for either side with the reason.

mod ko_moves;

use hasami_cgt::{Dyadic, Value};

pub use ko_moves::KoChoice;

use super::board::{Board, Colour, Point};
use super::ko::{Komaster, exact};
use super::part::{Part, parts};
use super::value::{Endgames, Unvalued};

/// A region of a board.
#[derive(Clone, Debug)]
pub struct Region {
    /// The region and its place.
    pub part: Part,
    /// Its value.
    pub value: Result<Value, Unvalued>,
}

impl Region {
    /// The empty points and stones of the region, as points of the whole board.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let open = (0..self.part.points.len()).filter(|&at| self.part.board.at(at).is_open());
        open.filter_map(|at| self.part.points[at])
    }
}

/// All regions of a board.
#[derive(Clone, Debug)]
pub struct Whole {
    /// In order of discovery, row by row.
    pub regions: Vec<Region>,
    /// Their sum, if every one has a value and the sum is not too large.
    pub total: Result<Value, Unvalued>,
}

/// A move on a whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The index of the region.
    pub region: usize,
    /// The point on the whole board.
    pub point: Point,
    /// The value of the region after it, with the prisoners it takes.
    pub after: Value,
    /// How much it raises the mean of the region, for the player.
    pub gain: Dyadic,
    /// The resulting score under best play, from the exact sum.
    pub score: Option<Dyadic>,
}

/// The best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// This move; no other leads to a better score.
    Play(Choice),
    /// No move is better than passing: the score stands.
    Pass(Dyadic),
    /// The sum is not known exactly, so this is the move with the greatest gain: a heuristic.
    Hottest(Choice),
    /// As above, but this move in a ko gains most, if ko threats are as assumed.
    Ko(KoChoice),
    /// No region has a value and a move.
    Unknown,
}

impl Endgames {
    /// The regions of a board and their values.
    pub fn whole(&mut self, board: &Board) -> Whole {
        let mut regions = Vec::new();
        let mut total = self.games.integer(0).map_err(Unvalued::from);
        for part in parts(board) {
            let value = self.value(&part.board);
            total = match (total, value) {
                (Ok(sum), Ok(value)) => self.games.add(sum, value).map_err(Unvalued::from),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
            regions.push(Region { part, value });
        }
        Whole { regions, total }
    }

    /// All moves of a colour in a region that has a value.
    ///
    /// # Errors
    /// If values grow too large, or a move leads to a ko.
    pub fn choices(
        &mut self,
        region: &Region,
        number: usize,
        colour: Colour,
    ) -> Result<Vec<Choice>, Unvalued> {
        let before = self.games.mean(region.value?)?;
        let mut choices = Vec::new();
        let board = &region.part.board;
        for point in board.empty() {
            let Ok(played) = board.play(colour, point, self.suicide()) else { continue };
            let after = match self.value_with(&played.board, played.prisoners) {
                // It does not matter for the value of the region, so another move is as good.
                Err(Unvalued::Loopy) => continue,
                after => after?,
            };
            let mean = self.games.mean(after)?;
            let gain = match colour {
                Colour::Black => &mean - &before,
                Colour::White => &before - &mean,
            };
            let point = region.part.points[point].expect("an open point is one of the board");
            choices.push(Choice { region: number, point, after, gain, score: None });
        }
        Ok(choices)
    }

    /// The best move of a colour. Kos are evaluated with no threats for either side.
    ///
    /// # Errors
    /// If a limit is reached before any answer.
    pub fn advice(&mut self, whole: &Whole, colour: Colour) -> Result<Advice, Unvalued> {
        self.advice_with(whole, colour, Komaster::Neither)
    }

    /// The best move of a colour, under an assumption about ko threats, which matters only if there
    /// are kos.
    ///
    /// # Errors
    /// If a limit is reached before any answer.
    pub fn advice_with(
        &mut self,
        whole: &Whole,
        colour: Colour,
        komaster: Komaster,
    ) -> Result<Advice, Unvalued> {
        let mut all = Vec::new();
        for (number, region) in whole.regions.iter().enumerate() {
            if region.value.is_ok() {
                all.extend(self.choices(region, number, colour)?);
            }
        }
        match whole.total {
            Ok(total) => match self.exact(whole, total, &all, colour) {
                Ok(advice) => Ok(advice),
                Err(_) => Ok(hottest(all)),
            },
            Err(_) => {
                let ko = self.hottest_ko(whole, colour, komaster);
                Ok(hotter(hottest(all), ko))
            }
        }
    }

    /// The move with the greatest gain in a ko, if some ko has a thermograph.
    fn hottest_ko(
        &mut self,
        whole: &Whole,
        colour: Colour,
        komaster: Komaster,
    ) -> Option<KoChoice> {
        let mut best: Option<KoChoice> = None;
        for (number, region) in whole.regions.iter().enumerate() {
            if region.value != Err(Unvalued::Loopy) {
                continue;
            }
            // A ko without a thermograph must not hide the others.
            for choice in self.ko_choices(region, number, colour, komaster).unwrap_or_default() {
                if best.as_ref().is_none_or(|other| choice.gain > other.gain) {
                    best = Some(choice);
                }
            }
        }
        best
    }

    /// By the stops of the exact sums; among equal scores, a move whose sum is not less.
    fn exact(
        &mut self,
        whole: &Whole,
        total: Value,
        all: &[Choice],
        colour: Colour,
    ) -> Result<Advice, Unvalued> {
        let mut best: Option<(Choice, Value)> = None;
        for choice in all {
            let before = whole.regions[choice.region].value?;
            let change = self.games.sub(choice.after, before)?;
            let sum = self.games.add(total, change)?;
            let score = self.stop(sum, colour.other());
            let better = match &best {
                None => true,
                Some((other, other_sum)) => {
                    let old = other.score.as_ref().expect("the score of the best so far");
                    let (new, old, at_least) = match colour {
                        Colour::Black => (&score, old, self.games.le(*other_sum, sum)?),
                        Colour::White => (old, &score, self.games.le(sum, *other_sum)?),
                    };
                    new > old || (new == old && at_least && *other_sum != sum)
                }
            };
            if better {
                best = Some((Choice { score: Some(score), ..choice.clone() }, sum));
            }
        }
        // After a pass the other player begins.
        let passed = self.stop(total, colour.other());
        Ok(match best {
            Some((choice, _)) => {
                let score = choice.score.as_ref().expect("the score of the best");
                let worse = match colour {
                    Colour::Black => *score < passed,
                    Colour::White => *score > passed,
                };
                if worse { Advice::Pass(passed) } else { Advice::Play(choice) }
            }
            None => Advice::Pass(passed),
        })
    }

    /// The score of a value if this colour begins.
    fn stop(&self, value: Value, colour: Colour) -> Dyadic {
        let (left, right) = self.games.stops(value);
        match colour {
            Colour::Black => left.clone(),
            Colour::White => right.clone(),
        }
    }
}

/// The one that gains more; of equal ones the one that is not a ko.
fn hotter(other: Advice, ko: Option<KoChoice>) -> Advice {
    match (other, ko) {
        (Advice::Hottest(choice), Some(ko)) if exact(&choice.gain) >= ko.gain => {
            Advice::Hottest(choice)
        }
        (_, Some(ko)) => Advice::Ko(ko),
        (other, None) => other,
    }
}

fn hottest(all: Vec<Choice>) -> Advice {
    let mut best: Option<Choice> = None;
    for choice in all {
        if best.as_ref().is_none_or(|other| choice.gain > other.gain) {
            best = Some(choice);
        }
    }
    best.map_or(Advice::Unknown, Advice::Hottest)
}
