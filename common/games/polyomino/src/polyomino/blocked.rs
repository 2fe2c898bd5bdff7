//! Whether a paving blocks a set of shapes, remembered: a worker makes the same game for every unit
//! of a search, and to find that there is no paving takes milliseconds.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::shape::{Shape, spell_set};
use crate::paving::{Pairs, Paving, Periods, smallest_paving};

/// Pavings with a period of at most so many cells are looked for.
const MAX_PERIOD: usize = 16;
/// Sets remembered at a time.
const MOST: usize = 1024;

static KNOWN: Mutex<BTreeMap<String, Option<Paving>>> = Mutex::new(BTreeMap::new());

/// The smallest paving that blocks every shape, if there is a small one.
pub(super) fn blocking_paving(shapes: &[Shape]) -> Option<Paving> {
    let name = spell_set(shapes);
    if let Ok(known) = KNOWN.lock()
        && let Some(paving) = known.get(&name)
    {
        return paving.clone();
    }
    let paving = smallest_paving(shapes, Pairs::Adjacent, Periods::All, MAX_PERIOD).paving();
    if let Ok(mut known) = KNOWN.lock() {
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(name, paving.clone());
    }
    paving
}
