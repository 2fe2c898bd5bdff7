//! The smallest square board on which a set of shapes is a paving winner.

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, SumRule, Table, Verdict};

use super::{Pairs, PavingWinner};
use crate::polyomino::shape::Shape;

/// Table entries of each search: far more than the boards up to 7×7 need.
const ENTRIES: usize = 1 << 18;

/// The answer of [`smallest_square`].
#[derive(Clone, Debug)]
pub struct Smallest {
    /// Rows and columns.
    pub size: u8,
    /// The proven question on this board: search it with your own table for a certificate.
    pub game: PavingWinner,
    /// Nodes of all searches, including those of the smaller boards.
    pub nodes: u64,
}

/// Searches square boards in ascending order, up to `most` columns (at most 11). A winner on one
/// board is a winner on every larger one, so the first is the answer. `None` if none of them is
/// won, or `control` stops the search.
#[must_use]
pub fn smallest_square(
    shapes: &[Shape],
    pairs: Pairs,
    most: u8,
    control: &Control,
) -> Option<Smallest> {
    let mut nodes = 0;
    for size in 1..=most {
        let game = PavingWinner::new(shapes, size, size, pairs);
        let table = Table::with_entries(ENTRIES, false);
        let options = Options { sum: SumRule::Weak, ..Options::default() };
        let job = Job::settle(game.root());
        let outcome = Search::new(Kernel::Dfpn, &game, &table, options, job).run(control);
        nodes += outcome.counts.nodes;
        if outcome.numbers.verdict()? == Verdict::Proven {
            return Some(Smallest { size, game, nodes });
        }
    }
    None
}
