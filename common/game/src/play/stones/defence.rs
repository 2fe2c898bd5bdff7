//! White plays by a disproof. An extra White stone never helps Black, and an extra Black stone in
//! the model never helps White. So White may add stones, and the model may have Black stones that
//! are not on the board, in place of ones that are useless to Black.

use hasami_andor::problem::all_moves;
use hasami_andor::{Expansion, Moves};

use super::{Place, REACH, Side, StoneGame, Stones, Trouble};

impl<G: StoneGame> Stones<'_, G> {
    /// The cell that White plays; `None` on a full board.
    pub(super) fn defend(&mut self) -> Result<Option<Place>, Trouble> {
        if let Some(&place) = self.completing(Side::White).first() {
            return Ok(Some(place));
        }
        let last = self.pending.take();
        if self.game.paved() {
            let partner = last.and_then(|place| self.game.partner(place));
            let can = |&place: &Place| {
                self.board.at(place).is_none() && (self.field.infinite || self.board.inside(place))
            };
            return Ok(partner.filter(can).or_else(|| self.heaviest()));
        }
        if let Some(place) = last.filter(|_| !self.settled) {
            self.learn(place)?;
        }
        if self.settled {
            return self.stop();
        }
        let step = self.strategy.step(self.game.key(&self.model)).copied();
        let mut moves = Moves::new();
        all_moves(self.game, &self.model, &mut moves);
        let named = |mv: &G::Move| {
            step.is_some_and(|step| step.choice == Some(self.game.key_after(&self.model, *mv)))
        };
        let Some(mv) = moves.iter().find(named) else {
            return self.wrong("it names no move here");
        };
        self.model = self.game.play(&self.model, mv);
        self.settled = self.strategy.settled(self.game, &self.model);
        let place = self.game.cell(mv).map(|cell| self.place(cell));
        let place = place.filter(|&place| self.board.at(place).is_none());
        Ok(place.or_else(|| self.heaviest()))
    }

    /// Adds Black's last stone to the model, or one that is better for Black.
    fn learn(&mut self, place: Place) -> Result<(), Trouble> {
        let mut moves = Moves::new();
        if all_moves(self.game, &self.model, &mut moves) != Expansion::Open {
            self.settled = true;
            return Ok(());
        }
        let [black, _] = self.game.black_and_white(&self.model);
        let cell = self.number(place).filter(|cell| black >> cell & 1 == 0);
        let real = cell.map(|cell| self.game.stone(Some(cell)));
        for mv in real.into_iter().chain(moves.iter()) {
            let model = self.game.play(&self.model, mv);
            self.settled = self.strategy.settled(self.game, &model);
            if self.settled || self.strategy.step(self.game.key(&model)).is_some() {
                self.model = model;
                return Ok(());
            }
        }
        self.wrong(&format!("it says nothing of {}", self.board.name(place)))
    }

    /// Prevents Black from completing a line with the stones left: by search if they are few,
    /// otherwise on the heaviest cell, which suffices where the rules have settled it (Erdős &
    /// Selfridge).
    fn stop(&mut self) -> Result<Option<Place>, Trouble> {
        let left = self.left();
        if left > REACH {
            return Ok(self.heaviest());
        }
        let cells = self.by_weight();
        let mut finish = self.finish(left);
        match cells.iter().find(|&&place| finish.stopped_by(place, left as u32)) {
            Some(&place) => Ok(Some(place)),
            None if cells.is_empty() => Ok(None),
            None => self.wrong("the rules say that Black cannot win here, and no way is found"),
        }
    }
}
