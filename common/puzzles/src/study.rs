//! Studies one position: whether it is a puzzle that matches the order, and how hard it is.

use hasami_andor::{Expansion, Moves};

use super::analyst::{Analyst, Exhausted};
use super::grade::Difficulty;
use super::order::{Order, Unique};
use super::{Puzzle, asks};

/// First moves that win, with the plies they take.
type Winning<M> = Vec<(M, u32)>;

/// Result for a position that is a puzzle.
pub(super) struct Study<M> {
    /// Its length in plies.
    pub plies: u32,
    /// Its winning first moves: those with the fewest plies, then others.
    pub winning: Winning<M>,
    /// The counts behind its grade.
    pub difficulty: Difficulty,
}

/// Studies the root of `game`; `None` if it does not match the order.
pub(super) fn study<G: Puzzle>(
    game: &G,
    order: &Order,
    analyst: &mut dyn Analyst<G>,
) -> Result<Option<Study<G::Move>>, Exhausted> {
    let root = game.root();
    let mut moves = Moves::new();
    if game.expand(&root, &mut moves) != Expansion::Open || moves.len() < 2 {
        // Without a choice there is nothing to find.
        return Ok(None);
    }
    let Some(plies) = analyst.shortest(game, &root, order.plies.most)? else { return Ok(None) };
    if plies < order.plies.least {
        return Ok(None);
    }
    let list: Vec<G::Move> = moves.iter().collect();
    let Some(mut winning) = winning(game, plies, &list, order.unique, analyst)? else {
        return Ok(None);
    };
    winning.sort_by_key(|&(_, length)| length);
    let Some(&(key_move, _)) = winning.first() else { return Ok(None) };
    let traps = traps(game, &list, order.unique, plies, analyst)?;
    let replies = replies(game, key_move);
    let difficulty = Difficulty { choices: list.len() as u32, traps, replies };
    Ok(Some(Study { plies, winning, difficulty }))
}

/// Most plies that a first move may take to count as a solution.
fn patience(unique: Unique, plies: u32) -> u32 {
    if unique == Unique::Win { u32::MAX } else { plies }
}

/// The winning first moves with their lengths; `None` if there are too many.
fn winning<G: Puzzle>(
    game: &G,
    plies: u32,
    list: &[G::Move],
    unique: Unique,
    analyst: &mut dyn Analyst<G>,
) -> Result<Option<Winning<G::Move>>, Exhausted> {
    let root = game.root();
    let mut winning = Vec::new();
    // Look for the fastest wins first: two of them show up quickly.
    for most in [plies, patience(unique, plies)] {
        winning.clear();
        for &mv in list {
            let cost = game.length(&root, mv).unwrap_or(1);
            let Some(left) = most.checked_sub(cost) else { continue };
            let left = if most == u32::MAX { most } else { left };
            if let Some(after) = analyst.shortest(game, &game.play(&root, mv), left)? {
                winning.push((mv, after + cost));
                if winning.len() > 1 && unique != Unique::Any {
                    return Ok(None);
                }
            }
        }
        if most == patience(unique, plies) {
            break;
        }
    }
    Ok(Some(winning))
}

/// Number of first moves that do not win and have exactly one refutation among several replies.
fn traps<G: Puzzle>(
    game: &G,
    list: &[G::Move],
    unique: Unique,
    plies: u32,
    analyst: &mut dyn Analyst<G>,
) -> Result<u32, Exhausted> {
    let root = game.root();
    let most = patience(unique, plies);
    let mut traps = 0;
    let mut moves = Moves::new();
    for &mv in list {
        let state = game.play(&root, mv);
        moves.clear();
        if asks(game, &state) || game.expand(&state, &mut moves) != Expansion::Open {
            continue;
        }
        let mut refutations = 0;
        for reply in moves.iter() {
            let after = game.play(&state, reply);
            refutations += u32::from(analyst.shortest(game, &after, most)?.is_none());
            if refutations > 1 {
                break;
            }
        }
        traps += u32::from(refutations == 1 && moves.len() > 1);
    }
    Ok(traps)
}

/// Number of replies to a first move; 1 if it ends the game or the turn continues.
fn replies<G: Puzzle>(game: &G, mv: G::Move) -> u32 {
    let state = game.play(&game.root(), mv);
    let mut moves = Moves::new();
    match game.expand(&state, &mut moves) {
        Expansion::Open if !asks(game, &state) => moves.len() as u32,
        _ => 1,
    }
}
