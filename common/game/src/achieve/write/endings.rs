//! The last stones of a win, which the search settles by its rules: threats, forks, and two or three
//! stones that White has no time to answer. Here they are spelled out.

use hasami_andor::Turn;

use super::guards::guards;
use super::{Body, Link};
use crate::achieve::claim::{Claim, Closing, ToAnswer};
use crate::achieve::rules::{Cells, Rules, bits};

/// Most forks that a family is started with.
const MAX_STARTS: usize = 32;

/// A way to win, and what it claims.
#[derive(Clone, Debug)]
pub struct Ending {
    pub body: Body,
    pub claim: Claim,
}

/// Where to look for endings.
#[derive(Clone, Copy, Debug)]
pub struct Endings<'a> {
    pub rules: &'a Rules,
    /// The only cells that they may use.
    pub within: Cells,
    pub slack: u64,
}

/// A cell and two others on which Black threatens to complete a placement after it.
#[derive(Clone, Copy, Debug)]
struct Fork {
    cell: u8,
    threats: Cells,
}

impl Fork {
    fn zone(&self) -> Cells {
        1 << self.cell | self.threats
    }
}

impl Ending {
    fn won() -> Self {
        Self { body: Body::Leaf(1, None), claim: Claim::WON }
    }

    fn after(cell: u8, rest: Self) -> Self {
        Self {
            body: Body::One(Some(cell), Link::Inline(Box::new(rest.body))),
            claim: rest.claim.before(cell),
        }
    }

    fn size(&self) -> u32 {
        self.claim.zone.count_ones()
    }
}

