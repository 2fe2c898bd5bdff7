//! Queries a database of any game: the value of a position and of every move.

use std::path::Path;

use hasami_andor::problem::all_moves;
use hasami_andor::{Moves, Problem};
use hasami_database::Reader;

use crate::mancala::database::UP_TO;
use crate::mancala::{self, Mancala};
use crate::pyonpyon::{self, Pyonpyon};
use hasami_game::race::{Exact, Player, QueryError};
use hasami_game::{BuildError, Game};
use hasami_spec::Params;

/// An open database of any game.
#[derive(Debug)]
pub enum AnyDatabase {
    /// Pyonpyon shogi, with its rules.
    Pyonpyon(pyonpyon::database::Database, String),
    /// Mancala, with its rules.
    Mancala(mancala::database::Database, String),
}

/// Description of a position from a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The game and the rules.
    pub about: String,
    /// The canonical spelling of the position.
    pub position: String,
    /// The position as a drawing.
    pub drawing: String,
    /// The side to move.
    pub mover: Player,
    /// Its value for the side to move.
    pub value: Exact,
    /// Every move.
    pub moves: Vec<ToldMove>,
}

/// Description of a move from a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldMove {
    /// Its name.
    pub name: String,
    /// The position after it.
    pub position: String,
    /// Its value for the side that makes it.
    pub value: Exact,
}

impl AnyDatabase {
    /// Opens a database of any game.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or its game has no databases.
    pub fn open(path: &Path) -> Result<Self, QueryError> {
        let reader = Reader::open(path)?;
        let rules = reader.header().rules.clone();
        match reader.header().game.as_str() {
            "pyonpyon" => {
                let game: Pyonpyon = made(&rules, "start")?;
                let (board, no_move) = (game.board(), game.no_move());
                let database = pyonpyon::database::Database::new(board, no_move, reader)?;
                Ok(Self::Pyonpyon(database, rules))
            }
            "mancala" => {
                let game: Mancala = made(mancala_rules(&rules), "start")?;
                let (ring, goal) = (game.ring(), game.goal());
                let database = mancala::database::Database::new(ring, goal, reader)?;
                Ok(Self::Mancala(database, rules))
            }
            other => Err(QueryError::Game(other.to_string())),
        }
    }

    /// Looks up a position and its moves.
    ///
    /// # Errors
    /// If the position is invalid or not in the file, or the file is damaged.
    pub fn ask(&self, position: &str) -> Result<Told, QueryError> {
        let outside =
            |expected: String| QueryError::Outside { position: position.to_string(), expected };
        match self {
            Self::Pyonpyon(database, rules) => {
                let game: Pyonpyon = made(rules, position)?;
                let value = |state: &_| {
                    let value = database.value(state)?;
                    value.ok_or_else(|| outside("expected a position to be played".to_string()))
                };
                let root = game.root();
                let spell = |state: &_| game.board().spell(state);
                let parts = (root.mover, format!("pyonpyon {rules}"));
                described(&game, parts, spell, value)
            }
            Self::Mancala(database, rules) => {
                let game: Mancala = made(mancala_rules(rules), position)?;
                let value = |state: &_| {
                    let most = database.seeds();
                    let found = game.ring().in_play(state);
                    let value = database.value(state)?;
                    value.ok_or_else(|| {
                        outside(format!("expected at most {most} seeds, not {found}"))
                    })
                };
                let root = game.root();
                let spell = |state: &_| game.ring().spell(state);
                let parts = (root.mover, format!("mancala {rules}"));
                described(&game, parts, spell, value)
            }
        }
    }
}

/// The part of a Mancala database's rules that are parameters of the game.
fn mancala_rules(rules: &str) -> &str {
    rules.split_once(UP_TO).map_or(rules, |(rules, _)| rules)
}

fn made<G: Game>(rules: &str, position: &str) -> Result<G, BuildError> {
    G::from_params(&Params::parse(G::params(), rules)?.with("position", position)?)
}

fn described<G: Game>(
    game: &G,
    (mover, about): (Player, String),
    spell: impl Fn(&G::State) -> String,
    value: impl Fn(&G::State) -> Result<Exact, QueryError>,
) -> Result<Told, QueryError> {
    let root = game.root();
    // First, so that an error is about the position that was asked for.
    let value_of_root = value(&root)?;
    let mut list = Moves::new();
    all_moves(game, &root, &mut list);
    let mut moves = Vec::new();
    for mv in list.iter() {
        let next = game.play(&root, mv);
        let after = value(&next)?;
        let value = match Problem::length(game, &root, mv) {
            Some(0) => after,
            _ => after.after_a_ply(),
        };
        moves.push(ToldMove { name: game.show_move(&root, mv), position: spell(&next), value });
    }
    let best = moves.iter().map(|mv| mv.value).max_by_key(|value| value.merit());
    if let Some(best) = best.filter(|&best| best != value_of_root) {
        return Err(QueryError::Contradiction(format!(
            "{about} position={}: {value_of_root} by its own value, {best} by its best move",
            spell(&root)
        )));
    }
    Ok(Told {
        about,
        position: spell(&root),
        drawing: game.show(&root),
        mover,
        value: value_of_root,
        moves,
    })
}
