//! The line that a proof plays against the longest defence, to the last stone, and its drawing.

use hasami_andor::Moves;
use hasami_andor::problem::all_moves;

use super::{Board, Duel, Place, REACH, Side, Status, StoneGame, Stones, Trouble};

/// Empty cells shown around the stones on an infinite board.
const MARGIN: i32 = 1;

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves by name, Black first.
    pub moves: Vec<String>,
    /// How it ended.
    pub end: String,
    /// The board; `X1` is Black's first stone and `O1` the answer to it.
    pub rows: Vec<String>,
}

impl<G: StoneGame> Stones<'_, G> {
    /// Plays the line.
    ///
    /// # Errors
    /// If the certificate or this program is wrong.
    pub fn line(mut self) -> Result<Line, Trouble> {
        let mut moves = Vec::new();
        loop {
            match self.status() {
                Status::Over(end) => {
                    let rows = self.numbered(&moves);
                    return Ok(Line { moves, end, rows });
                }
                Status::Program => moves.push(self.answer()?),
                Status::Opponent => {
                    let defence = self.longest_defence();
                    moves.push(self.play(&defence)?);
                }
            }
        }
    }

    /// White's move after which Black needs the most stones, according to the certificate.
    fn longest_defence(&self) -> String {
        let heavy = self.by_weight();
        let place =
            if self.settled { self.last_defence(&heavy) } else { self.known_defence(&heavy) };
        place.map_or("elsewhere".to_string(), |place| self.board.name(place))
    }

    /// The reply with the longest line among those that the certificate answers; of several, the
    /// heaviest.
    fn known_defence(&self, heavy: &[Place]) -> Option<Place> {
        let mut moves = Moves::new();
        all_moves(self.game, &self.model, &mut moves);
        let answered = moves.iter().filter_map(|mv| {
            let child = self.game.play(&self.model, mv);
            let length = match self.strategy.step(self.game.key(&child)) {
                Some(step) => step.length,
                None if self.strategy.settled(self.game, &child) => self.game.rest(&child)?,
                None => return None,
            };
            let place = self.game.cell(mv).map(|cell| self.place(cell));
            let free = place.is_none_or(|place| self.board.at(place).is_none());
            let rank = heavy.iter().position(|one| Some(*one) == place).unwrap_or(heavy.len());
            free.then_some((length, std::cmp::Reverse(rank), place))
        });
        answered.max_by_key(|&(length, rank, _)| (length, rank)).and_then(|(.., place)| place)
    }

    /// The longest defence by search, where the rules settle the model.
    fn last_defence(&self, heavy: &[Place]) -> Option<Place> {
        if let Some(&place) = self.completing(Side::Black).first() {
            return Some(place);
        }
        let most = self.left().min(REACH);
        let stones = |place: Place| {
            let lines = |side, reach| {
                let mut lines = self.lines(side, reach);
                match side {
                    Side::Black => lines.retain(|line| !line.contains(&place)),
                    Side::White => {
                        lines.iter_mut().for_each(|line| line.retain(|one| *one != place));
                    }
                }
                lines
            };
            (1..=most).find(|&stones| {
                let white = if self.field.weak { Vec::new() } else { lines(Side::White, REACH) };
                super::Finish::new(lines(Side::Black, stones), white).wins(stones as u32).is_some()
            })
        };
        let black: Vec<Place> = self.lines(Side::Black, most).into_iter().flatten().collect();
        let useful = heavy.iter().copied().filter(|place| black.contains(place));
        let rated = useful.map(|place| (stones(place).unwrap_or(0), place));
        // The first of the longest is the heaviest.
        rated.rev().max_by_key(|&(stones, _)| stones).map(|(_, place)| place)
    }

    fn numbered(&self, moves: &[String]) -> Vec<String> {
        let stones: Vec<(Place, String)> = moves
            .iter()
            .enumerate()
            .filter_map(|(at, name)| {
                let sign = if at % 2 == 0 { 'X' } else { 'O' };
                Some((Board::named(name)?, format!("{sign}{}", at / 2 + 1)))
            })
            .filter(|&(place, _)| self.board.inside(place))
            .collect();
        let (mut rows, mut columns) = ((0, self.board.height), (0, self.board.width));
        if self.field.infinite {
            let around = |of: &dyn Fn(&Place) -> i32, side: i32| {
                let places = || stones.iter().map(|(place, _)| of(place));
                let from = places().min().unwrap_or(0) - MARGIN;
                (from.max(0), (places().max().unwrap_or(0) + MARGIN + 1).min(side))
            };
            rows = around(&|place| place.0, self.board.height);
            columns = around(&|place| place.1, self.board.width);
        }
        let name = |column: i32| match column {
            0..26 => char::from(b'a' + column as u8).to_string(),
            _ => (column + 1).to_string(),
        };
        let line = |head: String, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>4}")).collect();
            format!("{head:>3}{cells}")
        };
        let mut text = vec![line(String::new(), (columns.0..columns.1).map(name).collect())];
        for row in rows.0..rows.1 {
            let sign = |column: i32| {
                let stone = stones.iter().find(|(place, _)| *place == (row, column));
                stone.map_or(".".to_string(), |(_, sign)| sign.clone())
            };
            text.push(line((row + 1).to_string(), (columns.0..columns.1).map(sign).collect()));
        }
        text
    }
}