impl Endings<'_> {
    /// The ending with the smallest zone that is found.
    pub fn find(&self, black: Cells, white: Cells, turn: Turn) -> Option<Ending> {
        match turn {
            Turn::Or => self.black_moves(black, white),
            Turn::And => self.white_moves(black, white),
        }
    }

    fn with_slack(self, slack: u64) -> Self {
        Self { slack, ..self }
    }

    fn threats(&self, black: Cells, white: Cells) -> Cells {
        self.rules.threats(black, white) & self.within
    }

    /// The placements that Black completes with this many cells within bounds.
    fn lacking(&self, black: Cells, white: Cells, count: u32) -> Vec<Cells> {
        let alive = self.rules.placements.iter().filter(|&&cells| cells & white == 0);
        let missing = alive.map(|cells| cells & !black);
        let mut found: Vec<Cells> = missing
            .filter(|cells| cells & !self.within == 0 && cells.count_ones() == count)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn black_moves(&self, black: Cells, white: Cells) -> Option<Ending> {
        let left = self.rules.left(black);
        if self.rules.complete(black) {
            return None;
        }
        if let Some(cell) = bits(self.threats(black, white)).next().filter(|_| left >= 1) {
            return Some(Ending::after(cell, Ending::won()));
        }
        if left < 2 {
            return None;
        }
        let forks = forks(&self.lacking(black, white, 2));
        let fork = self.best_fork(&forks, black, white);
        if fork.is_some() || left < 3 {
            return fork;
        }
        self.three_stones(black, white)
    }

    fn best_fork(&self, forks: &[Fork], black: Cells, white: Cells) -> Option<Ending> {
        let endings = forks.iter().filter_map(|fork| self.fork(fork, black, white));
        endings.min_by_key(Ending::size)
    }

    fn fork(&self, fork: &Fork, black: Cells, white: Cells) -> Option<Ending> {
        let rest = self.two_threats(black | 1 << fork.cell, white, fork.threats)?;
        Some(Ending::after(fork.cell, rest))
    }

    fn two_threats(&self, black: Cells, white: Cells, threats: Cells) -> Option<Ending> {
        self.closed(black, white, Vec::new(), threats)
    }

    /// White to move, with these answers and threats; adds guards.
    fn closed(
        &self,
        black: Cells,
        white: Cells,
        answers: Vec<(Option<u8>, Ending)>,
        threats: Cells,
    ) -> Option<Ending> {
        let position = ToAnswer { rules: self.rules, black, white };
        let zone = answers.iter().fold(threats, |all, (_, ending)| all | ending.claim.zone);
        let guards = guards(&position, self.slack, zone, self.within)?;
        let closing = Closing { slack: self.slack, threats, guards };
        let claims: Vec<_> = answers.iter().map(|(cell, ending)| (*cell, ending.claim)).collect();
        let claim = position.claim(&claims, &closing).ok()?;
        let list = answers.into_iter();
        let list = list.map(|(cell, ending)| (cell, Link::Inline(Box::new(ending.body))));
        Some(Ending { body: Body::All(list.collect(), closing), claim })
    }

    /// Black wins with three stones: the first one forces White, or leaves too many forks.
    fn three_stones(&self, black: Cells, white: Cells) -> Option<Ending> {
        let (pairs, triples) = (self.lacking(black, white, 2), self.lacking(black, white, 3));
        let cells = pairs.iter().chain(&triples).fold(0, |all, cells| all | cells);
        let mut best: Option<Ending> = None;
        for cell in bits(cells) {
            let (bit, after) = (1 << cell, black | 1 << cell);
            let threats = pairs.iter().filter(|&&pair| pair & bit != 0);
            let threats = threats.fold(0, |all, pair| all | pair & !bit);
            let rest = if threats == 0 {
                self.quiet(after, white)
            } else {
                self.forced(after, white, threats.trailing_zeros() as u8)
            };
            let found = rest.map(|rest| Ending::after(cell, rest));
            let better =
                |found: &Ending| best.as_ref().is_none_or(|best| found.size() < best.size());
            best = found.filter(better).or(best);
        }
        best
    }

    fn forced(&self, black: Cells, white: Cells, cell: u8) -> Option<Ending> {
        let forced = white | 1 << cell;
        let answer = self.best_fork(&forks(&self.lacking(black, forced, 2)), black, forced)?;
        self.closed(black, white, vec![(Some(cell), answer)], 1 << cell)
    }

    fn white_moves(&self, black: Cells, white: Cells) -> Option<Ending> {
        if self.rules.complete(black) {
            return Some(Ending::won());
        }
        let threats: Vec<u8> = bits(self.threats(black, white)).collect();
        let left = self.rules.left(black);
        if threats.len() >= 2 && left >= 1 {
            let pairs = threats.iter().flat_map(|&one| {
                let later = threats.iter().filter(move |&&other| other > one);
                later.map(move |&other| 1 << one | 1 << other)
            });
            let endings = pairs.filter_map(|pair| self.two_threats(black, white, pair));
            return endings.min_by_key(Ending::size);
        }
        if left >= 2 && threats.is_empty() { self.quiet(black, white) } else { None }
    }

    /// White is free to move and spoils every fork through its stone: so there must be forks without
    /// a common cell.
    fn quiet(&self, black: Cells, white: Cells) -> Option<Ending> {
        let forks = forks(&self.lacking(black, white, 2));
        let family = small_family(&forks)?;
        let position = ToAnswer { rules: self.rules, black, white };
        let (mut answers, mut open) = (Vec::new(), position.empty());
        // The first one answers everything outside itself.
        let first = self.fork(family.first()?, black, white)?;
        open &= first.claim.zone;
        answers.push((None, first));
        for fork in &family[1..] {
            let Some(reply) = bits(open & !fork.zone()).next() else { continue };
            let wide = if self.rules.weak { self.slack } else { self.slack + 1 };
            let believed = white | 1 << reply;
            let ending = self.with_slack(wide).fork(fork, black, believed);
            if let Some(ending) = ending.filter(|ending| ending.claim.zone == fork.zone()) {
                open &= ending.claim.zone;
                answers.push((Some(reply), ending));
            }
        }
        for reply in bits(open) {
            let believed = white | 1 << reply;
            let others = family.iter().filter(|fork| fork.zone() >> reply & 1 == 0);
            let endings = others.filter_map(|fork| self.fork(fork, black, believed));
            answers.push((Some(reply), endings.min_by_key(Ending::size)?));
        }
        self.closed(black, white, answers, 0)
    }
}

/// The forks that these pairs make.
fn forks(pairs: &[Cells]) -> Vec<Fork> {
    let mut forks = Vec::new();
    for cell in bits(pairs.iter().fold(0, |all, pair| all | pair)) {
        let bit: Cells = 1 << cell;
        let partners: Vec<Cells> =
            pairs.iter().filter(|&&pair| pair & bit != 0).map(|pair| pair & !bit).collect();
        for (at, one) in partners.iter().enumerate() {
            forks.extend(partners[..at].iter().map(|other| Fork { cell, threats: one | other }));
        }
    }
    forks
}

/// Forks without a common cell that use few cells together.
fn small_family(forks: &[Fork]) -> Option<Vec<Fork>> {
    let mut best: Option<(u32, Vec<Fork>)> = None;
    for first in forks.iter().take(MAX_STARTS) {
        let (mut common, mut all, mut family) = (first.zone(), first.zone(), vec![*first]);
        while common != 0 {
            let rated = forks.iter().map(|fork| {
                let zone = fork.zone();
                (((common & zone).count_ones(), (all | zone).count_ones()), fork)
            });
            let Some(((left, _), next)) = rated.min_by_key(|(rating, _)| *rating) else { break };
            if left == common.count_ones() {
                break;
            }
            (common, all) = (common & next.zone(), all | next.zone());
            family.push(*next);
        }
        let size = all.count_ones();
        if common == 0 && best.as_ref().is_none_or(|(least, _)| size < *least) {
            best = Some((size, family));
        }
    }
    best.map(|(_, family)| family)
}
