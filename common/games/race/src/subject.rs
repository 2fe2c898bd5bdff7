//! The possible subjects of a database: the games that have one, with the parameters of their
//! rules.

use hasami_database::Staged;

use crate::mancala::database::{Endings, MAX_SEEDS};
use crate::mancala::position::{MAX_PITS, Ring};
use crate::mancala::{self, Goal};
use crate::pyonpyon::database::{MAX_ROWS, Solution};
use crate::pyonpyon::row::Rows;
use crate::pyonpyon::{self, NoMove};
use hasami_game::Game;
use hasami_spec::params::{Param, ParamError, Params};

/// A game and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The strong solution of Pyonpyon shogi.
    Pyonpyon {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        columns: u8,
        /// Home columns of each side.
        home: u8,
        /// What happens to a player without a move.
        no_move: NoMove,
    },
    /// The endings of Mancala.
    Mancala {
        /// Pits of each side.
        pits: u8,
        /// Which last seed gives the mover another move.
        goal: Goal,
        /// Most seeds in play.
        seeds: u8,
    },
}

impl Subject {
    /// The rules of Pyonpyon shogi, as parameters.
    pub const PYONPYON: [Param; 4] = [
        Param::number("rows", "rows of the board, 1 to 3").or("3"),
        pyonpyon::COLUMNS,
        pyonpyon::HOME,
        pyonpyon::NO_MOVE,
    ];

    /// The rules of Mancala, as parameters.
    pub const MANCALA: [Param; 3] = [
        Param::number("pits", "pits of each side, 1 to 6").or("6"),
        Param::choice(
            "goal",
            "the last seed in which goal lets the mover go on",
            &["either", "own"],
        )
        .or("either"),
        Param::number("seeds", "the most seeds in play, 1 to 40"),
    ];

    /// Reads [`Subject::PYONPYON`].
    ///
    /// # Errors
    /// If a value is out of range or conflicts with another.
    pub fn pyonpyon(params: &Params) -> Result<Self, ParamError> {
        let columns = params.number("columns", 3..=12)?;
        Ok(Self::Pyonpyon {
            rows: params.number("rows", 1..=MAX_ROWS)?,
            columns,
            home: params.number("home", 1..=((columns - 1) / 2).min(4))?,
            no_move: params.choice("no-move", &NoMove::WORDS)?,
        })
    }

    /// Reads [`Subject::MANCALA`].
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn mancala(params: &Params) -> Result<Self, ParamError> {
        Ok(Self::Mancala {
            pits: params.number("pits", 1..=MAX_PITS)?,
            goal: params.choice("goal", &Goal::WORDS)?,
            seeds: params.number("seeds", 1..=MAX_SEEDS)?,
        })
    }

    /// The name of the game.
    #[must_use]
    pub fn game(self) -> &'static str {
        match self {
            Self::Pyonpyon { .. } => pyonpyon::Pyonpyon::NAME,
            Self::Mancala { .. } => mancala::Mancala::NAME,
        }
    }

    /// Its parameters, each with its value.
    #[must_use]
    pub fn rules(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Pyonpyon { rows, columns, home, no_move } => vec![
                ("rows", rows.to_string()),
                ("columns", columns.to_string()),
                ("home", home.to_string()),
                ("no-move", no_move.word().to_string()),
            ],
            Self::Mancala { pits, goal, seeds } => vec![
                ("pits", pits.to_string()),
                ("goal", goal.word().to_string()),
                ("seeds", seeds.to_string()),
            ],
        }
    }

    /// The number of stages of [`Subject::plan`], computed without making the plan.
    #[must_use]
    pub fn stages(self) -> usize {
        match self {
            // Every piece crosses all columns but its home.
            Self::Pyonpyon { rows, columns, home, .. } => {
                2 * usize::from(rows) * usize::from(home) * usize::from(columns - home) + 1
            }
            Self::Mancala { seeds, .. } => usize::from(seeds) + 1,
        }
    }

    /// The order in which its values are computed.
    #[must_use]
    pub fn plan(self) -> Box<dyn Staged + Send> {
        match self {
            Self::Pyonpyon { rows, columns, home, no_move } => {
                let table = Rows::new(columns, home);
                match rows {
                    1 => Box::new(Solution::<1>::new(&table, no_move)),
                    2 => Box::new(Solution::<2>::new(&table, no_move)),
                    _ => Box::new(Solution::<3>::new(&table, no_move)),
                }
            }
            Self::Mancala { pits, goal, seeds } => {
                Box::new(Endings::new(Ring { pits }, goal, seeds))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Subject> {
        let board = |(rows, columns, home)| Subject::Pyonpyon {
            rows,
            columns,
            home,
            no_move: NoMove::Pass,
        };
        let boards = [(1, 3, 1), (1, 9, 3), (2, 7, 2), (3, 5, 2), (2, 8, 3), (1, 12, 4)].map(board);
        let ring = |(pits, seeds)| Subject::Mancala { pits, goal: Goal::Own, seeds };
        let rings = [(1, 9), (2, 8), (3, 6), (6, 5)].map(ring);
        boards.into_iter().chain(rings).collect()
    }

    #[test]
    fn the_stages_are_as_many_as_the_plan_has() {
        for subject in all() {
            assert_eq!(subject.plan().stages(), subject.stages(), "{subject:?}");
        }
    }

    #[test]
    fn the_pieces_of_all_stages_have_every_task_and_every_number_once() {
        for subject in all() {
            let plan = subject.plan();
            let pieces: Vec<_> = (0..plan.stages()).flat_map(|stage| plan.pieces(stage)).collect();
            let mut tasks: Vec<_> = pieces.iter().flat_map(|piece| piece.tasks.clone()).collect();
            tasks.sort_unstable();
            let expected: Vec<_> = (0..plan.steps())
                .flat_map(|step| (0..plan.tasks(step)).map(move |task| (step, task)))
                .collect();
            assert_eq!(tasks, expected, "{subject:?}");
            let numbers = pieces.iter().flat_map(|piece| piece.numbers.iter().cloned());
            let mut numbers: Vec<u64> = numbers.flatten().collect();
            numbers.sort_unstable();
            // Without seeds there is no position, but there is a number.
            let first = u64::from(matches!(subject, Subject::Mancala { .. }));
            assert!(numbers.into_iter().eq(first..plan.header().values), "{subject:?}");
        }
    }

    #[test]
    fn rules_are_read_as_they_are_told() {
        for subject in all() {
            let read = match subject {
                Subject::Pyonpyon { .. } => {
                    static PARAMS: &[Param] = &Subject::PYONPYON;
                    Params::new(PARAMS, &subject.rules()).and_then(|p| Subject::pyonpyon(&p))
                }
                Subject::Mancala { .. } => {
                    static PARAMS: &[Param] = &Subject::MANCALA;
                    Params::new(PARAMS, &subject.rules()).and_then(|p| Subject::mancala(&p))
                }
            };
            assert_eq!(read, Ok(subject));
        }
    }
}
