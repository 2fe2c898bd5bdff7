//! What a proof rests on: a zone, and how many White stones it may ignore. Moves outside the zone
//! share the answers of others, so only few of White's replies have to be tried.

use hasami_andor::{Reason, Turn};

use super::Polyomino;
use super::grid::bits;
use super::position::{Position, Reply, Stone};

/// Black wins whatever else White has outside the zone, with no more stones than this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Where White must not have a stone that the position does not show; includes Black's stones
    /// that the proof uses.
    pub cells: u128,
    /// How many White stones may lie outside the zone, beyond those that the position lacks. They
    /// matter only in the strong game: there White could complete a shape.
    pub slack: u32,
    /// The most stones that Black still needs.
    pub stones: u32,
}

/// More stones than any board has: if White only blocks, they do not matter.
const ANY: u32 = 255;
/// Largest slack that is tried: with shapes of six cells White wins far away before it is used up.
const MAX_SLACK: u32 = 4;
/// Slack that takes more guards than this is not worth the larger zone.
const GUARDS_FOR_SLACK: u32 = 2;

impl Zone {
    /// Whether a proof after a reply on a cell also answers the replies outside its zone.
    #[must_use]
    pub fn stands_for_others(&self) -> bool {
        self.slack > 0
    }
}

impl Reason for Zone {
    const WORDS: usize = 3;

    fn store(self, words: &mut [u64]) {
        self.cells.store(&mut words[..2]);
        words[2] = u64::from(self.slack) | u64::from(self.stones) << 32;
    }

    fn load(words: &[u64]) -> Self {
        Self {
            cells: u128::load(&words[..2]),
            slack: words[2] as u32,
            stones: (words[2] >> 32) as u32,
        }
    }
}

impl Polyomino {
    /// The zone after a move on the grid, converted from the frame of its key.
    pub(super) fn on_grid(&self, state: &Position, mv: Stone, zone: Zone) -> Zone {
        let symmetry = state.symmetry_after(mv, &self.grid);
        Zone { cells: self.grid.turned_back(zone.cells, symmetry), ..zone }
    }

    /// What a proof rests on, on the grid: all cells that it plays on, including White's forced
    /// replies, and those that prevent White from having completed something on the way.
    pub(super) fn zone(&self, state: &Position, basis: &[(Stone, Zone)]) -> Zone {
        let mut zone = Zone { cells: 0, slack: ANY, stones: 0 };
        for &(mv, child) in basis {
            let child = self.on_grid(state, mv, child);
            zone.cells |= child.cells;
            zone.slack = zone.slack.min(self.slack_after(mv, child));
            let played = u32::from(state.turn == Turn::Or);
            zone.stones = zone.stones.max(child.stones.saturating_add(played));
            if let Stone::Cell(cell) = mv {
                zone.cells |= 1 << cell;
                if state.turn == Turn::And {
                    // Black's stones that force White there.
                    zone.cells |= self.used(state, 1 << cell, 1);
                }
            }
        }
        match (basis, state.turn) {
            ([], _) => {
                let end = self.zone_of_end(state);
                Zone { cells: end.cells | self.used(state, end.cells, 3), ..end }
            }
            (_, Turn::Or) => zone,
            (_, Turn::And) => self.guarded(state.black, state, zone),
        }
    }

    /// Black's stones in placements that these empty cells complete, with at most `most` missing
    /// cells.
    fn used(&self, state: &Position, cells: u128, most: u32) -> u128 {
        let most = most.min(self.left(state));
        match state.tally() {
            Some(tally) => tally.used(&self.placements, state.black, cells, most),
            None => self.placements.used(state.black, state.white, cells, most),
        }
    }

    /// What is left of the slack of an answer. If it stands for other replies, White's real stone
    /// is one more that may lie anywhere.
    fn slack_after(&self, mv: Stone, answer: Zone) -> u32 {
        let on_cell = matches!(mv, Stone::Reply(Reply { cell: Some(_), .. }));
        if on_cell && answer.stands_for_others() && !self.weak {
            answer.slack - 1
        } else {
            answer.slack
        }
    }

    /// The zone of a position that is won by the rules.
    fn zone_of_end(&self, state: &Position) -> Zone {
        let chances = self.chances(state);
        let cells = |cells, stones| Zone { cells, slack: ANY, stones };
        match state.turn {
            _ if chances.won => cells(0, 0),
            Turn::Or if chances.threats != 0 => cells(lowest(chances.threats), 1),
            Turn::Or => {
                let may = self.unforced(state).unwrap_or(0);
                let fork = self.sound_fork(state, chances.forks & may);
                match fork {
                    Some(cell) => self.zone_of_fork(state, cell),
                    None => self.safe(state, self.last_three(state).unwrap_or(u128::MAX), 3),
                }
            }
            Turn::And if chances.threats != 0 => {
                self.guarded(state.black, state, cells(two_of(chances.threats), 1))
            }
            Turn::And => {
                let endgame = self.endgame(state, false);
                self.safe(state, endgame.survives_any_reply(0).unwrap_or(u128::MAX), 2)
            }
        }
    }

    /// A fork among `forks` that White cannot preempt.
    pub(super) fn sound_fork(&self, state: &Position, forks: u128) -> Option<u8> {
        bits(forks).find(|&cell| {
            !self.white_may_win(state.black | 1 << cell, state.white, state.elsewhere())
        })
    }

    fn zone_of_fork(&self, state: &Position, cell: u8) -> Zone {
        let black = state.black | 1 << cell;
        let threats = self.placements.chances(black, state.white, 1).threats;
        self.guarded(
            black,
            state,
            Zone { cells: 1 << cell | two_of(threats), slack: ANY, stones: 2 },
        )
    }

    /// The zone of a win with this many stones in the weak game, if White has no time for anything
    /// else.
    pub(super) fn safe(&self, state: &Position, cells: u128, stones: u32) -> Zone {
        let moves = stones - u32::from(state.turn == Turn::Or);
        let slack = self.most_slack(ANY, |slack| self.is_safe_for(state, moves, slack));
        Zone { cells, slack, stones }
    }

    /// Extends a zone so that White's stones elsewhere cannot complete something at once, with
    /// White to move against `black`: those of `state`, and as much slack as is cheap to guard
    /// against.
    fn guarded(&self, black: u128, state: &Position, zone: Zone) -> Zone {
        if self.weak {
            return zone;
        }
        let (white, elsewhere) = (state.white, state.elsewhere());
        let guarded = |slack: u32| {
            if self.white_has_enough(black) {
                self.placements.guarded(white, black, elsewhere + slack, zone.cells)
            } else {
                zone.cells
            }
        };
        let cheap = guarded(0).count_ones() + GUARDS_FOR_SLACK;
        let slack = self.most_slack(zone.slack, |slack| {
            !self.white_may_win(black, white, elsewhere + slack)
                && guarded(slack).count_ones() <= cheap
        });
        Zone { cells: guarded(slack), slack, ..zone }
    }

    /// The greatest slack up to `most` that is allowed; 0 always is.
    fn most_slack(&self, most: u32, allowed: impl Fn(u32) -> bool) -> u32 {
        if self.weak {
            most
        } else {
            (1..=most.min(MAX_SLACK)).take_while(|&slack| allowed(slack)).last().unwrap_or(0)
        }
    }
}

fn lowest(cells: u128) -> u128 {
    cells & cells.wrapping_neg()
}

fn two_of(cells: u128) -> u128 {
    lowest(cells) | lowest(cells & !lowest(cells))
}
