//! Searches the last stones on the real board to the end: who completes a line first when Black has
//! only a few stones left. A line is represented by its empty cells, wherever these are.

use std::collections::HashMap;

use super::Place;

/// [`Finish`] ignores lines that Black lacks more cells of.
pub const REACH: usize = 3;

/// The lines that the two sides can still complete.
pub struct Finish {
    cells: Vec<Place>,
    numbers: HashMap<Place, usize>,
    owners: Vec<Owner>,
    black: Vec<Vec<usize>>,
    white: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Black,
    White,
}

impl Finish {
    /// Lines by their empty cells: `black` are those without a White stone, `white` those without a
    /// Black stone (none if White only blocks).
    pub fn new(
        black: impl IntoIterator<Item = Vec<Place>>,
        white: impl IntoIterator<Item = Vec<Place>>,
    ) -> Self {
        let mut finish = Self {
            cells: Vec::new(),
            numbers: HashMap::new(),
            owners: Vec::new(),
            black: Vec::new(),
            white: Vec::new(),
        };
        finish.black = black.into_iter().map(|line| finish.number(&line)).collect();
        finish.white = white.into_iter().map(|line| finish.number(&line)).collect();
        finish
    }

    fn number(&mut self, line: &[Place]) -> Vec<usize> {
        let numbered = line.iter().map(|&place| {
            *self.numbers.entry(place).or_insert_with(|| {
                self.cells.push(place);
                self.owners.push(Owner::Nobody);
                self.cells.len() - 1
            })
        });
        numbered.collect()
    }

    /// Black to move: where to play to complete a line first with at most `stones` stones.
    pub fn wins(&mut self, stones: u32) -> Option<Place> {
        self.black_wins(stones).map(|cell| self.cells[cell])
    }

    /// White to move: whether Black completes a line first with at most `stones` more stones,
    /// against every defence.
    pub fn holds(&mut self, stones: u32) -> bool {
        if !self.threats(Owner::White).is_empty() {
            return false;
        }
        let threats = self.threats(Owner::Black);
        match (&threats[..], stones) {
            (_, 0) | ([], 1) => false,
            ([_, _, ..], _) => true,
            (&[only], _) => self.after(only, Owner::White, |now| now.black_wins(stones).is_some()),
            // A stone on any other cell is worth no more than a pass.
            ([], _) => {
                self.black_wins(stones).is_some()
                    && self.useful(&[Owner::Black, Owner::White]).into_iter().all(|cell| {
                        self.after(cell, Owner::White, |now| now.black_wins(stones).is_some())
                    })
            }
        }
    }

    /// White to move: whether White's stone on `place` prevents that.
    pub fn stopped_by(&mut self, place: Place, stones: u32) -> bool {
        match self.numbers.get(&place) {
            None => self.black_wins(stones).is_none(),
            Some(&cell) => self.after(cell, Owner::White, |now| now.black_wins(stones).is_none()),
        }
    }

    fn black_wins(&mut self, stones: u32) -> Option<usize> {
        if let (Some(&cell), 1..) = (self.threats(Owner::Black).first(), stones) {
            return Some(cell);
        }
        if stones < 2 {
            return None;
        }
        let choices = match self.threats(Owner::White) {
            none if none.is_empty() => self.useful(&[Owner::Black]),
            one if one.len() == 1 => one,
            _ => return None,
        };
        choices
            .into_iter()
            .find(|&cell| self.after(cell, Owner::Black, |now| now.holds(stones - 1)))
    }

    fn after<T>(&mut self, cell: usize, owner: Owner, look: impl FnOnce(&mut Self) -> T) -> T {
        self.owners[cell] = owner;
        let seen = look(self);
        self.owners[cell] = Owner::Nobody;
        seen
    }

    fn lines(&self, side: Owner) -> impl Iterator<Item = impl Iterator<Item = usize> + '_> + '_ {
        let (lines, other) = match side {
            Owner::White => (&self.white, Owner::Black),
            _ => (&self.black, Owner::White),
        };
        let alive =
            lines.iter().filter(move |line| line.iter().all(|&cell| self.owners[cell] != other));
        alive.map(|line| line.iter().copied().filter(|&cell| self.owners[cell] == Owner::Nobody))
    }

    /// Up to two cells on which the side completes a line at once.
    fn threats(&self, side: Owner) -> Vec<usize> {
        let mut threats = Vec::new();
        for mut missing in self.lines(side) {
            if let (Some(cell), None) = (missing.next(), missing.next())
                && !threats.contains(&cell)
            {
                threats.push(cell);
                if threats.len() == 2 {
                    break;
                }
            }
        }
        threats
    }

    /// The empty cells of the lines that these sides can still complete.
    fn useful(&self, sides: &[Owner]) -> Vec<usize> {
        let cells = sides.iter().flat_map(|&side| self.lines(side).flatten());
        let mut cells: Vec<usize> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finish(black: &[&[i32]], white: &[&[i32]]) -> Finish {
        let lines = |lines: &[&[i32]]| -> Vec<Vec<Place>> {
            lines.iter().map(|line| line.iter().map(|&cell| (0, cell)).collect()).collect()
        };
        Finish::new(lines(black), lines(white))
    }

    #[test]
    fn one_cell_is_taken_at_once() {
        assert_eq!(finish(&[&[4]], &[]).wins(1), Some((0, 4)));
        assert_eq!(finish(&[&[4]], &[&[7], &[8]]).wins(1), Some((0, 4)));
        assert_eq!(finish(&[&[4]], &[]).wins(0), None);
    }

    #[test]
    fn a_fork_takes_two_stones_and_two_different_partners() {
        assert_eq!(finish(&[&[1, 2], &[2, 3]], &[]).wins(2), Some((0, 2)));
        assert_eq!(finish(&[&[1, 2], &[1, 2]], &[]).wins(2), None);
        assert_eq!(finish(&[&[1, 2], &[3, 4]], &[]).wins(3), None);
    }

    #[test]
    fn white_gets_ahead_of_a_fork_unless_a_threat_of_its_own_is_in_the_way() {
        let black: &[&[i32]] = &[&[1, 2], &[2, 3]];
        assert_eq!(finish(black, &[&[9]]).wins(2), None);
        assert_eq!(finish(black, &[&[2]]).wins(2), Some((0, 2)));
        assert!(!finish(&[&[1], &[2]], &[&[9]]).holds(1));
        assert!(finish(&[&[1], &[2]], &[&[8, 9]]).holds(1));
    }

    #[test]
    fn one_forced_reply_after_the_other_leads_to_a_fork() {
        // 1 threatens 2; White's stone there leaves the lines through 1 and 3.
        let black: &[&[i32]] = &[&[1, 2], &[1, 3, 4], &[1, 3, 5]];
        assert_eq!(finish(black, &[]).wins(3), Some((0, 1)));
        assert_eq!(finish(black, &[]).wins(2), None);
        // Unless White's forced stone makes a threat that Black must answer far away.
        assert_eq!(finish(black, &[&[2, 9]]).wins(3), None);
    }

    #[test]
    fn without_a_threat_every_reply_of_white_is_tried() {
        let two_forks: &[&[i32]] = &[&[1, 2], &[2, 3], &[11, 12], &[12, 13]];
        assert!(finish(two_forks, &[]).holds(2));
        assert!(!finish(&two_forks[..2], &[]).holds(2));
        assert!(finish(&two_forks[..2], &[]).stopped_by((0, 2), 2));
        assert!(!finish(two_forks, &[]).stopped_by((0, 2), 2));
        assert!(!finish(two_forks, &[]).stopped_by((7, 7), 2));
    }
}
