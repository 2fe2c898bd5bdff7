//! The missing sets of a position: what Black still has to fill, without White's stones and within
//! the stones left. They show that Black does not win.

use super::rules::{Cells, Rules, bits};

/// The potential of a missing set of no cells; each cell halves it.
const WHOLE: u128 = 1 << 100;

/// The sets of empty cells that Black must fill to complete a placement.
#[derive(Clone, Debug)]
pub struct Family<'a> {
    rules: &'a Rules,
    black: Cells,
    white: Cells,
    /// Stones that Black has left.
    left: u32,
    /// Some may occur more than once, unless `distinct`.
    sets: Vec<Cells>,
    distinct: bool,
}

fn potential(sets: &[Cells]) -> u128 {
    sets.iter().map(|set| WHOLE >> set.count_ones()).sum()
}

impl<'a> Family<'a> {
    /// The missing sets of a position.
    #[must_use]
    pub fn new(rules: &'a Rules, black: Cells, white: Cells) -> Self {
        let left = rules.left(black);
        let alive = rules.placements.iter().filter(|&&placement| placement & white == 0);
        let missing = alive.map(|placement| placement & !black);
        let sets = missing.filter(|set| set.count_ones() <= left).collect();
        Self { rules, black, white, left, sets, distinct: false }
    }

    /// The sets, each once.
    pub fn sets(&mut self) -> &[Cells] {
        if !self.distinct {
            self.sets.sort_unstable();
            self.sets.dedup();
            self.distinct = true;
        }
        &self.sets
    }

    /// Whether Black has completed a placement.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.sets.contains(&0)
    }

    /// Rule 1 with White to move: the potential is less than 1.
    pub fn is_less_than_one(&mut self) -> bool {
        // Counting a set twice only makes it greater.
        potential(&self.sets) < WHOLE || potential(self.sets()) < WHOLE
    }

    /// Rule 1 with Black to move: the potential is less than 1/2.
    pub fn is_less_than_half(&mut self) -> bool {
        potential(&self.sets) < WHOLE / 2 || potential(self.sets()) < WHOLE / 2
    }

    /// Rule 2: at least two cells in each, and no two have one in common.
    pub fn is_disjoint(&mut self) -> bool {
        let mut used = 0;
        self.sets().iter().all(|&set| {
            let apart = set & used == 0 && set.count_ones() >= 2;
            used |= set;
            apart
        })
    }

    /// Rule 3: a cell on which White completes a placement.
    #[must_use]
    pub fn white_completes(&self, cell: u8) -> bool {
        !self.rules.weak
            && (self.black | self.white) >> cell & 1 == 0
            && self.rules.completes(self.white, cell)
    }

    /// The cells on which White completes a placement; none if White only blocks.
    #[must_use]
    pub fn white_threats(&self) -> Cells {
        if self.rules.weak { 0 } else { self.rules.threats(self.white, self.black) }
    }

    /// The empty cell that Black can fill most of the potential with, for White to play on.
    #[must_use]
    pub fn heaviest(&self) -> Option<u8> {
        let mut weights = [0u128; 128];
        for &set in &self.sets {
            bits(set).for_each(|cell| weights[usize::from(cell)] += WHOLE >> set.count_ones());
        }
        let empty = self.rules.all & !(self.black | self.white);
        bits(empty).max_by_key(|&cell| weights[usize::from(cell)])
    }

    /// With Black to move: the cells that need no answer if those in `answered` have one.
    pub fn harmless(&mut self, answered: Cells) -> Cells {
        let open = self.rules.all & !(self.black | self.white | answered);
        let mut lost = self.late(open) | self.light(open);
        let idle = self.idle(open & !lost);
        // Exact sums take longer; they are needed only where the bound is not enough.
        lost |= self.light_if_counted_once(open & !lost & !idle);
        if lost | answered == 0 {
            lost = self.light_if_counted_once(idle);
        }
        if lost | answered == 0 { 0 } else { lost | idle }
    }

    /// With Black to move: those of these cells that are harmless by (i) or (ii), whatever else has an
    /// answer.
    pub fn lost(&mut self, cells: Cells) -> Cells {
        let lost = self.late(cells) | self.light(cells);
        lost | self.light_if_counted_once(cells & !lost)
    }

    /// With Black to move: the cells that need an answer, so that all others are harmless.
    pub fn harmful(&mut self) -> Cells {
        let open = self.rules.all & !(self.black | self.white);
        let harmless = self.harmless(0);
        let needed = open & !harmless & !self.idle(open);
        // Idle cells are harmless if any other cell is, or has an answer.
        if harmless | needed != 0 { needed } else { open & open.wrapping_neg() }
    }

    /// (i): cells after which the potential is less than 1, by a sum that may count a set twice.
    fn light(&self, cells: Cells) -> Cells {
        // Sets that need all stones left are gone unless they contain the cell.
        let stay = |set: &Cells| set.count_ones() < self.left;
        let base: u128 = self.sets.iter().filter(|set| stay(set)).map(|set| weight(*set)).sum();
        let mut gains = [0u128; 128];
        let mut completes = 0;
        for set in &self.sets {
            let gain = weight(*set) * if stay(set) { 1 } else { 2 };
            bits(*set).for_each(|cell| gains[usize::from(cell)] += gain);
            if set.count_ones() == 1 {
                completes |= set;
            }
        }
        let light = |cell: &u8| base + gains[usize::from(*cell)] < WHOLE;
        bits(cells & !completes).filter(light).fold(0, |all, cell| all | 1 << cell)
    }

    fn light_if_counted_once(&mut self, cells: Cells) -> Cells {
        let light = bits(cells).filter(|&cell| self.is_light_after(cell));
        light.fold(0, |all, cell| all | 1 << cell)
    }

    /// The same with every set counted once.
    fn is_light_after(&mut self, cell: u8) -> bool {
        let left = self.left.saturating_sub(1);
        let after = self.sets().iter().map(|set| set & !(1 << cell));
        let mut after: Vec<Cells> = after.filter(|set| set.count_ones() <= left).collect();
        after.sort_unstable();
        after.dedup();
        !after.contains(&0) && potential(&after) < WHOLE
    }

    /// (ii): the cells that complete nothing and are not where White threatens to complete a placement.
    fn late(&self, cells: Cells) -> Cells {
        let single = self.sets.iter().filter(|set| set.count_ones() == 1);
        let completes = single.fold(0, |all, set| all | set);
        let threats = self.white_threats();
        match threats.count_ones() {
            0 => 0,
            1 => cells & !threats & !completes,
            _ => cells & !completes,
        }
    }

    /// (iii): the cells in no missing set, where White could not complete anything in time either.
    fn idle(&self, cells: Cells) -> Cells {
        let used = self.sets.iter().fold(0, |all, set| all | set);
        let needed = |cell: u8| {
            !self.rules.weak
                && self.rules.through(cell).iter().any(|placement| {
                    placement & self.black == 0
                        && (placement & !self.white).count_ones() < self.left
                })
        };
        bits(cells & !used).filter(|&cell| !needed(cell)).fold(0, |all, cell| all | 1 << cell)
    }
}

fn weight(set: Cells) -> u128 {
    WHOLE >> set.count_ones()
}
