//! The line that a proof plays against the longest defence, to the last stone, and its drawing.

use super::{Board, Duel, Follows, Place, Status, Stones, Trouble};
use crate::achieve::{Node, StoneGame, bits};

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

    /// White's move after which Black needs the most stones, according to the certificate; of several,
    /// the heaviest.
    fn longest_defence(&self) -> String {
        let heavy = self.by_weight();
        let Follows::Attack(attack) = &self.follows else {
            return self.expected();
        };
        let at = attack.at;
        let turned = |cell: u8| self.place(self.rules.turned_cell(cell, at.symmetry));
        let (answers, closing) = match self.tree.node(at.node) {
            Node::All(answers, closing) => (&answers[..], *closing),
            _ => (&[][..], Default::default()),
        };
        let replies = answers.iter().filter_map(|&(reply, below)| {
            let claim = self.tree.claim(below.node);
            let zone = self.rules.turned(claim.zone, self.linked(at, below).symmetry);
            let unseen = |place: &&Place| self.number(**place).is_some_and(|n| zone >> n & 1 == 0);
            let place = match reply {
                Some(reply) => Some(turned(reply)),
                None if self.field.infinite => None,
                None => Some(*heavy.iter().find(unseen)?),
            };
            Some((claim.stones, place))
        });
        let threats = bits(closing.threats).map(|cell| (1, Some(turned(cell))));
        let free = |place: &Option<Place>| place.is_none_or(|place| self.board.at(place).is_none());
        let rated =
            replies.chain(threats).filter(|(_, place)| free(place)).map(|(stones, place)| {
                let rank = heavy.iter().position(|one| Some(*one) == place).unwrap_or(heavy.len());
                (stones, std::cmp::Reverse(rank), place)
            });
        let longest = rated.max_by_key(|&(stones, rank, _)| (stones, rank));
        let place = longest.map_or(heavy.first().copied(), |(.., place)| place);
        place.map_or("elsewhere".to_string(), |place| self.board.name(place))
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
