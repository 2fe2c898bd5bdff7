//! Sources of positions: the methods of Ogawa, Koizumi and Otsuki, and one without restrictions.

use hasami_andor::{Expansion, Moves, Verdict};

use super::analyst::{Analyst, Exhausted};
use super::{Puzzle, asks, made};
use hasami_game::random::SplitMix;
use hasami_spec::params::Params;

/// How positions are drawn. Every position is then studied in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A: random positions of a kind in which wins are likely.
    Guided,
    /// B: two players play a game, each looking as many plies ahead as the puzzle should have. When
    /// one has won, that many plies are taken back.
    Played,
    /// Section 8: like A, in the game in which the opponent passes every turn.
    Passing,
    /// Random positions of any kind.
    Free,
}

impl Method {
    /// All methods with their words.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("a", Self::Guided),
        ("b", Self::Played),
        ("passing", Self::Passing),
        ("free", Self::Free),
    ];

    /// The word of the method.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, method)| *method == self);
        found.map_or("", |(word, _)| word)
    }
}

/// Node limit of one look ahead in method B; a longer one sees nothing.
const LOOK: u64 = 30_000;

/// A game between two players who look ahead, taken back by this many plies from its end. Returns
/// the question about the position there; `None` if the game is drawn or too short.
pub(super) fn played<G: Puzzle>(
    game: &G,
    params: &Params,
    plies: u32,
    analyst: &mut dyn Analyst<G>,
    random: &mut SplitMix,
) -> Option<Params> {
    let mut turns = vec![game.asked_from(params, &game.root())?];
    loop {
        let asked = turns.last()?;
        let mover: G = made(asked)?;
        match turn(&mover, asked, plies, analyst, random)? {
            Ended::Passed(next) => turns.push(next),
            Ended::Won => break,
        }
    }
    turns.len().checked_sub(plies as usize).map(|at| turns.swap_remove(at))
}

/// Result of a turn.
enum Ended {
    /// The other side is to move; this is its question.
    Passed(Params),
    /// The side to move has won.
    Won,
}

/// One turn, of one or more moves; `None` if the game ends without the win of the side to move.
fn turn<G: Puzzle>(
    game: &G,
    asked: &Params,
    plies: u32,
    analyst: &mut dyn Analyst<G>,
    random: &mut SplitMix,
) -> Option<Ended> {
    let mut state = game.root();
    let mut moves = Moves::new();
    loop {
        moves.clear();
        if let Expansion::Settled(verdict) = game.expand(&state, &mut moves) {
            return (verdict == Verdict::Proven).then_some(Ended::Won);
        }
        let list: Vec<G::Move> = moves.iter().collect();
        let mv = choice(game, asked, &state, &list, plies, analyst, random)?;
        state = game.play(&state, mv);
        let over = matches!(game.expand(&state, &mut Moves::new()), Expansion::Settled(_));
        if !over && !asks(game, &state) {
            return game.asked_from(asked, &state).map(Ended::Passed);
        }
    }
}

/// A winning move if one is seen, otherwise a random one that is not seen to lose, otherwise any.
fn choice<G: Puzzle>(
    game: &G,
    asked: &Params,
    state: &G::State,
    moves: &[G::Move],
    plies: u32,
    analyst: &mut dyn Analyst<G>,
    random: &mut SplitMix,
) -> Option<G::Move> {
    analyst.begin(LOOK);
    if let Ok(Some(best)) = analyst.shortest(game, state, plies) {
        let good = moves.iter().find(|&&mv| {
            let cost = game.length(state, mv).unwrap_or(1);
            let left = best.checked_sub(cost);
            left.is_some_and(|left| {
                matches!(analyst.shortest(game, &game.play(state, mv), left), Ok(Some(_)))
            })
        });
        if let Some(&mv) = good {
            return Some(mv);
        }
    }
    let mut open: Vec<G::Move> = moves.to_vec();
    while open.len() > 1 {
        let mv = open.swap_remove(random.below(open.len() as u32) as usize);
        if !is_lost(game, asked, &game.play(state, mv), plies, analyst) {
            return Some(mv);
        }
    }
    open.pop()
}

/// Whether the opponent is seen to win from a state.
fn is_lost<G: Puzzle>(
    game: &G,
    asked: &Params,
    state: &G::State,
    plies: u32,
    analyst: &mut dyn Analyst<G>,
) -> bool {
    if asks(game, state) {
        return false;
    }
    let Some(opponent) = game.asked_from(asked, state).and_then(|asked| made::<G>(&asked)) else {
        return false;
    };
    analyst.begin(LOOK);
    let seen: Result<Option<u32>, Exhausted> =
        analyst.shortest(&opponent, &opponent.root(), plies.saturating_sub(1));
    matches!(seen, Ok(Some(_)))
}
