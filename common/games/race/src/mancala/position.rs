//! Positions of Mancala and sowing. Pockets are numbered as in figure 10 of the paper: with six
//! pits 0–5 are the first player's, 7–12 the second's, 6 and 13 the goals. Sowing goes from a
//! pocket to the one below it in number, round the ring, through both goals.
//!
//! Written as `4,2,2,4,0,0/4,4,4,4,4,4:first`: pockets 0–5, pockets 7–12, the side to move (first
//! by default). All fourteen numbers of the ring, goals included, are also accepted.

use hasami_game::race::{Player, split_mover};
use hasami_spec::params::ParamError;

/// Most pits of a side.
pub const MAX_PITS: u8 = 6;
/// Cells of the largest ring.
pub const MAX_RING: usize = 2 * MAX_PITS as usize + 2;
/// Most seeds in play: a pocket must be able to hold all of them.
pub const MAX_SEEDS: u32 = 255;

/// A ring of pockets and goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Pits of each side.
    pub pits: u8,
}

/// A position, with the number of plies left if they are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Seeds by number of the pocket. The contents of the goals do not matter and are not stored.
    pub seeds: [u8; MAX_RING],
    /// The side to move.
    pub mover: Player,
    /// Plies left.
    pub left: Option<u16>,
}

/// Where the last seed of a sowing fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Into a pocket.
    Pocket,
    /// Into the goal of this player.
    Goal(Player),
}

impl Ring {
    /// Pockets and goals together.
    #[must_use]
    pub fn cells(self) -> u8 {
        2 * self.pits + 2
    }

    /// The first pocket of a player; the others follow.
    #[must_use]
    pub fn first_pocket(self, player: Player) -> u8 {
        match player {
            Player::First => 0,
            Player::Second => self.pits + 1,
        }
    }

    /// The goal of a player, which follows the first pocket in sowing.
    #[must_use]
    pub fn goal(self, player: Player) -> u8 {
        match player {
            Player::First => self.cells() - 1,
            Player::Second => self.pits,
        }
    }

    /// The pockets of a player, the nearest to its own goal first.
    #[must_use]
    pub fn row(self, position: &Position, player: Player) -> &[u8] {
        let from = usize::from(self.first_pocket(player));
        &position.seeds[from..from + usize::from(self.pits)]
    }

    /// Whether the pockets of a player are empty: then that player has won.
    #[must_use]
    pub fn is_empty(self, position: &Position, player: Player) -> bool {
        self.row(position, player).iter().all(|&seeds| seeds == 0)
    }

    /// Number of seeds in all pockets.
    #[must_use]
    pub fn in_play(self, position: &Position) -> u32 {
        let rows = [Player::First, Player::Second].map(|player| self.row(position, player));
        rows.into_iter().flatten().map(|&seeds| u32::from(seeds)).sum()
    }

    /// Sows the seeds of `pocket`.
    #[must_use]
    pub fn sow(self, seeds: &[u8; MAX_RING], pocket: u8) -> ([u8; MAX_RING], Last) {
        let cells = self.cells();
        let mut after = *seeds;
        let in_hand = std::mem::take(&mut after[usize::from(pocket)]);
        let mut at = pocket;
        for _ in 0..in_hand {
            at = if at == 0 { cells - 1 } else { at - 1 };
            // Goals collect seeds here and are emptied below, so that no cell is special.
            after[usize::from(at)] = after[usize::from(at)].wrapping_add(1);
        }
        let mut last = Last::Pocket;
        for player in [Player::First, Player::Second] {
            let goal = self.goal(player);
            after[usize::from(goal)] = 0;
            if at == goal {
                last = Last::Goal(player);
            }
        }
        (after, last)
    }

    /// The position with the same number of seeds in every pocket.
    #[must_use]
    pub fn start(self, seeds: u8) -> Position {
        let mut all = [0; MAX_RING];
        all[..usize::from(self.cells())].fill(seeds);
        for player in [Player::First, Player::Second] {
            all[usize::from(self.goal(player))] = 0;
        }
        Position { seeds: all, mover: Player::First, left: None }
    }

    /// The canonical spelling of a position.
    #[must_use]
    pub fn spell(self, position: &Position) -> String {
        let row = |player| {
            let words: Vec<String> =
                self.row(position, player).iter().map(ToString::to_string).collect();
            words.join(",")
        };
        format!("{}/{}:{}", row(Player::First), row(Player::Second), position.mover.word())
    }

    /// Parses a position.
    ///
    /// # Errors
    /// Says which pocket is wrong and what was expected there.
    pub fn parse(self, text: &str) -> Result<Position, ParamError> {
        let bad = |expected: String| ParamError::bad("position", text, expected);
        let (board, mover) = split_mover(text)?;
        let pits = usize::from(self.pits);
        let ring = usize::from(self.cells());
        let mut seeds = [0; MAX_RING];
        let read = |word: &str, pocket: usize| {
            word.parse::<u8>().map_err(|_| {
                bad(format!("0 to {MAX_SEEDS} seeds in pocket {pocket}, not {word:?}"))
            })
        };
        let rows: Vec<Vec<&str>> = board.split('/').map(|row| row.split(',').collect()).collect();
        match &rows[..] {
            [first, second] if first.len() == pits && second.len() == pits => {
                for (row, from) in [(first, 0), (second, pits + 1)] {
                    for (at, word) in row.iter().enumerate() {
                        seeds[from + at] = read(word, from + at)?;
                    }
                }
            }
            [whole] if whole.len() == ring => {
                for (at, word) in whole.iter().enumerate() {
                    // What is in the goals does not matter, but must be a number.
                    seeds[at] = read(word, at)?;
                }
                seeds[pits] = 0;
                seeds[ring - 1] = 0;
            }
            _ => {
                return Err(bad(format!(
                    "start, or {pits} pockets / {pits} pockets with commas between the numbers, or \
                     all {ring} cells of the ring"
                )));
            }
        }
        let position = Position { seeds, mover, left: None };
        for player in [Player::First, Player::Second] {
            if self.is_empty(&position, player) {
                let word = player.word();
                return Err(bad(format!(
                    "a game that goes on: the {word} player's pits are empty"
                )));
            }
        }
        match self.in_play(&position) {
            found if found > MAX_SEEDS => {
                Err(bad(format!("at most {MAX_SEEDS} seeds in all, not {found}")))
            }
            _ => Ok(position),
        }
    }
}
