//! Zones: cells such that a proof holds whatever else White has filled. Moves outside the zone
//! of "White plays elsewhere" are answered as if they were elsewhere, so only those inside count.

use hasami_andor::Turn;

use super::Polyomino;
use super::grid::bits;
use super::position::{Position, Stone};

impl Polyomino {
    /// A zone as it lies on the grid of `state`, from the frame of its key.
    pub(super) fn on_grid(&self, state: &Position, zone: u128) -> u128 {
        self.grid.turned_back(zone, state.symmetry())
    }

    /// The zone of a proof, on the grid: all cells that it plays on, White's forced replies
    /// included, and what keeps White from having completed something on the way.
    pub(super) fn zone(&self, state: &Position, basis: &[(Stone, u128)]) -> u128 {
        let mut zone = 0;
        for &(mv, child) in basis {
            zone |= self.on_grid(&state.after(mv, &self.grid), child);
            if let Stone::Cell(cell) = mv {
                zone |= 1 << cell;
            }
        }
        match (basis, state.turn) {
            ([], _) => self.zone_of_end(state),
            (_, Turn::Or) => zone,
            (_, Turn::And) => self.guarded(state.black, state.white, state.elsewhere(), zone),
        }
    }

    /// The zone of a position that is won by the rules.
    fn zone_of_end(&self, state: &Position) -> u128 {
        let chances = self.chances(state);
        match state.turn {
            _ if chances.won => 0,
            Turn::Or if chances.threats != 0 => lowest(chances.threats),
            Turn::Or => {
                let may = self.unforced(state).unwrap_or(0);
                let fork = self.sound_fork(state, chances.forks & may);
                match fork {
                    Some(cell) => self.zone_of_fork(state, cell),
                    None => self.last_three(state).unwrap_or(u128::MAX),
                }
            }
            Turn::And if chances.threats != 0 => {
                let zone = two_of(chances.threats);
                self.guarded(state.black, state.white, state.elsewhere(), zone)
            }
            Turn::And => {
                let endgame = self.placements.endgame(state.black, state.white, false);
                endgame.survives_any_reply(0).unwrap_or(u128::MAX)
            }
        }
    }

    /// A fork that White cannot get ahead of, of those in `forks`.
    pub(super) fn sound_fork(&self, state: &Position, forks: u128) -> Option<u8> {
        bits(forks).find(|&cell| {
            !self.white_may_win(state.black | 1 << cell, state.white, state.elsewhere())
        })
    }

    fn zone_of_fork(&self, state: &Position, cell: u8) -> u128 {
        let black = state.black | 1 << cell;
        let threats = self.placements.chances(black, state.white, 1).threats;
        let zone = 1 << cell | two_of(threats);
        self.guarded(black, state.white, state.elsewhere(), zone)
    }

    /// Adds to a zone what keeps the stones that White has played elsewhere from completing
    /// something at once, White to move against `black`.
    fn guarded(&self, black: u128, white: u128, elsewhere: u32, zone: u128) -> u128 {
        let stones = white.count_ones() + elsewhere;
        match self.weak || elsewhere == 0 || stones + 1 < self.placements.smallest {
            true => zone,
            false => self.placements.guarded(white, black, elsewhere, zone),
        }
    }
}

fn lowest(cells: u128) -> u128 {
    cells & cells.wrapping_neg()
}

fn two_of(cells: u128) -> u128 {
    lowest(cells) | lowest(cells & !lowest(cells))
}
