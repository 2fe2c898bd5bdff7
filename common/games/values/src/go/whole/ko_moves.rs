//! Moves in regions with a ko. They have no values, but means under an assumption about ko threats.
//! The gain of a move is how much it raises the mean, which makes it comparable with moves
//! elsewhere.

use num_rational::BigRational;

use super::super::board::{Board, Colour, Point};
use super::super::ko::{KoError, Komaster, exact, whole_number};
use super::super::part::parts;
use super::super::value::{Endgames, Unvalued};
use super::Region;

/// A move in a region with a ko.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KoChoice {
    /// The index of the region.
    pub region: usize,
    /// The point on the whole board.
    pub point: Point,
    /// How much it raises the mean of the region, for the player.
    pub gain: BigRational,
    /// The player assumed to have ko threats.
    pub komaster: Komaster,
    /// Whether it settles the region: no ko is left.
    pub resolves: bool,
}

impl Endgames {
    /// All moves of a colour in a region with a ko. Assumes that no ko of it was just taken.
    ///
    /// # Errors
    /// If the ko has no thermograph under the assumption, or a limit is reached. Moves to positions
    /// that have none are left out.
    pub fn ko_choices(
        &mut self,
        region: &Region,
        number: usize,
        colour: Colour,
        komaster: Komaster,
    ) -> Result<Vec<KoChoice>, KoError> {
        let board = &region.part.board;
        let before = self.ko_thermograph(board, komaster)?.mean;
        let mut choices = Vec::new();
        for point in board.empty() {
            let Ok(played) = board.play(colour, point, self.suicide()) else { continue };
            let (after, resolves) = match self.mean_with_ko(&played.board, komaster) {
                Ok((mean, resolves)) => (mean + whole_number(played.prisoners), resolves),
                Err(KoError::NotSimple | KoError::Undetermined) => continue,
                Err(error) => return Err(error),
            };
            let gain = match colour {
                Colour::Black => after - &before,
                Colour::White => &before - after,
            };
            let point = region.part.points[point].expect("an open point is one of the board");
            choices.push(KoChoice { region: number, point, gain, komaster, resolves });
        }
        Ok(choices)
    }

    /// The mean of a board, kos included, and whether it has none.
    fn mean_with_ko(
        &mut self,
        board: &Board,
        komaster: Komaster,
    ) -> Result<(BigRational, bool), KoError> {
        let (mut sum, mut settled) = (whole_number(0), true);
        for part in parts(board) {
            sum += match self.value(&part.board) {
                Ok(value) => exact(&self.games.mean(value).map_err(Unvalued::from)?),
                Err(Unvalued::Loopy) => {
                    settled = false;
                    self.ko_thermograph(&part.board, komaster)?.mean
                }
                Err(error) => return Err(error.into()),
            };
        }
        Ok((sum, settled))
    }
}
