//! The exact search of `race` as an analyst.

use hasami_andor::Turn;

use super::analyst::{Analyst, Exhausted};
use hasami_game::Game;
use hasami_game::race::{ExactSearch, Outcome, Race};

/// A game that can be searched as a race.
pub trait Racing: Game {
    /// The rules in the form of the exact search.
    type Rules: Race + 'static;

    /// The rules of this game.
    fn rules(&self) -> Self::Rules;

    /// Whether these are the rules of this game.
    fn has_rules(&self, rules: &Self::Rules) -> bool;

    /// A state from the view of its side to move.
    fn seen(rules: &Self::Rules, state: &Self::State) -> <Self::Rules as Race>::Pos;

    /// A state with this view, the first player to move.
    fn state_of(rules: &Self::Rules, pos: <Self::Rules as Race>::Pos) -> Self::State;
}

/// Keeps its results for one question and drops them with the next.
pub struct ByRace<G: Racing> {
    searches: Vec<(G::Rules, ExactSearch<G::Rules>)>,
    nodes: u64,
}

impl<G: Racing> Default for ByRace<G> {
    fn default() -> Self {
        Self { searches: Vec::new(), nodes: 0 }
    }
}

impl<G: Racing> Analyst<G> for ByRace<G> {
    fn begin(&mut self, nodes: u64) {
        self.searches.clear();
        self.nodes = nodes;
    }

    fn shortest(
        &mut self,
        game: &G,
        state: &G::State,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        let found = self.searches.iter().position(|(known, _)| game.has_rules(known));
        let at = found.unwrap_or_else(|| {
            self.searches.push((game.rules(), ExactSearch::new(game.rules())));
            self.searches.len() - 1
        });
        let (rules, search) = &mut self.searches[at];
        let pos = G::seen(rules, state);
        let asks = game.turn(state) == Turn::Or;
        if most == u32::MAX {
            let exact = search.solve(pos, self.nodes).ok_or(Exhausted)?;
            let wanted = if asks { Outcome::Win } else { Outcome::Loss };
            return Ok(exact.plies.filter(|_| exact.outcome == wanted));
        }
        for plies in 0..=most.min(u16::MAX.into()) as u16 {
            let reached = match (asks, plies % 2) {
                (true, 1) => search.wins_within(pos, plies, self.nodes),
                (false, 0) => search.loses_within(pos, plies, self.nodes),
                _ => Some(false),
            };
            if reached.ok_or(Exhausted)? {
                return Ok(Some(plies.into()));
            }
        }
        Ok(None)
    }
}
