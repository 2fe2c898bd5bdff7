//! Finds the smallest period with a blocking paving, or shows that there is none up to a bound.

use super::instance::{Instance, Pairs};
use super::lattice::Lattice;
use super::pattern::Paving;
use super::search::{Goal, Search};
use crate::polyomino::shape::Shape;

/// Which periods are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periods {
    /// All periods.
    All,
    /// Those without shift.
    Tori,
}

/// A finite board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
}

/// Result of a search for a paving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A paving with the smallest possible period; complete if this period has a complete one.
    Found(Paving),
    /// No paving of any period blocks: none blocks all placements on this board.
    Nowhere(Board),
    /// No paving with a period of this many cells or fewer blocks.
    NotUpTo(usize),
}

impl Answer {
    /// The paving, if there is one.
    #[must_use]
    pub fn paving(self) -> Option<Paving> {
        match self {
            Self::Found(paving) => Some(paving),
            _ => None,
        }
    }
}

/// Boards up to this size are tested for whether they can be paved at all. Winners are refuted on
/// boards not much larger than their shapes.
const LARGEST_BOARD: u32 = 8;
/// Nodes spent on one board: more would take longer than the periods it may save.
const BOARD_NODES: u64 = 300_000;
/// Periods of up to this many cells are tried before any board: they settle most losers.
const AT_ONCE: usize = 8;

/// Finds the smallest period, by cells and then by shape, with a paving that blocks all shapes.
#[must_use]
pub fn smallest_paving(
    shapes: &[Shape],
    pairs: Pairs,
    periods: Periods,
    max_area: usize,
) -> Answer {
    smallest_paving_unless(shapes, pairs, periods, max_area, &|| false)
        .expect("nobody stops the search")
}

/// Like [`smallest_paving`], but returns no answer if `stop` returns true during the search.
#[must_use]
pub fn smallest_paving_unless(
    shapes: &[Shape],
    pairs: Pairs,
    periods: Periods,
    max_area: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Answer> {
    for area in 1..=max_area {
        if area == AT_ONCE + 1
            && let Some(board) = unpavable_board(shapes, pairs, BOARD_NODES, stop)
        {
            return Some(Answer::Nowhere(board));
        }
        let wanted = |lattice: &Lattice| periods == Periods::All || lattice.is_torus();
        for lattice in Lattice::of_area(area).into_iter().filter(wanted) {
            if let Some(paving) = of_period_unless(lattice, shapes, pairs, stop)? {
                return Some(Answer::Found(paving));
            }
        }
    }
    Some(Answer::NotUpTo(max_area))
}

/// A paving with this period that blocks all shapes, if there is one; a complete one if possible.
#[must_use]
pub fn paving_of_period(lattice: Lattice, shapes: &[Shape], pairs: Pairs) -> Option<Paving> {
    of_period_unless(lattice, shapes, pairs, &|| false).expect("nobody stops the search")
}

/// Like [`paving_of_period`]; `None` if it was stopped.
fn of_period_unless(
    lattice: Lattice,
    shapes: &[Shape],
    pairs: Pairs,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Paving>> {
    let instance = Instance::periodic(lattice, shapes, pairs);
    let Some(paving) = first(&instance, lattice, Goal::Blocking, stop)? else {
        return Some(None);
    };
    Some(first(&instance, lattice, Goal::Complete, stop)?.or(Some(paving)))
}

fn first(
    instance: &Instance,
    lattice: Lattice,
    goal: Goal,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Paving>> {
    let mut found = None;
    let all = Search::new(instance, goal).answers(&|_| stop(), &mut |search| {
        found = Some(instance.paving(lattice, &search.laid()));
        false
    });
    (all || found.is_some()).then_some(found)
}

/// The smallest square board on which no pairs block every placement, if a short search finds one.
fn unpavable_board(
    shapes: &[Shape],
    pairs: Pairs,
    limit: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Board> {
    let sides = (1..=LARGEST_BOARD).map(|side| Board { rows: side, columns: side });
    sides.into_iter().find(|board| {
        let instance = Instance::board(board.rows, board.columns, shapes, pairs);
        let stop = |nodes| nodes >= limit || stop();
        Search::new(&instance, Goal::Blocking).answers(&stop, &mut |_| false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paving::seed::tests::{PAIRS, shapes_of};
    use crate::polyomino::paper::PaperClass;

    #[test]
    fn every_pair_that_loses_has_a_small_paving_and_no_other_has() {
        for (pair, class, _) in PAIRS {
            let shapes = shapes_of(pair);
            let answer = smallest_paving(&shapes, Pairs::Adjacent, Periods::All, 64);
            match class {
                PaperClass::Loser => {
                    let paving = answer.paving().unwrap_or_else(|| panic!("{pair}"));
                    assert!(paving.lattice().area() <= 8, "{pair}: {}", paving.lattice());
                    assert!(shapes.iter().all(|shape| paving.blocks(shape)), "{pair}");
                }
                _ => assert!(answer.paving().is_none(), "{pair}"),
            }
        }
    }

    #[test]
    fn a_search_that_is_stopped_has_no_answer() {
        let pair = shapes_of("I,SS");
        let left = std::cell::Cell::new(1000_u32);
        let stop = || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        };
        let answer = smallest_paving_unless(&pair, Pairs::Any, Periods::All, 64, &stop);
        assert_eq!((answer, left.get()), (None, 0));
    }

    #[test]
    fn the_tori_of_the_losing_pairs_are_those_of_the_paper() {
        let known = ["1x2", "2x2", "2x3", "2x4", "4x4"];
        for (pair, _, _) in PAIRS.iter().filter(|(_, class, _)| *class == PaperClass::Loser) {
            let answer = smallest_paving(&shapes_of(pair), Pairs::Adjacent, Periods::Tori, 16);
            let lattice = answer.paving().unwrap_or_else(|| panic!("{pair}")).lattice();
            assert!(known.contains(&lattice.to_string().as_str()), "{pair}: {lattice}");
        }
    }

    #[test]
    fn no_torus_up_to_8x8_blocks_what_no_board_can_block() {
        // Two ways to the same answer: period by period, and one finite board for all.
        for (pair, _, _) in PAIRS.iter().filter(|(_, class, _)| *class != PaperClass::Loser) {
            let shapes = shapes_of(pair);
            assert!(
                unpavable_board(&shapes, Pairs::Adjacent, BOARD_NODES, &|| false).is_some(),
                "{pair}: no board"
            );
            for (rows, columns) in (1..=8).flat_map(|rows| (rows..=8).map(move |to| (rows, to))) {
                let torus = Lattice::new(rows, columns, 0).unwrap();
                assert_eq!(
                    paving_of_period(torus, &shapes, Pairs::Adjacent),
                    None,
                    "{pair} {torus}"
                );
            }
        }
    }

    #[test]
    fn open_pairs_cannot_be_paved_on_the_boards_of_the_paper() {
        // Yakuwa et al., section 7: the smallest n of the n×n boards.
        for (pair, adjacent, any) in [("I,L", 5, 5), ("I,UU", 5, 6), ("I,SS", 5, 6), ("I,ZZ", 6, 6)]
        {
            let board = |pairs| {
                unpavable_board(&shapes_of(pair), pairs, BOARD_NODES, &|| false)
                    .map(|board| board.rows)
            };
            assert_eq!(board(Pairs::Adjacent), Some(adjacent), "{pair}");
            assert_eq!(board(Pairs::Any), Some(any), "{pair}");
        }
    }
}
