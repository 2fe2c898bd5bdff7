//! Settles the last three stones of the weak game without search. With two stones left only the
//! *pairs* matter: the empty cells of placements that lack two. Black wins by a *fork*, a cell with
//! two partners. With three stones left, placements that lack three become pairs.

use crate::polyomino::grid::bits;

/// The placements that lack two or three cells, by their empty cells.
pub struct Endgame {
    partners: [u128; 128],
    /// Cells with a partner.
    paired: u128,
    triples: Vec<u128>,
    undo: Vec<(u8, u128)>,
}

impl Default for Endgame {
    fn default() -> Self {
        Self { partners: [0; 128], paired: 0, triples: Vec::new(), undo: Vec::new() }
    }
}

impl Endgame {
    /// Adds a placement that lacks these two cells.
    #[inline]
    pub fn add_pair(&mut self, pair: u128) {
        let (one, two) = (pair.trailing_zeros(), 127 - pair.leading_zeros());
        self.partners[one as usize] |= 1 << two;
        self.partners[two as usize] |= 1 << one;
        self.paired |= pair;
    }

    /// Adds a placement that lacks these three cells.
    #[inline]
    pub fn add_triple(&mut self, triple: u128) {
        self.triples.push(triple);
    }

    /// A fork that avoids the cells `taken`: the cell and two of its partners.
    #[inline]
    pub fn fork(&self, taken: u128) -> Option<u128> {
        bits(self.paired & !taken).find_map(|cell| {
            let partners = self.partners[usize::from(cell)] & !taken;
            let rest = partners & partners.wrapping_sub(1);
            (rest != 0).then(|| 1 << cell | partners & !rest | rest & rest.wrapping_neg())
        })
    }

    /// White to move, two stones left, no threat: the cells that Black's win needs, if Black wins.
    /// White's reply spoils every fork through it, so no cell may be in all of them.
    #[must_use]
    pub fn survives_any_reply(&self, taken: u128) -> Option<u128> {
        let first = self.fork(taken)?;
        let mut zone = first;
        for reply in bits(first) {
            zone |= self.fork(taken | 1 << reply)?;
        }
        Some(zone)
    }

    /// Black to move, three stones left, no threat and no fork; the first stone must be in `may`:
    /// the cells that the win needs, if there is one.
    #[must_use]
    pub fn wins_with_three(&mut self, may: u128) -> Option<u128> {
        let triples = std::mem::take(&mut self.triples);
        let reach = triples.iter().fold(self.paired, |all, triple| all | triple);
        let mut zone = None;
        for cell in bits(reach & may) {
            zone = self.wins_after(cell, &triples);
            if zone.is_some() {
                break;
            }
        }
        self.triples = triples;
        zone
    }

    fn wins_after(&mut self, cell: u8, triples: &[u128]) -> Option<u128> {
        let bit = 1u128 << cell;
        let threat = self.partners[usize::from(cell)];
        let paired = self.paired;
        self.undo.clear();
        for triple in triples.iter().filter(|&triple| triple & bit != 0) {
            let pair = triple & !bit;
            for cell in bits(pair) {
                self.undo.push((cell, self.partners[usize::from(cell)]));
            }
            self.add_pair(pair);
        }
        // Without new pairs nothing is gained by the move.
        let zone = match threat {
            _ if self.undo.is_empty() => None,
            0 => self.survives_any_reply(bit),
            _ => self.fork(bit | threat).map(|zone| zone | threat),
        };
        for &(cell, partners) in self.undo.iter().rev() {
            self.partners[usize::from(cell)] = partners;
        }
        self.paired = paired;
        zone.map(|zone| zone | bit)
    }
}
