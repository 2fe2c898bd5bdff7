//! What a node of a proof claims: a zone, a slack, and a number of stones; and how the claim of a
//! node where White is to move follows from the answers.

use super::rules::{Cells, Rules, bits};

/// Black wins with at most `stones` more stones, if White has no stone in the zone but believed ones,
/// and lacks no more than `slack` of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Cells without any of the stones of the position.
    pub zone: Cells,
    /// [`Claim::ANY`] if it does not matter.
    pub slack: u128,
    /// The most stones that Black still needs.
    pub stones: u32,
}

impl Claim {
    /// More than any number in a certificate.
    pub const ANY: u128 = u128::MAX;
    /// Black has completed a placement.
    pub const WON: Self = Self { zone: 0, slack: Self::ANY, stones: 0 };

    /// The claim before Black's move onto `cell`.
    #[must_use]
    pub fn before(self, cell: u8) -> Self {
        Self { zone: self.zone | 1 << cell, stones: self.stones.saturating_add(1), ..self }
    }

    /// The same claim about the position turned.
    #[must_use]
    pub fn turned(self, rules: &Rules, symmetry: u8) -> Self {
        Self { zone: rules.turned(self.zone, symmetry), ..self }
    }
}

/// The closing data of a node where White is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// How many believed stones may be missing; not used in the weak game.
    pub slack: u64,
    /// Cells on which Black completes a placement.
    pub threats: Cells,
    /// Further cells of the zone.
    pub guards: Cells,
}

/// A position with White to move.
#[derive(Clone, Copy, Debug)]
pub struct ToAnswer<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Black's stones.
    pub black: Cells,
    /// The stones that the proof believes White to have.
    pub white: Cells,
}

impl ToAnswer<'_> {
    /// The empty cells, as far as the proof knows.
    #[must_use]
    pub fn empty(&self) -> Cells {
        self.rules.all & !(self.black | self.white)
    }

    /// White's turns so far.
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.black.count_ones().saturating_sub(1)
    }

    /// How many of White's moves were elsewhere.
    #[must_use]
    pub fn elsewhere(&self) -> u32 {
        self.turns().saturating_sub(self.white.count_ones())
    }

    /// The claim that follows from the answers to these moves (`None` is elsewhere).
    ///
    /// # Errors
    /// The condition that does not hold.
    pub fn claim(
        &self,
        answers: &[(Option<u8>, Claim)],
        closing: &Closing,
    ) -> Result<Claim, String> {
        let Closing { slack, threats, guards } = *closing;
        let slack = if self.rules.weak { Claim::ANY } else { slack.into() };
        if (threats | guards) & !self.empty() != 0 {
            return Err("a threat or guard on a stone".to_string());
        }
        if let Some(cell) = bits(threats).find(|&cell| !self.rules.completes(self.black, cell)) {
            return Err(format!("no threat on cell {cell}"));
        }
        let mut claim = Claim { zone: threats | guards, slack, stones: u32::from(threats != 0) };
        for &(_, answer) in answers {
            if answer.slack < slack {
                return Err("more slack than an answer has".to_string());
            }
            claim.zone |= answer.zone;
            claim.stones = claim.stones.max(answer.stones);
        }
        if threats == 0 && answers.is_empty() {
            return Err("neither a threat nor an answer".to_string());
        }
        let (open, beyond) = self.unanswered(answers, slack, threats);
        if let Some(cell) = bits(open).next() {
            return Err(format!("no answer to a stone on cell {cell}"));
        }
        if beyond {
            return Err("no answer to a stone outside the window".to_string());
        }
        match self.white_completes(slack, claim.zone) {
            Some(what) => Err(what),
            None => Ok(claim),
        }
    }

    /// The cells without an answer, and whether those beyond the window are.
    #[must_use]
    pub fn unanswered(
        &self,
        answers: &[(Option<u8>, Claim)],
        slack: u128,
        threats: Cells,
    ) -> (Cells, bool) {
        let (mut open, mut beyond) = (self.empty(), self.rules.infinite);
        for cell in bits(threats) {
            (open, beyond) = (open & 1 << cell, false);
        }
        for &(reply, answer) in answers {
            if reply.is_none() || self.rules.weak || answer.slack > slack {
                (open, beyond) = (open & answer.zone, false);
            }
            if let Some(cell) = reply {
                open &= !(1 << cell);
            }
        }
        (open, beyond)
    }

    /// In the strong game, a placement that White might complete at once.
    #[must_use]
    pub fn white_completes(&self, slack: u128, zone: Cells) -> Option<String> {
        let rules = self.rules;
        let turns = self.turns();
        let may = |size: u32| turns + 2 > size;
        if rules.weak || !rules.sizes.iter().any(|&size| may(size)) {
            return None;
        }
        let unseen = slack.saturating_add(self.elsewhere().into());
        let near = |inside: Cells, size: u32| {
            let seen: u128 = (inside & self.white).count_ones().into();
            inside & self.black == 0
                && may(size)
                && (inside & zone).count_ones() < 2
                && seen.saturating_add(unseen).saturating_add(2) > size.into()
        };
        let far =
            rules.sizes.iter().find(|&&size| may(size) && unseen.saturating_add(2) > size.into());
        let found = match far {
            Some(size) if rules.infinite => {
                return Some(format!("White might complete {size} cells far away"));
            }
            Some(_) => rules.placements.iter().any(|&cells| near(cells, cells.count_ones())),
            None => bits(self.white).any(|cell| {
                rules.through(cell).iter().any(|&cells| near(cells, cells.count_ones()))
                    || rules.hanging(cell).iter().any(|one| near(one.inside, one.size))
            }),
        };
        found.then(|| "White might complete a placement at once".to_string())
    }
}
