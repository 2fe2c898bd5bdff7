//! Caches whether a paving blocks a set of shapes: a worker builds the same game for every unit of
//! a search, and finding that there is no paving takes milliseconds.

use std::convert::Infallible;

use hasami_game::Resources;

use super::shape::{Shape, spell_set};
use crate::paving::{Pairs, Paving, Periods, smallest_paving};

/// Pavings are searched with periods of at most this many cells.
const MAX_PERIOD: usize = 16;

/// The smallest paving that blocks every shape, if there is a small one.
pub(super) fn blocking_paving(shapes: &[Shape], resources: &Resources) -> Option<Paving> {
    let find = || {
        let found = smallest_paving(shapes, Pairs::Adjacent, Periods::All, MAX_PERIOD);
        Ok::<_, Infallible>(found.paving())
    };
    let Ok(known) = resources.get(&spell_set(shapes), find);
    known.as_ref().clone()
}
