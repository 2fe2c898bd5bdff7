//! Black plays by a proof.

use hasami_andor::problem::all_moves;
use hasami_andor::{Moves, Turn};

use super::{Place, REACH, Side, StoneGame, Stones, Trouble};

impl<G: StoneGame> Stones<'_, G> {
    /// The cell that Black plays.
    pub(super) fn attack(&mut self) -> Result<Option<Place>, Trouble> {
        if let Some(&place) = self.completing(Side::Black).first() {
            return Ok(Some(place));
        }
        self.follow()?;
        if self.settled {
            let most = self.left().min(REACH);
            let win = (1..=most).find_map(|stones| self.finish(stones).wins(stones as u32));
            return match win {
                Some(place) => Ok(Some(place)),
                None => self.wrong("the rules say that Black wins here, and no way is found"),
            };
        }
        let (mv, place) = match self.named() {
            Some(found) => found,
            None => return self.wrong("no move that it names can be played here"),
        };
        self.model = self.game.play(&self.model, mv);
        self.settled = self.strategy.settled(self.game, &self.model);
        Ok(Some(place))
    }

    /// Adds White's last stone to the model: as that stone, as one played elsewhere, or as another
    /// one whose answer also holds for it.
    fn follow(&mut self) -> Result<(), Trouble> {
        let Some(place) = self.pending.take().filter(|_| !self.settled) else {
            return Ok(());
        };
        let [black, white] = self.game.black_and_white(&self.model);
        let cell = self.number(place).filter(|cell| (black | white) >> cell & 1 == 0);
        let stone = cell.map(|cell| self.game.stone(Some(cell)));
        let mut moves = Moves::new();
        all_moves(self.game, &self.model, &mut moves);
        for mv in stone.into_iter().chain([self.game.stone(None)]).chain(moves.iter()) {
            let model = self.game.play(&self.model, mv);
            if self.holds(&model) {
                self.settled = self.strategy.settled(self.game, &model);
                self.model = model;
                return Ok(());
            }
        }
        let name = self.board.name(place);
        self.wrong(&format!(
            "it has no answer to {name}, as a stone, as one played elsewhere or as another"
        ))
    }

    /// A move that the certificate names in the model and for which its zones still hold.
    fn named(&mut self) -> Option<(G::Move, Place)> {
        let step = *self.strategy.step(self.game.key(&self.model))?;
        let mut moves = Moves::new();
        all_moves(self.game, &self.model, &mut moves);
        for mv in moves.iter() {
            if step.choice != Some(self.game.key_after(&self.model, mv)) {
                continue;
            }
            let place = self.place(self.game.cell(mv)?);
            if self.board.at(place).is_some() {
                continue;
            }
            let before = self.board.clone();
            self.board.put(place, Side::Black);
            let holds = self.holds(&self.game.play(&self.model, mv));
            self.board = before;
            if holds {
                return Some((mv, place));
            }
        }
        None
    }

    /// Whether Black wins on the real board because the certificate proves this model: no stone
    /// that the model ignores lies in its zone. If the rules settle the model, this is decided by
    /// search.
    fn holds(&self, model: &G::State) -> bool {
        if self.strategy.settled(self.game, model) {
            let most = self.left().min(REACH);
            return match self.game.turn(model) {
                Turn::Or => {
                    (1..=most).any(|stones| self.finish(stones).wins(stones as u32).is_some())
                }
                Turn::And => (1..=most).any(|stones| self.finish(stones).holds(stones as u32)),
            };
        }
        let Some(step) = self.strategy.step(self.game.key(model)) else {
            return false;
        };
        let [_, shown] = self.game.black_and_white(model);
        let (mut ignored, mut count) = (0u128, 0);
        for place in self.board.stones(Side::White) {
            let cell = self.number(place).map_or(0, |cell| 1 << cell);
            if cell & shown == 0 {
                ignored |= cell;
                count += 1;
            }
        }
        count <= self.game.ignores(model, step.reason)
            && self.game.zones(model, step.reason).iter().any(|zone| zone & ignored == 0)
    }
}
